"""Best-first search: lower bounds of games that are too large to be solved.

The core explores sub-tables, best first (``best_first.hpp``); here its memory grows, and its limits
are kept. Answers ``sunk`` under contact rule ``sides`` are left out.

The bound rises between two turns of the search, which is then told what was proven of sub-tables.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from seabattle.enumerate.core.library import FULL, STOPPED, aligned_memory, core
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import LimitReached, Limits, Pace, Paused, Snapshot
from seabattle.solver.search.threads import Searcher

LOOKS_PER_ROW = 8
"""A row is looked at so many times here in the time in which the search looks at one, which it
partitions by every shot."""

FIRST_TABLES = 1 << 12
"""Sub-tables that there is room for at the start."""

PART_OF_MEMORY = 4
"""What is looked at best first may take this part of the memory of the search."""

NO_ROOM = 1
"""What a step returns where there is no room for more sub-tables."""


class BestFirst:
    """A lower bound on the least total of a problem that rises for as long as it is worked on.

    Parameters
    ----------
    search
        The search of the problem, whose limits hold.

    Attributes
    ----------
    proven
        Whether the bound is the optimum.
    ended
        Whether nothing more can be done: the optimum is proven, no memory is left, or the options
        or the answers are not those it is for.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> best_first = BestFirst(ExactSearch(as_problem(Rules("4x4", "2,1", answers="sunk"))))
    >>> best_first.go_on(100_000_000, Limits())
    >>> best_first.lower
    1056
    """

    def __init__(self, search: ExactSearch) -> None:
        self.search = search
        problem, options = search.problem, search.options
        self.explored = core().structure("explored", {"lower": 0, "sub_tables": 0})
        self.proven = False
        self.ended = not (problem.hits_are_free and options.best_first and options.bounds)
        self._room = 0  # for so many sub-tables
        self._memory = aligned_memory(0)

    @cached_property
    def own(self) -> ExactSearch:
        """A search that solves few rows, with a table of its own and the counts of the other."""
        search = self.search
        own = ExactSearch(search.problem, options=search.options)
        own.counting = False
        own.states_counted = search.states_counted
        own.rows_per_step *= LOOKS_PER_ROW
        return own

    @property
    def lower(self) -> int:
        """The lower bound; 0 before there is one."""
        return int(self.explored.lower)

    @property
    def sub_tables(self) -> int:
        """Sub-tables of which something is known."""
        return int(self.explored.sub_tables)

    @property
    def nbytes(self) -> int:
        """Bytes that all of it takes."""
        return self._memory.nbytes + self.own.table.nbytes

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
        own = self.own
        own.limits = replace(limits, memory=limits.memory / 2, threads=1)

        def explore(searcher: Searcher) -> int:
            done = searcher.ask(
                core().best_first_explore, self._memory, own.question(), self.explored
            )
            return NO_ROOM if done == FULL else done

        pace = Pace(LOOKS_PER_ROW * rows)
        try:
            with suppress(Paused):
                if self._room == 0:
                    self._make_room(limits.memory)
                while own.run(explore, pace=pace) == NO_ROOM:
                    self._make_room(limits.memory)
                self.ended = self.proven = True
        except (LimitReached, MemoryError):
            if limits.seconds_left() < 0:
                raise
            self.ended = True

    def tell(self) -> None:
        """Enter what is proven of sub-tables into the table of the search, which has their keys.

        Raises
        ------
        LimitReached
            If the table has no room for it.
        """
        if self._room == 0:
            return
        search, own = self.search, self.own.searcher
        counters, tell = search.searcher.counters, core().best_first_tell
        while True:
            question = own.question(search.question())
            if tell(own.memory, self._memory, question, counters) != STOPPED:
                return
            search.enlarge()

    def _make_room(self, memory: float) -> None:
        """Make the first room for sub-tables, or twice as much, as it is nearly full.

        Raises
        ------
        LimitReached
            If that would take more than so many GiB.
        """
        if self._room and 3 * self.nbytes > memory * 2**30:  # while what is known is copied
            raise LimitReached("no memory is left for sub-tables looked at best first")
        room = 2 * self._room or FIRST_TABLES
        search = self.own.searcher.memory
        larger = aligned_memory(core().best_first_bytes(search, room))
        core().best_first_make(search, room, self._memory, larger)
        self._room, self._memory = room, larger

    def seek(self, rows: int, report: Callable[[Snapshot], None]) -> None:
        """Raise the bound between two turns of the search, and tell the search.

        Parameters
        ----------
        rows
            Rows that may be looked at.
        report
            Called as ``limits.report`` would be.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            At a limit of the search.
        """
        limits = self.search.limits
        own = replace(limits, memory=limits.memory / PART_OF_MEMORY, report=report)
        self.search.reserved = int(own.memory * 2**30)
        self.go_on(rows, own)
        with suppress(LimitReached):  # the search goes on with less
            self.tell()
        if self.ended:
            self.give_up()

    def give_up(self) -> None:
        """End, and free its memory; the bound stays."""
        self.ended = True
        self._room, self._memory = 0, aligned_memory(0)
        self.__dict__.pop("own", None)
        self.search.reserved = 0
