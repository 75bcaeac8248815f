"""What drawings refer to, taken apart for pages: style sheet, symbols by name, patterns; a theme's colours and names.

>>> split_defs('<defs><style>.a{}</style><pattern id="p"/><symbol id="s">1</symbol></defs>')
{'style': '.a{}', 'symbols': {'s': '<symbol id="s">1</symbol>'}, 'defs': '<pattern id="p"/>'}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from embertown.core.drawing import SEAT_COLOURS, Dress, Pen
from embertown.core.locale import LANGUAGES
from embertown.core.theme import Theme

_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)


def split_defs(defs: str) -> dict[str, Any]:
    """A `<defs>` in parts: the style sheet, the symbols by id, and all else as it stands there."""
    inside = defs.removeprefix("<defs>").removesuffix("</defs>")
    return {
        "style": "".join(_STYLE.findall(inside)),
        "symbols": {found[1]: found[0] for found in _SYMBOL.finditer(inside)},
        "defs": _STYLE.sub("", _SYMBOL.sub("", inside)).strip(),
    }


def dressed(
    pen: Pen, defs: str, dress_in: Callable[[str], Dress], pieces: Iterable[str], pictures: Mapping[str, str]
) -> dict[str, Any]:
    """All that a page needs to draw in a dress: `dress_in` gives it in a language, `pictures` the ids by piece."""
    dresses = {language: dress_in(language) for language in LANGUAGES}
    theme: Theme = next(iter(dresses.values())).theme
    return {
        "game": pen.game,
        "theme": theme.theme.id,
        "themes": list(Theme.shipped(pen.room)),
        "classes": f"{pen.game} {theme.theme.id}",
        "prefix": pen.short,
        "title": {language: dress.title for language, dress in dresses.items()},
        "subtitle": {language: dress.subtitle for language, dress in dresses.items()},
        "names": {piece: {lang: dress.name(piece) for lang, dress in dresses.items()} for piece in pieces},
        "pictures": dict(pictures),
        "day": dict(theme.day),
        "night": dict(theme.night),
        "seats": [{"colour": colour, "symbol": f"{pen.game}-token-{seat}"} for seat, colour in enumerate(SEAT_COLOURS)],
        **split_defs(defs),
    }
