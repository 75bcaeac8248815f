"""What a running server consists of, handed to routes and connections as one thing."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from embertown.bots.registry import bot_names
from embertown.core.errors import UnknownBot
from embertown.server.addresses import Addresses
from embertown.server.errors import Refused
from embertown.server.hall import Hall
from embertown.server.health import Probe, Warmth
from embertown.server.identity import Guests
from embertown.server.keys import Keys
from embertown.server.limits import Limits
from embertown.server.making import Maker
from embertown.server.metrics import Metrics
from embertown.server.notify import Notifier
from embertown.server.settings import Settings
from embertown.server.standing import Standing
from embertown.server.store import queries
from embertown.server.store.database import Database
from embertown.server.store.writer import Writer
from embertown.server.table import Table
from embertown.server.thinking import Thinkers

if TYPE_CHECKING:
    from embertown.server.advising import Adviser
    from embertown.server.chat import Chat
    from embertown.server.driving import Driver

WARMING_RETRY_S = 3.0
"""When to try again while the kernels get ready."""


class Access:
    """Who may watch what."""

    def may_watch(self, table: Table, guest: str | None, token: str | None) -> bool:
        """Whether a table is public, one's own, or the token of its watch link is known."""
        row = table.row
        if row.public or table.seats_of(guest) or (guest is not None and guest == row.host_guest):
            return True
        hashed = hashlib.sha256((token or "").encode()).hexdigest()
        return row.watch_hash is not None and hmac.compare_digest(hashed, row.watch_hash)

    def check_watching(self, table: Table, guest: str | None, token: str | None) -> None:
        """A table that one may not watch is answered like one that is not there: ids tell nothing."""
        if not self.may_watch(table, guest, token):
            raise Refused("no_such_table", status=404)

    def check_bot(self, bot: str | None) -> None:
        """Whether there is such a bot."""
        if bot is not None and bot not in bot_names():
            raise UnknownBot(bot, bot_names())


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a running server."""

    settings: Settings
    keys: Keys
    database: Database
    writer: Writer
    guests: Guests
    limits: Limits
    hall: Hall
    maker: Maker
    thinkers: Thinkers
    notifier: Notifier
    addresses: Addresses
    driver: Driver
    chat: Chat
    adviser: Adviser
    access: Access
    standing: Standing
    warm: asyncio.Event
    """Set when the kernels are ready."""
    warmth: Warmth
    """How far they are before that."""
    probe: Probe
    metrics: Metrics
    queries: ModuleType = queries

    def check_warm(self) -> None:
        """Whether tables can be made already."""
        if not self.warm.is_set():
            raise Refused("warming", status=503, retry_after=WARMING_RETRY_S)
