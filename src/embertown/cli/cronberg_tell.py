"""Cronberg's moves and scores in words.

>>> sum_words((6, 3, -2))
'6 + 3 − 2'
>>> final_words(FinalScore(0, "b2", (6, 3, -2), coat=False, parks=1, points=14), ["Anne"])
'Anne, b2: 6 + 3 − 2, park ×2 = 14 points (rule C8.2)'
>>> final_words(FinalScore(0, "a4", (-4,), coat=True, parks=0, points=4), ["Ulla"])
'Ulla, a4: 4 (coat of arms) = 4 points (rule C8.2)'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from embertown.cli.words import points, signed
from embertown.core.game import Outcome
from embertown.core.locale import DEFAULT_LANGUAGE, translate
from embertown.core.log import Entry
from embertown.cronberg.board import COAT, GUARD, PARK, PLAIN, Board
from embertown.cronberg.consequences import Consequences, FinalScore, Scored
from embertown.cronberg.edition import CronbergEdition

MINUS = "−"
PIECES = {PARK: "park", GUARD: "guard", COAT: "coat", PLAIN: "plain"}


def symbol_word(symbol: str, language: str, count: int = 1) -> str:
    """What a triangle is called by its symbol.

    >>> symbol_word(GUARD, "de"), symbol_word(COAT, "en", 2)
    ('Wache', 'coats of arms')
    """
    return translate("cronberg", f"{'pieces' if count == 1 else 'plurals'}.{PIECES[symbol]}", language)


# ---- numbers


def sum_words(numbers: Sequence[int]) -> str:
    """Numbers as a sum."""
    if not numbers:
        return "no number"
    first, *others = numbers
    return signed(first) + "".join(f" {'+' if number > 0 else MINUS} {abs(number)}" for number in others)


def scored_words(scored: Scored, names: Sequence[str]) -> str:
    """What a closed crossing brought (C6.1)."""
    return f"{names[scored.seat]}, {scored.at}: {sum_words(scored.numbers)} = {points(scored.points)} (rule C6.1)"


def final_words(score: FinalScore, names: Sequence[str], language: str = DEFAULT_LANGUAGE) -> str:
    """What a token brought at the end (C8.2)."""
    words = sum_words([abs(number) for number in score.numbers] if score.coat else score.numbers)
    words += f" ({symbol_word(COAT, language)})" if score.coat else ""
    if score.parks:
        count = "" if score.parks == 1 else f"{score.parks} "
        words += f", {count}{symbol_word(PARK, language, score.parks)} ×{2**score.parks}"
    return f"{names[score.seat]}, {score.at}: {words} = {points(score.points)} (rule C8.2)"


# ---- moves


def action_words(text: str, edition: CronbergEdition, drawn: str | None, language: str) -> str:
    """An action for people: `token d4` as "token on d4"."""
    word, _, rest = text.partition(" ")
    if word == "token":
        return f"token on {rest}"
    if word == "place" and drawn is not None:
        pair, _, head = rest.partition(" ^")
        return f"{edition.name_of(drawn, language)} on {pair}" + (f", first number at {head}" if head else "")
    return "passes: can place neither a token nor a rhomb (rule C3.2)" if word == "pass" else text


def consequence_words(board: Board, names: Sequence[str], found: Consequences, language: str) -> list[str]:
    """All that followed from an action but the final scoring, a line each."""
    lines = [scored_words(scored, names) for scored in found.scored]
    lines += _activation_words(board, found.activated, language)
    lines += [f"{names[driven.seat]}, {driven.at}: token driven away by a guard (rule C7.2)" for driven in found.driven]
    return lines


def _activation_words(board: Board, activated: Iterable[str], language: str) -> list[str]:
    by_symbol: dict[str, list[str]] = {}
    for name in activated:
        by_symbol.setdefault(board.symbol_of[name], []).append(name)
    return [
        f"{symbol_word(symbol, language, len(triangles))} {', '.join(triangles)} activated (rule C7.1)"
        for symbol, triangles in by_symbol.items()
    ]


def short_words(names: Sequence[str], found: Consequences) -> str:
    """What an action would bring, on one line: "Anne +7; activates A1"."""
    parts = [
        f"{names[scored.seat]} {'+' if scored.points >= 0 else ''}{signed(scored.points)}" for scored in found.scored
    ]
    if found.driven:
        parts.append("drives away " + ", ".join(f"{names[driven.seat]} from {driven.at}" for driven in found.driven))
    if found.activated:
        parts.append("activates " + ", ".join(found.activated))
    if found.final is not None:
        parts.append("ends the game")
    return "; ".join(parts)


# ---- the end


def ending_words(names: Sequence[str], final: Sequence[FinalScore], outcome: Outcome, language: str) -> list[str]:
    """The final scoring step by step, then who has won."""
    totals = list(outcome.scores)
    for score in final:
        totals[score.seat] -= score.points
    lines = ["The game is over: nobody can place a token or a rhomb any more (rule C8.1).", standings(names, totals)]
    for score in final:
        totals[score.seat] += score.points
        lines.append(f"  {final_words(score, names, language)}; now {signed(totals[score.seat])}")
    if not final:
        park, coat = symbol_word(PARK, language), symbol_word(COAT, language)
        lines.append(f"  No token touches an activated {park} or {coat} (rule C8.2).")
    return [*lines, standings(names, totals), winner_words(names, outcome)]


def standings(names: Sequence[str], scores: Sequence[int]) -> str:
    """The scores by name."""
    return "Scores: " + ", ".join(f"{name} {signed(score)}" for name, score in zip(names, scores, strict=True)) + "."


def winner_words(names: Sequence[str], outcome: Outcome) -> str:
    """Who has won; equal scores share the win (C8.4)."""
    winners = [names[seat] for seat in outcome.winners]
    if not winners:
        return "Nobody wins: the game was abandoned."
    best = points(outcome.scores[outcome.winners[0]])
    if len(winners) == 1:
        return f"Winner: {winners[0]} with {best}."
    return f"The win is shared (rule C8.4): {' and '.join(winners)} with {best}."


# ---- what to point out on the board


def places_in(text: str) -> list[str]:
    """The crossing or the triangles of an action.

    >>> places_in("token d4"), places_in("place C5+C6 ^d3"), places_in("draw")
    (['d4'], ['C5', 'C6'], [])
    """
    word, _, rest = text.partition(" ")
    if word == "token":
        return [rest]
    return rest.partition(" ")[0].split("+") if word == "place" else []


def marks_since(log: Sequence[Entry], seat: int) -> set[str]:
    """Where others acted since this seat's last turn; before the first turn of a seat, everything."""
    marks: set[str] = set()
    for entry in reversed(log):
        if entry.seat == seat and entry.text != "draw":
            break
        if entry.seat is not None:
            marks.update(places_in(entry.text))
    return marks


def last_places(log: Sequence[Entry]) -> list[str]:
    """Where the last token or rhomb went."""
    return next((places for entry in reversed(log) if (places := places_in(entry.text))), [])
