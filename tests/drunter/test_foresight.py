"""What a tile is foreseen to take is what it takes; whom play speaks against is suspected less."""

from __future__ import annotations

import random
from typing import cast

import numpy as np
import pytest

from embertown.core.chance import SeededChance
from embertown.drunter import observation as seen
from embertown.drunter import rules
from embertown.drunter.board import BUILDINGS
from embertown.drunter.game import DrunterGame, DrunterState
from embertown.drunter.memory import MEMORY
from embertown.drunter.rules import OBJECTIVES, Phase
from tests.conftest import JIT_OFF

pytestmark = pytest.mark.kernel

DECISIONS = 3 if JIT_OFF else 60
OWN_LOST, OTHERS_LOST, NEEDS_VOTE = 0, 1, 4


def layers(row: np.ndarray) -> np.ndarray:
    return row[seen.LAYOUT["lays"]].reshape(seen.FORESEEN, rules.PASS)


def suspicions(row: np.ndarray, others: int) -> np.ndarray:
    """By other seat and kind, counted from the own one."""
    return row[seen.LAYOUT["suspicions"]].reshape(seen.OTHERS, len(OBJECTIVES))[:others, : len(BUILDINGS)]


def kinds_from(own: str) -> list[str]:
    """Kinds of buildings, counted from the own one."""
    first = BUILDINGS.index(own)
    return [*BUILDINGS[first:], *BUILDINGS[:first]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_foreseen_comes_true(players: int) -> None:
    state, chooser, looked = DrunterGame(players).start(seed=players), random.Random(players), 0
    while not state.is_over and len(state.log) < DECISIONS:
        seat = chooser.choice(state.waiting)
        if state.phase is Phase.LAYING:
            looked += check_lays(state, seat)
        state.play(chooser.choice(state.legal_actions_of(seat)), seat)
    assert looked > 0


def check_lays(state: DrunterState, seat: int) -> int:
    """Lay every tile that needs no vote, and count what is gone; how many buried something."""
    view = state.view(seat)
    row = seen.observation(view)
    told, likely = layers(row), suspicions(row, state.game.players - 1)
    kinds, buried = kinds_from(state.objectives_of(seat)[0]), 0
    assert np.allclose(likely.sum(axis=1), 1, atol=1e-5)
    assert not likely[:, 0].any(), "nobody else has one's own card (D2.1)"
    for action in state.legal_actions_of(seat):
        if action >= rules.PASS:
            continue
        after = cast("DrunterState", view.sample(SeededChance(1)))
        after.play(action, seat)
        assert told[NEEDS_VOTE, action] == (after.phase is Phase.VOTING)
        if after.phase is Phase.VOTING:
            continue
        lost = np.array([state.worth_of(kind) - after.worth_of(kind) for kind in kinds])
        assert told[OWN_LOST, action] == pytest.approx(lost[0] / seen.MOST_VALUE)
        assert told[OTHERS_LOST, action] == pytest.approx((likely @ lost).sum() / seen.MOST_VALUE, abs=1e-4)
        buried += bool(lost.any())
    return buried


@pytest.mark.parametrize("what", ["buried", "neared", "voted"])
def test_who_harms_a_kind_is_suspected_of_it_less(what: str) -> None:
    state = DrunterGame(3).start(seed=5)
    own, position = BUILDINGS.index(state.objectives_of(0)[0]), state.view(0).position_array()
    seen_before, seen_after = (np.zeros(seen.OBSERVATION, np.float32) for _ in range(2))
    memory = np.zeros(1, MEMORY)
    seen.observe_boxed(state.board.box, position, memory, 0, 0, seen_before)
    memory[what][0, 1, (own + 2) % len(BUILDINGS)] = 3
    seen.observe_boxed(state.board.box, position, memory, 0, 0, seen_after)
    before, after = suspicions(seen_before, 2), suspicions(seen_after, 2)
    assert np.allclose(before[:, 1:], 1 / (len(BUILDINGS) - 1))
    assert after[0, 2] < before[0, 2]
    assert (np.delete(after[0], [0, 2]) > np.delete(before[0], [0, 2])).all()
    assert np.array_equal(after[1], before[1])
