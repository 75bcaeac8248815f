"""What the solver of Cronberg's end knows of one position: what it is worth as it stands, and its key. All kernels.

A *settled* crossing touches activated triangles only, so that a token there is worth the same at the end, whatever
happens (C8.2). Where no rhomb can be drawn any more all crossings are settled, and the rest of the game is known:
everyone takes the best crossing left.
"""

from __future__ import annotations

import numpy as np

from embertown.core.jit import JIT_OFF, NONE, bit, kernel, lowest_bit, without_lowest
from embertown.cronberg.board import BoardArrays
from embertown.cronberg.rules import Phase, Position, final_points, open_to_tokens

WHOLE = 12
"""A whole win, before chance: it can be shared by 2, 3 or 4."""
SETTLED = 1 << 16
"""Tells, in a key, the worth of a settled crossing from the numbers at others."""


# ---- what it is worth as it stands


@kernel
def unsettled(board: BoardArrays, position: Position) -> np.uint64:
    """The crossings that touch a triangle which may still be covered, or else be activated (C7.1)."""
    crossings = NONE
    triangles = position.free & ~position.active
    while triangles != NONE:
        crossings |= board.corners[lowest_bit(triangles)]
        triangles = without_lowest(triangles)
    return crossings


@kernel
def bank(board: BoardArrays, position: Position, crossings: np.uint64) -> None:
    """Score the tokens on settled crossings now, take them off and let nobody come there: it is all the same (C8.2)."""
    for seat in range(position.players):
        tokens = position.tokens[seat] & crossings
        position.tokens[seat] &= ~crossings
        while tokens != NONE:
            position.scores[seat] += final_points(board, position, lowest_bit(tokens))
            tokens = without_lowest(tokens)
    position.barred |= crossings


@kernel
def count_up(board: BoardArrays, position: Position, totals: np.ndarray) -> None:
    """By seat: the score that it would have if the game ended here (C8.2); where it has, its score."""
    for seat in range(position.players):
        total = int(position.scores[seat])
        tokens = NONE if position.phase == Phase.OVER else position.tokens[seat]
        while tokens != NONE:
            total += final_points(board, position, lowest_bit(tokens))
            tokens = without_lowest(tokens)
        totals[seat] = total


@kernel
def lead_of(board: BoardArrays, position: Position, seat: int, totals: np.ndarray) -> int:
    """A seat's points minus the best other's if the game ended here; where it has, at its end."""
    count_up(board, position, totals)
    best = totals[(seat + 1) % position.players]
    for other in range(position.players):
        if other != seat and totals[other] > best:
            best = totals[other]
    return totals[seat] - best  # type: ignore[no-any-return]


@kernel
def best_crossing(board: BoardArrays, position: Position, crossings: np.uint64) -> int:
    """The one of these crossings that is worth most, the first of several."""
    best = lowest_bit(crossings)
    most = final_points(board, position, best)
    crossings = without_lowest(crossings)
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        points = final_points(board, position, crossing)
        if points > most:
            best, most = crossing, points
    return best


@kernel
def deal_out(board: BoardArrays, position: Position, totals: np.ndarray, values: np.ndarray) -> None:
    """The final scores where no rhomb can be drawn any more: everyone takes the best crossing left (C3.2, C8.2).

    How many tokens each seat will place is fixed, and so is what a crossing is worth. Who leaves the best one to
    others gets less, and nobody else less: so this is best play for 2, 3 and 4 players.
    """
    count_up(board, position, totals)
    crossings = open_to_tokens(position)
    count = 0
    while crossings != NONE:  # sorted by insertion, the best first
        points = final_points(board, position, lowest_bit(crossings))
        crossings = without_lowest(crossings)
        at = count
        while at > 0 and values[at - 1] < points:
            values[at] = values[at - 1]
            at -= 1
        values[at] = points
        count += 1
    seat = int(position.seat)
    waiting = 0
    taken = 0
    rounds = 0
    while taken < count and waiting < position.players:
        if position.supply[seat] > rounds:
            totals[seat] += values[taken]
            taken += 1
            waiting = 0
        else:
            waiting += 1
        seat += 1
        if seat == position.players:
            seat = 0
        if seat == position.seat:
            rounds += 1


@kernel
def add_outcome(players: int, totals: np.ndarray, unit: int, shares: np.ndarray, points: np.ndarray) -> None:
    """The shares of the win and the points of a game that ended with these scores (C8.4)."""
    most = totals[0]
    for seat in range(1, players):
        most = max(most, totals[seat])
    winners = 0
    for seat in range(players):
        winners += totals[seat] == most
    for seat in range(players):
        shares[seat] = WHOLE * unit // winners if totals[seat] == most else 0
        points[seat] = totals[seat] * unit


# ---- its key: what still matters, and nothing else


if JIT_OFF:

    def mixed(key: np.uint64, part: np.uint64) -> np.uint64:
        """A key that depends on another and on one more word."""
        z = (int(key) ^ int(part)) + 0x9E3779B97F4A7C15
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        return np.uint64(z ^ (z >> 29))

else:

    @kernel
    def mixed(key: np.uint64, part: np.uint64) -> np.uint64:
        """A key that depends on another and on one more word."""
        z = (key ^ part) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        return z ^ (z >> np.uint64(29))


@kernel
def key_of(board: BoardArrays, position: Position, changing: np.uint64) -> np.uint64:
    """The same for positions with the same future: equal differences of points, whatever their past."""
    key = mixed(position.free, np.uint64(int(position.seat)))
    for seat in range(position.players):
        key = mixed(key, position.tokens[seat])
        difference = (int(position.scores[seat]) - int(position.scores[0])) & 0xFFFFFFFF
        key = mixed(key, np.uint64(difference << 8 | int(position.supply[seat])))
    key = mixed_with_crossings(board, position, changing, key)
    packed = 0
    for kind in range(board.kinds):
        packed = packed << 7 | int(position.bag[kind])
        if kind % 8 == 7:
            key = mixed(key, np.uint64(packed))
            packed = 0
    return mixed(key, np.uint64(packed))


@kernel
def mixed_with_crossings(board: BoardArrays, position: Position, changing: np.uint64, key: np.uint64) -> np.uint64:
    """The numbers at crossings that may change; of the settled ones, what a token there would be worth."""
    crossings = (changing & position.open & ~position.barred) | open_to_tokens(position)
    packed = 0
    count = 0
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        if changing & bit(crossing) != NONE:
            code = (int(position.sums[crossing]) & 255) << 8 | (int(position.sizes[crossing]) & 255)
        else:
            code = SETTLED | final_points(board, position, crossing) & 0xFFFF
        packed = packed << 20 | code
        count += 1
        if count % 3 == 0:
            key = mixed(key, np.uint64(packed))
            packed = 0
    return mixed(key, np.uint64(packed))
