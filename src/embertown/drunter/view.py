"""What a seat may know of a game of Drunter & Drüber: the only redaction.

Secret are the others' objectives, which of two they chose, and the vote cards of a vote under way, until they are
revealed. That somebody has voted or chosen is seen by all; so are the tiles and the vote cards that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from embertown.core.chance import ChanceSource
from embertown.core.game import Heading, Outcome, View
from embertown.core.jit import copied
from embertown.core.log import Entry
from embertown.drunter.board import Tile
from embertown.drunter.face import DrunterFace
from embertown.drunter.rules import (
    ALL_CARDS,
    BUILDING_OBJECTIVES,
    FIRST_CHOICE,
    FIRST_VOTE,
    HIDDEN,
    OBJECTIVES,
    POSITION,
    UNKNOWN,
    Phase,
    Position,
)

if TYPE_CHECKING:
    from embertown.drunter.game import DrunterGame, DrunterState

HIDDEN_VOTE = "vote (hidden)"
HIDDEN_CHOICE = "choose (hidden)"

Policy = Callable[["DrunterState", int, Sequence[int]], Sequence[int]]
"""How likely each of a seat's legal actions is, as weights: for hidden votes and choices when sampling."""


class DrunterView(DrunterFace, View["DrunterGame"]):
    """What one seat, or for None a spectator, may know."""

    def __init__(
        self,
        game: DrunterGame,
        viewer: int | None,
        heading: Heading,
        *,
        position: Position,
        laid: tuple[Tile, ...],
        log: tuple[Entry, ...] | None,
        ended: Outcome | None,
        conceals: bool = False,
    ) -> None:
        """What the position holds is redacted; `conceals` reveals nothing at the end either, as it is only supposed."""
        self.game, self.viewer, self._laid, self._ended = game, viewer, laid, ended
        reveals = int(position["phase"]) == Phase.OVER and not conceals  # the cards are revealed (D8.1)
        self._is_supposed_end = int(position["phase"]) == Phase.OVER and conceals
        self._position = copied(position, POSITION)[0] if reveals else redacted_position(position, viewer)
        self.heading = heading if reveals else redacted_heading(heading, viewer)
        self._log = log if log is None or reveals else redacted_log(log, position, viewer)

    def _completed(self) -> Outcome | None:
        """How the game was played out; of an end that is only supposed nobody knows it."""
        return None if self._is_supposed_end else super()._completed()

    def facts(self) -> dict[str, Any]:
        """All that a drawing needs, as far as it is known here; at a supposed end nobody is asked any more."""
        found = super().facts()
        return {**found, "seat": None} if self._is_supposed_end else found

    @property
    def laid(self) -> tuple[Tile, ...]:
        """The tiles on the board, in the order of laying."""
        return self._laid

    def position_text(self) -> str:
        """The position as one line of text, secrets as question marks."""
        from embertown.drunter.position_text import position_text

        return position_text(self)

    # ---- full states that fit

    def sample(self, chance: ChanceSource, policy: Policy | None = None) -> DrunterState:
        """A full state that fits this view.

        The others' objectives are uniform over the deals that fit; hidden votes and choices uniform over the
        legal ones, or as likely as `policy` says. Looking at the sample as this seat gives this view again.
        """
        position = self._position.copy()
        deal = self._deal_objectives(position, chance)
        heading = replace(self.heading, deal=deal) if self.heading.deal is not None else self.heading
        state = self.game.resume(position, chance, heading, self._log, self._ended, laid=self._laid)
        self._decide(state, chance, policy)
        return state

    def _deal_objectives(self, position: Position, chance: ChanceSource) -> dict[str, Any]:
        """Deal the cards that this view has not seen to the seats whose cards it does not know."""
        each = 2 if position.variant else 1
        known = {int(card) for seat in range(position.players) for card in position.objectives[seat] if card >= 0}
        pile = [card for card in range(len(OBJECTIVES) if each == 2 else BUILDING_OBJECTIVES) if card not in known]
        for seat in range(position.players):
            for index in range(each):
                if position.objectives[seat, index] < 0:
                    pick = chance.pick(f"sample objective {seat} {index}", [1] * len(pile))
                    position.objectives[seat, index] = pile.pop(pick)
            if not position.variant:
                position.chosen[seat] = position.objectives[seat, 0]
        hands = [[OBJECTIVES[card] for card in position.objectives[s] if card >= 0] for s in range(position.players)]
        return {**(self.heading.deal or {}), "objectives": hands}

    def _decide(self, state: DrunterState, chance: ChanceSource, policy: Policy | None) -> None:
        """Fill in the hidden votes and choices, in the position and in the log."""
        position = state._position
        for seat in range(position.players):
            if position.chosen[seat] == HIDDEN:
                legal = sorted(FIRST_CHOICE + int(card) for card in position.objectives[seat])
                action = self._pick(state, seat, legal, chance, policy)
                position.chosen[seat] = action - FIRST_CHOICE
                _fill_in(state, seat, HIDDEN_CHOICE, state.text(action))
            if position.phase == Phase.VOTING and position.votes[seat] and seat != self.viewer:
                position.votes[seat], position.said[seat] = 0, UNKNOWN
                action = self._pick(state, seat, state.legal_actions_of(seat), chance, policy)
                position.votes[seat] = action - FIRST_VOTE
                _fill_in(state, seat, HIDDEN_VOTE, state.text(action))

    def _pick(
        self, state: DrunterState, seat: int, legal: Sequence[int], chance: ChanceSource, policy: Policy | None
    ) -> int:
        weights = [1] * len(legal) if policy is None else list(policy(state, seat, legal))
        return legal[chance.pick(f"sample decision {seat} {len(self.log)}", weights)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DrunterView) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.viewer, self._position.tobytes()))

    def _key(self) -> tuple[object, ...]:
        return self.game, self.viewer, self.heading, self._position.tobytes(), self._laid, self._log, self._ended

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.position_text()!r}).view({self.viewer!r})"


# ---- the redaction


def redacted_position(position: Position, viewer: int | None) -> Position:
    """The position without what this seat may not know."""
    seen: Position = copied(position, POSITION)[0]
    phase = int(position["phase"])
    objectives, chosen, votes = seen["objectives"], seen["chosen"], seen["votes"]
    for seat in range(int(position["players"])):
        if seat == viewer:
            continue
        objectives[seat] = UNKNOWN
        if phase == Phase.OVER:
            seen["scores"][seat] = 0
        if int(chosen[seat]) != UNKNOWN:
            chosen[seat] = HIDDEN
        if phase == Phase.VOTING and int(votes[seat]):
            hide_vote(seen, seat)
    return seen


def hide_vote(position: Position, seat: int) -> None:
    """This seat has voted, and this position does not know what: the word on Jeeiin, not said yet, marks it."""
    position.votes[seat], position.said[seat] = ALL_CARDS, HIDDEN


def redacted_heading(heading: Heading, viewer: int | None) -> Heading:
    """The heading with null for the objectives that this seat may not know."""
    if heading.deal is None:
        return heading
    objectives = [cards if seat == viewer else None for seat, cards in enumerate(heading.deal["objectives"])]
    return replace(heading, deal={**heading.deal, "objectives": objectives})


def redacted_log(log: tuple[Entry, ...], position: Position, viewer: int | None) -> tuple[Entry, ...]:
    """The log; of others' choices, and of their votes in the vote under way, only that they were made."""
    phase, seen = int(position["phase"]), list(log)
    if int(position["variant"]):  # otherwise nothing is chosen
        for index, entry in enumerate(seen):
            if entry.text.startswith("choose ") and entry.seat != viewer:
                seen[index] = _hidden(entry, HIDDEN_CHOICE)
    if phase == Phase.VOTING:
        for index in range(len(seen) - 1, -1, -1):
            if not seen[index].text.startswith("vote "):
                break
            if seen[index].seat != viewer:
                seen[index] = _hidden(seen[index], HIDDEN_VOTE)
    return tuple(seen)


def _hidden(entry: Entry, text: str) -> Entry:
    """A remark might tell what was decided."""
    return replace(entry, text=text, note=None)


def _fill_in(state: DrunterState, seat: int, hidden: str, text: str) -> None:
    for index, entry in enumerate(state._log):
        if entry.seat == seat and entry.text == hidden:
            state._log[index] = replace(entry, text=text)
