"""`/healthz`: whether the server is ready, getting ready, or can't store anything."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

import embertown
from embertown.server.store.errors import Conflict, StoreFailure
from embertown.server.store.writer import Write

if TYPE_CHECKING:
    from embertown.server.services import Services
    from embertown.server.store.writer import Writer
    from embertown.server.thinking import Progress

OK, UNAVAILABLE = 200, 503
PROBE_EVERY = 1.0
"""Seconds between attempts to store something, while nothing can be stored."""
PROBE = sa.text("UPDATE alembic_version SET version_num = version_num")
"""Changes nothing, and is written nevertheless: there is one such row in every database of ours."""

router = APIRouter(include_in_schema=False)


class Warmth:
    """How far the kernels are."""

    def __init__(self) -> None:
        self.done, self.total, self.what = 0, 0, ""
        self.problem: str | None = None
        """Why they never will be ready."""
        self.on_progress: Callable[[Progress], None] = lambda _: None
        self.on_problem: Callable[[str], None] = lambda _: None

    def tell(self, progress: Progress) -> None:
        """Note a step."""
        self.done, self.total, self.what = progress
        self.on_progress(progress)

    def give_up(self, problem: str) -> None:
        """Note why they never will be ready."""
        self.problem = problem
        self.on_problem(problem)


class Probe:
    """Tries now and then whether something can be stored again, once it could not."""

    def __init__(self, writer: Writer, clock: Callable[[], float] = time.monotonic) -> None:
        self._writer, self._clock = writer, clock
        self._next = 0.0
        self._lock = asyncio.Lock()

    async def problem(self) -> str | None:
        """Why nothing can be stored; None where nothing is known against it."""
        async with self._lock:
            if self._writer.failure is not None and self._clock() >= self._next:
                with suppress(StoreFailure, Conflict):
                    await self._writer.write(Write((), (PROBE,)))
                self._next = self._clock() + PROBE_EVERY
        return self._writer.failure if self._writer.running else "the writer does not run"


async def health(services: Services) -> tuple[int, dict[str, Any]]:
    """The status for HTTP, and what is told."""
    version = {"version": embertown.__version__}
    warmth = services.warmth
    problem = await services.probe.problem() or warmth.problem
    if problem is not None:
        return UNAVAILABLE, {"status": "failing", "sentence": problem, **version}
    if not services.warm.is_set():
        told = {"done": warmth.done, "total": warmth.total, "what": warmth.what}
        return UNAVAILABLE, {"status": "warming", **told, **version}
    return OK, {"status": "ok", **version}


@router.api_route("/healthz", methods=["GET", "HEAD"])
async def healthz(request: Request) -> JSONResponse:
    """Whether all is well: for whoever watches over the server, or sends people to it."""
    status, told = await health(request.app.state.services)
    return JSONResponse(told, status, {"cache-control": "no-store"})
