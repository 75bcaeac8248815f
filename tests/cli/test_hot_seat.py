"""People at one keyboard: whoever looks sees their own secrets, and nobody else's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

import embertown
from embertown.cli.curtain import SCROLLED_AWAY
from embertown.games import GameRecord
from tests.cli.helpers import record_of, run

PLAY = ("terminal", "--game", "drunter", "--hot-seat", "--names", "Anne,Karl")
OBJECTIVES = ["town-hall", "fire-station", "school", "inn", "museum", "church"]


class Part(NamedTuple):
    """What all see, who then looks, and what they see."""

    shared: str
    who: str
    own: str


def parts(said: str) -> list[Part]:
    """A transcript, cut where the keyboard was handed over."""
    found = []
    for piece in said.split("\n" * SCROLLED_AWAY):
        shared, _, own = piece.partition("Enter> ")
        found.append(Part(shared, "Anne" if "Anne: press Enter" in shared else "Karl", own))
    return found


def begun(folder: Path, objectives: list[list[str]], **options: bool) -> Path:
    """A game that Anne begins, as a record."""
    game = embertown.load("drunter", 2, **options)
    deal = game.start(seed=1).heading.deal
    assert deal is not None
    state = game.start(seed=1, first=0, seats=["Anne", "Karl"], deal=deal | {"objectives": objectives})
    path = folder / "game.json"
    path.write_text(state.record().to_json(), encoding="utf-8")
    return path


TYPED = "\nlist\nscore\nA1 B1-C1\n\nlist\nO1 N1\n\nscore\nlist\nlast\nA1 C2\n"
"""Anne, Karl and Anne again lay tiles and ask for this and that."""


@pytest.mark.parametrize(
    ("one", "other", "options"),
    [
        ([["inn"], ["church"]], [["inn"], ["school"]], {}),
        ([["inn", "ones"], ["church", "fours"]], [["inn", "ones"], ["lowest", "school"]], {"variant": True}),
    ],
)
def test_anne_sees_nothing_that_depends_on_karls_objective(
    one: list[list[str]], other: list[list[str]], options: dict[str, bool], tmp_path: Path
) -> None:
    worlds = [
        parts(run("terminal", "--resume", begun(tmp_path, cards, **options), typed=TYPED).out) for cards in (one, other)
    ]
    assert [part.who for part in worlds[0]] == ["Anne", "Karl", "Anne", "Karl"]
    for here, there in zip(*worlds, strict=True):
        assert here.shared == there.shared
        assert "your objective" not in here.shared
        has_looked = "your objective" in here.own
        assert (here.own == there.own) is (here.who == "Anne" or not has_looked)
    assert [part.own.count("your objective") for part in worlds[0]] == [1, 1, 1, 0]


@pytest.mark.parametrize("several", [False, True])
def test_votes_stay_secret_until_all_have_voted_d6_1(several: bool, tmp_path: Path) -> None:
    """Karl proposes and votes; what Anne sees before she votes does not depend on his card."""
    path = tmp_path / "x.json"
    path.write_text(proposed_by_karl(tmp_path, several_cards=several), encoding="utf-8")
    ones, others = (
        parts(run("terminal", "--resume", path, typed=f"\n{card}\n\nlist\nlast\nboard\nne\n").out)
        for card in ("jaaa", "neee")
    )
    assert [part.who for part in ones[:2]] == ["Karl", "Anne"]
    assert ones[1].shared == others[1].shared
    seen, seen_elsewhere = (world[1].own.rpartition("Anne> ")[0] for world in (ones, others))
    assert seen == seen_elsewhere != ""
    assert "3 yes, 1 no: passed" in ones[2].shared
    assert "0 yes, 4 no: refused. Karl takes the tile back" in others[2].shared


def test_nobody_hands_over_to_themselves(tmp_path: Path) -> None:
    """Anne votes last, with Jeeiin: all see the cards, and the keyboard stays with her."""
    path = tmp_path / "x.json"
    path.write_text(proposed_by_karl(tmp_path), encoding="utf-8")
    found = parts(run("terminal", "--resume", path, typed="\nja\n\njeeiin\n\nyes\n").out)
    assert [part.who for part in found[:3]] == ["Karl", "Anne", "Anne"]
    assert "all cards are turned over" in found[2].shared
    assert "● Anne goes on; all others look away. Anne: press Enter." in found[2].shared
    assert ["Hand over to" in part.shared for part in found[:3]] == [True, True, False]
    assert "What does your Jeeiin count as" in found[2].own


def proposed_by_karl(folder: Path, **options: bool) -> str:
    """A record in which Karl has proposed a tile over an outhouse, and nobody has voted."""
    state = GameRecord.from_file(begun(folder, [["inn"], ["church"]], **options)).replay()
    while len(state.waiting) == 1:
        needing = [action for action in state.legal_actions if state.preview(action).needs_vote]
        quiet = [action for action in state.legal_actions if action not in needing]
        state.play(needing[0] if needing and state.seat == 1 else quiet[0])
    return state.record().to_json()


def test_an_action_before_the_hand_over_does_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    said = run(*PLAY, "--save", path, typed="A1 B1\n?\nquit\n").out
    assert said.count("should look now: press Enter, or type quit.") == 2
    assert "your objective" not in said
    assert record_of(path)["moves"] == []


def test_undo_never_crosses_a_hand_over() -> None:
    said = run(*PLAY, typed="\nlist\n1\n\nundo\nlist\n1\n\nundo\nquit\n").out
    assert said.count("can't be taken back") == 2
    assert "took back" not in said


def test_one_person_needs_no_hand_over() -> None:
    said = run("terminal", "--game", "drunter", typed="list\n1\n").out
    assert "Hand over" not in said
    assert "your objective" in said


def test_cronberg_has_no_secrets_to_hide() -> None:
    assert "Hand over" not in run("terminal", "--hot-seat", typed="d4\nd5\n").out


def test_a_saved_game_says_that_it_holds_secrets(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    assert "(with all secrets)" in run(*PLAY, "--save", path, typed="").out
    deal = json.loads(path.read_text(encoding="utf-8"))["deal"]
    assert all(card in OBJECTIVES for (card,) in deal["objectives"])
