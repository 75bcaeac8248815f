"""The kernels behind `cronberg_endgame`: a search without recursion, in slices, that knows no rules of its own.

Shares of the win are whole numbers, so that equal ones are found equal: a whole win is `WHOLE` times `units[left]`, and
a draw with `left` rhombi multiplies by `left`.

A search has a *width*: so many crossings a seat considers below the first action, besides drawing, those that promise
most. What it finds is exact where none had to be left out, and an estimate otherwise, in far less time.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from embertown.bots.cronberg_endgame_last import LAST, LASTS, NOT_LAST, find_last, look_at_draw
from embertown.bots.cronberg_endgame_positions import (
    WHOLE,
    add_outcome,
    bank,
    best_crossing,
    count_up,
    deal_out,
    key_of,
    lead_of,
    unsettled,
)
from embertown.bots.cronberg_policy import MIND, WORTH, worth_of
from embertown.core.jit import NONE, bit, kernel, lowest_bit, popcount, without_lowest
from embertown.cronberg.board import MAX_CROSSINGS, BoardArrays
from embertown.cronberg.rules import (
    ACTIONS,
    DRAW,
    FIRST_TOKEN,
    MAX_PLAYERS,
    PASS,
    POSITION,
    Phase,
    Position,
    apply,
    apply_outcome,
    can_draw,
    final_points,
    legal_actions,
    occupied,
    open_to_tokens,
)

NO_ACTION = -1
EXACT = -1
"""The values are those of the position; else one seat's share is known to be no more than a bound."""
NO_FLOOR = -1
MOST_RHOMBI = 4
"""More rhombi than this to come: values might not fit their words, and no search would end."""
LEVELS = MOST_RHOMBI + 1
MOST_TOKENS = 8
"""Of a player (C1.5)."""
MOST_DEPTH = MAX_PLAYERS * MOST_TOKENS * LEVELS + 3 * MOST_RHOMBI + 4
"""Every token placed, and again after each rhomb; drawing, chance and placing for each of those; room at the end."""
TABLE_ENTRIES = 1 << 20

FRAME = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("key", np.uint64),
                ("shares", np.int64, (MAX_PLAYERS,)),  # of the best action so far; for chance, the sum so far
                ("points", np.int64, (MAX_PLAYERS,)),
                ("floors", np.int64, (MAX_PLAYERS,)),  # by seat: a position that brings it no more is not wanted
                ("changing", np.uint64),  # crossings that are not settled
                ("certain", np.int64),  # points of the first seat that are certain
                ("ceiling", np.int64),  # the most that actions left unsolved could bring
                ("bounded", np.int64),  # the seat whose share is a bound, or EXACT
                ("rest", np.int64),  # rhombi that are not among the outcomes tried so far
                ("gaining", np.int64),  # so many of the actions bring more at once than drawing, the first one
                ("count", np.int64),  # actions, or outcomes, in this position
                ("next", np.int64),  # which comes next
                ("best", np.int64),  # the best action so far, or NO_ACTION
                ("last", np.int64),  # where it stands what the last draw can do, or NOT_LAST
                ("most", np.int64),  # no action can bring the seat more
            ],
            align=True,
        ),
    )
)
"""What is known of one position on the way down."""

ENTRY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("key", np.uint64),
                ("shares", np.int32, (MAX_PLAYERS,)),
                ("points", np.int64, (MAX_PLAYERS,)),
                ("search", np.int32),  # which search solved it: so that the table need not be emptied
                ("bounded", np.int32),  # the seat whose share is no more than this, or EXACT
            ],
            align=True,
        ),
    )
)
"""A position that was solved: 64 bytes, a line of a processor's cache."""

# ---- the search


Search: TypeAlias = np.record
"""One record of `SEARCH`: all that a search works on. Nothing else is allocated, and a slice goes on where the last one
ended. It is one record, because compiled code counts the uses of every array that it hands on: half of its time."""

SEARCH = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("positions", POSITION, (MOST_DEPTH,)),
                ("frames", FRAME, (MOST_DEPTH,)),
                ("actions", np.int16, (MOST_DEPTH, ACTIONS)),  # by depth: the actions or outcomes to be tried
                ("units", np.int64, (MAX_CROSSINGS + 1,)),  # by rhombi left: what 1 is counted as
                ("totals", np.int64, (MAX_PLAYERS,)),  # to count in
                ("values", np.int64, (ACTIONS,)),  # to sort by
                ("worths", np.float64, (MAX_CROSSINGS,)),  # what a token there promises
                ("shares", np.int64, (MAX_PLAYERS,)),  # the result of what was solved last
                ("points", np.int64, (MAX_PLAYERS,)),
                ("progress", np.int64, (8,)),  # see below
                ("widths", np.int64, (LEVELS, 2)),  # crossings considered, by rhombi to come; if drawing wins nothing
                ("kept", np.int64, (MAX_PLAYERS,)),  # the totals of the best placement
                ("supplies", np.int64, (MAX_PLAYERS,)),  # tokens to be placed, by seat
                ("reach", np.int64, (MAX_PLAYERS,)),  # the most that a kind drawn last can bring, by seat
                ("most", np.int64, (MAX_PLAYERS,)),  # the same, of all kinds
                ("best", np.int64, (MOST_TOKENS + 1,)),  # by tokens: the most that they can win, and lose
                ("worst", np.int64, (MOST_TOKENS + 1,)),
                ("lasts", LAST, (LASTS,)),  # what last draws can do
                ("mind", MIND, (1,)),  # what tells which crossings promise most
                ("table", ENTRY, (TABLE_ENTRIES,)),
            ],
            align=True,
        ),
    )
)

DEPTH, ENTERING, SOLVED, NUMBER, BOUNDED, THOROUGH, LEFT_OUT, LAST_LEFT = range(8)
"""What `progress` holds: depth, whether a position is to be entered, positions looked at, the search's number, what
bounds the result, whether positions that no seat would come to are solved too, whether crossings were left out, how
many rhombi are left when none can come."""


def new_search() -> np.ndarray:
    """Room for a search, in an array of one, with what the search of the whole game knows of a token's worth."""
    search = np.zeros(1, SEARCH)
    search[0].mind[0].weights[:] = WORTH
    return search


@kernel
def solve_slice(board: np.ndarray, searches: np.ndarray, until: int) -> bool:
    """Go on until so many positions are looked at; whether the first one is solved, its result in the search."""
    search = searches[0]
    progress = search.progress
    while progress[DEPTH] >= 0:
        depth = progress[DEPTH]
        if progress[ENTERING]:
            if progress[SOLVED] >= until:
                return False
            progress[SOLVED] += 1
            progress[BOUNDED] = EXACT
            known = enter(board[0], search, depth)
        else:
            known = take_back(board[0], search, depth) or search.frames[depth].next == search.frames[depth].count
            if known:
                leave(search, depth)
        progress[ENTERING] = not known
        progress[DEPTH] += -1 if known else 1
        if not known:
            descend(board[0], search, depth)
    return True


@kernel
def enter(board: BoardArrays, search: Search, depth: int) -> bool:
    """Look at a position: True where its value is known at once; else its frame is made ready."""
    position = search.positions[depth]
    frame = search.frames[depth]
    if is_known(board, search, position):
        return True
    if position.phase == Phase.CHOICE:
        frame.changing = unsettled(board, position)
        bank(board, position, occupied(position) & ~frame.changing)
        frame.key = key_of(board, position, frame.changing)
        frame.certain = position.scores[0]
        if depth > 0 and look_up(search, depth):  # the first position is solved for its best action
            return True
        frame.last = last_of(board, search, depth)
        if frame.last != NOT_LAST:
            return enter_last(board, search, depth)
    if depth > 0 and position.phase == Phase.PLACEMENT and place_last(board, search, depth):
        return True
    frame.count = list_actions(board, search, depth)
    make_ready(search, position, frame)
    return False


@kernel
def make_ready(search: Search, position: Position, frame: np.record) -> None:
    """Nothing is known yet of what the actions or outcomes bring."""
    frame.next = 0
    frame.best = NO_ACTION
    frame.ceiling = NO_FLOOR
    frame.bounded = EXACT
    frame.rest = position.left
    frame.most = WHOLE * search.units[position.left]
    for seat in range(MAX_PLAYERS):
        frame.shares[seat] = 0
        frame.points[seat] = 0


@kernel
def last_of(board: BoardArrays, search: Search, depth: int) -> int:
    """Where it stands what drawing can do here, if it is the last draw: after a token, where it stood before."""
    if depth > 0 and search.positions[depth - 1].phase == Phase.CHOICE:
        return int(search.frames[depth - 1].last)
    return find_last(board, search, depth)


@kernel
def enter_last(board: BoardArrays, search: Search, depth: int) -> bool:
    """Look at a position before the last draw: what drawing brings is known at once, and what can be hoped for."""
    position = search.positions[depth]
    frame = search.frames[depth]
    look_at_draw(search, position, search.lasts[frame.last], frame)
    thorough = bool(search.progress[THOROUGH])
    for seat in range(position.players):
        if depth > 0 and not thorough and search.most[seat] <= frame.floors[seat]:
            search.shares[seat] = search.most[seat]
            search.progress[BOUNDED] = seat
            return True
    search.actions[depth, 0] = DRAW
    frame.gaining = 0
    make_ready(search, position, frame)
    frame.count = frame.next = 1
    if not thorough:
        frame.most = search.most[position.seat]
    if not take_action(search, position, frame, DRAW):
        add_tokens(board, search, depth)
    if frame.next < frame.count:
        return False
    leave(search, depth)
    return True


@kernel
def is_known(board: BoardArrays, search: Search, position: Position) -> bool:
    """Whether nothing is left to be decided; then the result is in `search`."""
    if position.phase == Phase.OVER:
        count_up(board, position, search.totals)
    elif position.phase == Phase.CHOICE and not can_draw(position):
        deal_out(board, position, search.totals, search.values)
    else:
        return False
    add_outcome(position.players, search.totals, search.units[position.left], search.shares, search.points)
    return True


@kernel
def place_last(board: BoardArrays, search: Search, depth: int) -> bool:
    """Solve a placement after which no rhomb can be drawn, wherever it goes: no frames are needed.

    False where one can be drawn after some placement.
    """
    before = search.positions[depth]
    after = search.positions[depth + 1]
    frame = search.frames[depth]
    own = int(before.seat)
    count = legal_actions(board, before, search.actions[depth])
    frame.best = NO_ACTION
    best_lead = 0
    for index in range(count):
        search.positions[depth + 1] = before
        apply(board, after, int(search.actions[depth, index]))
        if not is_known(board, search, after):
            return False
        if frame.best != NO_ACTION and search.shares[own] < frame.shares[own]:
            continue
        lead = lead_of(board, after, own, search.totals) if count > 1 else 0
        if frame.best != NO_ACTION and search.shares[own] == frame.shares[own] and lead <= best_lead:
            continue
        frame.best, best_lead = index, lead
        copy_result(before.players, search.shares, search.points, frame.shares, frame.points)
    copy_result(before.players, frame.shares, frame.points, search.shares, search.points)
    return True


@kernel
def copy_result(
    players: int, shares: np.ndarray, points: np.ndarray, to_shares: np.ndarray, to_points: np.ndarray
) -> None:
    """Copy what each seat gets."""
    for seat in range(players):
        to_shares[seat] = shares[seat]
        to_points[seat] = points[seat]


@kernel
def look_up(search: Search, depth: int) -> bool:
    """Whether the table knows enough; its points are differences from those of the first seat that are certain."""
    frame = search.frames[depth]
    position = search.positions[depth]
    entry = search.table[int(frame.key & np.uint64(search.table.size - 1))]
    if entry.key != frame.key or entry.search != search.progress[NUMBER]:
        return False
    if entry.bounded != EXACT and entry.shares[entry.bounded] > frame.floors[entry.bounded]:
        return False
    search.progress[BOUNDED] = entry.bounded
    unit = search.units[position.left]
    for seat in range(position.players):
        search.shares[seat] = entry.shares[seat]
        search.points[seat] = entry.points[seat] + frame.certain * unit
    return True


@kernel
def list_actions(board: BoardArrays, search: Search, depth: int) -> int:
    """What is to be tried, in this order: of actions that turn out equal the first is taken, but see `is_taken`."""
    position = search.positions[depth]
    search.frames[depth].gaining = 0
    if position.phase == Phase.CHANCE:
        return list_outcomes(board, position, search.actions[depth])
    if position.phase == Phase.PLACEMENT:
        return list_placements(board, search, depth)
    search.actions[depth, 0] = DRAW  # tokens follow once that is solved
    return 1


@kernel
def is_taken(frame: np.record) -> bool:
    """Whether the action under way is taken where its share equals the best: it brings more at once than drawing."""
    return bool(frame.best == DRAW) and bool(frame.next - 1 <= frame.gaining)


@kernel
def list_outcomes(board: BoardArrays, position: Position, outcomes: np.ndarray) -> int:
    """The kinds that may be drawn."""
    count = 0
    for kind in range(board.kinds):
        if position.bag[kind] > 0:
            outcomes[count] = kind
            count += 1
    return count


@kernel
def list_placements(board: BoardArrays, search: Search, depth: int) -> int:
    """All placements, by what the seat leads by after them."""
    before = search.positions[depth]
    actions = search.actions[depth]
    count = legal_actions(board, before, actions)
    for index in range(count):
        action = int(actions[index])
        search.positions[depth + 1] = before
        apply(board, search.positions[depth + 1], action)
        lead = lead_of(board, search.positions[depth + 1], int(before.seat), search.totals)
        insert(actions, search.values, index, action, lead)
    return count


@kernel
def add_tokens(board: BoardArrays, search: Search, depth: int) -> None:
    """After drawing, which is solved soonest: tokens by what they bring at once, of settled crossings the best."""
    position, frame = search.positions[depth], search.frames[depth]
    if position.supply[position.seat] == 0:
        return
    crossings = open_to_tokens(position)
    if crossings & ~frame.changing != NONE:
        best = best_crossing(board, position, crossings & ~frame.changing)
        crossings = (crossings & frame.changing) | bit(best)
    if frame.shares[position.seat] >= frame.most:  # what does not bring more at once is not taken instead of drawing
        crossings = gaining_among(board, position, crossings)
    to_come = max(0, position.left - search.progress[LAST_LEFT])
    hopeless = frame.best == DRAW and frame.shares[position.seat] == 0
    crossings = most_promising(board, search, position, crossings, search.widths[to_come, int(hopeless)])
    actions, values = search.actions[depth, 1:], search.values
    count = 0
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        points = final_points(board, position, crossing)
        insert(actions, values, count, FIRST_TOKEN + crossing, points)
        frame.gaining += points > 0
        count += 1
    frame.count += count


@kernel
def gaining_among(board: BoardArrays, position: Position, crossings: np.uint64) -> np.uint64:
    """Those of these crossings where a token brings points at once."""
    gaining = NONE
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        if final_points(board, position, crossing) > 0:
            gaining |= bit(crossing)
    return gaining


@kernel
def most_promising(
    board: BoardArrays, search: Search, position: Position, crossings: np.uint64, width: int
) -> np.uint64:
    """So many of these crossings, and the one that brings most at once: who is indifferent takes that.

    Of equal ones, the first.
    """
    if popcount(crossings) <= width:
        return crossings
    search.progress[LEFT_OUT] = 1
    waiting = crossings
    while waiting != NONE:
        crossing = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        search.worths[crossing] = worth_of(board, search.mind[0], position, crossing)
    best = best_crossing(board, position, crossings)
    kept = bit(best) if final_points(board, position, best) > 0 else NONE
    for _ in range(width):
        kept |= bit(first_of_most(search.worths, crossings & ~kept))
    return kept


@kernel
def first_of_most(worths: np.ndarray, crossings: np.uint64) -> int:
    """The one of these crossings with the greatest worth, the first of several."""
    best = lowest_bit(crossings)
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        if worths[crossing] > worths[best]:
            best = crossing
    return best


@kernel
def insert(actions: np.ndarray, values: np.ndarray, count: int, action: int, value: int) -> None:
    """Put an action into its place in a list that is sorted by value, behind those with the same value."""
    at = count
    while at > 0 and values[at - 1] < value:
        values[at] = values[at - 1]
        actions[at] = actions[at - 1]
        at -= 1
    values[at] = value
    actions[at] = action


@kernel
def descend(board: BoardArrays, search: Search, depth: int) -> None:
    """To the next action or outcome of this position."""
    frame = search.frames[depth]
    action = int(search.actions[depth, frame.next])
    frame.next += 1
    before = search.positions[depth]
    search.positions[depth + 1] = before
    after = search.positions[depth + 1]
    if before.phase == Phase.CHANCE:
        apply_outcome(after, action)
        whole = WHOLE * search.units[after.left]
        pass_floors_through_chance(before, frame, search.frames[depth + 1], int(before.bag[action]), whole)
    else:
        apply(board, after, action)
        pass_floors(before, frame, search.frames[depth + 1], bool(search.progress[THOROUGH]))


@kernel
def pass_floors(position: Position, frame: np.record, below: np.record, thorough: bool) -> None:
    """An action is wanted only where it brings the seat more than those before it.

    With 2 players what the other one can have elsewhere goes all the way down. With more it must not: what is bad for
    one seat need not be good for the next.
    """
    for seat in range(position.players):
        below.floors[seat] = frame.floors[seat] if position.players == 2 else NO_FLOOR
    if thorough:
        return
    own = frame.floors[position.seat]
    if frame.best != NO_ACTION:
        own = max(own, frame.shares[position.seat] - is_taken(frame))
    below.floors[position.seat] = own


@kernel
def pass_floors_through_chance(position: Position, frame: np.record, below: np.record, weight: int, whole: int) -> None:
    """What this outcome must bring, should all that follow bring the whole win."""
    others = frame.rest - weight
    for seat in range(position.players):
        floor = frame.floors[seat]
        if floor != NO_FLOOR:
            floor = max(NO_FLOOR, (floor - frame.shares[seat] - others * whole) // weight)
        below.floors[seat] = floor


@kernel
def take_back(board: BoardArrays, search: Search, depth: int) -> bool:
    """Add what an action or outcome has come to; True where what follows makes no difference."""
    position = search.positions[depth]
    frame = search.frames[depth]
    action = int(search.actions[depth, frame.next - 1])
    if position.phase == Phase.CHANCE:
        return take_outcome(search, position, frame, action)
    if take_action(search, position, frame, action):
        return True
    if action == DRAW:
        add_tokens(board, search, depth)
    return False


@kernel
def take_outcome(search: Search, position: Position, frame: np.record, kind: int) -> bool:
    """Add an outcome; True where too little is left for a seat's floor."""
    weight = int(position.bag[kind])
    rest = frame.rest - weight
    frame.rest = rest
    for seat in range(position.players):
        frame.shares[seat] += weight * search.shares[seat]
        frame.points[seat] += weight * search.points[seat]
    if rest == 0 and search.progress[BOUNDED] == EXACT:
        return True
    missing = rest * WHOLE * search.units[position.left - 1]
    for seat in range(position.players):
        bounded = search.progress[BOUNDED] == EXACT or search.progress[BOUNDED] == seat
        if bounded and frame.shares[seat] + missing <= frame.floors[seat]:
            frame.shares[seat] += missing
            frame.bounded = seat
            return True
    return False


@kernel
def take_action(search: Search, position: Position, frame: np.record, action: int) -> bool:
    """Compare an action with the best so far; True where none can be better, or a seat before won't come here."""
    own = int(position.seat)
    bounded = search.progress[BOUNDED]
    if bounded == own:
        frame.ceiling = max(frame.ceiling, search.shares[own])
        return False
    if bounded != EXACT:  # 2 players: the other one has more elsewhere, whatever else can be done here
        frame.shares[bounded] = search.shares[bounded]
        frame.bounded = bounded
        return True
    share = search.shares[own]
    if frame.best != NO_ACTION and share <= frame.shares[own] - is_taken(frame):
        return False
    frame.best = action
    copy_result(position.players, search.shares, search.points, frame.shares, frame.points)
    whole = WHOLE * search.units[position.left]
    if share == whole or (action != DRAW and share >= frame.most):
        return True
    for seat in range(position.players):
        if seat != own and whole - share <= frame.floors[seat]:
            frame.shares[seat] = whole - share
            frame.bounded = seat
            return True
    return False


@kernel
def leave(search: Search, depth: int) -> None:
    """Enough is known of this position: hand its value up, and keep it in the table."""
    frame = search.frames[depth]
    position = search.positions[depth]
    own = position.seat
    # actions left unsolved bring no more than the floor: the best one is found where it brings more than they could
    if frame.bounded == EXACT and frame.ceiling >= frame.shares[own] and frame.shares[own] <= frame.floors[own]:
        frame.shares[own] = max(frame.shares[own], frame.ceiling)
        frame.bounded = own
    search.progress[BOUNDED] = frame.bounded
    copy_result(position.players, frame.shares, frame.points, search.shares, search.points)
    if position.phase != Phase.CHOICE:
        return
    entry = search.table[int(frame.key & np.uint64(search.table.size - 1))]
    entry.key = frame.key
    entry.search = search.progress[NUMBER]
    entry.bounded = frame.bounded
    for seat in range(position.players):
        entry.shares[seat] = frame.shares[seat]
        entry.points[seat] = frame.points[seat] - frame.certain * search.units[position.left]


# ---- what Python asks for


@kernel
def begin(searches: np.ndarray, start: np.ndarray, watcher: int, floor: int) -> None:
    """Make ready to solve this position, for as long as it may bring a seat more than a floor.

    What the table knows stays known.
    """
    search = searches[0]
    search.positions[0] = start[0]
    for seat in range(MAX_PLAYERS):
        search.frames[0].floors[seat] = NO_FLOOR
    search.frames[0].floors[watcher] = floor
    search.progress[DEPTH] = 0
    search.progress[ENTERING] = 1


@kernel
def unsettled_crossings(board: np.ndarray, position: np.ndarray) -> int:
    """How many crossings that are not settled are open to tokens."""
    return popcount(unsettled(board[0], position[0]) & open_to_tokens(position[0]))


@kernel
def leads_after(
    board: np.ndarray, searches: np.ndarray, start: np.ndarray, actions: np.ndarray, leads: np.ndarray
) -> None:
    """What the seat to act leads by after each of these actions if the game ended there."""
    search = searches[0]
    for index in range(actions.size):
        search.positions[0] = start[0]
        apply(board[0], search.positions[0], int(actions[index]))
        leads[index] = lead_of(board[0], search.positions[0], int(start[0].seat), search.totals)


@kernel
def settled_choice(board: np.ndarray, position: np.ndarray) -> int:
    """What best play does where no rhomb can be drawn any more: the best crossing, or a pass."""
    crossings = open_to_tokens(position[0])
    if crossings == NONE or position[0].supply[position[0].seat] == 0:
        return PASS
    return FIRST_TOKEN + best_crossing(board[0], position[0], crossings)
