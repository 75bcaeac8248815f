"""What a person typed at a table of Cronberg, long or short, as the game writes it.

>>> action("t d4"), action("C5+C6"), action("hello")
('token d4', 'place C5+C6', None)
"""

from __future__ import annotations

import re

from embertown.cli.typed import beginning_with, shown
from embertown.core.errors import MalformedText

VERBS = {"token": "token", "t": "token", "draw": "draw", "d": "draw", "place": "place", "p": "place", "pass": "pass"}
RIGHT = "d4 for a token, d to draw, C5+C6 for a rhomb, ? for help"

_NAME = r"[A-Za-z]\d{1,2}"
_ONE = re.compile(rf"({_NAME})", re.ASCII)
_TWO = re.compile(rf"({_NAME})[\s+,/&-]*({_NAME})(?:[\s^,]*({_NAME}))?", re.ASCII)


def action(line: str) -> str | None:
    """The action that a line means; None where it looks like none."""
    word, _, rest = line.partition(" ")
    verbs = [word.lower()] if word.lower() in VERBS else beginning_with(word, VERBS)
    if len(verbs) == 1:
        return _with_verb(VERBS[verbs[0]], rest, line)
    return _bare(line)


def _with_verb(verb: str, rest: str, line: str) -> str:
    if verb in ("draw", "pass"):
        if rest:
            raise MalformedText(f"{verb} stands alone; right would be: {verb}")
        return verb
    if verb == "token":
        if not _ONE.fullmatch(rest):
            raise MalformedText(f"{shown(line)}: which crossing? Right would be: token d4, or d4")
        return f"token {rest.lower()}"
    if not _TWO.fullmatch(rest):
        raise MalformedText(f"{shown(line)}: which two triangles? Right would be: place C5+C6, or C5+C6")
    return _placement(rest)


def _bare(text: str) -> str | None:
    """A place alone: one crossing is for a token, two triangles are for a rhomb."""
    if _TWO.fullmatch(text):
        return _placement(text)
    if not _ONE.fullmatch(text):
        return None
    if text[0].isupper():
        raise MalformedText(
            f"{text} is a triangle, and a rhomb covers two: C5+C6, say; the crossing would be {text.lower()}"
        )
    return f"token {text}"


def _placement(text: str) -> str:
    """Triangles have capital letters, crossings small ones: which is meant is clear here."""
    match = _TWO.fullmatch(text)
    assert match is not None
    first, second, head = match.groups()
    return f"place {first.upper()}+{second.upper()}" + (f" ^{head.lower()}" if head else "")
