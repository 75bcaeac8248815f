"""Fair games to verify, and their outcomes computed by other means: hashlib, hmac and the numbers of the rulebooks."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Any

from embertown import load
from embertown.core.chance import SeededChance
from embertown.server import fair

SEED = bytes(range(32))
ENTROPY = ("my dice: 3 6 1", None, 'été " , null', "0f3a")

RHOMBI = {  # of cronberg-1726, in the order of their ids
    "cemetery": 3,
    "church": 4,
    "city-hall": 4,
    "dungeon": 3,
    "gallows": 3,
    "house": 4,
    "market": 4,
    "tannery": 3,
}
TILES = {1: [12, 6, 6], 2: [12, 6, 6], 3: [6, 3, 3]}
"""Of schilda, by length: wall, road, river."""
CARDS = ("town-hall", "fire-station", "school", "inn", "museum", "church", "threes", "fours", "lowest", "ones")

Json = dict[str, Any]


def fair_game(
    game: str = "cronberg",
    players: int = 2,
    *,
    entropy: Sequence[str | None] | None = None,
    seed: bytes = SEED,
    edition: Any = None,
    variant: bool = False,
    extra: Json | None = None,
    **start: Any,
) -> Any:
    """A game at its start as a server has it, the seed told already."""
    sent = list(ENTROPY[:players] if entropy is None else entropy)
    told = {"fair": fair.proof(fair.commitment(seed), sent, seed), **(extra or {})}
    options = {"variant": True} if variant else {}
    return load(game, players=players, edition=edition, **options).start(
        chance=fair.chance(seed, sent), extra=told, **start
    )


def played(state: Any, decisions: int = 10_000, *, ways: str = "any") -> Any:
    """Play on in a fixed way, for so many decisions or to the end."""
    lots = SeededChance(ways)
    for step in range(decisions):
        if state.is_over:
            break
        seat = state.waiting[0]
        actions = state.legal_actions_of(seat)
        state.play(actions[lots.pick(f"{step}", [1] * len(actions))], seat)
    return state


def as_json(state: Any) -> Json:
    data: Json = json.loads(state.record().to_json())
    return data


# ---- the same by other means


def key_of(told: Json) -> bytes:
    """The game's key, as the documentation has it."""
    written = "[" + ",".join("null" if one is None else json.dumps(one, ensure_ascii=False) for one in told["entropy"])
    message = b"embertown-fair/1 key " + (written + "]").encode("utf-8")
    return hmac.new(bytes.fromhex(told["seed"]), message, hashlib.sha256).digest()


def pick(key: bytes, label: str, weights: Sequence[int]) -> int:
    """The index into the weights: counted down one by one, so that it can be followed."""
    number = int(hmac.new(key, label.encode(), hashlib.sha256).hexdigest(), 16) * sum(weights) // 2**256
    for index, weight in enumerate(weights):
        if number < weight:
            return index
        number -= weight
    raise AssertionError("beyond the weights")


def draws_of(key: bytes, number: int, rhombi: dict[str, int] | None = None) -> list[str]:
    """The first rhombi of a game."""
    left, drawn = dict(rhombi or RHOMBI), []
    for nth in range(number):
        drawn.append(list(left)[pick(key, f"draw {nth + 1}", list(left.values()))])
        left[drawn[-1]] -= 1
    return drawn


def deal_of(key: bytes, players: int, each: int) -> Json:
    """What is dealt in Schilda."""
    tiles: list[Json] = [{"wall": [0] * 3, "road": [0] * 3, "river": [0] * 3} for _ in range(players)]
    for length, there in TILES.items():
        left, share = list(there), sum(there) // players
        for number in range(share * players):
            kind = pick(key, f"tile {length} {number + 1}", left)
            left[kind] -= 1
            tiles[number // share][["wall", "road", "river"][kind]][length - 1] += 1
    pile = list(CARDS if each == 2 else CARDS[:6])
    cards = [pile.pop(pick(key, f"objective {nth + 1}", [1] * len(pile))) for nth in range(players * each)]
    return {"tiles": tiles, "objectives": [cards[seat * each : (seat + 1) * each] for seat in range(players)]}


def places_of_draws(data: Json) -> list[tuple[str, str]]:
    """Where a record of Cronberg names what was drawn, and what it says there."""
    found = [(f"moves[{index}].rhomb", move["rhomb"]) for index, move in enumerate(data["moves"]) if "rhomb" in move]
    return found + ([("pending.drawn", data["pending"]["drawn"])] if "pending" in data else [])
