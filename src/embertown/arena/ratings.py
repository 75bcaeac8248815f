"""Ratings for games of two to four players, by openskill's Plackett-Luce model.

A rating is a mean and an uncertainty (one standard deviation); a newcomer has 25 and 8.33. Such ratings are made game
by game and depend on the games' order. So the games are sorted, shuffled several times by a fixed seed, rated in each
of these orders, and the ratings averaged: the same games give the same ratings, in whatever order they were played.
Copies of a contestant at one table move it together, by the mean of what each would. Bots do not get better
while they play, so the model's `tau`, which keeps ratings moving, is 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from openskill.models import PlackettLuce

from embertown.arena.playing import Played

ORDERS = 8
"""Orders that are averaged."""
UPDATES = 20_000
"""Games rated in all orders together, about; where there are many games fewer orders are needed."""
SEED = 1726

Ranked = tuple[tuple[str, ...], tuple[int, ...]]
"""Contestants by seat, and their ranks: 0 won, equal ones share."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How good a contestant is, and how sure that is: one standard deviation."""

    mean: float
    uncertainty: float


def ranks(game: Played) -> tuple[int, ...]:
    """By seat: how many did better. Winners come first, as some games break ties; then the scores decide."""
    merits = [(seat in game.winners, 0 if seat in game.winners else score) for seat, score in enumerate(game.scores)]
    return tuple(sum(other > merit for other in merits) for merit in merits)


def ratings(names: Sequence[str], games: Sequence[Played]) -> dict[str, Rating]:
    """A rating for each contestant, whatever the order of the games."""
    ranked = sorted((tuple(game.seats), ranks(game)) for game in games)
    generator = np.random.default_rng(SEED)
    orders = max(1, min(ORDERS, UPDATES // max(1, len(ranked))))
    found = [_rated_once(names, [ranked[index] for index in generator.permutation(len(ranked))]) for _ in range(orders)]
    return {name: _mean([one[name] for one in found]) for name in names}


def _mean(found: Sequence[Rating]) -> Rating:
    mean = math.fsum(rating.mean for rating in found) / len(found)
    return Rating(mean, math.sqrt(math.fsum(rating.uncertainty**2 for rating in found) / len(found)))


def _rated_once(names: Sequence[str], games: Sequence[Ranked]) -> dict[str, Rating]:
    model = PlackettLuce(tau=0.0)
    newcomer = model.rating()
    current = {name: Rating(newcomer.mu, newcomer.sigma) for name in names}
    for seats, places in games:
        teams = [[model.rating(mu=current[name].mean, sigma=current[name].uncertainty)] for name in seats]
        rated = model.rate(teams, ranks=[float(place) for place in places])
        for name in set(seats):
            copies = [rated[seat][0] for seat, other in enumerate(seats) if other == name]
            current[name] = _mean([Rating(copy.mu, copy.sigma) for copy in copies])
    return current
