"""What a game is to everything above it: `Game`, `State` and `View`.

Near OpenSpiel's verbs, and small: who acts, what is legal, play, is it over, the scores. A game's room derives
its three classes from these and fills in the few methods that know rules; log, undo, seats and previews are done
here, once for both games.

`Face` is what a state and a view have in common: all that can be read. A view is a face for one seat, with
everything taken out that the seat may not know; a state is a face that can also be played on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from embertown.core.chance import ChanceSource, chance_from
from embertown.core.edition import Edition
from embertown.core.errors import BadArgument, MalformedText, NothingToUndo, UnknownOption, shown
from embertown.core.jit import copied
from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, catalogue
from embertown.core.log import Entry
from embertown.core.record import GameRecord, SeatOfRecord, check_extra, check_remarks

MAX_START_SCORE = 1_000_000


class End(StrEnum):
    """Why a game ended."""

    COMPLETE = "complete"
    RESIGNED = "resigned"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, who won (several share a win), and the scores."""

    end: End
    winners: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """What a record says above its moves and play does not depend on."""

    seats: tuple[SeatOfRecord, ...]
    first: int
    start_scores: tuple[int, ...]
    extra: dict[str, Any] = field(default_factory=dict)
    """`match`, `fair` and `meta`, as they stand in the record."""
    deal: dict[str, Any] | None = None
    """What was dealt before the first turn, in games that deal; as it stands in the record."""


class Game(ABC):
    """A game with its edition, players and options fixed."""

    name: ClassVar[str]
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    option_names: ClassVar[tuple[str, ...]] = ()
    option_needs: ClassVar[dict[str, tuple[str, ...]]] = {}
    """By option: others without which it can't be chosen."""
    carries_scores: ClassVar[bool]
    """Whether the scores of a game are the start scores of the next one of a match."""
    has_secrets: ClassVar[bool]
    """Whether seats know different things; else everyone sees what a spectator sees."""
    has_deal: ClassVar[bool]
    """Whether something is dealt before the first turn."""
    edition_model: ClassVar[type[Edition]]
    default_edition: ClassVar[str]
    playout: ClassVar[ModuleType]
    """The module of the game's random playouts, for batches."""

    def __init__(
        self, players: int | None = None, edition: str | Path | dict[str, Any] | Edition | None = None, **options: bool
    ) -> None:
        players = self.min_players if players is None else players
        if type(players) is not int or not self.min_players <= players <= self.max_players:
            raise BadArgument(f"players is {shown(players)}; right would be: {self.min_players} to {self.max_players}")
        for name, value in options.items():
            if name not in self.option_names:
                raise UnknownOption(name, self.option_names)
            if type(value) is not bool:
                raise BadArgument(f"option {name} is {shown(value)}; right would be: True or False")
        self.players = players
        self.options = {name: True for name, value in options.items() if value}
        self.edition = self.edition_model.find(self.default_edition if edition is None else edition)

    def start(
        self,
        seed: int | str | bytes | None = None,
        *,
        chance: ChanceSource | None = None,
        first: int | None = None,
        start_scores: Sequence[int] | None = None,
        seats: Sequence[SeatOfRecord | str] | None = None,
        extra: dict[str, Any] | None = None,
        deal: dict[str, Any] | None = None,
    ) -> State[Any]:
        """A new game. The same seed and actions give the same game on every machine.

        `first` is drawn by lot where it is not given; `seats` are names, or names with their bots. In games
        that deal, chance does so where `deal` is not given.
        """
        source = chance_from(seed, chance)
        first = source.pick("first", [1] * self.players) if first is None else first
        if type(first) is not int or not 0 <= first < self.players:
            raise BadArgument(f"first is {shown(first)}; right would be: a seat from 0 to {self.players - 1}")
        check_extra(extra or {})
        heading = Heading(self._named(seats), first, self._scores(start_scores), dict(extra or {}), deal)
        return self._begin(source, heading)

    def _named(self, seats: Sequence[SeatOfRecord | str] | None) -> tuple[SeatOfRecord, ...]:
        given = [f"Seat {seat + 1}" for seat in range(self.players)] if seats is None else list(seats)
        if len(given) != self.players:
            raise BadArgument(f"{len(given)} seats are given; right would be: {self.players}, one for each player")
        return tuple(SeatOfRecord.named(seat) for seat in given)

    def _scores(self, start_scores: Sequence[int] | None) -> tuple[int, ...]:
        scores = (0,) * self.players if start_scores is None else tuple(start_scores)
        numbers = all(type(score) is int and abs(score) <= MAX_START_SCORE for score in scores)
        if len(scores) != self.players or not numbers:
            raise BadArgument(
                f"start_scores is {shown(list(scores))}; right would be: {self.players} whole numbers,"
                f" none beyond {MAX_START_SCORE} either way"
            )
        if not self.carries_scores and any(scores):
            raise BadArgument(f"start_scores is {list(scores)}; right would be: all 0, as every game stands alone")
        return scores

    @abstractmethod
    def _begin(self, chance: ChanceSource, heading: Heading) -> State[Any]:
        """The state at the start."""

    @abstractmethod
    def position(self, text: str, chance: ChanceSource | None = None) -> State[Any]:
        """A state set up from a position's text (`state.position_text`)."""

    @abstractmethod
    def batch_start(self) -> np.record:
        """What every game of a batch of playouts starts from (`embertown.games.batch`)."""

    @abstractmethod
    def geometry(self) -> dict[str, Any]:
        """The empty board as plain values, ready for JSON: where everything lies, in the units of the drawing."""

    @abstractmethod
    def artwork(self, theme: str | None = None) -> dict[str, Any]:
        """What drawings of this game refer to, as plain values: symbols by name, colours by day and by night, names."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.name, self.players, tuple(self.options), self.edition.id, self.edition.sha256

    def __repr__(self) -> str:
        options = "".join(f", {name}=True" for name in self.options)
        edition = self.edition.reference()
        return f"embertown.load({self.name!r}, players={self.players}, edition={edition!r}{options})"


GameT = TypeVar("GameT", bound=Game)


class Face(ABC, Generic[GameT]):
    """All that can be read of a game under way: by a state, and by a view within what its seat may know."""

    game: GameT
    heading: Heading
    _ended: Outcome | None
    """How it ended before it was played out."""

    # ---- what a game's room fills in

    @property
    @abstractmethod
    def waiting(self) -> tuple[int, ...]:
        """Every seat that may act now; empty when the game is over."""

    @abstractmethod
    def legal_actions_of(self, seat: int) -> Sequence[int]:
        """The legal actions of one seat, in ascending order; none where it is not waited for."""

    @abstractmethod
    def text(self, action: int) -> str:
        """An action as text: `token d4`."""

    @abstractmethod
    def action(self, text: str) -> int:
        """The action that a text means here; whether it is legal is `play`'s affair."""

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The scores as they stand, by seat."""

    @abstractmethod
    def _completed(self) -> Outcome | None:
        """How the game was played out, or None while it was not."""

    @property
    @abstractmethod
    def log(self) -> tuple[Entry, ...]:
        """All decisions and chance outcomes so far."""

    @property
    @abstractmethod
    def has_beginning(self) -> bool:
        """Whether the log starts at the beginning: a state set up from a position has no record."""

    @abstractmethod
    def final_scoring(self) -> Sequence[Any]:
        """What the end of the game brings, item by item."""

    @abstractmethod
    def preview(self, action: int | str) -> Any:
        """What an action would bring about; nothing is changed."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """All that a drawing needs, as plain values, ready for JSON: what changes, changes its own keys alone."""

    @abstractmethod
    def described(self, action: int) -> dict[str, Any]:
        """An action as plain values: `text`, `kind`, and the places or cards that it is about."""

    @property
    def described_by(self) -> Hashable:
        """What `described` depends on here besides the action, so that it can be kept; None where that is too much."""
        return None

    @abstractmethod
    def foretold(self, action: int | str) -> dict[str, Any]:
        """What `preview` says, as plain values."""

    @abstractmethod
    def record(self) -> GameRecord:
        """The game so far as a record."""

    @abstractmethod
    def position_text(self) -> str:
        """The position as one line of text, which `game.position` reads again."""

    @abstractmethod
    def svg(self, **how: Any) -> str:
        """The board as an SVG picture."""

    @abstractmethod
    def terminal(self, **how: Any) -> Any:
        """The board as a coloured text for the terminal (`rich.text.Text`)."""

    # ---- what follows from it

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._completed() if self._ended is None else self._ended

    @property
    def seat(self) -> int | None:
        """Who acts: the first of `waiting`; None when the game is over."""
        waiting = self.waiting
        return waiting[0] if waiting else None

    @property
    def legal_actions(self) -> Sequence[int]:
        """The legal actions of `seat`."""
        seat = self.seat
        return () if seat is None else self.legal_actions_of(seat)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    def _number(self, action: int | str) -> int:
        """An action from outside as its number."""
        if isinstance(action, str):
            return self.action(action)
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise MalformedText(f"an action is a whole number or a text, not {type(action).__name__}")
        return int(action)

    def _said(self, how: dict[str, Any]) -> dict[str, Any]:
        """How to draw: what the caller says, and the names of seats and pieces where it says nothing."""
        called = self.game.edition.called(how.get("language", DEFAULT_LANGUAGE))
        return {"names": [seat.name for seat in self.heading.seats], "called": called, **how}

    def _pictured(self, how: dict[str, Any]) -> dict[str, Any]:
        """How to make a picture that is handed on: like `_said`, with bots called by their names, and an early end."""
        language = how.get("language", DEFAULT_LANGUAGE)
        names = [_public_name(seat, language) for seat in self.heading.seats]
        return self._said({"names": names, "ended": self._ended, **how})

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        return self.svg()


def _public_name(seat: SeatOfRecord, language: str) -> str:
    """What a seat is called before everybody; a bot that nobody named bears its id in records.

    >>> [_public_name(SeatOfRecord(name=name, bot="master"), "de") for name in ("master", "Karl")]
    ['Meister', 'Karl']
    """
    if seat.bot is None or seat.name != seat.bot:
        return seat.name
    names: dict[str, str] = catalogue("bots", language if language in LANGUAGES else DEFAULT_LANGUAGE)["names"]
    return names.get(seat.bot, seat.name)


class View(Face[GameT]):
    """What one seat, or for `viewer` None a spectator, may know. No source of chance is within its reach."""

    viewer: int | None
    _log: tuple[Entry, ...] | None
    _position: np.record

    def position_array(self) -> np.ndarray:
        """The position as kernels take it: a copy, in an array of one; what this view may not know is marked in it."""
        return copied(self._position, self._position.dtype)

    @property
    def log(self) -> tuple[Entry, ...]:
        """All decisions and chance outcomes so far; of hidden ones only that they were made."""
        return self._log or ()

    @property
    def has_beginning(self) -> bool:
        """Whether the log starts at the beginning."""
        return self._log is not None

    @property
    def seat(self) -> int | None:
        """Who acts: the viewer, where it is waited for; else the first of `waiting`."""
        return self.viewer if self.viewer in self.waiting else super().seat

    def facts_after(self, before: Self, known: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """What `facts` says; a game may take over from the facts `known` of the view `before` what is still so."""
        return self.facts()

    @abstractmethod
    def sample(self, chance: ChanceSource) -> State[GameT]:
        """A full state that fits this view; what the view does not know comes from `chance`, and so does the rest."""


class State(Face[GameT]):
    """A game under way that can be played on."""

    def __init__(self, game: GameT, chance: ChanceSource | None, heading: Heading, position: np.record) -> None:
        self.game, self.heading, self.chance = game, heading, chance
        self._position = position
        self._log: list[Entry] = []
        self._past: list[tuple[np.record, int]] = []
        self._ended = None
        self._has_beginning = True

    # ---- what a game's room fills in

    @abstractmethod
    def _check(self, action: int, seat: int) -> None:
        """Raise `IllegalMove` where this seat may not do this."""

    @abstractmethod
    def _apply(self, after: np.ndarray, action: int, seat: int) -> list[Entry]:
        """Do a legal action and whatever chance it calls for, in an array of one position; the outcomes, as entries."""

    @abstractmethod
    def _result(self, index: int, before: np.record, after: np.record) -> dict[str, Any] | None:
        """What the decision at this index of the log brought about, as plain values that everybody may know."""

    def whole_facts(self) -> dict[str, Any]:
        """All that a drawing needs, with every secret that is known here: for replays of what is revealed."""
        return self.facts()

    def results(self, start: int = 0) -> dict[int, dict[str, Any]]:
        """What decisions brought about, by index in the log from `start` on, where there is something to tell.

        Only what everybody may know: a vote is told by the entry that ends it. Of a state that goes on from a
        position, only what was played since is known.
        """
        found, after = {}, self._position
        for before, index in reversed(self._past):
            if index < start:
                break
            result = self._result(index, before, after)
            if result is not None:
                found[index] = result
            after = before
        return dict(reversed(found.items()))

    def view(self, seat: int | None) -> View[GameT]:
        """What that seat, or for None a spectator, may know."""
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.game.players):
            raise BadArgument(f"seat is {shown(seat)}; right would be: 0 to {self.game.players - 1}, or None")
        return self._view(seat)

    @abstractmethod
    def _view(self, seat: int | None) -> View[GameT]:
        """The view of a seat that is there."""

    # ---- playing

    def play(
        self,
        action: int | str,
        seat: int | None = None,
        *,
        note: str | None = None,
        at: str | None = None,
        by: str | None = None,
    ) -> Self:
        """Do an action, as integer or text, for `seat` (whoever acts, where not given); checked.

        Raises `IllegalMove` with the rule, or `Malformed` where it can't be read; then nothing has changed.
        """
        check_remarks(note, at, by)
        number = self._number(action)
        acting = self._acting(seat)
        self._check(number, acting)
        entry = Entry(acting, self.text(number), note, at, by)
        after = copied(self._position, self._position.dtype)
        chosen = self._apply(after, number, acting)
        self._past.append((self._position, len(self._log)))
        self._position = after[0]
        self._log += [entry, *chosen]
        return self

    # ---- supposing: what if?

    def suppose(self, text: str, seat: int | None = None) -> Self:
        """Play a hypothetical action; a game may also take as given what chance or others will do (`suppositions`)."""
        return self.play(text, seat)

    @property
    def suppositions(self) -> tuple[str, ...]:
        """What can be taken as given here, besides the legal actions."""
        return ()

    def supposed_view(self, seat: int | None) -> View[GameT]:
        """What a seat may know that made this state up from its own view: what it made up is not revealed."""
        return self.view(seat)

    def _acting(self, seat: int | None) -> int:
        waiting = self.waiting
        if seat is None:
            return waiting[0] if waiting else self.heading.first
        if type(seat) is not int or not 0 <= seat < self.game.players:
            raise BadArgument(f"seat is {shown(seat)}; right would be: 0 to {self.game.players - 1}")
        return seat

    def undo(self) -> Self:
        """Take the last decision back, with the chance outcome that followed it; drawing again gives the same."""
        if self._ended is not None:
            self._ended = None
        elif self._past:
            self._position, length = self._past.pop()
            self._log = self._log[:length]  # views may hold the old one, which must not change
        else:
            raise NothingToUndo("nothing has been played yet")
        return self

    def copy(self) -> Self:
        """A state of its own, with the same past and the same chance."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._log, twin._past = list(self._log), list(self._past)
        return twin

    def resign(self, *seats: int) -> Self:
        """End the game because these seats gave up: whoever did not resign wins, the scores stay as they stand."""
        if not seats or not set(seats) < set(range(self.game.players)):
            raise BadArgument(f"{list(seats)} resign; right would be: at least one seat, and not all of them")
        return self._stop(End.RESIGNED, tuple(s for s in range(self.game.players) if s not in seats))

    def abandon(self) -> Self:
        """End the game with no winner; the scores stay as they stand."""
        return self._stop(End.ABANDONED, ())

    def _stop(self, end: End, winners: tuple[int, ...]) -> Self:
        if self.outcome is not None:
            raise BadArgument("the game is over already")
        self._ended = Outcome(end, winners, self.scores)
        return self

    @property
    def log(self) -> tuple[Entry, ...]:
        """All decisions and chance outcomes so far."""
        return tuple(self._log)

    @property
    def log_length(self) -> int:
        """How many entries the log has."""
        return len(self._log)

    def log_since(self, start: int) -> Sequence[Entry]:
        """The entries of the log from an index on."""
        return self._log[start:]

    @property
    def has_beginning(self) -> bool:
        """Whether the log starts at the beginning: a state set up from a position has no record."""
        return self._has_beginning
