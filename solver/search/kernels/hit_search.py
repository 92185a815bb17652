"""Compiled search in answer mode ``hit``. Arrays and scalars only.

Words used here: a *segment* is a range ``lo:hi`` of ``rows``, the sub-table at hand; it is
partitioned in place (``_segment_kernels``). ``certain`` (H) is the mask of the cells every row of
the segment occupies, ``occupied`` (U) of the cells some row occupies; H and the complement of U
are the closed key. ``ships`` (h) is the number of ship cells not certain yet, the same in every
row. ``_work_kernels`` says what a search value and a tag are, ``_table_kernels`` how the table is
laid out.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import (
    ONE,
    ZERO,
    kernel,
    lowest_bit,
    popcount,
    prefetch,
    recursive_kernel,
)
from seabattle.solver.search.kernels.bounds import counting_bound, solve_few, solve_small
from seabattle.solver.search.kernels.keys import canonical_key
from seabattle.solver.search.kernels.segments import is_dominated, partition, sift
from seabattle.solver.search.kernels.transposition import (
    EMPTY,
    NO_SHOT,
    find_slot,
    first_slot,
    is_exact,
    misses_of,
    pack,
    tell_shot,
    value_of,
    within,
)
from seabattle.solver.search.kernels.work import (
    BOUNDED,
    BOUNDS,
    BUDGETS,
    CACHE,
    DOMINANCE,
    FULL_BOARD,
    HEAVIEST,
    INFEASIBLE,
    LIGHTEST,
    LOOKAHEAD,
    NODES,
    OBJECTIVE,
    ORDERING,
    PROBES,
    SHOT,
    STOP,
    UNLIMITED,
    WORST_CASE,
    has_room,
    spend,
)

# Rows of the masks of one level: H and U of the child that was hit, of the one that was missed
# (as ``sift`` leaves them), and the two words of the key of each.
HIT = 0
MISSED = 2
KEYS = 4


@kernel
def make_ready(c, child, full, tag, table, orbits, masks):
    """Make the key of a child of the shot at c, and have its place in the table fetched.

    child : HIT or MISSED; masks : of one level, as in ``least``, modified
    """
    word, second, _ = canonical_key(
        masks[child, c], full & ~masks[child + 1, c], orbits, table.shape[1] == 3
    )
    masks[KEYS + child, c] = word
    masks[KEYS + child + 1, c] = second
    prefetch(table, first_slot(table, word, second, tag))


@kernel
def known_bound(c, child, allowed, table, masks, counters):
    """What the table knows of a child made ready: a lower bound on its misses, 0 when nothing."""
    word = masks[KEYS + child, c]
    second = masks[KEYS + child + 1, c]
    counters[PROBES] += 1
    packed = table[find_slot(table, word, second, allowed), 1]
    bound = 0 if packed == EMPTY else misses_of(packed)
    if allowed < WORST_CASE:
        packed = table[find_slot(table, word, second, UNLIMITED), 1]
        if packed != EMPTY:
            bound = max(bound, misses_of(packed))
    return bound


@recursive_kernel(
    "int64(uint64[::1], int64[::1], int64, int64, uint64, uint64, int64, int64, int64, int64,"
    "uint64[:, ::1], uint64[:, :, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1],"
    "int64[:, :, ::1], uint64[:, :, ::1], int64[::1], int64[::1])"
)
def least(
    rows,
    weights,
    lo,
    hi,
    certain,
    occupied,
    weight,
    budget,
    allowed,
    depth,
    table,
    orbits,
    moves,
    lower,
    reach,
    ints,
    masks,
    options,
    counters,
):
    """Least misses of the segment's sub-table, fail-soft; see ``_work_kernels`` for the value.

    The recurrence: value(S) = 0 for one row, else the least over cells c of
    weight(S without c) + value(S without c) + value(S with c); for the worst case the larger of
    1 + value(S without c) and value(S with c). ``allowed`` is the tag: with a number, only trees
    count that miss no more often than that on any path, and there may be none (INFEASIBLE).

    rows, weights : modified (rows of a segment change places)
    certain, occupied, weight : of the segment; depth : level of the recursion, row of scratch
    table, counters : modified; ints : int64 (levels, 7, 64), masks : uint64 (levels, 8, 64): scratch
    moves : int64 (n_symmetries, 64), image of each cell; options : int64 (OPTIONS,)
    """  # noqa: E501
    n = hi - lo
    objective = options[OBJECTIVE]
    weighted = weights.shape[0] > 0
    full = np.uint64(options[FULL_BOARD])
    if n == 1 and (depth == 0 or options[BOUNDS] == 1):
        return 0
    lightest = options[LIGHTEST]
    heaviest = options[HEAVIEST]
    size = popcount(rows[lo])
    ships = size - popcount(certain)
    bound = 0
    if options[BOUNDS] == 1:
        if allowed < WORST_CASE and reach[ships, allowed] < n:
            return INFEASIBLE << 7
        if n <= 4 and not weighted and depth > 0:
            value = solve_small(rows, lo, n)
            if objective == 1:
                return (value & 127) << 7 | (value & 127)
            return value if (value & 127) <= allowed else INFEASIBLE << 7
        if n <= 3 and weighted and depth > 0 and objective == 0:
            return solve_few(rows, weights, lo, n, allowed)
        bound = counting_bound(n, weight, ships, lightest, heaviest, objective, lower, reach)
        if bound >= budget:
            return bound << 7
    word = ZERO
    second = ZERO
    symmetry = 0
    if options[CACHE] == 1:
        word, second, symmetry = canonical_key(
            certain, full & ~occupied, orbits, table.shape[1] == 3
        )
        counters[PROBES] += 1
        packed = table[find_slot(table, word, second, allowed), 1]
        if packed == EMPTY and allowed < WORST_CASE:
            packed = within(table[find_slot(table, word, second, UNLIMITED), 1], allowed)
        if packed != EMPTY:
            if is_exact(packed):
                if depth == 0:
                    tell_shot(packed, symmetry, moves, counters)
                return value_of(packed)
            bound = max(bound, misses_of(packed))
            if bound >= budget:
                return bound << 7
    if not spend(n, counters):
        return STOP
    best = INFEASIBLE
    best_worst = 0
    shot = -1
    refuted = INFEASIBLE  # least lower bound of the shots that did not get below the limit
    candidates = 0
    unknown = occupied & ~certain
    if n == 1:
        best = 0
    else:
        sift(rows, weights, lo, hi, certain, occupied, full, ints[depth], masks[depth])
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        bit = left & (~left + ONE)
        left ^= bit
        if options[DOMINANCE] == 1 and is_dominated(
            c, masks[depth, 0, c] & unknown & ~bit, ints[depth]
        ):
            continue
        hits = ints[depth, 0, c]
        missed = weight - ints[depth, 1, c]
        value = 0
        if options[BOUNDS] == 1:
            on_hit = counting_bound(
                hits, weight - missed, size - popcount(masks[depth, 0, c]),
                lightest, heaviest, objective, lower, reach,
            )  # fmt: skip
            on_miss = counting_bound(
                n - hits, missed, size - popcount(masks[depth, 2, c]),
                lightest, heaviest, objective, lower, reach,
            )  # fmt: skip
            ints[depth, 4, c] = on_hit
            ints[depth, 5, c] = on_miss
            value = max(1 + on_miss, on_hit) if objective == 1 else missed + on_hit + on_miss
        else:
            ints[depth, 4, c] = 0
            ints[depth, 5, c] = 0
        j = candidates
        if options[ORDERING] == 1:  # most hits first, then least bound
            while j > 0:
                other = ints[depth, 2, j - 1]
                if ints[depth, 1, other] > ints[depth, 1, c] or (
                    ints[depth, 1, other] == ints[depth, 1, c] and ints[depth, 3, j - 1] <= value
                ):
                    break
                ints[depth, 2, j] = other
                ints[depth, 3, j] = ints[depth, 3, j - 1]
                j -= 1
        ints[depth, 2, j] = c
        ints[depth, 3, j] = value
        candidates += 1
    searched = False
    fewer = allowed if allowed >= WORST_CASE else allowed - 1
    if options[LOOKAHEAD] == 1 and options[CACHE] == 1 and fewer >= 0:
        # All keys before any is looked up, as memory is slow but answers many at a time.
        for q in range(candidates):
            if ints[depth, 3, q] < budget or options[BUDGETS] == 0:
                c = ints[depth, 2, q]
                if ints[depth, 0, c] > 4:
                    make_ready(c, HIT, full, allowed, table, orbits, masks[depth])
                if n - ints[depth, 0, c] > 4:
                    make_ready(c, MISSED, full, fewer, table, orbits, masks[depth])
    for q in range(candidates):
        limit = min(budget, best) if options[BUDGETS] == 1 else INFEASIBLE
        if ints[depth, 3, q] >= limit:
            refuted = min(refuted, ints[depth, 3, q])
            continue
        c = ints[depth, 2, q]
        hits = ints[depth, 0, c]
        on_hit = ints[depth, 4, c]
        on_miss = ints[depth, 5, c]
        missed = weight - ints[depth, 1, c]
        if fewer < 0:
            continue
        if not searched:
            searched = True
            counters[NODES] += 1
        if options[LOOKAHEAD] == 1 and options[CACHE] == 1:
            if hits > 4:
                known = known_bound(c, HIT, allowed, table, masks[depth], counters)
                on_hit = max(on_hit, known)
            if n - hits > 4:
                known = known_bound(c, MISSED, fewer, table, masks[depth], counters)
                on_miss = max(on_miss, known)
            value = max(1 + on_miss, on_hit) if objective == 1 else missed + on_hit + on_miss
            if value >= limit:
                refuted = min(refuted, value)
                continue
        mid = partition(rows, weights, lo, hi, ONE << np.uint64(c))
        hit_worst = 0
        miss_worst = 0
        value = 0
        for turn in range(2):
            # The smaller half first: it is cheaper to know exactly, and tightens the other.
            if (turn == 0) == (2 * hits <= n):
                room = limit if objective == 1 else limit - missed - on_miss
                if options[BUDGETS] == 0:
                    room = INFEASIBLE
                answer = least(
                    rows, weights, mid, hi, masks[depth, 0, c], masks[depth, 1, c],
                    weight - missed, room, allowed, depth + 1,
                    table, orbits, moves, lower, reach, ints, masks, options, counters,
                )  # fmt: skip
                on_hit = answer >> 7
                hit_worst = answer & 127
            else:
                room = limit - 1 if objective == 1 else limit - missed - on_hit
                if options[BUDGETS] == 0:
                    room = INFEASIBLE
                answer = least(
                    rows, weights, lo, mid, masks[depth, 2, c], masks[depth, 3, c],
                    missed, room, fewer, depth + 1,
                    table, orbits, moves, lower, reach, ints, masks, options, counters,
                )  # fmt: skip
                on_miss = answer >> 7
                miss_worst = answer & 127
            if answer == STOP:
                return STOP
            value = max(1 + on_miss, on_hit) if objective == 1 else missed + on_hit + on_miss
            if value >= limit and options[BUDGETS] == 1:
                break
        if value < min(limit, best):
            best = value
            best_worst = max(1 + miss_worst, hit_worst)
            shot = c
        else:
            refuted = min(refuted, value)
    if not searched:
        counters[BOUNDED if n > 1 else NODES] += 1
    exact = best < budget
    if not exact:
        bound = max(bound, min(min(refuted, best), INFEASIBLE))
    if depth == 0:
        counters[SHOT] = shot
    if options[CACHE] == 1 and (searched or n == 1):
        slot = find_slot(table, word, second, allowed)
        if table[slot, 1] == EMPTY:
            if not has_room(counters):
                return STOP
            table[slot, 0] = word
            if table.shape[1] == 3:
                table[slot, 2] = second
        image = moves[symmetry, shot] if shot >= 0 else NO_SHOT
        table[slot, 1] = pack(best if exact else bound, best_worst, exact, image, allowed)
    return best << 7 | best_worst if exact else bound << 7
