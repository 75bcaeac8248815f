"""300 games of each kind, simulated and checked by the commands; some of them replayed by the oracle."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kinds import Kind, differences, kinds

GAMES = 300
ORACLE_GAMES = 15


def run(*words: object) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "embertown", *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.name)
def test_games_of_each_kind(kind: Kind, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run("simulate", *kind.words, "--bots", "random", "--games", GAMES, "--seed", 1, "--jobs", 1, "--out", file)
    run("check", file, "--jobs", 1)
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(records) == GAMES
    assert [differences(record) for record in records[:ORACLE_GAMES]] == [[]] * ORACLE_GAMES
