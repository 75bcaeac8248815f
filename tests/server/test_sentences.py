"""Sentences for people: they count seats from 1, in their own language, and in French say "tu"."""

from __future__ import annotations

import re

import pytest

from embertown.core.locale import LANGUAGES, catalogue
from embertown.server.errors import Refused
from embertown.server.messages import read
from embertown.server.reading import unreadable, wrong_by_language

POLITE = re.compile(r"\b(vous|votre|vos|vôtres?|\w+[^h]ez)\b", re.IGNORECASE)
"""The form for strangers: the page says "tu"."""


def sentences(found: object) -> list[str]:
    if isinstance(found, dict):
        return [each for value in found.values() for each in sentences(value)]
    return [str(found)]


@pytest.mark.parametrize("domain", ["server", "cronberg", "drunter", "bots", "guests", "commands"])
def test_french_says_tu(domain: str) -> None:
    assert [each for each in sentences(catalogue(domain, "fr")) if POLITE.search(each)] == []


@pytest.mark.parametrize("code", ["not_your_seat", "bot_plays", "look_first", "entropy_sent", "nothing_to_take_back"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_people_count_seats_from_one(code: str, language: str) -> None:
    error = Refused(code, seat=0)
    assert re.findall(r"\d", error.sentence(language)) == ["1"]
    assert error.details == {"seat": 0}


@pytest.mark.parametrize(
    "sent",
    [
        "[",
        "{}",
        '{"type": "nonsense"}',
        '{"type": "say", "id": "m1", "text": 7}',
        '{"type": "ping", "id": "m1", "more": 1}',
        '{"type": "play", "id": "m1", "seat": 9, "number": 1, "action": "draw"}',
    ],
)
def test_what_is_wrong_with_a_message_is_said_in_one_language(sent: str) -> None:
    with pytest.raises(Refused) as refused:
        read(sent)
    said = [refused.value.sentence(language) for language in LANGUAGES]
    assert len(set(said)) == len(LANGUAGES)
    english = refused.value.details["wrong"]["en"]
    assert english in said[0]
    assert english not in said[1] + said[2]


def test_what_the_reader_of_forms_may_say_has_a_sentence() -> None:
    for kind in ("missing", "int_type", "string_pattern_mismatch", "literal_error", "value_error"):
        told = wrong_by_language({"type": kind, "msg": "in English", "ctx": {"expected": "'a' or 'b'"}})
        assert set(told) == set(LANGUAGES)
        assert told["en"] == "in English"
        assert " or " not in told["de"]
    assert unreadable("There was an error")["de"] == "kein JSON"
