"""A WebSocket, straight from the server's hands.

Every message of every table passes here, to each connection: so there is nothing between a table and uvicorn but the
layer that adds headers; a framework's layers would cost more than the rules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from embertown.server.frames import DIRECT, LiveProtocol
from embertown.server.headers import header

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LIVE = re.compile(r"^/api/tables/([a-z2-7]{12})/live$")
"""The address of a table's live connection."""
NOT_FOUND = 4404
"""The code with which a connection to nowhere is closed."""


class Gone(Exception):
    """Nobody is there any more."""


class Socket:
    """One WebSocket."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope, self._receive, self._send = scope, receive, send
        self.is_open = False
        self._direct: LiveProtocol | None = scope.get("extensions", {}).get(DIRECT)

    @property
    def host(self) -> str | None:
        """The address of the other side."""
        client = self.scope.get("client")
        return client[0] if client else None

    @property
    def cookies(self) -> str | None:
        """The header `Cookie`."""
        found = header(self.scope, b"cookie")
        return None if found is None else found.decode("latin-1")

    async def accept(self) -> None:
        """Take the connection."""
        message = await self._receive()
        if message["type"] != "websocket.connect":
            raise Gone
        await self._send({"type": "websocket.accept"})
        self.is_open = True

    async def receive(self) -> str | bytes:
        """The next message; `Gone` where there is none."""
        message = await self._receive()
        if message["type"] != "websocket.receive":
            self.is_open = False
            raise Gone
        return message.get("text") or message.get("bytes") or ""

    @property
    def is_ready(self) -> bool:
        """Whether `send_now` will do: the connection is open, and its reader is not behind."""
        direct = self._direct
        return direct is not None and self.is_open and not direct.is_full and not direct.transport.is_closing()

    def send_now(self, text: str) -> None:
        """Send a message without waiting, where the socket `is_ready`."""
        assert self._direct is not None
        self._direct.write_text(text)

    async def send_text(self, text: str) -> None:
        """Send a message; `Gone` where nobody is there to read it."""
        await self._deliver({"type": "websocket.send", "text": text})

    async def close(self, code: int, reason: str) -> None:
        """End the connection."""
        if self.is_open:
            self.is_open = False
            await self._deliver({"type": "websocket.close", "code": code, "reason": reason})

    async def _deliver(self, message: Message) -> None:
        try:
            await self._send(message)
        except (OSError, RuntimeError):  # uvicorn's words for a connection that is closed already
            self.is_open = False
            raise Gone from None


class LiveFirst:
    """Live connections by the shortest way; everything else to the application."""

    def __init__(self, app: ASGIApp, live: Any) -> None:
        self.app, self.live = app, live

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or a connection."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        socket, found = Socket(scope, receive, send), LIVE.match(scope["path"])
        try:
            await socket.accept()
            if found is None:
                await socket.close(NOT_FOUND, "not_found")
            else:
                await self.live(socket, found[1])
        except Gone:
            pass
