"""The Cronberg oracle against games of another engine, the rulebooks' examples and its own invariants."""

import json
import re
import tomllib
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.cronberg import Board, Edition, Oracle, replay
from tests.strategies import MOST_RHOMBI, MOST_TRIANGLES, STRIPS, cronberg_editions

TESTS = Path(__file__).parents[1]
RECORDS = sorted((TESTS / "records").glob("cronberg-*.json"))
EDITION_FILES = sorted((TESTS.parent / "src/embertown/cronberg/editions").glob("cronberg-*.toml"))
EDITIONS: dict[str, Edition] = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in EDITION_FILES}
CONSEQUENCES = {"scored", "activated", "driven"}


def lay(oracle: Oracle, kind: str, where: str) -> None:
    """Draw a certain rhomb and place it."""
    oracle.play("draw")
    oracle.drawn(kind)
    oracle.play(f"place {where}")


def edition_of(side: int, strips: list[str], tokens: int = 1, **rhombi: list[int]) -> Edition:
    """Make a small edition with one rhomb of each kind (one named "r" where none is given)."""
    kinds = {kind: {"numbers": numbers} for kind, numbers in (rhombi or {"r": [2, 1, 2, 1]}).items()}
    return {"board": {"side": side, "tokens": tokens, "triangles": strips}, "rhombi": kinds}


def strips_with(side: int, **symbols: str) -> list[str]:
    """Make strips where only the triangles named are there."""
    strips = [["."] * length for length in STRIPS[side]]
    for triangle, symbol in symbols.items():
        strips["ABCDEFGH".index(triangle[0])][int(triangle[1:]) - 1] = symbol
    return ["".join(strip) for strip in strips]


# Names for places


def test_board_has_the_counts_and_names_of_the_rules() -> None:
    """C1.1 and the examples under "Names for places"."""
    board = Board(3, EDITIONS["cronberg-1726"]["board"]["triangles"])
    assert (len(board.triangles), len(board.crossings), len(board.pairs)) == (54, 37, 72)
    assert board.corners["A1"] == {"a1", "b1", "b2"}
    assert board.corners["A2"] == {"a1", "a2", "b2"}
    assert board.corners["D1"] == {"d1", "d2", "e1"}
    assert (board.crossings[0], board.crossings[-1], board.triangles[-1]) == ("a1", "g4", "F7")


@pytest.mark.parametrize(("side", "triangles", "crossings"), [(2, 24, 19), (3, 54, 37), (4, 96, 61)])
def test_board_of_each_side(side: int, triangles: int, crossings: int) -> None:
    """C1.3: sides 2 to 4."""
    board = Board(side, ["-" * length for length in STRIPS[side]])
    assert (len(board.triangles), len(board.crossings)) == (triangles, crossings)
    assert {len(board.around[crossing]) for crossing in board.crossings} == {2, 3, 6}


def test_clockwise_by_eye() -> None:
    """C1.4: the three ways a rhomb can lie, read off a drawing."""
    board = Board(3, ["-" * length for length in STRIPS[3]])
    assert board.clockwise(("A1", "A2")) == ["a2", "b2", "b1", "a1"]
    assert board.clockwise(("A2", "A3")) == ["a1", "a2", "b3", "b2"]
    assert board.clockwise(("A1", "B2")) == ["a1", "b2", "c2", "b1"]


# Records


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_comes_out_equal(path: Path) -> None:
    """Moves with consequences, final, scores, winners, end and pending equal as JSON."""
    record = json.loads(path.read_text("utf-8"))
    oracle = replay(record, EDITIONS)
    assert oracle.moves == record["moves"]
    told = {key: record[key] for key in ("scores", "winners", "end", "final", "pending") if key in record}
    assert oracle.result() == told


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_names_the_edition_it_was_played_on(path: Path) -> None:
    """The hash over what play depends on, so that replay uses the very same edition."""
    record = json.loads(path.read_text("utf-8"))
    edition = record["edition"] if isinstance(record["edition"], dict) else EDITIONS[record["edition"]]
    rhombi = {kind: [rhomb.get("count", 1), rhomb["numbers"]] for kind, rhomb in edition["rhombi"].items()}
    text = json.dumps(
        {"board": edition["board"], "rhombi": rhombi},
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    assert sha256(text.encode()).hexdigest() == record["edition_sha256"]


def test_all_the_records_are_there() -> None:
    """The rulebook's closing example ("closing turns") among them."""
    assert len(RECORDS) == 7
    assert TESTS / "records/cronberg-closing.json" in RECORDS


# Worked examples

HOUSE = "house"  # what isolates, where the rules leave it open
EXAMPLES = {
    "Karl": ("b2", [("church", "A2+A3"), ("market", "B2+B3"), (HOUSE, "B5+B6")], [3, 2], False, 2, 20),
    "Anne": (
        "b2",
        [("church", "B1+B2"), ("church", "A2+A3"), ("dungeon", "B3+B4")],
        [6, 3, -2],
        False,
        1,
        14,
    ),
    "Ulla": ("a4", [("dungeon", "A5+A6"), (HOUSE, "B7+B8")], [-4], True, 0, 4),
    "Gerd": ("a1", [("market", "A2+A3"), (HOUSE, "B1+B2")], [4], False, 1, 8),
    "coat of arms": (
        "b2",
        [
            ("church", "A1+A2"),
            ("city-hall", "A3+A4"),
            ("market", "B3+C4"),
            ("tannery", "B4+B5"),
            (HOUSE, "B1+C2"),
        ],
        [8, 4, 3, -2],
        True,
        0,
        17,
    ),
    "park": ("a2", [("church", "A2+A3"), (HOUSE, "A5+A6")], [3], False, 1, 6),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_final_scoring_example(name: str) -> None:
    """C8.2: the examples of the final scoring, the token placed first."""
    crossing, rhombi, numbers, coat, parks, points = EXAMPLES[name]
    oracle = Oracle(EDITIONS["cronberg-1726"], 2)
    oracle.play(f"token {crossing}")
    for kind, where in rhombi:
        lay(oracle, kind, where)
    entry = {"seat": 0, "at": crossing, "numbers": numbers, "coat": coat, "parks": parks, "points": points}
    assert oracle.final_scoring() == [entry]


def test_cemetery_example() -> None:
    """C6.1, C6.2: -2, token back, whoever placed the rhomb."""
    oracle = Oracle(EDITIONS["cronberg-1726"], 2)
    oracle.play("token a1")
    lay(oracle, "church", "A1+B2")
    assert oracle.numbers_at("a1") == [6]
    assert oracle.supply == [3, 4]
    lay(oracle, "cemetery", "A2+A3")
    assert oracle.moves[-1]["scored"] == [{"seat": 0, "at": "a1", "numbers": [6, -8], "points": -2}]
    assert oracle.scores == [-2, 0]
    assert oracle.supply == [4, 4]
    assert oracle.tokens == {}


def test_three_parks_example() -> None:
    """C8.2, C8.3: three parks make eight times as much, of a negative sum too."""
    oracle = Oracle(EDITIONS["cronberg-1726"], 2)
    oracle.play("token b3")
    for kind, where in [("cemetery", "A2+A3"), ("market", "A5+A6"), ("house", "B5+C6"), ("house", "B2+B3")]:
        lay(oracle, kind, where)
    lay(oracle, "house", "B7+B8")
    assert {"A4", "B4", "B6"} <= oracle.active
    (entry,) = oracle.final_scoring()
    assert (entry["parks"], entry["numbers"]) == (3, [4, 2, -8])
    assert entry["points"] == 8 * (4 + 2 - 8)


def test_turning_a_rhomb() -> None:
    """C1.4: turning points the other numbers at the same corners."""
    for head, other in (("a1", "b3"), ("b3", "a1")):
        oracle = Oracle(edition_of(3, ["-" * length for length in STRIPS[3]], r=[8, 3, 5, 2]), 2)
        oracle.play("draw")
        oracle.drawn("r")
        assert {"place A2+A3 ^a1", "place A2+A3 ^b3"} <= oracle.legal()
        assert len(oracle.legal()) == 144
        oracle.play(f"place A2+A3 ^{head}")
        assert oracle.numbers_at(head) == [8]
        assert oracle.numbers_at(other) == [5]
        assert oracle.numbers_at("a2") == [3 if head == "a1" else 2]
        assert oracle.moves[0]["head"] == head


@pytest.mark.parametrize(
    ("numbers", "ways"),
    [([2, 1, 2, 1], {""}), ([2, 1, 3, 1], {" ^a1", " ^b3"}), ([2, 1, 2, 3], {" ^a1", " ^b3"})],
)
def test_where_turning_matters(numbers: list[int], ways: set[str]) -> None:
    """C1.4: one move where turning changes nothing, two where only sharp or only blunt corners differ."""
    oracle = Oracle(edition_of(2, strips_with(2, A2="P", A3="P"), r=numbers), 2)
    oracle.play("draw")
    oracle.drawn("r")
    assert oracle.legal() == {f"place A2+A3{way}" for way in ways}


# Corners of the rules


def test_over_before_it_has_begun() -> None:
    """C7.1, C7.2, C8.1: a lone guard is active from the start, so nobody can ever do anything."""
    oracle = Oracle(edition_of(2, strips_with(2, B2="G")), 3, 1, [4, 7, 7])
    assert oracle.over
    assert oracle.legal() == set()
    assert oracle.moves == []
    assert oracle.final == []
    assert (oracle.scores, oracle.winners, oracle.active) == ([4, 7, 7], [1, 2], {"B2"})


def test_isolated_from_the_start() -> None:
    """C7.1, C4.2, C4.3: tokens beside the lone park, none beside the lone guard; passes; a shared win."""
    oracle = Oracle(edition_of(2, strips_with(2, A1="P", A3="G")), 3)  # they meet in b2
    assert oracle.legal() == {"token a1", "token b1"}
    oracle.play("token a1")
    assert not oracle.over
    oracle.play("token b1")
    assert oracle.over
    assert oracle.winners == [0, 1, 2]
    entries = [(0, "a1"), (1, "b1")]
    assert oracle.final == [
        {"seat": seat, "at": at, "numbers": [], "coat": False, "parks": 1, "points": 0} for seat, at in entries
    ]


def test_plain_triangles_score_nothing() -> None:
    """C8.2: a token that touches only plain triangles scores nothing and is left out of the final scoring."""
    oracle = Oracle(edition_of(2, strips_with(2, A1="P", A2="P", A3="-")), 2)
    lay(oracle, "r", "A1+A2")
    oracle.play("token a2")
    oracle.play("token b2")
    assert oracle.over
    assert oracle.final == []
    assert oracle.numbers_at("b2") == [1]


def test_last_rhomb_activates_everything() -> None:
    """C7.4: also guards, which drive a token once though it stands beside two; never before the placing."""
    oracle = Oracle(edition_of(2, strips_with(2, A1="G", A2="G", A4="P", A5="P")), 2)
    oracle.play("token a1")  # beside A1 and A2
    oracle.play("draw")
    assert oracle.active == set()
    assert oracle.legal() == set()
    oracle.drawn("r")
    assert oracle.active == set()
    assert oracle.outcomes() == {}
    assert oracle.in_hand == "r"
    oracle.play("place A4+A5")
    assert oracle.moves[-1]["activated"] == ["A1", "A2"]
    assert oracle.moves[-1]["driven"] == [{"seat": 0, "at": "a1"}]
    # Nowhere is left for a token, though everybody has one.
    assert oracle.over
    assert oracle.final == []
    assert oracle.supply == [1, 1]


def test_pass_is_the_only_legal_action() -> None:
    """C3.2: no token left and no rhomb to be placed, while another player still has one."""
    oracle = Oracle(edition_of(2, strips_with(2, A1="P", B7="P")), 2)
    oracle.tokens = {"a1": 0}
    assert oracle.legal() == {"pass"}
    oracle.play("pass")
    assert oracle.moves == [{"seat": 0, "pass": True}]
    assert oracle.seat == 1
    with pytest.raises(AssertionError):
        oracle.play("pass")
    oracle.play("token b1")
    assert oracle.over


# Random games


def check_board(oracle: Oracle) -> None:
    """C4.3, C4.4, C5.2 at any moment between actions."""
    covered = [triangle for _, pair, _ in oracle.placed for triangle in pair]
    assert len(covered) == len(set(covered))
    for crossing in oracle.tokens:
        touched = oracle.board.around[crossing]
        assert touched & oracle.free
        assert "G" not in {oracle.board.symbol[triangle] for triangle in touched & oracle.active}
    assert all(0 <= left <= oracle.tokens_each for left in oracle.supply)
    assert oracle.over or oracle.awaiting_chance or oracle.legal()


def check_end(oracle: Oracle, start_scores: list[int]) -> None:
    """C8.1, C8.2, C8.4, and the scores and tokens counted again from the moves."""
    assert oracle.final is not None
    assert oracle.winners
    assert not oracle.moves or "pass" not in oracle.moves[-1]
    assert oracle.active == oracle.free
    assert not oracle.can_draw()
    assert not (oracle.open_crossings() and any(oracle.supply))
    scored = [entry for move in oracle.moves for entry in move.get("scored", [])]
    driven = [entry for move in oracle.moves for entry in move.get("driven", [])]
    for seat in range(oracle.players):
        points = sum(entry["points"] for entry in scored + oracle.final if entry["seat"] == seat)
        assert oracle.scores[seat] == start_scores[seat] + points
        put = sum(move["seat"] == seat and "token" in move for move in oracle.moves)
        back = sum(entry["seat"] == seat for entry in scored + driven)
        assert put - back == list(oracle.tokens.values()).count(seat)
    activated = [triangle for move in oracle.moves for triangle in move.get("activated", [])]
    assert len(activated) == len(set(activated))
    assert set(activated) <= oracle.free


def play_out(oracle: Oracle, random: Random) -> None:
    """Play at random to the end, which comes within as many moves as there can be."""
    greed = random.random()
    for _ in range(2000):
        check_board(oracle)
        if oracle.over:
            return
        if oracle.awaiting_chance:
            oracle.drawn(random.choice(sorted(oracle.outcomes())))
        else:
            actions = sorted(oracle.legal())
            draw = "draw" in actions and random.random() < greed
            oracle.play("draw" if draw else random.choice(actions))
    raise AssertionError("the game does not end")


@settings(max_examples=40, deadline=None)
@given(cronberg_editions(), st.integers(2, 4), st.integers(0, 2**32))
def test_random_games(edition: Edition, players: int, seed: int) -> None:
    """Random games on random editions keep to the rules, end, and replay equal."""
    random = Random(seed)
    start_scores = [random.randint(-9, 9) for _ in range(players)]
    first = random.randrange(players)
    oracle = Oracle(edition, players, first, start_scores)
    play_out(oracle, random)
    check_end(oracle, start_scores)
    record: dict[str, Any] = {
        "edition": "random",
        "seats": [{"name": str(seat), "bot": None} for seat in range(players)],
        "first": first,
        "start_scores": start_scores,
        "moves": [{k: v for k, v in move.items() if k not in CONSEQUENCES} for move in oracle.moves],
    }
    again = replay(record, {"random": edition})
    assert (again.moves, again.result()) == (oracle.moves, oracle.result())


@settings(max_examples=100, deadline=None)
@given(cronberg_editions())
def test_random_editions_are_valid(edition: Edition) -> None:
    """C1.3, C1.4, C1.5: the strategy keeps to what an edition may have."""
    board, rhombi = edition["board"], edition["rhombi"]
    assert tuple(map(len, board["triangles"])) == STRIPS[board["side"]]
    text = "".join(board["triangles"])
    assert set(text) <= set("PGC-.")
    assert 1 <= len(text.replace(".", "")) <= MOST_TRIANGLES
    assert 1 <= board["tokens"] <= 8
    assert 1 <= len(rhombi) <= 10
    assert 1 <= sum(rhomb.get("count", 1) for rhomb in rhombi.values()) <= MOST_RHOMBI
    for kind, rhomb in rhombi.items():
        assert re.fullmatch("[a-z][a-z0-9-]*", kind)
        assert len(rhomb["numbers"]) == 4
        assert all(number and -8 <= number <= 8 for number in rhomb["numbers"])
        assert rhomb.get("count", 1) >= 1
