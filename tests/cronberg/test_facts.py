"""Facts: a face as plain values agrees with what can be asked of it, with records, and with what actions do."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.errors import IllegalMove, MalformedText
from embertown.core.game import Face
from embertown.core.record import GameRecord
from embertown.cronberg.game import CronbergGame, CronbergState
from embertown.cronberg.rules import ACTIONS
from tests.conftest import JIT_OFF
from tests.cronberg import playthroughs
from tests.cronberg.test_view import twins
from tests.falsify import FOLDER, files_of, read
from tests.strategies import cronberg_editions

KINDS = ("token", "draw", "place", "pass")


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def check_facts(face: Face[CronbergGame]) -> dict[str, Any]:
    """The facts of a face, compared with all that it says of itself otherwise."""
    facts: dict[str, Any] = face.facts()
    state: Any = face
    assert through_json(facts) == facts
    assert (facts["seat"], facts["waiting"]) == (face.seat, list(face.waiting))
    assert facts["scores"] == list(face.scores)
    assert facts["supply"] == list(state.supply)
    assert facts["tokens"] == state.tokens
    assert facts["drawn"] == state.drawn
    assert [(laid["kind"], tuple(laid["on"]), laid["head"]) for laid in facts["rhombi"]] == list(state.rhombi)
    assert facts["rhombi_left"] == state.rhombi_left
    assert facts["activated"] == list(state.activated)
    assert all(facts["numbers"].values()), "only crossings that numbers point at"
    for crossing in state.board.crossings:
        assert tuple(facts["numbers"].get(crossing, ())) == state.numbers_at(crossing)
    assert (facts["phase"] == "over") == (facts["outcome"] is not None) == face.is_over
    assert facts["barred"] == barred(state, facts["activated"])
    return facts


def barred(state: CronbergState, activated: list[str]) -> list[str]:
    """The crossings beside activated guards (C4.3), read off the board."""
    guards = [name for name in activated if state.board.symbol_of[name] == "G"]
    return [name for name in state.board.crossings if any(name in state.board.corners_of[guard] for guard in guards)]


def check_end(facts: dict[str, Any], record: dict[str, Any]) -> None:
    assert facts["outcome"] == {key: record[key] for key in ("end", "winners", "scores")}
    assert facts["final"] == record["final"]
    assert facts["scores"] == record["scores"]
    assert facts["phase"] == "over"


# ---- whole games


@pytest.mark.parametrize("name", playthroughs.kinds())
def test_facts_of_golden_games_agree_with_their_records(name: str) -> None:
    state = playthroughs.play(name)
    check_end(check_facts(state), state.record().to_dict())


@pytest.mark.parametrize("name", files_of("cronberg"))
def test_facts_of_other_engines_games_agree_with_their_records(name: str) -> None:
    record, state = read(name), GameRecord.from_file(FOLDER / f"{name}.json").replay()
    facts = check_facts(state)
    if "end" in record:
        check_end(facts, record)
    else:
        assert facts["drawn"] == record["pending"]["drawn"]
        assert (facts["outcome"], facts["final"]) == (None, None)


@settings(max_examples=3 if JIT_OFF else 40)
@given(edition=cronberg_editions(), players=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_facts_in_random_games_on_random_editions(edition: dict[str, Any], players: int, seed: int) -> None:
    state, chooser = CronbergGame(players, edition).start(seed=seed), random.Random(seed)
    facts = check_facts(state)
    while not state.is_over:
        for action in state.legal_actions:
            check_described(state, action)
        action = chooser.choice(state.legal_actions)
        foretold, said = state.foretold(action), state.described(action)
        state.play(action)
        before, facts = facts, check_facts(state)
        assert facts == followed(before, said, foretold, facts)
    assert facts["final"] == state.record().to_dict()["final"]


def followed(before: dict[str, Any], said: dict[str, Any], foretold: dict[str, Any], now: dict[str, Any]) -> Any:
    """The facts that must follow from an action: where nothing is foretold, all is as it was before.

    What chance drew, whose turn it is and the numbers, all checked elsewhere, are taken from the facts themselves.
    """
    after = through_json(before) | {key: now[key] for key in ("phase", "seat", "waiting", "outcome", "numbers")}
    seat = before["seat"]
    after["scores"], after["final"] = foretold["scores"], foretold["final"]
    if said["kind"] == "token":
        after["tokens"][said["crossing"]] = seat
        after["supply"][seat] -= 1
    if said["kind"] == "draw":
        after["drawn"] = now["drawn"]
        after["rhombi_left"][now["drawn"]] -= 1
    if said["kind"] == "place":
        after["drawn"] = None
        after["rhombi"].append({"kind": before["drawn"], "on": said["on"], "head": said["head"]})
    for gone in foretold["scored"] + foretold["driven"]:
        assert after["tokens"].pop(gone["at"]) == gone["seat"]
        after["supply"][gone["seat"]] += 1
    if foretold["activated"]:
        new = set(foretold["activated"])
        assert new.isdisjoint(before["activated"])
        assert set(now["activated"]) == new | set(before["activated"])
        after |= {"activated": now["activated"], "barred": now["barred"]}
    return after


def test_a_token_and_its_turn_change_nothing_else() -> None:
    state = CronbergGame(3).start(seed=1, first=0)
    before = state.facts()
    after = state.play("token d4").facts()
    assert {key for key in after if after[key] != before[key]} == {"tokens", "supply", "seat", "waiting"}


# ---- secrets, and ends before the end


@settings(max_examples=3 if JIT_OFF else 20)
@given(seed=st.integers(0, 10**6), turns=st.integers(0, 70), players=st.integers(2, 4))
def test_facts_tell_nothing_of_what_is_to_be_drawn(seed: int, turns: int, players: int) -> None:
    one, other = twins(seed, turns, players)
    for seat in (None, *range(players)):
        assert one.view(seat).facts() == other.view(seat).facts() == one.facts()


def test_a_game_given_up_is_over_and_has_no_final_scoring() -> None:
    state = CronbergGame(3).start(seed=1).play("draw").resign(1)
    facts = check_facts(state)
    assert (facts["phase"], facts["seat"], facts["waiting"], facts["final"]) == ("over", None, [], None)
    assert facts["outcome"] == {"end": "resigned", "winners": [0, 2], "scores": [0, 0, 0]}
    assert state.undo().facts()["phase"] == "placement"


def test_facts_are_their_callers_own() -> None:
    state = playthroughs.play("cronberg-1726-3", 40)
    action = state.legal_actions[-1]
    facts, said = state.facts(), state.described(action)
    ruin(facts)
    ruin(said)
    assert facts != check_facts(state)
    assert said != state.described(action)
    check_described(state, action)


def ruin(value: Any) -> None:
    """Empty every dict and list within."""
    for inner in list(value.values() if isinstance(value, dict) else value):
        if isinstance(inner, dict | list):
            ruin(inner)
    value.clear()


# ---- actions


def check_described(state: CronbergState, action: int) -> None:
    said = state.described(action)
    assert through_json(said) == said
    assert said["text"] == state.text(action)
    assert said["kind"] in KINDS
    words = {
        "token": lambda: f"token {said['crossing']}",
        "place": lambda: f"place {'+'.join(said['on'])}" + (f" ^{said['head']}" if said["head"] else ""),
        "draw": lambda: "draw",
        "pass": lambda: "pass",
    }
    assert said["text"] == words[said["kind"]]()


def test_the_head_is_told_exactly_where_turning_matters() -> None:
    """The same action has two texts, by the rhomb in hand: neither is taken for the other."""
    rhombi = {"barn": {"numbers": [1, 2, 3, 4]}, "church": {"numbers": [6, 3, 6, 3]}}
    shipped = CronbergGame(2).edition.to_dict()
    game = CronbergGame(2, shipped | {"rhombi": rhombi, "edition": {"id": "two", "game": "cronberg", "version": 1}})
    heads = {}
    for seed in range(20):
        state = game.start(seed=seed).play("draw")
        for action in state.legal_actions:
            check_described(state, action)
        heads[state.drawn] = {state.described(action)["head"] for action in state.legal_actions}
    assert heads["church"] == {None}
    assert None not in heads["barn"]
    assert len(heads["barn"]) > 20


@pytest.mark.parametrize("action", [-1, 63, ACTIONS - 1, ACTIONS, 10**6])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    state = CronbergGame(2).start(seed=1)
    for _ in range(2):  # not only at first
        with pytest.raises(MalformedText, match="number"):
            state.described(action)


def test_what_is_foretold_is_what_preview_says() -> None:
    state = playthroughs.play("cronberg-1726-2", 33)
    preview, foretold = state.preview("place C10+C11"), state.foretold("place C10+C11")
    assert through_json(foretold) == foretold
    assert foretold["activated"] == list(preview.activated) == ["B9", "D11"]
    assert foretold["driven"] == [{"seat": 0, "at": "d6"}, {"seat": 1, "at": "e6"}]
    assert foretold["final"] is None
    with pytest.raises(IllegalMove):
        state.foretold("draw")


def test_what_is_foretold_of_scoring_stands_in_records() -> None:
    """Every `scored` and the `final` of other engines' games, as they were foretold."""
    seen = 0
    for name in files_of("cronberg"):
        record = read(name)
        state = GameRecord.from_file(FOLDER / f"{name}.json").replay()
        texts = [entry.text for entry in state.log if entry.seat is not None]
        while state.log:
            state.undo()
        told = []
        for text in texts:
            foretold = state.foretold(text)
            state.play(text)
            told += foretold["scored"]
            if foretold["final"] is not None:
                assert foretold["final"] == record["final"]
                assert foretold["scores"] == record["scores"]
        assert told == [entry for move in record["moves"] for entry in move.get("scored", [])]
        seen += len(told)
    assert seen > 10


@given(edition=cronberg_editions(), players=st.integers(2, 4), seed=st.integers(0, 2**31 - 1), data=st.data())
@settings(max_examples=5 if JIT_OFF else 40)
def test_facts_after_others_are_those_that_are_told_anew(
    edition: Any, players: int, seed: int, data: st.DataObject
) -> None:
    """From any view of a game to any other of it, forth and back; what has not changed is the very same."""
    state, chance = CronbergGame(players, edition).start(seed=seed), random.Random(seed)
    views = [state.view(None)]
    while not state.is_over:
        state.play(chance.choice(state.legal_actions))
        views.append(state.view(None))
    known = views[0].facts()
    for before, view in pairwise(views):
        facts = view.facts_after(before, known)
        assert facts == view.facts()
        if view.outcome is None:
            assert all(facts[key] is known[key] for key in ("rhombi", "tokens") if facts[key] == known[key])
        known = facts
    for _ in range(20):
        before, view = data.draw(st.sampled_from(views)), data.draw(st.sampled_from(views))
        assert view.facts_after(before, before.facts()) == view.facts()


def test_a_view_keeps_its_log_whatever_is_played_and_taken_back() -> None:
    state = CronbergGame(2).start(seed=7, first=0).play("token d4")
    view = state.view(0)
    state.undo().play("token c5").play("token c3")
    assert [entry.text for entry in view.log] == ["token d4"]
    assert [entry.text for entry in state.log] == ["token c5", "token c3"]
    assert ([entry.text for entry in state.log_since(1)], state.log_length) == (["token c3"], 2)
