"""Many games at once, on the CPU or on a GPU, with the same kernels.

A batch is decided by its seed alone: game number i of a batch is the same on every device.

>>> from embertown.games import load
>>> batch = play_batch(load("cronberg", players=2), games=3, seed=1)
>>> batch.scores.shape, int(batch.turns.min()) > 20
((3, 2), True)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from embertown.core.errors import BadArgument

MAX_SEED = 2**31
MAX_GAMES = 2**31
DEVICES = ("cpu", "gpu")


class Batch(NamedTuple):
    """How the games of a batch ended: scores by game and seat, turns by game."""

    scores: np.ndarray
    turns: np.ndarray


def play_batch(game: Any, games: int, seed: int, device: str = "cpu") -> Batch:
    """Play games to their ends with random legal actions; on a GPU one game a thread."""
    if not 0 <= seed < MAX_SEED:
        raise BadArgument(f"seed is {seed}; right would be: 0 to {MAX_SEED - 1}")
    if not 1 <= games < MAX_GAMES:
        raise BadArgument(f"games is {games}; right would be: 1 to {MAX_GAMES - 1}")
    if device not in DEVICES:
        raise BadArgument(f"device is {device!r}; right would be: {' or '.join(DEVICES)}")
    start = game.batch_start()
    play = play_batch_on_cpu if device == "cpu" else play_batch_on_gpu
    return play(game.playout, game.board.arrays, start, games, seed)


def play_batch_on_cpu(playout: Any, board: np.record, start: np.record, games: int, seed: int) -> Batch:
    """One core, one game after the other."""
    scores, turns = _results(start, games)
    playout.play_many(board, start, np.zeros(1, start.dtype), seed, scores, turns)
    return Batch(scores, turns)


def play_batch_on_gpu(playout: Any, board: np.record, start: np.record, games: int, seed: int) -> Batch:
    """One game a thread; the kernels are those of the CPU."""
    from embertown.games.gpu import launch

    return Batch(*launch(playout, board, start, seed, *_results(start, games)))


def _results(start: np.record, games: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((games, int(start.players)), np.int32), np.zeros(games, np.int32)
