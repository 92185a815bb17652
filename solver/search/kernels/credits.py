"""What a single tree earns when misses are counted against a credit. Arrays and scalars only.

``solver.search.finds`` explains credits, and proves the bounds made of them.

Parameters that many kernels share: ``ids``, int32 (n_rows,), and ``lo, hi``, int64, the segment,
all rows of a state; ``certain, occupied``, uint64, its H and U; ``count``, int64, and ``cells``,
int64 (64,), its undetermined cells; ``state``, int64, its number; ``arrays``, the group
AnswerArrays of ``arrays``, whose arena, counters and scratch are modified.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ZERO, inlined_inner_kernel, inner_kernel
from seabattle.solver.search.kernels.arrays import (
    BY_CREDIT,
    BY_FOUND,
    CREDITED,
    CREDITED_AFTER_HIT,
    EARNED,
    EARNED_BESIDE,
    EARNED_OUTSIDE,
    FOUND,
    FOUND_AFTER_HIT,
    HI,
    HULL,
    LO,
    MOST_PARTED,
    PARTS,
    H,
    U,
)
from seabattle.solver.search.kernels.beside import cells_beside, credits_beside, partition_beside
from seabattle.solver.search.kernels.find_paths import most_of_paths
from seabattle.solver.search.kernels.states import UNKNOWN, state_of
from seabattle.solver.search.kernels.work import (
    ALLOWANCE,
    ARENA_TOP,
    BESIDE,
    CREDITS,
    FULL_BOARD,
    STOP,
)


@inner_kernel
def earn_as_found(n, state, finds):
    """Set what a state earns to the sum of what is found, or of what was credited before.

    Plane CREDITED keeps the one with which all n rows miss more.

    n : int64, its rows; finds : credits and plane CREDITED modified
    """
    credited = finds.found[state, CREDITED]
    earned = finds.credits[EARNED]
    found = finds.credits[HULL]  # scratch
    misses = len(credited)
    least = n  # with fewer misses no more is found
    for k in range(misses - 1, -1, -1):
        least = min(least, np.int64(finds.found[state, FOUND, k]))
        found[k] = least
    by_found = 0
    before = 0
    earned[0] = 0
    for k in range(misses):
        by_found += found[k]
        before += np.int64(credited[k])
        earned[k + 1] = min(by_found, before)
    if by_found < before:
        for k in range(misses):
            credited[k] = found[k]


@inner_kernel
def earn_on_paths(n, count, cells, counters, finds, placements):
    """Lower what a state earns by its paths of misses, if hits earn less than is found after them.

    n : int64, its rows; finds : rows and left of level 0 set, and parts told; credits modified
    """
    misses = finds.found.shape[2]
    less = False
    for i in range(count):
        for k in range(misses):
            found = finds.after[BY_FOUND, cells[i], PARTS, k]
            less = less or finds.after[BY_CREDIT, cells[i], PARTS, k] < found
    if not less:
        return
    earned = finds.credits[EARNED]
    total = 0
    found = 0
    for k in range(misses):
        if found < n:
            found = most_of_paths(k, n, BY_CREDIT, counters, finds, placements)
        total += found
        earned[k + 1] = min(earned[k + 1], total)


@inner_kernel
def earn_when_told(ids, lo, hi, certain, occupied, state, arrays):
    """Lower what a state earns by what it earns once the cells around a hit are told.

    Returns 0, or STOP (arena full).
    """
    game = arrays.game
    finds = arrays.finds
    counters = arrays.counters
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    told, seed = cells_beside(ids, lo, hi, certain, occupied, game)
    if told == ZERO:
        return 0
    earned = finds.credits[EARNED]
    outside = finds.credits[EARNED_OUTSIDE]
    beside = finds.credits[EARNED_BESIDE]
    credits_beside(ids, lo, hi, told, seed, beside, game, arrays.groups)
    base = counters[ARENA_TOP]
    full = np.uint64(arrays.options[FULL_BOARD])
    if (
        partition_beside(ids, lo, hi, told, game, full, arrays.arena, arrays.options, counters)
        == STOP
    ):
        counters[ARENA_TOP] = base
        return STOP
    outside[:] = 0
    for p in range(base, counters[ARENA_TOP]):
        n = entries[p, HI] - entries[p, LO]
        part = UNKNOWN
        if masks[p, H] != masks[p, U]:
            part = state_of(ids[entries[p, LO]], masks[p, H], finds)
        # of the state itself, where nothing beside the hit is occupied, no credits are known yet
        plane = CREDITED if part != state else FOUND
        total = 0
        for k in range(finds.found.shape[2]):
            total += n if part == UNKNOWN else min(n, np.int64(finds.found[part, plane, k]))
            outside[k + 1] += total
    counters[ARENA_TOP] = base
    for k in range(1, len(earned)):
        for there in range(k + 1):
            earned[k] = min(earned[k], outside[there] + beside[k - there])
    return 0


@inner_kernel
def credit_each(n, state, finds):
    """Set plane CREDITED: what each further miss earns, of the largest convex numbers below.

    Credits are convex in the misses. What a further miss earns is rounded up; where all n rows
    would not miss more by it, what is there is left.

    n : int64, rows of the state; finds : credits read, found modified
    """
    earned = finds.credits[EARNED]
    hull = finds.credits[HULL]
    credited = finds.found[state, CREDITED]
    last = 0
    hull[0] = 0
    for k in range(1, len(earned)):
        while last > 0:
            before = hull[last - 1]
            corner = hull[last]
            if (earned[corner] - earned[before]) * (k - corner) < (earned[k] - earned[corner]) * (
                corner - before
            ):
                break
            last -= 1
        last += 1
        hull[last] = k
    gained = 0  # misses of all rows, more than before
    for turn in range(2):
        for i in range(last):
            steps = hull[i + 1] - hull[i]
            each = min(n, -((earned[hull[i]] - earned[hull[i + 1]]) // steps))
            for k in range(hull[i], hull[i + 1]):
                if turn == 0:
                    gained += np.int64(credited[k]) - each
                elif gained > 0:
                    credited[k] = each


@inlined_inner_kernel
def count_credits(ids, lo, hi, certain, occupied, count, cells, state, arrays):
    """Count what a state earns, when what it finds is counted; planes CREDITED and the one after.

    Returns 0, or STOP (arena full).

    arrays : finds, whose parts are told, placements, arena and counters modified
    """
    finds = arrays.finds
    n = hi - lo
    if arrays.options[CREDITS] == 0:
        for k in range(finds.found.shape[2]):
            finds.found[state, CREDITED, k] = finds.found[state, FOUND, k]
            finds.found[state, CREDITED_AFTER_HIT, k] = finds.found[state, FOUND_AFTER_HIT, k]
        return 0
    earn_as_found(n, state, finds)
    earn_on_paths(n, count, cells, arrays.counters, finds, arrays.placements)
    if arrays.options[BESIDE] > 0 and n <= MOST_PARTED and arrays.game.line_credits.shape[2] > 1:
        arrays.counters[ALLOWANCE] -= n
        if earn_when_told(ids, lo, hi, certain, occupied, state, arrays) == STOP:
            return STOP
    credit_each(n, state, finds)
    for k in range(finds.found.shape[2]):
        most = 0
        for i in range(count):
            most = max(most, finds.after[BY_CREDIT, cells[i], PARTS, k])
        finds.found[state, CREDITED_AFTER_HIT, k] = most
    return 0
