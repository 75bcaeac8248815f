"""What can go wrong with the store: a conflict, a failure, and a database that can't be used."""

from __future__ import annotations

from embertown.core.errors import EmbertownError, MalformedFile


class Conflict(EmbertownError):
    """A write against what is stored already: a number or an id that is taken, or a row to change that is not there."""


class StoreFailure(EmbertownError):
    """Nothing was stored, as far as is known: the disk is full, the database is locked, the writer has stopped …"""


class UnusableDatabase(MalformedFile):
    """A database that this version can't use.

    >>> print(UnusableDatabase("games.db", "", "is no SQLite database", "a file that Embertown made"))
    games.db: is no SQLite database; right would be: a file that Embertown made
    """
