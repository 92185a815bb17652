"""Compiled loops over a segment: a range ``lo:hi`` of rows, the sub-table at hand.

A segment is partitioned in place, so a sub-table's children are parts of it and no row is ever
copied. The search in answer mode ``hit`` and the graph of sub-tables move the rows themselves,
uint64 ``(n_rows,)``, which are then read one after the other; where a row has more to it than its
cells, a segment is a range of ``ids`` (``enumerate.layouts._subset_kernels``,
``_parting_kernels``). So ``partition`` and ``sift`` have their twins there on purpose.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, kernel, lowest_bit


@kernel
def close_rows(rows, lo, hi, full):
    """Cells that all rows of a segment occupy, and cells that some do. Modifies nothing."""
    certain = full
    occupied = ZERO
    for i in range(lo, hi):
        certain &= rows[i]
        occupied |= rows[i]
    return certain, occupied


@kernel
def weight_of(weights, lo, hi):
    """Sum of the weights of a segment's rows; weights : int64 (n_rows,), or (0,) when all are 1."""
    if weights.shape[0] == 0:
        return hi - lo
    weight = 0
    for i in range(lo, hi):
        weight += weights[i]
    return weight


@kernel
def partition(rows, weights, lo, hi, cells):
    """Move the rows with none of the cells to the front of a segment; return where others begin.

    rows : uint64 (n_rows,), weights : int64 (n_rows,) or (0,): both modified alike
    cells : uint64, mask
    """
    weighted = weights.shape[0] > 0
    i = lo
    for j in range(lo, hi):  # without a branch: no processor guesses which rows are hit
        row = rows[j]
        rows[j] = rows[i]
        rows[i] = row
        if weighted:
            heft = weights[j]
            weights[j] = weights[i]
            weights[i] = heft
        i += np.int64((row & cells) == ZERO)
    return i


@kernel
def sift(rows, weights, lo, hi, certain, occupied, full, ints, masks):
    """Count the columns of a segment and close both children of every undetermined cell.

    rows : uint64 (n_rows,); weights : int64 (n_rows,) or (0,)
    ints : int64 (7, 64), modified: rows (0) and weight (1) that occupy each cell
    masks : uint64 (4 or more, 64), modified: for each cell, certain and occupied cells of the rows
        that occupy it (0, 1) and of those that do not (2, 3)
    """
    weighted = weights.shape[0] > 0
    unknown = occupied & ~certain
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        ints[0, c] = 0
        ints[1, c] = 0
        masks[0, c] = full
        masks[1, c] = ZERO
        masks[2, c] = full
        masks[3, c] = ZERO
    for i in range(lo, hi):
        row = rows[i]
        left = row & unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            ints[0, c] += 1
            if weighted:
                ints[1, c] += weights[i]
            masks[0, c] &= row
            masks[1, c] |= row
        left = unknown & ~row
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            masks[2, c] &= row
            masks[3, c] |= row
    if not weighted:
        left = unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            ints[1, c] = ints[0, c]


@kernel
def count_cells(ids, lo, hi, occupied_by, weights, unknown, full, ints, together):
    """Rows and weight that occupy each undetermined cell, and the cells that go with it.

    ints : int64 (7, 64), modified: rows (0), weight (1), cells by weight (5), by rows (6)
    together : uint64 (64,), modified: cells that every row with the cell occupies
    Returns the number of undetermined cells.
    """
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        ints[0, c] = 0
        ints[1, c] = 0
        together[c] = full
    for i in range(lo, hi):
        row = occupied_by[ids[i]]
        weight = weights[ids[i]]
        left = row & unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            ints[0, c] += 1
            ints[1, c] += weight
            together[c] &= row
    count = 0
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        for column in range(2):
            j = count
            order = 5 + column
            by = 1 - column
            while j > 0 and ints[by, ints[order, j - 1]] < ints[by, c]:
                ints[order, j] = ints[order, j - 1]
                j -= 1
            ints[order, j] = c
        count += 1
    return count


@kernel
def is_dominated(cell, alike, ints):
    """Whether another cell is at least as good a shot: every row that occupies ``cell`` has it.

    alike : uint64, the undetermined cells that all rows with ``cell`` occupy, itself left out.
    Of cells with equal columns the first one stays. Modifies nothing.
    """
    while alike != ZERO:
        d = lowest_bit(alike)
        alike &= alike - ONE
        if ints[0, d] > ints[0, cell] or d < cell:
            return True
    return False
