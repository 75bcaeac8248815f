"""The pictures of the games on the home page: `python tools/home_pictures.py` writes those that are stale.

Cut out of drawings of positions that `greedy` bots came to; made like the pictures of the rules (`rule_pictures`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import embertown
from embertown.bots.registry import bot
from tools import rule_pictures as pictures

FOLDER = pictures.ROOT / "web" / "public" / "home"
DECISIONS = {"cronberg": 46, "drunter": 60}
SEEDS = {"cronberg": 5, "drunter": 7}
"""Chosen by eye: games that show much of what there is."""


def played(game: str) -> Any:
    """A game of three, as far as the picture needs it."""
    state = embertown.load(game, players=3).start(seed=SEEDS[game])
    player = bot("greedy")
    for number in range(DECISIONS[game]):
        state.play(player.choose(state.view(state.seat), seed=number).action)
    return state


def cronberg() -> str:
    """The middle of the town, half rebuilt."""
    frame = pictures.town(played("cronberg"), ["c2", "c5", "e2", "e5"], margin=40)
    return pictures.cut(pictures.town_look(), frame)


def drunter() -> str:
    """A part of Schilda with its ways."""
    frame = pictures.schilda(played("drunter"), "C2", "K7", scale=0.6)
    return pictures.cut(pictures.schilda_look(), frame)


def files() -> dict[Path, str]:
    """What each file should hold."""
    return {FOLDER / "cronberg.svg": cronberg(), FOLDER / "drunter.svg": drunter()}


def main() -> None:
    """Write what is stale."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, text in files().items():
        file.write_text(text, encoding="utf-8")
        sys.stdout.write(f"written: {file.relative_to(pictures.ROOT)}, {len(text.encode()):,} bytes\n")


if __name__ == "__main__":
    main()
