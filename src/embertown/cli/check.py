"""`embertown check`: replay records and compare every consequence with the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from embertown.cli.options import JobsOption, Language, examples
from embertown.cli.screen import BROKEN, USAGE, out, progress, say, say_problem, warm_up, warming_up
from embertown.core.errors import BadArgument, BrokenRecord, EmbertownError, MalformedRecord
from embertown.core.locale import DEFAULT_LANGUAGE, translate

if TYPE_CHECKING:
    from embertown.cli.lines import Line
    from embertown.games import GameRecord

CHUNK_RECORDS = 16
CHUNK_BYTES = 1024 * 1024

EXAMPLES = examples(
    "embertown check games.jsonl",
    "embertown check one.json two.json more.jsonl --language de",
    "embertown simulate drunter --games 20 | embertown check -",
)


class Chunk(NamedTuple):
    """Some records of a file; at its end, also what kept it from being read on."""

    file: str
    lines: Sequence[Line]
    language: str
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
    language: Annotated[
        Language, typer.Option("--language", "--lang", help="For what is right and what is wrong.")
    ] = Language.en,
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
    with progress(_said("under_way", language), total, "bytes") as advance:
        problem = _check_all(files, language.value, jobs, advance)
    if problem is not None:
        say_problem(str(problem))
        raise typer.Exit(USAGE if isinstance(problem, BadArgument) else BROKEN)


def _said(key: str, language: str, **names: Any) -> str:
    return translate("commands", f"check.{key}", language, **names)


def _check_all(
    files: Sequence[str], language: str, jobs: int | None, advance: Callable[[int], None]
) -> EmbertownError | None:
    """Check file after file, saying how many records are right; the first problem, or None."""
    from embertown.core.pool import spread_when_long

    right = 0
    for checked in spread_when_long(check_chunk, _chunks(files, language), jobs):
        advance(checked.size)
        right += checked.right
        if checked.problem is not None:
            return checked.problem
        if checked.is_last:
            key = "right_one" if right == 1 else "right_other"
            say(out(), _said(key, language, file=checked.file, count=right))
            right = 0
    return None


def _chunks(files: Sequence[str], language: str) -> Iterator[Chunk]:
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
                        yield Chunk(name, lines, language)
                        lines = []
        except EmbertownError as error:
            problem = _in_words(error, language)
        yield Chunk(name, lines, language, is_last=True, problem=problem)


def check_chunk(chunk: Chunk) -> Checked:
    """Check records up to the first that is not right."""
    size = sum(len(line.text) for line in chunk.lines)
    for right, line in enumerate(chunk.lines):
        problem = _problem_of(line, chunk.file, chunk.language)
        if problem is not None:
            return Checked(chunk.file, right, size, chunk.is_last, problem)
    return Checked(chunk.file, len(chunk.lines), size, chunk.is_last, chunk.problem)


def _problem_of(line: Line, file: str, language: str) -> EmbertownError | None:
    from embertown.games import GameRecord

    where, record = f"{file}:{line.number}", None
    try:
        record = GameRecord.from_json(line.text, where)
        record.replay()
    except BrokenRecord as error:
        if language == DEFAULT_LANGUAGE:
            return BrokenRecord(error.where, error.rule, error.wrong, error.right, where)
        return _in_words(error, language, record, where)
    except MalformedRecord as error:
        if error.flaw is not None:  # its lines are counted from where the record begins
            error.flaw = error.flaw._replace(line=error.flaw.line + line.number - 1)
        return _in_words(error, language)
    except EmbertownError as error:
        return error
    return None


def _in_words(
    error: EmbertownError, language: str, record: GameRecord | None = None, where: str = ""
) -> EmbertownError:
    """A problem in another language than English, which tells the very place in the file instead."""
    from embertown.cli.lines import NoFile

    if language == DEFAULT_LANGUAGE:
        return error
    if isinstance(error, NoFile):
        return BadArgument(_said("no_file", language, file=error.name, reason=error.reason))
    if not isinstance(error, BrokenRecord | MalformedRecord):
        return error
    from embertown.server.records import refused

    return EmbertownError(f"{where or error.file}: {refused(error, record).sentence(language)}")
