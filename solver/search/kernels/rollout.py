"""Compiled rollouts: the misses of a policy that looks one shot ahead of another. Arrays only.

The policy of level 0 shoots the cell that most of the weight occupies. The policy of level k + 1
weighs a few cells of a sub-table S: the weight that a shot there misses, plus what the policy of
level k misses in each part. It shoots the cell where that sum is least, and goes on in the parts
by level k + 1. If V_k(S) are the misses of level k, the sum for the shot of level k is V_k(S); as
that cell is always weighed too, the least sum is no more, and so, part by part from the smallest
on, V_{k+1}(S) <= V_k(S). Sub-tables of few rows are solved exactly, by ``minimize``,
at each level those of the level below and maybe larger ones.

Values and shots are kept in the table of the search under the level in place of a miss limit
(``table``). An entry whose shot is chosen, but not yet followed to the end, has a worst
case of 0 and one that is ``FINISHED`` has 1; the misses of both are those of a tree.

``rules`` is int64 ``(levels, 2)``, read only: how many cells are weighed at each level, and up to
how many rows are solved exactly there. Other parameters are as in ``minimize``.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit, recursive_kernel
from seabattle.solver.search.answers import (
    count_cells,
    is_dominated,
    partition_by_answers,
)
from seabattle.solver.search.arrays import (
    BY_WEIGHT,
    ENTRY_WEIGHT,
    HI,
    LO,
    NO_KEY,
    ORDER,
    ROWS,
    WEIGHT,
    H,
    K,
    SearchArrays,
    U,
)
from seabattle.solver.search.keys import make_key
from seabattle.solver.search.minimize import minimize
from seabattle.solver.search.table import (
    EMPTY,
    KEY,
    PACKED,
    find_slot,
    misses_of,
    pack,
    shot_of,
    worst_of,
)
from seabattle.solver.search.work import (
    ANNOUNCED,
    ARENA_TOP,
    INFEASIBLE,
    MODE,
    NO_LIMIT,
    NODES,
    OPEN_SUNK,
    STOP,
    has_room,
    spend,
)

WIDTH = 0
EXACT = 1

FINISHED = 1
"""Worst case of an entry whose misses are those of its level's policy."""


@kernel
def keep_plan(misses, finished, symmetry, shot, level, key, arrays):
    """Enter a shot and its misses under a key and a level; False when the table is full.

    misses, finished, symmetry, shot, level : int64; key : uint64 (2, words), the key in row 0
    arrays : SearchArrays; table and counters modified
    """
    table = arrays.table
    slot = find_slot(table, key[0], level)
    if table[slot, PACKED] == EMPTY:
        if not has_room(arrays.counters):
            return False
        for w in range(key.shape[1]):
            table[slot, KEY + w] = key[0, w]
    image = arrays.keys.moves[symmetry, shot]
    table[slot, PACKED] = pack(misses, finished, True, image, level)
    return True


@kernel
def list_candidates(n, weight, count, unknown, due, width, before, open_mode, counts, together):
    """Put the cells worth weighing into the plane ORDER, and return their number.

    Certain hits that are due come first: they cost nothing. Then the ``width`` cells that occupy
    most, without those dominated by another; and the shot of the level below.

    n, weight : int64, rows and weight of the sub-table; count : int64, from ``count_cells``
    width : int64; before : int64, the cell shot by the level below, or -1
    unknown, due : uint64, undetermined cells, and certain hits not shot yet (open mode)
    counts : int64 (COUNT_PLANES, 64), from ``count_cells``; ORDER, and ROWS and WEIGHT of the
        cells that are due, modified
    together : uint64 (64,), from ``count_cells``
    """
    candidates = 0
    while due != ZERO:
        c = lowest_bit(due)
        due &= due - ONE
        counts[ROWS, c] = n
        counts[WEIGHT, c] = weight
        counts[ORDER, candidates] = c
        candidates += 1
    weighed = 0
    for i in range(count):
        c = counts[BY_WEIGHT, i]
        alike = together[c] & unknown & ~(ONE << np.uint64(c))
        fits = weighed < width and (open_mode or not is_dominated(c, alike, counts))
        if fits or c == before:
            weighed += 1
            counts[ORDER, candidates] = c
            candidates += 1
    return candidates


@recursive_kernel(
    "int64(int32[::1], int64, int64, uint64, uint64, uint64, int64, int64, int64, int64[:, ::1],"
    "SearchArrays)",
    SearchArrays,
)
def follow(ids, lo, hi, certain, occupied, shot, weight, level, depth, rules, arrays):
    """Misses of a level's policy in a sub-table, or STOP.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi, certain, occupied, shot, weight : the sub-table, as in ``minimize``
    level : int64; depth : int64, level of the recursion, at least 1
    arrays : SearchArrays; table, arena, scratch from level ``depth`` on, and counters modified
    """
    if certain == occupied:
        return 0
    game = arrays.game
    options = arrays.options
    counters = arrays.counters
    mode = options[MODE]
    open_mode = mode == OPEN_SUNK
    n = hi - lo
    if n == 2 and not open_mode:
        return min(game.weights[ids[lo]], game.weights[ids[lo + 1]])
    if n <= rules[level, EXACT]:
        answer = minimize(
            ids, lo, hi, certain, occupied, shot, weight, INFEASIBLE, NO_LIMIT, depth, NO_KEY,
            arrays,
        )  # fmt: skip
        return answer if answer == STOP else answer >> 7
    full = game.full[0]
    counts = arrays.counts[depth]
    together = arrays.together[depth]
    key = arrays.key[depth]
    symmetry = make_key(ids, lo, hi, certain, occupied, shot, mode, full, arrays.keys, game.ships,
                        game.lengths, counts, key)  # fmt: skip
    packed = arrays.table[find_slot(arrays.table, key[0], level), PACKED]
    choice = np.int64(-1)
    if packed != EMPTY:
        if worst_of(packed) == FINISHED:
            return misses_of(packed)
        choice = shot_of(packed, symmetry, arrays.keys.moves)
    before = np.int64(-1)
    if choice < 0 and level > 0:
        packed = arrays.table[find_slot(arrays.table, key[0], level - 1), PACKED]
        if packed != EMPTY:
            before = shot_of(packed, symmetry, arrays.keys.moves)
    if not spend(n, counters):
        return STOP
    announced = options[ANNOUNCED] == 1
    unknown = occupied & ~certain
    due = certain & ~shot if open_mode else ZERO
    count = count_cells(ids, lo, hi, game.occupied_by, game.weights, unknown, full, counts,
                        together)  # fmt: skip
    arena = arrays.arena.entries
    arena_masks = arrays.arena.masks
    base = counters[ARENA_TOP]
    # The cells weighed by the level below, if any; last, by this level, the one chosen.
    candidates = 0
    if choice < 0:
        counters[NODES] += 1
        width = rules[level, WIDTH] if level > 0 else 1
        candidates = list_candidates(
            n, weight, count, unknown, due, width, before, open_mode, counts, together
        )
        if level == 0:
            choice = counts[ORDER, 0]
            candidates = 0
    best = INFEASIBLE
    value = 0
    for q in range(candidates + 1):
        chosen = q == candidates
        if (
            chosen
            and candidates > 0
            and not keep_plan(best, 0, symmetry, choice, level, key, arrays)
        ):
            return STOP
        c = choice if chosen else counts[ORDER, q]
        limit = INFEASIBLE if chosen else best
        value = 0 if (due >> np.uint64(c)) & ONE == ONE else weight - counts[WEIGHT, c]
        if value >= limit:
            continue
        if (
            partition_by_answers(
                ids, lo, hi, c, shot, game, mode, announced, full, arrays.arena, counters
            )
            == STOP
        ):
            counters[ARENA_TOP] = base
            return STOP
        for p in range(base, counters[ARENA_TOP]):
            answer = follow(
                ids, arena[p, LO], arena[p, HI], arena_masks[p, H], arena_masks[p, U],
                arena_masks[p, K], arena[p, ENTRY_WEIGHT], level if chosen else level - 1,
                depth + 1, rules, arrays,
            )  # fmt: skip
            if answer == STOP:
                counters[ARENA_TOP] = base
                return STOP
            value += answer
            if value >= limit:
                break
        counters[ARENA_TOP] = base
        if not chosen and value < best:
            best = value
            choice = c
    if not keep_plan(value, FINISHED, symmetry, choice, level, key, arrays):
        return STOP
    return value
