"""What every request passes on its way in and every answer on its way out: three thin layers of ASGI.

`Headers` (outermost) adds the headers that tell a browser what the page may not do. `SameOrigin` refuses what another
site's page sends in a guest's name. `BodyLimit` refuses bodies that are too large, announced or not. Refusals are JSON
with a code and a sentence in the language that the request asks for.

Why no other site can act in a guest's name (CSRF): a guest is known by a cookie, which browsers add by themselves, or
by a bearer token, which no browser adds by itself. For everything that may change something (methods other than GET,
HEAD and OPTIONS, and the handshakes of WebSockets):

- A browser says where a request comes from, and no page can change what it says: by `Sec-Fetch-Site`, or where that is
  missing (older browsers, servers without https) by `Origin`. It must be this server or an origin that the host allows.
- Who says neither is no browser of this decade. Such a request may carry a token or nothing, but no cookie without a
  token: so a browser too old to tell can't be used by another site's page either.
- Where there is a token, the cookie is taken away before the application sees it: what passed by its token is nobody by
  its cookie.
- The cookie is SameSite=Lax, so that other sites' forms and scripts do not send it in the first place. This is a second
  lock; it alone would let in other applications on the same domain.

GET, HEAD and OPTIONS must not change anything: a link to a seat shows a page, and that page posts the claim. No answer
carries CORS headers, so other sites' scripts can't read any of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, MutableMapping
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES
from embertown.server.errors import Refused, refusal
from embertown.server.metrics import note_refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

RawHeaders = Iterable[tuple[bytes, bytes]]

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data: blob:",  # blob: a picture of the board becomes a PNG
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
    )
)
ALWAYS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),  # for browsers that do not know frame-ancestors
    # links hold secrets: other sites never learn where somebody came from
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", PERMISSIONS_POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
OVER_HTTPS = (*ALWAYS, (b"strict-transport-security", b"max-age=31536000"))
SECURE_SCHEMES = frozenset({"https", "wss"})

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES = frozenset({b"same-origin", b"none"})
"""Of `Sec-Fetch-Site`: from our own page, or from the user (an address typed, a bookmark)."""
DEFAULT_PORTS = {b"https": b":443", b"http": b":80"}
BEARER = b"bearer "
BODY_LIMIT = 512 * 1024
"""Bytes of a request's body: an edition of the largest size, written as JSON, fits."""
LONGEST_SIZE = 18
"""Digits of a size that are read as a number."""
KIB = 1024
POLICY_VIOLATION = 1008
"""How a WebSocket is closed (RFC 6455) where a server can't answer the handshake with a sentence."""
LONGEST_LANGUAGES = 200
"""Characters of `Accept-Language` that are read."""


def language_of(accept_language: str) -> str:
    """The language to answer in, by what `Accept-Language` likes best; English where it names none of ours.

    >>> language_of("nl, fr-CH;q=0.7, de;q=0.9"), language_of("*"), language_of("de;q=0, x")
    ('de', 'en', 'en')
    """
    best, liked = DEFAULT_LANGUAGE, 0.0
    for part in accept_language[:LONGEST_LANGUAGES].split(","):
        tag, _, quality = part.partition(";")
        language = tag.strip().partition("-")[0].lower()
        weight = _quality(quality)
        if language in LANGUAGES and weight > liked:
            best, liked = language, weight
    return best


def _quality(text: str) -> float:
    """The weight in `q=0.7`; 1 where none is given, 0 where it can't be read."""
    if not text.strip():
        return 1.0
    try:
        return float(text.strip().removeprefix("q="))
    except ValueError:
        return 0.0


def header(scope: Scope, name: bytes) -> bytes | None:
    """The first header of this name (in small letters), or none."""
    for found, value in scope["headers"]:
        if found == name:
            return bytes(value)
    return None


def asked_language(scope: Scope) -> str:
    """The language that a request asks for."""
    return language_of((header(scope, b"accept-language") or b"").decode("latin-1"))


def is_secure(scope: Scope) -> bool:
    """Over https, as far as the server can tell: behind a proxy, uvicorn has to trust what the proxy says."""
    return scope.get("scheme") in SECURE_SCHEMES


async def refuse(scope: Scope, receive: Receive, send: Send, error: Refused) -> None:
    """Answer a request, or the handshake of a WebSocket, with a refusal."""
    note_refusal(scope, error.code)
    if scope["type"] == "websocket":
        await receive()  # the handshake itself
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": error.code})
            return
    prefix = "websocket.http" if scope["type"] == "websocket" else "http"
    body = orjson.dumps(refusal(error, asked_language(scope)))
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *_extra(error)]
    await send({"type": f"{prefix}.response.start", "status": error.status, "headers": headers})
    await send({"type": f"{prefix}.response.body", "body": body})


def _extra(error: Refused) -> RawHeaders:
    if error.retry_after is not None:
        yield b"retry-after", b"%d" % max(1, -int(-error.retry_after // 1))
    if error.code == "body_too_large":
        yield b"connection", b"close"  # what is still to come of the body is not waited for


# ---- out: what a browser may not do


class Headers:
    """Adds the headers of security to every answer; one that the application has set itself stays as it is."""

    def __init__(self, app: ASGIApp, *, https: bool = False) -> None:
        """With `https`, the server is reached over https even where it can't tell."""
        self.app, self.https = app, https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back with the headers."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        ours = OVER_HTTPS if self.https or is_secure(scope) else ALWAYS

        async def adding(message: Message) -> None:
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                headers = list(message.get("headers", ()))
                set_already = {name for name, _ in headers}
                message["headers"] = headers + [pair for pair in ours if pair[0] not in set_already]
            await send(message)

        await self.app(scope, receive, adding)


# ---- in: where a request comes from


class Asked(NamedTuple):
    """What tells where a request comes from."""

    host: bytes
    origin: bytes | None
    site: bytes | None
    has_cookie: bool
    has_token: bool

    @classmethod
    def by(cls, scope: Scope) -> Asked:
        """Read in one pass: this runs on every request."""
        host, origin, site, cookie, token = b"", None, None, False, False
        for name, value in scope["headers"]:
            if name == b"host":
                host = value.lower()
            elif name == b"origin":
                origin = value.lower()
            elif name == b"sec-fetch-site":
                site = value
            elif name == b"cookie":
                cookie = True
            elif name == b"authorization":
                token = value[: len(BEARER)].lower() == BEARER
        return cls(host, origin, site, cookie, token)


class SameOrigin:
    """Refuses what another site's page sends, and hides the cookie of a request that has a token."""

    def __init__(self, app: ASGIApp, *, origins: Collection[str] = ()) -> None:
        """Besides the server's own host, pages of these `origins` ("https://example.org") may act."""
        self.app, self.origins = app, frozenset(origin.lower().rstrip("/").encode() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        asked = Asked.by(scope)
        if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
            problem = self.problem(asked)
            if problem is not None:
                await refuse(scope, receive, send, Refused(problem, status=403))
                return
        if asked.has_token and asked.has_cookie:
            scope = without_cookie(scope)
        await self.app(scope, receive, send)

    def problem(self, asked: Asked) -> str | None:
        """The code of the refusal, or none."""
        if asked.origin is not None and asked.origin in self.origins:
            return None
        if asked.site is not None:
            return None if asked.site in OWN_SITES else "foreign_origin"
        if asked.origin is not None:
            return None if is_host(asked.origin, asked.host) else "foreign_origin"
        return "missing_origin" if asked.has_cookie and not asked.has_token else None


def is_host(origin: bytes, host: bytes) -> bool:
    """Whether an origin is on this host and port; the scheme is not looked at, as proxies change it.

    >>> is_host(b"https://example.org", b"example.org"), is_host(b"https://example.org", b"example.org:443")
    (True, True)
    >>> is_host(b"https://example.org", b"example.org:8000"), is_host(b"null", b"null"), is_host(b"https://", b"")
    (False, False, False)
    """
    scheme, separator, place = origin.partition(b"://")
    return bool(separator and place) and (host in (place, place + DEFAULT_PORTS.get(scheme, b"")))


def without_cookie(scope: Scope) -> Scope:
    """The same request as if it had no cookie."""
    kept: MutableMapping[str, Any] = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"cookie"]}
    return kept


# ---- in: how much


class BodyLimit:
    """Refuses bodies of more than `limit` bytes: at once where the size is announced, else when it is passed."""

    def __init__(self, app: ASGIApp, *, limit: int = BODY_LIMIT) -> None:
        self.app, self.limit = app, limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif announced_size(scope) > self.limit:
            await refuse(scope, receive, send, self.too_large())
        else:
            await _Counted(self, scope, receive, send).run()

    def too_large(self) -> Refused:
        """The refusal."""
        return Refused("body_too_large", status=413, kib=self.limit // KIB)


def announced_size(scope: Scope) -> float:
    """The size that `Content-Length` names; 0 where it names none, for the body is counted anyway."""
    text = header(scope, b"content-length") or b""
    if not text.isdigit():
        return 0
    return int(text) if len(text) <= LONGEST_SIZE else math.inf


class _Counted:
    """One request whose body is counted as it comes.

    Too much of it is answered on the spot. To the application it looks as if the client had gone away, and what it says
    to that leads nowhere: frameworks turn errors of a body into answers of their own.
    """

    def __init__(self, limit: BodyLimit, scope: Scope, receive: Receive, send: Send) -> None:
        self.limit, self.scope, self.receive, self.send = limit, scope, receive, send
        self.size, self.has_started, self.is_refused = 0, False, False

    async def run(self) -> None:
        try:
            await self.limit.app(self.scope, self.counting, self.sending)
        except Exception:
            if not self.is_refused:
                raise

    async def counting(self) -> Message:
        if self.size <= self.limit.limit:
            message = await self.receive()
            self.size += len(message.get("body", b""))
            if self.size <= self.limit.limit:
                return message
            if not self.has_started:
                self.is_refused = True
                await refuse(self.scope, self.receive, self.send, self.limit.too_large())
        return {"type": "http.disconnect"}

    async def sending(self, message: Message) -> None:
        if not self.is_refused:
            self.has_started = True
            await self.send(message)


def guarded(
    app: ASGIApp, *, https: bool = False, origins: Collection[str] = (), body_limit: int = BODY_LIMIT
) -> ASGIApp:
    """An application behind all three layers."""
    return Headers(SameOrigin(BodyLimit(app, limit=body_limit), origins=origins), https=https)
