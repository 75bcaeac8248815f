"""Cronberg in words: what people type, ask for and are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from embertown.cli import cronberg_advice as advice
from embertown.cli import cronberg_edition, cronberg_typed
from embertown.cli import cronberg_tell as tell
from embertown.cli.words import Deed, Line, Seal, Words
from embertown.core.errors import IllegalMove
from embertown.core.game import Outcome
from embertown.core.log import Entry
from embertown.cronberg.edition import CronbergEdition
from embertown.cronberg.face import CronbergFace
from embertown.cronberg.rules import PASS
from embertown.cronberg.view import CronbergView


class CronbergWords(Words[CronbergFace, CronbergView, CronbergEdition]):
    """Everything is public but the order of the rhombi, so all of it is told to all."""

    title = "Cronberg"
    verbs = tuple(cronberg_typed.VERBS)

    # ---- what people type

    def action(self, line: str, view: CronbergView) -> str | None:
        """What was typed as the game writes it."""
        del view
        return cronberg_typed.action(line)

    def right(self, view: CronbergView) -> str:
        """Examples of what could have been typed."""
        del view
        return cronberg_typed.RIGHT

    def forced(self, view: CronbergView) -> int | None:
        """A pass happens by itself (C3.2)."""
        return PASS if list(view.legal_actions) == [PASS] else None

    # ---- what they ask for

    def help_lines(self) -> list[Line]:
        """The rules in five lines, what can be typed, what the signs mean."""
        return advice.help_lines(self.language)

    def hint(self, view: CronbergView) -> str:
        """What can be typed now, with an example that is legal here."""
        return advice.hint(view, self.language)

    def list_actions(self, view: CronbergView) -> tuple[list[str], list[int]]:
        """The legal actions, numbered, with what they would bring; and their order."""
        return advice.list_actions(view, self.names, self.language)

    def score_lines(self, view: CronbergView) -> list[str]:
        """The scores, and what the tokens would be worth now."""
        return advice.score_lines(view, self.names, self.language)

    def details(self, error: IllegalMove, view: CronbergView) -> dict[str, Any]:
        """The rhomb's name in the language of the sentence."""
        details = dict(error.details)
        if "rhomb" in details and view.drawn is not None:
            details["rhomb"] = view.game.edition.name_of(view.drawn, self.language)
        return details

    # ---- what happened

    def news(self, deed: Deed[CronbergView]) -> list[str]:
        """What somebody did and what followed. A bot's draw is told with the placement that follows at once."""
        before, after = deed.before, deed.after
        edition, text, drawn = before.game.edition, deed.entry.text, before.drawn
        if text == "draw":
            assert after.drawn is not None
            return [] if deed.by_bot else [f"drew {edition.name_of(after.drawn, self.language)}"]
        words = tell.action_words(text, edition, drawn, self.language)
        head = f"drew and placed {words}" if deed.by_bot and drawn else f"placed {words}" if drawn else words
        found = before.preview(text)
        return [head, *tell.consequence_words(before.board, self.names, found, self.language)]

    def standings(self, view: CronbergView) -> str:
        """The scores by name."""
        return tell.standings(self.names, view.scores)

    def ending(self, view: CronbergView) -> list[Line]:
        """The final scoring step by step, then who has won."""
        assert view.outcome is not None
        return [*tell.ending_words(self.names, view.final_scoring(), view.outcome, self.language)]

    def winner_words(self, outcome: Outcome) -> str:
        """Who has won."""
        return tell.winner_words(self.names, outcome)

    # ---- going back

    def seal(self, log: Sequence[Entry]) -> Seal:
        """A draw is never taken back."""
        draws = [index for index, entry in enumerate(log, start=1) if entry.text == "draw"]
        return Seal(max(draws, default=0), "a rhomb has been drawn since: what has been seen can't be taken back")

    def moves(self, face: CronbergFace) -> int:
        """How many turns have been taken: a draw is part of the placement that follows."""
        return sum(entry.seat is not None and entry.text != "draw" for entry in face.log)

    def is_between_moves(self, face: CronbergFace) -> bool:
        """Whether no rhomb is in hand."""
        return face.drawn is None

    # ---- the board

    def marks_since(self, view: CronbergView, seat: int) -> set[str]:
        """Where others acted since this seat's last turn."""
        return tell.marks_since(view.log, seat)

    def last_places(self, face: CronbergFace) -> list[str]:
        """Where the last token or rhomb went."""
        return tell.last_places(face.log)

    def picture(self, face: CronbergFace, marks: Sequence[str], viewer: int | None = None, labels: bool = True) -> Text:
        """The board for the terminal; all see the same."""
        del viewer
        picture: Text = face.terminal(names=self.names, marks=marks, labels=labels, language=self.language)
        return picture

    @classmethod
    def drawing(cls, face: CronbergFace, secrets: bool, **how: Any) -> str:
        """The board as SVG; there are no secrets in it."""
        del secrets
        return face.svg(**how)

    # ---- editions

    @classmethod
    def edition_lines(cls, edition: CronbergEdition) -> list[str]:
        """What is in an edition."""
        return cronberg_edition.lines(edition)

    @classmethod
    def edition_notes(cls, edition: CronbergEdition) -> list[str]:
        """What may surprise whoever plays it."""
        return cronberg_edition.notes(edition)
