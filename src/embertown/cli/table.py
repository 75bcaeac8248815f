"""A game at the terminal: people at one keyboard, bots at the other seats.

Whoever looks is shown their own view, and while nobody knows who looks, a spectator's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from rich.console import Console
from rich.text import Text

from embertown.arena.contestant import Contestant
from embertown.arena.playing import Player
from embertown.bots import Bot
from embertown.bots.network_bot import hint
from embertown.cli import typed
from embertown.cli.curtain import Curtain
from embertown.cli.options import STANDARD_STREAM, Thinking, check_writable, output
from embertown.cli.screen import leaving_in_order, out, printable, say, show_board, thinking, uninterrupted
from embertown.cli.undo import steps_to_undo
from embertown.cli.why import Thought, hint_lines, why_lines
from embertown.cli.words import AnyWords, Deed, Line, Seal, words_of
from embertown.core.chance import derived_seed
from embertown.core.errors import BadArgument, EmbertownError, IllegalMove, MalformedText
from embertown.core.game import State, View

LONGEST_LINE = 1000
HANDED_OVER = "the keyboard has been handed over since: that can't be taken back"


class Quit(Exception):
    """Somebody wants to stop."""


class News(NamedTuple):
    """What a seat did, in words for all; and what followed that all should see together."""

    seat: int
    lines: list[str]
    moment: list[Line]
    thought: Thought | None = None
    """What a bot thought of before."""


@dataclass
class Table:
    """A state, who sits where, who looks, and what was said last."""

    state: State[Any]
    bots: Sequence[Bot | None]
    """By seat: the bot that plays, or None for a person."""
    language: str = "en"
    seed: int = 0
    """For the bots."""
    save_to: Path | None = None
    allowed: Thinking = field(default_factory=Thinking)
    """How long the bots may think."""
    console: Console = field(default_factory=out)
    news: list[News] = field(default_factory=list)
    untold: list[News] = field(default_factory=list)
    """What has yet to be told, below the next board: there it stays to be read."""
    numbered: tuple[int, list[int]] = (-1, [])
    """The length of the log when the legal actions were listed, and their order."""
    handed_over: int = 0
    """The length of the log when the keyboard was handed over last."""
    written: set[Path] = field(default_factory=set)
    is_kept: bool = False
    """Whether the game is in the file where it should be, as it stands."""

    def __post_init__(self) -> None:
        self.words: AnyWords = words_of(self.state, self.language)
        people = sum(bot is None for bot in self.bots)
        self.curtain = Curtain(self.console, is_needed=self.words.has_secrets and people > 1)

    def play(self) -> None:
        """Play to the end, or until somebody quits or ends the program; the game is saved in any case."""
        self._say(self.words.greeting(self.state.view(None)), "bold")
        with leaving_in_order():
            try:
                self._keep()
                self._play_on()
            except SystemExit:
                with suppress(OSError):  # the terminal may be gone
                    self._leave()
                raise
            except BaseException:
                self._leave()
                raise
            self._leave()

    def _play_on(self) -> None:
        try:
            while self.state.seat is not None:
                self._act_once(self.state.seat)
            self._end()
        except Quit:
            self.curtain.close()
            self._catch_up()
            self._say(f"The game stays unfinished. {self.words.standings(self.state.view(None))}")
        except KeyboardInterrupt:
            self._say()  # the prompt's line ends here
            raise

    def _leave(self) -> None:
        """What must happen however the game is left."""
        if self.save_to is not None and not self.is_kept:
            self._write(self.save_to)
        self.curtain.close()
        if self.save_to is not None:
            self._tell_saved(self.save_to)

    def _end(self) -> None:
        """The last board, then the final scoring: who has won is what stays on the screen."""
        self.curtain.close()
        self._catch_up()
        view = self.state.view(None)
        self._say()
        show_board(self.console, self.words.picture(view, self.words.last_places(view)))
        self._say()
        for line in self.words.ending(view):
            self._say(line)

    def _act_once(self, seat: int) -> None:
        bot, view = self.bots[seat], self.state.view(seat)
        forced = self.words.forced(view)
        if forced is not None:
            self._do(seat, forced)
        elif bot is None:
            self._ask(seat)
        else:
            self._let_act(self._player(bot, seat), view, seat)

    def _let_act(self, player: Player, view: View[Any], seat: int) -> None:
        """Let a bot act; what it does wrong is told with what all may see of the position."""
        public = self.state.view(None)
        with thinking(self._name(seat)):
            thought = Thought(view, player.choose(view, public))
        with player.by_the_rules(thought.choice.action, public):
            self._do(seat, thought.choice.action, thought)

    def _player(self, bot: Bot, seat: int) -> Player:
        name = self.state.heading.seats[seat].bot or bot.name
        contestant = Contestant(name, self.allowed.simulations, self.allowed.seconds)
        return Player(contestant, bot, derived_seed(self.seed, "bot", seat), derived_seed(self.seed, "chance"))

    # ---- doing and telling

    def _do(self, seat: int, action: int | str, thought: Thought | None = None) -> None:
        """Act, and tell what came of it; what is refused changes nothing."""
        before = self.state.view(None)
        with uninterrupted():
            self.state.play(action, seat)
            self._keep()
        after = self.state.view(None)
        entry = next(entry for entry in reversed(after.log) if entry.seat is not None)
        deed = Deed(entry, before, after, self.bots[seat] is not None)
        news = News(seat, self.words.news(deed), self.words.moment(deed), thought)
        self.news.append(news)
        self.untold.append(news)
        if news.moment:
            self.curtain.close()  # all should see it, also whoever looked last

    def _catch_up(self) -> None:
        """Tell what has happened since it was last told."""
        for news in self.untold:
            self._tell(news)
        self.untold.clear()

    def _tell(self, news: News) -> None:
        if news.lines:
            self._say(Text.assemble(self.words.chip(news.seat), f" {news.lines[0]}"))
        for line in news.lines[1:]:
            self._say(f"    {line}")
        for paragraph in ("", *news.moment, "") if news.moment else ():
            self._say(paragraph)

    def _say(self, what: Line = "", style: str | None = None) -> None:
        say(self.console, what, style)

    # ---- asking

    def _ask(self, seat: int) -> None:
        """Ask a person until an action is done or taken back."""
        if self.curtain.is_closed_for(seat):
            self._hand_over(seat)
        self._board(seat)
        before = len(self.state.log)
        while self.state.seat == seat and len(self.state.log) == before:
            line = self._line(f"{self._name(seat)}> ")
            view = self.state.view(seat)
            try:
                self._obey(seat, typed.read(line, self.words, view))
            except IllegalMove as error:
                self._say(self.words.refusal(error, view), "bold")
            except EmbertownError as error:
                self._say(printable(str(error)), "bold")

    def _name(self, seat: int) -> str:
        return self.state.heading.seats[seat].name

    def _hand_over(self, seat: int) -> None:
        """What all may see, until the next person says that nobody else looks."""
        self.curtain.close()
        had_it = self.curtain.looked == seat
        view, name = self.state.view(None), self._name(seat)
        self._say()
        show_board(self.console, self.words.picture(view, self.words.last_places(view)))
        self._say()
        self._catch_up()
        before, after = ("", "goes on; all others look away.") if had_it else ("Hand over to", "and look away.")
        self._say(Text.assemble(before, self.words.chip(seat), f"{after} {name}: press Enter."))
        while (line := self._line("Enter> ").strip().lower()) != "":
            if typed.COMMANDS.get(line) == "quit":
                raise Quit
            self._say(f"Only {name} should look now: press Enter, or type quit.", "bold")
        self.handed_over = len(self.state.log)
        self.curtain.open(seat)

    def _line(self, prompt: str) -> str:
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
        elif wish.word == "why":
            self._why(with_secrets=wish.rest == typed.SECRETS)
        else:
            self.ANSWERS[wish.word](self, seat)

    def _numbered_action(self, number: int) -> int:
        length, actions = self.numbered
        if length != len(self.state.log):
            raise MalformedText("a number chooses from the list: type list first")
        if not 1 <= number <= len(actions):
            raise MalformedText(f"the list has no {number}; right would be: 1 to {len(actions)}")
        return actions[number - 1]

    # ---- commands

    def _board(self, seat: int) -> None:
        view = self.state.view(seat)
        self._say()
        show_board(self.console, self.words.picture(view, list(self.words.marks_since(view, seat)), viewer=seat))
        self._say()
        self._catch_up()
        self._say(self.words.hint(view), "dim")

    def _help(self, _seat: int) -> None:
        for line in self.words.help_lines():
            self._say(line)

    def _list(self, seat: int) -> None:
        lines, actions = self.words.list_actions(self.state.view(seat))
        self.numbered = len(self.state.log), actions
        for line in lines:
            self._say(line)

    def _hint(self, seat: int) -> None:
        view = self.state.view(seat)
        with thinking("The network"):
            found = hint(view)
        for line in hint_lines(found, view, self.words):
            self._say(line)

    def _score(self, seat: int) -> None:
        for line in self.words.score_lines(self.state.view(seat)):
            self._say(line)

    def _last(self, seat: int) -> None:
        """Everything since this seat's last turn once more."""
        own = [index for index, news in enumerate(self.news) if news.seat == seat]
        found = self.news[own[-1] :] if own else self.news
        for news in found:
            self._tell(news)
        if not found:
            self._say("There is nothing to tell yet.")

    def _why(self, with_secrets: bool) -> None:
        """Why a bot did what it did last; in games with secrets its reasons may tell its own."""
        thought = next((news.thought for news in reversed(self.news) if news.thought is not None), None)
        if thought is None:
            raise BadArgument("no bot has chosen anything yet")
        if self.words.has_secrets and not with_secrets:
            name = self._name(thought.view.seat or 0)
            raise BadArgument(f"the reasons would give {name}'s secrets away; right would be: why {typed.SECRETS}")
        for line in why_lines(thought, self.words):
            self._say(line)

    def _undo(self, seat: int) -> None:
        """Take the person's last action back, and what bots did since; never across what was seen or handed over."""
        log = self.state.view(None).log
        seal = max(self.words.seal(log), Seal(self.handed_over, HANDED_OVER))
        steps = steps_to_undo(log, seat, [bot is not None for bot in self.bots], seal)
        taken = [entry for entry in log if entry.seat is not None][-steps]
        with uninterrupted():
            for _ in range(steps):
                self.state.undo()
            self._keep()
        kept = max(0, len(self.news) - steps)  # a game that goes on after a break has news of its own only
        del self.news[kept:]
        self.untold.append(News(seat, [f"took back: {self.words.action_words(taken.text)}"], []))

    def _quit(self, _seat: int) -> None:
        raise Quit

    ANSWERS: ClassVar[dict[str, Callable[[Table, int], None]]] = {
        "help": _help,
        "hint": _hint,
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
            self._tell_saved(path)
        except (OSError, ValueError) as problem:
            raise BadArgument(f"{name}: can't be written: {problem}") from None

    def _keep(self) -> None:
        """Write the game as it stands, so that nothing is lost whatever happens; streams get it once, in the end."""
        path = self.save_to
        if path is None or str(path) == STANDARD_STREAM or (path.exists() and not path.is_file()):
            return
        try:
            self._write(path)
            self.is_kept = True
        except OSError as problem:
            self.is_kept = False
            self._say(f"{path}: can't be written: {problem}; save FILE keeps the game elsewhere", "bold")

    def _write(self, path: Path) -> None:
        record = self.state.record().to_json() + "\n"
        with output(path) as file:
            file.write(record)
        self.written.add(path)

    def _tell_saved(self, path: Path) -> None:
        secrets = " (with all secrets)" if self.words.has_secrets and not self.state.is_over else ""
        self._say(f"Saved: {path}{secrets}")
