"""The HTTP side against its own description, and what a description does not say."""

from __future__ import annotations

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error, response_schema_conformance, status_code_conformance

from tests.conftest import examples
from tests.server.client import Server


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


# ---- against the description


def operations(server: Server) -> Any:
    description = server.stranger().get("/openapi.json").json()
    return schemathesis.openapi.from_dict(description)


def test_every_answer_is_as_described(server: Server) -> None:
    """Well-formed and malformed requests to every operation: no 5xx, and answers that fit their description."""
    guest = server.guest("Schemer")
    cookies = dict(guest.http.cookies.items())
    checks = [not_a_server_error, response_schema_conformance, status_code_conformance]
    asked = 0
    for found in operations(server).get_all_operations():
        operation = found.ok()
        if not operation.path.startswith("/api/") or "stream" in operation.path or "events" in operation.path:
            continue

        @settings(max_examples=examples(6, 3), deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            answer = case.call(base_url=server.base, cookies=cookies, headers={"origin": server.base}, timeout=60)
            assert answer.status_code < 500, (case.method, case.path, case.body, answer.text)
            case.validate_response(answer, checks=checks)

        ask()
        asked += 1
    assert asked > 20
