"""`embertown export`: a server's tables as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from embertown.cli.host import FolderOption, settings_of
from embertown.cli.options import examples, output
from embertown.cli.screen import BROKEN, progress, say_problem, warming_up
from embertown.core.errors import BadArgument, EmbertownError

if TYPE_CHECKING:
    from embertown.core.record import GameRecord
    from embertown.server.store.database import Database

EXAMPLES = examples(
    "embertown export --all --out games.jsonl",
    "embertown export --table k3v5x2q7mzab | embertown check -",
)
NOT_BEGUN = "not_started"


def export(
    table: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A table; may be given again.", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All tables that have begun.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write, one record a line.", show_default="stdout")
    ] = None,
    folder: FolderOption = None,
) -> None:
    """Write tables as records, one a line: whole, with cards, seeds and all other secrets. They are for you alone.

    Also beside a running server: the database is only read. `embertown import` makes tables of the records again.
    """
    if bool(table) == every:
        raise BadArgument("it is not said what to export; right would be: --table ID or --all")
    with warming_up():
        from embertown.server.store import queries
        from embertown.server.store.database import Database

        database = Database.open_to_read(settings_of(folder).database_address)
    try:
        with database.engine.connect() as connection:
            ids = list(table or queries.table_ids(connection))
        with output(out) as stream, progress("exporting", len(ids), "tables") as advance:
            problems = 0
            for found in _records(database, ids, strict=not every):
                advance(1)
                problems += isinstance(found, EmbertownError)
                if isinstance(found, EmbertownError):
                    say_problem(f"embertown: {found}")
                elif found is not None:
                    stream.write(f"{found.to_json()}\n")
    finally:
        database.close()
    if problems:
        raise typer.Exit(BROKEN)


class Damaged(EmbertownError):
    """A table whose log can't be read."""


def _records(database: Database, ids: Sequence[str], *, strict: bool) -> Iterator[GameRecord | EmbertownError | None]:
    """The record of each table, or what is wrong with it; None for one that has not begun, where that is no wonder."""
    from embertown.server.errors import Refused
    from embertown.server.importing import record_of
    from embertown.server.table import BrokenTable

    for table_id in ids:
        try:
            with database.engine.connect() as connection:
                yield record_of(connection, table_id)
        except Refused as refused:
            is_no_wonder = refused.code == NOT_BEGUN and not strict
            yield None if is_no_wonder else Damaged(f"table {table_id}: {refused}")
        except BrokenTable as broken:
            yield Damaged(str(broken))
