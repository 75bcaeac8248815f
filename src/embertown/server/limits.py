"""How often an address or a guest may do what costs the server something.

Buckets of tokens: a bucket holds `burst` tokens and fills by `per_minute`; what is done takes one out; an empty bucket
refuses and says when it is worth trying again. A school behind one address is many guests, so an address may do more
than a guest. Whoever has one address of IPv6 has a whole /64 of them, so these count as one.

The address is the one that the connection shows. Behind a proxy that is the proxy's, unless uvicorn is told to trust
what the proxy says (`--forwarded-allow-ips`).
"""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, Literal, NamedTuple

from embertown.server.errors import Refused

SECONDS_PER_MINUTE = 60
IPV6_PREFIX = 64
"""Leading bits that tell one household or machine of IPv6 from the next."""
MAX_BUCKETS = 50_000
"""Buckets that are kept; about 15 MB."""
ROUNDING_S = 1e-6
"""Sums of seconds may miss by less than this."""
KNOWN_ADDRESSES = 4096
"""Addresses whose key is remembered instead of read again."""


class Kind(StrEnum):
    """What is limited."""

    REQUESTS = "requests"
    GUESTS = "guests"
    TABLES = "tables"
    MESSAGES = "messages"
    CHAT = "chat"
    HINTS = "hints"
    CLAIMS = "claims"
    LINKS = "links"
    RECOVERIES = "recoveries"
    REPLAYS = "replays"
    CONNECTIONS = "connections"


class Key(NamedTuple):
    """Who is counted: an address or a guest."""

    of: Literal["address", "guest"]
    value: str


class Rate(NamedTuple):
    """How many at once, and how many a minute after that."""

    burst: int
    per_minute: float


RATES: Mapping[tuple[Kind, str], Rate] = {
    (Kind.REQUESTS, "address"): Rate(600, 1200),
    (Kind.REQUESTS, "guest"): Rate(200, 400),
    (Kind.GUESTS, "address"): Rate(40, 4),
    (Kind.TABLES, "address"): Rate(60, 10),
    (Kind.TABLES, "guest"): Rate(15, 3),
    (Kind.MESSAGES, "address"): Rate(2000, 12_000),
    (Kind.MESSAGES, "guest"): Rate(200, 1200),
    (Kind.CHAT, "address"): Rate(60, 120),
    (Kind.CHAT, "guest"): Rate(8, 20),
    (Kind.HINTS, "address"): Rate(60, 120),
    (Kind.HINTS, "guest"): Rate(12, 30),
    (Kind.CLAIMS, "address"): Rate(60, 20),
    (Kind.CLAIMS, "guest"): Rate(30, 10),
    (Kind.LINKS, "address"): Rate(120, 60),
    (Kind.LINKS, "guest"): Rate(60, 30),
    (Kind.RECOVERIES, "address"): Rate(10, 2),
    (Kind.REPLAYS, "address"): Rate(300, 300),
}
"""What is not named here is not limited."""
OPEN_AT_ONCE: Mapping[str, int] = {"address": 200, "guest": 20}
"""Connections that may be open at the same time."""
CONNECTIONS_RETRY_S = 10.0
"""When to try again where too many connections are open: nobody knows when one closes."""


class TooMany(Refused):
    """Too often, or too many at once.

    >>> error = TooMany(Kind.CHAT, 2.3)
    >>> error.code, error.status, error.retry_after, error.sentence()
    ('too_many_chat', 429, 2.3, 'You are writing too fast. Try again in 3 s.')
    """

    def __init__(self, kind: Kind, retry_after: float) -> None:
        seconds = max(1, math.ceil(retry_after))
        super().__init__(f"too_many_{kind}", status=429, retry_after=retry_after, seconds=seconds)
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        return TooMany, (self.kind, self.retry_after)


@lru_cache(KNOWN_ADDRESSES)
def address_key(host: str | None) -> Key:
    """The key of an address, as it stands in `scope["client"]`; also of a connection that has none (a Unix socket).

    >>> address_key("2001:db8:1:2:3::4"), address_key("::ffff:192.0.2.7")
    (Key(of='address', value='2001:db8:1:2::'), Key(of='address', value='192.0.2.7'))
    """
    try:
        address = ip_address((host or "").partition("%")[0])
    except ValueError:
        return Key("address", "unknown")
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return Key("address", str(address.ipv4_mapped))
        return Key("address", str(IPv6Network((address, IPV6_PREFIX), strict=False).network_address))
    return Key("address", str(address))


def guest_key(guest_id: str) -> Key:
    """The key of a guest."""
    return Key("guest", guest_id)


class Limits:
    """All buckets and all counts of open connections.

    A bucket is one number: the time at which it will be full again. One that is full is the same as none, so nothing
    has to be swept; when there are too many, the one that was used longest ago goes. Who is refused uses the bucket as
    well and so can't wait for it to be forgotten.
    """

    def __init__(
        self,
        rates: Mapping[tuple[Kind, str], Rate] = RATES,
        open_at_once: Mapping[str, int] = OPEN_AT_ONCE,
        clock: Callable[[], float] = time.monotonic,
        max_buckets: int = MAX_BUCKETS,
    ) -> None:
        # seconds that one token takes to come back, and seconds that a bucket takes to fill
        self._pace = {
            which: (SECONDS_PER_MINUTE / rate.per_minute, rate.burst * SECONDS_PER_MINUTE / rate.per_minute)
            for which, rate in rates.items()
        }
        self._open_at_once, self._clock, self._max_buckets = open_at_once, clock, max_buckets
        self._full_at: OrderedDict[tuple[Kind, Key], float] = OrderedDict()
        self._open: Counter[Key] = Counter()

    @classmethod
    def none(cls) -> Limits:
        """Nothing is limited: for a server among friends, and for measuring."""
        return cls(rates={}, open_at_once={})

    def check(self, kind: Kind, *keys: Key) -> None:
        """Take a token from each key's bucket, or raise `TooMany` and take none."""
        now = self._clock()
        taken: list[tuple[tuple[Kind, Key], float]] = []
        wait = 0.0
        for key in keys:
            pace = self._pace.get((kind, key.of))
            if pace is not None:
                full_at = max(self._full_at.get((kind, key), now), now) + pace[0]
                taken.append(((kind, key), full_at))
                wait = max(wait, full_at - now - pace[1])
        if wait > ROUNDING_S:
            self._touch(kind, keys)
            raise TooMany(kind, wait)
        for bucket, full_at in taken:
            self._full_at[bucket] = full_at
            self._full_at.move_to_end(bucket)
        while len(self._full_at) > self._max_buckets:
            self._full_at.popitem(last=False)

    def _touch(self, kind: Kind, keys: tuple[Key, ...]) -> None:
        for key in keys:
            if (kind, key) in self._full_at:
                self._full_at.move_to_end((kind, key))

    @contextmanager
    def connected(self, *keys: Key) -> Iterator[None]:
        """Count a connection for as long as the block runs, or raise `TooMany`."""
        for key in keys:
            if self._open[key] >= self._open_at_once.get(key.of, math.inf):
                raise TooMany(Kind.CONNECTIONS, CONNECTIONS_RETRY_S)
        self._open.update(keys)
        try:
            yield
        finally:
            self._close(keys)

    def _close(self, keys: tuple[Key, ...]) -> None:
        for key in keys:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]

    def sizes(self) -> tuple[int, int]:
        """How many buckets are kept, and how many keys have a connection open: for the metrics."""
        return len(self._full_at), len(self._open)
