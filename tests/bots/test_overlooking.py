"""Mistakes as people make them: something good that was not seen, never something that was not thought about."""

from __future__ import annotations

from typing import Any

import pytest

import embertown
from embertown.bots.contract import Bot, Choice
from embertown.bots.cronberg_search import CronbergSearch
from embertown.bots.drunter_search import DrunterSearch
from embertown.bots.overlooking import Overlooking

SEARCHES: dict[str, Bot] = {"cronberg": CronbergSearch(), "drunter": DrunterSearch()}
SIMULATIONS = 80


def view_of(game: str) -> Any:
    return embertown.load(game, 2).start(seed=7, first=0).view(0)


@pytest.mark.parametrize("game", SEARCHES)
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_who_overlooks_nothing_or_everything_takes_the_best(game: str, share: float) -> None:
    view, search = view_of(game), SEARCHES[game]
    found = search.choose(view, simulations=SIMULATIONS, seed=3)
    assert Overlooking(search, share).choose(view, simulations=SIMULATIONS, seed=3) == found


@pytest.mark.parametrize("game", SEARCHES)
def test_what_is_done_is_the_best_of_what_was_seen(game: str) -> None:
    view, search = view_of(game), SEARCHES[game]
    found = search.choose(view, simulations=SIMULATIONS, seed=3).reasons.considered
    missed = 0
    for seed in range(20):
        choice = Overlooking(Always(search, 3), 0.5).choose(view, simulations=SIMULATIONS, seed=seed)
        seen = choice.reasons.considered
        assert seen == tuple(one for one in found if one in seen)
        assert choice.action == seen[0].action
        assert choice.reasons.line[0] == view.text(choice.action)
        missed += choice.action != found[0].action
    assert 5 <= missed <= 15


def test_each_action_is_overlooked_as_often_as_is_said() -> None:
    view, search = view_of("cronberg"), Always(SEARCHES["cronberg"], 3)
    found = len(search.choose(view, simulations=SIMULATIONS).reasons.considered)
    bot, seen = Overlooking(search, 0.3), 0
    for seed in range(100):
        seen += len(bot.choose(view, simulations=SIMULATIONS, seed=seed).reasons.considered)
    assert 0.65 < seen / (100 * found) < 0.75


def test_where_nothing_else_is_legal_nothing_can_be_overlooked() -> None:
    state: Any = embertown.load("cronberg", 2).start(seed=7, first=0)
    while len(state.legal_actions) > 1:
        state.play(state.legal_actions[-1])
    choice = Overlooking(SEARCHES["cronberg"], 0.9).choose(state.view(state.seat), simulations=SIMULATIONS)
    assert choice.action == state.legal_actions[0]
    assert choice.reasons.because == "nothing else is legal"


class Always:
    """A search with the same seed, whatever it is told: so the lots of who overlooks are all that differs."""

    def __init__(self, search: Bot, seed: int) -> None:
        self.search, self.seed, self.name = search, seed, search.name

    def choose(
        self, view: Any, *, seconds: float | None = None, simulations: int | None = None, seed: int = 0
    ) -> Choice:
        del seed
        return self.search.choose(view, seconds=seconds, simulations=simulations, seed=self.seed)
