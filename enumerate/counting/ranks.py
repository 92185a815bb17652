"""Uniform random numbers below a total of any size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.sweep import WORD_BITS


def random_ranks(
    count: int, total: int, words: int, rng: np.random.Generator
) -> NDArray[np.uint64]:
    """Uniform random numbers below ``total``.

    Parameters
    ----------
    count
        How many.
    total
        Above 0 and below 2**(64 words), with at least one bit in the last word.
    words
        Words of 64 bits of each number.
    rng
        Generator of the random numbers.

    Returns
    -------
    ranks
        uint64 ``(count, words)``, least significant word first.
    """
    if words == 1:
        return rng.integers(0, total, size=(count, 1), dtype=np.uint64)
    top_bits = total.bit_length() - WORD_BITS * (words - 1)
    limit = [total >> (WORD_BITS * w) & ((1 << WORD_BITS) - 1) for w in range(words)]
    ranks = np.empty((0, words), dtype=np.uint64)
    while len(ranks) < count:
        drawn = rng.integers(
            0, 1 << WORD_BITS, size=(count, words), dtype=np.uint64, endpoint=False
        )
        drawn[:, -1] >>= np.uint64(WORD_BITS - top_bits)
        below = np.zeros(count, dtype=bool)
        equal = np.ones(count, dtype=bool)
        for w in range(words - 1, -1, -1):
            below |= equal & (drawn[:, w] < np.uint64(limit[w]))
            equal &= drawn[:, w] == np.uint64(limit[w])
        ranks = np.concatenate([ranks, drawn[below]])
    return ranks[:count]
