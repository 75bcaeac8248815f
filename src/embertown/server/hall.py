"""The hall: every table in use, and everything that can be done at one.

A wish is granted in this order: known already (a repeat)? allowed? the rules? then it is written, and only when it is
durable it is answered and told. One wish at a time for each table. Where writing fails the table in memory is thrown
away: the log is the truth.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from embertown.server import entries as log
from embertown.server import fair, messages, wire
from embertown.server.clocks import stamp
from embertown.server.entries import LogEntry
from embertown.server.errors import Refused
from embertown.server.messages import EntryFacts
from embertown.server.outbox import Outbox
from embertown.server.room import Connection, Follower, Room, Wish
from embertown.server.store import changes, queries
from embertown.server.store.database import Database
from embertown.server.store.errors import Conflict, StoreFailure
from embertown.server.store.rows import SeatRow
from embertown.server.store.writer import Write, Writer
from embertown.server.table import BrokenTable, Sitting, rebuilt
from embertown.server.takeback import must_agree

logger = logging.getLogger("embertown.server")

Statements = tuple[Any, ...]
Durable = Callable[[int], None]
"""Called with the number of what is durable now, before anyone is told."""
T = TypeVar("T")


KEPT_UNUSED = 300.0
"""Seconds that a table stays in memory after somebody asked for it."""
MARKED_EVERY = 60.0
"""Seconds after which a table's row says again that it is in use."""


def _nothing(room: Room) -> None:
    """Nothing is due."""


def _always(room: Room) -> bool:  # noqa: ARG001
    """Nothing keeps it."""
    return True


class Stale(Refused):
    """A decision that does not know what happened meanwhile; it comes with what was missed."""

    def __init__(self, missed: list[EntryFacts], number: int) -> None:
        super().__init__("stale", number=number)
        self.missed = missed


class Hall:
    """All tables, and the one way to change them."""

    def __init__(self, database: Database, writer: Writer, *, clock: Callable[[], float] = time.time) -> None:
        self.database, self.writer, self.clock = database, writer, clock
        self.rooms: dict[str, Room] = {}
        self.connections = 0
        """Everybody who follows some table."""
        self.moves: Counter[str] = Counter()
        """Decisions that were stored, of `person` and of `bot`."""
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._settling: set[asyncio.Task[None]] = set()
        self.outbox = Outbox()
        """What all live connections send."""
        self.followers: dict[str, set[Follower]] = {}
        """By guest: who wants to be at every table of theirs."""
        self.on_change: Callable[[Room], None] = _nothing
        """Called after every change: bots, clocks and the next game are others' affair."""
        self.on_idle: Callable[[Room], bool] = _always
        """Whether a table that nobody follows may leave the memory."""

    # ---- tables in memory

    async def room(self, table_id: str) -> Room:
        """A table in use, read from the store where it is not in memory; `Refused` where there is none."""
        found = self.rooms.get(table_id)
        if found is not None:
            found.used = self.clock()
            return found
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(task)

    async def _load(self, table_id: str) -> Room:
        loaded = await self.database.read(queries.load_table, table_id)
        if loaded is None:
            raise Refused("no_such_table", status=404)
        try:
            table = rebuilt(loaded)
        except BrokenTable:
            logger.exception("a table can't be rebuilt from its log")
            raise Refused("table_damaged", status=500) from None
        room = Room(table)
        room.chat_number = await self.database.read(queries.last_chat_number, table_id)
        room.used = self.clock()
        if table.clocks is not None and table.status == "playing":  # it never leaves the memory while a clock runs
            await self.commit(room, table.resume_clock(self.now()))
        self.rooms[table_id] = room
        return room

    def sweep(self) -> None:
        """Let tables go that nobody follows and nobody has asked for in a while."""
        for room in list(self.rooms.values()):
            if self.clock() - room.used > KEPT_UNUSED:
                self.forget_if_idle(room)

    def now(self) -> str:
        """The time as it stands in the log."""
        return stamp(self.clock())

    def enter(self, room: Room, connection: Connection) -> None:
        """Somebody follows the table from now on; under the room's lock."""
        if self.rooms.setdefault(room.table.row.id, room) is not room:
            raise Refused("reload", status=503)  # it left the memory meanwhile, and was read again
        self.connections += connection not in room.connections
        room.connections.add(connection)
        room.tell_seats()
        self.on_change(room)

    def leave(self, room: Room, connection: Connection) -> None:
        """Somebody is gone; what follows from that waits until nothing is being written at the table."""
        self.connections -= connection in room.connections
        room.connections.discard(connection)
        if not room.lock.locked():
            self._settle(room)
            self.forget_if_idle(room)
            return
        task = asyncio.get_running_loop().create_task(self._settle_later(room))
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)

    def _settle(self, room: Room) -> None:
        """After somebody left: tell the others, and let what is due begin or end."""
        if room.connections:
            room.tell_seats()
        self.on_change(room)

    async def _settle_later(self, room: Room) -> None:
        """The same, once it may be; others may wait for the table behind this, so that it leaves the memory later."""
        async with room.lock:
            self._settle(room)

    def dismiss(self, code: str, guest: str | None = None) -> None:
        """End all connections, with a reason; or only those of one guest."""
        for room in list(self.rooms.values()):
            for connection in list(room.connections):
                if guest is None or connection.guest == guest:
                    connection.close(code)
        for each in list(self.followers) if guest is None else [guest]:
            self.dismiss_programs(code, each)

    def dismiss_programs(self, code: str, guest: str) -> None:
        """End the streams of a guest's programs, with a reason."""
        for follower in list(self.followers.get(guest, ())):
            follower.close(code)

    def forget_if_idle(self, room: Room) -> None:
        """Let a table go that nobody follows and nothing is due at."""
        if not room.connections and not room.lock.locked() and self.on_idle(room):
            self._forget(room)

    def _forget(self, room: Room) -> None:
        room.stop()
        if self.rooms.get(room.table.row.id) is room:
            del self.rooms[room.table.row.id]

    # ---- writing

    async def commit(
        self,
        room: Room,
        written: Sequence[LogEntry],
        statements: Statements = (),
        *,
        durable: Callable[[int], None] | None = None,
    ) -> None:
        """Write entries with whatever belongs to them; when they are durable, answer and tell everyone.

        Under the room's lock; `durable` is called with the number of the first.
        """
        table = room.table
        rows = tuple(changes.logged(table.row.id, each) for each in written)
        if self._must_mark(room, written):
            room.marked = self.clock()
            bots = any(sitting.bot is not None for sitting in table.seats)
            mark = changes.set_table(table.row.id, status=table.status, changed_at=self.now(), bots=bots)
            statements = (*statements, mark)
        told = asyncio.get_running_loop().create_future()
        after = partial(self._after_writing, told, room, written, durable)
        try:
            self.writer.submit(Write(rows, statements), after)
        except StoreFailure as fault:
            after(fault)
        await told  # whoever waits may be cancelled: what follows from the entries happens nevertheless

    def _after_writing(
        self,
        told: asyncio.Future[None],
        room: Room,
        written: Sequence[LogEntry],
        durable: Callable[[int], None] | None,
        fault: Conflict | StoreFailure | None,
    ) -> None:
        """Tell everyone, or throw the table away; then let the caller go on."""
        try:
            if fault is None:
                self._tell(room, written, durable)
            else:
                self._throw_away(room)
                logger.warning("table %s: not written: %s", room.table.row.id, fault)
        except Exception as error:
            if told.done():
                raise
            told.set_exception(error)
        if told.done():
            return
        if fault is None:
            told.set_result(None)
        else:
            told.set_exception(Refused("not_stored", status=503))

    def _tell(self, room: Room, written: Sequence[LogEntry], durable: Callable[[int], None] | None) -> None:
        """What follows from entries that are durable."""
        table = room.table
        room.remember(written)
        if durable is not None:
            durable(written[0].number)
        is_over = table.status != "playing"
        if room.wish is not None and (
            is_over or any(not each.is_of_table or each.word == "takeback" for each in written)
        ):
            room.wish = None
            room.tell_wish()
        seats_changed = any(each.word == log.SEAT for each in written)
        if seats_changed:
            room.close_eyes(self.clock())
        if written:
            room.tell_news(written[0].number - 1, self.clock())
        if seats_changed:
            self._tell_followers(room)
        self.on_change(room)
        self.outbox.empty()

    def _tell_followers(self, room: Room) -> None:
        """Those who follow a guest that sits here now, or sat here."""
        guests = {sitting.guest for sitting in room.table.seats} | room.here
        for guest in guests - {None}:
            for follower in list(self.followers.get(guest or "", ())):
                follower.seated(room)

    def _must_mark(self, room: Room, written: Sequence[LogEntry]) -> bool:
        """Whether the table's row has to follow: not for every decision, as most change nothing in it."""
        is_changed = room.table.status != "playing" or any(each.is_of_table for each in written)
        return is_changed or self.clock() - room.marked > MARKED_EVERY

    def _throw_away(self, room: Room) -> None:
        room.is_dead = True
        self._forget(room)
        for connection in list(room.connections):
            connection.close("reload")

    # ---- what may be wished for

    def check_alive(self, room: Room) -> None:
        """Whether this is still the table in use."""
        if room.is_dead:
            raise Refused("not_stored", status=503)

    def check_seat(self, room: Room, guest: str | None, seat: int) -> None:
        """Whether a seat belongs to a guest."""
        if seat not in room.table.seats_of(guest):
            raise Refused("not_your_seat", status=403, seat=seat)

    async def _once(
        self,
        room: Room,
        guest: str,
        sender: str | None,
        act: Callable[[], Awaitable[T]],
        durable: Durable | None = None,
    ) -> int | T:
        """Do what a message asks for, under the room's lock; one that came before has its number already."""
        async with room.lock:
            self.check_alive(room)
            before = None if sender is None else room.senders.get((guest, sender))
            if before is None:
                return await act()
            if durable is not None:
                durable(before)
            return before

    async def play(
        self,
        room: Room,
        guest: str,
        wish: messages.Play,
        durable: Durable | None = None,
        *,
        sees: bool = True,
    ) -> int:
        """A decision; the number that it got, which `durable` learns before anyone is told.

        Whoever does not see with the seat's eyes (`sees`) has to look first: what is refused tells what the seat knows.
        """
        return await self._once(
            room, guest, wish.id, lambda: self._play(room, guest, wish, durable, sees=sees), durable
        )

    async def _play(self, room: Room, guest: str, wish: messages.Play, durable: Durable | None, *, sees: bool) -> int:
        self.check_seat(room, guest, wish.seat)
        if not sees:
            raise Refused("look_first", seat=wish.seat)
        table = room.table
        if table.seats[wish.seat].bot is not None:
            raise Refused("bot_plays", seat=wish.seat)
        if not table.is_fresh(wish.seat, wish.number):
            raise Stale(table.told(table.viewer(wish.seat), max(0, wish.number - 1)), table.number)
        written = table.decide(wish.seat, wish.action, self.now(), guest=guest, sender=wish.id)
        await self.commit(room, written, durable=durable)
        self.moves["person"] += 1
        return written[0].number

    async def play_bot(self, room: Room, seat: int, bot: str, number: int, action: str) -> bool:
        """A bot's decision, if it is still wanted; it knew the entries up to a number."""
        async with room.lock:
            table = room.table
            wanted = not room.is_dead and seat in table.waiting and table.seats[seat].bot == bot
            if not wanted or not table.is_fresh(seat, number + 1):
                return False
            await self.commit(room, table.decide(seat, action, self.now()))
            self.moves["bot"] += 1
            return True

    async def start(self, room: Room, guest: str, sender: str | None = None) -> int:
        """Begin, by the one who made the table."""
        return await self._once(room, guest, sender, lambda: self._start(room, guest, sender))

    async def _start(self, room: Room, guest: str, sender: str | None) -> int:
        if guest != room.table.row.host_guest:
            raise Refused("host_only", status=403)
        return await self.begin(room, guest, sender)

    async def add_entropy(self, room: Room, guest: str, wish: messages.Entropy) -> int:
        """Add to the shuffles, before the start; with the last one a rematch begins."""
        return await self._once(room, guest, wish.id, lambda: self._add_entropy(room, guest, wish))

    async def _add_entropy(self, room: Room, guest: str, wish: messages.Entropy) -> int:
        self.check_seat(room, guest, wish.seat)
        table = room.table
        if table.status != "open":
            raise Refused("already_started")
        if table.entropy[wish.seat] is not None:
            raise Refused("entropy_sent", seat=wish.seat)
        written = table.add_entropy(wish.seat, fair.checked_entropy(wish.entropy), self.now(), guest, wish.id)
        await self.commit(room, written)
        await self.begin_if_due(room)
        return written[0].number

    async def begin_if_due(self, room: Room, *, gathered: bool = False) -> None:
        """Begin where a table begins by itself; a rematch once all people have sent entropy, or it is `gathered`.

        Elsewhere entropy comes as people sit down. Under the room's lock.
        """
        table = room.table
        waits = table.follows and table.silent and not gathered
        if table.begins_by_itself and not waits:
            await self.begin(room)

    async def begin(self, room: Room, guest: str | None = None, sender: str | None = None) -> int:
        """Begin; under the room's lock."""
        written = room.table.start(self.now(), guest=guest, sender=sender)
        await self.commit(room, written)
        return written[0].number

    async def sit(
        self, room: Room, seat: int, sitting: Sitting, entropy: str | None, statements: Statements = ()
    ) -> None:
        """Somebody sits down at a seat, before the start; with the last one the game begins. Under the room's lock."""
        table = room.table
        room.turns.pop(seat, None)  # whoever comes has not been told what there is to do
        written = table.sit(seat, sitting, self.now(), guest=sitting.guest)
        if entropy is not None:
            written += table.add_entropy(seat, entropy, self.now(), sitting.guest)
        await self.commit(room, written, (*statements, self.seat_statement(room, seat)))
        room.tell_seats()
        await self.begin_if_due(room)

    def seat_statement(self, room: Room, seat: int) -> Any:
        """What makes the seat's row follow."""
        sitting = room.table.seats[seat]
        is_away = sitting.guest is not None and sitting.bot is not None
        row = SeatRow(room.table.row.id, seat, sitting.guest, sitting.name, sitting.bot, away_bot=is_away)
        return changes.set_seat(row)

    async def stand_in(self, room: Room, guest: str, wish: messages.StandIn) -> int:
        """A player gives a seat to a bot, or takes it back."""
        return await self._once(room, guest, wish.id, lambda: self._stand_in(room, guest, wish))

    async def _stand_in(self, room: Room, guest: str, wish: messages.StandIn) -> int:
        self.check_seat(room, guest, wish.seat)
        if room.table.status != "playing":
            raise Refused("not_playing")
        return await self.put_bot(room, wish.seat, wish.bot, guest, wish.id)

    async def put_bot(
        self, room: Room, seat: int, bot: str | None, guest: str | None = None, sender: str | None = None
    ) -> int:
        """A bot stands in, or with None the person plays again; under the room's lock."""
        sitting = room.table.seats[seat]
        if sitting.bot == bot:
            return room.table.number
        room.turns.pop(seat, None)  # whoever plays now has not been told what there is to do
        written = room.table.sit(
            seat, Sitting(sitting.guest, sitting.name, bot), self.now(), guest=guest, sender=sender
        )
        await self.commit(room, written, (self.seat_statement(room, seat),))
        room.tell_seats()
        return written[0].number

    async def resign(self, room: Room, guest: str, wish: messages.Resign, stand_in: str) -> int:
        """Give up: where several other people play, a bot plays the seat to the end; else the game is over."""
        return await self._once(room, guest, wish.id, lambda: self._resign(room, guest, wish, stand_in))

    async def _resign(self, room: Room, guest: str, wish: messages.Resign, stand_in: str) -> int:
        self.check_seat(room, guest, wish.seat)
        table = room.table
        if table.status != "playing":
            raise Refused("not_playing")
        if len(table.others(guest)) < 2:
            written = table.resign(wish.seat, self.now(), guest, wish.id)
            await self.commit(room, written)
            return written[0].number
        written = table.resign_to_bot(wish.seat, stand_in, self.now(), guest, wish.id)
        await self.commit(room, written, (self.seat_statement(room, wish.seat),))
        room.tell_seats()
        return written[0].number

    async def abort(self, room: Room, guest: str, sender: str) -> int:
        """End a table without a winner: its maker before the start, later whoever plays with no other person."""
        return await self._once(room, guest, sender, lambda: self._abort(room, guest, sender))

    async def _abort(self, room: Room, guest: str, sender: str) -> int:
        table = room.table
        if table.status not in ("open", "playing"):
            raise Refused("not_playing")
        allowed = guest == table.row.host_guest if table.status == "open" else bool(table.seats_of(guest))
        if not allowed or (table.status == "playing" and table.others(guest)):
            raise Refused("may_not_abort", status=403)
        written = table.end(log.ABORT, self.now(), guest, sender)
        await self.commit(room, written)
        return written[0].number

    async def close(self, room: Room) -> None:
        """The host of the server ends a table."""
        async with room.lock:
            self.check_alive(room)
            if room.table.status in ("open", "playing"):
                await self.commit(room, room.table.end(log.CLOSE, self.now()))

    async def flag(self, room: Room, seat: int, stand_in: str) -> None:
        """A seat's clock ran out: a bot stands in; under the room's lock."""
        sitting = room.table.seats[seat]
        written = room.table.flag(seat, self.now())
        written += room.table.sit(seat, Sitting(sitting.guest, sitting.name, stand_in), self.now())
        await self.commit(room, written, (self.seat_statement(room, seat),))
        room.tell_seats()

    async def take_back(self, room: Room, guest: str, wish: messages.Takeback) -> int | None:
        """Ask for a decision back, agree, or refuse; the entry's number once all agree."""
        return await self._once(room, guest, wish.id, lambda: self._take_back(room, guest, wish))

    async def _take_back(self, room: Room, guest: str, wish: messages.Takeback) -> int | None:
        self.check_seat(room, guest, wish.seat)
        if room.table.status != "playing":
            raise Refused("not_playing")
        asked = room.wish
        if not wish.agree:
            room.wish = None
            room.tell_wish()
            return None
        if asked is None or asked.number != wish.number or wish.seat not in {asked.seat, *asked.waiting}:
            asked = Wish(wish.seat, wish.number, room.table.number, set())
            asked.waiting |= set(must_agree(room.table, wish.seat, wish.number))
        asked.waiting -= set(room.table.seats_of(guest))
        if asked.waiting:
            room.wish = asked
            room.tell_wish()
            return None
        written = room.table.take_back(asked.number, self.now(), guest, wish.id)
        await self.commit(room, written)
        return written[0].number

    def previews(self, room: Room, guest: str, wish: messages.Preview) -> str:
        """What actions of an own seat would bring about."""
        self.check_seat(room, guest, wish.seat)
        return wire.encode(wire.previews(room.table, wish.seat, wish.id, wish.actions))
