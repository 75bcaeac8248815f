"""What a seat may know of a game of Cronberg: the only redaction.

All is public but the order of the rhombi (C2.1), and that order lies in the source of chance alone. So a view is the
public position and log without any source; nothing within its reach leads to one.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from embertown.core.chance import ChanceSource
from embertown.core.game import Heading, Outcome, View
from embertown.core.jit import copied
from embertown.core.log import Entry, Written
from embertown.cronberg import facts
from embertown.cronberg.face import CronbergFace
from embertown.cronberg.rules import POSITION, Position

if TYPE_CHECKING:
    from embertown.cronberg.game import CronbergGame, CronbergState


class CronbergView(CronbergFace, View["CronbergGame"]):
    """What one seat, or for None a spectator, may know."""

    def __init__(
        self,
        game: CronbergGame,
        viewer: int | None,
        heading: Heading,
        *,
        position: Position,
        log: Written | None,
        ended: Outcome | None,
    ) -> None:
        self.game, self.viewer, self.heading = game, viewer, heading
        self._position, self._written, self._ended = copied(position, POSITION)[0], log, ended

    @cached_property
    def _log(self) -> tuple[Entry, ...] | None:  # type: ignore[override]  # few ask a view for its log
        return None if self._written is None else self._written.whole()

    def facts_after(self, before: CronbergView, known: dict[str, Any]) -> dict[str, Any]:
        """What `facts` says, with the very parts of `known` that are still so."""
        return facts.facts_after(self.board, before._position, known, self._position, self.outcome)

    def sample(self, chance: ChanceSource) -> CronbergState:
        """A full state that fits this view: the same position, its draws to come decided by `chance`."""
        return self.game.resume(self._position.copy(), chance, self.heading, self._log, self._ended)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CronbergView) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.viewer, self._position.tobytes()))

    def _key(self) -> tuple[object, ...]:
        return self.game, self.viewer, self.heading, self._position.tobytes(), self._log, self._ended

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.position_text()!r}).view({self.viewer!r})"
