"""`embertown simulate`: the same games whatever the processes, whole lines whatever happens."""

from __future__ import annotations

import io
import json
import os
import signal
from pathlib import Path

import pytest

from embertown.cli.options import output
from embertown.cli.screen import uninterrupted
from embertown.cli.simulate import CHUNK, NothingYet, Played, Series, Tally, write_games
from tests.cli.helpers import DEADLINE, RECORDS, Result, run, running, wait_until


def test_a_record_a_line_that_the_rules_agree_with(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = run("simulate", "cronberg", "--players", 3, "--games", 7, "--seed", 1, "--out", out)
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith("7 games of cronberg (cronberg-1726, 3 players) in ")
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(records) == 7
    assert [seat["bot"] for seat in records[0]["seats"]] == ["random"] * 3
    checked = run("check", out)
    assert (checked.code, checked.out) == (0, f"{out}: 7 records, all right\n")


@pytest.mark.parametrize("options", [("--variant",), ("--several-cards",), ("--variant", "--no-votes", "--players", 3)])
def test_drunter_with_its_options(options: tuple[object, ...], tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = run("simulate", "drunter", *options, "--bots", "greedy", "--games", 3, "--out", out)
    assert result.code == 0
    flags = [str(option).removeprefix("--") for option in options if str(option).startswith("--")]
    named = [flag for flag in flags if flag != "players"]
    told = "".join(f", {flag.replace('-', ' ')}" for flag in named)
    assert result.err.startswith(f"3 games of drunter (schilda, {3 if 'players' in flags else 2} players{told}) in ")
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert records[0]["options"] == {flag.replace("-", "_"): True for flag in named}
    assert run("check", out).out == f"{out}: 3 records, all right\n"


OWN = (
    '[edition]\nid = "mine"\ngame = "cronberg"\nversion = 1\n'
    '[board]\nside = 2\ntokens = 2\ntriangles = ["PGPPG", "PCPPCPP", "PP.PPGP", "PPCPP"]\n'
    '[rhombi]\nhut = { count = 20, numbers = [1, 2, 3, 4], de = "Hütte" }\n'
)


def test_the_same_bytes_however_many_processes_also_of_an_edition_of_ones_own(tmp_path: Path) -> None:
    edition = tmp_path / "mine.toml"
    edition.write_text(OWN, encoding="utf-8")
    files = []
    for jobs in (1, 2):
        files.append(tmp_path / f"{jobs}.jsonl")
        options = ("--games", 11, "--seed", 5, "--bots", "greedy,random", "--jobs", jobs, "--out", files[-1])
        assert run("simulate", "cronberg", "--edition", edition, *options).code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes().count(b"\n") == 11
    assert "Hütte" in files[0].read_text(encoding="utf-8")
    edition.unlink()
    assert run("check", files[0]).code == 0


def test_more_games_begin_with_the_same_games() -> None:
    few, many, other = (
        run("simulate", "cronberg", *words).out
        for words in (("--games", 3), ("--games", 6), ("--games", 3, "--seed", 1))
    )
    assert many.startswith(few)
    assert len(set(many.splitlines())) == 6
    assert other != few
    drawn = [[move["rhomb"] for move in json.loads(game)["moves"] if "rhomb" in move] for game in many.splitlines()]
    assert len({tuple(rhombi[:15]) for rhombi in drawn}) == 6


def test_stdout_is_records_and_nothing_else() -> None:
    made = run("simulate", "cronberg", "--games", 2)
    assert made.code == 0
    assert [json.loads(line)["game"] for line in made.out.splitlines()] == ["cronberg"] * 2
    assert run("check", "-", typed=made.out).out == "-: 2 records, all right\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--games", "0"], "greater than or equal to 1"),
        (["--games", "-3"], "greater than or equal to 1"),
        (["--seed", "-1"], "greater than or equal to 0"),
        (["--jobs", "0"], "greater than or equal to 1"),
        (["--out", "/nowhere/games.jsonl"], "can't be written: there is no such folder"),
        (["--out", "/"], "can't be written: is a folder"),
        (["--out", f"{RECORDS}/cronberg-2.json/x"], "can't be written: there is no such folder"),
        (["--bots", "random,random,random", "--players", "2"], "--bots has 3 names; right would be: 1, or 2"),
    ],
)
def test_what_can_not_be_is_told(words: list[str], said: str) -> None:
    result = run("simulate", "cronberg", *words)
    assert (result.code, result.out) == (2, "")
    assert said in result.err.replace("\n", " ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told() -> None:
    result = run("simulate", "cronberg", "--games", 1, "--out", "/dev/full")
    assert result.code == 1
    assert "No space left on device" in result.err
    assert "Traceback" not in result.err


def test_a_device_is_written_to_and_not_replaced() -> None:
    assert run("simulate", "cronberg", "--games", 1, "--out", os.devnull).code == 0
    assert not Path(os.devnull).is_file()


def test_ctrl_c_keeps_whole_games(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"

    def some_are_written() -> bool:
        return any(part.stat().st_size > 20_000 for part in tmp_path.glob(".games.jsonl.*.part"))

    words = ("simulate", "cronberg", "--games", 10**6, "--jobs", 2, "--out", out)
    with running(*words, start_new_session=True) as process:
        wait_until(some_are_written, process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all processes at once
        _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    lines = out.read_bytes().count(b"\n")
    assert Result(130, "", err.decode()).err == f"interrupted: {lines} of 1000000 games are whole in {out}\n"
    assert list(tmp_path.iterdir()) == [out]
    assert run("check", out).out == f"{out}: {lines} records, all right\n"


class Pressing(io.StringIO):
    """A file during whose sixth line somebody presses Ctrl-C."""

    def write(self, text: str) -> int:
        if self.getvalue().count("\n") == 5:
            signal.raise_signal(signal.SIGINT)
        return super().write(text)


def test_ctrl_c_in_one_process_keeps_whole_games() -> None:
    """The games of a chunk are written together: the second chunk is whole before the end."""
    file, tally = Pressing(), Tally(2)
    with pytest.raises(KeyboardInterrupt):
        write_games(file, Series("cronberg", '"cronberg-1726"', ("random", "random"), 0), 100, 1, tally)
    assert tally.games == 2 * CHUNK
    assert len([json.loads(line) for line in file.getvalue().splitlines()]) == 2 * CHUNK


class Interrupting(io.StringIO):
    """A file during whose first line somebody presses Ctrl-C."""

    def write(self, text: str) -> int:
        del text
        raise KeyboardInterrupt


def test_interrupted_before_the_first_game_leaves_a_file_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    out.write_text("dear old games\n", encoding="utf-8")
    series = Series("cronberg", '"cronberg-1726"', ("random", "random"), 0)
    with pytest.raises(NothingYet), output(out):
        write_games(Interrupting(), series, 1, 1, Tally(2))
    assert out.read_text(encoding="utf-8") == "dear old games\n"
    assert list(tmp_path.iterdir()) == [out]


def test_ctrl_c_during_a_write_waits_until_the_line_is_whole() -> None:
    written = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        written.append("a whole line")
    assert written == ["a whole line"]


def test_the_summary_counts_shared_wins_apart() -> None:
    tally = Tally(2)
    for scores, winners in (((3, 1), (0,)), ((2, 2), (0, 1)), ((0, 5), (1,)), ((-1, 5), (1,))):
        tally.add(Played("", scores, winners))
    assert (tally.games, tally.scores, tally.wins, tally.shared) == (4, [4, 13], [1, 2], [1, 1])
