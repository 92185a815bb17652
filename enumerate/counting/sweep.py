"""A frontier sweep that counts: every layout counts 1, and sums are exact whole numbers."""

from __future__ import annotations

from functools import cached_property
from math import comb
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting import _sum_kernels as kernels
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.frontier_sweep import (
    MEMORY,
    BufferPool,
    FrontierSweep,
    NumberKernels,
    Progress,
)
from seabattle.enumerate.deductions import Constraints, placement_masks
from seabattle.enumerate.rules import Rules

WORD_BITS = 64

Vectors = NDArray[np.uint64]


class Sweep(FrontierSweep):
    """Numbers of the layouts that satisfy the constraints.

    Parameters
    ----------
    rules, constraints
        See ``FrontierSweep``.
    words
        Words of 64 bits in every sum. Sums are modulo 2**(64 words), exact when there are fewer
        layouts than that; by default no number of layouts can reach it.
    steps, pool, transposed, upwards, progress, memory
        See ``FrontierSweep``.

    Attributes
    ----------
    any_side
        Whether a map may be swept from another side, where that is cheaper (see ``directions``).
    """

    numbers: ClassVar[NumberKernels] = NumberKernels(
        np.uint64, kernels.forward_row, kernels.backward_row
    )
    any_side: ClassVar[bool] = True

    def __init__(
        self,
        rules: Rules,
        constraints: Constraints,
        *,
        words: int | None = None,
        steps: Frontier | None = None,
        pool: BufferPool | None = None,
        transposed: bool | None = None,
        upwards: bool = False,
        progress: Progress | None = None,
        memory: int = MEMORY,
    ) -> None:
        super().__init__(
            rules,
            constraints,
            steps=steps,
            pool=pool,
            transposed=transposed,
            upwards=upwards,
            progress=progress,
            memory=memory,
        )
        self.words = words or words_needed(rules, constraints)

    def from_side(self, transposed: bool, upwards: bool) -> Sweep:
        """The same sweep from another side of the board."""
        return Sweep(
            self.rules,
            self.constraints,
            words=self.words,
            steps=self.frontier,
            pool=self.pool,
            transposed=transposed,
            upwards=upwards,
            progress=self.progress,
            memory=self.memory,
        )

    @cached_property
    def rows(self) -> list[kernels.RowRules]:
        """The rules of every row of the board, as the kernels take them."""
        masks = np.where(self.movable, ~np.uint64(0), np.uint64(0))
        return [kernels.RowRules(opened, self.shifts, masks) for opened in self.opened]

    def _begins_like(self, other: FrontierSweep) -> bool:
        return (
            isinstance(other, Sweep)
            and self.frontier is other.frontier
            and self.grid is other.grid
            and self.words == other.words
            and self.constraints.left == other.constraints.left
            and self._keeps_rows
            and other._keeps_rows
        )

    @property
    def vector_shape(self) -> tuple[int, ...]:
        """Words of every number, least significant first, and entries."""
        return self.words, self.entries

    @property
    def states(self) -> list[int]:
        """After each row, the number of (profile, ships used) pairs that are reached."""
        return [
            int(np.count_nonzero(vectors[:, 0] if self.words == 1 else vectors.any(axis=1)))
            for _, vectors in self.boundaries[1:]
        ]

    @property
    def count_bytes(self) -> int:
        """Bytes of the sums that ``count_thriftily`` holds: a row of layers, and its end."""
        return (self.frontier.nodes + self.frontier.profiles) * self.vector_bytes

    def count_thriftily(self) -> int:
        """Number of layouts, as ``total``, in less memory: the ends of rows are not kept."""
        sums, reached = self._vectors("backward"), self._reached()
        end = self._begin()
        for row in range(self.grid.rows):
            self._report(row)
            self.forward(sums, reached, row, *end)
            end = self._end_of_row(sums, reached)
        return self._sum_of_ends(*end)

    @cached_property
    def total(self) -> int:
        """Number of layouts, modulo 2**(64 words)."""
        return self._sum_of_ends(*self.boundaries[-1])

    def _sum_of_ends(self, numbers: NDArray[np.int64], vectors: Vectors) -> int:
        """Sum over the profiles after the last row that have used the whole fleet."""
        ends = vectors[self._is_end(numbers)][:, :, self.full]
        total = sum(sum(map(int, ends[:, w])) << (WORD_BITS * w) for w in range(self.words))
        return total % (1 << (WORD_BITS * self.words))

    def placement_counts(self) -> list[int]:
        """Number of layouts that have each placement, in the order of the placement table."""
        found = self._start_sums().reshape(-1, 2 * self.words)[self.grid.starts]
        if self.words == 1:
            return [int(count) for count in found[:, 0]]
        whole = 1 << (WORD_BITS * self.words)
        half = WORD_BITS // 2
        return [
            sum(int(digit) << (half * i) for i, digit in enumerate(digits)) % whole
            for digits in found
        ]

    def layouts(self, ranks: Vectors) -> NDArray[np.int64]:
        """Layouts by their rank in the order of the sweep.

        Parameters
        ----------
        ranks
            uint64 ``(n, words)``, least significant word first, each below the total.

        Returns
        -------
        ships
            int64 ``(n, ships still to be found)``: numbers of placements.
        """
        left, front = ranks.copy(), self.frontier
        return self._walks(
            len(ranks),
            lambda sums, row, at, used, ships, found: kernels.walk_row(
                sums, front.layers, front.steps_out, row, at, used, left, ships, found
            ),
        )


def layouts_bound(constraints: Constraints, lengths: NDArray[np.int64]) -> int:
    """A number that the layouts do not exceed, from how many placements each ship has left.

    Parameters
    ----------
    constraints
        What the layouts satisfy.
    lengths
        int64 ``(n_placements,)``: length of each placement.
    """
    bound = 1
    for length, ships in constraints.left.items():
        bound *= comb(int(constraints.allowed[lengths == length].sum()), ships)
    return bound


def words_needed(rules: Rules, constraints: Constraints) -> int:
    """Words of 64 bits that hold any possible number of layouts."""
    lengths = np.array(placement_masks(rules)[2])
    return max(1, -(-layouts_bound(constraints, lengths).bit_length() // WORD_BITS))
