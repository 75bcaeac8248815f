"""What a placement is foreseen to do is what it does: told from views alone, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
import pytest

from embertown.core.chance import SeededChance
from embertown.core.jit import kernel
from embertown.cronberg.board import COAT, PARK
from embertown.cronberg.foresight import EFFECTS, foresee
from embertown.cronberg.game import CronbergGame, CronbergState
from embertown.cronberg.rules import FIRST_PLACEMENT
from embertown.cronberg.view import CronbergView
from tests.conftest import JIT_OFF

GAMES = 1 if JIT_OFF else 12
EDITIONS = ("cronberg-1726", "cronberg-quarters")


@kernel
def foreseen(board: np.ndarray, position: np.ndarray, seat: int, where: int, effects: np.ndarray) -> None:
    own_shown, others_shown, own_back, others_back = foresee(board[0], position[0], seat, where)
    effects[0], effects[1], effects[2], effects[3] = own_shown, others_shown, own_back, others_back


def shown(view: CronbergView, seat: int) -> int:
    """The score and what all tokens have to show, from the names and numbers that people read (C8.2)."""
    points = view.scores[seat]
    for crossing in (name for name, owner in view.tokens.items() if owner == seat):
        around = [view.board.symbol_of[t] for t in view.activated if crossing in view.board.corners_of[t]]
        numbers = view.numbers_at(crossing)
        positive = [abs(number) for number in numbers] if COAT in around else numbers
        points += sum(positive) * 2 ** around.count(PARK)
    return points


def placements(edition: str, players: int) -> Iterator[CronbergState]:
    """Positions in which a rhomb is to be placed, in games by lot."""
    for seed in range(GAMES):
        lots = np.random.Generator(np.random.PCG64(seed))
        state = cast("CronbergState", CronbergGame(players, edition).start(seed=seed))
        while not state.is_over:
            if state.drawn is not None:
                yield state
            state.play(int(lots.choice(state.legal_actions)))


@pytest.mark.kernel
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_what_is_foreseen_comes_true(edition: str, players: int) -> None:
    effects, seen = np.zeros(EFFECTS, np.int64), np.zeros(EFFECTS, np.int64)
    for state in placements(edition, players):
        action = int(state.legal_actions[len(state.log) % len(state.legal_actions)])
        seat = int(state.seat or 0)
        before = cast("CronbergView", state.view(seat))
        foreseen(state.board.box, before.position_array(), seat, action - FIRST_PLACEMENT, effects)
        after = before.sample(SeededChance(0))  # a state of its own that stands where this one does
        after.play(action)
        if after.is_over:
            continue  # the final scoring has come on top
        views = before, cast("CronbergView", after.view(seat))
        change = [shown(views[1], each) - shown(views[0], each) for each in range(players)]
        back = [views[1].supply[each] - views[0].supply[each] for each in range(players)]
        told = [change[seat], sum(change) - change[seat], back[seat], sum(back) - back[seat]]
        assert effects.tolist() == told, (state.position_text(), action)
        seen += effects != 0
    assert JIT_OFF or seen.min() > 0
