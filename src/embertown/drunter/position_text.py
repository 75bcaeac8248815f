"""Positions as one line of text, and back; a position that no game can reach is refused.

`drunter:schilda players=2 options=- turn=0 laid=wall:A1:B1-D1 tiles=12.12.3+…/… cards=ja+…/… objectives=inn/church
chosen=-/- vote=-`: the tiles laid in their order, then by seat (with / between them) the tiles left (wall+road+river,
of length 1.2.3), the vote cards held, the objectives and, in the variant, the chosen ones. A vote is the tile, the
cards and the words on Jeeiin. What a view does not know is a question mark, or `hidden` for a vote.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from embertown.core.errors import IllegalMove, ImpossiblePosition, MalformedText, shown
from embertown.drunter import rules, text
from embertown.drunter.board import KINDS, LENGTHS, NOWHERE, Tile
from embertown.drunter.consequences import cards_of, split_lay, tile_of
from embertown.drunter.rules import (
    ALL_CARDS,
    BLANK,
    BUILDING_OBJECTIVES,
    CARDS,
    HIDDEN,
    JEEIIN,
    OBJECTIVES,
    POSITION,
    UNKNOWN,
    Phase,
    Position,
)
from embertown.drunter.view import hide_vote

if TYPE_CHECKING:
    from embertown.drunter.face import DrunterFace
    from embertown.drunter.game import DrunterGame

EMPTY, SECRET, HIDDEN_CARDS = "-", "?", "hidden"
_WORDS = {EMPTY: UNKNOWN, "no": 0, "yes": 1}
_POSITION = re.compile(
    r"drunter:(?P<edition>\S+) players=(?P<players>\d) options=(?P<options>\S+) turn=(?P<turn>\d|-)"
    r" laid=(?P<laid>\S+) tiles=(?P<tiles>\S+) cards=(?P<cards>\S+) objectives=(?P<objectives>\S+)"
    r" chosen=(?P<chosen>\S+) vote=(?P<vote>\S+)",
    re.ASCII,
)
_COUNTS = re.compile(r"\d{1,4}(?:\.\d{1,4}){2}(?:\+\d{1,4}(?:\.\d{1,4}){2}){2}", re.ASCII)
_TILE = re.compile(r"([a-z]+):([A-Z]\d{1,2}):([A-Z]\d{1,2})(?:-([A-Z]\d{1,2}))?", re.ASCII)

# ---- writing


def position_text(face: DrunterFace) -> str:
    """A position as one line."""
    position, game = face._position, face.game
    seats = range(game.players)
    turn = EMPTY if rules.is_over(position) else int(position.seat)
    return (
        f"drunter:{game.edition.id} players={game.players} options={','.join(game.options) or EMPTY} turn={turn}"
        f" laid={','.join(tile_text(tile) for tile in face.laid) or EMPTY}"
        f" tiles={'/'.join(_tiles_text(position, seat) for seat in seats)}"
        f" cards={'/'.join('+'.join(cards_of(int(position.hands[seat]))) for seat in seats)}"
        f" objectives={'/'.join('+'.join(face.objectives_of(seat)) or SECRET for seat in seats)}"
        f" chosen={'/'.join(_chosen_text(position, seat) for seat in seats)} vote={_vote_text(face)}"
    )


def tile_text(tile: Tile) -> str:
    """A tile without blanks: `wall:A1:B1-D1`."""
    return tile.text.replace(" ", ":")


def _tiles_text(position: Position, seat: int) -> str:
    return "+".join(".".join(str(count) for count in position.tiles[seat, kind].tolist()) for kind in range(len(KINDS)))


def _chosen_text(position: Position, seat: int) -> str:
    chosen = int(position.chosen[seat])
    if not position.variant or chosen == UNKNOWN:
        return EMPTY
    return SECRET if chosen == HIDDEN else OBJECTIVES[chosen]


def _vote_text(face: DrunterFace) -> str:
    """The tile voted on; by seat the cards, and the words on Jeeiin."""
    position = face._position
    if position.phase not in (Phase.VOTING, Phase.JEEIIN):
        return EMPTY
    words = {HIDDEN: EMPTY} | {number: word for word, number in _WORDS.items()}
    cards = [_cards_played(position, seat) for seat in range(position.players)]
    said = [words[int(position.said[seat])] for seat in range(position.players)]
    tile = tile_of(face.board, position, int(position.proposal))
    return f"{tile_text(tile)};{'/'.join(cards)};{'/'.join(said)}"


def _cards_played(position: Position, seat: int) -> str:
    if position.said[seat] == HIDDEN:
        return HIDDEN_CARDS
    return "+".join(cards_of(int(position.votes[seat]))) or EMPTY


# ---- reading


def parse_position(game: DrunterGame, written: str) -> tuple[Position, tuple[Tile, ...]]:
    """A position and its tiles from the text; `ImpossiblePosition` where no game can reach it."""
    match = _POSITION.fullmatch(" ".join(str(written).split()))
    if match is None:
        right = f"drunter:{game.edition.id} players={game.players} options=- …"
        raise MalformedText(f"{shown(written)} is no position; right would be: {right}")
    options = ",".join(game.options) or EMPTY
    found = (match["edition"], int(match["players"]), match["options"])
    if found != (game.edition.id, game.players, options):
        raise MalformedText(
            f"the position is of {shown(match['edition'])} with {match['players']} players, options"
            f" {shown(match['options'])};"
            f" right would be: {game.edition.id} with {game.players}, options {options}"
        )
    position: Position = np.zeros(1, POSITION)[0]
    game.set_options(position)
    _set_objectives(game, position, match["objectives"])
    rules.set_up(game.board.arrays, position, game.players, _seat(match["turn"], game.players))
    laid = _lay_tiles(game, position, match["laid"])
    _set_tiles(game, position, match["tiles"], laid)
    _set_cards(game, position, match["cards"])
    _set_chosen(position, match["chosen"])
    _set_phase(game, position, match["turn"])
    _set_vote(game, position, match["vote"])
    return position, laid


def _by_seat(players: int, key: str, written: str) -> list[str]:
    parts = written.split("/")
    if len(parts) != players:
        raise MalformedText(f"{key} is {shown(written)}; right would be: {players} parts with / between them")
    return parts


def _seat(turn: str, players: int) -> int:
    seat = 0 if turn == EMPTY else int(turn)
    if seat >= players:
        raise MalformedText(f"turn is {turn}; right would be: 0 to {players - 1}, or - when the game is over")
    return seat


def _names(written: str, names: tuple[str, ...], what: str) -> list[int]:
    found = []
    for name in written.split("+"):
        if name not in names:
            raise MalformedText(f"no {what} is called {shown(name)}; right would be one of: {', '.join(names)}")
        found.append(names.index(name))
    if len(set(found)) != len(found):
        raise ImpossiblePosition(f"{shown(written)} names a {what} twice", "D1.4")
    return found


def _set_objectives(game: DrunterGame, position: Position, written: str) -> None:
    dealt: list[int] = []
    for seat, part in enumerate(_by_seat(game.players, "objectives", written)):
        cards = [] if part == SECRET else _names(part, OBJECTIVES, "objective")
        if cards and len(cards) != game.cards_each:
            raise ImpossiblePosition(f"seat {seat} has {len(cards)} objectives, not {game.cards_each}", "D9.1")
        position.objectives[seat, : len(cards)] = cards
        dealt += cards
    if len(set(dealt)) != len(dealt):
        raise ImpossiblePosition("two seats have the same objective", "D2.1")
    if game.cards_each == 1 and any(card >= BUILDING_OBJECTIVES for card in dealt):
        raise ImpossiblePosition("a special card is dealt without the variant", "D1.5")


def _lay_tiles(game: DrunterGame, position: Position, written: str) -> tuple[Tile, ...]:
    laid = []
    for part in [] if written == EMPTY else written.split(","):
        action = _tile_action(game, position, part)
        laid.append(tile_of(game.board, position, action))
        rules.put_tile(position, *split_lay(action))
    return tuple(laid)


def _tile_action(game: DrunterGame, position: Position, part: str) -> int:
    match = _TILE.fullmatch(part)
    if match is None:
        raise MalformedText(f"tile {shown(part)} can't be read; right would be: wall:A1:B1-D1, or wall:A1:B1")
    last = f"-{match[4]}" if match[4] else ""
    try:
        action = text.parse_action(game.board, position, f"lay {match[1]} {match[2]} {match[3]}{last}")
    except IllegalMove as error:
        raise ImpossiblePosition(f"tile {part}: {error.sentence()}", error.rule) from None
    gang, direction, length = split_lay(action)
    if position.room[gang, direction] < length:
        raise ImpossiblePosition(f"tile {part} does not fit where it lies", "D4.3")
    return action


def _set_tiles(game: DrunterGame, position: Position, written: str, laid: tuple[Tile, ...]) -> None:
    """What is left in front of the seats and what is laid make up the edition's tiles, dealt evenly (D2.2)."""
    for seat, part in enumerate(_by_seat(game.players, "tiles", written)):
        if _COUNTS.fullmatch(part) is None:
            raise MalformedText(f"tiles is {shown(part)} for seat {seat}; right would be: wall+road+river as 1.2.3")
        position.tiles[seat] = [[int(count) for count in kind.split(".")] for kind in part.split("+")]
    for length in LENGTHS:
        for index, kind in enumerate(KINDS):
            used = sum(1 for tile in laid if tile.kind == kind and len(tile.squares) == length)
            held = int(position.tiles[: game.players, index, length - 1].sum())
            if used + held != game.board.tiles[kind][length - 1]:
                raise ImpossiblePosition(f"{used + held} {kind} tiles of length {length} are there", "D1.3")
        share = game.board.total(length) // game.players
        if any(position.tiles[seat, :, length - 1].sum() > share for seat in range(game.players)):
            raise ImpossiblePosition(f"a seat has more tiles of length {length} than it was dealt", "D2.2")


def _set_cards(game: DrunterGame, position: Position, written: str) -> None:
    for seat, part in enumerate(_by_seat(int(position.players), "cards", written)):
        mask = sum(1 << card for card in _names(part, CARDS, "vote card"))
        if not mask >> BLANK & 1:
            raise ImpossiblePosition(f"seat {seat} has lost its ?... card, which always comes back", "D6.5")
        if mask != ALL_CARDS and position.no_votes:
            raise ImpossiblePosition(f"seat {seat} has spent a vote card, and there are no votes", "D9.5")
        if mask != ALL_CARDS and not game.board.outhouses:
            raise ImpossiblePosition(f"seat {seat} has spent a vote card, and there is nothing to vote on", "D5.2")
        position.hands[seat] = mask


def _set_chosen(position: Position, written: str) -> None:
    for seat, part in enumerate(_by_seat(int(position.players), "chosen", written)):
        if part == EMPTY:
            continue
        if not position.variant:
            raise ImpossiblePosition("objectives are chosen in the variant only", "D9.2")
        if (part == SECRET) != (position.objectives[seat, 0] == UNKNOWN):
            raise MalformedText(f"chosen is {shown(part)} for seat {seat}; right would be: ? where objectives has ?")
        (card,) = [HIDDEN] if part == SECRET else _names(part.partition("+")[0], OBJECTIVES, "objective")
        if "+" in part or (card != HIDDEN and card not in position.objectives[seat]):
            raise ImpossiblePosition(f"seat {seat} can't have chosen {shown(part)}", "D9.2")
        position.chosen[seat] = card


def _set_phase(game: DrunterGame, position: Position, turn: str) -> None:
    """Whose turn it is must agree with whether anybody can still lay, and with the choices made (D7.1, D9.2)."""
    blocked = any(square == NOWHERE for square in position.gangs)
    stuck = bool(rules.is_stuck(game.board.arrays, position))
    chosen = [int(position.chosen[seat]) != UNKNOWN for seat in range(game.players)]
    if position.variant and any(chosen) and not (blocked or stuck):
        raise ImpossiblePosition("objectives are chosen before a path is blocked", "D9.2")
    position.phase, position.layer = Phase.LAYING, position.seat
    position.scores[:] = 0
    over = stuck and all(chosen)
    if over and turn != EMPTY:
        raise ImpossiblePosition("nobody can lay a tile, so the game is over: turn=-", "D7.1")
    if not over and turn == EMPTY:
        raise ImpossiblePosition("the game is not over: turn must be a seat", "D7.1")
    if over and HIDDEN in position.chosen:
        raise ImpossiblePosition("the game is over, so all objectives are revealed", "D8.1")
    position.ending = int(stuck)
    if over:
        rules.finish(game.board.arrays, position)
    elif position.variant and not all(chosen) and (blocked or stuck):
        position.phase = Phase.CHOOSING


def _set_vote(game: DrunterGame, position: Position, written: str) -> None:
    if written == EMPTY:
        return
    parts = written.split(";")
    if len(parts) != 3:
        raise MalformedText(f"vote is {shown(written)}; right would be: the tile; cards by seat; words by seat")
    action = _tile_action(game, position, parts[0])
    gang, direction, length = split_lay(action)
    board, seat = game.board.arrays, int(position.seat)
    fits = position.phase == Phase.LAYING and rules.can_lay_at(board, position, seat, gang, direction, length)
    if not fits or not rules.needs_vote(board, position, gang, direction, length):
        raise ImpossiblePosition(f"nothing calls for a vote on {shown(parts[0])}", "D5.2")
    position.proposal, position.phase = action, Phase.VOTING
    _set_votes(game, position, parts[1])
    _set_words(game, position, parts[2])


def _set_votes(game: DrunterGame, position: Position, written: str) -> None:
    for seat, part in enumerate(_by_seat(game.players, "vote", written)):
        if part == EMPTY:
            continue
        if part == HIDDEN_CARDS:
            hide_vote(position, seat)
            continue
        mask = sum(1 << card for card in _names(part, CARDS, "vote card"))
        if mask & ~int(position.hands[seat]) or (not position.several_cards and mask & (mask - 1)):
            raise ImpossiblePosition(f"seat {seat} can't have voted {shown(part)}", "D6.1")
        position.votes[seat] = mask
    if all(position.votes[seat] for seat in range(game.players)):
        if HIDDEN in position.said:
            raise ImpossiblePosition("all have voted, so no vote is hidden any more", "D6.1")
        position.phase = Phase.JEEIIN


def _set_words(game: DrunterGame, position: Position, written: str) -> None:
    for seat, part in enumerate(_by_seat(game.players, "vote", written)):
        if part not in _WORDS:
            raise MalformedText(f"a word on Jeeiin is {shown(part)}; right would be: yes, no or -")
        speaks = position.phase == Phase.JEEIIN and int(position.votes[seat]) >> JEEIIN & 1
        if part != EMPTY:
            if not speaks:
                raise ImpossiblePosition(f"seat {seat} has no Jeeiin to speak of", "D6.2")
            position.said[seat] = _WORDS[part]
    if position.phase != Phase.JEEIIN:
        return
    due = int(rules.next_to_say(position))
    if due == NOWHERE:
        raise ImpossiblePosition("the vote is complete, so it is not under way", "D6.4")
    turn_order = [(int(position.layer) + step) % game.players for step in range(game.players)]
    if any(position.said[seat] != UNKNOWN for seat in turn_order[turn_order.index(due) :]):
        raise ImpossiblePosition(f"seat {due} speaks before those after it in turn order", "D6.2")
