"""Compiled loops of the search where an answer says more than hit or miss.

A *segment* is a range ``lo:hi`` of ``ids``, the rows still possible; a shot parts it, in place,
into one segment per outcome. Three families (``mode``) share one search and differ only in how a
segment is parted and what its key is; ``solver.parted`` gives the proofs.

``CLOSED_SUNK`` (1)  answers hit, miss, sunk where ships are connected groups of cells (contact
    rules none and corners). All certain hits are shot at once; the key is (H, M).
``OPEN_SUNK`` (2)    the same answers where ships may touch at their sides. Nothing is shot at
    once; the key is the set of rows itself, one bit each, and the cells hit.
``NAMED`` (3)        a hit names the ship. All certain hits are shot at once; the key is (H, M)
    and the ship in each cell of H, equal ships numbered in the order of their first cells.

Arrays that every kernel here reads, called *game* below:
    occupied_by : uint64 (n_rows,), cells each row occupies; weights : int64 (n_rows,)
    ships : uint64 (n_rows, n_ships), cells of each ship; lengths : int64 (n_ships,)
    sides : uint64 (64,), for each cell the mask of the cells beside it
Search values, tags, STOP and the packed word are those of ``_kernels``; a table row here is
(packed, key words ...).
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate._compile import (
    ONE,
    ZERO,
    kernel,
    lowest_bit,
    popcount,
    recursive_kernel,
)
from seabattle.enumerate._kernels import name_answer
from seabattle.solver._kernels import (
    ALLOWANCE,
    ALLOWANCE_USED,
    BOUNDED,
    BOUNDS,
    BUDGETS,
    CACHE,
    CAPACITY,
    DOMINANCE,
    EMPTY,
    FULL_BOARD,
    FULL_TABLE,
    HEAVIEST,
    INFEASIBLE,
    LIGHTEST,
    LOOKAHEAD,
    NODES,
    OBJECTIVE,
    ORDERING,
    PROBES,
    SHOT,
    STATES,
    STATUS,
    STOP,
    UNLIMITED,
    WORST_CASE,
    key_under,
)

CLOSED_SUNK = 1
OPEN_SUNK = 2
NAMED = 3

MODE = 11  # place in ``options``, after those of ``_kernels``
ARENA_TOP = 8  # place in ``counters``, after those of ``_kernels``
FULL_ARENA = 3  # status

# Columns of the arena: children of the sub-tables on the path.
LO, HI, MISSED, WEIGHT, LEAST = 0, 1, 2, 3, 4
H, U, K = 0, 1, 2


@kernel
def close_masks(ids, lo, hi, occupied_by, full):
    """Cells that all rows of a segment occupy, and cells that some do. Modifies nothing."""
    certain = full
    occupied = ZERO
    for i in range(lo, hi):
        row = occupied_by[ids[i]]
        certain &= row
        occupied |= row
    return certain, occupied


@kernel
def ship_at(row, cell, ships):
    """Number of the ship of a row that covers a cell, -1 for water. Modifies nothing."""
    bit = ONE << np.uint64(cell)
    for d in range(ships.shape[1]):
        if (ships[row, d] & bit) != ZERO:
            return d
    return -1


@kernel
def told_open(row, cell, shot, ships, lengths, announced):
    """Answer of a row in the open mode: 0 miss, 1 hit, 2 sunk (or 2 + its length if told).

    shot : uint64, cells hit before. Modifies nothing.
    """
    d = ship_at(row, cell, ships)
    if d < 0:
        return 0
    if (ships[row, d] & ~(shot | ONE << np.uint64(cell))) != ZERO:
        return 1
    return 2 + lengths[d] if announced else 2


@kernel
def same_names(row, other, cells, ships, lengths):
    """Whether two rows put ships of the same lengths on the same groups of the given cells."""
    for d in range(ships.shape[1]):
        group = ships[row, d] & cells
        if group == ZERO:
            continue
        found = False
        for e in range(ships.shape[1]):
            if lengths[e] == lengths[d] and (ships[other, e] & cells) == group:
                found = True
                break
        if not found:
            return False
    return True


@kernel
def part_by_sunk(ids, lo, hi, around, occupied_by):
    """Move the rows with no ship on the cells ``around`` to the front; return where others begin.

    ids : int32, modified
    """
    i = lo
    j = hi - 1
    while True:
        while i <= j and (occupied_by[ids[i]] & around) == ZERO:
            i += 1
        while i <= j and (occupied_by[ids[j]] & around) != ZERO:
            j -= 1
        if i > j:
            return i
        swap = ids[i]
        ids[i] = ids[j]
        ids[j] = swap


@kernel
def part_by_names(ids, lo, hi, cells, ships, lengths):
    """Move the rows named like the first one on ``cells`` to the front; return where others begin.

    ids : int32, modified
    """
    i = lo + 1
    for j in range(lo + 1, hi):
        if same_names(ids[lo], ids[j], cells, ships, lengths):
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@kernel
def part_by_told(ids, lo, hi, cell, shot, ships, lengths, announced):
    """Move the rows that answer like the first one to the front; return where others begin.

    ids : int32, modified
    """
    told = told_open(ids[lo], cell, shot, ships, lengths, announced)
    i = lo + 1
    for j in range(lo + 1, hi):
        if told_open(ids[j], cell, shot, ships, lengths, announced) == told:
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@kernel
def close_entries(
    first, ids, occupied_by, ships, lengths, sides, mode, full, arena, arena_masks, counters
):
    """Shoot all certain hits of the arena's entries from ``first`` on, parting by the answers.

    arena : int64 (size, 5), arena_masks : uint64 (size, 3): modified; H and U are filled in, and
    parted entries take new places at the top. ids : modified. Returns 0, or STOP (arena full).
    """
    p = first
    while p < counters[ARENA_TOP]:
        lo = arena[p, LO]
        hi = arena[p, HI]
        certain, occupied = close_masks(ids, lo, hi, occupied_by, full)
        mid = hi
        if certain != occupied:
            if mode == CLOSED_SUNK:
                # A group of certain cells connected by their sides lies in one ship; it is sunk
                # in a row exactly when the row occupies no cell around it. The first group whose
                # answer differs between rows parts them.
                left = certain
                while left != ZERO and mid == hi:
                    group = left & (~left + ONE)
                    edge = group
                    around = ZERO
                    while edge != ZERO:
                        cell = lowest_bit(edge)
                        edge &= edge - ONE
                        around |= sides[cell]
                        fresh = sides[cell] & certain & ~group
                        group |= fresh
                        edge |= fresh
                    left &= ~group
                    around &= ~group & occupied
                    if around != ZERO:
                        mid = part_by_sunk(ids, lo, hi, around, occupied_by)
                        if mid == lo:
                            mid = hi
            elif mode == NAMED:
                mid = part_by_names(ids, lo, hi, certain, ships, lengths)
        if mid == hi:
            arena_masks[p, H] = certain
            arena_masks[p, U] = occupied
            p += 1
            continue
        top = counters[ARENA_TOP]
        if top >= arena.shape[0]:
            counters[STATUS] = FULL_ARENA
            return STOP
        arena[top, LO] = mid
        arena[top, HI] = hi
        arena[top, MISSED] = arena[p, MISSED]
        arena_masks[top, K] = arena_masks[p, K]
        arena[p, HI] = mid
        counters[ARENA_TOP] = top + 1
    return 0


@kernel
def part(
    ids,
    lo,
    hi,
    cell,
    shot,
    occupied_by,
    weights,
    ships,
    lengths,
    sides,
    mode,
    announced,
    full,
    arena,
    arena_masks,
    counters,
):
    """Part a segment by the answer to a shot, and close the parts; children go on the arena.

    shot : uint64, cells hit before (open mode). Returns 0, or STOP (arena full).
    """
    bit = ONE << np.uint64(cell)
    mid = part_by_sunk(ids, lo, hi, bit, occupied_by)  # water first
    first = counters[ARENA_TOP]
    if first + 2 > arena.shape[0]:
        counters[STATUS] = FULL_ARENA
        return STOP
    for half in range(2):
        a = lo if half == 0 else mid
        b = mid if half == 0 else hi
        if a == b:
            continue
        top = counters[ARENA_TOP]
        arena[top, LO] = a
        arena[top, HI] = b
        arena[top, MISSED] = 1 - half
        arena_masks[top, K] = shot if half == 0 else shot | bit
        counters[ARENA_TOP] = top + 1
    if mode == OPEN_SUNK:
        p = first
        while p < counters[ARENA_TOP]:
            a = arena[p, LO]
            b = arena[p, HI]
            if arena[p, MISSED] == 0:
                c = part_by_told(ids, a, b, cell, shot, ships, lengths, announced)
                if c < b:
                    top = counters[ARENA_TOP]
                    if top >= arena.shape[0]:
                        counters[STATUS] = FULL_ARENA
                        return STOP
                    arena[top, LO] = c
                    arena[top, HI] = b
                    arena[top, MISSED] = 0
                    arena_masks[top, K] = arena_masks[p, K]
                    arena[p, HI] = c
                    counters[ARENA_TOP] = top + 1
            p += 1
    if close_entries(first, ids, occupied_by, ships, lengths, sides, mode, full, arena,
                     arena_masks, counters) == STOP:  # fmt: skip
        return STOP
    for p in range(first, counters[ARENA_TOP]):
        weight = 0
        for i in range(arena[p, LO], arena[p, HI]):
            weight += weights[ids[i]]
        arena[p, WEIGHT] = weight
        arena[p, LEAST] = 0
    return 0


@kernel
def name_word(row, certain, g, moves, ships, lengths):
    """Ships in the cells of H under symmetry g, as digits; the second half of a named key.

    The cells of H are read in the order of their images; each gets the number of its ship, where
    the ships of one length are numbered in the order in which they are met. Digits are to the
    base n_ships: |H| <= 64 / log2(n_ships) by validation. Modifies nothing.
    """
    count = lengths.shape[0]
    number = np.full(count, -1, np.int64)
    word = ZERO
    images = ZERO
    left = certain
    while left != ZERO:
        cell = lowest_bit(left)
        left &= left - ONE
        images |= ONE << np.uint64(moves[g, cell])
    # Reading by image needs the inverse move; boards are small, so look it up.
    while images != ZERO:
        image = lowest_bit(images)
        images &= images - ONE
        cell = 0
        while moves[g, cell] != image:
            cell += 1
        d = ship_at(row, cell, ships)
        if number[d] < 0:
            taken = 0
            offset = 0
            for e in range(count):
                if lengths[e] > lengths[d]:
                    offset += 1
                elif lengths[e] == lengths[d] and number[e] >= 0:
                    taken += 1
            number[d] = offset + taken
        word = word * np.uint64(count) + np.uint64(number[d])
    return word


@kernel
def make_key(
    ids, lo, hi, certain, occupied, shot, mode, full, orbits, moves, images, ships, lengths, key
):
    """Least key of a sub-table over the symmetries; return the symmetry that gives it.

    images : int32 (n_symmetries, n_rows), row that each row becomes (open mode)
    key : uint64 (2, words), modified: row 0 is the key, row 1 scratch
    """
    words = key.shape[1]
    best = -1
    for g in range(orbits.shape[2]):
        if mode == OPEN_SUNK:
            for w in range(words):
                key[1, w] = ZERO
            left = shot
            while left != ZERO:
                cell = lowest_bit(left)
                left &= left - ONE
                key[1, 0] |= ONE << np.uint64(moves[g, cell])
            for i in range(lo, hi):
                image = images[g, ids[i]]
                key[1, 1 + (image >> 6)] |= ONE << np.uint64(image & 63)
        else:
            two_words = mode == CLOSED_SUNK and words == 2
            low, high = key_under(certain, full & ~occupied, orbits, two_words, g)
            key[1, 0] = low
            if two_words:
                key[1, 1] = high
            elif mode == NAMED:
                key[1, 1] = name_word(ids[lo], certain, g, moves, ships, lengths)
        smaller = best < 0
        if best >= 0:
            for w in range(words):
                if key[1, w] != key[0, w]:
                    smaller = key[1, w] < key[0, w]
                    break
        if smaller:
            best = g
            for w in range(words):
                key[0, w] = key[1, w]
    return best


@kernel
def find_row(table, key, tag):
    """Place of a key (row 0 of ``key``) with its tag, or the empty place where it would go."""
    last = np.uint64(table.shape[0] - 1)
    mixed = np.uint64(tag) * np.uint64(0xD6E8FEB86659FD93)
    for w in range(key.shape[1]):
        mixed ^= key[0, w]
        mixed ^= mixed >> np.uint64(32)
        mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    slot = mixed & last
    while True:
        packed = table[slot, 0]
        if packed == EMPTY:
            return np.int64(slot)
        if np.int64(packed & np.uint64(127)) == tag:
            same = True
            for w in range(key.shape[1]):
                if table[slot, 1 + w] != key[0, w]:
                    same = False
                    break
            if same:
                return np.int64(slot)
        slot = (slot + ONE) & last


@kernel
def rehash_rows(old, new, key):
    """Move every entry of a table into a larger, empty one. key : uint64 (2, words), scratch."""
    for i in range(old.shape[0]):
        packed = old[i, 0]
        if packed != EMPTY:
            for w in range(key.shape[1]):
                key[0, w] = old[i, 1 + w]
            slot = find_row(new, key, np.int64(packed & np.uint64(127)))
            for w in range(old.shape[1]):
                new[slot, w] = old[i, w]


@kernel
def miss_path_bound(rows, weight, skip, count, ints, objective):
    """Lower bound on the misses of a sub-table from its columns: the path of all misses.

    However the shots are chosen, at least weight - (sum of the j heaviest columns) misses more
    than j - 1 times: those layouts are still there after j misses in a row. Valid in every mode
    where no certain hit is due: a hit that is free may part the rows, each part with columns of
    its own. A cell that becomes a certain hit on the way does no harm: after j misses all rows
    left hold it, so the j + 1 heaviest columns leave nothing and the sum has ended.
    ints : int64 (7, 64): row counts (0) and weights (1) by cell; ints[5, :count] cells by weight,
    ints[6, :count] cells by row count, both falling. skip : a cell left out, or -1.
    """
    bound = 0
    left = rows if objective == 1 else weight
    for i in range(count):
        cell = ints[6, i] if objective == 1 else ints[5, i]
        if cell == skip:
            continue
        left -= ints[0, cell] if objective == 1 else ints[1, cell]
        if left <= 0:
            break
        bound += 1 if objective == 1 else left
    return bound


@kernel
def patterns_left(row, certain, ships, lengths, mode, patterns):
    """How many sequences of answers, misses left out, can still sink the fleet; 0: not counted.

    row : any row of a closed sub-table, certain : its H. Every row gives the same number.
    patterns : int64 (2^n_ships, most cells), for each set of ships not sunk and number of their
        cells hit already the ways to place the sinkings among the hits to come
    With named ships every order of the ships' cells counts (equal ships told apart: more than
    there are, which only weakens the bound).
    """
    count = lengths.shape[0]
    if mode == CLOSED_SUNK:
        afloat = 0
        hit = 0
        for d in range(count):
            touched = ships[row, d] & certain
            if touched != ships[row, d]:
                afloat |= 1 << d
                hit += popcount(touched)
        if afloat >= patterns.shape[0]:
            return 0
        return patterns[afloat, hit]
    left = 0
    ways = 1
    for d in range(count):
        touched = popcount(ships[row, d] & certain)
        left += lengths[d] - touched
        if left > 20:
            return 0
        for i in range(1, lengths[d] - touched + 1):  # a binomial coefficient, step by step
            ways = ways * (left - (lengths[d] - touched) + i) // i
            if ways > 1 << 40:
                return 0
    return ways


@kernel
def words_bound(rows, weight, patterns, cells, lightest, heaviest, objective, reach):
    """Lower bound on the misses of a sub-table from its size alone, for answers of any kind.

    After a leaf the rest of the fleet is sunk in reading order, so that every layout has a word:
    its misses, and one letter for each of the h cells left, the last of which comes last. No word
    begins another's. With j misses there are C(h + j - 1, j) ways to place them before that last
    letter, with at most k misses C(h + k, k); and at most ``patterns`` sequences of letters. So at
    most patterns * C(h + k, k) layouts miss k times or fewer. Modifies nothing.
    """
    if patterns == 0:
        return 0
    bound = 0
    for k in range(reach.shape[1]):
        if reach[cells, k] >= (rows + patterns - 1) // patterns:
            break
        told = patterns * reach[cells, k]
        if objective == 1:
            bound += 1
        else:
            bound += max((rows - told) * lightest, weight - told * heaviest)
    return bound


@kernel
def count_cells(ids, lo, hi, occupied_by, weights, unknown, full, ints, together):
    """Rows and weight that occupy each undetermined cell, and the cells that go with it.

    ints : int64 (7, 64), modified: rows (0), weight (1), cells by weight (5), by rows (6)
    together : uint64 (64,), modified: cells that every row with the cell occupies
    Returns the number of undetermined cells.
    """
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        ints[0, c] = 0
        ints[1, c] = 0
        together[c] = full
    for i in range(lo, hi):
        row = occupied_by[ids[i]]
        weight = weights[ids[i]]
        left = row & unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            ints[0, c] += 1
            ints[1, c] += weight
            together[c] &= row
    count = 0
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        for column in range(2):
            j = count
            order = 5 + column
            by = 1 - column
            while j > 0 and ints[by, ints[order, j - 1]] < ints[by, c]:
                ints[order, j] = ints[order, j - 1]
                j -= 1
            ints[order, j] = c
        count += 1
    return count


@recursive_kernel(
    "int64(int32[::1], int64, int64, uint64, uint64, uint64, int64, int64, int64, int64,"
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

    As ``_kernels.least``, with one child per outcome: the value of a shot is the weight of the
    rows it misses plus the values of all children; for the worst case the largest of 1 + value
    over the children after a miss and value over the others. Before it returns, everything it
    put on the arena is taken off again.

    certain, occupied : H and U of the segment; shot : cells hit so far (open mode)
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
    symmetry = 0
    key = keys[depth]
    if options[CACHE] == 1:
        symmetry = make_key(ids, lo, hi, certain, occupied, shot, mode, full, orbits, moves,
                            images, ships, lengths, key)  # fmt: skip
        counters[PROBES] += 1
        packed = table[find_row(table, key, allowed), 0]
        if packed == EMPTY and allowed < WORST_CASE:
            packed = table[find_row(table, key, UNLIMITED), 0]
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
        if options[DOMINANCE] == 1 and mode != OPEN_SUNK:
            alike = together[depth, c] & unknown & ~(ONE << np.uint64(c))
            dominated = False
            while alike != ZERO:
                d = lowest_bit(alike)
                alike &= alike - ONE
                if ints[depth, 0, d] > ints[depth, 0, c] or d < c:
                    dominated = True
                    break
            if dominated:
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
            u = arena_masks[p, U]
            if h != u:
                if mode != OPEN_SUNK and options[BOUNDS] == 1:
                    low = 1 if objective == 1 else options[LIGHTEST]
                    row = ids[arena[p, LO]]
                    low = max(low, words_bound(
                        arena[p, HI] - arena[p, LO], arena[p, WEIGHT],
                        patterns_left(row, h, ships, lengths, mode, patterns),
                        popcount(occupied_by[row]) - popcount(h),
                        options[LIGHTEST], options[HEAVIEST], objective, reach,
                    ))  # fmt: skip
                if options[LOOKAHEAD] == 1 and options[CACHE] == 1:
                    make_key(ids, arena[p, LO], arena[p, HI], h, u, arena_masks[p, K], mode, full,
                             orbits, moves, images, ships, lengths, keys[depth + 1])  # fmt: skip
                    counters[PROBES] += 1
                    tag = fewer if arena[p, MISSED] == 1 else allowed
                    packed = table[find_row(table, keys[depth + 1], tag), 0]
                    if packed != EMPTY:
                        low = max(low, np.int64(packed >> np.uint64(22)))
            arena[p, LEAST] = low
            if objective == 1:
                value = max(value, arena[p, MISSED] + low)
            else:
                value += low
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
            answer = least_parted(
                ids, arena[p, LO], arena[p, HI], arena_masks[p, H], arena_masks[p, U],
                arena_masks[p, K], arena[p, WEIGHT], room, fewer if after_miss else allowed,
                depth + 1, occupied_by, weights, ships, lengths, sides,
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
        slot = find_row(table, key, allowed)
        if table[slot, 0] == EMPTY:
            if counters[STATES] >= counters[CAPACITY]:
                counters[STATUS] = FULL_TABLE
                return STOP
            counters[STATES] += 1
            for w in range(key.shape[1]):
                table[slot, 1 + w] = key[0, w]
        found = best if exact else bound
        image = moves[symmetry, choice] if exact and choice >= 0 else 127
        table[slot, 0] = (
            np.uint64(found) << np.uint64(22)
            | np.uint64(1 if exact else 0) << np.uint64(21)
            | np.uint64(image) << np.uint64(14)
            | np.uint64(best_worst if exact else 0) << np.uint64(7)
            | np.uint64(allowed)
        )
    return best << 7 | best_worst if exact else bound << 7


@kernel
def name_all(ids, masks, ships, lengths, history, cell, mode, told):
    """Answer of every row to a shot, given the cells shot before, by the rules of the game.

    ids : int64 (n,), layouts; masks : uint64 (n_placements, 2); ships : uint16 (n_layouts,
    n_ships); history : int64 (n_before,); mode as in ``name_answer``
    told : int64 (n,), modified: answer codes
    """
    count = lengths.shape[0]
    low = np.empty(count, np.uint64)
    high = np.empty(count, np.uint64)
    names = np.zeros(count, np.int64)
    for i in range(ids.shape[0]):
        for d in range(count):
            low[d] = masks[ships[ids[i], d], 0]
            high[d] = masks[ships[ids[i], d], 1]
            names[d] = 0
        shot_low = ZERO
        shot_high = ZERO
        for s in range(history.shape[0]):
            before = history[s]
            if mode == 3:
                name_answer(low, high, lengths, before, shot_low, shot_high, names, mode)
            if before < 64:
                shot_low |= ONE << np.uint64(before)
            else:
                shot_high |= ONE << np.uint64(before - 64)
        told[i] = name_answer(low, high, lengths, cell, shot_low, shot_high, names, mode)


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
    if cell >= 0:
        if part(ids, 0, n, cell, shot, occupied_by, weights, ships, lengths, sides, mode,
                announced, full, arena, arena_masks, counters) == STOP:  # fmt: skip
            return STOP
    else:
        arena[0, LO] = 0
        arena[0, HI] = n
        arena[0, MISSED] = 0
        arena_masks[0, K] = shot
        counters[ARENA_TOP] = 1
        if close_entries(0, ids, occupied_by, ships, lengths, sides, mode, full, arena,
                         arena_masks, counters) == STOP:  # fmt: skip
            return STOP
    value = 0
    worst = 0
    exact = True
    for p in range(counters[ARENA_TOP]):
        weight = 0
        for i in range(arena[p, LO], arena[p, HI]):
            weight += weights[ids[i]]
        arena[p, WEIGHT] = weight
        if arena[p, MISSED] == 1:
            worst = max(worst, 1)
            value = max(value, 1) if objective == 1 else value + weight
            if allowed == 0:
                return INFEASIBLE << 7
    for p in range(counters[ARENA_TOP]):
        missed = arena[p, MISSED]
        tag = allowed if missed == 0 or allowed >= WORST_CASE else allowed - 1
        room = budget - missed if objective == 1 else budget - value
        answer = least_parted(
            ids, arena[p, LO], arena[p, HI], arena_masks[p, H], arena_masks[p, U],
            arena_masks[p, K], arena[p, WEIGHT], room, tag, 1, occupied_by, weights, ships,
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
