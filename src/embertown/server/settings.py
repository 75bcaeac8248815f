"""Everything that a host may set, in one place."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from embertown.core.pool import cores

DEFAULT_PORT = 8726
DATABASE = "EMBERTOWN_DATABASE"
"""The environment variable that names another database than the file in the data folder."""


def data_folder() -> Path:
    """Where a server keeps its data if nothing else is said."""
    home = os.environ.get("XDG_DATA_HOME", "")
    return (Path(home) if home else Path.home() / ".local" / "share") / "embertown"


def default_bot_processes() -> int:
    """One for each core but one: the server itself needs it."""
    return max(1, cores() - 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server is started with."""

    folder: Path = field(default_factory=data_folder)
    """Database, keys and backups are there."""
    database: str | None = None
    """A database's address; None for the file in the folder."""
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    origins: tuple[str, ...] = ()
    """Other addresses under which pages may talk to this server, besides its own."""
    https: bool = False
    """Whether people reach it by https, through a proxy: cookies are marked Secure then."""
    trusted_proxies: str = ""
    """Addresses of proxies whose word about a client's address counts."""
    bot_processes: int = field(default_factory=default_bot_processes)
    showing: float = 0.8
    """Seconds between an entry and a bot's next one, at least: people have to follow."""
    away: float = 90.0
    """Seconds that a player of a live table may be gone at its turn while another person waits."""
    gather: float = 15.0
    """Seconds that a rematch, or a later game of a match, waits for its players' entropy."""
    gather_days: float = 3600.0
    """The same at tables over days."""
    stand_in: str = "foreman"
    """The bot that takes the seat of a player who is gone or out of time."""
    most_tables: int = 10_000
    """Open and running tables at once."""
    most_connections: int = 10_000
    limits: bool = True
    """Whether rates are limited; load tests go without."""
    private_webhooks: bool = False
    """Whether a webhook may lead to an address of the host's own network."""
    contact: str = "mailto:admin@localhost"
    """Whom push services may ask about this server."""
    retention_days: int | None = None
    """Tables that ended longer ago are removed; None keeps all."""
    log_addresses: bool = False
    """Whether the log of requests tells the addresses of people."""

    @property
    def database_file(self) -> Path:
        """The SQLite file."""
        return self.folder / "embertown.sqlite"

    @property
    def database_address(self) -> str | Path:
        """The database that is used: what was set, the environment's, or the file."""
        return self.database or os.environ.get(DATABASE, "") or self.database_file
