"""The board: from an edition's strips and rhombi to names, geometry and the arrays that the kernels read (C1).

Triangles, crossings and places are numbered in reading order, and only those that exist: what an edition leaves
out has no number. A *place* is where a rhomb fits: two triangles that share an edge.

>>> board = Board(["PPPPP", "GGGGGGG", "CCCCCCC", "-----"], tokens=4, rhombi={"church": (4, (6, 3, 6, 3))})
>>> len(board.triangles), len(board.crossings), len(board.places)
(24, 19, 30)
>>> board.corners_of["A1"], board.sharp_corners("A1", "A2")
(('a1', 'b1', 'b2'), ('a2', 'b1'))
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from embertown.core.jit import box

MAX_TRIANGLES = 64
MAX_CROSSINGS = 64
MAX_PLACES = 128
MAX_KINDS = 64
MAX_RHOMBI_ON_BOARD = MAX_TRIANGLES // 2

PARK, GUARD, COAT, PLAIN, BEYOND = "P", "G", "C", "-", "."
SYMBOLS = PARK + GUARD + COAT + PLAIN + BEYOND
"""What a strip is written in: park, guard, coat of arms, plain, no triangle (C1.3)."""

BoardArrays: TypeAlias = np.record
"""What the kernels read: one record of `BOARD`, so that another edition needs no recompiling."""

BOARD = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # masks of triangles
                ("triangles", np.uint64),  # those that exist
                ("parks", np.uint64),
                ("guards", np.uint64),
                ("coats", np.uint64),
                ("touching", np.uint64, (MAX_CROSSINGS,)),  # around each crossing
                ("neighbours", np.uint64, (MAX_TRIANGLES,)),  # sharing an edge with each triangle
                ("covered_by", np.uint64, (MAX_PLACES,)),  # the two of each place
                ("beside", np.uint64, (MAX_PLACES,)),  # sharing an edge with those two
                # masks of crossings
                ("corners", np.uint64, (MAX_TRIANGLES,)),  # of each triangle
                # masks of places, in two words
                ("places", np.uint64, (2,)),  # those that exist
                ("overlapping", np.uint64, (MAX_PLACES, 2)),  # each place: those that share a triangle with it
                # crossings under the corners of each place, clockwise: sharp, blunt, sharp, blunt
                ("points_at", np.uint8, (MAX_PLACES, 4)),
                ("numbers", np.int8, (MAX_KINDS, 4)),  # of each kind, clockwise from a sharp corner
                ("counts", np.int8, (MAX_KINDS,)),
                ("turns", np.int8, (MAX_KINDS,)),  # 2 where turning matters, else 1 (C1.4)
                ("kinds", np.int8),
                ("rhombi", np.int8),
                ("tokens", np.int8),
            ],
            align=True,
        ),
    )
)


class Point(NamedTuple):
    """A point of the drawing: one unit is the side of a triangle, x to the right, y down, the middle is (0, 0)."""

    x: float
    y: float


class Place(NamedTuple):
    """Where a rhomb fits: its two triangles in reading order, its corners clockwise from a sharp one (C1.4).

    The first corner is the sharp one that comes first in reading order: it is where the first number points at
    when the rhomb is not turned.
    """

    triangles: tuple[str, str]
    corners: tuple[str, str, str, str]


class Board:
    """An edition's board and rhombi, with names for people (`triangles`, …) and `arrays` for the kernels."""

    def __init__(
        self,
        strips: Sequence[str],
        tokens: int,
        rhombi: Mapping[str, tuple[int, Sequence[int]]],
    ) -> None:
        self.side = len(strips) // 2
        self.strips = tuple(strips)
        self.tokens = tokens
        self.kinds = tuple(rhombi)
        self.counts = tuple(count for count, _ in rhombi.values())
        self.numbers = tuple(tuple(numbers) for _, numbers in rhombi.values())
        self.symbol_of = {
            triangle_name(strip, number): symbol
            for strip, line in enumerate(strips)
            for number, symbol in enumerate(line, start=1)
            if symbol != BEYOND
        }
        self.triangles = tuple(self.symbol_of)
        self.corners_of = {name: corners_of_triangle(name, self.side) for name in self.triangles}
        touched = {corner for corners in self.corners_of.values() for corner in corners}
        self.crossings = tuple(name for name in all_crossings(self.side) if name in touched)
        self.point_of = {name: crossing_point(name, self.side) for name in self.crossings}
        self.places = tuple(self._places())
        self.triangle_index = {name: index for index, name in enumerate(self.triangles)}
        self.crossing_index = {name: index for index, name in enumerate(self.crossings)}
        self.place_index = {place.triangles: index for index, place in enumerate(self.places)}
        self.kind_index = {name: index for index, name in enumerate(self.kinds)}
        # the order for chance: editions that differ only in the order of their kinds have one hash, and one game a seed
        self.kinds_by_name = tuple(sorted(range(len(self.kinds)), key=lambda kind: self.kinds[kind]))
        self.arrays = self._arrays()
        self.box = box(self.arrays, BOARD)

    def __setstate__(self, parts: dict[str, Any]) -> None:
        """From another process: the box to be read again, or the kernels would take it for another type."""
        self.__dict__.update(parts)
        self.box = box(self.arrays, BOARD)

    def turning_matters(self, kind: int) -> bool:
        """Whether the two turns of this kind differ (C1.4)."""
        sharp, blunt, other_sharp, other_blunt = self.numbers[kind]
        return (sharp, blunt) != (other_sharp, other_blunt)

    def sharp_corners(self, first: str, second: str) -> tuple[str, str]:
        """The crossings under the two sharp corners of a rhomb on these triangles, in reading order."""
        shared = set(self.corners_of[first]) & set(self.corners_of[second])
        own = {*self.corners_of[first], *self.corners_of[second]} - shared
        head, tail = sorted(own, key=reading_order)
        return head, tail

    def middle_of(self, triangle: str) -> Point:
        """The middle of a triangle."""
        return _middle([self.point_of[corner] for corner in self.corners_of[triangle]])

    def _places(self) -> list[Place]:
        """All pairs of triangles that share an edge, in reading order of their triangles."""
        by_edge: dict[frozenset[str], list[str]] = {}
        for name, corners in self.corners_of.items():
            for left_out in corners:
                by_edge.setdefault(frozenset(corners) - {left_out}, []).append(name)
        pairs = [(pair[0], pair[1]) for pair in by_edge.values() if len(pair) == 2]
        pairs.sort(key=lambda pair: (reading_order(pair[0]), reading_order(pair[1])))
        return [Place(pair, self._clockwise(pair)) for pair in pairs]

    def _clockwise(self, pair: tuple[str, str]) -> tuple[str, str, str, str]:
        """The corners of a place clockwise, from the sharp one that is first in reading order."""
        names = sorted({*self.corners_of[pair[0]], *self.corners_of[pair[1]]})
        centre = _middle([self.point_of[name] for name in names])
        start = self.sharp_corners(*pair)[0]

        def angle(name: str) -> float:  # y points down, so growing angles go clockwise
            point = self.point_of[name]
            return math.atan2(point.y - centre.y, point.x - centre.x)

        around = sorted(names, key=lambda name: (angle(name) - angle(start) + 1e-9) % math.tau)
        return around[0], around[1], around[2], around[3]

    def _arrays(self) -> BoardArrays:
        arrays: BoardArrays = np.zeros(1, BOARD)[0]
        self._fill_triangles(arrays)
        self._fill_places(arrays)
        for index, numbers in enumerate(self.numbers):
            arrays.numbers[index] = numbers
            arrays.counts[index] = self.counts[index]
            arrays.turns[index] = 2 if self.turning_matters(index) else 1
        arrays.kinds = len(self.kinds)
        arrays.rhombi = sum(self.counts)
        arrays.tokens = self.tokens
        return arrays

    def _fill_triangles(self, arrays: BoardArrays) -> None:
        arrays.triangles = _mask(range(len(self.triangles)))
        for field, symbol in (("parks", PARK), ("guards", GUARD), ("coats", COAT)):
            arrays[field] = _mask(i for i, name in enumerate(self.triangles) if self.symbol_of[name] == symbol)
        for index, name in enumerate(self.triangles):
            arrays.corners[index] = _mask(self.crossing_index[corner] for corner in self.corners_of[name])
        for index, crossing in enumerate(self.crossings):
            arrays.touching[index] = _mask(
                i for i, name in enumerate(self.triangles) if crossing in self.corners_of[name]
            )

    def _fill_places(self, arrays: BoardArrays) -> None:
        pairs = [tuple(self.triangle_index[name] for name in place.triangles) for place in self.places]
        for first, second in pairs:
            arrays.neighbours[first] |= _mask([second])
            arrays.neighbours[second] |= _mask([first])
        arrays.places[:] = _two_words(range(len(pairs)))
        for index, (place, pair) in enumerate(zip(self.places, pairs, strict=True)):
            arrays.covered_by[index] = _mask(pair)
            arrays.beside[index] = (arrays.neighbours[pair[0]] | arrays.neighbours[pair[1]]) & ~_mask(pair)
            arrays.overlapping[index] = _two_words(i for i, other in enumerate(pairs) if {*other} & {*pair})
            arrays.points_at[index] = [self.crossing_index[corner] for corner in place.corners]


def strip_lengths(side: int) -> list[int]:
    """How many triangles each strip of a hexagon of this side has.

    >>> strip_lengths(3)
    [7, 9, 11, 11, 9, 7]
    """
    upper = [2 * (side + strip) + 1 for strip in range(side)]
    return upper + upper[::-1]


def row_lengths(side: int) -> list[int]:
    """How many crossings each row of a hexagon of this side has.

    >>> row_lengths(3)
    [4, 5, 6, 7, 6, 5, 4]
    """
    return [2 * side + 1 - abs(side - row) for row in range(2 * side + 1)]


def triangle_name(strip: int, number: int) -> str:
    """The name of a triangle: A1 is the first of the first strip."""
    return f"{chr(ord('A') + strip)}{number}"


def crossing_name(row: int, index: int) -> str:
    """The name of a crossing: a1 is the first of the first row, for row 0 and index 0."""
    return f"{chr(ord('a') + row)}{index + 1}"


def all_crossings(side: int) -> list[str]:
    """The names of all crossings of a whole hexagon, in reading order."""
    return [crossing_name(row, i) for row, length in enumerate(row_lengths(side)) for i in range(length)]


def reading_order(name: str) -> tuple[str, int]:
    """A key that sorts names of triangles, or of crossings, in reading order: strip or row, then number."""
    return name[0], int(name[1:])


def corners_of_triangle(name: str, side: int) -> tuple[str, str, str]:
    """The three crossings at a triangle's corners, in reading order.

    >>> corners_of_triangle("A2", 3), corners_of_triangle("D1", 3)
    (('a1', 'a2', 'b2'), ('d1', 'd2', 'e1'))
    """
    strip, number = ord(name[0]) - ord("A"), int(name[1:])
    top, bottom = strip, strip + 1
    step, even = (number - 1) // 2, number % 2 == 0
    if strip < side and not even:  # upper half, pointing up
        corners = (top, step), (bottom, step), (bottom, step + 1)
    elif strip < side:
        corners = (top, step), (top, step + 1), (bottom, step + 1)
    elif not even:  # lower half, pointing down
        corners = (top, step), (top, step + 1), (bottom, step)
    else:
        corners = (top, step + 1), (bottom, step), (bottom, step + 1)
    first, second, third = (crossing_name(row, index) for row, index in corners)
    return first, second, third


def crossing_point(name: str, side: int) -> Point:
    """Where a crossing lies."""
    row, index = ord(name[0]) - ord("a"), int(name[1:]) - 1
    return Point(index - (row_lengths(side)[row] - 1) / 2, (row - side) * math.sqrt(3) / 2)


def _middle(points: Sequence[Point]) -> Point:
    return Point(sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points))


def _mask(indices: Iterable[int]) -> np.uint64:
    value = 0
    for index in indices:
        value |= 1 << index
    return np.uint64(value)


def _two_words(indices: Iterable[int]) -> tuple[np.uint64, np.uint64]:
    both = list(indices)
    return _mask([i for i in both if i < 64]), _mask([i - 64 for i in both if i >= 64])
