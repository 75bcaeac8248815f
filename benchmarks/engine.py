"""How fast the engines are, beside OpenSpiel's C++ in the same run: `python3 dev.py bench engine`.

All play random games on one core. OpenSpiel's are connect_four rollouts inside its own MCTSBot (one search whose
evaluator makes all the rollouts, so no Python stands between two plies); their length is the mean of random games
played through its Python interface. A ply of Cronberg is a whole turn: drawing and placing a rhomb counts once. A ply
of Drunter & Drüber is a decision: a tile, a pass, a vote card, a word on Jeeiin. Its deals are part of the games.

Rounds are interleaved and the best of each side counts, so that a busy moment hurts neither. Where a GPU is found, the
same kernels are run there too, and their games compared one by one with the CPU's.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

ROUNDS = 5
CPU_GAMES = 200_000
OPEN_SPIEL_ROLLOUTS = 100_000
OPEN_SPIEL_LENGTH_GAMES = 20_000
GPU_GAMES = 1 << 22
COMPARED_GAMES = 1_000_000
BARS = {"cronberg": 6.0, "drunter": 2.0}
GPU_BARS = {"cronberg": 1e9}


class Engine(NamedTuple):
    """What a batch needs: the game's playouts, its board's arrays, the start of every game."""

    playout: Any
    board: np.record
    start: np.record


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpu-only", action="store_true", help="leave OpenSpiel and the start-up times out")
    parser.add_argument("--players", type=int, default=2)
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, {time.strftime('%Y-%m-%d')}")
    if not options.gpu_only:
        compare_with_open_spiel(options.players)
        start_up()
    gpu(options.players)


# ---- the engines, from the kernels' own modules: they need NumPy and numba only


def cronberg(players: int, edition: str = "cronberg-1726") -> Engine:
    """Cronberg, the empty board."""
    from embertown.cronberg import playout, rules
    from embertown.cronberg.board import Board

    data = toml("cronberg", edition)
    rhombi = {name: (rhomb.get("count", 1), rhomb["numbers"]) for name, rhomb in data["rhombi"].items()}
    board = Board(data["board"]["triangles"], data["board"]["tokens"], rhombi).arrays
    start = np.zeros(1, rules.POSITION)[0]
    rules.set_up(board, start, players, 0)
    return Engine(playout, board, start)


def drunter(players: int, edition: str = "schilda", **options: bool) -> Engine:
    """Drunter & Drüber, before the deal."""
    from embertown.drunter import playout, rules
    from embertown.drunter.board import Board

    data = toml("drunter", edition)
    board = Board([line.split() for line in data["board"]["squares"].strip().splitlines()], data["tiles"]).arrays
    start = np.zeros(1, rules.POSITION)[0]
    start.players = players
    start.objectives[:] = start.chosen[:] = rules.UNKNOWN
    for name, value in options.items():
        start[name] = value
    return Engine(playout, board, start)


ENGINES: dict[str, Callable[[int], Engine]] = {"cronberg": cronberg, "drunter": drunter}


def toml(game: str, edition: str) -> dict[str, Any]:
    """An edition that ships, as it stands in its file."""
    return tomllib.loads(files(f"embertown.{game}").joinpath(f"editions/{edition}.toml").read_text("utf-8"))


# ---- CPU, beside OpenSpiel


def compare_with_open_spiel(players: int) -> None:
    """Interleaved rounds of all, and the ratios."""
    theirs = open_spiel_round()
    ours = {name: cpu_round(engine(players)) for name, engine in ENGINES.items()}
    results = [(theirs(), {name: play() for name, play in ours.items()}) for _ in range(ROUNDS)]
    best = max(plies for plies, _ in results)
    print(f"OpenSpiel connect_four    {best / 1e6:8.2f} million plies/s")
    for name, bar in BARS.items():
        speed = max(own[name] for _, own in results)
        reached = "reached" if speed / best >= bar else "MISSED"
        print(f"{name:9} {players} players       {speed / 1e6:8.2f} million plies/s")
        print(f"{'':9} ratio           {speed / best:8.2f}   (bar: {bar:.0f}; {reached})")


def cpu_round(engine: Engine) -> Callable[[], float]:
    """A round of random games on the CPU; plies a second."""
    from embertown.games.batch import play_batch_on_cpu

    play_batch_on_cpu(*engine, 100, 0)

    def play() -> float:
        began = time.perf_counter()
        plies = play_batch_on_cpu(*engine, CPU_GAMES, 1).turns.sum()
        return float(plies) / (time.perf_counter() - began)

    return play


def open_spiel_round() -> Callable[[], float]:
    """A round of connect_four rollouts inside MCTSBot; plies a second."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    length = mean_length(game)
    state = game.new_initial_state()

    def play() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(OPEN_SPIEL_ROLLOUTS, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, 1, False)  # one simulation: all rollouts at the root
        began = time.perf_counter()
        bot.mcts_search(state)
        return OPEN_SPIEL_ROLLOUTS * length / (time.perf_counter() - began)

    return play


def mean_length(game: object) -> float:
    """How many plies a random game of connect_four takes."""
    chance = np.random.default_rng(1)
    plies = 0
    for _ in range(OPEN_SPIEL_LENGTH_GAMES):
        state = game.new_initial_state()  # type: ignore[attr-defined]
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[chance.integers(len(legal))])
            plies += 1
    return plies / OPEN_SPIEL_LENGTH_GAMES


# ---- starting up


def start_up() -> None:
    """Cold and warm starts, each in a process of its own: importing, and the first game played and replayed."""
    for name in ENGINES:
        with tempfile.TemporaryDirectory() as folder:
            seconds = [timed(name, EMBERTOWN_CACHE=folder) for _ in range(ROUNDS + 1)]
        imported, played = (min(column) for column in zip(*seconds[1:], strict=True))
        print(f"{name:9} cold: import, compile, play, replay, batch  {seconds[0][1]:6.2f} s (bar: 15)")
        print(f"{name:9} warm: import                                {imported:6.2f} s (bar: 2)")
        print(f"{name:9} warm: import, play, replay, batch           {played:6.2f} s")


FIRST_GAME = """
import sys, time
began = time.perf_counter()
import embertown
from embertown.games.batch import play_batch
game = embertown.load(sys.argv[1])
print(time.perf_counter() - began)
state = game.start(seed=1)
for _ in range(4):
    state.play(state.legal_actions[-1])
state.record().replay()
play_batch(game, 10, 1)
print(time.perf_counter() - began)
"""


def timed(game: str, **settings: str) -> list[float]:
    """What a fresh process says importing took, and all of it."""
    command = [sys.executable, "-c", FIRST_GAME, game]
    done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, check=True)
    return [float(line) for line in done.stdout.split()]


# ---- GPU


def gpu(players: int) -> None:
    """The same kernels on a GPU: speed, and every game compared with the CPU's."""
    from embertown.core.jit import cuda_module

    try:
        cuda = cuda_module()
        if not cuda.is_available():
            raise RuntimeError("no CUDA device")
    except Exception as reason:  # numba-cuda raises many kinds where there is no driver
        print(f"GPU: none here ({reason})")
        return
    for name, engine in ENGINES.items():
        speed_on_gpu(cuda, name, engine(players))
    for count in (2, 3, 4):
        compare_devices(f"cronberg-1726, {count}", cronberg(count))
    compare_devices("cronberg-quarters, 3", cronberg(3, "cronberg-quarters"))
    for count in (2, 3, 4):
        compare_devices(f"drunter, {count}", drunter(count))
    compare_devices("drunter, variant, 3", drunter(3, variant=True))
    compare_devices("drunter, several cards, 4", drunter(4, several_cards=True))


def speed_on_gpu(cuda: Any, name: str, engine: Engine) -> None:
    """Plies a second, with the copying back of how long the games were."""
    from embertown.games import gpu as on_gpu

    constants = [cuda.to_device(np.array([record])) for record in (engine.board, engine.start)]
    scores = cuda.to_device(np.zeros((GPU_GAMES, int(engine.start.players)), np.int32))
    plies = cuda.to_device(np.zeros(GPU_GAMES, np.int32))
    kernel = on_gpu.play_one_a_thread(engine.playout, engine.start.dtype)
    speeds = []
    for seed in range(ROUNDS + 1):  # the first one compiles
        began = time.perf_counter()
        kernel[-(-GPU_GAMES // on_gpu.THREADS_PER_BLOCK), on_gpu.THREADS_PER_BLOCK](*constants, seed, scores, plies)
        cuda.synchronize()
        speeds.append(int(plies.copy_to_host().sum(dtype=np.int64)) / (time.perf_counter() - began))
    bar = GPU_BARS.get(name)
    against = f"   (bar: {bar / 1e9:.0f}; {'reached' if max(speeds[1:]) >= bar else 'MISSED'})" if bar else ""
    print(f"GPU {name:9}             {max(speeds[1:]) / 1e9:8.3f} billion plies/s{against}")


def compare_devices(name: str, engine: Engine) -> None:
    """A million games on both: scores and lengths, game by game and as distributions."""
    from embertown.games.batch import play_batch_on_cpu, play_batch_on_gpu

    cpu, card = (play(*engine, COMPARED_GAMES, 7) for play in (play_batch_on_cpu, play_batch_on_gpu))
    equal = bool((cpu.scores == card.scores).all() and (cpu.turns == card.turns).all())
    means = [(round(float(batch.scores.mean()), 4), round(float(batch.turns.mean()), 4)) for batch in (cpu, card)]
    print(f"{COMPARED_GAMES:,} games of {name}: equal one by one: {equal}")
    print(f"    mean score and plies: CPU {means[0]}, GPU {means[1]}")


if __name__ == "__main__":
    main()
