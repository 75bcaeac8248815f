"""`network` at Cronberg: the answer that a trained network finds likeliest, without any search.

With two players the board is looked at in all of its twelve ways (`WAYS`), and what the network says is averaged:
turned and mirrored positions are worth the same, which it has learned only nearly.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from embertown.bots.contract import Choice, Reasons
from embertown.bots.cronberg_search import Evaluation, check_view
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
from embertown.core.errors import BadArgument
from embertown.core.game import View
from embertown.cronberg import observation, rules
from embertown.cronberg.board import Board
from embertown.cronberg.grid import GRID

GAME = "cronberg"
BEST_ADVISER: Adviser = "network"
"""Who gives hints: the network alone, which answers in milliseconds.

A short search with it is no better with three and four players; with two it is where the end can be solved, and tells
one alone (docs/bots.md).
"""
WAYS = {2: 12, 3: 1, 4: 1}
"""In how many of its ways the board is looked at, by number of players, but inside a search's tree: there in one.

Set by measurement (docs/training.md): the networks are sure of themselves, and still answer otherwise in one position
of five when the board is turned. With two players all twelve opinions together won 57 % of 1,200 games against one;
four or fewer of them were worth nothing, nor were all twelve with three and four players, nobody knows why.
"""
LEAD_SCALE = 30.0
"""The lead in points that training bends to tanh(1)."""
MOST_LEAD = 0.99
LEAST_SHARE = np.float32(1e-6)


class Thought(NamedTuple):
    """What a network says of positions."""

    policy: np.ndarray
    """[n, rules.ACTIONS]: how likely each action is."""
    win_share: np.ndarray
    """[n, players]: by seat, the expected share of the win."""
    lead: np.ndarray
    """[n, players]: by seat, the expected lead over the best other, bent to -1 to 1."""


def think(network: NetworkWeights, board: Board, positions: np.ndarray, ways: int = 1) -> Thought:
    """What the network says of positions in which somebody acts, averaged over so many ways to look at them."""
    if not observation.fits(board):
        raise BadArgument("the board does not lie in the hexagon that the network knows; right would be: a search")
    count, symmetries = len(positions), observation.symmetries(board)
    check_ways(ways, len(symmetries))
    rows = np.empty((ways * count, observation.OBSERVATION), np.float32)
    masks = np.empty((ways * count, observation.ACTIONS), np.uint8)
    parts = [(symmetries[way : way + 1], slice(way * count, (way + 1) * count)) for way in range(ways)]
    for symmetry, part in parts:
        observation.observe_many(board.box, positions, symmetry, rows[part])
        observation.mask_many(board.box, positions, symmetry, masks[part])
    logits, values = network.think(rows)
    likely, policy = chances(logits, masks) / ways, np.zeros((count, rules.ACTIONS), np.float32)
    for symmetry, part in parts:
        observation.spread(board.box, positions, symmetry, masks[part], likely[part], policy)
    shares, lead = _by_seat(values.reshape(ways, count, *values.shape[1:]).mean(axis=0), positions)
    return Thought(policy, shares, lead)


def _by_seat(values: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the win that sum to 1 and leads, by seat; the network counts from the seat that acts."""
    players = int(positions["players"][0])
    seats = (np.arange(players) - positions["seat"].astype(np.int64)[:, None]) % players
    turned = np.take_along_axis(values[:, :, :players], seats[:, None, :], axis=2)
    shares = np.maximum((turned[:, 0] * (players - 1) + 1) / players, 0) + LEAST_SHARE
    return shares / shares.sum(axis=1, keepdims=True), turned[:, 1]


class NetworkEvaluator:
    """The network as the judge of a search: its policy as prior, its values as shares of the win and points.

    It knows points only as leads: they are counted down from the highest score of the position. A position that is
    asked about alone, as the root is, whose shares matter most, it looks at in all of its `WAYS`, at a batch in one.
    """

    def __init__(self, network: NetworkWeights | None = None, boldness: float = 1.0) -> None:
        """With less `boldness` (an exponent) what the network finds unlikely is not written off."""
        self.network, self.boldness = network, boldness

    def evaluate(self, board: Board, positions: np.ndarray) -> Evaluation:
        """Judge positions in which somebody acts."""
        players = int(positions["players"][0])
        ways = WAYS[players] if len(positions) == 1 else 1
        found = think(self.network or own_network(players), board, positions, ways)
        leads = LEAD_SCALE * np.arctanh(np.clip(found.lead, -MOST_LEAD, MOST_LEAD))
        behind = np.where(leads == leads.max(axis=1, keepdims=True), 0, np.minimum(leads, 0))
        highest = positions["scores"][:, :players].max(axis=1, keepdims=True)
        return Evaluation(found.policy**self.boldness, found.win_share, highest + behind)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(boldness={self.boldness})"


def is_unknown(view: View[Any], network: NetworkWeights | None = None) -> str:
    """Why a network can't choose in this game; nothing where it can.

    >>> import embertown
    >>> is_unknown(embertown.load("cronberg", 3).start(seed=1).view(0))
    ''
    """
    if not observation.fits(view.game.board):
        return "the board does not lie in the hexagon that the network knows"
    return (network or own_network(view.game.players)).is_strange(view.game.players)


def own_network(players: int) -> NetworkWeights:
    """The network that comes along for so many players."""
    return network_of(GAME, players, GRID)


def choose(view: View[Any], network: NetworkWeights | None = None, ways: int | None = None) -> Choice:
    """The likeliest action, the board looked at in so many ways, or in `WAYS`."""
    check_view(view)
    actions = view.legal_actions
    if len(actions) == 1:
        return Choice(actions[0], Reasons(because="nothing else is legal", line=(view.text(actions[0]),)))
    return told(view, look(view, network, ways))


def look(view: View[Any], network: NetworkWeights | None = None, ways: int | None = None) -> Look:
    """What the network says to the seat that acts in a view, the board looked at in so many ways, or in `WAYS`."""
    players, board = view.game.players, view.game.board
    in_ways = WAYS[players] if ways is None else ways
    found = think(network or own_network(players), board, view.position_array(), in_ways)
    likely = likeliest_first((action, float(found.policy[0, action])) for action in view.legal_actions)
    return Look(likely, float(found.win_share[0, view.seat or 0]))
