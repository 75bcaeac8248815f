"""`network`: the weights that come along play at both games, and it says where it does not know a game."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import embertown
from embertown.bots import bot, cronberg_network
from embertown.bots.cronberg_network import is_unknown, own_network
from embertown.bots.network import FOLDER, TOLD, NetworkWeights, chances, network_of
from embertown.bots.network_bot import SOME_SIMULATIONS, NetworkBot, hint
from embertown.core.errors import BadArgument, UnknownGame
from embertown.core.game import Game, View
from embertown.cronberg import observation
from embertown.cronberg.grid import GRID
from embertown.drunter.grid import GRID as DRUNTER_GRID
from embertown.games import GameRecord
from embertown.testing import check_bot
from embertown.testing.questions import kinds_of
from tests.large_boards import large_cronberg, large_drunter
from tests.small_drunter import begin

GAMES = ("cronberg", "drunter")
CRONBERGS = ("cronberg", "cronberg-2")
MOST_BYTES = 8_000_000
RECORDS = Path(__file__).parents[1] / "records"


def test_the_weights_are_small_and_carry_their_cards() -> None:
    sizes = 0
    for file in sorted(Path(str(FOLDER)).glob("*.npz")):
        content, card = file.read_bytes(), json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        players = card["training"]["settings"]["players"]
        assert file.stem in (card["game"], f"{card['game']}-{players[0]}")
        assert card["sha256"] == hashlib.sha256(content).hexdigest()
        assert card["training"]["trained_seconds"] > 0
        assert card["training"]["settings"]["seed"] >= 0
        assert sum(piece["steps"] for piece in card["training"]["begun_from"] or []) < card["training"]["steps"]
        assert card["reached"][-1][f"{players[0]}_against_random"][0] > 0.9
        sizes += len(content)
    assert sizes < MOST_BYTES


def test_cronbergs_cards_tell_where_the_networks_began() -> None:
    """Both from one network for all numbers of players, the one for two by way of two pieces of its own."""
    cards = {name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in CRONBERGS}
    first, *others = cards["cronberg-2"]["training"]["begun_from"]
    (before,) = cards["cronberg"]["training"]["begun_from"]
    assert first == before
    assert first["players"] == [2, 3, 4]
    wishes = [(piece["players"], piece["learning"]["win_weight"], piece["steps"]) for piece in others]
    assert wishes == [([2], 0.6, 325_058_560), ([2], 0.7, 261_619_712)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_network_that_learned_with_as_many_plays(players: int) -> None:
    for game, grid in (("cronberg", GRID), ("drunter", DRUNTER_GRID)):
        assert players in network_of(game, players, grid).players
    assert (network_of("cronberg", players, GRID) is own_network(2)) == (players == 2)


@pytest.mark.parametrize("kind", [kind for game in GAMES for kind in kinds_of(game)], ids=repr)
def test_it_plays_every_kind_of_game_by_the_rules(kind: Game) -> None:
    """At once where it knows the game; where it does not it says so, and searches."""
    state: Any = kind.start(seed=3)
    for _ in range(24):
        if state.is_over:
            break
        seat = state.seat
        choice = bot("network").choose(state.view(seat), simulations=8)
        if "several_cards" in kind.options:
            assert choice.reasons.because == "the network votes with one card only (D6.6): searched"
        else:
            assert choice.reasons.simulations == 0
        state.play(choice.action, seat)


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (large_cronberg().start(seed=1, first=0).view(0), "the board does not lie in the hexagon"),
        (begin(large_drunter()).view(0), "the board is larger than the network knows"),
    ],
)
def test_a_board_unlike_what_it_knows_is_searched_and_said_so(view: View[Any], said: str) -> None:
    choice = NetworkBot().choose(view, simulations=50, seed=1)
    assert choice.reasons.because.startswith(said)
    assert choice.reasons.because.endswith(": searched")
    assert 0 < choice.reasons.simulations <= 50
    assert NetworkBot().choose(view, seed=1).reasons.simulations <= SOME_SIMULATIONS
    assert choice == NetworkBot().choose(view, simulations=50, seed=1)


def test_a_number_of_players_that_it_has_not_learned_is_said() -> None:
    view = embertown.load("cronberg", 3).start(seed=1).view(0)
    assert own_network(3).players == {3, 4}
    assert is_unknown(view) == ""
    arrays = dict(np.load(io.BytesIO((FOLDER / "cronberg.npz").read_bytes())))
    for_two = NetworkWeights(arrays, {"training": {"settings": {"players": [2]}}}, GRID)
    assert is_unknown(view, for_two) == "the network has not learned to play with 3 players"


def test_the_likeliest_is_told_first_with_its_share() -> None:
    state: Any = embertown.load("cronberg", 2).start(seed=7, first=0)
    view = state.view(0)
    choice = bot("network").choose(view)
    row = observation.observation(view)[None]
    mask = np.zeros((1, observation.ACTIONS), np.uint8)
    observation.mask_many(view.game.board.box, view.position_array(), observation.symmetries(view.game.board)[:1], mask)
    share = float(chances(own_network(2).think(row)[0], mask).max())
    assert choice.reasons.because.startswith(f"the network's choices: {view.text(choice.action)} {share:.0%}, ")
    assert choice.reasons.considered == ()


@pytest.mark.parametrize("moves", [0, 5, 12, 20])
@pytest.mark.parametrize("name", ["drunter-4", "drunter-variant-3", "drunter-several-cards-4"])
def test_a_hint_knows_no_more_than_its_seat(name: str, moves: int) -> None:
    """It stays the same where the others have each other's objectives, be it a search's with the network or alone."""
    record = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    begun = {key: value for key, value in record.items() if key not in ("final", "scores", "winners", "end")}
    begun["moves"] = record["moves"][:moves]
    state = GameRecord.from_dict(begun, "").replay()
    seat = state.seat
    assert seat is not None
    dealt = begun["deal"]["objectives"]
    own, others = dealt[seat], [each for other, each in enumerate(dealt) if other != seat]
    mixed = [*others[1:], others[0]]
    begun["deal"] = {**begun["deal"], "objectives": [*mixed[:seat], own, *mixed[seat:]]}
    elsewhere = GameRecord.from_dict(begun, "").replay()
    assert elsewhere.record().to_dict()["deal"] != state.record().to_dict()["deal"]
    assert hint(elsewhere.view(seat)) == hint(state.view(seat))


def test_at_cronberg_the_network_alone_advises() -> None:
    view = embertown.load("cronberg", 3).start(seed=2, first=0).view(0)
    found = hint(view)
    assert (found.by, found.reason) == ("network", "")
    assert found.best == cronberg_network.look(view).likely[:TOLD]
    assert found.win_share == cronberg_network.look(view).win_share


@pytest.mark.parametrize("options", [{}, {"variant": True}])
def test_at_drunter_a_search_with_the_network_advises(options: dict[str, bool]) -> None:
    """The best few are those that `network-search` tried most."""
    view = embertown.load("drunter", 3, **options).start(seed=2, first=0).view(0)
    found, searched = hint(view, 200), bot("network-search").choose(view, simulations=200).reasons
    assert (found.by, found.reason) == ("both", "")
    tried = sum(each.visits for each in searched.considered)
    assert found.best == tuple((each.action, each.visits / tried) for each in searched.considered[:TOLD])
    assert found.win_share == searched.win_share[0]


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (large_cronberg().start(seed=1, first=0).view(0), "the board does not lie in the hexagon"),
        (begin(large_drunter()).view(0), "the board is larger than the network knows"),
        (embertown.load("drunter", 2, several_cards=True).start(seed=1, first=0).view(0), "the network votes with one"),
    ],
    ids=["cronberg", "drunter", "several cards"],
)
def test_where_the_network_does_not_know_the_game_a_search_alone_advises(view: View[Any], said: str) -> None:
    found, searched = hint(view, 200), bot("master").choose(view, simulations=200).reasons
    assert found.by == "search"
    assert found.reason.startswith(said)
    assert [action for action, _ in found.best] == [each.action for each in searched.considered[:TOLD]]


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_the_same_every_time(game: str) -> None:
    """Whatever was asked between; and its shares are those of the best, in their order."""
    view, other = (embertown.load(game, 2).start(seed=seed, first=0).view(0) for seed in (3, 4))
    found = hint(view)
    hint(other)
    assert hint(view) == found
    shares = [share for _, share in found.best]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1 + 1e-6
    assert found.win_share is not None
    assert 0 < found.win_share < 1


def test_an_end_that_is_solved_is_told_as_the_best_alone() -> None:
    """How many positions lie below an action says nothing of its worth."""
    state: Any = large_cronberg().start(seed=1, first=0)
    while True:
        view = state.view(state.seat)
        reasons = bot("master").choose(view, simulations=SOME_SIMULATIONS).reasons
        if reasons.exact and len(view.legal_actions) > 1:
            break
        state.play(bot("greedy").choose(view).action)
    assert hint(view).best == ((reasons.considered[0].action, 1.0),)
    assert hint(view).win_share == reasons.win_share[state.seat]


def test_views_without_a_choice_and_other_games_are_refused() -> None:
    state = embertown.load("cronberg", 2).start(seed=7, first=0)
    with pytest.raises(BadArgument, match="right would be: its own view"):
        NetworkBot().choose(state.view(1))
    with pytest.raises(BadArgument, match="right would be: its own view"):
        hint(state.view(1))

    class Stranger:
        name = "chess"

    class StrangeView:
        game = Stranger()

    view: Any = StrangeView()
    with pytest.raises(UnknownGame, match="chess"):
        NetworkBot().choose(view)


@pytest.mark.parametrize("game", [large_cronberg(3), large_drunter()], ids=["cronberg", "drunter"])
def test_its_promises_hold_where_it_searches(game: Game) -> None:
    check_bot(NetworkBot, [game])
