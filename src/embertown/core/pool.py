"""Work spread over processes here, or over a Ray cluster that `EMBERTOWN_RAY` names.

Processes are spawned, never forked: threads of compiled code do not survive a fork.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from embertown.core.errors import BadArgument, shorten

RAY = "EMBERTOWN_RAY"
"""An environment variable: the address of a Ray cluster for work that takes long; `auto` or `local` will do too."""
RAY_LOCAL = "local"
RAY_AUTO = "auto"
RAY_CLIENT = "ray://"
RAY_WISH = f"host:port of a running cluster, {RAY_CLIENT}host:port, {RAY_AUTO}, or {RAY_LOCAL} to start one here"
RAY_ANSWERS_WITHIN = 10.0
"""Seconds that a cluster has to answer."""
RAY_OBJECT_BYTES = 128 * 1024 * 1024
"""Memory for results under way in a cluster started here: they are small."""
PATIENCE = 5.0
"""Seconds that work goes on in this process before others are started: they take about as long to be ready."""
ONE_CORE_EACH = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""For the environment of processes that work side by side: the matrix products of a network's take no other's core."""

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
    for name, value in ONE_CORE_EACH.items():  # processes that are spawned inherit them
        os.environ.setdefault(name, value)
    context = multiprocessing.get_context("spawn")
    others = multiprocessing.active_children()
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_ignore_interrupts) as pool:
        remaining = iter(tasks)
        under_way: list[Future[R]] = []
        try:
            _submit(pool, work, islice(remaining, 2 * workers), under_way)
            while under_way:
                result = under_way[0].result()
                del under_way[0]
                yield result
                _submit(pool, work, islice(remaining, 1), under_way)
        finally:
            if under_way:
                _end_processes(others)


def at_once(work: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
    """The results of a few short tasks, a process for each; the processes last, so that the next call finds them ready.

    They end with this process, or once nobody waits for them any more: after Ctrl-C, or a task that failed. `work`
    must be a function of a module.
    """
    if len(tasks) <= 1:
        return [work(task) for task in tasks]
    pool, under_way = _lasting_pool(len(tasks)), list[Future[R]]()
    try:
        _submit(pool, work, tasks, under_way)
        return [future.result() for future in under_way]
    except BrokenProcessPool:
        _lasting_pool.cache_clear()
        raise ChildProcessError("a process at work died, perhaps for want of memory") from None
    finally:
        if not all(future.done() for future in under_way):
            _lasting_pool.cache_clear()
            _end(list(pool._processes.values()))  # else the next call would wait until they are through


@cache
def _lasting_pool(workers: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_ignore_interrupts)


def _end_processes(others: list[BaseProcess]) -> None:
    """End the pool's processes at once: nobody waits for what they would still find out, which may take minutes.

    The pool sees that and gives up what is under way; futures cancelled beforehand would confuse it.
    """
    _end([process for process in multiprocessing.active_children() if process not in others])


def _end(processes: Iterable[BaseProcess]) -> None:
    for process in processes:
        process.terminate()


def spread_when_long(
    work: Callable[[T], R], tasks: Iterable[T], workers: int | None = None
) -> Generator[R, None, None]:
    """The results in the tasks' order; once it takes long, or where `workers` says so, from several processes.

    The first comes from this process in any case, which compiles the kernels that the others then find compiled.
    Where `EMBERTOWN_RAY` names a cluster, all of them come from there.
    """
    address = os.environ.get(RAY, "")
    if address:
        yield from spread_on_ray(work, tasks, workers, address)
        return
    remaining = iter(tasks)
    started = time.monotonic()
    for task in remaining:
        yield work(task)
        if workers is not None or time.monotonic() - started > PATIENCE:
            break
    try:
        yield from spread(work, remaining, workers)
    except BrokenProcessPool:
        raise ChildProcessError("a process at work died, perhaps for want of memory; try --jobs 1") from None


def spread_on_ray(
    work: Callable[[T], R], tasks: Iterable[T], workers: int | None = None, address: str = RAY_LOCAL
) -> Iterator[R]:
    """The results of `work` on each task, in the tasks' order, from a Ray cluster, whose machines have this package.

    On a cluster as many tasks are under way at once as `workers` says, else some more than it has cores; one that is
    started here has so many cores. An exception of the work arrives as it is. What was started or connected here ends
    with the last result.
    """
    with _ray(address, workers) as ray:
        remote = ray.remote(num_cpus=1, max_retries=0)(work)
        at_once = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        if workers is not None and address != RAY_LOCAL:
            at_once = workers
        remaining = iter(tasks)
        under_way = [remote.remote(task) for task in islice(remaining, at_once)]
        try:
            while under_way:
                yield _ray_result(ray, under_way.pop(0))
                under_way += [remote.remote(task) for task in islice(remaining, 1)]
        finally:
            for reference in under_way:
                ray.cancel(reference, force=True)


def _ray_result(ray: Any, reference: Any) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise ChildProcessError(f"a task on the Ray cluster was lost: {shorten(str(error), 200)}") from None


@contextmanager
def _ray(address: str, workers: int | None) -> Iterator[Any]:
    """Ray, connected; whoever is connected already stays so."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing here reports to anybody
    try:
        import ray
    except ImportError:
        raise BadArgument(
            f"{RAY} is set, but Ray is not installed; right would be: pip install 'embertown[ray]'"
        ) from None
    if ray.is_initialized():
        yield ray
        return
    _connect(ray, address, workers)
    try:
        yield ray
    finally:
        with _interrupts_held_back():
            ray.shutdown()


def _connect(ray: Any, address: str, workers: int | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == RAY_LOCAL:
        size = {"num_cpus": workers or cores(), "object_store_memory": RAY_OBJECT_BYTES, "include_dashboard": False}
        with _interrupts_held_back():
            ray.init(RAY_LOCAL, **size, **quiet)
        return
    if address != RAY_AUTO:
        _check_address(address)
    try:
        ray.init(address, **quiet)
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise BadArgument(_no_answer(address, str(error))) from None


def _check_address(address: str) -> None:
    """Whether anybody listens there: Ray itself would try for minutes."""
    host, _, port = address.removeprefix(RAY_CLIENT).rpartition(":")
    if not host or not port.isdecimal():
        raise BadArgument(f"{RAY} is {address!r}; right would be: {RAY_WISH}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), RAY_ANSWERS_WITHIN).close()
    except (OSError, OverflowError) as error:
        raise BadArgument(_no_answer(address, str(error))) from None


def _no_answer(address: str, why: str) -> str:
    reason = shorten(" ".join(why.split()), 200)
    return f"{RAY} is {address!r}, but no Ray cluster answers there ({reason}); right would be: {RAY_WISH}"


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
