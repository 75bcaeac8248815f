"""Bots that think, at the table and in simulations: budgets, what is seen meanwhile, and why they did it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

import embertown
from embertown.bots import Choice, Considered, Reasons, bot
from embertown.bots.network_bot import hint
from embertown.bots.registry import BUILT_IN
from embertown.cli import screen
from embertown.cli.simulate import CHUNK, Series, chunk_size
from embertown.cli.why import Thought, hint_lines, why_lines
from embertown.cli.words import words_of
from tests.cli.helpers import DEADLINE, environment, record_of, rest_of, run, running, wait_until
from tests.installing import BOT, PONDERING_BOT, install
from tests.small_drunter import FIVE, dealt, put


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two bots of other packages."""
    folder = tmp_path / "packages"
    folder.mkdir()
    install(folder, "firsts", BOT, {"first": "firsts:FirstBot"})
    install(folder, "ponderers", PONDERING_BOT, {"pondering": "ponderers:PonderingBot"})
    monkeypatch.syspath_prepend(folder)
    return folder


# ---- budgets


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "None s, None simulations"),
        (["--seconds", "2.5"], "2.5 s, None simulations"),
        (["--seconds", "3", "--simulations", "20"], "3.0 s, 20 simulations"),
    ],
)
@pytest.mark.usefixtures("packages")
def test_the_budget_reaches_the_bot(words: list[str], told: str) -> None:
    result = run("terminal", "--bots", "first", "--seed", 1, *words, typed="d4\nwhy\n")
    assert f"because: {told}" in result.out


@pytest.mark.usefixtures("packages")
def test_a_budget_goes_with_a_game_that_is_resumed(tmp_path: Path) -> None:
    saved = tmp_path / "x.json"
    run("terminal", "--bots", "first", "--seed", 1, "--save", saved, typed="quit\n")
    result = run("terminal", "--resume", saved, "--simulations", 7, typed="d4\nwhy\n")
    assert "because: None s, 7 simulations" in result.out


@pytest.mark.parametrize("command", [["terminal"], ["simulate", "cronberg"]])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seconds", "0"], "seconds is 0.0; right would be: a number above 0"),
        (["--seconds", "nan"], "seconds is nan; right would be: a number above 0"),
        (["--simulations", "0"], "simulations is 0; right would be: a whole number from 1 on"),
    ],
)
def test_a_budget_that_can_not_be_is_told(command: list[str], words: list[str], said: str) -> None:
    result = run(*command, *words)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


@pytest.mark.parametrize("command", ["terminal", "simulate"])
def test_help_lists_the_bots_that_come_along(command: str) -> None:
    said = "".join(run(command, "--help").out.split())
    assert f"{','.join(BUILT_IN)},oroneofanotherpackage" in said


@pytest.mark.usefixtures("packages")
def test_simulations_with_a_budget_are_the_same_however_many_processes(tmp_path: Path) -> None:
    """Another package's bot is found in the other processes too."""
    files = []
    for jobs in (1, 2):
        files.append(tmp_path / f"{jobs}.jsonl")
        words = ("--bots", "pondering,first", "--simulations", 1, "--games", 9, "--jobs", jobs, "--out", files[-1])
        assert run("simulate", "cronberg", *words).code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    assert json.loads(files[0].read_text(encoding="utf-8").splitlines()[0])["seats"][0]["bot"] == "pondering"


def test_games_of_bots_that_may_think_are_tasks_of_their_own() -> None:
    """Else Ctrl-C would lose whole games that took minutes."""
    assert chunk_size(Series("cronberg", "", ("random", "greedy"), 0)) == CHUNK
    assert chunk_size(Series("cronberg", "", ("random", "pondering"), 0)) == 1


def test_a_bot_that_can_not_be_had_is_told_before_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, "broken", "1 / 0", {"mine": "broken:Bot"}))
    result = run("terminal", "--bots", "mine")
    assert (result.code, result.out) == (1, "")
    assert "embertown: the bot 'mine' can't be used: broken (broken:Bot) can't be loaded: ZeroDivision" in result.err


# ---- warming up


class Curious:
    """Notes what it was asked."""

    name = "curious"

    def __init__(self) -> None:
        self.asked: list[tuple[str, int | None]] = []

    def choose(self, view: object, *, seconds: object = None, simulations: int | None = None, seed: int = 0) -> Choice:
        del seconds, seed
        actions = view.legal_actions  # type: ignore[attr-defined]
        self.asked.append((view.text(actions[0]).split()[0], simulations))  # type: ignore[attr-defined]
        return Choice(actions[0])


def test_warming_up_asks_every_bot_for_every_kind_of_decision_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "_warm", set())
    player, game = Curious(), embertown.load("drunter", 3, variant=True)
    screen.warm_up(game, [player, player])
    assert {word for word, _ in player.asked} == {"lay", "vote", "jeeiin", "choose"}
    assert {simulations for _, simulations in player.asked} == {1}
    before = len(player.asked)
    screen.warm_up(game, [player])
    assert len(player.asked) == before
    screen.warm_up(embertown.load("cronberg"), [player])
    assert {word for word, _ in player.asked[before:]} >= {"token", "place"}


# ---- why


def test_why_before_anybody_chose_and_after_it_was_taken_back() -> None:
    result = run("terminal", "--bots", "random", "--seed", seed_of("You begin."), typed="why\nd4\nwhy\nundo\nwhy\n")
    assert result.out.count("no bot has chosen anything yet") == 2
    assert result.out.count("It gives no reasons.") == 1


@pytest.mark.parametrize("typed", ["why not", "why secrets please"])
def test_a_strange_why_says_what_would_be_right(typed: str) -> None:
    assert "right would be: why, or why secrets" in run("terminal", "--hot-seat", typed=f"{typed}\n").out


@pytest.mark.usefixtures("packages")
def test_why_tells_of_everybody_in_cronberg() -> None:
    said = run("terminal", "--bots", "pondering", "--seed", 1, "--simulations", 1234, typed="d4\nwhy\n").out
    told = [line.split() for line in said.partition("> why\n")[2].splitlines()]
    assert told[0][-3:] == ["after", "1,234", "simulations"]
    assert told[1:4] == [
        ["expects", "You", "Pondering"],
        ["to", "win", "75%", "25%"],
        ["points", "at", "the", "end", "−2.5", "10.0"],
    ]
    assert told[4] == ["looked", "at", "visits", "to", "win", "points"]
    assert [row[2:] for row in told[5:7]] == [["1,000", "25%", "10.0"], ["999", "25%", "11.0"]]
    assert told[10] == ["and", "2", "others"]
    assert told[11] == ["expects", "then:", "draw,", "drawn", "church"]


@pytest.mark.usefixtures("packages")
def test_why_gives_no_secrets_away_unless_asked_to() -> None:
    words = ("terminal", "--game", "drunter", "--bots", "pondering", "--seed", 3, "--language", "de")
    said = run(*words, typed="list\n1\nwhy\nwhy secrets\n").out
    kept, told = said.split("> why secrets\n")
    assert "the reasons would give Pondering's secrets away; right would be: why secrets" in kept
    assert "to win" not in kept
    assert "thinks of You: Rathaus 80%, Gasthaus 20%" in told
    assert "Museum" not in told.partition("You> ")[0]


def test_exact_reasons_say_so_and_the_chosen_action_is_told() -> None:
    """What is expected is told of the action that was chosen, though another was looked at more often."""
    view = embertown.load("cronberg").start(seed=1, first=0).view(0)
    one, other = view.action("token d4"), view.action("token d5")
    considered = Considered(one, 9, (0.5, 0.5), (1.0, 1.0)), Considered(other, 8, (1.0, 0.0), (7.0, 2.0))
    choice = Choice(other, Reasons("a\x1b[2Jb", considered, (view.text(other), "\x07"), exact=True))
    said = "\n".join(str(line) for line in why_lines(Thought(view, choice), words_of(view, "en")))
    assert "token d5, worked out to the end: these figures are exact" in said
    assert "100%" in said
    assert said.replace("\n", "").isprintable()


def test_a_whim_is_told_without_figures_of_its_own() -> None:
    view = embertown.load("cronberg").start(seed=1, first=0).view(0)
    considered = (Considered(view.action("token d4"), 9, (0.5, 0.5), (1.0, 1.0)),)
    thought = Thought(view, Choice(view.action("token d5"), Reasons(considered=considered)))
    said = "\n".join(str(line) for line in why_lines(thought, words_of(view, "en")))
    assert "expects" not in said
    assert "token d4" in said


# ---- while a bot thinks


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")
def test_a_terminal_shows_that_a_bot_thinks_and_ctrl_c_keeps_the_game(packages: Path, tmp_path: Path) -> None:
    import pty

    saved = tmp_path / "x.json"
    leader, follower = pty.openpty()
    env = environment(TERM="xterm-256color", COLUMNS="100", PYTHONPATH=f"{environment()['PYTHONPATH']}:{packages}")
    streams = {"stdin": follower, "stdout": follower, "stderr": follower}
    words = ("terminal", "--players", 3, "--bots", "pondering,pondering", "--seconds", DEADLINE, "--save", saved)
    with running(*words, "--seed", 2, env=env, **streams) as process:
        os.close(follower)
        os.write(leader, b"d4\n")
        seen = b""
        while b"is thinking" not in seen:
            seen += os.read(leader, 65536)
        process.send_signal(signal.SIGINT)
        seen += rest_of(leader)
        assert process.wait(DEADLINE) == 130
    assert b"interrupted" in seen
    assert b"Traceback" not in seen
    assert b"Saved: " in seen
    moves = record_of(saved)["moves"]
    assert moves in ([], [{"seat": 0, "token": "d4"}])


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_while_bots_think_in_a_pipe(packages: Path, tmp_path: Path) -> None:
    saved, said = tmp_path / "x.json", tmp_path / "said"
    env = environment(PYTHONUNBUFFERED="1", PYTHONPATH=f"{environment()['PYTHONPATH']}:{packages}")
    words = ("terminal", "--bots", "pondering", "--seconds", DEADLINE, "--save", saved)
    with (
        said.open("wb") as stdout,
        running(*words, "--seed", seed_of("Random begins."), stdin=subprocess.PIPE, stdout=stdout, env=env) as process,
    ):
        wait_until(lambda: saved.exists() and b"begins" in said.read_bytes(), process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    assert b"is thinking" not in err + said.read_bytes()
    assert b"Traceback" not in err
    assert record_of(saved)["moves"] == []


def seed_of(greeting: str) -> int:
    """A seed by whose lot a game of two begins so."""
    return next(seed for seed in range(20) if greeting in run("terminal", "--bots", "random", "--seed", seed).out)


def test_why_is_told_in_every_game_by_every_bot() -> None:
    """Also by those that only say what decided."""
    for name in BUILT_IN:
        for game in ("cronberg", "drunter"):
            view = embertown.load(game).start(seed=1, first=0).view(0)
            lines = why_lines(Thought(view, bot(name).choose(view, simulations=4)), words_of(view, "en"))
            assert len(lines) > 1


# ---- bots that are at fault

FAULTY = {
    "crashing": 'raise ZeroDivisionError("nothing to divide")',
    "cheating": "return Choice(9999)",
    "absent": "return None",
}
SAID = {
    "crashing": "failed: ZeroDivisionError: nothing to divide; ",
    "cheating": "chose action 9999, which is against the rules: no action on this board has the number 9999; ",
    "absent": "failed: AttributeError: 'NoneType' object has no attribute 'action'; ",
}


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that do what no bot may, of another package."""
    head = "from embertown.bots import Choice\nclass Bot:\n    name = '{}'\n    def choose(self, view, **how): {}\n"
    for name, body in {**FAULTY, "silent": "return Choice(view.legal_actions[0], None)"}.items():
        install(tmp_path, name, head.format(name, body), {name: f"{name}:Bot"})
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize("name", FAULTY)
@pytest.mark.usefixtures("faulty")
def test_a_faulty_bot_at_the_table_is_named_and_the_game_kept(name: str, tmp_path: Path) -> None:
    saved = tmp_path / "x.json"
    words = ("--bots", name, "--simulations", 7, "--seed", seed_of("You begin."), "--save", saved)
    result = run("terminal", *words, typed="d4\n")
    assert result.code == 3
    assert result.err.startswith(f"embertown: a bot is at fault: {name}:7 at seat 1 {SAID[name]}")
    assert "the bot's seed " in result.err
    assert "; position: cronberg:" in result.err
    assert f"Saved: {saved}" in result.out
    assert record_of(saved)["moves"] == [{"seat": 0, "token": "d4"}]
    assert run("terminal", "--resume", saved).code == 3


@pytest.mark.usefixtures("faulty")
def test_a_faulty_bots_fault_gives_no_secrets_away() -> None:
    result = run("terminal", "--game", "drunter", "--bots", "crashing", "--seed", 3, typed="list\n1\n")
    assert result.code == 3
    assert " objectives=?/? " in result.err


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", FAULTY)
@pytest.mark.usefixtures("faulty")
def test_a_faulty_bot_in_a_simulation_is_named(name: str, jobs: int) -> None:
    result = run("simulate", "cronberg", "--bots", f"random,{name}", "--games", 3, "--jobs", jobs)
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith(f"embertown: a bot is at fault: {name} at seat 1 {SAID[name]}")
    assert "; position: cronberg:" in result.err


@pytest.mark.usefixtures("faulty")
def test_why_of_a_bot_without_reasons() -> None:
    result = run("terminal", "--bots", "silent", "--seed", seed_of("You begin."), typed="d4\nwhy\nquit\n")
    assert result.code == 0
    assert "It gives no reasons." in result.out


# ---- hints


def test_a_hint_is_what_the_network_would_do(tmp_path: Path) -> None:
    """The best three with their shares; the first is what the bot of that name plays."""
    saved = tmp_path / "x.json"
    result = run("terminal", "--hot-seat", "--seed", 1, "--save", saved, typed="hint\nquit\n")
    head, *shares, expects = rest_after("hint", result.out)[:5]
    assert head == "The network would, at once and without thinking ahead:"
    parts = [int(line.split("%")[0]) for line in shares]
    assert parts == sorted(parts, reverse=True)
    assert expects.startswith("It expects you to win: ")
    state = embertown.GameRecord.from_file(saved).replay()
    view = state.view(state.seat)
    assert shares[0].endswith(f"%  {view.text(bot('network').choose(view).action)}")


def test_a_hint_at_drunter_is_a_searchs_with_the_network() -> None:
    """The three tiles that were tried most, with their shares."""
    result = run("terminal", "--game", "drunter", "--hot-seat", "--seed", 1, typed="\nhint\nquit\n")
    head, *shares, expects = rest_after("hint", result.out)[:5]
    assert head == "A short search, with the network beside it, tried most:"
    parts = [int(line.split("%")[0]) for line in shares]
    assert parts == sorted(parts, reverse=True)
    assert all("%  lay " in line for line in shares)
    assert expects.startswith("It expects you to win: ")


def test_where_the_network_does_not_know_the_game_the_hint_is_a_searchs() -> None:
    options = ("--game", "drunter", "--several-cards", "--hot-seat", "--seed", 1)
    result = run("terminal", *options, "--language", "de", typed="\nhint\nquit\n")
    head, *shares, expects = rest_after("hint", result.out)[:5]
    assert head == "The network votes with one card only (D6.6); a short search tried most:"
    assert all(line.split("%  lay ")[1].split()[0] in ("Mauer", "Straße", "Fluss") for line in shares)
    assert expects.startswith("It expects you to win: ")


def test_a_hint_where_nothing_can_be_chosen_says_so() -> None:
    """Nobody builds roads here, and the second seat has nothing else: it passes (D3.1)."""
    state = dealt(put(FIVE, E1="W"), {"wall": [2, 0, 0]}, {"road": [2, 0, 0]})
    state.play("lay wall A1 B1")
    view = state.view(1)
    assert hint_lines(hint(view), view, words_of(view, "en")) == ["Nothing but pass is legal."]


def rest_after(typed: str, out: str) -> list[str]:
    """What was said after something was typed, line by line."""
    lines = out.splitlines()
    asked = next(number for number, line in enumerate(lines) if line.endswith(f"> {typed}"))
    return lines[asked + 1 :]
