"""How networks look at games: every number and every answer has one place, neighbours are neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from embertown.core.grid import NOTHING, Grid
from embertown.cronberg import grid as cronberg_grid
from embertown.cronberg import observation
from embertown.drunter import grid as drunter_grid

GRIDS = [cronberg_grid.GRID, drunter_grid.GRID]


@pytest.mark.parametrize("grid", GRIDS)
def test_every_answer_has_one_place(grid: Grid) -> None:
    on_cells = grid.answers[grid.answers != NOTHING]
    both = np.concatenate((on_cells, grid.single_answers))
    assert sorted(both) == list(range(grid.actions))
    kinds_first = np.concatenate((grid.answers[:, grid.cells].ravel(), grid.single_answers))
    assert kinds_first[grid.places].tolist() == list(range(grid.actions))


@pytest.mark.parametrize("grid", GRIDS)
def test_every_number_is_seen(grid: Grid) -> None:
    seen = set(grid.planes.ravel()) - {NOTHING}
    if grid.ground is not None:
        seen |= set(grid.ground.planes.ravel()) | set(grid.sights.ravel()) | set(grid.guesses.cells.ravel())
    assert seen | set(grid.singles) == set(range(grid.observation))
    assert not seen & set(grid.singles)


def test_numbers_of_crossings_lie_on_one_cell_and_only_there() -> None:
    planes = cronberg_grid.GRID.planes
    numbers = planes[planes != NOTHING]
    assert len(set(numbers)) == numbers.size


def test_neighbours_are_one_step_away() -> None:
    """Counted on the board: crossings that share a triangle."""
    board, grid = observation.hexagon(), cronberg_grid.GRID
    cell_of = cronberg_grid.cells_of(board)
    number = {row * grid.width + column: n for n, (row, column) in enumerate(sorted(cell_of.values()))}
    name_of = {number[row * grid.width + column]: name for name, (row, column) in cell_of.items()}
    for cell, seen in enumerate(grid.seen_from.tolist()):
        assert seen[0] == cell
        found = {name_of[each] for each in seen if each != grid.cells.size}
        corners = [set(board.corners_of[t]) for t in board.triangles if name_of[cell] in board.corners_of[t]]
        assert found == set.union(*corners)


def test_a_placement_is_told_where_all_its_corners_are_seen() -> None:
    board, grid = observation.hexagon(), cronberg_grid.GRID
    cell_of = cronberg_grid.cells_of(board)
    for number, place in enumerate(board.places):
        corners = [cell_of[corner] for corner in place.corners]
        for turn in range(2):
            kind, cell = np.argwhere(grid.answers == observation.FIRST_PLACEMENT + 2 * number + turn)[0].tolist()
            row, column = divmod(cell, grid.width)
            ways = {(r - row, c - column) for r, c in corners}
            assert ways <= set(grid.neighbours)
            told = observation.ON_PLACEMENTS + 2 * number + turn
            assert [where for _, where in np.argwhere(grid.planes == told).tolist()] == [cell]
            alike = np.argwhere(grid.answers[kind] != NOTHING).ravel()
            assert cell in alike


def test_rhombi_that_lie_alike_are_answered_alike() -> None:
    """Of one kind of answers: the same corners as seen from the cell, in the same order of turns."""
    board, grid = observation.hexagon(), cronberg_grid.GRID
    cell_of = cronberg_grid.cells_of(board)
    seen: dict[int, set[tuple[tuple[int, int], ...]]] = {}
    for number, place in enumerate(board.places):
        for turn in range(2):
            kind, cell = np.argwhere(grid.answers == observation.FIRST_PLACEMENT + 2 * number + turn)[0].tolist()
            row, column = divmod(cell, grid.width)
            corners = [cell_of[place.corners[(corner + 2 * turn) % 4]] for corner in range(4)]
            seen.setdefault(kind, set()).add(tuple((r - row, c - column) for r, c in corners))
    assert sorted(seen) == [1, 2, 3, 4, 5, 6]
    assert all(len(ways) == 1 for ways in seen.values())
