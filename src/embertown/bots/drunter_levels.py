"""The levels at Drunter & Drüber, set by measurement (docs/bots.md)."""

from __future__ import annotations

from dataclasses import replace

from embertown.bots.budget import Clock
from embertown.bots.drunter_network import is_unknown, prior
from embertown.bots.drunter_search import DrunterSearch, SearchSettings
from embertown.bots.levels import NETWORK_SEARCH, WITHOUT_NETWORK, Level
from embertown.bots.network_search import NetworkSearch

SETTINGS = {
    "apprentice": SearchSettings(temperature=2.0, blunders=0.2, slots=1 << 12),
    "journeyman": SearchSettings(slots=1 << 12),
    "master": SearchSettings(),
    "grandmaster": SearchSettings(),
}
SIMULATIONS = {"apprentice": 30, "journeyman": 150, "master": 3_000}
SECONDS = {"grandmaster": 2.0}


BEST = "grandmaster"
WHAT_IS_BEST = WITHOUT_NETWORK
"""What `grandmaster` is: `NETWORK_SEARCH` once that is measured to be stronger in the same time (docs/bots.md)."""


def level(name: str, clock: Clock) -> Level:
    """A level by its name."""
    meant = WHAT_IS_BEST if name == BEST else name
    if meant in (NETWORK_SEARCH, WITHOUT_NETWORK):
        alone, helped = DrunterSearch(SETTINGS[BEST], clock), DrunterSearch(SETTINGS[BEST], clock, prior)
        best = alone if meant == WITHOUT_NETWORK else NetworkSearch(name, helped, alone, is_unknown)
        return Level(best, seconds=SECONDS[BEST])
    known = name.removesuffix("-without-beliefs")
    settings = replace(SETTINGS[known], beliefs=known == name)
    return Level(DrunterSearch(settings, clock=clock), SIMULATIONS[known])
