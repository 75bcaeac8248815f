"""Drunter & Drüber's edition files (D1.1 to D1.3): what is checked, and the board made from one."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from embertown.core.edition import Checked, Edition, EditionHeader
from embertown.core.errors import BadArgument, shown
from embertown.drunter.board import (
    BUILDING_LETTERS,
    CORNER_LETTERS,
    LENGTHS,
    MAX_SIDE,
    MIN_SIDE,
    OPEN_GROUND,
    OUTHOUSE,
    VALUES,
    Board,
    square_name,
)
from embertown.drunter.rules import MAX_PLAYERS, MIN_PLAYERS

DEFAULT_EDITION = "schilda"
MAX_TILES = 200
"""Tiles of one kind and length."""
MAX_CELLS_TEXT = 8_000

Count = Annotated[int, Field(ge=0, le=MAX_TILES)]


def _game_is_drunter(header: EditionHeader) -> EditionHeader:
    if header.game != "drunter":
        raise ValueError(f"game is {header.game!r}; right would be: 'drunter'")
    return header


def _three(counts: list[int]) -> list[int]:
    if len(counts) != len(LENGTHS):
        raise ValueError(f"has {len(counts)} numbers; right would be: 3, of length 1, 2 and 3 (D1.3)")
    return counts


def _text_or_rows(squares: object) -> object:
    """By hand, so that an error names the key and not one of the two ways to fill it."""
    if isinstance(squares, str):
        if len(squares) > MAX_CELLS_TEXT:
            raise ValueError(f"has {len(squares)} characters; right would be: at most {MAX_CELLS_TEXT}")
        return squares
    rows = squares if isinstance(squares, list) else [squares]
    if not all(isinstance(row, list) and all(isinstance(cell, str) for cell in row) for row in rows):
        raise ValueError(f"is {shown(squares)}; right would be: a text with a row a line, or a list of rows of cells")
    return squares


class BoardTable(Checked):
    """The table `[board]` (D1.1, D1.2): a text with a row a line, or a list of rows of cells."""

    squares: Annotated[str | list[list[str]], BeforeValidator(_text_or_rows)]

    @property
    def rows(self) -> list[list[str]]:
        """The cells, row by row."""
        if isinstance(self.squares, str):
            return [line.split() for line in self.squares.strip().splitlines()]
        return self.squares

    @field_validator("squares")
    @classmethod
    def _check_squares(cls, squares: str | list[list[str]]) -> str | list[list[str]]:
        rows = [line.split() for line in squares.strip().splitlines()] if isinstance(squares, str) else squares
        _check_size(rows)
        seen: dict[str, str] = {}
        for row, line in enumerate(rows):
            for column, cell in enumerate(line):
                corner = row in (0, len(rows) - 1) and column in (0, len(line) - 1)
                _check_cell(square_name(row, column), cell, corner, seen)
        return squares


def _check_size(rows: list[list[str]]) -> None:
    sides = f"{MIN_SIDE} to {MAX_SIDE}"
    if not MIN_SIDE <= len(rows) <= MAX_SIDE:
        raise ValueError(f"has {len(rows)} rows; right would be: {sides} (D1.1)")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise ValueError(f"row {number} has {len(row)} squares; right would be: {len(rows[0])}, as in row 1 (D1.1)")
    if not MIN_SIDE <= len(rows[0]) <= MAX_SIDE:
        raise ValueError(f"has rows of {len(rows[0])} squares; right would be: {sides} (D1.1)")


def _check_cell(name: str, cell: str, corner: bool, seen: dict[str, str]) -> None:
    """Corners are where paths start; a kind has each value once at most (D1.2)."""
    if corner:
        if cell not in CORNER_LETTERS:
            raise ValueError(
                f"{name} is {cell[:20]!r}; right would be: W wall, R road or V river, as in corners (D1.1)"
            )
        return
    if cell in (OPEN_GROUND, OUTHOUSE):
        return
    building = len(cell) == 2 and cell[0] in BUILDING_LETTERS and cell[1] in "12345"
    if not building:
        letters = " ".join(BUILDING_LETTERS)
        values = f"with a value from {VALUES[0]} to {VALUES[-1]}"
        wish = f"one of {letters} {values}, {OUTHOUSE} outhouse or {OPEN_GROUND} open ground (D1.2)"
        raise ValueError(f"{name} is {cell[:20]!r}; right would be: {wish}")
    if cell in seen:
        raise ValueError(f"{name} is {cell!r}, and so is {seen[cell]}; right would be: each kind and value once (D1.2)")
    seen[cell] = name


class TilesTable(Checked):
    """The table `[tiles]` (D1.3): by kind, how many of length 1, 2 and 3."""

    wall: Annotated[list[Count], AfterValidator(_three)] = Field(default_factory=lambda: [0, 0, 0])
    road: Annotated[list[Count], AfterValidator(_three)] = Field(default_factory=lambda: [0, 0, 0])
    river: Annotated[list[Count], AfterValidator(_three)] = Field(default_factory=lambda: [0, 0, 0])

    @property
    def totals(self) -> list[int]:
        """How many tiles of each length there are, whatever their kind."""
        return [sum(counts) for counts in zip(self.wall, self.road, self.river, strict=True)]

    @model_validator(mode="after")
    def _check_tiles(self) -> Self:
        if sum(self.totals) == 0:
            raise ValueError("has no tiles; right would be: one or more (D1.3)")
        if not any(self.deals_evenly(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)):
            raise ValueError(
                f"has {self.totals} tiles of length 1, 2 and 3; right would be: numbers that 2, 3 or 4 players can"
                " share evenly, length by length (D2.2)"
            )
        return self

    def deals_evenly(self, players: int) -> bool:
        """Whether each length can be dealt evenly (D2.2)."""
        return all(total % players == 0 for total in self.totals)


class DrunterEdition(Edition):
    """A whole edition file.

    >>> edition = DrunterEdition.find("schilda")
    >>> edition.layout.width, edition.layout.height, len(edition.layout.outhouses), edition.sha256[:8]
    (15, 10, 17, '1b3dc8e2')
    """

    edition: Annotated[EditionHeader, AfterValidator(_game_is_drunter)]
    board: BoardTable
    tiles: TilesTable

    def identity(self) -> dict[str, Any]:
        """The squares row by row, and the tiles; a kind left out counts as none of it."""
        return {"board": {"squares": self.board.rows}, "tiles": self.tiles.model_dump()}

    @cached_property
    def layout(self) -> Board:
        """The board with its names, geometry and arrays."""
        return Board(self.board.rows, self.tiles.model_dump())

    def check_players(self, players: int) -> None:
        """The tiles must be dealt evenly, length by length (D2.2)."""
        for length, total in zip(LENGTHS, self.tiles.totals, strict=True):
            if total % players:
                raise BadArgument(
                    f"{total} tiles of length {length} can't be dealt evenly to {players} players (D2.2);"
                    f" right would be: another number of players, or another edition than {self.id!r}"
                )


Kind = Literal["wall", "road", "river"]
