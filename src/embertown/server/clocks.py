"""Clocks of the seats: computed from the times of the entries, so that they are the same after a restart.

The time between two entries runs for every person who was waited for. While a bot plays a seat, for good or as a
stand-in, its clock stands still. Where the server was away an entry says so (`clock resumed`), and nobody's time ran.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache

from embertown.server.messages import ClockFacts

AFTER_FLAG = 60.0
"""Seconds that a seat has in all when its player comes back after its clock ran out."""


def stamp(seconds: float) -> str:
    """A time as it stands in the log.

    >>> stamp(0.0125)
    '1970-01-01T00:00:00.012Z'
    """
    whole, part = divmod(round(seconds * 1_000_000), 1_000_000)
    return f"{_to_the_second(whole)}.{part // 1000:03}Z"


@lru_cache(2)
def _to_the_second(seconds: int) -> str:
    """The same for many moves."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None).isoformat()


def seconds_of(at: str) -> float:
    """A time of the log in seconds.

    >>> seconds_of("1970-01-01T00:01:00.250Z")
    60.25
    """
    return datetime.fromisoformat(at).timestamp()


class Clocks:
    """What is left to each seat, as of the last entry."""

    def __init__(self, players: int, total: float | None, per_move: float | None) -> None:
        self.total, self.per_move = total, per_move
        self.left: list[float | None] = [total] * players
        self.moving: list[float | None] = [per_move] * players
        self.since: float | None = None
        """When the time began to run that is not taken off yet."""

    def run_until(self, now: float, waiting: Iterable[int]) -> None:
        """Take the time since the last entry off the clocks of those who were waited for."""
        if self.since is not None:
            for seat in waiting:
                left, moving = self.left[seat], self.moving[seat]
                if left is not None:
                    self.left[seat] = left - (now - self.since)
                if moving is not None:
                    self.moving[seat] = moving - (now - self.since)
        self.since = now

    def decided(self, seat: int) -> None:
        """A seat has decided: its next decision has its whole time."""
        self.moving[seat] = self.per_move

    def resumed(self, now: float) -> None:
        """The server is back."""
        self.since = now

    def flagged(self, seat: int) -> None:
        """A seat's time is over; should its player come back, there is a little."""
        self.moving[seat] = self.per_move
        left = self.left[seat]
        if left is not None and left <= 0:
            self.left[seat] = AFTER_FLAG

    def seconds_left(self, seat: int, now: float) -> float:
        """What a seat that is waited for has left before its flag falls."""
        ran = 0.0 if self.since is None else now - self.since
        return min(each - ran for each in (self.left[seat], self.moving[seat]) if each is not None)

    def facts(self, waiting: Iterable[int], now: float) -> list[ClockFacts]:
        """As it travels, by seat."""
        running = set(waiting)
        ran = 0.0 if self.since is None else now - self.since
        told: list[ClockFacts] = []
        for seat, (left, moving) in enumerate(zip(self.left, self.moving, strict=True)):
            off = ran if seat in running else 0.0
            total = None if left is None else round(left - off, 1)
            move = None if moving is None else round(moving - off, 1)
            told.append({"total": total, "move": move, "running": seat in running})
        return told
