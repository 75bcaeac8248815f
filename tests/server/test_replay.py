"""Replays: every step of tables and of records, what it brought about, and how broken records are refused."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from embertown.bots.levels import MEASURES
from embertown.core.errors import EmbertownError
from embertown.core.locale import LANGUAGES, catalogue
from embertown.games import GAMES, GameRecord, game_class, load
from embertown.server import protocol, records, replaying, wire
from embertown.server.table import Table
from tests.conftest import JIT_OFF, examples
from tests.falsify import at, changed, leaves, mutated, mutilated
from tests.server.client import Server, serving
from tests.server.tables import KINDS, Play, viewers

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.json"))
pytestmark = pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")


def shape(name: str) -> Draft202012Validator:
    """A form's shape, in which nothing may be that it does not name."""

    def closed(schema: Any) -> Any:
        if isinstance(schema, list):
            return [closed(each) for each in schema]
        if not isinstance(schema, dict):
            return schema
        found = {key: closed(value) for key, value in schema.items()}
        if "properties" in found and found.get("type") == "object":
            found["additionalProperties"] = False
        return found

    definitions = {**protocol.message_schema()["$defs"], **protocol.form_schema()["$defs"]}
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": closed(definitions)})


TABLE_REPLAY, RECORD_REPLAY = shape("TableReplay"), shape("RecordReplay")


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def stepped(told: dict[str, Any]) -> list[dict[str, Any] | None]:
    """The facts after each entry, as a page puts them together."""
    facts, found = told["facts"], []
    for entry in told["entries"]:
        facts = {**(facts or {}), **entry["changes"]} or None
        found.append(facts)
    return found


# ---- tables


def begun(kind: int, seed: int, **how: Any) -> Play:
    """A table to be played at random; what it looks like at each step is not kept."""
    play = Play.begun(kind, seed, **how)
    play.look = lambda table: {}  # noqa: ARG005
    return play


@settings(max_examples=examples(6, 2), deadline=None, suppress_health_check=list(HealthCheck))
@given(kind=st.integers(0, len(KINDS) - 1), seed=st.integers(0, 10_000), steps=st.sampled_from([0, 15, 60, 250]))
def test_changes_give_the_facts_of_the_rebuilt_table(kind: int, seed: int, steps: int) -> None:
    """With takebacks, stand-ins, resignations: what each viewer puts together is what it would have been told then."""
    play = begun(kind, seed, bots=(1,), clock={"total": 600.0, "per_move": None}).play_on(steps)
    table = play.table
    TABLE_REPLAY.validate(as_json(replaying.of_table(replaying.Told(table, 0, wire.seats(table, None, ())))))
    whole = replaying.is_revealed(table.state)
    for viewer in viewers(table):
        told = replaying.of_table(replaying.Told(table, viewer, wire.seats(table, None, ())))
        assert told["whole"] == whole
        found = stepped(as_json(told))
        for number, seats, _ in play.steps[:: max(1, len(play.steps) // 8)]:
            then = Table(table.row, seats, table.entries[:number])
            right = then.state.whole_facts() if whole and then.state else wire.facts(then, viewer)
            assert found[number - 1] == as_json(right)
        plain = [{key: entry[key] for key in table.told(None, 0)[0]} for entry in told["entries"]]  # type: ignore[literal-required]
        assert plain == table.told(viewer, 0)


@settings(max_examples=examples(6, 2), deadline=None, suppress_health_check=list(HealthCheck))
@given(kind=st.integers(0, len(KINDS) - 1), seed=st.integers(0, 10_000))
def test_results_are_those_of_the_record(kind: int, seed: int) -> None:
    """A record holds the consequences too, computed another way; previews foretold them."""
    table = begun(kind, seed).play_on(250, may_end=False).table
    results = list(replaying.of_table(replaying.Told(table, None, []))["entries"])
    told = [entry["result"] for entry in results if entry["stands"] and entry["result"] is not None]
    record = table.record(whole=True).to_dict()
    assert told == [each for move in record["moves"] for each in expected(record, move)] + pending(record)


def expected(record: dict[str, Any], move: dict[str, Any]) -> list[dict[str, Any]]:
    """What the entries of a move brought about, by what the record says of it."""
    if record["game"] == "cronberg":
        last = move is record["moves"][-1] and record.get("end") == "complete"
        told = {key: move.get(key, []) for key in ("scored", "activated", "driven")}
        return [{**told, "final": record["final"] if last else None}] if last or any(told.values()) else []
    found = []
    covers, blocked, vote = move.get("covers", []), move.get("blocked", []), move.get("vote")
    if covers or blocked:
        found.append({"covers": covers, "needs_vote": vote is not None, "blocked": [] if vote else blocked})
    if vote:
        cards = [each if isinstance(each, list) else [each] for each in vote["cards"]]
        counts = {key: vote[key] for key in ("yes", "no", "passed")}
        found.append({**counts, "cards": cards, "said": vote["jeeiin"], "blocked": blocked})
    return found


def pending(record: dict[str, Any]) -> list[dict[str, Any]]:
    covers = record.get("pending", {}).get("covers")
    return [{"covers": covers, "needs_vote": True, "blocked": []}] if covers else []


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_live_results_are_those_of_the_replay(kind: int) -> None:
    """Told entry by entry, with takebacks between, as connections are; and at once, to one who comes later."""
    play = begun(kind, 5)
    heard: dict[str, Any] = {}
    since = play.table.number
    while play.table.status == "playing" and play.table.number < 200:
        play.step(may_end=False)
        message = wire.news(play.table, None, since, None, wire.told(play.table, None), 0.0)
        heard |= message.get("results", {})
        since = play.table.number
    told = replaying.of_table(replaying.Told(play.table, None, []))
    assert heard == {str(entry["number"]): entry["result"] for entry in told["entries"] if entry["result"]}
    standing = {str(entry["number"]) for entry in told["entries"] if entry["stands"]}
    assert wire.results(play.table, 0) == {number: result for number, result in heard.items() if number in standing}
    assert heard


# ---- records


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_records_are_replayed(server: Server, file: Path) -> None:
    answer = server.stranger().request("POST", "/api/records/replay", content=file.read_bytes())
    assert answer.status_code == 200, answer.text
    told = answer.json()
    RECORD_REPLAY.validate(told)
    state = GameRecord.from_file(file).replay()
    assert [entry["text"] for entry in told["entries"]][: len(state.log)] == [entry.text for entry in state.log]
    found = stepped(told)
    while state.log:
        assert found[len(state.log) - 1] == as_json(state.whole_facts())
        state.undo()
    assert told["facts"] == as_json(state.whole_facts())
    assert [seat["name"] for seat in told["seats"]] == [seat.name for seat in state.heading.seats]
    assert told["geometry"]["edition_sha256"] == told["edition_sha256"]


@pytest.mark.parametrize("ending", ["resign", "abandon"])
def test_a_game_that_was_given_up_ends_with_it(ending: str) -> None:
    state = load("cronberg", players=3).start(seed=1, first=0).play("token d4")
    state = state.resign(0, 2) if ending == "resign" else state.abandon()
    told = replaying.of_record(*records.checked(state.record().to_json()), None)
    ends = [(entry["seat"], entry["text"]) for entry in told["entries"][len(state.log) :]]
    assert ends == ([(0, "resign"), (2, "resign")] if ending == "resign" else [(None, "abort")])
    assert stepped(as_json(told))[-1] == as_json(state.whole_facts())
    assert [entry["number"] for entry in told["entries"]] == list(range(1, len(told["entries"]) + 1))


def test_a_broken_record_is_refused_in_its_language(server: Server) -> None:
    record = json.loads((RECORDS[0].parent / "cronberg-4.json").read_text())
    at = next(index for index, move in enumerate(record["moves"]) if "token" in move and index > 2)
    record["moves"][at]["token"] = record["moves"][0].get("token") or "a1"
    guest = server.stranger()
    sentences = set()
    for language in ("en", "de", "fr"):
        answer = guest.request("POST", "/api/records/replay", json=record, headers={"accept-language": language})
        assert answer.status_code == 422
        told = answer.json()
        assert (told["where"], told["move"], told["rule"]) == (f"moves[{at}]", at + 1, "C4.1")
        assert told["code"] == "crossing_occupied"
        assert told["places"] == [record["moves"][at]["token"]]
        sentences.add(told["sentence"])
    assert len(sentences) == 3


def _more_points(moves: list[Any]) -> None:
    next(move for move in moves if "scored" in move)["scored"][0]["points"] += 1


def _other_seat(moves: list[Any]) -> None:
    moves[4]["seat"] = 1 - moves[4]["seat"]


def _no_vote(moves: list[Any]) -> None:
    del next(move for move in moves if "vote" in move)["vote"]


def _once_more(moves: list[Any]) -> None:
    moves.append({"seat": 0, "pass": True})


def _nothing_scored(moves: list[Any]) -> None:
    del next(move for move in moves if "scored" in move)["scored"]


def _far_away(moves: list[Any]) -> None:
    next(move for move in moves if "squares" in move and len(move["squares"]) > 1)["squares"][-1] = "Z26"


def _too_many_tanneries(moves: list[Any]) -> None:
    for move in moves:
        if "rhomb" in move:
            move["rhomb"] = "tannery"


FALSE: list[tuple[str, Callable[[list[Any]], None], str, tuple[str, str, str]]] = [
    ("cronberg-2", _more_points, "C6.1", ("right would be -4.", "richtig wäre -4.", "il faudrait -4.")),
    (
        "cronberg-2",
        _nothing_scored,
        "C6.1",
        ("there is nothing", "Da steht nichts", "il n’y a rien"),
    ),
    ("cronberg-2", _other_seat, "C2.3", ("It was the turn of", "Am Zug war", "C’était à")),
    ("cronberg-2", _once_more, "C8.1", ("no further move", "kein weiterer Zug", "plus aucun coup")),
    ("cronberg-2", _too_many_tanneries, "C2.1", ("All of tannery", "gezogen: Gerberei", "à tirer : Tannerie")),
    ("drunter-2", _no_vote, "D5.2", ("Right would be a vote", "Richtig wäre eine Abstimmung", "Il faudrait un vote")),
    ("drunter-2", _far_away, "D4.2", ("no such place", "Diesen Ort", "Ce lieu")),
]


@pytest.mark.parametrize(("name", "break_it", "rule", "right"), FALSE, ids=lambda each: getattr(each, "__name__", None))
def test_a_broken_rule_is_told_with_the_move_whose_it_is_and_what_would_be_right(
    name: str, break_it: Callable[[list[Any]], None], rule: str, right: tuple[str, str, str]
) -> None:
    record = json.loads((RECORDS[0].parent / f"{name}.json").read_text())
    break_it(record["moves"])
    with pytest.raises(records.RecordRefused) as found:
        records.checked(json.dumps(record))
    told = found.value
    assert (told.rule, told.move is None) == (rule, False)
    move = record["moves"][told.move - 1]
    who, what = record["seats"][move["seat"]]["name"], move.get("token") or "+".join(move.get("on", ()))
    for language, lead, words in zip(LANGUAGES, ("Move", "Zug", "Coup"), right, strict=True):
        sentence = told.sentence(language)
        assert sentence.startswith(f"{lead} {told.move}, {who} (")
        assert what in sentence.partition(")")[0]
        assert words in sentence
        assert rule in sentence
        assert "moves[" not in sentence


@settings(max_examples=examples(30, 5), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), file=st.sampled_from(RECORDS))
def test_whatever_is_false_in_a_record_is_refused_with_its_place(data: st.DataObject, file: Path) -> None:
    record = json.loads(file.read_text())
    where = data.draw(st.sampled_from([each for each in leaves(record["moves"], ("moves",)) if "note" not in each]))
    value = data.draw(
        st.sampled_from([-7, "z9", ..., [], {}, True, None]).filter(lambda each: each != at(record, where))
    )
    broken = changed(record, where, value)
    try:
        GameRecord.from_dict(broken).replay()
    except EmbertownError:
        pass
    else:
        return
    with pytest.raises(records.RecordRefused) as found:
        records.checked(json.dumps(broken))
    told = [found.value.told(language) for language in ("en", "de", "fr")]
    for each in told:
        assert each["where"], where
        assert each["sentence"]
        assert each["detail"]
        assert "moves[" not in each["sentence"], "people count moves from 1"
    assert told[0]["sentence"] != told[1]["sentence"] != told[2]["sentence"]


NAMES = [file.stem for file in RECORDS]


@settings(max_examples=examples(60, 10), deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.one_of(mutated(NAMES).map(json.dumps), mutilated(NAMES)))
def test_whatever_is_sent_is_replayed_or_refused(text: str) -> None:
    """And the answer can be written, whatever stands in what was sent."""
    found: Any
    try:
        found = replaying.of_record(*records.checked(text), None)
    except records.RecordRefused as error:
        again = pickle.loads(pickle.dumps(error))
        found = [(error.told(language), again.told(language)) for language in ("en", "de", "fr")]
    if isinstance(found, list):
        assert all(one == other for one, other in found)
    assert orjson.dumps(found)


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b"[" * 30_000, b'{"format": "embertown-record/1"}', b"{}"])
def test_what_is_no_record_is_refused(server: Server, body: bytes) -> None:
    answer = server.stranger().request("POST", "/api/records/replay", content=body)
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] == "malformed_record"


CUT = RECORDS[0].read_bytes().rstrip()[:-100]
CUT_AT = (CUT.count(b"\n") + 1, len(CUT.decode().splitlines()[-1]) + 1)
UNREADABLE = {
    "empty": (b" \n", "nothing in it"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "no text, but a picture"),
    "cut off": (CUT, f"ends in the middle, at line {CUT_AT[0]}, column {CUT_AT[1]}."),
    "words": (b"Dear Anna,", "not JSON, at line 1, column 1."),
    "a list": (b"[1, 2]", "JSON, but no record"),
    "something else": (b'{"name": "a package"}', "JSON, but of something else"),
    "of another program": (b'{"format": "png"}', "JSON, but of something else"),
    "another version": (b'{"format": "embertown-record/7"}', "another version, at format"),
    "half of it": (b'{"format": "embertown-record/1", "rules": 1, "game": "cronberg"}', "edition is missing"),
    "a key too many": (RECORDS[0].read_bytes().replace(b"{", b'{"colour": "red",', 1), "not known here: colour"),
    "a key twice": (b'{"format": 1, "format": 1}', "format stands twice"),
    "two": (b"{}\n{}", "the next begins at line 2, column 1."),
    "too deep": (b"[" * 30_000, "can't be read as a record."),
    "a wrong value": (b'{"format": "embertown-record/1", "rules": 1, "game": "chess"}', "what stands at game"),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_can_not_be_read_is_told_with_its_place_and_what_would_be_right(server: Server, what: str) -> None:
    body, said = UNREADABLE[what]
    told = {}
    for language in ("en", "de", "fr"):
        headers = {"accept-language": language}
        told[language] = server.stranger().request("POST", "/api/records/replay", content=body, headers=headers).json()
    assert {each["code"] for each in told.values()} == {"malformed_record"}
    sentences = {language: each["sentence"] for language, each in told.items()}
    assert said in sentences["en"]
    assert len(set(sentences.values())) == 3
    numbers = [re.findall(r"\d+", each) for each in sentences.values()]
    assert numbers[0] == numbers[1] == numbers[2]
    assert not any(re.search(r"\brecord\b", sentences[language]) for language in ("de", "fr"))


# ---- what there is to play


def test_games_are_told_in_every_language(server: Server) -> None:
    found = server.stranger().get("/api/games").json()
    assert [each["game"] for each in found] == list(GAMES)
    check = shape("GameFacts")
    for told in found:
        check.validate(told)
        kind = game_class(told["game"])
        assert [each["option"] for each in told["options"]] == list(kind.option_names)
        assert [each["edition"] for each in told["editions"]] == list(kind.edition_model.shipped())
        assert {each["bot"] for each in told["levels"]} <= {each["bot"] for each in told["bots"]}
        assert not {each["bot"] for each in told["bots"]} & set(MEASURES)
        assert told["has_secrets"] == kind.has_secrets
        for option in told["options"]:
            chosen = dict.fromkeys([option["option"], *option["needs"]], True)
            load(told["game"], **chosen)
            assert len({option["words"][language] for language in ("en", "de", "fr")}) == 3


@pytest.mark.parametrize("game", GAMES)
def test_drawings_have_the_shape_that_is_told(game: str) -> None:
    check = shape("EditionDrawing")
    for edition in game_class(game).edition_model.shipped():
        found = load(game, edition=edition)
        for theme in found.artwork()["themes"]:
            drawing = {"geometry": found.geometry(), "artwork": found.artwork(theme)}
            check.validate(as_json({**drawing, "edition_sha256": found.edition.sha256}))


# ---- whose turn it is, and pictures


def test_whose_turn_it_is_at_tables_that_are_not_in_memory(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        anna, ben = server.guest("Anna"), server.guest("Ben")
        made = anna.make("drunter", ["me", "open"], public=True, pace="days")
        assert ben.claim(made["links"][1]).status_code == 200
        waits = anna.make("cronberg", ["me", "open"], pace="days")["table"]
        facts = anna.get(f"/api/tables/{made['table']}").json()["facts"]
        cookies = {name: dict(guest.http.cookies.items()) for name, guest in (("Anna", anna), ("Ben", ben))}
    with serving(tmp_path) as server:
        for seat, name in enumerate(cookies):
            guest = server.stranger()
            guest.http.cookies.update(cookies[name])
            for _ in range(2):  # rebuilt, and remembered
                listed = {each["id"]: each for each in guest.get("/api/tables/mine").json()}
                assert listed[made["table"]]["waiting"] == facts["waiting"]
                assert listed[made["table"]]["your_turn"] == (seat in facts["waiting"])
                if name == "Anna":
                    assert (listed[waits]["waiting"], listed[waits]["your_turn"]) == ([], False)
        (public,) = server.stranger().get("/api/tables").json()
        assert (public["waiting"], public["your_turn"]) == (facts["waiting"], None)


def test_pictures_of_earlier_positions(server: Server) -> None:
    anna = server.guest("Anna")
    table = anna.make("cronberg", ["me", "me"])["table"]
    live = anna.live(table)
    path, before = f"/api/tables/{table}/board.svg", live.number
    empty = anna.get(path).text
    live.play("token d4", live.waiting[0])
    assert anna.get(path).text != empty
    assert anna.get(path, at=before).text == empty
    assert anna.get(path, at=before, night=True).text != empty
    assert anna.get(path, at=before, theme="beach", language="de").status_code == 200
    assert anna.get(path, at=live.number + 1).status_code == 404
    assert anna.get(path, theme="none").status_code == 422


def test_pictures_of_records(server: Server) -> None:
    record = json.loads(next(file for file in RECORDS if file.stem == "cronberg-3").read_text())
    guest, path = server.stranger(), "/api/records/board.svg"
    end = guest.post(path, {"record": record}).text
    assert end == GameRecord.from_dict(record).replay().svg()
    assert guest.post(path, {"record": record, "at": 1}).text != end
    assert guest.post(path, {"record": record, "night": True, "language": "fr", "theme": "beach"}).text != end
    assert guest.post(path, {"record": record, "at": 10_000}).status_code == 404
    assert guest.post(path, {"record": {**record, "first": 9}}).json()["where"]


@pytest.mark.parametrize("domain", ["bots", "commands", "cronberg", "drunter", "server"])
def test_catalogues_have_the_same_keys(domain: str) -> None:
    keys = [{part: set(told) for part, told in catalogue(domain, language).items()} for language in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]
