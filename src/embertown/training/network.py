"""The network: cells of a grid that see their neighbours, single numbers beside them, a policy and values.

What a game looks like to it says `core.grid`. Every block lets cells look at their neighbours and the single numbers
at all cells together, and each at the other; what a cell learns, all know. A cell's answers are judged from the cells
around, from what is told of it, and from the whole.

Values are two for each seat, counted from the one that acts: its share of the win and its lead, both from -1 to 1
(`kernels`). One network serves every number of players; absent seats' values mean nothing.

A game may have a ground: a second grid that the cells look at (`Sights`). What others hide is guessed, and what is told
of each thing they may hide is summed up by how likely it is (`Guess`).

In a game with secrets a critic learns beside it, who sees all cards and what everybody has at stake on the ground: its
values say how well a seat really stands, and that is what the policy learns from. Where chance decides in the course of
a game, the network also learns what each thing that may be drawn would be worth: what of a result was luck. Both are a
part of training alone and not of what is exported.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from embertown.bots.network import EPSILON, UNLIKELY, sizes_of
from embertown.core.errors import BadArgument
from embertown.core.grid import NOTHING, Grid, Guesses
from embertown.training.games import TrainingGame, filled_up
from embertown.training.kernels import OUTCOMES

SMALL = 0.3
"""What a block adds is begun so small, a policy still smaller, that learning begins near nothing."""
NEARLY_NOTHING = 0.01
TINY_VALUES = 0.1
SHARES = {
    "second": SMALL,
    "answers": NEARLY_NOTHING,
    "straight": NEARLY_NOTHING,
    "values": TINY_VALUES,
    "luck": NEARLY_NOTHING,
    "guess.second": NEARLY_NOTHING,
    "sights.cells": SMALL,
    "sights.whole": SMALL,
}
BREADTH = 4
"""There are so many times as many single numbers inside as a cell has."""
JUDGES = 16
"""So many numbers of a cell judge each kind of its answers."""
CRITIC_DEPTH = 2
HAS_TRITON = find_spec("triton") is not None
"""Torch brings it along with a GPU, but not everywhere: on Windows it does not."""


class Beside(NamedTuple):
    """How large the part of a network is that looks at the neighbours of the ground's cells, where a game has some."""

    width: int = 0
    """Numbers that such a cell has inside; with none, the ground is only summed up by what is at stake there."""
    depth: int = 0
    """Blocks."""


class Layer(nn.Linear):
    """A linear layer that computes in the type of what comes in: weights stay in float32, a GPU gets bfloat16."""

    def forward(self, x: Tensor) -> Tensor:
        """The usual product; what fills rows up to an even size has no weight."""
        weight = functional.pad(self.weight.to(x.dtype), (0, x.shape[-1] - self.in_features))
        return functional.linear(x, weight, self.bias.to(x.dtype))


class GridLayer(nn.Module):
    """A linear layer from a cell and its neighbours to the cell, the same for all; [n, cells, numbers].

    On a GPU with Triton a kernel of our own fetches neighbours as it goes (`cells`); elsewhere they are laid side by
    side first.
    """

    seen_from: Tensor
    seen_by: Tensor

    def __init__(self, coming: int, going: int, grid: Grid) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(going, coming, len(grid.neighbours)))
        self.bias = nn.Parameter(torch.empty(going))
        for name, table in (("seen_from", grid.seen_from), ("seen_by", seen_by(grid))):
            self.register_buffer(name, torch.from_numpy(table.astype(np.int32)), persistent=False)

    def forward(self, x: Tensor, added: Tensor | None = None, positive: bool = False) -> Tensor:
        """The product, the bias, what is `added` to all cells alike [n, numbers]; cut off where it is `positive`."""
        weight = functional.pad(self.weight.to(x.dtype), (0, 0, 0, x.shape[-1] - self.weight.shape[1])).permute(2, 1, 0)
        more = self.bias.to(x.dtype) + (0 if added is None else added)
        if x.is_cuda and HAS_TRITON and len(weight) > 1:
            from embertown.training.cells import around

            return around(x, weight, torch.atleast_2d(more), (self.seen_from, self.seen_by), positive)
        found = beside_each_other(x, self.seen_from) @ weight.flatten(0, 1) + torch.atleast_2d(more)[:, None]
        return functional.relu(found) if positive else found


def seen_by(grid: Grid) -> np.ndarray:
    """As `grid.seen_from`, the other way round: by cell, who sees it as which neighbour."""
    found = np.full_like(grid.seen_from, grid.cells.size)
    cells, ways = np.nonzero(grid.seen_from < grid.cells.size)
    found[grid.seen_from[cells, ways], ways] = cells
    return found


def beside_each_other(x: Tensor, seen_from: Tensor) -> Tensor:
    """By cell: all numbers of those that it sees; nothing for none."""
    if seen_from.shape[1] == 1:
        return x
    return functional.pad(x, (0, 0, 0, 1))[:, seen_from.long()].flatten(2)


def filled(x: Tensor) -> Tensor:
    """Rows filled up to an even size, with zeros."""
    return functional.pad(x, (0, filled_up(x.shape[-1]) - x.shape[-1]))


def normed(x: Tensor, weight: Tensor) -> Tensor:
    """Numbers brought to size 1 together."""
    return functional.rms_norm(x, weight.shape, weight.to(x.dtype), EPSILON)


def pooled(x: Tensor) -> Tensor:
    """Of all cells together: the mean of each number, and the largest, or nothing where all are below it."""
    if x.is_cuda and HAS_TRITON:
        from embertown.training.cells import together

        mean, largest = together(x)
    else:
        mean, largest = x.mean(1), x.max(1).values
    return torch.cat((mean, largest.clamp_min(0)), 1)


class Block(nn.Module):
    """The single numbers look at the cells, the cells at their neighbours and the single numbers."""

    def __init__(self, grid: Grid, width: int) -> None:
        super().__init__()
        wide = BREADTH * width
        self.norm, self.wide_norm = nn.Parameter(torch.ones(width)), nn.Parameter(torch.ones(wide))
        self.first, self.second = GridLayer(width, width, grid), Layer(width, width)
        self.wide_first, self.wide_second = Layer(wide, wide), Layer(wide, wide)
        self.up, self.down = Layer(2 * width, wide), Layer(wide, width)

    def forward(self, cells: Tensor, whole: Tensor) -> tuple[Tensor, Tensor]:
        """Both with a little added."""
        x, y = normed(cells, self.norm), normed(whole, self.wide_norm)
        inner = functional.relu(self.wide_first(y) + self.up(pooled(x)))
        told = self.first(x, self.down(inner), positive=True)
        return cells + self.second(told), whole + self.wide_second(inner)


class WideBlock(nn.Module):
    """Norm, a layer, a layer, added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.Parameter(torch.ones(width))
        self.first, self.second = Layer(width, width), Layer(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """The same with a little added."""
        added: Tensor = self.second(functional.relu(self.first(normed(x, self.norm))))
        return x + added


class GroundBlock(nn.Module):
    """Cells look at their neighbours, and nothing else: norm, a layer, a layer, added to what came in."""

    def __init__(self, grid: Grid, width: int) -> None:
        super().__init__()
        self.norm = nn.Parameter(torch.ones(width))
        self.first, self.second = GridLayer(width, width, grid), Layer(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """The same with a little added."""
        added: Tensor = self.second(self.first(normed(x, self.norm), positive=True))
        return x + added


class Ground(nn.Module):
    """A grid that others look at: what is told of its cells and, to all of them alike, the single numbers."""

    def __init__(self, grid: Grid, planes: int, singles: int, size: Beside) -> None:
        super().__init__()
        self.entry, self.told = GridLayer(planes, size.width, grid), Layer(singles, size.width)
        self.blocks = nn.ModuleList(GroundBlock(grid, size.width) for _ in range(size.depth))

    def forward(self, seen: Tensor, singles: Tensor) -> Tensor:
        """What follows from what is told of the cells, [n, cells, numbers]."""
        x = self.entry(seen, self.told(singles), positive=True)
        for block in self.blocks:
            x = block(x)
        return x


def weighed(weights: Tensor, ground: Sequence[Tensor]) -> Tensor:
    """The ground's cells summed up by weights [n, several, cells]: by what is at stake there, say."""
    return torch.cat([(weights @ each).flatten(1) for each in ground], 1)


class Guess(nn.Module):
    """How likely it is that others hide what, and what everything comes to by that."""

    prior: Tensor
    cells: Tensor
    ground: Tensor
    singles: Tensor

    def __init__(self, guesses: Guesses, singles: int, width: int) -> None:
        super().__init__()
        self.shape = guesses.prior.shape
        self.first, self.second = Layer(singles, width), Layer(width, guesses.prior.size)
        self.sizes = len(guesses.cells) * self.shape[0], len(guesses.singles) * self.shape[0]
        for name in ("prior", "ground", "singles"):
            self.register_buffer(name, torch.from_numpy(getattr(guesses, name).ravel()), persistent=False)
        self.register_buffer("cells", torch.from_numpy(guesses.cells.swapaxes(0, 1).ravel()), persistent=False)
        self.of_ground = guesses.ground.shape[1]

    def forward(self, row: Tensor, singles: Tensor) -> Tensor:
        """Logarithms of how likely each thing is, [n, others, things], as float32."""
        prior = row[:, self.prior].float().clamp_min(UNLIKELY).log()
        more = self.second(functional.relu(self.first(singles))).float()
        return functional.log_softmax((prior + more).unflatten(1, self.shape), 2)

    def told(self, row: Tensor, likely: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """By that: numbers of the cells, of the ground's cells, and of the whole; for each of the others."""
        things = likely.transpose(1, 2)
        cells = row[:, self.cells].unflatten(1, (-1, self.shape[1])) @ things
        ground = row[:, self.ground].unflatten(1, (-1, self.of_ground)) @ things[:, : self.of_ground]
        return cells, ground, (row[:, self.singles].unflatten(1, (-1, self.shape[1])) @ things).flatten(1)


class Sights(nn.Module):
    """The ground, and what is seen of it: by cells where they look, and by the whole."""

    planes: Tensor
    sights: Tensor
    stakes: Tensor

    def __init__(self, grid: Grid, singles: int, width: int, size: Beside) -> None:
        super().__init__()
        assert grid.ground is not None
        assert grid.sights is not None
        guessed = 0 if grid.guesses is None else len(grid.guesses.prior)
        planes, weights = len(grid.ground.planes) + guessed, len(grid.weighed) + guessed
        self.told = size.width + planes
        """Numbers of a cell of the ground in all: those that are told and those that follow."""
        self.ground = Ground(grid.ground, planes, singles, size) if size.width else None
        self.cells = Layer(len(grid.sights) * size.width, width) if size.width else None
        self.whole = Layer(2 * size.width + weights * self.told, BREADTH * width)
        self.shape = grid.ground.cells.size, len(grid.ground.planes)
        self.looks = grid.sights.shape
        for name, array in (
            ("planes", grid.ground.planes.T),
            ("sights", grid.sights.T),
            ("stakes", grid.ground.planes[list(grid.weighed)]),
        ):
            self.register_buffer(name, torch.from_numpy(array.ravel()), persistent=False)

    def ground_of(self, row: Tensor, singles: Tensor, guessed: Tensor | None) -> tuple[Tensor, ...]:
        """What is told of the ground's cells, and what follows from it where the network looks at their neighbours."""
        seen = row[:, self.planes].unflatten(1, self.shape)
        seen = seen if guessed is None else torch.cat((seen, guessed), 2)
        return (seen,) if self.ground is None else (seen, self.ground(seen, singles))

    def of_cells(self, row: Tensor, ground: tuple[Tensor, ...]) -> Tensor:
        """For the cells: what follows where they look."""
        assert self.cells is not None
        where = row[:, self.sights].long()[:, :, None].expand(-1, -1, ground[1].shape[2])
        seen = functional.pad(ground[1], (0, 0, 0, 1)).gather(1, where)
        around: Tensor = self.cells(seen.unflatten(1, (self.looks[1], -1)).flatten(2))
        return around

    def of_whole(self, row: Tensor, ground: tuple[Tensor, ...], guessed: Tensor | None) -> Tensor:
        """For the whole: everything by what is at stake there, and what follows in all."""
        weights = row[:, self.stakes].unflatten(1, (-1, self.shape[0]))
        weights = weights if guessed is None else torch.cat((weights, guessed.transpose(1, 2)), 1)
        parts = [pooled(each) for each in ground[1:]]
        all_of_it: Tensor = self.whole(torch.cat((*parts, weighed(weights, ground)), 1))
        return all_of_it


class Critic(nn.Module):
    """What is seen with all secrets, and what the network makes of it, in; `OUTCOMES` values out."""

    seen: Tensor
    hidden: Tensor

    def __init__(self, seen: np.ndarray, stakes: np.ndarray, width: int, ground: int) -> None:
        super().__init__()
        self.entry, self.judging = Layer(seen.size, width), Layer(width, width)
        self.at_stake = Layer(len(stakes) * ground, width)
        self.blocks = nn.ModuleList(WideBlock(width) for _ in range(CRITIC_DEPTH))
        self.values = Layer(width, OUTCOMES)
        self.register_buffer("seen", torch.from_numpy(seen), persistent=False)
        self.register_buffer("hidden", torch.from_numpy(stakes.ravel()), persistent=False)

    def forward(self, row: Tensor, judging: Tensor, ground: Sequence[Tensor]) -> Tensor:
        """Values as float32."""
        hidden = row[:, self.hidden].unflatten(1, (-1, ground[0].shape[1]))
        at_stake = self.at_stake(weighed(hidden, ground))
        x = functional.relu(self.entry(row[:, self.seen]) + self.judging(judging) + at_stake)
        for block in self.blocks:
            x = block(x)
        return torch.tanh(self.values(x).float())


class Thought(NamedTuple):
    """What a network makes of rows before it answers."""

    seen: Tensor
    """What is told of the cells."""
    singles: Tensor
    cells: Tensor
    judging: Tensor
    ground: tuple[Tensor, ...]
    """What is told of the ground's cells, and what follows from it."""
    guessed: Tensor | None


class Network(nn.Module):
    """Rows as `grid` describes them in (filled up with zeros), logits of its answers and `OUTCOMES` values out."""

    planes: Tensor
    known: Tensor
    singles: Tensor
    places: Tensor

    def __init__(
        self, grid: Grid, width: int, depth: int, ground: Beside, hidden: np.ndarray | None = None, drawn: int = 0
    ) -> None:
        super().__init__()
        self.grid, self.width, self.depth, self.drawn = grid, width, depth, drawn
        (planes, _), (kinds, _), wide, singles = (
            grid.planes.shape,
            grid.answers.shape,
            BREADTH * width,
            grid.singles.size,
        )
        self.sights, self.guess, self.critic = None, None, None
        if grid.guesses is not None:
            self.guess = Guess(grid.guesses, singles, width)
            planes, singles = planes + self.guess.sizes[0], singles + self.guess.sizes[1]
        if grid.ground is not None:
            self.sights = Sights(grid, singles, width, ground)
        self.entry, self.wide_entry = GridLayer(planes, width, grid), Layer(singles, wide)
        self.blocks = nn.ModuleList(Block(grid, width) for _ in range(depth))
        self.whole, self.whole_up = Layer(wide, wide), Layer(2 * width, wide)
        self.values = Layer(wide, OUTCOMES)
        self.single_answers = Layer(wide, grid.single_answers.size)
        self.single_straight = Layer(singles, grid.single_answers.size)
        self.around = GridLayer(width, kinds * JUDGES, grid)
        self.of_itself, self.of_whole = Layer(planes, kinds * JUDGES), Layer(wide, kinds * JUDGES)
        self.answers = nn.Parameter(torch.empty(kinds * JUDGES))
        self.straight = Layer(planes, kinds)
        if self.sights is not None and hidden is not None:
            known = np.union1d(grid.singles, grid.planes[grid.planes != NOTHING])
            row = np.concatenate((known, np.arange(grid.observation, hidden.min())))
            self.critic = Critic(row, hidden, wide, self.sights.told)
        self.luck = Layer(wide, drawn * OUTCOMES) if drawn else None
        filling = ((0, 0), (0, 0 if grid.guesses else filled_up(planes) - planes))
        on_cells = np.pad(grid.planes[:, grid.cells].T, filling, constant_values=NOTHING)
        for name, array in (
            ("planes", np.maximum(on_cells, 0).ravel()),
            ("known", (on_cells != NOTHING).astype(np.float32)),
            ("singles", grid.singles),
            ("places", grid.places),
        ):
            self.register_buffer(name, torch.from_numpy(array.copy()), persistent=False)

    def forward(self, row: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor | None]:
        """Logits, values as the seat sees it, the critic's (or the same again), what each draw is worth; guesses.

        All as float32; guesses as logarithms, where a game has secrets.
        """
        found = self._thought(row)
        judging = found.judging
        values = torch.tanh(self.values(judging).float())
        judged = values if self.critic is None else self.critic(row, judging, found.ground)
        draws = values[:, :0] if self.luck is None else self.luck(judging).float()
        worths = draws.unflatten(1, (self.drawn, OUTCOMES))
        logits = self._logits(found.seen, found.singles, found.cells, judging)
        return logits.float(), values, judged, worths, found.guessed

    def judged_alone(self, row: Tensor) -> Tensor:
        """The critic's values; what it learns from them changes nothing else."""
        assert self.critic is not None
        with torch.no_grad():
            found = self._thought(row)
        judged: Tensor = self.critic(row, found.judging, found.ground)
        return judged

    def _thought(self, row: Tensor) -> Thought:
        seen = row[:, self.planes].view(-1, *self.known.shape) * self.known.to(row.dtype)
        singles, of_ground, guessed = row[:, self.singles], None, None
        if self.guess is not None:
            guessed = self.guess(row, singles)
            of_cells, of_ground, of_whole = self.guess.told(row, guessed.detach().exp().to(row.dtype))
            of_cells = of_cells.flatten(1).unflatten(1, (seen.shape[1], -1))
            seen, singles = filled(torch.cat((seen, of_cells), 2)), torch.cat((singles, of_whole), 1)
        cells, whole = self.entry(seen), self.wide_entry(singles)
        ground: tuple[Tensor, ...] = ()
        if self.sights is not None:
            ground = self.sights.ground_of(row, singles, of_ground)
            whole = whole + self.sights.of_whole(row, ground, of_ground)
            if self.sights.cells is not None:
                cells = cells + self.sights.of_cells(row, ground)
        cells, whole = functional.relu(cells), functional.relu(whole)
        for block in self.blocks:
            cells, whole = block(cells, whole)
        judging = functional.relu(self.whole(whole) + self.whole_up(pooled(cells)))
        return Thought(seen, singles, cells, judging, ground, guessed)

    def _logits(self, seen: Tensor, singles: Tensor, cells: Tensor, judging: Tensor) -> Tensor:
        inner = self.around(cells, self.of_whole(judging)) + self.of_itself(seen)
        judges = (functional.relu(inner) * self.answers.to(inner.dtype)).unflatten(2, (-1, JUDGES))
        on_cells = judges.sum(3) + self.straight(seen)
        single = self.single_answers(judging) + self.single_straight(singles)
        return torch.cat((on_cells.transpose(1, 2).flatten(1), single), 1)[:, self.places]


def network_for(game: TrainingGame, width: int, depth: int, ground: Beside) -> Network:
    """A network for a game, its weights not yet set."""
    return Network(game.grid, width, depth, ground, game.hidden_stakes, 0 if game.draw is None else game.draw.size)


def new_network(game: TrainingGame, width: int, depth: int, seed: int, ground: Beside = Beside()) -> Network:  # noqa: B008
    """A network that knows nothing yet, of this seed always the same."""
    network = network_for(game, width, depth, ground)
    lots = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if name.endswith("bias"):
                parameter.zero_()
            elif not name.endswith("norm"):
                size = (2 / _coming(parameter)) ** 0.5 * _share(name)
                parameter.copy_(torch.randn(parameter.shape, generator=lots) * size)
    return network


def _coming(parameter: Tensor) -> int:
    """How many numbers are summed up by a layer."""
    return parameter[0].numel() if parameter.ndim > 1 else JUDGES


def _share(name: str) -> float:
    """So small a weight begins, against what keeps numbers at their size: the last of `SHARES` that fits says it."""
    return next((share for part, share in reversed(SHARES.items()) if part in name), 1.0)


def quick_copy(network: Network, device: str) -> Network:
    """A copy for playing only: in bfloat16 on a GPU, as it is on the CPU."""
    quick: Network = copy.deepcopy(network).requires_grad_(False).eval()
    if device == "cuda":
        quick.to(torch.bfloat16)
    return quick


@torch.no_grad()
def copy_weights(source: Network, target: Network) -> None:
    """Bring a quick copy up to date."""
    for there, come in zip(target.parameters(), source.parameters(), strict=True):
        there.copy_(come)


def arrays_of(network: Network) -> dict[str, np.ndarray]:
    """The weights as NumPy arrays, as torch lays them out."""
    return {name: tensor.detach().float().cpu().numpy() for name, tensor in network.state_dict().items()}


def from_arrays(game: TrainingGame, arrays: Mapping[str, np.ndarray]) -> Network:
    """A network from its weights; widths and depths follow from them."""
    sizes = sizes_of(arrays, game.grid)
    network = network_for(game, sizes.width, sizes.depth, Beside(sizes.narrow, sizes.ground_depth))
    expected = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    found = {name: tuple(array.shape) for name, array in arrays.items()}
    if expected != found:
        wrong = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
        raise BadArgument(f"the weights do not fit {game.name}: {', '.join(wrong)}")
    tensors = {name: torch.from_numpy(np.asarray(array, np.float32).copy()) for name, array in arrays.items()}
    network.load_state_dict(tensors)
    return network
