"""What can be read of a game of Drunter & Drüber, by a state and by a view alike.

A view holds a position from which everything was taken that its seat may not know; nothing here asks for more.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from embertown.core.errors import IllegalMove
from embertown.core.game import End, Face, Outcome
from embertown.core.jit import box
from embertown.core.locale import DEFAULT_LANGUAGE
from embertown.drunter import doors, facts, rules, svg, text
from embertown.drunter.board import KINDS, NOWHERE, STEPS, Board, Tile
from embertown.drunter.consequences import (
    Consequences,
    blocked_between,
    cards_of,
    covered_by,
    final_scoring,
    split_lay,
    tile_of,
    uncovered,
)
from embertown.drunter.rules import ACTIONS, FIRST_VOTE, OBJECTIVES, PASS, POSITION, SAY_NO, Phase, Position, Refusal

if TYPE_CHECKING:
    from embertown.drunter.game import DrunterGame
    from embertown.drunter.record import DrunterRecord


_ABOUT_TILES = frozenset(
    {
        Refusal.GANG_REMOVED,
        Refusal.NO_SUCH_TILE,
        Refusal.OFF_THE_BOARD,
        Refusal.BRIDGE_ALONG,
        Refusal.CORNER_SQUARE,
        Refusal.SQUARE_COVERED,
    }
)


class DrunterFace(Face["DrunterGame"]):
    """The readable side of a game of Drunter & Drüber."""

    game: DrunterGame
    _position: Position

    @property
    @abstractmethod
    def laid(self) -> tuple[Tile, ...]:
        """The tiles on the board, in the order of laying."""

    @property
    def board(self) -> Board:
        """The board, with the names of its squares."""
        return self.game.board

    @property
    def phase(self) -> Phase:
        """What the game waits for."""
        return Phase(int(self._position["phase"]))

    @property
    def waiting(self) -> tuple[int, ...]:
        """Every seat that may act now, in turn order from whoever laid or proposed the last tile."""
        if self.is_over:
            return ()
        found = np.empty(self.game.players, np.int64)
        count = doors.waiting(box(self._position, POSITION), found)
        return tuple(found[:count].tolist())

    def legal_actions_of(self, seat: int) -> Sequence[int]:
        """The legal actions of one seat, in ascending order; none where its objectives are due and not known here."""
        if seat not in self.waiting or (self.phase is Phase.CHOOSING and not self.objectives_of(seat)):
            return ()
        found = np.empty(ACTIONS, np.int64)
        count = doors.legal_actions(self.board.box, box(self._position, POSITION), seat, found)
        return tuple(found[:count].tolist())

    def text(self, action: int) -> str:
        """An action as text: `lay wall A1 B1-D1`."""
        return text.action_text(self.board, self._position, action)

    def action(self, written: str) -> int:
        """The action that a text means here."""
        try:
            return text.parse_action(self.board, self._position, written)
        except IllegalMove:
            self._check_phase()
            raise

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores, by seat: 0 until the cards are revealed (D8.1)."""
        return tuple(int(score) for score in self._position.scores[: self.game.players])

    def _completed(self) -> Outcome | None:
        """How the game was played out, or None while it was not; equal scores share the win."""
        if int(self._position["phase"]) != Phase.OVER:
            return None
        seats = range(self.game.players)
        winners = tuple(s for s in seats if rules.is_winner(self.board.arrays, self._position, s))
        return Outcome(End.COMPLETE, winners, self.scores)

    @property
    def drawn(self) -> None:
        """Nothing is drawn in this game: all tiles are dealt (D2.2)."""
        return

    @property
    def gangs(self) -> dict[str, str | None]:
        """Where each gang stands, by the corner it started from; None when it was removed (D4.6)."""
        squares = [int(square) for square in self._position.gangs]
        return {
            name: None if square == NOWHERE else self.board.square_of[square]
            for name, square in zip(self.board.gangs, squares, strict=True)
        }

    @property
    def tiles(self) -> tuple[dict[str, tuple[int, ...]], ...]:
        """The tiles in front of each seat: by kind, how many of length 1, 2 and 3."""
        return tuple(
            {kind: tuple(self._position.tiles[seat, index].tolist()) for index, kind in enumerate(KINDS)}
            for seat in range(self.game.players)
        )

    @property
    def cards(self) -> tuple[tuple[str, ...], ...]:
        """The vote cards that each seat holds: they follow from the discards, so they are public."""
        return tuple(cards_of(int(hand)) for hand in self._position.hands[: self.game.players])

    def objectives_of(self, seat: int) -> tuple[str, ...]:
        """The objectives of a seat, as far as they are known here."""
        known = [int(card) for card in self._position.objectives[seat] if card >= 0]
        return tuple(OBJECTIVES[card] for card in known)

    def chosen_by(self, seat: int) -> str | None:
        """A seat's real objective, if it is chosen and known here."""
        card = int(self._position.chosen[seat])
        return OBJECTIVES[card] if card >= 0 else None

    def counted_for(self, objective: str) -> tuple[str, ...]:
        """The buildings that would count for an objective if the game ended here (D8.1, D9.4)."""
        return uncovered(self.board, self._position, OBJECTIVES.index(objective))

    def worth_of(self, objective: str) -> int:
        """What an objective would be worth if the game ended here."""
        return int(rules.points_of(self.board.arrays, self._position, OBJECTIVES.index(objective)))

    def standing(self) -> dict[str, tuple[str, int]]:
        """The buildings that are not covered: kind and value, by square."""
        return {
            square: building
            for square, building in self.board.buildings.items()
            if not rules.is_covered(self._position, self.board.number_of[square])
        }

    def preview(self, action: int | str) -> Consequences:
        """What an action would bring about; nothing is changed, and of votes and choices nothing is said.

        A tile that needs a vote is shown as if it were accepted.
        """
        number = self._number(action)
        seat = self.seat
        self._check(number, 0 if seat is None else seat)
        if number >= PASS:
            return Consequences()
        tile = tile_of(self.board, self._position, number)
        gang, direction, length = split_lay(number)
        after = self._position.copy()
        rules.put_tile(after, gang, direction, length)
        return Consequences(
            tile=tile,
            covers=covered_by(self.board, tile),
            needs_vote=bool(rules.needs_vote(self.board.arrays, self._position, gang, direction, length)),
            blocked=blocked_between(self.board, self._position, after),
        )

    def final_scoring(self) -> tuple[Any, ...]:
        """What every seat scored (D8.1); nothing before the cards are revealed."""
        return final_scoring(self.board, self._position) if rules.is_over(self._position) else ()

    def facts(self) -> dict[str, Any]:
        """All that a drawing needs, as plain values, as far as it is known here; see `embertown.drunter.facts`."""
        return facts.facts_of(self.board, self._position, self.laid, self.waiting, self.outcome)

    def described(self, action: int) -> dict[str, Any]:
        """An action as plain values: `text`, `kind`, and its tile, cards, word or objective."""
        return facts.described(self.board, self._position, action)

    def foretold(self, action: int | str) -> dict[str, Any]:
        """What `preview` says, as plain values."""
        return facts.foretold(self.preview(action))

    def _check(self, action: int, seat: int) -> None:
        """Raise `IllegalMove` where this seat may not do this now; `Malformed` where it names nothing."""
        text.check_number(action)
        if self._ended is not None:
            self._check_phase()
        reason = Refusal(doors.refusal(self.board.box, box(self._position, POSITION), seat, action))
        if reason is not Refusal.NONE:
            places, details = self._about(action, seat, reason)
            raise IllegalMove(text.GAME, reason.name.lower(), reason.rule, places, details)

    def _check_phase(self) -> None:
        """Raise `IllegalMove` where no tile may be laid now, whichever it is: what is due comes first."""
        reason = Refusal(rules.refusal(self.board.arrays, self._position, int(self._position.seat), PASS))
        if self._ended is not None:
            reason = Refusal.GAME_OVER
        if reason not in (Refusal.NONE, Refusal.MAY_NOT_PASS):
            raise IllegalMove(text.GAME, reason.name.lower(), reason.rule)

    def _about(self, action: int, seat: int, reason: Refusal) -> tuple[tuple[str, ...], dict[str, Any]]:
        """The squares that a refusal speaks of, and the words to fill into its sentence."""
        waiting = ", ".join(str(other + 1) for other in self.waiting)
        details: dict[str, Any] = {"seat": seat + 1, "waiting": waiting}
        if FIRST_VOTE <= action < SAY_NO:
            held = set(self.cards[seat])
            details["cards"] = ", ".join(card for card in cards_of(action - FIRST_VOTE) if card not in held)
        if action >= PASS or reason not in _ABOUT_TILES:
            return (), details
        gang, direction, length = split_lay(action)
        corner = self.board.gangs[gang]
        details |= {"gang": corner, "kind": text.piece(self.board.kind_of_gang[corner]), "length": length}
        if reason in (Refusal.GANG_REMOVED, Refusal.NO_SUCH_TILE):
            return (corner,), details
        room = int(rules.room_for(self._position, gang, direction))
        first = int(rules.first_square(self._position, gang, direction))
        square = self.board.square_of.get(first + room * STEPS[direction], corner)
        return (square,), details | {"square": square}

    def record(self) -> DrunterRecord:
        """The game so far as a record; of a view, with null for what it does not know."""
        from embertown.drunter.record import DrunterRecord  # a record replays games, which are faces

        return DrunterRecord.of(self)

    def terminal(self, **how: Any) -> Any:
        """The board for the terminal; see `embertown.drunter.terminal.render` for how."""
        from embertown.drunter.terminal import render  # the engine alone needs no terminal

        return render(self.board, self._position, self.laid, **self._said(how))

    def svg(self, **how: Any) -> str:
        """The board as an SVG picture; see `embertown.drunter.svg.draw` for how."""
        if "theme" not in how:  # a theme's own title goes over the edition's
            how.setdefault("title", self.game.edition.title(how.get("language", DEFAULT_LANGUAGE)))
        return svg.draw(self.board, self._position, self.laid, **self._pictured(how))
