"""Tables of numbers that the bounds of the core look up, worked out once from the lengths of ships.

``sinking_patterns`` and ``open_patterns`` say how many layouts may share their misses, as the
answers tell what is sunk (``bounds.hpp``, ``coverage.hpp``); ``line_misses`` what a ship over a
known cell costs (``reveal_bound.hpp``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

MOST_COUNTED_SHIPS = 12
"""With more ships than this the sinkings still to come are not counted."""


def _patterns(
    lengths: tuple[int, ...], ways: Callable[[Sequence[int], int], int]
) -> NDArray[np.int64]:
    """In how many ways it can go on, 2^40 at most, by the ships left and how many cells are hit.

    ``ways`` is told the lengths of the ships left, in their order, and how many of their cells are
    hit. 0 (nothing is counted) with more than 12 ships.
    """
    if len(lengths) > MOST_COUNTED_SHIPS:
        return np.zeros((1, 1), dtype=np.int64)
    patterns = np.zeros((1 << len(lengths), sum(lengths) + 1), dtype=np.int64)
    for afloat in range(1, 1 << len(lengths)):
        left = [length for d, length in enumerate(lengths) if afloat >> d & 1]
        for hit in range(sum(left) - len(left) + 1):
            patterns[afloat, hit] = min(ways(left, hit), 1 << 40)
    return patterns


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

    def sequences(left: Sequence[int], g: int) -> int:
        shortest, hits = sorted(left), sum(left) - g
        least = [max(i, sum(shortest[:i]) - g) for i in range(1, len(left) + 1)]
        ways = {0: 1}  # sinkings so far -> sequences
        for position in range(1, hits + 1):
            following: dict[int, int] = {}
            for sunk, count in ways.items():
                if position < hits:
                    following[sunk] = following.get(sunk, 0) + count
                if sunk < len(left) and position >= least[sunk]:
                    following[sunk + 1] = following.get(sunk + 1, 0) + count
            ways = following
        return max(1, ways.get(len(left), 0))

    return _patterns(lengths, sequences)


def open_patterns(lengths: tuple[int, ...], *, announced: bool, alike: int) -> NDArray[np.int64]:
    """Layouts that share their misses, at most, where ships may touch and sinkings are announced.

    After a leaf the rest of the fleet is sunk in reading order. Every ship cell that is left is
    then one letter, *hit* or *sunk*, in the order in which they were shot, and the last one is
    *sunk*. With h cells and f ships left there are C(h - 1, f - 1) ways to place the sinkings, and
    where lengths are announced as many times more as there are orders of the lengths. Layouts of
    the same word have the same leaf, hence the same cells: there are no more than ``alike``.

    Parameters
    ----------
    lengths
        Ship lengths.
    announced
        Whether a sinking tells the length.
    alike
        Most layouts of the game that occupy the same cells.

    Returns
    -------
    patterns
        int64 ``(2^n_ships, fleet cells + 1)``, at most 2^40: by the set of ships left (the answers
        tell how many, and which lengths where they are announced) and the number of their cells
        that are hit. 0 (nothing is counted) with more than 12 ships.

    Examples
    --------
    >>> open_patterns((2, 1), announced=True, alike=1)[0b11].tolist()  # three cells left: 2 x 2
    [4, 2, 0, 0]
    """

    def words(left: Sequence[int], hit: int) -> int:
        repeats = prod(factorial(left.count(length)) for length in set(left))
        orders = factorial(len(left)) // repeats if announced else 1
        return alike * orders * comb(sum(left) - hit - 1, len(left) - 1)

    return _patterns(lengths, words)


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
