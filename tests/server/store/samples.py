"""Rows for the tests of the store."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from embertown.server.store import changes
from embertown.server.store.database import Database
from embertown.server.store.rows import EntryRow, GuestRow, SeatRow, TableRow
from embertown.server.store.writer import Write, Writer

NOW = "2026-11-16T00:00:00.000Z"
LATER = "2026-11-17T00:00:00.000Z"

TABLE = TableRow(
    id="aaaaaaaaaaaa",
    game="cronberg",
    edition="classic",
    options={"short": True},
    players=2,
    first=None,
    start_scores=None,
    public=True,
    pace="live",
    clock={"total": 600, "per_move": None},
    match_id=None,
    match_game=None,
    match_games=None,
    host_guest="anna",
    status="open",
    created_at=NOW,
    changed_at=NOW,
    seed=bytes(range(32)),
    commitment="c0" * 32,
)


def table(table_id: str, **other: Any) -> TableRow:
    """The sample under another id."""
    return replace(TABLE, id=table_id, **other)


def new_table(table_id: str, **other: Any) -> Write:
    """A table with two empty seats."""
    return changes.new_table(table(table_id, **other), [SeatRow(table_id, seat) for seat in range(2)])


def entry(table_id: str, number: int, text: str = "draw", **other: Any) -> Write:
    """One entry."""
    return Write((changes.entry_row(EntryRow(table_id, number, 0, text, NOW, **other)),))


def guest(guest_id: str, **other: Any) -> GuestRow:
    """A guest."""
    return GuestRow(guest_id, guest_id.title(), "en", f"hash of {guest_id}", NOW, NOW, **other)


def put(database: Database, *writes: Write) -> None:
    """Store one after the other, through a writer of its own."""

    async def store() -> None:
        writer = Writer(database)
        await writer.start()
        for write in writes:
            await writer.write(write)
        await writer.stop()

    asyncio.run(store())
