"""`embertown tables`: which tables a server has, what was reported there, and how to close one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from embertown.cli.host import FolderOption, JsonOption, NotDone, ask, minute, show
from embertown.cli.options import examples
from embertown.cli.screen import out, printable, say

if TYPE_CHECKING:
    from embertown.cli.host import Ask, Columns

MOST = 10_000

app = typer.Typer(help="A server's tables, for its host.", no_args_is_help=True, rich_markup_mode=None)


class TableStatus(StrEnum):
    """Where a table stands."""

    open = "open"
    playing = "playing"
    over = "over"
    aborted = "aborted"
    closed = "closed"


LimitOption = Annotated[int, typer.Option(min=1, max=MOST, metavar="N", help="At most so many.")]


def _seats(table: dict[str, Any]) -> str:
    return ", ".join(each["bot"] or each["name"] or "open" for each in table["seats"])


TABLE_COLUMNS: Columns = {
    "table": lambda each: each["id"],
    "status": lambda each: each["status"],
    "game": lambda each: each["game"],
    "seats": _seats,
    "here": lambda each: str(each["connections"]),
    "changed": lambda each: minute(each["changed"]),
    "title": lambda each: each["title"],
}
REPORT_COLUMNS: Columns = {
    "report": lambda each: str(each["id"]),
    "at": lambda each: minute(each["at"]),
    "table": lambda each: each["table"],
    "from": lambda each: each["by"] or "",
    "says": lambda each: each["text"],
    "line": lambda each: each["line"] or "",
    "by": lambda each: each["author_name"] or "",
    "guest": lambda each: each["author"] or "",
}


@app.command("list", epilog=examples("embertown tables list", "embertown tables list --status playing --json"))
def list_tables(
    status: Annotated[list[TableStatus] | None, typer.Option(help="Only these; may be given again.")] = None,
    limit: LimitOption = 100,
    folder: FolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """List tables, those that changed last first; of a running server also how many are connected."""
    wanted = [each.value for each in status or ()] or None

    async def questions(server: Ask) -> Any:
        return await server.get("tables", status=wanted, limit=limit)

    show(ask(folder, questions), TABLE_COLUMNS, as_json=as_json)


@app.command(epilog=examples("embertown tables close k3v5x2q7mzab"))
def close(
    tables: Annotated[list[str], typer.Argument(metavar="TABLE", help="Ids of tables.", show_default=False)],
    folder: FolderOption = None,
) -> None:
    """Close tables: their games end without a winner, and whoever is there is told. What has ended stays as it is."""

    async def questions(server: Ask) -> None:
        for table in tables:  # told one by one: what is closed is closed, whatever is wrong with the next
            try:
                told = await server.post(f"tables/{segment(table)}/close")
            except NotDone as problem:
                raise NotDone(f"{printable(table)}: {problem}") from None
            say(out(), f"{told['table']}: {told['status']}")

    ask(folder, questions)


@app.command(epilog=examples("embertown tables reports", "embertown tables reports --done 17"))
def reports(
    done: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Reports that are dealt with; may be given again.")
    ] = None,
    limit: LimitOption = 100,
    folder: FolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what people reported to you, oldest first; or say that some of it is dealt with."""

    async def questions(server: Ask) -> Any:
        for report in done or ():
            await server.post(f"reports/{report}/close")
        return await server.get("reports", limit=limit)

    show(ask(folder, questions), REPORT_COLUMNS, as_json=as_json)


def segment(text: str) -> str:
    """A text as one part of an address, whatever was typed."""
    from urllib.parse import quote

    return quote(text, safe="") or "-"
