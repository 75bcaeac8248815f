"""The tree of Cronberg's search: nodes and edges in arrays, and the steps of a simulation, all kernels.

A *node* is a position in which somebody acts, or chance: its edges lie one behind the other, the likeliest first. An
*edge* is an action, or a kind that may be drawn; it leads to a node once it was taken often enough. Positions are not
kept: a simulation plays from the root's. Nothing is allocated: when the arrays are full, the tree grows no more and
the simulations go on.

A simulation is three steps, which a caller with an evaluator of its own takes one by one: `descend` to a leaf,
`expand` it, `back_up` what it is worth. Visits are counted on the way down and values on the way up: so an edge that
waits for its value counts as lost, and a batch of descents spreads out.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from embertown.bots.cronberg_policy import DOUBT, DOUBT_LEFT, MIND, play_quickly, promise, worth_of_action
from embertown.core.jit import kernel, next_random
from embertown.cronberg.board import BoardArrays
from embertown.cronberg.playout import random_outcome
from embertown.cronberg.rules import ACTIONS, MAX_PLAYERS, Phase, Position, apply, apply_outcome, legal_actions

# ---- the arrays

NO_NODE = -1
"""The child of an edge that was not expanded."""
CHANCE_SEAT = -1
"""Who acts at a node where a rhomb is drawn."""
MAX_PATH = 512
"""No game is longer: 32 rhombi drawn and placed (three steps each), 64 tokens, three passes between two of them."""
EVEN = 0.5
"""The value of what nobody has looked at yet."""

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("value", np.float64),  # for the seat that acts, summed over its visits
                ("visits", np.int32),
                ("waiting", np.int32),  # visits whose value is not backed up yet
                ("first", np.int32),  # its first edge
                ("count", np.int16),  # how many edges it has
                ("seat", np.int8),
            ],
            align=True,
        ),
    )
)

EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("value", np.float64),  # for the seat that acts, summed over its visits
                ("visits", np.int32),
                ("child", np.int32),
                ("prior", np.float32),  # how likely the action looks; the odds of a kind
                ("action", np.int16),  # or kind
            ],
            align=True,
        ),
    )
)

Leaf: TypeAlias = np.record
"""One record of `LEAF`: a way down the tree and what was found at its end."""

LEAF = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("win_share", np.float64, (MAX_PLAYERS,)),
                ("points", np.float64, (MAX_PLAYERS,)),
                ("utility", np.float64, (MAX_PLAYERS,)),
                ("length", np.int32),
                ("nodes", np.int32, (MAX_PATH,)),
                ("edges", np.int32, (MAX_PATH,)),
            ],
            align=True,
        ),
    )
)

ROOT_EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [("visits", np.int64), ("win_share", np.float64, (MAX_PLAYERS,)), ("points", np.float64, (MAX_PLAYERS,))],
            align=True,
        ),
    )
)
"""What is told of an action at the root: summed over its visits."""

Tree: TypeAlias = np.record
"""One record of `TREE`: the settings of a search and how much of its arrays is used."""

TREE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("mind", MIND),
                ("exploration", np.float64),  # how much a prior weighs against what was seen
                ("caution", np.float64),  # by how much an action not yet tried is thought worse than its node
                ("win_weight", np.float64),  # the utility: so much of the win share, the rest of the lead
                ("lead_scale", np.float64),  # a lead of so many points is squashed to tanh(1)
                ("sharpness", np.float64),  # of the priors: how much a point of worth matters
                ("expand_after", np.int64),  # an edge gets a node at so many visits
                ("breadth", np.int64),  # at most so many edges at a node, but all at the root
                ("ask_at", np.int64),  # a node's priors are asked for at so many visits; 0: never
                ("asked", np.int64),  # how many nodes wait for theirs
                ("trust", np.float64),  # how much those that are given count against its own
                ("playouts", np.int64),  # beside an evaluator that judges a leaf
                ("value_trust", np.float64),  # how much that one counts then
                ("root", np.int64),
                ("nodes", np.int64),  # in use
                ("edges", np.int64),  # in use
                ("actions", np.int64, (ACTIONS,)),  # scratch: legal actions and their priors
                ("priors", np.float64, (ACTIONS,)),
            ],
            align=True,
        ),
    )
)

# ---- choosing an edge


@kernel
def choose_edge(tree: Tree, nodes: np.ndarray, edges: np.ndarray, node: int) -> int:
    """The edge with the best of value and prior; those not tried stand behind, the likeliest first."""
    first = int(nodes[node].first)
    visits = int(nodes[node].visits)
    curiosity = tree.exploration * math.sqrt(visits + 1.0)
    judged = visits - int(nodes[node].waiting)
    untried = (nodes[node].value / judged if judged > 0 else EVEN) - tree.caution
    best, best_score = first, -np.inf
    for index in range(first, first + int(nodes[node].count)):
        tried = int(edges[index].visits)
        value = edges[index].value / tried if tried > 0 else untried
        score = value + curiosity * edges[index].prior / (1.0 + tried)
        if score > best_score:
            best, best_score = index, score
        if tried == 0:
            break
    return best


@kernel
def choose_outcome(nodes: np.ndarray, edges: np.ndarray, node: int) -> int:
    """The kind that lags most behind its odds: so each is drawn as often as it is likely (C2.1), to within one."""
    first = int(nodes[node].first)
    draws = nodes[node].visits + 1
    best, most = first, -np.inf
    for index in range(first, first + int(nodes[node].count)):
        lag = edges[index].prior * draws - edges[index].visits
        if lag > most:
            best, most = index, lag
    return best


# ---- a simulation


@kernel
def descend(
    board: BoardArrays, tree: Tree, nodes: np.ndarray, edges: np.ndarray, position: Position, leaf: Leaf
) -> None:
    """From the root's position to one that has no node, or to the game's end; visits are counted on the way."""
    node = int(tree.root)
    leaf.length = 0
    while node != NO_NODE and leaf.length < MAX_PATH:
        edge = step(board, tree, nodes, edges, position, node)
        leaf.nodes[leaf.length] = node
        leaf.edges[leaf.length] = edge
        leaf.length += 1
        if position.phase == Phase.CHANCE and edges[edge].child == NO_NODE:  # a draw is never a leaf
            edges[edge].child = add_node(board, tree, nodes, edges, position, ACTIONS)
        node = int(edges[edge].child)
    if position.phase == Phase.CHANCE:  # no room for a node
        apply_outcome(position, random_outcome(board, position, tree.mind.seed))
        tree.mind.seed = next_random(tree.mind.seed)


@kernel
def step(board: BoardArrays, tree: Tree, nodes: np.ndarray, edges: np.ndarray, position: Position, node: int) -> int:
    """Choose an edge of this node, count it and do what it says."""
    chance = nodes[node].seat == CHANCE_SEAT
    edge = choose_outcome(nodes, edges, node) if chance else choose_edge(tree, nodes, edges, node)
    nodes[node].visits += 1
    nodes[node].waiting += 1
    edges[edge].visits += 1
    if chance:
        apply_outcome(position, edges[edge].action)
    else:
        apply(board, position, edges[edge].action)
    return edge


@kernel
def expand(
    board: BoardArrays, tree: Tree, nodes: np.ndarray, edges: np.ndarray, position: Position, leaf: Leaf
) -> None:
    """Give the leaf a node where it was visited often enough, the game goes on and there is room."""
    if position.phase == Phase.OVER:
        return
    edge = int(leaf.edges[leaf.length - 1])
    if edges[edge].visits < tree.expand_after or edges[edge].child != NO_NODE:
        return
    edges[edge].child = add_node(board, tree, nodes, edges, position, int(tree.breadth))


@kernel
def add_node(
    board: BoardArrays, tree: Tree, nodes: np.ndarray, edges: np.ndarray, position: Position, breadth: int
) -> int:
    """A new node for a position, with its `breadth` likeliest actions; `NO_NODE` where the arrays are full."""
    if position.phase == Phase.CHANCE:
        count = outcomes(board, tree, position)
        breadth = count
    else:
        count = legal_actions(board, position, tree.actions)
        set_priors(board, tree, position, count)
    return append_node(tree, nodes, edges, position, count, min(count, breadth))


@kernel
def append_node(tree: Tree, nodes: np.ndarray, edges: np.ndarray, position: Position, count: int, breadth: int) -> int:
    """A new node with the best `breadth` of the `count` actions in the tree's scratch."""
    node, first = int(tree.nodes), int(tree.edges)
    if node >= nodes.size or first + breadth > edges.size:
        return NO_NODE
    tree.nodes += 1
    tree.edges += breadth
    nodes[node].first = first
    nodes[node].count = breadth
    nodes[node].visits = 0
    nodes[node].waiting = 0
    nodes[node].value = 0.0
    nodes[node].seat = CHANCE_SEAT if position.phase == Phase.CHANCE else position.seat
    if position.phase != Phase.CHANCE:
        sort_best(tree, count, breadth)
    for index in range(breadth):
        edge = first + index
        edges[edge].value = 0.0
        edges[edge].visits = 0
        edges[edge].child = NO_NODE
        edges[edge].prior = tree.priors[index]
        edges[edge].action = tree.actions[index]
    return node


@kernel
def sort_best(tree: Tree, count: int, breadth: int) -> None:
    """Bring the likeliest actions of the scratch to its front; equal ones keep their order."""
    for index in range(1, count):
        prior, action = tree.priors[index], tree.actions[index]
        at = min(index, breadth)
        if at < index and tree.priors[at - 1] >= prior:
            continue
        at = at if at == index else at - 1
        while at > 0 and tree.priors[at - 1] < prior:
            tree.priors[at], tree.actions[at] = tree.priors[at - 1], tree.actions[at - 1]
            at -= 1
        tree.priors[at], tree.actions[at] = prior, action


@kernel
def outcomes(board: BoardArrays, tree: Tree, position: Position) -> int:
    """Write the kinds that may be drawn and their odds into the scratch (C2.1)."""
    count = 0
    for kind in range(board.kinds):
        if position.bag[kind] > 0:
            tree.actions[count] = kind
            tree.priors[count] = position.bag[kind] / position.left
            count += 1
    return count


@kernel
def set_priors(board: BoardArrays, tree: Tree, position: Position, count: int) -> None:
    """How likely each legal action looks: its worth, through a softmax."""
    highest = -np.inf
    for index in range(count):
        tree.priors[index] = worth_of_action(board, tree.mind, position, tree.actions[index])
        highest = max(highest, tree.priors[index])
    total = 0.0
    for index in range(count):
        tree.priors[index] = math.exp((tree.priors[index] - highest) * tree.sharpness)
        total += tree.priors[index]
    for index in range(count):
        tree.priors[index] /= total


@kernel
def evaluate(board: BoardArrays, tree: Tree, position: Position, leaf: Leaf) -> None:
    """Play on a little, or to the end, and judge what is there."""
    play_quickly(board, tree.mind, position)
    if position.phase == Phase.OVER:
        judge_end(position, leaf)
        return
    for seat in range(position.players):
        leaf.points[seat] = promise(board, tree.mind, position, seat)
    doubt = tree.mind.weights[DOUBT] + tree.mind.weights[DOUBT_LEFT] * position.left
    expect_win(leaf, position.players, doubt)


@kernel
def judge_end(position: Position, leaf: Leaf) -> None:
    """The points and the win of a game that is over."""
    for seat in range(position.players):
        leaf.points[seat] = position.scores[seat]
    share_win(leaf, position.players)


@kernel
def share_win(leaf: Leaf, players: int) -> None:
    """The highest points win; those who have equally many share it (C8.4)."""
    best, winners = -np.inf, 0
    for seat in range(players):
        if leaf.points[seat] > best:
            best, winners = leaf.points[seat], 0
        winners += leaf.points[seat] == best
    for seat in range(players):
        leaf.win_share[seat] = 1.0 / winners if leaf.points[seat] == best else 0.0


@kernel
def expect_win(leaf: Leaf, players: int, doubt: float) -> None:
    """How likely each seat's points make its win, where `doubt` more of them make it e times as likely."""
    highest, total = -np.inf, 0.0
    for seat in range(players):
        highest = max(highest, leaf.points[seat])
    for seat in range(players):
        leaf.win_share[seat] = math.exp((leaf.points[seat] - highest) / doubt)
        total += leaf.win_share[seat]
    for seat in range(players):
        leaf.win_share[seat] /= total


@kernel
def set_utility(tree: Tree, leaf: Leaf, players: int) -> None:
    """What each seat wants: to win, and to lead by much; from 0 to 1."""
    for seat in range(players):
        lead = math.tanh(lead_of(leaf, seat, players) / tree.lead_scale)
        leaf.utility[seat] = tree.win_weight * leaf.win_share[seat] + (1.0 - tree.win_weight) * (0.5 + 0.5 * lead)


@kernel
def lead_of(leaf: Leaf, seat: int, players: int) -> float:
    """A seat's points above the best other's."""
    others = -np.inf
    for other in range(players):
        if other != seat:
            others = max(others, leaf.points[other])
    return float(leaf.points[seat] - others)


@kernel
def back_up(tree: Tree, nodes: np.ndarray, edges: np.ndarray, roots: np.ndarray, leaf: Leaf, players: int) -> None:
    """Add what the leaf is worth to all that led to it: to each edge for the seat that chose it."""
    set_utility(tree, leaf, players)
    for step in range(leaf.length):
        node, edge = leaf.nodes[step], leaf.edges[step]
        nodes[node].waiting -= 1
        seat = nodes[node].seat
        if seat != CHANCE_SEAT:
            nodes[node].value += leaf.utility[seat]
            edges[edge].value += leaf.utility[seat]
    told = roots[int(leaf.edges[0]) - int(nodes[tree.root].first)]
    told.visits += 1
    for seat in range(players):
        told.win_share[seat] += leaf.win_share[seat]
        told.points[seat] += leaf.points[seat]


# ---- what is called from Python: records in arrays of one


@kernel
def plant(board: np.ndarray, tree: np.ndarray, nodes: np.ndarray, edges: np.ndarray, root: np.ndarray) -> None:
    """An empty tree with a root for this position: all its actions."""
    tree[0].nodes = 0
    tree[0].edges = 0
    tree[0].root = add_node(board[0], tree[0], nodes, edges, root[0], ACTIONS)


@kernel
def simulate(
    board: np.ndarray,
    tree: np.ndarray,
    nodes: np.ndarray,
    edges: np.ndarray,
    roots: np.ndarray,
    root: np.ndarray,
    work: np.ndarray,
    leaves: np.ndarray,
    waiting: np.ndarray,
    asking: np.ndarray,
    count: int,
) -> int:
    """So many simulations from the root's position, each judged by a playout; how many were made.

    Fewer where as many nodes wait for their priors as there is room for (`waiting`, their positions in `asking`).
    """
    for made in range(count):
        if tree[0].asked >= waiting.size:
            return made
        work[0] = root[0]
        descend(board[0], tree[0], nodes, edges, work[0], leaves[0])
        if tree[0].ask_at > 0:
            ask(board[0], tree[0], nodes, edges, root, leaves[0], waiting, asking)
        expand(board[0], tree[0], nodes, edges, work[0], leaves[0])
        evaluate(board[0], tree[0], work[0], leaves[0])
        back_up(tree[0], nodes, edges, roots, leaves[0], root[0].players)
    return count


@kernel
def ask(
    board: BoardArrays,
    tree: Tree,
    nodes: np.ndarray,
    edges: np.ndarray,
    root: np.ndarray,
    leaf: Leaf,
    waiting: np.ndarray,
    asking: np.ndarray,
) -> None:
    """Put a node of a way down that was visited just often enough, and is no draw, on the list; the first of them."""
    for step in range(1, leaf.length):
        node = leaf.nodes[step]
        if nodes[node].visits == tree.ask_at and nodes[node].seat != CHANCE_SEAT:
            waiting[tree.asked] = node
            asking[tree.asked] = root[0]
            play_down(board, nodes, edges, leaf, step, asking[tree.asked])
            tree.asked += 1
            return


@kernel
def play_down(
    board: BoardArrays, nodes: np.ndarray, edges: np.ndarray, leaf: Leaf, steps: int, position: Position
) -> None:
    """So many steps of a way down, from the root's position."""
    for step in range(steps):
        action = edges[leaf.edges[step]].action
        if nodes[leaf.nodes[step]].seat == CHANCE_SEAT:
            apply_outcome(position, action)
        else:
            apply(board, position, action)


@kernel
def answer(tree: np.ndarray, nodes: np.ndarray, edges: np.ndarray, waiting: np.ndarray, priors: np.ndarray) -> None:
    """Give the nodes that wait their priors; the list is empty then."""
    for index in range(tree[0].asked):
        node = waiting[index]
        first = int(nodes[node].first)
        behind = first + int(nodes[node].count)
        total = 0.0
        for edge in range(first, behind):
            total += priors[index, edges[edge].action]
        if total > 0.0:
            for edge in range(first, behind):
                given = priors[index, edges[edge].action] / total
                edges[edge].prior += tree[0].trust * (given - edges[edge].prior)
            sort_untried(edges, first, behind)
    tree[0].asked = 0


@kernel
def sort_untried(edges: np.ndarray, first: int, behind: int) -> None:
    """Of a node's edges those that were tried stay in front; behind them the likeliest come first."""
    start = first
    while start < behind and edges[start].visits > 0:
        start += 1
    for index in range(start + 1, behind):
        prior, action = edges[index].prior, edges[index].action
        at = index
        while at > start and edges[at - 1].prior < prior:
            edges[at].prior, edges[at].action = edges[at - 1].prior, edges[at - 1].action
            at -= 1
        edges[at].prior, edges[at].action = prior, action


# ---- the same with an evaluator in Python, in batches


@kernel
def use_priors(board: BoardArrays, tree: Tree, position: Position, given: np.ndarray) -> int:
    """Write the legal actions and the given priors (by action, made to sum to 1) into the scratch; how many."""
    count = legal_actions(board, position, tree.actions)
    total = 0.0
    for index in range(count):
        tree.priors[index] = max(0.0, given[tree.actions[index]])
        total += tree.priors[index]
    for index in range(count):
        tree.priors[index] = tree.priors[index] / total if total > 0.0 else 1.0 / count
    return count


@kernel
def plant_with(
    board: np.ndarray,
    tree: np.ndarray,
    nodes: np.ndarray,
    edges: np.ndarray,
    root: np.ndarray,
    priors: np.ndarray,
) -> None:
    """An empty tree with a root for this position, its priors given."""
    tree[0].nodes = 0
    tree[0].edges = 0
    count = use_priors(board[0], tree[0], root[0], priors[0])
    tree[0].root = append_node(tree[0], nodes, edges, root[0], count, count)


@kernel
def descend_many(
    board: np.ndarray,
    tree: np.ndarray,
    nodes: np.ndarray,
    edges: np.ndarray,
    root: np.ndarray,
    work: np.ndarray,
    leaves: np.ndarray,
    count: int,
) -> None:
    """So many ways down the tree; their positions are in `work`."""
    for index in range(count):
        work[index] = root[0]
        descend(board[0], tree[0], nodes, edges, work[index], leaves[index])


@kernel
def play_beside(
    board: BoardArrays, tree: Tree, position: Position, leaf: Leaf, scratch: np.ndarray, second: np.ndarray
) -> None:
    """Mix what a leaf is said to be worth with what some playouts from there bring."""
    share = (1.0 - tree.value_trust) / tree.playouts
    for seat in range(position.players):
        leaf.win_share[seat] *= tree.value_trust
        leaf.points[seat] *= tree.value_trust
    for _ in range(tree.playouts):
        scratch[0] = position
        evaluate(board, tree, scratch[0], second[0])
        for seat in range(position.players):
            leaf.win_share[seat] += share * second[0].win_share[seat]
            leaf.points[seat] += share * second[0].points[seat]


@kernel
def take_in(
    board: np.ndarray,
    tree: np.ndarray,
    nodes: np.ndarray,
    edges: np.ndarray,
    roots: np.ndarray,
    work: np.ndarray,
    leaves: np.ndarray,
    priors: np.ndarray,
    win_share: np.ndarray,
    points: np.ndarray,
    scratch: np.ndarray,
    second: np.ndarray,
    count: int,
) -> None:
    """Expand the leaves of a batch with these priors and back up these values; a finished game's are its own."""
    for index in range(count):
        position, leaf = work[index], leaves[index]
        for seat in range(position.players):
            leaf.points[seat] = points[index, seat]
            leaf.win_share[seat] = win_share[index, seat]
        if position.phase == Phase.OVER:
            judge_end(position, leaf)
        elif edges[leaf.edges[leaf.length - 1]].child == NO_NODE:
            found = use_priors(board[0], tree[0], position, priors[index])
            node = append_node(tree[0], nodes, edges, position, found, min(found, int(tree[0].breadth)))
            edges[leaf.edges[leaf.length - 1]].child = node
        if tree[0].playouts > 0 and position.phase != Phase.OVER:
            play_beside(board[0], tree[0], position, leaf, scratch, second)
        back_up(tree[0], nodes, edges, roots, leaf, position.players)
