"""The arrays that the search kernels share: groups of them, and names for their planes and columns.

A kernel takes the arrays of a search as one argument, a named tuple; the comment of a field says
what it holds. It is handed over as one address (``group`` of ``seabattle.enumerate.kernels``).
Kernels that need few arrays take them singly.

Sizes: ``rows`` of the problem; ``levels`` of the recursion, two or three more than the board has
cells; ``symmetries`` that keep the problem; ``words`` of a key. Scratch of one level is addressed
``[depth, plane, cell]``; there is room for 64 cells, or for 128. A mask is a word with bit c for
cell c, or a number of two words (``seabattle.enumerate.wide``): the kernels are compiled for both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import group

Numbers = NDArray[np.int64]  # int64[::1]
NumberRows = NDArray[np.int64]  # int64[:, ::1]
NumberPlanes = NDArray[np.int64]  # int64[:, :, ::1]
SmallNumbers = NDArray[np.int32]  # int32[::1]
Images = NDArray[np.int32]  # int32[:, ::1]
Words = NDArray[np.uint64]  # uint64[::1]
WordRows = NDArray[np.uint64]  # uint64[:, ::1]
ByteRows = NDArray[np.uint8]  # uint8[:, ::1]
WordPlanes = NDArray[np.uint64]  # uint64[:, :, ::1]
WordBlocks = NDArray[np.uint64]  # uint64[:, :, :, ::1]
Mask = Any
"""A mask as kernels take it: np.uint64, or np.complex128 of two words (``enumerate.wide``)."""
Masks = NDArray[Mask]  # mask[::1]
MaskRows = NDArray[Mask]  # mask[:, ::1]
MaskPlanes = NDArray[Mask]  # mask[:, :, ::1]

# Planes of ``counts``, int64 (levels, COUNT_PLANES, 64): numbers by cell, or lists of cells.
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

# Planes of ``children``, masks (levels, CHILD_PLANES, cells), mode hit: for each cell, of the parts
# after a shot there. A plane is AFTER_HIT or AFTER_MISS plus one of the two after them.
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

# Columns of ``Explored.tables``: lower bound on its misses, 1 where that is its value, its rows and
# their weight, one of them, its first shot (-1 where none is listed), how many there are, rows
# looked at for it and below it, and how much its bound has risen by that.
BOUND = 0
IS_EXACT = 1
TABLE_ROWS = 2
TABLE_WEIGHT = 3
A_ROW = 4
FIRST_SHOT = 5
SHOTS = 6
WORK = 7
RISE = 8
TABLE_COLUMNS = 9

# Columns of ``Explored.shots``: of a shot that is open its misses and the values known behind it,
# of others a lower bound; and its answers and cell, as ``best_first.shot_word`` packs them.
SHOT_MISSES = 0
SHOT_ANSWERS = 1
SHOT_COLUMNS = 2

# Planes of ``States.found``: layouts found with k misses; and of those that one shot hits.
FOUND = 0
FOUND_AFTER_HIT = 1
FIND_PLANES = 2

PARTS = 3
"""Parts after a hit that ``Paths`` tells apart: the last of them holds what further ones hold."""

AHEAD = 3
PATHS = 100
"""How many shots of the path of all misses are tried out one by one, and how many paths for one
state and one number of misses, before columns are just added up."""

MOST_PARTED = 1 << 14
"""Rows of a sub-table that are parted by the cells around a hit (``reveal_bound``), at most."""


@group
class Game(NamedTuple):
    """The rows of a problem; nothing here is modified."""

    occupied_by: Masks  # (rows,): cells that each row occupies
    weights: Numbers  # (rows,)
    ships: MaskRows  # (rows, ships): cells of each ship
    lengths: Numbers  # (ships,): cells of each ship, longest first
    sides: Masks  # (cells,): for each cell the cells beside it
    full: Masks  # (1,): all cells
    lines: NumberRows  # (lengths, sets of placements): see ``solver.search.reveal_bound``


@group
class Arena(NamedTuple):
    """Children of the sub-tables on the path, a stack of counters[ARENA_TOP] entries; modified."""

    entries: NumberRows  # (size, ENTRY_COLUMNS)
    masks: MaskRows  # (size, MASK_COLUMNS)
    keys: WordRows  # (size, words)


@group
class Keys(NamedTuple):
    """What keys are made of; nothing here is modified."""

    key_shares: WordPlanes  # (bytes, 256, symmetries): what keys are made of, see ``keys``
    moves: NumberRows  # (symmetries, 64): image of each cell, -1 off the board
    images: Images  # (symmetries, rows): row that each row becomes; (1, 1) unless open


@group
class States(NamedTuple):
    """How many layouts can be found with few misses once some cells are hit (``coverage``)."""

    ships: WordRows  # (rows, ships): those of ``Game`` where a sinking is told, else (rows, 0)
    slots: WordRows  # (capacity, 3): as in ``table``, keys H and sunk cells, states for misses
    found: NumberPlanes  # (states, FIND_PLANES, misses): FOUND and the others
    size: Numbers  # (1,): states counted


@group
class Paths(NamedTuple):
    """Scratch of the counts: paths of misses of a state, and the placements left on them."""

    after: NumberPlanes  # (64, PARTS + 1, misses): found after a hit at each cell, by part; in all
    parts: Numbers  # (64,): parts that the rows go to after a hit at each cell
    part: ByteRows  # (64, rows): the part of each row
    rows: WordRows  # (AHEAD + 1, rows): cells of the rows left
    left: Images  # (AHEAD + 1, rows): which they are
    columns: NumberPlanes  # (AHEAD + 1, 2 + PARTS, 64): rows by cell, cells by rows, and rows by
    #   part and cell
    tries: Numbers  # (2,): paths that may still be tried out, and rows looked at


@group
class Explored(NamedTuple):
    """The sub-tables of a best-first search, and what is known of them (``best_first``); modified.

    Rows of the arrays are filled from the first on, as ``size`` says.
    """

    tables: NumberRows  # (sub-tables, TABLE_COLUMNS)
    masks: WordRows  # (sub-tables, 2): H and U
    slots: WordRows  # (capacity, 1 + words): keys as in ``table``, with numbers for misses
    shots: NumberRows  # (shots, SHOT_COLUMNS)
    answers: SmallNumbers  # (answers,): the sub-table after each
    size: Numbers  # (3,): sub-tables, shots and answers in use
    path: NumberRows  # (levels, 2), scratch: sub-tables from the root on, and their bounds before
    ids: SmallNumbers  # (rows,), scratch


@group
class SearchArrays(NamedTuple):
    """The arrays of a search."""

    game: Game
    arena: Arena
    keys: Keys
    table: WordRows  # (capacity, 1 + words), modified: see ``table``
    patterns: NumberRows  # (2^ships, ship cells + 1): see ``bounds.patterns_left``
    reach: NumberRows  # (places + 1, places + 1): reach[h, k] = C(k + h, k), cut off at 2^40
    finds: States
    counts: NumberPlanes  # (levels, COUNT_PLANES, 64), scratch
    rows: Masks  # (rows,), scratch: the rows of a segment
    together: MaskRows  # (levels, cells), scratch: cells that every row with the cell occupies
    children: MaskPlanes  # (levels, CHILD_PLANES, cells), scratch of mode ``hit``
    child_keys: WordBlocks  # (levels, 2, cells, words), scratch of mode ``hit``: AFTER_HIT, ...
    key: WordPlanes  # (levels, 2, words), scratch: a level's key, and an image of it
    groups: SmallNumbers  # (3 * MOST_PARTED,), scratch: see ``reveal_bound``
    best: Masks  # (1,), modified: all best shots at depth 0, where that asks for them
    options: Numbers  # (OPTIONS,)
    counters: Numbers  # (COUNTERS,), modified
    busy: Words  # (size,), modified: see ``table``; (0,) with one thread
