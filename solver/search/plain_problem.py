"""A game of answers hit and miss, as the search of the other answer modes reads it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.answer_problem import AnswerProblem
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.problem import Problem


class PlainProblem(AnswerProblem):
    """A problem of mode ``hit``, as the search of the other modes reads it: a row per occupancy."""

    symmetries = Problem.symmetries

    def __init__(self, table: DecisionTable) -> None:
        Problem.__init__(self, table)
        self.ships = np.zeros((len(self), len(table.rules.fleet.lengths)), dtype=np.uint64)
        self.mode = w.PLAIN

    @property
    def key_words(self) -> int:
        """Words of a key."""
        return 2 if self.two_words else 1

    def row_images(self) -> tuple[tuple[tuple[int, ...], ...], NDArray[np.int32]]:
        """The symmetries, and the row that each row becomes: int32 ``(n_symmetries, n_rows)``."""
        order = np.argsort(self.rows)
        known = self.rows[order]
        moved = [np.searchsorted(known, self.transformed_rows(g)) for g in self.symmetries]
        return self.symmetries, np.stack([order[places] for places in moved]).astype(np.int32)
