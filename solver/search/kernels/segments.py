"""Compiled loops over a segment: a range ``lo:hi`` of rows, the sub-table at hand.

A segment is partitioned in place, so a sub-table's children are parts of it and no row is ever
copied. The search in answer mode ``hit`` and the graph of sub-tables move the rows themselves,
uint64 ``(n_rows,)``, which are then read one after the other; where a row has more to it than its
cells, a segment is a range of ``ids`` (``enumerate.layouts``,
``answers``). So ``answers`` and ``count_and_close`` have their twins there on purpose.

Parameters that many kernels share: ``rows``, uint64 ``(n_rows,)``, occupied cells of each row;
``weights``, int64 ``(n_rows,)``, or ``(0,)`` when all are 1; ``lo`` and ``hi``, int64, the segment;
``full``, uint64, mask of the board. ``counts`` and ``masks`` are the scratch of one level, int64
``(COUNT_PLANES, 64)`` and uint64 ``(MASK_PLANES, 64)``, their planes named in ``arrays``. A kernel
modifies only what it says it modifies. Sums of weights stay below 2^41 by validation.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit
from seabattle.solver.search.arrays import (
    CERTAIN,
    OCCUPIED,
    ROWS,
    WEIGHT,
)

# Planes of ``masks``, uint64 (levels, MASK_PLANES, 64): for each cell, of the children of a shot
# there. A plane is HIT or MISS, which child, plus CERTAIN or OCCUPIED.
HIT = 0
MISS = 2
MASK_PLANES = 4


@kernel
def close_rows(rows, lo, hi, full):
    """Cells that all rows of a segment occupy, and cells that some do: two masks."""
    certain = full
    occupied = ZERO
    for i in range(lo, hi):
        certain &= rows[i]
        occupied |= rows[i]
    return certain, occupied


@kernel
def weight_of(weights, lo, hi):
    """Sum of the weights of a segment's rows."""
    if weights.shape[0] == 0:
        return hi - lo
    weight = 0
    for i in range(lo, hi):
        weight += weights[i]
    return weight


@kernel
def partition(rows, weights, lo, hi, cells):
    """Move the rows with none of the cells to the front of a segment; return where others begin.

    rows, weights : modified alike: the rows of the segment change places
    cells : uint64, mask
    """
    weighted = weights.shape[0] > 0
    part = rows[lo:hi]
    i = 0
    for j in range(part.shape[0]):  # without a branch: no processor guesses which rows are hit
        row = part[j]
        part[j] = part[i]
        part[i] = row
        if weighted:
            weight = weights[lo + j]
            weights[lo + j] = weights[lo + i]
            weights[lo + i] = weight
        i += np.int64((row & cells) == ZERO)
    return lo + i


@kernel
def count_and_close(rows, weights, lo, hi, certain, occupied, full, counts, masks):
    """Count the columns of a segment and close both children of every undetermined cell.

    Each row is looked at for the cells that it occupies alone, as what a miss leaves follows from
    what hits leave. A miss at c leaves no row with d when every row with d has c: when c is certain
    after a hit at d. It makes d certain when every row without c has d. Then every row without d
    has c, and one of the two is in half of the rows or more: only for such cells are rows looked
    at again.

    certain, occupied : uint64, H and U of the segment; undetermined cells are in U and not in H
    counts : planes ROWS and WEIGHT modified
    masks : planes HIT + CERTAIN, HIT + OCCUPIED, MISS + CERTAIN and MISS + OCCUPIED modified;
        there may be fewer planes than MASK_PLANES, but these four
    """
    weighted = weights.shape[0] > 0
    unknown = occupied & ~certain
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        counts[ROWS, c] = 0
        counts[WEIGHT, c] = 0
        masks[HIT + CERTAIN, c] = full
        masks[HIT + OCCUPIED, c] = ZERO
        masks[MISS + CERTAIN, c] = certain
        masks[MISS + OCCUPIED, c] = occupied
    part = rows[lo:hi]  # numbered from 0, so that no index has to be looked at for a sign
    n = part.shape[0]
    for i in range(n):
        row = part[i]
        left = row & unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            counts[ROWS, c] += 1
            if weighted:
                counts[WEIGHT, c] += weights[lo + i]
            masks[HIT + CERTAIN, c] &= row
            masks[HIT + OCCUPIED, c] |= row
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        bit = left & (~left + ONE)
        left ^= bit
        if not weighted:
            counts[WEIGHT, c] = counts[ROWS, c]
        alike = masks[HIT + CERTAIN, c] & unknown  # itself among them
        while alike != ZERO:
            d = lowest_bit(alike)
            alike &= alike - ONE
            masks[MISS + OCCUPIED, d] &= ~bit
        if 2 * counts[ROWS, c] >= n:
            common = full
            for i in range(n):
                row = part[i]
                common &= row if row & bit == ZERO else full
            masks[MISS + CERTAIN, c] |= common
            common &= unknown
            while common != ZERO:
                d = lowest_bit(common)
                common &= common - ONE
                masks[MISS + CERTAIN, d] |= bit
