"""Drunter & Drüber's records: written from the log, read, replayed and compared with the rules move by move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from embertown.core.chance import ChanceSource
from embertown.core.edition import Checked, Label
from embertown.core.errors import BadArgument, Breach, BrokenRecord, IllegalMove, MalformedText, NoChance, shown
from embertown.core.jit import copied
from embertown.core.locale import DEFAULT_LANGUAGE, catalogue, translate
from embertown.core.log import Entry
from embertown.core.record import (
    MAX_MOVES,
    GameRecord,
    Note,
    Score,
    Seat,
    SeatOfRecord,
    Sparse,
    Time,
    Yes,
    as_json,
    edition_of_record,
    end_of,
    remarks_of,
)
from embertown.drunter import doors, rules, text
from embertown.drunter.board import Tile
from embertown.drunter.consequences import blocked_between, covered_by, tile_of, vote_of
from embertown.drunter.edition import DrunterEdition, Kind
from embertown.drunter.rules import FIRST_VOTE, POSITION, SAY_NO, Phase, Position
from embertown.drunter.view import HIDDEN_CHOICE, HIDDEN_VOTE

if TYPE_CHECKING:
    from embertown.drunter.face import DrunterFace
    from embertown.drunter.game import DrunterGame, DrunterState


def _card_or_cards(given: object) -> object:
    """By hand, so that an error names the key and not one of the two ways to fill it."""
    names = given if isinstance(given, list) else [given]
    if not 1 <= len(names) <= len(rules.CARDS) or not all(
        isinstance(name, str) and name in rules.CARDS for name in names
    ):
        raise ValueError(f"is {shown(given)}; right would be: one of {', '.join(rules.CARDS)}, or a list of them")
    return given


Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9?-]{1,20}$")]
"""Of a square, a card or an objective. No blanks: as an action's text "vote ja " would pass for "vote ja"."""
Squares = Annotated[list[Name], Field(max_length=3)]
Counts = Annotated[list[Annotated[int, Field(ge=0, le=1000)]], Field(min_length=3, max_length=3)]
Cards = Annotated[Any, AfterValidator(_card_or_cards)]
"""One card, or under `several_cards` a list of them."""

CONSEQUENCE_RULES = {"under": "D4.4", "covers": "D5.1", "blocked": "D4.6"}
RULES_OF_NAMES = {"lay": "D4.2", "choose": "D9.1"}
"""Where a record names a square or an objective that is not there."""
VOTE_RULES = {"cards": "D6.1", "jeeiin": "D6.2", "yes": "D6.1", "no": "D6.1", "passed": "D6.3"}


class TilesOfDeal(Checked):
    """A seat's tiles: by kind, how many of length 1, 2 and 3."""

    wall: Counts
    road: Counts
    river: Counts


class Deal(Checked):
    """What was dealt (D2); objectives are null where they are not known."""

    tiles: Annotated[list[TilesOfDeal], Field(max_length=4)]
    objectives: Annotated[list[Annotated[list[Name], Field(max_length=2)] | None], Field(max_length=4)]


class VoteOfMove(Checked):
    """How a vote went, by seat (D6)."""

    cards: Annotated[list[Cards], Field(max_length=4)]
    jeeiin: Annotated[list[Literal["yes", "no"] | None], Field(max_length=4)]
    yes: Annotated[int, Field(ge=0, le=100)]
    no: Annotated[int, Field(ge=0, le=100)]
    passed: bool


class Move(Checked):
    """A tile, a pass or a choice, with what it brought about."""

    seat: Seat
    lay: Kind | None = None
    gang: Name | None = None
    squares: Annotated[Squares, Field(min_length=1)] | None = None
    under: Annotated[list[Name], Field(max_length=26)] | None = None
    covers: Squares | None = None
    vote: VoteOfMove | None = None
    blocked: Annotated[list[Name], Field(max_length=4)] | None = None
    pass_: Annotated[Yes | None, Field(alias="pass")] = None
    choose: Name | None = None
    note: Note | None = None
    at: Time | None = None
    by: Label | None = None

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        given = self.model_fields_set
        if len(given & {"lay", "pass_", "choose"}) != 1:
            raise ValueError("has not exactly one of lay, pass and choose; right would be: one of them")
        if "lay" in given and not {"gang", "squares"} <= given:
            raise ValueError("has lay without gang or squares; right would be: all three")
        if "lay" not in given and given & {"gang", "squares", "under", "covers", "vote", "blocked"}:
            raise ValueError("has keys of a tile without lay; right would be: to leave them out")
        for key in given - {"seat", "choose"}:  # a choice that is not known is null
            if getattr(self, key) is None:
                raise ValueError(f"{key.removesuffix('_')} is null; right would be: to leave it out")
        return self


class Pending(Sparse):
    """A vote under way, or choices due."""

    seat: Seat | None = None
    lay: Kind | None = None
    gang: Name | None = None
    squares: Annotated[Squares, Field(min_length=1)] | None = None
    under: Annotated[list[Name], Field(max_length=26)] | None = None
    covers: Squares | None = None
    cards: Annotated[list[Cards | None], Field(max_length=4)] | None = None
    jeeiin: Annotated[list[Literal["yes", "no"] | None], Field(max_length=4)] | None = None
    choose: Annotated[list[Name | None], Field(max_length=4)] | None = None
    note: Note | None = None
    at: Time | None = None
    by: Label | None = None

    @model_validator(mode="after")
    def _vote_or_choices(self) -> Self:
        given = self.model_fields_set
        vote = {"seat", "lay", "gang", "squares", "covers", "cards"}
        if given != {"choose"} and ("choose" in given or not vote <= given):
            raise ValueError("is neither; right would be: choose alone, or seat, lay, gang, squares, covers and cards")
        return self


class FinalEntry(Checked):
    """What a seat scored (D8.1)."""

    seat: Seat
    objective: Name
    uncovered: Annotated[list[Name], Field(max_length=30)]
    points: Score
    tiebreak: Score | None


OPTIONS = ("variant", "several_cards", "no_votes")


def _known_options(given: dict[str, bool]) -> dict[str, bool]:
    if not set(given) <= set(OPTIONS):
        raise ValueError(f"is {shown(given)}; right would be: {', '.join(OPTIONS)}, or none of them")
    return given


class DrunterRecord(GameRecord):
    """A game of Drunter & Drüber, finished or not."""

    game: Literal["drunter"]
    edition: Annotated[str | DrunterEdition, BeforeValidator(edition_of_record(DrunterEdition))]
    options: Annotated[dict[str, bool], AfterValidator(_known_options)]
    seats: Annotated[list[SeatOfRecord], Field(min_length=rules.MIN_PLAYERS, max_length=rules.MAX_PLAYERS)]
    deal: Deal
    moves: Annotated[list[Move], Field(max_length=MAX_MOVES)]
    pending: Pending | None = None
    final: Annotated[list[FinalEntry], Field(max_length=4)] | None = None

    # ---- writing

    @classmethod
    def of(cls, face: DrunterFace) -> DrunterRecord:
        """The record of a game, computed from its log; of a view, with null for what it does not know."""
        moves = Writer(face).parts() if face.has_beginning else {}
        return cls.from_parts(face, {"deal": face.heading.deal}, moves, end_of(face))

    # ---- replaying

    def replay(self, chance: ChanceSource | None = None) -> DrunterState:
        """The game played again, every consequence compared with the rules."""
        game, deal = self._game(), self.deal.model_dump()
        for where, rule, wrong, right in game.faults_of_deal(deal):
            raise BrokenRecord(f"deal.{where}", rule, wrong, right)
        self.compare("start_scores", "D8.3", self.start_scores, [0] * len(self.seats))
        try:
            return self._replay(game, deal, chance)
        except NoChance:  # nothing else is left to chance: the end needs cards that are null
            right = "all cards, as the game is over and they are revealed"
            raise BrokenRecord("deal.objectives", "D8.1", f"is {as_json(deal['objectives'])}", right) from None

    def move_words(self, move: int, language: str = DEFAULT_LANGUAGE) -> str:
        """A tile, a pass or a choice, and where."""
        made = self.moves[move]
        called = catalogue("drunter", language)["pieces"] | DrunterEdition.find(self.edition).called(language)
        if made.squares is not None:
            ends = dict.fromkeys((made.squares[0], made.squares[-1]))
            return translate("drunter", "moves.lay", language, kind=called[str(made.lay)], squares="–".join(ends))
        if made.choose is not None:
            return translate("drunter", "moves.choose", language, objective=called.get(made.choose, made.choose))
        return translate("drunter", "moves.hidden" if made.pass_ is None else "moves.pass", language)

    def _game(self) -> DrunterGame:
        from embertown.drunter.game import DrunterGame  # games write records

        edition = self.checked_edition(DrunterEdition, "D1.1")
        if "no_votes" in self.options and "variant" not in self.options:
            raise BrokenRecord("options", "D9.5", "has no_votes without variant", "both, or none of them")
        try:
            return DrunterGame(len(self.seats), edition, **self.options)
        except BadArgument as error:
            raise BrokenRecord("seats", "D2.2", str(error)) from None

    def _replay(self, game: DrunterGame, deal: dict[str, Any], chance: ChanceSource | None) -> DrunterState:
        state = game.start(chance=chance, first=self.first, seats=self.seats, extra=self.heading_extra(), deal=deal)
        for index, move in enumerate(self.moves):
            self._replay_move(state, f"moves[{index}]", move)
        self.check_end(state, "D7.1")
        self._check_pending(state)
        self.finish(state, end_of, {"final": "D8.1", "scores": "D8.1", "winners": "D8.1", "end": "D7.1"})
        return state

    def _replay_move(self, state: DrunterState, where: str, move: Move) -> None:
        self._check_seat(state, where, move.seat)
        before = state._position.copy()
        if "choose" in move.model_fields_set:
            self._replay_choice(state, where, move)
            return
        if move.lay is None:
            self._play(state, where, "pass", move.seat, **_remarks(move))
            return
        tile = self._replay_tile(state, where, move)
        if state.phase is Phase.VOTING:
            self._replay_vote(state, where, move)
        elif move.vote is not None:
            due = "no vote, as the tile covers no outhouse"
            raise BrokenRecord(f"{where}.vote", "D5.2", "is there", due, breach=Breach("no_vote_due"))
        right = {
            "under": list(tile.under),
            "covers": list(covered_by(state.board, tile)),
            "blocked": list(blocked_between(state.board, before, state._position)),
        }
        given = move.model_dump(exclude_unset=True)
        for key, rule in CONSEQUENCE_RULES.items():
            self.compare(f"{where}.{key}", rule, given.get(key), right[key] or None)

    def _replay_tile(self, state: DrunterState, where: str, move: Move | Pending) -> Tile:
        assert move.squares is not None
        last = f"-{move.squares[-1]}" if len(move.squares) > 1 else ""
        before = state._position
        action = f"lay {move.lay} {move.gang} {move.squares[0]}{last}"
        entry = self._play(state, where, action, move.seat, **_remarks(move))
        tile = tile_of(state.board, before, text.parse_action(state.board, before, entry.text))
        self.compare(f"{where}.squares", "D4.2", list(move.squares), list(tile.squares))
        return tile

    def _play(self, state: DrunterState, where: str, action: str, seat: int | None, **remarks: str | None) -> Entry:
        """Play an entry of the record; where it is illegal, so is the record."""
        try:
            state.play(action, seat, **remarks)
        except IllegalMove as error:
            raise BrokenRecord(where, error.rule, error.sentence()) from None
        except MalformedText as error:
            rule = RULES_OF_NAMES[action.partition(" ")[0]]
            raise BrokenRecord(where, rule, str(error), breach=Breach("no_such_name")) from None
        return state.log[-1]

    def _check_seat(self, state: DrunterState, where: str, seat: int | None) -> None:
        turn = state.seat
        if turn is None:
            breach = Breach("after_end")
            raise BrokenRecord(where, "D7.1", "comes after the end of the game", "no more moves", breach=breach)
        if seat != turn:
            choosing = state.phase is Phase.CHOOSING
            must_pass = not choosing and [state.text(action) for action in state.legal_actions] == ["pass"]
            right = f"{turn}, who has to pass" if must_pass else str(turn)
            rule = "D9.2" if choosing else "D3.1" if must_pass else "D2.4"
            breach = Breach("must_pass" if must_pass else "other_seat", {"seat": turn})
            raise BrokenRecord(f"{where}.seat", rule, f"is {as_json(seat)}", right, breach=breach)

    def _replay_choice(self, state: DrunterState, where: str, move: Move) -> None:
        if state.phase is not Phase.CHOOSING:
            breach = Breach("no_choice_due")
            raise BrokenRecord(f"{where}.choose", "D9.2", "is there", "no choice, as none is due", breach=breach)
        if move.choose is not None:
            self._play(state, f"{where}.choose", f"choose {move.choose}", move.seat, **_remarks(move))
        elif state.objectives_of(move.seat):
            breach, right = Breach("choice_missing"), "one of the two, as they are known"
            raise BrokenRecord(f"{where}.choose", "D9.2", "is null", right, breach=breach)
        else:
            state.choose_hidden(move.seat, **_remarks(move))

    def _replay_vote(self, state: DrunterState, where: str, move: Move) -> None:
        if move.vote is None:
            breach, due = Breach("vote_missing"), "a vote, as the tile would cover an outhouse"
            raise BrokenRecord(f"{where}.vote", "D5.2", "is missing", due, breach=breach)
        counted = self._vote_all(state, f"{where}.vote", move.seat, move.vote.cards, move.vote.jeeiin)
        if state.phase in (Phase.VOTING, Phase.JEEIIN):
            wrong = "leaves out what the Jeeiin counts as that was played"
            raise BrokenRecord(f"{where}.vote.jeeiin", "D6.2", wrong, "yes or no", breach=Breach("word_missing"))
        right = vote_of(counted)
        given = move.vote.model_dump()
        wanted: dict[str, Any] = {"yes": right.yes, "no": right.no, "passed": right.passed}
        for key, value in wanted.items():
            self.compare(f"{where}.vote.{key}", VOTE_RULES[key], given[key], value)

    def _vote_all(
        self, state: DrunterState, where: str, proposer: int, cards: Sequence[Any], words: Sequence[str | None]
    ) -> Position:
        """Play all votes and words that are given, in turn order; the position just before the count."""
        players = len(self.seats)
        for key, by_seat in (("cards", cards), ("jeeiin", words)):
            if len(by_seat) != players:
                wrong, right = f"has {len(by_seat)} entries", f"{players}, one for each seat"
                raise BrokenRecord(f"{where}.{key}", VOTE_RULES[key], wrong, right, breach=Breach("one_for_each"))
        order = [(proposer + step) % players for step in range(players)]
        counted = state._position.copy()
        for seat in order:
            if cards[seat] is not None:
                entry = self._play(state, f"{where}.cards", f"vote {self._cards_text(where, cards[seat])}", seat)
                counted.votes[seat] = text.parse_action(state.board, counted, entry.text) - FIRST_VOTE
        for seat in order:
            if words[seat] is None:
                continue
            if not int(counted.votes[seat]) >> rules.JEEIIN & 1:
                wrong = f"has {as_json(words[seat])} for seat {seat}, who played no Jeeiin"
                breach = Breach("no_word_due", {"seat": seat})
                raise BrokenRecord(f"{where}.jeeiin", "D6.2", wrong, "null", breach=breach)
            if state.phase is Phase.JEEIIN and state.seat != seat:
                wrong = f"has no word of seat {state.seat}, who speaks before seat {seat}"
                raise BrokenRecord(f"{where}.jeeiin", "D6.2", wrong, "yes or no", breach=Breach("word_missing"))
            self._play(state, f"{where}.jeeiin", f"jeeiin {words[seat]}", seat)
            counted.said[seat] = words[seat] == "yes"
        return counted

    def _cards_text(self, where: str, cards: Any) -> str:
        several = "several_cards" in self.options
        if isinstance(cards, list) != several:
            raise BrokenRecord(f"{where}.cards", "D6.6", f"has {as_json(cards)}", "a list" if several else "one card")
        names = cards if several else [cards]
        in_order = [card for card in rules.CARDS if card in names]
        if names != in_order:
            raise BrokenRecord(f"{where}.cards", "D6.6", f"has {as_json(cards)}", as_json(in_order))
        return "+".join(names)

    def _check_pending(self, state: DrunterState) -> None:
        pending = self.pending
        if pending is None:
            if state.phase is Phase.CHOOSING and self.end is None:
                raise BrokenRecord("pending", "D9.2", "is missing", "the choices that are due")
            return
        if pending.choose is not None:
            self._check_choices(state, pending.choose)
            return
        if state.phase is Phase.CHOOSING:
            raise BrokenRecord("pending", "D9.2", "is a vote", "the choices that are due")
        self._check_pending_vote(state, pending)

    def _check_pending_vote(self, state: DrunterState, pending: Pending) -> None:
        assert pending.seat is not None
        self._check_seat(state, "pending", pending.seat)
        tile = self._replay_tile(state, "pending", pending)
        voting = state.phase is Phase.VOTING
        if not voting:
            raise BrokenRecord("pending", "D5.2", "is a vote", "a move, as the tile covers no outhouse")
        self.compare("pending.under", "D4.4", pending.under, list(tile.under) or None)
        self.compare("pending.covers", "D5.1", pending.covers, list(covered_by(state.board, tile)))
        words = [None] * len(self.seats) if pending.jeeiin is None else pending.jeeiin
        self._vote_all(state, "pending", pending.seat, pending.cards or (), words)
        if state.phase not in (Phase.VOTING, Phase.JEEIIN):
            raise BrokenRecord("pending", "D6.4", "is a vote that is complete", "a move")
        if (pending.jeeiin is not None) != (state.phase is Phase.JEEIIN):
            wrong, right = ("is missing", "there") if pending.jeeiin is None else ("is there", "left out")
            raise BrokenRecord("pending.jeeiin", "D6.2", wrong, f"{right}: it is, once all have voted and one Jeeiin")

    def _check_choices(self, state: DrunterState, choices: list[str | None]) -> None:
        if state.phase is not Phase.CHOOSING:
            raise BrokenRecord("pending.choose", "D9.2", "is there", "no choices, as none are due")
        if len(choices) != len(self.seats) or None not in choices:
            raise BrokenRecord("pending.choose", "D9.2", f"is {as_json(choices)}", "one for each seat, some still null")
        for seat, objective in enumerate(choices):
            if objective is not None:
                self._play(state, "pending.choose", f"choose {objective}", seat)


def _remarks(move: Move | Pending) -> dict[str, str | None]:
    return {"note": move.note, "at": move.at, "by": move.by}


# ---- writing


class Writer:
    """Plays a log through once more and writes down its moves."""

    def __init__(self, face: DrunterFace) -> None:
        self.face, self.board = face, face.board
        self.position = face.game.dealt_position(face.heading)
        self.moves: list[dict[str, Any]] = []
        self.proposed: dict[str, Any] = {}
        self.cards: dict[int, Any] = {}
        self.words: dict[int, str] = {}
        self.choices: dict[int, dict[str, Any]] = {}

    def parts(self) -> dict[str, Any]:
        """`moves` and, where something is under way, `pending`."""
        for entry in self.face.log:
            self._write(entry)
        pending = {} if self.face.is_over else self._pending()
        return {"moves": self.moves, **({"pending": pending} if pending else {})}

    def _write(self, entry: Entry) -> None:
        seat, word = entry.seat or 0, entry.text.partition(" ")[0]
        before, after = self.position, copied(self.position, POSITION)
        if entry.text in (HIDDEN_VOTE, HIDDEN_CHOICE):
            rules.apply_hidden(self.board.arrays, after[0], seat)
        else:
            doors.apply(self.board.box, after, seat, text.parse_action(self.board, before, entry.text))
        self.position = after[0]
        if word == "lay":
            self._write_tile(entry, before)
        elif word == "pass":
            self.moves.append({"seat": seat, "pass": True} | remarks_of(entry))
        elif word == "choose":
            self._write_choice(entry, before)
        else:
            self._write_vote(entry, before)

    def _write_tile(self, entry: Entry, before: Position) -> None:
        tile = tile_of(self.board, before, text.parse_action(self.board, before, entry.text))
        covers = list(covered_by(self.board, tile))
        move = {"seat": entry.seat, "lay": tile.kind, "gang": tile.gang, "squares": list(tile.squares)}
        move |= {"under": list(tile.under)} if tile.under else {}
        move |= {"covers": covers} if covers else {}
        if self.position.phase == Phase.VOTING:
            self.proposed, self.cards, self.words = move | remarks_of(entry), {}, {}
        else:
            self.moves.append(move | self._blocked(before) | remarks_of(entry))

    def _blocked(self, before: Position) -> dict[str, Any]:
        blocked = list(blocked_between(self.board, before, self.position))
        return {"blocked": blocked} if blocked else {}

    def _write_vote(self, entry: Entry, before: Position) -> None:
        """A card or a word; with the last one the move is complete."""
        assert entry.seat is not None
        word, _, rest = entry.text.partition(" ")
        if word == "vote":
            hidden = entry.text == HIDDEN_VOTE
            self.cards[entry.seat] = None if hidden else rest.split("+") if before.several_cards else rest
        else:
            self.words[entry.seat] = rest
        if self.position.phase in (Phase.VOTING, Phase.JEEIIN):
            return
        counted = before.copy()
        action = text.parse_action(self.board, before, entry.text)
        if word == "vote":
            counted.votes[entry.seat] = action - FIRST_VOTE
        else:
            counted.said[entry.seat] = action - SAY_NO
        vote = vote_of(counted)
        told = {**self._cards_so_far(), **self._words_so_far()}
        told |= {"yes": vote.yes, "no": vote.no, "passed": vote.passed}
        self.moves.append(self.proposed | {"vote": told} | self._blocked(before))
        self.proposed = {}

    def _cards_so_far(self) -> dict[str, Any]:
        return {"cards": [self.cards.get(seat) for seat in range(self.face.game.players)]}

    def _words_so_far(self) -> dict[str, Any]:
        return {"jeeiin": [self.words.get(seat) for seat in range(self.face.game.players)]}

    def _write_choice(self, entry: Entry, before: Position) -> None:
        """Choices enter the moves once all are in, in turn order from whoever laid the tile (D9.2)."""
        assert entry.seat is not None
        objective = None if entry.text == HIDDEN_CHOICE else entry.text.partition(" ")[2]
        self.choices[entry.seat] = {"seat": entry.seat, "choose": objective} | remarks_of(entry)
        players, layer = self.face.game.players, int(before.layer)
        if len(self.choices) == players:
            order = [(layer + step) % players for step in range(players)]
            self.moves += [self.choices[seat] for seat in order]

    def _pending(self) -> dict[str, Any]:
        if self.position.phase == Phase.CHOOSING:
            return {"choose": [self.choices.get(seat, {}).get("choose") for seat in range(self.face.game.players)]}
        if not self.proposed:
            return {}
        words = self._words_so_far() if self.position.phase == Phase.JEEIIN else {}
        return self.proposed | self._cards_so_far() | words
