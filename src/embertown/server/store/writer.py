"""One task that writes everything: what waits goes into one transaction, and is answered when that is on the disk.

Writes take effect in the order of the calls. While a transaction is committed in a thread of its own, the next ones
gather; so the cost of a commit is shared by all that came meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias, cast

import sqlalchemy as sa

from embertown.server.store.database import Database
from embertown.server.store.errors import Conflict, StoreFailure
from embertown.server.store.schema import metadata

logger = logging.getLogger("embertown.server")

MOST = 1000
"""Writes in one transaction: one that is longer keeps its callers waiting."""
PATIENCE = 0.00025
"""Seconds to wait for more after each write of a transaction that had several: a transaction costs as much as twenty
rows, and a busy server has better use for the time."""
MOST_PATIENCE = 0.005
RANK = {table: rank for rank, table in enumerate(metadata.sorted_tables)}
"""What others refer to goes first."""

Values: TypeAlias = dict[str, Any]
Row: TypeAlias = tuple[sa.Table, Values]
Fault: TypeAlias = Conflict | StoreFailure
Then: TypeAlias = Callable[[Fault | None], None]
"""What is called when a write is committed, or with why it is not."""


class Change(NamedTuple):
    """A change of the one row that `statement` finds with these values; no such row is a conflict.

    The statement is one for all (with bound parameters), names one table only and leaves keys alone: so that changes
    of many rows travel together.
    """

    statement: sa.Update
    values: Values


class Write(NamedTuple):
    """What is stored as a whole or not at all: first the rows, then the statements, in their order."""

    rows: tuple[Row, ...] = ()
    statements: tuple[sa.Executable | Change, ...] = ()


class Writer:
    """The only one that writes while the server runs: one task, one connection, one thread for the commits."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._stopping = False
        self.writes = 0
        """Writes that were stored."""
        self.commits = 0
        """Transactions that they took."""
        self.failure: str | None = None
        """Why the last attempt to store something failed; None where it did not."""
        self.on_stored: Callable[[Sequence[float]], None] | None = None
        """Called for the writes that were stored together, with the seconds that each took."""

    @property
    def waiting(self) -> int:
        """Writes that wait for a transaction."""
        return len(self._queue)

    @property
    def running(self) -> bool:
        """Whether writes are taken."""
        return self._task is not None and not self._task.done() and not self._stopping

    async def start(self) -> None:
        """Open the connection and take writes."""
        if self.running:
            return
        await self.stop()  # what an interrupted task left
        self._stopping = False
        thread = ThreadPoolExecutor(1, thread_name_prefix="embertown-writer")
        self._thread = thread
        connection = await asyncio.get_running_loop().run_in_executor(thread, self._database.connect_to_write)
        self._task = asyncio.create_task(self._run(thread, connection), name="embertown-writer")

    async def stop(self) -> None:
        """Write everything that waits, then take no more."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await asyncio.wait([self._task])
        if self._thread is not None:
            self._thread.shutdown(wait=True)
        self._task = self._thread = None

    async def write(self, write: Write) -> None:
        """Return when it is committed, so that a crash can't lose it any more.

        Raises Conflict or StoreFailure, and then nothing of it was stored; where nobody can know (the connection to
        another machine broke), StoreFailure says so. A caller that is cancelled does not hear what became of its
        write; it is written nevertheless.
        """
        answer = asyncio.get_running_loop().create_future()
        self.submit(write, partial(_resolve, answer))
        await answer

    def submit(self, write: Write, then: Then) -> None:
        """Call `then` in the loop's thread when it is committed, or with the fault where it is not.

        For callers that are many: nobody has to be woken. Raises StoreFailure where no writes are taken.
        """
        if not self.running:
            raise StoreFailure("the writer does not run, so nothing can be stored")
        self._queue.append(_Waiting(write, then))
        self._wake.set()

    async def _run(self, thread: ThreadPoolExecutor, connection: sa.Connection) -> None:
        try:
            while self._queue or not self._stopping:
                if self._queue:
                    written = await self._commit(thread, connection)
                    if written > 1 and not self._stopping:
                        await asyncio.sleep(min(written * PATIENCE, MOST_PATIENCE))
                else:
                    self._wake.clear()
                    await self._wake.wait()
        finally:
            _refuse(self._queue, "the writer was stopped before this was stored")
            self._queue.clear()
            thread.submit(connection.close)

    async def _commit(self, thread: ThreadPoolExecutor, connection: sa.Connection) -> int:
        """Store what waits, and tell everyone; how many writes that were."""
        batch = [self._queue.popleft() for _ in range(min(len(self._queue), MOST))]
        work = asyncio.get_running_loop().run_in_executor(thread, _store, connection, [each.write for each in batch])
        try:
            self._answer(batch, await asyncio.shield(work))
        except asyncio.CancelledError:
            self._answer(batch, await work)  # a thread can't be stopped, and what it commits is true
            raise
        finally:
            _refuse(batch, "the writer was stopped while this was stored, so it may be stored or not")
        return len(batch)

    def _answer(self, batch: Sequence[_Waiting], outcome: _Outcome) -> None:
        self.commits += outcome.commits
        failures = [str(fault) for fault in outcome.faults if isinstance(fault, StoreFailure)]
        self.failure = failures[-1] if failures else None
        now = time.perf_counter()
        took = [now - each.asked_at for each, fault in zip(batch, outcome.faults, strict=True) if fault is None]
        self.writes += len(took)
        if self.on_stored is not None:
            self.on_stored(took)
        for each, fault in zip(batch, outcome.faults, strict=True):
            each.tell(fault)


class _Waiting:
    """A write that somebody waits for; told once what became of it."""

    __slots__ = ("asked_at", "then", "write")

    def __init__(self, write: Write, then: Then) -> None:
        self.write = write
        self.then: Then | None = then
        self.asked_at = time.perf_counter()

    def tell(self, fault: Fault | None) -> None:
        then, self.then = self.then, None
        try:
            if then is not None:
                then(fault)
        except Exception:  # others wait as well
            logger.exception("what was to happen after a write failed")


def _resolve(answer: asyncio.Future[None], fault: Fault | None) -> None:
    if answer.done():  # its caller was cancelled
        return
    if fault is None:
        answer.set_result(None)
    else:
        answer.set_exception(fault)


class _Outcome(NamedTuple):
    faults: list[Fault | None]
    commits: int


def _refuse(waiting: Iterable[_Waiting], why: str) -> None:
    for each in waiting:
        each.tell(StoreFailure(why))


class _NoSecondTry(StoreFailure):
    """The database could not be reached, or was lost on the way: then nobody knows what was committed."""


def _store(connection: sa.Connection, writes: Sequence[Write]) -> _Outcome:
    """All in one transaction; where that fails, each in its own, so that only the bad ones fail."""
    fault = _transaction(connection, writes)
    if fault is None:
        return _Outcome([None] * len(writes), commits=1)
    if len(writes) == 1 or isinstance(fault, _NoSecondTry):
        return _Outcome([type(fault)(*fault.args) for _ in writes], commits=0)
    faults = [_transaction(connection, [write]) for write in writes]
    return _Outcome(faults, commits=faults.count(None))


def _transaction(connection: sa.Connection, writes: Sequence[Write]) -> Fault | None:
    try:
        transaction = connection.begin()
    except Exception as reason:
        return _NoSecondTry(f"nothing was stored: {_why(reason)}")
    try:
        with transaction:
            gathered = _Gathered(connection)
            for write in writes:
                gathered.add(write)
            gathered.execute()
    except Exception as reason:
        return _told(reason)
    return None


def _told(reason: Exception) -> Fault:
    """Whatever it is, as the callers are told."""
    if isinstance(reason, Conflict):
        return reason
    if isinstance(reason, sa.exc.DBAPIError) and reason.connection_invalidated:
        return _NoSecondTry(f"it may be stored or not: {_why(reason)}")
    if isinstance(reason, sa.exc.IntegrityError):
        return Conflict(_why(reason))
    return StoreFailure(f"nothing was stored: {_why(reason)}")


def _why(reason: Exception) -> str:
    """The database's own words, without the statement and its values: those may be secret."""
    return str(getattr(reason, "orig", None) or reason)


class _Gathered:
    """Rows and changes that travel together, in an order that has the same effect as the order of the calls.

    Rows of different tables of the schema do not touch each other but for references, and what is referred to goes
    first. Two kinds of statement about the same table never wait together.
    """

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._waiting: dict[sa.Table, tuple[sa.Insert | sa.Update, list[Values]]] = {}

    def add(self, write: Write) -> None:
        for table, values in write.rows:
            self._gather(table, _insert(table, tuple(values)), values)
        for statement in write.statements:
            if isinstance(statement, Change):
                self._gather(cast(sa.Table, statement.statement.table), statement.statement, statement.values)
            else:
                self.execute()
                self._connection.execute(statement)

    def _gather(self, table: sa.Table, statement: sa.Insert | sa.Update, values: Values) -> None:
        waiting = self._waiting.get(table)
        if waiting is not None and waiting[0] is not statement:
            self.execute()
            waiting = None
        if waiting is None:
            self._waiting[table] = statement, [values]
        else:
            waiting[1].append(values)

    def execute(self) -> None:
        for table in sorted(self._waiting, key=RANK.__getitem__):
            statement, values = self._waiting[table]
            done = self._execute(statement, values)
            if isinstance(statement, sa.Update) and done.rowcount != len(values):
                raise Conflict(f"a row of {table.name} that was to be changed is not there, or not as it should be")
        self._waiting.clear()

    def _execute(self, statement: sa.Insert | sa.Update, values: list[Values]) -> sa.CursorResult[Any]:
        """In the driver's own words where nothing has to be converted: entries are many."""
        plain = _plain(statement, self._connection.dialect)
        if plain is None:
            return self._connection.execute(statement, values)
        rows = [tuple([each[name] for name in plain.names]) for each in values]
        return self._connection.exec_driver_sql(plain.sql, rows)


class _Plain(NamedTuple):
    """A statement in the driver's own words, and the names of the values that it takes, in their order."""

    sql: str
    names: Sequence[str]


@cache
def _plain(statement: sa.Insert | sa.Update, dialect: sa.Dialect) -> _Plain | None:
    """None where the driver wants names, or values of other types than Python's."""
    compiled = statement.compile(dialect=dialect)
    names = getattr(compiled, "positiontup", None)
    if names is None or any(
        bind.type.dialect_impl(dialect).bind_processor(dialect) is not None for bind in compiled.binds.values()
    ):
        return None
    return _Plain(str(compiled), names)


@cache
def _insert(table: sa.Table, columns: tuple[str, ...]) -> sa.Insert:
    """One statement for all rows that give the same columns."""
    return sa.insert(table).values({column: sa.bindparam(column) for column in columns})
