"""What bots are asked: positions of every kind from games of every kind, each with the whole state behind it.

>>> asked = questions(kinds_of("cronberg")[0])
>>> sorted({question.kind.split()[0] for question in asked} - {"pass"})
['draw', 'place', 'token']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import Any, NamedTuple

from embertown.bots import bot
from embertown.core.errors import BadArgument
from embertown.core.game import Game, State, View
from embertown.games import game_class, load


class Question(NamedTuple):
    """A seat's turn in a game: the state that its view is taken from, and how to come there again."""

    state: State[Any]
    seat: int
    seed: int
    """Of the game that it comes from."""
    move: int
    """How many actions were played before it."""

    @property
    def view(self) -> View[Any]:
        """What the bot is shown: a new view each time."""
        return self.state.view(self.seat)

    @property
    def kind(self) -> str:
        """What is to be decided, by the word that actions begin with, and how many others still decide with it."""
        first = self.state.text(self.state.legal_actions_of(self.seat)[0])
        return f"{first.split()[0]} {len(self.state.waiting)}"

    def where(self) -> str:
        """Game, seed, move and position, as text."""
        here = f"seed {self.seed}, after {self.move} actions, seat {self.seat}"
        return f"{self.state.game!r}\n{here}\nthe view: {self.view.position_text()}"


def kinds_of(game: str | Game) -> list[Game]:
    """The kinds of a game: all numbers of players with all editions that ship, and all options; a `Game` is itself.

    >>> len(kinds_of("cronberg")), kinds_of("drunter")[-1].options
    (6, {'variant': True, 'several_cards': True, 'no_votes': True})
    """
    if isinstance(game, Game):
        return [game]
    played = game_class(game)
    numbers = range(played.min_players, played.max_players + 1)
    plain = [load(game, players, edition) for edition in played.edition_model.shipped() for players in numbers]
    names = played.option_names
    sets = chain.from_iterable(combinations(names, size) for size in range(1, len(names) + 1))
    offered = [found for options in sets for found in _with_options(game, options, len(numbers))]
    return plain + offered


def _with_options(game: str, options: tuple[str, ...], numbers: int) -> list[Game]:
    """The game with these options, each set with another number of players; nothing where they don't go together."""
    players = game_class(game).min_players + sum(map(len, options)) % numbers
    try:
        return [load(game, players, None, **dict.fromkeys(options, True))]
    except BadArgument:
        return []


def all_kinds(games: Iterable[str | Game]) -> list[Game]:
    """The kinds of several games; an unknown name is an error that lists the names."""
    return [kind for game in games for kind in kinds_of(game)]


def questions(game: Game, seed: int = 0) -> list[Question]:
    """Of one game played at random: the first and the last turn for each kind of decision."""
    first: dict[str, Question] = {}
    last: dict[str, Question] = {}
    for question in turns(game, seed):
        first.setdefault(question.kind, question)
        last[question.kind] = question
    found = {question.move: question for question in (*first.values(), *last.values())}
    return [found[move] for move in sorted(found)]


def turns(game: Game, seed: int) -> Iterator[Question]:
    """All turns of a game that is played at random; whoever may act at the same time does so in turn."""
    state, player, move = game.start(seed=seed), bot("random"), 0
    while waiting := state.waiting:
        seat = waiting[move % len(waiting)]
        yield Question(state.copy(), seat, seed, move)
        state.play(player.choose(state.view(seat), seed=seed).action, seat)
        move += 1
