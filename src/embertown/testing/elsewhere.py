"""The same questions in new processes: nothing is there but the bot and the views that are sent."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from typing import Any

from embertown.bots.contract import Bot, Choice
from embertown.testing.promises import BrokenPromise, Promise
from embertown.testing.questions import Question

PROCESSES = 2
DIED = "a new process died; a script has to start its work under if __name__ == '__main__'"


def answers_elsewhere(bot: Bot, asked: Sequence[Question], simulations: int) -> list[list[Choice]]:
    """The choices of the bot's twins, in each of the new processes."""
    try:
        sent = pickle.dumps((bot, [(question.view, question.seed) for question in asked], simulations))
    except Exception as error:
        raise BrokenPromise(Promise.PICKLING, f"the bot can't be pickled: {type(error).__name__}: {error}") from error
    context = multiprocessing.get_context("spawn")  # a fork would hold this process's states
    with ExitStack() as stack:
        pools = [stack.enter_context(ProcessPoolExecutor(1, context)) for _ in range(PROCESSES)]
        return [_answered(pending) for pending in [pool.submit(_choices, sent) for pool in pools]]


def _answered(pending: Future[list[Choice]]) -> list[Choice]:
    try:
        return pending.result()
    except BrokenProcessPool as error:
        raise BrokenPromise(Promise.PICKLING, DIED) from error
    except Exception as error:
        what = f"a twin in a new process raised {type(error).__name__}: {error}"
        raise BrokenPromise(Promise.PICKLING, what) from error


def _choices(sent: bytes) -> list[Choice]:
    bot, asked, simulations = _received(sent)
    return [bot.choose(view, simulations=simulations, seed=seed) for view, seed in asked]


def _received(sent: bytes) -> Any:
    """The bot and its questions; a bot's class has to stand in a module that a new process can import."""
    return pickle.loads(sent)
