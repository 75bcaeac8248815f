"""Writes entries to the database named on the command line, without end, and says each one that is acknowledged."""

from __future__ import annotations

import asyncio
import sys

from embertown.server.store import queries
from embertown.server.store.database import Database
from embertown.server.store.errors import Conflict
from embertown.server.store.writer import Writer
from tests.server.store.samples import entry, new_table

TABLES = 20


async def main(path: str) -> None:
    database = Database.open(path)
    writer = Writer(database)
    await writer.start()
    await asyncio.gather(*(play(database, writer, f"t{table}") for table in range(TABLES)))


async def play(database: Database, writer: Writer, table_id: str) -> None:
    if await database.read(queries.table, table_id) is None:
        await writer.write(new_table(table_id))
    number = len(await database.read(queries.entries, table_id))
    while True:
        number += 1
        text = f"{table_id} says {number}"
        await writer.write(entry(table_id, number, text))
        try:
            await writer.write(entry(table_id, number, text))  # a repeat is never entered twice
        except Conflict:
            print(table_id, number, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
