"""Which files pytest leaves alone: where torch is not installed, what needs it."""

from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent


def needs_torch(file: Path) -> bool:
    """Whether a file of the training room imports torch, itself or through another."""
    text = file.read_text(encoding="utf-8")
    return "import torch" in text or "from torch" in text or "training.run" in text


collect_ignore = (
    []
    if find_spec("torch")
    else [str(file.relative_to(ROOT)) for file in (ROOT / "src/embertown/training").glob("*.py") if needs_torch(file)]
)
