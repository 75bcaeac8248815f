"""Games step by step: what every entry changed, and what it brought about, for pages that know no rule.

A table is replayed by letting its entries take effect once more, one after the other, so that what was taken back is
seen as it was. Of each step a viewer is told what its view held then; of a game that is played out, and of a record,
everything that is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from embertown.core.errors import NothingToUndo
from embertown.core.game import End, Outcome, State
from embertown.core.record import GameRecord, as_values
from embertown.server import entries as log
from embertown.server import wire
from embertown.server.entries import LogEntry
from embertown.server.errors import Refused
from embertown.server.forms import RecordReplay, ReplayEntry, TableReplay
from embertown.server.messages import EntryFacts, SeatFacts
from embertown.server.store.rows import SeatRow, TableRow
from embertown.server.table import Table

Values = dict[str, Any]


def changed(before: Values | None, after: Values | None) -> Values:
    """The facts that are not what they were."""
    known, current = before or {}, after or {}
    return {key: value for key, value in current.items() if key not in known or known[key] != value}


def is_revealed(state: State[Any] | None) -> bool:
    """Whether a game is played out: then nothing of it is secret any more."""
    outcome = None if state is None else state.outcome
    return outcome is not None and outcome.end is End.COMPLETE


def _outcome(outcome: Outcome | None) -> Any:
    return None if outcome is None else as_values(outcome)


# ---- tables


class Told:
    """What a table's replay is made of, taken under its lock; all of it is fixed, so that it can be worked on aside."""

    def __init__(self, table: Table, viewer: int | None, seats: list[SeatFacts]) -> None:
        self.row: TableRow = table.row
        self.viewer, self.seats, self.status = viewer, seats, table.status
        self.sitting = [
            SeatRow(table.row.id, seat, each.guest, each.name, each.bot) for seat, each in enumerate(table.seats)
        ]
        self.entries: Sequence[LogEntry] = tuple(table.entries)
        self.whole = is_revealed(table.state)

    def table_at(self, number: int | None = None) -> Table:
        """The table as it was after an entry; as it is now where none is named."""
        return Table(self.row, self.sitting, self.entries[:number])

    def whole_entry(self, number: int) -> int:
        """The number of an entry, or of the outcome that came with it; `Refused` where there is none."""
        if number > len(self.entries):
            raise Refused("no_such_entry", status=404, number=number, last=len(self.entries))
        while number < len(self.entries) and self.entries[number].is_outcome:
            number += 1
        return number

    def steps(self) -> Iterator[tuple[Table, int]]:
        """The table after each entry or, of a decision and its outcome, after both; how many entries that were."""
        table, index = Table(self.row, self.sitting), 0
        while index < len(self.entries):
            count = table.take_again(self.entries, index)
            index += count
            yield table, count

    def facts(self, table: Table) -> Values | None:
        """What there is to draw, with the viewer's eyes or, where all is revealed, with all there is."""
        if self.whole and table.state is not None:
            return table.state.whole_facts()
        return wire.facts(table, self.viewer)


def of_table(told: Told) -> TableReplay:
    """A table's game, step by step, as a viewer may know it now."""
    table, facts = told.table_at(0), None
    stepped: list[tuple[Values, Any]] = []
    for table, count in told.steps():
        after = told.facts(table)
        results = table.results(table.number - count)
        numbers = range(table.number - count + 1, table.number + 1)
        stepped += [({}, results.get(number)) for number in numbers[:-1]]
        stepped.append((changed(facts, after), results.get(table.number)))
        facts = after
    entries = table.told(told.viewer, 0)
    return {
        "game": table.game.name,
        "edition": table.game.edition.reference(),
        "edition_sha256": table.game.edition.sha256,
        "options": dict(table.game.options),
        "players": table.game.players,
        "facts": None,
        "entries": [_entry(entry, *step) for entry, step in zip(entries, stepped, strict=True)],
        "outcome": _outcome(None if table.state is None else table.state.outcome),
        "whole": told.whole,
        "table": wire.heading(table),
        "status": told.status,
        "viewer": told.viewer,
        "seats": told.seats,
        "fair": table.fair_facts(),
    }


def _entry(entry: EntryFacts, changes: Values, result: Any) -> ReplayEntry:
    return {**entry, "note": None, "changes": changes, "result": result}


# ---- records


def of_record(record: GameRecord, state: State[Any], proven: bool | None, theme: str | None) -> RecordReplay:
    """A record's game, step by step; `state` is how it ended."""
    frames = _frames(state)
    entries = list(_entries(record, state, frames))
    extra, game = record.heading_extra(), state.game
    return {
        "game": game.name,
        "edition": game.edition.reference(),
        "edition_sha256": game.edition.sha256,
        "options": dict(game.options),
        "players": game.players,
        "facts": frames[0],
        "entries": entries,
        "outcome": _outcome(state.outcome),
        "whole": True,
        "seats": [{"name": each.name, "bot": each.bot} for each in record.seats],
        "match": extra.get("match"),
        "meta": extra.get("meta"),
        "proven": proven,
        "geometry": game.geometry(),
        "artwork": game.artwork(theme),
    }


def state_at(state: State[Any], number: int) -> State[Any]:
    """A record's game as it was after so many entries of its replay, or after the outcome that came with the last."""
    walker = state.copy()
    if number <= len(walker.log) and walker.outcome is not None and walker.outcome.end is not End.COMPLETE:
        walker.undo()  # that it was given up
    while len(walker.log) > number:
        before = walker.copy()
        walker.undo()
        if len(walker.log) < number:
            return before
    return walker


def _frames(state: State[Any]) -> dict[int, Values]:
    """The facts by how many entries of the log had been played; one more where the game ended early."""
    walker, found = state.copy(), {}
    if state.outcome is not None and state.outcome.end is not End.COMPLETE:
        found[len(walker.log) + 1] = walker.whole_facts()
        walker.undo()
    found[len(walker.log)] = walker.whole_facts()
    try:
        while True:
            walker.undo()
            found[len(walker.log)] = walker.whole_facts()
    except NothingToUndo:
        return found


def _entries(record: GameRecord, state: State[Any], frames: dict[int, Values]) -> Iterator[ReplayEntry]:
    """The log's entries, and those of an early end, as a table's log tells them."""
    facts, results = frames[0], state.results()
    for index, entry in enumerate(state.log):
        after = frames.get(index + 1, facts)
        yield {
            "number": index + 1,
            "seat": entry.seat,
            "text": entry.text,
            "at": entry.at,
            "by": entry.by,
            "stands": True,
            "note": entry.note,
            "changes": changed(facts, after),
            "result": results.get(index),
        }
        facts = after
    ends = list(ends_of(record))
    for number, (seat, text) in enumerate(ends, len(state.log) + 1):
        last = number == len(state.log) + len(ends)
        yield {
            "number": number,
            "seat": seat,
            "text": text,
            "at": None,
            "by": None,
            "stands": True,
            "note": None,
            "changes": changed(facts, frames[len(state.log) + 1]) if last else {},
            "result": None,
        }


def ends_of(record: GameRecord) -> Iterator[tuple[int | None, str]]:
    """How a game ended early: whose entries, and which."""
    if record.end == "resigned":
        winners = record.winners or ()
        yield from ((seat, log.RESIGN) for seat in range(len(record.seats)) if seat not in winners)
    elif record.end == "abandoned":
        yield None, log.ABORT
