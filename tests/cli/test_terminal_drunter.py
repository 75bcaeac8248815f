"""A game of Drunter & Drüber at the terminal, with what people type."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import embertown
from embertown.drunter.game import DrunterState
from tests.cli.drunter_tables import DEAL, choosing, started, voting
from tests.cli.helpers import TILES_TO_THE_END, record_of, run

PLAY = ("terminal", "--game", "drunter")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "is no action; right would be"),
        ("lst", "(did you mean list?)"),
        ("wall", "where? Right would be"),
        ("A1 B2-C2", "The tile would start on B2, but the gang of A1 stands on A1. (rule D4.2)"),
        ("road A1 B1", "The path of A1 is a wall; a road can't continue it. (rule D4.1)"),
        ("H5", "no gang can lay 'H5': a tile begins beside its gang"),
        ("Z9", "no square is called 'Z9' here; right would be: A1 to O10"),
        ("pass", "Only a player who can lay no tile may pass. (rule D3.1)"),
        ("nee", "No vote is under way"),
        ("school", "No objective is to be chosen now. (rule D9.2)"),
        ("yes", "Nobody has a Jeeiin to speak of now. (rule D6.2)"),
        ("l 3", "list stands alone"),
        ("3", "type list first"),
    ],
)
def test_a_mistype_says_what_would_be_right_and_changes_nothing(typed: str, said: str, tmp_path: Path) -> None:
    record = saved(started(), tmp_path)
    result = run("terminal", "--resume", record, "--save", record, typed=f"\n{typed}\n")
    assert result.code == 0
    assert said in result.out
    assert record_of(record)["moves"] == []


def saved(state: DrunterState, folder: Path, bots: tuple[str | None, ...] = (None, None)) -> Path:
    """A state as a record, with bots at its seats."""
    path = folder / "game.json"
    record = state.record().to_json()
    for name, bot in zip(("Anne", "Karl"), bots, strict=True):
        if bot:
            record = record.replace(f'"{name}", "bot": null', f'"{name}", "bot": "{bot}"')
    path.write_text(record, encoding="utf-8")
    return path


# ---- whole games


@pytest.mark.parametrize(
    "words",
    [["--bots", "random"], ["--hot-seat", "--variant"], ["--bots", "greedy,greedy", "--several-cards", "--variant"]],
)
def test_a_whole_game_is_told_to_its_end(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    result = run(*PLAY, *words, "--seed", 3, "--save", path, typed=TILES_TO_THE_END)
    assert result.code == 0
    record: dict[str, Any] = record_of(path)
    assert record["end"] == "complete"
    moves = record["moves"]
    votes = [move["vote"] for move in moves if "vote" in move]
    assert result.out.count("all cards are turned over (rule D6.1)") == len(votes)
    assert result.out.count("passed, the tile stays") == sum(vote["passed"] for vote in votes)
    assert result.out.count("takes the tile back (rule D6.4)") == sum(not vote["passed"] for vote in votes)
    for vote in votes:
        assert f"{vote['yes']} yes, {vote['no']} no" in result.out
    assert result.out.count("(rule D4.6)") == sum(len(move.get("blocked", ())) for move in moves)
    assert result.out.count("chose an objective in secret") == sum("choose" in move for move in moves)
    check_that_the_end_is_itemised(result.out, record)
    assert run("check", path).code == 0


def check_that_the_end_is_itemised(said: str, record: dict[str, Any]) -> None:
    ending = said.rpartition("The objectives are revealed (rule D8.1)")[2]
    board = embertown.load("drunter").board  # type: ignore[attr-defined]
    for entry in record["final"]:
        assert f" = {entry['points']} point" in ending
        if entry["objective"] != "ones":
            assert all(f"{board.buildings[square][1]} on {square}" in ending for square in entry["uncovered"])
    winners = [record["seats"][seat]["name"] for seat in record["winners"]]
    assert all(winner in ending.splitlines()[-2] for winner in winners)


def test_level_scores_are_broken_by_the_other_card_d9_3() -> None:
    from embertown.cli.drunter_tell import ending_words

    state = tied()
    said = "\n".join(str(line) for line in ending_words(state, ["Anne", "Karl"], "en"))
    assert "Anne and Karl are level: the other card decides (rule D9.3)" in said


def tied() -> DrunterState:
    """A game of the variant that ends level."""
    game = embertown.load("drunter", 2, variant=True, no_votes=True)
    for seed in range(200):
        state = game.start(seed=seed)
        while state.seat is not None:
            state.play(state.legal_actions[seed % len(state.legal_actions)])
        if len(set(state.scores)) == 1:
            return state  # type: ignore[return-value]
    raise AssertionError("no game ends level")


# ---- what is asked for


def test_the_list_says_what_a_tile_covers_and_whether_it_needs_a_vote(tmp_path: Path) -> None:
    state = started().play("lay wall A1 B1-D1").play("lay road O1 N1")
    said = run("terminal", "--resume", saved(state, tmp_path, (None, "random")), typed="list\n").out
    assert "Tiles that need a vote (rule D5.2):" in said
    line = next(line for line in said.splitlines() if " wall A1 D2-D4 " in line)
    assert "covers outhouse on D3, museum 4 on D4" in line
    assert "inn 1 on G1 (yours!)" in next(line for line in said.splitlines() if " wall A1 E1-G1 " in line)


def test_numbers_choose_from_the_list(tmp_path: Path) -> None:
    for state, number, entry in ((voting(), 6, "neee"), (voting(), 8, "jeeiin")):
        record = saved(state, tmp_path, (None, "random"))
        result = run("terminal", "--resume", record, "--save", record, typed=f"list\n{number}\n")
        assert "no, as you say" in result.out
        last: Any = record_of(record)
        vote = last["moves"][2]["vote"] if len(last["moves"]) > 2 else last["pending"]
        assert vote["cards"][0] == entry


def test_help_and_score_are_short_and_say_what_counts(tmp_path: Path) -> None:
    said = run("terminal", "--resume", saved(started(), tmp_path, (None, "random")), typed="?\nscore\n").out
    assert "What you can type" in said
    assert "outhouse: covered only after a vote" in said
    assert "Your objective: inn, worth 15 now." in said
    assert max(len(line) for line in said.splitlines()) <= 80


def test_pieces_are_named_in_the_language(tmp_path: Path) -> None:
    record = saved(started(), tmp_path, (None, "random"))
    said = run("terminal", "--resume", record, "--language", "de", typed="s\nroad A1 B1\nlist\n").out
    assert "Gasthaus" in said
    assert "Der Weg von A1 ist von anderer Art (Mauer); Straße setzt ihn nicht fort. (Regel D4.1)" in said


@pytest.mark.parametrize(
    ("make", "typed", "said"),
    [
        (started, "list\nMauer A1 B1\nundo\n", ["dein Ziel: Gasthaus", "Mauer A1 B1-D1", "took back: lay Mauer A1 B1"]),
        (started, "wand A1 B1\n", ["right would be: Fluss, Straße or Mauer"]),
        (started, "foo\n", ["right would be: Fluss A10 "]),
        (voting, "jaaa\n", ["Mauer A1 D2-D4", "Museum 4 on D4", "The vote on Mauer A1 D2-D4"]),
        (choosing, "foo\nlist\n", ["Gasthaus or Schule", "Gasthaus: now ", "deine Ziele: Gasthaus"]),
        (choosing, "choose foo\n", ["right would be: Gasthaus or Schule"]),
    ],
)
def test_german_everywhere_a_piece_is_named(
    make: Callable[[], DrunterState], typed: str, said: list[str], tmp_path: Path
) -> None:
    record = saved(make(), tmp_path, (None, "random"))
    told = run("terminal", "--resume", record, "--language", "de", typed=typed).out
    assert [words for words in said if words not in told] == []
    english = [word for word in ("wall", "road", "river", "museum", "inn", "school") if re.search(rf"\b{word}\b", told)]
    assert english == []


# ---- what happens by itself, and undo


def test_who_holds_only_the_blank_card_plays_it_by_itself_d6_1(tmp_path: Path) -> None:
    state = embertown.load("drunter", 2, several_cards=True).start(seed=1, first=0, seats=["Anne", "Karl"], deal=DEAL)
    state.play("lay wall A1 B1-D1").play("lay road O1 N1").play("lay wall A1 D2-D4")
    state.play("vote ja+jaa+jaaa+ne+nee+neee+jeeiin", 0).play("vote ?", 1).play("jeeiin no").play("lay wall A1 D2-D4")
    result = run("terminal", "--resume", saved(state, tmp_path, (None, "random")), typed="")  # type: ignore[arg-type]
    assert "● Anne  voted with ?…, the only card left" in result.out


def test_undo_takes_a_tile_back_but_no_vote(tmp_path: Path) -> None:
    record = saved(started().play("lay wall A1 B1-D1").play("lay road O1 N1"), tmp_path, (None, "greedy"))
    said = run(
        "terminal", "--resume", record, "--save", record, typed="A1 D2-D4\nundo\nA1 E1\nundo\nD2-D4\njaaa\nundo\n"
    ).out
    assert said.count("took back: ") == 2
    assert "cards have been revealed or chosen since: that can't be taken back" in said
    assert len(record_of(record)["moves"]) >= 3  # type: ignore[arg-type]


def test_a_choice_is_final_d9_2(tmp_path: Path) -> None:
    state = choosing()
    said = run("terminal", "--resume", saved(state, tmp_path, (None, "greedy")), typed="inn\nundo\n").out
    assert "cards have been revealed or chosen since" in said
