"""`embertown arena`: what is told, what is kept, how it goes on, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import sys
import uuid
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from embertown.arena import Results
from embertown.bots import registry
from embertown.cli import arena as command
from tests.cli.helpers import DEADLINE, Result, environment, run, running, wait_until
from tests.on_ray import MARK, left_behind, ray_settings

TIMES = ("seconds", "slowest")
CRONBERG = ("arena", "cronberg", "--bots", "greedy,random")


def lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a file, times left out."""
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    return [{key: value for key, value in line.items() if key not in TIMES} for line in found]


def test_a_table_says_who_is_better_and_how_sure_that_is() -> None:
    result = run(*CRONBERG, "--games", 19, "--seed", 1, "--jobs", 1)
    assert result.code == 0
    assert result.err == (
        "20 games of each pairing, not 19: every shuffle is played from all 2 seats\n1 pairing, 20 games\n"
    )
    said = [line.split() for line in result.out.splitlines()]
    assert result.out.startswith("20 games of cronberg (cronberg-1726, 2 players)\n")
    (pairing,) = [line for line in said if line[:3] == ["greedy", "–", "random"]]
    assert pairing[3:10] == ["20", "100.0%", "83.9%", "to", "100.0%", "50.0%", pairing[9]]
    assert pairing[-5:] == ["above", "50.0%,", "after", "16", "games"]
    assert [line[0] for line in said[-2:]] == ["greedy", "random"]


def test_not_told_apart_is_said_too() -> None:
    result = run("arena", "drunter", "--bots", "random,random:5", "--games", 4, "--variant", "--jobs", 1)
    assert "4 games of drunter (schilda, 2 players, variant)" in result.out
    assert "not yet" in result.out


def test_a_file_is_shown_again_as_table_json_and_picture(tmp_path: Path) -> None:
    out, plot, night = tmp_path / "results.jsonl", tmp_path / "plot.svg", tmp_path / "night.svg"
    made = run(*CRONBERG, "--players", 3, "--gauntlet", "--games", 6, "--out", out, "--plot", plot, "--jobs", 1)
    assert made.code == 0
    shown = run("arena", "--show", out, "--plot", night, "--night")
    assert (shown.code, shown.err, shown.out) == (0, "", made.out)
    for picture in (plot, night):
        assert ElementTree.parse(picture).getroot().get("role") == "img"
    assert plot.read_text(encoding="utf-8") != night.read_text(encoding="utf-8")
    data = json.loads(run("arena", "--show", out, "--json").out)
    assert data["tournament"]["schedule"] == "gauntlet"
    assert [row["others"] for row in data["pairings"]] == [["random", "random"]]
    assert data["games"] == 6


def test_mixed_tables(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    result = run(
        "arena", "cronberg", "--bots", "greedy,random,random:1", "--players", 3, "--mixed", "--games", 3, "--out", out
    )
    assert result.code == 0
    assert [game["seats"] for game in lines(out)[1:]] == [
        ["greedy", "random", "random:1"],
        ["random:1", "greedy", "random"],
        ["random", "random:1", "greedy"],
    ]


def test_until_apart_ends_before_all_games_and_records_are_kept(tmp_path: Path) -> None:
    out, records = tmp_path / "results.jsonl", tmp_path / "records.jsonl"
    files = ("--out", out, "--records", records)
    result = run(*CRONBERG, "--until-apart", "--beats", 0.6, "--games", 100, *files, "--jobs", 1)
    assert result.code == 0
    assert result.err == "1 pairing, at most 100 games\n"
    games = len(lines(out)) - 1
    assert games < 60
    assert f"above 60.0%, after {games} games" in result.out
    assert run("check", records).out == f"{records}: {games} records, all right\n"


def test_the_same_command_goes_on_after_ctrl_c(tmp_path: Path) -> None:
    out, whole = tmp_path / "results.jsonl", tmp_path / "whole.jsonl"
    words = (*CRONBERG, "--seed", 3, "--jobs", 2, "--out", out)
    with running(*words, "--games", 10**6, start_new_session=True) as process:
        wait_until(lambda: out.exists() and out.read_bytes().count(b"\n") > 8, process)
        os.killpg(process.pid, signal.SIGINT)
        told, err = process.communicate(timeout=DEADLINE)
    played = len(lines(out)) - 1
    assert told.decode() == run("arena", "--show", out).out
    said = f"interrupted after {played} games in {out}; the same command goes on from there"
    assert (process.returncode, Result(130, "", err.decode()).err.splitlines()[-1]) == (130, said)
    again = run(*words, "--games", played + 4)
    assert f"going on after {played} games\n" in again.err
    run(*CRONBERG, "--seed", 3, "--jobs", 1, "--out", whole, "--games", played + 4)
    assert lines(out) == lines(whole)
    other = run(*CRONBERG, "--seed", 4, "--out", out)
    assert (other.code, other.out) == (2, "")
    assert "holds another tournament: seed is 3, not 4; right would be: the same command, or a new file" in other.err


def test_ctrl_c_without_a_results_file_tells_the_table_and_what_would_keep_it(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    words = (*CRONBERG, "--jobs", 1, "--games", 10**6, "--records", records)
    with running(*words, start_new_session=True) as process:
        wait_until(lambda: records.exists() and records.read_bytes().count(b"\n") > 2, process)
        os.killpg(process.pid, signal.SIGINT)
        out, err = (stream.decode() for stream in process.communicate(timeout=DEADLINE))
    assert process.returncode == 130
    games = int(out.partition(" games of cronberg (cronberg-1726, 2 players)\n")[0])
    assert "greedy – random" in out
    told = "the results are not kept: with --out FILE.jsonl the same command would go on from there"
    assert err.splitlines()[-1] == f"interrupted after {games} games; {told}"


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_command_that_is_told_to_end_takes_its_processes_along(tmp_path: Path) -> None:
    out, mark = tmp_path / "results.jsonl", {MARK: uuid.uuid4().hex}
    with running(*CRONBERG, "--jobs", 2, "--games", 10**6, "--out", out, env=environment(**mark)) as process:
        wait_until(lambda: out.exists() and out.read_bytes().count(b"\n") > 4, process)
        process.terminate()
        process.communicate(timeout=DEADLINE)
    assert process.returncode == 128 + signal.SIGTERM
    assert left_behind(mark) == []
    assert len(Results.from_file(out).games) >= 4


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_illegal_move_ends_the_run_with_a_code_of_its_own(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "cheat", "tests.arena.helpers:Cheat")
    out = tmp_path / "results.jsonl"
    result = run("arena", "cronberg", "--bots", "random,cheat", "--out", out, "--jobs", jobs)
    assert (result.code, result.out) == (3, "")
    told = result.err.splitlines()[-1]
    assert told.startswith(
        "embertown: a bot is at fault: cheat at seat 1 chose action 10000, which is against the rules"
    )
    assert "; shuffle '0 round 0', the bot's seed " in told
    assert "; position: cronberg:" in told
    assert Results.from_file(out).games == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "a game and --bots are needed"),
        (("cronberg",), 2, "a game and --bots are needed"),
        (("chess", "--bots", "greedy,random"), 2, "no game is called 'chess'"),
        (("cronberg", "--bots", "greedy,nobody"), 2, "no bot is called 'nobody'; there is: "),
        (
            ("cronberg", "--bots", "greedy:fast,random"),
            2,
            "a contestant is 'greedy:fast'; right would be: a bot's name",
        ),
        (("cronberg", "--bots", "greedy"), 2, "at least two"),
        (("cronberg", "--bots", "greedy,random", "--gauntlet", "--mixed"), 2, "are two schedules"),
        (("cronberg", "--bots", "greedy,random", "--variant"), 2, "cronberg has no --variant"),
        (("cronberg", "--bots", "greedy,random", "--beats", "2"), 2, "the share to beat is 2.0"),
        (("cronberg", "--bots", "greedy,random", "--out", "/nowhere/results.jsonl"), 2, "there is no such folder"),
        (("cronberg", "--bots", "greedy,random", "--night"), 2, "--night goes with --plot only"),
        (("--show", "results.jsonl", "--night"), 2, "--night goes with --plot only"),
        (("cronberg", "--show", "results.jsonl"), 2, "--show goes with --plot, --night and --json only"),
        (("--bots", "greedy", "--show", "results.jsonl"), 2, "--show goes with --plot, --night and --json only"),
        (("--out", "x.jsonl", "--show", "results.jsonl"), 2, "--show goes with --plot, --night and --json only"),
        (("--show", "/nowhere/results.jsonl"), 1, "can't be read"),
    ],
)
def test_what_can_not_be_is_told(words: tuple[str, ...], code: int, said: str) -> None:
    result = run("arena", *words)
    assert (result.code, result.out) == (code, "")
    assert said in result.err


def test_how_it_stands_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "SELDOM", -1.0)
    told = run(*CRONBERG, "--games", 4, "--jobs", 1).err.splitlines()
    assert told[-1] == "4 games: greedy 100%, random 0%"
    assert len(told) == 5


def test_a_bar_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "OFTEN", -1.0)
    result = run(*CRONBERG, "--games", 4, "--jobs", 1, FORCE_COLOR="1", COLUMNS="100")
    assert "greedy 100%, random 0%" in result.err


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_the_same_games_on_a_real_ray_which_ctrl_c_ends(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    out, here = tmp_path / "ray.jsonl", tmp_path / "here.jsonl"
    with ray_settings() as settings:
        words = (*CRONBERG, "--jobs", 2, "--games", 10**6, "--out", out)
        with running(*words, start_new_session=True, env=environment(**settings)) as process:
            wait_until(lambda: out.exists() and out.read_bytes().count(b"\n") > 4, process)
            os.killpg(process.pid, signal.SIGINT)
            _, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 130
        assert Result(130, "", err.decode()).err.splitlines()[-1].startswith("interrupted after ")
        assert "rror" not in err.decode()
        assert left_behind(settings) == []
    played = len(lines(out)) - 1
    run(*CRONBERG, "--jobs", 1, "--games", played, "--out", here)
    assert lines(out) == lines(here)[: played + 1]
