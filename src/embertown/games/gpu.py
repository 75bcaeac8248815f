"""A batch on a GPU: one game a thread, with the kernels of the CPU.

Importing this module imports numba's CUDA target; `embertown.games.batch` does so only when a GPU is asked for.
`cuda` is a name of this module, and not an argument, because numba's simulator exchanges it there.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from embertown.core.jit import cuda_module, stream_seed

cuda = cuda_module()

THREADS_PER_BLOCK = 128


def launch(
    playout: Any, board: np.record, start: np.record, seed: int, scores: np.ndarray, turns: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Play as many games as `turns` has room for; their scores and turns."""
    constants = cuda.to_device(np.array([board])), cuda.to_device(np.array([start]))
    results = cuda.to_device(scores), cuda.to_device(turns)
    blocks = -(-turns.size // THREADS_PER_BLOCK)
    play_one_a_thread(playout, start.dtype)[blocks, THREADS_PER_BLOCK](*constants, seed, *results)
    return results[0].copy_to_host(), results[1].copy_to_host()


@cache
def play_one_a_thread(playout: Any, record: np.dtype[Any]) -> Any:
    """The kernel of a game's playouts: every thread keeps its position in memory of its own."""
    play_one = playout.play_one

    def play(board: Any, start: Any, seed: int, scores: Any, turns: Any) -> None:
        index = cuda.grid(1)
        if index < turns.size:
            work = cuda.local.array(1, record)
            work[0] = start[0]
            turns[index] = play_one(board[0], start[0], work[0], np.uint64(stream_seed(seed, index)))
            for seat in range(scores.shape[1]):
                scores[index, seat] = work[0].scores[seat]

    return cuda.jit(play)
