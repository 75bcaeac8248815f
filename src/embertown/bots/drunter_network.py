"""`network` at Drunter & Drüber: the answer that a trained network finds likeliest, without any search.

It sees what the seat sees and what everybody may remember of the play so far (`drunter.observation`). The board is
looked at in one of its ways; the mean of what the network says in all of them (`ways`), mirrored, is worth no more
(docs/training.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from embertown.bots.contract import Choice, Reasons
from embertown.bots.drunter_search import check_view
from embertown.bots.network import (
    Adviser,
    Look,
    NetworkWeights,
    chances,
    check_ways,
    likeliest_first,
    network_of,
    told,
)
from embertown.core.errors import UnknownGame
from embertown.core.game import View
from embertown.drunter import observation
from embertown.drunter.board import Board
from embertown.drunter.grid import GRID
from embertown.drunter.rules import MAX_PLAYERS
from embertown.drunter.view import DrunterView

GAME = "drunter"
BEST_ADVISER: Adviser = "both"
"""Who gives hints: a short search with the network beside it, better than each of them alone (docs/bots.md)."""


class Thought(NamedTuple):
    """What a network says of a view."""

    policy: dict[int, float]
    """By legal action: how likely it is, the likeliest first."""
    win_share: tuple[float, ...]
    """By seat: the expected share of the win."""
    lead: tuple[float, ...]
    """By seat: the expected lead over the best other, bent to -1 to 1."""


def is_unknown(view: DrunterView, network: NetworkWeights | None = None) -> str:
    """Why a network can't choose in this game; nothing where it can.

    >>> import embertown
    >>> is_unknown(embertown.load("drunter", 2).start(seed=1).view(0))
    ''
    >>> is_unknown(embertown.load("drunter", 2, several_cards=True).start(seed=1).view(0))
    'the network votes with one card only (D6.6)'
    """
    if not observation.fits(view.board):
        return "the board is larger than the network knows"
    if "several_cards" in view.game.options:
        return "the network votes with one card only (D6.6)"
    return (network or own_network(view.game.players)).is_strange(view.game.players)


def own_network(players: int) -> NetworkWeights:
    """The network that comes along for so many players."""
    return network_of(GAME, players, GRID)


def think(network: NetworkWeights, view: DrunterView, ways: int = 1) -> Thought:
    """What the network says to the seat of a view that is waited for, averaged over so many ways to look at it."""
    board, position, memory = view.board, view.position_array(), observation.memory_of(view)
    seat = view.viewer or 0
    answers = np.zeros(observation.ACTIONS, np.float64)
    values = np.zeros((2, MAX_PLAYERS), np.float64)
    symmetries = observation.symmetries(board)
    check_ways(ways, len(symmetries))
    for way in symmetries[:ways].tolist():
        likely, worth = _looked(network, board, position, memory, seat, way)
        answers += likely / ways
        values += worth / ways
    actions = np.empty(observation.ACTIONS, np.int64)
    observation.actions_of(position, seat, 0, actions)
    found = {int(actions[answer]): float(answers[answer]) for answer in np.flatnonzero(answers)}
    policy = dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))
    return Thought(policy, *_by_seat(values, seat, view.game.players))


def _looked(
    network: NetworkWeights, board: Board, position: np.ndarray, memory: np.ndarray, seat: int, way: int
) -> tuple[np.ndarray, np.ndarray]:
    """How likely each answer is, as if the board lay as it is, and values from the seat that looks."""
    rows = np.empty((1, observation.OBSERVATION), np.float32)
    masks = np.empty((1, observation.ACTIONS), np.uint8)
    observation.observe_boxed(board.box, position, memory, seat, way, rows[0])
    observation.mask_boxed(board.box, position, seat, way, masks[0])
    logits, values = network.think(rows)
    return chances(logits, masks)[0][observation.turned_answers(way)], values[0]


def _by_seat(values: np.ndarray, seat: int, players: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Shares of the win that sum to 1 and leads, by seat; the network counts from the seat that looks."""
    turned = values[:, (np.arange(players) - seat) % players]
    shares = np.maximum((turned[0] * (players - 1) + 1) / players, 0) + 1e-6
    return tuple((shares / shares.sum()).tolist()), tuple(turned[1].tolist())


def choose(view: View[Any], network: NetworkWeights | None = None, ways: int = 1) -> Choice:
    """The likeliest action."""
    if not isinstance(view, DrunterView):
        raise UnknownGame(view.game.name, [GAME])
    check_view(view)
    actions = view.legal_actions
    if len(actions) == 1:
        return Choice(actions[0], Reasons(because="nothing else is legal", line=(view.text(actions[0]),)))
    return told(view, look(view, network, ways))


def look(view: DrunterView, network: NetworkWeights | None = None, ways: int = 1) -> Look:
    """What the network says to the seat of a view."""
    thought = think(network or own_network(view.game.players), view, ways)
    return Look(likeliest_first(thought.policy.items()), thought.win_share[view.viewer or 0])


def prior(view: DrunterView) -> Mapping[int, float]:
    """How likely the network finds each action, for the search; nothing where it does not know the game."""
    return {} if is_unknown(view) else think(own_network(view.game.players), view).policy
