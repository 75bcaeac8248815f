"""One game between contestants, and what it came to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from embertown.arena.contestant import Contestant
from embertown.arena.tournament import Fixture
from embertown.bots import Bot, Choice, bot
from embertown.core.chance import derived_seed
from embertown.core.edition import Checked, Label
from embertown.core.errors import BotFault, EmbertownError, shorten, shown
from embertown.core.game import Face, Game, State, View
from embertown.core.record import Score, Seat, SeatOfRecord
from embertown.games import load

MICROSECONDS = 6
"""Digits of seconds that are kept."""
WARM_UP: dict[str, Any] = {"simulations": 16, "seconds": 0.02}
"""The budget of a move before it counts."""

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class Played(Checked):
    """A game that was played; lists are by seat."""

    pairing: Count
    round: Count
    rotation: Count
    shuffle: Label
    """The seed of the game's chance."""
    seats: list[Label]
    scores: list[Score]
    winners: list[Seat]
    shares: list[Share]
    """Of the win: two who win together have a half each."""
    moves: list[Count]
    seconds: list[Seconds]
    """What a seat's moves took, together."""
    slowest: list[Seconds]
    """What its slowest move took."""

    @property
    def fixture(self) -> Fixture:
        """Which game of the tournament it is."""
        return Fixture(self.pairing, self.round, self.rotation, tuple(self.seats))


class Task(NamedTuple):
    """A game for any process to play: nothing in it but names and numbers."""

    game: str
    edition: str
    options: tuple[str, ...]
    seed: int
    shuffle: str
    fixture: Fixture
    with_record: bool


class Player(NamedTuple):
    """A contestant at its seat for one game: a bot of its own, so that nobody shares what it remembers."""

    contestant: Contestant
    bot: Bot
    seed: int
    shuffle: str | int
    """The seed of the game's chance."""

    def choose(self, view: View[Any], told: Face[Any]) -> Choice:
        """What the bot wants to do; a failure of its own is told as its fault, with the position that may be `told`."""
        try:
            budget = {"seconds": self.contestant.seconds, "simulations": self.contestant.simulations}
            choice = self.bot.choose(view, **budget, seed=self.seed)  # type: ignore[arg-type]
            _ = choice.action
        except Exception as error:
            raise self._fault(told, f"failed: {type(error).__name__}: {shorten(str(error), 200)}") from error
        return choice

    def move(self, state: State[Any]) -> float:
        """Choose and play; how many seconds the choice took."""
        view = state.view(state.seat)
        started = time.perf_counter()
        action = self.choose(view, state).action
        seconds = time.perf_counter() - started
        with self.by_the_rules(action, state):
            state.play(action, state.seat)
        return seconds

    @contextmanager
    def by_the_rules(self, action: object, told: Face[Any]) -> Iterator[None]:
        """Where the bot's action is played: a refusal is told as its fault."""
        try:
            yield
        except EmbertownError as error:
            raise self._fault(told, f"chose action {shown(action)}, which is against the rules: {error}") from None

    def _fault(self, told: Face[Any], what: str) -> BotFault:
        return BotFault(str(self.contestant), told.seat or 0, what, told.position_text(), self.shuffle, self.seed)


def play_fixture(task: Task) -> tuple[Played, str | None]:
    """Play one game to its end; what it came to, and its record where it is wanted."""
    fixture = task.fixture
    game = _loaded(task.game, task.edition, len(fixture.seats), task.options)
    contestants = [Contestant.parsed(text) for text in fixture.seats]
    seats = seats_of(fixture)
    seeds = [derived_seed(task.seed, "bot", *fixture[:3], seat) for seat in range(game.players)]
    state = game.start(seed=task.shuffle, seats=seats)
    times: list[list[float]] = [[] for _ in seats]
    for contestant in contestants:
        _warm_up(game, contestant.bot)
    players = [Player(one, bot(one.bot), seed, task.shuffle) for one, seed in zip(contestants, seeds, strict=True)]
    while state.seat is not None:
        times[state.seat].append(players[state.seat].move(state))
    return _played(task, state, times), state.record().to_json() if task.with_record else None


def seats_of(fixture: Fixture) -> list[SeatOfRecord]:
    """The contestants as they stand in a record.

    >>> [seat.name for seat in seats_of(Fixture(0, 0, 0, ("greedy:100", "random")))]
    ['greedy:100 1', 'random 2']
    """
    bots = enumerate(((text, Contestant.parsed(text).bot) for text in fixture.seats), start=1)
    return [SeatOfRecord(name=shorten(f"{text} {seat}"), bot=name) for seat, (text, name) in bots]


_warm: set[tuple[str, str]] = set()
"""Games and bots whose kernels are loaded in this process: they are the same for every edition and option."""


def _warm_up(game: Game, name: str) -> None:
    """Let a bot play a quick game in which nothing counts: its first moves load kernels, or compile them.

    Else that would count as its time for thinking. What it does wrong is seen where it counts.
    """
    if (game.name, name) in _warm:
        return
    _warm.add((game.name, name))
    with suppress(Exception):
        state, player = game.start(seed=0), bot(name)
        while state.seat is not None:
            state.play(player.choose(state.view(state.seat), **WARM_UP).action)


@cache
def _loaded(game: str, edition: str, players: int, options: tuple[str, ...]) -> Game:
    return load(game, players, json.loads(edition), **dict.fromkeys(options, True))


def shares_of(winners: Sequence[int], players: int) -> list[float]:
    """By seat: the share of the win.

    >>> shares_of([0, 2], 3)
    [0.5, 0.0, 0.5]
    """
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]


def _played(task: Task, state: State[Any], times: list[list[float]]) -> Played:
    assert state.outcome is not None
    winners = state.outcome.winners
    seats = range(len(times))
    return Played(
        pairing=task.fixture.pairing,
        round=task.fixture.round,
        rotation=task.fixture.rotation,
        shuffle=task.shuffle,
        seats=list(task.fixture.seats),
        scores=list(state.outcome.scores),
        winners=list(winners),
        shares=shares_of(winners, len(times)),
        moves=[len(times[seat]) for seat in seats],
        seconds=[round(sum(times[seat]), MICROSECONDS) for seat in seats],
        slowest=[round(max(times[seat], default=0.0), MICROSECONDS) for seat in seats],
    )
