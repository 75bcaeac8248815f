"""Whether two devices play the same games: the same answers to both, and every number compared after every step."""

from __future__ import annotations

import numpy as np

from embertown.training.games import TrainingGame
from embertown.training.selfplay import CPU, GPU, SelfPlay

COMPARED = ("seats", "done", "scores", "masks", "outcomes", "observations")
CLOSE = 1e-5
"""Numbers may differ by rounding."""


def disagreement(game: TrainingGame, players: int, games: int, steps: int, device: str, variety: float = 0.5) -> str:
    """The first thing that differs between the CPU and another device, or nothing.

    >>> from embertown.training.games import training_game
    >>> disagreement(training_game("cronberg"), players=2, games=64, steps=3, device="cpu")
    ''
    """
    here, there = (SelfPlay(game, players, games, 1, where, variety, scattered=True) for where in (CPU, device))
    lots = np.random.Generator(np.random.PCG64(1))
    for step in range(steps + 1):
        for name in COMPARED:
            mine, other = getattr(here.arrays, name), _on_host(there, name)
            if not np.allclose(mine, other, rtol=0, atol=CLOSE):
                return f"{name} after {step} steps"
        masks = here.arrays.masks
        answers = (lots.random(masks.shape) * masks).argmax(axis=1)
        _answer(here, answers)
        _answer(there, answers)
    positions = [batch.kept()["positions"].tobytes() for batch in (here, there)]
    return "" if positions[0] == positions[1] else "positions"


def _on_host(batch: SelfPlay, name: str) -> np.ndarray:
    found: np.ndarray = batch.tensors[name].cpu().numpy() if batch.device == GPU else getattr(batch.arrays, name)
    return found


def _answer(batch: SelfPlay, answers: np.ndarray) -> None:
    if batch.device == GPU:
        batch.tensors["answers"].copy_(batch.tensors["answers"].new_tensor(answers))
    else:
        batch.arrays.answers[:] = answers
    batch.advance()
