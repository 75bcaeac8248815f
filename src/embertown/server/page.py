"""A small page, to prove the protocol with a real client: plain HTML, one script, one style sheet.

The address of a table, of a link to a seat (`/join#TOKEN`) and the start page are the same file: what follows the `#`
is never sent to the server, so that no log holds the token.
"""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter, Response

from embertown.server.errors import Refused
from embertown.server.rest import TableId

router = APIRouter(include_in_schema=False)

INDEX = "index.html"
KINDS = {INDEX: "text/html; charset=utf-8", "page.js": "text/javascript", "page.css": "text/css"}
"""The files that there are, with their types."""


def _file(name: str) -> Response:
    content = files("embertown.server").joinpath("page", name).read_bytes()
    return Response(content, media_type=KINDS[name], headers={"cache-control": "no-cache"})


@router.get("/")
def home() -> Response:
    """The start: make a table, or go to one's own."""
    return _file(INDEX)


@router.get("/join")
def join() -> Response:
    """Where links to seats lead; the page posts the claim."""
    return _file(INDEX)


@router.get("/table/{table}")
def table(table: TableId) -> Response:  # noqa: ARG001
    """A table; with `#watch=TOKEN` for those who watch by a link."""
    return _file(INDEX)


@router.get("/page/{name}")
def part(name: str) -> Response:
    """The script and the style sheet."""
    if name not in KINDS:
        raise Refused("not_found", status=404)
    return _file(name)
