"""Everything that can go wrong with what comes from outside, in one tree.

::

    EmbertownError                 catch this to catch all of them
    ├── Malformed                  can't be read, whatever the position
    │   ├── MalformedText          an action or a position that is not written right
    │   │   └── AmbiguousText      more than one action fits what is written
    │   └── MalformedFile          missing, too large, not TOML or JSON, a key twice
    │       ├── MalformedEdition   an edition that breaks the rules for editions
    │       └── MalformedRecord    a record with a wrong, missing or unknown key
    ├── Unknown                    a name that nothing answers to; lists what there is
    │   ├── UnknownGame
    │   ├── UnknownEdition
    │   ├── UnknownOption
    │   ├── UnknownTheme
    │   └── UnknownBot
    ├── UnusableBot                a bot of another package that can't be had: which, whose, why
    ├── BotFault                   a bot failed, or did what the rules forbid: who, what, position, seeds
    ├── BadArgument                an argument out of range: players, seats, seeds
    ├── IllegalMove                well written, but against a rule here: code, rule, places, sentence
    ├── ImpossiblePosition         a position that no game can reach
    ├── BrokenRecord               reads well, but the rules say otherwise: where, and by which rule
    ├── NothingToUndo              undo at the start of the game
    ├── NoRecord                   a game that was set up from a position has no record
    └── NoChance                   an outcome is due, or a card has to be known, and nothing here gives it

Every message says what is wrong, where, and what would be right. What it repeats of the outside can be shown anywhere:
nothing in it acts in a terminal. All of them survive pickling, so that they come back from another process as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from embertown.core.locale import DEFAULT_LANGUAGE, translate


class EmbertownError(Exception):
    """The root of the tree."""

    def message(self) -> str:
        """What is wrong, where, and what would be right."""
        return super().__str__()

    def __str__(self) -> str:
        return visible(self.message())


class Malformed(EmbertownError):
    """Something that can't be read, whatever the position."""


class MalformedText(Malformed):
    """An action or a position that is not written right."""


class AmbiguousText(MalformedText):
    """More than one action fits what is written."""


class Flaw(NamedTuple):
    """What keeps a file from being read, for those who tell it in other languages: its kind, and where in the text."""

    kind: str
    """`empty`, `not_text`, `too_large`, `cut_off`, `several`, `not_json`, `not_object`, `twice`, `no_record`,
    `other_version`, `missing_key` or `unknown_key`."""
    line: int = 0
    column: int = 0
    """From 1, both 0 where it is no place in the text."""


class MalformedFile(Malformed):
    """A file that is missing, too large, or not what it should be.

    >>> print(MalformedFile("my.toml", "board.side", "is 7", "2, 3 or 4"))
    my.toml: board.side: is 7; right would be: 2, 3 or 4
    """

    def __init__(self, file: str, key: str, wrong: str, right: str = "", flaw: Flaw | None = None) -> None:
        super().__init__(file, key, wrong, right, flaw)
        self.file, self.key, self.wrong, self.right, self.flaw = file, key, wrong, right, flaw

    def message(self) -> str:
        """The file, the key, what is wrong, and what would be right."""
        text = ": ".join(part for part in (self.file, self.key, self.wrong) if part)
        return f"{text}; right would be: {self.right}" if self.right else text


class MalformedEdition(MalformedFile):
    """An edition that breaks the rules for editions."""


class MalformedRecord(MalformedFile):
    """A record with a wrong, missing or unknown key."""


class Unknown(EmbertownError):
    """A name that nothing answers to.

    >>> print(UnknownGame("chess", ["cronberg"]))
    no game is called 'chess'; there is: cronberg
    """

    what = "thing"

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(name, self.known)

    def message(self) -> str:
        """The name, and the names that there are."""
        there_is = ", ".join(self.known) or "none"
        return f"no {self.what} is called {shown(self.name)}; there is: {there_is}"


class UnknownGame(Unknown):
    """No game of this name."""

    what = "game"


class UnknownEdition(Unknown):
    """No edition of this name, and no file either."""

    what = "edition"

    def message(self) -> str:
        """The name, the names that there are, and that a path would do."""
        return f"{super().message()}, or the path of an edition file"


class UnknownOption(Unknown):
    """The game has no such option."""

    what = "option"


class UnknownTheme(Unknown):
    """No theme of this name."""

    what = "theme"


class UnknownBot(Unknown):
    """No bot of this name."""

    what = "bot"


class UnusableBot(EmbertownError):
    """A bot that another package offers, and that can't be had.

    >>> print(UnusableBot("mine", "my-bots (my_bots:Mine) gives 7, which has no method choose"))
    the bot 'mine' can't be used: my-bots (my_bots:Mine) gives 7, which has no method choose
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name, self.reason = name, reason

    def message(self) -> str:
        """Which bot, and why."""
        return f"the bot {shown(self.name)} can't be used: {self.reason}"


class BotFault(EmbertownError):
    """A bot did what no bot may: who, what, and all that is needed to see it again.

    >>> print(BotFault("mine:100", 1, "failed: KeyError: 7", "cronberg: …", "0 round 5", 42))
    mine:100 at seat 1 failed: KeyError: 7; shuffle '0 round 5', the bot's seed 42; position: cronberg: …
    """

    def __init__(self, contestant: str, seat: int, what: str, position: str, shuffle: str | int, seed: int) -> None:
        super().__init__(contestant, seat, what, position, shuffle, seed)
        self.contestant, self.seat, self.what = contestant, seat, what
        self.position, self.shuffle, self.seed = position, shuffle, seed

    def message(self) -> str:
        """Who did what, where, and with which seeds."""
        seeds = f"shuffle {self.shuffle!r}, the bot's seed {self.seed}"
        return f"{self.contestant} at seat {self.seat} {self.what}; {seeds}; position: {self.position}"


class BadArgument(EmbertownError):
    """An argument out of range."""


class IllegalMove(EmbertownError):
    """Well written, but against a rule here.

    >>> error = IllegalMove("cronberg", "crossing_guarded", "C4.3", ("d4",), {"crossing": "d4"})
    >>> error.code, error.rule, error.places
    ('crossing_guarded', 'C4.3', ('d4',))
    >>> print(error.sentence("de"))
    Kreuzung d4 grenzt an eine aktivierte Wache.
    """

    def __init__(
        self,
        game: str,
        code: str,
        rule: str,
        places: tuple[str, ...] = (),
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(game, code, rule, places, details)
        self.game, self.code, self.rule, self.places, self.details = game, code, rule, places, details or {}

    def sentence(self, language: str = DEFAULT_LANGUAGE) -> str:
        """Why it is refused, in `language`: en, de or fr."""
        words = {
            key: value.get(language, value[DEFAULT_LANGUAGE]) if isinstance(value, dict) else value
            for key, value in self.details.items()
        }
        return translate(self.game, f"refusals.{self.code}", language, **words)

    def message(self) -> str:
        """The sentence, and the rule's number."""
        return f"{self.sentence()} ({self.rule})"


class ImpossiblePosition(EmbertownError):
    """A position that no game can reach: what is wrong with it, and the rule's number."""

    def __init__(self, what: str, rule: str) -> None:
        super().__init__(what, rule)
        self.what, self.rule = what, rule

    def message(self) -> str:
        """What is wrong, and the rule's number."""
        return f"{self.what} ({self.rule})"


class Breach(NamedTuple):
    """What in a record is against a rule, for those who tell it in other languages; plain values need none of it."""

    kind: str
    """`after_end`, `other_seat`, `must_pass` and so on: the name of a sentence."""
    names: dict[str, Any] | None = None
    """What is filled in; by language where names differ."""


class BrokenRecord(EmbertownError):
    """A record that reads well but differs from what the rules say.

    >>> print(BrokenRecord("moves[3].scored", "C6.1", "points are 4", "5"))
    moves[3].scored: points are 4; by rule C6.1 right would be: 5
    """

    def __init__(
        self, where: str, rule: str, wrong: str, right: str = "", file: str = "", breach: Breach | None = None
    ) -> None:
        super().__init__(where, rule, wrong, right, file, breach)
        self.where, self.rule, self.wrong, self.right, self.file = where, rule, wrong, right, file
        self.breach = breach

    def message(self) -> str:
        """Where, what is wrong, and what would be right by which rule."""
        place = ": ".join(part for part in (self.file, self.where) if part)
        right = f"; by rule {self.rule} right would be: {self.right}" if self.right else f" (rule {self.rule})"
        return f"{place}: {self.wrong}{right if self.rule else ''}"


class NothingToUndo(EmbertownError):
    """The game is at its start."""


class NoRecord(EmbertownError):
    """A game set up from a position has no beginning to record."""


class NoChance(EmbertownError):
    """An outcome is due, or a card has to be known, and nothing here gives it."""


def shorten(text: str, limit: int = 60) -> str:
    """What came from outside, cut to a length that fits into a message.

    >>> shorten("x" * 100, 5)
    'xxxx…'
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"


def shown(value: object, limit: int = 60) -> str:
    """Any value from outside as it fits into a message, also one too deep or too long for Python to write out.

    >>> shown("church"), shown(10**5000)
    ("'church'", 'a value of type int too large to show')
    """
    try:
        return shorten(repr(value), limit)
    except (RecursionError, ValueError):
        return f"a value of type {type(value).__name__} too large to show"


def visible(text: str) -> str:
    r"""A text with what can't be shown, or would act in a terminal, written as Python would escape it.

    >>> visible("Église \x1b[2J")
    'Église \\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
