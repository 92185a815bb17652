"""Compiled loop that emits the tree of a policy in answer mode ``hit``. Arrays and scalars only."""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, kernel, lowest_bit
from seabattle.solver.search.kernels.hit_search import least
from seabattle.solver.search.kernels.segments import close_rows, partition, sift, weight_of
from seabattle.solver.search.kernels.work import (
    EXACT_ROWS,
    FULL_BOARD,
    INFEASIBLE,
    SHOT,
    STOP,
    WORST_CASE,
    spend,
)


@kernel
def greedy_shot(n, weight, unknown, rule, ties, ints):
    """Cell a greedy rule shoots: 0 nearest to half the weight, 1 most weight.

    ints : int64 (7, 64) from ``sift``. ties : 0 the first cell in reading order, 1 any of the
    best at random (numba's own generator). Modifies nothing.
    """
    shot = -1
    best = 0
    equal = 0
    while unknown != ZERO:
        c = lowest_bit(unknown)
        unknown &= unknown - ONE
        score = ints[1, c] if rule == 1 else -abs(2 * ints[1, c] - weight)
        if shot < 0 or score > best:
            shot = c
            best = score
            equal = 1
        elif score == best and ties == 1:
            equal += 1
            if np.random.randint(0, equal) == 0:
                shot = c
    return shot


@kernel
def seed_ties(seed):
    """Seed the generator that breaks ties at random in the kernels."""
    np.random.seed(seed)


@kernel
def grow_tree(
    rows,
    weights,
    certain,
    occupied,
    weight,
    policy,
    ties,
    allowed,
    stack,
    stack_masks,
    shots,
    children,
    leaves,
    table,
    orbits,
    moves,
    lower,
    reach,
    ints,
    masks,
    options,
    counters,
):
    """Emit the tree of a policy, node by node in preorder, the miss branch first.

    policy : 0 greedy half, 1 greedy hits, 2 exact (shots from ``least``), 3 greedy hits, but
        exact where at most options[EXACT_ROWS] rows are left
    stack : int64 (levels + 1, 6), modified: lo, hi, weight, parent edge (2 * parent + answer,
        -1 at the root), misses still allowed, misses so far; stack[levels] holds (height of the
        stack, nodes, total, worst, 0, 0), all 0 at the start.
    stack_masks : uint64 (levels, 2), modified: certain and occupied cells
    shots : int16 (2 * n_rows,), modified: cell of each node, -1 at a leaf
    children : int32 (2 * n_rows, 2), modified: node after a miss, after a hit
    leaves : uint64 (2 * n_rows,), modified: occupancy of a leaf
    Returns the number of nodes, or STOP, after which it can be called again to go on.
    """
    top = stack.shape[0] - 1
    full = np.uint64(options[FULL_BOARD])
    if stack[top, 0] == 0 and stack[top, 1] == 0:
        stack[0, 0] = 0
        stack[0, 1] = rows.shape[0]
        stack[0, 2] = weight
        stack[0, 3] = -1
        stack[0, 4] = allowed
        stack[0, 5] = 0
        stack_masks[0, 0] = certain
        stack_masks[0, 1] = occupied
        stack[top, 0] = 1
    level = stack[top, 0]
    node = stack[top, 1]
    while level > 0:
        lo = stack[level - 1, 0]
        hi = stack[level - 1, 1]
        heft = stack[level - 1, 2]
        edge = stack[level - 1, 3]
        left = stack[level - 1, 4]
        misses = stack[level - 1, 5]
        h = stack_masks[level - 1, 0]
        u = stack_masks[level - 1, 1]
        shot = -1
        if not spend(hi - lo, counters):
            stack[top, 0] = level
            stack[top, 1] = node
            return STOP
        if hi - lo > 1:
            if policy == 2 or (policy == 3 and hi - lo <= options[EXACT_ROWS]):
                value = least(
                    rows, weights, lo, hi, h, u, heft, INFEASIBLE, left, 0,
                    table, orbits, moves, lower, reach, ints, masks, options, counters,
                )  # fmt: skip
                if value == STOP:
                    stack[top, 0] = level
                    stack[top, 1] = node
                    return STOP
                shot = counters[SHOT]
            else:
                sift(rows, weights, lo, hi, h, u, full, ints[0], masks[0])
                shot = greedy_shot(hi - lo, heft, u & ~h, min(policy, 1), ties, ints[0])
        level -= 1
        shots[node] = shot
        children[node, 0] = -1
        children[node, 1] = -1
        leaves[node] = rows[lo] if shot < 0 else ZERO
        if edge >= 0:
            children[edge >> 1, edge & 1] = node
        if shot < 0:
            stack[top, 2] += heft * misses
            stack[top, 3] = max(stack[top, 3], misses)
        else:
            mid = partition(rows, weights, lo, hi, ONE << np.uint64(shot))
            for half in range(2):  # the hit branch goes below the miss branch on the stack
                a = mid if half == 0 else lo
                b = hi if half == 0 else mid
                h, u = close_rows(rows, a, b, full)
                stack[level, 0] = a
                stack[level, 1] = b
                stack[level, 2] = weight_of(weights, a, b)
                stack[level, 3] = 2 * node + (1 - half)
                stack[level, 4] = left if half == 0 or left >= WORST_CASE else left - 1
                stack[level, 5] = misses + half
                stack_masks[level, 0] = h
                stack_masks[level, 1] = u
                level += 1
        node += 1
    stack[top, 0] = 0
    stack[top, 1] = node
    return node
