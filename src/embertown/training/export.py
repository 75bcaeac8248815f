"""A network as the product takes it: weights in float16, or in int8 with a scale for each output, and a model card.

Matrices are turned so that a row of numbers is multiplied from the left; `embertown.bots.network` reads them.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from embertown.training.network import Network, arrays_of

FORMAT = "embertown-network/1"
SCALE = ".scale"
"""What the name of an int8 matrix' scales ends with."""
LARGEST = 127


def export(network: Network, folder: Path, card: dict[str, Any], name: str = "network", int8: bool = False) -> Path:
    """Write `name`.npz and its card `name`.json; where the weights lie."""
    arrays: dict[str, np.ndarray] = {}
    for key, array in _without_filling(network).items():
        if array.ndim == 1:
            arrays[key] = array.astype(np.float16)
        elif int8:
            arrays[key], arrays[key + SCALE] = in_bytes(array.T)
        else:
            arrays[key] = np.ascontiguousarray(array.T.astype(np.float16))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.npz"
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    weights = sum(array.size for key, array in arrays.items() if not key.endswith(SCALE))
    whole = {
        "format": FORMAT,
        "weights": weights,
        "numbers": "int8" if int8 else "float16",
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        **card,
    }
    (folder / f"{name}.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return file


def _without_filling(network: Network) -> dict[str, np.ndarray]:
    """The weights without those of the zeros that rows are filled up with, and without the critic's."""
    arrays = {name: array for name, array in arrays_of(network).items() if not name.startswith("critic.")}
    arrays["entry.weight"] = arrays["entry.weight"][:, : network.observation]
    arrays["policy.weight"] = arrays["policy.weight"][: network.actions]
    arrays["policy.bias"] = arrays["policy.bias"][: network.actions]
    return arrays


def in_bytes(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A matrix in int8, and what each of its columns is to be multiplied with.

    >>> small, scale = in_bytes(np.array([[1.0, -2.0], [0.5, 4.0]], np.float32))
    >>> small.tolist(), (small * scale).round(1).tolist()
    ([[127, -64], [64, 127]], [[1.0, -2.0], [0.5, 4.0]])
    """
    scale = (np.abs(matrix).max(axis=0) / LARGEST).astype(np.float32)
    scale[scale == 0] = 1
    return np.rint(matrix / scale).astype(np.int8), scale
