"""The database: opened, made or brought up to this version's schema, and read.

A path means SQLite, the default; an address such as postgresql://… any other database that SQLAlchemy knows.
"""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from embertown.server.store import versions
from embertown.server.store.backup import back_up, beside
from embertown.server.store.errors import StoreFailure, UnusableDatabase

READERS = 4
"""Threads that read, a connection each."""
BUSY_MS = 5000
"""How long SQLite waits for another process that writes."""
LOG_PAGES = 8000
"""Pages of SQLite's own log before it is carried into the file: more, since entries of one table share pages."""
WRITES = "embertown_writes"
"""The option of a connection whose transactions will write."""
IN_MEMORY = {"", ":memory:"}
RIGHT_ADDRESS = "the path of a file, or an address such as postgresql://user@host/name with its driver installed"

P = ParamSpec("P")
T = TypeVar("T")


class Database:
    """An open database of this version's schema.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     database = Database.open(Path(folder) / "tables.db")
    ...     with database.engine.connect() as connection:
    ...         print(connection.execute(sa.text("SELECT count(*) FROM tables")).scalar())
    ...     database.close()
    0
    """

    def __init__(self, engine: sa.Engine, path: Path | None) -> None:
        self.engine = engine
        self.path = path
        """The file, where it is SQLite."""
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="embertown-reader")

    @classmethod
    def open(cls, url_or_path: str | Path) -> Database:
        """Open, or make, a database; one of an older version is backed up beside it and migrated."""
        url = _address(url_or_path)
        path = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
        if path is not None:
            _make_file(path)
        try:
            _bring_up_to_date(url, path)
            return cls(_engine(url), path)
        except sa.exc.DBAPIError as reason:
            raise _unusable(url, reason) from None

    @classmethod
    def open_to_read(cls, url_or_path: str | Path) -> Database:
        """Open a database of this very version, also one in use, and leave it as it is."""
        url = _address(url_or_path)
        name = url.render_as_string(hide_password=True)
        path = None
        if url.get_backend_name() == "sqlite":
            path, name = Path(url.database or ""), str(url.database)
            if not path.is_file():
                raise UnusableDatabase(name, "", "is not there", "the data of a server that ran before")
            url = sa.URL.create("sqlite", database=path.absolute().as_uri(), query={"mode": "ro", "uri": "true"})
        engine = sa.create_engine(url, pool_size=READERS, hide_parameters=True)
        try:
            with engine.connect() as connection:
                version = versions.checked(connection, name)
        except sa.exc.DBAPIError as reason:
            raise UnusableDatabase(
                name, "", f"can't be used: {reason.orig}", "a database that Embertown made"
            ) from None
        if version != versions.latest():
            wrong = f"has a schema of version {version}, older than this program's"
            raise UnusableDatabase(name, "", wrong, "to start `embertown serve` once, which brings it up to date")
        return cls(engine, path)

    async def read(
        self, query: Callable[Concatenate[sa.Connection, P], T], *arguments: P.args, **options: P.kwargs
    ) -> T:
        """What a function of `queries` finds, in a thread: the event loop goes on meanwhile."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._read, partial(_ask, query, arguments, options))

    def _read(self, query: Callable[[sa.Connection], T]) -> T:
        try:
            with self.engine.connect() as connection:
                return query(connection)
        except sa.exc.DBAPIError as reason:
            raise StoreFailure(f"nothing could be read: {reason.orig}") from reason

    def connect_to_write(self) -> sa.Connection:
        """A connection whose transactions take SQLite's write lock at once, so that they never fail half way."""
        return self.engine.connect().execution_options(**{WRITES: True})

    def close(self) -> None:
        """Close every connection; what is being read is read first."""
        self._threads.shutdown(wait=True)
        self.engine.dispose()


def _ask(query: Callable[..., T], arguments: tuple[Any, ...], options: dict[str, Any], connection: sa.Connection) -> T:
    return query(connection, *arguments, **options)


def _address(url_or_path: str | Path) -> sa.URL:
    text = str(url_or_path)
    if "://" not in text:
        return sa.URL.create("sqlite", database=str(Path(text).expanduser().absolute()))
    try:
        url = sa.make_url(text)
        url.get_dialect().import_dbapi()
    except (sa.exc.NoSuchModuleError, ImportError) as reason:
        wrong = f"needs a driver that is not installed: {reason}"
        raise UnusableDatabase(url.render_as_string(hide_password=True), "", wrong, RIGHT_ADDRESS) from None
    except sa.exc.ArgumentError:
        raise UnusableDatabase("the database", "", "has an address that can't be read", RIGHT_ADDRESS) from None
    if url.get_backend_name() == "sqlite" and (url.database or "") in IN_MEMORY:
        raise UnusableDatabase(text, "", "would forget everything", RIGHT_ADDRESS)
    return url


def _make_file(path: Path) -> None:
    """A new file that only its user can read: the seeds of shuffles will be in it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except (OSError, ValueError) as reason:  # ValueError: a path that no file can have
        wrong = f"can't be opened: {getattr(reason, 'strerror', None) or reason}"
        raise UnusableDatabase(str(path), "", wrong, "a file that can be written, in such a folder") from None


def _engine(url: sa.URL, *, to_migrate: bool = False) -> sa.Engine:
    engine = sa.create_engine(url, pool_size=READERS + 1, hide_parameters=True)  # seeds in no message
    if url.get_backend_name() == "sqlite":
        sa.event.listen(engine, "connect", _prepare_to_migrate if to_migrate else _prepare)
        sa.event.listen(engine, "begin", _begin)
    return engine


def _prepare_to_migrate(connection: sqlite3.Connection, _: object) -> None:
    """Leave the file as it is, since it may be another's; and references to a table do not hinder to build it anew."""
    connection.isolation_level = None  # Python's module would begin transactions by rules of its own
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA synchronous = FULL")


def _prepare(connection: sqlite3.Connection, _: object) -> None:
    """A commit is on the disk when it returns (FULL), and readers never wait for the writer (WAL)."""
    _prepare_to_migrate(connection, _)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _bring_up_to_date(url: sa.URL, path: Path | None) -> None:
    """Make or migrate the schema in one transaction, so that a crash leaves the old one."""
    engine = _engine(url, to_migrate=True)
    name = url.render_as_string(hide_password=True) if path is None else str(path)
    try:
        with engine.connect() as connection:
            version = versions.checked(connection, name)
        if version == versions.latest():
            return
        if path is not None and version is not None:
            back_up(path, beside(path, version))
        with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
            versions.migrate(connection)
            if path is not None:
                _check_references(connection, name)
    finally:
        engine.dispose()


def _check_references(connection: sa.Connection, name: str) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        wrong = f"a row of {broken[0]} refers to a row of {broken[2]} that is not there"
        raise UnusableDatabase(name, "", wrong, "a whole database; nothing was changed")


def _unusable(url: sa.URL, reason: sa.exc.DBAPIError) -> UnusableDatabase:
    name = str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)
    return UnusableDatabase(name, "", f"can't be used: {reason.orig}", "a database that Embertown made, or none yet")
