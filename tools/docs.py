"""The parts of the documentation that are made from code: `python tools/docs.py` writes them anew.

A test fails when one of them is stale.
"""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def pages() -> dict[Path, str]:
    """What each generated file should hold."""
    return {
        DOCS / "errors.md": errors_page(),
        DOCS / "command-line.md": command_line_page(),
        DOCS / "bots.md": with_parts(DOCS / "bots.md", levels=levels_table(), networks=networks_table()),
        DOCS / "hosting.md": with_parts(DOCS / "hosting.md", limits=limits_table()),
        DOCS / "images" / "cronberg.svg": picture_of_a_game(),
        DOCS / "images" / "cronberg-names.svg": picture_with_names(),
        DOCS / "images" / "drunter.svg": picture_of_schilda(),
        **protocol_pages(),
    }


def protocol_pages() -> dict[Path, str]:
    """The protocol's page, schema and types."""
    sys.path.insert(0, str(ROOT))
    from tools import protocol

    return protocol.pages()


def errors_page() -> str:
    """The error tree and the refusals."""
    from embertown.core import errors

    tree = inspect.cleandoc(errors.__doc__ or "").split("::\n\n")[1].split("\n\n")[0]
    return "\n".join(
        [
            "# Errors",
            "",
            "Whatever comes from outside gets a clear answer: what is wrong, where, and what would be right.",
            "All errors form one tree:",
            "",
            "```text",
            inspect.cleandoc(tree),
            "```",
            "",
            "## Refusals",
            "",
            "`IllegalMove` carries a code, the rule's number, the places and a sentence in English, German or French",
            '(`error.sentence("de")`).',
            "",
            *refusals_of(
                "cronberg",
                {
                    "not_your_turn": "C2.3",
                    "not_neighbours": "C5.1",
                    "not_a_sharp_corner": "C1.4",
                    "kind_used_up": "C2.1",
                },
            ),
            *refusals_of("drunter", {"other_kind": "D4.1", "not_at_the_gang": "D4.2", "not_straight": "D4.2"}),
        ]
    )


def refusals_of(game: str, from_text: dict[str, str]) -> list[str]:
    """A table of a game's refusals; `from_text` are those that come before the kernels are asked."""
    from embertown.core.locale import catalogue

    reasons = import_module(f"embertown.{game}.rules").Refusal
    rules = {reason.name.lower(): reason.rule for reason in reasons} | from_text
    sentences = catalogue(game, "en")["refusals"]
    rows = [f"| `{code}` | {rules[code]} | {sentence} |" for code, sentence in sentences.items()]
    return [f"### {game.capitalize()}", "", "| code | rule | sentence |", "| --- | --- | --- |", *rows, ""]


def command_line_page() -> str:
    """Every command with its options and examples, from the program itself."""
    import typer.main

    from embertown.cli.app import app

    command: Any = typer.main.get_command(app)
    parts = [
        "# Command line",
        "",
        "After `python3 dev.py setup` the program is `.venv/bin/embertown`; installed as a package, `embertown`.",
        "Exit status: 0 all is well, 1 something checked is wrong, 2 the command line makes no sense, 3 a bot is at",
        "fault, 130 interrupted.",
    ]
    for name, sub in flattened(command, ""):
        parts += ["", f"## {name}", "", described(sub), "", *options_of(sub), *examples_of(sub)]
    return "\n".join(parts) + "\n"


def flattened(command: Any, prefix: str) -> list[tuple[str, Any]]:
    """All commands with their whole names."""
    found = []
    for name, sub in getattr(command, "commands", {}).items():
        whole = f"{prefix} {name}".strip()
        found += flattened(sub, whole) if hasattr(sub, "commands") else [(whole, sub)]
    return found


def described(command: Any) -> str:
    """A command's help, one paragraph a line."""
    text = inspect.cleandoc(command.help or "").replace("\b", "").replace("\f", "")
    return "\n".join(line.rstrip() for line in text.splitlines())


def options_of(command: Any) -> list[str]:
    """A table of arguments and options."""
    rows = []
    for parameter in command.params:
        if getattr(parameter, "hidden", False) or parameter.name == "help":
            continue
        names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
        if parameter.param_type_name == "argument":
            names = f"`{(parameter.metavar or parameter.name).upper()}`"
        text = " ".join((getattr(parameter, "help", "") or "").split()).replace("|", "\\|")
        rows.append(f"| {names} | {text} |")
    return ["| option | meaning |", "| --- | --- |", *rows] if rows else []


def examples_of(command: Any) -> list[str]:
    """The lines of the epilog that are commands."""
    lines = [line.strip(" $`") for line in (command.epilog or "").splitlines()]
    examples = [re.sub(r"\[/?[a-z ]+\]", "", line) for line in lines if line.startswith("embertown")]
    return ["", "```console", *(f"$ {line}" for line in examples), "```"] if examples else []


def with_parts(page: Path, **parts: list[str]) -> str:
    """A page with some parts of it, each between two comments with its name, made anew."""
    text = page.read_text(encoding="utf-8")
    for name, lines in parts.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        text = "\n".join([f"{before}{begin}", "", *lines, "", f"{end}{rest.partition(end)[2]}"])
    return text


def levels_table() -> list[str]:
    """What each level does, how long it thinks and how much memory its search takes at most."""
    from embertown.bots import cronberg_levels, drunter_levels
    from embertown.bots.levels import LEVELS

    rows = []
    for name, words in LEVELS.items():
        thinks = [thought(module, name) for module in (cronberg_levels, drunter_levels)]
        rows.append(f"| `{name}` | {words} | {thinks[0]} | {thinks[1]} |")
    return ["| level | what it is like | Cronberg | Drunter & Drüber |", "| --- | --- | --- | --- |", *rows]


def networks_table() -> list[str]:
    """The model cards of the networks that come along: how trained, for how long, what they reached."""
    import json

    from embertown.bots.network import FOLDER

    names = sorted(Path(file.name).stem for file in FOLDER.iterdir() if file.name.endswith(".json"))
    cards = [json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in names]
    told = [card_words(card) for card in cards]
    titles = [NETWORK_TITLES.get(name, name) for name in names]
    rows = [[what, *(each.get(what, "") for each in told)] for what in dict.fromkeys(chain(*told))]
    return [table_row(["", *titles]), table_row(["---"] * (len(names) + 1)), *map(table_row, rows)]


NETWORK_TITLES = {
    "cronberg": "Cronberg, 3 and 4 players",
    "cronberg-2": "Cronberg, 2 players",
    "drunter": "Drunter & Drüber",
}
"""Whom the networks that come along serve, by the names of their files."""
PLAYERS = (2, 3, 4)


def table_row(cells: list[str]) -> str:
    """A row of a table in Markdown."""
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|"


def card_words(card: dict[str, Any]) -> dict[str, str]:
    """What a model card says, in words."""
    training, settings = card["training"], card["training"]["settings"]
    learning, reached = settings["learning"], card["reached"][-1]
    players, begun = ", ".join(map(str, settings["players"])), training["begun_from"] or []
    return {
        "numbers": f"{card['weights']:,}, as float16; {settings['width']} a cell, {settings['depth']} blocks",
        "sees, may answer": f"{card['observation']:,} numbers, {card['actions']} answers",
        "trained for": f"{players} players",
        "trained by": f"{settings.get('method', 'ppo')}, seed {settings['seed']}, {card['device']}",
        "for": f"{training['trained_seconds'] / 60:.1f} minutes, {training['steps'] / 1e6:,.0f} million decisions"
        f"{' in all' if begun else ''}",
        "begun from": begun_words(begun),
        "learned from": learned_words(learning),
        "rates": f"{learning['rate']:g} to {learning['last_rate']:g}, entropy {learning['entropy']:g} to "
        f"{learning['last_entropy']:g}, decay {learning['decay']:g}, win weight {learning['win_weight']:g}",
        "on other boards": f"{settings['variety']:.0%} of the games",
        **{f"wins against random, {n} players": reached_words(reached, n, "random") for n in PLAYERS},
        **{f"against itself before, {n} players": reached_words(reached, n, "older") for n in PLAYERS},
        "sha256": f"`{card['sha256'][:16]}…`",
    }


def learned_words(learning: dict[str, Any]) -> str:
    """How many of the decisions were learned from, in the last piece of a training."""
    epochs, share = learning["epochs"], learning.get("share", 1.0)
    return f"{share:.0%} of the decisions, {epochs} times" + (", the open ones more often" if share < 1 else "")


def begun_words(pieces: list[dict[str, Any]]) -> str:
    """The pieces of a training before the last one: how many decisions each, with how many players."""
    told: list[str] = []
    for each in pieces:
        *others, last = map(str, each["players"])
        players = f"{', '.join(others)} and {last}" if others else last
        decisions, people = ("", "") if told else (" decisions", " players")
        weight = f"(win weight {each['learning']['win_weight']:g})"
        told.append(f"{each['steps'] / 1e6:,.0f} million{decisions} with {players}{people} {weight}")
    return ", ".join(told)


def reached_words(reached: dict[str, Any], players: int, against: str) -> str:
    """A share of the win with its interval; nothing where it did not play with so many."""
    share, interval = reached.get(f"{players}_against_{against}", (None, None))
    return "" if share is None else f"{share:.1%} ± {interval:.1%}"


def limits_table() -> list[str]:
    """How often a guest and an address may do what is limited."""
    from embertown.server.limits import OPEN_AT_ONCE, RATES, Kind

    rows = []
    for kind in Kind:
        cells = []
        for who in ("guest", "address"):
            rate = RATES.get((kind, who))
            cells.append("" if rate is None else f"{rate.burst:,}, then {rate.per_minute:,}")
        if kind is Kind.CONNECTIONS:
            cells = [f"{OPEN_AT_ONCE[who]} open" for who in ("guest", "address")]
        rows.append(f"| {kind} | {cells[0]} | {cells[1]} |")
    head = "| what | a guest: at once, then a minute | an address: at once, then a minute |"
    return [head, "| --- | --- | --- |", *rows]


def thought(levels: Any, name: str) -> str:
    """How long a level thinks about a move, and in how much memory."""
    seconds, simulations = levels.SECONDS.get(name), levels.SIMULATIONS.get(name)
    budget = f"{simulations:,} simulations" if seconds is None else f"{seconds:g} s"
    return f"{budget}, {levels.SETTINGS[name].memory / 1e6:.0f} MB"


def picture_of_a_game() -> str:
    """A game of four near its end."""
    import embertown

    state = embertown.GameRecord.from_file(ROOT / "tests" / "records" / "cronberg-4.json").replay()
    for _ in range(9):
        state.undo()
    return state.svg() + "\n"


def picture_of_schilda() -> str:
    """Another game of three in its middle, as a spectator sees it."""
    sys.path.insert(0, str(ROOT))
    from tests.drunter.playthroughs import play

    return play("base-3", 48).svg(names=["Karl", "Ulla", "Gerd"]) + "\n"


def picture_with_names() -> str:
    """The empty board with the names of its places."""
    import embertown

    state = embertown.load("cronberg").start(seed=1, first=0)
    return state.svg(names=["Karl", "Ulla"], labels=True) + "\n"


def main() -> None:
    """Write what is stale."""
    for file, text in pages().items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"written: {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
