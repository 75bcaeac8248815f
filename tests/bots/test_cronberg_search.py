"""Cronberg's search: legal, repeatable, within its budget and its memory, and right where it can be checked."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import embertown
from embertown.bots.budget import Budget
from embertown.bots.cronberg_search import (
    SLICE,
    CronbergSearch,
    Evaluation,
    SearchSettings,
    Tree,
    added_up,
    is_decided,
    search_alone,
)
from embertown.bots.cronberg_tree import CHANCE_SEAT, MAX_PATH
from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, UnknownGame
from embertown.cronberg.board import Board
from embertown.cronberg.rules import ACTIONS, DRAW, Phase
from tests.conftest import JIT_OFF
from tests.kinds import kinds

FEW_RHOMBI = Path(__file__).parents[1] / "editions" / "few-rhombi.toml"
FEW = 4 if JIT_OFF else 60
"""Simulations where only the rules of the thing are looked at."""


def start(players: int = 2, edition: str | Path | None = None, seed: int = 1) -> Any:
    return embertown.load("cronberg", players=players, edition=edition).start(seed=seed, first=0)


def on_small_board(players: int = 2, seed: int = 1) -> Any:
    """Four rhombi that can be placed on a board of side 2: a game is over soon."""
    edition = {
        "edition": {"id": "small", "game": "cronberg", "version": 1},
        "board": {"side": 2, "tokens": 2, "triangles": ["PGCPP", "PPC.GPP", "GPPPCPG", "PCPGP"]},
        "rhombi": {
            "inn": {"count": 2, "numbers": [6, 3, 6, 3]},
            "mill": {"numbers": [8, -4, 2, 1]},
            "jail": {"numbers": [-6, -3, -6, -3]},
        },
    }
    return embertown.load("cronberg", players=players, edition=edition).start(seed=seed, first=0)


def after_random_play(state: Any, turns: int, seed: int) -> Any:
    for turn in range(turns):
        if state.is_over:
            break
        actions = state.legal_actions
        state.play(actions[SeededChance(seed).pick(f"turn {turn}", [1] * len(actions))])
    return state


def grown(view: Any, simulations: int, seed: str = "1", cut: int | None = None, **changed: Any) -> Tree:
    """A tree for a view, grown in slices of `cut`."""
    tree = Tree(SearchSettings(**changed), view.game.board, view.position_array(), seed)
    tree.plant(None)
    while simulations > 0:
        made = min(simulations, cut or simulations)
        tree.grow(made)
        simulations -= made
    return tree


# ---- whole games


@pytest.mark.parametrize("kind", [kind for kind in kinds() if kind.game == "cronberg"], ids=lambda kind: kind.name)
def test_plays_whole_games_in_every_edition(kind: Any) -> None:
    state = start(kind.players, kind.edition, seed=3)
    bot = CronbergSearch()
    while not state.is_over:
        choice = bot.choose(state.view(state.seat), simulations=FEW, seed=5)
        assert choice.action in state.legal_actions
        state.play(choice.action)
    assert state.outcome.scores == state.scores


@pytest.mark.kernel
@pytest.mark.parametrize("players", [2, 3, 4])
def test_plays_a_small_game(players: int) -> None:
    state = on_small_board(players)
    bot = CronbergSearch(SearchSettings(expand_after=1))
    while not state.is_over:
        state.play(bot.choose(state.view(state.seat), simulations=FEW, seed=5).action)


@pytest.mark.parametrize("simulations", [1, 2, 30])
def test_few_simulations_are_enough_to_play(simulations: int) -> None:
    state = start(3)
    choice = CronbergSearch().choose(state.view(0), simulations=simulations, seed=1)
    assert sum(each.visits for each in choice.reasons.considered) == simulations


def test_more_simulations_play_better() -> None:
    few, many = 30, 600
    wins = 0.0
    pairs = 6
    for seed, own in itertools.product(range(pairs), (0, 1)):
        state = start(seed=seed)
        while not state.is_over:
            budget = many if state.seat == own else few
            state.play(CronbergSearch().choose(state.view(state.seat), simulations=budget, seed=seed).action)
        wins += (own in state.outcome.winners) / len(state.outcome.winners)
    assert wins > pairs


# ---- the same for the same seed


def test_same_seed_same_choice_and_reasons() -> None:
    view = after_random_play(start(), 9, seed=1)
    view = view.view(view.seat)
    first, again = (CronbergSearch().choose(view, simulations=700, seed=9) for _ in range(2))
    assert first == again
    assert first != CronbergSearch().choose(view, simulations=700, seed=10)


def test_what_a_bot_saw_before_does_not_change_its_choice() -> None:
    state = start()
    fresh, used = CronbergSearch(), CronbergSearch()
    used.choose(state.view(0), simulations=300, seed=4)
    view = state.play("token d4").view(1)
    assert fresh.choose(view, simulations=300, seed=4) == used.choose(view, simulations=300, seed=4)


@pytest.mark.kernel
def test_slices_do_not_matter() -> None:
    view = on_small_board().view(0)
    count = 10 if JIT_OFF else 500
    whole, cut = grown(view, count, expand_after=1), grown(view, count, cut=3, expand_after=1)
    used = int(whole.tree[0].edges)
    assert used == int(cut.tree[0].edges)
    assert whole.edges[:used].tobytes() == cut.edges[:used].tobytes()
    assert whole.roots.tobytes() == cut.roots.tobytes()


def test_processes_see_what_their_trees_would_see_one_after_the_other() -> None:
    view = start().view(0)
    bot = CronbergSearch(SearchSettings(processes=2))
    choice = bot.choose(view, simulations=401, seed=2)
    found = added_up([search_alone(task) for task in bot.tasks(view, None, 401, 2)])
    assert found.simulations == choice.reasons.simulations == 401
    assert {each.action: each.visits for each in choice.reasons.considered} == {
        action: visits for action, visits in zip(found.actions, found.visits.tolist(), strict=True) if visits
    }
    assert choice.action == found.actions[found.best]
    assert choice.reasons.line[0] == view.text(choice.action)


def test_pickled_bot_chooses_alike() -> None:
    view = start().view(0)
    bot = CronbergSearch(SearchSettings(tries=3), name="tried")
    other = pickle.loads(pickle.dumps(bot))
    assert other.name == "tried"
    assert bot.choose(view, simulations=50, seed=1) == other.choose(view, simulations=50, seed=1)


# ---- budget and memory


def test_stops_at_the_first_look_at_the_clock_after_the_deadline() -> None:
    looks = iter([0.0, 0.4, 0.8, 1.2])
    bot = CronbergSearch(SearchSettings(stop_early=False), clock=looks.__next__)
    assert bot.choose(start().view(0), seconds=1.0, seed=1).reasons.simulations == 3 * SLICE
    assert next(looks, None) is None


def test_both_budgets_whatever_ends_first() -> None:
    bot = CronbergSearch(SearchSettings(stop_early=False), clock=lambda: 0.0)
    assert bot.choose(start().view(0), seconds=1.0, simulations=300, seed=1).reasons.simulations == 300


def test_without_a_budget_the_settings_decide() -> None:
    bot = CronbergSearch(SearchSettings(simulations=123))
    assert bot.choose(start().view(0)).reasons.simulations == 123


def test_stops_early_only_when_the_choice_is_made() -> None:
    state = start(seed=4)
    saved = 0
    while not state.is_over:
        view = state.view(state.seat)
        hasty, patient = (
            CronbergSearch(SearchSettings(stop_early=early)).choose(view, simulations=2_000, seed=1)
            for early in (True, False)
        )
        assert hasty.action == patient.action
        saved += patient.reasons.simulations - hasty.reasons.simulations
        state.play(hasty.action)
    assert saved > 0


def test_is_decided_by_the_time_left_too() -> None:
    budget = Budget(10.0, None, iter([0.0, 9.0]).__next__)
    budget.spend(900)
    assert not budget.is_spent()  # 100 simulations in each second: 100 are left
    assert is_decided(np.array([500, 300, 100]), budget)
    assert not is_decided(np.array([350, 300, 250]), budget)


@pytest.mark.kernel
def test_goes_on_within_its_memory_when_the_arrays_are_full() -> None:
    settings = {"nodes": 12, "edges": 2 * ACTIONS, "expand_after": 1}
    simulations = 40 if JIT_OFF else 3_000
    tree = grown(start().view(0), simulations, **settings)
    assert int(tree.tree[0].nodes) <= 12
    assert int(tree.tree[0].edges) <= 2 * ACTIONS
    assert tree.root_visits().sum() == simulations
    positions, leaves = (tree.work, tree.scratch, tree.asking), (tree.leaves, tree.second)
    held = (tree.nodes, tree.edges, tree.roots, *positions, *leaves, tree.waiting)
    assert sum(array.nbytes for array in held) == tree.settings.memory


def test_no_game_is_longer_than_a_path() -> None:
    depth = 0
    for seed in range(20):
        state = after_random_play(start(4, seed=seed), 10_000, seed)
        assert state.is_over
        depth = max(depth, len(state.log))
    assert depth < MAX_PATH // 2


# ---- right where it can be checked


@pytest.mark.kernel
def test_chance_nodes_draw_each_kind_by_what_is_left_in_the_bag() -> None:
    view = after_random_play(on_small_board(), 4, seed=2)
    view = view.view(view.seat)
    tree = grown(view, 60 if JIT_OFF else 2_000, expand_after=1)
    looked_at = 0
    for node in tree.nodes[: int(tree.tree[0].nodes)]:
        if node["seat"] == CHANCE_SEAT:
            edges = tree.edges[node["first"] : node["first"] + node["count"]]
            assert edges["visits"].sum() == node["visits"]
            assert edges["prior"].sum() == pytest.approx(1)
            assert np.abs(edges["visits"] - edges["prior"] * node["visits"]).max() < len(edges)
            looked_at += 1
    assert looked_at > 0


@pytest.mark.kernel
def test_the_odds_of_a_draw_are_those_of_the_bag() -> None:
    view = start(edition="cronberg-1726").view(0)
    tree = grown(view, 3, expand_after=1, sharpness=0.0, exploration=0.0, caution=0.0, breadth=1)
    tree.edges["prior"][: int(tree.nodes["count"][0])] = 0
    drawing = int(np.flatnonzero(tree.edges["action"][: int(tree.nodes["count"][0])] == DRAW)[0])
    tree.edges["visits"][: int(tree.nodes["count"][0])] = 1
    tree.edges["value"][drawing] = 100.0  # so it draws
    tree.grow(4)
    node = tree.nodes[tree.edges["child"][drawing]]
    odds = tree.edges["prior"][node["first"] : node["first"] + node["count"]]
    counts = np.array(view.game.board.counts)
    assert odds == pytest.approx(counts / counts.sum())


def last_choices(players: int, seeds: range) -> Any:
    """Positions in which one action more ends the game, whatever it is, and there is a choice."""
    for seed in seeds:
        state = start(players, seed=seed)
        for turn in itertools.count():
            if state.is_over:
                break
            actions = state.legal_actions
            ends = len(actions) > 1 and DRAW not in actions and all(_ends(state, action) for action in actions)
            if ends:
                yield state
                break
            state.play(actions[SeededChance(seed).pick(f"turn {turn}", [1] * len(actions))])


def _ends(state: Any, action: int) -> bool:
    sampled = state.view(state.seat).sample(SeededChance(0))
    return bool(sampled.play(action).is_over)


def test_the_last_action_is_the_best_and_its_figures_are_the_results() -> None:
    found = 0
    for state in last_choices(2, range(40)):
        found += 1
        choice = CronbergSearch().choose(state.view(state.seat), simulations=400, seed=1)
        ends = {}
        for action in state.legal_actions:
            ends[action] = state.view(state.seat).sample(SeededChance(0)).play(action).outcome
        for each in choice.reasons.considered:
            assert each.points == pytest.approx(ends[each.action].scores)
            winners = ends[each.action].winners
            assert each.win_share == pytest.approx([(seat in winners) / len(winners) for seat in range(2)])
        own = state.seat
        leads = {action: end.scores[own] - end.scores[1 - own] for action, end in ends.items()}
        assert leads[choice.action] == max(leads.values())
    assert found >= 3


def test_takes_the_closing_placement_that_scores_most() -> None:
    """The own token scores at once (C6.1): any other place leaves its numbers to the other player."""
    game = embertown.load("cronberg", players=2)
    text = "cronberg:cronberg-1726 players=2 turn=0 hand=church scores=0,0 tokens=a1/- rhombi=city-hall@A1+B2"
    view = game.position(text).view(0)
    choice = CronbergSearch().choose(view, simulations=3_000, seed=1)
    assert "A2" in view.text(choice.action)
    assert view.preview(choice.action).scores[0] >= 8


def test_reasons_tell_all_that_was_looked_at_and_the_line() -> None:
    state = start(3).play("token d4").play("token c3").play("draw")
    view = state.view(state.seat)
    reasons = CronbergSearch().choose(view, simulations=2_000, seed=1).reasons
    visits = [each.visits for each in reasons.considered]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == reasons.simulations
    for each in reasons.considered:
        assert sum(each.win_share) == pytest.approx(1)
        assert len(each.points) == 3
    assert reasons.line[0] == view.text(reasons.considered[0].action)
    told = view.sample(_Drawing(view, reasons.line))
    for entry in reasons.line:
        if not entry.startswith("drawn"):
            told.play(entry)


class _Drawing:
    """A source of chance that draws what a line says."""

    def __init__(self, view: Any, line: tuple[str, ...]) -> None:
        board = view.game.board
        kinds_drawn = [board.kind_index[entry.split()[1]] for entry in line if entry.startswith("drawn")]
        self.draws = iter([board.kinds_by_name.index(kind) for kind in kinds_drawn])

    def pick(self, label: str, weights: Any) -> int:
        del label
        return next(self.draws, int(np.argmax(weights)))


# ---- settings, errors, other ways in


def test_a_forced_action_needs_no_search() -> None:
    state = start(2, FEW_RHOMBI, seed=2)
    while state.legal_actions != (DRAW,) and not state.is_over:
        tokens = [action for action in state.legal_actions if action < DRAW]
        state.play(tokens[0] if tokens else state.legal_actions[0])
    choice = CronbergSearch().choose(state.view(state.seat), simulations=100, seed=1)
    assert choice.action == DRAW
    assert choice.reasons.simulations == 0
    assert choice.reasons.line == ("draw",)


def test_refuses_what_it_cannot_choose_for() -> None:
    state = start()
    with pytest.raises(BadArgument, match="its own view"):
        CronbergSearch().choose(state.view(1), simulations=10)
    with pytest.raises(UnknownGame):
        CronbergSearch().choose(embertown.load("drunter").start(seed=1).view(0), simulations=10)
    with pytest.raises(BadArgument, match="simulations"):
        CronbergSearch().choose(state.view(0), simulations=0)
    after_random_play(state, 1_000, seed=1)
    with pytest.raises(BadArgument, match="over"):
        CronbergSearch().choose(state.view(0), simulations=10)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"tries": 0}, {"exploration": -1}, {"breadth": 2.5}, {"edges": 10}, {"weights": (1.0,)}, {"lead_scale": 0}),
        *({"trust": 2}, {"value_trust": 2}, {"trust": float("nan")}, {"exploration": float("inf")}),
    ],
)
def test_refuses_wrong_settings(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadArgument, match=next(iter(wrong))):
        SearchSettings(**wrong)


# ---- an evaluator from outside


class Judge:
    """Every action equally likely; points as they stand, and what the own tokens' numbers make, if it looks at them."""

    def __init__(self, looks: bool) -> None:
        self.looks = looks

    def evaluate(self, board: Board, positions: np.ndarray) -> Evaluation:
        assert not (positions["phase"] == Phase.CHANCE).any()
        players = int(positions[0].players)
        crossings = np.arange(len(board.crossings), dtype=np.uint64)
        standing = positions["tokens"][:, :players, None] >> crossings & np.uint64(1)
        numbers = (standing * positions["sums"][:, None, : len(crossings)]).sum(axis=2)
        points = (positions["scores"][:, :players] + numbers) * float(self.looks)
        win = np.exp(points / 20)
        return Evaluation(np.ones((len(positions), ACTIONS)), win / win.sum(axis=1, keepdims=True), points)


def test_an_evaluator_that_looks_beats_one_that_does_not() -> None:
    settings = SearchSettings(batch=16, exploration=1.5)
    bots = [CronbergSearch(settings, evaluator=Judge(looks)) for looks in (True, False)]
    wins = 0.0
    games = [(seed, own) for seed in range(4) for own in (0, 1)]
    for seed, own in games:
        state = start(seed=seed)
        while not state.is_over:
            bot = bots[state.seat != own]
            state.play(bot.choose(state.view(state.seat), simulations=160, seed=seed).action)
        wins += (own in state.outcome.winners) / len(state.outcome.winners)
    assert wins / len(games) > 0.7


@pytest.mark.kernel
def test_batches_of_an_evaluator_spread_out_and_every_visit_counts() -> None:
    view = on_small_board(3).view(0)
    simulations = 24 if JIT_OFF else 200
    bot = CronbergSearch(SearchSettings(batch=8, stop_early=False), evaluator=Judge(True))
    choice = bot.choose(view, simulations=simulations, seed=1)
    assert choice == bot.choose(view, simulations=simulations, seed=1)
    assert sum(each.visits for each in choice.reasons.considered) == simulations
    assert len(choice.reasons.considered) >= 8  # a batch does not go one way eight times


# ---- an evaluator that is asked for priors alone


class Adviser:
    """Knows nothing but which actions it likes, and remembers what it was asked about."""

    def __init__(self, likes: int | None = None, win_share: float = 0.5) -> None:
        self.likes, self.win_share, self.asked = likes, win_share, []  # type: ignore[var-annotated]

    def evaluate(self, board: Board, positions: np.ndarray) -> Evaluation:
        del board
        self.asked += [position.tobytes() for position in positions]
        count = len(positions)
        priors = np.ones((count, ACTIONS))
        if self.likes is not None:
            priors[:, self.likes] = 1e6
        shares = np.tile([self.win_share, 1 - self.win_share], (count, 1))
        return Evaluation(priors, shares, np.zeros((count, 2)))


def advised(view: Any, simulations: int, adviser: Adviser, cut: int | None = None, **changed: Any) -> Tree:
    """A tree that asks for priors, grown in slices of `cut`."""
    settings = SearchSettings(**{"ask_at": 3, "batch": 2, "expand_after": 1, **changed})
    tree = Tree(settings, view.game.board, view.position_array(), "1")
    tree.plant(adviser)
    while simulations > 0:
        made = min(simulations, cut or simulations)
        tree.grow(made, adviser)
        simulations -= made
    return tree


@pytest.mark.kernel
def test_an_adviser_is_asked_about_positions_that_are_visited_often_and_slices_do_not_matter() -> None:
    view, count = on_small_board().view(0), 30 if JIT_OFF else 500
    one, other = Adviser(likes=DRAW), Adviser(likes=DRAW)
    whole, cut = advised(view, count, one), advised(view, count, other, cut=3)
    used = int(whole.tree[0].edges)
    assert whole.edges[:used].tobytes() == cut.edges[:used].tobytes()
    assert one.asked == other.asked
    assert len(one.asked) > 2
    assert len(set(one.asked)) > len(one.asked) // 2  # two ways may lead to one position
    often = (whole.nodes["visits"][: int(whole.tree[0].nodes)] >= whole.settings.ask_at).sum()
    assert len(one.asked) <= often
    for content in one.asked:
        position = np.frombuffer(content, whole.root.dtype)
        assert position["phase"][0] in (Phase.CHOICE, Phase.PLACEMENT)


@pytest.mark.kernel
def test_what_an_adviser_says_counts_as_much_as_it_is_trusted() -> None:
    """Without trust the tree is the same as without an adviser; with all of it what it likes is tried first."""
    view, count = on_small_board().view(0), 20 if JIT_OFF else 300
    alone = grown(view, count, expand_after=1)
    unheard = advised(view, count, Adviser(likes=DRAW), trust=0.0)
    assert alone.roots.tobytes() == unheard.roots.tobytes()
    last = alone.result(count).actions[-1]  # what the search's own priors like least
    heard = advised(view, count, Adviser(likes=last), trust=1.0).result(count)
    assert heard.actions[0] == last
    assert int(np.argmax(heard.visits)) == 0 or JIT_OFF
    tree = advised(view, count, Adviser(likes=last), trust=0.5)
    assert tree.edges["prior"][: len(heard.actions)].sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.kernel
def test_settings_for_an_adviser_without_one_are_no_trap() -> None:
    """Nodes that wait for an answer which never comes would have the search wait for ever."""
    view, count = on_small_board().view(0), 20 if JIT_OFF else 300
    asking = CronbergSearch(SearchSettings(ask_at=2, batch=2, stop_early=False))
    alone = CronbergSearch(SearchSettings(stop_early=False))
    assert asking.choose(view, simulations=count, seed=1) == alone.choose(view, simulations=count, seed=1)


@pytest.mark.kernel
def test_edges_that_were_tried_stand_before_those_that_were_not() -> None:
    """What `choose_edge` relies on, also where priors changed in between."""
    tree = advised(on_small_board().view(0), 30 if JIT_OFF else 400, Adviser(likes=DRAW))
    for node in tree.nodes[: int(tree.tree[0].nodes)]:
        edges = tree.edges[int(node["first"]) : int(node["first"]) + int(node["count"])]
        tried = edges["visits"] > 0
        if node["seat"] != CHANCE_SEAT:
            assert tried.tolist() == sorted(tried.tolist(), reverse=True)
            assert (np.diff(edges["prior"][~tried]) <= 1e-9).all()


@pytest.mark.kernel
def test_playouts_beside_an_evaluator_count_for_the_rest_of_its_trust() -> None:
    view, simulations = on_small_board().view(0), 8 if JIT_OFF else 60

    def search(trust: float, playouts: int, win_share: float) -> Any:
        settings = SearchSettings(batch=4, stop_early=False, playouts=playouts, value_trust=trust)
        bot = CronbergSearch(settings, evaluator=Adviser(win_share=win_share))
        return bot.choose(view, simulations=simulations, seed=1)

    assert search(1.0, 3, 0.9) == search(1.0, 0, 0.9)
    assert search(0.0, 3, 0.9) == search(0.0, 3, 0.1)
    low, high = (search(0.5, 3, share).reasons.considered[0].win_share[0] for share in (0.1, 0.9))
    assert low < high


def test_settings_are_replaced_not_changed() -> None:
    settings = SearchSettings()
    assert replace(settings, tries=5) != settings == SearchSettings()


class Wrong:
    """An evaluator whose answer is spoilt."""

    def __init__(self, **spoilt: Any) -> None:
        self.spoilt = spoilt

    def evaluate(self, board: Board, positions: np.ndarray) -> Any:
        return Judge(looks=True).evaluate(board, positions)._replace(**self.spoilt)


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ({"priors": np.ones((1, 5))}, r"priors has shape \(1, 5\); right would be: \(1, \d+\)"),
        ({"priors": np.ones(ACTIONS)}, "priors has shape"),
        ({"priors": np.full((1, ACTIONS), np.nan)}, "priors are not numbers from 0 on"),
        ({"win_share": np.ones((1, 3)) / 3}, r"win_share has shape \(1, 3\); right would be: \(1, 2\)"),
        ({"win_share": np.full((1, 2), 5.0)}, "does not sum to 1"),
        ({"points": np.full((1, 2), np.inf)}, "points are not numbers"),
    ],
)
def test_an_evaluator_with_a_wrong_answer_is_told_what_is_wrong(spoilt: dict[str, Any], said: str) -> None:
    with pytest.raises(BadArgument, match=said):
        CronbergSearch(evaluator=Wrong(**spoilt)).choose(start().view(0), simulations=10)


def test_an_evaluator_that_answers_nothing_is_told_so() -> None:
    class Silent:
        def evaluate(self, board: Board, positions: np.ndarray) -> Any:
            del board, positions

    with pytest.raises(BadArgument, match="gave NoneType; right would be: an Evaluation"):
        CronbergSearch(evaluator=Silent()).choose(start().view(0), simulations=10)
