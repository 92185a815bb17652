"""Compiled loops over every set of misses of a block. Arrays and scalars only.

``solver.search.miss_sweep`` says what is computed and why it is right. A set of misses of a block
with k cells in question is a number below 2^k, bit i for the block's cell i. A kernel modifies only
what it says it modifies.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import kernel, popcount

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
