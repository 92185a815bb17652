"""The counting bound, and the tables the kernels read it from.

Leaves are words none of which begins another, as in a code [Huffman1952]; only misses cost. In
answer mode ``hit`` a path of a tree is a word of hits and misses. With h ship cells still
undetermined, a leaf reached with k misses or fewer is told apart by a word of at most k misses and
at most h hits, and no leaf's word begins another's: at most C(k + h, k) leaves. So n occupancies
cost at least

    total(n, h) = sum over k of max(0, n - C(k + h, k))         worst(n, h) = first k with
                                                                C(k + h, k) >= n

because at least n - C(k + h, k) of them miss more than k times. The bound is false where an
answer has more than two values. With weights the heaviest C(k + h, k) take the place of that many.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

REACH_LIMIT = 1 << 40
MISSES = 65


def counting_total(occupancies: int, ships: int) -> int:
    """Least total misses that ``occupancies`` rows with ``ships`` undetermined cells can have.

    >>> counting_total(1428, 10), counting_total(4, 1)
    (5775, 6)
    """
    total = 0
    for k in range(occupancies):
        separable = comb(k + ships, k)
        if separable >= occupancies:
            break
        total += occupancies - separable
    return total


def weighted_total(rows: int, weight: int, ships: int, lightest: int, heaviest: int) -> int:
    """Least total misses of ``rows`` occupancies that weigh ``weight`` together.

    All but C(k + ships, k) of them miss more than k times; those weigh at least ``lightest``
    each, and all but the heaviest C(k + ships, k) at least ``weight`` less ``heaviest`` each.

    >>> weighted_total(1428, 1428, 10, 1, 1) == counting_total(1428, 10)
    True
    """
    total = 0
    for k in range(rows):
        separable = comb(k + ships, k)
        if separable >= rows:
            break
        total += max((rows - separable) * lightest, weight - separable * heaviest)
    return total


def counting_worst(occupancies: int, ships: int) -> int:
    """Least worst case that ``occupancies`` rows with ``ships`` undetermined cells can have.

    >>> counting_worst(1428, 10)
    5
    """
    k = 0
    while comb(k + ships, k) < occupancies:
        k += 1
    return k


def reach_table() -> NDArray[np.int64]:
    """C(k + h, k) for h in rows (65) and k in columns (65), cut off at 2^40."""
    return np.array(
        [[min(comb(k + h, k), REACH_LIMIT) for k in range(MISSES)] for h in range(MISSES)],
        dtype=np.int64,
    )


def total_table(ships: int, rows: int, *, most_entries: int = 1 << 22) -> NDArray[np.int64]:
    """``counting_total`` for up to ``ships`` cells and as many rows as fit in ``most_entries``.

    Returns int64 ``(ships + 1, m)``; larger sub-tables are summed up by the kernels.
    """
    width = min(rows + 1, most_entries // (ships + 1))
    table = np.zeros((ships + 1, width), dtype=np.int64)
    counts = np.arange(width, dtype=np.int64)
    if ships:
        table[1] = counts * (counts - 1) // 2  # one cell: k + 1 rows within k misses
    for h in range(2, ships + 1):  # with no cell undetermined there is one row
        for k in range(width):
            separable = comb(k + h, k)
            if separable >= width:
                break
            table[h] += np.maximum(0, counts - separable)
    return table
