"""The kernels against the oracle: random games on random editions and options, compared after every action."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.drunter.game import DrunterGame, DrunterState
from tests.conftest import examples
from tests.oracle.drunter import Oracle
from tests.strategies_drunter import drunter_games

pytestmark = pytest.mark.kernel


def compare(state: DrunterState, oracle: Oracle) -> None:
    """All that both know of the position."""
    assert list(state.waiting) == oracle.waiting()
    for seat in range(state.game.players):
        assert {state.text(action) for action in state.legal_actions_of(seat)} == oracle.legal(seat)
        assert list(state.legal_actions_of(seat)) == sorted(set(state.legal_actions_of(seat)))
    assert [{kind: list(counts) for kind, counts in hand.items()} for hand in state.tiles] == oracle.tiles
    assert [list(cards) for cards in state.cards] == [list(hand) for hand in oracle.hands]
    assert {name: square for name, square in state.gangs.items() if square} == oracle.gangs
    covered = {square for tile in state.laid for square in tile.squares}
    assert covered == oracle.covered - set(state.board.gangs)
    assert state.record().to_dict().get("pending") == oracle.pending


def step(state: DrunterState, oracle: Oracle, chooser: random.Random) -> None:
    """One action for both: whoever is waited for, in any order."""
    seat = chooser.choice(oracle.waiting())
    text = chooser.choice(sorted(oracle.legal(seat)))
    if text.startswith("lay"):
        foretold = state.preview(text)
        assert f"lay {foretold.tile.text}" == text if foretold.tile else False
    oracle.play(seat, text)
    state.play(text, seat)


@settings(max_examples=examples(120, without_jit=15))
@given(game=drunter_games(), seed=st.integers(0, 2**32))
def test_random_games(game: dict[str, Any], seed: int) -> None:
    players, edition, options = game["players"], game["edition"], game["options"]
    chooser = random.Random(seed)
    state = DrunterGame(players, edition, **options).start(seed=1, first=game["first"], deal=game["deal"])
    oracle = Oracle(**game)
    compare(state, oracle)
    while not oracle.over:
        step(state, oracle, chooser)
        compare(state, oracle)
    record = state.record().to_dict()
    assert record["moves"] == oracle.moves
    assert record["final"] == oracle.final
    assert record["scores"] == list(oracle.scores)
    assert record["winners"] == list(oracle.winners)
    assert record["end"] == "complete"
