"""`embertown verify`: what is proven, what that does not cover, and the first record that is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from embertown.server import fair
from tests.cli.helpers import RECORDS, run, run_process
from tests.falsify import changed
from tests.server.fair_games import ENTROPY, SEED, Json, as_json, draws_of, fair_game, key_of, places_of_draws, played

GAME: Json = as_json(played(fair_game(first=0)))
OTHER_SEED = bytes(32)
SCHILDA: Json = as_json(played(fair_game("drunter", 3, seed=OTHER_SEED)))
COMMITMENT = fair.commitment(SEED)


def lines(file: Path, *records: Json) -> Path:
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def tampered() -> tuple[Json, str, str, str]:
    """The game with another rhomb at the fifth draw: where, what is said there, and what was drawn."""
    place, drawn = places_of_draws(GAME)[4]
    index = int(place.removeprefix("moves[").partition("]")[0])
    other = "church" if drawn != "church" else "market"
    return changed(GAME, ("moves", index, "rhomb"), other), place, other, drawn


def first_is_not_by_lot() -> Json:
    lot: int = as_json(fair_game())["first"]
    return as_json(played(fair_game(first=1 - lot)))


def test_what_is_proven_is_said_file_by_file(tmp_path: Path) -> None:
    one = lines(tmp_path / "one.json", as_json(played(fair_game())))
    many = lines(tmp_path / "many.jsonl", SCHILDA, SCHILDA, SCHILDA)
    result = run("verify", one, many)
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{one}: 1 record, all proven\n{many}: 3 records, all proven\n"


def test_remarks_follow_the_file_they_are_of(tmp_path: Path) -> None:
    alone = as_json(played(fair_game("drunter", 2, entropy=[None, None])))
    one = lines(tmp_path / "one.json", alone)
    many = lines(tmp_path / "many.jsonl", alone, SCHILDA, alone, first_is_not_by_lot())
    result = run("verify", one, many)
    assert (result.code, result.err) == (0, "")
    said = [line.partition(": ")[::2] for line in result.out.splitlines()]
    assert said[0] == (str(one), "1 record, all proven")
    assert said[1][0] == "  no seat sent entropy"
    assert said[2] == (str(many), "4 records, all proven")
    assert said[3][0] == "  2 records"
    assert said[3][1].startswith("no seat sent entropy: ")
    assert said[4][0] == "  1 record"
    assert said[4][1].startswith("first was not drawn by lot: ")


def test_the_first_that_is_not_proven_is_told_with_file_line_and_place(tmp_path: Path) -> None:
    wrong, place, said, drawn = tampered()
    assert draws_of(key_of(GAME["fair"]), 5)[4] == drawn
    right, file = lines(tmp_path / "right.json", GAME), lines(tmp_path / "games.jsonl", GAME, wrong, SCHILDA)
    result = run("verify", right, file, right)
    assert result.code == 1
    assert result.out.startswith(f"{right}: 1 record, all proven\n")
    assert str(file) not in result.out
    assert result.err == f'{file}:2: {place}: is "{said}"; right would be: "{drawn}", as the seed draws it\n'


def test_a_process_of_its_own_says_the_same(tmp_path: Path) -> None:
    file = lines(tmp_path / "games.jsonl", tampered()[0])
    result = run_process("verify", file)
    assert (result.code, result.out) == (1, "")
    assert result.err == run("verify", file).err


def test_what_is_against_the_rules_is_told_with_its_rule(tmp_path: Path) -> None:
    file = lines(tmp_path / "game.json", changed(GAME, ("scores", 0), GAME["scores"][0] + 1))
    result = run("verify", file)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"{file}:1: scores[0]: is ")
    assert "; by rule C8.2 right would be: " in result.err


def test_a_record_without_a_proof_is_not_proven() -> None:
    file = RECORDS / "cronberg-2.json"
    result = run("verify", file)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"{file}:1: fair: is missing; right would be: the record of a game for which a server")
    assert result.err.count("\n") == 1


def test_a_seed_that_is_not_told_yet_proves_nothing(tmp_path: Path) -> None:
    file = lines(tmp_path / "game.json", changed(as_json(played(fair_game(), 9)), ("fair", "seed"), None))
    result = run("verify", file)
    assert (result.code, result.out) == (1, "")
    assert result.err == (
        f"{file}:1: fair.seed: is null; right would be: the seed; the server tells it when the game is over\n"
    )


# ---- what somebody knows from before the game


@pytest.mark.parametrize("published", [COMMITMENT, COMMITMENT.upper(), f" {COMMITMENT}\n"])
def test_the_commitment_and_the_entropy_that_a_player_knows(published: str, tmp_path: Path) -> None:
    file = lines(tmp_path / "game.json", GAME)
    assert run("verify", file, "--commitment", published, "--entropy", ENTROPY[0]).code == 0


def test_another_commitment_than_was_published_is_refused(tmp_path: Path) -> None:
    """All of the record is in order: it is of another seed than the one that was promised."""
    file, other = lines(tmp_path / "game.json", GAME), fair.commitment(OTHER_SEED)
    result = run("verify", file, "--commitment", other)
    assert (result.code, result.out) == (1, "")
    assert result.err == f'{file}:1: fair.commitment: is "{COMMITMENT}"; right would be: "{other}", as published\n'


def test_entropy_that_did_not_go_in_is_told(tmp_path: Path) -> None:
    file = lines(tmp_path / "game.json", GAME)
    result = run("verify", file, "--entropy", "mine")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"{file}:1: fair.entropy: is [")
    assert 'right would be: with "mine" in it, as it was sent\n' in result.err


def test_who_begins_is_held_to_the_lot_where_the_table_said_so(tmp_path: Path) -> None:
    drawn = lines(tmp_path / "drawn.json", as_json(played(fair_game())))
    chosen = lines(tmp_path / "chosen.json", first_is_not_by_lot())
    assert run("verify", drawn, "--first-by-lot").code == 0
    result = run("verify", drawn, chosen, "--first-by-lot")
    assert result.code == 1
    assert result.err.startswith(f"{chosen}:1: first: is ")


@pytest.mark.parametrize("text", ["", "ab", COMMITMENT[:-1], COMMITMENT + "0", "x" * 64, "\x1b[2J"])
def test_a_commitment_that_is_none_is_a_wrong_command_line(text: str, tmp_path: Path) -> None:
    result = run("verify", lines(tmp_path / "game.json", GAME), "--commitment", text)
    assert (result.code, result.out) == (2, "")
    assert "; right would be: 64 hex digits" in result.err
    assert "\x1b" not in result.err


@pytest.mark.parametrize("known", [("--commitment", COMMITMENT), ("--entropy", ENTROPY[0])])
def test_what_is_of_one_game_goes_with_one_record(known: tuple[str, str], tmp_path: Path) -> None:
    one, two = lines(tmp_path / "one.json", GAME), lines(tmp_path / "two.jsonl", GAME, GAME)
    for files, place in (([one, one], "2 files are given"), ([two], f"{two}:2: is another record")):
        result = run("verify", *files, *known)
        assert (result.code, result.out) == (2, "")
        assert place in result.err
        assert "; right would be: one record" in result.err


# ---- what is no record


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"hello", "is not JSON"),
        (b"{}", "format: is missing"),
        (b"\xff\xfe{}", "is not UTF-8"),
        (json.dumps({**GAME, "fair": {"commitment": "x"}}).encode(), "fair.entropy"),
        (json.dumps({**GAME, "fair": {**GAME["fair"], "seed": "\x1b[2J"}}).encode(), "fair.seed"),
    ],
    ids=range(6),
)
def test_what_is_no_record_is_told_in_one_line(content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(content)
    result = run("verify", file)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(str(file))
    assert said in result.err
    assert result.err.count("\n") == 1
    assert "\x1b" not in result.err


def test_a_missing_file_is_a_wrong_command_line(tmp_path: Path) -> None:
    result = run("verify", tmp_path / "none")
    assert (result.code, result.out) == (2, "")
    assert "can't be read" in result.err


def test_stdin_can_be_verified() -> None:
    typed: dict[str, Any] = {"typed": json.dumps(GAME) + "\n" + json.dumps(SCHILDA)}
    assert run("verify", "-", **typed).out.startswith("-: 2 records, all proven\n")


def test_the_command_explains_itself() -> None:
    result = run("verify", "--help")
    assert result.code == 0
    assert "Examples:\n    embertown verify" in result.out
    assert "Exit codes:" in result.out
