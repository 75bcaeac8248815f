"""The log: one entry for each decision or chance outcome, as text.

Edition, options, seats, first, start scores, deal and log are the game; everything else is rebuilt from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Entry:
    """What a seat did, or, where `seat` is None, what chance gave.

    >>> Entry(0, "token d4")
    Entry(seat=0, text='token d4', note=None, at=None, by=None)
    """

    seat: int | None
    text: str
    note: str | None = None
    """A remark, in tutorials."""
    at: str | None = None
    """When, as ISO 8601."""
    by: str | None = None
    """The bot that stood in for the seat."""


class Written(NamedTuple):
    """The first `length` of a state's `entries`: a list that only grows, so that nobody has to copy it."""

    entries: list[Entry]
    length: int

    def whole(self) -> tuple[Entry, ...]:
        """The entries."""
        return tuple(self.entries[: self.length])
