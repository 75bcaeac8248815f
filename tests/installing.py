"""A small package of somebody else's, really installed: its module and its metadata, in a folder for `sys.path`."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

BOT = """
    from embertown.bots import Choice, Reasons


    class FirstBot:
        name = "first"

        def choose(self, view, *, seconds=None, simulations=None, seed=0):
            return Choice(view.legal_actions[0], Reasons(because=f"{seconds} s, {simulations} simulations"))
"""
"""A module with a bot that takes the first legal action, and tells its budget."""


def install(folder: Path, package: str, source: str, bots: dict[str, str]) -> Path:
    """Put a package and its entry points into a folder; the folder."""
    module = package.replace("-", "_")
    (folder / f"{module}.py").write_text(dedent(source), encoding="utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    entries = [f"{name} = {place}" for name, place in bots.items()]
    text = "\n".join(["[embertown.bots]", *entries, ""])
    (info / "entry_points.txt").write_text(text, encoding="utf-8")
    (info / "RECORD").write_text("", encoding="utf-8")
    return folder
