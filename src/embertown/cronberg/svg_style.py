"""Colours, words and letters of the drawing: what `embertown.cronberg.svg` shares between its parts.

>>> fitted("Wilhelmine Charlotte", width=100, size=20)
'Wilhelm…'
>>> signed(-8), words("en")["left"]
('−8', 'left')
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from types import MappingProxyType
from xml.sax.saxutils import escape

PACKAGE = "embertown.cronberg"
THEME = "map-1726"
DAY, NIGHT = "day", "night"

SEAT_COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#CC79A7")
"""Okabe-Ito, by seat; each seat has its shape too: disc, square, triangle, diamond."""

SEAT_LETTERS = "ABCD"
SERIF = "'EB Garamond',Georgia,'Times New Roman','DejaVu Serif',serif"
SANS = "'Source Sans 3','Helvetica Neue',Arial,'DejaVu Sans',sans-serif"


@cache
def words(language: str) -> Mapping[str, str]:
    """The drawing's words in this language; English where there are none."""
    found: dict[str, dict[str, str]] = _theme("words")
    return MappingProxyType(found.get(language, found["en"]))


@cache
def palette(light: str) -> Mapping[str, str]:
    """The theme's colours by name, by day or by night."""
    return MappingProxyType(_theme(THEME)[light])


def _theme(name: str) -> dict[str, dict[str, str]]:
    file = resources.files(PACKAGE) / "themes" / f"{name}.toml"
    return tomllib.loads(file.read_text("utf-8"))


@cache
def style_sheet(light: str) -> str:
    """Both palettes as variables, and for each colour a class to fill (`cb-f-…`) and to stroke (`cb-s-…`).

    Every colour stands there twice, first plainly, for programs that know no variables.
    """
    rules = [
        f".cronberg{{{_variables(DAY)}}}",
        f".cronberg.night{{{_variables(NIGHT)}}}",
        f".cb-serif{{font-family:{SERIF}}}.cb-sans{{font-family:{SANS}}}",
        f".cb-num{{font-family:{SERIF};font-weight:700;text-anchor:middle}}",
        ".cb-n{fill:none}.cb-mid{text-anchor:middle}.cb-bold{font-weight:700}",
        ".cb-ongloom{--cb-line:var(--cb-chalkline);--cb-stone:var(--cb-dimstone)}",
    ]
    for name, colour in palette(light).items():
        rules.append(f".cb-f-{name}{{fill:{colour};fill:var(--cb-{name})}}")
        rules.append(f".cb-s-{name}{{stroke:{colour};stroke:var(--cb-{name})}}")
    return "<style>" + "".join(rules) + "</style>"


def _variables(light: str) -> str:
    return ";".join(f"--cb-{name}:{colour}" for name, colour in palette(light).items())


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
    seen = "".join(" " if char.isspace() else char for char in text[:200])
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


def write(text: str, x: float, y: float, size: float, classes: str, *, more: str = "") -> str:
    """A text element; the text is escaped here and nowhere else."""
    place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
    return f'<text {place} class="{classes}"{more}>{escape(text)}</text>'


# ---- names


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


@cache
def building_names(language: str) -> Mapping[str, str]:
    """The buildings' names in another language, from the editions that come with the package."""
    found: dict[str, str] = {}
    for file in sorted((resources.files(PACKAGE) / "editions").iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml"):
            for kind, rhomb in tomllib.loads(file.read_text("utf-8")).get("rhombi", {}).items():
                if language in rhomb:
                    found.setdefault(kind, rhomb[language])
    return found


def building_name(kind: str, language: str) -> str:
    """A building's name for people.

    >>> building_name("city-hall", "en"), building_name("city-hall", "de"), building_name("b", "fr")
    ('City hall', 'Rathaus', 'B')
    """
    return building_names(language).get(kind) or plain_text(kind).replace("-", " ").capitalize()
