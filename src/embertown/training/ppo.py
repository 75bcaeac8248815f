"""Learning from self-play: proximal policy optimisation with a value for every seat.

A game's decisions are one sequence, whoever makes them. At each of them the network says what the game is worth to
every seat, so that each seat's advantage is summed over all decisions, its own and others'; the policy learns from
the advantage of the seat that acted, the values from all.

What chance brings in the course of a game is nobody's doing: before a draw the network says what each thing that may
be drawn would be worth, and by how much the one that was drawn is better than the mean is taken off (`lucky`). In the
mean that is nothing, whatever the network says, so that nobody's advantage is bent by it; but it has less noise.

Where seats have secrets, what one seat thinks of another is no measure for that one's play: it does not know what the
other plays for, so that summing over all decisions would credit nobody with what only they can see. There the critic
judges, who sees all cards (`network`); it is right for every seat, and thrown away after training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from embertown.training.games import MIN_SEATS, SEATS, TrainingGame
from embertown.training.kernels import MARGIN, OUTCOMES, SHARE
from embertown.training.limits import MOST, check_ranges
from embertown.training.network import Network
from embertown.training.selfplay import GPU, SelfPlay

NEVER = -1e9
"""The logit of an answer that is not legal."""
LEAST_NOISE = 1e-30
"""Above nothing, whose logarithm would outdo even what is not legal."""
SAME = 1e-8
LEAST_SHARE = 0.01
SPREADINGS = 8
"""What is above certain is spread over the other rows, which some of them make certain, too."""
LIMITS = {
    **dict.fromkeys(("steps", "epochs", "minibatch"), (1, MOST)),
    **dict.fromkeys(("rate", "last_rate", "warm_up", "entropy", "last_entropy", "clip"), (0, MOST)),
    **dict.fromkeys(("largest_gradient", "value_weight", "guess_weight"), (0, MOST)),
    **dict.fromkeys(("decay", "win_weight"), (0, 1)),
    **dict.fromkeys(("share", "least_interest"), (LEAST_SHARE, 1)),
}
"""Between what `Learning`'s numbers lie."""


@dataclass(frozen=True)
class Learning:
    """How is learned."""

    steps: int = 64
    """Decisions of each game between two lessons."""
    epochs: int = 2
    share: float = 1.0
    """An epoch learns from so many of the decisions, more often from those in which much is open (`openness`)."""
    least_interest: float = 0.2
    """A decision is drawn as often as this and the rest of 1 times how open it is; but never twice in an epoch."""
    minibatch: int = 131_072
    """About so many samples are one lesson: those of an iteration are cut into equal parts."""
    rate: float = 1e-3
    last_rate: float = 5e-5
    warm_up: int = 100
    """Over so many lessons the rate rises from nothing: Adam does not know yet how large gradients are."""
    entropy: float = 0.02
    last_entropy: float = 0.002
    decay: float = 0.95
    """GAE's lambda."""
    clip: float = 0.2
    largest_gradient: float = 0.5
    value_weight: float = 1.0
    guess_weight: float = 0.2
    win_weight: float = 0.6
    """What a seat wants: so much of the share of the win, the rest of the lead."""

    def __post_init__(self) -> None:
        check_ranges(self, LIMITS)


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
        self.openness = room()
        self.draws = room(0 if game.draw is None else game.draw.size)
        """By what was drawn: 1 less how likely it was, and for all else that might have come, less how likely."""
        self.luck = room(OUTCOMES)
        """How much better than the mean that is, as the network said before; counted from the seat that acts."""
        self.truths = [] if game.truths is None else game.truths.ravel().tolist()
        """Where in a row it stands what is to be guessed."""
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


def pick(logits: Tensor, masks: Tensor, lots: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """An answer for each row by lot, as likely as the network says; the logarithm of that chance; how open it was."""
    chances = functional.log_softmax(logits.masked_fill(~masks, NEVER), dim=1)
    noise = torch.empty_like(chances).exponential_(generator=lots).clamp_min_(LEAST_NOISE)
    answers = (chances - noise.log()).argmax(1)
    return answers, chances.gather(1, answers[:, None])[:, 0], openness(chances.exp())


def openness(policy: Tensor) -> Tensor:
    """How much is open under a policy: the size of what it learns from a decision, but for how good that was.

    That is the root mean square of the gradient of an answer's logarithm by the logits.

    >>> openness(torch.tensor([[1.0, 0.0, 0.0], [0.64, 0.36, 0.0], [0.5, 0.5, 0.0]])).round(decimals=2).tolist()
    [0.0, 0.6800000071525574, 0.7099999785423279]
    """
    return (1 - policy.square().sum(-1)).clamp_min(0).sqrt()


def drawn_rows(interest: Tensor, share: float, lots: torch.Generator) -> tuple[Tensor, Tensor]:
    """Which rows an epoch learns from, in which order, and what weight each has.

    A share of them, each as often as its interest says but none twice, and the weightier the more seldom: so sums are
    in the mean those of all rows. Most decisions of a network that has learned are clear, and nearly all is learned
    from the rest.
    """
    count, device = len(interest), interest.device
    order = torch.randperm(count, generator=lots, device=device)
    if share == 1:
        return order, torch.ones(count, device=device)
    many = max(1, int(share * count))
    likely = as_likely(interest[order].double(), many)
    ends, steps = likely.cumsum(0), torch.arange(many, device=device, dtype=torch.float64)
    first = torch.rand((), generator=lots, device=device, dtype=torch.float64)
    found = torch.searchsorted(ends, (steps + first) * (ends[-1] / many)).clamp_max(count - 1)
    return order[found], (ends[-1] / count / likely[found]).float()


def as_likely(interest: Tensor, many: int) -> Tensor:
    """How likely each row is drawn: as its interest says, at most for sure, and about so many in all.

    >>> as_likely(torch.tensor([1.0, 1.0, 2.0, 8.0]), 2).tolist()
    [0.25, 0.25, 0.5, 1.0]
    """
    likely = interest * (many / interest.sum())
    for _ in range(SPREADINGS):  # so many always: to look whether it is done would be to wait for a GPU
        is_sure = likely >= 1
        left = torch.where(is_sure, 0, likely)
        likely = torch.where(is_sure, 1, likely * ((many - is_sure.sum()) / left.sum().clamp_min(SAME)))
    return likely.clamp_max(1)


@torch.no_grad()
def collect(
    batches: Sequence[SelfPlay], network: Callable[..., Any], into: Trajectories, lots: torch.Generator
) -> Tensor:
    """Play on in all games, writing everything down; the values of the positions that follow. No waiting for a GPU."""
    steps = into.answers.shape[0]
    for step in range(steps):
        write_down(batches, into, step)
        logits, _, values, worths, _ = network(into.observations[step])
        answers, log_chances, is_open = pick(logits, into.masks[step], lots)
        into.log_chances[step].copy_(log_chances)
        into.openness[step].copy_(is_open)
        into.values[step].copy_(values)
        for batch, part in zip(batches, into.slices, strict=True):
            tensor_of(batch, "answers").copy_(answers[part])
        note_step(batches, into, step)
        into.luck[step].copy_(lucky(into.draws[step], worths))
    return following_values(batches, network, into)


def lucky(draws: Tensor, worths: Tensor) -> Tensor:
    """How much better than the mean what was drawn is, if each that might be drawn is worth this; nothing without."""
    return (draws[..., None] * worths).sum(1)


def drawn(game: TrainingGame, before: Tensor, after: Tensor) -> Tensor:
    """What was drawn between two rows, less how likely each was; nothing where nothing was drawn.

    >>> from dataclasses import replace
    >>> from embertown.training.games import Draw, training_game
    >>> game = replace(training_game("cronberg"), draw=Draw(may_come=0, came=2, size=2, is_drawn=4))
    >>> before, after = torch.tensor([[3.0, 1, 0, 0, 0]] * 2), torch.tensor([[3.0, 0, 0, 1, 1], [3, 1, 0, 0, 0]])
    >>> (drawn(game, before, after) + 0).tolist()
    [[-0.75, 0.75], [0.0, 0.0]]
    """
    if game.draw is None:
        return before[:, :0].float()
    may_come, came, size, is_drawn = game.draw
    weights = before[:, may_come : may_come + size].float()
    likely = weights / weights.sum(1, keepdim=True).clamp_min(SAME)
    return (after[:, came : came + size].float() - likely) * after[:, is_drawn : is_drawn + 1].float()


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
        after = tensor_of(batch, "observations")
        into.draws[step, part].copy_(drawn(batch.game, into.observations[step, part], after))
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


class Gains(NamedTuple):
    """What came of decisions."""

    wanted: Tensor
    """The advantage of the seat that acted."""
    targets: Tensor
    """What the values should have been, counted from it."""
    surprises: Tensor
    """How the values changed by the decision and what chance brought, luck included; counted from it."""


@torch.no_grad()
def advantages(made: Trajectories, last: Tensor, learning: Learning) -> Gains:
    """What came of all decisions, luck taken off."""
    values, luck = (by_seat(each, made.seats, made.players) for each in (made.values, made.luck))
    gains, surprises = torch.empty_like(values), torch.empty_like(values)
    gain, following = torch.zeros_like(last), last
    for step in range(len(values) - 1, -1, -1):
        goes_on = (1.0 - made.done[step])[:, None]
        surprises[step] = made.outcomes[step] + goes_on * following - values[step]
        gain = surprises[step] - luck[step] + learning.decay * goes_on * gain
        gains[step], following = gain, values[step]
    own = made.seats[..., None]
    shares, margins = gains.gather(-1, SHARE + own), gains.gather(-1, MARGIN + own)
    wanted = learning.win_weight * shares + (1 - learning.win_weight) * margins
    targets, changes = (from_seat(each, made.seats, made.players) for each in (gains + values, surprises))
    return Gains(wanted[..., 0], targets, changes)


def alike(gained: Tensor, players: Tensor) -> Tensor:
    """Advantages brought to mean 0 and spread 1, for each number of players by itself.

    The more play, the less a decision changes: together, games of four would hardly count.

    >>> found = alike(torch.tensor([4.0, 8.0, 0.1, 0.2, 0.3]), torch.tensor([2, 2, 4, 4, 4]))
    >>> [round(each, 2) for each in found.tolist()]
    [-1.0, 1.0, -1.22, 0.0, 1.22]
    """
    found = torch.zeros_like(gained)
    for number in range(MIN_SEATS, SEATS + 1):
        playing = players == number
        count = playing.sum().clamp_min(1)
        away = torch.where(playing, gained - (gained * playing).sum() / count, 0.0)
        found += away / ((away.square().sum() / count).sqrt() + SAME)
    return found


class Rows(Protocol):
    """What `learn` takes: columns of the same length."""

    count: int
    openness: Tensor

    @property
    def columns(self) -> tuple[Tensor, ...]:
        """Each of as many rows."""

    def rows(self, index: Tensor) -> tuple[Tensor, ...]:
        """These rows of every column."""


class Samples:
    """Trajectories as rows to learn from."""

    def __init__(self, made: Trajectories, last: Tensor, learning: Learning) -> None:
        gained, targets, surprises = advantages(made, last, learning)
        players = made.players.expand(made.seats.shape).flatten()
        self.columns = (
            made.observations.flatten(0, 1),
            made.masks.flatten(0, 1),
            made.answers.flatten(),
            made.log_chances.flatten(),
            alike(gained.flatten(), players),
            made.draws.flatten(0, 1),
            surprises.flatten(0, 1),
            targets.flatten(0, 1),
            players,
            made.observations.flatten(0, 1)[:, made.truths],
        )
        self.count, self.openness = self.columns[2].shape[0], made.openness.flatten()

    def rows(self, index: Tensor) -> tuple[Tensor, ...]:
        """These rows of every column."""
        return tuple(column[index] for column in self.columns)


def loss(network: Callable[..., Any], rows: Sequence[Tensor], entropy_weight: Tensor, learning: Learning) -> Tensor:
    """What is to become small, and what it is made of: `PARTS`; of rows with their weights."""
    weights, seen, masks, answers, before, gained, draws, surprises, targets, players, truths = rows
    logits, values, judged, worths, guessed = network(seen)
    chances = functional.log_softmax(logits.masked_fill(~masks, NEVER), dim=1)
    now = chances.gather(1, answers[:, None])[:, 0]
    ratio = (now - before).exp()
    clipped = ratio.clamp(1 - learning.clip, 1 + learning.clip)
    policy = -(weights * torch.minimum(ratio * gained, clipped * gained)).mean()
    wrong = value_loss(values, judged, targets, players, weights)
    entropy = -(weights * (chances.exp() * chances).sum(1)).mean()
    missed, share = luck_loss(lucky(draws, worths), draws, surprises, players, weights)
    guesses = torch.zeros_like(wrong) if guessed is None else guess_loss(guessed, truths, players, weights)
    total = policy + learning.value_weight * (wrong + missed) - entropy_weight * entropy
    total = total + learning.guess_weight * guesses
    away = (weights * ((ratio - 1).abs() > learning.clip)).mean()
    return torch.stack((total, policy, wrong, entropy, away, (weights * (before - now)).mean(), share, guesses))


def value_loss(values: Tensor, judged: Tensor, targets: Tensor, players: Tensor, weights: Tensor) -> Tensor:
    """How far values are from what they should have been; absent seats' do not count."""
    present = _present(players) * weights[:, None]
    missed = 0.5 * (values - targets).square() + 0.5 * (judged - targets).square()
    return 0.5 * (missed * present).sum() / present.sum()


def guess_loss(guessed: Tensor, truths: Tensor, players: Tensor, weights: Tensor) -> Tensor:
    """How unlikely the truth was thought; absent seats have none."""
    return -(guessed.flatten(1) * truths * weights[:, None]).sum() / (weights * (players - 1)).sum()


def _present(players: Tensor) -> Tensor:
    """Rows of values: 1 for those of seats that play."""
    return (torch.arange(SEATS, device=players.device) < players[:, None]).float().repeat(1, OUTCOMES // SEATS)


def luck_loss(
    luck: Tensor, draws: Tensor, surprises: Tensor, players: Tensor, weights: Tensor
) -> tuple[Tensor, Tensor]:
    """How far what was said of draws is from how the values changed by them, and what share of that change it tells.

    Where nothing is drawn, nothing is told.
    """
    counted = _present(players) * (draws != 0).any(1, keepdim=True) * weights[:, None]
    missed, changed = ((each.square() * counted).sum() for each in (luck - surprises, surprises))
    share = torch.where(changed > 0, 1 - missed.detach() / changed.clamp_min(SAME), 0.0)
    return 0.5 * missed / counted.sum().clamp_min(SAME), share


def critic_loss(network: Network, rows: Sequence[Tensor], _entropy: Tensor, _learning: Learning) -> Tensor:
    """How far a critic's values are from what they should have been, and nothing else; parts as of `loss`."""
    weights, seen, *_, targets, players, _ = rows
    judged = network.judged_alone(seen)
    wrong = value_loss(judged, judged, targets, players, weights)
    nothing = torch.zeros_like(wrong)
    return torch.stack((wrong, nothing, wrong, *[nothing] * (len(PARTS) - 3)))


PARTS = ("loss", "policy_loss", "value_loss", "entropy", "clipped", "divergence", "luck", "guess_loss")
"""What `loss` is made of; `luck`: the share of what draws change that was told beforehand."""


def falling(first: float, last: float, progress: float) -> float:
    """A setting that falls in a straight line over a whole training.

    >>> falling(1.0, 0.0, 0.25), falling(1.0, 0.5, 2.0)
    (0.75, 0.5)
    """
    return first + (last - first) * min(progress, 1.0)


class Lesson:
    """A step of the optimiser towards a smaller loss of some weighted rows; it tells what the loss was made of."""

    def __init__(
        self,
        network: Network,
        optimiser: torch.optim.Optimizer,
        learning: Learning,
        measure: Callable[..., Tensor] = loss,
    ) -> None:
        self.network, self.optimiser, self.learning, self.measure = network, optimiser, learning, measure

    def __call__(self, entropy: Tensor, *rows: Tensor) -> Tensor:
        """With so much weight on entropy."""
        parts = self.measure(self.network, rows, entropy, self.learning)
        self.optimiser.zero_grad(set_to_none=True)
        parts[0].backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.learning.largest_gradient)
        self.optimiser.step()
        return parts.detach()


def set_rate(optimiser: torch.optim.Optimizer, rate: float) -> None:
    """How far a step of the optimiser goes; what was recorded for a GPU reads it from where it lies."""
    for group in optimiser.param_groups:
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(rate)
        else:
            group["lr"] = rate


def learn(
    lesson: Callable[..., Tensor],
    optimiser: torch.optim.Optimizer,
    samples: Rows,
    learning: Learning,
    progress: float,
    lots: torch.Generator,
    lessons: int = 0,
) -> tuple[Tensor, int]:
    """Some epochs over all samples, after so many lessons; the mean of what losses are made of, and all lessons."""
    device = samples.columns[0].device
    entropy = torch.full((), falling(learning.entropy, learning.last_entropy, progress), device=device)
    interest = learning.least_interest + (1 - learning.least_interest) * samples.openness
    rate, seen = falling(learning.rate, learning.last_rate, progress), []
    for _ in range(learning.epochs):
        order, weights = drawn_rows(interest, learning.share, lots)
        size = len(order) // max(1, round(len(order) / learning.minibatch))
        for part in range(len(order) // size):
            lessons += 1
            set_rate(optimiser, rate * min(1.0, lessons / max(1, learning.warm_up)))
            here = slice(part * size, (part + 1) * size)
            seen.append(lesson(entropy, weights[here], *samples.rows(order[here])).clone())
    return torch.stack(seen).mean(0), lessons
