"""Drunter & Drüber's rules, D1 to D9: the only statement of them in the project.

Everything here is a kernel (`embertown.core.jit`): compiled for the CPU, unchanged for the GPU, or run as plain
Python. A position is one record of `POSITION`; the board comes in as one record of `embertown.drunter.board.BOARD`.
Kernels trust their callers: `refusal` says whether an action is legal, `apply` does not ask again.

Actions are integers: a tile (a gang, a direction, a length), `PASS`, a set of vote cards, a word on Jeeiin, or an
objective. Votes and choices come from several seats in any order, so every action comes with its seat.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

import numpy as np

from embertown.core.jit import has_bit, kernel
from embertown.drunter.board import (
    BORDER,
    BUILDINGS,
    DIRECTIONS,
    GANGS,
    KINDS,
    LENGTHS,
    MAX_SIDE,
    NOWHERE,
    ROW,
    ROWS,
    STEPS,
    VALUES,
    BoardArrays,
)

# ---- constants and enums

MIN_PLAYERS, MAX_PLAYERS = 2, 4
LONGEST = 3
BRIDGE = 3
"""Every tile of length 3 is a bridge (D4.4)."""
MIDDLE_VALUE, SECOND_HIGHEST_VALUE = 3, 4

CARDS = ("ja", "jaa", "jaaa", "ne", "nee", "neee", "?", "jeeiin")
ALL_CARDS = 255
YES = (1, 2, 3, 0, 0, 0, 0, 0)
NO = (0, 0, 0, 1, 2, 3, 0, 0)
BLANK = 6
JEEIIN = 7
JEEIIN_WORTH = 2

OBJECTIVES = (*BUILDINGS, "threes", "fours", "lowest", "ones")
BUILDING_OBJECTIVES = len(BUILDINGS)
THREES, FOURS, LOWEST, ONES = 6, 7, 8, 9
OBJECTIVES_EACH = 2
UNKNOWN = -1
"""An objective that is not there, not known or not chosen; a word on Jeeiin that has not been said."""
HIDDEN = -2
"""An objective that has been chosen, and this position does not know which."""

FIRST_LAY = 0
PASS = FIRST_LAY + GANGS * len(DIRECTIONS) * len(LENGTHS)
FIRST_VOTE = PASS + 1
SAY_NO = FIRST_VOTE + ALL_CARDS + 1
SAY_YES = SAY_NO + 1
FIRST_CHOICE = SAY_YES + 1
ACTIONS = FIRST_CHOICE + len(OBJECTIVES)
"""How many different actions there are; the numbers do not depend on the edition."""


class Phase(IntEnum):
    """What the game waits for."""

    LAYING = 0  # the seat to act: a tile, or a pass (D3.1)
    VOTING = 1  # every seat that has not voted: a card (D6.1)
    JEEIIN = 2  # the next seat that played Jeeiin: yes or no (D6.2)
    CHOOSING = 3  # every seat that has not chosen: an objective (D9.2)
    OVER = 4


class Refusal(IntEnum):
    """Why an action is not legal here; `rule` cites the rule."""

    NONE = 0
    GAME_OVER = 1
    NOT_YOUR_TURN = 2
    VOTE_UNDER_WAY = 3
    NO_VOTE = 4
    JEEIIN_UNDER_WAY = 5
    NO_JEEIIN = 6
    CHOICE_DUE = 7
    NO_CHOICE = 8
    GANG_REMOVED = 9
    NO_SUCH_TILE = 10
    OFF_THE_BOARD = 11
    BRIDGE_ALONG = 12
    CORNER_SQUARE = 13
    SQUARE_COVERED = 14
    MAY_NOT_PASS = 15
    CARD_NOT_HELD = 16
    ONE_CARD_ONLY = 17
    NOT_YOUR_OBJECTIVE = 18
    NO_SUCH_ACTION = 19

    @property
    def rule(self) -> str:
        """The number of the rule that forbids it."""
        return _RULES[self]


_RULES = {
    Refusal.NONE: "",
    Refusal.GAME_OVER: "D7.1",
    Refusal.NOT_YOUR_TURN: "D2.4",
    Refusal.VOTE_UNDER_WAY: "D6.1",
    Refusal.NO_VOTE: "D5.2",
    Refusal.JEEIIN_UNDER_WAY: "D6.2",
    Refusal.NO_JEEIIN: "D6.2",
    Refusal.CHOICE_DUE: "D9.2",
    Refusal.NO_CHOICE: "D9.2",
    Refusal.GANG_REMOVED: "D4.6",
    Refusal.NO_SUCH_TILE: "D3.1",
    Refusal.OFF_THE_BOARD: "D4.3",
    Refusal.BRIDGE_ALONG: "D4.4",
    Refusal.CORNER_SQUARE: "D4.3",
    Refusal.SQUARE_COVERED: "D4.3",
    Refusal.MAY_NOT_PASS: "D3.1",
    Refusal.CARD_NOT_HELD: "D6.5",
    Refusal.ONE_CARD_ONLY: "D6.6",
    Refusal.NOT_YOUR_OBJECTIVE: "D9.1",
    Refusal.NO_SUCH_ACTION: "D3.1",
}

# ---- the position

Position: TypeAlias = np.record
"""One record of `POSITION`."""

POSITION = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # lines of squares, by column and by row
                ("covered", np.uint32, (2, MAX_SIDE)),  # by a tile, or nothing can be laid there at all (D4.3)
                ("under", np.uint32, (2, MAX_SIDE)),  # middles of bridges that can be passed along this line (D4.4)
                ("scores", np.int32, (MAX_PLAYERS,)),
                ("gangs", np.int16, (GANGS,)),  # the square of each gang, or NOWHERE when removed
                ("tiles", np.int16, (MAX_PLAYERS, len(KINDS), len(LENGTHS))),  # in front of each seat
                ("room", np.int8, (GANGS, len(DIRECTIONS))),  # how long a tile fits there, 0 to 3
                ("objectives", np.int8, (MAX_PLAYERS, OBJECTIVES_EACH)),  # the cards of each seat, or UNKNOWN
                ("chosen", np.int8, (MAX_PLAYERS,)),  # the real objective (D9.2), or UNKNOWN
                ("hands", np.uint8, (MAX_PLAYERS,)),  # vote cards held, a bit for each of CARDS
                ("votes", np.uint8, (MAX_PLAYERS,)),  # cards played in the vote under way; 0: not yet
                ("said", np.int8, (MAX_PLAYERS,)),  # on Jeeiin: 1 yes, 0 no, UNKNOWN not said
                ("proposal", np.int8),  # the tile voted on, as its action
                ("layer", np.int8),  # who laid or proposed the last tile
                ("players", np.int8),
                ("seat", np.int8),
                ("phase", np.int8),
                ("variant", np.int8),  # options (D9, D6.6, D9.5)
                ("several_cards", np.int8),
                ("no_votes", np.int8),
                ("ending", np.int8),  # nobody can lay a tile any more; choices may still be due
                ("filler", np.int8, (7,)),  # always 0: bytes that belong to no field would not be copied
            ],
            align=True,
        ),
    )
)


# ---- squares


@kernel
def line_of(square: int, direction: int) -> int:
    """Which column or row runs through this square in this direction."""
    return square >> 5 if direction & 1 else square & ROW - 1


@kernel
def place_in_line(square: int, direction: int) -> int:
    """Which bit of that line stands for the square."""
    return (square & ROW - 1 if direction & 1 else square >> 5) + BORDER


@kernel
def is_covered(position: Position, square: int) -> bool:
    """Whether nothing can be laid on this square: a tile is there, or it is a corner square (D4.3)."""
    line = np.int64(position.covered[ROWS, square >> 5])
    return bool(line >> place_in_line(square, ROWS) & 1)


@kernel
def is_bridge_across(position: Position, square: int, direction: int) -> bool:
    """Whether this is the middle of a bridge that lies across the way: it can be passed under (D4.4)."""
    line = np.int64(position.under[direction & 1, line_of(square, direction)])
    return bool(line >> place_in_line(square, direction) & 1)


@kernel
def has_outhouse(board: BoardArrays, square: int) -> bool:
    """Whether an outhouse stands on this square (D1.2)."""
    return bool(np.int64(board.outhouses[square >> 5]) >> place_in_line(square, ROWS) & 1)


@kernel
def forward(direction: int) -> int:
    """How a place in a line changes with a step in this direction."""
    return 1 if STEPS[direction] > 0 else -1


@kernel
def first_place(position: Position, gang: int, direction: int) -> int:
    """Where in its line a tile would start: next to the gang, or just beyond bridges across its way (D4.2, D4.4)."""
    square = int(position.gangs[gang])
    under = np.int64(position.under[direction & 1, line_of(square, direction)])
    place = place_in_line(square, direction) + forward(direction)
    while under >> place & 1:
        place += forward(direction)
    return place


@kernel
def first_square(position: Position, gang: int, direction: int) -> int:
    """The square where a tile would start, if it fits at all."""
    line = line_of(int(position.gangs[gang]), direction)
    place = first_place(position, gang, direction) - BORDER
    return line * ROW + place if direction & 1 else place * ROW + line


@kernel
def room_for(position: Position, gang: int, direction: int) -> int:
    """How long a tile fits there, 0 to 3: wholly on the board, on no tile and no corner square (D4.3)."""
    place, step = first_place(position, gang, direction), forward(direction)
    free = ~np.int64(position.covered[direction & 1, line_of(int(position.gangs[gang]), direction)])
    one = free >> place & 1
    two = one & free >> place + step
    return int(one + two + (two & free >> place + 2 * step))


@kernel
def is_in_line(square: int, first: int, last: int) -> bool:
    """Whether a tile from first to last lies, at least partly, in the row or the column of a square."""
    row, column = square >> 5, square & ROW - 1
    low, high = min(first, last), max(first, last)  # in one line, so that this holds for its row and its column
    return low >> 5 <= row <= high >> 5 or low & ROW - 1 <= column <= high & ROW - 1


@kernel
def look_around(position: Position, first: int, last: int) -> int:
    """After a tile from first to last: every gang's room. Gangs that have none are removed (D4.6). How many were."""
    removed = 0
    for gang in range(GANGS):
        if position.gangs[gang] == NOWHERE or not is_in_line(int(position.gangs[gang]), first, last):
            continue
        open_ways = 0
        for direction in range(len(DIRECTIONS)):
            room = room_for(position, gang, direction)
            position.room[gang, direction] = room
            open_ways += room
        if open_ways == 0:
            position.gangs[gang] = NOWHERE
            removed += 1
    return removed


# ---- setting up, by rule D2


@kernel
def set_up(board: BoardArrays, position: Position, players: int, first: int) -> None:
    """Fill an all-zero position whose tiles, objectives and options are dealt: gangs on corners, `first` to act."""
    position.players = players
    position.seat = first
    position.layer = first
    for line in range(MAX_SIDE):
        position.covered[0, line] = board.outside[0, line]
        position.covered[1, line] = board.outside[1, line]
    for gang in range(GANGS):
        position.gangs[gang] = board.starts[gang]
    for seat in range(players):
        position.hands[seat] = ALL_CARDS
        position.chosen[seat] = UNKNOWN if position.variant else position.objectives[seat, 0]
        if not position.variant and position.chosen[seat] == UNKNOWN:
            position.chosen[seat] = HIDDEN  # there is one, and somebody knows it
    clear_vote(position)
    look_around(position, 0, (MAX_SIDE - 1) * ROW)  # as if the whole first column had changed: every row has
    position.phase = Phase.LAYING
    if is_stuck(board, position):
        end_or_choose(board, position)


@kernel
def clear_vote(position: Position) -> None:
    """No vote is under way."""
    position.proposal = UNKNOWN
    for seat in range(MAX_PLAYERS):
        position.votes[seat] = 0
        position.said[seat] = UNKNOWN


# ---- predicates


@kernel
def is_over(position: Position) -> bool:
    """Whether the game has ended (D7.1)."""
    return bool(position.phase == Phase.OVER)


@kernel
def lay_action(gang: int, direction: int, length: int) -> int:
    """The action of laying a tile of this length there."""
    return FIRST_LAY + (gang * len(DIRECTIONS) + direction) * len(LENGTHS) + length - 1


@kernel
def gang_of(action: int) -> int:
    """The gang of a tile's action."""
    return (action - FIRST_LAY) // (len(LENGTHS) * len(DIRECTIONS))


@kernel
def direction_of(action: int) -> int:
    """The direction of a tile's action."""
    return (action - FIRST_LAY) // len(LENGTHS) % len(DIRECTIONS)


@kernel
def length_of(action: int) -> int:
    """The length of a tile's action."""
    return (action - FIRST_LAY) % len(LENGTHS) + 1


@kernel
def can_lay_at(board: BoardArrays, position: Position, seat: int, gang: int, direction: int, length: int) -> bool:
    """Whether this seat has such a tile and it fits there (D4)."""
    if position.gangs[gang] == NOWHERE or position.room[gang, direction] < length:
        return False
    return bool(position.tiles[seat, board.kind_of[gang], length - 1] > 0)


@kernel
def can_lay(board: BoardArrays, position: Position, seat: int) -> bool:
    """Whether this seat can lay some tile; one that needs a vote counts (D3.2)."""
    for gang in range(GANGS):
        if position.gangs[gang] == NOWHERE:
            continue
        room = 0
        for direction in range(len(DIRECTIONS)):
            room = max(room, int(position.room[gang, direction]))
        for length in range(1, room + 1):
            if position.tiles[seat, board.kind_of[gang], length - 1] > 0:
                return True
    return False


@kernel
def is_stuck(board: BoardArrays, position: Position) -> bool:
    """Whether nobody can lay a tile (D7.1)."""
    for seat in range(position.players):
        if can_lay(board, position, seat):
            return False
    return True


@kernel
def needs_vote(board: BoardArrays, position: Position, gang: int, direction: int, length: int) -> bool:
    """Whether the tile would cover an outhouse (D5.2), and votes are held at all (D9.5)."""
    if position.no_votes:
        return False
    square = first_square(position, gang, direction)
    for _ in range(length):
        if has_outhouse(board, square):
            return True
        square += STEPS[direction]
    return False


@kernel
def is_waiting(position: Position, seat: int) -> bool:
    """Whether this seat may act now."""
    if position.phase == Phase.LAYING:
        return bool(seat == position.seat)
    if position.phase == Phase.VOTING:
        return bool(position.votes[seat] == 0)
    if position.phase == Phase.JEEIIN:
        return seat == next_to_say(position)
    return bool(position.phase == Phase.CHOOSING and position.chosen[seat] == UNKNOWN)


@kernel
def next_to_say(position: Position) -> int:
    """D6.2: the next one in turn order from the proposer who played Jeeiin and has not said what it counts as."""
    for step in range(position.players):
        seat = (position.layer + step) % position.players
        if has_bit(np.uint64(position.votes[seat]), JEEIIN) and position.said[seat] == UNKNOWN:
            return int(seat)
    return NOWHERE


@kernel
def first_waiting(position: Position) -> int:
    """The fixed order for search and environments: turn order, from whoever laid or proposed the tile."""
    for step in range(position.players):
        seat = (position.layer + step) % position.players
        if is_waiting(position, seat):
            return int(seat)
    return NOWHERE


# ---- legal actions (D3, D6, D9.2)


@kernel
def refusal(board: BoardArrays, position: Position, seat: int, action: int) -> int:
    """Why this seat may not do this, as a `Refusal`; `Refusal.NONE` where it may."""
    if position.phase == Phase.OVER:
        return Refusal.GAME_OVER
    if action < 0 or action >= ACTIONS or action == FIRST_VOTE:
        return Refusal.NO_SUCH_ACTION
    if action < FIRST_VOTE:
        return _refusal_of_turn(board, position, seat, action)
    if action < SAY_NO:
        return _refusal_of_vote(position, seat, action - FIRST_VOTE)
    if action < FIRST_CHOICE:
        if position.phase != Phase.JEEIIN:
            return _something_else_is_due(position, Refusal.NO_JEEIIN)
        return Refusal.NONE if is_waiting(position, seat) else Refusal.NOT_YOUR_TURN
    if position.phase != Phase.CHOOSING:
        return _something_else_is_due(position, Refusal.NO_CHOICE)
    return _refusal_of_choice(position, seat, action - FIRST_CHOICE)


@kernel
def _something_else_is_due(position: Position, otherwise: int) -> int:
    """What has to be done first."""
    if position.phase == Phase.VOTING:
        return Refusal.VOTE_UNDER_WAY
    if position.phase == Phase.JEEIIN:
        return Refusal.JEEIIN_UNDER_WAY
    if position.phase == Phase.CHOOSING:
        return Refusal.CHOICE_DUE
    return otherwise


@kernel
def _refusal_of_turn(board: BoardArrays, position: Position, seat: int, action: int) -> int:
    """A tile or a pass (D3.1)."""
    if position.phase != Phase.LAYING:
        return _something_else_is_due(position, Refusal.NONE)
    if seat != position.seat:
        return Refusal.NOT_YOUR_TURN
    if action == PASS:
        return Refusal.MAY_NOT_PASS if can_lay(board, position, seat) else Refusal.NONE
    gang, direction, length = gang_of(action), direction_of(action), length_of(action)
    return _refusal_of_tile(board, position, seat, gang, direction, length)


@kernel
def _refusal_of_tile(board: BoardArrays, position: Position, seat: int, gang: int, direction: int, length: int) -> int:
    """D4.1 to D4.6."""
    if position.gangs[gang] == NOWHERE:
        return Refusal.GANG_REMOVED
    if position.tiles[seat, board.kind_of[gang], length - 1] == 0:
        return Refusal.NO_SUCH_TILE
    room = room_for(position, gang, direction)
    return Refusal.NONE if length <= room else _in_the_way(board, position, gang, direction, room)


@kernel
def _in_the_way(board: BoardArrays, position: Position, gang: int, direction: int, room: int) -> int:
    """What stands on the square that a tile can't cover (D4.3, D4.4)."""
    square = first_square(position, gang, direction) + room * STEPS[direction]
    place = first_place(position, gang, direction) + room * forward(direction)
    for corner in range(GANGS):
        if square == board.starts[corner]:
            return Refusal.CORNER_SQUARE
    line = line_of(int(position.gangs[gang]), direction)
    if np.int64(board.outside[direction & 1, line]) >> place & 1:
        return Refusal.OFF_THE_BOARD
    return Refusal.BRIDGE_ALONG if is_bridge_across(position, square, direction + 1) else Refusal.SQUARE_COVERED


@kernel
def _refusal_of_vote(position: Position, seat: int, cards: int) -> int:
    """D6.1, D6.5, D6.6."""
    if position.phase != Phase.VOTING:
        return _something_else_is_due(position, Refusal.NO_VOTE)
    if position.votes[seat] != 0:
        return Refusal.NOT_YOUR_TURN
    if cards & ~int(position.hands[seat]) != 0:
        return Refusal.CARD_NOT_HELD
    if not position.several_cards and cards & (cards - 1) != 0:
        return Refusal.ONE_CARD_ONLY
    return Refusal.NONE


@kernel
def _refusal_of_choice(position: Position, seat: int, objective: int) -> int:
    """D9.1, D9.2: once, one of the own two."""
    if position.chosen[seat] != UNKNOWN:
        return Refusal.NOT_YOUR_TURN
    own = objective == position.objectives[seat, 0] or objective == position.objectives[seat, 1]
    return Refusal.NONE if own else Refusal.NOT_YOUR_OBJECTIVE


@kernel
def legal_actions(board: BoardArrays, position: Position, seat: int, actions: np.ndarray) -> int:
    """Write this seat's legal actions into `actions`, in ascending order, and say how many there are."""
    if not is_waiting(position, seat):
        return 0
    if position.phase == Phase.LAYING:
        return _legal_turns(board, position, seat, actions)
    if position.phase == Phase.VOTING:
        return _legal_votes(position, seat, actions)
    if position.phase == Phase.JEEIIN:
        actions[0], actions[1] = SAY_NO, SAY_YES
        return 2
    return _legal_choices(position, seat, actions)


@kernel
def _legal_turns(board: BoardArrays, position: Position, seat: int, actions: np.ndarray) -> int:
    count = 0
    for gang in range(GANGS):
        for direction in range(len(DIRECTIONS)):
            for length in range(1, LONGEST + 1):
                if can_lay_at(board, position, seat, gang, direction, length):
                    actions[count] = lay_action(gang, direction, length)
                    count += 1
    if count == 0:  # who can't, passes (D3.1)
        actions[count] = PASS
        count += 1
    return count


@kernel
def _legal_votes(position: Position, seat: int, actions: np.ndarray) -> int:
    count = 0
    hand = int(position.hands[seat])
    for cards in range(1, ALL_CARDS + 1):
        one = cards & (cards - 1) == 0
        if cards & ~hand == 0 and (one or position.several_cards):
            actions[count] = FIRST_VOTE + cards
            count += 1
    return count


@kernel
def _legal_choices(position: Position, seat: int, actions: np.ndarray) -> int:
    one, other = int(position.objectives[seat, 0]), int(position.objectives[seat, 1])
    actions[0], actions[1] = FIRST_CHOICE + min(one, other), FIRST_CHOICE + max(one, other)
    return 2


# ---- apply (D3 to D6)


@kernel
def apply(board: BoardArrays, position: Position, seat: int, action: int) -> None:
    """Do a legal action of this seat."""
    if action < PASS:
        propose(board, position, action)
    elif action == PASS:
        next_turn(position)
    elif action < SAY_NO:
        position.votes[seat] = action - FIRST_VOTE
        if first_waiting(position) == NOWHERE:
            reveal(board, position)
    elif action < FIRST_CHOICE:
        position.said[seat] = action - SAY_NO
        if next_to_say(position) == NOWHERE:
            count_votes(board, position)
    else:
        position.chosen[seat] = action - FIRST_CHOICE
        if first_waiting(position) == NOWHERE:
            end_turn(board, position)


@kernel
def apply_hidden(board: BoardArrays, position: Position, seat: int) -> None:
    """This seat has voted, or chosen, and this position does not know what."""
    if position.phase == Phase.VOTING:
        position.votes[seat] = ALL_CARDS
        return
    position.chosen[seat] = HIDDEN
    if first_waiting(position) == NOWHERE:
        end_turn(board, position)


@kernel
def propose(board: BoardArrays, position: Position, action: int) -> None:
    """A tile is laid at once, or put to the vote (D5.2)."""
    gang, direction, length = gang_of(action), direction_of(action), length_of(action)
    position.layer = position.seat
    if needs_vote(board, position, gang, direction, length):
        position.proposal = action
        position.phase = Phase.VOTING
    else:
        lay_tile(board, position, gang, direction, length)


@kernel
def lay_tile(board: BoardArrays, position: Position, gang: int, direction: int, length: int) -> None:
    """D4: cover the squares, move the gang, look at all paths; then choices that are due, or the next turn."""
    position.tiles[position.seat, board.kind_of[gang], length - 1] -= 1
    blocked = put_tile(position, gang, direction, length)
    if is_stuck(board, position):
        end_or_choose(board, position)
    elif blocked > 0 and position.variant and not choices_made(position):  # D9.2
        position.phase = Phase.CHOOSING
    else:
        next_turn(position)


@kernel
def put_tile(position: Position, gang: int, direction: int, length: int) -> int:
    """A tile on the board: squares covered, the gang on its end square (D4.5); how many gangs that removed (D4.6)."""
    square = first_square(position, gang, direction)
    for step in range(length):
        cover(position, square + step * STEPS[direction])
    if length == BRIDGE:
        span(position, square + STEPS[direction], direction)
    last = square + (length - 1) * STEPS[direction]
    position.gangs[gang] = last
    return look_around(position, square, last)


@kernel
def cover(position: Position, square: int) -> None:
    """Mark a square as covered, in its column and in its row."""
    column, row = square & ROW - 1, square >> 5
    position.covered[0, column] |= np.uint32(1 << row + BORDER)
    position.covered[1, row] |= np.uint32(1 << column + BORDER)


@kernel
def span(position: Position, square: int, direction: int) -> None:
    """The middle square of a bridge that lies in this direction: it is passed under at right angles (D4.4)."""
    across = direction + 1
    position.under[across & 1, line_of(square, across)] |= np.uint32(1 << place_in_line(square, across))


@kernel
def choices_made(position: Position) -> bool:
    """Whether everybody has a real objective."""
    for seat in range(position.players):
        if position.chosen[seat] == UNKNOWN:
            return False
    return True


@kernel
def next_turn(position: Position) -> None:
    """Play goes clockwise (D2.4)."""
    seat = position.seat + 1
    position.seat = seat if seat < position.players else 0
    position.phase = Phase.LAYING


@kernel
def end_or_choose(board: BoardArrays, position: Position) -> None:
    """D7.1: nobody can lay a tile. In the variant, who has not chosen does so before the reveal (D9.2)."""
    position.ending = 1
    if choices_made(position):
        finish(board, position)
    else:
        position.phase = Phase.CHOOSING


@kernel
def end_turn(board: BoardArrays, position: Position) -> None:
    """After the choices: the next turn, or the end."""
    if position.ending:
        finish(board, position)
    else:
        next_turn(position)


# ---- the vote (D6)


@kernel
def reveal(board: BoardArrays, position: Position) -> None:
    """All cards turn over at once; whoever played Jeeiin speaks next (D6.2)."""
    if next_to_say(position) == NOWHERE:
        count_votes(board, position)
    else:
        position.phase = Phase.JEEIIN


@kernel
def votes_for(position: Position, worth: tuple[int, ...], said: int) -> int:
    """How many votes there are, by what each card is worth; Jeeiin where it was said to count so."""
    total = 0
    for seat in range(position.players):
        for card in range(len(CARDS)):
            if int(position.votes[seat]) >> card & 1:
                total += worth[card]
        if position.said[seat] == said:
            total += JEEIIN_WORTH
    return total


@kernel
def yes_votes(position: Position) -> int:
    """How many yes there are, Jeeiin as it was said."""
    return votes_for(position, YES, 1)


@kernel
def no_votes(position: Position) -> int:
    """How many no there are, Jeeiin as it was said."""
    return votes_for(position, NO, 0)


@kernel
def count_votes(board: BoardArrays, position: Position) -> None:
    """D6.3 to D6.5: yes wins ties; played cards are discarded, except ?..., which come back."""
    passed = yes_votes(position) >= no_votes(position)
    for seat in range(position.players):
        kept = int(position.hands[seat]) & ~int(position.votes[seat]) | int(position.votes[seat]) & (1 << BLANK)
        position.hands[seat] = kept
    proposal = int(position.proposal)
    clear_vote(position)
    if not passed:
        next_turn(position)
        return
    gang, direction, length = gang_of(proposal), direction_of(proposal), length_of(proposal)
    lay_tile(board, position, gang, direction, length)


# ---- scoring, by rules D8 and D9


@kernel
def is_standing(board: BoardArrays, position: Position, kind: int, value: int) -> bool:
    """Whether the building of this kind and value is there and not covered (D5.1)."""
    square = board.building[kind, value - 1]
    return bool(square != NOWHERE) and not is_covered(position, square)


@kernel
def counts_for(board: BoardArrays, position: Position, objective: int, kind: int, value: int) -> bool:
    """Whether this building counts for this objective (D8.1, D9.4)."""
    if not is_standing(board, position, kind, value):
        return False
    if objective < BUILDING_OBJECTIVES:
        return objective == kind
    if objective == THREES:
        return value == MIDDLE_VALUE
    if objective == FOURS:
        return value == SECOND_HIGHEST_VALUE
    if objective == LOWEST:
        for lower in range(1, value):
            if is_standing(board, position, kind, lower):
                return False
    return True


@kernel
def points_in(board: BoardArrays, position: Position, objective: int, kind: int) -> int:
    """What buildings of one kind are worth to an objective: the values that count, or 1 for each (D9.4)."""
    points = 0
    for value in range(1, len(VALUES) + 1):
        if counts_for(board, position, objective, kind, value):
            points += 1 if objective == ONES else value
    return points


@kernel
def points_of(board: BoardArrays, position: Position, objective: int) -> int:
    """What an objective is worth (D8.1, D9.4)."""
    points = 0
    for kind in range(len(BUILDINGS)):
        points += points_in(board, position, objective, kind)
    return points


@kernel
def other_objective(position: Position, seat: int) -> int:
    """The card that only breaks ties (D9.3)."""
    one, other = position.objectives[seat, 0], position.objectives[seat, 1]
    return int(other) if one == position.chosen[seat] else int(one)


@kernel
def finish(board: BoardArrays, position: Position) -> None:
    """D8.1: the cards are revealed, everybody scores."""
    position.phase = Phase.OVER
    for seat in range(position.players):
        position.scores[seat] = points_of(board, position, position.chosen[seat])


@kernel
def is_winner(board: BoardArrays, position: Position, seat: int) -> bool:
    """The highest score (D8.1, D8.2); in the variant the other card breaks ties for it; still equal, all win (D9.3)."""
    for rival in range(position.players):
        if position.scores[rival] > position.scores[seat]:
            return False
        if position.variant and position.scores[rival] == position.scores[seat]:
            own = points_of(board, position, other_objective(position, seat))
            if points_of(board, position, other_objective(position, rival)) > own:
                return False
    return True
