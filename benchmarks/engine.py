"""How fast the engine is, beside OpenSpiel's C++ in the same run: `python3 dev.py bench engine`.

Both play random games on one core. OpenSpiel's are connect_four rollouts inside its own MCTSBot (one search whose
evaluator makes all the rollouts, so no Python stands between two plies); their length is the mean of random games
played through its Python interface. A ply of Cronberg is a whole turn: drawing and placing a rhomb counts once.

Rounds are interleaved and the best of each side counts, so that a busy moment hurts neither. Where a GPU is found, the
same kernels are run there too, and their games compared one by one with the CPU's.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

ROUNDS = 5
CPU_GAMES = 400_000
OPEN_SPIEL_ROLLOUTS = 100_000
OPEN_SPIEL_LENGTH_GAMES = 20_000
GPU_GAMES = 1 << 23
COMPARED_GAMES = 1_000_000
BAR = 6.0
GPU_BAR = 1e9


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


# ---- CPU, beside OpenSpiel


def compare_with_open_spiel(players: int) -> None:
    """Interleaved rounds of both, and their ratio."""
    ours, theirs = cronberg_round(players), open_spiel_round()
    results = [(ours(), theirs()) for _ in range(ROUNDS)]
    best_ours, best_theirs = (max(column) for column in zip(*results, strict=True))
    ratio = best_ours / best_theirs
    print(f"OpenSpiel connect_four   {best_theirs / 1e6:8.2f} million plies/s")
    print(f"Cronberg, {players} players      {best_ours / 1e6:8.2f} million plies/s")
    print(f"ratio                    {ratio:8.2f}   (bar: {BAR:.0f}; {'reached' if ratio >= BAR else 'MISSED'})")


def cronberg_round(players: int) -> Callable[[], float]:
    """A round of random games on the CPU; plies a second."""
    playout, board, start = engine(players)
    from embertown.games.batch import play_batch_on_cpu

    play_batch_on_cpu(playout, board, start, 100, 0)

    def play() -> float:
        began = time.perf_counter()
        turns = play_batch_on_cpu(playout, board, start, CPU_GAMES, 1).turns.sum()
        return float(turns) / (time.perf_counter() - began)

    return play


def engine(players: int) -> tuple[object, np.record, np.record]:
    """Playouts, board and start of cronberg-1726, from the kernels' own modules: they need NumPy and numba only."""
    import tomllib
    from importlib.resources import files

    from embertown.cronberg import playout, rules
    from embertown.cronberg.board import Board

    edition = tomllib.loads(files("embertown.cronberg").joinpath("editions/cronberg-1726.toml").read_text("utf-8"))
    rhombi = {name: (rhomb["count"], rhomb["numbers"]) for name, rhomb in edition["rhombi"].items()}
    board = Board(edition["board"]["triangles"], edition["board"]["tokens"], rhombi).arrays
    start = np.zeros(1, rules.POSITION)[0]
    rules.set_up(board, start, players, 0)
    return playout, board, start


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
    """Cold compile and warm import, each in a process of its own."""
    code = (
        "import time; began = time.perf_counter(); import embertown; from embertown.games.batch import play_batch;"
        "state = embertown.load('cronberg').start(seed=1); state.play('draw'); state.play(state.legal_actions[0]);"
        "state.record().replay(); play_batch(state.game, 10, 1); print(time.perf_counter() - began)"
    )
    with tempfile.TemporaryDirectory() as folder:
        seconds = [timed(code, EMBERTOWN_CACHE=folder) for _ in range(4)]
    print(f"cold: import, compile, play and replay  {seconds[0]:6.2f} s (bar: 15)")
    print(f"warm: the same from the cache           {min(seconds[1:]):6.2f} s (bar: 2)")


def timed(code: str, **settings: str) -> float:
    """What a fresh process says it took."""
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **settings}, capture_output=True, check=True)
    return float(done.stdout)


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
    speed_on_gpu(cuda, players)
    for count in (2, 3, 4):
        compare_devices(count)


def speed_on_gpu(cuda: object, players: int) -> None:
    """Plies a second, without copying results back."""
    from embertown.games import gpu as on_gpu

    playout, board, start = engine(players)
    constants = [cuda.to_device(np.array([record])) for record in (board, start)]  # type: ignore[attr-defined]
    scores = cuda.to_device(np.zeros((GPU_GAMES, players), np.int32))  # type: ignore[attr-defined]
    turns = cuda.to_device(np.zeros(GPU_GAMES, np.int32))  # type: ignore[attr-defined]
    kernel = on_gpu.play_one_a_thread(playout, start.dtype)
    speeds = []
    for seed in range(ROUNDS + 1):  # the first one compiles
        began = time.perf_counter()
        kernel[-(-GPU_GAMES // on_gpu.THREADS_PER_BLOCK), on_gpu.THREADS_PER_BLOCK](*constants, seed, scores, turns)
        cuda.synchronize()  # type: ignore[attr-defined]
        speeds.append(int(turns.copy_to_host().sum(dtype=np.int64)) / (time.perf_counter() - began))
    best = max(speeds[1:])
    reached = "reached" if best >= GPU_BAR else "MISSED"
    print(f"GPU, {players} players           {best / 1e9:8.3f} billion plies/s   (bar: 1; {reached})")


def compare_devices(players: int) -> None:
    """A million games on both: scores and lengths, game by game and as distributions."""
    from embertown.games.batch import play_batch_on_cpu, play_batch_on_gpu

    playout, board, start = engine(players)
    on_cpu = play_batch_on_cpu(playout, board, start, COMPARED_GAMES, 7)
    on_gpu = play_batch_on_gpu(playout, board, start, COMPARED_GAMES, 7)
    equal = (on_cpu.scores == on_gpu.scores).all() and (on_cpu.turns == on_gpu.turns).all()
    summary = {
        name: {"mean score": round(float(batch.scores.mean()), 4), "mean turns": round(float(batch.turns.mean()), 4)}
        for name, batch in (("cpu", on_cpu), ("gpu", on_gpu))
    }
    print(f"{COMPARED_GAMES:,} games of {players}: equal one by one: {bool(equal)}; {json.dumps(summary)}")


if __name__ == "__main__":
    main()
