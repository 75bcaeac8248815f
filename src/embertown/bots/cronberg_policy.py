"""What Cronberg's search knows beyond the rules: what a token promises, what a placement does for it, playouts.

All kernels. What they know is one array of weights; `WORTH` holds those that were found by play.

The *worth* of a token is what it is expected to score: the numbers that point at its crossing already, what may still
come (by how many triangles around it can still be covered), doubled by parks that are activated there. A placement's
*gain* is what it does to the worth of the tokens around, for the seat that places it against the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from embertown.core.jit import (
    NONE,
    bit,
    has_bit,
    kernel,
    lowest_bit,
    next_random,
    nth_bit,
    popcount,
    random_below,
    without_lowest,
)
from embertown.cronberg.board import BoardArrays
from embertown.cronberg.foresight import corners_of, isolated_by
from embertown.cronberg.playout import random_action, random_outcome
from embertown.cronberg.rules import (
    DRAW,
    FIRST_PLACEMENT,
    FIRST_TOKEN,
    NOTHING,
    PASS,
    TURNS,
    Phase,
    Position,
    apply,
    apply_outcome,
    can_draw,
    occupied,
    open_to_tokens,
)

# ---- the weights: indices into one array

AROUND = 7
"""A crossing touches at most six triangles: tables by how many of them can still be covered have seven entries."""

KEEP = 0  # by coverable triangles: how much of the sum that stands there lasts
DRIFT = KEEP + AROUND  # by coverable triangles: what is expected to come
KEEP_ACTIVE = DRIFT + AROUND  # the same where a park or coat of arms is activated: the token stays to the end
DRIFT_ACTIVE = KEEP_ACTIVE + AROUND
GUARD = DRIFT_ACTIVE + AROUND  # the part of its worth that a token loses for each guard that may still act
PARK = GUARD + 1  # the part that it wins for each park that may still be activated
OTHERS = PARK + 1  # what a change at another's token counts, against one at an own one
SUPPLY = OTHERS + 1  # what a token in supply is worth …
SUPPLY_LEFT = SUPPLY + 1  # … and how much more for each rhomb that is still to be drawn
DRAWING = SUPPLY_LEFT + 1  # what drawing is worth, as a token's worth is counted …
DRAWING_OWN = DRAWING + 1  # … how much more for each own token on the board
DRAWING_OTHERS = DRAWING_OWN + 1  # … for each of the others'
DRAWING_LEFT = DRAWING_OTHERS + 1  # … and for each rhomb that is still to be drawn
TEMPO = DRAWING_LEFT + 1  # what it is worth to be the one to act
DOUBT = TEMPO + 1  # a lead of so many points in what is promised wins with odds of e to 1 …
DOUBT_LEFT = DOUBT + 1  # … and so many more for each rhomb that is still to be drawn
WEIGHTS = DOUBT_LEFT + 1


def _weights(*tables: Sequence[float]) -> np.ndarray:
    return np.concatenate([np.asarray(table, np.float64) for table in tables])


WORTH = _weights(
    (0.00, 1.51, 1.47, 1.52, 1.69, 1.56, 1.03),  # KEEP
    (0.00, 2.85, 3.77, 3.73, 3.92, 5.80, 2.63),  # DRIFT
    (1.00, 1.31, 1.30, 1.42, 0.35, 0.26, 0.45),  # KEEP_ACTIVE
    (0.00, -0.33, 0.59, 1.96, -2.99, -2.21, -1.53),  # DRIFT_ACTIVE
    (0.06, 0.08, 1.07),  # GUARD, PARK, OTHERS
    (8.04, 0.09),  # SUPPLY
    (-19.50, 5.59, 4.05, 1.12),  # DRAWING
    (2.50, 8.00, 0.40),  # TEMPO, DOUBT
)
"""What an evolution strategy found, in some million 2-player games of the policy against its own variants.

They serve 3 and 4 players too: with weights found there a search gained less from more simulations.
"""

Mind: TypeAlias = np.record
"""One record of `MIND`: what the kernels here know, and their random state."""

MIND = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("weights", np.float64, (WEIGHTS,)),
                ("seed", np.uint64),
                ("tries", np.int64),  # how many actions a playout chooses the best of
                ("turns", np.int64),  # after how many turns a playout stops …
                ("last_rhombi", np.int64),  # … unless no more than so many rhombi are left: then it goes to the end
            ],
            align=True,
        ),
    )
)


# ---- what a token is worth


@kernel
def worth_at(
    board: BoardArrays, mind: Mind, crossing: int, free: np.uint64, active: np.uint64, total: int, size: int
) -> float:
    """What a token on this crossing promises, with these triangles free and activated, and this sum of numbers."""
    touching = board.touching[crossing] & free
    if touching == NONE:  # it scores at once (C6.1)
        return float(total)
    coverable = touching & ~active
    count = popcount(coverable)
    acting = touching & active
    doubling = popcount(acting & board.parks)
    coat = acting & board.coats != NONE
    if doubling > 0 or coat:  # never covered: it stays to the end (C8.2)
        points = size if coat else total
        worth = (mind.weights[KEEP_ACTIVE + count] * points + mind.weights[DRIFT_ACTIVE + count]) * (1 << doubling)
    else:
        worth = mind.weights[KEEP + count] * total + mind.weights[DRIFT + count]
    risk = mind.weights[GUARD] * popcount(coverable & board.guards)
    hope = mind.weights[PARK] * popcount(coverable & board.parks)
    return float(worth * (1.0 - risk + hope))


@kernel
def worth_of(board: BoardArrays, mind: Mind, position: Position, crossing: int) -> float:
    """What a token on this crossing promises as the board is."""
    total, size = int(position.sums[crossing]), int(position.sizes[crossing])
    return worth_at(board, mind, crossing, position.free, position.active, total, size)


@kernel
def worth_in_supply(mind: Mind, position: Position) -> float:
    """What a token that is not on the board is worth."""
    return float(mind.weights[SUPPLY] + mind.weights[SUPPLY_LEFT] * position.left)


@kernel
def promise(board: BoardArrays, mind: Mind, position: Position, seat: int) -> float:
    """What a seat is expected to have in the end: its score and what its tokens promise."""
    points = float(position.scores[seat]) + worth_in_supply(mind, position) * position.supply[seat]
    if seat == position.seat:
        points += mind.weights[TEMPO]
    tokens = position.tokens[seat]
    while tokens != NONE:
        points += worth_of(board, mind, position, lowest_bit(tokens))
        tokens = without_lowest(tokens)
    return float(points)


# ---- what a placement does


@kernel
def change_at(
    board: BoardArrays,
    mind: Mind,
    position: Position,
    crossing: int,
    number: int,
    free: np.uint64,
    active: np.uint64,
    barred: np.uint64,
) -> float:
    """What a number more, and triangles covered and activated, do to a token, as the seat to act sees it."""
    before = worth_of(board, mind, position, crossing)
    if has_bit(barred, crossing):  # driven away, to be placed again (C7.2)
        after = worth_in_supply(mind, position)
    else:
        total, size = int(position.sums[crossing]) + number, int(position.sizes[crossing]) + abs(number)
        after = worth_at(board, mind, crossing, free, active, total, size)
        if board.touching[crossing] & free == NONE:  # scored, to be placed again (C6.2)
            after += worth_in_supply(mind, position)
    if has_bit(position.tokens[position.seat], crossing):
        return after - before
    return float(mind.weights[OTHERS] * (before - after))


@kernel
def gain_of(board: BoardArrays, mind: Mind, position: Position, where: int) -> float:
    """What placing the rhomb in hand there is worth to the seat that places it."""
    place, turn = where // TURNS, where % TURNS
    free = position.free & ~board.covered_by[place]
    isolated = isolated_by(board, free, place)
    taken = occupied(position)
    around = corners_of(board, isolated) & taken
    barred = corners_of(board, isolated & board.guards)
    active = position.active | isolated
    gain = 0.0
    for corner in range(4):
        crossing = int(board.points_at[place, corner])
        if not has_bit(taken, crossing):
            continue
        number = int(board.numbers[position.in_hand, (corner + 2 * turn) & 3])
        around &= ~bit(crossing)
        gain += change_at(board, mind, position, crossing, number, free, active, barred)
    while around != NONE:  # beside a triangle activated, and under no corner
        gain += change_at(board, mind, position, lowest_bit(around), 0, free, active, barred)
        around = without_lowest(around)
    return gain


@kernel
def worth_of_drawing(mind: Mind, position: Position) -> float:
    """What drawing is worth to the seat to act, as a token's worth is counted."""
    own = popcount(position.tokens[position.seat])
    others = popcount(occupied(position)) - own
    worth = mind.weights[DRAWING] + mind.weights[DRAWING_OWN] * own + mind.weights[DRAWING_OTHERS] * others
    return float(worth + mind.weights[DRAWING_LEFT] * position.left)


@kernel
def worth_of_action(board: BoardArrays, mind: Mind, position: Position, action: int) -> float:
    """What an action promises the seat to act; comparable among the legal actions of one position."""
    if action >= FIRST_PLACEMENT:
        return gain_of(board, mind, position, action - FIRST_PLACEMENT)
    if action == DRAW:
        return worth_of_drawing(mind, position)
    if action == PASS:
        return 0.0
    return worth_of(board, mind, position, action - FIRST_TOKEN)


# ---- playouts


@kernel
def below(mind: Mind, bound: int) -> int:
    """A random number from 0 to `bound` - 1; the mind's seed goes on."""
    number = random_below(mind.seed, bound)
    mind.seed = next_random(mind.seed)
    return number


@kernel
def best_token(board: BoardArrays, mind: Mind, position: Position) -> int:
    """The crossing that promises most; only where a token may be placed."""
    crossings = open_to_tokens(position)
    best, best_worth = lowest_bit(crossings), -np.inf
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        worth = worth_of(board, mind, position, crossing)
        if worth > best_worth:
            best, best_worth = crossing, worth
    return best


@kernel
def quick_token(board: BoardArrays, mind: Mind, position: Position) -> int:
    """The best of a few crossings at random, or `DRAW` where none promises more than drawing."""
    crossings = open_to_tokens(position)
    count = popcount(crossings)
    best, best_worth = DRAW, worth_of_drawing(mind, position)
    if count == 0 or position.supply[position.seat] == 0:
        return best
    for _ in range(mind.tries):
        crossing = nth_bit(crossings, below(mind, count))
        worth = worth_of(board, mind, position, crossing)
        if worth > best_worth:
            best, best_worth = FIRST_TOKEN + crossing, worth
    return best


@kernel
def quick_choice(board: BoardArrays, mind: Mind, position: Position) -> int:
    """A token, a draw or a pass: the best of a few tokens while rhombi can be drawn, of all when none can."""
    if can_draw(position):
        return quick_token(board, mind, position)
    if position.supply[position.seat] > 0 and open_to_tokens(position) != NONE:
        return FIRST_TOKEN + best_token(board, mind, position)
    return PASS


@kernel
def quick_placement(board: BoardArrays, mind: Mind, position: Position) -> int:
    """The best of a few placements at random."""
    best, best_gain = NOTHING, -np.inf
    for _ in range(mind.tries):
        action = random_action(board, position, mind.seed)
        mind.seed = next_random(mind.seed)
        gain = gain_of(board, mind, position, action - FIRST_PLACEMENT)
        if gain > best_gain:
            best, best_gain = action, gain
    return best


@kernel
def play_quick_turn(board: BoardArrays, mind: Mind, position: Position) -> None:
    """One whole turn, or what is left of it, each action the best of a few."""
    if position.phase == Phase.CHOICE:
        apply(board, position, quick_choice(board, mind, position))
    if position.phase == Phase.CHANCE:
        apply_outcome(position, random_outcome(board, position, mind.seed))
        mind.seed = next_random(mind.seed)
    if position.phase == Phase.PLACEMENT:
        apply(board, position, quick_placement(board, mind, position))


@kernel
def play_quickly(board: BoardArrays, mind: Mind, position: Position) -> None:
    """Play on for the mind's number of turns, or to the end where it is near."""
    turns = 0
    while position.phase != Phase.OVER and (turns < mind.turns or position.left <= mind.last_rhombi):
        play_quick_turn(board, mind, position)
        turns += 1
