"""`embertown show`: records and positions, in the terminal and as pictures."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import embertown
from embertown.core.locale import translate
from embertown.core.theme import Theme
from tests.cli.helpers import RECORDS, run

RECORD = RECORDS / "cronberg-3.json"
POSITION = "cronberg:cronberg-1726 players=2 turn=1 hand=- scores=3,-4 tokens=d4/- rhombi=-"


def test_a_record_is_shown_at_its_end_with_the_last_move_marked() -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    result = run("show", RECORD)
    assert result.code == 0
    last = record["moves"][-1]
    for place in [last["token"]] if "token" in last else last["on"]:
        assert f">{place}" in result.out
    assert all(seat["name"] in result.out for seat in record["seats"])
    assert "wins" in result.out


def test_move_n_is_the_position_after_it() -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    moves = len(record["moves"])
    assert ">" not in run("show", RECORD, "--move", 0, "--plain").out
    first = run("show", RECORD, "--move", 1).out
    place = record["moves"][0].get("token") or record["moves"][0]["on"][0]
    assert f">{place}" in first
    assert run("show", RECORD, "--move", moves).out == run("show", RECORD).out
    beyond = run("show", RECORD, "--move", moves + 1)
    assert beyond.code == 2
    assert f"right would be: 0 to {moves}" in beyond.err


def test_every_move_can_be_shown_as_the_game_was_played() -> None:
    """Going back from the end gives the positions of playing from the start."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    for number in range(0, len(record["moves"]), 9):
        start = {key: value for key, value in record.items() if key not in ("scores", "winners", "end", "final")}
        start["moves"] = record["moves"][:number]
        shorter = run("show", "-", typed=json.dumps(start))
        assert shorter.out == run("show", RECORD, "--move", number).out


def test_an_unfinished_record_has_its_rhomb_in_hand() -> None:
    assert "In hand: tannery" in run("show", RECORDS / "cronberg-pending.json").out


def test_one_of_several_records(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    texts = [(RECORDS / f"cronberg-{n}.json").read_text(encoding="utf-8").strip() for n in (2, 4)]
    file.write_text("\n".join(texts), encoding="utf-8")
    assert run("show", file).out == run("show", RECORDS / "cronberg-2.json").out
    assert run("show", file, "--line", 2).out == run("show", RECORDS / "cronberg-4.json").out
    assert run("show", file, "--line", 3).code == 2


@pytest.mark.parametrize("typed", [None, POSITION + "\n"])
def test_a_position(typed: str | None) -> None:
    result = run("show", POSITION if typed is None else "-", typed=typed)
    assert result.code == 0
    assert "d4●" in result.out
    assert "−4 points" in result.out


def test_a_position_of_an_edition_of_ones_own(tmp_path: Path) -> None:
    source = Path(embertown.__file__).parent / "cronberg" / "editions" / "cronberg-1726.toml"
    own = tmp_path / "own.toml"
    own.write_text(source.read_text(encoding="utf-8").replace('"cronberg-1726"', '"own-box"'), encoding="utf-8")
    position = POSITION.replace("cronberg-1726", "own-box")
    assert run("show", position, "--edition", own).code == 0
    unknown = run("show", position)
    assert unknown.code == 2
    assert "no edition is called 'own-box'" in unknown.err


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (POSITION.replace("d4/-", "d4/d4"), "two tokens stand on d4 (C4.1)"),
        (POSITION.replace("d4/-", "z9/-"), "no crossing is called 'z9'"),
        (POSITION.replace("hand=-", "hand=castle"), "no rhomb is called 'castle'"),
        (POSITION.replace(" rhombi=-", ""), "is no position"),
    ],
)
def test_a_position_that_can_not_be_is_told(position: str, said: str) -> None:
    result = run("show", position)
    assert result.code == 1
    assert said in result.err


def test_a_falsified_record_is_not_shown(tmp_path: Path) -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    record["scores"][0] += 1
    file = tmp_path / "x.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    result = run("show", file)
    assert result.code == 1
    assert "scores[0]: is" in result.err


def test_a_game_that_was_resigned_says_so(tmp_path: Path) -> None:
    state = embertown.load("cronberg").start(seed=1, seats=["Anne", "Karl"]).play("token d4").resign(0)
    file = tmp_path / "x.json"
    file.write_text(state.record().to_json(), encoding="utf-8")
    assert "The game was resigned. Winner: Karl with 0 points." in run("show", file).out


# ---- pictures and colours


def test_a_picture_is_written(tmp_path: Path) -> None:
    day, night = tmp_path / "day.svg", tmp_path / "night.svg"
    assert run("show", RECORD, "--svg", day).code == 0
    assert run("show", RECORD, "--svg", night, "--night", "--labels").code == 0
    for file in (day, night):
        assert ElementTree.fromstring(file.read_text(encoding="utf-8")).tag.endswith("svg")
    assert day.read_bytes() != night.read_bytes()


def test_a_picture_on_stdout_in_another_language() -> None:
    result = run("show", RECORD, "--svg", "-", "--language", "de")
    assert result.out.startswith("<svg")
    assert "Kirche" in result.out


@pytest.mark.parametrize(
    "words",
    [
        ["--night"],
        ["--theme", "beach"],
        ["--plain", "--svg", "x.svg"],
        ["--svg", "/nowhere/x.svg"],
        ["--edition", "cronberg-1726"],
    ],
)
def test_options_that_do_not_fit_are_told(words: list[str]) -> None:
    assert run("show", RECORD, *words).code == 2


def test_colours_only_where_they_are_wanted() -> None:
    forced = {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "TERM": "xterm-256color", "COLUMNS": "100"}
    assert "48;2;" in run("show", RECORD, **forced).out
    assert "48;2;" not in run("show", RECORD, NO_COLOR="1", **forced).out
    assert "\x1b" not in run("show", RECORD, "--plain", **forced).out
    assert "\x1b" not in run("show", RECORD).out


def test_a_narrow_terminal_is_told() -> None:
    narrow = run("show", RECORD, FORCE_COLOR="1", COLUMNS="60", TERM="xterm").out
    assert "the terminal has 60.)" in narrow


@pytest.mark.parametrize(("game", "other"), [("cronberg", "beach"), ("drunter", "old-west")])
def test_a_picture_in_another_theme(game: str, other: str) -> None:
    record = RECORDS / f"{game}-3.json"
    usual = run("show", record, "--svg", "-").out
    result = run("show", record, "--svg", "-", "--theme", other)
    assert result.code == 0
    assert f'class="{game} {other}' in result.out
    assert f'class="{game} {other}' not in usual
    unknown = run("show", record, "--svg", "-", "--theme", "moon")
    shipped = Theme.shipped(f"embertown.{game}")
    assert (unknown.code, unknown.out) == (2, "")
    assert unknown.err == f"embertown: no theme is called 'moon'; there is: {', '.join(shipped)}\n"
    assert all(theme in run("show", "--help").out for theme in shipped)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cronberg-3.json", ["gewinnt", "Figuren übrig"]),
        ("cronberg-pending.json", ["legt eine Raute", "In der Hand: Gerberei: spitz "]),
        ("drunter-3.json", ["Bautrupps:", " Punkte ", "Mauer"]),
    ],
)
def test_the_board_in_the_terminal_speaks_the_language(name: str, said: list[str]) -> None:
    german, english = (run("show", RECORDS / name, "--language", language).out for language in ("de", "en"))
    assert [words for words in said if words not in german or words in english] == []


@pytest.mark.parametrize(("columns", "game"), [(60, "cronberg"), (60, "drunter")])
def test_a_narrow_terminal_still_shows_whose_turn_it_is(columns: int, game: str) -> None:
    state = embertown.load(game, 4).start(seed=1, seats=["Maximiliane-Luise" + letter for letter in "ABCD"])
    word = {"cronberg": "to move", "drunter": "to lay"}[game]
    shown = run("show", state.position_text(), FORCE_COLOR="1", COLUMNS=str(columns), TERM="xterm").out
    assert f"the terminal has {columns}.)" in shown
    assert word in shown


@pytest.mark.parametrize("from_stdin", [False, True])
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("drunter:schilda player=2", "drunter:schilda players=2 "),
        ("cronberg:cronberg-1726", "cronberg:cronberg-1726 players=2 "),
    ],
)
def test_a_malformed_position_is_answered_with_an_example_of_its_game(text: str, right: str, from_stdin: bool) -> None:
    result = run("show", "-", typed=text) if from_stdin else run("show", text)
    assert (result.code, result.out) == (2, "")
    assert f"right would be: {right}" in result.err or f", or {right}" in result.err


# ---- Drunter & Drüber


def unfinished(name: str, moves: int) -> str:
    """The beginning of a record."""
    record = json.loads((RECORDS / name).read_text(encoding="utf-8"))
    for key in ("scores", "winners", "end", "final"):
        record.pop(key)
    return json.dumps(record | {"moves": record["moves"][:moves]})


def test_secrets_are_shown_only_where_they_are_asked_for() -> None:
    text = unfinished("drunter-3.json", 9)
    cards = [card for (card,) in json.loads(text)["deal"]["objectives"]]
    seen, all_of_it = run("show", "-", typed=text).out, run("show", "-", "--secrets", typed=text).out
    names = [translate("drunter", f"pieces.{card}") for card in cards]
    assert not any(name in seen for name in names)
    assert all(name in all_of_it for name in names)
    drawn, with_secrets = (run("show", "-", "--svg", "-", *more, typed=text).out for more in ([], ["--secrets"]))
    assert drawn.startswith("<svg")
    assert drawn != with_secrets


def test_a_vote_under_way_is_not_told() -> None:
    """Also where all is told, the cards of a vote stay face down until all are in (D6.1)."""
    result = run("show", RECORDS / "drunter-pending-vote.json")
    assert result.code == 0
    assert "Still to vote:" in result.out


@pytest.mark.parametrize("name", ["drunter-variant-3.json", "drunter-2.json"])
def test_every_move_of_drunter_can_be_shown_as_it_was_played(name: str) -> None:
    moves = json.loads((RECORDS / name).read_text(encoding="utf-8"))["moves"]
    chosen = [index for index, move in enumerate(moves) if "choose" in move]
    for number in {0, 3, 17, len(moves) // 2} - set(chosen):
        shorter = run("show", "-", typed=unfinished(name, number))
        assert shorter.out == run("show", RECORDS / name, "--move", number).out, shorter
    beyond = run("show", RECORDS / name, "--move", len(moves) + 1)
    assert f"right would be: 0 to {len(moves)}" in beyond.err


def test_a_position_of_drunter_with_its_options() -> None:
    state = (
        embertown.load("drunter", 3, variant=True, several_cards=True).start(seed=1, first=0).play("lay wall A1 B1-D1")
    )
    secret, seen = state.position_text(), state.view(None).position_text()
    assert run("show", secret).out == run("show", seen).out
    assert "your" not in run("show", secret).out
    assert run("show", secret, "--secrets").out != run("show", secret).out
    broken = run("show", secret.replace("wall:A1:B1-D1", "wall:A1:C1-D1"))
    assert (broken.code, broken.out) == (1, "")
