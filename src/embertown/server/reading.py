"""What is wrong with something that was sent, in the words of each language; what exactly, the English ones tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, translate
from embertown.server.errors import DOMAIN

OTHER = "other"
_WRONG: Mapping[str, str] = {
    "missing": "missing",
    "extra_forbidden": "unknown",
    "literal_error": "one_of",
    "union_tag_invalid": "one_of",
    "string_too_long": "too_long",
    "too_long": "too_long",
    "string_too_short": "too_short",
    "too_short": "too_short",
    "less_than_equal": "too_large",
    "greater_than_equal": "too_small",
    "json_invalid": "no_json",
}
"""By what the reader of forms calls it: the sentence."""
_BOUNDS = ("max_length", "min_length", "le", "ge")
_KIND = ("_type", "_parsing")
"""How the names of those end that are of another kind: a text for a number, say."""


def wrong_by_language(problem: Mapping[str, Any]) -> dict[str, str]:
    """A problem of a form, as its reader tells it, in every language.

    >>> told = {"type": "string_too_long", "msg": "String should have at most 30 characters", "ctx": {"max_length": 30}}
    >>> wrong_by_language(told)["de"], wrong_by_language(told)["en"]
    ('zu lang, höchstens 30', 'String should have at most 30 characters')
    """
    context = problem.get("ctx", {})
    bound = next((context[key] for key in _BOUNDS if key in context), "")
    expected = str(context.get("expected", context.get("expected_tags", ""))).replace(" or ", ", ")
    words = {"bound": bound, "expected": expected}
    kind = _WRONG.get(problem["type"], "kind" if problem["type"].endswith(_KIND) else OTHER)
    said = {language: translate(DOMAIN, f"wrong.{kind}", language, **words) for language in LANGUAGES}
    return {**said, DEFAULT_LANGUAGE: problem["msg"]}


def unreadable(detail: str) -> dict[str, str]:
    """Something of which not even the form could be read, in every language."""
    return wrong_by_language({"type": "json_invalid", "msg": detail})
