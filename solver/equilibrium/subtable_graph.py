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
parameters that kernels share), in its own arrays; its table holds the number of each sub-table's
node in place of misses. Children have smaller numbers than their parents, and the last node is the
start of the game. The start has one action, of cell -1: it leads to the sub-tables that
certain hits split the whole table into. A node's children through one action are disjoint and
together hold its layouts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    bit_of,
    group,
    kernel,
    lowest_bit,
)
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.equilibrium.plan_kernels import (
    ANSWER,
    OPEN_NODE,
    PARENT,
    begin,
    next_node,
    push_answers,
    scratch,
)
from seabattle.solver.search.answers import (
    count_and_close,
    is_dominated,
    part_all,
    partition_by_answers,
)
from seabattle.solver.search.arrays import (
    AFTER_HIT,
    AFTER_MISS,
    CERTAIN,
    CHILD_PLANES,
    HI,
    LO,
    MISSED,
    OCCUPIED,
    H,
    Numbers,
    U,
)
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.keys import make_closed_key
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import ONE_WORD_CELLS, Problem
from seabattle.solver.search.queries import SearchOptions
from seabattle.solver.search.table import EMPTY, NO_SHOT, enter, look_up, misses_of, pack
from seabattle.solver.search.work import (
    ARENA_TOP,
    CLOSED_SUNK,
    DOMINANCE,
    FULL_ARENA,
    MODE,
    NO_LIMIT,
    PLAIN,
    STATES,
    STATUS,
    STOP,
    spend,
)
from seabattle.trees.plans import require_plannable

BYTES_PER_NODE = 350
"""Memory that a node takes while the graph is built, its actions and edges included."""

_SAMPLED_ROWS = 3_000
_ROOM = 1 << 20  # nodes and edges that are moved out of the kernels' arrays at once

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
        self.table = table
        self.problem = Problem(DecisionTable(table.layouts), merge=False)
        limits = limits or Limits()
        _refuse_large(self.problem, limits.memory)
        least = self.problem.row_images().min(axis=0)
        self.orbit: NDArray[np.int64] = np.unique(least, return_inverse=True)[1].astype(np.int64)
        self.sizes: NDArray[np.int64] = np.bincount(self.orbit).astype(np.int64)
        limits = replace(limits, report=lambda search: report(f"{search.states:,} sub-tables"))
        search = _Exploration(self.problem, limits, dominance=dominance)
        row, actions, self.cells, self.edges = search.explored()
        self.first = np.concatenate([[0], np.cumsum(actions, dtype=np.int64)])
        self.leaf = np.where(row < 0, -1, self.orbit[row]).astype(np.int32)
        self.arrays = search.arrays
        self.images = np.argsort(self.arrays.keys.moves[:, : self.problem.cells], axis=1)
        self._costs: dict[np.dtype[np.generic], NDArray[np.generic]] = {}

    def __len__(self) -> int:
        """Number of nodes: orbits of sub-tables, and the start."""
        return len(self.leaf)

    def __repr__(self) -> str:
        return (
            f"<graph of {len(self)} sub-tables, {len(self.cells)} actions, "
            f"{len(self.edges)} edges: {self.table.rules}>"
        )

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
        plan = np.empty(len(self.problem), dtype=np.int8)
        length = write_plan(
            choice, self.cells, self.images, self.orbit, *scratch(len(self.problem)), plan, misses,
            self.arrays,
        )  # fmt: skip
        return BestResponse(costs[2 * len(self) - 2].item(), misses, plan[:length].copy())


def _refuse_large(problem: Problem, memory: float) -> None:
    """Refuse a game whose sub-tables are not enumerated, or are too many for so many GiB."""
    rules = problem.rules
    if problem.cells > ONE_WORD_CELLS:
        raise TooLargeError(
            f"board {rules.board}: the sub-tables of boards of up to {ONE_WORD_CELLS} cells "
            f"are enumerated, this one has {problem.cells}"
        )
    most = memory * 2**30 / BYTES_PER_NODE
    about = estimate_subtables(problem) / len(problem.symmetries)
    # Announced sinkings part sub-tables further and leave far fewer of them.
    margin = 1.1 if rules.answers is AnswerMode.HIT else 50
    if about > margin * most:
        raise TooLargeError(
            f"{rules.board} with {rules.fleet} has {len(problem):,} layouts and about "
            f"{about:.1e} sub-tables; {memory:.3g} GiB hold about {most:.1e}. "
            f"Take a smaller board or more memory"
        )


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
    ids = np.arange(len(problem))
    if len(ids) > _SAMPLED_ROWS:
        ids = generator.choice(ids, _SAMPLED_ROWS, replace=False)
    # For each last cell: (size, open cells) -> (members, rows, certain, occupied).
    strata: list[dict[tuple[int, int], tuple[float, NDArray[np.int64], int, int]]]
    strata = [{} for _ in range(problem.cells + 1)]
    strata[0][0, 0] = 1.0, ids, *problem.closure(ids)
    total = 0.0
    for last in range(problem.cells + 1):
        for members, held, certain, occupied in strata[last].values():
            total += members
            for cell in cells_of((occupied & ~certain) >> last << last):
                has = (problem.rows[held] >> np.uint64(cell) & np.uint64(1)).astype(bool)
                for kept in held[has], held[~has]:
                    h, u = problem.closure(kept)
                    if ((h ^ certain) | (u ^ occupied)) & ((1 << cell) - 1):
                        continue
                    mark = int(4 * math.log2(len(kept))), (u & ~h).bit_count()
                    stratum = strata[cell + 1]
                    known, *drawn = stratum.get(mark, (0.0, kept, h, u))
                    if generator.random() * (known + members) < members:
                        drawn = [kept, h, u]
                    stratum[mark] = known + members, *drawn
    return total


# Building

NODES, ACTIONS, EDGES, WAITING = 0, 1, 2, 3
"""Places in ``Growing.used``."""

FULL_GRAPH = 10
"""A status, after those of ``solver.search.work``."""

Cells = NDArray[np.int8]  # int8[::1]
Links = NDArray[np.int32]  # int32[::1]


@group
class Growing(NamedTuple):
    """The nodes found last, and the edges that wait for their nodes; modified."""

    used: Numbers  # (4,): nodes, actions and edges, and edges that wait
    row: Links  # (room,): the row of a node with one layout, -1 of others
    actions: Cells  # (room,): how many actions each node has
    cells: Cells  # (room,): cell of each action, in the orientation of its node's least key
    # (room,): 4 * child + 2 * missed + last: the node it leads to, 1 where the shot missed on the
    # way, 1 at the last edge of an action; there are fewer than 2^29 nodes
    edges: Links
    waiting: Links  # (room,): edges of the sub-tables on the path, which are no nodes yet
    shots: Cells  # (room,): cell of the action, beside its last edge that waits


def _growing(room: int) -> Growing:
    """Room for so many nodes and edges."""
    links, cells = np.zeros((3, room), dtype=np.int32), np.zeros((3, room), dtype=np.int8)
    used = np.zeros(4, dtype=np.int64)
    return Growing(used, links[0], cells[0], cells[1], links[1], links[2], cells[2])


class _Exploration(ExactSearch):
    """The search's arrays, and the nodes of the graph as they are found."""

    def __init__(self, problem: Problem, limits: Limits, *, dominance: bool) -> None:
        options = replace(SearchOptions.plain(), dominance=dominance)
        super().__init__(problem, options=options, limits=limits)
        # In mode ``sunk``, too, where the search itself has no use for it.
        levels = len(self.arrays.counts)
        children = problem.masks_of(levels, CHILD_PLANES, problem.places)
        self.arrays = self.arrays._replace(children=children)
        self.growing = _growing(_ROOM)
        self.pieces: list[tuple[NDArray[np.signedinteger], ...]] = []

    def explored(self) -> list[NDArray[np.signedinteger]]:
        """Rows and numbers of actions of all nodes, cells of the actions, and edges."""
        ids = np.arange(len(self.problem), dtype=np.int32)
        try:
            self.run(lambda: explore_all(ids, self.growing, self.arrays))
            if self.limits.seconds_left() < 0:
                raise LimitReached("the time limit was reached")
        except LimitReached as error:
            raise LimitReached(f"{error}; the equilibrium needs all sub-tables first") from None
        edges = self.growing.waiting[: self.growing.used[WAITING]]
        edges[-1] |= 1
        start = (np.array([each], dtype=np.int8) for each in (-1, 1, -1))
        self._put_away()
        self.pieces.append((*start, edges))
        return [np.concatenate(parts) for parts in zip(*self.pieces, strict=True)]

    def _put_away(self) -> None:
        """Move the nodes found last to where there is room.

        Raises
        ------
        LimitReached
            If all nodes would not fit in the memory limit, twice while they move to one place.
        """
        found = self.growing
        nodes, actions, edges = found.used[:3].tolist()
        parts = found.row[:nodes], found.actions[:nodes], found.cells[:actions], found.edges[:edges]
        self.pieces.append(tuple(part.copy() for part in parts))
        found.used[:3] = 0
        self.reserved += 2 * sum(part.nbytes for part in self.pieces[-1])
        if self.table.nbytes + self.reserved > self.limits.memory * 2**30:
            raise LimitReached(
                f"{self.states:,} sub-tables were enumerated, and to go on would take more than "
                f"the {self.limits.memory:.3g} GiB that the memory limit leaves"
            )

    def make_room(self) -> None:
        """Empty the room for nodes, or double the arena and the room for edges that wait."""
        self._put_away()
        if self.counters[STATUS] == FULL_ARENA:
            super().make_room()
            self.growing = _growing(2 * len(self.growing.waiting))


@kernel
def find_node(certain, occupied, key, arrays):
    """Number of a closed sub-table's node, -1 if it has none; and the symmetry of its key.

    key : uint64 (2, words), modified: row 0 is its key
    """
    symmetry = make_closed_key(certain, occupied, arrays.game.full[0], arrays.keys, key)
    packed = look_up(arrays.table, key[0], NO_LIMIT)
    return (np.int64(-1) if packed == EMPTY else misses_of(packed)), symmetry


@kernel
def add_node(key, row, first, growing, arrays):
    """Enter a sub-table with the edges that wait from ``first`` on; its number, or STOP (no room).

    key : uint64 (words,); row : int64, the row of a sub-table with one layout, else -1
    first : int64; growing, and table and counters of arrays : modified
    """
    used = growing.used
    counters = arrays.counters
    if (
        used[NODES] == growing.row.shape[0]
        or used[EDGES] + used[WAITING] - first > growing.edges.shape[0]
    ):
        counters[STATUS] = FULL_GRAPH
        return STOP
    node = counters[STATES]
    if not enter(arrays.table, key, pack(node, 0, False, NO_SHOT, NO_LIMIT), counters):
        return STOP
    before = used[ACTIONS]
    for i in range(first, used[WAITING]):
        growing.edges[used[EDGES]] = growing.waiting[i]
        used[EDGES] += 1
        if growing.waiting[i] & 1 == 1:
            growing.cells[used[ACTIONS]] = growing.shots[i]
            used[ACTIONS] += 1
    growing.row[used[NODES]] = row
    growing.actions[used[NODES]] = used[ACTIONS] - before
    used[NODES] += 1
    used[WAITING] = first
    return node


@kernel
def put_edge(edge, begun, growing):
    """Let an edge wait, in order among those from ``begun`` on; growing : modified."""
    waiting = growing.waiting
    at = growing.used[WAITING]
    while at > begun and waiting[at - 1] > edge:
        waiting[at] = waiting[at - 1]
        at -= 1
    waiting[at] = edge
    growing.used[WAITING] += 1


@kernel
def end_action(cell, first, begun, growing):
    """Mark the last edge of an action; forget it if an earlier one of its node has the same edges.

    Such an action splits the sub-table into images of the same parts.
    cell : int64, in the orientation of the node's least key
    first, begun : int64, where the edges of the node and those of the action begin
    growing : modified
    """
    waiting = growing.waiting
    end = growing.used[WAITING]
    waiting[end - 1] |= 1
    growing.shots[end - 1] = cell
    before = first
    while before < begun:
        i = 0
        while waiting[before + i] == waiting[begun + i] and waiting[before + i] & 1 == 0:
            i += 1
        if waiting[before + i] == waiting[begun + i]:
            growing.used[WAITING] = begun
            return
        while waiting[before + i] & 1 == 0:
            i += 1
        before += i + 1


@kernel
def explore(ids, lo, hi, certain, occupied, depth, growing, arrays):
    """Number of a closed sub-table's node; what is below it is explored first.

    A node is entered only when all below it were, so after STOP (an array is full, or the
    allowance is used up) a new call goes on where this one stopped.

    ids : modified
    growing, and table, arena, scratch from level ``depth`` on, and counters of arrays : modified
    """
    key = arrays.key[depth]
    node, symmetry = find_node(certain, occupied, key, arrays)
    if node >= 0:
        return node
    counters = arrays.counters
    if not spend(hi - lo, counters):
        return STOP
    used = growing.used
    first = used[WAITING]
    if hi - lo == 1:
        return add_node(key[0], np.int64(ids[lo]), first, growing, arrays)
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    counts = arrays.counts[depth]
    children = arrays.children[depth]
    mode = arrays.options[MODE]
    unknown = occupied & ~certain
    count_and_close(ids, lo, hi, certain, occupied, False, depth, arrays)
    base = counters[ARENA_TOP]
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        alike = arrays.together[depth, c] & unknown & ~bit_of(c, unknown)
        if arrays.options[DOMINANCE] == 1 and is_dominated(c, alike, counts):
            continue
        begun = used[WAITING]
        if begun + hi - lo > growing.waiting.shape[0]:
            counters[STATUS] = FULL_ARENA
            return STOP
        after_hit = np.int64(-1)
        after_miss = np.int64(-1)
        if mode == PLAIN:  # what the answers leave is known: no row moves if both have a node
            after_hit, _ = find_node(
                children[AFTER_HIT + CERTAIN, c], children[AFTER_HIT + OCCUPIED, c],
                arrays.key[depth + 1], arrays,
            )  # fmt: skip
            after_miss, _ = find_node(
                children[AFTER_MISS + CERTAIN, c], children[AFTER_MISS + OCCUPIED, c],
                arrays.key[depth + 1], arrays,
            )  # fmt: skip
        if after_hit >= 0 and after_miss >= 0:
            put_edge(4 * after_hit, begun, growing)
            put_edge(4 * after_miss + 2, begun, growing)
        else:
            counters[ARENA_TOP] = base
            if partition_by_answers(ids, lo, hi, c, ZERO, arrays) == STOP:
                return STOP
            for p in range(base, counters[ARENA_TOP]):
                child = explore(
                    ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], depth + 1,
                    growing, arrays,
                )  # fmt: skip
                if child == STOP:
                    return STOP
                put_edge(4 * child + 2 * entries[p, MISSED], begun, growing)
            counters[ARENA_TOP] = base
        end_action(arrays.keys.moves[symmetry, c], first, begun, growing)
    return add_node(key[0], -1, first, growing, arrays)


@kernel
def explore_all(ids, growing, arrays):
    """Explore the whole game; 0, or STOP, after which it can be called again to go on.

    The edges of its start wait in the end.

    ids : all rows, modified; growing, and table, arena, scratch and counters of arrays : modified
    """
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    growing.used[WAITING] = 0
    if part_all(ids, -1, ZERO, arrays) == STOP:
        return STOP
    for p in range(arrays.counters[ARENA_TOP]):
        child = explore(
            ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], 1, growing, arrays
        )
        if child == STOP:
            return STOP
        put_edge(4 * child, 0, growing)
    return 0


# Sweeping
#
# ``first`` is int64 ``(n_nodes + 1,)``: actions of node v are ``first[v]`` to ``first[v + 1] - 1``;
# ``cells`` and ``edges`` are those of ``Growing``, of all nodes;
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
    nothing = weights[0] - weights[0]  # 0 as a number of the type of the weights
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
def write_plan(choice, cells, images, orbit, ids, stack, masks, plan, misses, arrays):
    """Write down the open shots of the tree that ``choice`` grows, and what it misses.

    Returns the length of the plan. See ``trees.plans``, for ``ids``, ``stack`` and ``masks``, too;
    the column ``PARENT`` of the stack holds the misses before the last shot.

    images : int64 (n_symmetries, cells), the cell that each symmetry moves to a cell
    orbit : int64 (n_layouts,)
    plan : int8 (n_layouts,), modified
    misses : int64 (n_orbits,), modified: added up over the layouts of each orbit
    arrays : SearchArrays, scratch for keys modified
    """
    rows = arrays.game.occupied_by
    sunk = 1 if arrays.options[MODE] == CLOSED_SUNK else 0
    level = begin(rows, stack, masks)
    used = 0
    while level > 0:
        level -= 1
        missed = stack[level, PARENT] + (stack[level, ANSWER] == MISS)  # 0 at the root
        cell = next_node(stack, level, ids, rows, arrays.game.full[0], sunk, masks)
        if cell == OPEN_NODE:
            v, symmetry = find_node(masks[level, 1], masks[level, 2], arrays.key[0], arrays)
            cell = images[symmetry, cells[choice[v]]]
            plan[used] = cell
            used += 1
        if cell >= 0:
            level = push_answers(
                stack, level, masks, missed, cell, ids, rows, arrays.game.ships, sunk
            )
        else:
            misses[orbit[ids[stack[level, LO]]]] += missed
    return used
