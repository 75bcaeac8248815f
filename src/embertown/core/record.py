"""The record: what people keep, share, replay, check and analyse. JSON; computed from the log.

`GameRecord` has the keys that all games share; each game's `record.py` derives from it, adds its moves and knows how
to write and replay them. Which game a record belongs to is found by its key `game`, in what `GameRecord.readers` holds:
the registry in `embertown.games` fills it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from embertown.core.chance import ChanceSource
from embertown.core.edition import Checked, Label, no_control_characters
from embertown.core.errors import BadArgument, BrokenRecord, MalformedRecord, shorten, shown
from embertown.core.files import RECORD_LIMIT, parse_json, read_limited, validate

if TYPE_CHECKING:
    from embertown.core.game import State

RECORD_FORMAT = "embertown-record/1"
RULES_VERSION = 1
"""Raised when a rule's reading changes, so that old games stay readable."""
MAX_MOVES = 10_000
MAX_SEATS = 4


def no_control_characters_but_line_breaks(text: str) -> str:
    """A remark may have several lines; otherwise it is held to what a name is."""
    no_control_characters(text.replace("\n", ""))
    return text


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
    """What proves the shuffles: the commitment made before the game, the players' entropy, the seed revealed after it."""

    commitment: Proof
    entropy: Annotated[list[Proof | None], Field(max_length=MAX_SEATS)]
    seed: Proof | None


class MetaOfRecord(Checked):
    """When and where."""

    date: Label | None = None
    place: Label | None = None


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
                raise MalformedRecord(file, key, f"is {given}", f"{right!r}, the version that this program reads")
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

    # ---- replaying

    def replay(self, chance: ChanceSource | None = None) -> State[Any]:
        """The game played again, every consequence compared; `BrokenRecord` where the rules say otherwise.

        `chance` decides what is not in the record, for playing an unfinished game on.
        """
        raise NotImplementedError

    def heading_extra(self) -> dict[str, Any]:
        """`match`, `fair` and `meta`, as they stand."""
        given = self.to_dict()
        return {key: given[key] for key in ("match", "fair", "meta") if key in given}

    def compare(self, where: str, rule: str, found: object, right: object) -> None:
        """Refuse the record where it says something else than the rules."""
        if found != right:
            raise BrokenRecord(where, rule, f"is {as_json(found)}", as_json(right))


def as_json(value: object) -> str:
    """A value as it would stand in a record, cut to fit a message."""
    return "missing" if value is None else shorten(json.dumps(value, ensure_ascii=False), 200)
