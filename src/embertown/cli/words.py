"""What a game is told in: one class for each game, all with the same interface; the commands know no more of a game.

>>> words_class("cronberg").title, words_class("drunter").title
('Cronberg', 'Drunter & Drüber')
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from rich.text import Text

from embertown.core.edition import Edition
from embertown.core.errors import IllegalMove, UnknownGame
from embertown.core.game import Face, Outcome, View
from embertown.core.log import Entry
from embertown.core.terminal import SEAT_STYLES, SHAPES

RULE_WORDS = {"en": "rule", "de": "Regel", "fr": "règle"}
WIDTH = 78

ROOMS = {
    "cronberg": ("embertown.cli.cronberg_words", "CronbergWords"),
    "drunter": ("embertown.cli.drunter_words", "DrunterWords"),
}

Line = str | Text

FaceT = TypeVar("FaceT", bound=Face[Any])
ViewT = TypeVar("ViewT", bound=View[Any])
EditionT = TypeVar("EditionT", bound=Edition)


class Deed(NamedTuple, Generic[ViewT]):
    """What a seat did, as a spectator may know it."""

    entry: Entry
    before: ViewT
    after: ViewT
    by_bot: bool

    @property
    def seat(self) -> int:
        """Who did it."""
        assert self.entry.seat is not None
        return self.entry.seat


class Seal(NamedTuple):
    """How many entries of the log can't be taken back any more, and why."""

    entries: int
    reason: str


@dataclass(frozen=True)
class Words(ABC, Generic[FaceT, ViewT, EditionT]):
    """A game in words, for these players, in this language. Views come in; nothing here sees more than they show."""

    names: Sequence[str]
    language: str = "en"

    title: ClassVar[str]
    verbs: ClassVar[Sequence[str]]
    """The words that actions begin with."""
    has_secrets: ClassVar[bool] = False
    """Whether people at one keyboard have to take turns at looking."""
    options_needing: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """By option: another that it needs, and the rule."""

    # ---- what people type

    @abstractmethod
    def action(self, line: str, view: ViewT) -> str | None:
        """What was typed as the game writes it; None where it looks like no action, `MalformedText` where it fails."""

    @abstractmethod
    def right(self, view: ViewT) -> str:
        """Examples of what could have been typed."""

    @abstractmethod
    def forced(self, view: ViewT) -> int | None:
        """The one action that is left, where everybody knows that there is no other."""

    # ---- what they ask for

    @abstractmethod
    def help_lines(self) -> list[Line]:
        """The rules in five lines, what can be typed, what the signs mean."""

    @abstractmethod
    def hint(self, view: ViewT) -> str:
        """What can be typed now, with an example that is legal here."""

    @abstractmethod
    def list_actions(self, view: ViewT) -> tuple[list[str], list[int]]:
        """The legal actions, numbered, with what they would bring; and their order."""

    @abstractmethod
    def score_lines(self, view: ViewT) -> list[str]:
        """How it stands."""

    # ---- what happened

    @abstractmethod
    def news(self, deed: Deed[ViewT]) -> list[str]:
        """What somebody did and what followed, a line each; nothing where it is told with what follows at once."""

    def action_words(self, text: str) -> str:
        """An action as it is typed, in this language as far as there are names in it."""
        return text

    def piece_words(self, piece: str) -> str:
        """A piece or card by its name in this language, as far as there is one."""
        return piece

    def moment(self, deed: Deed[ViewT]) -> list[Line]:
        """What everybody should see together, the heading first; mostly there is nothing."""
        del deed
        return []

    @abstractmethod
    def standings(self, view: ViewT) -> str:
        """How a game stands that is broken off."""

    @abstractmethod
    def ending(self, view: ViewT) -> list[Line]:
        """The final scoring step by step, then who has won."""

    @abstractmethod
    def winner_words(self, outcome: Outcome) -> str:
        """Who has won."""

    # ---- going back

    @abstractmethod
    def seal(self, log: Sequence[Entry]) -> Seal:
        """What can't be taken back, because something was seen that can't be unseen."""

    @abstractmethod
    def moves(self, face: FaceT) -> int:
        """How many moves are whole, as a record counts them."""

    @abstractmethod
    def is_between_moves(self, face: FaceT) -> bool:
        """Whether no move is under way."""

    # ---- the board

    @abstractmethod
    def marks_since(self, view: ViewT, seat: int) -> set[str]:
        """Where others acted since this seat's last turn; before the first turn of a seat, everything."""

    @abstractmethod
    def last_places(self, face: FaceT) -> list[str]:
        """Where the last piece went."""

    @abstractmethod
    def picture(self, face: FaceT, marks: Sequence[str], viewer: int | None = None, labels: bool = True) -> Text:
        """The board for the terminal."""

    @classmethod
    @abstractmethod
    def drawing(cls, face: FaceT, secrets: bool, **how: Any) -> str:
        """The board as SVG."""

    # ---- editions

    @classmethod
    @abstractmethod
    def edition_lines(cls, edition: EditionT) -> list[str]:
        """What is in an edition."""

    @classmethod
    @abstractmethod
    def edition_notes(cls, edition: EditionT) -> list[str]:
        """What may surprise whoever plays it."""

    # ---- the same in every game

    def details(self, error: IllegalMove, view: ViewT) -> dict[str, Any]:
        """What is filled into a refusal's sentence, in this language."""
        del view
        return dict(error.details)

    def refusal(self, error: IllegalMove, view: ViewT) -> str:
        """Why an action is refused, and by which rule."""
        said = IllegalMove(error.game, error.code, error.rule, error.places, self.details(error, view))
        return f"{said.sentence(self.language)} ({RULE_WORDS[self.language]} {error.rule})"

    def greeting(self, view: ViewT) -> str:
        """Who plays what, and who begins."""
        seats, first = view.heading.seats, self.names[view.heading.first]
        who = [f"{name} (bot)" if seat.bot else name for name, seat in zip(self.names, seats, strict=True)]
        options = "".join(f", {name.replace('_', ' ')}" for name in view.game.options)
        begins = f"{first} begin{'' if first == 'You' else 's'}."
        return f"{self.title} ({view.game.edition.id}{options}): {', '.join(who)}. {begins}"

    def chip(self, seat: int) -> tuple[str, str]:
        """A player's shape and name, and their style."""
        return f" {SHAPES[seat]} {self.names[seat]} ", SEAT_STYLES[seat]


AnyWords = Words[Any, Any, Any]


def words_class(game: str) -> type[AnyWords]:
    """The words of a game."""
    if game not in ROOMS:
        raise UnknownGame(game, ROOMS)
    module, name = ROOMS[game]
    found: type[AnyWords] = getattr(import_module(module), name)
    return found


def words_of(face: Face[Any], language: str) -> AnyWords:
    """The words for a game under way, with its players' names."""
    return words_class(face.game.name)([seat.name for seat in face.heading.seats], language)


# ---- numbers and lists


def points(number: int) -> str:
    """So many points.

    >>> points(1), points(-3)
    ('1 point', '−3 points')
    """
    return f"{signed(number)} point{'' if abs(number) == 1 else 's'}"


def signed(number: int) -> str:
    """A number with the minus sign that the board has."""
    return str(number).replace("-", "−")


def columns(entries: Sequence[str]) -> list[str]:
    """Entries in equal columns, to be read line by line."""
    width = max(map(len, entries)) + 2
    across = max(1, (WIDTH + 2) // width)
    rows = [entries[start : start + across] for start in range(0, len(entries), across)]
    return ["".join(entry.ljust(width) for entry in row).rstrip() for row in rows]


def listing(entries: Sequence[str], last: str = "and") -> str:
    """Names as people list them.

    >>> listing(["ja", "jaa", "ne"], "or"), listing(["ja"])
    ('ja, jaa or ne', 'ja')
    """
    *others, final = entries
    return f"{', '.join(others)} {last} {final}" if others else final


def about_the_id(edition: Edition) -> list[str]:
    """An edition of one's own that has the name of one that ships."""
    if edition.id not in edition.shipped() or edition.reference() == edition.id:
        return []
    return [
        f"an edition that ships has the id {edition.id} too: records hold this one whole; another id would be clearer"
    ]
