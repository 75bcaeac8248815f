"""HTTP: replays and trials. Thin: `replaying` and `trying` make them, aside from the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import APIRouter, Depends, Query, Request, Response

from embertown.core.files import RECORD_LIMIT
from embertown.core.game import State
from embertown.server import records, replaying, trying, wire
from embertown.server.errors import Refused
from embertown.server.forms import RecordPictureWish, RecordReplay, RecordTryWish, TableReplay, Tried, TryWish
from embertown.server.limits import Kind
from embertown.server.messages import Language, Number, SeatNumber
from embertown.server.packing import Packed, is_wanted
from embertown.server.rest import REFUSALS, Anyone, Server, Theme, Watched, address_of, eyes_of, guest_of, id_of
from embertown.server.services import Services
from embertown.server.table import Table

Made = TypeVar("Made")

router = APIRouter(prefix="/api", responses=REFUSALS)

EntryNumber = Annotated[Number | None, Query(description="After which entry; now where none is given.")]
A_RECORD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A record, as `GET /api/tables/{table}/record` answers it.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


def limited(request: Request, server: Server) -> None:
    """How often an address may ask for what takes time."""
    server.limits.check(Kind.REPLAYS, address_of(request))


LIMITED = [Depends(limited)]
ANYBODY = [Depends(guest_of), *LIMITED]
"""Who asks does not matter, how often does."""
MOST_WAITING = 50
"""Requests that may wait to be worked on."""
BUSY_RETRY_S = 2.0


class Aside:
    """Where replays are made: in a thread, one at a time; they take tens of milliseconds, and moves must not wait."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="replays")
        self.waiting = 0

    async def made(self, make: Callable[[], Made]) -> Made:
        """What comes of it; `Refused` where too many wait already."""
        if self.waiting >= MOST_WAITING:
            raise Refused("busy", status=503, retry_after=BUSY_RETRY_S)
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self.thread, make)
        finally:
            self.waiting -= 1


_aside = Aside()


async def answered(server: Services, make: Callable[[], Any], *, packs: bool = False) -> Response:
    """An answer in JSON, made aside from the loop once the kernels are ready; gzipped there where it `packs`."""
    server.check_warm()
    made = await _aside.made(lambda: Packed.of(orjson.dumps(make()), wanted=packs))
    return made.answer()


@router.get(
    "/tables/{table}/replay", response_model=None, responses={200: {"model": TableReplay}}, dependencies=LIMITED
)
async def table_replay(
    room: Watched, guest: Anyone, server: Server, request: Request, seat: SeatNumber | None = None
) -> Response:
    """A table's game step by step, as a spectator or, with `seat`, the player of an own seat may know it."""
    async with room.lock:
        viewer = eyes_of(room, guest, seat)
        seats = wire.seats(room.table, id_of(guest), room.here)
        told = replaying.Told(room.table, viewer, seats)
    packs = viewer is None and is_wanted(request)  # what a seat knows is a secret (`packing`)
    return await answered(server, lambda: replaying.of_table(told), packs=packs)


@router.post(
    "/records/replay",
    response_model=None,
    responses={200: {"model": RecordReplay}},
    openapi_extra=A_RECORD,
    dependencies=LIMITED,
)
async def record_replay(request: Request, server: Server, theme: Theme = None) -> Response:
    """A record's game step by step, checked by the rules; nothing is stored."""
    text = await text_of(request)
    return await answered(server, lambda: replaying.of_record(*records.checked(text), theme), packs=is_wanted(request))


@router.get("/tables/{table}/board.svg", response_class=Response)
async def table_picture(
    room: Watched,
    guest: Anyone,
    seat: SeatNumber | None = None,
    at: EntryNumber = None,
    theme: Theme = None,
    night: Annotated[bool, Query(description="By night.")] = False,
    language: Language = "en",
) -> Response:
    """The board as a picture: now, or as it was after an entry; by day or by night."""
    how: dict[str, Any] = {"language": language, "night": night} | ({} if theme is None else {"theme": theme})
    async with room.lock:
        viewer = eyes_of(room, guest, seat)
        if at is None:
            drawn = wire.picture(room.table, viewer, **how).encode()
        else:
            told = replaying.Told(room.table, viewer, [])
            number = told.whole_entry(at)
    if at is not None:
        drawn = await _aside.made(lambda: wire.picture(told.table_at(number), viewer, **how).encode())
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "no-store"})


@router.post("/tables/{table}/try", response_model=None, responses={200: {"model": Tried}}, dependencies=LIMITED)
async def try_at_table(room: Watched, guest: Anyone, server: Server, wish: TryWish) -> Response:
    """Try moves from what one may know: nothing is stored, and nobody is told."""
    async with room.lock:
        viewer = eyes_of(room, guest, wish.seat)
        make = _trial(room.table, viewer, wish)
    return await answered(server, make)


def _trial(table: Table, viewer: int | None, wish: TryWish) -> Callable[[], Tried]:
    """What tries it, made under the table's lock of what is needed; it works aside."""
    told = replaying.Told(table, viewer, [])
    view = table.view(table.viewer(viewer))
    if view is None:
        raise Refused("not_started")
    if wish.at is None and not told.whole:
        number = table.number
        return lambda: trying.tried(trying.from_view(view), viewer, wish.actions, at=number, whole=False)
    at = told.whole_entry(table.number if wish.at is None else wish.at)

    def make() -> Tried:
        then = told.table_at(at)
        if then.state is None:
            raise Refused("not_started")
        if told.whole:
            start = trying.from_revealed(then.state)
        else:
            start = trying.from_view(then.state.view(then.viewer(viewer)))
        return trying.tried(start, viewer, wish.actions, at=at, whole=told.whole)

    return make


@router.post("/records/try", response_model=None, responses={200: {"model": Tried}}, dependencies=ANYBODY)
async def try_in_record(server: Server, wish: RecordTryWish) -> Response:
    """Try moves in a record's game, which is checked by the rules; nothing is stored."""

    def make() -> Tried:
        state, at = _recorded(wish)
        return trying.tried(trying.from_revealed(state), None, wish.actions, at=at, whole=True)

    return await answered(server, make)


@router.post("/records/board.svg", response_class=Response, dependencies=ANYBODY)
async def record_picture(server: Server, wish: RecordPictureWish) -> Response:
    """The board of a record's game as a picture: at its end, or after an entry; nothing is stored."""
    how: dict[str, Any] = {"language": wish.language, "night": wish.night}
    if wish.theme is not None:
        how["theme"] = wish.theme
    server.check_warm()
    drawn = await _aside.made(lambda: _recorded(wish)[0].svg(**how).encode())
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "no-store"})


def _recorded(wish: RecordTryWish | RecordPictureWish) -> tuple[State[Any], int]:
    """A record's game as it was after the entry that is asked for, and its number."""
    record, state, _ = records.checked_values(wish.record)
    last = len(state.log) + len(list(replaying.ends_of(record)))
    at = last if wish.at is None else wish.at
    if at > last:
        raise Refused("no_such_entry", status=404, number=at, last=last)
    return replaying.state_at(state, at), at


async def text_of(request: Request) -> str:
    """A request's body, which is a text."""
    body = await request.body()
    if len(body) > RECORD_LIMIT:
        raise Refused("body_too_large", status=413, kib=RECORD_LIMIT // 1024)
    return records.text_of(body)
