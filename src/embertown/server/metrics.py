"""`/metrics`: numbers about the server for Prometheus, and how long requests take; no number is about a person."""

from __future__ import annotations

import logging
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

import embertown
from embertown.server.logs import REQUESTS
from embertown.server.store import queries

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from embertown.server.services import Services

MEASURE = "embertown.measure"
"""Under this key a request carries what is found out about it on its way."""
NO_ROUTE = "(none)"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
REQUEST_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
WRITE_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
STATUSES = ("open", "playing", "over", "aborted", "closed")
PAGE_BYTES = 4096
"""Of memory, as Linux counts it where nothing else is said."""

router = APIRouter(include_in_schema=False)
requests_log = logging.getLogger(REQUESTS)


class Metrics:
    """The numbers of one server, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Histogram(
            "embertown_request_seconds",
            "How long requests took, by route.",
            ["method", "route", "status"],
            registry=self.registry,
            buckets=REQUEST_BUCKETS,
        )
        self.writes = Times(
            "embertown_write_seconds",
            "How long writes took, from being wished for to being on the disk.",
            WRITE_BUCKETS,
        )
        self.registry.register(self.writes)
        self.refusals = Counter(
            "embertown_refusals", "What was refused, by code, over HTTP and live.", ["code"], registry=self.registry
        )
        ProcessCollector(registry=self.registry)

    def watch(self, services: Services) -> None:
        """Tell the numbers of this server from now on."""
        services.writer.on_stored = self.writes.add
        self.registry.register(_Snapshot(services))

    def refused(self, code: str) -> None:
        """Count a refusal."""
        self.refusals.labels(code).inc()


class Times(Collector):
    """How long something took, counted in buckets: without the library's lock for each, as there are thousands."""

    def __init__(self, name: str, meaning: str, buckets: Sequence[float]) -> None:
        self._name, self._meaning, self._buckets = name, meaning, buckets
        self._counts, self._sum = [0] * (len(buckets) + 1), 0.0

    def add(self, took: Iterable[float]) -> None:
        """Count seconds."""
        for seconds in took:
            self._counts[bisect_left(self._buckets, seconds)] += 1
            self._sum += seconds

    def collect(self) -> Iterator[Metric]:
        """Up to each bound, how many."""
        bounds = [*map(str, self._buckets), "+Inf"]
        told = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._meaning, told, self._sum)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """All numbers, as Prometheus reads them."""
    services: Services = request.app.state.services
    tables = await services.database.read(queries.count_by_status)
    guests = await services.database.read(queries.count_guests)
    services.metrics.registry.register(stored := _Stored(tables, guests))
    try:
        told = generate_latest(services.metrics.registry)
    finally:
        services.metrics.registry.unregister(stored)
    return Response(told, media_type=CONTENT_TYPE_LATEST, headers={"cache-control": "no-store"})


class _Stored(Collector):
    """What was counted in the database a moment ago."""

    def __init__(self, tables: dict[str, int], guests: int) -> None:
        self._tables, self._guests = tables, guests

    def describe(self) -> list[Metric]:
        """Nothing: it is registered for one answer only."""
        return []

    def collect(self) -> Iterator[Metric]:
        tables = GaugeMetricFamily("embertown_tables", "Tables, by status.", labels=["status"])
        for status in STATUSES:
            tables.add_metric([status], self._tables.get(status, 0))
        yield tables
        yield GaugeMetricFamily("embertown_guests", "Guests that are known.", self._guests)


class _Snapshot(Collector):
    """What the parts of a server say of themselves when they are asked."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        services = self._services
        version = GaugeMetricFamily("embertown_info", "Which version this is.", labels=["version"])
        version.add_metric([embertown.__version__], 1)
        yield version
        yield GaugeMetricFamily("embertown_ready", "Whether the kernels are ready.", int(services.warm.is_set()))
        yield from self._hall()
        yield from self._writer()
        yield from self._bots()
        yield from self._calls()
        buckets, _ = services.limits.sizes()
        yield GaugeMetricFamily("embertown_limit_buckets", "Addresses and guests whose rates are counted.", buckets)

    def _hall(self) -> Iterator[Metric]:
        hall = self._services.hall
        rooms = list(hall.rooms.values())
        here = {guest for room in rooms for guest in room.here}
        yield GaugeMetricFamily("embertown_tables_in_memory", "Tables that are in memory.", len(rooms))
        yield GaugeMetricFamily("embertown_connections", "Live connections.", hall.connections)
        yield GaugeMetricFamily("embertown_guests_connected", "Guests that are connected.", len(here))
        moves = CounterMetricFamily("embertown_moves", "Decisions that were stored, by who made them.", labels=["by"])
        for who, count in sorted(hall.moves.items()):
            moves.add_metric([who], count)
        yield moves

    def _writer(self) -> Iterator[Metric]:
        writer = self._services.writer
        yield CounterMetricFamily("embertown_writes", "Writes that were stored.", writer.writes)
        yield CounterMetricFamily("embertown_commits", "Transactions that they took.", writer.commits)
        yield GaugeMetricFamily("embertown_writes_waiting", "Writes that wait for a transaction.", writer.waiting)
        failing = writer.failure is not None or not writer.running
        yield GaugeMetricFamily("embertown_store_failing", "Whether nothing can be stored.", int(failing))

    def _bots(self) -> Iterator[Metric]:
        thinkers = self._services.thinkers
        counts, waiting = thinkers.counts, thinkers.waiting
        yield GaugeMetricFamily("embertown_bots_thinking", "Moves that bots think about.", thinkers.under_way - waiting)
        yield GaugeMetricFamily("embertown_bots_waiting", "Moves that wait for a process.", waiting)
        yield CounterMetricFamily("embertown_bot_thought_seconds", "Seconds that bots thought.", counts.thought)
        yield CounterMetricFamily("embertown_bot_waited_seconds", "Seconds that moves waited.", counts.waited)
        questions = CounterMetricFamily("embertown_bot_moves", "What came of moves asked of bots.", labels=["result"])
        for result in ("answered", "failed", "unwanted"):
            questions.add_metric([result], getattr(counts, result))
        yield questions
        lost = CounterMetricFamily("embertown_bot_processes_lost", "Processes that were replaced.", labels=["how"])
        for how in ("died", "hung"):
            lost.add_metric([how], getattr(counts, how))
        yield lost
        memory = sum(map(memory_of, thinkers.processes))
        yield GaugeMetricFamily("embertown_bot_memory_bytes", "Memory of the processes in which bots think.", memory)

    def _calls(self) -> Iterator[Metric]:
        counts = self._services.notifier.counts
        calls = CounterMetricFamily(
            "embertown_calls", "What came of telling people elsewhere that it is their turn.", labels=["result"]
        )
        for result in ("wanted", "sent", "retried", "failed", "refused", "removed", "dropped", "joined"):
            calls.add_metric([result], getattr(counts, result))
        yield calls


def memory_of(pid: int) -> int:
    """Bytes of memory that a process has, where the system tells it in /proc; else 0."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES
    return 0


# ---- requests


@dataclass(slots=True)
class Measure:
    """What is found out about a request on its way."""

    route: str = NO_ROUTE
    status: int = 0
    refused: str | None = None


def note_refusal(scope: Scope, code: str) -> None:
    """Say that this request is refused."""
    measure: Measure | None = scope.get(MEASURE)
    if measure is not None:
        measure.refused = code


class Measured:
    """The outermost layer: counts requests by route and refusals by code, and logs them where it is asked for."""

    def __init__(self, app: ASGIApp, metrics: Metrics, *, log_addresses: bool = False) -> None:
        self.app, self.metrics, self.log_addresses = app, metrics, log_addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and look at the clock."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        measure = scope[MEASURE] = Measure()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                measure.status = message["status"]
            await send(message)

        started = time.perf_counter()
        try:
            await self.app(scope, receive, sending if scope["type"] == "http" else send)  # live messages are many
        finally:
            self._count(scope, measure, time.perf_counter() - started)

    def _count(self, scope: Scope, measure: Measure, seconds: float) -> None:
        if measure.refused is not None:
            self.metrics.refused(measure.refused)
        if scope["type"] != "http":
            return
        method = scope["method"] if scope["method"] in METHODS else "other"
        self.metrics.requests.labels(method, measure.route, measure.status).observe(seconds)
        if requests_log.isEnabledFor(logging.INFO):
            requests_log.info("%s %s", method, measure.route, extra=self._told(scope, measure, seconds))

    def _told(self, scope: Scope, measure: Measure, seconds: float) -> dict[str, Any]:
        told: dict[str, Any] = {"status": measure.status, "seconds": round(seconds, 4)}
        if measure.refused is not None:
            told["refused"] = measure.refused
        if self.log_addresses and scope.get("client"):
            told["client"] = scope["client"][0]
        return told


class RouteNoted:
    """The innermost layer: which route it was, as a template, without what stands in its place."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; afterwards its route is known."""
        try:
            await self.app(scope, receive, send)
        finally:
            measure, route = scope.get(MEASURE), scope.get("route")
            if measure is not None and route is not None:
                measure.route = getattr(route, "path", NO_ROUTE)
