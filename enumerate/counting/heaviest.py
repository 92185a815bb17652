"""The heaviest layout: the one whose placements have the largest sum of gains.

Every placement has a gain, a whole number. No layout has a larger sum than the one found here,
which can prove that cell frequencies are impossible (``fitting.certificate``). The search is the
sweep of the counter with maxima in place of sums, so it works on boards of any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting import _best_kernels as kernels
from seabattle.enumerate.counting.frontier_sweep import Progress
from seabattle.enumerate.counting.sweep import Sweep
from seabattle.enumerate.deductions import Constraints, constrain
from seabattle.enumerate.errors import TooLargeError, WeightsError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

MOST_GAIN = 1 << 60
"""The absolute gains of the ships of a layout add up to less than this."""


@dataclass(frozen=True)
class HeaviestLayout:
    """A layout with the largest sum of gains.

    Attributes
    ----------
    gain
        The sum of the gains of its placements.
    ships
        Its placement numbers in increasing order.
    """

    gain: int
    ships: tuple[int, ...]


class HeaviestSearch:
    """Finds heaviest layouts of one game, for one choice of gains after another.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    constraints
        Allowed placements and required cells, without fixed ships; by default all layouts count.
    memory_limit
        GiB it may take.
    progress
        Called before each row that is swept, with its number and the number of rows.

    Raises
    ------
    TooLargeError
        If the sweep needs more memory.
    """

    def __init__(
        self,
        rules: Rules,
        constraints: Constraints | None = None,
        *,
        memory_limit: float = 4.0,
        progress: Progress | None = None,
    ) -> None:
        constraints = constraints or constrain(Position(rules))
        self.sweep = Sweep(rules, constraints, words=1, progress=progress)
        front, rows = self.sweep.frontier, self.sweep.grid.rows
        need = front.nbytes + 8 * self.sweep.entries * (front.nodes + rows * front.profiles)
        if need > memory_limit * 2**30:
            raise TooLargeError(
                f"board {rules.board} with fleet {rules.fleet}: the heaviest layout needs "
                f"{need / 2**30:.2g} GiB, more than the limit of {memory_limit:g} GiB; raise "
                f"--memory-limit"
            )
        self.ships = len(rules.fleet.lengths)
        self._best = np.empty((front.nodes, self.sweep.entries), dtype=np.int64)
        self._begun = np.arange(front.layers[-2], dtype=np.int32)

    def find(self, gains: Sequence[int] | NDArray[np.int64]) -> HeaviestLayout | None:
        """A heaviest layout; None when there is no layout at all.

        Parameters
        ----------
        gains
            Whole numbers, one per placement.

        Raises
        ------
        WeightsError
            If the gains are too large to be added up in 64 bits.
        """
        most = max((abs(int(gain)) for gain in gains), default=0)
        if most * self.ships >= MOST_GAIN:
            raise WeightsError(f"gains of {most} are too large: {self.ships} of them reach 2^60")
        sweep = self.sweep
        front, rows = sweep.frontier, sweep.grid.rows
        by_row = np.zeros((rows, sweep.grid.width * front.kinds), dtype=np.int64)
        by_row.reshape(-1)[sweep.grid.starts] = gains
        best = self._best
        ends = np.full((front.profiles, sweep.entries), kernels.NOTHING, dtype=np.int64)
        ends[sweep._is_end(np.arange(front.profiles)), sweep.full] = 0
        after = [ends]
        for row in range(rows - 1, -1, -1):
            self._fill(row, by_row[row], after[-1])
            after.append(best[: front.profiles].copy())
        after.reverse()
        gain = int(after[0][sweep.first, 0])
        if gain < kernels.NOTHING // 2:
            return None
        at, used, found = sweep.first, 0, 0
        codes = np.zeros(self.ships, dtype=np.int64)
        row_of = np.zeros(self.ships, dtype=np.int64)
        for row in range(rows):
            if row:  # the first row is still there
                self._fill(row, by_row[row], after[row + 1])
            before = found
            at, used, found = kernels.follow_row(
                best, front.layers, front.steps_out, sweep.rows[row], by_row[row], at, used, codes,
                found,
            )  # fmt: skip
            row_of[before:found] = row
        starts = {int(start): i for i, start in enumerate(sweep.grid.starts)}
        ships = row_of[:found] * by_row.shape[1] + codes[:found]
        return HeaviestLayout(gain, tuple(sorted(starts[int(start)] for start in ships)))

    def _fill(self, row: int, gains: NDArray[np.int64], after: NDArray[np.int64]) -> None:
        """Best gains of all nodes of a row, from those at its end."""
        sweep = self.sweep
        if sweep.progress is not None:
            sweep.progress(row, sweep.grid.rows)
        front = sweep.frontier
        self._best[int(front.layers[-2]) :] = after
        kernels.best_row(self._best, self._begun, front.steps_out, sweep.rows[row], gains)


def heaviest(
    rules: Rules, gains: Sequence[int] | NDArray[np.int64], *, memory_limit: float = 4.0
) -> HeaviestLayout | None:
    """A layout with the largest sum of gains; None if the fleet has no layout.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    gains
        Whole numbers, one per placement of the rules' placement table, or one per cell; then a
        placement gains the sum of those of its cells.
    memory_limit
        GiB it may take.

    Raises
    ------
    WeightsError
        If the number of gains is neither that of the placements nor that of the cells, or they are
        too large.
    TooLargeError
        If the sweep needs more memory.

    Examples
    --------
    >>> heaviest(Rules("1x4", "2"), [1, 2, 0, 4])
    HeaviestLayout(gain=4, ships=(2,))
    """
    placements = placement_table(rules).placements
    if len(gains) == rules.board.cells:
        gains = [sum(int(gains[cell]) for cell in p.cells) for p in placements]
    elif len(gains) != len(placements):
        raise WeightsError(
            f"{len(gains)} gains: give one per placement, {len(placements)}, or one per cell, "
            f"{rules.board.cells}"
        )
    return HeaviestSearch(rules, memory_limit=memory_limit).find(gains)
