"""The shortest way out and in for a live message: one frame, written and read here.

uvicorn's protocol does the handshake, the keepalive and the end, and reads whatever is unusual. What it would do for
each message (a coroutine through every layer, the library's parser, reading paused and resumed) costs more than the
rules of a game, and there are five or more of them for each move. Frames that hold a whole short message of text are
simple; so these are written here, where nothing has to be waited for, and read here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the quickest of those that it has

if TYPE_CHECKING:
    from websockets.http11 import Request

DIRECT = "embertown.direct"
"""The extension of a connection's scope: its `LiveProtocol`, where it has one."""
WHOLE_TEXT = 0x81
"""The first byte of a frame that holds a whole message of text (RFC 6455, 5.2)."""
TWO_BYTES, EIGHT_BYTES = 126, 127
"""Instead of a length: that it follows, in so many bytes."""
BELOW_TWO_BYTES, BELOW_EIGHT_BYTES = 126, 1 << 16
MASKED = 0x80
"""The bit of a frame's second byte that says that it is masked, as all must be that a client sends (5.3)."""
MASK_BYTES = 4
CONTROL_FRAMES = range(0x88, 0x8B)
"""The first byte of close, ping and pong."""
MOST_UNREAD = 32
"""Messages that may wait to be handled before no more are read."""
HANDSHAKE_ENDS = b"\r\n\r\n"


def frame(text: str) -> bytes:
    """A message of text as a server sends it: whole, unmasked, not compressed.

    >>> frame("hi"), frame("x" * 126)[:4], frame("x" * 65536)[:10]
    (b'\\x81\\x02hi', b'\\x81~\\x00~', b'\\x81\\x7f\\x00\\x00\\x00\\x00\\x00\\x01\\x00\\x00')
    """
    data = text.encode()
    length = len(data)
    if length < BELOW_TWO_BYTES:
        return bytes((WHOLE_TEXT, length)) + data
    if length < BELOW_EIGHT_BYTES:
        return bytes((WHOLE_TEXT, TWO_BYTES, length >> 8, length & 255)) + data
    return bytes((WHOLE_TEXT, EIGHT_BYTES)) + length.to_bytes(8, "big") + data


def frame_length(data: bytes, at: int) -> int | None:
    """How many bytes the frame that begins there has, with its head; 0 where too few are there to tell.

    None for a frame that is none of those read here: they hold a whole message of text below 64 KiB, or control.

    >>> frame_length(b"\\x81\\x82maskhi", 0), frame_length(b"\\x81\\xfe\\x01\\x00mask", 0), frame_length(b"\\x81", 0)
    (8, 264, 0)
    >>> frame_length(b"\\x01\\x82maskhi", 0), frame_length(b"\\x81\\x02hi", 0)
    (None, None)
    """
    if data[at] != WHOLE_TEXT and data[at] not in CONTROL_FRAMES:
        return None
    if len(data) < at + 2:
        return 0
    length = data[at + 1] - MASKED
    if 0 <= length < TWO_BYTES:
        return 2 + MASK_BYTES + length
    if length != TWO_BYTES:
        return None
    return 0 if len(data) < at + 4 else 4 + MASK_BYTES + (data[at + 2] << 8 | data[at + 3])


class LiveProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol of WebSockets, with a short way out and in."""

    is_full = False
    """Whether what was written waits for a slow reader."""
    _is_reading = False
    """Whether frames are cut out here; else the library sees every byte."""
    _rest = b""
    """The beginning of a frame."""

    # ---- in

    def data_received(self, data: bytes) -> None:
        """Read frames; those that are unusual, and all before and after the connection is open, go to the library."""
        if not self._is_reading:
            had_begun = self.handshake_initiated
            super().data_received(data)
            # a client that did not wait for the answer to its handshake may be in the middle of a frame
            self._is_reading = not had_begun and self.handshake_initiated and data.endswith(HANDSHAKE_ENDS)
            return
        if self._rest:
            data, self._rest = self._rest + data, b""
        at = 0
        while at < len(data):
            length = frame_length(data, at)
            if length is None or length > self.config.ws_max_size or self.close_sent or self.disconnected:
                self._is_reading = False
                super().data_received(data[at:])
                return
            if length == 0 or at + length > len(data):
                self._rest = data[at:]
                return
            self._read(data[at : at + length])
            at += length

    def _read(self, whole: bytes) -> None:
        """Hand a frame over: a text to the application, control to the library."""
        if whole[0] != WHOLE_TEXT:
            super().data_received(whole)
            return
        start = 2 if whole[1] - MASKED < TWO_BYTES else 4
        try:
            text = apply_mask(whole[start + MASK_BYTES :], whole[start : start + MASK_BYTES]).decode()
        except UnicodeDecodeError:
            super().data_received(whole)  # which knows how to say so
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if not self.read_paused and self.queue.qsize() > MOST_UNREAD:
            self.read_paused = True
            self.transport.pause_reading()

    async def receive(self) -> Any:
        """The next message or event; reading goes on when all are taken."""
        return self.queue.get_nowait() if not self.read_paused and self.queue.qsize() else await super().receive()

    # ---- out

    def handle_connect(self, event: Request) -> None:
        """Tell the application of the short way."""
        super().handle_connect(event)
        scope = getattr(self, "scope", None)  # there is none where the handshake was refused
        if scope is not None:
            scope["extensions"][DIRECT] = self

    def pause_writing(self) -> None:
        """The reader is slow."""
        self.is_full = True
        super().pause_writing()

    def resume_writing(self) -> None:
        """The reader has caught up."""
        self.is_full = False
        super().resume_writing()

    def write_text(self, text: str) -> None:
        """Send a message; what was written before goes first."""
        self.transport.write(frame(text))
