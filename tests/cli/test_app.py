"""The program as a whole: help, versions, exit codes, streams that close."""

from __future__ import annotations

import subprocess
import sys

import pytest

import embertown
from embertown.cli.app import code_of
from embertown.cli.options import Language
from embertown.core.errors import BadArgument, BrokenRecord, MalformedFile, UnknownBot
from embertown.core.locale import LANGUAGES
from tests.cli.helpers import DEADLINE, Result, command, environment, run, run_process, running

COMMANDS = (
    ["terminal"],
    ["simulate"],
    ["check"],
    ["show"],
    ["edition", "check"],
    ["edition", "list"],
    ["serve"],
    ["tables", "list"],
    ["tables", "close"],
    ["tables", "reports"],
    ["guests", "list"],
    ["guests", "ban"],
    ["guests", "unban"],
    ["export"],
    ["import"],
    ["backup"],
    ["restore"],
)


def test_version() -> None:
    result = run("--version")
    assert (result.code, result.out) == (0, f"embertown {embertown.__version__}\n")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(words: list[str]) -> None:
    result = run(*words, "--help")
    assert result.code == 0
    assert "Examples:\n    embertown " + " ".join(words) in result.out
    assert "Exit codes:" in result.out


def test_help_is_fast_because_nothing_heavy_is_imported() -> None:
    script = (
        "import sys\nfrom embertown.cli import main\nsys.argv = ['embertown', 'play', '--help']\n"
        "try:\n    main()\nfinally:\n"
        "    print('heavy:', *{'numba', 'numpy', 'rich.progress'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment(), timeout=DEADLINE, check=False
    )
    assert done.stdout.splitlines()[-1].strip() == "heavy:", done.stdout + done.stderr


def test_languages_are_those_of_the_catalogues() -> None:
    assert tuple(language.value for language in Language) == LANGUAGES


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["simulate", "chess"], 2, "no game is called 'chess'; there is: cronberg, drunter"),
        (["simulate", "cronberg", "--bots", "gredy"], 2, "no bot is called 'gredy'; there is: random, greedy"),
        (["simulate", "cronberg", "--edition", "nowhere"], 2, "no edition is called 'nowhere'"),
        (["simulate", "cronberg", "--players", "5"], 2, "players is 5; right would be: 2 to 4"),
        (["simulate", "cronberg", "--variant"], 2, "cronberg has no --variant; right would be: to leave it out"),
        (["terminal", "--several-cards"], 2, "cronberg has no --several-cards"),
        (["simulate", "drunter", "--no-votes"], 2, "--no-votes goes with --variant only; right would be: both (D9.5)"),
        (["terminal", "--bots", "greedy,,"], 2, "right would be: names with commas between them"),
        (["show", "nowhere.json"], 2, "neither a file nor a position"),
        (["check", "nowhere.json"], 2, "nowhere.json: can't be read: No such file or directory"),
        (["edition", "check", "nowhere.toml"], 2, "no edition is called 'nowhere.toml'"),
    ],
)
def test_a_problem_is_one_line_and_an_exit_code(words: list[str], code: int, said: str) -> None:
    result = run(*words)
    assert result.code == code
    assert result.out == ""
    assert said in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["sho"], ["simulate"], ["simulate", "cronberg", "--games", "x"], ["terminal", "--nope"]]
)
def test_a_wrong_command_line_is_told_with_exit_code_2(words: list[str]) -> None:
    result = run(*words)
    assert result.code == 2
    assert "Error: " in result.err
    assert "Traceback" not in result.said


def test_exit_codes_follow_the_kind_of_error() -> None:
    assert code_of(UnknownBot("x", ())) == code_of(BadArgument("x")) == 2
    assert code_of(BrokenRecord("x", "C1.1", "y")) == code_of(MalformedFile("x", "", "y")) == 1


def test_no_traceback_in_a_process_of_its_own() -> None:
    result = run_process("show", "nowhere.json")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("embertown: nowhere.json is neither a file nor a position; right would be: ")
    assert result.err.count("\n") == 1


def closed_early(*words: object) -> Result:
    """A command whose reader goes away after the first bytes."""
    with running(*words) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        head = process.stdout.read(10)
        process.stdout.close()
        err = process.stderr.read().decode()
        return Result(process.wait(DEADLINE), head.decode(), err)


def test_a_closed_pipe_is_no_problem() -> None:
    result = closed_early("simulate", "cronberg", "--games", "100000", "--jobs", "1")
    assert (result.code, result.out) == (141, '{"format":')
    assert "Traceback" not in result.err
    assert "BrokenPipe" not in result.err


def test_a_closed_stdin_ends_a_game_in_peace() -> None:
    result = run("terminal", "--bots", "random", typed="")
    assert result.code == 0
    assert "The game stays unfinished." in result.out


def test_bytes_that_are_no_text_are_a_mistype() -> None:
    done = subprocess.run(
        command("terminal", "--hot-seat"),
        input=b"\xff\xfe d4\n\x1b[31mred\nquit\n",
        capture_output=True,
        env=environment(),
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.count(b"is no action") == 2
    assert b"\x1b" not in done.stdout
    assert b"Traceback" not in done.stderr
