"""The pictures of the rules page: `python tools/rule_pictures.py` writes those that are stale.

Each is cut out of the engine's own drawings of positions that are stated here, so that a picture can't show what the
rules forbid. There are no words in them. Colours follow `prefers-color-scheme`, which in an image is the
`color-scheme` of the element that shows it. A test fails when one of them is stale.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import embertown
from embertown.core.drawing import SANS, SERIF, Dress, Pen, Vector, number, rect, signed, write
from embertown.cronberg import svg as cronberg_svg
from embertown.cronberg import svg_parts as blocks
from embertown.cronberg.svg_style import DEFAULT_THEME as TOWN
from embertown.cronberg.svg_style import MORE_RULES as TOWN_RULES
from embertown.cronberg.svg_style import PEN as TOWN_PEN
from embertown.cronberg.svg_style import dress_of
from embertown.drunter import svg as drunter_svg
from embertown.drunter import svg_panels as panels
from embertown.drunter import svg_parts as squares
from embertown.drunter.board import KINDS, LENGTHS
from embertown.drunter.rules import CARDS
from embertown.drunter.svg_style import DEFAULT_THEME as SCHILDA
from embertown.drunter.svg_style import MORE_RULES as SCHILDA_RULES
from embertown.drunter.svg_style import PEN as SCHILDA_PEN
from embertown.drunter.svg_style import SIDE

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "web" / "public" / "rules"
NAMESPACE = "http://www.w3.org/2000/svg"
LARGEST = 60_000
"""No picture may have more bytes."""

Box = tuple[float, float, float, float]
Element = ElementTree.Element

_GAP = 26.0
_ARROW = 46.0
_CAPTION = 44.0


# ---- putting pictures together


@dataclass(frozen=True)
class Look:
    """What the pictures of one game have in common: pen, colours, symbols, rules of style."""

    pen: Pen
    dress: Dress
    symbols: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Frame:
    """A part of a picture: something drawn, and the box of it that is seen, in its own units."""

    drawn: str
    seen: Box
    scale: float = 1
    bordered: bool = True
    caption: str = ""  # below it: numbers, no words

    @property
    def size(self) -> Vector:
        """How large it is in the picture."""
        return self.seen[2] * self.scale, self.seen[3] * self.scale + (_CAPTION if self.caption else 0)


@cache
def board_of(game: str) -> Any:
    """The usual board of a game."""
    loaded: Any = embertown.load(game)
    return loaded.board


@cache
def town_look() -> Look:
    """Cronberg's."""
    symbols = cronberg_svg.symbols(board_of("cronberg"))
    return Look(TOWN_PEN, dress_of(TOWN), symbols, TOWN_RULES)


@cache
def schilda_look() -> Look:
    """Drunter & Drüber's; nothing moves in a picture of a rule."""
    symbols = drunter_svg.symbols(board_of("drunter"))
    still = tuple(rule for rule in SCHILDA_RULES if "flow" not in rule)
    return Look(SCHILDA_PEN, Dress.of(SCHILDA_PEN, SCHILDA), symbols, still)


def picture(look: Look, rows: Sequence[Sequence[Frame | None]]) -> str:
    """Rows of frames, each row in the middle; None is an arrow from what was to what is."""
    placed, y, width = [], _GAP, max(_row_width(row) for row in rows) + 2 * _GAP
    for row in rows:
        high = max(frame.seen[3] * frame.scale for frame in row if frame)
        x = (width - _row_width(row)) / 2
        for frame in row:
            if frame is None:
                placed.append(_arrow(look, x + _ARROW / 2, y + high / 2))
                x += _ARROW + _GAP
                continue
            placed.append(_placed(look, frame, x, y + (high - frame.seen[3] * frame.scale) / 2))
            x += frame.size[0] + _GAP
        y += max(frame.size[1] for frame in row if frame) + _GAP
    paper = rect((0, 0, width, y), 14, f'class="{look.pen.short}-f-paper"')
    return _finished(look, paper + "".join(placed), (width, y))


def cut(look: Look, frame: Frame) -> str:
    """A frame alone, without paper around it."""
    return _finished(look, _placed(look, replace(frame, bordered=False), 0, 0), frame.size)


def _row_width(row: Sequence[Frame | None]) -> float:
    return sum(frame.size[0] if frame else _ARROW for frame in row) + _GAP * (len(row) - 1)


def _placed(look: Look, frame: Frame, x: float, y: float) -> str:
    short, box = look.pen.short, " ".join(number(value) for value in frame.seen)
    wide, high = frame.size[0], frame.seen[3] * frame.scale
    place = f'x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}"'
    border = (
        rect((x, y, wide, high), 3, f'class="{short}-n {short}-s-edge" stroke-width="2.5"') if frame.bordered else ""
    )
    look_of_caption = f"{short}-sans {short}-bold {short}-mid {short}-f-text"
    caption = write(frame.caption, x + wide / 2, y + high + 35, 27, look_of_caption) if frame.caption else ""
    return f'<svg {place} viewBox="{box}">{frame.drawn}</svg>{border}{caption}'


def _arrow(look: Look, x: float, y: float) -> str:
    path = "M-20-6H2V-17L22 0 2 17V6h-22z"
    return f'<path transform="translate({number(x)} {number(y)})" d="{path}" class="{look.pen.short}-f-faint"/>'


def _finished(look: Look, content: str, size: Vector) -> str:
    """The whole file, with the symbols and the colours that it needs and no others."""
    theme = look.dress.theme
    classes = f"{look.pen.game} {theme.theme.id}"
    box = f"0 0 {number(size[0])} {number(size[1])}"
    pixels = f'width="{round(size[0])}" height="{round(size[1])}"'
    root = _parsed(f'<svg class="{classes}" viewBox="{box}" {pixels}>{content}</svg>')
    needed = _needed(root, _parsed(look.symbols))
    styled = _parsed(f"<style>{_style(look, [root, *needed])}</style>")
    definitions = ElementTree.Element(f"{{{NAMESPACE}}}defs")
    definitions.extend([styled, *needed])
    root.insert(0, definitions)
    _strip(root, styled.text or "")
    ElementTree.register_namespace("", NAMESPACE)
    text = ElementTree.tostring(root, encoding="unicode").replace(" />", "/>")
    return re.sub(rf'(#|id="){look.pen.game}-', r"\1", text) + "\n"  # an image's ids are its own


def _strip(root: Element, style: str) -> None:
    """Take out what a picture does not need: words for screen readers (pages have their own), data, idle classes."""
    styled = set(re.findall(r"\.([a-z][\w-]*)", style))
    for element in root.iter():
        for telling in [child for child in element if _name(child) in ("title", "desc")]:
            element.remove(telling)
        classes = [name for name in element.attrib.pop("class", "").split() if name in styled]
        if classes:
            element.set("class", " ".join(classes))
        for key in [key for key in element.attrib if key.startswith("data-")]:
            del element.attrib[key]
        element.text, element.tail = ((text or "").strip() or None for text in (element.text, element.tail))


def _parsed(text: str) -> Element:
    return ElementTree.fromstring(re.sub(r"^<(\w+)", rf'<\1 xmlns="{NAMESPACE}"', text, count=1))


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _needed(root: Element, definitions: Element) -> list[Element]:
    """The definitions that are referred to, also by each other, in their order."""
    named = {element.get("id", ""): element for element in definitions if element.get("id")}
    found: set[str] = set()
    to_look_at = [root]
    while to_look_at:
        new = {name for name in _references(to_look_at.pop()) if name in named} - found
        found |= new
        to_look_at += [named[name] for name in sorted(new)]
    return [element for name, element in named.items() if name in found]


def _references(element: Element) -> set[str]:
    return {name for value in _values(element) for name in re.findall(r"(?:^|\()#([\w-]+)", value)}


def _values(element: Element) -> Iterable[str]:
    for part in element.iter():
        yield from part.attrib.values()


def _style(look: Look, content: Sequence[Element]) -> str:
    """Both palettes as variables, and a class for each use of a colour; only what is used."""
    short, theme = look.pen.short, look.dress.theme
    used = {name for element in content for value in _values(element) for name in value.split()}
    rules = [
        f".{short}-serif{{font-family:{SERIF}}}.{short}-sans{{font-family:{SANS}}}",
        f".{short}-num{{font-family:{SERIF};font-weight:700;text-anchor:middle}}",
        f".{short}-num,.{short}-serif{{font-variant-numeric:lining-nums}}",
        f".{short}-n{{fill:none}}.{short}-mid{{text-anchor:middle}}.{short}-bold{{font-weight:700}}",
        *look.rules,
    ]
    for letter, what in (("f", "fill"), ("s", "stroke")):
        names = [name for name in theme.day if f"{short}-{letter}-{name}" in used]
        rules += [f".{short}-{letter}-{name}{{{what}:var(--{short}-{name})}}" for name in names]
    written = "".join(rules) + " ".join(value for element in content for value in _values(element))
    spoken = [name for name in theme.day if f"var(--{short}-{name})" in written]
    where = f".{look.pen.game}.{theme.theme.id}"
    day, night = (
        "".join(f"--{short}-{name}:{palette[name]};" for name in spoken) for palette in (theme.day, theme.night)
    )
    return f"{where}{{{day}}}@media(prefers-color-scheme:dark){{{where}{{{night}}}}}{''.join(rules)}"


# ---- cutting pieces out of drawings


def _town_of(drawing: str, sign: str, seen: Box | None, reach: float) -> str:
    """What lies on the board, out of a whole drawing: the group that holds `sign`, in its own units.

    What is farther than `reach` from the box that is seen is left out.
    """
    for group in ElementTree.fromstring(drawing):
        if _name(group) == "g" and any(sign in value.split() for value in _values(group)):
            group[:] = [part for part in group if seen is None or _is_near(part, seen, reach)]
            del group.attrib["transform"]
            ElementTree.register_namespace("", NAMESPACE)
            return ElementTree.tostring(group, encoding="unicode")
    raise ValueError(f"no group with {sign}: has the drawing changed?")


def _is_near(part: Element, seen: Box, reach: float) -> bool:
    where = _where(part)
    if where is None:
        return True
    left, top, wide, high = seen
    return left - reach < where[0] < left + wide + reach and top - reach < where[1] < top + high + reach


def _where(part: Element) -> Vector | None:
    """Where something stands: by its move, its own place, or that of the first thing in it."""
    moved = re.match(r"translate\((\S+) ([^\s)]+)\)", part.get("transform", ""))
    if moved:
        return float(moved[1]), float(moved[2])
    if _name(part) in ("use", "text") and part.get("x"):
        return float(part.get("x", 0)), float(part.get("y", 0))
    places = (_where(child) for child in part)
    return next((place for place in places if place), None)


# ---- Cronberg


def cronberg(tokens: str = "-/-", rhombi: str = "-", turn: int = 0) -> Any:
    """A position of two players on the usual board."""
    game = embertown.load("cronberg", players=2)
    start = f"cronberg:{game.edition.id} players=2 turn={turn} hand=- scores=0,0"
    return game.position(f"{start} tokens={tokens} rhombi={rhombi}")


def _around(places: Sequence[str], margin: float) -> Box:
    """A box around crossings."""
    board = board_of("cronberg")
    points = [blocks.place(board, name) for name in places]
    left, top = min(x for x, _ in points) - margin, min(y for _, y in points) - margin
    right, low = max(x for x, _ in points) + margin, max(y for _, y in points) + margin
    return left, top, right - left, low - top


def town(state: Any, places: Sequence[str], margin: float = 34, *, caption: str = "", **how: Any) -> Frame:
    """The part of the town around some crossings."""
    seen = _around(places, margin)
    drawn = _town_of(state.svg(**how), "#cronberg-plaza", seen, 110)
    ground = rect(seen, 0, 'class="cb-f-field"')
    return Frame(ground + drawn, seen, caption=caption.replace("-", signed(-1)[0]))


def picture_c1() -> str:
    """The empty board with names, and what is played with."""
    look, state = town_look(), cronberg()
    board = town(state, ["a1", "d1", "d7", "g4"], 54, labels=True)
    whole = Frame(board.drawn.replace("cb-f-field", "cb-f-paper", 1), board.seen, 1.12, bordered=False)
    pieces = [_block_alone(kind) for kind in ("park", "guard", "coat")]
    pieces += [_rhomb_alone(kind, 0) for kind in ("church", "gallows")]
    return picture(look, [[whole], [*pieces, _tokens_alone()]])


def _block_alone(kind: str) -> Frame:
    drawn = TOWN_PEN.use(f"block-{kind}") + TOWN_PEN.use(f"sign-{kind}", 0, 3, scale=0.92)
    return Frame(drawn, (-50, -58, 100, 92), bordered=False)


def _rhomb_alone(kind: str, turn: int) -> Frame:
    board = board_of("cronberg")
    numbers = board.numbers[board.kind_index[kind]]
    box = (-50.0, -86.0, 100.0, 176.0) if turn == 0 else (-78.0, -50.0, 156.0, 104.0)
    return Frame(blocks.rhomb((kind, numbers), turn, town_look().dress), box, bordered=False)


def _tokens_alone() -> Frame:
    places: list[Vector] = [(-24, -24), (24, -24), (-24, 24), (24, 24)]
    drawn = "".join(TOWN_PEN.token(seat, "ABCD"[seat], at, 1.3) for seat, at in enumerate(places))
    return Frame(drawn, (-48, -48, 96, 96), bordered=False)


def picture_c2() -> str:
    """All rhombi, with how many there are of each."""
    board = board_of("cronberg")
    frames = []
    for kind, count in zip(board.kinds, board.counts, strict=True):
        alone = _rhomb_alone(kind, -60)
        sign = write(f"×{count}", 0, 78, 27, "cb-sans cb-bold cb-mid cb-f-text")
        frames.append(Frame(alone.drawn + sign, (-78, -50, 156, 138), bordered=False))
    half = len(frames) // 2
    return picture(town_look(), [frames[:half], frames[half:]])


def picture_c3() -> str:
    """The two kinds of turn."""
    places = ["c3", "c4", "d3", "d5", "e3", "e4"]
    token = town(cronberg("d4/-", turn=1), places, 44, marks=["d4"])
    rhomb = town(cronberg(rhombi="church@C6+C7", turn=1), places, 44, marks=["C6", "C7"])
    return picture(town_look(), [[token, rhomb]])


def picture_c4() -> str:
    """Where a token may be placed, and where not."""
    state = cronberg("c3/-", "church@A1+B2,market@A3+A4,house@B1+C2,dungeon@B7+B8,city-hall@C4+C5", turn=0)
    open_to = [state.text(action).split()[1] for action in state.legal_actions if "token" in state.text(action)]
    return picture(town_look(), [[town(state, ["a1", "b1", "c1", "d2", "a4", "d5"], 40, marks=open_to)]])


def picture_c5() -> str:
    """Two free triangles, and a rhomb on them."""
    places = ["b2", "b4", "d3", "d5"]
    free = town(cronberg(), places, marks=["C6", "B5"])
    laid = town(cronberg(rhombi="market@B5+C6", turn=1), places, marks=["b3", "c3", "c4", "d4"])
    return picture(town_look(), [[free, None, laid]])


def picture_c6() -> str:
    """A token is closed in, and scores."""
    places, before = ["c3", "c4", "d3", "d5", "e3", "e4"], "city-hall@C5+C6,church@C7+D7"
    _checked("d4", f"{before},dungeon@D5+D6", (4, 3, -2))
    standing = town(cronberg("d4/-", before, turn=1), places, 44)
    after = cronberg("-/-", f"{before},dungeon@D5+D6", turn=1)
    scored = town(after, places, 44, marks=["d4"], caption="4 + 3 - 2 = 5")
    return picture(town_look(), [[standing, None, scored]])


def _checked(crossing: str, rhombi: str, numbers: tuple[int, ...]) -> None:
    """That these numbers point at a crossing."""
    found = tuple(cronberg(rhombi=rhombi, turn=rhombi.count("@") % 2).numbers_at(crossing))
    if sorted(found) != sorted(numbers):
        raise ValueError(f"{found} point at {crossing}, not {numbers}")


def picture_c7() -> str:
    """A guard drives a token away; a park and a coat of arms wait for the end."""
    places, before = ["b1", "b3", "d2", "d4"], "house@C2+C3,market@C5+C6"
    waiting = town(cronberg("c3/-", before, turn=1), places)
    acting = town(cronberg("-/-", f"{before},church@B3+B4", turn=1), places)
    park = town(cronberg("d4/-", "house@C5+C6,church@C8+C9,market@D7+D8", turn=0), ["c3", "c5", "e3", "e5"])
    coat = town(cronberg("-/c3", "church@B3+B4,dungeon@B6+B7,gallows@C6+C7", turn=0), ["b2", "b4", "d3", "d5"])
    return picture(town_look(), [[waiting, None, acting], [park, coat]])


def picture_c8() -> str:
    """Three tokens in the final scoring."""
    anne = "church@A2+A3,church@B1+B2,dungeon@B3+B4"
    ulla = "dungeon@A5+A6,house@B7+B8"
    karl = "church@A2+A3,market@B2+B3,house@B5+B6"
    _checked("b2", anne, (6, 3, -2))
    _checked("a4", ulla, (-4,))
    _checked("b2", karl, (3, 2))
    frames: list[list[Frame | None]] = [
        [
            town(cronberg("b2/-", anne), ["a1", "c1", "c3"], caption="(6 + 3 - 2) × 2 = 14"),
            town(cronberg("a4/-", ulla, turn=1), ["a4", "b3", "b5", "c4"], caption="-4 → 4"),
        ],
        [town(cronberg("b2/-", karl), ["a1", "b1", "b4", "c3"], caption="(3 + 2) × 2 × 2 = 20")],
    ]
    return picture(town_look(), frames)


# ---- Drunter & Drüber


def drunter(laid: Sequence[str], vote: str = "-") -> Any:
    """A position of two players after these tiles, the rest of them dealt as evenly as can be."""
    game: Any = embertown.load("drunter", players=2)
    tiles, sides = [{kind: [0, 0, 0] for kind in KINDS} for _ in range(2)], [0, 0, 0]
    for kind in KINDS:
        for index in range(len(LENGTHS)):
            used = sum(1 for tile in laid if tile.startswith(kind) and _length(tile) == index + 1)
            for _ in range(game.board.tiles[kind][index] - used):
                tiles[sides[index] % 2][kind][index] += 1
                sides[index] += 1
    held = "/".join("+".join(".".join(map(str, seat[kind])) for kind in KINDS) for seat in tiles)
    cards = "/".join(["+".join(CARDS)] * 2)
    return game.position(
        f"drunter:{game.edition.id} players=2 options=- turn=0 laid={','.join(laid) or '-'} tiles={held} cards={cards}"
        f" objectives=?/? chosen=-/- vote={vote}"
    )


def _length(tile: str) -> int:
    """How many squares a tile covers, by its text: `wall:A1:B1-D1`."""
    first, _, last = tile.rpartition(":")[2].partition("-")
    board = board_of("drunter")
    (x, y), (to_x, to_y) = squares.middle(board, first), squares.middle(board, last or first)
    return round((abs(to_x - x) + abs(to_y - y)) / SIDE) + 1


def schilda(state: Any, first: str, last: str, *, extra: str = "", scale: float = 0.62) -> Frame:
    """The squares from one corner to another; `extra` is drawn on top."""
    (left, top), (right, low) = (squares.middle(state.board, name) for name in (first, last))
    half = SIDE / 2
    seen = left - half, top - half, right - left + 2 * half, low - top + 2 * half
    return Frame(_town_of(state.svg(), "dr-gang", seen, 320) + extra, seen, scale)


def picture_d1() -> str:
    """The board, with its frame."""
    state = drunter([])
    (x, y), side = panels.town_place(state.board), panels.square_size(state.board)
    inside = _town_of(state.svg(), "dr-gang", None, 0)
    scale = f"{side / SIDE:.4g}"
    moved = f'<g transform="translate({number(x)} {number(y)}) scale({scale})">{inside}</g>'
    band = panels.BAND + 4
    wide, high = side * state.board.width + 2 * band, side * state.board.height + 2 * band
    whole = Frame(panels.frame(state.board) + moved, (x - band, y - band, wide, high), bordered=False)
    return picture(schilda_look(), [[whole]])


def picture_d2() -> str:
    """What lies in front of a player."""
    drawing = ElementTree.fromstring(drunter([]).svg(names=["A", "B"]))
    plate = next(group for group in drawing if group.get("class") == "dr-plate")
    del plate.attrib["transform"]
    ElementTree.register_namespace("", NAMESPACE)
    drawn = ElementTree.tostring(plate, encoding="unicode")
    seen = -10, -10, panels.PLATE[0] + 20, panels.PLATE[1] + 20
    return picture(schilda_look(), [[Frame(drawn, seen, bordered=False)]])


def picture_d4() -> str:
    """Ways on, under a bridge, blocked."""
    river = drunter(["river:A10:A9-A8", "river:A10:B8"])
    ways = schilda(river, "A7", "C10", extra="".join(_way("B8", turn) for turn in (-90, 0, 90)))
    bridge = ["wall:O10:N10-M10", "wall:O10:L10-J10", "wall:O10:J9", "wall:O10:I9-G9"]
    stream = ["river:A10:B10-D10", "river:A10:E10-F10", "river:A10:G10-H10", "river:A10:H8"]
    under = schilda(drunter([*bridge, *stream]), "G7", "I10")
    wall = ["wall:O10:O9-O7", "wall:O10:O6-O4", "wall:O10:O3"]
    blocked = schilda(drunter([*wall, "road:O1:N1", "road:O1:N2", "road:O1:O2"]), "M1", "O4")
    return picture(schilda_look(), [[ways, under], [blocked]])


def _way(square: str, turn: int) -> str:
    """An arrow out of a square."""
    x, y = squares.middle(board_of("drunter"), square)
    where = f"translate({number(x)} {number(y)})rotate({turn})"
    look = 'class="dr-f-lamp dr-s-line" stroke-width="4" stroke-linejoin="round"'
    return f'<path transform="{where}" d="M66-14h36v-20l42 34-42 34v-20h-36z" {look}/>'


def picture_d5() -> str:
    """A building is lost; an outhouse is asked about."""
    before = ["wall:O10:N10-M10"]
    after = [*before, "wall:O10:M9-M8"]
    stands, lost = (schilda(drunter(laid), "L8", "O10") for laid in (before, after))
    asked = schilda(drunter(after, "wall:O10:L8-K8;-/-;-/-"), "K7", "O10")
    return picture(schilda_look(), [[stands, None, lost], [asked]])


def picture_d6() -> str:
    """The vote cards, and how votes are counted."""
    rows = [["ja", "jaa", "jaaa", "jeeiin"], ["ne", "nee", "neee", "?"]]
    counts = [(["jaa", "nee", "?"], "2 : 2", True), (["ja", "neee", "?"], "1 : 3", False)]
    cards: list[list[Frame | None]] = [[_card(card, 1.5) for card in row] for row in rows]
    for played, count, passed in counts:
        cards.append([*(_card(card, 1.15) for card in played), _result(count, passed)])
    return picture(schilda_look(), cards)


def _card(card: str, scale: float) -> Frame:
    view = drunter([]).view(None)
    scene = panels.Scene(view.board, view.position_array()[0], "AB", "AB", schilda_look().dress)
    return Frame(panels.vote_card(scene, card), (-3, -3, 58, 76), scale, bordered=False)


def _result(count: str, passed: bool) -> Frame:
    """A count, and whether the tile stays."""
    look = "yes" if passed else "no"
    plate = rect((4, 4, 92, 36), 9, f'class="dr-f-{look} dr-s-line" stroke-width="2"')
    sign = "M116 23l11 12 20-26" if passed else "M118 10l24 24m0-24l-24 24"
    mark = f'<path d="{sign}" class="dr-n dr-s-text" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/>'
    return Frame(plate + write(count, 50, 31, 25, f"dr-num dr-f-on{look}") + mark, (0, 0, 156, 44), bordered=False)


def picture_d8() -> str:
    """The end of a game for two, and how it is scored."""
    state: Any = embertown.GameRecord.from_file(ROOT / "tests" / "records" / "drunter-2.json").replay()
    if state.scores != _END_OF_TWO:
        raise ValueError(f"the game ends with {state.scores}, not {_END_OF_TWO}")
    whole = schilda(state, "A1", state.board.squares[-1], scale=0.6)
    drawn = re.sub(r"<use [^>]*dr-buried[^>]*>", "", whole.drawn)  # so small, traces only confuse
    return picture(schilda_look(), [[replace(whole, drawn=drawn, caption="K: 1 + 3 + 4 + 5 = 13  ·  U: 4")]])


_END_OF_TWO = (13, 4)  # inns of 1, 3, 4 and 5, a museum of 4


def picture_d9() -> str:
    """The special cards, without their names."""
    frames = [
        Frame(
            SCHILDA_PEN.use("goal") + SCHILDA_PEN.use(f"goal-{name}", 44, 50),
            (-3, -3, 94, 106),
            1.2,
            bordered=False,
        )
        for name in ("threes", "fours", "lowest", "ones")
    ]
    return picture(schilda_look(), [frames])


# ---- all of them


def pictures() -> dict[Path, str]:
    """What each file should hold."""
    made = [
        *(picture_c1, picture_c2, picture_c3, picture_c4, picture_c5, picture_c6, picture_c7, picture_c8),
        *(picture_d1, picture_d2, picture_d4, picture_d5, picture_d6, picture_d8, picture_d9),
    ]
    return {FOLDER / f"{make.__name__.removeprefix('picture_')}.svg": make() for make in made}


def main() -> None:
    """Write what is stale."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, text in pictures().items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            sys.stdout.write(f"written: {file.relative_to(ROOT)}, {len(text.encode()):,} bytes\n")


if __name__ == "__main__":
    main()
