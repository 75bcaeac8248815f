"""What a person at a table of Drunter & Drüber may ask for: hints, the rules, what they can do, how it stands."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from embertown.cli import drunter_tell as tell
from embertown.cli.drunter_typed import right
from embertown.cli.words import Line, columns, listing
from embertown.drunter.board import BUILDINGS
from embertown.drunter.consequences import Consequences
from embertown.drunter.rules import CARDS, FIRST_CHOICE, FIRST_VOTE, JEEIIN_WORTH, NO, PASS, SAY_YES, YES, Phase
from embertown.drunter.terminal import legend
from embertown.drunter.view import DrunterView

RULES = (
    "1 Lay one tile on your turn: wall, road or river, onward from its gang (D4).",
    "2 What it covers is lost; over an outhouse (♥) only after a vote (D5, D6).",
    "3 A vote: everybody plays a card in secret; yes wins ties; used cards are gone,",
    "  ?… comes back. Tiles of three squares are bridges: paths lead under (D4.4).",
    "4 At the end your objective's buildings left standing score their values (D8).",
    "5 Keep it secret. Variant: two objectives; choose when a path is blocked (D9).",
)
COMMANDS = (
    "wall A1 B1-D1         a wall by the gang of A1, from B1 to D1; A1 B1-D1 will do,",
    "                      and B1-D1 where only one gang fits; B1 for length 1",
    "ja … neee, blank,     a vote card; blank is ?…; ne+neee where several are",
    "  jeeiin              allowed; then yes or no: what your Jeeiin counts as",
    "school                an objective, when you have to choose",
    "list, l               what you can do and what it covers; a number chooses",
    "hint                  the best three, by a trained network and a short search",
    "score, s              what is left standing, and what it is worth to you",
    "undo, u               take your last tile back, but never a vote or a choice",
    "last · board, b       what happened since your turn · the board again",
    "why secrets           why a bot did what it did last, its secrets with it",
    "save FILE · quit, q   keep the game as a record · leave (Ctrl-D too)",
)
CARD_COLUMN = 10


def help_lines(language: str) -> list[Line]:
    """The rules in five lines, what can be typed, what the signs mean."""
    titles = [Text(title, "bold") for title in ("The rules in five lines", "What you can type", "The signs")]
    return [titles[0], *RULES, titles[1], *COMMANDS, titles[2], legend(language)]


def hint(view: DrunterView, language: str) -> str:
    """What can be typed now, with an example that is legal here."""
    if view.phase is Phase.VOTING:
        return f"Your vote: {right(view, language)}."
    if view.phase is Phase.JEEIIN:
        return "What does your Jeeiin count as: yes or no?"
    if view.phase is Phase.CHOOSING:
        own = listing([tell.name_of(card, language) for card in tell.own_objectives(view)], "or")
        return f"Choose your real objective, in secret and for good (rule D9.2): {own}?"
    lays = [view.text(action) for action in view.legal_actions if action != PASS]
    example = tell.action_words(lays[len(lays) // 2], language).removeprefix("lay ")
    return f"Lay a tile ({example}, say); list shows all, ? helps."


# ---- the list


def list_actions(view: DrunterView, language: str) -> tuple[list[str], list[int]]:
    """The legal actions, numbered, with what they would bring; and their order."""
    actions = list(view.legal_actions)
    if view.phase is Phase.LAYING:
        return _tiles(view, actions, language)
    if view.phase is Phase.VOTING:
        single = [action for action in actions if (action - FIRST_VOTE).bit_count() == 1]
        lines = [f"{n:>3} {_card_words(view.text(action), language)}" for n, action in enumerate(single, start=1)]
        more = ["Several may be joined: ne+neee"] if len(single) < len(actions) else []
        return lines + more, single
    if view.phase is Phase.JEEIIN:
        words = [f"{JEEIIN_WORTH} {'yes' if action == SAY_YES else 'no'}" for action in actions]
    else:
        words = [_objective_words(view, view.text(action), language) for action in actions if action >= FIRST_CHOICE]
    return [f"{n:>3} {word}" for n, word in enumerate(words, start=1)], actions


def _card_words(text: str, language: str) -> str:
    card = text.removeprefix("vote ")
    index = CARDS.index(card)
    worth = f"{YES[index]} yes" if YES[index] else f"{NO[index]} no" if NO[index] else "neither; it comes back to you"
    worth = f"{JEEIIN_WORTH} yes or {JEEIIN_WORTH} no, as you say after the reveal" if card == "jeeiin" else worth
    typed = "blank" if card == tell.BLANK else card
    named = "" if typed == tell.name_of(card, language).lower() else f" ({tell.name_of(card, language)})"
    return f"{typed + named:<{CARD_COLUMN}}  {worth}"


def _objective_words(view: DrunterView, text: str, language: str) -> str:
    objective = text.removeprefix("choose ")
    said = tell.items(view.board, view.counted_for(objective), objective, view.worth_of(objective))
    return f"{tell.name_of(objective, language)}: now {said}"


def _tiles(view: DrunterView, actions: Sequence[int], language: str) -> tuple[list[str], list[int]]:
    """Tiles by what they do: nothing, something, something that needs a vote."""
    found = {action: view.preview(action) for action in actions if action != PASS}
    own = tell.own_buildings(view)
    told = {action: tile_effects(view, what, own, language) for action, what in found.items()}
    quiet = [action for action in found if not told[action]]
    plain = [action for action in found if told[action] and not found[action].needs_vote]
    voted = [action for action in found if found[action].needs_vote]
    order = [*quiet, *plain, *voted, *(action for action in actions if action == PASS)]
    number = {action: n for n, action in enumerate(order, start=1)}
    label = {action: tell.action_words(view.text(action), language).removeprefix("lay ") for action in order}
    lines = ["Tiles that cover nothing:"] if quiet else []
    lines += columns([f"{number[action]:>3} {label[action]}" for action in quiet]) if quiet else []
    width = max(map(len, label.values()))
    for title, group in (("Tiles that do something:", plain), ("Tiles that need a vote (rule D5.2):", voted)):
        lines += [title] if group else []
        lines += [f"{number[action]:>3} {label[action]:<{width}}  {told[action]}" for action in group]
    return lines, order


def tile_effects(view: DrunterView, what: Consequences, own: set[str], language: str) -> str:
    """What a tile would cover and block, what of it counts for whoever looks."""
    said = []
    for square in what.covers:
        mine = " (yours!)" if square in own else ""
        said.append(f"covers {tell.covered_words(view.board, [square], language)}{mine}")
    said += [f"blocks {tell.name_of(view.board.kind_of_gang[gang], language)} {gang}" for gang in what.blocked]
    if what.tile is not None and what.tile.under and not said:
        return f"leads under {listing(what.tile.under)}"
    return "; ".join(said).replace("; covers ", ", ")


# ---- how it stands


def score_lines(view: DrunterView, language: str) -> list[str]:
    """What is left standing, and what it is worth to whoever looks."""
    lines = ["Left standing; what counts for whom is revealed at the end (rule D8.1):"]
    standing = view.standing()
    width = max(len(tell.name_of(kind, language)) for kind in BUILDINGS)
    for kind in BUILDINGS:
        squares = sorted((s for s, building in standing.items() if building[0] == kind), key=lambda s: standing[s][1])
        total = sum(standing[square][1] for square in squares)
        lines.append(f"  {tell.name_of(kind, language):<{width}}  {tell.items(view.board, squares, kind, total)}")
    own = tell.own_objectives(view)
    if own:
        worth = [f"{tell.name_of(card, language)}, worth {view.worth_of(card)} now" for card in own]
        lines.append(f"Your objective{'s' * (len(own) > 1)}: {' or '.join(worth)}.")
    return lines
