"""What a person at a table of Cronberg may ask for: hints, the rules, what they can do and would score, the scores."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from embertown.cli import cronberg_tell as tell
from embertown.cli.words import Line, columns, signed
from embertown.core.chance import SeededChance
from embertown.cronberg.consequences import Consequences
from embertown.cronberg.rules import DRAW, PASS
from embertown.cronberg.terminal import legend
from embertown.cronberg.view import CronbergView

RULES = (
    "1 Place a token on a crossing, or draw a rhomb and place it (C3.1).",
    "2 A token with rhombi all around scores the numbers pointing at it (C6.1).",
    "3 A free triangle alone among rhombi is active; guards chase tokens away (C7).",
    "4 At the end tokens beside active parks and coats of arms score too (C8.2):",
    "5 beside a coat all numbers count as positive; every park doubles. Most wins.",
)
COMMANDS = (
    "token d4, t d4, d4    a token on crossing d4 (small letter)",
    "draw, d               draw a rhomb; then it has to be placed",
    "place C5+C6, C5+C6    the rhomb in hand on these triangles (capital letters);",
    "                      C5+C6 ^d3 where turning matters: first number at d3",
    "list, l               what you can do and what it scores; a number chooses",
    "hint                  what a trained network would do, its best three",
    "score, s              scores, and what the tokens would be worth now",
    "undo, u               take your last action back, but never a draw",
    "last                  once more what happened since your last turn",
    "why, w                why a bot did what it did last",
    "board, b              draw the board again",
    "save FILE · quit, q   keep the game as a record · leave (Ctrl-D too)",
)


def help_lines(language: str) -> list[Line]:
    """The rules in five lines, what can be typed, what the signs mean."""
    titles = [Text(title, "bold") for title in ("The rules in five lines", "What you can type", "The signs")]
    return [titles[0], *RULES, "", titles[1], *COMMANDS, "", titles[2], legend(language)]


def hint(view: CronbergView, language: str) -> str:
    """What can be typed now, with an example that is legal here."""
    actions = view.legal_actions
    example = view.text(actions[len(actions) // 2]).partition(" ")[2]
    if view.drawn is not None:
        name = view.game.edition.name_of(view.drawn, language)
        return f"Place {name} on two triangles ({example}, say); list shows all, ? helps."
    tokens = [view.text(action).partition(" ")[2] for action in actions if action < DRAW]
    ways = [f"a crossing for a token ({tokens[len(tokens) // 2]})"] if tokens else []
    ways += ["d to draw a rhomb"] if DRAW in actions else []
    return f"Type {' or '.join(ways)}; list shows all, ? helps."


# ---- the list


def list_actions(view: CronbergView, names: Sequence[str], language: str) -> tuple[list[str], list[int]]:
    """The legal actions, numbered, with what they would bring; and their order."""
    return (_placements if view.drawn is not None else _choices)(view, names, language)


def _placements(view: CronbergView, names: Sequence[str], language: str) -> tuple[list[str], list[int]]:
    found = {action: view.preview(action) for action in view.legal_actions}
    told = {action: words for action, what in found.items() if (words := tell.short_words(names, what))}
    telling = sorted(told, key=lambda action: (-_gain(view, found[action]), action))
    silent = [action for action in found if action not in told]
    label = {action: view.text(action).removeprefix("place ") for action in found}
    name = view.game.edition.name_of(view.drawn or "", language)
    lines = [f"{name} brings something at once on:"] if telling else []
    width = max(map(len, label.values()))
    lines += [f"{number:>3} {label[action]:<{width}}  {told[action]}" for number, action in enumerate(telling, start=1)]
    if silent:
        lines += [f"{name} scores nothing at once on:"]
        lines += columns([f"{n:>3} {label[action]}" for n, action in enumerate(silent, start=len(telling) + 1)])
    return lines, telling + silent


def _gain(view: CronbergView, what: Consequences) -> int:
    """How much the seat to act gains on the best other seat."""
    own = view.seat or 0
    gains = [after - before for after, before in zip(what.scores, view.scores, strict=True)]
    return gains[own] - max(gain for seat, gain in enumerate(gains) if seat != own)


def _choices(view: CronbergView, names: Sequence[str], language: str) -> tuple[list[str], list[int]]:
    tokens = [action for action in view.legal_actions if action < DRAW]
    others = [action for action in view.legal_actions if action in (DRAW, PASS)]
    worth = {action: words for action in tokens if (words := _worth_at_the_end(view, action, names, language))}
    order = others + list(worth) + [action for action in tokens if action not in worth]
    number = {action: n for n, action in enumerate(order, start=1)}
    lines = [f"{number[action]:>3} {view.text(action)}" for action in others]
    if worth:
        lines += ["Tokens that would score if the game ended now:"]
        lines += [f"{number[action]:>3} {words}" for action, words in worth.items()]
    rest = order[len(others) + len(worth) :]
    if rest:
        lines += ["Tokens on crossings, with the sum of the numbers that point there so far:"]
        lines += columns([f"{number[action]:>3} {_so_far(view, action)}" for action in rest])
    return lines, order


def _so_far(view: CronbergView, action: int) -> str:
    crossing = view.text(action).removeprefix("token ")
    numbers = view.numbers_at(crossing)
    return f"{crossing} {signed(sum(numbers)) if numbers else '·'}"


def _worth_at_the_end(view: CronbergView, action: int, names: Sequence[str], language: str) -> str:
    """What a token would score if the game ended right after it (C8.2); nothing where it would not."""
    crossing = view.text(action).removeprefix("token ")
    after = view.sample(SeededChance(0)).play(action)  # a token calls for no chance
    final = after.final_scoring()
    return next((tell.final_words(score, names, language) for score in final if score.at == crossing), "")


# ---- the scores


def score_lines(view: CronbergView, names: Sequence[str], language: str) -> list[str]:
    """The scores, the tokens on the board, and what they would bring if the game ended now."""
    lines = [tell.standings(names, view.scores)]
    for crossing, seat in view.tokens.items():
        numbers = view.numbers_at(crossing)
        so_far = f"{tell.sum_words(numbers)} = {signed(sum(numbers))}" if numbers else "no number yet"
        lines.append(f"  {names[seat]}, {crossing}: {so_far}")
    final = view.final_scoring()
    if final:
        lines.append("If the game ended now, these would score:")
        lines += [f"  {tell.final_words(score, names, language)}" for score in final]
    return lines
