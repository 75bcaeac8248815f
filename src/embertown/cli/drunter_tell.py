"""Drunter & Drüber's moves, votes and scores in words."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from embertown.cli.words import Line, listing, points
from embertown.core.game import Outcome
from embertown.core.locale import translate
from embertown.core.log import Entry
from embertown.drunter import rules
from embertown.drunter.board import Board, Tile
from embertown.drunter.consequences import Consequences, FinalScore
from embertown.drunter.face import DrunterFace
from embertown.drunter.rules import JEEIIN_WORTH, OBJECTIVES
from embertown.drunter.view import DrunterView

BLANK = "?"
ONES = OBJECTIVES[rules.ONES]


# ---- names


def name_of(piece: str, language: str) -> str:
    """A kind of tile or building, an objective or a vote card, as its catalogue calls it.

    >>> name_of("town-hall", "en"), name_of("school", "de"), name_of("?", "en")
    ('town hall', 'Schule', '?…')
    """
    return translate("drunter", f"pieces.{'blank' if piece == BLANK else piece}", language)


def tile_words(tile: Tile, language: str) -> str:
    """A tile for people: `wall A1 B1-D1`."""
    return tile.text.replace(tile.kind, name_of(tile.kind, language), 1)


def action_words(text: str, language: str) -> str:
    """An action as it is typed, by the names of pieces and cards.

    >>> action_words("lay wall A1 B1-D1", "de"), action_words("choose town-hall", "fr"), action_words("pass", "de")
    ('lay Mauer A1 B1-D1', 'choose hôtel de ville', 'pass')
    """
    verb, _, rest = text.partition(" ")
    if verb == "lay":
        kind, _, where = rest.partition(" ")
        return f"{verb} {name_of(kind, language)} {where}"
    return f"{verb} {name_of(rest, language)}" if verb == "choose" else text


def cards_words(text: str, language: str) -> str:
    """The cards of a vote: `Ne + Neee`."""
    return " + ".join(name_of(card, language) for card in text.removeprefix("vote ").split("+"))


def covered_words(board: Board, covers: Sequence[str], language: str) -> str:
    """Buildings and outhouses: `church 5 on H4, an outhouse on F4`."""
    said = []
    for square in covers:
        building = board.buildings.get(square)
        what = name_of("outhouse", language) if building is None else f"{name_of(building[0], language)} {building[1]}"
        said.append(f"{what} on {square}")
    return ", ".join(said)


# ---- moves


def proposal_words(tile: Tile, found: Consequences, board: Board, language: str) -> list[str]:
    """A tile that needs a vote (D5.2)."""
    covers = covered_words(board, found.covers, language)
    return [f"proposed {tile_words(tile, language)}", f"over {covers}: a vote decides (rule D5.2)"]


def laid_words(tile: Tile, found: Consequences, board: Board, language: str) -> list[str]:
    """A tile that was laid without a vote."""
    under = f", under the bridge{'s' * (len(tile.under) > 1)} on {listing(tile.under)}" if tile.under else ""
    return [f"laid {tile_words(tile, language)}{under}", *_results(board, found.covers, found.blocked, language)]


def _results(board: Board, covers: Sequence[str], blocked: Sequence[str], language: str) -> list[str]:
    lines = [f"covered: {covered_words(board, covers, language)} (rule D5.1)"] if covers else []
    for gang in blocked:
        kind = name_of(board.kind_of_gang[gang], language)
        lines.append(f"{kind} {gang} is blocked: its gang leaves the board (rule D4.6)")
    return lines


# ---- the vote


def votes_in(log: Sequence[Entry]) -> dict[int, str]:
    """The cards of the last vote, by seat, in the order they were played."""
    votes: dict[int, str] = {}
    for entry in reversed(log):
        if entry.text.startswith("lay "):
            break
        if entry.text.startswith("vote ") and entry.seat is not None:
            votes[entry.seat] = entry.text
    return dict(reversed(votes.items()))


def reveal_lines(view: DrunterView, names: Sequence[str], language: str) -> list[Line]:
    """All cards are turned over at once (D6.1)."""
    width = max(map(len, names))
    _, kind, where = next(e.text for e in reversed(view.log) if e.text.startswith("lay ")).split(" ", 2)
    lines: list[Line] = [
        Text(f"The vote on {name_of(kind, language)} {where}: all cards are turned over (rule D6.1)", "bold")
    ]
    lines += [f"  {names[seat]:<{width}}  {cards_words(text, language)}" for seat, text in votes_in(view.log).items()]
    if view.phase is rules.Phase.JEEIIN:
        due = names[view.waiting[0]]
        lines.append(
            f"{due}: what the Jeeiin counts as comes next, {JEEIIN_WORTH} yes or {JEEIIN_WORTH} no (rule D6.2)"
        )
    return lines


def count_lines(view: DrunterView, names: Sequence[str], language: str) -> list[Line]:
    """How a vote ended, and what its tile brought (D6.3, D6.4)."""
    move = next(move for move in reversed(view.record().moves) if move.vote is not None)
    vote = move.vote
    assert vote is not None
    count = f"{vote.yes} yes, {vote.no} no"
    if not vote.passed:
        return [Text(f"{count}: refused. {names[move.seat]} takes the tile back (rule D6.4)", "bold")]
    tie = ", and yes wins ties" if vote.yes == vote.no else ""
    lines: list[Line] = [Text(f"{count}{tie}: passed, the tile stays (rule D6.3)", "bold")]
    return lines + [f"  {line}" for line in _results(view.board, move.covers or (), move.blocked or (), language)]


# ---- objectives


def own_objectives(view: DrunterView) -> tuple[str, ...]:
    """What counts for whoever looks: the real objective, or before the choice both."""
    if view.viewer is None:
        return ()
    chosen = view.chosen_by(view.viewer)
    return (chosen,) if chosen else view.objectives_of(view.viewer)


def own_buildings(view: DrunterView) -> set[str]:
    """The squares of the buildings that count for whoever looks."""
    return {square for objective in own_objectives(view) for square in view.counted_for(objective)}


def items(board: Board, squares: Sequence[str], objective: str, total: int) -> str:
    """What an objective is worth, building by building: `2 on C2 + 5 on F5 = 7 points`."""
    if not squares:
        return "nothing is left standing = 0 points"
    if objective == ONES:
        return f"{len(squares)} building{'s' * (len(squares) > 1)} at 1 = {points(total)}"
    return f"{' + '.join(f'{board.buildings[square][1]} on {square}' for square in squares)} = {points(total)}"


# ---- the end


def ending_words(face: DrunterFace, names: Sequence[str], language: str) -> list[Line]:
    """The reveal of the objectives, itemised, then who has won (D8.1, D9.3)."""
    final = face.final_scoring()
    lines: list[Line] = ["The game is over: nobody can lay a tile any more (rule D7.1)."]
    lines.append(Text("The objectives are revealed (rule D8.1)", "bold"))
    for score in final:
        said = items(face.board, score.uncovered, score.objective, score.points)
        lines.append(f"  {names[score.seat]}, {name_of(score.objective, language)}: {said}")
    assert face.outcome is not None
    lines += _tiebreak_lines(face, final, names, language)
    return [*lines, Text(winner_words(names, face.outcome), "bold")]


def _tiebreak_lines(face: DrunterFace, final: Sequence[FinalScore], names: Sequence[str], language: str) -> list[Line]:
    """The other cards, where they decide between those who have most (D9.3)."""
    best = max(score.points for score in final)
    level = [score for score in final if score.points == best and score.tiebreak is not None]
    if len(level) < 2:
        return []
    lines: list[Line] = [
        f"{listing([names[score.seat] for score in level])} are level: the other card decides (rule D9.3)"
    ]
    for score in level:
        other = next(card for card in face.objectives_of(score.seat) if card != score.objective)
        lines.append(f"  {names[score.seat]}, {name_of(other, language)}: {points(score.tiebreak or 0)}")
    return lines


def winner_words(names: Sequence[str], outcome: Outcome) -> str:
    """Who has won; who is still level shares the win (D8.2, D9.3)."""
    winners = [names[seat] for seat in outcome.winners]
    if not winners:
        return "Nobody wins: the game was abandoned."
    if outcome.end.value != "complete":
        return f"Winner{'s' * (len(winners) > 1)}: {listing(winners)}."
    best = points(outcome.scores[outcome.winners[0]])
    if len(winners) == 1:
        return f"Winner: {winners[0]} with {best}."
    return f"The win is shared (rule D8.2): {listing(winners)} with {best}."
