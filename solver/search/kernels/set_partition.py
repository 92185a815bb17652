"""Partition of a set of layouts by the answers to a shot, for any number of cells.

A *segment* is a range ``lo:hi`` of ``ids``, int32 ``(n_rows,)``, the rows still possible; a shot
partitions it, in place, into one segment per answer, as in ``answers``, in one of four families
(``mode``):

``PLAIN``        hit and miss alone; rows differ in their cells
``CLOSED_SUNK``  hit, miss, sunk; all certain hits are shot at once
``NAMED``        a hit names the ship; all certain hits are shot at once
``OPEN_SUNK``    hit, miss, sunk (with or without the length); nothing is shot at once

Parameters that many kernels share: ``p``, int64, an entry of the arena; ``cell``, int64; ``words``,
int64, of a mask; ``announced``, bool, whether a sinking tells the ship's length; ``game`` and
``arena``, groups of ``set_arrays``; ``entries`` and ``masks``, the arrays of the arena. A kernel
modifies only what it says it modifies.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, inlined_kernel, inner_kernel, kernel, lowest_bit
from seabattle.solver.search.arrays import ENTRY_WEIGHT, HI, LO, MISSED
from seabattle.solver.search.kernels.set_arrays import HAS_KEY, OPEN
from seabattle.solver.search.work import (
    ARENA_TOP,
    CLOSED_SUNK,
    FULL_ARENA,
    NAMED,
    PLAIN,
    STATUS,
    STOP,
)


@inlined_kernel
def holds(masks, p, first, cell):
    """Whether the mask of an entry that begins in column ``first`` has a cell."""
    return (masks[p, first + (cell >> 6)] >> np.uint64(cell & 63)) & ONE != ZERO


@kernel
def answer_of(row, cell, p, words, mode, announced, cells, ship_at, lengths, first, masks):
    """Answer of a row, as a number: 0 for a miss; rows of a segment that answer alike have one.

    A hit on a ship not hit before is named by the ship's length, one on a ship hit before by the
    least of its cells hit: the rows left agree on which cells hit belong to one ship.

    words : int64, of a mask; masks : of the arena, entry p with the cells hit before
    cells, ship_at, lengths, first : fields of SetGame
    """
    d = ship_at[row, cell]
    if d < 0:
        return 0
    if mode == PLAIN:
        return 1
    touched = 0
    least = -1
    for j in range(first[d], first[d] + lengths[d]):
        other = cells[row, j]
        if other != cell and holds(masks, p, 2 * words, other):
            touched += 1
            if least < 0:
                least = other
    if mode == NAMED:
        return -1 - least if touched > 0 else lengths[d]
    if touched + 1 < lengths[d]:
        return 1
    return 2 + lengths[d] if announced else 2


@inner_kernel
def split_by_answer(
    ids, lo, hi, cell, p, words, mode, announced, cells, ship_at, lengths, first, masks
):  # fmt: skip
    """Move the rows that answer like the first one to the front; return where others begin.

    ids : modified; the other parameters as in ``answer_of``
    """
    answer = answer_of(
        ids[lo], cell, p, words, mode, announced, cells, ship_at, lengths, first, masks
    )
    i = lo + 1
    for j in range(lo + 1, hi):
        if (
            answer_of(ids[j], cell, p, words, mode, announced, cells, ship_at, lengths, first,
                      masks)
            == answer
        ):  # fmt: skip
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@inner_kernel
def push(lo, hi, missed, source, words, entries, masks, counters):
    """Put a segment on the arena, not closed yet; return whether there was room.

    missed : int64, 1 when the shot missed in its rows
    source : int64, entry whose cells hit it takes over; words : int64, of a mask
    entries, masks : of the arena, modified; counters : ARENA_TOP and STATUS modified
    """
    top = counters[ARENA_TOP]
    if top >= entries.shape[0]:
        counters[STATUS] = FULL_ARENA
        return False
    entries[top, LO] = lo
    entries[top, HI] = hi
    entries[top, MISSED] = missed
    entries[top, HAS_KEY] = 0
    for w in range(2 * words, 3 * words):
        masks[top, w] = masks[source, w]
    counters[ARENA_TOP] = top + 1
    return True


@inner_kernel
def close_entries(start, ids, mode, announced, game, arena, counters):
    """Close the arena's entries from ``start`` on; in the closed modes shoot all certain hits.

    H, U, OPEN and the weight of the entries are filled in, not their lower bounds; what is split
    off takes new places at the top. Returns 0, or STOP (arena full).

    ids, arena : modified; counters : ARENA_TOP and STATUS modified
    """
    entries = arena.entries
    masks = arena.masks
    occupied_by = game.occupied_by
    words = occupied_by.shape[1]
    p = start
    while p < counters[ARENA_TOP]:
        lo = entries[p, LO]
        hi = entries[p, HI]
        weight = 0
        for w in range(words):
            masks[p, w] = occupied_by[ids[lo], w]
            masks[p, words + w] = occupied_by[ids[lo], w]
        for i in range(lo, hi):
            weight += game.weights[ids[i]]
            for w in range(words):
                masks[p, w] &= occupied_by[ids[i], w]
                masks[p, words + w] |= occupied_by[ids[i], w]
        differs = 0
        for w in range(words):
            if masks[p, w] != masks[p, words + w]:
                differs = 1
        entries[p, ENTRY_WEIGHT] = weight
        entries[p, OPEN] = differs
        mid = hi
        if differs == 1 and mode in (CLOSED_SUNK, NAMED):
            for w in range(words):
                left = masks[p, w] & ~masks[p, 2 * words + w]
                while left != ZERO and mid == hi:
                    cell = 64 * w + lowest_bit(left)
                    left &= left - ONE
                    mid = split_by_answer(
                        ids, lo, hi, cell, p, words, mode, announced, game.cells, game.ship_at,
                        game.lengths, game.first, masks,
                    )  # fmt: skip
                    if mid < hi:
                        # What is split off may have several answers: it shoots the cell again.
                        missed = entries[p, MISSED]
                        if not push(mid, hi, missed, p, words, entries, masks, counters):
                            return STOP
                        entries[p, HI] = mid
                    masks[p, 2 * words + w] |= ONE << np.uint64(cell & 63)
        if mid == hi:
            p += 1
    return 0


@inner_kernel
def partition_by_answers(ids, lo, hi, cell, source, mode, announced, game, arena, counters):
    """Partition a segment by the answer to a shot, and close the parts; they go on the arena.

    Returns 0, or STOP (arena full).

    source : int64, entry with the cells hit before
    ids, arena : modified; counters : ARENA_TOP and STATUS modified
    """
    entries = arena.entries
    masks = arena.masks
    words = game.occupied_by.shape[1]
    start = counters[ARENA_TOP]
    mid = lo
    for j in range(lo, hi):  # water first
        row = ids[j]
        if game.ship_at[row, cell] < 0:
            ids[j] = ids[mid]
            ids[mid] = row
            mid += 1
    if lo < mid and not push(lo, mid, np.int64(1), source, words, entries, masks, counters):
        return STOP
    if mid < hi:
        p = counters[ARENA_TOP]
        if not push(mid, hi, np.int64(0), source, words, entries, masks, counters):
            return STOP
        if mode != PLAIN:
            masks[p, 2 * words + (cell >> 6)] |= ONE << np.uint64(cell & 63)
        while mid < hi and mode != PLAIN:
            mid = split_by_answer(
                ids, mid, hi, cell, p, words, mode, announced, game.cells, game.ship_at,
                game.lengths, game.first, masks,
            )  # fmt: skip
            if mid < hi:
                entries[p, HI] = mid
                if not push(mid, hi, np.int64(0), p, words, entries, masks, counters):
                    return STOP
                p += 1
    return close_entries(start, ids, mode, announced, game, arena, counters)


@inner_kernel
def make_set_key(ids, p, words, entries, masks):
    """Write the rows of an entry, a bit each, behind its cells hit.

    entries, masks : of the arena, modified
    """
    for w in range(3 * words, masks.shape[1]):
        masks[p, w] = ZERO
    for i in range(entries[p, LO], entries[p, HI]):
        row = ids[i]
        masks[p, 3 * words + (row >> 6)] |= ONE << np.uint64(row & 63)
    entries[p, HAS_KEY] = 1
