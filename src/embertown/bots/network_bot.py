"""`network`: what a trained network finds likeliest, at once; no search. Each game says how its network looks.

Where a game is unlike what the network knows it says so, and the game's search chooses. `hint` is for people who ask:
the best few, at once, by the network, by a short search with the network beside it, or by a search alone.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from embertown.bots.contract import Choice
from embertown.bots.levels import NETWORK_SEARCH, LevelBot
from embertown.bots.network import TOLD, Adviser, Look, NetworkWeights
from embertown.core.errors import UnknownGame
from embertown.core.game import View

CHOOSERS = {"cronberg": "embertown.bots.cronberg_network", "drunter": "embertown.bots.drunter_network"}
"""By game: the module that chooses, imported when its game is first played."""
SEARCHES = "master"
"""The level that chooses where the network can't …"""
SOME_SIMULATIONS = 1_000
"""… with so many simulations at most, also for hints: somebody waits for an answer at once."""


class Chooser(Protocol):
    """What a game's module offers."""

    BEST_ADVISER: Adviser
    """Who gives the best hints at once, where the network knows the game."""

    def check_view(self, view: Any) -> None:
        """Refuse a view in which its seat has nothing to choose."""

    def is_unknown(self, view: Any, network: NetworkWeights | None = None) -> str:
        """Why the network can't choose in this game; nothing where it can."""

    def choose(self, view: Any, network: NetworkWeights | None = None, *, ways: int = ...) -> Choice:
        """What the network finds likeliest, looking in so many ways, or in as many as suit the game."""

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
    """A few actions, the best first, and their shares: of the network's trust, or of a search's simulations."""
    win_share: float | None
    """The share of the win that the seat may expect, where anything is known of it."""
    by: Adviser
    """Who says so."""
    reason: str
    """Why it is a search alone; nothing where the network knows the game."""


def hint(view: View[Any], simulations: int = SOME_SIMULATIONS) -> Hint:
    """The best few, by the game's best adviser, or by a search alone where the network does not know the game.

    A search makes so many simulations at most, always with the same seed: the same view, the same hint.

    >>> import embertown
    >>> view = embertown.load("cronberg", 2).start(seed=7, first=0).view(0)
    >>> found = hint(view)
    >>> found.best[0][0] == embertown.bot("network").choose(view).action, found.by
    (True, 'network')
    >>> hint(embertown.load("drunter", 2).start(seed=7, first=0).view(0), simulations=50).by
    'both'
    """
    chooser = chooser_of(view.game.name)
    chooser.check_view(view)
    reason = chooser.is_unknown(view)
    by: Adviser = "search" if reason else chooser.BEST_ADVISER
    legal = view.legal_actions
    if len(legal) == 1:
        return Hint(((legal[0], 1.0),), None, by, reason)
    if by == "network":
        found = chooser.look(view)
        return Hint(found.likely[:TOLD], found.win_share, by, reason)
    choice = LevelBot(NETWORK_SEARCH if by == "both" else SEARCHES).choose(view, simulations=simulations)
    return Hint(_tried_most(choice), _expected(view, choice), by, reason)


def _tried_most(choice: Choice) -> tuple[tuple[int, float], ...]:
    """The best few by how often a search tried them; the chosen one alone where that weighs nothing, as when solved."""
    considered = choice.reasons.considered
    visits = sum(each.visits for each in considered)
    if choice.reasons.exact or not visits:
        return ((choice.action, 1.0),)
    return tuple((each.action, each.visits / visits) for each in considered[:TOLD])


def _expected(view: View[Any], choice: Choice) -> float | None:
    """The seat's share of the win after what was chosen; None where the search does not say."""
    seat = view.seat if view.viewer is None else view.viewer
    shares = choice.reasons.win_share
    return shares[seat or 0] if shares else None
