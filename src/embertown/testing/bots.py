"""Tests of what bots promise (`embertown.bots.contract`): one function for each promise, `check_bot` for all.

Each takes what makes a new bot when called, a class mostly, and raises `BrokenPromise`, an `AssertionError`, that says
which promise, how it is broken, and in which game, after which actions, in which position.

>>> from embertown.bots.random_bot import RandomBot
>>> from embertown.games import load
>>> check_legal(RandomBot, [load("cronberg", players=2)])
"""

from __future__ import annotations

import inspect
import pickle
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from embertown.bots.contract import Bot, Choice
from embertown.core.chance import SeededChance
from embertown.core.errors import UnknownGame, shown
from embertown.core.game import Game, State
from embertown.games import GAMES, game_class
from embertown.testing.elsewhere import answers_elsewhere
from embertown.testing.promises import BrokenPromise, Promise, hold
from embertown.testing.questions import Question, all_kinds, questions
from embertown.testing.reasons import check_form

Make = Callable[..., Bot]
"""What gives a new bot, all alike, when called without arguments; with `clock=` where it can be given a clock."""

SIMULATIONS = 8
"""The budget for each choice, where none is given: promises are kept in small games of thought or not at all."""
DEEPER = 8
"""Reasons are also looked at after so many times as much thought: lines are longer, and choices closer."""
WORLDS = 3
"""How many other states, with other secrets, each view is taken from."""
STANDSTILLS = (4, 5, 9)
"""After how many looks at it the clock jumps past every deadline; the first, to know when that is, come before."""
SECONDS = 1.0
FAR_AHEAD = 1e6
"""Seconds, past every deadline."""


def check_bot(
    make: Make, games: Iterable[str | Game] = tuple(GAMES), simulations: int = SIMULATIONS, seed: int = 0
) -> None:
    """Every promise, in games of every kind; `games` are names, each for all its kinds, or games as they are.

    A bot that plays one game only is checked with `games=["cronberg"]`. Seeds other than 0 ask other questions.
    """
    kinds = all_kinds(games)
    asked = [question for game in kinds for question in questions(game, seed)]
    check_legal(make, kinds, simulations, seed)
    check_view_unchanged(make, asked, simulations)
    for deeper in (1, DEEPER):
        check_reasons(make, asked, deeper * simulations)
    check_repeatable(make, asked, simulations)
    check_global_randomness(make, asked, simulations)
    check_pickling(make, asked, simulations)
    check_secrets(make, asked, simulations)
    check_deadline(make, asked)
    check_unknown_game(make, simulations)
    check_elsewhere(make, asked, simulations)


# ---- one promise each


def check_legal(make: Make, games: Iterable[Game], simulations: int = SIMULATIONS, seed: int = 0) -> None:
    """Whole games, the bot at all seats: every action is legal, and there always is one."""
    bot = new_bot(make)
    for game in games:
        state, move = game.start(seed=seed), 0
        while waiting := state.waiting:
            question = Question(state, waiting[move % len(waiting)], seed, move)
            action = ask(bot, question, simulations).action
            state.play(action, question.seat)
            move += 1


def check_reasons(make: Make, asked: Iterable[Question], simulations: int = SIMULATIONS) -> None:
    """Shares sum to 1, figures are there for every seat, what is considered is legal, the line begins with the action.

    Beliefs are shares too, and there is none about the bot's own cards.
    """
    bot = new_bot(make)
    for question in asked:
        check_form(ask(bot, question, simulations), question, simulations)


def check_view_unchanged(make: Make, asked: Iterable[Question], simulations: int = SIMULATIONS) -> None:
    """A view is the same after the bot has looked at it, and so is the game that it belongs to."""
    bot = new_bot(make)
    for question in asked:
        view = question.view
        before = pickle.loads(pickle.dumps(view))
        choose(bot, view, question, simulations=simulations)
        hold(view == before, Promise.VIEW, "the view was changed while the bot chose", question.where())
        hold(question.view == before, Promise.VIEW, "the game was changed while the bot chose", question.where())


def check_repeatable(make: Make, asked: Sequence[Question], simulations: int = SIMULATIONS) -> None:
    """The same choice from a new bot, from another new one, and from one that was asked many other things before."""
    used = new_bot(make)
    expected = [ask(new_bot(make), question, simulations) for question in asked]
    for question, choice in zip(asked, expected, strict=True):
        again = ask(new_bot(make), question, simulations)
        same(choice, again, Promise.REPEATABLE, "a new bot, asked the same,", question)
    for question, choice in reversed(list(zip(asked, expected, strict=True))):
        again = ask(used, question, simulations)
        same(choice, again, Promise.REPEATABLE, "a bot that was asked other things before", question)


def check_global_randomness(make: Make, asked: Iterable[Question], simulations: int = SIMULATIONS) -> None:
    """What `random` and `np.random` hold is not touched, and does not matter."""
    bot = new_bot(make)
    for question in asked:
        with _global_seed(1) as before:
            choice = ask(bot, question, simulations)
            hold(_global_state() == before, Promise.RANDOMNESS, "random or np.random was used", question.where())
        with _global_seed(2):
            other = ask(bot, question, simulations)
        same(choice, other, Promise.RANDOMNESS, "with random and np.random seeded otherwise, it", question)


def check_pickling(make: Make, asked: Iterable[Question], simulations: int = SIMULATIONS) -> None:
    """A bot is pickled before its first question and after each; the twin chooses alike, and choices can travel too."""
    bot = new_bot(make)
    for question in asked:
        twin = _pickled(bot, "the bot", question)
        choice = ask(bot, question, simulations)
        same(choice, ask(twin, question, simulations), Promise.PICKLING, "the unpickled twin", question)
        same(choice, _pickled(choice, "its choice", question), Promise.PICKLING, "the choice, unpickled,", question)


def check_secrets(make: Make, asked: Iterable[Question], simulations: int = SIMULATIONS) -> None:
    """Other states whose secrets were replaced, but that look the same to this seat, get the same answer."""
    bot = new_bot(make)
    for question in asked:
        choice = _asked_in(question.state, bot, question, simulations)
        for world in range(WORLDS):
            other = question.view.sample(SeededChance(f"world {world} of {question.seed}"))
            answer = _asked_in(other, bot, question, simulations)
            same(choice, answer, Promise.SECRETS, "with other secrets behind the same view, it", question)


def check_elsewhere(make: Make, asked: Sequence[Question], simulations: int = SIMULATIONS) -> None:
    """The pickled bot and the views, sent to two new processes that hold no state at all, get the same answers there.

    If those two differ, the answers are a matter of luck; if only this process differs, something here was read.
    """
    bot = new_bot(make)
    here = [ask(bot, question, simulations) for question in asked]
    one, other = answers_elsewhere(new_bot(make), asked, simulations)
    for question, first, second in zip(asked, one, other, strict=True):
        same(first, second, Promise.REPEATABLE, "from one new process to another, it", question)
    for question, first, mine in zip(asked, one, here, strict=True):
        same(first, mine, Promise.SECRETS, "in a process that holds no state, it", question)


def check_deadline(make: Make, asked: Iterable[Question]) -> None:
    """With a clock of its own (`clock=`): after the first look past the deadline, no other; then there is an answer.

    Bots that can't be given a clock are not checked: nothing but luck would tell.
    """
    if not _takes_clock(make):
        return
    stopped = False
    for question in asked:
        for still in STANDSTILLS:
            clock = JumpingClock(still, question)
            choose(new_bot(make, clock=clock), question.view, question, seconds=SECONDS)
            clock.check()
            stopped = stopped or clock.looks == still + 1
    hold(stopped, Promise.DEADLINE, "whatever is asked, it is never the clock that ends it")


def check_unknown_game(make: Make, simulations: int = SIMULATIONS) -> None:
    """A view of a game that the bot can't know gets a legal action, or `UnknownGame`; nothing else."""
    bot = new_bot(make)
    for name in GAMES:
        stranger: Any = type("Stranger", (game_class(name),), {"name": "stranger"})
        state = stranger().start(seed=0)
        question = Question(state, state.seat, 0, 0)
        try:
            ask(bot, question, simulations)
        except BrokenPromise as broken:
            hold(isinstance(broken.__cause__, UnknownGame), Promise.UNKNOWN_GAME, broken.what, broken.where)


# ---- asking


def new_bot(make: Make, **how: Any) -> Bot:
    """A new bot, with a name and something to choose with."""
    bot = make(**how)
    name = getattr(bot, "name", None)
    hold(isinstance(name, str) and name != "", Promise.SIGNATURE, f"its name is {shown(name)}, and not a text")
    hold(callable(getattr(bot, "choose", None)), Promise.SIGNATURE, f"{shown(bot)} has no method choose")
    return bot


def ask(bot: Bot, question: Question, simulations: int) -> Choice:
    """What the bot chooses from a new view, with the game's seed."""
    return choose(bot, question.view, question, simulations=simulations)


def choose(bot: Bot, view: Any, question: Question, **budget: Any) -> Choice:
    """What the bot chooses; an exception is no choice, and neither is an action that is not legal."""
    legal = question.state.legal_actions_of(question.seat)
    try:
        choice = bot.choose(view, seed=question.seed, **budget)
    except BrokenPromise:
        raise
    except Exception as error:
        raise BrokenPromise(
            Promise.LEGAL, f"{bot.name} raised {type(error).__name__}: {error}", question.where()
        ) from error
    hold(isinstance(choice, Choice), Promise.SIGNATURE, f"it gave {shown(choice)}, and not a Choice", question.where())
    action = choice.action
    hold(type(action) is int, Promise.LEGAL, f"the action is {shown(action)}, and not a whole number", question.where())
    hold(action in legal, Promise.LEGAL, f"{bot.name} chose {_told(question, action)}", question.where())
    return choice


def _told(question: Question, action: int) -> str:
    """An action that should not have been chosen, in words where there are any."""
    try:
        return f"{action} ({question.state.text(action)})"
    except Exception:
        return str(action)


def _asked_in(state: State[Any], bot: Bot, question: Question, simulations: int) -> Choice:
    """What the bot chooses where this is the state behind the view, also for one that looks around where it is called.

    The state is this function's own, the nearest that a bot without manners can find.
    """
    question = question._replace(state=state)
    return ask(bot, question, simulations)


def same(one: Choice, other: Choice, promise: Promise, who: str, question: Question) -> None:
    """Raise unless two choices are the same; say whether the actions differ or only the reasons."""
    if one.action != other.action:
        text = question.state.text
        what = f"{who} chose {text(other.action)} instead of {text(one.action)}"
    else:
        what = f"{who} chose the same for other reasons: {other.reasons} instead of {one.reasons}"
    hold(one == other, promise, what, question.where())


# ---- what is exchanged


def _pickled(thing: Any, what: str, question: Question) -> Any:
    try:
        return pickle.loads(pickle.dumps(thing))
    except Exception as error:
        raise BrokenPromise(
            Promise.PICKLING, f"{what} can't be pickled: {type(error).__name__}: {error}", question.where()
        ) from error


def _global_state() -> tuple[Any, ...]:
    """What the two global generators hold."""
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002
    return random.getstate(), kind, bytes(np.asarray(keys)), *rest


@contextmanager
def _global_seed(seed: int) -> Iterator[tuple[Any, ...]]:
    """Both global generators seeded; what they hold then. Afterwards they are as they were."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield _global_state()
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002


def _takes_clock(make: Make) -> bool:
    try:
        return "clock" in inspect.signature(make).parameters
    except (TypeError, ValueError):  # written in C, say
        return False


class JumpingClock:
    """Stands still for some looks and is past every deadline from then on; a second look there is one too many."""

    def __init__(self, still: int, question: Question) -> None:
        self.still, self.question, self.looks = still, question, 0

    def __call__(self) -> float:
        """Seconds."""
        self.looks += 1
        self.check()
        return 0.0 if self.looks <= self.still else FAR_AHEAD

    def check(self) -> None:
        """Raise where it was looked at too often."""
        what = f"looked at the clock again; look number {self.still + 1} was the first after the deadline"
        hold(self.looks <= self.still + 1, Promise.DEADLINE, what, self.question.where())
