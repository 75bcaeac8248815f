"""The search's own kernels, made around a game's: one tree a game, for the CPU and the GPU alike.

A tree keeps no positions: every simulation steps from the root's with the rules' kernels. A node is a decision; it has
an edge for every answer that was tried; an edge leads to a node for every outcome that chance had there. Node number n
is what the network was asked at its n-th call, so that its policy is looked up there and nothing is copied.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from embertown.core.jit import fresh_kernel, kernel, next_random, random_below
from embertown.training.games import TrainingGame
from embertown.training.kernels import GROUP, MARGIN, OUTCOMES, SHARE, judging

NOTHING = -1
"""No node, no edge, no answer."""
ROOT = 0
LOTS = 1 << 24
"""So many different lots between 0 and 1."""
LOWEST = -1e30
"""Below every score."""
GOLDEN = 0.618033988749895
"""Lots that go on by this share lie spread evenly from the first on."""

NOISE, VISIT_OFFSET, TRUST, WIN_WEIGHT, HABITS = range(5)
"""Where in `Forest.habits` what stands."""

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("edge", np.int16),  # that leads here
                ("next", np.int16),  # the node of another outcome of the same edge
                ("drawn", np.int16),  # what chance had decided
                ("first", np.int16),  # of its edges
                ("fresh", np.int16),  # the likeliest answer that was not tried
                ("seat", np.int16),  # that acts
                ("fresh_prior", np.float32),
                ("worth", np.float32),  # to the seat that acts, as the network says
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
                ("node", np.int16),  # where it begins
                ("next", np.int16),  # edge of the same node
                ("first", np.int16),  # of the nodes that it leads to
                ("answer", np.int16),
                ("visits", np.int32),
                ("prior", np.float32),
                ("score", np.float32),  # at the root: the logarithm of the prior, with noise
                ("lot", np.float32),  # where chance's outcomes begin
                ("total", np.float32),  # of what it was worth to the seat that acts
            ],
            align=True,
        ),
    )
)
TREE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("considered", np.int16),  # how many answers at the root
                ("edge", np.int16),  # of the leaf that was reached
                ("drawn", np.int16),
                ("over", np.int16),  # whether the game ends at that leaf
            ],
            align=True,
        ),
    )
)


class Forest(NamedTuple):
    """All arrays of a search in many games, by game unless said otherwise."""

    boards: Any
    symmetries: Any
    layout_of: Any
    positions: Any
    memories: Any
    randoms: Any
    answers: Any
    leaves: Any
    """Positions, on the way from the root to a leaf."""
    leaf_memories: Any
    nodes: Any
    edges: Any
    """The first of them are the root's, then one for each simulation."""
    trees: Any
    sums: Any
    """[game, edge of the root, outcome]: what came of it."""
    ends: Any
    """[game, outcome]: what the leaf is worth, by seat."""
    scores: Any
    schedule: Any
    """[considered, simulation]: how often an answer was tried that is next."""
    habits: Any
    priors: Any
    """[game, call, answer]: the network's policy."""
    values: Any
    """[game, outcome]: the network's values of the leaf, counted from the seat that acts there."""
    observations: Any
    masks: Any
    wanted: Any
    """[game, answer]: the improved policy."""
    worths: Any
    """[game, outcome]: what the root is worth, counted from the seat that acts."""


# ---- numbers


@kernel
def lot(random: np.uint64) -> float:
    """A number between 0 and 1, neither of them."""
    return (random_below(random, LOTS) + 0.5) / LOTS


@kernel
def wish(outcome: np.ndarray, seat: int, win_weight: float) -> float:
    """What a seat wants: the share of the win, and the lead."""
    return win_weight * outcome[SHARE + seat] + (1.0 - win_weight) * outcome[MARGIN + seat]  # type: ignore[no-any-return]


@kernel
def turn(values: np.ndarray, players: int, by: int, out: np.ndarray) -> None:
    """Both halves of a row of values, so many seats further; absent ones are worth nothing."""
    for part in range(OUTCOMES):
        out[part] = 0.0
    for seat in range(players):
        other = (seat + by) % players
        out[SHARE + seat] = values[SHARE + other]
        out[MARGIN + seat] = values[MARGIN + other]


@kernel
def mean(edges: np.ndarray, edge: int) -> float:
    """What an edge that was tried is worth to the seat that acts."""
    return edges[edge].total / edges[edge].visits  # type: ignore[no-any-return]


@kernel
def survey(node: Any, edges: np.ndarray) -> tuple[int, int, float]:
    """How often a node's edges were tried, the most of them, and what untried answers are taken to be worth.

    That is the network's value of the node, mixed with those tried, each as likely as the policy says.
    """
    total, most, likely, weighted = 0, 0, 0.0, 0.0
    edge = int(node.first)
    while edge != NOTHING:
        visits = int(edges[edge].visits)
        if visits > 0:
            total += visits
            most = max(most, visits)
            likely += edges[edge].prior
            weighted += edges[edge].prior * mean(edges, edge)
        edge = int(edges[edge].next)
    known = weighted / likely if likely > 0.0 else 0.0
    return total, most, (node.worth + total * known) / (1.0 + total)


@kernel
def parts(node: Any, edges: np.ndarray, factor: float, mixed: float) -> tuple[float, float, float]:
    """What the improved policy is made of: the highest value, the part of an untried answer, the sum of all.

    An answer's part is prior * exp(factor * (value - highest)); untried answers' values are `mixed`.
    """
    highest, whole, untried = mixed, 0.0, 1.0
    edge = int(node.first)
    while edge != NOTHING:
        if edges[edge].visits > 0:
            highest = max(highest, mean(edges, edge))
        edge = int(edges[edge].next)
    edge = int(node.first)
    while edge != NOTHING:
        if edges[edge].visits > 0:
            whole += edges[edge].prior * math.exp(factor * (mean(edges, edge) - highest))
            untried -= edges[edge].prior
        edge = int(edges[edge].next)
    part = math.exp(factor * (mixed - highest))
    return highest, part, whole + max(untried, 0.0) * part


# ---- choosing


@kernel
def choose_at_root(edges: np.ndarray, node: Any, considered: int, wanted: int, habits: np.ndarray) -> int:
    """Of the answers that were tried so often, the best by noise, policy and value (sequential halving)."""
    _, most, mixed = survey(node, edges)
    factor = (habits[VISIT_OFFSET] + most) * habits[TRUST]
    best, best_score = 0, LOWEST
    for edge in range(considered):
        if edges[edge].visits == wanted:
            value = mean(edges, edge) if wanted > 0 else mixed
            score = edges[edge].score + factor * value
            if score > best_score:
                best, best_score = edge, score
    return best


@kernel
def choose_inside(edges: np.ndarray, node: Any, habits: np.ndarray) -> int:
    """The answer that was tried least for what the improved policy asks; `NOTHING` is the likeliest untried one."""
    total, most, mixed = survey(node, edges)
    factor = (habits[VISIT_OFFSET] + most) * habits[TRUST]
    highest, part, whole = parts(node, edges, factor, mixed)
    best, best_score = NOTHING, LOWEST
    if node.fresh != NOTHING:
        best_score = node.fresh_prior * part / whole
    edge = int(node.first)
    while edge != NOTHING:
        chance = edges[edge].prior * math.exp(factor * (mean(edges, edge) - highest)) / whole
        score = chance - edges[edge].visits / (1.0 + total)
        if score > best_score:
            best, best_score = edge, score
        edge = int(edges[edge].next)
    return best


@kernel
def find_fresh(node: Any, priors: np.ndarray) -> None:
    """The next likeliest answer after the one that was the likeliest; of equal ones the first."""
    before, last = node.fresh_prior, int(node.fresh)
    best, best_prior = NOTHING, np.float32(0.0)
    for answer in range(priors.shape[0]):
        prior = priors[answer]
        comes_later = prior < before or (prior == before and answer > last)
        if comes_later and prior > best_prior:
            best, best_prior = answer, prior
    node.fresh, node.fresh_prior = best, best_prior


# ---- growing


@kernel
def begin_edge(edge: Any, node: int, following: int, prior: float, random: np.uint64) -> None:
    """An edge that was not tried; its answer is written elsewhere."""
    edge.node, edge.next, edge.first = node, following, NOTHING
    edge.visits, edge.total, edge.prior, edge.lot = 0, 0.0, prior, lot(random)


@kernel
def begin_node(node: Any, edge: int, drawn: int, seat: int, worth: float, priors: np.ndarray) -> None:
    """A decision of which nothing was tried."""
    node.edge, node.drawn, node.seat, node.worth = edge, drawn, seat, worth
    node.first, node.next, node.fresh, node.fresh_prior = NOTHING, NOTHING, NOTHING, np.float32(2.0)
    find_fresh(node, priors)


@kernel
def consider(edges: np.ndarray, most: int, priors: np.ndarray, noise: float, random: np.uint64) -> int:
    """Write the answers with the best scores into the root's edges, the best first; how many."""
    count = 0
    for answer in range(priors.shape[0]):
        if priors[answer] > 0.0:
            score = math.log(priors[answer]) - noise * math.log(-math.log(lot(random)))
            random = next_random(random)
            if count < most or score > edges[count - 1].score:
                count = min(count + 1, most)
                place = count - 1
                while place > 0 and edges[place - 1].score < score:
                    edges[place].score, edges[place].answer = edges[place - 1].score, edges[place - 1].answer
                    place -= 1
                edges[place].score, edges[place].answer = score, answer
    return count


@kernel
def back_up(nodes: np.ndarray, edges: np.ndarray, edge: int, end: np.ndarray, sums: np.ndarray, weight: float) -> None:
    """Add what a leaf is worth to all edges on the way to it."""
    node = int(edges[edge].node)
    edges[edge].visits += 1
    edges[edge].total += wish(end, int(nodes[node].seat), weight)
    while node != ROOT:
        edge = int(nodes[node].edge)
        node = int(edges[edge].node)
        edges[edge].visits += 1
        edges[edge].total += wish(end, int(nodes[node].seat), weight)
    for part in range(OUTCOMES):
        sums[edge, part] += end[part]


@kernel
def child_of(nodes: np.ndarray, edges: np.ndarray, edge: int, drawn: int) -> int:
    """The node that an edge leads to with this outcome."""
    node = int(edges[edge].first)
    while node != NOTHING and nodes[node].drawn != drawn:
        node = int(nodes[node].next)
    return node


@kernel
def next_lot(edge: Any) -> float:
    """By lot the first time, then spread evenly, so that a few outcomes stand for all."""
    share = edge.lot + edge.visits * GOLDEN
    return share - int(share)  # type: ignore[no-any-return]


# ---- at the end


@kernel
def improve(edges: np.ndarray, node: Any, priors: np.ndarray, habits: np.ndarray, wanted: np.ndarray) -> float:
    """Write the improved policy; what of it goes to answers that were not tried."""
    _, most, mixed = survey(node, edges)
    factor = (habits[VISIT_OFFSET] + most) * habits[TRUST]
    highest, part, whole = parts(node, edges, factor, mixed)
    for answer in range(priors.shape[0]):
        wanted[answer] = priors[answer] * part / whole
    tried = 0.0
    edge = int(node.first)
    while edge != NOTHING:
        if edges[edge].visits > 0:
            share = edges[edge].prior * math.exp(factor * (mean(edges, edge) - highest)) / whole
            wanted[edges[edge].answer] = share
            tried += share
        edge = int(edges[edge].next)
    return max(1.0 - tried, 0.0)


@kernel
def most_tried(edges: np.ndarray, considered: int) -> int:
    """How often the answer was tried that was tried most."""
    most = 0
    for edge in range(considered):
        most = max(most, int(edges[edge].visits))
    return most


@kernel
def value_root(
    edges: np.ndarray, node: Any, wanted: np.ndarray, untried: float, sums: np.ndarray, end: np.ndarray
) -> None:
    """What the root is worth to every seat under the improved policy; `end` begins as what the network says."""
    total, _, _ = survey(node, edges)
    for part in range(OUTCOMES):
        likely, known, improved = 0.0, 0.0, 0.0
        edge = int(node.first)
        while edge != NOTHING:
            if edges[edge].visits > 0:
                value = sums[edge, part] / edges[edge].visits
                likely += edges[edge].prior
                known += edges[edge].prior * value
                improved += wanted[edges[edge].answer] * value
            edge = int(edges[edge].next)
        mixed = (end[part] + total * known / likely) / (1.0 + total) if total > 0 else end[part]
        end[part] = improved + untried * mixed


# ---- one call of one game


@cache
def one_search(game: TrainingGame) -> Any:
    """(game's index, number of the call, forest): take in what the network said, then walk on to what it is asked next.

    The first call is about the root itself; after the last one the answer is decided instead.
    """
    take_in, walk, decide = _take_in(), _walk(game), _decide()

    def search_one(index: int, call: int, forest) -> None:  # type: ignore[no-untyped-def]
        take_in(index, call, forest)
        if call < forest.schedule.shape[1]:
            walk(index, call, forest)
        else:
            decide(index, forest)

    return fresh_kernel(search_one)


def _take_in() -> Any:
    """The root with the answers to consider, or the leaf that was reached: a new node, and what it is worth."""

    def plant(index: int, forest) -> None:  # type: ignore[no-untyped-def]
        nodes, edges, habits = forest.nodes[index], forest.edges[index], forest.habits
        seat, players = int(forest.positions[index].seat), int(forest.positions[index].players)
        turn(forest.values[index], players, players - seat, forest.ends[index])
        priors, most = forest.priors[index, 0], edges.shape[0] - forest.schedule.shape[1]
        begin_node(nodes[ROOT], NOTHING, 0, seat, wish(forest.ends[index], seat, habits[WIN_WEIGHT]), priors)
        for part in range(OUTCOMES):
            forest.worths[index, part] = forest.ends[index, part]
        considered = consider(edges, most, priors, habits[NOISE], forest.randoms[index])
        forest.trees[index].considered = considered
        for _ in range(priors.shape[0]):
            forest.randoms[index] = next_random(forest.randoms[index])
        nodes[ROOT].first = 0
        for edge in range(considered):
            following = edge + 1 if edge + 1 < considered else NOTHING
            begin_edge(edges[edge], ROOT, following, priors[edges[edge].answer], forest.randoms[index])
            forest.randoms[index] = next_random(forest.randoms[index])
            for part in range(OUTCOMES):
                forest.sums[index, edge, part] = 0.0

    plant = fresh_kernel(plant)

    def take_in(index: int, call: int, forest) -> None:  # type: ignore[no-untyped-def]
        if call == 0:
            plant(index, forest)
            return
        nodes, edges, tree, weight = (
            forest.nodes[index],
            forest.edges[index],
            forest.trees[index],
            forest.habits[WIN_WEIGHT],
        )
        edge = int(tree.edge)
        if tree.over == 0:
            seat, players = int(forest.leaves[index].seat), int(forest.leaves[index].players)
            turn(forest.values[index], players, players - seat, forest.ends[index])
            worth = wish(forest.ends[index], seat, weight)
            begin_node(nodes[call], edge, int(tree.drawn), seat, worth, forest.priors[index, call])
            nodes[call].next = edges[edge].first
            edges[edge].first = call
        back_up(nodes, edges, edge, forest.ends[index], forest.sums[index], weight)

    return fresh_kernel(take_in)


def _walk(game: TrainingGame) -> Any:
    """From the root to a leaf: an answer or an outcome that is new, or the end of the game."""
    kernels, judge = game.kernels, judging(game)
    action_of, go, is_over = kernels.action_of, kernels.step_by_share, kernels.is_over
    acting_seat, observe, mask = kernels.acting_seat, kernels.observe, kernels.mask

    def pick(index: int, call: int, node: int, forest) -> int:  # type: ignore[no-untyped-def]
        nodes, edges, tree = forest.nodes[index], forest.edges[index], forest.trees[index]
        if node == ROOT:
            wanted = int(forest.schedule[tree.considered, call])
            return choose_at_root(edges, nodes[ROOT], int(tree.considered), wanted, forest.habits)
        edge = choose_inside(edges, nodes[node], forest.habits)
        if edge == NOTHING:
            edge = edges.shape[0] - forest.schedule.shape[1] + call
            begin_edge(edges[edge], node, int(nodes[node].first), nodes[node].fresh_prior, forest.randoms[index])
            forest.randoms[index] = next_random(forest.randoms[index])
            edges[edge].answer = nodes[node].fresh
            nodes[node].first = edge
            find_fresh(nodes[node], forest.priors[index, node])
        return edge

    pick = fresh_kernel(pick)

    def walk(index: int, call: int, forest) -> None:  # type: ignore[no-untyped-def]
        layout = forest.layout_of[index // GROUP]
        nodes, edges, tree = forest.nodes[index], forest.edges[index], forest.trees[index]
        forest.leaves[index] = forest.positions[index]
        forest.leaf_memories[index] = forest.memories[index]
        node, edge, drawn, over = ROOT, 0, 0, False
        while node != NOTHING and not over:
            edge = pick(index, call, node, forest)
            seat, share = int(nodes[node].seat), next_lot(edges[edge])
            answer = int(edges[edge].answer)
            action = action_of(forest.boards[layout], forest.leaves[index], forest.symmetries[layout], answer)
            drawn = go(forest.boards[layout], forest.leaves[index], forest.leaf_memories[index], seat, action, share)
            over = is_over(forest.leaves[index])
            node = child_of(nodes, edges, edge, drawn)
        tree.edge, tree.drawn, tree.over = edge, drawn, 1 if over else 0
        if over:
            judge(forest.boards[layout], forest.leaves[index], forest.ends[index], forest.scores[index])
            return
        seat = acting_seat(forest.leaves[index])
        board, symmetry = forest.boards[layout], forest.symmetries[layout]
        observe(board, forest.leaves[index], forest.leaf_memories[index], seat, symmetry, forest.observations[index])
        mask(board, forest.leaves[index], seat, symmetry, forest.masks[index])

    return fresh_kernel(walk)


def _decide() -> Any:
    """The improved policy, the answer, and what the root is worth."""

    def decide(index: int, forest) -> None:  # type: ignore[no-untyped-def]
        nodes, edges = forest.nodes[index], forest.edges[index]
        considered = int(forest.trees[index].considered)
        untried = improve(edges, nodes[ROOT], forest.priors[index, 0], forest.habits, forest.wanted[index])
        most = most_tried(edges, considered)
        best = choose_at_root(edges, nodes[ROOT], considered, most, forest.habits)
        forest.answers[index] = edges[best].answer
        for part in range(OUTCOMES):
            forest.ends[index, part] = forest.worths[index, part]
        value_root(edges, nodes[ROOT], forest.wanted[index], untried, forest.sums[index], forest.ends[index])
        turn(forest.ends[index], int(forest.positions[index].players), int(nodes[ROOT].seat), forest.worths[index])

    return fresh_kernel(decide)
