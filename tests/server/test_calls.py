"""Players who are not there are told that it is their turn: once, whoever comes and goes meanwhile."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import JIT_OFF
from tests.server.client import Live, Server, id_of, seated, serving, until
from tests.server.test_notify import Receiver, receiving

pytestmark = pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")


@pytest.fixture(scope="module")
def calling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that tells programs on this machine."""
    with serving(tmp_path_factory.mktemp("calling") / "data", private_webhooks=True, away=3600.0) as running:
        yield running


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def calls(server: Server) -> float:
    """How often somebody was to be told."""
    told = httpx.get(f"{server.base}/metrics", trust_env=False).text
    found = re.search(r'embertown_calls_total\{result="wanted"\} (\S+)', told)
    assert found is not None
    return float(found[1])


def in_memory(server: Server) -> bool:
    told = httpx.get(f"{server.base}/metrics", trust_env=False).text
    return "embertown_tables_in_memory 0.0" not in told


def leave(server: Server, *lives: Live) -> None:
    """All go, and the table leaves the memory."""
    for live in lives:
        live.close()
    until(lambda: not in_memory(server), "the table leaving the memory")


def test_whoever_comes_and_goes_nobody_is_told_twice_of_the_same_turn(calling: Server, receiver: Receiver) -> None:
    lives = seated(calling, "cronberg", 2, public=True)
    due = next(live for live in lives if live.seat in live.waiting)
    other = lives[1 - due.seat]
    for live in lives:
        assert live.guest.request("PUT", "/api/me/webhook", json={"url": receiver.url()}).status_code == 200
    before = calls(calling)
    leave(calling, *lives)
    assert calls(calling) == before + 1
    until(lambda: receiver.received, "a call")
    told = json.loads(receiver.received[0].body)
    assert (told["event"], told["table"]) == ("your_turn", id_of(due))
    for _ in range(3):
        leave(calling, calling.stranger().live(id_of(due)), other.guest.live(id_of(due)))
    assert calls(calling) == before + 1
    back = due.guest.live(id_of(due))
    back.play(next(each["text"] for each in back.turns[due.seat]["legal"] if each["kind"] == "token"))
    assert calls(calling) == before + 2, "now it is the other's turn"
    back.close()
