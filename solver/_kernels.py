"""Compiled loops of the search in answer mode ``hit``. Arrays and scalars only.

Words used here: a *segment* is a range ``lo:hi`` of ``rows``, the sub-table at hand; it is
partitioned in place, so a sub-table's two children are its two halves and no row is ever copied.
``certain`` (H) is the mask of the cells every row of the segment occupies, ``occupied`` (U) of the
cells some row occupies; H and the complement of U are the closed key. ``ships`` (h) is the number
of ship cells not certain yet, the same in every row.

A search value is one int64, ``misses << 7 | worst``: exact when its misses are below the budget
(``worst`` then is the worst case of the tree found), else a proven lower bound with ``worst`` 0.
``STOP`` is returned through all levels when the table is full or the allowance is used up; all
that was proven so far is in the table, so calling again goes on where it stopped.

The table is uint64 ``(capacity, 2)``, or ``(capacity, 3)`` with two-word keys: key word 0, packed
value, key word 1. Packed: misses (42 bits), exact (1), shot in the key's orientation (7), worst
(7), tag (7). The tag tells the questions about one sub-table apart: the number of misses still
allowed on any path, ``UNLIMITED``, or ``WORST_CASE``. Totals stay below 2^41 by validation.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate._compile import ONE, ZERO, kernel, lowest_bit, popcount, recursive_kernel

INFEASIBLE = 1 << 41
UNLIMITED = 127
WORST_CASE = 126
STOP = -1
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
BYTE = np.uint64(255)
EIGHT = np.uint64(8)

# Places in ``options``.
FULL_BOARD = 0
OBJECTIVE = 1
BOUNDS = 2
CACHE = 3
ORDERING = 4
DOMINANCE = 5
LOOKAHEAD = 6
BUDGETS = 7
LIGHTEST = 8
HEAVIEST = 9
EXACT_ROWS = 10
OPTIONS = 11

# Places in ``counters``.
STATES = 0
NODES = 1
CAPACITY = 2
ALLOWANCE = 3
STATUS = 4
SHOT = 5
BOUNDED = 6
PROBES = 7
COUNTERS = 8

FULL_TABLE = 1
ALLOWANCE_USED = 2


@kernel
def key_under(certain, water, orbits, two_words, g):
    """Key words of a sub-table moved by symmetry g; see ``canonical_key``."""
    low = ZERO
    high = ZERO
    for b in range(orbits.shape[0]):
        if two_words:
            low |= orbits[b, certain & BYTE, g]
            high |= orbits[b, water & BYTE, g]
        else:
            low += orbits[b, certain & BYTE, g] + (orbits[b, water & BYTE, g] << ONE)
        certain >>= EIGHT
        water >>= EIGHT
    return low, high


@kernel
def key_of_eight(certain, water, orbits):
    """``canonical_key`` for one-word keys and 8 symmetries: all images side by side.

    The shares of one byte under the 8 symmetries are neighbours in memory, so that the sums below
    become a few vector additions; this is the innermost loop of the search. Modifies nothing.
    """
    a = ZERO
    b = ZERO
    c = ZERO
    d = ZERO
    e = ZERO
    f = ZERO
    g = ZERO
    h = ZERO
    for byte in range(orbits.shape[0]):
        hits = orbits[byte, certain & BYTE]
        misses = orbits[byte, water & BYTE]
        a += hits[0] + (misses[0] << ONE)
        b += hits[1] + (misses[1] << ONE)
        c += hits[2] + (misses[2] << ONE)
        d += hits[3] + (misses[3] << ONE)
        e += hits[4] + (misses[4] << ONE)
        f += hits[5] + (misses[5] << ONE)
        g += hits[6] + (misses[6] << ONE)
        h += hits[7] + (misses[7] << ONE)
        certain >>= EIGHT
        water >>= EIGHT
    best = min(min(min(a, b), min(c, d)), min(min(e, f), min(g, h)))
    symmetry = 7
    if best == a:
        symmetry = 0
    elif best == b:
        symmetry = 1
    elif best == c:
        symmetry = 2
    elif best == d:
        symmetry = 3
    elif best == e:
        symmetry = 4
    elif best == f:
        symmetry = 5
    elif best == g:
        symmetry = 6
    return best, ZERO, symmetry


@kernel
def canonical_key(certain, water, orbits, two_words):
    """Least key of a sub-table over its orbit, with the symmetry that gives it.

    certain, water : uint64 masks of the cells in all rows and in none
    orbits : uint64 (bytes, 256, n_symmetries): for one-word keys the sum of 3^image over the
        set bits of a byte, so that a key is the board in base 3 (0 unknown, 1 certain, 2 water;
        at most 40 cells, 3^40 < 2^64); for two-word keys the mask of the images
    Returns (key word 0, key word 1, symmetry). Modifies nothing.
    """
    if orbits.shape[2] == 8 and not two_words:
        return key_of_eight(certain, water, orbits)
    best, second = key_under(certain, water, orbits, two_words, 0)
    symmetry = 0
    for g in range(1, orbits.shape[2]):
        low, high = key_under(certain, water, orbits, two_words, g)
        if low < best or (low == best and high < second):
            best = low
            second = high
            symmetry = g
    return best, second, symmetry


@kernel
def find_slot(table, word, second, tag):
    """Place of a key with its tag in the table, or the empty place where it would go.

    table : uint64 (capacity, 2 or 3), capacity a power of 2 with room to spare
    """
    wide = table.shape[1] == 3
    last = np.uint64(table.shape[0] - 1)
    mixed = word ^ (np.uint64(tag) << np.uint64(57))
    if wide:
        mixed ^= second * np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    slot = mixed & last
    while True:
        packed = table[slot, 1]
        if packed == EMPTY:
            return np.int64(slot)
        if (
            table[slot, 0] == word
            and np.int64(packed & np.uint64(127)) == tag
            and (not wide or table[slot, 2] == second)
        ):
            return np.int64(slot)
        slot = (slot + ONE) & last


@kernel
def rehash(old, new):
    """Move every entry of one table into a larger, empty one. Returns how many there are.

    old, new : uint64 (capacity, 2 or 3); new is modified
    """
    moved = 0
    for i in range(old.shape[0]):
        packed = old[i, 1]
        if packed != EMPTY:
            second = old[i, 2] if old.shape[1] == 3 else ZERO
            slot = find_slot(new, old[i, 0], second, np.int64(packed & np.uint64(127)))
            for w in range(old.shape[1]):
                new[slot, w] = old[i, w]
            moved += 1
    return moved


@kernel
def counting_bound(rows, weight, ships, lightest, heaviest, objective, lower, reach):
    """Lower bound on the misses of a sub-table from its size alone.

    With k misses or fewer and h ship cells undetermined at most reach = C(k + h, k) occupancies
    can be told apart (a path is a word of at most k misses and h hits). So in the worst case the
    first k with reach >= rows is needed; and in total, for every k, all rows but ``reach`` miss
    more than k times. With weights those rows weigh at least (rows - reach) * lightest and at
    least weight - reach * heaviest.

    lower : int64 (h + 1, m), the total for up to m - 1 rows of weight 1
    reach : int64 (64, 65), reach[h, k] = C(k + h, k), at most 2^40
    Modifies nothing; the result is at most rows * misses * heaviest < 2^41.
    """
    if objective == 1:
        k = 0
        while reach[ships, k] < rows:
            k += 1
        return k
    # With r = reach < rows: max((rows - r) * lightest, weight - r * heaviest)
    # = (rows - r) * lightest + max(0, excess - r * spread); the first part is tabulated.
    excess = weight - rows * lightest
    spread = heaviest - lightest
    tabulated = rows < lower.shape[1]
    total = lightest * lower[ships, rows] if tabulated else 0
    for k in range(reach.shape[1]):
        told = reach[ships, k]
        if told >= rows or (tabulated and excess <= told * spread):
            break
        if not tabulated:
            total += (rows - told) * lightest
        total += max(0, excess - told * spread)
    return total


@kernel
def solve_small(rows, lo, n):
    """Exact value of 1 to 4 rows of equal weight, as ``misses << 7 | worst``.

    2 rows: 1 miss for one of them. 3 rows: a cell in two of them costs 1 + 1, else 2 + 1. 4 rows:
    a cell in three of them whose rows share another cell in two costs 1 + 2; else a cell in two
    or three costs 4; else 3 + 2 + 1. In each case one tree is best in both senses.
    rows : uint64 (n_rows,); lo : first row. Modifies nothing.
    """
    if n == 1:
        return 0
    if n == 2:
        return 1 << 7 | 1
    a = rows[lo]
    b = rows[lo + 1]
    c = rows[lo + 2]
    if n == 3:
        pair = ((a & b) | (a & c) | (b & c)) & ~(a & b & c)
        return (2 << 7 | 1) if pair != ZERO else (3 << 7 | 2)
    d = rows[lo + 3]
    every = a & b & c & d
    ab = a & b
    cd = c & d
    three = ((ab & (c | d)) | (cd & (a | b))) & ~every
    two = (ab | cd | ((a | b) & (c | d))) & ~every
    if two == ZERO:
        return 6 << 7 | 3
    left = three
    while left != ZERO:
        bit = left & (~left + ONE)
        left ^= bit
        if (a & bit) == ZERO:
            x, y, z = b, c, d
        elif (b & bit) == ZERO:
            x, y, z = a, c, d
        elif (c & bit) == ZERO:
            x, y, z = a, b, d
        else:
            x, y, z = a, b, c
        if (((x & y) | (x & z) | (y & z)) & ~(x & y & z)) != ZERO:
            return 3 << 7 | 1
    return 4 << 7 | 2


@kernel
def solve_few(rows, weights, lo, n, allowed):
    """Exact value of 2 or 3 weighted rows, as ``misses << 7 | worst``; see ``solve_small``.

    2 rows: the lighter one misses. 3 rows: a cell of two rows costs the third and the lighter of
    the two; a cell of one row costs the others and the lighter of them, and may take 2 misses.
    Modifies nothing.
    """
    if n == 2:
        return min(weights[lo], weights[lo + 1]) << 7 | 1
    best = INFEASIBLE << 7
    for i in range(3):
        a = rows[lo + i]
        b = rows[lo + (i + 1) % 3]
        c = rows[lo + (i + 2) % 3]
        wa = weights[lo + i]
        wb = weights[lo + (i + 1) % 3]
        wc = weights[lo + (i + 2) % 3]
        if (b & c & ~a) != ZERO:
            best = min(best, (wa + min(wb, wc)) << 7 | 1)
        if allowed >= 2 and (a & ~b & ~c) != ZERO:
            best = min(best, (wb + wc + min(wb, wc)) << 7 | 2)
    return best


@kernel
def sift(rows, weights, lo, hi, certain, occupied, full, ints, masks):
    """Count the columns of a segment and close both children of every undetermined cell.

    rows : uint64 (n_rows,); weights : int64 (n_rows,) or (0,)
    ints : int64 (7, 64), modified: rows (0) and weight (1) that occupy each cell
    masks : uint64 (4, 64), modified: for each cell, certain and occupied cells of the rows that
        occupy it (0, 1) and of those that do not (2, 3)
    """
    weighted = weights.shape[0] > 0
    unknown = occupied & ~certain
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        ints[0, c] = 0
        ints[1, c] = 0
        masks[0, c] = full
        masks[1, c] = ZERO
        masks[2, c] = full
        masks[3, c] = ZERO
    for i in range(lo, hi):
        row = rows[i]
        left = row & unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            ints[0, c] += 1
            if weighted:
                ints[1, c] += weights[i]
            masks[0, c] &= row
            masks[1, c] |= row
        left = unknown & ~row
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            masks[2, c] &= row
            masks[3, c] |= row
    if not weighted:
        left = unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            ints[1, c] = ints[0, c]


@kernel
def partition(rows, weights, lo, hi, cell):
    """Move the rows without ``cell`` to the front of a segment; return where the others begin.

    rows : uint64 (n_rows,), weights : int64 (n_rows,) or (0,): both modified alike
    """
    weighted = weights.shape[0] > 0
    bit = ONE << np.uint64(cell)
    i = lo
    j = hi - 1
    while True:
        while i <= j and (rows[i] & bit) == ZERO:
            i += 1
        while i <= j and (rows[j] & bit) != ZERO:
            j -= 1
        if i > j:
            return i
        swap = rows[i]
        rows[i] = rows[j]
        rows[j] = swap
        if weighted:
            heft = weights[i]
            weights[i] = weights[j]
            weights[j] = heft


@kernel
def is_dominated(cell, alike, ints):
    """Whether another cell is at least as good a shot: every row that occupies ``cell`` has it.

    alike : uint64, the undetermined cells that all rows with ``cell`` occupy, itself left out.
    Of cells with equal columns the first one stays. Modifies nothing.
    """
    while alike != ZERO:
        d = lowest_bit(alike)
        alike &= alike - ONE
        if ints[0, d] > ints[0, cell] or d < cell:
            return True
    return False


@kernel
def known_bound(certain, occupied, full, allowed, table, orbits, counters):
    """What the table knows of a sub-table: a lower bound on its misses, 0 when nothing."""
    word, second, _ = canonical_key(certain, full & ~occupied, orbits, table.shape[1] == 3)
    counters[PROBES] += 1
    packed = table[find_slot(table, word, second, allowed), 1]
    bound = 0 if packed == EMPTY else np.int64(packed >> np.uint64(22))
    if allowed < WORST_CASE:
        packed = table[find_slot(table, word, second, UNLIMITED), 1]
        if packed != EMPTY:
            bound = max(bound, np.int64(packed >> np.uint64(22)))
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
    """Least misses of the segment's sub-table, fail-soft; see the module's text for the value.

    The recurrence: value(S) = 0 for one row, else the least over cells c of
    weight(S without c) + value(S without c) + value(S with c); for the worst case the larger of
    1 + value(S without c) and value(S with c). ``allowed`` is the tag: with a number, only trees
    count that miss no more often than that on any path, and there may be none (INFEASIBLE).

    rows, weights : modified (rows of a segment change places)
    certain, occupied, weight : of the segment; depth : level of the recursion, row of scratch
    table, counters : modified; ints : int64 (levels, 7, 64), masks : uint64 (levels, 4, 64): scratch
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
            packed = table[find_slot(table, word, second, UNLIMITED), 1]
            if packed != EMPTY and np.int64((packed >> np.uint64(7)) & np.uint64(127)) > allowed:
                packed &= ~np.uint64(1 << 21)  # its tree misses too often: only a bound
        if packed != EMPTY:
            if (packed >> np.uint64(21)) & ONE == ONE:
                if depth == 0:
                    image = np.int64((packed >> np.uint64(14)) & np.uint64(127))
                    for c in range(64):
                        if moves[symmetry, c] == image:
                            counters[SHOT] = c
                return np.int64(packed >> np.uint64(22)) << 7 | np.int64(
                    (packed >> np.uint64(7)) & np.uint64(127)
                )
            bound = max(bound, np.int64(packed >> np.uint64(22)))
            if bound >= budget:
                return bound << 7
    counters[ALLOWANCE] -= n
    if counters[ALLOWANCE] < 0:
        counters[STATUS] = ALLOWANCE_USED
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
        fewer = allowed if allowed >= WORST_CASE else allowed - 1
        if fewer < 0:
            continue
        if not searched:
            searched = True
            counters[NODES] += 1
        if options[LOOKAHEAD] == 1 and options[CACHE] == 1:
            if hits > 4:
                on_hit = max(on_hit, known_bound(
                    masks[depth, 0, c], masks[depth, 1, c], full, allowed, table, orbits, counters,
                ))  # fmt: skip
            if n - hits > 4:
                on_miss = max(on_miss, known_bound(
                    masks[depth, 2, c], masks[depth, 3, c], full, fewer, table, orbits, counters,
                ))  # fmt: skip
            value = max(1 + on_miss, on_hit) if objective == 1 else missed + on_hit + on_miss
            if value >= limit:
                refuted = min(refuted, value)
                continue
        mid = partition(rows, weights, lo, hi, c)
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
            if counters[STATES] >= counters[CAPACITY]:
                counters[STATUS] = FULL_TABLE
                return STOP
            counters[STATES] += 1
            table[slot, 0] = word
            if table.shape[1] == 3:
                table[slot, 2] = second
        misses = best if exact else bound
        image = moves[symmetry, shot] if exact and shot >= 0 else 127
        table[slot, 1] = (
            np.uint64(misses) << np.uint64(22)
            | np.uint64(1 if exact else 0) << np.uint64(21)
            | np.uint64(image) << np.uint64(14)
            | np.uint64(best_worst if exact else 0) << np.uint64(7)
            | np.uint64(allowed)
        )
    return best << 7 | best_worst if exact else bound << 7


@kernel
def greedy_shot(n, weight, unknown, rule, ties, ints):
    """Cell a greedy rule shoots: 0 nearest to half the weight, 1 most weight.

    ints : int64 (7, 64) from ``sift``. ties : 0 the first cell in reading order, 1 any of the
    best at random (numba's own generator). Modifies nothing.
    """
    shot = -1
    best = 0
    equal = 0
    while unknown != ZERO:
        c = lowest_bit(unknown)
        unknown &= unknown - ONE
        score = ints[1, c] if rule == 1 else -abs(2 * ints[1, c] - weight)
        if shot < 0 or score > best:
            shot = c
            best = score
            equal = 1
        elif score == best and ties == 1:
            equal += 1
            if np.random.randint(0, equal) == 0:
                shot = c
    return shot


@kernel
def seed_ties(seed):
    """Seed the generator that breaks ties at random in the kernels."""
    np.random.seed(seed)


@kernel
def grow_tree(
    rows,
    weights,
    certain,
    occupied,
    weight,
    policy,
    ties,
    allowed,
    stack,
    stack_masks,
    shots,
    children,
    leaves,
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
    """Emit the tree of a policy, node by node in preorder, the miss branch first.

    policy : 0 greedy half, 1 greedy hits, 2 exact (shots from ``least``), 3 greedy hits, but
        exact where at most options[EXACT_ROWS] rows are left
    stack : int64 (levels + 1, 6), modified: lo, hi, weight, parent edge (2 * parent + answer,
        -1 at the root), misses still allowed, misses so far; stack[levels] holds (height of the
        stack, nodes, total, worst, 0, 0), all 0 at the start.
    stack_masks : uint64 (levels, 2), modified: certain and occupied cells
    shots : int16 (2 * n_rows,), modified: cell of each node, -1 at a leaf
    children : int32 (2 * n_rows, 2), modified: node after a miss, after a hit
    leaves : uint64 (2 * n_rows,), modified: occupancy of a leaf
    Returns the number of nodes, or STOP, after which it can be called again to go on.
    """
    top = stack.shape[0] - 1
    full = np.uint64(options[FULL_BOARD])
    if stack[top, 0] == 0 and stack[top, 1] == 0:
        stack[0, 0] = 0
        stack[0, 1] = rows.shape[0]
        stack[0, 2] = weight
        stack[0, 3] = -1
        stack[0, 4] = allowed
        stack[0, 5] = 0
        stack_masks[0, 0] = certain
        stack_masks[0, 1] = occupied
        stack[top, 0] = 1
    level = stack[top, 0]
    node = stack[top, 1]
    while level > 0:
        lo = stack[level - 1, 0]
        hi = stack[level - 1, 1]
        heft = stack[level - 1, 2]
        edge = stack[level - 1, 3]
        left = stack[level - 1, 4]
        misses = stack[level - 1, 5]
        h = stack_masks[level - 1, 0]
        u = stack_masks[level - 1, 1]
        shot = -1
        counters[ALLOWANCE] -= hi - lo
        if counters[ALLOWANCE] < 0:
            counters[STATUS] = ALLOWANCE_USED
            stack[top, 0] = level
            stack[top, 1] = node
            return STOP
        if hi - lo > 1:
            if policy == 2 or (policy == 3 and hi - lo <= options[EXACT_ROWS]):
                value = least(
                    rows, weights, lo, hi, h, u, heft, INFEASIBLE, left, 0,
                    table, orbits, moves, lower, reach, ints, masks, options, counters,
                )  # fmt: skip
                if value == STOP:
                    stack[top, 0] = level
                    stack[top, 1] = node
                    return STOP
                shot = counters[SHOT]
            else:
                sift(rows, weights, lo, hi, h, u, full, ints[0], masks[0])
                shot = greedy_shot(hi - lo, heft, u & ~h, min(policy, 1), ties, ints[0])
        level -= 1
        shots[node] = shot
        children[node, 0] = -1
        children[node, 1] = -1
        leaves[node] = rows[lo] if shot < 0 else ZERO
        if edge >= 0:
            children[edge >> 1, edge & 1] = node
        if shot < 0:
            stack[top, 2] += heft * misses
            stack[top, 3] = max(stack[top, 3], misses)
        else:
            mid = partition(rows, weights, lo, hi, shot)
            for half in range(2):  # the hit branch goes below the miss branch on the stack
                a = mid if half == 0 else lo
                b = hi if half == 0 else mid
                h = full
                u = ZERO
                part = 0
                for i in range(a, b):
                    h &= rows[i]
                    u |= rows[i]
                    part += weights[i] if weights.shape[0] > 0 else 1
                stack[level, 0] = a
                stack[level, 1] = b
                stack[level, 2] = part
                stack[level, 3] = 2 * node + (1 - half)
                stack[level, 4] = left if half == 0 or left >= WORST_CASE else left - 1
                stack[level, 5] = misses + half
                stack_masks[level, 0] = h
                stack_masks[level, 1] = u
                level += 1
        node += 1
    stack[top, 0] = 0
    stack[top, 1] = node
    return node


@recursive_kernel(
    "int64(uint64[::1], int64[::1], int64, int64, uint64, uint64, int64, uint64[:, ::1],"
    "uint64[:, :, ::1], int64[:, :, ::1], uint64[:, :, ::1], int64[::1], int64[::1], int64[::1])"
)
def walk_graph(
    rows, no_weights, lo, hi, certain, occupied, depth,
    table, orbits, ints, masks, options, counters, totals,
):  # fmt: skip
    """Visit every sub-table reachable from the segment, one per orbit, and count them.

    A sub-table is entered in the table only when all below it were visited, so after STOP
    (table full, allowance used) a new call goes on where this one stopped.
    rows : modified (rows change places); no_weights : int64 (0,)
    table : uint64 (capacity, 2 or 3), modified
    totals : int64 (3,), modified: vertices, edges, orbits
    Returns 0 or STOP.
    """
    full = np.uint64(options[FULL_BOARD])
    n = hi - lo
    two_words = table.shape[1] == 3
    word, second, _ = canonical_key(certain, full & ~occupied, orbits, two_words)
    if table[find_slot(table, word, second, 0), 1] != EMPTY:
        return 0
    counters[ALLOWANCE] -= n
    if counters[ALLOWANCE] < 0:
        counters[STATUS] = ALLOWANCE_USED
        return STOP
    unknown = occupied & ~certain
    if n > 1:
        sift(rows, no_weights, lo, hi, certain, occupied, full, ints[depth], masks[depth])
        left = unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            mid = -1
            for half in range(2):
                h = masks[depth, 2 * half, c]
                u = masks[depth, 2 * half + 1, c]
                key, other, _ = canonical_key(h, full & ~u, orbits, two_words)
                if table[find_slot(table, key, other, 0), 1] != EMPTY:
                    continue
                if mid < 0:
                    mid = partition(rows, no_weights, lo, hi, c)
                a = mid if half == 0 else lo
                b = hi if half == 0 else mid
                done = walk_graph(
                    rows, no_weights, a, b, h, u, depth + 1,
                    table, orbits, ints, masks, options, counters, totals,
                )  # fmt: skip
                if done == STOP:
                    return STOP
    if counters[STATES] >= counters[CAPACITY]:
        counters[STATUS] = FULL_TABLE
        return STOP
    counters[STATES] += 1
    slot = find_slot(table, word, second, 0)
    table[slot, 0] = word
    table[slot, 1] = ZERO
    if two_words:
        table[slot, 2] = second
    fixed = 0  # symmetries that map the sub-table to itself
    symmetries = orbits.shape[2]
    for g in range(symmetries):
        key, other = key_under(certain, full & ~occupied, orbits, two_words, g)
        if key == word and other == second:
            fixed += 1
    size = symmetries // fixed
    totals[0] += size
    totals[1] += 2 * popcount(unknown) * size
    totals[2] += 1
    return 0
