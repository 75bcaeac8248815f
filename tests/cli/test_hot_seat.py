"""People at one keyboard: whoever looks sees their own secrets, and nobody else's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

import embertown
from embertown.cli.curtain import SCROLLED_AWAY
from tests.cli.helpers import record_of, run

PLAY = ("play", "--game", "drunter", "--hot-seat", "--names", "Anne,Karl")
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


TYPED = "\nlist\nscore\nA1 B1-C1\n\nO1 N1\n\nA1 C2\nscore\nlist\nlast\n"
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
    worlds = [parts(run("play", "--resume", begun(tmp_path, cards, **options), typed=TYPED).out) for cards in (one, other)]
    assert [part.who for part in worlds[0]] == ["Anne", "Karl", "Anne", "Karl"]
    for here, there in zip(*worlds, strict=True):
        assert here.shared == there.shared
        assert "your objective" not in here.shared
        if here.who == "Anne" or not here.own:
            assert here.own == there.own
        else:
            assert here.own != there.own
    assert all(part.own.count("your objective") == 1 for part in worlds[0][:-1])


@pytest.mark.parametrize("words", [(), ("--several-cards",)])
def test_votes_stay_secret_until_all_have_voted_d6_1(words: tuple[str, ...], tmp_path: Path) -> None:
    """Karl proposes and votes; what Anne sees before she votes does not depend on his card."""
    worlds, revealed = [], []
    path = tmp_path / "x.json"
    for card in ("jaaa", "neee"):
        typed = "\nlist\n1\n" * 40 + f"\n{card}\n\nlist\nlast\nboard\n"
        state = record_state(tmp_path, words)
        path.write_text(state, encoding="utf-8")
        said = run("play", "--resume", path, typed=f"\n{card}\n\nlist\nlast\nboard\nne\n").out
        del typed
        worlds.append(parts(said))
        revealed.append(said)
    ones, others = worlds
    assert [part.who for part in ones[:2]] == ["Karl", "Anne"]
    assert ones[1].shared == others[1].shared
    before_her_vote = [part[1].own.rpartition("Anne> ")[0] for part in worlds]
    assert before_her_vote[0] == before_her_vote[1] != ""
    assert "Jaaa" in ones[2].shared
    assert "Neee" in others[2].shared
    assert "4 yes" in ones[2].shared or "3 yes, 1 no: passed" in ones[2].shared
    assert "0 yes, 4 no: refused. Karl takes the tile back" in others[2].shared


def record_state(folder: Path, words: tuple[str, ...]) -> str:
    """Karl has proposed a tile over an outhouse."""
    path = begun(folder, [["inn"], ["church"]], **({"several_cards": True} if words else {}))
    state = embertown.games.GameRecord.from_json(path.read_text(encoding="utf-8")).replay()  # type: ignore[attr-defined]
    state.play(next(text for text in ("lay wall A1 B1-C1", "lay wall A1 B1") if legal(state, text)))
    while state.phase == 0:
        needing = [action for action in state.legal_actions if state.preview(action).needs_vote]
        state.play(needing[0] if needing and state.seat == 1 else state.legal_actions[0])
    return state.record().to_json()


def legal(state: embertown.State, text: str) -> bool:  # type: ignore[name-defined]
    return state.action(text) in state.legal_actions


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
    said = run("play", "--game", "drunter", typed="list\n1\n").out
    assert "Hand over" not in said
    assert "your objective" in said


def test_cronberg_has_no_secrets_to_hide() -> None:
    assert "Hand over" not in run("play", "--hot-seat", typed="d4\nd5\n").out


def test_a_saved_game_says_that_it_holds_secrets(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    assert "(with all secrets)" in run(*PLAY, "--save", path, typed="").out
    assert set(sum(json.loads(path.read_text(encoding="utf-8"))["deal"]["objectives"], [])) <= set(OBJECTIVES)
