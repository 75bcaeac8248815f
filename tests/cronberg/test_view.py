"""A view: all is public but the order of the rhombi, and nobody can tell the next one from it (C2.1)."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.chance import SeededChance, StatedChance
from embertown.core.errors import BadArgument
from embertown.core.game import State
from embertown.cronberg.game import CronbergGame, CronbergState
from embertown.cronberg.view import CronbergView
from tests.conftest import JIT_OFF
from tests.looking import reachable


def twins(seed: int, turns: int, players: int) -> tuple[CronbergState, CronbergState]:
    """Two states with the same past and different draws to come."""
    game = CronbergGame(players)
    one = game.start(seed=seed, first=0)
    for number in range(turns):
        actions = one.legal_actions
        if not actions:
            break
        one.play(actions[(seed + number * 7) % len(actions)])
    drawn = [entry.text.removeprefix("drawn ") for entry in one.log if entry.seat is None]
    stated = {f"draw {n}": sorted(game.board.kinds).index(kind) for n, kind in enumerate(drawn, start=1)}
    other = game.start(chance=StatedChance(stated, SeededChance(seed + 1)), first=0)
    for entry in one.log:
        if entry.seat is not None:
            other.play(entry.text)
    return one, other


@settings(max_examples=5 if JIT_OFF else 60)
@given(seed=st.integers(0, 10**6), turns=st.integers(0, 70), players=st.integers(2, 4))
def test_states_that_differ_only_in_hidden_chance_have_equal_views(seed: int, turns: int, players: int) -> None:
    one, other = twins(seed, turns, players)
    for seat in (None, *range(players)):
        mine, theirs = one.view(seat), other.view(seat)
        assert mine == theirs
        assert hash(mine) == hash(theirs)
        assert repr(mine) == repr(theirs)
        assert pickle.dumps(mine) == pickle.dumps(theirs)
        assert mine.record().to_json() == theirs.record().to_json() == one.record().to_json()
        assert mine.svg() == theirs.svg()
        assert mine.position_text() == theirs.position_text()
        assert mine.legal_actions == theirs.legal_actions == one.legal_actions
        assert reachable(mine, {}) == reachable(theirs, {})


def test_no_source_of_chance_and_no_state_is_within_a_views_reach() -> None:
    view = CronbergGame(3).start(seed=3).play("draw").view(0)
    found: dict[int, Any] = {}
    reachable(view, found)
    assert not [thing for thing in found.values() if isinstance(thing, State) or hasattr(thing, "pick")]


def test_the_twins_do_differ_in_what_comes() -> None:
    """Otherwise the tests above would prove nothing."""
    futures = []
    for state in twins(seed=4, turns=10, players=2):
        future = []
        while not state.is_over:
            state.play(state.legal_actions[-1])
            future.append(state.drawn)
        futures.append(future)
    assert futures[0] != futures[1]


def test_views_of_different_seats_or_positions_differ() -> None:
    state = CronbergGame(2).start(seed=1, first=0)
    before = state.view(0)
    assert before != state.view(1)
    assert before != state.view(None)
    state.play("token d4")
    assert before != state.view(0)
    assert before.tokens == {}, "a view stays as it was"


def test_a_view_samples_states_that_fit_it() -> None:
    state = CronbergGame(2).start(seed=1, first=0).play("token d4").play("draw")
    view = state.view(1)
    samples = [view.sample(SeededChance(seed)) for seed in range(20)]
    assert all(sample.view(1) == view for sample in samples)
    assert all(sample.record().to_json() == state.record().to_json() for sample in samples)
    nexts = {sample.play(sample.legal_actions[0]).play("draw").drawn for sample in samples}
    assert len(nexts) > 3


def test_a_view_survives_pickling() -> None:
    view = CronbergGame(2).start(seed=1).play("draw").view(0)
    again: CronbergView = pickle.loads(pickle.dumps(view))
    assert again == view
    assert again.legal_actions == view.legal_actions


def test_a_seat_that_does_not_exist_has_no_view() -> None:
    with pytest.raises(BadArgument, match="0 to 1, or None"):
        CronbergGame(2).start(seed=1).view(2)
