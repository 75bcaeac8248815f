"""What may be taken back: never across a draw, a reveal or another's action, and not without the others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.server.errors import Refused
from embertown.server.table import Sitting
from embertown.server.takeback import last_own_decision, must_agree
from tests.conftest import JIT_OFF, examples
from tests.server.tables import KINDS, Play, picture


def quiet(kind: int, seed: int, bots: tuple[int, ...] = ()) -> Play:
    play = Play.begun(kind, seed, bots=bots)
    play.look = lambda table: {"number": table.number}
    return play


def code(play: Play, seat: int, kept: int) -> str | list[int]:
    try:
        return must_agree(play.table, seat, kept)
    except Refused as refused:
        return refused.code


def play_until(play: Play, word: str) -> int:
    """Play at random until somebody has done this; who it was."""
    while not play.table.lines or play.table.entries[play.table.lines[-1] - 1].word != word:
        play.decide()
    seat = play.table.entries[play.table.lines[-1] - 1].seat
    return -1 if seat is None else seat


@settings(max_examples=examples(40, 2))
@given(
    kind=st.integers(0, len(KINDS) - 1),
    seed=st.integers(0, 10**6),
    steps=st.integers(1, 6 if JIT_OFF else 120),
    bots=st.sets(st.integers(0, 3), max_size=3),
)
def test_what_is_allowed_is_what_the_rules_say(kind: int, seed: int, steps: int, bots: set[int]) -> None:
    """Said once more, from the log alone: whose entries go, whether one is a draw, whether a reveal is among them."""
    play = quiet(kind, seed, tuple(bots))
    for _ in range(steps):
        if play.table.status == "playing":
            play.chooser.choice([play.decide] * 6 + [play.take_back])()
    table = play.table
    if table.status != "playing":
        return
    for seat in set(range(table.row.players)) - bots:
        others = [each for each in range(table.row.players) if each != seat and each not in bots]
        for kept in range(table.number + 2):
            gone = [table.entries[number - 1] for number in table.lines if number > kept]
            answer = code(play, seat, kept)
            if not gone or gone[0].seat != seat:
                assert answer == "nothing_to_take_back"
            elif any(entry.seat is None for entry in gone):
                assert answer == "takeback_over_draw"
            elif is_revealed(play, kept):
                assert answer == "takeback_over_reveal"
            elif others and any(entry.seat != seat for entry in gone):
                assert answer == "takeback_over_others"
            else:
                assert answer == others


def is_revealed(play: Play, kept: int) -> bool:
    """Whether a spectator who left after this entry finds one of those before it no longer hidden."""
    table = play.table
    return any(each["number"] <= kept for each in table.told(None, kept)) or any(
        at > kept for at in table.revealed.values()
    )


def test_a_draw_stays() -> None:
    play = quiet(0, 1)
    seat = play_until(play, "drawn")
    assert seat == -1
    drew = play.table.entries[play.table.lines[-2] - 1]
    assert drew.text == "draw"
    assert drew.seat is not None
    assert code(play, drew.seat, drew.number - 1) == "takeback_over_draw"
    assert code(play, drew.seat, drew.number) == "nothing_to_take_back"


def test_against_bots_everything_since_the_last_reveal_is_free() -> None:
    play = quiet(3, 4, bots=(1, 2, 3))
    table = play.table
    while len({entry.seat for entry in table.entries if not entry.is_of_table}) < 4 or not any(
        table.entries[number - 1].seat == 0 for number in table.lines
    ):
        play.decide()
    mine = [number for number in table.lines if table.entries[number - 1].seat == 0]
    last_reveal = max(table.revealed.values(), default=0)
    for number in mine:
        expected = "takeback_over_reveal" if number <= last_reveal else []
        assert code(play, 0, number - 1) == expected


def test_all_people_have_to_agree_and_nobody_else() -> None:
    play = quiet(3, 9, bots=(2,))
    table = play.table
    seat = play_until(play, "lay")
    while seat == 2:
        play.decide()
        seat = play_until(play, "lay")
    kept = last_own_decision(table, seat)
    assert code(play, seat, kept) == [each for each in (0, 1, 3) if each != seat]
    other = 1 if seat != 1 else 3
    table.sit(other, Sitting(f"guest{other}", "x", "journeyman"), play.at())  # a bot stands in; it is still a person's
    assert code(play, seat, kept) == [each for each in (0, 1, 3) if each != seat]
    table.sit(other, Sitting(f"guest{seat}", "x"), play.at())  # both seats at one device
    assert code(play, seat, kept) == [each for each in (0, 1, 3) if each not in (seat, other)]


def test_a_hidden_vote_that_was_taken_back_stays_hidden() -> None:
    play = quiet(3, 11)
    table = play.table
    voter = play_until(play, "vote")
    while table.revealed:  # it was the last of its vote
        play = quiet(3, play.chooser.randrange(1000))
        table, voter = play.table, play_until(play, "vote")
    number = table.lines[-1]
    text = table.entries[-1].text
    assert code(play, voter, number - 1) == [each for each in range(4) if each != voter]
    table.take_back(number - 1, play.at(), None, None)
    while not table.revealed:
        play.decide()
    for viewer in (None, 0, 1, 2, 3):
        told = table.told(viewer, 0)[number - 1]
        assert told["stands"] is False
        assert told["text"] == (text if viewer == voter else "vote (hidden)")
    play.keep()
    assert picture(play.rebuilt(-1)) == picture(table)


def test_a_reveal_stays() -> None:
    play = quiet(3, 11)
    while not play.table.revealed:
        play.decide()
    last = play.table.entries[-1]
    assert last.seat is not None
    assert code(play, last.seat, last.number - 1) == "takeback_over_reveal"


def test_what_is_over_stays() -> None:
    play = quiet(0, 3)
    play.decide()
    play.abort()
    assert code(play, play.table.entries[play.table.lines[0] - 1].seat or 0, play.table.lines[0] - 1) == "not_playing"


def test_nobody_takes_back_who_did_nothing() -> None:
    play = quiet(0, 3)
    with pytest.raises(Refused, match="no last decision of seat 2"):
        last_own_decision(play.table, 1)
