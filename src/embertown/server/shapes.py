"""What the games tell, as shapes: facts, legal actions and previews, for the JSON Schema and the types made from it.

The games' rooms make these values (`facts.py` in each); here stands only how they look, so that a client knows. Tests
hold whole games against it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, GetCoreSchemaHandler
from typing_extensions import TypedDict

Seat = Annotated[int, Field(ge=0, le=3, description="A seat, from 0.")]
Crossing = Annotated[str, Field(description="The name of a crossing: `d4`.")]
Triangle = Annotated[str, Field(description="The name of a triangle: `C5`.")]
Square = Annotated[str, Field(description="The name of a square: `B1`.")]
RhombKind = Annotated[str, Field(description="The name of a kind of rhomb: `church`.")]
TileKind = Literal["wall", "road", "river"]
Objective = Annotated[str, Field(description="The name of an objective: `town-hall`.")]
Scores = Annotated[list[int], Field(description="By seat.")]


class Shaped:
    """Marks a value that is any dict in the code, and has a shape to the world."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        """The shape's instead of the dict's."""
        return handler.generate_schema(self.shape)


class OutcomeFacts(TypedDict):
    """How the game ended."""

    end: Annotated[
        Literal["complete", "resigned", "abandoned"],
        Field(description="Played out; given up; ended without a winner."),
    ]
    winners: Annotated[list[int], Field(description="Seats; several share a win.")]
    scores: Scores


# ---- Cronberg


class RhombFacts(TypedDict):
    """A rhomb on the board."""

    kind: RhombKind
    on: Annotated[list[str], Field(description="Its two triangles.")]
    head: Annotated[
        str | None, Field(description="The crossing that its first number points at; null where turning is the same.")
    ]


class CronbergFinal(TypedDict):
    """What a token scored at the end."""

    seat: Seat
    at: Crossing
    numbers: Annotated[list[int], Field(description="The numbers that point at it, high to low.")]
    coat: Annotated[bool, Field(description="Whether a coat of arms there is activated.")]
    parks: Annotated[int, Field(description="How many parks there are activated.")]
    points: int


class CronbergFacts(TypedDict):
    """A position of Cronberg."""

    phase: Annotated[
        Literal["choice", "chance", "placement", "over"],
        Field(
            description="`choice`: a token, a draw or a pass is due; `placement`: where the drawn rhomb goes; `over`. "
            "`chance` never lasts: a draw and its outcome come together."
        ),
    ]
    seat: Annotated[int | None, Field(description="Whose turn it is; null when it is over.")]
    waiting: Annotated[list[int], Field(description="The seats that may act now.")]
    scores: Scores
    supply: Annotated[list[int], Field(description="By seat: tokens not yet placed.")]
    tokens: Annotated[dict[str, int], Field(description="By crossing: the seat whose token stands there.")]
    drawn: Annotated[str | None, Field(description="The kind of the rhomb in hand.")]
    rhombi: Annotated[list[RhombFacts], Field(description="In the order of placing.")]
    numbers: Annotated[
        dict[str, list[int]], Field(description="By crossing: the numbers that point at it, high to low.")
    ]
    rhombi_left: Annotated[dict[str, int], Field(description="By kind: how many are not drawn yet.")]
    activated: Annotated[list[str], Field(description="Triangles.")]
    barred: Annotated[list[str], Field(description="Crossings that no token may be put on.")]
    outcome: Annotated[OutcomeFacts | None, Field(description="Null while it is played.")]
    final: Annotated[
        list[CronbergFinal] | None, Field(description="What tokens scored at the end; null where not played out.")
    ]


class TokenAction(TypedDict):
    """Put a token on a crossing."""

    text: Annotated[str, Field(description="The action, as `play` takes it.")]
    kind: Literal["token"]
    crossing: Crossing


class PlainAction(TypedDict):
    """An action without places: a draw (Cronberg) or a pass (both games)."""

    text: Annotated[str, Field(description="The action, as `play` takes it.")]
    kind: Literal["draw", "pass"]


class PlaceAction(TypedDict):
    """Place the drawn rhomb."""

    text: Annotated[str, Field(description="The action, as `play` takes it.")]
    kind: Literal["place"]
    on: Annotated[list[str], Field(description="Its two triangles.")]
    head: Annotated[
        str | None, Field(description="The crossing that its first number points at; null where turning is the same.")
    ]


class ScoredFacts(TypedDict):
    """A token that scores because its crossing is closed."""

    seat: Seat
    at: Crossing
    numbers: Annotated[list[int], Field(description="The numbers that point at it, high to low.")]
    points: int


class DrivenFacts(TypedDict):
    """A token that a guard drives away."""

    seat: Seat
    at: Crossing


class CronbergPreview(TypedDict):
    """What an action of Cronberg brings about."""

    scored: list[ScoredFacts]
    activated: Annotated[list[str], Field(description="Triangles that become active.")]
    driven: list[DrivenFacts]
    final: Annotated[list[CronbergFinal] | None, Field(description="Null where the game goes on.")]
    scores: Scores


class CronbergResult(TypedDict):
    """What an entry of Cronberg brought about."""

    scored: list[ScoredFacts]
    activated: Annotated[list[str], Field(description="Triangles that became active.")]
    driven: list[DrivenFacts]
    final: Annotated[list[CronbergFinal] | None, Field(description="Null where the game goes on.")]


# ---- Drunter & Drüber


class TileFacts(TypedDict):
    """A tile."""

    kind: TileKind
    gang: Annotated[str, Field(description="Its gang, by the corner that it started from: `A1`.")]
    squares: Annotated[list[str], Field(description="What it lies on, outwards.")]
    under: Annotated[list[str], Field(description="The middles of bridges passed under before it.")]


class ProposalFacts(TileFacts):
    """The tile under vote."""

    seat: Annotated[int, Field(description="Who laid it.")]
    covers: Annotated[list[str], Field(description="Squares of the buildings and outhouses under it.")]


class VoteFacts(TypedDict):
    """The vote so far; null stands for what is not known to the viewer."""

    voted: Annotated[list[bool], Field(description="By seat.")]
    cards: Annotated[list[list[str] | None], Field(description="By seat: the cards played.")]
    said: Annotated[list[Literal["yes", "no"] | None], Field(description="By seat: what a player of Jeeiin has said.")]
    yes: Annotated[int | None, Field(description="The count, once the cards are revealed.")]
    no: Annotated[int | None, Field(description="The count, once the cards are revealed.")]


class DrunterFinal(TypedDict):
    """What a seat scored at the end."""

    seat: Seat
    objective: Objective
    uncovered: Annotated[list[str], Field(description="The squares of the objective's buildings that are left.")]
    points: int
    tiebreak: Annotated[int | None, Field(description="In the variant: what the other card was worth.")]


class DrunterFacts(TypedDict):
    """A position of Drunter & Drüber, as its viewer may know it."""

    phase: Annotated[
        Literal["laying", "voting", "jeeiin", "choosing", "over"],
        Field(
            description="What is due: a tile or a pass; a vote of every seat; yes or no from those who played Jeeiin; "
            "in the variant, the choice of an objective; or nothing more."
        ),
    ]
    seat: Annotated[int | None, Field(description="Whose turn it is; null when it is over.")]
    waiting: Annotated[list[int], Field(description="The seats that may act now.")]
    scores: Scores
    gangs: Annotated[
        dict[str, str | None], Field(description="By the corner it started from: the gang's square; null if removed.")
    ]
    tiles: Annotated[
        list[dict[str, list[int]]], Field(description="By seat and kind: how many of length 1, 2 and 3 are left.")
    ]
    cards: Annotated[list[list[str]], Field(description="By seat: the vote cards in hand; everybody may know them.")]
    laid: Annotated[list[TileFacts], Field(description="In the order of laying.")]
    covered: Annotated[list[str], Field(description="The squares of buildings and outhouses that are covered.")]
    proposal: Annotated[ProposalFacts | None, Field(description="The tile under vote.")]
    votes: Annotated[VoteFacts | None, Field(description="Null where no vote is under way.")]
    objectives: Annotated[
        list[list[str | None]], Field(description="By seat: the objectives dealt; null for one that is secret.")
    ]
    has_chosen: Annotated[list[bool], Field(description="By seat: whether the real objective is chosen (variant).")]
    chosen: Annotated[
        list[str | None], Field(description="By seat: the real objective; null if open, or secret to the viewer.")
    ]
    outcome: Annotated[OutcomeFacts | None, Field(description="Null while it is played.")]
    final: Annotated[
        list[DrunterFinal] | None, Field(description="What the seats scored at the end; null where not played out.")
    ]


class LayAction(TypedDict):
    """Lay a tile."""

    text: Annotated[str, Field(description="The action, as `play` takes it.")]
    kind: Literal["lay"]
    tile: TileKind
    gang: Annotated[str, Field(description="Its gang, by the corner that it started from.")]
    squares: Annotated[list[str], Field(description="What it lies on, outwards.")]
    under: Annotated[list[str], Field(description="The middles of bridges passed under before it.")]


class VoteAction(TypedDict):
    """Vote with one card or more."""

    text: Annotated[str, Field(description="The action, as `play` takes it.")]
    kind: Literal["vote"]
    cards: list[str]


class JeeiinAction(TypedDict):
    """Say what Jeeiin means."""

    text: Annotated[str, Field(description="The action, as `play` takes it.")]
    kind: Literal["jeeiin"]
    says: Literal["yes", "no"]


class ChooseAction(TypedDict):
    """Choose the real objective (variant)."""

    text: Annotated[str, Field(description="The action, as `play` takes it.")]
    kind: Literal["choose"]
    objective: Objective


class DrunterPreview(TypedDict):
    """What a tile brings about, if it is accepted where it needs a vote; of anything else nothing is said."""

    tile: Annotated[TileFacts | None, Field(description="Null for actions that lay none.")]
    covers: Annotated[list[str], Field(description="Squares of the buildings and outhouses under it.")]
    needs_vote: bool
    blocked: Annotated[list[str], Field(description="Gangs that it removes, by the corner they started from.")]


class DrunterTileResult(TypedDict):
    """What a tile brought about that was laid, or put to the vote."""

    covers: Annotated[list[str], Field(description="Squares of the buildings and outhouses under it.")]
    needs_vote: Annotated[bool, Field(description="Whether it is put to the vote: then it does not lie there yet.")]
    blocked: Annotated[list[str], Field(description="Gangs that it removed, by the corner they started from.")]


class DrunterVoteResult(TypedDict):
    """How a vote went: of the entry that ended it."""

    yes: Annotated[int, Field(description="The count.")]
    no: Annotated[int, Field(description="The count.")]
    passed: Annotated[bool, Field(description="Whether the tile was laid.")]
    cards: Annotated[list[list[str]], Field(description="By seat: the cards played.")]
    said: Annotated[list[Literal["yes", "no"] | None], Field(description="By seat: what a player of Jeeiin said.")]
    blocked: Annotated[list[str], Field(description="Gangs that the tile removed, by the corner they started from.")]


# ---- either game


def _each_optional(name: str, facts: Any, words: str) -> Any:
    """The same shape with every key optional: classes can't say that."""
    made: Any = TypedDict(name, dict(facts.__annotations__), total=False)  # type: ignore[misc]
    made.__doc__ = words
    return made


CronbergChanges = _each_optional("CronbergChanges", CronbergFacts, "Facts of Cronberg that are not what they were.")
DrunterChanges = _each_optional(
    "DrunterChanges", DrunterFacts, "Facts of Drunter & Drüber that are not what they were."
)

AnyAction = Annotated[
    TokenAction | PlainAction | PlaceAction | LayAction | VoteAction | JeeiinAction | ChooseAction,
    Field(discriminator="kind"),
]
Facts = Annotated[dict[str, Any], Shaped(CronbergFacts | DrunterFacts)]
Changes = Annotated[dict[str, Any], Shaped(CronbergChanges | DrunterChanges)]
Action = Annotated[dict[str, Any], Shaped(AnyAction)]
Foretold = Annotated[dict[str, Any], Shaped(CronbergPreview | DrunterPreview)]
Result = Annotated[dict[str, Any], Shaped(CronbergResult | DrunterTileResult | DrunterVoteResult)]
