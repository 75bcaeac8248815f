"""Whatever is sent: never an internal error, never a dead server, never a changed table."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.server.client import Live, Server, id_of, seated

TYPES = (
    *("hello", "go", "look", "play", "preview", "hint", "start", "entropy", "resign", "abort", "takeback"),
    *("stand_in", "say", "mute", "report", "rematch", "ping", "nonsense"),
)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(["draw", "pass", "vote ja", "0", "10" * 200]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
KEYS = (
    *("id", "type", "seat", "number", "action", "actions", "agree", "bot"),
    *("text", "line", "muted", "protocol", "since", "watch", "batch", "entropy"),
)
keys = st.sampled_from(KEYS)
shapeless = st.dictionaries(keys, values, max_size=6)
typed = st.builds(
    lambda kind, rest: {"id": "f1", **rest, "type": kind}, st.sampled_from(TYPES), st.dictionaries(keys, values)
)


@pytest.fixture(scope="module")
def quiet(server: Server) -> list[Live]:
    """A table under way at which nothing of all this may change anything, and a spectator."""
    lives = seated(server, "drunter", 2, public=True)
    return [*lives, server.guest("Watcher").live(id_of(lives[0]))]


def picture(live: Live) -> list[dict[str, Any]]:
    live.caught_up()
    return [live.table["log"], live.table["facts"]]


def send_all(live: Live, frames: list[str | bytes], before: Any) -> None:
    """Send frames, and see that the server is still there and nothing has changed."""
    seen = len(live.messages)
    for frame in frames:
        live.socket.send(frame)
    assert picture(live) == before
    said = live.messages[seen:]
    assert not [each for each in said if each.get("code") == "internal_error"], said
    assert not [each for each in said if each["type"] == "bye"], said


quick = settings(max_examples=examples(40, 10), suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(frames=st.lists(st.binary(max_size=200) | st.text(max_size=200), min_size=1, max_size=5), who=st.integers(0, 2))
def test_any_bytes(quiet: list[Live], frames: list[str | bytes], who: int) -> None:
    send_all(quiet[who], frames, picture(quiet[who]))


wrong_json = (shapeless | typed).map(lambda found: json.dumps({**found, "extra": 1}))


@quick
@given(frames=st.lists(st.binary(max_size=200) | st.text(max_size=200) | wrong_json, min_size=1, max_size=8))
def test_noise_is_refused_frame_by_frame(quiet: list[Live], frames: list[str | bytes]) -> None:
    """Each frame once, with a sentence: none is passed over, none stands in the way of the next."""
    live = quiet[1]
    before, seen = picture(live), len(live.messages)
    send_all(live, frames, before)
    refusals = [each for each in live.messages[seen:] if each["type"] == "refusal"]
    assert len(refusals) == len(frames)
    assert all(each["code"] and each["sentence"] for each in refusals)


HARMLESS = ("ping", "hello", "look", "preview", "hint", "mute")
"""Of these also well-formed ones change nothing."""


@quick
@given(found=st.lists(shapeless | typed, min_size=1, max_size=5))
def test_any_json_by_a_spectator(quiet: list[Live], found: list[dict[str, Any]]) -> None:
    """Even what is well-formed changes nothing where one only watches; saying something does not change a table."""
    send_all(quiet[2], [json.dumps(each) for each in found], picture(quiet[2]))


@quick
@given(found=st.lists(shapeless | typed, min_size=1, max_size=5))
def test_any_json_by_a_player(quiet: list[Live], found: list[dict[str, Any]]) -> None:
    """Players may change the table; here by nothing but what is wrong."""
    wrong = [each for each in found if each.get("type") not in TYPES or each.get("type") in HARMLESS or len(each) > 6]
    live = quiet[0]
    send_all(live, [json.dumps({**each, "extra": 1}) for each in wrong], picture(live))


@pytest.mark.parametrize(
    "frame",
    [
        "[" * 16_000,
        '{"type":' * 2000,
        '{"type":"say","id":"x","text":"\\ud800"}',
        '{"type":"say","id":"x","text":"' + "\\u0000" * 20 + '"}',
        '{"type":"play","id":"x","seat":0,"number":' + "9" * 5000 + ',"action":"draw"}',
        '{"type":"play","id":"x","seat":1e400,"number":1,"action":"draw"}',
        '{"type":"play","id":"x","seat":NaN,"number":1,"action":"draw"}',
        '{"type":"play","id":"x","seat":true,"number":1,"action":"draw"}',
        '{"type":"play","id":"x\\n","seat":0,"number":1,"action":"draw"}',
        '{"type":"preview","id":"x","seat":0,"actions":' + json.dumps(["lay wall A1 B1"] * 129) + "}",
        '{"type":"mute","id":"x","line":0}',
        '{"type":"report","id":"x","line":999999,"text":"?"}',
        '{"type":"stand_in","id":"x","seat":0,"bot":"../../etc/passwd"}',
        '{"type":"ping","id":"x","type":"abort"}',
        " " * 16_000,
        "x" * 16_385,
        "x" * 30_000,
        b"\xff\xfe\x00",
        "",
    ],
)
def test_odd_frames(quiet: list[Live], frame: str | bytes) -> None:
    send_all(quiet[0], [frame], picture(quiet[0]))


def test_other_seats_moves_and_moves_of_nobody(quiet: list[Live]) -> None:
    for live in quiet:
        for seat in range(4):
            if seat not in live.mine:
                wish = {"type": "play", "seat": seat, "number": live.number + 1, "action": "pass"}
                assert live.refused(**wish) == "not_your_seat"


def test_moves_after_the_end(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    lives[0].ask(type="resign", seat=0)
    for live in lives:
        before = picture(live)
        for action in ("draw", "token d4", "nonsense", "resign", "takeback to 1", "deal {}", "seat 0: open"):
            wish = {"type": "play", "seat": live.seat, "number": live.number + 1, "action": action}
            assert live.refused(**wish) != "internal_error"
        for kind in ("resign", "takeback", "stand_in"):
            rest = {"number": 1} if kind == "takeback" else {"bot": "greedy"} if kind == "stand_in" else {}
            assert live.refused(type=kind, seat=live.seat, **rest) == "not_playing"
        assert picture(live) == before


@pytest.mark.parametrize(
    "action", ["resign", "takeback to 1", "deal {}", "seat 0: open", "flag", "abort", "start", "drawn church"]
)
def test_entries_of_the_table_are_no_decisions(server: Server, action: str) -> None:
    lives = seated(server, "cronberg", 2)
    live = next(each for each in lives if each.seat in each.waiting)
    before = picture(live)
    assert live.refused(type="play", seat=live.seat, number=live.number + 1, action=action) != "internal_error"
    assert picture(live) == before


def test_thousands_at_once(quiet: list[Live]) -> None:
    """A client that reads is answered every time, and others are served meanwhile."""
    live, other = quiet[0], quiet[1]
    before = picture(live)
    chooser = random.Random(1)
    for number in range(3000):
        wish = chooser.choice(
            [
                {"type": "ping", "id": f"p{number}"},
                {"type": "play", "id": f"p{number}", "seat": 1, "number": 1, "action": "pass"},
                {"type": "play", "id": f"p{number}", "seat": 0, "number": 1, "action": "pass"},
                {"type": "nonsense", "id": f"p{number}"},
            ]
        )
        live.socket.send(json.dumps(wish))
    other.caught_up()
    seen = len(live.messages)
    assert picture(live) == before
    said = [each for each in live.messages[seen:] if each["type"] in ("pong", "refusal")]
    assert len(said) == 3001
    assert not [each for each in said if each.get("code") == "internal_error"]


def test_a_decision_sent_a_thousand_times_at_once_stands_once(server: Server) -> None:
    lives = seated(server, "cronberg", 2)
    live = next(each for each in lives if each.seat in each.waiting)
    action = live.turns[live.seat]["legal"][0]["text"]
    wish = {"type": "play", "id": "same", "seat": live.seat, "number": live.number + 1, "action": action}
    number = live.number
    for _ in range(1000):
        live.socket.send(json.dumps(wish))
    live.caught_up()
    answers = [each for each in live.of("answer") if each["id"] == "same"]
    assert len(answers) == 1000
    assert {each["number"] for each in answers} == {number + 1}
    assert live.texts[number] == action
    assert live.texts.count(action) == 1
