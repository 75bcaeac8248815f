"""Web Push and webhooks, to real servers here: what they receive is decrypted, verified, refused and retried."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import json
import ssl
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import http_ece
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID
from py_vapid import Vapid02

from embertown.core.errors import BadArgument
from embertown.server.errors import Refused
from embertown.server.notify import (
    Address,
    Notifier,
    Post,
    Push,
    Signer,
    Webhook,
    encrypted,
    is_public,
    webhook_secret,
)

PATIENCE = 60.0
"""Seconds until something that never comes fails a test."""
ELSEWHERE = "/elsewhere"


def pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def unpadded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


VAPID = ec.generate_private_key(ec.SECP256R1())
BROWSER = ec.generate_private_key(ec.SECP256R1())
BROWSER_POINT = BROWSER.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
BROWSER_AUTH = bytes(range(16))
SECRET = webhook_secret(b"the server's key", "anna")


def subscription(endpoint: str) -> Push:
    return Push(endpoint, unpadded(BROWSER_POINT), unpadded(BROWSER_AUTH))


# ---- a server that writes down what it receives


class Received(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes
    at: float


class Receiver:
    """A real server; it answers with the statuses given, and with the last of them from then on."""

    def __init__(self, statuses: Sequence[int] = (201,), tls: ssl.SSLContext | None = None) -> None:
        self.received: list[Received] = []
        self.statuses, self.silent = list(statuses), threading.Event()
        self.silent.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.received.append(Received(self.path, headers, body, time.monotonic()))
                receiver.silent.wait(PATIENCE)
                status = receiver.statuses.pop(0) if len(receiver.statuses) > 1 else receiver.statuses[0]
                self.send_response(status)
                self.send_header("Location", ELSEWHERE)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if tls is not None:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.scheme = "http" if tls is None else "https"

    def url(self, path: str = "/turn", host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"


@contextmanager
def receiving(*statuses: int, tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    receiver = Receiver(statuses or (201,), tls)
    thread = threading.Thread(target=receiver.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield receiver
    finally:
        receiver.silent.set()
        receiver.server.shutdown()
        receiver.server.server_close()
        thread.join()


class Book:
    """Where addresses are kept, as the store does it."""

    def __init__(self, **addresses: Sequence[Address]) -> None:
        self.addresses = {guest: list(found) for guest, found in addresses.items()}

    async def find(self, guest: str) -> Sequence[Address]:
        return tuple(self.addresses[guest])

    async def forget(self, guest: str, address: Address) -> None:
        self.addresses[guest].remove(address)


@asynccontextmanager
async def notifying(book: Book, post: Post | None = None, **settings: Any) -> AsyncIterator[Notifier]:
    usual = {"quiet": 0.0, "pauses": (0.01, 0.01, 0.01), "contact": "mailto:host@example.org"}
    post = post or Post(allow_private=True)
    notifier = Notifier(book.find, book.forget, vapid_private=pem(VAPID), post=post, **{**usual, **settings})
    await notifier.start()
    try:
        yield notifier
    finally:
        await notifier.stop()
        assert notifier.under_way == 0


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.005)


async def settled(notifier: Notifier) -> None:
    await until(lambda: notifier.under_way == 0)


def tell(notifier: Notifier, guest: str = "anna", table: str = "abcdefghijkl", title: str = "Your turn") -> None:
    notifier.your_turn(guest, table, title, f"https://games.example.org/t/{table}")


# ---- what is sent


def test_a_browser_can_read_its_message_and_the_push_service_knows_the_sender() -> None:
    async def work(receiver: Receiver) -> None:
        async with notifying(Book(anna=[subscription(receiver.url())])) as notifier:
            tell(notifier, title="Église: à toi " + "x" * 500)
            await settled(notifier)
            assert (notifier.counts.wanted, notifier.counts.sent, notifier.counts.failed) == (1, 1, 0)

    with receiving() as receiver:
        asyncio.run(work(receiver))
        ((path, headers, body, _),) = receiver.received
        assert path == "/turn"
        plain = http_ece.decrypt(body, private_key=BROWSER, auth_secret=BROWSER_AUTH, version="aes128gcm")
        told = json.loads(plain)
        assert set(told) == {"table", "title", "url"}
        assert told["table"] == "abcdefghijkl"
        assert told["title"].startswith("Église: à toi xxx")
        assert len(told["title"]) <= 120
        assert told["url"] == "https://games.example.org/t/abcdefghijkl"
        assert b"abcdefghijkl" not in body
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) > 0
        assert len(headers["topic"]) == 32
        check_vapid(headers["authorization"], f"http://127.0.0.1:{receiver.port}")


def check_vapid(authorization: str, audience: str) -> None:
    """As a push service does it."""
    assert Vapid02.verify(authorization)
    parts = dict(part.split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
    public = VAPID.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    assert parts["k"] == unpadded(public)
    claims = json.loads(base64.urlsafe_b64decode(parts["t"].split(".")[1] + "=="))
    assert (claims["aud"], claims["sub"]) == (audience, "mailto:host@example.org")
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600


def test_a_webhook_is_signed_with_the_guest_s_own_secret() -> None:
    async def work(receiver: Receiver) -> None:
        async with notifying(Book(anna=[Webhook(receiver.url("/hook?x=1"), SECRET)])) as notifier:
            tell(notifier)
            await settled(notifier)

    with receiving() as receiver:
        asyncio.run(work(receiver))
        ((path, headers, body, _),) = receiver.received
    assert path == "/hook?x=1"
    assert headers["content-type"] == "application/json"
    assert headers["x-embertown-signature"] == "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    told = json.loads(body)
    assert (told.pop("event"), told.pop("table"), told.pop("title")) == ("your_turn", "abcdefghijkl", "Your turn")
    assert told.pop("url") == "https://games.example.org/t/abcdefghijkl"
    assert datetime.fromisoformat(told.pop("at")).tzinfo is not None
    assert set(told) == {"id"}
    assert SECRET not in body.decode() + str(headers)


def test_all_addresses_of_a_guest_are_told_and_nobody_else() -> None:
    async def work(receiver: Receiver) -> None:
        anna = [subscription(receiver.url("/phone")), Webhook(receiver.url("/hook"), SECRET)]
        book = Book(anna=anna, bert=[Webhook(receiver.url("/bert"), SECRET)], carl=[])
        async with notifying(book) as notifier:
            tell(notifier, "anna")
            tell(notifier, "carl")
            tell(notifier, "nobody")  # the book fails at this one
            await settled(notifier)
            assert (notifier.counts.sent, notifier.counts.failed) == (2, 1)

    with receiving() as receiver:
        asyncio.run(work(receiver))
        assert sorted(one.path for one in receiver.received) == ["/hook", "/phone"]


# ---- answers


@pytest.mark.parametrize(
    ("statuses", "received", "counts"),
    [
        ((503, 429, 200), 3, {"sent": 1, "retried": 2, "failed": 0}),
        ((500,), 4, {"sent": 0, "retried": 3, "failed": 1}),
        ((400,), 1, {"sent": 0, "retried": 0, "failed": 1}),
        ((302,), 1, {"sent": 0, "retried": 0, "failed": 1}),
        ((307,), 1, {"sent": 0, "retried": 0, "failed": 1}),
    ],
)
def test_what_may_come_right_is_tried_again_and_redirects_are_not_followed(
    statuses: tuple[int, ...], received: int, counts: dict[str, int]
) -> None:
    async def work(receiver: Receiver) -> None:
        book = Book(anna=[Webhook(receiver.url(), SECRET)])
        async with notifying(book) as notifier:
            tell(notifier)
            await settled(notifier)
            assert {name: getattr(notifier.counts, name) for name in counts} == counts
            assert len(book.addresses["anna"]) == 1

    with receiving(*statuses) as receiver:
        asyncio.run(work(receiver))
        assert [one.path for one in receiver.received] == ["/turn"] * received
        assert len({one.body for one in receiver.received}) == 1


@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("push", [True, False])
def test_an_address_that_is_gone_is_removed(status: int, push: bool) -> None:
    async def work(receiver: Receiver) -> None:
        gone: Address = subscription(receiver.url()) if push else Webhook(receiver.url(), SECRET)
        other = Webhook(receiver.url("/other"), SECRET)
        book = Book(anna=[gone], bert=[gone, other])
        async with notifying(book) as notifier:
            tell(notifier)
            await settled(notifier)
            assert book.addresses == {"anna": [], "bert": [gone, other]}
            assert (notifier.counts.removed, notifier.counts.retried) == (1, 0)

    with receiving(status) as receiver:
        asyncio.run(work(receiver))
        assert len(receiver.received) == 1


def test_where_nobody_listens_is_tried_again_and_given_up() -> None:
    with receiving() as receiver:
        url = receiver.url()

    async def work() -> None:
        async with notifying(Book(anna=[Webhook(url, SECRET)])) as notifier:
            tell(notifier)
            await settled(notifier)
            assert (notifier.counts.retried, notifier.counts.failed, notifier.counts.sent) == (3, 1, 0)

    asyncio.run(work())


# ---- when


def test_one_message_stands_for_many_within_the_quiet_time() -> None:
    quiet = 0.3

    async def work(receiver: Receiver) -> None:
        async with notifying(Book(anna=[Webhook(receiver.url(), SECRET)]), quiet=quiet) as notifier:
            for _ in range(3):
                tell(notifier)
            await until(lambda: notifier.counts.sent == 1)
            for _ in range(5):
                tell(notifier)
            tell(notifier, table="another")
            await settled(notifier)
            assert (notifier.counts.wanted, notifier.counts.sent, notifier.counts.joined) == (9, 3, 6)

    with receiving() as receiver:
        asyncio.run(work(receiver))
        first, last = (one.at for one in receiver.received if b"abcdefghijkl" in one.body)
        assert last - first > quiet / 2


def test_who_has_moved_is_not_told() -> None:
    async def work(receiver: Receiver) -> None:
        async with notifying(Book(anna=[Webhook(receiver.url(), SECRET)]), quiet=PATIENCE) as notifier:
            tell(notifier)
            await until(lambda: notifier.counts.sent == 1 and notifier.under_way == 0)
            tell(notifier)
            assert notifier.under_way == 1
            notifier.no_longer("anna", "abcdefghijkl")
            notifier.no_longer("bert", "abcdefghijkl")
            await settled(notifier)
            assert len(receiver.received) == 1
            tell(notifier)
            notifier.no_longer("anna", "abcdefghijkl")
            tell(notifier, title="Again")  # at once; and so it is not lost
        assert [json.loads(one.body)["title"] for one in receiver.received] == ["Your turn", "Again"]

    with receiving() as receiver:
        asyncio.run(work(receiver))


def test_a_full_queue_drops_and_never_blocks() -> None:
    """The receiver is silent until all were told."""

    async def work(receiver: Receiver) -> None:
        guests = [f"guest{number}" for number in range(50)]
        book = Book(**{guest: [Webhook(receiver.url(), SECRET)] for guest in guests})
        receiver.silent.clear()
        async with notifying(book, most=20) as notifier:
            for guest in guests:
                tell(notifier, guest)
            assert notifier.under_way == 20
            assert notifier.counts.dropped == 30
            receiver.silent.set()
            await settled(notifier)
            assert notifier.counts.sent == 20

    with receiving() as receiver:
        asyncio.run(work(receiver))
        assert len(receiver.received) == 20


def test_a_stop_sends_what_waits_and_then_takes_no_more() -> None:
    async def work(receiver: Receiver) -> Notifier:
        book = Book(anna=[Webhook(receiver.url(), SECRET)], bert=[Webhook(receiver.url("/bert"), SECRET)])
        async with notifying(book, quiet=PATIENCE, pauses=(PATIENCE,)) as notifier:
            tell(notifier)
            await until(lambda: notifier.counts.retried == 1)
            tell(notifier, "bert")
            await until(lambda: notifier.counts.sent == 1)
            tell(notifier, "bert")  # within the quiet time
        tell(notifier)
        return notifier

    with receiving(503, 200) as receiver:
        notifier = asyncio.run(work(receiver))
        assert sorted(one.path for one in receiver.received) == ["/bert", "/bert", "/turn", "/turn"]
    assert (notifier.counts.sent, notifier.counts.dropped) == (3, 1)


def test_a_stop_does_not_wait_for_a_receiver_that_is_silent() -> None:
    async def work(receiver: Receiver) -> None:
        receiver.silent.clear()
        async with notifying(Book(anna=[Webhook(receiver.url(), SECRET)]), drain=0.1) as notifier:
            tell(notifier)
            await until(lambda: len(receiver.received) == 1)
        assert (notifier.counts.sent, notifier.counts.dropped) == (0, 1)

    with receiving() as receiver:
        asyncio.run(work(receiver))


def test_who_moves_while_it_is_tried_again_is_left_alone() -> None:
    async def work(receiver: Receiver) -> None:
        async with notifying(Book(anna=[Webhook(receiver.url(), SECRET)]), pauses=(PATIENCE,)) as notifier:
            tell(notifier)
            await until(lambda: notifier.counts.retried == 1)
            notifier.no_longer("anna", "abcdefghijkl")
        assert len(receiver.received) == 1

    with receiving(503) as receiver:
        asyncio.run(work(receiver))


def test_a_new_message_stands_for_an_older_one_that_still_tries() -> None:
    async def work(receiver: Receiver) -> None:
        async with notifying(Book(anna=[Webhook(receiver.url(), SECRET)]), pauses=(PATIENCE,)) as notifier:
            tell(notifier, title="first")
            await until(lambda: notifier.counts.retried == 1)
            receiver.silent.clear()
            tell(notifier, title="second")
            await until(lambda: len(receiver.received) == 2)
            assert notifier.under_way == 1
            receiver.silent.set()
            await settled(notifier)
            assert (notifier.counts.joined, notifier.counts.sent) == (1, 1)
        assert [json.loads(one.body)["title"] for one in receiver.received] == ["first", "second"]

    with receiving(503, 200) as receiver:
        asyncio.run(work(receiver))


# ---- where to


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"])
@pytest.mark.parametrize("push", [True, False])
def test_nothing_is_sent_to_this_machine_however_it_is_written(host: str, push: bool) -> None:
    async def work(receiver: Receiver) -> None:
        url = receiver.url(host=host)
        address: Address = subscription(url) if push else Webhook(url, SECRET)
        post = Post()
        with pytest.raises(Refused) as caught:
            await post.check(url)
        assert (caught.value.code, caught.value.status) == ("webhook_private", 422)
        async with notifying(Book(anna=[address]), post) as notifier:
            tell(notifier)
            await settled(notifier)
            assert (notifier.counts.refused, notifier.counts.sent, notifier.counts.retried) == (1, 0, 0)

    with receiving() as receiver:
        asyncio.run(work(receiver))
        assert receiver.received == []


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.255.255.254", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "0.0.0.0"),
        *("169.254.169.254", "100.64.0.1", "100.100.100.200", "168.63.129.16", "224.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1"),
        *("::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a9fe:a9fe::1"),
    ],
)
def test_addresses_that_are_not_of_the_public_internet(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "9.9.9.9", "172.32.0.1", "2606:4700::1111", "::ffff:9.9.9.9"])
def test_addresses_of_the_public_internet(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


def test_a_name_is_looked_up_once_and_that_address_is_connected_to() -> None:
    """A name that stands for another address the second time finds no second time."""
    asked: list[tuple[str, int]] = []

    async def resolve(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    async def work(receiver: Receiver) -> None:
        url = receiver.url(host="hook.example")
        post = Post(allow_private=True, resolve=resolve)
        async with notifying(Book(anna=[Webhook(url, SECRET)]), post) as notifier:
            tell(notifier)
            await settled(notifier)
            assert notifier.counts.sent == 1

    with receiving() as receiver:
        asyncio.run(work(receiver))
        assert asked == [("hook.example", receiver.port)]
        assert receiver.received[0].headers["host"] == f"hook.example:{receiver.port}"


def test_a_private_address_among_public_ones_is_passed_over() -> None:
    async def resolve(host: str, port: int) -> list[str]:
        assert port == 443
        return ["10.0.0.1", "::1"] if host == "inside.example" else ["10.0.0.1", "9.9.9.9"]

    async def work() -> None:
        post = Post(resolve=resolve)
        await post.check("https://both.example/hook")
        with pytest.raises(Refused, match="not one of the public Internet"):
            await post.check("https://inside.example/hook")
        await post.close()

    asyncio.run(work())


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://example.org/", "webhook_malformed"),
        ("file:///etc/passwd", "webhook_malformed"),
        ("javascript:alert(1)", "webhook_malformed"),
        ("example.org/hook", "webhook_malformed"),
        ("http://", "webhook_malformed"),
        ("http:///path", "webhook_malformed"),
        ("https://anna:secret@example.org/", "webhook_malformed"),
        ("https://example.org/" + "x" * 3000, "webhook_malformed"),
        ("http://example.org:99999999/", "webhook_malformed"),
        ("http://exa mple\r\n.org/", "webhook_malformed"),
        ("", "webhook_malformed"),
        ("http://no.such.host.invalid/", "webhook_unknown"),
    ],
)
def test_what_is_no_address_is_told_in_every_language(url: str, code: str) -> None:
    async def work() -> None:
        post = Post()
        with pytest.raises(Refused) as caught:
            await post.check(url)
        await post.close()
        assert (caught.value.code, caught.value.status) == (code, 422)
        assert len({caught.value.sentence(language) for language in ("en", "de", "fr")}) == 3

    asyncio.run(work())


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [("", ""), ("x", "y"), (unpadded(b"\x04" + bytes(64)), unpadded(BROWSER_AUTH)), ("é" * 87, "é" * 22)],
)
def test_a_subscription_with_wrong_keys_is_refused_and_does_no_harm(p256dh: str, auth: str) -> None:
    with pytest.raises(Refused) as caught:
        encrypted(Push("https://push.example.org/x", p256dh, auth), b"{}")
    assert caught.value.code == "push_malformed"
    assert len({caught.value.sentence(language) for language in ("en", "de", "fr")}) == 3

    async def work(receiver: Receiver) -> None:
        bad = Push(receiver.url("/bad"), p256dh, auth)
        async with notifying(Book(anna=[bad, Webhook(receiver.url("/good"), SECRET)])) as notifier:
            tell(notifier)
            await settled(notifier)
            assert (notifier.counts.sent, notifier.counts.refused) == (1, 1)

    with receiving() as receiver:
        asyncio.run(work(receiver))
        assert [one.path for one in receiver.received] == ["/good"]


def test_a_wrong_key_or_contact_of_the_server_is_told_at_once() -> None:
    with pytest.raises(BadArgument, match="the contact for push services is 'nobody'"):
        Signer(pem(VAPID), "nobody")


# ---- TLS


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """For `hook.example`: what a server proves itself by, and what trusts it."""
    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hook.example")]),
    )
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hook.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain = tmp_path / "chain.pem"
    chain.write_text(built.public_bytes(Encoding.PEM).decode() + pem(key), encoding="ascii")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(chain)
    return server, ssl.create_default_context(cafile=str(chain))


@pytest.mark.parametrize(
    ("host", "trusted", "sent"), [("hook.example", True, 1), ("other.example", True, 0), ("hook.example", False, 0)]
)
def test_a_certificate_must_be_of_the_name_and_trusted(
    certificate: tuple[ssl.SSLContext, ssl.SSLContext], host: str, trusted: bool, sent: int
) -> None:
    """Though it is a number that is connected to."""
    server, trusting = certificate

    async def resolve(host: str, port: int) -> list[str]:
        del host, port
        return ["127.0.0.1"]

    async def work(receiver: Receiver) -> None:
        post = Post(allow_private=True, tls=trusting if trusted else None, resolve=resolve)
        book = Book(anna=[Webhook(receiver.url(host=host), SECRET)])
        async with notifying(book, post, pauses=()) as notifier:
            tell(notifier)
            await settled(notifier)
            assert (notifier.counts.sent, notifier.counts.failed) == (sent, 1 - sent)

    with receiving(tls=server) as receiver:
        asyncio.run(work(receiver))
        assert len(receiver.received) == sent
