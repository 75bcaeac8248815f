"""Records that somebody brings along: read, checked wholly by the engine, or refused with the very place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from embertown.core.errors import BrokenRecord, EmbertownError, Flaw, IllegalMove, MalformedRecord, visible
from embertown.core.files import decode
from embertown.core.game import State
from embertown.core.locale import DEFAULT_LANGUAGE, translate
from embertown.games import GameRecord
from embertown.server import fair
from embertown.server.errors import DOMAIN, Refused

MALFORMED, BROKEN = "malformed_record", "broken_record"
TOP = "record"
"""What is named where nothing inside the record is at fault."""

_MOVE = re.compile(r"moves\[(\d+)\]")
_IS = "is "


class RecordRefused(Refused):
    """A record that can't be read or that the rules contradict: where in it, by which rule, and what exactly.

    >>> error = RecordRefused(BROKEN, "moves[3].scored[0].points", "C6.1", "is 4; by rule C6.1 …", found="4", right="5")
    >>> error.told("de")["sentence"], error.told()["move"]
    ('moves[3].scored[0].points ist 4; nach Regel C6.1 muss dort 5 stehen.', 4)
    >>> RecordRefused(MALFORMED, "moves", None, "is missing", flaw=Flaw("missing_key")).sentence("fr")
    'Cet enregistrement n’est pas entier : moves manque. Il faut le fichier tel qu’il a été sauvé.'
    """

    def __init__(
        self,
        code: str,
        where: str,
        rule: str | None,
        detail: str,
        *,
        illegal: IllegalMove | None = None,
        found: str | None = None,
        right: str | None = None,
        flaw: Flaw | None = None,
    ) -> None:
        self.where, self.detail = visible(where) or TOP, visible(detail)
        super().__init__(code, status=422, where=self.where)
        self.rule, self.illegal = rule or None, illegal
        self.found = None if found is None else visible(found)
        self.right = None if right is None else visible(right)
        self.flaw = flaw

    @property
    def move(self) -> int | None:
        """The move that is at fault, from 1."""
        found = _MOVE.match(self.where)
        return None if found is None else int(found[1]) + 1

    def sentence(self, language: str = DEFAULT_LANGUAGE) -> str:
        """Why, in `language`: by the rule that a move breaks, or by what has to stand at the place."""
        if self.illegal is not None:
            told = {"sentence": self.illegal.sentence(language)}
            if self.move is None:
                return translate(DOMAIN, "records.place", language, where=self.where, **told)
            return translate(DOMAIN, "records.move", language, move=self.move, **told)
        if self.found is not None:
            values = {"where": self.where, "rule": self.rule, "found": self.found, "right": self.right}
            return translate(DOMAIN, "records.differs", language, **values)
        if self.rule is not None:
            return translate(DOMAIN, "records.otherwise", language, where=self.where, rule=self.rule)
        if self.code == MALFORMED:
            return self._unreadable(language)
        return super().sentence(language)

    def _unreadable(self, language: str) -> str:
        """What keeps it from being read, where, and what would be right."""
        flaw = self.flaw
        if flaw is None and self.where != TOP:
            return super().sentence(language)
        if flaw is None or flaw == Flaw("not_json"):  # nobody can say where
            return translate(DOMAIN, "records.unreadable", language)
        values = {"where": self.where, "line": flaw.line, "column": flaw.column}
        return translate(DOMAIN, f"records.{flaw.kind}", language, **values)

    def told(self, language: str = DEFAULT_LANGUAGE) -> dict[str, Any]:
        """As it travels, with the place in the record."""
        illegal = self.illegal
        told = super().told(language)
        if illegal is not None:
            told |= {"code": illegal.code, "places": list(illegal.places)}
        return {**told, "rule": self.rule, "where": self.where, "move": self.move, "detail": self.detail}

    def __reduce__(self) -> tuple[Any, ...]:
        told = (self.code, self.where, self.rule, self.detail, self.illegal, self.found, self.right, self.flaw)
        return _again, told


def _again(*told: Any) -> RecordRefused:
    code, where, rule, detail, illegal, found, right, flaw = told
    return RecordRefused(code, where, rule, detail, illegal=illegal, found=found, right=right, flaw=flaw)


def text_of(body: bytes) -> str:
    """The text that was sent as a record; `RecordRefused` where it is none."""
    with _refused():
        return decode(body, "", MalformedRecord)


def checked(text: str) -> tuple[GameRecord, State[Any], bool | None]:
    """A record from JSON, its game as it was played, and whether its shuffles are proven: None where it says nothing.

    `RecordRefused` where it can't be read, where the rules say otherwise, or where it claims a proof that is none.
    """
    with _refused():
        return _checked(GameRecord.from_json(text, ""))


def checked_values(data: object) -> tuple[GameRecord, State[Any], bool | None]:
    """The same for a record from parsed JSON."""
    with _refused():
        return _checked(GameRecord.from_dict(data, ""))


def _checked(record: GameRecord) -> tuple[GameRecord, State[Any], bool | None]:
    return record, record.replay(), _proven(record)


@contextmanager
def _refused() -> Iterator[None]:
    """Whatever is wrong with a record, as a refusal."""
    try:
        yield
    except MalformedRecord as error:
        raise RecordRefused(MALFORMED, error.key, None, _shown(error.wrong, error.right), flaw=error.flaw) from None
    except BrokenRecord as error:
        raise _broken(error) from None
    except fair.Unproven as error:
        raise RecordRefused(BROKEN, error.where, None, _shown(error.wrong, error.right)) from None
    except EmbertownError as error:
        raise RecordRefused(BROKEN, TOP, None, str(error)) from None


def _proven(record: GameRecord) -> bool | None:
    if record.fair is None or record.fair.seed is None:
        return None
    fair.verify(record)
    return True


def _broken(error: BrokenRecord) -> RecordRefused:
    """What the rules say otherwise; a move that is against a rule speaks for itself."""
    illegal = error.__context__ if isinstance(error.__context__, IllegalMove) else None
    found = error.wrong.removeprefix(_IS) if error.wrong.startswith(_IS) else ""
    plain = bool(error.rule and _is_json(found) and _is_json(error.right))
    return RecordRefused(
        BROKEN,
        error.where,
        error.rule,
        error.message(),
        illegal=illegal,
        found=found if plain else None,
        right=error.right if plain else None,
    )


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _shown(wrong: str, right: str) -> str:
    return f"{wrong}; right would be: {right}" if right else wrong
