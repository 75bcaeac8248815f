"""Edition files: TOML, validated; each game derives its own model from `Edition`."""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, StringConstraints

from embertown.core.errors import MalformedEdition, UnknownEdition, shown
from embertown.core.files import EDITION_LIMIT, parse_toml, read_limited, validate

EDITION_VERSION = 1
"""The version of the format of edition files that this program reads."""


def no_control_characters(text: str) -> str:
    """Names are shown in terminals and on pages: nothing in them may act there."""
    if not text.isprintable():
        raise ValueError(f"is {text!r}; right would be: printable characters only")
    return text


Identifier = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z][a-z0-9-]{0,39}$")]
"""The id of an edition or a piece: small letters, digits and hyphens, as actions are written with it."""
Label = Annotated[
    str, StringConstraints(strict=True, min_length=1, max_length=80), AfterValidator(no_control_characters)
]
"""A name for people to read."""


class Checked(BaseModel):
    """A part of what comes from outside: no unknown key, no silent conversion, not changed afterwards."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


def _version_is_read(version: int) -> int:
    """Not a `Literal`: that would take true and 1.0 for 1."""
    if version != EDITION_VERSION:
        raise ValueError(f"is {shown(version)}; right would be: {EDITION_VERSION}, the version that this program reads")
    return version


class Names(Checked):
    """A name in some of the languages."""

    en: Label | None = None
    de: Label | None = None
    fr: Label | None = None

    def said_in(self, language: str) -> str | None:
        """The name in this language, else in English, else None."""
        return getattr(self, language, None) or self.en


class EditionHeader(Checked):
    """The table `[edition]`; `name` is what the town is called above a drawing."""

    id: Identifier
    game: str
    version: Annotated[int, AfterValidator(_version_is_read)]
    name: Names | None = None


class Edition(Checked):
    """What all games' editions have in common."""

    edition: EditionHeader
    names: Annotated[dict[Identifier, Names], Field(max_length=100)] = Field(default_factory=dict)
    """What pieces, places and cards are called in this edition; a theme may call them otherwise."""
    _ships: bool = PrivateAttr(default=False)

    @property
    def id(self) -> str:
        """The edition's name."""
        return self.edition.id

    def called(self, language: str) -> dict[str, str]:
        """The edition's own names in a language, by piece."""
        said = {piece: names.said_in(language) for piece, names in self.names.items()}
        return {piece: name for piece, name in said.items() if name is not None}

    def title(self, language: str) -> str | None:
        """What the edition calls the town, or None."""
        return None if self.edition.name is None else self.edition.name.said_in(language)

    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """What play depends on; names and comments left out."""

    @property
    def sha256(self) -> str:
        """The hash of `identity` as canonical JSON: sorted keys, no blanks, UTF-8."""
        text = json.dumps(self.identity(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """As it stood in the file: nothing added, nothing left out."""
        return self.model_dump(exclude_unset=True)

    @classmethod
    def from_dict(cls, data: object, file: str = "") -> Self:
        """An edition from parsed TOML or JSON; `file` is named in errors."""
        return validate(cls, data, file, MalformedEdition)

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """An edition from a TOML file."""
        text = read_limited(path, EDITION_LIMIT, MalformedEdition)
        return cls.from_dict(parse_toml(text, str(path), MalformedEdition), str(path))

    @classmethod
    def room(cls) -> str:
        """The package whose folder `editions` holds the editions that ship."""
        return cls.__module__.rpartition(".")[0]

    @classmethod
    def shipped(cls) -> tuple[str, ...]:
        """The ids of the editions that ship."""
        folder = files(cls.room()).joinpath("editions")
        return tuple(
            sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))
        )

    @classmethod
    def find(cls, wanted: str | Path | dict[str, Any] | Self) -> Self:
        """An edition by its id, by the path of its file, or as it is."""
        if isinstance(wanted, cls):
            return wanted
        if isinstance(wanted, dict):
            return cls.from_dict(wanted)
        if isinstance(wanted, str) and wanted in cls.shipped():
            shipped: Self = _shipped_edition(cls, wanted)
            return shipped
        if isinstance(wanted, Path) or (isinstance(wanted, str) and _is_file(wanted)):
            return cls.from_file(Path(wanted))
        raise UnknownEdition(wanted if isinstance(wanted, str) else shown(wanted), cls.shipped())

    def reference(self) -> str | dict[str, Any]:
        """How a record names it: by id where it was taken from those that ship, else whole."""
        return self.id if self._ships else self.to_dict()


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # too long for a path, or beyond what we may look at
        return False


@cache
def _shipped_edition(model: type[Any], name: str) -> Any:
    text = files(model.room()).joinpath("editions", f"{name}.toml").read_text(encoding="utf-8")
    edition = model.from_dict(parse_toml(text, name, MalformedEdition), name)
    edition._ships = True
    return edition
