"""What the framework has to know of a game to train for it: its kernels, its sizes, its boards.

Only NumPy and numba are needed to get here: a machine with a GPU may have nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from embertown.core.errors import BadArgument, UnknownGame
from embertown.core.grid import Grid

MIN_SEATS, SEATS = 2, 4
"""Values are given for so many seats, counted from the one that acts; absent ones are nobody's."""

GAMES = {
    "cronberg": "embertown.training.cronberg_game",
    "drunter": "embertown.training.drunter_game",
}
"""By name: the module whose `GAME` tells about it."""


class Round(NamedTuple):
    """A round of looking at a position, in parts that need nothing of each other."""

    parts: int
    observe: Any
    """(board, position, memory, seat, symmetry, part, out)"""


class Kernels(NamedTuple):
    """A game's functions as self-play calls them; all of them compiled, for the CPU and the GPU alike."""

    acting_seat: Any
    """(position) -> the seat that decides next"""
    observe: Any
    """(board, position, memory, seat, symmetry, out): what it sees"""
    mask: Any
    """(board, position, seat, symmetry, out): 1 for every legal answer"""
    action_of: Any
    """(board, position, symmetry, answer) -> the action of the rules"""
    step: Any
    """(board, position, memory, seat, action, random) -> the next state of chance"""
    begin: Any
    """(board, start, position, memory, random) -> the next state of chance; `position` is a copy of `start`"""
    is_over: Any
    """(position) -> whether the game has ended"""
    random_action: Any
    """(board, position, seat, random) -> a legal action of the rules"""
    is_winner: Any
    """(board, position, seat) -> whether it has won a game that is over, alone or with others"""
    step_by_share: Any = None
    """(board, position, memory, seat, action, share) -> what chance decided, as a number; for the search.

    Chance's outcomes lie side by side from 0 to 1, each as wide as it is likely, and the share picks one. None where
    seats have secrets: there a search would have to guess them.
    """
    rounds: tuple[Round, ...] = ()
    """What `observe` does, round by round: on a GPU every part of a round has a thread. None: it is one thread's."""


class Draw(NamedTuple):
    """Where a row tells what chance may bring, and after it what it brought: `size` numbers each.

    What may come are weights; what came are shares of 1, in the mean as the weights are. So whatever is expected of
    each of them beforehand, and taken off, is nothing in the mean: luck, and nobody's doing.
    """

    may_come: int
    came: int
    size: int
    is_drawn: int
    """Where it stands, as 1, that something came."""


class Layouts(NamedTuple):
    """The boards that games are played on, and how each lies before the network; all of the same length."""

    boards: np.ndarray
    symmetries: np.ndarray
    starts: np.ndarray
    """The position before the first decision, or before the deal."""
    weights: np.ndarray
    """How often each is to be used, as shares of 1."""


@dataclass(frozen=True)
class TrainingGame:
    """A game for the framework."""

    name: str
    grid: Grid
    """How a network looks at it."""
    memory: np.dtype[Any]
    kernels: Kernels
    layouts: Callable[[int, float, int], Layouts]
    """(players, the share of games on changed editions, seed)"""
    margin_scale: float
    """A lead of so many points is nearly as good as any larger one."""
    players: tuple[int, ...]
    secrets: int = 0
    """So many numbers follow in a row that only the critic sees, in training: what others hide from the seat."""
    hidden_stakes: np.ndarray | None = field(default=None, compare=False)
    """[planes, cells of the ground]: where in a row the critic finds what others have at stake on each cell."""
    truths: np.ndarray | None = field(default=None, compare=False)
    """[others, things]: where in a row it stands what is to be guessed."""
    draw: Draw | None = None
    """Where chance decides something in the course of the game."""

    @property
    def observation(self) -> int:
        """How many numbers a network sees."""
        return self.grid.observation

    @property
    def actions(self) -> int:
        """How many answers it may give."""
        return self.grid.actions

    @property
    def row(self) -> int:
        """How many numbers a row has, filled up."""
        return filled_up(self.observation) + filled_up(self.secrets)


ALIGNED = 8
"""Rows of matrices are filled up to a multiple of this: a GPU multiplies others at a fraction of its speed."""


def filled_up(size: int) -> int:
    """The next multiple of `ALIGNED`.

    >>> filled_up(838), filled_up(840)
    (840, 840)
    """
    return -(-size // ALIGNED) * ALIGNED


def training_game(name: str) -> TrainingGame:
    """A game by its name."""
    if name not in GAMES:
        raise UnknownGame(name, GAMES)
    found: TrainingGame = import_module(GAMES[name]).GAME
    return found


def check_players(game: TrainingGame, players: int) -> None:
    """Refuse a number of players that the game is not for."""
    if players not in game.players:
        raise BadArgument(f"players are {players}; right would be: {', '.join(map(str, game.players))}")
