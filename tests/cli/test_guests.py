"""`embertown guests`: whom the host lets in no more, at once where a server runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.helpers import run
from tests.server.servers import served


def listed(folder: Path, *words: object) -> list[dict[str, Any]]:
    result = run("guests", "list", "--folder", folder, "--json", *words)
    assert result.code == 0, result.err
    return [json.loads(line) for line in result.out.splitlines()]


def test_a_guest_is_banned_and_let_in_again_with_and_without_a_server(tmp_path: Path) -> None:
    with served(tmp_path / "server", "--bots", 1, warm=False) as server:
        rude, kind = server.join("Rude one"), server.join("Kind one")
        by_name = {each["name"]: each["id"] for each in listed(server.folder)}
        assert set(by_name) == {"Rude one", "Kind one"}
        guest = by_name["Rude one"]
        result = run("guests", "ban", guest, "--reason", "insults", "--folder", server.folder)
        assert (result.code, result.out) == (0, f"{guest}: banned\n")
        assert rude.get("/api/me").json()["code"] == "banned"
        assert kind.get("/api/me").status_code == 200
        assert [each["reason"] for each in listed(server.folder, "--banned")] == ["insults"]
        server.stop()
        result = run("guests", "unban", guest, "--folder", server.folder)
        assert (result.code, result.out) == (0, f"{guest}: may come again\n")
        assert listed(server.folder, "--banned") == []
        assert run("guests", "ban", guest, "--folder", server.folder).code == 0
        server.start(warm=False)
        again = server.client(cookies=rude.cookies)
        assert again.get("/api/me").json()["code"] == "banned"


def test_an_unknown_guest_is_told(tmp_path: Path) -> None:
    from tests.cli.test_tables import brought

    (told,) = brought(tmp_path, "cronberg-pending")
    for words in (["ban"], ["unban"]):
        result = run("guests", *words, "0" * 32, "--folder", tmp_path)
        assert (result.code, result.err) == (1, "embertown: There is no such guest.\n")
    assert listed(tmp_path, "--table", told["table"]) == []
    assert run("guests", "list", "--folder", tmp_path).code == 0
