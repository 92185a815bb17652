"""Compiled search where an answer says more than hit or miss. Arrays and scalars only.

A *segment* is a range ``lo:hi`` of ``ids``, the rows still possible. ``partition`` says how a shot
splits it in the three families of answers (``mode``); what a key is differs too
(``solver.search.answer_search`` gives the proofs):

``CLOSED_SUNK``  (H, M)
``OPEN_SUNK``    the set of rows itself, one bit each, and the cells hit
``NAMED``        (H, M) and the ship in each cell of H, equal ships numbered by their first cells

``work`` explains search values and miss limits, ``arrays`` the arrays, ``transposition`` the table.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    lowest_bit,
    popcount,
    prefetch,
    recursive_kernel,
)
from seabattle.solver.search.kernels.answer_children import bound_answers, smaller_first
from seabattle.solver.search.kernels.arrays import (
    BY_WEIGHT,
    ENTRY_WEIGHT,
    HI,
    KEY,
    KNOWN,
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
from seabattle.solver.search.kernels.beside import misses_beside, partition_beside, told_beside
from seabattle.solver.search.kernels.bounds import miss_path_bound, patterns_left
from seabattle.solver.search.kernels.finds_bounds import column_bound, size_bound
from seabattle.solver.search.kernels.keys import make_closed_key, make_key
from seabattle.solver.search.kernels.partition import (
    partition_after_miss_known,
    partition_by_answers,
)
from seabattle.solver.search.kernels.segments import (
    count_cells,
    is_dominated,
    is_simple_miss,
    occupied_after_miss,
)
from seabattle.solver.search.kernels.shared_table import (
    BUSY_ROWS,
    begin,
    enter_row,
    finish,
    is_child_busy,
    look_up_row,
    mark_of_row,
)
from seabattle.solver.search.kernels.shares import (
    is_shared,
    misses_asked,
    share_of,
    shares_of_answers,
)
from seabattle.solver.search.kernels.states import UNKNOWN, state_of
from seabattle.solver.search.kernels.transposition import (
    EMPTY,
    NO_SHOT,
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
    CLOSED_SUNK,
    DOMINANCE,
    EVERY_SHOT,
    FULL_BOARD,
    GOAL,
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
    SHOTS,
    STOP,
    WORST,
    after_miss,
    limits_misses,
    spend,
)

TELL = -1  # the turn in which the cells around a hit are told


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
    budget : int64, below it the value is exact; miss_limit : int64, WORST_CASE if GOAL is WORST
    depth : int64, level of the recursion: 0 leaves the best shot in counters[SHOT], or all of them
        in counters[SHOTS] where options[EVERY_SHOT] is 1
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
    finds = arrays.finds
    options = arrays.options
    counters = arrays.counters
    busy = arrays.busy
    counts = arrays.counts[depth]
    together = arrays.together[depth]
    if certain == occupied:
        return 0
    mode = options[MODE]
    announced = options[ANNOUNCED] == 1
    goal = options[GOAL]
    full = np.uint64(options[FULL_BOARD])
    n = hi - lo
    every = depth == 0 and options[EVERY_SHOT] == 1  # best shots are sought, not one of them
    bound = ways = 0  # ways: sequences of hits and sinkings left; 0 where they are not counted
    state = UNKNOWN
    hit = shot if mode == OPEN_SUNK else certain
    cells = popcount(occupied_by[ids[lo]] & ~hit)
    if mode != OPEN_SUNK and options[BOUNDS] == 1:
        bound = 1 if goal == WORST else options[LIGHTEST]
        if miss_limit == 0:
            return INFEASIBLE << 7
        if bound >= budget:
            return bound << 7
        if n == 2 and depth > 0:
            lighter = min(weights[ids[lo]], weights[ids[lo + 1]])
            return 1 << 7 | 1 if goal == WORST else lighter << 7 | 1
    if options[BOUNDS] == 1:
        ways = patterns_left(ids[lo], hit, ships, lengths, mode, patterns)
        state = state_of(ids[lo], certain, finds)
        bound = max(bound, size_bound(n, weight, state, ways, cells, goal, options, reach, finds))
        if limits_misses(miss_limit):
            least = size_bound(n, weight, state, ways, cells, WORST, options, reach, finds)
            if least > miss_limit:
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
        packed = look_up_row(table, key, zero, zero, miss_limit)
        if packed == EMPTY and limits_misses(miss_limit):
            packed = within(look_up_row(table, key, zero, zero, NO_LIMIT), miss_limit)
        if packed != EMPTY:
            if is_exact(packed) and not every:
                if depth == 0:
                    store_best_shot(packed, symmetry, arrays.keys.moves, counters)
                return value_of(packed)
            bound = max(bound, misses_of(packed))
            if bound >= budget:
                return bound << 7
    if not spend(n, counters):
        return STOP
    sharing = (
        busy.shape[0] > 0 and n >= BUSY_ROWS and options[CACHE] == 1 and options[LOOKAHEAD] == 1
    )
    unknown = occupied & ~certain
    count = count_cells(ids, lo, hi, occupied_by, weights, unknown, full, counts,
                        together)  # fmt: skip
    # Certain hits not shot yet (open mode) may part the rows for free: no bound from columns.
    due = mode == OPEN_SUNK and (certain & ~shot) != ZERO
    if options[BOUNDS] == 1 and not due:
        bound = max(bound, column_bound(
            n, weight, -1, count, counts, state, ways, cells, goal, options, reach, finds
        ))  # fmt: skip
        if (
            limits_misses(miss_limit)
            and miss_path_bound(n, weight, -1, count, counts, WORST) > miss_limit
        ):
            return INFEASIBLE << 7
        if bound >= budget:
            counters[BOUNDED] += 1
            return bound << 7
    counters[NODES] += 1
    mark = ZERO
    if sharing:
        mark = mark_of_row(key, zero, zero, key.shape[1], miss_limit)
        begin(busy, mark)
    # Shots to weigh: undetermined cells, most hits first; in the open mode also certain hits
    # not shot yet, which are free and may tell something.
    candidates = 0
    dominance = options[DOMINANCE] == 1 and mode != OPEN_SUNK and not every
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
        if dominance and is_dominated(c, together[c] & unknown & ~(ONE << np.uint64(c)), counts):
            continue
        counts[ORDER, candidates] = c
        candidates += 1
    best = INFEASIBLE
    best_worst = 0
    choice = -1
    shots = ZERO
    refuted = INFEASIBLE
    base = counters[ARENA_TOP]
    child_key = arrays.key[depth + 1]
    deferred = ZERO  # shots put off, as another thread is busy with what follows them
    beside, seed = told_beside(ids, lo, hi, certain, occupied, game, options)
    for turn in range(0 if beside == ZERO else TELL, 2 * candidates):
        most = min(budget, best + 1 if every else best)
        if bound >= most:
            break
        telling = turn == TELL  # no shot: what is left if the cells around a hit are told
        q = turn if turn < candidates else turn - candidates
        if turn >= candidates:
            if deferred == ZERO:
                break
            if (deferred >> np.uint64(q)) & ONE == ZERO:
                continue
        c = counts[ORDER, max(0, q)]
        limit = most if options[BUDGETS] == 1 else INFEASIBLE
        misses = n - counts[ROWS, c]
        missed = weight - counts[WEIGHT, c]
        if telling:
            misses = 0
            missed = misses_beside(ids, lo, hi, beside, seed, game, arrays.groups)
        fewer = after_miss(miss_limit)
        if misses > 0 and fewer < 0:
            continue
        value = 0
        left = ZERO  # cells occupied after a miss, where that is known without a look at rows
        if options[BOUNDS] == 1 and misses > 0 and not due:
            after = max(
                column_bound(misses, missed, c, count, counts, state, ways, cells, goal, options,
                             reach, finds),
                size_bound(misses, missed, state, ways, cells, goal, options, reach, finds),
            )  # fmt: skip
            # A layout that is hit has its first letter: one cell less to spell.
            other = size_bound(
                n - misses, weight - missed, UNKNOWN, ways, cells - 1, goal, options, reach, finds
            )  # fmt: skip
            value = max(1 + after, other) if goal == WORST else missed + after + other
            if value < limit and mode == CLOSED_SUNK and is_simple_miss(c, n, count, counts):
                left = occupied_after_miss(c, occupied, unknown, together)
            if left != ZERO and options[CACHE] == 1 and options[LOOKAHEAD] == 1:
                make_closed_key(certain, left, full, arrays.keys, child_key)
                counters[PROBES] += 1
                packed = look_up_row(table, child_key, zero, zero, fewer)
                if packed != EMPTY:
                    after = max(after, misses_of(packed))
                    value = max(1 + after, other) if goal == WORST else missed + after + other
            if value >= limit:
                refuted = min(refuted, value)
                continue
        counters[ARENA_TOP] = base
        if telling:
            parted = partition_beside(ids, lo, hi, beside, game, full, arrays.arena, options,
                                      counters)  # fmt: skip
        elif left != ZERO:
            parted = partition_after_miss_known(
                ids, lo, hi, c, certain, left, missed, game, full, arrays.arena, counters
            )
        else:
            parted = partition_by_answers(
                ids, lo, hi, c, shot, game, mode, announced, full, arrays.arena, counters
            )
        if parted == STOP:
            counters[ARENA_TOP] = base
            return STOP
        top = counters[ARENA_TOP]
        # Lower bounds of the children, from the table where it knows better.
        value = bound_answers(ids, base, top, missed, arrays)
        worst = 1 if misses > 0 else 0
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
                    packed = look_up_row(table, arena_masks, p, KEY, child_limit)
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
            counters[ARENA_TOP] = base
            if telling:
                bound = max(bound, min(value, INFEASIBLE))
            else:
                refuted = min(refuted, value)
            continue
        if (
            sharing
            and 0 < turn < candidates
            and is_child_busy(base, top, miss_limit, fewer, arrays.arena, busy)
        ):
            deferred |= ONE << np.uint64(q)
            counters[ARENA_TOP] = base
            continue
        unknown_answers = smaller_first(base, top, arrays.arena)
        shared = is_shared(n, limit, options)
        turn_of_answers = 0
        while unknown_answers > 0 and (value < limit or options[BUDGETS] == 0):
            shares = shares_of_answers(base, top, arrays.arena) if shared else zero
            for p in range(base, top):
                if arena[p, KNOWN] == 1:
                    continue
                missed_here = arena[p, MISSED] == 1
                least = arena[p, LEAST]
                if options[BUDGETS] == 0:
                    room = INFEASIBLE
                elif goal == WORST:
                    room = limit - 1 if missed_here else limit
                else:
                    room = limit - (value - least)
                if shared and unknown_answers > 1:
                    share = share_of(least, arena[p, HI] - arena[p, LO])
                    room = misses_asked(turn_of_answers, least, room - least, share, shares)
                    shares -= share
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
                least = answer >> 7
                worst = max(worst, (answer & 127) + (1 if missed_here else 0))
                if goal == WORST:
                    value = max(value, least + (1 if missed_here else 0))
                else:
                    value += least - arena[p, LEAST]
                arena[p, LEAST] = least
                if value >= limit and options[BUDGETS] == 1:
                    break
                if least < room or options[BUDGETS] == 0:
                    arena[p, KNOWN] = 1
                    unknown_answers -= 1
            turn_of_answers += 1
        counters[ARENA_TOP] = base
        if telling:
            bound = max(bound, min(value, INFEASIBLE))
        elif value < min(limit, best):
            best = value
            best_worst = worst
            choice = c
            shots = ONE << np.uint64(c)
        elif value == best:
            shots |= ONE << np.uint64(c)
        else:
            refuted = min(refuted, value)
    if sharing:
        finish(busy, mark)
    exact = best < budget
    if not exact and bound < budget:
        bound = max(bound, min(min(refuted, best), INFEASIBLE))
    if depth == 0:
        counters[SHOT] = choice
        counters[SHOTS] = np.int64(shots)
    if options[CACHE] == 1:
        image = arrays.keys.moves[symmetry, choice] if choice >= 0 else NO_SHOT
        packed = pack(best if exact else bound, best_worst, exact, image, miss_limit)
        if not enter_row(table, key, zero, zero, packed, counters):
            return STOP
    return best << 7 | best_worst if exact else bound << 7
