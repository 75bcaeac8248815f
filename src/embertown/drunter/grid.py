"""How a network looks at Drunter & Drüber: each direction of each gang is a cell; no cell sees another.

What lies ahead there, what the gang is and has, and what each tile would take is told of it; tiles are answered there,
one kind of answer for each length. All else, votes and suspicions and the whole ground, are single numbers.

>>> GRID.cells.size == GANGS * len(DIRECTIONS), int(GRID.single_answers[0]) == observation.PASS
(True, True)
"""

from __future__ import annotations

import numpy as np

from embertown.core.grid import Grid, Guesses
from embertown.drunter import observation
from embertown.drunter.board import BUILDINGS, DIRECTIONS, GANGS, LENGTHS
from embertown.drunter.observation import (
    FORESEEN,
    FRAME,
    FRAME_HEIGHT,
    FRAME_WIDTH,
    GANG,
    LAYOUT,
    OTHERS,
    RAY,
    SQUARES,
    TOLD,
)
from embertown.drunter.rules import MAX_PLAYERS, OBJECTIVES, PASS


def _grid() -> Grid:
    cells = np.arange(GANGS * len(DIRECTIONS))
    rays = LAYOUT["rays"].start + cells * RAY + np.arange(RAY)[:, None]
    gangs = LAYOUT["gangs"].start + cells // len(DIRECTIONS) * GANG + np.arange(GANG)[:, None]
    tiles = cells * len(LENGTHS) + np.arange(len(LENGTHS))[:, None]
    lays = [LAYOUT["lays"].start + number * PASS + tiles for number in range(FORESEEN)]
    planes = np.concatenate((rays, gangs, *lays))
    sights = LAYOUT["squares"].start + cells * SQUARES + np.arange(SQUARES)[:, None]
    sizes = (observation.OBSERVATION, observation.ACTIONS)
    return Grid(GANGS, len(DIRECTIONS), ((0, 0),), planes, tiles, *sizes, _ground(), sights, _guesses(tiles), WEIGHED)


def _ground() -> Grid:
    planes = np.concatenate([np.arange(LAYOUT[name].start, LAYOUT[name].stop) for name in GROUND]).reshape(-1, FRAME)
    nothing = np.zeros((0, FRAME), np.int64)
    return Grid(FRAME_HEIGHT, FRAME_WIDTH, AROUND, planes, nothing, observation.OBSERVATION, 0)


def _guesses(tiles: np.ndarray) -> Guesses:
    """What everybody is out for: tiles, squares and the tile voted on, by objective."""
    things = np.arange(len(OBJECTIVES))
    prior = LAYOUT["suspicions"].start + np.arange(OTHERS)[:, None] * len(OBJECTIVES) + things
    effects = [LAYOUT["effects"].start + (part * len(OBJECTIVES) + things) * PASS for part in range(2)]
    cells = np.concatenate([part + tiles[:, :, None] for part in effects])
    ground = LAYOUT["kinds"].start + np.arange(FRAME)[:, None] + np.arange(len(BUILDINGS)) * FRAME
    worths = LAYOUT["points"].start + len(BUILDINGS) + things
    voted = [LAYOUT["proposal"].start + MAX_PLAYERS + part * TOLD + things for part in range(2)]
    return Guesses(prior, cells, ground, np.stack((worths, *voted)))


GROUND = ("ground", "outhouses", "stakes", "others", "kinds", "voted", "within", "near")
"""The parts of an observation that lie on the squares of the ground."""
WEIGHED = GROUND.index("stakes"), GROUND.index("others")
"""What oneself and the others have there: what becomes of a square matters by that."""
AROUND = ((0, 0), (-1, 0), (0, 1), (1, 0), (0, -1))
"""A square and those beside it."""
GRID = _grid()
"""Four gangs, four directions each; they look at the ground where they stand and where their tiles would lie."""
