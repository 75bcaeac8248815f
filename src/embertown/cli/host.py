"""What the commands of a server's host share: the folder, and asking the server that runs on it, or the data itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from embertown.cli.screen import printable
from embertown.core.errors import BadArgument, EmbertownError

if TYPE_CHECKING:
    import httpx

    from embertown.server.settings import Settings

T = TypeVar("T")

ANSWER_WITHIN = 60.0
"""Seconds for the server to answer: it may be busy."""
NOWHERE = "http://embertown"
"""The address of an application that listens nowhere."""
BAD_REQUEST = 400

FolderOption = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="The server's data.", show_default="~/.local/share/embertown"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line, for programs.")]


class NotDone(EmbertownError):
    """What the server says where it does not do what was asked for."""


def settings_of(folder: Path | None) -> Settings:
    """The settings that say where the data is."""
    from embertown.server.settings import Settings, data_folder

    return Settings(folder=(data_folder() if folder is None else folder).expanduser().absolute())


def database_file(settings: Settings) -> Path:
    """The file of the database; what is none has tools of its own."""
    address = str(settings.database_address)
    if "://" in address:
        raise BadArgument("the database is no file; right would be: the tools of that database, such as pg_dump")
    return Path(address)


def address_of(folder: Path | None) -> str:
    """Where the server on a folder listens, or would if nothing else is said."""
    from embertown.server.lock import who_holds

    settings = settings_of(folder)
    holder = who_holds(settings.folder)
    running = None if holder is None else holder.address
    return running or f"http://{settings.host}:{settings.port}"


class Ask:
    """Asks a server as its host."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def get(self, path: str, **query: Any) -> Any:
        """What the server tells."""
        asked = {key: value for key, value in query.items() if value is not None}
        return await self._ask("GET", path, params=asked)

    async def post(self, path: str, **wish: Any) -> Any:
        """What comes of a wish."""
        return await self._ask("POST", path, json=wish)

    async def _ask(self, method: str, path: str, **how: Any) -> Any:
        import httpx

        try:
            answer = await self._client.request(method, f"/api/admin/{path}", **how)
            told = answer.json()
        except (httpx.HTTPError, ValueError) as problem:
            what = str(problem) or type(problem).__name__
            raise NotDone(f"the server at {self._client.base_url} does not answer: {what}") from None
        if answer.status_code >= BAD_REQUEST:
            raise NotDone(str(told.get("sentence", told)))
        return told


def ask(folder: Path | None, questions: Callable[[Ask], Awaitable[T]], *, make: bool = False) -> T:
    """Put questions to the server that runs on a folder; where none does, to the data itself (`make`: also to none)."""
    from embertown.server.lock import who_holds

    settings = settings_of(folder)
    holder = who_holds(settings.folder)
    if holder is not None and holder.address is not None:
        return asyncio.run(_asked_there(settings, holder.address, questions))
    address = settings.database_address
    if not make and isinstance(address, Path) and not address.exists():
        raise BadArgument(f"{settings.folder}: no server has run here; right would be: its --folder")
    return asyncio.run(_asked_here(settings, questions))


async def _asked_there(settings: Settings, address: str, questions: Callable[[Ask], Awaitable[T]]) -> T:
    import httpx

    from embertown.server.admin import bearer

    async with httpx.AsyncClient(
        base_url=address, headers=bearer(settings), timeout=ANSWER_WITHIN, trust_env=False
    ) as client:
        return await questions(Ask(client))


async def _asked_here(settings: Settings, questions: Callable[[Ask], Awaitable[T]]) -> T:
    import httpx

    from embertown.server import lock
    from embertown.server.admin import at_home, bearer

    with lock.hold(settings.folder):
        async with at_home(settings) as app:
            door = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=door, base_url=NOWHERE, headers=bearer(settings)) as client:
                return await questions(Ask(client))


# ---- what people see


MINUTES = 16
"""Characters of a time, to the minute."""
Columns = dict[str, Callable[[dict[str, Any]], str]]


def minute(text: str | None) -> str:
    """A time to the minute; nothing for none.

    >>> minute("2026-11-16T01:02:03.004Z"), minute(None)
    ('2026-11-16 01:02', '')
    """
    return "" if text is None else text[:MINUTES].replace("T", " ")


def show(found: list[dict[str, Any]], columns: Columns, *, as_json: bool) -> None:
    """A list, as a table for people or as one JSON object a line."""
    if as_json:
        for each in found:
            typer.echo(json.dumps(each, ensure_ascii=False))
        return
    rows = [list(columns), *([printable(told(each)) for told in columns.values()] for each in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
