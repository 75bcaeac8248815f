"""The kernels behind `cronberg_endgame`: a search without recursion, in slices, that knows no rules of its own.

A *settled* crossing touches activated triangles only, so that a token there is worth the same at the end, whatever
happens (C8.2). Where no rhomb can be drawn any more all crossings are settled, and the rest of the game is known:
everyone takes the best crossing left. Shares of the win are whole numbers, so that equal ones are found equal: a whole
win is `WHOLE` times `units[left]`, and a draw with `left` rhombi multiplies by `left`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from embertown.core.jit import JIT_OFF, NONE, bit, kernel, lowest_bit, without_lowest
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
    open_to_tokens,
)

WHOLE = 12
"""A whole win, before chance: it can be shared by 2, 3 or 4."""
NO_ACTION = -1
MOST = 1 << 40
"""More than anything brings."""

FRAME = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("key", np.uint64),
                ("shares", np.int64, (MAX_PLAYERS,)),  # of the best action so far; for chance, the sum so far
                ("points", np.int64, (MAX_PLAYERS,)),
                ("base", np.int64),  # points of the first seat that are certain
                ("count", np.int64),  # actions, or outcomes, in this position
                ("next", np.int64),  # which comes next
                ("best", np.int64),  # the best action so far, or NO_ACTION
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
                ("search", np.int64),  # which search solved it: so that the table need not be emptied
            ],
            align=True,
        ),
    )
)
"""A position that was solved: 64 bytes, a line of a processor's cache."""

if JIT_OFF:

    def mixed(key: np.uint64, part: np.uint64) -> np.uint64:
        """A key that depends on another and on one more word."""
        z = (int(key) ^ int(part)) + 0x9E3779B97F4A7C15
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        return np.uint64(z ^ (z >> 29))

else:

    @kernel
    def mixed(key: np.uint64, part: np.uint64) -> np.uint64:
        """A key that depends on another and on one more word."""
        z = (key ^ part) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        return z ^ (z >> np.uint64(29))


# ---- what a position is worth as it stands


@kernel
def unsettled(board: BoardArrays, position: Position) -> np.uint64:
    """The crossings that touch a triangle which may still be covered, or else be activated (C7.1)."""
    crossings = NONE
    triangles = position.free & ~position.active
    while triangles != NONE:
        crossings |= board.corners[lowest_bit(triangles)]
        triangles = without_lowest(triangles)
    return crossings


@kernel
def add_tokens(board: BoardArrays, position: Position, crossings: np.uint64, totals: np.ndarray) -> None:
    """By seat: the score, and what its tokens on these crossings would be worth if the game ended here (C8.2)."""
    for seat in range(position.players):
        total = int(position.scores[seat])
        tokens = position.tokens[seat] & crossings
        while tokens != NONE:
            total += final_points(board, position, lowest_bit(tokens))
            tokens = without_lowest(tokens)
        totals[seat] = total


@kernel
def lead_of(board: BoardArrays, position: Position, seat: int, totals: np.ndarray) -> int:
    """A seat's points minus the best other's if the game ended here; where it has, at its end."""
    crossings = NONE if position.phase == Phase.OVER else position.open
    add_tokens(board, position, crossings, totals)
    best = totals[(seat + 1) % position.players]
    for other in range(position.players):
        if other != seat and totals[other] > best:
            best = totals[other]
    return totals[seat] - best  # type: ignore[no-any-return]


@kernel
def best_crossing(board: BoardArrays, position: Position, crossings: np.uint64) -> int:
    """The one of these crossings that is worth most, the first of several."""
    best = lowest_bit(crossings)
    most = final_points(board, position, best)
    crossings = without_lowest(crossings)
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        points = final_points(board, position, crossing)
        if points > most:
            best, most = crossing, points
    return best


@kernel
def deal_out(board: BoardArrays, position: Position, totals: np.ndarray, values: np.ndarray) -> None:
    """The final scores where no rhomb can be drawn any more: everyone takes the best crossing left (C3.2, C8.2).

    How many tokens each seat will place is fixed, and so is what a crossing is worth. Who leaves the best one to
    others gets less, and nobody else less: so this is best play for 2, 3 and 4 players.
    """
    add_tokens(board, position, position.open, totals)
    crossings = open_to_tokens(position)
    count = 0
    while crossings != NONE:  # sorted by insertion, the best first
        points = final_points(board, position, lowest_bit(crossings))
        crossings = without_lowest(crossings)
        at = count
        while at > 0 and values[at - 1] < points:
            values[at] = values[at - 1]
            at -= 1
        values[at] = points
        count += 1
    seat = int(position.seat)
    waiting = 0
    taken = 0
    rounds = 0
    while taken < count and waiting < position.players:
        if position.supply[seat] > rounds:
            totals[seat] += values[taken]
            taken += 1
            waiting = 0
        else:
            waiting += 1
        seat += 1
        if seat == position.players:
            seat = 0
        if seat == position.seat:
            rounds += 1


@kernel
def add_outcome(players: int, totals: np.ndarray, unit: int, shares: np.ndarray, points: np.ndarray) -> None:
    """The shares of the win and the points of a game that ended with these scores (C8.4)."""
    most = totals[0]
    for seat in range(1, players):
        most = max(most, totals[seat])
    winners = 0
    for seat in range(players):
        winners += totals[seat] == most
    for seat in range(players):
        shares[seat] = WHOLE * unit // winners if totals[seat] == most else 0
        points[seat] = totals[seat] * unit


# ---- the key of a position: what still matters, and nothing else


@kernel
def key_of(board: BoardArrays, position: Position, totals: np.ndarray) -> np.uint64:
    """The same for positions with the same future: equal differences of points, whatever their past."""
    changing = unsettled(board, position)
    add_tokens(board, position, position.open & ~changing, totals)
    key = mixed(position.free, np.uint64(int(position.seat)))
    for seat in range(position.players):
        key = mixed(key, position.tokens[seat] & changing)
        difference = (totals[seat] - totals[0]) & 0xFFFFFFFF
        key = mixed(key, np.uint64(difference << 8 | int(position.supply[seat])))
    key = mixed_with_crossings(board, position, changing, key)
    packed = 0
    for kind in range(board.kinds):
        packed = packed << 7 | int(position.bag[kind])
        if kind % 8 == 7:
            key = mixed(key, np.uint64(packed))
            packed = 0
    return mixed(key, np.uint64(packed))


@kernel
def mixed_with_crossings(board: BoardArrays, position: Position, changing: np.uint64, key: np.uint64) -> np.uint64:
    """The numbers at crossings that may change; of the settled ones, what a token there would be worth."""
    crossings = (changing & position.open & ~position.barred) | open_to_tokens(position)
    packed = 0
    count = 0
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        if changing & bit(crossing) != NONE:
            code = (int(position.sums[crossing]) & 255) << 8 | (int(position.sizes[crossing]) & 255)
        else:
            code = final_points(board, position, crossing) & 0xFFFF
        packed = packed << 16 | code
        count += 1
        if count % 3 == 0:
            key = mixed(key, np.uint64(packed))
            packed = 0
    return mixed(key, np.uint64(packed))


# ---- the search


class Search(NamedTuple):
    """All that a search works on; nothing else is allocated, and a slice goes on where the last one ended."""

    positions: np.ndarray
    """Of `POSITION`, by depth."""
    frames: np.ndarray
    """Of `FRAME`, by depth."""
    actions: np.ndarray
    """By depth, the actions or outcomes to be tried."""
    table: np.ndarray
    """Of `ENTRY`; as many as a power of 2."""
    units: np.ndarray
    """By rhombi left: what 1 is counted as."""
    totals: np.ndarray
    """By seat, to count in."""
    values: np.ndarray
    """To sort by."""
    shares: np.ndarray
    """The result of what was solved last."""
    points: np.ndarray
    progress: np.ndarray
    """Depth, whether a position is to be entered, positions solved so far, the number of this search."""


DEPTH, ENTERING, SOLVED, NUMBER = range(4)


def new_search(depth: int, entries: int) -> Search:
    """Room for a search of at most this depth, with a table of so many entries."""
    return Search(
        positions=np.zeros(depth, POSITION),
        frames=np.zeros(depth, FRAME),
        actions=np.zeros((depth, ACTIONS), np.int16),
        table=np.zeros(entries, ENTRY),
        units=np.zeros(MAX_CROSSINGS + 1, np.int64),
        totals=np.zeros(MAX_PLAYERS, np.int64),
        values=np.zeros(ACTIONS, np.int64),
        shares=np.zeros(MAX_PLAYERS, np.int64),
        points=np.zeros(MAX_PLAYERS, np.int64),
        progress=np.zeros(4, np.int64),
    )


@kernel
def solve_slice(board: np.ndarray, search: Search, until: int) -> bool:
    """Go on until so many positions are solved; whether the first one is, its result in `shares` and `points`."""
    progress = search.progress
    while progress[DEPTH] >= 0:
        if progress[ENTERING]:
            if progress[SOLVED] >= until:
                return False
            progress[SOLVED] += 1
            if enter(board[0], search, progress[DEPTH]):
                progress[ENTERING] = 0
                progress[DEPTH] -= 1
            else:
                descend(board[0], search, progress[DEPTH])
        else:
            depth = progress[DEPTH]
            over = take_back(search, depth)
            if over or search.frames[depth].next == search.frames[depth].count:
                leave(search, depth)
                progress[DEPTH] -= 1
            else:
                descend(board[0], search, depth)
    return True


@kernel
def enter(board: BoardArrays, search: Search, depth: int) -> bool:
    """Look at a position: True where its value is known at once; else its frame is made ready."""
    position = search.positions[depth]
    if position.phase == Phase.OVER:
        for seat in range(position.players):
            search.totals[seat] = position.scores[seat]
        add_outcome(position.players, search.totals, search.units[position.left], search.shares, search.points)
        return True
    frame = search.frames[depth]
    if position.phase == Phase.CHOICE:
        if not can_draw(position):
            deal_out(board, position, search.totals, search.values)
            add_outcome(position.players, search.totals, search.units[position.left], search.shares, search.points)
            return True
        frame.key = key_of(board, position, search.totals)
        frame.base = search.totals[0]
        if depth > 0 and look_up(search, depth):  # the first position is solved for its best action
            return True
    frame.count = list_actions(board, search, depth)
    frame.next = 0
    frame.best = NO_ACTION
    for seat in range(MAX_PLAYERS):
        frame.shares[seat] = 0
        frame.points[seat] = 0
    return False


@kernel
def look_up(search: Search, depth: int) -> bool:
    """Whether the table knows the value; its points are differences from those of the first seat that are certain."""
    key = search.frames[depth].key
    position = search.positions[depth]
    entry = search.table[int(key & np.uint64(search.table.size - 1))]
    if entry.key != key or entry.search != search.progress[NUMBER]:
        return False
    unit = search.units[position.left]
    for seat in range(position.players):
        search.shares[seat] = entry.shares[seat]
        search.points[seat] = entry.points[seat] + search.frames[depth].base * unit
    return True


@kernel
def list_actions(board: BoardArrays, search: Search, depth: int) -> int:
    """What is to be tried, in this order: of actions that turn out equal the first is taken."""
    position = search.positions[depth]
    if position.phase == Phase.CHANCE:
        return list_outcomes(board, position, search.actions[depth])
    if position.phase == Phase.PLACEMENT:
        return list_placements(board, search, depth)
    return list_choices(board, position, search.actions[depth], search.values)


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
def list_choices(board: BoardArrays, position: Position, actions: np.ndarray, values: np.ndarray) -> int:
    """Drawing, which is solved soonest; then tokens, by what they bring at once, of settled crossings the best alone."""
    actions[0] = DRAW
    values[0] = MOST
    count = 1
    if position.supply[position.seat] > 0:
        changing = unsettled(board, position)
        crossings = open_to_tokens(position)
        if crossings & ~changing != NONE:
            best = best_crossing(board, position, crossings & ~changing)
            crossings = (crossings & changing) | bit(best)
        while crossings != NONE:
            crossing = lowest_bit(crossings)
            crossings = without_lowest(crossings)
            insert(actions, values, count, FIRST_TOKEN + crossing, final_points(board, position, crossing))
            count += 1
    return count


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
    search.positions[depth + 1] = search.positions[depth]
    after = search.positions[depth + 1]
    if after.phase == Phase.CHANCE:
        apply_outcome(after, action)
    else:
        apply(board, after, action)
    search.progress[DEPTH] = depth + 1
    search.progress[ENTERING] = 1


@kernel
def take_back(search: Search, depth: int) -> bool:
    """Add what an action or outcome has come to; True where nothing that follows can be better."""
    frame = search.frames[depth]
    position = search.positions[depth]
    action = int(search.actions[depth, frame.next - 1])
    if position.phase == Phase.CHANCE:
        for seat in range(position.players):
            frame.shares[seat] += position.bag[action] * search.shares[seat]
            frame.points[seat] += position.bag[action] * search.points[seat]
        return False
    share = search.shares[position.seat]
    if frame.best != NO_ACTION and share <= frame.shares[position.seat]:
        return False
    frame.best = action
    for seat in range(position.players):
        frame.shares[seat] = search.shares[seat]
        frame.points[seat] = search.points[seat]
    return bool(share == WHOLE * search.units[position.left])


@kernel
def leave(search: Search, depth: int) -> None:
    """All is known of this position: hand its value up, and keep it in the table."""
    frame = search.frames[depth]
    position = search.positions[depth]
    for seat in range(position.players):
        search.shares[seat] = frame.shares[seat]
        search.points[seat] = frame.points[seat]
    if position.phase != Phase.CHOICE:
        return
    entry = search.table[int(frame.key & np.uint64(search.table.size - 1))]
    entry.key = frame.key
    entry.search = search.progress[NUMBER]
    for seat in range(position.players):
        entry.shares[seat] = frame.shares[seat]
        entry.points[seat] = frame.points[seat] - frame.base * search.units[position.left]


# ---- what Python asks for


@kernel
def begin(search: Search, start: np.ndarray) -> None:
    """Make ready to solve this position; what the table knows stays known."""
    search.positions[0] = start[0]
    search.progress[DEPTH] = 0
    search.progress[ENTERING] = 1


@kernel
def leads_after(board: np.ndarray, search: Search, start: np.ndarray, actions: np.ndarray, leads: np.ndarray) -> None:
    """What the seat to act leads by after each of these actions if the game ended there."""
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
