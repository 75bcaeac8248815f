"""Tables that never lose a move: `python3 dev.py bench chaos`.

Fifty tables are played by simple clients and bots while the server is killed with -9 at random, twenty times, and
started again. The clients reconnect, say which entry they know as the last one, and repeat the message that nobody
answered, with its id; now and then they repeat one without need, or cut their own connection.

Whatever any client was told is kept. In the end it is compared with the database, read without the server's code: every
answered message is one entry, with the number that the answer gave, and every entry that anyone was shown stands as it
was shown. Then every table has to be over, and `embertown check` and `embertown verify` have to find every record
right: the records come from a server that was started once more and has rebuilt every table from its log.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from _serving import HEALTH, PATIENCE_SECONDS, family, free_port, serve_command, wait_until_healthy
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / ".cache" / "chaos"

TABLES = 50
KILLS = 20
MOST_ENTRIES_BETWEEN_KILLS = 250
"""So many entries at most are told between the server's start and its next kill …"""
MOST_SECONDS_AFTER = 0.3
"""… which comes a little later, so that it does not hit the telling each time."""
KILLS_WHILE_STARTING = 0.2
"""The share of kills that hit a server which is just coming up."""
LONGEST_START_SECONDS = 3.0
LONGEST_THOUGHT_SECONDS = 0.5
STANDSTILL_SECONDS = 300
"""Without any new entry at any table: something is broken."""
FINISH_SECONDS = 900
"""For all games to end after the last kill."""
NEEDLESS_REPEATS = 0.1
CUT_CONNECTIONS = 0.03
RETRY_SECONDS = 0.5
ANSWER_SECONDS = 60.0
"""Longer a client does not wait for any word: it connects again."""
MOST_TOLD = 40
"""Faults that are printed."""
OK = 200
NOT_READY = 503
PROTOCOL = 1
HIDDEN = "(hidden)"
ENDED = ("over", "aborted", "closed")

LOST = (OSError, TimeoutError, WebSocketException, httpx.HTTPError)
"""What a client notices of a server that is killed."""


class Kind(NamedTuple):
    """Who sits at a table: `me`, `open` for a further person, or a bot's name."""

    game: str
    seats: tuple[str, ...]


KINDS = (
    Kind("cronberg", ("me", "open")),
    Kind("drunter", ("me", "open", "journeyman")),
    Kind("cronberg", ("me", "journeyman", "open", "apprentice")),
    Kind("drunter", ("me", "open")),
    Kind("cronberg", ("me", "open", "open", "open")),
    Kind("drunter", ("me", "open", "random", "open")),
    Kind("cronberg", ("master", "me")),
    Kind("cronberg", ("journeyman", "random", "apprentice")),
)


Key = tuple[str, str]
"""A message: its table, and its id, which no other client uses."""


class Entry(NamedTuple):
    """An entry as somebody was told it."""

    seat: int | None
    text: str
    at: str


@dataclass
class Witness:
    """Everything that any client was told, and what contradicts it."""

    entries: dict[str, dict[int, Entry]] = field(default_factory=dict)
    """By table and number."""
    sent: dict[Key, tuple[int, str]] = field(default_factory=dict)
    """Seat and action of every message that was sent."""
    answers: dict[Key, int] = field(default_factory=dict)
    refused: dict[Key, str] = field(default_factory=dict)
    over: set[str] = field(default_factory=set)
    cookies: dict[str, str] = field(default_factory=dict)
    """By table: who may read its record."""
    broken: list[str] = field(default_factory=list)
    events: Counter[str] = field(default_factory=Counter)
    count: int = 0
    """Of entries that were told, each once."""
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def told(self, table: str, number: int, entry: Entry) -> None:
        """An entry was shown to somebody; hidden ones may be revealed later, nothing else may change."""
        known = self.entries.setdefault(table, {})
        before = known.get(number)
        if before is None:
            self.count += 1
            self.news.set()
        if before is None or (before.text.endswith(HIDDEN) and before._replace(text=entry.text) == entry):
            known[number] = entry
        elif before != entry and before != entry._replace(text=before.text if is_hidden(entry) else entry.text):
            self.broken.append(f"{table}, entry {number}: told as {before}, then as {entry}")

    def answered(self, key: Key, number: int) -> None:
        """A message was answered; every answer to the same one has to be the same."""
        if self.answers.setdefault(key, number) != number:
            self.broken.append(f"{key}: answered with {self.answers[key]}, then with {number}")
        self.events["answers"] += 1


def is_hidden(entry: Entry) -> bool:
    """Whether whoever was told it may not know it."""
    return entry.text.endswith(HIDDEN)


# ---- the server, killed and started again


class Server:
    """Our server, on one port and one folder through all its lives."""

    def __init__(self, folder: Path, showing: float) -> None:
        self.folder, self.port, self.showing = folder, free_port(), showing
        self.url = f"http://127.0.0.1:{self.port}"
        self.output, self.records = folder / "output", folder / "records.jsonl"
        self.left_behind: set[int] = set()

    def launch(self) -> None:
        """Start it, and wait for nothing."""
        with self.output.open("ab") as file:
            command = serve_command(self.port, self.folder, self.showing)
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        self.launch()
        await asyncio.to_thread(wait_until_healthy, self.url + HEALTH, self.process, self.output, warm=False)

    def kill(self) -> None:
        """End it as a power cut would, but for its helpers: they have to notice by themselves."""
        self.left_behind.update(family(self.process.pid)[1:])
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """End it gracefully; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE_SECONDS)

    def helpers_left_behind(self) -> list[int]:
        """Processes of earlier lives that are still there."""
        return [pid for pid in self.left_behind if Path("/proc", str(pid), "stat").exists()]


# ---- the clients


@dataclass
class Player:
    """A guest at a table: a person's client, or one who only watches."""

    witness: Witness
    url: str
    table: str
    name: str
    """Of the guest: the beginning of its messages' ids."""
    cookie: str
    chance: random.Random
    watch: str | None = None
    known: int = 0
    turn: dict[str, Any] | None = None
    unanswered: dict[str, Any] | None = None
    is_over: bool = False
    is_greeted: bool = False
    ids: itertools.count[int] = field(default_factory=itertools.count)

    async def play(self) -> None:
        """Until the table is over, through as many connections as it takes."""
        while not self.is_over:
            try:
                await self._connected()
            except LOST:
                self.witness.events["connections lost"] += self.is_greeted
                self.is_greeted = False
                await asyncio.sleep(RETRY_SECONDS * self.chance.random())

    async def _connected(self) -> None:
        address = self.url.replace("http", "ws", 1) + f"/api/tables/{self.table}/live"
        headers = {"Cookie": self.cookie}
        async with connect(address, additional_headers=headers, origin=self.url, max_size=None) as socket:  # type: ignore[arg-type]
            await self._send(socket, self._message("hello", protocol=PROTOCOL, since=self.known, watch=self.watch))
            if self.unanswered is not None:
                self.witness.events["messages repeated after a lost connection"] += 1
                await self._send(socket, self.unanswered)
            while not self.is_over:
                data = await asyncio.wait_for(socket.recv(), ANSWER_SECONDS)
                await self._hear(socket, json.loads(data))

    def _message(self, kind: str, **content: object) -> dict[str, Any]:
        told = {key: value for key, value in content.items() if value is not None}
        return {"type": kind, "id": f"{self.name}-{next(self.ids)}", **told}

    async def _send(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        await socket.send(json.dumps(message))

    async def _hear(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("table", "entries"):
            self.is_greeted = True
            self._learn(message["entries"])
            self.known = max(self.known, message["number"])
            if message["status"] in ENDED:
                self._end()
        elif kind == "turn":
            self.turn = message
            await self._act(socket)
        elif kind == "answer":
            await self._answered(socket, message)
        elif kind == "refusal":
            self._refused(message)

    def _learn(self, entries: list[dict[str, Any]]) -> None:
        for each in entries:
            self.witness.told(self.table, each["number"], Entry(each["seat"], each["text"], each["at"]))

    def _end(self) -> None:
        """The game is over; a message that nobody answered is asked for no more."""
        self.is_over = True
        self.witness.over.add(self.table)

    async def _answered(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        if message.get("number") is not None:
            self.witness.answered((self.table, message["id"]), message["number"])
        if self.unanswered is None or message["id"] != self.unanswered["id"]:
            return
        self.unanswered = None
        if self.turn is not None and self.turn["number"] < message["number"]:
            self.turn = None  # the turn that was used
        await self._act(socket)

    def _refused(self, message: dict[str, Any]) -> None:
        """What was asked for is not done: look at the table anew."""
        self.witness.events[f"refused: {message['code']}"] += 1
        self._learn(message.get("missed", []))
        if self.unanswered is not None and message["id"] == self.unanswered["id"]:
            self.witness.refused[self.table, message["id"]] = message["code"]
            self.unanswered = None
        raise ConnectionError(message["sentence"])

    async def _act(self, socket: ClientConnection) -> None:
        """Decide anything legal, if it is this player's turn and no message is under way."""
        if self.turn is None or self.unanswered is not None or self.is_over:
            return
        turn, self.turn = self.turn, None
        await asyncio.sleep(LONGEST_THOUGHT_SECONDS * self.chance.random())
        action = self.chance.choice(turn["legal"])["text"]
        message = self._message("play", seat=turn["seat"], number=turn["number"] + 1, action=action)
        self.witness.sent[self.table, message["id"]] = (turn["seat"], action)
        self.unanswered = message
        await self._send(socket, message)
        if self.chance.random() < NEEDLESS_REPEATS:
            self.witness.events["messages repeated without need"] += 1
            await self._send(socket, message)
        if self.chance.random() < CUT_CONNECTIONS:
            self.witness.events["connections cut by clients"] += 1
            await socket.close()


async def make_table(server: Server, witness: Witness, kind: Kind, chance: random.Random) -> list[Player]:
    """A table with its guests; tries again while the server is away."""
    while True:
        try:
            return await _make_table(server, witness, kind, chance)
        except LOST as error:
            witness.events["tables given up while being made"] += 1
            if isinstance(error, httpx.HTTPStatusError) and error.response.status_code != NOT_READY:
                witness.broken.append(f"{error}: {error.response.text}")
            await asyncio.sleep(RETRY_SECONDS)


async def _make_table(server: Server, witness: Witness, kind: Kind, chance: random.Random) -> list[Player]:
    async with httpx.AsyncClient(base_url=server.url, headers={"Origin": server.url}, timeout=ANSWER_SECONDS) as http:
        people = sum(seat in ("me", "open") for seat in kind.seats)
        guests = [await _guest(http, f"g{chance.getrandbits(40):x}") for _ in range(max(1, people))]
        entropy = f"{chance.getrandbits(64):016x}" if "me" in kind.seats else None  # who does not sit adds nothing
        made = await _post(http, "/api/tables", guests[0][1], game=kind.game, seats=kind.seats, entropy=entropy)
        for (name, cookie), token in zip(guests[1:], made["links"].values(), strict=True):
            await _post(http, "/api/claims", cookie, token=token, entropy=name)
    watch = None if "me" in kind.seats else made["watch"]
    return [
        Player(witness, server.url, made["table"], name, cookie, random.Random(chance.random()), watch)
        for name, cookie in guests
    ]


async def _guest(http: httpx.AsyncClient, name: str) -> tuple[str, str]:
    """A new guest: its name and its cookie."""
    answer = await http.post("/api/guests", json={"name": name})
    answer.raise_for_status()
    cookie = "; ".join(f"{key}={value}" for key, value in answer.cookies.items())
    http.cookies.clear()  # they all share this client
    return name, cookie


async def _post(http: httpx.AsyncClient, path: str, cookie: str, **content: object) -> Any:
    answer = await http.post(path, json=content, headers={"Cookie": cookie})
    answer.raise_for_status()
    return answer.json()


# ---- the run


async def run(options: argparse.Namespace, folder: Path) -> tuple[Server, Witness]:
    """Play and kill, until the last kill is done and every game over."""
    chance = random.Random(options.seed)
    server, witness = Server(folder, options.showing), Witness()
    await server.start()
    is_done = asyncio.Event()
    slots = [
        asyncio.create_task(play_tables(server, witness, number, random.Random(chance.random()), is_done))
        for number in range(options.tables)
    ]
    await kill_again_and_again(server, witness, options.kills, chance)
    is_done.set()
    print(f"The last kill is done; {len(witness.entries) - len(witness.over)} tables go on.", file=sys.stderr)
    _, late = await asyncio.wait(slots, timeout=FINISH_SECONDS)
    for slot in late:
        slot.cancel()
    for result in await asyncio.gather(*slots, return_exceptions=True):
        if isinstance(result, Exception):
            witness.broken.append(f"a client failed: {result!r}")
    return server, witness


async def fetch_records(server: Server, witness: Witness) -> list[str]:
    """The records of all tables, by a new life of the server; what went wrong."""
    wrong = [stopped(server)]
    await server.start()
    async with httpx.AsyncClient(base_url=server.url, timeout=ANSWER_SECONDS) as http:
        with server.records.open("w", encoding="utf-8") as file:
            for table, cookie in witness.cookies.items():
                answer = await http.get(f"/api/tables/{table}/record", headers={"Cookie": cookie})
                if answer.status_code == OK:
                    file.write(json.dumps(answer.json()) + "\n")
                else:
                    wrong.append(f"{table}: no record: {answer.status_code} {answer.text}")
    return [each for each in [*wrong, stopped(server)] if each]


def stopped(server: Server) -> str:
    """What is wrong with how the server stops; nothing if all is well."""
    status = server.stop()
    return f"the server's exit status was {status}" if status else ""


async def play_tables(
    server: Server, witness: Witness, number: int, chance: random.Random, is_done: asyncio.Event
) -> None:
    """One table after the other, so that there are always as many; none is begun after the last kill."""
    for kind in itertools.cycle(KINDS[number % len(KINDS) :] + KINDS[: number % len(KINDS)]):
        players = await make_table(server, witness, kind, chance)
        witness.entries.setdefault(players[0].table, {})
        witness.cookies[players[0].table] = players[0].cookie
        await asyncio.gather(*(player.play() for player in players))
        if is_done.is_set():
            return


async def kill_again_and_again(server: Server, witness: Witness, kills: int, chance: random.Random) -> None:
    """Kill the server at random, and start it again."""
    for number in range(kills):
        await progress(witness, chance.randrange(MOST_ENTRIES_BETWEEN_KILLS))
        await asyncio.sleep(MOST_SECONDS_AFTER * chance.random())
        server.kill()
        print(
            f"kill {number + 1} of {kills}: {witness.count} entries told, {len(witness.answers)} messages answered,"
            f" {len(witness.over)} of {len(witness.entries)} tables over",
            file=sys.stderr,
        )
        while chance.random() < KILLS_WHILE_STARTING:
            witness.events["kills of a server that was just starting"] += 1
            server.launch()
            await asyncio.sleep(LONGEST_START_SECONDS * chance.random())
            server.kill()
        await server.start()


async def progress(witness: Witness, entries: int) -> None:
    """Until so many more entries were told."""
    wanted = witness.count + entries
    while witness.count <= wanted:
        witness.news.clear()
        try:
            await asyncio.wait_for(witness.news.wait(), STANDSTILL_SECONDS)
        except TimeoutError:
            witness.broken.append(f"nothing happened at any table for {STANDSTILL_SECONDS} s")
            return


# ---- what is compared in the end


class Row(NamedTuple):
    """An entry of the log."""

    seat: int | None
    text: str
    at: str
    sender: str | None


def read_logs(file: Path) -> tuple[dict[str, dict[int, Row]], dict[str, str]]:
    """By table and number, every entry; by table its status. Read without the server's code."""
    logs: dict[str, dict[int, Row]] = {}
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        [(state,)] = database.execute("PRAGMA integrity_check")
        if state != "ok":
            sys.exit(f"The database is damaged: {state}")
        query = "SELECT table_id, number, seat, text, at, sender FROM entries"
        for table, number, *rest in database.execute(query):
            logs.setdefault(table, {})[number] = Row(*rest)
        statuses = dict(database.execute("SELECT id, status FROM tables").fetchall())
    return logs, statuses


def compare(witness: Witness, logs: dict[str, dict[int, Row]], statuses: dict[str, str]) -> list[str]:
    """Whatever the log does not hold as it was told."""
    wrong = list(witness.broken)
    for table, log in logs.items():
        if sorted(log) != list(range(1, len(log) + 1)):
            wrong.append(f"{table}: numbers with gaps")
    for table, known in witness.entries.items():
        wrong += [f"{table}, entry {number}: {why}" for number, why in differences(known, logs.get(table, {}))]
        if statuses.get(table) != "over":
            wrong.append(f"{table}: not finished, but {statuses.get(table)}")
    return wrong + compare_messages(witness, logs)


def differences(known: dict[int, Entry], log: dict[int, Row]) -> list[tuple[int, str]]:
    """Entries that were shown and are not in the log, or not as they were shown."""
    found = []
    for number, told in known.items():
        row = log.get(number)
        if row is None:
            found.append((number, f"{told} is lost"))
            continue
        text = row.text.split(" ", 1)[0] if told.text == "deal" else row.text
        same = told.text.endswith(HIDDEN) or told.text == text
        if not same or (told.seat, told.at) != (row.seat, row.at):
            found.append((number, f"told as {told}, but is {row}"))
    return found


def compare_messages(witness: Witness, logs: dict[str, dict[int, Row]]) -> list[str]:
    """Every answered message is one entry, no refused one is any, and none stands twice."""
    wrong = []
    by_sender: dict[Key, list[int]] = {}
    for table, log in logs.items():
        for number, row in log.items():
            if row.sender is not None:
                by_sender.setdefault((table, row.sender), []).append(number)
    for key, numbers in by_sender.items():
        if len(numbers) > 1:
            wrong.append(f"{key}: doubled, entries {numbers}")
        if key in witness.refused:
            wrong.append(f"{key}: refused ({witness.refused[key]}), but is entry {numbers}")
        row = logs[key[0]][numbers[0]]
        if key[0] in witness.entries and witness.sent.get(key) != (row.seat, row.text):
            wrong.append(f"{key}: entry {numbers} is {row}, sent was {witness.sent.get(key)}")
    for key, number in witness.answers.items():
        if by_sender.get(key) != [number]:
            wrong.append(f"{key}: answered as entry {number}, but in the log it is {by_sender.get(key)}")
    return wrong


def check_records(file: Path) -> list[str]:
    """Let the commands judge the records."""
    wrong = []
    for word in ("check", "verify"):
        command = [sys.executable, "-m", "embertown", word, str(file)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(f"embertown {word}: {(done.stdout + done.stderr).strip()}")
        if done.returncode:
            wrong.append(f"embertown {word} ended with {done.returncode}")
    return wrong


async def play_and_compare(options: argparse.Namespace, folder: Path) -> list[str]:
    """All of it; what is wrong."""
    began = time.monotonic()
    server, witness = await run(options, folder)
    wrong = await fetch_records(server, witness)
    logs, statuses = read_logs(folder / "embertown.sqlite")
    wrong += compare(witness, logs, statuses) + check_records(server.records)
    if helpers := server.helpers_left_behind():
        wrong.append(f"processes of killed servers are still there: {helpers}")
    report(options, witness, logs, time.monotonic() - began)
    return wrong


def main() -> int:
    """Play, kill, compare; print what happened."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=1, help="of the kills' times and the players' choices")
    parser.add_argument("--showing", type=float, default=0.1, help="seconds that a bot's move is shown, at least")
    options = parser.parse_args()
    folder = DATA / time.strftime("%Y%m%d-%H%M%S")
    folder.mkdir(parents=True)
    wrong = asyncio.run(play_and_compare(options, folder))
    if wrong:
        print("\n".join(wrong[:MOST_TOLD]))
        print(f"{len(wrong)} things are wrong; everything is kept in {folder}")
        return 1
    shutil.rmtree(folder)
    print("Nothing was lost, doubled or changed.")
    return 0


def report(options: argparse.Namespace, witness: Witness, logs: dict[str, dict[int, Row]], seconds: float) -> None:
    """What happened, as a table."""
    figures = {
        "kills with -9": options.kills,
        "tables at once": options.tables,
        "tables played": len(witness.entries),
        "tables over": len(witness.over),
        "entries in their logs": sum(len(logs.get(table, {})) for table in witness.entries),
        "entries told to somebody": witness.count,
        "messages sent": len(witness.sent),
        "messages answered": len(witness.answers),
        **dict(sorted(witness.events.items())),
        "seconds": round(seconds),
    }
    print("| | |\n| --- | --- |")
    for name, figure in figures.items():
        print(f"| {name} | {figure:,} |")


if __name__ == "__main__":
    sys.exit(main())
