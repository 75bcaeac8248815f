"""What results come to: win rates with intervals, score differences, times, ratings, and who is told apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from embertown.arena.playing import Played
from embertown.arena.ratings import Rating, ratings
from embertown.arena.results import Header, Results
from embertown.arena.sequential import Verdict
from embertown.arena.tournament import Pairing, Tournament

NORMAL_95 = 1.959964
"""How many standard deviations 95 % of a normal distribution lie within, either way."""

STUDENT_95 = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139)
"""The same for Student's t, by degrees of freedom, 1 to 10."""
FEWEST_ROUNDS = 3
"""Two rounds may agree by chance: an interval from them would promise too much."""


@dataclass(frozen=True, slots=True)
class PairingFigures:
    """How a contestant did against the others of a pairing."""

    contestant: str
    others: tuple[str, ...]
    games: int
    wins: float
    """Shared wins count as their share."""
    share: float
    interval: tuple[float, float]
    """95 %, by Wilson."""
    expected: float
    """The share of somebody as good as the others."""
    lead: float
    """The mean of its score minus the mean score of the others."""
    lead_error: float | None
    """The standard error of `lead`, from whole rounds; None where there are fewer than two."""
    lead_reach: float | None
    """How far 95 % reach to either side of `lead`, by Student's t; None where there are fewer than three rounds."""
    verdict: Verdict
    """What the sequential test has shown, whenever one looks."""
    tested_share: float
    """The share of wins that it was tested against."""
    decided_after: int | None
    """How many games the verdict took."""


@dataclass(frozen=True, slots=True)
class ContestantFigures:
    """How a contestant did in all its games."""

    contestant: str
    games: int
    """Seats taken, where copies sit at one table."""
    rating: Rating
    seconds: float
    """The mean time of a move."""
    slowest: float


@dataclass(frozen=True, slots=True)
class Standings:
    """All figures of a tournament: pairings in its order, contestants by their rating."""

    tournament: Tournament
    games: int
    pairings: tuple[PairingFigures, ...]
    contestants: tuple[ContestantFigures, ...]

    def to_dict(self) -> dict[str, Any]:
        """For programs: the results' header, and all figures."""
        return {
            "tournament": Header.of(self.tournament).model_dump(mode="json"),
            "games": self.games,
            "pairings": [asdict(found) for found in self.pairings],
            "contestants": [asdict(found) for found in self.contestants],
        }


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The interval of 95 % for a win rate; shared wins vary less than whole ones, so for them it is on the safe side.

    >>> low, high = wilson(75, 100)
    >>> round(low, 3), round(high, 3)
    (0.657, 0.825)
    """
    if not games:
        return 0.0, 1.0
    share, z2 = wins / games, NORMAL_95**2
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    reach = NORMAL_95 * math.sqrt(share * (1 - share) / games + z2 / (4 * games**2)) / (1 + z2 / games)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def student_95(degrees: int) -> float:
    """How many standard errors 95 % of Student's t lie within, either way: from a table, then by Cornish and Fisher.

    >>> round(student_95(2), 3), round(student_95(30), 3)
    (4.303, 2.042)
    """
    if degrees <= len(STUDENT_95):
        return STUDENT_95[degrees - 1]
    z = NORMAL_95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / float(degrees) ** power for power, term in enumerate(terms, start=1))


def standings(results: Results) -> Standings:
    """The figures of some results.

    >>> from embertown.arena import play
    >>> found = standings(play(Tournament("cronberg", ["random", "greedy"], seed=1), games=20, jobs=1))
    >>> found.contestants[0].contestant, found.pairings[0].verdict
    ('greedy', <Verdict.LESS: 'less'>)
    """
    tournament, games = results.tournament, results.games
    by_pairing: dict[int, list[Played]] = {pairing.number: [] for pairing in tournament.pairings}
    for game in games:
        by_pairing[game.pairing].append(game)
    pairings = [
        pairing_figures(tournament, pairing, name, by_pairing[pairing.number])
        for pairing in tournament.pairings
        for name in pairing.tested
    ]
    rated = ratings(tournament.names, games)
    contestants = [_contestant_figures(name, rated[name], games) for name in tournament.names]
    contestants.sort(key=lambda found: -found.rating.mean)
    return Standings(tournament, len(games), tuple(pairings), tuple(contestants))


def quick_shares(results: Results) -> dict[str, float]:
    """The share of wins of each contestant in a seat of all games so far, the best first."""
    wins = dict.fromkeys(results.tournament.names, 0.0)
    seats = dict.fromkeys(results.tournament.names, 0)
    for game in results.games:
        for name, share in zip(game.seats, game.shares, strict=True):
            wins[name] += share
            seats[name] += 1
    shares = {name: wins[name] / seats[name] for name in wins if seats[name]}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def pairing_figures(tournament: Tournament, pairing: Pairing, name: str, games: Sequence[Played]) -> PairingFigures:
    """How one contestant did at a table."""
    at = [game.seats.index(name) for game in games]
    shares = [game.shares[seat] for game, seat in zip(games, at, strict=True)]
    leads = [_lead(game.scores, seat) for game, seat in zip(games, at, strict=True)]
    players = tournament.game.players
    evidence = tournament.evidence()
    for share in _of_rounds(shares, players):
        evidence.add(share)
    wins, by_round = math.fsum(shares), _of_rounds(leads, players)
    others = list(pairing.table)
    others.remove(name)
    return PairingFigures(
        name,
        tuple(others),
        len(games),
        wins,
        wins / len(games) if games else tournament.expected,
        wilson(wins, len(games)),
        tournament.expected,
        math.fsum(leads) / len(games) if games else 0.0,
        _standard_error(by_round),
        _reach(by_round),
        evidence.verdict,
        tournament.tested_share,
        None if evidence.decided_after is None else evidence.decided_after * players,
    )


def _of_rounds(values: Sequence[float], players: int) -> list[float]:
    """The means of whole rounds; games come in their order."""
    whole = range(0, len(values) - players + 1, players)
    return [math.fsum(values[first : first + players]) / players for first in whole]


def _lead(scores: Sequence[int], seat: int) -> float:
    return scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)


def _standard_error(values: Sequence[float]) -> float | None:
    """Of the mean of some values; one alone says nothing about it."""
    if len(values) <= 1:
        return None
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def _reach(values: Sequence[float]) -> float | None:
    """How far the interval of 95 % of their mean reaches to either side."""
    error = _standard_error(values)
    return None if error is None or len(values) < FEWEST_ROUNDS else student_95(len(values) - 1) * error


def _contestant_figures(name: str, rating: Rating, games: Sequence[Played]) -> ContestantFigures:
    seats = [(game, seat) for game in games for seat, other in enumerate(game.seats) if other == name]
    moves = sum(game.moves[seat] for game, seat in seats)
    seconds = math.fsum(game.seconds[seat] for game, seat in seats)
    slowest = max((game.slowest[seat] for game, seat in seats), default=0.0)
    return ContestantFigures(name, len(seats), rating, seconds / max(1, moves), slowest)
