"""Versions of the schema: which one a database has, which one is the latest, and the way there (Alembic).

To make a new one: change `schema.py`, then write `migrations/versions/v0003_….py` after the example of the others.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from embertown import __version__
from embertown.core.errors import shown
from embertown.server.store.errors import UnusableDatabase

MIGRATIONS = Path(__file__).parent / "migrations"
CONNECTION = "connection"
"""Under this name `migrations/env.py` finds the connection."""


@cache
def latest() -> str:
    """The version of `schema.py`."""
    head = scripts().get_current_head()
    assert head is not None, "there is a first version"
    return head


def known() -> list[str]:
    """All versions, oldest first."""
    return [script.revision for script in reversed(list(scripts().walk_revisions()))]


def checked(connection: sa.Connection, name: str) -> str | None:
    """The version of a database, None for an empty one; one that is not ours or newer than this is refused."""
    version = MigrationContext.configure(connection).get_current_revision()
    if version is None:
        if sa.inspect(connection).get_table_names():
            raise UnusableDatabase(
                name, "", "holds tables of something else", "a database that Embertown made, or none"
            )
        return None
    if version not in known():
        wrong = f"has a schema of version {shown(version)}, and Embertown {__version__} knows them up to {latest()}"
        right = "a newer Embertown, or the backup that was made before the migration"
        raise UnusableDatabase(name, "", wrong, right)
    return version


def migrate(connection: sa.Connection, version: str = "head") -> None:
    """Bring a database to a version, within the transaction of its connection."""
    config = _config()
    config.attributes[CONNECTION] = connection
    command.upgrade(config, version)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def scripts() -> ScriptDirectory:
    """The steps from version to version, as Alembic reads them."""
    return ScriptDirectory.from_config(_config())
