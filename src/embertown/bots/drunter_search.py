"""Drunter & Drüber's search: information sets, beliefs about the others' cards, votes as simultaneous choices.

>>> import embertown
>>> state = embertown.load("drunter", players=2).start(seed=7, first=0)
>>> choice = DrunterSearch().choose(state.view(0), simulations=100, seed=1)
>>> choice.reasons.line[0] == state.text(choice.action)
True
>>> round(choice.reasons.beliefs[1]["church"], 2), round(sum(choice.reasons.beliefs[1].values()), 2)
(0.2, 1.0)

How it goes about it: beliefs come from the public log (`drunter_beliefs`), a model of how players with given cards act
serves them, the priors and the playouts (`drunter_policy`), and the simulations run in `drunter_tree`. Memory is the
table's, `SearchSettings.memory`, and a few megabytes beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from embertown.bots.budget import Budget, Clock, is_count, random_state
from embertown.bots.contract import Choice, Considered, Reasons
from embertown.bots.drunter_beliefs import Hands, beliefs_of, hands_of, hostility, worlds_of
from embertown.bots.drunter_policy import MOST_ACTIONS, SEEN, USUAL, Model, Temper, model_of
from embertown.bots.drunter_tree import Limits, Tree, Worlds, expected_line, give_all, open_root, search, tree_of
from embertown.core.errors import BadArgument, UnknownGame, shown
from embertown.core.game import View
from embertown.drunter import doors
from embertown.drunter.rules import UNKNOWN, Phase
from embertown.drunter.text import action_text
from embertown.drunter.view import DrunterView

GAME = "drunter"
SLICE = 64
"""Simulations between two looks at the clock: a few milliseconds."""
ACTIONS_PER_SLOT = 16
"""Room for so many actions on average, in the table."""
BYTES_PER_SLOT = 8 + 4 + 2 + 4 + 8 + ACTIONS_PER_SLOT * (2 + 4 + 8 + 4)
LONGEST_LINE = 12
FEWEST_IN_LINE = 8
"""How often something must have been tried to be called expected."""
FOREVER = 1 << 60
LIMITS = (
    ("exploration", 0.0, 100.0),
    ("playout_heat", 0.0, 100.0),
    ("margin", 0.0, 1.0),
    ("anonymous", 0.0, 0.9),
    ("slots", 8, 1 << 24),
    ("simulations", 1, FOREVER),
    ("trust", 0.0, 1.0),
)
"""What settings may be, from and to."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How a search goes about it."""

    exploration: float = 0.7
    beliefs: bool = True
    """Whether what the others do says anything about their cards."""
    temper: Temper = USUAL
    """How players are thought to weigh things: for priors and playouts."""
    belief_temper: Temper = SEEN
    """The same, for what their play tells."""
    playout_heat: float = 1.0
    """How much luck there is in playouts, in points."""
    margin: float = 0.1
    """How much the lead in points counts beside the share of the win, from 0 to 1."""
    anonymous: float = 0.3
    """In what share of the simulations its own cards are dealt anew, so that the others do not seem to know them."""
    slots: int = 1 << 17
    """Information sets that the table holds; when it is full, the search goes on without growing."""
    simulations: int = 10_000
    """Where no budget is given."""
    trust: float = 0.5
    """How much a prior from outside counts at the root, where there is one, against the model's."""

    def __post_init__(self) -> None:
        """Refuse what can't be searched with."""
        for name, least, most in LIMITS:
            value = getattr(self, name)
            is_number = is_count(value) if type(least) is int else isinstance(value, int | float)
            if not is_number or not least <= value <= most:
                raise BadArgument(f"{name} is {shown(getattr(self, name))}; right would be: from {least} to {most}")

    @property
    def memory(self) -> int:
        """Bytes that the table takes at most."""
        return self.slots * BYTES_PER_SLOT


Prior = Callable[[DrunterView], Mapping[int, float]]
"""How likely each action is for the seat of a view, by somebody else's opinion; nothing where there is none."""


class DrunterSearch:
    """Searches for the seat that a view belongs to; nothing is kept between two choices."""

    name = "drunter-search"

    def __init__(
        self, settings: SearchSettings | None = None, clock: Clock = time.monotonic, prior: Prior | None = None
    ) -> None:
        """With `prior`, what another finds likely for the seat that asks is looked at more."""
        self.settings, self.clock, self.prior = settings or SearchSettings(), clock, prior

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """An action for the view's seat; the same view, simulations and seed: the same choice."""
        if not isinstance(view, DrunterView):
            raise UnknownGame(view.game.name, [GAME])
        check_view(view)
        if seconds is None and simulations is None:
            simulations = self.settings.simulations
        budget = Budget(seconds, simulations, self.clock)
        thinking = _Thinking(view, self.settings, seed)
        legal = view.legal_actions
        if len(legal) == 1:
            return Choice(legal[0], Reasons(because="nothing else is legal", beliefs=thinking.beliefs))
        thinking.think(budget, {} if self.prior is None else self.prior(view))
        return thinking.choice()


def check_view(view: DrunterView) -> None:
    """Refuse a view for which there is nothing to choose."""
    if view.is_over:
        raise BadArgument("the game is over; right would be: a view of a game that goes on")
    if view.viewer is None or view.viewer not in view.waiting:
        waiting = ", ".join(map(str, view.waiting))
        raise BadArgument(f"the view is of seat {view.viewer}, and waited for is {waiting}; right would be: its view")
    if not view.objectives_of(view.viewer):
        raise BadArgument(f"the cards of seat {view.viewer} are not known here; right would be: a view that knows them")


class _Thinking:
    """One choice: the worlds that fit, the model of all players, the table."""

    def __init__(self, view: DrunterView, settings: SearchSettings, seed: int) -> None:
        self.view, self.settings, self.seat = view, settings, view.viewer or 0
        hands = self._hands()
        self.worlds: Worlds = worlds_of(view, hands)
        self.beliefs = beliefs_of(view, self.worlds)
        self.root = _root(view)
        mixed = np.uint64(random_state(seed, self.root.tobytes() + bytes([self.seat])))
        hostile = hostility(view, hands, self.worlds)
        self.model: Model = model_of(view.board.arrays, self.root[0], hostile, settings.temper, mixed)
        self.work = self.root.copy()
        self.made = 0

    def _hands(self) -> list[Hands]:
        hands = hands_of(self.view, temper=self.settings.belief_temper)
        if self.settings.beliefs:
            return hands
        return [Hands(each.cards, np.zeros(len(each.cards))) for each in hands]

    def think(self, budget: Budget, prior: Mapping[int, float]) -> None:
        """Simulate until the budget is spent or the choice is settled."""
        settings, board = self.settings, self.view.board.box
        self.tree: Tree = tree_of(settings.slots, settings.slots * ACTIONS_PER_SLOT, MOST_ACTIONS)
        limits = Limits(settings.exploration, settings.playout_heat, settings.margin, settings.anonymous)
        self.slot = int(open_root(board, self.root, self.work, self.seat, self.tree, self.worlds, self.model))
        self._heed(prior)
        while not budget.is_spent():
            due = budget.next_slice(SLICE)
            left = int(min(budget.left(), FOREVER))
            made = search(
                board, self.root, self.work, self.seat, self.slot, self.tree, self.worlds, self.model, limits, due, left
            )
            budget.spend(made)
            if made < due:
                break
        self.made = budget.made

    def _heed(self, prior: Mapping[int, float]) -> None:
        """Mix a prior from outside into the root's."""
        if prior:
            first = int(self.tree.first[self.slot])
            places = slice(first, first + int(self.tree.width[self.slot]))
            given = np.array([prior.get(action, 0.0) for action in self.tree.actions[places].tolist()])
            self.tree.priors[places] += self.settings.trust * (given - self.tree.priors[places])

    # ---- what came out

    def _considered(self) -> list[Considered]:
        """Every action at the root, the most visited first; among equals what its prior promises."""
        tree, first = self.tree, int(self.tree.first[self.slot])
        places = range(first, first + int(tree.width[self.slot]))
        ranked = sorted(places, key=lambda place: (-tree.tries[place], -tree.priors[place]))
        found = []
        for place in ranked:
            visits = int(tree.tries[place])
            shares, points = (tree.results[place - first, :, : self.view.game.players] / max(1, visits)).tolist()
            found.append(Considered(int(tree.actions[place]), visits, tuple(shares), tuple(points)))
        return found

    def choice(self) -> Choice:
        """The action tried most, and why: what was tried; where there was no time for it nothing can be told."""
        found = self._considered()
        action, tried = found[0].action, tuple(one for one in found if one.visits > 0)
        because = "" if tried else "no time to try anything: the likeliest at first sight"
        return Choice(action, Reasons(because, tried, self._line(action), self.made, beliefs=self.beliefs))

    def _line(self, action: int) -> tuple[str, ...]:
        """The action, and what is expected after it in the likeliest world."""
        board, start = self.view.board, self.root.copy()
        likeliest = int(np.argmax(np.diff(self.worlds.totals, prepend=0.0)))
        give_all(start, self.worlds.cards[likeliest])
        seats, actions = np.full(LONGEST_LINE, self.seat), np.full(LONGEST_LINE, action)
        length = expected_line(board.box, start.copy(), self.tree, FEWEST_IN_LINE, seats, actions)
        decided = self._decided()
        texts = []
        for seat, step in zip(seats[:length].tolist(), actions[:length].tolist(), strict=True):
            if seat in decided:  # what it did stands in the log already
                decided.remove(seat)
            else:
                texts.append(action_text(board, start[0], step))
            doors.apply(board.box, start, seat, step)
        return tuple(texts)

    def _decided(self) -> set[int]:
        """The seats that have voted, or chosen, in secret already."""
        if self.view.phase not in (Phase.VOTING, Phase.CHOOSING):
            return set()
        return set(range(self.view.game.players)) - set(self.view.waiting)


def _root(view: DrunterView) -> np.ndarray:
    """The view's position with hidden votes and choices of the same moment taken back: all decide at once."""
    root = view.position_array()
    position = root[0]
    for seat in range(view.game.players):
        if position.phase == Phase.VOTING and seat != view.viewer:
            position.votes[seat], position.said[seat] = 0, UNKNOWN
        if position.phase == Phase.CHOOSING:
            position.chosen[seat] = UNKNOWN
    return root
