"""Cronberg by the letter of the rules: slow, naive, independent of the engine.

Numbers such as C4.2 name the rules in ``cronberg.md``. Places are strings, and whatever follows from the
rhombi placed so far (free triangles, active triangles, numbers at a crossing) is worked out afresh each time.
"""

from math import atan2, sqrt
from string import ascii_lowercase, ascii_uppercase
from typing import Any

Edition = dict[str, Any]
Move = dict[str, Any]
Placed = tuple[str, tuple[str, str], str]
"""A rhomb on the board: kind, its two triangles in reading order, the crossing its first number points at."""

LEFT_OUT = "."
PARK, GUARD, COAT, PLAIN = "P", "G", "C", "-"


def reading_order(place: str) -> tuple[str, int]:
    """Sort key of a crossing or a triangle: the row or strip, then the number (C10 comes after C9)."""
    return place[0], int(place[1:])


class Board:
    """The places of an edition and how they lie: C1.1, C1.3 and "Names for places"."""

    def __init__(self, side: int, strips: list[str]) -> None:
        """Lay out a hexagon of the given side, less the triangles left out."""
        assert side in (2, 3, 4)
        assert len(strips) == 2 * side
        self.position: dict[str, tuple[float, float]] = {}
        self.symbol: dict[str, str] = {}
        self.corners: dict[str, set[str]] = {}
        rows = [self._row(side, row) for row in range(2 * side + 1)]
        for number, strip in enumerate(strips):
            self._add_strip(ascii_uppercase[number], rows[number] + rows[number + 1], strip)
        self.triangles = sorted(self.corners, key=reading_order)
        self.crossings = sorted(set().union(*self.corners.values()), key=reading_order)
        self.around = {c: {t for t in self.triangles if c in self.corners[t]} for c in self.crossings}
        self.pairs = [
            (one, two)
            for place, one in enumerate(self.triangles)
            for two in self.triangles[place + 1 :]
            if len(self.corners[one] & self.corners[two]) == 2  # C1.1: two triangles that share an edge
        ]
        self.neighbours: dict[str, set[str]] = {t: set() for t in self.triangles}
        for one, two in self.pairs:
            self.neighbours[one].add(two)
            self.neighbours[two].add(one)

    def _row(self, side: int, row: int) -> list[str]:
        """Name a row of crossings and note where each lies: x to the right, y down, edges of length 1."""
        from_middle = abs(row - side)
        names = [f"{ascii_lowercase[row]}{number}" for number in range(1, 2 * side + 2 - from_middle)]
        for place, name in enumerate(names):
            self.position[name] = (place + from_middle / 2, row * sqrt(3) / 2)
        return names

    def _add_strip(self, letter: str, crossings: list[str], strip: str) -> None:
        """Zigzag from left to right between two rows: any three crossings in succession are a triangle."""
        zigzag = sorted(crossings, key=lambda crossing: self.position[crossing][0])
        assert len(strip) == len(zigzag) - 2
        for place, symbol in enumerate(strip):
            assert symbol in (LEFT_OUT, PARK, GUARD, COAT, PLAIN)
            if symbol != LEFT_OUT:
                name = f"{letter}{place + 1}"
                self.symbol[name] = symbol
                self.corners[name] = set(zigzag[place : place + 3])

    def clockwise(self, pair: tuple[str, str]) -> list[str]:
        """C1.4: the corners of a pair clockwise, from its first sharp corner in reading order."""
        one, two = (self.corners[triangle] for triangle in pair)
        points = [self.position[corner] for corner in one | two]
        x0, y0 = sum(x for x, _ in points) / 4, sum(y for _, y in points) / 4
        # With y pointing down, growing angles go clockwise on paper.
        ring = sorted(one | two, key=lambda c: atan2(self.position[c][1] - y0, self.position[c][0] - x0))
        start = ring.index(self.sharp(pair)[0])
        return ring[start:] + ring[:start]

    def sharp(self, pair: tuple[str, str]) -> list[str]:
        """C1.4: the sharp corners of a pair are those that only one of its triangles has."""
        one, two = (self.corners[triangle] for triangle in pair)
        return sorted(one ^ two, key=reading_order)


class Oracle:
    """One game of Cronberg. Actions are texts; chance is told by ``drawn``."""

    def __init__(self, edition: Edition, players: int, first: int = 0, start_scores: list[int] | None = None) -> None:
        """C2: set up a game."""
        assert 2 <= players <= 4
        assert 0 <= first < players
        assert start_scores is None or len(start_scores) == players
        self.board = Board(edition["board"]["side"], edition["board"]["triangles"])
        self.tokens_each: int = edition["board"]["tokens"]
        self.numbers: dict[str, list[int]] = {k: list(r["numbers"]) for k, r in edition["rhombi"].items()}
        self.counts: dict[str, int] = {k: r.get("count", 1) for k, r in edition["rhombi"].items()}  # C1.4
        self.players = players
        self.scores = [0] * players if start_scores is None else list(start_scores)  # C2.2
        self.placed: list[Placed] = []
        self.tokens: dict[str, int] = {}
        self.in_hand: str | None = None
        self.awaiting_chance = False
        self.moves: list[Move] = []
        self.final: list[Move] | None = None
        self.winners: list[int] | None = None
        self.seat: int | None = first
        self._end_if_stuck()

    # What follows from the rhombi and tokens on the board

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat is None

    @property
    def free(self) -> set[str]:
        """C4.2: the triangles not covered by a rhomb."""
        return set(self.board.triangles) - {triangle for _, pair, _ in self.placed for triangle in pair}

    @property
    def free_pairs(self) -> list[tuple[str, str]]:
        """C5.1: the pairs of free triangles that share an edge."""
        free = self.free
        return [(one, two) for one, two in self.board.pairs if one in free and two in free]

    @property
    def active(self) -> set[str]:
        """C7.1: the isolated triangles; C7.4: every free one once the last rhomb has been placed."""
        free = self.free
        if len(self.placed) == sum(self.counts.values()):
            return free
        return {triangle for triangle in free if not self.board.neighbours[triangle] & free}

    @property
    def supply(self) -> list[int]:
        """C1.5: each seat's tokens that are not on the board."""
        return [self.tokens_each - list(self.tokens.values()).count(seat) for seat in range(self.players)]

    def outcomes(self) -> dict[str, int]:
        """C2.1: which rhombi are left to draw, and how many of each (none of those that are used up)."""
        gone = [kind for kind, _, _ in self.placed] + [self.in_hand]
        left = {kind: count - gone.count(kind) for kind, count in self.counts.items()}
        return {kind: count for kind, count in left.items() if count > 0}

    def numbers_at(self, crossing: str) -> list[int]:
        """C6.3: the numbers that point at a crossing, high to low."""
        found = []
        for kind, pair, head in self.placed:
            corners = self.board.clockwise(pair)
            start = corners.index(head)
            turned = corners[start:] + corners[:start]
            found += [number for corner, number in zip(turned, self.numbers[kind], strict=True) if corner == crossing]
        return sorted(found, reverse=True)

    def turning_matters(self, kind: str) -> bool:
        """C1.4: whether a rhomb turned by 180 degrees reads differently."""
        numbers = self.numbers[kind]
        return numbers != numbers[2:] + numbers[:2]

    # What a player may do

    def open_crossings(self) -> list[str]:
        """C4.1, C4.2, C4.3: where a token may be placed."""
        free, active = self.free, self.active
        return [
            crossing
            for crossing in self.board.crossings
            if crossing not in self.tokens
            and self.board.around[crossing] & free
            and not any(self.board.symbol[t] == GUARD for t in self.board.around[crossing] & active)
        ]

    def can_place_token(self, seat: int) -> bool:
        """C4: whether a seat has a token and a crossing for it."""
        return self.supply[seat] > 0 and bool(self.open_crossings())

    def can_draw(self) -> bool:
        """C3.3: whether a rhomb and a place for it are left."""
        return bool(self.outcomes()) and bool(self.free_pairs)

    def legal(self) -> set[str]:
        """C3: the actions of the seat to act; none while chance decides or when the game is over."""
        if self.seat is None or self.awaiting_chance:
            return set()
        if self.in_hand is not None:
            return self._placements(self.in_hand)  # C3.3
        actions = {"draw"} if self.can_draw() else set()
        if self.can_place_token(self.seat):
            actions |= {f"token {crossing}" for crossing in self.open_crossings()}
        return actions or {"pass"}  # C3.2

    def _placements(self, kind: str) -> set[str]:
        """C5.1: every pair of free neighbours, in either turn where turning matters (C1.4)."""
        texts = set()
        for one, two in self.free_pairs:
            if self.turning_matters(kind):
                texts |= {f"place {one}+{two} ^{head}" for head in self.board.sharp((one, two))}
            else:
                texts.add(f"place {one}+{two}")
        return texts

    # Playing

    def play(self, text: str) -> None:
        """C3.1: carry out an action of the seat to act."""
        assert text in self.legal(), f"{text!r} is not legal for seat {self.seat}"
        action, *details = text.split(" ")
        if action == "draw":
            self.awaiting_chance = True
        elif action == "place":
            self._place(*details)
        elif action == "token":
            self._token(*details)
        else:
            self._pass()

    def drawn(self, kind: str) -> None:
        """C2.1: chance says which rhomb was drawn."""
        assert self.awaiting_chance, "nobody has drawn"
        assert kind in self.outcomes(), f"no {kind!r} is left"
        self.in_hand = kind
        self.awaiting_chance = False

    def _pass(self) -> None:
        """C3.2: a pass is recorded; it never ends the game (C8.1)."""
        self.moves.append({"seat": self.seat, "pass": True})
        self._next_seat()

    def _token(self, crossing: str) -> None:
        """C4.1: a token from the supply to the crossing."""
        assert self.seat is not None
        self.tokens[crossing] = self.seat
        self.moves.append({"seat": self.seat, "token": crossing})
        self._next_seat()
        self._end_if_stuck()

    def _place(self, where: str, turn: str = "") -> None:
        """C5.3: the rhomb, then scoring, then activation."""
        assert self.in_hand is not None
        one, two = where.split("+")
        move: Move = {"seat": self.seat, "rhomb": self.in_hand, "on": [one, two]}
        if turn:
            move["head"] = turn[1:]
        active_before = self.active
        self.placed.append((self.in_hand, (one, two), turn[1:] or self.board.sharp((one, two))[0]))
        self.in_hand = None
        consequences = {
            "scored": self._score_enclosed(),
            "activated": sorted(self.active - active_before, key=reading_order),
            "driven": self._drive_away(),
        }
        self.moves.append(move | {key: value for key, value in consequences.items() if value})
        self._next_seat()
        self._end_if_stuck()

    def _score_enclosed(self) -> list[Move]:
        """C6: tokens that touch no free triangle score and go back."""
        scored = []
        for crossing in sorted(self.tokens, key=reading_order):
            if not self.board.around[crossing] & self.free:
                seat, numbers = self.tokens.pop(crossing), self.numbers_at(crossing)
                self.scores[seat] += sum(numbers)
                scored.append({"seat": seat, "at": crossing, "numbers": numbers, "points": sum(numbers)})
        return scored

    def _drive_away(self) -> list[Move]:
        """C7.2: tokens on the crossings of active guards go back unscored, each once."""
        guards = {triangle for triangle in self.active if self.board.symbol[triangle] == GUARD}
        return [
            {"seat": self.tokens.pop(crossing), "at": crossing}
            for crossing in sorted(self.tokens, key=reading_order)
            if self.board.around[crossing] & guards
        ]

    def _next_seat(self) -> None:
        """C2.3: clockwise."""
        assert self.seat is not None
        self.seat = (self.seat + 1) % self.players

    # The end

    def _end_if_stuck(self) -> None:
        """C8.1: the game ends as soon as nobody can place anything (perhaps before it has begun)."""
        if self.can_draw() or any(self.can_place_token(seat) for seat in range(self.players)):
            return
        self.seat = None
        self.final = self.final_scoring()
        for entry in self.final:
            self.scores[entry["seat"]] += entry["points"]
        best = max(self.scores)
        self.winners = [seat for seat, score in enumerate(self.scores) if score == best]  # C8.4

    def final_scoring(self) -> list[Move]:
        """C8.2: what the tokens on the board would score if the game ended as it stands."""
        entries = [self._final_entry(crossing) for crossing in sorted(self.tokens, key=reading_order)]
        return [entry for entry in entries if entry["coat"] or entry["parks"]]

    def _final_entry(self, crossing: str) -> Move:
        """C8.2, C8.3: the coat of arms first, then the parks."""
        symbols = [self.board.symbol[triangle] for triangle in self.board.around[crossing] & self.active]
        coat, parks = COAT in symbols, symbols.count(PARK)
        numbers = self.numbers_at(crossing)
        points = sum(abs(number) if coat else number for number in numbers)
        for _ in range(parks):
            points *= 2
        return {
            "seat": self.tokens[crossing],
            "at": crossing,
            "numbers": numbers,
            "coat": coat,
            "parks": parks,
            "points": points,
        }

    # The record

    def result(self) -> dict[str, Any]:
        """The keys of a record that tell how the game stands: pending, or the end."""
        if self.over:
            return {"scores": self.scores, "winners": self.winners, "end": "complete", "final": self.final}
        if self.in_hand is not None:
            return {"pending": {"seat": self.seat, "drawn": self.in_hand}}
        return {}


def replay(record: dict[str, Any], editions: dict[str, Edition]) -> Oracle:
    """Play a record's moves; its consequences, scores and final scoring are not looked at."""
    edition = record["edition"]
    if isinstance(edition, str):
        edition = editions[edition]
    oracle = Oracle(edition, len(record["seats"]), record["first"], record["start_scores"])
    for move in record["moves"]:
        assert move["seat"] == oracle.seat, f"seat {move['seat']} is not to act"
        _replay_move(oracle, move)
    if "drawn" in record.get("pending", {}):
        assert record["pending"]["seat"] == oracle.seat
        oracle.play("draw")
        oracle.drawn(record["pending"]["drawn"])
    return oracle


def _replay_move(oracle: Oracle, move: Move) -> None:
    """One move of a record as the actions it stands for."""
    if "token" in move:
        oracle.play(f"token {move['token']}")
    elif "pass" in move:
        oracle.play("pass")
    else:
        oracle.play("draw")
        oracle.drawn(move["rhomb"])
        turn = f" ^{move['head']}" if "head" in move else ""
        oracle.play(f"place {move['on'][0]}+{move['on'][1]}{turn}")
