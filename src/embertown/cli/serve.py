"""`embertown serve`: a server for people and bots to play on."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from embertown.cli.host import FolderOption
from embertown.cli.options import examples
from embertown.core.errors import BadArgument

EXAMPLES = examples(
    "embertown serve",
    "embertown serve --host 0.0.0.0 --port 8000 --retention-days 90",
    "embertown serve --folder /srv/embertown --https --trust-proxy 127.0.0.1 --log json",
)


class LogKind(StrEnum):
    """How the log is written."""

    json = "json"
    text = "text"


def serve(
    folder: FolderOption = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 is everywhere.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="The port; 0 takes one that is free.")
    ] = 8726,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Another site whose pages may talk to this server; may be given again."),
    ] = None,
    https: Annotated[bool, typer.Option("--https", help="People come by https, through a proxy.")] = False,
    trust_proxy: Annotated[
        str,
        typer.Option(metavar="ADDRESSES", help="Proxies whose word about a client's address counts, with commas."),
    ] = "",
    bots: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Processes in which bots think.", show_default="cores but one"),
    ] = None,
    showing: Annotated[
        float,
        typer.Option(min=0, max=60, metavar="S", help="Seconds at least before a bot's move: people have to follow."),
    ] = 0.8,
    away: Annotated[
        float, typer.Option(min=1, metavar="S", help="Seconds after which a bot stands in for a player who is gone.")
    ] = 90.0,
    stand_in: Annotated[str, typer.Option(metavar="BOT", help="The bot that stands in.")] = "foreman",
    retention_days: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Remove tables that ended so many days ago.", show_default="keep all"),
    ] = None,
    most_tables: Annotated[int, typer.Option(min=1, metavar="N", help="Tables that are not over, at most.")] = 10_000,
    most_connections: Annotated[
        int, typer.Option(min=1, metavar="N", help="Live connections at once, at most.")
    ] = 10_000,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Limit no rates: among friends, and for measuring.")
    ] = False,
    private_webhooks: Annotated[
        bool, typer.Option("--private-webhooks", help="Webhooks may lead into this machine's own network.")
    ] = False,
    contact: Annotated[
        str, typer.Option(metavar="URL", help="Whom push services may ask about this server: mailto:… or https://…")
    ] = "mailto:admin@localhost",
    database: Annotated[
        str | None,
        typer.Option(
            metavar="PATH|URL",
            help="Another database than the one in the folder.",
            envvar="EMBERTOWN_DATABASE",
            show_default="embertown.sqlite in the folder",
        ),
    ] = None,
    log: Annotated[
        LogKind | None, typer.Option(help="How the log on stderr is written.", show_default="text in a terminal")
    ] = None,
    log_requests: Annotated[
        bool, typer.Option("--log-requests", help="A line for each request, by route; no addresses.")
    ] = False,
    log_addresses: Annotated[
        bool, typer.Option("--log-addresses", help="With --log-requests: the addresses of people as well.")
    ] = False,
) -> None:
    """Serve tables at which people and bots play, until Ctrl-C.

    Everything is kept in one folder: the database, the server's keys, backups. A signal (Ctrl-C, SIGTERM) stops in
    order: everyone is told, what is under way is finished, exit code 0; a second one stops at once. Whatever was
    acknowledged is on the disk either way.
    """
    if log_addresses and not log_requests:
        raise BadArgument("--log-addresses is given alone; right would be: with --log-requests")
    from embertown.bots.registry import bot_names
    from embertown.core.errors import UnknownBot
    from embertown.server import logs
    from embertown.server.serving import Watcher, run
    from embertown.server.settings import Settings, data_folder, default_bot_processes

    if stand_in not in bot_names():
        raise UnknownBot(stand_in, bot_names())
    settings = Settings(
        folder=(data_folder() if folder is None else folder).expanduser().absolute(),
        database=database,
        host=host,
        port=port,
        origins=tuple(map(_origin, origin or ())),
        https=https,
        trusted_proxies=trust_proxy,
        bot_processes=default_bot_processes() if bots is None else bots,
        showing=showing,
        away=away,
        stand_in=stand_in,
        most_tables=most_tables,
        most_connections=most_connections,
        contact=contact,
        limits=not no_limits,
        private_webhooks=private_webhooks,
        retention_days=retention_days,
        log_addresses=log_addresses,
    )
    logs.set_up(None if log is None else logs.Kind(log), requests=log_requests)
    run(settings, Watcher(open=lambda address: _announce(address, settings.folder)))


def _announce(address: str, folder: Path) -> None:
    typer.echo(f"Embertown is open at {address} (data in {folder}). Ctrl-C stops it.")


def _origin(given: str) -> str:
    """An origin as browsers say it: scheme, host, port; nothing behind."""
    from urllib.parse import urlsplit

    parts = urlsplit(given)
    if (
        parts.scheme not in ("http", "https")
        or not parts.netloc
        or parts.path.strip("/")
        or parts.query
        or "@" in given
    ):
        raise BadArgument(f"--origin is {given!r}; right would be: https://example.org")
    return f"{parts.scheme}://{parts.netloc}"
