"""What the server refuses, with a code, a sentence in the language asked for, and a status for HTTP."""

from __future__ import annotations

from typing import Any

from embertown.core.errors import EmbertownError, IllegalMove
from embertown.core.locale import DEFAULT_LANGUAGE, translate
from embertown.server.store.errors import Conflict, StoreFailure

DOMAIN = "server"


class Refused(EmbertownError):
    """A wish that is not granted, and nothing has changed.

    Seats are numbers from 0 for programs, in `details` as everywhere; people count them from 1.

    >>> error = Refused("not_your_seat", seat=2)
    >>> error.status, error.details["seat"], error.sentence("de")
    (409, 2, 'Platz 3 ist nicht deiner.')
    """

    def __init__(self, code: str, *, status: int = 409, retry_after: float | None = None, **details: Any) -> None:
        super().__init__(code)
        self.code, self.status, self.retry_after, self.details = code, status, retry_after, details

    def sentence(self, language: str = DEFAULT_LANGUAGE) -> str:
        """Why, in `language`: en, de or fr."""
        words = {key: _said(key, value, language) for key, value in self.details.items()}
        return translate(DOMAIN, f"refusals.{self.code}", language, **words)

    def told(self, language: str = DEFAULT_LANGUAGE) -> dict[str, Any]:
        """As it travels."""
        return {"code": self.code, "rule": None, "places": [], "sentence": self.sentence(language)}

    def message(self) -> str:
        """The sentence in English."""
        return self.sentence()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.code, self.status, self.retry_after, self.details)


def _said(key: str, value: Any, language: str) -> Any:
    if key == "seat":
        return value + 1
    return value.get(language, value[DEFAULT_LANGUAGE]) if isinstance(value, dict) else value


def _again(code: str, status: int, retry_after: float | None, details: dict[str, Any]) -> Refused:
    return Refused(code, status=status, retry_after=retry_after, **details)


def refusal(error: EmbertownError, language: str = DEFAULT_LANGUAGE) -> dict[str, Any]:
    """Any error from outside as it travels: code, rule, places and a sentence."""
    error = as_refused(error)
    if isinstance(error, IllegalMove):
        told = {"code": error.code, "rule": error.rule, "places": list(error.places)}
        return {**told, "sentence": error.sentence(language)}
    if isinstance(error, Refused):
        return error.told(language)
    code = "malformed" if type(error).__name__.startswith(("Malformed", "Ambiguous")) else "refused"
    sentence = translate(DOMAIN, f"others.{code}", language, wrong=str(error))
    return {"code": code, "rule": None, "places": [], "sentence": sentence}


def as_refused(error: EmbertownError) -> EmbertownError:
    """What could not be stored is no fault of what was sent; why it could not is the host's affair."""
    return Refused("not_stored", status=503) if isinstance(error, StoreFailure | Conflict) else error
