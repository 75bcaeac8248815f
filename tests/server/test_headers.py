"""The layers around the application, through real applications and a real server: headers, origins, sizes."""

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI, Request, WebSocket
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from embertown.core.locale import LANGUAGES
from embertown.server.errors import Refused
from embertown.server.headers import BODY_LIMIT, BodyLimit, Headers, SameOrigin, guarded, is_host, language_of, refuse
from embertown.server.limits import Kind, TooMany

LIMIT = 10_000
FRIEND = "https://friend.example"
HOST = "embertown.test"


def fast_application() -> FastAPI:
    """What a request does is told by what it answers: who it came as, and how much it brought."""
    app = FastAPI()

    @app.api_route("/act", methods=["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])
    async def act(request: Request) -> dict[str, str | None]:
        return {"cookie": request.headers.get("cookie"), "token": request.headers.get("authorization")}

    @app.post("/json")
    async def take(given: dict[str, Any]) -> dict[str, int]:
        return {"keys": len(given)}

    @app.post("/count")
    async def count(request: Request) -> dict[str, int]:
        return {"bytes": len(await request.body())}

    @app.get("/own")
    async def own() -> PlainTextResponse:
        return PlainTextResponse("x", headers={"Referrer-Policy": "no-referrer"})

    @app.get("/fails")
    async def fails() -> None:
        raise ZeroDivisionError

    @app.websocket("/live")
    async def live(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_json({"cookie": socket.headers.get("cookie")})
        await socket.close()

    return app


APP = guarded(fast_application(), origins=[FRIEND], body_limit=LIMIT)


def ask(method: str, path: str, *, app: ASGIApp = APP, scheme: str = "http", **options: Any) -> httpx.Response:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=f"{scheme}://{HOST}") as client:
            return await client.request(method, path, **options)

    return asyncio.run(asked())


@pytest.fixture(scope="module", params=["httptools", "h11"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The application behind a real server, on a port of its own."""
    config = uvicorn.Config(APP, http=request.param, ws="websockets-sansio", log_level="error", lifespan="off")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


# ---- headers


def directives(policy: str) -> dict[str, list[str]]:
    return {name: values for name, *values in (part.split() for part in policy.split(";"))}


@pytest.mark.parametrize(("method", "path"), [("GET", "/act"), ("GET", "/nowhere"), ("POST", "/json"), ("GET", "/own")])
def test_every_answer_carries_the_headers(method: str, path: str) -> None:
    headers = ask(method, path).headers
    policy = directives(headers["content-security-policy"])
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == ["'self'"]
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "*" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers.get_list("referrer-policy") == ["no-referrer" if path == "/own" else "same-origin"]
    assert "strict-transport-security" not in headers
    assert "access-control-allow-origin" not in headers


def test_https_is_demanded_only_where_there_is_https() -> None:
    assert "max-age=31536000" in ask("GET", "/act", scheme="https").headers["strict-transport-security"]
    behind_a_proxy = guarded(fast_application(), https=True)
    assert "strict-transport-security" in ask("GET", "/act", app=behind_a_proxy).headers


def test_layers_fit_into_an_application_too() -> None:
    app = fast_application()
    app.add_middleware(BodyLimit, limit=10)
    app.add_middleware(SameOrigin, origins=[FRIEND])
    app.add_middleware(Headers, https=True)
    assert ask("POST", "/count", app=app, content=b"x" * 11).status_code == 413
    assert ask("POST", "/act", app=app, headers={"origin": "https://evil.example"}).status_code == 403
    told = ask("POST", "/act", app=app, headers={"origin": FRIEND})
    assert told.status_code == 200
    assert "strict-transport-security" in told.headers


def test_lifespan_passes_through() -> None:
    lived: list[str] = []

    @contextlib.asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        lived.append("start")
        yield
        lived.append("stop")

    async def run() -> None:
        said = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

        async def receive() -> Message:
            return next(said)

        async def send(message: Message) -> None:
            lived.append(message["type"])

        await guarded(Starlette(lifespan=life))({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)

    asyncio.run(run())
    assert lived == ["start", "lifespan.startup.complete", "stop", "lifespan.shutdown.complete"]


# ---- origins

COOKIE = {"cookie": "embertown=a.b.c"}
TOKEN = {"authorization": "Bearer abc"}
OWN = {"origin": f"http://{HOST}"}
EVIL = {"origin": "http://evil.example"}
ALLOWED = {
    "our own page": OWN | COOKIE,
    "our own page, behind a proxy that speaks https": {"origin": f"https://{HOST}"} | COOKIE,
    "our own page, and a proxy that names the port": {"origin": f"https://{HOST}", "host": f"{HOST}:443"} | COOKIE,
    "our own page, and a proxy that changes the host": {"origin": "https://a.example", "sec-fetch-site": "same-origin"},
    "our own page without an origin": {"sec-fetch-site": "same-origin"} | COOKIE,
    "typed by the user": {"sec-fetch-site": "none"} | COOKIE,
    "a friend's page": {"origin": FRIEND, "sec-fetch-site": "cross-site"} | COOKIE,
    "a friend's page in an older browser": {"origin": FRIEND} | COOKIE,
    "a program with a token": TOKEN,
    "a program with a token and a cookie": TOKEN | COOKIE,
    "a program with neither": {},
}
REFUSED = {
    "another site": (EVIL | COOKIE, "foreign_origin"),
    "another site without a cookie": (EVIL, "foreign_origin"),
    "another site with a token": (EVIL | TOKEN, "foreign_origin"),
    "another site that says so": ({"sec-fetch-site": "cross-site"} | COOKIE, "foreign_origin"),
    "another site that says so, with our origin": (OWN | {"sec-fetch-site": "cross-site"} | COOKIE, "foreign_origin"),
    "another application on the domain": ({"sec-fetch-site": "same-site"} | COOKIE, "foreign_origin"),
    "a word that no browser says": ({"sec-fetch-site": "SAME-ORIGIN?"} | COOKIE, "foreign_origin"),
    "a page without an origin of its own": ({"origin": "null"} | COOKIE, "foreign_origin"),
    "an empty origin": ({"origin": ""} | COOKIE, "foreign_origin"),
    "our host, another port": ({"origin": f"http://{HOST}:8000"} | COOKIE, "foreign_origin"),
    "a longer name": ({"origin": f"http://{HOST}.evil.example"} | COOKIE, "foreign_origin"),
    "a name that ends like ours": ({"origin": f"http://evil-{HOST}"} | COOKIE, "foreign_origin"),
    "our name as a user's": ({"origin": f"http://{HOST}@evil.example"} | COOKIE, "foreign_origin"),
    "a friend's name, longer": ({"origin": FRIEND + ".evil.example"} | COOKIE, "foreign_origin"),
    "a cookie that comes from nowhere": (COOKIE, "missing_origin"),
    "a cookie and a password, which browsers add too": (COOKIE | {"authorization": "Basic abc"}, "missing_origin"),
}


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("who", ALLOWED)
def test_who_may_act(who: str, method: str) -> None:
    assert ask(method, "/act", headers=ALLOWED[who]).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "FANCY"])
@pytest.mark.parametrize("who", REFUSED)
def test_who_may_not_act(who: str, method: str) -> None:
    headers, code = REFUSED[who]
    told = ask(method, "/act", headers=headers)
    assert (told.status_code, told.json()["code"]) == (403, code)
    assert told.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("who", REFUSED)
def test_looking_is_free_but_no_other_site_can_read_it(who: str, method: str) -> None:
    told = ask(method, "/act", headers=REFUSED[who][0])
    assert told.status_code == 200
    assert not [name for name in told.headers if name.startswith("access-control")]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_what_has_a_token_is_nobody_by_its_cookie(method: str, scheme: str) -> None:
    told = ask(method, "/act", headers={"authorization": f"{scheme} abc"} | COOKIE | OWN)
    assert told.json() == {"cookie": None, "token": f"{scheme} abc"}


def test_a_password_does_not_hide_the_cookie() -> None:
    told = ask("POST", "/act", headers={"authorization": "Basic abc"} | COOKIE | OWN)
    assert told.json()["cookie"] == COOKIE["cookie"]


@given(st.binary(max_size=40), st.binary(max_size=30))
def test_only_scheme_and_host_make_an_origin_ours(origin: bytes, host: bytes) -> None:
    if is_host(origin, host):
        scheme, _, place = origin.partition(b"://")
        assert place
        assert host in {place, place + b":443", place + b":80"}
        assert scheme != origin


# ---- origins of WebSockets


def shake(address: str, headers: dict[str, str]) -> dict[str, Any]:
    """What a handshake with a real server leads to: the first message, or the refusal."""
    origin = headers.get("origin", "").replace(HOST, address)
    others = {name: value for name, value in headers.items() if name not in {"origin", "host"}}
    others |= {"origin": origin} if "origin" in headers else {}
    try:
        with connect(f"ws://{address}/live", additional_headers=others, proxy=None) as connection:
            return dict(json.loads(connection.recv()))
    except InvalidStatus as error:
        answer = error.response
    assert answer.status_code == 403
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    return dict(json.loads(answer.body or b"{}"))


@pytest.mark.parametrize("who", [who for who in ALLOWED if "port" not in who])
def test_who_may_open_a_websocket(address: str, who: str) -> None:
    headers = ALLOWED[who]
    expected = None if "token" in who else headers.get("cookie")
    assert shake(address, headers) == {"cookie": expected}


@pytest.mark.parametrize("who", REFUSED)
def test_who_may_not_open_a_websocket(address: str, who: str) -> None:
    headers, code = REFUSED[who]
    told = shake(address, headers | {"accept-language": "de"})
    assert told["code"] == code
    assert told["sentence"] == Refused(code).sentence("de")


def test_a_server_that_can_not_answer_a_handshake_closes_it() -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "websocket", "headers": [(b"origin", b"http://evil.example")], "scheme": "ws", "path": "/live"}
    asyncio.run(APP(scope, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008, "reason": "foreign_origin"}]


# ---- sizes


async def pieces(size: int, piece: int = 1000) -> AsyncIterator[bytes]:
    while size > 0:
        yield b"x" * min(size, piece)
        size -= piece


@pytest.mark.parametrize("size", [0, 1, LIMIT - 1, LIMIT])
def test_bodies_up_to_the_limit_arrive_whole(size: int) -> None:
    assert ask("POST", "/count", content=b"x" * size).json() == {"bytes": size}
    assert ask("POST", "/count", content=pieces(size)).json() == {"bytes": size}


def check_too_large(told: httpx.Response) -> None:
    assert told.status_code == 413
    assert told.json()["code"] == "body_too_large"
    assert told.json()["sentence"] == f"What was sent is too large. At most {LIMIT // 1024} KiB are taken."
    assert told.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/count", "/json"])
@pytest.mark.parametrize("size", [LIMIT + 1, 10 * LIMIT])
def test_larger_bodies_are_refused_announced_or_not(size: int, path: str) -> None:
    check_too_large(ask("POST", path, content=b"x" * size))
    check_too_large(ask("POST", path, content=pieces(size)))
    check_too_large(ask("POST", path, content=pieces(size), headers={"content-length": "5"}))  # a lie


@pytest.mark.parametrize("announced", ["99999999999", "9" * 5000])
def test_what_is_announced_as_too_large_is_not_read(announced: str) -> None:
    check_too_large(ask("POST", "/count", content=b"x", headers={"content-length": announced}))


@pytest.mark.parametrize("announced", ["-1", "1_0", "x", "", "²"])
def test_a_size_that_can_not_be_read_does_no_harm(announced: str) -> None:
    headers = [(b"content-length", announced.encode())]
    assert ask("POST", "/count", content=pieces(7), headers=headers).json() == {"bytes": 7}


def plain_application() -> Starlette:
    async def count(request: Request) -> PlainTextResponse:
        return PlainTextResponse(str(len(await request.body())))

    return Starlette(routes=[Route("/count", count, methods=["POST"])])


@pytest.mark.parametrize("make", [fast_application, plain_application])
def test_what_the_application_says_to_a_body_that_is_cut_off_leads_nowhere(make: Callable[[], ASGIApp]) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"x" * 4000, "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/count", "headers": [], "query_string": b"", "scheme": "http"}
    asyncio.run(BodyLimit(make(), limit=LIMIT)(scope, receive, send))  # and nothing is raised
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert sent[0]["status"] == 413


def test_an_answer_that_has_begun_is_not_begun_again() -> None:
    async def echo(_: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        message = await receive()
        while message["type"] == "http.request":
            await send({"type": "http.response.body", "body": message["body"], "more_body": True})
            message = await receive()
        await send({"type": "http.response.body", "body": b"!"})

    told = ask("POST", "/", app=BodyLimit(echo, limit=1000), content=pieces(5000, 400))
    assert told.status_code == 200
    assert told.text == "x" * 800 + "!"


def test_errors_of_the_application_stay_errors() -> None:
    async def asked() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(APP), base_url="http://x") as client:
            await client.get("/fails")

    with pytest.raises(ZeroDivisionError):
        asyncio.run(asked())


def test_answers_that_stream_are_not_held_back() -> None:
    async def stream(_: Request) -> StreamingResponse:
        return StreamingResponse(pieces(3000), media_type="application/x-ndjson")

    told = ask("GET", "/", app=guarded(Starlette(routes=[Route("/", stream)])))
    assert len(told.content) == 3000


def test_a_real_server_refuses_what_is_too_large_and_goes_on(address: str) -> None:
    with httpx.Client(base_url=f"http://{address}", trust_env=False) as client:
        for _ in range(3):
            check_too_large(client.post("/count", content=b"x" * (LIMIT + 1)))
            check_too_large(client.post("/count", content=iter([b"x" * 6000] * 2)))
            assert client.post("/count", content=iter([b"x" * 5000] * 2)).json() == {"bytes": LIMIT}


def test_a_body_without_end_is_cut_off(address: str) -> None:
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(f"POST /count HTTP/1.1\r\nHost: {address}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        piece = b"3e8\r\n" + b"x" * 1000 + b"\r\n"
        with contextlib.suppress(OSError):  # the server hangs up at some point
            for _ in range(100_000):
                line.sendall(piece)
            raise AssertionError("a hundred megabytes were taken")
    with httpx.Client(base_url=f"http://{address}", trust_env=False) as client:
        assert client.post("/count", content=b"x").json() == {"bytes": 1}


def test_the_usual_limit_takes_the_largest_edition() -> None:
    assert BODY_LIMIT >= 256 * 1024 * 1.5


# ---- refusals


@pytest.mark.parametrize(
    ("wish", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("DE-at", "de"),
        ("nl, fr-CH;q=0.7, en;q=0.3", "fr"),
        ("en;q=0.5, de;q=0.9", "de"),
        ("fr, de", "fr"),
        ("de;q=0", "en"),
        ("de;q=x, fr;q=0.1", "fr"),
        ("de;q=nan", "en"),
        ("*", "en"),
        ("xx," * 1000 + "de", "en"),
        (",;=;,", "en"),
    ],
)
def test_refusals_speak_the_language_that_is_asked_for(wish: str, language: str) -> None:
    told = ask("POST", "/act", headers=EVIL | {"accept-language": wish})
    assert told.json()["sentence"] == Refused("foreign_origin").sentence(language)


@given(st.text())
def test_any_wish_for_a_language_is_answered(wish: str) -> None:
    assert language_of(wish) in LANGUAGES


@pytest.mark.parametrize(("wait", "told_as"), [(0.01, "1"), (1, "1"), (1.2, "2"), (59.5, "60")])
def test_refusals_say_when_to_try_again(wait: float, told_as: str) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await refuse(scope, receive, send, TooMany(Kind.REQUESTS, wait))

    told = ask("GET", "/", app=app)
    assert (told.status_code, told.headers["retry-after"]) == (429, told_as)
    assert told.json()["code"] == "too_many_requests"
    assert f"{told_as} s" in told.json()["sentence"]
