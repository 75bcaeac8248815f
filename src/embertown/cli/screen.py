"""What people see: two consoles, exit codes, a spinner, a progress bar; and what must not be interrupted."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from embertown.bots import Bot
    from embertown.core.game import Game, View

BROKEN = 1
"""Exit code: what was read is broken, or against the rules."""
USAGE = 2
"""Exit code: the command line itself is wrong."""
BUG = 70
"""Exit code: the program is at fault."""
INTERRUPTED = 130
SIGNALLED = 128
"""Exit code, with the signal's number: the program was told to end."""
PIPE_CLOSED = 141

EXIT_CODES = "Exit codes: 0 all is well, 1 broken content, 2 a wrong command line, 3 a bot at fault, 130 interrupted."

ENDINGS = tuple(signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__)
"""What tells a program to end; Windows has no SIGHUP."""
NOBODY_READS = {errno.EPIPE, errno.EIO}
"""What is written is read by nobody: the pipe or the terminal is gone."""

WARMING_UP = "warming up the kernels …"
SOON = 1.0
"""Seconds after which something that takes long is shown."""
LATE = 5.0
"""Seconds after which kernels are not being loaded but compiled."""

QUIETLY = 0.3
"""Seconds that a bot may think without a word."""

_warm: set[tuple[str, str]] = set()
"""The games, and bots in games, whose kernels are loaded in this process: the same for every edition and option.

The rules themselves stand there with an empty name.
"""


def out() -> Console:
    """What was asked for goes here."""
    return _console(stderr=False)


def err() -> Console:
    """What is said about it goes here."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def say(console: Console, what: str | Text = "", style: str | None = None) -> None:
    """One paragraph; broken into lines only where a person's terminal needs it."""
    console.print(what, style=style, soft_wrap=not console.is_terminal)


def say_problem(text: str) -> None:
    """A problem on one line of stderr, whatever characters came with it from outside."""
    print(printable(text), file=sys.stderr)


def printable(text: str) -> str:
    r"""A text in which nothing acts on a terminal.

    >>> printable("a\x1b[31mb\n")
    'a\\x1b[31mb\\n'
    """
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def show_board(console: Console, picture: Text) -> None:
    """A board: never wrapped, and in a terminal that is too narrow cut, with a word about it."""
    needed = max(line.cell_len for line in picture.split("\n"))
    narrow = console.is_terminal and console.width < needed
    console.print(picture, no_wrap=True, overflow="crop" if narrow else "ignore", crop=narrow)
    if narrow:
        say(console, f"(This board needs {needed} columns; the terminal has {console.width}.)", "dim")


@contextmanager
def warming_up() -> Iterator[None]:
    """Tell that kernels are being compiled or loaded: a spinner in a terminal, elsewhere a line if it takes long."""
    console = err()
    if console.is_terminal:
        with console.status(WARMING_UP) as spinner, _leaving_at_once(spinner.stop):
            yield
        return
    late = threading.Timer(LATE, print, (WARMING_UP,), {"file": sys.stderr})
    late.daemon = True
    late.start()
    try:
        with _leaving_at_once(late.cancel):
            yield
    finally:
        late.cancel()


@contextmanager
def _leaving_at_once(tidy_up: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C ends the program then and there: the compiler would swallow the exception, and nothing is lost yet."""

    def leave(_number: int, _frame: object) -> None:
        tidy_up()
        print("interrupted", file=sys.stderr, flush=True)
        os._exit(INTERRUPTED)

    with _on_signals((signal.SIGINT,), leave):
        yield


@contextmanager
def _on_signals(numbers: Iterable[signal.Signals], handler: Callable[[int, Any], None]) -> Iterator[None]:
    """Answer signals with this handler; only the main thread can, and what is ignored (`nohup`) stays so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heeded = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heeded}
    try:
        yield
    finally:
        for number, answer in before.items():
            signal.signal(number, answer)


@contextmanager
def thinking(name: str) -> Iterator[None]:
    """Tell that a bot thinks: a spinner in a terminal, once it is worth one; elsewhere nothing."""
    console = err()
    if not console.is_terminal:
        yield
        return
    spinner = console.status(f"{printable(name)} is thinking …")
    late = threading.Timer(QUIETLY, spinner.start)
    late.daemon = True
    late.start()
    try:
        yield
    finally:
        late.cancel()
        late.join()  # it may be starting right now
        spinner.stop()


def warm_up(game: Game, bots: Iterable[Bot] = ()) -> None:
    """Call every kernel once, by playing a game: the first time they compile, and workers find them compiled.

    Each of the bots is asked for a thought on the first and the last decision of each kind.
    """
    cold = {player.name: player for player in bots if (game.name, player.name) not in _warm}
    if (game.name, "") in _warm and not cold:
        return
    views = _views_of_a_game(game)
    for player in cold.values():
        for view in views:
            player.choose(view, simulations=1)
    _warm.update((game.name, name) for name in ("", *cold))


def _views_of_a_game(game: Game) -> list[View[Any]]:
    """The views at the first and the last decision of each kind, in a game played at random."""
    from embertown.bots import bot

    first: dict[str, View[Any]] = {}
    last: dict[str, View[Any]] = {}
    state, player = game.start(seed=0), bot("random")
    while state.seat is not None:
        view = state.view(state.seat)
        kind = view.text(view.legal_actions[0]).split()[0]
        first.setdefault(kind, view)
        last[kind] = view
        state.play(player.choose(view).action)
    state.record().replay()
    return [*first.values(), *last.values()]


@contextmanager
def progress(what: str, total: int | None, unit: str) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr, in a terminal and once it takes long; gives what advances it."""
    console = err()
    if not console.is_terminal:
        yield lambda _steps: None
        return
    bar = _bar(console, unit)
    task = bar.add_task(what, total=total)
    started = time.monotonic()

    def advance(steps: int) -> None:
        bar.advance(task, steps)
        if not bar.live.is_started and time.monotonic() - started > SOON:
            bar.start()

    try:
        yield advance
    finally:
        bar.stop()


def _bar(console: Console, unit: str) -> Any:
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    amount = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = TextColumn("{task.description}"), BarColumn(), amount, TextColumn(unit), TimeRemainingColumn()
    shown = [column for column in columns if unit != "bytes" or column is not columns[3]]
    return Progress(*shown, console=console, transient=True)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C and the signals that end a program back until the block is done: nothing is written by half."""
    held: list[int] = []
    with _on_signals((signal.SIGINT, *ENDINGS), lambda number, _frame: held.append(number)):
        yield
    if held:
        signal.raise_signal(held[0])


@contextmanager
def leaving_in_order() -> Iterator[None]:
    """Where the program is told to end, or its terminal is closed, leave by way of every `finally`."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(SIGNALLED + number)

    with _on_signals(ENDINGS, leave):
        yield


def be_robust() -> None:
    """A character that a terminal can't show, or that can't be read, must not end the program."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a stream may be closed, or another program's own
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def close_quietly() -> None:
    """Write out what is left; when nobody reads any more (`| head`), that is no problem of ours."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError) as problem:
            if getattr(problem, "errno", errno.EPIPE) not in NOBODY_READS:
                raise
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
