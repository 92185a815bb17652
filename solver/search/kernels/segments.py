"""Compiled loops over a segment: a range ``lo:hi`` of rows, the sub-table at hand.

A segment is partitioned in place, so a sub-table's children are parts of it and no row is ever
copied. The search in answer mode ``hit`` and the graph of sub-tables move the rows themselves,
uint64 ``(n_rows,)``, which are then read one after the other; where a row has more to it than its
cells, a segment is a range of ``ids`` (``enumerate.layouts``,
``partition``). So ``partition`` and ``count_and_close`` have their twins there on purpose.

Parameters that many kernels share: ``rows``, uint64 ``(n_rows,)``, occupied cells of each row;
``weights``, int64 ``(n_rows,)``, or ``(0,)`` when all are 1; ``lo`` and ``hi``, int64, the segment;
``full``, uint64, mask of the board. ``counts`` and ``masks`` are the scratch of one level, int64
``(COUNT_PLANES, 64)`` and uint64 ``(MASK_PLANES, 64)``, their planes named in ``arrays``. A kernel
modifies only what it says it modifies. Sums of weights stay below 2^41 by validation.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, inner_kernel, kernel, lowest_bit
from seabattle.solver.search.kernels.arrays import (
    BY_ROWS,
    BY_WEIGHT,
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


@inner_kernel
def insert_falling(cell, count, order, by, counts):
    """Insert a cell into a list of cells that is sorted by falling numbers.

    cell : int64; count : int64, length of the list before
    order, by : planes of ``counts``, the list and the numbers; the list is modified
    """
    j = count
    while j > 0 and counts[by, counts[order, j - 1]] < counts[by, cell]:
        counts[order, j] = counts[order, j - 1]
        j -= 1
    counts[order, j] = cell


@inner_kernel
def list_falling(cells, order, by, counts):
    """List the cells of a mask by falling numbers; returns how many they are.

    order, by : planes of ``counts``, the list and the numbers; the list is modified
    """
    count = 0
    while cells != ZERO:
        c = lowest_bit(cells)
        cells &= cells - ONE
        insert_falling(c, count, order, by, counts)
        count += 1
    return count


@kernel
def count_cells(ids, lo, hi, occupied_by, weights, unknown, full, counts, together):
    """Rows and weight that occupy each undetermined cell, and the cells that go with it.

    ids : int32 (n_rows,), numbers of rows; the segment is a range of it
    occupied_by : uint64 (n_rows,), cells each row occupies; weights : int64 (n_rows,)
    unknown : uint64, mask of the undetermined cells
    counts : planes ROWS, WEIGHT, BY_WEIGHT and BY_ROWS modified
    together : uint64 (64,), modified: cells that every row with the cell occupies
    Returns int64, the number of undetermined cells.
    """
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        counts[ROWS, c] = 0
        counts[WEIGHT, c] = 0
        together[c] = full
    for i in range(lo, hi):
        row = occupied_by[ids[i]]
        weight = weights[ids[i]]
        left = row & unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            counts[ROWS, c] += 1
            counts[WEIGHT, c] += weight
            together[c] &= row
    list_falling(unknown, BY_WEIGHT, WEIGHT, counts)
    return list_falling(unknown, BY_ROWS, ROWS, counts)


@kernel
def is_dominated(cell, alike, counts):
    """Whether another cell is at least as good a shot: every row that occupies ``cell`` has it.

    alike : uint64, the undetermined cells that all rows with ``cell`` occupy, itself left out.
    Of cells with equal columns the first one stays.
    cell : int64; counts : plane ROWS is read
    """
    while alike != ZERO:
        d = lowest_bit(alike)
        alike &= alike - ONE
        if counts[ROWS, d] > counts[ROWS, cell] or d < cell:
            return True
    return False


@kernel
def is_simple_miss(c, n, count, counts):
    """Whether a miss at c makes no other cell certain: no two columns have all rows together.

    c, n : int64, cell and rows of the sub-table
    count : int64, undetermined cells; counts : planes ROWS and BY_ROWS of ``count_cells``
    """
    if count == 1:
        return False
    most = counts[BY_ROWS, 0]
    if most == c:
        most = counts[BY_ROWS, 1]
    return counts[ROWS, c] + counts[ROWS, most] < n


@kernel
def occupied_after_miss(c, occupied, unknown, together):
    """Cells that some row occupies after a miss at c: not those of which every row has c.

    c : int64; occupied, unknown : uint64, U and undetermined cells of the sub-table
    together : uint64 (64,), of ``count_cells``
    """
    after = occupied
    while unknown != ZERO:
        d = lowest_bit(unknown)
        bit = unknown & (~unknown + ONE)
        unknown ^= bit
        if (together[d] >> np.uint64(c)) & ONE != ZERO:
            after ^= bit
    return after
