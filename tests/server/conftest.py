"""One real server for all tests that change nothing of its settings."""

from collections.abc import Iterator

import pytest

from tests.server.client import Server, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server in a thread, without limits, whose bots do not wait to be followed."""
    with serving(tmp_path_factory.mktemp("server") / "data", away=3600.0) as running:
        yield running
