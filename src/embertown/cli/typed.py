"""What a person typed at the table: an action in the game's words, the number of one that was listed, or a command."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from embertown.cli.words import AnyWords, listing
from embertown.core.errors import AmbiguousText, MalformedText, shorten
from embertown.core.game import View

ACT, NUMBER = "act", "number"
COMMANDS = {
    "?": "help",
    "help": "help",
    "h": "help",
    "hint": "hint",
    "list": "list",
    "l": "list",
    "undo": "undo",
    "u": "undo",
    "score": "score",
    "s": "score",
    "last": "last",
    "why": "why",
    "w": "why",
    "board": "board",
    "b": "board",
    "save": "save",
    "quit": "quit",
    "q": "quit",
    "exit": "quit",
}
SECRETS = "secrets"
"""What is typed after why by somebody who wants to know what they may not."""
SHORTEST_BEGINNING = 2
"""Letters of a command that stand for all of it, if no other command or action begins so."""


class Typed(NamedTuple):
    """A command and what follows it; an action as the game writes it."""

    word: str
    rest: str = ""


def read(line: str, words: AnyWords, view: View[Any]) -> Typed:
    """What a line means; `MalformedText` says what would be right."""
    line = " ".join(line.split())
    word, _, rest = line.partition(" ")
    if word.lower() in COMMANDS:
        return _command(COMMANDS[word.lower()], rest)
    if word.isdecimal() and word.isascii() and not rest:
        return Typed(NUMBER, word)
    begun = sorted({COMMANDS[name] for name in beginning_with(word, COMMANDS)})
    action = words.action(line, view)
    meant = begun if action is None else [words.action_words(action), *begun]
    if len(meant) > 1:
        raise AmbiguousText(f"{shown(line)} may mean {listing(meant, 'or')}; right would be: more of the word")
    if begun:
        return _command(begun[0], rest)
    if action is None:
        raise MalformedText(f"{shown(line)} is no action{_guess(word, words)}; right would be: {words.right(view)}")
    return Typed(ACT, action)


def beginning_with(word: str, names: Iterable[str]) -> list[str]:
    """The names that a word is the beginning of; a letter alone says too little."""
    return [name for name in names if len(word) >= SHORTEST_BEGINNING and name.startswith(word.lower())]


def _command(word: str, rest: str) -> Typed:
    if word == "why" and rest not in ("", SECRETS):
        raise MalformedText(f"why {shown(rest)}? right would be: why, or why {SECRETS}")
    if rest and word not in ("save", "why"):
        raise MalformedText(f"{word} stands alone; right would be: {word}")
    if word == "save" and not rest:
        raise MalformedText("save where? right would be: save game.json")
    return Typed(word, rest)


def _guess(word: str, words: AnyWords) -> str:
    near = get_close_matches(word.lower(), [*words.verbs, *COMMANDS], 1, 0.6)
    return f" (did you mean {near[0]}?)" if near and len(near[0]) > 1 else ""


def shown(line: str) -> str:
    """What was typed, to be shown again."""
    return shorten(repr(line.strip()), 40)
