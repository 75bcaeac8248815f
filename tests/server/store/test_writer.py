"""The writer: nothing acknowledged is lost, nothing is doubled, and everyone gets an answer."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from functools import partial
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.server.store import changes, queries, schema
from embertown.server.store.database import Database
from embertown.server.store.errors import Conflict, StoreFailure
from embertown.server.store.rows import EntryRow, LinkRow, SeatRow
from embertown.server.store.writer import MOST, Write, Writer
from tests.conftest import examples
from tests.server.store.samples import LATER, NOW, entry, guest, new_table

ROOT = Path(__file__).parents[3]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database.open(tmp_path / "tables.db")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = Database.open(tmp_path_factory.mktemp("shared") / "tables.db")
    yield opened
    opened.close()


@asynccontextmanager
async def running(database: Database) -> AsyncIterator[Writer]:
    writer = Writer(database)
    await writer.start()
    try:
        yield writer
    finally:
        await writer.stop()


def stored(database: Database, query: str) -> list[tuple[object, ...]]:
    """What a connection of its own, of Python's module alone, finds in the file."""
    assert database.path is not None
    with closing(sqlite3.connect(database.path)) as connection:
        return connection.execute(query).fetchall()


def numbers(database: Database, table_id: str = "a") -> list[int]:
    return [entry.number for entry in load(database, table_id)]


def load(database: Database, table_id: str = "a") -> tuple[EntryRow, ...]:
    with database.engine.connect() as connection:
        return queries.entries(connection, table_id)


def test_what_is_acknowledged_is_there_for_everybody(database: Database) -> None:
    async def play() -> None:
        async with running(database) as writer:
            await writer.write(new_table("a"))
            for number in range(1, 20):
                await writer.write(entry("a", number))
                assert stored(database, "SELECT max(number) FROM entries") == [(number,)]

    asyncio.run(play())


def test_a_commit_is_on_the_disk_before_it_is_acknowledged(database: Database) -> None:
    with database.connect_to_write() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_many_at_once_share_their_commits(database: Database) -> None:
    async def play() -> Writer:
        async with running(database) as writer:
            await asyncio.gather(*(writer.write(new_table(f"t{table}")) for table in range(200)))
            await asyncio.gather(*(writer.write(entry(f"t{n % 200}", n // 200 + 1)) for n in range(3000)))
            assert writer.waiting == 0
        return writer

    writer = asyncio.run(play())
    assert writer.writes == 3200
    assert 1 + 3000 // MOST <= writer.commits < 100
    assert stored(database, "SELECT count(*), count(DISTINCT table_id), max(number) FROM entries") == [(3000, 200, 15)]


@pytest.mark.parametrize("length", [499, 500])  # ends with a statement, and with a change
def test_writes_take_effect_in_the_order_of_the_calls(database: Database, length: int) -> None:
    async def play() -> None:
        async with running(database) as writer:
            texts = [f"text {n}" for n in range(length)]
            # each call changes the same row again, between rows and statements that can't wait together
            calls = [writer.write(new_table("a"))]
            for n, text in enumerate(texts):
                statements = (changes.set_table("a", title=text),) if n % 3 else (retitled(text),)
                calls.append(writer.write(Write(entry("a", n + 1, text).rows, statements)))
            await asyncio.gather(*calls)
            order = [entry.text for entry in await database.read(queries.entries, "a")]
            assert order == texts
            row = await database.read(queries.table, "a")
            assert row is not None
            assert row.title == texts[-1]

    asyncio.run(play())


def retitled(title: str) -> sa.Executable:
    return sa.update(schema.tables).where(schema.tables.c.id == "a").values(title=title)


TABLE_IDS = (f"table {number}" for number in count())


@settings(max_examples=examples(30, 10))
@given(
    steps=st.lists(st.tuples(st.sampled_from(["row", "change", "statement", "bad"]), st.integers(0, 3)), max_size=30)
)
def test_together_is_as_one_after_the_other(shared: Database, steps: list[tuple[str, int]]) -> None:
    """Whatever travels in one transaction ends as the same calls, each waited for, would."""
    together, apart = next(TABLE_IDS), next(TABLE_IDS)
    assert asyncio.run(outcome(shared, together, steps, at_once=True)) == asyncio.run(outcome(shared, apart, steps))


async def outcome(
    database: Database, table_id: str, steps: list[tuple[str, int]], *, at_once: bool = False
) -> tuple[list[str], list[tuple[int, str]], list[str | None]]:
    async with running(database) as writer:
        await writer.write(new_table(table_id))
        calls = [writer.write(step(table_id, kind, number, at)) for at, (kind, number) in enumerate(steps)]
        if at_once:
            answers = await asyncio.gather(*calls, return_exceptions=True)
        else:
            answers = [(await asyncio.gather(call, return_exceptions=True))[0] for call in calls]
        names = [seat.name for seat in await database.read(queries.seats, table_id)]
        log = [(entry.number, entry.text) for entry in await database.read(queries.entries, table_id)]
        return [type(answer).__name__ for answer in answers], log, names


def step(table_id: str, kind: str, number: int, at: int) -> Write:
    if kind == "row":  # a conflict where the number is taken
        return entry(table_id, number + 1, f"row {at}")
    if kind == "change":  # a conflict where there is no such seat
        return Write((), (changes.set_seat(SeatRow(table_id, number, name=f"change {at}")),))
    if kind == "statement":
        columns = schema.entries.c
        return Write((), (sa.delete(schema.entries).where(columns.table_id == table_id, columns.number == number),))
    return Write(entry(table_id, number + 10, f"bad {at}").rows + entry("nowhere", 1).rows)


def test_only_the_bad_write_of_a_batch_fails(database: Database) -> None:
    async def play() -> list[BaseException | None]:
        async with running(database) as writer:
            await writer.write(new_table("a"))
            writes = [entry("a", 1), entry("a", 2), entry("a", 1), entry("nowhere", 1), entry("a", 3)]
            writes.append(Write(entry("a", 4).rows + entry("a", 2).rows))  # as a whole or not at all
            writes.append(Write(((schema.entries, {"table_id": "a", "number": 5, "text": object(), "at": NOW}),)))
            writes.append(entry("a", 4, "the last"))
            return await asyncio.gather(*map(writer.write, writes), return_exceptions=True)

    answers = asyncio.run(play())
    kinds = [type(answer) for answer in answers]
    none = type(None)
    assert kinds == [none, none, Conflict, Conflict, none, Conflict, StoreFailure, none]
    assert numbers(database) == [1, 2, 3, 4]
    assert load(database)[-1].text == "the last"


def test_a_message_says_what_failed_and_keeps_values_to_itself(database: Database) -> None:
    async def play() -> str:
        async with running(database) as writer:
            await writer.write(new_table("a", title="hush"))
            with pytest.raises(Conflict) as caught:
                await writer.write(new_table("a", title="hush"))
            return str(caught.value)

    message = asyncio.run(play())
    assert "tables.id" in message
    assert "hush" not in message


def test_a_link_opens_once(database: Database) -> None:
    async def play() -> None:
        async with running(database) as writer:
            await writer.write(new_table("a"))
            await writer.write(Write((changes.link_row(LinkRow("h", "a", 1, NOW)),)))
            claims = [
                Write((), (changes.use_link("h", LATER), changes.set_seat(SeatRow("a", 1, who)))) for who in "xyz"
            ]
            answers = await asyncio.gather(*map(writer.write, claims), return_exceptions=True)
            assert [type(answer) for answer in answers] == [type(None), Conflict, Conflict]
            assert (await database.read(queries.seats, "a"))[1].guest_id == "x"

    asyncio.run(play())


def test_a_change_of_what_is_not_there_is_a_conflict(database: Database) -> None:
    async def play() -> None:
        async with running(database) as writer:
            with pytest.raises(Conflict, match="guests"):
                await writer.write(Write((changes.guest_row(guest("anna")),), (changes.ban("ben", NOW, "rude"),)))
            assert await database.read(queries.guest, "anna") is None

    asyncio.run(play())


def test_stop_writes_what_waits(database: Database) -> None:
    async def play() -> None:
        writer = Writer(database)
        await writer.start()
        calls = [asyncio.create_task(writer.write(new_table("a")))]
        calls += [asyncio.create_task(writer.write(entry("a", number))) for number in range(1, 2500)]
        await asyncio.sleep(0)  # all are in the queue
        await writer.stop()
        assert all(call.done() for call in calls)
        await asyncio.gather(*calls)
        with pytest.raises(StoreFailure, match="does not run"):
            await writer.write(entry("a", 2500))
        await writer.stop()  # twice is as once
        await writer.start()
        await writer.write(entry("a", 2500))
        await writer.stop()

    asyncio.run(play())
    assert numbers(database) == list(range(1, 2501))


def writers_task() -> asyncio.Task[object]:
    return next(task for task in asyncio.all_tasks() if task.get_name() == "embertown-writer")


@pytest.mark.parametrize("turns", range(6))
def test_an_interrupted_writer_answers_everyone_and_can_start_again(database: Database, turns: int) -> None:
    async def play() -> None:
        writer = Writer(database)
        await writer.start()
        await writer.write(new_table("a"))
        calls = [asyncio.create_task(writer.write(entry("a", number))) for number in range(1, 3 * MOST)]
        for _ in range(turns):
            await asyncio.sleep(0)
        writers_task().cancel()
        answers = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 60)
        done = [number for number, answer in enumerate(answers, start=1) if answer is None]
        assert numbers(database) == done  # who was told so, and nobody else
        assert {type(answer) for answer in answers} <= {type(None), StoreFailure}
        assert len(done) < len(answers)
        await writer.start()
        await writer.write(entry("a", len(done) + 1))
        await writer.stop()

    asyncio.run(play())


def test_a_caller_that_is_gone_keeps_nobody_waiting(database: Database) -> None:
    async def play() -> None:
        async with running(database) as writer:
            await writer.write(new_table("a"))
            calls = [asyncio.create_task(writer.write(entry("a", number))) for number in range(1, 11)]
            await asyncio.sleep(0)
            calls[4].cancel()
            answers = await asyncio.gather(*calls, return_exceptions=True)
            assert [type(answer) for answer in answers].count(type(None)) == 9

    asyncio.run(play())
    assert numbers(database) == list(range(1, 11))


def test_what_fails_after_a_write_hinders_nobody(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    told: list[int] = []

    async def play() -> None:
        async with running(database) as writer:
            await writer.write(new_table("a"))
            for number in range(1, 4):
                writer.submit(entry("a", number), partial(after, number))

    def after(number: int, fault: Exception | None) -> None:
        assert fault is None
        if number == 2:
            raise ValueError("a fault of the caller's")
        told.append(number)

    asyncio.run(play())
    assert told == [1, 3]
    assert numbers(database) == [1, 2, 3]
    assert "a fault of the caller's" in caplog.text


def test_a_full_disk_is_told_to_everyone_and_forgotten_when_there_is_room(database: Database) -> None:
    pages = [1]  # SQLite never makes it less than the file has

    def limit(connection: sa.Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages[0]}")

    async def play() -> None:
        async with running(database) as writer:
            await writer.write(new_table("a"))
            sa.event.listen(database.engine, "begin", limit)
            large = [writer.write(entry("a", number, "x" * 50_000)) for number in range(1, 40)]
            answers = await asyncio.gather(*large, return_exceptions=True)
            assert {type(answer) for answer in answers} == {StoreFailure}
            assert "full" in str(answers[0])
            pages[0] = 1_000_000
            await writer.write(entry("a", 1))

    asyncio.run(play())
    assert numbers(database) == [1]


def test_a_locked_database_is_told_to_everyone_once(database: Database) -> None:
    def impatient(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA busy_timeout = 10")

    async def play() -> None:
        database.engine.dispose()
        sa.event.listen(database.engine, "connect", impatient)
        async with running(database) as writer:
            await writer.write(new_table("a"))
            assert database.path is not None
            with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                calls = [writer.write(entry("a", number)) for number in range(1, 4)]
                answers = await asyncio.gather(*calls, return_exceptions=True)
                assert all(isinstance(answer, StoreFailure) for answer in answers)
                assert "locked" in str(answers[2])
                other.execute("ROLLBACK")
            await writer.write(entry("a", 1))

    asyncio.run(play())
    assert numbers(database) == [1]


def test_the_loop_goes_on_while_something_is_read(database: Database) -> None:
    """A read waits for what only the loop can do: were it in the loop's own thread, this would never end."""
    goes_on = threading.Event()

    def query(_: sa.Connection, *, limit: float) -> bool:
        return goes_on.wait(limit)

    async def play() -> bool:
        reading = asyncio.create_task(database.read(query, limit=60))
        await asyncio.sleep(0)
        goes_on.set()
        return await reading

    assert asyncio.run(play()) is True


def test_the_next_batch_gathers_while_one_is_committed(database: Database) -> None:
    under_way, goes_on = threading.Event(), threading.Event()

    def slow(_: sa.Connection) -> None:
        under_way.set()
        assert goes_on.wait(60)

    async def play() -> int:
        async with running(database) as writer:
            sa.event.listen(database.engine, "commit", slow)
            first = asyncio.create_task(writer.write(new_table("a")))
            assert await asyncio.to_thread(under_way.wait, 60)
            rest = [asyncio.create_task(writer.write(entry("a", number))) for number in range(1, 6)]
            await asyncio.sleep(0)
            assert writer.waiting == 5
            assert not first.done()
            goes_on.set()
            await asyncio.gather(first, *rest)
            return writer.commits

    assert asyncio.run(play()) == 2


def test_a_database_that_fails_to_be_read_is_told(database: Database) -> None:
    def query(connection: sa.Connection) -> object:
        return connection.exec_driver_sql("SELECT * FROM nowhere").all()

    with pytest.raises(StoreFailure, match="no such table"):
        asyncio.run(database.read(query))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_kill_loses_nothing_that_was_acknowledged_and_doubles_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    command = [sys.executable, "-m", "tests.server.store.writing", str(path)]
    acknowledged: set[str] = set()
    for _ in range(3):
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writing:
            assert writing.stdout is not None
            for _ in range(300):
                acknowledged.add(writing.stdout.readline().strip())
            writing.send_signal(signal.SIGKILL)
            # whole lines that were on their way when it died were acknowledged too
            acknowledged |= {line.strip() for line in writing.stdout if line.endswith("\n")}
    assert len(acknowledged) >= 900
    database = Database.open(path)
    try:
        found = stored(database, "SELECT table_id || ' ' || number, text FROM entries")
        tables = stored(database, "SELECT table_id, max(number), count(*) FROM entries GROUP BY table_id")
    finally:
        database.close()
    assert acknowledged <= {name for name, _ in found}
    assert set(Counter(text for _, text in found).values()) == {1}
    assert all(last == count for _, last, count in tables)
