"""Compiled search where an answer says more than hit or miss. Arrays and scalars only.

A *segment* is a range ``lo:hi`` of ``ids``, the rows still possible. ``partition`` says how a shot
splits it in the three families of answers (``mode``); what a key is differs too
(``solver.search.answer_search`` gives the proofs):

``CLOSED_SUNK``  (H, M)
``OPEN_SUNK``    the set of rows itself, one bit each, and the cells hit
``NAMED``        (H, M) and the ship in each cell of H, equal ships numbered by their first cells

``work`` says what a search value and a miss limit are, ``arrays`` what the shared arrays and their
planes and columns hold, ``transposition`` how the table is laid out.
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
from seabattle.solver.search.kernels.arrays import (
    BY_WEIGHT,
    ENTRY_WEIGHT,
    HI,
    KEY,
    LEAST,
    LO,
    MISSED,
    NO_KEY,
    ORDER,
    ROWS,
    SYMMETRY,
    WEIGHT,
    AnswerArrays,
    H,
    K,
    U,
)
from seabattle.solver.search.kernels.bounds import miss_path_bound, patterns_left, words_bound
from seabattle.solver.search.kernels.keys import make_key
from seabattle.solver.search.kernels.partition import close_entries, partition_by_answers, push
from seabattle.solver.search.kernels.segments import count_cells, is_dominated
from seabattle.solver.search.kernels.transposition import (
    EMPTY,
    NO_SHOT,
    ROW_KEY,
    ROW_PACKED,
    find_row,
    first_row,
    is_exact,
    misses_of,
    pack,
    store_best_shot,
    value_of,
    within,
)
from seabattle.solver.search.kernels.work import (
    ANNOUNCED,
    ARENA_TOP,
    BOUNDED,
    BOUNDS,
    BUDGETS,
    CACHE,
    DOMINANCE,
    FULL_BOARD,
    GOAL,
    HEAVIEST,
    INFEASIBLE,
    LIGHTEST,
    LOOKAHEAD,
    MODE,
    NO_LIMIT,
    NODES,
    OPEN_SUNK,
    ORDERING,
    PROBES,
    SHOT,
    STOP,
    WORST,
    after_miss,
    has_room,
    limits_misses,
    spend,
)


@recursive_kernel(
    "int64(int32[::1], int64, int64, uint64, uint64, uint64, int64, int64, int64, int64, int64,"
    "AnswerArrays)",
    AnswerArrays,
)
def minimize(
    ids, lo, hi, certain, occupied, shot, weight, budget, miss_limit, depth, symmetry, arrays
):  # fmt: skip
    """Least misses of a closed (or, in the open mode, any) sub-table, fail-soft.

    As ``hit_search.minimize``, with one child per outcome: the value of a shot is the weight of
    the rows it misses plus the values of all children; for the worst case the largest of 1 + value
    over the children after a miss and value over the others. Before it returns, everything it put
    on the arena is taken off again. Returns a search value, or STOP.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    shot : uint64, cells hit so far (open mode); weight : int64, sum of its weights, below 2^41
    budget : int64, misses; below it the value is exact
    miss_limit : int64; WORST_CASE exactly when options[GOAL] is WORST
    depth : int64, level of the recursion: 0 leaves the best shot in counters[SHOT]
    symmetry : int64, what ``make_key`` returned for the segment, whose key is arrays.key[depth, 0];
        or NO_KEY
    arrays : AnswerArrays; table, arena, scratch from level ``depth`` on, and counters modified
    """
    game = arrays.game
    occupied_by = game.occupied_by
    weights = game.weights
    ships = game.ships
    lengths = game.lengths
    arena = arrays.arena.entries
    arena_masks = arrays.arena.masks
    table = arrays.table
    patterns = arrays.patterns
    reach = arrays.reach
    options = arrays.options
    counters = arrays.counters
    counts = arrays.counts[depth]
    together = arrays.together[depth]
    if certain == occupied:
        return 0
    mode = options[MODE]
    announced = options[ANNOUNCED] == 1
    goal = options[GOAL]
    full = np.uint64(options[FULL_BOARD])
    n = hi - lo
    bound = 0
    ways = 0  # sequences of hits and sinkings that are left; 0 where they are not counted
    cells = popcount(occupied_by[ids[lo]]) - popcount(certain)
    if mode != OPEN_SUNK and options[BOUNDS] == 1:
        bound = 1 if goal == WORST else options[LIGHTEST]
        if miss_limit == 0:
            return INFEASIBLE << 7
        if bound >= budget:
            return bound << 7
        if n == 2 and depth > 0:
            lighter = min(weights[ids[lo]], weights[ids[lo + 1]])
            return 1 << 7 | 1 if goal == WORST else lighter << 7 | 1
        ways = patterns_left(ids[lo], certain, ships, lengths, mode, patterns)
        bound = max(bound, words_bound(
            n, weight, ways, cells, options[LIGHTEST], options[HEAVIEST], goal, reach,
        ))  # fmt: skip
        if (
            limits_misses(miss_limit)
            and words_bound(n, weight, ways, cells, 1, 1, WORST, reach) > miss_limit
        ):
            return INFEASIBLE << 7
        if bound >= budget:
            return bound << 7
    zero = np.int64(0)  # a plain 0 would have what takes it compiled a second time
    key = arrays.key[depth]
    if options[CACHE] == 1:
        if symmetry == NO_KEY:
            symmetry = make_key(ids, lo, hi, certain, occupied, shot, mode, full,
                                arrays.keys, ships, lengths, counts, key)  # fmt: skip
        counters[PROBES] += 1
        packed = table[find_row(table, key, zero, zero, miss_limit), ROW_PACKED]
        if packed == EMPTY and limits_misses(miss_limit):
            packed = within(
                table[find_row(table, key, zero, zero, NO_LIMIT), ROW_PACKED], miss_limit
            )
        if packed != EMPTY:
            if is_exact(packed):
                if depth == 0:
                    store_best_shot(packed, symmetry, arrays.keys.moves, counters)
                return value_of(packed)
            bound = max(bound, misses_of(packed))
            if bound >= budget:
                return bound << 7
    if not spend(n, counters):
        return STOP
    unknown = occupied & ~certain
    count = count_cells(ids, lo, hi, occupied_by, weights, unknown, full, counts,
                        together)  # fmt: skip
    # Certain hits not shot yet (open mode) may part the rows for free: no bound from columns.
    due = mode == OPEN_SUNK and (certain & ~shot) != ZERO
    if options[BOUNDS] == 1 and not due:
        bound = max(bound, miss_path_bound(n, weight, -1, count, counts, goal))
        if (
            limits_misses(miss_limit)
            and miss_path_bound(n, weight, -1, count, counts, WORST) > miss_limit
        ):
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
            counts[ROWS, c] = n
            counts[WEIGHT, c] = weight
            counts[ORDER, candidates] = c
            candidates += 1
    for i in range(count):
        c = counts[BY_WEIGHT, i]
        if options[ORDERING] == 0:
            c = 0
            left = unknown
            for _ in range(i + 1):
                c = lowest_bit(left)
                left &= left - ONE
        alike = together[c] & unknown & ~(ONE << np.uint64(c))
        if options[DOMINANCE] == 1 and mode != OPEN_SUNK and is_dominated(c, alike, counts):
            continue
        counts[ORDER, candidates] = c
        candidates += 1
    best = INFEASIBLE
    best_worst = 0
    choice = -1
    refuted = INFEASIBLE
    base = counters[ARENA_TOP]
    for q in range(candidates):
        c = counts[ORDER, q]
        limit = min(budget, best) if options[BUDGETS] == 1 else INFEASIBLE
        missed = weight - counts[WEIGHT, c]
        misses = n - counts[ROWS, c]
        fewer = after_miss(miss_limit)
        if misses > 0 and fewer < 0:
            continue
        value = 0
        if options[BOUNDS] == 1 and misses > 0 and not due:
            after = max(
                miss_path_bound(misses, missed, c, count, counts, goal),
                words_bound(misses, missed, ways, cells, options[LIGHTEST], options[HEAVIEST],
                            goal, reach),
            )  # fmt: skip
            # A layout that is hit has its first letter: one cell less to spell.
            other = words_bound(
                n - misses, weight - missed, ways, cells - 1, options[LIGHTEST],
                options[HEAVIEST], goal, reach,
            )  # fmt: skip
            value = max(1 + after, other) if goal == WORST else missed + after + other
            if value >= limit:
                refuted = min(refuted, value)
                continue
        counters[ARENA_TOP] = base
        if (
            partition_by_answers(
                ids, lo, hi, c, shot, game, mode, announced, full, arrays.arena, counters
            )
            == STOP
        ):
            counters[ARENA_TOP] = base
            return STOP
        top = counters[ARENA_TOP]
        # Lower bounds of the children, from the table where it knows better.
        value = 0 if goal == WORST else missed
        worst = 0
        for p in range(base, top):
            low = 0
            h = arena_masks[p, H]
            if h != arena_masks[p, U] and mode != OPEN_SUNK and options[BOUNDS] == 1:
                low = 1 if goal == WORST else options[LIGHTEST]
                row = ids[arena[p, LO]]
                low = max(low, words_bound(
                    arena[p, HI] - arena[p, LO], arena[p, ENTRY_WEIGHT],
                    patterns_left(row, h, ships, lengths, mode, patterns),
                    popcount(occupied_by[row]) - popcount(h),
                    options[LIGHTEST], options[HEAVIEST], goal, reach,
                ))  # fmt: skip
            arena[p, LEAST] = low
            if goal == WORST:
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
                        arrays.keys, ships, lengths, arrays.counts[depth + 1],
                        arrays.key[depth + 1],
                    )  # fmt: skip
                    for w in range(key.shape[1]):
                        arena_masks[p, KEY + w] = arrays.key[depth + 1, 0, w]
                    child_limit = fewer if arena[p, MISSED] == 1 else miss_limit
                    prefetch(table, first_row(table, arena_masks, p, KEY, child_limit))
            for p in range(base, top):
                if arena[p, SYMMETRY] != NO_KEY:
                    counters[PROBES] += 1
                    child_limit = fewer if arena[p, MISSED] == 1 else miss_limit
                    packed = table[find_row(table, arena_masks, p, KEY, child_limit), ROW_PACKED]
                    if packed != EMPTY:
                        low = misses_of(packed)
                        if low > arena[p, LEAST]:
                            if goal == WORST:
                                value = max(value, arena[p, MISSED] + low)
                            else:
                                value += low - arena[p, LEAST]
                            arena[p, LEAST] = low
        if goal == WORST and misses > 0:
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
            missed_here = arena[p, MISSED] == 1
            if options[BUDGETS] == 0:
                room = INFEASIBLE
            elif goal == WORST:
                room = limit - 1 if missed_here else limit
            else:
                room = limit - (value - arena[p, LEAST])
            for w in range(key.shape[1]):
                arrays.key[depth + 1, 0, w] = arena_masks[p, KEY + w]
            answer = minimize(
                ids, arena[p, LO], arena[p, HI], arena_masks[p, H], arena_masks[p, U],
                arena_masks[p, K], arena[p, ENTRY_WEIGHT], room,
                fewer if missed_here else miss_limit, depth + 1, arena[p, SYMMETRY], arrays,
            )  # fmt: skip
            if answer == STOP:
                counters[ARENA_TOP] = base
                return STOP
            exactly = answer >> 7
            worst = max(worst, (answer & 127) + (1 if missed_here else 0))
            if goal == WORST:
                value = max(value, exactly + (1 if missed_here else 0))
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
        slot = find_row(table, key, zero, zero, miss_limit)
        if table[slot, ROW_PACKED] == EMPTY:
            if not has_room(counters):
                return STOP
            for w in range(key.shape[1]):
                table[slot, ROW_KEY + w] = key[0, w]
        image = arrays.keys.moves[symmetry, choice] if choice >= 0 else NO_SHOT
        table[slot, ROW_PACKED] = pack(
            best if exact else bound, best_worst, exact, image, miss_limit
        )
    return best << 7 | best_worst if exact else bound << 7


@kernel
def minimize_after(ids, cell, shot, budget, miss_limit, arrays):
    """Value of the rows ``ids`` after a shot, or, with cell -1, before any: all parts together.

    Certain hits are shot first where the mode closes its sub-tables. Returns a search value, or
    STOP.

    ids : int32 (n_rows,), modified: rows change places
    cell : int64; shot : uint64, cells hit before (open mode)
    budget : int64, misses; miss_limit : int64, misses from this shot on
    arrays : AnswerArrays; table, arena, scratch and counters modified
    """
    game = arrays.game
    arena = arrays.arena.entries
    arena_masks = arrays.arena.masks
    options = arrays.options
    counters = arrays.counters
    goal = options[GOAL]
    mode = options[MODE]
    announced = options[ANNOUNCED] == 1
    full = np.uint64(options[FULL_BOARD])
    counters[ARENA_TOP] = 0
    n = ids.shape[0]
    first = np.int64(0)  # as ``zero`` in ``minimize``
    if cell >= 0:
        if (
            partition_by_answers(
                ids, first, n, cell, shot, game, mode, announced, full, arrays.arena, counters
            )
            == STOP
        ):
            return STOP
    else:
        push(first, n, first, shot, arrays.arena, counters)
        if close_entries(first, ids, game, mode, full, arrays.arena, counters) == STOP:
            return STOP
    value = 0
    worst = 0
    exact = True
    for p in range(counters[ARENA_TOP]):
        if arena[p, MISSED] == 1:
            worst = max(worst, 1)
            value = max(value, 1) if goal == WORST else value + arena[p, ENTRY_WEIGHT]
            if miss_limit == 0:
                return INFEASIBLE << 7
    for p in range(counters[ARENA_TOP]):
        missed = arena[p, MISSED]
        child_limit = after_miss(miss_limit) if missed == 1 else miss_limit
        room = budget - missed if goal == WORST else budget - value
        answer = minimize(
            ids, arena[p, LO], arena[p, HI], arena_masks[p, H], arena_masks[p, U],
            arena_masks[p, K], arena[p, ENTRY_WEIGHT], room, child_limit, 1, NO_KEY, arrays,
        )  # fmt: skip
        if answer == STOP:
            return STOP
        found = answer >> 7
        exact = exact and found < room
        worst = max(worst, (answer & 127) + missed)
        value = max(value, found + missed) if goal == WORST else value + found
        if value >= budget:
            return min(value, INFEASIBLE) << 7
    return value << 7 | worst if exact else value << 7
