"""The player of Cronberg: exact at the end where that is affordable, a search before and otherwise."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import dataclass
from typing import Any

import pytest

import embertown
from embertown.bots import bot
from embertown.bots.cronberg_endgame import approach, rhombi_to_come, solve
from embertown.bots.cronberg_player import SHORTEST, CronbergPlayer, Endgame
from embertown.bots.cronberg_search import CronbergSearch, SearchSettings
from embertown.core.errors import BadArgument
from embertown.core.game import State

SMALL = SearchSettings(nodes=1 << 10, edges=1 << 14)


def near_the_end(players: int, seed: int, rhombi: int) -> State[Any]:
    """A game of `greedy` up to a choice with so many rhombi to come."""
    greedy, state = bot("greedy"), embertown.load("cronberg", players).start(seed=seed)
    while rhombi_to_come(state.view(state.seat)) > rhombi or len(state.legal_actions) == 1:
        state.play(greedy.choose(state.view(state.seat), seed=seed).action)
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_the_end_exactly(players: int) -> None:
    state = near_the_end(players, seed=3, rhombi=1)
    view = state.view(state.seat)
    choice, solution = CronbergPlayer(SMALL).choose(view, simulations=5_000), solve(view)
    assert solution is not None
    assert choice.reasons.exact
    assert choice.action == solution.action
    assert choice.reasons.win_share == solution.win_share
    assert choice.reasons.line[0] == view.text(choice.action)


def test_it_searches_where_the_solver_does_not_end() -> None:
    """The same choice as the search alone makes with the same seed."""
    view = near_the_end(4, seed=1, rhombi=3).view
    player = CronbergPlayer(SMALL, Endgame(positions=1))
    seat = next(seat for seat in range(4) if view(seat).seat == seat)
    choice = player.choose(view(seat), simulations=300, seed=5)
    assert not choice.reasons.exact
    assert choice == CronbergSearch(SMALL).choose(view(seat), simulations=300, seed=5)


def test_it_widens_where_the_exact_solution_does_not_end() -> None:
    """What `approach` finds with the same positions, told as an estimate with no more simulations than allowed."""
    state = near_the_end(4, seed=1, rhombi=3)
    view, player, each = state.view(state.seat), CronbergPlayer(SMALL), Endgame().positions_each
    choice, found = player.choose(view, simulations=10_000, seed=5), approach(view, positions=each * 10_000)
    assert found is not None
    assert not found.exact
    assert choice.action == found.action
    assert choice.reasons == found.reasons(positions_each=each)
    assert not choice.reasons.exact
    assert 0 < choice.reasons.simulations <= 10_000
    assert choice == player.choose(view, simulations=10_000, seed=6)
    exact_alone = CronbergPlayer(SMALL, Endgame(widening=False)).choose(view, simulations=10_000, seed=5)
    assert exact_alone == CronbergSearch(SMALL).choose(view, simulations=10_000, seed=5)


def test_before_the_end_it_is_the_search() -> None:
    view = embertown.load("cronberg").start(seed=1, first=0).view(0)
    assert CronbergPlayer(SMALL).choose(view, simulations=200) == CronbergSearch(SMALL).choose(view, simulations=200)


def test_what_the_solver_took_is_not_there_for_the_search() -> None:
    """A clock that is past the deadline when the solver first looks: a very short search, and no look more."""
    state = near_the_end(2, seed=4, rhombi=3)
    looks = itertools.chain([0.0, 0.0], itertools.repeat(100.0))
    choice = CronbergPlayer(SMALL, clock=looks.__next__).choose(state.view(state.seat), seconds=1.0)
    assert not choice.reasons.exact
    assert 0 < choice.reasons.simulations <= SHORTEST
    looks = itertools.chain([0.0, 0.0], itertools.repeat(100.0))
    again = CronbergPlayer(SMALL, clock=looks.__next__).choose(state.view(state.seat), seconds=1.0, simulations=5)
    assert again.reasons.simulations <= 5


@dataclass
class Metronome:
    """A clock that goes on by a tenth of a second at each look."""

    now: float = 0.0

    def __call__(self) -> float:
        self.now += 0.1
        return self.now


@pytest.mark.parametrize(("rhombi", "seconds", "longest"), [(3, None, 4.0), (3, 1.0, 1.0), (9, None, 1.0)])
def test_its_own_time_lasts_longer_at_the_end(rhombi: int, seconds: float | None, longest: float) -> None:
    """Four times its seconds, where that was not told and the end is near; a choice that is settled takes less."""
    clock = Metronome()
    player = CronbergPlayer(SMALL, Endgame(patience=4.0), seconds=1.0, clock=clock)
    state = near_the_end(4, seed=1, rhombi=rhombi)
    player.choose(state.view(state.seat), seconds=seconds)
    assert longest / 2 < clock.now <= longest + 0.5


def test_what_can_not_be_solved_is_not_tried() -> None:
    """Three rhombi to come for four players, and time for next to nothing: the solver is not even asked."""
    state = near_the_end(4, seed=1, rhombi=3)
    now = itertools.count()
    CronbergPlayer(SMALL, clock=lambda: next(now) / 10).choose(state.view(state.seat), seconds=1e-4, simulations=1)
    assert next(now) <= 4


def test_it_needs_a_budget_that_makes_sense_and_a_game_that_goes_on() -> None:
    state = near_the_end(2, seed=4, rhombi=1)
    with pytest.raises(BadArgument, match="seconds is -1"):
        CronbergPlayer().choose(state.view(state.seat), seconds=-1)
    while state.seat is not None:
        state.play(state.legal_actions[0])
    with pytest.raises(BadArgument, match="the game is over"):
        CronbergPlayer().choose(state.view(0))


def test_it_can_be_pickled() -> None:
    twin = pickle.loads(pickle.dumps(CronbergPlayer(SMALL, Endgame(rhombi=2), name="twin")))
    state = near_the_end(2, seed=4, rhombi=1)
    assert (twin.name, twin.endgame) == ("twin", Endgame(rhombi=2))
    assert twin.choose(state.view(state.seat), simulations=100).reasons.exact
