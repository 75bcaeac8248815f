"""How long things are kept: what ended longer ago than the host says is removed whole."""

from __future__ import annotations

import asyncio
import logging
from typing import NamedTuple

from embertown.core.errors import EmbertownError
from embertown.server.clocks import stamp
from embertown.server.hall import Hall
from embertown.server.store import changes, queries
from embertown.server.store.changes import ENDED
from embertown.server.store.rows import Status
from embertown.server.store.writer import Write

logger = logging.getLogger("embertown.server")

A_DAY = 24 * 60 * 60.0
NEVER_BEGUN: tuple[Status, ...] = ("open",)
"""A table that nobody came to. One that is being played is kept, however slowly."""


class Removed(NamedTuple):
    """What was removed."""

    tables: int = 0
    guests: int = 0


class Retention:
    """Removes tables that ended, or never began, so many days ago; and guests who were not seen for as long."""

    def __init__(self, hall: Hall, days: int) -> None:
        self.hall, self.days = hall, days

    async def run(self) -> None:
        """At once, and then every day."""
        while True:
            try:
                removed = await self.sweep()
                if any(removed):
                    logger.info("removed what is older than %d days", self.days, extra=removed._asdict())
            except EmbertownError as error:
                logger.warning("what is old could not be removed: %s", error)
            await asyncio.sleep(A_DAY)

    async def sweep(self) -> Removed:
        """Remove what is old enough."""
        before = stamp(self.hall.clock() - self.days * A_DAY)
        return Removed(await self._tables(before), await self._guests(before))

    async def _tables(self, before: str) -> int:
        """In portions, so that nobody waits; what somebody looks at right now is left for the next day."""
        skipped: set[str] = set()
        removed = 0
        while True:
            found = await self.hall.database.read(
                queries.tables_to_delete, before, (*ENDED, *NEVER_BEGUN), queries.PAGE + len(skipped)
            )
            old = [each for each in found if each not in skipped]
            if not old:
                return removed
            skipped |= {each for each in old if not self._let_go(each)}
            gone = [each for each in old if each not in skipped]
            if gone:
                await self.hall.writer.write(Write((), changes.delete_tables(gone, before)))
                removed += len(gone)

    def _let_go(self, table_id: str) -> bool:
        """Whether a table is not in memory, or leaves it now."""
        room = self.hall.rooms.get(table_id)
        if room is not None:
            self.hall.forget_if_idle(room)
        return table_id not in self.hall.rooms

    async def _guests(self, before: str) -> int:
        """Guests who sit and host nowhere any more; those who are banned stay banned."""
        removed = 0
        while old := await self.hall.database.read(queries.guests_to_delete, before):
            await self.hall.writer.write(Write((), changes.delete_guests(old, before)))
            removed += len(old)
        return removed
