"""The levels at Cronberg, set by measurement (docs/bots.md)."""

from __future__ import annotations

from embertown.bots.budget import Clock
from embertown.bots.contract import Bot
from embertown.bots.cronberg_player import CronbergPlayer, Endgame
from embertown.bots.cronberg_search import CronbergSearch, SearchSettings
from embertown.bots.levels import Level

SETTINGS = {
    "apprentice": SearchSettings(sharpness=0.1, temperature=1.0, nodes=1 << 12, edges=1 << 16),
    "journeyman": SearchSettings(nodes=1 << 12, edges=1 << 16),
    "master": SearchSettings(),
    "grandmaster": SearchSettings(),
}
SIMULATIONS = {"apprentice": 60, "journeyman": 150, "master": 4_000}
ENDGAMES = {"master": Endgame(rhombi=2, share=0.75, widening=False), "grandmaster": Endgame(patience=4.0)}
"""Who solves the end of the game."""
SECONDS = {"grandmaster": 2.0}
"""Who thinks for so long, and at the end of the game for as long as its patience lasts."""


def level(name: str, clock: Clock) -> Level:
    """A level by its name; there is nothing to believe at Cronberg."""
    name = name.removesuffix("-without-beliefs")
    player: Bot = CronbergSearch(SETTINGS[name], name=name, clock=clock)
    if name in ENDGAMES:
        player = CronbergPlayer(SETTINGS[name], ENDGAMES[name], seconds=SECONDS.get(name), name=name, clock=clock)
    return Level(player, SIMULATIONS.get(name))
