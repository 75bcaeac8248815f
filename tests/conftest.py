"""What all tests share: Hypothesis' settings, and whether the kernels are compiled in this run."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import hypothesis
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # the tests run in the background, and some press Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

JIT_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}
"""Kernels run as plain Python, some hundred times slower: choose small sizes."""


def examples(usual: int, without_jit: int) -> int:
    """How many examples a costly test takes; the soak asks for more by `EMBERTOWN_EXAMPLES`."""
    return int(os.environ.get("EMBERTOWN_EXAMPLES", str(without_jit if JIT_OFF else usual)))


IN_CI = bool(os.environ.get("CI"))
HYPOTHESIS_HOME = Path(__file__).parents[1] / ".cache" / "hypothesis"

set_hypothesis_home_dir(HYPOTHESIS_HOME)
hypothesis.settings.register_profile(
    "embertown",
    deadline=None,  # the first call of a kernel compiles it
    derandomize=IN_CI,  # CI fails for what changed, not for luck; elsewhere luck is welcome
    max_examples=15 if JIT_OFF else 100,
    # a derandomized run has nothing to remember
    database=None if IN_CI else DirectoryBasedExampleDatabase(HYPOTHESIS_HOME / "examples"),
)
hypothesis.settings.load_profile("embertown")
