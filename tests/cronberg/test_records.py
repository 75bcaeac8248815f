"""Records of independent games come out again as they came in; a record in which anything is false is refused."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, BrokenRecord, EmbertownError, MalformedRecord, NoChance
from embertown.core.record import GameRecord
from embertown.games import load
from tests.conftest import JIT_OFF
from tests.falsify import (
    FOLDER,
    Json,
    Location,
    at,
    attempt,
    broken,
    changed,
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

FILES = files_of("cronberg")
FINISHED = [name for name in FILES if name != "cronberg-pending"]
CONSEQUENCES = {"scored": "C6.1", "activated": "C7.1", "driven": "C7.2"}
END = {"final": "C8.2", "scores": "C8.2", "winners": "C8.4"}


# ---- what is true


@pytest.mark.kernel
@pytest.mark.parametrize("name", FILES)
def test_record_reads_replays_and_comes_out_equal(name: str) -> None:
    record = GameRecord.from_file(FOLDER / f"{name}.json")
    assert json.loads(record.to_json()) == read(name)
    state = record.replay()
    assert json.loads(state.record().to_json()) == read(name)
    assert list(read(name)) == list(json.loads(state.record().to_json())), "the same order of keys, too"
    assert json.loads(state.view(0).record().to_json()) == read(name)


def test_the_records_hold_what_these_tests_need() -> None:
    moves = [move for name in FILES for move in read(name)["moves"]]
    for key in ("token", "rhomb", "pass", "head", "scored", "activated", "driven"):
        assert any(key in move for move in moves), key
    assert any(len(move.get("scored", ())) > 1 for move in moves)
    assert any(entry["coat"] for name in FINISHED for entry in read(name)["final"])


@pytest.mark.parametrize("name", FILES)
def test_remarks_survive(name: str) -> None:
    data = remarked(read(name))
    assert json.loads(GameRecord.from_json(json.dumps(data)).to_json()) == data
    assert json.loads(replay(data).record().to_json()) == data


def test_a_replayed_game_can_be_taken_back_and_played_again() -> None:
    data = read("cronberg-closing")
    state = replay(data)
    texts = [(entry.seat, entry.text) for entry in state.log if entry.seat is not None]
    for _ in texts:
        state.undo()
    assert not state.record().to_dict()["moves"]
    for seat, text in texts:
        state.play(text, seat)
    assert json.loads(state.record().to_json()) == data


def test_an_unfinished_game_goes_on_with_the_chance_it_is_given() -> None:
    record = GameRecord.from_file(FOLDER / "cronberg-pending.json")
    alone = record.replay()
    assert alone.drawn == "tannery"
    alone.play(alone.legal_actions[0])
    before = alone.position_text()
    with pytest.raises(NoChance, match="draw 8"):
        alone.play("draw")
    assert alone.position_text() == before
    twins = [record.replay(SeededChance(5)) for _ in range(2)]
    for state in twins:
        state.play(state.legal_actions[0]).play("draw")
    assert twins[0].drawn == twins[1].drawn


# ---- one thing false, everywhere


@pytest.mark.parametrize("name", FINISHED)
def test_every_false_consequence_is_refused_at_its_place(name: str) -> None:
    data = read(name)
    count = 0
    for location in leaves(data):
        consequence = location[0] == "moves" and location[2] in CONSEQUENCES
        if not consequence and location[0] not in END:
            continue
        count += 1
        found = attempt(changed(data, location, other(at(data, location))))
        if isinstance(found, MalformedRecord):  # a seat 4, say
            assert written(location).startswith(found.key), location
            continue
        assert isinstance(found, BrokenRecord), f"{written(location)} may be {other(at(data, location))!r}"
        key = location[2] if consequence else location[0]
        last_rhomb = {"C7.1", "C7.4"} if key == "activated" else set()
        assert found.where == written(location), location
        assert found.rule in {*last_rhomb, {**CONSEQUENCES, **END}[str(key)]}, location
    assert count > 4


@pytest.mark.parametrize("name", FILES)
def test_consequences_dropped_added_doubled_or_in_another_order_are_refused(name: str) -> None:
    data = read(name)
    places = [("moves", index, key) for index in range(len(data["moves"])) for key in CONSEQUENCES]
    places += [("final",)] if "final" in data else []
    for location in places:
        entries = at(data, location[:-1]).get(location[-1])
        for wrong in falsified_list(entries, str(location[-1]), add=len(location) > 1 and int(location[1]) % 2 == 0):
            error = broken(changed(data, location, wrong))
            assert inside(error.where, written(location))
            rule = {**CONSEQUENCES, **END}[str(location[-1])]
            assert error.rule in ((rule, "C7.4") if rule == "C7.1" else (rule,))


def falsified_list(entries: list[Any] | None, key: str, add: bool) -> Iterator[object]:
    more = {
        "scored": {"seat": 0, "at": "d4", "numbers": [], "points": 0},
        "driven": {"seat": 0, "at": "d4"},
        "activated": "D4",
        "final": {"seat": 0, "at": "d4", "numbers": [], "coat": False, "parks": 1, "points": 0},
    }[key]
    if entries is None:
        yield [more] if add else []
        return
    if key != "final":  # without `final` the record can't even be read
        yield ...
    yield from (entries[1:], [*entries, entries[-1]], [*entries, more])
    if len(entries) > 1:
        yield entries[::-1]


def plausible(data: Json, location: Location) -> list[object]:
    """Other values that could stand there."""
    value, key = at(data, location), location[-1]
    if key == "rhomb":
        return [*sorted({move["rhomb"] for move in data["moves"] if "rhomb" in move} - {value})[:1], "mosque"]
    if key in {"token", "head"} or location[-2:-1] == ("on",):
        letters = "bd" if str(value).islower() else "BD"
        return [f"{letter}{number}" for letter in letters for number in (2, 4) if f"{letter}{number}" != value]
    if key == "seat":
        return [(value + 1) % 4, (value + 1) % len(data["seats"])]
    return [other(value)]


FREE_ANYWAY = re.compile(r"seats\[\d\]\.(name|bot)|edition\.edition\.id|edition\.rhombi\.[a-z-]+\.(de|fr)")
"""What play does not depend on; of an unfinished game also the scores it began with, as none are written below."""


@pytest.mark.parametrize("name", FILES)
def test_every_leaf_is_refused_where_it_stands_or_where_it_tells_or_is_another_true_game(name: str) -> None:
    data = read(name)
    refusals = 0
    for location in leaves(data):
        if location[0] in END or (location[0] == "moves" and location[2] in CONSEQUENCES):
            continue  # the test above
        for value in plausible(data, location):
            false = changed(data, location, value)
            found = attempt(false)
            refusals += isinstance(found, EmbertownError)
            if isinstance(found, BrokenRecord):
                assert order(found.where) >= order(written(location)), (location, found)
            elif isinstance(found, MalformedRecord):
                assert written(location).startswith(found.key), (location, found)
            else:
                assert json.loads(found.record().to_json()) == false, location
                moved = location[0] == "moves" and location[2] in {"token", "rhomb", "on", "head"}
                begun = name == "cronberg-pending" and location[0] in {"start_scores", "pending"}
                assert moved or begun or FREE_ANYWAY.fullmatch(written(location)), location
    assert refusals > 3 * len(data["moves"])


@pytest.mark.parametrize("name", FILES)
def test_a_move_left_out_or_doubled_is_refused(name: str) -> None:
    data = read(name)
    for index, move in enumerate(data["moves"]):
        for false in (changed(data, ("moves", index), ...), copy.deepcopy(data)):
            if len(false["moves"]) == len(data["moves"]):
                false["moves"].insert(index, copy.deepcopy(move))
            if name == "cronberg-pending" and index == len(data["moves"]) - 1 and len(false["moves"]) == index:
                assert broken(false).where == "pending.seat"
            else:
                assert order(broken(false).where) >= (1, index)


def test_c3_2_a_pass_left_out_is_refused_as_one() -> None:
    data = read("cronberg-closing")
    passes = [index for index, move in enumerate(data["moves"]) if "pass" in move]
    assert len(passes) == 2
    for index in passes:
        error = broken(changed(data, ("moves", index), ...))
        assert (error.where, error.rule) == (f"moves[{index}].seat", "C3.2")
        assert "has to pass" in error.right


UNKNOWN_KEYS: list[Location] = [
    (),
    ("seats", 0),
    ("moves", 0),
    ("moves", 8, "scored", 0),
    ("final", 0),
    ("match",),
    ("fair",),
    ("meta",),
]


@pytest.mark.parametrize("location", UNKNOWN_KEYS, ids=written)
def test_unknown_keys_are_refused_at_every_level(location: Location) -> None:
    data = remarked(read("cronberg-2"))
    replay(data)
    error = malformed(changed(data, (*location, "colour"), "red"))
    assert error.key == written((*location, "colour"))
    assert "not a key" in error.wrong


def test_unknown_keys_are_refused_in_what_only_some_records_have() -> None:
    for name, location in (
        ("cronberg-pending", ("pending",)),
        ("cronberg-4", ("moves", 22, "driven", 0)),
    ):
        assert malformed(changed(read(name), (*location, "x"), 1)).key == written((*location, "x"))
    own = read("cronberg-own-edition-2")
    for inner in ((), ("edition",), ("board",), ("rhombi", "church")):
        error = malformed(changed(own, ("edition", *inner, "x"), 1))
        assert error.key == "edition"
        assert error.wrong.startswith(written((*inner, "x")))


@pytest.mark.parametrize("name", FILES)
def test_every_key_is_needed(name: str) -> None:
    data = read(name)
    for key in data:
        if key == "pending":
            continue  # without it the game is another true one: nothing drawn yet
        with pytest.raises((MalformedRecord, BrokenRecord)) as caught:
            replay(changed(data, (key,), ...))
        assert key in str(caught.value)
    for index, move in enumerate(data["moves"]):
        for key in {"seat", "token", "rhomb", "on", "pass"} & set(move):
            assert malformed(changed(data, ("moves", index, key), ...)).key.startswith(f"moves[{index}]")


@pytest.mark.parametrize("name", ["cronberg-2", "cronberg-pending"])
def test_null_is_no_way_of_leaving_out(name: str) -> None:
    data = read(name)
    for key in ("deal", "pending", "final", "scores", "winners", "end", "match", "fair", "meta"):
        error = malformed(changed(data, (key,), None))
        assert f"{key} is null" in error.wrong
    for key in ("token", "rhomb", "on", "head", "pass", "scored", "activated", "driven", "note", "at", "by"):
        if key not in data["moves"][0]:
            error = malformed(changed(data, ("moves", 0, key), None))
            assert (error.key, error.wrong) == ("moves[0]", f"{key} is null")


# ---- one thing false, by name


BROKEN: dict[str, tuple[str, Callable[[Json], object], str, str]] = {
    "C5.1 triangles not in reading order": (
        "cronberg-2",
        lambda d: d["moves"][0].update(on=["F3", "F2"]),
        "moves[0].on",
        "C5.1",
    ),
    "C5.1 triangles that do not meet": (
        "cronberg-2",
        lambda d: d["moves"][0].update(on=["F2", "F4"]),
        "moves[0]",
        "C5.1",
    ),
    "C5.1 a triangle that is not there": (
        "cronberg-2",
        lambda d: d["moves"][0].update(on=["F2", "F9"]),
        "moves[0]",
        "C5.1",
    ),
    "C4.1 a crossing that is not there": (
        "cronberg-2",
        lambda d: d["moves"][1].update(token="a9"),
        "moves[1]",
        "C4.1",
    ),
    "C4.1 a crossing taken already": (
        "cronberg-2",
        lambda d: d["moves"][5].update(token="a1"),
        "moves[5]",
        "C4.1",
    ),
    "C5.2 a rhomb on another": (
        "cronberg-2",
        lambda d: d["moves"][2].update(on=["F3", "F4"]),
        "moves[2]",
        "C5.2",
    ),
    "C1.4 a head where turning changes nothing": (
        "cronberg-2",
        lambda d: d["moves"][0].update(head="f1"),
        "moves[0].head",
        "C1.4",
    ),
    "C1.4 no head where turning matters": (
        "cronberg-quarters-3",
        lambda d: d["moves"][1].pop("head"),
        "moves[1].head",
        "C1.4",
    ),
    "C1.4 a head that is no sharp corner": (
        "cronberg-quarters-3",
        lambda d: d["moves"][1].update(head="d4"),
        "moves[1]",
        "C1.4",
    ),
    "C1.4 a kind that is not there": (
        "cronberg-2",
        lambda d: d["moves"][0].update(rhomb="mosque"),
        "moves[0].rhomb",
        "C1.4",
    ),
    "C2.1 a kind of which none is left": (
        "cronberg-quarters-3",
        lambda d: d["moves"][2].update(rhomb="cemetery"),
        "moves[2].rhomb",
        "C2.1",
    ),
    "C2.1 a kind in hand of which none is left": (
        "cronberg-pending",
        lambda d: [d["moves"][i].update(rhomb="tannery") for i in (0, 2, 4)],
        "pending.drawn",
        "C2.1",
    ),
    "C1.4 a kind in hand that is not there": (
        "cronberg-pending",
        lambda d: d["pending"].update(drawn="mosque"),
        "pending.drawn",
        "C1.4",
    ),
    "C2.3 another seat's pending": (
        "cronberg-pending",
        lambda d: d["pending"].update(seat=0),
        "pending.seat",
        "C2.3",
    ),
    "C2.3 another seat's move": ("cronberg-3", lambda d: d["moves"][4].update(seat=0), "moves[4].seat", "C2.3"),
    "C2.3 another first": ("cronberg-3", lambda d: d.update(first=0), "moves[0].seat", "C2.3"),
    "C3.2 a pass of one who can act": (
        "cronberg-2",
        lambda d: d["moves"].insert(0, {"seat": 0, "pass": True}),
        "moves[0]",
        "C3.2",
    ),
    "C2.2 other scores to begin with": (
        "cronberg-2",
        lambda d: d.update(start_scores=[0, 5]),
        "scores",
        "C8.2",
    ),
    "C8.4 another winner": ("cronberg-2", lambda d: d.update(winners=[0, 1]), "winners", "C8.4"),
    "C8.4 no winner": ("cronberg-2", lambda d: d.update(winners=[]), "winners", "C8.4"),
    "C8.1 a move after the end": (
        "cronberg-2",
        lambda d: d["moves"].append({"seat": 0, "pass": True}),
        "moves[32]",
        "C8.1",
    ),
    "C8.1 ends too early": ("cronberg-2", lambda d: d.update(moves=d["moves"][:-1]), "end", "C8.1"),
    "C8.1 ends with no move": ("cronberg-2", lambda d: d.update(moves=[]), "end", "C8.1"),
    "C8.1 no end": (
        "cronberg-2",
        lambda d: [d.pop(key) for key in ("end", "final", "scores", "winners")],
        "end",
        "C8.1",
    ),
    "C8.1 resigned after the end": (
        "cronberg-2",
        lambda d: [d.update(end="resigned"), d.pop("final")],
        "end",
        "C8.1",
    ),
    "C1.3 another hash": ("cronberg-2", lambda d: d.update(edition_sha256="0" * 64), "edition_sha256", "C1.3"),
    "C1.3 another edition": (
        "cronberg-2",
        lambda d: d.update(edition="cronberg-quarters"),
        "edition_sha256",
        "C1.3",
    ),
    "C1.3 an edition that does not ship": (
        "cronberg-2",
        lambda d: d.update(edition="cronberg-1999"),
        "edition",
        "C1.3",
    ),
    "C1.3 another board": (
        "cronberg-own-edition-2",
        lambda d: d["edition"]["board"].update(tokens=3),
        "edition_sha256",
        "C1.3",
    ),
    "C1.4 other numbers": (
        "cronberg-own-edition-2",
        lambda d: d["edition"]["rhombi"]["church"].update(numbers=[6, 3, 6, 2]),
        "edition_sha256",
        "C1.3",
    ),
    "C1.4 another kind": (
        "cronberg-own-edition-2",
        lambda d: d["edition"]["rhombi"].update(mosque={"numbers": [1, 1, 1, 1]}),
        "edition_sha256",
        "C1.3",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_record_against_the_rules_is_refused_with_place_and_rule(what: str) -> None:
    name, falsify, where, rule = BROKEN[what]
    data = read(name)
    falsify(data)
    GameRecord.from_json(json.dumps(data))  # it can be read
    error = broken(data)
    assert inside(error.where, where)
    assert error.rule == rule
    assert rule in str(error)


def test_c6_1_another_rhomb_under_a_token_that_scores_is_refused() -> None:
    data = read("cronberg-2")
    index = first_move(data, lambda move: "scored" in move)
    assert data["moves"][index]["rhomb"] == "cemetery"
    error = broken(changed(data, ("moves", index, "rhomb"), "city-hall"))
    assert (error.where, error.rule) == (f"moves[{index}].scored[0].numbers[0]", "C6.1")


def test_c7_4_the_last_rhomb_is_refused_by_its_own_rule() -> None:
    data = read("cronberg-own-edition-2")
    index = max(i for i, move in enumerate(data["moves"]) if "activated" in move)
    error = broken(changed(data, ("moves", index, "activated"), data["moves"][index]["activated"][1:]))
    assert (error.where, error.rule) == (f"moves[{index}].activated", "C7.4")


def test_a_record_never_opens_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    source = Path(__file__).parents[2] / "src/embertown/cronberg/editions/cronberg-1726.toml"
    file.write_bytes(source.read_bytes())
    assert load("cronberg", 2, str(file)).edition.id == "cronberg-1726"
    assert broken(changed(read("cronberg-2"), ("edition",), str(file))).where == "edition"


MALFORMED: dict[str, tuple[str, Callable[[Json], object], str, str]] = {
    "pass: false": ("cronberg-closing", lambda d: d["moves"][-3].update({"pass": False}), "moves[{n}].pass", "false"),
    "pass: 1": ("cronberg-closing", lambda d: d["moves"][-3].update({"pass": 1}), "moves[{n}].pass", "is 1"),
    "two decisions": ("cronberg-2", lambda d: d["moves"][0].update(token="a1"), "moves[0]", "has 2 of"),
    "no decision": ("cronberg-2", lambda d: d["moves"].insert(0, {"seat": 0}), "moves[0]", "has 0 of"),
    "on without rhomb": (
        "cronberg-2",
        lambda d: d["moves"][1].update(on=["A1", "A2"]),
        "moves[1]",
        "without the other",
    ),
    "head without rhomb": ("cronberg-2", lambda d: d["moves"][1].update(head="a1"), "moves[1]", "head without rhomb"),
    "three triangles": ("cronberg-2", lambda d: d["moves"][0]["on"].append("F4"), "moves[0].on", "has 3 items"),
    "one triangle": ("cronberg-2", lambda d: d["moves"][0]["on"].pop(), "moves[0].on", "has 1 items"),
    "a blank": ("cronberg-2", lambda d: d["moves"][1].update(token="a1 "), "moves[1].token", "'a1 '"),
    "a blank before": ("cronberg-2", lambda d: d["moves"][1].update(token="\u2003a1"), "moves[1].token", "a1"),
    "a blank at a head": ("cronberg-quarters-3", lambda d: d["moves"][1].update(head="a2 "), "moves[1].head", "'a2 '"),
    "a real number": ("cronberg-2", lambda d: d["moves"][0].update(seat=0.0), "moves[0].seat", "0.0"),
    "true for 1": ("cronberg-2", lambda d: d.update(first=True), "first", "True"),
    "a text for a number": ("cronberg-2", lambda d: d.update(first="0"), "first", "'0'"),
    "a seat too many": ("cronberg-2", lambda d: d["moves"][0].update(seat=4), "moves[0].seat", "is 4"),
    "a seat before the first": ("cronberg-2", lambda d: d["moves"][0].update(seat=-1), "moves[0].seat", "is -1"),
    "first beyond the seats": ("cronberg-2", lambda d: d.update(first=2), "", "first is 2"),
    "three start scores": ("cronberg-2", lambda d: d.update(start_scores=[0, 0, 0]), "", "start_scores has 3"),
    "start scores out of all bounds": (
        "cronberg-2",
        lambda d: d.update(start_scores=[0, 2_000_000]),
        "start_scores[1]",
        "2000000",
    ),
    "one score": ("cronberg-2", lambda d: d["scores"].pop(), "", "scores has 1"),
    "29 seats": ("cronberg-2", lambda d: d.update(seats=d["seats"] * 14 + d["seats"][:1]), "seats", "has 29 items"),
    "one seat": ("cronberg-2", lambda d: d["seats"].pop(), "seats", "has 1 items"),
    "a name of nothing": ("cronberg-2", lambda d: d["seats"][0].update(name=""), "seats[0].name", "''"),
    "a name that acts": ("cronberg-2", lambda d: d["seats"][0].update(name="\x1b[2J"), "seats[0].name", r"'\x1b[2J'"),
    "a bot that acts": ("cronberg-2", lambda d: d["moves"][0].update(by="a\nb"), "moves[0].by", r"'a\nb'"),
    "a note that acts": ("cronberg-2", lambda d: d["moves"][0].update(note="\x07"), "moves[0].note", r"'\x07'"),
    "a note too long": ("cronberg-2", lambda d: d["moves"][0].update(note="x" * 10_001), "moves[0].note", "xxx"),
    "options": ("cronberg-2", lambda d: d["options"].update(variant=True), "options", "variant"),
    "a deal": ("cronberg-2", lambda d: d.update(deal={}), "deal", "{}"),
    "another format": ("cronberg-2", lambda d: d.update(format="embertown-record/2"), "format", "embertown-record/2"),
    "another reading of the rules": ("cronberg-2", lambda d: d.update(rules=2), "rules", "is 2"),
    "rules: true": ("cronberg-2", lambda d: d.update(rules=True), "rules", "is True"),
    "another game": ("cronberg-2", lambda d: d.update(game="chess"), "game", "'chess'"),
    "a game that is no name": ("cronberg-2", lambda d: d.update(game=["cronberg"]), "game", "['cronberg']"),
    "another end": ("cronberg-2", lambda d: d.update(end="won"), "end", "'won'"),
    "end without winners": ("cronberg-2", lambda d: d.pop("winners"), "", "winners is missing"),
    "complete without final": ("cronberg-2", lambda d: d.pop("final"), "", "final exactly where"),
    "final though abandoned": ("cronberg-2", lambda d: d.update(end="abandoned", winners=[]), "", "end is 'abandoned'"),
    "pending though over": (
        "cronberg-2",
        lambda d: d.update(pending={"seat": 0, "drawn": "church"}),
        "",
        "pending stands",
    ),
    "a hash that is none": ("cronberg-2", lambda d: d.update(edition_sha256="FD"), "edition_sha256", "'FD'"),
    "an edition that is none": ("cronberg-2", lambda d: d.update(edition=7), "edition", "is 7"),
    "an edition with a fault": (
        "cronberg-own-edition-2",
        lambda d: d["edition"]["board"].update(side=5),
        "edition",
        "board.side: is 5",
    ),
    "an edition with version true": (
        "cronberg-own-edition-2",
        lambda d: d["edition"]["edition"].update(version=True),
        "edition",
        "edition.version: is True",
    ),
    "a half character": ("cronberg-2", lambda d: d["seats"][0].update(name="\ud800"), "seats[0].name", r"'\ud800'"),
    "a key of half a character": ("cronberg-2", lambda d: d.update({"\ud800": 1}), "", r"'\ud800'"),
    "an edition of half a character": ("cronberg-2", lambda d: d.update(edition="\ud800"), "edition", r"'\ud800'"),
    "more moves than any game": ("cronberg-2", lambda d: d.update(moves=d["moves"] * 400), "moves", "items"),
    "a long list": ("cronberg-2", lambda d: d["moves"][0].update(activated=["A1"] * 65), "moves[0].activated", "65"),
    "a long list of scores": ("cronberg-2", lambda d: d.update(start_scores=[0] * 9), "start_scores", "has 9 items"),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_a_record_not_written_right_is_refused_with_its_key(what: str) -> None:
    name, falsify, key, wrong = MALFORMED[what]
    data = read(name)
    if "{n}" in key:
        index = first_move(data, lambda move: "pass" in move)
        data["moves"][-3], data["moves"][index] = data["moves"][index], data["moves"][-3]
        key = key.format(n=len(data["moves"]) - 3)
    falsify(data)
    error = malformed(data)
    assert error.key == key
    assert wrong in error.wrong or wrong in error.right


# ---- ends that are none of the rules'


def stopped(end: str, winners: list[int], moves: int = 12) -> Json:
    data = read("cronberg-3")
    del data["final"]
    data["moves"] = data["moves"][:moves]
    scores = list(replay({key: data[key] for key in data if key not in {"scores", "winners", "end"}}).scores)
    return {**data, "end": end, "scores": scores, "winners": winners}


@pytest.mark.parametrize(("end", "winners"), [("resigned", [0, 2]), ("resigned", [1]), ("abandoned", [])])
def test_resigned_and_abandoned_games_come_out_equal(end: str, winners: list[int]) -> None:
    for moves in (0, 12, 30):
        data = stopped(end, winners, moves)
        state = replay(data)
        assert state.is_over
        assert state.outcome.winners == tuple(winners)
        assert json.loads(state.record().to_json()) == data
        state.undo()
        assert not state.is_over


@pytest.mark.parametrize(
    ("end", "winners"),
    [
        *(("resigned", winners) for winners in ([], [0, 1, 2], [1, 0], [1, 1], [3])),
        ("abandoned", [0]),
    ],
)
def test_winners_of_a_stopped_game_are_those_who_did_not_resign(end: str, winners: list[int]) -> None:
    assert broken(stopped(end, winners)).where == "winners"


def test_scores_of_a_stopped_game_are_as_they_stand() -> None:
    data = stopped("resigned", [0], 30)
    assert any(data["scores"])
    assert inside(broken({**data, "scores": [0, 0, 0]}).where, "scores")


def test_a_rhomb_in_hand_when_the_game_stops_is_not_in_the_record() -> None:
    state = load("cronberg", 2).start(seed=1).play("draw").abandon()
    data = json.loads(state.record().to_json())
    assert "pending" not in data
    assert json.loads(replay(data).record().to_json()) == data


# ---- writing


def test_remarks_that_no_record_can_hold_are_refused_at_once() -> None:
    game = load("cronberg", 2)
    state = game.start(seed=1)
    for remark, key in (({"note": "\x1b"}, "note"), ({"by": ""}, "by"), ({"at": "x" * 41}, "at")):
        with pytest.raises(BadArgument, match=f"^{key}: "):
            state.play("token a1", **remark)
        assert state.log == ()
    for extra, key in (({"colour": "red"}, "colour"), ({"match": {"id": "x", "game": 0}}, "match.game")):
        with pytest.raises(BadArgument, match=f"^extra: {key}: "):
            game.start(seed=1, extra=extra)


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


@pytest.mark.skipif(JIT_OFF, reason="takes a while")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", ["cronberg-1726", "cronberg-quarters"])
def test_random_games_come_out_equal_at_every_move(players: int, edition: str) -> None:
    state = load("cronberg", players, edition).start(seed=f"{players} {edition}", start_scores=range(-1, players - 1))
    chance = SeededChance("moves")
    while not state.is_over:
        actions = state.legal_actions
        state.play(actions[chance.pick(f"{len(state.log)}", [1] * len(actions))])
        if len(state.log) % 5 == 0 or state.is_over:
            record = state.record()
            assert json.loads(GameRecord.from_json(record.to_json()).replay().record().to_json()) == record.to_dict()
