"""What a person typed at the table: an action, long or short, or a command.

>>> read("t d4"), read("C5+C6"), read("save my.json")
(Typed(word='act', rest='token d4'), Typed(word='act', rest='place C5+C6'), Typed(word='save', rest='my.json'))
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NamedTuple

from embertown.core.errors import MalformedText, shorten

ACT, NUMBER = "act", "number"
COMMANDS = {
    "?": "help",
    "help": "help",
    "h": "help",
    "list": "list",
    "l": "list",
    "undo": "undo",
    "u": "undo",
    "score": "score",
    "s": "score",
    "last": "last",
    "board": "board",
    "b": "board",
    "save": "save",
    "quit": "quit",
    "q": "quit",
    "exit": "quit",
}
ACTIONS = {"token": "token", "t": "token", "draw": "draw", "d": "draw", "place": "place", "p": "place", "pass": "pass"}
RIGHT = "d4 for a token, d to draw, C5+C6 for a rhomb, ? for help"

_NAME = r"[A-Za-z]\d{1,2}"
_ONE = re.compile(rf"({_NAME})")
_TWO = re.compile(rf"({_NAME})[\s+,/&-]*({_NAME})(?:[\s^,]*({_NAME}))?")


class Typed(NamedTuple):
    """A command and what follows it; an action as the game writes it."""

    word: str
    rest: str = ""


def read(line: str) -> Typed:
    """What a line means; `MalformedText` says what would be right."""
    word, _, rest = " ".join(line.split()).partition(" ")
    known = word if word in ACTIONS or word in COMMANDS else word.lower()
    if known in COMMANDS:
        return _command(COMMANDS[known], rest)
    if word.isdecimal() and not rest:
        return Typed(NUMBER, word)
    if known in ACTIONS:
        return Typed(ACT, _action(ACTIONS[known], rest, line))
    return Typed(ACT, _bare(f"{word} {rest}".strip(), line))


def _command(word: str, rest: str) -> Typed:
    if rest and word != "save":
        raise MalformedText(f"{word} stands alone; right would be: {word}")
    if word == "save" and not rest:
        raise MalformedText("save where? right would be: save game.json")
    return Typed(word, rest)


def _action(word: str, rest: str, line: str) -> str:
    if word in ("draw", "pass"):
        if rest:
            raise MalformedText(f"{word} stands alone; right would be: {word}")
        return word
    if word == "token":
        if not _ONE.fullmatch(rest):
            raise MalformedText(f"{shown(line)}: which crossing? Right would be: token d4, or d4")
        return f"token {rest.lower()}"
    if not _TWO.fullmatch(rest):
        raise MalformedText(f"{shown(line)}: which two triangles? Right would be: place C5+C6, or C5+C6")
    return _placement(rest)


def _bare(text: str, line: str) -> str:
    """A place alone: one crossing is for a token, two triangles are for a rhomb."""
    if _TWO.fullmatch(text):
        return _placement(text)
    if not _ONE.fullmatch(text):
        raise MalformedText(f"{shown(line)} is no action{_guess(text)}; right would be: {RIGHT}")
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


def _guess(text: str) -> str:
    near = get_close_matches(text.partition(" ")[0].lower(), [*ACTIONS, *COMMANDS], 1, 0.6)
    return f" (did you mean {near[0]}?)" if near and len(near[0]) > 1 else ""


def shown(line: str) -> str:
    """What was typed, to be shown again."""
    return shorten(repr(line.strip()), 40)
