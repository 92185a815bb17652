"""Compiled search where an answer says more than hit or miss. Arrays and scalars only.

A *segment* is a range ``lo:hi`` of ``ids``, the rows still possible. ``_parting_kernels`` says
how a shot parts it in the three families of answers (``mode``) and names the arrays; what a key
is differs too (``solver.search.answer_search`` gives the proofs):

``CLOSED_SUNK``  (H, M)
``OPEN_SUNK``    the set of rows itself, one bit each, and the cells hit
``NAMED``        (H, M) and the ship in each cell of H, equal ships numbered in the order of their
    first cells

``_work_kernels`` says what a search value and a tag are, ``_table_kernels`` how the table is laid
out. The argument lists are flat on purpose: with the arrays grouped in tuples the search took 3 to
9 % longer.
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
from seabattle.solver.search.kernels.bounds import miss_path_bound, patterns_left, words_bound
from seabattle.solver.search.kernels.keys import make_key
from seabattle.solver.search.kernels.partition import (
    HI,
    KEY,
    LEAST,
    LO,
    MISSED,
    NO_KEY,
    SYMMETRY,
    WEIGHT,
    H,
    K,
    U,
    close_entries,
    part,
    push,
)
from seabattle.solver.search.kernels.segments import count_cells, is_dominated
from seabattle.solver.search.kernels.transposition import (
    EMPTY,
    NO_SHOT,
    find_row,
    first_row,
    is_exact,
    misses_of,
    pack,
    tell_shot,
    value_of,
    within,
)
from seabattle.solver.search.kernels.work import (
    ARENA_TOP,
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
    MODE,
    NODES,
    OBJECTIVE,
    OPEN_SUNK,
    ORDERING,
    PROBES,
    SHOT,
    STOP,
    UNLIMITED,
    WORST_CASE,
    has_room,
    spend,
)


@recursive_kernel(
    "int64(int32[::1], int64, int64, uint64, uint64, uint64, int64, int64, int64, int64, int64,"
    "uint64[::1], int64[::1], uint64[:, ::1], int64[::1], uint64[::1],"
    "uint64[:, ::1], uint64[:, :, ::1], int64[:, ::1], int32[:, ::1],"
    "int64[:, :, ::1], uint64[:, ::1], uint64[:, :, ::1], int64[:, ::1], uint64[:, ::1],"
    "int64[:, ::1], int64[:, ::1], int64[::1], int64[::1])"
)
def least_parted(
    ids,
    lo,
    hi,
    certain,
    occupied,
    shot,
    weight,
    budget,
    allowed,
    depth,
    symmetry,
    occupied_by,
    weights,
    ships,
    lengths,
    sides,
    table,
    orbits,
    moves,
    images,
    ints,
    together,
    keys,
    arena,
    arena_masks,
    patterns,
    reach,
    options,
    counters,
):
    """Least misses of a closed (or, in the open mode, any) sub-table, fail-soft.

    As ``_search_kernels.least``, with one child per outcome: the value of a shot is the weight of
    the rows it misses plus the values of all children; for the worst case the largest of 1 + value
    over the children after a miss and value over the others. Before it returns, everything it put
    on the arena is taken off again.

    certain, occupied : H and U of the segment; shot : cells hit so far (open mode)
    symmetry : what ``make_key`` returned for the segment, its key in keys[depth, 0]; or NO_KEY
    ints : int64 (levels, 7, 64), together : uint64 (levels, 64), keys : uint64 (levels, 2,
    words): scratch
    """
    if certain == occupied:
        return 0
    mode = options[MODE] & 3
    announced = options[MODE] >= 4
    objective = options[OBJECTIVE]
    full = np.uint64(options[FULL_BOARD])
    n = hi - lo
    bound = 0
    ways = 0  # sequences of hits and sinkings that are left; 0 where they are not counted
    cells = popcount(occupied_by[ids[lo]]) - popcount(certain)
    if mode != OPEN_SUNK and options[BOUNDS] == 1:
        bound = 1 if objective == 1 else options[LIGHTEST]
        if allowed == 0:
            return INFEASIBLE << 7
        if bound >= budget:
            return bound << 7
        if n == 2 and depth > 0:
            lighter = min(weights[ids[lo]], weights[ids[lo + 1]])
            return 1 << 7 | 1 if objective == 1 else lighter << 7 | 1
        ways = patterns_left(ids[lo], certain, ships, lengths, mode, patterns)
        bound = max(bound, words_bound(
            n, weight, ways, cells, options[LIGHTEST], options[HEAVIEST], objective, reach,
        ))  # fmt: skip
        if allowed < WORST_CASE and words_bound(n, weight, ways, cells, 1, 1, 1, reach) > allowed:
            return INFEASIBLE << 7
        if bound >= budget:
            return bound << 7
    zero = np.int64(0)  # a plain 0 would have what takes it compiled a second time
    key = keys[depth]
    if options[CACHE] == 1:
        if symmetry == NO_KEY:
            symmetry = make_key(ids, lo, hi, certain, occupied, shot, mode, full, orbits, moves,
                                images, ships, lengths, ints[depth], key)  # fmt: skip
        counters[PROBES] += 1
        packed = table[find_row(table, key, zero, zero, allowed), 0]
        if packed == EMPTY and allowed < WORST_CASE:
            packed = within(table[find_row(table, key, zero, zero, UNLIMITED), 0], allowed)
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
    unknown = occupied & ~certain
    count = count_cells(ids, lo, hi, occupied_by, weights, unknown, full, ints[depth],
                        together[depth])  # fmt: skip
    # Certain hits not shot yet (open mode) may part the rows for free: no bound from columns.
    due = mode == OPEN_SUNK and (certain & ~shot) != ZERO
    if options[BOUNDS] == 1 and not due:
        bound = max(bound, miss_path_bound(n, weight, -1, count, ints[depth], objective))
        if allowed < WORST_CASE and miss_path_bound(n, weight, -1, count, ints[depth], 1) > allowed:
            return INFEASIBLE << 7
        if bound >= budget:
            counters[BOUNDED] += 1
            return bound << 7
    counters[NODES] += 1
    # Shots to weigh: undetermined cells, most hits first; in the open mode also certain hits
    # not shot yet, which are free and may tell something.
    candidates = 0
    if mode == OPEN_SUNK:
        left = certain & ~shot
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            ints[depth, 0, c] = n
            ints[depth, 1, c] = weight
            ints[depth, 2, candidates] = c
            candidates += 1
    for i in range(count):
        c = ints[depth, 5, i]
        if options[ORDERING] == 0:
            c = 0
            left = unknown
            for _ in range(i + 1):
                c = lowest_bit(left)
                left &= left - ONE
        alike = together[depth, c] & unknown & ~(ONE << np.uint64(c))
        if options[DOMINANCE] == 1 and mode != OPEN_SUNK and is_dominated(c, alike, ints[depth]):
            continue
        ints[depth, 2, candidates] = c
        candidates += 1
    best = INFEASIBLE
    best_worst = 0
    choice = -1
    refuted = INFEASIBLE
    base = counters[ARENA_TOP]
    for q in range(candidates):
        c = ints[depth, 2, q]
        limit = min(budget, best) if options[BUDGETS] == 1 else INFEASIBLE
        missed = weight - ints[depth, 1, c]
        misses = n - ints[depth, 0, c]
        fewer = allowed if allowed >= WORST_CASE else allowed - 1
        if misses > 0 and fewer < 0:
            continue
        value = 0
        if options[BOUNDS] == 1 and misses > 0 and not due:
            after = max(
                miss_path_bound(misses, missed, c, count, ints[depth], objective),
                words_bound(misses, missed, ways, cells, options[LIGHTEST], options[HEAVIEST],
                            objective, reach),
            )  # fmt: skip
            # A layout that is hit has its first letter: one cell less to spell.
            other = words_bound(
                n - misses, weight - missed, ways, cells - 1, options[LIGHTEST],
                options[HEAVIEST], objective, reach,
            )  # fmt: skip
            value = max(1 + after, other) if objective == 1 else missed + after + other
            if value >= limit:
                refuted = min(refuted, value)
                continue
        counters[ARENA_TOP] = base
        if part(ids, lo, hi, c, shot, occupied_by, weights, ships, lengths, sides, mode,
                announced, full, arena, arena_masks, counters) == STOP:  # fmt: skip
            counters[ARENA_TOP] = base
            return STOP
        top = counters[ARENA_TOP]
        # Lower bounds of the children, from the table where it knows better.
        value = 0 if objective == 1 else missed
        worst = 0
        for p in range(base, top):
            low = 0
            h = arena_masks[p, H]
            if h != arena_masks[p, U] and mode != OPEN_SUNK and options[BOUNDS] == 1:
                low = 1 if objective == 1 else options[LIGHTEST]
                row = ids[arena[p, LO]]
                low = max(low, words_bound(
                    arena[p, HI] - arena[p, LO], arena[p, WEIGHT],
                    patterns_left(row, h, ships, lengths, mode, patterns),
                    popcount(occupied_by[row]) - popcount(h),
                    options[LIGHTEST], options[HEAVIEST], objective, reach,
                ))  # fmt: skip
            arena[p, LEAST] = low
            if objective == 1:
                value = max(value, arena[p, MISSED] + low)
            else:
                value += low
        if options[LOOKAHEAD] == 1 and options[CACHE] == 1:
            # All keys before any is looked up, as memory is slow but answers many at a time.
            for p in range(base, top):
                h = arena_masks[p, H]
                u = arena_masks[p, U]
                two = arena[p, HI] - arena[p, LO] == 2 and mode != OPEN_SUNK
                if h != u and not (two and options[BOUNDS] == 1):
                    arena[p, SYMMETRY] = make_key(
                        ids, arena[p, LO], arena[p, HI], h, u, arena_masks[p, K], mode, full,
                        orbits, moves, images, ships, lengths, ints[depth + 1], keys[depth + 1],
                    )  # fmt: skip
                    for w in range(key.shape[1]):
                        arena_masks[p, KEY + w] = keys[depth + 1, 0, w]
                    tag = fewer if arena[p, MISSED] == 1 else allowed
                    prefetch(table, first_row(table, arena_masks, p, KEY, tag))
            for p in range(base, top):
                if arena[p, SYMMETRY] != NO_KEY:
                    counters[PROBES] += 1
                    tag = fewer if arena[p, MISSED] == 1 else allowed
                    packed = table[find_row(table, arena_masks, p, KEY, tag), 0]
                    if packed != EMPTY:
                        low = misses_of(packed)
                        if low > arena[p, LEAST]:
                            if objective == 1:
                                value = max(value, arena[p, MISSED] + low)
                            else:
                                value += low - arena[p, LEAST]
                            arena[p, LEAST] = low
        if objective == 1 and misses > 0:
            value = max(value, 1)
        if value >= limit and options[BUDGETS] == 1:
            refuted = min(refuted, value)
            counters[ARENA_TOP] = base
            continue
        # Smaller children first: they are cheap to know exactly.
        for p in range(base + 1, top):
            j = p
            while j > base and arena[j, HI] - arena[j, LO] < arena[j - 1, HI] - arena[j - 1, LO]:
                for w in range(arena.shape[1]):
                    swap = arena[j, w]
                    arena[j, w] = arena[j - 1, w]
                    arena[j - 1, w] = swap
                for w in range(arena_masks.shape[1]):
                    mask = arena_masks[j, w]
                    arena_masks[j, w] = arena_masks[j - 1, w]
                    arena_masks[j - 1, w] = mask
                j -= 1
        if misses > 0:
            worst = 1
        for p in range(base, top):
            if arena_masks[p, H] == arena_masks[p, U]:
                continue
            after_miss = arena[p, MISSED] == 1
            if options[BUDGETS] == 0:
                room = INFEASIBLE
            elif objective == 1:
                room = limit - 1 if after_miss else limit
            else:
                room = limit - (value - arena[p, LEAST])
            for w in range(key.shape[1]):
                keys[depth + 1, 0, w] = arena_masks[p, KEY + w]
            answer = least_parted(
                ids, arena[p, LO], arena[p, HI], arena_masks[p, H], arena_masks[p, U],
                arena_masks[p, K], arena[p, WEIGHT], room, fewer if after_miss else allowed,
                depth + 1, arena[p, SYMMETRY], occupied_by, weights, ships, lengths, sides,
                table, orbits, moves, images,
                ints, together, keys, arena, arena_masks, patterns, reach, options, counters,
            )  # fmt: skip
            if answer == STOP:
                counters[ARENA_TOP] = base
                return STOP
            exactly = answer >> 7
            worst = max(worst, (answer & 127) + (1 if after_miss else 0))
            if objective == 1:
                value = max(value, exactly + (1 if after_miss else 0))
            else:
                value += exactly - arena[p, LEAST]
            if value >= limit and options[BUDGETS] == 1:
                break
        counters[ARENA_TOP] = base
        if value < min(limit, best):
            best = value
            best_worst = worst
            choice = c
        else:
            refuted = min(refuted, value)
    exact = best < budget
    if not exact:
        bound = max(bound, min(min(refuted, best), INFEASIBLE))
    if depth == 0:
        counters[SHOT] = choice
    if options[CACHE] == 1:
        slot = find_row(table, key, zero, zero, allowed)
        if table[slot, 0] == EMPTY:
            if not has_room(counters):
                return STOP
            for w in range(key.shape[1]):
                table[slot, 1 + w] = key[0, w]
        image = moves[symmetry, choice] if choice >= 0 else NO_SHOT
        table[slot, 0] = pack(best if exact else bound, best_worst, exact, image, allowed)
    return best << 7 | best_worst if exact else bound << 7


@kernel
def least_after(
    ids,
    cell,
    shot,
    budget,
    allowed,
    occupied_by,
    weights,
    ships,
    lengths,
    sides,
    table,
    orbits,
    moves,
    images,
    ints,
    together,
    keys,
    arena,
    arena_masks,
    patterns,
    reach,
    options,
    counters,
):
    """Value of the rows ``ids`` after a shot, or, with cell -1, before any: all parts together.

    Certain hits are shot first where the mode closes its sub-tables. Arguments as for
    ``least_parted``; ``allowed`` counts the misses from this shot on. ids : modified.
    """
    objective = options[OBJECTIVE]
    mode = options[MODE] & 3
    announced = options[MODE] >= 4
    full = np.uint64(options[FULL_BOARD])
    counters[ARENA_TOP] = 0
    n = ids.shape[0]
    first = np.int64(0)  # as ``zero`` in ``least_parted``
    if cell >= 0:
        if part(ids, first, n, cell, shot, occupied_by, weights, ships, lengths, sides, mode,
                announced, full, arena, arena_masks, counters) == STOP:  # fmt: skip
            return STOP
    else:
        push(first, n, first, shot, arena, arena_masks, counters)
        if close_entries(first, ids, occupied_by, weights, ships, lengths, sides, mode, full,
                         arena, arena_masks, counters) == STOP:  # fmt: skip
            return STOP
    value = 0
    worst = 0
    exact = True
    for p in range(counters[ARENA_TOP]):
        if arena[p, MISSED] == 1:
            worst = max(worst, 1)
            value = max(value, 1) if objective == 1 else value + arena[p, WEIGHT]
            if allowed == 0:
                return INFEASIBLE << 7
    for p in range(counters[ARENA_TOP]):
        missed = arena[p, MISSED]
        tag = allowed if missed == 0 or allowed >= WORST_CASE else allowed - 1
        room = budget - missed if objective == 1 else budget - value
        answer = least_parted(
            ids, arena[p, LO], arena[p, HI], arena_masks[p, H], arena_masks[p, U],
            arena_masks[p, K], arena[p, WEIGHT], room, tag, 1, NO_KEY, occupied_by, weights, ships,
            lengths, sides, table, orbits, moves, images,
            ints, together, keys, arena, arena_masks, patterns, reach, options, counters,
        )  # fmt: skip
        if answer == STOP:
            return STOP
        found = answer >> 7
        exact = exact and found < room
        worst = max(worst, (answer & 127) + missed)
        value = max(value, found + missed) if objective == 1 else value + found
        if value >= budget:
            return min(value, INFEASIBLE) << 7
    return value << 7 | worst if exact else value << 7
