"""`embertown play`: the page of a server of one's own, as people start it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from embertown.cli import play
from embertown.server.settings import DEFAULT_PORT
from tests.cli.helpers import DEADLINE, environment, rest_of, run, run_process, running, wait_until
from tests.conftest import JIT_OFF

needs_kernels = pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")
needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")


def test_the_usual_port_is_the_servers() -> None:
    """It stands twice, so that `--help` needs no server."""
    assert play.USUAL_PORT == DEFAULT_PORT


def test_an_unknown_game_is_told(tmp_path: Path) -> None:
    result = run("play", "chess", "--folder", tmp_path / "data")
    assert result.code == 2
    assert "no game is called 'chess'" in result.err
    assert not (tmp_path / "data").exists()


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run_process("play", "--no-browser", "--port", port, "--folder", tmp_path / "data")
    assert result.code == 2
    assert (
        result.err
        == f"embertown: port {port} at 127.0.0.1 is taken by another program; right would be: another --port\n"
    )


def test_a_folder_that_can_not_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = run_process("play", "--no-browser", "--port", 0, "--folder", tmp_path / "file")
    assert result.code == 1
    assert "right would be: a folder that this user can write" in result.err
    assert "Traceback" not in result.err


def test_where_nothing_is_said_a_taken_port_is_passed_over() -> None:
    try:
        holder = socket.create_server((play.HOST, play.USUAL_PORT))
    except OSError:  # somebody holds it already, which is as good
        assert play._free_port() == play.ANY_PORT
        return
    with holder:
        assert play._free_port() == play.ANY_PORT
    assert play._free_port() == play.USUAL_PORT


@contextmanager
def browser(folder: Path) -> Iterator[tuple[str, Path]]:
    """A browser that notes the addresses that it is asked for: its command, and the file that it writes."""
    noted, program = folder / "asked", folder / "browser.sh"
    program.write_text(f'#!/bin/sh\necho "$1" >> {noted}\n', encoding="utf-8")
    program.chmod(0o755)
    noted.touch()
    yield str(program), noted


@needs_posix
@needs_kernels
def test_it_serves_opens_the_browser_and_stops_in_order(tmp_path: Path) -> None:
    said, folder = tmp_path / "said", tmp_path / "data"
    with (
        browser(tmp_path) as (command, asked),
        said.open("wb") as out,
        running(
            *("play", "drunter", "--port", 0, "--folder", folder),
            stdout=out,
            stderr=subprocess.STDOUT,
            env=environment(BROWSER=command),
        ) as process,
    ):
        wait_until(lambda: asked.read_text(encoding="utf-8") != "", process)
        (address,) = re.findall(r"open at (\S+)", said.read_text(encoding="utf-8"))
        assert asked.read_text(encoding="utf-8") == f"{address}\n"
        assert address.endswith("/?play=drunter")
        assert httpx.get(address).headers["content-type"].startswith("text/html")
        assert httpx.get(address.replace("?play=drunter", "healthz")).json()["status"] == "ok"

        again = run_process("play", "--folder", folder, BROWSER=command)
        assert (again.code, again.err) == (0, "")
        assert "open already at" in again.out
        assert asked.read_text(encoding="utf-8").splitlines()[1:] == [address.removesuffix("?play=drunter")]

        process.send_signal(signal.SIGINT)
        assert process.wait(DEADLINE) == 0
    assert "Traceback" not in said.read_text(encoding="utf-8")


@needs_posix
def test_where_no_browser_can_appear_the_address_is_enough(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("BROWSER", *play.DISPLAYS):
            patch.delenv(name, raising=False)
        patch.setattr("sys.platform", "linux")
        play.show("http://127.0.0.1:1/")
    assert "open that address" in capfd.readouterr().err


def test_whoever_waits_for_the_kernels_is_told_why(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play, "PATIENCE_S", 0)
    opening = play.Opening("/", wanted=False)
    opening.begin("http://127.0.0.1:1")
    opening.late.join(DEADLINE)
    assert "minutes the first time" in " ".join(capfd.readouterr().err.split())
    quick = play.Opening("/", wanted=False)
    quick.end_progress()
    assert quick.late.finished.is_set()


@needs_posix
@needs_kernels
def test_ctrl_c_while_the_kernels_get_ready_leaves_a_tidy_terminal(tmp_path: Path) -> None:
    import pty

    leader, follower = pty.openpty()
    streams = {"stdin": follower, "stdout": follower, "stderr": follower}
    env = environment(TERM="xterm-256color", COLUMNS="100")
    with running("play", "--no-browser", "--port", 0, "--folder", tmp_path / "data", env=env, **streams) as process:
        os.close(follower)
        seen = b""
        while b"warming up" not in seen:
            seen += os.read(leader, 65536)
        process.send_signal(signal.SIGINT)
        seen += rest_of(leader)
        assert process.wait(DEADLINE) == 0
    assert seen.rfind(b"\x1b[?25h") > seen.rfind(b"\x1b[?25l") >= 0  # the cursor is shown again
    assert b"Traceback" not in seen
