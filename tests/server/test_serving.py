"""A real server: it starts, says in one sentence why it can't, stops in order or at once, and loses nothing."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

import embertown
from embertown.core.errors import EmbertownError
from embertown.server.serving import WarmingLog, address_of, listening, run
from embertown.server.settings import Settings
from embertown.server.store.database import Database
from embertown.server.thinking import Progress
from tests.cli.helpers import run_process
from tests.server.conftest import Serve
from tests.server.servers import ServerProcess, is_alive, wait_for

RECORDS = Path(__file__).parents[1] / "records"
UNFINISHED = (RECORDS / "cronberg-pending.json").read_text(encoding="utf-8")


def brought(server: ServerProcess) -> dict[str, Any]:
    """A table of a game that is not over."""
    answer = server.admin().post("/api/admin/import", json={"record": UNFINISHED})
    told: dict[str, Any] = answer.json()
    return told


def refusal_of(**how: Any) -> EmbertownError:
    """Why a server with these settings does not start."""
    with pytest.raises(EmbertownError) as refused:
        run(Settings(**{"port": 0, **how}))
    return refused.value


# ---- from the start to the end


def test_it_gets_ready_plays_and_goes_on_after_it_was_stopped(serve: Serve) -> None:
    """With a bot: what was acknowledged is there again, and the game goes on."""
    server = serve("--showing", 0)
    assert server.healthz() == (200, {"status": "ok", "version": embertown.__version__})
    guest = server.join("Anna")
    wish = {"game": "cronberg", "seats": ["me", "greedy"], "title": "after supper"}
    table = guest.post("/api/tables", json=wish).json()["table"]
    acknowledged: list[int] = []
    with server.live(table, guest) as live:
        turn = live.until("turn")
        while len(acknowledged) < 5:
            number, turn = live.decide(turn)
            acknowledged.append(number)
        server.send(signal.SIGTERM)
        assert live.until("bye")["code"] == "server_stops"
    assert server.wait() == 0
    server.start(warm=False)
    again = server.client(cookies=guest.cookies)
    told = again.get(f"/api/tables/{table}").json()
    mine = [each["number"] for each in told["entries"] if each["seat"] == 0]
    assert set(acknowledged) <= set(mine)
    server.wait_until_healthy()
    with server.live(table, again) as live:
        assert live.until("turn")["seat"] == 0
    assert server.stop(signal.SIGINT) == 0
    assert server.said().count("Embertown is open at http://127.0.0.1:") == 2


def test_it_stops_in_order_while_the_kernels_get_ready(serve: Serve) -> None:
    server = serve(warm=False)
    status, told = server.healthz()
    assert (status, told["status"]) in ((503, "warming"), (200, "ok"))
    assert server.stop() == 0


def test_a_second_signal_stops_at_once(serve: Serve) -> None:
    """While somebody's request is only half there, which an orderly stop would wait for."""
    server = serve("--log", "text", warm=False)
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as half:
        half.sendall(b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        wait_for(lambda: _is_asking(server), what="the request")
        server.send(signal.SIGTERM)
        wait_for(lambda: "stopping" in server.said())
        assert server.process is not None
        assert server.process.poll() is None
        server.send(signal.SIGTERM)
        assert server.wait() == 128 + signal.SIGTERM


def _is_asking(server: ServerProcess) -> bool:
    """Whether the server has taken every connection: one that asks after another is answered after it came."""
    return server.healthz()[0] in (200, 503)


def test_programs_are_told_too_also_those_without_a_table(serve: Serve) -> None:
    """A stream never ends by itself: a server that waited for it would never stop."""
    server = serve(warm=False)
    token = server.join("Anna").post("/api/tokens", json={"label": "bot"}).json()["token"]
    with server.events(token) as program:
        server.send(signal.SIGTERM)
        assert [each["message"]["code"] for each in program] == ["server_stops"]
    assert server.wait() == 0
    assert "did not hear" not in server.said()


def test_no_more_connections_than_the_host_allows(serve: Serve) -> None:
    server = serve("--most-connections", 1, warm=False)
    told = brought(server)
    with server.live(told["table"], watch=told["watch"]) as first:
        first.until("table")
        with server.live(told["table"], watch=told["watch"]) as second:
            assert second.until("bye")["code"] == "too_many_connections"
        first.until("pong", id=first.send("ping"))


def test_after_a_kill_the_folder_is_free_and_nothing_is_lost(serve: Serve) -> None:
    server = serve(warm=False)
    told = brought(server)
    server.kill()
    server.start(warm=False)
    tables = server.admin().get("/api/admin/tables").json()
    assert [each["id"] for each in tables] == [told["table"]]


def test_bots_end_with_a_server_that_was_killed(serve: Serve) -> None:
    server = serve(start=False)
    server.launch()
    assert server.process is not None
    server.wait_until_listening()
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if not children.exists():
        pytest.skip("this system does not tell the children of a process")
    pids = [int(pid) for pid in wait_for(lambda: children.read_text().split(), 600)]
    server.kill()
    wait_for(lambda: not any(is_alive(pid) for pid in pids), what="the end of the bots")


# ---- what is wrong is said in one sentence


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = str(refusal_of(folder=tmp_path / "data", port=port))
    assert said == f"port {port} at 127.0.0.1 is taken by another program; right would be: another --port"


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    for folder in (file, file / "below"):
        assert str(refusal_of(folder=folder)).startswith(f"{folder}: can't be used: ")


def test_a_second_server_on_the_same_folder(serve: Serve) -> None:
    server = serve(warm=False)
    assert server.process is not None
    result = run_process("serve", "--folder", server.folder, "--port", 0)
    assert (result.code, result.out, result.err.count("\n")) == (1, "", 1)
    assert f"is used by the server at {server.address} (process {server.process.pid})" in result.err
    assert server.healthz()[0] in (200, 503)


def test_a_database_of_a_newer_version_and_one_that_is_none(tmp_path: Path) -> None:
    Database.open(tmp_path / "embertown.sqlite").close()
    with sqlite3.connect(tmp_path / "embertown.sqlite") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    said = str(refusal_of(folder=tmp_path))
    assert "has a schema of version '9999'" in said
    assert "a newer Embertown" in said
    assert "would forget everything" in str(refusal_of(folder=tmp_path, database="sqlite://"))
    (tmp_path / "embertown.sqlite").write_bytes(b"something else" * 100)
    assert "is not a database" in str(refusal_of(folder=tmp_path))


@pytest.mark.parametrize(
    ("host", "said"), [("no.such.host.invalid", "which nobody knows"), ("192.0.2.1", "can't listen at 192.0.2.1")]
)
def test_hosts_that_are_not_this_machine(host: str, said: str, tmp_path: Path) -> None:
    assert said in str(refusal_of(folder=tmp_path / "data", host=host))


# ---- health


def test_health_says_that_nothing_can_be_stored_until_it_can_again(serve: Serve) -> None:
    server = serve(warm=False)
    database = sqlite3.connect(server.folder / "embertown.sqlite", isolation_level=None)
    database.execute("BEGIN IMMEDIATE")  # another program has the database, for longer than the server waits
    answer = server.client().post("/api/guests", json={"name": "Anna"})
    assert answer.status_code >= 400
    status, told = server.healthz()
    assert (status, told["status"]) == (503, "failing")
    assert "locked" in told["sentence"]
    database.execute("ROLLBACK")
    database.close()
    wait_for(lambda: server.healthz()[1]["status"] != "failing", what="a healthy server")
    assert server.client().post("/api/guests", json={"name": "Anna"}).status_code == 201


# ---- the log


def lines_of(server: ServerProcess) -> list[dict[str, Any]]:
    return [json.loads(line) for line in server.said().splitlines() if line.startswith("{")]


def test_the_log_is_json_and_holds_no_secret(serve: Serve) -> None:
    server = serve("--log", "json", "--log-requests", warm=False)
    told = brought(server)
    guest = server.client()
    recovery = guest.post("/api/guests", json={"name": "Anna"}).json()["recovery"]
    token = guest.post("/api/tokens", json={"label": "x"}).json()["token"]
    guest.post("/api/claims", json={"token": told["links"]["0"]})
    httpx.get(f"{server.address}/api/tables/{told['table']}", params={"watch": told["watch"]})
    httpx.get(f"{server.address}/api/me", headers={"authorization": f"Bearer {token}x"})
    with server.live(told["table"], guest, told["watch"]) as live:
        live.until("table")
    foreign = f"{server.address.replace('http', 'ws', 1)}/api/tables/{told['table']}/live"
    with pytest.raises(InvalidStatus), connect(foreign, origin=Origin("https://elsewhere.example"), proxy=None):
        pass
    assert server.stop() == 0
    secrets = [server.admin_key, recovery, token, told["watch"], *told["links"].values(), *guest.cookies.values()]
    assert len(secrets) == 7
    assert not [secret for secret in secrets if secret in server.said()]
    lines = lines_of(server)
    assert server.said().count("\n") == len(lines) + 1, "nothing but JSON, but for the greeting on stdout"
    assert all({"time", "level", "logger", "message"} <= each.keys() for each in lines)
    asked = {(each["message"], each["status"]) for each in lines if each["logger"] == "embertown.requests"}
    assert {("POST /api/claims", 200), ("GET /api/tables/{table}", 200), ("GET /api/me", 401)} <= asked
    assert not any("client" in each for each in lines)
    assert not [each for each in lines if each["level"] == "error"], "also not of a foreign page that was refused"
    assert [each["message"] for each in lines][-1] == "stopped"


@pytest.mark.parametrize(("trusted", "client"), [("127.0.0.1", "203.0.113.9"), ("192.0.2.1", "127.0.0.1")])
def test_behind_a_proxy(serve: Serve, trusted: str, client: str) -> None:
    """Its word about addresses counts if it is trusted; addresses are logged only where it is asked for."""
    flags = ("--https", "--trust-proxy", trusted, "--log", "json", "--log-requests", "--log-addresses")
    server = serve(*flags, warm=False)
    said = {"host": "play.example", "origin": "https://play.example", "x-forwarded-for": "203.0.113.9"}
    answer = server.client().post("/api/guests", json={}, headers=said | {"x-forwarded-proto": "https"})
    assert answer.status_code == 201
    assert answer.headers["set-cookie"].startswith("__Host-embertown=")
    assert "; Secure" in answer.headers["set-cookie"]
    assert "strict-transport-security" in answer.headers
    assert server.stop() == 0
    asked = [each for each in lines_of(server) if each["message"] == "POST /api/guests"]
    assert [each["client"] for each in asked] == [client]


def test_warming_up_is_told_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    times = iter([0.0, 1.0, 2.5, 3.0, 4.0])
    told = WarmingLog(lambda: next(times))
    with caplog.at_level("INFO", "embertown.server"):
        for done in range(1, 5):
            told(Progress(done, 4, "cronberg: master"))
    assert caplog.messages == ["warming up: 2 of 4 (cronberg: master)", "ready after 4.0 s"]


# ---- the port


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:"), ("0.0.0.0", "http://127.0.0.1:"), ("::1", "http://[::1]:")],
)
def test_any_free_port_at_any_kind_of_address(host: str, address: str) -> None:
    if ":" in host and not socket.has_dualstack_ipv6():
        pytest.skip("this machine knows nothing of IPv6")
    with listening(Settings(host=host, port=0)) as place:
        assert address_of(host, place) == f"{address}{place.getsockname()[1]}"
