"""`embertown import`: all records or none, and the first that is broken is told with its place."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from embertown.server import lock
from embertown.server.identity import hash_of
from tests.cli.helpers import RECORDS, run
from tests.cli.test_tables import listed

GAME = (RECORDS / "cronberg-2.json").read_text(encoding="utf-8").strip()
PENDING = (RECORDS / "cronberg-pending.json").read_text(encoding="utf-8").strip()


def test_links_are_told_for_seats_that_wait(tmp_path: Path) -> None:
    record = json.loads(PENDING)
    record["seats"] = [{"name": "Karl", "bot": "greedy"}, {"name": "Hal", "bot": "unknown-here"}]
    result = run("import", "-", "--folder", tmp_path, typed=json.dumps(record))
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert [line.split(":")[0].strip() for line in lines[1:]] == ["link to seat 1", "link for watching"]
    assert all("http://127.0.0.1:8726/" in line for line in lines[1:])
    public = run("import", "-", "--folder", tmp_path, "--public", typed=GAME)
    (table,) = public.out.splitlines()
    assert listed(tmp_path)[table.split(":")[0]]["public"]


def test_links_are_whole_and_open_what_they_say(tmp_path: Path) -> None:
    result = run("import", "-", "--folder", tmp_path, "--url", "https://play.example.org/", typed=PENDING)
    assert result.code == 0, result.err
    first, *links = result.out.splitlines()
    table = first.split(":")[0]
    found = [line.partition(": ")[2] for line in links]
    with closing(sqlite3.connect(tmp_path / "embertown.sqlite")) as database:
        seats = [each for (each,) in database.execute("SELECT hash FROM links ORDER BY seat")]
        (watch,) = database.execute("SELECT watch_hash FROM tables").fetchone()
    tokens = [link.removeprefix("https://play.example.org/join#") for link in found[:-1]]
    assert list(map(hash_of, tokens)) == seats
    assert hash_of(found[-1].removeprefix(f"https://play.example.org/table/{table}#watch=")) == watch


@pytest.mark.parametrize(
    "url", ["play.example.org", "ftp://play.example.org", "https://play.example.org/games", "http://"]
)
def test_an_address_that_no_link_can_begin_with_is_refused(tmp_path: Path, url: str) -> None:
    result = run("import", "-", "--folder", tmp_path, "--url", url, typed=PENDING)
    assert result.code == 2
    assert "right would be: such as https://play.example.org" in result.err
    assert not (tmp_path / "embertown.sqlite").exists(), "nothing was made"


def test_all_or_none(tmp_path: Path) -> None:
    broken = json.loads(GAME)
    move = next(move for move in broken["moves"] if "scored" in move)
    move["scored"][0]["points"] += 1
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join([GAME, PENDING, json.dumps(broken), GAME]) + "\n", encoding="utf-8")
    result = run("import", file, "--folder", tmp_path / "data")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"embertown: {file}:3: moves[")
    assert "by rule C6.1" in result.err
    assert not (tmp_path / "data").exists(), "nothing was made"


def test_hidden_cards_are_refused(tmp_path: Path) -> None:
    record = json.loads((RECORDS / "drunter-pending-vote.json").read_text(encoding="utf-8"))
    record["deal"]["objectives"] = [["inn"], None, None]
    file = tmp_path / "seen-by-karl.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    result = run("import", file, "--folder", tmp_path / "data")
    assert result.code == 1
    assert f"{file}:1: deal.objectives[1]: is not told; right would be: the whole record" in result.err


def test_a_proof_that_can_not_be_kept_is_told(tmp_path: Path) -> None:
    record = json.loads(PENDING)
    record["fair"] = {"commitment": "0" * 64, "entropy": [None, None], "seed": None}
    result = run("import", "-", "--folder", tmp_path, typed=json.dumps(record))
    assert result.code == 0, result.err
    assert "its proof is left out, as its seed is not told" in result.out
    record["fair"]["seed"] = "0" * 64
    false = run("import", "-", "--folder", tmp_path, typed=json.dumps(record))
    assert false.code == 1
    assert "fair.commitment" in false.err


def test_another_command_is_waited_for_and_then_told(tmp_path: Path) -> None:
    with lock.hold(tmp_path):
        result = run("import", "-", "--folder", tmp_path, typed=GAME)
    assert result.code == 1
    assert "is used by another command" in result.err
    assert run("import", "-", "--folder", tmp_path, typed=GAME).code == 0
