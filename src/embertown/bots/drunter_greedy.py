"""`greedy` at Drunter & Drüber: never covers its own building when that can be avoided.

Among the tiles that leave its own objective worth most, it lays the one that covers the highest foreign value; until
it has chosen between two objectives, the better one counts first, and then the other. It votes by its own loss:
against a tile with as many votes as it would lose points, for its own tile with as many as the tile costs others,
else with ?. It chooses the objective that is worth more now. What is still equal goes by lot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from embertown.bots.contract import Choice, Reasons
from embertown.bots.lots import best_of
from embertown.drunter import rules
from embertown.drunter.consequences import covered_by, split_lay, tile_of, uncovered
from embertown.drunter.rules import (
    BLANK,
    CARDS,
    FIRST_CHOICE,
    FIRST_VOTE,
    JEEIIN,
    JEEIIN_WORTH,
    NO,
    OBJECTIVES,
    PASS,
    SAY_NO,
    SAY_YES,
    YES,
    Phase,
    Position,
)
from embertown.drunter.view import DrunterView


class Tiling(NamedTuple):
    """What a tile does: to the seat's real objective, or the better of two, and to everything else."""

    own: int
    """What the objective is worth afterwards."""
    loss: int
    spare: int
    """What the other objective is worth afterwards."""
    foreign: int
    """The value of the buildings covered that do not count for this seat."""
    needs_vote: bool

    @property
    def merit(self) -> tuple[int, ...]:
        """The more, the better; what can be laid without a vote comes first."""
        return self.own, self.spare, self.foreign, not self.needs_vote


def choose(view: DrunterView, seed: int) -> Choice:
    """The greedy action for the seat to act."""
    return CHOOSERS[view.phase](view, seed)


# ---- what objectives are worth


def _cards(view: DrunterView) -> list[int]:
    """The objectives that count for this seat: the real one, or before the choice both."""
    seat = _seat(view)
    chosen = view.chosen_by(seat)
    return [OBJECTIVES.index(card) for card in ((chosen,) if chosen else view.objectives_of(seat))]


def _seat(view: DrunterView) -> int:
    return view.seat or 0


def _worth(view: DrunterView, position: Position, cards: list[int]) -> list[int]:
    """What each of these objectives is worth, the best first."""
    points = [int(rules.points_of(view.board.arrays, position, card)) for card in cards]
    return sorted(points, reverse=True) or [0]


def _tiling(view: DrunterView, action: int) -> Tiling:
    """What a tile would do if it stays."""
    before, after = view._position, view._position.copy()
    rules.put_tile(after, *split_lay(action))
    cards = _cards(view)
    was, now = _worth(view, before, cards), _worth(view, after, cards)
    own = {square for card in cards for square in uncovered(view.board, before, card)}
    covered = covered_by(view.board, tile_of(view.board, before, action))
    foreign = sum(view.board.buildings[at][1] for at in covered if at in view.board.buildings and at not in own)
    needs_vote = bool(rules.needs_vote(view.board.arrays, before, *split_lay(action)))
    return Tiling(now[0], was[0] - now[0], now[-1], foreign, needs_vote)


# ---- what to do in each phase


def _lay(view: DrunterView, seed: int) -> Choice:
    actions = view.legal_actions
    if list(actions) == [PASS]:
        return Choice(PASS, Reasons(because="no tile can be laid"))
    found = {action: _tiling(view, action) for action in actions}
    action = best_of(view, {action: tiling.merit for action, tiling in found.items()}, seed)
    return Choice(action, Reasons(because=f"loses {found[action].loss}, covers {found[action].foreign} of others"))


def _vote(view: DrunterView, seed: int) -> Choice:
    """The cards whose votes come nearest to what is at stake, none of them for the other side."""
    tiling = _tiling(view, int(view._position.proposal))
    is_own = int(view._position.layer) == _seat(view)
    wish = -tiling.loss or (max(1, tiling.foreign) if is_own else 0)
    worth = {action: _nearness(action - FIRST_VOTE, wish) for action in view.legal_actions}
    return Choice(best_of(view, worth, seed), Reasons(because=f"the tile costs {tiling.loss}"))


def _nearness(cards: int, wish: int) -> tuple[int, ...]:
    """How well some cards fit a wish: so many votes for the tile, or where negative against it."""
    held = [card for card in range(len(CARDS)) if cards >> card & 1]
    jeeiin = JEEIIN_WORTH * (JEEIIN in held)
    yes, no = sum(YES[card] for card in held), sum(NO[card] for card in held)
    mine, other = (no, yes) if wish < 0 else (yes, no)
    return -other, -abs(mine + jeeiin - abs(wish)), -jeeiin, -len(held), BLANK in held


def _say(view: DrunterView, _seed: int) -> Choice:
    """What Jeeiin counts as: no, exactly where the tile would cost points."""
    loss = _tiling(view, int(view._position.proposal)).loss
    return Choice(SAY_NO if loss > 0 else SAY_YES, Reasons(because=f"the tile costs {loss}"))


def _choose_objective(view: DrunterView, seed: int) -> Choice:
    worth = {action: (_worth(view, view._position, [action - FIRST_CHOICE])[0],) for action in view.legal_actions}
    action = best_of(view, worth, seed)
    return Choice(action, Reasons(because=f"worth {worth[action][0]} now"))


CHOOSERS: dict[Phase, Callable[[DrunterView, int], Choice]] = {
    Phase.LAYING: _lay,
    Phase.VOTING: _vote,
    Phase.JEEIIN: _say,
    Phase.CHOOSING: _choose_objective,
}
