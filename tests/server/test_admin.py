"""The host's own requests: with the admin key alone; what they do reaches whoever is connected."""

from __future__ import annotations

import json
import secrets
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest

from embertown import GameRecord
from tests.server.servers import ServerProcess

RECORDS = Path(__file__).parents[1] / "records"
UNFINISHED = (RECORDS / "cronberg-pending.json").read_text(encoding="utf-8")

REQUESTS = [
    ("GET", "tables", None),
    ("GET", "reports", None),
    ("GET", "guests", None),
    ("POST", "tables/aaaaaaaaaaaa/close", {}),
    ("POST", "reports/1/close", {}),
    ("POST", f"guests/{'0' * 32}/ban", {}),
    ("POST", f"guests/{'0' * 32}/unban", {}),
    ("POST", "import", {"record": UNFINISHED}),
]


@pytest.fixture
def server(listening_server: ServerProcess) -> ServerProcess:
    return listening_server


@pytest.fixture
def host(server: ServerProcess) -> httpx.Client:
    return server.admin()


def brought(host: httpx.Client, record: str = UNFINISHED, **how: Any) -> dict[str, Any]:
    answer = host.post("/api/admin/import", json={"record": record, **how})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def table_of(host: httpx.Client, table: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        each for each in host.get("/api/admin/tables", params={"limit": 1000}).json() if each["id"] == table
    )
    return found


def guest_id(server: ServerProcess, name: str) -> str:
    found = server.admin().get("/api/admin/guests", params={"limit": 1000}).json()
    ids = [each["id"] for each in found if each["name"] == name]
    assert len(ids) == 1
    return str(ids[0])


def test_every_request_is_the_hosts_alone(server: ServerProcess) -> None:
    guest = server.join("Somebody")
    token = guest.post("/api/tokens", json={"label": "bot"}).json()["token"]
    keys = ["", "Bearer", f"Bearer {token}", f"Bearer {server.admin_key}x", f"Bearer {server.admin_key[:-1]}"]
    keys += [server.admin_key, f"Basic {server.admin_key}", "Bearer \u00e9"]
    tables = server.admin().get("/api/admin/tables").json()
    for method, path, body in REQUESTS:
        for key in keys:
            headers = {"authorization": key.encode("latin-1")} if key else {}
            answer = guest.request(method, f"/api/admin/{path}", json=body, headers=headers)
            assert answer.status_code == 401, (method, path, key, answer.text)
            assert answer.json()["code"] == "bad_token"
    assert server.admin().get("/api/admin/tables").json() == tables


def test_a_record_becomes_a_table_that_goes_on(server: ServerProcess, host: httpx.Client) -> None:
    told = brought(host)
    assert told["status"] == "playing"
    assert set(told["links"]) == {"0", "1"}
    table = told["table"]
    people = [server.join(f"Player {secrets.token_hex(4)}") for _ in range(2)]
    for seat, person in enumerate(people):
        answer = person.post("/api/claims", json={"token": told["links"][str(seat)]})
        assert answer.json() == {"table": table, "seat": seat}
    with server.live(table, people[1]) as live:
        turn = live.until("turn")
        wish = {"seat": 1, "number": turn["number"] + 1, "action": turn["legal"][0]["text"]}
        live.until("answer", id=live.send("play", **wish))
    record = people[0].get(f"/api/tables/{table}/record").json()
    before = json.loads(UNFINISHED)
    assert record["moves"][: len(before["moves"])] == before["moves"]
    assert record["seats"] == before["seats"]
    GameRecord.from_dict(record).replay()


def test_a_table_is_closed_and_everyone_is_told(server: ServerProcess, host: httpx.Client) -> None:
    told = brought(host)
    with server.live(told["table"], watch=told["watch"]) as live:
        assert live.until("table")["status"] == "playing"
        live.until("seats")
        assert table_of(host, told["table"])["connections"] == 1
        answer = host.post(f"/api/admin/tables/{told['table']}/close")
        assert answer.json() == {"table": told["table"], "status": "closed"}
        news = live.until("entries")
        assert (news["status"], news["entries"][-1]["text"]) == ("closed", "close")
    assert table_of(host, told["table"])["status"] == "closed"
    again = host.post(f"/api/admin/tables/{told['table']}/close")
    assert again.json()["status"] == "closed"
    record = httpx.get(f"{server.address}/api/tables/{told['table']}/record", params={"watch": told["watch"]}).json()
    assert record["end"] == "abandoned"


def test_what_has_ended_stays_as_it_is(host: httpx.Client) -> None:
    told = brought(host, (RECORDS / "drunter-2.json").read_text(encoding="utf-8"))
    answer = host.post(f"/api/admin/tables/{told['table']}/close")
    assert answer.json()["status"] == "over"


def test_a_damaged_table_can_be_closed(server: ServerProcess, host: httpx.Client) -> None:
    told = brought(host)
    with sqlite3.connect(server.folder / "embertown.sqlite", timeout=30) as database:
        changed = "UPDATE entries SET text = 'token a1' WHERE table_id = ? AND text LIKE 'token %' AND number > 10"
        assert database.execute(changed, (told["table"],)).rowcount > 1
    database.close()
    params = {"watch": told["watch"]}
    answer = httpx.get(f"{server.address}/api/tables/{told['table']}", params=params)
    assert answer.json()["code"] == "table_damaged"
    assert host.post(f"/api/admin/tables/{told['table']}/close").json()["status"] == "closed"
    assert table_of(host, told["table"])["status"] == "closed"


def test_unknown_tables_guests_and_reports_are_told(host: httpx.Client) -> None:
    for path, code in (
        ("tables/aaaaaaaaaaaa/close", "no_such_table"),
        (f"guests/{'0' * 32}/ban", "no_such_guest"),
        (f"guests/{'0' * 32}/unban", "no_such_guest"),
        ("tables/x/close", "no_such_table"),
        ("guests/x/ban", "no_such_guest"),
        ("reports/4711/close", "no_such_report"),
    ):
        answer = host.post(f"/api/admin/{path}", json={})
        assert (answer.status_code, answer.json()["code"]) == (404, code)


def test_a_banned_guest_is_put_out_and_not_let_in(server: ServerProcess, host: httpx.Client) -> None:
    told = brought(host)
    name = f"Rude {secrets.token_hex(4)}"
    rude, other = server.join(name), server.join(f"Kind {secrets.token_hex(4)}")
    token = rude.post("/api/tokens", json={"label": "bot"}).json()["token"]
    rude.post("/api/claims", json={"token": told["links"]["0"]})
    guest = guest_id(server, name)
    with (
        server.live(told["table"], rude) as live,
        server.live(told["table"], other, told["watch"]) as watcher,
        server.events(token) as program,
    ):
        live.until("seats")
        watcher.until("seats")
        assert next(program)["message"]["type"] == "table"
        answer = host.post(f"/api/admin/guests/{guest}/ban", json={"reason": "insults"})
        assert answer.status_code == 200
        assert live.until("bye")["code"] == "banned"
        assert [each["message"] for each in program][-1]["code"] == "banned"
        watcher.until("pong", id=watcher.send("ping"))
    assert rude.get("/api/me").json()["code"] == "banned"
    assert httpx.get(f"{server.address}/api/me", headers={"authorization": f"Bearer {token}"}).status_code == 403
    with server.live(told["table"], rude) as live:
        assert live.until("bye")["code"] == "banned"
    assert other.get("/api/me").status_code == 200
    banned = host.get("/api/admin/guests", params={"banned": True}).json()
    assert [each["reason"] for each in banned if each["id"] == guest] == ["insults"]
    assert host.post(f"/api/admin/guests/{guest}/unban", json={}).status_code == 200
    assert rude.get("/api/me").status_code == 200
    assert [each["id"] for each in host.get("/api/admin/guests", params={"table": told["table"]}).json()] == [guest]


def test_reports_come_with_the_line_and_its_author(server: ServerProcess, host: httpx.Client) -> None:
    told = brought(host)
    name = f"Loud {secrets.token_hex(4)}"
    loud, shy = server.join(name), server.join(f"Shy {secrets.token_hex(4)}")
    with server.live(told["table"], loud, told["watch"]) as one, server.live(told["table"], shy, told["watch"]) as two:
        one.until("answer", id=one.send("say", text="You are a donkey"))
        line = two.until("chat")["lines"][0]["line"]
        two.until("answer", id=two.send("report", line=line, text="not kind"))
    report = next(each for each in host.get("/api/admin/reports").json() if each["table"] == told["table"])
    assert (report["text"], report["line"], report["author_name"]) == ("not kind", "You are a donkey", name)
    assert report["author"] == guest_id(server, name)
    assert host.post(f"/api/admin/reports/{report['id']}/close").status_code == 200
    assert all(each["id"] != report["id"] for each in host.get("/api/admin/reports").json())
    assert host.post(f"/api/admin/reports/{report['id']}/close").status_code == 404


def test_broken_records_are_refused_with_their_place(host: httpx.Client) -> None:
    record = json.loads((RECORDS / "cronberg-2.json").read_text(encoding="utf-8"))
    record["winners"] = [0, 1]
    before = len(host.get("/api/admin/tables", params={"limit": 1000}).json())
    wish = {"record": json.dumps(record), "where": "games.jsonl:3"}
    answer = host.post("/api/admin/import", json=wish)
    assert answer.status_code == 422
    assert answer.json()["sentence"].startswith("games.jsonl:3: winners")
    assert len(host.get("/api/admin/tables", params={"limit": 1000}).json()) == before
