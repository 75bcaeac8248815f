"""Tables without a server: made, played at random, and looked at from all sides."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from embertown.core.errors import EmbertownError
from embertown.games import load
from embertown.server import fair
from embertown.server.clocks import stamp
from embertown.server.entries import ABORT, LogEntry
from embertown.server.store.rows import SeatRow, TableRow
from embertown.server.table import Sitting, Table
from embertown.server.takeback import last_own_decision, must_agree

SEED = bytes(range(32))
ID = "abcdefghijkl"
KINDS: tuple[tuple[str, int, dict[str, bool]], ...] = (
    ("cronberg", 2, {}),
    ("cronberg", 4, {}),
    ("drunter", 2, {}),
    ("drunter", 4, {}),
    ("drunter", 3, {"variant": True}),
    ("drunter", 4, {"several_cards": True}),
)


def row_of(game: str, players: int, options: dict[str, bool], clock: dict[str, Any] | None = None) -> TableRow:
    """A table's row, as the server makes it."""
    return TableRow(
        id=ID,
        game=game,
        edition=load(game, players, **options).edition.reference(),
        options=options,
        players=players,
        first=None,
        start_scores=[0] * players,
        public=True,
        pace="live",
        clock=clock,
        match_id=None,
        match_game=None,
        match_games=None,
        host_guest="guest0",
        status="open",
        created_at=stamp(0),
        changed_at=stamp(0),
        seed=SEED,
        commitment=fair.commitment(SEED),
        title="a table",
    )


def seat_rows(table: Table) -> list[SeatRow]:
    """The rows of the seats, as the server keeps them up to date."""
    return [SeatRow(ID, seat, each.guest, each.name, each.bot) for seat, each in enumerate(table.seats)]


def viewers(table: Table) -> list[int | None]:
    return [None, *range(table.row.players)]


def picture(table: Table) -> dict[str, Any]:
    """Everything that can be read of a table."""
    clocks = table.clocks
    return {
        "status": table.status,
        "number": table.number,
        "entries": [*table.entries],
        "waiting": table.waiting,
        "seats": [*table.seats],
        "fair": table.fair_facts(),
        "clocks": None if clocks is None else ([*clocks.left], [*clocks.moving], clocks.since),
        "position": None if table.state is None else table.state.position_text(),
        "log": None if table.state is None else table.state.log,
        "records": [None if table.state is None else table.record(each).to_json() for each in viewers(table)],
        "whole": None if table.state is None else table.record(whole=True).to_json(),
        "told": [[table.told(each, since) for since in range(0, table.number + 1, 3)] for each in viewers(table)],
        "fresh": [[table.is_fresh(s, n) for n in range(table.number + 3)] for s in range(table.row.players)],
        "reveals": dict(table.revealed),
    }


@dataclass
class Play:
    """A table that is played at random; after each step, what there is to rebuild it from."""

    table: Table
    chooser: random.Random
    now: float = 1_000_000.0
    steps: list[tuple[int, list[SeatRow], dict[str, Any]]] = field(default_factory=list)
    look: Callable[[Table], dict[str, Any]] = picture

    @classmethod
    def begun(cls, kind: int, seed: int, *, bots: Sequence[int] = (), clock: dict[str, Any] | None = None) -> Play:
        """The table with its seats taken, and started."""
        row = row_of(*KINDS[kind], clock)
        people = [SeatRow(ID, seat) for seat in range(row.players)]
        play = cls(Table(row, people), random.Random(seed))
        for seat in range(row.players):
            sitting = Sitting(None, "greedy", "greedy") if seat in bots else Sitting(f"guest{seat}", f"Player {seat}")
            play.table.sit(seat, sitting, play.at(), guest=sitting.guest)
            if seat % 2 == 0:
                play.table.add_entropy(seat, f"entropy of {seat}", play.at(), sitting.guest)
        play.keep()
        play.table.start(play.at())
        play.keep()
        return play

    def at(self) -> str:
        """Some time passes."""
        self.now += self.chooser.choice([0.0, 0.25, 3.0, 40.0])
        return stamp(self.now)

    def keep(self) -> None:
        self.steps.append((self.table.number, seat_rows(self.table), self.look(self.table)))

    def decide(self) -> None:
        """A random decision of a random seat that is waited for."""
        assert self.table.state is not None
        seat = self.chooser.choice(self.table.waiting)
        action = self.chooser.choice(self.table.state.legal_actions_of(seat))
        self.table.decide(seat, action, self.at(), guest=self.table.seats[seat].guest, sender=f"m{self.table.number}")

    def stand_in(self) -> None:
        """A bot for a person, or the person again."""
        seat = self.chooser.randrange(self.table.row.players)
        sitting = self.table.seats[seat]
        bot = None if sitting.bot and sitting.guest else "journeyman"
        self.table.sit(seat, Sitting(sitting.guest, sitting.name, bot), self.at())

    def moved(self) -> None:
        """Somebody else plays a seat from now on."""
        seat = self.chooser.randrange(self.table.row.players)
        self.table.sit(seat, Sitting(f"other{seat}", "Somebody Else", None), self.at())

    def take_back(self) -> None:
        seat = self.chooser.randrange(self.table.row.players)
        try:
            kept = last_own_decision(self.table, seat)
            must_agree(self.table, seat, kept)
        except EmbertownError:
            return
        self.table.take_back(kept, self.at(), self.table.seats[seat].guest, f"t{self.table.number}")

    def flag(self) -> None:
        if self.table.clocks is not None:
            self.table.flag(self.chooser.choice(self.table.waiting), self.at())

    def resume(self) -> None:
        if self.table.clocks is not None:
            self.table.resume_clock(self.at())

    def resign(self) -> None:
        self.table.resign(self.chooser.randrange(self.table.row.players), self.at(), "guest0", f"r{self.table.number}")

    def abort(self) -> None:
        self.table.end(ABORT, self.at(), "guest0", f"a{self.table.number}")

    def step(self, *, may_end: bool = True) -> None:
        """Anything that can happen at a table."""
        rare = [self.resign, self.abort] if may_end and self.chooser.random() < 0.02 else []
        others = [self.stand_in, self.moved, self.take_back, self.take_back, self.flag, self.resume]
        self.chooser.choice(rare or [self.decide] * 14 + others)()
        self.keep()

    def play_on(self, steps: int, *, may_end: bool = True) -> Play:
        for _ in range(steps):
            if self.table.status != "playing":
                break
            self.step(may_end=may_end)
        return self

    def rebuilt(self, step: int) -> Table:
        """The table as it is read again after a step."""
        number, seats, _ = self.steps[step]
        entries = [LogEntry(*(getattr(each, name) for name in FIELDS)) for each in self.table.entries[:number]]
        return Table(self.table.row, seats, entries)


FIELDS = ("number", "seat", "text", "at", "by", "guest", "sender")
