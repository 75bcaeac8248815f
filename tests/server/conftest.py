"""What the tests of the server share: real servers, for as long as a test runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.client import Server, serving
from tests.server.servers import ServerProcess

Serve = Callable[..., ServerProcess]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start a server and wait until all is well: `serve()`, `serve("--no-limits")`.

    `warm=False` waits only until it listens: kernels take seconds. `start=False` starts nothing yet.
    """
    servers: list[ServerProcess] = []

    def start(
        *flags: object, folder: Path | None = None, start: bool = True, warm: bool = True, **settings: str
    ) -> ServerProcess:
        server = ServerProcess(folder or tmp_path / "server", "--bots", 1, *flags, **settings)
        servers.append(server)
        return server.start(warm=warm) if start else server

    yield start
    for server in servers:
        server.end()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all tests of a file that do not stop it: until the kernels are ready takes seconds."""
    folder = tmp_path_factory.mktemp("shared") / "server"
    server = ServerProcess(folder, "--bots", 1, "--no-limits", "--showing", 0)
    try:
        yield server.start()
    finally:
        server.end()


@pytest.fixture(scope="module")
def listening_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all tests of a file that need no bots and make no tables: the kernels are not waited for."""
    folder = tmp_path_factory.mktemp("listening") / "server"
    server = ServerProcess(folder, "--bots", 1, "--no-limits")
    try:
        yield server.start(warm=False)
    finally:
        server.end()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server in a thread for all tests that change nothing of its settings; its bots do not wait to be followed."""
    with serving(tmp_path_factory.mktemp("server") / "data", away=3600.0) as running:
        yield running
