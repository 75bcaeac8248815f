"""Random play inside the kernels: a legal action, a turn, a game, many games; of one seed the same on every device."""

from __future__ import annotations

import numpy as np

from embertown.core.jit import NONE, kernel, next_random, nth_bit, popcount, random_below, stream_seed
from embertown.cronberg.board import BoardArrays
from embertown.cronberg.rules import (
    DRAW,
    FIRST_PLACEMENT,
    FIRST_TOKEN,
    PASS,
    TURNS,
    Phase,
    Position,
    apply,
    apply_outcome,
    can_draw,
    open_to_tokens,
)


@kernel
def random_outcome(board: BoardArrays, position: Position, seed: np.uint64) -> int:
    """A kind drawn at random from those left (C2.1)."""
    n = random_below(seed, int(position.left))
    kind = 0
    up_to = 0
    for each in range(board.kinds):  # no early end: a jump that can't be foreseen costs more than a few additions
        up_to += int(position.bag[each])
        kind += n >= up_to
    return kind


@kernel
def random_action(board: BoardArrays, position: Position, seed: np.uint64) -> int:
    """A legal action, each as likely as any other, without listing them."""
    if position.phase == Phase.PLACEMENT:
        return _random_placement(board, position, seed)
    draws = 1 if can_draw(position) else 0
    crossings = open_to_tokens(position) if position.supply[position.seat] > 0 else NONE
    count = popcount(crossings)
    if count + draws == 0:
        return PASS
    n = random_below(seed, count + draws)
    return FIRST_TOKEN + nth_bit(crossings, n) if n < count else DRAW


@kernel
def _random_placement(board: BoardArrays, position: Position, seed: np.uint64) -> int:
    turned = int(board.turns[position.in_hand]) - 1  # 1 where turning matters: a shift is quicker than a division
    in_first = popcount(position.places[0])
    n = random_below(seed, (in_first + popcount(position.places[1])) << turned)
    nth, turn = n >> turned, n & turned
    first = nth < in_first
    place = nth_bit(position.places[0], nth) if first else 64 + nth_bit(position.places[1], nth - in_first)
    return FIRST_PLACEMENT + place * TURNS + turn


@kernel
def play_random_turn(board: BoardArrays, position: Position, seed: np.uint64) -> np.uint64:
    """One whole turn at random (a rhomb drawn is placed too); the next seed."""
    action = random_action(board, position, seed)
    apply(board, position, action)
    if action == DRAW:
        seed = next_random(seed)
        apply_outcome(position, random_outcome(board, position, seed))
        seed = next_random(seed)
        apply(board, position, random_action(board, position, seed))
    return next_random(seed)


@kernel
def play_out(board: BoardArrays, position: Position, seed: np.uint64) -> int:
    """Play to the end at random, from a position that does not wait for chance; how many turns it took."""
    turns = 0
    while position.phase != Phase.OVER:
        seed = play_random_turn(board, position, seed)
        turns += 1
    return turns


@kernel
def play_one(board: BoardArrays, start: Position, position: Position, seed: np.uint64) -> int:  # noqa: ARG001
    """Play a game to its end at random, in `position`, a copy of `start`; how many turns it took."""
    return play_out(board, position, seed)


@kernel
def play_many(
    board: BoardArrays, start: Position, work: np.ndarray, seed: int, scores: np.ndarray, turns: np.ndarray
) -> None:
    """Play a batch of games to their ends at random, each from `start` in `work[0]`; their scores and turns."""
    for index in range(turns.size):
        work[0] = start
        turns[index] = play_one(board, start, work[0], np.uint64(stream_seed(seed, index)))
        for seat in range(start.players):
            scores[index, seat] = work[0].scores[seat]
