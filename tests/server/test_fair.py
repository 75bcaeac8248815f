"""Fair shuffles: what is published tells nothing, what is told at the end proves the game, no falsehood passes."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, BrokenRecord, EmbertownError
from embertown.core.match import Match
from embertown.games import GameRecord, load
from embertown.server import fair
from embertown.server.errors import Refused
from embertown.server.fair import NoProof, Unproven, Verified, verify
from tests.falsify import at, changed, inside, leaves, other, written
from tests.server.fair_games import (
    ENTROPY,
    SEED,
    Json,
    as_json,
    deal_of,
    draws_of,
    fair_game,
    key_of,
    pick,
    places_of_draws,
    played,
)

EDITIONS = Path(__file__).parents[1] / "editions"
OTHER_SEED = bytes(reversed(range(32)))


def verified(data: Json, **known: Any) -> Verified:
    return verify(GameRecord.from_json(json.dumps(data)), **known)


def refused(data: Json, **known: Any) -> Any:
    """The error that refuses a record; it names its place."""
    with pytest.raises((Unproven, BrokenRecord)) as caught:
        verified(data, **known)
    assert str(caught.value).startswith(f"{caught.value.where}: ")
    return caught.value


@cache
def _cronberg(players: int) -> str:
    return json.dumps(as_json(played(fair_game("cronberg", players))))


@cache
def _drunter(players: int, variant: bool) -> str:
    return json.dumps(as_json(played(fair_game("drunter", players, variant=variant))))


def cronberg(players: int = 2) -> Json:
    data: Json = json.loads(_cronberg(players))
    return data


def drunter(players: int = 2, variant: bool = False) -> Json:
    data: Json = json.loads(_drunter(players, variant))
    return data


# ---- the formulas


def test_the_formulas_are_part_of_the_format() -> None:
    """Computed once with openssl: old games stay provable."""
    assert fair.commitment(SEED) == "cf6ab45ed301c8fa35d6f7f57aaca09e8c8634a985834c8433d49e5a163e4764"
    assert (
        fair.game_key(SEED, ["my dice: 3 6 1", None]).hex()
        == "669090cb3dec1aa262877fc130f239066e33e9676085a55440748354957c56b2"
    )


def test_a_commitment_is_the_hash_of_a_tag_and_the_seed() -> None:
    assert fair.commitment(SEED) == hashlib.sha256(b"embertown-fair/1 commitment " + SEED).hexdigest()


@given(st.lists(st.none() | st.text(min_size=1, max_size=20).filter(str.isprintable), min_size=2, max_size=4))
def test_a_key_is_an_hmac_over_the_entropy_by_seat(entropy: list[str | None]) -> None:
    assert fair.game_key(SEED, entropy) == key_of(fair.proof("", entropy, SEED))


HARD_TO_TELL_APART: list[list[str | None]] = [
    [None, None],
    ["null", None],
    [None, "null"],
    ["null,null"],
    ['","'],
    ["a", "b"],
    ['a","b'],
    ["ab", None],
    ["a", "b", None],
    [None, "a", "b"],
    ["b", "a"],
    ["é", "b"],
    ["e\u0301", "b"],
    ["\\u00e9", "b"],
]


def test_no_two_lists_of_entropy_make_the_same_key() -> None:
    keys = [fair.game_key(SEED, entropy) for entropy in HARD_TO_TELL_APART]
    assert len(set(keys)) == len(keys)


def test_seeds_are_new_and_never_shown() -> None:
    seeds = {fair.new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}
    source = fair.chance(SEED, [None, None])
    shown = repr(source) + repr(fair_game()) + str(fair.proof(fair.commitment(SEED), [None, None], None))
    assert SEED.hex() not in shown
    assert repr(SEED) not in shown
    assert repr(fair.game_key(SEED, [None, None])) not in shown


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_of_another_length_is_refused_without_showing_it(seed: bytes) -> None:
    for use in (fair.commitment, lambda seed: fair.chance(seed, [None]), lambda seed: fair.proof("", [None], seed)):
        with pytest.raises(BadArgument, match=rf"^a seed has {len(seed)} bytes; right would be: 32$"):
            use(seed)


def test_chance_is_not_derivable_from_what_is_published() -> None:
    """Neither the commitment nor anything simple made of it gives the outcomes; one bit of the seed changes them."""
    entropy = ["a", "b"]
    labels = [f"draw {nth}" for nth in range(1, 41)]
    right = [fair.chance(SEED, entropy).pick(label, [1] * 8) for label in labels]
    public = fair.commitment(SEED)
    near = bytes([SEED[0] ^ 1]) + SEED[1:]
    sources = [
        fair.chance(bytes.fromhex(public), entropy),
        fair.chance(near, entropy),
        fair.chance(SEED, ["a", "c"]),
        fair.chance(SEED, [None, None]),
        *(SeededChance(key) for key in (public, bytes.fromhex(public), "a", SEED)),
    ]
    for source in sources:
        same = sum(source.pick(label, [1] * 8) == index for label, index in zip(labels, right, strict=True))
        assert same < 20, source


@pytest.mark.parametrize("text", ["a", "0f3a", "été ☂", "x" * fair.ENTROPY_LENGTH])
def test_entropy_is_kept_as_it_was_sent(text: str) -> None:
    assert fair.checked_entropy(text) == text
    data = as_json(fair_game(entropy=[text, None]).abandon())
    assert data["fair"]["entropy"] == [text, None]
    verified(data, sent=text)


@pytest.mark.parametrize("given", ["", "x" * (fair.ENTROPY_LENGTH + 1), "a\nb", "\x1b[2J", "\ud800", None, 7, b"a", []])
def test_entropy_that_a_record_could_not_hold_is_refused(given: object) -> None:
    with pytest.raises(Refused) as caught:
        fair.checked_entropy(given)
    assert (caught.value.code, caught.value.status) == ("bad_entropy", 422)
    assert {caught.value.sentence(language).count("200") for language in ("en", "de", "fr")} == {1}


def test_a_key_is_not_made_of_what_was_not_checked() -> None:
    with pytest.raises(BadArgument, match=r"^entropy of seat 1 is ''; right would be: 1 to 200 printable"):
        fair.chance(SEED, ["a", ""])


# ---- what is true is proven


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cronberg_s_draws_are_those_of_the_seed(players: int) -> None:
    data = cronberg(players)
    key = key_of(data["fair"])
    drawn = [name for _, name in places_of_draws(data)]
    assert data["end"] == "complete"
    assert drawn == draws_of(key, len(drawn))
    assert data["first"] == pick(key, "first", [1] * players)
    found = verified(data, published=data["fair"]["commitment"], sent=ENTROPY[0], by_lot=True)
    assert found == Verified(
        commitment=data["fair"]["commitment"],
        entropy=ENTROPY[:players],
        draws=len(drawn),
        dealt=False,
        first_by_lot=True,
        is_whole=True,
        is_over=True,
    )
    assert found.remarks == ()


@pytest.mark.parametrize("variant", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_drunter_s_deal_is_that_of_the_seed(players: int, variant: bool) -> None:
    data = drunter(players, variant)
    key = key_of(data["fair"])
    assert data["end"] == "complete"
    assert data["deal"] == deal_of(key, players, 2 if variant else 1)
    found = verified(data, by_lot=True)
    assert (found.dealt, found.draws, found.remarks) == (True, 0, ())


def test_an_edition_of_one_s_own_is_proven_too() -> None:
    data = as_json(played(fair_game(edition=EDITIONS / "few-rhombi.toml")))
    assert isinstance(data["edition"], dict)
    assert verified(data).draws == len(places_of_draws(data)) > 0


@pytest.mark.parametrize("decisions", [0, 1, 7, 20, 41])
@pytest.mark.parametrize("end", ["resigned", "abandoned", None])
@pytest.mark.parametrize("game", ["cronberg", "drunter"])
def test_a_game_that_was_not_played_out_is_proven_as_far_as_it_went(game: str, end: str | None, decisions: int) -> None:
    state = played(fair_game(game, 3), decisions)
    if end == "resigned":
        state.resign(1)
    elif end == "abandoned":
        state.abandon()
    data = as_json(state)
    found = verified(data)
    drawn = places_of_draws(data) if game == "cronberg" else []
    assert found.draws == len(drawn)
    assert [name for _, name in drawn] == draws_of(key_of(data["fair"]), len(drawn))
    assert any("the game goes on" in remark for remark in found.remarks) == (end is None)
    assert any("nothing to prove" in remark for remark in found.remarks) == (game == "cronberg" and not drawn)


def test_a_rhomb_drawn_and_not_yet_placed_is_proven() -> None:
    state = fair_game().play("draw")
    data = as_json(state)
    assert data["pending"]["drawn"] == draws_of(key_of(data["fair"]), 1)[0]
    assert verified(data).draws == 1


def test_what_was_taken_back_leaves_no_trace() -> None:
    state = fair_game()
    for _ in range(10):
        state.play("draw")
        for action in state.legal_actions[:3]:
            state.play(action).undo()
        state.play(state.legal_actions[-1])
    assert verified(as_json(state.abandon())).draws == 10


def test_start_scores_and_games_of_a_match_are_proven() -> None:
    """Each game has a seed of its own, the start passes on: so the lot is not asked, and that is remarked."""
    lot = pick(key_of(as_json(fair_game())["fair"]), "first", [1, 1])
    in_match = {"match": {"id": "family", "game": 2}}
    data = as_json(played(fair_game(first=1 - lot, start_scores=[17, -4], extra=in_match)))
    found = verified(data)
    assert not found.first_by_lot
    assert [remark.partition(":")[0] for remark in found.remarks] == ["first was not drawn by lot"]
    error = refused(data, by_lot=True)
    assert (error.where, error.wrong, error.right) == (
        "first",
        f"is {1 - lot}",
        f"{lot}, as the seed draws it",
    )


def test_a_table_without_entropy_is_proven_and_remarked() -> None:
    found = verified(as_json(played(fair_game(entropy=[None, None]))))
    assert [remark.partition(":")[0] for remark in found.remarks] == ["no seat sent entropy"]


def test_cards_that_were_never_revealed_are_remarked() -> None:
    """An abandoned game as a spectator has it: the cards are null, the tiles were seen by all."""
    state = played(fair_game("drunter", 3), 12).abandon()
    data = as_json(state)
    assert verified(data).remarks == ()
    data["deal"]["objectives"][1] = None
    found = verified(data)
    assert not found.is_whole
    assert [remark.partition(":")[0] for remark in found.remarks] == ["not all that was dealt is told in the record"]


# ---- what is not there


def test_a_record_without_a_commitment_has_no_proof() -> None:
    data = as_json(played(load("cronberg").start(seed=1)))
    with pytest.raises(NoProof, match=r"^fair: is missing; right would be: the record of a game for which"):
        verified(data)


def test_a_seed_that_is_not_told_yet_is_no_proof() -> None:
    data = changed(cronberg(), ("fair", "seed"), None)
    with pytest.raises(NoProof, match=r"^fair.seed: is null; right would be: the seed; the server tells it when"):
        verified(data)


def test_what_a_player_knows_is_compared_even_before_the_seed_is_told() -> None:
    data = changed(cronberg(), ("fair", "seed"), None)
    published = data["fair"]["commitment"]
    assert type(refused(data, published=published, sent=ENTROPY[0])) is NoProof
    assert refused(data, published=fair.commitment(OTHER_SEED)).where == "fair.commitment"
    assert refused(data, sent="what I never sent").where == "fair.entropy"


def test_errors_survive_pickling() -> None:
    for error in (Unproven("a", "b", "c", "d"), NoProof("a", "b", "c")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
    assert str(Unproven("a", "b\x1b", "c", "d")) == "d: a: b\\x1b; right would be: c"


# ---- what is false is refused


@pytest.mark.parametrize("digit", range(0, 64, 7))
@pytest.mark.parametrize("key", ["commitment", "seed"])
def test_a_seed_opens_no_other_commitment(key: str, digit: int) -> None:
    data = cronberg()
    text = data["fair"][key]
    text = text[:digit] + format(int(text[digit], 16) ^ 1, "x") + text[digit + 1 :]
    error = refused(changed(data, ("fair", key), text))
    assert error.where == "fair.commitment"
    assert "another seed was committed to" in error.right


@pytest.mark.parametrize("text", ["", "ab", "0" * 63, "0" * 65, "g" * 64, "A" * 64, "٣" * 64])
@pytest.mark.parametrize("key", ["commitment", "seed"])
def test_what_is_no_hex_is_told_at_its_place(key: str, text: str) -> None:
    error = refused(changed(cronberg(), ("fair", key), text))
    assert (error.where, error.right) == (f"fair.{key}", "64 hex digits, in small letters")


@pytest.mark.parametrize("entropy", [[], ["a"], ["a", "b", "c"]])
def test_entropy_is_one_for_each_seat(entropy: list[str]) -> None:
    error = refused(changed(cronberg(), ("fair", "entropy"), entropy))
    assert (error.where, error.wrong) == ("fair.entropy", f"has {len(entropy)} entries")


def test_empty_entropy_is_told_at_its_place() -> None:
    assert refused(changed(cronberg(), ("fair", "entropy", 1), "")).where == "fair.entropy[1]"


CHANGED_ENTROPY: list[list[str | None]] = [
    ["my dice: 3 6 2", None],
    ["my dice: 3 6 1", "x"],
    ["my dice: 3 6 1 ", None],
    [None, None],
    [None, "my dice: 3 6 1"],
    ["My dice: 3 6 1", None],
]


@pytest.mark.parametrize("entropy", CHANGED_ENTROPY)
def test_other_entropy_would_have_drawn_something_else(entropy: list[str | None]) -> None:
    """Told at the first rhomb that differs; and by whoever sent the right one, at the entropy itself."""
    data = changed(cronberg(), ("fair", "entropy"), entropy)
    places = places_of_draws(data)
    right = draws_of(key_of(data["fair"]), len(places))
    where, found, wanted = next(
        (at, one, other) for (at, one), other in zip(places, right, strict=True) if one != other
    )
    error = refused(data)
    assert (error.where, error.wrong) == (where, f'is "{found}"')
    assert error.right == f'"{wanted}", as the seed draws it'
    if ENTROPY[0] not in entropy:
        assert refused(data, sent=ENTROPY[0]).where == "fair.entropy"


@pytest.mark.parametrize("entropy", CHANGED_ENTROPY)
def test_other_entropy_would_have_dealt_something_else(entropy: list[str | None]) -> None:
    data = changed(drunter(), ("fair", "entropy"), entropy)
    error = refused(data)
    assert inside(error.where, "deal")
    assert error.right.endswith(", as the seed deals it")


@pytest.mark.parametrize("place", list(leaves(drunter(3, True)["deal"])), ids=written)
def test_every_leaf_of_the_deal_counts(place: tuple[str | int, ...]) -> None:
    data = drunter(3, True)
    value = at(data["deal"], place)
    other = value + 1 if isinstance(value, int) else next(card for card in ("ones", "lowest") if card != value)
    assert inside(refused(changed(data, ("deal", *place), other)).where, "deal")


def other_deals(data: Json) -> list[tuple[str, Json]]:
    """Deals that the rules allow: something of two seats changes hands."""
    one, two = data["deal"]["tiles"][:2]
    found = []
    for length in range(3):
        for more, less in (("wall", "road"), ("road", "river"), ("river", "wall")):
            if one[less][length] and two[more][length]:
                deal = copy.deepcopy(data["deal"])
                for seat, step in ((0, 1), (1, -1)):
                    deal["tiles"][seat][more][length] += step
                    deal["tiles"][seat][less][length] -= step
                found.append(("deal.tiles", deal))
    deal = copy.deepcopy(data["deal"])
    deal["objectives"][:2] = reversed(deal["objectives"][:2])
    return [*found, ("deal.objectives[0][0]", deal)]


@pytest.mark.parametrize("variant", [False, True])
def test_a_deal_that_the_rules_allow_is_refused_where_it_differs(variant: bool) -> None:
    """Before any move that the other hand could not have made."""
    data = drunter(2, variant)
    deals = other_deals(data)
    assert len(deals) >= 4
    for where, deal in deals:
        error = refused({**data, "deal": deal})
        assert type(error) is Unproven
        assert inside(error.where, where)


@pytest.mark.parametrize("players", [2, 4])
def test_every_draw_counts(players: int) -> None:
    """Another rhomb in its place is refused at that move, whatever rules it breaks later."""
    data = cronberg(players)
    unproven = 0
    for index, move in enumerate(data["moves"]):
        for name in {"cemetery", "church", "market"} - {move.get("rhomb")}:
            if "rhomb" in move:
                error = refused(changed(data, ("moves", index, "rhomb"), name))
                assert error.where == f"moves[{index}].rhomb", error
                unproven += type(error) is Unproven
    assert unproven > 0


def test_a_rhomb_in_hand_counts() -> None:
    data = as_json(fair_game().play("draw"))
    other = "church" if data["pending"]["drawn"] != "church" else "market"
    error = refused(changed(data, ("pending", "drawn"), other))
    assert (error.where, error.wrong) == ("pending.drawn", f'is "{other}"')


@pytest.mark.parametrize("seed", [bytes(32), OTHER_SEED, SEED[::-1] + b""])
@pytest.mark.parametrize("end", ["complete", "resigned", "abandoned"])
def test_another_game_is_not_proven_by_this_seed(end: str, seed: bytes) -> None:
    """By the rules it is right in everything: a server that drew what it liked."""
    state = played(fair_game(seed=seed, first=0), 10_000 if end == "complete" else 30)
    if end != "complete":
        state = state.resign(0) if end == "resigned" else state.abandon()
    data = {**as_json(state), "fair": cronberg()["fair"]}
    GameRecord.from_json(json.dumps(data)).replay()
    places = places_of_draws(data)
    right = draws_of(key_of(data["fair"]), len(places))
    assert refused(data).where == next(at for (at, one), other in zip(places, right, strict=True) if one != other)


def test_one_draw_that_the_server_changed_is_found() -> None:
    """The game goes on by the rules after a draw that chance did not give."""

    class Liking:
        def pick(self, label: str, weights: list[int]) -> int:
            index = fair.chance(SEED, ENTROPY[:2]).pick(label, weights)
            return index if label != "draw 9" else next(i for i, left in enumerate(weights) if left and i != index)

    state = load("cronberg").start(chance=Liking(), extra={"fair": cronberg()["fair"]})
    data = as_json(played(state))
    where, _ = places_of_draws(data)[8]
    error = refused(data)
    assert (type(error), error.where) == (Unproven, where)


def test_a_broken_rule_is_told_as_such() -> None:
    data = cronberg()
    index = next(index for index, move in enumerate(data["moves"]) if "scored" in move)
    error = refused(changed(data, ("moves", index, "scored", 0, "points"), 99))
    assert (type(error), error.where, error.rule) == (BrokenRecord, f"moves[{index}].scored[0].points", "C6.1")
    for key in ("scores", "winners"):
        assert type(refused(changed(data, (key,), [1, 0] if key == "winners" else [1, 2]))) is BrokenRecord
    assert refused(changed(data, ("edition_sha256",), "0" * 64)).where == "edition_sha256"


def test_a_record_never_opens_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text((EDITIONS / "hamlet.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert refused(changed(cronberg(), ("edition",), str(file))).where == "edition"


def test_a_match_of_this_program_draws_by_other_labels() -> None:
    """Games of a `Match` share one source, and say `game 2 draw 5`: such a game is not a fair table's."""
    match = Match(load("cronberg"), 2, chance=fair.chance(SEED, ENTROPY[:2]))
    data = {**as_json(played(match.start())), "fair": cronberg()["fair"]}
    assert type(refused(data)) is Unproven


@given(st.data())
def test_anything_else_in_fair_is_refused_in_order(data: st.DataObject) -> None:
    """Whatever stands in `fair`: proven only as it was, and never a fault of the program."""
    right = cronberg()
    anything = st.none() | st.text(max_size=70) | st.sampled_from([SEED.hex(), right["fair"]["commitment"], *ENTROPY])
    told = {
        "commitment": data.draw(anything),
        "entropy": data.draw(st.lists(anything, max_size=4)),
        "seed": data.draw(anything),
    }
    if told == right["fair"]:
        return
    with pytest.raises(EmbertownError):
        verified({**right, "fair": told})


# ---- by hand


def by_hand() -> str:
    """The documentation's proof, which needs nothing of ours."""
    page = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
    (block,) = (part for part in re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL) if "hmac" in part)
    return str(block)


def test_the_proof_by_hand_is_short_and_needs_only_the_standard_library() -> None:
    assert len(by_hand().splitlines()) <= 15
    assert re.findall(r"^(?:import|from) .*", by_hand(), re.MULTILINE) == ["import hashlib, hmac, json"]


@pytest.mark.parametrize("tamper", ["nothing", "commitment", "seed", "entropy", "moves"])
def test_the_proof_by_hand_finds_what_verify_finds(
    tamper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = cronberg()
    index = next(index for index, move in enumerate(data["moves"]) if move.get("rhomb") == "house")
    places: dict[str, tuple[tuple[str | int, ...], object]] = {
        "commitment": (("fair", "commitment"), fair.commitment(OTHER_SEED)),
        "seed": (("fair", "seed"), OTHER_SEED.hex()),
        "entropy": (("fair", "entropy", 1), "more"),
        "moves": (("moves", index, "rhomb"), "church"),
    }
    if tamper in places:
        data = changed(data, *places[tamper])
    (tmp_path / "game.json").write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if tamper == "nothing":
        exec(by_hand(), {})
        return
    refused(data)
    with pytest.raises(AssertionError):
        exec(by_hand(), {})


# ---- anything at all


@pytest.mark.parametrize("game", ["cronberg", "drunter"])
@given(data=st.data())
def test_whatever_is_changed_in_a_record_is_refused_in_order(game: str, data: st.DataObject) -> None:
    """One place of the record is another value of its type, is gone, or stands elsewhere: never a fault of ours.

    Decisions alone may be others that the rules allow: no seed proves those.
    """
    right = cronberg(3) if game == "cronberg" else drunter(3, True)
    place = data.draw(st.sampled_from([place for place in leaves(right) if place[0] != "seats"]))
    elsewhere = data.draw(st.sampled_from(list(leaves(right))))
    value = data.draw(st.sampled_from([other(at(right, place)), ..., at(right, elsewhere)]))
    if value is not ... and json.dumps(value) == json.dumps(at(right, place)):
        return
    with suppress(EmbertownError) if place[0] == "moves" else pytest.raises(EmbertownError):
        assert verified(changed(right, place, value)).is_over
