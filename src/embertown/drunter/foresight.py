"""Whom a tile would hurt, as far as anybody can know: kernels for those who look at many tiles.

Others' objectives are secret, but their play speaks: who buries museums, goes near them or votes for it hardly has the
museum. `suspect` makes likelihoods of what is remembered (`memory.py`); with them every standing building has a worth
to the others (`others_stake`), and every tile something that it takes from oneself and from them (`foresee`).
"""

from __future__ import annotations

import math

import numpy as np

from embertown.core.jit import kernel
from embertown.drunter.board import BORDER, BUILDINGS, DIRECTIONS, NOWHERE, ROW, STEPS, VALUES, BoardArrays
from embertown.drunter.memory import NEAREST, Memory, counted_from, is_under, loss_of, nearness, objectives_there
from embertown.drunter.rules import (
    BUILDING_OBJECTIVES,
    LONGEST,
    OBJECTIVES,
    Position,
    direction_of,
    first_square,
    forward,
    gang_of,
    has_outhouse,
    is_standing,
    length_of,
    line_of,
    place_in_line,
)

BY_BURIED, BY_NEARED, BY_VOTED = -0.35, -0.02, -0.22
"""How a point buried, neared (in sixteenths) or voted for speaks against an objective, as a logarithm of odds.

Half of what was found in 120 games of `foreman` with 2, 3 and 4 players, where it named three objectives of four:
others may bluff. What was spared, and what votes brought gangs near to, said nothing beyond that.
"""
LEAST_ODDS = -30.0
HALF = 0.5
"""What is left of a tile that needs a vote."""
STANDING = len(BUILDINGS) * len(VALUES)
"""So many buildings there are, by kind and value."""


@kernel
def suspicion(memory: Memory, seat: int, objective: int) -> float:
    """How likely a seat has an objective against any other one, from what everybody remembers of its play."""
    against = BY_BURIED * memory.buried[seat, objective] + BY_NEARED * memory.neared[seat, objective]
    return math.exp(max(LEAST_ODDS, min(-LEAST_ODDS, against + BY_VOTED * memory.voted[seat, objective])))


@kernel
def suspect(position: Position, memory: Memory, other: int, own: int, first: int, out: np.ndarray, start: int) -> None:
    """Write how likely another seat has each objective, for one who has the `own` ones (bits); from `start` on."""
    total = 0.0
    for objective in range(objectives_there(position)):
        if own >> objective & 1 == 0:  # every card is there once (D2.1)
            likely = suspicion(memory, other, objective)
            out[start + counted_from(objective, first)] = likely
            total += likely
    for place in range(start, start + len(OBJECTIVES)):
        out[place] /= total


@kernel
def others_stake(
    board: BoardArrays, position: Position, kind: int, value: int, first: int, suspicions: np.ndarray, start: int
) -> float:
    """What the others lose together if a standing building is covered, by how likely each has which objective."""
    stake = 0.0
    for objective in range(BUILDING_OBJECTIVES - 1, objectives_there(position)):
        of = kind if objective < BUILDING_OBJECTIVES else objective
        likely = 0.0
        for step in range(position.players - 1):
            likely += suspicions[start + step * len(OBJECTIVES) + counted_from(of, first)]
        if likely > 0:
            stake += likely * loss_of(board, position, of, kind, value)
    return stake


@kernel
def foresee(
    board: BoardArrays, position: Position, action: int, first: int, stakes: np.ndarray, start: int
) -> tuple[float, float, float, float]:
    """What a tile buries of one's own and of the others', and how much nearer its gang comes to the rest of both.

    `stakes` are what every building is worth to oneself, and after all of those to the others; from `start` on.
    """
    here, direction = int(position.gangs[gang_of(action)]), direction_of(action)
    square = first_square(position, gang_of(action), direction)
    last = square + (length_of(action) - 1) * STEPS[direction]
    own_lost = others_lost = own_neared = others_neared = 0.0
    for building in range(STANDING):
        kind, value = building // len(VALUES), building % len(VALUES) + 1
        if not is_standing(board, position, kind, value):
            continue
        there = int(board.building[kind, value - 1])
        at = start + counted_from(kind, first) * len(VALUES) + value - 1
        if is_under(action, square, there):
            own_lost, others_lost = own_lost + stakes[at], others_lost + stakes[at + STANDING]
        else:
            nearer = (nearness(last, there) - nearness(here, there)) / NEAREST
            own_neared += nearer * stakes[at]
            others_neared += nearer * stakes[at + STANDING]
    return own_lost, others_lost, own_neared, others_neared


# ---- what may come after a tile


@kernel
def square_ahead(position: Position, square: int, direction: int) -> int:
    """Where a tile would start that goes on from a square, beyond bridges across its way (D4.2, D4.4); or NOWHERE."""
    line, step = line_of(square, direction), forward(direction)
    under, covered = np.int64(position.under[direction & 1, line]), np.int64(position.covered[direction & 1, line])
    place = place_in_line(square, direction) + step
    while under >> place & 1:
        place += step
    if covered >> place & 1:
        return NOWHERE
    return line * ROW + place - BORDER if direction & 1 else (place - BORDER) * ROW + line


@kernel
def ways_from(position: Position, square: int, behind: int) -> int:
    """In how many directions a path can go on from a square, but for the one behind: none where it ends."""
    ways = 0
    for direction in range(len(DIRECTIONS)):
        if direction != behind and square_ahead(position, square, direction) != NOWHERE:
            ways += 1
    return ways


@kernel
def most_buried(
    board: BoardArrays,
    position: Position,
    seat: int,
    kind: int,
    square: int,
    behind: int,
    first: int,
    stakes: np.ndarray,
    start: int,
) -> float:
    """The most that a seat's next tile of a kind would bury, laid from a square in any direction but the one behind.

    `stakes` are what every building is worth, from `start` on. What needs a vote counts half.
    """
    most = 0.0
    for direction in range(len(DIRECTIONS)):
        there = NOWHERE if direction == behind else square_ahead(position, square, direction)
        if there == NOWHERE:
            continue
        buried, share = 0.0, 1.0
        covered = np.int64(position.covered[direction & 1, line_of(there, direction)])
        place = place_in_line(there, direction)
        for length in range(LONGEST):
            building = int(board.building_on[there])
            if building != NOWHERE:
                counted = counted_from(building // len(VALUES), first) * len(VALUES) + building % len(VALUES)
                buried += stakes[start + counted]
            if has_outhouse(board, there) and not position.no_votes:
                share = HALF
            if position.tiles[seat, kind, length] > 0:
                most = max(most, share * buried)
            there, place = there + STEPS[direction], place + forward(direction)
            if covered >> place & 1:
                break
    return most
