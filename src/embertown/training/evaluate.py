"""How strong a network is: its most likely answers against another's, or against lots, many games at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from embertown.training.games import TrainingGame
from embertown.training.gumbel import judge_by
from embertown.training.kernels import SHARE
from embertown.training.network import Network
from embertown.training.ppo import NEVER, tensor_of
from embertown.training.search import Search, Searching
from embertown.training.selfplay import GPU, SelfPlay

Policy = Callable[[SelfPlay], Tensor]
"""Games that wait in, an answer for each of them out."""
LOOK_EVERY = 8
"""Steps between two looks at whether all games have ended: looking waits for the GPU."""
MOST_STEPS = 2000
NORMAL_95 = 1.96


class Strength(NamedTuple):
    """How a policy did, alone against others of one kind."""

    win_share: float
    """Its mean share of the win."""
    interval: float
    """Half of the width of the interval of 95 %."""
    lead: float
    """Its mean lead over the best other, in points."""
    games: int


def greedy(network: Network) -> Policy:
    """The most likely legal answer."""
    kind = next(network.parameters()).dtype

    def choose(batch: SelfPlay) -> Tensor:
        logits: Tensor = network(tensor_of(batch, "observations").to(kind))[0]
        return logits.masked_fill(tensor_of(batch, "masks") == 0, NEVER).argmax(1)

    return choose


def by_lot(seed: int, device: str) -> Policy:
    """Any legal answer."""
    lots = torch.Generator(device).manual_seed(seed)

    def choose(batch: SelfPlay) -> Tensor:
        masks = tensor_of(batch, "masks")
        return (torch.rand(masks.shape, generator=lots, device=masks.device) * masks).argmax(1)

    return choose


def searching(network: Network, how: Searching, win_weight: float) -> Policy:
    """What a search with the network finds best, without noise."""
    searches: dict[int, Search] = {}
    quiet, judge = replace(how, noise=0.0), judge_by(network)

    def choose(batch: SelfPlay) -> Tensor:
        if id(batch) not in searches:
            searches.clear()
            searches[id(batch)] = Search([batch], quiet, win_weight)
        searches[id(batch)].run(judge)
        return tensor_of(batch, "answers").clone()

    return choose


@torch.no_grad()
def strength(
    game: TrainingGame, players: int, policy: Policy, others: Policy, count: int, seed: int, device: str
) -> Strength:
    """One seat by `policy`, all others by `others`, a game in each place; its seat changes from game to game."""
    batch = SelfPlay(game, players, count, seed, device)
    where = "cuda" if device == GPU else "cpu"
    own = torch.arange(count, device=where) % players
    ended = torch.zeros(count, dtype=torch.bool, device=where)
    won, led = torch.zeros(count, device=where), torch.zeros(count, device=where)
    for step in range(MOST_STEPS):
        _answer(batch, policy, others, own)
        batch.advance()
        new = (tensor_of(batch, "done") > 0) & ~ended
        share = tensor_of(batch, "outcomes").gather(1, SHARE + own[:, None])[:, 0]
        won = torch.where(new, (share * (players - 1) + 1) / players, won)
        led = torch.where(new, _lead(tensor_of(batch, "scores")[:, :players].float(), own), led)
        ended |= new
        if step % LOOK_EVERY == 0 and bool(ended.all()):
            break
    spread = float(won.std()) / count**0.5
    return Strength(float(won.mean()), NORMAL_95 * spread, float(led.mean()), count)


def _answer(batch: SelfPlay, policy: Policy, others: Policy, own: Tensor) -> None:
    mine = tensor_of(batch, "seats") == own
    answers = torch.where(mine, policy(batch), others(batch))
    tensor_of(batch, "answers").copy_(answers)


def _lead(scores: Tensor, own: Tensor) -> Tensor:
    mine = scores.gather(1, own[:, None])[:, 0]
    rivals = scores.scatter(1, own[:, None], float("-inf"))
    return mine - rivals.amax(1)
