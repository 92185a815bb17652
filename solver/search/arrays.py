"""The arrays that the search kernels share: groups of them, and names for their planes and columns.

A kernel takes the arrays of a search as one argument, a named tuple; the comment of a field says
what it holds. It is handed over as one address (``group`` of ``seabattle.enumerate.kernels``).
Kernels that need few arrays take them singly.

Sizes: ``rows`` of the problem; ``levels`` of the recursion, three more than the problem has cells;
``places``, room for what there is one of for each cell, 64 or 128; ``symmetries`` that keep the
problem; ``words`` of a key. Scratch of one level is addressed ``[depth, plane, cell]``. A mask is a
word with bit c for cell c, or a number of two words (``seabattle.enumerate.wide``): the kernels are
compiled for both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import group

Numbers = NDArray[np.int64]
SmallNumbers = NDArray[np.int32]
Words = NDArray[np.uint64]
Mask = Any
"""A mask as kernels take it: np.uint64, or np.complex128 of two words (``enumerate.wide``)."""
Masks = NDArray[Mask]

# Planes of ``counts``, int64 (levels, COUNT_PLANES, places): numbers by cell, or lists of cells.
ROWS = 0  # rows that occupy each cell
WEIGHT = 1  # their weight
ORDER = 2  # list of the cells worth a shot, in the order in which they are tried
SHOT_BOUND = 3  # mode hit: lower bound of the shot at the cell in the same place of ORDER
HIT_BOUND = 4  # mode hit: lower bound on the misses after a hit at each cell
MISS_BOUND = 5  # mode hit: and after a miss
SHIP_NUMBER = 3  # other modes: number given to each ship of a row, -1 when it has none yet
CELL_OF_IMAGE = 4  # other modes: cell that a symmetry moves to each image
BY_WEIGHT = 5  # other modes: list of the undetermined cells, WEIGHT falling
BY_ROWS = 6  # other modes: the same, ROWS falling
KEY_SYMMETRY = 7  # mode hit: symmetry that gives the key of a child; plus AFTER_HIT or AFTER_MISS
COUNT_PLANES = 9

# Planes of ``children``, masks (levels, CHILD_PLANES, places), mode hit: for each cell, of the
# parts after a shot there. A plane is AFTER_HIT or AFTER_MISS plus one of the two after them.
AFTER_HIT = 0
AFTER_MISS = 1
CERTAIN = 0  # cells that all of its rows occupy
OCCUPIED = 2  # cells that some of its rows occupy
CHILD_PLANES = 4

# Columns of ``Arena.entries``: a child is the segment ``LO:HI`` ...
LO = 0
HI = 1
MISSED = 2  # 1 after a miss
ENTRY_WEIGHT = 3  # sum of its weights
LEAST = 4  # lower bound on its misses
SYMMETRY = 5  # symmetry that gives its key, NO_KEY where no key was made
KNOWN = 6  # 1 where its value is LEAST
ENTRY_COLUMNS = 7
# ... and of ``Arena.masks``: certain and occupied cells, cells hit so far (open mode).
H = 0
U = 1
K = 2
MASK_COLUMNS = 3

NO_KEY = -1

# Planes of ``States.found``: layouts found with k misses; and of those that one shot hits.
FOUND = 0
FOUND_AFTER_HIT = 1
FOUND_PLANES = 2

MOST_PARTED = 1 << 14
"""Rows of a sub-table that are parted by the cells around a hit (``reveal_bound``), at most."""


@group
class Game(NamedTuple):
    """The rows of a problem; nothing here is modified."""

    occupied_by: Masks  # (rows,): cells that each row occupies
    weights: Numbers  # (rows,)
    ships: Masks  # (rows, ships): cells of each ship
    lengths: Numbers  # (ships,): cells of each ship, longest first
    sides: Masks  # (places,): for each cell the cells beside it
    full: Masks  # (1,): all cells
    lines: Numbers  # (lengths, sets of placements): see ``solver.search.reveal_bound``


@group
class Arena(NamedTuple):
    """Children of the sub-tables on the path, a stack of counters[ARENA_TOP] entries; modified."""

    entries: Numbers  # (size, ENTRY_COLUMNS)
    masks: Masks  # (size, MASK_COLUMNS)
    keys: Words  # (size, words)


@group
class Keys(NamedTuple):
    """What keys are made of; nothing here is modified."""

    key_shares: Words  # (bytes, 256, symmetries): what keys are made of, see ``keys``
    moves: Numbers  # (symmetries, places): image of each cell, -1 off the board
    images: SmallNumbers  # (symmetries, rows): row that each row becomes; (1, 1) unless open


@group
class States(NamedTuple):
    """How many layouts can be found with few misses once some cells are hit (``coverage``)."""

    ships: Words  # (rows, ships): those of ``Game`` where a sinking is told, else (0, 0)
    slots: Words  # (capacity, 3): as in ``table``, keys H and sunk cells, states for misses
    found: Numbers  # (states, FOUND_PLANES, misses): FOUND and the others
    size: Numbers  # (1,): states counted


@group
class SearchArrays(NamedTuple):
    """The arrays of a search."""

    game: Game
    arena: Arena
    keys: Keys
    table: Words  # (capacity, 1 + words), modified: see ``table``
    patterns: Numbers  # (2^ships, ship cells + 1): see ``bounds.patterns_left``
    reach: Numbers  # (places + 1, places + 1): reach[h, k] = C(k + h, k), cut off at 2^40
    coverage: States
    counts: Numbers  # (levels, COUNT_PLANES, places), scratch
    rows: Masks  # (rows,), scratch: the rows of a segment
    together: Masks  # (levels, places), scratch: cells that every row with the cell occupies
    children: Masks  # (levels, CHILD_PLANES, places), scratch of mode ``hit``
    child_keys: Words  # (levels, 2, places, words), scratch of mode ``hit``: AFTER_HIT, ...
    key: Words  # (levels, 2, words), scratch: a level's key, and an image of it
    groups: SmallNumbers  # (3 * MOST_PARTED,), scratch: see ``reveal_bound``
    best: Masks  # (1,), modified: all best shots at depth 0, where that asks for them
    options: Numbers  # (OPTIONS,)
    counters: Numbers  # (COUNTERS,), modified
    busy: Words  # (size,), modified: see ``table``; (0,) with one thread
