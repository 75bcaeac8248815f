"""Bots that misbehave or behave in a known way, and results without playing."""

from __future__ import annotations

from typing import Any

from embertown.arena import Played, Results, Tournament
from embertown.arena.playing import shares_of
from embertown.bots import Choice, bot


class FirstBot:
    """Always the first legal action: a game between two of it depends on the shuffle alone."""

    name = "first"

    def choose(self, view: Any, *, seconds: Any = None, simulations: Any = None, seed: int = 0) -> Choice:
        del seconds, simulations, seed
        return Choice(view.legal_actions[0])


class Cheat:
    """Plays what is forbidden, from its third move on."""

    name = "cheat"

    def __init__(self) -> None:
        self.moves = 0

    def choose(self, view: Any, *, seconds: Any = None, simulations: Any = None, seed: int = 0) -> Choice:
        del seconds, simulations, seed
        self.moves += 1
        return Choice(view.legal_actions[0] if self.moves < 3 else 10_000)


class Crash:
    """Fails at once."""

    name = "crash"

    def choose(self, view: Any, *, seconds: Any = None, simulations: Any = None, seed: int = 0) -> Choice:
        del view, seconds, simulations, seed
        raise ZeroDivisionError("nothing\x1b[2J to divide")


class Listener:
    """Greedy, but remembers with which budget it was asked."""

    name = "listener"
    asked: list[tuple[Any, Any]] = []  # noqa: RUF012

    def choose(self, view: Any, *, seconds: Any = None, simulations: Any = None, seed: int = 0) -> Choice:
        self.asked.append((seconds, simulations))
        return bot("random").choose(view, seed=seed)


def game_of(tournament: Tournament, fixture: Any, scores: list[int], winners: list[int] | None = None) -> Played:
    """A game that ended so."""
    won = [seat for seat, score in enumerate(scores) if score == max(scores)] if winners is None else winners
    seats = len(scores)
    return Played(
        pairing=fixture.pairing,
        round=fixture.round,
        rotation=fixture.rotation,
        shuffle=tournament.shuffle(fixture.round),
        seats=list(fixture.seats),
        scores=scores,
        winners=won,
        shares=shares_of(won, seats),
        moves=[2] * seats,
        seconds=[0.5 + seat for seat in range(seats)],
        slowest=[0.4 + seat for seat in range(seats)],
    )


def results_of(tournament: Tournament, *scores: list[int]) -> Results:
    """Results in which the games of the tournament, in their order, ended so."""
    results = Results(tournament)
    for these in scores:
        results.add(game_of(tournament, next(iter(results.course)), these))
    return results
