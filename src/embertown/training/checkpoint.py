"""A checkpoint's files, read and checked: they come from outside, and may be damaged, or never have been a training's.

What is missing, and may be, is for those to see who ask; what is there has to be right. Nothing here needs torch.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from embertown.bots.network import players_of
from embertown.core.errors import MalformedFile, shorten, shown
from embertown.core.files import RECORD_LIMIT, decode, parse_json, read_limited
from embertown.training.earlier import COUNTS
from embertown.training.limits import is_like, part_of
from embertown.training.selfplay import KEPT, SelfPlay

FORMAT = "embertown-training/1"
STATE, WEIGHTS, GAMES, METRICS = "state.json", "weights.npz", "games.npz", "metrics.jsonl"
CARD = "network.json"
"""The model card."""
MEANS, SQUARES = "exp_avg", "exp_avg_sq"
MOMENTS = {MEANS: "adam-first.npz", SQUARES: "adam-second.npz"}
"""Of Adam, by torch's names."""
ENTRY = "entry.bias"
"""Every network has it, as long as the network is wide."""
RIGHT = "the folder that a training wrote"


def read_state(folder: Path) -> dict[str, Any]:
    """What a checkpoint says besides its arrays."""
    file = folder / STATE
    try:
        state: Any = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise MalformedFile(str(file), "", "is no checkpoint", RIGHT) from problem
    told: dict[str, Any] = state if isinstance(state, dict) else {}
    if told.get("format") != FORMAT:
        raise MalformedFile(str(file), "format", f"is {shown(told.get('format'))}", FORMAT)
    return told


def read_weights(folder: Path) -> dict[str, np.ndarray]:
    """A checkpoint's weights; whether they make a network is for those to see who make it."""
    file = folder / WEIGHTS
    arrays = _arrays(file, "weights")
    if ENTRY not in arrays:
        raise MalformedFile(str(file), ENTRY, "is missing", "the weights of a network")
    for name, array in arrays.items():
        _check_numbers(file, name, array, array.shape)
    return arrays


def read_moments(folder: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, dict[str, np.ndarray]]:
    """Adam's moments by the names of weights, for weights of these shapes; what was never learned has none."""
    found = {moment: _moments(folder / file, shapes) for moment, file in MOMENTS.items()}
    for moment, other in ((MEANS, SQUARES), (SQUARES, MEANS)):
        for name in found[other]:
            if name not in found[moment]:
                right = f"to be here as well as in {MOMENTS[other]}"
                raise MalformedFile(str(folder / MOMENTS[moment]), name, "is missing", right)
    for name, squares in found[SQUARES].items():
        if (squares < 0).any():
            raise MalformedFile(str(folder / MOMENTS[SQUARES]), name, "holds less than 0", "means of squares")
    return {name: {moment: arrays[name] for moment, arrays in found.items()} for name in found[MEANS]}


def _moments(file: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """One of the moments."""
    arrays = _arrays(file, "moments")
    for name, array in arrays.items():
        if name not in shapes:
            raise MalformedFile(str(file), shorten(name), "is nothing that the network has", "the names of its weights")
        _check_numbers(file, name, array, shapes[name])
    return arrays


def read_games(folder: Path, batches: Sequence[SelfPlay]) -> Iterator[tuple[SelfPlay, dict[str, np.ndarray]]]:
    """The batches of which there were as many games before, and what was kept of each."""
    file = folder / GAMES
    arrays = _arrays(file, "games")
    for batch in batches:
        rows = {name: arrays.get(f"{name}{batch.players}") for name in KEPT}
        if any(each is not None and each.shape[:1] == (batch.count,) for each in rows.values()):
            kept = {name: _records(file, name, each, batch) for name, each in rows.items()}
            _check_positions(file, kept["positions"], batch.players)
            yield batch, kept


def _records(file: Path, name: str, rows: np.ndarray | None, batch: SelfPlay) -> np.ndarray:
    """Rows of bytes, one for each game, as what they are in a batch."""
    kind = getattr(batch.arrays, name).dtype
    _check_form(file, f"{name}{batch.players}", rows, np.uint8, (batch.count, kind.itemsize))
    found: np.ndarray = np.ascontiguousarray(rows).view(kind)[:, 0]
    return found


def _check_positions(file: Path, positions: np.ndarray, players: int) -> None:
    """Refuse what is no position at a glance; one that is not quite right is not seen."""
    seats = positions["seat"]
    wrong = (positions["players"] != players) | (seats < 0) | (seats >= players)
    if wrong.any():
        row = int(wrong.argmax())
        told = f"is of {positions['players'][row]} players, seat {seats[row]} to move"
        right = f"{players} players, seat 0 to {players - 1} to move"
        raise MalformedFile(str(file), f"positions{players}: row {row}", told, right)


def read_metrics(file: Path) -> list[dict[str, Any]]:
    """The lines that a training wrote."""
    try:
        text = decode(file.read_bytes(), str(file))
    except OSError as problem:
        raise MalformedFile(str(file), "", "holds no figures", "the metrics.jsonl of a training") from problem
    return [_figures(line, f"{file}: line {number}") for number, line in enumerate(text.splitlines(), start=1)]


def _figures(line: str, place: str) -> dict[str, Any]:
    """One of the lines."""
    row = parse_json(line, place)
    least, most = COUNTS["steps"]
    if not least <= part_of({"steps": least, **row}, "steps", least, place) <= most:
        raise MalformedFile(place, "steps", f"is {shown(row['steps'])}", f"from {least} to {most:,}")
    for key, value in row.items():
        if not (is_like(value, 0.0) or (value and is_like(value, (0.0,)))):
            raise MalformedFile(place, shorten(key), f"is {shown(value)}", "a number, or a list of numbers")
    return row


def read_told(folder: Path, own: Mapping[str, Any]) -> dict[str, Any]:
    """What a checkpoint's card tells of the training, for a network of which the card written now would be `own`."""
    file = folder / CARD
    card = parse_json(read_limited(file, RECORD_LIMIT), str(file))
    told = {key: part_of(card, key, example, str(file)) for key, example in {**own, "reached": ({},)}.items()}
    for key in ("game", "observation", "actions"):
        if told[key] != own[key]:
            raise MalformedFile(str(file), key, f"is {shown(told[key])}", repr(own[key]))
    players_of(card, str(file))  # what is wrong there would be said by whoever plays with the network
    return told


def _arrays(file: Path, what: str) -> dict[str, np.ndarray]:
    """The arrays of an npz by their names."""
    arrays, name = {}, ""
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as found:
            for name in found:
                arrays[name] = np.asarray(found[name])  # what is no array comes as bytes
    except Exception as problem:  # one damaged byte is enough for any of ten kinds of errors, from zip, zlib and NumPy
        raise MalformedFile(str(file), shorten(name), f"holds no {what}", RIGHT) from problem
    return arrays


def _check_numbers(file: Path, name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
    """Refuse what is not written like weights, and what is endless or no number."""
    _check_form(file, name, array, np.float32, shape)
    if not np.isfinite(array).all():
        raise MalformedFile(str(file), shorten(name), "holds what is no number", "finite numbers")


def _check_form(file: Path, name: str, array: np.ndarray | None, kind: Any, shape: tuple[int, ...]) -> None:
    """Refuse an array that is not there, or of another type or shape."""
    right = f"{np.dtype(kind)} of shape {shape}"
    if array is None:
        raise MalformedFile(str(file), shorten(name), "is missing", right)
    if array.dtype != kind or array.shape != shape:
        raise MalformedFile(str(file), shorten(name), f"is {shorten(str(array.dtype))} of shape {array.shape}", right)
