"""Boards that are larger than the networks know."""

from __future__ import annotations

from embertown.cronberg.game import CronbergGame
from embertown.drunter.game import DrunterGame
from tests.small_drunter import small

LARGE_STRIPS = ["-" * 9, "-" * 11, "P" * 13, "." * 15, "." * 15, "." * 13, "." * 11, "." * 9]
"""Of a hexagon of side 4: three strips, which are too wide for one of side 3."""


def large_cronberg(players: int = 2) -> CronbergGame:
    """A board of Cronberg that does not lie in a hexagon of side 3."""
    rhombi = {"house": {"count": 8, "numbers": [2, 1, 2, 1]}}
    board = {"side": 4, "tokens": 2, "triangles": LARGE_STRIPS}
    header = {"id": "large", "game": "cronberg", "version": 1}
    return CronbergGame(players, {"edition": header, "board": board, "rhombi": rhombi})


def large_drunter() -> DrunterGame:
    """A board of Drunter & Drüber that is wider than 15 squares."""
    squares = [["."] * 16 for _ in range(6)]
    squares[0][0], squares[0][-1], squares[-1][0], squares[-1][-1] = "WRVW"
    return small("\n".join(" ".join(row) for row in squares))
