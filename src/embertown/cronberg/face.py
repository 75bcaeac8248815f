"""What can be read of a game of Cronberg, by a state and by a view alike: all but the order of the rhombi (C2.1)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from embertown.core.errors import IllegalMove
from embertown.core.game import End, Face, Outcome
from embertown.core.jit import box, copied
from embertown.core.locale import DEFAULT_LANGUAGE
from embertown.cronberg import doors, facts, rules, svg, text
from embertown.cronberg.board import Board
from embertown.cronberg.consequences import (
    Consequences,
    FinalScore,
    between,
    final_scoring,
    numbers_at,
    scores_of,
    tokens_of,
)
from embertown.cronberg.position_text import position_text
from embertown.cronberg.rules import (
    ACTIONS,
    DRAW,
    FIRST_PLACEMENT,
    FIRST_TOKEN,
    NOTHING,
    POSITION,
    Phase,
    Position,
    Refusal,
)

if TYPE_CHECKING:
    from embertown.cronberg.game import CronbergGame
    from embertown.cronberg.record import CronbergRecord


class Laid(NamedTuple):
    """A rhomb on the board: its kind, its two triangles, and where turning matters, the head's crossing."""

    kind: str
    on: tuple[str, str]
    head: str | None


class CronbergFace(Face["CronbergGame"]):
    """The readable side of a game of Cronberg."""

    game: CronbergGame
    _position: Position

    @property
    def board(self) -> Board:
        """The board, with the names of its places."""
        return self.game.board

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seat to act, alone; nobody when the game is over."""
        if self._ended is not None or int(self._position["phase"]) == Phase.OVER:
            return ()
        return (int(self._position["seat"]),)

    def legal_actions_of(self, seat: int) -> Sequence[int]:
        """The legal actions of one seat, in ascending order."""
        if seat not in self.waiting:
            return ()
        found = np.empty(ACTIONS, np.int64)
        count = doors.legal_actions(self.board.box, box(self._position, POSITION), found)
        return tuple(found[:count].tolist())

    def text(self, action: int) -> str:
        """An action as text: `token d4`."""
        return text.action_text(self.board, self._position, action)

    def action(self, written: str) -> int:
        """The action that a text means here."""
        return text.parse_action(self.board, self._position, written)

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores as they stand, by seat."""
        return scores_of(self._position)

    def _completed(self) -> Outcome | None:
        """How the game was played out, or None while it was not; equal scores share the win."""
        if int(self._position["phase"]) != Phase.OVER:
            return None
        scores = self.scores
        return Outcome(End.COMPLETE, tuple(s for s, score in enumerate(scores) if score == max(scores)), scores)

    @property
    def drawn(self) -> str | None:
        """The kind in hand, drawn and not yet placed, or None."""
        kind = int(self._position["in_hand"])
        return None if kind == NOTHING else self.board.kinds[kind]

    @property
    def tokens(self) -> dict[str, int]:
        """The tokens on the board: the seat of each, by crossing."""
        return {self.board.crossings[crossing]: seat for crossing, seat in tokens_of(self._position)}

    @property
    def supply(self) -> tuple[int, ...]:
        """The tokens not on the board, by seat."""
        return tuple(int(count) for count in self._position.supply[: self.game.players])

    @property
    def rhombi(self) -> tuple[Laid, ...]:
        """The rhombi on the board, in the order of placing."""
        found = []
        for index in range(self._position.placed):
            kind, where = int(self._position.rhombi[index]), int(self._position.where[index])
            place = self.board.places[where // rules.TURNS]
            found.append(Laid(self.board.kinds[kind], place.triangles, text.head_of(self.board, kind, where)))
        return tuple(found)

    @property
    def rhombi_left(self) -> dict[str, int]:
        """How many rhombi of each kind are still to be drawn: known to all, their order to nobody (C2.1)."""
        return {kind: int(self._position.bag[index]) for index, kind in enumerate(self.board.kinds)}

    @property
    def activated(self) -> tuple[str, ...]:
        """The triangles activated so far, also those from the start (C7)."""
        active = int(self._position.active)
        return tuple(name for index, name in enumerate(self.board.triangles) if active >> index & 1)

    def numbers_at(self, crossing: str) -> tuple[int, ...]:
        """The numbers that point at a crossing, high to low (C6.3)."""
        return numbers_at(self.board, self._position, crossing)[0]

    def preview(self, action: int | str) -> Consequences:
        """What an action would bring about; nothing is changed, and of a draw nothing can be said."""
        number = self._number(action)
        self._check(number, int(self._position["seat"]))
        if number == DRAW:
            return Consequences(scores=self.scores)
        after = copied(self._position, POSITION)
        doors.apply(self.board.box, after, number)
        return between(self.board, self._position, after[0])

    def _check(self, action: int, seat: int) -> None:
        """Raise `IllegalMove` where the action is not legal now; `Malformed` where it names nothing."""
        text.check_number(self.board, action)
        if self._ended is not None:
            raise IllegalMove(text.GAME, "game_over", Refusal.GAME_OVER.rule)
        waiting = self.waiting
        if waiting and seat not in waiting:
            details = {"seat": str(seat + 1), "turn": str(waiting[0] + 1)}
            raise IllegalMove(text.GAME, "not_your_turn", "C2.3", (), details)
        reason = Refusal(doors.refusal(self.board.box, box(self._position, POSITION), action))
        if reason is not Refusal.NONE:
            places, details = self._about(action)
            raise IllegalMove(text.GAME, reason.name.lower(), reason.rule, places, details)

    def _about(self, action: int) -> tuple[tuple[str, ...], dict[str, Any]]:
        """The places that a refusal speaks of, and the words to fill into its sentence."""
        rhomb = {} if self.drawn is None else {"rhomb": self.game.edition.names_of(self.drawn)}
        if action < DRAW:
            crossing = self.board.crossings[action - FIRST_TOKEN]
            return (crossing,), {"crossing": crossing, **rhomb}
        if action < FIRST_PLACEMENT:
            return (), dict(rhomb)
        pair = self.board.places[(action - FIRST_PLACEMENT) // rules.TURNS].triangles
        free = int(self._position.free)
        covered = tuple(name for name in pair if not free >> self.board.triangle_index[name] & 1)
        return covered or pair, {"triangles": ", ".join(covered), **rhomb}

    def final_scoring(self) -> tuple[FinalScore, ...]:
        """What every token on the board would score if the game ended here, in reading order (C8.2)."""
        return final_scoring(self.board, self._position)

    def facts(self) -> dict[str, Any]:
        """All that a drawing needs, as plain values; see `embertown.cronberg.facts`."""
        return facts.facts_of(self.board, self._position, self.outcome)

    def described(self, action: int) -> dict[str, Any]:
        """An action as plain values: `text`, `kind`, and its `crossing`, or `on` and `head`."""
        return facts.described(self.board, self._position, action)

    @property
    def described_by(self) -> Hashable:
        """The board, and whether a placement is told with its head (C1.4)."""
        return self.board, facts.is_headed(self.board, self._position)

    def foretold(self, action: int | str) -> dict[str, Any]:
        """What `preview` says, as plain values."""
        return facts.foretold(self.preview(action))

    def position_text(self) -> str:
        """The position as one line of text, which `game.position` reads again."""
        return position_text(self.board, self.game.edition.id, self._position)

    def record(self) -> CronbergRecord:
        """The game so far as a record."""
        from embertown.cronberg.record import CronbergRecord  # a record replays games, which are faces

        return CronbergRecord.of(self)

    def terminal(self, **how: Any) -> Any:
        """The board for the terminal; see `embertown.cronberg.terminal.render` for how."""
        from embertown.cronberg.terminal import render  # the engine alone needs no terminal

        return render(self.board, self._position, **self._said(how))

    def svg(self, **how: Any) -> str:
        """The board as an SVG picture; see `embertown.cronberg.svg.draw` for how."""
        if "theme" not in how:  # a theme's own title goes over the edition's
            how.setdefault("title", self.game.edition.title(how.get("language", DEFAULT_LANGUAGE)))
        return svg.draw(self.board, self._position, **self._pictured(how))
