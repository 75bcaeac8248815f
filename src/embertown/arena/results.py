"""Results: in memory, and as a file of one line a game that the same tournament goes on with.

The first line is a header that says what is played; every game is a line of its own, in the tournament's order. A line
is written in one piece when its game ends; half a line at the end, left by a crash, is cut off and its game played
again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Annotated, Any, Literal

from pydantic import Field

from embertown import __version__
from embertown.arena.playing import Played, seats_of, shares_of
from embertown.arena.tournament import Course, Tournament
from embertown.bots import bot
from embertown.core.edition import Checked, Label
from embertown.core.errors import BadArgument, EmbertownError, MalformedFile, shown
from embertown.core.files import decode, parse_json, validate

FORMAT: Literal["embertown-arena/1"] = "embertown-arena/1"
SHOWN = 80
"""Characters of a header's value in a message."""


class Header(Checked):
    """All that decides which games are played, and by which version of the bots."""

    format: Literal["embertown-arena/1"]
    embertown: Label
    """The version that plays: another one may have other bots."""
    game: str
    edition: str | dict[str, Any]
    edition_sha256: str
    options: dict[str, bool]
    players: int
    contestants: Annotated[list[Label], Field(max_length=100)]
    versions: Annotated[dict[str, str], Field(default_factory=dict)]
    """By contestant: the version of the package that its bot comes from, where that is another one."""
    seed: int
    schedule: str
    until_apart: bool
    beats: float | None
    alpha: float

    @classmethod
    def of(cls, tournament: Tournament) -> Header:
        """What a tournament's results begin with."""
        game = tournament.game
        return cls(
            format=FORMAT,
            embertown=__version__,
            game=game.name,
            edition=game.edition.reference(),
            edition_sha256=game.edition.sha256,
            options=game.options,
            players=game.players,
            contestants=list(tournament.names),
            versions={str(one): one.version for one in tournament.contestants if one.version is not None},
            seed=tournament.seed,
            schedule=tournament.schedule.value,
            until_apart=tournament.until_apart,
            beats=tournament.beats,
            alpha=tournament.alpha,
        )

    def tournament(self) -> Tournament:
        """The tournament that it describes."""
        return Tournament(
            self.game,
            self.contestants,
            players=self.players,
            edition=self.edition,
            seed=self.seed,
            schedule=self.schedule,
            until_apart=self.until_apart,
            beats=self.beats,
            alpha=self.alpha,
            **self.options,
        )

    def differences(self, other: Header) -> list[str]:
        """Where this differs from another, key by key."""
        mine, theirs = self.model_dump(), other.model_dump()
        pairs = ((key, shown(mine[key], SHOWN), shown(theirs[key], SHOWN)) for key in mine)
        return [f"{key} is {one}, not {two}" for key, one, two in pairs if mine[key] != theirs[key]]


@dataclass
class Results:
    """The games of a tournament so far, in its order.

    >>> from embertown.arena import Tournament, play
    >>> results = play(Tournament("cronberg", ["greedy", "random"]), games=4, jobs=1)
    >>> [game.seats for game in results.games][:2]
    [['greedy', 'random'], ['random', 'greedy']]
    """

    tournament: Tournament
    games: list[Played] = field(default_factory=list)
    course: Course = field(init=False)

    def __post_init__(self) -> None:
        self.course = Course(self.tournament)
        games, self.games = self.games, []
        for game in games:
            self.add_next(game)

    def add(self, game: Played) -> None:
        """Take a game in that counts (`course.wants`)."""
        hero = self.tournament.pairings[game.pairing].table[0]
        self.course.take(game.fixture, game.shares[game.seats.index(hero)])
        self.games.append(game)

    def add_next(self, game: Played, where: str = "") -> None:
        """Take in a game that has to be the next one of the tournament."""
        due = next(iter(self.course), None)
        if due is None:
            raise MalformedFile(where, "", "has a game after the tournament's last", "no more games")
        if game.fixture != due or game.shuffle != self.tournament.shuffle(due.round):
            wish = f"pairing {due.pairing}, round {due.round}, rotation {due.rotation}, seats {', '.join(due.seats)}"
            raise MalformedFile(where, "", "is another game than the one that is due", wish)
        if not all(len(by_seat) == len(due.seats) for by_seat in _by_seat(game)):
            raise MalformedFile(where, "", "has lists of different lengths", f"{len(due.seats)} numbers, one a seat")
        if game.shares != shares_of(game.winners, len(due.seats)):
            raise MalformedFile(where, "shares", f"is {game.shares}", str(shares_of(game.winners, len(due.seats))))
        self.add(game)

    @classmethod
    def from_file(cls, path: str | Path) -> Results:
        """The results in a file; half a line at its end is left out."""
        data = _bytes_of(Path(path))
        lines = _lines(data, str(path))
        if not lines:
            raise MalformedFile(str(path), "line 1", "is missing", f"a header with the format {FORMAT}")
        header = _header(lines[0], str(path))
        try:
            tournament = header.tournament()
        except EmbertownError as error:
            raise MalformedFile(str(path), "line 1", str(error)) from None
        if tournament.game.edition.sha256 != header.edition_sha256:
            raise MalformedFile(
                str(path), "line 1", f"edition {tournament.game.edition.id} has changed since", "the same hash"
            )
        return cls._read(tournament, lines, str(path))

    @classmethod
    def _read(cls, tournament: Tournament, lines: list[str], file: str) -> Results:
        results = cls(tournament)
        for number, line in enumerate(lines[1:], start=2):
            where = f"{file}:{number}"
            results.add_next(validate(Played, parse_json(line, where), where), where)
        return results


def _by_seat(game: Played) -> tuple[list[Any], ...]:
    return game.scores, game.shares, game.moves, game.seconds, game.slowest


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise MalformedFile(str(path), "", f"can't be read: {why}", "a readable file of results") from None


def _lines(data: bytes, file: str) -> list[str]:
    """The whole lines."""
    return decode(data[: data.rfind(b"\n") + 1], file).split("\n")[:-1]


def _header(line: str, file: str) -> Header:
    data = parse_json(line, f"{file}:1")
    if data.get("format") != FORMAT:
        raise MalformedFile(f"{file}:1", "format", f"is {shown(data.get('format'))}", repr(FORMAT))
    return validate(Header, data, f"{file}:1")


class Store:
    """Where games go as they end: a results file, and a file of records beside it, or neither."""

    def __init__(self, results: Results, file: IO[bytes] | None, records: IO[bytes] | None) -> None:
        self.results, self._file, self._records = results, file, records

    def keep(self, game: Played, record: str | None) -> None:
        """Write a game: the record first, so that there is one for every line of results."""
        if self._records is not None and record is not None:
            _write_whole(self._records, record + "\n")
        if self._file is not None:
            _write_whole(self._file, game.model_dump_json() + "\n")


def _write_whole(file: IO[bytes], line: str) -> None:
    """A line in one piece, past all buffers."""
    data = line.encode()
    while data:
        data = data[file.write(data) :]


@contextmanager
def store(tournament: Tournament, out: Path | None, records: Path | None) -> Iterator[Store]:
    """A store to go on with: what the files hold is read, half a line cut off, what is another tournament's refused.

    A bot that is not there is an error that lists those that are.
    """
    if out is not None and records is not None and out.resolve() == records.resolve():
        raise BadArgument(f"results and records both go to {out}; right would be: two files")
    for contestant in tournament.contestants:
        bot(contestant.bot)
    with ExitStack() as stack:
        results, file = Results(tournament), None
        if out is not None:
            results = _what_is_there(tournament, out)
            file = stack.enter_context(_reopened(out, Header.of(tournament)))
        kept = None
        if records is not None:
            kept = stack.enter_context(_records_reopened(records, results))
        yield Store(results, file, kept)


def _what_is_there(tournament: Tournament, path: Path) -> Results:
    header = Header.of(tournament)
    if path.exists() and not path.is_file():
        raise BadArgument(f"{path} is no file; right would be: a file that can be gone on with")
    data = _bytes_of(path) if path.exists() else b""
    lines = _lines(data, str(path))
    if not lines and _line_of(header).encode().startswith(data):
        return Results(tournament)
    found = _header(lines[0] if lines else decode(data, str(path)), str(path))
    differences = found.differences(header)
    if differences:
        wish = "the same command, or a new file"
        raise BadArgument(f"{path} holds another tournament: {'; '.join(differences)}; right would be: {wish}")
    return Results._read(tournament, lines, str(path))


def _line_of(header: Header) -> str:
    return header.model_dump_json() + "\n"


@contextmanager
def _reopened(path: Path, header: Header) -> Iterator[IO[bytes]]:
    """The file, ready for the next line."""
    with path.open("ab", buffering=0) as file:
        whole = _bytes_of(path).rfind(b"\n") + 1
        os.truncate(path, whole)
        if not whole:
            _write_whole(file, _line_of(header))
        yield file


@contextmanager
def _records_reopened(path: Path, results: Results) -> Iterator[IO[bytes]]:
    """The records' file with exactly the records of the games that are there, ready for the next."""
    games = len(results.games)
    data = _bytes_of(path) if path.exists() else b""
    lines = data.split(b"\n")[:-1]
    wish = "the file that the first run wrote" if games else "a new file"
    if data and not _begin_alike(data, _first_record(results.tournament)):
        raise BadArgument(f"{path} holds something other than this tournament's records; right would be: {wish}")
    if len(lines) < games or (not games and len(lines) > 1):  # one may be there before its result is
        raise BadArgument(f"{path} has {len(lines)} records of {games} games; right would be: {wish}")
    with path.open("ab", buffering=0) as file:
        os.truncate(path, sum(len(line) + 1 for line in lines[:games]))
        yield file


def _begin_alike(one: bytes, other: bytes) -> bool:
    return one.startswith(other) or other.startswith(one)


def _first_record(tournament: Tournament) -> bytes:
    """How the record of a tournament's first game begins: all that comes before its moves."""
    fixture = next(iter(Course(tournament)))
    state = tournament.game.start(seed=tournament.shuffle(fixture.round), seats=seats_of(fixture))
    return state.record().to_json().partition('"moves"')[0].encode()
