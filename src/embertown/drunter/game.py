"""Drunter & Drüber's polite face: checks what comes in, refuses with a reason, keeps the log.

>>> import embertown
>>> state = embertown.load("drunter", players=2).start(seed=7, first=0)
>>> state.play("lay wall A1 B1").gangs["A1"]
'B1'
>>> state.play("lay wall A1 A2")
Traceback (most recent call last):
    ...
embertown.core.errors.IllegalMove: The tile would start on A2, but the gang of A1 stands on B1. (D4.2)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from embertown.core.chance import ChanceSource
from embertown.core.edition import Edition
from embertown.core.errors import BadArgument, IllegalMove, MalformedFile, NoChance, shown
from embertown.core.files import validate
from embertown.core.game import Game, Heading, Outcome, State
from embertown.core.jit import copied
from embertown.core.log import Entry
from embertown.drunter import doors, facts, geometry, playout, position_text, rules, text
from embertown.drunter.board import BUILDINGS, KINDS, LENGTHS, Board, Tile
from embertown.drunter.consequences import tile_of
from embertown.drunter.edition import DEFAULT_EDITION, DrunterEdition
from embertown.drunter.face import DrunterFace
from embertown.drunter.record import OPTIONS, Deal
from embertown.drunter.rules import (
    ACTIONS,
    FIRST_VOTE,
    HIDDEN,
    OBJECTIVES,
    PASS,
    POSITION,
    SAY_NO,
    UNKNOWN,
    Phase,
    Position,
)
from embertown.drunter.view import HIDDEN_CHOICE, DrunterView

ACCEPTED, REFUSED, CHOSEN = "accepted", "refused", "chosen"
"""What can be supposed: how a vote ends, and that choices are made."""
UNDER_VOTE = (int(Phase.VOTING), int(Phase.JEEIIN))


class DrunterGame(Game):
    """Drunter & Drüber for 2 to 4 players with one edition; options `variant`, `several_cards`, `no_votes`."""

    name = "drunter"
    min_players = rules.MIN_PLAYERS
    max_players = rules.MAX_PLAYERS
    option_names = OPTIONS
    option_needs: ClassVar[dict[str, tuple[str, ...]]] = {"no_votes": ("variant",)}
    carries_scores = False
    has_secrets = True
    has_deal = True
    edition_model = DrunterEdition
    default_edition = DEFAULT_EDITION
    edition: DrunterEdition
    playout: ClassVar[ModuleType] = playout
    actions = ACTIONS
    """How many different action numbers there are."""

    def __init__(
        self, players: int | None = None, edition: str | Path | dict[str, Any] | Edition | None = None, **options: bool
    ) -> None:
        super().__init__(players, edition, **options)
        self.options = {name: True for name in self.option_names if name in self.options}  # in whichever order given
        if "no_votes" in self.options and "variant" not in self.options:
            raise BadArgument("no_votes is an option of the variant; right would be: variant=True as well (D9.5)")
        self.edition.check_players(self.players)

    @cached_property
    def board(self) -> Board:
        """The edition's board."""
        return self.edition.layout

    @property
    def cards_each(self) -> int:
        """How many objectives each player gets: two in the variant (D9.1)."""
        return 2 if "variant" in self.options else 1

    # ---- the deal (D2)

    def deal(self, chance: ChanceSource) -> dict[str, Any]:
        """Deal the tiles by length, whatever their kind (D2.2), and the objectives (D2.1, D9.1)."""
        tiles = [{kind: [0] * len(LENGTHS) for kind in KINDS} for _ in range(self.players)]
        for length in LENGTHS:
            left = [self.board.tiles[kind][length - 1] for kind in KINDS]
            share = sum(left) // self.players
            for number in range(share * self.players):
                kind = _pick(chance, f"tile {length} {number + 1}", left)
                left[kind] -= 1
                tiles[number // share][KINDS[kind]][length - 1] += 1
        pile = list(OBJECTIVES if self.cards_each == 2 else BUILDINGS)
        objectives: list[list[str]] = []
        for seat in range(self.players):
            labels = [f"objective {seat * self.cards_each + card + 1}" for card in range(self.cards_each)]
            objectives.append([pile.pop(_pick(chance, label, [1] * len(pile))) for label in labels])
        return {"tiles": tiles, "objectives": objectives}

    def check_deal(self, deal: object) -> dict[str, Any]:
        """A deal from a caller: as plain values of our own, or `BadArgument` where it is none by the rules."""
        try:
            checked = validate(Deal, deal, "deal").model_dump()
        except MalformedFile as error:
            raise BadArgument(str(error)) from None
        for where, rule, wrong, right in self.faults_of_deal(checked):
            raise BadArgument(f"deal.{where}: {wrong}; right would be: {right} ({rule})")
        return checked

    def faults_of_deal(self, deal: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
        """Where a deal is against which rule, what is wrong and what would be right.

        Every tile is dealt, each player has as many of a length as any other (D2.2), no card is there twice (D2.1).
        """
        tiles, objectives = deal["tiles"], deal["objectives"]
        for where, by_seat, rule in (("tiles", tiles, "D2.2"), ("objectives", objectives, "D2.1")):
            if len(by_seat) != self.players:
                yield where, rule, f"is for {len(by_seat)} seats", str(self.players)
        for index, length in enumerate(LENGTHS):
            for kind in KINDS:
                dealt, there = sum(hand[kind][index] for hand in tiles), self.board.tiles[kind][index]
                if dealt != there:
                    yield "tiles", "D2.2", f"has {dealt} of kind {kind} and length {length}", str(there)
            shares = {sum(hand[kind][index] for kind in KINDS) for hand in tiles}
            if len(shares) != 1:
                yield "tiles", "D2.2", f"those of length {length} are not dealt evenly", "as many for each seat"
        yield from self._faults_of_objectives(objectives)

    def _faults_of_objectives(self, objectives: list[list[str] | None]) -> Iterator[tuple[str, str, str, str]]:
        cards = OBJECTIVES if self.cards_each == 2 else BUILDINGS
        rule = "D9.1" if self.cards_each == 2 else "D2.1"
        for seat, hand in enumerate(objectives):
            if hand is not None and len(hand) != self.cards_each:
                right = f"{self.cards_each}, or null where they are not known"
                yield f"objectives[{seat}]", rule, f"has {len(hand)} cards", right
        dealt = [card for hand in objectives for card in hand or ()]
        if len(set(dealt)) != len(dealt) or not set(dealt) <= set(cards):
            yield "objectives", rule, f"deals {', '.join(dealt)}", f"different ones of {', '.join(cards)}"

    # ---- states

    def start(self, *arguments: Any, deal: dict[str, Any] | None = None, **named: Any) -> DrunterState:
        """A new game; `deal` is dealt by chance where it is not given (`embertown.core.game.Game.start`)."""
        checked = None if deal is None else self.check_deal(deal)
        state: DrunterState = super().start(*arguments, deal=checked, **named)  # type: ignore[assignment]
        return state

    def _begin(self, chance: ChanceSource, heading: Heading) -> DrunterState:
        if heading.deal is None:
            heading = Heading(heading.seats, heading.first, heading.start_scores, heading.extra, self.deal(chance))
        position = self.dealt_position(heading)
        check_reveal(position)
        return DrunterState(self, chance, heading, position)

    def dealt_position(self, heading: Heading) -> Position:
        """The position before the first turn (D2)."""
        position: Position = np.zeros(1, POSITION)[0]
        deal = heading.deal
        assert deal is not None
        self.set_options(position)
        for seat, (tiles, cards) in enumerate(zip(deal["tiles"], deal["objectives"], strict=True)):
            for index, kind in enumerate(KINDS):
                position.tiles[seat, index] = tiles[kind]
            for index, card in enumerate(cards or ()):
                position.objectives[seat, index] = OBJECTIVES.index(card)
        rules.set_up(self.board.arrays, position, self.players, heading.first)
        return position

    def set_options(self, position: Position) -> None:
        """Options, and no card known yet, in an all-zero position."""
        position.objectives[:] = UNKNOWN
        position.chosen[:] = UNKNOWN
        for name in self.options:
            position[name] = 1

    def batch_start(self) -> Position:
        """What every game of a batch starts from: the kernels deal anew for each."""
        position: Position = np.zeros(1, POSITION)[0]
        self.set_options(position)
        position.players = self.players
        return position

    def geometry(self) -> dict[str, Any]:
        """The empty board as plain values; see `embertown.drunter.geometry`."""
        return geometry.geometry(self.edition)

    def artwork(self, theme: str | None = None) -> dict[str, Any]:
        """Symbols, colours and names in a theme (`schilda` where none is given), as plain values."""
        return geometry.artwork(self.edition, theme)

    def position(self, written: str, chance: ChanceSource | None = None) -> DrunterState:
        """A state set up from a position's text; it has no log, so it has no record."""
        position, laid = position_text.parse_position(self, written)
        heading = Heading(self._named(None), int(position.seat), (0,) * self.players)
        return self.resume(position, chance, heading, None, None, laid=laid)

    def resume(
        self,
        position: Position,
        chance: ChanceSource | None,
        heading: Heading,
        log: tuple[Entry, ...] | None,
        ended: Outcome | None,
        *,
        laid: tuple[Tile, ...],
    ) -> DrunterState:
        """A state that goes on from here; it can't be undone beyond this point."""
        state = DrunterState(self, chance, heading, position)
        state._has_beginning, state._laid_before = log is not None, laid
        state._log, state._ended = list(log or ()), ended
        return state


def check_reveal(position: Position) -> None:
    """The cards are revealed at the end (D8.1): a game in which not all are known can't be played to it."""
    if int(position["phase"]) == Phase.OVER and any(card < 0 for card in position.chosen[: position.players]):
        raise NoChance("the game is over, and not all objectives are known here; right would be: a sample of a view")


def _pick(chance: ChanceSource, label: str, weights: list[int]) -> int:
    """What a source of chance gives, which may come from outside."""
    index = chance.pick(label, weights)
    if not 0 <= index < len(weights) or weights[index] == 0:
        raise BadArgument(f"the source of chance gave {index!r} for {label!r}, and there is no such thing left (D2)")
    return index


class DrunterState(DrunterFace, State["DrunterGame"]):
    """A game of Drunter & Drüber under way."""

    _laid_before: tuple[Tile, ...] = ()

    def __init__(self, game: DrunterGame, chance: ChanceSource | None, heading: Heading, position: Position) -> None:
        super().__init__(game, chance, heading, position)
        self._laid: list[tuple[int, Tile]] = []

    @property
    def laid(self) -> tuple[Tile, ...]:
        """The tiles on the board, in the order of laying."""
        return self._laid_before + tuple(tile for _, tile in self._laid)

    def _apply(self, after: np.ndarray, action: int, seat: int) -> list[Entry]:
        position = after[0]
        proposal = action if action < PASS else int(position["proposal"])
        tile = tile_of(self.board, position, proposal) if 0 <= proposal < PASS else None
        gangs, hidden_votes = position["gangs"].tolist(), HIDDEN in position["said"].tolist()
        doors.apply(self.board.box, after, seat, action)
        phase = int(position["phase"])
        if hidden_votes and phase != Phase.VOTING:
            raise NoChance("the vote is complete, and not all votes are known here; right would be: a sample of a view")
        check_reveal(position)
        if tile is not None and phase not in (Phase.VOTING, Phase.JEEIIN) and position["gangs"].tolist() != gangs:
            self._laid.append((len(self._log), tile))
        return []

    def _result(self, index: int, before: Position, after: Position) -> dict[str, Any] | None:
        was, now = int(before["phase"]), int(after["phase"])
        if was == Phase.LAYING:
            tile = self._tile_at(index) if now != Phase.VOTING else tile_of(self.board, after, int(after["proposal"]))
            return None if tile is None else facts.of_tile(self.board, tile, before, after)
        if self._log[index].seat is None:  # how a vote ends was supposed
            tile = self._tile_at(index)
            return None if tile is None else facts.of_tile(self.board, tile, before, after)
        if was in UNDER_VOTE and now not in UNDER_VOTE:
            return facts.of_vote(self.board, self._counted(index, before), after)
        return None

    def _tile_at(self, index: int) -> Tile | None:
        """The tile that the decision at this index of the log laid."""
        return next((tile for length, tile in reversed(self._laid) if length == index), None)

    def _counted(self, index: int, before: Position) -> Position:
        """The position in which the votes were counted: with the last card or word, as the next one holds none."""
        counted, entry = before.copy(), self._log[index]
        assert entry.seat is not None
        action = text.parse_action(self.board, before, entry.text)
        if action < SAY_NO:
            counted["votes"][entry.seat] = action - FIRST_VOTE
        else:
            counted["said"][entry.seat] = action - SAY_NO
        return counted

    def choose_hidden(self, seat: int, note: str | None = None, at: str | None = None, by: str | None = None) -> None:
        """This seat has chosen, and nobody here knows what (D9.2): for the records of views."""
        if seat not in self.waiting or self.phase is not Phase.CHOOSING or self.objectives_of(seat):
            raise BadArgument(f"seat {shown(seat)} has no choice to make that is not known here")
        position = self._position.copy()
        rules.apply_hidden(self.board.arrays, position, seat)
        check_reveal(position)
        self._past.append((self._position, len(self._log)))
        self._position = position
        self._log.append(Entry(seat, HIDDEN_CHOICE, note, at, by))

    # ---- supposing

    def suppose(self, written: str, seat: int | None = None) -> DrunterState:
        """Play a hypothetical action; `accepted` or `refused` ends a vote, `chosen` makes all choices that are due."""
        text_given = " ".join(written.split())
        if text_given in (ACCEPTED, REFUSED):
            return self._settle(text_given)
        if text_given != CHOSEN:
            return self.play(written, seat)
        if self.phase is not Phase.CHOOSING or self._ended is not None:
            raise IllegalMove(text.GAME, "no_choice", rules.Refusal.NO_CHOICE.rule)
        while self.phase is Phase.CHOOSING:
            self.play(self.legal_actions[0])
        return self

    @property
    def suppositions(self) -> tuple[str, ...]:
        """How a vote under way ends, or that all choose who have to."""
        if self._ended is not None:
            return ()
        if int(self._position["phase"]) in UNDER_VOTE:
            return ACCEPTED, REFUSED
        return (CHOSEN,) if self.phase is Phase.CHOOSING else ()

    def _settle(self, how: str) -> DrunterState:
        if int(self._position["phase"]) not in UNDER_VOTE or self._ended is not None:
            raise IllegalMove(text.GAME, "no_vote", rules.Refusal.NO_VOTE.rule)
        after = copied(self._position, POSITION)
        tile = tile_of(self.board, self._position, int(self._position["proposal"]))
        doors.settle(self.board.box, after, how == ACCEPTED)
        check_reveal(after[0])
        self._past.append((self._position, len(self._log)))
        if how == ACCEPTED:
            self._laid.append((len(self._log), tile))
        self._position = after[0]
        self._log.append(Entry(None, how))
        return self

    def supposed_view(self, seat: int | None) -> DrunterView:
        """A view to which the end reveals nothing: the cards of others are made up."""
        return self._view(seat, conceals=True)

    def undo(self) -> DrunterState:
        """Take the last decision back."""
        super().undo()
        while self._laid and self._laid[-1][0] >= len(self._log):
            self._laid.pop()
        return self

    def copy(self) -> DrunterState:
        """A state of its own, with the same past."""
        twin = super().copy()
        twin._laid = list(self._laid)
        return twin

    def _view(self, seat: int | None, *, conceals: bool = False) -> DrunterView:
        return DrunterView(
            self.game,
            seat,
            self.heading,
            position=self._position,
            laid=self.laid,
            log=self.log if self.has_beginning else None,
            ended=self._ended,
            conceals=conceals,
        )

    def position_text(self) -> str:
        """The position as one line of text, secrets included."""
        return position_text.position_text(self)

    def whole_facts(self) -> dict[str, Any]:
        """All that a drawing needs, with the cards that are known here."""
        return super().facts()

    def facts(self) -> dict[str, Any]:
        """All that a drawing needs, as a spectator may know it: what a seat knows besides is its view's."""
        return self.view(None).facts()

    def svg(self, *, secrets: bool = False, **how: Any) -> str:
        """The board as an SVG picture, by default as a spectator may see it."""
        return super().svg(**how) if secrets else self.view(None).svg(**how)

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.position_text()!r})"
