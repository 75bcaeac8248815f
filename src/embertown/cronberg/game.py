"""Cronberg's polite face: checks what comes in, refuses with a reason, keeps the log.

>>> import embertown
>>> state = embertown.load("cronberg", players=2).start(seed=7, first=0)
>>> state.play("token d4").play("draw").drawn
'cemetery'
>>> state.play("token a1")
Traceback (most recent call last):
    ...
embertown.core.errors.IllegalMove: A rhomb is drawn, the cemetery: it has to be placed first. (C3.3)
"""

from __future__ import annotations

from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from embertown.core.chance import ChanceSource, StatedChance
from embertown.core.errors import BadArgument, IllegalMove, MalformedText, NoChance, shown
from embertown.core.game import Game, Heading, Outcome, State
from embertown.core.log import Entry, Written
from embertown.cronberg import doors, facts, geometry, playout, rules, text
from embertown.cronberg.board import Board
from embertown.cronberg.consequences import between, is_eventful
from embertown.cronberg.edition import DEFAULT_EDITION, CronbergEdition
from embertown.cronberg.face import CronbergFace
from embertown.cronberg.position_text import parse_position
from embertown.cronberg.rules import ACTIONS, DRAW, POSITION, Phase, Position
from embertown.cronberg.view import CronbergView

DRAWING, PLACING = "draw", "place"
"""How texts of actions begin that a draw, or a rhomb, is about."""


class CronbergGame(Game):
    """Cronberg for 2 to 4 players with one edition; it has no options."""

    name = "cronberg"
    min_players = rules.MIN_PLAYERS
    max_players = rules.MAX_PLAYERS
    carries_scores = True
    has_secrets = False
    has_deal = False
    edition_model = CronbergEdition
    default_edition = DEFAULT_EDITION
    edition: CronbergEdition
    playout: ClassVar[ModuleType] = playout
    actions = ACTIONS
    """How many different action numbers there are."""

    @cached_property
    def board(self) -> Board:
        """The edition's board."""
        return self.edition.layout

    def _begin(self, chance: ChanceSource, heading: Heading) -> CronbergState:
        if heading.deal is not None:
            raise BadArgument("nothing is dealt in Cronberg; right would be: to leave deal out")
        return CronbergState(self, chance, heading, self.empty_position(heading.first, heading.start_scores))

    def empty_position(self, first: int, start_scores: tuple[int, ...]) -> Position:
        """The position before the first turn (C2); scores from a match count at once."""
        position: Position = np.zeros(1, POSITION)[0]
        position.scores[: self.players] = start_scores
        rules.set_up(self.board.arrays, position, self.players, first)
        return position

    def batch_start(self) -> Position:
        """What every game of a batch starts from: the empty board, seat 0 to act."""
        return self.empty_position(0, (0,) * self.players)

    def geometry(self) -> dict[str, Any]:
        """The empty board as plain values; see `embertown.cronberg.geometry`."""
        return geometry.geometry(self.edition)

    def artwork(self, theme: str | None = None) -> dict[str, Any]:
        """Symbols, colours and names in a theme (`town` where none is given), as plain values."""
        return geometry.artwork(self.edition, theme)

    def position(self, written: str, chance: ChanceSource | None = None) -> CronbergState:
        """A state set up from a position's text; it has no log, so it has no record.

        >>> from embertown.cronberg.game import CronbergGame
        >>> state = CronbergGame(2).start(seed=1).play("token d4")
        >>> CronbergGame(2).position(state.position_text()).tokens == state.tokens
        True
        """
        position = parse_position(self.board, self.edition.id, self.players, written)
        heading = Heading(self._named(None), int(position.seat), (0,) * self.players)
        return self.resume(position, chance, heading, None, None)

    def resume(
        self,
        position: Position,
        chance: ChanceSource | None,
        heading: Heading,
        log: tuple[Entry, ...] | None,
        ended: Outcome | None,
    ) -> CronbergState:
        """A state that goes on from here; it can't be undone beyond this point."""
        state = CronbergState(self, chance, heading, position)
        state._has_beginning = log is not None
        state._log, state._ended = list(log or ()), ended
        return state


class CronbergState(CronbergFace, State["CronbergGame"]):
    """A game of Cronberg under way."""

    def _apply(self, after: np.ndarray, action: int, seat: int) -> list[Entry]:  # noqa: ARG002
        doors.apply(self.board.box, after, action)
        if action != DRAW:
            return []
        kind = self._draw(after[0])
        doors.apply_outcome(after, kind)
        return [Entry(None, f"drawn {self.board.kinds[kind]}")]

    def _draw(self, position: Position) -> int:
        """The kind that chance gives: every rhomb left is as likely as any other (C2.1)."""
        order = self.board.kinds_by_name
        bag = position["bag"].tolist()
        weights = [bag[kind] for kind in order]
        label = self.next_draw
        if self.chance is None:
            raise NoChance(f"nothing decides {label!r}: give a source of chance (chance=SeededChance(7), say)")
        index = self.chance.pick(label, weights)
        if not 0 <= index < len(weights) or weights[index] == 0:
            raise BadArgument(f"the source of chance gave {index!r} for {label!r}, and no such rhomb is left (C2.1)")
        return order[index]

    def suppose(self, written: str, seat: int | None = None) -> CronbergState:
        """Play a hypothetical action; after a draw, `drawn church` says what was drawn, of what is left."""
        word, _, rest = " ".join(written.split()).partition(" ")
        if word != "drawn":
            return self.play(written, seat)
        if not self._has_just_drawn:
            raise IllegalMove(text.GAME, "nothing_drawn", "C3.3")
        if rest not in self.board.kind_index:
            raise MalformedText(f"no rhomb is called {shown(rest)}; right would be: {', '.join(self.board.kinds)}")
        before = self.copy().undo()
        left = before.rhombi_left
        if not left[rest]:
            names = self.game.edition.names_of(rest)
            raise IllegalMove(text.GAME, "kind_used_up", "C2.1", (), {"rhomb": names})
        index = self.board.kinds_by_name.index(self.board.kind_index[rest])
        chance, acting = self.chance, self._log[-2].seat
        self.undo()
        self.chance = StatedChance({before.next_draw: index}, chance)
        self.play("draw", acting)
        self.chance = chance
        return self

    @property
    def suppositions(self) -> tuple[str, ...]:
        """After a draw: everything that might have been drawn."""
        if not self._has_just_drawn:
            return ()
        left = self.copy().undo().rhombi_left
        return tuple(f"drawn {kind}" for kind, count in left.items() if count)

    @property
    def _has_just_drawn(self) -> bool:
        return bool(self._past) and self._ended is None and self._log[-1].seat is None

    @property
    def next_draw(self) -> str:
        """The label of the next draw."""
        return f"draw {sum(self.board.counts) - int(self._position.left) + 1}"

    def _result(self, index: int, before: Position, after: Position) -> dict[str, Any] | None:
        written = self._log[index].text
        if written == DRAWING:
            return None
        if not is_eventful(before, after) or (not written.startswith(PLACING) and int(after["phase"]) != Phase.OVER):
            return None
        return facts.brought_about(between(self.board, before, after))

    def _view(self, seat: int | None) -> CronbergView:
        log = Written(self._log, len(self._log)) if self.has_beginning else None
        return CronbergView(self.game, seat, self.heading, position=self._position, log=log, ended=self._ended)

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.position_text()!r})"
