"""The live protocol: every message that travels over a table's WebSocket, in both directions.

What comes in is checked against these models, unknown keys and silent conversions refused. What goes out is written as
typed dictionaries, which cost nothing to make. `docs/protocol.md`, the JSON Schema and the page's types are generated
from here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from typing_extensions import TypedDict  # pydantic reads those of typing from Python 3.12 on

from embertown.bots.network import Adviser
from embertown.core.edition import Checked
from embertown.server.errors import Refused
from embertown.server.fair import ENTROPY_LENGTH
from embertown.server.reading import wrong_by_language
from embertown.server.shapes import Action, Changes, Facts, Foretold, Result, Shaped

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
TableId = Annotated[str, StringConstraints(pattern=r"^[a-z2-7]{12}$")]
WatchToken = Annotated[str, StringConstraints(max_length=64)]
Results = dict[str, Result]
"""By the number of an entry, as text: what it brought about; others have nothing to tell."""
EntropyText = Annotated[str, StringConstraints(min_length=1, max_length=ENTROPY_LENGTH)]


# ---- from a client


class Incoming(Checked):
    """What all messages from a client have."""

    id: Id = Field(description="The sender's own id of the message, new for each; what answers it carries it.")


class Hello(Incoming):
    """The first message of a connection."""

    type: Literal["hello"]
    protocol: int = Field(ge=1, le=1000, description="The version that the client speaks.")
    since: Number = Field(0, description="The number of the last entry that the client knows; 0 for none.")
    language: Language = Field("en", description="The language of refusals.")
    watch: WatchToken | None = Field(None, description="The token of a watch link, for a table that is not public.")
    batch: bool = Field(
        False, description="Whether messages that come together may share a frame, as a JSON array of messages."
    )


class Go(Incoming):
    """Leave this table for another, on the same connection: to the next game without a new handshake.

    What comes after its `table` is of that one."""

    type: Literal["go"]
    table: TableId
    since: Number = Field(0, description="The number of the last entry of that table that the client knows.")
    watch: WatchToken | None = Field(None, description="As in `hello`.")


class Look(Incoming):
    """See with the eyes of a seat of one's own, where one connection holds several; or, with null, with nobody's."""

    type: Literal["look"]
    seat: SeatNumber | None = Field(description="A seat of one's own; null to see what spectators see.")


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
    actions: Annotated[list[ActionText], Field(min_length=1, max_length=MAX_PREVIEWS)] = Field(
        description="Legal actions, as they stand in `turn`."
    )


class AskHint(Incoming):
    """What a network or a short search would do at a seat of one's own that is waited for; where no other person sits.

    A hint changes nothing: it stands in no log."""

    type: Literal["hint"]
    seat: SeatNumber
    number: Number = Field(description="The number of the last entry that is known, as in `turn`.")


class Start(Incoming):
    """Begin, once every seat is taken: for the one who made the table."""

    type: Literal["start"]


class Entropy(Incoming):
    """Add to the shuffles, once for each seat, before the start.

    A rematch and the later games of a match begin when all people have, or a little later without."""

    type: Literal["entropy"]
    seat: SeatNumber
    entropy: EntropyText = Field(description="Any printable text; everybody will read it, and the record keeps it.")


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
    bot: BotName | None = Field(description="A bot's name, as `GET /api/games` tells them; null plays oneself.")


class Say(Incoming):
    """A line of chat."""

    type: Literal["say"]
    text: Annotated[str, StringConstraints(min_length=1, max_length=500)] = Field(description="One line.")


class Mute(Incoming):
    """Hear no more from whoever wrote a line of chat; or again."""

    type: Literal["mute"]
    line: Number = Field(description="The number of a line that they wrote.")
    muted: bool = Field(True, description="False hears them again.")


class Report(Incoming):
    """Tell the host of the server of a line of chat, or of the table."""

    type: Literal["report"]
    line: Number | None = Field(None, description="The number of the line; null where it is about the table.")
    text: Annotated[str, StringConstraints(min_length=1, max_length=500)] = Field(description="What is wrong.")


class Rematch(Incoming):
    """Once more with the same seats, the start one seat further on; there is a table when all people have asked for it.

    It begins when all have sent `entropy` there, or a little later without."""

    type: Literal["rematch"]


class Ping(Incoming):
    """Are you there?"""

    type: Literal["ping"]


AnyIncoming = Annotated[
    Hello
    | Go
    | Look
    | Play
    | Preview
    | AskHint
    | Start
    | Entropy
    | Resign
    | Abort
    | Takeback
    | StandIn
    | Say
    | Mute
    | Report
    | Rematch
    | Ping,
    Field(discriminator="type"),
]
_incoming: TypeAdapter[AnyIncoming] = TypeAdapter(AnyIncoming)


class _WithId(Incoming):
    """Any message, of which the id alone is looked at."""

    model_config = ConfigDict(extra="ignore", strict=True)


_with_id = TypeAdapter(_WithId)


class Unreadable(Refused):
    """A message that is none; it is refused by its id, where that can be read."""

    def __init__(self, data: str | bytes, where: str, wrong: dict[str, str]) -> None:
        super().__init__("malformed_message", status=400, where=where, wrong=wrong)
        self.asked = _id_in(data)


def _id_in(data: str | bytes) -> str | None:
    """The id of a message that is wrong otherwise.

    >>> _id_in('{"id": "m1", "type": "nonsense"}'), _id_in('{"id": "a b"}'), _id_in("[")
    ('m1', None, None)
    """
    try:
        return _with_id.validate_json(data).id
    except ValidationError:
        return None


def read(data: str | bytes) -> AnyIncoming:
    """A client's message; `Refused` where it is none, with the place and what is wrong there."""
    if len(data) > MAX_MESSAGE:
        raise Refused("message_too_large", status=413, most=MAX_MESSAGE)
    try:
        return _incoming.validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "message"
        raise Unreadable(data, where, wrong_by_language(first)) from None


# ---- to a client


class EntryFacts(TypedDict):
    """One entry of a table's log, as its viewer may know it."""

    number: Annotated[int, Field(description="From 1, without gaps.")]
    seat: Annotated[int | None, Field(description="Whose; null for chance and the table's own affairs.")]
    text: Annotated[str, Field(description="Hidden ones end in `(hidden)`; they come again, whole, when revealed.")]
    at: Annotated[str, Field(description="When, ISO 8601, UTC.")]
    by: Annotated[str | None, Field(description="The bot that stood in.")]
    stands: Annotated[bool, Field(description="False where it was taken back.")]


class SeatFacts(TypedDict):
    """Who sits at a seat."""

    name: Annotated[str | None, Field(description="Null where nobody sits.")]
    bot: Annotated[str | None, Field(description="The bot that plays it now.")]
    person: Annotated[bool, Field(description="Whether it is a person's, also while a bot stands in.")]
    yours: Annotated[bool, Field(description="Whether it is the receiver's own.")]
    here: Annotated[bool, Field(description="Whether the person is connected.")]


class ClockFacts(TypedDict):
    """A seat's clock: seconds left, null where nothing is limited."""

    total: Annotated[float | None, Field(description="For the whole game.")]
    move: Annotated[float | None, Field(description="For the next decision.")]
    running: Annotated[bool, Field(description="Whether it runs now; it stands still while a bot plays the seat.")]


class FairFacts(TypedDict):
    """What proves the shuffles."""

    commitment: Annotated[str, Field(description="The SHA-256 of the server's seed, in hex; published beforehand.")]
    entropy: Annotated[list[str | None], Field(description="By seat: what its player added.")]
    seed: Annotated[str | None, Field(description="Null until the game is over.")]


class ClockLimits(TypedDict):
    """How much time there is, in seconds; null for no limit."""

    total: Annotated[float | None, Field(description="For a seat's whole game.")]
    per_move: Annotated[float | None, Field(description="For a decision.")]


class MatchFacts(TypedDict):
    """Which game of which match."""

    id: str
    game: Annotated[int, Field(description="From 1.")]
    games: Annotated[int, Field(description="How many there are.")]


class TakebackWish(TypedDict):
    """A decision that somebody wants back."""

    seat: Annotated[int, Field(description="Who asks.")]
    number: Annotated[int, Field(description="Of the last entry that would stay.")]
    waiting: Annotated[list[int], Field(description="Seats that have not answered yet.")]


class TableFacts(TypedDict):
    """What is fixed when a table is made."""

    id: Annotated[str, Field(description="Opens nothing.")]
    title: str
    game: Annotated[str, Field(description="`cronberg` or `drunter`.")]
    edition: Annotated[str | dict[str, Any], Field(description="The id of a shipped edition, or the whole edition.")]
    edition_sha256: Annotated[str, Field(description="A hash over what play depends on.")]
    options: Annotated[dict[str, bool], Field(description="Variants of the rules.")]
    players: int
    public: Annotated[bool, Field(description="Whether everybody may watch, and join while it is open.")]
    pace: Annotated[Literal["live", "days"], Field(description="At `live` ones players who are gone are replaced.")]
    clock: Annotated[dict[str, Any] | None, Shaped(ClockLimits | None)]
    match: Annotated[MatchFacts | None, Field(description="Null for a single game.")]
    first: Annotated[int | None, Field(description="The seat that begins, where that is settled; null: by lot.")]
    created: Annotated[str, Field(description="When, ISO 8601, UTC.")]


Status = Annotated[
    Literal["open", "playing", "over", "aborted", "closed"],
    Field(description="Waits for players; is played; over; ended without a winner; closed by the host of the server."),
]


class TableMessage(TypedDict):
    """The table as its viewer may know it; of the entries those that were missed.

    Sent after `hello`, `go` and `look`."""

    type: Literal["table"]
    protocol: Annotated[int, Field(description="The version that the server speaks.")]
    table: TableFacts
    status: Status
    viewer: Annotated[int | None, Field(description="With whose eyes: a seat, or null for a spectator.")]
    host: Annotated[bool, Field(description="Whether the table was made by whoever is connected.")]
    seats: Annotated[list[SeatFacts], Field(description="By seat.")]
    spectators: Annotated[int, Field(description="How many connections hold no seat.")]
    number: Annotated[int, Field(description="Of the last entry.")]
    entries: Annotated[list[EntryFacts], Field(description="After `since`, and earlier ones revealed after it.")]
    facts: Annotated[Facts | None, Field(description="What to draw, by game; null before the start.")]
    clocks: Annotated[list[ClockFacts] | None, Field(description="By seat; null where there are none.")]
    takeback: Annotated[TakebackWish | None, Field(description="What somebody wants back.")]
    fair: FairFacts
    next: Annotated[str | None, Field(description="The table of the next game or the rematch.")]
    hints: Annotated[bool, Field(description="Whether the receiver is answered with hints, at its turns.")]
    results: Annotated[NotRequired[Results], Field(description="What these entries brought about, by their numbers.")]


class EntriesMessage(TypedDict):
    """New entries, and earlier ones that are revealed now; the facts that changed."""

    type: Literal["entries"]
    viewer: Annotated[int | None, Field(description="With whose eyes; null also where all see the same.")]
    status: Status
    number: Annotated[int, Field(description="Of the last entry.")]
    entries: list[EntryFacts]
    changes: Annotated[Changes, Field(description="Facts by key; those that are not named stay.")]
    clocks: Annotated[NotRequired[list[ClockFacts]], Field(description="By seat, where there are clocks.")]
    fair: Annotated[NotRequired[FairFacts], Field(description="At the start, and with the seed at the end.")]
    results: Annotated[
        NotRequired[Results], Field(description="What these entries brought about, by their numbers, if anything.")
    ]


class TurnMessage(TypedDict):
    """A seat of yours is waited for: what it may do."""

    type: Literal["turn"]
    seat: Annotated[int, Field(description="The seat.")]
    number: Annotated[int, Field(description="Of the last entry: a decision expects to get the next one.")]
    legal: Annotated[list[Action], Field(description="Every legal action, with its places.")]
    previews: Annotated[
        NotRequired[list[Foretold]], Field(description="By legal action, where there are few; ask for others.")
    ]


class AnswerMessage(TypedDict):
    """Done, and durable."""

    type: Literal["answer"]
    id: Annotated[str, Field(description="Of the message that is answered.")]
    number: Annotated[int | None, Field(description="Of the entry (or the line of chat) that it became.")]


class RefusalMessage(TypedDict):
    """Not done; nothing has changed."""

    type: Literal["refusal"]
    id: Annotated[str | None, Field(description="Of the message that is refused; null where that could not be read.")]
    code: Annotated[str, Field(description="Why, for programs.")]
    rule: Annotated[str | None, Field(description="The number of the rule, where one is broken: `C4.2`.")]
    places: Annotated[list[str], Field(description="Where, on the board.")]
    sentence: Annotated[str, Field(description="Why, for people, in the language of `hello`.")]
    missed: Annotated[
        NotRequired[list[EntryFacts]], Field(description="Where the code is `stale`: the entries not known yet.")
    ]
    retry_after: Annotated[NotRequired[float], Field(description="Seconds after which it is worth trying again.")]


class PreviewsMessage(TypedDict):
    """What was asked for with `preview`, in the same order."""

    type: Literal["previews"]
    id: Annotated[str, Field(description="Of the message that asked.")]
    number: Annotated[int, Field(description="Of the last entry.")]
    previews: Annotated[list[Foretold], Field(description="By action asked for.")]


class HintedAction(TypedDict):
    """An action that is worth a thought."""

    action: Annotated[str, Field(description="A legal action, as it stands in `turn`.")]
    share: Annotated[
        float, Field(description="0 to 1: of the network's trust, or of the simulations where a search was made.")
    ]


class HintMessage(TypedDict):
    """What was asked for with `hint`."""

    type: Literal["hint"]
    id: Annotated[str, Field(description="Of the message that asked.")]
    seat: Annotated[int, Field(description="Whose decision it is.")]
    number: Annotated[int, Field(description="Of the last entry that was known.")]
    best: Annotated[list[HintedAction], Field(description="A few actions, the best first.")]
    win_share: Annotated[
        float | None, Field(description="The share of the win that the seat may expect; null where nothing is known.")
    ]
    by: Annotated[
        Adviser,
        Field(
            description="Who says so: the network alone; `both`, a short search with the network beside it; "
            "or a short search alone, as the network does not know this."
        ),
    ]


class SeatsMessage(TypedDict):
    """Who sits where, who is connected, how many watch."""

    type: Literal["seats"]
    seats: Annotated[list[SeatFacts], Field(description="By seat.")]
    spectators: Annotated[int, Field(description="How many connections hold no seat.")]
    hints: Annotated[bool, Field(description="Whether the receiver is answered with hints, at its turns.")]


class TakebackMessage(TypedDict):
    """Somebody asks for a decision back, or nobody does any more."""

    type: Literal["takeback"]
    seat: Annotated[int | None, Field(description="Who asks; null for nobody.")]
    number: Annotated[int | None, Field(description="Of the last entry that would stay.")]
    waiting: Annotated[list[int], Field(description="Seats that have not answered yet.")]


class ThinkingMessage(TypedDict):
    """A bot thinks, or has thought."""

    type: Literal["thinking"]
    seat: Annotated[int, Field(description="Its seat.")]
    bot: Annotated[str, Field(description="Its name.")]
    thinking: Annotated[bool, Field(description="False when it is done.")]


class ChatLine(TypedDict):
    """A line of chat."""

    line: Annotated[int, Field(description="From 1.")]
    seat: Annotated[int | None, Field(description="The author's seat; null for spectators.")]
    name: Annotated[str | None, Field(description="The author's name; null where it is forgotten.")]
    text: str
    at: Annotated[str, Field(description="When, ISO 8601, UTC.")]


class MutedFacts(TypedDict):
    """Somebody whose lines are not told any more: `mute` with any of these lines hears them again."""

    lines: Annotated[list[int], Field(description="The numbers of all that they wrote up to here at this table.")]
    seat: Annotated[int | None, Field(description="Their seat, when they last wrote; null for spectators.")]
    name: Annotated[str | None, Field(description="Their name, when they last wrote; null where it is forgotten.")]


class ChatMessage(TypedDict):
    """Lines of chat; those of somebody who is heard again come once more."""

    type: Literal["chat"]
    lines: list[ChatLine]
    muted: Annotated[
        NotRequired[list[MutedFacts]],
        Field(description="All who wrote here and are not heard; where it is missing, nothing about them changed."),
    ]


class NextMessage(TypedDict):
    """The next game of the match, or the rematch; or who has asked for it so far."""

    type: Literal["next"]
    table: Annotated[str | None, Field(description="Its id, once there is one.")]
    asked: Annotated[list[int], Field(description="Seats that want a rematch.")]


class PongMessage(TypedDict):
    """Here."""

    type: Literal["pong"]
    id: Annotated[str, Field(description="Of the `ping`.")]


class ByeMessage(TypedDict):
    """The connection ends, and why."""

    type: Literal["bye"]
    code: Annotated[str, Field(description="Why, for programs.")]
    sentence: Annotated[str, Field(description="Why, for people.")]


Outgoing = (
    TableMessage
    | EntriesMessage
    | TurnMessage
    | AnswerMessage
    | RefusalMessage
    | PreviewsMessage
    | HintMessage
    | SeatsMessage
    | TakebackMessage
    | ThinkingMessage
    | ChatMessage
    | NextMessage
    | PongMessage
    | ByeMessage
)

AnyOutgoing = Annotated[Outgoing, Field(discriminator="type")]
"""Told apart by `type`, as what comes in."""
