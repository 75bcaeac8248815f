"""Drunter & Drüber's search, inside the kernels: information sets in one table of bounded size.

What a seat knows where it decides is an information set: the public position, its own objectives, and nothing else.
Each holds what was tried there and what it brought that seat. A simulation deals the hidden cards anew, as likely as
the beliefs say, and every seat acts from its own information set: so its play depends on its own cards, never on
others'. Votes and choices are made one after the other without being shown, which makes them simultaneous.

Positions that are reached in another order are the same position: keys are made of what lies on the board.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from embertown.bots.drunter_policy import Model, card_of, chance_of, list_likely, play_out
from embertown.core.jit import kernel, next_random, random_below, stream_seed
from embertown.drunter.board import GANGS, BoardArrays
from embertown.drunter.rules import (
    MAX_PLAYERS,
    OBJECTIVES,
    PASS,
    UNKNOWN,
    Phase,
    Position,
    apply,
    direction_of,
    first_square,
    first_waiting,
    gang_of,
    is_winner,
)

EMPTY = 0
"""The key of a slot that is free."""
NO_SLOT = -1
DEEPEST = 96
"""So many decisions of a simulation are looked up in the table; the rest is played out."""
HALF_KEY = 1 << 31
MARGIN_RANGE = 20.0
"""Points of lead or lag that count as everything."""
LOOK_EVERY = 16
"""After so many simulations it is asked whether the choice can still change."""

# what a part of a key is about; behind it stand up to 20 bits of what it says
LAID, GANG, TURN, HAND, VOTE, SECRET = (part << 20 for part in range(1, 7))


class Tree(NamedTuple):
    """The table: slots for information sets, each with a stretch of `actions`; and a simulation's path."""

    keys: np.ndarray
    first: np.ndarray
    """Where a slot's actions start."""
    width: np.ndarray
    """How many actions it has."""
    visits: np.ndarray
    value: np.ndarray
    """The sum of what its seat got."""
    actions: np.ndarray
    tries: np.ndarray
    gains: np.ndarray
    """By action: the sum of what the seat got after it."""
    priors: np.ndarray
    used: np.ndarray
    """How many slots and actions are taken."""
    path: np.ndarray
    """Of the simulation under way: slot, action's place, seat."""
    results: np.ndarray
    """By action of the root: for each seat the sum of the shares of the win, and of the points."""


class Worlds(NamedTuple):
    """Who may hold what: deals of the hidden cards with their weights, running totals."""

    cards: np.ndarray
    """By deal, seat: two objectives, the real one first where it is chosen; the same twice in the base game."""
    totals: np.ndarray
    own: np.ndarray
    """What others may think of the root's seat: its possible objectives, as in `cards`."""
    own_weights: np.ndarray


class Limits(NamedTuple):
    """How a search goes about it."""

    exploration: float
    heat: float
    """How much luck there is in playouts, in points."""
    margin: float
    """How much the points count beside the win."""
    anonymous: float
    """In what share of the simulations the root's own cards are dealt anew, so that others do not know them."""


def tree_of(slots: int, actions: int, root_actions: int) -> Tree:
    """An empty table."""
    return Tree(
        keys=np.zeros(slots, np.int64),
        first=np.zeros(slots, np.int32),
        width=np.zeros(slots, np.int16),
        visits=np.zeros(slots, np.int32),
        value=np.zeros(slots, np.float64),
        actions=np.zeros(actions, np.int16),
        tries=np.zeros(actions, np.int32),
        gains=np.zeros(actions, np.float64),
        priors=np.zeros(actions, np.float32),
        used=np.zeros(2, np.int64),
        path=np.zeros((DEEPEST, 3), np.int64),
        results=np.zeros((root_actions, 2, MAX_PLAYERS), np.float64),
    )


# ---- keys


@kernel
def mixed(fact: int) -> int:
    """A number of 62 bits for a fact; facts of a position are combined by exclusive or."""
    seed = stream_seed(fact, 1)
    return random_below(seed, HALF_KEY) * HALF_KEY + random_below(next_random(seed), HALF_KEY)


@kernel
def tile_key(position: Position, action: int) -> int:
    """What changes in the key when this tile stays: whose it is, where it lies, where its gang goes from."""
    square = first_square(position, gang_of(action), direction_of(action))
    return mixed(LAID + (int(position.seat) * PASS + action << 10) + square)


@kernel
def secret_of(position: Position, seat: int) -> int:
    """A number for what a seat holds and has chosen."""
    one, other = int(position.objectives[seat, 0]), int(position.objectives[seat, 1])
    if not position.variant:
        return one
    chosen = int(position.chosen[seat])
    low, high = min(one, other), max(one, other)
    order = 0 if chosen < 0 else 1 if chosen == low else 2
    return (order * len(OBJECTIVES) + low) * len(OBJECTIVES) + high


@kernel
def key_of(position: Position, laid: int, seat: int) -> int:
    """The key of what a seat knows where it decides; `laid` stands for the tiles that were laid."""
    key = laid ^ mixed(TURN + ((int(position.proposal) + 1) * 8 + int(position.phase)) * 8 + int(position.seat))
    for other in range(position.players):
        key ^= mixed(HAND + other * 256 + int(position.hands[other]))
        if position.phase == Phase.JEEIIN:
            key ^= mixed(VOTE + (other * 256 + int(position.votes[other])) * 4 + int(position.said[other]) + 2)
    for gang in range(GANGS):
        key ^= mixed(GANG + gang * 1024 + int(position.gangs[gang]) + 1)
    return key ^ mixed(SECRET + seat * 1024 + secret_of(position, seat))


# ---- the table


@kernel
def find(tree: Tree, key: int) -> int:
    """The slot of a key, or the free one where it would go; `NO_SLOT` where neither is."""
    size = tree.keys.size
    slot = key % size
    for _ in range(size):
        if tree.keys[slot] == key or tree.keys[slot] == EMPTY:
            return slot
        slot = slot + 1 if slot + 1 < size else 0
    return NO_SLOT


@kernel
def open_slot(board: BoardArrays, position: Position, seat: int, tree: Tree, model: Model, slot: int, key: int) -> bool:
    """Fill a free slot with the actions worth considering; False where the table is full."""
    one, other = card_of(position, seat, 0), card_of(position, seat, 1)
    count = list_likely(board, position, seat, model, one, other)
    first = int(tree.used[1])
    if tree.used[0] * 8 >= tree.keys.size * 7 or first + count > tree.actions.size:
        return False
    tree.keys[slot], tree.first[slot], tree.width[slot] = key, first, count
    for index in range(count):
        tree.actions[first + index] = model.actions[index]
        tree.priors[first + index] = model.weights[index]
    tree.used[0] += 1
    tree.used[1] += count
    return True


@kernel
def select(tree: Tree, slot: int, exploration: float) -> int:
    """The place of the action to try: what it brought, and what its prior promises as long as it was tried little."""
    visits = int(tree.visits[slot])
    usual = tree.value[slot] / visits if visits > 0 else 0.5
    scale = exploration * sqrt(visits + 1.0)
    best, found = -1e9, int(tree.first[slot])
    for place in range(tree.first[slot], tree.first[slot] + tree.width[slot]):
        tries = int(tree.tries[place])
        mean = tree.gains[place] / tries if tries > 0 else usual
        promise = mean + scale * tree.priors[place] / (1.0 + tries)
        if promise > best:
            best, found = promise, place
    return found


# ---- a simulation


@kernel
def deal_world(position: Position, root_seat: int, worlds: Worlds, model: Model, anonymous: float) -> None:
    """Deal the hidden cards, as likely as they are; now and then the root's own anew, as others may think."""
    world = np.searchsorted(worlds.totals, chance_of(model) * worlds.totals[-1], side="right")
    world = min(world, worlds.totals.size - 1)
    for seat in range(position.players):
        give(position, seat, int(worlds.cards[world, seat, 0]), int(worlds.cards[world, seat, 1]))
    if anonymous > 0.0 and chance_of(model) < anonymous:
        deal_own(position, root_seat, worlds, model)


@kernel
def give_all(position: np.ndarray, cards: np.ndarray) -> None:
    """These cards for all seats."""
    for seat in range(position[0].players):
        give(position[0], seat, int(cards[seat, 0]), int(cards[seat, 1]))


@kernel
def give(position: Position, seat: int, one: int, other: int) -> None:
    """These cards for a seat: the first is the real objective where it is chosen."""
    position.objectives[seat, 0] = one
    position.objectives[seat, 1] = other if position.variant else UNKNOWN
    if position.chosen[seat] != UNKNOWN:
        position.chosen[seat] = one


@kernel
def is_free(position: Position, root_seat: int, card: int) -> bool:
    """Whether nobody else has this card."""
    for seat in range(position.players):
        if seat != root_seat and (position.objectives[seat, 0] == card or position.objectives[seat, 1] == card):
            return False
    return True


@kernel
def deal_own(position: Position, root_seat: int, worlds: Worlds, model: Model) -> None:
    """Other cards for the root's seat, as likely as its play makes them, among those nobody else has."""
    total = 0.0
    for hand in range(worlds.own_weights.size):
        if is_free(position, root_seat, worlds.own[hand, 0]) and is_free(position, root_seat, worlds.own[hand, 1]):
            total += worlds.own_weights[hand]
    left = chance_of(model) * total
    for hand in range(worlds.own_weights.size):
        if is_free(position, root_seat, worlds.own[hand, 0]) and is_free(position, root_seat, worlds.own[hand, 1]):
            left -= worlds.own_weights[hand]
            if left < 0.0:
                give(position, root_seat, int(worlds.own[hand, 0]), int(worlds.own[hand, 1]))
                return


@kernel
def descend(board: BoardArrays, position: Position, tree: Tree, model: Model, limits: Limits) -> int:
    """Act by the table until something new is met, and note the path; how long it is."""
    laid, depth = 0, 0
    while position.phase != Phase.OVER and depth < DEEPEST:
        seat = first_waiting(position)
        key = key_of(position, laid, seat)
        slot = find(tree, key)
        if slot == NO_SLOT:
            break
        is_new = tree.keys[slot] == EMPTY
        if is_new and not open_slot(board, position, seat, tree, model, slot, key):
            break
        place = select(tree, slot, limits.exploration)
        tree.path[depth, 0], tree.path[depth, 1], tree.path[depth, 2] = slot, place, seat
        depth += 1
        laid ^= act(board, position, seat, int(tree.actions[place]))
        if is_new:
            break
    return depth


@kernel
def act(board: BoardArrays, position: Position, seat: int, action: int) -> int:
    """Do an action; what it changes in the key of the tiles laid: nothing, unless a tile stays."""
    proposal = action if action < PASS else int(position.proposal)
    if proposal < 0 or proposal >= PASS:
        apply(board, position, seat, action)
        return 0
    change, gang = tile_key(position, proposal), gang_of(proposal)
    square = int(position.gangs[gang])
    apply(board, position, seat, action)
    return change if position.gangs[gang] != square else 0


@kernel
def share_of_win(board: BoardArrays, position: Position, seat: int) -> float:
    """A seat's share of the win: whoever win together share it (D8.2, D9.3)."""
    if not is_winner(board, position, seat):
        return 0.0
    winners = 0
    for other in range(position.players):
        winners += is_winner(board, position, other)
    return 1.0 / winners


@kernel
def lead_of(position: Position, seat: int) -> float:
    """A seat's points before the best of the others, from 0 (far behind) to 1 (far ahead)."""
    best = -1000
    for other in range(position.players):
        if other != seat:
            best = max(best, int(position.scores[other]))
    lead = 0.5 + (int(position.scores[seat]) - best) / (2.0 * MARGIN_RANGE)
    return min(1.0, max(0.0, lead))


@kernel
def write_back(board: BoardArrays, position: Position, tree: Tree, depth: int, root_slot: int, margin: float) -> None:
    """Add a finished game to everything on its path."""
    for step in range(depth):
        slot, place, seat = tree.path[step, 0], tree.path[step, 1], int(tree.path[step, 2])
        gain = (1.0 - margin) * share_of_win(board, position, seat) + margin * lead_of(position, seat)
        tree.visits[slot] += 1
        tree.value[slot] += gain
        tree.tries[place] += 1
        tree.gains[place] += gain
        if slot == root_slot:
            for each in range(position.players):
                tree.results[place - tree.first[slot], 0, each] += share_of_win(board, position, each)
                tree.results[place - tree.first[slot], 1, each] += position.scores[each]


@kernel
def is_decided(tree: Tree, slot: int, left: int) -> bool:
    """Whether the action tried most can't be overtaken with so many simulations left."""
    most, second = 0, 0
    for place in range(tree.first[slot], tree.first[slot] + tree.width[slot]):
        tries = int(tree.tries[place])
        if tries > most:
            most, second = tries, most
        elif tries > second:
            second = tries
    return most - second > left


@kernel
def open_root(
    board: np.ndarray, root: np.ndarray, work: np.ndarray, root_seat: int, tree: Tree, worlds: Worlds, model: Model
) -> int:
    """Open the slot of the seat that asks; where it is."""
    work[0] = root[0]
    deal_world(work[0], root_seat, worlds, model, 0.0)
    key = key_of(work[0], 0, root_seat)
    slot = find(tree, key)
    open_slot(board[0], work[0], root_seat, tree, model, slot, key)
    return slot


@kernel
def search(
    board: np.ndarray,
    root: np.ndarray,
    work: np.ndarray,
    root_seat: int,
    root_slot: int,
    tree: Tree,
    worlds: Worlds,
    model: Model,
    limits: Limits,
    simulations: int,
    left: int,
) -> int:
    """Make so many simulations, or fewer where the choice is settled; `left`: how many there are to be in all."""
    for made in range(simulations):
        if made % LOOK_EVERY == 0 and is_decided(tree, root_slot, left - made):
            return made
        work[0] = root[0]
        deal_world(work[0], root_seat, worlds, model, limits.anonymous)
        depth = descend(board[0], work[0], tree, model, limits)
        play_out(board[0], work[0], model, limits.heat)
        write_back(board[0], work[0], tree, depth, root_slot, limits.margin)
    return simulations


@kernel
def expected_line(
    board: np.ndarray, work: np.ndarray, tree: Tree, fewest: int, seats: np.ndarray, actions: np.ndarray
) -> int:
    """After the first action, which is given: what is tried most, as long as it was tried enough; how long that is."""
    laid, length = act(board[0], work[0], int(seats[0]), int(actions[0])), 1
    while work[0].phase != Phase.OVER and length < actions.size:
        seat = first_waiting(work[0])
        key = key_of(work[0], laid, seat)
        slot = find(tree, key)
        if slot == NO_SLOT or tree.keys[slot] != key or tree.visits[slot] < fewest:
            break
        place = int(tree.first[slot])
        for other in range(tree.first[slot], tree.first[slot] + tree.width[slot]):
            if tree.tries[other] > tree.tries[place]:
                place = other
        seats[length], actions[length] = seat, tree.actions[place]
        length += 1
        laid ^= act(board[0], work[0], seat, int(tree.actions[place]))
    return length
