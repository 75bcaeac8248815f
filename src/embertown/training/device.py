"""Self-play on a GPU: one game a thread, or a part of looking at one, with the kernels of the CPU.

Importing this module imports numba's CUDA target. `cuda` is a name of this module, and not an argument, because numba's
simulator exchanges it there.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from embertown.core.jit import cuda_module, stream_seed
from embertown.training.games import TrainingGame
from embertown.training.kernels import Batch, one_game
from embertown.training.search_kernels import one_search

cuda = cuda_module()

THREADS_PER_BLOCK = 64


def blocks(games: int) -> int:
    """So many blocks of threads for so many games."""
    return -(-games // THREADS_PER_BLOCK)


@cache
def each_game(game: TrainingGame, what: str) -> Any:
    """One of `OneGame`'s kernels, by its name, in every game."""
    one = getattr(one_game(game), what)

    def run(batch: Batch) -> None:
        index = cuda.grid(1)
        if index < batch.randoms.shape[0]:
            one(index, batch)

    return cuda.jit(run)


@cache
def each_part(game: TrainingGame, number: int) -> Any:
    """A round of looking in every game: a thread for each part, neighbours in different games at the same one."""
    one = one_game(game).looks[number]

    def run(batch: Batch) -> None:
        index, part = cuda.grid(2)
        if index < batch.randoms.shape[0]:
            one(index, part, batch)

    return cuda.jit(run)


def look(game: TrainingGame, games: int, batch: Batch) -> None:
    """Write what the seats that act see."""
    if not game.kernels.rounds:
        each_game(game, "look")[blocks(games), THREADS_PER_BLOCK](batch)
    for number, looking in enumerate(game.kernels.rounds):
        each_part(game, number)[(blocks(games), looking.parts), (THREADS_PER_BLOCK, 1)](batch)


@cache
def search_all(game: TrainingGame) -> Any:
    """One call of the search in every game."""
    search_one = one_search(game)

    def search(call, forest) -> None:  # type: ignore[no-untyped-def]
        index = cuda.grid(1)
        if index < forest.randoms.shape[0]:
            search_one(index, call, forest)

    return cuda.jit(search)


@cache
def wander_all(game: TrainingGame, position: np.dtype[Any]) -> Any:
    """Random games, each thread in memory of its own; how many ended."""
    wander_one, memory = one_game(game).wander, game.memory

    def wander(boards, starts, blank, seed, steps, ended) -> None:  # type: ignore[no-untyped-def]
        index = cuda.grid(1)
        if index < ended.shape[0]:
            work = cuda.local.array(1, position)
            remembered = cuda.local.array(1, memory)
            work[0] = starts[0]
            remembered[0] = blank[0]
            ended[index] = wander_one(boards[0], starts[0], blank[0], work, remembered, stream_seed(seed, index), steps)

    return cuda.jit(wander)
