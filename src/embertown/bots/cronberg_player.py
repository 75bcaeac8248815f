"""A player of Cronberg: solves the end of the game, exactly where that is affordable, and searches before."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from embertown.bots.budget import Budget, Clock
from embertown.bots.contract import Choice
from embertown.bots.cronberg_endgame import Solution, approach, guessed_positions, rhombi_to_come, solve
from embertown.bots.cronberg_search import CronbergSearch, Evaluator, SearchSettings, check_view
from embertown.core.game import View
from embertown.cronberg.view import CronbergView

SHORTEST = 256
"""Simulations of a search for which no time is left: some milliseconds."""


POSITIONS_A_SECOND = 1_500_000
"""About how many a core looks at; it decides only whether a solution is tried."""
HOPELESS = 100
"""Guessed to take so many times more than is affordable, a solution is not tried: guesses miss by ten times, often."""


@dataclass(frozen=True, slots=True)
class Endgame:
    """When the end of the game is solved."""

    rhombi: int = 3
    """From so many rhombi to come on, at most."""
    share: float = 0.95
    """So much of the seconds may go into it; the rest is for a search, should nothing come of it."""
    exact: float = 0.05
    """So much of the seconds may go into the exact solution alone, before ever wider ones are tried (`approach`)."""
    widening: bool = True
    """Whether those are tried at all; else the exact solution may take all that goes into the end."""
    positions: int | None = None
    """For a budget in simulations: so many positions at most, for the exact solution and again for wider ones."""
    positions_each: int = 10
    """The same, where `positions` is not given: as many as this for each simulation, which takes about as long."""
    patience: float = 1.0
    """So many times its own seconds a player takes here at most: nearly all ends need next to none, a few need more."""


class Watch:
    """A clock that remembers what it last showed, so that nobody has to look again."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.seen = clock, 0.0

    def __call__(self) -> float:
        """Look."""
        self.seen = self.clock()
        return self.seen


class CronbergPlayer:
    """A search that knows the end. The same view, simulations and seed: the same choice."""

    def __init__(
        self,
        settings: SearchSettings | None = None,
        endgame: Endgame | None = None,
        *,
        evaluator: Evaluator | None = None,
        seconds: float | None = None,
        name: str = "cronberg-player",
        clock: Clock = time.monotonic,
    ) -> None:
        """With `seconds` a player thinks for so long where it is not told; without, for its search's simulations."""
        self.search = CronbergSearch(settings, evaluator=evaluator, name=name, clock=clock)
        self.endgame, self.seconds, self.name, self.clock = endgame or Endgame(), seconds, name, clock

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """The best action for sure, or the best that a search finds in the time that is left."""
        check_view(view)
        assert isinstance(view, CronbergView)
        is_end = len(view.legal_actions) > 1 and rhombi_to_come(view) <= self.endgame.rhombi
        if seconds is None and simulations is None:
            seconds, simulations = self._own_budget(is_end)
        watch = Watch(self.clock)
        budget = Budget(seconds, simulations, watch)
        if is_end:
            solution = self._solution(view, budget, watch)
            if solution is not None:
                return Choice(solution.action, solution.reasons(self._each(simulations)))
        if budget.deadline is not None:
            seconds = budget.deadline - watch.seen
        return self._searched(view, seconds, simulations, seed)

    def _own_budget(self, is_end: bool) -> tuple[float | None, int | None]:
        """The seconds and simulations of a player who was told neither."""
        if self.seconds is None:
            return None, self.search.settings.simulations
        return self.seconds * (self.endgame.patience if is_end else 1.0), None

    def _solution(self, view: CronbergView, budget: Budget, watch: Watch) -> Solution | None:
        """The end of the game, as exactly as it comes within its share of the budget; None where it does not."""
        endgame, positions = self.endgame, self._positions(budget.simulations)
        seconds = _until(budget, watch, endgame.exact if endgame.widening else endgame.share)
        affordable = (seconds or 0) * POSITIONS_A_SECOND if positions is None else positions
        solution = None
        if guessed_positions(view) <= HOPELESS * affordable:
            solution = solve(view, seconds=seconds, positions=positions, clock=watch)
        if solution is not None or not endgame.widening:
            return solution
        seconds = _until(budget, watch, endgame.share)
        if seconds is not None and seconds <= 0:
            return None
        return approach(view, seconds=seconds, positions=positions, clock=watch)

    def _positions(self, simulations: int | None) -> int | None:
        """How many positions a budget in simulations is worth."""
        if simulations is None:
            return None
        return self.endgame.positions or simulations * self.endgame.positions_each

    def _each(self, simulations: int | None) -> int:
        """How many positions count as a simulation; no more of these are told than were allowed."""
        if simulations is None or self.endgame.positions is None:
            return self.endgame.positions_each
        return max(1, -(-self.endgame.positions // simulations))

    def _searched(self, view: CronbergView, seconds: float | None, simulations: int | None, seed: int) -> Choice:
        """By a search in the seconds that are left; where none are, by a very short one that needs no clock."""
        if seconds is not None and seconds <= 0:
            return self.search.choose(view, simulations=min(SHORTEST, simulations or SHORTEST), seed=seed)
        return self.search.choose(view, seconds=seconds, simulations=simulations, seed=seed)


def _until(budget: Budget, watch: Watch, share: float) -> float | None:
    """How many seconds there are from the last look until this share of the time is gone; None without a deadline."""
    if budget.deadline is None:
        return None
    return budget.began + share * (budget.deadline - budget.began) - watch.seen
