"""A frontier sweep in which a layout counts as much as the product of its placements' weights.

Such a sum of weights is called a *mass*.
"""

from __future__ import annotations

from functools import cached_property
from math import fsum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting import _mass_kernels as kernels
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.frontier_sweep import (
    MEMORY,
    BufferPool,
    FrontierSweep,
    NumberKernels,
    Progress,
)
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.rules import Rules

ROUNDING = 2.0**-53
"""Largest relative error of one rounding."""


class MassSweep(FrontierSweep):
    """Masses of the layouts that satisfy the constraints.

    Parameters
    ----------
    rules, constraints
        See ``FrontierSweep``.
    weights
        float64 ``(n_placements,)``: above 0 for every placement that is allowed, and such that no
        sum leaves the range of float64 (see ``weighing``).
    steps, pool, transposed, progress, memory
        See ``FrontierSweep``.
    """

    numbers: ClassVar[NumberKernels] = NumberKernels(
        np.float64, kernels.forward_row, kernels.backward_row
    )

    def __init__(
        self,
        rules: Rules,
        constraints: Constraints,
        weights: NDArray[np.float64],
        *,
        steps: Frontier | None = None,
        pool: BufferPool | None = None,
        transposed: bool | None = None,
        progress: Progress | None = None,
        memory: int = MEMORY,
    ) -> None:
        super().__init__(
            rules,
            constraints,
            steps=steps,
            pool=pool,
            transposed=transposed,
            progress=progress,
            memory=memory,
        )
        self.weights = weights

    @cached_property
    def rows(self) -> list[kernels.MassRules]:
        """The rules of every row of the board, as the kernels take them."""
        by_code = self.allowed.astype(np.float64)
        by_code.reshape(-1)[self.grid.starts] *= self.weights
        masks = self.movable.astype(np.float64)
        return [
            kernels.MassRules(opened, weights, self.shifts, masks)
            for opened, weights in zip(self.opened, by_code, strict=True)
        ]

    @property
    def vector_shape(self) -> tuple[int, ...]:
        """Shape of a sum vector: its entries, without words."""
        return (self.entries,)

    @cached_property
    def total(self) -> float:
        """Mass of all layouts; 0 only if there are none."""
        numbers, vectors = self.boundaries[-1]
        return fsum(vectors[self._is_end(numbers), self.full])

    @property
    def error(self) -> float:
        """Bound on the relative error of a chance or of the total mass.

        Counts the roundings that the weight of a layout goes through. In every layer of a row it
        passes through at most one node, which adds up the steps into it (or out of it): one
        rounding for each step and one for the weight. The mass of a placement is a sum of products
        of a forward and a backward sum, added up over the entries of a vector, the nodes of a
        block and the blocks, times a weight. The chance of a placement divides this by the total,
        and the chance of a cell adds up several. Each weight is itself rounded once.
        """
        front = self.frontier
        blocks = -(-front.nodes // kernels.BLOCK)
        ships = len(self.rules.fleet.lengths)
        way = 2 * front.most_into_layers + front.most_out_of_layers
        once = 6 + self.entries + kernels.BLOCK + blocks + 2 * ships
        roundings = (way * self.grid.rows + once) * ROUNDING
        return roundings / (1 - roundings)

    def placement_masses(self) -> NDArray[np.float64]:
        """Mass of the layouts that have each placement, in the order of the placement table."""
        found: NDArray[np.float64] = self._start_sums()[:, :, 0].reshape(-1)[self.grid.starts]
        return found

    def draw(self, streams: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Layouts drawn with probabilities proportional to their masses.

        Parameters
        ----------
        streams
            uint64 ``(n,)``: the seed of each layout's random numbers.

        Returns
        -------
        ships
            int64 ``(n, ships still to be found)``: numbers of placements.
        """
        states, front = streams.copy(), self.frontier
        return self._walks(
            len(states),
            lambda sums, row, at, used, ships, found: kernels.draw_row(
                sums, front.layers, front.steps_out, row, at, used, states, ships, found
            ),
        )
