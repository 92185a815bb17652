"""Compiled loops that find the parts of blocks. Arrays and scalars only.

``solver.search.miss_blocks`` says what blocks and parts are. Parameters that many kernels share:
``ids``, int32 ``(n_rows,)``; ``lo`` and ``hi``, int64, a segment of them; ``arrays``, the group of
arrays of ``minimize``; ``images``, int32 ``(symmetries, rows)``, row that each row
becomes; ``moves``, int64 ``(symmetries, 64)``, image of each cell; ``g``, int64, number of a
symmetry. A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, kernel
from seabattle.solver.search.answers import close_entries, partition_by_answers, push
from seabattle.solver.search.arrays import HI, LO, K
from seabattle.solver.search.work import (
    ANNOUNCED,
    ARENA_TOP,
    FULL_BOARD,
    MODE,
    OPEN_SUNK,
)


@kernel
def digest(ids, lo, hi, marks, images, g, cells):
    """Two words that tell a segment and a mask, moved by symmetry g, from almost all others.

    marks : uint64 (rows, 2), random; cells : uint64, the mask, moved already
    """
    first = cells * np.uint64(0x9E3779B97F4A7C15)
    second = cells * np.uint64(0xC2B2AE3D27D4EB4F)
    for i in range(lo, hi):
        row = images[g, ids[i]]
        first += marks[row, 0]
        second += marks[row, 1]
    return first, second


@kernel
def moved(cells, g, moves):
    """A mask of cells, moved by symmetry g."""
    image = ZERO
    for cell in range(moves.shape[1]):
        if cells >> np.uint64(cell) & ONE:
            image |= ONE << np.uint64(moves[g, cell])
    return image


@kernel
def parts_of_shot(ids, cell, shot, arrays):
    """Partition rows by the answers to a shot (-1: none is made), certain hits and all.

    The parts are the entries of the arena. Returns whether there was room for them.

    cell : int64; shot : uint64, cells hit before
    ids, arrays.arena : modified; counters : ARENA_TOP and STATUS modified
    """
    counters = arrays.counters
    full = np.uint64(arrays.options[FULL_BOARD])
    mode = arrays.options[MODE]
    first = np.int64(0)
    counters[ARENA_TOP] = first
    if cell < 0:
        if not push(np.int64(0), np.int64(len(ids)), np.int64(0), shot, arrays.arena, counters):
            return False
        stopped = close_entries(first, ids, arrays.game, mode, full, arrays.arena, counters)
    else:
        stopped = partition_by_answers(
            ids, np.int64(0), np.int64(len(ids)), cell, shot, arrays.game, mode,
            arrays.options[ANNOUNCED] == 1, full, arrays.arena, counters,
        )  # fmt: skip
    return stopped == 0


@kernel
def name_parts(ids, marks, images, moves, named, arrays):
    """The least digest of every part over the symmetries, and the symmetry that gives it.

    named : uint64 (entries of the arena, 3), modified; the other parameters as in ``digest``
    """
    mode = arrays.options[MODE]
    for p in range(arrays.counters[ARENA_TOP]):
        lo = arrays.arena.entries[p, LO]
        hi = arrays.arena.entries[p, HI]
        cells = arrays.arena.masks[p, K] if mode == OPEN_SUNK else ZERO
        for g in range(images.shape[0]):
            one, two = digest(ids, lo, hi, marks, images, g, moved(cells, g, moves))
            if g == 0 or one < named[p, 0] or (one == named[p, 0] and two < named[p, 1]):
                named[p, 0] = one
                named[p, 1] = two
                named[p, 2] = g


@kernel
def same_rows(ids, images, g, rows, seen):
    """Whether rows moved by symmetry g are just the given ones.

    rows : int32 (n,); seen : int8 (rows of the game,), scratch, 0 before and after
    """
    if len(ids) != len(rows):
        return False
    for row in ids:
        seen[images[g, row]] = 1
    same = True
    for row in rows:
        same = same and seen[row] == 1
    for row in ids:
        seen[images[g, row]] = 0
    return same
