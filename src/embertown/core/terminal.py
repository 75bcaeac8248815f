"""What terminal boards share: a sheet of characters, and the players with their shapes, letters and colours.

Colour never says anything alone: a player is a shape and a letter too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, catalogue

SHAPES = "●■▲◆"
"""The shape of each seat."""
SEAT_STYLES = tuple(f"bold #000000 on {colour}" for colour in ("#E69F00", "#56B4E9", "#009E73", "#CC79A7"))
SPARE_LETTERS = "ABCD"

FAINT = "dim"
TURN, WINNER = "►", "★"
LONGEST_NAME = 18


class Cell(NamedTuple):
    """A line and a column of the picture."""

    y: int
    x: int


class Canvas:
    """Characters and their styles; what is drawn later covers what was there, and nothing beyond is drawn."""

    def __init__(self, height: int, width: int) -> None:
        self.chars = [[" "] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]

    def put(self, at: Cell, text: str, style: str = "") -> None:
        """Draw on one line, from this cell on."""
        for x, char in enumerate(text, start=at.x):
            if 0 <= x < len(self.chars[at.y]):
                self.chars[at.y][x] = char
                self.styles[at.y][x] = style

    def lines(self) -> list[Text]:
        """What is drawn, without the empty lines above and below it."""
        drawn = [y for y, chars in enumerate(self.chars) if set(chars) != {" "}]
        return [self._line(y) for y in range(drawn[0], drawn[-1] + 1)]

    def _line(self, y: int) -> Text:
        line = Text()
        for char, style in zip(self.chars[y], self.styles[y], strict=True):
            line.append(char, style or None)
        line.rstrip()
        return line


@dataclass(frozen=True)
class Speech:
    """A table of a room's catalogue in one language; an unknown one is English.

    >>> Speech("cronberg", "de").say("tokens", supply=3, tokens=4)
    '3 von 4 Figuren übrig'
    """

    room: str
    language: str = DEFAULT_LANGUAGE
    table: str = "terminal"

    @property
    def words(self) -> Mapping[str, str]:
        """All that is said, by key."""
        known = self.language if self.language in LANGUAGES else DEFAULT_LANGUAGE
        found: Mapping[str, str] = catalogue(self.room, known)[self.table]
        return found

    def say(self, key: str, **parts: object) -> str:
        """A sentence, filled in."""
        return self.words[key].format(**parts)

    def tell(self, key: str, **parts: Text | str) -> Text:
        """A sentence whose parts keep their colours."""
        text = Text()
        for literal, name, _, _ in Formatter().parse(self.words[key]):
            text.append(literal)
            if name is not None:
                part = parts[name]
                text.append_text(part if isinstance(part, Text) else Text(part))
        return text


class Player(NamedTuple):
    """Who sits where, as the picture shows them."""

    seat: int
    name: str
    letter: str

    @property
    def chip(self) -> tuple[str, str]:
        """Shape and letter, and their style."""
        return f"{SHAPES[self.seat]}{self.letter}", SEAT_STYLES[self.seat]


def seated(
    count: int, names: Sequence[str], longest: int = LONGEST_NAME, nameless: str = "Player {letter}"
) -> list[Player]:
    """The players by seat; who has no name is Player A to D.

    >>> [(player.chip[0], player.name) for player in seated(2, ["Karl"])]
    [('●K', 'Karl'), ('■P', 'Player B')]
    """
    full = [printable(names[seat], longest) if seat < len(names) else "" for seat in range(count)]
    full = [name or nameless.format(letter=SPARE_LETTERS[seat]) for seat, name in enumerate(full)]
    return [Player(seat, full[seat], letter) for seat, letter in enumerate(letters(full))]


def letters(names: Sequence[str]) -> Sequence[str]:
    """The players' initials where they differ, else A to D.

    >>> "".join(letters(["Karl", "ulla"])), "".join(letters(["Anne", "Anton"]))
    ('KU', 'AB')
    """
    initials = [name[0].upper() for name in names]
    fit = all(letter.isalpha() and len(letter) == cell_len(letter) == 1 for letter in initials)
    return initials if fit and len(set(initials)) == len(initials) else SPARE_LETTERS[: len(names)]


def printable(name: str, longest: int = LONGEST_NAME) -> str:
    """A name as it may be shown: on one line, no control characters, not too long."""
    clean = "".join(char for char in name if char.isprintable()).strip()
    return clean if cell_len(clean) <= longest else set_cell_size(clean, longest - 1) + "…"


def joined(lines: Iterable[Text]) -> Text:
    """Lines as one text that a narrow terminal cuts off and does not wrap."""
    return Text("\n", no_wrap=True, overflow="crop").join(lines)
