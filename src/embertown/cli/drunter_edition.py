"""What is in an edition of Drunter & Drüber, and what is worth knowing of it before it is played."""

from __future__ import annotations

from embertown.cli.words import about_the_id, listing
from embertown.drunter.board import BUILDINGS, KINDS, LENGTHS, VALUES, Board
from embertown.drunter.edition import DrunterEdition
from embertown.drunter.rules import MAX_PLAYERS, MIN_PLAYERS

PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)


def lines(edition: DrunterEdition) -> list[str]:
    """What is in an edition."""
    board = edition.layout
    total = sum(board.total(length) for length in LENGTHS)
    return [
        f"size       {board.width} × {board.height} squares",
        f"corners    {', '.join(f'{corner} {board.kind_of_gang[corner]}' for corner in board.gangs)}",
        f"buildings  {len(board.buildings)}",
        *(f"  {kind:<12} {_values_of(board, kind)}" for kind in BUILDINGS),
        f"outhouses  {len(board.outhouses)}",
        f"tiles      {total} (of length 1, 2, 3)",
        *(f"  {kind:<12} {'  '.join(f'{count:>2}' for count in board.tiles[kind])}" for kind in KINDS),
        f"players    {listing([str(number) for number in dealt_evenly(edition)], 'or')}",
    ]


def _values_of(board: Board, kind: str) -> str:
    at = {value: square for square, (name, value) in board.buildings.items() if name == kind}
    return ", ".join(f"{value} on {at[value]}" for value in sorted(at)) or "none"


def dealt_evenly(edition: DrunterEdition) -> list[int]:
    """The numbers of players among whom the tiles can be dealt (D2.2)."""
    return [number for number in PLAYERS if edition.tiles.deals_evenly(number)]


def notes(edition: DrunterEdition) -> list[str]:
    """What may surprise whoever plays it."""
    board = edition.layout
    return [
        *_about_players(edition),
        *_about_paths(board),
        *_about_buildings(board),
        *_about_room(board),
        *about_the_id(edition),
    ]


def _about_players(edition: DrunterEdition) -> list[str]:
    missing = [str(number) for number in PLAYERS if number not in dealt_evenly(edition)]
    if not missing:
        return []
    return [f"the tiles can't be dealt evenly to {listing(missing, 'or')} players (D2.2)"]


def _about_paths(board: Board) -> list[str]:
    starts = set(board.kind_of_gang.values())
    found = []
    for kind in KINDS:
        tiles = sum(board.tiles[kind])
        if tiles and kind not in starts:
            its = "its only tile" if tiles == 1 else f"its {tiles} tiles"
            found.append(f"no corner starts a {kind}: {its} can never be laid (D4.1)")
        if not tiles and kind in starts:
            corners = [corner for corner, which in board.kind_of_gang.items() if which == kind]
            found.append(f"there are no {kind} tiles: nothing ever leaves {listing(corners)} (D4.1)")
    return found


def _about_buildings(board: Board) -> list[str]:
    sums = dict.fromkeys(BUILDINGS, 0)
    for kind, value in board.buildings.values():
        sums[kind] += value
    found = [] if board.outhouses else ["there are no outhouses, so there is never a vote (D5.2)"]
    none = [kind for kind in BUILDINGS if not sums[kind]]
    if none:
        found.append(f"there is no {listing(none, 'and no')}: whoever draws that objective scores nothing (D8.1)")
    elif len(set(sums.values())) > 1:
        told = ", ".join(f"{kind} {total}" for kind, total in sums.items())
        found.append(f"the kinds are not worth the same, of {sum(VALUES)} at most (D1.2): {told}")
    return found


def _about_room(board: Board) -> list[str]:
    """Whether all tiles could lie on the board at once."""
    needed = sum(length * board.total(length) for length in LENGTHS)
    room = len(board.squares) - len(board.gangs)
    if needed <= room:
        return []
    return [f"the tiles need {needed} squares and the board has {room}: some are never laid (D7.1)"]
