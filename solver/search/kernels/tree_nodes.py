"""Compiled loop that emits the tree of a policy in answer mode ``hit``. Arrays and scalars only."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import ONE, ZERO, inner_kernel, kernel, lowest_bit
from seabattle.solver.search.kernels.arrays import WEIGHT, NumberRows, Numbers, WordRows
from seabattle.solver.search.kernels.hit_search import minimize
from seabattle.solver.search.kernels.segments import (
    close_rows,
    count_and_close,
    partition,
    weight_of,
)
from seabattle.solver.search.kernels.work import (
    EXACT_ROWS,
    FULL_BOARD,
    INFEASIBLE,
    POLICY_EXACT,
    POLICY_HALF,
    POLICY_HITS,
    POLICY_MIXED,
    SHOT,
    STOP,
    after_miss,
    spend,
)

# Columns of the stack of sub-tables whose nodes are still to be emitted: a segment, ...
LO = 0
HI = 1
SUM = 2  # sum of its weights
EDGE = 3  # 2 * parent + answer (0 a miss, 1 a hit), -1 at the root
LIMIT = 4  # miss limit still left
MISSES = 5  # misses so far
STACK_COLUMNS = 6
# ... and of its masks: H and U.
CERTAIN = 0
OCCUPIED = 1
STACK_MASKS = 2

# Places in ``progress``.
HEIGHT = 0  # entries on the stack
GROWN = 1  # nodes emitted
TOTAL_MISSES = 2  # of the leaves among them, and their worst case
WORST_MISSES = 3
PROGRESS = 4


class Stack(NamedTuple):
    """Sub-tables whose nodes are still to be emitted."""

    entries: NumberRows  # (levels, STACK_COLUMNS)
    masks: WordRows  # (levels, STACK_MASKS)
    progress: Numbers  # (PROGRESS,); HEIGHT is 1 and the rest 0 at the start


class GrownTree(NamedTuple):
    """The tree being grown, with room for twice as many nodes as rows."""

    shots: NDArray[np.int16]  # (2 * n_rows,): cell shot at each node, -1 at a leaf
    children: NDArray[np.int32]  # (2 * n_rows, 2): node after a miss, after a hit; -1 at a leaf
    leaves: NDArray[np.uint64]  # (2 * n_rows,): occupancy of a leaf, 0 at other nodes


@inner_kernel
def greedy_shot(weight, unknown, policy, random_ties, counts):
    """Cell a greedy rule shoots: the share of the weight nearest to half of it, or the most weight.

    weight : int64, of the sub-table; unknown : uint64, its undetermined cells
    policy : POLICY_HALF or POLICY_HITS
    random_ties : bool; False takes the first of the best cells in reading order, True any of them
        (numba's own generator, ``seed_ties``)
    counts : int64 (COUNT_PLANES, 64), from ``count_and_close``
    Modifies nothing.
    """
    shot = -1
    best = 0
    equal = 0
    while unknown != ZERO:
        c = lowest_bit(unknown)
        unknown &= unknown - ONE
        share = counts[WEIGHT, c]
        score = share if policy == POLICY_HITS else -abs(2 * share - weight)
        if shot < 0 or score > best:
            shot = c
            best = score
            equal = 1
        elif score == best and random_ties:
            equal += 1
            if np.random.randint(0, equal) == 0:
                shot = c
    return shot


@kernel
def seed_ties(seed):
    """Seed the generator that breaks ties at random in the kernels; seed : int64."""
    np.random.seed(seed)


@kernel
def grow_tree(rows, weights, policy, random_ties, stack, tree, arrays):
    """Emit the tree of a policy, node by node in preorder, the miss branch first.

    Returns the number of nodes, or STOP, after which it can be called again to go on.

    rows : uint64 (n_rows,), weights : int64 (n_rows,) or (0,): modified, rows change places
    policy : POLICY_HALF, POLICY_HITS, POLICY_EXACT (shots from ``minimize``), or POLICY_MIXED
        (most hits, but exact where at most options[EXACT_ROWS] rows are left)
    random_ties : bool, as in ``greedy_shot``
    stack : Stack, modified; its first entry is the whole problem
    tree : GrownTree, modified
    arrays : HitArrays; table, scratch and counters modified by the exact policies
    """
    options = arrays.options
    counters = arrays.counters
    entries = stack.entries
    progress = stack.progress
    full = np.uint64(options[FULL_BOARD])
    greedy = POLICY_HALF if policy == POLICY_HALF else POLICY_HITS
    level = progress[HEIGHT]
    node = progress[GROWN]
    while level > 0:
        lo = entries[level - 1, LO]
        hi = entries[level - 1, HI]
        weight = entries[level - 1, SUM]
        edge = entries[level - 1, EDGE]
        miss_limit = entries[level - 1, LIMIT]
        misses = entries[level - 1, MISSES]
        h = stack.masks[level - 1, CERTAIN]
        u = stack.masks[level - 1, OCCUPIED]
        shot = -1
        if not spend(hi - lo, counters):
            progress[HEIGHT] = level
            progress[GROWN] = node
            return STOP
        if hi - lo > 1:
            if policy == POLICY_EXACT or (
                policy == POLICY_MIXED and hi - lo <= options[EXACT_ROWS]
            ):
                value = minimize(
                    rows, weights, lo, hi, h, u, weight, INFEASIBLE, miss_limit, 0, arrays
                )
                if value == STOP:
                    progress[HEIGHT] = level
                    progress[GROWN] = node
                    return STOP
                shot = counters[SHOT]
            else:
                counts = arrays.counts[0]
                count_and_close(rows, weights, lo, hi, h, u, full, counts, arrays.masks[0])
                shot = greedy_shot(weight, u & ~h, greedy, random_ties, counts)
        level -= 1
        tree.shots[node] = shot
        tree.children[node, 0] = -1
        tree.children[node, 1] = -1
        tree.leaves[node] = rows[lo] if shot < 0 else ZERO
        if edge >= 0:
            tree.children[edge >> 1, edge & 1] = node
        if shot < 0:
            progress[TOTAL_MISSES] += weight * misses
            progress[WORST_MISSES] = max(progress[WORST_MISSES], misses)
        else:
            mid = partition(rows, weights, lo, hi, ONE << np.uint64(shot))
            for missed in range(2):  # the hit branch goes below the miss branch on the stack
                a = lo if missed else mid
                b = mid if missed else hi
                h, u = close_rows(rows, a, b, full)
                entries[level, LO] = a
                entries[level, HI] = b
                entries[level, SUM] = weight_of(weights, a, b)
                entries[level, EDGE] = 2 * node + (1 - missed)
                entries[level, LIMIT] = after_miss(miss_limit) if missed else miss_limit
                entries[level, MISSES] = misses + missed
                stack.masks[level, CERTAIN] = h
                stack.masks[level, OCCUPIED] = u
                level += 1
        node += 1
    progress[HEIGHT] = 0
    progress[GROWN] = node
    return node
