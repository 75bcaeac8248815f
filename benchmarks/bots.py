"""How fast Cronberg's search is, beside OpenSpiel's C++ in the same run: `python3 dev.py bench bots`.

Both search from the start position on one core. OpenSpiel's is its own MCTSBot on connect_four, one random rollout a
simulation, so that no Python stands between two simulations. Ours is the search as the bots use it: a simulation is a
way down the tree and a playout of some turns, each action the best of a few, that is judged where it stops; beside
it, for comparison, the same with every playout played to the end of the game.

Rounds are interleaved and the best of each side counts, so that a busy moment hurts neither. A round of ours is one
choice, with all that it takes: the arrays, the tree, the reasons.

Then how long the networks take for a position, by the processor's clock, in batches of different sizes; `--only
networks` measures these alone. One core: where OPENBLAS_NUM_THREADS=1 is not set, large batches use more.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable

ROUNDS = 5
SIMULATIONS = 200_000
OPEN_SPIEL_SIMULATIONS = 100_000
UCT = 2.0
MAX_MEMORY_MB = 1_000
BAR = 1.0
"""Simulations a second, as a ratio to OpenSpiel's."""
BATCHES = (1, 8, 16, 32)
NETWORK_BAR = 1.0
"""Milliseconds a position."""
EVALUATIONS = 256
NETWORKS = "networks"


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--only", choices=[NETWORKS], help="measure only this")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, {time.strftime('%Y-%m-%d')}")
    if options.only != NETWORKS:
        compare_searches(options.players)
    measure_networks(options.players)


def compare_searches(players: int) -> None:
    """Our search beside OpenSpiel's."""
    theirs = open_spiel_round()
    ours = {name: cronberg_round(players, **settings) for name, settings in SEARCHES.items()}
    results = [(theirs(), {name: search() for name, search in ours.items()}) for _ in range(ROUNDS)]
    best = max(speed for speed, _ in results)
    print(f"OpenSpiel MCTSBot, connect_four          {best:9,.0f} simulations/s")
    for name in SEARCHES:
        speed = max(own[name] for _, own in results)
        print(f"Cronberg, {players} players, {name:19} {speed:9,.0f} simulations/s, ratio {speed / best:.2f}")
    ratio = max(own["as it plays"] for _, own in results) / best
    print(f"ratio {ratio:.2f} (bar: {BAR:.0f}; {'reached' if ratio >= BAR else 'MISSED'})")


SEARCHES: dict[str, dict[str, int]] = {"as it plays": {}, "playouts to the end": {"turns": 1_000}}
"""By name: what is different from the settings that the bots use."""


def open_spiel_round() -> Callable[[], float]:
    """A round of MCTS on connect_four; simulations a second."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()

    def search() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, UCT, OPEN_SPIEL_SIMULATIONS, MAX_MEMORY_MB, False, 1, False)
        began = time.perf_counter()
        bot.mcts_search(state)
        return OPEN_SPIEL_SIMULATIONS / (time.perf_counter() - began)

    return search


def cronberg_round(players: int, **changed: int) -> Callable[[], float]:
    """A round of our search; simulations a second."""
    import embertown
    from embertown.bots.cronberg_search import CronbergSearch, SearchSettings

    view = embertown.load("cronberg", players=players).start(seed=1, first=0).view(0)
    bot = CronbergSearch(SearchSettings(stop_early=False, **changed))
    bot.choose(view, simulations=1, seed=1)

    def search() -> float:
        began = time.perf_counter()
        made = bot.choose(view, simulations=SIMULATIONS, seed=1).reasons.simulations
        return made / (time.perf_counter() - began)

    return search


def measure_networks(players: int) -> None:
    """Milliseconds for a position, all that it takes: what is seen, what is legal, the network, values by seat.

    And for a choice of Cronberg's, which looks at the board in as many ways as are worth it.
    """
    for game, judge in (("cronberg", cronberg_judge(players)), ("drunter", drunter_judge(players))):
        for batch in BATCHES if game == "cronberg" else BATCHES[:1]:
            best = min(judge(batch) for _ in range(ROUNDS)) * 1000
            told = "reached" if best < NETWORK_BAR else "MISSED"
            print(f"{game}'s network, batches of {batch:2}: {best:6.3f} ms a position (bar: {NETWORK_BAR:g}; {told})")
    best = min(cronberg_choice(players) for _ in range(ROUNDS)) * 1000
    print(f"cronberg's network, {players} players: {best:6.3f} ms a choice")


def cronberg_judge(players: int) -> Callable[[int], float]:
    """Seconds that the network takes for a position of a game played at random, the board looked at in one way."""
    import numpy as np

    import embertown
    from embertown.bots.cronberg_network import own_network, think

    state, bot, positions = embertown.load("cronberg", players=players).start(seed=1), embertown.bot("random"), []
    while state.seat is not None and len(positions) < max(BATCHES):
        positions.append(state.view(state.seat).position_array())
        state.play(bot.choose(state.view(state.seat), seed=1).action)
    together, network = np.concatenate(positions), own_network(players)

    def evaluate(batch: int) -> float:
        think(network, state.board, together[:batch])
        began = time.process_time()
        for _ in range(EVALUATIONS // batch):
            think(network, state.board, together[:batch])
        return (time.process_time() - began) / (EVALUATIONS // batch * batch)

    return evaluate


def cronberg_choice(players: int) -> float:
    """Seconds that the network takes for a choice in the middle of a game played at random."""
    import embertown
    from embertown.bots.cronberg_network import choose

    state, bot = embertown.load("cronberg", players=players).start(seed=1), embertown.bot("random")
    while len(state.log) < EVALUATIONS // 8 or len(state.legal_actions) == 1:
        state.play(bot.choose(state.view(state.seat), seed=1).action)
    view = state.view(state.seat)
    choose(view)
    began = time.process_time()
    for _ in range(EVALUATIONS // 8):
        choose(view)
    return (time.process_time() - began) / (EVALUATIONS // 8)


def drunter_judge(players: int) -> Callable[[int], float]:
    """Seconds that the network takes for a view in the middle of a game played at random, its log read anew."""
    import embertown
    from embertown.bots.drunter_network import own_network, think

    state, bot = embertown.load("drunter", players=players).start(seed=1), embertown.bot("random")
    while len(state.log) < EVALUATIONS // 8:
        state.play(bot.choose(state.view(state.seat), seed=1).action, state.seat)
    view, network = state.view(state.seat), own_network(players)

    def evaluate(_batch: int) -> float:
        think(network, view)
        began = time.process_time()
        for _ in range(EVALUATIONS):
            think(network, view)
        return (time.process_time() - began) / EVALUATIONS

    return evaluate


if __name__ == "__main__":
    main()
