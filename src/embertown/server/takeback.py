"""What may be taken back, and who has to agree.

Never across a draw, a reveal or another person's action. Where other people sit at the table all of them have to agree,
and no bot's action is crossed either; against bots alone it is free, up to the last draw or reveal.
"""

from __future__ import annotations

from embertown.server.errors import Refused
from embertown.server.table import Table


def must_agree(table: Table, seat: int, kept: int) -> list[int]:
    """The seats whose players have to agree that nothing after this entry stands; `Refused` where it can't be."""
    if table.status != "playing":
        raise Refused("not_playing")
    gone = [table.entries[number - 1] for number in table.lines if number > kept]
    if not gone or gone[0].seat != seat:
        raise Refused("nothing_to_take_back", seat=seat)
    if any(entry.seat is None for entry in gone):
        raise Refused("takeback_over_draw")
    if any(at > kept for at in table.revealed.values()):
        raise Refused("takeback_over_reveal")
    mine = table.seats[seat].guest
    others = [each for each in table.people if table.seats[each].guest != mine]
    crossed = {entry.seat for entry in gone} - set(table.seats_of(mine)) - {seat}
    if crossed & set(others) or (crossed and others):
        raise Refused("takeback_over_others")
    return others


def last_own_decision(table: Table, seat: int) -> int:
    """The number before a seat's last decision that stands: what a takeback of it would keep."""
    own = [number for number in table.lines if table.entries[number - 1].seat == seat]
    if not own:
        raise Refused("nothing_to_take_back", seat=seat)
    return own[-1] - 1
