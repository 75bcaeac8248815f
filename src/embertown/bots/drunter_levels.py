"""The levels at Drunter & Drüber, set by measurement (docs/bots.md)."""

from __future__ import annotations

from dataclasses import replace

from embertown.bots.budget import Clock
from embertown.bots.drunter_search import DrunterSearch, SearchSettings
from embertown.bots.levels import Level

SETTINGS = {
    "apprentice": SearchSettings(temperature=2.0, blunders=0.2, slots=1 << 12),
    "journeyman": SearchSettings(slots=1 << 12),
    "master": SearchSettings(),
    "grandmaster": SearchSettings(),
}
SIMULATIONS = {"apprentice": 30, "journeyman": 150, "master": 3_000}
SECONDS = {"grandmaster": 2.0}


def level(name: str, clock: Clock) -> Level:
    """A level by its name."""
    known = name.removesuffix("-without-beliefs")
    settings = replace(SETTINGS[known], beliefs=known == name)
    return Level(DrunterSearch(settings, clock=clock), SIMULATIONS.get(known), SECONDS.get(known))
