"""The levels at Cronberg, set by measurement (docs/bots.md)."""

from __future__ import annotations

from embertown.bots.budget import Clock
from embertown.bots.contract import Bot
from embertown.bots.cronberg_network import NetworkEvaluator, is_unknown
from embertown.bots.cronberg_player import CronbergPlayer, Endgame
from embertown.bots.cronberg_search import CronbergSearch, SearchSettings
from embertown.bots.levels import NETWORK_SEARCH, WITHOUT_NETWORK, Level
from embertown.bots.network_search import NetworkSearch

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

WITH_NETWORK = SearchSettings(ask_at=64, trust=0.5)
"""How a search thinks that a network helps …"""
BOLDNESS = 0.5
"""… whose opinions are flattened so (`NetworkEvaluator`)."""
BEST = "grandmaster"
WHAT_IS_BEST = WITHOUT_NETWORK
"""What `grandmaster` is: `NETWORK_SEARCH` once that is measured to be stronger in the same time (docs/bots.md)."""


def level(name: str, clock: Clock) -> Level:
    """A level by its name; there is nothing to believe at Cronberg."""
    meant = WHAT_IS_BEST if name == BEST else name.removesuffix("-without-beliefs")
    if meant in (NETWORK_SEARCH, WITHOUT_NETWORK):
        alone = _best(name, clock, None)
        helped = _best(name, clock, NetworkEvaluator(boldness=BOLDNESS))
        return Level(alone if meant == WITHOUT_NETWORK else NetworkSearch(name, helped, alone, is_unknown))
    player: Bot = CronbergSearch(SETTINGS[meant], name=name, clock=clock)
    if meant in ENDGAMES:
        player = CronbergPlayer(SETTINGS[meant], ENDGAMES[meant], name=name, clock=clock)
    return Level(player, SIMULATIONS[meant])


def _best(name: str, clock: Clock, judge: NetworkEvaluator | None) -> Bot:
    """The grandmaster, with a network beside its search or without; the end of the game is solved in any case."""
    settings = SETTINGS[BEST] if judge is None else WITH_NETWORK
    return CronbergPlayer(settings, ENDGAMES[BEST], evaluator=judge, seconds=SECONDS[BEST], name=name, clock=clock)
