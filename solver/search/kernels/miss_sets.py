"""Compiled loops over blocks and over their sets of misses. Arrays and scalars only.

``solver.search.miss_sets`` says what blocks and parts are, what is computed, and why it is right. A
set of misses of a block with k cells in question is a number below 2^k, bit i for the block's cell
i. Parameters that many kernels share: ``ids``, int32 ``(n_rows,)``; ``lo`` and ``hi``, int64, a
segment of them; ``arrays``, the group of arrays of ``minimize``; ``images``, int32 ``(symmetries,
rows)``, row that each row becomes; ``moves``, int64 ``(symmetries, 64)``, image of each cell;
``g``, int64, number of a symmetry. A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import ONE, ZERO, group, kernel, popcount
from seabattle.solver.search.arrays import HI, LO, K
from seabattle.solver.search.work import ARENA_TOP, MODE, OPEN_SUNK


@kernel
def digest(ids, lo, hi, marks, images, g, cells):
    """Two words that tell a segment and a mask, moved by symmetry g, from almost all others.

    marks : uint64 (rows, 2), random; cells : uint64, the mask, moved already
    """
    first = cells * np.uint64(0x9E3779B97F4A7C15)
    second = cells * np.uint64(0xC2B2AE3D27D4EB4F)
    for i in range(lo, hi):
        row = images[g, ids[i]]
        first += marks[row, 0]
        second += marks[row, 1]
    return first, second


@kernel
def moved(cells, g, moves):
    """A mask of cells, moved by symmetry g."""
    image = ZERO
    for cell in range(moves.shape[1]):
        if cells >> np.uint64(cell) & ONE:
            image |= ONE << np.uint64(moves[g, cell])
    return image


@kernel
def name_parts(ids, marks, images, moves, named, arrays):
    """The least digest of every part over the symmetries, and the symmetry that gives it.

    named : uint64 (entries of the arena, 3), modified; the other parameters as in ``digest``
    """
    mode = arrays.options[MODE]
    for p in range(arrays.counters[ARENA_TOP]):
        lo = arrays.arena.entries[p, LO]
        hi = arrays.arena.entries[p, HI]
        cells = arrays.arena.masks[p, K] if mode == OPEN_SUNK else ZERO
        for g in range(images.shape[0]):
            one, two = digest(ids, lo, hi, marks, images, g, moved(cells, g, moves))
            if g == 0 or one < named[p, 0] or (one == named[p, 0] and two < named[p, 1]):
                named[p, 0] = one
                named[p, 1] = two
                named[p, 2] = g


@kernel
def same_rows(ids, images, g, rows, seen):
    """Whether rows moved by symmetry g are just the given ones.

    rows : int32 (n,); seen : int8 (rows of the game,), scratch, 0 before and after
    """
    if len(ids) != len(rows):
        return False
    for row in ids:
        seen[images[g, row]] = 1
    same = True
    for row in rows:
        same = same and seen[row] == 1
    for row in ids:
        seen[images[g, row]] = 0
    return same


NO_BIT = -1
"""In place of a bit: the cell is certain, so that no shot there misses."""

LOW = 255
"""Sets that differ in these bits alone are neighbours: a page of a block."""

SEGMENT_BITS = 16
"""Sets that differ in these bits alone are a segment, which one thread works out."""

BYTES = 4
"""Of a set of misses, each of which has its share in the image under a symmetry."""

Numbers = Annotated[NDArray[np.int64], "int64[::1]"]
Shares = Annotated[NDArray[np.int32], "int32[:, :, ::1]"]


@group
class Shots(NamedTuple):
    """The shots of a block, and where those that hit go on; nothing here is modified."""

    bits: Numbers  # (shots,): bit of the cell, or NO_BIT
    first: Numbers  # (shots + 1,): first part of each shot
    starts: Numbers  # (parts,): place of the part's block in the values
    dead: Numbers  # (parts,): misses any of which leaves nothing of the part
    shares: Shares  # (BYTES, 256, parts): what a byte of misses is in the part's block
    twins: Shares  # (BYTES, 256, symmetries): and in the block itself, moved


@kernel
def fill_shares(images, shares):
    """What every byte of misses becomes where each bit becomes another.

    images : int64 (parts, bits), bit that each bit becomes, -1 none
    shares : int32 (BYTES, 256, parts), modified
    """
    for p in range(images.shape[0]):
        for b in range(BYTES):
            shares[b, 0, p] = 0
        for bit in range(images.shape[1]):
            image = images[p, bit]
            share = 0 if image < 0 else 1 << image
            b = bit >> 3
            size = 1 << (bit & 7)
            for low in range(size):
                shares[b, size + low, p] = shares[b, low, p] + share


@kernel
def add_up(left, bits):
    """Turn weights by cells missed of each row into weights of the rows that misses leave.

    left : unsigned (2^bits,): at first the weight of the rows that occupy just these cells in
        question, in the end of those that occupy none of them; modified
    bits : int64
    """
    for bit in range(bits):
        size = 1 << bit
        for start in range(0, 1 << bits, 2 * size):
            for i in range(start, start + size):
                left[i + size] += left[i]
    half = 1 << bits >> 1
    last = (1 << bits) - 1
    for i in range(half):
        swap = left[i]
        left[i] = left[last - i]
        left[last - i] = swap


@kernel
def image_of(missed, shares, p):
    """What a set of misses becomes: the shares of its bytes, added up."""
    return (
        shares[0, missed & 255, p]
        + shares[1, missed >> 8 & 255, p]
        + shares[2, missed >> 16 & 255, p]
        + shares[3, missed >> 24 & 255, p]
    )


@kernel
def sweep(lo, hi, left, values, start, worst, certain_first, shots, bases, most):
    """Least misses of a block after every set of misses from ``hi - 1`` down to ``lo``.

    They are of one segment, whose larger sets are known, as are those of all segments with more of
    the higher bits. Returns how many were weighed shot by shot, or -1 when one is above ``most``,
    the largest number that ``values`` hold.

    left : unsigned (2^bits,), weight of the rows that are left after each set of misses (for the
        worst case their number); start : int64, place of the block in the values
    worst : bool, whether the worst case is made least, not the total
    certain_first : bool, whether certain hits are shot before anything else
    shots : Shots; bases : int64 (parts,), scratch; most : int64
    values : unsigned, of all blocks; those of these sets are modified
    """
    parts = len(shots.starts)
    symmetries = shots.twins.shape[2]
    weighed = 0
    page = np.int64(-1)
    for missed in range(hi - 1, lo - 1, -1):
        rows = left[missed]
        if rows == 0:
            values[start + missed] = 0
            continue
        same = np.int64(-1)  # a larger set of the same value
        due = np.int64(-1)  # a certain hit
        for s in range(len(shots.bits)):
            bit = shots.bits[s]
            if bit < 0 or missed >> bit & 1:
                continue
            after = left[missed | 1 << bit]
            if after == rows:  # no layout that is left occupies the cell
                same = missed | 1 << bit
                break
            if after == 0:
                due = s
        if same < 0 and symmetries > 1:
            for g in range(symmetries):
                twin = np.int64(image_of(missed, shots.twins, g))
                if twin > missed:
                    own, other = missed >> SEGMENT_BITS, twin >> SEGMENT_BITS
                    if own == other or popcount(np.uint64(other)) > popcount(np.uint64(own)):
                        same = twin
                        break
        if same >= 0:
            values[start + missed] = values[start + same]
            continue
        if missed >> 8 != page:
            page = missed >> 8
            for p in range(parts):
                bases[p] = shots.starts[p] + image_of(missed & ~LOW, shots.shares, p)
        weighed += 1
        best = most + 1
        for s in range(len(shots.bits)):
            if certain_first and due >= 0 and s != due:
                continue
            bit = shots.bits[s]
            cost = np.int64(0)
            if bit >= 0:
                if missed >> bit & 1:
                    continue
                after = missed | 1 << bit
                if left[after] > 0:
                    cost = np.int64(values[start + after])
                    cost += 1 if worst else np.int64(left[after])
            if cost >= best:
                continue
            for p in range(shots.first[s], shots.first[s + 1]):
                if missed & shots.dead[p] == 0:
                    known = np.int64(values[bases[p] + shots.shares[0, missed & LOW, p]])
                    cost = max(cost, known) if worst else cost + known
            best = min(best, cost)
        if best > most:
            return np.int64(-1)
        values[start + missed] = best
    return np.int64(weighed)
