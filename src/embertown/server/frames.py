"""The shortest way out for a live message: one frame, handed to the transport at once.

uvicorn's protocol does the handshake, what comes in, the keepalive and the end. What it would do for each message that
goes out (a dictionary, a coroutine through every layer, the library's own frames) costs more than the rules of a game,
and there are four or more of them for each move. Frames of text are simple; so where nothing has to be waited for, they
are written here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

if TYPE_CHECKING:
    from websockets.http11 import Request

DIRECT = "embertown.direct"
"""The extension of a connection's scope: its `LiveProtocol`, where it has one."""
WHOLE_TEXT = 0x81
"""The first byte of a frame that holds a whole message of text (RFC 6455, 5.2)."""
TWO_BYTES, EIGHT_BYTES = 126, 127
"""Instead of a length: that it follows, in so many bytes."""
BELOW_TWO_BYTES, BELOW_EIGHT_BYTES = 126, 1 << 16


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


class LiveProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol of WebSockets, with a short way out."""

    is_full = False
    """Whether what was written waits for a slow reader."""

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
