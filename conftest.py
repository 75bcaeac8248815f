"""Which files pytest leaves alone: where torch, or the Triton of a torch for GPUs, is not installed, what needs it."""

from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent
TEXTS = {file: file.read_text(encoding="utf-8") for file in (ROOT / "src/embertown/training").glob("*.py")}


def that_need_torch() -> set[Path]:
    """The files of the training room that import torch, themselves or through another."""
    found: set[Path] = {file for file, text in TEXTS.items() if "import torch" in text or "from torch" in text}
    grows = True
    while grows:
        others = {
            file
            for file, text in TEXTS.items()
            if any(f"training.{each.stem} " in text or f"training import {each.stem}" in text for each in found)
        }
        grows = not others <= found
        found |= others
    return found


NEED_TRITON = {ROOT / "src/embertown/training/cells.py", ROOT / "tests/training/cells_interpreted.py"}

ignored = set() if find_spec("triton") else NEED_TRITON
ignored = ignored if find_spec("torch") else ignored | NEED_TRITON | that_need_torch()
collect_ignore = [str(file.relative_to(ROOT)) for file in ignored]
