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

from seabattle.enumerate.compiler import (
    ONE,
    ZERO,
    inlined_kernel,
    kernel,
    lowest_bit,
    recursive_kernel,
)
from seabattle.solver.search.kernels.arrays import (
    BY_ROWS,
    FOUND,
    FOUND_AFTER_HIT,
    HI,
    LO,
    MISSED,
    PARTS,
    AnswerArrays,
    Finds,
    H,
    Placements,
    U,
)
from seabattle.solver.search.kernels.partition import close_entries, partition_by_answers, push
from seabattle.solver.search.kernels.placements import (
    bound_by_placements,
    most_with_placements_left,
)
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
def found_after(cell, k, columns, finds):
    """Upper bound on the rows found by a hit at a cell and k misses more, of those in columns.

    cell, k : int64; columns : int64 (2 + PARTS, 64), of a level
    """
    found = 0
    for q in range(finds.parts[cell]):
        found += min(columns[2 + q, cell], finds.after[cell, q, k])
    return found


@recursive_kernel(
    "int64(int64, int64, int64, int64, int64, int64[::1], Finds, Placements)", Finds, Placements
)
def most_found(k, n, level, ahead, enough, counters, finds, placements):
    """Upper bound on the rows found with k misses or fewer; finds.rows[level, :n] are left.

    The shots of the path of all misses are tried out up to ``ahead`` shots from here; after that
    columns are added up, or the placements left are counted. Where it is found to be no more than
    ``enough``, it is not made less. Nor is it tried once the allowance is taken away.

    k, n, level, ahead, enough : int64
    finds : rows, left, and columns from ``level`` on, and tries modified
    placements : as ``bound_by_placements`` has left them for the state
    """
    if n == 0:
        return 0
    rows = finds.rows[level]
    ids = finds.left[level]
    most = n
    if level > 0:
        most = most_with_placements_left(k, ids, n, placements)
        if most <= enough:
            return most
    columns = finds.columns[level]
    order = finds.columns[level, 1]
    finds.tries[1] += n
    columns[:] = 0
    told = finds.part.shape[1] > 0
    cells = ZERO
    for i in range(n):
        left = rows[i]
        cells |= left
        while left != ZERO:
            c = lowest_bit(left)
            columns[0, c] += 1
            if told:
                columns[2 + finds.part[c, ids[i]], c] += 1
            left &= left - ONE
    count = 0
    while cells != ZERO:
        c = lowest_bit(cells)
        cells &= cells - ONE
        if not told:
            columns[2, c] = columns[0, c]
        j = count
        while j > 0 and columns[0, order[j - 1]] < columns[0, c]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = c
        count += 1
    total = 0
    rest = 0  # the same without the first shot
    covered = 0
    for j in range(k + 1):
        gain = 0
        for i in range(count):
            c = order[i]
            if columns[0, c] <= gain:
                break
            if finds.after[c, PARTS, k - j] > gain:
                gain = max(gain, found_after(c, k - j, columns, finds))
        if j < count:
            covered += columns[0, order[j]]
        total = min(total + gain, covered)
        if j > 0:
            rest = min(rest + gain, covered)
        if total >= n:
            total = n
            rest = n
            break
    total = min(total, most)
    if ahead == 0 or finds.tries[0] <= 0 or k == 0 or total <= enough:
        return total
    if counters[ALLOWANCE] < 0:
        return total
    finds.tries[0] -= 1
    best = 0
    for i in range(count):
        c = order[i]
        gain = found_after(c, k, columns, finds)
        if gain + min(rest, n - columns[0, c]) <= best:
            continue
        m = 0
        for r in range(n):
            finds.rows[level + 1, m] = rows[r]
            finds.left[level + 1, m] = ids[r]
            m += np.int64((rows[r] >> np.uint64(c)) & ONE == ZERO)
        later = most_found(k - 1, m, level + 1, ahead - 1, best - gain, counters, finds, placements)
        best = max(best, gain + later)
        if best >= total:
            return total
    return best


@inlined_kernel
def tell_parts(ids, lo, hi, cell, arrays):
    """Tell the parts that the rows of a state go to after a hit at a cell, and what is found there.

    Part 0 holds all rows that the hit alone finds. Returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: rows change places; lo, hi, cell : int64
    arrays : AnswerArrays, whose states after the hit are counted; finds and arena modified
    """
    finds = arrays.finds
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    counters = arrays.counters
    told = finds.part.shape[1] > 0
    after = finds.after[cell]
    after[:] = 0
    misses = after.shape[1]
    base = counters[ARENA_TOP]
    stopped = partition_by_answers(
        ids, lo, hi, cell, ZERO, arrays.game, arrays.options[MODE], False,
        np.uint64(arrays.options[FULL_BOARD]), arrays.arena, counters,
    )  # fmt: skip
    if stopped == STOP:
        return STOP
    parts = 1
    for p in range(base, counters[ARENA_TOP]):
        if entries[p, MISSED] == 1:
            continue
        q = 0
        if masks[p, H] == masks[p, U]:
            for k in range(misses):
                after[0, k] += 1
        else:
            if told:
                q = min(parts, PARTS - 1)
                parts = q + 1
            state = state_of(ids[entries[p, LO]], masks[p, H], finds)
            for k in range(misses):
                after[q, k] += finds.found[state, FOUND, k]
        if told:
            for i in range(entries[p, LO], entries[p, HI]):
                finds.part[cell, ids[i]] = q
    for q in range(parts):
        for k in range(misses):
            after[PARTS, k] += after[q, k]
    finds.parts[cell] = parts
    counters[ARENA_TOP] = base
    return 0


@kernel
def count_paths(ids, lo, hi, certain, count, cells, state, arrays):
    """Lower what is found of a state, as its effort allows; the states after a hit are counted.

    Returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: the rows of the segment, those of the state, change places
    lo, hi : int64, the segment; certain : uint64, its H
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
            finds.tries[0] = finds.effort[1]
            found = np.int64(bounds[k])
            for ahead in range(finds.effort[0] + 1):
                if finds.tries[0] > 0:
                    found = min(found, most_found(k, n, 0, ahead, 0, counters, finds, placements))
            bounds[k] = found
        most = 0
        for i in range(count):
            most = max(most, finds.after[cells[i], PARTS, k])
        finds.found[state, FOUND_AFTER_HIT, k] = most
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
    if count_paths(ids, lo, hi, certain, count, counts[BY_ROWS], state, arrays) == STOP:
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
        if count_paths(ids, first, n, certain, count, counts[BY_ROWS], state, arrays) == STOP:
            return STOP
        done[0] += 1
    return 0
