"""The protocol's documentation: JSON Schema, TypeScript, OpenAPI, and the generated parts of `docs/protocol.md`.

`python tools/docs.py` writes them anew. The examples are real messages: `python tools/protocol.py` starts a server,
plays at it with every kind of message, and keeps some of each in `docs/protocol/examples.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "protocol.md"
FOLDER = ROOT / "docs" / "protocol"
EXAMPLES = FOLDER / "examples.json"
WIDTH = 110
"""Characters of a line of an example."""
REF = "#/$defs/"


def pages() -> dict[Path, str]:
    """What each generated file should hold."""
    from embertown.server import protocol

    schema = protocol.message_schema()
    return {
        FOLDER / "messages.schema.json": as_json(schema),
        FOLDER / "messages.ts": protocol.typescript(schema),
        FOLDER / "forms.ts": protocol.typescript(protocol.form_schema(), protocol.FORMS),
        FOLDER / "openapi.json": as_json(openapi()),
        PAGE: page(schema),
    }


def as_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def openapi() -> dict[str, Any]:
    """The description of everything that is not the live protocol, made by FastAPI."""
    from embertown.server.app import create_app
    from embertown.server.settings import Settings

    return create_app(Settings(folder=Path("unused"))).openapi()


# ---- the page


def page(schema: dict[str, Any]) -> str:
    """`docs/protocol.md` with its generated parts made anew."""
    from embertown.server import protocol

    forms = protocol.form_schema()["$defs"]
    definitions, examples = schema["$defs"], json.loads(EXAMPLES.read_text(encoding="utf-8"))
    parts = {
        "from a client": messages(definitions, "Incoming", examples["incoming"]),
        "to a client": messages(definitions, "Outgoing", examples["outgoing"]),
        "parts": named(definitions, PARTS),
        "cronberg": named(definitions, CRONBERG),
        "drunter": named(definitions, DRUNTER),
        "replays": named(forms, REPLAYS),
        "trials": named(forms, TRIALS),
        "games": named(forms, GAMES),
        "refusals": refusals(),
        "lines": ["```json", *(json.dumps(line, ensure_ascii=False) for line in examples["stream"]), "```"],
        "requests": requests(),
    }
    text = PAGE.read_text(encoding="utf-8")
    for name, lines in parts.items():
        text = with_part(text, name, list(lines))
    return text


def with_part(text: str, name: str, lines: list[str]) -> str:
    """A page with one part of it, between two comments, made anew."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = text.partition(begin)
    assert found, f"{PAGE.name} has no part {name!r}"
    return "\n".join([f"{before}{begin}", "", *lines, "", f"{end}{rest.partition(end)[2]}"])


PARTS = (
    "TableFacts",
    "ClockLimits",
    "MatchFacts",
    "SeatFacts",
    "EntryFacts",
    "ClockFacts",
    "FairFacts",
    "TakebackWish",
    "HintedAction",
    "ChatLine",
    "MutedFacts",
    "OutcomeFacts",
)
CRONBERG = (
    "CronbergFacts",
    "RhombFacts",
    "CronbergFinal",
    "TokenAction",
    "PlainAction",
    "PlaceAction",
    "CronbergPreview",
    "ScoredFacts",
    "DrivenFacts",
    "CronbergResult",
)
DRUNTER = (
    "DrunterFacts",
    "TileFacts",
    "ProposalFacts",
    "VoteFacts",
    "DrunterFinal",
    "LayAction",
    "VoteAction",
    "JeeiinAction",
    "ChooseAction",
    "DrunterPreview",
    "DrunterTileResult",
    "DrunterVoteResult",
)
REPLAYS = ("TableReplay", "RecordReplay", "ReplayEntry")
TRIALS = ("TryWish", "RecordTryWish", "Tried", "TriedEntry", "TriedTurn")
GAMES = (
    "Invitation",
    "GameFacts",
    "OptionFacts",
    "EditionFacts",
    "ThemeFacts",
    "BotFacts",
    "InLanguages",
    "TableSummary",
)


def messages(definitions: dict[str, Any], union: str, examples: dict[str, Any]) -> Iterator[str]:
    """Every message of one direction: what it is for, its fields, examples."""
    for kind, ref in definitions[union]["discriminator"]["mapping"].items():
        found = definitions[ref.removeprefix(REF)]
        yield from (f"### `{kind}`", "", found["description"], "", *fields(found), "")
        for example in examples[kind]:
            yield from (f"{example['of']}:", "", "```json", laid_out(example["message"]), "```", "")


def named(definitions: dict[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """Parts of messages, by the names that they have in the schema and in TypeScript."""
    for name in names:
        yield from (f"### {name}", "", definitions[name]["description"], "", *fields(definitions[name]), "")


def fields(found: dict[str, Any]) -> Iterator[str]:
    """A line for each field: its type, whether it is required, what it means."""
    for key, field in found["properties"].items():
        words = type_words(field)
        needed = "Required." if key in found.get("required", ()) else optional(field)
        yield " ".join(f"- `{key}` ({words}): {needed} {field.get('description', '')}".split())


def optional(field: dict[str, Any]) -> str:
    return f"Optional, `{json.dumps(field['default'])}` if missing." if "default" in field else "Optional."


def type_words(field: dict[str, Any]) -> str:
    """The type of a field in words, with links to parts."""
    if "$ref" in field:
        name = field["$ref"].removeprefix(REF)
        shown = name.replace("Changes", "Facts")
        return f"[{shown}](#{shown.lower()}){', any of its fields' if shown != name else ''}"
    if "const" in field or "enum" in field:
        return " or ".join(f'`"{each}"`' for each in field.get("enum", [field.get("const")]))
    several = field.get("anyOf") or field.get("oneOf")
    if several:
        return " or ".join(dict.fromkeys(type_words(each) for each in several))
    if field["type"] == "array":
        return f"list of {type_words(field['items'])}"
    if field["type"] == "object":
        inside = field.get("additionalProperties", True)
        return "object" if isinstance(inside, bool) else f"object of {type_words(inside)}"
    return f"{field['type']}{limits(field)}"


def limits(field: dict[str, Any]) -> str:
    """What a number or a text has to keep to."""
    if "minimum" in field and "maximum" in field:
        return f", {field['minimum']} to {field['maximum']}"
    if "pattern" in field:
        return f" like `{field['pattern']}`".replace("|", "\\|")
    if "maxLength" in field:
        return f" of {field.get('minLength', 0)} to {field['maxLength']} characters"
    return ""


def laid_out(value: Any, indent: str = "") -> str:
    """JSON in lines that are not too long."""
    short = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(short) <= WIDTH or not isinstance(value, dict | list):
        return short
    deeper = indent + "  "
    if isinstance(value, dict):
        inside = [f"{deeper}{json.dumps(key)}: {laid_out(each, deeper)}" for key, each in value.items()]
        return "{\n" + ",\n".join(inside) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + laid_out(each, deeper) for each in value) + f"\n{indent}]"


def refusals() -> list[str]:
    """Every code of the server's with its sentence."""
    from embertown.core.locale import catalogue

    sentences = catalogue("server", "en")["refusals"]
    rows = [f"| `{code}` | {sentence} |" for code, sentence in sorted(sentences.items())]
    return ["| code | sentence |", "| --- | --- |", *rows]


def requests() -> list[str]:
    """Every request that the server takes."""
    rows = [
        f"| `{method.upper()} {path}` | {told['description'].splitlines()[0]} |"
        for path, methods in openapi()["paths"].items()
        for method, told in methods.items()
    ]
    return ["| request | what it is for |", "| --- | --- |", *rows]


def main() -> None:
    """Play at a real server, and keep the examples."""
    sys.path.insert(0, str(ROOT))
    from tools.protocol_examples import recorded

    EXAMPLES.write_text(as_json(recorded()), encoding="utf-8")
    print(f"written: {EXAMPLES.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
