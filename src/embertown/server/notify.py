"""Telling a player who is not there that it is their turn: by Web Push, and by a webhook of their own.

Addresses come from outside, so everything is sent by one `Post` that goes nowhere but to public addresses: a name is
looked up once, what it stands for is checked, and that address is connected to, whatever the name says a moment later.
Nothing secret is sent: a table, a title and a link that opens nothing for others.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import json
import logging
import secrets
import ssl
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from socket import SOCK_STREAM
from typing import NamedTuple, TypeAlias, TypeVar

import httpx
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from py_vapid import Vapid, VapidException  # type: ignore[import-untyped]

from embertown.core.errors import BadArgument, shorten, shown
from embertown.server.errors import Refused

log = logging.getLogger(__name__)

SIGNATURE = "X-Embertown-Signature"
"""The header of a webhook's message: `sha256=` and the HMAC of the body, in hex."""
EVENT = "your_turn"
LONGEST_URL = 2_000
LONGEST_TITLE = 120
AT_ONCE = 32
"""So many are sent at the same time."""
MOST_ADDRESSES = 10
"""So many of a guest's are told."""
MOST_UNDER_WAY = 2_000
"""So many messages wait or are being sent; what is more is dropped."""
QUIET = 10.0
"""Seconds between two messages to the same guest about the same table; the second waits, and stands for all others."""
PAUSES = (2.0, 10.0, 60.0)
"""Seconds until the next try."""
LONGEST_PAUSE = 300.0
"""Seconds that a receiver may ask to wait."""
TIMEOUT = 10.0
"""Seconds for one try, from the name to the answer."""
DRAIN = 2.0
"""Seconds to send what is left when the server stops."""
PUSH_LIVES = 24 * 3600
"""Seconds that a push service keeps a message for a device that is off."""
VAPID_LIVES = 12 * 3600
"""Seconds that a signature for a push service is good for; they allow a day."""
TOPIC_LENGTH = 32
"""Push services replace a message that waits by a newer one of the same topic, a word of so many letters."""

GONE = (404, 410)
"""Answers after which nothing is sent there any more."""
LATER = (408, 425, 429)
"""Answers that ask for another try, as all from 500 on do."""
SERVER_ERRORS = 500

PORTS = {"http": 80, "https": 443}
PLATFORM_ADDRESSES = frozenset({ipaddress.ip_address("168.63.129.16")})
"""Public by their number, but a cloud's own service to its machines."""
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses that a gateway turns into those of IPv4."""

K = TypeVar("K")
IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


class Push(NamedTuple):
    """A browser's subscription."""

    endpoint: str
    p256dh: str
    auth: str


class Webhook(NamedTuple):
    """A guest's own address, and the secret that signs what is sent there."""

    url: str
    secret: str


Address: TypeAlias = Push | Webhook
Find: TypeAlias = Callable[[str], Awaitable[Sequence[Address]]]
"""The addresses of a guest."""
Forget: TypeAlias = Callable[[str, Address], Awaitable[None]]
"""Remove an address of a guest."""
Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""The numeric addresses that a host's name stands for."""


class Message(NamedTuple):
    """It is this guest's turn; tries to deliver it again keep its id and time."""

    guest: str
    table: str
    title: str
    url: str
    id: str
    at: str

    @classmethod
    def new(cls, guest: str, table: str, title: str, url: str) -> Message:
        """A message of now."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        return cls(guest, table, shorten(title, LONGEST_TITLE), url, secrets.token_hex(8), at)


def webhook_secret(key: bytes, guest_id: str) -> str:
    """A guest's secret for their webhook: from the server's, so that none has to be stored.

    >>> webhook_secret(b"the server's", "anna") == webhook_secret(b"the server's", "bert")
    False
    """
    return hmac.new(key, f"webhook {guest_id}".encode(), hashlib.sha256).hexdigest()


def signature(secret: str, body: bytes) -> str:
    """What the header `SIGNATURE` says of a body; receivers compare it with their own.

    >>> signature("secret", b"{}")[:20]
    'sha256=77325902caca8'
    """
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


# ---- where to


def is_public(address: IPAddress) -> bool:
    """Whether an address is one of the whole Internet, and so of nobody's house or machine.

    >>> [is_public(ipaddress.ip_address(text)) for text in ("9.9.9.9", "10.0.0.1", "::1", "::ffff:127.0.0.1")]
    [True, False, False, False]
    """
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if address in TRANSLATED:
            inner = ipaddress.IPv4Address(address.packed[-4:])
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast and address not in PLATFORM_ADDRESSES


def checked_url(text: str) -> httpx.URL:
    """An address that a message could be sent to, by its form: http or https, a host, no password."""
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, TypeError):
        raise Refused("webhook_malformed", status=422) from None
    well_formed = url.scheme in PORTS and url.raw_host and not url.userinfo and _port(url) in range(1, 1 << 16)
    if not well_formed or len(text) > LONGEST_URL:
        raise Refused("webhook_malformed", status=422)
    return url


def _port(url: httpx.URL) -> int:
    return PORTS[url.scheme] if url.port is None else url.port


async def resolved(host: str, port: int) -> Sequence[str]:
    """What the system says that a name stands for."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class Post:
    """Sends to public addresses only; where `allow_private` is set, to any."""

    def __init__(
        self, *, allow_private: bool = False, tls: ssl.SSLContext | None = None, resolve: Resolve = resolved
    ) -> None:
        self.allow_private, self._resolve = allow_private, resolve
        # no connection is kept: one that was checked for a name must not serve another at the same address
        limits = httpx.Limits(max_keepalive_connections=0)
        self._client = httpx.AsyncClient(verify=tls or True, trust_env=False, timeout=TIMEOUT, limits=limits)

    async def check(self, url: str) -> None:
        """Refuse what nothing can or may be sent to: for when a guest gives an address. Nothing is sent."""
        found = checked_url(url)
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._place_of(found)
        except (OSError, UnicodeError):
            raise Refused("webhook_unknown", status=422) from None

    async def send(self, url: str, body: bytes, headers: dict[str, str]) -> httpx.Response:
        """What the receiver answers, without its body; redirects are not followed."""
        found = checked_url(url)
        async with asyncio.timeout(TIMEOUT):
            place = found.copy_with(host=str(await self._place_of(found)))
            known = {"Host": found.netloc.decode("ascii"), **headers}
            sni = {"sni_hostname": found.raw_host.decode("ascii")} if found.scheme == "https" else {}
            request = self._client.build_request("POST", place, content=body, headers=known, extensions=sni)
            response = await self._client.send(request, stream=True)
            await response.aclose()
            return response

    async def _place_of(self, url: httpx.URL) -> IPAddress:
        """The address to connect to, looked up once."""
        numbers = await self._resolve(url.raw_host.decode("ascii"), _port(url))
        for address in map(ipaddress.ip_address, numbers):
            if self.allow_private or is_public(address):
                return address
        raise Refused("webhook_private", status=422)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()


# ---- what


class Signer:
    """The server's name to push services (VAPID), and messages that only the subscribed browser can read."""

    def __init__(self, private_key: str, contact: str) -> None:
        """`private_key` is PEM; `contact` is how a push service reaches the host: `mailto:` or `https:`."""
        key = load_pem_private_key(private_key.encode(), password=None)
        if not isinstance(key, EllipticCurvePrivateKey):
            raise BadArgument("the key for push services is of another kind; right would be: a key of the curve P-256")
        self._vapid, self._contact = Vapid(key), contact
        try:
            self._authorization("https://push.example.org/")
        except VapidException:
            wish = "mailto: and a mail address, or an https: address"
            raise BadArgument(f"the contact for push services is {shown(contact)}; right would be: {wish}") from None

    def _authorization(self, endpoint: str) -> str:
        url = checked_url(endpoint)
        claims = {"sub": self._contact, "aud": f"{url.scheme}://{url.netloc.decode('ascii')}"}
        signed = self._vapid.sign({**claims, "exp": int(time.time()) + VAPID_LIVES})
        return str(signed["Authorization"])

    def sealed(self, push: Push, message: Message) -> tuple[bytes, dict[str, str]]:
        """The body and the headers of a push message; a subscription that can't be one is refused."""
        try:
            authorization = self._authorization(push.endpoint)
        except VapidException:  # it takes names of hosts, and no numbers of IPv6
            raise Refused("push_malformed", status=422) from None
        told = {"table": message.table, "title": message.title, "url": message.url}
        topic = base64.urlsafe_b64encode(hashlib.sha256(message.table.encode()).digest())[:TOPIC_LENGTH].decode()
        headers = {
            "Authorization": authorization,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(PUSH_LIVES),
            "Urgency": "normal",
            "Topic": topic,
        }
        return encrypted(push, json.dumps(told).encode()), headers


def encrypted(push: Push, data: bytes) -> bytes:
    """Data for a subscription; a subscription with keys that are none is refused."""
    from pywebpush import WebPusher, WebPushException  # type: ignore[import-untyped] # a second, for few servers

    keys = {"p256dh": push.p256dh, "auth": push.auth}
    try:
        body: bytes = WebPusher({"endpoint": push.endpoint, "keys": keys}).encode(data)["body"]
    except (WebPushException, ValueError, IndexError, TypeError):
        raise Refused("push_malformed", status=422) from None
    return body


def signed(webhook: Webhook, message: Message) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of a webhook's message."""
    told = {"event": EVENT, "id": message.id, "at": message.at}
    body = json.dumps({**told, "table": message.table, "title": message.title, "url": message.url}).encode()
    return body, {"Content-Type": "application/json", SIGNATURE: signature(webhook.secret, body)}


# ---- when


class Verdict(Enum):
    """What an answer means."""

    SENT = auto()
    AGAIN = auto()
    GONE = auto()
    FAILED = auto()


def verdict_on(status: int) -> Verdict:
    """What a receiver's answer means; a redirect is a failure.

    >>> verdict_on(201).name, verdict_on(410).name, verdict_on(503).name, verdict_on(302).name
    ('SENT', 'GONE', 'AGAIN', 'FAILED')
    """
    if httpx.codes.is_success(status):
        return Verdict.SENT
    if status in GONE:
        return Verdict.GONE
    return Verdict.AGAIN if status in LATER or status >= SERVER_ERRORS else Verdict.FAILED


@dataclass(slots=True)
class Counts:
    """What has happened so far, for metrics."""

    wanted: int = 0
    sent: int = 0
    retried: int = 0
    failed: int = 0
    """Given up."""
    refused: int = 0
    """Not sent, as the address is none that may be sent to."""
    removed: int = 0
    """Addresses removed, as they are gone."""
    dropped: int = 0
    """Messages that found no room in the queue, or no time before the server stopped."""
    joined: int = 0
    """Messages that another one stood for."""


Key: TypeAlias = tuple[str, str]
"""Guest and table."""


class Notifier:
    """Tells guests that it is their turn, in the background."""

    def __init__(
        self,
        find: Find,
        forget: Forget,
        *,
        vapid_private: str,
        contact: str = "mailto:admin@localhost",
        post: Post | None = None,
        quiet: float = QUIET,
        pauses: Sequence[float] = PAUSES,
        drain: float = DRAIN,
        most: int = MOST_UNDER_WAY,
    ) -> None:
        self.counts = Counts()
        self._find, self._forget = find, forget
        self._signer, self._post = Signer(vapid_private, contact), post or Post()
        self._quiet, self._pauses, self._drain, self._most = quiet, pauses, drain, most
        self._announced: dict[Key, asyncio.Task[None]] = {}
        """What waits for its time."""
        self._deliveries: dict[tuple[Key, Address], asyncio.Task[None]] = {}
        self._last: dict[Key, float] = {}
        """When messages of late were sent, the oldest first."""
        self._places = asyncio.Semaphore(AT_ONCE)
        self._stopping = asyncio.Event()
        self._open = False

    @property
    def under_way(self) -> int:
        """How many messages wait or are being sent."""
        return len(self._announced) + len(self._deliveries)

    async def start(self) -> None:
        """Take messages from now on."""
        self._open = True

    def your_turn(self, guest_id: str, table_id: str, title: str, url: str) -> None:
        """Tell a guest, soon; from the loop's thread. Never waits, never fails."""
        self.counts.wanted += 1
        key = (guest_id, table_id)
        if key in self._announced:
            self.counts.joined += 1
        elif not self._open or self.under_way >= self._most:
            self.counts.dropped += 1
        else:
            message = Message.new(guest_id, table_id, title, url)
            _keep(self._announced, key, asyncio.create_task(self._announce(key, message)))

    def no_longer(self, guest_id: str, table_id: str) -> None:
        """Take back what was not sent yet: they have moved, or the game is over."""
        key = (guest_id, table_id)
        unwanted = [self._announced.pop(key, None)]
        unwanted += [self._deliveries.pop(place) for place in tuple(self._deliveries) if place[0] == key]
        for task in filter(None, unwanted):
            task.cancel()

    async def _announce(self, key: Key, message: Message) -> None:
        """Wait until the guest may be told, and send it to all their addresses."""
        now = asyncio.get_running_loop().time()
        await self._pause(self._last.get(key, now - self._quiet) + self._quiet - now)
        self._note(key)
        try:
            addresses = await self._find(message.guest)
        except Exception:
            log.warning("the addresses of a guest can't be had", exc_info=True)
            self.counts.failed += 1
            return
        for address in addresses[:MOST_ADDRESSES]:
            self._deliver(key, address, message)

    def _note(self, key: Key) -> None:
        """Remember that this guest is told now; forget what is too long ago to matter."""
        now = asyncio.get_running_loop().time()
        self._last.pop(key, None)
        self._last[key] = now
        while (oldest := next(iter(self._last))) != key and self._last[oldest] + self._quiet <= now:
            del self._last[oldest]

    def _deliver(self, key: Key, address: Address, message: Message) -> None:
        """Send it to one address; it stands for an earlier one that still tries."""
        place = (key, address)
        if earlier := self._deliveries.pop(place, None):
            self.counts.joined += 1
            earlier.cancel()
        _keep(self._deliveries, place, asyncio.create_task(self._delivered(address, message)))

    async def _delivered(self, address: Address, message: Message) -> None:
        """Try until it is sent, or it makes no sense any more."""
        for pause in (*self._pauses, None):
            async with self._places:
                verdict, asked = await self._tried(address, message)
            if verdict is not Verdict.AGAIN or pause is None or self._stopping.is_set():
                break
            self.counts.retried += 1
            await self._pause(max(pause, asked))
        await self._settle(address, message, verdict)

    async def _tried(self, address: Address, message: Message) -> tuple[Verdict, float]:
        """What comes of one try, and for how many seconds the receiver asks to wait."""
        try:
            body, headers = await asyncio.to_thread(self._made, address, message)
            response = await self._post.send(_url_of(address), body, headers)
        except Refused:
            self.counts.refused += 1
            return Verdict.FAILED, 0.0
        except (httpx.TransportError, OSError) as error:
            log.info("a message to %s was not delivered: %r", _host_of(address), error)
            return Verdict.AGAIN, 0.0
        except Exception:  # addresses come from outside: whatever is wrong with one must not end the others' tasks
            log.warning("a message to %s can't be made or sent", _host_of(address), exc_info=True)
            return Verdict.FAILED, 0.0
        return verdict_on(response.status_code), _seconds_asked(response.headers.get("Retry-After", ""))

    def _made(self, address: Address, message: Message) -> tuple[bytes, dict[str, str]]:
        return self._signer.sealed(address, message) if isinstance(address, Push) else signed(address, message)

    async def _settle(self, address: Address, message: Message, verdict: Verdict) -> None:
        if verdict is Verdict.SENT:
            self.counts.sent += 1
            return
        self.counts.failed += 1
        if verdict is not Verdict.GONE:
            return
        self.counts.removed += 1
        try:
            await self._forget(message.guest, address)
        except Exception:
            log.warning("an address that is gone could not be removed", exc_info=True)

    async def _pause(self, seconds: float) -> None:
        """Wait, unless the server stops."""
        if seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._stopping.wait()

    async def stop(self) -> None:
        """Send what is left, each by one last try, for a second or two; then drop the rest."""
        self._open = False
        self._stopping.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._drain):
                while tasks := [*self._announced.values(), *self._deliveries.values()]:
                    await asyncio.wait(tasks)
                    await asyncio.sleep(0)  # what ended takes itself off the lists
        rest = [*self._announced.values(), *self._deliveries.values()]
        self.counts.dropped += len(rest)
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        await self._post.close()


def _keep(tasks: dict[K, asyncio.Task[None]], key: K, task: asyncio.Task[None]) -> None:
    """Hold a task until it ends, or another takes its place."""

    def drop(ended: asyncio.Task[None]) -> None:
        if tasks.get(key) is ended:
            del tasks[key]

    tasks[key] = task
    task.add_done_callback(drop)


def _url_of(address: Address) -> str:
    return address.endpoint if isinstance(address, Push) else address.url


def _host_of(address: Address) -> str:
    """All of an address that may stand in a log: the rest of it lets anybody send there."""
    try:
        return httpx.URL(_url_of(address)).host
    except httpx.InvalidURL:
        return "an address that is none"


def _seconds_asked(retry_after: str) -> float:
    """The seconds of a header `Retry-After`, within reason; a date there is not heeded.

    >>> _seconds_asked("3"), _seconds_asked("99999"), _seconds_asked("Wed, 21 Oct 2026 07:28:00 GMT")
    (3.0, 300.0, 0.0)
    """
    return min(float(retry_after), LONGEST_PAUSE) if retry_after.isdecimal() and retry_after.isascii() else 0.0
