"""Themes: the same game in another dress. Names, colours and pictures as data; a theme never touches a rule.

A theme is a TOML file in a game's folder `themes`. Names stand in three languages; where a theme has none for a piece,
the edition's own name is used, and where that has none, the game's catalogue.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from embertown.core.edition import Checked, Identifier, Label
from embertown.core.errors import MalformedFile, UnknownTheme
from embertown.core.files import parse_toml, validate
from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES

Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]


class ThemeHeader(Checked):
    """The table `[theme]`."""

    id: Identifier
    game: str
    version: Literal[1]


class NameIn(Checked):
    """A name in three languages."""

    en: Label
    de: Label
    fr: Label

    def said_in(self, language: str) -> str:
        """The name in this language; in English where that is none of ours."""
        return str(getattr(self, language if language in LANGUAGES else DEFAULT_LANGUAGE))


class Theme(Checked):
    """A whole theme file.

    >>> Theme.find("embertown.cronberg", "beach").name_of("church", "en")
    'ice-cream stall'
    """

    theme: ThemeHeader
    title: NameIn
    """What the town is called, above a drawing."""
    subtitle: NameIn | None = None
    names: dict[Identifier, NameIn] = Field(default_factory=dict)
    """By piece, place or card."""
    day: dict[Identifier, Colour]
    night: dict[Identifier, Colour]
    art: dict[Identifier, Identifier] = Field(default_factory=dict)
    """By piece, the file in the folder `art` that holds its picture; the piece's own id where not given."""

    @model_validator(mode="after")
    def _same_colours_day_and_night(self) -> Self:
        if odd := sorted(set(self.day) ^ set(self.night)):
            raise ValueError(f"{odd[0]} is a colour by day or by night only; right would be: in [day] and in [night]")
        return self

    def colours(self, *, night: bool = False) -> dict[str, str]:
        """The palette by day or by night."""
        return self.night if night else self.day

    def name_of(self, piece: str, language: str = DEFAULT_LANGUAGE) -> str | None:
        """What the theme calls a piece, or None where it has no name for it."""
        named = self.names.get(piece)
        return None if named is None else named.said_in(language)

    @classmethod
    def shipped(cls, room: str) -> tuple[str, ...]:
        """The ids of the themes of a game's room."""
        folder = files(room).joinpath("themes")
        return tuple(
            sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))
        )

    @classmethod
    def find(cls, room: str, name: str) -> Theme:
        """A theme of a game's room by its id."""
        if name not in cls.shipped(room):
            raise UnknownTheme(name, cls.shipped(room))
        return _theme(room, name)


@cache
def _theme(room: str, name: str) -> Theme:
    text = files(room).joinpath("themes", f"{name}.toml").read_text(encoding="utf-8")
    data: dict[str, Any] = parse_toml(text, name)
    return validate(Theme, data, f"{name}.toml", MalformedFile)
