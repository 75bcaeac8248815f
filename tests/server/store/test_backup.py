"""Backups of a database in use, verified, and put back."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from embertown.server.store import versions
from embertown.server.store.backup import Contents, back_up, restore, verify
from embertown.server.store.database import Database
from embertown.server.store.errors import UnusableDatabase
from embertown.server.store.writer import Writer
from tests.server.store.samples import entry, new_table, put


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one table of three entries."""
    path = tmp_path / "tables.db"
    database = Database.open(path)
    put(database, new_table("a"), *(entry("a", number) for number in (1, 2, 3)))
    database.close()
    return path


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_a_backup_while_entries_are_written_is_whole(path: Path, tmp_path: Path) -> None:
    async def play() -> list[Contents]:
        database = Database.open(path)
        writer = Writer(database)
        await writer.start()
        found = []
        number = 3
        for copy in range(5):
            copying = asyncio.create_task(asyncio.to_thread(back_up, path, tmp_path / f"copy{copy}.db"))
            acknowledged = number
            while not copying.done():
                number += 1
                await writer.write(entry("a", number))
            contents = await copying
            assert acknowledged <= contents.entries <= number
            assert verify(tmp_path / f"copy{copy}.db") == contents
            found.append(contents)
        await writer.stop()
        database.close()
        return found

    found = asyncio.run(play())
    assert [contents.tables for contents in found] == [1] * 5
    left = {file.name for file in tmp_path.iterdir()}
    assert left == {"tables.db", *(f"copy{copy}.db" for copy in range(5))}


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_nobody_else_can_read_a_backup(path: Path, tmp_path: Path) -> None:
    back_up(path, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


def test_a_backup_replaces_nothing(path: Path, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear Anna")
    with pytest.raises(UnusableDatabase, match=r"letter: is there already"):
        back_up(path, tmp_path / "letter")
    with pytest.raises(UnusableDatabase, match=r"can't be written"):
        back_up(path, tmp_path / "no folder" / "copy.db")
    with pytest.raises(UnusableDatabase, match=r"nothing\.db: is not there"):
        back_up(tmp_path / "nothing.db", tmp_path / "copy.db")
    with pytest.raises(UnusableDatabase, match=r"letter: can't be used: file is not a database"):
        back_up(tmp_path / "letter", tmp_path / "copy.db")
    assert {file.name for file in tmp_path.iterdir()} == {"tables.db", "letter"}


def test_a_backup_that_is_put_back_is_as_it_was(path: Path, tmp_path: Path) -> None:
    before = dump(path)
    copy = tmp_path / "copy.db"
    assert back_up(path, copy) == Contents(versions.latest(), 1, 3)
    database = Database.open(path)
    put(database, entry("a", 4))
    database.close()
    after = dump(path)
    away = restore(copy, path)
    assert dump(path) == before
    assert away is not None
    assert dump(away) == after
    database = Database.open(path)
    put(database, entry("a", 4))
    database.close()
    assert verify(path).entries == 4
    assert verify(copy).entries == 3


def test_a_backup_goes_to_a_new_place_too(path: Path, tmp_path: Path) -> None:
    back_up(path, tmp_path / "copy.db")
    assert restore(tmp_path / "copy.db", tmp_path / "new.db") is None
    assert dump(tmp_path / "new.db") == dump(path)


def test_a_database_in_use_is_not_replaced(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embertown.server.store.backup.WAIT_S", 0.01)
    back_up(path, tmp_path / "copy.db")
    database = Database.open(path)
    put(database, entry("a", 4))
    with pytest.raises(UnusableDatabase, match=r"tables\.db: is in use; right would be: to stop the server first"):
        restore(tmp_path / "copy.db", path)
    put(database, entry("a", 5))
    database.close()
    assert verify(path).entries == 5


def test_a_damaged_database_is_moved_aside_with_all_that_was_beside_it(path: Path, tmp_path: Path) -> None:
    before = dump(path)
    back_up(path, tmp_path / "copy.db")
    path.write_bytes(b"rubbish" * 1000)
    (tmp_path / "tables.db-wal").write_bytes(b"old log")
    away = restore(tmp_path / "copy.db", path)
    assert dump(path) == before
    assert away is not None
    assert away.read_bytes() == b"rubbish" * 1000
    assert (tmp_path / f"{away.name}-wal").read_bytes() == b"old log"


def test_a_damaged_backup_is_refused_and_the_database_stays(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(path, copy)
    data = bytearray(copy.read_bytes())
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    copy.write_bytes(data)
    before = dump(path)
    with pytest.raises(UnusableDatabase, match=r"is damaged|can't be used"):
        restore(copy, path)
    assert dump(path) == before


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("DELETE FROM entries WHERE number = 2", r"table a: has a gap in its log; right would be: entries 1, 2, 3"),
        ("DELETE FROM entries WHERE number = 1", "table a: has a gap"),
        ("DELETE FROM tables", "refer to rows that are not there"),
        ("DROP TABLE alembic_version", "no such table: alembic_version"),
        ("DELETE FROM alembic_version", "has no version"),
    ],
)
def test_a_database_that_is_not_whole_is_refused(path: Path, change: str, wrong: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(UnusableDatabase, match=wrong):
        verify(path)
