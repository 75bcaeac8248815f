"""The kinds of games that are simulated and checked in bulk, in CI and in the soak."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from embertown.cronberg.edition import CronbergEdition
from embertown.drunter.edition import DrunterEdition

EDITIONS = Path(__file__).parent / "editions"


class Kind(NamedTuple):
    """What the command `simulate` is told, and the name under which a test runs."""

    name: str
    game: str
    edition: str
    players: int
    options: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """As words of a command line."""
        return [self.game, "--edition", self.edition, "--players", str(self.players), *self.options]


def kinds() -> list[Kind]:
    """Every edition and number of players, every option, and an own edition of each game."""
    own = {"cronberg": str(EDITIONS / "few-rhombi.toml"), "drunter": str(EDITIONS / "hamlet.toml")}
    found = [
        Kind(f"{Path(edition).stem}-{players}", "cronberg", edition, players)
        for edition in (*CronbergEdition.shipped(), own["cronberg"])
        for players in (2, 3, 4)
    ]
    found += [Kind(f"schilda-{players}", "drunter", "schilda", players) for players in (2, 3, 4)]
    found += [
        Kind("schilda-variant-3", "drunter", "schilda", 3, ("--variant",)),
        Kind("schilda-variant-no-votes-2", "drunter", "schilda", 2, ("--variant", "--no-votes")),
        Kind("schilda-several-cards-4", "drunter", "schilda", 4, ("--several-cards",)),
        Kind("hamlet-2", "drunter", own["drunter"], 2),
        Kind("hamlet-variant-several-cards-4", "drunter", own["drunter"], 4, ("--variant", "--several-cards")),
    ]
    return found


def differences(record: dict[str, Any]) -> list[str]:
    """Where the oracle, playing a record again, sees another game."""
    from tests.oracle import cronberg, drunter

    editions = {name: CronbergEdition.find(name).to_dict() for name in CronbergEdition.shipped()}
    editions |= {name: DrunterEdition.find(name).to_dict() for name in DrunterEdition.shipped()}
    oracle: Any = {"cronberg": cronberg, "drunter": drunter}[record["game"]].replay(record, editions)
    seen = {
        "moves": oracle.moves,
        "final": oracle.final,
        "scores": list(oracle.scores),
        "winners": list(oracle.winners),
    }
    return [key for key, value in seen.items() if record[key] != value]
