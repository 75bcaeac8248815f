"""Whatever comes over a live connection: a clear answer, a living server, an unchanged table."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.server.client import Guest, Live, Server

FRAMES = 40
"""In one go."""
HUGE = 10**400
DEEP = "[" * 5_000 + "]" * 5_000

scalars = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=30)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
kinds = st.sampled_from(
    ("hello", "look", "play", "preview", "start", "resign", "abort", "takeback", "stand_in", "mute", "rematch", "x")
)
keys = st.sampled_from(
    ("id", "seat", "number", "action", "actions", "agree", "bot", "line", "protocol", "since", "text")
)
ill_shaped = st.builds(
    lambda kind, rest: json.dumps({**rest, "type": kind}),
    kinds,
    st.dictionaries(keys, scalars | st.lists(scalars, max_size=3), max_size=4),
)
frames = st.binary(max_size=200) | st.text(max_size=200) | anything.map(json.dumps) | ill_shaped


class Fuzzed:
    """A table of two people that somebody else attacks from within and from without."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.anna, self.bert = server.guest("Anna"), server.guest("Bert")
        made = self.anna.make("cronberg", ["me", "open"])
        self.bert.claim(made["links"][1])
        self.table, self.watch = made["table"], made["watch"]
        self.first = self.anna.live(self.table)

    def state(self) -> tuple[Any, ...]:
        """All that could have changed."""
        told = self.anna.get(f"/api/tables/{self.table}").json()
        return told["number"], told["status"], told["entries"], [seat["name"] for seat in told["seats"]]


@pytest.fixture(scope="module")
def fuzzed(server: Server) -> Fuzzed:
    return Fuzzed(server)


def shower(guest: Guest, fuzzed: Fuzzed, sent: list[str | bytes]) -> list[dict[str, Any]]:
    """Send all of it, and read what is answered until the connection is heard again or ended."""
    live = guest.live(fuzzed.table, watch=fuzzed.watch)
    try:
        for frame in sent:
            live.socket.send(frame)
        return live.caught_up()
    finally:
        live.close()


def check(told: list[dict[str, Any]], expected: int) -> None:
    refusals = [message for message in told if message["type"] == "refusal"]
    assert len(refusals) == expected
    assert all(message["code"] != "internal_error" and message["sentence"] for message in refusals)


@given(sent=st.lists(frames, min_size=1, max_size=FRAMES))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_noise_is_refused_frame_by_frame(fuzzed: Fuzzed, sent: list[str | bytes]) -> None:
    before = fuzzed.state()
    check(shower(fuzzed.server.guest("Mallory"), fuzzed, sent), len(sent))
    assert fuzzed.state() == before


@pytest.mark.parametrize(
    "frame",
    [
        '{"type":"play","id":"a","seat":0,"number":' + str(HUGE) + ',"action":"draw"}',
        '{"type":"play","id":"a","seat":' + str(-HUGE) + ',"number":1,"action":"draw"}',
        '{"type":"play","id":"a","seat":0,"number":1e999,"action":"draw"}',
        '{"type":"play","id":"a","seat":0,"number":1,"action":' + DEEP + "}",
        '{"type":"preview","id":"a","seat":0,"actions":' + json.dumps(["draw"] * 1000) + "}",
        '{"type":"say","id":"a","text":"\\ud800"}',
        '{"type":"say","id":"a","text":"\\u0000\\u202e"}',
        '{"type":"say","id":"a","text":"' + "x" * 20_000 + '"}',
        '{"type":"hello","id":"a","protocol":1}',
        DEEP,
        "",
        b"\xff\xfe",
    ],
    ids=range(12),
)
def test_what_is_too_large_too_deep_or_no_text_is_refused(fuzzed: Fuzzed, frame: str | bytes) -> None:
    before = fuzzed.state()
    check(shower(fuzzed.anna, fuzzed, [frame]), 1)
    assert fuzzed.state() == before


def test_nobody_plays_for_another(fuzzed: Fuzzed) -> None:
    before = fuzzed.state()
    for guest, seats in ((fuzzed.bert, [0]), (fuzzed.server.guest("Mallory"), [0, 1])):
        live = guest.live(fuzzed.table, watch=fuzzed.watch)
        for seat in seats:
            for wish in wishes(seat, fuzzed.first.number):
                assert live.refused(**wish) == "not_your_seat"
    assert fuzzed.state() == before


def wishes(seat: int, number: int) -> list[dict[str, Any]]:
    """Everything that a seat can wish for."""
    return [
        {"type": "play", "seat": seat, "number": number + 1, "action": "draw"},
        {"type": "look", "seat": seat},
        {"type": "preview", "seat": seat, "actions": ["draw"]},
        {"type": "resign", "seat": seat},
        {"type": "takeback", "seat": seat, "number": number - 1},
        {"type": "stand_in", "seat": seat, "bot": "greedy"},
    ]


def test_after_the_end_nothing_is_played(server: Server) -> None:
    guest = server.guest()
    table = guest.make("cronberg", ["me", "me"])["table"]
    live = guest.live(table)
    live.ask(type="resign", seat=0)
    before = guest.get(f"/api/tables/{table}").json()["entries"]
    for seat in (0, 1):
        for wish in wishes(seat, live.number):
            if wish["type"] not in ("look", "preview"):
                assert live.refused(**wish) in ("not_playing", "game_over")
    assert guest.get(f"/api/tables/{table}").json()["entries"] == before


def test_thousands_at_once_are_all_answered(fuzzed: Fuzzed) -> None:
    before, many = fuzzed.state(), 3_000
    live = fuzzed.server.guest("Mallory").live(fuzzed.table, watch=fuzzed.watch)
    answered = 0
    for start in range(0, many, 300):
        for number in range(start, start + 300):
            live.socket.send(json.dumps({"type": "play", "id": f"x{number}", "seat": 0, "number": 1, "action": "draw"}))
        answered += sum(message["type"] == "refusal" for message in live.caught_up())
    assert answered == many
    assert fuzzed.state() == before
    assert still_alive(fuzzed.first)


def still_alive(live: Live) -> bool:
    return live.ask(type="ping")["type"] == "pong"
