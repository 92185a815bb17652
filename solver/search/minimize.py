"""The recurrence of every exact search: least misses of a sub-table. Arrays and scalars only.

    value(S) = 0 where all rows of S occupy the same cells, otherwise the least over cells c of
               weight(S without c) + the sum of value(A) over the sub-tables A that c leaves

and for the worst case the least over c of the largest of 1 + value(A), for what a miss leaves, and
of value(A), for the others. It is fail-soft [Fishburn1983]: with a budget the value is exact where
it is below, otherwise a lower bound. With a miss limit only trees count that keep it on every path,
and there may be none (``INFEASIBLE``). With the goal ``LOST`` a row costs nothing as long as it
keeps the miss limit, and its weight once it does not. The least that is lost with k misses left is

    lost(S, -1) = weight(S), otherwise 0 where all rows of S occupy the same cells, otherwise the
                  least over cells c of the sum of lost(A, k - 1) for what a miss leaves, and of
                  lost(A, k) for the others

``minimize`` goes the same way for every sub-table: what its size alone proves; what the table
knows; what its columns prove; then its shots in order. A shot is *tried*: first all that is known
of it is added up, without a look at any row, then its rows are split, and what the table knows of
the parts is added; what is not refuted by then is *asked*, part by part.

A *segment* is a range ``lo:hi`` of ``ids``, the rows of the sub-table. Its H, ``certain``, are the
cells that every row occupies, its U, ``occupied``, those that some row does, ``shot`` the cells hit
so far where answers are open (``answers``). ``arrays`` names what is in the arrays. Parameters that
many kernels share: ``ids``, ``lo``, ``hi``, the segment; ``sub``, SubTable, what is known of it;
``c``, int64, cell of a shot, and ``q``, its place in the list of shots; ``missed``, int64, weight
that it misses; ``miss_limit``, int64, and ``fewer``, what is left of it after a miss; ``depth``,
int64, level of the recursion, whose scratch is modified; ``arrays``, SearchArrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    bit_of,
    kernel,
    lowest_bit,
    part_of_kernel,
    popcount,
    prefetch,
)
from seabattle.solver.search import arrays as at
from seabattle.solver.search import work
from seabattle.solver.search.answers import (
    count_and_close,
    count_cells,
    is_dominated,
    is_simple_miss,
    list_falling,
    occupied_after_miss,
    partition_after_miss_known,
    partition_by_answers,
    settle_by_rows,
    settled_ships,
)
from seabattle.solver.search.arrays import Mask
from seabattle.solver.search.bounds import (
    COLUMN_ROWS,
    MOST_FEW,
    UNKNOWN,
    UNSOLVED,
    column_bound,
    is_weighted,
    list_columns,
    miss_path_bound,
    patterns_left,
    size_bound,
    state_of_rows,
    value_of_few,
)
from seabattle.solver.search.keys import key_part, make_closed_key, make_key
from seabattle.solver.search.reveal_bound import cells_revealed, misses_revealed, part_revealed
from seabattle.solver.search.segments import part_segment
from seabattle.solver.search.table import (
    BUSY_ROWS,
    EMPTY,
    NO_SHOT,
    begin,
    enter,
    finish,
    first_slot,
    is_busy,
    is_exact,
    look_up,
    mark_of,
    misses_of,
    pack,
    shot_of,
    value_of,
    within,
)
from seabattle.solver.search.work import after_miss, goal_of, limits_misses, spend

UNLIMITED = 1 << 60
"""In place of a limit, where the search is to find every value."""


class Part(NamedTuple):
    """A segment that is asked about from outside: rows after a shot, or all of them."""

    lo: int
    hi: int
    certain: Mask
    occupied: Mask
    shot: Mask
    weight: int
    missed: int

    @property
    def segment(self) -> tuple[Any, ...]:
        """What ``minimize`` takes of it."""
        return self[:-1]


class SubTable(NamedTuple):
    """What is known of the sub-table that is searched, for the kernels that weigh its shots."""

    n: int  # its rows, and the sum of their weights
    weight: int
    certain: Mask
    occupied: Mask
    ways: int  # sequences of hits and sinkings left, 0 where they are not counted
    cells: int  # ship cells left
    state: int  # of what was hit
    due: bool  # whether certain hits are not shot yet (open mode)
    miss_limit: int
    fewer: int
    count: int  # columns listed for bounds


REVEAL = -1
"""The turn that reveals the cells around a hit (``reveal_bound``): no shot, but a bound."""


@kernel
def packed_of(key, miss_limit, arrays):
    """What the table says of a key and a miss limit, or of the key without a limit."""
    packed = look_up(arrays.table, key, miss_limit)
    if packed == EMPTY and limits_misses(miss_limit):
        packed = within(look_up(arrays.table, key, work.NO_LIMIT), miss_limit)
    return packed


@kernel
def bound_both(c, sub, size, budget, counts, children, arrays):
    """Bounds on both children of a shot in mode ``hit``, and on its value, before any row moves."""
    goal = goal_of(sub.miss_limit, arrays.options)
    after = goal_of(sub.fewer, arrays.options)
    hits = counts[at.ROWS, c]
    hit_weight = counts[at.WEIGHT, c]
    misses = sub.n - hits
    missed = sub.weight - hit_weight
    if arrays.options[work.BOUNDS] == 0:
        counts[at.HIT_BOUND, c] = 0
        counts[at.MISS_BOUND, c] = 0
        return both_values(missed, 0, 0, goal)
    if_hit = children[at.AFTER_HIT + at.CERTAIN, c]
    if_miss = children[at.AFTER_MISS + at.CERTAIN, c]
    on_hit = size_bound(hits, hit_weight, UNKNOWN, 1, size - popcount(if_hit), goal, arrays)
    on_miss = size_bound(misses, missed, UNKNOWN, 1, size - popcount(if_miss), after, arrays)
    if sub.count > 0 and misses >= COLUMN_ROWS:
        on_miss = max(on_miss, column_bound(misses, missed, c, sub, counts, after, arrays))
    value = both_values(missed, on_hit, on_miss, goal)
    if arrays.coverage.size[0] > 0 and value < budget:
        state = state_of_rows(0, hits, if_hit, work.PLAIN, arrays.coverage)
        on_hit = max(on_hit, size_bound(hits, hit_weight, state, 0, 0, goal, arrays))
        state = sub.state
        if if_miss != sub.certain:
            state = state_of_rows(0, misses, if_miss, work.PLAIN, arrays.coverage)
        on_miss = max(on_miss, size_bound(misses, missed, state, 0, 0, after, arrays))
        value = both_values(missed, on_hit, on_miss, goal)
    counts[at.HIT_BOUND, c] = on_hit
    counts[at.MISS_BOUND, c] = on_miss
    return value


@kernel
def both_values(missed, on_hit, on_miss, goal):
    """Value of a shot with one part after a hit and one after a miss."""
    if goal == work.WORST:
        return max(1 + on_miss, on_hit)
    return on_hit + on_miss + (missed if goal == work.TOTAL else 0)


@kernel
def order_shots(row, sub, shot, budget, every, depth, arrays):
    """List the shots worth a try, those that most weight occupies first, then by their bounds.

    Returns how many they are, and the least bound of those that are refuted at once.
    """
    options = arrays.options
    mode = options[work.MODE]
    counts = arrays.counts[depth]
    together = arrays.together[depth]
    children = arrays.children[depth]
    unknown = sub.occupied & ~sub.certain
    due = sub.certain & ~shot if mode == work.OPEN_SUNK else ZERO
    dominance = options[work.DOMINANCE] == 1 and mode != work.OPEN_SUNK and not every
    size = popcount(arrays.game.occupied_by[row])
    refuted = work.INFEASIBLE
    candidates = 0
    left = unknown | due
    while left != ZERO:
        c = lowest_bit(left)
        bit = left & (~left + ONE)
        left ^= bit
        value = 0
        if bit & due != ZERO:
            counts[at.ROWS, c] = sub.n
            counts[at.WEIGHT, c] = sub.weight
        elif dominance and is_dominated(c, together[c] & unknown & ~bit, counts):
            continue
        elif mode == work.PLAIN:
            value = bound_both(c, sub, size, budget, counts, children, arrays)
            if value >= budget and options[work.BUDGETS] == 1:
                refuted = min(refuted, value)
                continue
        j = candidates
        if options[work.ORDERING] == 1:
            while j > 0:
                other = counts[at.ORDER, j - 1]
                if counts[at.WEIGHT, other] > counts[at.WEIGHT, c] or (
                    counts[at.WEIGHT, other] == counts[at.WEIGHT, c]
                    and (mode != work.PLAIN or counts[at.SHOT_BOUND, j - 1] <= value)
                ):
                    break
                counts[at.ORDER, j] = other
                if mode == work.PLAIN:
                    counts[at.SHOT_BOUND, j] = counts[at.SHOT_BOUND, j - 1]
                j -= 1
        counts[at.ORDER, j] = c
        if mode == work.PLAIN:
            counts[at.SHOT_BOUND, j] = value
        candidates += 1
    return candidates, refuted


@kernel
def make_child_key(c, after, miss_limit, depth, arrays):
    """Make the key of a child of the shot at c, and have its place in the table fetched."""
    certain = arrays.children[depth, after + at.CERTAIN, c]
    occupied = arrays.children[depth, after + at.OCCUPIED, c]
    key = arrays.key[depth + 1]
    symmetry = make_closed_key(certain, occupied, arrays.game.full[0], arrays.keys, key)
    arrays.counts[depth, at.KEY_SYMMETRY + after, c] = symmetry
    for word in range(key.shape[1]):
        arrays.child_keys[depth, after, c, word] = key[0, word]
    prefetch(arrays.table, first_slot(arrays.table, key[0], miss_limit))


@kernel
def make_child_keys(sub, candidates, depth, arrays):
    """In mode ``hit`` make all keys before any is looked up.

    Memory is slow, but answers many questions at a time.
    """
    options = arrays.options
    if options[work.MODE] != work.PLAIN or options[work.LOOKAHEAD] == 0:
        return
    counts = arrays.counts[depth]
    for q in range(candidates):
        c = counts[at.ORDER, q]
        if counts[at.ROWS, c] > MOST_FEW:
            make_child_key(c, at.AFTER_HIT, sub.miss_limit, depth, arrays)
        if sub.n - counts[at.ROWS, c] > MOST_FEW:
            make_child_key(c, at.AFTER_MISS, sub.fewer, depth, arrays)


@kernel
def known_bound(key, miss_limit, arrays):
    """Lower bound on the misses of a child that the table knows, 0 where it knows nothing."""
    packed = look_up(arrays.table, key, miss_limit)
    bound = 0 if packed == EMPTY else misses_of(packed)
    if limits_misses(miss_limit):
        packed = look_up(arrays.table, key, work.NO_LIMIT)
        if packed != EMPTY:
            bound = max(bound, misses_of(packed))
    return bound


@kernel
def try_both(c, q, sub, limit, depth, arrays):
    """Bound on the value of a shot in mode ``hit`` from what is known of both children."""
    options = arrays.options
    counts = arrays.counts[depth]
    keys = arrays.child_keys[depth]
    value = counts[at.SHOT_BOUND, q]
    if value >= limit or options[work.LOOKAHEAD] == 0:
        return value
    hits = counts[at.ROWS, c]
    if hits > MOST_FEW:
        known = known_bound(keys[at.AFTER_HIT, c], sub.miss_limit, arrays)
        counts[at.HIT_BOUND, c] = max(counts[at.HIT_BOUND, c], known)
    if sub.n - hits > MOST_FEW:
        known = known_bound(keys[at.AFTER_MISS, c], sub.fewer, arrays)
        counts[at.MISS_BOUND, c] = max(counts[at.MISS_BOUND, c], known)
    missed = sub.weight - counts[at.WEIGHT, c]
    on_hit = counts[at.HIT_BOUND, c]
    return both_values(missed, on_hit, counts[at.MISS_BOUND, c], options[work.GOAL])


@kernel
def put_child(p, lo, hi, c, after, weight, missed, bound, arrays, depth):
    """Put a child that is known on the arena, with all that is known of it."""
    arena = arrays.arena.entries
    masks = arrays.arena.masks
    children = arrays.children[depth]
    arena[p, at.LO] = lo
    arena[p, at.HI] = hi
    arena[p, at.MISSED] = missed
    arena[p, at.ENTRY_WEIGHT] = weight
    arena[p, at.LEAST] = bound
    arena[p, at.SYMMETRY] = at.NO_KEY
    masks[p, at.H] = children[after + at.CERTAIN, c]
    masks[p, at.U] = children[after + at.OCCUPIED, c]
    if hi - lo > MOST_FEW and arrays.options[work.LOOKAHEAD] == 1:
        arena[p, at.SYMMETRY] = arrays.counts[depth, at.KEY_SYMMETRY + after, c]
        keys = arrays.arena.keys
        for word in range(keys.shape[1]):
            keys[p, word] = arrays.child_keys[depth, after, c, word]


@kernel
def part_both(ids, lo, hi, c, weight, depth, arrays):
    """Part the rows by a shot in mode ``hit``; both children go on the arena, the hit one first.

    Returns 0, or STOP (arena full).
    """
    counters = arrays.counters
    counts = arrays.counts[depth]
    top = counters[work.ARENA_TOP]
    if top + 2 > arrays.arena.entries.shape[0]:
        counters[work.STATUS] = work.FULL_ARENA
        return work.STOP
    mid = part_segment(ids, lo, hi, bit_of(c, arrays.game.full[0]), arrays.game.occupied_by)
    hit_weight = counts[at.WEIGHT, c]
    missed = weight - hit_weight
    on_hit = counts[at.HIT_BOUND, c]
    on_miss = counts[at.MISS_BOUND, c]
    put_child(top, mid, hi, c, at.AFTER_HIT, hit_weight, 0, on_hit, arrays, depth)
    put_child(top + 1, lo, mid, c, at.AFTER_MISS, missed, 1, on_miss, arrays, depth)
    counters[work.ARENA_TOP] = top + 2
    return 0


@kernel
def bound_parts(ids, base, missed, miss_limit, fewer, arrays):
    """Set the lower bound of each part by its size, and return that on the value of the shot."""
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    goal = arrays.options[work.GOAL]
    value = missed if goal == work.TOTAL else 0
    for p in range(base, arrays.counters[work.ARENA_TOP]):
        limit = fewer if entries[p, at.MISSED] == 1 else miss_limit
        lo = entries[p, at.LO]
        n = entries[p, at.HI] - lo
        h = masks[p, at.H]
        weight = entries[p, at.ENTRY_WEIGHT]
        low = 0
        if limit < 0:
            low = weight
        elif h != masks[p, at.U]:
            low = bound_at_once(ids, lo, n, h, masks[p, at.K], weight, limit, arrays)[0]
        entries[p, at.LEAST] = 0
        value = value_with_part(p, value, low, goal, arrays.arena)
    return value


@kernel
def look_up_parts(ids, base, value, miss_limit, fewer, depth, arrays):
    """Raise the bounds of the parts by what the table knows; the bound on the value of the shot."""
    arena = arrays.arena.entries
    masks = arrays.arena.masks
    keys = arrays.arena.keys
    options = arrays.options
    counters = arrays.counters
    table = arrays.table
    mode = options[work.MODE]
    top = counters[work.ARENA_TOP]
    for p in range(base, top):
        h = masks[p, at.H]
        u = masks[p, at.U]
        two = (
            arena[p, at.HI] - arena[p, at.LO] == 2
            and mode != work.OPEN_SUNK
            and options[work.BOUNDS] == 1
        )
        if h != u and not two:
            key_part(p, ids, depth + 1, arrays)
            child_limit = fewer if arena[p, at.MISSED] == 1 else miss_limit
            prefetch(table, first_slot(table, keys[p], child_limit))
    for p in range(base, top):
        if arena[p, at.SYMMETRY] != at.NO_KEY:
            child_limit = fewer if arena[p, at.MISSED] == 1 else miss_limit
            low = known_bound(keys[p], child_limit, arrays)
            if low > arena[p, at.LEAST]:
                value = value_with_part(p, value, low, options[work.GOAL], arrays.arena)
    return value


@kernel
def try_miss(c, sub, limit, depth, arrays):
    """Bound on the value of a shot from its column, before any row moves; and U after a miss.

    U is ZERO where it is not known without a look at the rows.
    """
    options = arrays.options
    goal = goal_of(sub.miss_limit, options)
    then = goal_of(sub.fewer, options)
    counts = arrays.counts[depth]
    hits = counts[at.ROWS, c]
    hit_weight = counts[at.WEIGHT, c]
    misses = sub.n - hits
    missed = sub.weight - hit_weight
    after = max(
        column_bound(misses, missed, c, sub, counts, then, arrays),
        size_bound(misses, missed, sub.state, sub.ways, sub.cells, then, arrays),
    )
    # A layout that is hit has its first letter: one cell less to spell.
    other = size_bound(hits, hit_weight, UNKNOWN, sub.ways, sub.cells - 1, goal, arrays)
    value = both_values(missed, other, after, goal)
    left = ZERO
    closed = options[work.MODE] == work.CLOSED_SUNK
    if value < limit and closed and is_simple_miss(c, sub.n, sub.count, counts):
        unknown = sub.occupied & ~sub.certain
        left = occupied_after_miss(c, sub.occupied, unknown, arrays.together[depth])
        if options[work.LOOKAHEAD] == 1:
            key = arrays.key[depth + 1]
            make_closed_key(sub.certain, left, arrays.game.full[0], arrays.keys, key)
            after = max(after, known_bound(key[0], sub.fewer, arrays))
            value = both_values(missed, other, after, goal)
    return value, left


@kernel
def smaller_first(base, fewer, arrays):
    """Sort the parts from ``base`` on by rows, and note which are known: those of one occupancy.

    And those that are lost. Returns how many are not known. To know small ones exactly is cheap.
    """
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    unknown = 0
    for p in range(base, arrays.counters[work.ARENA_TOP]):
        known = masks[p, at.H] == masks[p, at.U] or (fewer < 0 and entries[p, at.MISSED] == 1)
        entries[p, at.KNOWN] = known
        unknown += not known
        settle_by_rows(p, base, arrays.arena)
    return unknown


@kernel
def is_part_busy(base, miss_limit, fewer, arrays):
    """Whether another thread is busy with one of the parts from ``base`` on."""
    entries = arrays.arena.entries
    for p in range(base, arrays.counters[work.ARENA_TOP]):
        if (
            entries[p, at.SYMMETRY] != at.NO_KEY
            and entries[p, at.HI] - entries[p, at.LO] >= BUSY_ROWS
        ):
            limit = fewer if entries[p, at.MISSED] == 1 else miss_limit
            if is_busy(arrays.busy, mark_of(arrays.arena.keys[p], limit)):
                return True
    return False


# What the parts are asked for, to refute a shot. It is refuted once its value, the misses at once
# and those of every part, reaches the limit. Which part contributes how much is free. To ask the
# smallest for all that is lacking has it solved exactly: wasted work where the larger ones would
# have given that with ease, as what it takes to raise a lower bound grows fast with the rise. So
# each is first asked whether it has one miss more than its bound, which often raises that by
# several for next to nothing. What is still lacking is then split in proportion to the misses known
# of each. One that has less is known exactly by then, and the others split the rest.


PROBES_OF_ANSWER = 2
"""Times that a sub-table is asked for one miss more, before what is lacking is shared."""


@kernel
def is_shared(n, limit, options):
    """Whether what a sub-table lacks of the limit is shared among the answers to a shot.

    n, limit : int64, rows of the sub-table, and misses below which the shot would be better
    options : int64 (OPTIONS,)
    """
    least = options[work.SPLIT_ROWS]
    return (
        0 < least <= n
        and limit < work.INFEASIBLE
        and options[work.GOAL] != work.WORST
        and options[work.BUDGETS] == 1
    )


@kernel
def share_of(known, n):
    """Part of what is lacking for which a sub-table is asked, in proportion to the others' parts.

    Rather less for one of many rows: there the same rise takes more work.

    known, n : int64, lower bound on its misses and number of its rows
    """
    bits = 0
    while n > 0:
        n >>= 1
        bits += 1
    return 64 * (known + 1) // bits


@kernel
def sum_of_shares(base, top, arena):
    """Sum of the shares of all entries whose value is not known.

    base, top : int64, the range of entries; arena : Arena
    """
    shares = 0
    for p in range(base, top):
        if arena.entries[p, at.KNOWN] == 0:
            n = arena.entries[p, at.HI] - arena.entries[p, at.LO]
            shares += share_of(arena.entries[p, at.LEAST], n)
    return shares


@kernel
def misses_asked(turn, known, lacking, share, shares):
    """Budget of a sub-table, its lower bound and a part of what is lacking.

    turn : int64, how often it has been asked before; known : int64, the lower bound
    lacking : int64, above 0; share, shares : int64, from ``share_of``: its own, and the sum for
    all that are asked from here on, it included
    """
    if turn < PROBES_OF_ANSWER:
        return known + 1
    if share == shares:
        return known + lacking
    return known + 1 + np.int64(lacking * (share / shares))


@kernel
def is_shown(n, arrays):
    """Whether other threads are shown that this one is busy with a sub-table."""
    return arrays.busy.shape[0] > 0 and n >= BUSY_ROWS and arrays.options[work.LOOKAHEAD] == 1


@kernel
def try_shot(c, q, sub, misses, limit, depth, arrays):
    """Bound on the value of a shot before any row moves; and U after a miss, ZERO if not known."""
    if misses > 0 and sub.fewer < 0 and arrays.options[work.GOAL] == work.TOTAL:
        return UNLIMITED, ZERO
    if arrays.options[work.MODE] == work.PLAIN:
        return try_both(c, q, sub, limit, depth, arrays), ZERO
    if arrays.options[work.BOUNDS] == 0 or misses == 0 or sub.due:
        return 0, ZERO
    return try_miss(c, sub, limit, depth, arrays)


@kernel
def bound_at_once(ids, lo, n, certain, shot, weight, miss_limit, arrays):
    """What is known of a sub-table from its size; INFEASIBLE where that rules the miss limit out.

    Returns the bound, the sequences of hits and sinkings left (0 where they are not counted), the
    ship cells left, and the state of what was hit.
    """
    game = arrays.game
    options = arrays.options
    mode = options[work.MODE]
    goal = goal_of(miss_limit, options)
    hit = shot if mode == work.OPEN_SUNK else certain
    row = ids[lo]
    cells = popcount(game.occupied_by[row] & ~hit)
    bound = ways = 0
    state = UNKNOWN
    if options[work.BOUNDS] == 1:
        # No shot at several occupancies is for free.
        if mode != work.OPEN_SUNK and goal <= work.WORST:
            bound = 1 if goal == work.WORST else options[work.LIGHTEST]
        ways = patterns_left(row, hit, game.ships, game.lengths, mode, arrays.patterns)
        state = state_of_rows(row, n, certain, mode, arrays.coverage)
        if (
            limits_misses(miss_limit)
            and goal == work.TOTAL
            and (
                (miss_limit == 0 and mode != work.OPEN_SUNK)
                or size_bound(n, weight, state, ways, cells, work.WORST, arrays) > miss_limit
            )
        ):
            bound = work.INFEASIBLE
        else:
            bound = max(bound, size_bound(n, weight, state, ways, cells, goal, arrays))
    return bound, ways, cells, state


@kernel
def count_columns(ids, lo, hi, certain, occupied, depth, arrays):
    """Count the columns of a segment; returns how many are listed for bounds."""
    options = arrays.options
    counts = arrays.counts[depth]
    unknown = occupied & ~certain
    if options[work.MODE] != work.PLAIN:
        return count_cells(ids, lo, hi, unknown, depth, arrays)
    count_and_close(ids, lo, hi, certain, occupied, is_weighted(options), depth, arrays)
    if options[work.GOAL] == work.LOST:
        return list_falling(unknown, at.BY_ROWS, at.WEIGHT, counts)
    if options[work.BOUNDS] == 1 and options[work.COVERAGE] == 1 and hi - lo >= COLUMN_ROWS:
        return list_columns(hi - lo, unknown, counts)
    return 0


@kernel
def bound_by_columns(sub, depth, arrays):
    """What is known of a sub-table from its columns; INFEASIBLE as in ``bound_at_once``.

    Where certain hits are due they may part the rows for free, so that columns bound nothing.
    """
    options = arrays.options
    counts = arrays.counts[depth]
    if options[work.BOUNDS] == 0 or sub.due or sub.count == 0:
        return 0
    goal = goal_of(sub.miss_limit, options)
    if (
        options[work.MODE] != work.PLAIN
        and limits_misses(sub.miss_limit)
        and goal == work.TOTAL
        and miss_path_bound(sub.n, sub.weight, -1, sub.count, counts, work.WORST) > sub.miss_limit
    ):
        return work.INFEASIBLE
    return column_bound(sub.n, sub.weight, -1, sub, counts, goal, arrays)


@kernel
def part_rows(ids, lo, hi, c, shot, sub, left, missed, reveal, depth, arrays):
    """Part the rows of a segment by a shot; returns 0, or STOP (arena full).

    left : mask, U after a miss where that is known, else ZERO
    reveal : mask, the cells that are revealed in the turn REVEAL, else ZERO
    """
    if reveal != ZERO:
        return part_revealed(ids, lo, hi, reveal, arrays)
    if arrays.options[work.MODE] == work.PLAIN:
        return part_both(ids, lo, hi, c, sub.weight, depth, arrays)
    if left != ZERO:
        return partition_after_miss_known(ids, lo, hi, c, sub.certain, left, missed, arrays)
    return partition_by_answers(ids, lo, hi, c, shot, arrays)


@kernel
def bound_shot(ids, base, missed, misses, value, miss_limit, fewer, depth, arrays):
    """Bound on the value of a shot from its parts, and from what the table knows of them.

    value : int64, what is known without them: in mode ``hit`` all there is
    """
    options = arrays.options
    if options[work.MODE] == work.PLAIN:
        return value
    value = bound_parts(ids, base, missed, miss_limit, fewer, arrays)
    if options[work.LOOKAHEAD] == 1:
        value = look_up_parts(ids, base, value, miss_limit, fewer, depth, arrays)
    if options[work.GOAL] == work.WORST and misses > 0:
        value = max(value, 1)
    return value


@kernel
def room_of_part(p, value, limit, goal, arena):
    """Misses below which a part leaves the value of the shot below the limit."""
    if goal == work.WORST:
        return limit - arena.entries[p, at.MISSED]
    return limit - (value - arena.entries[p, at.LEAST])


@kernel
def value_with_part(p, value, least, goal, arena):
    """Value of the shot once a part has these misses at least; notes them."""
    before = arena.entries[p, at.LEAST]
    arena.entries[p, at.LEAST] = least
    if goal == work.WORST:
        return max(value, least + arena.entries[p, at.MISSED])
    return value + least - before


@part_of_kernel
def ask_parts(ids, base, n, value, worst, limit, miss_limit, fewer, depth, arrays):
    """Ask the parts from ``base`` on until the shot is refuted or the value of each is known.

    Returns the value of the shot, or STOP, and its worst case.

    value, worst : int64, what is known of them
    limit : int64, misses from which on the shot is refuted
    """
    arena = arrays.arena
    entries = arena.entries
    masks = arena.masks
    options = arrays.options
    goal = options[work.GOAL]
    key = arrays.key[depth + 1]
    top = arrays.counters[work.ARENA_TOP]
    left = smaller_first(base, fewer, arrays)
    shared = is_shared(n, limit, options)
    turn = 0
    while left > 0 and value < limit:
        shares = sum_of_shares(base, top, arena) if shared else 0
        for p in range(base, top):
            if entries[p, at.KNOWN] == 1:
                continue
            room = room_of_part(p, value, limit, goal, arena)
            if shared and left > 1:
                least = entries[p, at.LEAST]
                share = share_of(least, entries[p, at.HI] - entries[p, at.LO])
                room = misses_asked(turn, least, room - least, share, shares)
                shares -= share
            child_limit = fewer if entries[p, at.MISSED] == 1 else miss_limit
            lo = entries[p, at.LO]
            hi = entries[p, at.HI]
            answer = value_of_few(ids, lo, hi - lo, child_limit, arrays)
            if answer == UNSOLVED:
                for word in range(key.shape[1]):
                    key[0, word] = arena.keys[p, word]
                answer = minimize(
                    ids, lo, hi, masks[p, at.H], masks[p, at.U], masks[p, at.K],
                    entries[p, at.ENTRY_WEIGHT], room, child_limit, depth + 1,
                    entries[p, at.SYMMETRY], arrays,
                )  # fmt: skip
            if answer == work.STOP:
                value = work.STOP
                left = 0
                break
            worst = max(worst, (answer & 127) + entries[p, at.MISSED])
            value = value_with_part(p, value, answer >> 7, goal, arena)
            if value >= limit:
                break
            if answer >> 7 < room:
                entries[p, at.KNOWN] = 1
                left -= 1
        turn += 1
    return value, worst


@kernel
def keep(value, worst, exact, choice, miss_limit, symmetry, key, arrays):
    """Enter what was proven; False where the table is full.

    choice : int64, cell of the best shot, -1 for none
    """
    image = arrays.keys.moves[symmetry, choice] if choice >= 0 else NO_SHOT
    packed = pack(value, worst, exact, image, miss_limit)
    return enter(arrays.table, key, packed, arrays.counters)


@kernel
def look_up_segment(
    ids, lo, hi, certain, occupied, shot, miss_limit, bound, budget, every, depth, symmetry, arrays
):  # fmt: skip
    """What the table knows of a segment: a search value where that settles it, else UNSOLVED.

    Returns also its lower bound and the symmetry of its key, which is made.
    """
    key = arrays.key[depth]
    if symmetry == at.NO_KEY:
        symmetry = make_key(ids, lo, hi, certain, occupied, shot, depth, arrays)
    packed = packed_of(key[0], miss_limit, arrays)
    if packed == EMPTY:
        return UNSOLVED, bound, symmetry
    if is_exact(packed) and not every:
        if depth == 0:
            arrays.counters[work.SHOT] = shot_of(packed, symmetry, arrays.keys.moves)
        return value_of(packed), bound, symmetry
    bound = max(bound, misses_of(packed))
    return bound << 7 if bound >= budget else UNSOLVED, bound, symmetry


@kernel
def limit_of(budget, best, every, options):
    """Misses from which on a shot is refuted."""
    if options[work.BUDGETS] == 0:
        return UNLIMITED
    return min(budget, best + 1 if every else best)


@kernel
def conclude(
    best, worst, choice, shots, bound, refuted, budget, miss_limit, searched, symmetry, depth,
    arrays,
):  # fmt: skip
    """The search value that the shots leave, which is kept; STOP where the table is full.

    best, worst : int64, least misses of a shot, and its worst case
    choice, shots : int64 and mask, a shot of so many misses, and all of them
    refuted : int64, least bound of the other shots
    searched : bool, whether any shot was looked at
    """
    exact = best < budget
    if not exact and bound < budget:
        bound = max(bound, min(min(refuted, best), work.INFEASIBLE))
    if depth == 0:
        arrays.counters[work.SHOT] = choice
        arrays.best[0] = shots
    found = best if exact else bound
    worst = worst if exact else 0
    if searched and not keep(
        found, worst, exact, choice, miss_limit, symmetry, arrays.key[depth, 0], arrays
    ):
        return work.STOP
    return found << 7 | worst


@kernel
def minimize(
    ids, lo, hi, certain, occupied, shot, weight, budget, miss_limit, depth, symmetry, arrays
):  # fmt: skip
    """Least misses of a segment's sub-table: a search value, or STOP.

    What it put on the arena is taken off again before it returns.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : masks, its H and U
    shot : mask, cells hit so far (open mode); weight : int64, sum of its weights, below 2^41
    budget : int64, misses; below it the value is exact
    miss_limit : int64; WORST_CASE exactly when options[GOAL] is WORST; a number when it is LOST,
        -1 where no miss is left
    depth : int64, level of the recursion: 0 leaves the best shot in counters[SHOT], or all of them
        in arrays.best where options[EVERY_SHOT] is 1
    symmetry : int64, what ``make_key`` returned for the segment, whose key is arrays.key[depth, 0];
        or NO_KEY
    arrays : SearchArrays; table, arena, scratch from level ``depth`` on, and counters modified
    """
    if miss_limit < 0:
        return weight << 7
    if certain == occupied:
        return 0
    n = hi - lo
    if depth > 0:
        value = value_of_few(ids, lo, n, miss_limit, arrays)
        if value != UNSOLVED:
            return value
    options = arrays.options
    counters = arrays.counters
    mode = options[work.MODE]
    every = depth == 0 and options[work.EVERY_SHOT] == 1  # best shots are sought, not one of them
    if mode == work.OPEN_SUNK and depth > 0:
        shot |= settled_ships(ids, lo, hi, certain, shot, arrays.game.ships)
    bound, ways, cells, state = bound_at_once(ids, lo, n, certain, shot, weight, miss_limit, arrays)
    if bound >= budget:
        return bound << 7
    value, bound, symmetry = look_up_segment(
        ids, lo, hi, certain, occupied, shot, miss_limit, bound, budget, every, depth, symmetry,
        arrays,
    )  # fmt: skip
    if value != UNSOLVED:
        return value
    key = arrays.key[depth]
    if not spend(n, counters):
        return work.STOP
    fewer = after_miss(miss_limit)
    due = mode == work.OPEN_SUNK and (certain & ~shot) != ZERO
    count = count_columns(ids, lo, hi, certain, occupied, depth, arrays)
    sub = SubTable(n, weight, certain, occupied, ways, cells, state, due, miss_limit, fewer, count)
    bound = max(bound, bound_by_columns(sub, depth, arrays))
    if bound >= budget:
        if mode == work.PLAIN and not keep(
            bound, 0, False, -1, miss_limit, symmetry, key[0], arrays
        ):
            return work.STOP
        return bound << 7
    sharing = is_shown(n, arrays)
    mark = ZERO
    if sharing:
        mark = mark_of(key[0], miss_limit)
        begin(arrays.busy, mark)
    candidates, refuted = order_shots(ids[lo], sub, shot, budget, every, depth, arrays)
    make_child_keys(sub, candidates, depth, arrays)
    revealed, seed = cells_revealed(ids, lo, hi, certain, occupied, arrays)
    counts = arrays.counts[depth]
    searched = mode != work.PLAIN
    best = work.INFEASIBLE
    best_worst = 0
    choice = -1
    shots = ZERO
    base = counters[work.ARENA_TOP]
    deferred = ZERO  # shots put off, as another thread is busy with what follows them
    last = 2 * candidates if sharing else candidates
    for turn in range(0 if revealed == ZERO else REVEAL, last):
        limit = limit_of(budget, best, every, options)
        if bound >= limit:
            break
        q = turn - candidates if turn >= candidates else turn
        if turn >= candidates and (deferred >> np.uint64(q)) & ONE == ZERO:
            continue
        c = counts[at.ORDER, max(0, q)]
        misses = n - counts[at.ROWS, c]
        missed = weight - counts[at.WEIGHT, c]
        reveal = ZERO
        if turn == REVEAL:
            reveal = revealed
            misses = 0
            missed = misses_revealed(ids, lo, hi, revealed, seed, arrays)
        value, left = try_shot(c, q, sub, misses, limit, depth, arrays)
        # In the turn REVEAL q is no shot, and ``searched`` is true, as the mode is not ``hit``.
        searched = searched or counts[at.SHOT_BOUND, q] < limit
        if value >= limit:
            refuted = min(refuted, value)
            continue
        counters[work.ARENA_TOP] = base
        parted = part_rows(ids, lo, hi, c, shot, sub, left, missed, reveal, depth, arrays)
        if parted == work.STOP:
            counters[work.ARENA_TOP] = base
            return work.STOP
        value = bound_shot(ids, base, missed, misses, value, miss_limit, fewer, depth, arrays)
        if value < limit:
            if sharing and 0 < turn < candidates and is_part_busy(base, miss_limit, fewer, arrays):
                deferred |= bit_of(q, certain)
                continue
            worst = 1 if misses > 0 else 0
            value, worst = ask_parts(
                ids, base, n, value, worst, limit, miss_limit, fewer, depth, arrays
            )
            if value == work.STOP:
                counters[work.ARENA_TOP] = base
                return work.STOP
        if turn == REVEAL:
            bound = max(bound, min(value, work.INFEASIBLE))
        elif value < min(limit, best):
            best = value
            best_worst = worst
            choice = c
            shots = bit_of(c, certain)
        elif value == best:
            shots |= bit_of(c, certain)
        else:
            refuted = min(refuted, value)
    counters[work.ARENA_TOP] = base
    counters[work.NODES] += searched
    if sharing:
        finish(arrays.busy, mark)
    return conclude(
        best, best_worst, choice, shots, bound, refuted, budget, miss_limit, searched, symmetry,
        depth, arrays,
    )  # fmt: skip
