"""How a network looks at Cronberg: the crossings of its hexagon are the cells, and a cell sees the six around it.

Rows of a grid are the hexagon's, each pushed half a crossing to the right of the one above. A triangle is told of at
one of its corners, a placement at a blunt corner of its rhomb, from where all four corners are neighbours.

>>> GRID.cells.size == observation.CROSSINGS, GRID.single_answers.tolist() == [observation.DRAW, observation.PASS]
(True, True)
"""

from __future__ import annotations

import numpy as np

from embertown.core.grid import NOTHING, Grid
from embertown.cronberg import observation
from embertown.cronberg.board import Board
from embertown.cronberg.foresight import EFFECTS
from embertown.cronberg.observation import CROSSINGS, PLACEMENTS, SIDE, TRIANGLES, hexagon, lattice_point
from embertown.cronberg.rules import TURNS

ACROSS = 2 * SIDE + 1
"""Crossings in the hexagon's longest row, and rows."""
AROUND = ((0, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""A crossing and those around it."""
Cell = tuple[int, int]
"""Row and column."""


def cells_of(board: Board) -> dict[str, Cell]:
    """By crossing of the hexagon: its cell."""
    found = {}
    for name in board.crossings:
        halves, row = lattice_point(board.point_of[name])
        found[name] = (row + SIDE, (halves - row) // 2 + SIDE)
    return found


def _index(cell: Cell) -> int:
    return cell[0] * ACROSS + cell[1]


def _triangles(board: Board, cell_of: dict[str, Cell]) -> np.ndarray:
    """[2, triangles]: which way a triangle points, and the cell that it is told of at."""
    found = np.zeros((2, TRIANGLES), np.int64)
    for number, name in enumerate(board.triangles):
        corners = sorted(cell_of[corner] for corner in board.corners_of[name])
        found[:, number] = corners[0][0] == corners[1][0], _index(corners[0])
    return found


def _placements(board: Board, cell_of: dict[str, Cell]) -> np.ndarray:
    """[2, placements]: how a rhomb lies, of six ways, and the cell of the first of its blunt corners."""
    found = np.zeros((2, PLACEMENTS), np.int64)
    ways: list[Cell] = []
    for number, place in enumerate(board.places):
        first, second = sorted(cell_of[place.corners[corner]] for corner in (1, 3))
        way = (second[0] - first[0], second[1] - first[1])
        if way not in ways:
            ways.append(way)
        for turn in range(TURNS):
            found[:, number * TURNS + turn] = ways.index(way) * TURNS + turn, _index(first)
    return found


def _spread(layers: int, first: int, ways: int, size: int, way_of: np.ndarray, cell_of: np.ndarray) -> np.ndarray:
    """Planes of numbers that stand layer by layer from `first` on, each of them in so many ways."""
    planes = np.full((layers, ways, ACROSS * ACROSS), NOTHING)
    for layer in range(layers):
        planes[layer, way_of, cell_of] = first + layer * size + np.arange(size)
    return planes.reshape(layers * ways, -1)


def _grid() -> Grid:
    board = hexagon()
    cell_of = cells_of(board)
    crossings = np.array([_index(cell_of[name]) for name in board.crossings])
    triangles, placements = _triangles(board, cell_of), _placements(board, cell_of)
    ways = int(placements[0].max()) + 1
    nowhere = np.zeros(CROSSINGS, np.int64)
    planes = (
        _spread(observation.CROSSING_LAYERS, 0, 1, CROSSINGS, nowhere, crossings),
        _spread(observation.TRIANGLE_LAYERS, observation.ON_TRIANGLES, 2, TRIANGLES, *triangles),
        _spread(EFFECTS, observation.ON_PLACEMENTS, ways, PLACEMENTS, *placements),
    )
    answers = (
        _spread(1, 0, 1, CROSSINGS, nowhere, crossings),
        _spread(1, observation.FIRST_PLACEMENT, ways, PLACEMENTS, *placements),
    )
    sizes = (observation.OBSERVATION, observation.ACTIONS)
    return Grid(ACROSS, ACROSS, AROUND, np.concatenate(planes), np.concatenate(answers), *sizes)


GRID = _grid()
"""The crossings of a hexagon of side 3."""
