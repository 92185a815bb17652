"""How many layouts can be found with few misses once some cells are hit. Arrays and scalars only.

``solver.search.finds`` explains what is counted, and proves the bounds made of it.

Parameters that many kernels share: ``finds``, the group ``Finds`` of ``arrays``; ``certain``,
uint64, H of a closed sub-table; ``row``, int64, number of one of its rows; ``state``, int64, from
``state_of``; ``n``, ``weight`` and ``goal`` as in ``bounds``; ``ways`` and ``cells`` as in
``bounds.words_bound``; ``options`` and ``reach``, as in ``CountArrays``. A kernel modifies only
what it says it modifies.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    inner_kernel,
    kernel,
    lowest_bit,
    recursive_kernel,
)
from seabattle.solver.search.answers import close_entries, count_cells, partition_by_answers, push
from seabattle.solver.search.arrays import (
    BY_ROWS,
    FOUND,
    FOUND_AFTER_HIT,
    HI,
    LO,
    MISSED,
    PARTS,
    CountArrays,
    H,
    U,
)
from seabattle.solver.search.kernels.find_paths import most_of_paths, tell_parts
from seabattle.solver.search.kernels.placements import bound_by_placements
from seabattle.solver.search.kernels.states import (
    UNKNOWN,
    enter_state,
    state_of,
    sunk_cells,
)
from seabattle.solver.search.table import load, publish, replace
from seabattle.solver.search.work import (
    ALLOWANCE,
    ALLOWANCE_USED,
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

# Rows of what threads that count share, each a cache line of words of which the first is used.
TURN = 0  # place in ``order`` of the state that comes next
COUNTED = 1  # states that are done
HALTED = 2  # 1 when a thread has stopped early

WAITING = -2
"""What ``count_states`` returns in place of STOP when others have to go on first."""

LOOKS = 10_000
"""How often a thread looks whether it has to wait any longer: some tens of microseconds."""

WORK_OF_A_ROW = 1
"""To look at a row of a path takes about so many times as long as in the search."""


@inner_kernel
def count_paths(ids, lo, hi, certain, occupied, count, cells, state, arrays):
    """Lower what is found of a state; the states after a hit are counted.

    Returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: the rows of the segment, those of the state, change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    count : int64, and cells : int64 (64,), its undetermined cells; state : int64
    arrays : CountArrays; finds, placements, arena and counters modified
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
            found = min(np.int64(bounds[k]), most_of_paths(k, n, counters, finds, placements))
            bounds[k] = found
        most = 0
        for i in range(count):
            most = max(most, finds.after[cells[i], PARTS, k])
        finds.found[state, FOUND_AFTER_HIT, k] = most
    counters[ALLOWANCE] -= WORK_OF_A_ROW * finds.tries[1]
    return 0


@recursive_kernel(
    "int64(int32[::1], int64, int64, uint64, uint64, int64, uint64[:, ::1], CountArrays)",
    CountArrays,
)
def list_state(ids, lo, hi, certain, occupied, depth, hits, arrays):
    """List the state of a closed sub-table without misses, after those that follow it.

    Returns 0, or STOP when an array is full or the allowance is used up; what was listed is kept.
    Of a state that is only listed, n layouts are found with any misses: no bound comes of that.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    depth : int64, level of the recursion, 0 from outside
    hits : uint64 (states, 2), modified: H of each state and the cells of its sunk ships
    arrays : CountArrays; finds, arena, scratch from level ``depth`` on, and counters modified
    """
    game = arrays.game
    counters = arrays.counters
    finds = arrays.finds
    counts = arrays.counts[depth]
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    full = np.uint64(arrays.options[FULL_BOARD])
    if state_of(ids[lo], certain, finds) != UNKNOWN:
        return 0
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
            stopped = list_state(
                ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], depth + 1, hits,
                arrays,
            )  # fmt: skip
        counters[ARENA_TOP] = base
        if stopped == STOP:
            return STOP
    state = finds.size[0]
    if state >= finds.found.shape[0]:
        counters[STATUS] = FULL_FINDS
        return STOP
    if not spend(4 * n, counters):
        return STOP
    finds.found[state] = n
    hits[state, 0] = certain
    hits[state, 1] = sunk_cells(ids[lo], certain, finds.ships)
    finds.size[0] = state + 1
    enter_state(state, certain, hits[state, 1], arrays.keys.moves, finds)
    return 0


@kernel
def list_states(ids, shot, hits, arrays):
    """List the states of all rows ``ids`` and those that follow; returns 0, or STOP.

    ids : int32 (n_rows,), modified: rows change places; shot : uint64, cells hit before
    hits : as in ``list_state``; arrays : CountArrays; finds, arena, scratch, counters modified
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
        stopped = list_state(
            ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], first, hits, arrays
        )
        if stopped == STOP:
            return STOP
    return 0


@inner_kernel
def rows_of_state(state, hits, columns, ids, arrays):
    """Gather the rows of a state in ``ids``; returns how many, and their U.

    state : int64; hits : as in ``list_state``; columns : as in ``count_states``
    ids : int32 (n_rows,), modified
    """
    certain = hits[state, 0]
    n = np.int64(0)
    occupied = ZERO
    for word in range(columns.shape[1]):
        rows = columns[64, word]
        left = certain
        while left != ZERO and rows != ZERO:
            rows &= columns[lowest_bit(left), word]
            left &= left - ONE
        while rows != ZERO:
            row = 64 * word + lowest_bit(rows)
            rows &= rows - ONE
            if sunk_cells(row, certain, arrays.finds.ships) == hits[state, 1]:
                ids[n] = row
                occupied |= arrays.game.occupied_by[row]
                n += 1
    return n, occupied


@kernel
def count_states(ids, order, before, hits, columns, done, shared, taken, arrays):
    """Lower what is found of all states; returns 0, STOP, or WAITING.

    Several threads may do it at once. Each takes the next state, and waits until those that it is
    counted from are done. After a while it returns WAITING: called again, it goes on with that
    state. The core may be needed by the thread that it waits for.

    ids : int32 (n_rows,), scratch
    order : int64 (n,), the states; before : uint64 (n,), how many at the front of ``order`` have to
    be done before each; hits : uint64 (states, 2), as in ``list_state``
    columns : uint64 (65, words), bit r for row r: the rows that occupy each cell, and all rows
    done : uint8 (n,), modified: 1 where a state of ``order`` is counted
    shared : uint64 (3, 8), modified: TURN, COUNTED and HALTED, common to the threads
    taken : uint64 (1,), modified: place of the state that the thread has taken, n for none
    arrays : CountArrays; finds, placements, arena, scratch and counters modified
    """
    game = arrays.game
    counters = arrays.counters
    counts = arrays.counts[0]
    full = np.uint64(arrays.options[FULL_BOARD])
    lo = np.int64(0)  # a plain 0 would have what takes it compiled a second time
    while True:
        if counters[ALLOWANCE] < 0 or load(shared, HALTED, lo) != ZERO:
            counters[STATUS] = ALLOWANCE_USED
            break
        at = taken[0]
        if at >= np.uint64(len(order)):
            at = load(shared, TURN, lo)
            if at >= np.uint64(len(order)):
                return 0
            if not replace(shared, TURN, lo, at, at + ONE) or done[at] == 1:
                continue
            taken[0] = at
        for _ in range(LOOKS):
            if load(shared, COUNTED, lo) >= before[at] or load(shared, HALTED, lo) != ZERO:
                break
        if load(shared, COUNTED, lo) < before[at]:
            if load(shared, HALTED, lo) != ZERO:
                continue
            return WAITING
        state = order[at]
        certain = hits[state, 0]
        n, occupied = rows_of_state(state, hits, columns, ids, arrays)
        counters[ARENA_TOP] = 0
        count = count_cells(
            ids, lo, n, game.occupied_by, game.weights, occupied & ~certain, full, counts,
            arrays.together[0],
        )  # fmt: skip
        stopped = count_paths(ids, lo, n, certain, occupied, count, counts[BY_ROWS], state, arrays)
        if stopped == STOP:
            break
        done[at] = 1
        taken[0] = np.uint64(len(order))
        counted = load(shared, COUNTED, lo)
        while not replace(shared, COUNTED, lo, counted, counted + ONE):
            counted = load(shared, COUNTED, lo)
        counters[ALLOWANCE] -= 16 * n
    publish(shared, HALTED, lo, ONE)
    return STOP
