"""Compiled search whose states are sets of layouts, for any number of cells.

The other searches keep the cells of a layout in one word. Here a layout is a row of arrays, a mask
has as many words as the cells need, and the key of a sub-table is the set of its rows, one bit
each; in the open mode the cells hit come with it. ``solver.search.set_search`` says why that set is
a key. Everything else is as in ``answer_search``: segments of ``ids``, a stack of children (the
*arena*), fail-soft values, and families of answers (``set_partition``).

A *set value* is one int64, ``misses << 14 | worst``, exact below the budget, otherwise a proven
lower bound, or STOP (``work``): paths on large boards may have more misses than the seven bits of
the other searches hold. Totals stay below 2^41 by validation.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit, popcount, recursive_kernel
from seabattle.solver.search.answers import settle_by_rows
from seabattle.solver.search.arrays import (
    BY_WEIGHT,
    ENTRY_WEIGHT,
    HI,
    LEAST,
    LO,
    MISSED,
    ORDER,
    ROWS,
    WEIGHT,
)
from seabattle.solver.search.bounds import words_bound
from seabattle.solver.search.kernels.set_arrays import HAS_KEY, OPEN, SetArrays
from seabattle.solver.search.kernels.set_bounds import (
    count_columns,
    is_covered,
    join_parts,
    path_bound,
    ways_left,
)
from seabattle.solver.search.kernels.set_partition import (
    close_entries,
    make_set_key,
    partition_by_answers,
    push,
)
from seabattle.solver.search.table import (
    EMPTY,
    KEY,
    PACKED,
    SEVEN_BITS,
    SHOT_AT,
    WORST_AT,
    find_slot,
    is_exact,
    misses_of,
    pack,
)
from seabattle.solver.search.work import (
    ANNOUNCED,
    ARENA_TOP,
    HEAVIEST,
    INFEASIBLE,
    LIGHTEST,
    MODE,
    NO_LIMIT,
    NODES,
    OPEN_SUNK,
    PROBES,
    STOP,
    TOTAL,
    has_room,
    spend,
)

WORST_BITS = 14
"""Bits of a set value that hold the worst case."""

WORST_MASK = (1 << WORST_BITS) - 1


@recursive_kernel("int64(int32[::1], int64, int64, int64, SetArrays)", SetArrays)
def minimize(ids, p, budget, depth, arrays):
    """Least misses of an entry of the arena, fail-soft.

    As ``answer_search.minimize``. Before it returns, everything it put on the arena is taken off
    again. Returns a set value, or STOP.

    ids : modified: the rows of the entry change places
    budget : int64, misses; below it the value is exact
    depth : int64, level of the recursion
    arrays : SetArrays; table, arena, scratch from level ``depth`` on, and counters modified
    """
    game = arrays.game
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    options = arrays.options
    counters = arrays.counters
    counts = arrays.counts[depth]
    table = arrays.table
    reach = arrays.reach
    if entries[p, OPEN] == 0:
        return 0
    words = game.occupied_by.shape[1]
    mode = options[MODE]
    announced = options[ANNOUNCED] == 1
    lightest = options[LIGHTEST]
    heaviest = options[HEAVIEST]
    is_open = mode == OPEN_SUNK
    lo = entries[p, LO]
    hi = entries[p, HI]
    weight = entries[p, ENTRY_WEIGHT]
    n = hi - lo
    bound = 0
    ways = 0  # sequences of hits and sinkings that are left; 0 where they are not counted
    cells = game.cells.shape[1]
    for w in range(words):
        cells -= popcount(masks[p, w])
    if not is_open:
        if n == 2:
            return min(game.weights[ids[lo]], game.weights[ids[lo + 1]]) << WORST_BITS | 1
        ways = ways_left(
            ids[lo], p, words, mode, game.cells, game.lengths, game.first, arrays.patterns, masks
        )
        bound = max(lightest, words_bound(n, weight, ways, cells, lightest, heaviest, TOTAL, reach))
        if bound >= budget:
            return bound << WORST_BITS
    key = 2 * words if is_open else 3 * words
    if entries[p, HAS_KEY] == 0:
        make_set_key(ids, p, words, entries, masks)
    counters[PROBES] += 1
    packed = table[find_slot(table, masks[p, key:], NO_LIMIT), PACKED]
    if packed != EMPTY:
        if is_exact(packed):
            # A long worst case takes the place of the shot, too.
            worst = np.int64((packed >> SHOT_AT) & SEVEN_BITS) << 7
            worst |= np.int64((packed >> WORST_AT) & SEVEN_BITS)
            return misses_of(packed) << WORST_BITS | worst
        bound = max(bound, misses_of(packed))
        if bound >= budget:
            return bound << WORST_BITS
    if not spend(n, counters):
        return STOP
    count = count_columns(ids, p, entries, masks, game, counts, arrays.together)
    # Certain hits not shot yet (open mode) may part the rows for free: no bound from columns.
    candidates = 0
    if is_open:
        for w in range(words):
            left = masks[p, w] & ~masks[p, 2 * words + w]
            while left != ZERO:
                c = 64 * w + lowest_bit(left)
                left &= left - ONE
                counts[ORDER, candidates] = c
                candidates += 1
    due = candidates > 0
    if not due:
        bound = max(bound, path_bound(
            weight, ways, cells, -1, False, count, counts, heaviest, reach, arrays.scratch
        ))  # fmt: skip
        if bound < budget:
            join_parts(ids, p, entries, masks, game, count, counts)
            bound = max(bound, path_bound(
                weight, ways, cells, -1, True, count, counts, heaviest, reach, arrays.scratch
            ))  # fmt: skip
        if bound >= budget:
            return bound << WORST_BITS
    counters[NODES] += 1
    for i in range(count):
        c = counts[BY_WEIGHT, i]
        if is_open or not is_covered(c, p, masks, counts, arrays.together):
            counts[ORDER, candidates] = c
            candidates += 1
    best = INFEASIBLE
    best_worst = 0
    refuted = INFEASIBLE
    base = counters[ARENA_TOP]
    for q in range(candidates):
        c = counts[ORDER, q]
        limit = min(budget, best)
        missed = weight - counts[WEIGHT, c]
        misses = n - counts[ROWS, c]
        if misses > 0 and not due:
            # A layout that is hit has its first letter: one cell less to spell.
            other = words_bound(
                n - misses, weight - missed, ways, cells - 1, lightest, heaviest, TOTAL, reach
            )
            value = (
                missed
                + other
                + words_bound(misses, missed, ways, cells, lightest, heaviest, TOTAL, reach)
            )
            if value < limit:
                value = max(value, missed + other + path_bound(
                    missed, ways, cells, c, True, count, counts, heaviest, reach, arrays.scratch
                ))  # fmt: skip
            if value >= limit:
                refuted = min(refuted, value)
                continue
        counters[ARENA_TOP] = base
        if (
            partition_by_answers(ids, lo, hi, c, p, mode, announced, game, arrays.arena, counters)
            == STOP
        ):
            counters[ARENA_TOP] = base
            return STOP
        top = counters[ARENA_TOP]
        value = missed
        worst = 1 if misses > 0 else 0
        for r in range(base, top):
            low = 0
            if entries[r, OPEN] == 1:
                if not is_open:
                    size = game.cells.shape[1]
                    for w in range(words):
                        size -= popcount(masks[r, w])
                    paths = ways_left(
                        ids[entries[r, LO]], r, words, mode, game.cells, game.lengths,
                        game.first, arrays.patterns, masks,
                    )  # fmt: skip
                    low = max(lightest, words_bound(
                        entries[r, HI] - entries[r, LO], entries[r, ENTRY_WEIGHT], paths, size,
                        lightest, heaviest, TOTAL, reach,
                    ))  # fmt: skip
                if is_open or entries[r, HI] - entries[r, LO] > 2:
                    make_set_key(ids, r, words, entries, masks)
                    counters[PROBES] += 1
                    packed = table[find_slot(table, masks[r, key:], NO_LIMIT), PACKED]
                    if packed != EMPTY:
                        low = max(low, misses_of(packed))
            entries[r, LEAST] = low
            value += low
        if value >= limit:
            refuted = min(refuted, value)
            counters[ARENA_TOP] = base
            continue
        # Smaller children first: they are cheap to know exactly.
        for r in range(base + 1, top):
            settle_by_rows(r, base, arrays.arena)
        for r in range(base, top):
            if entries[r, OPEN] == 0:
                continue
            answer = minimize(ids, r, limit - (value - entries[r, LEAST]), depth + 1, arrays)
            if answer == STOP:
                counters[ARENA_TOP] = base
                return STOP
            worst = max(worst, (answer & WORST_MASK) + entries[r, MISSED])
            value += (answer >> WORST_BITS) - entries[r, LEAST]
            if value >= limit:
                break
        counters[ARENA_TOP] = base
        if value < limit:
            best = value
            best_worst = worst
        else:
            refuted = min(refuted, value)
    exact = best < budget
    if not exact:
        bound = max(bound, min(min(refuted, best), INFEASIBLE))
    slot = find_slot(table, masks[p, key:], NO_LIMIT)
    if table[slot, PACKED] == EMPTY:
        if not has_room(counters):
            return STOP
        for w in range(table.shape[1] - KEY):
            table[slot, KEY + w] = masks[p, key + w]
    table[slot, PACKED] = pack(
        best if exact else bound, best_worst & 127, exact, best_worst >> 7, NO_LIMIT
    )
    return best << WORST_BITS | best_worst if exact else bound << WORST_BITS


@kernel
def minimize_after(ids, cell, hit, budget, arrays):
    """Value of all rows after a shot, or, with cell -1, before any: all parts together.

    Certain hits are shot first where the mode closes its sub-tables. Returns a set value, or STOP.

    ids : int32 (n_rows,), modified: rows change places
    hit : uint64 (words,), cells hit before
    budget : int64, misses
    arrays : SetArrays; table, arena, scratch and counters modified
    """
    game = arrays.game
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    mode = arrays.options[MODE]
    announced = arrays.options[ANNOUNCED] == 1
    counters = arrays.counters
    words = game.occupied_by.shape[1]
    zero = np.int64(0)
    counters[ARENA_TOP] = 0
    for w in range(words):
        masks[0, 2 * words + w] = hit[w]
    push(zero, ids.shape[0], zero, zero, words, entries, masks, counters)
    first = zero
    if cell >= 0:
        first = np.int64(1)
        if (
            partition_by_answers(
                ids, zero, ids.shape[0], cell, zero, mode, announced, game, arrays.arena, counters
            )
            == STOP
        ):
            return STOP
    elif close_entries(zero, ids, mode, announced, game, arrays.arena, counters) == STOP:
        return STOP
    value = 0
    worst = 0
    exact = True
    top = counters[ARENA_TOP]
    for p in range(first, top):
        if entries[p, MISSED] == 1:
            value += entries[p, ENTRY_WEIGHT]
            worst = 1
    for p in range(first, top):
        room = budget - value
        answer = minimize(ids, p, room, zero, arrays)
        if answer == STOP:
            return STOP
        found = answer >> WORST_BITS
        exact = exact and found < room
        worst = max(worst, (answer & WORST_MASK) + entries[p, MISSED])
        value += found
        if value >= budget:
            return min(value, INFEASIBLE) << WORST_BITS
    return value << WORST_BITS | worst if exact else value << WORST_BITS
