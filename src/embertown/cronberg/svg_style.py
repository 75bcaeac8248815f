"""The dress of the drawing: what `embertown.cronberg.svg` shares between its parts.

>>> dress_of("beach").words["left"], dress_of("beach", "fr").title
('left', 'Cronberg-sur-Mer')
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from embertown.core.drawing import Dress, Pen
from embertown.core.locale import DEFAULT_LANGUAGE

PEN = Pen("embertown.cronberg", "cronberg", "cb")
DEFAULT_THEME = "town"

MORE_RULES = (".cb-ongloom{--cb-line:var(--cb-chalkline);--cb-stone:var(--cb-dimstone)}",)
"""Pictures on dark ground are drawn with light lines."""


def dress_of(theme: str, language: str = DEFAULT_LANGUAGE, called: Mapping[str, str] | None = None) -> Dress:
    """A theme by its id, with the names of an edition's own rhombi, and of those that ship."""
    return Dress.of(PEN, theme, language, {**_shipped(language), **(called or {})})


@cache
def _shipped(language: str) -> Mapping[str, str]:
    """The buildings' names from the editions that come with the package."""
    found: dict[str, str] = {}
    for file in sorted((resources.files(PEN.room) / "editions").iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml"):
            for kind, rhomb in tomllib.loads(file.read_text("utf-8")).get("rhombi", {}).items():
                if language in rhomb:
                    found.setdefault(kind, rhomb[language])
    return found


def building_name(kind: str, dress: Dress) -> str:
    """A building's name for people, as it stands alone.

    >>> [building_name("city-hall", dress_of("town", language)) for language in ("en", "de")]
    ['City hall', 'Rathaus']
    >>> building_name("church", dress_of("beach", "fr")), building_name("b", dress_of("town", "en", {"b": "Barn"}))
    ('Glacier', 'Barn')
    """
    name = dress.name(kind)
    return name[:1].upper() + name[1:]
