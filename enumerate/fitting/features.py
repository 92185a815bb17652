"""Features: what a fitted prior gives weights to, and how many of each a placement has.

The weight of a layout is ``exp(theta . x)``, where ``x`` counts its features: the cells that it
occupies, the classes of these cells under the board's symmetries, or its placements. Each placement
adds its own features, so all such priors are products over placements.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from seabattle.enumerate.game.board import Board
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules


class Weighing(StrEnum):
    """What has a weight of its own."""

    CELLS = "cells"
    CLASSES = "classes"
    PLACEMENTS = "placements"


@dataclass(frozen=True)
class Features:
    """The features of a game's placements.

    Attributes
    ----------
    weighing
        What has a weight of its own.
    of_placement
        Sparse int64 ``(n_placements, n_features)``: how many of each feature a placement has.
    of_cell
        int64 ``(n_cells,)``: the feature of each cell; None where placements have weights.
    sizes
        int64 ``(n_features,)``: how many cells, or placements, share the weight of a feature.
    gauges
        int64 ``(n_features,)``: the gauge of each feature. Multiplying the weights of one gauge
        (all cells, or the placements of one length) by a common factor changes no chance.
    """

    weighing: Weighing
    of_placement: Any
    of_cell: NDArray[np.int64] | None
    sizes: NDArray[np.int64]
    gauges: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sizes)

    def logs(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """Natural logarithms of the placements' weights: float64 ``(n_placements,)``."""
        found: NDArray[np.float64] = self.of_placement @ theta
        return found

    def expected(self, chances: NDArray[Any]) -> NDArray[Any]:
        """How many of each feature there are on average, from the chance of each placement."""
        found: NDArray[Any] = self.of_placement.T @ chances
        return found


def classes_of(board: Board) -> NDArray[np.int64]:
    """For each cell the number of its class; symmetries of the board map a class to itself.

    >>> classes_of(Board(2, 3)).tolist()
    [0, 1, 0, 0, 1, 0]
    """
    least = np.array(board.symmetries).min(axis=0)
    found: NDArray[np.int64] = np.unique(least, return_inverse=True)[1].reshape(-1)
    return found.astype(np.int64)


def features_of(rules: Rules, weighing: Weighing) -> Features:
    """The features of a game."""
    placements = placement_table(rules).placements
    if weighing is Weighing.PLACEMENTS:
        lengths = np.array([p.length for p in placements], dtype=np.int64)
        ones = np.ones(len(placements), dtype=np.int64)
        identity = (ones, (np.arange(len(placements)), np.arange(len(placements))))
        return Features(weighing, csr_array(identity), None, ones, lengths)
    of_cell = np.arange(rules.board.cells, dtype=np.int64)
    if weighing is Weighing.CLASSES:
        of_cell = classes_of(rules.board)
    rows = [i for i, p in enumerate(placements) for _ in p.cells]
    columns = of_cell[[cell for p in placements for cell in p.cells]]
    sizes = np.bincount(of_cell)
    matrix = csr_array(
        (np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=(len(placements), len(sizes))
    )
    return Features(weighing, matrix, of_cell, sizes, np.zeros(len(sizes), dtype=np.int64))
