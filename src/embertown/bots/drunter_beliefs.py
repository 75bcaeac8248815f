"""What the others' play says about their cards: beliefs, from the log that everybody sees.

By Bayes: all deals that fit are equally likely at first (D2.1, D9.1); every tile, vote and word on Jeeiin then makes
those likelier in which it is what a player with such cards would do (`drunter_policy`). Cards are dealt once each, so
that one player's card is nobody else's: weights belong to whole deals. A position without its log tells nothing.
"""

from __future__ import annotations

from itertools import combinations, permutations
from math import log
from typing import NamedTuple

import numpy as np

from embertown.bots.drunter_policy import SEEN, Model, Temper, forget_building, list_likely, list_merits, model_of
from embertown.bots.drunter_tree import Worlds
from embertown.core.jit import kernel
from embertown.drunter import doors, rules
from embertown.drunter.board import BUILDINGS, VALUES, BoardArrays
from embertown.drunter.rules import BUILDING_OBJECTIVES, OBJECTIVES, POSITION, UNKNOWN, Position
from embertown.drunter.text import parse_action
from embertown.drunter.view import HIDDEN_CHOICE, HIDDEN_VOTE, DrunterView

CARELESS = 0.05
"""How likely a player is thought, at first, to do anything at all throughout, whatever the cards: whose play is like
that tells nothing, and nobody is misled by it."""


class Hands(NamedTuple):
    """What a seat may hold, and how likely its play so far is for each, beside one another."""

    cards: np.ndarray
    """Two objectives each, the real one first where it is chosen; the same twice in the base game."""
    logs: np.ndarray
    """The logarithm of how likely the play is for each; of many actions the likelihood itself may be too small."""

    @property
    def likelihood(self) -> np.ndarray:
        """How likely the play is for each, the likeliest at 1."""
        likelihood: np.ndarray = np.exp(self.logs - self.logs.max())
        return likelihood


def hands_of(view: DrunterView, *, temper: Temper = SEEN) -> list[Hands]:
    """For every seat what it may hold, with the likelihood of its play; where there is no log, all alike."""
    variant = view.game.cards_each == 2
    cards = np.array(list(combinations(range(len(OBJECTIVES)), 2))) if variant else _same_twice()
    if not view.has_beginning:
        return _without_log(view, cards)
    replay = _Replay(view, cards, temper)
    for entry in view.log:
        replay.hear(entry.seat or 0, entry.text)
    return replay.hands()


def _same_twice() -> np.ndarray:
    kinds = np.arange(BUILDING_OBJECTIVES)
    return np.stack([kinds, kinds], axis=1)


def _without_log(view: DrunterView, cards: np.ndarray) -> list[Hands]:
    """All deals alike; of two cards either may have been chosen."""
    position = view.position_array()[0]
    ordered = np.array(list(permutations(range(len(OBJECTIVES)), 2)))
    is_chosen = [view.game.cards_each == 2 and position.chosen[seat] != UNKNOWN for seat in range(view.game.players)]
    found = [ordered if chosen else cards for chosen in is_chosen]
    return [Hands(each, np.zeros(len(each))) for each in found]


class _Replay:
    """The public game so far, played again, with the likelihood of every seat's cards as logarithms."""

    def __init__(self, view: DrunterView, cards: np.ndarray, temper: Temper) -> None:
        self.board = view.board
        self.position = np.zeros(1, POSITION)
        self.position[0] = view.game.dealt_position(view.heading)
        self.cards = [cards] * view.game.players
        self.logs = [np.zeros(len(cards)) for _ in self.cards]
        self.careless = [0.0] * view.game.players  # the same for a player who does not look at the cards
        self.hostile = uniform_hostility(view.game.players, view.game.cards_each)
        self.model = model_of(self.board.arrays, self.position[0], self.hostile, temper, np.uint64(0))

    def hear(self, seat: int, text: str) -> None:
        """One entry of the log."""
        if text == HIDDEN_VOTE:  # of the vote under way
            return
        if text.startswith("choose"):
            self._hear_choice(seat, text)
            return
        action = parse_action(self.board, self.position[0], text)
        box, cards, logs = self.board.box, self.cards[seat], self.logs[seat]
        count = hear_action(box, self.position, seat, action, self.hostile, self.model, cards, logs)
        self.careless[seat] -= log(count)

    def _hear_choice(self, seat: int, text: str) -> None:
        """Of two cards one has become the real one (D9.2): which is not seen, unless by who chose."""
        cards = self.cards[seat]
        likely = choice_likelihood(self.board.box, self.position, seat, self.model, cards)
        self.careless[seat] -= log(2)
        self.cards[seat] = np.concatenate([cards, cards[:, ::-1]])
        self.logs[seat] = np.concatenate([self.logs[seat] + np.log(likely), self.logs[seat] + np.log(1 - likely)])
        if text == HIDDEN_CHOICE:
            rules.apply_hidden(self.board.arrays, self.position[0], seat)
        else:
            doors.apply(self.board.box, self.position, seat, parse_action(self.board, self.position[0], text))

    def hands(self) -> list[Hands]:
        """What came out: of every seat, that it looks at its cards or that it is careless."""
        return [
            Hands(cards, np.logaddexp(log(1 - CARELESS) + logs, log(CARELESS) + careless))
            for cards, logs, careless in zip(self.cards, self.logs, self.careless, strict=True)
        ]


def uniform_hostility(players: int, cards_each: int) -> np.ndarray:
    """By seat and objective: how many of the others have it, as long as nothing is known."""
    there = len(OBJECTIVES) if cards_each == 2 else BUILDING_OBJECTIVES
    hostile = np.zeros((players, len(OBJECTIVES)))
    hostile[:, :there] = (players - 1) / (there - cards_each)
    return hostile


@kernel
def hear_action(
    board: np.ndarray,
    position: np.ndarray,
    seat: int,
    action: int,
    hostile: np.ndarray,
    model: Model,
    cards: np.ndarray,
    logs: np.ndarray,
) -> int:
    """How likely an action is for every hand, added to `logs`; then do it. How many were worth considering."""
    count = list_merits(board[0], position[0], seat, model, cards[0, 0], cards[0, 1])
    is_chosen = position[0].chosen[seat] != UNKNOWN
    for hand in range(logs.size):
        other = cards[hand, 0] if is_chosen else cards[hand, 1]
        logs[hand] += log(likelihood_of(board[0], position[0], seat, action, model, cards[hand, 0], other))
    stood = standing(board[0], position[0])
    rules.apply(board[0], position[0], seat, action)
    stand = standing(board[0], position[0])
    for index in range(len(BUILDINGS) * len(VALUES)):
        if stood >> index & 1 > stand >> index & 1:
            forget_building(board[0], hostile, model, index // len(VALUES), index % len(VALUES) + 1)
    return count


@kernel
def likelihood_of(
    board: BoardArrays, position: Position, seat: int, action: int, model: Model, one: int, other: int
) -> float:
    """How likely an action is for a seat with these objectives."""
    count = list_likely(board, position, seat, model, one, other)
    likely = model.temper.slip / count
    for index in range(count):
        if model.actions[index] == action:
            likely += (1.0 - model.temper.slip) * model.weights[index]
    return likely


@kernel
def standing(board: BoardArrays, position: Position) -> int:
    """The buildings that are not covered, a bit for each."""
    found = 0
    for kind in range(len(BUILDINGS)):
        for value in range(1, len(VALUES) + 1):
            if rules.is_standing(board, position, kind, value):
                found |= 1 << kind * len(VALUES) + value - 1
    return found


@kernel
def choice_likelihood(
    board: np.ndarray, position: np.ndarray, seat: int, model: Model, cards: np.ndarray
) -> np.ndarray:
    """For every hand how likely its first card is chosen."""
    likely = np.zeros(cards.shape[0])
    for hand in range(likely.size):
        list_likely(board[0], position[0], seat, model, cards[hand, 0], cards[hand, 1])
        likely[hand] = model.weights[0] * (1.0 - model.temper.slip) + model.temper.slip / 2
    return likely


# ---- whole deals


def worlds_of(view: DrunterView, hands: list[Hands]) -> Worlds:
    """Every deal that fits the view of its seat, weighed; what others may think of that seat."""
    seat = view.viewer or 0
    table, logs = np.zeros((1, view.game.players, 2), np.int64), np.zeros(1)
    table[0, seat] = own_cards(view, seat)
    for other in (s for s in range(view.game.players) if s != seat):
        table, logs = _with_seat(table, logs, other, hands[other], seat)
    return Worlds(table, np.cumsum(np.exp(logs - logs.max())), hands[seat].cards, hands[seat].likelihood)


def own_cards(view: DrunterView, seat: int) -> tuple[int, int]:
    """The viewer's cards, the real one first where it is chosen; one card counts twice."""
    held = [OBJECTIVES.index(card) for card in view.objectives_of(seat)]
    chosen = view.chosen_by(seat)
    if chosen is not None:
        held.sort(key=lambda card: card != OBJECTIVES.index(chosen))
    return held[0], held[-1]


def _with_seat(
    table: np.ndarray, logs: np.ndarray, seat: int, hands: Hands, viewer: int
) -> tuple[np.ndarray, np.ndarray]:
    """Every deal so far with everything that this seat may hold beside it."""
    dealt = np.zeros((len(table), len(OBJECTIVES)), bool)
    for before in [s for s in range(seat) if s != viewer] + [viewer]:
        for which in range(2):
            dealt[np.arange(len(table)), table[:, before, which]] = True
    fits = ~(dealt[:, hands.cards[:, 0]] | dealt[:, hands.cards[:, 1]])
    deal, hand = np.nonzero(fits)
    wider = table[deal].copy()
    wider[:, seat] = hands.cards[hand]
    return wider, logs[deal] + hands.logs[hand]


def shares_of(worlds: Worlds) -> np.ndarray:
    """By seat and objective: how likely it is that this seat has it (both cards count in the variant)."""
    weights = np.diff(worlds.totals, prepend=0.0) / worlds.totals[-1]
    shares = np.zeros((worlds.cards.shape[1], len(OBJECTIVES)))
    for seat in range(worlds.cards.shape[1]):
        np.add.at(shares[seat], worlds.cards[:, seat, 0], weights)
        differ = worlds.cards[:, seat, 0] != worlds.cards[:, seat, 1]
        np.add.at(shares[seat], worlds.cards[differ, seat, 1], weights[differ])
    return shares


def beliefs_of(view: DrunterView, worlds: Worlds) -> tuple[dict[str, float] | None, ...]:
    """By seat: how likely it has each objective; None for the viewer, who knows."""
    there = OBJECTIVES if view.game.cards_each == 2 else OBJECTIVES[:BUILDING_OBJECTIVES]
    return tuple(
        None if seat == view.viewer else {name: float(row[index]) for index, name in enumerate(there)}
        for seat, row in enumerate(shares_of(worlds))
    )


def hostility(view: DrunterView, hands: list[Hands], worlds: Worlds) -> np.ndarray:
    """By seat and objective: how many of the others are thought to play for it.

    Of others it is the viewer's belief; of the viewer's own cards what everybody sees, as others do not know them.
    """
    chosen = view.position_array()[0].chosen
    weights = np.diff(worlds.totals, prepend=0.0)
    wanted = np.zeros((view.game.players, len(OBJECTIVES)))
    for seat in range(view.game.players):
        is_own = seat == view.viewer
        cards, odds = (hands[seat].cards, hands[seat].likelihood) if is_own else (worlds.cards[:, seat], weights)
        real = cards[:, :1] if chosen[seat] != UNKNOWN else cards
        for which in range(real.shape[1]):
            wanted[seat] += np.bincount(real[:, which], odds, len(OBJECTIVES))
    wanted /= wanted.sum(axis=1, keepdims=True)
    hostile: np.ndarray = wanted.sum(axis=0) - wanted
    return hostile
