"""Better trees sought in the pauses of a search, or beside it where it has several threads.

A pause is the work of one thread: while it lasts, the others would wait. So with several threads
the trees are sought by one more, and the search goes on. What it has found is taken at a later
pause; what it has not found when the search ends is given up, but for the deadline, by which it
ends itself a little earlier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from seabattle.solver.search.improving import Improver, improved_tree
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.work_threads import SideTask
from seabattle.trees.tree import Tree

PART_OF_MEMORY = 8
"""They may take this part of the memory that the search has not taken."""

GROWTH_OF_TABLE = 3
"""While the table of a search grows, the old one and one twice as large are in memory."""


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
