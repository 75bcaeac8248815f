"""Self-play's own kernels, made around a game's: one decision of one game, for the CPU and the GPU alike.

Games in one group of `GROUP` neighbours share a layout, so that threads that run together read the same board.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

from embertown.core.jit import fresh_kernel, next_random, random_below
from embertown.training.games import SEATS, Round, TrainingGame

GROUP = 64
"""So many games in a row are on the same layout."""
SHARE, MARGIN = 0, SEATS
"""Where in a row of outcomes the shares of the win begin, and the margins."""
OUTCOMES = 2 * SEATS
SCATTERED = 64
"""Games that are scattered go on for fewer decisions than this."""


class Batch(NamedTuple):
    """All arrays of a batch of games, by game unless said otherwise; kernels take them together."""

    boards: Any
    """By layout, as `symmetries` and `starts`."""
    symmetries: Any
    starts: Any
    blank: Any
    """A memory in which nothing is remembered, once."""
    layout_of: Any
    """By group of `GROUP` neighbours: its layout."""
    positions: Any
    memories: Any
    randoms: Any
    answers: Any
    """What the seats that act have chosen, as the network answers."""
    seats: Any
    """Who acts."""
    done: Any
    outcomes: Any
    """[game, outcome]: how a game ended that has just been done."""
    scores: Any
    observations: Any
    masks: Any


class OneGame(NamedTuple):
    """For one game, by its index."""

    begin: Any
    scatter: Any
    """Bring it some way."""
    advance: Any
    """Do the answer."""
    turn: Any
    """Say who acts and what is legal."""
    look: Any
    """Say what is seen, all of it …"""
    looks: tuple[Any, ...]
    """… or in rounds, one part of a round at a time: (index, part, batch)."""
    wander: Any


@cache
def one_game(game: TrainingGame) -> OneGame:
    """The kernels for a game."""
    looks = tuple(_look_at_part(each) for each in game.kernels.rounds)
    return OneGame(_begin(game), _scatter(game), _advance(game), _turn(game), _look(game), looks, _wander(game))


def _begin(game: TrainingGame) -> Any:
    """Put a new game into its place."""
    begin = game.kernels.begin

    def begin_one(index: int, batch: Batch) -> None:
        layout = batch.layout_of[index // GROUP]
        board, start, positions, memories = batch.boards[layout], batch.starts[layout], batch.positions, batch.memories
        positions[index] = start
        memories[index] = batch.blank[0]
        batch.randoms[index] = begin(board, start, positions[index], memories[index], batch.randoms[index])

    return fresh_kernel(begin_one)


def _scatter(game: TrainingGame) -> Any:
    """Some random decisions, not as many in every game, so that games that began together do not end together."""
    acting_seat, random_action = game.kernels.acting_seat, game.kernels.random_action
    step, is_over, begin_one = game.kernels.step, game.kernels.is_over, _begin(game)

    def scatter_one(index: int, batch: Batch) -> None:
        board, positions, randoms = batch.boards[batch.layout_of[index // GROUP]], batch.positions, batch.randoms
        decisions = random_below(randoms[index], SCATTERED)
        for _ in range(decisions):
            randoms[index] = next_random(randoms[index])
            seat = acting_seat(positions[index])
            action = random_action(board, positions[index], seat, randoms[index])
            randoms[index] = next_random(randoms[index])
            randoms[index] = step(board, positions[index], batch.memories[index], seat, action, randoms[index])
            if is_over(positions[index]):
                begin_one(index, batch)

    return fresh_kernel(scatter_one)


def _turn(game: TrainingGame) -> Any:
    """Write who acts and what is legal."""
    acting_seat, mask = game.kernels.acting_seat, game.kernels.mask

    def turn_one(index: int, batch: Batch) -> None:
        layout, position = batch.layout_of[index // GROUP], batch.positions[index]
        seat = acting_seat(position)
        batch.seats[index] = seat
        mask(batch.boards[layout], position, seat, batch.symmetries[layout], batch.masks[index])

    return fresh_kernel(turn_one)


def _look(game: TrainingGame) -> Any:
    """Write what the seat that acts sees."""
    observe = game.kernels.observe

    def look_one(index: int, batch: Batch) -> None:
        layout, seat = batch.layout_of[index // GROUP], batch.seats[index]
        board, symmetry, memory = batch.boards[layout], batch.symmetries[layout], batch.memories[index]
        observe(board, batch.positions[index], memory, seat, symmetry, batch.observations[index])

    return fresh_kernel(look_one)


def _look_at_part(looking: Round) -> Any:
    """Write a part of what the seat that acts sees."""
    observe = looking.observe

    def look_at_part(index: int, part: int, batch: Batch) -> None:
        layout, seat = batch.layout_of[index // GROUP], batch.seats[index]
        board, symmetry, memory = batch.boards[layout], batch.symmetries[layout], batch.memories[index]
        observe(board, batch.positions[index], memory, seat, symmetry, part, batch.observations[index])

    return fresh_kernel(look_at_part)


def _advance(game: TrainingGame) -> Any:
    """Do the answer of the seat that acts; where the game is over, say how it ended and begin another."""
    action_of, step, is_over = game.kernels.action_of, game.kernels.step, game.kernels.is_over
    begin_one, judge = _begin(game), judging(game)

    def advance_one(index: int, batch: Batch) -> None:
        layout, seat = batch.layout_of[index // GROUP], batch.seats[index]
        board, position, randoms = batch.boards[layout], batch.positions[index], batch.randoms
        action = action_of(board, position, batch.symmetries[layout], batch.answers[index])
        randoms[index] = step(board, position, batch.memories[index], seat, action, randoms[index])
        batch.done[index] = 0
        for part in range(OUTCOMES):
            batch.outcomes[index, part] = 0.0
        if is_over(position):
            batch.done[index] = 1
            judge(board, position, batch.outcomes[index], batch.scores[index])
            begin_one(index, batch)

    return fresh_kernel(advance_one)


@cache
def judging(game: TrainingGame) -> Any:
    """How a game ended, by seat: the share of the win against an equal share, and the lead over the best other.

    Both go from -1 to 1; the share is 1 for the only winner, and -1 for the loser of two.
    """
    scale, is_winner = game.margin_scale, game.kernels.is_winner

    def judge_one(board, position, outcome, scores) -> None:  # type: ignore[no-untyped-def]
        players, winners = int(position.players), 0
        for seat in range(players):
            if is_winner(board, position, seat):
                winners += 1
        for seat in range(players):
            score = int(position.scores[seat])
            scores[seat] = score
            won = 1.0 / winners if is_winner(board, position, seat) else 0.0
            outcome[SHARE + seat] = (won * players - 1.0) / (players - 1.0)
            rival = -(1 << 30)
            for other in range(players):
                if other != seat:
                    rival = max(rival, int(position.scores[other]))
            outcome[MARGIN + seat] = math.tanh((score - rival) / scale)

    return fresh_kernel(judge_one)


def _wander(game: TrainingGame) -> Any:
    """Random legal actions, one game after the other in one place; how many games ended."""
    acting_seat, random_action = game.kernels.acting_seat, game.kernels.random_action
    step, begin, is_over = game.kernels.step, game.kernels.begin, game.kernels.is_over

    def wander_one(board, start, blank, positions, memories, random, steps) -> int:  # type: ignore[no-untyped-def]
        ended = 0
        positions[0] = start
        memories[0] = blank
        random = begin(board, start, positions[0], memories[0], random)
        for _ in range(steps):
            seat = acting_seat(positions[0])
            action = random_action(board, positions[0], seat, random)
            random = step(board, positions[0], memories[0], seat, action, next_random(random))
            random = next_random(random)
            if is_over(positions[0]):
                ended += 1
                positions[0] = start
                memories[0] = blank
                random = begin(board, start, positions[0], memories[0], random)
        return ended

    return fresh_kernel(wander_one)
