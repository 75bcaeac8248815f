"""Chance as explicit outcomes from a source; there is no global randomness anywhere.

A source answers `pick(label, weights)` with an index. The label alone decides the outcome (given the weights), so
taking back a draw and drawing again gives the same rhomb. How `SeededChance` turns a seed and a label into an outcome
is part of the format: HMAC-SHA256, integers only, the same on every machine and under every version of every library.

>>> source = SeededChance(7)
>>> [source.pick(f"draw {n}", [4, 4, 4, 4]) for n in (1, 2, 3, 1)]
[0, 3, 3, 0]
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Protocol

from embertown.core.errors import BadArgument, NoChance, shorten, shown

_DIGEST_BITS = 256
SEED_BYTES = 6
"""Of a derived seed: every format and every language holds such numbers exactly."""


class ChanceSource(Protocol):
    """Whatever decides what is drawn."""

    def pick(self, label: str, weights: Sequence[int]) -> int:
        """The index of the outcome called `label`; each is as likely as its weight says."""


class SeededChance:
    """Outcomes from a seed: an integer, a text or bytes.

    The outcome of a label is HMAC-SHA256 with the seed as key and the label as message, read as an integer of 256
    bits, times the sum of the weights, divided by 2**256: the index into the weights, laid end to end.
    """

    def __init__(self, seed: int | str | bytes) -> None:
        self.seed = seed
        self._key = _key_of(seed)

    def pick(self, label: str, weights: Sequence[int]) -> int:
        """The index that this seed gives the label."""
        check_weights(label, weights)
        digest = hmac.digest(self._key, label.encode(), "sha256")
        nth = (int.from_bytes(digest, "big") * sum(weights)) >> _DIGEST_BITS
        return next(index for index, until in enumerate(accumulate(weights)) if nth < until)

    def __repr__(self) -> str:
        return f"SeededChance({self.seed!r})"


def _key_of(seed: int | str | bytes) -> bytes:
    """A seed as bytes: 7 and "7" are the same seed."""
    try:
        if isinstance(seed, int | str) and not isinstance(seed, bool):
            return str(seed).encode()
        if isinstance(seed, bytes):
            return seed
    except ValueError:  # thousands of digits, or half a character
        pass
    raise BadArgument(f"seed is {shown(seed)}; right would be: a whole number, a text or bytes")


class StatedChance:
    """Outcomes that are known already, by label: a record's, or those of a physical table.

    What is not stated comes from `rest`, or is `NoChance` where there is none.
    """

    def __init__(self, outcomes: Mapping[str, int], rest: ChanceSource | None = None) -> None:
        self.outcomes, self.rest = dict(outcomes), rest

    def pick(self, label: str, weights: Sequence[int]) -> int:
        """The index stated for the label."""
        index = self.outcomes.get(label)
        if index is not None:
            return index
        if self.rest is None:
            raise NoChance(f"nothing decides {label!r}: give a source of chance (chance=SeededChance(7), say)")
        return self.rest.pick(label, weights)


class LabelledChance:
    """Another source, every label of it behind a prefix: so the games of a match draw apart."""

    def __init__(self, source: ChanceSource, prefix: str) -> None:
        self.source, self.prefix = source, prefix

    def pick(self, label: str, weights: Sequence[int]) -> int:
        """The index that the other source gives the longer label."""
        return self.source.pick(f"{self.prefix} {label}", weights)


def fresh_chance() -> SeededChance:
    """A source that nobody can foresee, seeded by the operating system."""
    return SeededChance(secrets.token_bytes(32))


def chance_from(seed: int | str | bytes | None, chance: ChanceSource | None) -> ChanceSource:
    """The source that a caller asked for: by seed, as it is, or a fresh one."""
    if seed is not None and chance is not None:
        raise BadArgument("give a seed or a source of chance, not both")
    if chance is not None:
        return chance
    return fresh_chance() if seed is None else SeededChance(seed)


def derived_seed(*parts: int | str) -> int:
    """A seed for one purpose out of many, from a seed and what tells the purposes apart.

    >>> derived_seed(1, "chance", 0), derived_seed(1, "chance", 1)
    (55301929095317, 209840249128424)
    """
    text = " ".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:SEED_BYTES], "big")


def check_weights(label: str, weights: Sequence[int]) -> None:
    """Weights are whole numbers, none negative, not all 0."""
    if any(type(weight) is not int or weight < 0 for weight in weights) or not any(weights):
        raise BadArgument(
            f"weights of {shorten(label)} are {shown(list(weights))};"
            " right would be: whole numbers of 0 or more, not all of them 0"
        )
