"""Small games of Drunter & Drüber, set up square by square."""

from __future__ import annotations

from embertown.drunter.board import KINDS
from embertown.drunter.consequences import Consequences
from embertown.drunter.game import DrunterGame, DrunterState

CARDS = ("town-hall+school", "fire-station+inn", "museum+church", "threes+fours")
PLENTY = {"wall": [6, 6, 6], "road": [6, 6, 6], "river": [6, 6, 6]}
FIVE = """
W . . . R
. . . . .
. . . . .
. . . . .
V . . . W
"""
SEVEN = """
W . . . . . R
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
V . . . . . W
"""


def put(squares: str, **cells: str) -> str:
    """The board with something else on some squares: `put(FIVE, B1="oo")`."""
    rows = [line.split() for line in squares.strip().splitlines()]
    for name, cell in cells.items():
        rows[int(name[1:]) - 1][ord(name[0]) - ord("A")] = cell
    return "\n".join(" ".join(row) for row in rows)


def small(squares: str = FIVE, each: dict[str, list[int]] = PLENTY, players: int = 2, **options: bool) -> DrunterGame:
    """A game on this board in which every seat has these tiles."""
    return _game(squares, [each] * players, **options)


def begin(game: DrunterGame, *objectives: str, first: int = 0) -> DrunterState:
    """The start, every seat with the same tiles; objectives as `inn` or, in the variant, `inn+church`."""
    hand = {kind: [count // game.players for count in counts] for kind, counts in game.board.tiles.items()}
    return _start(game, [hand] * game.players, objectives, first)


def dealt(
    squares: str, *hands: dict[str, list[int]], objectives: tuple[str, ...] = (), **options: bool
) -> DrunterState:
    """The start of a game on this board in which the seats have these tiles; seat 0 begins."""
    whole = [{kind: hand.get(kind, [0, 0, 0]) for kind in KINDS} for hand in hands]
    return _start(_game(squares, whole, **options), whole, objectives, 0)


def _game(squares: str, hands: list[dict[str, list[int]]], **options: bool) -> DrunterGame:
    totals = {kind: [sum(counts) for counts in zip(*(hand[kind] for hand in hands), strict=True)] for kind in hands[0]}
    header = {"id": "small", "game": "drunter", "version": 1}
    return DrunterGame(len(hands), {"edition": header, "board": {"squares": squares}, "tiles": totals}, **options)


def _start(
    game: DrunterGame, hands: list[dict[str, list[int]]], objectives: tuple[str, ...], first: int
) -> DrunterState:
    names = objectives or [cards if game.cards_each == 2 else cards.split("+")[0] for cards in CARDS[: game.players]]
    return game.start(seed=1, first=first, deal={"tiles": hands, "objectives": [name.split("+") for name in names]})


def play(state: DrunterState, *texts: str) -> Consequences:
    """Play these: tiles as `wall A1 B1`, by whoever acts or by name as `1: vote ja`; what the last tile was to do."""
    foretold = Consequences()
    for text in texts:
        seat, _, action = text.rpartition(": ")
        action = f"lay {action}" if action.split()[0] in ("wall", "road", "river") else action
        by = int(seat) if seat else state.waiting[0]
        if action.startswith("lay"):
            foretold = state.preview(action)
        state.play(action, by)
    return foretold


def legal(state: DrunterState, seat: int | None = None) -> set[str]:
    """What a seat, or whoever acts, may do."""
    actions = state.legal_actions if seat is None else state.legal_actions_of(seat)
    return {state.text(action) for action in actions}
