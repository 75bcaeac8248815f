"""What is played: who meets whom, on which shuffles, at which seats, and when it ends.

A round of a pairing is one shuffle, played once from every seat: A and B swap seats, or A sits at each seat of a table
of B's in turn. Round 5 has the same shuffle in every pairing, so luck cancels within a round and between pairings.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

from embertown.arena.contestant import Contestant
from embertown.arena.sequential import ALPHA, Evidence
from embertown.core.edition import Edition
from embertown.core.errors import BadArgument, shown
from embertown.core.game import Game
from embertown.games import load

PAIR = 2


class Schedule(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    """Everybody meets everybody."""
    GAUNTLET = "gauntlet"
    """The first meets each of the others."""
    MIXED = "mixed"
    """Tables of different contestants."""


class Fixture(NamedTuple):
    """One game to be played."""

    pairing: int
    round: int
    rotation: int
    seats: tuple[str, ...]
    """The contestants, by seat."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who sits at a table; the first is the one that the others are measured against.

    >>> Pairing(0, ("greedy", "random", "random")).rotated(1)
    ('random', 'greedy', 'random')
    """

    number: int
    table: tuple[str, ...]

    def rotated(self, rotation: int) -> tuple[str, ...]:
        """The table with everybody so many seats further."""
        return tuple(self.table[seat - rotation] for seat in range(len(self.table)))

    @property
    def tested(self) -> tuple[str, ...]:
        """Whose win share is measured: the first's, or at a table of different contestants everybody's."""
        return self.table if len(set(self.table)) == len(self.table) > PAIR else self.table[:1]


class Tournament:
    """A game, its contestants and a seed: all that decides which games are played.

    >>> found = Tournament("cronberg", ["greedy", "random"], players=3).pairings
    >>> [pairing.table for pairing in found]
    [('greedy', 'random', 'random'), ('random', 'greedy', 'greedy')]
    """

    def __init__(
        self,
        game: str,
        contestants: Sequence[str],
        *,
        players: int | None = None,
        edition: str | Path | dict[str, Any] | Edition | None = None,
        seed: int = 0,
        schedule: Schedule | str = Schedule.ROUND_ROBIN,
        until_apart: bool = False,
        beats: float | None = None,
        alpha: float = ALPHA,
        **options: bool,
    ) -> None:
        self.contestants = tuple(Contestant.parsed(text) for text in contestants)
        self.game: Game = load(game, players, edition, **options)
        self.seed, self.until_apart, self.beats, self.alpha = seed, until_apart, beats, alpha
        self.schedule = _schedule(schedule)
        self._check()
        self.pairings = tuple(Pairing(number, table) for number, table in enumerate(self._tables()))

    def _check(self) -> None:
        names = self.names
        if len(names) < PAIR or len(set(names)) < len(names):
            listed = shown(", ".join(names))
            raise BadArgument(f"the contestants are {listed}; right would be: at least two, none of them twice")
        if self.schedule is Schedule.MIXED and len(names) < self.game.players:
            raise BadArgument(
                f"{len(names)} contestants at mixed tables of {self.game.players};"
                f" right would be: at least {self.game.players}, or pairings"
            )
        if self.schedule is Schedule.MIXED and self.until_apart:
            raise BadArgument("mixed tables can't stop once two are told apart; right would be: pairings")
        if type(self.seed) is not int or self.seed < 0:
            raise BadArgument(f"seed is {shown(self.seed)}; right would be: a whole number, 0 or more")
        Evidence(self.tested_share, self.alpha, two_sided=self.beats is None)

    def _tables(self) -> Iterator[tuple[str, ...]]:
        names, players = self.names, self.game.players
        if self.schedule is Schedule.MIXED:
            yield from combinations(names, players)
            return
        pairs = combinations(names, PAIR) if players == PAIR else permutations(names, PAIR)
        for one, other in pairs:
            if self.schedule is Schedule.ROUND_ROBIN or one == names[0]:
                yield (one, *(other,) * (players - 1))

    @property
    def names(self) -> tuple[str, ...]:
        """The contestants as they are written."""
        return tuple(map(str, self.contestants))

    @property
    def expected(self) -> float:
        """The share of wins of a contestant that is as good as the others."""
        return 1 / self.game.players

    @property
    def tested_share(self) -> float:
        """The share of wins that the test of a pairing starts from."""
        return self.expected if self.beats is None else self.beats

    def evidence(self) -> Evidence:
        """A new test for one pairing."""
        return Evidence(self.tested_share, self.alpha, two_sided=self.beats is None)

    def rounds_for(self, games: int) -> int:
        """How many rounds so many games of a pairing are, the last one whole."""
        if type(games) is not int or games < 1:
            raise BadArgument(f"games is {shown(games)}; right would be: a whole number, 1 or more")
        return math.ceil(games / self.game.players)

    def shuffle(self, number: int) -> str:
        """The seed of a round's shuffle, as `game.start(seed=…)` takes it: the same for all pairings and seats."""
        return f"{self.seed} round {number}"

    def reference(self) -> str:
        """The edition by id or whole, as JSON."""
        return json.dumps(self.game.edition.reference(), sort_keys=True, ensure_ascii=False)


def _schedule(wanted: Schedule | str) -> Schedule:
    try:
        return Schedule(wanted)
    except ValueError:
        raise BadArgument(f"schedule is {shown(wanted)}; right would be: {', '.join(Schedule)}") from None


class Course:
    """The games of a tournament in their order, and which pairings have been told apart.

    Games come by round, then pairing, then rotation. Several processes play ahead; a game whose pairing was told apart
    in an earlier round doesn't count, so that what is counted depends on the seed alone.
    """

    def __init__(self, tournament: Tournament, rounds: int | None = None) -> None:
        self.tournament, self.rounds = tournament, rounds
        self.ends: dict[int, int] = {}
        """By pairing: the round in which it was told apart."""
        self._evidence = [tournament.evidence() for _ in tournament.pairings]
        self._shares: dict[int, list[float]] = {pairing.number: [] for pairing in tournament.pairings}
        self._order = self._fixtures()

    def __iter__(self) -> Iterator[Fixture]:
        return self._order

    def _fixtures(self) -> Iterator[Fixture]:
        number = 0
        while (self.rounds is None or number < self.rounds) and len(self.ends) < len(self.tournament.pairings):
            for pairing in self.tournament.pairings:
                for rotation in range(self.tournament.game.players):
                    if self.wants(pairing.number, number):
                        yield Fixture(pairing.number, number, rotation, pairing.rotated(rotation))
            number += 1

    def wants(self, pairing: int, number: int) -> bool:
        """Whether this round of a pairing counts."""
        return number <= self.ends.get(pairing, number)

    def take(self, fixture: Fixture, share: float) -> None:
        """Count a game that is wanted, with the first one's share of its win. Games come in their order."""
        shares = self._shares[fixture.pairing]
        shares.append(share)
        if self.tournament.until_apart and len(shares) == self.tournament.game.players:
            evidence = self._evidence[fixture.pairing]
            evidence.add(math.fsum(shares) / len(shares))
            shares.clear()
            if evidence.verdict.is_clear:
                self.ends[fixture.pairing] = fixture.round

    def games_left(self, played: int) -> int:
        """How many games are left at most."""
        pairings = range(len(self.tournament.pairings))
        rounds = sum(self.ends.get(pairing, (self.rounds or 0) - 1) + 1 for pairing in pairings)
        return max(0, rounds * self.tournament.game.players - played)
