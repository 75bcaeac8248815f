"""What a person typed at a table of Drunter & Drüber, long or short, as the game writes it.

A tile may be typed without its kind, and without its gang where only one fits; words may be cut short where only one
begins so. Between two that fit nothing is ever guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from embertown.cli.drunter_tell import action_words, name_of
from embertown.cli.typed import shown
from embertown.cli.words import listing
from embertown.core.errors import AmbiguousText, EmbertownError, IllegalMove, MalformedText
from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES
from embertown.drunter.board import KINDS
from embertown.drunter.rules import CARDS, NO, OBJECTIVES, PASS, YES, Phase, Refusal
from embertown.drunter.text import GAME
from embertown.drunter.view import DrunterView

VERBS = ("lay", "vote", "jeeiin", "choose", "pass")
BLANKS = ("?", "?…", "?...", "blank")
YES_WORDS = ("yes", "y", "ja", "oui", "2yes")
NO_WORDS = ("no", "n", "ne", "nee", "nein", "non", "2no")
DUE = {
    Phase.VOTING: Refusal.VOTE_UNDER_WAY,
    Phase.JEEIIN: Refusal.JEEIIN_UNDER_WAY,
    Phase.CHOOSING: Refusal.CHOICE_DUE,
}
"""By phase: what has to be done before a tile is laid."""

_SQUARE = r"[a-z]\d{1,2}"
_SQUARES = re.compile(
    rf"({_SQUARE})(?:([\s,:]+|\s*(?:-|–|—|\.\.|to|>)\s*)({_SQUARE}))?(?:[\s–—.,>to-]+({_SQUARE}))?", re.ASCII
)


class Way(NamedTuple):
    """A tile as far as it was typed: None stands for whatever fits."""

    kind: str | None
    gang: str | None
    first: str
    last: str

    def fits(self, other: Way) -> bool:
        """Whether another tile, fully named, is what was typed."""
        return all(mine in (None, theirs) for mine, theirs in zip(self, other, strict=True))

    def text(self, kind: str, gang: str) -> str:
        """As the game writes it."""
        last = "" if self.first == self.last else f"-{self.last}"
        return f"lay {kind} {gang} {self.first}{last}"


def action(line: str, view: DrunterView, language: str = DEFAULT_LANGUAGE) -> str | None:
    """The action that a line means; None where it looks like none."""
    typed, line = line, line.lower()
    word, _, rest = line.partition(" ")
    if word in ("lay", "choose", "vote", "v") and not rest:
        raise MalformedText(f"{word} what? Right would be: {right(view, language)}")
    if word in ("vote", "v"):
        return _cards(rest, view, language)
    if word == "choose":
        return f"choose {_one_of(rest, _objectives(OBJECTIVES), _objectives(_own(view)), 'objective', language)}"
    if word == "jeeiin" and rest:
        return _word(rest, line)
    if word == "pass" and not rest:
        return "pass"
    return _tile(line.removeprefix("lay ").strip(), view, typed, language) or _bare(line, view, language)


def _bare(line: str, view: DrunterView, language: str) -> str | None:
    """A card, a word on Jeeiin or an objective without its verb; cut short only where it is what is due."""
    if view.phase is Phase.JEEIIN and line in (*YES_WORDS, *NO_WORDS):
        return _word(line, line)
    if view.phase is Phase.VOTING and line in ("yes", "y", "no", "n"):
        _ask_which_card(line, view)
    words = re.split(r"[\s+,&]+", line)
    cards = _names_of_cards(CARDS)
    if all(word in cards for word in words):
        return _cards(line, view, language)
    if view.phase is Phase.VOTING and all(_begins(word, cards) for word in words):
        return _cards(line, view, language)
    objectives = _objectives(_own(view) if view.phase is Phase.CHOOSING else OBJECTIVES)
    if _plain(line) in objectives or (view.phase is Phase.CHOOSING and _begins(_plain(line), objectives)):
        return f"choose {_one_of(line, _objectives(OBJECTIVES), objectives, 'objective', language)}"
    return _word(line, line) if line in ("yes", "no") else None


def right(view: DrunterView, language: str = DEFAULT_LANGUAGE) -> str:
    """Examples of what could have been typed."""
    if view.phase is Phase.VOTING:
        held = ["blank" if card == "?" else card for card in view.cards[view.seat or 0]]
        several = ", or several with + between them" if "several_cards" in view.game.options else ""
        return f"{listing(held, 'or')}{several}; list explains them"
    if view.phase is Phase.JEEIIN:
        return "yes or no"
    if view.phase is Phase.CHOOSING:
        return listing([name_of(card, language) for card in _own(view)], "or")
    lays = [view.text(number) for number in view.legal_actions if number != PASS]
    some = lays[len(lays) // 2] if lays else "lay wall A1 B1-D1"
    whole = action_words(some, language).removeprefix("lay ")
    return f"{whole}, or {whole.rpartition(' ')[2]} alone, a number from the list, ? for help"


# ---- words for cards and objectives


def _plain(text: str) -> str:
    return re.sub(r"[\s-]", "", text.lower())


def _begins(word: str, names: Iterable[str]) -> bool:
    return bool(word) and any(name.startswith(word) for name in names)


def _own(view: DrunterView) -> tuple[str, ...]:
    return () if view.viewer is None else view.objectives_of(view.viewer)


def _objectives(ids: Iterable[str]) -> dict[str, str]:
    """What objectives may be called: their ids and their names in all languages."""
    return {_plain(name): card for card in ids for name in (card, *(name_of(card, lang) for lang in LANGUAGES))}


def _kinds() -> dict[str, str]:
    return {_plain(name): kind for kind in KINDS for name in (kind, *(name_of(kind, lang) for lang in LANGUAGES))}


def _names_of_cards(cards: Iterable[str]) -> dict[str, str]:
    names = {card: card for card in cards}
    return names | dict.fromkeys(BLANKS, "?") if "?" in names else names


def _one_of(word: str, known: Mapping[str, str], due: Mapping[str, str], what: str, language: str) -> str:
    """What a word names: exactly, or as the only one of those due that begins so."""
    plain = _plain(word)
    if plain in known:
        return known[plain]
    found = sorted({due[name] for name in due if name.startswith(plain)})
    if len(found) > 1:
        raise AmbiguousText(f"{shown(word)} may mean {_typed_names(found, language)}; right would be: more of the word")
    if not found:
        wish = _typed_names(sorted(set(due.values())) or sorted(set(known.values())), language)
        raise MalformedText(f"no {what} is called {shown(word)}; right would be: {wish}")
    return found[0]


def _typed_names(pieces: Iterable[str], language: str) -> str:
    """Names to choose from; vote cards as they are typed."""
    return listing([piece if piece in CARDS else name_of(piece, language) for piece in pieces], "or")


def _cards(text: str, view: DrunterView, language: str) -> str:
    held = _names_of_cards(view.cards[view.seat or 0])
    words = [word for word in re.split(r"[\s+,&]+", text) if word]
    if not words:
        raise MalformedText(f"{shown(text)}: which card? Right would be: {right(view, language)}")
    return "vote " + "+".join(_one_of(word, _names_of_cards(CARDS), held, "vote card", language) for word in words)


def _ask_which_card(word: str, view: DrunterView) -> None:
    """Yes and no have several cards each."""
    worth = YES if word.startswith("y") else NO
    held = [card for card in view.cards[view.seat or 0] if worth[CARDS.index(card)] or card == "jeeiin"]
    which = f"right would be: {listing(held, 'or')}" if held else "but no such card is left; blank takes no side"
    raise AmbiguousText(f"{shown(word)} is no card; {which}")


def _word(text: str, line: str) -> str:
    plain = _plain(text)
    if plain not in (*YES_WORDS, *NO_WORDS):
        raise MalformedText(f"{shown(line)}: what does it count as? Right would be: jeeiin yes, or jeeiin no")
    return f"jeeiin {'yes' if plain in YES_WORDS else 'no'}"


# ---- tiles


def _tile(text: str, view: DrunterView, line: str, language: str) -> str | None:
    """A tile, whatever of it was typed; None where no square is in it."""
    word, _, rest = text.partition(" ")
    match = _SQUARES.fullmatch(text)
    kind = None
    if match is None and _SQUARES.fullmatch(rest):
        match, kind = _SQUARES.fullmatch(rest), _kind(word, language)
    if match is None:
        if _kinds().get(_plain(text)) or (word in _kinds() and not _begins(word, _objectives(OBJECTIVES))):
            raise MalformedText(f"{shown(line)}: where? Right would be: {right(view, language)}")
        return None
    if view.phase in DUE:
        due = DUE[view.phase]
        raise IllegalMove(GAME, due.name.lower(), due.rule)
    return _resolve(_way(kind, match, view), view, line, language)


def _kind(word: str, language: str) -> str:
    due = {_plain(name): kind for kind in KINDS for name in (kind, name_of(kind, language))}
    return _one_of(word, _kinds(), due, "kind of tile", language)


def _way(kind: str | None, match: re.Match[str], view: DrunterView) -> Way:
    """One square is a tile of length 1, two are a gang and a square or first and last, three are all of them."""
    one, between, two, three = (part and part.upper() for part in match.groups())
    for square in filter(None, (one, two, three)):
        if square not in view.board.number_of:
            known = view.board.squares
            raise MalformedText(f"no square is called {square!r} here; right would be: {known[0]} to {known[-1]}")
    if two is None:
        return Way(kind, None, one, one)
    gang = _gang(one, view)
    if three is not None:
        return Way(kind, gang or one, two, three)
    if gang is not None and (not between.strip(" -–—") or one in view.board.gangs):
        return Way(kind, gang, two, two)
    return Way(kind, None, one, two)


def _gang(square: str, view: DrunterView) -> str | None:
    """The gang that started from a corner, or that stands on a square."""
    if square in view.board.gangs:
        return square
    return next((gang for gang, at in view.gangs.items() if at == square), None)


def _resolve(way: Way, view: DrunterView, line: str, language: str) -> str:
    """The one tile that fits; where none does, the text that the rules refuse with a reason."""
    legal = [way_of(view.text(number)) for number in view.legal_actions if number != PASS]
    turned = way._replace(first=way.last, last=way.first)
    fitting = [one for one in legal if way.fits(one)] or [one for one in legal if turned.fits(one)]
    if not fitting:
        fitting = [Way(kind, gang, way.first, way.last) for kind, gang in _named(way, view)]
    if len(fitting) == 1:
        return fitting[0].text(str(fitting[0].kind), str(fitting[0].gang))
    if not fitting:
        stand = ", ".join(f"{gang} on {at}" for gang, at in view.gangs.items() if at)
        raise MalformedText(
            f"no gang can lay {shown(line)}: a tile begins beside its gang and leads away; they are {stand}"
        )
    which = listing([f"{name_of(str(one.kind), language)} {one.gang}" for one in fitting], "or")
    raise AmbiguousText(f"{shown(line)} fits several gangs; right would be: {which} before it")


def way_of(text: str) -> Way:
    """A tile from its text.

    >>> way_of("lay wall A1 B1-D1"), way_of("lay road O1 N1").last
    (Way(kind='wall', gang='A1', first='B1', last='D1'), 'N1')
    """
    _, kind, gang, squares = text.split(" ")
    first, _, last = squares.partition("-")
    return Way(kind, gang, first, last or first)


def _named(way: Way, view: DrunterView) -> list[tuple[str, str]]:
    """Kinds and gangs that the typed tile may belong to although it can't be laid."""
    kind_of = view.board.kind_of_gang
    if way.gang is not None:
        return [(way.kind or kind_of.get(way.gang, KINDS[0]), way.gang)]
    gangs = [gang for gang in view.board.gangs if way.kind in (None, kind_of[gang])]
    leading = [gang for gang in gangs if _leads(way.text(kind_of[gang], gang), view)]
    return [(kind_of[gang], gang) for gang in leading or (gangs if len(gangs) == 1 else [])]


def _leads(text: str, view: DrunterView) -> bool:
    """Whether a tile lies where its gang's path could go on, were it free."""
    try:
        view.action(text)
    except EmbertownError:
        return False
    return True
