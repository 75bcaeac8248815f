"""Cronberg's records: written from the log, read, replayed and compared with the rules move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from embertown.core.chance import ChanceSource, StatedChance
from embertown.core.edition import Checked, Label
from embertown.core.errors import Breach, BrokenRecord, IllegalMove, MalformedText, shown
from embertown.core.jit import copied
from embertown.core.locale import DEFAULT_LANGUAGE, translate
from embertown.core.log import Entry
from embertown.core.record import (
    MAX_MOVES,
    Draw,
    GameRecord,
    Note,
    Score,
    Seat,
    SeatOfRecord,
    Sparse,
    Time,
    Yes,
    as_json,
    as_values,
    edition_of_record,
    end_of,
    remarks_of,
)
from embertown.cronberg import doors, rules, text
from embertown.cronberg.board import MAX_CROSSINGS, MAX_TRIANGLES, Board
from embertown.cronberg.consequences import Consequences, between
from embertown.cronberg.edition import CronbergEdition
from embertown.cronberg.rules import NOTHING, POSITION, Position

if TYPE_CHECKING:
    from embertown.cronberg.face import CronbergFace
    from embertown.cronberg.game import CronbergState

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,40}$")]
"""Of a crossing, a triangle or a rhomb. No blanks: as an action's text "token a1 " would pass for "token a1"."""
Numbers = Annotated[list[Annotated[int, Field(ge=-8, le=8)]], Field(max_length=6)]

CONSEQUENCE_RULES = {"scored": "C6.1", "activated": "C7.1", "driven": "C7.2"}


class ScoredEntry(Checked):
    """A token that scored (C6)."""

    seat: Seat
    at: Name
    numbers: Numbers
    points: Score


class DrivenEntry(Checked):
    """A token driven away (C7.2)."""

    seat: Seat
    at: Name


class FinalEntry(Checked):
    """A token that scored at the end (C8.2)."""

    seat: Seat
    at: Name
    numbers: Numbers
    coat: bool
    parks: Annotated[int, Field(ge=0, le=6)]
    points: Score


class Move(Sparse):
    """A token, a rhomb or a pass, with what it brought about."""

    seat: Seat
    token: Name | None = None
    rhomb: Name | None = None
    on: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    head: Name | None = None
    pass_: Annotated[Yes | None, Field(alias="pass")] = None
    scored: Annotated[list[ScoredEntry], Field(max_length=MAX_CROSSINGS)] | None = None
    activated: Annotated[list[Name], Field(max_length=MAX_TRIANGLES)] | None = None
    driven: Annotated[list[DrivenEntry], Field(max_length=MAX_CROSSINGS)] | None = None
    note: Note | None = None
    at: Time | None = None
    by: Label | None = None

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        given = [name for name in ("token", "rhomb", "pass_") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"has {len(given)} of token, rhomb and pass; right would be: exactly one of them")
        if (self.rhomb is None) != (self.on is None):
            raise ValueError("has rhomb or on without the other; right would be: both of them")
        if self.head is not None and self.rhomb is None:
            raise ValueError("has head without rhomb; right would be: head only with a rhomb")
        return self

    def action_text(self) -> str:
        """The decision as text."""
        if self.token is not None:
            return f"token {self.token}"
        if self.on is None:
            return "pass"
        return f"place {'+'.join(self.on)}" + ("" if self.head is None else f" ^{self.head}")


class Pending(Checked):
    """A rhomb drawn and not yet placed."""

    seat: Seat
    drawn: Name


def _no_options(given: dict[str, bool]) -> dict[str, bool]:
    if given:
        raise ValueError(f"is {shown(given)}; right would be: {{}}, as Cronberg has no options")
    return given


class CronbergRecord(GameRecord):
    """A game of Cronberg, finished or not."""

    game: Literal["cronberg"]
    edition: Annotated[str | CronbergEdition, BeforeValidator(edition_of_record(CronbergEdition))]
    options: Annotated[dict[str, bool], AfterValidator(_no_options)]
    seats: Annotated[list[SeatOfRecord], Field(min_length=rules.MIN_PLAYERS, max_length=rules.MAX_PLAYERS)]
    deal: None = None
    moves: Annotated[list[Move], Field(max_length=MAX_MOVES)]
    pending: Pending | None = None
    final: Annotated[list[FinalEntry], Field(max_length=MAX_CROSSINGS)] | None = None

    # ---- writing

    @classmethod
    def of(cls, face: CronbergFace) -> CronbergRecord:
        """The record of a game, computed from its log."""
        return cls.from_parts(face, _moves_of(face), end_of(face))

    # ---- replaying

    def replay(self, chance: ChanceSource | None = None) -> CronbergState:
        """The game played again, every consequence compared with the rules."""
        from embertown.cronberg.game import CronbergGame  # games write records

        game = CronbergGame(len(self.seats), self.checked_edition(CronbergEdition, "C1.3"))
        state: CronbergState = game.start(  # type: ignore[assignment]
            chance=StatedChance(self._drawn(game.board), chance),
            first=self.first,
            start_scores=self.start_scores,
            seats=self.seats,
            extra=self.heading_extra(),
        )
        for index, move in enumerate(self.moves):
            self._replay_move(state, index, move)
        self.check_end(state, "C8.1")
        self._check_pending(state)
        self.finish(state, end_of, {"final": "C8.2", "scores": "C8.2", "winners": "C8.4", "end": "C8.1"})
        return state

    def move_words(self, move: int, language: str = DEFAULT_LANGUAGE) -> str:
        """A token, a rhomb or a pass, and where."""
        made = self.moves[move]
        if made.on is None:
            key = "pass" if made.token is None else "token"
            return translate("cronberg", f"moves.{key}", language, token=made.token)
        called = CronbergEdition.find(self.edition).called(language)
        words = {"rhomb": called.get(str(made.rhomb), made.rhomb), "on": "+".join(made.on), "head": made.head}
        return translate("cronberg", "moves.rhomb" if made.head is None else "moves.turned", language, **words)

    def draws(self) -> list[Draw]:
        """The rhombi that were drawn: those of the moves, and one that is not placed yet."""
        named = [
            Draw(f"moves[{index}].rhomb", move.rhomb) for index, move in enumerate(self.moves) if move.rhomb is not None
        ]
        return named if self.pending is None else [*named, Draw("pending.drawn", self.pending.drawn)]

    def pending_before(self, move: int) -> dict[str, Any] | None:
        """The rhomb that a move placed, when it was drawn."""
        placed = self.moves[move]
        return None if placed.rhomb is None else {"seat": placed.seat, "drawn": placed.rhomb}

    def _drawn(self, board: Board) -> dict[str, int]:
        """What was drawn, by the label of each draw; it must be among what was left (C2.1)."""
        left = dict(zip(board.kinds, board.counts, strict=True))
        outcomes = {}
        for number, (where, name) in enumerate(self.draws(), start=1):
            if name not in left:
                breach = Breach("not_one_of", {"found": name, "right": ", ".join(left)})
                raise BrokenRecord(where, "C1.4", f"is {as_json(name)}", f"one of {', '.join(left)}", breach=breach)
            if left[name] == 0:
                wrong = f"is {as_json(name)}, and none of them is left"
                found = CronbergEdition.find(self.edition).names_of(name)
                raise BrokenRecord(where, "C2.1", wrong, breach=Breach("none_left", {"found": found}))
            left[name] -= 1
            outcomes[f"draw {number}"] = board.kinds_by_name.index(board.kind_index[name])
        return outcomes

    def _replay_move(self, state: CronbergState, index: int, move: Move) -> None:
        where = f"moves[{index}]"
        self._check_seat(state, where, move.seat)
        before = state._position
        try:
            if move.rhomb is not None:
                state.play("draw", move.seat)
                self._check_writing(state.board, int(state._position.in_hand), where, move)
            state.play(move.action_text(), move.seat, note=move.note, at=move.at, by=move.by)
        except IllegalMove as error:
            raise BrokenRecord(where, error.rule, error.sentence()) from None
        except MalformedText as error:
            rule = "C5.1" if move.rhomb else "C4.1"
            raise BrokenRecord(where, rule, str(error), breach=Breach("no_such_name")) from None
        self._check_consequences(state, where, move, between(state.board, before, state._position))

    def _check_seat(self, state: CronbergState, where: str, seat: int) -> None:
        turn = state.seat
        if turn is None:
            breach = Breach("after_end")
            raise BrokenRecord(where, "C8.1", "comes after the end of the game", "no more moves", breach=breach)
        if seat != turn:
            must_pass = [state.text(action) for action in state.legal_actions] == ["pass"]
            right = f"{turn}, who has to pass" if must_pass else str(turn)
            rule, breach = (
                "C3.2" if must_pass else "C2.3",
                Breach("must_pass" if must_pass else "other_seat", {"seat": turn}),
            )
            raise BrokenRecord(f"{where}.seat", rule, f"is {seat}", right, breach=breach)

    def _check_writing(self, board: Board, kind: int, where: str, move: Move) -> None:
        """`on` in reading order, `head` exactly where turning matters."""
        assert move.on is not None
        place = board.places[text.find_place(board, *move.on)]
        self.compare(f"{where}.on", "C5.1", move.on, list(place.triangles))
        if not board.turning_matters(kind) and move.head is not None:
            wrong, right = f"is {as_json(move.head)}", "no head, as turning changes nothing"
            raise BrokenRecord(f"{where}.head", "C1.4", wrong, right, breach=Breach("no_head"))
        if board.turning_matters(kind) and move.head is None:
            heads = board.sharp_corners(*move.on)
            breach, right = (
                Breach("head_missing", {"right": ", ".join(heads)}),
                f"{' or '.join(heads)}, as turning matters",
            )
            raise BrokenRecord(f"{where}.head", "C1.4", "is missing", right, breach=breach)

    def _check_consequences(self, state: CronbergState, where: str, move: Move, found: Consequences) -> None:
        right = _consequences_dict(found)
        given = move.model_dump(exclude_unset=True)
        for key, usual in CONSEQUENCE_RULES.items():
            rule = "C7.4" if key == "activated" and state._position.left == 0 else usual
            self.compare(f"{where}.{key}", rule, given.get(key), right.get(key))

    def _check_pending(self, state: CronbergState) -> None:
        if self.pending is None:
            return
        self._check_seat(state, "pending", self.pending.seat)
        try:
            state.play("draw", self.pending.seat)
        except IllegalMove as error:
            raise BrokenRecord("pending", error.rule, error.sentence()) from None


def _moves_of(face: CronbergFace) -> dict[str, Any]:
    """`moves` and, where a rhomb is drawn and not placed, `pending`: the log played through once more."""
    board, heading = face.board, face.heading
    position = face.game.empty_position(heading.first, heading.start_scores)
    moves: list[dict[str, Any]] = []
    for entry in face.log:
        if entry.text == "draw":
            continue
        if entry.seat is None:
            rules.apply_outcome(position, board.kind_index[entry.text.removeprefix("drawn ")])
            continue
        before, after = position, copied(position, POSITION)
        doors.apply(board.box, after, text.parse_action(board, position, entry.text))
        position = after[0]
        moves.append(_move_dict(board, before, position, entry))
    if position.in_hand == NOTHING or face.is_over:
        return {"moves": moves}
    return {"moves": moves, "pending": {"seat": int(position.seat), "drawn": board.kinds[position.in_hand]}}


def _move_dict(board: Board, before: Position, after: Position, entry: Entry) -> dict[str, Any]:
    word, _, rest = entry.text.partition(" ")
    move: dict[str, Any] = {"seat": entry.seat}
    if word == "token":
        move["token"] = rest
    elif word == "pass":
        move["pass"] = True
    else:
        pair, _, head = rest.partition(" ^")
        move |= {"rhomb": board.kinds[before.in_hand], "on": pair.split("+")} | ({"head": head} if head else {})
    return move | _consequences_dict(between(board, before, after)) | remarks_of(entry)


def _consequences_dict(found: Consequences) -> dict[str, Any]:
    """As a move carries them: empty lists left out."""
    lists = {
        "scored": [as_values(scored) for scored in found.scored],
        "activated": list(found.activated),
        "driven": [as_values(driven) for driven in found.driven],
    }
    return {key: value for key, value in lists.items() if value}
