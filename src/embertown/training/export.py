"""A network as the product takes it: weights in float16 and a model card; and back again, to train it on.

Matrices are turned so that a row of numbers is multiplied from the left; `embertown.bots.network` reads them.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from embertown.core.errors import MalformedFile, shorten
from embertown.training.network import Network, arrays_of

FORMAT = "embertown-network/2"
RIGHT = "an npz with its card, as training exports them"
TRAINING_ALONE = ("critic.", "luck.")
"""What the names of weights begin with that are a part of training alone."""


def export(network: Network, folder: Path, card: dict[str, Any], name: str = "network") -> Path:
    """Write `name`.npz and its card `name`.json; where the weights lie."""
    arrays = {
        key: (array if array.ndim == 1 else from_the_left(array)).astype(np.float16)
        for key, array in arrays_of(network).items()
        if not key.startswith(TRAINING_ALONE)
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.npz"
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    weights = sum(array.size for array in arrays.values())
    whole = {
        "format": FORMAT,
        "weights": weights,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        **card,
    }
    (folder / f"{name}.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return file


def read_card(file: Path) -> dict[str, Any]:
    """The model card of an exported network, checked to be the card of that file."""
    try:
        card: dict[str, Any] = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        is_its_own = card["format"] == FORMAT and card["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as problem:
        raise MalformedFile(str(file), "", "is no exported network", RIGHT) from problem
    if not is_its_own:
        raise MalformedFile(str(file), "", "is damaged, or not the file that its card is about", RIGHT)
    return card


def weights_for(network: Network, file: Path) -> dict[str, np.ndarray]:
    """The weights of an exported network as torch lays them out; what is a part of training alone as it is."""
    arrays = arrays_of(network)
    with np.load(file) as found:
        unknown = sorted(set(found) - arrays.keys())
        if unknown:
            known = f"weights of a network {network.width} wide with {network.depth} blocks"
            raise MalformedFile(str(file), shorten(unknown[0]), "is nothing that such a network has", known)
        for name, array in arrays.items():
            if not name.startswith(TRAINING_ALONE):
                if name not in found or found[name].size != array.size:
                    raise MalformedFile(str(file), name, "does not fit", f"{array.size} numbers")
                arrays[name] = as_torch(found[name], array.shape)
    return arrays


def from_the_left(weight: np.ndarray) -> np.ndarray:
    """A layer's weights as a matrix that rows are multiplied with; neighbours' numbers come one after the other."""
    coming_first = np.moveaxis(weight, 0, -1)
    if weight.ndim > 2:
        coming_first = np.moveaxis(coming_first, 1, 0)
    return np.ascontiguousarray(coming_first.reshape(-1, weight.shape[0]))


def as_torch(matrix: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """What `from_the_left` made a matrix of.

    >>> weight = np.arange(24).reshape(2, 3, 4)
    >>> bool((as_torch(from_the_left(weight), weight.shape) == weight).all())
    True
    """
    if len(shape) == 1:
        return matrix
    going, coming = shape[:2]
    return np.ascontiguousarray(np.moveaxis(matrix.reshape(-1, coming, going), (0, 1, 2), (2, 1, 0)).reshape(shape))
