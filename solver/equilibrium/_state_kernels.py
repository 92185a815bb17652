"""Compiled building of the graph of all sub-tables. Arrays and scalars only.

The graph (``solver.equilibrium.state_graph``) has one node per symmetry orbit of closed sub-tables
and, for each, the shots worth weighing. Its arrays, called *graph* below:

    first : int64 (n_nodes + 1,), actions of node v are first[v] to first[v + 1] - 1
    start : int64 (n_actions + 1,), edges of action a are start[a] to start[a + 1] - 1
    edges : int32 (n_edges,), 4 * child + 2 * missed + last: the node it leads to, 1 where the shot
        missed on the way, 1 at the last edge of an action (n_nodes < 2^29)
    cells : int8 (n_actions,), cell shot, in the orientation of the node's least key
    leaf : int32 (n_nodes,), orbit of the layout left, -1 where several are left

Children have smaller numbers than their parents, and the last node is the start of the game. The
start has one action, of cell -1: it leads to the sub-tables that certain hits part the whole
table into. A node's children through one action are disjoint and together hold its layouts.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, kernel, lowest_bit, recursive_kernel
from seabattle.enumerate.layouts._subset_kernels import group_of
from seabattle.solver.search.kernels.keys import canonical_key
from seabattle.solver.search.kernels.segments import close_rows, is_dominated, partition, sift
from seabattle.solver.search.kernels.transposition import EMPTY, find_key
from seabattle.solver.search.kernels.work import STATUS, STOP, spend

# Places in ``counters``, beside ALLOWANCE (3) and STATUS (4) of ``_work_kernels``.
NODES = 0
ACTIONS = 1
EDGES = 2
COUNTERS = 8

FULL_GRAPH = 4  # statuses, after those of ``_work_kernels``
FULL_SCRATCH = 5

# Places in ``options``.
FULL_BOARD = 0
SUNK = 1
DOMINANCE = 2
OPTIONS = 3


@kernel
def part_certain(rows, no_weights, lo, hi, certain, occupied, sides):
    """Shoot certain hits until the answers differ: where the second part begins, hi if nowhere.

    As ``_parting_kernels.part_by_groups`` with the rows themselves in place of their numbers.
    rows : uint64 (n_rows,), modified; no_weights : int64 (0,); sides : uint64 (64,)
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


@kernel
def close_parts(base, top, rows, no_weights, sides, options, arena, arena_masks, counters):
    """Close the arena's segments from ``base`` to ``top``; those that certain hits part, part.

    arena : int64 (size, 3), modified: lo, hi, missed; arena_masks : uint64 (size, 2), modified:
    certain and occupied cells. rows : modified. Returns the new top, or STOP (arena full).
    """
    full = np.uint64(options[FULL_BOARD])
    p = base
    while p < top:
        lo = arena[p, 0]
        hi = arena[p, 1]
        certain, occupied = close_rows(rows, lo, hi, full)
        mid = hi
        if options[SUNK] == 1 and certain != occupied:
            mid = part_certain(rows, no_weights, lo, hi, certain, occupied, sides)
        if mid == hi:
            arena_masks[p, 0] = certain
            arena_masks[p, 1] = occupied
            p += 1
            continue
        if top >= arena.shape[0]:
            counters[STATUS] = FULL_SCRATCH
            return STOP
        arena[top, 0] = mid
        arena[top, 1] = hi
        arena[top, 2] = arena[p, 2]
        arena[p, 1] = mid
        top += 1
    return top


@kernel
def add_node(
    word, leaf_mask, actions, depth, action_ends, action_cells, edge_list,
    keys, nodes, first, start, edges, cells, leaves, counters,
):  # fmt: skip
    """Append a node with the actions gathered for it; return its number, or STOP (graph full).

    word : its key, EMPTY to enter none; leaf_mask : occupancy of a leaf, else 0
    keys, nodes, first, start, edges, cells, leaves, counters : modified
    """
    v = counters[NODES]
    a = counters[ACTIONS]
    e = counters[EDGES]
    count = action_ends[depth, actions - 1] if actions > 0 else 0
    if (
        v + 2 > first.shape[0]
        or a + actions + 1 > start.shape[0]
        or e + count > edges.shape[0]
        or 4 * (v + 1) > 3 * keys.shape[0]
    ):
        counters[STATUS] = FULL_GRAPH
        return STOP
    if word != EMPTY:
        slot = find_key(keys, word)
        keys[slot] = word
        nodes[slot] = v
    for i in range(count):
        edges[e + i] = edge_list[depth, i] << 1
    for i in range(actions):
        cells[a + i] = action_cells[depth, i]
        start[a + i + 1] = e + action_ends[depth, i]
        edges[e + action_ends[depth, i] - 1] |= 1
    leaves[v] = leaf_mask
    first[v + 1] = a + actions
    counters[NODES] = v + 1
    counters[ACTIONS] = a + actions
    counters[EDGES] = e + count
    return v


@kernel
def is_new_action(depth, actions, begin, end, action_ends, edge_list):
    """Sort an action's edges; whether no earlier action of the node has the same ones.

    Such an action parts the sub-table into images of the same parts. edge_list : modified
    """
    for i in range(begin + 1, end):
        edge = edge_list[depth, i]
        j = i
        while j > begin and edge_list[depth, j - 1] > edge:
            edge_list[depth, j] = edge_list[depth, j - 1]
            j -= 1
        edge_list[depth, j] = edge
    before = 0
    for a in range(actions):
        after = action_ends[depth, a]
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
    "int64(uint64[::1], int64[::1], int64, int64, uint64, uint64, int64, int64,"
    "uint64[::1], uint64[:, :, ::1], int64[:, ::1], int64[::1],"
    "int64[:, :, ::1], uint64[:, :, ::1], int64[:, ::1], uint64[:, ::1],"
    "int64[:, ::1], int8[:, ::1], int32[:, ::1],"
    "uint64[::1], int32[::1], int64[::1], int64[::1], int32[::1], int8[::1], uint64[::1],"
    "int64[::1])"
)
def explore(
    rows, no_weights, lo, hi, certain, occupied, depth, base,
    sides, orbits, moves, options,
    ints, masks, arena, arena_masks,
    action_ends, action_cells, edge_list,
    keys, nodes, first, start, edges, cells, leaves,
    counters,
):  # fmt: skip
    """Number of a closed sub-table's node; what is below it is explored first.

    A node is entered only when all below it were, so after STOP (an array is full, or the
    allowance is used up) a new call goes on where this one stopped.

    rows : uint64 (n_rows,), modified: the segment's rows change places; no_weights : int64 (0,)
    base : first free place of the arena
    ints, masks : scratch of ``sift``, one per depth; action_ends int64, action_cells int8
        (levels, 64), edge_list int32 (levels, size): scratch, actions gathered at each depth
    keys, nodes : table from least key to node; first, start, edges, cells, leaves : the graph
        being built, ``leaves`` uint64 (n_nodes,) with a leaf's occupancy; all modified
    """
    full = np.uint64(options[FULL_BOARD])
    n = hi - lo
    word, _, symmetry = canonical_key(certain, full & ~occupied, orbits, False)
    slot = find_key(keys, word)
    if keys[slot] == word:
        return np.int64(nodes[slot])
    if not spend(n, counters):
        return STOP
    if n == 1:
        return add_node(
            word, rows[lo], 0, depth, action_ends, action_cells, edge_list,
            keys, nodes, first, start, edges, cells, leaves, counters,
        )  # fmt: skip
    unknown = occupied & ~certain
    sift(rows, no_weights, lo, hi, certain, occupied, full, ints[depth], masks[depth])
    actions = 0
    gathered = 0
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        bit = left & (~left + ONE)
        left ^= bit
        if options[DOMINANCE] == 1 and is_dominated(
            c, masks[depth, 0, c] & unknown & ~bit, ints[depth]
        ):
            continue
        end = gathered
        if options[SUNK] == 0:
            mid = -1
            if end + 2 > edge_list.shape[1]:
                counters[STATUS] = FULL_SCRATCH
                return STOP
            for half in range(2):
                h = masks[depth, 2 * half, c]
                u = masks[depth, 2 * half + 1, c]
                key, _, _ = canonical_key(h, full & ~u, orbits, False)
                place = find_key(keys, key)
                if keys[place] == key:
                    child = np.int64(nodes[place])
                else:
                    if mid < 0:
                        mid = partition(rows, no_weights, lo, hi, bit)
                    child = explore(
                        rows, no_weights, mid if half == 0 else lo, hi if half == 0 else mid,
                        h, u, depth + 1, base,
                        sides, orbits, moves, options, ints, masks, arena, arena_masks,
                        action_ends, action_cells, edge_list,
                        keys, nodes, first, start, edges, cells, leaves, counters,
                    )  # fmt: skip
                    if child == STOP:
                        return STOP
                edge_list[depth, end] = 2 * child + half
                end += 1
        else:
            mid = partition(rows, no_weights, lo, hi, bit)
            if base + 2 > arena.shape[0]:
                counters[STATUS] = FULL_SCRATCH
                return STOP
            for half in range(2):
                arena[base + half, 0] = mid if half == 0 else lo
                arena[base + half, 1] = hi if half == 0 else mid
                arena[base + half, 2] = half
            top = close_parts(
                base, base + 2, rows, no_weights, sides, options, arena, arena_masks, counters
            )
            if top == STOP:
                return STOP
            if end + top - base > edge_list.shape[1]:
                counters[STATUS] = FULL_SCRATCH
                return STOP
            for p in range(base, top):
                child = explore(
                    rows, no_weights, arena[p, 0], arena[p, 1],
                    arena_masks[p, 0], arena_masks[p, 1], depth + 1, top,
                    sides, orbits, moves, options, ints, masks, arena, arena_masks,
                    action_ends, action_cells, edge_list,
                    keys, nodes, first, start, edges, cells, leaves, counters,
                )  # fmt: skip
                if child == STOP:
                    return STOP
                edge_list[depth, end] = 2 * child + arena[p, 2]
                end += 1
        if is_new_action(depth, actions, gathered, end, action_ends, edge_list):
            action_cells[depth, actions] = moves[symmetry, c]
            action_ends[depth, actions] = end
            actions += 1
            gathered = end
    return add_node(
        word, ZERO, actions, depth, action_ends, action_cells, edge_list,
        keys, nodes, first, start, edges, cells, leaves, counters,
    )  # fmt: skip


@kernel
def explore_all(
    rows, no_weights, sides, orbits, moves, options,
    ints, masks, arena, arena_masks, action_ends, action_cells, edge_list,
    keys, nodes, first, start, edges, cells, leaves, counters,
):  # fmt: skip
    """Explore the whole game and append its start; arrays as in ``explore``.

    Returns the start's number, or STOP, after which it can be called again to go on.
    """
    arena[0, 0] = 0
    arena[0, 1] = rows.shape[0]
    arena[0, 2] = 0
    top = close_parts(0, 1, rows, no_weights, sides, options, arena, arena_masks, counters)
    if top == STOP:
        return STOP
    for p in range(top):
        child = explore(
            rows, no_weights, arena[p, 0], arena[p, 1], arena_masks[p, 0], arena_masks[p, 1], 1,
            top, sides, orbits, moves, options, ints, masks, arena, arena_masks,
            action_ends, action_cells, edge_list,
            keys, nodes, first, start, edges, cells, leaves, counters,
        )  # fmt: skip
        if child == STOP:
            return STOP
        edge_list[0, p] = 2 * child
    action_ends[0, 0] = top
    action_cells[0, 0] = -1
    return add_node(
        EMPTY, ZERO, 1, 0, action_ends, action_cells, edge_list,
        keys, nodes, first, start, edges, cells, leaves, counters,
    )  # fmt: skip
