"""`embertown import`: records as tables of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from embertown.cli.host import FolderOption, JsonOption, address_of, ask, show
from embertown.cli.options import examples
from embertown.cli.screen import out, progress, say, warm_up, warming_up
from embertown.core.errors import BadArgument, shown

if TYPE_CHECKING:
    from embertown.cli.host import Ask

EXAMPLES = examples(
    "embertown import games.jsonl",
    "embertown import one.json --public",
    "embertown import one.json --url https://play.example.org",
)


class Checked(NamedTuple):
    """A record that can become a table, and where it stands."""

    where: str
    text: str


def import_records(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Records: one in a file, or one a line; - is stdin.", show_default=False),
    ],
    public: Annotated[bool, typer.Option("--public", help="Everybody may watch the tables.")] = False,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Under which address people reach the server.", show_default="that on this machine"
        ),
    ] = None,
    folder: FolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a table of each record, on a running server or where one will run. All of them, or none.

    A finished game can be looked at, an unfinished one goes on: bots that are known here play on, and for every other
    seat a link is told, once; with --url it begins with the address under which people reach the server. A record that
    is against the rules, whose proof is false, or in which cards are hidden is refused with its place.
    """
    base = address_of(folder) if url is None else _checked_address(url)
    with warming_up():
        from embertown.cli.lines import games_in
        from embertown.games import load

        for game in games_in(files):
            warm_up(load(game))
    records = _checked(files)

    async def questions(server: Ask) -> list[Any]:
        told = []
        with progress("importing", len(records), "records") as advance:
            for record in records:
                told.append(await server.post("import", record=record.text, where=record.where, public=public))
                advance(1)
        return told

    found = ask(folder, questions, make=True)
    if as_json:
        show(found, {}, as_json=True)
        return
    for told in found:
        _tell(told, base)


def _checked(files: list[str]) -> list[Checked]:
    """All records, if every one of them can become a table."""
    from embertown.cli.lines import records_in, source
    from embertown.server.clocks import stamp
    from embertown.server.importing import brought_in

    found = []
    for name in files:
        with source(name) as stream:
            for line in records_in(name, stream):
                where = f"{name}:{line.number}"
                brought_in(line.text, where, stamp(0))
                found.append(Checked(where, line.text))
    return found


def _checked_address(url: str) -> str:
    """The beginning of a link, without a slash at its end."""
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query:
        raise BadArgument(f"--url is {shown(url)}; right would be: such as https://play.example.org")
    return f"{parts.scheme}://{parts.netloc}"


def _tell(told: dict[str, Any], base: str) -> None:
    say(out(), f"{told['table']}: {told['status']}")
    for remark in told["remarks"]:
        say(out(), f"  {remark}")
    for seat, token in told["links"].items():
        say(out(), f"  link to seat {seat}: {base}/join#{token}")
    if told["watch"] is not None:
        say(out(), f"  link for watching: {base}/table/{told['table']}#watch={told['watch']}")
