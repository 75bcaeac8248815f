"""Cronberg's rules, C1 to C8: the only statement of them in the project.

Everything here is a kernel (`embertown.core.jit`): compiled for the CPU, unchanged for the GPU, or run as plain
Python. A position is one record of `POSITION`; the board comes in as one record of `embertown.cronberg.board.BOARD`.
Kernels trust their callers: `refusal` says whether an action is legal, `apply` does not ask again.

Actions are integers: a token on a crossing, `DRAW`, `PASS`, or a drawn rhomb on a place in one of two turns.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

import numpy as np

from embertown.core.jit import (
    NONE,
    bit,
    has_bit,
    kernel,
    lowest_bit,
    popcount,
    without_lowest,
)
from embertown.cronberg.board import (
    MAX_CROSSINGS,
    MAX_KINDS,
    MAX_PLACES,
    MAX_RHOMBI_ON_BOARD,
    BoardArrays,
)

# ---- constants and enums

MIN_PLAYERS, MAX_PLAYERS = 2, 4

FIRST_TOKEN = 0
DRAW = FIRST_TOKEN + MAX_CROSSINGS
PASS = DRAW + 1
FIRST_PLACEMENT = PASS + 1
TURNS = 2
ACTIONS = FIRST_PLACEMENT + MAX_PLACES * TURNS
"""How many different actions there are; the numbers do not depend on the edition's rhombi."""

NOTHING = -1
"""No rhomb in hand."""


class Phase(IntEnum):
    """What the game waits for."""

    CHOICE = 0  # the seat to act: token, draw or pass (C3.1)
    CHANCE = 1  # the rhomb that is drawn (C2.1)
    PLACEMENT = 2  # the seat to act: where the drawn rhomb goes (C3.3)
    OVER = 3


class Refusal(IntEnum):
    """Why an action is not legal here; `rule` cites the rule."""

    NONE = 0
    GAME_OVER = 1
    MUST_PLACE = 2
    NOTHING_DRAWN = 3
    NO_TOKEN_LEFT = 4
    CROSSING_OCCUPIED = 5
    CROSSING_CLOSED = 6
    CROSSING_GUARDED = 7
    NO_RHOMB_LEFT = 8
    NO_PLACE_LEFT = 9
    MAY_NOT_PASS = 10
    TRIANGLE_COVERED = 11
    TURN_IS_THE_SAME = 12
    NO_SUCH_ACTION = 13

    @property
    def rule(self) -> str:
        """The number of the rule that forbids it."""
        return _RULES[self]


_RULES = {
    Refusal.NONE: "",
    Refusal.GAME_OVER: "C8.1",
    Refusal.MUST_PLACE: "C3.3",
    Refusal.NOTHING_DRAWN: "C3.1",
    Refusal.NO_TOKEN_LEFT: "C4.1",
    Refusal.CROSSING_OCCUPIED: "C4.1",
    Refusal.CROSSING_CLOSED: "C4.2",
    Refusal.CROSSING_GUARDED: "C4.3",
    Refusal.NO_RHOMB_LEFT: "C3.3",
    Refusal.NO_PLACE_LEFT: "C3.3",
    Refusal.MAY_NOT_PASS: "C3.2",
    Refusal.TRIANGLE_COVERED: "C5.2",
    Refusal.TURN_IS_THE_SAME: "C1.4",
    Refusal.NO_SUCH_ACTION: "C3.1",
}

# ---- the position

Position: TypeAlias = np.record
"""One record of `POSITION`; the scalars first, then what is counted by seat, crossing, kind and rhomb."""

POSITION = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("free", np.uint64),  # triangles not covered by a rhomb
                ("active", np.uint64),  # triangles activated (C7)
                ("open", np.uint64),  # crossings that touch a free triangle (C4.2)
                ("barred", np.uint64),  # crossings that touch an activated guard (C4.3)
                ("places", np.uint64, (2,)),  # places whose two triangles are free (C5.1)
                ("tokens", np.uint64, (MAX_PLAYERS,)),  # crossings with a token of each seat
                ("scores", np.int32, (MAX_PLAYERS,)),
                ("supply", np.int8, (MAX_PLAYERS,)),  # tokens not on the board
                ("players", np.int8),
                ("seat", np.int8),
                ("phase", np.int8),
                ("in_hand", np.int8),  # the kind drawn and not yet placed, or NOTHING
                ("left", np.int8),  # rhombi not yet drawn
                ("placed", np.int8),  # rhombi on the board
                ("sums", np.int8, (MAX_CROSSINGS,)),  # of the numbers that point at each crossing (C6.3)
                ("sizes", np.int8, (MAX_CROSSINGS,)),  # the same, each number taken as positive (C8.2)
                ("bag", np.int8, (MAX_KINDS,)),  # rhombi not yet drawn, by kind
                ("rhombi", np.int8, (MAX_RHOMBI_ON_BOARD,)),  # kinds on the board, in the order of placing …
                ("where", np.uint8, (MAX_RHOMBI_ON_BOARD,)),  # … and where: place * TURNS + turn
                ("filler", np.int8, (6,)),  # always 0: bytes that belong to no field would not be copied
            ],
            align=True,
        ),
    )
)


# ---- setting up, by rule C2


@kernel
def set_up(board: BoardArrays, position: Position, players: int, first: int) -> None:
    """Fill an all-zero position: an empty board, tokens in supply, `first` to act (C2.1, C2.3)."""
    position.players = players
    position.seat = first
    position.phase = Phase.CHOICE
    position.in_hand = NOTHING
    position.free = board.triangles
    position.places[0] = board.places[0]
    position.places[1] = board.places[1]
    position.left = board.rhombi
    for kind in range(board.kinds):
        position.bag[kind] = board.counts[kind]
    for seat in range(players):
        position.supply[seat] = board.tokens
    for crossing in range(MAX_CROSSINGS):
        if board.touching[crossing] != NONE:
            position.open |= bit(crossing)
    activate(board, position, isolated_among(board, position, board.triangles))  # from the start (C7.1)
    if is_stuck(position):
        finish(board, position)


# ---- predicates


@kernel
def is_over(position: Position) -> bool:
    """Whether the game has ended (C8.1)."""
    return bool(position.phase == Phase.OVER)


@kernel
def occupied(position: Position) -> np.uint64:
    """The crossings that hold a token."""
    return position.tokens[0] | position.tokens[1] | position.tokens[2] | position.tokens[3]  # type: ignore[no-any-return]


@kernel
def open_to_tokens(position: Position) -> np.uint64:
    """The crossings where a token may be placed (C4.1, C4.2, C4.3)."""
    return position.open & ~position.barred & ~occupied(position)  # type: ignore[no-any-return]


@kernel
def has_free_place(position: Position) -> bool:
    """Whether some pair of free neighbouring triangles is left (C3.3)."""
    return bool((position.places[0] | position.places[1]) != NONE)


@kernel
def can_draw(position: Position) -> bool:
    """Whether a rhomb may be drawn: one is left and so is a place for it (C3.3)."""
    return bool(position.left > 0) and has_free_place(position)


@kernel
def can_place_token(position: Position, seat: int) -> bool:
    """Whether this seat has a token and a crossing for it (C4)."""
    return bool(position.supply[seat] > 0) and bool(open_to_tokens(position) != NONE)


@kernel
def is_stuck(position: Position) -> bool:
    """Whether no player can place a rhomb or a token (C8.1)."""
    if can_draw(position):
        return False
    if open_to_tokens(position) == NONE:
        return True
    for seat in range(position.players):
        if position.supply[seat] > 0:
            return False
    return True


@kernel
def is_place_free(position: Position, place: int) -> bool:
    """Whether both triangles of this place are free (C5.1, C5.2)."""
    return has_bit(position.places[place >> 6], place & 63)


# ---- legal actions (C3)


@kernel
def refusal(board: BoardArrays, position: Position, action: int) -> int:
    """Why the seat to act may not do this, as a `Refusal`; `Refusal.NONE` where it may."""
    if position.phase == Phase.OVER:
        return Refusal.GAME_OVER
    if action < 0 or action >= ACTIONS:
        return Refusal.NO_SUCH_ACTION
    if action >= FIRST_PLACEMENT:
        return _refusal_of_placement(board, position, action - FIRST_PLACEMENT)
    if position.phase == Phase.PLACEMENT:  # whoever draws must place (C3.3)
        return Refusal.MUST_PLACE
    if action == DRAW:
        return _refusal_of_draw(position)
    if action == PASS:  # who can act must (C3.2)
        able = can_draw(position) or can_place_token(position, position.seat)
        return Refusal.MAY_NOT_PASS if able else Refusal.NONE
    return _refusal_of_token(board, position, action - FIRST_TOKEN)


@kernel
def _refusal_of_draw(position: Position) -> int:
    if position.left == 0:
        return Refusal.NO_RHOMB_LEFT
    return Refusal.NONE if has_free_place(position) else Refusal.NO_PLACE_LEFT


@kernel
def _refusal_of_token(board: BoardArrays, position: Position, crossing: int) -> int:
    """C4.1 to C4.3, in that order."""
    if board.touching[crossing] == NONE:
        return Refusal.NO_SUCH_ACTION
    if position.supply[position.seat] == 0:
        return Refusal.NO_TOKEN_LEFT
    if has_bit(occupied(position), crossing):
        return Refusal.CROSSING_OCCUPIED
    if not has_bit(position.open, crossing):
        return Refusal.CROSSING_CLOSED
    if has_bit(position.barred, crossing):
        return Refusal.CROSSING_GUARDED
    return Refusal.NONE


@kernel
def _refusal_of_placement(board: BoardArrays, position: Position, where: int) -> int:
    """C5.1, C5.2 and, for a rhomb whose two turns are one move, C1.4."""
    place, turn = where // TURNS, where % TURNS
    if board.covered_by[place] == NONE:
        return Refusal.NO_SUCH_ACTION
    if position.phase != Phase.PLACEMENT:
        return Refusal.NOTHING_DRAWN
    if not is_place_free(position, place):
        return Refusal.TRIANGLE_COVERED
    if turn >= board.turns[position.in_hand]:
        return Refusal.TURN_IS_THE_SAME
    return Refusal.NONE


@kernel
def legal_actions(board: BoardArrays, position: Position, actions: np.ndarray) -> int:
    """Write the legal actions into `actions`, in ascending order, and say how many there are."""
    if position.phase == Phase.PLACEMENT:
        return _legal_placements(board, position, actions)
    if position.phase != Phase.CHOICE:
        return 0
    count = 0
    if position.supply[position.seat] > 0:
        crossings = open_to_tokens(position)
        while crossings != NONE:
            actions[count] = FIRST_TOKEN + lowest_bit(crossings)
            crossings = without_lowest(crossings)
            count += 1
    if can_draw(position):
        actions[count] = DRAW
        count += 1
    if count == 0:  # who can do neither passes (C3.2)
        actions[count] = PASS
        count += 1
    return count


@kernel
def _legal_placements(board: BoardArrays, position: Position, actions: np.ndarray) -> int:
    count = 0
    for half in range(2):
        places = position.places[half]
        while places != NONE:
            place = half * 64 + lowest_bit(places)
            places = without_lowest(places)
            for turn in range(board.turns[position.in_hand]):
                actions[count] = FIRST_PLACEMENT + place * TURNS + turn
                count += 1
    return count


# ---- apply (C3 to C5)


@kernel
def apply(board: BoardArrays, position: Position, action: int) -> None:
    """Do a legal action. After `DRAW` the position waits for `apply_outcome`."""
    if action >= FIRST_PLACEMENT:
        place_rhomb(board, position, action - FIRST_PLACEMENT)
        end_turn(board, position)
    elif action == DRAW:
        position.phase = Phase.CHANCE
    elif action == PASS:
        next_seat(position)
    else:
        place_token(position, action - FIRST_TOKEN)
        end_turn(board, position)


@kernel
def apply_outcome(position: Position, kind: int) -> None:
    """The rhomb drawn is of this kind (C2.1): one of those left, each as likely as any other."""
    position.bag[kind] -= 1
    position.left -= 1
    position.in_hand = kind
    position.phase = Phase.PLACEMENT


@kernel
def place_token(position: Position, crossing: int) -> None:
    """C4.1: from the own supply."""
    position.tokens[position.seat] |= bit(crossing)
    position.supply[position.seat] -= 1


@kernel
def place_rhomb(board: BoardArrays, position: Position, where: int) -> None:
    """C5: cover two triangles, then scoring (C6), then activation (C7)."""
    place = where // TURNS
    cover(board, position, position.in_hand, where)
    position.in_hand = NOTHING
    close(position, closed_by(board, position, place))
    activate(board, position, uncoverable(board, position, board.beside[place]))


@kernel
def cover(board: BoardArrays, position: Position, kind: int, where: int) -> None:
    """Lay a rhomb of this kind; its numbers point at the crossings under its corners (C6.3)."""
    place, turn = where // TURNS, where % TURNS
    position.free &= ~board.covered_by[place]
    position.places[0] &= ~board.overlapping[place, 0]
    position.places[1] &= ~board.overlapping[place, 1]
    for corner in range(4):
        number = board.numbers[kind, (corner + 2 * turn) & 3]  # turned by 180 degrees: two corners on
        crossing = board.points_at[place, corner]
        position.sums[crossing] += number
        position.sizes[crossing] += abs(number)
    position.rhombi[position.placed] = kind
    position.where[position.placed] = where
    position.placed += 1


@kernel
def end_turn(board: BoardArrays, position: Position) -> None:
    """The next player's turn, or the end, checked after every placement (C8.1)."""
    if is_stuck(position):
        finish(board, position)
    else:
        next_seat(position)


@kernel
def next_seat(position: Position) -> None:
    """Play goes clockwise (C2.3)."""
    seat = position.seat + 1
    position.seat = seat if seat < position.players else 0
    position.phase = Phase.CHOICE


# ---- intermediate scoring and activation (C6, C7)


@kernel
def closed_by(board: BoardArrays, position: Position, place: int) -> np.uint64:
    """The crossings under the corners of this place that touch no free triangle any more."""
    closed = NONE
    for corner in range(4):
        crossing = board.points_at[place, corner]
        if board.touching[crossing] & position.free == NONE:
            closed |= bit(crossing)
    return closed


@kernel
def close(position: Position, crossings: np.uint64) -> None:
    """C6: tokens on crossings that touch no free triangle any more score, and go back to their owners."""
    position.open &= ~crossings
    if occupied(position) & crossings == NONE:
        return
    for seat in range(position.players):
        scoring = position.tokens[seat] & crossings
        position.tokens[seat] &= ~crossings
        while scoring != NONE:
            position.scores[seat] += position.sums[lowest_bit(scoring)]
            position.supply[seat] += 1
            scoring = without_lowest(scoring)


@kernel
def uncoverable(board: BoardArrays, position: Position, triangles: np.uint64) -> np.uint64:
    """The free triangles that no rhomb can cover any more, looked for among these.

    C7.4: once the last rhomb lies on the board, all that are free.
    """
    if position.left == 0 and position.in_hand == NOTHING:
        return position.free  # type: ignore[no-any-return]
    return isolated_among(board, position, triangles)


@kernel
def isolated_among(board: BoardArrays, position: Position, triangles: np.uint64) -> np.uint64:
    """C7.1: those of these triangles that are free and have no free neighbour."""
    isolated = NONE
    waiting = triangles & position.free
    while waiting != NONE:
        triangle = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        if board.neighbours[triangle] & position.free == NONE:
            isolated |= bit(triangle)
    return isolated


@kernel
def activate(board: BoardArrays, position: Position, triangles: np.uint64) -> None:
    """C7: these triangles are activated; guards act at once, parks and coats of arms at the end (C7.3)."""
    position.active |= triangles
    guards = triangles & board.guards
    while guards != NONE:
        drive_away(position, board.corners[lowest_bit(guards)])
        guards = without_lowest(guards)


@kernel
def drive_away(position: Position, crossings: np.uint64) -> None:
    """C7.2: tokens beside an activated guard go back unscored, and no token may come there again."""
    position.barred |= crossings
    for seat in range(position.players):
        driven = position.tokens[seat] & crossings
        if driven != NONE:
            position.tokens[seat] &= ~crossings
            position.supply[seat] += popcount(driven)


# ---- final scoring (C8)


@kernel
def finish(board: BoardArrays, position: Position) -> None:
    """C8.2: every token on the board scores what it is worth; it stays where it is, to be looked at."""
    position.phase = Phase.OVER
    for seat in range(position.players):
        tokens = position.tokens[seat]
        while tokens != NONE:
            position.scores[seat] += final_points(board, position, lowest_bit(tokens))
            tokens = without_lowest(tokens)


@kernel
def active_parks(board: BoardArrays, position: Position, crossing: int) -> int:
    """How many activated parks this crossing touches."""
    return popcount(board.touching[crossing] & position.active & board.parks)


@kernel
def has_active_coat(board: BoardArrays, position: Position, crossing: int) -> bool:
    """Whether this crossing touches an activated coat of arms."""
    return bool(board.touching[crossing] & position.active & board.coats != NONE)


@kernel
def final_points(board: BoardArrays, position: Position, crossing: int) -> int:
    """C8.2, C8.3: a coat of arms makes negative numbers positive, then every park doubles."""
    parks = active_parks(board, position, crossing)
    coat = has_active_coat(board, position, crossing)
    if parks == 0 and not coat:
        return 0
    points = int(position.sizes[crossing]) if coat else int(position.sums[crossing])
    return points * (1 << parks)


# ---- what an action did, told from the positions before and after it


@kernel
def scored_tokens(before: Position, after: Position, seat: int) -> np.uint64:
    """The crossings where this seat's tokens scored (C6): they left the board and no free triangle is left there."""
    return before.tokens[seat] & ~after.tokens[seat] & ~after.open  # type: ignore[no-any-return]


@kernel
def driven_tokens(before: Position, after: Position, seat: int) -> np.uint64:
    """The crossings that guards drove this seat's tokens from (C7.2): a free triangle, the guard, is left (C5.3)."""
    return before.tokens[seat] & ~after.tokens[seat] & after.open  # type: ignore[no-any-return]


@kernel
def activated_triangles(before: Position, after: Position) -> np.uint64:
    """The triangles that were activated (C7.1)."""
    return after.active & ~before.active  # type: ignore[no-any-return]
