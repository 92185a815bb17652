"""Kernels: functions of arrays and scalars, compiled by numba or run as they stand.

A kernel does no input or output and checks nothing; its text is plain Python, in which no index is
negative. ``compiler`` compiles kernels and keeps them between runs. With ``NUMBA_DISABLE_JIT=1`` in
the environment when this module (``seabattle.enumerate.kernels``) is first imported, numba is not
even loaded: a game of some hundred layouts is solved in less time than that takes, and a debugger
can follow.

``popcount``, ``lowest_bit`` and ``prefetch`` are single machine instructions, for use in kernels.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

ZERO = np.uint64(0)
ONE = np.uint64(1)

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether nothing is compiled."""

if TYPE_CHECKING or not INTERPRETED:
    from seabattle.enumerate.compiler import allocating_kernel as allocating_kernel
    from seabattle.enumerate.compiler import group as group
    from seabattle.enumerate.compiler import kernel as kernel
    from seabattle.enumerate.compiler import lowest_bit as lowest_bit
    from seabattle.enumerate.compiler import part_of_kernel as part_of_kernel
    from seabattle.enumerate.compiler import popcount as popcount
    from seabattle.enumerate.compiler import prefetch as prefetch
    from seabattle.enumerate.wide import bit_of as bit_of
    from seabattle.enumerate.wide import high_word as high_word
    from seabattle.enumerate.wide import low_word as low_word
else:

    def kernel(function: Any) -> Any:
        """The function, or the class of a group, as it stands."""
        return function

    allocating_kernel = part_of_kernel = group = kernel

    def popcount(word: Any) -> int:
        """Number of set bits of a 64-bit word."""
        return int(word).bit_count()

    def lowest_bit(word: Any) -> int:
        """Position of the lowest set bit of a 64-bit word that is not 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def bit_of(cell: Any, mask: Any) -> Any:
        """The mask of one cell, of the kind of another mask."""
        return ONE << np.uint64(cell)

    def low_word(mask: Any) -> Any:
        """The first 64 cells of a mask."""
        return mask

    def high_word(mask: Any) -> Any:
        """The other cells of a mask: none, where nothing is compiled."""
        return ZERO

    def prefetch(table: Any, row: Any) -> None:
        """Prefetch the beginning of a row of a table into the cache."""
