"""Lower bounds: of a sub-table by its size and its columns, and the states that coverage counts.

Leaves are words none of which begins another, as in a code [Huffman1952]; only misses cost. In
answer mode ``hit`` a path of a tree is a word of hits and misses. With h ship cells still
undetermined, a leaf reached with k misses or fewer is told apart by a word of at most k misses and
at most h hits, and no leaf's word begins another's: at most C(k + h, k) leaves. So n occupancies
cost at least

    total(n, h) = sum over k of max(0, n - C(k + h, k))         worst(n, h) = first k with
                                                                C(k + h, k) >= n

because at least n - C(k + h, k) of them miss more than k times. The bound is false where an
answer has more than two values. With weights the heaviest C(k + h, k) take the place of that many.

``sinking_patterns`` says how the sinkings still to come can fall among the hits still to come.
Values of few rows are search values (``work``). Parameters that many of them share: ``n``, int64,
rows of the sub-table, and ``weight``, int64, the sum of their weights; ``goal``, as ``goal_of``;
``options``, int64 ``(OPTIONS,)``; ``state``, int64, from ``state_of``; ``sub``, SubTable of
``minimize``; ``counts``, int64 ``(COUNT_PLANES, 64)``. No kernel here modifies anything but its
scratch. Bounds are in misses; totals stay below 2^41 by validation.

A *state* is what hits without a miss leave, known by them and by the sinkings that answers tell
(``coverage``). Its kernels take ``certain``, uint64, H of a closed sub-table; ``row``, int64,
number of one of its rows; ``ships``, uint64 (rows, ships), and ``states``, the group ``States``.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    kernel,
    low_word,
    lowest_bit,
    popcount,
)
from seabattle.solver.search import arrays as at
from seabattle.solver.search import work
from seabattle.solver.search.answers import list_falling
from seabattle.solver.search.table import (
    EMPTY,
    look_up,
    misses_of,
)

UNKNOWN = -1
"""In place of a state, where none was counted."""


@kernel
def sunk_cells(row, certain, ships):
    """Mask of the cells of the ships that lie in H: they are sunk, in every row of a sub-table."""
    sunk = ZERO
    for d in range(ships.shape[1]):
        if (ships[row, d] & ~low_word(certain)) == ZERO:
            sunk |= ships[row, d]
    return sunk


@kernel
def state_of(row, certain, states):
    """The state of a closed sub-table: the number of its hits and sinkings, or UNKNOWN."""
    if states.size[0] == 0:
        return UNKNOWN
    key = low_word(certain), sunk_cells(row, certain, states.ships)
    packed = look_up(states.slots, key, work.NO_LIMIT)
    return UNKNOWN if packed == EMPTY else misses_of(packed)


MOST_COUNTED_SHIPS = 12
"""With more ships than this the sinkings still to come are not counted."""


@lru_cache(maxsize=16)
def sinking_patterns(lengths: tuple[int, ...]) -> NDArray[np.int64]:
    """Ways to place the sinkings still to come among the hits still to come.

    Parameters
    ----------
    lengths
        Ship lengths, longest first.

    Returns
    -------
    patterns
        int64 ``(2^n_ships, fleet cells + 1)``: for every set of ships not sunk (bit d is ship d)
        and every number g of their cells that are hit already, an upper bound on the number of
        sequences of the h = sum of lengths - g hits to come. The last one sinks, and before the
        i-th sinking at least i hits, and at least the i shortest lengths less g, are needed. 0
        (nothing is counted) with more than 12 ships.

    Examples
    --------
    >>> sinking_patterns((2, 1))[0b11, :2].tolist()  # x X X, X x X: the second hit may sink or not
    [2, 1]
    """
    if len(lengths) > MOST_COUNTED_SHIPS:
        return np.zeros((1, 1), dtype=np.int64)
    cells = sum(lengths)
    patterns = np.zeros((1 << len(lengths), cells + 1), dtype=np.int64)
    for afloat in range(1, 1 << len(lengths)):
        left = sorted(length for d, length in enumerate(lengths) if afloat >> d & 1)
        for g in range(sum(left) - len(left) + 1):
            hits = sum(left) - g
            least = [max(i, sum(left[:i]) - g) for i in range(1, len(left) + 1)]
            ways = {0: 1}  # sinkings so far -> sequences
            for position in range(1, hits + 1):
                following: dict[int, int] = {}
                for sunk, count in ways.items():
                    if position < hits:
                        following[sunk] = following.get(sunk, 0) + count
                    if sunk < len(left) and position >= least[sunk]:
                        following[sunk + 1] = following.get(sunk + 1, 0) + count
                ways = following
            patterns[afloat, g] = min(max(1, ways.get(len(left), 0)), 1 << 40)
    return patterns


ROWS_LOOKED_UP = 24
"""Rows from which on mode ``hit`` asks for a state: of fewer the words tell as much."""

REACH_LIMIT = 1 << 40


@lru_cache(maxsize=2)
def reach_table(size: int) -> NDArray[np.int64]:
    """C(k + h, k) for h in rows and k in columns, as many of each, cut off at 2^40."""
    return np.array(
        [[min(comb(k + h, k), REACH_LIMIT) for k in range(size)] for h in range(size)],
        dtype=np.int64,
    )


MOST_FEW = 4
"""Rows up to which a sub-table of mode ``hit`` has a value in closed form."""

UNSOLVED = -2


@kernel
def is_weighted(options):
    """Whether some weight is not 1."""
    return options[work.LIGHTEST] != 1 or options[work.HEAVIEST] != 1


@kernel
def value_of_few(ids, lo, n, miss_limit, arrays):
    """Search value of a sub-table of few rows, UNSOLVED where there is no closed form.

    Two rows of different cells: a shot at a cell of the heavier one misses in the other. For up to
    four of mode ``hit`` see ``few_alike`` and ``few_weighted``.
    """
    options = arrays.options
    mode = options[work.MODE]
    if (
        options[work.BOUNDS] == 0
        or mode == work.OPEN_SUNK
        or n > MOST_FEW
        or options[work.GOAL] == work.LOST
    ):
        return UNSOLVED
    if miss_limit == 0:
        return work.INFEASIBLE << 7
    weights = arrays.game.weights
    if n == 2:
        lighter = min(weights[ids[lo]], weights[ids[lo + 1]])
        return 1 << 7 | 1 if options[work.GOAL] == work.WORST else lighter << 7 | 1
    if mode != work.PLAIN:
        return UNSOLVED
    rows = arrays.game.occupied_by
    if options[work.GOAL] == work.WORST:
        worst = few_alike(ids, lo, n, rows) & 127
        return worst << 7 | worst
    if not is_weighted(options):
        value = few_alike(ids, lo, n, rows)
        return value if (value & 127) <= miss_limit else work.INFEASIBLE << 7
    if n == 3:
        return few_weighted(ids, lo, rows, weights, miss_limit)
    return UNSOLVED


@kernel
def few_alike(ids, lo, n, rows):
    """Search value of 3 or 4 rows of weight 1.

    3 rows: a cell in two of them costs 1 + 1, else 2 + 1. 4 rows: a cell in three of them whose
    rows share another cell in two costs 1 + 2; else a cell in two or three costs 4; else 3 + 2 + 1.
    In each case one tree is best in both senses.
    """
    a = rows[ids[lo]]
    b = rows[ids[lo + 1]]
    c = rows[ids[lo + 2]]
    if n == 3:
        pair = ((a & b) | (a & c) | (b & c)) & ~(a & b & c)
        return (2 << 7 | 1) if pair != ZERO else (3 << 7 | 2)
    d = rows[ids[lo + 3]]
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
def few_weighted(ids, lo, rows, weights, miss_limit):
    """Search value of 3 rows: a cell of two rows costs the third and the lighter of the two; a cell
    of one row costs the others and the lighter of them, and may take 2 misses.
    """
    best = work.INFEASIBLE << 7
    for i in range(3):
        a = ids[lo + i]
        b = ids[lo + (i + 1) % 3]
        c = ids[lo + (i + 2) % 3]
        if (rows[b] & rows[c] & ~rows[a]) != ZERO:
            best = min(best, (weights[a] + min(weights[b], weights[c])) << 7 | 1)
        if miss_limit >= 2 and (rows[a] & ~rows[b] & ~rows[c]) != ZERO:
            both = weights[b] + weights[c]
            best = min(best, (both + min(weights[b], weights[c])) << 7 | 2)
    return best


COLUMN_ROWS = 16
"""Least rows of a sub-table whose columns are looked at beside its words in mode ``hit``."""


@kernel
def miss_path_bound(n, weight, skip, count, counts, goal):
    """Lower bound on the misses of a sub-table from its columns: the path of all misses.

    However the shots are chosen, at least weight - (sum of the j heaviest columns) misses more
    than j - 1 times: those layouts are still there after j misses in a row. Valid in every mode
    where no certain hit is due: a hit that is free may part the rows, each part with columns of
    its own. A cell that becomes a certain hit on the way does no harm: after j misses all rows
    left hold it, so the j + 1 heaviest columns leave nothing and the sum has ended.
    skip : int64, a cell left out, or -1; count : int64, number of undetermined cells
    counts : int64 (COUNT_PLANES, 64), from ``count_cells``
    """
    bound = 0
    left = n if goal == work.WORST else weight
    for i in range(count):
        cell = counts[at.BY_ROWS, i] if goal == work.WORST else counts[at.BY_WEIGHT, i]
        if cell == skip:
            continue
        left -= counts[at.ROWS, cell] if goal == work.WORST else counts[at.WEIGHT, cell]
        if left <= 0:
            break
        bound += 1 if goal == work.WORST else left
    return bound


@kernel
def list_columns(n, unknown, counts):
    """List the undetermined cells of a sub-table, most rows first, where that is worth while.

    It is not where a cell is occupied in more than a third of the rows: columns hardly help there.

    unknown : uint64, mask of the undetermined cells
    counts : int64 (COUNT_PLANES, 64), ROWS is read, BY_ROWS modified
    Returns int64, the number of cells listed, 0 where it is not worth while.
    """
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        if 3 * counts[at.ROWS, c] > n:
            return 0
    return list_falling(unknown, at.BY_ROWS, at.ROWS, counts)


@kernel
def first_shots_bound(n, weight, skip, count, counts, after, ways, goal, options):
    """Lower bound on the misses of a sub-table from its columns and what may follow a hit at once.

    A row found with at most k misses is hit by one of the first k + 1 shots of the path on which
    every shot misses. The one after j misses finds no more rows than its column holds, and no more
    than can be found after it with k - j misses. Both numbers fall where the columns are taken in
    falling order, so that no other order gives a larger sum of the lesser of the two.

    skip : int64, a cell left out, or -1; count : int64, number of cells listed
    counts : ROWS, and BY_ROWS with the cells listed, of the sub-table or of one that contains it
    after : int64 (k,), ways : int64, at least 1: no more than ways * after[j] rows are found with
        at most j misses after a hit
    """
    bound = 0
    enough = (n + ways - 1) // ways  # so that no product is too large
    for k in range(after.shape[0]):
        found = 0
        most = n
        left = k  # misses that may still follow the shot
        for i in range(count):
            cell = counts[at.BY_ROWS, i]
            if cell == skip:
                continue
            if after[left] < enough:
                most = min(most, ways * after[left])  # fewer misses find no more
            found += min(most, counts[at.ROWS, cell])
            left -= 1
            if left < 0 or found >= n:
                break
        if left >= 0 or found >= n:
            break
        if goal == work.WORST:
            bound += 1
        else:
            bound += weight_left(n, weight, found, options)
    return bound


@kernel
def weight_left(n, weight, found, options):
    """Weight, at least, of the rows without so many of them."""
    return max((n - found) * options[work.LIGHTEST], weight - found * options[work.HEAVIEST])


@kernel
def patterns_left(row, certain, ships, lengths, mode, patterns):
    """How many sequences of answers, misses left out, can still sink the fleet; 0: not counted.

    With named ships every order of the ships' cells counts (equal ships told apart: more than
    there are, which only weakens the bound). The result is at most 2^40.

    row : int64, any row of a sub-table; every one gives the same number
    certain : uint64, its H; in the open mode the cells hit so far
    mode : int64, family of the answers; hits alone, PLAIN, follow in one way
    ships : uint64 (n_rows, n_ships), cells of each ship; lengths : int64 (n_ships,)
    patterns : int64 (2^n_ships, ship cells + 1), for each set of ships not sunk and number of
        their cells hit already the ways to place the sinkings among the hits to come
    """
    count = lengths.shape[0]
    if mode == work.PLAIN:
        return 1
    if mode in (work.CLOSED_SUNK, work.OPEN_SUNK):
        afloat = 0
        hit = 0
        for d in range(count):
            struck = ships[row, d] & certain
            if struck != ships[row, d]:
                afloat |= 1 << d
                hit += popcount(struck)
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
def told_apart_bound(n, weight, most, ways, goal, options):
    """Lower bound on the misses of a sub-table of which so many rows miss k times or fewer at most.

    By its size alone, for answers of any kind: after a leaf the rest of the fleet is sunk in
    reading order, so that every layout has a word: its misses, and one letter for each of the h
    cells left, the last of which comes last. No word begins another's. With j misses there are
    C(h + j - 1, j) ways to place them before that last letter, with at most k misses C(h + k, k);
    and at most ``ways`` sequences of letters. So at most ways * C(h + k, k) layouts miss k times or
    fewer, all others more than k times. With weights those others weigh as much as the lightest
    each at least, and no less than all without the heaviest for each of the first.

    most : int64 (k,): no more than ways * most[k] rows miss k times or fewer
    ways : int64, at least 1
    """
    bound = 0
    enough = (n + ways - 1) // ways  # so that no product is too large
    for k in range(most.shape[0]):
        if most[k] >= enough:
            break
        bound += 1 if goal == work.WORST else weight_left(n, weight, ways * most[k], options)
    return bound


@kernel
def state_of_rows(row, n, certain, mode, states):
    """The state of a sub-table (``state_of``), UNKNOWN where it is not worth while to ask."""
    if mode == work.PLAIN and n < ROWS_LOOKED_UP:
        return UNKNOWN
    return state_of(row, certain, states)


@kernel
def lost_by_size(n, weight, ways, cells, left, arrays):
    """Lower bound on the weight lost with so many misses left, by words."""
    if left < 0:
        return weight
    words = arrays.reach[cells, left]
    if ways == 0 or words >= (n + ways - 1) // ways:
        return 0
    return weight_left(n, weight, ways * words, arrays.options)


@kernel
def lost_by_columns(weight, skip, sub, counts, left, arrays):
    """The same from the path on which every shot misses.

    What is not lost was hit by one of its first left + 1 shots. The one after i misses holds no
    more than its column, of which no more than its words with the other misses are not lost.

    counts : with the cells listed by weight (``count_columns``)
    """
    order = at.BY_ROWS if arrays.options[work.MODE] == work.PLAIN else at.BY_WEIGHT
    for i in range(sub.count):
        cell = counts[order, i]
        if left < 0 or weight <= 0:
            break
        if cell != skip:
            column = counts[at.WEIGHT, cell]
            words = arrays.reach[sub.cells - 1, left]
            if 0 < sub.ways <= column // words:
                column = min(column, sub.ways * words * arrays.options[work.HEAVIEST])
            weight -= column
            left -= 1
    return max(0, weight)


@kernel
def size_bound(n, weight, state, ways, cells, goal, arrays):
    """Lower bound on the misses of a sub-table from its size: words, and what hits leave."""
    if goal >= work.LOST:
        return lost_by_size(n, weight, ways, cells, goal - work.LOST - 1, arrays)
    options = arrays.options
    bound = 0
    if ways > 0:
        bound = told_apart_bound(n, weight, arrays.reach[cells], ways, goal, options)
    if state != UNKNOWN:
        found = arrays.coverage.found[state, at.FOUND]
        bound = max(bound, told_apart_bound(n, weight, found, 1, goal, options))
    return bound


@kernel
def column_bound(n, weight, skip, sub, counts, goal, arrays):
    """Lower bound on the misses of a sub-table from its columns and what may follow a hit.

    n, weight : of the sub-table, or of what a miss leaves of it
    skip : int64, a cell left out, or -1
    """
    if goal >= work.LOST:
        return lost_by_columns(weight, skip, sub, counts, goal - work.LOST - 1, arrays)
    options = arrays.options
    bound = 0
    if options[work.MODE] != work.PLAIN:
        bound = miss_path_bound(n, weight, skip, sub.count, counts, goal)
    ways = sub.ways
    after = arrays.reach[sub.cells - 1]
    if sub.state != UNKNOWN:
        ways = 1
        after = arrays.coverage.found[sub.state, at.FOUND_AFTER_HIT]
    if options[work.COVERAGE] == 0 or ways == 0:
        return bound
    first = first_shots_bound(n, weight, skip, sub.count, counts, after, ways, goal, options)
    return max(bound, first)
