"""When every set of misses is worked out instead of searched, and what is then known.

A sweep takes its time and memory whatever the game is like, and both are known before it begins:
by the number of sets. A search may be over at once, or never. So a search begins, and in its pauses
the blocks of the game are listed, as many as its work so far makes worth while; a game whose sets
are not many more than what the search has looked at is swept.
"""

from __future__ import annotations

import math

from seabattle.enumerate.memory import require_addresses
from seabattle.enumerate.position import Position
from seabattle.solver.search import work as w
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import LimitReached
from seabattle.solver.search.miss_blocks import Blocks
from seabattle.solver.search.miss_sweep import VALUE_BYTES, MissSweep
from seabattle.solver.search.miss_tree import MissTree
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal, Value
from seabattle.trees.tree import Tree

SETS_PER_UNIT = {
    w.PLAIN: 1_200_000,
    w.CLOSED_SUNK: 6_000_000,
    w.OPEN_SUNK: 6_000_000,
    w.NAMED: 6_000_000,
}
"""Sets that are worked out at most for a unit of work of the search, a twentieth of a step.

Such a unit takes a few hundredths of a second, so many sets a few tenths. Bounds close more games
in mode ``hit`` than in the others."""

SETS_AS_UNIT = 200_000
"""Sets that take as long as a unit of work of the search."""

BLOCKS_AT_ONCE = 2400
"""Blocks that are listed at most in any case, in half a second: few ships have no more."""

BLOCKS_PER_UNIT = 15
"""... and for a unit of work of the search besides, which takes ten times as long."""

SETS_PER_SECOND = 6_000_000
"""At least, on machines of today: a sweep that cannot end before the deadline is not begun."""


class MissSets:
    """The values of every set of misses, if they are worth their while.

    Parameters
    ----------
    search
        The search of the same problem, whose limits hold and whose reports are made.
    goal
        Whether the total or the worst case is made least.
    """

    def __init__(self, search: ExactSearch, goal: Goal) -> None:
        self.search = search
        self.problem: Problem = search.problem
        self.goal = goal
        self.blocks: Blocks | None = None
        self.sweep: MissSweep | None = None
        self.memory_for_sets = 0.0
        self.possible = True

    def swept(self, units: int, left: float = math.inf) -> bool:
        """Work out every set, if that is worth while after so many units of work; whether it was.

        Parameters
        ----------
        units
            Units of work of the search so far.
        left
            Units that it is likely to take still.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            Where a limit or ``stop`` ends it.
        """
        if not self.possible:
            return False
        if self.blocks is None:
            self.blocks = Blocks(self.problem, orbits=self.search.options.orbits)
        most_sets = units * SETS_PER_UNIT[self.blocks.problem.mode]
        limits = self.search.limits
        most_blocks = BLOCKS_AT_ONCE + units * BLOCKS_PER_UNIT
        if not self.blocks.find(most_sets, most_blocks, limits.over):
            return False
        if left * SETS_AS_UNIT < self.blocks.sets:
            return False
        threads = limits.threads
        # A part of the layouts seldom costs more than all of them: of an open state it may.
        likely = (self.search.interval or (0, 0))[1]
        for size in VALUE_BYTES:
            if likely >> 8 * size:
                continue
            sweep = MissSweep(self.blocks, self.goal, value_bytes=size, threads=threads)
            needed = (sweep.nbytes + self.search.table.nbytes) / 2**30
            if needed > limits.memory:
                self.memory_for_sets = needed
                return False
            if self.blocks.sets / SETS_PER_SECOND > limits.seconds_left():
                return False
            try:
                require_addresses(sweep.nbytes)
                if sweep.run(self.look):
                    self.sweep = sweep
                    return True
            except MemoryError:
                self.possible = False
                return False
        raise AssertionError("totals are below 2^41")

    def look(self) -> None:
        """Report, and keep the limits."""
        assert self.blocks is not None
        self._tell("every set of misses")
        if self.search.limits.seconds_left() < 0:
            raise LimitReached(
                f"the time limit was reached among {self.blocks.sets} sets of misses"
            )

    def swept_for(self, goal: Goal) -> bool:
        """Whether the values are known, and are those for a goal."""
        return self.sweep is not None and goal is self.goal

    @property
    def advice(self) -> str:
        """What more memory would do, in words after those of a stop; "" where nothing is known."""
        if not self.memory_for_sets:
            return ""
        least = math.ceil(10 * self.memory_for_sets) / 10
        return f"; with a memory limit of {least:g} GiB every set of misses could be worked out"

    @property
    def sets(self) -> int:
        """Sets that were weighed shot by shot."""
        return 0 if self.sweep is None else self.sweep.weighed

    def value(self) -> Value:
        """The least misses of the whole problem."""
        assert self.sweep is not None
        return Value(self.sweep.least(), 0, True)

    def shot_value(self, cell: int) -> int:
        """Least misses of a tree that begins with a shot at a cell."""
        assert self.sweep is not None
        return self.sweep.first_shot(cell)

    def grow(self, position: Position, *, objective: str, status: str) -> Tree:
        """A best tree; the parameters are recorded in it."""
        assert self.sweep is not None
        growing = MissTree(self.problem, self.sweep)
        return growing.grow(position, objective=objective, status=status, look=self.show_growth)

    def show_growth(self) -> None:
        """Report, and stop if asked to: some seconds more than allowed are better than no tree."""
        self._tell(self.search.stage)

    def _tell(self, stage: str) -> None:
        """Report a stage, and ask whether to stop."""
        limits = self.search.limits
        if limits.report is not None:
            limits.report(self.search.snapshot(stage))
        if limits.stop is not None and limits.stop():
            raise KeyboardInterrupt
