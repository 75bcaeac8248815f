"""Drunter & Drüber in words: what people type, ask for and are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from embertown.cli import drunter_advice as advice
from embertown.cli import drunter_edition, drunter_typed
from embertown.cli import drunter_tell as tell
from embertown.cli.words import Deed, Line, Seal, Words
from embertown.core.errors import IllegalMove
from embertown.core.game import Outcome
from embertown.core.log import Entry
from embertown.drunter.edition import DrunterEdition
from embertown.drunter.face import DrunterFace
from embertown.drunter.rules import OBJECTIVES, PASS, Phase
from embertown.drunter.view import HIDDEN_VOTE, DrunterView

ENDS_A_TURN = ("lay ", "pass")
FINAL = ("vote ", "jeeiin ", "choose ")
"""What is never taken back: votes once they are revealed, and choices (D6.1, D9.2)."""


class DrunterWords(Words[DrunterFace, DrunterView, DrunterEdition]):
    """Objectives and votes are secret until they are revealed; a view holds back what its seat may not know."""

    title = "Drunter & Drüber"
    verbs = drunter_typed.VERBS
    has_secrets = True
    options_needing = {"no_votes": ("variant", "D9.5")}  # noqa: RUF012

    # ---- what people type

    def action(self, line: str, view: DrunterView) -> str | None:
        """What was typed as the game writes it."""
        return drunter_typed.action(line, view, self.language)

    def right(self, view: DrunterView) -> str:
        """Examples of what could have been typed."""
        return drunter_typed.right(view, self.language)

    def forced(self, view: DrunterView) -> int | None:
        """A pass (D3.1), and the only vote card left (D6.1): both are plain to see for all."""
        actions = view.legal_actions
        due = view.phase is Phase.VOTING or list(actions) == [PASS]
        return actions[0] if due and len(actions) == 1 else None

    # ---- what they ask for

    def help_lines(self) -> list[Line]:
        """The rules in five lines, what can be typed, what the signs mean."""
        return advice.help_lines(self.language)

    def hint(self, view: DrunterView) -> str:
        """What can be typed now, with an example that is legal here."""
        return advice.hint(view, self.language)

    def list_actions(self, view: DrunterView) -> tuple[list[str], list[int]]:
        """The legal actions, numbered, with what they would bring; and their order."""
        return advice.list_actions(view, self.language)

    def score_lines(self, view: DrunterView) -> list[str]:
        """What is left standing, and what it is worth to whoever looks."""
        return advice.score_lines(view, self.language)

    def details(self, error: IllegalMove, view: DrunterView) -> dict[str, Any]:
        """The vote cards by their names."""
        details = super().details(error, view)
        if "cards" in details:
            cards = str(details["cards"]).split(", ")
            details["cards"] = ", ".join(tell.name_of(card, self.language) for card in cards if card)
        return details

    # ---- what happened

    def action_words(self, text: str) -> str:
        """An action by the names of its pieces."""
        return tell.action_words(text, self.language)

    def piece_words(self, piece: str) -> str:
        """An objective by its name."""
        return tell.name_of(piece, self.language) if piece in OBJECTIVES else piece

    def news(self, deed: Deed[DrunterView]) -> list[str]:
        """What somebody did and what followed, as far as all may know."""
        word, _, rest = deed.entry.text.partition(" ")
        if word == "lay":
            return self._tile_news(deed)
        if word == "pass":
            return ["passed: no tile can be laid (rule D3.1)"]
        if word == "choose":
            return ["chose an objective in secret (rule D9.2)"]
        if word == "jeeiin":
            return [f"Jeeiin: 2 {rest} (rule D6.2)"]
        only = deed.before.cards[deed.seat] == (tell.BLANK,)
        return [f"voted with {tell.name_of(tell.BLANK, self.language)}, the only card left" if only else "voted"]

    def _tile_news(self, deed: Deed[DrunterView]) -> list[str]:
        found, board = deed.before.preview(deed.entry.text), deed.before.board
        assert found.tile is not None
        tell_it = tell.proposal_words if deed.after.phase is Phase.VOTING else tell.laid_words
        return tell_it(found.tile, found, board, self.language)

    def moment(self, deed: Deed[DrunterView]) -> list[Line]:
        """The cards of a vote as they are turned over, and its count."""
        before, after = deed.before.phase, deed.after.phase
        if before not in (Phase.VOTING, Phase.JEEIIN) or after is Phase.VOTING:
            return []
        lines = tell.reveal_lines(deed.after, self.names, self.language) if before is Phase.VOTING else []
        return lines if after is Phase.JEEIIN else lines + tell.count_lines(deed.after, self.names, self.language)

    def standings(self, view: DrunterView) -> str:
        """Nothing is scored before the end."""
        laid = len(view.laid)
        return f"{'1 tile is' if laid == 1 else f'{laid} tiles are'} laid; the objectives stay secret."

    def ending(self, view: DrunterView) -> list[Line]:
        """The reveal of the objectives, itemised, then who has won."""
        return tell.ending_words(view, self.names, self.language)

    def winner_words(self, outcome: Outcome) -> str:
        """Who has won."""
        return tell.winner_words(self.names, outcome)

    # ---- going back

    def seal(self, log: Sequence[Entry]) -> Seal:
        """Votes that were revealed, and choices, are never taken back; `log` is a spectator's."""
        final = [n for n, e in enumerate(log, start=1) if e.text.startswith(FINAL) and e.text != HIDDEN_VOTE]
        return Seal(max(final, default=0), "cards have been revealed or chosen since: that can't be taken back")

    def moves(self, face: DrunterFace) -> int:
        """Tiles, passes and choices; a tile is whole when its vote is."""
        begun = sum(entry.text.startswith((*ENDS_A_TURN, "choose ")) for entry in face.log)
        return begun - (not self.is_between_moves(face))

    def is_between_moves(self, face: DrunterFace) -> bool:
        """Whether no vote is under way."""
        return face.phase not in (Phase.VOTING, Phase.JEEIIN)

    # ---- the board

    def marks_since(self, view: DrunterView, seat: int) -> set[str]:
        """The tiles laid since this seat's last turn."""
        since: set[str] = set()
        for entry in reversed(view.log):
            if entry.seat == seat and entry.text.startswith(ENDS_A_TURN):
                break
            since.add(entry.text)
        return {square for tile in view.laid if f"lay {tile.text}" in since for square in tile.squares}

    def last_places(self, face: DrunterFace) -> list[str]:
        """Where the last tile lies."""
        return list(face.laid[-1].squares) if face.laid else []

    def picture(self, face: DrunterFace, marks: Sequence[str], viewer: int | None = None, labels: bool = True) -> Text:
        """The board for the terminal; squares have their names at the margin in any case."""
        del labels
        picture: Text = face.terminal(names=self.names, marks=marks, viewer=viewer, language=self.language)
        return picture

    @classmethod
    def drawing(cls, face: DrunterFace, secrets: bool, **how: Any) -> str:
        """The board as SVG; a state shows its secrets when it is told to."""
        return face.svg(**how, **({"secrets": True} if secrets else {}))

    # ---- editions

    @classmethod
    def edition_lines(cls, edition: DrunterEdition) -> list[str]:
        """What is in an edition."""
        return drunter_edition.lines(edition)

    @classmethod
    def edition_notes(cls, edition: DrunterEdition) -> list[str]:
        """What may surprise whoever plays it."""
        return drunter_edition.notes(edition)
