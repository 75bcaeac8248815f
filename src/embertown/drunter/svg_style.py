"""Measures and style of the drawing: what `embertown.drunter.svg` shares between its parts.

>>> card_id("?"), card_id("jaa")
('blank', 'jaa')
"""

from __future__ import annotations

from embertown.core.drawing import Pen

PEN = Pen("embertown.drunter", "drunter", "dr")
DEFAULT_THEME = "schilda"
SIDE = 100.0
"""The side of a square, in the town's own units."""

MORE_RULES = (
    ".dr-haloed{paint-order:stroke;stroke:var(--dr-meadow);stroke-width:7px;stroke-linejoin:round}",
    "@media(prefers-reduced-motion:no-preference){.dr-flow{animation:drunter-flow 4s steps(16) infinite}}",
    "@keyframes drunter-flow{to{stroke-dashoffset:-50}}",
)
"""Names that stand out on houses; water that flows, for those who like it to move: in steps, as a smooth flow would
have the whole town drawn anew sixty times a second (a third of a core without a graphics card; so a tenth)."""


def card_id(card: str) -> str:
    """A vote card's name in catalogues and ids, where no question mark can stand."""
    return "blank" if card == "?" else card
