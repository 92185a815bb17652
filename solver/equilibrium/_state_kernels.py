"""Compiled building of the graph of all sub-tables. Arrays and scalars only.

The graph (``solver.equilibrium.state_graph``) has one node per symmetry orbit of closed sub-tables
and, for each, the shots worth weighing. Children have smaller numbers than their parents, and the
last node is the start of the game. The start has one action, of cell -1: it leads to the
sub-tables that certain hits split the whole table into. A node's children through one action are
disjoint and together hold its layouts.

Parameters that many kernels share: ``rows``, uint64 ``(n_rows,)``, occupied cells of each layout,
modified: the rows of a segment change places; ``no_weights``, int64 ``(0,)``; ``lo`` and ``hi``,
int64, the segment; ``certain`` and ``occupied``, uint64, its H and U; ``depth``, int64, level of
the recursion; ``building``, the group Building. A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    inner_kernel,
    kernel,
    lowest_bit,
    recursive_kernel,
)
from seabattle.enumerate.layouts import group_of
from seabattle.solver.search.answers import is_dominated
from seabattle.solver.search.arrays import (
    CERTAIN,
    OCCUPIED,
    NumberPlanes,
    NumberRows,
    Numbers,
    WordPlanes,
    WordRows,
    Words,
)
from seabattle.solver.search.kernels.segments import (
    HIT,
    MISS,
    close_rows,
    count_and_close,
    partition,
)
from seabattle.solver.search.keys import canonical_key
from seabattle.solver.search.table import EMPTY, find_key
from seabattle.solver.search.work import STATUS, STOP, spend

# Places in ``counters``, beside ALLOWANCE (3) and STATUS (4) of ``work``.
NODES = 0
ACTIONS = 1
EDGES = 2
COUNTERS = 8

FULL_GRAPH = 4  # statuses, after those of ``work``
FULL_SCRATCH = 5

# Places in ``options``.
FULL_BOARD = 0  # mask of the board's cells, its 64 bits taken as a signed integer
SUNK = 1  # 1 in answer mode sunk
DOMINANCE = 2  # 1 where dominated shots are left out
OPTIONS = 3

# Columns of ``Segments.bounds``: a child is the segment ``LO:HI``; MISSED is 1 after a miss.
LO = 0
HI = 1
MISSED = 2
BOUND_COLUMNS = 3
# ``Segments.masks`` has the columns CERTAIN and OCCUPIED.
MASK_COLUMNS = 2

Cells = Annotated[NDArray[np.int8], "int8[::1]"]
CellRows = Annotated[NDArray[np.int8], "int8[:, ::1]"]
Links = Annotated[NDArray[np.int32], "int32[::1]"]
LinkRows = Annotated[NDArray[np.int32], "int32[:, ::1]"]


class Graph(NamedTuple):
    """The graph being built, with room to spare; modified."""

    keys: Words  # (capacity,), a power of 2: least key of each node but the start, EMPTY elsewhere
    nodes: Links  # (capacity,): node of each key
    first: Numbers  # (nodes + 1,): actions of node v are first[v] to first[v + 1] - 1
    start: Numbers  # (actions + 1,): edges of action a are start[a] to start[a + 1] - 1
    # (edges,): 4 * child + 2 * missed + last: the node it leads to, 1 where the shot missed on the
    # way, 1 at the last edge of an action; there are fewer than 2^29 nodes
    edges: Links
    cells: Cells  # (actions,): cell shot, in the orientation of the node's least key
    leaves: Words  # (nodes,): occupancy of a node with one layout, 0 of others


class Segments(NamedTuple):
    """Children of the sub-tables on the path, a stack; modified."""

    bounds: NumberRows  # (size, BOUND_COLUMNS)
    masks: WordRows  # (size, MASK_COLUMNS)


class Actions(NamedTuple):
    """Actions gathered for the sub-tables on the path, by depth; modified."""

    ends: NumberRows  # (levels, 64): where the edges of each action end
    cells: CellRows  # (levels, 64): cell of each action
    edges: LinkRows  # (levels, size): 2 * child + missed


class Building(NamedTuple):
    """What the kernels that build a graph share."""

    sides: Words  # (64,): for each cell the cells beside it
    key_shares: WordPlanes  # what keys are made of, see ``keys``
    moves: NumberRows  # (symmetries, 64): image of each cell
    options: Numbers  # (OPTIONS,)
    counts: NumberPlanes  # (levels, COUNT_PLANES, 64), scratch of ``count_and_close``
    masks: WordPlanes  # (levels, MASK_PLANES, 64), scratch of ``count_and_close``
    segments: Segments
    actions: Actions
    graph: Graph
    counters: Numbers  # (COUNTERS,), modified


@inner_kernel
def split_certain(rows, no_weights, lo, hi, certain, occupied, sides):
    """Shoot certain hits until their answers differ: return where the others begin, hi if nowhere.

    As ``kernels.partition.split_by_groups`` with the rows themselves in place of their numbers.
    sides : uint64 (64,), for each cell the cells beside it
    """
    left = certain
    while left != ZERO:
        group, around = group_of(left & (~left + ONE), certain, sides)
        left &= ~group
        around &= occupied
        if around != ZERO:
            mid = partition(rows, no_weights, lo, hi, around)
            if lo < mid < hi:
                return mid
    return hi


@inner_kernel
def close_segments(base, top, rows, no_weights, sides, options, segments, counters):
    """Close the segments from ``base`` to ``top`` of the stack, split by their certain hits.

    Returns the new top, or STOP (stack full).

    base, top : int64; sides, options : as in ``Building``
    segments : Segments, modified; counters : STATUS modified
    """
    full = np.uint64(options[FULL_BOARD])
    bounds = segments.bounds
    p = base
    while p < top:
        lo = bounds[p, LO]
        hi = bounds[p, HI]
        certain, occupied = close_rows(rows, lo, hi, full)
        mid = hi
        if options[SUNK] == 1 and certain != occupied:
            mid = split_certain(rows, no_weights, lo, hi, certain, occupied, sides)
        if mid == hi:
            segments.masks[p, CERTAIN] = certain
            segments.masks[p, OCCUPIED] = occupied
            p += 1
            continue
        if top >= bounds.shape[0]:
            counters[STATUS] = FULL_SCRATCH
            return STOP
        bounds[top, LO] = mid
        bounds[top, HI] = hi
        bounds[top, MISSED] = bounds[p, MISSED]
        bounds[p, HI] = mid
        top += 1
    return top


@kernel
def add_node(word, leaf_mask, count, depth, actions, graph, counters):
    """Append a node with the actions gathered for it; return its number, or STOP (graph full).

    word : uint64, its key, EMPTY to enter none; leaf_mask : uint64, occupancy of a leaf, else 0
    count : int64, number of its actions; actions : Actions
    graph : Graph, modified; counters : NODES, ACTIONS, EDGES and STATUS modified
    """
    v = counters[NODES]
    a = counters[ACTIONS]
    e = counters[EDGES]
    linked = actions.ends[depth, count - 1] if count > 0 else 0
    if (
        v + 2 > graph.first.shape[0]
        or a + count + 1 > graph.start.shape[0]
        or e + linked > graph.edges.shape[0]
        or 4 * (v + 1) > 3 * graph.keys.shape[0]
    ):
        counters[STATUS] = FULL_GRAPH
        return STOP
    if word != EMPTY:
        slot = find_key(graph.keys, word)
        graph.keys[slot] = word
        graph.nodes[slot] = v
    for i in range(linked):
        graph.edges[e + i] = actions.edges[depth, i] << 1
    for i in range(count):
        graph.cells[a + i] = actions.cells[depth, i]
        graph.start[a + i + 1] = e + actions.ends[depth, i]
        graph.edges[e + actions.ends[depth, i] - 1] |= 1
    graph.leaves[v] = leaf_mask
    graph.first[v + 1] = a + count
    counters[NODES] = v + 1
    counters[ACTIONS] = a + count
    counters[EDGES] = e + linked
    return v


@inner_kernel
def is_new_action(depth, count, begin, end, actions):
    """Sort an action's edges; whether no earlier action of the node has the same ones.

    Such an action splits the sub-table into images of the same parts.
    count : int64, number of earlier actions; begin, end : int64, the action's edges
    actions : Actions; edges modified
    """
    edge_list = actions.edges
    for i in range(begin + 1, end):
        edge = edge_list[depth, i]
        j = i
        while j > begin and edge_list[depth, j - 1] > edge:
            edge_list[depth, j] = edge_list[depth, j - 1]
            j -= 1
        edge_list[depth, j] = edge
    before = 0
    for a in range(count):
        after = actions.ends[depth, a]
        if after - before == end - begin:
            same = True
            for i in range(end - begin):
                if edge_list[depth, before + i] != edge_list[depth, begin + i]:
                    same = False
                    break
            if same:
                return False
        before = after
    return True


@recursive_kernel(
    "int64(uint64[::1], int64[::1], int64, int64, uint64, uint64, int64, int64, Building)",
    Building,
)
def explore(rows, no_weights, lo, hi, certain, occupied, depth, base, building):
    """Number of a closed sub-table's node; what is below it is explored first.

    A node is entered only when all below it were, so after STOP (an array is full, or the
    allowance is used up) a new call goes on where this one stopped.

    base : int64, first free place of the stack of segments
    building : graph, stack, actions, scratch from level ``depth`` on, and counters modified
    """
    graph = building.graph
    keys = graph.keys
    key_shares = building.key_shares
    options = building.options
    counters = building.counters
    counts = building.counts[depth]
    masks = building.masks[depth]
    segments = building.segments
    bounds = segments.bounds
    actions = building.actions
    full = np.uint64(options[FULL_BOARD])
    n = hi - lo
    word, _, symmetry = canonical_key(certain, full & ~occupied, key_shares, False)
    slot = find_key(keys, word)
    if keys[slot] == word:
        return np.int64(graph.nodes[slot])
    if not spend(n, counters):
        return STOP
    if n == 1:
        return add_node(word, rows[lo], 0, depth, actions, graph, counters)
    unknown = occupied & ~certain
    count_and_close(rows, no_weights, lo, hi, certain, occupied, full, counts, masks)
    count = 0
    gathered = 0
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        bit = left & (~left + ONE)
        left ^= bit
        if options[DOMINANCE] == 1 and is_dominated(
            c, masks[HIT + CERTAIN, c] & unknown & ~bit, counts
        ):
            continue
        end = gathered
        if options[SUNK] == 0:
            mid = -1
            if end + 2 > actions.edges.shape[1]:
                counters[STATUS] = FULL_SCRATCH
                return STOP
            for missed in range(2):
                side = MISS if missed == 1 else HIT
                h = masks[side + CERTAIN, c]
                u = masks[side + OCCUPIED, c]
                key, _, _ = canonical_key(h, full & ~u, key_shares, False)
                place = find_key(keys, key)
                if keys[place] == key:
                    child = np.int64(graph.nodes[place])
                else:
                    if mid < 0:
                        mid = partition(rows, no_weights, lo, hi, bit)
                    child = explore(
                        rows, no_weights, lo if missed == 1 else mid, mid if missed == 1 else hi,
                        h, u, depth + 1, base, building,
                    )  # fmt: skip
                    if child == STOP:
                        return STOP
                actions.edges[depth, end] = 2 * child + missed
                end += 1
        else:
            mid = partition(rows, no_weights, lo, hi, bit)
            if base + 2 > bounds.shape[0]:
                counters[STATUS] = FULL_SCRATCH
                return STOP
            for missed in range(2):
                bounds[base + missed, LO] = lo if missed == 1 else mid
                bounds[base + missed, HI] = mid if missed == 1 else hi
                bounds[base + missed, MISSED] = missed
            top = close_segments(
                base, base + 2, rows, no_weights, building.sides, options, segments, counters
            )
            if top == STOP:
                return STOP
            if end + top - base > actions.edges.shape[1]:
                counters[STATUS] = FULL_SCRATCH
                return STOP
            for p in range(base, top):
                child = explore(
                    rows, no_weights, bounds[p, LO], bounds[p, HI], segments.masks[p, CERTAIN],
                    segments.masks[p, OCCUPIED], depth + 1, top, building,
                )  # fmt: skip
                if child == STOP:
                    return STOP
                actions.edges[depth, end] = 2 * child + bounds[p, MISSED]
                end += 1
        if is_new_action(depth, count, gathered, end, actions):
            actions.cells[depth, count] = building.moves[symmetry, c]
            actions.ends[depth, count] = end
            count += 1
            gathered = end
    return add_node(word, ZERO, count, depth, actions, graph, counters)


@kernel
def explore_all(rows, no_weights, building):
    """Explore the whole game and append its start.

    Returns the start's number, or STOP, after which it can be called again to go on.

    building : graph, stack, actions, scratch and counters modified
    """
    segments = building.segments
    actions = building.actions
    segments.bounds[0, LO] = 0
    segments.bounds[0, HI] = rows.shape[0]
    segments.bounds[0, MISSED] = 0
    top = close_segments(
        0, 1, rows, no_weights, building.sides, building.options, segments, building.counters
    )
    if top == STOP:
        return STOP
    for p in range(top):
        child = explore(
            rows, no_weights, segments.bounds[p, LO], segments.bounds[p, HI],
            segments.masks[p, CERTAIN], segments.masks[p, OCCUPIED], 1, top, building,
        )  # fmt: skip
        if child == STOP:
            return STOP
        actions.edges[0, p] = 2 * child
    actions.ends[0, 0] = top
    actions.cells[0, 0] = -1
    return add_node(EMPTY, ZERO, 1, 0, actions, building.graph, building.counters)
