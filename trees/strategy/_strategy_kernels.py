"""Compiled loops of strategy files: keys, looking positions up, checking a file from the rules.

``trees.strategy.strategy_format`` says what a key is. Words used here: a *segment* is a range
``lo:hi`` of ``ids``, the layouts still possible; ``certain`` (H) is the mask of the cells all of
them occupy, ``occupied`` of the cells some do, *water* the others. A segment is *closed* when all
certain hits have been shot: then all its layouts agree on what those shots told. Arrays that most
kernels take:

    rows : uint64 (n_layouts,), cells of each layout; ships : uint64 (n_layouts, n_ships), cells
        of each ship; lengths : int64 (n_ships,)
    sides : uint64 (64,), for each cell the mask of the cells beside it
    mode : answer mode of ``name_answer``: 0 hit, 1 sunk (ships that share no side), 3 ship
    shares : uint64 (n_symmetries, bytes, 256), each byte's share of key word 0 (see
        ``trees.strategy.strategy_format.key_shares``)
    moves, back : int64 (n_symmetries, 64), the image of each cell and the cell of each image
    low, high : uint64 (n_states,), the two words of the keys in increasing order; high has length
        0 where one word is enough

Values stay below n_layouts * cells, far from overflow. Nothing here uses the search: the keys that
``solver.search.kernels.keys`` makes are made here once more, so that a check shares nothing with
it.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, allocating_kernel, kernel, lowest_bit
from seabattle.enumerate.layouts._subset_kernels import close_segment, group_of, part_segment

FINE = 0
EMPTY_STATE = 1
NOT_CLOSED = 2
NOT_LEAST = 3
BAD_SHOT = 4
MISSING = 5
WRONG_VALUE = 6
BETTER_SHOT = 7

_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)


@allocating_kernel
def names_word(layout, certain, g, moves, back, ships, lengths):
    """Ships in the cells of H under symmetry g, as digits to the base n_ships.

    The cells are read in the order of their images, the first one is the highest digit. A digit
    is a place in the fleet: ships of one length take theirs in the order in which they are met.
    """
    count = lengths.shape[0]
    place = np.full(count, -1, np.int64)
    images = ZERO
    left = certain
    while left != ZERO:
        images |= ONE << np.uint64(moves[g, lowest_bit(left)])
        left &= left - ONE
    word = ZERO
    while images != ZERO:
        cell = back[g, lowest_bit(images)]
        images &= images - ONE
        d = 0
        while (ships[layout, d] >> np.uint64(cell)) & ONE == ZERO:
            d += 1
        if place[d] < 0:
            place[d] = 0
            for e in range(count):
                if lengths[e] > lengths[d] or (
                    lengths[e] == lengths[d] and e != d and place[e] >= 0
                ):
                    place[d] += 1
        word = word * np.uint64(count) + np.uint64(place[d])
    return word


@kernel
def told_of(layout, certain, rows, ships, lengths, sides, mode, moves, back):
    """What shooting all cells of H tells of a layout, as one number.

    Mode hit: nothing. Mode sunk: a bit per group of H, 1 where the layout occupies no cell beside
    it. Mode ship: the ship in each cell.
    """
    if mode == 3:
        return names_word(layout, certain, 0, moves, back, ships, lengths)
    told = ZERO
    if mode == 1:
        left = certain
        while left != ZERO:
            group, around = group_of(left & (~left + ONE), certain, sides)
            left &= ~group
            told = told << ONE | (ONE if rows[layout] & around == ZERO else ZERO)
    return told


@kernel
def least_key(layout, certain, water, shares, moves, back, ships, lengths, mode, wide):
    """Least key over the symmetries: word 0, word 1 (0 where one is enough), the symmetry."""
    best = ZERO
    second = ZERO
    symmetry = -1
    for g in range(shares.shape[0]):
        word = ZERO
        other = ZERO
        h = certain
        m = water
        for b in range(shares.shape[1]):
            if wide:
                word |= shares[g, b, h & _BYTE]
                other |= shares[g, b, m & _BYTE]
            else:
                word += shares[g, b, h & _BYTE] + (shares[g, b, m & _BYTE] << ONE)
            h >>= _EIGHT
            m >>= _EIGHT
        if symmetry >= 0 and word > best:
            continue
        if mode == 3:
            other = names_word(layout, certain, g, moves, back, ships, lengths)
        if symmetry < 0 or word < best or other < second:
            best = word
            second = other
            symmetry = g
    return best, second, symmetry


@kernel
def find_key(low, high, word, second):
    """Place of a key in the file, -1 when it is not there. Modifies nothing."""
    wide = high.shape[0] > 0
    a = 0
    b = low.shape[0]
    while a < b:
        middle = (a + b) >> 1
        if low[middle] < word or (wide and low[middle] == word and high[middle] < second):
            a = middle + 1
        else:
            b = middle
    if a < low.shape[0] and low[a] == word and (not wide or high[a] == second):
        return a
    return -1


@kernel
def locate(
    ids, lo, hi, rows, ships, lengths, sides, mode, full, wide,
    shares, moves, back, low, high, ends, places, symmetries,
):  # fmt: skip
    """Shoot all certain hits of a segment and look its closed parts up.

    ids : modified (layouts of a segment change places)
    ends, places, symmetries : int64 (n_layouts,), modified: scratch; for each part of more than
        one occupancy its place in the file (-1: not there) and the symmetry of its key
    Returns the number of such parts.
    """
    found = 0
    ends[0] = hi
    height = 1
    while height > 0:
        end = ends[height - 1]
        certain, occupied = close_segment(ids, lo, end, rows, full)
        if certain == occupied:
            lo = end
            height -= 1
            continue
        middle = end
        if mode != 0:
            told = told_of(ids[lo], certain, rows, ships, lengths, sides, mode, moves, back)
            middle = lo + 1
            for i in range(lo + 1, end):
                if told == told_of(ids[i], certain, rows, ships, lengths, sides, mode, moves, back):
                    swap = ids[i]
                    ids[i] = ids[middle]
                    ids[middle] = swap
                    middle += 1
        if middle < end:
            ends[height] = middle
            height += 1
            continue
        word, second, g = least_key(
            ids[lo], certain, full & ~occupied, shares, moves, back, ships, lengths, mode, wide
        )
        places[found] = find_key(low, high, word, second)
        symmetries[found] = g
        found += 1
        lo = end
        height -= 1
    return found


@kernel
def write_keys(
    layouts, certain, water, ships, lengths, mode, wide, shares, moves, back, words, symmetries
):
    """Least keys of many closed sub-tables.

    layouts : int64 (n,), one layout of each; certain, water : uint64 (n,)
    words : uint64 (n, 2), symmetries : int64 (n,): modified
    """
    for i in range(layouts.shape[0]):
        words[i, 0], words[i, 1], symmetries[i] = least_key(
            layouts[i], certain[i], water[i], shares, moves, back, ships, lengths, mode, wide
        )


@kernel
def fits_key(layout, h, m, names, rows, ships, lengths, sides, mode, moves, back):
    """Whether a layout that contains H and avoids M belongs to the sub-table of a key.

    See ``trees.strategy.strategy_format``; in mode hit every such layout does.
    """
    if mode == 1:
        left = h
        while left != ZERO:
            group, around = group_of(left & (~left + ONE), h, sides)
            left &= ~group
            if around & ~m != ZERO and rows[layout] & around == ZERO:
                return False
    if mode == 3:
        return names == names_word(layout, h, 0, moves, back, ships, lengths)
    return True


@kernel
def shot_value(
    ids, lo, hi, cell, worst, rows, ships, lengths, sides, mode, full, wide,
    shares, moves, back, low, high, values, ends, places, symmetries,
):  # fmt: skip
    """Misses of a shot and all that follows it, from the file; -1 where the file does not say.

    worst : 1 for the worst case, 0 for the total; values : int64 (n_states,)
    """
    middle = part_segment(ids, lo, hi, ONE << np.uint64(cell), rows)
    value = 0
    for half in range(2):
        a = lo if half == 0 else middle
        b = middle if half == 0 else hi
        if a == b:
            continue
        missed = 1 if half == 0 else 0
        value = max(value, missed) if worst == 1 else value + missed * (b - a)
        parts = locate(
            ids, a, b, rows, ships, lengths, sides, mode, full, wide,
            shares, moves, back, low, high, ends, places, symmetries,
        )  # fmt: skip
        for p in range(parts):
            if places[p] < 0:
                return -1
            below = values[places[p]]
            value = max(value, missed + below) if worst == 1 else value + below
    return value


@kernel
def check_states(
    first, last, every, worst, rows, ships, lengths, sides, mode, cells, wide,
    shares, moves, back, low, high, values, shots, ids, ends, places, symmetries,
):  # fmt: skip
    """Check the states ``first:last`` of a file; return the first wrong one and what is wrong.

    The layouts of each key are found anew; the key must be closed and the least of its orbit; its
    value must be what its shot and the values below it make; and with ``every`` no other shot may
    be better, and all that follows any shot must be in the file.
    values, shots : int64 (n_states,); ids, ends, places, symmetries : int64 (n_layouts,), scratch
    Returns (state, kind); kind is FINE when all are right.
    """
    full = (ONE << np.uint64(cells)) - ONE if cells < 64 else ~ZERO
    for state in range(first, last):
        h = ZERO
        m = ZERO
        names = ZERO
        if wide:
            h = low[state]
            m = high[state]
        else:
            left = low[state]
            for cell in range(cells):
                digit = left % np.uint64(3)
                left //= np.uint64(3)
                if digit == ONE:
                    h |= ONE << np.uint64(cell)
                elif digit != ZERO:
                    m |= ONE << np.uint64(cell)
            if mode == 3:
                names = high[state]
        n = 0
        for i in range(rows.shape[0]):
            if rows[i] & h != h or rows[i] & m != ZERO:
                continue
            if mode == 0 or fits_key(
                i, h, m, names, rows, ships, lengths, sides, mode, moves, back
            ):
                ids[n] = i
                n += 1
        if n == 0:
            return state, EMPTY_STATE
        certain, occupied = close_segment(ids, 0, n, rows, full)
        if certain != h or full & ~occupied != m or certain == occupied:
            return state, NOT_CLOSED
        word, second, _ = least_key(
            ids[0], certain, full & ~occupied, shares, moves, back, ships, lengths, mode, wide
        )
        if word != low[state] or (high.shape[0] > 0 and second != high[state]):
            return state, NOT_LEAST
        unknown = occupied & ~certain
        shot = shots[state]
        if shot >= cells or (unknown >> np.uint64(shot)) & ONE == ZERO:
            return state, BAD_SHOT
        for cell in range(cells):
            if (unknown >> np.uint64(cell)) & ONE == ZERO or (every == 0 and cell != shot):
                continue
            value = shot_value(
                ids, 0, n, cell, worst, rows, ships, lengths, sides, mode, full, wide,
                shares, moves, back, low, high, values, ends, places, symmetries,
            )  # fmt: skip
            if value < 0:
                return state, MISSING
            if cell == shot and value != values[state]:
                return state, WRONG_VALUE
            if value < values[state]:
                return state, BETTER_SHOT
    return last, FINE
