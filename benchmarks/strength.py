"""How strong the levels are: every claim of docs/bots.md as games in the arena: `python3 dev.py bench strength`.

The results go to files under `.cache/strength`, one for each claim; an interrupted run goes on where it stopped. After
a change of a bot give another `--folder`. `--only TEXT` plays the claims whose names contain a text, `--games` that
many games of each at most. The table is Markdown.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

from embertown.arena import Tournament, play, standings
from embertown.arena.figures import PairingFigures

FOLDER = Path(__file__).parents[1] / ".cache" / "strength"


class Claim(NamedTuple):
    """One contestant wins a share of the games against others of another kind."""

    game: str
    players: int
    one: str
    others: str
    bar: float
    games: int

    @property
    def name(self) -> str:
        """As a file is called."""
        return f"{self.game}-{self.players}-{self.one}-{self.others}".replace(":", "_")


def claims() -> list[Claim]:
    """All of them; the more a game costs, the fewer are played."""
    return [
        Claim("cronberg", 2, "master", "random", 0.99, 400),
        Claim("cronberg", 2, "apprentice", "random", 0.85, 400),
        Claim("cronberg", 2, "greedy", "apprentice", 0.60, 400),
        Claim("cronberg", 2, "journeyman", "apprentice", 0.75, 400),
        Claim("cronberg", 2, "foreman", "journeyman", 0.75, 400),
        Claim("cronberg", 2, "master", "foreman", 0.75, 400),
        Claim("cronberg", 2, "master", "journeyman", 0.75, 400),
        Claim("cronberg", 4, "journeyman", "apprentice", 0.25, 400),
        Claim("cronberg", 4, "foreman", "journeyman", 0.25, 400),
        Claim("cronberg", 4, "master", "journeyman", 0.40, 400),
        Claim("cronberg", 2, "master:10000", "master:1000", 0.65, 200),
        Claim("cronberg", 2, "grandmaster", "master", 0.75, 40),
        Claim("drunter", 2, "apprentice", "random", 0.85, 200),
        Claim("drunter", 2, "greedy", "apprentice", 0.60, 200),
        Claim("drunter", 2, "journeyman", "apprentice", 0.75, 200),
        Claim("drunter", 2, "foreman", "journeyman", 0.75, 200),
        Claim("drunter", 2, "master", "foreman", 0.75, 150),
        Claim("drunter", 2, "master", "random", 0.98, 200),
        Claim("drunter", 2, "master", "greedy", 0.80, 150),
        Claim("drunter", 2, "master", "master-without-beliefs", 0.50, 150),
        Claim("drunter", 2, "master", "journeyman", 0.75, 150),
        Claim("drunter", 4, "journeyman", "apprentice", 0.25, 80),
        Claim("drunter", 4, "master", "journeyman", 0.40, 80),
        Claim("drunter", 2, "grandmaster", "master", 0.75, 30),
        Claim("drunter", 2, "master:10000", "master:1000", 0.65, 50),
        Claim("cronberg", 2, "network", "master:2s", 0.60, 60),
        Claim("cronberg", 2, "network-search:0.1s", "grandmaster-without-network:0.1s", 0.50, 100),
        Claim("cronberg", 2, "network-search:0.1s", "grandmaster-without-network:2s", 0.75, 40),
        Claim("cronberg", 4, "network-search:0.1s", "grandmaster-without-network:0.1s", 0.40, 60),
        Claim("cronberg", 4, "grandmaster:0.1s", "master:0.1s", 0.40, 200),
        Claim("drunter", 2, "network", "master:1s", 0.60, 40),
        Claim("drunter", 4, "network", "master:1s", 0.40, 40),
        Claim("drunter", 2, "network-search:0.1s", "grandmaster-without-network:0.1s", 0.50, 60),
    ]


def main() -> None:
    """Play what is missing, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="play the claims whose names contain this")
    parser.add_argument("--games", type=int, help="at most so many games of each claim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--jobs", type=int)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print("| game | players | contestant | among | games | wins | 95 % | bar | s a move |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for claim in claims():
        if options.only in claim.name:
            measure(claim, options)


def measure(claim: Claim, options: argparse.Namespace) -> None:
    """Play a claim's games, and print its line."""
    tournament = Tournament(
        claim.game, [claim.one, claim.others], players=claim.players, seed=options.seed, schedule="gauntlet"
    )
    began = time.monotonic()
    results = play(
        tournament,
        games=min(claim.games, options.games or claim.games),
        jobs=options.jobs,
        out=options.folder / f"{claim.name}.jsonl",
        on_game=lambda found: print(f"\r{claim.name}: {len(found.games)} games", end=" ", file=sys.stderr),
    )
    print(f"in {time.monotonic() - began:.0f} s", file=sys.stderr)
    found = standings(results)
    times = {one.contestant: one.seconds for one in found.contestants}
    print(line_of(claim, found.pairings[0], times), flush=True)


def line_of(claim: Claim, figures: PairingFigures, times: dict[str, float]) -> str:
    """A line of the table."""
    low, high = figures.interval
    seconds = f"{times[claim.one]:.3f}, {times[claim.others]:.3f}"
    others = claim.others if claim.players == 2 else f"{claim.players - 1} {claim.others}"
    return (
        f"| {claim.game} | {claim.players} | `{claim.one}` | `{others}` | {figures.games} |"
        f" **{figures.share:.1%}** | {low:.1%} to {high:.1%} | {claim.bar:.0%} | {seconds} |"
    )


if __name__ == "__main__":
    main()
