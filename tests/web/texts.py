"""The page's own texts about the rules, as the tests read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
LOCALE = WEB / "src" / "locale"
GAMES = ("cronberg", "drunter")
LANGUAGES = ("en", "de", "fr")

REFERENCE = re.compile(r"\b[CD]\d+\.\d+\b")
_RULE = re.compile(r"^- ([CD]\d+\.\d+) ", re.MULTILINE)
_SECTION = re.compile(r"^## ([CD]\d+) (.+)$", re.MULTILINE)


@cache
def stated(game: str) -> tuple[str, ...]:
    """The numbers of all rules in the manual, in their order."""
    return tuple(_RULE.findall(_manual(game)))


@cache
def sections(game: str) -> dict[str, str]:
    """The manual's numbered sections with their titles."""
    return dict(_SECTION.findall(_manual(game)))


def _manual(game: str) -> str:
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")


@cache
def known() -> frozenset[str]:
    """The numbers of all rules of both games."""
    return frozenset(number for game in GAMES for number in stated(game))


def read(kind: str, language: str, game: str) -> Any:
    """One of the page's files: `rules` or `tutorial`."""
    return json.loads((LOCALE / kind / language / f"{game}.json").read_text(encoding="utf-8"))


def rules(language: str, game: str) -> dict[str, str]:
    """The text of every rule by its number."""
    return {rule["id"]: rule["text"] for part in read("rules", language, game)["sections"] for rule in part["rules"]}


def strings(thing: Any) -> Iterator[str]:
    """Every text in a file."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from strings(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from strings(value)
