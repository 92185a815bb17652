"""Bound from what a sub-table costs once the cells beside a hit are told. Arrays and scalars only.

Where ships do not touch at their sides, all ship cells beside a group of hits are of its ship. Let
A be the cells beside a group that is not sunk yet, and part the layouts of a sub-table S by the
cells N of A that they occupy. Each part S_N has a value of its own, as if N had been told. Then

    total(S) >= sum over N of total(S_N) + number of pairs of layouts in S that are alike,

where two layouts are *alike* if they differ in A alone, the ship of the group included.

Proof. Take any tree of S. Leave out all layouts but those of S_N, the hits at N, which are certain
there, and the shots at the rest of A, which none of S_N occupies: a tree of S_N is left. So the
layouts of S_N miss total(S_N) times at least, and all misses at cells of A come on top of that. Two
layouts that are alike get the same answers until a cell is shot that one of them occupies and the
other does not; then the other misses at a cell of A. A layout misses there for one pair only, as no
cell of A is occupied by two layouts that are alike: ships are straight, so that of the ends of a
line one is occupied, or of the four cells around a single hit one, or two that face each other.

With weights a pair counts as much as the lighter of both weighs. A limit of misses holds in every
part, too.

Parameters that many kernels share: ``ids``, ``lo``, ``hi``, the segment; ``certain`` and
``occupied``, uint64, its H and U; ``beside``, uint64, A; ``seed``, int64, a cell of the group;
``game``, the group Game of ``arrays``.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, inlined_kernel, kernel, lowest_bit, popcount
from seabattle.enumerate.layouts._subset_kernels import group_of, part_segment
from seabattle.solver.search.kernels.arrays import HI, LO, MOST_PARTED
from seabattle.solver.search.kernels.partition import close_entries, push, ship_at, split_entry
from seabattle.solver.search.kernels.transposition import mix_hash, slot_of_hash
from seabattle.solver.search.kernels.work import ARENA_TOP, BESIDE, GOAL, MODE, STOP, TOTAL


@kernel
def told_beside(n, certain, occupied, game, options):
    """A and a cell of the group, for the longest group not sunk yet; no A where it is not used.

    n : int64, rows of the segment; options : int64 (OPTIONS,)
    """
    beside = ZERO
    seed = np.int64(-1)
    least = options[BESIDE]
    if least == 0 or options[GOAL] != TOTAL or not least <= n <= MOST_PARTED:
        return beside, seed
    longest = 0
    left = certain
    while left != ZERO:
        first = lowest_bit(left)
        group, around = group_of(ONE << np.uint64(first), certain, game.sides)
        left &= ~group
        around &= occupied
        length = popcount(group)
        if around != ZERO and length > longest:
            longest = length
            beside = around
            seed = np.int64(first)
    return beside, seed


@kernel
def misses_beside(ids, lo, hi, beside, seed, game, chains):
    """Weight of the pairs of rows that are alike: misses at the cells beside the group, at least.

    chains : int32 (3 * MOST_PARTED,), modified: the last row of each chain, -1 where none is; from
        2 * MOST_PARTED on the row before it in its chain
    """
    heads = np.int64(2)
    while heads < 2 * (hi - lo):
        heads *= 2
    for slot in range(heads):
        chains[slot] = -1
    total = np.int64(0)
    for i in range(lo, hi):
        row = ids[i]
        rest = game.occupied_by[row] & ~beside
        own = game.ships[row, ship_at(row, seed, game.ships)] & ~beside
        slot = slot_of_hash(mix_hash(rest), heads)
        j = np.int64(chains[slot])
        while j >= 0:
            other = ids[lo + j]
            if (
                game.occupied_by[other] & ~beside == rest
                and game.ships[other, ship_at(other, seed, game.ships)] & ~beside == own
            ):
                total += min(game.weights[row], game.weights[other])
            j = np.int64(chains[2 * MOST_PARTED + j])
        chains[2 * MOST_PARTED + i - lo] = chains[slot]
        chains[slot] = i - lo
    return total


@inlined_kernel
def partition_beside(ids, lo, hi, beside, game, full, arena, options, counters):
    """Partition a segment by the cells beside a group that rows occupy, and close the parts.

    They go on the arena, as after a hit. Returns 0, or STOP (arena full).

    full : uint64, mask of the board; ids, arena : modified; counters : ARENA_TOP, STATUS modified
    """
    first = counters[ARENA_TOP]
    if not push(lo, hi, np.int64(0), ZERO, arena, counters):
        return STOP
    left = beside
    while left != ZERO:
        bit = left & (~left + ONE)
        left &= ~bit
        p = first
        while p < counters[ARENA_TOP]:
            end = arena.entries[p, HI]
            mid = part_segment(ids, arena.entries[p, LO], end, bit, game.occupied_by)
            if arena.entries[p, LO] < mid < end and not split_entry(p, mid, arena, counters):
                return STOP
            p += 1
    return close_entries(first, ids, game, options[MODE], full, arena, counters)
