"""What a person at the table may ask for: hints, the rules, the legal actions and what they would bring, the scores."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from embertown.cli import tell
from embertown.core.errors import BadArgument, IllegalMove, NothingToUndo
from embertown.core.log import Entry
from embertown.cronberg.consequences import Consequences
from embertown.cronberg.game import CronbergState
from embertown.cronberg.rules import DRAW, PASS
from embertown.cronberg.terminal import legend

WIDTH = 78
RULE_WORDS = {"en": "rule", "de": "Regel", "fr": "règle"}

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
    "score, s              scores, and what the tokens would be worth now",
    "undo, u               take your last action back, but never a draw",
    "last                  once more what happened since your last turn",
    "board, b              draw the board again",
    "save FILE · quit, q   keep the game as a record · leave (Ctrl-D too)",
)


def help_lines() -> list[str | Text]:
    """The rules in five lines, what can be typed, what the signs mean."""
    titles = [Text(title, "bold") for title in ("The rules in five lines", "What you can type", "The signs")]
    return [titles[0], *RULES, "", titles[1], *COMMANDS, "", titles[2], legend()]


def greeting(state: CronbergState, names: Sequence[str]) -> str:
    """Who plays, and who begins."""
    seats = state.heading.seats
    who = [f"{name} (bot)" if seat.bot else name for name, seat in zip(names, seats, strict=True)]
    begins = f"{names[state.heading.first]} begin{'' if names[state.heading.first] == 'You' else 's'}"
    return f"Cronberg ({state.game.edition.id}): {', '.join(who)}. {begins}."


def hint(state: CronbergState, language: str) -> str:
    """What can be typed now, with an example that is legal here."""
    actions = state.legal_actions
    example = state.text(actions[len(actions) // 2]).partition(" ")[2]
    if state.drawn is not None:
        name = state.game.edition.name_of(state.drawn, language)
        return f"Place {name} on two triangles ({example}, say); list shows all, ? helps."
    tokens = [state.text(action).partition(" ")[2] for action in actions if action < DRAW]
    ways = [f"a crossing for a token ({tokens[len(tokens) // 2]})"] if tokens else []
    ways += ["d to draw a rhomb"] if DRAW in actions else []
    return f"Type {' or '.join(ways)}; list shows all, ? helps."


def refusal(error: IllegalMove, state: CronbergState, language: str) -> str:
    """Why an action is refused and by which rule, the rhomb's name in the same language."""
    details = dict(error.details)
    if "rhomb" in details and state.drawn is not None:
        details["rhomb"] = state.game.edition.name_of(state.drawn, language)
    sentence = IllegalMove(error.game, error.code, error.rule, error.places, details).sentence(language)
    return f"{sentence} ({RULE_WORDS[language]} {error.rule})"


def steps_to_undo(decisions: Sequence[Entry], seat: int, is_bot: Sequence[bool]) -> int:
    """How many decisions go back to the person's last one; forced passes are nobody's decision (C3.2)."""
    for steps, entry in enumerate(reversed(decisions), start=1):
        assert entry.seat is not None
        if entry.text == "draw":
            raise BadArgument("a rhomb has been drawn since: what has been seen can't be taken back")
        if entry.text == "pass":
            continue
        if entry.seat == seat:
            return steps
        if not is_bot[entry.seat]:
            raise BadArgument("another player has acted since: that can't be taken back")
    raise NothingToUndo("you have done nothing yet that could be taken back")


# ---- the list


def list_actions(state: CronbergState, names: Sequence[str], language: str) -> tuple[list[str], list[int]]:
    """The legal actions, numbered, with what they would bring; and their order."""
    return _placements(state, names, language) if state.drawn is not None else _choices(state, names)


def _placements(state: CronbergState, names: Sequence[str], language: str) -> tuple[list[str], list[int]]:
    found = {action: state.preview(action) for action in state.legal_actions}
    told = {action: words for action, what in found.items() if (words := tell.short_words(names, what))}
    telling = sorted(told, key=lambda action: (-_gain(state, found[action]), action))
    silent = [action for action in found if action not in told]
    label = {action: state.text(action).removeprefix("place ") for action in found}
    name = state.game.edition.name_of(state.drawn or "", language)
    lines = [f"{name} brings something at once on:"] if telling else []
    width = max(map(len, label.values()))
    lines += [f"{number:>3} {label[action]:<{width}}  {told[action]}" for number, action in enumerate(telling, start=1)]
    if silent:
        lines += [f"{name} scores nothing at once on:"]
        lines += _columns([f"{n:>3} {label[action]}" for n, action in enumerate(silent, start=len(telling) + 1)])
    return lines, telling + silent


def _gain(state: CronbergState, what: Consequences) -> int:
    """How much the seat to act gains on the best other seat."""
    own = state.seat or 0
    gains = [after - before for after, before in zip(what.scores, state.scores, strict=True)]
    return gains[own] - max(gain for seat, gain in enumerate(gains) if seat != own)


def _choices(state: CronbergState, names: Sequence[str]) -> tuple[list[str], list[int]]:
    tokens = [action for action in state.legal_actions if action < DRAW]
    others = [action for action in state.legal_actions if action in (DRAW, PASS)]
    worth = {action: words for action in tokens if (words := _worth_at_the_end(state, action, names))}
    order = others + list(worth) + [action for action in tokens if action not in worth]
    number = {action: n for n, action in enumerate(order, start=1)}
    lines = [f"{number[action]:>3} {state.text(action)}" for action in others]
    if worth:
        lines += ["Tokens that would score if the game ended now:"]
        lines += [f"{number[action]:>3} {words}" for action, words in worth.items()]
    rest = order[len(others) + len(worth) :]
    if rest:
        lines += ["Tokens on crossings, with the sum of the numbers that point there so far:"]
        lines += _columns([f"{number[action]:>3} {_so_far(state, action)}" for action in rest])
    return lines, order


def _so_far(state: CronbergState, action: int) -> str:
    crossing = state.text(action).removeprefix("token ")
    numbers = state.numbers_at(crossing)
    return f"{crossing} {tell.signed(sum(numbers)) if numbers else '·'}"


def _worth_at_the_end(state: CronbergState, action: int, names: Sequence[str]) -> str:
    """What a token would score if the game ended right after it (C8.2); nothing where it would not."""
    crossing = state.text(action).removeprefix("token ")
    after = state.copy().play(action)
    return next((tell.final_words(score, names) for score in after.final_scoring() if score.at == crossing), "")


def _columns(entries: Sequence[str]) -> list[str]:
    """Entries in equal columns, to be read line by line."""
    width = max(map(len, entries)) + 2
    across = max(1, (WIDTH + 2) // width)
    rows = [entries[start : start + across] for start in range(0, len(entries), across)]
    return ["".join(entry.ljust(width) for entry in row).rstrip() for row in rows]


# ---- the scores


def score_lines(state: CronbergState, names: Sequence[str]) -> list[str]:
    """The scores, the tokens on the board, and what they would bring if the game ended now."""
    lines = [tell.standings(names, state.scores)]
    for crossing, seat in state.tokens.items():
        numbers = state.numbers_at(crossing)
        so_far = f"{tell.sum_words(numbers)} = {tell.signed(sum(numbers))}" if numbers else "no number yet"
        lines.append(f"  {names[seat]}, {crossing}: {so_far}")
    final = state.final_scoring()
    if final:
        lines.append("If the game ended now, these would score:")
        lines += [f"  {tell.final_words(score, names)}" for score in final]
    return lines
