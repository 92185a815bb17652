"""How the sinkings still to come can fall among the hits still to come."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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
