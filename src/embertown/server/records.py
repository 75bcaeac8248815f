"""Records that somebody brings along: read, checked wholly by the engine, or refused with the very place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from embertown.core.errors import BrokenRecord, EmbertownError, Flaw, IllegalMove, MalformedRecord, visible
from embertown.core.files import RECORD_LIMIT, decode
from embertown.core.game import State
from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, translate
from embertown.games import GameRecord
from embertown.server import fair, telling
from embertown.server.errors import DOMAIN, Refused

MALFORMED, BROKEN = "malformed_record", "broken_record"
MOST_KIB = RECORD_LIMIT // 1024
TOP = "record"
"""What is named where nothing inside the record is at fault."""


class RecordRefused(Refused):
    """A record that can't be read or that the rules contradict: where in it, by which rule, and what exactly.

    >>> RecordRefused(MALFORMED, "moves", None, "is missing", flaw=Flaw("missing_key")).sentence("fr")
    'Cet enregistrement n’est pas entier : moves manque. Il faut le fichier tel qu’il a été sauvé.'
    >>> error = RecordRefused(MALFORMED, "moves[3].scored[0].points", None, "is 99999")
    >>> error.sentence("de"), error.told()["move"]
    ('Das lässt sich nicht als ...: Was bei „Zug 4, Wertung 1, Punkte“ steht, gehört dort nicht hin.', 4)
    """

    def __init__(
        self,
        code: str,
        where: str,
        rule: str | None,
        detail: str,
        *,
        illegal: IllegalMove | None = None,
        sentences: Mapping[str, str] | None = None,
        flaw: Flaw | None = None,
    ) -> None:
        self.where, self.detail = visible(where) or TOP, visible(detail)
        places = {language: _place(self.where, language) for language in LANGUAGES}
        super().__init__(code, status=422, where=places)
        self.rule, self.illegal, self.sentences, self.flaw = rule or None, illegal, sentences, flaw

    @property
    def move(self) -> int | None:
        """The move that is at fault, from 1."""
        found = telling.move_in(self.where)
        return None if found is None else found + 1

    def sentence(self, language: str = DEFAULT_LANGUAGE) -> str:
        """Why, in `language`: what is against the rules, or what keeps it from being read."""
        if self.sentences is not None:
            return self.sentences.get(language, self.sentences[DEFAULT_LANGUAGE])
        return self._unreadable(language) if self.code == MALFORMED else super().sentence(language)

    def _unreadable(self, language: str) -> str:
        """What keeps it from being read, where, and what would be right."""
        flaw = self.flaw
        if flaw is None and self.where != TOP:
            return super().sentence(language)
        if flaw is None or flaw == Flaw("not_json"):  # nobody can say where
            return translate(DOMAIN, "records.unreadable", language)
        values = {"where": _place(self.where, language), "line": flaw.line, "column": flaw.column, "kib": MOST_KIB}
        return translate(DOMAIN, f"records.{flaw.kind}", language, **values)

    def told(self, language: str = DEFAULT_LANGUAGE) -> dict[str, Any]:
        """As it travels, with the place in the record."""
        illegal = self.illegal
        told = super().told(language)
        if illegal is not None:
            told |= {"code": illegal.code, "places": list(illegal.places)}
        return {**told, "rule": self.rule, "where": self.where, "move": self.move, "detail": self.detail}

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.code, self.where, self.rule, self.detail, self.illegal, self.sentences, self.flaw)


def _again(*told: Any) -> RecordRefused:
    code, where, rule, detail, illegal, sentences, flaw = told
    return RecordRefused(code, where, rule, detail, illegal=illegal, sentences=sentences, flaw=flaw)


def _place(where: str, language: str) -> str:
    """A place as people find it: within a list in words, elsewhere by the name that stands in the file."""
    return telling.quoted(where, language) if "[" in where else where


def text_of(body: bytes) -> str:
    """The text that was sent as a record; `RecordRefused` where it is none."""
    with _refused():
        return decode(body, "", MalformedRecord)


def checked(text: str) -> tuple[GameRecord, State[Any], bool | None]:
    """A record from JSON, its game as it was played, and whether its shuffles are proven: None where it says nothing.

    `RecordRefused` where it can't be read, where the rules say otherwise, or where it claims a proof that is none.
    """
    with _refused():
        record = GameRecord.from_json(text, "")
    return _checked(record)


def checked_values(data: object) -> tuple[GameRecord, State[Any], bool | None]:
    """The same for a record from parsed JSON."""
    with _refused():
        record = GameRecord.from_dict(data, "")
    return _checked(record)


def _checked(record: GameRecord) -> tuple[GameRecord, State[Any], bool | None]:
    with _refused(record):
        return record, record.replay(), _proven(record)


@contextmanager
def _refused(record: GameRecord | None = None) -> Iterator[None]:
    """Whatever is wrong with a record, as a refusal."""
    try:
        yield
    except EmbertownError as error:
        raise refused(error, record) from None


def refused(error: EmbertownError, record: GameRecord | None = None) -> RecordRefused:
    """What is wrong with a record, as a refusal; `record` where it could be read."""
    match error:
        case MalformedRecord():
            return RecordRefused(MALFORMED, error.key, None, _shown(error.wrong, error.right), flaw=error.flaw)
        case BrokenRecord():
            illegal = error.__context__ if isinstance(error.__context__, IllegalMove) else None
            sentences = None if record is None else telling.told(error, record)
            where, rule, detail = error.where, error.rule, error.message()
            return RecordRefused(BROKEN, where, rule, detail, illegal=illegal, sentences=sentences)
        case fair.Unproven():
            return RecordRefused(BROKEN, error.where, None, _shown(error.wrong, error.right))
    return RecordRefused(BROKEN, TOP, None, str(error))


def _proven(record: GameRecord) -> bool | None:
    if record.fair is None or record.fair.seed is None:
        return None
    fair.verify(record)
    return True


def _shown(wrong: str, right: str) -> str:
    return f"{wrong}; right would be: {right}" if right else wrong
