"""Every route, asked with whatever its description allows and with what it does not: never a fault of the server."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from embertown.server.app import create_app
from embertown.server.settings import Settings
from tests.server.client import Server

schema = schemathesis.openapi.from_dict(create_app(Settings()).openapi())
ENDLESS = "/api/bot/events"
"""A stream that does not end by itself."""


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    """What a program of a guest shows."""
    found: str = server.guest("Fuzz").post("/api/tokens", {"label": "fuzz"}).json()["token"]
    return found


@schema.exclude(path=ENDLESS).parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_is_described(case: schemathesis.Case, server: Server, token: str) -> None:
    response = case.call(base_url=server.base, headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert response.status_code < 500 or response.json()["code"] == "warming", response.text
    case.validate_response(response, checks=[status_code_conformance, response_schema_conformance])
    if response.status_code >= 400:
        assert response.json()["sentence"]
