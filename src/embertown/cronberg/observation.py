"""What a network sees of a position of Cronberg, and what it may answer: rows of numbers, in the rules' kernels' style.

A network looks at a hexagon of side 3 (C1.1), of which an edition's board is a part: crossings, triangles and places
have slots there, and a board lies in it in twelve ways, turned and mirrored (`symmetries`). All that can differ
between editions is told by numbers: what a triangle is, which numbers the rhombi carry. Seats are counted from the one
that looks. Nothing is read but the board and the public position, so equal views give equal observations.

>>> import embertown
>>> state = embertown.load("cronberg", players=2).start(seed=7, first=0)
>>> seen = observation(state.view(0))
>>> seen.shape == (OBSERVATION,), len(symmetries(state.game.board))
(True, 12)
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from embertown.core.errors import BadArgument
from embertown.core.jit import NONE, has_bit, kernel, next_random, popcount
from embertown.cronberg import rules
from embertown.cronberg.board import BEYOND, PLAIN, Board, BoardArrays, Point, strip_lengths
from embertown.cronberg.foresight import EFFECTS, all_shown, foresee, shown_at
from embertown.cronberg.playout import random_outcome
from embertown.cronberg.rules import MAX_PLAYERS, NOTHING, TURNS, Phase, Position

SIDE = 3
"""Of the hexagon that a network looks at."""
CROSSINGS, TRIANGLES, PLACES = 37, 54, 72
"""How many there are in it (C1.1)."""
NOWHERE = 255
"""In a slot that the edition has nothing for."""
NO_ACTION = -1

# ---- what a network may answer: slots of crossings, drawing, passing, slots of places in two turns

DRAW = CROSSINGS
PASS = DRAW + 1
FIRST_PLACEMENT = PASS + 1
PLACEMENTS = PLACES * TURNS
ACTIONS = FIRST_PLACEMENT + PLACEMENTS
"""How many different answers there are."""

# ---- what it sees: layers over the crossings, layers over the triangles, single numbers, layers over the placements

TOKENS = 0
BARRED = TOKENS + MAX_PLAYERS
SUMS, SIZES, FREE_AROUND = BARRED + 1, BARRED + 2, BARRED + 3
ACTIVE_PARKS, ACTIVE_COATS = FREE_AROUND + 1, FREE_AROUND + 2
PARKS_TO_COME, COATS_TO_COME, GUARDS_TO_COME = ACTIVE_COATS + 1, ACTIVE_COATS + 2, ACTIVE_COATS + 3
SHOWN = GUARDS_TO_COME + 1
TOKENS_SHOWN = SHOWN + 1
CROSSING_LAYERS = TOKENS_SHOWN + MAX_PLAYERS

FREE, ACTIVE, PARK, COAT, GUARD = range(5)
TRIANGLE_LAYERS = GUARD + 1

NUMBERS = 17
"""A corner's number is from -8 to 8 (C1.4)."""
LARGEST = 8

ON_TRIANGLES = CROSSING_LAYERS * CROSSINGS
SUPPLIES = ON_TRIANGLES + TRIANGLE_LAYERS * TRIANGLES
LEADS = SUPPLIES + MAX_PLAYERS
BENT_LEADS = LEADS + MAX_PLAYERS - 1
PROSPECTS = BENT_LEADS + MAX_PLAYERS - 1
BENT_PROSPECTS = PROSPECTS + MAX_PLAYERS - 1
PLAYERS = BENT_PROSPECTS + MAX_PLAYERS - 1
LEFT = PLAYERS + MAX_PLAYERS - 1
PLACING = LEFT + 1
SHARP_LEFT = PLACING + 1
BLUNT_LEFT = SHARP_LEFT + NUMBERS
SHARP_IN_HAND = BLUNT_LEFT + NUMBERS
BLUNT_IN_HAND = SHARP_IN_HAND + NUMBERS
IN_HAND = BLUNT_IN_HAND + NUMBERS
ON_PLACEMENTS = IN_HAND + 4
OBSERVATION = ON_PLACEMENTS + EFFECTS * PLACEMENTS
"""How many numbers a network sees."""

# what counts are divided by, so that the numbers are about 1 at most
SUM_SCALE, AROUND_SCALE, PARK_SCALE, TOKEN_SCALE = 8.0, 6.0, 2.0, 4.0
LEAD_SCALE, LEAD_BEND, LEFT_SCALE, CORNER_SCALE = 40.0, 10.0, 28.0, 8.0
SHOWN_SCALE, BACK_SCALE = 8.0, 2.0

Symmetry: TypeAlias = np.record
"""How a board lies in the network's hexagon: one record of `SYMMETRY`."""

SYMMETRY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("crossing_at", np.uint8, (CROSSINGS,)),  # by slot: the board's crossing, or NOWHERE
                ("triangle_at", np.uint8, (TRIANGLES,)),
                ("action_at", np.int16, (ACTIONS,)),  # by answer: the action of the rules, or NO_ACTION
                ("mirrored", np.int8),  # clockwise has become the other way round
            ],
            align=True,
        ),
    )
)

Memory: TypeAlias = np.record
"""What a seat remembers beyond the position: in Cronberg nothing, all that matters lies on the board."""

MEMORY = np.dtype((np.record, np.dtype([("filler", np.uint64)], align=True)))


# ---- kernels: seeing


@kernel
def observe(
    board: BoardArrays,
    position: Position,
    memory: Memory,  # noqa: ARG001 (as in games with secrets)
    seat: int,
    symmetry: Symmetry,
    out: np.ndarray,
) -> None:
    """Write what this seat sees into a row of `OBSERVATION` numbers."""
    _observe_tokens(board, position, seat, symmetry, out)
    _observe_crossings(board, position, symmetry, out)
    _observe_triangles(board, position, symmetry, out)
    _observe_players(board, position, seat, out)
    _observe_left(board, position, out)
    _observe_in_hand(board, position, symmetry, out)
    _observe_placements(board, position, seat, symmetry, out)


@kernel
def _observe_tokens(board: BoardArrays, position: Position, seat: int, symmetry: Symmetry, out: np.ndarray) -> None:
    """Whose token stands on a crossing, and what it has to show: the own ones first, then by the order of play."""
    for behind in range(MAX_PLAYERS):
        tokens = position.tokens[_seat_behind(position, seat, behind)] if behind < position.players else NONE
        for slot in range(CROSSINGS):
            crossing = int(symmetry.crossing_at[slot])
            there = crossing != NOWHERE and has_bit(tokens, crossing & 63)
            out[(TOKENS + behind) * CROSSINGS + slot] = 1.0 if there else 0.0
            shows = shown_at(board, position, crossing) if there else 0
            out[(TOKENS_SHOWN + behind) * CROSSINGS + slot] = shows / SHOWN_SCALE


@kernel
def _seat_behind(position: Position, seat: int, behind: int) -> int:
    """The seat that acts so many turns after this one."""
    other = seat + behind
    return other - int(position.players) if other >= position.players else other


@kernel
def _observe_crossings(board: BoardArrays, position: Position, symmetry: Symmetry, out: np.ndarray) -> None:
    """What a token on a crossing has, and what it may still get or suffer."""
    to_come = position.free & ~position.active
    for slot in range(CROSSINGS):
        crossing = int(symmetry.crossing_at[slot])
        exists = crossing != NOWHERE
        index = crossing if exists else 0
        around = board.touching[index] if exists else NONE
        out[BARRED * CROSSINGS + slot] = 1.0 if exists and has_bit(position.barred, index) else 0.0
        out[SUMS * CROSSINGS + slot] = position.sums[index] / SUM_SCALE if exists else 0.0
        out[SIZES * CROSSINGS + slot] = position.sizes[index] / SUM_SCALE if exists else 0.0
        out[FREE_AROUND * CROSSINGS + slot] = popcount(around & position.free) / AROUND_SCALE
        out[ACTIVE_PARKS * CROSSINGS + slot] = popcount(around & position.active & board.parks) / PARK_SCALE
        out[ACTIVE_COATS * CROSSINGS + slot] = 1.0 if around & position.active & board.coats != NONE else 0.0
        out[PARKS_TO_COME * CROSSINGS + slot] = popcount(around & to_come & board.parks) / PARK_SCALE
        out[COATS_TO_COME * CROSSINGS + slot] = popcount(around & to_come & board.coats) / PARK_SCALE
        out[GUARDS_TO_COME * CROSSINGS + slot] = popcount(around & to_come & board.guards) / PARK_SCALE
        out[SHOWN * CROSSINGS + slot] = shown_at(board, position, index) / SHOWN_SCALE if exists else 0.0


@kernel
def _observe_triangles(board: BoardArrays, position: Position, symmetry: Symmetry, out: np.ndarray) -> None:
    """What is free and active, and what it is; what a covered triangle was matters no more."""
    for slot in range(TRIANGLES):
        triangle = int(symmetry.triangle_at[slot])
        index = triangle & 63
        free = triangle != NOWHERE and has_bit(position.free, index)
        where = ON_TRIANGLES + slot
        out[where + FREE * TRIANGLES] = 1.0 if free else 0.0
        out[where + ACTIVE * TRIANGLES] = 1.0 if free and has_bit(position.active, index) else 0.0
        out[where + PARK * TRIANGLES] = 1.0 if free and has_bit(board.parks, index) else 0.0
        out[where + COAT * TRIANGLES] = 1.0 if free and has_bit(board.coats, index) else 0.0
        out[where + GUARD * TRIANGLES] = 1.0 if free and has_bit(board.guards, index) else 0.0


@kernel
def _observe_players(board: BoardArrays, position: Position, seat: int, out: np.ndarray) -> None:
    """Supplies; leads, because scores matter only as differences, once as they are and once bent; how many play.

    A prospect is a lead with what all tokens have to show.
    """
    own, own_shown = int(position.scores[seat]), all_shown(board, position, seat)
    for behind in range(MAX_PLAYERS):
        other = _seat_behind(position, seat, behind) if behind < position.players else seat
        present = 1.0 if behind < position.players else 0.0
        out[SUPPLIES + behind] = present * position.supply[other] / TOKEN_SCALE
        if behind > 0:
            lead = float(own - int(position.scores[other]))
            out[LEADS + behind - 1] = lead / LEAD_SCALE
            out[BENT_LEADS + behind - 1] = lead / (LEAD_BEND + abs(lead))
            prospect = lead + (own_shown - all_shown(board, position, other))
            out[PROSPECTS + behind - 1] = prospect / LEAD_SCALE
            out[BENT_PROSPECTS + behind - 1] = prospect / (LEAD_BEND + abs(prospect))
            out[PLAYERS + behind - 1] = present


@kernel
def _observe_left(board: BoardArrays, position: Position, out: np.ndarray) -> None:
    """The rhombi not yet drawn: by number, how many of their corners carry it."""
    out[LEFT] = position.left / LEFT_SCALE
    for number in range(2 * NUMBERS):
        out[SHARP_LEFT + number] = 0.0
    for kind in range(board.kinds):
        share = position.bag[kind] / CORNER_SCALE
        for corner in range(2):
            out[SHARP_LEFT + LARGEST + int(board.numbers[kind, 2 * corner])] += share
            out[BLUNT_LEFT + LARGEST + int(board.numbers[kind, 2 * corner + 1])] += share


@kernel
def _observe_in_hand(board: BoardArrays, position: Position, symmetry: Symmetry, out: np.ndarray) -> None:
    """The rhomb to be placed: its numbers clockwise as seen in the hexagon, and each as a slot of its own."""
    for number in range(2 * NUMBERS):
        out[SHARP_IN_HAND + number] = 0.0
    kind = int(position.in_hand)
    placing = kind != NOTHING
    out[PLACING] = 1.0 if placing else 0.0
    for corner in range(4):
        mirrored = (4 - corner) & 3 if symmetry.mirrored else corner
        number = int(board.numbers[kind, mirrored]) if placing else 0
        out[IN_HAND + corner] = number / SUM_SCALE
        if placing:
            out[SHARP_IN_HAND + (corner & 1) * NUMBERS + LARGEST + number] += 0.5


@kernel
def _observe_placements(board: BoardArrays, position: Position, seat: int, symmetry: Symmetry, out: np.ndarray) -> None:
    """What each legal placement of the rhomb in hand would do to the tokens around (`foresee`), layer by layer."""
    for number in range(PLACEMENTS):
        where = _placement(board, position, symmetry, FIRST_PLACEMENT + number)
        own_shown, others_shown, own_back, others_back = 0, 0, 0, 0
        if where != NO_ACTION:
            own_shown, others_shown, own_back, others_back = foresee(board, position, seat, where)
        out[ON_PLACEMENTS + number] = own_shown / SHOWN_SCALE
        out[ON_PLACEMENTS + PLACEMENTS + number] = others_shown / SHOWN_SCALE
        out[ON_PLACEMENTS + 2 * PLACEMENTS + number] = own_back / BACK_SCALE
        out[ON_PLACEMENTS + 3 * PLACEMENTS + number] = others_back / BACK_SCALE


@kernel
def _placement(board: BoardArrays, position: Position, symmetry: Symmetry, answer: int) -> int:
    """Where and how an answer places the rhomb in hand, as the rules count it, or `NO_ACTION` if that is not legal.

    Where turning a rhomb changes nothing, the first turn stands for both (C1.4), whichever way the board lies.
    """
    if position.phase != Phase.PLACEMENT:
        return NO_ACTION
    where, turns = int(symmetry.action_at[answer]) - rules.FIRST_PLACEMENT, int(board.turns[position.in_hand])
    turn = (answer - FIRST_PLACEMENT) & 1
    if where < 0 or turn >= turns or not rules.is_place_free(position, where >> 1):
        return NO_ACTION
    return where - (where & 1) if turns == 1 else where


@kernel
def mask(board: BoardArrays, position: Position, seat: int, symmetry: Symmetry, out: np.ndarray) -> None:
    """Write 1 for every answer that is a legal action of this seat, 0 for all others."""
    choosing = position.phase == Phase.CHOICE
    crossings = rules.open_to_tokens(position) if choosing and position.supply[seat] > 0 else NONE
    for slot in range(CROSSINGS):
        crossing = symmetry.crossing_at[slot]
        out[slot] = 1 if crossing != NOWHERE and has_bit(crossings, crossing & 63) else 0
    draws = choosing and rules.can_draw(position)
    out[DRAW] = 1 if draws else 0
    out[PASS] = 1 if choosing and not draws and crossings == NONE else 0
    for answer in range(FIRST_PLACEMENT, ACTIONS):
        out[answer] = 0 if _placement(board, position, symmetry, answer) == NO_ACTION else 1


@kernel
def action_of(board: BoardArrays, position: Position, symmetry: Symmetry, answer: int) -> int:
    """The action of the rules that a legal answer means here."""
    if answer >= FIRST_PLACEMENT:
        return rules.FIRST_PLACEMENT + _placement(board, position, symmetry, answer)
    return int(symmetry.action_at[answer])


# ---- kernels: going on


@kernel
def acting_seat(position: Position) -> int:
    """The seat that decides next."""
    return int(position.seat)


@kernel
def remember(board: BoardArrays, position: Position, memory: Memory, seat: int, action: int) -> None:
    """Note what will be needed of an action, before it is applied: in Cronberg nothing."""


@kernel
def step(
    board: BoardArrays, position: Position, memory: Memory, seat: int, action: int, random: np.uint64
) -> np.uint64:
    """Do an action of the rules, draw where it asks for it, up to the next decision; the next state of chance."""
    remember(board, position, memory, seat, action)
    rules.apply(board, position, action)
    if position.phase == Phase.CHANCE:
        rules.apply_outcome(position, random_outcome(board, position, random))
        random = next_random(random)
    return random


# ---- kernels for callers in Python: records in arrays of one, many positions at once


@kernel
def observe_many(board: np.ndarray, positions: np.ndarray, symmetry: np.ndarray, rows: np.ndarray) -> None:
    """What the seat to act sees in each of these positions."""
    memory = np.zeros(1, MEMORY)
    for index in range(len(positions)):
        observe(board[0], positions[index], memory[0], acting_seat(positions[index]), symmetry[0], rows[index])


@kernel
def mask_many(board: np.ndarray, positions: np.ndarray, symmetry: np.ndarray, rows: np.ndarray) -> None:
    """The answers of the seat to act that are legal in each of these positions."""
    for index in range(len(positions)):
        mask(board[0], positions[index], acting_seat(positions[index]), symmetry[0], rows[index])


@kernel
def actions_of(board: np.ndarray, position: np.ndarray, symmetry: np.ndarray, actions: np.ndarray) -> None:
    """By answer: the action of the rules that it means in this position, where it is legal."""
    for answer in range(ACTIONS):
        actions[answer] = action_of(board[0], position[0], symmetry[0], answer)


@kernel
def spread(
    board: np.ndarray,
    positions: np.ndarray,
    symmetry: np.ndarray,
    masks: np.ndarray,
    answers: np.ndarray,
    out: np.ndarray,
) -> None:
    """Add what is said of each legal answer to the action of the rules that it means, position by position."""
    for index in range(len(positions)):
        for answer in range(ACTIONS):
            if masks[index, answer] != 0:
                action = action_of(board[0], positions[index], symmetry[0], answer)
                out[index, action] += answers[index, answer]


@kernel
def _observe_one(board: np.ndarray, position: np.ndarray, seat: int, symmetry: np.ndarray, row: np.ndarray) -> None:
    memory = np.zeros(1, MEMORY)
    observe(board[0], position[0], memory[0], seat, symmetry[0], row)


def observation(view: Any, symmetry: int = 0) -> np.ndarray:
    """What the seat of a view sees (a spectator: as the seat that acts), the board lying in one of its twelve ways."""
    position, row = view.position_array(), np.empty(OBSERVATION, np.float32)
    seat = acting_seat(position[0]) if view.viewer is None else view.viewer
    board = view.game.board
    _observe_one(board.box, position, seat, symmetries(board)[symmetry : symmetry + 1], row)
    return row


# ---- geometry: how a board lies in the hexagon

WAYS = 12
"""Six turns, each as it is and mirrored."""


def fits(board: Board) -> bool:
    """Whether a board lies in the network's hexagon.

    >>> fits(Board(["PPPPP", "GGGGGGG", "CCCCCCC", "-----"], tokens=4, rhombi={"church": (4, (6, 3, 6, 3))}))
    True
    """
    slots = _slots()
    return all(lattice_point(point) in slots for point in board.point_of.values())


def symmetries(board: Board) -> np.ndarray:
    """The twelve ways in which a board lies in the network's hexagon (`SYMMETRY`); the first is as it is."""
    if not fits(board):
        raise BadArgument(f"the board has side {board.side}; right would be: one that lies in a hexagon of side {SIDE}")
    return _symmetries(tuple("".join(BEYOND if s == BEYOND else PLAIN for s in strip) for strip in board.strips))


@cache
def _symmetries(strips: tuple[str, ...]) -> np.ndarray:
    board = _plain_board(strips)
    found = np.zeros(WAYS, SYMMETRY)
    for way in range(WAYS):
        _fill(found[way], board, way)
    found.flags.writeable = False
    return found


@cache
def _plain_board(strips: tuple[str, ...]) -> Board:
    return Board(strips, tokens=1, rhombi={"any": (1, (1, 1, 1, 1))})


@cache
def _slots() -> dict[tuple[int, int], int]:
    """By where it lies: a crossing's slot in the hexagon."""
    whole = hexagon()
    return {lattice_point(whole.point_of[name]): index for index, name in enumerate(whole.crossings)}


def hexagon() -> Board:
    """The hexagon that a network looks at, as a board without symbols."""
    return _plain_board(tuple(PLAIN * length for length in strip_lengths(SIDE)))


def lattice_point(point: Point) -> tuple[int, int]:
    """A point of the lattice in whole numbers: half sides to the right, rows down."""
    return round(2 * point.x), round(point.y / (math.sqrt(3) / 2))


def _moved(point: Point, way: int) -> Point:
    """Where a point comes to lie: mirrored from the sixth way on, then turned by sixths."""
    x, y = (-point.x if way >= WAYS // 2 else point.x), point.y
    angle = way % (WAYS // 2) * math.pi / 3
    return Point(x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))


def _fill(symmetry: Symmetry, board: Board, way: int) -> None:
    whole = hexagon()
    slot_of = {name: _slots()[lattice_point(_moved(point, way))] for name, point in board.point_of.items()}
    name_of = {name: whole.crossings[slot] for name, slot in slot_of.items()}
    corners = {frozenset(whole.corners_of[name]): name for name in whole.triangles}
    symmetry.crossing_at[:], symmetry.triangle_at[:], symmetry.action_at[:] = NOWHERE, NOWHERE, NO_ACTION
    symmetry.mirrored = way >= WAYS // 2
    symmetry.action_at[DRAW], symmetry.action_at[PASS] = rules.DRAW, rules.PASS
    for index, name in enumerate(board.crossings):
        symmetry.crossing_at[slot_of[name]] = index
        symmetry.action_at[slot_of[name]] = rules.FIRST_TOKEN + index
    moved = {name: corners[frozenset(name_of[c] for c in board.corners_of[name])] for name in board.triangles}
    for index, name in enumerate(board.triangles):
        symmetry.triangle_at[whole.triangle_index[moved[name]]] = index
    places = {frozenset(place.triangles): slot for slot, place in enumerate(whole.places)}
    for index, place in enumerate(board.places):
        slot = places[frozenset(moved[name] for name in place.triangles)]
        turned = whole.places[slot].corners[0] != name_of[place.corners[0]]
        for turn in range(TURNS):
            answer = FIRST_PLACEMENT + slot * TURNS + (turn ^ turned)
            symmetry.action_at[answer] = rules.FIRST_PLACEMENT + index * TURNS + turn
