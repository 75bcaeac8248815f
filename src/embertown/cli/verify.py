"""`embertown verify`: whether what was dealt and drawn in a record follows from what was published before the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from embertown.cli.options import examples
from embertown.cli.screen import BROKEN, USAGE, out, printable, progress, say, say_problem, warm_up, warming_up
from embertown.core.errors import BadArgument, BrokenRecord, EmbertownError

if TYPE_CHECKING:
    from embertown.server.fair import Verified

EXAMPLES = examples(
    "embertown verify game.json",
    "embertown verify game.json --commitment 49a4943947ee8122… --entropy 'my dice: 3 6 1'",
    "embertown verify games.jsonl more.jsonl",
)

ONE_GAME = "right would be: one record, as --commitment and --entropy are of one game"


class Known(NamedTuple):
    """What somebody knows from before the game."""

    commitment: str | None = None
    entropy: str | None = None
    by_lot: bool = False

    @property
    def is_of_one_game(self) -> bool:
        """Whether it can be true of one record only."""
        return self.commitment is not None or self.entropy is not None


def verify(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Records: one in a file, or one a line; - is stdin.", show_default=False),
    ],
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The commitment that was published before the game.", show_default=False),
    ] = None,
    entropy: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The entropy that you sent.", show_default=False)
    ] = None,
    by_lot: Annotated[
        bool, typer.Option("--first-by-lot", help="The table was to draw who begins: refuse anything else.")
    ] = False,
) -> None:
    """Prove that all that was dealt and drawn in a game follows from the server's commitment and the players' entropy.

    Replays the record, checks its seed against its commitment, and computes every outcome again. Says for each file
    how many records are proven, and what that does not cover. The first that is not proven ends it: it is told with
    its place and what would be right, and the exit code is 1. A record without proof, or whose seed is not told yet,
    is not proven either.
    """
    known = Known(None if commitment is None else _hex(commitment), entropy, by_lot)
    if known.is_of_one_game and len(files) > 1:
        raise BadArgument(f"{len(files)} files are given; {ONE_GAME}")
    with warming_up():
        from embertown.cli.lines import games_in, size_of
        from embertown.games import load

        for game in games_in(files):
            warm_up(load(game))
    sizes = [size_of(name) for name in files]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    try:
        with progress("verifying", total, "bytes") as advance:
            for name in files:
                _verify_file(name, known, advance)
    except EmbertownError as problem:
        say_problem(str(problem))
        raise typer.Exit(USAGE if isinstance(problem, BadArgument) else BROKEN) from None


def _hex(commitment: str) -> str:
    from embertown.server.fair import HEX_DIGITS

    text = commitment.strip().lower()
    if len(text) != HEX_DIGITS or not set(text) <= set("0123456789abcdef"):
        raise BadArgument(f"--commitment is {commitment!r}; right would be: {HEX_DIGITS} hex digits")
    return text


def _verify_file(name: str, known: Known, advance: Callable[[int], None]) -> None:
    """Say what of a file is proven, and what that does not cover; the first problem is raised."""
    remarks: Counter[str] = Counter()
    proven = 0
    for verified in _verified_in(name, known, advance):
        proven += 1
        remarks.update(verified.remarks)
    say(out(), f"{printable(name)}: {_counted(proven)}, all proven")
    for remark, count in remarks.items():
        say(out(), f"  {remark}" if proven == 1 else f"  {_counted(count)}: {remark}")


def _counted(records: int) -> str:
    return f"{records} record{'' if records == 1 else 's'}"


def _verified_in(name: str, known: Known, advance: Callable[[int], None]) -> Iterator[Verified]:
    """What every record of a file comes to; problems are told with the file and the line."""
    from embertown.cli.lines import records_in, source
    from embertown.games import GameRecord
    from embertown.server.fair import Unproven
    from embertown.server.fair import verify as verify_record

    with source(name) as stream:
        for index, line in enumerate(records_in(name, stream)):
            where = f"{name}:{line.number}"
            if index and known.is_of_one_game:
                raise BadArgument(f"{where}: is another record; {ONE_GAME}")
            try:
                yield verify_record(
                    GameRecord.from_json(line.text, where),
                    published=known.commitment,
                    sent=known.entropy,
                    by_lot=known.by_lot,
                )
            except BrokenRecord as error:
                raise BrokenRecord(error.where, error.rule, error.wrong, error.right, where) from None
            except Unproven as error:
                raise type(error)(error.where, error.wrong, error.right, where) from None
            advance(len(line.text))
