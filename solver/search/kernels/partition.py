"""Parting a sub-table by the answers to a shot, where an answer says more than hit or miss.

A *segment* is a range ``lo:hi`` of ``ids``, int32, the rows still possible; a shot parts it, in
place, into one segment per answer. Three families of answers (``mode``) differ in how;
``solver.search.answer_search`` gives the proofs.

``CLOSED_SUNK``  answers hit, miss, sunk where ships are connected groups of cells (contact rules
    none and corners). All certain hits are shot at once.
``OPEN_SUNK``    the same answers where ships may touch at their sides. Nothing is shot at once.
``NAMED``        a hit names the ship. All certain hits are shot at once.

Arrays that every kernel here reads, called *game* below:
    occupied_by : uint64 (n_rows,), cells each row occupies; weights : int64 (n_rows,)
    ships : uint64 (n_rows, n_ships), cells of each ship; lengths : int64 (n_ships,)
    sides : uint64 (64,), for each cell the mask of the cells beside it
and the *arena*, the children of the sub-tables on the path, up to counters[ARENA_TOP]:
    arena : int64 (size, 6), arena_masks : uint64 (size, 3 + words), modified; columns named below
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, kernel
from seabattle.enumerate.layouts._subset_kernels import close_segment, group_of, part_segment
from seabattle.solver.search.kernels.work import (
    ARENA_TOP,
    CLOSED_SUNK,
    FULL_ARENA,
    NAMED,
    OPEN_SUNK,
    STATUS,
    STOP,
)

# Columns of the arena, and of its masks: certain and occupied cells, cells hit so far (open mode),
# the words of the key. The symmetry that gives the key is NO_KEY where none was made.
LO, HI, MISSED, WEIGHT, LEAST, SYMMETRY = 0, 1, 2, 3, 4, 5
H, U, K, KEY = 0, 1, 2, 3
NO_KEY = -1


@kernel
def ship_at(row, cell, ships):
    """Number of the ship of a row that covers a cell, -1 for water. Modifies nothing."""
    bit = ONE << np.uint64(cell)
    for d in range(ships.shape[1]):
        if (ships[row, d] & bit) != ZERO:
            return d
    return -1


@kernel
def told_open(row, cell, shot, ships, lengths, announced):
    """Answer of a row in the open mode: 0 miss, 1 hit, 2 sunk (or 2 + its length if told).

    shot : uint64, cells hit before. Modifies nothing.
    """
    d = ship_at(row, cell, ships)
    if d < 0:
        return 0
    if (ships[row, d] & ~(shot | ONE << np.uint64(cell))) != ZERO:
        return 1
    return 2 + lengths[d] if announced else 2


@kernel
def same_names(row, other, cells, ships, lengths):
    """Whether two rows put ships of the same lengths on the same groups of the given cells."""
    for d in range(ships.shape[1]):
        group = ships[row, d] & cells
        if group == ZERO:
            continue
        found = False
        for e in range(ships.shape[1]):
            if lengths[e] == lengths[d] and (ships[other, e] & cells) == group:
                found = True
                break
        if not found:
            return False
    return True


@kernel
def part_by_names(ids, lo, hi, cells, ships, lengths):
    """Move the rows named like the first one on ``cells`` to the front; return where others begin.

    ids : int32, modified
    """
    i = lo + 1
    for j in range(lo + 1, hi):
        if same_names(ids[lo], ids[j], cells, ships, lengths):
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@kernel
def part_by_told(ids, lo, hi, cell, shot, ships, lengths, announced):
    """Move the rows that answer like the first one to the front; return where others begin.

    ids : int32, modified
    """
    told = told_open(ids[lo], cell, shot, ships, lengths, announced)
    i = lo + 1
    for j in range(lo + 1, hi):
        if told_open(ids[j], cell, shot, ships, lengths, announced) == told:
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@kernel
def part_by_groups(ids, lo, hi, certain, occupied, occupied_by, sides):
    """Shoot certain hits until a sinking tells rows apart: where the others begin, hi if nowhere.

    A group of certain cells connected by their sides lies in one ship; it is sunk in a row
    exactly when the row occupies no cell around it. The first group whose answer differs between
    rows parts them, the sunk ones to the front. ids : modified
    """
    left = certain
    while left != ZERO:
        group, around = group_of(left & (~left + ONE), certain, sides)
        left &= ~group
        around &= occupied
        if around != ZERO:
            mid = part_segment(ids, lo, hi, around, occupied_by)
            if lo < mid < hi:
                return mid
    return hi


@kernel
def push(lo, hi, missed, hit, arena, arena_masks, counters):
    """Put a segment on the arena, not closed yet; return whether there was room.

    missed : 1 when the shot missed in its rows; hit : uint64, cells hit so far
    """
    top = counters[ARENA_TOP]
    if top >= arena.shape[0]:
        counters[STATUS] = FULL_ARENA
        return False
    arena[top, LO] = lo
    arena[top, HI] = hi
    arena[top, MISSED] = missed
    arena_masks[top, K] = hit
    counters[ARENA_TOP] = top + 1
    return True


@kernel
def part_entry(p, mid, arena, arena_masks, counters):
    """Part entry p of the arena at row mid, the second part to the top; whether there was room."""
    if not push(mid, arena[p, HI], arena[p, MISSED], arena_masks[p, K],
                arena, arena_masks, counters):  # fmt: skip
        return False
    arena[p, HI] = mid
    return True


@kernel
def close_entries(
    first,
    ids,
    occupied_by,
    weights,
    ships,
    lengths,
    sides,
    mode,
    full,
    arena,
    arena_masks,
    counters,
):
    """Shoot all certain hits of the arena's entries from ``first`` on, parting by the answers.

    H, U and the weight of the entries are filled in, their lower bounds become 0, and parted
    entries take new places at the top.
    ids : modified. Returns 0, or STOP (arena full).
    """
    p = first
    while p < counters[ARENA_TOP]:
        lo = arena[p, LO]
        hi = arena[p, HI]
        certain, occupied = close_segment(ids, lo, hi, occupied_by, full)
        mid = hi
        if certain != occupied:
            if mode == CLOSED_SUNK:
                mid = part_by_groups(ids, lo, hi, certain, occupied, occupied_by, sides)
            elif mode == NAMED:
                mid = part_by_names(ids, lo, hi, certain, ships, lengths)
        if mid == hi:
            arena_masks[p, H] = certain
            arena_masks[p, U] = occupied
            arena[p, WEIGHT] = 0
            for i in range(lo, hi):
                arena[p, WEIGHT] += weights[ids[i]]
            arena[p, LEAST] = 0
            arena[p, SYMMETRY] = NO_KEY
            p += 1
        elif not part_entry(p, mid, arena, arena_masks, counters):
            return STOP
    return 0


@kernel
def part(
    ids,
    lo,
    hi,
    cell,
    shot,
    occupied_by,
    weights,
    ships,
    lengths,
    sides,
    mode,
    announced,
    full,
    arena,
    arena_masks,
    counters,
):
    """Part a segment by the answer to a shot, and close the parts; children go on the arena.

    shot : uint64, cells hit before (open mode). Returns 0, or STOP (arena full).
    """
    bit = ONE << np.uint64(cell)
    mid = part_segment(ids, lo, hi, bit, occupied_by)  # water first
    first = counters[ARENA_TOP]
    if first + 2 > arena.shape[0]:
        counters[STATUS] = FULL_ARENA
        return STOP
    if lo < mid:
        push(lo, mid, np.int64(1), shot, arena, arena_masks, counters)
    if mid < hi:
        push(mid, hi, np.int64(0), shot | bit, arena, arena_masks, counters)
    if mode == OPEN_SUNK:
        p = first
        while p < counters[ARENA_TOP]:
            if arena[p, MISSED] == 0:
                hi = arena[p, HI]
                mid = part_by_told(ids, arena[p, LO], hi, cell, shot, ships, lengths, announced)
                if mid < hi and not part_entry(p, mid, arena, arena_masks, counters):
                    return STOP
            p += 1
    return close_entries(first, ids, occupied_by, weights, ships, lengths, sides, mode, full,
                         arena, arena_masks, counters)  # fmt: skip
