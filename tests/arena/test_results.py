"""Results files: gone on with wherever they were cut, and refused where they are another tournament's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import embertown
from embertown.arena import Results, Tournament, play, standings
from embertown.arena.results import Header
from embertown.core.errors import BadArgument, EmbertownError, MalformedFile, UnknownBot
from tests.installing import BOT, install

TIMES = ("seconds", "slowest")


def tournament(**how: Any) -> Tournament:
    return Tournament("cronberg", ["random", "random:1", "random:2"], **{"seed": 5, **how})


def lines(path: Path) -> list[dict[str, Any]]:
    """What a file says, times left out."""
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [{key: value for key, value in line.items() if key not in TIMES} for line in found]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of 12 games, with their records beside them."""
    folder = tmp_path_factory.mktemp("whole")
    play(tournament(), games=4, jobs=1, out=folder / "results.jsonl", records=folder / "records.jsonl")
    return folder / "results.jsonl"


def test_a_header_and_a_line_a_game(whole: Path) -> None:
    header, *games = lines(whole)
    assert header["format"] == "embertown-arena/1"
    assert header["edition_sha256"] == embertown.load("cronberg").edition.sha256
    assert header["contestants"] == ["random", "random:1", "random:2"]
    assert [(game["round"], game["pairing"], game["rotation"]) for game in games] == [
        (number, pairing, rotation) for number in range(2) for pairing in range(3) for rotation in range(2)
    ]
    assert len({tuple(game["shares"]) for game in games}) > 1


def test_what_is_read_is_what_was_written(whole: Path) -> None:
    results = Results.from_file(whole)
    assert Header.of(results.tournament) == Header.of(tournament())
    assert [game.model_dump() for game in results.games] == [
        json.loads(line) for line in whole.read_text(encoding="utf-8").splitlines()[1:]
    ]
    assert Results(results.tournament, results.games).games == results.games


def test_records_replay_to_the_scores(whole: Path) -> None:
    records = whole.with_name("records.jsonl").read_text(encoding="utf-8").splitlines()
    games = Results.from_file(whole).games
    for text, game in zip(records, games, strict=True):
        state = embertown.GameRecord.from_json(text).replay()
        assert list(state.scores) == game.scores
        assert [seat.bot for seat in state.heading.seats] == ["random", "random"]


def cuts(whole: Path) -> list[int]:
    """Lengths that a crash may leave: in the header, between lines, in a line, one byte short."""
    data = whole.read_bytes()
    first = data.index(b"\n") + 1
    third = data.index(b"\n", data.index(b"\n", first) + 1) + 1
    return [0, 1, first - 1, first, first + 1, third, third + 20, len(data) - 1, len(data)]


@pytest.mark.parametrize("which", range(9))
def test_a_file_cut_anywhere_is_gone_on_with(which: int, whole: Path, tmp_path: Path) -> None:
    out, records = tmp_path / "results.jsonl", tmp_path / "records.jsonl"
    length = cuts(whole)[which]
    out.write_bytes(whole.read_bytes()[:length])
    records.write_bytes(whole.with_name("records.jsonl").read_bytes()[:-1])
    kept = whole.read_bytes()[:length].rfind(b"\n") + 1
    if whole.read_bytes()[:kept].count(b"\n") <= 1:  # no game: at most one record was ahead
        records.write_bytes(records.read_bytes()[: records.read_bytes().index(b"\n") + 1 - which])
    if length == len(whole.read_bytes()):
        records.write_bytes(records.read_bytes() + b"\n")
    results = play(tournament(), games=4, jobs=1, out=out, records=records)
    assert lines(out) == lines(whole)
    assert out.read_bytes().startswith(whole.read_bytes()[:kept])
    assert len(results.games) == 12
    assert records.read_bytes() == whole.with_name("records.jsonl").read_bytes()


def test_more_games_begin_with_the_same_games(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    play(tournament(), games=2, jobs=1, out=out)
    assert lines(out) == lines(whole)[:7]
    play(tournament(), games=4, jobs=1, out=out)
    assert lines(out) == lines(whole)
    play(tournament(), games=2, jobs=1, out=out)
    assert lines(out) == lines(whole)


def test_several_processes_play_the_same_games(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    play(tournament(), games=4, jobs=2, out=out)
    assert lines(out) == lines(whole)


def test_until_apart_stops_at_the_same_game_however_many_processes(tmp_path: Path) -> None:
    told_apart = Tournament("cronberg", ["greedy", "random", "greedy:1"], until_apart=True, seed=2)
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for jobs, path in enumerate(files, start=1):
        play(told_apart, games=24, jobs=jobs, out=path)
    assert lines(files[0]) == lines(files[1])
    games = Results.from_file(files[0]).games
    by_pairing = [sum(game.pairing == pairing for game in games) for pairing in range(3)]
    assert by_pairing[1] == 24
    assert max(by_pairing[0], by_pairing[2]) < 24
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(files[0].read_bytes()[:-200])
    play(told_apart, games=24, jobs=1, out=cut)
    assert lines(cut) == lines(files[0])


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"seed": 6}, "seed is 5, not 6"),
        ({"players": 3}, "players is 2, not 3"),
        ({"schedule": "gauntlet"}, "schedule is 'round-robin', not 'gauntlet'"),
        ({"until_apart": True}, "until_apart is False, not True"),
        ({"edition": "cronberg-quarters"}, "edition is 'cronberg-1726', not 'cronberg-quarters'; edition_sha256 is"),
    ],
)
def test_another_tournaments_file_is_refused_with_what_differs(other: dict[str, Any], said: str, whole: Path) -> None:
    before = whole.read_bytes()
    with pytest.raises(BadArgument) as caught:
        play(tournament(**other), games=4, jobs=1, out=whole)
    assert f"{whole} holds another tournament: " in str(caught.value)
    assert said in str(caught.value)
    assert whole.read_bytes() == before


def test_a_file_of_an_older_version_is_refused(whole: Path, tmp_path: Path) -> None:
    """Its bots may have been others; it can still be shown."""
    older = tmp_path / "older.jsonl"
    older.write_text(
        whole.read_text(encoding="utf-8").replace(f'"{embertown.__version__}"', '"0.0.1"', 1), encoding="utf-8"
    )
    with pytest.raises(BadArgument, match=r"embertown is '0\.0\.1', not"):
        play(tournament(), games=4, jobs=1, out=older)
    assert len(Results.from_file(older).games) == 12


def test_a_file_goes_on_with_one_version_of_other_packages_bots_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "firsts", BOT, {"first": "firsts:FirstBot"})
    monkeypatch.syspath_prepend(tmp_path)
    out = tmp_path / "results.jsonl"
    guests = Tournament("cronberg", ["first:5", "random"])
    play(guests, games=2, jobs=1, out=out)
    assert lines(out)[0]["versions"] == {"first:5": "1.0"}
    assert len(play(guests, games=4, jobs=1, out=out).games) == 4
    newer = tmp_path / "firsts-1.1.dist-info"
    (tmp_path / "firsts-1.0.dist-info").rename(newer)
    (newer / "METADATA").write_text("Metadata-Version: 2.1\nName: firsts\nVersion: 1.1\n", encoding="utf-8")
    with pytest.raises(BadArgument, match=r"versions is \{'first:5': '1\.0'\}, not \{'first:5': '1\.1'\}"):
        play(guests, games=6, jobs=1, out=out)
    assert len(Results.from_file(out).games) == 4


def test_bots_that_come_along_have_the_version_of_the_whole(whole: Path) -> None:
    assert lines(whole)[0]["versions"] == {}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"embertown-arena/1"', '"embertown-arena/2"', "format: is 'embertown-arena/2'; right would be"),
        ('"players":2', '"players":9', "players is 9"),
        ('"players":2', '"players":2,"more":1', "more: is not a key that is known here"),
        ('"edition_sha256":"', '"edition_sha256":"0', "has changed since"),
        ('"round":0', '"round":3', "results.jsonl:2: is another game than the one that is due"),
        ('"moves":[', '"moves":[1,', "results.jsonl:2: has lists of different lengths"),
        ('"shares":[', '"shares":[0.25,', "has lists of different lengths"),
        ('"winners":[', '"winners":[0,1,', "results.jsonl:2: shares: is"),
        ('"scores":[', '"scores":["x",', "results.jsonl:2: scores[0]: is 'x'"),
        ('{"pairing":0', '{"pairing":', "is not JSON"),
    ],
)
def test_what_is_broken_is_told_with_its_place(old: str, new: str, said: str, whole: Path, tmp_path: Path) -> None:
    broken = tmp_path / "results.jsonl"
    text = whole.read_text(encoding="utf-8")
    assert old in text
    broken.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(EmbertownError) as caught:
        Results.from_file(broken)
    assert said in str(caught.value)
    assert isinstance(caught.value, MalformedFile)


def test_results_of_a_bot_that_is_not_here_can_be_read(whole: Path, tmp_path: Path) -> None:
    other = tmp_path / "results.jsonl"
    other.write_text(whole.read_text(encoding="utf-8").replace('"random:2"', '"guest"'), encoding="utf-8")
    results = Results.from_file(other)
    assert standings(results).games == 12
    with pytest.raises(UnknownBot, match="guest"):
        play(results.tournament, games=6, jobs=1, out=other)


def test_games_after_the_last_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    play(Tournament("cronberg", ["greedy", "random"], until_apart=True, seed=2), games=100, jobs=1, out=out)
    text = out.read_text(encoding="utf-8")
    out.write_text(text + text.splitlines()[-1] + "\n", encoding="utf-8")
    with pytest.raises(MalformedFile, match="has a game after the tournament's last"):
        Results.from_file(out)


@pytest.mark.parametrize("data", [b"dear diary\n", b"dear diary", b"[1]\n", b"\xff\n", b'{"format": "x"}'])
def test_a_file_that_is_no_results_stays_as_it_is(data: bytes, tmp_path: Path) -> None:
    out = tmp_path / "diary.txt"
    out.write_bytes(data)
    with pytest.raises(MalformedFile):
        play(tournament(), games=2, jobs=1, out=out)
    assert out.read_bytes() == data


def test_missing_and_strange_places_are_told(tmp_path: Path) -> None:
    with pytest.raises(MalformedFile, match="can't be read"):
        Results.from_file(tmp_path / "nothing.jsonl")
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with pytest.raises(MalformedFile, match="line 1: is missing"):
        Results.from_file(empty)
    with pytest.raises(BadArgument, match="is no file"):
        play(tournament(), games=2, jobs=1, out=tmp_path)


def test_records_that_miss_games_are_refused(whole: Path, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    one = whole.with_name("records.jsonl").read_bytes().splitlines(keepends=True)[0]
    records.write_bytes(one)
    with pytest.raises(
        BadArgument, match="has 1 records of 12 games; right would be: the file that the first run wrote"
    ):
        play(tournament(), games=4, jobs=1, out=whole, records=records)
    assert records.read_bytes() == one


def test_records_of_games_that_nobody_knows_are_refused(whole: Path, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_bytes(whole.with_name("records.jsonl").read_bytes())
    with pytest.raises(BadArgument, match="has 12 records of 0 games; right would be: a new file"):
        play(tournament(), games=4, jobs=1, records=records)
    assert records.read_bytes() == whole.with_name("records.jsonl").read_bytes()


@pytest.mark.parametrize("with_results", [False, True])
@pytest.mark.parametrize(
    "data", [b"keep me\n", b"keep me", b"{}\n" * 20, b'{"format": "embertown-record/1", "x": 1}\n']
)
def test_a_file_that_holds_no_such_records_stays_as_it_is(
    data: bytes, with_results: bool, whole: Path, tmp_path: Path
) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_bytes(data)
    out = whole if with_results else tmp_path / "results.jsonl"
    with pytest.raises(BadArgument, match=r"precious\.txt holds something other than this tournament's records"):
        play(tournament(), games=4, jobs=1, out=out, records=precious)
    assert precious.read_bytes() == data


def test_results_and_records_need_two_files(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match="results and records both go to"):
        play(tournament(), games=4, jobs=1, out=tmp_path / "x.jsonl", records=tmp_path / "." / "x.jsonl")
    assert not list(tmp_path.iterdir())


def test_an_edition_of_ones_own_stands_in_the_file(tmp_path: Path) -> None:
    edition = tmp_path / "mine.toml"
    edition.write_text(
        '[edition]\nid = "mine"\ngame = "cronberg"\nversion = 1\n'
        '[board]\nside = 2\ntokens = 2\ntriangles = ["PGPPG", "PCPPCPP", "PP.PPGP", "PPCPP"]\n'
        '[rhombi]\nhut = { count = 20, numbers = [1, 2, 3, 4], de = "Hütte" }\n',
        encoding="utf-8",
    )
    own = Tournament("cronberg", ["greedy", "random"], edition=edition)
    out = tmp_path / "results.jsonl"
    results = play(own, games=4, jobs=2, out=out)
    edition.unlink()
    found = Results.from_file(out)
    assert found.tournament.game == own.game
    assert found.games == results.games
