"""`network-search`: a search that a network helps, at both games, and one that does without where it must."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import embertown
from embertown.bots import bot, cronberg_levels
from embertown.bots.cronberg_network import WAYS, NetworkEvaluator, own_network, think
from embertown.bots.cronberg_search import CronbergSearch
from embertown.bots.drunter_network import prior
from embertown.bots.drunter_search import DrunterSearch, SearchSettings
from embertown.bots.levels import NETWORK_SEARCH, WITHOUT_NETWORK, LevelBot
from embertown.core.errors import BadArgument
from tests.large_boards import large_cronberg, large_drunter
from tests.small_drunter import begin


@pytest.mark.parametrize(
    "view",
    [
        large_cronberg(2).start(seed=1, first=0).view(0),
        begin(large_drunter()).view(0),
        embertown.load("drunter", 3, several_cards=True).start(seed=2, first=0).view(0),
    ],
    ids=["cronberg", "drunter", "several cards"],
)
def test_without_a_network_for_the_game_it_searches_alone_and_says_so(view: Any) -> None:
    choice, alone = (bot(name).choose(view, simulations=80, seed=3) for name in (NETWORK_SEARCH, WITHOUT_NETWORK))
    assert choice.reasons.because.endswith(": searched without it")
    assert (choice.action, choice.reasons.considered) == (alone.action, alone.reasons.considered)


@pytest.mark.parametrize("game", ["cronberg", "drunter"])
def test_with_a_network_the_search_looks_elsewhere(game: str) -> None:
    """The same seed and simulations: only what the network finds likely can make the difference."""
    view = embertown.load(game, 2).start(seed=5, first=0).view(0)
    helped, alone = (bot(name).choose(view, simulations=400, seed=3) for name in (NETWORK_SEARCH, WITHOUT_NETWORK))
    assert helped.reasons.because == ""
    assert [each.visits for each in helped.reasons.considered] != [each.visits for each in alone.reasons.considered]


def test_the_network_helps_for_as_long_as_the_grandmaster_thinks() -> None:
    now = iter(range(10**6))
    view = embertown.load("cronberg", 2).start(seed=5, first=0).view(0)
    LevelBot(NETWORK_SEARCH, clock=lambda: next(now) / 100).choose(view, seed=1)
    assert next(now) <= 205  # two seconds, or settled before


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_grandmaster_searches_cronberg_as_is_set_for_so_many(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[Any] = []
    choose = CronbergSearch.choose

    def watched(self: CronbergSearch, view: Any, **budget: Any) -> Any:
        used.append(self)
        return choose(self, view, **budget)

    monkeypatch.setattr(CronbergSearch, "choose", watched)
    view = embertown.load("cronberg", players).start(seed=5, first=0).view(0)
    choice = bot("grandmaster").choose(view, simulations=40, seed=1)
    assert choice.action in view.legal_actions
    assert 0 < choice.reasons.simulations <= 40
    assert [search.settings for search in used] == [cronberg_levels.WITH_NETWORK[players]]
    assert isinstance(used[0].evaluator, NetworkEvaluator)


def test_boldness_flattens_what_the_network_finds_likely() -> None:
    view = embertown.load("cronberg", 2).start(seed=5, first=0).view(0)
    board, position = view.game.board, view.position_array()
    policy = think(own_network(2), board, position, WAYS[2]).policy
    found = NetworkEvaluator(boldness=0.5).evaluate(board, position).priors
    assert np.allclose(found, np.sqrt(policy))
    assert (np.argsort(found[0]) == np.argsort(np.sqrt(policy[0]))).all()


def test_the_root_is_looked_at_in_all_ways_and_a_batch_in_one() -> None:
    state: Any = embertown.load("cronberg", 2).start(seed=5, first=0)
    for _ in range(14):  # where a game begins, the network is sure of itself whichever way the board lies
        state.play(bot("greedy").choose(state.view(state.seat)).action)
    board, position = state.board, state.view(0).position_array()
    in_one, in_all = (think(own_network(2), board, position, ways).policy[0] for ways in (1, WAYS[2]))
    assert not np.allclose(in_one, in_all, atol=1e-3)
    assert np.allclose(NetworkEvaluator().evaluate(board, position).priors[0], in_all)
    batch = NetworkEvaluator().evaluate(board, np.repeat(position, 3)).priors
    assert np.allclose(batch, in_one, atol=1e-5)


def test_positions_that_are_over_are_judged_without_a_warning() -> None:
    """They come in batches of leaves; what is said of them is not looked at."""
    state: Any = embertown.load("cronberg", 2).start(seed=5, first=0)
    while not state.is_over:
        state.play(state.legal_actions[-1])
    position = state.view(None).position_array()
    assert (NetworkEvaluator().evaluate(state.board, position).priors == 0).all()


def test_a_prior_at_the_root_of_drunters_search_is_heeded_as_far_as_it_is_trusted() -> None:
    view = embertown.load("drunter", 2).start(seed=5, first=0).view(0)
    likes = view.legal_actions[-1]

    def visits(trust: float) -> dict[int, int]:
        search = DrunterSearch(SearchSettings(trust=trust), prior=lambda _: {likes: 1.0})
        considered = search.choose(view, simulations=60, seed=1).reasons.considered
        return {each.action: each.visits for each in considered}

    alone = DrunterSearch().choose(view, simulations=60, seed=1)
    assert visits(0.0) == {each.action: each.visits for each in alone.reasons.considered}
    assert visits(1.0)[likes] == max(visits(1.0).values())
    assert visits(1.0)[likes] > visits(0.5)[likes] > visits(0.0).get(likes, 0)
    with pytest.raises(BadArgument, match="trust is 2"):
        SearchSettings(trust=2)


def test_the_networks_prior_is_of_legal_actions_and_nothing_where_it_knows_nothing() -> None:
    view: Any = embertown.load("drunter", 2).start(seed=5, first=0).view(0)
    found = prior(view)
    assert set(found) == set(view.legal_actions)
    assert sum(found.values()) == pytest.approx(1)
    strange: Any = embertown.load("drunter", 2, several_cards=True).start(seed=5, first=0).view(0)
    assert prior(strange) == {}
