"""The recurrence of ``within``, compiled: least weight lost with some misses left.

Arrays and scalars only. Parameters that the kernels share: ``left``, int64, misses still allowed,
-1 where there are none; ``n`` and ``weight``, int64, rows of a segment and the sum of their
weights; ``arrays``, SearchArrays. A segment is as in ``minimize``.
"""

from __future__ import annotations

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    bit_of,
    kernel,
    lowest_bit,
    popcount,
    recursive_kernel,
)
from seabattle.solver.search.answers import (
    count_cells,
    is_dominated,
    partition_by_answers,
)
from seabattle.solver.search.arrays import (
    BY_WEIGHT,
    ENTRY_WEIGHT,
    HI,
    LEAST,
    LO,
    MISSED,
    ORDER,
    WEIGHT,
    H,
    K,
    SearchArrays,
    U,
)
from seabattle.solver.search.keys import make_key
from seabattle.solver.search.table import (
    EMPTY,
    NO_SHOT,
    enter,
    is_exact,
    look_up,
    misses_of,
    pack,
    shot_of,
)
from seabattle.solver.search.work import (
    ANNOUNCED,
    ARENA_TOP,
    BOUNDS,
    DOMINANCE,
    HEAVIEST,
    LIGHTEST,
    MODE,
    NODES,
    OPEN_SUNK,
    PLAIN,
    SHOT,
    STOP,
    spend,
)


@kernel
def lost_at_once(n, weight, certain, occupied, row, left, arrays):
    """Lower bound on what is lost, from the size alone; exact where no shot is needed or allowed.

    certain, occupied : uint64, H and U; row : uint64, cells of any row
    """
    options = arrays.options
    if left < 0:
        return weight
    if certain == occupied or options[MODE] != PLAIN or options[BOUNDS] == 0:
        return 0
    words = arrays.reach[popcount(row) - popcount(certain), left]
    if words >= n:
        return 0
    return max((n - words) * options[LIGHTEST], weight - words * options[HEAVIEST])


@kernel
def lost_by_columns(weight, certain, row, count, left, counts, arrays):
    """The same from the largest columns, which ``count_cells`` has listed; count : int64."""
    options = arrays.options
    cells = popcount(row) - popcount(certain) - 1  # in question after a hit
    finished = 0
    for i in range(min(count, left + 1)):
        column = counts[WEIGHT, counts[BY_WEIGHT, i]]
        if options[MODE] == PLAIN:
            column = min(column, options[HEAVIEST] * arrays.reach[cells, left - i])
        finished += column
    return max(0, weight - finished)


@kernel
def list_shots(certain, occupied, shot, count, counts, together, options):
    """List the cells worth a shot in plane ORDER, those of most weight first: their number.

    Where certain hits tell something they are among them, first of all.
    """
    unknown = occupied & ~certain
    dominance = options[DOMINANCE] == 1 and options[MODE] != OPEN_SUNK
    candidates = 0
    due = certain & ~shot if options[MODE] == OPEN_SUNK else ZERO
    while due != ZERO:
        counts[ORDER, candidates] = lowest_bit(due)
        due &= due - ONE
        candidates += 1
    for i in range(count):
        c = counts[BY_WEIGHT, i]
        alike = together[c] & unknown & ~bit_of(c, unknown)
        if not (dominance and is_dominated(c, alike, counts)):
            counts[ORDER, candidates] = c
            candidates += 1
    return candidates


@kernel
def bound_parts(base, ids, left, arrays):
    """Fill in what the parts of the arena from ``base`` on lose at least; their sum."""
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    value = 0
    for p in range(base, arrays.counters[ARENA_TOP]):
        entries[p, LEAST] = lost_at_once(
            entries[p, HI] - entries[p, LO], entries[p, ENTRY_WEIGHT], masks[p, H], masks[p, U],
            arrays.game.occupied_by[ids[entries[p, LO]]], left - entries[p, MISSED], arrays,
        )  # fmt: skip
        value += entries[p, LEAST]
    return value


@recursive_kernel(
    "int64(int32[::1], int64, int64, uint64, uint64, uint64, int64, int64, int64, int64,"
    "SearchArrays)",
    SearchArrays,
)
def least_lost(ids, lo, hi, certain, occupied, shot, weight, budget, left, depth, arrays):
    """Least weight that a segment's sub-table loses, or STOP.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    shot : uint64, cells hit so far (open mode); weight : int64, sum of its weights
    budget : int64, weight; below it the value is exact, otherwise a lower bound
    depth : int64, level of the recursion; 0 leaves the best shot in counters[SHOT]
    arrays : SearchArrays; table, arena, scratch from level ``depth`` on, and counters modified
    """
    game = arrays.game
    options = arrays.options
    counters = arrays.counters
    n = hi - lo
    row = game.occupied_by[ids[lo]]
    bound = lost_at_once(n, weight, certain, occupied, row, left, arrays)
    if certain == occupied or left < 0 or bound >= budget:
        return bound
    mode = options[MODE]
    full = game.full[0]
    counts = arrays.counts[depth]
    key = arrays.key[depth]
    symmetry = make_key(
        ids, lo, hi, certain, occupied, shot, mode, full, arrays.keys, game.ships, game.lengths,
        counts, key,
    )  # fmt: skip
    packed = look_up(arrays.table, key[0], left)
    if packed != EMPTY:
        bound = max(bound, misses_of(packed))
        if is_exact(packed) or bound >= budget:
            if depth == 0:
                counters[SHOT] = shot_of(packed, symmetry, arrays.keys.moves)
            return bound
    if not spend(n, counters):
        return STOP
    together = arrays.together[depth]
    count = count_cells(
        ids, lo, hi, game.occupied_by, game.weights, occupied & ~certain, full, counts, together
    )
    if mode != OPEN_SUNK or (certain & ~shot) == ZERO:
        bound = max(bound, lost_by_columns(weight, certain, row, count, left, counts, arrays))
    if bound >= budget:
        return bound
    candidates = list_shots(certain, occupied, shot, count, counts, together, options)
    counters[NODES] += 1
    base = counters[ARENA_TOP]
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    best = budget
    choice = -1
    refuted = weight
    for q in range(candidates):
        if bound >= best:
            break
        c = counts[ORDER, q]
        counters[ARENA_TOP] = base
        if (
            partition_by_answers(
                ids, lo, hi, c, shot, game, mode, options[ANNOUNCED] == 1, full, arrays.arena,
                counters,
            )
            == STOP
        ):  # fmt: skip
            counters[ARENA_TOP] = base
            return STOP
        value = bound_parts(base, ids, left, arrays)
        for p in range(counters[ARENA_TOP] - 1, base - 1, -1):  # what a miss leaves comes last
            if value >= best:
                break
            least = entries[p, LEAST]
            answer = least_lost(
                ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], masks[p, K],
                entries[p, ENTRY_WEIGHT], best - (value - least), left - entries[p, MISSED],
                depth + 1, arrays,
            )  # fmt: skip
            if answer == STOP:
                counters[ARENA_TOP] = base
                return STOP
            value += answer - least
        if value < best:
            best = value
            choice = c
        else:
            refuted = min(refuted, value)
    counters[ARENA_TOP] = base
    exact = best < budget
    found = best if exact else max(bound, refuted)
    if depth == 0:
        counters[SHOT] = choice
    image = arrays.keys.moves[symmetry, choice] if choice >= 0 else NO_SHOT
    if not enter(arrays.table, key[0], pack(found, 0, exact, image, left), counters):
        return STOP
    return found
