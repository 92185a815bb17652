"""Partition of a sub-table by the answers to a shot, where an answer says more than hit or miss.

A *segment* is a range ``lo:hi`` of ``ids``, int32, the rows still possible; a shot partitions it,
in place, into one segment per answer. Three families of answers (``mode``) differ in how;
``solver.search.exact_search`` gives the proofs.

``CLOSED_SUNK``  answers hit, miss, sunk where ships are connected groups of cells (contact rules
    none and corners). All certain hits are shot at once.
``OPEN_SUNK``    the same answers where ships may touch at their sides. Nothing is shot at once.
``NAMED``        a hit names the ship. All certain hits are shot at once.

Parameters that many kernels share: ``ids``, int32 ``(n_rows,)``; ``lo`` and ``hi``, int64;
``row``, int64, number of a row; ``cell``, int64; ``shot``, uint64, cells hit before (open mode);
``certain`` and ``occupied``, uint64, H and U of a segment; ``full``, uint64, mask of the board;
``ships``, ``lengths``, ``sides`` and ``occupied_by``, fields of ``game``; ``game`` and ``arena``,
the groups Game and Arena of ``arrays``, which names the arena's columns; ``announced``, bool,
whether a sinking tells the ship's length. A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, inlined_inner_kernel, inner_kernel, kernel
from seabattle.enumerate.layouts import close_segment, group_of, part_segment
from seabattle.solver.search.kernels.arrays import (
    ENTRY_WEIGHT,
    HI,
    LO,
    MISSED,
    NO_KEY,
    SYMMETRY,
    H,
    K,
    U,
)
from seabattle.solver.search.kernels.work import (
    ARENA_TOP,
    CLOSED_SUNK,
    FULL_ARENA,
    NAMED,
    OPEN_SUNK,
    STATUS,
    STOP,
)


@kernel
def ship_at(row, cell, ships):
    """Number of the ship of a row that covers a cell, -1 for water."""
    bit = ONE << np.uint64(cell)
    for d in range(ships.shape[1]):
        if (ships[row, d] & bit) != ZERO:
            return d
    return -1


@inner_kernel
def open_answer(row, cell, shot, ships, lengths, announced):
    """Answer of a row in the open mode: 0 miss, 1 hit, 2 sunk (or 2 + its length if announced)."""
    d = ship_at(row, cell, ships)
    if d < 0:
        return 0
    if (ships[row, d] & ~(shot | ONE << np.uint64(cell))) != ZERO:
        return 1
    return 2 + lengths[d] if announced else 2


@inner_kernel
def same_names(row, other, cells, ships, lengths):
    """Whether two rows put ships of the same lengths on the same groups of the given cells.

    other : int64, number of the other row; cells : uint64, mask
    """
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


@inner_kernel
def split_by_names(ids, lo, hi, cells, ships, lengths):
    """Move the rows named like the first one on ``cells`` to the front; return where others begin.

    ids : modified; cells : uint64, mask
    """
    i = lo + 1
    for j in range(lo + 1, hi):
        if same_names(ids[lo], ids[j], cells, ships, lengths):
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@inner_kernel
def split_by_answer(ids, lo, hi, cell, shot, ships, lengths, announced):
    """Move the rows that answer like the first one to the front; return where others begin.

    ids : modified
    """
    answer = open_answer(ids[lo], cell, shot, ships, lengths, announced)
    i = lo + 1
    for j in range(lo + 1, hi):
        if open_answer(ids[j], cell, shot, ships, lengths, announced) == answer:
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@inlined_inner_kernel
def split_by_groups(ids, lo, hi, certain, occupied, occupied_by, sides):
    """Shoot certain hits until their answers differ: return where the others begin, hi if nowhere.

    A group of certain cells connected by their sides lies in one ship; it is sunk in a row
    exactly when the row occupies no cell around it. The first group whose answer differs between
    rows splits them, the sunk ones to the front.
    ids : modified
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


@inlined_inner_kernel
def push(lo, hi, missed, hit, arena, counters):
    """Put a segment on the arena, not closed yet; return whether there was room.

    missed : int64, 1 when the shot missed in its rows; hit : uint64, cells hit so far
    arena : modified; counters : ARENA_TOP and STATUS modified
    """
    top = counters[ARENA_TOP]
    if top >= arena.entries.shape[0]:
        counters[STATUS] = FULL_ARENA
        return False
    arena.entries[top, LO] = lo
    arena.entries[top, HI] = hi
    arena.entries[top, MISSED] = missed
    arena.masks[top, K] = hit
    counters[ARENA_TOP] = top + 1
    return True


@inlined_inner_kernel
def split_entry(p, mid, arena, counters):
    """Split entry p of the arena at row mid, the second part to the top; whether there was room.

    arena : modified; counters : ARENA_TOP and STATUS modified
    """
    if not push(
        mid, arena.entries[p, HI], arena.entries[p, MISSED], arena.masks[p, K], arena, counters
    ):
        return False
    arena.entries[p, HI] = mid
    return True


@inlined_inner_kernel
def close_entries(first, ids, game, mode, full, arena, counters):
    """Shoot all certain hits of the arena's entries from ``first`` on, and split by the answers.

    H, U and the weight of the entries are filled in, not their lower bounds; what is split off
    takes new places at the top. Returns 0, or STOP (arena full).

    first : int64; mode : int64
    ids, arena : modified; counters : ARENA_TOP and STATUS modified
    """
    entries = arena.entries
    p = first
    while p < counters[ARENA_TOP]:
        lo = entries[p, LO]
        hi = entries[p, HI]
        certain, occupied = close_segment(ids, lo, hi, game.occupied_by, full)
        mid = hi
        if certain != occupied:
            if mode == CLOSED_SUNK:
                mid = split_by_groups(ids, lo, hi, certain, occupied, game.occupied_by, game.sides)
            elif mode == NAMED:
                mid = split_by_names(ids, lo, hi, certain, game.ships, game.lengths)
        if mid == hi:
            arena.masks[p, H] = certain
            arena.masks[p, U] = occupied
            entries[p, ENTRY_WEIGHT] = 0
            for i in range(lo, hi):
                entries[p, ENTRY_WEIGHT] += game.weights[ids[i]]
            entries[p, SYMMETRY] = NO_KEY
            p += 1
        elif not split_entry(p, mid, arena, counters):
            return STOP
    return 0


@inlined_inner_kernel
def partition_by_answers(ids, lo, hi, cell, shot, game, mode, announced, full, arena, counters):
    """Partition a segment by the answer to a shot, and close the parts; they go on the arena.

    Returns 0, or STOP (arena full).

    mode : int64
    ids, arena : modified; counters : ARENA_TOP and STATUS modified
    """
    first = counters[ARENA_TOP]
    if part_by_answers(ids, lo, hi, cell, shot, game, mode, announced, arena, counters) == STOP:
        return STOP
    return close_entries(first, ids, game, mode, full, arena, counters)


@inlined_inner_kernel
def part_by_answers(ids, lo, hi, cell, shot, game, mode, announced, arena, counters):
    """Partition a segment by the answer to a shot; the parts, not closed yet, go on the arena.

    What a miss leaves comes first. Returns 0, or STOP (arena full).

    mode : int64
    ids, arena : modified; counters : ARENA_TOP and STATUS modified
    """
    bit = ONE << np.uint64(cell)
    mid = part_segment(ids, lo, hi, bit, game.occupied_by)  # water first
    first = counters[ARENA_TOP]
    if first + 2 > arena.entries.shape[0]:
        counters[STATUS] = FULL_ARENA
        return STOP
    if lo < mid:
        push(lo, mid, np.int64(1), shot, arena, counters)
    if mid < hi:
        push(mid, hi, np.int64(0), shot | bit, arena, counters)
    if mode == OPEN_SUNK:
        p = first
        while p < counters[ARENA_TOP]:
            if arena.entries[p, MISSED] == 0:
                hi = arena.entries[p, HI]
                mid = split_by_answer(
                    ids, arena.entries[p, LO], hi, cell, shot, game.ships, game.lengths, announced
                )
                if mid < hi and not split_entry(p, mid, arena, counters):
                    return STOP
            p += 1
    return 0


@inlined_inner_kernel
def partition_after_miss_known(
    ids, lo, hi, cell, certain, occupied, missed, game, full, arena, counters
):  # fmt: skip
    """``partition_by_answers`` in the closed mode, where it is known what a miss leaves.

    certain, occupied : uint64, H and U after the miss; missed : int64, weight after it
    """
    first = counters[ARENA_TOP]
    if (
        part_by_answers(ids, lo, hi, cell, certain, game, CLOSED_SUNK, False, arena, counters)
        == STOP
    ):
        return STOP
    arena.masks[first, H] = certain
    arena.masks[first, U] = occupied
    arena.entries[first, ENTRY_WEIGHT] = missed
    arena.entries[first, SYMMETRY] = NO_KEY
    return close_entries(first + 1, ids, game, CLOSED_SUNK, full, arena, counters)


@inlined_inner_kernel
def settle_by_rows(p, base, arena):
    """Move an entry down before those from ``base`` on that have more rows; those are sorted.

    p, base : int64; arena : Arena, or the arena of ``set_arrays``; modified
    """
    entries = arena.entries
    masks = arena.masks
    while p > base and entries[p, HI] - entries[p, LO] < entries[p - 1, HI] - entries[p - 1, LO]:
        for w in range(entries.shape[1]):
            swap = entries[p, w]
            entries[p, w] = entries[p - 1, w]
            entries[p - 1, w] = swap
        for w in range(masks.shape[1]):
            mask = masks[p, w]
            masks[p, w] = masks[p - 1, w]
            masks[p - 1, w] = mask
        p -= 1
