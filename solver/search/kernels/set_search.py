"""Compiled search whose states are sets of layouts, for any number of cells.

The other searches keep the cells of a layout in one word. Here a layout is a row of arrays, a mask
has as many words as the cells need, and the key of a sub-table is the set of its rows, one bit
each; in the open mode the cells hit come with it. ``solver.search.set_search`` says why that set is
a key. Everything else is as in ``minimize``: segments of ``ids``, a stack of children (the
*arena*), fail-soft values, and families of answers:

``PLAIN``        hit and miss alone; rows differ in their cells
``CLOSED_SUNK``  hit, miss, sunk; all certain hits are shot at once
``NAMED``        a hit names the ship; all certain hits are shot at once
``OPEN_SUNK``    hit, miss, sunk (with or without the length); nothing is shot at once

A *set value* is one int64, ``misses << 14 | worst``, exact below the budget, otherwise a proven
lower bound, or STOP (``work``): paths on large boards may have more misses than the seven bits of
the other searches hold. Totals stay below 2^41 by validation.

The file goes from the arrays, whose names are those of ``arrays`` where they mean the same, over
columns and the bounds made of them, and the partition by an answer, to the recursion. Parameters
that many kernels share: ``ids``, int32 ``(n_rows,)``, and ``lo:hi``, a segment of it; ``p``, int64,
an entry of the arena; ``cell``, int64; ``words``, int64, of a mask; ``announced``, bool, whether a
sinking tells the ship's length; ``game`` and ``arena``, groups of arrays; ``entries`` and
``masks``, those of the arena; ``counts``, int64 ``(COUNT_PLANES, cells)``, scratch of a level. A
kernel modifies only what it says it modifies.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    group,
    kernel,
    lowest_bit,
    part_of_kernel,
    popcount,
    recursive_kernel,
)
from seabattle.solver.search.answers import insert_falling, settle_by_rows
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
    Images,
    NumberPlanes,
    NumberRows,
    Numbers,
    WordRows,
)
from seabattle.solver.search.bounds import words_bound
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
    CLOSED_SUNK,
    FULL_ARENA,
    HEAVIEST,
    INFEASIBLE,
    LIGHTEST,
    MODE,
    NAMED,
    NO_LIMIT,
    NODES,
    OPEN_SUNK,
    PLAIN,
    PROBES,
    STATUS,
    STOP,
    TOTAL,
    has_room,
    spend,
)

# Columns of ``SetArena.entries`` beside LO, HI, MISSED, ENTRY_WEIGHT and LEAST of ``arrays``.
OPEN = 5  # 1 where the rows differ in their cells
HAS_KEY = 6  # 1 where the key is made
SET_COLUMNS = 7

# Planes of ``counts`` that have another use elsewhere.
PART = 3  # cell that stands for the part of each cell
PART_WEIGHT = 4  # for that cell: weight of the part's rows

# Rows of ``scratch``.
LEFT = 0
GAIN = 1
FOUND = 2
COLUMN = 3
WORDS = 4
SCRATCH_ROWS = 5


@group
class SetGame(NamedTuple):
    """The rows of a problem; nothing here is modified."""

    cells: Images  # (rows, fleet cells): cells of each row, ship by ship, rising in each
    ship_at: Annotated[NDArray[np.int16], "int16[:, ::1]"]  # (rows, cells): ship there, or -1
    occupied_by: WordRows  # (rows, words): mask of the cells of each row
    weights: Numbers  # (rows,)
    lengths: Numbers  # (ships,): cells of each ship, longest first
    first: Numbers  # (ships,): column of ``cells`` where each ship begins


@group
class SetArena(NamedTuple):
    """Children of the sub-tables on the path, a stack of counters[ARENA_TOP] entries; modified."""

    entries: NumberRows  # (size, SET_COLUMNS)
    masks: WordRows  # (size, 3 words + row words): H, U, the cells hit, one bit per row


@group
class SetArrays(NamedTuple):
    """What the kernels of this file share."""

    game: SetGame
    arena: SetArena
    table: WordRows  # (capacity, 1 + key words), modified: see ``transposition``
    patterns: NumberRows  # (2^ships, ship cells + 1): see ``bounds.patterns_left``
    reach: NumberRows  # (ship cells + 1, m): reach[h, k] = C(k + h, k), cut off at 2^40
    counts: NumberPlanes  # (levels, COUNT_PLANES, cells), scratch
    together: WordRows  # (cells, words), scratch: cells that every row with the cell occupies
    scratch: NumberRows  # (SCRATCH_ROWS, cells or more)
    options: Numbers  # (OPTIONS,)
    counters: Numbers  # (COUNTERS,), modified


@kernel
def ways_left(row, p, words, mode, cells, lengths, first, patterns, masks):
    """How many sequences of answers, misses left out, can still sink the fleet; 0: not counted.

    As ``bounds.patterns_left``, which see.
    row : int64, any row of entry p, which is closed; the other parameters as in ``answer_of``
    """
    count = lengths.shape[0]
    if mode == PLAIN:
        return 1
    afloat = 0
    hit = 0
    left = 0
    ways = 1
    if mode == CLOSED_SUNK and count > 62:
        return 0
    for d in range(count):
        touched = 0
        for j in range(first[d], first[d] + lengths[d]):
            if holds(masks, p, 0, cells[row, j]):
                touched += 1
        if mode == CLOSED_SUNK:
            if touched < lengths[d]:
                afloat |= 1 << d
                hit += touched
            continue
        rest = lengths[d] - touched
        left += rest
        if left > 20:
            return 0
        for i in range(1, rest + 1):  # a binomial coefficient, step by step
            ways = ways * (left - rest + i) // i
            if ways > 1 << 40:
                return 0
    if mode == NAMED:
        return ways
    return patterns[afloat, hit] if afloat < patterns.shape[0] else 0


@kernel
def count_columns(ids, p, entries, masks, game, counts, together):
    """Rows and weight that occupy each undetermined cell, and the cells that go with it.

    entries, masks : of the arena
    counts : int64 (COUNT_PLANES, cells), planes ROWS, WEIGHT and BY_WEIGHT modified
    together : uint64 (cells, words), modified: cells that every row with the cell occupies
    Returns int64, the number of undetermined cells.
    """
    words = together.shape[1]
    for w in range(words):
        left = masks[p, words + w]
        while left != ZERO:
            c = 64 * w + lowest_bit(left)
            left &= left - ONE
            counts[ROWS, c] = 0
            counts[WEIGHT, c] = 0
            for v in range(words):
                together[c, v] = masks[p, words + v]
    for i in range(entries[p, LO], entries[p, HI]):
        row = ids[i]
        weight = game.weights[row]
        for j in range(game.cells.shape[1]):
            c = game.cells[row, j]
            counts[ROWS, c] += 1
            counts[WEIGHT, c] += weight
            for v in range(words):
                together[c, v] &= game.occupied_by[row, v]
    count = 0
    for w in range(words):
        left = masks[p, words + w] & ~masks[p, w]
        while left != ZERO:
            c = 64 * w + lowest_bit(left)
            left &= left - ONE
            insert_falling(c, count, BY_WEIGHT, WEIGHT, counts)
            count += 1
    return count


@kernel
def is_covered(cell, p, masks, counts, together):
    """Whether another undetermined cell is at least as good a shot: every row with this one has it.

    Of cells with equal columns the first one stays.
    """
    words = together.shape[1]
    for w in range(words):
        alike = together[cell, w] & masks[p, words + w] & ~masks[p, w]
        while alike != ZERO:
            d = 64 * w + lowest_bit(alike)
            alike &= alike - ONE
            if d != cell and (counts[ROWS, d] > counts[ROWS, cell] or d < cell):
                return True
    return False


@kernel
def root_of(cell, counts):
    """Cell that stands for the part of a cell.

    counts : plane PART modified: paths become shorter
    """
    while counts[PART, cell] != cell:
        counts[PART, cell] = counts[PART, counts[PART, cell]]
        cell = counts[PART, cell]
    return cell


@kernel
def join_parts(ids, p, entries, masks, game, count, counts):
    """Parts of a sub-table: sets of rows that share no undetermined cell with any other row.

    counts : plane PART modified: the cell that stands for the part of each cell
        plane PART_WEIGHT modified: for that cell the weight of the part's rows
    """
    words = game.occupied_by.shape[1]
    for i in range(count):
        c = counts[BY_WEIGHT, i]
        counts[PART, c] = c
        counts[PART_WEIGHT, c] = 0
    for i in range(entries[p, LO], entries[p, HI]):
        row = ids[i]
        root = -1
        for w in range(words):
            left = game.occupied_by[row, w] & ~masks[p, w]
            while left != ZERO:
                other = root_of(64 * w + lowest_bit(left), counts)
                left &= left - ONE
                if root < 0:
                    root = other
                elif other != root:
                    counts[PART, other] = root
                    counts[PART_WEIGHT, root] += counts[PART_WEIGHT, other]
        counts[PART_WEIGHT, root] += game.weights[row]
    for i in range(count):
        c = counts[BY_WEIGHT, i]
        counts[PART, c] = root_of(c, counts)


@kernel
def path_bound(weight, ways, cells, skip, with_parts, count, counts, heaviest, reach, scratch):
    """Lower bound on the misses of a sub-table from its columns and its words together.

    *Columns and words.* Let h cells of the fleet be undetermined. A layout whose first hit comes
    after j misses has its first letter: at most B(k - j) = ``ways`` * C(h - 1 + k - j, k - j) of
    them have at most k misses in all (``bounds.words_bound``), and no more than the column of the
    cell that was hit has rows. So at most N(k), the sum over j <= k of the smaller of the two, the
    largest columns first, have at most k misses; all others miss more than k times.

    *Parts.* Let P(i) be the number that i cells hold at most when the cells of a part
    (``join_parts``) hold no more than its rows. The layouts with at most k misses are found by the
    first i shots of the path of all misses, P(i) at most, or by those after them, which is
    N(k - i) at most. So P(i) + N(k - i) may take the place of N(k), for every i.

    Where words are not counted, this is ``bounds.miss_path_bound`` with parts; as there, no
    certain hit may be due. Weights take the place of numbers, the heaviest that of B(k - j) rows.

    weight : int64, of the sub-table; ways : int64, of ``ways_left``, 0 where they are not counted
    cells : int64, h; skip : int64, a cell that was missed in the sub-table, or -1
    with_parts : bool, whether ``join_parts`` was called
    count : int64, number of undetermined cells; counts : from ``count_columns``
    heaviest : int64, greatest weight of a row; reach : field of SetArrays
    scratch : int64 (SCRATCH_ROWS, columns of reach), modified
    """
    most = 0  # the largest column
    shots = 0  # columns, or what parts leave of them
    if with_parts:
        for i in range(count):
            c = counts[BY_WEIGHT, i]
            scratch[LEFT, c] = counts[PART_WEIGHT, c]
        if skip >= 0:
            scratch[LEFT, counts[PART, skip]] -= counts[WEIGHT, skip]
        held = 0
        for i in range(count):
            c = counts[BY_WEIGHT, i]
            if c == skip:
                continue
            root = counts[PART, c]
            gain = min(counts[WEIGHT, c], scratch[LEFT, root])
            if gain == 0:
                continue
            scratch[LEFT, root] -= gain
            held += gain
            j = shots
            while j > 0 and scratch[GAIN, j - 1] < gain:
                scratch[GAIN, j] = scratch[GAIN, j - 1]
                j -= 1
            scratch[GAIN, j] = gain
            shots += 1
            if held >= weight:
                break
        held = 0
        for i in range(shots):  # P(i + 1)
            held += scratch[GAIN, i]
            scratch[GAIN, i] = held
    length = 0
    for i in range(count):
        c = counts[BY_WEIGHT, i]
        if c != skip:
            most = max(most, counts[WEIGHT, c])
            scratch[COLUMN, length] = counts[WEIGHT, c]
            length += 1
    # B(t) for the few t where it is less than the largest column.
    few = 0
    while ways > 0 and few < reach.shape[1]:
        words = reach[cells - 1, few]
        if words > (most - 1) // ways // heaviest:
            break
        scratch[WORDS, few] = words * ways * heaviest
        few += 1
    bound = 0
    whole = 0  # sum of the columns that are taken whole
    for k in range(min(reach.shape[1], scratch.shape[1])):
        if few <= k < few + length:
            whole += scratch[COLUMN, k - few]
        found = whole
        for t in range(min(few, k + 1)):
            if k - t < length:
                found += min(scratch[COLUMN, k - t], scratch[WORDS, t])
        scratch[FOUND, k] = found
        if with_parts:
            for i in range(max(1, k + 1 - few - 2), min(k + 1, shots) + 1):
                rest = scratch[FOUND, k - i] if i <= k else 0
                found = min(found, scratch[GAIN, i - 1] + rest)
        if found >= weight:
            break
        bound += weight - found
    return bound


@kernel
def holds(masks, p, first, cell):
    """Whether the mask of an entry that begins in column ``first`` has a cell."""
    return (masks[p, first + (cell >> 6)] >> np.uint64(cell & 63)) & ONE != ZERO


@kernel
def answer_of(row, cell, p, words, mode, announced, cells, ship_at, lengths, first, masks):
    """Answer of a row, as a number: 0 for a miss; rows of a segment that answer alike have one.

    A hit on a ship not hit before is named by the ship's length, one on a ship hit before by the
    least of its cells hit: the rows left agree on which cells hit belong to one ship.

    words : int64, of a mask; masks : of the arena, entry p with the cells hit before
    cells, ship_at, lengths, first : fields of SetGame
    """
    d = ship_at[row, cell]
    if d < 0:
        return 0
    if mode == PLAIN:
        return 1
    touched = 0
    least = -1
    for j in range(first[d], first[d] + lengths[d]):
        other = cells[row, j]
        if other != cell and holds(masks, p, 2 * words, other):
            touched += 1
            if least < 0:
                least = other
    if mode == NAMED:
        return -1 - least if touched > 0 else lengths[d]
    if touched + 1 < lengths[d]:
        return 1
    return 2 + lengths[d] if announced else 2


@kernel
def split_by_answer(
    ids, lo, hi, cell, p, words, mode, announced, cells, ship_at, lengths, first, masks
):  # fmt: skip
    """Move the rows that answer like the first one to the front; return where others begin.

    ids : modified; the other parameters as in ``answer_of``
    """
    answer = answer_of(
        ids[lo], cell, p, words, mode, announced, cells, ship_at, lengths, first, masks
    )
    i = lo + 1
    for j in range(lo + 1, hi):
        if (
            answer_of(ids[j], cell, p, words, mode, announced, cells, ship_at, lengths, first,
                      masks)
            == answer
        ):  # fmt: skip
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@kernel
def push(lo, hi, missed, source, words, entries, masks, counters):
    """Put a segment on the arena, not closed yet; return whether there was room.

    missed : int64, 1 when the shot missed in its rows
    source : int64, entry whose cells hit it takes over; words : int64, of a mask
    entries, masks : of the arena, modified; counters : ARENA_TOP and STATUS modified
    """
    top = counters[ARENA_TOP]
    if top >= entries.shape[0]:
        counters[STATUS] = FULL_ARENA
        return False
    entries[top, LO] = lo
    entries[top, HI] = hi
    entries[top, MISSED] = missed
    entries[top, HAS_KEY] = 0
    for w in range(2 * words, 3 * words):
        masks[top, w] = masks[source, w]
    counters[ARENA_TOP] = top + 1
    return True


@kernel
def close_entries(start, ids, mode, announced, game, arena, counters):
    """Close the arena's entries from ``start`` on; in the closed modes shoot all certain hits.

    H, U, OPEN and the weight of the entries are filled in, not their lower bounds; what is split
    off takes new places at the top. Returns 0, or STOP (arena full).

    ids, arena : modified; counters : ARENA_TOP and STATUS modified
    """
    entries = arena.entries
    masks = arena.masks
    occupied_by = game.occupied_by
    words = occupied_by.shape[1]
    p = start
    while p < counters[ARENA_TOP]:
        lo = entries[p, LO]
        hi = entries[p, HI]
        weight = 0
        for w in range(words):
            masks[p, w] = occupied_by[ids[lo], w]
            masks[p, words + w] = occupied_by[ids[lo], w]
        for i in range(lo, hi):
            weight += game.weights[ids[i]]
            for w in range(words):
                masks[p, w] &= occupied_by[ids[i], w]
                masks[p, words + w] |= occupied_by[ids[i], w]
        differs = 0
        for w in range(words):
            if masks[p, w] != masks[p, words + w]:
                differs = 1
        entries[p, ENTRY_WEIGHT] = weight
        entries[p, OPEN] = differs
        mid = hi
        if differs == 1 and mode in (CLOSED_SUNK, NAMED):
            for w in range(words):
                left = masks[p, w] & ~masks[p, 2 * words + w]
                while left != ZERO and mid == hi:
                    cell = 64 * w + lowest_bit(left)
                    left &= left - ONE
                    mid = split_by_answer(
                        ids, lo, hi, cell, p, words, mode, announced, game.cells, game.ship_at,
                        game.lengths, game.first, masks,
                    )  # fmt: skip
                    if mid < hi:
                        # What is split off may have several answers: it shoots the cell again.
                        missed = entries[p, MISSED]
                        if not push(mid, hi, missed, p, words, entries, masks, counters):
                            return STOP
                        entries[p, HI] = mid
                    masks[p, 2 * words + w] |= ONE << np.uint64(cell & 63)
        if mid == hi:
            p += 1
    return 0


@kernel
def partition_by_answers(ids, lo, hi, cell, source, mode, announced, game, arena, counters):
    """Partition a segment by the answer to a shot, and close the parts; they go on the arena.

    Returns 0, or STOP (arena full).

    source : int64, entry with the cells hit before
    ids, arena : modified; counters : ARENA_TOP and STATUS modified
    """
    entries = arena.entries
    masks = arena.masks
    words = game.occupied_by.shape[1]
    start = counters[ARENA_TOP]
    mid = lo
    for j in range(lo, hi):  # water first
        row = ids[j]
        if game.ship_at[row, cell] < 0:
            ids[j] = ids[mid]
            ids[mid] = row
            mid += 1
    if lo < mid and not push(lo, mid, np.int64(1), source, words, entries, masks, counters):
        return STOP
    if mid < hi:
        p = counters[ARENA_TOP]
        if not push(mid, hi, np.int64(0), source, words, entries, masks, counters):
            return STOP
        if mode != PLAIN:
            masks[p, 2 * words + (cell >> 6)] |= ONE << np.uint64(cell & 63)
        while mid < hi and mode != PLAIN:
            mid = split_by_answer(
                ids, mid, hi, cell, p, words, mode, announced, game.cells, game.ship_at,
                game.lengths, game.first, masks,
            )  # fmt: skip
            if mid < hi:
                entries[p, HI] = mid
                if not push(mid, hi, np.int64(0), p, words, entries, masks, counters):
                    return STOP
                p += 1
    return close_entries(start, ids, mode, announced, game, arena, counters)


@kernel
def make_set_key(ids, p, words, entries, masks):
    """Write the rows of an entry, a bit each, behind its cells hit.

    entries, masks : of the arena, modified
    """
    for w in range(3 * words, masks.shape[1]):
        masks[p, w] = ZERO
    for i in range(entries[p, LO], entries[p, HI]):
        row = ids[i]
        masks[p, 3 * words + (row >> 6)] |= ONE << np.uint64(row & 63)
    entries[p, HAS_KEY] = 1


WORST_BITS = 14
"""Bits of a set value that hold the worst case."""

WORST_MASK = (1 << WORST_BITS) - 1


@kernel
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


@kernel
def by_words(n, weight, ways, cells, arrays):
    """The bound by words on the misses of so many rows."""
    options = arrays.options
    return words_bound(
        n, weight, ways, cells, options[LIGHTEST], options[HEAVIEST], TOTAL, arrays.reach
    )


@kernel
def by_path(weight, ways, cells, skip, parts, count, depth, arrays):
    """The bound by the path of all misses; ``parts``: columns of rows that go together count once.

    skip : int64, cell that is missed already, or -1
    """
    return path_bound(
        weight, ways, cells, skip, parts, count, arrays.counts[depth], arrays.options[HEAVIEST],
        arrays.reach, arrays.scratch,
    )  # fmt: skip


@kernel
def key_place(arrays):
    """Column of ``masks`` where the key of an entry begins."""
    words = arrays.game.occupied_by.shape[1]
    return 2 * words if arrays.options[MODE] == OPEN_SUNK else 3 * words


@kernel
def look_up_entry(ids, p, arrays):
    """What the table says of an entry, whose key is made if it is not."""
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    if entries[p, HAS_KEY] == 0:
        make_set_key(ids, p, arrays.game.occupied_by.shape[1], entries, masks)
    arrays.counters[PROBES] += 1
    slot = find_slot(arrays.table, masks[p, key_place(arrays) :], NO_LIMIT)
    return arrays.table[slot, PACKED]


@kernel
def set_value_of(packed):
    """The set value of an exact entry: a long worst case takes the place of the shot, too."""
    worst = np.int64((packed >> SHOT_AT) & SEVEN_BITS) << 7
    worst |= np.int64((packed >> WORST_AT) & SEVEN_BITS)
    return misses_of(packed) << WORST_BITS | worst


@kernel
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


@kernel
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


@kernel
def bound_by_columns(ids, p, weight, ways, cells, bound, budget, count, depth, arrays):
    """The lower bound of an entry, raised by its columns, and by those of parts of its rows."""
    bound = max(bound, by_path(weight, ways, cells, -1, False, count, depth, arrays))
    if bound < budget:
        counts = arrays.counts[depth]
        join_parts(ids, p, arrays.arena.entries, arrays.arena.masks, arrays.game, count, counts)
        bound = max(bound, by_path(weight, ways, cells, -1, True, count, depth, arrays))
    return bound


@kernel
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


@kernel
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


@kernel
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
