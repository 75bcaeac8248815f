"""Live messages on the shortest way: frames that a client's library reads, in order, also by one who is slow."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from embertown.server.frames import MOST_UNREAD, frame
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
    for live in (together, alone):  # both have come: whoever comes is told to the others
        until_pong(live)
    plays.play(plays.turns[plays.seat]["legal"][0]["text"])  # a token, so it is the other's turn
    in_arrays, singly = until_pong(together)[:-1], until_pong(alone)[:-1]
    assert [message["type"] for message in singly] == ["entries", "turn"]
    assert in_arrays == [singly]


def connected(live: Live, *, batch: bool) -> Live:
    opened = live.guest.connect(live.table["table"]["id"])
    opened.send(type="hello", protocol=1, batch=batch)
    until_pong(opened)
    return opened


def until_pong(live: Live) -> list[Any]:
    """Every frame up to the answer to a ping."""
    asked, frames = live.send(type="ping"), []
    while True:
        frames.append(json.loads(live.socket.recv(timeout=SOON)))
        last = frames[-1][-1] if isinstance(frames[-1], list) else frames[-1]
        if last["type"] == "pong" and last["id"] == asked:
            return frames


# ---- what comes in: clients may cut, mix and break their frames as they like

MASK = b"\x01\x02\x03\x04"
TEXT, PING, PONG, CLOSE, CONTINUED, BINARY = 0x1, 0x9, 0xA, 0x8, 0x0, 0x2
FINAL = 0x80
PROTOCOL_ERROR, NOT_TEXT, TOO_LARGE = 1002, 1007, 1009


def masked(payload: bytes, first: int = FINAL | TEXT, *, long: bool = False) -> bytes:
    """A client's frame."""
    length = len(payload)
    if long:
        head = bytes((first, 0xFF)) + length.to_bytes(8, "big")
    elif length < 126:
        head = bytes((first, 0x80 | length))
    else:
        head = bytes((first, 0xFE)) + length.to_bytes(2, "big")
    return head + MASK + bytes(byte ^ MASK[index % 4] for index, byte in enumerate(payload))


def ping(asked: str, padding: int = 0) -> bytes:
    """A message that is answered by its id."""
    return (json.dumps({"type": "ping", "id": asked}) + " " * padding).encode()


class Wire:
    """A connection to a table, byte by byte."""

    def __init__(self, server: Server, table: str, cookie: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=SOON)
        self.socket.sendall(
            f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.base}\r\n"
            f"Cookie: {cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.read = self.socket.makefile("rb")
        while self.read.readline() != b"\r\n":
            pass
        self.send(masked(json.dumps({"type": "hello", "id": "h", "protocol": 1}).encode()))

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.socket.sendall(part)

    def frame(self) -> tuple[int, bytes]:
        """The next frame: its first byte and what is in it; (0, b"") at the end."""
        head = self.read.read(2)
        if len(head) < 2:
            return 0, b""
        length = head[1]
        if length >= 126:
            length = int.from_bytes(self.read.read(2 if length == 126 else 8), "big")
        return head[0], self.read.read(length)

    def answered(self, asked: str) -> bool:
        """Whether a ping of ours is answered before the connection ends."""
        while True:
            first, data = self.frame()
            if first != FINAL | TEXT:
                return False
            told = json.loads(data)
            if told["type"] == "pong":
                assert told["id"] == asked
                return True

    def frame_of(self, kind: int) -> bytes:
        """What is in the next frame of a kind."""
        while True:
            first, data = self.frame()
            assert first, "the connection has ended"
            if first == kind:
                return data

    def closed_with(self) -> int:
        """The code with which the server ends it."""
        while True:
            first, data = self.frame()
            if first in (0, FINAL | CLOSE):
                return int.from_bytes(data[:2], "big")


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    live = seated(server, "cronberg", 2)[0]
    cookie = "; ".join(f"{name}={value}" for name, value in live.guest.http.cookies.items())
    opened = Wire(server, live.table["table"]["id"], cookie)
    yield opened
    opened.read.close()
    opened.socket.close()


def test_a_frame_may_come_byte_by_byte(wire: Wire) -> None:
    wire.send(*(bytes((byte,)) for byte in masked(ping("p1"))))
    assert wire.answered("p1")


def test_frames_may_come_together_and_cut_anywhere(wire: Wire) -> None:
    data = b"".join(masked(ping(f"p{number}", 300 * (number % 2))) for number in range(40))
    for cut in (1, 3, 50, 333):
        wire.send(*(data[at : at + cut] for at in range(0, len(data), cut)))
        assert all(wire.answered(f"p{number}") for number in range(40))


def test_a_message_may_be_in_pieces_with_control_between(wire: Wire) -> None:
    data = ping("p1")
    wire.send(masked(data[:5], TEXT) + masked(b"are you there?", FINAL | PING) + masked(data[5:9], CONTINUED))
    assert wire.frame_of(FINAL | PONG) == b"are you there?"
    wire.send(masked(data[9:], FINAL | CONTINUED), masked(ping("p2")), masked(b"", FINAL | PONG), masked(ping("p3")))
    assert wire.answered("p1")
    assert wire.answered("p2")
    assert wire.answered("p3")


def test_a_ping_is_answered_between_messages(wire: Wire) -> None:
    """At once, before messages that wait to be handled."""
    wire.send(masked(b"x", FINAL | PING) + masked(ping("p1")) + masked(ping("p2")))
    assert wire.frame_of(FINAL | PONG) == b"x"
    assert wire.answered("p1")
    assert wire.answered("p2")


@pytest.mark.parametrize("long", [False, True])
def test_a_message_may_be_binary_or_have_a_long_head(wire: Wire, long: bool) -> None:
    wire.send(masked(ping("p1"), FINAL | BINARY, long=long), masked(ping("p2"), long=long))
    assert wire.answered("p1")
    assert wire.answered("p2")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (masked(b"\xff\xfe"), NOT_TEXT),
        (b"\x81\x02hi", PROTOCOL_ERROR),  # not masked
        (masked(b"{}", 0xC0 | TEXT), PROTOCOL_ERROR),  # compressed, which was not agreed on
        (masked(b"{}", FINAL | 0x3), PROTOCOL_ERROR),  # no such kind of frame
        (masked(b"{}", TEXT) + masked(b"{}", FINAL | TEXT), PROTOCOL_ERROR),  # a message inside another
        (masked(b"x" * 126, FINAL | PING), PROTOCOL_ERROR),
        (masked(b"x" * 40_000), TOO_LARGE),
        (masked(b"", long=True)[:2] + (1 << 40).to_bytes(8, "big"), TOO_LARGE),
    ],
)
def test_what_is_no_frame_ends_the_connection_with_its_code(wire: Wire, data: bytes, code: int) -> None:
    wire.send(masked(ping("p1")))
    assert wire.answered("p1")
    wire.send(data)
    assert wire.closed_with() == code


def test_many_messages_at_once_are_all_handled_in_their_order(wire: Wire) -> None:
    """More than may wait, so that the server reads no more for a while."""
    count = 10 * MOST_UNREAD
    wire.send(b"".join(masked(ping(f"p{number}")) for number in range(count)))
    assert all(wire.answered(f"p{number}") for number in range(count))
