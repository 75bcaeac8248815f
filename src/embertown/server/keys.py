"""The server's secrets: made on the first run, in a file that only its user can read.

`keys.json` in the server's folder holds what signs cookies, what opens the host's own requests, and the key pair that
push services know the server by. It is no part of the database, so that a copy of the database lets nobody in. Where
the file is gone, new secrets are made: games go on, but every guest needs the recovery code, and push has to be asked
for anew.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import secrets
import stat
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from embertown.core.errors import MalformedFile
from embertown.core.files import decode, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = "keys.json"
FORMAT = "embertown-keys/1"
KEY_BYTES = 32
"""Bytes of chance in each secret."""
SIZE_LIMIT = 16 * 1024
"""Bytes of a file of keys; a real one has about 500."""
PRIVATE_FOLDER = 0o700
OTHERS = stat.S_IRWXG | stat.S_IRWXO
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
HAS_MODES = os.name == "posix"
"""Elsewhere a file's mode says nothing; there the folder of the user protects it."""


@dataclass(frozen=True)
class Keys:
    """The secrets; nothing of them is shown where the object is."""

    cookie: bytes = field(repr=False)
    """Signs the cookies of guests."""
    admin: str = field(repr=False)
    """Opens the host's own requests."""
    vapid_private: str = field(repr=False)
    """Signs what goes to push services (PEM)."""
    vapid_public: str
    """What browsers subscribe with: the uncompressed point, in base64 for addresses, without padding."""

    @classmethod
    def at(cls, folder: Path) -> Keys:
        """The keys of the server whose data is in `folder`, made there if this is its first run."""
        path = folder / FILE
        with _told(path):
            folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            _refuse_open_folder(folder)
            if not path.exists():
                _write(path, _made())
            return _keys_of(_read(path), path)

    def is_admin(self, token: str) -> bool:
        """Whether this is the host's own token; the time that the answer takes tells nothing of it."""
        return secrets.compare_digest(token.encode("utf-8", "surrogatepass"), self.admin.encode())


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Whatever the system refuses, with the file's name."""
    try:
        yield
    except OSError as reason:
        raise MalformedFile(
            str(path), "", f"can't be used: {reason.strerror}", "a folder and a file of the server's own user"
        ) from None


def _refuse_open_folder(folder: Path) -> None:
    """Who may write to the folder could put a file of keys of their own there."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    if HAS_MODES and mode & OTHERS_WRITE:
        raise MalformedFile(
            str(folder), "", f"can be written to by other users (mode {mode:04o})", f"chmod 700 {folder}"
        )


def _made() -> dict[str, str]:
    """New secrets, as the file holds them."""
    pair = ec.generate_private_key(ec.SECP256R1())
    return {
        "format": FORMAT,
        "cookie": secrets.token_hex(KEY_BYTES),
        "admin": secrets.token_urlsafe(KEY_BYTES),
        "vapid_private": pair.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode("ascii"),
    }


def _write(path: Path, secret: dict[str, str]) -> None:
    """Put a whole file in its place, private from its first byte on.

    A link, unlike a move, never replaces: of two servers that start at once, one makes the keys and both use them.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")  # of mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(secret, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        Path(name).unlink()
    _settle(path.parent)


def _settle(folder: Path) -> None:
    """The new name is on the disk too: keys that are lost with the power would void every cookie."""
    if HAS_MODES:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _read(path: Path) -> dict[str, Any]:
    """What the file holds, if nobody else can read it."""
    with open(path, "rb", opener=_open) as file:
        _refuse_open_file(file, path)
        data = file.read(SIZE_LIMIT + 1)
    if len(data) > SIZE_LIMIT:
        raise _damaged(path, "", "is too large")
    return parse_json(decode(data, str(path)), str(path))


def _open(name: str, flags: int) -> int:
    """Open without waiting for a writer, should somebody have put a pipe there."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _refuse_open_file(file: IO[bytes], path: Path) -> None:
    """Look at the file that is open, not at its name: that one could be another by now."""
    mode = os.fstat(file.fileno()).st_mode
    if not stat.S_ISREG(mode):
        raise MalformedFile(str(path), "", "is no plain file", "the file that the first run made")
    if HAS_MODES and mode & OTHERS:
        raise MalformedFile(
            str(path),
            "",
            f"holds the server's secrets and is open to other users (mode {stat.S_IMODE(mode):04o})",
            f"chmod 600 {path}; if others may have read it, remove it, and new secrets are made",
        )


def _damaged(path: Path, key: str, wrong: str) -> MalformedFile:
    """What is wrong, without a word of what stands there: it may be most of a secret."""
    right = "the file from a backup; or remove it, and new secrets are made (guests need their recovery codes)"
    return MalformedFile(str(path), key, wrong, right)


def _keys_of(found: dict[str, Any], path: Path) -> Keys:
    if found.get("format") != FORMAT:
        raise _damaged(path, "format", f"is not {FORMAT}")
    cookie = _cookie_of(found.get("cookie"), path)
    admin = found.get("admin")
    if not isinstance(admin, str) or len(admin) < KEY_BYTES:
        raise _damaged(path, "admin", f"is no text of at least {KEY_BYTES} characters")
    private = _pair_of(found.get("vapid_private"), path)
    point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    public = base64.urlsafe_b64encode(point).rstrip(b"=").decode("ascii")
    return Keys(cookie, admin, found["vapid_private"], public)


def _cookie_of(text: object, path: Path) -> bytes:
    with suppress(binascii.Error, ValueError):
        if isinstance(text, str) and len(key := binascii.unhexlify(text)) == KEY_BYTES:
            return key
    raise _damaged(path, "cookie", f"is no text of {2 * KEY_BYTES} hexadecimal digits")


def _pair_of(text: object, path: Path) -> ec.EllipticCurvePrivateKey:
    with suppress(ValueError, TypeError):
        key = load_pem_private_key(text.encode(), password=None) if isinstance(text, str) else None
        if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
            return key
    raise _damaged(path, "vapid_private", "is no private key of the curve P-256 in PEM")
