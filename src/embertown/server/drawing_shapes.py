"""What the games tell for drawing, as shapes: geometry and artwork of an edition, for the types made from them.

The games' rooms make these values (`geometry.py` in each); here stands only how they look. Tests hold every shipped
edition against it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from embertown.server.shapes import Shaped, TileKind

ViewBox = Annotated[list[float], Field(description="Left, top, width and height, in the units of the drawing.")]
Unit = Annotated[float, Field(description="The side of a triangle or a square, in the units of the drawing.")]


class InLanguages(TypedDict):
    """A text in every language."""

    en: str
    de: str
    fr: str


class NamedInLanguages(TypedDict):
    """A name in every language; null where there is none."""

    en: str | None
    de: str | None
    fr: str | None


class PlacePoint(TypedDict):
    """A named point of the drawing."""

    name: str
    x: float
    y: float


# ---- Cronberg


class TriangleShape(PlacePoint):
    """A triangle, with the point in its middle."""

    symbol: Annotated[str, Field(description="`park`, `guard`, `coat` or `plain`: what it becomes when activated.")]
    corners: Annotated[list[str], Field(description="Three crossings.")]
    points_up: bool


class PlaceShape(TypedDict):
    """Where a rhomb may lie."""

    on: Annotated[list[str], Field(description="Two triangles.")]
    x: float
    y: float
    turn: Annotated[int, Field(description="Degrees: the key into `rhombi` of the artwork.")]
    corners: Annotated[
        list[str],
        Field(description="Four crossings, from the first sharp corner on; a head that is the third turns the rhomb."),
    ]


class WallShape(TypedDict):
    """The wall around the town."""

    rings: Annotated[list[list[str]], Field(description="Outlines: crossings in turn.")]
    svg: Annotated[str, Field(description="As it is drawn.")]


class RhombShape(TypedDict):
    """A kind of rhomb."""

    name: str
    names: Annotated[InLanguages, Field(description="What it is called.")]
    count: Annotated[int, Field(description="How many there are.")]
    numbers: Annotated[list[int], Field(description="By corner, from the first sharp one on.")]
    turning_matters: bool
    dark: Annotated[bool, Field(description="Whether its numbers are mostly bad.")]


class CronbergGeometry(TypedDict):
    """The empty board of Cronberg: the town's middle is (0, 0), x to the right, y down."""

    game: Literal["cronberg"]
    edition: Annotated[str, Field(description="Its id.")]
    edition_sha256: Annotated[str, Field(description="A hash over what play depends on.")]
    title: NamedInLanguages
    view_box: ViewBox
    unit: Unit
    tokens: Annotated[int, Field(description="Of each player.")]
    crossings: list[PlacePoint]
    triangles: list[TriangleShape]
    places: list[PlaceShape]
    strips: Annotated[list[PlacePoint], Field(description="Letters at the left of the strips.")]
    wall: WallShape
    kinds: Annotated[list[RhombShape], Field(description="Of rhombi.")]


# ---- Drunter & Drüber


class BuildingShape(TypedDict):
    """A building."""

    at: Annotated[str, Field(description="Its square.")]
    kind: str
    value: int


class GangShape(TypedDict):
    """A gang, by the corner that it starts from."""

    name: Annotated[str, Field(description="The corner.")]
    kind: TileKind


class VoteCardShape(TypedDict):
    """A vote card, with what it counts; Jeeiin for either side."""

    name: Annotated[str, Field(description="As in `vote jaa`.")]
    piece: Annotated[str, Field(description="Its key in `names` of the artwork.")]
    yes: int
    no: int


class DrunterGeometry(TypedDict):
    """The empty board of Drunter & Drüber: the upper left corner is (0, 0), x to the right, y down."""

    game: Literal["drunter"]
    edition: Annotated[str, Field(description="Its id.")]
    edition_sha256: Annotated[str, Field(description="A hash over what play depends on.")]
    title: NamedInLanguages
    view_box: ViewBox
    unit: Unit
    width: Annotated[int, Field(description="In squares.")]
    height: Annotated[int, Field(description="In squares.")]
    squares: Annotated[list[PlacePoint], Field(description="With their middles.")]
    buildings: list[BuildingShape]
    outhouses: Annotated[list[str], Field(description="Squares.")]
    gangs: list[GangShape]
    tiles: Annotated[dict[str, list[int]], Field(description="By kind: how many of length 1, 2 and 3 there are.")]
    bridge: Annotated[int, Field(description="The length of tiles that are bridges.")]
    cards: Annotated[list[VoteCardShape], Field(description="A seat's vote cards at the beginning.")]
    objectives: Annotated[list[str], Field(description="All there are.")]


# ---- artwork


class SeatArt(TypedDict):
    """How a seat is drawn."""

    colour: str
    symbol: Annotated[str, Field(description="The id of its symbol.")]


class Artwork(TypedDict):
    """What drawings of either game refer to."""

    theme: Annotated[str, Field(description="Its id.")]
    themes: Annotated[list[str], Field(description="All that ship with the game.")]
    classes: Annotated[str, Field(description="Of the element that holds the drawing.")]
    prefix: Annotated[str, Field(description="Before the names of classes and variables in the style sheet.")]
    title: NamedInLanguages
    subtitle: NamedInLanguages
    names: Annotated[dict[str, InLanguages], Field(description="What pieces, places and cards are called.")]
    pictures: Annotated[dict[str, str], Field(description="By piece: the id of its symbol.")]
    day: Annotated[dict[str, str], Field(description="Colours.")]
    night: Annotated[dict[str, str], Field(description="Colours.")]
    seats: Annotated[list[SeatArt], Field(description="By seat.")]
    style: Annotated[str, Field(description="The style sheet.")]
    symbols: Annotated[dict[str, str], Field(description="By id: SVG.")]
    defs: Annotated[str, Field(description="Patterns and the like: SVG.")]


class CronbergArtwork(Artwork):
    """What drawings of Cronberg refer to."""

    game: Literal["cronberg"]
    rhombi: Annotated[
        dict[str, dict[str, list[str]]],
        Field(description="By kind and degrees of its place: SVG with the head at the first corner, and turned."),
    ]


class DrunterArtwork(Artwork):
    """What drawings of Drunter & Drüber refer to."""

    game: Literal["drunter"]
    paths: Annotated[dict[str, str], Field(description="By kind of tile: how its path is drawn.")]
    meadow: Annotated[str, Field(description="The ground: SVG.")]


Geometry = Annotated[dict[str, Any], Shaped(CronbergGeometry | DrunterGeometry)]
AnyArtwork = Annotated[dict[str, Any], Shaped(CronbergArtwork | DrunterArtwork)]


class EditionDrawing(TypedDict):
    """An edition as it is drawn: to be had again only where `edition_sha256` or the theme is another."""

    geometry: Annotated[Geometry, Field(description="The empty board.")]
    artwork: Annotated[AnyArtwork, Field(description="Symbols, colours and names.")]
    edition_sha256: Annotated[str, Field(description="A hash over what play depends on.")]
