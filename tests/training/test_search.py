"""Search in many games at once, without torch: counts, seeds, a simulated GPU, and exact ends of games."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import embertown
from embertown.bots.cronberg_endgame import rhombi_to_come, solve
from embertown.core.errors import BadArgument
from embertown.core.jit import copied
from embertown.cronberg import observation, rules
from embertown.cronberg.view import CronbergView
from embertown.training.cronberg_game import MAIN_EDITION, read_board, step_by_share
from embertown.training.games import training_game
from embertown.training.kernels import GROUP, OUTCOMES, SHARE
from embertown.training.search import Search, Searching, halving
from embertown.training.selfplay import SelfPlay
from tests.cli.helpers import unmeasured
from tests.conftest import JIT_OFF

pytestmark = pytest.mark.kernel

GAME = training_game("cronberg")
HOW = Searching(simulations=3, considered=2) if JIT_OFF else Searching(simulations=24, considered=6)
WIN_WEIGHT = 0.6


def judge(seen: np.ndarray, legal: np.ndarray, priors: np.ndarray, values: np.ndarray) -> None:
    """Any opinion, as long as it depends on what is seen."""
    likely = (0.1 + np.abs(np.sin(7 * seen[:, : legal.shape[1]] + np.arange(legal.shape[1])))) * legal
    priors[:] = likely / likely.sum(axis=1, keepdims=True)
    values[:] = np.tanh(np.sin(seen[:, ::13].sum(axis=1, keepdims=True) + np.arange(OUTCOMES)))


def searched(players: tuple[int, ...], seed: int = 1, how: Searching = HOW) -> Search:
    batches = [SelfPlay(GAME, each, GROUP, seed, variety=0.5, scattered=not JIT_OFF) for each in players]
    search = Search(batches, how, WIN_WEIGHT)
    search.run(judge)
    return search


def test_every_simulation_is_counted_and_what_comes_out_is_a_legal_policy() -> None:
    search = searched((2, 3, 4))
    for batch, forest, part in zip(search.batches, search.forests, search.slices, strict=True):
        masks, wanted = batch.arrays.masks, search.shared["wanted"][part]
        own = forest.edges[:, : HOW.considered]
        for index in range(batch.count):
            considered = int(forest.trees[index].considered)
            assert considered == min(HOW.considered, masks[index].sum())
            assert own["visits"][index, :considered].sum() == HOW.simulations
            answers = own["answer"][index, :considered]
            assert len(set(answers.tolist())) == considered
            assert masks[index, answers].all()
            assert batch.arrays.answers[index] in answers
        assert np.allclose(wanted.sum(axis=1), 1, atol=1e-5)
        assert not wanted[masks == 0].any()
        worths = search.shared["worths"][part].reshape(-1, 2, 4)
        assert (np.abs(worths[:, :, : batch.players]) <= 1).all()
        assert not worths[:, :, batch.players :].any()


def test_the_same_seed_the_same_decisions() -> None:
    first, again, other = searched((2,)), searched((2,)), searched((2,), seed=2)
    for name in ("wanted", "worths"):
        assert np.array_equal(first.shared[name], again.shared[name])
    assert np.array_equal(first.batches[0].arrays.answers, again.batches[0].arrays.answers)
    assert not np.array_equal(first.shared["wanted"], other.shared["wanted"])


def test_the_answer_is_the_best_tried_most_often() -> None:
    search = searched((2,), how=Searching(HOW.simulations, HOW.considered, noise=0.0))
    forest, answers = search.forests[0], search.batches[0].arrays.answers
    for index in range(search.batches[0].count):
        own = forest.edges[index, : int(forest.trees[index].considered)]
        own = own[own["visits"] == own["visits"].max()]
        factor = (search.how.visit_offset + own["visits"].max()) * search.how.trust
        best = np.argmax(np.log(own["prior"]) + factor * own["total"] / np.maximum(own["visits"], 1))
        assert own["answer"][best] == answers[index]


def test_with_one_legal_answer_all_simulations_go_there() -> None:
    search = searched((2,))
    alone = search.batches[0].arrays.masks.sum(axis=1) == 1
    assert JIT_OFF or alone.any()
    assert np.allclose(search.shared["wanted"][alone].max(axis=1), 1)


@pytest.mark.parametrize(("considered", "simulations"), [(1, 5), (2, 7), (4, 16), (16, 32), (16, 8), (5, 64)])
def test_halving_visits_the_better_ones_more(considered: int, simulations: int) -> None:
    schedule, tried = halving(considered, simulations), [0] * considered
    for wanted in schedule:
        assert wanted in tried
        tried[tried.index(wanted)] += 1
    assert len(schedule) == simulations
    assert max(tried) >= simulations / considered
    assert simulations < considered or min(tried) >= 1


def test_every_rhomb_has_its_share() -> None:
    board = read_board(MAIN_EDITION)
    start = np.zeros(1, rules.POSITION)
    rules.set_up(board.arrays, start[0], 2, 0)
    left, memory = int(start[0].left), np.zeros(1, observation.MEMORY)
    drawn = []
    for number in range(left):
        after = copied(start[0], rules.POSITION)
        drawn.append(step_by_share(board.arrays, after[0], memory[0], 0, rules.DRAW, (number + 0.5) / left) - 1)
        assert after[0].in_hand == drawn[-1]
    assert np.bincount(drawn).tolist() == list(board.counts)


# ---- exact ends


def end_of_game(players: int, seed: int, simplest: int = 2) -> CronbergView:
    """A rhomb is to be placed, so near the end that all can be solved."""
    state = embertown.load("cronberg", players=players).start(seed=seed)
    lots = np.random.default_rng(seed)
    while True:
        view = state.view(state.waiting[0])
        placing = int(view.position_array()[0].phase) == rules.Phase.PLACEMENT
        if placing and len(view.legal_actions) > 1 and rhombi_to_come(view) <= simplest:
            assert isinstance(view, CronbergView)
            return view
        state.play(int(lots.choice(view.legal_actions)))


def exact_values(view: CronbergView, position: np.ndarray) -> np.ndarray:
    """By the solver, counted from the seat that acts: the share of the win against an equal share."""
    players, seat = view.game.players, int(position[0].seat)
    found = solve(CronbergView(view.game, seat, view.heading, position=position[0], log=None, ended=None))
    assert found is not None
    values = np.zeros(OUTCOMES, np.float32)
    for behind in range(players):
        values[SHARE + behind] = against_equal(found.win_share[(seat + behind) % players], players)
    return values


def against_equal(share: float, players: int) -> float:
    return (share * players - 1) / (players - 1)


def exact_search(view: CronbergView) -> Search:
    """Every answer once, all as likely; what is reached is judged exactly. All games are the same, without noise."""
    how = Searching(simulations=len(view.legal_actions), considered=len(view.legal_actions), noise=0.0, trust=1.0)
    batch = SelfPlay(GAME, view.game.players, GROUP, seed=1)
    batch.arrays.positions[:] = view.position_array()[0]
    batch.look()
    search, asked = Search([batch], how, win_weight=1.0), [batch.arrays.positions]

    def exact(seen: np.ndarray, legal: np.ndarray, priors: np.ndarray, values: np.ndarray) -> None:  # noqa: ARG001
        priors[:] = legal / legal.sum(axis=1, keepdims=True)
        if not rules.is_over(asked[0][0]):
            values[:] = exact_values(view, copied(asked[0][0], rules.POSITION))
        asked[0] = search.forests[0].leaves

    search.run(exact)
    return search


@pytest.mark.parametrize("players", [2] if JIT_OFF else [2, 3, 4])
@pytest.mark.parametrize("seed", [1] if JIT_OFF else [1, 2, 3, 4])
def test_with_exact_leaves_the_policy_finds_what_the_solver_finds(players: int, seed: int) -> None:
    view = end_of_game(players, seed)
    search, solution = exact_search(view), solve(view, every=True)
    assert solution is not None
    seat, batch = int(view.position_array()[0].seat), search.batches[0]
    shares = {each.action: each.win_share[seat] for each in solution.considered}
    best = max(shares.values())
    symmetry, position = batch.arrays.symmetries[batch.arrays.layout_of[0]], batch.arrays.positions[0]
    board, wanted = view.game.board.arrays, search.shared["wanted"][0]
    policy = {
        observation.action_of(board, position, symmetry, int(answer)): float(wanted[answer])
        for answer in np.flatnonzero(batch.arrays.masks[0])
    }
    assert policy.keys() == shares.keys()
    for action, share in policy.items():
        worse = 0.5 * (against_equal(best, players) - against_equal(shares[action], players))
        assert np.isclose(share / max(policy.values()), np.exp(-51 * 2 * worse), atol=1e-3)
    assert sum(share for action, share in policy.items() if shares[action] >= best - 0.05) > 0.5
    chosen = observation.action_of(board, position, symmetry, int(batch.arrays.answers[0]))
    assert np.isclose(shares[chosen], best)


# ---- elsewhere, and what is refused

SIMULATED = """
import numpy as np
from tests.training.test_search import GAME, WIN_WEIGHT, judge
from embertown.training.search import Search, Searching
from embertown.training.selfplay import SelfPlay

found = []
for device in ("cpu", "simulated"):
    batches = [SelfPlay(GAME, 3, 64, 1, device, 0.5)]
    search = Search(batches, Searching(simulations=2, considered=2), WIN_WEIGHT)
    search.run(judge)
    found.append([search.shared["wanted"], search.shared["worths"], *(b.arrays.answers for b in batches)])
assert all(np.array_equal(*pair) for pair in zip(*found))
print("equal")
"""


@pytest.mark.skipif(JIT_OFF or "NUMBA_BOUNDSCHECK" in os.environ, reason="the simulator compiles nothing")
def test_a_simulated_gpu_searches_as_the_cpu_does() -> None:
    settings = unmeasured({**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"})
    done = subprocess.run([sys.executable, "-c", SIMULATED], env=settings, capture_output=True, text=True, check=False)
    assert done.stdout == "equal\n", done.stderr


def test_games_with_secrets_are_refused() -> None:
    with pytest.raises(BadArgument, match="drunter has secrets"):
        Search([SelfPlay(training_game("drunter"), 2, GROUP, seed=1)], HOW, WIN_WEIGHT)


@pytest.mark.parametrize("change", [{"simulations": 0}, {"considered": 0}, {"simulations": 2**15}])
def test_bad_arguments(change: dict[str, int]) -> None:
    with pytest.raises(BadArgument, match="simulations are"):
        Searching(**change)
