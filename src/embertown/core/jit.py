"""The only place that imports numba: the `kernel` decorator, bit helpers and random numbers.

Kernels are written once and run in four ways: compiled for the CPU, compiled with bounds checks
(``NUMBA_BOUNDSCHECK=1``), as plain Python (``NUMBA_DISABLE_JIT=1``) and, called from `gpu_kernel`, on a GPU. The
helpers here give the same results in all of them; that is why they exist twice where NumPy's scalars would
warn about an overflow that compiled code takes in its stride.

>>> popcount(word(0b1011)), lowest_bit(word(0b1000)), nth_bit(word(0b1011), 2)
(3, 3, 3)
"""

from __future__ import annotations

import ast
import hashlib
import os
import platform
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

# numba-cuda still asks NumPy for names that NumPy 2.5 dropped; they must be there before numba is imported.
for _old, _new in (("row_stack", "vstack"), ("trapz", "trapezoid"), ("in1d", "isin")):
    if not hasattr(np, _old) and hasattr(np, _new):
        setattr(np, _old, getattr(np, _new))

import numba  # noqa: E402

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config

JIT_OFF = bool(_config.DISABLE_JIT)
"""Whether kernels run as plain Python (``NUMBA_DISABLE_JIT=1``)."""

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def cache_folder(file: Path) -> Path | None:
    """The folder for the compiled kernels of a source file, or None where nothing can be written.

    numba looks only at the file that a kernel stands in: a caller in another file would keep calling old code
    after an edit, and a bounds-checked run would reuse the plain code and check nothing. So the folder's name is
    a hash of that file and of all files that it imports from, of that setting and of the versions.
    """
    try:
        folder = _user_cache() / "kernels" / _fingerprint(file)
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # read-only, or a user without a home
        return None
    return folder if os.access(folder, os.W_OK) else None


def _user_cache() -> Path:
    """Where this user's caches go (by hand: a machine with a GPU may have nothing but NumPy and numba)."""
    if own := os.environ.get("EMBERTOWN_CACHE"):
        return Path(own)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "embertown"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "embertown"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "embertown"


def _fingerprint(file: Path) -> str:
    digest = hashlib.sha256()
    settings = (numba.__version__, np.__version__, platform.python_version(), _config.BOUNDSCHECK)
    digest.update(repr(settings).encode())
    for each in sorted({file, *_imported_by(file)}):
        digest.update(each.name.encode() + b"\0" + each.read_bytes())
    return digest.hexdigest()[:20]


def _imported_by(file: Path) -> set[Path]:
    """The files of this package that a file imports, directly or through others."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        new = _imports(waiting.pop()) - found
        found |= new
        waiting += new
    return found


@cache
def _imports(file: Path) -> frozenset[Path]:
    """The files of this package that a file names in its import statements."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    paths = (_PACKAGE.parent / name.replace(".", "/") for name in names if name.split(".")[0] == _PACKAGE.name)
    return frozenset(path.with_suffix(".py") for path in paths if path.with_suffix(".py").is_file())


def kernel(function: F) -> F:
    """Compile a function of the rules: numbers, words, arrays and records only; no exceptions, no strings.

    The compiled code is kept in `cache_folder`. With the JIT off the function is left as it is.
    """
    if JIT_OFF:
        return function
    folder = cache_folder(Path(function.__code__.co_filename))
    if folder is None:
        return cast(F, numba.njit(function))
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder)  # read while decorating: other users of numba keep their own
    try:
        return cast(F, numba.njit(cache=True)(function))
    finally:
        _config.CACHE_DIR = before


def fresh_kernel(function: F) -> F:
    """Compile a function that is made around a game's kernels at run time; nothing is kept of it on the disk.

    What it calls comes in as values, not by imports, so that `cache_folder` could not tell when it is out of date.
    """
    return function if JIT_OFF else cast(F, numba.njit(function))


def word(value: int) -> np.uint64:
    """A mask of 64 bits: of triangles, of crossings, of half the places."""
    return np.uint64(value)


NONE = np.uint64(0)
"""The empty mask."""
ONE = np.uint64(1)

_TWO = np.uint64(2)
_FOUR = np.uint64(4)
_TOP_BYTE = np.uint64(56)
_PAIRS = np.uint64(0x5555555555555555)
_NIBBLES = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_EVERY_BYTE = np.uint64(0x0101010101010101)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_STREAM = np.uint64(0xD1342543DE82EF95)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_ALL = (1 << 64) - 1


@kernel
def bit(index: int) -> np.uint64:
    """The mask with this one bit set."""
    return ONE << np.uint64(index)


@kernel
def has_bit(mask: np.uint64, index: int) -> bool:
    """Whether this bit of the mask is set."""
    return bool((mask >> np.uint64(index)) & ONE != NONE)


if JIT_OFF:

    def popcount(mask: np.uint64) -> int:
        """How many bits are set."""
        return int(mask).bit_count()

    def without_lowest(mask: np.uint64) -> np.uint64:
        """The mask with its lowest set bit cleared."""
        return np.uint64(int(mask) & (int(mask) - 1))

    def lowest_bit(mask: np.uint64) -> int:
        """The index of the lowest set bit; 64 for the empty mask."""
        value = int(mask)
        return (value & -value).bit_length() - 1 if value else 64

    def next_random(seed: np.uint64) -> np.uint64:
        """The state after `seed` (SplitMix64); `random_below` turns a state into a number."""
        return np.uint64((int(seed) + int(_GOLDEN)) & _ALL)

    def random_below(seed: np.uint64, bound: int) -> int:
        """A number from 0 to `bound` - 1, for bounds far below 2**32."""
        z = int(seed)
        z = ((z ^ (z >> 30)) * int(_MIX_1)) & _ALL
        z = ((z ^ (z >> 27)) * int(_MIX_2)) & _ALL
        z ^= z >> 31
        return ((z >> 32) * int(bound)) >> 32

    def stream_seed(seed: int, index: int) -> np.uint64:
        """The seed of the game number `index` of a batch: batches of other seeds, and games, go apart."""
        return np.uint64(((int(seed) << 32) + int(index)) * int(_STREAM) & _ALL)

else:

    @kernel
    def popcount(mask: np.uint64) -> int:
        """How many bits are set."""
        x = mask - ((mask >> ONE) & _PAIRS)
        x = (x & _NIBBLES) + ((x >> _TWO) & _NIBBLES)
        x = (x + (x >> _FOUR)) & _BYTES
        return np.int64((x * _EVERY_BYTE) >> _TOP_BYTE)  # type: ignore[return-value]

    @kernel
    def without_lowest(mask: np.uint64) -> np.uint64:
        """The mask with its lowest set bit cleared."""
        return mask & (mask - ONE)

    @kernel
    def lowest_bit(mask: np.uint64) -> int:
        """The index of the lowest set bit; 64 for the empty mask."""
        return popcount(~mask & (mask - ONE))

    @kernel
    def next_random(seed: np.uint64) -> np.uint64:
        """The state after `seed` (SplitMix64); `random_below` turns a state into a number."""
        return seed + _GOLDEN

    @kernel
    def random_below(seed: np.uint64, bound: int) -> int:
        """A number from 0 to `bound` - 1, for bounds far below 2**32."""
        z = (seed ^ (seed >> _30)) * _MIX_1
        z = (z ^ (z >> _27)) * _MIX_2
        z = z ^ (z >> _31)
        return np.int64(((z >> _32) * np.uint64(bound)) >> _32)  # type: ignore[return-value]

    @kernel
    def stream_seed(seed: int, index: int) -> np.uint64:
        """The seed of the game number `index` of a batch: batches of other seeds, and games, go apart."""
        return ((np.uint64(seed) << _32) + np.uint64(index)) * _STREAM


@kernel
def nth_bit(mask: np.uint64, n: int) -> int:
    """The index of the n-th set bit, counted from 0; the mask must have more than n."""
    index = 0
    width = 32
    while width > 0:
        low = popcount(mask & (bit(width) - ONE))
        if n >= low:
            n -= low
            index += width
            mask >>= np.uint64(width)
        width >>= 1
    return index


def box(record: np.record, dtype: np.dtype[Any]) -> np.ndarray:
    """A record in an array of one, to be read; they share their memory.

    For calls from Python: numba takes six microseconds to recognise a record and half of one for an array, so that
    what is called often has a door (`doors.py` in a game's room) that takes arrays.
    """
    return np.ndarray(1, dtype, record)


def copied(record: np.record, dtype: np.dtype[Any]) -> np.ndarray:
    """A copy of a record in an array of one, to be changed: what is in it is seen in `[0]`, as a record.

    As bytes, because NumPy's own copy goes field by field and takes four times as long.
    """
    return np.ndarray(1, dtype, record).view(np.uint8).copy().view(dtype)


def cuda_module() -> Any:
    """numba's module for GPUs, imported only when asked for: it costs a second and wants `numba-cuda`."""
    from numba import cuda

    return cuda
