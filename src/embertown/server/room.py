"""A room: a table with the connections that follow it, and who of them is told what."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from embertown.server import wire
from embertown.server.entries import LogEntry
from embertown.server.messages import (
    NextMessage,
    Outgoing,
    SeatsMessage,
    TakebackMessage,
    TakebackWish,
    ThinkingMessage,
)
from embertown.server.table import Table

MOST_ANSWERS = 200
"""Answers that a table remembers; a repeat comes soon, when a connection broke."""


class Connection(Protocol):
    """Somebody who follows a table."""

    guest: str | None
    viewer: int | None
    """With whose eyes: a seat, or None for a spectator."""
    muted: set[str]
    """Guests whose chat is not wanted here."""
    is_program: bool
    """Whether it is a program's stream, and no page."""

    def send(self, text: str) -> None:
        """Hand over a message; never waits."""

    def close(self, code: str) -> None:
        """End the connection, with a reason."""


class Follower(Protocol):
    """Somebody who wants to be at every table at which a guest comes to sit."""

    def seated(self, room: Room) -> None:
        """Who sits where has changed at a table of the guest's; under the room's lock."""

    def close(self, code: str) -> None:
        """End it, with a reason."""


@dataclass(slots=True)
class Wish:
    """Somebody wants a decision back."""

    seat: int
    number: int
    """Of the last entry that would stay."""
    at: int
    """The number of the last entry when it was asked for."""
    waiting: set[int]
    """The seats that have not agreed yet."""

    def told(self) -> TakebackWish:
        """As it travels."""
        return {"seat": self.seat, "number": self.number, "waiting": sorted(self.waiting)}


@dataclass(slots=True)
class Thought:
    """A bot at work for a seat."""

    number: int
    """Of the last entry that it knows."""
    bot: str
    task: asyncio.Task[None]


@dataclass(eq=False, slots=True)
class Room:
    """A table in use."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    connections: set[Connection] = field(default_factory=set)
    told: dict[int | None, wire.Told | None] = field(default_factory=dict)
    """What was last told, by viewer."""
    turns: dict[int, int] = field(default_factory=dict)
    """By seat that is waited for: the number of the last entry when it was told what it may do."""
    senders: dict[tuple[str, str], int] = field(default_factory=dict)
    """The number that a sender's message became."""
    answers: dict[tuple[str | None, str], int | None] = field(default_factory=dict)
    """The last answers to messages that are not decisions, by guest and id: a repeat does nothing again."""
    wish: Wish | None = None
    again: set[int] = field(default_factory=set)
    """Seats that want a rematch."""
    thoughts: dict[int, Thought] = field(default_factory=dict)
    timers: dict[str, asyncio.TimerHandle] = field(default_factory=dict)
    next_table: str | None = None
    chat_number: int = 0
    used: float = 0.0
    """When somebody last asked for the table."""
    marked: float = 0.0
    """When the table's row last followed."""
    is_dead: bool = False
    """Thrown away after a failed write: whoever still holds it must read the table again."""

    def __post_init__(self) -> None:
        """What the entries tell about senders."""
        self.remember(self.table.entries)
        self.next_table = self.table.row.next_id

    def remember(self, entries: Iterable[LogEntry]) -> None:
        """Whose messages became which entries, so that a repeat is answered as before."""
        for entry in entries:
            if entry.guest is not None and entry.sender is not None:
                self.senders[entry.guest, entry.sender] = entry.number

    def keep_answer(self, guest: str | None, asked: str, number: int | None) -> None:
        """Remember an answer; of many the oldest are forgotten."""
        self.answers[guest, asked] = number
        while len(self.answers) > MOST_ANSWERS:
            del self.answers[next(iter(self.answers))]

    # ---- who is here

    @property
    def here(self) -> set[str]:
        """The guests that are connected."""
        return {each.guest for each in self.connections if each.guest is not None}

    @property
    def spectators(self) -> int:
        """How many connections hold no seat."""
        return sum(not self.table.seats_of(each.guest) for each in self.connections)

    # ---- telling

    def whole(self, connection: Connection, since: int, now: float) -> str:
        """The table as one connection may know it."""
        viewer = connection.viewer
        key = self.table.viewer(viewer)
        known = wire.told(self.table, key, self.told.get(key))
        self.told.setdefault(key, known)  # what others were told last, with the same eyes, stays what news begin from
        message = wire.whole(
            self.table,
            viewer,
            since,
            facts=None if known is None else known.facts,
            guest=connection.guest,
            here=self.here,
            spectators=self.spectators,
            takeback=None if self.wish is None else self.wish.told(),
            next_table=self.next_table,
            hints=self.gives_hints(connection),
            now=now,
        )
        return wire.encode(message)

    def tell_news(self, since: int, now: float) -> None:
        """The entries after a number to everyone, each as it may know them; to whom it is, that it is their turn."""
        by_viewer: dict[int | None, list[Connection]] = {}
        for connection in self.connections:
            by_viewer.setdefault(self.table.viewer(connection.viewer), []).append(connection)
        for viewer in [each for each in self.told if each not in by_viewer]:
            del self.told[viewer]
        for viewer, connections in by_viewer.items():
            before = self.told.get(viewer)
            after = self.told[viewer] = wire.told(self.table, viewer, before)
            text = wire.encode(wire.news(self.table, viewer, since, before, after, now))
            for connection in connections:
                connection.send(text)
        waiting = self.table.waiting
        for seat in [each for each in self.turns if each not in waiting]:
            del self.turns[seat]
        for seat in waiting:
            if seat not in self.turns or not self.table.is_fresh(seat, self.turns[seat] + 1):
                self.turns[seat] = self.table.number
                self.tell_turn(seat)

    def tell_turn(self, seat: int) -> None:
        """What a seat may do, to those who sit there and may see with its eyes."""
        sitting = self.table.seats[seat]
        if not sitting.is_person:
            return
        owners = [each for each in self.connections if each.guest == sitting.guest and self.sees_with(each, seat)]
        message = wire.turn(self.table, seat) if owners else None
        if message is None:
            return
        text = wire.encode(message)
        for connection in owners:
            connection.send(text)

    def tell_turns(self, connection: Connection) -> None:
        """To one who comes or looks with other eyes: what its seats may do that are waited for."""
        for seat in self.table.seats_of(connection.guest):
            if self.table.seats[seat].is_person and self.sees_with(connection, seat):
                told = wire.turn(self.table, seat)
                if told is not None:
                    connection.send(wire.encode(told))

    def sees_with(self, connection: Connection, seat: int) -> bool:
        """Whether a connection may be told what this seat knows."""
        return not self.table.game.has_secrets or connection.viewer == seat

    def gives_hints(self, connection: Connection) -> bool:
        """Whether a connection may be told what is good to do: a person, and no other person plays against it."""
        table, guest = self.table, connection.guest
        return not connection.is_program and bool(table.seats_of(guest)) and not table.others(guest)

    def close_eyes(self, now: float) -> None:
        """Whoever has given up a seat sees with its eyes no more."""
        for connection in self.connections:
            if connection.viewer is not None and connection.viewer not in self.table.seats_of(connection.guest):
                connection.viewer = None
                connection.send(self.whole(connection, self.table.number, now))

    def tell(self, message: Outgoing) -> None:
        """The same to everyone."""
        text = wire.encode(message)
        for connection in self.connections:
            connection.send(text)

    def tell_seats(self) -> None:
        """Who sits where and who is here; each is told which seats are its own."""
        texts: dict[tuple[str | None, bool], str] = {}
        here, spectators = self.here, self.spectators
        for connection in self.connections:
            guest = connection.guest if self.table.seats_of(connection.guest) else None
            kind = guest, self.gives_hints(connection)
            if kind not in texts:
                seats = wire.seats(self.table, guest, here)
                message: SeatsMessage = {
                    "type": "seats",
                    "seats": seats,
                    "spectators": spectators,
                    "hints": kind[1],
                }
                texts[kind] = wire.encode(message)
            connection.send(texts[kind])

    def tell_wish(self) -> None:
        """Who wants a decision back."""
        message: TakebackMessage = {"type": "takeback", "seat": None, "number": None, "waiting": []}
        if self.wish is not None:
            message = {"type": "takeback", **self.wish.told()}
        self.tell(message)

    def tell_thinking(self, seat: int, bot: str, *, thinking: bool) -> None:
        """Whether a bot thinks."""
        message: ThinkingMessage = {"type": "thinking", "seat": seat, "bot": bot, "thinking": thinking}
        self.tell(message)

    def tell_next(self) -> None:
        """The next table, or who wants one."""
        message: NextMessage = {"type": "next", "table": self.next_table, "asked": sorted(self.again)}
        self.tell(message)

    # ---- timers

    def set_timer(self, name: str, timer: asyncio.TimerHandle | None) -> None:
        """Exchange a timer for another, or for none."""
        old = self.timers.pop(name, None)
        if old is not None:
            old.cancel()
        if timer is not None:
            self.timers[name] = timer

    def stop(self) -> None:
        """No timer and no thought goes on."""
        for name in list(self.timers):
            self.set_timer(name, None)
        for thought in self.thoughts.values():
            thought.task.cancel()
        self.thoughts.clear()
