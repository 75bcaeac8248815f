"""`embertown export` and `import`, `backup` and `restore`: what goes out comes in again."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from tests.cli.helpers import RECORDS, run
from tests.cli.test_tables import brought, listed
from tests.server.servers import served

ALL = sorted(path.stem for path in RECORDS.glob("*.json"))


def exported(folder: Path, *words: object) -> list[dict[str, Any]]:
    result = run("export", "--folder", folder, *words)
    assert result.code == 0, result.err
    return [json.loads(line) for line in result.out.splitlines()]


def sorted_texts(records: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(record, sort_keys=True) for record in records)


def test_every_record_goes_in_and_out_and_in_again(tmp_path: Path) -> None:
    originals = [json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8")) for name in ALL]
    brought(tmp_path / "one", *ALL)
    file = tmp_path / "games.jsonl"
    assert run("export", "--all", "--folder", tmp_path / "one", "--out", file).code == 0
    first = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert sorted_texts(first) == sorted_texts(originals)
    assert run("check", file).code == 0
    assert run("import", file, "--folder", tmp_path / "two").code == 0
    assert sorted_texts(exported(tmp_path / "two", "--all")) == sorted_texts(originals)


def test_a_game_under_way_is_exported_beside_its_server_and_goes_on_on_another(tmp_path: Path) -> None:
    with served(tmp_path / "here", "--bots", 1, "--showing", 0, "--no-limits") as server:
        guest = server.join("Anna")
        wish = {"game": "drunter", "seats": ["me", "greedy", "random"], "entropy": "my dice"}
        table = guest.post("/api/tables", json=wish).json()["table"]
        waiting = guest.post("/api/tables", json={"game": "cronberg", "seats": ["me", "open"]}).json()["table"]
        with server.live(table, guest) as live:
            turn = live.until("turn")
            for _ in range(3):
                _, turn = live.decide(turn)
        (record,) = exported(server.folder, "--table", table)
        assert record["fair"]["seed"] is not None, "whole, with secrets, for the host"
        assert None not in record["deal"]["objectives"]
        assert guest.get(f"/api/tables/{table}/record").json()["fair"]["seed"] is None
        assert [each["game"] for each in exported(server.folder, "--all")] == ["drunter"], "the other has not begun"
        problem = run("export", "--table", waiting, "--folder", server.folder)
        assert (problem.code, problem.out) == (1, "")
        assert problem.err == f"embertown: table {waiting}: The game has not begun yet.\n"
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert run("verify", file).code == 0
    told = json.loads(run("import", file, "--folder", tmp_path / "there", "--json").out)
    assert set(told["links"]) == {"0"}
    assert exported(tmp_path / "there", "--all") == [record]
    with served(tmp_path / "there", "--bots", 1, "--showing", 0) as server:
        anna = server.join("Anna elsewhere")
        assert anna.post("/api/claims", json={"token": told["links"]["0"]}).status_code == 200
        with server.live(told["table"], anna) as live:
            turn = live.until("turn")
            for _ in range(4):
                _, turn = live.decide(turn)
        server.stop()
    (later,) = exported(tmp_path / "there", "--all")
    assert len(later["moves"]) > len(record["moves"])
    assert later["moves"][: len(record["moves"])] == record["moves"]
    assert later["fair"] == record["fair"]
    assert later["seats"] == record["seats"]


def test_it_has_to_be_said_what_to_export(tmp_path: Path) -> None:
    brought(tmp_path, "cronberg-2")
    for words in ([], ["--all", "--table", "aaaaaaaaaaaa"]):
        result = run("export", "--folder", tmp_path, *words)
        assert result.code == 2
        assert "right would be: --table ID or --all" in result.err
    result = run("export", "--table", "aaaaaaaaaaaa", "--folder", tmp_path)
    assert result.code == 1
    assert "table aaaaaaaaaaaa: There is no such table" in result.err
    result = run("export", "--all", "--folder", tmp_path / "typo")
    assert result.code == 1
    assert "is not there; right would be: the data of a server that ran before" in result.err
    assert not (tmp_path / "typo").exists()


def test_a_damaged_table_is_told_and_the_others_are_exported(tmp_path: Path) -> None:
    good, bad = (each["table"] for each in brought(tmp_path, "cronberg-2", "cronberg-3"))
    with sqlite3.connect(tmp_path / "embertown.sqlite") as database:
        database.execute("UPDATE entries SET text = 'pass' WHERE table_id = ? AND text LIKE 'token %'", (bad,))
    database.close()
    result = run("export", "--all", "--folder", tmp_path)
    assert result.code == 1
    assert [len(json.loads(line)["seats"]) for line in result.out.splitlines()] == [2]
    assert result.err.startswith(f"embertown: table {bad}: entry ")
    assert good not in result.err


def test_backup_and_restore(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (first,) = brought(folder, "cronberg-2")
    with served(folder, "--bots", 1, warm=False) as server:
        assert run("backup", tmp_path / "copy.sqlite", "--folder", folder).code == 0
        assert run("backup", tmp_path, "--folder", folder).out.startswith(str(tmp_path / "embertown-backup-"))
        again = run("backup", tmp_path / "copy.sqlite", "--folder", folder)
        assert "is there already; right would be: the path of a new file" in again.err
        brought(folder, "drunter-2")
        refused = run("restore", tmp_path / "copy.sqlite", "--folder", folder)
        assert refused.code == 1
        assert f"is used by the server at {server.address}" in refused.err
        server.stop()
    assert len(listed(folder)) == 2
    restored = run("restore", tmp_path / "copy.sqlite", "--folder", folder)
    assert restored.code == 0, restored.err
    assert "1 tables, " in restored.out
    assert "what was there before: " in restored.out
    assert set(listed(folder)) == {first["table"]}
    assert run("restore", tmp_path / "copy.sqlite", "--folder", tmp_path / "new").code == 0
    assert set(listed(tmp_path / "new")) == {first["table"]}
    rubbish = tmp_path / "rubbish"
    rubbish.write_bytes(b"no database" * 1000)
    assert run("restore", rubbish, "--folder", folder).code == 1
    assert set(listed(folder)) == {first["table"]}


def test_another_database_has_its_own_tools(tmp_path: Path) -> None:
    for words in (["backup", tmp_path / "x"], ["restore", tmp_path / "x"]):
        result = run(*words, "--folder", tmp_path, EMBERTOWN_DATABASE="postgresql://somewhere/else")
        assert result.code == 2
        assert "right would be: the tools of that database" in result.err
