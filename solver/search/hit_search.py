"""The exact search in answer mode ``hit``: least misses of any sub-table, with everything optional.

A sub-table S is the set of rows still possible. Let H be the cells all of them occupy and M the
cells none does. S determines (H, M), and (H, M) determines S: a row of the whole table belongs to
S exactly when it contains H and avoids M, because every answer so far only said "this cell is
occupied" (it is in H) or "it is not" (it is in M). So (H, M) is an exact *closed key*, whatever
the order of the shots was. Certain hits (H) cost nothing and tell nothing.

What keeps the search small, each of which can be switched off without moving the optimum:

``orbits``     one key for all symmetric images of a sub-table
``bounds``     the counting bound (``solver.search.bounds``), and closed forms for up to 4 rows
``budgets``    fail-soft: below the budget a value is exact, else it is a proven lower bound
``cache``      values and bounds are kept by key
``lookahead``  before a shot is tried, the table is asked for bounds on both children
``dominance``  a cell whose rows all occupy another cell too is no better a shot than that cell
``ordering``   the cell that most rows occupy is tried first

The kernels stop when the table is full or an allowance of work is used up; everything proven is
in the table, so the search goes on after the table has grown, or after it reported progress.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import SeabattleError, WorkFailed, wrong_type
from seabattle.enumerate.game.arguments import require_number
from seabattle.enumerate.game.position import Position
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.kernels.transposition import EMPTY, rehash
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.tree_building import POLICY_EXACT, grow
from seabattle.trees.tree.tree import Tree

UNLIMITED: int = w.UNLIMITED
WORST_CASE: int = w.WORST_CASE
INFEASIBLE: int = w.INFEASIBLE

_WORK = 20_000_000
"""Rows looked at between two reports: a fraction of a second."""


class LimitReached(WorkFailed):
    """The search stopped at a limit of time or memory; what it proved is kept."""


@dataclass(frozen=True)
class Switches:
    """What the search may use; all on by default. See the module's text."""

    bounds: bool = True
    orbits: bool = True
    cache: bool = True
    ordering: bool = True
    dominance: bool = True
    lookahead: bool = True
    budgets: bool = True

    @classmethod
    def plain(cls) -> Switches:
        """Plain memoised search: nothing but the cache; it visits every sub-table."""
        return cls(
            bounds=False,
            orbits=False,
            ordering=False,
            dominance=False,
            lookahead=False,
            budgets=False,
        )


@dataclass(frozen=True)
class Snapshot:
    """State of a search for a progress display."""

    seconds: float
    states: int
    nodes: int
    stage: str
    lower: int | None = None
    upper: int | None = None


@dataclass
class Limits:
    """When to stop.

    Attributes
    ----------
    deadline
        ``time.monotonic`` value at which the search stops, or None.
    memory
        GiB the table of the search may take.
    report
        Called with a ``Snapshot`` a few times a second.
    stop
        Asked a few times a second; when true the search ends as if by Ctrl-C.

    Raises
    ------
    SeabattleError
        If the deadline or the memory is not a number, or the memory not above 0.
    """

    deadline: float | None = None
    memory: float = 4.0
    report: Callable[[Snapshot], None] | None = None
    stop: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        if self.deadline is not None and (
            not isinstance(self.deadline, Real) or math.isnan(self.deadline)
        ):
            raise SeabattleError(f"deadline {self.deadline!r}: give a value of time.monotonic")
        if not isinstance(self.memory, Real) or not self.memory > 0:
            raise SeabattleError(f"memory {self.memory!r}: give GiB above 0")

    @classmethod
    def of(
        cls,
        time_limit: float | None = None,
        memory_limit: float = 4.0,
        progress: Callable[[Snapshot], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Limits:
        """Limits as public functions are given them: ``time_limit`` counts seconds from now.

        Raises
        ------
        TypeError
            If a limit is no number, or ``progress`` or ``stop`` cannot be called.
        SeabattleError
            If the time limit is below 0, or the memory limit not above 0.

        Examples
        --------
        >>> Limits.of(memory_limit=2).memory
        2.0
        """
        deadline = None
        if time_limit is not None:
            deadline = time.monotonic() + require_number(
                "time_limit", time_limit, "seconds", least=0
            )
        memory = require_number("memory_limit", memory_limit, "GiB", above=0)
        for name, call in (("progress", progress), ("stop", stop)):
            if call is not None and not callable(call):
                raise wrong_type(name, "a function", call)
        return cls(deadline, memory, progress, stop)


@dataclass(frozen=True)
class Value:
    """Outcome of one question: misses and, when exact, the worst case of the tree found."""

    misses: int
    worst: int
    exact: bool

    @property
    def feasible(self) -> bool:
        """Whether any tree keeps within the misses allowed."""
        return self.misses < INFEASIBLE


class Workspace:
    """Table, counters and scratch arrays of a running search or sweep.

    Parameters
    ----------
    problem
        The rows.
    orbits
        Whether symmetric sub-tables share a key.
    limits
        When to stop.
    first_capacity
        Slots of the table at the start, a power of 2.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        orbits: bool = True,
        limits: Limits | None = None,
        first_capacity: int = 1 << 16,
    ) -> None:
        self.problem = problem
        self.limits = limits or Limits()
        self.orbits, self.moves = problem.orbit_arrays(orbits=orbits)
        self.counters = np.zeros(w.COUNTERS, dtype=np.int64)
        levels = problem.cells + 2
        self.ints = np.zeros((levels, 7, 64), dtype=np.int64)
        self.masks = np.zeros((levels, 8, 64), dtype=np.uint64)
        self.table = self._empty_table(first_capacity)
        self.started = time.monotonic()
        self.work = max(_WORK, 16 * len(problem))
        self.stage = ""
        self.interval: tuple[int, int] | None = None
        self.checkpoint: Checkpoint | None = None

    def _empty_table(self, capacity: int) -> NDArray[np.uint64]:
        self.counters[w.CAPACITY] = capacity * 3 // 4
        return np.full((capacity, self.table_width()), EMPTY, dtype=np.uint64)

    def table_width(self) -> int:
        """Words of a table row: the packed value and the key."""
        return 3 if self.problem.two_words else 2

    def move_entries(self, larger: NDArray[np.uint64]) -> None:
        """Fill a larger table with the entries of this one."""
        rehash(self.table, larger)

    def make_room(self) -> None:
        """Enlarge whatever else a kernel said was full."""
        raise NotImplementedError

    @property
    def states(self) -> int:
        """Distinct keys stored."""
        return int(self.counters[w.STATES])

    @property
    def nodes(self) -> int:
        """Sub-tables expanded: their columns counted and their shots weighed."""
        return int(self.counters[w.NODES])

    def enlarge(self) -> None:
        """Double the table.

        Raises
        ------
        LimitReached
            If the larger table would not fit in the memory limit.
        """
        needed = 3 * self.table.nbytes  # the old and the new one, while entries move
        if needed > self.limits.memory * 2**30:
            raise LimitReached(
                f"the search has stored {self.states} keys and would need "
                f"{needed / 2**30:.2g} GiB to go on; the memory limit is "
                f"{self.limits.memory:g} GiB"
            )
        larger = self._empty_table(2 * len(self.table))
        self.move_entries(larger)
        self.table = larger

    @property
    def packed_column(self) -> int:
        """Column of the table that holds the packed value."""
        return 1

    def save(self) -> None:
        """Write what is proven to the checkpoint, if there is one."""
        if self.checkpoint is not None:
            self.checkpoint.save(self.table[self.table[:, self.packed_column] != EMPTY])

    def resume(self, checkpoint: Checkpoint) -> int:
        """Keep a checkpoint from now on, and take over what it holds already.

        Returns the number of keys taken over. Raises as ``Checkpoint.load`` does.
        """
        entries = checkpoint.load(self.table_width())
        self.checkpoint = checkpoint
        if entries is None:
            return 0
        capacity = len(self.table)
        while capacity * 3 // 4 <= len(entries):
            capacity *= 2
        larger = self._empty_table(capacity)
        self.table = entries
        self.move_entries(larger)
        self.table = larger
        self.counters[w.STATES] = len(entries)
        return len(entries)

    def briefly(self, ask: Callable[[], Value]) -> Value | None:
        """Outcome of a question if it takes no more than one allowance, else None."""
        limits, self.limits = self.limits, Limits(stop=lambda: True, memory=self.limits.memory)
        checkpoint, self.checkpoint = self.checkpoint, None
        work, self.work = self.work, 4 * len(self.problem) + 100_000
        try:
            return ask()
        except (KeyboardInterrupt, LimitReached):
            return None
        finally:
            self.limits, self.checkpoint, self.work = limits, checkpoint, work

    def run(self, step: Callable[[], int]) -> int:
        """Call a kernel until it is done, growing the table and reporting in between.

        Raises
        ------
        LimitReached
            At a limit of time or memory.
        """
        while True:
            self.counters[w.ALLOWANCE] = self.work
            self.counters[w.STATUS] = 0
            value = int(step())
            if value != w.STOP:
                return value
            if self.counters[w.STATUS] == w.FULL_TABLE:
                self.enlarge()
            elif self.counters[w.STATUS] != w.ALLOWANCE_USED:
                self.make_room()
            if self.limits.report is not None:
                seconds = time.monotonic() - self.started
                lower, upper = self.interval or (None, None)
                self.limits.report(
                    Snapshot(seconds, self.states, self.nodes, self.stage, lower, upper)
                )
            if self.checkpoint is not None and self.checkpoint.due():
                self.save()
            if self.limits.stop is not None and self.limits.stop():
                raise KeyboardInterrupt
            if self.limits.deadline is not None and time.monotonic() > self.limits.deadline:
                raise LimitReached(f"the time limit was reached with {self.states} keys stored")


def search_options(problem: Problem, switches: Switches) -> NDArray[np.int64]:
    """The options of a search kernel, int64 ``(OPTIONS,)``; MODE and OBJECTIVE are 0."""
    options = np.zeros(w.OPTIONS, dtype=np.int64)
    options[w.FULL_BOARD] = np.uint64(problem.full).astype(np.int64)
    options[w.BOUNDS] = switches.bounds
    options[w.CACHE] = switches.cache
    options[w.ORDERING] = switches.ordering
    options[w.DOMINANCE] = switches.dominance
    options[w.LOOKAHEAD] = switches.lookahead
    options[w.BUDGETS] = switches.budgets
    options[w.LIGHTEST] = problem.lightest
    options[w.HEAVIEST] = problem.heaviest
    return options


class Search(Workspace):
    """Exact search over the sub-tables of one problem.

    Examples
    --------
    >>> from seabattle.enumerate.layouts.table import DecisionTable, Rules
    >>> problem = Problem(DecisionTable.build(Rules("5x5", "3,2,2,1,1,1")))
    >>> search = Search(problem)
    >>> search.least().misses
    6444
    >>> search.states < 100_000
    True
    """

    def __init__(
        self,
        problem: Problem,
        *,
        switches: Switches | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.switches = switches or Switches()
        super().__init__(problem, orbits=self.switches.orbits, limits=limits)
        self.lower, self.reach = problem.bound_arrays()
        self.options = search_options(problem, self.switches)

    def kernel_arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays every search kernel takes last; the table is a new one after it grew."""
        return (
            *(self.table, self.orbits, self.moves, self.lower, self.reach),
            *(self.ints, self.masks, self.options, self.counters),
        )

    def warm_up(self) -> None:
        """Compile or load the kernels, so that what follows measures the search alone."""
        self.least(rows=self.problem.rows[:1], weights=self.problem.weights[:1])

    def least(
        self,
        *,
        allowed: int = UNLIMITED,
        budget: int = INFEASIBLE,
        rows: NDArray[np.uint64] | None = None,
        weights: NDArray[np.int64] | None = None,
    ) -> Value:
        """Least misses of the whole problem or of a sub-table.

        Parameters
        ----------
        allowed
            Most misses allowed on any path; ``UNLIMITED``; or ``WORST_CASE`` to ask for the
            least worst case instead of the least total.
        budget
            The value is exact when below this, else only proven to be at least ``misses``.
        rows, weights
            The sub-table's rows, all rows by default.

        Raises
        ------
        LimitReached
            At a limit of time or memory.
        """
        # compiled when first imported, and of no use to the other answer modes
        from seabattle.solver.search.kernels.hit_search import least

        if rows is None:
            rows, weights = self.problem.rows, self.problem.weights
        if weights is None or len(self.problem.weights) == 0:
            weights = self.problem.weights
        if len(rows) == 0:
            return Value(0, 0, True)
        rows, weights = rows.copy(), weights.copy()
        certain = np.bitwise_and.reduce(rows)
        occupied = np.bitwise_or.reduce(rows)
        weight = int(weights.sum()) if len(weights) else len(rows)
        self.options[w.OBJECTIVE] = allowed == WORST_CASE
        packed = self.run(
            lambda: least(
                *(rows, weights, 0, len(rows), certain, occupied, weight, budget, allowed, 0),
                *self.kernel_arrays(),
            )
        )
        misses = packed >> 7
        return Value(misses, packed & 127, misses < budget)

    def shot_value(self, cell: int, allowed: int, budget: int = INFEASIBLE) -> int:
        """Value of the best tree that begins with a shot; exact when below the budget."""
        rows, weights = self.problem.rows, self.problem.weights
        hits = (rows >> np.uint64(cell) & np.uint64(1)).astype(bool)
        (missed, miss_weights), (hit, hit_weights) = (
            (rows[side], weights[side] if len(weights) else weights) for side in (~hits, hits)
        )
        if allowed == WORST_CASE:
            on_hit = self.least(allowed=allowed, budget=budget, rows=hit, weights=hit_weights)
            if len(missed) == 0:
                return on_hit.misses
            on_miss = self.least(
                allowed=allowed, budget=max(1, budget - 1), rows=missed, weights=miss_weights
            )
            return max(1 + on_miss.misses, on_hit.misses)
        if len(missed) and allowed == 0:
            return INFEASIBLE
        cost = int(miss_weights.sum()) if len(weights) else len(missed)
        fewer = allowed if allowed == UNLIMITED else allowed - 1
        cost += self.least(
            allowed=allowed, budget=budget - cost, rows=hit, weights=hit_weights
        ).misses
        if cost >= budget:
            return min(cost, INFEASIBLE)
        cost += self.least(
            allowed=fewer, budget=budget - cost, rows=missed, weights=miss_weights
        ).misses
        return min(cost, INFEASIBLE)

    def grow(self, allowed: int, *, position: Position, objective: str, status: str) -> Tree:
        """The optimal tree; ``allowed`` as in ``least``. Raises ``LimitReached`` at a limit."""
        return grow(
            self,
            POLICY_EXACT,
            position=position,
            objective=objective,
            status=status,
            allowed=allowed,
        )
