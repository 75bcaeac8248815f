"""How a network looks at Drunter & Drüber: each direction of each gang is a cell; no cell sees another.

What lies ahead there, what the gang is and has, and what each tile would take is told of it; tiles are answered there,
one kind of answer for each length. All else, votes and suspicions and the whole ground, are single numbers.

>>> GRID.cells.size == GANGS * len(DIRECTIONS), int(GRID.single_answers[0]) == observation.PASS
(True, True)
"""

from __future__ import annotations

import numpy as np

from embertown.core.grid import Grid
from embertown.drunter import observation
from embertown.drunter.board import DIRECTIONS, GANGS, LENGTHS
from embertown.drunter.observation import FORESEEN, GANG, LAYOUT, RAY
from embertown.drunter.rules import PASS


def _grid() -> Grid:
    cells = np.arange(GANGS * len(DIRECTIONS))
    rays = LAYOUT["rays"].start + cells * RAY + np.arange(RAY)[:, None]
    gangs = LAYOUT["gangs"].start + cells // len(DIRECTIONS) * GANG + np.arange(GANG)[:, None]
    tiles = cells * len(LENGTHS) + np.arange(len(LENGTHS))[:, None]
    lays = [LAYOUT["lays"].start + number * PASS + tiles for number in range(FORESEEN)]
    planes = np.concatenate((rays, gangs, *lays))
    sizes = (observation.OBSERVATION, observation.ACTIONS)
    return Grid(GANGS, len(DIRECTIONS), ((0, 0),), planes, tiles, *sizes)


GRID = _grid()
"""Four gangs, four directions each."""
