"""The rules D3 to D9 one by one, in positions made by hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from embertown.core.errors import IllegalMove
from embertown.drunter.game import DrunterState
from embertown.drunter.rules import Phase
from tests.small_drunter import FIVE, SEVEN, begin, dealt, legal, play, put, small

pytestmark = pytest.mark.kernel


def refused(state: DrunterState, text: str | int) -> tuple[str, str, tuple[str, ...]]:
    """The code, the rule and the places of a refusal."""
    with pytest.raises(IllegalMove) as caught:
        state.play(f"lay {text}" if isinstance(text, str) else text)
    return caught.value.code, caught.value.rule, caught.value.places


def moves_of(state: DrunterState) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = state.record().to_dict()["moves"]
    return found


# ---- where a tile may lie


def test_d4_2_a_path_leaves_its_corner_by_either_side() -> None:
    state = begin(small())
    assert {text for text in legal(state) if " A1 " in text} == {
        *("lay wall A1 B1", "lay wall A1 B1-C1", "lay wall A1 B1-D1"),
        *("lay wall A1 A2", "lay wall A1 A2-A3", "lay wall A1 A2-A4"),
    }
    assert {text for text in legal(state) if " E5 " in text} == {
        *("lay wall E5 D5", "lay wall E5 D5-C5", "lay wall E5 D5-B5"),
        *("lay wall E5 E4", "lay wall E5 E4-E3", "lay wall E5 E4-E2"),
    }
    for corner, kind, squares in (("E1", "road", ("D1", "E2")), ("A5", "river", ("B5", "A4"))):
        for square in squares:
            after = state.copy()
            assert play(after, f"{kind} {corner} {square}").tile is not None
            assert after.gangs[corner] == square


def test_d4_2_a_path_goes_on_to_the_left_to_the_right_and_straight() -> None:
    state = begin(small(SEVEN))
    play(state, "wall A1 A2-A3")
    assert {text.split()[-1][:2] for text in legal(state) if " A1 " in text} == {"A4", "B3"}, "not back"
    play(state, "wall A1 B3-C3")
    assert {text.split()[-1][:2] for text in legal(state) if " A1 " in text} == {"C2", "C4", "D3"}
    play(state, "wall A1 C4")
    assert {text.split()[-1][:2] for text in legal(state) if " A1 " in text} == {"B4", "C5", "D4"}, "a length of 1 too"
    play(state, "wall A1 B4")
    assert {text.split()[-1][:2] for text in legal(state) if " A1 " in text} == {"A4", "B5"}, "beside its own tiles"
    assert state.gangs["A1"] == "B4"


def test_d4_3_a_tile_does_not_leave_the_board() -> None:
    state = begin(small())
    north, first = 0, 0
    assert refused(state, first + 3 * north)[:2] == ("off_the_board", "D4.3")
    play(state, "road E1 E2-E3")
    assert not {"lay road E1 F3"} & legal(state)
    play(state, "wall E5 D5-C5")
    south = 3 * (4 * state.board.gangs.index("E5") + 2)
    assert refused(state, south)[:2] == ("off_the_board", "D4.3")
    assert "lay wall E5 C4-C2" in legal(state)
    play(state, "wall E5 C4-C3")
    assert "lay wall E5 C2-C1" in legal(state)
    north_3 = 3 * 4 * state.board.gangs.index("E5") + 2
    assert refused(state, north_3)[:2] == ("off_the_board", "D4.3")


def test_d4_3_a_tile_covers_no_tile_and_no_corner() -> None:
    state = begin(small())
    play(state, "wall A1 B1", "river A5 A4-A2")
    assert refused(state, "wall A1 C1-E1") == ("corner_square", "D4.3", ("E1",))
    assert refused(state, "wall A1 A1") == ("corner_square", "D4.3", ("A1",))
    play(state, "wall A1 B2")
    assert refused(state, "wall A1 A2") == ("square_covered", "D4.3", ("A2",))
    assert refused(state, "wall A1 B1") == ("square_covered", "D4.3", ("B1",))
    play(state, "wall E5 D5-B5", "wall A1 B3")
    assert refused(state, "wall A1 B4-B5") == ("square_covered", "D4.3", ("B5",))
    assert "lay wall A1 B4" in legal(state)


def test_d4_1_walls_continue_walls() -> None:
    state = begin(small())
    assert refused(state, "road A1 B1") == ("other_kind", "D4.1", ("A1",))
    assert {text.split()[1] for text in legal(state) if " E1 " in text} == {"road"}


# ---- bridges


def one_bridge() -> DrunterState:
    """A river bridge on B6, B5, B4; the wall's gang beside its middle, on A5."""
    state = begin(small(SEVEN))
    play(state, "river A7 B7", "wall A1 A2-A4", "river A7 B6-B4", "wall A1 A5")
    return state


def test_d4_4_a_path_passes_under_a_bridge_across_its_way() -> None:
    state = one_bridge()
    assert {text for text in legal(state) if text.startswith("lay wall A1 C")} == {
        *("lay wall A1 C5", "lay wall A1 C5-D5", "lay wall A1 C5-E5"),
    }
    foretold = play(state, "wall A1 C5-D5")
    assert foretold.tile is not None
    assert (foretold.tile.squares, foretold.tile.under) == (("C5", "D5"), ("B5",))
    assert moves_of(state)[-1]["under"] == ["B5"]
    assert state.gangs["A1"] == "D5"


def test_d4_4_two_bridges_in_a_row_are_passed_at_once() -> None:
    state = one_bridge()
    play(state, "river A7 B3", "road G1 F1", "river A7 C3", "road G1 E1", "river A7 C4-C6")
    assert refused(state, "wall A1 C5") == ("square_covered", "D4.3", ("C5",))
    foretold = play(state, "wall A1 D5")
    assert foretold.tile is not None
    assert foretold.tile.under == ("B5", "C5")
    assert moves_of(state)[-1]["under"] == ["B5", "C5"]


def test_d4_4_a_path_passes_under_its_own_bridge() -> None:
    state = begin(small(SEVEN))
    play(state, "wall A1 B1", "wall A1 B2-B4", "wall A1 C4", "wall A1 C3")
    foretold = play(state, "wall A1 A3")
    assert foretold.tile is not None
    assert foretold.tile.under == ("B3",)


def test_d4_4_only_the_middle_is_passed_and_never_with_a_tile_in_the_way() -> None:
    state = begin(small(SEVEN))
    play(state, "river A7 B7", "wall A1 A2-A3", "river A7 B6-B4", "wall A1 A4")
    assert refused(state, "wall A1 C4") == ("not_at_the_gang", "D4.2", ("A4", "C4")), "B4 is its end"
    play(state, "wall A1 A5", "river A7 C4", "river A7 C5")
    assert refused(state, "wall A1 D5") == ("not_at_the_gang", "D4.2", ("A5", "D5")), "C5 is covered"
    assert not [text for text in legal(state) if text.startswith("lay wall A1") and "5" in text]


def test_d4_4_a_bridge_along_the_way_is_no_way() -> None:
    """A gang on the end of its own bridge can't go back under it."""
    state = begin(small(SEVEN))
    play(state, "wall A1 B1-D1")
    assert refused(state, "wall A1 C1") == ("bridge_along", "D4.4", ("C1",))


def test_d4_4_a_bridge_along_the_way_is_named_wherever_it_lies() -> None:
    """The wall's gang on B3 looks along the river's bridge on B4 to B6, which came from B7; B8 lies beyond."""
    eight = "\n".join(["W . . . . . . R", *[". . . . . . . ."] * 7, "V . . . . . . W"])
    state = begin(small(eight))
    play(state, "river A9 A8-A7", "wall A1 A2-A3", "river A9 B7", "wall A1 B3", "river A9 B6-B4")
    assert refused(state, "wall A1 B8") == ("bridge_along", "D4.4", ("B5",))
    assert refused(state, "wall A1 B4")[:2] == ("square_covered", "D4.3")


# ---- blocked paths


def test_d4_6_a_path_is_blocked_on_its_corner_by_others() -> None:
    state = begin(small())
    play(state, "river A5 A4-A2")
    foretold = play(state, "road E1 D1-B1")
    assert foretold.blocked == ("A1",)
    assert moves_of(state)[-1]["blocked"] == ["A1"]
    assert state.gangs == {"A1": None, "E1": "B1", "A5": "A2", "E5": "E5"}
    assert refused(state, "wall A1 B2") == ("gang_removed", "D4.6", ("A1",))
    assert not [text for text in legal(state) if " A1 " in text]


def test_d4_6_one_open_side_of_the_corner_is_enough() -> None:
    state = begin(small())
    play(state, "river A5 A4-A2", "road E1 D1-C1")
    assert state.gangs["A1"] == "A1"
    assert {text for text in legal(state) if " A1 " in text} == {"lay wall A1 B1"}


def test_d4_6_a_path_is_blocked_by_its_own_tile() -> None:
    state = begin(small())
    play(state, "wall A1 B1", "river A5 A4-A3", "wall A1 B2")
    assert play(state, "river A5 A2").blocked == ("A5",), "between a corner, a wall and itself"


def test_d4_6_two_paths_are_blocked_at_once_by_a_third() -> None:
    state = begin(small())
    play(state, "wall A1 B1", "road E1 D1-C1", "river A5 A4-A2", "road E1 C2")
    assert play(state, "road E1 B2").blocked == ("A1", "A5")
    assert moves_of(state)[-1]["blocked"] == ["A1", "A5"]
    assert state.gangs == {"A1": None, "E1": "B2", "A5": None, "E5": "E5"}


def test_d4_6_a_square_beyond_a_bridge_is_open_also_with_an_outhouse() -> None:
    """The wall's gang on A5 is shut in but for the way under the road's bridge on B4 to B6."""
    state = begin(small(put(SEVEN, C5="oo")))
    play(state, "road G1 F1-D1", "road G1 C1-B1", "road G1 B2", "road G1 B3", "road G1 B4-B6")
    play(state, "wall A1 A2-A4", "wall A1 A5")
    assert play(state, "river A7 A6").blocked == ("A7",)
    assert {text for text in legal(state) if " A1 " in text} == {f"lay wall A1 C5{to}" for to in ("", "-D5", "-E5")}
    assert state.preview("lay wall A1 C5").needs_vote


# ---- votes


OUTHOUSE = put(FIVE, B1="oo")


def test_d6_3_yes_wins_a_tie_and_d6_5_cards_are_spent() -> None:
    state = begin(small(OUTHOUSE))
    foretold = state.preview("lay wall A1 B1-C1")
    assert (foretold.needs_vote, foretold.covers) == (True, ("B1",))
    play(state, "wall A1 B1-C1")
    assert (state.phase, state.waiting, state.laid) == (Phase.VOTING, (0, 1), ())
    play(state, "0: vote jaa", "1: vote nee")
    assert moves_of(state)[-1]["vote"] == {
        "cards": ["jaa", "nee"],
        "jeeiin": [None, None],
        "yes": 2,
        "no": 2,
        "passed": True,
    }
    assert (state.gangs["A1"], state.seat, len(state.laid)) == ("C1", 1, 1)
    assert "jaa" not in state.cards[0]
    assert "nee" not in state.cards[1]
    assert len(state.cards[0]) == len(state.cards[1]) == 7


def test_d6_4_a_tile_refused_goes_back_and_is_proposed_again_later() -> None:
    state = begin(small(OUTHOUSE))
    before = state.tiles
    play(state, "wall A1 B1", "0: vote ja", "1: vote nee")
    assert (moves_of(state)[-1]["vote"]["passed"], state.seat) == (False, 1)
    assert (state.tiles, state.gangs["A1"], state.laid) == (before, "A1", ())
    play(state, "wall E5 D5", "wall A1 B1", "1: vote jeeiin", "0: vote jaaa", "1: jeeiin no")
    assert moves_of(state)[-1]["vote"] == {
        "cards": ["jaaa", "jeeiin"],
        "jeeiin": [None, "no"],
        "yes": 3,
        "no": 2,
        "passed": True,
    }
    assert state.gangs["A1"] == "B1"
    assert state.tiles[0]["wall"][0] == before[0]["wall"][0] - 1


@pytest.mark.parametrize(("word", "passed"), [("yes", True), ("no", False)])
def test_d6_2_jeeiin_decides(word: str, passed: bool) -> None:
    state = begin(small(OUTHOUSE))
    play(state, "wall A1 B1", "0: vote jeeiin", "1: vote ne")
    assert (state.phase, state.waiting) == (Phase.JEEIIN, (0,))
    assert legal(state) == {"jeeiin yes", "jeeiin no"}
    play(state, f"jeeiin {word}")
    assert moves_of(state)[-1]["vote"]["passed"] == passed
    assert state.gangs["A1"] == ("B1" if passed else "A1")
    assert "jeeiin" not in state.cards[0]


def test_d6_2_jeeiin_is_explained_in_turn_order_from_the_proposer() -> None:
    state = begin(small(OUTHOUSE, players=3), first=1)
    play(state, "wall A1 B1", "0: vote jeeiin", "2: vote jeeiin", "1: vote ne")
    assert state.waiting == (2,)
    with pytest.raises(IllegalMove, match=r"D2\.4"):
        state.play("jeeiin yes", 0)
    play(state, "jeeiin no")
    assert state.waiting == (0,)
    play(state, "jeeiin yes")
    vote = moves_of(state)[-1]["vote"]
    assert (vote["jeeiin"], vote["yes"], vote["no"], vote["passed"]) == (["yes", None, "no"], 2, 3, False)
    assert state.seat == 2


def test_d6_1_who_holds_only_the_blank_card_plays_it_and_0_to_0_is_a_tie() -> None:
    game = small(OUTHOUSE)
    text = begin(game).position_text()
    cards = "ja+jaa+jaaa+ne+nee+neee+?+jeeiin"
    state = game.position(text.replace(f"cards={cards}/{cards}", "cards=?/?"))
    play(state, "wall A1 B1")
    assert legal(state, 0) == legal(state, 1) == {"vote ?"}
    play(state, "1: vote ?", "0: vote ?")
    assert state.gangs["A1"] == "B1"
    assert state.cards == (("?",), ("?",)), "it comes back (D6.5)"


def test_d6_1_votes_come_in_any_order() -> None:
    texts = ["0: vote ja", "1: vote ne", "2: vote ?"]
    found = set()
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)):
        state = begin(small(OUTHOUSE, players=3), first=1)
        play(state, "wall A1 B1", *(texts[seat] for seat in order))
        found.add((state.position_text(), state.record().to_json()))
        with pytest.raises(IllegalMove, match=r"D5\.2"):
            state.play("vote ja", 0)
    assert len(found) == 1


def test_d6_6_several_cards_count_together() -> None:
    state = begin(small(OUTHOUSE, several_cards=True))
    play(state, "wall A1 B1")
    assert len(legal(state)) == 255
    play(state, "0: vote ja+jeeiin+?", "1: vote ne+nee", "jeeiin yes")
    vote = moves_of(state)[-1]["vote"]
    assert vote["cards"] == [["ja", "?", "jeeiin"], ["ne", "nee"]]
    assert (vote["yes"], vote["no"], vote["passed"]) == (3, 3, True)
    assert state.cards == (("jaa", "jaaa", "ne", "nee", "neee", "?"), ("ja", "jaa", "jaaa", "neee", "?", "jeeiin"))
    with pytest.raises(IllegalMove, match=r"D6\.6"):
        play(begin(small(OUTHOUSE)), "wall A1 B1", "0: vote ja+jaa")


def test_d9_5_without_votes_outhouses_are_covered_freely() -> None:
    state = begin(small(OUTHOUSE, variant=True, no_votes=True))
    assert not state.preview("lay wall A1 B1").needs_vote
    assert play(state, "wall A1 B1").covers == ("B1",)
    assert state.gangs["A1"] == "B1"


def test_d5_2_one_vote_for_a_tile_however_many_outhouses_it_covers() -> None:
    state = begin(small(put(FIVE, B1="oo", C1="T5", D1="oo")))
    assert play(state, "wall A1 B1-D1").covers == ("B1", "C1", "D1")
    play(state, "0: vote ?", "1: vote ?")
    assert state.phase is Phase.LAYING
    assert "C1" not in state.standing()


# ---- who may do what


def test_d3_2_who_has_no_other_tile_must_propose_one() -> None:
    """Both sides of every wall's corner are outhouses, and there are only walls."""
    board = put(FIVE, B1="oo", A2="oo", D5="oo", E4="oo")
    state = begin(small(board, {"wall": [2, 0, 0]}))
    assert legal(state) == {"lay wall A1 B1", "lay wall A1 A2", "lay wall E5 D5", "lay wall E5 E4"}
    with pytest.raises(IllegalMove, match=r"D3\.1"):
        state.play("pass")
    play(state, "wall A1 B1", "0: vote ja", "1: vote neee")
    assert state.seat == 1
    with pytest.raises(IllegalMove, match=r"D3\.1"):
        state.play("pass")
    assert not state.is_over, "a refused vote never ends the game (D7.1)"


def test_d3_1_who_can_lay_none_passes_and_nobody_else() -> None:
    """Seat 1 has roads only, and the wall shuts the road in."""
    state = dealt(FIVE, {"wall": [0, 0, 4]}, {"road": [0, 0, 4]})
    play(state, "wall A1 B1-D1")
    with pytest.raises(IllegalMove, match=r"D3\.1"):
        state.play("pass")
    play(state, "road E1 E2-E4")
    assert play(state, "wall A1 D2-D4").blocked == ("E1",)
    assert legal(state) == {"pass"}
    play(state, "pass", "wall E5 D5-B5")
    assert legal(state) == {"pass"}
    play(state, "pass", "wall E5 B4-B2")
    assert state.is_over, "before any pass (D7.1)"
    assert state.tiles[1]["road"] == (0, 0, 3)
    assert [move.get("pass") for move in moves_of(state)] == [None, None, None, True, None, True, None]


# ---- the end


def test_d7_1_the_game_ends_when_all_tiles_are_laid() -> None:
    state = begin(small(FIVE, {"wall": [1, 0, 0]}))
    play(state, "wall A1 B1")
    assert not state.is_over
    play(state, "wall E5 D5")
    assert state.is_over
    assert state.outcome is not None
    assert (state.outcome.end, state.outcome.winners) == ("complete", (0, 1)), "0 to 0 is shared (D8.2)"
    assert state.waiting == ()
    assert not state.legal_actions


def test_d7_1_the_game_ends_when_nobody_can_lay_any_of_the_tiles_left() -> None:
    for seed in range(5):
        state = begin(small(FIVE, {"wall": [0, 0, 6]}))
        chooser = random.Random(seed)
        while not state.is_over:
            assert state.legal_actions
            state.play(chooser.choice(state.legal_actions))
        assert sum(hand["wall"][2] for hand in state.tiles) > 0
        assert state._position.room[:, :].max(axis=1).tolist() != [3, 3, 3, 3]


def test_d7_1_tiles_of_a_kind_that_has_no_path_do_not_keep_the_game_going() -> None:
    board = put(FIVE, E1="W", A5="W")
    state = begin(small(board, {"wall": [1, 0, 0], "road": [2, 0, 0]}))
    play(state, "wall A1 B1", "wall A1 C1")
    assert state.is_over
    assert [hand["road"][0] for hand in state.tiles] == [2, 2]


def test_d7_1_a_game_in_which_nothing_can_ever_be_laid_is_over_at_once() -> None:
    board = put(FIVE, E1="W", A5="W", C3="T4")
    state = begin(small(board, {"road": [2, 0, 0]}))
    assert state.is_over
    assert state.scores == (4, 0)
    state = begin(small(board, {"road": [2, 0, 0]}, variant=True), first=1)
    assert (state.phase, state.waiting) == (Phase.CHOOSING, (1, 0))
    play(state, "choose inn", "choose school")
    assert state.is_over


# ---- scoring


BUILDINGS = put(SEVEN, C3="T1", D3="T3", E3="T4", C4="F2", D4="F4", E4="S3", C5="S4", D5="I5", B1="M3", B2="C1")
"""Tiles along the top row reach B1, and B2 from there."""


def scored(*objectives: str, lay: tuple[str, ...] = ("wall G7 F7", "wall G7 E7")) -> dict[str, Any]:
    """The final entry of seat 0 with these cards in the variant, the first of them chosen."""
    others = [name for name in ("town-hall", "fire-station", "inn", "museum") if name not in objectives]
    state = begin(small(BUILDINGS, {"wall": [1, 0, 0]}, variant=True), "+".join(objectives), "+".join(others[:2]))
    play(state, *lay, f"0: choose {objectives[0]}", f"1: choose {others[0]}")
    assert state.is_over
    found: dict[str, Any] = state.record().to_dict()["final"][0]
    return found


@pytest.mark.parametrize(
    ("objective", "uncovered", "points"),
    [
        ("town-hall", ["C3", "D3", "E3"], 8),
        ("school", ["E4", "C5"], 7),
        ("threes", ["B1", "D3", "E4"], 9),
        ("fours", ["E3", "D4", "C5"], 12),
        ("lowest", ["B1", "B2", "C3", "C4", "E4", "D5"], 15),
        ("ones", ["B1", "B2", "C3", "D3", "E3", "C4", "D4", "E4", "C5", "D5"], 10),
    ],
)
def test_d9_4_what_counts_for_each_kind_of_objective(objective: str, uncovered: list[str], points: int) -> None:
    entry = scored(objective, "church" if objective != "church" else "inn")
    assert (entry["objective"], entry["uncovered"], entry["points"]) == (objective, uncovered, points)
    assert entry["tiebreak"] == 1


def test_d5_1_buildings_under_a_tile_are_lost_for_every_card() -> None:
    lay = ("wall A1 B1", "wall A1 B2")
    assert scored("threes", "museum", lay=lay)["uncovered"] == ["D3", "E4"]
    assert scored("threes", "museum", lay=lay)["tiebreak"] == 0
    assert scored("church", "ones", lay=lay)["points"] == 0
    assert scored("church", "ones", lay=lay)["tiebreak"] == 8
    assert scored("lowest", "ones", lay=lay)["uncovered"] == ["C3", "C4", "E4", "D5"]


def test_d9_4_the_lowest_that_is_left_counts() -> None:
    board = put(FIVE, B1="T1", C3="T4", D3="T5")
    state = begin(small(board, {"wall": [1, 0, 0]}, variant=True), "lowest+inn", "ones+church")
    play(state, "wall A1 B1", "wall A1 C1", "0: choose lowest", "1: choose ones")
    assert state.scores == (4, 2)


TIES = put(FIVE, B3="T3", C3="F3", D3="S2", B4="M2")


@pytest.mark.parametrize(
    ("objectives", "winners"),
    [
        (("town-hall+school", "fire-station+inn"), (0,)),
        (("town-hall+inn", "fire-station+school"), (1,)),
        (("town-hall+school", "fire-station+museum"), (0, 1)),
        (("town-hall+inn", "fire-station+church"), (0, 1)),
        (("school+fire-station", "town-hall+inn"), (1,)),
    ],
)
def test_d9_3_the_other_card_only_breaks_ties_for_the_win(
    objectives: tuple[str, str], winners: tuple[int, ...]
) -> None:
    state = begin(small(TIES, {"wall": [1, 0, 0]}, variant=True), *objectives)
    play(state, "wall A1 B1", "wall A1 C1", *(f"choose {cards.split('+')[0]}" for cards in reversed(objectives)))
    assert state.outcome is not None
    assert state.outcome.winners == winners


def test_d9_3_the_other_card_of_a_third_does_not_matter() -> None:
    game = small(TIES, {"wall": [1, 0, 0]}, players=3, variant=True)
    state = begin(game, "town-hall+inn", "fire-station+church", "museum+school")
    play(
        state,
        "wall A1 B1",
        "wall A1 C1",
        "wall E5 D5",
        "2: choose museum",
        "0: choose town-hall",
        "1: choose fire-station",
    )
    assert state.outcome is not None
    assert (state.scores, state.outcome.winners) == ((3, 3, 2), (0, 1))


def test_d8_2_in_the_base_game_equal_scores_share_the_win() -> None:
    state = begin(small(TIES, {"wall": [1, 0, 0]}), "town-hall", "fire-station")
    play(state, "wall A1 B1", "wall A1 C1")
    assert state.outcome is not None
    assert (state.scores, state.outcome.winners) == ((3, 3), (0, 1))
    assert [score.tiebreak for score in state.final_scoring()] == [None, None]


def test_d8_1_nothing_is_scored_before_the_reveal() -> None:
    state = begin(small(TIES, {"wall": [1, 0, 0]}, variant=True))
    assert (state.scores, state.final_scoring()) == ((0, 0), ())
    play(state, "wall A1 B1", "wall A1 C1", "1: choose fire-station")
    assert (state.scores, state.final_scoring(), state.outcome) == ((0, 0), (), None)


# ---- choices


def test_d9_2_all_choose_right_after_the_first_path_is_blocked_and_only_once() -> None:
    state = begin(small(FIVE, players=3, variant=True))
    play(state, "river A5 A4-A2", "road E1 D1-B1")
    assert (state.phase, state.waiting, state.seat) == (Phase.CHOOSING, (1, 2, 0), 1)
    assert legal(state, 2) == {"choose museum", "choose church"}
    for text in ("lay wall E5 D5", "pass"):
        with pytest.raises(IllegalMove, match=r"D9\.2"):
            state.play(text, 2)
    play(state, "0: choose school")
    with pytest.raises(IllegalMove, match=r"D2\.4"):
        state.play("choose town-hall", 0)
    play(state, "2: choose church", "1: choose inn")
    assert [(move["seat"], move["choose"]) for move in moves_of(state)[-3:]] == [
        (1, "inn"),
        (2, "church"),
        (0, "school"),
    ]
    assert (state.phase, state.seat) == (Phase.LAYING, 2)
    assert [state.chosen_by(seat) for seat in range(3)] == ["school", "inn", "church"]
    foretold = play(state, "river A5 B2", "wall E5 E4-E2")
    assert foretold.tile is not None
    while not state.is_over:
        state.play(state.legal_actions[0])
        assert state.phase is not Phase.CHOOSING


def test_d9_2_all_choose_even_if_the_tile_that_blocks_ends_the_game() -> None:
    state = dealt(FIVE, {"river": [0, 0, 1]}, {"road": [0, 0, 1]}, variant=True)
    play(state, "river A5 A4-A2")
    assert play(state, "road E1 D1-B1").blocked == ("A1",)
    assert (state.phase, state.waiting) == (Phase.CHOOSING, (1, 0))
    play(state, "choose inn", "choose town-hall")
    assert state.is_over
    assert [move["seat"] for move in moves_of(state)[-2:]] == [1, 0]


def test_d9_2_choices_made_are_not_asked_for_again_at_the_end() -> None:
    state = dealt(FIVE, {"river": [0, 0, 2]}, {"road": [0, 0, 2]}, variant=True)
    play(state, "river A5 A4-A2", "road E1 D1-B1", "choose inn", "choose town-hall", "river A5 B2-D2")
    assert state.gangs["E1"] is None, "the second path that is blocked"
    assert state.is_over


def test_d9_2_all_choose_at_the_end_if_no_path_was_blocked() -> None:
    state = begin(small(FIVE, {"wall": [1, 0, 0]}, variant=True), first=1)
    play(state, "wall A1 B1")
    assert state.phase is Phase.LAYING
    play(state, "wall A1 C1")
    assert (state.phase, state.waiting, state.is_over) == (Phase.CHOOSING, (0, 1), False), "from whoever laid the last"
    play(state, "1: choose inn")
    assert not state.is_over
    play(state, "0: choose school")
    assert state.is_over
    assert [move["seat"] for move in moves_of(state)[-2:]] == [0, 1]


def test_d9_2_choices_come_in_any_order() -> None:
    found = set()
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        state = begin(small(FIVE, players=3, variant=True))
        play(state, "river A5 A4-A2", "road E1 D1-B1")
        cards = ("school", "inn", "church")
        play(state, *(f"{seat}: choose {cards[seat]}" for seat in order))
        found.add((state.position_text(), state.record().to_json()))
    assert len(found) == 1
