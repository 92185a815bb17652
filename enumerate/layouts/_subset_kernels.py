"""Compiled loops over some of the layouts, shared by trees and search. Arrays and scalars only.

A *segment* is a range ``lo:hi`` of ``ids``, int32 or int64, the numbers of the layouts at hand;
it is parted in place. ``rows`` : uint64 (n_layouts,), the cells that each layout occupies.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, kernel, lowest_bit


@kernel
def close_segment(ids, lo, hi, rows, full):
    """Cells that all layouts of a segment occupy, and cells that some do. Modifies nothing."""
    certain = full
    occupied = ZERO
    for i in range(lo, hi):
        row = rows[ids[i]]
        certain &= row
        occupied |= row
    return certain, occupied


@kernel
def part_segment(ids, lo, hi, cells, rows):
    """Move the layouts that occupy none of the cells to the front; return where others begin.

    ids : modified; cells : uint64, mask
    """
    i = lo
    for j in range(lo, hi):  # without a branch: no processor guesses which layouts are hit
        layout = ids[j]
        ids[j] = ids[i]
        ids[i] = layout
        i += np.int64((rows[layout] & cells) == ZERO)
    return i


@kernel
def group_of(seed, within, sides):
    """The cells of ``within`` connected by their sides to a cell of it, and the cells around them.

    seed : uint64, the one cell; within : uint64; sides : uint64 (64,), for each cell the mask of
    the cells beside it. Modifies nothing.
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
