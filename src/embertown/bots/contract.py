"""What a bot is: one signature, and what it tells of its choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from embertown.core.game import View


@dataclass(frozen=True, slots=True)
class Considered:
    """One action that was looked at."""

    action: int
    visits: int
    """How many simulations went through it; for an exact result, how many positions were solved below it."""
    win_share: tuple[float, ...]
    """By seat: the share of the win that is expected after it; two who win together have a half each."""
    points: tuple[float, ...]
    """By seat: the points expected at the end of the game."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why an action was chosen; what a bot does not know about stays empty."""

    because: str = ""
    """For bots that do not search: what decided, in a few words."""
    considered: tuple[Considered, ...] = ()
    """What was looked at: the chosen action first, then from the most visited on, or where exact from the best on."""
    line: tuple[str, ...] = ()
    """What is expected to happen, from the chosen action on, as it would stand in the log."""
    simulations: int = 0
    """How many were made; for an exact result, how many positions were solved."""
    exact: bool = False
    """Whether the figures are solved, not estimated."""
    beliefs: tuple[dict[str, float] | None, ...] = ()
    """By seat: how likely each objective is thought to be theirs; None for a seat whose cards are known."""

    @property
    def win_share(self) -> tuple[float, ...]:
        """By seat: the expected share of the win after the first of `considered`."""
        return self.considered[0].win_share if self.considered else ()

    @property
    def points(self) -> tuple[float, ...]:
        """By seat: the expected points at the end after the first of `considered`."""
        return self.considered[0].points if self.considered else ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An action, and why.

    >>> Choice(37, Reasons(because="no crossing promises enough")).reasons.because
    'no crossing promises enough'
    """

    action: int
    reasons: Reasons = Reasons()


class Bot(Protocol):
    """Chooses for the seat that a view belongs to. The same view, simulations and seed: the same choice.

    A bot can be pickled, uses no randomness but the seed's, and thinks for `seconds` or `simulations`, whatever ends
    first; where neither is given, for as long as suits it. What it keeps between moves must not change its choices.
    """

    name: str

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """An action for the seat that acts in the view."""
