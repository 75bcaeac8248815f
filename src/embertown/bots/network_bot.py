"""`network`: what a trained network finds likeliest, at once; no search. Each game says how its network looks."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from embertown.bots.contract import Choice
from embertown.core.errors import UnknownGame
from embertown.core.game import View

CHOOSERS = {"cronberg": "embertown.bots.cronberg_network", "drunter": "embertown.bots.drunter_network"}
"""By game: the module that chooses, imported when its game is first played."""


class NetworkBot:
    """A strong opponent that plays at once. It needs the weights that training gives; without them it says so."""

    name = "network"

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """The likeliest action; no budget is needed, and no lots are drawn."""
        del seconds, simulations, seed
        if view.game.name not in CHOOSERS:
            raise UnknownGame(view.game.name, CHOOSERS)
        choice: Choice = import_module(CHOOSERS[view.game.name]).choose(view)
        return choice
