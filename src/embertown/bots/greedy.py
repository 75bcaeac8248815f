"""`greedy`: takes what is best at once; each game says what that is."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from embertown.bots.contract import Choice
from embertown.core.errors import UnknownGame
from embertown.core.game import View

CHOOSERS = {"cronberg": "embertown.bots.cronberg_greedy", "drunter": "embertown.bots.drunter_greedy"}
"""By game: the module that chooses, imported when its game is first played."""


class GreedyBot:
    """A simple opponent that plays at once."""

    name = "greedy"

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """The action that is best at once; no budget is needed."""
        del seconds, simulations
        if view.game.name not in CHOOSERS:
            raise UnknownGame(view.game.name, CHOOSERS)
        choice: Choice = import_module(CHOOSERS[view.game.name]).choose(view, seed)
        return choice
