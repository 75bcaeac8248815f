"""Nobody receives what their view does not hold: proven from the raw traffic of whole games.

The same game is played at several tables that differ only in what a viewer may not know: others' objectives, and their
votes and choices until they are revealed. Every byte that this viewer receives must be the same at all of them.
"""

from __future__ import annotations

import json
import os
import random
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest

from embertown.drunter.game import DrunterGame, DrunterState
from embertown.drunter.rules import OBJECTIVES, Phase
from embertown.server.making import new_id
from tests.drunter.test_view import other_world
from tests.server.client import Guest, Live, Server, id_of

KINDS: tuple[tuple[int, dict[str, bool]], ...] = (
    (4, {}),
    (4, {"variant": True}),
    (4, {"several_cards": True}),
)
TRIED = 4
"""Hypothetical moves at each look."""
PROBE_EVERY = 30
"""Decisions between two looks by HTTP."""


@dataclass
class Company:
    """The players of a table, a spectator with a name, and one without; who they are is the same at every table."""

    server: Server
    players: list[Guest]
    watchers: list[Guest]
    table: str
    state: DrunterState
    """The game at its start, as the table has it."""
    began: int
    """The number of the last entry then."""

    @classmethod
    def seated(cls, server: Server, players: int, options: dict[str, bool], owners: Sequence[int]) -> Company:
        """A new table at which seat s belongs to guest `owners[s]`; nobody follows it yet."""
        guests = [server.guest(f"Player {number}") for number in range(max(owners) + 1)]
        seats = ["me" if owner == 0 else "open" for owner in owners]
        made = guests[0].make("drunter", seats, options=options, public=True, entropy="abc")
        for seat, owner in enumerate(owners):
            if owner:
                assert guests[owner].claim(made["links"][seat]).status_code == 200
        with closing(sqlite3.connect(server.database)) as database:
            texts = [row[0] for row in database.execute(ENTRIES, (made["table"],))]
        first = next(int(text[6:]) for text in texts if text.startswith("first "))
        deal = next(json.loads(text[5:]) for text in texts if text.startswith("deal "))
        state = DrunterGame(players, **options).start(seed=1, first=first, deal=deal)
        return cls(server, guests, [server.guest("Watcher"), server.stranger()], made["table"], state, len(texts))

    def twin_table(self, deal: dict[str, Any]) -> str:
        """Another table with the same row, seats and first entries, at which something else was dealt."""
        twin = new_id()
        with closing(sqlite3.connect(self.server.database, timeout=30)) as database, database:
            for name, key in (("tables", "id"), ("seats", "table_id"), ("entries", "table_id")):
                columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
                quoted = ", ".join(f'"{column}"' for column in columns)
                chosen = ", ".join("?" if column == key else f'"{column}"' for column in columns)
                copy = f"INSERT INTO {name} ({quoted}) SELECT {chosen} FROM {name} WHERE {key} = ?"
                database.execute(copy, (twin, self.table))
            database.execute("DELETE FROM entries WHERE table_id = ? AND number > ?", (twin, self.began))
            text = "deal " + json.dumps(deal, separators=(",", ":"))
            database.execute("UPDATE entries SET text = ? WHERE table_id = ? AND text LIKE 'deal %'", (text, twin))
        return twin


ENTRIES = "SELECT text FROM entries WHERE table_id = ? ORDER BY number"


def script_until_hidden(state: DrunterState, seed: int, least: int) -> DrunterState:
    """At least so many random decisions, and then on until something is hidden."""
    chooser = random.Random(seed)
    played = state.copy()
    while not played.is_over:
        if len(played.log) >= least and is_hidden(played):
            return played
        seat = chooser.choice(played.waiting)
        played.play(chooser.choice(played.legal_actions_of(seat)), seat)
    return script_until_hidden(state, seed + 1000, least * 3 // 4)


def is_hidden(state: DrunterState) -> bool:
    if state.phase is Phase.CHOOSING:
        return len(state.waiting) == 2
    return state.phase is Phase.VOTING and state.log[-1].text.startswith("vote") and len(state.waiting) <= 2


class Traffic:
    """A table that is played by a script, with everybody connected; what each received."""

    def __init__(self, company: Company, table: str, state: DrunterState) -> None:
        self.company, self.table = company, table
        everyone = [*company.players, *company.watchers]
        before = {guest: len(guest.received) for guest in everyone}
        self.lives = {guest: guest.live(table) for guest in everyone}
        for index, entry in enumerate(state.log):
            assert entry.seat is not None
            live = self.lives[company.players[entry.seat]]
            live.play(entry.text, entry.seat)
            self.catch_up()
            if index % PROBE_EVERY == 0 or index == len(state.log) - 1:
                self.probe()
        self.by_http = {guest: guest.received[before[guest] :] for guest in everyone}

    def catch_up(self) -> None:
        for live in self.lives.values():
            live.caught_up()

    def probe(self) -> None:
        """Everything that can be asked for by HTTP, by everyone."""
        path = f"/api/tables/{self.table}"
        for guest, live in self.lives.items():
            for seat in (None, *live.mine):
                guest.get(path + "/record", seat=seat)
                guest.get(path + "/board.svg", seat=seat)
                guest.get(path + "/board.svg", seat=seat, at=self.company.began + 1, night=True)
                guest.get(path + "/replay", seat=seat)
                self.try_moves(guest, path, seat)
            guest.get(path)
            for seat in set(range(4)) - set(live.mine):
                assert guest.get(path + "/record", seat=seat).status_code == 403
                assert guest.get(path + "/board.svg", seat=seat).status_code == 403
                assert guest.get(path + "/replay", seat=seat).status_code == 403
                assert guest.post(path + "/try", {"seat": seat}).status_code == 403
            live.send(type="look", seat=next(each for each in range(4) if each not in live.mine))
            live.send(type="preview", seat=next(each for each in range(4) if each not in live.mine), actions=["pass"])
            live.send(type="play", seat=next(s for s in range(4) if s not in live.mine), number=1, action="pass")
            if live.mine:
                live.send(type="play", seat=live.mine[0], number=1, action="pass")  # late: told what was missed
            live.caught_up()

    def try_moves(self, guest: Guest, path: str, seat: int | None) -> None:
        """A few moves on, whatever can be done or supposed; and from the beginning."""
        for at in (None, self.company.began):
            actions: list[str] = []
            for number in range(TRIED):
                told = guest.post(path + "/try", {"seat": seat, "at": at, "actions": actions}).json()
                open_turns = [turn["legal"] for turn in told["turns"] if turn["legal"]]
                if told["suppositions"]:
                    actions.append(told["suppositions"][number % len(told["suppositions"])])
                elif open_turns:
                    actions.append(open_turns[0][number % len(open_turns[0])]["text"])

    def of(self, guest: Guest) -> list[str]:
        """All that a guest received, in order, without what differs from table to table."""
        live = self.lives[guest]
        return [plain(text, self.table) for text in [*live.raw, *(each.decode() for each in self.by_http[guest])]]

    def close(self) -> None:
        for live in self.lives.values():
            live.close()


def plain(text: str, table: str) -> str:
    """Without the table's name, times, and ids of messages."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text.replace(table, "TABLE"))
    return re.sub(r'"id":"m\d+"', '"id":"ID"', text)


@pytest.mark.parametrize("kind", range(len(KINDS)))
@pytest.mark.parametrize("least", [25, 1000])
def test_nobody_receives_what_their_view_does_not_hold(server: Server, kind: int, least: int) -> None:
    players, options = KINDS[kind]
    company = Company.seated(server, players, options, range(players))
    state = script_until_hidden(company.state, kind, least)
    traffic = Traffic(company, company.table, state)
    for viewer in looked_at(kind, least):
        twin = other_world(state, viewer, seed=kind)
        assert [entry.seat for entry in twin.log] == [entry.seat for entry in state.log]
        assert twin.heading.deal is not None
        other = Traffic(company, company.twin_table(twin.heading.deal), twin)
        same = company.watchers if viewer is None else [company.players[viewer], *company.watchers]
        for guest in same:
            assert other.of(guest) == traffic.of(guest)
        others = [guest for seat, guest in enumerate(company.players) if seat != viewer]
        assert any(other.of(guest) != traffic.of(guest) for guest in others), "else this proves nothing"
        other.close()
    check_no_names(company, traffic, state)
    traffic.close()


def looked_at(kind: int, least: int) -> list[int | None]:
    """For whom other worlds are played: all in the soak, else each seat at one kind of game."""
    if "EMBERTOWN_EXAMPLES" in os.environ:
        return [None, *range(4)]
    return [None, kind] if least < 100 else [kind + 1]


def check_no_names(company: Company, traffic: Traffic, state: DrunterState) -> None:
    """Of the objectives' names only one's own are in what was sent."""
    for seat, guest in [*enumerate(company.players), *((None, each) for each in company.watchers)]:
        own = set() if seat is None else set(state.heading.deal["objectives"][seat])  # type: ignore[index]
        sent = "\n".join(traffic.lives[guest].raw)
        assert {name for name in OBJECTIVES if f'"{name}"' in sent or f"choose {name}" in sent} <= own


def test_when_it_is_over_all_is_told_to_all(server: Server) -> None:
    """Otherwise the tests above might look at the wrong place."""
    company = Company.seated(server, 4, {"variant": True}, range(4))
    state = company.state.copy()
    chooser = random.Random(5)
    while not state.is_over:
        seat = chooser.choice(state.waiting)
        state.play(chooser.choice(state.legal_actions_of(seat)), seat)
    traffic = Traffic(company, company.table, state)
    for guest, live in traffic.lives.items():
        assert live.status == "over"
        assert live.table["facts"]["objectives"] == state.heading.deal["objectives"]  # type: ignore[index]
        choices = [text for text in live.texts if text.startswith("choose")]
        assert len(choices) == 4
        assert "choose (hidden)" not in choices
        assert guest.get(f"/api/tables/{company.table}/record").json()["fair"]["seed"]
    traffic.close()


# ---- several seats at one connection


def watched(live: Live) -> list[str]:
    return [plain(text, id_of(live)) for text in live.raw]


def test_a_seat_is_seen_only_after_its_own_request(server: Server) -> None:
    """One guest holds seats 0 and 1: it is told what a spectator is told until it asks for a seat's eyes."""
    company = Company.seated(server, 4, {"variant": True}, [0, 0, 1, 2])
    live, others = company.players[0].live(company.table), company.players[1:]
    deal = company.state.heading.deal
    assert deal is not None
    assert live.mine == [0, 1]
    assert live.table["viewer"] is None
    sent = "\n".join(live.raw)
    assert not [name for name in OBJECTIVES if f'"{name}"' in sent]
    for seat in (0, 1):
        assert live.refused(type="preview", seat=seat, actions=["pass"]) == "look_first"
        assert live.refused(type="play", seat=seat, number=1, action="pass") == "look_first"
    assert not live.of("turn")
    told = others[0].live(company.table)
    for seat in (0, 1, 0):
        before = len(live.raw)
        live.ask(type="look", seat=seat)
        live.caught_up()
        assert live.table["viewer"] == seat
        assert live.table["facts"]["objectives"][seat] == deal["objectives"][seat]
        seen = "\n".join(live.raw[before:])
        assert {name for name in OBJECTIVES if f'"{name}"' in seen} == set(deal["objectives"][seat])
        live.ask(type="look", seat=None)
        before = len(live.raw)
        live.caught_up()
        live.ask(type="say", text="still here")
        assert live.table["viewer"] is None
        assert not [name for name in OBJECTIVES if f'"{name}"' in "\n".join(live.raw[before:])]
        live.turns.clear()
    told.caught_up()
    assert told.table["viewer"] == 2


def test_a_vote_is_hidden_from_the_hand_that_made_it_once_it_looks_away(server: Server) -> None:
    company = Company.seated(server, 4, {}, [0, 0, 1, 2])
    lives = {0: company.players[0].live(company.table)}
    lives |= {1: lives[0], 2: company.players[1].live(company.table), 3: company.players[2].live(company.table)}
    state = script_until_hidden(company.state, 3, 10)
    hand = lives[0]
    hidden = 0
    for entry in state.log:
        assert entry.seat is not None
        live = lives[entry.seat]
        if live is hand:
            live.ask(type="look", seat=entry.seat)
        live.caught_up()
        live.play(entry.text, entry.seat)
        if live is hand:
            live.ask(type="look", seat=None)
            live.caught_up()
        for each in set(lives.values()):
            each.caught_up()
        hidden += hand.texts[-1] == "vote (hidden)"
    assert hidden
    assert hand.texts[-1] == "vote (hidden)"
    stale = {"type": "play", "number": 1, "action": "pass"}
    assert hand.refused(seat=0, **stale) == hand.refused(seat=1, **stale) == "look_first"
    votes = [entry.text for entry in state.log[-2:] if entry.text.startswith("vote")]
    after = len(hand.raw)
    hand.ask(type="say", text="nothing")
    hand.caught_up()
    assert not [vote for vote in votes if vote in "\n".join(hand.raw[after:])]
