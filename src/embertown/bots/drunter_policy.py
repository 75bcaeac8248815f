"""How a player of Drunter & Drüber with given objectives is thought to act: merits, likelihoods, informed playouts.

A tile's merit is what it does to the player's margin, in points: buildings of its own that are covered count against
it, others' for it, as far as they may be somebody's objective; and so, less, do buildings that the gang comes near.
Votes follow the merit of the proposed tile. The same merits serve three ends: priors of the search, playouts, and
beliefs (`drunter_beliefs`): how likely an action is for each objective.

All but `model_of` are kernels. They never look at the secrets in a position: objectives come in by hand, as two
numbers, the same one twice where there is one only.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from embertown.core.jit import kernel, next_random, random_below
from embertown.drunter.board import BUILDINGS, DIRECTIONS, GANGS, MAX_SIDE, NOWHERE, ROW, STEPS, VALUES, BoardArrays
from embertown.drunter.rules import (
    ALL_CARDS,
    BLANK,
    BUILDING_OBJECTIVES,
    CARDS,
    FIRST_CHOICE,
    FIRST_VOTE,
    FOURS,
    JEEIIN,
    JEEIIN_WORTH,
    MIDDLE_VALUE,
    NO,
    ONES,
    PASS,
    SAY_NO,
    SAY_YES,
    SECOND_HIGHEST_VALUE,
    THREES,
    YES,
    Phase,
    Position,
    apply,
    direction_of,
    first_square,
    first_waiting,
    gang_of,
    has_outhouse,
    is_standing,
    lay_action,
    length_of,
    points_of,
)

SQUARES = MAX_SIDE * ROW
MOST_ACTIONS = 64
"""No seat has more actions that are considered: 48 tiles, or 30 sets of vote cards."""
RANDOM_STEPS = 1 << 24

# ---- what is thought of a player, in points of margin

FARTHEST = 6
FADING = tuple(0.7**squares for squares in range(FARTHEST + 1))
"""How much of a building's nearness is left so many squares away."""
JEEIIN_COST = 0.5
"""What Jeeiin is worth keeping for, beyond its votes."""
LOWEST_STAKES = (-0.5, 0.0, 0.5, 1.0, 1.5)
"""What buildings of value 1 to 5 are about worth to the objective of the lowest: low ones hide higher ones (D9.4)."""


class Temper(NamedTuple):
    """How players are thought to weigh things, in points of margin."""

    heat: float = 1.0
    """How far from the best merit actions are still likely."""
    caution: float = 1.0
    """What a point of one's own counts."""
    nearness: float = 0.25
    """What a building counts, beside covering it, that a gang stands next to; less with every square between."""
    vote_chance: float = 0.6
    """How much of a tile's merit is left where it needs a vote."""
    vote_cost: float = 0.5
    """What a vote card is worth keeping for: this, times its votes squared."""
    slip: float = 0.15
    """How often a player does anything at all."""


USUAL = Temper()
"""For priors and playouts."""
SEEN = Temper(caution=1.5, vote_chance=1.0, vote_cost=0.8, slip=0.06)
"""For what play tells: in games of the search with itself, this finds the true cards likeliest."""


class Model(NamedTuple):
    """What the kernels read of all players: merits by seat, objective and square; and room to work in."""

    cover: np.ndarray
    """The merit of covering a square."""
    pull: np.ndarray
    """The merit of a gang that stands on a square."""
    temper: Temper
    actions: np.ndarray
    weights: np.ndarray
    random: np.ndarray
    """The state of the random numbers, in an array of one."""


def model_of(board: BoardArrays, position: Position, hostile: np.ndarray, temper: Temper, seed: np.uint64) -> Model:
    """A model for a position; `hostile`, by seat and objective: how many of the others are thought to have it."""
    seats, objectives = hostile.shape
    model = Model(
        np.zeros((seats, objectives, SQUARES), np.float32),
        np.zeros((seats, objectives, SQUARES), np.float32),
        temper,
        np.zeros(MOST_ACTIONS, np.int64),
        np.zeros(MOST_ACTIONS, np.float64),
        np.array([seed], np.uint64),
    )
    fill_model(board, position, hostile, model)
    return model


# ---- merits


@kernel
def stake(objective: int, kind: int, value: int) -> float:
    """What a standing building is about worth to an objective (D8.1, D9.4)."""
    if objective < BUILDING_OBJECTIVES:
        return float(value) if objective == kind else 0.0
    if objective == THREES:
        return float(value) if value == MIDDLE_VALUE else 0.0
    if objective == FOURS:
        return float(value) if value == SECOND_HIGHEST_VALUE else 0.0
    return 1.0 if objective == ONES else LOWEST_STAKES[value - 1]


@kernel
def merit_of_covering(hostile: np.ndarray, caution: float, seat: int, objective: int, kind: int, value: int) -> float:
    """What covering a building does to the margin of a seat with this objective."""
    merit = -caution * stake(objective, kind, value)
    for other in range(hostile.shape[1]):
        if other != objective:
            merit += hostile[seat, other] * stake(other, kind, value)
    return merit


@kernel
def fill_model(board: BoardArrays, position: Position, hostile: np.ndarray, model: Model) -> None:
    """Merits of all squares, for every seat and objective."""
    for kind in range(len(BUILDINGS)):
        for value in range(1, len(VALUES) + 1):
            if is_standing(board, position, kind, value):
                square = int(board.building[kind, value - 1])
                for seat in range(hostile.shape[0]):
                    for objective in range(hostile.shape[1]):
                        merit = merit_of_covering(hostile, model.temper.caution, seat, objective, kind, value)
                        model.cover[seat, objective, square] = merit
                        spread(model.pull[seat, objective], square, merit * model.temper.nearness)


@kernel
def spread(pull: np.ndarray, square: int, merit: float) -> None:
    """Add a building's merit to the squares around it."""
    row, column = square >> 5, square & ROW - 1
    for down in range(max(-row, -FARTHEST), FARTHEST + 1):
        left = FARTHEST - abs(down)
        for right in range(max(-column, -left), left + 1):
            if row + down < MAX_SIDE and column + right < MAX_SIDE:
                pull[square + down * ROW + right] += merit * FADING[abs(down) + abs(right)]


@kernel
def forget_building(board: BoardArrays, hostile: np.ndarray, model: Model, kind: int, value: int) -> None:
    """A building is covered: no gang is drawn to it any more."""
    square = int(board.building[kind, value - 1])
    for seat in range(hostile.shape[0]):
        for objective in range(hostile.shape[1]):
            spread(model.pull[seat, objective], square, -model.cover[seat, objective, square] * model.temper.nearness)


@kernel
def mean_of(table: np.ndarray, seat: int, one: int, other: int, square: int) -> float:
    """A merit for a seat that may still choose between two objectives."""
    return float(0.5 * (table[seat, one, square] + table[seat, other, square]))


@kernel
def list_lays(board: BoardArrays, position: Position, seat: int, model: Model, one: int, other: int) -> int:
    """Write the tiles that can be laid, with their merits, into the model; how many there are."""
    count = 0
    for gang in range(GANGS):
        if position.gangs[gang] == NOWHERE:
            continue
        kind = board.kind_of[gang]
        left = mean_of(model.pull, seat, one, other, int(position.gangs[gang]))
        for direction in range(len(DIRECTIONS)):
            room = int(position.room[gang, direction])
            if room == 0:
                continue
            square = first_square(position, gang, direction)
            merit, is_put_to_vote = -left, False
            for length in range(1, room + 1):
                merit += mean_of(model.cover, seat, one, other, square)
                is_put_to_vote |= has_outhouse(board, square) and not position.no_votes
                if position.tiles[seat, kind, length - 1] > 0:
                    whole = merit + mean_of(model.pull, seat, one, other, square)
                    model.actions[count] = lay_action(gang, direction, length)
                    model.weights[count] = whole * model.temper.vote_chance if is_put_to_vote else whole
                    count += 1
                square += STEPS[direction]
    if count == 0:  # who can't, passes (D3.1)
        model.actions[0], model.weights[0] = PASS, 0.0
        count = 1
    return count


@kernel
def merit_of_proposal(position: Position, seat: int, model: Model, one: int, other: int) -> float:
    """What the tile voted on would do for this seat, if it stays."""
    action = int(position.proposal)
    gang, direction = gang_of(action), direction_of(action)
    square = first_square(position, gang, direction)
    merit = -mean_of(model.pull, seat, one, other, int(position.gangs[gang]))
    for _ in range(length_of(action)):
        merit += mean_of(model.cover, seat, one, other, square)
        square += STEPS[direction]
    return merit + mean_of(model.pull, seat, one, other, square - STEPS[direction])


@kernel
def merit_of_vote(cards: int, merit: float, vote_cost: float) -> float:
    """What playing these cards does for who would gain or lose this by the tile; cards are worth keeping."""
    votes, cost = 0, 0.0
    for card in range(len(CARDS)):
        if cards >> card & 1:
            votes += YES[card] - NO[card]
    if cards >> JEEIIN & 1:
        votes += JEEIIN_WORTH if merit > 0 else -JEEIIN_WORTH
        cost = JEEIIN_COST
    return merit * votes - vote_cost * votes * votes - cost


@kernel
def is_of_one_mind(cards: int) -> bool:
    """Whether no card works against another, nor comes along for nothing: what is considered of several (D6.6)."""
    yes, no = cards & 0b111, cards >> 3 & 0b111
    if cards == 1 << BLANK:
        return True
    return (yes == 0 or no == 0) and cards >> BLANK & 1 == 0


@kernel
def list_votes(position: Position, seat: int, model: Model, one: int, other: int) -> int:
    """Write the votes worth considering, with their merits, into the model; how many there are."""
    merit = merit_of_proposal(position, seat, model, one, other)
    hand, count = int(position.hands[seat]), 0
    if not position.several_cards:
        for card in range(len(CARDS)):
            if hand >> card & 1:
                model.actions[count] = FIRST_VOTE + (1 << card)
                model.weights[count] = merit_of_vote(1 << card, merit, model.temper.vote_cost)
                count += 1
        return count
    for cards in range(1, ALL_CARDS + 1):
        if cards & ~hand == 0 and is_of_one_mind(cards):
            model.actions[count] = FIRST_VOTE + cards
            model.weights[count] = merit_of_vote(cards, merit, model.temper.vote_cost)
            count += 1
    return count


@kernel
def list_merits(board: BoardArrays, position: Position, seat: int, model: Model, one: int, other: int) -> int:
    """Write the actions worth considering for a seat, with their merits, into the model; how many there are."""
    if position.phase == Phase.LAYING:
        return list_lays(board, position, seat, model, one, other)
    if position.phase == Phase.VOTING:
        return list_votes(position, seat, model, one, other)
    if position.phase == Phase.JEEIIN:
        merit = JEEIIN_WORTH * merit_of_proposal(position, seat, model, one, other)
        model.actions[0], model.actions[1] = SAY_NO, SAY_YES
        model.weights[0], model.weights[1] = -merit, merit
        return 2
    model.actions[0], model.actions[1] = FIRST_CHOICE + one, FIRST_CHOICE + other
    model.weights[0], model.weights[1] = points_of(board, position, one), points_of(board, position, other)
    return 2


@kernel
def list_likely(board: BoardArrays, position: Position, seat: int, model: Model, one: int, other: int) -> int:
    """Write the actions worth considering, with how likely each is, into the model; how many there are."""
    count = list_merits(board, position, seat, model, one, other)
    best, total = model.weights[0], 0.0
    for index in range(1, count):
        best = max(best, model.weights[index])
    for index in range(count):
        model.weights[index] = exp((model.weights[index] - best) / model.temper.heat)
        total += model.weights[index]
    for index in range(count):
        model.weights[index] /= total
    return count


# ---- playouts


@kernel
def chance_of(model: Model) -> float:
    """A random number from 0 up to 1."""
    state = next_random(model.random[0])
    model.random[0] = state
    return random_below(state, RANDOM_STEPS) / RANDOM_STEPS


@kernel
def card_of(position: Position, seat: int, which: int) -> int:
    """One of the objectives that count for a seat in a full position: the real one, or before the choice both."""
    chosen = int(position.chosen[seat])
    return chosen if chosen >= 0 else int(position.objectives[seat, which])


@kernel
def likely_action(board: BoardArrays, position: Position, seat: int, model: Model, heat: float) -> int:
    """What this seat may well do: the best merit, each with some luck added, up to `heat` points."""
    one, other = card_of(position, seat, 0), card_of(position, seat, 1)
    count = list_merits(board, position, seat, model, one, other)
    best, found, luck = -1e9, 0, heat / RANDOM_STEPS
    seed = model.random[0]
    for index in range(count):
        seed = next_random(seed)
        merit = model.weights[index] + luck * random_below(seed, RANDOM_STEPS)
        if merit > best:
            best, found = merit, index
    model.random[0] = seed
    return int(model.actions[found])


@kernel
def play_out(board: BoardArrays, position: Position, model: Model, heat: float) -> None:
    """Play a full position to its end as the model thinks players do."""
    while position.phase != Phase.OVER:
        seat = first_waiting(position)
        apply(board, position, seat, likely_action(board, position, seat, model, heat))
