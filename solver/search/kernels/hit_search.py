"""Compiled search in answer mode ``hit``. Arrays and scalars only.

Glossary. A *segment* is a range ``lo:hi`` of ``rows``, the sub-table at hand; it is partitioned in
place (``segments``). ``certain`` (H) is the mask of the cells every row of the segment occupies,
``occupied`` (U) of the cells some row occupies; H and the complement of U are the closed key.
``undetermined`` (h) is the number of ship cells not certain yet, the same in every row. ``work``
says what a search value and a miss limit are, ``arrays`` what the shared arrays and their planes
hold, ``transposition`` how the table is laid out.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    lowest_bit,
    popcount,
    recursive_kernel,
)
from seabattle.solver.search.kernels.arrays import (
    CERTAIN,
    HIT,
    HIT_BOUND,
    MISS,
    MISS_BOUND,
    OCCUPIED,
    ORDER,
    ROWS,
    SHOT_BOUND,
    WEIGHT,
    HitArrays,
)
from seabattle.solver.search.kernels.bounds import (
    COLUMN_ROWS,
    counting_bound,
    list_columns,
    solve_few,
    solve_small,
)
from seabattle.solver.search.kernels.finds_bounds import (
    bound_of_hits,
    columns_after_hits,
    state_of_hits,
)
from seabattle.solver.search.kernels.hit_children import (
    is_child_busy,
    known_bound,
    make_key_ready,
)
from seabattle.solver.search.kernels.keys import canonical_key
from seabattle.solver.search.kernels.segments import count_and_close, is_dominated, partition
from seabattle.solver.search.kernels.shared_table import (
    BUSY_ROWS,
    begin,
    enter,
    finish,
    look_up,
    mark_of,
)
from seabattle.solver.search.kernels.shares import (
    PROBES_OF_ANSWER,
    is_shared,
    misses_asked,
    share_of,
)
from seabattle.solver.search.kernels.states import UNKNOWN
from seabattle.solver.search.kernels.transposition import (
    EMPTY,
    NO_SHOT,
    has_high_word,
    is_exact,
    misses_of,
    pack,
    store_best_shot,
    value_of,
    within,
)
from seabattle.solver.search.kernels.work import (
    BOUNDED,
    BOUNDS,
    BUDGETS,
    CACHE,
    DOMINANCE,
    EVERY_SHOT,
    FINDS,
    FULL_BOARD,
    GOAL,
    HEAVIEST,
    INFEASIBLE,
    LIGHTEST,
    LOOKAHEAD,
    NO_LIMIT,
    NODES,
    ORDERING,
    PROBES,
    SHOT,
    SHOTS,
    STOP,
    TOTAL,
    WORST,
    after_miss,
    limits_misses,
    spend,
)

MOST_TURNS = PROBES_OF_ANSWER + 2
"""Times that both answers are asked: one that has reached its share may have to give the rest."""


@recursive_kernel(
    "int64(uint64[::1], int64[::1], int64, int64, uint64, uint64, int64, int64, int64, int64,"
    "HitArrays)",
    HitArrays,
)
def minimize(
    rows, weights, lo, hi, certain, occupied, weight, budget, miss_limit, depth, arrays
):  # fmt: skip
    """Least misses of the segment's sub-table, fail-soft: a search value, or STOP.

    The recurrence: value(S) = 0 for one row, otherwise the least over cells c of
    weight(S without c) + value(S without c) + value(S with c); for the worst case the larger of
    1 + value(S without c) and value(S with c). With a miss limit only trees count that keep it on
    every path, and there may be none (INFEASIBLE).

    rows : uint64 (n_rows,), occupied cells, modified: the rows of the segment change places
    weights : int64 (n_rows,), or (0,) when all are 1; modified as rows
    lo, hi : int64, the segment
    certain, occupied : uint64, its H and U; weight : int64, sum of its weights, below 2^41
    budget : int64, misses; below it the value is exact
    miss_limit : int64; WORST_CASE exactly when options[GOAL] is WORST
    depth : int64, level of the recursion: 0 at the call from outside, which leaves the best shot
        in counters[SHOT], or all of them in counters[SHOTS] where options[EVERY_SHOT] is 1
    arrays : HitArrays; table, scratch from level ``depth`` on, and counters modified
    """
    table = arrays.table
    key_shares = arrays.key_shares
    lower = arrays.lower
    reach = arrays.reach
    options = arrays.options
    counters = arrays.counters
    finds = arrays.finds
    busy = arrays.busy
    counts = arrays.counts[depth]
    masks = arrays.masks[depth]
    n = hi - lo
    goal = options[GOAL]
    weighted = weights.shape[0] > 0
    full = np.uint64(options[FULL_BOARD])
    if n == 1 and (depth == 0 or options[BOUNDS] == 1):
        return 0
    lightest = options[LIGHTEST]
    heaviest = options[HEAVIEST]
    size = popcount(rows[lo])
    undetermined = size - popcount(certain)
    bound = 0
    state = UNKNOWN
    counted = finds.found.shape[0] > 0
    every = depth == 0 and options[EVERY_SHOT] == 1  # best shots are sought, not one of them
    if options[BOUNDS] == 1:
        # A limit if_hit the table is above the cells of the board, and holds of itself.
        if miss_limit < reach.shape[1] and reach[undetermined, miss_limit] < n:
            return INFEASIBLE << 7
        if n <= 4 and not weighted and depth > 0:
            value = solve_small(rows, lo, n)
            if goal == WORST:
                return (value & 127) << 7 | (value & 127)
            return value if (value & 127) <= miss_limit else INFEASIBLE << 7
        if n <= 3 and weighted and depth > 0 and goal == TOTAL:
            return solve_few(rows, weights, lo, n, miss_limit)
        bound = counting_bound(n, weight, undetermined, lightest, heaviest, goal, lower, reach)
        if counted:
            state = state_of_hits(n, certain, finds)
            bound = max(bound, bound_of_hits(n, weight, state, lightest, heaviest, goal, finds))
        if bound >= budget:
            return bound << 7
    word = ZERO
    second = ZERO
    symmetry = 0
    if options[CACHE] == 1:
        word, second, symmetry = canonical_key(
            certain, full & ~occupied, key_shares, has_high_word(table)
        )
        counters[PROBES] += 1
        packed = look_up(table, word, second, miss_limit)
        if packed == EMPTY and limits_misses(miss_limit):
            packed = within(look_up(table, word, second, NO_LIMIT), miss_limit)
        if packed != EMPTY:
            if is_exact(packed) and not every:
                if depth == 0:
                    store_best_shot(packed, symmetry, arrays.moves, counters)
                return value_of(packed)
            bound = max(bound, misses_of(packed))
            if bound >= budget:
                return bound << 7
    if not spend(n, counters):
        return STOP
    sharing = (
        busy.shape[0] > 0 and n >= BUSY_ROWS and options[CACHE] == 1 and options[LOOKAHEAD] == 1
    )
    mark = ZERO
    if sharing:
        mark = mark_of(word, second, miss_limit)
        begin(busy, mark)
    best = INFEASIBLE
    best_worst = 0
    shot = -1
    shots = ZERO
    refuted = INFEASIBLE  # least lower bound of the shots that did not get below the limit
    candidates = 0
    unknown = occupied & ~certain
    if n == 1:
        best = 0
    else:
        count_and_close(rows, weights, lo, hi, certain, occupied, full, counts, masks)
    columns = 0
    if options[BOUNDS] == 1 and options[FINDS] == 1 and n >= COLUMN_ROWS:
        columns = list_columns(n, unknown, counts)
    if columns > 0:
        known = columns_after_hits(
            n, weight, -1, columns, counts, state, undetermined, lightest, heaviest, goal, reach,
            finds,
        )  # fmt: skip
        bound = max(bound, known)
        if bound >= budget:
            counters[BOUNDED] += 1
            if sharing:
                finish(busy, mark)
            packed = pack(bound, 0, False, NO_SHOT, miss_limit)
            if options[CACHE] == 1 and not enter(table, word, second, packed, counters):
                return STOP
            return bound << 7
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        bit = left & (~left + ONE)
        left ^= bit
        if (
            options[DOMINANCE] == 1
            and not every
            and is_dominated(c, masks[HIT + CERTAIN, c] & unknown & ~bit, counts)
        ):
            continue
        hits = counts[ROWS, c]
        missed = weight - counts[WEIGHT, c]
        value = 0
        if options[BOUNDS] == 1:
            hit_weight = weight - missed
            if_hit = masks[HIT + CERTAIN, c]
            on_hit = counting_bound(
                hits, hit_weight, size - popcount(if_hit), lightest, heaviest, goal, lower, reach
            )
            if_miss = masks[MISS + CERTAIN, c]
            on_miss = counting_bound(
                n - hits, missed, size - popcount(if_miss), lightest, heaviest, goal, lower, reach
            )
            if columns > 0 and n - hits >= COLUMN_ROWS:
                known = columns_after_hits(
                    n - hits, missed, c, columns, counts, state, undetermined, lightest, heaviest,
                    goal, reach, finds,
                )  # fmt: skip
                on_miss = max(on_miss, known)
            value = max(1 + on_miss, on_hit) if goal == WORST else missed + on_hit + on_miss
            if counted and value < budget:
                then = state_of_hits(hits, if_hit, finds)
                known = bound_of_hits(hits, hit_weight, then, lightest, heaviest, goal, finds)
                on_hit = max(on_hit, known)
                then = state if if_miss == certain else state_of_hits(n - hits, if_miss, finds)
                known = bound_of_hits(n - hits, missed, then, lightest, heaviest, goal, finds)
                on_miss = max(on_miss, known)
                value = max(1 + on_miss, on_hit) if goal == WORST else missed + on_hit + on_miss
            counts[HIT_BOUND, c] = on_hit
            counts[MISS_BOUND, c] = on_miss
        else:
            counts[HIT_BOUND, c] = 0
            counts[MISS_BOUND, c] = 0
        if value >= budget and options[BUDGETS] == 1:
            refuted = min(refuted, value)
            continue
        j = candidates
        if options[ORDERING] == 1:  # most hits first, then least bound
            while j > 0:
                other = counts[ORDER, j - 1]
                if counts[WEIGHT, other] > counts[WEIGHT, c] or (
                    counts[WEIGHT, other] == counts[WEIGHT, c]
                    and counts[SHOT_BOUND, j - 1] <= value
                ):
                    break
                counts[ORDER, j] = other
                counts[SHOT_BOUND, j] = counts[SHOT_BOUND, j - 1]
                j -= 1
        counts[ORDER, j] = c
        counts[SHOT_BOUND, j] = value
        candidates += 1
    searched = False
    fewer = after_miss(miss_limit)
    if options[LOOKAHEAD] == 1 and options[CACHE] == 1 and fewer >= 0:
        # All keys before any is looked up, as memory is slow but answers many at a time.
        for q in range(candidates):
            c = counts[ORDER, q]
            if counts[ROWS, c] > 4:
                make_key_ready(c, HIT, full, miss_limit, table, key_shares, masks)
            if n - counts[ROWS, c] > 4:
                make_key_ready(c, MISS, full, fewer, table, key_shares, masks)
    deferred = ZERO  # shots put off, as another thread is busy with what follows them
    for turn in range(2 * candidates):
        q = turn if turn < candidates else turn - candidates
        if turn >= candidates:
            if deferred == ZERO:
                break
            if (deferred >> np.uint64(q)) & ONE == ZERO:
                continue
        limit = INFEASIBLE
        if options[BUDGETS] == 1:
            limit = min(budget, best + 1 if every else best)
        if counts[SHOT_BOUND, q] >= limit:
            refuted = min(refuted, counts[SHOT_BOUND, q])
            continue
        c = counts[ORDER, q]
        hits = counts[ROWS, c]
        on_hit = counts[HIT_BOUND, c]
        on_miss = counts[MISS_BOUND, c]
        missed = weight - counts[WEIGHT, c]
        if fewer < 0:
            continue
        if not searched:
            searched = True
            counters[NODES] += 1
        if options[LOOKAHEAD] == 1 and options[CACHE] == 1:
            if hits > 4:
                known = known_bound(c, HIT, miss_limit, table, masks, counters)
                on_hit = max(on_hit, known)
            if n - hits > 4:
                known = known_bound(c, MISS, fewer, table, masks, counters)
                on_miss = max(on_miss, known)
            value = max(1 + on_miss, on_hit) if goal == WORST else missed + on_hit + on_miss
            if value >= limit:
                refuted = min(refuted, value)
                continue
        if (
            sharing
            and 0 < turn < candidates
            and is_child_busy(c, n, miss_limit, fewer, counts, masks, busy)
        ):
            deferred |= ONE << np.uint64(q)
            continue
        mid = partition(rows, weights, lo, hi, ONE << np.uint64(c))
        hit_worst = 0
        miss_worst = 0
        value = 0
        shared = is_shared(n, limit, options)
        on_hit_known = False
        on_miss_known = False
        for asking in range(2 * MOST_TURNS):
            # The smaller half first: it is cheaper to know exactly, and tightens the other.
            first = asking & 1 == 0
            hit_asked = first == (2 * hits <= n)
            if on_hit_known if hit_asked else on_miss_known:
                continue
            room = limit
            if options[BUDGETS] == 0:
                room = INFEASIBLE
            elif goal == WORST:
                room = limit if hit_asked else limit - 1
            else:
                known = on_hit if hit_asked else on_miss
                room = limit - missed - on_hit - on_miss + known
                if shared and not (on_hit_known or on_miss_known):
                    share = share_of(known, hits if hit_asked else n - hits)
                    shares = share
                    if first:
                        shares = share_of(on_hit, hits) + share_of(on_miss, n - hits)
                    room = misses_asked(asking // 2, known, room - known, share, shares)
            if hit_asked:
                answer = minimize(
                    rows, weights, mid, hi, masks[HIT + CERTAIN, c], masks[HIT + OCCUPIED, c],
                    weight - missed, room, miss_limit, depth + 1, arrays,
                )  # fmt: skip
                on_hit = answer >> 7
                hit_worst = answer & 127
                on_hit_known = on_hit < room or options[BUDGETS] == 0
            else:
                answer = minimize(
                    rows, weights, lo, mid, masks[MISS + CERTAIN, c], masks[MISS + OCCUPIED, c],
                    missed, room, fewer, depth + 1, arrays,
                )  # fmt: skip
                on_miss = answer >> 7
                miss_worst = answer & 127
                on_miss_known = on_miss < room or options[BUDGETS] == 0
            if answer == STOP:
                return STOP
            value = max(1 + on_miss, on_hit) if goal == WORST else missed + on_hit + on_miss
            if (value >= limit and options[BUDGETS] == 1) or (on_hit_known and on_miss_known):
                break
        if value < min(limit, best):
            best = value
            best_worst = max(1 + miss_worst, hit_worst)
            shot = c
            shots = ONE << np.uint64(c)
        elif value == best:
            shots |= ONE << np.uint64(c)
        else:
            refuted = min(refuted, value)
    if not searched:
        counters[BOUNDED if n > 1 else NODES] += 1
    if sharing:
        finish(busy, mark)
    exact = best < budget
    if not exact:
        bound = max(bound, min(min(refuted, best), INFEASIBLE))
    if depth == 0:
        counters[SHOT] = shot
        counters[SHOTS] = np.int64(shots)
    if options[CACHE] == 1 and (searched or n == 1):
        image = arrays.moves[symmetry, shot] if shot >= 0 else NO_SHOT
        packed = pack(best if exact else bound, best_worst, exact, image, miss_limit)
        if not enter(table, word, second, packed, counters):
            return STOP
    return best << 7 | best_worst if exact else bound << 7
