"""Many games at once, waiting for answers: on the CPU, or on a GPU one game a thread, with the same kernels.

>>> from embertown.training.games import training_game
>>> games = SelfPlay(training_game("cronberg"), players=2, count=64, seed=1)
>>> games.arrays.observations.shape, int(games.arrays.masks.sum(axis=1).min())
((64, 1608), 38)
>>> games.arrays.answers[:] = 0  # a token on the first crossing, everywhere
>>> games.advance()
>>> int(games.arrays.seats.min())
1
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from embertown.core.errors import BadArgument
from embertown.core.jit import fresh_kernel, stream_seed
from embertown.training.games import SEATS, Layouts, TrainingGame, check_players
from embertown.training.kernels import GROUP, OUTCOMES, Batch, one_game

CPU, GPU, SIMULATED = "cpu", "cuda", "simulated"
"""Where games are: `simulated` runs the GPU's kernels in plain Python, under `NUMBA_ENABLE_CUDASIM=1`."""
DEVICES = (CPU, GPU, SIMULATED)
KEPT = ("positions", "memories", "randoms")
"""What has to be kept to go on later; all else follows."""
CONSTANT = ("boards", "symmetries", "starts", "blank", "layout_of")


class SelfPlay:
    """A batch of games for one number of players. `answers` go in; who acts, what is seen, what is legal come out.

    `variety` is the share of games on changed editions; `scattered` games have already gone some way, by lot.
    """

    def __init__(
        self,
        game: TrainingGame,
        players: int,
        count: int,
        seed: int,
        device: str = CPU,
        variety: float = 0.0,
        scattered: bool = False,
    ) -> None:
        check_players(game, players)
        if device not in DEVICES:
            raise BadArgument(f"device is {device!r}; right would be: {', '.join(DEVICES)}")
        if count < 1 or count % GROUP:
            raise BadArgument(f"games are {count}; right would be: a multiple of {GROUP}")
        self.game, self.players, self.count, self.device = game, players, count, device
        made = _states(game, game.layouts(players, variety, seed), count, seed)
        self.tensors: dict[str, Any] = {}
        """The arrays that a network reads and writes, as torch tensors sharing their memory, on a GPU."""
        self.arrays = self._placed(made)
        self._run("begin")
        if scattered:
            self._run("scatter")
        self.look()

    def look(self) -> None:
        """Write who acts, what is legal and what is seen."""
        self._run("turn")
        if self.device == CPU:
            self._run("look")
            return
        from embertown.training import device

        device.look(self.game, self.count, self.arrays)

    def advance(self) -> None:
        """Do the answers; games that are over say so in `done` and `outcomes`, and begin anew; then look."""
        self._run("advance")
        self.look()

    def seen(self, name: str) -> Any:
        """An array by its name as a network takes it: on a GPU a tensor, elsewhere the array."""
        return self.tensors[name] if self.tensors else getattr(self.arrays, name)

    def kept(self) -> dict[str, np.ndarray]:
        """What has to be kept to go on from here later."""
        return {name: self._to_host(name) for name in KEPT}

    def go_on(self, kept: dict[str, np.ndarray]) -> None:
        """Go on from what was kept of a batch with the same settings."""
        for name in KEPT:
            there, come = getattr(self.arrays, name), kept[name]
            if come.shape != (self.count,) or come.dtype.itemsize != there.dtype.itemsize:
                raise BadArgument(f"{name} do not fit; right would be: those of {self.count} games with these settings")
            if self.device == GPU:
                there.copy_to_device(np.ascontiguousarray(come).view(there.dtype))
            else:
                there[:] = come.view(there.dtype)
        self.look()

    def _run(self, what: str) -> None:
        """One of `OneGame`'s kernels in all games."""
        if self.device == CPU:
            _on_cpu(self.game, what)(self.arrays)
            return
        from embertown.training import device

        device.each_game(self.game, what)[device.blocks(self.count), device.THREADS_PER_BLOCK](self.arrays)

    def _placed(self, made: Batch) -> Batch:
        """The arrays where the kernels want them."""
        if self.device != GPU:
            return made
        import torch

        from embertown.training.device import cuda

        placed: dict[str, Any] = {}
        for name, array in made._asdict().items():
            if name in (*CONSTANT, *KEPT):
                placed[name] = cuda.to_device(array)
                continue
            tensor = torch.from_numpy(array).to(GPU)
            if name in ("observations", "masks"):  # neighbours in memory are neighbouring threads', not one thread's
                tensor = tensor.T.contiguous().T
            self.tensors[name], placed[name] = tensor, cuda.as_cuda_array(tensor)
        return Batch(**placed)

    def _to_host(self, name: str) -> np.ndarray:
        array = getattr(self.arrays, name)
        found: np.ndarray = array.copy_to_host() if self.device == GPU else array.copy()
        return found


def _states(game: TrainingGame, layouts: Layouts, count: int, seed: int) -> Batch:
    """All arrays of a batch, before its games begin."""
    groups = count // GROUP
    return Batch(
        boards=layouts.boards,
        symmetries=layouts.symmetries,
        starts=layouts.starts,
        blank=np.zeros(1, game.memory),
        layout_of=_dealt(layouts.weights, groups),
        positions=np.zeros(count, layouts.starts.dtype),
        memories=np.zeros(count, game.memory),
        randoms=np.array([stream_seed(seed, index) for index in range(count)], np.uint64),
        answers=np.zeros(count, np.int64),
        seats=np.zeros(count, np.int64),
        done=np.zeros(count, np.uint8),
        outcomes=np.zeros((count, OUTCOMES), np.float32),
        scores=np.zeros((count, SEATS), np.int32),
        observations=np.zeros((count, game.row), np.float32),
        masks=np.zeros((count, game.actions), np.uint8),
    )


def _dealt(weights: np.ndarray, groups: int) -> np.ndarray:
    """The layout of each group: each as often as its share says, as near as so many groups can come to it."""
    ends = np.cumsum(weights / weights.sum())
    return np.minimum(np.searchsorted(ends, (np.arange(groups) + 0.5) / groups), len(weights) - 1).astype(np.int32)


@cache
def _on_cpu(game: TrainingGame, what: str) -> Any:
    """One of `OneGame`'s kernels, by its name, in one game after the other on one core."""
    one = getattr(one_game(game), what)

    def run(batch: Batch) -> None:
        for index in range(batch.randoms.shape[0]):
            one(index, batch)

    return fresh_kernel(run)
