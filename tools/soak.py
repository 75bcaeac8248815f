"""Many games of every kind, every one of them checked: `python3 dev.py soak [--games 10000]`.

Each kind is simulated and checked with the commands that people use; a part of its records is replayed by the oracle, which
shares no code with the engine; then the kernels play random editions against the oracle.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

EMBERTOWN = (sys.executable, "-m", "embertown")
ORACLE_SHARE = 20
"""One game in so many is replayed by the oracle too."""
ORACLE_EXAMPLES = 3000


def main() -> int:
    """Soak everything; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="games of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="embertown-soak-") as name:
        for edition, players, bots in kinds():
            soak(Path(name) / "games.jsonl", (edition, players, bots), options.games, options.seed)
    random_editions()
    print(f"\nSoaked for {time.monotonic() - began:.0f} s; nothing broke.")
    return 0


def kinds() -> list[tuple[str, int, str]]:
    """Every edition that ships and one with too few rhombi (C7.4), with every number of players."""
    from embertown.cronberg.edition import CronbergEdition

    own = str(ROOT / "tests" / "editions" / "few-rhombi.toml")
    return [
        (edition, players, "random") for edition in (*CronbergEdition.shipped(), own) for players in (2, 3, 4)
    ]


def soak(file: Path, kind: tuple[str, int, str], games: int, seed: int) -> None:
    """Simulate, check, and let the oracle replay a part."""
    edition, players, bots = kind
    print(f"\n== cronberg, {Path(edition).stem}, {players} players, {bots}", flush=True)
    what = ("--edition", edition, "--players", players, "--bots", bots, "--games", games, "--seed", seed)
    run(*EMBERTOWN, "simulate", "cronberg", *what, "--out", file)
    run(*EMBERTOWN, "check", file)
    replayed = 0
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % ORACLE_SHARE == 0:
                replay_by_oracle(json.loads(line))
                replayed += 1
    print(f"{replayed} of them replayed by the oracle", flush=True)


def replay_by_oracle(record: dict[str, object]) -> None:
    """Raises where the oracle sees another game."""
    from embertown.cronberg.edition import CronbergEdition
    from tests.oracle.cronberg import replay

    editions = {name: CronbergEdition.find(name).to_dict() for name in CronbergEdition.shipped()}
    oracle = replay(record, editions)
    for key, seen in (("moves", oracle.moves), ("final", oracle.final), ("scores", list(oracle.scores))):
        if record[key] != seen:
            raise SystemExit(f"the oracle differs in {key}:\n{json.dumps(record)}\n{json.dumps(seen)}")


def random_editions() -> None:
    """The kernels against the oracle on random editions, as in the tests but for longer."""
    print(f"\n== {ORACLE_EXAMPLES} games on random editions against the oracle", flush=True)
    tests = ROOT / "tests" / "cronberg" / "test_against_oracle.py"
    run(sys.executable, "-m", "pytest", "-q", tests, EMBERTOWN_EXAMPLES=str(ORACLE_EXAMPLES))


def run(*command: object, **settings: str) -> None:
    """A command that has to succeed."""
    import os

    done = subprocess.run([str(word) for word in command], cwd=ROOT, env={**os.environ, **settings}, check=False)
    if done.returncode:
        raise SystemExit(f"exit status {done.returncode}: {' '.join(map(str, command))}")


if __name__ == "__main__":
    sys.exit(main())
