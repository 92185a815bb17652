"""Compiled loops of the enumerator and the decision table.

Arrays that several kernels take, none of them modified unless a kernel says so:

    masks : uint64 (n_placements, 2) or (n_layouts, words), cells occupied, low word first: 2 words
        while layouts are placed (boards of up to 128 cells), 1 or 2 in tables
    ships : uint16 (n_layouts, n_ships), placement numbers
    lengths : int64 (n_ships,), lengths of the ships, longest first
    mode : answer mode with its announcement, one of the ``KERNEL_`` numbers of ``answers``

Counts are int64 and bounded by the number of layouts, which must fit in memory, or by the sum of
the weights, which is validated to stay below 2**62: no sum here can overflow.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import (
    ONE,
    ZERO,
    allocating_kernel,
    inner_kernel,
    kernel,
    lowest_bit,
    popcount,
)
from seabattle.enumerate.game.answers import (
    HIT,
    HIT_SHIP,
    KERNEL_HIT,
    KERNEL_SHIP,
    KERNEL_SUNK,
    MISS,
    SUNK,
    SUNK_LENGTH,
)


@kernel
def place_ships(
    masks,
    halos,
    first,
    stop,
    same,
    state,
    blocked,
    occupied,
    out_masks,
    out_ships,
    write,
    most,
    steps,
):
    """Continue a depth-first walk over all layouts; return how many were completed.

    masks, halos : uint64 (n_placements, 2), cells of each placement, and the cells it denies to
        other ships, its own among them
    first, stop : int64 (n_ships,), range of the placements of each ship
    same : uint8 (n_ships,), 1 when a ship is as long as the one before it; it then takes higher
        placement numbers only, so that every layout comes once
    state : int64 (n_ships + 1,), modified: state[d] is the next placement to try for ship d, and
        state[n_ships] the current depth, -1 when the walk is over
    blocked, occupied : uint64 (n_ships + 1, 2), modified: at each depth the cells that are not
        free, and the cells taken
    out_masks : uint64 (capacity, words), out_ships : uint16 (capacity, n_ships), modified from
        row 0 on when ``write`` is 1
    most : number of layouts to stop after
    steps : number of placements to try before stopping (the last ship's are always tried to the
        end, so both limits may be passed by one inner loop)
    """
    ships = first.shape[0]
    words = out_masks.shape[1]
    last = ships - 1
    depth = state[ships]
    found = 0
    while depth >= 0 and found < most and steps > 0:
        low = blocked[depth, 0]
        high = blocked[depth, 1]
        if depth == last:
            p = state[depth]
            end = stop[depth]
            steps -= end - p
            while p < end and found < most:
                if (masks[p, 0] & low) == ZERO and (masks[p, 1] & high) == ZERO:
                    if write == 1:
                        out_masks[found, 0] = occupied[depth, 0] | masks[p, 0]
                        if words > 1:
                            out_masks[found, 1] = occupied[depth, 1] | masks[p, 1]
                        for d in range(last):
                            out_ships[found, d] = state[d] - 1
                        out_ships[found, last] = p
                    found += 1
                p += 1
            state[depth] = p
            if p >= end:
                depth -= 1
        else:
            p = state[depth]
            end = stop[depth]
            while p < end and ((masks[p, 0] & low) != ZERO or (masks[p, 1] & high) != ZERO):
                p += 1
                steps -= 1
            if p >= end:
                depth -= 1
            else:
                state[depth] = p + 1
                for w in range(2):
                    blocked[depth + 1, w] = blocked[depth, w] | halos[p, w]
                    occupied[depth + 1, w] = occupied[depth, w] | masks[p, w]
                depth += 1
                steps -= 1
                state[depth] = p + 1 if same[depth] == 1 else first[depth]
    state[ships] = depth
    return found


@allocating_kernel
def probe_layouts(masks, halos, first, stop, seed, probes):
    """Estimate the number of layouts by placing ships at random.

    masks, halos : uint64 (n_placements, 2); first, stop : int64 (n_ships,), as in ``place_ships``
    seed : of the random numbers; probes : number of random walks
    Returns the mean over the walks of the product of the numbers of free placements (float64): an
    unbiased estimate of the number of layouts with identical ships distinguished [Knuth1975].
    """
    np.random.seed(seed)
    ships = first.shape[0]
    free = np.empty(masks.shape[0], np.int64)
    total = 0.0
    for _ in range(probes):
        low = ZERO
        high = ZERO
        product = 1.0
        for d in range(ships):
            n = 0
            for p in range(first[d], stop[d]):
                if (masks[p, 0] & low) == ZERO and (masks[p, 1] & high) == ZERO:
                    free[n] = p
                    n += 1
            if n == 0:
                product = 0.0
                break
            product *= n
            p = free[np.random.randint(0, n)]
            low |= halos[p, 0]
            high |= halos[p, 1]
        total += product
    return total / probes


@kernel
def count_columns(masks, weights, counts):
    """Add every layout's weight to the counts of the cells it occupies.

    masks : uint64 (n_layouts, words); weights : int64 (n_layouts,), or (0,) when all are 1
    counts : int64 (cells,), modified
    Weights and counts may both be float64 instead.
    """
    uniform = weights.shape[0] == 0
    for i in range(masks.shape[0]):
        weight = 1 if uniform else weights[i]
        for w in range(masks.shape[1]):
            word = masks[i, w]
            while word != ZERO:
                counts[64 * w + lowest_bit(word)] += weight
                word &= word - ONE


@kernel
def transpose_bits(masks, columns):
    """Fill the column bitsets of a table from its rows.

    masks : uint64 (n_layouts, words)
    columns : uint64 (cells, ceil(n_layouts / 64)), modified; must be zero on entry. Bit i of a
        column, counted from the low end of word 0, is layout i.
    """
    for i in range(masks.shape[0]):
        bit = ONE << np.uint64(i & 63)
        block = i >> 6
        for w in range(masks.shape[1]):
            word = masks[i, w]
            while word != ZERO:
                columns[64 * w + lowest_bit(word), block] |= bit
                word &= word - ONE


@kernel
def count_bits(words):
    """Number of set bits in words : uint64 (n,)."""
    total = 0
    for i in range(words.shape[0]):
        total += popcount(words[i])
    return total


@kernel
def words_of(cell):
    """Low and high word of the mask of one cell, uint64 each."""
    if cell < 64:
        return ONE << np.uint64(cell), ZERO
    return ZERO, ONE << np.uint64(cell - 64)


@inner_kernel
def name_answer(ship_low, ship_high, lengths, cell, shot_low, shot_high, names, mode):
    """Answer code (int64) of one shot at one layout: the rules of the game and nothing else.

    ship_low, ship_high : uint64 (n_ships,), the two words of each ship's cells
    cell : the cell shot now; shot_low, shot_high : uint64, the cells shot before
    names : int64 (n_ships,), modified in mode ``ship``: 0 until a ship is hit, then its number
        among the ships of its length
    """
    low, high = words_of(cell)
    for d in range(lengths.shape[0]):
        if (ship_low[d] & low) == ZERO and (ship_high[d] & high) == ZERO:
            continue
        if mode == KERNEL_HIT:
            return HIT
        if mode == KERNEL_SHIP:
            if names[d] == 0:
                number = 1
                for e in range(lengths.shape[0]):
                    if lengths[e] == lengths[d] and names[e] > 0:
                        number += 1
                names[d] = number
            return HIT_SHIP + 64 * lengths[d] + names[d]
        afloat = (ship_low[d] & ~(shot_low | low)) | (ship_high[d] & ~(shot_high | high))
        if afloat != ZERO:
            return HIT
        return SUNK if mode == KERNEL_SUNK else SUNK_LENGTH + lengths[d]
    return MISS


@inner_kernel
def set_up(layout, ships, masks, low, high, names):
    """Put one layout on the board, no ship hit yet.

    layout : its row in ``ships``; masks : uint64 (n_placements, 2)
    low, high : uint64 (n_ships,), names : int64 (n_ships,), modified: as ``name_answer`` takes them
    """
    for d in range(ships.shape[1]):
        low[d] = masks[ships[layout, d], 0]
        high[d] = masks[ships[layout, d], 1]
        names[d] = 0


@kernel
def replay(low, high, lengths, history, names, mode):
    """Shoot some cells at the layout on the board; return the two words of their mask, uint64.

    low, high : uint64 (n_ships,), the layout; history : int64 (n_shots,), cells in order
    names : int64 (n_ships,), modified in mode ``ship``, as in ``name_answer``
    """
    shot_low = ZERO
    shot_high = ZERO
    for cell in history:
        if mode == KERNEL_SHIP:
            name_answer(low, high, lengths, cell, shot_low, shot_high, names, mode)
        cell_low, cell_high = words_of(cell)
        shot_low |= cell_low
        shot_high |= cell_high
    return shot_low, shot_high


@allocating_kernel
def name_all(ids, masks, ships, lengths, history, cell, mode, answers):
    """Answers of some layouts to a shot, given the cells shot before, by the rules of the game.

    ids : int64 (n,), rows of ``ships``; masks : uint64 (n_placements, 2)
    history : int64 (n_before,), cells shot before, in order; cell : the cell shot now
    answers : int64 (n,), modified: answer codes
    """
    count = lengths.shape[0]
    low = np.empty(count, np.uint64)
    high = np.empty(count, np.uint64)
    names = np.empty(count, np.int64)
    for i in range(ids.shape[0]):
        set_up(ids[i], ships, masks, low, high, names)
        shot_low, shot_high = replay(low, high, lengths, history, names, mode)
        answers[i] = name_answer(low, high, lengths, cell, shot_low, shot_high, names, mode)


@allocating_kernel
def fit_history(masks, ships, lengths, cells, answers, mode, keep):
    """Mark the layouts that would have given every answer of an ordered history.

    masks : uint64 (n_placements, 2); cells, answers : int64 (n_shots,), in order
    keep : uint8 (n_layouts,), modified: 1 or 0. Returns how many are kept.
    """
    count = lengths.shape[0]
    low = np.empty(count, np.uint64)
    high = np.empty(count, np.uint64)
    names = np.empty(count, np.int64)
    kept = 0
    for i in range(ships.shape[0]):
        set_up(i, ships, masks, low, high, names)
        shot_low = ZERO
        shot_high = ZERO
        good = 1
        for s in range(cells.shape[0]):
            cell = cells[s]
            if (
                name_answer(low, high, lengths, cell, shot_low, shot_high, names, mode)
                != answers[s]
            ):
                good = 0
                break
            cell_low, cell_high = words_of(cell)
            shot_low |= cell_low
            shot_high |= cell_high
        keep[i] = good
        kept += good
    return kept
