"""Contestants: a name and a budget, and clear words about what is neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from embertown.arena import Contestant, Tournament, play
from embertown.core.errors import BadArgument, UnknownBot


@pytest.mark.parametrize(
    ("text", "simulations", "seconds", "written"),
    [
        ("greedy", None, None, "greedy"),
        ("greedy:10000", 10_000, None, "greedy:10000"),
        ("greedy:0.5s", None, 0.5, "greedy:0.5s"),
        ("greedy:2s", None, 2.0, "greedy:2s"),
        ("greedy:0.00001s", None, 1e-5, "greedy:0.00001s"),
        ("greedy:123456.7s", None, 123456.7, "greedy:123456.7s"),
        ("greedy:999999.999999s", None, 999999.999999, "greedy:999999.999999s"),
        ("greedy:1.50s:007", 7, 1.5, "greedy:7:1.5s"),
    ],
)
def test_a_name_and_its_budget(text: str, simulations: int | None, seconds: float | None, written: str) -> None:
    found = Contestant.parsed(text)
    assert (found.bot, found.simulations, found.seconds, str(found)) == ("greedy", simulations, seconds, written)
    assert Contestant.parsed(str(found)) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":5",
        "greedy:",
        "greedy:x",
        "greedy:-1",
        "greedy:1.5",
        "greedy:s",
        "greedy:5m",
        "greedy:1e3s",
        "greedy:1:2",
        "greedy:1s:2s",
    ],
)
def test_what_is_no_budget_is_told(text: str) -> None:
    with pytest.raises(BadArgument, match="right would be: a bot's name, or with a budget"):
        Contestant.parsed(text)


@pytest.mark.parametrize(("text", "said"), [("greedy:0", "simulations is 0"), ("greedy:0s", "seconds is 0.0")])
def test_a_budget_of_nothing_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadArgument, match=said):
        Contestant.parsed(text)


@pytest.mark.parametrize("text", ["nobody", "nobody:100"])
def test_an_unknown_bot_can_not_play_and_lists_the_names(text: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownBot, match=r"there is: .*greedy"):
        play(Tournament("cronberg", ["random", text]), games=2, jobs=1, out=tmp_path / "results.jsonl")
    assert not list(tmp_path.iterdir())
