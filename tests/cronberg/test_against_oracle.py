"""The kernels against the oracle: random games on random editions, compared after every action."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.cronberg.face import CronbergFace
from embertown.cronberg.game import CronbergGame, CronbergState
from tests.conftest import examples
from tests.oracle.cronberg import Oracle
from tests.puppet import Puppet
from tests.strategies import cronberg_editions

pytestmark = pytest.mark.kernel


def compare(state: CronbergFace, oracle: Oracle) -> None:
    """All that both know of the position."""
    assert state.seat == oracle.seat
    assert {state.text(action) for action in state.legal_actions} == oracle.legal()
    assert list(state.legal_actions) == sorted(set(state.legal_actions))
    assert list(state.scores) == oracle.scores
    assert state.tokens == oracle.tokens
    assert list(state.supply) == list(oracle.supply)
    assert state.drawn == oracle.in_hand
    assert set(state.activated) == oracle.active
    assert {kind: n for kind, n in state.rhombi_left.items() if n} == oracle.outcomes()
    for crossing in state.board.crossings:
        assert state.numbers_at(crossing) == tuple(oracle.numbers_at(crossing))


def step(state: CronbergState, oracle: Oracle, puppet: Puppet, chooser: random.Random) -> None:
    """One action, and a draw's outcome, for both; what `preview` foretold must come about."""
    text = chooser.choice(sorted(oracle.legal()))
    foretold = state.preview(text)
    oracle.play(text)
    if text == "draw":
        kind = chooser.choice(sorted(oracle.outcomes()))
        puppet.next = state.board.kinds_by_name.index(state.board.kind_index[kind])
        oracle.drawn(kind)
        assert foretold.scores == state.scores
    state.play(text)
    if text != "draw":
        assert list(foretold.scores) == oracle.scores
        assert [scored.points for scored in foretold.scored] == [
            entry["points"] for entry in oracle.moves[-1].get("scored", [])
        ]
        assert list(foretold.activated) == oracle.moves[-1].get("activated", [])
        assert [driven.at for driven in foretold.driven] == [
            entry["at"] for entry in oracle.moves[-1].get("driven", [])
        ]
        assert (foretold.final is not None) == oracle.over


@settings(max_examples=examples(150, without_jit=20))
@given(
    edition=cronberg_editions(),
    players=st.integers(2, 4),
    first=st.integers(0, 3),
    carried=st.lists(st.integers(-200, 200), min_size=4, max_size=4),
    seed=st.integers(0, 2**32),
)
def test_random_games(edition: dict[str, Any], players: int, first: int, carried: list[int], seed: int) -> None:
    first, start_scores = first % players, carried[:players]
    puppet, chooser = Puppet(), random.Random(seed)
    state = CronbergGame(players, edition).start(chance=puppet, first=first, start_scores=start_scores)
    oracle = Oracle(edition, players, first, list(start_scores))
    compare(state, oracle)
    while not oracle.over:
        step(state, oracle, puppet, chooser)
        compare(state, oracle)
    record = state.record().to_dict()
    assert record["moves"] == oracle.moves
    assert record["final"] == oracle.final
    assert record["scores"] == oracle.scores
    assert record["winners"] == list(oracle.winners)
    assert record["end"] == "complete"
