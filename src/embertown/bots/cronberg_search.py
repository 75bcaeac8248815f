"""Cronberg's search: Monte Carlo tree search with chance nodes for 2, 3 and 4 players.

The tree lies in arrays that are made once for a choice (`SearchSettings.memory` says how many bytes); the kernels of
`cronberg_tree` walk it, those of `cronberg_policy` judge its leaves. Another judge, a network say, comes in as an
`Evaluator`. Nothing is kept from one choice to the next: about a quarter of a tree would still be of use, which is
worth less than the promise that the same view, simulations and seed give the same choice.

>>> import embertown
>>> state = embertown.load("cronberg", players=2).start(seed=7, first=0)
>>> choice = CronbergSearch().choose(state.view(0), simulations=200, seed=1)
>>> choice.action in state.legal_actions, choice.reasons.simulations
(True, 200)
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from embertown.bots import cronberg_tree as kernels
from embertown.bots.budget import Budget, Clock
from embertown.bots.contract import Choice, Considered, Reasons
from embertown.bots.cronberg_policy import WEIGHTS, WORTH
from embertown.bots.cronberg_tree import CHANCE_SEAT, EDGE, LEAF, NO_NODE, NODE, ROOT_EDGE, TREE
from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, UnknownGame, shown
from embertown.core.game import View
from embertown.core.pool import at_once
from embertown.cronberg import rules
from embertown.cronberg.board import Board
from embertown.cronberg.rules import ACTIONS, POSITION, Phase
from embertown.cronberg.text import action_text

GAME = "cronberg"
ASKING = ("ask_at", "trust", "playouts", "value_trust")
"""Settings of how an evaluator is asked."""
SLICE = 256
"""Simulations between two looks at the clock: a few milliseconds."""
SUM_TOLERANCE = 1e-3
"""By how much an evaluator's shares of a win may miss their sum of 1: networks count in few digits."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How a search thinks. What the defaults bring is told, with figures, in the documentation.

    >>> SearchSettings().memory
    107140712
    """

    simulations: int = 10_000
    """For a choice without a budget."""
    exploration: float = 1.0
    """How much an action's prior weighs against what was seen of it."""
    caution: float = 0.1
    """By how much an action not yet tried is thought worse than its position."""
    sharpness: float = 0.3
    """How much a point of promise matters to a prior; 0 makes all actions equally likely."""
    win_weight: float = 0.6
    """What a seat wants: so much of the share of the win, the rest of the lead in points."""
    lead_scale: float = 30.0
    """A lead of so many points is nearly as good as any larger one."""
    tries: int = 4
    """A playout's action is the best of so many; 1 is a random playout."""
    turns: int = 6
    """A playout stops after so many turns, and what the tokens promise is counted; but …"""
    last_rhombi: int = 10
    """… where no more rhombi than these are left it goes to the end: there promises say less than playing on."""
    expand_after: int = 4
    """An action gets a node of its own after so many visits."""
    breadth: int = 40
    """So many actions of a position are looked at, the likeliest; at the root, all."""
    nodes: int = 1 << 18
    """Room for so many positions; when it is used up, the tree grows no more."""
    edges: int = 1 << 22
    """Room for so many actions."""
    stop_early: bool = True
    """Whether to stop when no other action can become the most visited any more (`may_stop_early`)."""
    processes: int = 1
    """Trees grown side by side, each by a process with its own seed; what they saw at the root is added up.

    They are started for the first choice, which takes seconds, and last; their seconds go by the machine's clock.
    """
    batch: int = 32
    """How many positions an evaluator gets at once."""
    ask_at: int = 0
    """At so many visits of a position an evaluator is asked for its priors, and playouts judge; 0: it judges all."""
    trust: float = 1.0
    """How much the priors of an evaluator count, where it is asked for these alone; the rest are the search's own."""
    playouts: int = 0
    """So many playouts judge a leaf beside an evaluator that judges all …"""
    value_trust: float = 0.5
    """… which then counts so much."""
    weights: tuple[float, ...] = tuple(WORTH.tolist())
    """What the playouts and priors know (`cronberg_policy`)."""

    def __post_init__(self) -> None:
        for name in ("simulations", "tries", "expand_after", "breadth", "nodes", "processes", "batch"):
            _check(name, getattr(self, name), 1, whole=True)
        for name in ("ask_at", "playouts"):
            _check(name, getattr(self, name), 0, whole=True)
        for name in (
            "exploration",
            "caution",
            "sharpness",
            "win_weight",
            "turns",
            "last_rhombi",
        ):
            _check(name, getattr(self, name), 0)
        for name in ("trust", "value_trust"):
            _check(name, getattr(self, name), 0, most=1)
        _check("lead_scale", self.lead_scale, 1)
        _check("edges", self.edges, 2 * ACTIONS, whole=True)
        if len(self.weights) != WEIGHTS:
            raise BadArgument(f"weights are {len(self.weights)}; right would be: {WEIGHTS}")

    @property
    def may_stop_early(self) -> bool:
        """Whether a lead in visits decides: not where other trees have a say."""
        return self.stop_early and self.processes == 1

    @property
    def memory(self) -> int:
        """The most bytes that one tree takes; `processes` of them are grown."""
        grown = self.nodes * NODE.itemsize + self.edges * EDGE.itemsize + ACTIONS * ROOT_EDGE.itemsize
        looked_at = (self.batch + 1) * LEAF.itemsize + (2 * self.batch + 1) * POSITION.itemsize
        return grown + looked_at + self.batch * np.dtype(np.int64).itemsize


def _check(name: str, value: Any, least: float, whole: bool = False, most: float = np.inf) -> None:
    kinds: tuple[type, ...] = (int,) if whole else (int, float)
    if type(value) not in kinds or not least <= value <= most or value == np.inf:
        end = "on" if most == np.inf else f"to {most}"
        raise BadArgument(f"{name} is {shown(value)}; right would be: a number from {least} {end}")


# ---- judges from outside


class Evaluation(NamedTuple):
    """What an evaluator says of n positions."""

    priors: np.ndarray
    """[n, ACTIONS]: how good each action looks, 0 or more; those of illegal actions are not looked at."""
    win_share: np.ndarray
    """[n, players]: the share of the win that each seat is expected to have."""
    points: np.ndarray
    """[n, players]: the points that each seat is expected to have in the end."""


class Evaluator(Protocol):
    """A judge of positions: a prior and a value. To be pickled with the bot, and to answer alike every time."""

    def evaluate(self, board: Board, positions: np.ndarray) -> Evaluation:
        """Judge positions (records of `embertown.cronberg.rules.POSITION`) in which somebody acts.

        Among the positions of a batch may be such as are over: what is said of them is not looked at.
        """


def checked(found: Any, positions: np.ndarray) -> Evaluation:
    """An evaluator's answer about these positions as the kernels take it; they would not notice what is wrong."""
    count, players, going_on = len(positions), int(positions["players"][0]), positions["phase"] != Phase.OVER
    widths = {"priors": ACTIONS, "win_share": players, "points": players}
    if not isinstance(found, tuple) or len(found) != len(widths):
        raise BadArgument(f"an evaluator gave {type(found).__name__}; right would be: an Evaluation")
    parts = []
    for (name, width), part in zip(widths.items(), found, strict=True):
        array = np.ascontiguousarray(part, np.float64)
        if array.shape != (count, width):
            raise BadArgument(f"an evaluator's {name} has shape {array.shape}; right would be: {(count, width)}")
        judged = array[going_on]
        if not np.isfinite(judged).all() or (name != "points" and (judged < 0).any()):
            raise BadArgument(f"an evaluator's {name} are not numbers from 0 on; right would be: finite ones")
        parts.append(array)
    if not np.allclose(parts[1][going_on].sum(axis=1), 1.0, atol=SUM_TOLERANCE):
        raise BadArgument("an evaluator's win_share does not sum to 1 for every position; right would be: shares")
    return Evaluation(*parts)


# ---- one tree


class RootResult(NamedTuple):
    """What a tree tells of its root; of several trees for one position it can be added up."""

    actions: tuple[int, ...]
    visits: np.ndarray
    """[action]"""
    win_share: np.ndarray
    """[action, seat], summed over the visits."""
    points: np.ndarray
    line: tuple[str, ...]
    """What is expected, from the most visited action on."""
    simulations: int

    @property
    def best(self) -> int:
        """The index of the most visited action; of equals the first, which looked likeliest."""
        return int(np.argmax(self.visits))


class Tree:
    """One tree over its arrays: grown by slices, then asked what it saw."""

    def __init__(self, settings: SearchSettings, board: Board, root: np.ndarray, seed: str) -> None:
        self.settings, self.board, self.root = settings, board, root
        self.nodes, self.edges = np.empty(settings.nodes, NODE), np.empty(settings.edges, EDGE)
        self.roots = np.zeros(ACTIONS, ROOT_EDGE)
        self.work, self.leaves = np.zeros(settings.batch, POSITION), np.zeros(settings.batch, LEAF)
        self.scratch, self.second = np.zeros(1, POSITION), np.zeros(1, LEAF)
        self.waiting = np.zeros(settings.batch, np.int64)
        self.asking = np.zeros(settings.batch, POSITION)
        self.tree = _tree_of(settings, seed)

    def plant(self, evaluator: Evaluator | None) -> None:
        """Make the root."""
        arrays = self.board.box, self.tree, self.nodes, self.edges, self.root
        given = None if evaluator is None else checked(evaluator.evaluate(self.board, self.root), self.root).priors
        if given is None:
            self.tree["ask_at"] = 0  # nobody would answer
        if given is None or self.settings.ask_at > 0:
            kernels.plant(*arrays)
        else:
            kernels.plant_with(*arrays, given)
        if given is not None and self.settings.ask_at > 0:
            self.waiting[0], self.tree["asked"][0] = self.tree["root"][0], 1
            kernels.answer(self.tree, self.nodes, self.edges, self.waiting, given)

    def grow(self, simulations: int, evaluator: Evaluator | None = None) -> None:
        """So many simulations more, judged by playouts; where an evaluator is given it is asked for priors."""
        made = 0
        while made < simulations:
            made += self._simulate(simulations - made)
            if evaluator is not None and self.tree["asked"][0] == len(self.waiting):
                found = checked(evaluator.evaluate(self.board, self.asking), self.asking)
                kernels.answer(self.tree, self.nodes, self.edges, self.waiting, found.priors)

    def _simulate(self, simulations: int) -> int:
        made: int = kernels.simulate(
            self.board.box,
            self.tree,
            self.nodes,
            self.edges,
            self.roots,
            self.root,
            self.work,
            self.leaves,
            self.waiting,
            self.asking,
            simulations,
        )
        return made

    def grow_with(self, evaluator: Evaluator, simulations: int) -> None:
        """So many simulations more, at most a batch, judged by an evaluator."""
        arrays = self.board.box, self.tree, self.nodes, self.edges
        kernels.descend_many(*arrays, self.root, self.work, self.leaves, simulations)
        found = evaluator.evaluate(self.board, self.work[:simulations])
        priors, wins, points = checked(found, self.work[:simulations])
        judged = priors, wins, points, self.scratch, self.second
        kernels.take_in(*arrays, self.roots, self.work, self.leaves, *judged, simulations)

    def root_visits(self) -> np.ndarray:
        """How often each action was taken at the root."""
        visits: np.ndarray = self.edges["visits"][: int(self.nodes["count"][0])]
        return visits

    def result(self, simulations: int) -> RootResult:
        """What was seen."""
        count, players = int(self.nodes["count"][0]), int(self.root["players"][0])
        return RootResult(
            tuple(self.edges["action"][:count].tolist()),
            self.root_visits().astype(np.int64),
            self.roots["win_share"][:count, :players].copy(),
            self.roots["points"][:count, :players].copy(),
            tuple(self.line()),
            simulations,
        )

    def line(self) -> list[str]:
        """What is expected to happen: the most visited edges, from the root down."""
        texts: list[str] = []
        position, node = self.root.copy(), 0
        while node != NO_NODE:
            first, count = int(self.nodes["first"][node]), int(self.nodes["count"][node])
            edge = first + int(np.argmax(self.edges["visits"][first : first + count]))
            if self.edges["visits"][edge] == 0:
                break
            texts.append(self._do(position, node, int(self.edges["action"][edge])))
            node = int(self.edges["child"][edge])
        return texts

    def _do(self, position: np.ndarray, node: int, action: int) -> str:
        """Do an action, or draw a kind, in the position; as it would stand in the log."""
        if self.nodes["seat"][node] == CHANCE_SEAT:
            rules.apply_outcome(position[0], action)
            return f"drawn {self.board.kinds[action]}"
        text = action_text(self.board, position[0], action)
        rules.apply(self.board.arrays, position[0], action)
        return text


def _tree_of(settings: SearchSettings, seed: str) -> np.ndarray:
    """The record that the kernels read the settings from."""
    made = np.zeros(1, TREE)
    tree, mind = made[0], made[0].mind
    for name in ("exploration", "caution", "sharpness", "win_weight", "lead_scale", "expand_after", "breadth", *ASKING):
        tree[name] = getattr(settings, name)
    mind.weights[:] = settings.weights
    mind.tries, mind.turns, mind.last_rhombi = settings.tries, settings.turns, settings.last_rhombi
    mind.seed = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
    return made


# ---- a search within a budget


class Task(NamedTuple):
    """A search for one process."""

    settings: SearchSettings
    evaluator: Evaluator | None
    view: View[Any]
    seconds: float | None
    simulations: int | None
    seed: str


def search_alone(task: Task, clock: Clock = time.monotonic) -> RootResult:
    """Grow one tree until the budget is spent, or no other action can become the most visited."""
    budget = Budget(task.seconds, task.simulations, clock)
    tree = Tree(task.settings, task.view.game.board, task.view.position_array(), task.seed)
    tree.plant(task.evaluator)
    while True:
        if task.evaluator is None or task.settings.ask_at > 0:
            made = budget.next_slice(SLICE)
            tree.grow(made, task.evaluator)
        else:
            made = budget.next_slice(task.settings.batch)
            tree.grow_with(task.evaluator, made)
        budget.spend(made)
        if budget.is_spent() or (task.settings.may_stop_early and is_decided(tree.root_visits(), budget)):
            return tree.result(budget.made)


def is_decided(visits: np.ndarray, budget: Budget) -> bool:
    """Whether the most visited action leads by more simulations than there is budget for."""
    second, most = np.partition(visits, -2)[-2:]
    return bool(most - second > budget.left())


def added_up(results: Sequence[RootResult]) -> RootResult:
    """What several trees saw of one root, together; the line is that of the first tree that agrees with all."""
    first = results[0]
    visits = np.sum([result.visits for result in results], axis=0)
    agreeing = [result.line for result in results if result.best == int(np.argmax(visits))]
    return RootResult(
        first.actions,
        visits,
        np.sum([result.win_share for result in results], axis=0),
        np.sum([result.points for result in results], axis=0),
        agreeing[0] if agreeing else (),
        sum(result.simulations for result in results),
    )


# ---- the bot


class CronbergSearch:
    """A bot that plays Cronberg by searching; see the module and `SearchSettings`."""

    def __init__(
        self,
        settings: SearchSettings | None = None,
        *,
        evaluator: Evaluator | None = None,
        name: str = "cronberg-search",
        clock: Clock = time.monotonic,
    ) -> None:
        self.settings = SearchSettings() if settings is None else settings
        self.evaluator, self.name, self.clock = evaluator, name, clock

    def choose(
        self, view: View[Any], *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        """An action for the seat that acts in the view, with all that was looked at."""
        check_view(view)
        if seconds is None and simulations is None:
            simulations = self.settings.simulations
        Budget(seconds, simulations, self._frozen)  # refuses what is wrong before anything else
        SeededChance(seed)
        actions = view.legal_actions
        if len(actions) == 1:
            return Choice(actions[0], Reasons(because="nothing else is legal", line=(view.text(actions[0]),)))
        found = self.search(view, seconds, simulations, seed)
        return Choice(found.actions[found.best], reasons_of(view, found))

    def search(self, view: View[Any], seconds: float | None, simulations: int | None, seed: int) -> RootResult:
        """Grow the trees and add up what they saw."""
        tasks = self.tasks(view, seconds, simulations, seed)
        if len(tasks) == 1:
            return search_alone(tasks[0], self.clock)
        return added_up(at_once(search_alone, tasks))

    def tasks(self, view: View[Any], seconds: float | None, simulations: int | None, seed: int) -> list[Task]:
        """What each process has to do: its share of the simulations, all of the seconds, a seed of its own."""
        shares = _shares(simulations, self.settings.processes)
        return [
            Task(self.settings, self.evaluator, view, seconds, share, f"{seed} {index}")
            for index, share in enumerate(shares)
        ]

    @staticmethod
    def _frozen() -> float:
        return 0.0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.settings!r}, evaluator={self.evaluator!r}, name={self.name!r})"


def _shares(simulations: int | None, processes: int) -> list[int | None]:
    """The simulations of each process: as many as the others, or one more."""
    if simulations is None:
        return [None] * processes
    each, rest = divmod(simulations, processes)
    return [each + (index < rest) for index in range(processes) if each + (index < rest) > 0]


def check_view(view: View[Any]) -> None:
    """Refuse a view in which its seat has nothing to choose."""
    if view.game.name != GAME:
        raise UnknownGame(view.game.name, [GAME])
    if view.is_over:
        raise BadArgument("the game is over; right would be: a view in which its seat acts")
    if view.viewer != view.seat:
        raise BadArgument(f"the view is of seat {view.viewer} and seat {view.seat} acts; right would be: its own view")


def reasons_of(view: View[Any], found: RootResult) -> Reasons:
    """What was looked at, the most visited first."""
    order = sorted(range(len(found.actions)), key=lambda index: -int(found.visits[index]))
    considered = tuple(
        Considered(
            found.actions[index],
            int(found.visits[index]),
            tuple((found.win_share[index] / found.visits[index]).tolist()),
            tuple((found.points[index] / found.visits[index]).tolist()),
        )
        for index in order
        if found.visits[index] > 0
    )
    line = found.line or (view.text(found.actions[found.best]),)
    return Reasons(considered=considered, line=line, simulations=found.simulations)
