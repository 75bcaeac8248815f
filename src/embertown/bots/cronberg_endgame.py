"""The end of a game of Cronberg, solved: exact shares of the win and expected points.

Every seat wants the greatest share of the win for itself (two who win together have a half each); what is drawn comes
by the bag's odds (C2.1). With 2 players that settles every value. With 3 or 4 it matters what a seat does that is
indifferent, so these rules are part of the solution:

- Of actions with the same share a seat takes the one after which it leads by most (own points minus the best other's,
  if the game ended then); then drawing; then the lowest number. A seat that is sure to win draws if it still is then.
- A crossing that touches activated triangles only is *settled*: what a token there will score is known. Of the settled
  crossings a seat considers the best alone, the first of several. A lesser one can't be better for it against the same
  play of the others; with 2 players this changes no value. It holds after the first action: that one may be any.

Where that takes too long, `approach` gives estimates: the same search, in which seats do not consider every crossing.

Values are whole numbers until the end, so that equal shares are found equal. Positions are told apart by keys of 64
bits: that two positions of one search are taken for one has odds of about one in a hundred thousand million.

The memory is bounded: `MEMORY` bytes a thread, used again by its next search, nearly all of it for positions solved.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from embertown.bots import cronberg_endgame_kernels as kernels
from embertown.bots.budget import Budget, Clock, is_count
from embertown.bots.contract import Considered, Reasons
from embertown.bots.cronberg_endgame_positions import WHOLE
from embertown.core.errors import BadArgument, shown
from embertown.core.jit import copied
from embertown.cronberg import doors, rules, text
from embertown.cronberg.board import Board
from embertown.cronberg.consequences import members
from embertown.cronberg.edition import DEFAULT_EDITION, CronbergEdition
from embertown.cronberg.rules import DRAW, NOTHING, POSITION, Phase
from embertown.cronberg.view import CronbergView

MEMORY = kernels.SEARCH.itemsize
"""Bytes that a search takes: 64 MiB for the table of positions, 2 MiB for the rest."""
SLICE = 2_000
"""Positions between two looks at the clock: about a millisecond."""
LINE_LENGTH = 12
"""The line that is expected is told so far."""


class Width(NamedTuple):
    """How many crossings a seat considers besides drawing, with 1, 2, 3 and more rhombi to come.

    Those that promise most, and always the one that brings most at once.
    """

    hopeful: tuple[int, int, int]
    hopeless: tuple[int, int, int]
    """For a seat that would win nothing by drawing."""


ALL = rules.ACTIONS
WIDTHS = (
    Width(hopeful=(1, 2, 3), hopeless=(0, 1, 1)),
    Width(hopeful=(3, ALL, ALL), hopeless=(1, 2, 4)),
    Width(hopeful=(2, ALL, ALL), hopeless=(1, 3, ALL)),
    Width(hopeful=(ALL, ALL, ALL), hopeless=(ALL, ALL, ALL)),
)
"""From narrow to wide; the last one leaves nothing out. Far from the end it matters most that all is considered."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a position is worth: for sure, or by a search that considered the most promising crossings alone."""

    considered: tuple[Considered, ...]
    """The actions that were solved, the best first; of equal ones, the one that the rules above take first."""
    line: tuple[str, ...]
    """What is expected to happen, the likeliest rhomb drawn each time, as it would stand in the log."""
    positions: int
    """How many positions were solved."""
    exact: bool = True
    """Whether nothing was left out that might matter."""

    @property
    def action(self) -> int:
        """The best action."""
        return self.considered[0].action

    @property
    def win_share(self) -> tuple[float, ...]:
        """By seat: the share of the win."""
        return self.considered[0].win_share

    @property
    def points(self) -> tuple[float, ...]:
        """By seat: the points expected at the end."""
        return self.considered[0].points

    def value_of(self, action: int, seat: int) -> float:
        """A seat's share of the win after an action that was solved."""
        return next(each.win_share[seat] for each in self.considered if each.action == action)

    def reasons(self, positions_each: int = 1) -> Reasons:
        """As a bot tells them; of an estimate, with so many positions counted as one simulation."""
        if self.exact:
            return Reasons(considered=self.considered, line=self.line, simulations=self.positions, exact=True)
        considered = [replace(each, visits=each.visits // positions_each) for each in self.considered]
        considered[1:] = sorted(considered[1:], key=lambda each: -each.visits)
        return Reasons(considered=tuple(considered), line=self.line, simulations=self.positions // positions_each)


# ---- how much there is to solve


def rhombi_to_come(view: CronbergView) -> int:
    """How many more rhombi can be placed at most, one in hand among them (C3.3, C5).

    As many as pairs of free neighbouring triangles can be laid side by side, and no more than there are.

    >>> import embertown
    >>> rhombi_to_come(embertown.load("cronberg").start(seed=1).view(0))
    27
    """
    position = view.position_array()[0]
    left = int(position.left) + (int(position.in_hand) != NOTHING)
    return min(left, _largest_matching(view.board, int(position.free)))


def _largest_matching(board: Board, free: int) -> int:
    """By augmenting paths: triangles point up or down, and neighbours never the same way."""
    neighbours = {triangle: list(members(int(board.arrays.neighbours[triangle]) & free)) for triangle in members(free)}
    ups = [triangle for triangle in neighbours if _points_up(board, triangle)]
    partner: dict[int, int] = {}

    def find_partner(triangle: int, seen: set[int]) -> bool:
        for other in neighbours[triangle]:
            if other in seen:
                continue
            seen.add(other)
            if other not in partner or find_partner(partner[other], seen):
                partner[other] = triangle
                return True
        return False

    return sum(find_partner(triangle, set()) for triangle in ups)


def _points_up(board: Board, triangle: int) -> bool:
    """Whether two of a triangle's corners lie in its lower row."""
    rows = [corner[0] for corner in board.corners_of[board.triangles[triangle]]]
    return rows.count(max(rows)) > 1


def guessed_positions(view: CronbergView) -> float:
    """About how many positions a solution takes, to see whether to try at all; ten times more or fewer is common.

    Fitted to the ends of 240 games of `greedy` with 2 to 4 players. A core looks at 1.5 to 2 million a second.
    """
    rhombi = rhombi_to_come(view)
    if rhombi == 0:
        return 1.0
    position = view.position_array()
    crossings = kernels.unsettled_crossings(view.board.box, position)
    kinds = int(np.count_nonzero(position[0].bag))
    in_hand = int(position[0].in_hand) != NOTHING
    tokens = sum(view.supply)
    return float(10 ** (1.37 * rhombi + 0.055 * crossings + 0.2 * tokens + 0.38 * kinds - 0.96 * in_hand - 3.2))


# ---- solving


def solve(
    view: CronbergView,
    *,
    seconds: float | None = None,
    positions: int | None = None,
    among: Sequence[int] | None = None,
    every: bool = False,
    thorough: bool = False,
    width: Width | None = None,
    clock: Clock = time.monotonic,
) -> Solution | None:
    """Solve a position for the seat to act; None where that did not end within the budget, or is out of reach.

    `among` are the actions to be solved: all that are legal, where not given. Unless `every` one is asked for, the
    solution tells those alone that were solved on the way to the best. A `thorough` search also solves every position
    that no seat would come to: the same values in far more time. With a `width` a seat does not consider every
    crossing after the first action, and `Solution.exact` tells whether any were left out. A budget of positions gives
    the same result on every machine.
    """
    _check_positions(positions)
    solver = _solver(view, Budget(seconds, positions, clock))
    wanted = list(view.legal_actions if among is None else among)
    if not wanted or not set(wanted) <= set(view.legal_actions):
        raise BadArgument(f"among is {shown(among)}; right would be: legal actions, and a game that is not over")
    return solver.solve(wanted, _How(every, thorough, width or WIDTHS[-1])) if solver else None


def approach(
    view: CronbergView, *, seconds: float | None = None, positions: int | None = None, clock: Clock = time.monotonic
) -> Solution | None:
    """Solve a position with each of `WIDTHS` in turn, as long as the budget lasts or until nothing is left out.

    The solution of the last one that ended; None where the first one did not.
    """
    _check_positions(positions)
    solver = _solver(view, Budget(seconds, positions, clock))
    found: Solution | None = None
    for width in WIDTHS if solver else ():
        assert solver is not None
        best_first = [each.action for each in found.considered] if found else []
        wider = solver.solve(list(view.legal_actions), _How(width=width, first=best_first))
        found = wider or found
        if wider is None or wider.exact or solver.budget.left() <= 0:
            break
    return found


def _check_positions(positions: int | None) -> None:
    if positions is not None and not is_count(positions):
        raise BadArgument(f"positions is {shown(positions)}; right would be: a whole number from 1 on")


def _solver(view: CronbergView, budget: Budget) -> _Solver | None:
    """What solves this position; None where it is out of reach."""
    if not isinstance(view, CronbergView):
        raise BadArgument(f"solve was given {type(view).__name__}; right would be: a view of a game of Cronberg")
    prepare()
    draws = rhombi_to_come(view)
    return None if draws > kernels.MOST_RHOMBI else _Solver(view, draws, budget)


def _best_of(found: dict[int, Considered], shares: dict[int, int], rank: dict[int, int]) -> list[Considered]:
    """The best first; of equal ones, the one that is taken first."""
    return [found[action] for action in sorted(found, key=lambda action: (-shares[action], rank[action]))]


class _How(NamedTuple):
    """What is to be found out."""

    every: bool = False
    thorough: bool = False
    width: Width = WIDTHS[-1]
    first: Sequence[int] = ()
    """The actions to begin with, after drawing: the better they are, the less is to be solved of others."""


class _Solver:
    """One position with its budget."""

    def __init__(self, view: CronbergView, draws: int, budget: Budget) -> None:
        self.board, self.start, self.budget = view.board, view.position_array(), budget
        self.players, self.seat = view.game.players, int(self.start[0].seat)
        self.searches = _room.searches
        self.search = self.searches[0]
        self.search.lasts["key"] = 0  # another edition's, perhaps
        left = int(self.start[0].left)
        self.search.progress[kernels.LAST_LEFT] = left + (int(self.start[0].in_hand) != NOTHING) - draws
        self.search.units[:] = 1
        for drawn in range(max(left - draws, 0) + 1, left + 1):
            self.search.units[drawn] = self.search.units[drawn - 1] * drawn

    def solve(self, actions: list[int], how: _How) -> Solution | None:
        """Each action in turn, drawing first; a certain win ends it, and what would not be taken is left out."""
        self._begin(how)
        rank = self._ranks(actions)
        shares: dict[int, int] = {}
        found: dict[int, Considered] = {}
        tried: set[int] = set()
        for action in self._in_order(actions, how.first, rank):
            floors = [share - (rank[action] < rank[each]) for each, share in shares.items()]
            before, after = self.solved, self._after(self.start, action)
            if not self._run(after, kernels.NO_FLOOR if how.every else max(floors, default=kernels.NO_FLOOR)):
                is_known = bool(how.first) and how.first[0] in tried
                return self._told(_best_of(found, shares, rank), cut_off=True) if is_known and found else None
            tried.add(action)
            if int(self.search.progress[kernels.BOUNDED]) != kernels.EXACT:
                continue
            shares[action] = int(self.search.shares[self.seat])
            found[action] = Considered(action, self.solved - before, *self._values(int(after[0].left)))
            is_sure = found[action].win_share[self.seat] == 1.0
            if is_sure and action == DRAW:
                rank[DRAW] = -1
            if is_sure and not how.every:
                break
        return self._told(_best_of(found, shares, rank))

    def _in_order(self, actions: list[int], first: Sequence[int], rank: dict[int, int]) -> list[int]:
        order = {action: number for number, action in enumerate(first)}
        return sorted(actions, key=lambda each: (each != DRAW, order.get(each, len(order)), rank[each]))

    def _begin(self, how: _How) -> None:
        """What the table knows from other searches does not count."""
        self.search.progress[kernels.NUMBER] += 1
        self.search.progress[kernels.THOROUGH] = how.thorough
        for to_come in range(1, kernels.MOST_RHOMBI + 1):
            narrow = min(to_come, len(how.width.hopeful)) - 1
            self.search.widths[to_come] = how.width.hopeful[narrow], how.width.hopeless[narrow]
        self.search.progress[kernels.LEFT_OUT] = 0
        self.solved = 0
        self.most: int | None = None

    def _told(self, considered: list[Considered], *, cut_off: bool = False) -> Solution:
        """With the line, which must not cost more than the solution."""
        positions, exact = self.solved, not self.search.progress[kernels.LEFT_OUT] and not cut_off
        self.most = 0 if cut_off else positions + (positions if exact else positions // 10) + SLICE
        return Solution(tuple(considered), tuple(self._line(considered[0].action)), positions, exact)

    def _ranks(self, actions: list[int]) -> dict[int, int]:
        """In which order a seat takes actions with the same share."""
        leads = np.zeros(len(actions), np.int64)
        kernels.leads_after(self.board.box, self.searches, self.start, np.array(actions, np.int64), leads)
        keys = {action: (-int(lead), action != DRAW, action) for action, lead in zip(actions, leads, strict=True)}
        return {action: rank for rank, action in enumerate(sorted(actions, key=keys.__getitem__))}

    def _after(self, position: np.ndarray, action: int) -> np.ndarray:
        after = copied(position[0], POSITION)
        doors.apply(self.board.box, after, action)
        return after

    def _run(self, position: np.ndarray, floor: int = kernels.NO_FLOOR) -> bool:
        """Solve one position in slices, if it may bring more than a floor; whether it ended within the budget."""
        kernels.begin(self.searches, position, self.seat, floor)
        done = False
        while not done:
            if (self.most is not None and self.solved > self.most) or self.budget.is_spent():
                return False
            before = int(self.search.progress[kernels.SOLVED])
            until = before + self.budget.next_slice(SLICE)
            done = kernels.solve_slice(self.board.box, self.searches, until)
            made = int(self.search.progress[kernels.SOLVED]) - before
            self.budget.spend(made)
            self.solved += made
        return True

    def _values(self, left: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The result as shares and points."""
        unit = int(self.search.units[left])
        shares = self.search.shares[: self.players].tolist()
        points = self.search.points[: self.players].tolist()
        return tuple(share / (WHOLE * unit) for share in shares), tuple(each / unit for each in points)

    # ---- the line

    def _line(self, action: int) -> list[str]:
        """What is expected from an action on, as far as the budget goes."""
        position, said = self.start, [text.action_text(self.board, self.start[0], action)]
        while True:
            position = self._after(position, action)
            if int(position[0].phase) == Phase.CHANCE:
                kind = int(position[0].bag.argmax())
                rules.apply_outcome(position[0], kind)
                said.append(f"drawn {self.board.kinds[kind]}")
            if int(position[0].phase) == Phase.OVER or len(said) >= LINE_LENGTH:
                return said
            following = self._best(position)
            if following is None:
                return said
            action = following
            said.append(text.action_text(self.board, position[0], action))

    def _best(self, position: np.ndarray) -> int | None:
        """The best action of a position, or None where the budget is spent."""
        if int(position[0].phase) == Phase.CHOICE and not rules.can_draw(position[0]):
            return int(kernels.settled_choice(self.board.box, position))
        return int(self.search.frames[0].best) if self._run(position) else None


@cache
def prepare() -> None:
    """Compile what a search needs, so that the first one has its whole time; done once a process."""
    board = CronbergEdition.find(DEFAULT_EDITION).layout
    searches = _room.searches
    start = np.zeros(1, POSITION)
    start[0].phase = Phase.OVER
    start[0].players = rules.MIN_PLAYERS
    kernels.begin(searches, start, 0, kernels.NO_FLOOR)
    kernels.solve_slice(board.box, searches, 1)
    kernels.settled_choice(board.box, start)
    kernels.unsettled_crossings(board.box, start)
    kernels.leads_after(board.box, searches, start, np.zeros(0, np.int64), np.zeros(0, np.int64))


class _Room(threading.local):
    """The arrays that the searches of a thread use one after the other."""

    def __init__(self) -> None:
        self.searches = kernels.new_search()


_room = _Room()
