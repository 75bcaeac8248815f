"""What a bot promises, and what is said of one that does not keep to it."""

from __future__ import annotations

from enum import StrEnum


class Promise(StrEnum):
    """What every bot promises, in words for the message of a test."""

    SIGNATURE = "a bot has a name and chooses"
    LEGAL = "never an illegal action"
    SECRETS = "never a secret read"
    REPEATABLE = "the same view, simulations and seed: the same choice"
    PICKLING = "a bot can be pickled, and its twin chooses alike"
    RANDOMNESS = "no global randomness"
    VIEW = "a view stays as it is"
    DEADLINE = "stops at the first look at the clock after its deadline"
    REASONS = "reasons are well-formed"
    UNKNOWN_GAME = "a game that a bot does not play is refused with a clear error"


class BrokenPromise(AssertionError):
    """A bot does not keep a promise: which, how, and where it was seen.

    >>> print(BrokenPromise(Promise.LEGAL, "chose 99", "a game of Cronberg"))
    never an illegal action: chose 99
      a game of Cronberg
    """

    def __init__(self, promise: Promise, what: str, where: str = "") -> None:
        super().__init__(promise, what, where)
        self.promise, self.what, self.where = promise, what, where

    def __str__(self) -> str:
        told = "".join(f"\n  {line}" for line in self.where.splitlines())
        return f"{self.promise}: {self.what}{told}"


def hold(kept: bool, promise: Promise, what: str, where: str = "") -> None:
    """Raise `BrokenPromise` unless it is kept."""
    if not kept:
        raise BrokenPromise(promise, what, where)
