"""The protocol's description is true: whole games' messages fit it, its examples are real, its files are fresh."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from embertown.server import messages, protocol
from tests.conftest import JIT_OFF
from tests.server.guests import Place, make_table
from tests.server.servers import ServerProcess
from tools import protocol as described
from tools import webbuild

ROOT = Path(__file__).parents[2]
EXAMPLES = json.loads((ROOT / "docs" / "protocol" / "examples.json").read_text(encoding="utf-8"))
SCHEMA = protocol.message_schema()
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def closed(schema: Any) -> Any:
    """The same schema where nothing may be that it does not name: what is sent has to be told."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(value) for key, value in schema.items()}
    if "properties" in found and found.get("type") == "object":
        found["additionalProperties"] = False
    return found


def validator(direction: str) -> Draft202012Validator:
    whole = closed(SCHEMA)
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator({"$ref": f"#/$defs/{direction}", "$defs": whole["$defs"]})


INCOMING, OUTGOING = validator("Incoming"), validator("Outgoing")


def kinds(direction: str) -> set[str]:
    return set(SCHEMA["$defs"][direction]["discriminator"]["mapping"])


# ---- files


def test_generated_files_are_fresh() -> None:
    """`python tools/docs.py` writes them anew."""
    for file, text in described.pages().items():
        assert file.read_text(encoding="utf-8") == text, f"{file.name} is stale"


@pytest.mark.parametrize(("direction", "check"), [("incoming", INCOMING), ("outgoing", OUTGOING)])
def test_every_message_has_an_example_that_fits(direction: str, check: Draft202012Validator) -> None:
    assert set(EXAMPLES[direction]) == kinds(direction.capitalize())
    for kind, examples in EXAMPLES[direction].items():
        for example in examples:
            assert example["message"]["type"] == kind
            check.validate(example["message"])


def test_the_server_reads_the_examples() -> None:
    for kind, examples in EXAMPLES["incoming"].items():
        for example in examples:
            assert messages.read(json.dumps(example["message"])).type == kind


def test_the_lines_of_a_stream_fit() -> None:
    for line in EXAMPLES["stream"]:
        assert set(line) == {"table", "viewer", "message"}
        OUTGOING.validate(line["message"])


def test_every_field_is_told() -> None:
    """Where a name says it all, no more words; a name that says nothing by itself has some."""
    plain = {"type", "kind", "table", "fair", "points", "title", "players", "clock", "entries", "lines", "text"}
    plain |= {"cards", "tile", "says", "scored", "driven", "needs_vote", "id"}
    for name, found in SCHEMA["$defs"].items():
        assert found["description"], name
        for key, field in found.get("properties", {}).items():
            assert "description" in field or key in plain, f"{name}.{key}"


def test_the_page_tells_every_message_part_and_refusal() -> None:
    headings = re.findall(r"^### `?([\w]+)`?$", PAGE, re.MULTILINE)
    for direction in ("Incoming", "Outgoing"):
        assert kinds(direction) <= set(headings)
    parts = {name for name in SCHEMA["$defs"] if name.endswith(("Facts", "Action", "Final", "Preview"))}
    assert parts - {"Preview"} <= set(headings)
    from embertown.core.locale import catalogue

    for code in catalogue("server", "en")["refusals"]:
        assert f"| `{code}` |" in PAGE


def test_the_page_names_the_version() -> None:
    assert f"version **{messages.PROTOCOL}**" in PAGE


# ---- TypeScript


def test_types_are_complete() -> None:
    """Everything that is named is defined, once."""
    text = protocol.typescript(SCHEMA)
    names = re.findall(r"^export (?:interface|type|const) (\w+)", text, re.MULTILINE)
    assert sorted(names) == sorted({*SCHEMA["$defs"], "PROTOCOL"})
    code = re.sub(r'//.*|/\*\*.*?\*/|"[^"]*"', "", text)
    used = set(re.findall(r"\b[A-Z]\w+", code)) - {"Record"}
    assert used <= set(names)


def typed_examples() -> Iterator[str]:
    """Every example as a value of the type that it should be."""
    told = [("Incoming", each["message"]) for kind in EXAMPLES["incoming"].values() for each in kind]
    told += [("Outgoing", each["message"]) for kind in EXAMPLES["outgoing"].values() for each in kind]
    told += [("Outgoing", each["message"]) for each in EXAMPLES["stream"]]
    yield 'import type { Incoming, Outgoing } from "./messages";'
    for number, (kind, message) in enumerate(told):
        yield f"export const example{number}: {kind} = {json.dumps(message)};"


TYPESCRIPT = webbuild.MODULES / "typescript" / "bin" / "tsc"


@pytest.mark.skipif(not TYPESCRIPT.exists(), reason="needs what the page is built with: tools/webbuild.py")
def test_the_examples_are_of_these_types(tmp_path: Path) -> None:
    """The page's own compiler reads both files of types, and every example as a value of them."""
    (tmp_path / "messages.ts").write_text(protocol.typescript(SCHEMA), encoding="utf-8")
    shutil.copy(webbuild.TYPES.with_name("forms.ts"), tmp_path)
    (tmp_path / "examples.ts").write_text("\n".join(typed_examples()), encoding="utf-8")
    compiler = [webbuild.npm_command()[0], str(TYPESCRIPT)]
    strict = [*compiler, "--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022"]
    command = [*strict, "--module", "esnext", "--moduleResolution", "bundler", "examples.ts", "forms.ts"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_what_is_not_known_is_an_error() -> None:
    with pytest.raises(ValueError, match="no type"):
        protocol.type_of({"not": {}})


# ---- whole games


@pytest.fixture
def place(shared_server: ServerProcess) -> Iterator[Place]:
    with Place(shared_server.address) as found:
        yield found


def option(game: str) -> dict[str, bool]:
    from embertown.games import game_class

    return dict.fromkeys(game_class(game).option_names, True)


@pytest.mark.skipif(JIT_OFF, reason="a server plays with compiled kernels")
@pytest.mark.parametrize(
    ("game", "options"),
    [("cronberg", {}), ("drunter", {}), ("drunter", option("drunter"))],
    ids=["cronberg", "drunter", "drunter-options"],
)
def test_all_that_is_sent_in_a_whole_game_fits(place: Place, game: str, options: dict[str, bool]) -> None:
    anna = place.guest("Anna")
    clock = {"total": 3600, "per_move": 600}
    made = make_table(anna, game, "me", "greedy", "greedy", options=options, clock=clock, entropy="e")
    live, count = place.live(anna, made["table"]), 0
    live.send(json.dumps({"type": "hello", "id": "h", "protocol": messages.PROTOCOL}))
    seen: set[str] = set()
    status = "playing"
    while status == "playing":
        told = json.loads(live.recv(timeout=60))
        OUTGOING.validate(told)
        seen.add(told["type"])
        status = told.get("status", status)
        if told["type"] == "turn":
            count += 1
            action = told["legal"][count % len(told["legal"])]["text"]
            asked = {"type": "preview", "id": f"p{count}", "seat": 0, "actions": [action]}
            wish = {"type": "play", "id": f"m{count}", "seat": 0, "number": told["number"] + 1, "action": action}
            for message in (asked, wish):
                INCOMING.validate(message)
                live.send(json.dumps(message))
    assert status == "over"
    assert {"table", "entries", "turn", "answer", "previews", "thinking", "seats"} <= seen
