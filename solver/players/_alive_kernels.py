"""Counting the placements that are left to the players that take each ship by itself, compiled.

A placement is *alive* while it may be a ship that was not hit yet (where hits name the ship) or any
ship (where they do not). Arrays and scalars only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import inner_kernel
from seabattle.solver.players._game_kernels import Tables


class Alive(NamedTuple):
    """The placements alive, counted.

    Attributes
    ----------
    alive
        uint8 ``(placements,)``, modified.
    count
        int64 ``(classes, cells)``, modified: placements alive of each class through each cell.
    total
        int64 ``(classes,)``, modified: placements alive of each class.
    """

    alive: NDArray[np.uint8]
    count: NDArray[np.int64]
    total: NDArray[np.int64]


def new_alive(tables: Tables) -> Alive:
    """The placements alive, for ``begin_alive`` to fill."""
    classes, cells = tables.base.shape
    return Alive(
        np.empty(len(tables.class_of), np.uint8),
        np.empty((classes, cells), np.int64),
        np.empty(classes, np.int64),
    )


@inner_kernel
def begin_alive(tables, fitting):
    """The empty board: every placement alive. tables : Tables; fitting : Alive, modified."""
    for row in range(fitting.total.shape[0]):
        fitting.total[row] = 0
        for cell in range(fitting.count.shape[1]):
            fitting.count[row, cell] = tables.base[row, cell]
    for p in range(tables.class_of.shape[0]):
        fitting.total[tables.class_of[p]] += 1
        fitting.alive[p] = 1


@inner_kernel
def rule_out(tables, fitting, p):
    """Rule out placement p. tables : Tables; fitting : Alive, modified; p : int64."""
    if fitting.alive[p] == 1:
        fitting.alive[p] = 0
        row = tables.class_of[p]
        for j in range(tables.ship_cells.shape[1]):
            if tables.ship_cells[p, j] < 0:
                break
            fitting.count[row, tables.ship_cells[p, j]] -= 1
        fitting.total[row] -= 1
