"""`embertown simulate`: bots play many games, written as records, one a line."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, NamedTuple

import typer

from embertown.bots import bot
from embertown.cli.arena import telling_faults
from embertown.cli.options import (
    BOTS,
    STANDARD_STREAM,
    EditionOption,
    JobsOption,
    NoVotesOption,
    SecondsOption,
    SeveralCardsOption,
    SimulationsOption,
    Thinking,
    VariantOption,
    check_writable,
    examples,
    game_options,
    listed,
    output,
)
from embertown.cli.screen import INTERRUPTED, err, progress, say, say_problem, uninterrupted, warm_up, warming_up
from embertown.core.chance import derived_seed
from embertown.core.errors import BadArgument

if TYPE_CHECKING:
    from embertown.core.game import Game

CHUNK = 4
"""Games of one task: few, so that an interruption does not have to wait long."""
QUICK = {"random", "greedy"}
"""Bots that answer at once; with any other, a game is a task of its own."""

EXAMPLES = examples(
    "embertown simulate cronberg --games 1000 --out games.jsonl",
    "embertown simulate cronberg --players 3 --bots random --games 1000 --seed 1 --out games.jsonl",
    "embertown simulate drunter --variant --bots greedy,random --games 100 > games.jsonl",
)


class Series(NamedTuple):
    """What all games of a simulation have in common."""

    game: str
    edition: str
    """An id or a whole edition, as JSON."""
    bots: tuple[str, ...]
    seed: int
    options: tuple[str, ...] = ()
    allowed: Thinking = Thinking()


class Chunk(NamedTuple):
    """Some games of a series, by number."""

    series: Series
    first: int
    end: int


class Played(NamedTuple):
    """A game's record on one line, its scores and its winners."""

    line: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game: cronberg or drunter.")],
    edition: EditionOption = None,
    players: Annotated[
        int | None, typer.Option(metavar="2..4", help="How many seats.", show_default="as many as bots, or 2")
    ] = None,
    bots: Annotated[
        str, typer.Option(metavar="NAME[,NAME…]", help=f"One name for all seats, or one for each: {BOTS}.")
    ] = "random",
    seconds: SecondsOption = None,
    simulations: SimulationsOption = None,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same games.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Where the records go; replaced if it exists.", show_default="stdout"),
    ] = None,
    variant: VariantOption = False,
    several_cards: SeveralCardsOption = False,
    no_votes: NoVotesOption = False,
    jobs: JobsOption = None,
) -> None:
    """Let bots play many games and write their records, one a line.

    The games depend on the seed alone, not on --jobs; with --seconds also on the machine, where bots think until
    their time is up. Ctrl-C keeps the games that are finished.
    """
    allowed = Thinking(seconds, simulations).checked()
    if out is not None and str(out) != STANDARD_STREAM:
        check_writable(out)
    with warming_up():
        options = game_options(game, variant=variant, several_cards=several_cards, no_votes=no_votes)
        series, loaded = _series(game, edition, players, bots, seed, options)
        series = series._replace(allowed=allowed)
        with suppress(Exception):  # what a bot does wrong is told where it counts
            warm_up(loaded, map(bot, dict.fromkeys(series.bots)))
    tally = Tally(loaded.players)
    started = time.monotonic()
    try:
        with telling_faults(), output(out) as file:
            write_games(file, series, games, jobs, tally)
    except (KeyboardInterrupt, NothingYet):
        where = "" if out is None or not tally.games else f" in {out}"
        say_problem(f"interrupted: {tally.games} of {games} games are whole{where}")
        raise typer.Exit(INTERRUPTED) from None
    _sum_up(series, loaded, tally, time.monotonic() - started)


class NothingYet(Exception):
    """Interrupted before the first game was whole: a file that was there before stays as it is."""


@dataclass
class Tally:
    """What the games came to, by seat."""

    players: int
    games: int = 0
    scores: list[int] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)
    shared: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scores, self.wins, self.shared = ([0] * self.players for _ in range(3))

    def add(self, played: Played) -> None:
        """Count a game."""
        self.games += 1
        for seat, score in enumerate(played.scores):
            self.scores[seat] += score
        counted = self.wins if len(played.winners) == 1 else self.shared
        for seat in played.winners:
            counted[seat] += 1


def _series(
    game: str, edition: str | None, players: int | None, bots: str, seed: int, options: dict[str, bool]
) -> tuple[Series, Game]:
    from embertown.games import load

    names = listed(bots, "--bots")
    for name in names:
        bot(name)
    loaded = load(game, len(names) if players is None and len(names) > 1 else players, edition, **options)
    if len(names) not in (1, loaded.players):
        raise BadArgument(f"--bots has {len(names)} names; right would be: 1, or {loaded.players}, one for each seat")
    at_seats = tuple(names * loaded.players if len(names) == 1 else names)
    reference = json.dumps(loaded.edition.reference(), sort_keys=True)
    return Series(game, reference, at_seats, seed, tuple(options)), loaded


def write_games(file: IO[str], series: Series, games: int, jobs: int | None, tally: Tally) -> None:
    """Play the games and write their records as they come; `NothingYet` where the first never came."""
    from embertown.core.pool import spread_when_long

    size = chunk_size(series)
    chunks = (Chunk(series, first, min(first + size, games)) for first in range(0, games, size))
    try:
        with progress("playing", games, "games") as advance:
            for played in spread_when_long(play_chunk, chunks, jobs):
                with uninterrupted():
                    for game in played:
                        file.write(game.line)
                        tally.add(game)
                    file.flush()
                advance(len(played))
    except KeyboardInterrupt:
        if tally.games == 0:
            raise NothingYet from None
        raise


def chunk_size(series: Series) -> int:
    """How many games are a task."""
    return CHUNK if QUICK.issuperset(series.bots) else 1


def play_chunk(chunk: Chunk) -> list[Played]:
    """Play some games to their ends."""
    return list(_games_of(chunk))


def _games_of(chunk: Chunk) -> Iterator[Played]:
    from embertown.arena.contestant import Contestant
    from embertown.arena.playing import Player
    from embertown.core.record import SeatOfRecord

    series = chunk.series
    game = _loaded(series)
    seats = [SeatOfRecord(name=f"{name} {seat}", bot=name) for seat, name in enumerate(series.bots, start=1)]
    bots = [bot(name) for name in series.bots]
    contestants = [Contestant(name, series.allowed.simulations, series.allowed.seconds) for name in series.bots]
    for index in range(chunk.first, chunk.end):
        shuffle = derived_seed(series.seed, "chance", index)
        state = game.start(seed=shuffle, seats=seats)
        seeds = [derived_seed(series.seed, "bot", index, seat) for seat in range(game.players)]
        players = [Player(*who, shuffle) for who in zip(contestants, bots, seeds, strict=True)]
        while state.seat is not None:
            players[state.seat].move(state)
        assert state.outcome is not None
        yield Played(state.record().to_json() + "\n", state.outcome.scores, state.outcome.winners)


@cache
def _loaded(series: Series) -> Game:
    from embertown.games import load

    options = dict.fromkeys(series.options, True)
    return load(series.game, len(series.bots), json.loads(series.edition), **options)


def _sum_up(series: Series, game: Game, tally: Tally, seconds: float) -> None:
    from rich.table import Table

    console = err()
    rate = tally.games / max(seconds, 1e-6)
    options = "".join(f", {name.replace('_', ' ')}" for name in game.options)
    what = f"{game.name} ({game.edition.id}, {game.players} players{options})"
    games = f"{tally.games} game{'' if tally.games == 1 else 's'}"
    say(console, f"{games} of {what} in {seconds:.1f} s: {rate:.1f} games/s")
    table = Table(box=None, pad_edge=False)
    for heading in ("seat", "bot", "mean score", "wins", "shared wins"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for seat, name in enumerate(series.bots):
        mean = f"{tally.scores[seat] / tally.games:.2f}"
        wins = f"{tally.wins[seat]} ({tally.wins[seat] / tally.games:.1%})"
        table.add_row(str(seat + 1), name, mean, wins, str(tally.shared[seat]))
    console.print(table)
