"""Which files pytest leaves alone: where torch is not installed, what needs it."""

from importlib.util import find_spec

NEEDS_TORCH = ("commands", "evaluate", "export", "network", "ppo", "run", "speed")

collect_ignore = [] if find_spec("torch") else [f"src/embertown/training/{name}.py" for name in NEEDS_TORCH]
