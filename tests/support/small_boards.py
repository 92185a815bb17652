"""Small boards whose layouts can all be listed, as the cells that they occupy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from twins.entropy_twin import occupied

from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules

GAMES = [
    Rules("4x4", "3,2,1", "none"),
    Rules("3x5", "2,2", "corners"),
    Rules("4x4", "3,2", "sides"),
    Rules("2x6", "2,1", "none"),
    Rules("3x4", "3,2,2", "sides"),
    Rules("1x9", "3,2"),
]


def cells_of_layouts(rules: Rules) -> NDArray[np.float64]:
    """Which cells each layout of a small board occupies."""
    placements = placement_table(rules).placements
    listed = enumerate_layouts(rules).ships.tolist()
    rows = [[cell for i in row for cell in placements[i].cells] for row in listed]
    return occupied(rows, rules.board.cells)


def as_grid(rules: Rules, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers of the cells by rows."""
    return numbers.reshape(rules.board.rows, rules.board.columns)
