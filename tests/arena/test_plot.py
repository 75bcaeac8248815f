"""The picture of standings: well-formed, whole, readable by day and by night."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from embertown.arena import Results, Standings, Tournament, standings
from embertown.arena.plot import LABELS, RIGHT, _nice_step, plot
from tests.arena.helpers import results_of

SVG = "{http://www.w3.org/2000/svg}"


def some(players: int = 2, **how: float) -> Standings:
    tournament = Tournament("cronberg", ["greedy", "random:1000"], players=players, schedule="gauntlet", **how)  # type: ignore[arg-type]
    rows = {2: [[5, 3], [1, 4], [2, 2]], 4: [[9, 0, 3, 6], [0, 9, 0, 0]]}[players]
    return standings(results_of(tournament, *rows))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("players", [2, 4])
def test_all_figures_are_there(players: int) -> None:
    said = texts(plot(some(players)))
    among = "random:1000" if players == 2 else "3 × random:1000"
    assert f"greedy – {among}" in said
    assert f"equal: {1 / players:.0%}" in said
    assert {2: "83.3% of 3", 4: "100.0% of 2"}[players] in said
    assert sum("±" in text for text in said) == 2


def test_a_share_to_beat_is_marked_too() -> None:
    said = texts(plot(some(beats=0.75)))
    assert "to beat: 75%" in said
    assert "equal: 50%" in said
    assert not any("to beat" in text for text in texts(plot(some())))


def test_values_stand_within_their_intervals_and_the_scale() -> None:
    root = ElementTree.fromstring(plot(some()))
    for group in root.iter(f"{SVG}g"):
        (dot,) = group.iter(f"{SVG}circle")
        bar = next(group.iter(f"{SVG}line"))
        assert LABELS <= float(bar.get("x1", "")) < float(dot.get("cx", "")) < float(bar.get("x2", "")) <= RIGHT


def test_no_two_contestants_look_the_same() -> None:
    names = [f"random:{number}" for number in range(1, 14)]
    root = ElementTree.fromstring(plot(standings(Results(Tournament("cronberg", names, schedule="gauntlet")))))
    marks: dict[str, set[tuple[object, ...]]] = {}
    for group in root.iter(f"{SVG}g"):
        name = (group.findtext(f"{SVG}title") or "").partition(": ")[0].partition(" ")[0]
        (mark,) = (element for element in group if element.tag in (f"{SVG}circle", f"{SVG}polygon"))
        look = mark.get("fill"), len(mark.get("points", "").split())
        marks.setdefault(name, set()).add(look)
    assert set(marks) == set(names)
    assert all(len(looks) == 1 for looks in marks.values())
    assert len(set.union(*marks.values())) == len(names)


def test_night_and_day_have_colours_of_their_own_and_day_turns_with_the_viewer() -> None:
    day, night = plot(some()), plot(some(), night=True)
    assert day != night
    assert "prefers-color-scheme:dark" in day
    assert "prefers-color-scheme" not in night


def test_nothing_played_can_be_drawn() -> None:
    said = texts(plot(standings(Results(Tournament("drunter", ["greedy", "random"], variant=True)))))
    assert "drunter (schilda, 2 players, variant): 0 games" in said
    assert "not played" in said


@pytest.mark.parametrize(("wanted", "step"), [(0.9, 1), (1, 1), (1.1, 2), (4, 5), (7, 10), (12, 20), (0.03, 0.05)])
def test_scales_have_round_steps(wanted: float, step: float) -> None:
    assert _nice_step(wanted) == pytest.approx(step)
