"""Geometry and artwork of editions, as they travel: computed once for each edition and theme, named by their hash."""

from __future__ import annotations

import asyncio
import hashlib
from functools import lru_cache
from typing import Any, NamedTuple

import orjson
from fastapi import Request, Response

from embertown.core.game import Game
from embertown.games import load
from embertown.server.packing import Packed, is_wanted

KEPT = 64
"""Editions and themes that are kept ready; some hundred KiB each."""


class Drawn(NamedTuple):
    """What a page draws an edition with."""

    body: bytes
    packed: Packed
    etag: str


async def drawn(game: Game, theme: str | None) -> Drawn:
    """The geometry and the artwork of a game's edition, made in a thread where they are not at hand."""
    reference = orjson.dumps(game.edition.reference(), option=orjson.OPT_SORT_KEYS)
    return await asyncio.to_thread(_drawn, game.name, reference, theme)


@lru_cache(KEPT)
def _drawn(name: str, reference: bytes, theme: str | None) -> Drawn:
    """By the whole edition: `edition_sha256` is over what play depends on, and pictures have names and titles too."""
    game = load(name, edition=orjson.loads(reference))
    told: dict[str, Any] = {
        "geometry": game.geometry(),
        "artwork": game.artwork(theme),
        "edition_sha256": game.edition.sha256,
    }
    body = orjson.dumps(told)
    return Drawn(body, Packed.of(body, wanted=True), hashlib.sha256(body).hexdigest()[:32])


def answer(found: Drawn, request: Request, cache: str) -> Response:
    """An edition, or that what a browser has (`If-None-Match`) is still right."""
    body = found.packed if is_wanted(request) else Packed(found.body, is_gzip=False)
    etag = f'"{found.etag}-gzip"' if body.is_gzip else f'"{found.etag}"'
    headers = {"cache-control": cache, "etag": etag}
    if is_known(etag, request.headers.get("if-none-match")):
        return Response(status_code=304, headers={**headers, "vary": "accept-encoding"})
    return body.answer(headers)


def is_known(etag: str, known: str | None) -> bool:
    """Whether a browser has it, by the tags that it names.

    >>> is_known('"a"', '"b", W/"a"'), is_known('"a"', '"b"'), is_known('"a"', "*"), is_known('"a"', None)
    (True, False, True, False)
    """
    tags = {tag.strip().removeprefix("W/") for tag in (known or "").split(",")}
    return etag in tags or "*" in tags
