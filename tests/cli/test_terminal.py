"""A game at the terminal, with what people type."""

from __future__ import annotations

from pathlib import Path

import pytest

import embertown
from embertown.cli.undo import steps_to_undo
from embertown.cli.words import Seal, words_class
from embertown.core.errors import BadArgument, NothingToUndo
from embertown.core.log import Entry
from tests.cli.helpers import TO_THE_END, record_of, run


def board_count(text: str) -> int:
    return text.count("\na   ")


# ---- whole games


@pytest.mark.parametrize("people", [["--bots", "random"], ["--hot-seat"], ["--players", "3", "--bots", "random"]])
def test_a_whole_game_is_told_to_its_end(people: list[str], tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    result = run("terminal", *people, "--seed", 3, "--save", saved, typed=TO_THE_END)
    assert result.code == 0
    assert "The game is over: nobody can place a token or a rhomb any more (rule C8.1)." in result.out
    assert "Winner: " in result.out or "The win is shared (rule C8.4)" in result.out
    record = record_of(saved)
    moves = record["moves"]
    assert isinstance(moves, list)
    assert result.out.count("(rule C6.1)") == sum(len(move.get("scored", ())) for move in moves)
    assert result.out.count("token on ") == sum("token" in move for move in moves)
    assert result.out.count("(rule C7.2)") == sum(len(move.get("driven", ())) for move in moves)
    assert record["end"] == "complete"
    scores = record["scores"]
    assert isinstance(scores, list)
    assert f"{scores[0]}".replace("-", "−") in result.out.rpartition("Scores: ")[2]
    check_that_every_final_score_is_itemised(result.out, record)
    assert run("check", saved).code == 0


def test_the_same_seed_deals_the_same_game(tmp_path: Path) -> None:
    games = []
    for name in ("one.json", "two.json"):
        run("terminal", "--bots", "random", "--seed", 8, "--save", tmp_path / name, typed="d4\nd\nlist\n1\nd5\n")
        games.append((tmp_path / name).read_bytes())
    assert games[0] == games[1]


def check_that_every_final_score_is_itemised(said: str, record: dict[str, object]) -> None:
    final = record["final"]
    assert isinstance(final, list)
    ending = said.rpartition("The game is over")[2]
    told = [line for line in ending.splitlines() if "(rule C8.2)" in line and "; now " in line]
    assert len(told) == len(final)
    for line, entry in zip(told, final, strict=True):
        assert f", {entry['at']}: " in line
        assert f" = {entry['points']} point".replace("-", "−") in line


# ---- what can be typed


@pytest.mark.parametrize("typed", ["token d4", "t d4", "T D4", "d4", "  token   d4 ", "tok d4"])
def test_a_token_in_every_short_form(typed: str, tmp_path: Path) -> None:
    run("terminal", "--hot-seat", "--save", tmp_path / "x.json", typed=f"{typed}\n")
    assert record_of(tmp_path / "x.json")["moves"] == [{"seat": first_of(tmp_path / "x.json"), "token": "d4"}]


@pytest.mark.parametrize("typed", ["place C5+C6", "p C5+C6", "C5+C6", "c6 c5", "p C5, C6", "C5C6"])
def test_a_placement_in_every_short_form(typed: str, tmp_path: Path) -> None:
    run("terminal", "--hot-seat", "--seed", 1, "--save", tmp_path / "x.json", typed=f"d\n{typed}\n")
    moves = record_of(tmp_path / "x.json")["moves"]
    assert isinstance(moves, list)
    assert [move["on"] for move in moves] == [["C5", "C6"]]


def first_of(path: Path) -> object:
    return record_of(path)["first"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("tokn d4", "(did you mean token?); right would be: d4 for a token"),
        ("", "is no action; right would be"),
        ("token", "which crossing? Right would be: token d4, or d4"),
        ("token z9", "no crossing is called 'z9' here; right would be: a1 to g4"),
        ("C5", "C5 is a triangle, and a rhomb covers two"),
        ("place C5", "which two triangles? Right would be: place C5+C6"),
        ("draw it", "draw stands alone; right would be: draw"),
        ("undo 3", "undo stands alone"),
        ("pl", "which two triangles?"),
        ("lis 3", "list stands alone"),
        ("save", "save where? right would be: save game.json"),
        ("7", "type list first"),
        ("C5+C6", "No rhomb is drawn: draw one before placing it. (rule C3.1)"),
        ("pass", "Only a player who can place neither a token nor a rhomb may pass. (rule C3.2)"),
        ("x" * 5000, "is no action"),
        ("²", "is no action"),
        ("\x00\x07", "is no action"),
    ],
)
def test_a_mistype_says_what_would_be_right_and_changes_nothing(typed: str, said: str, tmp_path: Path) -> None:
    saved = tmp_path / "x.json"
    result = run("terminal", "--hot-seat", "--save", saved, typed=f"{typed}\n")
    assert result.code == 0
    assert said in result.out
    assert record_of(saved)["moves"] == []
    assert board_count(result.out) == 1


def test_a_number_beyond_the_list_is_told() -> None:
    result = run("terminal", "--hot-seat", typed="list\n99\n0\n")
    assert "the list has no 99; right would be: 1 to 38" in result.out
    assert "the list has no 0; right would be: 1 to 38" in result.out


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "A rhomb is drawn, the {}: it has to be placed first. (rule C3.3)"),
        ("de", "Eine Raute ist gezogen ({}): Sie muss zuerst gelegt werden. (Regel C3.3)"),
        ("fr", "Un losange est pioché ({}) : il faut d’abord le poser. (règle C3.3)"),
    ],
)
def test_refusals_speak_the_language_down_to_the_rhomb(language: str, said: str, tmp_path: Path) -> None:
    saved = tmp_path / "x.json"
    result = run("terminal", "--hot-seat", "--language", language, "--save", saved, typed="d\nd4\n")
    pending = record_of(saved)["pending"]
    assert isinstance(pending, dict)
    edition = embertown.load("cronberg").edition
    assert said.format(edition.name_of(pending["drawn"], language)) in result.out  # type: ignore[attr-defined]


def test_help_has_the_rules_the_words_and_the_signs() -> None:
    said = run("terminal", "--hot-seat", typed="?\n").out
    assert [said.count(f"\n{number} ") for number in range(1, 6)] == [1] * 5
    assert "What you can type" in said
    assert "city wall" in said
    assert max(len(line) for line in said.splitlines()) <= 80


def test_the_list_tells_what_a_placement_would_score(tmp_path: Path) -> None:
    """C6.1: Gerd's token on a1 scores as soon as a1 is closed."""
    state = embertown.load("cronberg").start(seed=1, first=0, seats=["Gerd", "Ulla"])
    state.play("token a1").play("draw").play("place A2+A3").play("draw")
    record = tmp_path / "x.json"
    record.write_text(state.record().to_json(), encoding="utf-8")
    result = run("terminal", "--resume", record, typed="list\nA1+B2\n")
    points = state.preview("place A1+B2").scored[0].points
    listed = [line.split() for line in result.out.splitlines() if " A1+B2 " in line and "Gerd" in line]
    assert [word.rstrip(";") for word in listed[0][1:4]] == ["A1+B2", "Gerd", f"{points:+}".replace("-", "−")]
    assert f" = {points} point".replace("-", "−") in result.out


def test_score_and_last() -> None:
    result = run("terminal", "--hot-seat", "--names", "Anne,Karl", typed="last\nd4\nlast\nscore\n")
    assert "There is nothing to tell yet." in result.out
    assert result.out.count("token on d4") == 2
    assert ", d4: no number yet" in result.out


def test_cronbergs_triangles_are_named_in_the_language() -> None:
    from embertown.cli.cronberg_tell import consequence_words, final_words
    from embertown.cronberg.consequences import Consequences, FinalScore

    board = embertown.load("cronberg").board  # type: ignore[attr-defined]
    guards = [name for name, symbol in board.symbol_of.items() if symbol == "G"][:2]
    said = consequence_words(board, ["Anne"], Consequences(activated=tuple(guards)), "de")
    assert said == [f"Wachen {', '.join(guards)} activated (rule C7.1)"]
    score = FinalScore(0, "b2", (6,), coat=True, parks=2, points=24)
    assert final_words(score, ["Anne"], "fr").startswith("Anne, b2: 6 (blason), 2 parcs ×4")


# ---- undo


def test_undo_takes_back_what_bots_did_since(tmp_path: Path) -> None:
    saved = tmp_path / "x.json"
    result = run("terminal", "--bots", "random", "--seed", 1, "--save", saved, typed="d4\nundo\nd5\n")
    assert "took back: token d4" in result.out
    moves = record_of(saved)["moves"]
    assert isinstance(moves, list)
    assert [move["token"] for move in moves if move["seat"] == 0] == ["d5"]


def test_undo_never_takes_back_a_draw() -> None:
    assert "a rhomb has been drawn since" in run("terminal", "--hot-seat", typed="d\nundo\n").out


def test_undo_never_takes_back_another_persons_action() -> None:
    assert "another player has acted since" in run("terminal", "--hot-seat", typed="d4\nundo\n").out


def test_undo_steps() -> None:
    own, bot, other = Entry(0, "token d4"), Entry(1, "token d5"), Entry(2, "token d6")
    is_bot = [False, True, False]

    def steps(*log: Entry) -> int:
        return steps_to_undo(log, 0, is_bot, words_class("cronberg")(["A", "B", "C"]).seal(log))

    assert steps(own) == 1
    assert steps(own, bot, Entry(2, "pass")) == 3
    assert steps(own, Entry(0, "pass"), bot) == 3
    with pytest.raises(BadArgument, match="another player"):
        steps(own, bot, other)
    with pytest.raises(BadArgument, match="drawn since"):
        steps(own, Entry(1, "draw"), Entry(None, "drawn church"), Entry(1, "place A1+A2"))
    with pytest.raises(NothingToUndo):
        steps(bot)
    with pytest.raises(BadArgument, match="handed over"):
        steps_to_undo([own], 0, is_bot, Seal(1, "handed over"))
