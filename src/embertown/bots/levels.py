"""The levels: bots that search, from one that a child can beat to the best there is.

How long each thinks and what it overlooks is set for each game, by measurement (`cronberg_levels`, `drunter_levels`).

>>> level_names()
('apprentice', 'journeyman', 'foreman', 'master', 'grandmaster')
>>> LevelBot("master").name
'master'
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from embertown.bots.budget import Clock
from embertown.bots.contract import Bot, Choice
from embertown.core.errors import UnknownBot, UnknownGame
from embertown.core.game import View

SEARCHES = {"cronberg": "embertown.bots.cronberg_levels", "drunter": "embertown.bots.drunter_levels"}
"""By game: the module with its levels, imported when the game is first played."""

NETWORK_SEARCH, WITHOUT_NETWORK = "network-search", "grandmaster-without-network"
"""`grandmaster` with a network beside its search, and without: in each game it is what proved better."""
MEASURES = ("master-without-beliefs", NETWORK_SEARCH, WITHOUT_NETWORK)
"""Levels with something left out or put in, to measure what it is worth."""

LEVELS = {
    "apprentice": "plays like somebody in their third game: sees what is good at once, and overlooks much",
    "journeyman": "knows what matters, but still overlooks things",
    "foreman": "thinks a little, and makes no gross mistakes",
    "master": "thinks ahead at every move, and plays the end of the game well",
    "grandmaster": "the best there is, at about two seconds a move on one core",
}
"""The levels, the weakest first, and what each is in a few words."""


class Level(NamedTuple):
    """A level at one game: its search, and how long it thinks where not told, or else what suits the search."""

    search: Bot
    simulations: int | None = None
    seconds: float | None = None


class Levels(Protocol):
    """What a game's module of levels offers."""

    def level(self, name: str, clock: Clock) -> Level:
        """A level by its name."""


def level_names() -> tuple[str, ...]:
    """The levels, the weakest first."""
    return tuple(LEVELS)


class LevelBot:
    """A level at both games."""

    def __init__(self, name: str, clock: Clock = time.monotonic) -> None:
        if name not in (*LEVELS, *MEASURES):
            raise UnknownBot(name, (*LEVELS, *MEASURES))
        self.name, self.clock = name, clock

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """An action for the view's seat; where no budget is given, the level's own."""
        if view.game.name not in SEARCHES:
            raise UnknownGame(view.game.name, SEARCHES)
        module: Levels = import_module(SEARCHES[view.game.name])
        level = module.level(self.name, self.clock)
        if seconds is None and simulations is None:
            seconds, simulations = level.seconds, level.simulations
        return level.search.choose(view, seconds=seconds, simulations=simulations, seed=seed)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


def apprentice(clock: Clock = time.monotonic) -> LevelBot:
    """The level for a first opponent."""
    return LevelBot("apprentice", clock)


def journeyman(clock: Clock = time.monotonic) -> LevelBot:
    """The level for players who know the game."""
    return LevelBot("journeyman", clock)


def foreman(clock: Clock = time.monotonic) -> LevelBot:
    """The level for players who seldom overlook anything."""
    return LevelBot("foreman", clock)


def master(clock: Clock = time.monotonic) -> LevelBot:
    """The level for players who know it well."""
    return LevelBot("master", clock)


def master_without_beliefs(clock: Clock = time.monotonic) -> LevelBot:
    """`master` to whom the others' play says nothing about their cards: a measure for what beliefs are worth."""
    return LevelBot("master-without-beliefs", clock)


def network_search(clock: Clock = time.monotonic) -> LevelBot:
    """`grandmaster` with a network beside its search: a measure for what that is worth."""
    return LevelBot(NETWORK_SEARCH, clock)


def grandmaster_without_network(clock: Clock = time.monotonic) -> LevelBot:
    """`grandmaster` whose search has no network beside it: the other side of that measure."""
    return LevelBot(WITHOUT_NETWORK, clock)


def grandmaster(clock: Clock = time.monotonic) -> LevelBot:
    """The best there is."""
    return LevelBot("grandmaster", clock)
