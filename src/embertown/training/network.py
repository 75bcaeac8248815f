"""The network: a residual perceptron from what a seat sees to a policy over answers and values for every seat.

Values are two for each seat, counted from the one that acts: its share of the win and its lead, both from -1 to 1
(`kernels`). One network serves every number of players; absent seats' values mean nothing.

In a game with secrets a critic learns beside it, who sees all cards: its values say how well a seat really stands, and
that is what the policy learns from. It is a part of training alone and not of what is exported.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from embertown.core.errors import BadArgument
from embertown.training.games import TrainingGame, filled_up
from embertown.training.kernels import OUTCOMES

SMALL = 0.3
"""What a block adds is begun so small, a policy still smaller, that learning begins near nothing."""
NEARLY_NOTHING = 0.01
TINY_VALUES = 0.1
EPSILON = 1e-5
"""Keeps the norm from dividing by nothing; inference without torch uses the same."""


CRITIC_SHARE, CRITIC_DEPTH = 2, 2
"""The critic has this part of the network's width, and so many blocks."""


class Layer(nn.Linear):
    """A linear layer that computes in the type of what comes in: weights stay in float32, a GPU gets bfloat16."""

    def forward(self, x: Tensor) -> Tensor:
        """The usual product."""
        return functional.linear(x, self.weight.to(x.dtype), self.bias.to(x.dtype))


class Block(nn.Module):
    """Norm, a layer, a layer, added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.Parameter(torch.ones(width))
        self.first = Layer(width, width)
        self.second = Layer(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """The same with a little added."""
        normed = functional.rms_norm(x, self.norm.shape, self.norm.to(x.dtype), EPSILON)
        added: Tensor = self.second(functional.relu(self.first(normed)))
        return x + added


class Critic(nn.Module):
    """All `row` numbers in, secrets too, and `OUTCOMES` values out; smaller than the network that it serves."""

    def __init__(self, row: int, width: int) -> None:
        super().__init__()
        self.entry = Layer(row, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(CRITIC_DEPTH))
        self.values = Layer(width, OUTCOMES)

    def forward(self, row: Tensor) -> Tensor:
        """Values as float32."""
        x = functional.relu(self.entry(row))
        for block in self.blocks:
            x = block(x)
        return torch.tanh(self.values(x).float())


class Network(nn.Module):
    """`observation` numbers in (filled up with zeros), logits of `actions` answers and `OUTCOMES` values out."""

    def __init__(self, observation: int, actions: int, width: int, depth: int, secrets: int = 0) -> None:
        super().__init__()
        self.width, self.depth, self.observation, self.actions = width, depth, observation, actions
        self.entry = Layer(filled_up(observation), width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.policy = Layer(width, filled_up(actions))
        self.values = Layer(width, OUTCOMES)
        row = filled_up(observation) + filled_up(secrets)
        self.critic = Critic(row, width // CRITIC_SHARE) if secrets else None

    def forward(self, row: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, values as the seat sees it, and the critic's (or the same again), all as float32."""
        x = functional.relu(self.entry(row[:, : self.entry.in_features]))
        for block in self.blocks:
            x = block(x)
        values = torch.tanh(self.values(x).float())
        judged = values if self.critic is None else self.critic(row)
        return self.policy(x)[:, : self.actions].float(), values, judged


def new_network(game: TrainingGame, width: int, depth: int, seed: int) -> Network:
    """A network that knows nothing yet, of this seed always the same."""
    network = Network(game.observation, game.actions, width, depth, game.secrets)
    lots = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if name.endswith("bias"):
                parameter.zero_()
            elif name.endswith("weight"):
                size = (2 / parameter.shape[1]) ** 0.5 * _share(name)
                parameter.copy_(torch.randn(parameter.shape, generator=lots) * size)
    return network


def _share(name: str) -> float:
    for part, share in (("second", SMALL), ("policy", NEARLY_NOTHING), ("values", TINY_VALUES)):
        if part in name:
            return share
    return 1.0


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
    depth = sum(name.startswith("blocks.") and name.endswith(".norm") for name in arrays)
    network = Network(game.observation, game.actions, width, depth, game.secrets)
    expected = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    found = {name: tuple(array.shape) for name, array in arrays.items()}
    if expected != found:
        wrong = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
        raise BadArgument(f"the weights do not fit {game.name}: {', '.join(wrong)}")
    tensors = {name: torch.from_numpy(np.asarray(array, np.float32).copy()) for name, array in arrays.items()}
    network.load_state_dict(tensors)
    return network
