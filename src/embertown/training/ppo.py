"""Learning from self-play: proximal policy optimisation with a value for every seat.

A game's decisions are one sequence, whoever makes them. At each of them the network says what the game is worth to
every seat, so that each seat's advantage is summed over all decisions, its own and others'; the policy learns from
the advantage of the seat that acted, the values from all.

Where seats have secrets, what one seat thinks of another is no measure for that one's play: it does not know what the
other plays for, so that summing over all decisions would credit nobody with what only they can see. There the critic
judges, who sees all cards (`network`); it is right for every seat, and thrown away after training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from embertown.training.games import SEATS
from embertown.training.kernels import MARGIN, OUTCOMES, SHARE
from embertown.training.network import Network
from embertown.training.selfplay import GPU, SelfPlay

NEVER = -1e9
"""The logit of an answer that is not legal."""
LEAST_NOISE = 1e-30
"""Above nothing, whose logarithm would outdo even what is not legal."""
SAME = 1e-8


@dataclass(frozen=True)
class Learning:
    """How is learned."""

    steps: int = 64
    """Decisions of each game between two lessons."""
    epochs: int = 2
    minibatch: int = 131_072
    """About so many samples are one lesson: those of an iteration are cut into equal parts."""
    rate: float = 1e-3
    last_rate: float = 5e-5
    entropy: float = 0.02
    last_entropy: float = 0.002
    decay: float = 0.95
    """GAE's lambda."""
    clip: float = 0.2
    largest_gradient: float = 0.5
    value_weight: float = 1.0
    win_weight: float = 0.6
    """What a seat wants: so much of the share of the win, the rest of the lead."""


class Trajectories:
    """What was seen, answered and thought in all games for some steps; rows of all batches side by side."""

    def __init__(self, batches: Sequence[SelfPlay], steps: int, searched: bool = False) -> None:
        games = sum(batch.count for batch in batches)
        game, device = batches[0].game, "cuda" if batches[0].device == GPU else "cpu"
        self.seen_type = torch.bfloat16 if device == "cuda" else torch.float32

        def room(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros((steps, games, *shape), dtype=dtype, device=device)

        self.observations = room(game.row, dtype=self.seen_type)
        self.masks = room(game.actions, dtype=torch.bool)
        self.answers, self.seats = room(dtype=torch.int64), room(dtype=torch.int64)
        self.log_chances, self.values, self.outcomes = room(), room(OUTCOMES), room(OUTCOMES)
        self.done = room()
        self.wanted = room(game.actions if searched else 0, dtype=torch.float16)
        """The policy as a search improved it."""
        self.players = torch.cat([torch.full((b.count,), b.players, dtype=torch.int64) for b in batches]).to(device)
        ends = torch.cumsum(torch.tensor([batch.count for batch in batches]), 0).tolist()
        self.slices = [slice(end - batch.count, end) for end, batch in zip(ends, batches, strict=True)]


def tensor_of(batch: SelfPlay, name: str) -> Tensor:
    """An array of a batch as a tensor that shares its memory."""
    seen = batch.seen(name)
    tensor: Tensor = torch.from_numpy(seen) if isinstance(seen, np.ndarray) else seen
    return tensor


def pick(logits: Tensor, masks: Tensor, lots: torch.Generator) -> tuple[Tensor, Tensor]:
    """An answer for each row by lot, as likely as the network says, and the logarithm of that chance."""
    chances = functional.log_softmax(logits.masked_fill(~masks, NEVER), dim=1)
    noise = torch.empty_like(chances).exponential_(generator=lots).clamp_min_(LEAST_NOISE)
    answers = (chances - noise.log()).argmax(1)
    return answers, chances.gather(1, answers[:, None])[:, 0]


@torch.no_grad()
def collect(
    batches: Sequence[SelfPlay], network: Callable[..., Any], into: Trajectories, lots: torch.Generator
) -> Tensor:
    """Play on in all games, writing everything down; the values of the positions that follow. No waiting for a GPU."""
    steps = into.answers.shape[0]
    for step in range(steps):
        write_down(batches, into, step)
        logits, _, values = network(into.observations[step])
        answers, log_chances = pick(logits, into.masks[step], lots)
        into.log_chances[step].copy_(log_chances)
        into.values[step].copy_(values)
        for batch, part in zip(batches, into.slices, strict=True):
            tensor_of(batch, "answers").copy_(answers[part])
        note_step(batches, into, step)
    return following_values(batches, network, into)


def write_down(batches: Sequence[SelfPlay], into: Trajectories, step: int) -> None:
    """What is seen and what is legal, and who acts."""
    for batch, part in zip(batches, into.slices, strict=True):
        into.observations[step, part].copy_(tensor_of(batch, "observations"))
        into.masks[step, part].copy_(tensor_of(batch, "masks"))
        into.seats[step, part].copy_(tensor_of(batch, "seats"))


def note_step(batches: Sequence[SelfPlay], into: Trajectories, step: int) -> None:
    """Do the answers that lie in the batches; write down which they are and what came of them."""
    for batch, part in zip(batches, into.slices, strict=True):
        into.answers[step, part].copy_(tensor_of(batch, "answers"))
        batch.advance()
        into.outcomes[step, part].copy_(tensor_of(batch, "outcomes"))
        into.done[step, part].copy_(tensor_of(batch, "done"))


def following_values(batches: Sequence[SelfPlay], network: Callable[..., Any], into: Trajectories) -> Tensor:
    """The values of the positions that come after the last step, by seat."""
    seen = torch.cat([tensor_of(batch, "observations").to(into.seen_type) for batch in batches])
    last: Tensor = network(seen)[2]
    seats = torch.cat([tensor_of(batch, "seats") for batch in batches])
    return by_seat(last, seats, into.players)


def _turned(rows: Tensor, index: Tensor) -> Tensor:
    """Both halves of rows of values, shares and margins, in the order of `index`."""
    halves = rows.unflatten(-1, (2, SEATS))
    return halves.gather(-1, index[..., None, :].expand(halves.shape)).flatten(-2)


def _seat_order(seats: Tensor, players: Tensor, sign: int) -> Tensor:
    """For each seat that plays, another one so many further; absent ones stay where they are."""
    count = torch.arange(SEATS, device=seats.device)
    playing = players[..., None]
    other = torch.remainder(count + sign * seats[..., None], playing)
    return torch.where(count < playing, other, count)


def by_seat(values: Tensor, seats: Tensor, players: Tensor) -> Tensor:
    """Values counted from the seat that acts, counted from seat 0."""
    return _turned(values, _seat_order(seats, players.expand(seats.shape), -1))


def from_seat(values: Tensor, seats: Tensor, players: Tensor) -> Tensor:
    """Values counted from seat 0, counted from the seat that acts."""
    return _turned(values, _seat_order(seats, players.expand(seats.shape), 1))


@torch.no_grad()
def advantages(made: Trajectories, last: Tensor, learning: Learning) -> tuple[Tensor, Tensor]:
    """The advantage of the seat that acted, and what the values should have been, counted from it."""
    values = by_seat(made.values, made.seats, made.players)
    gains = torch.empty_like(values)
    gain, following = torch.zeros_like(last), last
    for step in range(len(values) - 1, -1, -1):
        goes_on = (1.0 - made.done[step])[:, None]
        surprise = made.outcomes[step] + goes_on * following - values[step]
        gain = surprise + learning.decay * goes_on * gain
        gains[step], following = gain, values[step]
    own = made.seats[..., None]
    shares, margins = gains.gather(-1, SHARE + own), gains.gather(-1, MARGIN + own)
    wanted = learning.win_weight * shares + (1 - learning.win_weight) * margins
    return wanted[..., 0], from_seat(gains + values, made.seats, made.players)


class Rows(Protocol):
    """What `learn` takes: columns of the same length."""

    columns: tuple[Tensor, ...]
    count: int

    def rows(self, index: Tensor) -> tuple[Tensor, ...]:
        """These rows of every column."""


class Samples:
    """Trajectories as rows to learn from."""

    def __init__(self, made: Trajectories, last: Tensor, learning: Learning) -> None:
        gained, targets = advantages(made, last, learning)
        self.columns = (
            made.observations.flatten(0, 1),
            made.masks.flatten(0, 1),
            made.answers.flatten(),
            made.log_chances.flatten(),
            gained.flatten(),
            targets.flatten(0, 1),
            made.players.expand(made.seats.shape).flatten(),
        )
        self.count = self.columns[2].shape[0]

    def rows(self, index: Tensor) -> tuple[Tensor, ...]:
        """These rows of every column."""
        return tuple(column[index] for column in self.columns)


def loss(network: Callable[..., Any], rows: Sequence[Tensor], entropy_weight: Tensor, learning: Learning) -> Tensor:
    """What is to become small, and what it is made of: [all, policy, values, entropy, clipped, divergence]."""
    seen, masks, answers, before, gained, targets, players = rows
    logits, values, judged = network(seen)
    chances = functional.log_softmax(logits.masked_fill(~masks, NEVER), dim=1)
    now = chances.gather(1, answers[:, None])[:, 0]
    ratio = (now - before).exp()
    gained = (gained - gained.mean()) / (gained.std() + SAME)
    clipped = ratio.clamp(1 - learning.clip, 1 + learning.clip)
    policy = -torch.minimum(ratio * gained, clipped * gained).mean()
    wrong = value_loss(values, judged, targets, players)
    entropy = -(chances.exp() * chances).sum(1).mean()
    total = policy + learning.value_weight * wrong - entropy_weight * entropy
    away = ((ratio - 1).abs() > learning.clip).float().mean()
    return torch.stack((total, policy, wrong, entropy, away, (before - now).mean()))


def value_loss(values: Tensor, judged: Tensor, targets: Tensor, players: Tensor) -> Tensor:
    """How far values are from what they should have been; absent seats' do not count."""
    present = (torch.arange(SEATS, device=players.device) < players[:, None]).float().repeat(1, OUTCOMES // SEATS)
    missed = 0.5 * (values - targets).square() + 0.5 * (judged - targets).square()
    return 0.5 * (missed * present).sum() / present.sum()


PARTS = ("loss", "policy_loss", "value_loss", "entropy", "clipped", "divergence")
"""What `loss` is made of."""


def falling(first: float, last: float, progress: float) -> float:
    """A setting that falls in a straight line over a whole training.

    >>> falling(1.0, 0.0, 0.25), falling(1.0, 0.5, 2.0)
    (0.75, 0.5)
    """
    return first + (last - first) * min(progress, 1.0)


def learn(
    network: Network,
    optimiser: torch.optim.Optimizer,
    samples: Rows,
    learning: Learning,
    progress: float,
    lots: torch.Generator,
    measure: Callable[..., Tensor] = loss,
) -> Tensor:
    """Some epochs over all samples; the mean of what the losses are made of."""
    for group in optimiser.param_groups:
        group["lr"] = falling(learning.rate, learning.last_rate, progress)
    device = samples.columns[0].device
    entropy = torch.full((), falling(learning.entropy, learning.last_entropy, progress), device=device)
    size = samples.count // max(1, round(samples.count / learning.minibatch))
    seen = []
    for _ in range(learning.epochs):
        order = torch.randperm(samples.count, generator=lots, device=device)
        for part in range(samples.count // size):
            rows = samples.rows(order[part * size : (part + 1) * size])
            parts = measure(network, rows, entropy, learning)
            optimiser.zero_grad(set_to_none=True)
            parts[0].backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), learning.largest_gradient)
            optimiser.step()
            seen.append(parts.detach())
    return torch.stack(seen).mean(0)
