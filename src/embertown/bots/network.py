"""A trained network without torch: weights from a file, a few matrix products in NumPy.

A file is an npz of matrices in float16, or in int8 with a scale for each column, and a model card beside it (JSON: how
trained, for how long, what it reached). A row of numbers goes in; logits of answers and two values for each seat come
out, counted from the seat that looks: its share of the win against an equal share, and its lead, both from -1 to 1.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from embertown.core.errors import MalformedFile

FORMAT = "embertown-network/1"
FOLDER = Path(__file__).parent / "weights"
"""Where the weights that come along lie: a game's name with .npz, its card with .json."""
SCALE = ".scale"
EPSILON = np.float32(1e-5)
"""Keeps the norm from dividing by nothing, as in training."""
SEATS = 4
NEVER = np.float32(-1e9)


class NetworkWeights:
    """The weights of a network, ready to think with."""

    def __init__(self, arrays: dict[str, np.ndarray], card: dict[str, Any]) -> None:
        self.card = card
        whole = {name: _whole(arrays, name) for name in arrays if not name.endswith(SCALE)}
        self.entry = whole["entry.weight"], whole["entry.bias"]
        self.policy, self.values = ((whole[f"{n}.weight"], whole[f"{n}.bias"]) for n in ("policy", "values"))
        depth = sum(name.endswith(".norm") for name in whole)
        self.blocks = [_block(whole, f"blocks.{number}.") for number in range(depth)]

    def think(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For rows of what is seen: logits [n, answers] and values [n, 2, seats]."""
        x = np.maximum(rows @ self.entry[0] + self.entry[1], 0)
        for first, first_bias, second, second_bias in self.blocks:
            size = np.sqrt(np.einsum("ij,ij->i", x, x) / np.float32(x.shape[1]) + EPSILON)
            inner = np.maximum((x / size[:, None]) @ first + first_bias, 0)
            x = x + inner @ second + second_bias
        logits = x @ self.policy[0] + self.policy[1]
        values = np.tanh(x @ self.values[0] + self.values[1])
        return logits, values.reshape(len(rows), 2, SEATS)


def _whole(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    """An array in float32; the scales of one in int8 are multiplied in."""
    found: np.ndarray = arrays[name].astype(np.float32)
    return found * arrays[name + SCALE].astype(np.float32) if name + SCALE in arrays else found


def _block(whole: dict[str, np.ndarray], prefix: str) -> tuple[np.ndarray, ...]:
    """The two layers of a block; the norm's weights are multiplied into the first."""
    first = np.ascontiguousarray(whole[prefix + "norm"][:, None] * whole[prefix + "first.weight"])
    return first, whole[prefix + "first.bias"], whole[prefix + "second.weight"], whole[prefix + "second.bias"]


def chances(logits: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """How likely each legal answer is, row by row.

    >>> chances(np.array([[1.0, 1.0, 5.0]], np.float32), np.array([[1, 1, 0]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    legal = np.where(masks > 0, logits, NEVER)
    parts = np.exp(legal - legal.max(axis=1, keepdims=True)) * (masks > 0)
    shares: np.ndarray = parts / parts.sum(axis=1, keepdims=True)
    return shares


def read_network(file: Path, game: str, observation: int, actions: int) -> NetworkWeights:
    """A network from its file and card, checked to be one for this game as it is seen now."""
    try:
        card = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        with np.load(file, allow_pickle=False) as arrays:
            found = dict(arrays)
    except (OSError, ValueError) as problem:
        raise MalformedFile(
            str(file), "", "is no network", "an npz with its card, as training exports them"
        ) from problem
    wanted = {"format": FORMAT, "game": game, "observation": observation, "actions": actions}
    for key, value in wanted.items():
        if card.get(key) != value:
            raise MalformedFile(str(file.with_suffix(".json")), key, f"is {card.get(key)!r}", repr(value))
    return NetworkWeights(found, card)


@cache
def network_of(game: str, observation: int, actions: int, folder: Path = FOLDER) -> NetworkWeights:
    """The network that comes along for a game; an error that says so where none does."""
    file = folder / f"{game}.npz"
    if not file.exists():
        right = "one trained by python -m embertown.training, or another bot"
        raise MalformedFile(str(file), "", "no trained network is here", right)
    return read_network(file, game, observation, actions)
