"""Compiled walk over every sub-table that shots can lead to, in answer mode ``hit``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, lowest_bit, popcount, recursive_kernel
from seabattle.solver.search.arrays import (
    CERTAIN,
    OCCUPIED,
    NumberPlanes,
    Numbers,
    WordPlanes,
    WordRows,
)
from seabattle.solver.search.kernels.segments import HIT, MISS, count_and_close, partition
from seabattle.solver.search.keys import key_under, make_mask_key
from seabattle.solver.search.table import (
    EMPTY,
    KEY,
    NO_SHOT,
    PACKED,
    find_slot,
    pack,
)
from seabattle.solver.search.work import FULL_BOARD, NO_LIMIT, STOP, has_room, spend

# Places in ``totals``.
VERTICES = 0
EDGES = 1
ORBITS = 2
TOTALS = 3


class GraphArrays(NamedTuple):
    """The arrays of a walk; those of one name are as in ``SearchArrays``."""

    table: WordRows
    key_shares: WordPlanes
    counts: NumberPlanes
    masks: WordPlanes  # (levels, MASK_PLANES, 64), scratch: see ``segments``
    key: WordPlanes  # (levels, 2, words), scratch: keys of a level and of a child
    options: Numbers
    counters: Numbers
    totals: Numbers  # (TOTALS,), modified: vertices, edges, orbits of vertices


@recursive_kernel(
    "int64(uint64[::1], int64[::1], int64, int64, uint64, uint64, int64, GraphArrays)", GraphArrays
)
def walk_graph(rows, no_weights, lo, hi, certain, occupied, depth, arrays):
    """Visit every sub-table reachable from the segment, one per orbit, and count them: 0 or STOP.

    A sub-table is entered in the table only when all below it were visited, so after STOP
    (table full, allowance used) a new call goes on where this one stopped.

    rows : uint64 (n_rows,), occupied cells, modified: the rows of the segment change places
    no_weights : int64 (0,); lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    depth : int64, level of the recursion
    arrays : GraphArrays; table, scratch from level ``depth`` on, counters and totals modified
    """
    table = arrays.table
    key_shares = arrays.key_shares
    options = arrays.options
    counters = arrays.counters
    totals = arrays.totals
    counts = arrays.counts[depth]
    masks = arrays.masks[depth]
    full = np.uint64(options[FULL_BOARD])
    key = arrays.key[depth]
    n = hi - lo
    make_mask_key(certain, full & ~occupied, key_shares, key[0])
    if table[find_slot(table, key[0], NO_LIMIT), PACKED] != EMPTY:
        return 0
    if not spend(n, counters):
        return STOP
    unknown = occupied & ~certain
    if n > 1:
        count_and_close(rows, no_weights, lo, hi, certain, occupied, full, counts, masks)
        left = unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            mid = -1
            for child in (HIT, MISS):
                h = masks[child + CERTAIN, c]
                u = masks[child + OCCUPIED, c]
                make_mask_key(h, full & ~u, key_shares, key[1])
                if table[find_slot(table, key[1], NO_LIMIT), PACKED] != EMPTY:
                    continue
                if mid < 0:
                    mid = partition(rows, no_weights, lo, hi, ONE << np.uint64(c))
                a = mid if child == HIT else lo
                b = hi if child == HIT else mid
                done = walk_graph(rows, no_weights, a, b, h, u, depth + 1, arrays)
                if done == STOP:
                    return STOP
    if not has_room(counters):
        return STOP
    slot = find_slot(table, key[0], NO_LIMIT)
    for w in range(key.shape[1]):
        table[slot, KEY + w] = key[0, w]
    table[slot, PACKED] = pack(0, 0, False, NO_SHOT, NO_LIMIT)
    fixed = 0  # symmetries that map the sub-table to itself
    symmetries = key_shares.shape[2]
    for g in range(symmetries):
        low, high = key_under(certain, full & ~occupied, key_shares, key.shape[1] == 2, g)
        if low == key[0, 0] and (key.shape[1] == 1 or high == key[0, 1]):
            fixed += 1
    size = symmetries // fixed
    totals[VERTICES] += size
    totals[EDGES] += 2 * popcount(unknown) * size
    totals[ORBITS] += 1
    return 0
