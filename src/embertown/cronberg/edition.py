"""Cronberg's edition files (C1.3 to C1.5): what is checked, and the board made from one."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from embertown.core.edition import Checked, Edition, EditionHeader, Identifier, Names
from embertown.core.locale import LANGUAGES
from embertown.cronberg.board import BEYOND, MAX_TRIANGLES, SYMBOLS, Board, strip_lengths

MAX_RHOMBI = 64
DEFAULT_EDITION = "cronberg-1726"


def _game_is_cronberg(header: EditionHeader) -> EditionHeader:
    if header.game != "cronberg":
        raise ValueError(f"game is {header.game!r}; right would be: 'cronberg'")
    return header


def _not_zero(number: int) -> int:
    if number == 0:
        raise ValueError("is 0; right would be: a number from -8 to 8 without 0 (C1.4)")
    return number


def _four(numbers: list[int]) -> list[int]:
    if len(numbers) != 4:
        raise ValueError(f"has {len(numbers)} numbers; right would be: 4, sharp, blunt, sharp, blunt, clockwise (C1.4)")
    return numbers


Number = Annotated[int, Field(ge=-8, le=8), AfterValidator(_not_zero)]


class Rhomb(Names):
    """A kind of rhomb: how many there are, its four numbers, its names (C1.4)."""

    count: Annotated[int, Field(ge=1, le=MAX_RHOMBI)] = 1
    numbers: Annotated[list[Number], AfterValidator(_four)]


class BoardTable(Checked):
    """The table `[board]` (C1.3, C1.5)."""

    side: Annotated[int, Field(ge=2, le=4)]
    tokens: Annotated[int, Field(ge=1, le=8)]
    triangles: Annotated[list[str], Field(max_length=8)]

    @model_validator(mode="after")
    def _check_strips(self) -> Self:
        lengths = strip_lengths(self.side)
        if len(self.triangles) != len(lengths):
            raise ValueError(
                f"triangles has {len(self.triangles)} strips;"
                f" right would be: {len(lengths)} for side {self.side} (C1.1)"
            )
        for number, (strip, length) in enumerate(zip(self.triangles, lengths, strict=True)):
            _check_strip(number, strip, length)
        there = sum(len(strip) - strip.count(BEYOND) for strip in self.triangles)
        if not 1 <= there <= MAX_TRIANGLES:
            raise ValueError(f"triangles holds {there} triangles; right would be: 1 to {MAX_TRIANGLES} (C1.3)")
        return self


def _check_strip(number: int, strip: str, length: int) -> None:
    where = f"triangles[{number}] (strip {chr(ord('A') + number)})"
    if len(strip) != length:
        raise ValueError(f"{where} is {len(strip)} long; right would be: {length} (C1.1)")
    for place, symbol in enumerate(strip, start=1):
        if symbol not in SYMBOLS:
            raise ValueError(f"{where} has {symbol!r} at {place}; right would be: one of {' '.join(SYMBOLS)} (C1.3)")


class CronbergEdition(Edition):
    """A whole edition file.

    >>> edition = CronbergEdition.find("cronberg-1726")
    >>> edition.board.side, len(edition.rhombi), edition.sha256[:8]
    (3, 8, 'fd71da13')
    """

    edition: Annotated[EditionHeader, AfterValidator(_game_is_cronberg)]
    board: BoardTable
    rhombi: Annotated[dict[Identifier, Rhomb], Field(min_length=1, max_length=MAX_RHOMBI)]

    @model_validator(mode="after")
    def _check_rhombi(self) -> Self:
        total = sum(rhomb.count for rhomb in self.rhombi.values())
        if total > MAX_RHOMBI:
            raise ValueError(f"rhombi counts {total} rhombi; right would be: 1 to {MAX_RHOMBI} (C1.4)")
        return self

    def identity(self) -> dict[str, Any]:
        """The board, and the rhombi by count and numbers."""
        return {
            "board": self.board.model_dump(),
            "rhombi": {name: [rhomb.count, rhomb.numbers] for name, rhomb in self.rhombi.items()},
        }

    @cached_property
    def layout(self) -> Board:
        """The board with its names, geometry and arrays."""
        rhombi = {name: (rhomb.count, rhomb.numbers) for name, rhomb in self.rhombi.items()}
        return Board(self.board.triangles, self.board.tokens, rhombi)

    def called(self, language: str) -> dict[str, str]:
        """The edition's own names in a language, by piece; rhombi have them in their own table."""
        return super().called(language) | {kind: self.name_of(kind, language) for kind in self.rhombi}

    def names_of(self, kind: str) -> dict[str, str]:
        """A kind's names, by language."""
        return {language: self.name_of(kind, language) for language in LANGUAGES}

    def name_of(self, kind: str, language: str = "en") -> str:
        """A kind's name for people; in English made from its id where none is given.

        >>> CronbergEdition.find("cronberg-1726").name_of("city-hall", "de")
        'Rathaus'
        """
        return self.rhombi[kind].said_in(language) or kind.replace("-", " ")
