"""Live messages on the shortest way: frames that a client's library reads, in order, also by one who is slow."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from embertown.server.frames import frame
from tests.server.client import SOON, Live, Server, seated

PREVIEWS = 128
"""In one message: as many as are allowed."""
ASKED = 300
"""Messages that wait for a slow reader: fewer than it takes to be let go, more than fit into a socket."""


def read(data: bytes) -> Frame:
    """The one frame in these bytes, by the library that clients use."""
    rest = data

    def read_exact(count: int) -> Generator[None, None, bytes]:
        nonlocal rest
        taken, rest = rest[:count], rest[count:]
        assert len(taken) == count
        return taken
        yield

    parsing = Frame.parse(read_exact, mask=False)
    with pytest.raises(StopIteration) as ended:
        next(parsing)
    assert rest == b""
    found: Frame = ended.value.value
    return found


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
def test_a_frame_of_any_length_is_read_by_others(length: int) -> None:
    found = read(frame("x" * length))
    assert found.opcode is Opcode.TEXT
    assert found.fin
    assert found.data == b"x" * length


@given(st.text(max_size=200))
def test_a_frame_holds_any_text(text: str) -> None:
    assert bytes(read(frame(text)).data).decode() == text


def test_a_slow_reader_gets_everything_in_order(server: Server) -> None:
    asks = next(live for live in seated(server, "cronberg", 2) if live.turns)
    action = asks.turns[asks.seat]["legal"][0]["text"]
    narrow = socket.create_connection(("127.0.0.1", server.port))
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    cookie = "; ".join(f"{name}={value}" for name, value in asks.guest.http.cookies.items())
    with connect(
        f"ws://127.0.0.1:{server.port}/api/tables/{asks.table['table']['id']}/live",
        sock=narrow,
        additional_headers={"origin": server.base, "cookie": cookie},
        max_size=None,
        max_queue=1,
        compression=None,
        ping_interval=None,
    ) as opened:
        opened.send(json.dumps({"type": "hello", "id": "h", "protocol": 1}))
        for number in range(ASKED):
            wish = {"type": "preview", "id": f"p{number}", "seat": asks.seat, "actions": [action] * PREVIEWS}
            opened.send(json.dumps(wish))
        asks.caught_up()  # the server has time for others
        told: list[str] = []
        while len(told) < ASKED:
            message = json.loads(opened.recv(timeout=SOON))
            assert message["type"] not in ("bye", "refusal"), message
            if message["type"] == "previews":
                told.append(message["id"])
                assert len(message["previews"]) == PREVIEWS
    assert told == [f"p{number}" for number in range(ASKED)]


def test_messages_that_come_together_may_share_a_frame(server: Server) -> None:
    """The same messages, for one who asks for it as an array where there are several: here the entry and the turn."""
    lives = seated(server, "cronberg", 2)
    plays, waits = sorted(lives, key=lambda live: not live.turns)
    together, alone = connected(waits, batch=True), connected(waits, batch=False)
    for live in (alone, together):  # in this order: whoever comes is told to the others
        until_pong(live)
    plays.play(plays.turns[plays.seat]["legal"][0]["text"])  # a token, so it is the other's turn
    in_arrays, singly = until_pong(together)[:-1], until_pong(alone)[:-1]
    assert [message["type"] for message in singly] == ["entries", "turn"]
    assert in_arrays == [singly]


def connected(live: Live, *, batch: bool) -> Live:
    opened = live.guest.connect(live.table["table"]["id"])
    opened.send(type="hello", protocol=1, batch=batch)
    return opened


def until_pong(live: Live) -> list[Any]:
    """Every frame up to the answer to a ping."""
    asked, frames = live.send(type="ping"), []
    while True:
        frames.append(json.loads(live.socket.recv(timeout=SOON)))
        last = frames[-1][-1] if isinstance(frames[-1], list) else frames[-1]
        if last["type"] == "pong" and last["id"] == asked:
            return frames
