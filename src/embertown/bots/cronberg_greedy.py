"""`greedy` at Cronberg: what a placement scores now, and what a crossing may bring.

It places a rhomb where its own points now minus the best other player's are highest, and among those where the
rhomb's numbers do most for its own tokens. It places a token where the expected numbers are best, if they promise
`WORTH_A_TOKEN`; else it draws. What is still equal goes by lot.
"""

from __future__ import annotations

from embertown.bots.contract import Choice, Reasons
from embertown.bots.lots import best_of
from embertown.cronberg.rules import DRAW, FIRST_PLACEMENT, FIRST_TOKEN, TURNS
from embertown.cronberg.view import CronbergView

WORTH_A_TOKEN = 4.0
"""Expected points from which on a token is placed rather than a rhomb drawn."""
NUMBERS_PER_TRIANGLE = 2 / 3
"""A sharp corner lies on one triangle around a crossing, a blunt one on two; there are as many of both."""


def choose(view: CronbergView, seed: int) -> Choice:
    """The greedy action for the seat to act."""
    actions = view.legal_actions
    if view.drawn is not None:
        return _best(view, {action: _worth_of_placement(view, action) for action in actions}, seed)
    promises = expected_points(view)
    tokens = {action: (promises[action - FIRST_TOKEN], 0.0) for action in actions if action < DRAW}
    if DRAW in actions and max(tokens.values(), default=(0.0, 0.0))[0] < WORTH_A_TOKEN:
        return Choice(DRAW, Reasons(because="no crossing promises enough"))
    return _best(view, tokens, seed) if tokens else Choice(actions[0], Reasons(because="nothing else is legal"))


def expected_points(view: CronbergView) -> list[float]:
    """For each crossing, the numbers that point at it already and the mean of what may still come."""
    covered = {triangle for rhomb in view.rhombi for triangle in rhomb.on}
    left = view.rhombi_left
    total = sum(left.values())
    sums = zip(view.board.kinds, map(sum, view.board.numbers), strict=True)
    mean = sum(left[kind] * four / 4 for kind, four in sums) / total if total else 0.0
    free = dict.fromkeys(view.board.crossings, 0)
    for triangle, corners in view.board.corners_of.items():
        for crossing in corners if triangle not in covered else ():
            free[crossing] += 1
    return [sum(view.numbers_at(name)) + mean * count * NUMBERS_PER_TRIANGLE for name, count in free.items()]


def _worth_of_placement(view: CronbergView, action: int) -> tuple[float, float]:
    """Points now, own minus the best other's; then what the numbers do for the tokens that stay."""
    after = view.preview(action).scores
    gained = [now - before for now, before in zip(after, view.scores, strict=True)]
    promised = [0] * view.game.players
    place, turn = divmod(action - FIRST_PLACEMENT, TURNS)
    numbers = view.board.numbers[view.board.kind_index[view.drawn or ""]]
    for corner, crossing in enumerate(view.board.places[place].corners):
        if crossing in view.tokens:
            promised[view.tokens[crossing]] += numbers[(corner + 2 * turn) % 4]
    return _lead(view, gained), _lead(view, promised)


def _lead(view: CronbergView, points: list[int]) -> float:
    own = view.seat or 0
    return points[own] - max(value for seat, value in enumerate(points) if seat != own)


def _best(view: CronbergView, worth: dict[int, tuple[float, float]], seed: int) -> Choice:
    action = best_of(view, worth, seed)
    return Choice(action, Reasons(because=f"{worth[action][0]:+.1f} points"))
