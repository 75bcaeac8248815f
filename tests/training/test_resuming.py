"""Going on from what others wrote, with torch: nonsense in it is refused, and where a training began is told."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from embertown.core.errors import BadArgument  # noqa: E402
from embertown.training.commands import main  # noqa: E402
from embertown.training.earlier import pieces_before  # noqa: E402
from embertown.training.network import Beside, arrays_of  # noqa: E402
from embertown.training.ppo import Learning  # noqa: E402
from embertown.training.run import Run, Settings, read_state  # noqa: E402

SETTINGS = Settings(
    games=(64,),
    width=16,
    depth=2,
    learning=Learning(steps=4, minibatch=256),
    planned_iterations=8,
    evaluation_games=64,
)
WORDS = ["train", "--device", "cpu", "--games", "64", "--steps", "4", "--iterations", "1", "--evaluation-games", "64"]
STATE, CARD = "state.json", "network.json"
NOTHING = object()


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    Run(SETTINGS).train(folder, iterations=1)
    return folder


@pytest.fixture
def folder(trained: Path, tmp_path: Path) -> Path:
    """A checkpoint to be spoiled."""
    return Path(shutil.copytree(trained, tmp_path / "run"))


def change(file: Path, keys: list[str], value: Any) -> None:
    """Say something else in a JSON file, or nothing."""
    whole = json.loads(file.read_text(encoding="utf-8"))
    part = whole
    for key in keys[:-1]:
        part = part[key]
    part[keys[-1]] = value
    if value is NOTHING:
        del part[keys[-1]]
    file.write_text(json.dumps(whole), encoding="utf-8")


def go_on(folder: Path, name: str, *more: str) -> int:
    """From the checkpoint, or from the network that was exported."""
    before = folder if name == STATE else folder / "network.npz"
    return main([*WORDS, *more, "--resume", str(before), "--out", str(folder / "after")])


NONSENSE = [
    ("settings", 3, "settings: is 3; right would be: an object"),
    ("settings", NOTHING, "settings: is missing; right would be: an object"),
    ("settings.haste", 3, "settings.haste: is no setting; right would be: game, players, games"),
    ("settings.learning", [], "settings.learning: is []; right would be: an object"),
    ("settings.learning.haste", 3, "settings.learning.haste: is no setting; right would be: steps, epochs"),
    ("settings.learning.rate", "fast", "settings.learning.rate: is 'fast'; right would be: a number"),
    ("settings.learning.steps", 0, "settings: steps is 0; right would be: from 1 on"),
    ("settings.searching.noise", float("nan"), "settings.searching.noise: is nan; right would be: a number"),
    ("settings.players", 5, "settings.players: is 5; right would be: a list of which each is a whole number"),
    ("settings.ground", 3, "settings.ground: is 3; right would be: a list of which each is a whole number"),
    ("settings.ground", [3], "settings.ground: is [3]; right would be: two whole numbers, width and depth"),
    ("settings.width", 0, "settings: width is 0; right would be: from 1 on"),
    ("settings.game", "chess", "settings: no game is called 'chess'"),
    ("iteration", "many", "iteration: is 'many'; right would be: a whole number"),
    ("iteration", NOTHING, "iteration: is missing; right would be: a whole number"),
    ("steps", -1, "steps: is -1; right would be: from 0 to"),
    ("trained_seconds", None, "trained_seconds: is None; right would be: a number"),
    ("begun_from", 3, "begun_from: is 3; right would be: a list of objects"),
    ("begun_from", [{"method": "ppo"}], "begun_from.players: is missing; right would be: a list of which each"),
]


@pytest.mark.parametrize("name", [STATE, CARD])
@pytest.mark.parametrize(("key", "value", "said"), NONSENSE, ids=lambda each: str(each)[:40])
def test_a_state_that_says_nonsense_is_refused(
    name: str, key: str, value: Any, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    within = ["training"] if name == CARD else []
    change(folder / name, [*within, *key.split(".")], value)
    assert go_on(folder, name) == 1
    assert ": ".join([str(folder / name), *within, said]) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("training", NOTHING, "training: is missing; right would be: an object"),
        ("training", 3, "training: is 3; right would be: an object"),
        ("reached", 3, "reached: is 3; right would be: a list of which each is an object"),
    ],
)
def test_a_card_that_tells_of_no_training_is_refused(
    key: str, value: Any, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder / CARD, [key], value)
    assert go_on(folder, CARD) == 1
    assert f"{folder / CARD}: {said}" in capsys.readouterr().err


def test_files_that_are_no_checkpoint_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights, state = folder / "weights.npz", folder / STATE
    np.savez(weights, something=np.ones(3))
    assert go_on(folder, STATE) == 1
    assert f"{weights}: entry.bias: is missing; right would be: the weights of a network" in capsys.readouterr().err
    weights.write_bytes(b"nothing")
    assert go_on(folder, STATE) == 1
    assert f"{weights}: holds no weights" in capsys.readouterr().err
    for text, said in (("[]", "format: is None"), ("[" * 100_000, "is no checkpoint")):
        state.write_text(text, encoding="utf-8")
        assert go_on(folder, STATE) == 1
        assert f"{state}: {said}" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "within"), [(STATE, []), (CARD, ["training"])])
def test_sizes_are_those_of_the_weights(name: str, within: list[str], folder: Path) -> None:
    """Whatever the settings beside them say: no block is dropped."""
    for key, value in (("depth", 1), ("width", 8)):
        change(folder / name, [*within, "settings", key], value)
    assert go_on(folder, name) == 0
    settings = read_state(folder / "after")["settings"]
    assert (settings["width"], settings["depth"]) == (SETTINGS.width, SETTINGS.depth)
    with np.load(folder / "weights.npz") as before, np.load(folder / "after" / "weights.npz") as after:
        assert {name: before[name].shape for name in before} == {name: after[name].shape for name in after}


def test_a_run_is_as_large_as_the_checkpoint_that_it_goes_on_from(folder: Path) -> None:
    run = Run(replace(SETTINGS, depth=1))
    run.go_on(folder)
    assert run.settings.depth == SETTINGS.depth


def test_weights_that_the_network_has_not_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "network.npz"
    with np.load(file) as found:
        np.savez(file, **dict(found), **{"blocks.7.norm": np.ones(16, np.float16)})
    change(folder / CARD, ["sha256"], hashlib.sha256(file.read_bytes()).hexdigest())
    assert go_on(folder, CARD) == 1
    said = (
        "blocks.7.norm: is nothing that such a network has; right would be: weights of a network 16 wide with 2 blocks"
    )
    assert f"{file}: {said}" in capsys.readouterr().err


@pytest.mark.parametrize("name", [STATE, CARD])
def test_another_game_is_refused_and_the_same_or_none_is_taken(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert go_on(folder, name, "--game", "drunter") == 1
    said = "was trained for cronberg; right would be: --game cronberg, or no --game at all"
    assert said in capsys.readouterr().err
    assert go_on(folder, name, "--game", "cronberg") == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--width 0", "width is 0; right would be: from 1 on"),
        ("--depth -1", "depth is -1; right would be: from 0 on"),
        ("--ground-width 8", "ground width is 8, and cronberg has no ground; right would be: 0"),
        ("--game drunter --ground-width -8", "ground width and depth are -8 and 0; right would be: from 0 on"),
        ("--game drunter --ground-width 8 --ground-depth -1", "ground width and depth are 8 and -1"),
        (
            "--game drunter --ground-depth 2",
            "ground depth is 2, and ground width 0; right would be: a ground width from 1 on",
        ),
        ("--minibatch 0", "minibatch is 0; right would be: from 1 on"),
        ("--steps 0", "steps is 0; right would be: from 1 on"),
        ("--epochs 0", "epochs is 0; right would be: from 1 on"),
        ("--rate nan", "rate is nan; right would be: from 0 on"),
        ("--win-weight 1.5", "win_weight is 1.5; right would be: from 0 to 1"),
        ("--variety -1", "variety is -1.0; right would be: from 0 to 1"),
        ("--report-every 0", "report_every is 0; right would be: from 1 on"),
        ("--evaluation-games 100", "evaluation games are 100; right would be: a multiple of 64"),
        ("--seed 65536", "seed is 65536; right would be: from 0 to 65535"),
    ],
)
def test_options_that_nothing_comes_of_are_refused(
    words: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*WORDS, *words.split(), "--out", str(tmp_path)]) == 1
    assert said in capsys.readouterr().err


def test_speed_refuses_sizes_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["speed", "--device", "cpu", "--width", "0"]) == 1
    assert "width is 0; right would be: from 1 on" in capsys.readouterr().err


def test_a_network_without_blocks_or_with_a_ground_is_none_of_these() -> None:
    assert replace(SETTINGS, depth=0).depth == 0
    assert replace(SETTINGS, game="drunter", ground=Beside(8, 1)).ground == (8, 1)
    with pytest.raises(BadArgument, match="cronberg has no ground"):
        replace(SETTINGS, ground=Beside(8, 1))


# ---- the other files of a checkpoint

FIRST, SECOND, GAMES, METRICS = "adam-first.npz", "adam-second.npz", "games.npz", "metrics.jsonl"
READ_BY = {
    METRICS: ["train", "export", "plot"],
    GAMES: ["train", "export"],
    FIRST: ["train", "export"],
    SECOND: ["train", "export"],
    "weights.npz": ["train", "export", "evaluate"],
    CARD: ["export"],
}
"""Which commands read a file, beside those that look at the exported network alone."""


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npz(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def damaged(whole: bytes, at: int) -> bytes:
    """With one bit turned."""
    return whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]


SPOILED_ARCHIVES: dict[str, Callable[[bytes], bytes] | bytes] = {
    "empty": b"",
    "no npz": b"nothing",
    "an npy": npy(np.ones(3)),
    "cut off": lambda whole: whole[: len(whole) // 2],
    "damaged": lambda whole: damaged(whole, 300),
    "said to be encrypted": lambda whole: damaged(whole, whole.index(b"PK\x01\x02") + 8),
    "pickled": npz(anything=np.array([{}, None], object)),
}


def change_array(file: Path, name: str, new: Any) -> None:
    """Have another array in a file, or nothing: as it is given, or made of the one that was there."""
    with np.load(file) as found:
        arrays = dict(found)
    arrays[name] = new(arrays[name]) if callable(new) else new
    if new is NOTHING:
        del arrays[name]
    np.savez(file, **arrays)


def words_of(command: str, folder: Path) -> list[str]:
    after = ["--out", str(folder / "after")]
    return {
        "train": [*WORDS, "--resume", str(folder), *after],
        "export": ["export", str(folder), *after],
        "evaluate": ["evaluate", str(folder), "random", "--device", "cpu", "--games", "64"],
        "plot": ["plot", str(folder), *after],
    }[command]


def assert_refused(folder: Path, name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By every command that reads the file, in one line."""
    for command in READ_BY[name]:
        assert main(words_of(command, folder)) == 1, command
        told = capsys.readouterr().err
        assert told.startswith(f"{folder / name}: {said}"), command
        assert "; right would be: " in told
        assert told.count("\n") == 1, command
    assert not (folder / "after" / "weights.npz").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"nonsense", "line 2: column 1: is not JSON: Expecting value; right would be: a JSON object"),
        (b'{"steps": 5, "entr', "line 2: column 19: is not JSON: it ends here, in the middle"),
        (b"", "line 2: is empty; right would be: a JSON object"),
        (b"[1, 2]", "line 2: holds [1, 2]; right would be: a JSON object"),
        (b"[" * 100_000, "line 2: is not JSON"),
        (b'{"entropy": NaN}', "line 2: NaN is no JSON number; right would be: a finite number"),
        (b'{"steps": [5]}', "line 2: steps: is [5]; right would be: a whole number"),
        (b'{"steps": -5}', "line 2: steps: is -5; right would be: from 0 to "),
        (b'{"entropy": "high"}', "line 2: entropy: is 'high'; right would be: a number, or a list of numbers"),
        (b'{"2_against_random": []}', "line 2: 2_against_random: is []; right would be: a number, or a list"),
        (b'{"2_against_random": [[]]}', "line 2: 2_against_random: is [[]]; right would be: a number, or a list"),
        (b'"\xff"', "byte 16: is not UTF-8; right would be: a text file in UTF-8"),
    ],
    ids=lambda each: str(each)[:40],
)
def test_figures_that_are_none_are_refused(
    text: bytes, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / METRICS).write_bytes(b'{"steps": 256}\n' + text + b"\n")
    assert_refused(folder, METRICS, said, capsys)


@pytest.mark.parametrize(
    ("name", "what"), [(GAMES, "games"), (FIRST, "moments"), (SECOND, "moments"), ("weights.npz", "weights")]
)
@pytest.mark.parametrize("kind", SPOILED_ARCHIVES)
def test_archives_that_are_none_are_refused(
    kind: str, name: str, what: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoiled = SPOILED_ARCHIVES[kind]
    with np.load(folder / name) as found:
        first = found.files[0]
    where = {"damaged": first, "said to be encrypted": first, "pickled": "anything"}
    (folder / name).write_bytes(spoiled((folder / name).read_bytes()) if callable(spoiled) else spoiled)
    said = f"holds no {what}; right would be: the folder that a training wrote"
    assert_refused(folder, name, f"{where[kind]}: {said}" if kind in where else said, capsys)


def made_infinite(array: np.ndarray) -> np.ndarray:
    return np.where(np.arange(array.size).reshape(array.shape) == 3, np.inf, array).astype(np.float32)


NOT_FITTING: list[tuple[str, str, Any, str]] = [
    (
        GAMES,
        "positions2",
        lambda rows: rows[:, 1:],
        "is uint8 of shape (64, 367); right would be: uint8 of shape (64, 368)",
    ),
    (GAMES, "memories2", lambda rows: rows[:, 0], "is uint8 of shape (64,); right would be: uint8 of shape (64, 8)"),
    (GAMES, "randoms2", lambda rows: rows[:32], "is uint8 of shape (32, 8); right would be: uint8 of shape (64, 8)"),
    (GAMES, "randoms2", lambda rows: rows.view(np.int64), "is int64 of shape (64, 1); right would be: uint8 of"),
    (GAMES, "randoms2", np.array("?"), "is <U1 of shape (); right would be: uint8 of shape (64, 8)"),
    (GAMES, "memories2", NOTHING, "is missing; right would be: uint8 of shape (64, 8)"),
    (GAMES, "positions2", np.zeros_like, "row 0: is of 0 players, seat 0 to move; right would be: 2 players, seat 0"),
    (GAMES, "positions2", lambda rows: ~rows, "row 0: is of -3 players, seat "),
    (FIRST, "entry.bias", lambda found: found[1:], "is float32 of shape (15,); right would be: float32 of shape (16,)"),
    (SECOND, "entry.bias", lambda found: found.astype(str), "is <U32 of shape (16,); right would be: float32 of"),
    (FIRST, "entry.bias", lambda found: found * np.float32("nan"), "holds what is no number; right would be: finite"),
    (SECOND, "entry.weight", made_infinite, "holds what is no number; right would be: finite"),
    (SECOND, "entry.bias", lambda found: -1 - found, "holds less than 0; right would be: means of squares"),
    (FIRST, "entry.bias", NOTHING, "is missing; right would be: to be here as well as in adam-second.npz"),
    (SECOND, "entry.bias", NOTHING, "is missing; right would be: to be here as well as in adam-first.npz"),
    (FIRST, "exit.bias", np.ones(16, np.float32), "is nothing that the network has; right would be: the names of its"),
    ("weights.npz", "entry.weight", lambda found: found.astype(str), "is <U32 of shape"),
    ("weights.npz", "entry.weight", made_infinite, "holds what is no number; right would be: finite"),
]


@pytest.mark.parametrize(
    ("name", "key", "new", "said"), NOT_FITTING, ids=[" ".join((*each[:2], each[3][:20])) for each in NOT_FITTING]
)
def test_arrays_that_do_not_fit_are_refused(
    name: str, key: str, new: Any, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_array(folder / name, key, new)
    assert_refused(folder, name, f"{key}: {said}", capsys)


def test_what_is_no_array_in_an_archive_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(folder / FIRST, "w") as archive:
        archive.writestr("entry.bias", b"nothing")
    assert_refused(folder, FIRST, "entry.bias: is |S7 of shape (); right would be: float32 of shape (16,)", capsys)


@pytest.mark.parametrize(
    ("keys", "value", "said"),
    [
        (["device"], NOTHING, "device: is missing; right would be: a text"),
        (["training"], 3, "training: is 3; right would be: an object"),
        (["reached"], [3], "reached: is [3]; right would be: a list of which each is an object"),
        (["game"], "drunter", "game: is 'drunter'; right would be: 'cronberg'"),
        (["actions"], 1, "actions: is 1; right would be: "),
        (["training", "settings", "players"], [9], "training.settings.players: is [9]; right would be: a list of"),
    ],
)
def test_cards_that_do_not_fit_are_refused(
    keys: list[str], value: Any, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder / CARD, keys, value)
    assert_refused(folder, CARD, said, capsys)


def test_what_is_no_card_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for content, said in ((b"[]", "holds []"), (b"{", "column 2: is not JSON"), (b"\xff", "byte 0: is not UTF-8")):
        (folder / CARD).write_bytes(content)
        assert_refused(folder, CARD, said, capsys)
    (folder / CARD).unlink()
    assert_refused(folder, CARD, "can't be read: No such file", capsys)


@pytest.mark.parametrize("name", [FIRST, SECOND, GAMES, METRICS])
def test_files_that_are_not_there_are_done_without(name: str, folder: Path) -> None:
    (folder / name).unlink()
    for command in ("train", "export"):
        assert main(words_of(command, folder)) == 0


def test_a_card_that_fits_is_told_as_it_is(folder: Path) -> None:
    change(folder / CARD, ["device"], "an abacus")
    assert main(words_of("export", folder)) == 0
    before, after = (json.loads((each / CARD).read_text(encoding="utf-8")) for each in (folder, folder / "after"))
    assert after == before
    assert list(after) == list(before)


# ---- where a training began


def test_pieces_of_training_with_other_settings_are_told(trained: Path, tmp_path: Path) -> None:
    first = read_state(trained)
    second = Run(replace(SETTINGS, learning=replace(SETTINGS.learning, win_weight=0.7)))
    second.go_on_from_network(trained / "network.npz")
    pieces = [
        {key: first["settings"][key] for key in ("method", "players", "learning")}
        | {key: first[key] for key in ("steps", "trained_seconds")}
    ]
    assert second.begun_from == pieces
    second.train(tmp_path / "second", iterations=1)
    again = Run(second.settings)
    again.go_on(tmp_path / "second")
    assert again.begun_from == pieces, "the same goes on"
    third = Run(replace(second.settings, players=(3,)))
    third.go_on(tmp_path / "second")
    assert third.begun_from[0] == pieces[0]
    assert [piece["learning"]["win_weight"] for piece in third.begun_from] == [0.6, 0.7]
    for key, whole in (("steps", second.steps), ("trained_seconds", second.trained)):
        assert sum(piece[key] for piece in third.begun_from) == pytest.approx(whole)
    assert third.steps == second.steps > first["steps"]
    third.train(tmp_path / "third", iterations=1)
    card = json.loads((tmp_path / "third" / CARD).read_text(encoding="utf-8"))
    assert card["training"]["begun_from"] == json.loads(json.dumps(third.begun_from))


def test_a_whole_state_as_it_was_told_before_is_read_as_a_piece(trained: Path) -> None:
    state = read_state(trained)
    found = pieces_before({"begun_from": state}, STATE)
    assert [(piece["players"], piece["steps"]) for piece in found] == [([2], state["steps"])]


def test_a_network_by_another_method_is_begun_from_anew(trained: Path) -> None:
    run = Run(replace(SETTINGS, method="gumbel"))
    run.go_on_from_network(trained / "network.npz")
    assert (run.iteration, run.steps, len(run.begun_from)) == (0, 0, 1)
    assert np.isfinite(arrays_of(run.network)["values.weight"]).all()


def test_as_many_iterations_as_are_asked_for_and_reported(tmp_path: Path) -> None:
    """None at all would be no training, and as a number of none it must not mean one without end."""
    run = Run(replace(SETTINGS, report_every=1))
    with pytest.raises(BadArgument, match="iterations are 0"):
        run.train(tmp_path, iterations=0)
    run.train(tmp_path, iterations=2)
    assert [row["iteration"] for row in run.history if "loss" in row] == [1, 2]
