"""The board's symmetries: a game of Drunter & Drüber that is mirrored or turned is the same game.

A symmetry is a number: 1 mirrors the columns, 2 mirrors the rows, and 4 then exchanges columns with rows; sums do one
after the other. All eight turn a board into a board, since buildings, outhouses and what the corners build are part
of it. Nothing here depends on an edition but its height and width.

>>> turned_gang(1, 0), turned_direction(1, 1)  # mirrored: the gang of the top right corner, going west
(1, 3)
>>> original_direction(7, turned_direction(7, 0))
0
"""

from __future__ import annotations

from embertown.core.jit import kernel
from embertown.drunter.board import GANGS, ROW, BoardArrays
from embertown.drunter.rules import LONGEST

SYMMETRIES = 8
MIRROR_COLUMNS, MIRROR_ROWS, TRANSPOSE = 1, 2, 4
LAST_GANG = GANGS - 1
"""The gang of the bottom right corner: its bits say bottom and right."""


@kernel
def last_row(board: BoardArrays) -> int:
    """The number of the bottom row."""
    return int(board.starts[LAST_GANG]) >> 5


@kernel
def last_column(board: BoardArrays) -> int:
    """The number of the rightmost column."""
    return int(board.starts[LAST_GANG]) & ROW - 1


@kernel
def turned_square(board: BoardArrays, symmetry: int, square: int) -> int:
    """Where a square comes to lie."""
    row, column = square >> 5, square & ROW - 1
    if symmetry & MIRROR_COLUMNS:
        column = last_column(board) - column
    if symmetry & MIRROR_ROWS:
        row = last_row(board) - row
    return column * ROW + row if symmetry & TRANSPOSE else row * ROW + column


@kernel
def mirrored_direction(symmetry: int, direction: int) -> int:
    """Which direction another becomes by mirroring alone."""
    is_mirrored = symmetry & MIRROR_COLUMNS if direction & 1 else symmetry & MIRROR_ROWS
    return direction ^ 2 if is_mirrored else direction


@kernel
def turned_direction(symmetry: int, direction: int) -> int:
    """Which direction another becomes."""
    direction = mirrored_direction(symmetry, direction)
    return 3 - direction if symmetry & TRANSPOSE else direction


@kernel
def original_direction(symmetry: int, direction: int) -> int:
    """Which direction becomes this one."""
    return mirrored_direction(symmetry, 3 - direction if symmetry & TRANSPOSE else direction)


@kernel
def transposed_gang(gang: int) -> int:
    """The corner that exchanges columns with rows: bottom left and top right change places."""
    return (gang & 1) << 1 | gang >> 1


@kernel
def turned_gang(symmetry: int, gang: int) -> int:
    """Which corner another becomes."""
    mirrored = gang ^ symmetry & LAST_GANG
    return transposed_gang(mirrored) if symmetry & TRANSPOSE else mirrored


@kernel
def original_gang(symmetry: int, gang: int) -> int:
    """Which corner becomes this one."""
    return (transposed_gang(gang) if symmetry & TRANSPOSE else gang) ^ symmetry & LAST_GANG


@kernel
def turned_lay(symmetry: int, action: int) -> int:
    """Which tile's action another becomes; by its gang, its direction and its length."""
    way, length = action // LONGEST, action % LONGEST
    way = turned_gang(symmetry, way >> 2) << 2 | turned_direction(symmetry, way & 3)
    return way * LONGEST + length


@kernel
def original_lay(symmetry: int, action: int) -> int:
    """Which tile's action becomes this one."""
    way, length = action // LONGEST, action % LONGEST
    way = original_gang(symmetry, way >> 2) << 2 | original_direction(symmetry, way & 3)
    return way * LONGEST + length
