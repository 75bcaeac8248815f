"""Many games of every kind, every one of them checked: `python3 dev.py soak [--games 10000]`.

Each kind is simulated and checked with the commands that people use; a part of its records is replayed by the oracle,
which shares no code with the engine; then the kernels play random editions against the oracles. Where torch is
installed, a network learns for a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from tests.kinds import Kind

EMBERTOWN = (sys.executable, "-m", "embertown")
ORACLE_SHARE = 20
"""One game in so many is replayed by the oracle too."""
ORACLE_EXAMPLES = 1000
SMALL = "--players 2 --minutes 1 --games 256 --steps 32 --minibatch 1024 --width 32 --depth 2 --variety 0 --device cpu"
TRAINING = (sys.executable, "-m", "embertown.training", "train", *SMALL.split(), "--evaluation-games", "1024")
LEARNED = 0.8
"""The share of the win against random play, half of which would be none, that a minute has to bring."""


def main() -> int:
    """Soak everything; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="games of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    from tests.kinds import kinds

    with tempfile.TemporaryDirectory(prefix="embertown-soak-") as name:
        for kind in kinds():
            soak(Path(name) / "games.jsonl", kind, options.games, options.seed)
        learning(Path(name))
    random_editions()
    print(f"\nSoaked for {time.monotonic() - began:.0f} s; nothing broke.")
    return 0


def soak(file: Path, kind: Kind, games: int, seed: int) -> None:
    """Simulate, check, and let the oracle replay a part."""
    from tests.kinds import differences

    print(f"\n== {kind.game}: {kind.name}", flush=True)
    run(*EMBERTOWN, "simulate", *kind.words, "--bots", "random", "--games", games, "--seed", seed, "--out", file)
    run(*EMBERTOWN, "check", file)
    replayed = 0
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % ORACLE_SHARE == 0:
                if found := differences(json.loads(line)):
                    raise SystemExit(f"the oracle differs in {', '.join(found)}:\n{line}")
                replayed += 1
    print(f"{replayed} of them replayed by the oracle", flush=True)


def learning(folder: Path) -> None:
    """A network learns for a minute on this machine's cores, and must then be clearly better than random play."""
    if find_spec("torch") is None:
        print("\n== no torch here, so nothing is trained", flush=True)
        return
    print("\n== a minute of training", flush=True)
    run(sys.executable, "-m", "pytest", "-q", "-n", "0", ROOT / "tests" / "training")
    run(*TRAINING, "--out", folder / "trained", OMP_NUM_THREADS="1")  # threads that wait for each other cost more
    lines = (folder / "trained" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    share, interval = json.loads(lines[-1])["2_against_random"]
    if share - interval < LEARNED:
        raise SystemExit(f"after a minute of training it wins {share:.0%} against random play, not {LEARNED:.0%}")


def random_editions() -> None:
    """The kernels against the oracles on random editions, as in the tests but for longer."""
    print(f"\n== {ORACLE_EXAMPLES} games on random editions against each oracle", flush=True)
    tests = [ROOT / "tests" / game / "test_against_oracle.py" for game in ("cronberg", "drunter")]
    run(sys.executable, "-m", "pytest", "-q", "-n", "2", *tests, EMBERTOWN_EXAMPLES=str(ORACLE_EXAMPLES))


def run(*command: object, **settings: str) -> None:
    """A command that has to succeed."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env={**os.environ, **settings}, check=False)
    if done.returncode:
        raise SystemExit(f"exit status {done.returncode}: {' '.join(map(str, command))}")


if __name__ == "__main__":
    sys.exit(main())
