"""Compiled walk over every sub-table that shots can lead to, in answer mode ``hit``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, lowest_bit, popcount, recursive_kernel
from seabattle.solver.search.kernels.arrays import (
    CERTAIN,
    HIT,
    MISS,
    OCCUPIED,
    NumberPlanes,
    Numbers,
    WordPlanes,
    WordRows,
)
from seabattle.solver.search.kernels.keys import canonical_key, key_under
from seabattle.solver.search.kernels.segments import count_and_close, partition
from seabattle.solver.search.kernels.transposition import (
    EMPTY,
    HIGH_WORD,
    LOW_WORD,
    NO_SHOT,
    PACKED,
    find_slot,
    has_high_word,
    pack,
)
from seabattle.solver.search.kernels.work import FULL_BOARD, NO_LIMIT, STOP, has_room, spend

# Places in ``totals``.
VERTICES = 0
EDGES = 1
ORBITS = 2
TOTALS = 3


class GraphArrays(NamedTuple):
    """The arrays of a walk; those of one name are as in ``HitArrays``."""

    table: WordRows
    key_shares: WordPlanes
    counts: NumberPlanes
    masks: WordPlanes
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
    n = hi - lo
    two_words = has_high_word(table)
    word, second, _ = canonical_key(certain, full & ~occupied, key_shares, two_words)
    if table[find_slot(table, word, second, NO_LIMIT), PACKED] != EMPTY:
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
                key, other, _ = canonical_key(h, full & ~u, key_shares, two_words)
                if table[find_slot(table, key, other, NO_LIMIT), PACKED] != EMPTY:
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
    slot = find_slot(table, word, second, NO_LIMIT)
    table[slot, LOW_WORD] = word
    table[slot, PACKED] = pack(0, 0, False, NO_SHOT, NO_LIMIT)
    if two_words:
        table[slot, HIGH_WORD] = second
    fixed = 0  # symmetries that map the sub-table to itself
    symmetries = key_shares.shape[2]
    for g in range(symmetries):
        key, other = key_under(certain, full & ~occupied, key_shares, two_words, g)
        if key == word and other == second:
            fixed += 1
    size = symmetries // fixed
    totals[VERTICES] += size
    totals[EDGES] += 2 * popcount(unknown) * size
    totals[ORBITS] += 1
    return 0
