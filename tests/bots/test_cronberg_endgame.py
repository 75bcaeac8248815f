"""The end of the game, solved, against brute force over the oracle; what a budget does; how many rhombi can come."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from embertown.bots.cronberg_endgame import (
    LINE_LENGTH,
    WIDTHS,
    Solution,
    approach,
    guessed_positions,
    rhombi_to_come,
    solve,
)
from embertown.core.errors import BadArgument
from embertown.cronberg.game import CronbergGame, CronbergState
from embertown.cronberg.view import CronbergView
from tests.conftest import JIT_OFF, examples
from tests.oracle.cronberg import Oracle
from tests.puppet import Puppet
from tests.strategies import NUMBERS, PALETTES, STRIPS

pytestmark = pytest.mark.kernel

Value = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""By seat: shares of the win, points."""
MOST_POSITIONS = 400 if JIT_OFF else 1_000
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
    check_widths(state.view(seat), solution)
    return True


def check_widths(view: CronbergView, exact: Solution) -> None:
    """A width that left nothing out has all the values; wider and wider ones end with those."""
    for width in WIDTHS:
        narrow = solved(view, every=True, width=width)
        if narrow.exact:
            assert valued(narrow) == valued(exact)
    approached = approach(view)
    assert approached is not None
    assert approached.exact
    assert valued(approached)[0] == valued(exact)[0]


def valued(solution: Solution) -> list[tuple[Any, ...]]:
    return [(each.action, each.win_share, each.points) for each in solution.considered]


def solved(view: CronbergView, **how: Any) -> Solution:
    solution = solve(view, **how)
    assert solution is not None
    return solution


@pytest.mark.parametrize("players", [2, 3, 4])
def test_values_are_those_of_brute_force(players: int) -> None:
    """With 2 players lesser settled crossings are tried by brute force and make no difference."""
    wanted = examples(25, 10)
    assert sum(compared(players, seed, all_settled=players == 2) for seed in range(4 * wanted)) >= wanted


# ---- on the published set


ENDS = {
    2: "cronberg:cronberg-1726 players=2 turn=0 hand=- scores=31,27 tokens=a3,b4/b5,e6,f3,g3 rhombi=gallows@A1+B2,"
    "cemetery@A2+A3,church@B1+C2,gallows@B3+B4,house@B5+C6,tannery@B6+B7,church@B8+B9,house@C1+D1,market@C3+C4,"
    "house@C5+D5,dungeon@C7+D7,market@C8+C9,city-hall@C10+C11,tannery@D2+E1,house@D3+D4,market@D6+E5,cemetery@D8+D9,"
    "church@D10+D11,city-hall@E2+E3,cemetery@E4+F3,dungeon@E6+E7,tannery@E8+F7,gallows@F1+F2,city-hall@F5+F6",
    4: "cronberg:cronberg-1726 players=4 turn=1 hand=- scores=17,2,19,7 tokens=a3,b1,d5/c2,e5,f2/b3,d1,d3/c1,c3,e2,g1 "
    "rhombi=dungeon@A2+A3,house@A5+A6,gallows@A7+B8,church@B2+B3,market@B5+C6,house@B6+B7,church@B9+C10,"
    "city-hall@C1+C2,cemetery@C3+C4,tannery@C5+D5,tannery@C7+C8,market@C9+D9,city-hall@C11+D11,gallows@D2+E1,"
    "gallows@D4+E3,church@D6+D7,church@D10+E9,city-hall@E2+F1,city-hall@E4+E5,dungeon@E6+F5,cemetery@E7+E8,"
    "tannery@F3+F4,house@F6+F7",
}
"""By players: a position near the end."""


def end(players: int) -> CronbergView:
    state = CronbergGame(players).position(ENDS[players])
    return state.view(state.seat)


def test_solution_tells_its_reasons() -> None:
    view = end(2)
    reasons = solved(view).reasons()
    assert reasons.exact
    assert reasons.simulations == solved(view).positions > 1
    assert sum(reasons.win_share) == pytest.approx(1)
    assert reasons.line[0] == view.text(reasons.considered[0].action)
    puppet = Puppet()
    played = CronbergGame(2).position(view.position_text(), chance=puppet)
    for entry, following in zip(reasons.line, (*reasons.line[1:], ""), strict=True):
        if entry == "draw":
            kind = played.board.kind_index[following.removeprefix("drawn ")]
            puppet.next = played.board.kinds_by_name.index(kind)
        if not entry.startswith("drawn "):
            played.play(entry)
    assert len(reasons.line) >= LINE_LENGTH or played.is_over


def test_a_share_of_actions_has_the_same_values() -> None:
    """What is left out on the way to the best changes no value (2 players)."""
    view = end(2)
    every = solved(view, every=True)
    assert {each.action for each in every.considered} == set(view.legal_actions)
    for action in view.legal_actions:
        alone = solved(view, among=[action])
        assert alone.win_share == next(each.win_share for each in every.considered if each.action == action)
        assert every.value_of(action, 0) == alone.win_share[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_nobody_would_come_to_changes_no_value(players: int) -> None:
    """Random games on the published set: the search that leaves positions out, and the one that does not."""
    compared = 0
    for seed in range(examples(120, 6)):
        chooser = random.Random(f"thorough {players} {seed}")
        state = CronbergGame(players).start(seed=seed, start_scores=[chooser.randint(0, 20) for _ in range(players)])
        while not state.is_over and rhombi_to_come(state.view(0)) > chooser.choice((1, 2, 3)):
            state.play(chooser.choice(state.legal_actions))
        if state.is_over:
            continue
        view = state.view(state.seat)
        quick = solve(view, every=True, positions=2_000 if JIT_OFF else 200_000)
        slow = solve(view, every=True, thorough=True, positions=2_000 if JIT_OFF else 1_000_000)
        if quick is not None and slow is not None:
            compared += 1
            assert [(e.action, e.win_share, e.points) for e in quick.considered] == [
                (e.action, e.win_share, e.points) for e in slow.considered
            ]
    assert compared >= examples(30, 1)


def test_the_best_crossing_left_goes_to_each_in_turn() -> None:
    """No rhomb can be drawn: with 4 players too, taking the best one is best (brute force tries all)."""
    view = end(4)
    assert rhombi_to_come(view) == 0
    assert view.text(solved(view).action) == "token e4"
    assert solved(view).positions <= len(view.legal_actions)


def test_positions_end_a_search_wherever_it_is_cut() -> None:
    view = end(2)
    needed = solved(view).positions
    assert solve(view, positions=needed - 1) is None
    assert solved(view, positions=2 * needed).considered == solved(view).considered


def test_clock_ends_a_search_at_the_first_look_after_the_deadline() -> None:
    times = iter([0.0, 0.5, 1.5])
    assert solve(end(2), seconds=1.0, clock=lambda: next(times)) is None
    assert next(times, None) is None


# ---- widths


MIDDLE = (
    "cronberg:cronberg-1726 players=3 turn=1 hand=- scores=21,35,27 tokens=d5,f2/b3,c4,e4/- rhombi=dungeon@A1+B2,"
    "cemetery@A2+A3,market@A5+A6,house@A7+B8,market@B3+B4,house@B5+C6,church@B6+B7,city-hall@B9+C10,cemetery@C3+C4,"
    "city-hall@C8+C9,city-hall@C11+D11,gallows@D1+D2,gallows@D3+D4,market@D6+D7,church@D8+E7,church@D9+D10,"
    "city-hall@E1+E2,market@E4+E5,tannery@E8+E9,tannery@F1+F2,tannery@F4+F5,house@F6+F7"
)


def middle() -> CronbergView:
    """Three players, two rhombi to come, tokens in hand: more crossings than a narrow width considers."""
    state = CronbergGame(3).position(MIDDLE)
    return state.view(state.seat)


def test_what_leaves_something_out_is_not_exact() -> None:
    view = middle()
    narrow = solved(view, width=WIDTHS[0])
    assert not narrow.exact
    assert sum(narrow.win_share) == pytest.approx(1)
    reasons = narrow.reasons(positions_each=20)
    assert not reasons.exact
    assert reasons.simulations == narrow.positions // 20
    assert reasons.considered[0].action == narrow.action
    visits = [each.visits for each in reasons.considered[1:]]
    assert visits == sorted(visits, reverse=True)
    assert sum(each.visits for each in reasons.considered) <= reasons.simulations
    assert reasons.line[0] == view.text(narrow.action)


def test_the_last_width_that_ended_counts() -> None:
    """A budget that just lets the first width end, one position less, and one for many more."""
    view = middle()
    first = solved(view, width=WIDTHS[0])
    assert approach(view, positions=first.positions - 1) is None
    just = approach(view, positions=first.positions)
    assert just is not None
    assert (just.exact, just.considered) == (False, first.considered)
    more = first.positions + (1_000 if JIT_OFF else 100_000)
    assert approach(view, positions=more) == approach(view, positions=more)


@pytest.mark.parametrize("late", range(2, examples(25, 4)))
def test_clock_ends_widening_at_the_first_look_after_the_deadline(late: int) -> None:
    looks: list[float] = []

    def clock() -> float:
        looks.append(0.0 if len(looks) < late else 2.0)
        return looks[-1]

    found = approach(middle(), seconds=1.0, clock=clock)
    assert looks.count(2.0) == 1
    assert found is None or not found.exact


def test_far_from_the_end_nothing_is_tried() -> None:
    view = CronbergGame(2).start(seed=1).view(0)
    assert isinstance(view, CronbergView)
    assert rhombi_to_come(view) == 27
    assert solve(view) is None
    assert guessed_positions(view) > 1e20


def test_what_is_asked_about_must_be_legal() -> None:
    with pytest.raises(BadArgument, match="legal actions"):
        solve(end(2), among=[end(2).legal_actions[-1] + 1])
    with pytest.raises(BadArgument, match="legal actions"):
        solve(end(2), among=[])


@pytest.mark.parametrize("seed", range(examples(40, 5)))
def test_rhombi_to_come_by_trying_all(seed: int) -> None:
    """Against the largest set of pairs side by side, found by trying all."""
    chooser = random.Random(f"matching {seed}")
    found = small_end(chooser, 2, 5)
    if found is None:
        return
    state, oracle = found
    left = sum(oracle.outcomes().values()) + (oracle.in_hand is not None)
    assert rhombi_to_come(state.view(0)) == min(left, most_pairs(oracle.free_pairs))


def most_pairs(pairs: list[tuple[str, str]]) -> int:
    if not pairs:
        return 0
    first, rest = pairs[0], pairs[1:]
    return max(most_pairs(rest), 1 + most_pairs([pair for pair in rest if not set(pair) & set(first)]))
