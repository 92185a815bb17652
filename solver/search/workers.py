"""The workers beside the search: rollouts find better trees, best first raises the lower bound.

Between two turns of the search each is given some rows to look at (``schedule``), and goes on where
it stopped the last time. Once nothing more comes of it, it has ``ended``, and its memory is freed.
The third worker, a sweep over every set of misses, is in ``miss_sets``.

*Rollouts* of rollouts of the greedy rule find better trees than greedy ones long before a proof.
The core follows the policies, and says what they are (``rollouts.hpp``): each level weighs a few
cells of a sub-table by the level below. Here levels are climbed, one after the other, and trees are
grown from what they have chosen. They work on a table of their own, so that the search finds the
same keys with them or without. At a deadline they end a little earlier, so that the tree can be
grown.

*Best first* raises the lower bound of games that are too large to be solved. The core explores
sub-tables, best first (``best_first.hpp``), with the table of the search; here its memory grows.
Then the search is told what was proven of sub-tables. Answers ``sunk`` under contact rule ``sides``
are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import STOPPED, aligned_memory, core
from seabattle.solver.search.exact_search import ExactSearch, Searcher
from seabattle.solver.search.growing import GreedyRule, GrowingTree
from seabattle.solver.search.queries import LimitReached, Limits, Pace, Paused
from seabattle.trees.tree import Tree

WIDTH, EXACT_ROWS = 8, 16
"""How many cells a level weighs, and up to how many rows a sub-table is solved exactly. Twice as
many cells take longer than the next level, which finds more."""

LEVELS = 12
"""No more levels than this."""

IDLE_LEVELS = 2
"""After so many levels that find nothing better, the next ones are not worth their time."""

ROLLOUTS_MEMORY = 8
"""They may take this part of the memory that the search has not taken."""

GROWTH_OF_TABLE = 3
"""While the table of a search grows, the old one and one twice as large are in memory."""


class BetterTrees:
    """Trees that miss less than the best one known, by rollouts, level by level.

    Parameters
    ----------
    search
        The search of the problem, whose limits are kept, and which reports.
    seconds_to_grow
        Seconds that it takes to grow a tree and to verify it.
    width, exact_rows
        How a level chooses.

    Attributes
    ----------
    totals
        Misses in total of the policies of the levels climbed.
    ended
        Whether levels find nothing better any more, or no memory is left.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> trees = BetterTrees(ExactSearch(as_problem(Rules("4x4", "3,2", answers="ship"))))
    >>> [trees.climb() for level in range(3)]
    [315, 309, 309]
    """

    def __init__(
        self,
        search: ExactSearch,
        *,
        seconds_to_grow: float = 0.0,
        width: int = WIDTH,
        exact_rows: int = EXACT_ROWS,
    ) -> None:
        self.search = search
        self.seconds_to_grow = seconds_to_grow
        self.width, self.exact_rows = width, exact_rows
        self.totals: list[int] = []
        self.ended = False

    @cached_property
    def levels(self) -> ExactSearch:
        """A search with a table of its own, for what the levels choose."""
        return ExactSearch(self.search.problem)

    @property
    def level(self) -> int:
        """The level that is climbed next, which may have been begun."""
        return len(self.totals)

    def climb(self, pace: Pace | None = None, limits: Limits | None = None) -> int:
        """Misses in total of the next level's policy, or of one that was begun and not finished.

        Parameters
        ----------
        pace
            When to pause, by ``Paused``.
        limits
            When to stop.

        Raises
        ------
        LimitReached
            At a limit of time or memory; what the level has chosen so far is kept.
        """
        search, rows = self.levels, np.arange(len(self.search.problem), dtype=np.int32)

        def follow(searcher: Searcher) -> int:
            how = self.width, self.exact_rows, self.level
            return searcher.ask(core().rollout_misses, rows, search.question(), *how)

        total = search.run(follow, pace=pace, limits=limits)
        self.totals.append(total)
        idle = self.totals[-1 - IDLE_LEVELS :].count(total) > IDLE_LEVELS
        self.ended = idle or self.level == LEVELS
        return total

    def improve(self, rows: int, limits: Limits) -> None:
        """Climb until a limit is reached or that many rows were looked at.

        What a level has found is kept, so that another call goes on from there.
        """
        pace = Pace(rows)
        try:
            with suppress(Paused):
                while not self.ended:
                    self.climb(pace, limits)
        except LimitReached:
            self.ended = True

    def grow(self, *, objective: str, status: str, limits: Limits | None = None) -> Tree:
        """The tree of the best shots known; what is left at a limit is shot at greedily.

        ``objective`` and ``status`` are recorded in it.
        """
        growing, limits = GrowingTree(self.levels), limits or Limits()
        try:
            growing.grow(rollouts=(self.level, self.exact_rows), limits=limits)
        except LimitReached:
            growing.grow(GreedyRule.HITS, limits=replace(limits, deadline=inf, memory=inf))
        return growing.tree(objective=objective, status=status)

    def seek(self, tree: Tree, rows: int) -> Tree | None:
        """Seek a better tree for as long as it takes to look at so many rows, if there is one.

        It goes on where the last call stopped.

        Parameters
        ----------
        tree
            The best one known.
        rows
            Rows that may be looked at.

        Raises
        ------
        KeyboardInterrupt
            Where the search is told to stop.
        """
        search, limits = self.search, self.search.limits
        memory = limits.memory / ROLLOUTS_MEMORY
        if GROWTH_OF_TABLE * search.table.nbytes / 2**30 + memory > limits.memory:
            # What the trees hold between two calls would be missing when the table grows.
            self.give_up()
        if self.ended or limits.seconds_left() < 2 * self.seconds_to_grow:
            return None
        # Time to grow what a limit leaves, and to verify the whole. What is asked while the tree
        # grows may be new to a table that is full.
        growth = replace(
            limits,
            deadline=limits.deadline - self.seconds_to_grow,
            memory=2 * memory,
            report=lambda climbing: search.report("better trees"),
        )
        climb = replace(growth, memory=memory, deadline=growth.deadline - self.seconds_to_grow)
        self.improve(rows, climb)
        if not self.totals:
            return None
        found = self.grow(objective=tree.objective, status=tree.status, limits=growth)
        return found if found.total_misses < tree.total_misses else None

    def give_up(self) -> None:
        """End, and free its memory."""
        self.ended = True
        self.__dict__.pop("levels", None)


LOOKS_PER_ROW = 8
"""A row is looked at so many times here in the time in which the search looks at one, which it
partitions by every shot."""

FIRST_TABLES = 1 << 12
"""Sub-tables that there is room for at the start."""

BEST_FIRST_MEMORY = 3
"""Best first may take this part of the memory of the search."""


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
        if needed > min(memory / BEST_FIRST_MEMORY, memory - search.table.nbytes):
            raise LimitReached("no memory is left for sub-tables looked at best first")
        owner, room = search.searcher.memory, 2 * self._room or FIRST_TABLES
        larger = aligned_memory(core().best_first_bytes(owner, room))
        core().best_first_make(owner, room, self._memory, larger)
        self._hold(room, larger)

    def _hold(self, room: int, memory: NDArray[np.uint8]) -> None:
        """Hold memory for so many sub-tables, of which the search keeps account."""
        self.search.reserved += memory.nbytes - self._memory.nbytes
        self._room, self._memory = room, memory
