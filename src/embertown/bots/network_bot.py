"""`network`: what a trained network finds likeliest, at once; no search. Each game says how its network looks.

Where a game is unlike what the network knows it says so, and the game's search chooses. `hint` is the same for people
who ask: the best few.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from embertown.bots.contract import Choice
from embertown.bots.levels import LevelBot
from embertown.bots.network import TOLD, Look, NetworkWeights
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

    def look(self, view: Any, network: NetworkWeights | None = None) -> Look:
        """What the network says of all legal actions."""


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


class Hint(NamedTuple):
    """What somebody who asks is told at once."""

    best: tuple[tuple[int, float], ...]
    """A few actions, the best first, and their shares: of the network's trust, or of the search's simulations."""
    win_share: float | None
    """The share of the win that the seat may expect, where anything is known of it."""
    searched: str
    """Why a search was asked and not the network; nothing where the network was."""


def hint(view: View[Any]) -> Hint:
    """What a network would do, or the game's search where it does not know the game. The same every time.

    >>> import embertown
    >>> view = embertown.load("cronberg", 2).start(seed=7, first=0).view(0)
    >>> found = hint(view)
    >>> found.best[0][0] == embertown.bot("network").choose(view).action, found.searched
    (True, '')
    """
    chooser = chooser_of(view.game.name)
    chooser.check_view(view)
    legal = view.legal_actions
    if len(legal) == 1:
        return Hint(((legal[0], 1.0),), None, "")
    if reason := chooser.is_unknown(view):
        return _searched_hint(view, reason)
    found = chooser.look(view)
    return Hint(found.likely[:TOLD], found.win_share, "")


def _searched_hint(view: View[Any], reason: str) -> Hint:
    choice = LevelBot(SEARCHES).choose(view, simulations=SOME_SIMULATIONS)
    considered = choice.reasons.considered
    visits = sum(each.visits for each in considered)
    if not visits:  # on a whim: then nothing is known of the others
        return Hint(((choice.action, 1.0),), None, reason)
    seat = view.seat if view.viewer is None else view.viewer
    best = tuple((each.action, each.visits / visits) for each in considered[:TOLD])
    return Hint(best, considered[0].win_share[seat or 0], reason)
