"""Better trees than greedy ones long before a proof: rollouts of rollouts of the greedy rule.

The core follows the policies, and says what they are (``rollouts.hpp``): each level weighs a few
cells of a sub-table by the level below. Here levels are climbed, one after the other, and trees are
grown from what they have chosen.

They work on a table of their own, so that the exact search finds the same keys with them or
without.

They are sought between two turns of a search; at a deadline they end a little earlier, so that the
tree can be grown.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import core
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.growing import GrowingTree, Policy
from seabattle.solver.search.limits import LimitReached, Limits, Pace, Paused, Snapshot
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.threads import Searcher
from seabattle.trees.tree import Tree

LEVELS = (
    *((1, 8), (3, 8), (4, 8), (5, 8), (6, 8), (8, 8)),
    *((8, 12), (10, 12), (12, 12), (12, 16), (12, 20), (12, 24)),
)
"""Of each level, how many cells it weighs, and up to how many rows it solves exactly.

Narrow levels are cheap, and several of them find more than one that is wide."""

ROW_COST = 10
"""A row takes so many times as long as in the search, so that a step looks at as many fewer."""

IDLE_LEVELS = 2
"""After so many levels that find nothing better, the next ones are not worth their time."""

ROWS_PER_TREE = 4
"""To grow a tree again takes new work: so many rows for each that one path through all may cost."""

PART_OF_MEMORY = 8
"""They may take this part of the memory that the search has not taken."""

GROWTH_OF_TABLE = 3
"""While the table of a search grows, the old one and one twice as large are in memory."""


class BetterTrees:
    """Trees of one problem that miss less than the best one known, by rollouts, level by level.

    Parameters
    ----------
    problem
        The problem of the search.
    limits
        When to stop; reports and ``stop`` are asked as by a search.
    seconds_to_grow
        Seconds that it takes to grow a tree and to verify it.

    Attributes
    ----------
    exhausted
        Whether levels find nothing better any more, or no memory is left.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> trees = BetterTrees(as_problem(Rules("4x4", "3,2", answers="ship")))
    >>> [trees.climb() for level in range(3)]
    [316, 309, 309]
    """

    def __init__(
        self,
        problem: Problem,
        limits: Limits | None = None,
        *,
        seconds_to_grow: float = 0.0,
    ) -> None:
        self.problem = problem
        self.limits = limits or Limits()
        self.seconds_to_grow = seconds_to_grow
        self.rules = np.array(LEVELS, dtype=np.int64)
        self.give_up()

    def give_up(self) -> None:
        """Forget what was found, and free its memory."""
        self.__dict__.pop("search", None)
        self.level = -1
        self.totals: list[int] = []
        self.rows_since_grown = inf  # no tree was grown yet
        self.exhausted = False

    @cached_property
    def search(self) -> ExactSearch:
        """A search with a table for what the levels choose."""
        problem = self.problem
        search = ExactSearch(problem, limits=self.limits)
        search.counting = False
        # A path goes no deeper than there are cells: so every step ends with something kept.
        search.least_rows_per_step = (problem.cells + 2) * len(problem)
        search.rows_per_step = max(
            self.limits.rows_per_step // ROW_COST, search.least_rows_per_step
        )
        return search

    def climb(self, pace: Pace | None = None) -> int:
        """Misses in total of the next level's policy, or of one that was begun and not finished.

        ``pace`` says when to pause, by ``Paused``.

        Raises
        ------
        LimitReached
            At a limit of time or memory; what the level has chosen so far is kept.
        """
        self.level = len(self.totals)
        search, rows = self.search, np.arange(len(self.problem), dtype=np.int32)

        def follow(searcher: Searcher) -> int:
            function, levels = core().rollout_misses, self.rules.ravel()
            return searcher.ask(function, rows, search.question(), levels, self.level)

        total = search.run(follow, pace=pace)
        self.totals.append(total)
        idle = self.totals[-1 - IDLE_LEVELS :].count(total) > IDLE_LEVELS
        self.exhausted = idle or len(self.totals) == len(self.rules)
        return total

    def improve(self, rows: int, limits: Limits) -> None:
        """Climb until a limit is reached or that many rows were looked at.

        What a level has found is kept, so that another call goes on from there. Growing the tree
        may take as much memory again.

        Parameters
        ----------
        rows
            Rows that may be looked at.
        limits
            Of this call. It stops somewhat before the deadline, so that a tree can still be grown.
        """
        search = self.search
        search.limits = replace(limits, deadline=limits.deadline - self.seconds_to_grow)

        pace = Pace(rows)
        try:
            with suppress(Paused):
                while not self.exhausted:
                    self.climb(pace)
        except LimitReached:
            self.exhausted = True
        finally:
            self.rows_since_grown += rows
            # What is asked while the tree grows may be new to a table that is full.
            search.limits = replace(limits, memory=2 * limits.memory)

    def grow(self, *, objective: str, status: str) -> Tree:
        """The tree of the best shots known; what is left at a limit is shot at greedily.

        ``objective`` and ``status`` are recorded in it.
        """
        search = self.search
        self.rows_since_grown = 0
        growing = GrowingTree(search)

        def ask(rows: NDArray[np.int32], hit: NDArray[np.uint64]) -> int:
            question, levels = search.question(hit=hit), self.rules.ravel()
            function = core().rollout_shot
            return search.searcher.ask(function, rows, question, levels, self.level)

        try:
            growing.grow(Policy.KNOWN, ask=ask, level=self.level)
        except LimitReached:
            search.limits = replace(search.limits, deadline=inf)
            growing.grow(Policy.HITS)
        return growing.tree(objective=objective, status=status)

    def seek(
        self,
        tree: Tree,
        rows: int,
        limits: Limits,
        taken: float,
        report: Callable[[Snapshot], None],
    ) -> Tree | None:
        """Seek a better tree for as long as it takes to look at so many rows, if there is one.

        It goes on where the last call stopped.

        Parameters
        ----------
        tree
            The best one known.
        rows
            Rows that may be looked at.
        limits
            Of the search.
        taken
            GiB that the search has taken.
        report
            Called as ``limits.report`` would be.

        Raises
        ------
        KeyboardInterrupt
            Where ``limits.stop`` says so.
        """
        if limits.seconds_left() < 2 * self.seconds_to_grow:
            return None
        # Time to grow what a limit leaves, and to verify the whole.
        deadline = limits.deadline - self.seconds_to_grow
        memory = (limits.memory - taken) / PART_OF_MEMORY
        if GROWTH_OF_TABLE * taken + memory > limits.memory:
            # What the trees hold between two calls would be missing when the table grows.
            self.give_up()
            self.exhausted = True
        if self.exhausted:
            return None
        self.improve(rows, replace(limits, deadline=deadline, memory=memory, report=report))
        new_work = self.rows_since_grown >= ROWS_PER_TREE * self.search.least_rows_per_step
        if self.level < 1 or not (new_work or self.exhausted):
            return None
        found = self.grow(objective=tree.objective, status=tree.status)
        return found if found.total_misses < tree.total_misses else None
