"""What the host of a server may do: tables, guests, reports, records brought in; over HTTP, with the admin key.

Commands ask a running server by these requests; where none runs, they ask an application that listens nowhere
(`at_home`), so that there is one way to do each thing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from pydantic import BaseModel, Field, StringConstraints

from embertown.core.edition import Checked
from embertown.server import entries as log
from embertown.server.errors import Refused
from embertown.server.importing import brought_in
from embertown.server.limits import Kind, address_key
from embertown.server.services import Services
from embertown.server.settings import Settings
from embertown.server.store import changes, queries
from embertown.server.store.rows import EntryRow, GuestRow, ReportRow, SeatedTable, Status
from embertown.server.store.writer import Write

BEARER = "Bearer "
MOST = 10_000
"""Rows in a list."""

Limit = Annotated[int, Query(ge=1, le=MOST)]


def host_of(request: Request) -> Services:
    """The server, for its host alone: who asks has the admin key."""
    server: Services = request.app.state.services
    server.limits.check(Kind.REQUESTS, address_key(None if request.client is None else request.client.host))
    given = request.headers.get("authorization", "")
    if not given.startswith(BEARER) or not server.keys.is_admin(given.removeprefix(BEARER)):
        raise Refused("bad_token", status=401)
    return server


Server = Annotated[Services, Depends(host_of)]
router = APIRouter(prefix="/api/admin", include_in_schema=False)


# ---- what is told


class HostsSeat(BaseModel):
    """Who sits at a seat."""

    name: str | None
    bot: str | None
    guest: str | None


class HostsTable(BaseModel):
    """A table, as its server's host sees it."""

    id: str
    title: str
    game: str
    status: str
    public: bool
    seats: list[HostsSeat]
    connections: int
    created: str
    changed: str


class HostsGuest(BaseModel):
    """A guest, as the host sees them."""

    id: str
    name: str | None
    language: str
    created: str
    seen: str
    banned: str | None
    reason: str | None


class HostsReport(BaseModel):
    """Something that a guest told the host; with the line that it is about, and who wrote that."""

    id: int
    table: str
    at: str
    by: str | None
    text: str
    line: str | None
    author: str | None
    author_name: str | None


class BroughtFacts(BaseModel):
    """A table that was made from a record; its links are shown once."""

    table: str
    status: str
    links: dict[int, str] = Field(description="By seat that waits for a person: the token of its link.")
    watch: str | None
    remarks: list[str]


class BanWish(Checked):
    """Why, for the host's own memory."""

    reason: Annotated[str, StringConstraints(max_length=500)] | None = None


class RecordWish(Checked):
    """A record to be brought in, and what to call it in errors."""

    record: str
    where: Annotated[str, StringConstraints(max_length=300)] = "record"
    public: bool = False


# ---- tables


@router.get("/tables")
async def tables(
    server: Server, status: Annotated[list[Status] | None, Query()] = None, limit: Limit = queries.PAGE
) -> list[HostsTable]:
    """Tables of these statuses, or all; those that changed last first."""
    found = await server.database.read(queries.list_tables, status, limit)
    return [_table_facts(server, each) for each in found]


def _table_facts(server: Services, found: SeatedTable) -> HostsTable:
    row = found.table
    room = server.hall.rooms.get(row.id)
    return HostsTable(
        id=row.id,
        title=row.title or "",
        game=row.game,
        status=row.status,
        public=row.public,
        seats=[HostsSeat(name=each.name, bot=each.bot, guest=each.guest_id) for each in found.seats],
        connections=0 if room is None else len(room.connections),
        created=row.created_at,
        changed=row.changed_at,
    )


@router.post("/tables/{table}/close")
async def close_table(table: str, server: Server) -> dict[str, str]:
    """End a table without a winner; one that has ended stays as it is."""
    try:
        room = await server.hall.room(table)
    except Refused as refused:
        if refused.code != "table_damaged":
            raise
        return await _close_damaged(server, table)
    await server.hall.close(room)
    return {"table": table, "status": room.table.status}


async def _close_damaged(server: Services, table: str) -> dict[str, str]:
    """A table that can't be rebuilt can at least be closed: its log grows by one entry, as any other's."""
    entries = await server.database.read(queries.entries, table)
    now = server.hall.now()
    row = changes.entry_row(EntryRow(table, len(entries) + 1, None, log.CLOSE, now))
    await server.writer.write(Write((row,), (changes.set_status(table, "closed", now),)))
    return {"table": table, "status": "closed"}


# ---- reports


@router.get("/reports")
async def reports(server: Server, limit: Limit = queries.PAGE) -> list[HostsReport]:
    """Reports that nobody has dealt with, oldest first."""
    found = await server.database.read(queries.open_reports, limit)
    return [await _report_facts(server, each) for each in found]


async def _report_facts(server: Services, report: ReportRow) -> HostsReport:
    line = None
    if report.chat_number is not None:
        lines = await server.database.read(queries.chat_after, report.table_id, report.chat_number - 1, 1)
        line = lines[0] if lines else None
    return HostsReport(
        id=report.id,
        table=report.table_id,
        at=report.at,
        by=report.guest_id,
        text=report.text,
        line=None if line is None else line.text,
        author=None if line is None else line.guest_id,
        author_name=None if line is None else line.name,
    )


@router.post("/reports/{report}/close")
async def close_report(report: int, server: Server) -> dict[str, int]:
    """A report was dealt with."""
    if report not in {each.id for each in await server.database.read(queries.open_reports, MOST)}:
        raise Refused("no_such_report", status=404, report=report)
    await server.writer.write(Write((), (changes.close_report(report, server.hall.now()),)))
    return {"report": report}


# ---- guests


@router.get("/guests")
async def guests(
    server: Server, banned: bool = False, table: str | None = None, limit: Limit = queries.PAGE
) -> list[HostsGuest]:
    """Guests, who was seen last first; or only those who are banned, or who were at a table."""
    if table is not None:
        found = await server.database.read(queries.guests_of_table, table)
    else:
        found = await server.database.read(queries.list_guests, banned=banned, limit=limit)
    return [_guest_facts(each) for each in found if each.banned_at is not None or not banned]


def _guest_facts(guest: GuestRow) -> HostsGuest:
    return HostsGuest(
        id=guest.id,
        name=guest.name,
        language=guest.language,
        created=guest.created_at,
        seen=guest.seen_at,
        banned=guest.banned_at,
        reason=guest.ban_reason,
    )


@router.post("/guests/{guest}/ban")
async def ban(guest: str, wish: BanWish, server: Server) -> dict[str, str]:
    """Let a guest in no more, and end the connections that they have."""
    await server.guests.ban(guest, wish.reason)
    server.hall.dismiss("banned", guest)
    return {"guest": guest}


@router.post("/guests/{guest}/unban")
async def unban(guest: str, server: Server) -> dict[str, str]:
    """Let a guest in again."""
    await server.guests.unban(guest)
    return {"guest": guest}


# ---- records


@router.post("/import", status_code=201)
async def bring_in(wish: RecordWish, server: Server) -> BroughtFacts:
    """Make a table from a record; where it is not over, it goes on."""
    made = await asyncio.to_thread(brought_in, wish.record, wish.where, server.hall.now(), public=wish.public)
    await server.writer.write(made.write())
    if made.row.bots and server.warm.is_set():
        server.driver.after_change(await server.hall.room(made.row.id))
    return BroughtFacts(
        table=made.row.id, status=made.row.status, links=made.links, watch=made.watch, remarks=list(made.remarks)
    )


# ---- where no server runs


@asynccontextmanager
async def at_home(settings: Settings) -> AsyncIterator[FastAPI]:
    """An application that answers these requests and listens nowhere; nobody else may use the folder meanwhile."""
    from embertown.server.app import add_error_answers, put_together
    from embertown.server.keys import Keys
    from embertown.server.store.database import Database

    keys = Keys.at(settings.folder)
    database = Database.open(settings.database_address)
    try:
        services = put_together(settings, keys, database)
        await services.writer.start()
        app = FastAPI()
        app.include_router(router)
        add_error_answers(app)
        app.state.services = services
        try:
            yield app
        finally:
            await services.driver.stop()
            await services.writer.stop()
    finally:
        database.close()


def bearer(settings: Settings) -> dict[str, Any]:
    """The header with which the host asks."""
    from embertown.server.keys import Keys

    return {"authorization": f"{BEARER}{Keys.at(settings.folder).admin}"}
