"""Drunter & Drüber by the letter of the rules: slow, naive, independent of the engine.

Numbers such as D4.2 name the rules in ``drunter.md``. Squares are strings such as ``C10``, paths go by the corner
they started from, and whatever follows from the deal and the moves so far (tiles left, vote cards in hand, covered
squares, where the gangs stand, which are blocked) is worked out afresh each time.
"""

from itertools import combinations
from string import ascii_uppercase
from typing import Any

Edition = dict[str, Any]
Move = dict[str, Any]

KINDS = {"W": "wall", "R": "road", "V": "river"}
BUILDINGS = {
    "T": "town-hall",
    "F": "fire-station",
    "S": "school",
    "I": "inn",
    "M": "museum",
    "C": "church",
}
SPECIALS = ("threes", "fours", "lowest", "ones")  # D9.4
OPEN, OUTHOUSE = ".", "oo"
CARDS = ("ja", "jaa", "jaaa", "ne", "nee", "neee", "?", "jeeiin")  # D1.4, in the order of texts and records
YES = {"ja": 1, "jaa": 2, "jaaa": 3}
NO = {"ne": 1, "nee": 2, "neee": 3}
BLANK, EITHER = "?", "jeeiin"
DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
OPTIONS = {"variant", "several_cards", "no_votes"}


def reading_order(square: str) -> tuple[int, str]:
    """Sort key of a square: by row, then column (B10 comes after C9)."""
    return int(square[1:]), square[0]


class Board:
    """The squares of an edition: D1.1, D1.2."""

    def __init__(self, squares: str | list[Any]) -> None:
        """Read the squares: text with a line for each row, or a list of rows."""
        lines = [line for line in squares.splitlines() if line.strip()] if isinstance(squares, str) else squares
        rows = [line.split() if isinstance(line, str) else list(line) for line in lines]
        self.cells: dict[str, str] = {}
        for number, row in enumerate(rows, start=1):
            assert len(row) == len(rows[0])
            for letter, cell in zip(ascii_uppercase, row, strict=False):
                self.cells[f"{letter}{number}"] = cell
        last = ascii_uppercase[len(rows[0]) - 1]
        corners = ("A1", f"{last}1", f"A{len(rows)}", f"{last}{len(rows)}")
        self.corners = {corner: KINDS[self.cells[corner]] for corner in corners}  # D1.1, in reading order
        self.outhouses: set[str] = set()
        self.buildings: dict[str, tuple[str, int]] = {}
        for square, cell in self.cells.items():
            if cell == OUTHOUSE:
                self.outhouses.add(square)
            elif square not in self.corners and cell != OPEN:
                self.buildings[square] = (BUILDINGS[cell[0]], int(cell[1:]))
        for _, value in self.buildings.values():
            assert 1 <= value <= 5
        assert len(set(self.buildings.values())) == len(self.buildings), "two buildings of one kind and value"

    def step(self, square: str, direction: str) -> str | None:
        """Name the next square in a direction; none beyond the edge."""
        right, down = DIRECTIONS[direction]
        column, row = ascii_uppercase.index(square[0]) + right, int(square[1:]) + down
        if not 0 <= column < len(ascii_uppercase):
            return None
        name = f"{ascii_uppercase[column]}{row}"
        return name if name in self.cells else None


class Oracle:
    """One game of Drunter & Drüber. Actions are texts."""

    def __init__(
        self,
        edition: Edition,
        players: int,
        options: dict[str, bool] | None = None,
        first: int = 0,
        *,
        deal: dict[str, Any],
    ) -> None:
        """D2: set up a game."""
        assert 2 <= players <= 4
        assert 0 <= first < players
        options = options or {}
        assert set(options) <= OPTIONS
        self.variant = options.get("variant", False)  # D9
        self.several_cards = options.get("several_cards", False)  # D6.6
        self.no_votes = options.get("no_votes", False)  # D9.5
        assert self.variant or not self.no_votes
        self.board = Board(edition["board"]["squares"])
        self.players = players
        self.first = first
        self.dealt: list[dict[str, list[int]]] = [
            {kind: list(counts) for kind, counts in hand.items()} for hand in deal["tiles"]
        ]
        self.objectives = self._objectives(deal["objectives"])
        self._check_deal(edition["tiles"])
        self.moves: list[Move] = []
        self.scores: list[int] | None = [0] * players  # D8.3; None when over with an objective not known
        self.final: list[Move] | None = None
        self.winners: list[int] | None = None
        self.over = False
        self.seat = first  # whose turn it is, or was last
        self.proposal: Move | None = None  # the tile voted on
        self.votes: dict[int, list[str]] = {}
        self.said: dict[int, str] = {}  # what Jeeiin counts as, by seat
        self.choosing: dict[int, str | None] | None = None  # choices made so far, while they are due
        if not self.somebody_can_lay():
            self._after_the_last_tile()  # D7.1 by analogy: otherwise all would pass for ever

    def _objectives(self, dealt: list[Any]) -> list[list[str | None]]:
        """D2.1, D9.1: each seat's cards; None for one that is not known."""
        each = 2 if self.variant else 1
        cards: list[list[str | None]] = [[None] * each if hand is None else list(hand) for hand in dealt]
        known = [card for hand in cards for card in hand if card is not None]
        assert len(cards) == self.players
        assert all(len(hand) == each for hand in cards)
        assert len(set(known)) == len(known), "every card is there once"
        assert set(known) <= set(BUILDINGS.values()) | set(SPECIALS if self.variant else ())
        return cards

    def _check_deal(self, tiles: dict[str, list[int]]) -> None:
        """D2.2: all tiles are dealt, to everyone as many of each length."""
        assert len(self.dealt) == self.players
        assert set(tiles) <= set(KINDS.values())
        for length in (1, 2, 3):
            for kind in KINDS.values():
                there = tiles[kind][length - 1] if kind in tiles else 0
                assert there == sum(hand[kind][length - 1] for hand in self.dealt if kind in hand)
            assert len({sum(counts[length - 1] for counts in hand.values()) for hand in self.dealt}) == 1

    # What follows from the deal and the moves

    @property
    def laid(self) -> list[Move]:
        """The tiles on the board: laid without a vote, or after one that passed (D6.4)."""
        return [move for move in self.moves if "lay" in move and ("vote" not in move or move["vote"]["passed"])]

    @property
    def tiles(self) -> list[dict[str, list[int]]]:
        """Each seat's tiles by kind, counted by length [1, 2, 3]; a tile voted on is still its owner's."""
        left = [{kind: list(counts) for kind, counts in hand.items()} for hand in self.dealt]
        for move in self.laid:
            for seat in range(self.players):
                if seat == move["seat"]:
                    left[seat][move["lay"]][len(move["squares"]) - 1] -= 1
        return left

    @property
    def hands(self) -> list[list[str]]:
        """D6.5: each seat's vote cards; cards played leave the hand once the vote is decided, ? never."""
        hands = []
        for seat in range(self.players):
            spent = [card for move in self.moves if "vote" in move for card in as_list(move["vote"]["cards"][seat])]
            hands.append([card for card in CARDS if card == BLANK or card not in spent])
        return hands

    @property
    def covered(self) -> set[str]:
        """The squares under tiles."""
        return {square for move in self.laid for square in move["squares"]}

    @property
    def free(self) -> set[str]:
        """D1.1, D4.3: the squares on which a tile may yet lie."""
        return set(self.board.cells) - set(self.board.corners) - self.covered

    @property
    def ends(self) -> dict[str, str]:
        """D2.3, D4.5: the last square of every path, blocked or not."""
        ends = {corner: corner for corner in self.board.corners}
        for move in self.laid:
            ends[move["gang"]] = move["squares"][-1]
        return ends

    @property
    def gangs(self) -> dict[str, str]:
        """Where the gangs stand that have not been removed (D4.6)."""
        return {gang: square for gang, square in self.ends.items() if gang not in self.blocked}

    @property
    def blocked(self) -> list[str]:
        """D4.6: the gangs, by corner in reading order, to whose path not even a tile of length 1 could be added.

        Squares once covered stay so, hence what is blocked stays blocked.
        """
        return [gang for gang in self.board.corners if not self.starts(gang)]

    def passable(self, square: str, direction: str) -> bool:
        """D4.4: whether it is a bridge's middle square, the bridge lying across the direction."""
        for move in self.laid:
            if len(move["squares"]) == 3 and move["squares"][1] == square:
                in_a_row: bool = move["squares"][0][1:] == move["squares"][2][1:]
                return in_a_row == (direction in ("up", "down"))
        return False

    def starts(self, gang: str) -> dict[str, tuple[str, list[str]]]:
        """D4.2, D4.4: by direction, the square where the path's next tile may start and the bridges passed."""
        found: dict[str, tuple[str, list[str]]] = {}
        for direction in DIRECTIONS:
            under: list[str] = []
            square = self.board.step(self.ends[gang], direction)
            while square is not None and self.passable(square, direction):
                under.append(square)
                square = self.board.step(square, direction)
            if square is not None and square in self.free:
                found[direction] = (square, under)
        return found

    def tile_from(self, start: str, direction: str, length: int) -> list[str] | None:
        """D4.2, D4.3: the squares of a tile, straight away from the gang; none if one of them is not free."""
        free = self.free
        squares: list[str] = []
        square: str | None = start
        for _ in range(length):
            if square is None or square not in free:
                return None
            squares.append(square)
            square = self.board.step(square, direction)
        return squares

    # What a player may do

    def lays(self, seat: int) -> dict[str, Move]:
        """D4: the tiles a seat could lay or propose, as texts, and the move each would be."""
        found: dict[str, Move] = {}
        tiles = self.tiles[seat]
        blocked = self.blocked
        for gang, kind in self.board.corners.items():
            if gang in blocked or kind not in tiles:
                continue
            for direction, (start, under) in self.starts(gang).items():
                for length in (1, 2, 3):
                    squares = self.tile_from(start, direction, length)
                    if squares is None or tiles[kind][length - 1] == 0:
                        continue
                    move: Move = {"seat": seat, "lay": kind, "gang": gang, "squares": squares}
                    covers = [s for s in squares if s in self.board.buildings or s in self.board.outhouses]
                    if under:
                        move["under"] = under
                    if covers:
                        move["covers"] = sorted(covers, key=reading_order)
                    text = lay_text(move)
                    assert text not in found
                    found[text] = move
        return found

    def somebody_can_lay(self) -> bool:
        """D7.1: whether anybody can lay one of their own tiles on any path; one that needs a vote too (D3.2)."""
        return any(self.lays(seat) for seat in range(self.players))

    def turn_order(self, start: int) -> list[int]:
        """D2.4: all seats clockwise."""
        return [(start + step) % self.players for step in range(self.players)]

    def must_say(self) -> list[int]:
        """D6.2: whoever played Jeeiin and has not said what it counts as, in turn order from the proposer."""
        if len(self.votes) < self.players:
            return []
        return [s for s in self.turn_order(self.seat) if EITHER in self.votes[s] and s not in self.said]

    def waiting(self) -> list[int]:
        """Every seat that may act now."""
        if self.over:
            return []
        if self.choosing is not None:
            return [s for s in self.turn_order(self.seat) if s not in self.choosing]  # D9.2
        if self.proposal is not None:
            if len(self.votes) < self.players:
                return [s for s in self.turn_order(self.seat) if s not in self.votes]  # D6.1
            return self.must_say()[:1]  # D6.2
        return [self.seat]

    def legal(self, seat: int) -> set[str]:
        """D3, D6, D9.2: what a seat may do now; nothing if it is not its turn to act."""
        if seat not in self.waiting():
            return set()
        if self.choosing is not None:
            return {f"choose {BLANK if card is None else card}" for card in self.objectives[seat]}
        if self.proposal is not None:
            if len(self.votes) == self.players:
                return {"jeeiin yes", "jeeiin no"}
            hand = self.hands[seat]
            most = len(hand) if self.several_cards else 1  # D6.6
            return {f"vote {'+'.join(cards)}" for n in range(1, most + 1) for cards in combinations(hand, n)}
        return set(self.lays(seat)) or {"pass"}  # D3.1, D3.2

    # Playing

    def play(self, seat: int, text: str) -> None:
        """Carry out an action."""
        assert text in self.legal(seat), f"{text!r} is not legal for seat {seat}"
        action, *details = text.split(" ")
        if action == "pass":
            self.moves.append({"seat": seat, "pass": True})  # D3.1; it never ends the game (D7.1)
            self._next_turn()
        elif action == "lay":
            self._lay(self.lays(seat)[text])
        elif action == "vote":
            self.votes[seat] = details[0].split("+")
            self._decide()
        elif action == "jeeiin":
            self.said[seat] = details[0]
            self._decide()
        else:
            assert self.choosing is not None
            self.choosing[seat] = None if details[0] == BLANK else details[0]
            self._choices_in()

    def _lay(self, move: Move) -> None:
        """D5.2: propose the tile if it covers an outhouse, else lay it."""
        if self.board.outhouses & set(move["squares"]) and not self.no_votes:  # D9.5
            self.proposal = move
        else:
            self._stays(move)

    def _decide(self) -> None:
        """D6.3, D6.4: once all have voted and said what Jeeiin counts as."""
        assert self.proposal is not None
        if len(self.votes) < self.players or self.must_say():
            return
        yes = no = 0
        for seat in range(self.players):
            for card in self.votes[seat]:
                yes += YES.get(card, 0)
                no += NO.get(card, 0)
            if self.said.get(seat) == "yes":
                yes += 2  # D1.4
            elif self.said.get(seat) == "no":
                no += 2
        passed = yes >= no  # D6.3
        vote = {
            "cards": self._cards_by_seat(),
            "jeeiin": self._said_by_seat(),
            "yes": yes,
            "no": no,
            "passed": passed,
        }
        move = self.proposal | {"vote": vote}
        self.proposal, self.votes, self.said = None, {}, {}
        if passed:
            self._stays(move)
        else:
            self.moves.append(move)
            self._next_turn()  # D6.4; it never ends the game (D7.1)

    def _stays(self, move: Move) -> None:
        """D4.5, D4.6, D7.1, D9.2: the tile lies, the gang moves, all gangs are checked."""
        before = self.blocked
        self.moves.append(move)
        newly = [gang for gang in self.blocked if gang not in before]
        if newly:
            move["blocked"] = newly
        if not self.somebody_can_lay():
            self._after_the_last_tile()
        elif newly and self._choices_open():
            self.choosing = {}
        else:
            self._next_turn()

    def _choices_open(self) -> bool:
        """D9.2: whether the players have yet to choose; they do so once."""
        return self.variant and not any("choose" in move for move in self.moves)

    def _choices_in(self) -> None:
        """D9.2: once all have chosen, the game goes on, or ends."""
        assert self.choosing is not None
        if len(self.choosing) < self.players:
            return
        self.moves += [{"seat": seat, "choose": self.choosing[seat]} for seat in self.turn_order(self.seat)]
        self.choosing = None
        if self.somebody_can_lay():
            self._next_turn()
        else:
            self._end()

    def _next_turn(self) -> None:
        """D2.4: clockwise."""
        self.seat = (self.seat + 1) % self.players

    # The end

    def _after_the_last_tile(self) -> None:
        """D7.1, D9.2: the end, after the choices if they are still to be made."""
        if self._choices_open():
            self.choosing = {}
        else:
            self._end()

    def _end(self) -> None:
        """D8.1, D8.2, D9.3: the reveal."""
        self.over = True
        if any(card is None for hand in self.objectives for card in hand):
            self.scores = None  # objectives not known: nothing can be said
            return
        self.final = [self._final_entry(seat) for seat in range(self.players)]
        self.scores = [entry["points"] for entry in self.final]
        tied = [entry for entry in self.final if entry["points"] == max(self.scores)]
        if self.variant:
            tied = [entry for entry in tied if entry["tiebreak"] == max(other["tiebreak"] for other in tied)]
        self.winners = [entry["seat"] for entry in tied]

    def _final_entry(self, seat: int) -> Move:
        """D8.1, D9.3: what a seat's objective counts, and the other card for ties."""
        cards = [card for card in self.objectives[seat] if card is not None]
        chosen = [move["choose"] for move in self.moves if "choose" in move and move["seat"] == seat] or cards
        others = [card for card in cards if card != chosen[0]]
        counted = self.counted(chosen[0])
        return {
            "seat": seat,
            "objective": chosen[0],
            "uncovered": sorted(counted, key=reading_order),
            "points": sum(counted.values()),
            "tiebreak": sum(self.counted(others[0]).values()) if self.variant else None,
        }

    def counted(self, objective: str) -> dict[str, int]:
        """D8.1, D9.4: the uncovered buildings that an objective counts as the board stands, and the points of each."""
        covered = self.covered
        left = {square: b for square, b in self.board.buildings.items() if square not in covered}
        if objective == "threes":
            return {square: 3 for square, (_, value) in left.items() if value == 3}
        if objective == "fours":
            return {square: 4 for square, (_, value) in left.items() if value == 4}
        if objective == "ones":
            return dict.fromkeys(left, 1)
        if objective == "lowest":
            return {
                square: value
                for square, (kind, value) in left.items()
                if value == min(v for k, v in left.values() if k == kind)
            }
        assert objective in BUILDINGS.values()
        return {square: value for square, (kind, value) in left.items() if kind == objective}

    # The record

    def _cards_by_seat(self) -> list[Any]:
        """The cards of a vote as recorded: a name, or a list under several_cards; None where not chosen."""
        shown: list[Any] = []
        for seat in range(self.players):
            if seat not in self.votes:
                shown.append(None)
            else:
                shown.append(self.votes[seat] if self.several_cards else self.votes[seat][0])
        return shown

    def _said_by_seat(self) -> list[str | None]:
        return [self.said.get(seat) for seat in range(self.players)]

    @property
    def pending(self) -> Move | None:
        """A vote or choices under way, as recorded; None if there are none."""
        if self.choosing is not None:
            return {"choose": [self.choosing.get(seat) for seat in range(self.players)]}
        if self.proposal is None:
            return None
        move = self.proposal | {"cards": self._cards_by_seat()}
        if len(self.votes) == self.players:
            move["jeeiin"] = self._said_by_seat()
        return move

    def result(self) -> dict[str, Any]:
        """The keys of a record that tell how the game stands: pending, or the end."""
        if self.over:
            return {"scores": self.scores, "winners": self.winners, "end": "complete", "final": self.final}
        return {} if self.pending is None else {"pending": self.pending}


def as_list(cards: str | list[str] | None) -> list[str]:
    """The cards of one seat in a record's vote."""
    if cards is None:
        return []
    return [cards] if isinstance(cards, str) else cards


def lay_text(move: Move) -> str:
    """The text of a move that lays or proposes a tile."""
    squares = move["squares"]
    where = squares[0] if len(squares) == 1 else f"{squares[0]}-{squares[-1]}"
    return f"lay {move['lay']} {move['gang']} {where}"


def replay(record: dict[str, Any], editions: dict[str, Edition]) -> Oracle:
    """Play a record's moves; its consequences, scores and final scoring are not looked at."""
    edition = record["edition"]
    if isinstance(edition, str):
        edition = editions[edition]
    players = len(record["seats"])
    assert record["start_scores"] == [0] * players  # D8.3
    oracle = Oracle(edition, players, record["options"], record["first"], deal=record["deal"])
    for move in record["moves"]:
        assert oracle.waiting(), "a move after the end"
        assert move["seat"] == oracle.waiting()[0], f"seat {move['seat']} is not to act"
        if "choose" in move:
            oracle.play(move["seat"], f"choose {move['choose'] or BLANK}")
        elif "pass" in move:
            oracle.play(move["seat"], "pass")
        else:
            _replay_lay(oracle, move, move.get("vote"))
            assert oracle.proposal is None, "a vote is missing"
    pending = record.get("pending") or {}
    for seat, card in enumerate(pending.get("choose", [])):
        if card is not None:
            oracle.play(seat, f"choose {card}")
    if "lay" in pending:
        _replay_lay(oracle, pending, pending)
        assert oracle.proposal is not None, "a vote under way that is over"
    return oracle


def _replay_lay(oracle: Oracle, move: Move, vote: dict[str, Any] | None) -> None:
    """A tile, and the votes so far if it needs one, in any order; then what Jeeiin counts as, in order (D6.2)."""
    oracle.play(move["seat"], lay_text(move))
    assert (vote is not None) == (oracle.proposal is not None), "a vote too many or too few"
    if vote is None:
        return
    for seat, cards in enumerate(vote["cards"]):
        if cards is not None:
            oracle.play(seat, f"vote {'+'.join(as_list(cards))}")
    said = vote.get("jeeiin") or []
    while oracle.must_say() and said and said[oracle.must_say()[0]] is not None:
        seat = oracle.must_say()[0]
        oracle.play(seat, f"jeeiin {said[seat]}")
