"""What is in an edition of Cronberg, and what is worth knowing of it before it is played."""

from __future__ import annotations

from embertown.cli.words import about_the_id, signed
from embertown.cronberg.board import COAT, GUARD, PARK, PLAIN, Board
from embertown.cronberg.edition import CronbergEdition
from embertown.cronberg.game import CronbergGame, CronbergState

WORDS = {PARK: "parks", GUARD: "guards", COAT: "coats of arms", PLAIN: "plain"}


def lines(edition: CronbergEdition) -> list[str]:
    """What is in an edition."""
    board = edition.layout
    found = ", ".join(f"{count} {word}" for word, count in symbols(board).items())
    width = max(map(len, board.kinds))
    return [
        f"triangles  {len(board.triangles)}: {found}",
        f"crossings  {len(board.crossings)}",
        f"places     {len(board.places)}",
        f"tokens     {board.tokens} for each player",
        f"rhombi     {sum(board.counts)} (numbers: sharp, blunt, sharp, blunt corner, clockwise)",
        *(
            f"  {count:>2} × {kind:<{width}} {' '.join(f'{signed(number):>3}' for number in numbers)}"
            for kind, count, numbers in zip(board.kinds, board.counts, board.numbers, strict=True)
        ),
    ]


def symbols(board: Board) -> dict[str, int]:
    """How many triangles there are of each symbol; symbols that do not occur are left out."""
    found = list(board.symbol_of.values())
    return {word: found.count(symbol) for symbol, word in WORDS.items() if symbol in found}


def notes(edition: CronbergEdition) -> list[str]:
    """What may surprise whoever plays it."""
    board = edition.layout
    return [*_about_rhombi(board), *_about_the_start(edition), *about_the_id(edition)]


def _about_rhombi(board: Board) -> list[str]:
    if not board.places:
        return ["no two triangles share an edge: no rhomb can ever be placed (C5.1)"]
    rhombi, most = sum(board.counts), most_rhombi(board)
    if rhombi >= most:
        return []
    few = "1 rhomb is" if rhombi == 1 else f"{rhombi} rhombi are"
    return [f"{few} fewer than the {most} that fit: when the last is placed, all free triangles are activated (C7.4)"]


def _about_the_start(edition: CronbergEdition) -> list[str]:
    board = edition.layout
    start: CronbergState = CronbergGame(edition=edition).start(seed=0)  # type: ignore[assignment]
    active = start.activated
    lines = [f"isolated, so activated from the start (C7.1): {', '.join(active)}"] if active else []
    guards = [name for name in active if board.symbol_of[name] == GUARD]
    if guards:
        closed = {corner for name in guards for corner in board.corners_of[name]}
        barred = [name for name in board.crossings if name in closed]
        lines.append(f"guards {', '.join(guards)} are active: no token ever goes on {', '.join(barred)} (C4.3)")
    return lines


def most_rhombi(board: Board) -> int:
    """How many rhombi fit on the board at once: the largest matching of triangles that share an edge.

    >>> most_rhombi(Board(["PPPPP", "GGGGGGG", "CCCCCCC", "-----"], 4, {"church": (1, (6, 3, 6, 3))}))
    12
    """
    beside: dict[str, list[str]] = {name: [] for name in board.triangles}
    for place in board.places:
        first, second = place.triangles
        beside[first].append(second)
        beside[second].append(first)
    partner: dict[str, str] = {}

    def augment(name: str, seen: set[str]) -> bool:
        """Pair a triangle, moving others' partners on where that helps."""
        for other in beside[name]:
            if other not in seen:
                seen.add(other)
                if other not in partner or augment(partner[other], seen):
                    partner[other] = name
                    return True
        return False

    return sum(augment(name, set()) for name in board.triangles if _points_up(board, name))


def _points_up(board: Board, name: str) -> bool:
    """Whether a triangle has one corner in its upper row; each of its neighbours then has two."""
    rows = [corner[0] for corner in board.corners_of[name]]
    return rows.count(min(rows)) == 1
