"""Facts: a face as plain values agrees with what can be asked of it and with records, and tells nobody's secrets."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embertown.core.errors import IllegalMove, MalformedText
from embertown.core.game import Face
from embertown.core.record import GameRecord
from embertown.drunter import facts as module
from embertown.drunter.game import DrunterGame, DrunterState
from embertown.drunter.rules import ACTIONS, FIRST_VOTE, OBJECTIVES, Phase
from embertown.drunter.view import DrunterView
from tests.conftest import JIT_OFF
from tests.drunter import playthroughs
from tests.drunter.test_view import KINDS, other_world, played, vote_under_way
from tests.falsify import FOLDER, files_of, read
from tests.small_drunter import FIVE, SEVEN, begin, play, small
from tests.strategies_drunter import drunter_games

WORTH = {"ja": (1, 0), "jaa": (2, 0), "jaaa": (3, 0), "ne": (0, 1), "nee": (0, 2), "neee": (0, 3), "?": (0, 0)}
"""What a card counts, as the rulebook has it (D1.4)."""
TURN = {"phase", "seat", "waiting"}


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def check_facts(view: DrunterView) -> dict[str, Any]:
    """The facts of a view, compared with all that it says of itself otherwise."""
    facts = view.facts()
    seats = range(view.game.players)
    assert through_json(facts) == facts
    assert facts["phase"] == ("over" if view.is_over else view.phase.name.lower())
    assert facts["waiting"] == list(view.waiting)
    assert facts["phase"] != "laying" or facts["waiting"] == [facts["seat"]]
    assert facts["scores"] == list(view.scores)
    assert facts["gangs"] == view.gangs
    assert facts["tiles"] == through_json(view.tiles)
    assert facts["cards"] == through_json(view.cards)
    assert [(t["kind"], t["gang"], tuple(t["squares"]), tuple(t["under"])) for t in facts["laid"]] == list(view.laid)
    squares = {square for tile in facts["laid"] for square in tile["squares"]}
    lots = [name for name in view.board.squares if name in view.board.buildings or name in view.board.outhouses]
    assert facts["covered"] == [name for name in lots if name in squares]
    assert [tuple(filter(None, cards)) for cards in facts["objectives"]] == [view.objectives_of(s) for s in seats]
    assert all(len(cards) == view.game.cards_each for cards in facts["objectives"])
    assert facts["chosen"] == [view.chosen_by(seat) for seat in seats]
    assert (facts["outcome"] is not None) == view.is_over
    check_vote(view, facts)
    return facts


def check_vote(view: DrunterView, facts: dict[str, Any]) -> None:
    proposal, votes = facts["proposal"], facts["votes"]
    assert (proposal is not None) == (votes is not None) == (view.phase in (Phase.VOTING, Phase.JEEIIN))
    if proposal is None:
        return
    entry = next(entry for entry in reversed(view.log) if entry.text.startswith("lay"))
    last = "" if len(proposal["squares"]) == 1 else f"-{proposal['squares'][-1]}"
    assert entry.text == f"lay {proposal['kind']} {proposal['gang']} {proposal['squares'][0]}{last}"
    assert entry.seat == proposal["seat"] == facts["seat"]
    assert set(proposal["covers"]) & set(view.board.outhouses), "only outhouses are voted on (D5.2)"
    if facts["phase"] == "voting":
        assert [not voted for voted in votes["voted"]] == [seat in view.waiting for seat in range(view.game.players)]
        assert {votes["yes"], votes["no"], *votes["said"]} == {None}
    else:
        assert all(votes["voted"])
        assert tally(votes) == (votes["yes"], votes["no"])


def tally(votes: dict[str, Any]) -> tuple[int, int]:
    """Yes and no, counted by hand."""
    counted = [WORTH[card] for cards in votes["cards"] for card in cards if card != "jeeiin"]
    counted += [{"yes": (2, 0), "no": (0, 2), None: (0, 0)}[word] for word in votes["said"]]
    return sum(yes for yes, _ in counted), sum(no for _, no in counted)


def check_end(facts: dict[str, Any], record: dict[str, Any]) -> None:
    assert facts["outcome"] == {key: record[key] for key in ("end", "winners", "scores")}
    assert facts["final"] == record["final"]
    assert facts["scores"] == record["scores"]
    assert [entry["objective"] for entry in record["final"]] == facts["chosen"]


# ---- whole games


@pytest.mark.parametrize("name", playthroughs.kinds())
def test_facts_of_golden_games_agree_with_their_records(name: str) -> None:
    state = playthroughs.play(name)
    for seat in (None, *range(state.game.players)):
        check_end(check_facts(state.view(seat)), state.record().to_dict())


@pytest.mark.parametrize("name", files_of("drunter"))
def test_facts_of_other_engines_games_agree_with_their_records(name: str) -> None:
    record, state = read(name), GameRecord.from_file(FOLDER / f"{name}.json").replay()
    facts = check_facts(state.view(None))
    if "end" in record:
        check_end(facts, record)
    else:
        assert (facts["outcome"], facts["final"]) == (None, None)
        assert facts["proposal"]["seat"] == record["pending"]["seat"]


@settings(max_examples=3 if JIT_OFF else 30)
@given(game=drunter_games(), seed=st.integers(0, 2**32))
def test_facts_in_random_games_on_random_editions(game: dict[str, Any], seed: int) -> None:
    chooser = random.Random(seed)
    started = DrunterGame(game["players"], game["edition"], **game["options"])
    state = started.start(seed=1, first=game["first"], deal=game["deal"])
    while not state.is_over:
        seat = chooser.choice(state.waiting)
        action = chooser.choice(state.legal_actions_of(seat))
        before = check_facts(state.view(seat))
        for legal in state.legal_actions_of(seat):
            check_described(state, legal)
        foretold = state.view(seat).foretold(action)
        said = state.described(action)
        state.play(action, seat)
        check_followed(before, said, foretold, check_facts(state.view(seat)))
    check_end(check_facts(state.view(None)), state.record().to_dict())


def check_followed(before: dict[str, Any], said: dict[str, Any], foretold: dict[str, Any], now: dict[str, Any]) -> None:
    """Where nothing is foretold, nothing has changed; the reveal at the end (D8.1) is compared with records."""
    changed = {key for key in now if now[key] != before[key]} - TURN
    if now["phase"] == "over":
        changed -= {"outcome", "final", "scores", "objectives", "chosen"}
    if said["kind"] == "lay":
        tile = {"kind": said["tile"], "gang": said["gang"], "squares": said["squares"], "under": said["under"]}
        assert foretold["tile"] == tile
        if foretold["needs_vote"]:
            assert changed == {"proposal", "votes"}
            assert now["proposal"] == {"seat": before["seat"], **tile, "covers": foretold["covers"]}
        else:
            check_laid(before, tile, foretold, now)
            assert changed <= {"laid", "tiles", "gangs", "covered"}
    else:
        assert foretold == {"tile": None, "covers": [], "needs_vote": False, "blocked": []}
        possible = {"proposal", "votes", "laid", "tiles", "gangs", "covered", "cards"}
        allowed = {"pass": set(), "choose": {"chosen", "has_chosen"}, "vote": possible, "jeeiin": possible}
        assert changed <= allowed[said["kind"]]


def check_laid(before: dict[str, Any], tile: dict[str, Any], foretold: dict[str, Any], now: dict[str, Any]) -> None:
    assert now["laid"] == [*before["laid"], tile]
    assert set(now["covered"]) - set(before["covered"]) == set(foretold["covers"])
    gone = {gang for gang, square in now["gangs"].items() if square is None and before["gangs"][gang] is not None}
    assert gone == set(foretold["blocked"])
    if tile["gang"] not in gone:
        assert now["gangs"][tile["gang"]] == tile["squares"][-1]
    hand = through_json(before["tiles"])
    hand[before["seat"]][tile["kind"]][len(tile["squares"]) - 1] -= 1
    assert now["tiles"] == hand


# ---- secrets


@settings(max_examples=4 if JIT_OFF else 80)
@given(
    kind=st.integers(0, len(KINDS) - 1),
    seed=st.integers(0, 10**6),
    steps=st.integers(0, 120),
    viewer=st.integers(-1, 3),
)
def test_facts_are_equal_in_all_worlds_that_fit_what_a_seat_saw(kind: int, seed: int, steps: int, viewer: int) -> None:
    state = played(kind, seed, steps)
    if state.is_over:
        return
    seat = None if viewer < 0 else viewer % state.game.players
    mine, theirs = state.view(seat), other_world(state, seat, seed).view(seat)
    assert check_facts(mine) == theirs.facts()
    assert state.facts() == other_world(state, None, seed).facts() == state.view(None).facts()
    for other in range(state.game.players):
        for action in mine.legal_actions_of(other):
            assert mine.described(action) == theirs.described(action)
    if mine.legal_actions:
        assert mine.foretold(mine.legal_actions[0]) == theirs.foretold(mine.legal_actions[0])


def test_the_other_worlds_differ_in_what_their_own_seats_know() -> None:
    """Otherwise the test above would prove nothing."""
    state = played(3, 5, 10)
    assert other_world(state, 0, 1).view(1).facts() != state.view(1).facts()


def test_a_vote_under_way_shows_who_has_voted_and_only_the_own_card() -> None:
    state = vote_under_way()
    for viewer, cards in ((0, ["ja"]), (1, None), (2, None), (None, None)):
        votes = check_facts(state.view(viewer))["votes"]
        assert votes["voted"] == [True, False, False]
        assert votes["cards"] == [cards, None, None]


def test_objectives_are_known_to_their_seats_alone() -> None:
    state = DrunterGame(3, variant=True).start(seed=1)
    for viewer in range(3):
        facts = state.view(viewer).facts()
        assert facts["objectives"][viewer] == list(state.objectives_of(viewer))
        assert all(facts["objectives"][seat] == [None, None] for seat in range(3) if seat != viewer)
        assert facts["has_chosen"] == [False] * 3
    told = json.dumps(state.facts())
    assert not [objective for objective in OBJECTIVES if f'"{objective}"' in told]


def test_a_choice_is_seen_by_all_and_known_to_its_seat() -> None:
    state = begin(small(FIVE, variant=True), "inn+church", "ones+lowest")
    while state.phase is not Phase.CHOOSING:
        state.play(state.legal_actions[0])
    state.play("choose church", 0)
    mine, theirs = (check_facts(state.view(seat)) for seat in (0, 1))
    assert mine["has_chosen"] == theirs["has_chosen"] == [True, False]
    assert mine["chosen"] == ["church", None]
    assert theirs["chosen"] == [None, None]


def test_a_game_given_up_reveals_nothing() -> None:
    state = DrunterGame(2).start(seed=1).resign(1)
    facts = check_facts(state.view(0))
    assert (facts["phase"], facts["seat"], facts["waiting"], facts["final"]) == ("over", None, [], None)
    assert facts["outcome"]["end"] == "resigned"
    assert facts["objectives"][1] == [None]


def test_facts_are_their_callers_own() -> None:
    view = vote_under_way().view(0)
    action = view.legal_actions_of(1)[0]
    facts, said = view.facts(), view.described(action)
    facts["laid"][0]["squares"].clear()
    facts["votes"]["cards"][0].clear()
    facts["cards"][0].clear()
    said["cards"].clear()
    check_facts(view)
    assert view.facts()["cards"][0]
    assert view.described(action)["cards"]


# ---- actions


def check_described(face: Face[DrunterGame], action: int) -> None:
    said = face.described(action)
    assert through_json(said) == said
    assert said["text"] == face.text(action)
    words = {
        "lay": lambda: " ".join(["lay", said["tile"], said["gang"], "-".join(ends(said["squares"]))]),
        "vote": lambda: "vote " + "+".join(said["cards"]),
        "jeeiin": lambda: f"jeeiin {said['says']}",
        "choose": lambda: f"choose {said['objective']}",
        "pass": lambda: "pass",
    }
    assert said["text"] == words[said["kind"]]()


def ends(squares: list[str]) -> list[str]:
    return squares if len(squares) == 1 else [squares[0], squares[-1]]


def test_every_kind_of_action_is_described() -> None:
    kinds = set()
    for name in playthroughs.kinds():
        state = playthroughs.play(name, 0)
        for step in range(10_000):
            if state.is_over:
                break
            seat, action = playthroughs.choose(state, step)
            check_described(state, action)
            kinds.add(state.described(action)["kind"])
            state.play(action, seat)
    assert kinds >= {"lay", "vote", "jeeiin", "choose"}


def test_a_bridge_across_the_way_changes_what_the_same_action_is() -> None:
    """The gang stands where it stood; a bridge laid across its way moves its next tile beyond (D4.4)."""
    state = begin(small(SEVEN))
    play(state, "river A7 B7", "wall G7 G6", "wall G7 F6-E6", "wall G7 D6")
    action = state.action("lay river A7 B6")
    assert (state.described(action)["squares"], state.described(action)["under"]) == (["B6"], [])
    play(state, "wall G7 C6-A6")
    assert (state.described(action)["squares"], state.described(action)["under"]) == (["B5"], ["B6"])
    check_described(state, action)


def test_a_tile_that_fits_nowhere_is_refused_though_it_once_did() -> None:
    state = begin(small(FIVE))
    action = state.action("lay wall A1 B1-D1")
    assert state.described(action)["squares"] == ["B1", "C1", "D1"]
    play(state, "road E1 D1")
    with pytest.raises(MalformedText, match="fits nowhere"):
        state.described(action)


@pytest.mark.parametrize("action", [-1, FIRST_VOTE, ACTIONS, 10**6])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    state = DrunterGame(2).start(seed=1)
    for _ in range(2):  # not only at first
        with pytest.raises(MalformedText, match="number"):
            state.described(action)


def test_tiles_kept_at_hand_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_TILES", 5)
    state: DrunterState = begin(small(SEVEN))
    while not state.is_over:
        for action in state.legal_actions:
            check_described(state, action)
        assert len(module._tables(state.board).lays) <= 5
        state.play(state.legal_actions[0])


def test_an_illegal_tile_is_not_foretold() -> None:
    state = DrunterGame(2).start(seed=1)
    with pytest.raises(IllegalMove):
        state.foretold("vote ja")
