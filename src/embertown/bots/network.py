"""A trained network without torch: weights from a file, some matrix products in NumPy.

A file is an npz of matrices in float16, and a model card beside it (JSON: how
trained, for how long, what it reached). A row of numbers goes in; logits of answers and two values for each seat come
out, counted from the seat that looks: its share of the win against an equal share, and its lead, both from -1 to 1.
"""

from __future__ import annotations

import hashlib
import io
import json
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias
from zipfile import BadZipFile

import numpy as np

from embertown.bots.contract import Choice, Reasons
from embertown.core.errors import BadArgument, MalformedFile, shown
from embertown.core.game import View
from embertown.core.grid import NOTHING, Grid, Guesses

FORMAT = "embertown-network/2"
FOLDER: Traversable = files("embertown.bots") / "weights"
"""Where the weights that come along lie: a game's name with .npz, its card with .json.

A network for one number of players has that behind the name: cronberg-2.
"""
EPSILON = 1e-5
"""Keeps the norm from dividing by nothing, here and in training."""
UNLIKELY = 1e-6
"""What is impossible at first sight has a logarithm, too."""
SEATS = 4
VALUES = 2
"""Of every seat: its share of the win and its lead."""
RIGHT = "an npz with its card, as training exports them"
ALIKE = 1e-3
"""Shares that differ by no larger part than this count as the same: NumPy's products err by less."""
TOLD = 3
"""So many of the likeliest actions are told."""
Adviser: TypeAlias = Literal["network", "both", "search"]
"""Who gives a hint: the network alone, a short search with the network beside it, or a short search alone."""
PLAYERS = frozenset(range(2, SEATS + 1))
TO_PLAYERS = ("training", "settings", "players")
"""Where a card says for how many players its network is."""
SIZED = ("entry.bias", "wide_entry.bias", "answers", "sights.ground.entry.bias")
"""Arrays that tell how large a network is."""
NEVER = np.float32(-1e9)
LEAST = np.float32(1e-30)


class NetworkWeights:
    """The weights of a network, ready to think with: what `training.network` computes, for the cells that there are."""

    def __init__(self, arrays: dict[str, np.ndarray], card: dict[str, Any], grid: Grid) -> None:
        self.card, self.grid = card, grid
        self.arrays = {name: array.astype(np.float32) for name, array in arrays.items()}
        self.sizes = sizes_of(arrays, grid)
        none = grid.observation  # a zero that rows get
        self._planes = np.where(grid.planes == NOTHING, none, grid.planes)[:, grid.cells].T.ravel()
        self._sights = np.zeros(0, np.int64) if grid.sights is None else grid.sights.T.ravel()

    @property
    def players(self) -> frozenset[int]:
        """How many players it has learned to play with."""
        return players_of(self.card)

    def is_strange(self, players: int) -> str:
        """Why it can't play with so many; nothing where it can."""
        return "" if players in self.players else f"the network has not learned to play with {players} players"

    def think(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For rows of what is seen: logits [n, answers] and values [n, 2, seats]."""
        count, guesses, of_ground = self.grid.cells.size, self.grid.guesses, None
        filled = np.concatenate((rows, np.zeros((len(rows), 1), np.float32)), axis=1)
        seen = filled[:, self._planes].reshape(len(rows), count, -1)
        singles = rows[:, self.grid.singles]
        if guesses is not None:
            things = self._guess(rows, singles, guesses).transpose(0, 2, 1)
            of_cells = (rows[:, guesses.cells.swapaxes(0, 1)] @ things[:, None]).reshape(len(rows), count, -1)
            of_ground = rows[:, guesses.ground] @ things[:, : guesses.ground.shape[1]]
            of_whole = (rows[:, guesses.singles] @ things).reshape(len(rows), -1)
            seen, singles = np.concatenate((seen, of_cells), axis=2), np.concatenate((singles, of_whole), axis=1)
        cells, whole = self._around("entry", seen), self._layer("wide_entry", singles)
        if self.grid.ground is not None:
            ground = self._ground(rows, singles, of_ground, self.grid.ground)
            whole += self._layer("sights.whole", self._all_of_it(rows, of_ground, ground))
            if len(ground) > 1:
                cells += self._layer("sights.cells", self._looks(rows, ground[1]))
        cells, whole = _positive(cells), _positive(whole)
        for number in range(self.sizes.depth):
            cells, whole = self._block(f"blocks.{number}.", cells, whole)
        judging = _positive(self._layer("whole", whole) + self._layer("whole_up", _pooled(cells)))
        values = np.tanh(self._layer("values", judging))
        return self._logits(seen, singles, cells, judging), values.reshape(len(rows), VALUES, SEATS)

    def _guess(self, rows: np.ndarray, singles: np.ndarray, guesses: Guesses) -> np.ndarray:
        """How likely it is that others hide what [n, others, things]."""
        prior = np.log(np.maximum(rows[:, guesses.prior], UNLIKELY))
        more = self._layer("guess.second", _positive(self._layer("guess.first", singles)))
        likely = np.exp(prior + more.reshape(prior.shape))
        found: np.ndarray = likely / likely.sum(axis=2, keepdims=True)
        return found

    def _ground(
        self, rows: np.ndarray, singles: np.ndarray, guessed: np.ndarray | None, grid: Grid
    ) -> tuple[np.ndarray, ...]:
        """What is told of the ground's cells, and what follows from it where the network looks at their neighbours."""
        seen = rows[:, grid.planes].transpose(0, 2, 1)
        if guessed is not None:
            seen = np.concatenate((seen, guessed), axis=2)
        if not self.sizes.narrow:
            return (seen,)
        told = self._layer("sights.ground.told", singles)
        x = _positive(self._around("sights.ground.entry", seen, grid) + told[:, None])
        for number in range(self.sizes.ground_depth):
            name = f"sights.ground.blocks.{number}."
            inner = _positive(self._around(name + "first", _normed(x, self.arrays[name + "norm"]), grid))
            x += self._layer(name + "second", inner)
        return seen, x

    def _all_of_it(self, rows: np.ndarray, guessed: np.ndarray | None, ground: tuple[np.ndarray, ...]) -> np.ndarray:
        """What there is on the ground in all: everything by what is at stake there, and what follows."""
        assert self.grid.ground is not None
        weights = rows[:, self.grid.ground.planes[list(self.grid.weighed)]]
        if guessed is not None:
            weights = np.concatenate((weights, guessed.transpose(0, 2, 1)), axis=1)
        parts = [_pooled(each) for each in ground[1:]]
        return np.concatenate((*parts, *((weights @ each).reshape(len(rows), -1) for each in ground)), axis=1)

    def _looks(self, rows: np.ndarray, ground: np.ndarray) -> np.ndarray:
        """What follows where the cells look [n, cells, sights * numbers]."""
        filled = np.concatenate((ground, np.zeros((len(ground), 1, ground.shape[2]), np.float32)), axis=1)
        where = rows[:, self._sights].astype(np.intp)
        looks: np.ndarray = filled[np.arange(len(rows))[:, None], where]
        return looks.reshape(len(rows), self.grid.cells.size, -1)

    def _block(self, name: str, cells: np.ndarray, whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, y = _normed(cells, self.arrays[name + "norm"]), _normed(whole, self.arrays[name + "wide_norm"])
        inner = _positive(self._layer(name + "wide_first", y) + self._layer(name + "up", _pooled(x)))
        told = _positive(self._around(name + "first", x) + self._layer(name + "down", inner)[:, None])
        return cells + self._layer(name + "second", told), whole + self._layer(name + "wide_second", inner)

    def _logits(self, seen: np.ndarray, singles: np.ndarray, cells: np.ndarray, judging: np.ndarray) -> np.ndarray:
        of_cell = self._around("around", cells) + self._layer("of_itself", seen)
        judges = _positive(of_cell + self._layer("of_whole", judging)[:, None]) * self.arrays["answers"]
        straight = self._layer("straight", seen)
        on_cells = judges.reshape(*straight.shape, -1).sum(axis=3) + straight
        single = self._layer("single_answers", judging) + self._layer("single_straight", singles)
        both = np.concatenate((on_cells.transpose(0, 2, 1).reshape(len(seen), -1), single), axis=1)
        logits: np.ndarray = both[:, self.grid.places]
        return logits

    def _layer(self, name: str, x: np.ndarray) -> np.ndarray:
        weight = self.arrays[name + ".weight"]
        found: np.ndarray = x.reshape(-1, len(weight)) @ weight  # one product, not one for each position
        found += self.arrays[name + ".bias"]
        return found.reshape(*x.shape[:-1], -1)

    def _around(self, name: str, cells: np.ndarray, grid: Grid | None = None) -> np.ndarray:
        """A layer from cells and their neighbours, of the game's grid or another one, to the cells."""
        count, numbers = cells.shape[1:]
        seen_from = (grid or self.grid).seen_from.ravel()
        if seen_from.size == count:  # cells that see nobody
            return self._layer(name, cells)
        filled = np.concatenate((cells, np.zeros((len(cells), 1, numbers), np.float32)), axis=1)
        return self._layer(name, filled.take(seen_from, axis=1).reshape(len(cells), count, -1))


def _positive(x: np.ndarray) -> np.ndarray:
    np.maximum(x, 0, out=x)
    return x


def _pooled(cells: np.ndarray) -> np.ndarray:
    """Of all cells together: the mean of each number, and the largest."""
    return np.concatenate((cells.mean(axis=1), np.maximum(cells.max(axis=1), 0)), axis=1)


def _normed(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Numbers brought to size 1 together."""
    size = np.sqrt(np.einsum("...i,...i->...", x, x) / np.float32(x.shape[-1]) + EPSILON)
    found: np.ndarray = x / size[..., None] * weight
    return found


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


def likeliest_first(shares: Iterable[tuple[int, float]]) -> tuple[tuple[int, float], ...]:
    """Actions with their shares, the likeliest first; those that are alike get the same share, the lowest number first.

    Where a position is symmetric, some are alike but for last digits, which depend on how many cores share a product.

    >>> likeliest_first([(9, 0.2500002), (4, 0.25), (2, 0.5)])
    ((2, 0.5), (4, 0.2500001), (9, 0.2500001))
    """
    groups: list[list[tuple[int, float]]] = []
    for each in sorted(shares, key=lambda each: -each[1]):
        if groups and each[1] >= (1 - ALIKE) * groups[-1][0][1]:
            groups[-1].append(each)
        else:
            groups.append([each])
    found: list[tuple[int, float]] = []
    for group in groups:
        mean = sum(share for _, share in group) / len(group)
        found += [(action, mean) for action, _ in sorted(group)]
    return tuple(found)


def told(view: View[Any], look: Look) -> Choice:
    """The likeliest action; as reasons the likeliest few with their shares, and what the seat may expect.

    A network judges positions, not what follows from each action: so nothing is told as looked at.
    """
    action = look.likely[0][0]
    shares = ", ".join(f"{view.text(each)} {share:.0%}" for each, share in look.likely[:TOLD])
    because = f"the network's choices: {shares}; to win: {look.win_share:.0%}"
    return Choice(action, Reasons(because=because, line=(view.text(action),)))


def players_of(card: dict[str, Any], file: str = "the model card") -> frozenset[int]:
    """How many players a network has learned to play with; where its card says nothing, every number.

    >>> sorted(players_of({})), sorted(players_of({"training": {"settings": {"players": [2]}}}))
    ([2, 3, 4], [2])
    """
    part: Any = card
    for depth, key in enumerate(TO_PLAYERS):
        if not isinstance(part, dict):
            raise MalformedFile(file, ".".join(TO_PLAYERS[:depth]), f"is {shown(part)}", "an object")
        if key not in part:
            return PLAYERS
        part = part[key]
    if not isinstance(part, list) or not part or not all(type(each) is int and each in PLAYERS for each in part):
        right = f"a list of numbers from {min(PLAYERS)} to {max(PLAYERS)}"
        raise MalformedFile(file, ".".join(TO_PLAYERS), f"is {shown(part)}", right)
    return frozenset(part)


def read_network(file: Path, game: str, grid: Grid) -> NetworkWeights:
    """A network from its file and the card beside it, checked to be whole and for this game as it is seen now."""
    return _read(file.parent, file.stem, game, grid)


def _read(folder: Traversable, name: str, game: str, grid: Grid) -> NetworkWeights:
    """The same from a folder that may lie in an archive."""
    card_file, file = folder / f"{name}.json", folder / f"{name}.npz"
    try:
        card, content = json.loads(card_file.read_text(encoding="utf-8")), file.read_bytes()
    except (OSError, ValueError, RecursionError) as problem:
        raise MalformedFile(str(file), "", "is no network", RIGHT) from problem
    wanted = {"format": FORMAT, "game": game, "observation": grid.observation, "actions": grid.actions}
    for key, value in wanted.items():
        found = card.get(key) if isinstance(card, dict) else None
        if found != value:
            raise MalformedFile(str(card_file), key, f"is {found!r}", repr(value))
    if card.get("sha256") != hashlib.sha256(content).hexdigest():
        raise MalformedFile(str(file), "", "is damaged, or not the file that its card is about", RIGHT)
    players_of(card, str(card_file))  # what is wrong there is said now, not in the middle of a game
    return NetworkWeights(_arrays(str(file), content, grid), card, grid)


def _arrays(file: str, content: bytes, grid: Grid) -> dict[str, np.ndarray]:
    """The arrays of a file, all that a network needs and each of its size."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            arrays = dict(found)
    except (OSError, ValueError, TypeError, BadZipFile, zlib.error) as problem:
        raise MalformedFile(file, "", "is no network", RIGHT) from problem
    for name, shape in shapes(grid, sizes_of(arrays, grid)).items():
        array = arrays.get(name)
        if array is None or array.shape != shape or not np.isfinite(array).all():
            what = "is missing" if array is None else f"has shape {array.shape}, or holds what is no number"
            raise MalformedFile(file, name, what, f"numbers of shape {shape}")
    return arrays


class Sizes(NamedTuple):
    """What can differ between networks of one game."""

    width: int
    """Numbers that a cell has inside."""
    wide: int
    """Numbers that the whole has."""
    judges: int
    """Numbers of a cell that judge each kind of its answers."""
    depth: int
    """Blocks."""
    narrow: int = 0
    """Numbers that a cell of the ground has inside, where there is one …"""
    ground_depth: int = 0
    """… and its blocks."""


def sizes_of(arrays: Mapping[str, np.ndarray], grid: Grid) -> Sizes:
    """As a network's arrays say."""
    width, wide, judges, narrow = (arrays[name].size if name in arrays else 0 for name in SIZED)
    depth = sum(name.endswith(".wide_norm") for name in arrays)
    ground_depth = sum(name.startswith("sights.ground.") and name.endswith(".norm") for name in arrays)
    return Sizes(width, wide, judges // len(grid.answers), depth, narrow, ground_depth)


def shapes(grid: Grid, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """By name: how large each array of such a network is."""
    judges = sizes.judges * len(grid.answers)
    layers = _layers(grid, sizes.width, sizes.wide, judges)
    found: dict[str, tuple[int, ...]] = {}
    for number in range(sizes.depth):
        block = f"blocks.{number}."
        found |= {block + "norm": (sizes.width,), block + "wide_norm": (sizes.wide,)}
        layers |= {block + name: size for name, size in _block_layers(grid, sizes.width, sizes.wide).items()}
    if grid.guesses is not None:
        layers |= _guess_layers(grid, grid.guesses, sizes.width)
    if grid.ground is not None:
        layers |= _ground_layers(grid, grid.ground, sizes)
        found |= {f"sights.ground.blocks.{number}.norm": (sizes.narrow,) for number in range(sizes.ground_depth)}
    for name, size in layers.items():
        found |= {f"{name}.weight": size, f"{name}.bias": size[1:]}
    return {**found, "answers": (judges,)}


def _layers(grid: Grid, width: int, wide: int, judges: int) -> dict[str, tuple[int, int]]:
    """By name: how many numbers come into a layer and go out of it."""
    around, kinds, single_answers = len(grid.neighbours), len(grid.answers), grid.single_answers.size
    planes, singles = _told(grid)
    return {
        "entry": (around * planes, width),
        "wide_entry": (singles, wide),
        "whole": (wide, wide),
        "whole_up": (2 * width, wide),
        "values": (wide, VALUES * SEATS),
        "single_answers": (wide, single_answers),
        "single_straight": (singles, single_answers),
        "around": (around * width, judges),
        "of_itself": (planes, judges),
        "of_whole": (wide, judges),
        "straight": (planes, kinds),
    }


def _block_layers(grid: Grid, width: int, wide: int) -> dict[str, tuple[int, int]]:
    """The same of a block."""
    return {
        "first": (len(grid.neighbours) * width, width),
        "second": (width, width),
        "wide_first": (wide, wide),
        "wide_second": (wide, wide),
        "up": (2 * width, wide),
        "down": (wide, width),
    }


def _told(grid: Grid) -> tuple[int, int]:
    """How many numbers are told of a cell and of the whole, with what is guessed."""
    guesses = grid.guesses
    if guesses is None:
        return len(grid.planes), grid.singles.size
    others = len(guesses.prior)
    return len(grid.planes) + len(guesses.cells) * others, grid.singles.size + len(guesses.singles) * others


def _guess_layers(grid: Grid, guesses: Guesses, width: int) -> dict[str, tuple[int, int]]:
    """The same of what guesses."""
    return {"guess.first": (grid.singles.size, width), "guess.second": (width, guesses.prior.size)}


def _ground_layers(grid: Grid, ground: Grid, sizes: Sizes) -> dict[str, tuple[int, int]]:
    """The same of what looks at the ground."""
    guessed = 0 if grid.guesses is None else len(grid.guesses.prior)
    around, planes, narrow = len(ground.neighbours), len(ground.planes) + guessed, sizes.narrow
    weights = len(grid.weighed) + guessed
    found = {"sights.whole": (2 * narrow + weights * (narrow + planes), sizes.wide)}
    if narrow:
        found["sights.ground.entry"] = (around * planes, narrow)
        found["sights.ground.told"] = (_told(grid)[1], narrow)
        found["sights.cells"] = (0 if grid.sights is None else len(grid.sights) * narrow, sizes.width)
    for number in range(sizes.ground_depth):
        block = f"sights.ground.blocks.{number}."
        found |= {block + "first": (around * narrow, narrow), block + "second": (narrow, narrow)}
    return found


def check_ways(ways: int, most: int) -> None:
    """Refuse to look in more ways than a board has, or in none.

    >>> check_ways(13, 12)
    Traceback (most recent call last):
    ...
    embertown.core.errors.BadArgument: ways is 13; right would be: from 1 to 12
    """
    if not 1 <= ways <= most:
        raise BadArgument(f"ways is {shown(ways)}; right would be: from 1 to {most}")


@cache
def network_of(game: str, players: int, grid: Grid, folder: Traversable = FOLDER) -> NetworkWeights:
    """The network that comes along for a game of so many; an error that says so where none does.

    The network for one number of players goes before the game's own, which says for whom it has learned.
    """
    names = (f"{game}-{players}", game)
    for name in names:
        if (folder / f"{name}.npz").is_file():
            network = _read(folder, name, game, grid)
            if name != game and network.is_strange(players):
                learned = f"is {sorted(network.players)}"
                raise MalformedFile(str(folder / f"{name}.json"), "players", learned, f"{players} among them")
            return network
    right = "one trained by python -m embertown.training, or another bot"
    raise MalformedFile(str(folder / f"{game}.npz"), "", "no trained network is here", right)
