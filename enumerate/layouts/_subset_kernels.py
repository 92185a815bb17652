"""Compiled loops over some of the layouts, shared by trees and search.

A *segment* is a range ``lo:hi`` of ``ids``, int32 or int64 ``(n,)``: the numbers of the layouts
still possible, partitioned in place as answers come in. ``rows`` is uint64 ``(n_layouts,)``: the
cells that each layout occupies, never modified. Masks are uint64, bit c for cell c.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, inner_kernel, kernel, lowest_bit


@kernel
def close_segment(ids, lo, hi, rows, full):
    """Masks of the cells that all layouts of a segment occupy, and that some do.

    full : uint64, mask of all cells of the board, returned first when the segment is empty.
    Modifies nothing.
    """
    certain = full
    occupied = ZERO
    for i in range(lo, hi):
        row = rows[ids[i]]
        certain &= row
        occupied |= row
    return certain, occupied


@kernel
def part_segment(ids, lo, hi, cells, rows):
    """Move the layouts that occupy none of some cells to the front; return where the others begin.

    ids : modified within ``lo:hi``; cells : uint64, mask
    """
    i = lo
    for j in range(lo, hi):  # branch-free: which layouts are hit cannot be predicted
        layout = ids[j]
        ids[j] = ids[i]
        ids[i] = layout
        i += np.int64((rows[layout] & cells) == ZERO)
    return i


@inner_kernel
def group_of(seed, within, sides):
    """Masks of the cells of ``within`` connected to one of them, and of the cells beside those.

    seed, within : uint64, masks of the one cell and of all; sides : uint64 (64,), for each cell
    the mask of the cells that share a side with it. Modifies nothing.
    """
    group = seed
    edge = seed
    around = ZERO
    while edge != ZERO:
        cell = lowest_bit(edge)
        edge &= edge - ONE
        around |= sides[cell]
        fresh = sides[cell] & within & ~group
        group |= fresh
        edge |= fresh
    return group, around & ~group
