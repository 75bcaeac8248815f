"""Self-play on a GPU: one game a thread, with the kernels of the CPU.

Importing this module imports numba's CUDA target. `cuda` is a name of this module, and not an argument, because numba's
simulator exchanges it there.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from embertown.core.jit import cuda_module, stream_seed
from embertown.training.games import TrainingGame
from embertown.training.kernels import one_game
from embertown.training.search_kernels import one_search

cuda = cuda_module()

THREADS_PER_BLOCK = 64


def blocks(games: int) -> int:
    """So many blocks of threads for so many games."""
    return -(-games // THREADS_PER_BLOCK)


@cache
def begin_all(game: TrainingGame) -> Any:
    """Put a new game into every place."""
    begin_one = one_game(game).begin

    def begin(boards, starts, blank, layout_of, positions, memories, randoms) -> None:  # type: ignore[no-untyped-def]
        index = cuda.grid(1)
        if index < randoms.shape[0]:
            begin_one(index, boards, starts, blank, layout_of, positions, memories, randoms)

    return cuda.jit(begin)


@cache
def scatter_all(game: TrainingGame) -> Any:
    """Bring every game some way."""
    scatter_one = one_game(game).scatter

    def scatter(boards, starts, blank, layout_of, positions, memories, randoms) -> None:  # type: ignore[no-untyped-def]
        index = cuda.grid(1)
        if index < randoms.shape[0]:
            scatter_one(index, boards, starts, blank, layout_of, positions, memories, randoms)

    return cuda.jit(scatter)


@cache
def look_all(game: TrainingGame) -> Any:
    """Look at every game."""
    look_one = one_game(game).look

    def look(boards, symmetries, layout_of, positions, memories, seats, observations, masks) -> None:  # type: ignore[no-untyped-def]
        index = cuda.grid(1)
        if index < seats.shape[0]:
            look_one(index, boards, symmetries, layout_of, positions, memories, seats, observations, masks)

    return cuda.jit(look)


@cache
def advance_all(game: TrainingGame) -> Any:
    """Do every game's answer, and look again."""
    advance_one = one_game(game).advance

    def advance(  # type: ignore[no-untyped-def]
        boards,
        symmetries,
        starts,
        blank,
        layout_of,
        positions,
        memories,
        randoms,
        answers,
        seats,
        done,
        outcomes,
        scores,
        observations,
        masks,
    ) -> None:
        index = cuda.grid(1)
        if index < seats.shape[0]:
            advance_one(
                index,
                boards,
                symmetries,
                starts,
                blank,
                layout_of,
                positions,
                memories,
                randoms,
                answers,
                seats,
                done,
                outcomes,
                scores,
                observations,
                masks,
            )

    return cuda.jit(advance)


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
