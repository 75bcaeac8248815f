"""Opening: new databases, older ones with a backup first, and clear refusals of everything else."""

from __future__ import annotations

import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from embertown.server.store import backup, changes, queries, versions
from embertown.server.store.database import Database
from embertown.server.store.errors import UnusableDatabase
from embertown.server.store.schema import metadata
from tests.server.store.samples import entry, new_table, put, table

NEXT = '''
"""Only of the tests."""
import sqlalchemy as sa
from alembic import op
revision = "next"
down_revision = "{latest}"
def upgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.alter_column("title", new_column_name="headline")
        tables.add_column(sa.Column("theme", sa.Text))
    {more}
'''


LATEST = versions.latest()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of the latest version with one table of three entries."""
    path = tmp_path / "data" / "tables.db"
    database = Database.open(path)
    put(database, new_table("a", title="Friday"), *(entry("a", number) for number in (1, 2, 3)))
    database.close()
    return path


@pytest.fixture
def next_version(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:  # noqa: ARG001 - the one before it is first
    """As if this were a later Embertown, whose schema has changed once more; the file of that change."""
    migrations = tmp_path / "migrations"
    shutil.copytree(versions.MIGRATIONS, migrations, ignore=shutil.ignore_patterns("__pycache__"))
    change = migrations / "versions" / "v9999_next.py"
    change.write_text(NEXT.format(latest=LATEST, more=""))
    monkeypatch.setattr(versions, "MIGRATIONS", migrations)
    forget()
    yield change
    monkeypatch.undo()
    forget()


def forget() -> None:
    versions.latest.cache_clear()
    versions.scripts.cache_clear()


def columns(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[1] for row in connection.execute("PRAGMA table_info(tables)")}


def backups(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.stem}-*{path.suffix}"))


def test_a_new_database_and_the_same_one_again(path: Path) -> None:
    database = Database.open(str(path))
    with database.engine.connect() as connection:
        loaded = queries.load_table(connection, "a")
    database.close()
    assert loaded is not None
    assert loaded.table == table("a", title="Friday")
    assert [row.number for row in loaded.entries] == [1, 2, 3]
    assert backups(path) == []
    assert [file.name for file in path.parent.iterdir()] == ["tables.db"]  # closed means that all is in one file


def test_an_address_of_sqlite_is_a_path(path: Path) -> None:
    database = Database.open(f"sqlite:///{path}")
    database.close()
    assert database.path == path


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_nobody_else_can_read_it(path: Path) -> None:
    database = Database.open(path)
    put(database, new_table("b"))
    modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    database.close()
    assert modes == dict.fromkeys(["tables.db", "tables.db-wal", "tables.db-shm"], 0o600)


def test_the_migrations_make_the_schema(path: Path) -> None:
    database = Database.open(path)
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        made = inspected(connection)
    database.close()
    wanted = sa.create_engine("sqlite://")
    metadata.create_all(wanted)
    with wanted.connect() as connection:
        assert made == inspected(connection)
    wanted.dispose()


def inspected(connection: sa.Connection) -> dict[str, object]:
    """Tables with columns, keys, references and indexes, by the database's own account."""
    inspector = sa.inspect(connection)
    return {
        name: (
            [(column["name"], str(column["type"]), column["nullable"]) for column in inspector.get_columns(name)],
            inspector.get_pk_constraint(name),
            sorted(inspector.get_foreign_keys(name), key=str),
            sorted(inspector.get_indexes(name), key=str),
            sorted(inspector.get_unique_constraints(name), key=str),
        )
        for name in inspector.get_table_names()
        if name != "alembic_version"
    }


def test_the_schema_can_be_made_in_postgresql() -> None:
    dialect = postgresql.dialect()
    for made in metadata.sorted_tables:
        text = str(CreateTable(made).compile(dialect=dialect))
        assert not re.search(r"AUTOINCREMENT|WITHOUT ROWID|BLOB", text)
        for index in made.indexes:
            assert "CREATE" in str(CreateIndex(index).compile(dialect=dialect))


@pytest.mark.usefixtures("next_version")
def test_an_older_database_is_backed_up_and_migrated(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        before = list(connection.iterdump())
    Database.open(path).close()
    assert {"headline", "theme"} <= columns(path)
    assert backup.verify(path) == backup.Contents("next", 1, 3)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT headline FROM tables").fetchall() == [("Friday",)]
        assert connection.execute("SELECT count(*) FROM seats").fetchall() == [(2,)]
    (copy,) = backups(path)
    assert re.fullmatch(rf"tables-{LATEST}-\d{{8}}T\d{{6}}\.\d+Z\.db", copy.name)
    with closing(sqlite3.connect(copy)) as connection:
        assert list(connection.iterdump()) == before
    Database.open(path).close()  # nothing is left to do
    assert len(backups(path)) == 1


def test_tables_of_the_first_version_say_whether_they_follow_another(tmp_path: Path) -> None:
    """Until then this was told by `first` alone, which a record that was brought in has as well."""
    path = tmp_path / "old.db"
    engine = sa.create_engine(f"sqlite:///{path}")
    columns = [column for column in metadata.tables["tables"].columns if column.name != "follows"]
    old = sa.table("tables", *(sa.column(column.name, column.type) for column in columns))
    told: dict[str, dict[str, Any]] = {
        "by lot": {"next_id": "rematch"},
        "rematch": {"first": 1, "status": "over"},
        "its earlier one is deleted": {"first": 0},
        "brought in": {"first": 0, "status": "playing", "host_guest": None},
    }
    with engine.begin() as connection:
        versions.migrate(connection, "0001")
        for name, other in told.items():
            values = {column.name: getattr(table(name, **other), column.name) for column in columns}
            connection.execute(old.insert().values(values))
    engine.dispose()
    database = Database.open(path)
    with database.engine.connect() as connection:
        found = {name: queries.table(connection, name) for name in told}
    database.close()
    assert {name for name, row in found.items() if row is not None and row.follows} == {
        "rematch",
        "its earlier one is deleted",
    }
    assert [row.first for row in found.values() if row is not None] == [None, 1, 0, 0]


@pytest.mark.usefixtures("next_version")
def test_a_new_database_has_the_latest_version_at_once(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    Database.open(path).close()
    assert backup.verify(path).version == "next"
    assert backups(path) == []


@pytest.mark.parametrize("more", ["op.execute('DELETE FROM nowhere')", "op.execute('DELETE FROM tables')"])
def test_a_migration_that_fails_changes_nothing(path: Path, next_version: Path, more: str) -> None:
    next_version.write_text(NEXT.format(latest=LATEST, more=more))
    with closing(sqlite3.connect(path)) as connection:
        before = list(connection.iterdump())
    with pytest.raises(UnusableDatabase, match=r"no such table|refers to a row of tables that is not there"):
        Database.open(path)
    with closing(sqlite3.connect(path)) as connection:
        assert list(connection.iterdump()) == before
    assert backup.verify(path) == backup.Contents(LATEST, 1, 3)


def test_a_newer_database_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0099'")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(UnusableDatabase, match=r"tables\.db: has a schema of version '0099'.*a newer Embertown"):
        Database.open(path)
    assert path.read_bytes() == before
    assert backups(path) == []


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "music.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(UnusableDatabase, match=r"music\.db: holds tables of something else"):
        Database.open(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Anna, " * 1000)
    with pytest.raises(UnusableDatabase, match=r"letter\.txt: can't be used: file is not a database"):
        Database.open(path)
    assert path.read_text() == "Dear Anna, " * 1000


def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file" / "tables.db", tmp_path / ("x" * 300), tmp_path / "a\0b"):
        with pytest.raises(UnusableDatabase, match=r"can't be opened: .*; right would be: a file"):
            Database.open(place)


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("sqlite://", "would forget everything"),
        ("sqlite:///:memory:", "would forget everything"),
        ("nosuch://host/name", "needs a driver"),
        ("://", "can't be read"),
    ],
)
def test_an_address_that_can_not_be_used_is_refused(address: str, wrong: str) -> None:
    with pytest.raises(UnusableDatabase, match=wrong):
        Database.open(address)


def test_a_password_is_in_no_message() -> None:
    with pytest.raises(UnusableDatabase) as caught:
        Database.open("nosuch://anna:hunter2@host/name")
    assert "hunter2" not in str(caught.value)


def test_who_will_write_takes_the_lock_at_once_and_who_reads_never(path: Path) -> None:
    database = Database.open(path)
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as other:
        locked = pytest.raises(sqlite3.OperationalError, match="locked")
        with database.connect_to_write() as connection, connection.begin(), locked:
            other.execute("BEGIN IMMEDIATE")
        with database.engine.connect() as connection, connection.begin():
            assert queries.table(connection, "a") is not None
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
    database.close()


def test_the_log_is_not_deleted_with_a_table_that_still_has_one(path: Path) -> None:
    database = Database.open(path)
    with database.connect_to_write() as connection, pytest.raises(sa.exc.IntegrityError), connection.begin():
        connection.execute(changes.delete_tables(["a"], "2030")[-1])
    database.close()
