"""How a network looks at a game: as cells of a grid that are all looked at alike, and single numbers beside them.

What a network learns on one cell it knows on all of them, so that it learns from a tenth of the games. A game's room
says (`grid.py`) which numbers of its observation lie on which cell, which cells are neighbours, and which answers are
given where.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

NOTHING = -1
"""Where a cell has no such number, or no such answer."""


@dataclass(frozen=True, eq=False)
class Guesses:
    """What others hide, one of several things each: a network learns to guess it, and sums up by how likely each is.

    Places where something stands in an observation; things come last.
    """

    prior: np.ndarray
    """[others, things]: how likely each is at first sight; nothing at all for others who are not there."""
    cells: np.ndarray
    """[numbers, cells, things]: what is told of a cell, if somebody has that thing."""
    ground: np.ndarray
    """[cells of the ground, things]: the same there, one number, of the first things alone."""
    singles: np.ndarray
    """[numbers, things]: the same of the whole."""


@dataclass(frozen=True, eq=False)
class Grid:
    """A description of a game's observations and answers. Two are never the same but the one is the other."""

    height: int
    width: int
    neighbours: tuple[tuple[int, int], ...]
    """Which cells a cell sees, itself first: rows down and columns to the right, at most one of each away."""
    planes: np.ndarray
    """[planes, cells]: by what is told of cells, and cell: where in an observation it stands, or `NOTHING`."""
    answers: np.ndarray
    """[kinds of answers, cells]: which answer that is, or `NOTHING`."""
    observation: int
    """How many numbers an observation has. Those that lie on no cell are single."""
    actions: int
    """How many answers there are. Those that are given on no cell are single."""
    ground: Grid | None = None
    """Another grid, without answers, whose cells these look at."""
    sights: np.ndarray | None = None
    """[sights, cells]: where in an observation stands which of the ground's cells is looked at; past the last: none."""
    guesses: Guesses | None = None
    """What others hide."""
    weighed: tuple[int, ...] = ()
    """Planes of the ground by which its cells are also summed up: what is at stake there, say."""

    @cached_property
    def singles(self) -> np.ndarray:
        """Where in an observation the numbers stand that belong to no cell."""
        elsewhere = [self.planes.ravel()]
        if self.ground is not None and self.sights is not None:
            elsewhere += [self.ground.planes.ravel(), self.sights.ravel()]
        if self.guesses is not None:
            elsewhere.append(self.guesses.cells.ravel())
        return np.setdiff1d(np.arange(self.observation), np.concatenate(elsewhere))

    @cached_property
    def single_answers(self) -> np.ndarray:
        """The answers that belong to no cell."""
        return np.setdiff1d(np.arange(self.actions), self.answers)

    @cached_property
    def cells(self) -> np.ndarray:
        """The cells of which there is anything to tell; the others fill the grid up."""
        return np.flatnonzero((self.planes != NOTHING).any(axis=0))

    @cached_property
    def places(self) -> np.ndarray:
        """By answer: where it stands among all kinds on all `cells` (kinds first), followed by the single ones."""
        on_cells = self.answers[:, self.cells].ravel()
        where = np.full(self.actions, NOTHING)
        where[on_cells[on_cells != NOTHING]] = np.flatnonzero(on_cells != NOTHING)
        where[self.single_answers] = on_cells.size + np.arange(self.single_answers.size)
        return where

    @cached_property
    def seen_from(self) -> np.ndarray:
        """[cells, neighbours]: by cell of `cells`, the numbers of its neighbours there; one past the last for none."""
        number = np.full((self.height + 2, self.width + 2), self.cells.size)
        rows, columns = np.divmod(self.cells, self.width)
        number[rows + 1, columns + 1] = np.arange(self.cells.size)
        return np.stack([number[rows + 1 + down, columns + 1 + right] for down, right in self.neighbours], axis=1)
