"""Clocks follow from the entries' times: charged to whoever was waited for, the same after a restart."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.server.clocks import AFTER_FLAG, Clocks, seconds_of, stamp
from embertown.server.table import Sitting
from tests.conftest import JIT_OFF
from tests.server.tables import Play

TOTAL = {"total": 300.0, "per_move": None}
BOTH = {"total": 300.0, "per_move": 50.0}


def begun(kind: int, clock: dict[str, float | None], seed: int = 5) -> Play:
    play = Play.begun(kind, seed, clock=clock)
    play.look = lambda table: {"number": table.number}
    return play


@given(st.floats(0, 4e9))
def test_a_time_of_the_log_is_read_as_it_was_written(seconds: float) -> None:
    assert stamp(seconds_of(stamp(seconds))) == stamp(seconds)
    assert -1e-6 <= seconds - seconds_of(stamp(seconds)) < 0.0011


@pytest.mark.parametrize("kind", [0, 3, 4])
def test_time_is_taken_from_people_who_were_waited_for(kind: int) -> None:
    """Summed up once more from the entries, with who was waited for before each of them, and where a bot stood in."""
    play = begun(kind, TOTAL)
    table = play.table
    spent = [0.0] * table.row.players
    before = seconds_of(table.entries[-1].at)
    for _ in range(3 if JIT_OFF else 60):
        waited = [seat for seat in table.waiting if table.seats[seat].bot is None]
        if table.status != "playing":
            break
        play.chooser.choice([play.decide, play.decide, play.decide, play.stand_in, play.take_back])()
        now = seconds_of(table.entries[-1].at)
        for seat in waited:
            spent[seat] += now - before
        before = now
    assert table.clocks is not None
    assert table.clocks.left == pytest.approx([300.0 - each for each in spent])


def test_a_clock_stands_still_while_a_bot_stands_in() -> None:
    play = begun(0, BOTH)
    table, clocks = play.table, play.table.clocks
    assert clocks is not None
    seat = table.waiting[0]
    person = table.seats[seat]
    play.now += 20
    table.sit(seat, Sitting(person.guest, person.name, "greedy"), stamp(play.now))
    left, moving = clocks.left[seat], clocks.moving[seat]
    assert (left, moving) == (280.0, 30.0)
    play.now += 1000
    assert not clocks.facts(table.on_clock, play.now)[seat]["running"]
    table.sit(seat, person, stamp(play.now))
    assert (clocks.left[seat], clocks.moving[seat]) == (left, moving)
    play.now += 5
    told = clocks.facts(table.on_clock, play.now)[seat]
    assert told == {"total": round((left or 0) - 5, 1), "move": round((moving or 0) - 5, 1), "running": True}


def test_every_decision_has_its_whole_time() -> None:
    play = begun(0, BOTH)
    table = play.table
    assert table.clocks is not None
    for _ in range(6):
        seat = table.waiting[0]
        play.decide()
        assert table.clocks.moving[seat] == 50.0
        assert table.clocks.seconds_left(table.waiting[0], play.now) <= 50.0


def test_nobody_pays_while_the_server_was_away() -> None:
    play = begun(0, BOTH)
    table, clocks = play.table, play.table.clocks
    assert clocks is not None
    play.decide()
    left, moving = [*clocks.left], [*clocks.moving]
    play.now += 100_000
    table.resume_clock(stamp(play.now))
    assert (clocks.left, clocks.moving) == (left, moving)
    play.now += 10
    assert clocks.seconds_left(table.waiting[0], play.now) == pytest.approx(
        min(left[table.waiting[0]] or 0, moving[table.waiting[0]] or 0) - 10
    )


@pytest.mark.parametrize("clock", [TOTAL, BOTH, {"total": None, "per_move": 50.0}, {"total": 50.0, "per_move": 50.0}])
@given(start=st.floats(1.7e9, 1.9e9), thought=st.lists(st.floats(0, 20), max_size=8), late=st.floats(0, 2e-3))
def test_after_a_flag_there_is_time_to_come_back(
    clock: dict[str, float | None], start: float, thought: list[float], late: float
) -> None:
    """However exactly the time was hit: times are rounded, and a timer may be late by less than that."""
    clocks = Clocks(2, clock["total"], clock["per_move"])
    now = start
    clocks.since = seconds_of(stamp(now))
    for seconds in thought:
        now += seconds
        clocks.run_until(seconds_of(stamp(now)), (0,))
        clocks.decided(0)
    now = max(now, clocks.since) + clocks.seconds_left(0, max(now, clocks.since)) + late
    clocks.run_until(seconds_of(stamp(now)), (0,))
    clocks.flagged(0)
    assert clocks.seconds_left(0, now) > 40


def test_a_flag_costs_the_others_nothing() -> None:
    play = begun(0, TOTAL)
    table, clocks = play.table, play.table.clocks
    assert clocks is not None
    seat = table.waiting[0]
    play.now += 1000
    table.flag(seat, stamp(play.now))
    assert clocks.left[seat] == AFTER_FLAG
    assert clocks.left[1 - seat] == 300.0
    assert table.status == "playing"
    assert table.waiting == (seat,)


def test_what_is_told_runs_for_those_who_are_waited_for() -> None:
    chooser = random.Random(1)
    clocks = Clocks(3, 100.0, 20.0)
    clocks.since = 1000.0
    for _ in range(20):
        now = 1000.0 + chooser.random() * 15
        told = clocks.facts((0, 2), now)
        assert [each["running"] for each in told] == [True, False, True]
        assert told[1] == {"total": 100.0, "move": 20.0, "running": False}
        assert told[0]["total"] == pytest.approx(1100.0 - now, abs=0.06)
        assert told[0]["move"] == pytest.approx(1020.0 - now, abs=0.06)
