"""Compiled search whose states are sets of layouts, for any number of cells.

The other searches keep the cells of a layout in one word. Here a layout is a row of arrays, a mask
has as many words as the cells need, and the key of a sub-table is the set of its rows, one bit
each; in the open mode the cells hit come with it. ``solver.search.set_search`` says why that set is
a key. Everything else is as in ``minimize``: segments of ``ids``, a stack of children (the
*arena*), fail-soft values, and families of answers (``set_partition``).

A *set value* is one int64, ``misses << 14 | worst``, exact below the budget, otherwise a proven
lower bound, or STOP (``work``): paths on large boards may have more misses than the seven bits of
the other searches hold. Totals stay below 2^41 by validation.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    inlined_inner_kernel,
    kernel,
    lowest_bit,
    part_of_kernel,
    popcount,
    recursive_kernel,
)
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


@inlined_inner_kernel
def known_at_once(ids, p, arrays):
    """What the size of an entry proves: a lower bound, the sequences of hits and sinkings left (0
    where they are not counted), and the ship cells left.
    """
    game = arrays.game
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    options = arrays.options
    words = game.occupied_by.shape[1]
    cells = game.cells.shape[1]
    for w in range(words):
        cells -= popcount(masks[p, w])
    if options[MODE] == OPEN_SUNK:
        return 0, 0, cells
    ways = ways_left(
        ids[entries[p, LO]], p, words, options[MODE], game.cells, game.lengths, game.first,
        arrays.patterns, masks,
    )  # fmt: skip
    n = entries[p, HI] - entries[p, LO]
    bound = by_words(n, entries[p, ENTRY_WEIGHT], ways, cells, arrays)
    return max(options[LIGHTEST], bound), ways, cells


@inlined_inner_kernel
def by_words(n, weight, ways, cells, arrays):
    """The bound by words on the misses of so many rows."""
    options = arrays.options
    return words_bound(
        n, weight, ways, cells, options[LIGHTEST], options[HEAVIEST], TOTAL, arrays.reach
    )


@inlined_inner_kernel
def by_path(weight, ways, cells, skip, parts, count, depth, arrays):
    """The bound by the path of all misses; ``parts``: columns of rows that go together count once.

    skip : int64, cell that is missed already, or -1
    """
    return path_bound(
        weight, ways, cells, skip, parts, count, arrays.counts[depth], arrays.options[HEAVIEST],
        arrays.reach, arrays.scratch,
    )  # fmt: skip


@inlined_inner_kernel
def key_place(arrays):
    """Column of ``masks`` where the key of an entry begins."""
    words = arrays.game.occupied_by.shape[1]
    return 2 * words if arrays.options[MODE] == OPEN_SUNK else 3 * words


@inlined_inner_kernel
def look_up_entry(ids, p, arrays):
    """What the table says of an entry, whose key is made if it is not."""
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    if entries[p, HAS_KEY] == 0:
        make_set_key(ids, p, arrays.game.occupied_by.shape[1], entries, masks)
    arrays.counters[PROBES] += 1
    slot = find_slot(arrays.table, masks[p, key_place(arrays) :], NO_LIMIT)
    return arrays.table[slot, PACKED]


@inlined_inner_kernel
def set_value_of(packed):
    """The set value of an exact entry: a long worst case takes the place of the shot, too."""
    worst = np.int64((packed >> SHOT_AT) & SEVEN_BITS) << 7
    worst |= np.int64((packed >> WORST_AT) & SEVEN_BITS)
    return misses_of(packed) << WORST_BITS | worst


@inlined_inner_kernel
def list_due(p, depth, arrays):
    """List the certain hits that are not shot yet, in the open mode; returns how many."""
    if arrays.options[MODE] != OPEN_SUNK:
        return 0
    masks = arrays.arena.masks
    words = arrays.game.occupied_by.shape[1]
    candidates = 0
    for w in range(words):
        left = masks[p, w] & ~masks[p, 2 * words + w]
        while left != ZERO:
            arrays.counts[depth, ORDER, candidates] = 64 * w + lowest_bit(left)
            left &= left - ONE
            candidates += 1
    return candidates


@inlined_inner_kernel
def list_shots(p, candidates, count, depth, arrays):
    """List the cells worth a shot after those listed, heaviest first; returns how many in all."""
    counts = arrays.counts[depth]
    is_open = arrays.options[MODE] == OPEN_SUNK
    for i in range(count):
        c = counts[BY_WEIGHT, i]
        if is_open or not is_covered(c, p, arrays.arena.masks, counts, arrays.together):
            counts[ORDER, candidates] = c
            candidates += 1
    return candidates


@inlined_inner_kernel
def bound_by_columns(ids, p, weight, ways, cells, bound, budget, count, depth, arrays):
    """The lower bound of an entry, raised by its columns, and by those of parts of its rows."""
    bound = max(bound, by_path(weight, ways, cells, -1, False, count, depth, arrays))
    if bound < budget:
        counts = arrays.counts[depth]
        join_parts(ids, p, arrays.arena.entries, arrays.arena.masks, arrays.game, count, counts)
        bound = max(bound, by_path(weight, ways, cells, -1, True, count, depth, arrays))
    return bound


@inlined_inner_kernel
def try_cell(c, n, weight, ways, cells, count, limit, depth, arrays):
    """Bound on the value of a shot from its column, before any row moves."""
    counts = arrays.counts[depth]
    missed = weight - counts[WEIGHT, c]
    misses = n - counts[ROWS, c]
    # A layout that is hit has its first letter: one cell less to spell.
    other = missed + by_words(n - misses, weight - missed, ways, cells - 1, arrays)
    value = other + by_words(misses, missed, ways, cells, arrays)
    if value < limit:
        value = max(value, other + by_path(missed, ways, cells, c, True, count, depth, arrays))
    return value


@inlined_inner_kernel
def bound_entries(ids, base, missed, arrays):
    """Set the lower bound of each part; returns that on the value of the shot."""
    entries = arrays.arena.entries
    is_open = arrays.options[MODE] == OPEN_SUNK
    value = missed
    for r in range(base, arrays.counters[ARENA_TOP]):
        low = 0
        if entries[r, OPEN] == 1:
            low, _, _ = known_at_once(ids, r, arrays)
            if is_open or entries[r, HI] - entries[r, LO] > 2:
                packed = look_up_entry(ids, r, arrays)
                if packed != EMPTY:
                    low = max(low, misses_of(packed))
        entries[r, LEAST] = low
        value += low
    return value


@part_of_kernel
def ask_entries(ids, base, value, worst, limit, depth, arrays):
    """Ask the parts until the shot is refuted or all are known: its value, or STOP, and worst case.

    Smaller ones first: they are cheap to know exactly.
    """
    entries = arrays.arena.entries
    top = arrays.counters[ARENA_TOP]
    for r in range(base + 1, top):
        settle_by_rows(r, base, arrays.arena)
    for r in range(base, top):
        if entries[r, OPEN] == 0:
            continue
        answer = minimize(ids, r, limit - (value - entries[r, LEAST]), depth + 1, arrays)
        if answer == STOP:
            value = STOP
            break
        worst = max(worst, (answer & WORST_MASK) + entries[r, MISSED])
        value += (answer >> WORST_BITS) - entries[r, LEAST]
        if value >= limit:
            break
    return value, worst


@inlined_inner_kernel
def keep_value(p, misses, worst, exact, arrays):
    """Enter what was proven of an entry; False where the table is full."""
    table = arrays.table
    key = key_place(arrays)
    slot = find_slot(table, arrays.arena.masks[p, key:], NO_LIMIT)
    if table[slot, PACKED] == EMPTY:
        if not has_room(arrays.counters):
            return False
        for w in range(table.shape[1] - KEY):
            table[slot, KEY + w] = arrays.arena.masks[p, key + w]
    table[slot, PACKED] = pack(misses, worst & 127, exact, worst >> 7, NO_LIMIT)
    return True


@recursive_kernel("int64(int32[::1], int64, int64, int64, SetArrays)", SetArrays)
def minimize(ids, p, budget, depth, arrays):
    """Least misses of an entry of the arena, fail-soft.

    Goes the way of ``solver.search.minimize``. Before it returns, everything it put on the arena is
    taken off again. Returns a set value, or STOP.

    ids : modified: the rows of the entry change places
    budget : int64, misses; below it the value is exact
    depth : int64, level of the recursion
    arrays : SetArrays; table, arena, scratch from level ``depth`` on, and counters modified
    """
    game = arrays.game
    entries = arrays.arena.entries
    counters = arrays.counters
    counts = arrays.counts[depth]
    mode = arrays.options[MODE]
    if entries[p, OPEN] == 0:
        return 0
    lo = entries[p, LO]
    hi = entries[p, HI]
    weight = entries[p, ENTRY_WEIGHT]
    n = hi - lo
    if n == 2 and mode != OPEN_SUNK:
        return min(game.weights[ids[lo]], game.weights[ids[lo + 1]]) << WORST_BITS | 1
    bound, ways, cells = known_at_once(ids, p, arrays)
    if bound >= budget:
        return bound << WORST_BITS
    packed = look_up_entry(ids, p, arrays)
    if packed != EMPTY:
        if is_exact(packed):
            return set_value_of(packed)
        bound = max(bound, misses_of(packed))
        if bound >= budget:
            return bound << WORST_BITS
    if not spend(n, counters):
        return STOP
    count = count_columns(ids, p, entries, arrays.arena.masks, game, counts, arrays.together)
    candidates = list_due(p, depth, arrays)
    due = candidates > 0  # they may part the rows for free: columns bound nothing
    if not due:
        bound = bound_by_columns(ids, p, weight, ways, cells, bound, budget, count, depth, arrays)
        if bound >= budget:
            return bound << WORST_BITS
    counters[NODES] += 1
    candidates = list_shots(p, candidates, count, depth, arrays)
    best = INFEASIBLE
    best_worst = 0
    refuted = INFEASIBLE
    base = counters[ARENA_TOP]
    announced = arrays.options[ANNOUNCED] == 1
    for q in range(candidates):
        c = counts[ORDER, q]
        limit = min(budget, best)
        misses = n - counts[ROWS, c]
        if misses > 0 and not due:
            value = try_cell(c, n, weight, ways, cells, count, limit, depth, arrays)
            if value >= limit:
                refuted = min(refuted, value)
                continue
        counters[ARENA_TOP] = base
        parted = partition_by_answers(
            ids, lo, hi, c, p, mode, announced, game, arrays.arena, counters
        )
        if parted == STOP:
            counters[ARENA_TOP] = base
            return STOP
        value = bound_entries(ids, base, weight - counts[WEIGHT, c], arrays)
        worst = 1 if misses > 0 else 0
        if value < limit:
            value, worst = ask_entries(ids, base, value, worst, limit, depth, arrays)
        counters[ARENA_TOP] = base
        if value == STOP:
            return STOP
        if value < limit:
            best = value
            best_worst = worst
        else:
            refuted = min(refuted, value)
    exact = best < budget
    found = best if exact else max(bound, min(min(refuted, best), INFEASIBLE))
    best_worst = best_worst if exact else 0
    if not keep_value(p, found, best_worst, exact, arrays):
        return STOP
    return found << WORST_BITS | best_worst


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
