"""The contract tests for bots: those that come along pass, and each kind of bad bot fails for what is bad about it."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import embertown
from embertown.bots.registry import BUILT_IN, bot, bot_names, built_in
from embertown.core.chance import SeededChance
from embertown.core.errors import UnknownGame
from embertown.core.game import Game
from embertown.testing import (
    BrokenPromise,
    check_bot,
    check_deadline,
    check_legal,
    check_reasons,
    check_repeatable,
    check_secrets,
    check_view_unchanged,
    kinds_of,
    questions,
)
from embertown.testing.promises import Promise
from tests.conftest import JIT_OFF
from tests.installing import BOT, install
from tests.testing import bad_bots

Make = Callable[..., Any]
EDITIONS = Path(__file__).parents[1] / "editions"
SMALL: list[Game] = [
    embertown.load("cronberg", 3, EDITIONS / "few-rhombi.toml"),
    embertown.load("drunter", 4, EDITIONS / "hamlet.toml"),
    embertown.load("drunter", 2, EDITIONS / "hamlet.toml", variant=True),
]
DIFFERENT = ("random", "greedy", "master")
"""Bots that share no kernels: without the JIT, they stand for all."""
FEW: list[Game] = [embertown.load("cronberg", 2), embertown.load("drunter", 3, variant=True)]


# ---- good bots


@pytest.mark.parametrize("name", bot_names())
def test_every_bot_that_comes_along_keeps_its_promises(name: str) -> None:
    check_bot(built_in(name) if name in BUILT_IN else partial(bot, name))


@pytest.mark.kernel
@pytest.mark.parametrize("name", [name for name in BUILT_IN if not JIT_OFF or name in DIFFERENT])
def test_they_do_so_on_small_editions_too(name: str) -> None:
    """Small enough for kernels without the JIT, and other than what the kernels may have been tried with."""
    simulations = 1 if JIT_OFF else 9
    for game in SMALL:
        check_legal(built_in(name), [game], simulations)
        asked = questions(game)
        for check in (check_view_unchanged, check_reasons, check_repeatable, check_secrets):
            check(built_in(name), asked[:: 3 if JIT_OFF else 1], simulations)


@pytest.mark.parametrize("make", [bad_bots.Honest, bad_bots.Modest])
def test_a_good_bot_of_ones_own_passes(make: Make) -> None:
    check_bot(make, FEW)


def test_another_packages_bot_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, "firsts", BOT, {"first": "firsts:FirstBot"}))
    check_bot(partial(bot, "first"), FEW)


def test_a_game_that_is_not_there_is_an_error_that_lists_the_games() -> None:
    with pytest.raises(UnknownGame, match="no game is called 'chess'; there is: cronberg, drunter"):
        check_bot(bad_bots.Honest, ["chess"])


# ---- bad bots


@pytest.mark.parametrize(
    ("make", "promise", "said"),
    [
        (bad_bots.Illegal, Promise.LEGAL, "honest chose "),
        (bad_bots.Wordy, Promise.LEGAL, "and not a whole number"),
        (bad_bots.Helpless, Promise.LEGAL, "raised ValueError: I don't know"),
        (bad_bots.Bare, Promise.SIGNATURE, "and not a Choice"),
        (bad_bots.Nameless, Promise.SIGNATURE, "its name is ''"),
        (bad_bots.Mute, Promise.SIGNATURE, "has no method choose"),
        (bad_bots.LooksAround, Promise.SECRETS, "with other secrets behind the same view"),
        (bad_bots.TellsASecret, Promise.SECRETS, "for other reasons"),
        (bad_bots.SearchesTheMemory, Promise.SECRETS, "secrets|in a process that holds no state"),
        (bad_bots.Gambler, Promise.REPEATABLE, "a new bot, asked the same, chose "),
        (bad_bots.Sower, Promise.RANDOMNESS, "random or np.random was used"),
        (bad_bots.Forgetful, Promise.REPEATABLE, "a new bot, asked the same, chose "),
        (bad_bots.Moody, Promise.REPEATABLE, "a bot that was asked other things before chose"),
        (bad_bots.Hashing, Promise.REPEATABLE, "from one new process to another"),
        (bad_bots.Locked, Promise.PICKLING, "the bot can't be pickled: TypeError"),
        (bad_bots.Amnesiac, Promise.PICKLING, "the unpickled twin chose"),
        (bad_bots.Vandal, Promise.VIEW, "the view was changed"),
        (bad_bots.Censor, Promise.VIEW, "the view was changed"),
        (bad_bots.Deaf, Promise.DEADLINE, "never the clock that ends it"),
        (bad_bots.Stubborn, Promise.DEADLINE, "looked at the clock again; look number 5"),
        (bad_bots.Lost, Promise.UNKNOWN_GAME, "raised KeyError: 'stranger'"),
        (bad_bots.Disorderly, Promise.REASONS, "not in the order of visits"),
        *[(partial(bad_bots.BadReasons, how), Promise.REASONS, how) for how in bad_bots.WORSE],
    ],
    ids=lambda value: getattr(value, "__name__", None) or (value.args[0] if isinstance(value, partial) else ""),
)
def test_a_bad_bot_fails_by_the_promise_that_it_breaks(make: Make, promise: Promise, said: str) -> None:
    with pytest.raises(BrokenPromise, match=said) as caught:
        check_bot(make, FEW)
    assert caught.value.promise is promise
    assert isinstance(caught.value, AssertionError)
    assert str(caught.value).startswith(f"{promise}: ")


def test_the_message_says_how_to_come_there_again() -> None:
    """Game, seed, number of actions, seat and position: enough to see the illegal action once more."""
    with pytest.raises(BrokenPromise) as caught:
        check_bot(bad_bots.Illegal, [FEW[0]], seed=5)
    game, here, view = caught.value.where.splitlines()
    seed, moves, seat = (int(part) for part in here.replace(",", "").split() if part.isdecimal())
    state = eval(game, {"embertown": embertown}).start(seed=seed)
    for _ in range(moves):
        state.play(bad_bots.Honest().choose(state.view(state.seat), simulations=8, seed=seed).action)
    assert (state.seat, seed) == (seat, 5)
    assert view == f"the view: {state.view(seat).position_text()}"


def test_a_bot_of_a_function_can_not_be_sent_to_another_process() -> None:
    class Inner(bad_bots.Honest):
        pass

    with pytest.raises(BrokenPromise, match="can't be pickled"):
        check_bot(Inner, FEW[:1])


def test_global_generators_are_left_as_they_were() -> None:
    random.seed(7)
    np.random.seed(7)  # noqa: NPY002
    expected = random.Random(7).random(), np.random.RandomState(7).random()
    check_bot(bad_bots.Honest, FEW[:1])
    assert (random.random(), np.random.random()) == expected  # noqa: NPY002


def test_a_bot_without_a_clock_is_not_timed() -> None:
    check_deadline(partial(bad_bots.BadReasons, "visits of"), questions(FEW[0]))


# ---- what is asked


def test_the_kinds_have_all_players_editions_and_options() -> None:
    cronberg, drunter = kinds_of("cronberg"), kinds_of("drunter")
    shipped = {"cronberg-1726", "cronberg-quarters"}
    assert {(kind.players, kind.edition.id) for kind in cronberg} == {(n, e) for n in (2, 3, 4) for e in shipped}
    assert {kind.players for kind in drunter if not kind.options} == {2, 3, 4}
    sets = {tuple(kind.options) for kind in drunter}
    both = ("variant", "several_cards")
    assert sets == {(), *((name,) for name in both), both, ("variant", "no_votes"), (*both, "no_votes")}


def test_the_questions_have_every_kind_of_decision() -> None:
    asked = [question for game in ("cronberg", "drunter") for kind in kinds_of(game) for question in questions(kind)]
    words = {question.kind.split()[0] for question in asked}
    assert words == {"token", "draw", "place", "pass", "lay", "vote", "jeeiin", "choose"}
    assert any(question.seat != question.state.seat for question in asked)


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.name)
def test_a_view_is_the_same_after_a_journey_and_in_another_world(game: Game) -> None:
    for question in questions(game):
        twin = pickle.loads(pickle.dumps(question.view))
        assert twin == question.view
        assert twin.position_text() == question.view.position_text()
        assert list(twin.legal_actions) == list(question.view.legal_actions)
        assert question.view.sample(SeededChance("elsewhere")).view(question.seat) == question.view
