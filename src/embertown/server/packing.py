"""Answers gzipped where the client takes that, chosen one by one: what holds a secret is never packed.

Where a secret and something that others can put beside it are packed together, the length of the answer tells how much
they have in common, and whoever sees lengths on the network and can have answers asked for guesses the secret letter
by letter (BREACH). So there is no layer that packs everything. Packed are editions, which are the same for everybody,
and what is told to a spectator or of a record that the client itself has sent. Tokens, links, recovery codes, own
objectives and cookies are in none of them. The live connection and the stream for programs are not packed either:
small messages gain nothing, and they do hold secrets.
"""

from __future__ import annotations

import gzip
from typing import NamedTuple

from fastapi import Request, Response

LEAST = 1024
"""Bytes below which packing gains nothing."""
LEVEL = 6
"""Of gzip: half the time of the highest, for a per cent more."""
JSON = "application/json"


def takes_gzip(accept_encoding: str) -> bool:
    """Whether a browser takes gzipped answers.

    >>> takes_gzip("br;q=1.0, gzip;q=0.8, *;q=0.1"), takes_gzip("gzip;q=0, br"), takes_gzip("")
    (True, False, False)
    """
    for part in accept_encoding.split(","):
        name, _, weight = part.replace(" ", "").partition(";")
        if name.lower() == "gzip":
            return weight.rstrip("0") not in ("q=", "q=0.")
    return False


def is_wanted(request: Request) -> bool:
    """Whether who asks takes gzipped answers."""
    return takes_gzip(request.headers.get("accept-encoding", ""))


class Packed(NamedTuple):
    """A body as it is sent, and whether it is gzipped."""

    body: bytes
    is_gzip: bool

    @classmethod
    def of(cls, body: bytes, *, wanted: bool) -> Packed:
        """Gzipped where that is wanted and gains something; the same bytes for the same body.

        >>> Packed.of(b"short", wanted=True).is_gzip, Packed.of(b"long " * 1000, wanted=True).is_gzip
        (False, True)
        """
        if not wanted or len(body) < LEAST:
            return cls(body, False)
        return cls(gzip.compress(body, LEVEL, mtime=0), True)

    def answer(self, headers: dict[str, str] | None = None) -> Response:
        """As JSON."""
        told = {**(headers or {}), "vary": "accept-encoding"}
        if self.is_gzip:
            told["content-encoding"] = "gzip"
        return Response(self.body, media_type=JSON, headers=told)
