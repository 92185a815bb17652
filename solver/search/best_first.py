"""Best-first search: lower bounds of games that are too large to be solved.

A search with a budget proves a lower bound by refuting every shot of every sub-table on its way,
and has to share out beforehand what the answers to a shot may cost. Where ships are few and the
water is wide it spends its time on answers whose bounds hardly rise, while others would at once.
Here nothing is shared out: every sub-table looked at is kept, with a lower bound, and the work goes
where the bound of the whole game depends on it. This is the search for a least tree in an AND/OR
graph, which was made for decision tables [Martelli1978].

What is known of a sub-table S is a lower bound b(S) on its misses, at first the greatest of those
that the search with budgets has: words, columns, what hits leave, cells told
(``solver.search.coverage``, ``reveal_bound``). Once its shots are listed,

    b(S) = the least, over all cells c, of (weight that c misses + b of each sub-table after it),

if that is more. By induction every b is a lower bound: a tree of S begins with some shot, and has a
tree of every sub-table after it. A shot whose sub-tables are not listed yet has a bound made of
counts alone. Cells that another one dominates are left out, as in every search. If all
sub-tables after a shot of least bound are known exactly, b(S) is the value of S: no other shot can
do better.

The whole game, the root, rises only when the sub-tables do that lie behind shots of least bound. So
each step goes down from the root: at a sub-table the shot of least bound is taken, and of the
answers to it the one whose bound has risen most for the work done below it. (All have to be solved
at some time; which comes first is of no matter to what is true.) The path ends where no shots are
listed. They are listed there, and the bounds of the path are raised from its end to the root. Few
rows are solved exactly by the other search.

Sub-tables with misses in another order, and images under a symmetry, are one. Rows are not kept but
listed anew from what is known of a sub-table, as most are looked at once. Answers ``sunk`` under
contact rule ``sides`` are left out, as rows are not known from cells there.

To raise the bound is the work of one thread: so of several one leaves the search for it
(``RisingBound``) until the search ends. Between two turns of the search it stops for a moment and
tells the search what it has proven of sub-tables.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from seabattle.solver.search import work as w
from seabattle.solver.search.arrays import (
    BOUND,
    IS_EXACT,
    SHOT_COLUMNS,
    TABLE_COLUMNS,
    Explored,
)
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal, SearchOptions
from seabattle.solver.search.threads import SideTask
from seabattle.solver.search.workspace import Paused

LOOKS_PER_ROW = 8
"""A row is looked at so many times here in the time in which the search looks at one, which it
partitions by every shot."""

FIRST_TABLES = 1 << 12
"""Sub-tables that there is room for at the start."""

PER_TABLE = 8, 2
"""Shots and answers that there is room for at the start, for each of them."""

PART_OF_MEMORY = 4
"""What is looked at best first may take this part of the memory of the search."""

WITHOUT_END = 1 << 60


def is_possible(problem: Problem, options: SearchOptions) -> bool:
    """Whether sub-tables of a problem can be looked at best first, with these options."""
    modes = w.CLOSED_SUNK, w.NAMED, w.PLAIN
    return problem.mode in modes and options.best_first and options.bounds


Number = TypeVar("Number", np.int32, np.int64, np.uint64)


def _doubled(array: NDArray[Number]) -> NDArray[Number]:
    larger = np.zeros((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


class BestFirst:
    """A lower bound on the least misses of a problem that rises for as long as it is worked on.

    Parameters
    ----------
    search
        A search of the problem; what hits leave is counted already, if it counts that.

    Attributes
    ----------
    ended
        Whether nothing more can be done: the optimum is proven, or no memory is left.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.enumerate.table import DecisionTable
    >>> table = DecisionTable.build(Rules("4x4", "2,1", answers="sunk"))
    >>> best_first = BestFirst(ExactSearch(Problem(table)))
    >>> best_first.go_on(100_000_000, Limits())
    >>> best_first.lower, best_first.proven
    (1056, True)
    """

    def __init__(self, search: ExactSearch) -> None:
        self.search = search
        self.own = self._own_search()
        words = self.own.problem.key_words
        shots, answers = PER_TABLE
        self.explored = Explored(
            np.zeros((FIRST_TABLES, TABLE_COLUMNS), dtype=np.int64),
            np.zeros((FIRST_TABLES, 2), dtype=np.uint64),
            np.zeros((FIRST_TABLES, words), dtype=np.uint64),
            np.full(2 * FIRST_TABLES, -1, dtype=np.int32),
            np.zeros((shots * FIRST_TABLES, SHOT_COLUMNS), dtype=np.int64),
            np.zeros(answers * FIRST_TABLES, dtype=np.int32),
            np.zeros(3, dtype=np.int64),
            np.zeros((self.own.problem.cells + 3, 2), dtype=np.int64),
            np.zeros(len(self.own.problem), dtype=np.int32),
        )
        self.ended = False

    def _own_search(self) -> ExactSearch:
        """A search that solves few rows, with a table of its own and the counts of the other."""
        search = self.search
        own = ExactSearch(search.problem, options=search.options)
        own.counting = False
        own.finds = search.finds
        own.rows_per_step *= LOOKS_PER_ROW
        own.kernel_options[w.GOAL] = Goal.TOTAL
        return own

    @property
    def lower(self) -> int:
        """The lower bound."""
        return int(self.explored.tables[0, BOUND])

    @property
    def proven(self) -> bool:
        """Whether it is the optimum."""
        return bool(self.explored.tables[0, IS_EXACT])

    @property
    def sub_tables(self) -> int:
        """Sub-tables of which something is known."""
        return int(self.explored.size[0])

    @property
    def nbytes(self) -> int:
        """Bytes that all of it takes."""
        return sum(array.nbytes for array in self.explored) + self.own.table.nbytes

    def go_on(self, rows: int, limits: Limits) -> None:
        """Raise the bound for as long as it takes to look at so many rows.

        Parameters
        ----------
        rows
            Rows that may be looked at.
        limits
            When to stop. ``limits.memory`` is what all of this may take: when that is used up, the
            search is ``ended``.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            At the deadline, or where ``limits.stop`` says so.
        """
        if self.ended:
            return
        # compiled when first imported, and of use to long searches alone
        from seabattle.solver.search.kernels.best_first import NO_ROOM, begin_at, explore

        own = self.own
        own.limits = replace(limits, memory=limits.memory / 2, threads=1)
        own.rows_left = LOOKS_PER_ROW * rows
        try:
            if self.explored.size[0] == 0:
                hit = np.uint64(own.hit)
                own.run(lambda: begin_at(hit, self.explored, own.kernel_arrays()))
            while own.run(lambda: explore(self.explored, own.kernel_arrays())) == NO_ROOM:
                self._make_room(limits.memory)
            self.ended = True
        except Paused:
            pass
        except (LimitReached, MemoryError):
            if limits.seconds_left() < 0:
                raise
            self.ended = True
        finally:
            own.rows_left = None

    def tell(self) -> None:
        """Enter what is proven of sub-tables into the table of the search, which has their keys.

        Raises
        ------
        LimitReached
            If the table has no room for it.
        """
        from seabattle.solver.search.kernels.best_first import tell_bounds

        search = self.search
        number = 1
        while number < self.explored.size[0]:
            number = int(tell_bounds(number, self.explored, search.table, search.counters))
            if number < self.explored.size[0]:
                search.enlarge()

    def _make_room(self, memory: float) -> None:
        """Double the arrays that are nearly full.

        Raises
        ------
        LimitReached
            If that would take more than so many GiB.
        """
        from seabattle.solver.search.kernels.best_first import MOST_ANSWERS, MOST_SHOTS, find_slots

        explored = self.explored
        tables, shots, answers = (int(size) for size in explored.size)
        larger = explored
        if tables + MOST_ANSWERS > len(explored.tables):
            larger = larger._replace(
                tables=_doubled(explored.tables),
                masks=_doubled(explored.masks),
                keys=_doubled(explored.keys),
                slots=np.full(2 * len(explored.slots), -1, dtype=np.int32),
            )
        if shots + MOST_SHOTS > len(explored.shots):
            larger = larger._replace(shots=_doubled(explored.shots))
        if answers + MOST_ANSWERS > len(explored.answers):
            larger = larger._replace(answers=_doubled(explored.answers))
        both = self.nbytes + sum(array.nbytes for array in larger)  # while rows are copied
        if both > memory * 2**30:
            raise LimitReached("no memory is left for sub-tables looked at best first")
        if larger.slots is not explored.slots:
            find_slots(larger)
        self.explored = larger


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
