"""How many layouts can be found with few misses once some cells are hit. Arrays and scalars only.

``solver.search.finds`` explains what is counted, and proves the bounds made of it.

Parameters that many kernels share: ``finds``, the group ``Finds`` of ``arrays``; ``certain``,
uint64, H of a closed sub-table; ``row``, int64, number of one of its rows; ``state``, int64, from
``state_of``; ``n``, ``weight`` and ``goal`` as in ``bounds``; ``ways`` and ``cells`` as in
``bounds.words_bound``; ``options`` and ``reach``, as in ``AnswerArrays``. A kernel modifies only
what it says it modifies.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ZERO, kernel, recursive_kernel
from seabattle.solver.search.kernels.arrays import (
    BY_FOUND,
    BY_ROWS,
    CREDITED,
    FOUND,
    FOUND_AFTER_HIT,
    HI,
    LO,
    MISSED,
    PARTS,
    AnswerArrays,
    H,
    U,
)
from seabattle.solver.search.kernels.credits import count_credits
from seabattle.solver.search.kernels.find_paths import most_of_paths, tell_parts
from seabattle.solver.search.kernels.partition import close_entries, partition_by_answers, push
from seabattle.solver.search.kernels.placements import bound_by_placements
from seabattle.solver.search.kernels.segments import count_cells
from seabattle.solver.search.kernels.states import (
    UNKNOWN,
    enter_state,
    slot_of,
    state_of,
    sunk_cells,
)
from seabattle.solver.search.kernels.work import (
    ALLOWANCE,
    ARENA_TOP,
    FULL_BOARD,
    FULL_FINDS,
    MODE,
    STATUS,
    STOP,
    spend,
)

ROWS_PLACED = 24
"""Rows of a state from which on placements are counted: those of fewer gain little by it."""

WORK_OF_A_ROW = 1
"""To look at a row of a path takes about so many times as long as in the search."""


@kernel
def count_paths(ids, lo, hi, certain, occupied, count, cells, state, arrays):
    """Lower what is found of a state, as its effort allows; the states after a hit are counted.

    Returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: the rows of the segment, those of the state, change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    count : int64, and cells : int64 (64,), its undetermined cells; state : int64
    arrays : AnswerArrays; finds, placements, arena and counters modified
    """
    counters = arrays.counters
    finds = arrays.finds
    placements = arrays.placements
    n = hi - lo
    for i in range(count):
        if tell_parts(ids, lo, hi, cells[i], arrays) == STOP:
            return STOP
    for i in range(n):
        finds.left[0, i] = ids[lo + i]
        finds.rows[0, i] = arrays.game.occupied_by[ids[lo + i]] & ~certain
    bounds = finds.found[state, FOUND]
    placements.numbers[:] = 0
    if finds.part.shape[1] > 0 and n >= ROWS_PLACED:
        bound_by_placements(
            ids[lo:hi], certain, count, cells, bounds, arrays.game, finds, placements
        )
    found = 0
    finds.tries[1] = 0
    for k in range(len(bounds)):
        if found < n:
            found = min(
                np.int64(bounds[k]), most_of_paths(k, n, BY_FOUND, counters, finds, placements)
            )
            bounds[k] = found
        most = 0
        for i in range(count):
            most = max(most, finds.after[BY_FOUND, cells[i], PARTS, k])
        finds.found[state, FOUND_AFTER_HIT, k] = most
    if count_credits(ids, lo, hi, certain, occupied, count, cells, state, arrays) == STOP:
        return STOP
    counters[ALLOWANCE] -= WORK_OF_A_ROW * finds.tries[1]
    return 0


@recursive_kernel(
    "int64(int32[::1], int64, int64, uint64, uint64, int64, AnswerArrays)", AnswerArrays
)
def count_state(ids, lo, hi, certain, occupied, depth, arrays):
    """Number of the state of a closed sub-table without misses; it and what follows are counted.

    Returns STOP when an array is full or the allowance is used up; what was counted is kept.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    depth : int64, level of the recursion, 0 from outside
    arrays : AnswerArrays; finds, arena, scratch from level ``depth`` on, and counters modified
    """
    game = arrays.game
    counters = arrays.counters
    finds = arrays.finds
    counts = arrays.counts[depth]
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    full = np.uint64(arrays.options[FULL_BOARD])
    sunk = sunk_cells(ids[lo], certain, finds.ships)
    slot = slot_of(certain, sunk, finds.slots)
    if finds.slots[slot, 2] != ZERO:
        return np.int64(finds.slots[slot, 2]) - 1
    n = hi - lo
    count = count_cells(
        ids, lo, hi, game.occupied_by, game.weights, occupied & ~certain, full, counts,
        arrays.together[depth],
    )  # fmt: skip
    base = counters[ARENA_TOP]
    for i in range(count):
        stopped = partition_by_answers(
            ids, lo, hi, counts[BY_ROWS, i], ZERO, game, arrays.options[MODE], False, full,
            arrays.arena, counters,
        )  # fmt: skip
        for p in range(base, counters[ARENA_TOP]):
            if stopped == STOP or entries[p, MISSED] == 1 or masks[p, H] == masks[p, U]:
                continue
            if state_of(ids[entries[p, LO]], masks[p, H], finds) != UNKNOWN:
                continue
            part = count_state(
                ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], depth + 1, arrays
            )
            if part == STOP:
                stopped = STOP
        counters[ARENA_TOP] = base
        if stopped == STOP:
            return STOP
    state = finds.size[0]
    if state >= finds.found.shape[0]:
        counters[STATUS] = FULL_FINDS
        return STOP
    if not spend(16 * n, counters):
        return STOP
    finds.found[state, FOUND] = n
    finds.found[state, CREDITED] = n
    if count_paths(ids, lo, hi, certain, occupied, count, counts[BY_ROWS], state, arrays) == STOP:
        return STOP
    finds.size[0] = state + 1
    enter_state(state, certain, sunk, arrays.keys.moves, finds)
    return state


@kernel
def count_finds(ids, shot, arrays):
    """Count the states of all rows ``ids`` and of what follows them; returns 0, or STOP.

    ids : int32 (n_rows,), modified: rows change places; shot : uint64, cells hit before
    arrays : AnswerArrays; finds, arena, scratch and counters modified
    """
    counters = arrays.counters
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    full = np.uint64(arrays.options[FULL_BOARD])
    first = np.int64(0)  # a plain 0 would have what takes it compiled a second time
    counters[ARENA_TOP] = 0
    push(first, ids.shape[0], first, shot, arrays.arena, counters)
    mode = arrays.options[MODE]
    if close_entries(first, ids, arrays.game, mode, full, arrays.arena, counters) == STOP:
        return STOP
    for p in range(counters[ARENA_TOP]):
        if masks[p, H] == masks[p, U]:
            continue
        state = count_state(
            ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], first, arrays
        )
        if state == STOP:
            return STOP
    return 0


@kernel
def count_again(ids, hits, done, arrays):
    """Lower what is found of states that are counted, as the effort allows; returns 0, or STOP.

    ids : int32 (n_rows,), scratch; hits : uint64 (states, 2), H of each state and cells of its
    sunk ships, those before a hit after those behind it
    done : int64 (1,), modified: how many states are done
    arrays : AnswerArrays; finds, placements, arena, scratch and counters modified
    """
    game = arrays.game
    counters = arrays.counters
    finds = arrays.finds
    counts = arrays.counts[0]
    full = np.uint64(arrays.options[FULL_BOARD])
    first = np.int64(0)  # a plain 0 would have what takes it compiled a second time
    while done[0] < hits.shape[0]:
        state = done[0]
        certain = hits[state, 0]
        occupied = ZERO
        n = np.int64(0)
        for row in range(len(ids)):
            cells = game.occupied_by[row]
            if (
                cells & certain == certain
                and sunk_cells(row, certain, finds.ships) == hits[state, 1]
            ):
                ids[n] = row
                occupied |= cells
                n += 1
        if not spend(len(ids) + 15 * n, counters):  # at least one state in every step
            return STOP
        counters[ARENA_TOP] = 0
        count = count_cells(
            ids, first, n, game.occupied_by, game.weights, occupied & ~certain, full, counts,
            arrays.together[0],
        )  # fmt: skip
        stopped = count_paths(
            ids, first, n, certain, occupied, count, counts[BY_ROWS], state, arrays
        )
        if stopped == STOP:
            return STOP
        done[0] += 1
    return 0
