"""Compiled walk over every sub-table that shots can lead to, in answer mode ``hit``."""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, lowest_bit, popcount, recursive_kernel
from seabattle.solver.search.kernels.keys import canonical_key, key_under
from seabattle.solver.search.kernels.segments import partition, sift
from seabattle.solver.search.kernels.transposition import EMPTY, find_slot
from seabattle.solver.search.kernels.work import FULL_BOARD, STOP, has_room, spend


@recursive_kernel(
    "int64(uint64[::1], int64[::1], int64, int64, uint64, uint64, int64, uint64[:, ::1],"
    "uint64[:, :, ::1], int64[:, :, ::1], uint64[:, :, ::1], int64[::1], int64[::1], int64[::1])"
)
def walk_graph(
    rows, no_weights, lo, hi, certain, occupied, depth,
    table, orbits, ints, masks, options, counters, totals,
):  # fmt: skip
    """Visit every sub-table reachable from the segment, one per orbit, and count them.

    A sub-table is entered in the table only when all below it were visited, so after STOP
    (table full, allowance used) a new call goes on where this one stopped.
    rows : modified (rows change places); no_weights : int64 (0,)
    table : uint64 (capacity, 2 or 3), modified
    totals : int64 (3,), modified: vertices, edges, orbits
    Returns 0 or STOP.
    """
    full = np.uint64(options[FULL_BOARD])
    n = hi - lo
    two_words = table.shape[1] == 3
    word, second, _ = canonical_key(certain, full & ~occupied, orbits, two_words)
    if table[find_slot(table, word, second, 0), 1] != EMPTY:
        return 0
    if not spend(n, counters):
        return STOP
    unknown = occupied & ~certain
    if n > 1:
        sift(rows, no_weights, lo, hi, certain, occupied, full, ints[depth], masks[depth])
        left = unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            mid = -1
            for half in range(2):
                h = masks[depth, 2 * half, c]
                u = masks[depth, 2 * half + 1, c]
                key, other, _ = canonical_key(h, full & ~u, orbits, two_words)
                if table[find_slot(table, key, other, 0), 1] != EMPTY:
                    continue
                if mid < 0:
                    mid = partition(rows, no_weights, lo, hi, ONE << np.uint64(c))
                a = mid if half == 0 else lo
                b = hi if half == 0 else mid
                done = walk_graph(
                    rows, no_weights, a, b, h, u, depth + 1,
                    table, orbits, ints, masks, options, counters, totals,
                )  # fmt: skip
                if done == STOP:
                    return STOP
    if not has_room(counters):
        return STOP
    slot = find_slot(table, word, second, 0)
    table[slot, 0] = word
    table[slot, 1] = ZERO
    if two_words:
        table[slot, 2] = second
    fixed = 0  # symmetries that map the sub-table to itself
    symmetries = orbits.shape[2]
    for g in range(symmetries):
        key, other = key_under(certain, full & ~occupied, orbits, two_words, g)
        if key == word and other == second:
            fixed += 1
    size = symmetries // fixed
    totals[0] += size
    totals[1] += 2 * popcount(unknown) * size
    totals[2] += 1
    return 0
