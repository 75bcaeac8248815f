"""Running the application: one process, one loop, one port; and stopping it, in order or at once."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

import embertown
from embertown.core.errors import BadArgument
from embertown.server import lock
from embertown.server.app import behind_guards, create_app, running, say_goodbye
from embertown.server.frames import LiveProtocol
from embertown.server.messages import MAX_MESSAGE
from embertown.server.services import Services
from embertown.server.settings import Settings
from embertown.server.thinking import Progress

logger = logging.getLogger("embertown.server")

STOP_WITHIN = 10
"""Seconds for open requests when the server is asked to stop."""
FAREWELL_WITHIN = 3.0
"""Seconds for connections to hear that the server stops."""
LOOK_EVERY = 0.02
TELL_EVERY = 2.0
"""Seconds between lines about the warming up."""
NEW_BEFORE_COLLECTING = (20_000, 20, 50)
"""Objects that are made before Python looks for circles among the new ones; rounds of that before it looks further."""
SWITCH_WITHIN = 0.0005
"""Seconds after which a thread that waits may go on: the writer's, while the loop is busy."""
BACKLOG = 2048
"""Connections that may wait to be taken."""
STOPPED_AT_ONCE = 128
"""Exit code, with the signal's number: the server was told to stop twice."""
STOPS = tuple(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if name in signal.Signals.__members__
)
"""What tells a server to stop; SIGHUP says that its terminal is gone, SIGBREAK is Windows'."""
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
"""Where a server that listens at every address is found on its own machine."""


class Server(uvicorn.Server):
    """Says goodbye before it stops, and leaves signals to whoever runs it."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self.app = app

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        """Uvicorn would end the process by the signal that stopped it, as if it had failed."""
        return nullcontext()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell the connections why they end, then end them."""
        services: Services = self.app.state.services
        say_goodbye(services)
        await _gone(services)
        await super().shutdown(sockets)


async def _gone(services: Services) -> None:
    """Wait until everyone has heard it, within reason."""
    try:
        async with asyncio.timeout(FAREWELL_WITHIN):
            while services.hall.connections or services.hall.followers:
                await asyncio.sleep(LOOK_EVERY)
    except TimeoutError:
        logger.warning("some connections did not hear that the server stops")


def make_server(settings: Settings, *, lifespan: str = "on") -> Server:
    """The server, not yet started.

    WebSocket messages are small and many: compressing them would cost most of the time.
    """
    app = create_app(settings)
    how: dict[str, Any] = {"lifespan": lifespan}
    config = uvicorn.Config(
        behind_guards(app, settings),
        host=settings.host,
        port=settings.port,
        ws=LiveProtocol,
        ws_max_size=2 * MAX_MESSAGE,
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
        log_config=None,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        timeout_graceful_shutdown=STOP_WITHIN,
        **how,
    )
    return Server(config, app)


# ---- from the start to the end


class WarmingLog:
    """A line now and then while the kernels get ready, and one when they are."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started = self._told = clock()

    def __call__(self, progress: Progress) -> None:
        """Tell a step, if the last one that was told is some time ago."""
        now = self._clock()
        if progress.done == progress.total:
            logger.info("ready after %.1f s", now - self._started)
        elif now - self._told >= TELL_EVERY:
            self._told = now
            logger.info("warming up: %d of %d (%s)", *progress)


@dataclass(frozen=True)
class Watcher:
    """What is told of a server to whoever started it."""

    open: Callable[[str], None] = lambda _: None
    """Somebody can come, to this address."""
    warming: Callable[[Progress], None] = field(default_factory=WarmingLog)
    """So far are the kernels."""
    failing: Callable[[str], None] = lambda _: None
    """They never will be ready: why."""
    stopping: Callable[[], None] = lambda: None
    """It begins to stop."""


def run(settings: Settings, watcher: Watcher | None = None) -> None:
    """Serve until a signal says to stop; a second one stops at once. What is acknowledged is on the disk either way.

    Raises an `EmbertownError` that says what is wrong where the server can't start.
    """
    with lock.hold(settings.folder) as held, listening(settings) as place, for_many_tables():
        server = make_server(settings, lifespan="off")
        factory = server.config.get_loop_factory()
        loop = asyncio.new_event_loop() if factory is None else factory()
        try:
            if not loop.run_until_complete(_serve(server, settings, place, held, watcher or Watcher())):
                leave()  # a kernel may be compiling in a thread that nothing can stop, and nothing waits for it
            loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            loop.close()


@contextmanager
def for_many_tables() -> Iterator[None]:
    """Python's own settings for a process that holds many objects for long, and a thread that must not wait for others.

    Looking through all modules and tables for circles of garbage would take an eighth of a busy server's time.
    """
    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(*NEW_BEFORE_COLLECTING)
    sys.setswitchinterval(SWITCH_WITHIN)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)
        gc.unfreeze()


async def _serve(server: Server, settings: Settings, place: socket.socket, held: lock.Lock, watcher: Watcher) -> bool:
    """The whole life of the server; whether its kernels got ready in it."""
    address = address_of(settings.host, place)
    async with running(settings, server.app.state.metrics) as services:
        server.app.state.services = services
        services.warmth.on_progress, services.warmth.on_problem = watcher.warming, watcher.failing
        settling = asyncio.create_task(_settled(services.warm))
        with stopped_by_signals(server):
            held.tell(address)
            watcher.open(address)
            logger.info("serving", extra={"address": address, "pid": os.getpid(), "version": embertown.__version__})
            try:
                await server.serve([place])
            finally:
                settling.cancel()
                watcher.stopping()
    logger.info("stopped")
    return services.warm.is_set()


async def _settled(warm: asyncio.Event) -> None:
    """Once all is loaded, the collector leaves it alone: it stays."""
    await warm.wait()
    gc.freeze()


@contextmanager
def stopped_by_signals(server: Server) -> Iterator[None]:
    """The first signal stops the server in order, the second at once."""

    def stop(number: int, _frame: FrameType | None) -> None:
        if server.should_exit:
            leave(STOPPED_AT_ONCE + number)
        logger.info("stopping: everyone is told, what is under way is finished; a second signal stops at once")
        server.should_exit = True

    heeded = [each for each in STOPS if each.name != "SIGHUP" or signal.getsignal(each) is not signal.SIG_IGN]  # nohup
    before = {each: signal.signal(each, stop) for each in heeded}
    try:
        yield
    finally:
        for each, answer in before.items():
            signal.signal(each, answer)


def leave(code: int = 0) -> None:
    """End the process then and there: whatever was acknowledged is on the disk, and bots end with their server."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


# ---- the port


@contextmanager
def listening(settings: Settings) -> Iterator[socket.socket]:
    """A socket at the host and port that are wished for; for port 0 at any that is free."""
    host, port = settings.host, settings.port
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = found[0]
        made = socket.create_server(place[:2], family=family, backlog=BACKLOG)
    except socket.gaierror:
        raise BadArgument(
            f"--host is {host!r}, which nobody knows; right would be: an address of this machine"
        ) from None
    except OverflowError:
        raise BadArgument(f"--port is {port}; right would be: 0 to 65535") from None
    except OSError as reason:
        raise _no_place(host, port, reason) from None
    with made:
        yield made


def _no_place(host: str, port: int, reason: OSError) -> BadArgument:
    if reason.errno == errno.EADDRINUSE:
        return BadArgument(f"port {port} at {host} is taken by another program; right would be: another --port")
    if reason.errno == errno.EACCES:
        return BadArgument(f"port {port} is not open to this user; right would be: a --port above 1023, and a proxy")
    return BadArgument(
        f"can't listen at {host}, port {port}: {reason.strerror}; right would be: another --host or --port"
    )


def address_of(host: str, place: socket.socket) -> str:
    """Where a server is found from its own machine."""
    name = ANYWHERE.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{place.getsockname()[1]}"
