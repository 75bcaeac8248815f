"""A real server: it starts, says what is wrong where it can't, and stops in order or at once."""

from __future__ import annotations

import signal

import pytest

from tests.server.conftest import Serve


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_in_order(serve: Serve, number: int) -> None:
    server = serve()
    assert server.healthz() == (200, {"status": "ok", "version": "0.1.0"})
    assert server.stop(number) == 0
    assert server.said().count("Embertown is open at http://127.0.0.1:") == 1
