"""Whom a tile would hurt, as far as anybody can know: kernels for those who look at many tiles.

Others' objectives are secret, but their play speaks: who buries museums, goes near them or votes for it hardly has the
museum. `suspect` makes likelihoods of what is remembered (`memory.py`); with them every standing building has a worth
to the others (`others_stake`), and every tile something that it takes from oneself and from them (`foresee`).
"""

from __future__ import annotations

import math

import numpy as np

from embertown.core.jit import kernel
from embertown.drunter.board import BUILDINGS, STEPS, VALUES, BoardArrays
from embertown.drunter.memory import NEAREST, Memory, counted_from, is_under, loss_of, nearness, objectives_there
from embertown.drunter.rules import (
    BUILDING_OBJECTIVES,
    OBJECTIVES,
    Position,
    direction_of,
    first_square,
    gang_of,
    is_standing,
    length_of,
)

BY_BURIED, BY_NEARED, BY_VOTED = -0.35, -0.02, -0.22
"""How a point buried, neared (in sixteenths) or voted for speaks against an objective, as a logarithm of odds.

Half of what was found in 120 games of `foreman` with 2, 3 and 4 players, where it named three objectives of four:
others may bluff. What was spared, and what votes brought gangs near to, said nothing beyond that.
"""
LEAST_ODDS = -30.0
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
