"""The levels at Drunter & Drüber, set by measurement (docs/bots.md)."""

from __future__ import annotations

from dataclasses import replace

from embertown.bots.budget import Clock
from embertown.bots.contract import Bot
from embertown.bots.drunter_network import is_unknown, prior
from embertown.bots.drunter_policy import Temper
from embertown.bots.drunter_search import DrunterSearch, SearchSettings
from embertown.bots.levels import NETWORK_SEARCH, WITHOUT_NETWORK, Level
from embertown.bots.network_search import NetworkSearch
from embertown.bots.overlooking import Overlooking
from embertown.drunter.rules import MAX_PLAYERS, MIN_PLAYERS

NAIVE = Temper(heat=3.0, caution=0.3, nearness=0.0)
"""Somebody new to the game: eager to bury, vague about what that is worth, blind for what a gang comes near."""

SETTINGS = {
    "apprentice": SearchSettings(temper=NAIVE, beliefs=False, slots=1 << 12),
    "journeyman": SearchSettings(slots=1 << 12),
    "foreman": SearchSettings(slots=1 << 12),
    "master": SearchSettings(),
    "grandmaster": SearchSettings(),
}
SIMULATIONS = {"apprentice": 60, "journeyman": 150, "foreman": 400, "master": 3_000}
OVERLOOKED = {"apprentice": 0.5, "journeyman": 0.33}
"""Who overlooks what share of the actions that its search found."""
SECONDS = {"grandmaster": 2.0}


BEST = "grandmaster"
WHAT_IS_BEST = NETWORK_SEARCH
"""What `grandmaster` is: measured beside `WITHOUT_NETWORK`, in the same time (docs/bots.md)."""


def level(name: str, clock: Clock) -> Level:
    """A level by its name."""
    meant = WHAT_IS_BEST if name == BEST else name
    if meant in (NETWORK_SEARCH, WITHOUT_NETWORK):
        alone, helped = DrunterSearch(SETTINGS[BEST], clock), DrunterSearch(SETTINGS[BEST], clock, prior)
        by_players = dict.fromkeys(range(MIN_PLAYERS, MAX_PLAYERS + 1), helped)
        best = alone if meant == WITHOUT_NETWORK else NetworkSearch(name, by_players, alone, is_unknown)
        return Level(best, seconds=SECONDS[BEST])
    known = name.removesuffix("-without-beliefs")
    settings = SETTINGS[known] if known == name else replace(SETTINGS[known], beliefs=False)
    player: Bot = DrunterSearch(settings, clock=clock)
    if known in OVERLOOKED:
        player = Overlooking(player, OVERLOOKED[known])
    return Level(player, SIMULATIONS[known])
