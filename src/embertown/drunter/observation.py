"""What a network sees of a game of Drunter & Drüber, and what it may answer.

An observation is a row of numbers, about -1 to 1, for one seat: what its view holds (`view.py`) with what everybody
may remember of the play so far (`memory.py`), and nothing else. A vote under way looks the same whoever has voted: all
vote at once (D6.1). Seats count from the viewer, clockwise; kinds of buildings from the viewer's own; the board lies as
a symmetry turns it (`symmetry.py`). The board is described, not known: what stands where are numbers like any others,
so that a network plays on every edition whose board fits into the `FRAME`.

What it may answer is less than the rules' actions: tiles (turned like the board), `PASS`, a single vote card, a word on
Jeeiin, and the lower or the higher of the own two objectives. Votes of several cards (D6.6) have no answer.

>>> from embertown.drunter.game import DrunterGame
>>> view = DrunterGame(2).start(seed=7, first=0).view(0)
>>> observation(view).shape == (OBSERVATION,), symmetries(view.board).tolist()
(True, [0, 1, 2, 3])
>>> LAYOUT["rays"]
slice(2614, 2998, None)
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np

from embertown.core.errors import BadArgument
from embertown.core.jit import kernel
from embertown.drunter import doors, playout, rules
from embertown.drunter.board import (
    BUILDINGS,
    DIRECTIONS,
    GANGS,
    KINDS,
    LENGTHS,
    NOWHERE,
    ROW,
    STEPS,
    VALUES,
    Board,
    BoardArrays,
)
from embertown.drunter.foresight import STANDING, foresee, most_buried, others_stake, square_ahead, suspect, ways_from
from embertown.drunter.memory import (
    MEMORY,
    NEAREST,
    Memory,
    add_effects,
    add_losses,
    counted_from,
    is_under,
    loss_of,
    nearness,
    objectives_there,
    remember,
)
from embertown.drunter.rules import (
    BUILDING_OBJECTIVES,
    CARDS,
    FIRST_CHOICE,
    FIRST_VOTE,
    JEEIIN,
    LONGEST,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NO,
    OBJECTIVES,
    POSITION,
    SAY_NO,
    UNKNOWN,
    YES,
    Phase,
    Position,
    direction_of,
    first_square,
    forward,
    gang_of,
    has_outhouse,
    is_bridge_across,
    is_covered,
    is_standing,
    length_of,
    line_of,
    place_in_line,
    points_of,
)
from embertown.drunter.symmetry import (
    SYMMETRIES,
    TRANSPOSE,
    last_column,
    last_row,
    original_lay,
    turned_direction,
    turned_gang,
    turned_lay,
    turned_square,
)
from embertown.drunter.text import parse_action

# ---- what a network may answer

PASS = rules.PASS
FIRST_CARD = PASS + 1
FIRST_WORD = FIRST_CARD + len(CARDS)
FIRST_OBJECTIVE = FIRST_WORD + 2
ACTIONS = FIRST_OBJECTIVE + 2
"""How many different answers there are."""

SYMMETRY = np.dtype(np.int64)
"""How a board lies before the network: a number (`symmetry.py`)."""

# ---- the layout

FRAME_WIDTH, FRAME_HEIGHT = 15, 10
"""A board is seen in a frame of this size, turned if need be; what is beyond the board looks covered."""
FRAME = FRAME_WIDTH * FRAME_HEIGHT
STEP = 6
"""What is told of each of the three squares that a tile may cover: within reach, outhouse, what the own two objectives
lose, ways on from there, and whether the tile voted on covers it."""
RAY = LONGEST * STEP + len(BUILDINGS)
"""What is told of a direction of a gang: its squares, and the values of each kind on them."""
GANG = 3 + len(KINDS) + MAX_PLAYERS * len(LENGTHS) + 2
"""Whether it is there and where, what it builds, everybody's tiles of that kind; the most that the next seat may bury
from there of one's own, and oneself of the others'."""
BUILDING = 1 + GANGS
"""Whether it stands, and how near each gang is."""
POINTS = len(BUILDINGS) + len(OBJECTIVES)
"""What there is of each kind on an empty board, and what each objective is worth now."""
OWN = 2 * (len(OBJECTIVES) + 1) + 1
"""The own two objectives and what each is worth now; whether the first is chosen."""
SHOWN = 4
"""Of an open vote: a seat's yes, no and Jeeiin, and what was said."""
TOLD = len(OBJECTIVES) + 2
"""Of a tile: what it does to every objective, and to the own two."""
PROPOSAL = MAX_PLAYERS + 2 * TOLD
"""Who proposed; what every objective, and the own two, lose by the tile and how near its gang comes."""
SITUATION = 4 + 3 + 3 + 1 + MAX_PLAYERS
"""Phase, number of players, options, whether the end has come, whose turn it is."""
REMEMBERED = 5 * len(OBJECTIVES) + 2
"""Of each seat."""
OTHERS = MAX_PLAYERS - 1
FORESEEN = 9
"""Of each tile that can be laid: what it buries and nears, of one's own and of the others'; whether it needs a vote;
the most that the next seat may then bury from its end of one's own, and oneself of the others'; ways on; a dead end."""
SQUARES = 1 + LONGEST
"""Of each direction of a gang: where it stands, and the squares that a tile may cover."""

BLOCKS = {
    "ground": FRAME,
    "outhouses": FRAME,
    "stakes": FRAME,
    "others": FRAME,
    "kinds": len(BUILDINGS) * FRAME,
    "voted": FRAME,
    "within": 2 * FRAME,
    "near": GANGS * FRAME,
    "squares": GANGS * len(DIRECTIONS) * SQUARES,
    "rays": GANGS * len(DIRECTIONS) * RAY,
    "gangs": GANGS * GANG,
    "buildings": len(BUILDINGS) * len(VALUES) * BUILDING,
    "points": POINTS,
    "own": OWN,
    "hands": MAX_PLAYERS * len(CARDS),
    "votes": MAX_PLAYERS * SHOWN,
    "proposal": PROPOSAL,
    "situation": SITUATION,
    "memory": MAX_PLAYERS * REMEMBERED,
    "suspicions": OTHERS * len(OBJECTIVES),
    "prospects": 2 * OTHERS,
    "worths": 2 * STANDING,
    "losses": STANDING * len(OBJECTIVES),
    "lays": FORESEEN * PASS,
    "effects": 2 * len(OBJECTIVES) * PASS,
}
"""The parts of an observation, in their order, and how many numbers each has."""
LAYOUT = {
    name: slice(end - size, end) for (name, size), end in zip(BLOCKS.items(), accumulate(BLOCKS.values()), strict=True)
}
"""Where each part stands."""
OBSERVATION = sum(BLOCKS.values())
"""How many numbers an observation has."""

_GROUND, _OUTHOUSES, _STAKES, _OTHERS = (LAYOUT[name].start for name in ("ground", "outhouses", "stakes", "others"))
_ON_KINDS, _VOTED, _WITHIN, _NEAR = (LAYOUT[name].start for name in ("kinds", "voted", "within", "near"))
_SQUARES = LAYOUT["squares"].start
_RAYS, _GANGS, _BUILDINGS = LAYOUT["rays"].start, LAYOUT["gangs"].start, LAYOUT["buildings"].start
_POINTS, _OWN, _HANDS = LAYOUT["points"].start, LAYOUT["own"].start, LAYOUT["hands"].start
_VOTES, _PROPOSAL = LAYOUT["votes"].start, LAYOUT["proposal"].start
_SITUATION, _MEMORY = LAYOUT["situation"].start, LAYOUT["memory"].start
_SUSPICIONS, _PROSPECTS = LAYOUT["suspicions"].start, LAYOUT["prospects"].start
_WORTHS, _LOSSES = LAYOUT["worths"].start, LAYOUT["losses"].start
_LAYS, _EFFECTS = LAYOUT["lays"].start, LAYOUT["effects"].start

WAYS = GANGS * len(DIRECTIONS)
MOST_ROWS = FRAME_WIDTH
"""Of a board that fits, turned or not."""
CLEARINGS = 32
STANDS = GANGS + WAYS + MOST_ROWS + len(BUILDINGS) + 3
FOLLOWS = GANGS + 2 * PASS
"""How many parts `clear`, `observe_what_stands` and `observe_what_follows` have: a GPU's threads do them at once."""

# ---- scales: about the most there is

MOST_VALUE = 5.0
MOST_POINTS = 15.0
"""All values of a kind."""
MOST_TILES = 6.0
MOST_WAYS = 3.0
MOST_VOTES = 3.0
SOME_POINTS = 20.0
"""What is remembered in points adds up to about this."""
MUCH = 40.0
"""And what was spared, as most is, to this."""
SOME_NEARNESS = 10.0 * NEAREST
"""And in nearness to this."""
SOME_LEAD = 0.2
"""A lead of so many points, in `MOST_POINTS`, is bent to a half."""
FADING = 0.85
"""What is left of a gang's nearness with every square of its way."""
PASSABLE = -1.0
"""How the middle of a bridge looks on the ground, where free squares are 1 and others 0."""


# ---- the viewer's own


@kernel
def own_card(position: Position, seat: int, which: int) -> int:
    """A seat's real objective (0) and its other one (1); before the choice the lower and the higher; or UNKNOWN."""
    one, other = int(position.objectives[seat, 0]), int(position.objectives[seat, 1])
    if not position.variant:
        return one if which == 0 else UNKNOWN
    chosen = int(position.chosen[seat])
    if chosen < 0:
        return min(one, other) if which == 0 else max(one, other)
    return chosen if which == 0 else one + other - chosen


@kernel
def first_kind(position: Position, seat: int) -> int:
    """The kind of building that kinds are counted from: the first own one that there is."""
    for which in range(2):
        card = own_card(position, seat, which)
        if 0 <= card < BUILDING_OBJECTIVES:
            return card
    return 0


@kernel
def own_loss_at(board: BoardArrays, position: Position, seat: int, which: int, square: int) -> int:
    """What one of the own objectives loses if this uncovered square is covered."""
    card, building = own_card(position, seat, which), int(board.building_on[square])
    if card < 0 or building == NOWHERE:
        return 0
    return loss_of(board, position, card, building // len(VALUES), building % len(VALUES) + 1)


# ---- observing


@kernel
def observe(board: BoardArrays, position: Position, memory: Memory, seat: int, symmetry: int, out: np.ndarray) -> None:
    """Write what this seat sees, the board turned by a symmetry that fits (`symmetries`), into a row of numbers."""
    for part in range(CLEARINGS):
        clear(part, out)
    for part in range(STANDS):
        observe_what_stands(board, position, memory, seat, symmetry, part, out)
    for part in range(OTHERS):
        observe_suspicions(board, position, memory, seat, symmetry, part, out)
    for part in range(STANDING):
        observe_worths(board, position, memory, seat, symmetry, part, out)
    for part in range(FOLLOWS):
        observe_what_follows(board, position, memory, seat, symmetry, part, out)


# ---- the rounds: parts of one need what rounds before it wrote, and nothing of each other


@kernel
def clear(part: int, out: np.ndarray) -> None:
    """Nothing is seen yet, and no gang can go anywhere; a part is a piece of the row."""
    for index in range(part * OBSERVATION // CLEARINGS, (part + 1) * OBSERVATION // CLEARINGS):
        out[index] = FRAME if _SQUARES <= index < _RAYS else 0.0


@kernel
def observe_what_stands(
    board: BoardArrays, position: Position, memory: Memory, seat: int, symmetry: int, part: int, out: np.ndarray
) -> None:
    """What is there and what is remembered: a gang's ways, a direction of one, a row, a kind of building, or the rest.

    A part is one of these.
    """
    first = first_kind(position, seat)
    if part < GANGS:
        if position.gangs[part] != NOWHERE:
            observe_gang(board, position, seat, symmetry, part, out)
            observe_ways(board, position, symmetry, part, out)
        return
    part -= GANGS
    if part < WAYS:
        gang, direction = part // len(DIRECTIONS), part % len(DIRECTIONS)
        if position.gangs[gang] != NOWHERE:
            observe_ray(board, position, seat, symmetry, first, gang, direction, out)
        return
    part -= WAYS
    if part < MOST_ROWS:
        if part <= last_row(board):
            observe_row(board, position, symmetry, part, out)
        return
    part -= MOST_ROWS
    if part < len(BUILDINGS):
        observe_buildings(board, position, seat, symmetry, first, part, out)
    elif part == len(BUILDINGS):
        observe_points(board, position, seat, first, out)
        observe_cards(position, seat, out)
    elif part == len(BUILDINGS) + 1:
        observe_memory(position, memory, seat, first, out)
        observe_situation(position, seat, out)
    elif position.proposal != UNKNOWN:
        observe_proposal(board, position, seat, symmetry, first, out)


@kernel
def observe_what_follows(
    board: BoardArrays,
    position: Position,
    memory: Memory,  # noqa: ARG001 (as in every round)
    seat: int,
    symmetry: int,
    part: int,
    out: np.ndarray,
) -> None:
    """What a gang may bury next; what a tile that can be laid does, and which objectives that concerns."""
    first = first_kind(position, seat)
    if part < GANGS:
        if position.gangs[part] != NOWHERE:
            observe_dangers(board, position, seat, symmetry, first, part, out)
        return
    action = (part - GANGS) % PASS
    gang, direction, length = rules.gang_of(action), rules.direction_of(action), rules.length_of(action)
    if position.phase != Phase.LAYING or seat != position.seat:
        return
    if not rules.can_lay_at(board, position, seat, gang, direction, length):
        return
    if part < GANGS + PASS:
        observe_lay(board, position, seat, symmetry, first, action, out)
    else:
        observe_effects(board, position, symmetry, first, action, out)


# ---- what they are made of


@kernel
def framed(board: BoardArrays, symmetry: int, square: int) -> int:
    """The place of a square in the frame."""
    turned = turned_square(board, symmetry, square)
    return (turned >> 5) * FRAME_WIDTH + (turned & ROW - 1)


@kernel
def observe_row(board: BoardArrays, position: Position, symmetry: int, row: int, out: np.ndarray) -> None:
    """Of a row: free squares, middles of bridges, and outhouses that a vote is still to be held on (D5.2)."""
    for column in range(last_column(board) + 1):
        square = row * ROW + column
        place = framed(board, symmetry, square)
        if not is_covered(position, square):
            out[_GROUND + place] = 1.0
            if has_outhouse(board, square) and not position.no_votes:
                out[_OUTHOUSES + place] = 1.0
        elif is_bridge_across(position, square, 0) or is_bridge_across(position, square, 1):
            out[_GROUND + place] = PASSABLE


@kernel
def observe_buildings(
    board: BoardArrays, position: Position, seat: int, symmetry: int, first: int, kind: int, out: np.ndarray
) -> None:
    """What stands of a kind: where, what it is worth and to the viewer, how near the gangs are."""
    for value in range(1, len(VALUES) + 1):
        if not is_standing(board, position, kind, value):
            continue
        square = int(board.building[kind, value - 1])
        place = framed(board, symmetry, square)
        out[_ON_KINDS + counted_from(kind, first) * FRAME + place] = value / MOST_VALUE
        out[_STAKES + place] = own_stake(board, position, seat, square)
        at = _BUILDINGS + (counted_from(kind, first) * len(VALUES) + value - 1) * BUILDING
        out[at] = 1.0
        for gang in range(GANGS):
            if position.gangs[gang] != NOWHERE:
                near = nearness(int(position.gangs[gang]), square) / NEAREST
                out[at + 1 + turned_gang(symmetry, gang)] = near


@kernel
def own_stake(board: BoardArrays, position: Position, seat: int, square: int) -> float:
    """What the viewer loses by a square: of the real objective, or before the choice of both on average."""
    cards = 2 if position.variant and position.chosen[seat] < 0 else 1
    stake = 0
    for which in range(cards):
        stake += own_loss_at(board, position, seat, which, square)
    return stake / (cards * MOST_VALUE)


@kernel
def observe_ways(board: BoardArrays, position: Position, symmetry: int, gang: int, out: np.ndarray) -> None:
    """How near every square is to a gang on the way that its path may take, breadth first.

    Squares that wait are kept where effects will stand: a GPU's thread has no other room.
    """
    plane, square = _NEAR + turned_gang(symmetry, gang) * FRAME, int(position.gangs[gang])
    waiting = _EFFECTS + gang * FRAME
    out[plane + framed(board, symmetry, square)] = 1.0
    out[waiting] = square
    seen, found = 0, 1
    while seen < found:
        square = int(out[waiting + seen])
        near = out[plane + framed(board, symmetry, square)] * FADING
        seen += 1
        for direction in range(len(DIRECTIONS)):
            there = square_ahead(position, square, direction)
            if there != NOWHERE and out[plane + framed(board, symmetry, there)] == 0.0:
                out[plane + framed(board, symmetry, there)] = near
                out[waiting + found] = there
                found += 1
    for index in range(waiting, waiting + found):
        out[index] = 0.0


@kernel
def observe_dangers(
    board: BoardArrays, position: Position, seat: int, symmetry: int, first: int, gang: int, out: np.ndarray
) -> None:
    """What a gang may bury with the next tile, where it stands: the next seat of one's own, oneself of the others'."""
    at, kind = _GANGS + turned_gang(symmetry, gang) * GANG + GANG - 2, int(board.kind_of[gang])
    square, following = int(position.gangs[gang]), (seat + 1) % int(position.players)
    out[at] = most_buried(board, position, following, kind, square, NOWHERE, first, out, _WORTHS)
    out[at + 1] = most_buried(board, position, seat, kind, square, NOWHERE, first, out, _WORTHS + STANDING)


@kernel
def observe_gang(board: BoardArrays, position: Position, seat: int, symmetry: int, gang: int, out: np.ndarray) -> None:
    """Where a gang stands, what it builds, and what everybody has for it."""
    at = _GANGS + turned_gang(symmetry, gang) * GANG
    turned = turned_square(board, symmetry, int(position.gangs[gang]))
    kind = int(board.kind_of[gang])
    out[at] = 1.0
    out[at + 1] = (turned & ROW - 1) / FRAME_WIDTH
    out[at + 2] = (turned >> 5) / FRAME_HEIGHT
    out[at + 3 + kind] = 1.0
    for step in range(position.players):
        other = (seat + step) % position.players
        for length in range(len(LENGTHS)):
            tiles = position.tiles[other, kind, length] / MOST_TILES
            out[at + 3 + len(KINDS) + step * len(LENGTHS) + length] = tiles


@kernel
def observe_ray(
    board: BoardArrays,
    position: Position,
    seat: int,
    symmetry: int,
    first: int,
    gang: int,
    direction: int,
    out: np.ndarray,
) -> None:
    """The squares that a tile of a gang in a direction would cover (D4), as far as there is room."""
    room = int(position.room[gang, direction])
    if room == 0:
        return
    way = turned_gang(symmetry, gang) * len(DIRECTIONS) + turned_direction(symmetry, direction)
    at = _RAYS + way * RAY
    out[_SQUARES + way * SQUARES] = framed(board, symmetry, int(position.gangs[gang]))
    square = first_square(position, gang, direction)
    for step in range(room):
        out[_SQUARES + way * SQUARES + 1 + step] = framed(board, symmetry, square)
        out[at + step * STEP] = 1.0
        if has_outhouse(board, square) and not position.no_votes:
            out[at + step * STEP + 1] = 1.0
        for which in range(2):
            out[at + step * STEP + 2 + which] = own_loss_at(board, position, seat, which, square) / MOST_VALUE
        out[at + step * STEP + 4] = ways_on(position, square, direction) / MOST_WAYS
        for other in range(position.players):
            if longest(position, other, int(board.kind_of[gang]), room) > step:
                out[_WITHIN + (FRAME if other != seat else 0) + framed(board, symmetry, square)] = 1.0
        building = int(board.building_on[square])
        if building != NOWHERE:
            kind = counted_from(building // len(VALUES), first)
            out[at + LONGEST * STEP + kind] += (building % len(VALUES) + 1) / MOST_VALUE
        square += STEPS[direction]


@kernel
def longest(position: Position, seat: int, kind: int, room: int) -> int:
    """The longest tile of a kind that a seat has and that fits; 0 for none."""
    length = room
    while length > 0 and position.tiles[seat, kind, length - 1] == 0:
        length -= 1
    return length


@kernel
def ways_on(position: Position, square: int, direction: int) -> int:
    """How many squares beside the end of a tile are free, but for the one it came from; bridges are not counted."""
    ways = 0
    for turn in range(-1, 2):
        way = (direction + turn) % len(DIRECTIONS)
        line = np.int64(position.covered[way & 1, line_of(square, way)])
        ways += 1 - int(line >> place_in_line(square, way) + forward(way) & 1)
    return ways


@kernel
def observe_points(board: BoardArrays, position: Position, seat: int, first: int, out: np.ndarray) -> None:
    """What each kind is worth on an empty board, what each objective is worth now, and the own ones."""
    for kind in range(len(BUILDINGS)):
        for value in range(1, len(VALUES) + 1):
            if board.building[kind, value - 1] != NOWHERE:
                out[_POINTS + counted_from(kind, first)] += value / MOST_POINTS
    for objective in range(objectives_there(position)):
        worth = points_of(board, position, objective) / MOST_POINTS
        out[_POINTS + len(BUILDINGS) + counted_from(objective, first)] = worth
    for which in range(2):
        card = own_card(position, seat, which)
        if card >= 0:
            at = _OWN + which * (len(OBJECTIVES) + 1)
            place = counted_from(card, first)
            out[at + place] = 1.0
            out[at + len(OBJECTIVES)] = out[_POINTS + len(BUILDINGS) + place]
    if position.chosen[seat] >= 0:
        out[_OWN + OWN - 1] = 1.0


@kernel
def observe_cards(position: Position, seat: int, out: np.ndarray) -> None:
    """The vote cards that everybody holds; those of an open vote, while words on Jeeiin are due (D6.2)."""
    for step in range(position.players):
        other = (seat + step) % position.players
        for card in range(len(CARDS)):
            if int(position.hands[other]) >> card & 1:
                out[_HANDS + step * len(CARDS) + card] = 1.0
        if position.phase == Phase.JEEIIN:
            observe_vote(position, other, _VOTES + step * SHOWN, out)


@kernel
def observe_vote(position: Position, seat: int, at: int, out: np.ndarray) -> None:
    """What a seat played, and said, in an open vote."""
    for card in range(len(CARDS)):
        if int(position.votes[seat]) >> card & 1:
            out[at] += YES[card] / MOST_VOTES
            out[at + 1] += NO[card] / MOST_VOTES
            if card == JEEIIN:
                out[at + 2] = 1.0
    if position.said[seat] >= 0:
        out[at + 3] = 1.0 if position.said[seat] == 1 else -1.0


@kernel
def observe_proposal(
    board: BoardArrays, position: Position, seat: int, symmetry: int, first: int, out: np.ndarray
) -> None:
    """The tile voted on: whose it is, where it would lie, what it would do to every objective."""
    tile = int(position.proposal)
    out[_PROPOSAL + (int(position.layer) - seat) % int(position.players)] = 1.0
    turned = turned_lay(symmetry, tile)
    at, square = _RAYS + turned // LONGEST * RAY, first_square(position, rules.gang_of(tile), rules.direction_of(tile))
    for step in range(turned % LONGEST + 1):
        out[at + step * STEP + STEP - 1] = 1.0
        out[_VOTED + framed(board, symmetry, square)] = 1.0
        square += STEPS[rules.direction_of(tile)]
    at = _PROPOSAL + MAX_PLAYERS
    scales = (1.0 / MOST_VALUE, 1.0 / (MOST_VALUE * NEAREST))
    add_effects(board, position, tile, scales, first, out, out, at, at + TOLD)
    for which in range(2):
        card = own_card(position, seat, which)
        if card >= 0:
            own, place = at + len(OBJECTIVES) + which, at + counted_from(card, first)
            out[own], out[own + TOLD] = out[place], out[place + TOLD]


@kernel
def observe_situation(position: Position, seat: int, out: np.ndarray) -> None:
    """What the game waits for, how many play, by which options, whose turn it is."""
    if position.phase != Phase.OVER:
        out[_SITUATION + int(position.phase)] = 1.0
    at, players = _SITUATION + 4, int(position.players)
    out[at + players - MIN_PLAYERS] = 1.0
    out[at + 3] = 1.0 if position.variant else 0.0
    out[at + 4] = 1.0 if position.several_cards else 0.0
    out[at + 5] = 1.0 if position.no_votes else 0.0
    out[at + 6] = 1.0 if position.ending else 0.0
    out[at + 7 + (int(position.seat) - seat) % players] = 1.0


@kernel
def observe_memory(position: Position, memory: Memory, seat: int, first: int, out: np.ndarray) -> None:
    """What is remembered of everybody, the viewer too: others remember it as well."""
    for step in range(position.players):
        other = (seat + step) % position.players
        at = _MEMORY + step * REMEMBERED
        for objective in range(objectives_there(position)):
            place = at + counted_from(objective, first)
            out[place] = memory.buried[other, objective] / SOME_POINTS
            out[place + len(OBJECTIVES)] = memory.spared[other, objective] / MUCH
            out[place + 2 * len(OBJECTIVES)] = memory.neared[other, objective] / SOME_NEARNESS
            out[place + 3 * len(OBJECTIVES)] = memory.voted[other, objective] / SOME_POINTS
            out[place + 4 * len(OBJECTIVES)] = memory.leant[other, objective] / SOME_NEARNESS
        out[at + 5 * len(OBJECTIVES)] = memory.proposed[other] / MOST_TILES
        out[at + 5 * len(OBJECTIVES) + 1] = memory.refused[other] / MOST_TILES


@kernel
def observe_suspicions(
    board: BoardArrays,  # noqa: ARG001 (as in every round)
    position: Position,
    memory: Memory,
    seat: int,
    symmetry: int,  # noqa: ARG001
    part: int,
    out: np.ndarray,
) -> None:
    """How likely another seat has which objective; how far one is ahead of it by that, as it is and bent."""
    if part >= position.players - 1:
        return
    own = 0
    for which in range(2):
        card = own_card(position, seat, which)
        own |= 1 << card if card >= 0 else 0
    other, at = (seat + part + 1) % position.players, _SUSPICIONS + part * len(OBJECTIVES)
    suspect(position, memory, other, own, first_kind(position, seat), out, at)
    lead = out[_OWN + len(OBJECTIVES)]
    for place in range(len(OBJECTIVES)):
        lead -= out[at + place] * out[_POINTS + len(BUILDINGS) + place]
    out[_PROSPECTS + part] = lead
    out[_PROSPECTS + OTHERS + part] = lead / (SOME_LEAD + abs(lead))


@kernel
def observe_worths(
    board: BoardArrays,
    position: Position,
    memory: Memory,  # noqa: ARG001 (as in every round)
    seat: int,
    symmetry: int,
    part: int,
    out: np.ndarray,
) -> None:
    """What a standing building is worth to the viewer, and to the others by what is suspected."""
    kind, value = part // len(VALUES), part % len(VALUES) + 1
    if not is_standing(board, position, kind, value):
        return
    first, square = first_kind(position, seat), int(board.building[kind, value - 1])
    counted = counted_from(kind, first) * len(VALUES) + value - 1
    at = _WORTHS + counted
    out[at] = own_stake(board, position, seat, square)
    out[at + STANDING] = others_stake(board, position, kind, value, first, out, _SUSPICIONS) / MOST_VALUE
    out[_OTHERS + framed(board, symmetry, square)] = out[at + STANDING]
    add_losses(board, position, part, 1.0 / MOST_VALUE, first, out, _LOSSES + counted * len(OBJECTIVES))


@kernel
def observe_lay(
    board: BoardArrays, position: Position, seat: int, symmetry: int, first: int, action: int, out: np.ndarray
) -> None:
    """What a tile that can be laid does (`foresee`), and whether it needs a vote (D5.2), layer by layer."""
    gang, direction, length = rules.gang_of(action), rules.direction_of(action), rules.length_of(action)
    at, following = _LAYS + turned_lay(symmetry, action), (seat + 1) % int(position.players)
    own_lost, others_lost, own_neared, others_neared = foresee(board, position, action, first, out, _WORTHS)
    out[at] = own_lost
    out[at + PASS] = others_lost
    out[at + 2 * PASS] = own_neared
    out[at + 3 * PASS] = others_neared
    out[at + 4 * PASS] = 1.0 if rules.needs_vote(board, position, gang, direction, length) else 0.0
    square = first_square(position, gang, direction) + (length - 1) * STEPS[direction]
    behind, kind = (direction + 2) % len(DIRECTIONS), int(board.kind_of[gang])
    out[at + 5 * PASS] = most_buried(board, position, following, kind, square, behind, first, out, _WORTHS)
    out[at + 6 * PASS] = most_buried(board, position, seat, kind, square, behind, first, out, _WORTHS + STANDING)
    ways = ways_from(position, square, behind)
    out[at + 7 * PASS] = ways / MOST_WAYS
    out[at + 8 * PASS] = 1.0 if ways == 0 else 0.0


@kernel
def observe_effects(
    board: BoardArrays, position: Position, symmetry: int, first: int, action: int, out: np.ndarray
) -> None:
    """What a tile buries of every objective, and how much nearer its gang comes to the rest of it."""
    here, direction = int(position.gangs[gang_of(action)]), direction_of(action)
    start = first_square(position, gang_of(action), direction)
    last = start + (length_of(action) - 1) * STEPS[direction]
    for building in range(STANDING):
        kind, value = building // len(VALUES), building % len(VALUES) + 1
        if not is_standing(board, position, kind, value):
            continue
        there, counted = int(board.building[kind, value - 1]), counted_from(kind, first)
        losses = _LOSSES + (counted * len(VALUES) + value - 1) * len(OBJECTIVES)
        at, factor = _EFFECTS + turned_lay(symmetry, action), 1.0
        if not is_under(action, start, there):
            at += len(OBJECTIVES) * PASS
            factor = (nearness(last, there) - nearness(here, there)) / NEAREST
        for objective in range(BUILDING_OBJECTIVES - 1, objectives_there(position)):
            of = counted if objective < BUILDING_OBJECTIVES else objective
            out[at + of * PASS] += factor * out[losses + of]


# ---- answers and actions


@kernel
def action_of(board: BoardArrays, position: Position, symmetry: int, answer: int) -> int:  # noqa: ARG001 (as in Cronberg)
    """The rules' action that a legal answer of the acting seat means."""
    return action_for(position, acting_seat(position), symmetry, answer)


@kernel
def action_for(position: Position, seat: int, symmetry: int, answer: int) -> int:
    """The rules' action that a legal answer of this seat means: several may be waited for at once."""
    if answer < PASS:
        return original_lay(symmetry, answer)
    if answer == PASS:
        return rules.PASS
    if answer < FIRST_WORD:
        return FIRST_VOTE + (1 << answer - FIRST_CARD)
    if answer < FIRST_OBJECTIVE:
        return SAY_NO + answer - FIRST_WORD
    return FIRST_CHOICE + own_card(position, seat, answer - FIRST_OBJECTIVE)


@kernel
def answer_of(position: Position, seat: int, symmetry: int, action: int) -> int:
    """The answer that means a legal action of this seat; NOWHERE for a vote of several cards."""
    if action < rules.PASS:
        return turned_lay(symmetry, action)
    if action == rules.PASS:
        return PASS
    if action < SAY_NO:
        for card in range(len(CARDS)):
            if action - FIRST_VOTE == 1 << card:
                return FIRST_CARD + card
        return NOWHERE
    if action < FIRST_CHOICE:
        return FIRST_WORD + action - SAY_NO
    return FIRST_OBJECTIVE + (0 if action - FIRST_CHOICE == own_card(position, seat, 0) else 1)


@kernel
def mask(board: BoardArrays, position: Position, seat: int, symmetry: int, out: np.ndarray) -> None:
    """Write 1 for every answer that is a legal action of this seat, 0 for all others."""
    for answer in range(ACTIONS):
        out[answer] = 0
    if position.phase == Phase.LAYING:
        mask_tiles(board, position, seat, symmetry, out)
        return
    first, last = FIRST_OBJECTIVE, ACTIONS
    if position.phase == Phase.VOTING:
        first, last = FIRST_CARD, FIRST_WORD
    elif position.phase == Phase.JEEIIN:
        first, last = FIRST_WORD, FIRST_OBJECTIVE
    for answer in range(first, last):
        action = action_for(position, seat, symmetry, answer)
        if rules.refusal(board, position, seat, action) == rules.Refusal.NONE:
            out[answer] = 1


@kernel
def mask_tiles(board: BoardArrays, position: Position, seat: int, symmetry: int, out: np.ndarray) -> None:
    """The tiles that can be laid, or else a pass (D3.1)."""
    if seat != position.seat:
        return
    out[PASS] = 1
    for action in range(rules.PASS):
        gang, direction, length = rules.gang_of(action), rules.direction_of(action), rules.length_of(action)
        if rules.can_lay_at(board, position, seat, gang, direction, length):
            out[turned_lay(symmetry, action)] = 1
            out[PASS] = 0


# ---- playing


@kernel
def acting_seat(position: Position) -> int:
    """Who decides: votes, words and choices come in turn order from whoever laid or proposed the tile."""
    return rules.first_waiting(position)


@kernel
def begin(
    board: BoardArrays,
    start: Position,
    position: Position,
    memory: Memory,  # noqa: ARG001 (it is empty already)
    random: np.uint64,
) -> np.uint64:
    """Deal a game into a copy of `start`, options without a deal; the next state of chance."""
    random = playout.deal(board, position, random)
    rules.set_up(board, position, int(start.players), int(start.seat))
    return random


@kernel
def step(
    board: BoardArrays, position: Position, memory: Memory, seat: int, action: int, random: np.uint64
) -> np.uint64:
    """Remember and do an action of the rules; nothing is left to chance, so the random state stays as it is."""
    remember(board, position, memory, seat, action)
    rules.apply(board, position, seat, action)
    return random


# ---- for callers in Python


@kernel
def observe_boxed(
    board: np.ndarray, position: np.ndarray, memory: np.ndarray, seat: int, symmetry: int, out: np.ndarray
) -> None:
    """`observe`, records in arrays of one."""
    observe(board[0], position[0], memory[0], seat, symmetry, out)


@kernel
def mask_boxed(board: np.ndarray, position: np.ndarray, seat: int, symmetry: int, out: np.ndarray) -> None:
    """`mask`, records in arrays of one."""
    mask(board[0], position[0], seat, symmetry, out)


@kernel
def step_boxed(board: np.ndarray, position: np.ndarray, memory: np.ndarray, seat: int, action: int) -> None:
    """`step`, records in arrays of one."""
    step(board[0], position[0], memory[0], seat, action, np.uint64(0))


@kernel
def actions_of(position: np.ndarray, seat: int, symmetry: int, actions: np.ndarray) -> None:
    """By answer: the action of the rules that it means for this seat, where it is legal."""
    for answer in range(ACTIONS):
        actions[answer] = action_for(position[0], seat, symmetry, answer)


def fits(board: Board) -> bool:
    """Whether a board lies in the network's frame, as it is or turned."""
    return len(_fitting(board)) > 0


def symmetries(board: Board) -> np.ndarray:
    """The symmetries by which a board lies in the network's frame, as numbers (`symmetry.py`)."""
    if not fits(board):
        wrong = f"the board has {board.width} columns and {board.height} rows"
        raise BadArgument(f"{wrong}; right would be: one that lies in {FRAME_WIDTH} by {FRAME_HEIGHT}")
    return np.array(_fitting(board), SYMMETRY)


def _fitting(board: Board) -> list[int]:
    as_it_is = board.width <= FRAME_WIDTH and board.height <= FRAME_HEIGHT
    transposed = board.height <= FRAME_WIDTH and board.width <= FRAME_HEIGHT
    return [s for s in range(SYMMETRIES) if (transposed if s & TRANSPOSE else as_it_is)]


@cache
def turned_answers(symmetry: int) -> np.ndarray:
    """By answer as the board lies: the answer that means the same where it is turned."""
    lays = [turned_lay(symmetry, lay) for lay in range(rules.PASS)]
    turned = np.array([*lays, *range(rules.PASS, ACTIONS)])
    turned.flags.writeable = False
    return turned


def memory_of(view: Any) -> np.ndarray:
    """What everybody may remember, from a view's log, in an array of one; nothing where there is no log."""
    from embertown.drunter.game import ACCEPTED  # the kernels alone need neither games nor views
    from embertown.drunter.view import HIDDEN_CHOICE, HIDDEN_VOTE

    memory = np.zeros(1, MEMORY)
    if not view.has_beginning:
        return memory
    board, position = view.board, np.zeros(1, POSITION)
    position[0] = view.game.dealt_position(view.heading)
    for entry in view.log:
        if entry.seat is None:  # how the vote ends is only supposed: nobody's card is known
            doors.settle(board.box, position, entry.text == ACCEPTED)
        elif entry.text == HIDDEN_CHOICE:
            rules.apply_hidden(board.arrays, position[0], entry.seat)
        elif entry.text != HIDDEN_VOTE:  # those are of the vote under way
            step_boxed(board.box, position, memory, entry.seat, parse_action(board, position[0], entry.text))
    return memory


def observation(view: Any, symmetry: int = 0) -> np.ndarray:
    """What the seat of a view sees (a spectator: as the seat that acts), the board lying in one of its ways."""
    position, row = view.position_array(), np.empty(OBSERVATION, np.float32)
    seat = max(0, acting_seat(position[0])) if view.viewer is None else view.viewer
    way = int(symmetries(view.board)[symmetry])
    observe_boxed(view.board.box, position, memory_of(view), seat, way, row)
    return row
