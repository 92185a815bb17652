"""Paths of misses of a state, and what a hit at each of their shots finds. Arrays and scalars only.

``solver.search.finds`` proves the bound. Parameters that many kernels share: ``finds``, the group
``Finds`` of ``arrays``.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    inlined_inner_kernel,
    inner_kernel,
    lowest_bit,
    recursive_kernel,
)
from seabattle.solver.search.answers import partition_by_answers
from seabattle.solver.search.arrays import (
    AHEAD,
    FOUND,
    HI,
    LO,
    MISSED,
    PARTS,
    PATHS,
    Finds,
    H,
    Placements,
    U,
)
from seabattle.solver.search.kernels.placements import most_with_placements_left
from seabattle.solver.search.kernels.states import state_of
from seabattle.solver.search.work import ALLOWANCE, ARENA_TOP, FULL_BOARD, MODE, STOP


@inner_kernel
def found_after(cell, k, columns, finds):
    """Upper bound on the rows found by a hit at a cell and k misses more, of those in columns.

    cell, k : int64; columns : int64 (2 + PARTS, 64), of a level
    """
    found = 0
    for q in range(finds.parts[cell]):
        found += min(columns[2 + q, cell], finds.after[cell, q, k])
    return found


@recursive_kernel(
    "int64(int64, int64, int64, int64, int64, int64[::1], Finds, Placements)",
    Finds,
    Placements,
)
def most_found(k, n, level, ahead, enough, counters, finds, placements):
    """Upper bound on the rows found with k misses or fewer; finds.rows[level, :n] are left.

    The shots of the path of all misses are tried out up to ``ahead`` shots from here; after that
    columns are added up, or the placements left are counted. Where it is found to be no more than
    ``enough``, it is not made less. Nor is it tried once the allowance is taken away.

    k, n, level, ahead, enough : int64
    finds : rows, left, and columns from ``level`` on, and tries modified
    placements : as ``bound_by_placements`` has left them for the state; of counts only
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


@inlined_inner_kernel
def tell_parts(ids, lo, hi, cell, arrays):
    """Tell the parts that the rows of a state go to after a hit at a cell, and what is found there.

    Part 0 holds all rows that the hit alone finds. Returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: rows change places; lo, hi, cell : int64
    arrays : CountArrays, whose states after the hit are counted; finds and arena modified
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


@inlined_inner_kernel
def most_of_paths(k, n, counters, finds, placements):
    """``most_found`` of all n rows of a state, AHEAD shots tried out.

    finds : rows and left of level 0 set, and parts told; scratch modified
    """
    finds.tries[0] = PATHS
    found = n
    for ahead in range(AHEAD + 1):
        if finds.tries[0] > 0:
            found = min(found, most_found(k, n, 0, ahead, 0, counters, finds, placements))
    return found
