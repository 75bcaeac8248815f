"""A table is what its entries say: rebuilt it is the same, and nobody is told more than the own view holds."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.drunter.rules import OBJECTIVES
from embertown.games import GameRecord
from embertown.server import fair
from embertown.server.entries import ABORT, LogEntry
from embertown.server.errors import Refused
from embertown.server.table import HIDDEN, BrokenTable, Sitting, Table
from tests.conftest import JIT_OFF, examples
from tests.server.tables import KINDS, Play, picture, row_of, seat_rows, viewers

CLOCKS: tuple[dict[str, Any] | None, ...] = (
    None,
    {"total": 300.0, "per_move": None},
    {"total": None, "per_move": 60.0},
    {"total": 300.0, "per_move": 60.0},
)
kinds = st.integers(0, len(KINDS) - 1)
seeds = st.integers(0, 10**6)


@settings(max_examples=examples(8, 2))
@given(kind=kinds, seed=seeds, clock=st.sampled_from(CLOCKS), bots=st.sets(st.integers(1, 3), max_size=2))
def test_rebuilt_after_any_step_it_is_the_same(
    kind: int, seed: int, clock: dict[str, Any] | None, bots: set[int]
) -> None:
    play = Play.begun(kind, seed, clock=clock, bots=tuple(bots)).play_on(5 if JIT_OFF else 25)
    for step, (_, _, before) in enumerate(play.steps):
        assert picture(play.rebuilt(step)) == before


@pytest.mark.skipif(JIT_OFF, reason="whole games, slow without compiled kernels")
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_whole_games_are_rebuilt_the_same_and_go_on_the_same(kind: int) -> None:
    """Rebuilt in the middle and played on with the same chance, a table goes on as if nothing had been."""
    play = Play.begun(kind, kind)
    play.look = lambda table: {"number": table.number}
    play.play_on(3000, may_end=False)
    assert play.table.status == "over"
    again = play.rebuilt(-1)
    assert picture(again) == picture(play.table)
    record = GameRecord.from_json(again.record(None).to_json())
    record.replay()
    assert fair.verify(record).is_over
    middle = play.rebuilt(len(play.steps) // 2)
    for entry in play.table.entries[middle.number :]:
        if entry.number > middle.number:  # draws come by themselves
            follow(middle, entry)
    assert [each.text for each in middle.entries] == [each.text for each in play.table.entries]


def follow(table: Table, entry: LogEntry) -> None:
    """Do what an entry says."""
    seats = {"person": lambda rest: Sitting("g", rest), "bot": lambda rest: Sitting("g", "n", rest)}
    if entry.word == "seat":
        seat, kind, rest = int(entry.text[5]), *entry.text.split(": ", 1)[1].split(" ", 1)
        table.sit(seat, seats[kind](rest), entry.at)
    elif entry.word == "takeback":
        table.take_back(int(entry.text.split()[-1]), entry.at, None, None)
    else:
        assert entry.seat is not None
        table.decide(entry.seat, entry.text, entry.at)


# ---- what is told


def checked_told(table: Table) -> None:
    """What each viewer is told is what their own view holds, entry by entry."""
    for viewer in viewers(table):
        told = {each["number"]: each for each in table.told(viewer, 0)}
        assert list(told) == list(range(1, table.number + 1))
        view = table.view(viewer)
        assert view is not None
        standing = [each["text"] for number, each in told.items() if number in table.lines]
        assert standing == [entry.text for entry in view.log]
        for number, each in told.items():
            entry = table.entries[number - 1]
            assert (each["seat"], each["at"], each["by"]) == (entry.seat, entry.at, entry.by)
            assert each["stands"] == (entry.is_of_table or number in table.lines)
            assert set(each) == {"number", "seat", "text", "at", "by", "stands"}
            if entry.word == "deal":
                assert each["text"] == "deal"
            elif entry.is_of_table:
                assert each["text"] == entry.text


def checked_missed(table: Table, known: dict[int, str], viewer: int | None, since: int) -> None:
    """Who knew all up to a number and is told the rest knows as much as one who is told all."""
    told = table.told(viewer, since)
    assert all(each["number"] > since or each["number"] in table.revealed for each in told)
    updated = known | {each["number"]: each["text"] for each in told}
    assert updated == {each["number"]: each["text"] for each in table.told(viewer, 0)}


@settings(max_examples=examples(15, 2))
@given(kind=kinds, seed=seeds, steps=st.integers(1, 8 if JIT_OFF else 160))
def test_what_is_told_is_what_the_view_holds(kind: int, seed: int, steps: int) -> None:
    known: dict[int | None, dict[int, dict[int, str]]] = {}
    play = Play.begun(kind, seed)
    play.look = lambda table: {"number": table.number}
    for _ in range(steps):
        if play.table.status != "playing":
            break
        table = play.table
        for viewer in viewers(table):
            texts = {each["number"]: each["text"] for each in table.told(viewer, 0)}
            known.setdefault(viewer, {})[table.number] = texts
        play.step()
        checked_told(table)
    for viewer, snapshots in known.items():
        for since, texts in snapshots.items():
            checked_missed(play.table, texts, viewer, since)


def other_entries(table: Table, viewer: int | None, chooser: random.Random) -> list[LogEntry]:
    """Another log that fits all that a viewer knows: others' cards, hidden votes and choices are not the same."""
    assert table.state is not None
    deal = table.state.heading.deal
    assert deal is not None
    each = len(deal["objectives"][0])
    own = [] if viewer is None else deal["objectives"][viewer]
    pile = [card for card in (OBJECTIVES if each == 2 else OBJECTIVES[:6]) if card not in own]
    chooser.shuffle(pile)
    hands = [own if seat == viewer else [pile.pop() for _ in range(each)] for seat in range(table.row.players)]
    dealt = orjson.dumps({**deal, "objectives": hands}).decode()
    told = {entry["number"]: entry["text"] for entry in table.told(viewer, 0)}
    twin = Table(table.row, seat_rows(table))
    for entry in table.entries:
        text = f"deal {dealt}" if entry.word == "deal" else entry.text
        if entry.is_of_table:
            twin._take(replace(entry, text=text))
            continue
        assert entry.seat is not None
        assert twin.state is not None
        if told[entry.number].endswith(HIDDEN):
            text = twin.state.text(chooser.choice(twin.state.legal_actions_of(entry.seat)))
        twin.decide(entry.seat, text, entry.at, guest=entry.guest, sender=entry.sender)
    return twin.entries


def played_drunter(kind: int, seed: int, steps: int) -> Play:
    play = Play.begun(2 + kind % (len(KINDS) - 2), seed)
    play.look = lambda table: {"number": table.number}
    while len(play.steps) < steps and play.table.status == "playing":
        play.chooser.choice([play.decide] * 8 + [play.take_back])()
        play.keep()
    return play


@settings(max_examples=examples(40, 2))
@given(kind=kinds, seed=seeds, steps=st.integers(1, 8 if JIT_OFF else 140), viewer=st.integers(-1, 3))
def test_every_log_that_fits_is_told_the_same(kind: int, seed: int, steps: int, viewer: int) -> None:
    table = played_drunter(kind, seed, steps).table
    if table.status != "playing":
        return
    seat = None if viewer < 0 else viewer % table.row.players
    twin = Table(table.row, seat_rows(table), other_entries(table, seat, random.Random(seed)))
    for since in range(table.number + 1):
        assert twin.told(seat, since) == table.told(seat, since)
    assert twin.view(seat) == table.view(seat)
    assert twin.record(seat).to_json() == table.record(seat).to_json()
    assert twin.fair_facts() == table.fair_facts()
    assert twin.waiting == table.waiting
    for each in range(table.row.players):
        fresh = [table.is_fresh(each, number) for number in range(table.number + 2)]
        assert fresh == [twin.is_fresh(each, number) for number in range(table.number + 2)]


def test_the_other_log_is_another() -> None:
    """Otherwise the test above would prove nothing."""
    table = played_drunter(4, 1, 12).table
    twin = Table(table.row, seat_rows(table), other_entries(table, 0, random.Random(3)))
    assert twin.record(1).to_json() != table.record(1).to_json()
    assert twin.told(0, 0) == table.told(0, 0)


def test_a_vote_is_told_again_when_it_is_revealed_and_not_before() -> None:
    play = Play.begun(3, 11)
    play.look = lambda table: {"number": table.number}
    table = play.table
    while not table.revealed:
        play.decide()
    last = table.number
    hidden = list(table.revealed)
    assert set(table.revealed.values()) == {last}
    for viewer in viewers(table):
        assert [each["number"] for each in table.told(viewer, last - 1)] == [*hidden, last]
        assert all(not each["text"].endswith(HIDDEN) for each in table.told(viewer, last - 1))
        assert table.told(viewer, last) == []
    before = Table(table.row, seat_rows(table), table.entries[: last - 1])
    for number in hidden:
        voter = table.entries[number - 1].seat
        for viewer in viewers(table):
            told = before.told(viewer, number - 1)[0]["text"]
            assert told.endswith(HIDDEN) == (viewer != voter)


def test_the_seed_is_told_when_it_is_over_and_not_before() -> None:
    for kind in (0, 4):
        play = Play.begun(kind, 3)
        assert play.table.fair_facts()["seed"] is None
        assert play.table.row.seed.hex() not in str(picture(play.table))
        play.abort()
        assert play.table.fair_facts()["seed"] == play.table.row.seed.hex()


# ---- who decided


def test_the_record_says_who_stood_in_also_after_a_restart() -> None:
    play = Play.begun(0, 5)
    table = play.table
    seat = table.waiting[0]
    table.sit(seat, Sitting(f"guest{seat}", f"Player {seat}", "journeyman"), play.at())
    play.keep()
    again = play.rebuilt(-1)
    for each in (table, again):
        assert each.state is not None
        each.decide(seat, each.state.legal_actions_of(seat)[0], play.at())
        made = [entry for entry in each.entries if entry.seat == seat][-1]
        assert made.by == "journeyman"
        told = each.record(None).to_dict()["seats"][seat]
        assert (told["name"], told.get("bot")) == (f"Player {seat}", None)


def test_a_seat_that_was_given_up_to_a_bot_ends_no_game_also_after_a_restart() -> None:
    play = Play.begun(0, 3)
    play.decide()
    play.keep()
    given_up, sits = play.table.resign_to_bot(0, "greedy", play.at(), "guest0", "r")
    play.keep()
    assert (given_up.text, given_up.seat, sits.text) == ("resign to a bot", 0, "seat 0: bot greedy")
    table = play.rebuilt(-1)
    assert (table.status, table.waiting) == (play.table.status, play.table.waiting) == ("playing", table.waiting)
    assert table.seats[0] == play.table.seats[0]
    assert table.seats[0].guest is None


def test_what_our_shuffles_would_not_have_given_stands_where_the_log_says_so() -> None:
    """The log is the truth: a table whose draws came from another seed is read as it was played."""
    play = Play.begun(0, 8)
    play.look = lambda table: {"number": table.number}
    play.play_on(4 if JIT_OFF else 60, may_end=False)
    foreign = Table(replace(play.table.row, seed=bytes(32)), seat_rows(play.table), play.table.entries)
    assert foreign.state is not None
    assert play.table.state is not None
    assert any(entry.text.startswith("drawn") for entry in foreign.entries)
    assert foreign.state.log == play.table.state.log
    assert foreign.state.position_text() == play.table.state.position_text()


@pytest.mark.parametrize("damage", ["missing", "illegal", "nonsense", "too early", "deal"])
def test_a_damaged_log_is_named_as_such(damage: str) -> None:
    play = Play.begun(2, 1)
    play.decide()
    play.decide()
    entries = list(play.table.entries)
    damaged = {
        "missing": [*entries[:-2], entries[-1]],
        "illegal": [*entries[:-1], replace(entries[-1], text="vote ja")],
        "nonsense": [*entries[:-1], replace(entries[-1], text="lay wall Z9 Q1 to 7")],
        "too early": [replace(entries[-1], number=1)],
        "deal": [replace(each, text="deal {") if each.word == "deal" else each for each in entries],
    }[damage]
    with pytest.raises(BrokenTable):
        Table(play.table.row, seat_rows(play.table), damaged)


# ---- what can't be done


def test_nothing_is_played_before_the_start_or_after_the_end() -> None:
    row = row_of("cronberg", 2, {})
    table = Table(row, [], ())
    table.seats = [Sitting("a", "A"), Sitting()]
    with pytest.raises(Refused, match="Not every seat"):
        table.start("1970-01-01T00:00:00.000Z")
    with pytest.raises(Refused, match="Nothing can be played"):
        table.decide(0, "draw", "1970-01-01T00:00:00.000Z")
    table.seats[1] = Sitting("b", "B")
    table.start("1970-01-01T00:00:00.000Z")
    with pytest.raises(Refused, match="begun already"):
        table.start("1970-01-01T00:00:00.000Z")
    table.end(ABORT, "1970-01-01T00:00:00.000Z")
    before = picture(table)
    with pytest.raises(Refused, match="Nothing can be played"):
        table.decide(0, "draw", "1970-01-01T00:00:00.000Z")
    assert picture(table) == before
