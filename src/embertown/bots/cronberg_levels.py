"""The levels at Cronberg, set by measurement (docs/bots.md)."""

from __future__ import annotations

from embertown.bots.budget import Clock
from embertown.bots.contract import Bot
from embertown.bots.cronberg_network import NetworkEvaluator, is_unknown
from embertown.bots.cronberg_player import CronbergPlayer, Endgame
from embertown.bots.cronberg_policy import (
    AROUND,
    DRAWING,
    DRIFT,
    DRIFT_ACTIVE,
    GUARD,
    KEEP,
    KEEP_ACTIVE,
    OTHERS,
    PARK,
    WORTH,
)
from embertown.bots.cronberg_search import CronbergSearch, SearchSettings
from embertown.bots.levels import NETWORK_SEARCH, WITHOUT_NETWORK, Level
from embertown.bots.network_search import NetworkSearch
from embertown.bots.overlooking import Overlooking

EAGERNESS = 5.0
"""By how much somebody new to the game overrates drawing, in points: a new rhomb is always exciting."""


def at_face_value() -> tuple[float, ...]:
    """What somebody new to the game knows: a token is worth the numbers that point at it.

    Not what may still come there, nor guards and parks that may still act, nor what a placement does to the others.

    >>> at_face_value()[KEEP], at_face_value()[OTHERS]
    (1.0, 0.0)
    """
    weights = WORTH.copy()
    for keep, drift in ((KEEP, DRIFT), (KEEP_ACTIVE, DRIFT_ACTIVE)):
        weights[keep : keep + AROUND] = 1.0
        weights[drift : drift + AROUND] = 0.0
    weights[[GUARD, PARK, OTHERS]] = 0.0
    weights[DRAWING] += EAGERNESS
    return tuple(weights.tolist())


SETTINGS = {
    "apprentice": SearchSettings(weights=at_face_value(), nodes=1 << 12, edges=1 << 16),
    "journeyman": SearchSettings(nodes=1 << 12, edges=1 << 16),
    "foreman": SearchSettings(nodes=1 << 12, edges=1 << 16),
    "master": SearchSettings(),
    "grandmaster": SearchSettings(),
}
SIMULATIONS = {"apprentice": 80, "journeyman": 100, "foreman": 150, "master": 4_000}
OVERLOOKED = {"apprentice": 0.4, "journeyman": 0.3}
"""Who overlooks what share of the actions that its search found."""
ENDGAMES = {"master": Endgame(rhombi=2, share=0.75, widening=False), "grandmaster": Endgame(patience=4.0)}
"""Who solves the end of the game."""
SECONDS = {"grandmaster": 2.0}
"""Who thinks for so long, and at the end of the game for as long as its patience lasts."""

WITH_NETWORK = {
    2: SearchSettings(ask_at=16, batch=8, trust=1.0, exploration=4.0),
    3: SearchSettings(ask_at=64, trust=0.5),
    4: SearchSettings(ask_at=64, trust=0.5),
}
"""How a search thinks that a network helps, by number of players.

The network for two plays about as well as a search does, so that its opinion takes the place of the search's own.
"""
BOLDNESS = 1.0
"""A network's opinions are taken as they are; less would flatten them (`NetworkEvaluator`)."""
BEST = "grandmaster"
WHAT_IS_BEST = NETWORK_SEARCH
"""What `grandmaster` is: measured beside `WITHOUT_NETWORK`, in the same time (docs/bots.md)."""


def level(name: str, clock: Clock) -> Level:
    """A level by its name; there is nothing to believe at Cronberg."""
    meant = WHAT_IS_BEST if name == BEST else name.removesuffix("-without-beliefs")
    if meant in (NETWORK_SEARCH, WITHOUT_NETWORK):
        alone, judge = _best(name, clock, SETTINGS[BEST], None), NetworkEvaluator(boldness=BOLDNESS)
        helped = {players: _best(name, clock, settings, judge) for players, settings in WITH_NETWORK.items()}
        return Level(alone if meant == WITHOUT_NETWORK else NetworkSearch(name, helped, alone, is_unknown))
    player: Bot = CronbergSearch(SETTINGS[meant], name=name, clock=clock)
    if meant in ENDGAMES:
        player = CronbergPlayer(SETTINGS[meant], ENDGAMES[meant], name=name, clock=clock)
    if meant in OVERLOOKED:
        player = Overlooking(player, OVERLOOKED[meant])
    return Level(player, SIMULATIONS[meant])


def _best(name: str, clock: Clock, settings: SearchSettings, judge: NetworkEvaluator | None) -> Bot:
    """The grandmaster, with a network beside its search or without; the end of the game is solved in any case."""
    return CronbergPlayer(settings, ENDGAMES[BEST], evaluator=judge, seconds=SECONDS[BEST], name=name, clock=clock)
