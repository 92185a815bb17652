"""Better trees than greedy ones long before a proof: rollouts of rollouts of the greedy rule.

``kernels.rollout`` says what the policies of rising levels are, and why each misses no more than
the one below. They work on a table of their own, so that the exact search finds the same keys with
them or without; one compiled loop serves every answer mode.

They are sought between two turns of a search, or, where it has several threads, beside it by one
more: between two turns the others would wait. What that has found is taken after a later turn; what
it has not found when the search ends is given up, but for the deadline, by which it ends itself a
little earlier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from seabattle.solver.search import work as w
from seabattle.solver.search.answers import part_all
from seabattle.solver.search.arrays import ENTRY_WEIGHT, HI, LO, NO_KEY, H, K, U
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.growing import GrowingTree
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE, SearchOptions
from seabattle.solver.search.threads import SideTask
from seabattle.solver.search.workspace import Paused
from seabattle.trees.tree import Tree

LEVELS = (
    *((1, 8), (3, 8), (4, 8), (5, 8), (6, 8), (8, 8)),
    *((8, 12), (10, 12), (12, 12), (12, 16), (12, 20), (12, 24)),
)
"""Of each level, how many cells it weighs, and up to how many rows it solves exactly.

Narrow levels are cheap, and several of them find more than one that is wide."""

STEPS_PER_STEP = 10
"""A row costs more here than in the search: steps look at so many times fewer."""

IDLE_LEVELS = 2
"""After so many levels that find nothing better, the next ones are not worth their time."""

ROWS_PER_TREE = 4
"""To grow a tree again takes new work: so many rows for each that one path through all may cost."""

PART_OF_MEMORY = 8
"""They may take this part of the memory that the search has not taken."""

GROWTH_OF_TABLE = 3
"""While the table of a search grows, the old one and one twice as large are in memory."""


class Improver:
    """Trees of rollouts of the greedy rule, level by level.

    Parameters
    ----------
    problem
        The problem of the exact search.
    limits
        When to stop; reports and ``stop`` are asked as by a search.
    orbits
        Whether symmetric sub-tables share what is chosen. Otherwise each is shot at by the rule
        itself, cells that tie in reading order.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> improver = Improver(as_problem(Rules("4x4", "3,2", answers="ship")))
    >>> [improver.climb() for level in range(3)]
    [316, 309, 309]
    """

    def __init__(
        self, problem: Problem, limits: Limits | None = None, *, orbits: bool = True
    ) -> None:
        self.problem = problem
        self.search = ExactSearch(problem, options=SearchOptions(orbits=orbits), limits=limits)
        self.search.counting = False
        # A path goes no deeper than there are cells: so every step ends with something kept.
        self.search.least_rows_per_step = (problem.cells + 2) * len(problem)
        self.search.rows_per_step = max(
            self.search.limits.rows_per_step // STEPS_PER_STEP, self.search.least_rows_per_step
        )
        self.rules = np.array(LEVELS, dtype=np.int64)
        self.level = -1
        self.totals: list[int] = []
        self.rows_since_grown: int | None = None
        self.exhausted = False

    def climb(self) -> int:
        """Misses in total of the next level's policy, or of one that was begun and not finished.

        Raises
        ------
        LimitReached
            At a limit of time or memory; what the level has chosen so far is kept.
        """
        from seabattle.solver.search.kernels.rollout import follow

        self.level = len(self.totals)
        ids = np.arange(len(self.search.problem), dtype=np.int32)
        search = self.search

        def step() -> int:
            arrays = search.kernel_arrays()
            entries, masks, _ = arrays.arena
            total = int(part_all(ids, -1, np.uint64(search.hit), arrays))
            for p in range(int(search.counters[w.ARENA_TOP])):
                if total == w.STOP:
                    break
                lo, hi, weight = (int(entries[p, at]) for at in (LO, HI, ENTRY_WEIGHT))
                part = lo, hi, *masks[p, [H, U, K]], weight
                misses = int(follow(ids, *part, self.level, 1, self.rules, arrays))
                total = w.STOP if misses == w.STOP else total + misses
            return total

        total = search.run(step)
        self.totals.append(total)
        idle = self.totals[-1 - IDLE_LEVELS :].count(total) > IDLE_LEVELS
        self.exhausted = idle or len(self.totals) == len(self.rules)
        return total

    def improve(self, rows: int, limits: Limits, *, spare: float = 0.0) -> None:
        """Climb until a limit is reached or that many rows were looked at.

        What a level has found is kept, so that another call goes on from there. At a limit of
        memory, and when levels find nothing better any more, it is ``exhausted``. Growing the tree
        may take as much memory again.

        Parameters
        ----------
        rows
            Rows that may be looked at.
        limits
            Of this call.
        spare
            Seconds before the deadline at which it stops.
        """
        search = self.search
        search.limits = limits
        if limits.deadline is not None:
            search.limits = replace(limits, deadline=limits.deadline - spare)
        search.rows_left = rows
        try:
            while not self.exhausted:
                self.climb()
        except Paused:
            pass
        except LimitReached:
            self.exhausted = True
        finally:
            if self.rows_since_grown is not None:
                self.rows_since_grown += rows - search.rows_left
            search.rows_left = None
            # What is asked while the tree grows may be new to a table that is full.
            search.limits = replace(limits, memory=2 * limits.memory)

    def worth_growing(self) -> bool:
        """Whether enough was found since the last tree to grow another."""
        if self.level < 1:
            return False
        if self.rows_since_grown is None or self.exhausted:
            return True
        return self.rows_since_grown >= ROWS_PER_TREE * self.search.least_rows_per_step

    def grow(self, *, objective: str, status: str) -> Tree:
        """The tree of the best shots known; what is left at a limit is shot at greedily.

        ``objective`` and ``status`` are recorded in it.
        """
        from seabattle.solver.search.kernels.rollout import EXACT, follow
        from seabattle.solver.search.minimize import minimize

        search = self.search
        self.rows_since_grown = 0
        growing = GrowingTree(search)

        def ask(*of_rows: Any) -> int:
            *part, limit = of_rows
            arrays = search.kernel_arrays()
            if part[2] - part[1] <= self.rules[self.level, EXACT]:
                return int(minimize(*part, INFEASIBLE, limit, 0, NO_KEY, arrays))
            search.counters[w.SHOT] = -1  # it is in the table then
            return int(follow(*part, 0, 1, self.rules, arrays))

        try:
            growing.grow(w.POLICY_KNOWN, ask=ask, levels=self.level)
        except LimitReached:
            search.limits = replace(search.limits, deadline=None)
            growing.grow(w.POLICY_HITS)
        return growing.tree(objective=objective, status=status)


def improved_tree(
    tree: Tree, improver: Improver, limits: Limits, rows: int, *, spare: float = 0.0
) -> Tree:
    """A tree of a problem that misses no more in total than the one given.

    Parameters
    ----------
    tree
        The best one known, which is returned where no better one is found.
    improver
        Of that problem; it goes on from where it stopped.
    limits
        As in ``Improver.improve``. At the deadline, what has not grown yet is shot at greedily.
    rows
        Rows that may be looked at: how long it takes.
    spare
        Seconds before the deadline at which the tree begins to grow.

    Raises
    ------
    KeyboardInterrupt
        Where ``limits.stop`` says so.
    """
    improver.improve(rows, limits, spare=spare)
    if not improver.worth_growing():
        return tree
    found = improver.grow(objective=tree.objective, status=tree.status)
    return found if found.total_misses < tree.total_misses else tree


class BetterTrees:
    """Trees of one problem that miss less than the best one known.

    Parameters
    ----------
    problem
        The problem of the search.
    seconds_to_grow
        Seconds that it takes to grow a tree and to verify it.
    """

    def __init__(self, problem: Problem, seconds_to_grow: float) -> None:
        self.problem = problem
        self.seconds_to_grow = seconds_to_grow
        self.found: list[Tree] = []
        self.task = SideTask("better trees")
        self.improver: Improver | None = None
        self.ended = False

    def seek(
        self,
        tree: Tree,
        rows: int,
        limits: Limits,
        taken: float,
        report: Callable[[Snapshot], None] | None,
    ) -> None:
        """Seek a better tree for as long as it takes to look at so many rows.

        It goes on where the last call stopped. With several threads it is only begun here, unless
        the last one is still sought.

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
            Called as ``limits.report`` would be, where the search waits for this.

        Raises
        ------
        KeyboardInterrupt
            Where ``limits.stop`` says so, with one thread.
        """
        deadline = limits.deadline
        if deadline is not None:
            # Time to grow what a limit leaves, and to verify the whole.
            deadline -= self.seconds_to_grow
            if limits.seconds_left() < 2 * self.seconds_to_grow:
                return
        memory = (limits.memory - taken) / PART_OF_MEMORY
        if GROWTH_OF_TABLE * taken + memory > limits.memory:
            # What the trees hold between two calls would be missing when the table grows.
            self.give_up()
            self.ended = True
        exhausted = self.improver is not None and self.improver.exhausted
        if self.ended or self.task.thread is not None or exhausted:
            return
        own = replace(limits, deadline=deadline, memory=memory, report=report)
        if limits.threads == 1:
            self._seek(tree, rows, own)
            return
        own = replace(own, report=None, stop=self.task.given_up.is_set)
        self.task.begin(self._seek, tree, rows, own)

    def _seek(self, tree: Tree, rows: int, limits: Limits) -> None:
        if self.improver is None:
            self.improver = Improver(self.problem, limits)
        better = improved_tree(tree, self.improver, limits, rows, spare=self.seconds_to_grow)
        if better is not tree:
            self.found.append(better)

    def take(self, *, wait: bool = False) -> Tree | None:
        """A better tree, if one was found since the last was taken.

        Parameters
        ----------
        wait
            Whether to wait for one that is still sought.

        Raises
        ------
        BaseException
            What stopped the thread that sought it.
        """
        if wait or not self.task.running:
            self.task.end()
        return self.found.pop() if self.found else None

    def give_up(self) -> None:
        """Stop what is still sought, wait until it has stopped, and free its memory."""
        self.task.give_up()
        self.improver = None
