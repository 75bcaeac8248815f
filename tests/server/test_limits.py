"""Limits: a bucket for each kind and key, compared with a slow one that counts exactly; bounded, and never leaking."""

import pickle
from fractions import Fraction
from ipaddress import IPv4Address, IPv6Address
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.core.locale import LANGUAGES, catalogue
from embertown.server.limits import (
    OPEN_AT_ONCE,
    RATES,
    Key,
    Kind,
    Limits,
    Rate,
    TooMany,
    address_key,
    guest_key,
)

ANNA, BERT = guest_key("anna"), guest_key("bert")
HOME = address_key("192.0.2.1")


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self, now: float = 1e6) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def allowed(limits: Limits, kind: Kind, *keys: Key) -> bool:
    try:
        limits.check(kind, *keys)
    except TooMany:
        return False
    return True


# ---- buckets


class Bucket:
    """Tokens, counted as the textbook says."""

    def __init__(self, rate: Rate) -> None:
        self.burst, self.per_second = rate.burst, Fraction(rate.per_minute) / 60
        self.tokens, self.at = Fraction(rate.burst), Fraction(0)

    def take(self, now: Fraction) -> bool:
        self.tokens = min(Fraction(self.burst), self.tokens + (now - self.at) * self.per_second)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


@given(
    rate=st.builds(Rate, st.integers(1, 8), st.sampled_from([15, 60, 120, 960])),
    pauses=st.lists(st.integers(0, 40), max_size=60),
)
def test_a_bucket_counts_as_the_textbook_says(rate: Rate, pauses: list[int]) -> None:
    # pauses of quarters of a second and paces that are powers of two, so that both count without rounding
    clock, bucket = Clock(0), Bucket(rate)
    limits = Limits({(Kind.CHAT, "guest"): rate}, clock=clock)
    for pause in pauses:
        clock.now += pause / 4
        assert allowed(limits, Kind.CHAT, ANNA) == bucket.take(Fraction(clock.now))


@given(
    rate=st.builds(Rate, st.integers(1, 50), st.floats(0.1, 60_000)),
    start=st.floats(0, 1e7),
)
def test_a_burst_is_whole_whatever_the_clock_and_the_pace(rate: Rate, start: float) -> None:
    limits = Limits({(Kind.CHAT, "guest"): rate}, clock=Clock(start))
    passed = sum(allowed(limits, Kind.CHAT, ANNA) for _ in range(rate.burst + 3))
    assert passed == rate.burst


@given(st.builds(Rate, st.integers(1, 50), st.floats(0.1, 10_000)), st.integers(1, 20))
def test_after_the_time_told_the_next_one_passes_and_not_before(rate: Rate, tries: int) -> None:
    clock = Clock(1000)
    limits = Limits({(Kind.TABLES, "guest"): rate}, clock=clock)
    while allowed(limits, Kind.TABLES, ANNA):
        pass
    for _ in range(tries):  # refused tries cost nothing
        with pytest.raises(TooMany) as caught:
            limits.check(Kind.TABLES, ANNA)
    wait = caught.value.retry_after
    assert wait is not None
    clock.now += wait / 2
    assert not allowed(limits, Kind.TABLES, ANNA)
    clock.now += wait / 2
    assert allowed(limits, Kind.TABLES, ANNA)


def test_kinds_and_keys_have_buckets_of_their_own() -> None:
    rates = {(kind, of): Rate(1, 1) for kind in (Kind.CHAT, Kind.TABLES) for of in ("guest", "address")}
    limits = Limits(rates, clock=Clock())
    for kind in (Kind.CHAT, Kind.TABLES):
        for key in (ANNA, BERT, HOME, Key("address", "anna")):
            assert allowed(limits, kind, key)
            assert not allowed(limits, kind, key)


def test_either_all_buckets_give_a_token_or_none() -> None:
    limits = Limits({(Kind.CHAT, "address"): Rate(2, 1), (Kind.CHAT, "guest"): Rate(1, 1)}, clock=Clock())
    limits.check(Kind.CHAT, HOME, ANNA)
    for _ in range(5):
        assert not allowed(limits, Kind.CHAT, HOME, ANNA)
    limits.check(Kind.CHAT, HOME, BERT)  # the address still has its second token
    assert not allowed(limits, Kind.CHAT, HOME)


def test_the_longest_wait_is_told() -> None:
    limits = Limits({(Kind.CHAT, "address"): Rate(1, 1), (Kind.CHAT, "guest"): Rate(1, 60)}, clock=Clock())
    limits.check(Kind.CHAT, ANNA, HOME)
    with pytest.raises(TooMany) as caught:
        limits.check(Kind.CHAT, ANNA, HOME)
    assert caught.value.retry_after == pytest.approx(60)


def test_without_limits_all_passes() -> None:
    limits = Limits.none()
    for _ in range(10_000):
        limits.check(Kind.MESSAGES, HOME, ANNA)
    assert limits.sizes() == (0, 0)


# ---- memory


def test_memory_is_bounded_and_those_who_are_refused_are_not_forgotten() -> None:
    limits = Limits({(Kind.CLAIMS, "address"): Rate(1, 1)}, clock=Clock(), max_buckets=100)
    limits.check(Kind.CLAIMS, HOME)
    for number in range(5_000):
        limits.check(Kind.CLAIMS, Key("address", str(number)))
        assert not allowed(limits, Kind.CLAIMS, HOME)
        assert limits.sizes()[0] <= 100


def test_the_bucket_that_was_used_longest_ago_goes() -> None:
    limits = Limits({(Kind.CLAIMS, "guest"): Rate(2, 1)}, clock=Clock(), max_buckets=2)
    for key in (ANNA, BERT, ANNA, guest_key("carl")):
        limits.check(Kind.CLAIMS, key)
    assert not allowed(limits, Kind.CLAIMS, ANNA)  # Bert's is gone


# ---- open connections


def test_open_connections_are_counted_and_given_back() -> None:
    limits = Limits({}, {"guest": 2, "address": 3})
    with limits.connected(HOME, ANNA), limits.connected(HOME, ANNA):
        with pytest.raises(TooMany), limits.connected(HOME, ANNA):
            raise AssertionError
        with limits.connected(HOME, BERT):
            with pytest.raises(TooMany, match="connections"), limits.connected(HOME):
                raise AssertionError
            assert limits.sizes() == (0, 3)
    assert limits.sizes() == (0, 0)


def test_a_connection_that_fails_is_given_back() -> None:
    limits = Limits({}, {"guest": 1})
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), limits.connected(ANNA):
            raise ZeroDivisionError
    assert limits.sizes() == (0, 0)


# ---- keys


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_one_network_of_ipv6_is_one_key(network: int, one: int, other: int) -> None:
    first, second = (str(IPv6Address(network << 64 | host)) for host in (one, other))
    if IPv6Address(first).ipv4_mapped is None and IPv6Address(second).ipv4_mapped is None:
        assert address_key(first) == address_key(second)
        assert address_key(first) != address_key(str(IPv6Address((network ^ 1) << 64 | one)))


@given(st.ip_addresses(v=4), st.ip_addresses(v=4))
def test_addresses_of_ipv4_are_their_own_keys_however_they_are_written(one: IPv4Address, other: IPv4Address) -> None:
    assert address_key(f"::ffff:{one}") == address_key(str(one))
    assert (address_key(str(one)) == address_key(str(other))) == (one == other)


def test_zones_and_what_is_no_address_have_keys_too() -> None:
    assert address_key("fe80::1%eth0") == address_key("fe80::2%wlan0")
    assert address_key(None) == address_key("testclient") == address_key("") == Key("address", "unknown")


# ---- what is told


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_a_sentence_in_every_language(kind: Kind) -> None:
    error = TooMany(kind, 0.2)
    told = {error.sentence(language) for language in LANGUAGES}
    assert len(told) == len(LANGUAGES)
    assert all(" 1 s" in sentence for sentence in told)
    assert TooMany(kind, 61.5).details["seconds"] == 62


def test_too_many_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(TooMany(Kind.CHAT, 2.5)))
    assert (type(again), again.kind, again.retry_after, str(again)) == (
        TooMany,
        Kind.CHAT,
        2.5,
        str(TooMany(Kind.CHAT, 2.5)),
    )


def test_what_a_guest_may_do_an_address_may_do_more_often() -> None:
    for (kind, of), rate in RATES.items():
        assert rate.burst >= 1
        if of == "guest":
            assert RATES[kind, "address"].burst > rate.burst
            assert RATES[kind, "address"].per_minute > rate.per_minute
    assert {kind for kind, _ in RATES} | {Kind.CONNECTIONS} == set(Kind)
    assert OPEN_AT_ONCE["address"] > OPEN_AT_ONCE["guest"]


def test_refusals_have_the_same_placeholders_in_every_language() -> None:
    def shape(language: str) -> dict[str, set[str | None]]:
        refusals: dict[str, str] = catalogue("server", language)["refusals"]
        return {code: {part[1] for part in Formatter().parse(text)} - {None} for code, text in refusals.items()}

    assert shape("de") == shape("en")
    assert shape("fr") == shape("en")
