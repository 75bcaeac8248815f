"""What is to be sent to live connections: together, when all that belongs together has been handed over."""

from __future__ import annotations

import asyncio
from typing import Protocol


class Sender(Protocol):
    """Somebody to whom messages were handed over."""

    def send_now(self) -> None:
        """Send them, as far as nothing has to be waited for."""


class Outbox:
    """Connections that have something to send.

    A move is told in several messages to several connections. Those to one connection can share a frame if they are
    sent at the end; whoever knows where that is empties the outbox there, else it happens later in the loop's round.
    """

    def __init__(self) -> None:
        self._due: list[Sender] = []
        self._is_planned = False

    def add(self, sender: Sender) -> None:
        """Somebody has something to send."""
        self._due.append(sender)
        if not self._is_planned:
            self._is_planned = True
            asyncio.get_running_loop().call_soon(self._empty_as_planned)

    def empty(self) -> None:
        """Send everything that was handed over."""
        due, self._due = self._due, []
        for sender in due:
            sender.send_now()

    def _empty_as_planned(self) -> None:
        self._is_planned = False
        self.empty()
