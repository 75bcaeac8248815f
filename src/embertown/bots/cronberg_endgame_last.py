"""Drawing the last rhomb of a game of Cronberg, looked at as a whole: what comes of it, and the most it can bring.

While no rhomb is placed tokens alone come and go, so all that the last one can do to the board is worked out once and
kept: for every kind and every placement what each crossing is worth then. What drawing brings is read off that, and
bounds with it: the most and the least that a seat can end with, whatever tokens are placed before. Most seats can't
win any more after most outcomes. All kernels.
"""

from __future__ import annotations

import numpy as np

from embertown.bots.cronberg_endgame_positions import WHOLE, add_outcome, mixed
from embertown.core.jit import NONE, bit, kernel, lowest_bit, popcount, without_lowest
from embertown.cronberg.board import MAX_CROSSINGS, BoardArrays
from embertown.cronberg.rules import (
    FIRST_PLACEMENT,
    MAX_PLAYERS,
    Position,
    apply_outcome,
    final_points,
    legal_actions,
    open_to_tokens,
    place_rhomb,
)

MOST_OUTCOMES = 32
"""Kinds times placements; where there are more, nothing is worked out."""
LASTS = 256
"""So many boards are remembered."""
NOT_LAST = -1

OUTCOME = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("kind", np.int64),
                ("gone", np.uint64),  # crossings that tokens come back from: closed, or beside a guard
                ("closed", np.uint64),  # those of them where they score
                ("stays", np.int64),  # how many crossings stay open to tokens …
                ("order", np.int8, (MAX_CROSSINGS,)),  # … and which, the most valuable first
                ("values", np.int16, (MAX_CROSSINGS,)),  # what a token there scores
            ],
            align=True,
        ),
    )
)
"""A kind drawn last and placed somewhere."""

LAST = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("key", np.uint64),  # the board's and the bag's
                ("count", np.int64),
                ("outcomes", OUTCOME, (MOST_OUTCOMES,)),  # by kind, then in the order of their numbers
            ],
            align=True,
        ),
    )
)
"""All that can come of the last draw on one board."""


# ---- what can come of it


@kernel
def is_last(board: BoardArrays, position: Position) -> bool:
    """Whether no second rhomb can be drawn, wherever the next one goes, and few things can come of it."""
    places = 0
    for half in range(2):
        waiting = position.places[half]
        while waiting != NONE:
            place = half * 64 + lowest_bit(waiting)
            waiting = without_lowest(waiting)
            places += 1
            first = position.places[0] & ~board.overlapping[place, 0]
            second = position.places[1] & ~board.overlapping[place, 1]
            if position.left > 1 and (first | second) != NONE:
                return False
    turned = 0
    for kind in range(board.kinds):
        if position.bag[kind] > 0:
            turned += board.turns[kind]
    return bool(places * turned <= MOST_OUTCOMES)


@kernel
def board_key(board: BoardArrays, position: Position) -> np.uint64:
    """The same for positions on which a draw does the same, whoever has tokens where; never 0."""
    key = mixed(position.free, position.barred)
    key = mixed(key, position.open)
    crossings = position.open & ~position.barred
    packed = 0
    count = 0
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        packed = packed << 16 | (int(position.sums[crossing]) & 255) << 8 | (int(position.sizes[crossing]) & 255)
        count += 1
        if count % 3 == 0:
            key = mixed(key, np.uint64(packed))
            packed = 0
    key = mixed(key, np.uint64(packed))
    for kind in range(board.kinds):
        key = mixed(key, np.uint64(int(position.bag[kind])))
    return key | np.uint64(1)


@kernel
def find_last(board: BoardArrays, search: np.record, depth: int) -> int:
    """Where it stands what drawing here can do; `NOT_LAST` where more rhombi may follow."""
    position = search.positions[depth]
    if not is_last(board, position):
        return NOT_LAST
    key = board_key(board, position)
    where = int(key >> np.uint64(8)) % LASTS
    if search.lasts[where].key != key:
        work_out(board, search, depth, where)
        search.lasts[where].key = key
    return where


@kernel
def work_out(board: BoardArrays, search: np.record, depth: int, where: int) -> None:
    """Draw every kind and place it everywhere."""
    position, drawn = search.positions[depth], search.positions[depth + 1]
    last = search.lasts[where]
    last.count = 0
    for kind in range(board.kinds):
        if position.bag[kind] == 0:
            continue
        search.positions[depth + 1] = position
        apply_outcome(drawn, kind)
        placements = legal_actions(board, drawn, search.actions[depth])
        for index in range(placements):
            search.positions[depth + 2] = drawn
            after = search.positions[depth + 2]
            place_rhomb(board, after, int(search.actions[depth, index]) - FIRST_PLACEMENT)
            outcome = last.outcomes[last.count]
            outcome.kind = kind
            value_crossings(board, position, after, outcome)
            last.count += 1


@kernel
def value_crossings(board: BoardArrays, before: Position, after: Position, outcome: np.record) -> None:
    """What a token is worth on each crossing that was open before (C6.1, C7.2, C8.2)."""
    outcome.gone = outcome.closed = NONE
    outcome.stays = 0
    crossings = before.open & ~before.barred
    while crossings != NONE:
        crossing = lowest_bit(crossings)
        crossings = without_lowest(crossings)
        if bit(crossing) & ~after.open != NONE:
            outcome.gone |= bit(crossing)
            outcome.closed |= bit(crossing)
            outcome.values[crossing] = after.sums[crossing]
        elif bit(crossing) & after.barred != NONE:
            outcome.gone |= bit(crossing)
            outcome.values[crossing] = 0
        else:
            outcome.values[crossing] = final_points(board, after, crossing)
            put_in_order(outcome, crossing)


@kernel
def put_in_order(outcome: np.record, crossing: int) -> None:
    """Among those that stay, behind those of the same value."""
    at = outcome.stays
    while at > 0 and outcome.values[outcome.order[at - 1]] < outcome.values[crossing]:
        outcome.order[at] = outcome.order[at - 1]
        at -= 1
    outcome.order[at] = crossing
    outcome.stays += 1


# ---- what it brings


@kernel
def look_at_draw(search: np.record, position: Position, last: np.record, frame: np.record) -> None:
    """Into the search's result what drawing brings, into `most` the greatest share that each seat can have."""
    unit = search.units[position.left - 1]
    available = open_to_tokens(position)
    for seat in range(MAX_PLAYERS):
        search.most[seat] = frame.shares[seat] = frame.points[seat] = 0
    start = 0
    while start < last.count:
        kind = last.outcomes[start].kind
        weight = int(position.bag[kind])
        start = look_at_kind(search, position, last, start, available, unit)
        for seat in range(position.players):
            frame.shares[seat] += weight * search.shares[seat]
            frame.points[seat] += weight * search.points[seat]
            search.most[seat] += weight * search.reach[seat] * unit
    for seat in range(position.players):
        search.shares[seat] = frame.shares[seat]
        search.points[seat] = frame.points[seat]


@kernel
def look_at_kind(
    search: np.record, position: Position, last: np.record, start: int, available: np.uint64, unit: int
) -> int:
    """Into the search's result what the placement brings that the drawing seat takes; where the next kind starts."""
    kind = last.outcomes[start].kind
    best_share = best_lead = -1
    for seat in range(position.players):
        search.reach[seat] = 0
    index = start
    while index < last.count and last.outcomes[index].kind == kind:
        outcome = last.outcomes[index]
        lead = count_outcome(search, position, outcome)
        bound_outcome(search, position, outcome, available)
        share = deal_outcome(search, position, outcome, available)
        if share > best_share or (share == best_share and lead > best_lead):
            best_share, best_lead = share, lead
            for seat in range(position.players):
                search.kept[seat] = search.totals[seat]
        index += 1
    add_outcome(position.players, search.kept, unit, search.shares, search.points)
    return index


@kernel
def count_outcome(search: np.record, position: Position, outcome: np.record) -> int:
    """Into `totals` and `supplies` what each seat has after this outcome; what the seat to act leads by then."""
    own = int(position.seat)
    best = -(1 << 30)
    for seat in range(position.players):
        total = int(position.scores[seat])
        tokens = position.tokens[seat]
        search.supplies[seat] = position.supply[seat] + popcount(tokens & outcome.gone)
        while tokens != NONE:
            total += outcome.values[lowest_bit(tokens)]
            tokens = without_lowest(tokens)
        search.totals[seat] = total
        if seat != own and total > best:
            best = total
    return search.totals[own] - best  # type: ignore[no-any-return]


@kernel
def deal_outcome(search: np.record, position: Position, outcome: np.record, available: np.uint64) -> int:
    """Everyone takes the best crossing left (`deal_out`); the drawing seat's share, in parts of a whole win."""
    seat = own = int(position.seat)
    players = int(position.players)
    at = 0
    waiting = 0
    while at < outcome.stays and waiting < players:
        crossing = outcome.order[at]
        if bit(crossing) & available == NONE:
            at += 1
            continue
        seat = seat + 1 if seat + 1 < players else 0
        if search.supplies[seat] > 0:
            search.supplies[seat] -= 1
            search.totals[seat] += outcome.values[crossing]
            at += 1
            waiting = 0
        else:
            waiting += 1
    winners = 1
    for other in range(players):
        if search.totals[other] > search.totals[own]:
            return 0
        winners += other != own and search.totals[other] == search.totals[own]
    return WHOLE // winners


# ---- the most it can bring


@kernel
def bound_outcome(search: np.record, position: Position, outcome: np.record, available: np.uint64) -> None:
    """Into `reach`, where it is more: the most that each seat can win here, whatever tokens come before the draw.

    A token may score before, on a crossing that is closed then, and come back; all that stay or come back may go to
    any crossing that is left. So a seat ends with no more than the best of these bring, and no less than the worst.
    """
    best_closed, worst_closed = sum_closed(outcome, available)
    sum_staying(search, position, outcome, available)
    highest = second = -(1 << 30)  # what the others end with at least: the greatest of these, and the next
    leader = 0
    for seat in range(position.players):
        supply = search.supplies[seat]
        least = search.totals[seat] + search.worst[supply] + (worst_closed if position.supply[seat] > 0 else 0)
        if least > highest:
            highest, second, leader = least, highest, seat
        elif least > second:
            second = least
    for seat in range(position.players):
        supply = search.supplies[seat]
        most = search.totals[seat] + search.best[supply] + (best_closed if position.supply[seat] > 0 else 0)
        needed = second if seat == leader else highest
        if most > needed:
            search.reach[seat] = WHOLE
        elif most == needed:  # shared with one other at least
            search.reach[seat] = max(search.reach[seat], WHOLE // 2)


@kernel
def sum_closed(outcome: np.record, available: np.uint64) -> tuple[int, int]:
    """All that tokens can win on crossings that are closed then, and all that they can lose."""
    best = worst = 0
    crossings = outcome.closed & available
    while crossings != NONE:
        value = int(outcome.values[lowest_bit(crossings)])
        crossings = without_lowest(crossings)
        best += max(value, 0)
        worst += min(value, 0)
    return best, worst


@kernel
def sum_staying(search: np.record, position: Position, outcome: np.record, available: np.uint64) -> None:
    """Into `best` and `worst`, by how many tokens: all that they can win on crossings that stay, and can lose."""
    tokens = 0
    for seat in range(position.players):
        tokens = max(tokens, search.supplies[seat])
    search.best[0] = search.worst[0] = 0
    front, back = 0, outcome.stays - 1
    for count in range(tokens):
        while front < outcome.stays and bit(outcome.order[front]) & available == NONE:
            front += 1
        while back >= 0 and bit(outcome.order[back]) & available == NONE:
            back -= 1
        won = outcome.values[outcome.order[front]] if front < outcome.stays else 0
        lost = outcome.values[outcome.order[back]] if back >= 0 else 0
        search.best[count + 1] = search.best[count] + max(won, 0)
        search.worst[count + 1] = search.worst[count] + min(lost, 0)
        front += 1
        back -= 1
