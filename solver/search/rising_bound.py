"""A lower bound raised best first in the pauses of a search, or beside it where it has threads.

A pause is the work of one thread: while it lasts, the others would wait. So of several threads one
leaves the search in the first such pause, and raises the bound until the search ends. In every
pause it stops for a moment and tells the search what it has proven of sub-tables.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from seabattle.solver.search.best_first import BestFirst, is_possible
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.work_threads import SideTask

PART_OF_MEMORY = 4
"""What is looked at best first may take this part of the memory of the search."""

WITHOUT_END = 1 << 60


class RisingBound:
    """A lower bound on the least total of the problem of a search.

    Parameters
    ----------
    search
        The search, whose limits hold. While another thread raises the bound, it has one less.

    Attributes
    ----------
    ended
        Whether no more can be done, or nothing could be.
    """

    def __init__(self, search: ExactSearch) -> None:
        self.search = search
        self.best_first: BestFirst | None = None
        self.task = SideTask("best first")
        self.threads = search.limits.threads
        self.lower = 0
        self.ended = not is_possible(search.problem, search.options)

    def seek(self, rows: int, report: Callable[[Snapshot], None], *, beside: bool = True) -> None:
        """Raise the bound for as long as it takes to look at so many rows, and tell the search.

        With several threads it is raised until the next call, and the search told what was proven
        since the last.

        Parameters
        ----------
        rows
            Rows that may be looked at.
        report
            Called as ``limits.report`` would be, where the search waits for this.
        beside
            Whether one of several threads is to be had; otherwise the search has all of them.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            At a limit of the search, with one thread.
        """
        if self.ended:
            return
        search = self.search
        own = replace(search.limits, memory=search.limits.memory / PART_OF_MEMORY)
        if self.best_first is None:
            self.best_first = BestFirst(search)
            search.reserved = int(own.memory * 2**30)
        self.task.give_up()  # within a step
        if self.threads == 1:
            own.report = None if own.report is None else report
            self.best_first.go_on(rows, own)
        with suppress(LimitReached):  # the search goes on with less
            self.best_first.tell()
        if self.best_first.ended:
            self.give_up()
        elif self.threads > 1:
            own.report, own.stop = None, self.task.given_up.is_set
            search.limits = replace(search.limits, threads=self.threads - beside)
            if beside and not self.task.begin(self._go_on_beside, own):
                self.give_up()

    def _go_on_beside(self, limits: Limits) -> None:
        assert self.best_first is not None
        with suppress(LimitReached):  # the search says so itself
            self.best_first.go_on(WITHOUT_END, limits)

    def take(self) -> int:
        """The lower bound known by now; 0 before there is one."""
        if self.best_first is not None:
            self.lower = max(self.lower, self.best_first.lower)
        return self.lower

    def give_up(self) -> None:
        """Stop what goes on beside the search, wait until it has stopped, and free its memory."""
        self.ended = True
        self.search.limits = replace(self.search.limits, threads=self.threads)
        try:
            self.task.give_up()
        finally:
            self.take()
            self.best_first = None
            self.search.reserved = 0
