"""A game of Cronberg at the terminal: people at one keyboard, bots at the other seats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from rich.console import Console
from rich.text import Text

from embertown.bots import Bot
from embertown.cli import advice, tell, typed
from embertown.cli.options import check_writable, derived_seed, output
from embertown.cli.screen import out, printable, say, show_board
from embertown.core.errors import BadArgument, EmbertownError, IllegalMove, MalformedText
from embertown.core.terminal import SEAT_STYLES, SHAPES
from embertown.cronberg.game import CronbergState
from embertown.cronberg.rules import PASS

LONGEST_LINE = 1000


class Quit(Exception):
    """Somebody wants to stop."""


@dataclass
class Table:
    """A state, who sits where, and what was said last."""

    state: CronbergState
    bots: Sequence[Bot | None]
    """By seat: the bot that plays, or None for a person."""
    language: str = "en"
    seed: int = 0
    """For the bots."""
    save_to: Path | None = None
    console: Console = field(default_factory=out)
    news: list[tuple[int, list[str]]] = field(default_factory=list)
    """What each seat did, in words."""
    numbered: tuple[int, list[int]] = (-1, [])
    """The length of the log when the legal actions were listed, and their order."""
    written: set[Path] = field(default_factory=set)

    @property
    def names(self) -> list[str]:
        """The players' names, by seat."""
        return [seat.name for seat in self.state.heading.seats]

    def play(self) -> None:
        """Play to the end, or until somebody quits; either way, also when interrupted, the game is saved."""
        self._say(advice.greeting(self.state, self.names), "bold")
        try:
            while self.state.seat is not None:
                self._act_once(self.state.seat)
            self._end()
        except Quit:
            self._say(f"The game stays unfinished. {tell.standings(self.names, self.state.scores)}")
        except KeyboardInterrupt:
            self._say()  # the prompt's line ends here
            raise
        finally:
            if self.save_to is not None:
                self._write(self.save_to)

    def _end(self) -> None:
        """The last board, then the final scoring: who has won is what stays on the screen."""
        assert self.state.outcome is not None
        self._say()
        show_board(self.console, tell.picture(self.state, tell.last_places(self.state.log)))
        self._say()
        for line in tell.ending_words(self.names, self.state.final_scoring(), self.state.outcome):
            self._say(line)

    def _act_once(self, seat: int) -> None:
        bot = self.bots[seat]
        if list(self.state.legal_actions) == [PASS]:
            self._do(seat, PASS)
        elif bot is None:
            self._ask(seat)
        else:
            self._do(seat, bot.choose(self.state.view(seat), seed=derived_seed(self.seed, "bot", seat)).action)

    # ---- doing and telling

    def _do(self, seat: int, action: int | str) -> None:
        """Act, and tell what came of it; what is refused changes nothing."""
        drawn, found = self.state.drawn, self.state.preview(action)
        self.state.play(action, seat)
        text = next(entry.text for entry in reversed(self.state.log) if entry.seat is not None)
        lines = [*self._headline(seat, text, drawn), *tell.consequence_words(self.state.board, self.names, found)]
        self.news.append((seat, lines))
        self._tell(seat, lines)

    def _headline(self, seat: int, text: str, drawn: str | None) -> list[str]:
        """What was done. A bot's draw is told with the placement that follows at once."""
        edition, is_bot = self.state.game.edition, self.bots[seat] is not None
        if text == "draw":
            assert self.state.drawn is not None
            return [] if is_bot else [f"drew {edition.name_of(self.state.drawn, self.language)}"]
        words = tell.action_words(text, edition, drawn, self.language)
        return [f"drew and placed {words}" if is_bot and drawn else f"placed {words}" if drawn else words]

    def _tell(self, seat: int, lines: Sequence[str]) -> None:
        if not lines:
            return
        name = (f" {SHAPES[seat]} {self.names[seat]} ", SEAT_STYLES[seat])
        self._say(Text.assemble(name, f" {lines[0]}"))
        for line in lines[1:]:
            self._say(f"    {line}")

    def _say(self, what: str | Text = "", style: str | None = None) -> None:
        say(self.console, what, style)

    # ---- asking

    def _ask(self, seat: int) -> None:
        """Ask a person until an action is done or taken back."""
        self._board(seat)
        before = len(self.state.log)
        while self.state.seat == seat and len(self.state.log) == before:
            line = self._line(seat)
            try:
                self._obey(seat, typed.read(line))
            except IllegalMove as error:
                self._say(advice.refusal(error, self.state, self.language), "bold")
            except EmbertownError as error:
                self._say(printable(str(error)), "bold")

    def _line(self, seat: int) -> str:
        prompt = f"{self.names[seat]}> "
        try:
            if sys.stdin.isatty():
                return input(prompt)
            self.console.file.write(prompt)
            line = sys.stdin.readline(LONGEST_LINE)
        except EOFError:
            line = ""
        if not line:
            self._say()
            raise Quit
        self._say(printable(line.rstrip("\n")))  # a transcript shows what was typed
        return line

    def _obey(self, seat: int, wish: typed.Typed) -> None:
        if wish.word == typed.ACT:
            self._do(seat, wish.rest)
        elif wish.word == typed.NUMBER:
            self._do(seat, self._numbered_action(int(wish.rest)))
        elif wish.word == "save":
            self._save_as(wish.rest)
        else:
            self.ANSWERS[wish.word](self, seat)

    def _numbered_action(self, number: int) -> int:
        length, actions = self.numbered
        if length != len(self.state.log):
            raise MalformedText("a number chooses from the list: type list first, or an action such as d4")
        if not 1 <= number <= len(actions):
            raise MalformedText(f"the list has no {number}; right would be: 1 to {len(actions)}")
        return actions[number - 1]

    # ---- commands

    def _board(self, seat: int) -> None:
        self._say()
        show_board(self.console, tell.picture(self.state, tell.marks_since(self.state.log, seat)))
        self._say()
        self._say(advice.hint(self.state, self.language), "dim")

    def _help(self, _seat: int) -> None:
        for line in advice.help_lines():
            self._say(line)

    def _list(self, _seat: int) -> None:
        lines, actions = advice.list_actions(self.state, self.names, self.language)
        self.numbered = len(self.state.log), actions
        for line in lines:
            self._say(line)

    def _score(self, _seat: int) -> None:
        for line in advice.score_lines(self.state, self.names):
            self._say(line)

    def _last(self, seat: int) -> None:
        """Everything since this seat's last turn once more."""
        own = [index for index, (who, _) in enumerate(self.news) if who == seat]
        news = self.news[own[-1] :] if own else self.news
        for who, lines in news:
            self._tell(who, lines)
        if not news:
            self._say("There is nothing to tell yet.")

    def _undo(self, seat: int) -> None:
        """Take the person's last action back, and what bots did since; never a draw, never another person's action."""
        decisions = [entry for entry in self.state.log if entry.seat is not None]
        steps = advice.steps_to_undo(decisions, seat, [bot is not None for bot in self.bots])
        for _ in range(steps):
            self.state.undo()
        del self.news[max(0, len(self.news) - steps) :]
        self._say(f"Taken back: {decisions[-steps].text}.")

    def _quit(self, _seat: int) -> None:
        raise Quit

    ANSWERS: ClassVar[dict[str, Callable[[Table, int], None]]] = {
        "help": _help,
        "list": _list,
        "undo": _undo,
        "score": _score,
        "last": _last,
        "board": _board,
        "quit": _quit,
    }

    # ---- saving

    def _save_as(self, name: str) -> None:
        """Save under a name that somebody typed; nothing that was there before is written over."""
        path = Path(name).expanduser()
        with suppress(OSError, ValueError):  # told when it is written
            if path.exists() and path not in {*self.written, self.save_to}:
                raise BadArgument(f"{name} is there already; right would be: another name")
        try:
            check_writable(path)
            self._write(path)
        except (OSError, ValueError) as problem:
            raise BadArgument(f"{name}: can't be written: {problem}") from None

    def _write(self, path: Path) -> None:
        with output(path) as file:
            file.write(self.state.record().to_json() + "\n")
        self.written.add(path)
        self._say(f"Saved: {path}")
