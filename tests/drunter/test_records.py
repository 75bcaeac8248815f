"""Records of independent games come out again as they came in; a record in which anything is false is refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.errors import BadArgument, BrokenRecord, EmbertownError, MalformedRecord, NoChance
from embertown.drunter.game import DrunterGame, DrunterState
from embertown.drunter.rules import CARDS, OBJECTIVES
from embertown.games import GameRecord
from tests.conftest import JIT_OFF
from tests.falsify import (
    FOLDER,
    Json,
    Location,
    at,
    attempt,
    broken,
    changed,
    comes_out_equal,
    files_of,
    first_move,
    leaves,
    malformed,
    mutated,
    mutilated,
    order,
    other,
    read,
    reads_or_refuses,
    remarked,
    replay,
    written,
)
from tests.strategies_drunter import drunter_games

FILES = files_of("drunter")
FINISHED = [name for name in FILES if name != "drunter-pending-vote"]
CONSEQUENCES = {"under": "D4.4", "covers": "D5.1", "blocked": "D4.6"}
VOTE = {"jeeiin": "D6.2", "yes": "D6.1", "no": "D6.1", "passed": "D6.3"}
END = {"final": "D8.1", "scores": "D8.1", "winners": "D8.1", "end": "D7.1"}


# ---- what is true


@pytest.mark.kernel
@pytest.mark.parametrize("name", FILES)
def test_record_reads_replays_and_comes_out_equal(name: str) -> None:
    record = GameRecord.from_file(FOLDER / f"{name}.json")
    assert json.loads(record.to_json()) == read(name)
    state = comes_out_equal(read(name))
    assert list(read(name)) == list(json.loads(state.record().to_json())), "the same order of keys, too"
    if state.is_over:
        assert json.loads(state.view(None).record().to_json()) == read(name)


def test_the_records_hold_what_these_tests_need() -> None:
    moves = [move for name in FILES for move in read(name)["moves"]]
    for key in ("lay", "pass", "choose", "vote", *CONSEQUENCES):
        assert any(key in move for move in moves), key
    votes = [move["vote"] for move in moves if "vote" in move]
    assert {vote["passed"] for vote in votes} == {True, False}
    assert any(vote["yes"] == vote["no"] and vote["passed"] for vote in votes)
    assert {word for vote in votes for word in vote["jeeiin"]} == {"yes", "no", None}
    assert any(len(move.get("blocked", ())) > 1 for move in moves)


@pytest.mark.parametrize("name", FILES)
def test_remarks_survive(name: str) -> None:
    data = remarked(read(name))
    if "pending" in data:
        data["pending"] |= {"note": "Who is for it?", "at": "2026-01-01", "by": "a bot"}
    assert json.loads(GameRecord.from_json(json.dumps(data)).to_json()) == data
    comes_out_equal(data)


def test_a_replayed_game_can_be_taken_back_and_played_again() -> None:
    data = read("drunter-variant-3")
    state = replay(data)
    entries = state.log
    for _ in entries:
        state.undo()
    assert not state.record().to_dict()["moves"]
    assert state.laid == ()
    for entry in entries:
        state.play(entry.text, entry.seat)
    assert json.loads(state.record().to_json()) == data


def test_votes_and_choices_are_written_alike_in_whichever_order_they_came() -> None:
    """D6.1, D9.2: in the record they stand by seat, or in turn order."""
    data = read("drunter-variant-3")
    entries = list(replay(data).log)
    index = 0
    while index < len(entries):
        word = entries[index].text.partition(" ")[0]
        end = index + 1
        while word in ("vote", "choose") and end < len(entries) and entries[end].text.startswith(f"{word} "):
            end += 1
        entries[index:end] = reversed(entries[index:end])
        index = end
    deal = {key: data[key] for key in ("first", "deal")}
    state = DrunterGame(3, variant=True).start(seed=1, seats=[seat["name"] for seat in data["seats"]], **deal)
    for entry in entries:
        state.play(entry.text, entry.seat)
    assert state.record().to_dict()["moves"] == data["moves"]


def test_an_unfinished_game_is_played_on() -> None:
    state = replay(read("drunter-pending-vote"))
    assert state.waiting == (2, 1)
    state.play("vote jeeiin").play("vote nee").play("jeeiin yes", 2)
    assert state.record().to_dict()["moves"][-1]["vote"] == {
        "cards": ["ja", "nee", "jeeiin"],
        "jeeiin": [None, None, "yes"],
        "yes": 3,
        "no": 2,
        "passed": True,
    }


# ---- one thing false, everywhere


def plausible(data: Json, location: Location) -> list[Any]:
    """Other values that could stand there."""
    value, key, above = at(data, location), location[-1], location[-2:-1]
    if key == "lay":
        return ["road" if value == "wall" else "wall"]
    if key == "seat" or location == ("first",) or location[0] == "winners":
        return [(value + 1) % len(data["seats"]), (value + 1) % 4]
    if key == "gang" or "blocked" in location:
        return [next(corner for corner in ("O1", "A10", "A1") if corner != value)]
    if above in (("squares",), ("under",), ("covers",), ("uncovered",)):
        column, row = value[0], int(value[1:])
        return [f"{chr(ord(column) + 1)}{row}", f"{column}{row + 1 if row < 10 else 9}"]
    if "cards" in location:
        return [card for card in CARDS if card != value][hash(location) % 7 :: 7]
    if "jeeiin" in location:
        return [None, "no" if value == "yes" else "yes"] if value else ["yes"]
    if key in ("choose", "objective") or "objectives" in location:
        return [next(card for card in OBJECTIVES[hash(location) % 5 :] if card != value), "hut"]
    if key == "end":
        return ["resigned", "abandoned"]
    return [other(value)]


def test_places_of_the_plausible_are_the_same_every_day() -> None:
    """`hash` of a place with names in it would not be."""
    assert [plausible(read("drunter-2"), ("deal", "objectives", seat, 0)) for seat in (0, 1)]


