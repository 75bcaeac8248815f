"""The server's secrets: made once, private from the first byte, and never taken from a file that others could read."""

import base64
import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from py_vapid import Vapid02

from embertown.core.errors import MalformedFile
from embertown.server.keys import FILE, SIZE_LIMIT, Keys

needs_modes = pytest.mark.skipif(os.name != "posix", reason="modes of files say nothing here")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def pem(key: Any) -> str:
    text: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return text.decode()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "far" / "away"
    Keys.at(folder)
    return folder


def change(folder: Path, **changed: object) -> None:
    file = folder / FILE
    found = {**json.loads(file.read_text()), **changed}
    file.write_text(json.dumps({key: value for key, value in found.items() if value is not None}))


def refused(folder: Path) -> str:
    with pytest.raises(MalformedFile) as caught:
        Keys.at(folder)
    assert caught.value.right
    return str(caught.value)


def test_the_first_run_makes_keys_and_the_next_ones_find_them(tmp_path: Path) -> None:
    first = Keys.at(tmp_path / "data")
    assert first == Keys.at(tmp_path / "data")
    assert len(first.cookie) == 32
    assert len(first.admin) >= 43
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FILE]


def test_no_two_servers_have_the_same_keys(tmp_path: Path) -> None:
    made = [Keys.at(tmp_path / str(number)) for number in range(3)]
    for attribute in ("cookie", "admin", "vapid_private", "vapid_public"):
        assert len({getattr(keys, attribute) for keys in made}) == 3


def test_the_key_pair_is_what_push_services_take(home: Path) -> None:
    keys = Keys.at(home)
    vapid = Vapid02.from_pem(keys.vapid_private.encode())
    header = vapid.sign({"sub": "mailto:host@example.org", "aud": "https://push.example.org"})
    assert header["Authorization"].endswith(f"k={keys.vapid_public}")
    point = base64.urlsafe_b64decode(keys.vapid_public + "=")
    assert len(point) == 65
    assert point[0] == 4


def test_secrets_are_not_shown(home: Path) -> None:
    keys = Keys.at(home)
    for secret in (keys.admin, keys.cookie.hex(), repr(keys.cookie), keys.vapid_private):
        assert secret not in repr(keys)


def test_only_the_hosts_token_is_the_hosts(home: Path) -> None:
    keys = Keys.at(home)
    assert keys.is_admin(keys.admin)
    for wrong in ("", keys.admin[:-1], keys.admin + "x", keys.admin.swapcase(), "é", "\ud800"):
        assert not keys.is_admin(wrong)


# ---- who can read it


@needs_modes
def test_folder_and_file_are_private_whatever_the_mask(tmp_path: Path) -> None:
    code = "import os, sys, pathlib, embertown.server.keys as k; os.umask(0); k.Keys.at(pathlib.Path(sys.argv[1]))"
    elsewhere = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "data")], check=True, env=elsewhere)
    assert mode_of(tmp_path / "data") == 0o700
    assert mode_of(tmp_path / "data" / FILE) == 0o600


@needs_modes
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o610, 0o777])
def test_a_file_that_is_open_to_others_is_refused(home: Path, mode: int) -> None:
    (home / FILE).chmod(mode)
    assert f"open to other users (mode {mode:04o}); right would be: chmod 600" in refused(home)
    (home / FILE).chmod(0o600)
    Keys.at(home)


@needs_modes
@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_that_others_can_write_to_is_refused(home: Path, mode: int) -> None:
    home.chmod(mode)
    assert "can be written to by other users" in refused(home)
    home.chmod(0o755)
    Keys.at(home)


@needs_modes
def test_nothing_is_made_in_a_folder_that_others_can_write_to(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    refused(tmp_path)
    assert not list(tmp_path.iterdir())


@needs_modes
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE, 0o600)
    assert "is no plain file" in refused(tmp_path)


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    assert str(tmp_path / FILE) in refused(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert "can't be used" in refused(tmp_path / "data")


# ---- damage

DAMAGE: dict[str, tuple[dict[str, object], str]] = {
    "no format": ({"format": None}, "format: is not embertown-keys/1"),
    "a later format": ({"format": "embertown-keys/2"}, "format: is not embertown-keys/1"),
    "no cookie": ({"cookie": None}, "cookie: "),
    "a short cookie": ({"cookie": "ab" * 31}, "cookie: "),
    "a cookie that is no hexadecimal": ({"cookie": "xy" * 32}, "cookie: "),
    "a cookie beyond ASCII": ({"cookie": "é" * 64}, "cookie: "),
    "a cookie that is a number": ({"cookie": 7}, "cookie: "),
    "no admin": ({"admin": None}, "admin: "),
    "a short admin": ({"admin": "letmein"}, "admin: "),
    "no pair": ({"vapid_private": None}, "vapid_private: "),
    "half a pair": ({"vapid_private": "-----BEGIN PRIVATE KEY-----\nMIGH"}, "vapid_private: "),
    "another curve": ({"vapid_private": pem(ec.generate_private_key(ec.SECP384R1()))}, "vapid_private: "),
    "another kind": ({"vapid_private": pem(ed25519.Ed25519PrivateKey.generate())}, "vapid_private: "),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_told_with_its_place(home: Path, what: str) -> None:
    changed, told = DAMAGE[what]
    change(home, **changed)
    assert told in refused(home)


def test_damage_is_told_without_the_secrets(home: Path) -> None:
    held = json.loads((home / FILE).read_text())
    for key in ("cookie", "admin", "vapid_private"):
        change(home, **{**held, key: held[key][:-40]})
        text = refused(home)
        for secret in held.values():
            assert secret[:12] == "embertown-ke" or secret[30:38] not in text


def test_a_file_that_is_too_large_is_refused(home: Path) -> None:
    (home / FILE).write_bytes(b" " * (SIZE_LIMIT + 1))
    assert "is too large" in refused(home)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(st.data())
def test_a_file_that_was_cut_off_or_has_changed_is_never_half_taken(tmp_path: Path, data: st.DataObject) -> None:
    keys = Keys.at(tmp_path)
    whole = (tmp_path / FILE).read_bytes()
    try:
        (tmp_path / FILE).write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
        refused(tmp_path)
        (tmp_path / FILE).write_bytes(data.draw(st.binary(max_size=200)))
        refused(tmp_path)
    finally:
        (tmp_path / FILE).write_bytes(whole)
    assert Keys.at(tmp_path) == keys


# ---- at once


def test_servers_that_start_at_once_share_one_set_of_keys(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda _: Keys.at(tmp_path / "data"), range(32)))
    assert len({keys.admin for keys in found}) == 1
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FILE]
