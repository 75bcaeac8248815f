"""Every refusal of D3 to D9, through `state.play`: code, rule, places, a sentence in each language, nothing changed."""

from __future__ import annotations

import pickle
import string
from collections.abc import Callable
from typing import Any

import pytest

from embertown.core.errors import BadArgument, IllegalMove, MalformedText
from embertown.core.locale import LANGUAGES, catalogue
from embertown.drunter.game import DrunterState
from embertown.drunter.rules import ACTIONS, FIRST_VOTE, PASS, SAY_YES, Refusal
from tests.small_drunter import FIVE, SEVEN, begin, dealt, play, put, small

NORTH_OF_A1 = 0
THREE_NORTH_OF_E5 = 3 * (4 * 3) + 2
OUTHOUSE = put(FIVE, B1="oo")


def start(**options: bool) -> DrunterState:
    return begin(small(OUTHOUSE, **options))


def after(state: DrunterState, *texts: str) -> DrunterState:
    play(state, *texts)
    return state


def voting() -> DrunterState:
    return after(start(), "wall A1 B1")


def speaking() -> DrunterState:
    return after(voting(), "0: vote jeeiin", "1: vote ne")


def choosing() -> DrunterState:
    return after(start(variant=True, no_votes=True), "river A5 A4-A2", "road E1 D1-B1")


def over() -> DrunterState:
    return after(dealt(FIVE, {"wall": [1, 0, 0]}, {"wall": [1, 0, 0]}), "wall A1 B1", "wall A1 C1")


REFUSALS: dict[str, tuple[Callable[[], DrunterState], str | int, int | None, str, str, tuple[str, ...]]] = {
    # what: the state, the action, the seat, the code, the rule, the places
    "D7.1 a tile after the end": (over, "lay wall A1 D1", None, "game_over", "D7.1", ()),
    "D7.1 a tile after the end that fits nowhere": (over, "lay wall A1 A2", 1, "game_over", "D7.1", ()),
    "D7.1 a pass after the end": (over, "pass", 1, "game_over", "D7.1", ()),
    "D7.1 a vote after the end": (over, "vote ja", 0, "game_over", "D7.1", ()),
    "D7.1 over by leaving": (lambda: start().abandon(), "lay wall A1 A2", 0, "game_over", "D7.1", ()),
    "D7.1 over by leaving, nowhere": (lambda: start().resign(0), "lay wall A1 A3", 0, "game_over", "D7.1", ()),
    "D2.4 another's turn": (start, "lay wall A1 A2", 1, "not_your_turn", "D2.4", ()),
    "D2.4 another's pass": (start, "pass", 1, "not_your_turn", "D2.4", ()),
    "D2.4 a vote twice": (lambda: after(voting(), "0: vote ja"), "vote ne", 0, "not_your_turn", "D2.4", ()),
    "D2.4 another's Jeeiin": (speaking, "jeeiin yes", 1, "not_your_turn", "D2.4", ()),
    "D2.4 a choice twice": (
        lambda: after(choosing(), "0: choose school"),
        "choose town-hall",
        0,
        "not_your_turn",
        "D2.4",
        (),
    ),
    "D6.1 a tile during a vote": (voting, "lay wall A1 A2", 0, "vote_under_way", "D6.1", ()),
    "D6.1 a tile that fits nowhere during a vote": (voting, "lay wall A1 C4", 0, "vote_under_way", "D6.1", ()),
    "D6.1 a pass during a vote": (voting, "pass", 1, "vote_under_way", "D6.1", ()),
    "D6.1 Jeeiin during a vote": (voting, "jeeiin no", 0, "vote_under_way", "D6.1", ()),
    "D6.1 a choice during a vote": (voting, "choose inn", 0, "vote_under_way", "D6.1", ()),
    "D5.2 a vote on nothing": (start, "vote ja", None, "no_vote", "D5.2", ()),
    "D6.2 a tile before Jeeiin": (speaking, "lay wall A1 A2", 1, "jeeiin_under_way", "D6.2", ()),
    "D6.2 a vote before Jeeiin": (speaking, "vote ja", 0, "jeeiin_under_way", "D6.2", ()),
    "D6.2 a choice before Jeeiin": (speaking, "choose inn", 0, "jeeiin_under_way", "D6.2", ()),
    "D6.2 no Jeeiin": (start, "jeeiin yes", None, "no_jeeiin", "D6.2", ()),
    "D9.2 a tile before the choices": (choosing, "lay wall E5 D5", 1, "choice_due", "D9.2", ()),
    "D9.2 a tile of a blocked path before the choices": (choosing, "lay wall A1 B2", 1, "choice_due", "D9.2", ()),
    "D9.2 a vote before the choices": (choosing, "vote ja", 1, "choice_due", "D9.2", ()),
    "D9.2 Jeeiin before the choices": (choosing, "jeeiin yes", 1, "choice_due", "D9.2", ()),
    "D9.2 no choice": (start, "choose inn", None, "no_choice", "D9.2", ()),
    "D9.2 no choice yet": (lambda: start(variant=True), "choose school", None, "no_choice", "D9.2", ()),
    "D4.6 a blocked path": (
        lambda: after(begin(small()), "river A5 A4-A2", "road E1 D1-B1"),
        "lay wall A1 B2",
        None,
        "gang_removed",
        "D4.6",
        ("A1",),
    ),
    "D3.1 no such tile": (
        lambda: dealt(FIVE, {"wall": [1, 0, 0], "road": [0, 1, 0]}, {"wall": [0, 1, 0], "road": [1, 0, 0]}),
        "lay wall A1 B1-C1",
        None,
        "no_such_tile",
        "D3.1",
        ("A1",),
    ),
    "D4.3 off the board at once": (start, NORTH_OF_A1, None, "off_the_board", "D4.3", ("A1",)),
    "D4.3 off the board in the end": (
        lambda: after(start(), "wall E5 D5-C5", "wall E5 C4-C3"),
        THREE_NORTH_OF_E5,
        None,
        "off_the_board",
        "D4.3",
        ("E5",),
    ),
    "D4.4 its own bridge": (
        lambda: after(begin(small(SEVEN)), "wall A1 B1-D1"),
        "lay wall A1 C1",
        None,
        "bridge_along",
        "D4.4",
        ("C1",),
    ),
    "D4.3 a corner": (
        lambda: after(start(), "wall E5 D5-B5"),
        "lay wall E5 A5",
        None,
        "corner_square",
        "D4.3",
        ("A5",),
    ),
    "D4.3 a tile there": (
        lambda: after(start(), "wall E5 D5", "wall E5 D4"),
        "lay wall E5 D5",
        None,
        "square_covered",
        "D4.3",
        ("D5",),
    ),
    "D4.3 a tile there, beyond another": (
        lambda: after(start(), "wall E5 D5", "wall E5 C5"),
        "lay wall E5 D5",
        None,
        "square_covered",
        "D4.3",
        ("D5",),
    ),
    "D3.1 a pass of one who can lay": (start, "pass", None, "may_not_pass", "D3.1", ()),
    "D6.5 a card that is spent": (
        lambda: after(voting(), "0: vote ja", "1: vote neee", "wall E5 D5", "wall A1 B1"),
        "vote ja",
        0,
        "card_not_held",
        "D6.5",
        (),
    ),
    "D6.6 two cards": (voting, "vote ja+ne", 0, "one_card_only", "D6.6", ()),
    "D9.1 another's objective": (choosing, "choose inn", 0, "not_your_objective", "D9.1", ()),
    "D4.1 another kind": (start, "lay river A1 B1", None, "other_kind", "D4.1", ("A1",)),
    "D4.2 not at the gang": (start, "lay wall A1 C1", None, "not_at_the_gang", "D4.2", ("A1", "C1")),
    "D4.2 askew of the gang": (start, "lay wall A1 B2", None, "not_at_the_gang", "D4.2", ("A1", "B2")),
    "D4.2 on the gang": (start, "lay wall A1 A1-C1", None, "not_at_the_gang", "D4.2", ("A1", "A1")),
    "D4.2 round a corner": (start, "lay wall A1 B1-B3", None, "not_straight", "D4.2", ("B1", "B3")),
    "D4.2 towards the gang": (start, "lay wall A1 C1-B1", None, "not_straight", "D4.2", ("C1", "B1")),
    "D4.2 four squares": (lambda: begin(small(SEVEN)), "lay wall A1 B1-E1", None, "not_straight", "D4.2", ("B1", "E1")),
}


def refusal(what: str) -> tuple[DrunterState, IllegalMove]:
    begin_, action, seat, *_ = REFUSALS[what]
    state = begin_()
    with pytest.raises(IllegalMove) as caught:
        state.play(action, seat)
    return state, caught.value


@pytest.mark.kernel
@pytest.mark.parametrize("what", REFUSALS)
def test_refusal_has_code_rule_places_and_changes_nothing(what: str) -> None:
    begin_, action, seat, code, rule, places = REFUSALS[what]
    fresh = begin_()
    state, error = refusal(what)
    assert (error.game, error.code, error.rule, error.places) == ("drunter", code, rule, places)
    assert state._position.tobytes() == fresh._position.tobytes()
    assert (state.log, state.laid, state.outcome) == (fresh.log, fresh.laid, fresh.outcome)
    assert [state.legal_actions_of(s) for s in (0, 1)] == [fresh.legal_actions_of(s) for s in (0, 1)]
    if seat is None and state.waiting:
        with pytest.raises(IllegalMove) as caught:
            state.preview(action)
        assert str(caught.value) == str(error)
    assert str(error) == f"{error.sentence('en')} ({rule})"
    sentences = [error.sentence(language) for language in LANGUAGES]
    assert len(set(sentences)) == len(LANGUAGES)
    for sentence in sentences:
        assert sentence.endswith(".")
        assert not set(sentence) & set("{}")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.places, again.details) == (str(error), code, places, error.details)
    assert [again.sentence(language) for language in LANGUAGES] == sentences


def test_sentences_name_what_they_speak_of() -> None:
    for what, names in {
        "D2.4 another's turn": [("2", "1")] * 3,
        "D4.6 a blocked path": [("A1",)] * 3,
        "D3.1 no such tile": [("wall", "2"), ("Mauer", "2"), ("rempart", "2")],
        "D4.4 its own bridge": [("C1",)] * 3,
        "D4.3 a corner": [("A5",)] * 3,
        "D4.3 a tile there": [("D5",)] * 3,
        "D6.5 a card that is spent": [("1", "ja")] * 3,
        "D4.1 another kind": [("river", "wall"), ("Fluss", "Mauer"), ("rivière", "rempart")],
        "D4.2 not at the gang": [("A1", "C1")] * 3,
        "D4.2 round a corner": [("B1", "B3", "A1")] * 3,
    }.items():
        error = refusal(what)[1]
        for language, wanted in zip(LANGUAGES, names, strict=True):
            sentence = error.sentence(language)
            assert all(name in sentence for name in wanted), sentence


def test_every_refusal_that_there_is_was_reached() -> None:
    reached = {code for *_, code, _, _ in REFUSALS.values()}
    codes = {reason.name.lower() for reason in Refusal}
    # the first two are none; a set of no cards has no number that `play` takes
    assert codes - reached == {"none", "no_such_action"}
    assert reached - codes == {"other_kind", "not_at_the_gang", "not_straight"}
    assert reached == set(catalogue("drunter", "en")["refusals"])
    for _, _, _, code, rule, _ in REFUSALS.values():
        if code in codes:
            assert Refusal[code.upper()].rule == rule


@pytest.mark.parametrize("begin_", [start, voting, speaking, choosing, over])
def test_an_action_that_is_not_there_is_malformed_and_no_crash_in_any_phase(begin_: Callable[[], DrunterState]) -> None:
    state = begin_()
    before = state._position.tobytes()
    for number in (-1, FIRST_VOTE, ACTIONS, 10_000, 2**31, 2**63, 2**70, -(2**70), 10**5000):
        for use in (state.play, state.preview, state.text):
            with pytest.raises(MalformedText, match="no action has the number"):
                use(number)
    for number in range(ACTIONS):
        if number != FIRST_VOTE and number not in state.legal_actions:
            with pytest.raises((IllegalMove, MalformedText)):
                state.play(number)
    assert state._position.tobytes() == before


def test_a_tile_that_fits_nowhere_has_no_text() -> None:
    state = start()
    assert state.text(SAY_YES) == "jeeiin yes", "what is not legal may have one"
    assert state.text(PASS) == "pass"
    with pytest.raises(MalformedText, match="fits nowhere"):
        state.text(NORTH_OF_A1)


@pytest.mark.parametrize("seat", [-1, 2, "0", True, 0.0, pytest.param(10**5000, id="huge")])
def test_a_seat_that_is_not_there_is_a_bad_argument(seat: Any) -> None:
    with pytest.raises(BadArgument, match="right would be: 0 to 1"):
        start().play("pass", seat)
    with pytest.raises(BadArgument, match="right would be: 0 to 1"):
        start().view(seat)


# ---- the catalogues


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_keys_and_placeholders(language: str) -> None:
    english, other = catalogue("drunter", "en"), catalogue("drunter", language)
    assert {table: list(english[table]) for table in english} == {table: list(other[table]) for table in other}
    for table, sentences in english.items():
        for key, sentence in sentences.items():
            assert other[table][key].strip()
            assert placeholders(other[table][key]) == placeholders(sentence), key
