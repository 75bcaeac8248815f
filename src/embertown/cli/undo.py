"""How far a person at the table may go back."""

from __future__ import annotations

from collections.abc import Sequence

from embertown.cli.words import Seal
from embertown.core.errors import BadArgument, NothingToUndo
from embertown.core.log import Entry


def steps_to_undo(log: Sequence[Entry], seat: int, is_bot: Sequence[bool], seal: Seal) -> int:
    """How many decisions go back to the person's last one; forced passes are nobody's decision."""
    steps = 0
    for index in reversed(range(len(log))):
        entry = log[index]
        if entry.seat is None:
            continue
        if index < seal.entries and any(_is_decision_of(seat, other) for other in log):
            raise BadArgument(seal.reason)
        steps += 1
        if _is_decision_of(seat, entry):
            return steps
        if entry.text != "pass" and not is_bot[entry.seat]:
            raise BadArgument("another player has acted since: that can't be taken back")
    raise NothingToUndo("you have done nothing yet that could be taken back")


def _is_decision_of(seat: int, entry: Entry) -> bool:
    return entry.seat == seat and entry.text != "pass"
