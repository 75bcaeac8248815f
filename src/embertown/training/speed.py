"""How fast self-play is: environment steps alone, with looking at every position, with a network choosing, learning."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from embertown.training.games import TrainingGame
from embertown.training.gumbel import judge_by, judged
from embertown.training.kernels import one_game
from embertown.training.network import Network, new_network, quick_copy
from embertown.training.ppo import Learning, pick, tensor_of
from embertown.training.run import Run, Settings
from embertown.training.search import Search, Searching
from embertown.training.selfplay import GPU, SelfPlay

MANY_STEPS = 1000
"""Of a thread, between two looks."""
MORE_ALONE = 8
"""Without tensors there is room for so many times as many games."""
ROUNDS = 3
"""The best of so many counts."""


class Measured(NamedTuple):
    """What is measured: so many games of so many players on a device, with a network of this size."""

    game: TrainingGame
    players: int
    games: int
    device: str
    width: int
    depth: int

    @property
    def where(self) -> str:
        """The device, as torch calls it."""
        return "cuda" if self.device == GPU else "cpu"


def speeds(what: Measured, how: Searching, lessons: Learning) -> Iterator[tuple[str, float]]:
    """Steps a second: random actions; looked at; chosen by a network, as it is and compiled by torch; by search.

    Last, learned from by PPO, compiled on a GPU: what a training comes to.
    """
    yield "alone", alone(what)
    yield "looking", looking(what)
    yield "network", choosing(what)
    if what.device == GPU:
        yield "network_compiled", choosing(what, compiled=True)
    if what.game.kernels.step_by_share is not None:
        yield "search", by_search(what, how)
    yield "learning", learning(what, lessons)


def _best(device: str, steps: int, play: Any) -> float:
    """Steps a second, of the best round; the first, which compiles, does not count."""
    play()
    found = 0.0
    for _ in range(ROUNDS):
        _wait(device)
        began = time.perf_counter()
        play()
        _wait(device)
        found = max(found, steps / (time.perf_counter() - began))
    return found


def _wait(device: str) -> None:
    if device == GPU:
        torch.cuda.synchronize()


def alone(what: Measured) -> float:
    """The rules and the lots for actions and draws, nothing else."""
    game, players, device, games = what.game, what.players, what.device, MORE_ALONE * what.games
    layouts = game.layouts(players, 0.0, 1)
    blank = np.zeros(1, game.memory)
    if device != GPU:
        wander = one_game(game).wander
        work, memory = layouts.starts[:1].copy(), np.zeros(1, game.memory)
        first = layouts.boards[0], layouts.starts[0], blank[0]
        return _best(device, MANY_STEPS, lambda: wander(*first, work, memory, np.uint64(1), MANY_STEPS))
    from embertown.training import device as gpu

    arrays = [gpu.cuda.to_device(array) for array in (layouts.boards, layouts.starts, blank)]
    ended = gpu.cuda.to_device(np.zeros(games, np.int64))
    run = gpu.wander_all(game, layouts.starts.dtype)[gpu.blocks(games), gpu.THREADS_PER_BLOCK]
    return _best(device, MANY_STEPS * games, lambda: run(*arrays, 1, MANY_STEPS, ended))


def looking(what: Measured, steps: int = 64) -> float:
    """Steps, observations and masks; each answer is the first legal one after a number that changes."""
    batch = SelfPlay(what.game, what.players, what.games, 1, what.device)
    masks, answers = tensor_of(batch, "masks"), tensor_of(batch, "answers")
    lots = torch.Generator(masks.device).manual_seed(1)

    def play() -> None:
        for _ in range(steps):
            answers.copy_((torch.rand(masks.shape, generator=lots, device=masks.device) * masks).argmax(1))
            batch.advance()

    return _best(what.device, steps * what.games, play)


def choosing(what: Measured, compiled: bool = False, steps: int = 64) -> float:
    """A network draws every answer from its policy."""
    network = _network(what)
    kind = next(network.parameters()).dtype
    batch = SelfPlay(what.game, what.players, what.games, 1, what.device)
    seen, masks, answers = (tensor_of(batch, name) for name in ("observations", "masks", "answers"))
    lots = torch.Generator(what.where).manual_seed(1)
    think: Any = torch.compile(network) if compiled else network

    @torch.no_grad()
    def play() -> None:
        for _ in range(steps):
            logits, *_ = think(seen.to(kind, memory_format=torch.contiguous_format))
            answers.copy_(pick(logits, masks.bool(), lots)[0])
            batch.advance()

    return _best(what.device, steps * what.games, play)


def by_search(what: Measured, how: Searching, steps: int = 2) -> float:
    """A search with a network finds every answer; on a GPU compiled by torch."""
    batch = SelfPlay(what.game, what.players, what.games, 1, what.device, scattered=True)
    search = Search([batch], how, Learning.win_weight)
    judge = judge_by(_network(what), torch.compile(judged) if what.device == GPU else judged)

    def play() -> None:
        for _ in range(steps):
            search.run(judge)
            batch.advance()

    return _best(what.device, steps * what.games, play)


def learning(what: Measured, lessons: Learning) -> float:
    """Whole iterations of a training: some steps in all games, and the lessons from them; on a GPU compiled."""
    settings = Settings(
        game=what.game.name,
        players=(what.players,),
        games=(what.games,),
        width=what.width,
        depth=what.depth,
        device=what.device,
        compiled=what.device == GPU,
        learning=lessons,
    )
    run = Run(settings)
    return _best(what.device, lessons.steps * what.games, lambda: run.iterate(0.0))


def _network(what: Measured) -> Network:
    """A new one, as it plays."""
    return quick_copy(new_network(what.game, what.width, what.depth, 1).to(what.where), what.where)
