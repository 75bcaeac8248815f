"""The end of the game, solved, against brute force over the oracle; what a budget does; how many rhombi can come."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from embertown.bots.cronberg_endgame import Solution, rhombi_to_come, solve
from embertown.core.chance import StatedChance
from embertown.cronberg.game import CronbergGame, CronbergState
from embertown.cronberg.view import CronbergView
from tests.conftest import JIT_OFF, examples
from tests.oracle.cronberg import Oracle
from tests.strategies import NUMBERS, PALETTES, STRIPS

pytestmark = pytest.mark.kernel

Value = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""By seat: shares of the win, points."""
MOST_POSITIONS = 150 if JIT_OFF else 1_000
"""What brute force may look at."""


class TooMany(Exception):
    """Brute force would take too long."""


@dataclass
class BruteForce:
    """The solution by the letter of its rules, over the oracle, with fractions and without any pruning."""

    all_settled: bool
    """Whether lesser settled crossings are tried too."""
    looked_at: int = 0

    def value(self, oracle: Oracle) -> Value:
        self.looked_at += 1
        if self.looked_at > MOST_POSITIONS:
            raise TooMany
        if oracle.winners is not None:
            each = Fraction(1, len(oracle.winners))
            shares = tuple(each if seat in oracle.winners else Fraction(0) for seat in range(oracle.players))
            return shares, tuple(map(Fraction, oracle.scores))
        if oracle.awaiting_chance:
            return self.mean(oracle)
        seat = oracle.seat
        assert seat is not None
        values = {action: self.value(after(oracle, action)) for action in self.tried(oracle)}
        return values[taken({action: value[0][seat] for action, value in values.items()})]

    def mean(self, oracle: Oracle) -> Value:
        outcomes = oracle.outcomes()
        total = sum(outcomes.values())
        shares, points = [Fraction(0)] * oracle.players, [Fraction(0)] * oracle.players
        for kind, left in outcomes.items():
            drawn = clone(oracle)
            drawn.drawn(kind)
            value = self.value(drawn)
            for seat in range(oracle.players):
                shares[seat] += value[0][seat] * left / total
                points[seat] += value[1][seat] * left / total
        return tuple(shares), tuple(points)

    def tried(self, oracle: Oracle) -> list[str]:
        """In the order in which equal ones are taken."""
        seat = oracle.seat
        assert seat is not None
        actions = oracle.legal()
        settled = {action for action in actions if is_settled(oracle, action)}
        if settled and not self.all_settled:
            actions -= settled - {min(settled, key=lambda action: order(oracle, action))}
        return sorted(actions, key=lambda action: order(oracle, action))


def taken(shares: dict[str, Fraction]) -> str:
    """The first of those with the greatest share; drawing, where that is the whole win."""
    if shares.get("draw") == 1:
        return "draw"
    return max(shares, key=lambda action: shares[action])


def order(oracle: Oracle, action: str) -> tuple[Any, ...]:
    """By what the seat leads by if the game ended after the action; then drawing; then as they are numbered."""
    assert oracle.seat is not None
    standing = after(oracle, action)
    points = list(standing.scores)
    for entry in [] if standing.over else standing.final_scoring():
        points[entry["seat"]] += entry["points"]
    own = points.pop(oracle.seat)
    return max(points) - own, number(oracle, action)


def number(oracle: Oracle, action: str) -> tuple[int, int]:
    """Crossings, places and turns are numbered in reading order."""
    if action in {"draw", "pass"}:
        return -1, 0
    word, where, *turn = action.split(" ")
    if word == "token":
        return oracle.board.crossings.index(where), 0
    one, two = where.split("+")
    turned = bool(turn) and turn[0] != f"^{oracle.board.sharp((one, two))[0]}"
    return oracle.board.pairs.index((one, two)), int(turned)


def is_settled(oracle: Oracle, action: str) -> bool:
    """A token on a crossing whose free triangles are all activated."""
    word, *where = action.split(" ")
    return word == "token" and oracle.board.around[where[0]] & oracle.free <= oracle.active


def clone(oracle: Oracle) -> Oracle:
    """A game of its own; what never changes is shared."""
    twin = copy.copy(oracle)
    twin.scores, twin.placed = list(oracle.scores), list(oracle.placed)
    twin.tokens, twin.moves = dict(oracle.tokens), list(oracle.moves)
    return twin


def after(oracle: Oracle, action: str) -> Oracle:
    twin = clone(oracle)
    twin.play(action)
    return twin


# ---- small games


def small_edition(chooser: random.Random) -> dict[str, Any]:
    """A hexagon of side 2 with most triangles left out, one or two tokens, a few rhombi."""
    places = [(strip, place) for strip, length in enumerate(STRIPS[2]) for place in range(length)]
    start = chooser.randrange(len(places))
    kept = set((places + places)[start : start + chooser.randint(4, 9)])
    kept |= set(chooser.sample(places, chooser.randint(0, 3)))
    palette = chooser.choice([*PALETTES, "PC", "PPC"])
    strips = [
        "".join(chooser.choice(palette) if (strip, place) in kept else "." for place in range(length))
        for strip, length in enumerate(STRIPS[2])
    ]
    rhombi = {}
    for name in ("inn", "church", "a")[: chooser.randint(1, 3)]:
        numbers = [chooser.choice(NUMBERS) for _ in range(2)] * 2
        if chooser.random() < 0.3:
            numbers = [chooser.choice(NUMBERS) for _ in range(4)]
        rhombi[name] = {"count": chooser.randint(1, 3), "numbers": numbers}
    return {
        "edition": {"id": "small", "game": "cronberg", "version": 1},
        "board": {"side": 2, "tokens": chooser.randint(1, 2), "triangles": strips},
        "rhombi": rhombi,
    }


class Puppet(StatedChance):
    """A source that says what it is told to say next."""

    def __init__(self) -> None:
        super().__init__({})
        self.next = 0

    def pick(self, label: str, weights: Any) -> int:  # noqa: ARG002
        return self.next


def small_end(chooser: random.Random, players: int, most_rhombi: int) -> tuple[CronbergState, Oracle] | None:
    """A random game on a random small edition, played until few rhombi can come; None where it ends before."""
    edition = small_edition(chooser)
    scores = [chooser.randint(-3, 3) for _ in range(players)]
    puppet = Puppet()
    state = CronbergGame(players, edition).start(chance=puppet, first=0, start_scores=scores)
    assert isinstance(state, CronbergState)
    oracle = Oracle(edition, players, 0, scores)
    extra = chooser.randint(0, 3)
    while not state.is_over:
        if rhombi_to_come(state.view(0)) <= most_rhombi and len(state.legal_actions) > 1:
            if extra == 0:
                return state, oracle
            extra -= 1
        text = chooser.choice(sorted(oracle.legal()))
        oracle.play(text)
        if text == "draw":
            kind = chooser.choice(sorted(oracle.outcomes()))
            puppet.next = state.board.kinds_by_name.index(state.board.kind_index[kind])
            oracle.drawn(kind)
        state.play(text)
    return None


def compared(players: int, seed: int, all_settled: bool) -> bool:
    """Every action's value, and the best one, against brute force; False where there is nothing to compare."""
    chooser = random.Random(f"{players} {seed}")
    found = small_end(chooser, players, chooser.choice((1, 2, 2, 3)))
    if found is None:
        return False
    state, oracle = found
    force = BruteForce(all_settled)
    try:
        values = {action: force.value(after(oracle, state.text(action))) for action in state.legal_actions}
    except TooMany:
        return False
    seat = state.seat
    assert seat is not None
    solution = solved(state.view(seat), every=True)
    assert {each.action for each in solution.considered} == set(values)
    for each in solution.considered:
        shares, points = values[each.action]
        assert each.win_share == tuple(map(float, shares))
        assert each.points == tuple(map(float, points))
    in_order = sorted(values, key=lambda action: order(oracle, state.text(action)))
    best = taken({state.text(action): values[action][0][seat] for action in in_order})
    assert state.text(solution.action) == best
    quick = solved(state.view(seat))
    assert (quick.action, quick.win_share, quick.points) == (solution.action, solution.win_share, solution.points)
    return True


def solved(view: CronbergView, **how: Any) -> Solution:
    solution = solve(view, **how)
    assert solution is not None
    return solution


@pytest.mark.parametrize("players", [2, 3, 4])
def test_values_are_those_of_brute_force(players: int) -> None:
    """With 2 players lesser settled crossings are tried by brute force and make no difference."""
    wanted = examples(25, 3)
    assert sum(compared(players, seed, all_settled=players == 2) for seed in range(3 * wanted)) >= wanted
