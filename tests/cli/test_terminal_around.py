"""Around a game at the terminal: who sits where, saving, leaving, coming back, colours."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

import embertown
from embertown.cli.table import Table
from embertown.cli.terminal import seating
from embertown.core.errors import BadArgument
from tests.cli.helpers import (
    DEADLINE,
    RECORDS,
    TO_THE_END,
    Result,
    environment,
    record_of,
    rest_of,
    run,
    running,
    wait_until,
)

# ---- who sits where


def test_seats_and_names() -> None:
    def names(people: int, bots: list[str], given: list[str] | None = None) -> list[str]:
        return [seat.name for seat in seating(people, bots, given)]

    assert names(1, ["greedy"]) == ["You", "Greedy"]
    assert names(1, ["greedy", "greedy"]) == ["You", "Greedy B", "Greedy C"]
    assert names(2, []) == ["Player A", "Player B"]
    assert names(2, ["random"], ["Anne", "Karl"]) == ["Anne", "Karl", "Random"]
    with pytest.raises(BadArgument, match="one for each person"):
        names(2, [], ["Anne"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--hot-seat", "--bots", "greedy"], "leaves no seat for bots"),
        (["--players", "2", "--bots", "random,random"], "leave none for you"),
        (["--bots", "random,random,random,random"], "players is 5"),
        (["--names", "\x07"], "printable characters"),
        (["--save", "/nowhere/x.json"], "there is no such folder"),
        (["--save", "/"], "is a folder"),
        (["--resume", "x.json", "--players", "3"], "a record says itself who plays what"),
    ],
)
def test_what_can_not_be_is_told_before_the_game(words: list[str], said: str) -> None:
    result = run("terminal", *words)
    assert result.code == 2
    assert said in result.err
    assert result.out == ""


def test_default_is_one_person_and_greedy(tmp_path: Path) -> None:
    saved = tmp_path / "x.json"
    run("terminal", "--save", saved, typed="quit\n")
    assert record_of(saved)["seats"] == [{"name": "You", "bot": None}, {"name": "Greedy", "bot": "greedy"}]


# ---- saving, leaving, coming back


def test_save_never_writes_over_a_strangers_file(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.json", tmp_path / "other.txt"
    other.write_text("keep me", encoding="utf-8")
    typed = f"save {mine}\nd4\nsave {mine}\nsave {other}\nsave {tmp_path}/no/x.json\nsave {'x' * 300}\n"
    result = run("terminal", "--hot-seat", typed=typed)
    assert result.code == 0
    assert result.out.count("Saved: ") == 2
    assert "is there already; right would be: another name" in result.out
    assert result.out.count("can't be written") == 2
    assert other.read_text(encoding="utf-8") == "keep me"
    assert len(record_of(mine)["moves"]) == 1  # type: ignore[arg-type]


def test_an_unfinished_game_goes_on(tmp_path: Path) -> None:
    saved = tmp_path / "x.json"
    run("terminal", "--bots", "random", "--seed", 4, "--save", saved, typed="d\nquit\n")
    assert "pending" in record_of(saved)
    result = run("terminal", "--resume", saved, "--save", saved, typed=TO_THE_END)
    assert result.code == 0
    assert record_of(saved)["end"] == "complete"
    assert run("check", saved).code == 0
    again = run("terminal", "--resume", saved)
    assert again.code == 2
    assert "the game is over" in again.err


def test_a_forced_pass_happens_by_itself_c3_2(tmp_path: Path) -> None:
    """The rulebook's closing turns: Ulla and Gerd pass for want of tokens; Anne and Karl end the game."""
    record = record_of(RECORDS / "cronberg-closing.json")
    moves = record["moves"]
    assert isinstance(moves, list)
    passes = [index for index, move in enumerate(moves) if "pass" in move]
    unfinished = {key: value for key, value in record.items() if key not in ("scores", "winners", "end", "final")}
    unfinished["moves"] = moves[: passes[0]]
    path = tmp_path / "closing.json"
    path.write_text(json.dumps(unfinished), encoding="utf-8")
    rest = [move["token"] for move in moves[passes[0] :] if "token" in move]
    result = run("terminal", "--resume", path, typed="".join(f"{crossing}\n" for crossing in rest))
    assert result.code == 0
    assert result.out.count("passes: can place neither a token nor a rhomb (rule C3.2)") == len(passes)
    assert "Karl, " in result.out
    assert "2 parks ×4 = 20 points (rule C8.2)" in result.out
    assert "park ×2 = 14 points (rule C8.2)" in result.out
    assert "Winner: Karl with 22 points." in result.out


@pytest.mark.parametrize(
    ("number", "code", "told"),
    [
        ("SIGINT", 130, "interrupted\n"),
        ("SIGTERM", 128 + 15, ""),
        ("SIGHUP", 128 + 1, ""),
        ("SIGKILL", -9, ""),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_whatever_ends_the_program_keeps_the_game(number: str, code: int, told: str, tmp_path: Path) -> None:
    saved = tmp_path / "x.json"
    said = tmp_path / "said"
    with (
        said.open("wb") as stdout,
        running(
            *("terminal", "--hot-seat", "--save", saved),
            stdin=subprocess.PIPE,
            stdout=stdout,
            env=environment(PYTHONUNBUFFERED="1"),
        ) as process,
    ):
        assert process.stdin is not None
        process.stdin.write(b"d4\n")
        process.stdin.flush()
        wait_until(lambda: said.read_bytes().count(b"> ") == 2, process)
        process.send_signal(signal.Signals[number])
        _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == code
    assert Result(code, "", err.decode()).err == told
    assert (b"Saved: " in said.read_bytes()) is (number != "SIGKILL")
    assert len(record_of(saved)["moves"]) == 1  # type: ignore[arg-type]
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".part"] == []


def test_a_game_on_a_stream_is_written_once_in_the_end() -> None:
    result = run("terminal", "--hot-seat", "--save", "-", typed="d4\nd5\n")
    assert result.out.count('"moves"') == 1
    assert "Saved: -" in result.out


def test_what_is_taken_back_is_taken_back_in_the_file(tmp_path: Path) -> None:
    saved = tmp_path / "x.json"
    table = Table(embertown.load("cronberg").start(seed=1, first=0), [None, None], save_to=saved)
    table._do(0, "token d4")
    assert len(record_of(saved)["moves"]) == 1  # type: ignore[arg-type]
    table._undo(0)
    assert record_of(saved)["moves"] == []


def test_a_file_that_can_not_be_written_any_more_does_not_end_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table(embertown.load("cronberg").start(seed=1, first=0), [None, None], save_to=tmp_path / "x.json")

    def full(_table: Table, _path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Table, "_write", full)
    table._do(0, "token d4")
    assert "can't be written" in capsys.readouterr().out
    assert not table.is_kept
    assert table.state.seat == 1


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")
def test_in_a_real_terminal_with_secrets() -> None:
    """With a terminal on both sides: colours; what is secret stands on a second screen, which is left in the end."""
    import pty

    leader, follower = pty.openpty()
    env = environment(TERM="xterm-256color", COLUMNS="100")
    streams = {"stdin": follower, "stdout": follower, "stderr": follower}
    typed = b"\nlist\n1\n\nquit\n"
    with running("terminal", "--game", "drunter", "--hot-seat", env=env, **streams) as process:
        os.close(follower)
        os.write(leader, typed)
        seen = rest_of(leader)
        assert process.wait(DEADLINE) == 0
    assert b"unfinished" in seen
    assert b"\x1b[1;38;" in seen or b";48;5" in seen or b";48;2" in seen
    shared, *secret = seen.split(b"\x1b[?1049h")
    assert len(secret) == 2
    assert b"your objective" not in shared
    for part in secret:
        behind, before = part.split(b"\x1b[?1049l")
        assert behind.count(b"your objective") == 1
        assert b"your objective" not in before


def test_piped_output_has_no_escapes() -> None:
    result = run("terminal", "--hot-seat", typed="d4\nquit\n")
    assert "\x1b" not in result.out
    assert "token on d4" in result.out
