"""A frontier sweep that weighs: a layout counts the product of its placements' weights."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from math import fsum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting import _mass_kernels as kernels
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.frontier_sweep import (
    BufferPool,
    FrontierSweep,
    NumberKernels,
    Progress,
)
from seabattle.enumerate.game.deductions import Constraints
from seabattle.enumerate.game.rules import Rules

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
    steps, pool, transposed, progress
        See ``FrontierSweep``.
    """

    numbers: ClassVar[NumberKernels] = NumberKernels(
        np.float64, kernels.forward_row, kernels.backward_row, kernels.start_masses
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
    ) -> None:
        super().__init__(
            rules, constraints, steps=steps, pool=pool, transposed=transposed, progress=progress
        )
        self.weights = weights

    @cached_property
    def rows(self) -> list[kernels.MassRules]:
        """The rules of every row of the board, as the kernels take them."""
        by_code = self.allowed.astype(np.float64)
        by_code.reshape(-1)[self.grid.starts] *= self.weights
        masks = self.movable.astype(np.float64)
        return [
            kernels.MassRules(allowed, mask, weights, self.shifts, masks)
            for allowed, mask, weights in zip(self.allowed, self.required, by_code, strict=True)
        ]

    @property
    def vector_shape(self) -> tuple[int, ...]:
        """Entries."""
        return (self.entries,)

    @cached_property
    def total(self) -> float:
        """Mass of all layouts; 0 only if there is none."""
        numbers, vectors = self.boundaries[-1]
        return fsum(vectors[self._is_end(numbers), self.full])

    @cached_property
    def error(self) -> float:
        """Bound on the relative error of a chance or of the total mass, weights taken as exact.

        Counts the roundings on the way of a layout through the sums. A sum over the steps into a
        node (or out of it) rounds once for each and once for the weight, and at most one node of
        each layer lies on the way, in a row of the board as in every other. The masses of a
        placement are the products of a forward and a backward sum, added up over the entries of a
        vector, then a block of nodes, then the blocks. A chance divides by the total.
        """
        front = self.frontier
        into, out = (
            sum(int(degrees[first:stop].max(initial=0)) + 1 for first, stop in layers)
            for degrees, layers in (
                (np.diff(front.steps_in.starts), pairwise(front.layers[1:])),
                (np.diff(front.steps_out.starts), pairwise(front.layers[:-1])),
            )
        )
        blocks = -(-front.nodes // kernels.BLOCK)
        ships = len(self.rules.fleet.lengths)
        once = 4 + self.entries + kernels.BLOCK + blocks + ships
        roundings = (2 * into + out) * self.grid.rows + once
        return roundings * ROUNDING / (1 - roundings * ROUNDING)

    def placement_masses(self) -> NDArray[np.float64]:
        """Mass of the layouts that have each placement, in the order of the placement table."""
        found: NDArray[np.float64] = self._start_sums().reshape(-1)[self.grid.starts]
        return found

    def draw(self, streams: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Layouts drawn by their mass.

        Parameters
        ----------
        streams
            uint64 ``(n,)``: seeds of the random numbers of each.

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
