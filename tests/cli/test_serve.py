"""`embertown serve`: what is wrong on the command line; what it does when it runs is told in tests/server."""

from __future__ import annotations

from pathlib import Path

import pytest

from embertown.server.settings import DATABASE, DEFAULT_PORT, Settings
from tests.cli.helpers import run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--stand-in", "nobody"], "no bot is called 'nobody'"),
        (["--origin", "example.org"], "right would be: https://example.org"),
        (["--origin", "https://example.org/path"], "right would be: https://example.org"),
        (["--origin", "https://me@example.org"], "right would be: https://example.org"),
        (["--log-addresses"], "right would be: with --log-requests"),
        (["--port", "70000"], "'--port': "),
        (["--bots", "0"], "'--bots': "),
        (["--retention-days", "0"], "'--retention-days': "),
        (["--log", "xml"], "'json', 'text'"),
    ],
)
def test_what_makes_no_sense_is_told(words: list[str], said: str, tmp_path: Path) -> None:
    result = run("serve", "--folder", tmp_path / "data", *words)
    assert result.code == 2
    assert said in result.err
    assert not (tmp_path / "data").exists()


def test_the_defaults_are_those_of_the_settings() -> None:
    """They stand twice, so that `--help` needs no server."""
    import typer.main

    from embertown.cli.app import app

    command = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    given = {parameter.name: parameter.default for parameter in command.params}
    settings = Settings()
    for name in (
        "host",
        "port",
        "showing",
        "away",
        "stand_in",
        "most_tables",
        "most_connections",
        "retention_days",
        "contact",
    ):
        assert given[name] == getattr(settings, name), name
    assert given["port"] == DEFAULT_PORT
    (database,) = (parameter for parameter in command.params if parameter.name == "database")
    assert database.envvar == DATABASE
