"""What in a record is against the rules, for people: which move, whose, where in it, and what would be right."""

from __future__ import annotations

import json
import re
from typing import Any

from embertown.core.errors import BrokenRecord, IllegalMove, visible
from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, catalogue, translate
from embertown.games import GameRecord
from embertown.server.errors import DOMAIN

_PART = re.compile(r"([a-z_0-9]+)(?:\[(\d+)\])?")
_IN_MOVE = re.compile(r"moves\[(\d+)\]\.?(.*)")
_IS, _MISSING = "is ", "missing"
"""How errors say what stands somewhere, and that nothing does."""
_HERE = "here"


def move_in(where: str) -> int | None:
    """The index of the move that a place in a record lies in.

    >>> move_in("moves[3].scored"), move_in("winners")
    (3, None)
    """
    found = _IN_MOVE.fullmatch(where)
    return None if found is None else int(found[1])


def place_in(where: str, language: str = DEFAULT_LANGUAGE) -> str:
    """A place in a record in words; what stands in lists is counted from 1.

    >>> place_in("moves[3].scored[0].points"), place_in("moves[3].scored[0].points", "de")
    ('move 4, scoring 1, points', 'Zug 4, Wertung 1, Punkte')
    """
    names = catalogue(DOMAIN, language if language in LANGUAGES else DEFAULT_LANGUAGE)["places"]
    parts = ((names.get(key, key), index) for key, index in _PART.findall(where))
    return ", ".join(f"{name} {int(index) + 1}" if index else name for name, index in parts)


def quoted(where: str, language: str = DEFAULT_LANGUAGE) -> str:
    """A place in a record in words, told apart from the words around it.

    >>> quoted("moves[3].on", "fr")
    '« coup 4, triangles »'
    """
    return translate(DOMAIN, "records.quoted", language, place=place_in(where, language))


def told(error: BrokenRecord, record: GameRecord) -> dict[str, str]:
    """What a record says against the rules, in every language."""
    return {language: visible(_told(error, record, language)) for language in LANGUAGES}


def _told(error: BrokenRecord, record: GameRecord, language: str) -> str:
    found = _IN_MOVE.fullmatch(error.where)
    if found is None:
        return _wrong(error, record, error.where, language)
    move, inside = int(found[1]), found[2]
    words = {"name": _name(record, record.moves[move].seat, language), "words": record.move_words(move, language)}
    sentence = _wrong(error, record, inside or _HERE, language)
    return translate(DOMAIN, "records.move", language, move=move + 1, **words, sentence=sentence)


def _name(record: GameRecord, seat: int, language: str) -> str:
    """What somebody is called; people count seats from 1."""
    name = record.seats[seat].name if seat < len(record.seats) else None
    return name or translate(DOMAIN, "records.seat", language, seat=seat + 1)


def _wrong(error: BrokenRecord, record: GameRecord, where: str, language: str) -> str:
    """What is wrong at a place, by which rule, and what would be right."""
    rule, illegal = {"rule": error.rule}, error.__context__
    if isinstance(illegal, IllegalMove):
        return translate(DOMAIN, "broken.illegal", language, sentence=illegal.sentence(language), **rule)
    place = place_in(where, language)
    place = place[:1].upper() + place[1:]
    if error.breach is None:
        return _differs(error, place, language)
    names = {key: _filled_in(record, key, value, language) for key, value in (error.breach.names or {}).items()}
    return translate(DOMAIN, f"broken.{error.breach.kind}", language, place=place, **rule, **names)


def _filled_in(record: GameRecord, key: str, value: Any, language: str) -> Any:
    """What stands in a sentence: people and pieces by their names."""
    if key == "seat":
        return _name(record, value, language)
    return value[language] if isinstance(value, dict) else value


def _differs(error: BrokenRecord, place: str, language: str) -> str:
    """That something else stands there than what follows from the rules."""
    found, right = error.wrong.removeprefix(_IS), error.right
    if not error.wrong.startswith(_IS) or not _is_value(found) or not _is_value(right):
        return translate(DOMAIN, "broken.otherwise", language, place=place, rule=error.rule)
    kind = _MISSING if found == _MISSING else "surplus" if right == _MISSING else "differs"
    return translate(DOMAIN, f"broken.{kind}", language, place=place, rule=error.rule, found=found, right=right)


def _is_value(text: str) -> bool:
    """Whether it is what stands in a record, and no English words."""
    try:
        json.loads(text)
    except ValueError:
        return text == _MISSING
    return True
