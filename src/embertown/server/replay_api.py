"""HTTP: replays of tables and of records. Thin: `replaying` makes them, aside from the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Query, Request, Response

from embertown.core.files import RECORD_LIMIT
from embertown.server import records, replaying, wire
from embertown.server.errors import Refused
from embertown.server.forms import RecordReplay, TableReplay
from embertown.server.messages import SeatNumber
from embertown.server.rest import REFUSALS, Anyone, Watched, eyes_of, guest_of, id_of

router = APIRouter(prefix="/api", responses=REFUSALS)

Theme = Annotated[str | None, Query(max_length=40, description="Of the artwork; the game's own where none is given.")]
A_RECORD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A record, as `GET /api/tables/{table}/record` answers it.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


LIMITED = [Depends(guest_of)]
"""Who asks does not matter, how often does."""
_aside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="replays")
"""One at a time: replays take tens of milliseconds, and moves must not wait for many of them."""


async def answered(make: Callable[[], Any]) -> Response:
    """An answer in JSON, made aside from the loop."""

    def made() -> bytes:
        return orjson.dumps(make())

    body = await asyncio.get_running_loop().run_in_executor(_aside, made)
    return Response(body, media_type="application/json")


@router.get("/tables/{table}/replay", response_model=None, responses={200: {"model": TableReplay}})
async def table_replay(room: Watched, guest: Anyone, seat: SeatNumber | None = None) -> Response:
    """A table's game step by step, as a spectator or, with `seat`, the player of an own seat may know it."""
    async with room.lock:
        viewer = eyes_of(room, guest, seat)
        seats = wire.seats(room.table, id_of(guest), room.here)
        told = replaying.Told(room.table, viewer, seats)
    return await answered(lambda: replaying.of_table(told))


@router.post(
    "/records/replay",
    response_model=None,
    responses={200: {"model": RecordReplay}},
    openapi_extra=A_RECORD,
    dependencies=LIMITED,
)
async def record_replay(request: Request, theme: Theme = None) -> Response:
    """A record's game step by step, checked by the rules; nothing is stored."""
    text = await text_of(request)
    return await answered(lambda: replaying.of_record(*records.checked(text), theme))


async def text_of(request: Request) -> str:
    """A request's body, which is a text."""
    body = await request.body()
    if len(body) > RECORD_LIMIT:
        raise Refused("body_too_large", status=413, kib=RECORD_LIMIT // 1024)
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise records.RecordRefused(records.MALFORMED, "", None, "is no text in UTF-8") from None
