"""Budgets: seconds, simulations or both, whatever ends first; one look at the clock for each question."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.bots import Choice, Considered, Reasons
from embertown.bots.budget import Budget
from embertown.core.errors import BadArgument


class Ticking:
    """A clock that goes on by a step with each look."""

    def __init__(self, step: float) -> None:
        self.step, self.looks = step, 0

    def __call__(self) -> float:
        self.looks += 1
        return (self.looks - 1) * self.step


def test_time_runs_from_the_moment_it_is_made() -> None:
    """A clock that starts anywhere: looks at 100, 100.5 and 101 seconds."""
    clock = iter([100.0, 100.5, 101.0]).__next__
    budget = Budget(seconds=1, clock=clock)
    assert not budget.is_spent()
    assert budget.is_spent()


def test_without_seconds_nobody_looks_at_the_clock() -> None:
    clock = Ticking(1.0)
    budget = Budget(simulations=3, clock=clock)
    while not budget.is_spent():
        budget.spend(1)
    assert (budget.made, clock.looks) == (3, 0)


def test_simulations_that_are_made_need_no_look_at_the_clock() -> None:
    clock = Ticking(0.0)
    budget = Budget(5.0, 4, clock)
    budget.spend(4)
    assert budget.is_spent()
    assert clock.looks == 1


def test_without_any_limit_it_is_never_spent() -> None:
    budget = Budget()
    budget.spend(10**9)
    assert not budget.is_spent()
    assert budget.next_slice(64) == 64
    assert budget.clock is time.monotonic


@given(st.integers(1, 1000), st.integers(1, 64))
def test_slices_sum_up_to_the_simulations_whatever_their_size(simulations: int, size: int) -> None:
    budget, slices = Budget(simulations=simulations), []
    while not budget.is_spent():
        slices.append(budget.next_slice(size))
        budget.spend(slices[-1])
    assert sum(slices) == budget.made == simulations
    assert max(slices) <= size
    assert set(slices[:-1]) <= {size}


@given(st.floats(0.001, 10.0), st.floats(0.001, 10.0), st.integers(1, 50))
def test_whatever_ends_first_ends_it(seconds: float, step: float, simulations: int) -> None:
    """With a look before each simulation, as many are made as looks were before the deadline, and no more."""
    clock = Ticking(step)
    budget = Budget(seconds, simulations, clock)
    while not budget.is_spent():
        budget.spend(1)
    before_the_deadline = next(look for look in range(1, 20_000) if look * step >= seconds) - 1
    assert budget.made == min(simulations, before_the_deadline)
    assert clock.looks <= budget.made + 2


@pytest.mark.parametrize("seconds", [0, 0.0, -1, math.inf, math.nan, True, "2", b""])
def test_seconds_that_can_not_be_are_told(seconds: object) -> None:
    with pytest.raises(BadArgument, match=r"seconds is .*; right would be: a number above 0"):
        Budget(seconds=seconds)  # type: ignore[arg-type]


@pytest.mark.parametrize("simulations", [0, -3, 1.0, True, "8", math.inf])
def test_simulations_that_can_not_be_are_told(simulations: object) -> None:
    with pytest.raises(BadArgument, match=r"simulations is .*; right would be: a whole number from 1 on"):
        Budget(simulations=simulations)  # type: ignore[arg-type]


def test_reasons_speak_of_the_first_that_was_considered() -> None:
    considered = Considered(3, 10, (0.7, 0.3), (5.0, 4.0)), Considered(4, 2, (0.1, 0.9), (1.0, 9.0))
    reasons = Reasons(considered=considered)
    assert (reasons.win_share, reasons.points) == ((0.7, 0.3), (5.0, 4.0))
    assert (Reasons().win_share, Reasons().points) == ((), ())
    assert Choice(3).reasons == Reasons()


def test_what_is_left_goes_by_the_pace_so_far() -> None:
    """100 simulations in the first of four seconds: 300 more can be made, or those that are left."""
    for simulations, left in ((None, 300.0), (150, 50.0)):
        budget = Budget(4.0, simulations, iter([0.0, 0.5, 1.0]).__next__)
        assert not budget.is_spent()
        assert budget.left() == (math.inf if simulations is None else simulations)  # nothing made, so no pace
        budget.spend(100)
        assert not budget.is_spent()
        assert budget.left() == left


def test_without_an_end_there_is_no_end() -> None:
    assert Budget().left() == math.inf
    assert Budget(simulations=7).left() == 7


def test_numpys_numbers_are_numbers_and_the_endless_is_not() -> None:
    budget = Budget(np.float64(0.5), np.int64(50))  # type: ignore[arg-type]
    assert budget.next_slice(100) == 50
    for seconds in (10**400, math.inf, math.nan, True, "1"):
        with pytest.raises(BadArgument, match="seconds is"):
            Budget(seconds)  # type: ignore[arg-type]
