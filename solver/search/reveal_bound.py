"""Misses of a ship over a known cell, for the bound of cells told; see ``reveal_bound.hpp``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

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
