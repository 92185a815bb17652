"""Checkpoints of searches most of which are short: nothing is written before it is worth it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.problem import Problem


class LateCheckpoint(Checkpoint):
    """A checkpoint that is first written after half a minute, or when the search is stopped.

    Parameters
    ----------
    path, problem
        As in ``Checkpoint``.
    stopped
        Whether the search was asked to end.
    """

    def __init__(self, path: Path, problem: Problem, stopped: Callable[[], bool]) -> None:
        super().__init__(path, problem)
        self.stopped = stopped

    def save(self, entries: NDArray[np.uint64]) -> None:
        """Write the entries, if it is time to."""
        if self.due() or self.stopped():
            super().save(entries)
