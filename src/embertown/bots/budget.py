"""How long a bot thinks: seconds, simulations, or both; a clock can be put in for tests.

>>> clock = iter([0.0, 0.5, 1.5]).__next__
>>> budget = Budget(seconds=1.0, clock=clock)
>>> budget.is_spent(), budget.is_spent()
(False, True)
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, shown

Clock = Callable[[], float]
"""Seconds that only grow, as `time.monotonic` gives them."""


LONGEST = 1e9
"""Seconds: some thirty years."""
WORD = 8
"""Bytes of a kernel's random state."""


def _is_duration(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    number: Any = value
    return bool(0 < number <= LONGEST)


def is_count(value: object) -> bool:
    """Whether this is a whole number from 1 on, Python's or NumPy's."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        return False
    number: Any = value
    return bool(number >= 1)


def random_state(seed: int | str | bytes, about: bytes = b"") -> int:
    """What a kernel's random numbers start from: 64 bits of a seed, and of what the numbers are about.

    >>> random_state(7) != random_state(8) != random_state(8, b"a tile")
    True
    """
    SeededChance(seed)  # refuses what is no seed
    return int.from_bytes(hashlib.sha256(f"search {seed!s} ".encode() + about).digest()[:WORD], "big")


class Budget:
    """What is left of the seconds and the simulations of one choice; its time runs from the moment it is made."""

    def __init__(
        self, seconds: float | None = None, simulations: int | None = None, clock: Clock = time.monotonic
    ) -> None:
        if seconds is not None and not _is_duration(seconds):
            raise BadArgument(f"seconds is {shown(seconds)}; right would be: a number above 0, at most {LONGEST:g}")
        if simulations is not None and not is_count(simulations):
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
