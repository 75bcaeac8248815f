"""The live protocol: every message that travels over a table's WebSocket, in both directions.

What comes in is checked against these models, unknown keys and silent conversions refused. What goes out is written as
typed dictionaries, which cost nothing to make. `docs/protocol.md`, the JSON Schema and the page's types are generated
from here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import Field, StringConstraints, TypeAdapter, ValidationError

from embertown.core.edition import Checked
from embertown.server.errors import Refused

PROTOCOL = 1
"""The version of the protocol; raised when a client of an older one would be misled."""
MAX_MESSAGE = 16_384
"""Bytes of a message from a client."""
MAX_NUMBER = 1_000_000
MAX_PREVIEWS = 128

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
SeatNumber = Annotated[int, Field(ge=0, le=3, description="A seat, from 0.")]
Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
ActionText = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Language = Annotated[str, StringConstraints(pattern=r"^(en|de|fr)$")]
BotName = Annotated[str, StringConstraints(min_length=1, max_length=80)]
EntropyText = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16,128}$")]


# ---- from a client


class Incoming(Checked):
    """What all messages from a client have."""

    id: Id = Field(description="The sender's own id of the message, new for each; a repeat is answered as before.")


class Hello(Incoming):
    """The first message of a connection."""

    type: Literal["hello"]
    protocol: int = Field(ge=1, le=1000, description="The version that the client speaks.")
    since: Number = Field(0, description="The number of the last entry that the client knows; 0 for none.")
    language: Language = Field("en", description="The language of refusals.")
    watch: Annotated[str, StringConstraints(max_length=64)] | None = Field(
        None, description="The token of a watch link, for a table that is not public."
    )


class Look(Incoming):
    """See with the eyes of a seat of one's own, where one connection holds several; or, with null, with nobody's."""

    type: Literal["look"]
    seat: SeatNumber | None


class Play(Incoming):
    """A decision."""

    type: Literal["play"]
    seat: SeatNumber
    number: Number = Field(description="The number that the entry is expected to get: the last known one plus 1.")
    action: ActionText = Field(description="As it stands in the log: `token d4`.")


class Preview(Incoming):
    """What actions would bring about."""

    type: Literal["preview"]
    seat: SeatNumber
    actions: Annotated[list[ActionText], Field(min_length=1, max_length=MAX_PREVIEWS)]


class Start(Incoming):
    """Begin, once every seat is taken: for the one who made the table."""

    type: Literal["start"]


class Resign(Incoming):
    """Give up."""

    type: Literal["resign"]
    seat: SeatNumber


class Abort(Incoming):
    """End the table without a winner: before the game for its maker, later only where no other person sits."""

    type: Literal["abort"]


class Takeback(Incoming):
    """Ask for one's last decision back, or agree with or refuse what another asks for."""

    type: Literal["takeback"]
    seat: SeatNumber
    number: Number = Field(description="The number of the last entry that would stay.")
    agree: bool = Field(True, description="False refuses, and takes one's own wish back.")


class StandIn(Incoming):
    """Give one's seat to a bot, or with null have it back."""

    type: Literal["stand_in"]
    seat: SeatNumber
    bot: BotName | None


class Say(Incoming):
    """A line of chat."""

    type: Literal["say"]
    text: Annotated[str, StringConstraints(min_length=1, max_length=500)]


class Mute(Incoming):
    """Hear no more from whoever wrote a line of chat; or again."""

    type: Literal["mute"]
    line: Number
    muted: bool = True


class Report(Incoming):
    """Tell the host of the server of a line of chat, or of the table."""

    type: Literal["report"]
    line: Number | None = None
    text: Annotated[str, StringConstraints(min_length=1, max_length=500)]


class Rematch(Incoming):
    """Once more with the same seats, the start one seat further on; begins when all people have asked for it."""

    type: Literal["rematch"]


class Ping(Incoming):
    """Are you there?"""

    type: Literal["ping"]


AnyIncoming = Annotated[
    Hello | Look | Play | Preview | Start | Resign | Abort | Takeback | StandIn | Say | Mute | Report | Rematch | Ping,
    Field(discriminator="type"),
]
_incoming: TypeAdapter[AnyIncoming] = TypeAdapter(AnyIncoming)


def read(data: str | bytes) -> AnyIncoming:
    """A client's message; `Refused` where it is none, with the place and what is wrong there."""
    if len(data) > MAX_MESSAGE:
        raise Refused("message_too_large", status=413, most=MAX_MESSAGE)
    try:
        return _incoming.validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "message"
        raise Refused("malformed_message", status=400, where=where, wrong=first["msg"]) from None


# ---- to a client


class EntryFacts(TypedDict):
    """One entry of a table's log, as its viewer may know it."""

    number: int
    seat: int | None
    text: Annotated[str, Field(description="Hidden ones end in `(hidden)`; they come again, whole, when revealed.")]
    at: Annotated[str, Field(description="When, ISO 8601, UTC.")]
    by: Annotated[str | None, Field(description="The bot that stood in.")]
    stands: Annotated[bool, Field(description="False where it was taken back.")]


class SeatFacts(TypedDict):
    """Who sits at a seat."""

    name: str | None
    bot: Annotated[str | None, Field(description="The bot that plays it now.")]
    person: Annotated[bool, Field(description="Whether it is a person's, also while a bot stands in.")]
    yours: bool
    here: Annotated[bool, Field(description="Whether the person is connected.")]


class ClockFacts(TypedDict):
    """A seat's clock: seconds left, null where nothing is limited."""

    total: float | None
    move: float | None
    running: bool


class FairFacts(TypedDict):
    """What proves the shuffles."""

    commitment: str
    entropy: list[str | None]
    seed: Annotated[str | None, Field(description="Null until the game is over.")]


class TableFacts(TypedDict):
    """What is fixed when a table is made."""

    id: str
    title: str
    game: str
    edition: Annotated[Any, Field(description="The id of a shipped edition, or the whole edition.")]
    edition_sha256: str
    options: dict[str, bool]
    players: int
    public: bool
    pace: Literal["live", "days"]
    clock: Annotated[dict[str, float | None] | None, Field(description="Seconds: `total`, `per_move`.")]
    match: Annotated[dict[str, Any] | None, Field(description="`id`, `game`, `games`.")]
    created: str


class TableMessage(TypedDict):
    """The table as its viewer may know it; of the entries those that were missed."""

    type: Literal["table"]
    protocol: int
    table: TableFacts
    status: Literal["open", "playing", "over", "aborted", "closed"]
    viewer: Annotated[int | None, Field(description="With whose eyes: a seat, or null for a spectator.")]
    host: Annotated[bool, Field(description="Whether the table was made by whoever is connected.")]
    seats: list[SeatFacts]
    spectators: int
    number: Annotated[int, Field(description="Of the last entry.")]
    entries: list[EntryFacts]
    facts: Annotated[dict[str, Any] | None, Field(description="What to draw, by game; null before the start.")]
    clocks: list[ClockFacts] | None
    takeback: dict[str, Any] | None
    fair: FairFacts
    next: Annotated[str | None, Field(description="The table of the next game or the rematch.")]


class EntriesMessage(TypedDict):
    """New entries, and earlier ones that are revealed now; the facts that changed."""

    type: Literal["entries"]
    viewer: int | None
    status: str
    number: int
    entries: list[EntryFacts]
    changes: dict[str, Any]
    clocks: NotRequired[list[ClockFacts]]
    fair: NotRequired[FairFacts]


class TurnMessage(TypedDict):
    """A seat of yours is waited for: what it may do."""

    type: Literal["turn"]
    seat: int
    number: Annotated[int, Field(description="Of the last entry: a decision expects to get the next one.")]
    legal: Annotated[list[dict[str, Any]], Field(description="`text`, `kind` and the places, by game.")]
    previews: Annotated[
        NotRequired[list[dict[str, Any]]], Field(description="By action, where there are few; ask for others.")
    ]


class AnswerMessage(TypedDict):
    """Done, and durable."""

    type: Literal["answer"]
    id: str
    number: Annotated[int | None, Field(description="Of the entry that it became.")]


class RefusalMessage(TypedDict):
    """Not done; nothing has changed."""

    type: Literal["refusal"]
    id: str | None
    code: str
    rule: str | None
    places: list[str]
    sentence: str
    missed: NotRequired[list[EntryFacts]]
    retry_after: NotRequired[float]


class PreviewsMessage(TypedDict):
    """What was asked for with `preview`, in the same order."""

    type: Literal["previews"]
    id: str
    number: int
    previews: list[dict[str, Any]]


class SeatsMessage(TypedDict):
    """Who sits where, who is connected, how many watch."""

    type: Literal["seats"]
    seats: list[SeatFacts]
    spectators: int


class TakebackMessage(TypedDict):
    """Somebody asks for a decision back, or nobody does any more."""

    type: Literal["takeback"]
    seat: int | None
    number: int | None
    waiting: Annotated[list[int], Field(description="Seats that have not answered yet.")]


class ThinkingMessage(TypedDict):
    """A bot thinks, or has thought."""

    type: Literal["thinking"]
    seat: int
    bot: str
    thinking: bool


class ChatMessage(TypedDict):
    """Lines of chat."""

    type: Literal["chat"]
    lines: list[dict[str, Any]]


class NextMessage(TypedDict):
    """The next game of the match, or the rematch; or who has asked for it so far."""

    type: Literal["next"]
    table: str | None
    asked: list[int]


class PongMessage(TypedDict):
    """Here."""

    type: Literal["pong"]
    id: str


class ByeMessage(TypedDict):
    """The connection ends, and why."""

    type: Literal["bye"]
    code: str
    sentence: str


Outgoing = (
    TableMessage
    | EntriesMessage
    | TurnMessage
    | AnswerMessage
    | RefusalMessage
    | PreviewsMessage
    | SeatsMessage
    | TakebackMessage
    | ThinkingMessage
    | ChatMessage
    | NextMessage
    | PongMessage
    | ByeMessage
)
