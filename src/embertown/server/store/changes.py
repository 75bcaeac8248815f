"""What the writer stores: rows and changes, built from rows as they are read.

Nothing of a table's log is changed or deleted; what goes, goes with its whole table (`delete_tables`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

import sqlalchemy as sa

from embertown.server.entries import LogEntry
from embertown.server.store import schema
from embertown.server.store.rows import (
    ChatRow,
    EntryRow,
    GuestRow,
    LinkRow,
    PushRow,
    SeatRow,
    Status,
    TableRow,
    TokenRow,
)
from embertown.server.store.writer import Change, Row, Write

ENDED: tuple[Status, ...] = ("over", "aborted", "closed")
"""Where nothing will be played any more."""
OF_A_TABLE = (schema.entries, schema.seats, schema.links, schema.chat, schema.reports)
"""What goes with its table."""


def new_table(
    table: TableRow, seats: Iterable[SeatRow], links: Iterable[LinkRow] = (), entries: Iterable[EntryRow] = ()
) -> Write:
    """A table with its seats, the links to them, and its first entries."""
    rows = [table_row(table), *map(seat_row, seats), *map(link_row, links), *map(entry_row, entries)]
    return Write(tuple(rows))


def table_row(table: TableRow) -> Row:
    """A new table."""
    return schema.tables, _values(table)


def entry_row(entry: EntryRow) -> Row:
    """The next entry of a log; a number that is taken is a conflict."""
    return schema.entries, _values(entry)


def logged(table_id: str, entry: LogEntry) -> Row:
    """The same of a table in memory; these are many."""
    return schema.entries, {
        "table_id": table_id,
        "number": entry.number,
        "seat": entry.seat,
        "text": entry.text,
        "at": entry.at,
        "by": entry.by,
        "guest_id": entry.guest,
        "sender": entry.sender,
    }


def seat_row(seat: SeatRow) -> Row:
    """A seat of a new table."""
    return schema.seats, _values(seat)


def link_row(link: LinkRow) -> Row:
    """A new link to a seat."""
    return schema.links, _values(link)


def guest_row(guest: GuestRow) -> Row:
    """A new guest."""
    return schema.guests, _values(guest)


def token_row(token: TokenRow) -> Row:
    """A new token of the bot API."""
    return schema.tokens, _values(token)


def chat_row(said: ChatRow) -> Row:
    """The next thing said at a table; a number that is taken, or a sender's id that came before, is a conflict."""
    return schema.chat, _values(said)


def report_row(
    table_id: str,
    guest_id: str | None,
    text: str,
    at: str,
    chat_number: int | None = None,
    sender: str | None = None,
) -> Row:
    """A new report; its id is given by the database, and a sender's id that came before is a conflict."""
    return schema.reports, {
        "table_id": table_id,
        "chat_number": chat_number,
        "guest_id": guest_id,
        "text": text,
        "at": at,
        "sender": sender,
    }


def set_table(table_id: str, **columns: Any) -> Change:
    """New values of a table's columns: `changed_at`, `status`, `next_id`, `bots`, `watch_hash`, `public`, `title` …"""
    return _change(schema.tables, {"id": table_id}, columns)


def set_status(table_id: str, status: Status, at: str) -> Change:
    """A table's new status."""
    return set_table(table_id, status=status, changed_at=at)


def set_changed(table_id: str, at: str, *, bots: bool) -> Change:
    """That something was played, and whether a bot may be due now."""
    return set_table(table_id, changed_at=at, bots=bots)


def set_next(table_id: str, next_id: str) -> Change:
    """The table of the rematch, or of the match's next game."""
    return set_table(table_id, next_id=next_id)


def set_seat(seat: SeatRow) -> Change:
    """Who sits there from now on."""
    values = _values(seat)
    keys = {"table_id": values.pop("table_id"), "seat": values.pop("seat")}
    return _change(schema.seats, keys, values)


def use_link(link_hash: str, at: str) -> Change:
    """A link is used up; one that was used before is a conflict."""
    return _change(schema.links, {"hash": link_hash, "used_at": None}, {"used_at": at})


def void_links(table_id: str, seat: int, at: str) -> sa.Executable:
    """No link to this seat that is still unused opens it any more."""
    links = schema.links
    unused = (links.c.table_id == table_id) & (links.c.seat == seat) & links.c.used_at.is_(None)
    return sa.update(links).where(unused).values(used_at=at)


def set_guest(guest_id: str, **columns: Any) -> Change:
    """New values of a guest's columns: `name`, `language`, `seen_at`, `recovery_hash`, `webhook` …"""
    return _change(schema.guests, {"id": guest_id}, columns)


def ban(guest_id: str, at: str | None, reason: str | None) -> Change:
    """A guest may not play any more; again with None for both."""
    return set_guest(guest_id, banned_at=at, ban_reason=reason)


def revoke_token(token_hash: str, at: str) -> Change:
    """A token opens nothing any more; one that was revoked before is a conflict."""
    return _change(schema.tokens, {"hash": token_hash, "revoked_at": None}, {"revoked_at": at})


def subscribe(push: PushRow) -> tuple[sa.Executable, ...]:
    """A browser's subscription, in the place of an older one with the same address."""
    return unsubscribe(push.endpoint), sa.insert(schema.push).values(_values(push))


def unsubscribe(endpoint: str) -> sa.Executable:
    """A subscription that is dead, or not wanted any more."""
    return sa.delete(schema.push).where(schema.push.c.endpoint == endpoint)


def mute(guest_id: str, muted: str) -> tuple[sa.Executable, ...]:
    """One guest does not want to read another, whether asked once or twice."""
    return unmute(guest_id, muted), sa.insert(schema.mutes).values(guest_id=guest_id, muted=muted)


def unmute(guest_id: str, muted: str) -> sa.Executable:
    """One guest wants to read another again."""
    mutes = schema.mutes
    return sa.delete(mutes).where(mutes.c.guest_id == guest_id, mutes.c.muted == muted)


def close_report(report: int, at: str) -> Change:
    """A report was dealt with."""
    return _change(schema.reports, {"id": report}, {"closed_at": at})


def delete_tables(ids: Sequence[str], before: str) -> tuple[sa.Executable, ...]:
    """Whole tables, with all that belongs to them, unless they changed since `before`: the only deletion of a log."""
    tables = schema.tables
    old = sa.select(tables.c.id).where(tables.c.id.in_(ids), tables.c.changed_at < before)
    unlinked = sa.update(tables).where(tables.c.next_id.in_(old)).values(next_id=None)
    parts = [sa.delete(part).where(part.c.table_id.in_(old)) for part in OF_A_TABLE]
    return unlinked, *parts, sa.delete(tables).where(tables.c.id.in_(ids), tables.c.changed_at < before)


def delete_guests(ids: Sequence[str], before: str) -> tuple[sa.Executable, ...]:
    """Guests with all that is theirs alone, unless they were seen since `before`; games keep the names they had."""
    guests = schema.guests
    old = sa.select(guests.c.id).where(guests.c.id.in_(ids), guests.c.seen_at < before)
    parts = [sa.delete(part).where(part.c.guest_id.in_(old)) for part in (schema.tokens, schema.push, schema.mutes)]
    muted = sa.delete(schema.mutes).where(schema.mutes.c.muted.in_(old))
    return *parts, muted, sa.delete(guests).where(guests.c.id.in_(ids), guests.c.seen_at < before)


def _values(row: Any) -> dict[str, Any]:
    return {field.name: getattr(row, field.name) for field in fields(row)}


def _change(table: sa.Table, keys: dict[str, Any], columns: dict[str, Any]) -> Change:
    given = {name: value for name, value in keys.items() if value is not None}
    values = {f"key_{name}": value for name, value in given.items()}
    values |= {f"new_{name}": value for name, value in columns.items()}
    empty = tuple(name for name in keys if name not in given)
    return Change(_update(table, tuple(given), empty, tuple(sorted(columns))), values)


@cache
def _update(table: sa.Table, keys: tuple[str, ...], empty: tuple[str, ...], columns: tuple[str, ...]) -> sa.Update:
    """One statement for all rows, so that many changes travel together."""
    where = [table.c[name] == sa.bindparam(f"key_{name}") for name in keys]
    where += [table.c[name].is_(None) for name in empty]
    return sa.update(table).where(*where).values({name: sa.bindparam(f"new_{name}") for name in columns})
