"""The application: the parts put together, started and stopped in the right order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

import embertown
from embertown.core.errors import EmbertownError
from embertown.games import GAMES, load
from embertown.server import admin, bot_api, health, metrics, page, replay_api, rest, trying
from embertown.server.addresses import Addresses
from embertown.server.advising import Adviser
from embertown.server.chat import Chat
from embertown.server.driving import Driver
from embertown.server.errors import Refused, as_refused, refusal
from embertown.server.hall import Hall, Stale
from embertown.server.headers import asked_language, guarded
from embertown.server.health import Probe, Warmth
from embertown.server.identity import Guests, cookie_in
from embertown.server.keys import Keys
from embertown.server.limits import CONNECTIONS_RETRY_S, Kind, Limits, TooMany
from embertown.server.live import LiveConnection
from embertown.server.making import Maker
from embertown.server.metrics import Measured, Metrics, RouteNoted, note_refusal
from embertown.server.notify import Notifier, Post
from embertown.server.reading import unreadable, wrong_by_language
from embertown.server.retention import Retention
from embertown.server.services import Access, Services
from embertown.server.settings import Settings
from embertown.server.sockets import LiveFirst, Socket
from embertown.server.standing import Standing
from embertown.server.store import queries
from embertown.server.store.database import Database
from embertown.server.store.writer import Writer
from embertown.server.thinking import Thinkers

logger = logging.getLogger("embertown.server")


SWEEP_EVERY = 60.0
"""Seconds."""
BAD_REQUEST = 400


def create_app(settings: Settings) -> FastAPI:
    """The application of a server with these settings; nothing is opened before it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running(settings, app.state.metrics) as services:
            app.state.services = services
            yield

    app = FastAPI(
        title="Embertown",
        version=embertown.__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(rest.router)
    app.include_router(replay_api.router)
    app.include_router(health.router)
    app.include_router(bot_api.router)
    app.include_router(metrics.router)
    app.include_router(admin.router)
    pages = page.Pages()
    app.include_router(page.routes(pages))
    app.add_middleware(RouteNoted)
    app.state.metrics = Metrics()
    add_error_answers(app, pages)
    return app


def create_guarded_app(settings: Settings) -> Any:
    """The application as it meets the world."""
    return behind_guards(create_app(settings), settings)


def behind_guards(app: FastAPI, settings: Settings) -> Any:
    """An application behind the layers that measure, check origins and sizes and add headers."""

    async def live_at(socket: Socket, table: str) -> None:
        await live(app.state.services, socket, table)

    guards = guarded(LiveFirst(app, live_at), https=settings.https, origins=settings.origins)
    return Measured(guards, app.state.metrics, log_addresses=settings.log_addresses)


# ---- starting and stopping


@asynccontextmanager
async def running(settings: Settings, counted: Metrics | None = None) -> AsyncIterator[Services]:
    """The parts of a server, started; afterwards stopped, everything that was acknowledged on the disk."""
    keys = Keys.at(settings.folder)
    database = Database.open(settings.database_address)
    services = put_together(settings, keys, database, counted)
    await services.writer.start()
    await services.notifier.start()
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(warm_up(services)), loop.create_task(sweep(services))]
    if settings.retention_days is not None:
        tasks.append(loop.create_task(Retention(services.hall, settings.retention_days).run()))
    try:
        yield services
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        say_goodbye(services)
        await services.driver.stop()
        await services.thinkers.stop()
        await services.notifier.stop()
        await services.writer.stop()
        database.close()


def say_goodbye(services: Services) -> None:
    """Tell everyone who is connected that the server stops."""
    services.hall.dismiss("server_stops")


def put_together(settings: Settings, keys: Keys, database: Database, counted: Metrics | None = None) -> Services:
    """The parts of a server, not yet started."""
    writer, warm = Writer(database), asyncio.Event()
    hall = Hall(database, writer)
    maker = Maker(hall, settings)
    thinkers = Thinkers(settings.bot_processes)
    addresses = Addresses(database, writer, keys, Post(allow_private=settings.private_webhooks))
    notifier = Notifier(
        addresses.find,
        addresses.forget,
        vapid_private=keys.vapid_private,
        contact=settings.contact,
        post=addresses.post,
    )
    services = Services(
        settings=settings,
        keys=keys,
        database=database,
        writer=writer,
        guests=Guests(database, writer, keys),
        limits=Limits() if settings.limits else Limits.none(),
        hall=hall,
        maker=maker,
        thinkers=thinkers,
        notifier=notifier,
        addresses=addresses,
        driver=Driver(hall, maker, thinkers, notifier, settings, warm),
        chat=Chat(hall),
        adviser=Adviser(hall, thinkers),
        access=Access(),
        standing=Standing(hall),
        warm=warm,
        warmth=Warmth(),
        probe=Probe(writer),
        metrics=counted or Metrics(),
    )
    services.metrics.watch(services)
    return services


async def warm_up(services: Services) -> None:
    """Compile or load the kernels, here and where bots think; then wake the tables at which something is due."""
    try:
        services.warmth.what = "the rules"
        await asyncio.to_thread(play_a_little)
        await services.thinkers.start(services.warmth.tell)
        services.warm.set()
        await wake_tables(services)
    except asyncio.CancelledError:
        raise
    except Exception as error:
        services.warmth.give_up(f"the kernels could not get ready: {error}")
        logger.exception("the server could not get ready")


async def sweep(services: Services) -> None:
    """Now and then, let go of what nobody needs."""
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        services.hall.sweep()


def play_a_little() -> None:
    """Every kernel that a table needs, called once for each game."""
    for name in GAMES:
        state = load(name).start(seed=0)
        while not state.is_over:
            view = state.view(state.seat)
            view.facts()
            action = view.legal_actions[-1]
            view.described(action)
            view.foretold(action)
            state.play(action)
            for supposed in state.suppositions:
                trying.tried(trying.from_revealed(state), None, [supposed], at=0, whole=False)


async def wake_tables(services: Services) -> None:
    """Go on where the server stopped: bots that are due think, clocks run on from now."""
    for table_id in await services.database.read(queries.tables_to_wake):
        try:
            await services.driver.wake(table_id)
        except EmbertownError as error:
            logger.warning("table %s can't go on: %s", table_id, error)


# ---- the live connection


async def live(services: Services, socket: Socket, table: str) -> None:
    """A table's live connection, from its acceptance to its end."""
    connection = LiveConnection(services, socket, None)
    try:
        if services.hall.connections >= services.settings.most_connections:
            raise TooMany(Kind.CONNECTIONS, CONNECTIONS_RETRY_S)
        guest = await services.guests.by_cookie(cookie_in(socket.cookies, https=services.settings.https))
        connection = LiveConnection(services, socket, guest)
        with services.limits.connected(*connection.keys):
            await connection.serve(table)
    except Refused as error:
        await connection.end(error)


# ---- errors


def add_error_answers(app: FastAPI, pages: page.Pages | None = None) -> None:
    """Every error is answered with a code and a sentence in the language asked for.

    People who look for a page that there is not are shown one of `pages`.
    """

    def answer(request: Request, error: EmbertownError, status: int) -> JSONResponse:
        content = refusal(error, asked_language(request.scope))
        note_refusal(request.scope, content["code"])
        headers = {}
        if isinstance(error, Stale):
            content["missed"] = error.missed
        retry_after = error.retry_after if isinstance(error, Refused) else None
        if retry_after is not None:
            content["retry_after"] = round(retry_after, 1)
            headers["retry-after"] = str(max(1, round(retry_after)))
        return JSONResponse(content, status, headers)

    async def refused(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, EmbertownError)
        told = as_refused(error)
        return answer(request, told, told.status if isinstance(told, Refused) else 422)

    async def malformed(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return answer(request, Refused("malformed_request", where=where, wrong=wrong_by_language(first)), 422)

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == BAD_REQUEST:  # a body that not even its reader could make sense of
            return answer(
                request, Refused("malformed_request", where="body", wrong=unreadable(error.detail)), error.status_code
            )
        if error.status_code != page.NOT_FOUND:
            return answer(request, Refused("not_allowed"), error.status_code)
        shown = None if pages is None else pages.not_found(request)
        return shown or answer(request, Refused("not_found"), error.status_code)

    async def failed(request: Request, error: Exception) -> JSONResponse:
        logger.error("a request could not be answered", exc_info=error)
        return answer(request, Refused("internal_error"), 500)

    app.add_exception_handler(EmbertownError, refused)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, failed)
