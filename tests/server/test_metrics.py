"""The numbers of a real server: they agree with what was done, and none is about a person."""

from __future__ import annotations

import os

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from embertown.server.metrics import memory_of
from tests.server.servers import ServerProcess, wait_for

Numbers = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def numbers_of(server: ServerProcess) -> Numbers:
    answer = httpx.get(f"{server.address}/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    found: Numbers = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            key = sample.name, tuple(sorted(sample.labels.items()))
            assert key not in found, "no number twice"
            found[key] = sample.value
    return found


def of(numbers: Numbers, name: str, **labels: str) -> float:
    return numbers.get((name, tuple(sorted(labels.items()))), 0.0)


@pytest.fixture
def server(shared_server: ServerProcess) -> ServerProcess:
    return shared_server


def test_a_game_against_a_bot_is_counted(server: ServerProcess) -> None:
    before = numbers_of(server)
    assert of(before, "embertown_ready") == 1
    guest = server.join("Anna")
    table = guest.post("/api/tables", json={"game": "cronberg", "seats": ["me", "greedy"]}).json()["table"]
    with server.live(table, guest) as live:
        live.until("table")
        during = numbers_of(server)
        assert of(during, "embertown_connections") - of(before, "embertown_connections") == 1
        assert of(during, "embertown_guests_connected") - of(before, "embertown_guests_connected") == 1
        assert of(during, "embertown_tables", status="playing") - of(before, "embertown_tables", status="playing") == 1
        turn = live.until("turn")
        refused = live.until("refusal", id=live.send("play", seat=1, number=1, action="pass"))
        for _ in range(4):
            _, turn = live.decide(turn)
        entries = guest.get(f"/api/tables/{table}").json()["entries"]
    after = numbers_of(server)
    for seat, who in ((0, "person"), (1, "bot")):
        decided = sum(each["seat"] == seat for each in entries)
        assert of(after, "embertown_moves_total", by=who) - of(before, "embertown_moves_total", by=who) == decided > 0
    assert of(after, "embertown_refusals_total", code=refused["code"]) == 1
    assert of(after, "embertown_guests") - of(before, "embertown_guests") == 1
    assert of(after, "embertown_bot_moves_total", result="answered") > 0
    assert of(after, "embertown_bot_thought_seconds_total") > 0
    writes, commits = of(after, "embertown_writes_total"), of(after, "embertown_commits_total")
    assert 0 < commits <= writes == of(after, "embertown_write_seconds_count")
    here = of(before, "embertown_connections")
    wait_for(lambda: of(numbers_of(server), "embertown_connections") == here, what="the end of the connection")


def test_requests_are_counted_by_route_and_refusals_by_code(server: ServerProcess) -> None:
    before = numbers_of(server)
    for table in ("aaaaaaaaaaaa", "bbbbbbbbbbbb"):
        assert httpx.get(f"{server.address}/api/tables/{table}").status_code == 404
    assert httpx.get(f"{server.address}/no/such/{'x' * 30}").status_code == 404
    other = {"origin": "https://elsewhere.example"}
    assert httpx.post(f"{server.address}/api/guests", json={}, headers=other).status_code == 403
    large = httpx.post(f"{server.address}/api/guests", content=b"x" * 600_000)
    assert large.status_code == 413
    assert httpx.request("PROPFIND", f"{server.address}/api/me").status_code == 405
    after = numbers_of(server)

    def more(name: str, **labels: str) -> float:
        return of(after, name, **labels) - of(before, name, **labels)

    requests = "embertown_request_seconds_count"
    assert more(requests, method="GET", route="/api/tables/{table}", status="404") == 2
    assert more(requests, method="GET", route="(none)", status="404") == 1
    assert more("embertown_refusals_total", code="no_such_table") == 2
    assert more("embertown_refusals_total", code="foreign_origin") == 1
    assert more("embertown_refusals_total", code="body_too_large") == 1
    assert more("embertown_refusals_total", code="not_found") == 1
    assert sum(count for (name, labels), count in after.items() if name == requests and ("method", "other") in labels)


def test_memory_is_told_of_the_server_and_of_its_bots(server: ServerProcess) -> None:
    numbers = numbers_of(server)
    if not os.path.exists("/proc/self/statm"):  # noqa: PTH110
        pytest.skip("this system tells memory otherwise")
    assert of(numbers, "process_resident_memory_bytes") > 10**7
    assert of(numbers, "embertown_bot_memory_bytes") > 10**7
    assert memory_of(os.getpid()) > 10**7
    assert memory_of(2**30) == 0


def test_no_number_is_about_a_person(server: ServerProcess) -> None:
    guest = server.join("Wolfgang Amadeus")
    made = guest.post("/api/tables", json={"game": "drunter", "seats": ["me", "open"], "title": "Secret"}).json()
    told = httpx.get(f"{server.address}/metrics").text
    for each in ("Wolfgang", "Secret", made["table"], made["watch"], "127.0.0.1"):
        assert each not in told
