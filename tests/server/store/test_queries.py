"""What is read is what was written, and every statement is one that PostgreSQL understands."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from embertown.server.store import changes, queries, schema
from embertown.server.store.database import Database
from embertown.server.store.errors import Conflict
from embertown.server.store.rows import ChatRow, EntryRow, LinkRow, PushRow, SeatRow, TokenRow
from embertown.server.store.writer import Write, Writer
from tests.server.store.samples import LATER, NOW, entry, guest, new_table, table

POSTGRESQL = os.environ.get("EMBERTOWN_TEST_POSTGRESQL", "")
"""A database that these tests may empty: postgresql+psycopg://user@host/name."""
Play = Callable[[Database, Writer], Awaitable[None]]
GUESTS = Write(tuple(changes.guest_row(guest(name)) for name in ("anna", "ben", "cleo")))


def empty(address: str) -> str:
    """The address of a database for tests, with nothing in it."""
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        connection.execute(sa.text("CREATE SCHEMA public"))
    engine.dispose()
    return address


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.skipif(not POSTGRESQL, reason="no such server"))]
)
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database; in the end, all that was asked of it is asked of PostgreSQL's compiler too."""
    opened = Database.open(tmp_path / "tables.db" if request.param == "sqlite" else empty(POSTGRESQL))
    asked: list[sa.ClauseElement] = []

    def listen(_: sa.Connection, statement: Any, *__: object) -> None:
        if isinstance(statement, sa.ClauseElement):
            asked.append(statement)

    sa.event.listen(opened.engine, "before_execute", listen)
    yield opened
    opened.close()
    assert asked
    for statement in asked:
        str(statement.compile(dialect=postgresql.dialect()))


def run(database: Database, play: Play) -> None:
    async def whole() -> None:
        writer = Writer(database)
        await writer.start()
        try:
            await play(database, writer)
        finally:
            await writer.stop()

    asyncio.run(whole())


@pytest.mark.parametrize(("kind", "kept"), queries.ROWS.items())
def test_a_row_has_the_columns_in_their_order(kind: type, kept: sa.Table) -> None:
    assert [field.name for field in fields(kind)] == [column.name for column in kept.c]


def test_a_table_is_loaded_as_it_was_stored(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        whole = table(
            "a", edition={"id": "mine", "board": [1, 2]}, start_scores=[0, 3], first=1, title="Église", bots=True
        )
        seats = [SeatRow("a", 1, None, "Bot", "master"), SeatRow("a", 0, "anna", "Anna")]
        links = [LinkRow("h1", "a", 1, NOW, made_by="anna")]
        first = [EntryRow("a", 1, 0, "seat 0: person Anna", NOW, guest_id="anna", sender="m1")]
        await writer.write(changes.new_table(whole, seats, links, first))
        loaded = await database.read(queries.load_table, "a")
        assert loaded is not None
        assert loaded.table == whole
        assert loaded.seats == (seats[1], seats[0])
        assert loaded.entries == tuple(first)
        assert repr(whole.seed) not in repr(loaded)
        assert await database.read(queries.load_table, "b") is None
        assert await database.read(queries.links_of_table, "a") == links

    run(database, play)


def test_entries_after_a_number_and_by_sender(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        for table_id in ("a", "b"):
            await writer.write(new_table(table_id))
            for number in range(1, 12):
                await writer.write(entry(table_id, number, guest_id="anna", sender=f"m{number}"))
        assert [row.number for row in await database.read(queries.entries, "a", after=9)] == [10, 11]
        found = await database.read(queries.entry_by_sender, "b", "anna", "m10")
        assert found is not None
        assert (found.table_id, found.number) == ("b", 10)
        assert await database.read(queries.entry_by_sender, "b", "ben", "m10") is None
        assert await database.read(queries.entry_by_sender, "b", "anna", "m12") is None

    run(database, play)


def test_lists_of_tables(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        await writer.write(new_table("a", host_guest="anna"))
        await writer.write(new_table("b", changed_at=LATER, host_guest="ben"))
        await writer.write(new_table("c", public=False, watch_hash="w", host_guest="ben"))
        await writer.write(new_table("d", status="playing", host_guest="ben", changed_at=LATER))
        await writer.write(new_table("e", status="over", host_guest="ben"))
        await writer.write(Write((), (changes.set_seat(SeatRow("d", 1, "anna", "Anna")),)))

        async def ids(query: Callable[..., list[Any]], *arguments: Any, **options: Any) -> list[str]:
            return [found.table.id for found in await database.read(query, *arguments, **options)]

        assert await ids(queries.public_open_tables) == ["b", "a"]
        assert await ids(queries.public_open_tables, limit=1) == ["b"]
        assert await ids(queries.public_playing_tables) == ["d"]
        assert await ids(queries.tables_of_guest, "anna") == ["d", "a"]
        assert await ids(queries.tables_of_guest, "anna", ["open"]) == ["a"]
        assert await ids(queries.tables_of_guest, "ben", limit=9) == ["b", "d", "c", "e"]
        assert await ids(queries.tables_of_guest, "nobody") == []
        assert await ids(queries.list_tables, ["over", "playing"]) == ["d", "e"]
        assert await ids(queries.list_tables) == ["b", "d", "a", "c", "e"]
        found = await database.read(queries.tables_of_guest, "anna")
        assert [seat.guest_id for seat in found[0].seats] == [None, "anna"]
        assert await database.read(queries.table_by_watch_hash, "w") == "c"
        assert await database.read(queries.table_by_watch_hash, "x") is None
        assert await database.read(queries.unfinished_of_host, "ben") == 3
        assert await database.read(queries.table_ids) == ["a", "b", "c", "d", "e"]
        assert await database.read(queries.table_ids, ["playing", "over"]) == ["d", "e"]
        assert await database.read(queries.count_by_status) == {"open": 3, "playing": 1, "over": 1}

    run(database, play)


def test_tables_where_something_happens_by_itself(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        clock = {"total": 60, "per_move": None}
        await writer.write(new_table("a", status="playing", clock=clock, changed_at=LATER))
        await writer.write(new_table("b", status="playing", clock=None, bots=True))
        await writer.write(new_table("c", status="playing", clock=None))
        await writer.write(new_table("d", status="over", clock=clock, bots=True))
        assert await database.read(queries.tables_to_wake) == ["b", "a"]
        await writer.write(Write((), (changes.set_changed("b", LATER, bots=False),)))
        assert await database.read(queries.tables_to_wake) == ["a"]

    run(database, play)


def test_changes_of_a_table(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        await writer.write(new_table("a"))
        await writer.write(new_table("b", match_id="m", match_game=2, match_games=3))
        await writer.write(new_table("c", match_id="m", match_game=1, match_games=3))
        statements = (
            changes.set_status("a", "over", LATER),
            changes.set_next("a", "b"),
            changes.set_table("a", clock={"total": 1, "per_move": 2}, public=False, watch_hash="w"),
            changes.set_seat(SeatRow("a", 0, "anna", "Anna", "master", away_bot=True)),
        )
        await writer.write(Write((), statements))
        loaded = await database.read(queries.load_table, "a")
        assert loaded is not None
        expected = table("a", status="over", changed_at=LATER, next_id="b", public=False, watch_hash="w")
        assert loaded.table == replace(expected, clock={"total": 1, "per_move": 2})
        assert loaded.seats == (SeatRow("a", 0, "anna", "Anna", "master", away_bot=True), SeatRow("a", 1))
        assert [row.id for row in await database.read(queries.tables_of_match, "m")] == ["c", "b"]

    run(database, play)


def test_links(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        await writer.write(new_table("a"))
        links = [LinkRow(f"h{number}", "a", number % 2, NOW) for number in range(4)]
        await writer.write(Write(tuple(map(changes.link_row, links))))
        await writer.write(Write((), (changes.use_link("h0", NOW),)))
        await writer.write(Write((), (changes.void_links("a", 0, LATER),)))
        used = {link.hash: link.used_at for link in await database.read(queries.links_of_table, "a")}
        assert used == {"h0": NOW, "h1": None, "h2": LATER, "h3": None}
        assert await database.read(queries.link, "h1") == links[1]
        assert await database.read(queries.link, "h9") is None
        with pytest.raises(Conflict):
            await writer.write(Write((), (changes.use_link("h2", LATER),)))

    run(database, play)


def test_guests(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        await writer.write(GUESTS)
        await writer.write(
            Write((), (changes.set_guest("ben", name="Benno", seen_at=LATER, webhook="https://b.example"),))
        )
        await writer.write(Write((), (changes.ban("cleo", LATER, "rude"),)))
        ben = replace(guest("ben"), name="Benno", seen_at=LATER, webhook="https://b.example")
        cleo = guest("cleo", banned_at=LATER, ban_reason="rude")
        assert await database.read(queries.guest, "ben") == ben
        assert await database.read(queries.guest_by_recovery, "hash of cleo") == cleo
        assert await database.read(queries.guest_by_recovery, "hash of nobody") is None
        assert await database.read(queries.list_guests) == [ben, guest("anna"), cleo]
        assert await database.read(queries.list_guests, banned=True) == [cleo]
        await writer.write(Write((), (changes.ban("cleo", None, None),)))
        assert await database.read(queries.guest, "cleo") == guest("cleo")
        with pytest.raises(Conflict):
            await writer.write(Write((changes.guest_row(replace(guest("dora"), recovery_hash="hash of anna")),)))

    run(database, play)


def test_tokens_and_push(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        await writer.write(GUESTS)
        tokens = [TokenRow("t1", "anna", "my bot", NOW), TokenRow("t2", "anna", "another", LATER)]
        await writer.write(Write(tuple(map(changes.token_row, tokens))))
        await writer.write(Write((), (changes.revoke_token("t1", LATER),)))
        revoked = replace(tokens[0], revoked_at=LATER)
        assert await database.read(queries.token, "t1") == revoked
        assert await database.read(queries.tokens_of_guest, "anna") == [revoked, tokens[1]]
        push = PushRow("https://push.example/1", "anna", "key", "auth", NOW)
        other = replace(push, endpoint="https://push.example/2", created_at=LATER)
        for row in (push, other, push):
            await writer.write(Write((), changes.subscribe(row)))
        assert await database.read(queries.push_of_guest, "anna") == [push, other]
        await writer.write(Write((), changes.subscribe(replace(push, guest_id="ben"))))
        await writer.write(Write((), (changes.unsubscribe(other.endpoint),)))
        assert await database.read(queries.push_of_guest, "anna") == []
        assert await database.read(queries.push_of_guest, "ben") == [replace(push, guest_id="ben")]

    run(database, play)


def test_chat_mutes_and_reports(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        await writer.write(GUESTS)
        await writer.write(new_table("a"))
        assert await database.read(queries.last_chat_number, "a") == 0
        said = [ChatRow("a", number, "anna", None, "Anna", f"hello {number}", NOW) for number in range(1, 8)]
        await writer.write(Write(tuple(map(changes.chat_row, said))))
        assert await database.read(queries.chat_page, "a", limit=3) == said[4:]
        assert await database.read(queries.chat_page, "a", before=5, limit=3) == said[1:4]
        assert await database.read(queries.chat_after, "a", 5) == said[5:]
        assert await database.read(queries.last_chat_number, "a") == 7
        assert await database.read(queries.lines_by, "a", ["anna", "ben"]) == said
        assert await database.read(queries.lines_by, "a", ["ben"]) == []
        assert [await database.read(queries.has_said, "a", each) for each in ("anna", "ben")] == [True, False]
        for muted in ("anna", "anna", "cleo"):
            await writer.write(Write((), changes.mute("ben", muted)))
        assert await database.read(queries.muted_by, "ben") == {"anna", "cleo"}
        await writer.write(Write((), (changes.unmute("ben", "cleo"),)))
        assert await database.read(queries.muted_by, "ben") == {"anna"}
        await writer.write(
            Write((changes.report_row("a", "ben", "rude", NOW, 3), changes.report_row("a", "ben", "b", NOW)))
        )
        reports = await database.read(queries.open_reports)
        assert [(report.chat_number, report.text) for report in reports] == [(3, "rude"), (None, "b")]
        await writer.write(Write((), (changes.close_report(reports[0].id, LATER),)))
        assert await database.read(queries.open_reports) == reports[1:]

    run(database, play)


def test_old_tables_go_as_a_whole(database: Database) -> None:
    async def play(database: Database, writer: Writer) -> None:
        await writer.write(new_table("kept", status="over", changed_at=LATER))
        await writer.write(new_table("pointing", status="over", changed_at=LATER, next_id="old"))
        await writer.write(new_table("abandoned", status="playing"))
        await writer.write(new_table("old", status="over"))
        for table_id in ("old", "kept"):
            link = changes.link_row(LinkRow(f"link to {table_id}", table_id, 0, NOW))
            said = changes.chat_row(ChatRow(table_id, 1, "anna", 0, "Anna", "hello", NOW))
            rows = (*entry(table_id, 1).rows, link, said, changes.report_row(table_id, "ben", "rude", NOW, 1))
            await writer.write(Write(rows))
        assert await database.read(queries.tables_to_delete, LATER, changes.ENDED) == ["old"]
        assert await database.read(queries.tables_to_delete, LATER, ("open", "playing")) == ["abandoned"]
        await writer.write(Write((), changes.delete_tables(["old", "kept"], LATER)))  # kept changed meanwhile
        left = await database.read(counts)
        assert left == {"tables": 3, "seats": 6, "entries": 1, "links": 1, "chat": 1, "reports": 1}
        pointing = await database.read(queries.table, "pointing")
        assert pointing is not None
        assert pointing.next_id is None

    run(database, play)


def counts(connection: sa.Connection) -> dict[str, int]:
    kept = (schema.tables, schema.seats, schema.entries, schema.links, schema.chat, schema.reports)
    return {part.name: connection.scalar(sa.select(sa.func.count()).select_from(part)) or 0 for part in kept}


def test_everything_of_a_table_is_known_to_go_with_it() -> None:
    parts = {part.name for part in schema.metadata.sorted_tables if "table_id" in part.c}
    assert {part.name for part in changes.OF_A_TABLE} == parts
