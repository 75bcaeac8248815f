"""Work spread over processes. They are spawned, never forked: threads of compiled code do not survive a fork."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
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
        under_way: list[Future[R]] = [pool.submit(work, task) for task in islice(remaining, 2 * workers)]
        try:
            while under_way:
                yield under_way.pop(0).result()
                under_way += [pool.submit(work, task) for task in islice(remaining, 1)]
        finally:
            for future in under_way:
                future.cancel()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the parent alone decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
