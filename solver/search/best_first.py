"""Best-first search: lower bounds of games that are too large to be solved.

The core explores sub-tables, best first (``best_first.hpp``), with the table of a search; here its
memory grows. Answers ``sunk`` under contact rule ``sides`` are left out.

The bound rises between two turns of the search, which is then told what was proven of sub-tables.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import STOPPED, aligned_memory, core
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.queries import LimitReached, Pace, Paused
from seabattle.solver.search.threads import Searcher

LOOKS_PER_ROW = 8
"""A row is looked at so many times here in the time in which the search looks at one, which it
partitions by every shot."""

FIRST_TABLES = 1 << 12
"""Sub-tables that there is room for at the start."""

PART_OF_MEMORY = 4
"""What is looked at best first may take this part of the memory of the search."""


class BestFirst:
    """A lower bound on the least total of a problem that rises for as long as it is worked on.

    Parameters
    ----------
    search
        The search of the problem, whose table and limits are used.
    risen
        Told the bound, a few times a second.

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
    >>> best_first.go_on(100_000_000)
    >>> best_first.lower
    1056
    """

    def __init__(
        self, search: ExactSearch, risen: Callable[[int], None] = lambda lower: None
    ) -> None:
        self.search, self.risen = search, risen
        problem, options = search.problem, search.options
        self.explored = core().structure("explored", {"lower": 0, "sub_tables": 0})
        self.proven = False
        self.ended = not (problem.hits_are_free and options.best_first and options.bounds)
        self._room = 0  # for so many sub-tables
        self._memory = aligned_memory(0)

    @property
    def lower(self) -> int:
        """The lower bound; 0 before there is one."""
        return int(self.explored.lower)

    @property
    def sub_tables(self) -> int:
        """Sub-tables of which something is known."""
        return int(self.explored.sub_tables)

    def go_on(self, rows: int) -> None:
        """Raise the bound for as long as it takes the search to look at so many rows.

        Where no memory is left for it, it has ``ended``.

        Parameters
        ----------
        rows
            Rows that may be looked at.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            At the deadline of the search, or where its ``limits.stop`` says so.
        """
        if self.ended:
            return

        def explore(searcher: Searcher) -> int:
            question = self.search.question()
            done = searcher.ask(core().best_first_explore, self._memory, question, self.explored)
            self.risen(self.lower)
            return done

        try:
            with suppress(Paused):
                if self._room == 0:
                    self._make_room()
                self.search.run(explore, self._make_room, pace=Pace(LOOKS_PER_ROW * rows))
                self.ended = self.proven = True
        except (LimitReached, MemoryError):
            if self.search.limits.seconds_left() < 0:
                raise
            self.ended = True

    def tell(self) -> None:
        """Enter what is proven of sub-tables into the table of the search, which has their keys.

        Raises
        ------
        LimitReached
            If the table has no room for it.
        """
        search, tell = self.search, core().best_first_tell
        while self._room and search.searcher.ask(tell, self._memory, search.question()) == STOPPED:
            search.enlarge()

    def seek(self, rows: int) -> None:
        """Raise the bound between two turns of the search, and tell the search: see ``go_on``."""
        self.go_on(rows)
        with suppress(LimitReached):  # the search goes on with less
            self.tell()
        if self.ended:
            self.give_up()

    def give_up(self) -> None:
        """End, and free its memory; the bound stays."""
        self.ended = True
        self._hold(0, aligned_memory(0))

    def _make_room(self) -> None:
        """Make the first room for sub-tables, or twice as much, as it is nearly full.

        Raises
        ------
        LimitReached
            If that would take more than its part of the memory, or than is left.
        """
        search, held = self.search, self._memory.nbytes
        memory = search.limits.memory * 2**30
        needed = 3 * held  # while what is known is copied
        if needed > min(memory / PART_OF_MEMORY, memory - search.table.nbytes):
            raise LimitReached("no memory is left for sub-tables looked at best first")
        owner, room = search.searcher.memory, 2 * self._room or FIRST_TABLES
        larger = aligned_memory(core().best_first_bytes(owner, room))
        core().best_first_make(owner, room, self._memory, larger)
        self._hold(room, larger)

    def _hold(self, room: int, memory: NDArray[np.uint8]) -> None:
        """Hold memory for so many sub-tables, of which the search keeps account."""
        self.search.reserved += memory.nbytes - self._memory.nbytes
        self._room, self._memory = room, memory
