"""Random play inside the kernels: a legal action, a game, many games; of one seed the same on every device."""

from __future__ import annotations

import numpy as np

from embertown.core.jit import kernel, next_random, nth_bit, popcount, random_below, stream_seed
from embertown.drunter.board import DIRECTIONS, GANGS, LENGTHS, NOWHERE, BoardArrays
from embertown.drunter.rules import (
    BUILDING_OBJECTIVES,
    FIRST_CHOICE,
    FIRST_VOTE,
    OBJECTIVES,
    PASS,
    SAY_NO,
    Phase,
    Position,
    apply,
    first_waiting,
    lay_action,
    set_up,
)


@kernel
def random_action(board: BoardArrays, position: Position, seat: int, seed: np.uint64) -> int:
    """A legal action of this seat, each as likely as any other (a vote of several cards: each hand of them)."""
    if position.phase == Phase.LAYING:
        return _random_turn(board, position, seat, seed)
    if position.phase == Phase.VOTING:
        return _random_vote(position, seat, seed)
    if position.phase == Phase.JEEIIN:
        return SAY_NO + random_below(seed, 2)
    return FIRST_CHOICE + int(position.objectives[seat, random_below(seed, 2)])


@kernel
def _random_turn(board: BoardArrays, position: Position, seat: int, seed: np.uint64) -> int:
    """Count what can be laid, draw a number, count again up to it."""
    legal = np.uint64(0)
    for gang in range(GANGS):
        if position.gangs[gang] == NOWHERE:
            continue
        for direction in range(len(DIRECTIONS)):
            for length in range(1, position.room[gang, direction] + 1):
                if position.tiles[seat, board.kind_of[gang], length - 1] > 0:
                    legal |= np.uint64(1) << np.uint64(lay_action(gang, direction, length))
    count = popcount(legal)
    return nth_bit(legal, random_below(seed, count)) if count > 0 else PASS


@kernel
def _random_vote(position: Position, seat: int, seed: np.uint64) -> int:
    hand = np.uint64(position.hands[seat])
    if not position.several_cards:
        return FIRST_VOTE + (1 << nth_bit(hand, random_below(seed, popcount(hand))))
    picks = random_below(seed, (1 << popcount(hand)) - 1) + 1
    cards = 0
    for n in range(popcount(hand)):
        if picks >> n & 1:
            cards |= 1 << nth_bit(hand, n)
    return FIRST_VOTE + cards


@kernel
def play_out(board: BoardArrays, position: Position, seed: np.uint64) -> int:
    """Play to the end at random; how many actions it took."""
    actions = 0
    while position.phase != Phase.OVER:
        seat = first_waiting(position)
        apply(board, position, seat, random_action(board, position, seat, seed))
        seed = next_random(seed)
        actions += 1
    return actions


@kernel
def deal(board: BoardArrays, position: Position, seed: np.uint64) -> np.uint64:
    """Deal tiles by length (D2.2) and objectives (D2.1, D9.1) at random, into a position without any; the next seed."""
    players = int(position.players)
    for length in range(len(LENGTHS)):
        walls, roads = int(board.tiles[0, length]), int(board.tiles[1, length])
        left = walls + roads + int(board.tiles[2, length])
        share = left // players
        for number in range(share * players):
            n = random_below(seed, left)
            kind = 0 if n < walls else 1 if n < walls + roads else 2
            walls -= kind == 0
            roads -= kind == 1
            left -= 1
            position.tiles[number // share, kind, length] += 1
            seed = next_random(seed)
    return _deal_objectives(position, seed)


@kernel
def _deal_objectives(position: Position, seed: np.uint64) -> np.uint64:
    each = 2 if position.variant else 1
    pile = np.uint64((1 << (len(OBJECTIVES) if position.variant else BUILDING_OBJECTIVES)) - 1)
    for seat in range(position.players):
        for index in range(each):
            card = nth_bit(pile, random_below(seed, popcount(pile)))
            pile &= ~(np.uint64(1) << np.uint64(card))
            position.objectives[seat, index] = card
            seed = next_random(seed)
    return seed


@kernel
def play_one(board: BoardArrays, start: Position, position: Position, seed: np.uint64) -> int:
    """Deal and play a game to its end at random, in `position`, a copy of `start`; how many actions it took."""
    seed = deal(board, position, seed)
    set_up(board, position, int(start.players), int(start.seat))
    return play_out(board, position, seed)


@kernel
def play_many(
    board: BoardArrays, start: Position, work: np.ndarray, seed: int, scores: np.ndarray, turns: np.ndarray
) -> None:
    """Play a batch of games to their ends at random, each in `work[0]`; their scores and how many actions they took."""
    for index in range(turns.size):
        work[0] = start
        turns[index] = play_one(board, start, work[0], np.uint64(stream_seed(seed, index)))
        for seat in range(start.players):
            scores[index, seat] = work[0].scores[seat]
