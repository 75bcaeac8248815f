"""Copies of an SQLite database: made while the server runs, verified, and put back.

Another database has its own tools (`pg_dump`).
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from embertown.server.store.errors import UnusableDatabase

SIDE_FILES = ("-wal", "-shm")
"""What SQLite keeps beside a database in use."""
MAGIC = b"SQLite format 3\0"
"""How such a file begins. SQLite takes one that does not for new, and deletes what is beside it."""
WAIT_S = 2.0
"""How long a restore waits for others to close the database."""
KIND = 0xFF
"""The part of SQLite's error codes that tells what it is; the rest says more exactly why."""
WITH_GAPS = """
SELECT table_id FROM entries GROUP BY table_id HAVING min(number) <> 1 OR max(number) <> count(*) LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a sound database holds."""

    version: str
    tables: int
    entries: int


def back_up(source: Path, target: Path) -> Contents:
    """Copy a database, also one in use, to a new file, as of one moment; the copy is verified before it is there."""
    if not source.is_file():
        raise UnusableDatabase(str(source), "", "is not there", "the path of a database")
    if target.exists():
        raise UnusableDatabase(str(target), "", "is there already", "the path of a new file")
    with _whole(target) as part:
        _copy(source, part)
        return verify(part, name=str(source))


def verify(path: Path, name: str = "") -> Contents:
    """What a database holds; one that is damaged, or a log with a gap, is refused."""
    name = name or str(path)
    try:
        with closing(_read_only(path)) as connection:
            _check(connection, name)
            return _contents(connection, name)
    except sqlite3.Error as reason:
        raise _not_ours(name, reason) from None


def restore(backup: Path, place: Path) -> Path | None:
    """Put a backup in the place of a database that nobody uses; where the old one went, if there was one."""
    verify(backup)
    with _whole(place) as part:
        _copy(backup, part)
        return _move_away(place) if place.exists() else None


def beside(path: Path, what: str) -> Path:
    """The place of an older state: tables-0001-20261116T001500.123456Z.db, with its version or another word."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return path.with_name(f"{path.stem}-{what}-{now}{path.suffix}")


def _copy(source: Path, target: Path) -> None:
    """By SQLite's own means: a file in use can't be copied otherwise."""
    try:
        with closing(_read_only(source)) as connection, closing(sqlite3.connect(target)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, whole without others beside it
    except sqlite3.Error as reason:
        raise _not_ours(str(source), reason) from None


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _check(connection: sqlite3.Connection, name: str) -> None:
    damage = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if damage != "ok":
        raise UnusableDatabase(name, "", f"is damaged: {damage}", "a whole database")
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise UnusableDatabase(name, "", "has rows that refer to rows that are not there", "a whole database")
    gap = connection.execute(WITH_GAPS).fetchone()
    if gap is not None:
        raise UnusableDatabase(name, f"table {gap[0]}", "has a gap in its log", "entries 1, 2, 3 …")


def _contents(connection: sqlite3.Connection, name: str) -> Contents:
    version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if version is None:
        raise UnusableDatabase(name, "", "has no version", "a database that Embertown made")
    (tables,) = connection.execute("SELECT count(*) FROM tables").fetchone()
    (entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
    return Contents(version[0], tables, entries)


def _not_ours(name: str, reason: sqlite3.Error) -> UnusableDatabase:
    return UnusableDatabase(name, "", f"can't be used: {reason}", "a database that Embertown made")


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A private file beside its place, moved there when it is whole and on the disk."""
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as reason:
        wrong = f"can't be written: {reason.strerror}"
        raise UnusableDatabase(str(target), "", wrong, "a path in a folder that can be written") from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        _to_disk(part)
        part.replace(target)
        _to_disk(target.parent)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def _to_disk(path: Path) -> None:
    if path.is_dir() and os.name != "posix":
        return  # only there a folder can be opened
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _move_away(place: Path) -> Path:
    """The old database, with all that is in it, under another name."""
    if _is_sqlite(place):
        _close_log(place)
    away = beside(place, "replaced")
    place.rename(away)
    for side in SIDE_FILES:  # left only by a database that can't be read
        with suppress(FileNotFoundError):
            place.with_name(place.name + side).rename(away.with_name(away.name + side))
    return away


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _close_log(place: Path) -> None:
    """Bring everything into the one file, which SQLite does only if nobody else has it open."""
    try:
        with closing(sqlite3.connect(place, timeout=WAIT_S)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.Error as reason:  # a damaged one may be why a backup is wanted, and goes as it is
        if reason.sqlite_errorcode & KIND in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise UnusableDatabase(str(place), "", "is in use", "to stop the server first") from None
