"""How long a bot thinks: seconds, simulations, or both; a clock can be put in for tests.

>>> clock = iter([0.0, 0.5, 1.5]).__next__
>>> budget = Budget(seconds=1.0, clock=clock)
>>> budget.is_spent(), budget.is_spent()
(False, True)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from embertown.core.errors import BadArgument, shown

Clock = Callable[[], float]
"""Seconds that only grow, as `time.monotonic` gives them."""


class Budget:
    """What is left of the seconds and the simulations of one choice; its time runs from the moment it is made."""

    def __init__(
        self, seconds: float | None = None, simulations: int | None = None, clock: Clock = time.monotonic
    ) -> None:
        if seconds is not None and not (type(seconds) in (int, float) and 0 < seconds < math.inf):
            raise BadArgument(f"seconds is {shown(seconds)}; right would be: a number above 0")
        if simulations is not None and (type(simulations) is not int or simulations < 1):
            raise BadArgument(f"simulations is {shown(simulations)}; right would be: a whole number from 1 on")
        self.simulations, self.clock = simulations, clock
        self.deadline: float | None = None
        if seconds is not None:
            self.began = self.seen = clock()
            self.deadline = self.began + seconds
        self.made = 0

    def next_slice(self, size: int) -> int:
        """How many simulations to make until the next look at the clock: `size`, or fewer where fewer are left."""
        return size if self.simulations is None else min(size, self.simulations - self.made)

    def spend(self, simulations: int) -> None:
        """So many simulations were made."""
        self.made += simulations

    def is_spent(self) -> bool:
        """Whether the simulations are made or the deadline is past; looks at the clock once."""
        if self.simulations is not None and self.made >= self.simulations:
            return True
        if self.deadline is None:
            return False
        self.seen = self.clock()
        return self.seen >= self.deadline

    def left(self) -> float:
        """How many simulations can still be made: those that are left, or fewer at the pace so far; may be infinite.

        It does not look at the clock again.
        """
        left = math.inf if self.simulations is None else self.simulations - self.made
        if self.deadline is None or self.made == 0 or self.seen <= self.began:  # no pace yet
            return left
        return min(left, self.made * (self.deadline - self.seen) / (self.seen - self.began))
