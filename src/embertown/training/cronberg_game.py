"""Cronberg for the framework: its kernels, and the boards that self-play is on.

Most games are on the edition `cronberg-1726`, lying in each of its twelve ways; some on `cronberg-quarters`, and some
on editions made up by lot, with other symbols or other rhombi, so that the network learns to read them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from embertown.core.jit import kernel
from embertown.cronberg import observation, playout, rules
from embertown.cronberg.board import BOARD, COAT, GUARD, PARK, PLAIN, Board, BoardArrays
from embertown.cronberg.grid import GRID
from embertown.cronberg.rules import MAX_PLAYERS, MIN_PLAYERS, POSITION, Position
from embertown.training.games import Draw, Kernels, Layouts, TrainingGame

MAIN_EDITION, OTHER_EDITION = "cronberg-1726", "cronberg-quarters"
OTHER_SHARE = 0.3
"""So much of the games on changed editions is on the other one that comes along."""
MADE_UP = 48
"""So many editions are made up by lot."""
SYMBOL_SHARES = {PARK: 0.55, GUARD: 0.2, COAT: 0.2, PLAIN: 0.05}
RHOMBI, KINDS, LARGEST = 28, 8, 8
MARGIN_SCALE = 30.0


@kernel
def begin(
    board: BoardArrays,  # noqa: ARG001 (as in games with a deal)
    start: Position,  # noqa: ARG001
    position: Position,  # noqa: ARG001
    memory: observation.Memory,  # noqa: ARG001
    random: np.uint64,
) -> np.uint64:
    """A new game: the start is ready, nothing is dealt."""
    return random


@kernel
def random_action(board: BoardArrays, position: Position, seat: int, random: np.uint64) -> int:  # noqa: ARG001
    """A legal action, each as likely as any other."""
    return playout.random_action(board, position, random)


@kernel
def is_winner(board: BoardArrays, position: Position, seat: int) -> bool:  # noqa: ARG001 (other games look at it)
    """Whether nobody has more points (C8.4)."""
    best = position.scores[seat]
    for other in range(position.players):
        best = max(best, position.scores[other])
    return bool(position.scores[seat] == best)


@kernel
def step_by_share(
    board: BoardArrays,
    position: Position,
    memory: observation.Memory,
    seat: int,
    action: int,
    share: float,
) -> int:
    """Do an action of the rules; where it draws, the rhomb at this share of the bag: its kind, and one more."""
    observation.remember(board, position, memory, seat, action)
    rules.apply(board, position, action)
    if position.phase != rules.Phase.CHANCE:
        return 0
    nth, kind, up_to = int(share * position.left), 0, 0
    for each in range(board.kinds):
        up_to += int(position.bag[each])
        kind += nth >= up_to
    rules.apply_outcome(position, kind)
    return kind + 1


def read_board(edition: str) -> Board:
    """The board of an edition that comes along, read without the checks that need more than NumPy and numba."""
    file = Path(rules.__file__).parent / "editions" / f"{edition}.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    rhombi = {name: (int(each.get("count", 1)), each["numbers"]) for name, each in data["rhombi"].items()}
    return Board(data["board"]["triangles"], int(data["board"]["tokens"]), rhombi)


def made_up_board(main: Board, lots: np.random.Generator) -> Board:
    """An edition by lot: other symbols, and mostly other rhombi, on the same hexagon."""
    symbols, shares = list(SYMBOL_SHARES), list(SYMBOL_SHARES.values())
    strips = ["".join(lots.choice(symbols, len(strip), p=shares)) for strip in main.strips]
    rhombi: dict[str, tuple[int, Any]] = dict(zip(main.kinds, zip(main.counts, main.numbers, strict=True), strict=True))
    if lots.random() < 1 / 3:
        return Board(strips, main.tokens, rhombi)
    alike = lots.random() < 1 / 2
    counts = lots.multinomial(RHOMBI, [1 / KINDS] * KINDS)
    return Board(strips, main.tokens, {f"r{i}": (int(n), _numbers(lots, alike)) for i, n in enumerate(counts) if n})


def _numbers(lots: np.random.Generator, alike: bool) -> list[int]:
    """Four numbers that are not 0; alike: opposite corners carry the same, the sharp ones twice the blunt ones'."""
    if alike:
        blunt = int(lots.integers(1, LARGEST // 2 + 1)) * (1 if lots.random() < 1 / 2 else -1)
        return [2 * blunt, blunt, 2 * blunt, blunt]
    return [int(lots.integers(1, LARGEST + 1)) * (1 if lots.random() < 2 / 3 else -1) for _ in range(4)]


def layouts(players: int, variety: float, seed: int) -> Layouts:
    """The boards in all their ways, with shares: `variety` of the games is on changed editions."""
    lots = np.random.Generator(np.random.PCG64(seed))
    main, other = read_board(MAIN_EDITION), read_board(OTHER_EDITION)
    boards = [(main, way, (1 - variety) / observation.WAYS) for way in range(observation.WAYS)]
    if variety > 0:
        boards += [(other, way, variety * OTHER_SHARE / observation.WAYS) for way in range(observation.WAYS)]
        made_up = variety * (1 - OTHER_SHARE) / MADE_UP
        boards += [(made_up_board(main, lots), index % observation.WAYS, made_up) for index in range(MADE_UP)]
    symmetries = np.zeros(len(boards), observation.SYMMETRY)
    arrays, starts = np.zeros(len(boards), BOARD), np.zeros(len(boards), POSITION)
    for index, (board, way, _) in enumerate(boards):
        arrays[index] = board.box[0]
        symmetries[index] = observation.symmetries(board)[way]
        rules.set_up(board.arrays, starts[index], players, 0)
    return Layouts(arrays, symmetries, starts, np.array([share for *_, share in boards]))


GAME = TrainingGame(
    name="cronberg",
    grid=GRID,
    memory=observation.MEMORY,
    kernels=Kernels(
        observation.acting_seat,
        observation.observe,
        observation.mask,
        observation.action_of,
        observation.step,
        begin,
        rules.is_over,
        random_action,
        is_winner,
        step_by_share,
    ),
    layouts=layouts,
    margin_scale=MARGIN_SCALE,
    players=tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)),
    draw=Draw(observation.SHARP_LEFT, observation.SHARP_IN_HAND, observation.NUMBERS, observation.PLACING),
)
