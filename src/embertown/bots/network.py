"""A trained network without torch: weights from a file, a few matrix products in NumPy.

A file is an npz of matrices in float16, or in int8 with a scale for each column, and a model card beside it (JSON: how
trained, for how long, what it reached). A row of numbers goes in; logits of answers and two values for each seat come
out, counted from the seat that looks: its share of the win against an equal share, and its lead, both from -1 to 1.
"""

from __future__ import annotations

import hashlib
import io
import json
import zlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from embertown.bots.contract import Choice, Reasons
from embertown.core.errors import MalformedFile
from embertown.core.game import View

FORMAT = "embertown-network/1"
FOLDER: Traversable = files("embertown.bots") / "weights"
"""Where the weights that come along lie: a game's name with .npz, its card with .json."""
SCALE = ".scale"
EPSILON = np.float32(1e-5)
"""Keeps the norm from dividing by nothing, as in training."""
SEATS = 4
VALUES = 2
"""Of every seat: its share of the win and its lead."""
RIGHT = "an npz with its card, as training exports them"
TOLD = 3
"""So many of the likeliest actions are told."""
NEVER = np.float32(-1e9)
LEAST = np.float32(1e-30)


class NetworkWeights:
    """The weights of a network, ready to think with."""

    def __init__(self, arrays: dict[str, np.ndarray], card: dict[str, Any]) -> None:
        self.card = card
        whole = {name: _whole(arrays, name) for name in arrays if not name.endswith(SCALE)}
        self.entry = whole["entry.weight"], whole["entry.bias"]
        self.policy, self.values = ((whole[f"{n}.weight"], whole[f"{n}.bias"]) for n in ("policy", "values"))
        depth = sum(name.endswith(".norm") for name in whole)
        self.blocks = [_block(whole, f"blocks.{number}.") for number in range(depth)]

    @property
    def players(self) -> frozenset[int]:
        """How many players it has learned to play with; where its card says nothing, every number."""
        known = self.card.get("training", {}).get("settings", {}).get("players", range(2, SEATS + 1))
        return frozenset(known)

    def is_strange(self, players: int) -> str:
        """Why it can't play with so many; nothing where it can."""
        return "" if players in self.players else f"the network has not learned to play with {players} players"

    def think(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For rows of what is seen: logits [n, answers] and values [n, 2, seats]."""
        x = np.maximum(rows @ self.entry[0] + self.entry[1], 0)
        for first, first_bias, second, second_bias in self.blocks:
            size = np.sqrt(np.einsum("ij,ij->i", x, x) / np.float32(x.shape[1]) + EPSILON)
            inner = np.maximum((x / size[:, None]) @ first + first_bias, 0)
            x = x + inner @ second + second_bias
        logits = x @ self.policy[0] + self.policy[1]
        values = np.tanh(x @ self.values[0] + self.values[1])
        return logits, values.reshape(len(rows), VALUES, SEATS)


def _whole(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    """An array in float32; the scales of one in int8 are multiplied in."""
    found: np.ndarray = arrays[name].astype(np.float32)
    return found * arrays[name + SCALE].astype(np.float32) if name + SCALE in arrays else found


def _block(whole: dict[str, np.ndarray], prefix: str) -> tuple[np.ndarray, ...]:
    """The two layers of a block; the norm's weights are multiplied into the first."""
    first = np.ascontiguousarray(whole[prefix + "norm"][:, None] * whole[prefix + "first.weight"])
    return first, whole[prefix + "first.bias"], whole[prefix + "second.weight"], whole[prefix + "second.bias"]


def chances(logits: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """How likely each legal answer is, row by row; nothing where none is legal.

    >>> chances(np.array([[1.0, 1.0, 5.0]], np.float32), np.array([[1, 1, 0]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    legal = np.where(masks > 0, logits, NEVER)
    parts = np.exp(legal - legal.max(axis=1, keepdims=True)) * (masks > 0)
    shares: np.ndarray = parts / np.maximum(parts.sum(axis=1, keepdims=True), LEAST)
    return shares


class Look(NamedTuple):
    """What a network says to a seat that has to choose."""

    likely: tuple[tuple[int, float], ...]
    """The legal actions with their shares, the likeliest first."""
    win_share: float
    """The share of the win that the seat may expect."""


def told(view: View[Any], look: Look) -> Choice:
    """The likeliest action; as reasons the likeliest few with their shares, and what the seat may expect.

    A network judges positions, not what follows from each action: so nothing is told as looked at.
    """
    action = look.likely[0][0]
    shares = ", ".join(f"{view.text(each)} {share:.0%}" for each, share in look.likely[:TOLD])
    because = f"the network's choices: {shares}; to win: {look.win_share:.0%}"
    return Choice(action, Reasons(because=because, line=(view.text(action),)))


def read_network(file: Path, game: str, observation: int, actions: int) -> NetworkWeights:
    """A network from its file and the card beside it, checked to be whole and for this game as it is seen now."""
    return _read(file.parent, file.stem, game, observation, actions)


def _read(folder: Traversable, name: str, game: str, observation: int, actions: int) -> NetworkWeights:
    """The same from a folder that may lie in an archive."""
    card_file, file = folder / f"{name}.json", folder / f"{name}.npz"
    try:
        card, content = json.loads(card_file.read_text(encoding="utf-8")), file.read_bytes()
    except (OSError, ValueError) as problem:
        raise MalformedFile(str(file), "", "is no network", RIGHT) from problem
    wanted = {"format": FORMAT, "game": game, "observation": observation, "actions": actions}
    for key, value in wanted.items():
        found = card.get(key) if isinstance(card, dict) else None
        if found != value:
            raise MalformedFile(str(card_file), key, f"is {found!r}", repr(value))
    if card.get("sha256") != hashlib.sha256(content).hexdigest():
        raise MalformedFile(str(file), "", "is damaged, or not the file that its card is about", RIGHT)
    return NetworkWeights(_arrays(str(file), content, observation, actions), card)


def _arrays(file: str, content: bytes, observation: int, actions: int) -> dict[str, np.ndarray]:
    """The arrays of a file, all that a network needs and each of its size."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            arrays = dict(found)
    except (OSError, ValueError, TypeError, BadZipFile, zlib.error) as problem:
        raise MalformedFile(file, "", "is no network", RIGHT) from problem
    width = arrays["entry.bias"].size if "entry.bias" in arrays else 0
    for name, shape in _shapes(arrays, observation, actions, width).items():
        array = arrays.get(name)
        if array is None or array.shape != shape or not np.isfinite(array).all():
            what = "is missing" if array is None else f"has shape {array.shape}, or holds what is no number"
            raise MalformedFile(file, name, what, f"numbers of shape {shape}")
    return arrays


def _shapes(arrays: Iterable[str], observation: int, actions: int, width: int) -> dict[str, tuple[int, ...]]:
    """By name: how large each array has to be; as many blocks as there are norms."""
    layers = {"entry": (observation, width), "policy": (width, actions), "values": (width, VALUES * SEATS)}
    shapes: dict[str, tuple[int, ...]] = {}
    for number in range(sum(name.endswith(".norm") for name in arrays)):
        shapes[f"blocks.{number}.norm"] = (width,)
        layers |= {f"blocks.{number}.{part}": (width, width) for part in ("first", "second")}
    for name, size in layers.items():
        shapes |= {f"{name}.weight": size, f"{name}.bias": size[1:]}
        if f"{name}.weight{SCALE}" in arrays:
            shapes[f"{name}.weight{SCALE}"] = size[1:]
    return shapes


@cache
def network_of(game: str, observation: int, actions: int, folder: Traversable = FOLDER) -> NetworkWeights:
    """The network that comes along for a game; an error that says so where none does."""
    file = folder / f"{game}.npz"
    if not file.is_file():
        right = "one trained by python -m embertown.training, or another bot"
        raise MalformedFile(str(file), "", "no trained network is here", right)
    return _read(folder, game, game, observation, actions)
