"""The entries of a table's log: what a seat did, what chance gave, and what happened to the table itself.

A game's entries stand as in `state.log`. Those of the table begin with a word that no game uses:

    seat 2: person Anna · seat 2: bot master · seat 2: open     who sits there now
    entropy 0f3a…                                               what a seat adds to the shuffles
    start · first 1 · deal {…}                                  the beginning; the deal holds secrets
    takeback to 17                                              entries after 17 do not stand any more
    resign · flag · abort · close                               how seats and tables end early
    resign to a bot                                             a seat that gives up while several others play on
    clock resumed                                               the server was away; nobody's time ran
    brought {…}                                                 the game was a record; what its heading and remarks say
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

SEAT = "seat"
START = "start"
RESIGN = "resign"
RESIGN_TO_BOT = "resign to a bot"
FLAG = "flag"
ABORT = "abort"
CLOSE = "close"
RESUMED = "clock resumed"
BROUGHT = "brought"
_OF_TABLE = frozenset(
    {SEAT, "entropy", START, "first", "deal", "takeback", RESIGN, FLAG, ABORT, CLOSE, "clock", BROUGHT}
)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a table's log; never changed, never deleted."""

    number: int
    seat: int | None
    text: str
    at: str
    by: str | None = None
    """The bot that stood in for the seat."""
    guest: str | None = None
    """Who sent it; of the server's own affairs, never told."""
    sender: str | None = None
    """The sender's id of the message, so that a repeat is known."""

    @property
    def word(self) -> str:
        """What kind of entry it is."""
        return self.text.split(" ", 1)[0].rstrip(":")

    @property
    def is_of_table(self) -> bool:
        """Whether it is about the table, and not an entry of the game."""
        return self.word in _OF_TABLE

    @property
    def is_outcome(self) -> bool:
        """Whether it is what chance gave: such an entry comes together with the decision before it."""
        return self.seat is None and not self.is_of_table

    @property
    def changes_nothing(self) -> bool:
        """Whether a decision is as good after it as before: who sits where is no part of the game."""
        return self.word in (SEAT, "clock", "entropy") or self.text == RESIGN_TO_BOT

    @property
    def rest(self) -> str:
        """What follows the first word."""
        return self.text.partition(" ")[2]


def seat_text(seat: int, name: str | None, bot: str | None) -> str:
    """Who sits at a seat now.

    >>> seat_text(2, "Anna", None), seat_text(2, "Anna", "master"), seat_text(0, None, None)
    ('seat 2: person Anna', 'seat 2: bot master', 'seat 0: open')
    """
    if bot is not None:
        return f"seat {seat}: bot {bot}"
    return f"seat {seat}: open" if name is None else f"seat {seat}: person {name}"


def seat_told(entry: LogEntry) -> tuple[int, str | None, str | None]:
    """Which seat an entry is about, and the person or the bot who sits there from then on.

    >>> seat_told(LogEntry(1, None, "seat 2: person A: the 1st", "")), seat_told(LogEntry(2, None, "seat 0: bot x", ""))
    ((2, 'A: the 1st', None), (0, None, 'x'))
    """
    seat, _, who = entry.rest.partition(": ")
    kind, _, name = who.partition(" ")
    return int(seat), name if kind == "person" else None, name if kind == "bot" else None


def brought_text(told: dict[str, Any]) -> str:
    """What a record says besides the game; `importing` writes it, `Table` reads it."""
    return f"{BROUGHT} {orjson.dumps(told).decode()}"


def entropy_text(entropy: str) -> str:
    """What a seat adds to the shuffles."""
    return f"entropy {entropy}"


def takeback_text(number: int) -> str:
    """Entries after this one do not stand any more."""
    return f"takeback to {number}"


def beginning(first: int, deal: dict[str, Any] | None) -> Sequence[str]:
    """The texts with which a game begins."""
    texts = [START, f"first {first}"]
    return texts if deal is None else [*texts, f"deal {orjson.dumps(deal).decode()}"]
