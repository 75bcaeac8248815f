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

PONDERING_BOT = """
    import time

    from embertown.bots import Choice, Considered, Reasons
    from embertown.bots.budget import Budget


    class PonderingBot:
        name = "pondering"

        def choose(self, view, *, seconds=None, simulations=None, seed=0):
            budget = Budget(seconds, simulations or (None if seconds else 3))
            while not budget.is_spent():
                time.sleep(0.001)
                budget.spend(1)
            players, legal = view.game.players, view.legal_actions
            shares = (0.75, *[0.25 / (players - 1)] * (players - 1))
            considered = [
                Considered(action, 1000 - rank, shares, (-2.5, *[10.0 + rank] * (players - 1)))
                for rank, action in enumerate(legal[:7])
            ]
            line = (view.text(legal[0]), "draw", "drawn church")
            believed = {"inn": 0.2, "town-hall": 0.8, "museum": 0.0}
            beliefs = [None if seat == view.seat else believed for seat in range(players)]
            known = tuple(beliefs) if view.game.name == "drunter" else ()
            return Choice(legal[0], Reasons("", tuple(considered), line, budget.made, False, known))
"""
"""A module with a bot that thinks for all its time, three simulations unless it is told otherwise."""


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
