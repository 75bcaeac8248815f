"""Learning from search: the policy is drawn to the improved one, the values to returns that begin at searched roots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from embertown.training.network import Network
from embertown.training.ppo import (
    NEVER,
    Learning,
    Trajectories,
    advantages,
    following_values,
    note_step,
    value_loss,
    write_down,
)
from embertown.training.search import Judge, Search
from embertown.training.selfplay import SelfPlay

LEAST_CHANCE = 1e-12
PARTS = ("loss", "policy_loss", "value_loss", "entropy", "changed", "divergence")
"""What `loss` is made of; `changed`: in how many decisions search prefers another answer."""


def judged(network: Network, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
    """A network's policy and values, of what lies in memory as threads wrote it."""
    kind = network.entry.weight.dtype
    logits, values, *_ = network(seen.to(kind, memory_format=torch.contiguous_format))
    return functional.softmax(logits.masked_fill(legal == 0, NEVER), dim=1), values


def judge_by(network: Network, judging: Callable[..., tuple[Tensor, Tensor]] = judged) -> Judge:
    """A network as a search asks it; `judging` may be `judged`, compiled."""

    def judge(seen: Any, legal: Any, priors: Any, values: Any) -> None:
        with torch.no_grad():
            policy, worth = judging(network, torch.as_tensor(seen), torch.as_tensor(legal))
        torch.as_tensor(priors).copy_(policy)
        torch.as_tensor(values).copy_(worth)

    return judge


def distance(policy: Tensor, wanted: Tensor) -> Tensor:
    """How much is learned from a decision: the size of the gradient, from 0 to 1 (`ppo.openness` is the like of it).

    >>> distance(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])).tolist()
    [0.0, 1.0]
    """
    return ((policy - wanted).square().sum(-1) / 2).sqrt()


@torch.no_grad()
def collect(
    batches: Sequence[SelfPlay], search: Search, judge: Judge, network: Callable[..., Any], into: Trajectories
) -> Tensor:
    """Play on in all games, searching before every decision; the values of the positions that follow."""
    wanted, worths, priors = (torch.as_tensor(search.shared[name]) for name in ("wanted", "worths", "priors"))
    for step in range(into.answers.shape[0]):
        write_down(batches, into, step)
        search.run(judge)
        into.wanted[step].copy_(wanted)
        into.openness[step].copy_(distance(priors[:, 0], wanted))
        into.values[step].copy_(worths)
        note_step(batches, into, step)
    return following_values(batches, network, into)


class Samples:
    """Trajectories as rows to learn from."""

    def __init__(self, made: Trajectories, last: Tensor, learning: Learning) -> None:
        targets = advantages(made, last, learning).targets
        self.columns = (
            made.observations.flatten(0, 1),
            made.masks.flatten(0, 1),
            made.wanted.flatten(0, 1),
            targets.flatten(0, 1),
            made.players.expand(made.seats.shape).flatten(),
        )
        self.count, self.openness = self.columns[-1].shape[0], made.openness.flatten()

    def rows(self, index: Tensor) -> tuple[Tensor, ...]:
        """These rows of every column."""
        return tuple(column[index] for column in self.columns)


def loss(network: Callable[..., Any], rows: Sequence[Tensor], entropy_weight: Tensor, learning: Learning) -> Tensor:
    """What is to become small, and what it is made of: [all, policy, values, entropy, changed, divergence]."""
    weights, seen, masks, wanted, targets, players = rows
    logits, values, judged_values, *_ = network(seen)
    chances = functional.log_softmax(logits.masked_fill(~masks, NEVER), dim=1)
    wanted = wanted.float()
    policy = -(weights * (wanted * chances).sum(1)).mean()
    wrong = value_loss(values, judged_values, targets, players, weights)
    entropy = -(weights * (chances.exp() * chances).sum(1)).mean()
    total = policy + learning.value_weight * wrong - entropy_weight * entropy
    changed = (weights * (wanted.argmax(1) != chances.argmax(1))).mean()
    sharpness = (weights * (wanted * wanted.clamp_min(LEAST_CHANCE).log()).sum(1)).mean()
    return torch.stack((total, policy, wrong, entropy, changed, sharpness + policy))
