"""What can be remembered of a game of Drunter & Drüber beyond its position: who covered, spared and voted for what.

Only what everybody has seen: a vote is remembered once it is decided, and by then all its cards lie open (D6.1). It
is counted in points of each objective, so that whoever looks for somebody's objective finds what their play did to
it. Everything is a whole number, the same on every device.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from embertown.core.jit import kernel
from embertown.drunter.board import BUILDINGS, DIRECTIONS, GANGS, NOWHERE, ROW, STEPS, VALUES, BoardArrays
from embertown.drunter.rules import (
    BUILDING_OBJECTIVES,
    CARDS,
    FIRST_CHOICE,
    FIRST_VOTE,
    JEEIIN_WORTH,
    LONGEST,
    LOWEST,
    MAX_PLAYERS,
    NO,
    OBJECTIVES,
    ONES,
    PASS,
    SAY_NO,
    YES,
    Position,
    can_lay_at,
    counts_for,
    direction_of,
    first_square,
    first_waiting,
    gang_of,
    is_standing,
    length_of,
    needs_vote,
    next_to_say,
    no_votes,
    yes_votes,
)

NEAREST = 16
FARTHEST = 9
NEARNESS = tuple(round(NEAREST * 0.7**squares) for squares in range(FARTHEST + 1))
"""How near a gang is to a building so many squares away, in sixteenths."""

Memory: TypeAlias = np.record
"""One record of `MEMORY`."""

MEMORY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # by seat and objective, in its points
                ("buried", np.int16, (MAX_PLAYERS, len(OBJECTIVES))),  # by tiles laid or proposed
                ("spared", np.int16, (MAX_PLAYERS, len(OBJECTIVES))),  # within reach of their tiles, and left alone
                ("neared", np.int16, (MAX_PLAYERS, len(OBJECTIVES))),  # by gangs moved there, times `NEAREST`
                ("voted", np.int16, (MAX_PLAYERS, len(OBJECTIVES))),  # buried by tiles voted on, times yes less no
                ("leant", np.int16, (MAX_PLAYERS, len(OBJECTIVES))),  # neared by tiles voted on, times yes less no
                # by seat
                ("proposed", np.int16, (MAX_PLAYERS,)),  # tiles put to the vote
                ("refused", np.int16, (MAX_PLAYERS,)),  # of them refused
            ],
            align=True,
        ),
    )
)


# ---- what a tile does to an objective


@kernel
def objectives_there(position: Position) -> int:
    """How many objectives there are (D2.1, D9.1)."""
    return len(OBJECTIVES) if position.variant else BUILDING_OBJECTIVES


@kernel
def loss_of(board: BoardArrays, position: Position, objective: int, kind: int, value: int) -> int:
    """What an objective loses, in points, if this standing building alone is covered (D9.4).

    Less than nothing where the lowest is covered and a higher one counts instead.
    """
    if not counts_for(board, position, objective, kind, value):
        return 0
    if objective == LOWEST:  # it hides the next higher one, which would count instead
        for higher in range(value + 1, len(VALUES) + 1):
            if is_standing(board, position, kind, higher):
                return value - higher
    return 1 if objective == ONES else value


@kernel
def counted_from(kind: int, first: int) -> int:
    """The place of a kind, or of an objective, when kinds are counted from `first`; special cards stay (D9.4)."""
    if kind >= BUILDING_OBJECTIVES:
        return kind
    return kind - first if kind >= first else kind - first + BUILDING_OBJECTIVES


@kernel
def add_losses(
    board: BoardArrays, position: Position, building: int, factor: float, first: int, row: np.ndarray, start: int
) -> None:
    """Add what every objective loses by a standing building to a row, objectives from `start` on."""
    kind, value = building // len(VALUES), building % len(VALUES) + 1
    for objective in range(BUILDING_OBJECTIVES - 1, objectives_there(position)):
        of = kind if objective < BUILDING_OBJECTIVES else objective
        row[start + counted_from(of, first)] += factor * loss_of(board, position, of, kind, value)


@kernel
def nearness(one: int, other: int) -> int:
    """How near two squares are."""
    squares = abs((one >> 5) - (other >> 5)) + abs((one & ROW - 1) - (other & ROW - 1))
    return NEARNESS[squares] if squares <= FARTHEST else 0


@kernel
def is_under(action: int, first: int, square: int) -> bool:
    """Whether a tile that starts on `first` covers a square."""
    step, on = STEPS[direction_of(action)], square - first
    return on % step == 0 and 0 <= on // step < length_of(action)


@kernel
def add_effects(
    board: BoardArrays,
    position: Position,
    action: int,
    factors: tuple[float, float],
    first: int,
    buried: np.ndarray,
    neared: np.ndarray,
    start: int,
    after: int,
) -> None:
    """Add what every objective loses by a tile to a row from `start` on: of the squares that it would cover.

    To another one from `after` on how much nearer its gang comes to what every objective would lose beside them.
    """
    here, direction = int(position.gangs[gang_of(action)]), direction_of(action)
    square = first_square(position, gang_of(action), direction)
    last = square + (length_of(action) - 1) * STEPS[direction]
    for building in range(len(BUILDINGS) * len(VALUES)):
        kind, value = building // len(VALUES), building % len(VALUES) + 1
        if not is_standing(board, position, kind, value):
            continue
        there = int(board.building[kind, value - 1])
        is_buried = is_under(action, square, there)
        times = factors[0] if is_buried else factors[1] * (nearness(last, there) - nearness(here, there))
        if times != 0:
            row, at = (buried, start) if is_buried else (neared, after)
            add_losses(board, position, building, times, first, row, at)


# ---- remembering


@kernel
def remember(board: BoardArrays, position: Position, memory: Memory, seat: int, action: int) -> None:
    """What everybody will know of an action that this seat is about to do."""
    if action < PASS:
        remember_tile(board, position, memory, seat, action)
    elif FIRST_VOTE < action < FIRST_CHOICE:
        remember_vote(board, position, memory, seat, action)


@kernel
def remember_tile(board: BoardArrays, position: Position, memory: Memory, seat: int, action: int) -> None:
    """A tile is laid or proposed: what it covers, where its gang goes, and what it might have covered instead."""
    add_effects(board, position, action, (1, 1), 0, memory.buried[seat], memory.neared[seat], 0, 0)
    remember_spared(board, position, memory, seat, action)
    if needs_vote(board, position, gang_of(action), direction_of(action), length_of(action)):
        memory.proposed[seat] += 1


@kernel
def remember_spared(board: BoardArrays, position: Position, memory: Memory, seat: int, action: int) -> None:
    """Every building that some tile of this seat would cover, once for each way to it, and this one does not."""
    chosen = first_square(position, gang_of(action), direction_of(action))
    for gang in range(GANGS):
        if position.gangs[gang] == NOWHERE:
            continue
        for direction in range(len(DIRECTIONS)):
            reach = reach_of(board, position, seat, gang, direction)
            square = first_square(position, gang, direction) if reach > 0 else 0
            for _ in range(reach):
                building = int(board.building_on[square])
                if building != NOWHERE and not is_under(action, chosen, square):
                    add_losses(board, position, building, 1, 0, memory.spared[seat], 0)
                square += STEPS[direction]


@kernel
def reach_of(board: BoardArrays, position: Position, seat: int, gang: int, direction: int) -> int:
    """The longest tile that this seat can lay there, 0 to 3."""
    for length in range(LONGEST, 0, -1):
        if can_lay_at(board, position, seat, gang, direction, length):
            return length
    return 0


@kernel
def remember_vote(board: BoardArrays, position: Position, memory: Memory, seat: int, action: int) -> None:
    """A card or a word on Jeeiin: nothing until it decides the vote, and then everybody's (D6.1, D6.2)."""
    card, word = int(position.votes[seat]), int(position.said[seat])
    if action < SAY_NO:
        position.votes[seat] = action - FIRST_VOTE
    else:
        position.said[seat] = action - SAY_NO
    if first_waiting(position) == NOWHERE and next_to_say(position) == NOWHERE:
        remember_decision(board, position, memory)
    position.votes[seat], position.said[seat] = card, word


@kernel
def remember_decision(board: BoardArrays, position: Position, memory: Memory) -> None:
    """How everybody voted, by what the tile would bury and near; whether it was refused (D6.3)."""
    if yes_votes(position) < no_votes(position):
        memory.refused[position.layer] += 1
    tile = int(position.proposal)
    for seat in range(position.players):
        votes = votes_of(position, seat)
        if votes != 0:
            add_effects(board, position, tile, (votes, votes), 0, memory.voted[seat], memory.leant[seat], 0, 0)


@kernel
def votes_of(position: Position, seat: int) -> int:
    """A seat's votes for the tile, less those against it, Jeeiin as it was said."""
    votes = 0
    for card in range(len(CARDS)):
        if int(position.votes[seat]) >> card & 1:
            votes += YES[card] - NO[card]
    if position.said[seat] == 1:
        votes += JEEIIN_WORTH
    elif position.said[seat] == 0:
        votes -= JEEIIN_WORTH
    return votes
