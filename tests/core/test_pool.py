"""Work spread over processes or a Ray cluster, and Ctrl-C while it is."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from embertown.core import pool
from embertown.core.errors import BadArgument
from embertown.core.pool import at_once, cores, spread, spread_on_ray, spread_when_long
from tests.cli.helpers import heeding, unmeasured
from tests.on_ray import left_behind, ray_settings

ROOT = Path(__file__).parents[2]
SCRIPT = """
import time
from embertown.core.pool import spread

def work(number):
    time.sleep(0.02)
    return number

if __name__ == "__main__":
    print("ready", flush=True)
    try:
        list(spread(work, range(100_000), 2))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
"""


def square(number: int) -> int:
    return number * number


def test_results_come_in_the_tasks_order() -> None:
    assert list(spread(square, range(9), 1)) == list(spread(square, range(9), 2)) == [n * n for n in range(9)]
    assert cores() >= 1


@pytest.mark.skipif(os.name != "posix", reason="sends signals to a group of processes")
@pytest.mark.parametrize("seconds", [0.0, 0.03, 0.1, 0.3])
def test_ctrl_c_while_processes_start_ends_without_a_word(seconds: float, tmp_path: Path) -> None:
    """As a terminal does it: to all processes at once, whatever they are doing."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    env = unmeasured({**os.environ, "PYTHONPATH": str(ROOT / "src")})
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = heeding([sys.executable, str(script)])
    with subprocess.Popen(command, env=env, start_new_session=True, **streams) as process:  # type: ignore[call-overload]
        process.stdout.readline()
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        err = told_at_the_end(process)
    assert (process.returncode, err) == (130, b"")


def told_at_the_end(process: subprocess.Popen[bytes]) -> bytes:
    """What a process writes to stderr until it ends; one that does not end is killed, or the test would wait for it."""
    try:
        return process.communicate(timeout=60)[1]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


LONG = """
import sys, time
from embertown.core.pool import spread

def work(number):
    if number:
        print("working", flush=True)
        time.sleep(600)
    raise ArithmeticError("no result")

if __name__ == "__main__":
    try:
        list(spread(work, [int(word) for word in sys.argv[1:]], 2))
    except (ArithmeticError, KeyboardInterrupt) as reason:
        raise SystemExit(f"ended by {type(reason).__name__}") from None
"""


@pytest.mark.parametrize(("tasks", "reason"), [(("1", "1"), "KeyboardInterrupt"), (("0", "1"), "ArithmeticError")])
@pytest.mark.skipif(os.name != "posix", reason="sends signals to a group of processes")
def test_nobody_waits_for_work_that_takes_long(tasks: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    """After Ctrl-C, or a task that failed, what the other processes do is of no use any more."""
    script = tmp_path / "script.py"
    script.write_text(LONG, encoding="utf-8")
    whole = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    env = unmeasured(whole) if reason == "KeyboardInterrupt" else whole
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = heeding([sys.executable, str(script), *tasks])
    with subprocess.Popen(command, env=env, start_new_session=True, **streams) as process:  # type: ignore[call-overload]
        process.stdout.readline()
        if reason == "KeyboardInterrupt":
            os.killpg(process.pid, signal.SIGINT)
        err = told_at_the_end(process)
    assert err.decode().splitlines() == [f"ended by {reason}"]


# ---- Ray

ON_RAY = """
import os, subprocess, sys
import ray
from embertown.core.errors import BadArgument
from embertown.core.pool import spread_when_long

drawn = []

def tasks():
    for number in range(40):
        drawn.append(number)
        yield number

def work(number):
    if number == 99:
        raise BadArgument("99 is too much")
    return number * number, os.getpid()

def check():
    found = spread_when_long(work, tasks(), 2)
    first = next(found)
    assert len(drawn) <= 4, drawn
    results = [first, *found]
    assert [square for square, _ in results] == [number * number for number in range(40)]
    assert os.getpid() not in {process for _, process in results}
    try:
        list(spread_when_long(work, [1, 99, 2, 3], 2))
    except BadArgument as error:
        assert type(error) is BadArgument and str(error) == "99 is too much"
    else:
        raise AssertionError("no error")

if __name__ == "__main__":
    if sys.argv[1] == "connected":
        context = ray.init("local", num_cpus=2, include_dashboard=False, logging_level="ERROR")
        check()
        assert ray.is_initialized()
        os.environ["EMBERTOWN_RAY"] = context.address_info["gcs_address"]
        raise SystemExit(subprocess.run([sys.executable, "-W", "error", __file__, "by-address"]).returncode)
    check()
    assert not ray.is_initialized()
    print("all is well")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_real_ray_gives_results_in_order_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """First for somebody who is connected already, and stays so; then for another process, by the cluster's address."""
    pytest.importorskip("ray")
    script = tmp_path / "script.py"
    script.write_text(ON_RAY, encoding="utf-8")
    with ray_settings() as settings:
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **settings}
        command = [sys.executable, "-W", "error", str(script), "connected"]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "all is well\n", "")
        assert left_behind(settings) == []


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("nonsense", "EMBERTOWN_RAY is 'nonsense'; right would be: host:port of a running cluster"),
        ("host:port", "EMBERTOWN_RAY is 'host:port'; right would be"),
        ("127.0.0.1:99999", "no Ray cluster answers there"),
        ("no.such.host.invalid:6379", "no Ray cluster answers there"),
    ],
)
def test_what_is_no_cluster_is_told(address: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv(pool.RAY, address)
    with pytest.raises(BadArgument) as caught:
        list(spread_when_long(square, [1], 2))
    assert said in str(caught.value)


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_port_where_nobody_listens_is_told(scheme: str) -> None:
    pytest.importorskip("ray")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(BadArgument, match=f"'{scheme}127.0.0.1:{port}', but no Ray cluster answers there"):
        list(spread_on_ray(square, [1], 2, f"{scheme}127.0.0.1:{port}"))


def test_a_missing_ray_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadArgument, match=r"Ray is not installed; right would be: pip install 'embertown\[ray\]'"):
        list(spread_on_ray(square, [1], 2))


def meet(place: Path) -> int:
    """Come to a folder and wait there for another process; which process this is."""
    (place / str(os.getpid())).touch()
    until = time.monotonic() + 60
    while len(list(place.iterdir())) < 2:
        assert time.monotonic() < until, "nobody else came"
    return os.getpid()


def test_processes_for_short_tasks_last(tmp_path: Path) -> None:
    """Two calls are answered by the same two processes, at once, which are not this one; one task needs none."""
    meetings = [tmp_path / "first", tmp_path / "second"]
    for place in meetings:
        place.mkdir()
    first, second = (at_once(meet, [place, place]) for place in meetings)
    assert len(set(first)) == 2
    assert sorted(first) == sorted(second)
    assert os.getpid() not in first
    assert at_once(square, [3]) == [9]
    assert at_once(square, []) == []


def test_a_lasting_process_that_dies_is_told_of_and_replaced(tmp_path: Path) -> None:
    with pytest.raises(ChildProcessError, match="a process at work died"):
        at_once(os._exit, [3, 3])
    assert len(set(at_once(meet, [tmp_path, tmp_path]))) == 2


def linger(task: tuple[Path, str]) -> None:
    """Wait for another process; then do what is to be done."""
    place, what = task
    meet(place)
    if what == "ArithmeticError":
        raise ArithmeticError("no result")
    if what == "KeyboardInterrupt":
        os.kill(os.getppid(), signal.SIGINT)
    time.sleep(600)


@pytest.mark.skipif(os.name != "posix", reason="sends signals to a process")
@pytest.mark.parametrize("reason", [KeyboardInterrupt, ArithmeticError])
def test_lasting_processes_do_not_go_on_with_what_nobody_waits_for(reason: type[BaseException], tmp_path: Path) -> None:
    """The next tasks are answered at once, by new processes."""
    meetings = [tmp_path / "first", tmp_path / "second"]
    for place in meetings:
        place.mkdir()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may run where it is ignored
    try:
        with pytest.raises(reason):
            at_once(linger, [(meetings[0], reason.__name__), (meetings[0], "sleep")])
    finally:
        signal.signal(signal.SIGINT, before)
    second = at_once(meet, [meetings[1]] * 2)
    assert not {str(process) for process in second} & {path.name for path in meetings[0].iterdir()}
