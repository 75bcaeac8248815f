#!/usr/bin/env python3
"""Embertown's commands for a fresh checkout. They need nothing but Python 3.11 or newer and git.

    python3 dev.py play [options]          play in the browser
    python3 dev.py test [--quick] [-- pytest options]
                                           every check; --quick leaves out the slow ones
    python3 dev.py setup                   everything for development
    python3 dev.py bench NAME [options]    run benchmarks/NAME.py
    python3 dev.py soak [--games N]        many games, every one of them checked

Everything lands in .venv/, .cache/ and web/node_modules/ of this checkout.
"""

import sys

# First of all, and in words that an old Python can read too.
if sys.version_info < (3, 11):
    sys.exit("Embertown needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
CACHE = ROOT / ".cache"
STAMP = VENV / "embertown-stamp.json"
BENCHMARKS = ROOT / "benchmarks"
WEB_BUILD = ROOT / "tools" / "webbuild.py"
SKIP_WEB = "EMBERTOWN_SKIP_WEB"

USAGE = 2  # exit status: the command line makes no sense
INTERRUPTED = 130

# Parts of the environment, by their names in pyproject.toml. Playing needs the first alone: Node, for the page.
PAGE = "page"
GROUPS = (PAGE, "dev", "docs")
EXTRAS = ("bench",)
DEVELOPMENT = GROUPS
BENCH_NEEDS = {"page": ("dev",)}  # a browser; the others need what they are compared with


# An environment for another place or another Python is made anew.
HERE = {"checkout": str(ROOT), "python": "{}.{}".format(*sys.version_info)}


def in_venv(venv: Path, program: str) -> Path:
    """The path of a program inside a virtual environment."""
    return venv / "Scripts" / f"{program}.exe" if os.name == "nt" else venv / "bin" / program


PYTHON = in_venv(VENV, "python")


def run(*command: object, **settings: str) -> int:
    """Run a command in the checkout; its exit status."""
    # A cache in the checkout lets uv link files instead of copying them, and leaves the home folder alone.
    caches = {"UV_CACHE_DIR": str(CACHE / "uv-cache"), "PIP_CACHE_DIR": str(CACHE / "pip-cache")}
    status = subprocess.run(
        [str(word) for word in command], cwd=ROOT, env={**caches, **os.environ, **settings}, check=False
    ).returncode
    return 128 - status if status < 0 else status  # killed by a signal: as shells report it


def works(*command: object) -> bool:
    """Whether a command starts and succeeds; what it prints is of no interest."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


# ---- the environment ---------------------------------------------------------------------------------


def make_venv(folder: Path, *options: str) -> None:
    """Make a new virtual environment; whatever was in the folder goes."""
    if run(sys.executable, "-m", "venv", "--clear", *options, folder):
        sys.exit(
            f"Could not make a virtual environment in {folder}: this Python lacks its venv module.\n"
            "On Debian and Ubuntu: sudo apt install python3-venv"
        )


def find_uv() -> str | None:
    """The uv on PATH, or one from the package index in .cache/uv; None without either."""
    found = shutil.which("uv")
    if found:
        return found
    tool = CACHE / "uv"
    uv = in_venv(tool, "uv")
    if works(uv, "--version"):
        return str(uv)
    make_venv(tool)
    pip = (in_venv(tool, "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    return str(uv) if run(*pip, "--retries", "1", "uv>=0.8") == 0 else None


def install(python: Path, what: Iterable[object]) -> None:
    """Install into the environment of this Python, held to constraints.txt; the page is built apart from it."""
    pins = ROOT / "constraints.txt"
    what = ["--constraint", pins, *what]
    apart = {SKIP_WEB: "1"}
    uv = find_uv()
    quick = ("--quiet", "--compile-bytecode", "--build-constraint", pins, "--python", python)
    if uv and run(uv, "pip", "install", *quick, *what, **apart) == 0:
        return
    print("uv did not manage; trying pip.", file=sys.stderr)
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1")
    has_pip = works(python, "-m", "ensurepip")
    if has_pip and run(*pip, "pip>=25.1") == 0 and run(*pip, *what, **apart) == 0:  # 25.1: --group
        return
    sys.exit(
        "Could not install what Embertown needs; the lines above say why.\n"
        "Most often there is no network, or no wheels for this Python "
        f"({sys.version_info.major}.{sys.version_info.minor}; 3.11, 3.12 and 3.13 are known to work)."
    )


def wanted_state(parts: Iterable[str]) -> dict[str, object]:
    """What the stamp says of an environment with these parts that is up to date."""
    files = (ROOT / "pyproject.toml", ROOT / "constraints.txt")
    pins = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
    return {**HERE, "pins": pins, "parts": sorted(parts)}


def read_stamp() -> dict[str, object]:
    """What was installed when; empty when nobody knows."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def requirements(parts: set[str]) -> list[str]:
    """The checkout itself with these parts, as uv and pip are told of it."""
    extras = ",".join(extra for extra in EXTRAS if extra in parts)
    groups = [word for group in GROUPS if group in parts for word in ("--group", group)]
    return ["--editable", f".[{extras}]" if extras else ".", *groups]


def set_up(*parts: str) -> None:
    """Bring .venv up to date with at least these parts; nothing to do is the common case."""
    stamp = read_stamp()
    known = stamp.get("parts")
    before = set(known).intersection(GROUPS + EXTRAS) if isinstance(known, list) else set()
    wanted = wanted_state(before.union(parts))
    usable = works(PYTHON, "-c", "") and all(stamp.get(key, HERE[key]) == HERE[key] for key in HERE)
    if usable and stamp == wanted:
        return
    if not usable:
        print("Making .venv …", file=sys.stderr)
        make_venv(VENV, "--without-pip")
    print("Installing what Embertown needs (a minute or two the first time) …", file=sys.stderr)
    STAMP.unlink(missing_ok=True)  # an interrupted installation must not look finished
    install(PYTHON, requirements(before.union(parts)))
    STAMP.write_text(json.dumps(wanted), encoding="utf-8")


def build_page(what: str = "build") -> bool:
    """Build the page where its sources changed; whether it is there. `any`: an older one will do."""
    return bool(os.environ.get(SKIP_WEB)) or run(PYTHON, WEB_BUILD, what) == 0


# ---- the verbs ---------------------------------------------------------------------------------------


def play(options: list[str]) -> int:
    set_up(PAGE)
    if not build_page("any"):
        print("Without the page there is the terminal: .venv/bin/embertown terminal", file=sys.stderr)
        return 1
    return run(PYTHON, "-m", "embertown", "play", *options)


def test(options: list[str]) -> int:
    ours, pytest_options = options, []
    if "--" in options:
        split = options.index("--")
        ours, pytest_options = options[:split], options[split + 1 :]
    if [option for option in ours if option != "--quick"]:
        return usage()
    set_up(*DEVELOPMENT)
    from tools import checks

    return checks.run_all(ROOT, PYTHON, install, quick="--quick" in ours, pytest_options=pytest_options)


def setup(options: list[str]) -> int:
    if options:
        return usage()
    set_up(*DEVELOPMENT)
    if not build_page():
        return 1
    print("Ready: .venv/bin/embertown" if os.name != "nt" else r"Ready: .venv\Scripts\embertown.exe")
    return 0


def bench(options: list[str]) -> int:
    names = sorted(file.stem for file in BENCHMARKS.glob("[!_]*.py"))
    if not options or options[0] not in names:
        unknown = f"No benchmark {options[0]!r}." if options else "Which benchmark?"
        print(f"{unknown} There are: {', '.join(names) or 'none yet'}", file=sys.stderr)
        return USAGE
    set_up(*BENCH_NEEDS.get(options[0], ("bench",)))
    return run(PYTHON, BENCHMARKS / f"{options[0]}.py", *options[1:])


def soak(options: list[str]) -> int:
    set_up("dev")
    return run(PYTHON, ROOT / "tools" / "soak.py", *options)


def usage() -> int:
    print(__doc__, file=sys.stderr)
    return USAGE


VERBS = {"play": play, "test": test, "setup": setup, "bench": bench, "soak": soak}


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in {"help", "-h", "--help"}:
        print(__doc__)
        return 0
    verb = VERBS.get(arguments[0])
    return verb(arguments[1:]) if verb else usage()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
