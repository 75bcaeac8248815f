"""What a placement would do to the tokens around, seen without doing it: kernels for those who look at many.

`shown` is what a token has to show: the sum of the numbers that point at it, as parks and coats of arms that are
activated there make of it (C8.2). A placement's effect on it is what that becomes, less what it was.
"""

from __future__ import annotations

import numpy as np

from embertown.core.jit import NONE, bit, has_bit, kernel, lowest_bit, popcount, without_lowest
from embertown.cronberg.board import BoardArrays
from embertown.cronberg.rules import TURNS, Position, occupied

EFFECTS = 4
"""So many numbers tell of a placement (`foresee`)."""


@kernel
def isolated_by(board: BoardArrays, free: np.uint64, place: int) -> np.uint64:
    """The triangles beside this place that have no free neighbour once it is covered (C7.1)."""
    isolated = NONE
    waiting = board.beside[place] & free
    while waiting != NONE:
        triangle = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        if board.neighbours[triangle] & free == NONE:
            isolated |= bit(triangle)
    return isolated


@kernel
def corners_of(board: BoardArrays, triangles: np.uint64) -> np.uint64:
    """The crossings that these triangles touch."""
    crossings = NONE
    while triangles != NONE:
        crossings |= board.corners[lowest_bit(triangles)]
        triangles = without_lowest(triangles)
    return crossings


@kernel
def shown(board: BoardArrays, crossing: int, active: np.uint64, total: int, size: int) -> int:
    """What a token on this crossing has to show, with these triangles activated."""
    acting = board.touching[crossing] & active
    points = size if acting & board.coats != NONE else total
    return int(points * (1 << popcount(acting & board.parks)))


@kernel
def shown_at(board: BoardArrays, position: Position, crossing: int) -> int:
    """What a token on this crossing has to show as the board is."""
    return shown(board, crossing, position.active, int(position.sums[crossing]), int(position.sizes[crossing]))


@kernel
def all_shown(board: BoardArrays, position: Position, seat: int) -> int:
    """What all tokens of a seat on the board have to show."""
    points, tokens = 0, position.tokens[seat]
    while tokens != NONE:
        points += shown_at(board, position, lowest_bit(tokens))
        tokens = without_lowest(tokens)
    return points


@kernel
def number_at(board: BoardArrays, kind: int, where: int, crossing: int) -> int:
    """The number that a rhomb placed there points at this crossing (C6.3), or 0."""
    place, turn = where // TURNS, where % TURNS
    for corner in range(4):
        if board.points_at[place, corner] == crossing:
            return int(board.numbers[kind, (corner + 2 * turn) & 3])
    return 0


@kernel
def foresee(board: BoardArrays, position: Position, seat: int, where: int) -> tuple[int, int, int, int]:
    """What placing the rhomb in hand there does.

    How what this seat's tokens show changes, and the others'; how many of its tokens go back, and of the others'.
    """
    place = where // TURNS
    free = position.free & ~board.covered_by[place]
    activated = free if position.left == 0 else isolated_by(board, free, place)  # C7.4: the last rhomb
    driven, concerned = corners_of(board, activated & board.guards), corners_of(board, activated)
    for corner in range(4):
        concerned |= bit(board.points_at[place, corner])
    own_shown = others_shown = own_back = others_back = 0
    waiting = concerned & occupied(position)
    while waiting != NONE:
        crossing = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        change = change_of(board, position, crossing, number_at(board, position.in_hand, where, crossing), activated)
        gone = has_bit(driven, crossing)  # C7.2: unscored
        if gone:
            change = -shown_at(board, position, crossing)
        back = 1 if gone or board.touching[crossing] & free == NONE else 0
        if has_bit(position.tokens[seat], crossing):
            own_shown, own_back = own_shown + change, own_back + back
        else:
            others_shown, others_back = others_shown + change, others_back + back
    return own_shown, others_shown, own_back, others_back


@kernel
def change_of(board: BoardArrays, position: Position, crossing: int, number: int, activated: np.uint64) -> int:
    """How what a token shows changes by one number more and by triangles that are activated."""
    total, size = int(position.sums[crossing]), int(position.sizes[crossing])
    after = shown(board, crossing, position.active | activated, total + number, size + abs(number))
    return after - shown_at(board, position, crossing)
