"""300 games of each kind, simulated and checked by the commands; some of them replayed by the oracle."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from embertown.cronberg.edition import CronbergEdition
from tests.oracle.cronberg import replay

GAMES = 300
ORACLE_GAMES = 15
OWN = str(Path(__file__).parents[1] / "editions" / "few-rhombi.toml")


def run(*words: object) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "embertown", *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("edition", [*CronbergEdition.shipped(), OWN], ids=lambda edition: Path(edition).stem)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_each_kind(edition: str, players: int, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    kind = ("--edition", edition, "--players", players, "--bots", "random", "--jobs", 1)
    run("simulate", "cronberg", *kind, "--games", GAMES, "--seed", 1, "--out", file)
    run("check", file, "--jobs", 1)
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(records) == GAMES
    editions = {name: CronbergEdition.find(name).to_dict() for name in CronbergEdition.shipped()}
    for record in records[:ORACLE_GAMES]:
        oracle = replay(record, editions)
        assert record["moves"] == oracle.moves
        assert record["final"] == oracle.final
        assert record["scores"] == list(oracle.scores)
        assert record["winners"] == list(oracle.winners)
