"""Drunter & Drüber for the framework: its kernels, and the boards and options that self-play is on.

Most games are on the edition `schilda`, lying in each of its four ways, by the basic rules; some are of the variant
(D9), with and without votes; and a share is on editions made up by lot, with other buildings, outhouses and corners, so
that the network learns to read them. Votes of several cards (D6.6) are not trained: a network has no answer for them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np

from embertown.core.jit import kernel
from embertown.drunter import observation, playout, rules
from embertown.drunter.board import (
    BOARD,
    BUILDING_LETTERS,
    BUILDINGS,
    NOWHERE,
    OPEN_GROUND,
    OUTHOUSE,
    VALUES,
    Board,
    BoardArrays,
)
from embertown.drunter.foresight import STANDING
from embertown.drunter.grid import GRID
from embertown.drunter.memory import MEMORY, Memory, counted_from
from embertown.drunter.observation import FRAME, OBSERVATION, first_kind, framed, observe_vote, own_card, own_stake
from embertown.drunter.rules import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    OBJECTIVES,
    POSITION,
    UNKNOWN,
    Phase,
    Position,
    is_covered,
)
from embertown.training.games import Kernels, Layouts, Round, TrainingGame

MAIN_EDITION = "schilda"
MADE_UP = 48
"""So many editions are made up by lot."""
OPTIONS: tuple[tuple[tuple[str, ...], float], ...] = (
    ((), 0.75),
    (("variant",), 0.2),
    (("variant", "no_votes"), 0.05),
)
"""The options of games, and how many of them are by each."""
CORNERS = ("W", "W", "R", "V")
FEWEST_OUTHOUSES, MOST_OUTHOUSES = 10, 24
NOISE = 1.5
"""By so many squares a building may be farther from the centre than its value would have it, about (D1.2)."""
MARGIN_SCALE = 8.0

HIDDEN = 2 * len(OBJECTIVES) + 2 + observation.SHOWN
"""Of each other seat: its two objectives, what the first is worth now, whether it is chosen, its vote under way."""
OTHERS = MAX_PLAYERS - 1
SECRETS = OTHERS * (HIDDEN + FRAME + len(OBJECTIVES))
"""That, what each other seat would lose by every square, and what it is out for, as is to be guessed."""
STAKES = OBSERVATION + OTHERS * HIDDEN
TRUTHS = STAKES + OTHERS * FRAME
"""Where in a row those begin."""
FIRST_WORTH = observation.LAYOUT["points"].start + len(BUILDINGS)
"""Where it is seen what every objective is worth now."""


@kernel
def observe_all(
    board: BoardArrays, position: Position, memory: Memory, seat: int, symmetry: int, out: np.ndarray
) -> None:
    """What a seat sees; behind it, for the critic alone, what the others hide from it."""
    observation.observe(board, position, memory, seat, symmetry, out)
    for index in range(SECRETS):
        out[OBSERVATION + index] = 0.0
    for part in range(OTHERS):
        observe_hidden(board, position, seat, symmetry, part, out)


@kernel
def observe_hidden(
    board: BoardArrays, position: Position, seat: int, symmetry: int, part: int, out: np.ndarray
) -> None:
    """What one of the others hides: its cards and its vote, what it is out for, what it has at stake where."""
    if part >= position.players - 1:
        return
    first, other = first_kind(position, seat), (seat + part + 1) % position.players
    reveal(position, other, first, OBSERVATION + part * HIDDEN, out)
    cards = 2 if position.variant and position.chosen[other] < 0 else 1
    for which in range(cards):
        truth = TRUTHS + part * len(OBJECTIVES) + counted_from(own_card(position, other, which), first)
        out[truth] = 1.0 / cards
    for building in range(STANDING):
        square = int(board.building[building // len(VALUES), building % len(VALUES)])
        if square != NOWHERE and not is_covered(position, square):
            place = STAKES + part * FRAME + framed(board, symmetry, square)
            out[place] = own_stake(board, position, other, square)


@kernel
def clear_all(
    board: BoardArrays,  # noqa: ARG001 (as in every round)
    position: Position,  # noqa: ARG001
    memory: Memory,  # noqa: ARG001
    seat: int,  # noqa: ARG001
    symmetry: int,  # noqa: ARG001
    part: int,
    out: np.ndarray,
) -> None:
    """A share of the whole row, secrets too."""
    observation.clear(part, out)
    for index in range(part * SECRETS // observation.CLEARINGS, (part + 1) * SECRETS // observation.CLEARINGS):
        out[OBSERVATION + index] = 0.0


@kernel
def observe_others(
    board: BoardArrays, position: Position, memory: Memory, seat: int, symmetry: int, part: int, out: np.ndarray
) -> None:
    """What is suspected of another seat, and what is true."""
    if part < OTHERS:
        observation.observe_suspicions(board, position, memory, seat, symmetry, part, out)
    else:
        observe_hidden(board, position, seat, symmetry, part - OTHERS, out)


ROUNDS = (
    Round(observation.CLEARINGS, clear_all),
    Round(observation.STANDS, observation.observe_what_stands),
    Round(2 * OTHERS, observe_others),
    Round(STANDING, observation.observe_worths),
    Round(observation.FOLLOWS, observation.observe_what_follows),
)
"""What `observe_all` does, for the threads of a GPU."""


@kernel
def reveal(position: Position, seat: int, first: int, at: int, out: np.ndarray) -> None:
    """What a seat hides: its cards, and its vote in a vote under way."""
    for which in range(2):
        card = own_card(position, seat, which)
        if card >= 0:
            out[at + which * len(OBJECTIVES) + counted_from(card, first)] = 1.0
    at += 2 * len(OBJECTIVES)
    out[at] = out[FIRST_WORTH + counted_from(own_card(position, seat, 0), first)]
    out[at + 1] = 1.0 if position.chosen[seat] >= 0 else 0.0
    if position.phase == Phase.VOTING:
        observe_vote(position, seat, at + 2, out)


def read_board(edition: str) -> Board:
    """The board of an edition that comes along, read without the checks that need more than NumPy and numba."""
    file = Path(rules.__file__).parent / "editions" / f"{edition}.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return Board([line.split() for line in data["board"]["squares"].strip().splitlines()], data["tiles"])


def made_up_board(main: Board, lots: np.random.Generator) -> Board:
    """An edition by lot on a board of the same size: values the higher the nearer to the centre, about (D1.2)."""
    height, width = main.height, main.width
    rows = [[OPEN_GROUND] * width for _ in range(height)]
    for corner, letter in enumerate(lots.permutation(CORNERS)):
        rows[-(corner >> 1)][-(corner & 1)] = str(letter)
    ground = [(r, c) for r in range(height) for c in range(width) if rows[r][c] == OPEN_GROUND]
    kinds = list(BUILDING_LETTERS)
    outhouses = int(lots.integers(FEWEST_OUTHOUSES, MOST_OUTHOUSES + 1))
    taken = [ground[i] for i in lots.permutation(len(ground))[: outhouses + len(kinds) * len(VALUES)]]
    for row, column in taken[:outhouses]:
        rows[row][column] = OUTHOUSE
    middle = (height - 1) / 2, (width - 1) / 2
    noise = {square: lots.normal(0, NOISE) for square in taken}
    outwards = sorted(taken[outhouses:], key=lambda s: abs(s[0] - middle[0]) + abs(s[1] - middle[1]) + noise[s])
    for number, (row, column) in enumerate(outwards):
        of_value = number % len(kinds)
        if of_value == 0:
            order = lots.permutation(kinds)
        rows[row][column] = f"{order[of_value]}{len(VALUES) - number // len(kinds)}"
    return Board(rows, main.tiles)


def start_of(players: int, options: tuple[str, ...]) -> np.ndarray:
    """What games by these options start from, before the deal (`DrunterGame.batch_start`), in an array of one."""
    start = np.zeros(1, POSITION)
    start["players"], start["objectives"], start["chosen"] = players, UNKNOWN, UNKNOWN
    for name in options:
        start[name] = 1
    return start


def layouts(players: int, variety: float, seed: int) -> Layouts:
    """The boards in all their ways, by all options, with shares: `variety` of the games is on changed editions."""
    lots = np.random.Generator(np.random.PCG64(seed))
    main = read_board(MAIN_EDITION)
    ways = observation.symmetries(main).tolist()
    found = [(main, way, options, (1 - variety) * share / len(ways)) for options, share in OPTIONS for way in ways]
    if variety > 0:
        for index in range(MADE_UP):
            board, way = made_up_board(main, lots), ways[index % len(ways)]
            found += [(board, way, options, variety * share / MADE_UP) for options, share in OPTIONS]
    arrays, starts = np.zeros(len(found), BOARD), np.zeros(len(found), POSITION)
    for index, (board, _, options, _) in enumerate(found):
        arrays[index], starts[index] = board.box[0], start_of(players, options)[0]
    turned = np.array([way for _, way, _, _ in found], observation.SYMMETRY)
    return Layouts(arrays, turned, starts, np.array([share for *_, share in found]))


GAME = TrainingGame(
    name="drunter",
    grid=GRID,
    memory=MEMORY,
    kernels=Kernels(
        observation.acting_seat,
        observe_all,
        observation.mask,
        observation.action_of,
        observation.step,
        observation.begin,
        rules.is_over,
        playout.random_action,
        rules.is_winner,
        rounds=ROUNDS,
    ),
    layouts=layouts,
    margin_scale=MARGIN_SCALE,
    players=tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)),
    secrets=SECRETS,
    hidden_stakes=STAKES + np.arange(OTHERS * FRAME).reshape(OTHERS, FRAME),
    truths=TRUTHS + np.arange(OTHERS * len(OBJECTIVES)).reshape(OTHERS, len(OBJECTIVES)),
)
