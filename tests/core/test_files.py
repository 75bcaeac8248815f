"""Files: limits and clear answers on the way in, whole files only on the way out."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embertown.core.errors import Flaw, MalformedFile, MalformedRecord
from embertown.core.files import RECORD_LIMIT, decode, key_path, parse_json, parse_toml, read_limited, whole_file
from embertown.core.record import GameRecord
from embertown.games import load

# ---- JSON

NOT_JSON: dict[str, tuple[str, str]] = {
    "nothing": ("", "my.json: is empty; right would be: a JSON object"),
    "blanks": (" \n", "my.json: is empty; right would be: a JSON object"),
    "half an object": (
        '{"a": 1',
        "my.json: column 8: is not JSON: it ends here, in the middle; right would be: the whole",
    ),
    "half a text": ('{"a": "xy', "column 10: is not JSON: it ends here"),
    "half a word": ('{"a": fal', "column 10: is not JSON: it ends here"),
    "half of several lines": ('{\n  "a": [\n    1,\n', "line 3, column 7: is not JSON: it ends here"),
    "a wrong word": ('{"a": fax}', "column 7: is not JSON: Expecting value"),
    "a wrong line": ('{\n "a": 1\n "b": 2\n}', "line 3, column 2: is not JSON: Expecting ',' delimiter"),
    "words": ("nul", "column 1: is not JSON: Expecting value"),
    "two objects": ("{} {}", "column 4: is not JSON: another object begins here; right would be: one object"),
    "an object and words": ("{} x", "column 4: is not JSON: Extra data"),
    "a list": ("[1, 2]", "holds [1, 2]"),
    "a text": ('"x"', 'holds "x"'),
    "null": ("null", "holds null"),
    "NaN": ('{"a": NaN}', "NaN is no JSON number"),
    "Infinity": ('{"a": [-Infinity]}', "-Infinity is no JSON number"),
    "a number too large": ('{"a": 1e999}', "1e999 is no JSON number"),
    "a number too long": ('{"a": ' + "1" * 5_000 + "}", "is not JSON"),
    "a key twice": ('{"a": 1, "a": 1}', "a: stands twice"),
    "a key twice inside": ('{"a": [{"b": 1, "b": 2}]}', "b: stands twice"),
    "a key twice, escaped": (r'{"a": 1, "\u0061": 1}', "a: stands twice"),
    "half a character twice": (r'{"\ud800": 1, "\ud800": 1}', r"\ud800: stands twice"),
    "deep lists": ("[" * 100_000, "is not JSON"),
    "deep objects": ('{"a":' * 100_000, "is not JSON"),
    "a mark in front": ("\ufeff{}", "is not JSON"),
    "a control character": ('{"a": "\x01"}', "is not JSON"),
    "an escape for the terminal": ('"\x1b[2J"', "is not JSON"),
    "single quotes": ("{'a': 1}", "is not JSON"),
    "a comma too many": ('{"a": 1,}', "is not JSON"),
}


@pytest.mark.parametrize("what", NOT_JSON)
def test_what_is_no_json_object_is_refused(what: str) -> None:
    text, wrong = NOT_JSON[what]
    with pytest.raises(MalformedRecord) as caught:
        GameRecord.from_json(text, "my.json")
    assert str(caught.value).startswith("my.json: ")
    assert wrong in str(caught.value)
    assert caught.value.right
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@given(st.data())
def test_what_ends_in_the_middle_is_told_as_such(data: st.DataObject) -> None:
    """Wherever a text is cut, it is told where it ends, and that it would have to go on."""
    whole = json.dumps(
        {"ab": [1.5, "x y", None, True, {"c": "ä"}], "d": False}, indent=data.draw(st.sampled_from([None, 1]))
    )
    text = whole[: data.draw(st.integers(1, len(whole) - 1))]
    with pytest.raises(MalformedRecord) as caught:
        parse_json(text, "", MalformedRecord)
    lines = text.rstrip().splitlines()
    assert caught.value.flaw == Flaw("cut_off", len(lines), len(lines[-1]) + 1), text


def test_nesting_just_short_of_too_deep_is_told_as_well() -> None:
    start = '{"format": "embertown-record/1", "rules": 1, "game": "cronberg", "edition": '
    for depth in range(700, 1_010, 10):
        for text in (start + "[" * depth + "]" * depth + "}", '{"format":' + "[" * depth + "]" * depth + "}"):
            with pytest.raises(MalformedRecord) as caught:
                GameRecord.from_json(text)
            assert len(str(caught.value)) < 300


def test_a_text_is_read_up_to_its_limit_only() -> None:
    with pytest.raises(MalformedRecord, match="is too large; right would be: at most 4096 KiB"):
        GameRecord.from_json(" " * (RECORD_LIMIT + 1))
    assert parse_json(" " * (RECORD_LIMIT - 2) + "{}", "") == {}


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False)))
def test_json_reads_as_it_was_written(data: dict[str, Any]) -> None:
    assert parse_json(json.dumps(data), "") == data


@pytest.mark.parametrize("data", [None, 5, [], "x", b"{}"])
def test_a_record_that_is_no_object_is_refused(data: Any) -> None:
    with pytest.raises(MalformedRecord):
        GameRecord.from_dict(data)


# ---- files


def test_record_files_are_read_with_limits(tmp_path: Path) -> None:
    text = load("cronberg", 2).start(seed=1, seats=["Zoë", "Ulla"]).record().to_json()
    path = tmp_path / "game.json"
    for mark in (b"", b"\xef\xbb\xbf"):
        path.write_bytes(mark + text.encode())
        assert GameRecord.from_file(path).to_json() == text
    for data, wrong in ((b"", "is empty"), (text.encode("latin-1"), "is not UTF-8"), (b"\0" * 99, "is not JSON")):
        path.write_bytes(data)
        with pytest.raises(MalformedRecord, match=wrong) as caught:
            GameRecord.from_file(path)
        assert caught.value.file == str(path)
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    for wrong_path in (path, tmp_path, tmp_path / "missing", Path("a\0b"), Path("x" * 5_000), Path("\ud800")):
        with pytest.raises(MalformedRecord):
            GameRecord.from_file(wrong_path)


def test_bytes_are_told_where_they_stop_being_text() -> None:
    with pytest.raises(MalformedFile) as caught:
        decode(b"abc\xff", "f")
    assert str(caught.value) == "f: byte 3: is not UTF-8; right would be: a text file in UTF-8"
    assert decode("\ufeffé".encode(), "f") == "é"


def test_a_file_of_just_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("x" * 10)
    assert read_limited(path, 10) == "x" * 10
    with pytest.raises(MalformedFile, match="is too large"):
        read_limited(path, 9)


def test_dots_in_a_line_of_toml_are_limited_and_lines_are_not() -> None:
    """Without the limit a quarter of a megabyte of dots takes minutes to read."""
    assert parse_toml("# " + "." * 250 + "\n" + "# .\n" * 1_000, "f") == {}
    with pytest.raises(MalformedFile, match="f: line 3: has 251 dots; right would be: at most 250"):
        parse_toml("\n\n" + "a." * 251 + "a = 1", "f")


def test_key_paths() -> None:
    assert key_path(()) == ""
    assert key_path(("moves", 3, "scored", 0, "points")) == "moves[3].scored[0].points"
    assert key_path(("rhombi", "City Hall", "[key]")) == "rhombi.City Hall"
    assert len(key_path(("x" * 10**6,))) == 60


# ---- writing


def test_a_whole_file_takes_its_place_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old")
    with whole_file(path) as file:
        file.write("né\n")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text(encoding="utf-8") == "né\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"]
    if os.name == "posix":
        other = tmp_path / "plain"
        other.touch()
        assert path.stat().st_mode == other.stat().st_mode


@pytest.mark.parametrize(("error", "left"), [(ValueError, "old"), (SystemExit, "old"), (KeyboardInterrupt, "one\n")])
def test_only_an_interruption_keeps_what_was_written(tmp_path: Path, error: type[BaseException], left: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old")

    def write_and_fail() -> None:
        with whole_file(path) as file:
            file.write("one\n")
            raise error

    with pytest.raises(error):
        write_and_fail()
    assert path.read_text() == left
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"]


def test_a_place_that_can_not_be_taken_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    (path / "full").touch()
    with pytest.raises(OSError), whole_file(path) as file:  # noqa: PT011
        file.write("x")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["folder"]
