"""Compiled best responses over the graph of all sub-tables. Arrays and scalars only.

``_state_kernels`` says what the graph's arrays hold: ``first``, ``start``, ``edges``, ``cells``,
``keys`` and ``nodes`` are those of its Graph. ``leaf`` is int32 ``(n_nodes,)``, the orbit of the
layout left, -1 where several are left; ``choice`` is int64 ``(n_nodes,)``, an action of each node.
A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

from seabattle.enumerate.kernels import kernel
from seabattle.solver.search.keys import canonical_key
from seabattle.solver.search.table import find_key
from seabattle.trees.plans import OPEN_NODE, begin, next_node, push_answers


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
def add_up_misses(root, choice, start, edges, leaf, stack, misses):
    """Misses of the tree that ``choice`` grows below a node, added up by orbits of layouts.

    root : int64, a node; choice : read at every node on the way
    stack : int64 (size, 2), scratch: no more than the layouts of the root are on it at a time
    misses : int64 (n_orbits,), modified: sum over the layouts of each orbit
    """
    stack[0, 0] = root
    stack[0, 1] = 0
    level = 1
    while level > 0:
        level -= 1
        v = stack[level, 0]
        missed = stack[level, 1]
        if leaf[v] >= 0:
            misses[leaf[v]] += missed
            continue
        a = choice[v]
        for e in range(start[a], start[a + 1]):
            stack[level, 0] = edges[e] >> 2
            stack[level, 1] = missed + (edges[e] >> 1 & 1)
            level += 1


@kernel
def write_plan(
    choice, cells, keys, nodes, key_shares, images, rows, ships, ids, full, sunk, stack, masks, plan
):  # fmt: skip
    """Write down the open shots of the tree that ``choice`` grows; see ``trees.plans``.

    Returns the length of the plan.

    key_shares : uint64 (bytes, 256, n_symmetries), see ``keys``
    images : int64 (n_symmetries, 64), the cell that each symmetry moves to a cell
    rows : uint64 (n_layouts,), occupied cells; ships : uint64 (n_layouts, n_ships), cells of each
    ids : int32 (n_layouts,), numbers of the layouts, modified: they change places
    full : uint64, mask of the board; sunk : int64, 1 in answer mode sunk
    stack : int64 (n_layouts + 2, 4), masks : uint64 (n_layouts + 2, 3): scratch, modified
    plan : int8 (n_layouts,), modified
    """
    level = begin(rows, stack, masks)
    used = 0
    while level > 0:
        level -= 1
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
            level = push_answers(stack, level, masks, 0, cell, ids, rows, ships, sunk)
    return used
