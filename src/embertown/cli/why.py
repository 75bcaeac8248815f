"""Why a bot did what it did, and what one would do, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rich.text import Text

from embertown.bots.contract import Choice, Reasons
from embertown.bots.network_bot import Hint
from embertown.cli.screen import printable
from embertown.cli.words import AnyWords, Line, signed
from embertown.core.game import View

MOST_CONSIDERED = 5
"""How many actions are told of those that were looked at."""
LINE_SHOWN = 8
"""How far the expected line is told."""
FAINT = 0.005
"""A belief below this share is not worth a word."""


class Thought(NamedTuple):
    """What a bot chose, and the view that it chose from."""

    view: View[Any]
    choice: Choice

    @property
    def reasons(self) -> Reasons:
        """Why; other packages' bots may give none, or what is none."""
        found: object = self.choice.reasons
        return found if isinstance(found, Reasons) else Reasons()

    def words(self, action: int, words: AnyWords) -> str:
        """An action as it is typed."""
        return words.action_words(self.view.text(action))


def why_lines(thought: Thought, words: AnyWords) -> list[Line]:
    """The reasons for a choice: what decided, what is expected for everybody, what else was looked at, beliefs."""
    seat, reasons = thought.view.seat or 0, thought.reasons
    head = f" {thought.words(thought.choice.action, words)}{_effort(reasons)}"
    lines: list[Line] = [Text.assemble(words.chip(seat), head)]
    if reasons.because:
        lines.append(f"    because: {printable(reasons.because)}")
    if reasons.considered:
        lines += _expected(thought, words)
        lines += _looked_at(thought, words)
    if len(reasons.line) > 1:
        more = ", …" if len(reasons.line) > LINE_SHOWN else ""
        steps = [printable(words.action_words(entry)) for entry in reasons.line[1:LINE_SHOWN]]
        lines.append(f"    expects then: {', '.join(steps)}{more}")
    lines += _believed(reasons, words)
    return lines if len(lines) > 1 else [*lines, "    It gives no reasons."]


def hint_lines(found: Hint, view: View[Any], words: AnyWords) -> list[Line]:
    """What is best by the network, by a search with it or, where it does not know the game, by a search alone."""
    texts = [(words.action_words(view.text(action)), share) for action, share in found.best]
    if len(view.legal_actions) == 1:
        return [f"Nothing but {texts[0][0]} is legal."]
    shares = [f"    {share:>4.0%}  {printable(text)}" for text, share in texts]
    expects = [] if found.win_share is None else [f"It expects you to win: {found.win_share:.0%}."]
    return [_adviser(found), *shares, *expects]


def _adviser(found: Hint) -> str:
    """Who gives a hint, as the line above it."""
    if found.by == "network":
        return "The network would, at once and without thinking ahead:"
    if found.by == "both":
        return "A short search, with the network beside it, tried most:"
    return f"{found.reason[0].upper()}{found.reason[1:]}; a short search tried most:"


def _effort(reasons: Reasons) -> str:
    if reasons.exact:
        return ", worked out to the end: these figures are exact"
    made = reasons.simulations
    return f", after {made:,} simulation{'' if made == 1 else 's'}" if made else ""


def _expected(thought: Thought, words: AnyWords) -> list[str]:
    """A table: everybody's share of the win and points at the end; nothing where it was not tried."""
    choice = thought.choice
    chosen = next((each for each in thought.reasons.considered if each.action == choice.action), None)
    if chosen is None:
        return []
    shares = [f"{share:.0%}" for share in chosen.win_share]
    points = [signed_points(value) for value in chosen.points]
    return list(_rows([("expects", *words.names), ("to win", *shares), ("points at the end", *points)]))


def _looked_at(thought: Thought, words: AnyWords) -> list[str]:
    """A table: the actions with the most visits, and what each promises to the bot itself."""
    seat, considered = thought.view.seat or 0, thought.reasons.considered
    shown = considered[:MOST_CONSIDERED]
    rows = [
        (
            thought.words(each.action, words),
            f"{each.visits:,}",
            f"{each.win_share[seat]:.0%}",
            signed_points(each.points[seat]),
        )
        for each in shown
    ]
    left = len(considered) - len(shown)
    more = [f"    and {left} other{'' if left == 1 else 's'}"] if left else []
    return [*_rows([("looked at", "visits", "to win", "points"), *rows]), *more]


def signed_points(value: float) -> str:
    """Expected points, with the minus sign that the board has.

    >>> signed_points(-2.25)
    '−2.2'
    """
    return f"{value:.1f}".replace("-", signed(-1)[0])


def _rows(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows in columns: the first to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
        yield f"    {first:<{widths[0]}}  {'  '.join(cells)}"


def _believed(reasons: Reasons, words: AnyWords) -> list[str]:
    """For each seat that has secrets: what they are thought to be, the likeliest first."""
    lines = []
    for seat, belief in enumerate(reasons.beliefs):
        if belief:
            likely = sorted(((share, name) for name, share in belief.items() if share >= FAINT), reverse=True)
            told = [f"{printable(words.piece_words(name))} {share:.0%}" for share, name in likely]
            lines.append(f"    thinks of {words.names[seat]}: {', '.join(told)}")
    return lines
