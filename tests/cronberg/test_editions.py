"""Editions: all that the rules allow are read; all else is refused with file, key, what is wrong, what is right."""

import copy
import hashlib
import json
import os
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.core.errors import (
    BadArgument,
    EmbertownError,
    MalformedEdition,
    UnknownEdition,
    UnknownGame,
    UnknownOption,
)
from embertown.cronberg.edition import CronbergEdition
from embertown.games import load
from tests.strategies import cronberg_editions

SHIPPED = {
    "cronberg-1726": "fd71da1360310b1f24e03c96fbad78eda60549095922d408d07fa1c0b2ca9d00",
    "cronberg-quarters": "b4151d7a18aef9c3bb4896e8549669752f3efd26c78630b24a7147af77d50de6",
}
GOOD = """
[edition]
id = "mine"
game = "cronberg"
version = 1

[board]
side = 2
tokens = 4
triangles = ["PPPPP", "GGGGGGG", "CCCCCCC", "--.--"]

[rhombi]
church = { count = 4, numbers = [6, 3, 6, 3], de = "Kirche" }
inn = { numbers = [1, 2, -3, 4] }
"""


def good() -> dict[str, Any]:
    return tomllib.loads(GOOD)


def refused(path: Path) -> MalformedEdition:
    """Refused by way of the front door, with the file in the message."""
    with pytest.raises(MalformedEdition) as caught:
        load("cronberg", 2, path)
    error = caught.value
    assert error.file == str(path)
    assert str(error).startswith(f"{path}: ")
    assert error.wrong in str(error)
    assert error.right, "what would be right is missing"
    str(error).encode()
    return error


def refused_text(folder: Path, text: str | bytes) -> MalformedEdition:
    path = folder / "mine.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return refused(path)


# ---- what is right


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_editions_have_the_hash_that_records_know(name: str) -> None:
    assert CronbergEdition.shipped() == tuple(SHIPPED)
    edition = CronbergEdition.find(name)
    assert edition.id == name
    assert edition.sha256 == SHIPPED[name]
    assert edition.reference() == name
    assert sum(rhomb.count for rhomb in edition.rhombi.values()) == 28
    for language in ("en", "de", "fr", "xx"):
        assert all(edition.name_of(kind, language) for kind in edition.rhombi)


@given(cronberg_editions(), st.randoms(use_true_random=False))
def test_c1_every_edition_within_the_rules_is_read(data: dict[str, Any], random: Any) -> None:
    edition = CronbergEdition.from_dict(data)
    assert edition.to_dict() == data, "nothing added, nothing left out"
    assert load("cronberg", 2, data).edition == edition
    assert edition.reference() == data
    # the hash again, by the words of the design
    identity = {
        "board": data["board"],
        "rhombi": {name: [rhomb.get("count", 1), rhomb["numbers"]] for name, rhomb in data["rhombi"].items()},
    }
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert edition.sha256 == hashlib.sha256(text.encode()).hexdigest()
    # names, counts of 1 given or not, and the order of kinds do not matter to it
    twin = copy.deepcopy(data)
    twin["edition"]["id"] = "twin"
    for rhomb in twin["rhombi"].values():
        rhomb |= {"count": rhomb.get("count", 1), "de": "Haus", "fr": "Maison", "en": "house"}
    kinds = list(twin["rhombi"].items())
    random.shuffle(kinds)
    twin["rhombi"] = dict(kinds)
    assert CronbergEdition.from_dict(twin).sha256 == edition.sha256


def test_what_play_depends_on_changes_the_hash() -> None:
    hashes = {CronbergEdition.from_dict(good()).sha256}
    for place, value in (
        (("board", "tokens"), 5),
        (("board", "triangles", 0), "PPPP-"),
        (("rhombi", "inn", "count"), 2),
        (("rhombi", "inn", "numbers"), [1, 2, -3, 5]),
        (("rhombi", "barn"), {"numbers": [1, 1, 1, 1]}),
    ):
        hashes.add(CronbergEdition.from_dict(put(good(), place, value)).sha256)
    assert len(hashes) == 6


def test_an_edition_is_found_by_path_text_or_dict(tmp_path: Path) -> None:
    path = tmp_path / "Mine own.toml"
    path.write_bytes(b"\xef\xbb\xbf" + ("# Kirchspiel, été\r\n" + GOOD.replace("\n", "\r\n")).encode())
    for wanted in (path, str(path), good(), CronbergEdition.from_dict(good())):
        assert load("cronberg", 2, wanted).edition.to_dict() == good()


def test_an_edition_that_ships_is_named_by_id_and_one_given_whole_stays_whole() -> None:
    """Also where it is like a shipped one: a record comes out as it went in."""
    shipped = CronbergEdition.find("cronberg-1726")
    assert shipped.reference() == "cronberg-1726"
    assert CronbergEdition.from_dict(shipped.to_dict()).reference() == shipped.to_dict()


def test_editions_that_differ_in_the_order_of_their_kinds_have_one_hash_and_draw_alike() -> None:
    data = CronbergEdition.find("cronberg-1726").to_dict()
    turned = {**data, "rhombi": dict(reversed(data["rhombi"].items()))}
    games = [load("cronberg", 2, edition).start(seed=3, first=0) for edition in (data, turned)]
    assert games[0].game.edition.sha256 == games[1].game.edition.sha256
    for _ in range(20):
        drawn = [state.play("draw").drawn for state in games]
        assert drawn[0] == drawn[1]
        for state in games:
            state.play(state.legal_actions[0])


def test_c1_3_and_c1_4_the_limits_themselves_are_allowed() -> None:
    whole = ["P" * 9, "G" * 11, "C" * 13, "-" * 15, "P" * 15, "." * 13, "." * 11, "P........"]
    data = put(put(good(), ("board", "side"), 4), ("board", "triangles"), whole)
    assert len(CronbergEdition.from_dict(data).layout.triangles) == 64
    kinds = {f"k{n}": {"numbers": [8, -8, 1, -1]} for n in range(64)}
    assert len(CronbergEdition.from_dict(put(good(), ("rhombi",), kinds)).rhombi) == 64
    one = {"k": {"count": 64, "numbers": [1, 1, 1, 1]}}
    assert CronbergEdition.from_dict(put(good(), ("rhombi",), one)).rhombi["k"].count == 64
    single = ["P....", ".......", ".......", "....."]
    assert len(CronbergEdition.from_dict(put(good(), ("board", "triangles"), single)).layout.places) == 0
    for tokens in (1, 8):
        assert CronbergEdition.from_dict(put(good(), ("board", "tokens"), tokens)).board.tokens == tokens


# ---- what is wrong in it


def put(data: dict[str, Any], place: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """The edition with something else at one place; with `...`, without it."""
    inner: Any = data
    for part in place[:-1]:
        inner = inner[part]
    if value is ...:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return data


SIDE_4 = ["P" * n for n in (9, 11, 13, 15, 15, 13, 11, 9)]
NAN = float("nan")
WRONG: list[tuple[str, tuple[str | int, ...], Any, str, str, str]] = [
    # what, place, value, the key told, in what is wrong, in what is right
    ("C1.1 a strip too short", ("board", "triangles", 1), "GGGGGG", "board", "triangles[1] (strip B) is 6 long", "7"),
    ("C1.1 a strip too long", ("board", "triangles", 0), "PPPPPP", "board", "triangles[0] (strip A) is 6 long", "5"),
    ("C1.1 a strip too few", ("board", "triangles", 3), ..., "board", "has 3 strips", "4 for side 2"),
    ("C1.1 strips of another side", ("board", "side"), 3, "board", "has 4 strips", "6 for side 3"),
    ("C1.1 too many strips", ("board", "triangles"), ["P"] * 9, "board.triangles", "has 9 items", "at most 8"),
    ("C1.3 a wrong symbol", ("board", "triangles", 0), "PPXPP", "board", "'X' at 3", "P G C - ."),
    ("C1.3 a small letter", ("board", "triangles", 0), "PPpPP", "board", "'p' at 3", "P G C - ."),
    ("C1.3 a strip that is none", ("board", "triangles", 0), 5, "board.triangles[0]", "is 5", "string"),
    ("C1.3 no triangles", ("board", "triangles"), ["." * n for n in (5, 7, 7, 5)], "board", "holds 0 tri", "1 to 64"),
    ("C1.3 96 triangles", ("board",), {"side": 4, "tokens": 1, "triangles": SIDE_4}, "board", "holds 96", "1 to 64"),
    (
        "C1.3 65 triangles",
        ("board",),
        {"side": 4, "tokens": 1, "triangles": [*SIDE_4[:5], "P" + "." * 12, "P" + "." * 10, "." * 9]},
        "board",
        "holds 65",
        "1 to 64",
    ),
    ("C1.1 side 5", ("board", "side"), 5, "board.side", "is 5", "4"),
    ("C1.1 side 1", ("board", "side"), 1, "board.side", "is 1", "2"),
    ("C1.1 a side that is huge", ("board", "side"), 10**4000, "board.side", "is 1000", "4"),
    ("C1.1 a side beyond writing", ("board", "side"), 10**5000, "board.side", "too large to show", "4"),
    ("C1.5 no tokens", ("board", "tokens"), 0, "board.tokens", "is 0", "1"),
    ("C1.5 nine tokens", ("board", "tokens"), 9, "board.tokens", "is 9", "8"),
    ("C1.5 true tokens", ("board", "tokens"), True, "board.tokens", "is True", "integer"),
    ("C1.5 4.0 tokens", ("board", "tokens"), 4.0, "board.tokens", "is 4.0", "integer"),
    ("C1.4 three numbers", ("rhombi", "inn", "numbers"), [1, 2, 3], "rhombi.inn.numbers", "has 3 numbers", "4, sharp"),
    ("C1.4 five numbers", ("rhombi", "inn", "numbers"), [1] * 5, "rhombi.inn.numbers", "has 5 numbers", "4, sharp"),
    ("C1.4 a zero", ("rhombi", "inn", "numbers", 2), 0, "rhombi.inn.numbers[2]", "is 0", "without 0"),
    ("C1.4 a nine", ("rhombi", "inn", "numbers", 2), 9, "rhombi.inn.numbers[2]", "is 9", "8"),
    ("C1.4 a minus nine", ("rhombi", "inn", "numbers", 2), -9, "rhombi.inn.numbers[2]", "is -9", "-8"),
    ("C1.4 a fraction", ("rhombi", "inn", "numbers", 2), 1.5, "rhombi.inn.numbers[2]", "is 1.5", "integer"),
    ("C1.4 a truth", ("rhombi", "inn", "numbers", 2), True, "rhombi.inn.numbers[2]", "is True", "integer"),
    ("C1.4 no number at all", ("rhombi", "inn", "numbers", 2), NAN, "rhombi.inn.numbers[2]", "is nan", "integer"),
    ("C1.4 a text", ("rhombi", "inn", "numbers", 2), "3", "rhombi.inn.numbers[2]", "is '3'", "integer"),
    ("C1.4 count 0", ("rhombi", "inn", "count"), 0, "rhombi.inn.count", "is 0", "1"),
    ("C1.4 count 65", ("rhombi", "inn", "count"), 65, "rhombi.inn.count", "is 65", "64"),
    ("C1.4 65 rhombi", ("rhombi", "inn", "count"), 61, "", "rhombi counts 65", "1 to 64"),
    ("C1.4 no rhombi", ("rhombi",), {}, "rhombi", "has 0 items", "at least 1"),
    (
        "C1.4 65 kinds",
        ("rhombi",),
        {f"k{n}": {"numbers": [1, 1, 1, 1]} for n in range(65)},
        "rhombi",
        "has",
        "at most 64",
    ),
    ("another game", ("edition", "game"), "drunter", "edition", "game is 'drunter'", "'cronberg'"),
    ("version 2", ("edition", "version"), 2, "edition.version", "is 2", "1, the version"),
    ("version true", ("edition", "version"), True, "edition.version", "is True", "integer"),
    ("version 1.0", ("edition", "version"), 1.0, "edition.version", "is 1.0", "integer"),
    ("version '1'", ("edition", "version"), "1", "edition.version", "is '1'", "integer"),
    ("a capital in an id", ("edition", "id"), "Mine", "edition.id", "'Mine'", "[a-z]"),
    ("a blank in an id", ("edition", "id"), "my own", "edition.id", "'my own'", "[a-z]"),
    ("a slash in an id", ("edition", "id"), "a/b", "edition.id", "'a/b'", "[a-z]"),
    ("a line break after an id", ("edition", "id"), "a\n", "edition.id", r"'a\n'", "[a-z]"),
    ("an id too long", ("edition", "id"), "a" * 41, "edition.id", "'aaa", "{0,39}"),
    ("an id of nothing", ("edition", "id"), "", "edition.id", "''", "[a-z]"),
    ("a kind with a capital", ("rhombi", "Inn"), {"numbers": [1] * 4}, "rhombi.Inn", "'Inn'", "[a-z]"),
    ("a kind with a plus", ("rhombi", "a+b"), {"numbers": [1] * 4}, "rhombi.a+b", "'a+b'", "[a-z]"),
    ("a kind with a comma", ("rhombi", "a,b"), {"numbers": [1] * 4}, "rhombi.a,b", "'a,b'", "[a-z]"),
    ("a kind called -", ("rhombi", "-"), {"numbers": [1] * 4}, "rhombi.-", "'-'", "[a-z]"),
    ("a name that acts", ("rhombi", "inn", "de"), "\x1b[2J", "rhombi.inn.de", r"'\x1b[2J'", "printable"),
    ("a name turned round", ("rhombi", "inn", "fr"), "\u202einn", "rhombi.inn.fr", r"'\u202einn'", "printable"),
    ("a name of two lines", ("rhombi", "inn", "en"), "a\nb", "rhombi.inn.en", r"'a\nb'", "printable"),
    ("a name too long", ("rhombi", "inn", "de"), "x" * 81, "rhombi.inn.de", "'xxx", "at most 80"),
    ("a name of nothing", ("rhombi", "inn", "de"), "", "rhombi.inn.de", "''", "at least 1"),
    ("half a character", ("rhombi", "inn", "de"), "\ud800", "rhombi.inn.de", r"'\ud800'", "string"),
    ("a rhomb that is none", ("rhombi", "inn"), 5, "rhombi.inn", "is 5", "dictionary"),
    ("rhombi that are none", ("rhombi",), [], "rhombi", "is []", "dictionary"),
    *((f"no {key}", (key,), ..., key, "is missing", "to give it") for key in ("edition", "board", "rhombi")),
    *((f"no {key}", ("edition", key), ..., f"edition.{key}", "is missing", "") for key in ("id", "game", "version")),
    *((f"no {key}", ("board", key), ..., f"board.{key}", "is missing", "") for key in ("side", "tokens", "triangles")),
    ("no numbers", ("rhombi", "inn", "numbers"), ..., "rhombi.inn.numbers", "is missing", "to give it"),
    ("an unknown table", ("theme",), {}, "theme", "not a key", "leave it out"),
    ("an unknown key of edition", ("edition", "title"), "x", "edition.title", "not a key", "leave it out"),
    ("an unknown key of board", ("board", "shape"), "x", "board.shape", "not a key", "leave it out"),
    ("an unknown key of a rhomb", ("rhombi", "inn", "it"), "x", "rhombi.inn.it", "not a key", "leave it out"),
    ("an unknown key that acts", ("\x1b[2J",), 1, "\x1b[2J", "not a key", "leave it out"),
]


@pytest.mark.parametrize(("place", "value", "key", "wrong", "right"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_an_edition_against_the_rules_is_refused(
    place: tuple[str | int, ...], value: Any, key: str, wrong: str, right: str
) -> None:
    data = put(good(), place, value)
    with pytest.raises(MalformedEdition) as caught:
        CronbergEdition.from_dict(data, "my.toml")
    error = caught.value
    assert (error.file, error.key) == ("my.toml", key)
    assert wrong in error.wrong
    assert right in error.right
    assert str(error).startswith("my.toml: ")
    assert str(error).isprintable()
    with pytest.raises(MalformedEdition):
        load("cronberg", 2, data)


@pytest.mark.parametrize("data", [None, 5, [], "x", {}, {1: 2}, {"edition": {None: 1}}])
def test_what_is_no_edition_at_all_is_refused(data: object) -> None:
    with pytest.raises(MalformedEdition):
        CronbergEdition.from_dict(data, "my.toml")


# ---- what is wrong with the file

TEXTS: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "edition: is missing"),
    "a key twice": ("a = 1\na = 2", "is not TOML"),
    "a table twice": (GOOD + "\n[board]\n", "is not TOML"),
    "a rhomb twice": (GOOD + "\ninn = { numbers = [1, 1, 1, 1] }\n", "is not TOML"),
    "a key twice in a rhomb": (GOOD + "\nbarn = { count = 1, count = 2 }\n", "is not TOML"),
    "JSON": (json.dumps(tomllib.loads(GOOD)), "is not TOML"),
    "not UTF-8": (b"# caf\xe9\n", "byte 5: is not UTF-8"),
    "UTF-16": (GOOD.encode("utf-16"), "byte 0: is not UTF-8"),
    "a NUL": ("a = 'b\0'", "is not TOML"),
    "nan": (GOOD.replace("[6, 3, 6, 3]", "[6, 3, 6, nan]"), "rhombi.church.numbers[3]: is nan"),
    "inf": (GOOD.replace("[6, 3, 6, 3]", "[6, 3, 6, -inf]"), "rhombi.church.numbers[3]: is -inf"),
    "a date": (GOOD.replace("side = 2", "side = 1726-01-01"), "board.side: is datetime.date"),
    "no such date": ("a = 2020-13-45", "is not TOML"),
    "deep": ("a = " + "[" * 100_000, "is not TOML"),
    "deep headings": ("[" * 100_000, "is not TOML"),
    "deep tables": ("a = " + "{a=" * 20_000, "is not TOML"),
    "deep dots": ("a." * 5_000 + "a = 1", "line 1: has 5000 dots"),
    "deep dots in a heading": ("\n[" + "a." * 5_000 + "a]", "line 2: has 5000 dots"),
    "a number beyond reading": ("a = " + "1" * 5_000, "is not TOML"),
    "a number hard to write": (GOOD.replace("side = 2", "side = " + "1" * 4_000), "board.side: is 1111"),
    "a number hard to write in hex": (GOOD.replace("side = 2", "side = 0x" + "f" * 5_000), "board.side: is a value of"),
}


@pytest.mark.parametrize("what", TEXTS)
def test_a_file_that_is_no_edition_is_refused(what: str, tmp_path: Path) -> None:
    text, wrong = TEXTS[what]
    error = refused_text(tmp_path, text)
    assert wrong in str(error)
    assert len(str(error)) < 500


def test_a_file_is_read_up_to_its_limit_only(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)  # no such space is taken on the disk
    error = refused(path)
    assert (error.wrong, error.right) == ("is too large", "at most 256 KiB")
    path.write_text(GOOD + "#" * (256 * 1024 - len(GOOD)))
    assert load("cronberg", 2, path).edition.id == "mine"
    path.write_text(GOOD + "#" * (256 * 1024 - len(GOOD) + 1))
    assert refused(path).wrong == "is too large"


def test_a_directory_or_a_missing_path_is_refused(tmp_path: Path) -> None:
    assert "directory" in refused(tmp_path).wrong.lower() or os.name == "nt"
    assert "can't be read" in refused(tmp_path / "missing.toml").wrong
    for text in (str(tmp_path), str(tmp_path / "missing.toml")):
        with pytest.raises(UnknownEdition, match="cronberg-1726, cronberg-quarters, or the path"):
            load("cronberg", 2, text)


@pytest.mark.parametrize("name", ["", "no-such", "x" * 5_000, "a\0b", "\ud800", "../cronberg-1726", "CRONBERG-1726"])
def test_a_name_that_nothing_answers_to_is_refused(name: str) -> None:
    with pytest.raises(UnknownEdition) as caught:
        load("cronberg", 2, name)
    str(caught.value).encode()
    assert "cronberg-1726" in str(caught.value)
    if name:
        with pytest.raises(MalformedEdition) as malformed:
            load("cronberg", 2, Path(name))
        str(malformed.value).encode()


def test_a_name_of_another_type_is_refused() -> None:
    for name in (5, 10**5_000, ["cronberg-1726"], b"cronberg-1726"):
        with pytest.raises(UnknownEdition):
            load("cronberg", 2, name)  # type: ignore[arg-type]


@given(st.text(max_size=40) | st.text(alphabet="[]{}=.,'\"\n#abc01-_:TZ+x", max_size=40))
def test_any_text_is_an_edition_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes((text + GOOD).encode("utf-8", "surrogatepass"))
    with suppress(MalformedEdition):
        CronbergEdition.from_file(path)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.dates() | st.binary(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@given(cronberg_editions(), st.data())
def test_any_mutated_edition_is_read_or_refused(edition: dict[str, Any], data: st.DataObject) -> None:
    places = [
        *((table,) for table in edition),
        *((table, key) for table in edition for key in edition[table]),
        *(("rhombi", kind, key) for kind, rhomb in edition["rhombi"].items() for key in rhomb),
        *(("board", "triangles", n) for n in range(len(edition["board"]["triangles"]))),
        *(("rhombi", kind, "numbers", n) for kind in edition["rhombi"] for n in range(4)),
    ]
    place = data.draw(st.sampled_from(places))
    value = data.draw(st.just(...) | VALUES)
    try:
        found = CronbergEdition.from_dict(put(edition, place, value), "my.toml")
    except MalformedEdition as error:
        str(error).encode()
        return
    assert found.to_dict() == edition
    assert found.layout.triangles


# ---- the front door


@pytest.mark.parametrize("players", [0, 1, 5, 29, -2, "2", True, 2.0, [2]])
def test_players_out_of_range_are_refused(players: Any) -> None:
    with pytest.raises(BadArgument, match="right would be: 2 to 4"):
        load("cronberg", players)


def test_players_not_given_are_the_fewest() -> None:
    assert load("cronberg").players == load("cronberg", None).players == 2


def test_unknown_games_and_options_are_refused() -> None:
    with pytest.raises(UnknownGame, match=r"no game is called 'chess'; there is: .*cronberg"):
        load("chess")
    for options in ({"variant": True}, {"no_votes": False}):
        with pytest.raises(UnknownOption, match="there is: none"):
            load("cronberg", 2, **options)
    for error in (UnknownGame("x", ["y"]), UnknownOption("x", [])):
        assert isinstance(error, EmbertownError)
