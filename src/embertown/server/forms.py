"""What HTTP requests carry and what they are answered with; FastAPI's description of the server is made from these."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from typing_extensions import TypedDict

from embertown.core.edition import Checked, Label, no_control_characters
from embertown.server.drawing_shapes import AnyArtwork, Geometry, InLanguages
from embertown.server.messages import (
    ActionText,
    BotName,
    EntropyText,
    EntryFacts,
    FairFacts,
    Language,
    Number,
    SeatFacts,
    SeatNumber,
    Status,
    TableFacts,
)
from embertown.server.notify import LONGEST_URL
from embertown.server.shapes import Action, Changes, Facts, Foretold, OutcomeFacts, Result

MAX_GAMES = 20
"""Of a match."""
MAX_TRIED = 500
"""Hypothetical actions at once: more than any game has."""
LONGEST_CLOCK = 60 * 60 * 24 * 31.0
"""Seconds: a month."""

Token = Annotated[str, StringConstraints(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Seconds = Annotated[float, Field(ge=1, le=LONGEST_CLOCK, allow_inf_nan=False, strict=False)]
GuestName = Annotated[str, StringConstraints(min_length=1, max_length=80)]


class NewGuest(Checked):
    """Who comes."""

    name: GuestName | None = Field(None, description="Made up where none is given.")
    language: Language | None = Field(None, description="Where none is given, what the browser asks for.")


class GuestFacts(BaseModel):
    """A guest, as told to itself alone."""

    name: str
    language: str
    recovery: str | None = Field(None, description="The recovery code: shown once, when it is made.")


class Recovery(Checked):
    """Come back with the code."""

    code: Annotated[str, StringConstraints(min_length=8, max_length=100)]


class ClockWish(Checked):
    """Seconds; at least one of them."""

    total: Seconds | None = None
    per_move: Seconds | None = None


class NewTable(Checked):
    """What a table shall be."""

    game: Literal["cronberg", "drunter"]
    edition: Annotated[str, StringConstraints(max_length=40)] | dict[str, Any] | None = Field(
        None, description="The id of a shipped edition, or a whole edition; the game's own where none is given."
    )
    options: dict[Annotated[str, StringConstraints(max_length=40)], bool] = Field(default_factory=dict, max_length=10)
    seats: Annotated[list[BotName], Field(min_length=2, max_length=4)] = Field(
        description="By seat: `me`, `open`, or the name of a bot. Several seats of `me` play at one device."
    )
    names: Annotated[list[GuestName | None], Field(max_length=4)] = Field(
        default_factory=list,
        description="By seat: what people at one device are called, at seats of `me`; null for the guest's own name.",
    )
    first: SeatNumber | None = Field(
        None,
        description="The seat that begins, as the host says (C2.3, D2.4); null: by lot, with the table's shuffles.",
    )
    public: bool = False
    pace: Literal["live", "days"] = "live"
    clock: ClockWish | None = None
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)] = Field(1, description="More than 1 makes a match.")
    autostart: bool = Field(True, description="Whether it begins by itself when the last seat is taken.")
    title: Annotated[str, StringConstraints(max_length=80), AfterValidator(no_control_characters)] = ""
    entropy: EntropyText | None = Field(None, description="What the maker adds to the shuffles.")


class MadeTable(BaseModel):
    """A new table and its links; they are shown once."""

    table: str
    links: dict[int, str] = Field(description="By open seat: the token of its one-time link.")
    watch: str | None = Field(description="The token of the link for watching; null where everybody may.")


class SitDown(Checked):
    """Join a public table."""

    seat: SeatNumber | None = Field(None, description="The first open one where none is given.")
    entropy: EntropyText | None = None


class SeatChoice(Checked):
    """One seat."""

    seat: SeatNumber


class Claim(Checked):
    """Use a one-time link."""

    token: Token
    entropy: EntropyText | None = None


class Seated(BaseModel):
    """Where one sits now."""

    table: str
    seat: int


class LinkToken(BaseModel):
    """A fresh link to a seat; older unused ones open nothing any more."""

    seat: int
    token: str


class SeatSummary(BaseModel):
    """Who sits at a seat."""

    name: str | None
    bot: str | None
    person: bool
    yours: bool


class TableSummary(BaseModel):
    """A table in a list."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    title: str
    game: str
    edition: str
    options: dict[str, bool]
    status: str
    pace: str
    clock: dict[str, float | None] | None
    public: bool
    seats: list[SeatSummary]
    created: str
    changed: str
    waiting: list[int] | None = Field(None, description="Seats that may act now; null where it is not known at once.")
    your_turn: bool | None = Field(
        None, description="Whether an own seat may act now; null as above, and to strangers."
    )


class Invitation(BaseModel):
    """What a link leads to, told before it is used."""

    kind: Literal["seat", "move", "watch"] = Field(
        description="To an open seat; to a seat whose player wants it on another device; or for watching."
    )
    seat: int | None = Field(description="The seat that it leads to; null for watching.")
    host: str | None = Field(description="Who made the table; null where nobody of this server did.")
    yours: bool = Field(description="Whether the one who asks made the table.")
    table: str | None = Field(description="Its id, where the one who asks may go there without using the link.")
    title: str
    game: Literal["cronberg", "drunter"]
    edition: str = Field(description="Its id.")
    edition_title: InLanguages | None = Field(description="What it is called; null where it has no name.")
    options: dict[str, bool] = Field(description="Variants of the rules.")
    first: int | None = Field(description="The seat that begins, where that is settled; null: by lot.")
    games: int = Field(description="Of the match; 1 for a single game.")
    pace: Literal["live", "days"]
    clock: dict[str, float | None] | None = Field(description="In seconds: `total` and `per_move`; null for none.")
    status: Status
    seats: list[SeatSummary] = Field(description="By seat: who sits there already.")


# ---- what there is to play


class OptionFacts(BaseModel):
    """A variant of a game's rules."""

    option: str = Field(description="As a new table's `options` name it.")
    name: InLanguages
    words: InLanguages = Field(description="What it changes, in a sentence.")
    needs: list[str] = Field(description="Options without which it can't be chosen.")


class EditionFacts(BaseModel):
    """An edition that comes along."""

    edition: str = Field(description="Its id, as a new table's `edition` names it.")
    title: InLanguages
    edition_sha256: str = Field(description="A hash over what play depends on.")


class ThemeFacts(BaseModel):
    """A look of a game."""

    theme: str = Field(description="Its id, as requests for artwork and pictures name it.")
    name: InLanguages


class BotFacts(BaseModel):
    """A bot."""

    bot: str = Field(description="As a new table's `seats` name it.")
    name: InLanguages
    words: InLanguages | None = Field(description="How it plays, in a sentence; null where nobody has told.")


class GameFacts(BaseModel):
    """A game, with all that can be chosen."""

    game: str = Field(description="As a new table's `game` names it.")
    name: InLanguages
    words: InLanguages = Field(description="What it is about, in a sentence.")
    players: list[int] = Field(description="From how many to how many.")
    has_secrets: bool = Field(description="Whether seats know different things.")
    carries_scores: bool = Field(description="Whether the scores of a match go on from game to game.")
    options: list[OptionFacts]
    editions: list[EditionFacts]
    edition: str = Field(description="The one that is played where none is asked for.")
    themes: list[ThemeFacts]
    theme: str = Field(description="The one that is drawn where none is asked for.")
    levels: list[BotFacts] = Field(description="Bots for people to play against, the weakest first.")
    bots: list[BotFacts] = Field(description="All bots, the levels too.")
    languages: list[str] = Field(description="In which everything is told.")


# ---- replays


class ReplaySeat(TypedDict):
    """Who sat at a seat."""

    name: Annotated[str | None, Field(description="Null where nobody sits.")]
    bot: Annotated[str | None, Field(description="The bot that plays.")]


class ReplayEntry(TypedDict):
    """An entry of a log, with what it changed."""

    number: Annotated[int, Field(description="From 1, without gaps.")]
    seat: Annotated[int | None, Field(description="Whose; null for chance and the table's own affairs.")]
    text: Annotated[str, Field(description="Hidden ones end in `(hidden)`.")]
    at: Annotated[str | None, Field(description="When; null where a record does not say.")]
    by: Annotated[str | None, Field(description="The bot that stood in.")]
    stands: Annotated[bool, Field(description="False where it was taken back later.")]
    note: Annotated[str | None, Field(description="A remark, in records.")]
    changes: Annotated[Changes, Field(description="Facts by key that are not what they were before this entry.")]
    result: Annotated[Result | None, Field(description="What it brought about; null where nothing is to tell.")]


class Replay(TypedDict):
    """A game step by step: `{...facts, ...changes}` after each entry are the facts then."""

    game: Annotated[str, Field(description="`cronberg` or `drunter`.")]
    edition: Annotated[str | dict[str, Any], Field(description="The id of a shipped edition, or the whole edition.")]
    edition_sha256: Annotated[str, Field(description="A hash over what play depends on.")]
    options: Annotated[dict[str, bool], Field(description="Variants of the rules.")]
    players: int
    facts: Annotated[Facts | None, Field(description="Before the first entry; null where the game has not begun then.")]
    entries: list[ReplayEntry]
    outcome: Annotated[OutcomeFacts | None, Field(description="Null where the game is not over.")]
    whole: Annotated[bool, Field(description="Whether facts hold all secrets, as they are revealed.")]


class TableReplay(Replay):
    """A table's game, step by step, as a viewer may know it; all of it once it is played out."""

    table: TableFacts
    status: Status
    viewer: Annotated[int | None, Field(description="With whose eyes: a seat, or null for a spectator.")]
    seats: Annotated[list[SeatFacts], Field(description="By seat.")]
    fair: FairFacts


class RecordReplay(Replay):
    """A record's game, step by step, checked by the rules; with all that is needed to draw it."""

    seats: Annotated[list[ReplaySeat], Field(description="By seat.")]
    match: Annotated[dict[str, Any] | None, Field(description="Which game of which match, if the record says so.")]
    meta: Annotated[dict[str, Any] | None, Field(description="When and where, if the record says so.")]
    proven: Annotated[bool | None, Field(description="True where its shuffles are proven; null where it has no proof.")]
    geometry: Annotated[Geometry, Field(description="The empty board.")]
    artwork: Annotated[AnyArtwork, Field(description="Symbols, colours and names.")]


# ---- trying


Actions = Annotated[
    list[ActionText],
    Field(
        max_length=MAX_TRIED,
        description="As in the log, in their order, for whoever is waited for; "
        "`drawn church` after a draw, `accepted` or `refused` for a vote, `chosen` for all choices that are due.",
    ),
]


class TryWish(Checked):
    """Hypothetical actions at a table."""

    seat: SeatNumber | None = Field(None, description="An own seat with whose knowledge to try; null: a spectator's.")
    at: Number | None = Field(None, description="After which entry to begin; null: now.")
    actions: Actions = Field(default_factory=list)


class RecordTryWish(Checked):
    """Hypothetical actions in a record's game."""

    record: dict[str, Any] = Field(description="The record.")
    at: Number | None = Field(None, description="After which entry of its replay to begin; null: at its end.")
    actions: Actions = Field(default_factory=list)


class RecordPictureWish(Checked):
    """A picture of a record's game."""

    record: dict[str, Any] = Field(description="The record.")
    at: Number | None = Field(None, description="After which entry of its replay; null: at its end.")
    theme: str | None = Field(None, max_length=40, description="The game's own where none is given.")
    night: bool = Field(False, description="By night.")
    language: Language = "en"


class TriedEntry(TypedDict):
    """What was supposed to happen."""

    seat: Annotated[int | None, Field(description="Whose; null for chance and for how a vote ends.")]
    text: Annotated[str, Field(description="As in a log; others' secrets end in `(hidden)`.")]
    result: Annotated[Result | None, Field(description="What it brought about; null where nothing is to tell.")]


class TriedTurn(TypedDict):
    """What a seat may do then."""

    seat: Annotated[int, Field(description="The seat.")]
    legal: Annotated[list[Action], Field(description="Every legal action, with its places.")]
    previews: Annotated[NotRequired[list[Foretold]], Field(description="By legal action, where there are few.")]


class Tried(TypedDict):
    """What hypothetical actions lead to; nothing of it has happened."""

    game: Annotated[str, Field(description="`cronberg` or `drunter`.")]
    viewer: Annotated[int | None, Field(description="With whose knowledge: a seat's, or null for a spectator's.")]
    at: Annotated[int, Field(description="After which entry it began.")]
    whole: Annotated[bool, Field(description="Whether all secrets are known, as they are revealed.")]
    facts: Annotated[Facts, Field(description="What to draw then. At an end that is supposed, secrets stay null.")]
    entries: Annotated[list[TriedEntry], Field(description="What was supposed, with what chance gave.")]
    turns: Annotated[list[TriedTurn], Field(description="Of every seat that may act then.")]
    suppositions: Annotated[list[str], Field(description="What can be supposed then, besides the legal actions.")]


# ---- being told


class PushSubscription(Checked):
    """A browser's subscription to Web Push."""

    endpoint: Annotated[str, StringConstraints(max_length=1000, pattern=r"^https?://")]
    p256dh: Annotated[str, StringConstraints(min_length=80, max_length=100, pattern=r"^[A-Za-z0-9_=-]+$")]
    auth: Annotated[str, StringConstraints(min_length=16, max_length=32, pattern=r"^[A-Za-z0-9_=-]+$")]


class Endpoint(Checked):
    """A subscription that is not wanted any more."""

    endpoint: Annotated[str, StringConstraints(max_length=1000)]


class PushKey(BaseModel):
    """What a browser subscribes with."""

    key: str


class WebhookWish(Checked):
    """Where to tell that it is one's turn; null for nowhere."""

    url: Annotated[str, StringConstraints(max_length=LONGEST_URL, pattern=r"^https?://")] | None


class WebhookFacts(BaseModel):
    """The webhook, and the key that signs what is sent there."""

    url: str | None
    key: str | None


class NewToken(Checked):
    """A token for a program that plays."""

    label: Label


class TokenFacts(BaseModel):
    """A token of the bot API; it is shown once."""

    label: str
    token: str


class RefusalFacts(BaseModel):
    """Not done; nothing has changed."""

    code: str
    rule: str | None = None
    places: list[str] = []
    sentence: str
    retry_after: float | None = None
    where: str | None = Field(None, description="Of a record that is refused: the place in it, `moves[3].scored`.")
    move: int | None = Field(None, description="Of a record that is refused: the move, from 1.")
    detail: str | None = Field(None, description="Of a record that is refused: what exactly is wrong, in English.")
    missed: list[EntryFacts] | None = Field(None, description="Where the code is `stale`: the entries not known yet.")
