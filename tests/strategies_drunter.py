"""Hypothesis strategies for Drunter & Drüber: random editions, deals and options."""

from math import lcm
from string import ascii_uppercase
from typing import Any

from hypothesis import strategies as st

CORNERS = {"W": "wall", "R": "road", "V": "river"}  # D1.1
TILE_KINDS = tuple(CORNERS.values())
BUILDINGS = tuple(f"{kind}{value}" for kind in "TFSIMC" for value in range(1, 6))  # D1.2
SIX = ("town-hall", "fire-station", "school", "inn", "museum", "church")  # D1.4
TEN = (*SIX, "threes", "fours", "lowest", "ones")  # D1.5
SMALLEST, SMALL, LARGEST = 5, 9, len(ascii_uppercase)
OPTIONS: tuple[dict[str, bool], ...] = (
    {},
    {"variant": True},
    {"several_cards": True},
    {"variant": True, "no_votes": True},
    {"variant": True, "several_cards": True},
    {"variant": True, "several_cards": True, "no_votes": True},
)


def drunter_options() -> st.SearchStrategy[dict[str, bool]]:
    """Every combination of the options (D6.6, D9, D9.5: no_votes only with variant), defaults left out."""
    return st.sampled_from(OPTIONS).map(dict)


@st.composite
def drunter_squares(draw: st.DrawFn) -> list[list[str]]:
    """Draw a board as rows of cells: any corners, buildings and outhouses, few or many. Mostly small."""
    largest = LARGEST if draw(st.integers(0, 15)) == 15 else SMALL
    columns, rows = (draw(st.integers(SMALLEST, largest)) for _ in range(2))
    cells = [["."] * columns for _ in range(rows)]
    corners = [(0, 0), (0, columns - 1), (rows - 1, 0), (rows - 1, columns - 1)]
    for row, column in corners:
        cells[row][column] = draw(st.sampled_from(tuple(CORNERS)))
    ground = [(row, column) for row in range(rows) for column in range(columns) if (row, column) not in corners]
    # Eighths of the ground, about, that are outhouses; buildings then take any squares.
    outhouses = draw(st.sampled_from((0, 1, 2, 4, 8)))
    noise = draw(st.binary(min_size=len(ground), max_size=len(ground)))
    for (row, column), byte in zip(ground, noise, strict=True):
        if 255 - byte < 32 * outhouses:
            cells[row][column] = "oo"
    most = min(len(BUILDINGS), len(ground))
    fewest = draw(st.sampled_from((0, most // 2, most)))
    buildings = draw(st.lists(st.sampled_from(BUILDINGS), unique=True, min_size=fewest, max_size=most))
    number = len(buildings)
    places = draw(st.lists(st.sampled_from(ground), unique=True, min_size=number, max_size=number))
    for building, (row, column) in zip(buildings, places, strict=True):
        cells[row][column] = building
    return cells


@st.composite
def drunter_tiles(draw: st.DrawFn, kinds: list[str], players: int | None = None) -> dict[str, list[int]]:
    """Draw the tiles: how many of length 1, 2, 3 of each kind, some of them of the kinds given.

    For each length the total over the kinds is a multiple of the number of players, so that it can be dealt evenly
    whatever the kind (D2.2): a multiple of 12 if the number is not given, for that suits 2, 3 and 4.
    """
    share = lcm(2, 3, 4) if players is None else players
    tiles = {kind: [0, 0, 0] for kind in TILE_KINDS}
    for length in range(3):
        most = draw(st.sampled_from((6, 12, 2, 0, 12)))
        for kind in TILE_KINDS:
            tiles[kind][length] = draw(st.integers(0, most))
        missing = -sum(counts[length] for counts in tiles.values()) % share
        tiles[draw(st.sampled_from(TILE_KINDS))][length] += missing
    if not any(sum(tiles[kind]) for kind in kinds):
        tiles[kinds[0]][draw(st.integers(0, 2))] += share
    return tiles


@st.composite
def drunter_editions(draw: st.DrawFn, players: int | None = None) -> dict[str, Any]:
    """Draw a valid edition, as parsed from its file, to be dealt to 2, 3 and 4 players, or to the number given.

    For each length the total of the tiles over the kinds is a multiple of the number of players (`drunter_tiles`).
    At least one tile can be laid at the start: it is of a kind that has a corner, and any tile fits beside a corner.
    """
    cells = draw(drunter_squares())
    kinds = [CORNERS[row[column]] for row in (cells[0], cells[-1]) for column in (0, -1)]
    text = "".join(" ".join(cell.ljust(2) for cell in row).rstrip() + "\n" for row in cells)
    return {
        "edition": {"id": "random", "game": "drunter", "version": 1},
        "board": {"squares": text},
        "tiles": draw(drunter_tiles(kinds, players)),
    }


@st.composite
def deals(draw: st.DrawFn, edition: dict[str, Any], players: int, variant: bool = False) -> dict[str, Any]:
    """Draw a deal as in a record: the tiles by length whatever their kind (D2.2), the cards (D2.1, D9.1)."""
    tiles = [{kind: [0, 0, 0] for kind in TILE_KINDS} for _ in range(players)]
    for length in range(3):
        stack = [kind for kind in TILE_KINDS for _ in range(edition["tiles"][kind][length])]
        for place, kind in enumerate(draw(st.permutations(stack))):
            tiles[place % players][kind][length] += 1
    each = 2 if variant else 1
    cards = draw(st.permutations(TEN if variant else SIX))
    objectives = [list(cards[seat * each : (seat + 1) * each]) for seat in range(players)]
    return {"tiles": tiles, "objectives": objectives}


@st.composite
def drunter_games(draw: st.DrawFn) -> dict[str, Any]:
    """Draw all that starts a game: edition, players, options, first, deal (the oracle's arguments by name)."""
    players = draw(st.integers(2, 4))
    edition = draw(drunter_editions(draw(st.sampled_from((players, None)))))
    options = draw(drunter_options())
    return {
        "edition": edition,
        "players": players,
        "options": options,
        "first": draw(st.integers(0, players - 1)),
        "deal": draw(deals(edition, players, "variant" in options)),
    }
