"""Trying moves: the same rules as in earnest, nothing stored, nothing told that the asker may not know."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from embertown.core.errors import IllegalMove
from embertown.drunter.game import DrunterGame, DrunterState
from embertown.games import GameRecord, load
from embertown.server import records, replaying, trying
from tests.conftest import JIT_OFF, examples
from tests.drunter.test_view import other_world
from tests.server.client import Guest, Server
from tests.server.test_replay import shape

RECORDS = Path(__file__).parents[1] / "records"
TRIED = shape("Tried")
pytestmark = pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")


def tried(state: Any, viewer: int | None, actions: list[str]) -> Any:
    found = trying.tried(trying.from_view(state.view(viewer)), viewer, actions, at=0, whole=False)
    return json.loads(json.dumps(found))


def random_state(name: str, seed: int, decisions: int, **options: bool) -> Any:
    chooser = random.Random(seed)
    state = load(name, 3, **options).start(seed=seed)
    for _ in range(decisions):
        if state.is_over:
            return state.undo()
        seat = chooser.choice(state.waiting)
        state.play(chooser.choice(state.legal_actions_of(seat)), seat)
    return state


# ---- Cronberg


@settings(max_examples=examples(15, 3), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10_000), start=st.integers(0, 40))
def test_what_is_tried_is_what_would_happen(seed: int, start: int) -> None:
    """A game goes on, and the same actions, with what was drawn, are tried from where it was."""
    state = random_state("cronberg", seed, start)
    ahead = state.copy()
    chooser = random.Random(seed)
    for _ in range(12):
        if not ahead.is_over:
            ahead.play(chooser.choice(ahead.legal_actions))
    new = ahead.log[len(state.log) :]
    found = tried(state, None, [entry.text for entry in new])
    assert found["facts"] == json.loads(json.dumps(ahead.facts()))
    assert [(entry["seat"], entry["text"]) for entry in found["entries"]] == [(entry.seat, entry.text) for entry in new]
    results = ahead.results(len(state.log))
    assert [entry["result"] for entry in found["entries"]] == [
        json.loads(json.dumps(results.get(len(state.log) + index))) for index in range(len(new))
    ]
    if not ahead.is_over:
        (turn,) = found["turns"]
        assert [action["text"] for action in turn["legal"]] == [ahead.text(action) for action in ahead.legal_actions]


def test_a_draw_that_nobody_states_has_nothing_to_do_with_the_shuffle() -> None:
    drawn = set()
    for seed in range(8):
        state = load("cronberg").start(seed=seed, first=0).play("token d4")
        drawn.add(tried(state, None, ["draw"])["entries"][-1]["text"])
    assert len(drawn) == 1


def test_only_what_is_left_can_be_drawn() -> None:
    state = GameRecord.from_file(RECORDS / "cronberg-2.json").replay()
    used_up = [kind for kind, count in state.rhombi_left.items() if not count]
    while used_up and state.log and "draw" not in [state.text(action) for action in state.legal_actions]:
        state.undo()
    left = state.rhombi_left
    found = tried(state, None, ["draw"])
    assert found["suppositions"] == [f"drawn {kind}" for kind, count in left.items() if count]
    for kind, count in left.items():
        if count:
            assert tried(state, None, ["draw", f"drawn {kind}"])["facts"]["drawn"] == kind
        else:
            with pytest.raises(IllegalMove) as refused:
                tried(state, None, ["draw", f"drawn {kind}"])
            assert (refused.value.code, refused.value.rule) == ("kind_used_up", "C2.1")
            assert len({refused.value.sentence(language) for language in ("en", "de", "fr")}) == 3
    with pytest.raises(IllegalMove, match="No rhomb is drawn"):
        tried(state, None, ["drawn church"])


# ---- Drunter & Drüber

OPTIONS: tuple[dict[str, bool], ...] = ({}, {"variant": True}, {"several_cards": True})


@settings(max_examples=examples(12, 3), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    options=st.sampled_from(OPTIONS),
    seed=st.integers(0, 10_000),
    start=st.integers(0, 60),
    viewer=st.sampled_from([None, 0, 1, 2]),
)
def test_secrets_have_no_part_in_it(options: dict[str, bool], seed: int, start: int, viewer: int | None) -> None:
    """The same answers, to the end, in another world that looks the same to the viewer; nothing made up is told."""
    state = random_state("drunter", seed, start, **options)
    world = other_world(state, viewer, seed + 1)
    chooser, actions = random.Random(seed), []
    known = state.view(viewer).facts()["objectives"]
    while True:
        found = tried(state, viewer, actions)
        assert found == tried(world, viewer, actions)
        assert found["facts"]["objectives"] == known
        turns = [turn for turn in found["turns"] if turn["legal"]]
        mine = [turn for turn in turns if turn["seat"] == viewer] or turns
        if found["suppositions"] and (not mine or chooser.random() < 0.5):
            actions.append(chooser.choice(found["suppositions"]))
        elif mine:
            actions.append(chooser.choice(mine[0]["legal"])["text"])
        else:
            break
        if len(actions) % 10 == 0:
            TRIED.validate(found)
    assert found["facts"]["phase"] == "over"
    assert found["facts"]["outcome"] is None
    assert [score for seat, score in enumerate(found["facts"]["scores"]) if seat != viewer and score] == []
    others = [each["text"] for each in found["entries"] if each["text"].startswith("choose") and each["seat"] != viewer]
    assert set(others) <= {"choose (hidden)"}


def voting(seed: int = 1) -> DrunterState:
    """A game in which a vote is under way."""
    chooser = random.Random(seed)
    state = DrunterGame(3).start(seed=seed)
    while not state.suppositions:
        state.play(chooser.choice(state.legal_actions))
    return state


def test_a_vote_can_be_settled() -> None:
    state = voting()
    proposal = state.facts()["proposal"]
    accepted, refused = (tried(state, None, [how]) for how in ("accepted", "refused"))
    for found in (accepted, refused):
        assert found["facts"]["votes"] is None
        assert found["facts"]["cards"] == state.facts()["cards"]
    assert accepted["facts"]["laid"][-1]["squares"] == proposal["squares"]
    assert accepted["entries"][-1]["result"]["covers"] == proposal["covers"]
    assert refused["facts"]["laid"] == state.facts()["laid"]
    assert refused["facts"]["seat"] == (proposal["seat"] + 1) % 3
    with pytest.raises(IllegalMove) as none:
        tried(state, None, ["accepted", "accepted"])
    assert none.value.code == "no_vote"
    with pytest.raises(IllegalMove) as none:
        tried(state, None, ["chosen"])
    assert none.value.code == "no_choice"


def test_settling_a_vote_is_what_a_vote_would_do() -> None:
    """But for the cards that a vote spends."""
    for seed in range(6):
        state = voting(seed)
        voted = state.copy()
        while voted.suppositions:
            voted.play(random.Random(seed).choice(voted.legal_actions))
        how = "accepted" if len(voted.laid) > len(state.laid) else "refused"
        supposed, right = state.copy().suppose(how).whole_facts(), voted.whole_facts()
        assert {**supposed, "cards": None} == {**right, "cards": None}


# ---- at a server


def ask(guest: Guest, table: str, status: int = 200, **wish: Any) -> Any:
    answer = guest.post(f"/api/tables/{table}/try", wish)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_at_a_table(server: Server) -> None:
    anna = server.guest("Anna")
    table = anna.make("cronberg", ["me", "me"])["table"]
    live = anna.live(table)
    live.play("token d4", live.waiting[0])
    live.play("draw", live.waiting[0])
    before = anna.get(f"/api/tables/{table}").json()
    (turn,) = ask(anna, table)["turns"]
    place = turn["legal"][0]["text"]
    told = ask(anna, table, actions=[place, "token e3"])
    TRIED.validate(told)
    assert set(told["facts"]["tokens"]) == {"d4", "e3"}
    assert told["at"] == live.number
    earlier = ask(anna, table, at=live.number - 2, actions=["token d4"], status=422)
    assert earlier["code"] == "crossing_occupied"
    began = next(number for number, entry in enumerate(before["entries"], 1) if entry["text"] == "token d4") - 1
    assert ask(anna, table, at=began, actions=["token e3"])["facts"]["tokens"].keys() == {"e3"}
    assert ask(anna, table, at=live.number - 1)["facts"] == ask(anna, table)["facts"]  # a draw and its outcome
    assert ask(anna, table, at=1, status=409)["code"] == "not_started"
    assert ask(anna, table, at=1000, status=404)["code"] == "no_such_entry"
    assert ask(anna, table, actions=["fly"], status=422)["code"] == "malformed"
    assert anna.get(f"/api/tables/{table}").json() == before
    assert ask(server.guest("Ben"), table, status=404)["code"] == "no_such_table"


def test_before_the_start_nothing_is_tried(server: Server) -> None:
    anna = server.guest("Anna")
    assert ask(anna, anna.make("cronberg", ["me", "open"])["table"], status=409)["code"] == "not_started"


@pytest.mark.parametrize("name", ["cronberg-4", "drunter-variant-3"])
def test_a_record_can_be_explored(server: Server, name: str) -> None:
    record = json.loads((RECORDS / f"{name}.json").read_text())
    replay = replaying.of_record(*records.checked(json.dumps(record)), None)
    facts, guest = replay["facts"], server.stranger()
    for entry in replay["entries"]:
        facts = {**(facts or {}), **entry["changes"]}
        if entry["number"] % 17 == 0 and entry["text"] != "draw":
            wish = {"record": record, "at": entry["number"], "actions": []}
            told = guest.post("/api/records/try", wish).json()
            TRIED.validate(told)
            assert told["facts"] == json.loads(json.dumps(facts))
            assert told["whole"]
            again = {**wish, "actions": [told["turns"][0]["legal"][-1]["text"]]}
            assert guest.post("/api/records/try", again).status_code == 200
    assert guest.post("/api/records/try", {"record": record, "at": 10_000}).status_code == 404
    record["moves"][0]["seat"] = 3 - record["moves"][0]["seat"]
    refused = guest.post("/api/records/try", {"record": record})
    assert (refused.status_code, refused.json()["where"]) == (422, "moves[0].seat")
