"""A training as pictures: how a network learned, and where it likes to place first tokens at Cronberg."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from embertown.bots.network import LEAST, NetworkWeights, chances
from embertown.core.drawing import SANS, SEAT_COLOURS, number, path_through, rect, tell, write
from embertown.cronberg.board import COAT, GUARD, PARK, Board, Point
from embertown.training.cronberg_game import GAME
from embertown.training.kernels import GROUP
from embertown.training.selfplay import SelfPlay

WIDTH, LEFT, RIGHT = 850.0, 74.0, 820.0
TOP, PANEL, GAP = 84.0, 150.0, 66.0
SMALL, USUAL, LARGE = 12.0, 14.0, 18.0
DOT = 3
"""A measurement's: there may be one alone."""
MARKS = 4
"""A scale has so many steps."""
THOUSAND, MILLION = 1e3, 1e6
DAY = {"paper": "#fbf7ef", "ink": "#2b2118", "soft": "#6d6155", "line": "#d8cdbd"}
NIGHT = {"paper": "#1d1a17", "ink": "#efe6d8", "soft": "#b3a799", "line": "#453d35"}
COLOURS = {2: SEAT_COLOURS[0], 3: SEAT_COLOURS[1], 4: SEAT_COLOURS[2]}
"""By number of players."""
GROUND = {PARK: "#8fbf7f", GUARD: "#d98c7a", COAT: "#8aa9d6"}

UNIT = 86.0
"""The side of a triangle."""
LARGEST_DOT = 34.0
MIDDLE = 330.0
GAMES = 1024
"""So many games are looked at for a heat map."""


class Curve(NamedTuple):
    """A line through points, with its name and colour."""

    name: str
    colour: str
    points: Sequence[tuple[float, float]]


class Panel(NamedTuple):
    """Curves on one scale, from 0 or from the lowest value up."""

    title: str
    curves: Sequence[Curve]
    high: float
    form: str
    """How a value is written."""


def curves(rows: Sequence[Mapping[str, Any]], title: str) -> str:
    """How a network learned, from the lines of its metrics, as SVG.

    >>> rows = [{"steps": 1e6, "entropy": 2.0}, {"steps": 2e6, "entropy": 1.0, "2_against_random": [0.9, 0.01]}]
    >>> curves(rows, "cronberg")[:4]
    '<svg'
    """
    panels = [panel for panel in _panels(rows) if any(curve.points for curve in panel.curves)]
    furthest = max((float(row["steps"]) for row in rows if "steps" in row), default=1.0) or 1.0
    parts, top = [], TOP
    for panel in panels:
        parts += _drawn(panel, top, furthest)
        top += PANEL + GAP
    return _picture(title, parts, (WIDTH, top - GAP / 4))


def _panels(rows: Sequence[Mapping[str, Any]]) -> list[Panel]:
    def strengths(against: str) -> list[Curve]:
        return [Curve(f"{n} players", COLOURS[n], _points(rows, f"{n}_against_{against}")) for n in COLOURS]

    def plain(key: str) -> list[Curve]:
        return [Curve("", SEAT_COLOURS[3], _points(rows, key))]

    entropy, wrong = plain("entropy"), plain("value_loss")
    return [
        Panel("Share of the win against random play", strengths("random"), 1.0, "{:.0%}"),
        Panel("Share of the win against itself one measurement before", strengths("older"), 1.0, "{:.0%}"),
        Panel("Entropy of the policy", entropy, _highest(entropy), "{:.2g}"),
        Panel("How far values miss", wrong, _highest(wrong), "{:.2g}"),
    ]


def _points(rows: Sequence[Mapping[str, Any]], key: str) -> list[tuple[float, float]]:
    found = [(float(row["steps"]), row[key]) for row in rows if key in row and "steps" in row]
    return [(steps, float(value[0] if isinstance(value, list) else value)) for steps, value in found]


def _highest(lines: Sequence[Curve]) -> float:
    return max((value for line in lines for _, value in line.points), default=1.0) or 1.0


def in_millions(steps: float) -> str:
    """Steps in millions, with no more digits than tell something.

    >>> in_millions(0), in_millions(81_920), in_millions(60_948_480), in_millions(1_573_912_576)
    ('0', '0.0819', '60.9', '1,574')
    """
    millions = steps / MILLION
    return f"{millions:,.0f}" if millions >= THOUSAND else f"{millions:.3g}"


def _drawn(panel: Panel, top: float, furthest: float) -> list[str]:
    bottom = top + PANEL
    parts = [write(panel.title, LEFT, top - 12, USUAL, "ink bold")]
    for mark in range(MARKS + 1):
        share = mark / MARKS
        y, x = bottom - share * PANEL, LEFT + share * (RIGHT - LEFT)
        parts += [f'<path d="{path_through([(LEFT, y), (RIGHT, y)], closed=False)}" class="s-line"/>']
        parts += [write(panel.form.format(share * panel.high), LEFT - 8, y + 4, SMALL, "soft end")]
        steps = in_millions(share * furthest) + (" million steps" if mark == MARKS else "")
        parts += [write(steps, x, bottom + 18, SMALL, "soft end" if mark == MARKS else "soft mid")]
    for index, curve in enumerate(each for each in panel.curves if each.points):
        places = [
            (LEFT + steps / furthest * (RIGHT - LEFT), bottom - min(max(value / panel.high, 0), 1) * PANEL)
            for steps, value in curve.points
        ]
        line = path_through(places, closed=False)
        parts.append(f'<path d="{line}" fill="none" stroke="{curve.colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{number(x)}" cy="{number(y)}" r="{DOT}" fill="{curve.colour}"/>' for x, y in places]
        if curve.name:
            parts.append(write(curve.name, RIGHT - 90 * index, top - 12, SMALL, "end", more=f' fill="{curve.colour}"'))
    return parts


# ---- the heat map


def first_tokens(network: NetworkWeights, board: Board, players: int, games: int, seed: int = 1) -> dict[str, float]:
    """By crossing, the share of seats' first tokens there in games of the network against itself, by its policy."""
    batch, lots = SelfPlay(GAME, players, games, seed), np.random.default_rng(seed)
    arrays, every = batch.arrays, np.arange(games)
    symmetries = arrays.symmetries[np.repeat(arrays.layout_of, GROUP)]
    counts = np.zeros(len(board.crossings))
    waited_for = np.ones((games, players), bool)
    while waited_for.any():
        logits, _ = network.think(arrays.observations[:, : GAME.observation])
        shares = chances(logits, arrays.masks)
        arrays.answers[:] = (shares / lots.exponential(size=shares.shape)).argmax(axis=1)
        told = zip(arrays.positions, symmetries, arrays.answers, strict=True)
        actions = np.array([GAME.kernels.action_of(board.arrays, *each) for each in told])
        first = waited_for[every, arrays.seats] & (actions < len(counts))
        np.add.at(counts, actions[first], 1)
        waited_for[every[first], arrays.seats[first]] = False
        batch.advance()
        waited_for[arrays.done > 0] = False
    return dict(zip(board.crossings, (counts / max(counts.sum(), 1)).tolist(), strict=True))


def heat_map(network: NetworkWeights, board: Board, players: int, games: int = GAMES) -> str:
    """Where a network likes to place first tokens, as SVG: the larger a dot, the more of them."""
    shares = first_tokens(network, board, players, games)
    most = max(*shares.values(), float(LEAST))
    parts = [_triangle(board, name) for name in board.triangles]
    for name, share in shares.items():
        x, y = _at(board.point_of[name])
        size = LARGEST_DOT * math.sqrt(share / most)
        parts.append(f"<g>{tell(f'{name}: {share:.1%}')}{_dot(x, y, size)}")
        parts.append((write(f"{share:.0%}", x, y + 4, SMALL, "dark mid") if share >= most / 5 else "") + "</g>")
    return _picture(f"First tokens with {players} players, {games} games", parts, (2 * MIDDLE, 2 * MIDDLE + 40))


def _at(point: Point) -> tuple[float, float]:
    return MIDDLE + UNIT * point.x, MIDDLE + 44 + UNIT * point.y


def _triangle(board: Board, name: str) -> str:
    corners = path_through(_at(board.point_of[corner]) for corner in board.corners_of[name])
    return (
        f'<path d="{corners}" fill="{GROUND.get(board.symbol_of[name], "none")}" fill-opacity="0.45" class="s-line"/>'
    )


def _dot(x: float, y: float, size: float) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size)}" fill="{SEAT_COLOURS[0]}" class="s-line"/>'


# ---- both


def _picture(title: str, parts: Sequence[str], size: tuple[float, float]) -> str:
    box = f'viewBox="0 0 {number(size[0])} {number(size[1])}" width="{number(size[0])}" height="{number(size[1])}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="training" {box}>'
    paper = rect((0, 0, *size), 8, 'class="paper"')
    return "".join([head, tell(title), _style(), paper, write(title, 24, 34, LARGE, "ink bold"), *parts, "</svg>"])


def _style() -> str:
    def rules_of(palette: Mapping[str, str]) -> str:
        fills = "".join(f".training .{name}{{fill:{palette[name]}}}" for name in ("paper", "ink", "soft"))
        return fills + f".training .s-line{{stroke:{palette['line']}}}"

    text = f".training text{{font-family:{SANS}}}.training .bold{{font-weight:700}}.training .dark{{fill:#2b2118}}"
    ends = ".training .mid{text-anchor:middle}.training .end{text-anchor:end}"
    return f"<style>{text}{ends}{rules_of(DAY)}@media (prefers-color-scheme:dark){{{rules_of(NIGHT)}}}</style>"
