"""Records as tables and tables as records: the same record comes out again, and an unfinished game goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown import GameRecord, load
from embertown.core.errors import BrokenRecord, EmbertownError, MalformedRecord
from embertown.server import fair
from embertown.server.importing import Brought, brought_in, whole_record
from embertown.server.store.rows import LoadedTable
from embertown.server.table import Sitting, Table, rebuilt
from tests.conftest import examples
from tests.server.fair_games import fair_game, played

RECORDS = Path(__file__).parents[1] / "records"
NOW = "2026-11-16T01:02:03.004Z"


def text_of(name: str) -> str:
    return (RECORDS / f"{name}.json").read_text(encoding="utf-8")


def data_of(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text)
    return data


def stored_again(made: Brought) -> dict[str, Any]:
    """The record of the table, by way of the rows that the store would hold."""
    rows = tuple(made.write().rows)
    by_table: dict[str, list[dict[str, Any]]] = {}
    for table, values in rows:
        by_table.setdefault(table.name, []).append(values)
    from embertown.server.store.rows import EntryRow, SeatRow, TableRow

    loaded = LoadedTable(
        TableRow(**by_table["tables"][0]),
        tuple(SeatRow(**each) for each in by_table["seats"]),
        tuple(EntryRow(**each) for each in by_table["entries"]),
    )
    return whole_record(rebuilt(loaded)).to_dict()


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*.json")))
def test_every_record_comes_out_again_as_it_came(name: str) -> None:
    text = text_of(name)
    made = brought_in(text, name, NOW)
    assert json.loads(json.dumps(stored_again(made))) == data_of(text)
    assert [each.number for each in made.entries] == list(range(1, len(made.entries) + 1))
    assert made.row.status == ("over" if data_of(text).get("end") else "playing")
    assert set(made.links) == (set() if data_of(text).get("end") else set(range(made.row.players)))


def test_what_stands_besides_the_game_is_kept() -> None:
    """Names of bots, matches, places, notes, times that are no times, stand-ins."""
    data = data_of(text_of("cronberg-pending"))
    data["seats"] = [{"name": "Karl", "bot": "greedy"}, {"name": "seat 0: open", "bot": None}]
    data["match"] = {"id": "the great match", "game": 3}
    data["meta"] = {"place": "Schilda", "date": None}
    data["moves"][0] |= {"note": "well\nplayed", "at": "after supper", "by": "master"}
    data["moves"][2] |= {"at": "2020-01-01"}
    made = brought_in(json.dumps(data), "x", NOW)
    assert stored_again(made) == GameRecord.from_dict(data).to_dict()
    assert set(made.links) == {1}, "the bot plays on, the person is waited for"
    assert made.row.bots


def test_what_was_brought_besides_the_game_stays_with_the_host() -> None:
    data = data_of(text_of("drunter-pending-vote"))
    data["moves"][0]["note"] = "Karl has the inn"
    table = brought_in(json.dumps(data), "x", NOW).table()
    for viewer in (None, 0, 1, 2):
        told = json.dumps(table.told(viewer, 0))
        assert "Karl has the inn" not in told
        assert "objectives" not in told


@pytest.mark.parametrize(("winners", "resigned"), [([0, 2, 3], [1]), ([2], [0, 1, 3])])
def test_games_that_were_given_up(winners: list[int], resigned: list[int]) -> None:
    state = played(load("cronberg", players=4).start(seed=3, first=0), 5)
    state.resign(*resigned)
    made = brought_in(state.record().to_json(), "x", NOW)
    assert stored_again(made)["winners"] == winners
    assert made.row.status == "over"
    state = played(load("drunter", players=2).start(seed=3, first=0), 5).abandon()
    made = brought_in(state.record().to_json(), "x", NOW)
    assert stored_again(made)["end"] == "abandoned"
    assert made.row.status == "aborted"


@pytest.mark.parametrize("game", ["cronberg", "drunter"])
@given(decisions=st.integers(0, 60), ways=st.text("ab", max_size=3), players=st.integers(2, 4), is_fair=st.booleans())
@settings(max_examples=examples(25, 2))
def test_unfinished_games_go_on(game: str, decisions: int, ways: str, players: int, is_fair: bool) -> None:
    """By the same shuffles where they are proven; and what is played then comes out with the rest."""
    state = fair_game(game, players) if is_fair else load(game, players=players).start(seed=ways, first=1)
    played(state, decisions, ways=ways)
    made = brought_in(state.record().to_json(), "x", NOW)
    table = made.table()
    assert whole_record(table).to_dict() == state.record().to_dict()
    for seat in range(players):
        table.sit(seat, Sitting(f"guest {seat}", f"New {seat}", None), NOW, guest=f"guest {seat}")
    assert table.state is not None
    while not state.is_over:
        seat = state.waiting[0]
        action = state.text(state.legal_actions_of(seat)[0])
        state.play(action, seat)
        table.decide(seat, action, NOW, guest=f"guest {seat}")
        if is_fair:
            assert [each.text for each in table.state.log] == [each.text for each in state.log]
        else:
            break
    record = whole_record(table)
    assert record.to_dict()["seats"] == state.record().to_dict()["seats"], "as it was when the game began"
    record.replay()
    if is_fair:
        assert table.status == "over"
        fair.verify(record)
    again = brought_in(record.to_json(), "x", NOW)
    assert stored_again(again) == record.to_dict()


def test_a_bot_that_stands_in_is_none_of_the_beginning_also_after_a_restart() -> None:
    """Rebuilt while a bot stands in: the record names the person, and marks what the bot decides."""
    made = brought_in(text_of("cronberg-pending"), "x", NOW)
    table = made.table()
    table.sit(1, Sitting("guest", "Ulla", None), NOW, guest="guest")
    table.sit(1, Sitting("guest", "Ulla", "greedy"), NOW)
    now_seated = tuple(
        replace(row, guest_id=each.guest, name=each.name, bot=each.bot)
        for row, each in zip(made.seats, table.seats, strict=True)
    )
    again = Table(made.row, now_seated, table.entries)
    assert again.state is not None
    for one in (table, again):
        assert one.state is not None
        action = one.state.text(one.state.legal_actions_of(1)[0])
        one.decide(1, action, NOW)
    assert whole_record(again).to_dict() == whole_record(table).to_dict()
    assert again.state.log[-1].by == "greedy"
    assert [seat.bot for seat in again.state.heading.seats] == [None, None]


def test_a_table_that_goes_on_gives_its_seed_to_its_host_alone() -> None:
    state = played(fair_game("cronberg", 2), 6)
    table = brought_in(state.record().to_json(), "x", NOW).table()
    assert whole_record(table).fair == state.record().fair
    told = table.record(None)
    assert told.fair is not None
    assert told.fair.seed is None
    assert table.fair_facts()["seed"] is None


def test_a_proof_without_its_seed_is_left_out_and_said_so() -> None:
    data = played(fair_game("cronberg", 2), 6).record().to_dict()
    data["fair"]["seed"] = None
    made = brought_in(json.dumps(data), "x", NOW)
    assert made.remarks == ("its proof is left out, as its seed is not told",)
    assert "fair" not in stored_again(made)
    assert made.table().fair_facts() == {"commitment": "", "entropy": [None, None], "seed": None}


def broken() -> list[tuple[str, str, type[EmbertownError], str]]:
    """What is refused: a name, the record's text, the error, and what it says."""
    points = data_of(text_of("cronberg-2"))
    move = next(move for move in points["moves"] if "scored" in move)
    move["scored"][0]["points"] += 1
    hidden = data_of(text_of("drunter-pending-vote"))
    hidden["deal"]["objectives"][1] = None
    unproven = played(fair_game("cronberg", 2), 20).record().to_dict()
    unproven["fair"]["entropy"][0] = "other dice"
    return [
        ("points", json.dumps(points), BrokenRecord, "by rule C6.1"),
        ("objectives", json.dumps(hidden), MalformedRecord, "deal.objectives[1]: is not told"),
        ("unproven", json.dumps(unproven), fair.Unproven, "as the seed draws it"),
        ("rubbish", "{", MalformedRecord, "is not JSON"),
        ("empty", "{}", MalformedRecord, "format"),
    ]


@pytest.mark.parametrize(("name", "text", "error", "said"), broken(), ids=[each[0] for each in broken()])
def test_what_is_broken_is_refused_with_its_place(name: str, text: str, error: type[EmbertownError], said: str) -> None:
    with pytest.raises(error) as refused:
        brought_in(text, "game.jsonl:7", NOW)
    assert str(refused.value).startswith("game.jsonl:7: "), name
    assert said in str(refused.value)
