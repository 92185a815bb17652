"""How a board is swept: along its longer side, so that a row of the sweep is its shorter one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting._profile_kernels import FIRST_SHIP
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules


@dataclass(frozen=True)
class Grid:
    """How a board is swept, and where each placement begins on the way.

    Attributes
    ----------
    rows, width
        Shape of the sweep.
    cells
        int64 ``(rows, width)``: the board's cell at each place.
    starts
        int64 ``(n_placements,)``: for each placement ``row * width * kinds + code`` of its first
        cell, a code being ``column * kinds + kind``.
    """

    rows: int
    width: int
    kinds: int
    cells: NDArray[np.int64]
    starts: NDArray[np.int64]


@lru_cache(maxsize=32)
def grid(rules: Rules, transposed: bool | None = None, upwards: bool = False) -> Grid:
    """How a board is swept.

    Parameters
    ----------
    rules
        The game.
    transposed
        Whether by columns instead of rows; by default if these are shorter.
    upwards
        Whether from the last row to the first.
    """
    board = rules.board
    cells = np.arange(board.cells).reshape(board.rows, board.columns)
    if board.columns > board.rows if transposed is None else transposed:
        cells = cells.T
    if upwards:
        cells = cells[::-1]
    rows, width = cells.shape
    place = np.empty(board.cells, dtype=np.int64)
    place[cells.ravel()] = np.arange(board.cells)
    lengths = list(rules.fleet.counts)
    kinds = FIRST_SHIP + 2 * len(lengths)
    starts = []
    for placement in placement_table(rules).placements:
        places = place[list(placement.cells)]
        along = placement.length > 1 and places.max() - places.min() == placement.length - 1
        along = along and width > 1
        kind = FIRST_SHIP + 2 * lengths.index(placement.length) + int(along)
        starts.append(int(places.min()) * kinds + kind)
    return Grid(rows, width, kinds, np.ascontiguousarray(cells), np.array(starts, dtype=np.int64))
