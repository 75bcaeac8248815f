"""A table in memory: rebuilt from its row and its entries, changed by entries alone.

No clock, no storage and no connection here: whoever changes a table writes the entries that it returns, and where that
fails throws the table away and reads it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from embertown.core.chance import ChanceSource
from embertown.core.errors import BadArgument, EmbertownError
from embertown.core.game import Game, State, View
from embertown.core.record import GameRecord, SeatOfRecord
from embertown.games import load
from embertown.server import entries as log
from embertown.server import fair
from embertown.server.clocks import Clocks, seconds_of
from embertown.server.entries import LogEntry
from embertown.server.errors import Refused
from embertown.server.messages import EntryFacts, FairFacts
from embertown.server.store.rows import LoadedTable, SeatRow, Status, TableRow

HIDDEN = "(hidden)"
DEAL = "deal"
SECRET_TEXTS = frozenset({DEAL, log.BROUGHT})
"""Entries of the table of which only the first word leaves."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits at a seat: a person, a bot, a bot for a person, or nobody."""

    guest: str | None = None
    name: str | None = None
    bot: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether nobody sits there."""
        return self.guest is None and self.bot is None

    @property
    def is_person(self) -> bool:
        """Whether a person plays it now."""
        return self.guest is not None and self.bot is None


class Outcomes:
    """Chance that can be told what it gave before: the log is the truth, also where it was not by our shuffles."""

    def __init__(self, source: ChanceSource) -> None:
        self.source = source
        self.told: int | None = None
        self.choices = 0

    def pick(self, label: str, weights: Sequence[int]) -> int:
        """What was told, or what the source gives."""
        self.choices = len(weights)
        return self.source.pick(label, weights) if self.told is None else self.told


class BrokenTable(Exception):
    """A table whose entries are against the rules: nothing here writes such, so the file was changed or damaged."""


class Table:
    """One game with its seats and its log."""

    def __init__(self, row: TableRow, seats: Sequence[SeatRow], entries: Iterable[LogEntry] = ()) -> None:
        self.row = row
        self.status: Status = "open"
        self.game: Game = load(row.game, row.players, row.edition, **row.options)
        self.seats = [Sitting(each.guest_id, each.name, each.bot) for each in seats]
        self.entries: list[LogEntry] = []
        self.entropy: list[str | None] = [None] * row.players
        self.state: State[Any] | None = None
        self.lines: list[int] = []
        """The numbers of the entries that `state.log` holds, in its order."""
        self.first_told: int | None = row.first
        self.told_seats: dict[int, SeatOfRecord] = {}
        """Who sat where by the entries so far: at the start, this is what the record will say."""
        self.brought: dict[str, Any] = {}
        """Of a game that was brought in as a record: what that said besides the game."""
        self.resigned: set[int] = set()
        self.revealed: dict[int, int] = {}
        """By the number of an entry that was hidden: the number of the entry that revealed it to all."""
        self.fallen: dict[int, dict[int | None, str]] = {}
        """By the number of an entry that was taken back: what each viewer knew of it."""
        self._public: list[str] = []
        self._results: dict[int, dict[str, Any]] = {}
        self._results_to = 0
        """How many of `lines` have been asked for what they brought about."""
        self._views: dict[int | None, View[Any]] = {}
        """By viewer, as long as nothing changes."""
        self.waiting: tuple[int, ...] = ()
        """Every seat that may act now."""
        self.bot_seats: set[int] = set()
        """The seats that bots play by the entries so far: no clock runs there."""
        clock = row.clock or {}
        self.clocks = Clocks(row.players, clock.get("total"), clock.get("per_move")) if row.clock else None
        self._rebuild(list(entries))

    # ---- reading

    @property
    def number(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    @property
    def people(self) -> list[int]:
        """The seats that belong to people, also while a bot stands in."""
        return [seat for seat, sitting in enumerate(self.seats) if sitting.guest is not None]

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return not any(sitting.is_open for sitting in self.seats)

    @property
    def on_clock(self) -> tuple[int, ...]:
        """The seats whose time runs now: of those that are waited for, the ones that people play."""
        return tuple(seat for seat in self.waiting if seat not in self.bot_seats) if self.bot_seats else self.waiting

    @property
    def begins_by_itself(self) -> bool:
        """Whether nobody is missing, and nobody is asked to start it."""
        return self.status == "open" and self.is_full and self.row.autostart

    @property
    def follows(self) -> bool:
        """Whether it is a rematch or a later game of a match: there people sit already, and send entropy afterwards."""
        return self.row.follows

    @property
    def silent(self) -> set[str]:
        """The people who have added nothing to the shuffles yet, at any of their seats."""
        given = {sitting.guest for sitting, one in zip(self.seats, self.entropy, strict=True) if one is not None}
        return {sitting.guest for sitting in self.seats if sitting.guest and sitting.bot is None} - given

    def seats_of(self, guest: str | None) -> list[int]:
        """The seats of a guest."""
        return [] if guest is None else [s for s, sitting in enumerate(self.seats) if sitting.guest == guest]

    def others(self, guest: str | None) -> set[str]:
        """The people beside a guest, also while bots stand in for them."""
        return {sitting.guest for sitting in self.seats if sitting.guest is not None} - {guest or ""}

    def viewer(self, seat: int | None) -> int | None:
        """Whose eyes differ: where a game has no secrets, everybody sees what a spectator sees."""
        return seat if self.game.has_secrets else None

    def view(self, viewer: int | None) -> View[Any] | None:
        """What may leave to this viewer; None before the start."""
        if self.state is None:
            return None
        if viewer not in self._views:
            self._views[viewer] = self.state.view(viewer)
        return self._views[viewer]

    def fair_facts(self) -> FairFacts:
        """What proves the shuffles; the seed once the game is over."""
        ended = self.status in ("over", "aborted", "closed")
        seed = self.row.seed if ended and self.row.commitment else None
        return fair.proof(self.row.commitment, self.entropy, seed)  # type: ignore[return-value]

    def record(self, viewer: int | None = None, *, whole: bool = False) -> GameRecord:
        """The game as a record: as a viewer may know it, or whole, for the host of the server and once it is over."""
        if self.state is None:
            raise Refused("not_started")
        face = self.state if whole else self.state.view(viewer)
        return face.record()

    def told(self, viewer: int | None, since: int) -> list[EntryFacts]:
        """The entries after a number, and those before it that were revealed since, as a viewer may know them."""
        wanted = [number for number, at in self.revealed.items() if number <= since < at]
        wanted += range(since + 1, self.number + 1)
        texts = self._texts(viewer) if wanted and self.game.has_secrets else {}
        found: list[EntryFacts] = []
        for number in wanted:
            entry = self.entries[number - 1]
            text, stands = entry.text, True
            if entry.word in SECRET_TEXTS:
                text = entry.word
            elif number in self.fallen:
                text, stands = self.fallen[number][self.viewer(viewer)], False
            elif self.game.has_secrets and not entry.is_of_table:
                text = texts[number]
            told: EntryFacts = {
                "number": number,
                "seat": entry.seat,
                "text": text,
                "at": entry.at,
                "by": entry.by,
                "stands": stands,
            }
            found.append(told)
        return found

    def _texts(self, viewer: int | None) -> dict[int, str]:
        """What a viewer knows of the game's entries that stand, by number."""
        view = self.view(self.viewer(viewer))
        return {} if view is None else dict(zip(self.lines, (each.text for each in view.log), strict=True))

    def results(self, since: int) -> dict[int, dict[str, Any]]:
        """What the entries after a number brought about, of those that stand, where there is something to tell.

        The same for every viewer: a state tells of its decisions only what everybody may know.
        """
        if self.state is not None and self._results_to < len(self.lines):
            new = self.state.results(self._results_to)
            self._results |= {self.lines[index]: result for index, result in new.items()}
            self._results_to = len(self.lines)
        found: dict[int, dict[str, Any]] = {}
        for number in reversed(self._results):  # they came in the order of their numbers
            if number <= since:
                break
            found[number] = self._results[number]
        return dict(reversed(found.items())) if found else found

    def is_fresh(self, seat: int, number: int) -> bool:
        """Whether a seat that expects this number knows all it may: what is hidden from it can't make it late."""
        if number == self.number + 1:
            return True
        if not 0 < number <= self.number:
            return False
        missed = [entry for entry in self.entries[number - 1 :] if not entry.changes_nothing]
        if not self.game.has_secrets:
            return not missed
        texts = self._texts(seat)
        return all(texts.get(entry.number, "").endswith(HIDDEN) for entry in missed)

    # ---- changes: each returns the entries to be written, in the order of their numbers

    def sit(
        self, seat: int, sitting: Sitting, at: str, *, guest: str | None = None, sender: str | None = None
    ) -> list[LogEntry]:
        """Somebody else sits at a seat from now on."""
        text = log.seat_text(seat, sitting.name, sitting.bot)
        self.seats[seat] = sitting
        return [self._note(None, text, at, guest=guest, sender=sender)]

    def add_entropy(
        self, seat: int, entropy: str, at: str, guest: str | None, sender: str | None = None
    ) -> list[LogEntry]:
        """What a seat adds to the shuffles, before the start."""
        return [self._note(seat, log.entropy_text(entropy), at, guest=guest, sender=sender)]

    def start(self, at: str, *, guest: str | None = None, sender: str | None = None) -> list[LogEntry]:
        """Begin: who starts, and what is dealt."""
        if self.status != "open":
            raise Refused("already_started")
        if not self.is_full:
            raise Refused("seats_are_open")
        state = self._started(at, self.row.first, None)
        start, *texts = log.beginning(state.heading.first, state.heading.deal)
        return [
            self._note(None, start, at, guest=guest, sender=sender),
            *(self._note(None, text, at) for text in texts),
        ]

    def decide(
        self, seat: int, action: str | int, at: str, *, guest: str | None = None, sender: str | None = None
    ) -> list[LogEntry]:
        """Play an action of a seat; raises `IllegalMove` with nothing changed."""
        if self.state is None or self.status != "playing":
            raise Refused("not_playing")
        by = self.seats[seat].bot if self.state.heading.seats[seat].bot is None else None  # it stands in
        running, before = self.on_clock, self.state.log_length
        self.state.play(action, seat, at=at, by=by)
        if self.clocks is not None:
            self.clocks.run_until(seconds_of(at), running)
            self.clocks.decided(seat)
        written = []
        for entry in self.state.log_since(before):
            mine = entry.seat is not None
            number = self.number + 1
            row = LogEntry(
                number, entry.seat, entry.text, at, entry.by, guest if mine else None, sender if mine else None
            )
            self.entries.append(row)
            self.lines.append(number)
            written.append(row)
        self._after()
        return written

    def take_back(self, number: int, at: str, guest: str | None, sender: str | None) -> list[LogEntry]:
        """Entries after this one do not stand any more; whether that is allowed is `takeback`'s affair."""
        return [self._note(None, log.takeback_text(number), at, guest=guest, sender=sender)]

    def resign(self, seat: int, at: str, guest: str | None, sender: str | None) -> list[LogEntry]:
        """A seat gives up, and the game ends: all others win."""
        return [self._note(seat, log.RESIGN, at, guest=guest, sender=sender)]

    def resign_to_bot(self, seat: int, bot: str, at: str, guest: str | None, sender: str | None) -> list[LogEntry]:
        """A seat gives up, and the game goes on without its player."""
        given_up = self._note(seat, log.RESIGN_TO_BOT, at, guest=guest, sender=sender)
        return [given_up, *self.sit(seat, Sitting(None, self.seats[seat].name, bot), at)]

    def flag(self, seat: int, at: str) -> list[LogEntry]:
        """A seat's clock has run out."""
        return [self._note(seat, log.FLAG, at)]

    def end(self, text: str, at: str, guest: str | None = None, sender: str | None = None) -> list[LogEntry]:
        """The table ends without a winner: `abort` by a player, `close` by the host of the server."""
        return [self._note(None, text, at, guest=guest, sender=sender)]

    def resume_clock(self, at: str) -> list[LogEntry]:
        """The server was away; nobody's time ran."""
        return [self._note(None, log.RESUMED, at)]

    # ---- how entries take effect, when they are made and when the table is rebuilt

    def _note(
        self, seat: int | None, text: str, at: str, *, guest: str | None = None, sender: str | None = None
    ) -> LogEntry:
        """Add an entry of the table, and let it take effect."""
        entry = LogEntry(self.number + 1, seat, text, at, None, guest, sender)
        self._take(entry)
        return entry

    def _take(self, entry: LogEntry) -> None:
        self.entries.append(entry)
        if self.clocks is not None and self.status == "playing":
            if entry.text == log.RESUMED:
                self.clocks.resumed(seconds_of(entry.at))
            else:
                self.clocks.run_until(seconds_of(entry.at), self.on_clock)
        effect = {
            "seat": self._take_seat,
            log.BROUGHT: self._take_brought,
            "entropy": self._take_entropy,
            "first": self._take_first,
            DEAL: self._take_deal,
            "takeback": self._take_takeback,
            log.RESIGN: self._take_resign,
            log.FLAG: self._take_flag,
            log.ABORT: self._take_end,
            log.CLOSE: self._take_end,
        }.get(entry.word)
        if effect is not None:
            effect(entry)

    def _take_seat(self, entry: LogEntry) -> None:
        seat, name, bot = log.seat_told(entry)
        self.told_seats[seat] = _named(seat, Sitting(None, name, bot))
        (self.bot_seats.discard if bot is None else self.bot_seats.add)(seat)
        if self.status == "open":
            self.entropy[seat] = None  # what another sent who has left

    def _take_brought(self, entry: LogEntry) -> None:
        self.brought = orjson.loads(entry.rest)
        self.told_seats = {seat: SeatOfRecord(**each) for seat, each in enumerate(self.brought["seats"])}

    def _take_entropy(self, entry: LogEntry) -> None:
        assert entry.seat is not None
        self.entropy[entry.seat] = entry.rest

    def _take_first(self, entry: LogEntry) -> None:
        """The beginning, in games that deal nothing; else the deal completes it."""
        self.first_told = int(entry.rest)
        if not self.game.has_deal and self.state is None:
            self._started(entry.at, self.first_told, None)

    def _take_deal(self, entry: LogEntry) -> None:
        if self.state is None:
            self._started(entry.at, self.first_told, orjson.loads(entry.rest))

    def _take_takeback(self, entry: LogEntry) -> None:
        assert self.state is not None
        kept = int(entry.text.rsplit(" ", 1)[1])
        viewers = [*range(self.row.players), None] if self.game.has_secrets else [None]
        for viewer in viewers:
            for number, text in self._texts(viewer).items():
                if number > kept:
                    self.fallen.setdefault(number, {})[viewer] = text
        while self.lines and self.lines[-1] > kept:
            self.state.undo()
            del self.lines[self.state.log_length :]
        del self._public[len(self.lines) :]
        self._results_to = min(self._results_to, len(self.lines))
        self._results = {number: result for number, result in self._results.items() if number <= kept}
        self._views.clear()
        self.waiting = self.state.waiting

    def _take_resign(self, entry: LogEntry) -> None:
        if entry.text == log.RESIGN_TO_BOT:
            return
        assert self.state is not None
        assert entry.seat is not None
        if self.resigned:
            self.state.undo()  # that a seat resigned: several did
        self.resigned.add(entry.seat)
        self.state.resign(*self.resigned)
        self._after()

    def _take_flag(self, entry: LogEntry) -> None:
        if self.clocks is not None and entry.seat is not None:
            self.clocks.flagged(entry.seat)

    def _take_end(self, entry: LogEntry) -> None:
        if self.state is not None and not self.state.is_over:
            self.state.abandon()
            self._after()
        self.status = "closed" if entry.text == log.CLOSE else "aborted"
        self.waiting = ()

    def _started(self, at: str, first: int | None, deal: dict[str, Any] | None) -> State[Any]:
        """The state at the beginning."""
        self.state = self.game.start(
            chance=Outcomes(fair.chance(self.row.seed, self.entropy)),
            first=first,
            start_scores=self.row.start_scores,
            seats=[self.told_seats.get(seat) or _named(seat, each) for seat, each in enumerate(self.seats)],
            extra=self._extra(at),
            deal=deal,
        )
        self.status = "playing"
        if self.clocks is not None:
            self.clocks.since = seconds_of(at)
        self._after()
        return self.state

    def _extra(self, at: str) -> dict[str, Any]:
        """What the record will say besides the game; of one that was brought in, what it said."""
        extra: dict[str, Any] = {"meta": {"date": at[:10]}}
        if self.row.match_id is not None:
            extra["match"] = {"id": self.row.match_id, "game": self.row.match_game}
        if self.brought:
            extra = dict(self.brought["extra"])
        if self.row.commitment:  # a game that was brought in may have no proof
            extra["fair"] = fair.proof(self.row.commitment, self.entropy, None)
        return extra

    def _after(self) -> None:
        """What follows from the state as it is now: what was revealed, and whether it is over."""
        assert self.state is not None
        self._views.clear()
        if self.game.has_secrets:
            texts = [each.text for each in self.state.view(None).log]
            for index, text in enumerate(self._public):
                if text.endswith(HIDDEN) and not texts[index].endswith(HIDDEN):
                    self.revealed[self.lines[index]] = self.number
            self._public = texts
        self.waiting = self.state.waiting
        if not self.waiting and self.status == "playing":
            self.status = "over"
            heading = self.state.heading
            if "fair" in heading.extra:
                proof = fair.proof(self.row.commitment, self.entropy, self.row.seed)
                self.state.heading = replace(heading, extra={**heading.extra, "fair": proof})
                self._views.clear()

    # ---- rebuilding

    def _rebuild(self, entries: list[LogEntry]) -> None:
        """Let every entry take effect again."""
        try:
            self._take_all(entries)
        except (EmbertownError, ValueError, AssertionError) as error:
            raise BrokenTable(f"table {self.row.id}: entry {self.number + 1} has no place here: {error}") from error

    def _take_all(self, entries: list[LogEntry]) -> None:
        index = 0
        while index < len(entries):
            entry = entries[index]
            if entry.number != self.number + 1:
                raise BrokenTable(f"table {self.row.id}: entry {self.number + 1} is missing")
            try:
                index += self.take_again(entries, index)
            except (EmbertownError, ValueError, LookupError, AssertionError) as reason:
                raise BrokenTable(f"table {self.row.id}: entry {entry.number}: {reason}") from reason

    def take_again(self, entries: Sequence[LogEntry], index: int) -> int:
        """Let an entry take effect; how many entries that were."""
        if not entries[index].is_of_table:
            return self._replay(entries, index)
        self._take(entries[index])
        return 1

    def _replay(self, entries: Sequence[LogEntry], index: int) -> int:
        """Play a decision again, with the outcomes that followed it; how many entries that were."""
        entry = entries[index]
        if self.state is None or entry.seat is None:
            raise BrokenTable(f"table {self.row.id}: entry {entry.number} ({entry.text}) has no place here")
        running, chance = self.on_clock, self.state.chance
        assert isinstance(chance, Outcomes)
        logged = self._played_as_logged(self.state, chance, entries, index)
        if self.clocks is not None:
            self.clocks.run_until(seconds_of(entry.at), running)
            self.clocks.decided(entry.seat)
        self.entries += logged
        self.lines += [each.number for each in logged]
        self._after()
        return len(logged)

    def _played_as_logged(
        self, state: State[Any], chance: Outcomes, entries: Sequence[LogEntry], index: int
    ) -> Sequence[LogEntry]:
        """Play a decision with what our shuffles give; where the log tells another outcome, with that one."""
        entry, before, chance.choices = entries[index], state.log_length, 0
        remarks = self._remarks(entry)
        tries: list[int | None] = [None]
        for told in tries:
            chance.told = told
            try:
                state.play(entry.text, entry.seat, by=entry.by, **remarks)
            except BadArgument:  # no such rhomb is left
                continue
            finally:
                chance.told = None
            made = state.log_since(before)
            logged = entries[index : index + len(made)]
            if [each.text for each in made] == [each.text for each in logged]:
                return logged
            state.undo()
            if told is None:
                tries += range(chance.choices)
        raise BrokenTable(f"table {self.row.id}: what follows entry {entry.number} can't have happened")

    def _remarks(self, entry: LogEntry) -> dict[str, str]:
        """When it was decided; of a game that was brought in, what the record remarked."""
        if entry.number > self.brought.get("to", 0):
            return {"at": entry.at}
        remarks: dict[str, str] = self.brought["remarks"].get(str(entry.number), {})
        return remarks


def _named(seat: int, sitting: Sitting) -> SeatOfRecord:
    """Who sits there, as a record says it."""
    return SeatOfRecord(name=sitting.name or sitting.bot or f"Seat {seat + 1}", bot=sitting.bot)


def rebuilt(loaded: LoadedTable) -> Table:
    """A table as the store has it."""
    entries = [
        LogEntry(each.number, each.seat, each.text, each.at, each.by, each.guest_id, each.sender)
        for each in loaded.entries
    ]
    table = Table(loaded.table, loaded.seats, entries)
    if loaded.table.status in ("aborted", "closed"):
        table.status = loaded.table.status
    return table
