"""Columns of sets of layouts, and lower bounds on their misses. Arrays and scalars only.

Parameters that many kernels share: ``ids``, int32 ``(n_rows,)``; ``p``, int64, an entry of the
arena; ``words``, int64, of a mask; ``game``, a group of ``set_arrays``; ``entries`` and ``masks``,
the arrays of the arena; ``counts``, int64 ``(COUNT_PLANES, cells)``, scratch of a level. A kernel
modifies only what it says it modifies. Bounds are in misses; totals stay below 2^41 by validation.
"""

from __future__ import annotations

from seabattle.enumerate.kernels import ONE, ZERO, inner_kernel, kernel, lowest_bit
from seabattle.solver.search.answers import insert_falling
from seabattle.solver.search.arrays import BY_WEIGHT, HI, LO, ROWS, WEIGHT
from seabattle.solver.search.kernels.set_arrays import (
    COLUMN,
    FOUND,
    GAIN,
    LEFT,
    PART,
    PART_WEIGHT,
    WORDS,
)
from seabattle.solver.search.kernels.set_partition import holds
from seabattle.solver.search.work import CLOSED_SUNK, NAMED, PLAIN


@inner_kernel
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


@inner_kernel
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


@inner_kernel
def root_of(cell, counts):
    """Cell that stands for the part of a cell.

    counts : plane PART modified: paths become shorter
    """
    while counts[PART, cell] != cell:
        counts[PART, cell] = counts[PART, counts[PART, cell]]
        cell = counts[PART, cell]
    return cell


@inner_kernel
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


@inner_kernel
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
