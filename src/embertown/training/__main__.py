"""`python -m embertown.training`: the commands, where torch is installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec


def main() -> int:
    """Run a command; the exit status."""
    if find_spec("torch") is None:
        print("training needs torch: install embertown with the extra train (embertown[train])", file=sys.stderr)
        return 1
    from embertown.training.commands import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
