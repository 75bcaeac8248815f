"""A test that may be looked at after every round, and ends as soon as two contestants are told apart.

Each round gives a win share x between 0 and 1. Somebody who doubts that its mean is the null share m bets on it: a
stake of 1 becomes 1 + b (x - m) in every round, for a fixed b. If the mean is m (or, for bets on more, below m), no bet
can be expected to grow, and neither can the mean of many bets with different b. So the chance that their mean ever
reaches 1/alpha is at most alpha (Ville's inequality), however often one looks and whenever one stops. It holds for
any distribution of x and does not need rounds to be alike: only that none of them has a mean other than the null's.

>>> evidence = Evidence(null=0.5)
>>> for _ in range(8):
...     evidence.add(1.0)
>>> evidence.verdict
<Verdict.MORE: 'more'>
"""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np

from embertown.core.errors import BadArgument, shown

ALPHA = 0.05
"""How likely a false alarm may be, for one pairing."""
BETS = 100
"""Bets on each side, from timid to bold."""


class Verdict(StrEnum):
    """What a test has shown about the share of wins."""

    MORE = "more"
    LESS = "less"
    OPEN = "open"

    @property
    def is_clear(self) -> bool:
        """Whether it has shown anything."""
        return self is not Verdict.OPEN


class Evidence:
    """Bets against a null share of wins, on more and on less.

    Two-sided, the chance of any false verdict is at most `alpha`; one-sided, the chance of a false `MORE` is, and so is
    the chance of a false `LESS`.
    """

    def __init__(self, null: float, alpha: float = ALPHA, *, two_sided: bool = True) -> None:
        for name, value in (("the share to beat", null), ("alpha", alpha)):
            if type(value) not in (int, float) or not 0 < value < 1:
                raise BadArgument(f"{name} is {shown(value)}; right would be: a number between 0 and 1")
        self.null, self.alpha, self.two_sided = null, alpha, two_sided
        self.verdict = Verdict.OPEN
        self.rounds = 0
        self.decided_after: int | None = None
        """How many rounds the verdict took."""
        steps = np.arange(1, BETS + 1) / (BETS + 1)
        self._bets = {Verdict.MORE: steps / null, Verdict.LESS: -steps / (1 - null)}
        self._logs = {side: np.zeros(BETS) for side in self._bets}

    def add(self, share: float) -> None:
        """Count a round's win share; a verdict once reached stays."""
        self.rounds += 1
        for side, bets in self._bets.items():
            self._logs[side] += np.log1p(bets * (share - self.null))
        if not self.verdict.is_clear:
            self.verdict = self._verdict()
            self.decided_after = self.rounds if self.verdict.is_clear else None

    def _verdict(self) -> Verdict:
        wealth = {side: _log_mean(logs) for side, logs in self._logs.items()}
        best = max(wealth, key=wealth.__getitem__)
        reached = _log_mean(np.array(list(wealth.values()))) if self.two_sided else wealth[best]
        return best if reached >= -math.log(self.alpha) else Verdict.OPEN


def _log_mean(logs: np.ndarray) -> float:
    """The logarithm of the mean, from logarithms."""
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).mean()))
