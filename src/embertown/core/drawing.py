"""What the drawings of all games share: writing that fits, seats with their shapes, style sheets, symbols.

A game's drawing has a `Pen`, which knows its room's pictures and how its ids and classes begin; a theme gives colours
and says which picture stands for what.

>>> fitted("Wilhelmine Charlotte", width=100, size=20), signed(-8)
('Wilhelm…', '−8')
>>> Pen("embertown.cronberg", "cronberg", "cb").use("plaza", 3, 4)
'<use href="#cronberg-plaza" transform="translate(3 4)"/>'
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from xml.sax.saxutils import escape

from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, catalogue
from embertown.core.theme import Theme

SEAT_COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#CC79A7")
"""Okabe-Ito, by seat; each seat has its shape too: disc, square, triangle, diamond."""
SEAT_LETTERS = "ABCD"
_SEAT_SHAPES = (
    '<circle r="13"/>',
    '<rect x="-11.6" y="-11.6" width="23.200" height="23.200" rx="2.500"/>',
    '<path d="M0-15.500L15 10.500a1.500 1.500 0 0 1-1.500 1.500h-27a1.500 1.500 0 0 1-1.500-1.500z"/>',
    '<path d="M0-16L16 0 0 16-16 0z"/>',
)
_TRIANGLE = 2  # the seat whose letter stands lower

# fonts with all weights in one file, as the page has them, bear names of their own
SERIF = "'EB Garamond','EB Garamond Variable',Georgia,'Times New Roman','DejaVu Serif',serif"
SANS = "'Source Sans 3','Source Sans 3 Variable','Helvetica Neue',Arial,'DejaVu Sans',sans-serif"
LONGEST = 200
"""How many characters of a name are looked at."""

Vector = tuple[float, float]


# ---- writing


def number(value: float) -> str:
    """A coordinate, as short as it can be.

    >>> number(12.0), number(-0.04), number(3.14159)
    ('12', '0', '3.1')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def signed(value: int) -> str:
    """A number with a real minus sign."""
    return str(value).replace("-", "\N{MINUS SIGN}")


def plain_text(text: str) -> str:
    """Text on one line, without what is invisible or turns the direction of writing; at most 200 characters.

    >>> plain_text("Anne\\n\\x00\\u202eUlla")
    'Anne Ulla'
    """
    seen = "".join(" " if char.isspace() else char for char in text[:LONGEST])
    return " ".join("".join(char for char in seen if unicodedata.category(char)[0] != "C").split())


def text_width(text: str) -> float:
    """About how wide a text is, in its font's size: on the safe side."""
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    if char in "mwMW@%&…\N{EM DASH}":
        return 0.92
    if char in "iljtfI.,:;'!| ":
        return 0.33
    return 0.7 if char.isupper() or not char.isascii() else 0.58


def fitted(text: str, width: float, size: float) -> str:
    """The text, cut with an ellipsis where it is wider than this."""
    text = plain_text(text)
    if text_width(text) * size <= width:
        return text
    while text and (text_width(text) + 0.92) * size > width:
        text = text[:-1]
    return text.rstrip() + "…"


def size_to_fit(text: str, width: float, largest: float, smallest: float = 0) -> float:
    """The font size at which a text is at most this wide, within bounds.

    >>> size_to_fit("Anne", 300, largest=25), round(size_to_fit("Wilhelmine", 60, largest=25), 1)
    (25, 10.9)
    """
    return max(smallest, min(largest, width / max(1.0, text_width(text))))


def write(text: str, x: float, y: float, size: float, classes: str, *, more: str = "") -> str:
    """A text element."""
    place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
    return f'<text {place} class="{classes}"{more}>{escape(text)}</text>'


def tell(text: str, tag: str = "title") -> str:
    """What a screen reader says: a title, which is a tooltip too, or a `desc`.

    >>> tell("Ulla & Karl")
    '<title>Ulla &amp; Karl</title>'
    """
    return f"<{tag}>{escape(text)}</{tag}>"


def path_through(points: Iterable[Vector], *, closed: bool = True) -> str:
    """A path of straight lines.

    >>> path_through([(0, 0), (5, 2.5)], closed=False)
    'M0 0L5 2.5'
    """
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")


def rect(box: tuple[float, float, float, float], rounding: float, more: str) -> str:
    """A rectangle by its left, top, width and height.

    >>> rect((0, 0, 5, 2.5), 1, 'class="edge"')
    '<rect x="0" y="0" width="5" height="2.5" rx="1" class="edge"/>'
    """
    x, y, width, height = (number(value) for value in box)
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{number(rounding)}" {more}/>'


def safe_token(name: str) -> str:
    """A name that can stand in an attribute.

    >>> safe_token('city-hall" onload=')
    'city-hall__onload_'
    """
    return "".join(char if char.isalnum() or char == "-" else "_" for char in name)


# ---- seats


def seat_names(names: Sequence[str], players: int) -> list[str]:
    """The players' names, cleaned; a letter for whoever has none."""
    given = [plain_text(name) for name in names[:players]]
    given += [""] * (players - len(given))
    return [name or SEAT_LETTERS[seat] for seat, name in enumerate(given)]


def seat_letters(names: Sequence[str]) -> list[str]:
    """A letter for each seat's tokens: the initials, or A, B, C, D where two are the same.

    >>> seat_letters(["Karl", "ulla"]), seat_letters(["Karl", "Kurt"])
    (['K', 'U'], ['A', 'B'])
    """
    initials = [name[0].upper()[0] for name in names]
    usable = len(set(initials)) == len(initials) and all(char.isalnum() for char in initials)
    return initials if usable else list(SEAT_LETTERS[: len(names)])


# ---- a game's pen


@dataclass(frozen=True, slots=True)
class Pen:
    """How a game draws: the room with its pictures, how its ids begin, how its classes begin."""

    room: str
    game: str
    short: str

    def use(self, name: str, x: float = 0, y: float = 0, *, turn: float = 0, scale: float = 1) -> str:
        """A symbol, moved, turned and scaled."""
        moved = f"translate({number(x)} {number(y)})" if x or y else ""
        turned = f"rotate({number(turn)})" if turn else ""
        scaled = f"scale({scale:.3g})" if scale != 1 else ""
        transform = f' transform="{moved}{turned}{scaled}"' if moved or turned or scaled else ""
        return f'<use href="#{self.game}-{name}"{transform}/>'

    def symbol(self, name: str, content: str) -> str:
        """Something to be used more than once."""
        return f'<symbol id="{self.game}-{name}" overflow="visible">{content}</symbol>'

    def opening(self, size: Vector, theme: Theme, *, night: bool, width: int | None) -> str:
        """The start of a drawing of this size in its own units; `width` is in pixels."""
        pixels = "" if width is None else f' width="{width}" height="{round(width * size[1] / size[0])}"'
        classes = " ".join([self.game, theme.theme.id, *(["night"] if night else [])])
        box = f'viewBox="0 0 {number(size[0])} {number(size[1])}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="{classes}" {box}{pixels}>'

    def art(self, picture: str) -> str:
        """A picture of the room, as a symbol; empty where there is none.

        >>> pen = Pen("embertown.cronberg", "cronberg", "cb")
        >>> pen.art("church")[:32], pen.art("../board")
        ('<symbol id="cronberg-art-church"', '')
        """
        return _art(self.room, picture) if all(char.isalnum() or char == "-" for char in picture) else ""

    def common(self) -> str:
        """What all of the game's drawings need and that depends on nothing."""
        return _art(self.room, "_common").removeprefix("<defs>").removesuffix("</defs>").strip()

    def style_sheet(self, theme: Theme, *, night: bool, more: Iterable[str] = ()) -> str:
        """Both palettes as variables, and for each colour a class to fill (`cb-f-…`) and to stroke (`cb-s-…`).

        Every colour stands there twice, first plainly, for programs that know no variables.
        """
        short, where = self.short, f".{self.game}.{theme.theme.id}"
        rules = [
            f"{where}{{{_variables(short, theme.day)}}}",
            f"{where}.night{{{_variables(short, theme.night)}}}",
            f".{short}-serif{{font-family:{SERIF}}}.{short}-sans{{font-family:{SANS}}}",
            f".{short}-num{{font-family:{SERIF};font-weight:700;text-anchor:middle}}",
            f".{short}-num,.{short}-serif{{font-variant-numeric:lining-nums}}",
            f".{short}-n{{fill:none}}.{short}-mid{{text-anchor:middle}}.{short}-bold{{font-weight:700}}",
            *more,
        ]
        for name, colour in theme.colours(night=night).items():
            rules.append(f".{short}-f-{name}{{fill:{colour};fill:var(--{short}-{name})}}")
            rules.append(f".{short}-s-{name}{{stroke:{colour};stroke:var(--{short}-{name})}}")
        return "<style>" + "".join(rules) + "</style>"

    def token_symbols(self) -> str:
        """The seats' tokens, each in its colour and shape."""
        return "".join(
            self.symbol(f"token-{seat}", _token(shape, colour))
            for seat, (shape, colour) in enumerate(zip(_SEAT_SHAPES, SEAT_COLOURS, strict=True))
        )

    def token(self, seat: int, letter: str, at: Vector, scale: float = 1, classes: str = "") -> str:
        """A player's token, with its letter."""
        low, short = 8.0 if seat == _TRIANGLE else 6.2, self.short
        sign = write(letter, 0, low, 17.5, f"{short}-sans {short}-bold {short}-mid {short}-f-onseat")
        scaled = f" scale({scale:.3g})" if scale != 1 else ""
        where = f"translate({number(at[0])} {number(at[1])}){scaled}"
        return f'<g class="{classes or f"{short}-token"}" transform="{where}">{self.use(f"token-{seat}")}{sign}</g>'


@dataclass(frozen=True, slots=True)
class Dress:
    """A theme and a language: what the pieces of a game look like and what they are called.

    >>> pen = Pen("embertown.drunter", "drunter", "dr")
    >>> [Dress.of(pen, theme, "de").name("town-hall") for theme in ("schilda", "old-west")]
    ['Rathaus', 'Saloon']
    >>> Dress.of(pen, "schilda", called={"inn": "tavern"}).name("inn"), Dress.of(pen, "old-west").picture("inn")
    ('tavern', 'hotel')
    """

    game: str
    theme: Theme
    language: str
    called: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, pen: Pen, theme: str, language: str = DEFAULT_LANGUAGE, called: Mapping[str, str] | None = None
    ) -> Dress:
        """A dress by its theme's id; `called` are an edition's own names."""
        known = language if language in LANGUAGES else DEFAULT_LANGUAGE
        return cls(pen.game, Theme.find(pen.room, theme), known, called or {})

    @property
    def words(self) -> Mapping[str, str]:
        """What is written on drawings."""
        found: Mapping[str, str] = catalogue(self.game, self.language)["drawing"]
        return found

    @property
    def title(self) -> str:
        """What the town is called."""
        return self.theme.title.said_in(self.language)

    @property
    def subtitle(self) -> str:
        """What stands below it."""
        return self.theme.subtitle.said_in(self.language) if self.theme.subtitle else ""

    def name(self, piece: str) -> str:
        """What a piece, a place or a card is called: by the theme, else by the edition, else by the catalogue."""
        listed: Mapping[str, str] = catalogue(self.game, self.language)["pieces"]
        return (
            self.theme.name_of(piece, self.language) or self.called.get(piece) or listed.get(piece) or _as_words(piece)
        )

    def picture(self, piece: str) -> str:
        """The file that holds a piece's picture, or the name of its sign or pattern."""
        return self.theme.art.get(piece, piece)


def _as_words(piece: str) -> str:
    return plain_text(piece).replace("-", " ")


def _token(shape: str, colour: str) -> str:
    return (
        f'<g fill="#140c06" fill-opacity=".4" transform="translate(1.2 2.2)">{shape}</g>'
        f'<g fill="{colour}" stroke="#20150d" stroke-width="1.8" stroke-linejoin="round">{shape}</g>'
        f'<g fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="1.3" transform="scale(.8)">{shape}</g>'
    )


def _variables(short: str, palette: Mapping[str, str]) -> str:
    return ";".join(f"--{short}-{name}:{colour}" for name, colour in palette.items())


@cache
def _art(room: str, picture: str) -> str:
    file = files(room) / "art" / f"{picture}.svg"
    return file.read_text("utf-8").strip() if file.is_file() else ""
