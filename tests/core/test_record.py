"""What all games' records share: parts of a game are records too, and draws stand where they are said to stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from embertown.games import GameRecord
from tests.conftest import JIT_OFF

RECORDS = Path(__file__).parents[1] / "records"
STEP = 25 if JIT_OFF else 3


def record_of(name: str) -> GameRecord:
    return GameRecord.from_file(RECORDS / f"{name}.json")


@pytest.mark.parametrize("name", ["cronberg-2", "cronberg-pending", "drunter-several-cards-4"])
def test_the_beginning_of_a_game_is_a_record(name: str) -> None:
    whole = record_of(name)
    for moves in range(0, len(whole.moves), STEP):
        part = whole.cut(moves)
        assert part.moves == whole.moves[:moves]
        assert part.replay().record().to_dict()["moves"] == part.to_dict()["moves"]
        assert part.pending is None
        assert part.end is None


def test_what_was_drawn_stands_there() -> None:
    for name in ("cronberg-2", "cronberg-pending"):
        record = record_of(name)
        told = record.to_dict()
        drawn = [entry.text.removeprefix("drawn ") for entry in record.replay().log if entry.seat is None]
        assert [each.what for each in record.draws()] == drawn
        for where, what in record.draws():
            index = re.fullmatch(r"moves\[(\d+)\]\.rhomb", where)
            assert what == (told["moves"][int(index[1])]["rhomb"] if index else told["pending"]["drawn"])
    assert record_of("drunter-variant-3").draws() == []


def test_a_cut_can_end_with_a_draw() -> None:
    record = record_of("cronberg-2")
    draws = record.draws()
    move = int(re.findall(r"\d+", draws[1].where)[0])
    part = record.cut(move, drawn=True)
    assert part.draws() == [draws[0], ("pending.drawn", draws[1].what)]
    part.replay()
    token = next(index for index, each in enumerate(record.moves) if each.token is not None)
    assert record.cut(token, drawn=True).pending is None
