"""Fair shuffles: a commitment before the game, the players' own entropy, and a proof when it is over.

Before anybody sits down the server draws a seed and publishes only its commitment. Each seat may send entropy until
the game starts. Both together make the game's key, and every outcome is `embertown.core.chance.SeededChance` with that
key: HMAC, so that nothing that is published, drawn or dealt tells what comes next. When the game is over the seed is
told, and anybody can compute every outcome again. `docs/fairness.md` says what that proves and what it does not.

The two formulas are part of the record's format (`fair`); a change of either raises the number in their tags.

>>> seed, entropy = bytes(32), ["a roll of my dice: 3 6 1", None]
>>> commitment(seed)[:16]
'49a4943947ee8122'
>>> chance(seed, entropy).pick("first", [1, 1])
0
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from embertown.core.chance import SeededChance
from embertown.core.errors import BadArgument, BrokenRecord, EmbertownError, shown
from embertown.core.game import State
from embertown.core.record import FairOfRecord, as_json
from embertown.games import GameRecord
from embertown.server.errors import Refused

SEED_BYTES = 32
HEX_DIGITS = 2 * SEED_BYTES
"""Of a seed, and of a commitment: SHA-256 has as many bytes."""
ENTROPY_LENGTH = 200
"""Characters of entropy: what a record holds."""
COMMITMENT_TAG = b"embertown-fair/1 commitment "
KEY_TAG = b"embertown-fair/1 key "
"""Tags keep the two uses of a seed apart, whatever a player sends."""


class Unproven(EmbertownError):
    """A record that does not follow from its own commitment, entropy and seed.

    >>> print(Unproven("moves[3].rhomb", 'is "church"', '"inn", as the seed draws it'))
    moves[3].rhomb: is "church"; right would be: "inn", as the seed draws it
    """

    def __init__(self, where: str, wrong: str, right: str, file: str = "") -> None:
        super().__init__(where, wrong, right, file)
        self.where, self.wrong, self.right, self.file = where, wrong, right, file

    def message(self) -> str:
        """Where, what is wrong, and what would be right."""
        place = ": ".join(part for part in (self.file, self.where) if part)
        return f"{place}: {self.wrong}; right would be: {self.right}"


class NoProof(Unproven):
    """A record with nothing to prove it by: none was made, or the seed is not told yet."""


# ---- before and during the game


def new_seed() -> bytes:
    """The secret of one table: never two games with the same, and nobody sees it before the end."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is published before the game: SHA-256 over a tag and the seed, as hex."""
    return hashlib.sha256(COMMITMENT_TAG + _checked_seed(seed)).hexdigest()


def checked_entropy(given: object) -> str:
    """A player's entropy as it was sent, if a record can hold it; else `Refused`."""
    if not _is_entropy(given):
        raise Refused("bad_entropy", status=422, longest=ENTROPY_LENGTH)
    return str(given)


def game_key(seed: bytes, entropy: Sequence[str | None]) -> bytes:
    """The key of a game: HMAC-SHA256 with the seed as key over a tag and the entropy by seat.

    The entropy is written as JSON (a list, null where a seat sent none, no blanks, UTF-8), so that no two lists are
    written alike.
    """
    for seat, one in enumerate(entropy):
        if one is not None and not _is_entropy(one):
            raise BadArgument(f"entropy of seat {seat} is {shown(one)}; right would be: {_RIGHT_ENTROPY}")
    written = json.dumps(list(entropy), ensure_ascii=False, separators=(",", ":"))
    return hmac.digest(_checked_seed(seed), KEY_TAG + written.encode(), "sha256")


class FairChance(SeededChance):
    """Outcomes of a fair game; its key is shown nowhere, whatever is logged."""

    def __repr__(self) -> str:
        return "<FairChance>"


def chance(seed: bytes, entropy: Sequence[str | None]) -> FairChance:
    """What decides a game: from its start on, with the entropy of all seats."""
    return FairChance(game_key(seed, entropy))


def proof(published: str, entropy: Sequence[str | None], seed: bytes | None) -> dict[str, Any]:
    """The record's `fair`; the seed only when the game is over, before that None."""
    told = None if seed is None else _checked_seed(seed).hex()
    return {"commitment": published, "entropy": list(entropy), "seed": told}


_RIGHT_ENTROPY = f"1 to {ENTROPY_LENGTH} printable characters"


def _is_entropy(given: object) -> bool:
    return isinstance(given, str) and 1 <= len(given) <= ENTROPY_LENGTH and given.isprintable()


def _checked_seed(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:  # a secret: told by its length alone
        raise BadArgument(f"a seed has {len(seed)} bytes; right would be: {SEED_BYTES}")
    return seed


# ---- after it


@dataclass(frozen=True)
class Verified:
    """What a record was proven to follow from, and what the proof does not cover."""

    commitment: str
    entropy: tuple[str | None, ...]
    draws: int
    """Outcomes in the course of the game, as they stand in the moves."""
    dealt: bool
    first_by_lot: bool
    """Whether the lot gives the seat that began; where not, the start passed on, or somebody chose."""
    is_whole: bool
    """Whether all that was dealt is told in the record."""
    is_over: bool

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know besides."""
        said = {
            "no seat sent entropy: the server alone chose this shuffle, before the game": not any(self.entropy),
            "first was not drawn by lot: right where the start passed on, or the table said who begins": (
                not self.first_by_lot
            ),
            "nothing was dealt or drawn: there is nothing to prove": not self.dealt and not self.draws,
            "not all that was dealt is told in the record: the rest was compared": not self.is_whole,
            "the game goes on, and its seed is told: whoever has it knows what is to come": not self.is_over,
        }
        return tuple(remark for remark, applies in said.items() if applies)


def verify(
    record: GameRecord, *, published: str | None = None, sent: str | None = None, by_lot: bool = False
) -> Verified:
    """Compute every outcome of a record again from its seed, after checking the seed against the commitment.

    `published` is the commitment as a player saw it before the game, `sent` the entropy that they sent, `by_lot` says
    that the table was to draw who begins; each makes the proof stronger. Raises `Unproven` where anything differs,
    `NoProof` where there is nothing to compare with, and `BrokenRecord` where the record is against the rules.
    """
    fair, seed = _checked_fair(record, published, sent)
    source = chance(seed, fair.entropy)
    lot = source.pick("first", [1] * len(record.seats))
    if by_lot and record.first != lot:
        raise Unproven("first", f"is {record.first}", f"{lot}, as the seed draws it")
    whole = _check_deal(record, source)
    return Verified(
        commitment=fair.commitment,
        entropy=tuple(fair.entropy),
        draws=_check_draws(record, source),
        dealt=record.deal is not None,
        first_by_lot=record.first == lot,
        is_whole=whole,
        is_over=record.end is not None,
    )


def _checked_fair(record: GameRecord, published: str | None, sent: str | None) -> tuple[FairOfRecord, bytes]:
    """`fair` and the seed, once they fit each other and what a player knows."""
    fair = record.fair
    if fair is None:
        raise NoProof("fair", "is missing", "the record of a game for which a server published a commitment")
    if published is not None and fair.commitment != published:
        raise Unproven("fair.commitment", f"is {as_json(fair.commitment)}", f"{as_json(published)}, as published")
    _check_entropy(fair.entropy, len(record.seats), sent)
    _check_hex("fair.commitment", fair.commitment)
    if fair.seed is None:
        raise NoProof("fair.seed", "is null", "the seed; the server tells it when the game is over")
    seed = _check_hex("fair.seed", fair.seed)
    if commitment(seed) != fair.commitment:
        right = f"{as_json(commitment(seed))}, as fair.seed gives it; another seed was committed to"
        raise Unproven("fair.commitment", f"is {as_json(fair.commitment)}", right)
    return fair, seed


def _check_entropy(entropy: Sequence[str | None], players: int, sent: str | None) -> None:
    if len(entropy) != players:
        raise Unproven("fair.entropy", f"has {len(entropy)} entries", f"{players}, one for each seat")
    for seat, one in enumerate(entropy):
        if one is not None and not _is_entropy(one):
            raise Unproven(f"fair.entropy[{seat}]", f"is {as_json(one)}", f"{_RIGHT_ENTROPY}, or null")
    if sent is not None and sent not in entropy:
        raise Unproven("fair.entropy", f"is {as_json(list(entropy))}", f"with {as_json(sent)} in it, as it was sent")


def _check_hex(where: str, text: str) -> bytes:
    if not re.fullmatch(rf"[0-9a-f]{{{HEX_DIGITS}}}", text):
        raise Unproven(where, f"is {as_json(text)}", f"{HEX_DIGITS} hex digits, in small letters")
    return bytes.fromhex(text)


def _check_deal(record: GameRecord, source: FairChance) -> bool:
    """Compare what was dealt, before any move; whether the record tells all of it."""
    game = record.cut(0).replay().game
    dealt = game.start(chance=source, first=record.first).heading.deal
    found = record.to_dict().get("deal")
    right = _as_told(found, dealt)
    try:
        record.compare("deal", "", found, right)
    except BrokenRecord as error:
        raise Unproven(error.where, error.wrong, f"{error.right}, as the seed deals it") from None
    return bool(right == dealt)


def _as_told(found: Any, right: Any) -> Any:
    """What is right, with null wherever the record does not tell (objectives that were never revealed)."""
    if found is None:
        return None
    if isinstance(found, dict) and isinstance(right, dict):
        return {key: _as_told(found.get(key), value) for key, value in right.items()}
    if isinstance(found, list) and isinstance(right, list) and len(found) == len(right):
        return [_as_told(one, other) for one, other in zip(found, right, strict=True)]
    return right


def _check_draws(record: GameRecord, source: FairChance) -> int:
    """Compare every outcome in the course of the game; how many there are.

    Where the record is against the rules, what was drawn before that place comes first: a rhomb put in another's place
    often breaks a rule only moves later.
    """
    state, problem = _replayed(record)
    draws = sum(entry.seat is None for entry in state.log)
    if draws:
        _compare_draws(record, state, source)
    if problem is not None:
        raise problem
    return draws


def _replayed(record: GameRecord) -> tuple[State[Any], BrokenRecord | None]:
    """The game as far as it follows the rules, and where it does not.

    Each attempt is shorter than the one before, and a game without moves follows the rules: its deal was compared.
    """
    attempt, problem = record, None
    while True:
        try:
            return attempt.replay(), problem
        except BrokenRecord as error:
            problem = problem or error
            attempt = _before(record, attempt, error)


def _before(record: GameRecord, attempt: GameRecord, error: BrokenRecord) -> GameRecord:
    """The game up to what an attempt stumbled over."""
    move = re.match(r"moves\[(\d+)\]", error.where)
    if move:
        return record.cut(int(move[1]), drawn=True)
    if attempt.pending is not None:
        return record.cut(len(attempt.moves))
    return record.cut(len(attempt.moves) - 1, drawn=True)


def _compare_draws(record: GameRecord, state: State[Any], source: FairChance) -> None:
    """Make the same decisions in a game that the seed decides: its outcomes must be the same."""
    fair = state.game.start(chance=source, first=record.first)
    draws = iter(record.draws())
    for index, entry in enumerate(state.log):
        if entry.seat is not None:
            fair.play(entry.text, entry.seat)
            continue
        found = next(draws)
        if entry.text != fair.log[index].text:
            right = fair.log[index].text.partition(" ")[2]
            raise Unproven(found.where, f"is {as_json(found.what)}", f"{as_json(right)}, as the seed draws it")
