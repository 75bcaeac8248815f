"""`embertown check`: replay records and compare every consequence with the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from embertown.cli.options import JobsOption, examples
from embertown.cli.screen import BROKEN, USAGE, out, progress, say, say_problem, warm_up, warming_up
from embertown.core.errors import BadArgument, BrokenRecord, EmbertownError

if TYPE_CHECKING:
    from embertown.cli.lines import Line

CHUNK_RECORDS = 16
CHUNK_BYTES = 1024 * 1024

EXAMPLES = examples(
    "embertown check games.jsonl",
    "embertown check one.json two.json more.jsonl",
    "embertown simulate drunter --games 20 | embertown check -",
)


class Chunk(NamedTuple):
    """Some records of a file; at its end, also what kept it from being read on."""

    file: str
    lines: Sequence[Line]
    is_last: bool = False
    problem: EmbertownError | None = None


class Checked(NamedTuple):
    """What a chunk came to: how many records are right, and the first problem."""

    file: str
    right: int
    size: int
    is_last: bool
    problem: EmbertownError | None


def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Records: one in a file, or one a line; - is stdin.", show_default=False),
    ],
    jobs: JobsOption = None,
) -> None:
    """Replay records and compare every consequence with the rules.

    Says for each file how many records are right. The first that is not ends the check: it is told with its place,
    the rule and what would be right, and the exit code is 1.
    """
    with warming_up():
        from embertown.cli.lines import games_in, size_of
        from embertown.games import load

        for game in games_in(files):
            warm_up(load(game))
    sizes = [size_of(name) for name in files]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    with progress("checking", total, "bytes") as advance:
        problem = _check_all(files, jobs, advance)
    if problem is not None:
        say_problem(str(problem))
        raise typer.Exit(USAGE if isinstance(problem, BadArgument) else BROKEN)


def _check_all(files: Sequence[str], jobs: int | None, advance: Callable[[int], None]) -> EmbertownError | None:
    """Check file after file, saying how many records are right; the first problem, or None."""
    from embertown.core.pool import spread_when_long

    right = 0
    for checked in spread_when_long(check_chunk, _chunks(files), jobs):
        advance(checked.size)
        right += checked.right
        if checked.problem is not None:
            return checked.problem
        if checked.is_last:
            say(out(), f"{checked.file}: {right} record{'' if right == 1 else 's'}, all right")
            right = 0
    return None


def _chunks(files: Sequence[str]) -> Iterator[Chunk]:
    """All records of all files, some at a time; a problem of a file takes its place in the order."""
    from embertown.cli.lines import records_in, source

    for name in files:
        lines: list[Line] = []
        problem = None
        try:
            with source(name) as stream:
                for line in records_in(name, stream):
                    lines.append(line)
                    if len(lines) == CHUNK_RECORDS or sum(len(one.text) for one in lines) > CHUNK_BYTES:
                        yield Chunk(name, lines)
                        lines = []
        except EmbertownError as error:
            problem = error
        yield Chunk(name, lines, is_last=True, problem=problem)


def check_chunk(chunk: Chunk) -> Checked:
    """Check records up to the first that is not right."""
    size = sum(len(line.text) for line in chunk.lines)
    for right, line in enumerate(chunk.lines):
        problem = _problem_of(line.text, f"{chunk.file}:{line.number}")
        if problem is not None:
            return Checked(chunk.file, right, size, chunk.is_last, problem)
    return Checked(chunk.file, len(chunk.lines), size, chunk.is_last, chunk.problem)


def _problem_of(text: str, where: str) -> EmbertownError | None:
    from embertown.games import GameRecord

    try:
        GameRecord.from_json(text, where).replay()
    except BrokenRecord as error:
        return BrokenRecord(error.where, error.rule, error.wrong, error.right, where)
    except EmbertownError as error:
        return error
    return None
