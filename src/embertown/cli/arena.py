"""`embertown arena`: bots play each other, and what can be concluded from it is told."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from embertown.cli.options import (
    EditionOption,
    JobsOption,
    NoVotesOption,
    SeveralCardsOption,
    VariantOption,
    check_writable,
    examples,
    game_options,
    listed,
    output,
)
from embertown.cli.screen import INTERRUPTED, err, leaving_in_order, out, say, say_problem, warm_up, warming_up
from embertown.core.errors import BadArgument, BotFault

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from embertown.arena import Results, Standings, Tournament
    from embertown.arena.figures import PairingFigures
    from embertown.arena.results import Store

FAULT = 3
"""Exit code: a bot broke a rule, or failed."""
OFTEN, SELDOM = 0.5, 30.0
"""Seconds between two looks at the standing: in a terminal, and where lines are only added."""
BAR = 20
"""Columns of the bar that tells how far it is."""
WIDE = 160
"""Columns of tables that go to a file or another program."""

EXAMPLES = examples(
    "embertown arena cronberg --bots greedy,random --games 200 --out results.jsonl",
    "embertown arena cronberg --bots master:10000,master:1000 --until-apart --games 1000 --out results.jsonl",
    "embertown arena drunter --players 4 --bots greedy,random --gauntlet --plot results.svg",
    "embertown arena --show results.jsonl --plot results.svg",
)


class Files(NamedTuple):
    """Where games go."""

    results: Path | None
    records: Path | None


class Wanted(NamedTuple):
    """How standings are shown."""

    plot: Path | None
    night: bool
    as_json: bool


def arena(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game: cronberg or drunter.")] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:BUDGET],…",
            help="The contestants; a budget is simulations (greedy:1000) or seconds (greedy:0.5s) a move.",
            show_default=False,
        ),
    ] = None,
    edition: EditionOption = None,
    players: Annotated[int | None, typer.Option(metavar="2..4", help="How many seats.", show_default="2")] = None,
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Games of each pairing, rounded up to whole rotations of the seats.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same shuffles.")] = 0,
    gauntlet: Annotated[bool, typer.Option("--gauntlet", help="The first against each of the others.")] = False,
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Tables of different contestants instead of pairings.")
    ] = False,
    until_apart: Annotated[
        bool, typer.Option("--until-apart", help="A pairing ends once two are told apart; --games is the most.")
    ] = False,
    beats: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Test against this share of wins, 0.75 say.", show_default="1/players"),
    ] = None,
    alpha: Annotated[float, typer.Option(metavar="A", help="How likely a false verdict may be, for a pairing.")] = 0.05,
    results: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE.jsonl", help="Where results go; the same command goes on with a file."),
    ] = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Where the games' records go, one a line.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="A picture of the standings.")] = None,
    night: Annotated[bool, typer.Option("--night", help="The picture in night colours (with --plot).")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The standings for programs instead of a table.")] = False,
    show: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Show a file of results; nothing is played.")
    ] = None,
    variant: VariantOption = False,
    several_cards: SeveralCardsOption = False,
    no_votes: NoVotesOption = False,
    jobs: JobsOption = None,
) -> None:
    """Let bots play each other, and tell what can be concluded: win rates with intervals, ratings, who is told apart.

    Every shuffle is played from every seat, and by every pairing. The games depend on the seed alone, not on --jobs.
    After Ctrl-C the same command goes on with --out's file. EMBERTOWN_RAY=host:port (or auto, or local) plays on a Ray
    cluster. A bot that breaks a rule ends the run with exit code 3.
    """
    wanted = Wanted(plot, night, as_json)
    for path in (results, records, plot):
        if path is not None:
            check_writable(path)
    if night and plot is None:
        raise BadArgument("--night goes with --plot only; right would be: both, or neither")
    if show is not None:
        played = (game, bots, edition, players, gauntlet, mixed, until_apart, beats, results, records, jobs)
        if any((*played, variant, several_cards, no_votes)):
            raise BadArgument("a file says itself what was played: --show goes with --plot, --night and --json only")
        _show_file(show, wanted)
        return
    if game is None or bots is None:
        raise BadArgument("a game and --bots are needed; right would be: embertown arena cronberg --bots greedy,random")
    if gauntlet and mixed:
        raise BadArgument("--gauntlet and --mixed are two schedules; right would be: one of them, or neither")
    schedule = "gauntlet" if gauntlet else "mixed" if mixed else "round-robin"
    with warming_up():
        from embertown.arena import Tournament

        options = game_options(game, variant=variant, several_cards=several_cards, no_votes=no_votes)
        how: dict[str, Any] = {"until_apart": until_apart, "beats": beats, "alpha": alpha, **options}
        names = listed(bots, "--bots")
        tournament = Tournament(game, names, players=players, edition=edition, seed=seed, schedule=schedule, **how)
        warm_up(tournament.game)
    _play(tournament, games, jobs, Files(results, records), wanted)


# ---- playing


def _play(tournament: Tournament, games: int, jobs: int | None, files: Files, wanted: Wanted) -> None:
    """Play what is missing; interrupted or not, tell what there is."""
    from embertown.arena.results import store

    rounds = tournament.rounds_for(games)
    with telling_faults(), leaving_in_order(), store(tournament, *files) as kept:
        _announce(tournament, games, rounds)
        try:
            _play_on(kept, rounds, jobs, with_records=files.records is not None)
        except KeyboardInterrupt:
            if kept.results.games:
                _present(kept.results, wanted)
            say_problem(f"interrupted after {_counted(len(kept.results.games), 'game')}{_kept_in(files.results)}")
            raise typer.Exit(INTERRUPTED) from None
        _present(kept.results, wanted)


def _kept_in(file: Path | None) -> str:
    """What is left of games after an interruption."""
    if file is None:
        return "; the results are not kept: with --out FILE.jsonl the same command would go on from there"
    return f" in {file}; the same command goes on from there"


@contextmanager
def telling_faults() -> Iterator[None]:
    """Where bots play: what one does wrong is told as its fault, with an exit code of its own."""
    try:
        yield
    except BotFault as fault:
        say_problem(f"embertown: a bot is at fault: {fault}")
        raise typer.Exit(FAULT) from None


def _announce(tournament: Tournament, games: int, rounds: int) -> None:
    players, pairings = tournament.game.players, len(tournament.pairings)
    whole = rounds * players
    if whole != games:
        say(err(), f"{whole} games of each pairing, not {games}: every shuffle is played from all {players} seats")
    most = "at most " if tournament.until_apart else ""
    say(err(), f"{_counted(pairings, 'pairing')}, {most}{pairings * whole} games")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _play_on(kept: Store, rounds: int, jobs: int | None, *, with_records: bool) -> None:
    from embertown.arena.run import play_on

    there = len(kept.results.games)
    if there:
        say(err(), f"going on after {_counted(there, 'game')}")
    with closing(play_on(kept, rounds, jobs, with_records=with_records)) as played, _live(kept.results) as look:
        for _ in played:
            look()


@contextmanager
def _live(results: Results) -> Iterator[Callable[[], None]]:
    """Tell now and then how it stands: a bar in a terminal, a line elsewhere; gives what to call after each game."""
    console = err()
    if console.is_terminal:
        with _bar(console, results) as look:
            yield look
    else:
        yield _now_and_then(SELDOM, lambda: say(console, _standing(results)))


def _now_and_then(pause: float, tell: Callable[[], None]) -> Callable[[], None]:
    """What calls `tell` at most so often."""
    told = time.monotonic()

    def look() -> None:
        nonlocal told
        if time.monotonic() - told > pause:
            tell()
            told = time.monotonic()

    return look


@contextmanager
def _bar(console: Console, results: Results) -> Iterator[Callable[[], None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(BAR), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def tell() -> None:
            done = len(results.games)
            total = done + results.course.games_left(done)
            bar.update(task, completed=done, total=total, description=_standing(results))

        tell()
        yield _now_and_then(OFTEN, tell)


def _standing(results: Results) -> str:
    """How many games were played, and who wins how much of them."""
    from embertown.arena.figures import quick_shares

    shares = [f"{name} {share:.0%}" for name, share in quick_shares(results).items()]
    return ": ".join([_counted(len(results.games), "game"), *([", ".join(shares)] if shares else [])])


# ---- showing


def _show_file(path: Path, wanted: Wanted) -> None:
    with warming_up():
        from embertown.arena import Results

        results = Results.from_file(path)
    _present(results, wanted)


def _present(results: Results, wanted: Wanted) -> None:
    """The standings as a table or as JSON, and as a picture."""
    from embertown.arena import standings
    from embertown.arena.plot import plot

    found = standings(results)
    if wanted.plot is not None:
        with output(wanted.plot) as file:
            file.write(plot(found, night=wanted.night) + "\n")
    if wanted.as_json:
        print(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
        return
    console = out()
    if not console.is_terminal:
        console.width = WIDE
    say(console, _about(found))
    for table in (_pairings(found), _contestants(found)):
        say(console)
        console.print(table)


def _about(found: Standings) -> str:
    game = found.tournament.game
    options = "".join(f", {name.replace('_', ' ')}" for name in game.options)
    return f"{_counted(found.games, 'game')} of {game.name} ({game.edition.id}, {game.players} players{options})"


def _table(*headings: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="left" if number == 0 or heading == headings[-1] else "right")
    return table


def _pairings(found: Standings) -> Table:
    from embertown.arena.plot import versus

    table = _table("pairing", "games", "wins", "95 %", "equal", "points ahead", "told apart")
    for row in found.pairings:
        low, high = row.interval
        reach = "" if row.lead_reach is None else f" ± {row.lead_reach:.1f}"
        interval, ahead = f"{low:.1%} to {high:.1%}", f"{row.lead:+.1f}{reach}"
        cells = f"{row.games}", f"{row.share:.1%}", interval, f"{row.expected:.1%}", ahead, _verdict(row)
        table.add_row(versus(row), *cells)
    return table


def _verdict(row: PairingFigures) -> str:
    """What the test has shown, in words."""
    if row.decided_after is None:
        return "not yet"
    side = {"more": "above", "less": "below"}[row.verdict.value]
    return f"{side} {row.tested_share:.1%}, after {row.decided_after} games"


def _contestants(found: Standings) -> Table:
    from embertown.arena.figures import NORMAL_95

    table = _table("contestant", "rating", "± (95 %)", "seats", "s a move", "slowest")
    for row in found.contestants:
        reach = NORMAL_95 * row.rating.uncertainty
        times = f"{row.seconds:.4f}", f"{row.slowest:.3f}"
        table.add_row(row.contestant, f"{row.rating.mean:.1f}", f"{reach:.1f}", f"{row.games}", *times)
    return table
