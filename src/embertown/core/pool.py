"""Work spread over processes. They are spawned, never forked: threads of compiled code do not survive a fork."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """How many processes can work at once here."""
    with suppress(AttributeError):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(work: Callable[[T], R], tasks: Iterable[T], workers: int | None = None) -> Iterator[R]:
    """The results of `work` on each task, in the tasks' order; in this process where one worker is enough.

    Only a few tasks more than there are workers are under way at once, so that a long list needs no memory. `work`
    must be a function of a module.
    """
    workers = cores() if workers is None else workers
    if workers <= 1:
        yield from map(work, tasks)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_ignore_interrupts) as pool:
        remaining = iter(tasks)
        under_way: list[Future[R]] = []
        try:
            _submit(pool, work, islice(remaining, 2 * workers), under_way)
            while under_way:
                yield under_way.pop(0).result()
                _submit(pool, work, islice(remaining, 1), under_way)
        finally:
            for future in under_way:
                future.cancel()


def _submit(pool: ProcessPoolExecutor, work: Callable[[T], R], tasks: Iterable[T], under_way: list[Future[R]]) -> None:
    """Hand tasks to the pool, which starts processes for them where it needs more."""
    for task in tasks:
        with _interrupts_held_back():
            under_way.append(pool.submit(work, task))


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the parent alone decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Processes started in the block never see Ctrl-C, not even before they can ignore it; this one does afterwards.

    A new process inherits what is blocked. Another thread may still take the signal in for this one: so it is noted
    instead of acted upon. Threads other than the main one are never interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: held.append(number)) or signal.SIG_DFL
    try:
        with _interrupts_blocked():
            yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
