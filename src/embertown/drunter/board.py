"""The board: from an edition's squares and tiles to names, geometry and the arrays that the kernels read (D1).

Columns have letters, rows numbers: A1 is the top left corner. Inside, a board is lines: a word for each row and one
for each column, a bit for each square of it, with a border that counts as covered.

>>> rows = [list("W...R"), list("....."), ["T3", ".", "oo", ".", "."], list("....."), list("V...W")]
>>> board = Board(rows, {"wall": (12, 12, 6), "road": (6, 6, 3), "river": (6, 6, 3)})
>>> board.squares[0], board.squares[-1], len(board.squares)
('A1', 'E5', 25)
>>> board.gangs, board.kind_of_gang["E1"], board.buildings["A3"], board.outhouses
(('A1', 'E1', 'A5', 'E5'), 'road', ('town-hall', 3), ('C3',))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from embertown.core.jit import box

MIN_SIDE, MAX_SIDE = 5, 26
BORDER = 3
"""Bits on either side of a line: a tile that would leave the board runs into them."""
ROW = 32
"""A square's number is its row times this, and its column: the next square in any direction is one step away."""
STEPS = (-ROW, 1, ROW, -1)

KINDS = ("wall", "road", "river")
BUILDINGS = ("town-hall", "fire-station", "school", "inn", "museum", "church")
VALUES = (1, 2, 3, 4, 5)
LENGTHS = (1, 2, 3)
GANGS = 4
DIRECTIONS = ("north", "east", "south", "west")
"""Clockwise, so that the opposite of a direction is two on."""

CORNER_LETTERS = {"W": "wall", "R": "road", "V": "river"}
BUILDING_LETTERS = {"T": "town-hall", "F": "fire-station", "S": "school", "I": "inn", "M": "museum", "C": "church"}
OUTHOUSE, OPEN_GROUND = "oo", "."
COLUMNS, ROWS = 0, 1
"""The two sets of lines: the first runs north and south, as directions 0 and 2 do, the second east and west."""
NOWHERE = -1
"""No square: beyond the board, or a gang that has been removed."""

BoardArrays: TypeAlias = np.record
"""What the kernels read: one record of `BOARD`, so that another edition needs no recompiling."""

BOARD = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("outside", np.uint32, (2, MAX_SIDE)),  # by column and by row: beyond the board, and corner squares
                ("outhouses", np.uint32, (MAX_SIDE,)),  # by row
                ("starts", np.int16, (GANGS,)),  # the corner square of each gang
                ("building", np.int16, (len(BUILDINGS), len(VALUES))),  # the square of each, or NOWHERE
                ("building_on", np.int8, (MAX_SIDE * ROW,)),  # by square: kind * 5 + value - 1, or NOWHERE
                ("tiles", np.int16, (len(KINDS), len(LENGTHS))),  # how many there are
                ("kind_of", np.int8, (GANGS,)),  # what each gang builds
            ],
            align=True,
        ),
    )
)


class Tile(NamedTuple):
    """A tile on the board: its kind, the corner its path started from, its squares from start to end (D4)."""

    kind: str
    gang: str
    squares: tuple[str, ...]
    under: tuple[str, ...] = ()
    """The middle squares of the bridges passed under to reach its start, as passed (D4.4)."""

    @property
    def text(self) -> str:
        """As it is written in an action: kind, gang, first and last square."""
        first, last = self.squares[0], self.squares[-1]
        return f"{self.kind} {self.gang} {first}" + ("" if first == last else f"-{last}")


class Board:
    """An edition's board and tiles, with names for people (`squares`, …) and `arrays` for the kernels."""

    def __init__(self, rows: Sequence[Sequence[str]], tiles: Mapping[str, Sequence[int]]) -> None:
        self.rows = tuple(tuple(row) for row in rows)
        self.height, self.width = len(self.rows), len(self.rows[0])
        self.tiles = {kind: tuple(tiles.get(kind, (0, 0, 0))) for kind in KINDS}
        names = [[square_name(row, column) for column in range(self.width)] for row in range(self.height)]
        self.squares = tuple(name for row in names for name in row)
        self.number_of = {
            names[row][column]: ROW * row + column for row in range(self.height) for column in range(self.width)
        }
        self.square_of = {number: name for name, number in self.number_of.items()}
        cells = [cell for row in self.rows for cell in row]
        self.cell_of = dict(zip(self.squares, cells, strict=True))
        self.gangs = tuple(names[row][column] for row in (0, -1) for column in (0, -1))
        self.kind_of_gang = {name: CORNER_LETTERS[self.cell_of[name]] for name in self.gangs}
        self.outhouses = tuple(name for name, cell in self.cell_of.items() if cell == OUTHOUSE)
        self.buildings = {
            name: (BUILDING_LETTERS[cell[0]], int(cell[1]))
            for name, cell in self.cell_of.items()
            if cell[0] in BUILDING_LETTERS and len(cell) == 2
        }
        self.arrays = self._arrays()
        self.box = box(self.arrays, BOARD)

    def __setstate__(self, parts: dict[str, Any]) -> None:
        """From another process: the box to be read again, or the kernels would take it for another type."""
        self.__dict__.update(parts)
        self.box = box(self.arrays, BOARD)

    def total(self, length: int) -> int:
        """How many tiles of a length there are, whatever their kind."""
        return sum(counts[length - 1] for counts in self.tiles.values())

    def _arrays(self) -> BoardArrays:
        arrays: BoardArrays = np.zeros(1, BOARD)[0]
        corners = [self.number_of[name] for name in self.gangs]
        for column in range(self.width):
            arrays.outside[COLUMNS, column] = line_of(column_of(corners, column), self.height)
        for row in range(self.height):
            arrays.outside[ROWS, row] = line_of(row_of(corners, row), self.width)
            arrays.outhouses[row] = bits_of(row_of([self.number_of[name] for name in self.outhouses], row))
        arrays.starts[:] = corners
        arrays.tiles[:] = [self.tiles[kind] for kind in KINDS]
        arrays.kind_of[:] = [KINDS.index(self.kind_of_gang[name]) for name in self.gangs]
        arrays.building[:], arrays.building_on[:] = NOWHERE, NOWHERE
        for name, (kind, value) in self.buildings.items():
            index = BUILDINGS.index(kind), VALUES.index(value)
            arrays.building[index] = self.number_of[name]
            arrays.building_on[self.number_of[name]] = index[0] * len(VALUES) + index[1]
        return arrays


def square_name(row: int, column: int) -> str:
    """The name of a square: B3 is in the second column and the third row.

    >>> square_name(2, 1)
    'B3'
    """
    return f"{chr(ord('A') + column)}{row + 1}"


def reading_order(name: str) -> tuple[int, str]:
    """A key that sorts names of squares in reading order: row, then column."""
    return int(name[1:]), name[0]


def row_of(squares: Iterable[int], row: int) -> list[int]:
    """Where in this row these squares lie."""
    return [square % ROW for square in squares if square // ROW == row]


def column_of(squares: Iterable[int], column: int) -> list[int]:
    """Where in this column these squares lie."""
    return [square // ROW for square in squares if square % ROW == column]


def bits_of(places: Iterable[int]) -> int:
    """A line with these places set."""
    return sum(1 << place + BORDER for place in places)


def line_of(places: Iterable[int], length: int) -> int:
    """A line with these places set, and all that lies beyond its length."""
    inside = ((1 << length) - 1) << BORDER
    return bits_of(places) | ((1 << ROW) - 1) & ~inside
