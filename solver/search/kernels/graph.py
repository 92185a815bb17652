"""Compiled walk over every sub-table that shots can lead to, in answer mode ``hit``.

A sub-table is a *segment*, a range ``lo:hi`` of ``rows``, uint64 ``(n_rows,)``, the occupied cells
of each. It is partitioned in place, so no row is ever copied. The rows themselves move, as nothing
but their cells matters here, and are read one after the other; so ``partition`` and
``count_and_close`` have twins in ``answers``, for ``ids`` of rows with more to them.

``full``, uint64, is the mask of the board; ``counts`` and ``masks`` are the scratch of one level,
int64 ``(COUNT_PLANES, 64)`` and uint64 ``(CHILD_PLANES, 64)``. A kernel modifies only what it says
it modifies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    group,
    kernel,
    lowest_bit,
    popcount,
    recursive_kernel,
)
from seabattle.solver.search.arrays import (
    AFTER_HIT,
    AFTER_MISS,
    CERTAIN,
    OCCUPIED,
    ROWS,
    NumberPlanes,
    Numbers,
    WordPlanes,
    WordRows,
    Words,
)
from seabattle.solver.search.keys import key_under, make_mask_key
from seabattle.solver.search.table import EMPTY, KEY, NO_SHOT, PACKED, find_slot, pack
from seabattle.solver.search.work import NO_LIMIT, STOP, has_room, spend


@kernel
def partition(rows, lo, hi, cells):
    """Move the rows with none of the cells to the front of a segment; return where others begin.

    rows : modified: the rows of the segment change places
    cells : uint64, mask
    """
    part = rows[lo:hi]
    i = 0
    for j in range(part.shape[0]):  # without a branch: no processor guesses which rows are hit
        row = part[j]
        part[j] = part[i]
        part[i] = row
        i += np.int64((row & cells) == ZERO)
    return lo + i


@kernel
def count_and_close(rows, lo, hi, certain, occupied, full, counts, masks):
    """Count the columns of a segment and close both children of every undetermined cell.

    Each row is looked at for the cells that it occupies alone, as what a miss leaves follows from
    what hits leave. A miss at c leaves no row with d when every row with d has c: when c is certain
    after a hit at d. It makes d certain when every row without c has d. Then every row without d
    has c, and one of the two is in half of the rows or more: only for such cells are rows looked
    at again.

    certain, occupied : uint64, H and U of the segment; undetermined cells are in U and not in H
    counts : plane ROWS modified
    masks : all planes modified
    """
    unknown = occupied & ~certain
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        counts[ROWS, c] = 0
        masks[AFTER_HIT + CERTAIN, c] = full
        masks[AFTER_HIT + OCCUPIED, c] = ZERO
        masks[AFTER_MISS + CERTAIN, c] = certain
        masks[AFTER_MISS + OCCUPIED, c] = occupied
    part = rows[lo:hi]  # numbered from 0, so that no index has to be looked at for a sign
    n = part.shape[0]
    for i in range(n):
        row = part[i]
        left = row & unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            counts[ROWS, c] += 1
            masks[AFTER_HIT + CERTAIN, c] &= row
            masks[AFTER_HIT + OCCUPIED, c] |= row
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        bit = left & (~left + ONE)
        left ^= bit
        alike = masks[AFTER_HIT + CERTAIN, c] & unknown  # itself among them
        while alike != ZERO:
            d = lowest_bit(alike)
            alike &= alike - ONE
            masks[AFTER_MISS + OCCUPIED, d] &= ~bit
        if 2 * counts[ROWS, c] >= n:
            common = full
            for i in range(n):
                row = part[i]
                common &= row if row & bit == ZERO else full
            masks[AFTER_MISS + CERTAIN, c] |= common
            common &= unknown
            while common != ZERO:
                d = lowest_bit(common)
                common &= common - ONE
                masks[AFTER_MISS + CERTAIN, d] |= bit


# Places in ``totals``.
VERTICES = 0
EDGES = 1
ORBITS = 2
TOTALS = 3


@group
class GraphArrays(NamedTuple):
    """The arrays of a walk; those of one name are as in ``SearchArrays``."""

    table: WordRows
    key_shares: WordPlanes
    counts: NumberPlanes
    masks: WordPlanes  # (levels, CHILD_PLANES, 64), scratch
    key: WordPlanes  # (levels, 2, words), scratch: keys of a level and of a child
    full: Words  # (1,): mask of the board
    counters: Numbers
    totals: Numbers  # (TOTALS,), modified: vertices, edges, orbits of vertices


@recursive_kernel(
    "int64(uint64[::1], int64, int64, uint64, uint64, int64, GraphArrays)", GraphArrays
)
def walk_graph(rows, lo, hi, certain, occupied, depth, arrays):
    """Visit every sub-table reachable from the segment, one per orbit, and count them: 0 or STOP.

    A sub-table is entered in the table only when all below it were visited, so after STOP
    (table full, allowance used) a new call goes on where this one stopped.

    rows : uint64 (n_rows,), occupied cells, modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    depth : int64, level of the recursion
    arrays : GraphArrays; table, scratch from level ``depth`` on, counters and totals modified
    """
    table = arrays.table
    key_shares = arrays.key_shares
    counters = arrays.counters
    totals = arrays.totals
    counts = arrays.counts[depth]
    masks = arrays.masks[depth]
    full = arrays.full[0]
    key = arrays.key[depth]
    n = hi - lo
    make_mask_key(certain, full & ~occupied, key_shares, key[0])
    if table[find_slot(table, key[0], NO_LIMIT), PACKED] != EMPTY:
        return 0
    if not spend(n, counters):
        return STOP
    unknown = occupied & ~certain
    if n > 1:
        count_and_close(rows, lo, hi, certain, occupied, full, counts, masks)
        left = unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            mid = -1
            for child in (AFTER_HIT, AFTER_MISS):
                h = masks[child + CERTAIN, c]
                u = masks[child + OCCUPIED, c]
                make_mask_key(h, full & ~u, key_shares, key[1])
                if table[find_slot(table, key[1], NO_LIMIT), PACKED] != EMPTY:
                    continue
                if mid < 0:
                    mid = partition(rows, lo, hi, ONE << np.uint64(c))
                a = mid if child == AFTER_HIT else lo
                b = hi if child == AFTER_HIT else mid
                done = walk_graph(rows, a, b, h, u, depth + 1, arrays)
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
