"""What a network is worth to the searches: combinations against the search alone: `python3 dev.py bench networks`.

    python3 dev.py bench networks cronberg network ask_at=64,trust=0.5,boldness=0.5 playouts=16,value_trust=0.5
    python3 dev.py bench networks drunter network trust=0.5 --players 4

A combination is settings of the search (`SearchSettings`) with a network beside it, and for Cronberg `boldness`;
`network` is the network without a search, `network,ways=6` one that looks at the board in so many ways, and a level's
name that level. One of it plays among `--others`, searches without a network if nothing else is said, from every seat
on the same shuffles. All have as many of the processor's seconds for a move (or the others `--others-seconds`), so that
a busy machine hurts nobody more than others; set OPENBLAS_NUM_THREADS=1. Intervals are of 95 %, by Wilson. After new
weights were dropped in, this says what `WITH_NETWORK` and `BOLDNESS` in `cronberg_levels`, `WAYS` in
`cronberg_network`, the default of `SearchSettings.trust` in `drunter_search`, and `WHAT_IS_BEST` in
both games' levels should be.

The bars of a network alone are

    python3 dev.py bench networks cronberg network --others master --others-seconds 2
    python3 dev.py bench networks drunter network --others master --others-seconds 1
    python3 dev.py bench networks drunter network --others master --others-seconds 1 --players 4
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import fields
from typing import Any

import embertown
from embertown.arena.figures import wilson
from embertown.bots.contract import Bot, Choice
from embertown.bots.levels import LEVELS, MEASURES, WITHOUT_NETWORK, LevelBot
from embertown.core.chance import derived_seed
from embertown.core.errors import EmbertownError

NETWORK, WAYS, BOLDNESS = "network", "ways", "boldness"
KNOWN = (*LEVELS, *MEASURES)


def main() -> None:
    """Play the games of every combination, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=["cronberg", "drunter"])
    parser.add_argument("combinations", nargs="+", metavar="NAME=VALUE[,NAME=VALUE…]")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--others", choices=KNOWN, default=WITHOUT_NETWORK, help="the level that the others play")
    parser.add_argument("--others-seconds", type=float, help="the others', if not as many")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.others_seconds = options.others_seconds or options.seconds
    print("| game | players | combination | s | the others | s | games | wins | 95 % |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for combination in options.combinations:
        try:
            won = measure(combination, options)
        except EmbertownError as problem:
            sys.exit(f"{combination}: {problem}")
        low, high = wilson(won, options.games)
        times = f"{options.seconds:g} | `{options.others}` | {options.others_seconds:g}"
        told = f"{times} | {options.games} | **{won / options.games:.1%}** | {low:.1%} to {high:.1%} |"
        print(f"| {options.game} | {options.players} | `{combination}` | {told}", flush=True)


def measure(combination: str, options: argparse.Namespace) -> float:
    """How many games one wins among the others; who win together share it."""
    game, won = embertown.load(options.game, options.players), 0.0
    bots = [player(options.game, combination), player(options.game, options.others)]
    for number in range(options.games):
        own = number % options.players
        shuffle = derived_seed(options.seed, "shuffle", number // options.players)
        state: Any = game.start(seed=shuffle, first=0)
        while state.seat is not None:
            seat = state.seat
            seconds = options.seconds if seat == own else options.others_seconds
            choice = bots[seat != own].choose(state.view(seat), seconds=seconds, seed=number)
            state.play(choice.action, seat)
        winners = state.outcome.winners
        won += (own in winners) / len(winners)
        print(f"\r{combination}: {won:g} of {number + 1}", end=" ", file=sys.stderr)
    print(file=sys.stderr)
    return won


def player(game: str, combination: str) -> Bot:
    """The network alone, a level, or a search with these settings and a network beside it."""
    if combination in KNOWN:
        return LevelBot(combination, clock=time.process_time)
    first, *rest = combination.split(",")
    if first == NETWORK:
        return Alone(game, **settings_from(rest, {WAYS}))
    return (cronberg_player if game == "cronberg" else drunter_player)([first, *rest])


def settings_from(parts: list[str], known: set[str]) -> dict[str, Any]:
    """Settings from words like ask_at=64."""
    found: dict[str, Any] = {}
    for part in parts:
        name, _, value = part.partition("=")
        if name not in known:
            sys.exit(f"{part} is nothing that can be set here; right would be: {', '.join(sorted(known))}")
        found[name] = int(value) if value.isdecimal() else float(value)
    return found


class Alone:
    """The network without a search, looking at the board in so many ways."""

    name = NETWORK

    def __init__(self, game: str, **ways: int) -> None:
        from embertown.bots.network_bot import chooser_of

        self.chooser, self.ways = chooser_of(game), ways

    def choose(self, view: Any, **_budget: Any) -> Choice:
        """The likeliest action, whatever the budget."""
        return self.chooser.choose(view, **self.ways)


def cronberg_player(parts: list[str]) -> Bot:
    """The end of the game is solved in any case."""
    from embertown.bots.cronberg_levels import BEST, ENDGAMES
    from embertown.bots.cronberg_network import NetworkEvaluator
    from embertown.bots.cronberg_player import CronbergPlayer
    from embertown.bots.cronberg_search import SearchSettings

    settings = settings_from(parts, {*(each.name for each in fields(SearchSettings)), BOLDNESS})
    judge = NetworkEvaluator(boldness=settings.pop(BOLDNESS, 1.0))
    return CronbergPlayer(SearchSettings(**settings), ENDGAMES[BEST], evaluator=judge, clock=time.process_time)


def drunter_player(parts: list[str]) -> Bot:
    """The network's opinion counts at the root."""
    from embertown.bots.drunter_network import prior
    from embertown.bots.drunter_search import DrunterSearch, SearchSettings

    settings = settings_from(parts, {each.name for each in fields(SearchSettings)})
    return DrunterSearch(SearchSettings(**settings), time.process_time, prior)


if __name__ == "__main__":
    main()
