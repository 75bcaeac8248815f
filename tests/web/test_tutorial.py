"""The tutorials: legal beginnings of games, told in three languages."""

from __future__ import annotations

import json
import re

import pytest

import embertown
from tests.web.texts import GAMES, LANGUAGES, REFERENCE, WEB, read

GAME = pytest.mark.parametrize("game", GAMES)
EACH = pytest.mark.parametrize(("language", "game"), [(language, game) for language in LANGUAGES for game in GAMES])
NEWCOMER = 0
LENGTH = range(8, 15)
TAUGHT = {"cronberg": {"token", "rhomb", "scored", "activated", "driven"}, "drunter": {"covers", "vote", "under"}}
PLACE = re.compile(r"\b[a-gA-O]\d{1,2}\b(?!\.\d)")


def written(game: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((WEB / "public" / "tutorial" / f"{game}.json").read_text(encoding="utf-8"))
    return found


@GAME
def test_a_tutorial_is_a_legal_game_that_goes_on(game: str) -> None:
    record = embertown.GameRecord.from_json((WEB / "public" / "tutorial" / f"{game}.json").read_text(encoding="utf-8"))
    state = record.replay()
    assert not state.is_over
    assert state.record().to_json() == record.to_json()
    assert json.loads(record.to_json()) == written(game)


@GAME
def test_a_tutorial_is_short_and_the_newcomer_plays_first(game: str) -> None:
    record = written(game)
    moves = record["moves"]
    assert isinstance(moves, list)
    assert len(moves) in LENGTH
    assert (record["first"], moves[0]["seat"]) == (NEWCOMER, NEWCOMER)
    assert {key for move in moves for key in move} >= TAUGHT[game]


@EACH
def test_every_move_is_told_and_the_newcomers_are_asked_for(language: str, game: str) -> None:
    moves, told = written(game)["moves"], read("tutorial", language, game)
    assert isinstance(moves, list)
    assert list(told["moves"]) == [str(number) for number in range(1, len(moves) + 1)]
    for move, (number, texts) in zip(moves, told["moves"].items(), strict=True):
        asked = move["seat"] == NEWCOMER or "vote" in move
        assert list(texts) == (["before", "after"] if asked else ["after"]), number
    assert len(told["intro"]) == 3
    assert told["title"]
    assert told["end"]


@GAME
def test_the_record_carries_the_english_notes(game: str) -> None:
    moves, told = written(game)["moves"], read("tutorial", "en", game)
    assert isinstance(moves, list)
    assert [move["note"] for move in moves] == [" ".join(texts.values()) for texts in told["moves"].values()]


@EACH
def test_notes_name_the_places_of_the_moves_asked_for(language: str, game: str) -> None:
    moves, told = written(game)["moves"], read("tutorial", language, game)["moves"]
    assert isinstance(moves, list)
    for number, move in enumerate(moves, start=1):
        places = [move["token"]] if "token" in move else move.get("on") or [move["squares"][0], move["squares"][-1]]
        if move["seat"] == NEWCOMER:
            assert set(places) <= set(PLACE.findall(told[str(number)]["before"])), number


@GAME
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_translations_speak_of_the_same_places_rules_and_numbers(language: str, game: str) -> None:
    english, other = read("tutorial", "en", game), read("tutorial", language, game)
    for number, texts in english["moves"].items():
        for when, text in texts.items():
            for pattern in (PLACE, REFERENCE, re.compile(r"−?\d+")):
                translated = other["moves"][number][when]
                assert sorted(pattern.findall(translated)) == sorted(pattern.findall(text)), (number, when)
