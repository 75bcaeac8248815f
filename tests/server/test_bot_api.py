"""Programs that play: the stream tells of all tables what the live protocol tells; decisions are answered alike."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from embertown.games import GameRecord
from embertown.server import fair
from tests.conftest import JIT_OFF
from tests.server.guests import Place, make_table
from tests.server.servers import ServerProcess, served

pytestmark = pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")
EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"
Event = dict[str, Any]


@pytest.fixture
def place(shared_server: ServerProcess) -> Iterator[Place]:
    with Place(shared_server.address) as found:
        yield found


class Events:
    """A stream's lines, read one after the other."""

    def __init__(self, response: httpx.Response) -> None:
        self.lines = response.iter_lines()
        self.seen: list[Event] = []

    def until(self, wanted: Callable[[Event], bool]) -> Event:
        for line in self.lines:
            if line:
                self.seen.append(json.loads(line))
                if wanted(self.seen[-1]):
                    return self.seen[-1]
        raise AssertionError(f"the stream ended after {self.seen[-3:]}")

    def next(self, kind: str, table: str | None = None) -> dict[str, Any]:
        found = self.until(lambda e: e["message"]["type"] == kind and table in (None, e["table"]))
        return dict(found["message"])


@contextmanager
def stream(program: httpx.Client, **params: Any) -> Iterator[Events]:
    with program.stream("GET", "/api/bot/events", params=params) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("application/x-ndjson")
        yield Events(response)


def decide(program: httpx.Client, table: str, turn: dict[str, Any], action: str | None = None) -> httpx.Response:
    wish = {
        "id": uuid.uuid4().hex,
        "seat": turn["seat"],
        "number": turn["number"] + 1,
        "action": action or turn["legal"][0]["text"],
    }
    return program.post(f"/api/bot/tables/{table}/play", json=wish)


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 40


@pytest.mark.parametrize("game", ["cronberg", "drunter"])
def test_the_example_plays_a_whole_game(place: Place, game: str) -> None:
    host, guest = place.guest("Host"), place.guest("Robot")
    made = make_table(host, game, "open", "greedy")
    token = guest.post("/api/tokens", json={"label": "example"}).json()["token"]
    command = [sys.executable, "-W", "error", str(EXAMPLE), place.address, token, made["links"]["0"]]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    record = GameRecord.from_dict(guest.get(f"/api/tables/{made['table']}/record").json())
    state = record.replay()
    assert state.outcome is not None
    assert state.outcome.end == "complete"
    assert fair.verify(record).is_over
    played = [line.split(" {")[0] for line in ran.stdout.splitlines()]
    assert played == [entry.text for entry in state.log if entry.seat == 0]
    assert [each.name for each in record.seats] == ["Robot", "greedy"]


def test_a_table_joins_the_stream_when_the_guest_sits_down(place: Place) -> None:
    host, guest = place.guest("Host"), place.guest("Robot")
    program = place.program(guest)
    with stream(program) as events:
        first = make_table(host, "cronberg", "open", "greedy")
        assert program.post("/api/claims", json={"token": first["links"]["0"]}).status_code == 200
        told = events.next("table", first["table"])
        assert [seat["yours"] for seat in told["seats"]] == [True, False]
        turn = events.next("turn", first["table"])
        second = make_table(program, "cronberg", "greedy", "me")
        events.next("table", second["table"])
        assert decide(program, first["table"], turn).json()["number"] == turn["number"] + 1
        events.until(lambda e: e["table"] == first["table"] and e["message"].get("number", 0) > turn["number"])


def test_after_a_break_only_what_was_missed_comes(place: Place) -> None:
    guest = place.guest("Robot")
    program = place.program(guest)
    table = make_table(guest, "cronberg", "me", "greedy")["table"]
    with stream(program) as events:
        turn = events.next("turn")
        whole = next(e["message"] for e in events.seen if e["message"]["type"] == "table")
        assert [entry["number"] for entry in whole["entries"]] == list(range(1, whole["number"] + 1))
    number = decide(program, table, turn).json()["number"]
    with stream(program, since=f"{table}:{number}") as events:
        missed = events.next("table")["entries"]
        assert all(entry["number"] > number for entry in missed)
        events.next("turn")


def test_a_table_that_ended_meanwhile_is_told_once_more(place: Place) -> None:
    guest = place.guest("Robot")
    program = place.program(guest)
    table = make_table(guest, "cronberg", "me", "greedy")["table"]
    with stream(program) as events:
        known = events.next("table")["number"]
    answer = program.post(f"/api/bot/tables/{table}/resign", json={"id": "r", "seat": 0})
    assert answer.status_code == 200
    with stream(program, since=f"{table}:{known}") as events:
        told = events.next("table")
        assert told["status"] == "over"
        assert told["entries"][-1]["text"] == "resign"


def test_repeats_are_answered_as_before_and_stale_decisions_with_what_was_missed(place: Place) -> None:
    guest = place.guest("Robot")
    program = place.program(guest)
    table = make_table(guest, "cronberg", "me", "me")["table"]
    with stream(program) as events:
        turn = events.next("turn")
        wish = {"id": "once", "seat": turn["seat"], "number": turn["number"] + 1, "action": turn["legal"][0]["text"]}
        address = f"/api/bot/tables/{table}/play"
        first, again = program.post(address, json=wish), program.post(address, json=wish)
        assert first.json() == again.json() == {"type": "answer", "id": "once", "number": turn["number"] + 1}
        turn = events.next("turn")
        stale = program.post(address, json={**wish, "id": "late", "seat": turn["seat"]})
        assert (stale.status_code, stale.json()["code"]) == (409, "stale")
        assert [entry["text"] for entry in stale.json()["missed"]] == [wish["action"]]
        wrong = decide(program, table, turn, "token z9")
        assert wrong.status_code == 422
        assert wrong.json()["sentence"]


def test_of_several_own_seats_each_is_told_its_own_secrets_and_turns(place: Place) -> None:
    guest = place.guest("Robot")
    program = place.program(guest)
    table = make_table(guest, "drunter", "me", "me", "greedy")["table"]
    with stream(program) as events:
        events.next("table", table)
        events.next("table", table)
        tables = {e["viewer"]: e["message"] for e in events.seen if e["message"]["type"] == "table"}
        for viewer, told in tables.items():
            known = [seat for seat, cards in enumerate(told["facts"]["objectives"]) if None not in cards]
            assert known == [viewer]
        assert set(tables) == {0, 1}


def test_in_a_game_without_secrets_nothing_comes_twice(place: Place) -> None:
    guest = place.guest("Robot")
    program = place.program(guest)
    make_table(guest, "cronberg", "me", "me")
    with stream(program) as events:
        for _ in range(4):
            turn = events.next("turn")
            assert decide(program, events.seen[-1]["table"], turn).status_code == 200
        numbers = [e["message"]["number"] for e in events.seen if e["message"]["type"] == "turn"]
        assert len(numbers) == len(set(numbers))


def test_a_seat_that_moves_to_another_guest_leaves_the_stream(place: Place) -> None:
    old, new = place.guest("Old"), place.guest("New")
    program = place.program(old)
    table = make_table(old, "drunter", "me", "greedy")["table"]
    with stream(program) as events:
        events.next("table")
        link = old.post(f"/api/tables/{table}/links", json={"seat": 0}).json()["token"]
        assert new.post("/api/claims", json={"token": link}).status_code == 200
        assert events.next("bye", table)["code"] == "not_your_seat"
    answer = program.post(f"/api/bot/tables/{table}/resign", json={"id": "r", "seat": 0})
    assert answer.json()["code"] == "no_such_table"


def test_whoever_gives_up_a_seat_sees_with_its_eyes_no_more(place: Place) -> None:
    """Also over the live connection: before the start a seat is free again, and another guest gets its secrets."""
    old, new = place.guest("Old"), place.guest("New")
    made = make_table(old, "drunter", "me", "open", "greedy", autostart=True)
    table = made["table"]
    with place.live(old, table) as live:
        live.send(json.dumps({"type": "hello", "id": "h", "protocol": 1}))
        assert json.loads(live.recv())["viewer"] == 0
        assert old.post(f"/api/tables/{table}/leave", json={"seat": 0}).status_code == 204
        link = old.post(f"/api/tables/{table}/links", json={"seat": 0}).json()["token"]
        for token in (link, made["links"]["1"]):
            assert new.post("/api/claims", json={"token": token}).status_code == 200
        facts: dict[str, Any] = {}
        while "objectives" not in facts:
            message = json.loads(live.recv(timeout=60))
            facts |= message.get("changes") or message.get("facts") or {}
        assert facts["objectives"] == [[None], [None], [None]]


def test_only_tokens_open_it(place: Place) -> None:
    guest = place.guest("Robot")
    assert guest.get("/api/bot/events").json()["code"] == "bad_token"
    wrong = guest.get("/api/bot/events", headers={"authorization": "Bearer nonsense"})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "bad_token")
    assert place.program(guest).get("/api/bot/events", params={"since": "x"}).status_code == 422


def test_a_token_that_is_revoked_hears_no_more(place: Place) -> None:
    """A stream that is open already as well: it tells a seat's secrets."""
    guest = place.guest("Robot")
    program = place.program(guest)
    table = make_table(guest, "drunter", "me", "greedy")["table"]
    with stream(program) as events, place.live(guest, table) as live:
        events.next("table")
        assert guest.delete("/api/tokens").status_code == 204
        live.send(json.dumps({"type": "hello", "id": "h", "protocol": 1}))
        live.send(json.dumps({"type": "say", "id": "s", "text": "for those who sit here"}))
        last = events.until(lambda event: event["message"]["type"] in ("bye", "chat"))["message"]
        assert (last["type"], last.get("code")) == ("bye", "bad_token")
        assert list(filter(None, events.lines)) == []
    assert program.get("/api/bot/events").status_code == 401


def test_other_tables_are_not_there(place: Place) -> None:
    host, stranger = place.guest("Host"), place.program(place.guest("Robot"))
    table = make_table(host, "cronberg", "me", "greedy", public=True)["table"]
    wish = {"id": "x", "seat": 0, "number": 1, "action": "draw"}
    assert stranger.post(f"/api/bot/tables/{table}/play", json=wish).status_code == 404


def test_a_program_can_answer_a_wish_to_take_back(place: Place) -> None:
    person, guest = place.guest("Anna"), place.guest("Robot")
    program = place.program(guest)
    made = make_table(person, "cronberg", "me", "open")
    table = made["table"]
    other = place.program(person)
    assert program.post("/api/claims", json={"token": made["links"]["1"]}).status_code == 200
    with stream(program) as events, stream(other) as own:
        facts = events.next("table", table)["facts"]
        seat = facts["seat"]
        mine, theirs = ((other, program), (program, other))[seat]
        turn = (own if seat == 0 else events).next("turn", table)
        action = next(each["text"] for each in turn["legal"] if each["kind"] == "token")
        number = decide(mine, table, turn, action).json()["number"]
        ask = {"id": "t", "seat": seat, "number": number - 1, "agree": True}
        assert mine.post(f"/api/bot/tables/{table}/takeback", json=ask).json()["number"] is None
        reply = {"id": "a", "seat": 1 - seat, "number": number - 1, "agree": True}
        assert theirs.post(f"/api/bot/tables/{table}/takeback", json=reply).json()["number"] == number + 1


def test_a_stream_that_the_server_ends_says_why(tmp_path: Path) -> None:
    with served(tmp_path / "server", "--bots", 1) as server, Place(server.address) as place:
        guest = place.guest("Robot")
        with stream(place.program(guest)) as idle, stream(place.program(guest)) as events:
            make_table(guest, "cronberg", "me", "greedy")
            events.next("table")
            server.send()
            assert events.next("bye")["code"] == "server_stops"
            assert idle.next("bye")["code"] == "server_stops"
        assert server.wait() == 0
