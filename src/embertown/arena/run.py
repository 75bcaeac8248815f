"""Playing a tournament: games spread over processes or a cluster, counted and kept in their order."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

from embertown.arena.playing import Played, Task, play_fixture
from embertown.arena.results import Results, Store, store
from embertown.arena.tournament import Fixture, Tournament
from embertown.core.pool import spread_when_long


def play(
    tournament: Tournament,
    games: int = 100,
    *,
    jobs: int | None = None,
    out: str | Path | None = None,
    records: str | Path | None = None,
    on_game: Callable[[Results], None] = lambda _results: None,
) -> Results:
    """Play so many games of every pairing, rounded up to whole rounds; where `until_apart` is set, at most so many.

    With `out` the results go to a file as games end, and a file that is there is gone on with. What is played depends
    on the tournament's seed alone, not on `jobs`. Raises `BotFault` where a bot breaks a rule.

    >>> tournament = Tournament("cronberg", ["greedy", "random"], seed=1)
    >>> len(play(tournament, games=3, jobs=1).games)
    4
    """
    places = [None if name is None else Path(name) for name in (out, records)]
    rounds, with_records = tournament.rounds_for(games), records is not None
    with store(tournament, *places) as kept, closing(play_on(kept, rounds, jobs, with_records=with_records)) as played:
        for _ in played:
            on_game(kept.results)
    return kept.results


def play_on(kept: Store, rounds: int, jobs: int | None, *, with_records: bool = False) -> Generator[Played, None, None]:
    """The games that are missing up to so many rounds, each one kept before it is given."""
    kept.results.course.rounds = rounds
    return _missing(kept, jobs, with_records)


def _missing(kept: Store, jobs: int | None, with_records: bool) -> Generator[Played, None, None]:
    results = kept.results
    tasks = (task_of(results.tournament, fixture, with_records) for fixture in results.course)
    with closing(spread_when_long(play_fixture, tasks, jobs)) as played:
        for game, record in played:
            if results.course.wants(game.pairing, game.round):
                kept.keep(game, record)
                results.add(game)
                yield game


def task_of(tournament: Tournament, fixture: Fixture, with_record: bool = False) -> Task:
    """A game as any process can play it."""
    game = tournament.game
    options, shuffle = tuple(game.options), tournament.shuffle(fixture.round)
    return Task(game.name, tournament.reference(), options, tournament.seed, shuffle, fixture, with_record)
