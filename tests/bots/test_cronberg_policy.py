"""What the search's playouts and priors know, against the rules' own consequences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import embertown
from embertown.bots import cronberg_policy as policy
from embertown.bots import cronberg_tree as tree
from embertown.core.chance import SeededChance
from embertown.cronberg.rules import ACTIONS, FIRST_PLACEMENT, MAX_PLAYERS, POSITION, Phase
from tests.conftest import JIT_OFF, examples


def positions(players: int, games: int, edition: str = "cronberg-1726") -> Any:
    """States of random games, before every action."""
    for seed in range(games):
        state = embertown.load("cronberg", players=players, edition=edition).start(seed=seed, first=0)
        while not state.is_over:
            yield state
            actions = state.legal_actions
            state.play(actions[SeededChance(seed).pick(f"choice {len(state.log)}", [1] * len(actions))])


def mind(**weights: float) -> np.ndarray:
    """A mind that knows nothing but these."""
    made = np.zeros(1, policy.MIND)
    made[0].tries, made[0].turns, made[0].seed = 3, 1_000, 1
    for name, value in weights.items():
        made[0].weights[getattr(policy, name)] = value
    return made


@pytest.mark.kernel
@pytest.mark.parametrize("edition", ["cronberg-1726", "cronberg-quarters"])
def test_without_promises_a_gain_is_what_is_scored_at_once(edition: str) -> None:
    """C6.1: own points minus the other's."""
    seen = 0
    knows_nothing = mind(OTHERS=1.0)
    for state in positions(2, examples(3, 1), edition):
        if state.drawn is None:
            continue
        view = state.view(state.seat)
        root = view.position_array()
        for action in view.legal_actions[:: 7 if JIT_OFF else 1]:
            after = np.array(view.preview(action).scores)
            if view.preview(action).final:
                continue
            gained = after - np.array(view.scores)
            where = action - FIRST_PLACEMENT
            gain = policy.gain_of(view.board.arrays, knows_nothing[0], root[0], where)
            assert gain == pytest.approx(gained[view.seat] - gained[1 - view.seat])
            seen += gain != 0
    assert seen > 0 or JIT_OFF


@pytest.mark.kernel
def test_with_nothing_left_to_cover_a_promise_is_the_final_score() -> None:
    """C8.2: sums or sizes, doubled for every park."""
    seen = 0
    certain = mind(KEEP_ACTIVE=1.0)
    for state in positions(3, examples(6, 2)):
        view = state.view(state.seat)
        root = view.position_array()
        if root[0].places.any() or view.drawn is not None:
            continue
        final = np.array(view.scores)
        for token in view.final_scoring():
            final[token.seat] += token.points
        promised = [policy.promise(view.board.arrays, certain[0], root[0], seat) for seat in range(3)]
        assert promised == pytest.approx(final.tolist())
        seen += 1
    assert seen > 0 or JIT_OFF


@pytest.mark.kernel
@pytest.mark.parametrize("players", [2, MAX_PLAYERS])
def test_playouts_end_and_choose_only_what_is_legal(players: int) -> None:
    game = embertown.load("cronberg", players=players)
    knows = np.zeros(1, policy.MIND)
    knows[0].weights[:] = policy.WORTH
    knows[0].tries, knows[0].seed = 2, 5
    for number in range(examples(30, 1)):
        state = game.start(seed=number, first=0)
        while not state.is_over:
            work = state.view(state.seat).position_array()
            choose = policy.quick_choice if work[0].phase == Phase.CHOICE else policy.quick_placement
            state.play(int(choose(game.board.arrays, knows[0], work[0])))
    work = game.start(seed=1, first=0).view(0).position_array()
    knows[0].turns = 1_000
    policy.play_quickly(game.board.arrays, knows[0], work[0])
    assert work[0].phase == Phase.OVER


@pytest.mark.kernel
def test_a_playout_stops_after_its_turns_unless_the_end_is_near() -> None:
    game = embertown.load("cronberg", players=2)
    for last_rhombi, over in ((0, False), (100, True)):
        work = np.zeros(1, POSITION)
        work[0] = game.batch_start()
        knows = mind()
        knows[0].turns, knows[0].last_rhombi = 4, last_rhombi
        policy.play_quickly(game.board.arrays, knows[0], work[0])
        assert (work[0].phase == Phase.OVER) == over
        assert over or work[0].placed == 4  # it knows of no worth in tokens, so it draws


@pytest.mark.kernel
@pytest.mark.parametrize("breadth", [1, 3, 9, 20])
def test_the_likeliest_actions_come_first(breadth: int) -> None:
    scratch = np.zeros(1, tree.TREE)
    for seed in range(5 if JIT_OFF else 50):
        priors = [SeededChance(seed).pick(f"{index}", [1] * 7) for index in range(20)]
        scratch[0].priors[:20] = priors
        scratch[0].actions[:20] = range(20)
        tree.sort_best(scratch[0], 20, breadth)
        expected = sorted(range(20), key=lambda index: (-priors[index], index))[:breadth]
        assert scratch[0].actions[:breadth].tolist() == expected
        assert scratch[0].priors[:breadth].tolist() == [priors[index] for index in expected]


@pytest.mark.kernel
def test_equal_points_share_the_win_and_utilities_stay_in_bounds() -> None:
    """C8.4."""
    leaf, settings = np.zeros(1, tree.LEAF), np.zeros(1, tree.TREE)
    settings[0].win_weight, settings[0].lead_scale = 0.6, 30.0
    for points, wins in (
        ([5, 9, 9, -1], [0, 0.5, 0.5, 0]),
        ([1, 1, 1, 1], [0.25] * 4),
        ([-9, -8, -10, -10], [0, 1, 0, 0]),
    ):
        leaf[0].points[:] = points
        tree.share_win(leaf[0], 4)
        assert leaf[0].win_share.tolist() == wins
        tree.set_utility(settings[0], leaf[0], 4)
        assert ((leaf[0].utility >= 0) & (leaf[0].utility <= 1)).all()
        assert leaf[0].utility.argmax() == leaf[0].points.argmax()


@pytest.mark.kernel
def test_expected_wins_sum_to_one_and_follow_the_points() -> None:
    leaf = np.zeros(1, tree.LEAF)
    leaf[0].points[:3] = 30, 10, 20
    tree.expect_win(leaf[0], 3, 10.0)
    assert leaf[0].win_share[:3].sum() == pytest.approx(1)
    assert leaf[0].win_share[0] / leaf[0].win_share[2] == pytest.approx(np.e)


@pytest.mark.kernel
def test_priors_from_outside_are_of_legal_actions_and_sum_to_one() -> None:
    game = embertown.load("cronberg", players=2)
    work = game.start(seed=1, first=0).play("token d4").view(1).position_array()
    settings = np.zeros(1, tree.TREE)
    for given in (np.arange(ACTIONS, dtype=float), -np.ones(ACTIONS)):
        count = tree.use_priors(game.board.arrays, settings[0], work[0], given)
        assert settings[0].priors[:count].sum() == pytest.approx(1)
        assert set(settings[0].actions[:count].tolist()) == set(
            game.start(seed=1, first=0).play("token d4").legal_actions
        )
