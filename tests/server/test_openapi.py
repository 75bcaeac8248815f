"""Every route, asked with whatever its description allows and with what it does not: never a fault of the server."""

from __future__ import annotations

import json
from typing import Any

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


# ---- what a description does not say


@pytest.mark.parametrize(
    "body",
    [
        b'{"\\ud800": 1}',
        b'{"name": "\\ud800"}',
        b'{"name": "x", "language": "\\udfff"}',
        b"[" * 30_000,
        b'{"name": ' + b"9" * 5000 + b"}",
        b"\xff\xfe",
        b"",
        b"null",
    ],
)
def test_odd_bodies_are_refused(server: Server, body: bytes) -> None:
    guest = server.stranger()
    answer = guest.request("POST", "/api/guests", content=body, headers={"content-type": "application/json"})
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.json()["sentence"]


TABLES: tuple[dict[str, Any], ...] = (
    {"options": {"players": True}},
    {"options": {"edition": True}},
    {"options": {"self": True}},
    {"options": {"variant": True}},
    {"edition": "/etc/passwd"},
    {"edition": "pyproject.toml"},
    {"edition": ""},
    {"edition": {}},
    {"edition": {"edition": {"id": "\ud800"}}},
    {"edition": {"\ud800": {"a": ["\udfff"]}}},
    {"seats": ["me", "\ud800"]},
    {"seats": ["me", "../bot"]},
    {"seats": ["me"]},
    {"seats": ["me"] * 5},
    {"entropy": "\n"},
    {"entropy": "\ud800"},
    {"title": "\ud800"},
    {"clock": {"total": -1}},
    {"clock": {"total": 1e400}},
    {"games": 10**30},
)


@pytest.mark.parametrize("wish", TABLES, ids=[str(number) for number in range(len(TABLES))])
def test_a_table_that_can_not_be_is_not_made(server: Server, wish: dict[str, Any]) -> None:
    guest = server.guest("Anna")
    body = json.dumps({"game": "cronberg", "seats": ["me", "me"], **wish}).encode()
    answer = guest.request("POST", "/api/tables", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert "root:" not in answer.text
    assert "/etc" not in answer.text or "passwd" in answer.text
    assert guest.get("/api/tables/mine").json() == []
