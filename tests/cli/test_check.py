"""`embertown check`: what is right, and the first that is not, with its place and its rule."""

from __future__ import annotations

import json
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from embertown.cli.check import CHUNK_RECORDS
from embertown.cli.lines import games_in
from embertown.core.files import RECORD_LIMIT
from tests.cli.helpers import RECORDS, run

GAME = (RECORDS / "cronberg-2.json").read_text(encoding="utf-8").strip()


def falsified() -> str:
    """The game with one point too many in its first scoring."""
    record: dict[str, Any] = json.loads(GAME)
    move = next(move for move in record["moves"] if "scored" in move)
    move["scored"][0]["points"] += 1
    return json.dumps(record)


def index_of_scoring() -> int:
    return next(index for index, move in enumerate(json.loads(GAME)["moves"]) if "scored" in move)


def test_all_records_that_ship_are_right() -> None:
    files = sorted(RECORDS.glob("*.json"))
    result = run("check", *files)
    assert result.code == 0
    assert result.out.splitlines() == [f"{file}: 1 record, all right" for file in files]


def test_the_first_mismatch_is_told_with_file_line_place_and_rule(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join([GAME] * 40 + [falsified(), "rubbish"]) + "\n", encoding="utf-8")
    result = run("check", RECORDS / "cronberg-3.json", file, RECORDS / "cronberg-4.json", "--jobs", 1)
    assert result.code == 1
    assert result.out == f"{RECORDS / 'cronberg-3.json'}: 1 record, all right\n"
    assert result.err.startswith(f"{file}:41: moves[{index_of_scoring()}].scored[0].points: is ")
    assert "; by rule C6.1 right would be: " in result.err
    assert result.err.count("\n") == 1


WORDS = {
    "de": ("1 Aufzeichnung, alles richtig", "Zug", "nach Regel C6.1 richtig wäre"),
    "fr": ("1 enregistrement, tout est juste", "Coup", "selon la règle C6.1, il faudrait"),
}


@pytest.mark.parametrize("option", ["--language", "--lang"])
@pytest.mark.parametrize("language", WORDS)
def test_it_is_told_in_another_language(language: str, option: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join([GAME] * 2 + [falsified()]) + "\n", encoding="utf-8")
    result = run("check", RECORDS / "cronberg-3.json", file, option, language, "--jobs", 1)
    right, move, rule = WORDS[language]
    assert result.code == 1
    assert result.out.endswith(f"{right}\n")
    record = json.loads(GAME)
    index = index_of_scoring()
    name = record["seats"][record["moves"][index]["seat"]]["name"]
    assert result.err.startswith(f"{file}:3: {move} {index + 1}, {name} (")
    assert rule in result.err
    assert result.err.count("\n") == 1
    assert not re.search(r"right would be|record\b|moves\[", result.err)


UNREADABLE_IN_GERMAN = {
    "empty.json": (b"", "Da steht nichts."),
    "cut.jsonl": (f"{GAME}\n{GAME[:-200]}".encode(), f"in Zeile 2, Spalte {len(GAME) - 199}."),
    "picture.png": (b"\x89PNG\r\n\x1a\n", "Das ist kein Text"),
    "other.json": (GAME.replace('"rules": 1', '"rules": 9').encode(), "eine andere Version, bei rules"),
    "wrong.json": (GAME.replace('"cronberg"', '"chess"').encode(), "Was bei game steht"),
    "edition.json": (GAME.replace('"edition_sha256": "f', '"edition_sha256": "0').encode(), "Prüfsumme der Ausgabe"),
    "large.json": (b" " * RECORD_LIMIT + b"{}", "Das ist zu groß."),
}


@pytest.mark.parametrize("name", UNREADABLE_IN_GERMAN)
def test_what_is_no_record_is_told_in_another_language(name: str, tmp_path: Path) -> None:
    content, said = UNREADABLE_IN_GERMAN[name]
    file = tmp_path / name
    file.write_bytes(content)
    result = run("check", file, "--language", "de", "--jobs", 1)
    assert result.code == 1
    assert result.err.startswith(f"{file}")
    assert said in result.err
    assert "right would be" not in result.err


def test_a_missing_file_is_told_in_another_language(tmp_path: Path) -> None:
    result = run("check", tmp_path / "none", "--language", "de")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"{tmp_path / 'none'}: lässt sich nicht lesen (")


def test_the_first_mismatch_comes_first_also_from_other_processes(tmp_path: Path) -> None:
    """They get what follows the first chunk; here nothing that they would need the kernels for."""
    file = tmp_path / "games.jsonl"
    old = [GAME.replace('"rules": 1', f'"rules": {number}') for number in (7, 8, 9)]
    rest = [line for one in old for line in [one] * CHUNK_RECORDS]
    file.write_text("\n".join([GAME] * CHUNK_RECORDS + rest) + "\n", encoding="utf-8")
    result = run("check", file, "--jobs", 2)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"{file}:{CHUNK_RECORDS + 1}: rules: is 7; right would be: 1")


def test_a_record_may_take_many_lines_and_blank_lines_do_not_matter(tmp_path: Path) -> None:
    pretty, lines = tmp_path / "pretty.json", tmp_path / "lines"
    pretty.write_text("\n\n" + json.dumps(json.loads(GAME), indent=2), encoding="utf-8")
    lines.write_text(f"\ufeff{GAME}\n\n\n{GAME}\r\n{GAME}", encoding="utf-8")
    result = run("check", pretty, lines)
    assert result.code == 0, result.err
    assert result.out == f"{pretty}: 1 record, all right\n{lines}: 3 records, all right\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty: there is nothing to check"),
        (b"\n \n\n", "is empty: there is nothing to check"),
        (b"hello", "is not JSON"),
        (b"[1]", "a JSON object"),
        (b"{}", "format: is missing"),
        (b"\xff\xfe{}", "is not UTF-8"),
        (
            GAME[:-200].encode(),
            f":1: column {len(GAME) - 199}: is not JSON: it ends here, in the middle; right would be: the",
        ),
        (b"\x89PNG\r\n\x1a\n", ":1: byte 0: is not UTF-8; right would be: a text file in UTF-8"),
        (
            b'{"name": "a package", "version": 1}',
            "format: is missing: this is no record of a game; right would be: 'embertown-record/1'",
        ),
        (GAME.replace('"rules": 1', '"rules": 9').encode(), "rules: is 9"),
        (GAME.replace('"rules": 1', '"rules": 1, "rules": 1').encode(), "stands twice"),
        (GAME.replace('"rules": 1', '"rules": 1, "\\u001b[31m": 1').encode(), "\\x1b[31m: is not a key"),
        (GAME.replace('"cronberg"', '"chess"').encode(), "game: "),
        (GAME.replace('"edition_sha256": "f', '"edition_sha256": "0').encode(), "edition_sha256: is"),
    ],
    ids=range(14),
)
@pytest.mark.parametrize("name", ["game.json", "games.jsonl"])
def test_what_is_no_record_is_told_in_one_line(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    result = run("check", file)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"{file}")
    assert said in result.err
    assert result.err.count("\n") == 1
    assert "\x1b" not in result.err


def test_a_folder_and_a_missing_file_are_told(tmp_path: Path) -> None:
    assert run("check", tmp_path).code == 2
    right = run("check", RECORDS / "cronberg-2.json", tmp_path / "none")
    assert right.code == 2
    assert "1 record, all right" in right.out


def test_stdin_that_is_empty_is_an_error() -> None:
    assert run("check", "-", typed="").code == 1


@pytest.mark.parametrize("name", ["huge.json", "huge.jsonl"])
def test_a_huge_line_is_refused_without_being_read(name: str, tmp_path: Path) -> None:
    """Two gigabytes on one line."""
    file = tmp_path / name
    with file.open("wb") as stream:
        stream.write(b'{"format": "')
        stream.truncate(2 * 1024**3)  # a hole: it takes no room on the disk
    run("check", RECORDS / "cronberg-2.json")  # what has to be loaded once is loaded
    tracemalloc.start()
    try:
        result = run("check", file, "--jobs", 1)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.code == 1
    assert peak < 10 * RECORD_LIMIT
    assert result.err == f"{file}:1: is too large; right would be: a record of at most {RECORD_LIMIT // 1024} KiB\n"


def test_games_are_guessed_from_the_first_bytes(tmp_path: Path) -> None:
    nothing = tmp_path / "x"
    nothing.write_bytes(b"\xff")
    assert games_in([str(nothing), str(tmp_path / "none"), str(tmp_path)]) == []
    assert games_in([str(RECORDS / "drunter-2.json"), str(nothing)]) == ["drunter"]
    assert games_in(["-"]) == ["cronberg", "drunter"]
