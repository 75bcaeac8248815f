"""`embertown play`: the page, in this machine's own browser, from a server of its own."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING, Annotated, Any

import typer

from embertown.cli.host import FolderOption, settings_of
from embertown.cli.options import examples
from embertown.cli.screen import WARMING_UP, err, say
from embertown.core.errors import EmbertownError

if TYPE_CHECKING:
    from embertown.server.thinking import Progress

HOST = "127.0.0.1"
USUAL_PORT = 8726
"""The server's own: browsers keep drafts and settings by address, so it is better the same every time."""
ANY_PORT = 0
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
"""Environment variables: without one of them, browsers of these systems have nowhere to appear."""
PATIENCE_S = 5.0
"""Whoever waits longer for the kernels is told why."""
FIRST_TIME = "The rules and the bots are compiled for this machine: minutes the first time, seconds from then on."

EXAMPLES = examples(
    "embertown play",
    "embertown play cronberg",
    "embertown play drunter --no-browser",
)


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Begin at once, against a bot: cronberg or drunter.", show_default=False),
    ] = None,
    folder: FolderOption = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            metavar="N",
            help="The port; 0 takes one that is free.",
            show_default=f"{USUAL_PORT}, or one that is free",
        ),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser, only tell the address.")] = False,
) -> None:
    """Play in the browser: against bots, with friends at this device, or over days.

    Starts a server on this machine, for this machine alone, and opens the page once it is ready; Ctrl-C ends it, and
    every game goes on the next time. Where a server runs on the same data already, its page is opened.
    """
    from dataclasses import replace

    from embertown.server.lock import who_holds

    path = _path_of(game)
    settings = settings_of(folder)
    holder = who_holds(settings.folder)
    if holder is not None and holder.address is not None:
        typer.echo(f"Embertown is open already at {holder.address}{path}")
        if not no_browser:
            show(holder.address + path)
        return
    from embertown.server import logs

    logs.set_up(logs.Kind.text, quiet=True)
    chosen = _free_port() if port is None else port
    _serve(replace(settings, host=HOST, port=chosen, limits=False), Opening(path, wanted=not no_browser))


def _path_of(game: str | None) -> str:
    """Where the page begins: with a game, in that game."""
    from embertown.games import game_class

    return "/" if game is None else f"/?play={game_class(game).name}"


def _free_port() -> int:
    """The usual port where nobody listens there, else any."""
    try:
        with socket.create_server((HOST, USUAL_PORT)):
            return USUAL_PORT
    except OSError:
        return ANY_PORT


def _serve(settings: Any, opening: Opening) -> None:
    from embertown.server.serving import Watcher, run

    watcher = Watcher(
        open=opening.begin, warming=opening.warming, failing=opening.failing, stopping=opening.end_progress
    )
    run(settings, watcher)
    if opening.problem is not None:
        raise EmbertownError(opening.problem)


class Opening:
    """From the start of the server to the open page: a bar while the kernels get ready, then the browser."""

    def __init__(self, path: str, *, wanted: bool) -> None:
        self.path, self.wanted = path, wanted
        self.address = ""
        self._console = err()
        self.problem: str | None = None
        self._bar: Any = None
        self._task: Any = None
        self.late = threading.Timer(PATIENCE_S, lambda: say(self._console, FIRST_TIME))
        self.late.daemon = True

    def begin(self, address: str) -> None:
        """The server listens; its kernels are not ready yet."""
        self.address = address
        self.late.start()
        console = self._console
        if not console.is_terminal:
            say(console, WARMING_UP)
            return
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[what]}"), TimeElapsedColumn()
        self._bar = Progress(*columns, console=console, transient=True)
        self._task = self._bar.add_task(WARMING_UP, total=None, what="the rules")
        self._bar.start()

    def warming(self, progress: Progress) -> None:
        """A step further; after the last one the page opens."""
        if self._bar is not None:
            self._bar.update(self._task, completed=progress.done, total=progress.total, what=progress.what)
        if progress.done == progress.total:
            self.end_progress()
            typer.echo(f"Embertown is open at {self.address}{self.path}  (Ctrl-C ends it)")
            sys.stdout.flush()
            if self.wanted:  # beside everything else: some browsers take their time
                threading.Thread(target=show, args=(self.address + self.path,), daemon=True).start()

    def failing(self, problem: str) -> None:
        """The kernels never will be ready: nobody could play."""
        self.problem = problem
        signal.raise_signal(signal.SIGTERM)

    def end_progress(self) -> None:
        """The bar goes, and the cursor comes back."""
        self.late.cancel()
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def show(address: str) -> None:
    """Open the browser; where that can't be, say so."""
    import webbrowser

    try:
        opened = _has_display() and webbrowser.open(address)
    except (OSError, webbrowser.Error):
        opened = False
    if not opened:
        say(err(), "No browser could be opened here: open that address in one.")


def _has_display() -> bool:
    """Whether a browser can appear; a text browser in this terminal would take it away from the server."""
    if os.name != "posix" or sys.platform == "darwin" or os.environ.get("BROWSER"):
        return True
    return any(os.environ.get(name) for name in DISPLAYS)
