"""What ended longer ago than the host says is removed whole, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from embertown.server.clocks import seconds_of
from embertown.server.hall import Hall
from embertown.server.importing import Brought, brought_in
from embertown.server.retention import Removed, Retention
from embertown.server.store import changes, queries, schema
from embertown.server.store.database import Database
from embertown.server.store.rows import ChatRow, GuestRow, Status
from embertown.server.store.writer import Write, Writer
from tests.server.conftest import Serve
from tests.server.servers import wait_for

RECORDS = Path(__file__).parents[1] / "records"
NOW = "2026-11-16T12:00:00.000Z"
LONG_AGO, A_MONTH_AGO, LATELY = "2020-01-01T00:00:00.000Z", "2026-10-10T00:00:00.000Z", "2026-11-10T00:00:00.000Z"


class Place(NamedTuple):
    database: Database
    writer: Writer
    hall: Hall
    retention: Retention

    async def table(self, status: Status, changed: str, name: str = "cronberg-2", host: str | None = None) -> Brought:
        """A table of this status that last changed then."""
        text = (RECORDS / f"{name}.json").read_text(encoding="utf-8")
        made = brought_in(text, name, changed)
        made = replace(made, row=replace(made.row, status=status, host_guest=host))
        await self.writer.write(made.write())
        said = ChatRow(made.row.id, 1, None, None, "Anna", "hello", changed)
        report = changes.report_row(made.row.id, None, "x", changed, 1)
        await self.writer.write(Write((changes.chat_row(said), report)))
        return made

    async def guest(self, name: str, seen: str, banned: str | None = None) -> str:
        row = GuestRow(name.ljust(32, "0"), name, "en", name, seen, seen, banned)
        await self.writer.write(Write((changes.guest_row(row),)))
        return row.id

    async def tables(self) -> set[str]:
        return set(await self.database.read(queries.table_ids))

    def rows(self) -> dict[str, int]:
        """How many rows each table of the database has."""
        with self.database.engine.connect() as connection:
            counts = {
                name: connection.scalar(sa.select(sa.func.count()).select_from(table))
                for name, table in schema.metadata.tables.items()
            }
        return {name: count for name, count in counts.items() if count}


@asynccontextmanager
async def place(folder: Path, days: int = 30) -> AsyncIterator[Place]:
    database = Database.open(folder / "tables.sqlite")
    writer = Writer(database)
    await writer.start()
    hall = Hall(database, writer, clock=lambda: seconds_of(NOW))
    try:
        yield Place(database, writer, hall, Retention(hall, days))
    finally:
        await writer.stop()
        database.close()


def test_what_ended_or_never_began_is_removed_whole(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with place(tmp_path) as here:
            kept = {
                (await here.table("over", LATELY)).row.id,
                (await here.table("open", LATELY)).row.id,
                (await here.table("playing", LONG_AGO, "cronberg-pending")).row.id,
            }
            before = here.rows()
            for status in ("over", "aborted", "closed", "open"):
                await here.table(status, A_MONTH_AGO)
            assert await here.retention.sweep() == Removed(tables=4)
            assert await here.tables() == kept
            assert here.rows() == before
            assert await here.retention.sweep() == Removed()

    asyncio.run(scenario())


def test_more_than_one_portion_is_removed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with place(tmp_path) as here:
            made = await here.table("over", LONG_AGO)
            for number in range(queries.PAGE * 2 + 5):
                row = replace(made.row, id=f"copy{number}")
                await here.writer.write(Write((changes.table_row(row),)))
            assert (await here.retention.sweep()).tables == queries.PAGE * 2 + 6
            assert await here.tables() == set()

    asyncio.run(scenario())


class Watcher:
    """Somebody who looks at a table."""

    guest = None
    viewer = None
    is_program = False

    def __init__(self) -> None:
        self.muted: set[str] = set()

    def send(self, text: str) -> None:
        assert text

    def close(self, code: str) -> None:
        raise AssertionError(code)


def test_what_somebody_looks_at_is_left_for_another_day(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with place(tmp_path) as here:
            looked_at = (await here.table("over", LONG_AGO)).row.id
            in_memory = (await here.table("over", LONG_AGO)).row.id
            room = await here.hall.room(looked_at)
            await here.hall.room(in_memory)
            watcher = Watcher()
            here.hall.enter(room, watcher)
            assert await here.retention.sweep() == Removed(tables=1)
            assert await here.tables() == {looked_at}
            assert set(here.hall.rooms) == {looked_at}
            here.hall.leave(room, watcher)
            assert await here.retention.sweep() == Removed(tables=1)

    asyncio.run(scenario())


def test_guests_who_were_not_seen_are_removed_unless_something_is_theirs(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with place(tmp_path) as here:
            gone, away = await here.guest("gone", LONG_AGO), await here.guest("away", LATELY)
            banned, host = await here.guest("banned", LONG_AGO, LONG_AGO), await here.guest("host", LONG_AGO)
            await here.table("playing", LATELY, "cronberg-pending", host=host)
            await here.writer.write(Write((), (*changes.mute(gone, away), *changes.mute(away, gone))))
            assert await here.retention.sweep() == Removed(guests=1)
            found = await here.database.read(queries.list_guests)
            assert {guest.id for guest in found} == {away, banned, host}

    asyncio.run(scenario())


def test_a_server_removes_what_is_old_when_it_starts(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir(mode=0o700)

    async def before() -> tuple[str, str]:
        async with place(folder) as here:
            return (await here.table("over", LONG_AGO)).row.id, (await here.table("playing", LONG_AGO)).row.id

    old, kept = asyncio.run(before())
    (folder / "tables.sqlite").rename(folder / "embertown.sqlite")
    server = serve("--retention-days", 30, folder=folder, warm=False)
    host = server.admin()
    wait_for(lambda: [each["id"] for each in host.get("/api/admin/tables").json()] == [kept], what="the removal")
    assert old != kept
