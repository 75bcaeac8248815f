"""Bots by name: those that come along, and those of packages that are really there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import embertown
from embertown.bots import bot, bot_names
from embertown.bots.registry import BUILT_IN
from embertown.core.errors import UnknownBot, UnusableBot
from tests.cli.helpers import DEADLINE, environment
from tests.installing import BOT, install


def test_every_name_gives_a_bot_of_that_name_each_time_a_new_one() -> None:
    for name in BUILT_IN:
        assert bot(name).name == name
        assert bot(name) is not bot(name)
    assert bot_names()[: len(BUILT_IN)] == tuple(BUILT_IN)


def test_an_unknown_name_is_an_error_that_lists_the_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, "firsts", BOT, {"first": "firsts:FirstBot"}))
    with pytest.raises(UnknownBot) as caught:
        bot("gredy")
    assert str(caught.value) == f"no bot is called 'gredy'; there is: {', '.join(BUILT_IN)}, first"


def test_another_packages_bot_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "first" not in bot_names()
    monkeypatch.syspath_prepend(install(tmp_path, "firsts", BOT, {"first": "firsts:FirstBot"}))
    assert bot_names()[len(BUILT_IN) :] == ("first",)
    view = embertown.load("cronberg").start(seed=1).view(0)
    assert embertown.bot("first").choose(view).action == view.legal_actions[0]
    monkeypatch.undo()
    assert "first" not in bot_names()


def test_a_name_that_comes_along_can_not_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, "thief", BOT, {"greedy": "thief:FirstBot"}))
    assert type(bot("greedy")).__module__ == "embertown.bots.greedy"
    assert bot_names().count("greedy") == 1


def test_two_packages_with_one_name_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("one", "two"):
        install(tmp_path, package, BOT, {"first": f"{package}:FirstBot"})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        UnusableBot, match=r"one \(one:FirstBot\) and two \(two:FirstBot\) offer a bot of the same name"
    ):
        bot("first")
    assert bot_names().count("first") == 1


@pytest.mark.parametrize(
    ("package", "source", "place", "said"),
    [
        ("gone", "", "nowhere_to_be_found:Bot", "gone (nowhere_to_be_found:Bot) can't be loaded: ModuleNotFoundError"),
        ("less", "", "less:Bot", "less (less:Bot) can't be loaded: AttributeError"),
        ("broken", "1 / 0", "broken:Bot", "can't be loaded: ZeroDivisionError: division by zero"),
        ("needy", "def bot(strength): ...", "needy:bot", "can't be loaded: TypeError: bot() missing 1 required"),
        ("number", "def bot(): return 7", "number:bot", "number (number:bot) gives 7, which has no method choose"),
        ("field", "class Bot: choose = 7", "field:Bot", "which has no method choose"),
        ("whole", "", "whole", "can't be loaded: TypeError: 'module' object is not callable"),
    ],
)
def test_a_bot_that_can_not_be_had_says_whose_it_is_and_why(
    package: str, source: str, place: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, package, source, {"mine": place}))
    with pytest.raises(UnusableBot) as caught:
        bot("mine")
    assert said in str(caught.value)
    assert "mine" in bot_names()


def test_naming_the_bots_imports_none_of_them() -> None:
    script = (
        "import sys\nfrom embertown.bots import bot_names\nassert bot_names()\n"
        "print('heavy:', *{'numba', 'numpy', 'embertown.core.game', 'embertown.bots.greedy'} & set(sys.modules))"
    )
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), timeout=DEADLINE, check=False)
    assert done.stdout.split() == ["heavy:"], done.stdout + done.stderr
