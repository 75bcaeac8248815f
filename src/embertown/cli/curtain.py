"""People at one keyboard whose games have secrets: who looks, and a screen of its own for what only they may see."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from rich.console import Console

from embertown.cli.screen import say

SCROLLED_AWAY = 60
"""Lines that put what was written out of sight, where the screen can't be cleared."""


@dataclass
class Curtain:
    """Open for one seat at a time, or closed; where nothing is to be hidden, all look all the time."""

    console: Console
    is_needed: bool
    looking: int | None = None
    """The seat that the curtain is open for."""
    looked: int | None = None
    """The seat that it was open for last: who has the keyboard."""

    def is_closed_for(self, seat: int) -> bool:
        """Whether the keyboard has to be handed over before this seat may see its secrets."""
        return self.is_needed and self.looking != seat

    def open(self, seat: int) -> None:
        """Secrets go on the terminal's second screen: what scrolls off there is gone."""
        if not self.is_needed:
            return
        self.looking = self.looked = seat
        if self.console.is_terminal:
            self.console.set_alt_screen(True)
            self.console.clear()

    def close(self) -> None:
        """Back to the screen that all may see; nothing that was seen or typed can be called up again."""
        if self.looking is None:
            return
        self.looking = None
        if self.console.is_terminal:
            self.console.clear()
            self.console.set_alt_screen(False)
            self.console.clear()  # also where the terminal has one screen only
            forget_typed_lines()
        else:
            say(self.console, "\n" * SCROLLED_AWAY)


def forget_typed_lines() -> None:
    """Arrow keys must not bring back what somebody else typed."""
    readline = sys.modules.get("readline")
    if readline is not None:
        readline.clear_history()
