"""What there is to play: games, options, editions, themes and bots, told in every language."""

from __future__ import annotations

from functools import cache

from embertown.bots.levels import MEASURES, level_names
from embertown.bots.registry import bot_names
from embertown.core.edition import Edition
from embertown.core.locale import DEFAULT_LANGUAGE, LANGUAGES, catalogue
from embertown.games import GAMES, game_class, load
from embertown.server import forms
from embertown.server.drawing_shapes import InLanguages

BOTS = "bots"


def in_languages(domain: str, part: str, key: str) -> InLanguages:
    """A text of a catalogue in every language.

    >>> in_languages("bots", "names", "master")["de"]
    'Meister'
    """
    found = {language: str(catalogue(domain, language)[part][key]) for language in LANGUAGES}
    return InLanguages(en=found["en"], de=found["de"], fr=found["fr"])


def games() -> list[forms.GameFacts]:
    """All games; bots of other packages may come and go. What only measures is no opponent."""
    bots = [_bot(name) for name in bot_names() if name not in MEASURES]
    return [_game(name).model_copy(update={"bots": bots}) for name in GAMES]


@cache
def _game(name: str) -> forms.GameFacts:
    kind = game_class(name)
    return forms.GameFacts(
        game=name,
        name=in_languages(name, "about", "name"),
        words=in_languages(name, "about", "words"),
        players=[kind.min_players, kind.max_players],
        has_secrets=kind.has_secrets,
        carries_scores=kind.carries_scores,
        options=[
            forms.OptionFacts(
                option=option,
                name=in_languages(name, "options", option),
                words=in_languages(name, "option-words", option),
                needs=[*kind.option_needs.get(option, ())],
            )
            for option in kind.option_names
        ],
        editions=[_edition(name, edition) for edition in kind.edition_model.shipped()],
        edition=kind.default_edition,
        themes=[forms.ThemeFacts(theme=theme, name=in_languages(name, "themes", theme)) for theme in _themes(name)],
        theme=load(name).artwork()["theme"],
        levels=[_bot(level) for level in level_names()],
        bots=[],
        languages=[*LANGUAGES],
    )


def _themes(game: str) -> list[str]:
    return list(load(game).artwork()["themes"])


def _edition(game: str, name: str) -> forms.EditionFacts:
    edition: Edition = load(game, edition=name).edition
    return forms.EditionFacts(edition=name, title=in_languages(game, "editions", name), edition_sha256=edition.sha256)


def _bot(name: str) -> forms.BotFacts:
    """A bot; of those that other packages offer only the name is known."""
    if name not in catalogue(BOTS, DEFAULT_LANGUAGE)["names"]:
        return forms.BotFacts(bot=name, name=InLanguages(en=name, de=name, fr=name), words=None)
    return forms.BotFacts(bot=name, name=in_languages(BOTS, "names", name), words=in_languages(BOTS, "words", name))
