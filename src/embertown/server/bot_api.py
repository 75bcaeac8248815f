"""Programs that play: one HTTP stream with all that happens at a guest's tables, and requests for decisions.

What is streamed are the messages of the live protocol, each in a line of its own with its table and the seat that it is
for. A table at which the guest comes to sit while the stream is open joins it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import Field, StringConstraints

from embertown.server import messages, wire
from embertown.server.errors import Refused
from embertown.server.identity import Guest
from embertown.server.limits import Kind, address_key, guest_key
from embertown.server.messages import AnswerMessage, ByeMessage, Incoming, PreviewsMessage
from embertown.server.rest import BEARER, REFUSALS, Server, TableId
from embertown.server.room import Room
from embertown.server.services import Services
from embertown.server.store import queries

router = APIRouter(prefix="/api/bot", responses=REFUSALS, tags=["programs"])

KEEP_ALIVE = 6.0
"""Seconds after which an empty line says that the stream is alive."""
MOST_UNSENT = 2000
"""Lines that may wait for a slow reader."""
MOST_TABLES = 100
"""Tables that a stream begins with, those that changed last."""
NDJSON = "application/x-ndjson"

Since = Annotated[str, StringConstraints(pattern=r"^[a-z2-7]{12}:[0-9]{1,7}$")]


# ---- the stream


class StreamSeat:
    """One seat of one table, in a stream: to the table it is a connection like any other."""

    is_program = True

    def __init__(self, stream: EventStream, table: str, seat: int) -> None:
        self.stream, self.table, self.seat = stream, table, seat
        self.guest: str | None = stream.guest.id
        self.viewer: int | None = seat
        self.muted = stream.muted

    def send(self, text: str) -> None:
        """Hand over a message."""
        self.stream.put(f'{{"table":"{self.table}","viewer":{self.seat},"message":{text}}}')

    def close(self, code: str) -> None:
        """The stream ends as a whole: its reader comes back for what it missed."""
        self.stream.close(code)


class EventStream:
    """All that a guest's program is told, in order; a reader who is far behind is let go."""

    def __init__(self, services: Services, guest: Guest, since: dict[str, int]) -> None:
        self.services, self.guest, self.since = services, guest, since
        self.muted: set[str] = set()
        self.attached: dict[tuple[str, int], tuple[Room, StreamSeat]] = {}
        self._unsent: deque[str] = deque()
        self._wake = asyncio.Event()
        self._ending: str | None = None

    def put(self, line: str) -> None:
        """Hand over a line; never waits."""
        if len(self._unsent) >= MOST_UNSENT:
            self.close("too_slow")
            return
        self._unsent.append(line)
        self._wake.set()

    def close(self, code: str) -> None:
        """End the stream, with a reason, after what is unsent."""
        if self._ending is None:
            self._ending = code
            self._wake.set()

    async def lines(self) -> AsyncIterator[str]:
        """What is handed over, and now and then an empty line, until the stream is to end."""
        while True:
            while self._unsent:
                yield self._unsent.popleft() + "\n"
            if self._ending is not None:
                yield wire.encode({"table": None, "viewer": None, "message": self._bye(Refused(self._ending))}) + "\n"
                return
            try:
                async with asyncio.timeout(KEEP_ALIVE):
                    await self._wake.wait()
            except TimeoutError:
                yield "\n"
            self._wake.clear()

    def _bye(self, error: Refused) -> ByeMessage:
        return {"type": "bye", "code": error.code, "sentence": error.sentence(self.guest.language)}

    # ---- tables

    @asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        """Be at every table of the guest's for as long as the block runs."""
        followers = self.services.hall.followers
        followers.setdefault(self.guest.id, set()).add(self)
        try:
            self.muted |= set(await self.services.database.read(queries.muted_by, self.guest.id))
            for table in await self._tables():
                await self._come_to(table)
            yield
        finally:
            followers[self.guest.id].discard(self)
            if not followers[self.guest.id]:
                del followers[self.guest.id]
            for key in list(self.attached):
                self._leave(key)

    async def _tables(self) -> list[str]:
        """Those that are open or played, and those that the reader knows: they may have ended meanwhile."""
        found = await self.services.database.read(queries.tables_of_guest, self.guest.id, limit=MOST_TABLES)
        return [
            each.table.id for each in found if each.table.status in ("open", "playing") or each.table.id in self.since
        ]

    async def _come_to(self, table: str) -> None:
        room = await self.services.hall.room(table)
        async with room.lock:  # what is being written is not told before it is durable
            self.services.hall.check_alive(room)
            self.seated(room)

    def seated(self, room: Room) -> None:
        """Come to the seats that are the guest's now, and leave those that are not any more; under the room's lock."""
        table = room.table
        mine = table.seats_of(self.guest.id)
        eyes = mine if table.game.has_secrets else mine[:1]  # where all see the same, one pair is enough
        name = table.row.id
        for key in [each for each in self.attached if each[0] == name and each[1] not in eyes]:
            self.attached[key][1].send(wire.encode(self._bye(Refused("not_your_seat", seat=key[1]))))
            self._leave(key)
        for seat in eyes:
            if (name, seat) not in self.attached:
                self._attach(room, StreamSeat(self, name, seat))

    def _attach(self, room: Room, seat: StreamSeat) -> None:
        seat.send(room.whole(seat, self.since.get(seat.table, 0), self.services.hall.clock()))
        self.services.hall.enter(room, seat)
        self.attached[seat.table, seat.seat] = room, seat
        room.tell_turns(seat)

    def _leave(self, key: tuple[str, int]) -> None:
        room, seat = self.attached.pop(key)
        self.services.hall.leave(room, seat)


class EventsResponse(StreamingResponse):
    """The stream as an answer: what it holds on to is let go however the request ends."""

    def __init__(self, stream: EventStream, address: str | None) -> None:
        super().__init__(stream.lines(), media_type=NDJSON, headers={"cache-control": "no-store"})
        self.stream, self.address = stream, address

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Stream until one side ends it."""
        limits = self.stream.services.limits
        with limits.connected(address_key(self.address), guest_key(self.stream.guest.id)):
            async with self.stream.following():
                await super().__call__(scope, receive, send)


# ---- who asks


def _host(request: Request) -> str | None:
    return None if request.client is None else request.client.host


async def program_of(request: Request, server: Server) -> Guest:
    """For whom a program acts: by its token alone."""
    server.limits.check(Kind.MESSAGES, address_key(_host(request)))
    authorization = request.headers.get("authorization", "")
    guest = None
    if authorization.startswith(BEARER):
        guest = await server.guests.by_token(authorization.removeprefix(BEARER))
    if guest is None:
        raise Refused("bad_token", status=401)
    server.limits.check(Kind.MESSAGES, guest_key(guest.id))
    return guest


Program = Annotated[Guest, Depends(program_of)]


# ---- requests


class PlayWish(Incoming):
    """A decision."""

    seat: messages.SeatNumber
    number: messages.Number = Field(description="The number that the entry is expected to get.")
    action: messages.ActionText = Field(description="As it stands in `turn`.")


class PreviewWish(Incoming):
    """What actions would bring about."""

    seat: messages.SeatNumber
    actions: Annotated[list[messages.ActionText], Field(min_length=1, max_length=messages.MAX_PREVIEWS)]


class EntropyWish(Incoming):
    """Add to the shuffles, before the start."""

    seat: messages.SeatNumber
    entropy: messages.EntropyText = Field(description="Any printable text.")


class ResignWish(Incoming):
    """Give up."""

    seat: messages.SeatNumber


class TakebackAnswer(Incoming):
    """Agree with what another asks for, or refuse it; or ask oneself."""

    seat: messages.SeatNumber
    number: messages.Number = Field(description="The number of the last entry that would stay.")
    agree: bool


def _answer(wish: Incoming, number: int | None) -> AnswerMessage:
    return {"type": "answer", "id": wish.id, "number": number}


@router.get("/events", response_class=StreamingResponse, responses={200: {"content": {NDJSON: {}}}})
async def events(
    request: Request,
    server: Server,
    guest: Program,
    since: Annotated[
        list[Since],
        Query(max_length=MOST_TABLES, description="By table, the number of the last entry that is known: `id:number`."),
    ] = [],  # noqa: B006
) -> StreamingResponse:
    """All that happens at the tables where one sits: lines of JSON, each with `table`, `viewer` and `message`."""
    known = {table: int(number) for table, _, number in (each.partition(":") for each in since)}
    return EventsResponse(EventStream(server, guest, known), _host(request))


@router.post("/tables/{table}/play")
async def play(table: TableId, wish: PlayWish, server: Server, guest: Program) -> AnswerMessage:
    """Decide for a seat of one's own."""
    message = messages.Play(type="play", id=wish.id, seat=wish.seat, number=wish.number, action=wish.action)
    return _answer(wish, await server.hall.play(await _own_room(server, guest, table), guest.id, message))


@router.post("/tables/{table}/preview")
async def preview(table: TableId, wish: PreviewWish, server: Server, guest: Program) -> PreviewsMessage:
    """Ask what actions would bring about."""
    room = await _own_room(server, guest, table)
    async with room.lock:
        server.hall.check_seat(room, guest.id, wish.seat)
        return wire.previews(room.table, wish.seat, wish.id, wish.actions)


@router.post("/tables/{table}/entropy")
async def entropy(table: TableId, wish: EntropyWish, server: Server, guest: Program) -> AnswerMessage:
    """Add to the shuffles, before the start."""
    room = await _own_room(server, guest, table)
    message = messages.Entropy(type="entropy", id=wish.id, seat=wish.seat, entropy=wish.entropy)
    return _answer(wish, await server.hall.add_entropy(room, guest.id, message))


@router.post("/tables/{table}/resign")
async def resign(table: TableId, wish: ResignWish, server: Server, guest: Program) -> AnswerMessage:
    """Give up."""
    room = await _own_room(server, guest, table)
    message = messages.Resign(type="resign", id=wish.id, seat=wish.seat)
    return _answer(wish, await server.hall.resign(room, guest.id, message, server.settings.stand_in))


@router.post("/tables/{table}/takeback")
async def takeback(table: TableId, wish: TakebackAnswer, server: Server, guest: Program) -> AnswerMessage:
    """Answer somebody who wants a decision back, or ask for one's own."""
    room = await _own_room(server, guest, table)
    message = messages.Takeback(type="takeback", id=wish.id, seat=wish.seat, number=wish.number, agree=wish.agree)
    return _answer(wish, await server.hall.take_back(room, guest.id, message))


async def _own_room(server: Services, guest: Guest, table: str) -> Room:
    """A table at which the guest sits; any other is answered like one that is not there."""
    room = await server.hall.room(table)
    if not room.table.seats_of(guest.id):
        raise Refused("no_such_table", status=404)
    return room
