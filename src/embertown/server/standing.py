"""Whose turn it is at tables in a list, also at those that are not in memory.

A table that nobody has asked for in a while is rebuilt from its log, in a thread, and what came out is kept until its
log has grown: so a list of many tables costs one query as a rule.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from embertown.server.hall import Hall
from embertown.server.store import queries
from embertown.server.store.rows import SeatedTable
from embertown.server.table import BrokenTable, rebuilt

logger = logging.getLogger("embertown.server")

Seats = tuple[int, ...]
KEPT = 10_000
"""Tables of which it is remembered who is waited for."""
MOST_AT_ONCE = 40
"""Tables that one list rebuilds; of more it says nothing until it is asked for again."""


class Standing:
    """Whose turn it is."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._kept: OrderedDict[str, tuple[int, Seats]] = OrderedDict()
        """By table: the number of the last entry, and the seats that were waited for then."""

    async def waiting(self, tables: Sequence[SeatedTable]) -> dict[str, Seats]:
        """By table: the seats that are waited for; a table of which that is not known is left out."""
        found: dict[str, Seats] = {}
        asked = []
        for row in (each.table for each in tables):
            room = self.hall.rooms.get(row.id)
            if room is not None:
                found[row.id] = room.table.waiting
            elif row.status != "playing":
                found[row.id] = ()
            else:
                asked.append(row.id)
        if asked:
            known = {each: self._kept[each] for each in asked if each in self._kept}
            for table, told in (await self.hall.database.read(_waiting, asked, known)).items():
                self._keep(table, told)
                found[table] = told[1]
        return found

    def _keep(self, table: str, told: tuple[int, Seats]) -> None:
        self._kept[table] = told
        self._kept.move_to_end(table)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _waiting(
    connection: sa.Connection, tables: Sequence[str], known: Mapping[str, tuple[int, Seats]]
) -> dict[str, tuple[int, Seats]]:
    """By table: the number of its last entry, and who is waited for; what is known is rebuilt only where it grew."""
    numbers, found, rebuilds = queries.last_numbers(connection, tables), {}, 0
    for table in tables:
        if table in known and known[table][0] == numbers.get(table):
            found[table] = known[table]
        elif rebuilds < MOST_AT_ONCE:
            rebuilds += 1
            told = _rebuilt(connection, table)
            if told is not None:
                found[table] = told
    return found


def _rebuilt(connection: sa.Connection, table: str) -> tuple[int, Seats] | None:
    loaded = queries.load_table(connection, table)
    if loaded is None:
        return None
    try:
        made = rebuilt(loaded)
    except BrokenTable:
        logger.exception("a table can't be rebuilt from its log")
        return None
    return made.number, made.waiting
