"""Several games in a row: scores carry over where the game says so, the start passes to the left (C2.2, C8.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from embertown.core.chance import ChanceSource, LabelledChance, chance_from
from embertown.core.errors import BadArgument, shown
from embertown.core.game import Game, State
from embertown.core.record import MatchOfRecord, SeatOfRecord


class Match:
    """A match of some games; start a game, play it to its end, hand it back with `finish`.

    The match is won by whoever wins its last game, as the scores that count there are the carried ones (C8.5).
    """

    def __init__(
        self,
        game: Game,
        games: int,
        seed: int | str | bytes | None = None,
        *,
        chance: ChanceSource | None = None,
        first: int | None = None,
        seats: Sequence[SeatOfRecord | str] | None = None,
        name: str = "match",
    ) -> None:
        if type(games) is not int or games < 1:
            raise BadArgument(f"a match of {shown(games)} games; right would be: a whole number, 1 or more")
        if first is not None and (type(first) is not int or not 0 <= first < game.players):
            raise BadArgument(f"first is {shown(first)}; right would be: a seat from 0 to {game.players - 1}")
        self.game, self.games, self.name, self.seats = game, games, MatchOfRecord.named(name).id, seats
        self.chance = chance_from(seed, chance)
        self.first = self.chance.pick("first", [1] * game.players) if first is None else first
        self.finished: list[State[Any]] = []

    def __repr__(self) -> str:
        played = f"{len(self.finished)} of {self.games} games"
        return f"<Match {self.name!r}: {played} of {self.game!r}, scores {self.scores}>"

    @property
    def is_over(self) -> bool:
        """Whether all games have been played."""
        return len(self.finished) == self.games

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores after the games so far; where nothing carries over, their sum."""
        if not self.finished:
            return (0,) * self.game.players
        if self.game.carries_scores:
            return self.finished[-1].scores
        return tuple(sum(state.scores[seat] for state in self.finished) for seat in range(self.game.players))

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won the match, once it is over."""
        if not self.is_over:
            return ()
        if self.game.carries_scores:
            outcome = self.finished[-1].outcome
            return () if outcome is None else outcome.winners
        best = max(self.scores)
        return tuple(seat for seat, score in enumerate(self.scores) if score == best)

    def start(self) -> State[Any]:
        """The next game: scores carried over, the start one seat further to the left, chance of its own."""
        if self.is_over:
            raise BadArgument(f"all {self.games} games of the match have been played")
        number = len(self.finished) + 1
        return self.game.start(
            chance=LabelledChance(self.chance, f"game {number}"),
            first=(self.first + number - 1) % self.game.players,
            start_scores=self.scores if self.game.carries_scores else None,
            seats=self.seats,
            extra={"match": {"id": self.name, "game": number}},
        )

    def finish(self, state: State[Any]) -> None:
        """Take a game that has ended into the match."""
        expected = len(self.finished) + 1
        if state.outcome is None:
            raise BadArgument("the game is not over yet")
        if state.heading.extra.get("match") != {"id": self.name, "game": expected}:
            raise BadArgument(f"this is not game {expected} of the match; right would be: the one that `start` gave")
        self.finished.append(state.copy())
