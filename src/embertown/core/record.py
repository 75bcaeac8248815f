"""The record: what people keep, share, replay, check and analyse. JSON; computed from the log.

`GameRecord` has the keys that all games share; each game's `record.py` derives from it, adds its moves and knows how
to write and replay them. Which game a record belongs to is found by its key `game`, in what `GameRecord.readers` holds:
the registry in `embertown.games` fills it.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeVar

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from embertown.core.chance import ChanceSource
from embertown.core.edition import Checked, Edition, Label, no_control_characters
from embertown.core.errors import (
    BadArgument,
    Breach,
    BrokenRecord,
    Flaw,
    MalformedEdition,
    MalformedFile,
    MalformedRecord,
    NoRecord,
    shorten,
    shown,
)
from embertown.core.files import RECORD_LIMIT, parse_json, read_limited, validate
from embertown.core.locale import DEFAULT_LANGUAGE
from embertown.core.log import Entry

if TYPE_CHECKING:
    from embertown.core.game import Face, State

EditionT = TypeVar("EditionT", bound=Edition)

FORMAT_NAME = "embertown-record/"
RECORD_FORMAT = f"{FORMAT_NAME}1"
RULES_VERSION = 1
"""Raised when a rule's reading changes, so that old games stay readable."""
AFTER_MOVES = ("pending", "final", "scores", "winners", "end")
"""The keys that follow from the moves, or come after them."""
MAX_MOVES = 10_000
MAX_SEATS = 4


def no_control_characters_but_line_breaks(text: str) -> str:
    """A remark may have several lines; otherwise it is held to what a name is."""
    no_control_characters(text.replace("\n", ""))
    return text


def _is_true(value: bool) -> bool:
    """Not a `Literal`: that would take 1 for true."""
    if not value:
        raise ValueError("is false; right would be: true, or to leave it out")
    return value


Yes = Annotated[bool, AfterValidator(_is_true)]
"""A key that is true or left out."""
Score = Annotated[int, Field(ge=-10_000_000, le=10_000_000)]
StartScore = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
"""What a game can start with (`embertown.core.game.MAX_START_SCORE`): a game later it is still a `Score`."""
Seat = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
Note = Annotated[str, StringConstraints(max_length=10_000), AfterValidator(no_control_characters_but_line_breaks)]
Time = Annotated[str, StringConstraints(max_length=40), AfterValidator(no_control_characters)]
Proof = Annotated[str, StringConstraints(max_length=200), AfterValidator(no_control_characters)]


class Sparse(Checked):
    """A part some of whose keys may be left out: left out they are, never null."""

    @model_validator(mode="after")
    def _no_nulls(self) -> Self:
        for key in type(self).model_fields:
            if key in self.model_fields_set and getattr(self, key) is None:
                raise ValueError(f"{key.removesuffix('_')} is null; right would be: to leave it out")
        return self


class SeatOfRecord(Checked):
    """Who sits there: a name, and the bot that plays, or null."""

    name: Label
    bot: Label | None

    @classmethod
    def named(cls, given: SeatOfRecord | str) -> SeatOfRecord:
        """A seat as it is, or a person's by name."""
        if isinstance(given, SeatOfRecord):
            return given
        try:
            return cls(name=given, bot=None)
        except ValueError:
            raise BadArgument(
                f"a seat's name is {shown(given)}; right would be: 1 to 80 printable characters"
            ) from None


class MatchOfRecord(Checked):
    """Which match the game belongs to, and the how-manieth of it it is."""

    id: Label
    game: Annotated[int, Field(ge=1)]

    @classmethod
    def named(cls, name: str) -> MatchOfRecord:
        """The first game of a match of this name."""
        try:
            return cls(id=name, game=1)
        except ValueError:
            raise BadArgument(
                f"a match's name is {shown(name)}; right would be: 1 to 80 printable characters"
            ) from None


class FairOfRecord(Checked):
    """What proves the shuffles: the commitment made before the game, the players' entropy, the seed told after it."""

    commitment: Proof
    entropy: Annotated[list[Proof | None], Field(max_length=MAX_SEATS)]
    seed: Proof | None


class MetaOfRecord(Checked):
    """When and where."""

    date: Label | None = None
    place: Label | None = None


class Draw(NamedTuple):
    """What chance gave, and where the record says so."""

    where: str
    what: str


class GameRecord(Sparse):
    """The keys that all games' records share."""

    readers: ClassVar[dict[str, Callable[[], type[GameRecord]]]] = {}
    """By the name of a game, what fetches the model of its records."""

    format: Literal["embertown-record/1"]
    rules: Literal[1]
    game: str
    edition: Any
    edition_sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    options: dict[str, bool]
    seats: list[SeatOfRecord]
    first: Seat
    start_scores: Annotated[list[StartScore], Field(max_length=MAX_SEATS)]
    deal: Any = None
    moves: list[Any]
    pending: Any = None
    final: Any = None
    scores: Annotated[list[Score], Field(max_length=MAX_SEATS)] | None = None
    winners: Annotated[list[Seat], Field(max_length=MAX_SEATS)] | None = None
    end: Literal["complete", "resigned", "abandoned"] | None = None
    match: MatchOfRecord | None = None
    fair: FairOfRecord | None = None
    meta: MetaOfRecord | None = None

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
        players = len(self.seats)
        if self.first >= players:
            raise ValueError(f"first is {self.first}; right would be: a seat from 0 to {players - 1}")
        for key in ("start_scores", "scores"):
            values = getattr(self, key)
            if values is not None and len(values) != players:
                raise ValueError(f"{key} has {len(values)} numbers; right would be: {players}, one for each seat")
        if False in self.options.values():
            raise ValueError("options holds one that is false; right would be: to leave defaults out")
        self._check_end_keys()
        return self

    def _check_end_keys(self) -> None:
        """`scores`, `winners` and `end` together, or none of them; `final` exactly when played out."""
        given = {key for key in ("scores", "winners", "end") if getattr(self, key) is not None}
        if 0 < len(given) < 3:
            missing = ", ".join(sorted({"scores", "winners", "end"} - given))
            raise ValueError(f"{missing} is missing; right would be: scores, winners and end, or none of them")
        if (self.end == "complete") != (self.final is not None):
            raise ValueError(f"end is {self.end!r}; right would be: final exactly where end is 'complete'")
        if self.end is not None and self.pending is not None:
            raise ValueError("pending stands in a game that is over; right would be: to leave it out")

    # ---- reading and writing

    @classmethod
    def from_json(cls, text: str, file: str = "record") -> GameRecord:
        """A record from JSON; `file` is named in errors. Whether it follows the rules is `replay`'s affair."""
        return cls.from_dict(parse_json(text, file, MalformedRecord), file)

    @classmethod
    def from_dict(cls, data: object, file: str = "record") -> GameRecord:
        """A record from parsed JSON."""
        if not isinstance(data, Mapping):
            raise MalformedRecord(file, "", f"is {shown(data)}", "an object, { … }")
        for key, right in (("format", RECORD_FORMAT), ("rules", RULES_VERSION)):
            if data.get(key) != right or type(data.get(key)) is not type(right):
                given = shown(data[key]) if key in data else "missing"
                flaw, version = _no_version(data, key), f"{right!r}, the version that this program reads"
                other = ": this is no record of a game" if flaw.kind == "no_record" else ""
                raise MalformedRecord(file, key, f"is {given}{other}", version, flaw)
        game = data.get("game")
        if not isinstance(game, str) or game not in cls.readers:
            raise MalformedRecord(file, "game", f"is {shown(game)}", " or ".join(cls.readers))
        return validate(cls.readers[game](), data, file, MalformedRecord)

    @classmethod
    def from_file(cls, path: Path) -> GameRecord:
        """A record from a file that holds one."""
        return cls.from_json(read_limited(path, RECORD_LIMIT, MalformedRecord), str(path))

    def to_dict(self) -> dict[str, Any]:
        """As JSON values: exactly the keys that were given."""
        return self.model_dump(exclude_unset=True, by_alias=True)

    def to_json(self) -> str:
        """As JSON on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @classmethod
    def from_parts(cls, face: Face[Any], *parts: dict[str, Any]) -> Self:
        """The record of a game: the common keys of its heading, and the parts that its game writes."""
        if not face.has_beginning:
            raise NoRecord("this game was set up from a position: its beginning is not known, so it has no record")
        heading, edition = face.heading, face.game.edition
        whole: dict[str, Any] = {
            "format": RECORD_FORMAT,
            "rules": RULES_VERSION,
            "game": face.game.name,
            "edition": edition.reference(),
            "edition_sha256": edition.sha256,
            "options": dict(face.game.options),
            "seats": [seat.model_dump() for seat in heading.seats],
            "first": heading.first,
            "start_scores": list(heading.start_scores),
        }
        for part in (*parts, heading.extra):
            whole |= part
        return validate(cls, whole, "record", MalformedRecord)  # remarks and `extra` came from outside

    # ---- replaying

    @abstractmethod
    def replay(self, chance: ChanceSource | None = None) -> State[Any]:
        """The game played again, every consequence compared; `BrokenRecord` where the rules say otherwise.

        `chance` decides what is not in the record, for playing an unfinished game on.
        """

    @abstractmethod
    def move_words(self, move: int, language: str = DEFAULT_LANGUAGE) -> str:
        """What was decided with a move, in a few words, as far as they can be had before the rules are asked."""

    def draws(self) -> list[Draw]:
        """What chance gave in the course of the game, in its order; a deal is none of it."""
        return []

    def pending_before(self, move: int) -> dict[str, Any] | None:  # noqa: ARG002 - most games draw nothing
        """What `pending` said when the outcome was known that a move then used; None where there was none."""
        return None

    def cut(self, moves: int, *, drawn: bool = False) -> GameRecord:
        """The record of the game when so many moves had been made; `drawn`: and the next one's outcome was known.

        Choices that were due then are not in it: such a part does not replay (D9.2).
        """
        whole = {key: value for key, value in self.to_dict().items() if key not in AFTER_MOVES}
        pending = self.pending_before(moves) if drawn and moves < len(self.moves) else None
        more = {} if pending is None else {"pending": pending}
        return GameRecord.from_dict({**whole, "moves": whole["moves"][:moves], **more})

    def heading_extra(self) -> dict[str, Any]:
        """`match`, `fair` and `meta`, as they stand."""
        given = self.to_dict()
        return {key: given[key] for key in ("match", "fair", "meta") if key in given}

    def checked_edition(self, model: type[EditionT], rule: str) -> EditionT:
        """The edition, by id or whole, with its hash; an id must be one that ships: a record never opens a file."""
        if isinstance(self.edition, str) and self.edition not in model.shipped():
            known = ", ".join(model.shipped())
            breach = Breach("not_one_of", {"found": self.edition, "right": known})
            wrong, right = f"is {as_json(self.edition)}", f"{known}, or the whole edition"
            raise BrokenRecord("edition", rule, wrong, right, breach=breach)
        edition = model.find(self.edition)
        self.compare("edition_sha256", rule, self.edition_sha256, edition.sha256)
        return edition

    def check_end(self, state: State[Any], rule: str) -> None:
        """A game is over exactly when nobody can act any more, or when it was given up."""
        if state.is_over and self.end != "complete":
            wrong, right = f"is {as_json(self.end)}", '"complete", as nobody can act any more'
            raise BrokenRecord("end", rule, wrong, right, breach=Breach("is_over"))
        if not state.is_over and self.end == "complete":
            wrong, right = 'is "complete", and the game is not over', f"a move of seat {state.seat}"
            raise BrokenRecord("end", rule, wrong, right, breach=Breach("goes_on", {"seat": state.seat}))

    def finish(self, state: State[Any], right: Callable[[Any], dict[str, Any]], rules: dict[str, str]) -> None:
        """Give the game up where the record says so; then compare how it ended with what `right` says."""
        if self.end == "resigned":
            self._check_resigned(state)
        elif self.end == "abandoned":
            state.abandon()
        given, wanted = self.to_dict(), right(state)
        for key, rule in rules.items():
            self.compare(key, rule, given.get(key), wanted.get(key))

    def _check_resigned(self, state: State[Any]) -> None:
        """Whoever did not resign wins: so somebody must have resigned, and somebody not."""
        winners = sorted(set(self.winners or ()))
        if not winners or winners != self.winners or len(winners) >= len(self.seats) or winners[-1] >= len(self.seats):
            wrong = f"is {as_json(self.winners)}; right would be: those who did not resign"
            raise BrokenRecord("winners", "", wrong, breach=Breach("resigned"))
        state.resign(*(seat for seat in range(len(self.seats)) if seat not in winners))

    def compare(self, where: str, rule: str, found: object, right: object) -> None:
        """Refuse the record where it says something else than the rules, at the very place inside lists and objects."""
        if found == right:
            return
        if isinstance(found, list) and isinstance(right, list) and len(found) == len(right):
            for index, (one, other) in enumerate(zip(found, right, strict=True)):
                self.compare(f"{where}[{index}]", rule, one, other)
        if isinstance(found, dict) and isinstance(right, dict) and found.keys() == right.keys():
            for key, one in found.items():
                self.compare(f"{where}.{key}", rule, one, right[key])
        raise BrokenRecord(where, rule, f"is {as_json(found)}", as_json(right))


def _no_version(data: Mapping[str, Any], key: str) -> Flaw:
    """What a wrong version is: that of something else, of a record that is not whole, or of another Embertown."""
    if not str(data.get("format", "")).startswith(FORMAT_NAME):
        return Flaw("no_record")
    return Flaw("other_version" if key in data else "missing_key")


def as_json(value: object) -> str:
    """A value as it would stand in a record, cut to fit a message."""
    return "missing" if value is None else shorten(json.dumps(value, ensure_ascii=False), 200)


class Extra(Sparse):
    """What a heading carries that play does not depend on."""

    match: MatchOfRecord | None = None
    fair: FairOfRecord | None = None
    meta: MetaOfRecord | None = None


class Remarks(Checked):
    """What an entry of the log carries besides the decision."""

    note: Note | None
    at: Time | None
    by: Label | None


def check_extra(extra: Mapping[str, Any]) -> None:
    """`match`, `fair` and `meta` from a caller."""
    try:
        validate(Extra, extra, "")
    except MalformedFile as error:
        raise BadArgument(f"extra: {error}") from None


def check_remarks(note: str | None, at: str | None, by: str | None) -> None:
    """A note, a time or a stand-in from a caller; most entries have none."""
    if note is None and at is None and by is None:
        return
    try:
        validate(Remarks, {"note": note, "at": at, "by": by}, "")
    except MalformedFile as error:
        raise BadArgument(str(error)) from None


def remarks_of(entry: Entry) -> dict[str, Any]:
    """What an entry carries besides the decision: a note, a time, a stand-in."""
    return {key: getattr(entry, key) for key in ("note", "at", "by") if getattr(entry, key) is not None}


def end_of(face: Face[Any]) -> dict[str, Any]:
    """`final`, `scores`, `winners` and `end` of a game that is over; nothing while it goes on."""
    outcome = face.outcome
    if outcome is None:
        return {}
    final = {"final": [as_values(score) for score in face.final_scoring()]} if outcome.end == "complete" else {}
    return final | {"scores": list(outcome.scores), "winners": list(outcome.winners), "end": str(outcome.end)}


def as_values(told: Any) -> dict[str, Any]:
    """A dataclass as JSON has it: tuples as lists."""
    found = {}
    for key in told.__dataclass_fields__:  # none holds another: `asdict` would look for such, and take its time
        value = getattr(told, key)
        found[key] = list(value) if isinstance(value, tuple) else value
    return found


def edition_of_record(model: type[Edition]) -> Callable[[object], str | Edition]:
    """A check for a key with an id or a whole edition: told apart first, so that an error names the key inside it."""

    def check(given: object) -> str | Edition:
        if isinstance(given, model) or (isinstance(given, str) and given.isprintable()):
            return given
        try:
            return model.from_dict(given)
        except MalformedEdition as error:
            if not error.key:
                raise ValueError(f"is {shown(given)}; right would be: an edition's id, or a whole edition") from None
            raise ValueError(f"{error.key}: {error.wrong}; right would be: {error.right}") from None

    return check
