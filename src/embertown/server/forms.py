"""What HTTP requests carry and what they are answered with; FastAPI's description of the server is made from these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from embertown.core.edition import Checked, Label, no_control_characters
from embertown.server.messages import BotName, EntropyText, EntryFacts, Language, SeatNumber

MAX_GAMES = 20
"""Of a match."""
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
    your_turn: bool | None = Field(None, description="Known of one's own tables that are in memory; else null.")


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

    url: Annotated[str, StringConstraints(max_length=500, pattern=r"^https?://")] | None


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
    missed: list[EntryFacts] | None = Field(None, description="Where the code is `stale`: the entries not known yet.")
