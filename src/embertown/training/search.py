"""Improvement by search: before every decision of many games a small tree each, after Gumbel's manner.

Danihelka et al., "Policy improvement by planning with Gumbel" (2022): the answers that are likeliest with Gumbel noise
are tried and halved in turns; the policy is improved by what they turned out to be worth; inside the tree the answer
is taken that was tried least for what the improved policy asks. Needs NumPy and numba alone: whoever asks brings the
network along.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from embertown.core.errors import BadArgument
from embertown.core.jit import fresh_kernel
from embertown.training.games import SEATS, TrainingGame
from embertown.training.kernels import OUTCOMES
from embertown.training.search_kernels import EDGE, NODE, TREE, Forest, one_search
from embertown.training.selfplay import CPU, GPU, SelfPlay

Judge = Callable[[Any, Any, Any, Any], None]
"""What is seen and what is legal in; a policy and values are written into the third and the fourth."""
MOST_CALLS = 2**15
"""Nodes are counted in 16 bits."""


@dataclass(frozen=True)
class Searching:
    """How is searched."""

    simulations: int = 32
    """For each decision."""
    considered: int = 8
    """So many answers at the root."""
    noise: float = 1.0
    """How much Gumbel noise; without any the best answers are tried."""
    visit_offset: float = 50.0
    trust: float = 0.1
    """The improved policy is policy * exp((visit_offset + most visits) * trust * value), values from -1 to 1.

    Lessons add up, and so do the values' errors: what is learned from wants less trust than what is played by.
    """

    def __post_init__(self) -> None:
        if min(self.simulations, self.considered) < 1 or self.simulations + self.considered >= MOST_CALLS:
            given = f"simulations are {self.simulations} and considered {self.considered}"
            raise BadArgument(f"{given}; right would be: from 1 on, together below {MOST_CALLS}")


def halving(considered: int, simulations: int) -> list[int]:
    """How often the answer was tried that is next, by simulation: all in turn, then the better half, and so on.

    >>> halving(4, 8), halving(1, 3)
    ([0, 0, 0, 0, 1, 1, 2, 2], [0, 1, 2])
    """
    if considered <= 1:
        return list(range(simulations))
    rounds = math.ceil(math.log2(considered))
    found: list[int] = []
    tried, left = [0] * considered, considered
    while len(found) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            found += tried[:left]
            tried[:left] = [each + 1 for each in tried[:left]]
        left = max(2, left // 2)
    return found[:simulations]


def check_game(game: TrainingGame) -> None:
    """Refuse a game that can't be searched."""
    if game.secrets or game.kernels.step_by_share is None:
        raise BadArgument(f"{game.name} has secrets, which a search would have to guess; right would be: method ppo")


class Search:
    """Trees for all games of some batches, with one call of the network for all of them at a time."""

    def __init__(self, batches: Sequence[SelfPlay], how: Searching, win_weight: float) -> None:
        self.batches, self.how, self.game = batches, how, batches[0].game
        check_game(self.game)
        self.device = batches[0].device
        games = sum(batch.count for batch in batches)
        ends = np.cumsum([batch.count for batch in batches]).tolist()
        self.slices = [slice(end - batch.count, end) for end, batch in zip(ends, batches, strict=True)]
        game, calls = self.game, how.simulations + 1
        self.shared = {
            "priors": self._room((games, calls, game.actions), np.float32),
            "values": self._room((games, OUTCOMES), np.float32),
            "observations": self._room((games, game.row), np.float32, turned=True),
            "masks": self._room((games, game.actions), np.uint8, turned=True),
            "wanted": self._room((games, game.actions), np.float32, turned=True),
            "worths": self._room((games, OUTCOMES), np.float32),
        }
        """What a network reads and writes: arrays, on a GPU tensors, rows of all batches side by side."""
        habits = np.array([how.noise, how.visit_offset, how.trust, win_weight], np.float32)
        self.forests = [self._forest(batch, part, habits) for batch, part in zip(batches, self.slices, strict=True)]

    def run(self, judge: Judge) -> None:
        """Search in all games: answers go into the batches, policies and values into `shared`."""
        for name in ("observations", "masks"):
            for batch, part in zip(self.batches, self.slices, strict=True):
                self.shared[name][part] = batch.seen(name)
        for call in range(self.how.simulations + 1):
            shared = self.shared
            judge(shared["observations"], shared["masks"], shared["priors"][:, call], shared["values"])
            for batch, forest in zip(self.batches, self.forests, strict=True):
                self._call(call, forest, batch.count)

    def _call(self, call: int, forest: Forest, count: int) -> None:
        if self.device == CPU:
            _on_cpu(self.game)(call, forest, count)
            return
        from embertown.training import device

        device.search_all(self.game)[device.blocks(count), device.THREADS_PER_BLOCK](call, forest)

    def _room(self, shape: tuple[int, ...], dtype: Any, turned: bool = False) -> Any:
        """Zeros; turned: on a GPU neighbours in memory are neighbouring threads'."""
        made = np.zeros(shape, dtype)
        if self.device != GPU:
            return made
        import torch

        tensor = torch.zeros(shape, dtype=torch.from_numpy(made[:0]).dtype, device=GPU)
        return tensor.T.contiguous().T if turned else tensor

    def _forest(self, batch: SelfPlay, part: slice, habits: np.ndarray) -> Forest:
        how, count = self.how, batch.count
        schedule = [halving(considered, how.simulations) for considered in range(how.considered + 1)]
        own = {
            "leaves": np.zeros(count, batch.arrays.positions.dtype),
            "leaf_memories": np.zeros(count, batch.arrays.memories.dtype),
            "nodes": np.zeros((count, how.simulations + 1), NODE),
            "edges": np.zeros((count, how.considered + how.simulations), EDGE),
            "trees": np.zeros(count, TREE),
            "sums": np.zeros((count, how.considered, OUTCOMES), np.float32),
            "ends": np.zeros((count, OUTCOMES), np.float32),
            "scores": np.zeros((count, SEATS), np.int32),
            "schedule": np.array(schedule, np.int32),
            "habits": habits,
        }
        own = {name: self._placed(array) for name, array in own.items()}
        shared = {name: self._seen_by_kernels(array[part]) for name, array in self.shared.items()}
        taken = {name: getattr(batch.arrays, name) for name in Forest._fields if name not in own and name not in shared}
        return Forest(**taken, **own, **shared)

    def _placed(self, array: np.ndarray) -> Any:
        if self.device != GPU:
            return array
        from embertown.training.device import cuda

        return cuda.to_device(array)

    def _seen_by_kernels(self, array: Any) -> Any:
        if self.device != GPU:
            return array
        from embertown.training.device import cuda

        return cuda.as_cuda_array(array)


@cache
def _on_cpu(game: TrainingGame) -> Any:
    """The loop over all games, one after the other on one core."""
    search_one = one_search(game)

    def search(call, forest, count) -> None:  # type: ignore[no-untyped-def]
        for index in range(count):
            search_one(index, call, forest)

    return fresh_kernel(search)
