"""`embertown guests`: who plays on a server, and whom its host lets in no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from embertown.cli.host import FolderOption, JsonOption, ask, minute, show
from embertown.cli.options import examples
from embertown.cli.screen import out, say
from embertown.cli.tables import LimitOption, segment

if TYPE_CHECKING:
    from embertown.cli.host import Ask, Columns

app = typer.Typer(help="A server's guests, for its host.", no_args_is_help=True, rich_markup_mode=None)

COLUMNS: Columns = {
    "guest": lambda each: each["id"],
    "name": lambda each: each["name"] or "",
    "came": lambda each: minute(each["created"]),
    "seen": lambda each: minute(each["seen"]),
    "banned": lambda each: minute(each["banned"]),
    "reason": lambda each: each["reason"] or "",
}
GuestArgument = Annotated[str, typer.Argument(metavar="GUEST", help="The guest's id.", show_default=False)]


@app.command("list", epilog=examples("embertown guests list --banned", "embertown guests list --table k3v5x2q7mzab"))
def list_guests(
    banned: Annotated[bool, typer.Option("--banned", help="Only those who are banned.")] = False,
    table: Annotated[
        str | None, typer.Option(metavar="ID", help="Only those who sit at this table, made it or wrote there.")
    ] = None,
    limit: LimitOption = 100,
    folder: FolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """List guests, who was seen last first."""

    async def questions(server: Ask) -> Any:
        return await server.get("guests", banned=banned, table=table, limit=limit)

    show(ask(folder, questions), COLUMNS, as_json=as_json)


@app.command(epilog=examples("embertown guests ban 5f0c…9a --reason 'insults'"))
def ban(
    guest: GuestArgument,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="Why; for you alone.")] = None,
    folder: FolderOption = None,
) -> None:
    """Let a guest in no more, by no cookie, code or token; connections end at once.

    Where others wait for them, a bot takes over, as for everybody who is gone.
    """

    async def questions(server: Ask) -> Any:
        return await server.post(f"guests/{segment(guest)}/ban", reason=reason)

    say(out(), f"{ask(folder, questions)['guest']}: banned")


@app.command(epilog=examples("embertown guests unban 5f0c…9a"))
def unban(guest: GuestArgument, folder: FolderOption = None) -> None:
    """Let a guest in again."""

    async def questions(server: Ask) -> Any:
        return await server.post(f"guests/{segment(guest)}/unban")

    say(out(), f"{ask(folder, questions)['guest']}: may come again")
