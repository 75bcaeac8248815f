"""Sentences in English, German and French, one TOML file for each language and room.

Knows: the catalogues beside it and how to fill in names.
May import: nothing.
Never: a rule, or a sentence written in code.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "de", "fr")
DEFAULT_LANGUAGE = "en"


@cache
def catalogue(domain: str, language: str) -> dict[str, Any]:
    """The sentences of one room in one language."""
    text = files(__name__).joinpath(language, f"{domain}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def translate(domain: str, key: str, language: str = DEFAULT_LANGUAGE, **names: object) -> str:
    """The sentence `key` ("refusals.game_over") of a room, its placeholders filled in.

    An unknown language answers in English: a sentence that can't be shown helps nobody.

    >>> translate("cronberg", "refusals.game_over", "fr")
    'La partie est terminée.'
    """
    found: Any = catalogue(domain, language if language in LANGUAGES else DEFAULT_LANGUAGE)
    for part in key.split("."):
        found = found[part]
    return str(found).format(**names)
