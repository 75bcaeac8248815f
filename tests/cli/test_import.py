"""`embertown import`: all records or none, and the first that is broken is told with its place."""

from __future__ import annotations

import json
from pathlib import Path

from embertown.server import lock
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
    public = run("import", "-", "--folder", tmp_path, "--public", typed=GAME)
    (table,) = public.out.splitlines()
    assert listed(tmp_path)[table.split(":")[0]]["public"]


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
