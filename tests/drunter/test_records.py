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
from embertown.drunter.rules import CARDS, OBJECTIVES, Phase
from embertown.games import GameRecord
from tests.conftest import examples
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
    inside,
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
    turn = sum(part for part in location if isinstance(part, int))  # another one each time
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
        return [card for card in CARDS if card != value][turn % 7 :: 7]
    if "jeeiin" in location:
        return [None, "no" if value == "yes" else "yes"] if value else ["yes"]
    if key in ("choose", "objective") or "objectives" in location:
        return [next(card for card in OBJECTIVES[turn % 5 :] if card != value), "hut"]
    if key == "end":
        return ["resigned", "abandoned"]
    return [other(value)]


def rule_of(location: Location) -> set[str]:
    """The rules by which something false at this place is refused, where it can only be refused there."""
    if location[0] in END:
        return {END[str(location[0])]}
    if location[2] == "vote":
        return {VOTE[str(location[3])]} if location[3] in VOTE else set()
    return {CONSEQUENCES[str(location[2])]} if location[2] in CONSEQUENCES else set()


@pytest.mark.parametrize("name", FINISHED)
def test_every_false_consequence_is_refused_at_its_place(name: str) -> None:
    data = read(name)
    count = 0
    for location in leaves(data):
        if location[0] not in (*END, "moves") or len(location) == 1 or not rule_of(location):
            continue
        value = at(data, location)
        for wrong in plausible(data, location)[: 2 if len(data["seats"]) == 2 else 1]:
            if wrong == value:
                continue
            count += 1
            found = attempt(changed(data, location, wrong))
            if isinstance(found, MalformedRecord):  # a seat 4, say
                assert written(location).startswith(found.key), location
                continue
            assert isinstance(found, BrokenRecord), f"{written(location)} may be {wrong!r}"
            vote = location[0] not in END and location[2] == "vote"
            place = written(location[:4] if vote else location)
            if vote and location[3] == "jeeiin" and wrong is not None and value is not None:
                place = place.removesuffix("jeeiin") + found.where.rpartition(".")[2]  # it tells in yes, no or passed
                assert found.rule in VOTE.values(), location
            else:
                assert found.rule in rule_of(location), location
            assert found.where == place, location
    assert count > 30


FREE = ("seats[", "deal.objectives[0]", "deal.objectives[1]", "deal.objectives[2]", "pending.cards[")
"""What play does not depend on; in the unfinished game also cards that nobody has seen yet."""


@pytest.mark.parametrize("name", FILES)
def test_every_leaf_is_refused_where_it_stands_or_where_it_tells_or_is_another_true_game(name: str) -> None:
    data = read(name)
    refusals = 0
    for location in leaves(data):
        if location[0] in END or (location[0] == "moves" and len(location) > 2 and rule_of(location)):
            continue  # the test above
        for value in plausible(data, location)[: 2 if len(data["seats"]) == 2 else 1]:
            false = changed(data, location, value)
            if false == data:
                continue
            found = attempt(false)
            refusals += isinstance(found, EmbertownError)
            if isinstance(found, BrokenRecord):
                assert order(found.where) >= order(written(location)), (location, found)
                if len(location) > 3 and location[2] == "vote":
                    assert found.where.startswith(written(location[:3])), (location, found)
            elif isinstance(found, MalformedRecord):
                assert written(location).startswith(found.key), (location, found)
            else:
                assert json.loads(found.record().to_json()) == false, location
                free = FREE if name == "drunter-pending-vote" else FREE[:1]
                moved = location[0] == "moves" and location[2] == "squares"
                assert moved or written(location).startswith(free), location
    assert refusals > 3 * len(data["moves"])


def falsified_list(entries: list[Any] | None, add: Any) -> Iterator[object]:
    if entries is None:
        yield from ([], [add])
        return
    yield from (..., entries[1:], [*entries, entries[-1]], [*entries, add])
    if len(entries) > 1:
        yield entries[::-1]


@pytest.mark.parametrize("name", ["drunter-3", "drunter-variant-no-votes-2", "drunter-several-cards-4"])
def test_consequences_dropped_added_doubled_or_in_another_order_are_refused(name: str) -> None:
    data = read(name)
    seen = set()
    for index, move in enumerate(data["moves"]):
        if "lay" not in move:
            continue
        for key, rule in CONSEQUENCES.items():
            if key not in move and index % 10:
                continue
            for wrong in falsified_list(move.get(key), "A1" if key == "blocked" else "H5"):
                false = changed(data, ("moves", index, key), wrong)
                found = attempt(false)
                if isinstance(found, MalformedRecord):  # four squares
                    assert found.key == f"moves[{index}].{key}"
                    continue
                assert isinstance(found, BrokenRecord), (index, key, wrong)
                assert inside(found.where, f"moves[{index}].{key}")
                assert found.rule == rule
                seen.add(key)
    assert seen >= {"covers", "blocked"}


@pytest.mark.parametrize("name", FINISHED)
def test_final_entries_dropped_doubled_or_in_another_order_are_refused(name: str) -> None:
    data = read(name)
    for wrong in ([], data["final"][1:], data["final"][::-1], [*data["final"][:-1], data["final"][0]]):
        error = broken(changed(data, ("final",), wrong))
        assert inside(error.where, "final")
        assert error.rule == "D8.1"
    for winners in ([], [*range(len(data["seats"]))], data["winners"] * 2):
        error = broken(changed(data, ("winners",), winners))
        assert inside(error.where, "winners")
        assert error.rule == "D8.1"


@pytest.mark.parametrize("name", FILES)
def test_a_move_left_out_or_doubled_is_refused(name: str) -> None:
    data = read(name)
    for index, move in list(enumerate(data["moves"]))[:: 1 if len(data["seats"]) == 2 else 2]:
        without, twice = changed(data, ("moves", index), ...), copy.deepcopy(data)
        twice["moves"].insert(index, copy.deepcopy(move))
        for false in (without, twice):
            error = broken(false)
            assert order(error.where) >= (1, index), error
            assert error.rule


def test_d3_1_a_pass_left_out_is_refused_as_one() -> None:
    data = read("drunter-3")
    passes = [index for index, move in enumerate(data["moves"]) if "pass" in move]
    assert len(passes) == 4
    for index in passes:
        error = broken(changed(data, ("moves", index), ...))
        if error.where == f"moves[{index}].seat":
            assert (error.rule, error.right.endswith("who has to pass")) == ("D3.1", True)
        else:  # the next one passes too, and it was the last of the record
            assert error.where == "end"


UNKNOWN_KEYS: list[tuple[str, Location]] = [
    ("drunter-3", ()),
    ("drunter-3", ("seats", 0)),
    ("drunter-3", ("deal",)),
    ("drunter-3", ("deal", "tiles", 1)),
    ("drunter-3", ("moves", 0)),
    ("drunter-3", ("moves", 5, "vote")),
    ("drunter-variant-3", ("moves", 48)),
    ("drunter-variant-3", ("final", 0)),
    ("drunter-pending-vote", ("pending",)),
]


@pytest.mark.parametrize(("name", "location"), UNKNOWN_KEYS)
def test_unknown_keys_are_refused_at_every_level(name: str, location: Location) -> None:
    data = read(name)
    if location[-1:] == ("vote",):
        location = ("moves", first_move(data, lambda move: "vote" in move), "vote")
    error = malformed(changed(data, (*location, "colour"), "red"))
    assert error.key == written((*location, "colour"))
    assert "not a key" in error.wrong


@pytest.mark.parametrize("name", FILES)
def test_every_key_is_needed(name: str) -> None:
    data = read(name)
    for key in data:
        if key == "pending":
            continue  # without it the game is another true one: nothing proposed yet
        with pytest.raises((MalformedRecord, BrokenRecord)) as caught:
            replay(changed(data, (key,), ...))
        assert key in str(caught.value)
    for index, move in enumerate(data["moves"]):
        for key in {"seat", "lay", "gang", "squares", "pass", "choose"} & set(move):
            assert malformed(changed(data, ("moves", index, key), ...)).key.startswith(f"moves[{index}]")
        for key in move.get("vote", ()):
            assert malformed(changed(data, ("moves", index, "vote", key), ...)).key == f"moves[{index}].vote.{key}"
    for key in data.get("pending", ()):
        assert malformed(changed(data, ("pending", key), ...)).key == "pending"


@pytest.mark.parametrize("name", ["drunter-variant-3", "drunter-pending-vote"])
def test_null_is_no_way_of_leaving_out(name: str) -> None:
    data = read(name)
    for key in ("pending", "final", "scores", "winners", "end", "match", "fair", "meta"):
        assert f"{key} is null" in malformed(changed(data, (key,), None)).wrong
    for key in ("under", "covers", "vote", "blocked", "pass", "note", "at", "by"):
        if key not in data["moves"][0]:
            assert malformed(changed(data, ("moves", 0, key), None)).key == "moves[0]"
    if name == "drunter-pending-vote":
        for key in ("under", "jeeiin", "choose", "note"):
            assert f"{key} is null" in malformed(changed(data, ("pending", key), None)).wrong


# ---- one thing false, by name


def vote_at(data: Json, wanted: Callable[[Json], bool]) -> Json:
    """The first vote like this."""
    found: Json = next(move["vote"] for move in data["moves"] if "vote" in move and wanted(move["vote"]))
    return found


def swap(items: list[Any], one: int, other_one: int) -> None:
    items[one], items[other_one] = items[other_one], items[one]


V3, SEVERAL, PENDING = "drunter-variant-3", "drunter-several-cards-4", "drunter-pending-vote"
CHOICES = 48
FIRST_VOTE_3 = first_move(read("drunter-3"), lambda move: "vote" in move)
BROKEN: dict[str, tuple[str, Callable[[Json], object], str, str]] = {
    "D4.2 squares that skip one": (
        "drunter-pending-vote",
        lambda d: d["moves"][1].update(squares=["A2", "A4"]),
        "moves[1].squares",
        "D4.2",
    ),
    "D4.2 squares backwards": (
        "drunter-pending-vote",
        lambda d: d["moves"][1]["squares"].reverse(),
        "moves[1]",
        "D4.2",
    ),
    "D4.2 squares in one name": (
        "drunter-pending-vote",
        lambda d: d["moves"][1].update(squares=["A2-A4"]),
        "moves[1].squares",
        "D4.2",
    ),
    "D4.2 a square that is not there": (
        "drunter-pending-vote",
        lambda d: d["moves"][0].update(squares=["P9"]),
        "moves[0]",
        "D4.2",
    ),
    "D4.2 a gang that is not there": (
        "drunter-pending-vote",
        lambda d: d["moves"][0].update(gang="B1"),
        "moves[0]",
        "D4.2",
    ),
    "D4.1 another kind": ("drunter-pending-vote", lambda d: d["moves"][0].update(lay="road"), "moves[0]", "D4.1"),
    "D3.1 a tile that the seat has not": (
        "drunter-pending-vote",
        lambda d: (d["moves"][2].update(seat=1), d["moves"][1].update(seat=2), d.update(first=0)),
        "moves[1].seat",
        "D2.4",
    ),
    "D2.4 another first": ("drunter-3", lambda d: d.update(first=(d["first"] + 1) % 3), "moves[0].seat", "D2.4"),
    "D3.1 a pass of one who can lay": (
        "drunter-pending-vote",
        lambda d: d["moves"].insert(0, {"seat": 0, "pass": True}),
        "moves[0]",
        "D3.1",
    ),
    "D5.2 a vote left out": (
        "drunter-3",
        lambda d: d["moves"][FIRST_VOTE_3].pop("vote"),
        f"moves[{FIRST_VOTE_3}].vote",
        "D5.2",
    ),
    "D5.2 a vote on nothing": (
        "drunter-3",
        lambda d: d["moves"][0].update(vote=copy.deepcopy(d["moves"][FIRST_VOTE_3]["vote"])),
        "moves[0].vote",
        "D5.2",
    ),
    "D6.1 a vote too few": (
        "drunter-3",
        lambda d: d["moves"][FIRST_VOTE_3]["vote"]["cards"].pop(),
        f"moves[{FIRST_VOTE_3}].vote.cards",
        "D6.1",
    ),
    "D6.1 a vote too many": (
        "drunter-3",
        lambda d: d["moves"][FIRST_VOTE_3]["vote"]["cards"].append("?"),
        f"moves[{FIRST_VOTE_3}].vote.cards",
        "D6.1",
    ),
    "D6.2 words for too few": (
        "drunter-3",
        lambda d: d["moves"][FIRST_VOTE_3]["vote"].update(jeeiin=[]),
        f"moves[{FIRST_VOTE_3}].vote.jeeiin",
        "D6.2",
    ),
    "D6.6 a list where one card is played": (
        "drunter-3",
        lambda d: d["moves"][FIRST_VOTE_3]["vote"]["cards"].__setitem__(0, ["ja"]),
        f"moves[{FIRST_VOTE_3}].vote.cards",
        "D6.6",
    ),
    "D2.2 a tile too many": (
        "drunter-3",
        lambda d: d["deal"]["tiles"][0]["wall"].__setitem__(0, 40),
        "deal.tiles",
        "D2.2",
    ),
    "D2.2 not dealt evenly": (
        "drunter-pending-vote",
        lambda d: (
            d["deal"]["tiles"][0]["wall"].__setitem__(0, 4),
            d["deal"]["tiles"][1]["wall"].__setitem__(0, 4),
        ),
        "deal.tiles",
        "D2.2",
    ),
    "D2.2 a deal for others": ("drunter-3", lambda d: d["deal"]["tiles"].pop(), "deal.tiles", "D2.2"),
    "D2.1 objectives for others": ("drunter-3", lambda d: d["deal"]["objectives"].pop(), "deal.objectives", "D2.1"),
    "D2.1 an objective twice": (
        "drunter-3",
        lambda d: d["deal"].update(objectives=[["inn"], ["inn"], ["church"]]),
        "deal.objectives",
        "D2.1",
    ),
    "D2.1 two objectives": (
        "drunter-3",
        lambda d: d["deal"]["objectives"].__setitem__(1, ["inn", "church"]),
        "deal.objectives[1]",
        "D2.1",
    ),
    "D2.1 a special card": (
        "drunter-3",
        lambda d: d["deal"]["objectives"].__setitem__(1, ["threes"]),
        "deal.objectives",
        "D2.1",
    ),
    "D9.1 one objective in the variant": (
        V3,
        lambda d: d["deal"]["objectives"][1].pop(),
        "deal.objectives[1]",
        "D9.1",
    ),
    "D9.1 an objective that is not there": (
        V3,
        lambda d: d["deal"]["objectives"].__setitem__(1, ["hut", "inn"]),
        "deal.objectives",
        "D9.1",
    ),
    "D8.1 objectives not known at the end": (
        "drunter-3",
        lambda d: d["deal"]["objectives"].__setitem__(1, None),
        "deal.objectives",
        "D8.1",
    ),
    "D9.2 a choice not known at the end": (
        V3,
        lambda d: (d["deal"]["objectives"].__setitem__(1, None), set_choice(d, 1, None)),
        "deal.objectives",
        "D8.1",
    ),
    "D9.2 a choice not known of cards that are": (V3, lambda d: set_choice(d, 1, None), "moves[{1}].choose", "D9.2"),
    "D9.1 a choice of what is not there": (V3, lambda d: set_choice(d, 1, "hut"), "moves[{1}].choose", "D9.1"),
    "D9.1 another's objective": (
        V3,
        lambda d: set_choice(d, 1, d["deal"]["objectives"][0][0]),
        "moves[{1}].choose",
        "D9.1",
    ),
    "D9.2 choices in another order": (
        V3,
        lambda d: swap(d["moves"], CHOICES, CHOICES + 1),
        f"moves[{CHOICES}].seat",
        "D9.2",
    ),
    "D9.2 a choice too few": (V3, lambda d: d["moves"].pop(CHOICES), f"moves[{CHOICES}].seat", "D9.2"),
    "D9.2 a choice too many": (
        V3,
        lambda d: d["moves"].insert(CHOICES + 3, {**d["moves"][CHOICES], "seat": d["moves"][CHOICES + 3]["seat"]}),
        f"moves[{CHOICES + 3}].choose",
        "D9.2",
    ),
    "D9.2 a choice before any path is blocked": (
        V3,
        lambda d: d["moves"].insert(0, {**d["moves"][CHOICES], "seat": d["moves"][0]["seat"]}),
        "moves[0].choose",
        "D9.2",
    ),
    "D9.2 a tile before the choices": (
        V3,
        lambda d: d["moves"].insert(CHOICES, {**d["moves"][0], "seat": d["moves"][CHOICES]["seat"]}),
        f"moves[{CHOICES}]",
        "D9.2",
    ),
    "D9.2 choices in the base game": (
        "drunter-3",
        lambda d: d["moves"].insert(0, {"seat": d["first"], "choose": "inn"}),
        "moves[0].choose",
        "D9.2",
    ),
    "D9.5 no votes without the variant": (
        "drunter-3",
        lambda d: d.update(options={"no_votes": True}),
        "options",
        "D9.5",
    ),
    "D9.5 no votes, and yet there are": (
        V3,
        lambda d: d["options"].update(no_votes=True),
        f"moves[{first_move(read(V3), lambda move: 'vote' in move)}].vote",
        "D5.2",
    ),
    "D9.1 the variant with one card each": (
        "drunter-3",
        lambda d: d.update(options={"variant": True}),
        "deal.objectives[0]",
        "D9.1",
    ),
    "D6.6 several cards, and yet one": (
        "drunter-3",
        lambda d: d.update(options={"several_cards": True}),
        f"moves[{FIRST_VOTE_3}].vote.cards",
        "D6.6",
    ),
    "D8.3 other scores to begin with": (
        "drunter-3",
        lambda d: d.update(start_scores=[0, 5, 0]),
        "start_scores",
        "D8.3",
    ),
    "D7.1 a move after the end": (
        "drunter-3",
        lambda d: d["moves"].append({"seat": 0, "pass": True}),
        "moves[48]",
        "D7.1",
    ),
    "D7.1 ends too early": ("drunter-3", lambda d: d["moves"].pop(), "end", "D7.1"),
    "D7.1 ends with no move": ("drunter-3", lambda d: d.update(moves=[]), "end", "D7.1"),
    "D7.1 no end": ("drunter-3", lambda d: [d.pop(key) for key in END], "end", "D7.1"),
    "D7.1 resigned after the end": ("drunter-3", lambda d: [d.update(end="resigned"), d.pop("final")], "end", "D7.1"),
    "D1.1 another hash": ("drunter-3", lambda d: d.update(edition_sha256="0" * 64), "edition_sha256", "D1.1"),
    "D1.1 an edition that does not ship": ("drunter-3", lambda d: d.update(edition="schilda-2"), "edition", "D1.1"),
    "D2.2 an edition for other numbers of players": (
        "drunter-3",
        lambda d: own_edition(d, lambda edition: edition["tiles"].update(wall=[14, 12, 6])),
        "seats",
        "D2.2",
    ),
    "D2.4 another seat's vote under way": (PENDING, lambda d: d["pending"].update(seat=1), "pending.seat", "D2.4"),
    "D5.2 a vote under way on nothing": (
        PENDING,
        lambda d: d["pending"].update(squares=["A7"], covers=[]),
        "pending",
        "D5.2",
    ),
    "D5.1 a vote under way that covers more": (
        PENDING,
        lambda d: d["pending"]["covers"].append("B8"),
        "pending.covers",
        "D5.1",
    ),
    "D4.4 a vote under way beyond a bridge": (
        PENDING,
        lambda d: d["pending"].update(under=["A3"]),
        "pending.under",
        "D4.4",
    ),
    "D4.4 under of nothing": (PENDING, lambda d: d["pending"].update(under=[]), "pending.under", "D4.4"),
    "D6.1 a vote under way of too few": (PENDING, lambda d: d["pending"]["cards"].pop(), "pending.cards", "D6.1"),
    "D6.5 a card spent before": (
        PENDING,
        lambda d: d["pending"].update(cards=[None, None, "neee"]),
        "pending.cards",
        "D6.5",
    ),
    "D6.2 words before all have voted": (
        PENDING,
        lambda d: d["pending"].update(jeeiin=[None, None, None]),
        "pending.jeeiin",
        "D6.2",
    ),
    "D6.2 no words though all have voted": (
        PENDING,
        lambda d: d["pending"].update(cards=["ja", "jeeiin", "ja"]),
        "pending.jeeiin",
        "D6.2",
    ),
    "D6.2 a word of one without Jeeiin": (
        PENDING,
        lambda d: d["pending"].update(cards=["ja", "jeeiin", "ja"], jeeiin=["yes", None, None]),
        "pending.jeeiin",
        "D6.2",
    ),
    "D6.2 words for too few in a vote under way": (
        PENDING,
        lambda d: d["pending"].update(cards=["ja", "jeeiin", "ja"], jeeiin=[]),
        "pending.jeeiin",
        "D6.2",
    ),
    "D6.2 words in another order": (
        PENDING,
        lambda d: d["pending"].update(cards=["jeeiin", "jeeiin", "ja"], jeeiin=[None, "yes", None]),
        "pending.jeeiin",
        "D6.2",
    ),
    "D6.4 a vote under way that is complete": (
        PENDING,
        lambda d: d["pending"].update(cards=["ja", "ja", "ja"]),
        "pending",
        "D6.4",
    ),
    "D9.2 choices under way that are not due": (
        PENDING,
        lambda d: d.update(pending={"choose": [None, None, None]}),
        "pending.choose",
        "D9.2",
    ),
}


def set_choice(data: Json, seat: int, objective: str | None) -> None:
    data["moves"][choice_of(data, seat)]["choose"] = objective


def choice_of(data: Json, seat: int) -> int:
    return first_move(data, lambda move: "choose" in move and move["seat"] == seat)


def own_edition(data: Json, change: Callable[[Json], object]) -> None:
    """The record with its edition whole, and something else in it."""
    edition = DrunterGame(2).edition.to_dict()
    change(edition)
    data.update(edition=edition, edition_sha256=type(DrunterGame(2).edition).from_dict(edition).sha256)


@pytest.mark.parametrize("what", BROKEN)
def test_a_record_against_the_rules_is_refused_with_place_and_rule(what: str) -> None:
    name, falsify, where, rule = BROKEN[what]
    data = read(name)
    where = where.replace("{1}", str(choice_of(data, 1)) if name == V3 else "")
    falsify(data)
    GameRecord.from_json(json.dumps(data))  # it can be read
    error = broken(data)
    assert inside(error.where, where), str(error)
    assert error.rule == rule
    assert rule in str(error)


def test_d6_6_several_cards_stand_in_their_order_and_once() -> None:
    data = read(SEVERAL)
    tested = 0
    for index, move in enumerate(data["moves"]):
        for seat, cards in enumerate(move.get("vote", {}).get("cards", ())):
            for wrong in ([*cards, cards[-1]], cards[::-1]):
                if wrong == cards:
                    continue
                tested += 1
                error = broken(changed(data, ("moves", index, "vote", "cards", seat), wrong))
                assert (error.where, error.rule) == (f"moves[{index}].vote.cards", "D6.6")
    assert tested > 20


def test_d6_2_a_word_too_many_or_too_few_is_refused_wherever_the_vote_leads() -> None:
    """Also where the vote ends the game, or calls for choices."""
    for name in ("drunter-3", V3):
        data = read(name)
        for index, move in enumerate(data["moves"]):
            for seat, word in enumerate(move.get("vote", {}).get("jeeiin", ())):
                error = broken(changed(data, ("moves", index, "vote", "jeeiin", seat), None if word else "yes"))
                assert (error.where, error.rule) == (f"moves[{index}].vote.jeeiin", "D6.2")


def test_a_record_never_opens_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    source = Path(__file__).parents[2] / "src/embertown/drunter/editions/schilda.toml"
    file.write_bytes(source.read_bytes())
    assert DrunterGame(2, str(file)).edition.id == "schilda"
    assert broken(changed(read("drunter-2"), ("edition",), str(file))).where == "edition"


def test_a_whole_edition_comes_out_whole() -> None:
    for rows in (False, True):
        data = read("drunter-2")
        edition = DrunterGame(2).edition.to_dict()
        if rows:
            edition["board"]["squares"] = [line.split() for line in edition["board"]["squares"].strip().splitlines()]
        data["edition"] = edition
        comes_out_equal(data)


MALFORMED: dict[str, tuple[str, Callable[[Json], object], str, str]] = {
    "pass: false": ("drunter-2", lambda d: d["moves"].append({"seat": 0, "pass": False}), "moves[54].pass", "false"),
    "pass: 1": ("drunter-2", lambda d: d["moves"].append({"seat": 0, "pass": 1}), "moves[54].pass", "is 1"),
    "two decisions": ("drunter-2", lambda d: d["moves"][0].update({"pass": True}), "moves[0]", "exactly one of"),
    "no decision": ("drunter-2", lambda d: d["moves"].append({"seat": 0}), "moves[54]", "exactly one of"),
    "lay without squares": ("drunter-2", lambda d: d["moves"][0].pop("squares"), "moves[0]", "without gang or squares"),
    "squares without lay": (
        "drunter-2",
        lambda d: d["moves"].append({"seat": 0, "pass": True, "squares": ["A2"]}),
        "moves[54]",
        "without lay",
    ),
    "a vote without lay": (
        "drunter-2",
        lambda d: d["moves"].append({"seat": 0, "choose": "inn", "vote": vote_at(d, bool)}),
        "moves[54]",
        "without lay",
    ),
    "no squares": ("drunter-2", lambda d: d["moves"][0].update(squares=[]), "moves[0].squares", "has 0 items"),
    "four squares": (
        "drunter-2",
        lambda d: d["moves"][0].update(squares=["A2", "A3", "A4", "A5"]),
        "moves[0].squares",
        "has 4 items",
    ),
    "another kind": ("drunter-2", lambda d: d["moves"][0].update(lay="rail"), "moves[0].lay", "'rail'"),
    "a blank": ("drunter-2", lambda d: d["moves"][0].update(gang="A1 "), "moves[0].gang", "'A1 '"),
    "a blank before": (
        "drunter-2",
        lambda d: d["moves"][0]["squares"].__setitem__(0, "\u2003A2"),
        "moves[0].squares[0]",
        "A2",
    ),
    "a line break": ("drunter-variant-3", lambda d: set_choice(d, 0, "inn\n"), "moves[{0}].choose", r"'inn\n'"),
    "two cards in one": (PENDING, lambda d: d["pending"]["cards"].__setitem__(0, "ja+ne"), "pending.cards[0]", "ja+ne"),
    "no cards at all": (
        SEVERAL,
        lambda d: vote_at(d, bool)["cards"].__setitem__(0, []),
        "moves[{vote}].vote.cards[0]",
        "is []",
    ),
    "a card that is not there": (
        "drunter-3",
        lambda d: vote_at(d, bool)["cards"].__setitem__(0, "jaaaa"),
        "moves[{vote}].vote.cards[0]",
        "'jaaaa'",
    ),
    "a null among the cards": (
        "drunter-3",
        lambda d: vote_at(d, bool)["cards"].__setitem__(0, None),
        "moves[{vote}].vote.cards[0]",
        "None",
    ),
    "a word that is none": (
        "drunter-3",
        lambda d: vote_at(d, bool)["jeeiin"].__setitem__(0, "maybe"),
        "moves[{vote}].vote.jeeiin[0]",
        "'maybe'",
    ),
    "yes: true": ("drunter-3", lambda d: vote_at(d, bool).update(yes=True), "moves[{vote}].vote.yes", "True"),
    "passed: 1": ("drunter-3", lambda d: vote_at(d, bool).update(passed=1), "moves[{vote}].vote.passed", "is 1"),
    "no: -1": ("drunter-3", lambda d: vote_at(d, bool).update(no=-1), "moves[{vote}].vote.no", "-1"),
    "a real number": ("drunter-2", lambda d: d["moves"][0].update(seat=0.0), "moves[0].seat", "0.0"),
    "true for 1": ("drunter-2", lambda d: d.update(first=True), "first", "True"),
    "a seat too many": ("drunter-2", lambda d: d["moves"][0].update(seat=4), "moves[0].seat", "is 4"),
    "first beyond the seats": ("drunter-2", lambda d: d.update(first=2), "", "first is 2"),
    "one score": ("drunter-2", lambda d: d["scores"].pop(), "", "scores has 1"),
    "one seat": ("drunter-2", lambda d: d["seats"].pop(), "seats", "has 1 items"),
    "five seats": ("drunter-4", lambda d: d["seats"].append(d["seats"][0]), "seats", "has 5 items"),
    "a name that acts": ("drunter-2", lambda d: d["seats"][0].update(name="\x1b[2J"), "seats[0].name", r"'\x1b[2J'"),
    "an option that is not there": ("drunter-2", lambda d: d["options"].update(fast=True), "options", "fast"),
    "an option that is false": ("drunter-2", lambda d: d["options"].update(variant=False), "", "false"),
    "no deal": ("drunter-2", lambda d: d.pop("deal"), "deal", "is missing"),
    "a deal of null": ("drunter-2", lambda d: d.update(deal=None), "deal", "None"),
    "a deal without a kind": (
        "drunter-2",
        lambda d: d["deal"]["tiles"][0].pop("road"),
        "deal.tiles[0].road",
        "missing",
    ),
    "a deal with two lengths": (
        "drunter-2",
        lambda d: d["deal"]["tiles"][0]["road"].pop(),
        "deal.tiles[0].road",
        "has 2 items",
    ),
    "tiles below none": (
        "drunter-2",
        lambda d: d["deal"]["tiles"][0]["road"].__setitem__(0, -1),
        "deal.tiles[0].road[0]",
        "-1",
    ),
    "another end": ("drunter-2", lambda d: d.update(end="won"), "end", "'won'"),
    "end without winners": ("drunter-2", lambda d: d.pop("winners"), "", "winners is missing"),
    "complete without final": ("drunter-2", lambda d: d.pop("final"), "", "final exactly where"),
    "pending though over": ("drunter-2", lambda d: d.update(pending={"choose": [None, None]}), "", "pending stands"),
    "pending of both": (PENDING, lambda d: d["pending"].update(choose=[None] * 3), "pending", "is neither"),
    "pending of nothing": (PENDING, lambda d: d.update(pending={}), "pending", "is neither"),
    "pending with a count": (PENDING, lambda d: d["pending"].update(yes=1), "pending.yes", "not a key"),
    "an edition with a fault": (
        "drunter-2",
        lambda d: d.update(edition={**DrunterGame(2).edition.to_dict(), "tiles": {}}),
        "edition",
        "has no tiles",
    ),
    "a half character": (
        "drunter-2",
        lambda d: d["moves"][0].update(gang="\ud800"),
        "moves[0].gang",
        r"'\ud800'",
    ),
    "more moves than any game": ("drunter-2", lambda d: d.update(moves=d["moves"] * 200), "moves", "items"),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_a_record_not_written_right_is_refused_with_its_key(what: str) -> None:
    name, falsify, key, wrong = MALFORMED[what]
    data = read(name)
    if "{vote}" in key:
        key = key.replace("{vote}", str(first_move(data, lambda move: "vote" in move)))
    if "{0}" in key:
        key = key.replace("{0}", str(choice_of(data, 0)))
    falsify(data)
    error = malformed(data)
    assert error.key == key
    assert wrong in error.wrong or wrong in error.right


# ---- ends that are none of the rules'


def stopped(name: str, end: str, winners: list[int], moves: int) -> Json:
    data = read(name)
    for key in ("final", "pending"):
        data.pop(key, None)
    data["moves"] = data["moves"][:moves]
    return {**data, "end": end, "scores": [0] * len(data["seats"]), "winners": winners}


@pytest.mark.parametrize(("end", "winners"), [("resigned", [0, 2]), ("resigned", [1]), ("abandoned", [])])
def test_resigned_and_abandoned_games_come_out_equal(end: str, winners: list[int]) -> None:
    for name, moves in (("drunter-3", 0), ("drunter-3", 12), (V3, CHOICES), (V3, CHOICES + 3), (PENDING, 5)):
        data = stopped(name, end, winners, moves)
        state = comes_out_equal(data)
        assert state.is_over
        assert state.outcome.winners == tuple(winners)
        assert state.final_scoring() == ()
        for seat in (None, 0):  # who gave up shows no cards
            view = json.loads(state.view(seat).record().to_json())
            assert view["deal"]["objectives"][1] is None
            comes_out_equal(view)
        state.undo()
        assert not state.is_over


@pytest.mark.parametrize(
    ("end", "winners"),
    [*(("resigned", winners) for winners in ([], [0, 1, 2], [1, 0], [1, 1], [3])), ("abandoned", [0])],
)
def test_winners_of_a_stopped_game_are_those_who_did_not_resign(end: str, winners: list[int]) -> None:
    assert broken(stopped("drunter-3", end, winners, 12)).where == "winners"


def test_d8_1_scores_of_a_stopped_game_are_0() -> None:
    assert broken({**stopped("drunter-3", "resigned", [0], 30), "scores": [1, 0, 0]}).where == "scores[0]"


def test_a_vote_under_way_when_the_game_stops_is_not_in_the_record() -> None:
    for stop in (lambda state: state.abandon(), lambda state: state.resign(1)):
        data = json.loads(stop(replay(read(PENDING))).record().to_json())
        assert "pending" not in data
        comes_out_equal(data)


# ---- views


def nulls_are_only_secrets(data: Json, full: Json, viewer: int | None) -> None:
    """D9.2, D6.1: what differs from the full record is null, and belongs to somebody else."""
    for location in leaves(full):
        if location[:2] in (("deal", "objectives"), ("pending", "cards"), ("pending", "choose")):
            found, right, owner = at(data, location[:3]), at(full, location[:3]), location[2]
        else:
            found, right = at(data, location), at(full, location)
            owner = full["moves"][location[1]]["seat"] if location[-1] == "choose" else None
        if found != right:
            assert (found, owner is not None, owner != viewer) == (None, True, True), location


@pytest.mark.kernel
@settings(max_examples=examples(20, 2))
@given(game=drunter_games(), seed=st.integers(0, 2**32))
def test_records_of_views_read_replay_and_come_out_equal_at_every_stage(game: dict[str, Any], seed: int) -> None:
    chooser = random.Random(seed)
    start = {"first": game["first"], "deal": game["deal"]}
    state = DrunterGame(game["players"], game["edition"], **game["options"]).start(seed=1, **start)
    while True:
        if chooser.random() < (0.05 if state.phase is Phase.LAYING else 0.3) or state.is_over:
            full = comes_out_equal(json.loads(state.record().to_json())).record().to_dict()
            viewer = chooser.choice((None, *range(game["players"])))
            data = json.loads(state.view(viewer).record().to_json())
            again = comes_out_equal(data)
            assert again.is_over == state.is_over
            assert again.laid == state.laid
            nulls_are_only_secrets(data, full, viewer)
        if state.is_over:
            break
        seat = chooser.choice(state.waiting)
        state.play(chooser.choice(state.legal_actions_of(seat)), seat)


def unfinished(data: Json, moves: int, **more: Any) -> DrunterState:
    """A finished game, as it stood after so many moves."""
    start = {key: value for key, value in data.items() if key not in END}
    found: DrunterState = replay({**start, "moves": data["moves"][:moves], **more})
    return found


def test_remarks_on_hidden_choices_survive_but_for_notes() -> None:
    data = read(V3)
    for seat in range(3):
        data["moves"][choice_of(data, seat)] |= {"note": f"{seat}: I take the inn", "at": "noon", "by": "a bot"}
    state = unfinished(data, CHOICES + 4)
    view = json.loads(state.view(0).record().to_json())
    for seat in range(3):
        choice = view["moves"][choice_of(view, seat)]
        assert (choice["at"], choice["by"]) == ("noon", "a bot")
        assert ("note" in choice) == (seat == 0), "a note might tell what was chosen"
    comes_out_equal(view)


def test_d8_1_a_game_of_unknown_cards_stops_before_its_reveal() -> None:
    """No score is made up: nothing has changed where the last tile, or the last choice, can't be played."""
    state = replay(json.loads(unfinished(read(V3), CHOICES + 4).view(0).record().to_json()))
    chooser = random.Random(3)
    reason = ""
    while not reason:
        before = state.position_text(), state.log, state.laid
        try:
            state.play(chooser.choice(state.legal_actions))
        except NoChance as error:
            reason = str(error)
        assert not state.is_over
    assert "not all objectives are known" in reason
    assert (state.position_text(), state.log, state.laid) == before
    assert state.undo().log == before[1][:-1]


def test_d9_2_a_hidden_choice_is_for_seats_whose_cards_are_not_known() -> None:
    full = DrunterGame(2, variant=True).start(seed=1, first=0)
    with pytest.raises(BadArgument, match="no choice to make"):
        full.choose_hidden(0)
    due = unfinished(read(V3), CHOICES, pending={"choose": [None] * 3})
    with pytest.raises(BadArgument, match="no choice to make"):
        due.choose_hidden(due.seat)
    assert due.view(None).legal_actions == ()
    seen = replay(json.loads(due.view(due.seat).record().to_json()))
    assert len(seen.legal_actions) == 2
    for seat in seen.waiting[1:]:
        assert seen.legal_actions_of(seat) == ()
        seen.choose_hidden(seat)
        with pytest.raises(BadArgument, match="no choice to make"):
            seen.choose_hidden(seat)
    seen.play(seen.legal_actions[0])
    assert seen.record().to_dict()["moves"][-1]["choose"] is None


# ---- writing


def test_remarks_that_no_record_can_hold_are_refused_at_once() -> None:
    state = DrunterGame(2).start(seed=1)
    for remark in ({"note": "\x1b"}, {"by": ""}, {"at": "x" * 41}):
        with pytest.raises(BadArgument):
            state.play(state.legal_actions[0], **remark)
    assert state.log == ()


def test_a_deal_from_a_caller_is_the_games_own() -> None:
    """Changing it afterwards changes no game."""
    game = DrunterGame(2)
    deal = game.start(seed=1).heading.deal
    assert deal is not None
    mine = copy.deepcopy(deal)
    state = game.start(seed=2, first=0, deal=mine)
    mine["tiles"][0]["wall"][0] = 99
    mine["objectives"][0][0] = "church"
    assert state.record().to_dict()["deal"] == deal
    comes_out_equal(json.loads(state.record().to_json()))


@pytest.mark.parametrize(
    "deal",
    [
        {},
        [],
        5,
        "x",
        {"tiles": []},
        {"tiles": [], "objectives": []},
        {"tiles": None, "objectives": None},
        {"tiles": [{}, {}], "objectives": [["inn"], ["school"]]},
        {"tiles": [{"wall": [2**70, 0, 0], "road": [0] * 3, "river": [0] * 3}] * 2, "objectives": [None, None]},
        {"tiles": [{"wall": [6, 6, 3], "road": [3, 3, 1], "river": [3, 3, 1]}] * 2, "objectives": [None, None]},
        {"tiles": [{"wall": [6.0, 6, 3], "road": [3, 3, 2], "river": [3, 3, 1]}] * 2, "objectives": [None, None]},
        {"tiles": [{"wall": [-6, 6, 3], "road": [3, 3, 2], "river": [3, 3, 1]}] * 2, "objectives": [None, None]},
    ],
)
def test_d2_a_deal_from_a_caller_that_is_none_is_refused(deal: Any) -> None:
    with pytest.raises(BadArgument, match="deal"):
        DrunterGame(2).start(seed=1, deal=deal)


# ---- anything at all


@pytest.mark.kernel
@given(mutated(FILES))
def test_any_mutated_record_is_true_or_refused(data: Json) -> None:
    reads_or_refuses(json.dumps(data))


@given(mutilated(FILES))
def test_any_mutilated_text_is_true_or_refused(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        with pytest.raises(MalformedRecord):
            GameRecord.from_json(text)
        return
    reads_or_refuses(text)
