"""The Drunter oracle against games of another engine, examples from the rules and its own invariants."""

import json
import tomllib
from collections import Counter
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.drunter import CARDS, Board, Edition, Oracle, as_list, reading_order, replay
from tests.strategies_drunter import BUILDINGS, TILE_KINDS, deals, drunter_editions, drunter_games

TESTS = Path(__file__).parents[1]
RECORDS = sorted((TESTS / "records").glob("drunter-*.json"))
SCHILDA_FILE = TESTS.parent / "src/embertown/drunter/editions/schilda.toml"
EDITIONS: dict[str, Edition] = {"schilda": tomllib.loads(SCHILDA_FILE.read_text("utf-8"))}
RESULT = ("scores", "winners", "end", "final", "pending")
CONSEQUENCES = {"covers", "blocked"}

PLENTY = {kind: [9, 9, 9] for kind in TILE_KINDS}
BARE = """
W . . . . . R
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
V . . . . . W
"""


def game(
    squares: str = BARE, *tiles: dict[str, list[int]], cards: Any = None, first: int = 0, **options: bool
) -> Oracle:
    """Start a game on a board with the tiles given for each seat: plenty for two where none are."""
    hands = [{kind: hand.get(kind, [0, 0, 0]) for kind in TILE_KINDS} for hand in tiles or (PLENTY, PLENTY)]
    total = {kind: [sum(hand[kind][n] for hand in hands) for n in range(3)] for kind in TILE_KINDS}
    if cards is None:
        pairs = [["inn", "ones"], ["church", "threes"], ["museum", "fours"], ["school", "lowest"]]
        cards = [pair if "variant" in options else pair[:1] for pair in pairs[: len(hands)]]
    deal = {"tiles": hands, "objectives": cards}
    return Oracle({"board": {"squares": squares}, "tiles": total}, len(hands), options, first, deal=deal)


def put(oracle: Oracle, gang: str, *squares: str) -> None:
    """Put a tile on the board that belonged to nobody; a path's last one carries its gang."""
    oracle.moves.append({"seat": -1, "lay": oracle.board.corners[gang], "gang": gang, "squares": list(squares)})


def lays(oracle: Oracle, gang: str) -> set[str]:
    """The tiles that can be laid on a path: just their squares."""
    return {text.split(" ")[3] for text in oracle.legal(oracle.seat) if text.split(" ")[2:3] == [gang]}


def vote(oracle: Oracle, *cards: str) -> None:
    """Let everybody vote, by seat."""
    for seat, card in enumerate(cards):
        oracle.play(seat, f"vote {card}")


# Records


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_come_out_again_equal(path: Path) -> None:
    record = json.loads(path.read_text("utf-8"))
    oracle = replay(record, EDITIONS)
    assert oracle.moves == record["moves"]
    assert oracle.result() == {key: record[key] for key in RESULT if key in record}
    assert oracle.over == ("end" in record)


def test_there_are_records_of_every_kind() -> None:
    assert len(RECORDS) == 7


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_consequences_are_worked_out_not_copied(path: Path) -> None:
    record = json.loads(path.read_text("utf-8"))
    told = record["moves"]
    record["moves"] = [{key: value for key, value in move.items() if key not in CONSEQUENCES} for move in told]
    for move in record["moves"]:
        if "vote" in move:
            move["vote"] = {key: move["vote"][key] for key in ("cards", "jeeiin")}
        move.pop("under", None)
    assert replay(record, EDITIONS).moves == told


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_name_the_edition_by_its_hash(path: Path) -> None:
    edition = EDITIONS["schilda"]
    rows = [line.split() for line in edition["board"]["squares"].split("\n") if line]
    content = {"board": edition["board"] | {"squares": rows}, "tiles": edition["tiles"]}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert json.loads(path.read_text("utf-8"))["edition_sha256"] == sha256(text.encode()).hexdigest()


# D1, D2: material, set-up


def test_schilda_has_the_material_of_the_rules() -> None:
    """D1.1, D1.2, D1.3."""
    board = Board(EDITIONS["schilda"]["board"]["squares"])
    assert len(board.cells) == 150
    assert board.corners == {"A1": "wall", "O1": "road", "A10": "river", "O10": "wall"}
    assert list(board.corners) == sorted(board.corners, key=reading_order)
    assert (len(board.buildings), len(set(board.buildings.values())), len(board.outhouses)) == (30, 30, 17)
    assert EDITIONS["schilda"]["tiles"] == {"wall": [12, 12, 6], "road": [6, 6, 3], "river": [6, 6, 3]}
    assert board.buildings["G1"] == ("inn", 1)


def test_squares_may_be_text_or_rows() -> None:
    rows = [line.split() for line in BARE.split("\n") if line]
    assert Board(BARE).cells == Board(rows).cells == Board(BARE.strip().split("\n")).cells


def test_everyone_starts_with_eight_cards_and_gangs_on_the_corners() -> None:
    """D1.4, D2.3."""
    oracle = game()
    assert oracle.hands == [list(CARDS), list(CARDS)]
    assert oracle.gangs == {"A1": "A1", "G1": "G1", "A7": "A7", "G7": "G7"}
    assert (oracle.blocked, oracle.covered, oracle.pending, oracle.scores) == ([], set(), None, [0, 0])


def test_a_deal_must_be_even_by_length_and_complete() -> None:
    """D2.2: by length, whatever the kind."""
    game(BARE, {"wall": [1, 0, 0]}, {"road": [1, 0, 0]})
    with pytest.raises(AssertionError):
        game(BARE, {"wall": [1, 0, 0]}, {"road": [0, 1, 0]})
    with pytest.raises(AssertionError):
        game(BARE, cards=[["inn"], ["inn"]])
    with pytest.raises(AssertionError):
        game(BARE, cards=[["inn"], ["threes"]])
    with pytest.raises(AssertionError):
        game(BARE, no_votes=True)


# D3, D4: laying


def test_tiles_leave_a_corner_by_either_side() -> None:
    """D4.1, D4.2."""
    oracle = game(BARE, {"wall": [1, 1, 1]}, {"wall": [1, 1, 1]})
    assert oracle.legal(0) == {
        *("lay wall A1 B1", "lay wall A1 B1-C1", "lay wall A1 B1-D1"),
        *("lay wall A1 A2", "lay wall A1 A2-A3", "lay wall A1 A2-A4"),
        *("lay wall G7 F7", "lay wall G7 F7-E7", "lay wall G7 F7-D7"),
        *("lay wall G7 G6", "lay wall G7 G6-G5", "lay wall G7 G6-G4"),
    }
    assert oracle.legal(1) == set()
    assert oracle.waiting() == [0]


def test_tiles_run_straight_away_from_the_gang_and_stop_before_corners() -> None:
    """D4.2, D4.3: onward, left or right; nothing on the corner G1."""
    oracle = game()
    oracle.play(0, "lay wall A1 B1-D1")
    assert oracle.gangs["A1"] == "D1"  # D4.5
    assert lays(oracle, "A1") == {"E1", "E1-F1", "D2", "D2-D3", "D2-D4"}


def test_a_tile_of_length_one_is_open_on_all_other_sides() -> None:
    """D4.2."""
    oracle = game()
    oracle.play(0, "lay wall A1 A2")
    oracle.play(1, "lay wall A1 B2")
    assert lays(oracle, "A1") == {"B1", "C2", "C2-D2", "C2-E2", "B3", "B3-B4", "B3-B5"}


def test_a_path_may_run_beside_its_own_earlier_tiles() -> None:
    """D4.2."""
    oracle = game()
    for text in ("B1-D1", "D2", "C2-B2"):
        oracle.play(oracle.seat, f"lay wall A1 {text}")
    assert lays(oracle, "A1") == {"A2", "B3", "B3-B4", "B3-B5"}


def test_walls_have_a_path_from_either_corner() -> None:
    oracle = game(BARE, {"river": [0, 0, 1]}, {"wall": [0, 0, 1]})
    assert lays(oracle, "A1") == lays(oracle, "G7") == lays(oracle, "G1") == set()
    assert lays(oracle, "A7") == {"B7-D7", "A6-A4"}


@pytest.mark.parametrize(
    ("stand", "bridge", "open_to"),
    [
        ("C2", ("B3", "C3", "D3"), "C4"),  # across the way: passed under
        ("C2", ("D3", "C3", "B3"), "C4"),
        ("B2", ("B3", "C3", "D3"), None),  # not by its ends
        ("D2", ("B3", "C3", "D3"), None),
        ("C2", ("C3", "C4", "C5"), None),  # not lengthwise
        ("C6", ("B7", "C7", "D7"), None),  # beyond is the edge
        ("C2", ("B3", "C3"), None),  # only length 3 is a bridge
        ("C2", ("C3",), None),
    ],
)
def test_bridges_are_passed_at_right_angles(stand: str, bridge: tuple[str, ...], open_to: str | None) -> None:
    """D4.4."""
    oracle = game()
    put(oracle, "A1", stand)
    put(oracle, "G1", *bridge)
    expected = None if open_to is None else (open_to, [bridge[1]])
    assert oracle.starts("A1").get("down") == expected


def test_bridges_are_passed_sideways_too_and_recorded() -> None:
    oracle = game()
    put(oracle, "A1", "B4")
    put(oracle, "G7", "C5", "C4", "C3")
    assert lays(oracle, "A1") >= {"D4", "D4-E4", "D4-F4"}
    oracle.play(0, "lay wall A1 D4-F4")
    tile = {"seat": 0, "lay": "wall", "gang": "A1", "squares": ["D4", "E4", "F4"]}
    assert oracle.moves[-1] == tile | {"under": ["C4"]}


def test_several_bridges_in_a_row_of_any_path() -> None:
    """D4.4: also its own; in the order passed."""
    oracle = game()
    put(oracle, "A1", "B3", "C3", "D3")
    put(oracle, "G1", "D4", "C4", "B4")
    put(oracle, "A7", "B5", "C5", "D5")
    put(oracle, "A1", "C2")
    assert oracle.starts("A1")["down"] == ("C6", ["C3", "C4", "C5"])
    assert lays(oracle, "A1") >= {"C6", "C6-C7"}
    put(oracle, "G7", "C6")
    assert "down" not in oracle.starts("A1")


def test_a_bridge_is_passed_only_to_a_free_square_just_beyond() -> None:
    """D4.4: neither further on, nor under a tile that lies along the way."""
    oracle = game()
    put(oracle, "G1", "B3", "C3", "D3")
    put(oracle, "A7", "C4", "C5", "C6")
    put(oracle, "A1", "C2")
    assert oracle.starts("A1") == {"up": ("C1", []), "left": ("B2", []), "right": ("D2", [])}


def test_a_tile_does_not_pass_under_a_bridge_on_its_way() -> None:
    """D4.4: a tile never lies under a bridge."""
    oracle = game()
    put(oracle, "G1", "B4", "C4", "D4")
    put(oracle, "A1", "C2")
    assert {text for text in lays(oracle, "A1") if text.startswith("C3")} == {"C3"}


def test_who_cannot_lay_passes_and_nobody_else_does() -> None:
    """D3.1: and the pass ends nothing (D7.1)."""
    oracle = game(BARE.replace("R", "W"), {"wall": [2, 0, 0]}, {"road": [2, 0, 0]})
    assert "pass" not in oracle.legal(0)
    oracle.play(0, "lay wall A1 B1")
    assert oracle.legal(1) == {"pass"}
    oracle.play(1, "pass")
    assert oracle.moves[-1] == {"seat": 1, "pass": True}
    assert not oracle.over
    oracle.play(0, "lay wall A1 C1")
    assert oracle.over  # before seat 1 has to pass


def test_turns_go_clockwise_from_the_first_player() -> None:
    """D2.4."""
    oracle = game(BARE, PLENTY, PLENTY, PLENTY, first=2)
    for seat, text in [(2, "B1"), (0, "C1"), (1, "D1"), (2, "E1")]:
        assert oracle.waiting() == [seat]
        oracle.play(seat, f"lay wall A1 {text}")


# D4.6: blocked


def test_a_path_is_blocked_by_its_own_tile() -> None:
    oracle = game()
    for square in ("B1", "B2", "B3", "A3"):
        put(oracle, "A1", square)
    oracle.play(0, "lay wall A1 A2")
    assert oracle.moves[-1]["blocked"] == ["A1"]
    assert oracle.gangs == {"G1": "G1", "A7": "A7", "G7": "G7"}
    assert oracle.ends["A1"] == "A2"
    assert not lays(oracle, "A1")


def test_a_gang_on_its_corner_is_blocked_when_both_sides_are() -> None:
    """D4.6: whoever caused it."""
    oracle = game()
    put(oracle, "G1", "B1")
    put(oracle, "G1", "B2")
    assert oracle.blocked == []
    oracle.play(0, "lay road G1 A2")
    assert oracle.moves[-1]["blocked"] == ["A1"]


def test_two_paths_blocked_at_once_are_named_in_reading_order() -> None:
    oracle = game()
    put(oracle, "G7", "C1")
    put(oracle, "G7", "B1")
    put(oracle, "G7", "B2")
    oracle.play(0, "lay wall G7 A2")
    assert oracle.moves[-1]["blocked"] == ["A1"]
    put(oracle, "A7", "B3")
    oracle.play(1, "lay river A7 A3")
    assert oracle.moves[-1]["blocked"] == ["G7"]
    oracle = game()
    for gang, square in [("G7", "B1"), ("G7", "B2"), ("A7", "A3"), ("A7", "A4"), ("A7", "B4"), ("A7", "B3")]:
        put(oracle, gang, square)
    oracle.play(0, "lay wall G7 A2")
    assert oracle.moves[-1]["blocked"] == ["A1", "G7"]


def test_a_square_beyond_a_bridge_or_that_needs_a_vote_is_open() -> None:
    """D4.6."""
    oracle = game(BARE.replace("W . . . . . R", "W . oo . . . R"))
    put(oracle, "A1", "B1")
    put(oracle, "G7", "A2", "B2")
    assert oracle.blocked == []  # C1 needs a vote
    put(oracle, "G1", "C1")
    assert oracle.blocked == ["A1"]
    oracle = game()
    put(oracle, "A1", "B1")
    put(oracle, "G1", "C1")
    put(oracle, "G7", "A2", "B2", "C2")
    assert oracle.blocked == []  # B3 beyond the bridge
    assert oracle.gangs["A1"] == "B1"
    put(oracle, "A7", "B3")
    assert oracle.blocked == ["A1"]


def test_only_squares_count_not_hands() -> None:
    """D4.6: a path that nobody has tiles for is not blocked; the game may end without any blocked."""
    oracle = game(BARE, {"wall": [1, 0, 0]}, {"wall": [1, 0, 0]})
    oracle.play(0, "lay wall A1 B1")
    oracle.play(1, "lay wall A1 C1")
    assert oracle.over
    assert oracle.blocked == []


# D5, D6: votes


HEDGED = """
W oo I3 . R
oo . .  . .
.  . .  . .
.  . .  . .
V  . .  . W
"""


def test_a_tile_on_an_outhouse_is_put_to_the_vote() -> None:
    """D5.2, D6.1: in secret, in any order."""
    oracle = game(HEDGED, PLENTY, PLENTY, PLENTY, first=1)
    oracle.play(1, "lay wall A1 B1-C1")
    assert oracle.moves == []
    proposal = {"seat": 1, "lay": "wall", "gang": "A1", "squares": ["B1", "C1"], "covers": ["B1", "C1"]}
    assert oracle.pending == proposal | {"cards": [None, None, None]}
    assert oracle.waiting() == [1, 2, 0]
    assert oracle.legal(0) == {f"vote {card}" for card in CARDS}
    oracle.play(0, "vote ne")
    assert oracle.waiting() == [1, 2]
    assert oracle.pending == proposal | {"cards": ["ne", None, None]}
    oracle.play(2, "vote ?")
    oracle.play(1, "vote ja")
    told = {"cards": ["ne", "ja", "?"], "jeeiin": [None] * 3, "yes": 1, "no": 1, "passed": True}  # D6.3
    assert oracle.moves == [proposal | {"vote": told}]
    assert oracle.gangs["A1"] == "C1"
    assert oracle.waiting() == [2]
    assert oracle.tiles[1]["wall"] == [9, 8, 9]
    everything = set(CARDS)
    assert [set(hand) for hand in oracle.hands] == [everything - {"ne"}, everything - {"ja"}, everything]  # D6.5


def test_a_refused_tile_goes_back_and_the_turn_passes() -> None:
    """D6.4, D6.5, D3.2: and may be proposed again."""
    oracle = game(HEDGED, {"wall": [1, 0, 0]}, {"wall": [1, 0, 0]})
    oracle.play(0, "lay wall A1 B1")
    vote(oracle, "ja", "nee")
    assert oracle.moves[-1]["covers"] == ["B1"]
    assert oracle.moves[-1]["vote"]["passed"] is False
    assert oracle.covered == set()
    assert oracle.tiles[0]["wall"] == [1, 0, 0]
    assert oracle.waiting() == [1]
    assert oracle.hands[0] == ["jaa", "jaaa", "ne", "nee", "neee", "?", "jeeiin"]
    assert "lay wall A1 B1" in oracle.legal(1)


def test_who_has_no_other_tile_must_propose() -> None:
    """D3.2; D7.1: the game goes on while that is so, refusals or not."""
    oracle = game(HEDGED.replace("W\n", "V\n"), {"wall": [1, 0, 0]}, {"wall": [1, 0, 0]})
    for card in ("ne", "nee", "neee"):
        for proposer in (0, 1):
            assert oracle.legal(proposer) == {"lay wall A1 B1", "lay wall A1 A2"}
            oracle.play(proposer, "lay wall A1 B1")
            vote(oracle, *((card, "?") if proposer else ("?", card)))
            assert not oracle.moves[-1]["vote"]["passed"]
            assert not oracle.over
    assert oracle.hands[0] == oracle.hands[1] == ["ja", "jaa", "jaaa", "?", "jeeiin"]


def test_who_holds_only_blanks_plays_one_and_nil_to_nil_passes() -> None:
    """D6.1, D6.3, D6.5."""
    oracle = game(HEDGED, several_cards=True)
    oracle.play(0, "lay wall A1 B1")
    everything = "ja+jaa+jaaa+ne+nee+neee+?+jeeiin"
    assert len(oracle.legal(1)) == 2**8 - 1  # D6.6
    vote(oracle, everything, everything)
    oracle.play(0, "jeeiin no")
    oracle.play(1, "jeeiin no")
    assert oracle.moves[-1]["vote"] == {
        "cards": [list(CARDS), list(CARDS)],
        "jeeiin": ["no", "no"],
        "yes": 12,
        "no": 16,
        "passed": False,
    }
    assert oracle.hands == [["?"], ["?"]]
    oracle.play(1, "lay wall A1 B1")
    assert oracle.legal(0) == oracle.legal(1) == {"vote ?"}
    vote(oracle, "?", "?")
    assert oracle.moves[-1]["vote"] == {
        "cards": [["?"], ["?"]],
        "jeeiin": [None, None],
        "yes": 0,
        "no": 0,
        "passed": True,
    }


def test_jeeiin_is_said_after_the_reveal_in_turn_order_from_the_proposer() -> None:
    """D6.2."""
    oracle = game(HEDGED, PLENTY, PLENTY, PLENTY, PLENTY, first=2)
    oracle.play(2, "lay wall A1 A2")
    vote(oracle, "jeeiin", "jeeiin", "?", "jeeiin")
    assert oracle.pending is not None
    assert oracle.pending["jeeiin"] == [None] * 4
    for seat, said, so_far in [(3, "yes", [None, None, None, "yes"]), (0, "no", ["no", None, None, "yes"])]:
        assert oracle.waiting() == [seat]
        assert oracle.legal(seat) == {"jeeiin yes", "jeeiin no"}
        oracle.play(seat, f"jeeiin {said}")
        assert oracle.pending["jeeiin"] == so_far
    oracle.play(1, "jeeiin no")
    assert oracle.moves[-1]["vote"] == {
        "cards": ["jeeiin", "jeeiin", "?", "jeeiin"],
        "jeeiin": ["no", "no", None, "yes"],
        "yes": 2,
        "no": 4,
        "passed": False,
    }
    assert all(("jeeiin" in hand) == (seat == 2) for seat, hand in enumerate(oracle.hands))


def test_several_cards_are_named_in_one_order() -> None:
    """D6.6."""
    oracle = game(HEDGED, several_cards=True)
    oracle.play(0, "lay wall A1 B1")
    legal = oracle.legal(0)
    assert {"vote ne+neee", "vote ja+?+jeeiin", "vote ?"} <= legal
    assert not {"vote neee+ne", "vote ne+ne", "vote "} & legal


def test_no_votes_covers_outhouses_freely() -> None:
    """D9.5."""
    oracle = game(HEDGED, variant=True, no_votes=True)
    oracle.play(0, "lay wall A1 B1")
    assert oracle.moves == [{"seat": 0, "lay": "wall", "gang": "A1", "squares": ["B1"], "covers": ["B1"]}]
    assert oracle.waiting() == [1]


def test_covers_are_in_reading_order_whichever_way_the_tile_runs() -> None:
    board = BARE.replace("V . . . . . W", "V . . oo . T5 W")
    oracle = game(board)
    oracle.play(0, "lay wall G7 F7-D7")
    vote(oracle, "?", "?")
    assert oracle.moves[-1]["squares"] == ["F7", "E7", "D7"]
    assert oracle.moves[-1]["covers"] == ["D7", "F7"]


# D7, D8: the end


def test_the_game_ends_when_nobody_can_lay_their_own_tiles() -> None:
    """D7.1: seat 1 has tiles left, but none that fits."""
    board = """
    W . . . W
    . . . . .
    . . I2 . C3
    . . . . I4
    W . . . W
    """
    oracle = game(board, {"wall": [1, 0, 0]}, {"road": [1, 0, 0]}, first=1)
    assert oracle.legal(1) == {"pass"}
    oracle.play(1, "pass")
    oracle.play(0, "lay wall A1 B1")
    assert oracle.over
    assert oracle.waiting() == []
    assert oracle.legal(0) == oracle.legal(1) == set()
    assert oracle.result() == {
        "scores": [6, 3],
        "winners": [0],
        "end": "complete",
        "final": [
            {"seat": 0, "objective": "inn", "uncovered": ["C3", "E4"], "points": 6, "tiebreak": None},
            {"seat": 1, "objective": "church", "uncovered": ["E3"], "points": 3, "tiebreak": None},
        ],
    }


def test_a_tile_that_needs_a_vote_keeps_the_game_going() -> None:
    """D7.1 with D3.2: the only tile left would cover an outhouse, wherever it is laid."""
    oracle = game(HEDGED.replace("W\n", "V\n"), {"wall": [1, 0, 0]}, {"road": [1, 0, 0]})
    oracle.play(0, "lay wall A1 B1")
    vote(oracle, "?", "ne")
    assert not oracle.over
    oracle.play(1, "lay road E1 D1")
    assert not oracle.over
    oracle.play(0, "lay wall A1 B1")
    vote(oracle, "?", "?")
    assert oracle.over


def test_equal_scores_share_the_win() -> None:
    """D8.2."""
    oracle = game(BARE, {"wall": [1, 0, 0]}, {"wall": [1, 0, 0]})
    oracle.play(0, "lay wall A1 B1")
    oracle.play(1, "lay wall A1 C1")
    assert (oracle.scores, oracle.winners) == ([0, 0], [0, 1])


def test_a_game_in_which_no_tile_can_be_laid_is_over_at_once() -> None:
    """D7.1 does not say; otherwise all would pass for ever."""
    no_roads = BARE.replace("R", "W")
    assert game(no_roads, {"road": [1, 0, 0]}, {"road": [1, 0, 0]}).winners == [0, 1]
    oracle = game(no_roads, {"road": [1, 0, 0]}, {"road": [1, 0, 0]}, first=1, variant=True)
    assert oracle.waiting() == [1, 0]
    oracle.play(0, "choose ones")
    oracle.play(1, "choose church")
    assert oracle.over


# D9: the variant


def test_choices_come_right_after_the_first_path_is_blocked() -> None:
    """D9.2: in any order, from the layer in the record; once."""
    oracle = game(BARE, PLENTY, PLENTY, PLENTY, first=1, variant=True)
    put(oracle, "G1", "B1")
    put(oracle, "G1", "B2")
    oracle.play(1, "lay road G1 A2")
    assert oracle.moves[-1]["blocked"] == ["A1"]
    assert oracle.waiting() == [1, 2, 0]
    assert oracle.legal(0) == {"choose inn", "choose ones"}
    before = list(oracle.moves)
    oracle.play(0, "choose ones")
    oracle.play(2, "choose museum")
    assert oracle.waiting() == [1]
    assert oracle.pending == {"choose": ["ones", None, "museum"]}
    assert oracle.moves == before
    oracle.play(1, "choose threes")
    assert oracle.moves[len(before) :] == [
        {"seat": 1, "choose": "threes"},
        {"seat": 2, "choose": "museum"},
        {"seat": 0, "choose": "ones"},
    ]
    assert oracle.waiting() == [2]
    put(oracle, "G1", "A3")
    for square in ("B7", "B6", "B5", "A5"):
        put(oracle, "A7", square)
    put(oracle, "A7", "B4")
    oracle.play(2, "lay river A7 A4")
    assert oracle.moves[-1]["blocked"] == ["A7"]
    assert oracle.waiting() == [0]  # no second choice


def test_without_the_variant_nobody_chooses() -> None:
    oracle = game()
    put(oracle, "G1", "B1")
    put(oracle, "G1", "B2")
    oracle.play(0, "lay road G1 A2")
    assert oracle.waiting() == [1]


@pytest.mark.parametrize("blocking", [False, True])
def test_choices_come_before_the_reveal_at_the_latest(blocking: bool) -> None:
    """D9.2: from whoever laid the last tile, and even if that tile ends the game."""
    oracle = game(BARE, {"road": [1, 0, 0]}, {"road": [1, 0, 0]}, variant=True)
    put(oracle, "G1", "B1")
    put(oracle, "G1", "C2")
    oracle.play(0, "lay road G1 B2")
    oracle.play(1, f"lay road G1 {'A2' if blocking else 'B3'}")
    assert ("blocked" in oracle.moves[-1]) == blocking
    assert not oracle.over
    assert oracle.scores == [0, 0]
    assert oracle.waiting() == [1, 0]
    oracle.play(1, "choose church")
    oracle.play(0, "choose inn")
    assert oracle.over
    assert [move.get("choose") for move in oracle.moves[-3:]] == [None, "church", "inn"]


def test_the_other_card_breaks_ties_for_the_win_only() -> None:
    """D9.3: seat 3 has the best other card, but is not tied for the win; of 1 and 2 the latter has the better one."""
    board = """
    W  .  .  .  W
    .  I1 C3 C5 .
    .  M4 M1 F2 F3
    .  S5 S3 T2 T1
    W  .  .  .  W
    """
    hand = {"wall": [1, 0, 0]}
    cards = [["church", "inn"], ["museum", "town-hall"], ["fire-station", "school"], ["ones", "fours"]]
    oracle = game(board, hand, hand, hand, hand, cards=cards, variant=True)
    for seat, square in enumerate(("B1", "C1", "D1")):
        oracle.play(seat, f"lay wall A1 {square}")
    oracle.play(3, "lay wall E5 D5")
    assert oracle.waiting() == [3, 0, 1, 2]
    for seat, card in enumerate(("inn", "museum", "fire-station", "fours")):
        oracle.play(seat, f"choose {card}")
    assert oracle.final is not None
    assert [(entry["points"], entry["tiebreak"]) for entry in oracle.final] == [(1, 8), (5, 3), (5, 8), (4, 11)]
    assert oracle.scores == [1, 5, 5, 4]
    assert oracle.winners == [2]


def test_still_equal_they_share_the_win() -> None:
    """D9.3."""
    hand = {"wall": [1, 0, 0]}
    oracle = game(BARE, hand, hand, variant=True)
    oracle.play(0, "lay wall A1 B1")
    oracle.play(1, "lay wall A1 C1")
    oracle.play(0, "choose ones")
    oracle.play(1, "choose threes")
    assert oracle.winners == [0, 1]


def test_special_cards() -> None:
    """D9.4."""
    oracle = game(EDITIONS["schilda"]["board"]["squares"])
    board = oracle.board
    total = {name: sum(oracle.counted(name).values()) for name in ("threes", "fours", "lowest", "ones", "inn")}
    assert total == {"threes": 18, "fours": 24, "lowest": 6, "ones": 30, "inn": 15}
    assert {board.buildings[square][1] for square in oracle.counted("lowest")} == {1}
    put(oracle, "A1", "G1")  # inn 1
    put(oracle, "A1", "E3")  # church 3
    put(oracle, "A1", "K3")  # fire station 4
    total = {name: sum(oracle.counted(name).values()) for name in ("threes", "fours", "lowest", "ones", "inn")}
    assert total == {"threes": 15, "fours": 20, "lowest": 7, "ones": 27, "inn": 14}
    for square, (kind, _) in board.buildings.items():
        if kind == "museum":
            put(oracle, "A1", square)
    assert sum(oracle.counted("lowest").values()) == 6  # a kind that is gone counts nothing
    assert oracle.counted("museum") == {}


# Objectives not known


def test_objectives_not_known_are_null() -> None:
    hand = {"wall": [1, 0, 0]}
    for hidden in (None, [None, None]):
        oracle = game(BARE, hand, hand, cards=[["inn", "ones"], hidden], variant=True)
        oracle.play(0, "lay wall A1 B1")
        oracle.play(1, "lay wall A1 C1")
        assert oracle.legal(1) == {"choose ?"}
        oracle.play(1, "choose ?")
        oracle.play(0, "choose inn")
        assert oracle.moves[-2:] == [{"seat": 1, "choose": None}, {"seat": 0, "choose": "inn"}]
        assert oracle.over
        assert (oracle.scores, oracle.winners, oracle.final) == (None, None, None)


def test_records_with_unknown_objectives_replay() -> None:
    record = json.loads((TESTS / "records" / "drunter-pending-vote.json").read_text("utf-8"))
    for hidden in (None, [None]):
        record["deal"]["objectives"] = [["inn"], hidden, hidden]
        assert replay(record, EDITIONS).pending == record["pending"]


# Random games


def coordinates(square: str) -> tuple[int, int]:
    return ord(square[0]), int(square[1:])


def check_tile(move: dict[str, Any], stood: str, earlier: list[dict[str, Any]], oracle: Oracle) -> None:
    """D4: the way from the gang's square over bridges to the tile's end is straight, each square in its role."""
    way = [coordinates(square) for square in (stood, *move.get("under", []), *move["squares"])]
    steps = {(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(way)}
    assert len(steps) == 1
    (right, down) = steps.pop()
    assert abs(right) + abs(down) == 1
    taken = {square for other in earlier for square in other["squares"]} | set(oracle.board.corners)
    assert not taken & set(move["squares"])
    for square in move.get("under", []):
        (bridge,) = [other["squares"] for other in earlier if square in other["squares"]]
        assert (len(bridge), bridge.index(square)) == (3, 1)
        (x0, y0), (x1, y1) = coordinates(bridge[0]), coordinates(bridge[2])
        assert (x1 - x0) * right + (y1 - y0) * down == 0
    things = set(oracle.board.buildings) | oracle.board.outhouses
    assert move.get("covers", []) == sorted(things & set(move["squares"]), key=reading_order)
    assert move["lay"] == oracle.board.corners[move["gang"]]


def check_moves(oracle: Oracle) -> None:
    """What holds of every game's moves so far, told from the moves alone."""
    stands = {corner: corner for corner in oracle.board.corners}
    laid: list[dict[str, Any]] = []
    blocked: list[str] = []
    spent: list[list[str]] = [[] for _ in range(oracle.players)]
    turn = oracle.first
    for place, move in enumerate(oracle.moves):
        if "choose" in move:
            assert oracle.variant
            continue
        assert move["seat"] == turn
        turn = (turn + 1) % oracle.players
        if "pass" in move:
            assert set(move) == {"seat", "pass"}
            continue
        check_tile(move, stands[move["gang"]], laid, oracle)
        assert move["gang"] not in blocked  # D4.6
        needs_vote = bool(oracle.board.outhouses & set(move["squares"])) and not oracle.no_votes
        assert ("vote" in move) == needs_vote
        if needs_vote:
            told = move["vote"]
            assert told["passed"] == (told["yes"] >= told["no"])
            for seat, cards in enumerate(told["cards"]):
                assert isinstance(cards, list) == oracle.several_cards
                assert (told["jeeiin"][seat] is not None) == ("jeeiin" in as_list(cards))
                spent[seat] += [card for card in as_list(cards) if card != "?"]
            if not told["passed"]:
                assert "blocked" not in move
                continue
        laid.append(move)
        stands[move["gang"]] = move["squares"][-1]
        assert not set(move.get("blocked", [])) & set(blocked)
        blocked += move.get("blocked", [])
        if move.get("blocked") and oracle.variant and blocked == move["blocked"]:  # D9.2: the first
            after = oracle.moves[place + 1 : place + 1 + oracle.players]
            order = [(move["seat"] + step) % oracle.players for step in range(oracle.players)]
            assert oracle.pending is not None or [other["seat"] for other in after if "choose" in other] == order
    assert laid == oracle.laid
    assert sorted(blocked, key=reading_order) == oracle.blocked
    assert oracle.gangs == {gang: square for gang, square in stands.items() if gang not in blocked}
    assert all(len(cards) == len(set(cards)) for cards in spent)  # each card once
    assert [Counter(hand) for hand in oracle.hands] == [Counter(CARDS) - Counter(cards) for cards in spent]
    for seat in range(oracle.players):  # nothing is lost
        for kind in TILE_KINDS:
            for length in (1, 2, 3):
                mine = [m for m in laid if (m["seat"], m["lay"], len(m["squares"])) == (seat, kind, length)]
                left = oracle.tiles[seat][kind][length - 1]
                assert left >= 0
                assert left + len(mine) == oracle.dealt[seat][kind][length - 1]


def check_end(oracle: Oracle) -> None:
    """D7.1, D8, D9: of games that are over."""
    assert oracle.over
    assert oracle.waiting() == []
    assert oracle.pending is None
    assert not oracle.somebody_can_lay()
    played = [move for move in oracle.moves if "choose" not in move]
    assert "lay" in played[-1]
    assert played[-1].get("vote", {"passed": True})["passed"]
    assert len(oracle.moves) - len(played) == (oracle.players if oracle.variant else 0)
    assert oracle.final is not None
    assert oracle.winners
    assert oracle.scores == [entry["points"] for entry in oracle.final]
    best = max(oracle.scores)
    assert all(oracle.scores[seat] == best for seat in oracle.winners)
    if not oracle.variant:
        assert oracle.winners == [seat for seat, score in enumerate(oracle.scores) if score == best]
    # Termination: every refusal spends one of four cards (D7.1), and somebody lays or proposes in every round.
    tiles = sum(sum(counts) for hand in oracle.dealt for counts in hand.values())
    assert len(played) <= oracle.players * (tiles + 4 * oracle.players)


def check_replay(oracle: Oracle, start: dict[str, Any]) -> None:
    """The record as it stands makes the same game, in whatever order the votes and choices came."""
    record = {key: start[key] for key in ("edition", "options", "first", "deal")} | {"moves": oracle.moves}
    record |= {"seats": [{}] * oracle.players, "start_scores": [0] * oracle.players} | oracle.result()
    again = replay(json.loads(json.dumps(record)), {})
    assert again.moves == oracle.moves
    assert again.result() == oracle.result()
    assert again.waiting() == oracle.waiting()


def play_at_random(start: dict[str, Any], seed: int, check_every: int = 0) -> Oracle:
    """Play a whole game: any seat that may act, any action; look closely now and then."""
    random = Random(seed)
    oracle = Oracle(**start)
    spite = random.choice(("", "vote n", "vote j", "vote ?"))  # what votes this game is fond of
    count = 0
    while not oracle.over:
        waiting = oracle.waiting()
        assert waiting
        assert all(not oracle.legal(seat) for seat in range(oracle.players) if seat not in waiting)
        seat = random.choice(waiting)
        legal = sorted(oracle.legal(seat))
        fond = [text for text in legal if spite and text.startswith(spite)]
        blocked, ends = oracle.blocked, oracle.ends
        oracle.play(seat, random.choice(fond or legal))
        assert set(blocked) <= set(oracle.blocked)
        assert all(oracle.ends[gang] == ends[gang] for gang in blocked)
        count += 1
        if check_every and count % check_every == 0:
            check_moves(oracle)
            check_replay(oracle, start)
    check_moves(oracle)
    check_end(oracle)
    return oracle


@settings(max_examples=25)
@given(drunter_games(), st.integers(0, 2**32))
def test_random_games_keep_the_rules(start: dict[str, Any], seed: int) -> None:
    play_at_random(start, seed, check_every=29)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, {"variant": True}, {"several_cards": True}], ids=str)
def test_random_games_of_schilda_keep_the_rules(players: int, options: dict[str, bool]) -> None:
    random = Random(players)
    edition = EDITIONS["schilda"]
    tiles = [{kind: [0, 0, 0] for kind in TILE_KINDS} for _ in range(players)]
    for length in range(3):
        stack = [kind for kind in TILE_KINDS for _ in range(edition["tiles"][kind][length])]
        random.shuffle(stack)
        for place, kind in enumerate(stack):
            tiles[place % players][kind][length] += 1
    pairs = [["inn", "ones"], ["church", "threes"], ["museum", "fours"], ["school", "lowest"]]
    cards = [pair if "variant" in options else pair[:1] for pair in pairs[:players]]
    deal = {"tiles": tiles, "objectives": cards}
    start = {"edition": edition, "players": players, "options": options, "first": players - 1, "deal": deal}
    check_replay(play_at_random(start, players), start)


# The strategies


@settings(max_examples=30)
@given(st.data(), st.sampled_from((None, 2, 3, 4)))
def test_random_editions_are_valid(data: st.DataObject, players: int | None) -> None:
    edition = data.draw(drunter_editions(players))
    rows = [line.split() for line in edition["board"]["squares"].splitlines()]
    assert 5 <= len(rows) <= 26
    assert {len(row) for row in rows} <= set(range(5, 27))
    assert len({len(row) for row in rows}) == 1
    corners = [rows[0][0], rows[0][-1], rows[-1][0], rows[-1][-1]]
    cells = Counter(cell for row in rows for cell in row) - Counter(corners)
    assert set(corners) <= set("WRV")
    assert set(cells) <= {".", "oo", *BUILDINGS}
    assert all(cells[building] <= 1 for building in BUILDINGS)
    for number in (2, 3, 4) if players is None else (players,):
        assert all(sum(counts[n] for counts in edition["tiles"].values()) % number == 0 for n in range(3))
        oracle = Oracle(edition, number, deal=data.draw(deals(edition, number)))
        assert not oracle.over
