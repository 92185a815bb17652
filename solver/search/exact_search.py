"""The contract of an exact search over the sub-tables of one problem.

``solver.search.hit_search`` keeps it in mode ``hit``, ``solver.search.answer_search`` in the other
answer modes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.position import Position
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE, Goal, Value
from seabattle.solver.search.workspace import Workspace
from seabattle.trees.tree import Tree

ROWS_SHARED = 64
"""Least rows of a sub-table whose shots are refuted so: smaller ones are cheap to know exactly."""


class ExactSearch(Workspace, ABC):
    """The contract of an exact search over the sub-tables of one problem.

    Every query names its goal and, with the goal ``TOTAL``, may limit the misses on any path: only
    trees that keep the limit then count, and there may be none (``INFEASIBLE``). Queries are
    *fail-soft*: below the budget the result is exact, otherwise it is a proven lower bound, at
    least the budget and at most the true value. Whatever a query proves stays in the table for all
    later ones. A query raises ``LimitReached`` at a limit of time or memory.

    Parameters
    ----------
    problem
        The rows.
    options
        What the search may use; everything by default.
    limits
        When to stop.
    first_capacity
        Slots of the table at the start, a power of 2; by default what suits the search.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        options: SearchOptions | None = None,
        limits: Limits | None = None,
        first_capacity: int | None = None,
    ) -> None:
        self.options = options or SearchOptions()
        super().__init__(
            problem, orbits=self.options.orbits, limits=limits, first_capacity=first_capacity
        )
        self.kernel_options = self.options.kernel_options(problem)

    @abstractmethod
    def kernel_arrays(self) -> NamedTuple:
        """The group of arrays that every kernel of the search takes last.

        Fetch it again before every call, because the table is replaced when it grows.
        """

    def warm_up(self) -> None:
        """Compile or load the kernels, so that what follows measures the search alone."""
        self.briefly(lambda: self.minimize(rows=np.zeros(1, dtype=np.int64)))

    def prepare(self) -> None:
        """Work that the bounds need once; see ``run`` for what may stop it."""

    def share(self) -> None:
        """From now on let the answers to a shot share what it lacks (``kernels.shares``).

        Lower bounds rise with a fraction of the work. Exact values take somewhat more of it, so
        that a search that is soon done is better off without.
        """
        if self.options.shares:
            self.kernel_options[w.SHARED_ROWS] = ROWS_SHARED

    @contextmanager
    def seeking_every_shot(self) -> Iterator[None]:
        """Have the kernels look for all best shots of depth 0, not for one of them."""
        self.counters[w.SHOTS] = 0
        self.kernel_options[w.EVERY_SHOT] = 1
        try:
            yield
        finally:
            self.kernel_options[w.EVERY_SHOT] = 0

    def shots_found(self, value: Value) -> int:
        """Mask of all best shots that a query with this value has found; 0 unless it is exact."""
        return int(self.counters[w.SHOTS]) & (1 << 64) - 1 if value.exact else 0

    @abstractmethod
    def minimize(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
        rows: NDArray[np.int64] | None = None,
    ) -> Value:
        """Least misses of the whole problem or of a sub-table.

        Parameters
        ----------
        goal
            Whether the total or the worst case is made least.
        miss_limit
            Most misses on any path, 0 to 125, or None; None with the goal ``WORST``.
        budget
            The value is exact when below this, else only proven to be at least ``misses``.
        rows
            int64 ``(n,)``: numbers of the sub-table's rows, all rows by default.
        """

    @abstractmethod
    def best_shots(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
    ) -> tuple[Value, int]:
        """Least misses of the whole problem, and all shots with which a best tree begins.

        All other shots are refuted by one miss more than ``minimize`` would take, by the same
        search: to ask for the value of every shot takes far longer.

        Parameters
        ----------
        goal, miss_limit, budget
            As in ``minimize``.

        Returns
        -------
        value
            As ``minimize`` does.
        cells
            Mask of the shots if the value is exact, else 0. Certain hits are among them only
            where they are not free (``Problem.hits_are_free``).
        """

    @abstractmethod
    def shot_value(
        self,
        cell: int,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
    ) -> int:
        """Least misses of a tree that begins with a shot at a cell; arguments as in ``minimize``.

        At most ``INFEASIBLE``, which means that no such tree keeps the miss limit.
        """

    @abstractmethod
    def best_shot(
        self,
        rows: NDArray[np.int64],
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        hit: int = 0,
    ) -> int:
        """A shot with which a best tree of some rows begins, when no certain hit is due.

        Parameters
        ----------
        rows
            int64 ``(n,)``: numbers of the rows left, of two or more occupancies.
        goal, miss_limit
            As in ``minimize``; some tree keeps the limit.
        hit
            Mask of the cells hit so far, which the rows all occupy.
        """

    @abstractmethod
    def grow(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        position: Position,
        objective: str,
        status: str,
    ) -> Tree:
        """A best tree of the whole problem.

        Parameters
        ----------
        goal, miss_limit
            As in ``minimize``.
        position, objective, status
            Recorded in the tree.
        """
