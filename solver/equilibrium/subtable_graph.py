"""The graph of all closed sub-tables of a game, stored once, swept many times.

One node for every symmetry orbit of closed sub-tables that shots can lead to
(``solver.search.exact_search`` says why (H, M) is an exact key in modes ``hit`` and ``sunk``), and
for each node the shots worth weighing, each with the nodes that its answers lead to. Once it is
stored, the best tree against *any* weights w of the layouts is one sweep from the leaves to the
root,

    least(v) = min over shots of  sum over answers a of  least(v_a) + w(v_a) [a is a miss],

a few tens of milliseconds where a search takes seconds. The weights must be the same for all
symmetric images of a layout, else images of a sub-table would not have equal value.

Left out are shots that are no better whatever the weights: a cell that is occupied only where
another one is too, and a shot that splits the sub-table into images of the parts of another.

Sub-tables are parted as the search parts them (``solver.search.answers``, which names the
parameters that kernels share). Children have smaller numbers than their parents, and the last node
is the start of the game. The start has one action, of cell -1: it leads to the sub-tables that
certain hits split the whole table into. A node's children through one action are disjoint and
together hold its layouts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.kernels import ONE, ZERO, group, kernel, lowest_bit, recursive_kernel
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.answers import (
    close_entries,
    count_and_close,
    is_dominated,
    partition_by_answers,
    push,
)
from seabattle.solver.search.arrays import (
    AFTER_HIT,
    AFTER_MISS,
    CERTAIN,
    CHILD_PLANES,
    COUNT_PLANES,
    ENTRY_COLUMNS,
    HI,
    LO,
    MASK_COLUMNS,
    MISSED,
    OCCUPIED,
    Arena,
    Game,
    H,
    NumberPlanes,
    NumberRows,
    Numbers,
    U,
    WordPlanes,
    WordRows,
    Words,
)
from seabattle.solver.search.keys import canonical_key
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import ONE_WORD_CELLS, Problem
from seabattle.solver.search.table import EMPTY, find_key, move_keys
from seabattle.solver.search.work import (
    ALLOWANCE,
    ARENA_TOP,
    COUNTERS,
    DOMINANCE,
    FULL_ARENA,
    MODE,
    OPTIONS,
    PLAIN,
    STATUS,
    STOP,
    spend,
)
from seabattle.trees.plans import (
    ANSWER,
    OPEN_NODE,
    PARENT,
    Grower,
    begin,
    next_node,
    push_answers,
    require_plannable,
)

BYTES_PER_NODE = 350
"""Memory that a node takes while the graph is built, its actions and edges included."""

_SAMPLED_ROWS = 3_000
_WORK = 20_000_000  # rows looked at between two reports

Report = Callable[[str], None]
"""Called a few times a second with what is being done."""


@dataclass(frozen=True)
class BestResponse:
    """The best tree against given weights.

    Attributes
    ----------
    value
        Its total misses: a float, or an int for integer weights.
    misses
        int64 ``(n_orbits,)``: its misses added up over the layouts of each orbit.
    plan
        int8 ``(n_shots,)``: its open shots (``trees.plans``).
    """

    value: float
    misses: NDArray[np.int64]
    plan: NDArray[np.int8]


class SubtableGraph:
    """All closed sub-tables of a game, one per symmetry orbit, and the shots between them.

    Parameters
    ----------
    table
        The decision table of a whole game, in answer mode ``hit`` or ``sunk``, where ships do
        not share sides.
    limits
        When to stop building.
    dominance
        Leave out shots that are no better than another one whatever the weights.
    report
        Called with the progress of building.

    Attributes
    ----------
    orbit
        int64 ``(n_layouts,)``: symmetry orbit of each layout, in order of their first layouts.
    sizes
        int64 ``(n_orbits,)``: layouts in each orbit.

    Raises
    ------
    RulesError
        If the game is of another kind.
    TooLargeError
        If the graph is estimated not to fit in the memory limit; said before building it.
    LimitReached
        If building it reaches a limit after all.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> graph = SubtableGraph(DecisionTable.build(Rules("4x4", "3,2,1")))
    >>> graph.best_response(np.ones(len(graph.sizes), dtype=np.int64)).value
    605
    """

    def __init__(
        self,
        table: DecisionTable,
        *,
        limits: Limits | None = None,
        dominance: bool = True,
        report: Report = lambda text: None,
    ) -> None:
        require_plannable(table.rules)
        self.rules, self.table = table.rules, table
        self.limits = limits or Limits()
        self.problem = Problem(DecisionTable(table.layouts), merge=False)
        self.game = self.problem.game_arrays()
        self._refuse_large()
        self.grower = Grower(table.layouts)
        least = self.problem.row_images().min(axis=0)
        self.orbit: NDArray[np.int64] = np.unique(least, return_inverse=True)[1].astype(np.int64)
        self.sizes: NDArray[np.int64] = np.bincount(self.orbit).astype(np.int64)
        self.key_shares, self.moves = self.problem.symmetry_arrays()
        self.images = np.argsort(self.moves[:, : self.problem.cells], axis=1)
        self._build(dominance, report)
        self._costs: dict[np.dtype[np.generic], NDArray[np.generic]] = {}

    def __len__(self) -> int:
        """Number of nodes: orbits of sub-tables, and the start."""
        return len(self.leaf)

    def __repr__(self) -> str:
        return (
            f"<graph of {len(self)} sub-tables, {len(self.cells)} actions, "
            f"{len(self.edges)} edges: {self.rules}>"
        )

    def _refuse_large(self) -> None:
        rules, problem = self.rules, self.problem
        if problem.cells > ONE_WORD_CELLS:
            raise TooLargeError(
                f"board {rules.board}: the sub-tables of boards of up to {ONE_WORD_CELLS} cells "
                f"are enumerated, this one has {problem.cells}"
            )
        most = self.limits.memory * 2**30 / BYTES_PER_NODE
        about = estimate_subtables(problem) / len(problem.symmetries)
        # Announced sinkings part sub-tables further and leave far fewer of them.
        margin = 1.1 if rules.answers is AnswerMode.HIT else 50
        if about > margin * most:
            raise TooLargeError(
                f"{rules.board} with {rules.fleet} has {len(problem):,} layouts and about "
                f"{about:.1e} sub-tables; {self.limits.memory:.3g} GiB hold about {most:.1e}. "
                f"Take a smaller board or more memory"
            )

    def _build(self, dominance: bool, report: Report) -> None:
        problem, levels = self.problem, self.problem.cells + 3
        options = np.zeros(OPTIONS, dtype=np.int64)
        options[MODE], options[DOMINANCE] = problem.mode, dominance
        counters = np.zeros(COUNTERS, dtype=np.int64)
        counts = np.zeros((levels, COUNT_PLANES, 64), dtype=np.int64)
        together = np.zeros((levels, 64), dtype=np.uint64)
        children = np.zeros((levels, CHILD_PLANES, 64), dtype=np.uint64)
        ids = np.arange(len(problem), dtype=np.int32)
        graph, room = _empty_graph(1 << 12), 1 << 10
        done = STOP
        while done == STOP:
            arena = Arena(
                np.zeros((room, ENTRY_COLUMNS), dtype=np.int64),
                np.zeros((room, MASK_COLUMNS), dtype=np.uint64),
                np.zeros((room, 0), dtype=np.uint64),
            )
            gathered = Gathered(
                np.zeros((levels, 64), dtype=np.int64),
                np.zeros((levels, 64), dtype=np.int8),
                np.zeros((levels, room), dtype=np.int32),
            )
            counters[ALLOWANCE], counters[STATUS] = _WORK, 0
            done = explore_all(
                ids,
                Building(
                    *(self.game, arena, self.key_shares, self.moves, options, counts, together),
                    *(children, gathered, graph, counters),
                ),
            )
            if counters[STATUS] == FULL_GRAPH:
                graph = self._larger(graph)
            elif counters[STATUS] == FULL_ARENA:
                room *= 2
            nodes = int(graph.used[NODES])
            report(f"{nodes:,} sub-tables")
            if self.limits.stop is not None and self.limits.stop():
                raise KeyboardInterrupt
            if self.limits.deadline is not None and time.monotonic() > self.limits.deadline:
                raise LimitReached(
                    f"the time limit was reached with {nodes} sub-tables enumerated; the "
                    f"equilibrium needs them all"
                )
        nodes, actions, edges = graph.used.tolist()
        self.first = graph.first[: nodes + 1].copy()
        self.edges, self.cells = graph.edges[:edges].copy(), graph.cells[:actions].copy()
        self.keys, self.nodes = graph.keys, graph.nodes
        row = graph.row[:nodes]
        self.leaf = np.where(row < 0, -1, self.orbit[row]).astype(np.int32)

    def _larger(self, graph: Graph) -> Graph:
        """The graph with twice the room.

        Raises
        ------
        LimitReached
            If that would not fit in the memory limit.
        """
        nodes, actions, edges = graph.used.tolist()
        held = {"first": nodes, "row": nodes, "cells": actions, "edges": edges}
        tight = {name for name, used in held.items() if 2 * used > len(getattr(graph, name))}
        tight = tight or {"cells", "edges"}  # one node with a great many actions
        if "first" in tight:
            tight |= {"keys", "nodes"}
        needed = sum(a.nbytes * (1 + (name in tight)) for name, a in graph._asdict().items())
        if needed > self.limits.memory * 2**30:
            raise LimitReached(
                f"{nodes:,} sub-tables were enumerated, and to go on would take "
                f"{needed / 2**30:.2g} GiB; the memory limit leaves {self.limits.memory:.3g} GiB"
            )
        larger: dict[str, Any] = {name: _doubled(getattr(graph, name)) for name in tight}
        if "keys" in tight:
            larger["keys"].fill(EMPTY)
            move_keys(graph.keys, graph.nodes, larger["keys"], larger["nodes"])
        return graph._replace(**larger)

    def best_response(self, weights: NDArray[np.float64] | NDArray[np.int64]) -> BestResponse:
        """The best tree against weights, the same for all layouts of an orbit.

        Parameters
        ----------
        weights
            float64 or int64 ``(n_orbits,)``: weight of one layout of each orbit. The sum of
            integer weights over the layouts, times the cells of the board, stays below 2^62.
        """
        costs = self._costs.setdefault(weights.dtype, np.zeros(2 * len(self), weights.dtype))
        choice = np.empty(len(self), dtype=np.int64)
        sweep(self.first, self.edges, self.leaf, weights, costs, choice)
        misses = np.zeros(len(self.sizes), dtype=np.int64)
        grower = self.grower
        ids, stack, masks = grower.scratch()
        plan = np.empty(len(self.problem), dtype=np.int8)
        length = write_plan(
            choice, self.cells, self.keys, self.nodes, self.key_shares, self.images, grower.rows,
            grower.ships, self.orbit, ids, grower.full, grower.sunk, stack, masks, plan, misses,
        )  # fmt: skip
        return BestResponse(costs[2 * len(self) - 2].item(), misses, plan[:length].copy())


def estimate_subtables(problem: Problem) -> float:
    """About how many closed sub-tables the game has in mode ``hit``, symmetric ones apart.

    Every closed set is reached once in the tree that adds attributes ("cell c is occupied", "cell
    c is empty") in the order of the cells and drops a set whose closing adds one of an earlier
    cell (Close-by-One). The nodes of that tree are counted by heterogeneous sampling (P. C. Chen,
    SIAM Journal on Computing 21, 1992): nodes alike in last cell, size and cells still open are
    one stratum, of which one member, drawn at random, stands for all. Of tables with more than a
    few thousand layouts a random sample is taken, so that the estimate is then too low.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> problem = Problem(DecisionTable.build(Rules("4x4", "3,2,1")), merge=False)
    >>> 33_000 < estimate_subtables(problem) < 53_000  # it is 42,290
    True
    """
    generator = np.random.default_rng(0)
    ids = np.arange(len(problem), dtype=np.int32)
    if len(ids) > _SAMPLED_ROWS:
        ids = generator.choice(ids, _SAMPLED_ROWS, replace=False)
    game, full = problem.game_arrays(), np.uint64(problem.full)
    counts = np.zeros((COUNT_PLANES, 64), dtype=np.int64)
    together = np.zeros(64, dtype=np.uint64)
    children = np.zeros((CHILD_PLANES, 64), dtype=np.uint64)
    # For each last cell: (size, open cells) -> (members, rows, certain, occupied).
    strata: list[dict[tuple[int, int], tuple[float, NDArray[np.int32], int, int]]]
    strata = [{} for _ in range(problem.cells + 1)]
    strata[0][0, 0] = 1.0, ids, *problem.closure(ids.astype(np.int64))
    total = 0.0
    for last in range(problem.cells + 1):
        for members, held, certain, occupied in strata[last].values():
            total += members
            count_and_close(
                held, 0, len(held), np.uint64(certain), np.uint64(occupied), full, False, game,
                counts, together, children,
            )  # fmt: skip
            for cell in cells_of((occupied & ~certain) >> last << last):
                before = (1 << cell) - 1
                has = (problem.rows[held] >> np.uint64(cell) & np.uint64(1)).astype(bool)
                for child in (AFTER_HIT, AFTER_MISS):
                    h, u = (int(children[child + side, cell]) for side in (CERTAIN, OCCUPIED))
                    if ((h ^ certain) | (u ^ occupied)) & before:
                        continue
                    kept = held[has == (child == AFTER_HIT)]
                    mark = int(4 * math.log2(len(kept))), (u & ~h).bit_count()
                    stratum = strata[cell + 1]
                    known, *drawn = stratum.get(mark, (0.0, kept, h, u))
                    if generator.random() * (known + members) < members:
                        drawn = [kept, h, u]
                    stratum[mark] = known + members, *drawn
    return total


# Building

NODES, ACTIONS, EDGES = 0, 1, 2
"""Places in ``Graph.used``."""

FULL_GRAPH = 10
"""A status, after those of ``solver.search.work``."""

Cells = Annotated[NDArray[np.int8], "int8[::1]"]
CellRows = Annotated[NDArray[np.int8], "int8[:, ::1]"]
Links = Annotated[NDArray[np.int32], "int32[::1]"]
LinkRows = Annotated[NDArray[np.int32], "int32[:, ::1]"]


@group
class Graph(NamedTuple):
    """The graph being built, with room to spare; modified."""

    used: Numbers  # (3,): nodes, actions and edges so far
    keys: Words  # (capacity,), a power of 2: least key of each node but the start, EMPTY elsewhere
    nodes: Links  # (capacity,): node of each key
    first: Numbers  # (nodes + 1,): actions of node v are first[v] to first[v + 1] - 1
    # (edges,): 4 * child + 2 * missed + last: the node it leads to, 1 where the shot missed on the
    # way, 1 at the last edge of an action; there are fewer than 2^29 nodes
    edges: Links
    cells: Cells  # (actions,): cell shot, in the orientation of the node's least key
    row: Links  # (nodes,): the row of a node with one layout, -1 of others


def _empty_graph(size: int) -> Graph:
    """Room for so many nodes, and what they usually have of actions and edges."""
    return Graph(
        used=np.zeros(3, dtype=np.int64),
        keys=np.full(2 * size, EMPTY, dtype=np.uint64),
        nodes=np.zeros(2 * size, dtype=np.int32),
        first=np.zeros(size, dtype=np.int64),
        edges=np.zeros(32 * size, dtype=np.int32),
        cells=np.zeros(8 * size, dtype=np.int8),
        row=np.zeros(size, dtype=np.int32),
    )


def _doubled(array: NDArray[np.generic]) -> NDArray[np.generic]:
    return np.concatenate((array, np.zeros_like(array)))


@group
class Gathered(NamedTuple):
    """Actions gathered for the sub-tables on the path, by depth; modified."""

    ends: NumberRows  # (levels, 64): where the edges of each action end
    cells: CellRows  # (levels, 64): cell of each action
    edges: LinkRows  # (levels, size): 2 * child + missed


@group
class Building(NamedTuple):
    """What the kernels that build a graph share."""

    game: Game
    arena: Arena
    key_shares: WordPlanes  # what keys are made of, see ``keys``
    moves: NumberRows  # (symmetries, 64): image of each cell
    options: Numbers  # (OPTIONS,): MODE and DOMINANCE are read
    counts: NumberPlanes  # (levels, COUNT_PLANES, 64), scratch
    together: WordRows  # (levels, 64), scratch
    children: WordPlanes  # (levels, CHILD_PLANES, 64), scratch
    gathered: Gathered
    graph: Graph
    counters: Numbers  # (COUNTERS,), modified


@kernel
def add_node(word, row, count, depth, gathered, graph, counters):
    """Append a node with the actions gathered for it; return its number, or STOP (graph full).

    word : uint64, its key, EMPTY to enter none; row : int64, the row of a leaf, else -1
    count : int64, number of its actions; gathered : Gathered
    graph : Graph, modified; counters : STATUS modified
    """
    used = graph.used
    v, a, e = used[NODES], used[ACTIONS], used[EDGES]
    linked = gathered.ends[depth, count - 1] if count > 0 else 0
    if (
        v + 2 > graph.first.shape[0]
        or a + count > graph.cells.shape[0]
        or e + linked > graph.edges.shape[0]
    ):
        counters[STATUS] = FULL_GRAPH
        return STOP
    if word != EMPTY:
        slot = find_key(graph.keys, word)
        graph.keys[slot] = word
        graph.nodes[slot] = v
    for i in range(linked):
        graph.edges[e + i] = gathered.edges[depth, i] << 1
    for i in range(count):
        graph.cells[a + i] = gathered.cells[depth, i]
        graph.edges[e + gathered.ends[depth, i] - 1] |= 1
    graph.row[v] = row
    graph.first[v + 1] = a + count
    used[NODES] = v + 1
    used[ACTIONS] = a + count
    used[EDGES] = e + linked
    return v


@kernel
def is_new_action(depth, count, begin, end, gathered):
    """Sort an action's edges; whether no earlier action of the node has the same ones.

    Such an action splits the sub-table into images of the same parts.
    count : int64, number of earlier actions; begin, end : int64, the action's edges
    gathered : Gathered; edges modified
    """
    edges = gathered.edges[depth]
    for i in range(begin + 1, end):
        edge = edges[i]
        j = i
        while j > begin and edges[j - 1] > edge:
            edges[j] = edges[j - 1]
            j -= 1
        edges[j] = edge
    before = 0
    for a in range(count):
        after = gathered.ends[depth, a]
        if after - before == end - begin:
            i = 0
            while i < end - begin and edges[before + i] == edges[begin + i]:
                i += 1
            if i == end - begin:
                return False
        before = after
    return True


@kernel
def known_node(certain, occupied, full, building):
    """Number of a closed sub-table's node, -1 if it has none. certain, occupied, full : uint64."""
    word, _, _ = canonical_key(certain, full & ~occupied, building.key_shares, False)
    slot = find_key(building.graph.keys, word)
    return np.int64(building.graph.nodes[slot]) if building.graph.keys[slot] == word else -1


@recursive_kernel("int64(int32[::1], int64, int64, uint64, uint64, int64, Building)", Building)
def explore(ids, lo, hi, certain, occupied, depth, building):
    """Number of a closed sub-table's node; what is below it is explored first.

    A node is entered only when all below it were, so after STOP (an array is full, or the
    allowance is used up) a new call goes on where this one stopped.

    ids : modified
    building : graph, arena, scratch from level ``depth`` on, and counters modified
    """
    game = building.game
    graph = building.graph
    counters = building.counters
    counts = building.counts[depth]
    children = building.children[depth]
    gathered = building.gathered
    entries = building.arena.entries
    masks = building.arena.masks
    mode = building.options[MODE]
    full = building.game.full[0]
    word, _, symmetry = canonical_key(certain, full & ~occupied, building.key_shares, False)
    slot = find_key(graph.keys, word)
    if graph.keys[slot] == word:
        return np.int64(graph.nodes[slot])
    if not spend(hi - lo, counters):
        return STOP
    if hi - lo == 1:
        return add_node(word, np.int64(ids[lo]), 0, depth, gathered, graph, counters)
    unknown = occupied & ~certain
    count_and_close(
        ids, lo, hi, certain, occupied, full, False, game, counts, building.together[depth],
        children,
    )  # fmt: skip
    base = counters[ARENA_TOP]
    count = 0
    begun = 0
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        bit = ONE << np.uint64(c)
        left ^= bit
        alike = building.together[depth, c] & unknown & ~bit
        if building.options[DOMINANCE] == 1 and is_dominated(c, alike, counts):
            continue
        end = begun
        if mode == PLAIN:  # what the answers leave is known: no row moves if both have a node
            after_hit = known_node(
                children[AFTER_HIT + CERTAIN, c], children[AFTER_HIT + OCCUPIED, c], full, building
            )
            after_miss = known_node(
                children[AFTER_MISS + CERTAIN, c], children[AFTER_MISS + OCCUPIED, c], full,
                building,
            )  # fmt: skip
            if after_hit >= 0 and after_miss >= 0 and begun + 2 <= gathered.edges.shape[1]:
                gathered.edges[depth, begun] = 2 * after_hit
                gathered.edges[depth, begun + 1] = 2 * after_miss + 1
                end = begun + 2
        if end == begun:
            counters[ARENA_TOP] = base
            if (
                partition_by_answers(
                    ids, lo, hi, c, ZERO, game, mode, False, full, building.arena, counters
                )
                == STOP
            ):
                return STOP
            top = counters[ARENA_TOP]
            if begun + top - base > gathered.edges.shape[1]:
                counters[STATUS] = FULL_ARENA
                return STOP
            for p in range(base, top):
                child = explore(
                    ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], depth + 1,
                    building,
                )  # fmt: skip
                if child == STOP:
                    return STOP
                gathered.edges[depth, end] = 2 * child + entries[p, MISSED]
                end += 1
            counters[ARENA_TOP] = base
        if is_new_action(depth, count, begun, end, gathered):
            gathered.cells[depth, count] = building.moves[symmetry, c]
            gathered.ends[depth, count] = end
            count += 1
            begun = end
    return add_node(word, -1, count, depth, gathered, graph, counters)


@kernel
def explore_all(ids, building):
    """Explore the whole game and append its start.

    Returns the start's number, or STOP, after which it can be called again to go on.

    ids : all rows, modified; building : graph, arena, scratch and counters modified
    """
    counters = building.counters
    entries = building.arena.entries
    masks = building.arena.masks
    gathered = building.gathered
    full = building.game.full[0]
    counters[ARENA_TOP] = 0
    push(0, ids.shape[0], np.int64(0), ZERO, building.arena, counters)
    if (
        close_entries(0, ids, building.game, building.options[MODE], full, building.arena, counters)
        == STOP
    ):
        return STOP
    top = counters[ARENA_TOP]
    for p in range(top):
        child = explore(ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], 1, building)
        if child == STOP:
            return STOP
        gathered.edges[0, p] = 2 * child
    gathered.ends[0, 0] = top
    gathered.cells[0, 0] = -1
    return add_node(EMPTY, -1, 1, 0, gathered, building.graph, counters)


# Sweeping
#
# ``first``, ``edges``, ``cells``, ``keys`` and ``nodes`` are those of ``Graph``;
# ``leaf`` is int32 ``(n_nodes,)``, the orbit of the layout left, -1 where several are left;
# ``choice`` is int64 ``(n_nodes,)``, an action of each node.


@kernel
def sweep(first, edges, leaf, weights, costs, choice):
    """Least misses of every node for the given weights of the layouts.

    The edges are read once from front to end, which is what bounds the speed.
    weights : float64 or int64 (n_orbits,), weight of one layout of each orbit
    costs : as weights, (2 * n_nodes,), modified: costs[2 v] is the least total of node v, and
        costs[2 v + 1] that and the weight of its layouts, what an edge with a miss costs
    choice : modified: the first action that is least, -1 at a leaf
    The largest cost is at most (cells + 1) * (sum of the weights over the layouts).
    """
    e = 0
    nothing = weights[0] - weights[0]
    for v in range(leaf.shape[0]):
        if leaf[v] >= 0:
            costs[2 * v] = nothing
            costs[2 * v + 1] = weights[leaf[v]]
            choice[v] = -1
            continue
        weight = nothing
        best = nothing
        shot = first[v]
        while True:
            edge = edges[e]
            e += 1
            best += costs[edge >> 1]
            weight += costs[edge >> 1 | 1] - costs[(edge >> 1 | 1) - 1]
            if edge & 1:
                break
        for a in range(first[v] + 1, first[v + 1]):
            cost = nothing
            while True:
                edge = edges[e]
                e += 1
                cost += costs[edge >> 1]
                if edge & 1:
                    break
            if cost < best:
                best = cost
                shot = a
        costs[2 * v] = best
        costs[2 * v + 1] = best + weight
        choice[v] = shot


@kernel
def write_plan(
    choice, cells, keys, nodes, key_shares, images, rows, ships, orbit, ids, full, sunk, stack,
    masks, plan, misses,
):  # fmt: skip
    """Write down the open shots of the tree that ``choice`` grows, and what it misses.

    Returns the length of the plan. See ``trees.plans``; the column ``PARENT`` of the stack holds
    the misses before the last shot.

    key_shares : uint64 (bytes, 256, n_symmetries), see ``keys``
    images : int64 (n_symmetries, 64), the cell that each symmetry moves to a cell
    rows : uint64 (n_layouts,), occupied cells; ships : uint64 (n_layouts, n_ships), cells of each
    orbit : int64 (n_layouts,)
    ids : int32 (n_layouts,), numbers of the layouts, modified: they change places
    full : uint64, mask of the board; sunk : int64, 1 in answer mode sunk
    stack : int64 (n_layouts + 2, 4), masks : uint64 (n_layouts + 2, 3): scratch, modified
    plan : int8 (n_layouts,), modified
    misses : int64 (n_orbits,), modified: added up over the layouts of each orbit
    """
    level = begin(rows, stack, masks)
    used = 0
    while level > 0:
        level -= 1
        missed = stack[level, PARENT] + (stack[level, ANSWER] == MISS)  # 0 at the root
        cell = next_node(stack, level, ids, rows, full, sunk, masks)
        if cell == OPEN_NODE:
            word, _, symmetry = canonical_key(
                masks[level, 1], full & ~masks[level, 2], key_shares, False
            )
            v = nodes[find_key(keys, word)]
            cell = images[symmetry, cells[choice[v]]]
            plan[used] = cell
            used += 1
        if cell >= 0:
            level = push_answers(stack, level, masks, missed, cell, ids, rows, ships, sunk)
        else:
            misses[orbit[ids[stack[level, LO]]]] += missed
    return used
