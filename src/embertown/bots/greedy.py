"""`greedy`: takes what is best at once; each game says what that is."""

from __future__ import annotations

from typing import Any

from embertown.bots import cronberg_greedy
from embertown.bots.contract import Choice
from embertown.core.game import View


class GreedyBot:
    """A simple opponent that plays at once."""

    name = "greedy"

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """The action that is best at once; no budget is needed."""
        del seconds, simulations
        return cronberg_greedy.choose(view, seed)  # type: ignore[arg-type]
