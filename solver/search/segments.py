"""Kernels of the search that walk segments of layouts and answer shots, as numba compiles them.

Arrays that several of them take, none modified unless a kernel says so:

    masks : uint64 (n_placements, 2) or (n_layouts, words), cells occupied, low word first
    ships : uint16 (n_layouts, n_ships), placement numbers
    lengths : int64 (n_ships,), lengths of the ships, longest first
    mode : answer mode with its announcement, one of the ``KERNEL_`` numbers of ``answers``

A *segment* is a range ``lo:hi`` of ``ids``, int32 or int64 ``(n,)``: the numbers of the layouts
still possible, partitioned in place as answers come in. ``rows`` are masks ``(n_layouts,)``, uint64
or ``wide``: the cells that each layout occupies, bit c for cell c.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    KERNEL_HIT,
    KERNEL_SHIP,
    KERNEL_SUNK,
    MISS,
    SUNK,
    SUNK_LENGTH,
)
from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit


@kernel
def shoot(cell, shot):
    """Add a cell to those shot; whether it was one of them before. shot : uint64 (words,)"""
    before = shot[cell >> 6]
    shot[cell >> 6] |= ONE << np.uint64(cell & 63)
    return shot[cell >> 6] == before


@kernel
def name_answer(ships, lengths, cell, shot, names, mode):
    """Answer code (int64) of one shot at one layout: the rules of the game and nothing else.

    ships : uint64 (n_ships, words), the cells of each
    cell : the cell shot now; shot : uint64 (words,), the cells shot, this one among them
    names : int64 (n_ships,), modified in mode ``ship``: 0 until a ship is hit, then its number
        among the ships of its length
    """
    for d in range(lengths.shape[0]):
        if (ships[d, cell >> 6] >> np.uint64(cell & 63)) & ONE == ZERO:
            continue
        if mode == KERNEL_HIT:
            return HIT
        if mode == KERNEL_SHIP:
            if names[d] == 0:
                number = 1
                for e in range(lengths.shape[0]):
                    if lengths[e] == lengths[d] and names[e] > 0:
                        number += 1
                names[d] = number
            return HIT_SHIP + 64 * lengths[d] + names[d]
        for w in range(shot.shape[0]):
            if ships[d, w] & ~shot[w] != ZERO:
                return HIT
        return SUNK if mode == KERNEL_SUNK else SUNK_LENGTH + lengths[d]
    return MISS


@kernel
def replay(ships, lengths, history, shot, names, mode):
    """Shoot some cells at a layout, as ``name_answer`` takes it, from the beginning on.

    history : int64 (n_shots,), cells in order; shot, names : modified, whatever they held
    """
    shot[:] = ZERO
    names[:] = 0
    for cell in history:
        shoot(cell, shot)
        if mode == KERNEL_SHIP:
            name_answer(ships, lengths, cell, shot, names, mode)


@kernel
def close_segment(ids, lo, hi, rows, full):
    """Masks of the cells that all layouts of a segment occupy, and that some do.

    full : mask of all cells of the board, returned first when the segment is empty.
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

    ids : modified within ``lo:hi``; cells : mask
    """
    i = lo
    for j in range(lo, hi):  # branch-free: which layouts are hit cannot be predicted
        layout = ids[j]
        ids[j] = ids[i]
        ids[i] = layout
        i += np.int64((rows[layout] & cells) == ZERO)
    return i


@kernel
def group_of(seed, within, sides):
    """Masks of the cells of ``within`` connected to one of them, and of the cells beside those.

    seed, within : masks of the one cell and of all; sides : masks (cells,), for each cell
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
