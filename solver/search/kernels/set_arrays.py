"""The arrays that the search of sets shares, and names for their planes and columns.

As ``arrays``, whose names are used where they mean the same, but masks have as many words as the
cells need. (Kernels: ``seabattle.enumerate.kernels`` makes the compiled types.)
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.solver.search.arrays import (
    Images,
    NumberPlanes,
    NumberRows,
    Numbers,
    WordRows,
)

# Columns of ``SetArena.entries`` beside LO, HI, MISSED, ENTRY_WEIGHT and LEAST of ``arrays``.
OPEN = 5  # 1 where the rows differ in their cells
HAS_KEY = 6  # 1 where the key is made
SET_COLUMNS = 7

# Planes of ``counts`` that have another use elsewhere.
PART = 3  # cell that stands for the part of each cell
PART_WEIGHT = 4  # for that cell: weight of the part's rows

# Rows of ``scratch``.
LEFT = 0
GAIN = 1
FOUND = 2
COLUMN = 3
WORDS = 4
SCRATCH_ROWS = 5


class SetGame(NamedTuple):
    """The rows of a problem; nothing here is modified."""

    cells: Images  # (rows, fleet cells): cells of each row, ship by ship, rising in each
    ship_at: Annotated[NDArray[np.int16], "int16[:, ::1]"]  # (rows, cells): ship there, or -1
    occupied_by: WordRows  # (rows, words): mask of the cells of each row
    weights: Numbers  # (rows,)
    lengths: Numbers  # (ships,): cells of each ship, longest first
    first: Numbers  # (ships,): column of ``cells`` where each ship begins


class SetArena(NamedTuple):
    """Children of the sub-tables on the path, a stack of counters[ARENA_TOP] entries; modified."""

    entries: NumberRows  # (size, SET_COLUMNS)
    masks: WordRows  # (size, 3 words + row words): H, U, the cells hit, one bit per row


class SetArrays(NamedTuple):
    """What the kernels of this file share."""

    game: SetGame
    arena: SetArena
    table: WordRows  # (capacity, 1 + key words), modified: see ``transposition``
    patterns: NumberRows  # (2^ships, ship cells + 1): see ``bounds.patterns_left``
    reach: NumberRows  # (ship cells + 1, m): reach[h, k] = C(k + h, k), cut off at 2^40
    counts: NumberPlanes  # (levels, COUNT_PLANES, cells), scratch
    together: WordRows  # (cells, words), scratch: cells that every row with the cell occupies
    scratch: NumberRows  # (SCRATCH_ROWS, cells or more)
    options: Numbers  # (OPTIONS,)
    counters: Numbers  # (COUNTERS,), modified
