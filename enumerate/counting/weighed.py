"""The layouts that fit a position, weighed by a prior: chances, the total weight, samples.

Under a product prior the layouts are weighed by a sweep, in floating point. Under other priors they
are listed and weighed exactly (see ``listing``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import fsum, log

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.mass_sweep import MassSweep
from seabattle.enumerate.counting.weighing import Weighing
from seabattle.enumerate.map import Chances
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules


class Weighed(ABC):
    """The layouts that fit a position, at least one of which has a weight above 0.

    Attributes
    ----------
    log_weight
        Natural logarithm of the sum of their weights, in the prior's units.
    """

    log_weight: float

    @abstractmethod
    def chances(self) -> Chances:
        """How likely every placement and every cell is."""

    @abstractmethod
    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Layouts drawn by their weight: int64 ``(count, n_ships)``, placement numbers."""


class WeighedBySweep(Weighed):
    """Weighed by a sweep, without being listed.

    Parameters
    ----------
    sweep
        The sweep, whose total is above 0.
    weighing
        The weights that it sweeps with.
    """

    def __init__(self, sweep: MassSweep, weighing: Weighing) -> None:
        self.sweep, self.weighing = sweep, weighing
        self.fixed = list(weighing.constraints.fixed)
        self.log_weight = log(sweep.total) + weighing.log_unit

    def chances(self) -> Chances:
        """How likely every placement and every cell is."""
        sweep = self.sweep
        # Rounding may bring a certain ship to a little more than 1.
        placements = np.minimum(sweep.placement_masses() / sweep.total, 1.0)
        placements[self.fixed] = 1.0
        cells = cell_sums(sweep.rules, placements)
        cells[list(cells_of(self.weighing.constraints.required))] = 1.0
        return Chances(placements, np.minimum(cells, 1.0), self.log_weight, sweep.error)

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Layouts drawn by weight; each step of a walk errs by at most one part in 2**53."""
        streams = rng.integers(0, 1 << 64, size=count, dtype=np.uint64)
        found = self.sweep.draw(streams)
        fixed = np.tile(np.array(self.fixed, dtype=np.int64), (count, 1))
        return np.concatenate([found, fixed], axis=1)


def cell_sums(rules: Rules, placements: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each cell, the sum over the placements that cover it: float64 ``(n_cells,)``."""
    found: list[list[float]] = [[] for _ in range(rules.board.cells)]
    for placement, chance in zip(
        placement_table(rules).placements, placements.tolist(), strict=True
    ):
        if chance:
            for cell in placement.cells:
                found[cell].append(chance)
    return np.array([fsum(chances) for chances in found])
