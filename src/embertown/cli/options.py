"""What several commands have in common: options, lists of names, files to write."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated, NamedTuple

import typer

from embertown.bots.budget import Budget
from embertown.bots.registry import BUILT_IN
from embertown.cli.screen import EXIT_CODES
from embertown.core.errors import BadArgument

STANDARD_STREAM = "-"


class Language(StrEnum):
    """A language for people."""

    en = "en"
    de = "de"
    fr = "fr"


EditionOption = Annotated[
    str | None,
    typer.Option(metavar="ID|PATH", help="An edition that ships, or a file of your own.", show_default="the game's"),
]
LanguageOption = Annotated[
    Language,
    typer.Option("--language", "--lang", help="For the board, refusals, and the names of pieces and cards."),
]
VariantOption = Annotated[bool, typer.Option("--variant", help="Drunter & Drüber: two objectives each (D9).")]
SeveralCardsOption = Annotated[
    bool, typer.Option("--several-cards", help="Drunter & Drüber: a vote takes one card or more (D6.6).")
]
NoVotesOption = Annotated[
    bool, typer.Option("--no-votes", help="Drunter & Drüber, with --variant: outhouses are covered freely (D9.5).")
]
BOTS = f"{', '.join(BUILT_IN)}, or one of another package"
"""The bots that come along, for help texts."""
SecondsOption = Annotated[
    float | None,
    typer.Option(
        metavar="S", help="How long a bot may think about a move, in seconds.", show_default="as suits the bot"
    ),
]
SimulationsOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="How many games a bot may play in its head.", show_default="as suits the bot"),
]
JobsOption = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Processes at once.", show_default="as many as help")
]


def examples(*lines: str) -> str:
    """Examples as the end of a command's help, each on a line of its own, then the exit codes."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines), "", EXIT_CODES])


def listed(text: str, option: str) -> list[str]:
    """Names with commas between them.

    >>> listed("greedy, random", "--bots")
    ['greedy', 'random']
    """
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise BadArgument(f"{option} is {text!r}; right would be: names with commas between them")
    return names


class Thinking(NamedTuple):
    """How long bots may think about a move: seconds, simulations, whatever ends first; None is as suits the bot."""

    seconds: float | None = None
    simulations: int | None = None

    def checked(self) -> Thinking:
        """Itself, if it makes sense; `BadArgument` says what would."""
        Budget(self.seconds, self.simulations)
        return self


def game_options(game: str, **flags: bool) -> dict[str, bool]:
    """The options that were given as flags; a game refuses those that it does not have."""
    from embertown.cli.words import words_class
    from embertown.games import game_class

    known, needing = game_class(game).option_names, words_class(game).options_needing
    given = [name for name, is_set in flags.items() if is_set]
    for name in given:
        if name not in known:
            there_is = ", ".join(map(flag, known)) or "to leave it out"
            raise BadArgument(f"{game} has no {flag(name)}; right would be: {there_is}")
        other, rule = needing.get(name, (name, ""))
        if other not in given:
            raise BadArgument(f"{flag(name)} goes with {flag(other)} only; right would be: both ({rule})")
    return dict.fromkeys(given, True)


def flag(option: str) -> str:
    """An option as it is typed.

    >>> flag("several_cards")
    '--several-cards'
    """
    return f"--{option.replace('_', '-')}"


@contextmanager
def output(path: Path | None) -> Iterator[IO[str]]:
    """A text file in UTF-8 to write: whole or not at all; None and `-` are stdout, a device is written to as it is."""
    if path is None or str(path) == STANDARD_STREAM:
        with suppress(AttributeError):  # whoever replaced it knows its encoding
            sys.stdout.reconfigure(encoding="utf-8", errors="strict")  # type: ignore[union-attr]
        yield sys.stdout
        sys.stdout.flush()
        return
    check_writable(path)
    place = path.resolve()
    if place.exists() and not place.is_file():
        with place.open("w", encoding="utf-8") as device:
            yield device
        return
    from embertown.core.files import whole_file

    with whole_file(place) as file:
        yield file


def check_writable(path: Path) -> None:
    """Refuse at once what could not be written in the end."""
    problem = ""
    if path.is_dir():
        problem = "is a folder"
    elif not path.resolve().parent.is_dir():
        problem = "there is no such folder"
    elif not os.access(path.resolve().parent, os.W_OK):
        problem = "the folder is read-only"
    if problem:
        raise BadArgument(f"{path}: can't be written: {problem}; right would be: a file in a folder of yours")
