"""`random`: any legal action, each as likely as any other."""

from __future__ import annotations

from typing import Any

from embertown.bots.contract import Choice
from embertown.bots.lots import any_of
from embertown.core.game import View


class RandomBot:
    """Plays anything; a measure for others, and the quickest way to fill a file with games."""

    name = "random"

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """A legal action drawn from the seed and the number of entries in the log; no budget is needed."""
        del seconds, simulations
        return Choice(any_of(view, view.legal_actions, seed))
