"""The protocol for programs: JSON Schema of all messages and forms, and TypeScript made from that schema.

Only what occurs in our own messages is translated; anything else is an error, so that nothing gets lost unseen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from embertown.server import forms
from embertown.server.drawing_shapes import EditionDrawing
from embertown.server.messages import PROTOCOL, AnyIncoming, AnyOutgoing

Schema = Mapping[str, Any]

DIALECT = GenerateJsonSchema.schema_dialect
REF = "#/$defs/"
INCOMING, OUTGOING = "Incoming", "Outgoing"
MESSAGES, FORMS = "messages", "forms"
"""The files of types: what travels over WebSockets, and what requests carry and are answered with."""
WISHES: tuple[Any, ...] = (
    forms.NewGuest,
    forms.Recovery,
    forms.NewTable,
    forms.SitDown,
    forms.SeatChoice,
    forms.Claim,
    forms.PushSubscription,
    forms.Endpoint,
    forms.WebhookWish,
    forms.NewToken,
    forms.TryWish,
    forms.RecordTryWish,
    forms.RecordPictureWish,
)
"""What requests carry."""
ANSWERS: tuple[Any, ...] = (
    forms.GuestFacts,
    forms.GameFacts,
    EditionDrawing,
    forms.MadeTable,
    forms.Seated,
    forms.LinkToken,
    forms.Invitation,
    forms.TableSummary,
    forms.TableReplay,
    forms.RecordReplay,
    forms.Tried,
    forms.PushKey,
    forms.WebhookFacts,
    forms.TokenFacts,
    forms.RefusalFacts,
)
"""What they are answered with."""


def message_schema() -> dict[str, Any]:
    """One schema for both directions: `$defs` holds every message, and `Incoming` and `Outgoing`.

    >>> schema = message_schema()
    >>> schema["$defs"]["Ping"]["required"], sorted(schema["$defs"]["Incoming"]["discriminator"]["mapping"])[:3]
    (['id', 'type'], ['abort', 'entropy', 'go'])
    """
    kinds: list[tuple[str, Any, TypeAdapter[Any]]] = [
        (INCOMING, "validation", TypeAdapter(AnyIncoming)),
        (OUTGOING, "serialization", TypeAdapter(AnyOutgoing)),
    ]
    by_kind, shared = TypeAdapter.json_schemas(kinds, ref_template=REF + "{model}")
    definitions = {name: cleaned(each) for name, each in shared["$defs"].items()}
    definitions[INCOMING] = {"description": "From a client.", **cleaned(by_kind[INCOMING, "validation"])}
    definitions[OUTGOING] = {"description": "To a client.", **cleaned(by_kind[OUTGOING, "serialization"])}
    return {
        "$schema": DIALECT,
        "title": "Embertown's live protocol",
        "description": f"Version {PROTOCOL}. Clients have to accept keys and messages that are not named here.",
        "anyOf": [{"$ref": REF + INCOMING}, {"$ref": REF + OUTGOING}],
        "$defs": definitions,
    }


def form_schema() -> dict[str, Any]:
    """Every form of a request and of an answer; what messages hold as well stands in their schema alone.

    >>> schema = form_schema()
    >>> schema["$defs"]["MadeTable"]["required"], "SeatFacts" in schema["$defs"]
    (['table', 'links', 'watch'], False)
    """
    kinds: list[tuple[str, Any, TypeAdapter[Any]]] = [
        *((each.__name__, "validation", TypeAdapter(each)) for each in WISHES),
        *((each.__name__, "serialization", TypeAdapter(each)) for each in ANSWERS),
    ]
    _, shared = TypeAdapter.json_schemas(kinds, ref_template=REF + "{model}")
    known = message_schema()["$defs"]
    return {"$defs": {name: cleaned(each) for name, each in shared["$defs"].items() if name not in known}}


def cleaned(schema: Any) -> Any:
    """Without the titles that repeat the keys, and with descriptions in one line."""
    if isinstance(schema, list):
        return [cleaned(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            found[key] = {name: cleaned(each) for name, each in value.items()}
        elif key == "description":
            found[key] = " ".join(value.split())
        elif key != "title":
            found[key] = cleaned(value)
    return found


# ---- TypeScript

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_INDENT = "  "


def typescript(schema: Schema, of: str = MESSAGES) -> str:
    """Types for a page: an interface for every message, form and part, and the two unions of messages.

    >>> print(typescript({"$defs": {"Pong": {"type": "object", "required": ["id"], "description": "Here.",
    ...     "properties": {"id": {"type": "string"}, "at": {"type": "integer", "description": "When."}}}}}))
    // Made from the server's messages by tools/protocol.py.
    <BLANKLINE>
    /** Here. */
    export interface Pong {
      id: string;
      /** When. */
      at?: number;
    }
    <BLANKLINE>
    """
    parts = [f"// Made from the server's {of} by tools/protocol.py.\n{_version(schema)}{_imports(schema)}"]
    for name, each in schema["$defs"].items():
        if each.get("type") == "object":
            parts.append("\n".join(_interface(name, each)))
        else:
            parts.append("\n".join([*_comment(each, ""), f"export type {name} = {type_of(each)};"]))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _version(schema: Schema) -> str:
    return f"\nexport const PROTOCOL = {PROTOCOL};\n" if INCOMING in schema["$defs"] else ""


def _imports(schema: Schema) -> str:
    """What stands in the types of messages, by their names."""
    used = {str(ref).removeprefix(REF) for ref in _refs(schema["$defs"])} - set(schema["$defs"])
    names = "".join(f"{_INDENT}{name},\n" for name in sorted(used))
    return f'\nimport type {{\n{names}}} from "./{MESSAGES}";\n' if used else ""


def _refs(schema: Any) -> Iterator[Any]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield from [value] if key == "$ref" else _refs(value)
    elif isinstance(schema, list):
        for each in schema:
            yield from _refs(each)


def _interface(name: str, schema: Schema) -> Iterator[str]:
    yield from _comment(schema, "")
    yield f"export interface {name} {{"
    required = schema.get("required", ())
    for key, each in schema.get("properties", {}).items():
        yield from _comment(each, _INDENT)
        yield f"{_INDENT}{key}{'' if key in required else '?'}: {type_of(each)};"
    yield "}"


def _comment(schema: Schema, indent: str) -> list[str]:
    text = schema.get("description")
    return [f"{indent}/** {text} */"] if text else []


def type_of(schema: Schema) -> str:
    """The type that a part of the schema stands for.

    >>> type_of({"anyOf": [{"type": "array", "items": {"type": ["string", "null"]}}, {"type": "null"}]})
    '(string | null)[] | null'
    >>> type_of({"type": "object", "additionalProperties": {"enum": ["yes", "no"], "type": "string"}})
    'Record<string, "yes" | "no">'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REF)
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{each}"' for each in schema["enum"])
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return " | ".join(dict.fromkeys(type_of(each) for each in several))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_PLAIN[each] for each in kind)
    if kind == "array":
        return _array(type_of(schema["items"]))
    if kind == "object":
        return f"Record<string, {_inside(schema)}>"
    if kind is None:
        raise ValueError(f"no type for {schema}")
    return _PLAIN[kind]


def _array(inside: str) -> str:
    return f"({inside})[]" if " | " in inside else f"{inside}[]"


def _inside(schema: Schema) -> str:
    inside = schema.get("additionalProperties", True)
    return "unknown" if isinstance(inside, bool) else type_of(inside)
