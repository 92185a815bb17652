"""Bound from what a sub-table costs once the cells around a hit are revealed. Kernels.

Where ships do not touch at their sides, all ship cells beside a group of hits are of its ship. Take
a sub-table S with such a group, not sunk yet, and let B be cells not hit yet that no other ship
occupies in any layout of S. Part the layouts by the cells N of B that they occupy. Each part S_N
has a value of its own, as if N had been revealed. Call layouts *alike* if they differ in B alone:
the other ships are the same, and so are the cells outside B of the group's ship. Then

    total(S) >= sum over N of total(S_N) + sum over all sets G of layouts alike of total(G).

Proof. Take any tree of S. Leave out all layouts but those of S_N, the hits at N, which are certain
there, and the shots at the rest of B, which none of S_N occupies: a tree of S_N is left. So the
layouts of S_N miss total(S_N) times at least, and all misses at cells of B come on top of that. As
to these, leave out all layouts but those of a set G. A shot outside B tells nothing: there all of G
occupy the same cells. Nor is a ship sunk there in one layout and not in another. The other ships
are the same; and if all cells of the group's ship are shot in one layout and all answers have been
alike, the other layouts have their ship there, too. So a tree of G is left in which all shots that
tell anything are at B, and its misses there are total(G) at least.

With weights w1 >= w2 >= ... of the layouts of G, the first k of them cost (wk - wk+1) times what
they would cost without weights, at least, and that is added up over k. A limit of misses holds in
every part, too.

The layouts of G differ in one ship, of which a cell is known. What it takes to find it depends on
its length and on the placements in question alone.

A ship of length l lies in 2l ways over a cell, across or down. If it is known which of them are in
question, the least misses depend on l and on this set of placements alone, wherever the cell is on
the board. ``line_misses`` lists them. Placement i < l has i cells to the left of the known one,
placement l + i has i cells above it; bit i of a set stands for placement i.

Parameters that many kernels share: ``ids``, ``lo``, ``hi``, the segment; ``certain`` and
``occupied``, uint64, its H and U; ``revealed``, uint64, B; ``seed``, int64, a cell of the group;
``game``, the group Game of ``arrays``, the group SearchArrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    bit_of,
    kernel,
    low_word,
    lowest_bit,
    popcount,
)
from seabattle.solver.search import arrays as at
from seabattle.solver.search import work
from seabattle.solver.search.answers import close_entries, push, ship_at, split_entry
from seabattle.solver.search.segments import group_of, part_segment
from seabattle.solver.search.table import mix_hash, slot_of_hash


@kernel
def cells_revealed(ids, lo, hi, certain, occupied, arrays):
    """B and a cell of the group, for the longest group not sunk yet.

    B is all cells that the group's ship may occupy and no other ship does; none without such a
    group, or where the bound is not used.
    """
    revealed = ZERO
    seed = np.int64(-1)
    least = arrays.options[work.REVEAL_ROWS]
    if (
        least == 0
        or arrays.options[work.GOAL] != work.TOTAL
        or not least <= hi - lo <= at.MOST_PARTED
    ):
        return revealed, seed
    game = arrays.game
    longest = 0
    left = certain
    while left != ZERO:
        first = lowest_bit(left)
        group, around = group_of(bit_of(first, certain), certain, game.sides)
        left &= ~group
        around &= occupied
        length = popcount(group)
        if around != ZERO and length > longest:
            longest = length
            seed = np.int64(first)
    if longest == 0:
        return revealed, seed
    others = ZERO
    for i in range(lo, hi):
        row = ids[i]
        own = game.ships[row, ship_at(row, seed, game.ships)]
        revealed |= own
        others |= game.occupied_by[row] & ~own
    return revealed & ~others & ~certain, seed


@kernel
def place_in_line(own, seed):
    """Number of a placement among all of its length that occupy a cell, as in ``reveal_bound``.

    own : uint64, its cells, two or more, the seed among them
    """
    length = popcount(own)
    first = lowest_bit(own)
    before = popcount(own & (bit_of(seed, own) - ONE))
    across = (own >> np.uint64(first + 1)) & ONE == ONE
    return before if across else length + before


@kernel
def length_and_place(row, seed, game):
    """Length of a row's ship over a cell, and its placement as a set of one (``line_misses``)."""
    own = game.ships[row, ship_at(row, seed, game.ships)]
    return popcount(own), np.int64(1) << place_in_line(own, seed)


@kernel
def list_alike(ids, lo, hi, revealed, seed, arrays):
    """List the rows of each set of rows alike, the heaviest first; returns how many heads to read.

    arrays : groups modified: the heaviest row of each set of rows alike, -1 where none is; from
        2 * MOST_PARTED on the row after it in its set, -1 at the end
    """
    game = arrays.game
    groups = arrays.groups
    heads = np.int64(2)
    while heads < 2 * (hi - lo):
        heads *= 2
    for slot in range(heads):
        groups[slot] = -1
    for i in range(lo, hi):
        row = ids[i]
        own = game.ships[row, ship_at(row, seed, game.ships)]
        rest = game.occupied_by[row] & ~revealed
        slot = slot_of_hash(mix_hash(low_word(rest)), heads)
        while groups[slot] >= 0:
            other = ids[lo + groups[slot]]
            owned = game.ships[other, ship_at(other, seed, game.ships)]
            if game.occupied_by[other] & ~revealed == rest and owned & ~revealed == own & ~revealed:
                break
            slot = (slot + 1) & (heads - 1)
        before = np.int64(-1)
        after = np.int64(groups[slot])
        while after >= 0 and game.weights[ids[lo + after]] > game.weights[row]:
            before = after
            after = np.int64(groups[2 * at.MOST_PARTED + after])
        groups[2 * at.MOST_PARTED + i - lo] = after
        if before < 0:
            groups[slot] = i - lo
        else:
            groups[2 * at.MOST_PARTED + before] = i - lo
    return heads


@kernel
def misses_revealed(ids, lo, hi, revealed, seed, arrays):
    """Weight of the misses at B that it takes to tell rows apart that are alike.

    arrays : groups modified
    """
    game = arrays.game
    groups = arrays.groups
    total = np.int64(0)
    for slot in range(list_alike(ids, lo, hi, revealed, seed, arrays)):
        placed = np.int64(0)
        misses = np.int64(0)
        i = np.int64(groups[slot])
        while i >= 0:
            length, place = length_and_place(ids[lo + i], seed, game)
            placed |= place
            more = game.lines[length, placed]
            total += game.weights[ids[lo + i]] * (more - misses)
            misses = more
            i = np.int64(groups[2 * at.MOST_PARTED + i])
    return total


@kernel
def part_revealed(ids, lo, hi, revealed, arrays):
    """Partition a segment by the cells of B that rows occupy, and close the parts.

    They go on the arena, as after a hit. Returns 0, or STOP (arena full).

    ids : modified; arrays : arena and counters modified
    """
    entries = arrays.arena.entries
    first = arrays.counters[work.ARENA_TOP]
    if not push(lo, hi, np.int64(0), ZERO, arrays):
        return work.STOP
    left = revealed
    while left != ZERO:
        bit = left & (~left + ONE)
        left &= ~bit
        p = first
        while p < arrays.counters[work.ARENA_TOP]:
            end = entries[p, at.HI]
            mid = part_segment(ids, entries[p, at.LO], end, bit, arrays.game.occupied_by)
            if entries[p, at.LO] < mid < end and not split_entry(p, mid, arrays):
                return work.STOP
            p += 1
    return close_entries(first, ids, arrays)


LONGEST_LINE = 8
"""Longest ship for which misses are listed: there are 4^length sets of placements."""


def line_misses(lengths: Sequence[int]) -> NDArray[np.int64]:
    """Least misses of every set of placements of ships of some lengths.

    Returns
    -------
    NDArray
        int64 ``(longest + 1, 4^longest)``: in row l, at place s, the least misses summed over the
        placements in the set s of a ship of length l; ``(1, 1)`` if a ship is longer than
        ``LONGEST_LINE``.

    Examples
    --------
    >>> misses = line_misses([3, 2])
    >>> int(misses[2, 0b1111]), int(misses[3, 0b111111])
    (6, 9)
    """
    longest = max(lengths)
    if longest > LONGEST_LINE:
        return np.zeros((1, 1), dtype=np.int64)
    misses = np.zeros((longest + 1, 4**longest), dtype=np.int64)
    for length in set(lengths) - {1}:  # a ship of one cell is found when it is hit
        misses[length, : 4**length] = _misses_of_length(length)
    return misses


@cache
def _misses_of_length(length: int) -> NDArray[np.int64]:
    """Least misses of each set of placements of one length, smaller sets first."""
    sets = np.arange(4**length)
    size = np.array([placed.bit_count() for placed in range(len(sets))])
    columns = set()  # the placements that occupy a cell, for each cell but the known one
    for step in range(1, length):
        left = sum(1 << i for i in range(step, length))
        right = sum(1 << i for i in range(length - step))
        columns |= {left, right, left << length, right << length}
    least = np.zeros(len(sets), dtype=np.int64)
    for n in range(2, 2 * length + 1):
        these = sets[size == n]
        best = np.full(len(these), np.iinfo(np.int64).max)
        for column in columns:
            hit, missed = these & column, these & ~column
            cost = size[missed] + least[missed] + least[hit]
            best = np.where((hit > 0) & (missed > 0) & (cost < best), cost, best)
        least[these] = best
    return least
