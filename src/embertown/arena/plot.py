"""Standings as a picture: win rates with their intervals, ratings with their uncertainty; by day and by night."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from embertown.arena.figures import NORMAL_95, PairingFigures, Standings
from embertown.core.drawing import SANS, SEAT_COLOURS, fitted, number, rect, tell, write

WIDTH = 850.0
LABELS = 330.0
"""Where the names end and the scale begins."""
RIGHT = 746.0
"""Where the scale ends and the numbers begin."""
ROW = 30.0
TOP = 74.0
GAP = 84.0
"""Below a panel: its scale and the next one's title."""
BELOW = 26.0
"""What of it the last panel does not need."""
SMALL, USUAL, LARGE = 12.0, 14.0, 18.0
DOT = 5.0
POLYGON = 7.0
"""From the middle of a mark to its corners."""
CAP = 5.0
STEPS = 5
"""A scale has about so many marks."""
NICE = (1.0, 2.0, 5.0, 10.0)

DAY = {"paper": "#fbf7ef", "ink": "#2b2118", "soft": "#6d6155", "line": "#d8cdbd", "mark": "#a33b12"}
NIGHT = {"paper": "#1d1a17", "ink": "#efe6d8", "soft": "#b3a799", "line": "#453d35", "mark": "#f0a070"}


class Row(NamedTuple):
    """A name, a value and the ends of its interval, with what is written beside it."""

    name: str
    value: float
    low: float
    high: float
    said: str
    contestant: int
    """Its number: each has a colour and a mark of its own."""


class Panel(NamedTuple):
    """Rows on one scale."""

    title: str
    rows: Sequence[Row]
    low: float
    high: float
    marks: Sequence[tuple[float, str]]
    dashed: Sequence[tuple[float, str]]
    """Values with a line across all rows, and what they mean."""

    def at(self, value: float) -> float:
        """Where a value stands."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return LABELS + share * (RIGHT - LABELS)

    @property
    def height(self) -> float:
        """From the title to the scale."""
        return ROW * len(self.rows)


def plot(standings: Standings, *, night: bool = False) -> str:
    """Standings as SVG; without `night` it follows the viewer's own day or night.

    >>> from embertown.arena import Tournament, play, standings
    >>> plot(standings(play(Tournament("cronberg", ["greedy", "random"]), games=4, jobs=1)))[:4]
    '<svg'
    """
    panels = [_win_rates(standings), _ratings(standings)]
    height = TOP + sum(panel.height + GAP for panel in panels) - BELOW
    box = f'viewBox="0 0 {number(WIDTH)} {number(height)}" width="{number(WIDTH)}" height="{number(height)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="arena" {box}>',
        tell(_title(standings)),
        _style(night),
        rect((0, 0, WIDTH, height), 8, 'class="paper"'),
        write(fitted(_title(standings), WIDTH - 48, LARGE), 24, 36, LARGE, "ink bold"),
    ]
    top = TOP + 20
    for panel in panels:
        parts += _draw(panel, top)
        top += panel.height + GAP
    return "".join([*parts, "</svg>"])


def _title(standings: Standings) -> str:
    game = standings.tournament.game
    options = "".join(f", {name.replace('_', ' ')}" for name in game.options)
    return f"{game.name} ({game.edition.id}, {game.players} players{options}): {standings.games} games"


def _style(night: bool) -> str:
    def rules(palette: dict[str, str]) -> str:
        fills = "".join(f".arena .{name}{{fill:{palette[name]}}}" for name in ("paper", "ink", "soft", "mark"))
        return fills + "".join(f".arena .s-{name}{{stroke:{palette[name]}}}" for name in ("ink", "line", "mark"))

    both = "" if night else f"@media (prefers-color-scheme:dark){{{rules(NIGHT)}}}"
    text = f".arena text{{font-family:{SANS}}}.arena .bold{{font-weight:700}}"
    ends = ".arena .mid{text-anchor:middle}.arena .end{text-anchor:end}.arena .dash{stroke-dasharray:4 4}"
    return f"<style>{text}{ends}{rules(NIGHT if night else DAY)}{both}</style>"


# ---- what is in the panels


def _win_rates(standings: Standings) -> Panel:
    rows = [_win_row(standings, found) for found in standings.pairings]
    tested, expected = standings.tournament.tested_share, standings.tournament.expected
    dashed = [(expected, f"equal: {expected:.0%}")]
    dashed += [(tested, f"to beat: {tested:.0%}")] if tested != expected else []
    marks = [(share / 4, f"{share / 4:.0%}") for share in range(5)]
    return Panel("Share of wins, with 95 % intervals", rows, 0, 1, marks, dashed)


def _win_row(standings: Standings, found: PairingFigures) -> Row:
    low, high = found.interval
    said = f"{found.share:.1%} of {found.games}" if found.games else "not played"
    return Row(versus(found), found.share, low, high, said, _number(standings, found.contestant))


def versus(found: PairingFigures) -> str:
    """Who is measured against whom.

    A contestant among copies of another is `greedy – 3 × random`.
    """
    others = sorted(set(found.others), key=found.others.index)
    counted = [name if found.others.count(name) == 1 else f"{found.others.count(name)} × {name}" for name in others]
    return f"{found.contestant} \N{EN DASH} {', '.join(counted)}"


def _ratings(standings: Standings) -> Panel:
    rows = []
    for found in standings.contestants:
        reach = NORMAL_95 * found.rating.uncertainty
        low, high = found.rating.mean - reach, found.rating.mean + reach
        said = f"{found.rating.mean:.1f} ± {reach:.1f}"
        rows.append(Row(found.contestant, found.rating.mean, low, high, said, _number(standings, found.contestant)))
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    step = _nice_step((high - low) / STEPS)
    first, last = math.floor(low / step), math.ceil(high / step)
    marks = [(at * step, f"{at * step:g}".replace("-", "\N{MINUS SIGN}")) for at in range(first, last + 1)]
    return Panel("Ratings (openskill), with 95 % intervals", rows, first * step, last * step, marks, ())


def _nice_step(wanted: float) -> float:
    """A step of 1, 2 or 5, or ten times that, and so on, that is no smaller than this."""
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(nice * power for nice in NICE if nice * power >= wanted * (1 - 1e-9))


def _number(standings: Standings, name: str) -> int:
    return standings.tournament.names.index(name)


# ---- how they are drawn


def _draw(panel: Panel, top: float) -> list[str]:
    bottom = top + panel.height
    parts = [write(panel.title, 24, top - 18, USUAL, "ink bold")]
    for value, text in panel.marks:
        parts += [_line((panel.at(value), top), (panel.at(value), bottom), "s-line", 1)]
        parts += [write(text, panel.at(value), bottom + 18, SMALL, "soft mid")]
    for value, text in panel.dashed:
        parts += [_line((panel.at(value), top - 4), (panel.at(value), bottom), "s-mark dash", 1.5)]
        parts += [write(text, panel.at(value), top - 8, SMALL, f"mark {_side(value, panel.dashed)}")]
    for index, row in enumerate(panel.rows):
        parts.append(_draw_row(panel, row, top + (index + 0.5) * ROW))
    return parts


def _side(value: float, dashed: Sequence[tuple[float, str]]) -> str:
    """Where a text stands at its line: in the middle, or where there are two lines, on the outer side."""
    others = [other for other, _ in dashed if other != value]
    return "mid" if not others else "end" if value < others[0] else "start"


def _draw_row(panel: Panel, row: Row, y: float) -> str:
    left, right, middle = panel.at(row.low), panel.at(row.high), panel.at(row.value)
    return "".join(
        [
            "<g>",
            tell(f"{row.name}: {row.said}"),
            write(fitted(row.name, LABELS - 36, USUAL), LABELS - 12, y + 5, USUAL, "ink end"),
            _line((left, y), (right, y), "s-ink", 2),
            *(_line((x, y - CAP), (x, y + CAP), "s-ink", 2) for x in (left, right)),
            _mark(row.contestant, middle, y),
            write(row.said, RIGHT + 12, y + 4, SMALL, "soft"),
            "</g>",
        ]
    )


def _mark(contestant: int, x: float, y: float) -> str:
    """A dot for the first contestants, one for each colour; then triangles, squares, and so on."""
    again, colour = divmod(contestant, len(SEAT_COLOURS))
    look = f'fill="{SEAT_COLOURS[colour]}" class="s-ink"'
    if not again:
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(DOT)}" {look}/>'
    corners = again + 2
    turns = [math.tau * corner / corners for corner in range(corners)]
    points = " ".join(
        f"{number(x + POLYGON * math.sin(turn))},{number(y - POLYGON * math.cos(turn))}" for turn in turns
    )
    return f'<polygon points="{points}" {look}/>'


def _line(start: tuple[float, float], end: tuple[float, float], classes: str, width: float) -> str:
    places = f'x1="{number(start[0])}" y1="{number(start[1])}" x2="{number(end[0])}" y2="{number(end[1])}"'
    return f'<line {places} class="{classes}" stroke-width="{number(width)}"/>'
