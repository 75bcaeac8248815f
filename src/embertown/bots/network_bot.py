"""`network`: what a trained network finds likeliest, at once; no search. Each game says how its network looks.

Where a game is unlike what the network knows it says so, and the game's search chooses.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any, Protocol

from embertown.bots.contract import Choice
from embertown.bots.levels import LevelBot
from embertown.bots.network import NetworkWeights
from embertown.core.errors import UnknownGame
from embertown.core.game import View

CHOOSERS = {"cronberg": "embertown.bots.cronberg_network", "drunter": "embertown.bots.drunter_network"}
"""By game: the module that chooses, imported when its game is first played."""
SEARCHES = "master"
"""The level that chooses where the network can't …"""
SOME_SIMULATIONS = 1_000
"""… with so many simulations at most: somebody waits for an answer at once."""


class Chooser(Protocol):
    """What a game's module offers."""

    def check_view(self, view: Any) -> None:
        """Refuse a view in which its seat has nothing to choose."""

    def is_unknown(self, view: Any, network: NetworkWeights | None = None) -> str:
        """Why the network can't choose in this game; nothing where it can."""

    def choose(self, view: Any, network: NetworkWeights | None = None) -> Choice:
        """What the network finds likeliest."""


def chooser_of(game: str) -> Chooser:
    """The module that chooses at a game."""
    if game not in CHOOSERS:
        raise UnknownGame(game, CHOOSERS)
    found: Chooser = import_module(CHOOSERS[game])
    return found


class NetworkBot:
    """A strong opponent that plays at once."""

    name = "network"

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """The likeliest action, whatever the budget; a search's within the budget where the network can't choose."""
        chooser = chooser_of(view.game.name)
        chooser.check_view(view)
        if reason := chooser.is_unknown(view):
            some = min(SOME_SIMULATIONS, simulations or SOME_SIMULATIONS)
            found = LevelBot(SEARCHES).choose(view, seconds=seconds, simulations=some, seed=seed)
            return Choice(found.action, replace(found.reasons, because=f"{reason}: searched"))
        return chooser.choose(view)
