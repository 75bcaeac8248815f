"""The network: cells of a grid that see their neighbours, single numbers beside them, a policy and values.

What a game looks like to it says `core.grid`. Every block lets cells look at their neighbours and the single numbers
at all cells together, and each at the other; what a cell learns, all know. A cell's answers are judged from the cells
around, from what is told of it, and from the whole.

Values are two for each seat, counted from the one that acts: its share of the win and its lead, both from -1 to 1
(`kernels`). One network serves every number of players; absent seats' values mean nothing.

In a game with secrets a critic learns beside it, who sees all cards: its values say how well a seat really stands, and
that is what the policy learns from. Where chance decides in the course of a game, the network also learns what each
thing that may be drawn would be worth: what of a result was luck. Both are a part of training alone and not of what is
exported.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from embertown.core.errors import BadArgument
from embertown.core.grid import NOTHING, Grid
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
}
EPSILON = 1e-5
"""Keeps the norm from dividing by nothing; inference without torch uses the same."""
BREADTH = 4
"""There are so many times as many single numbers inside as a cell has."""
JUDGES = 16
"""So many numbers of a cell judge each kind of its answers."""
CRITIC_DEPTH = 2


class Layer(nn.Linear):
    """A linear layer that computes in the type of what comes in: weights stay in float32, a GPU gets bfloat16."""

    def forward(self, x: Tensor) -> Tensor:
        """The usual product; what fills rows up to an even size has no weight."""
        weight = functional.pad(self.weight.to(x.dtype), (0, x.shape[-1] - self.in_features))
        return functional.linear(x, weight, self.bias.to(x.dtype))


class GridLayer(nn.Module):
    """A linear layer from a cell and its neighbours to the cell, the same for all; [n, cells, numbers].

    On a GPU a kernel of our own fetches neighbours as it goes (`cells`); elsewhere they are laid side by side first.
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
        if x.is_cuda and len(weight) > 1:
            from embertown.training.cells import around  # Triton is there where a GPU is

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


def normed(x: Tensor, weight: Tensor) -> Tensor:
    """Numbers brought to size 1 together."""
    return functional.rms_norm(x, weight.shape, weight.to(x.dtype), EPSILON)


def pooled(x: Tensor) -> Tensor:
    """Of all cells together: the mean of each number, and the largest, or nothing where all are below it."""
    if x.is_cuda:
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


class Critic(nn.Module):
    """All `row` numbers in, secrets too, and `OUTCOMES` values out; smaller than the network that it serves."""

    def __init__(self, row: int, width: int) -> None:
        super().__init__()
        self.entry = Layer(row, width)
        self.blocks = nn.ModuleList(WideBlock(width) for _ in range(CRITIC_DEPTH))
        self.values = Layer(width, OUTCOMES)

    def forward(self, row: Tensor) -> Tensor:
        """Values as float32."""
        x = functional.relu(self.entry(row))
        for block in self.blocks:
            x = block(x)
        return torch.tanh(self.values(x).float())


class Network(nn.Module):
    """Rows as `grid` describes them in (filled up with zeros), logits of its answers and `OUTCOMES` values out."""

    planes: Tensor
    known: Tensor
    singles: Tensor
    places: Tensor

    def __init__(self, grid: Grid, width: int, depth: int, secrets: int = 0, drawn: int = 0) -> None:
        super().__init__()
        self.grid, self.width, self.depth, self.drawn = grid, width, depth, drawn
        (planes, _), (kinds, _), wide = grid.planes.shape, grid.answers.shape, BREADTH * width
        self.entry, self.wide_entry = GridLayer(planes, width, grid), Layer(grid.singles.size, wide)
        self.blocks = nn.ModuleList(Block(grid, width) for _ in range(depth))
        self.whole, self.whole_up = Layer(wide, wide), Layer(2 * width, wide)
        self.values = Layer(wide, OUTCOMES)
        self.single_answers = Layer(wide, grid.single_answers.size)
        self.single_straight = Layer(grid.singles.size, grid.single_answers.size)
        self.around = GridLayer(width, kinds * JUDGES, grid)
        self.of_itself, self.of_whole = Layer(planes, kinds * JUDGES), Layer(wide, kinds * JUDGES)
        self.answers = nn.Parameter(torch.empty(kinds * JUDGES))
        self.straight = Layer(planes, kinds)
        row = filled_up(grid.observation) + filled_up(secrets)
        self.critic = Critic(row, wide) if secrets else None
        self.luck = Layer(wide, drawn * OUTCOMES) if drawn else None
        filling = ((0, 0), (0, filled_up(planes) - planes))
        on_cells = np.pad(grid.planes[:, grid.cells].T, filling, constant_values=NOTHING)
        for name, array in (
            ("planes", np.maximum(on_cells, 0).ravel()),
            ("known", (on_cells != NOTHING).astype(np.float32)),
            ("singles", grid.singles),
            ("places", grid.places),
        ):
            self.register_buffer(name, torch.from_numpy(array.copy()), persistent=False)

    def forward(self, row: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Logits, values as the seat sees it, the critic's (or the same again), what each draw is worth; as float32."""
        seen = row[:, self.planes].view(-1, *self.known.shape) * self.known.to(row.dtype)
        singles = row[:, self.singles]
        cells, whole = self.entry(seen, positive=True), functional.relu(self.wide_entry(singles))
        for block in self.blocks:
            cells, whole = block(cells, whole)
        judging = functional.relu(self.whole(whole) + self.whole_up(pooled(cells)))
        values = torch.tanh(self.values(judging).float())
        judged = values if self.critic is None else self.critic(row)
        draws = values[:, :0] if self.luck is None else self.luck(judging).float()
        worths = draws.unflatten(1, (self.drawn, OUTCOMES))
        return self._logits(seen, singles, cells, judging).float(), values, judged, worths

    def _logits(self, seen: Tensor, singles: Tensor, cells: Tensor, judging: Tensor) -> Tensor:
        inner = self.around(cells, self.of_whole(judging)) + self.of_itself(seen)
        judges = (functional.relu(inner) * self.answers.to(inner.dtype)).unflatten(2, (-1, JUDGES))
        on_cells = judges.sum(3) + self.straight(seen)
        single = self.single_answers(judging) + self.single_straight(singles)
        return torch.cat((on_cells.transpose(1, 2).flatten(1), single), 1)[:, self.places]


def network_for(game: TrainingGame, width: int, depth: int) -> Network:
    """A network for a game, its weights not yet set."""
    return Network(game.grid, width, depth, game.secrets, 0 if game.draw is None else game.draw.size)


def new_network(game: TrainingGame, width: int, depth: int, seed: int) -> Network:
    """A network that knows nothing yet, of this seed always the same."""
    network = network_for(game, width, depth)
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
    return next((share for part, share in SHARES.items() if part in name), 1.0)


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
    """A network from its weights; width and depth follow from them."""
    width = arrays["entry.bias"].shape[0]
    depth = sum(name.startswith("blocks.") and name.endswith(".wide_norm") for name in arrays)
    network = network_for(game, width, depth)
    expected = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    found = {name: tuple(array.shape) for name, array in arrays.items()}
    if expected != found:
        wrong = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
        raise BadArgument(f"the weights do not fit {game.name}: {', '.join(wrong)}")
    tensors = {name: torch.from_numpy(np.asarray(array, np.float32).copy()) for name, array in arrays.items()}
    network.load_state_dict(tensors)
    return network
