"""`embertown tables`: the same with and without a server that runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import RECORDS, run
from tests.server.servers import served


def brought(folder: Path, *names: str) -> list[dict[str, Any]]:
    """Tables made of records, as the command tells them."""
    result = run("import", *(RECORDS / f"{name}.json" for name in names), "--folder", folder, "--json")
    assert result.code == 0, result.err
    return [json.loads(line) for line in result.out.splitlines()]


def listed(folder: Path, *words: object) -> dict[str, dict[str, Any]]:
    result = run("tables", "list", "--folder", folder, "--json", *words)
    assert result.code == 0, result.err
    return {each["id"]: each for each in map(json.loads, result.out.splitlines())}


def test_tables_are_listed_and_closed_without_a_server(tmp_path: Path) -> None:
    playing, over = (each["table"] for each in brought(tmp_path, "cronberg-pending", "drunter-3"))
    found = listed(tmp_path)
    assert {table: each["status"] for table, each in found.items()} == {playing: "playing", over: "over"}
    assert [seat["name"] for seat in found[over]["seats"]] == ["Karl", "Ulla", "Gerd"]
    assert set(listed(tmp_path, "--status", "playing")) == {playing}
    assert set(listed(tmp_path, "--status", "playing", "--status", "over")) == {playing, over}
    assert len(listed(tmp_path, "--limit", 1)) == 1
    said = run("tables", "list", "--folder", tmp_path).out
    assert playing in said
    assert "Karl, Ulla, Gerd" in said
    closed = run("tables", "close", playing, over, "--folder", tmp_path)
    assert closed.out == f"{playing}: closed\n{over}: over\n"
    assert listed(tmp_path)[playing]["status"] == "closed"


def test_the_same_with_a_server_whose_people_are_told(tmp_path: Path) -> None:
    with served(tmp_path / "server", "--bots", 1, warm=False) as server:
        (told,) = brought(server.folder, "cronberg-pending")
        table = told["table"]
        with server.live(table, watch=told["watch"]) as live:
            live.until("seats")
            assert listed(server.folder)[table]["connections"] == 1
            assert run("tables", "close", table, "--folder", server.folder).out == f"{table}: closed\n"
            assert live.until("entries")["status"] == "closed"
            guest = server.join("Anna")
            with server.live(table, guest, told["watch"]) as annas:
                annas.until("answer", id=annas.send("report", text="please look"))
        reports = run("tables", "reports", "--folder", server.folder)
        assert "please look" in reports.out
        number = reports.out.splitlines()[1].split()[0]
        assert "please look" not in run("tables", "reports", "--done", number, "--folder", server.folder).out
        unknown = run("tables", "reports", "--done", number, "--folder", server.folder)
        assert (unknown.code, unknown.err) == (1, f"embertown: There is no report {number}, or it is closed already.\n")
        server.kill()
        assert listed(server.folder)[table]["status"] == "closed", "also when the server is gone without a word"


@pytest.mark.parametrize("name", ["aaaaaaaaaaaa", "../guests", "", "no such table"])
def test_what_is_no_table_is_told(name: str, tmp_path: Path) -> None:
    brought(tmp_path, "cronberg-pending")
    result = run("tables", "close", name, "--folder", tmp_path)
    assert result.code == 1
    assert result.err.startswith(f"embertown: {name}: ")
    assert "pattern" not in result.err
    assert result.err.count("\n") == 1


def test_what_was_closed_before_a_mistake_is_told(tmp_path: Path) -> None:
    (playing,) = (each["table"] for each in brought(tmp_path, "cronberg-pending"))
    result = run("tables", "close", playing, "mistyped", "--folder", tmp_path)
    assert (result.code, result.out) == (1, f"{playing}: closed\n")
    assert result.err == "embertown: mistyped: There is no such table, or it is not open to you.\n"


def test_a_folder_without_a_server_is_told_and_left_alone(tmp_path: Path) -> None:
    for words in (["tables", "list"], ["tables", "close", "aaaaaaaaaaaa"], ["guests", "list"]):
        result = run(*words, "--folder", tmp_path / "typo")
        assert result.code == 2
        assert "no server has run here; right would be: its --folder" in result.err
    assert list(tmp_path.iterdir()) == []
