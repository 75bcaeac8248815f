"""What is read: plain functions of a connection, for `Database.read`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import sqlalchemy as sa

from embertown.server.store import schema
from embertown.server.store.changes import ENDED
from embertown.server.store.rows import (
    ChatRow,
    EntryRow,
    GuestRow,
    LinkRow,
    LoadedTable,
    PushRow,
    ReportRow,
    SeatedTable,
    SeatRow,
    Status,
    TableRow,
    TokenRow,
)

T = TypeVar("T")
PAGE = 100
"""Rows in a list, unless asked otherwise."""

ROWS: dict[type[Any], sa.Table] = {
    TableRow: schema.tables,
    EntryRow: schema.entries,
    SeatRow: schema.seats,
    LinkRow: schema.links,
    GuestRow: schema.guests,
    TokenRow: schema.tokens,
    PushRow: schema.push,
    ChatRow: schema.chat,
    ReportRow: schema.reports,
}
"""Which table's rows each class holds; its fields are the columns, in their order."""


# ---- tables -----------------------------------------------------------------------------------------


def table(connection: sa.Connection, table_id: str) -> TableRow | None:
    """One table's row."""
    return _one(connection, TableRow, schema.tables.c.id == table_id)


def seats(connection: sa.Connection, table_id: str) -> tuple[SeatRow, ...]:
    """A table's seats, in their order."""
    return tuple(_all(connection, _of(SeatRow).where(schema.seats.c.table_id == table_id).order_by("seat"), SeatRow))


def hosted_table(connection: sa.Connection, table_id: str) -> tuple[SeatedTable, str | None] | None:
    """A table with its seats, and the name of the guest who made it: None where nobody did, or they are forgotten."""
    found = _seated(connection, schema.tables.c.id == table_id, 1)
    if not found:
        return None
    host = found[0].table.host_guest
    row = None if host is None else guest(connection, host)
    return found[0], None if row is None else row.name


def entries(connection: sa.Connection, table_id: str, after: int = 0) -> tuple[EntryRow, ...]:
    """A table's log, or what follows a number."""
    mine = (schema.entries.c.table_id == table_id) & (schema.entries.c.number > after)
    return tuple(_all(connection, _of(EntryRow).where(mine).order_by(schema.entries.c.number), EntryRow))


def load_table(connection: sa.Connection, table_id: str) -> LoadedTable | None:
    """All that a table's game is rebuilt from, as of one moment."""
    row = table(connection, table_id)
    if row is None:
        return None
    return LoadedTable(row, seats(connection, table_id), entries(connection, table_id))


def last_numbers(connection: sa.Connection, table_ids: Sequence[str]) -> dict[str, int]:
    """By table: the number of its last entry."""
    columns = schema.entries.c
    chosen = columns.table_id.in_(table_ids)
    query = sa.select(columns.table_id, sa.func.max(columns.number)).where(chosen).group_by(columns.table_id)
    return {row[0]: row[1] for row in connection.execute(query)}


def entry_by_sender(connection: sa.Connection, table_id: str, guest_id: str, sender: str) -> EntryRow | None:
    """What a guest's message of this id became, if it came before."""
    columns = schema.entries.c
    mine = (columns.table_id == table_id) & (columns.guest_id == guest_id) & (columns.sender == sender)
    return _one(connection, EntryRow, mine)


def public_open_tables(connection: sa.Connection, limit: int = PAGE) -> list[SeatedTable]:
    """Public tables that wait for players, those that changed last first."""
    columns = schema.tables.c
    return _seated(connection, columns.public & (columns.status == "open"), limit)


def public_playing_tables(connection: sa.Connection, limit: int = PAGE) -> list[SeatedTable]:
    """Public tables that can be watched, those that changed last first."""
    columns = schema.tables.c
    return _seated(connection, columns.public & (columns.status == "playing"), limit)


def tables_of_guest(
    connection: sa.Connection, guest_id: str, statuses: Sequence[Status] | None = None, limit: int = PAGE
) -> list[SeatedTable]:
    """Tables where a guest sits or that they host, those that changed last first."""
    sits = sa.select(schema.seats.c.table_id).where(schema.seats.c.guest_id == guest_id)
    mine = schema.tables.c.id.in_(sits) | (schema.tables.c.host_guest == guest_id)
    return _seated(connection, mine & _status_in(statuses), limit)


def list_tables(
    connection: sa.Connection, statuses: Sequence[Status] | None = None, limit: int = PAGE
) -> list[SeatedTable]:
    """All tables, public or not, those that changed last first: for the host of the server."""
    return _seated(connection, _status_in(statuses), limit)


def table_ids(connection: sa.Connection, statuses: Sequence[Status] | None = None) -> list[str]:
    """Ids of all tables, oldest first: for an export."""
    columns = schema.tables.c
    query = sa.select(columns.id).where(_status_in(statuses)).order_by(columns.created_at, columns.id)
    return list(connection.scalars(query))


def tables_of_match(connection: sa.Connection, match_id: str) -> list[TableRow]:
    """A match's tables, in the order of its games."""
    query = _of(TableRow).where(schema.tables.c.match_id == match_id).order_by(schema.tables.c.match_game)
    return _all(connection, query, TableRow)


def table_by_watch_hash(connection: sa.Connection, watch_hash: str) -> str | None:
    """The id of the table that a link for watching opens."""
    return connection.scalar(sa.select(schema.tables.c.id).where(schema.tables.c.watch_hash == watch_hash))


def tables_to_wake(connection: sa.Connection) -> list[str]:
    """Ids of tables where something happens by itself, when the server starts: a bot may be due, a clock runs, or it
    is about to begin."""
    columns, seats = schema.tables.c, schema.seats.c
    runs = (columns.status == "playing") & (columns.bots | columns.clock.is_not(None))
    is_open = sa.exists().where(seats.table_id == columns.id, seats.guest_id.is_(None), seats.bot.is_(None))
    begins = (columns.status == "open") & columns.autostart & ~is_open
    query = sa.select(columns.id).where(runs | begins)
    return list(connection.scalars(query.order_by(columns.changed_at)))


def unfinished_of_host(connection: sa.Connection, guest_id: str) -> int:
    """How many tables that a guest hosts have not ended."""
    columns = schema.tables.c
    mine = (columns.host_guest == guest_id) & columns.status.not_in(ENDED)
    return connection.scalar(sa.select(sa.func.count()).select_from(schema.tables).where(mine)) or 0


def count_by_status(connection: sa.Connection) -> dict[str, int]:
    """How many tables there are of each status."""
    columns = schema.tables.c
    query = sa.select(columns.status, sa.func.count()).group_by(columns.status)
    return {row[0]: row[1] for row in connection.execute(query)}


def tables_to_delete(
    connection: sa.Connection, before: str, statuses: Sequence[Status], limit: int = PAGE
) -> list[str]:
    """Ids of tables of these statuses that last changed before a time; for `changes.delete_tables`."""
    columns = schema.tables.c
    old = _status_in(statuses) & (columns.changed_at < before)
    return list(connection.scalars(sa.select(columns.id).where(old).order_by(columns.changed_at).limit(limit)))


# ---- links, guests, tokens, push ----------------------------------------------------------------------


def link(connection: sa.Connection, link_hash: str) -> LinkRow | None:
    """A link by its hash, used or not."""
    return _one(connection, LinkRow, schema.links.c.hash == link_hash)


def links_of_table(connection: sa.Connection, table_id: str) -> list[LinkRow]:
    """All links to a table's seats, oldest first."""
    query = _of(LinkRow).where(schema.links.c.table_id == table_id)
    return _all(connection, query.order_by(schema.links.c.created_at, schema.links.c.seat), LinkRow)


def guest(connection: sa.Connection, guest_id: str) -> GuestRow | None:
    """A guest."""
    return _one(connection, GuestRow, schema.guests.c.id == guest_id)


def guest_by_recovery(connection: sa.Connection, recovery_hash: str) -> GuestRow | None:
    """The guest that a recovery code belongs to."""
    return _one(connection, GuestRow, schema.guests.c.recovery_hash == recovery_hash)


def list_guests(connection: sa.Connection, *, banned: bool = False, limit: int = PAGE) -> list[GuestRow]:
    """Guests, or only those that are banned, who was seen last first."""
    query = _of(GuestRow).order_by(schema.guests.c.seen_at.desc(), schema.guests.c.id).limit(limit)
    return _all(connection, query.where(schema.guests.c.banned_at.is_not(None)) if banned else query, GuestRow)


def count_guests(connection: sa.Connection) -> int:
    """How many guests there are."""
    return connection.scalar(sa.select(sa.func.count()).select_from(schema.guests)) or 0


def guests_of_table(connection: sa.Connection, table_id: str) -> list[GuestRow]:
    """Who sits at a table, hosts it or has written there."""
    there = [
        sa.select(part.c.guest_id).where(part.c.table_id == table_id, part.c.guest_id.is_not(None))
        for part in (schema.seats, schema.chat)
    ]
    hosts = sa.select(schema.tables.c.host_guest).where(schema.tables.c.id == table_id)
    chosen = schema.guests.c.id.in_(sa.union(*there, hosts))
    return _all(connection, _of(GuestRow).where(chosen).order_by(schema.guests.c.created_at), GuestRow)


def guests_to_delete(connection: sa.Connection, before: str, limit: int = PAGE) -> list[str]:
    """Ids of guests who were last seen before a time, sit and host nowhere and are not banned."""
    guests = schema.guests.c
    sits = sa.exists().where(schema.seats.c.guest_id == guests.id)
    hosts = sa.exists().where(schema.tables.c.host_guest == guests.id)
    old = (guests.seen_at < before) & guests.banned_at.is_(None) & ~sits & ~hosts
    return list(connection.scalars(sa.select(guests.id).where(old).order_by(guests.seen_at).limit(limit)))


def token(connection: sa.Connection, token_hash: str) -> TokenRow | None:
    """A token by its hash, revoked or not."""
    return _one(connection, TokenRow, schema.tokens.c.hash == token_hash)


def tokens_of_guest(connection: sa.Connection, guest_id: str) -> list[TokenRow]:
    """A guest's tokens, oldest first."""
    query = _of(TokenRow).where(schema.tokens.c.guest_id == guest_id).order_by(schema.tokens.c.created_at)
    return _all(connection, query, TokenRow)


def push_of_guest(connection: sa.Connection, guest_id: str) -> list[PushRow]:
    """Where a guest wants to be told, oldest first."""
    query = _of(PushRow).where(schema.push.c.guest_id == guest_id).order_by(schema.push.c.created_at)
    return _all(connection, query, PushRow)


# ---- chat ---------------------------------------------------------------------------------------------


def chat_page(
    connection: sa.Connection, table_id: str, *, before: int | None = None, limit: int = PAGE
) -> list[ChatRow]:
    """The last things said at a table, or the last before a number, in the order they were said."""
    said = schema.chat.c
    query = _of(ChatRow).where(said.table_id == table_id).order_by(said.number.desc()).limit(limit)
    return _all(connection, query if before is None else query.where(said.number < before), ChatRow)[::-1]


def chat_after(connection: sa.Connection, table_id: str, number: int, limit: int = PAGE) -> list[ChatRow]:
    """What was said at a table after a number, in the order it was said."""
    said = schema.chat.c
    query = _of(ChatRow).where(said.table_id == table_id, said.number > number).order_by(said.number).limit(limit)
    return _all(connection, query, ChatRow)


def last_chat_number(connection: sa.Connection, table_id: str) -> int:
    """The number of the last thing said at a table; 0 before the first."""
    return (
        connection.scalar(sa.select(sa.func.max(schema.chat.c.number)).where(schema.chat.c.table_id == table_id)) or 0
    )


def line_of_sender(connection: sa.Connection, table_id: str, guest_id: str, sender: str) -> int | None:
    """The number of the line that a guest's message of this id became, if it came before."""
    said = schema.chat.c
    mine = (said.table_id == table_id) & (said.guest_id == guest_id) & (said.sender == sender)
    return connection.scalar(sa.select(said.number).where(mine))


def has_said(connection: sa.Connection, table_id: str, guest_id: str) -> bool:
    """Whether a guest said anything at a table."""
    said = schema.chat.c
    theirs = (said.table_id == table_id) & (said.guest_id == guest_id)
    return connection.scalar(sa.select(said.number).where(theirs).limit(1)) is not None


def lines_by(connection: sa.Connection, table_id: str, authors: Collection[str]) -> list[ChatRow]:
    """What some guests said at a table, in the order it was said."""
    said = schema.chat.c
    query = _of(ChatRow).where(said.table_id == table_id, said.guest_id.in_(authors)).order_by(said.number)
    return _all(connection, query, ChatRow)


def muted_by(connection: sa.Connection, guest_id: str) -> frozenset[str]:
    """Ids of the guests that a guest does not want to read."""
    return frozenset(connection.scalars(sa.select(schema.mutes.c.muted).where(schema.mutes.c.guest_id == guest_id)))


def open_reports(connection: sa.Connection, limit: int = PAGE) -> list[ReportRow]:
    """Reports that wait for the host of the server, oldest first."""
    query = _of(ReportRow).where(schema.reports.c.closed_at.is_(None)).order_by(schema.reports.c.id).limit(limit)
    return _all(connection, query, ReportRow)


# ---- rows ---------------------------------------------------------------------------------------------


def _of(kind: type[Any]) -> sa.Select[Any]:
    return sa.select(*(ROWS[kind].c[field.name] for field in fields(kind)))


def _all(connection: sa.Connection, query: sa.Select[Any], kind: type[T]) -> list[T]:
    return [kind(*row) for row in connection.execute(query)]


def _one(connection: sa.Connection, kind: type[T], where: sa.ColumnElement[bool]) -> T | None:
    row = connection.execute(_of(kind).where(where)).first()
    return None if row is None else kind(*row)


def _status_in(statuses: Sequence[Status] | None) -> sa.ColumnElement[bool]:
    return sa.true() if statuses is None else schema.tables.c.status.in_(statuses)


def _seated(connection: sa.Connection, where: sa.ColumnElement[bool], limit: int) -> list[SeatedTable]:
    columns = schema.tables.c
    query = _of(TableRow).where(where).order_by(columns.changed_at.desc(), columns.id).limit(limit)
    found = _all(connection, query, TableRow)
    chosen = schema.seats.c.table_id.in_([row.id for row in found])
    by_table: dict[str, list[SeatRow]] = {row.id: [] for row in found}
    for seat in _all(connection, _of(SeatRow).where(chosen).order_by(schema.seats.c.seat), SeatRow):
        by_table[seat.table_id].append(seat)
    return [SeatedTable(row, tuple(by_table[row.id])) for row in found]
