"""What is asked of a search: objectives and goals, what it may use, when it stops, its answers.

An *objective* is what a tree is chosen by; it is reached by queries, each with one *goal*, which a
``Value`` answers. ``Limits`` say when all work ends, a ``Pace`` when a query pauses, and a
``Snapshot`` what is known meanwhile.

Each technique can be switched off without changing the optimum:

``bounds``     lower bounds on a sub-table's misses, and closed forms for the smallest
``coverage``   of these, what ``coverage.hpp`` counts, and columns with words or with it
``reveal``     of these, what is left once the cells around a hit are revealed (``bounds``)
``budgets``    fail-soft [Fishburn1983]: exact below the budget, otherwise a proven lower bound
``split``      in a long search the answers to a shot split what it lacks (``minimize``)
``lookahead``  before a shot is tried, bounds on its children are looked up in the table
``dominance``  a cell whose rows all occupy another cell too is no better a shot than that cell
``ordering``   the cell that most rows occupy is tried first
``best_first`` a long solve raises its lower bound best first, too (``workers``)
``sets``       a solve may work out every set of misses instead (``miss_sets``)
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from enum import IntEnum, StrEnum
from typing import Literal

from seabattle.enumerate.errors import (
    MOST_GIB,
    RulesError,
    SeabattleError,
    Stop,
    WorkFailed,
    end_if,
    quoted,
    within,
)

INFEASIBLE = 1 << 41
"""Misses of a sub-table that no tree solves within the miss limit; above every total."""

NO_LIMIT = 127
WORST_CASE = 126
MOST_MISSES = 125
"""A miss limit in the core is the number of misses that a path may still have, or ``NO_LIMIT``. The
question for the least worst case has none either; it goes by ``WORST_CASE``, so that its entries in
the table are kept apart."""


class Goal(IntEnum):
    """What a search minimises: the misses summed over weighted layouts, or in the worst case.

    ``LOST`` is the weight of the layouts that take more misses than the miss limit. In the table
    nothing tells that from a total with a limit: a search is asked for one of the two.
    """

    TOTAL = 0
    WORST = 1
    LOST = 2

    @property
    def bounded(self) -> str:
        """What bounds of it are of, as ``Snapshot.bounded`` says it.

        >>> Objective.WORST_MEAN.goal.bounded, Within(3).goal.bounded
        ('worst', 'finished')
        """
        return ("total", "worst", "finished")[self]


class Objective(StrEnum):
    """What an optimal tree minimises."""

    MEAN = "mean"
    WORST = "worst"
    MEAN_WORST = "mean-worst"
    WORST_MEAN = "worst-mean"
    PARETO = "pareto"

    @property
    def goal(self) -> Goal:
        """What is made least first."""
        return Goal.TOTAL if self in (Objective.MEAN, Objective.MEAN_WORST) else Goal.WORST


@dataclass(frozen=True)
class Within:
    """The objective to finish the most layouts with at most so many misses.

    >>> str(Within(5)), Within(5) == read_objective("within:5")
    ('within:5', True)
    """

    misses: int

    def __post_init__(self) -> None:
        if self.misses < 0:
            raise RulesError(f"objective {self}: no strategy misses less than 0 times")

    def __str__(self) -> str:
        return f"within:{self.misses}"

    @property
    def goal(self) -> Goal:
        """What is made least first."""
        return Goal.LOST


AnyObjective = Objective | Within | Literal["mean", "worst", "mean-worst", "worst-mean", "pareto"]
"""What ``solve`` may be asked for."""


def read_objective(text: str) -> Objective | Within:
    """An objective as it is written, as in ``worst-mean`` or ``within:5``.

    Raises
    ------
    RulesError
        If it is unknown; lists the right ones.
    """
    name, colon, misses = text.strip().lower().partition(":")
    if name == "within":
        if not (misses.isascii() and misses.isdecimal() and len(misses) <= 3):
            raise RulesError(
                f"objective {quoted(text)}: say how many misses are allowed, as in within:5"
            )
        return Within(int(misses))
    if colon or name not in list(Objective):
        known = ", ".join(each.value for each in Objective)
        raise RulesError(
            f"objective {quoted(text)} is unknown; the objectives are {known}, within:K"
        )
    return Objective(name)


@dataclass(frozen=True)
class Value:
    """Outcome of one query: misses and, when exact, the worst case of the tree found."""

    misses: int
    worst: int
    exact: bool


def core_limit(goal: Goal, miss_limit: int | None) -> int:
    """The miss limit as the core takes it for a goal and misses allowed on any path.

    Raises
    ------
    SeabattleError
        If the limit is not a number of misses, or is given with the goal ``WORST``.
    """
    if goal is Goal.WORST:
        if miss_limit is not None:
            raise SeabattleError("the least worst case is asked for without a miss limit")
        return WORST_CASE
    if miss_limit is None and goal is Goal.TOTAL:
        return NO_LIMIT
    if miss_limit is None or not 0 <= miss_limit <= MOST_MISSES:
        raise SeabattleError(f"miss limit {miss_limit}: give 0 to {MOST_MISSES}")
    return miss_limit


@dataclass(frozen=True)
class SearchOptions:
    """What the search may use; everything by default. The module's docstring explains each."""

    bounds: bool = True
    ordering: bool = True
    dominance: bool = True
    lookahead: bool = True
    budgets: bool = True
    split: bool = True
    coverage: bool = True
    reveal: bool = True
    best_first: bool = True
    sets: bool = True

    @classmethod
    def plain(cls) -> SearchOptions:
        """Plain memoised search: nothing but the table; it visits every sub-table."""
        return cls(**{option.name: False for option in fields(cls)})


ROWS_PER_STEP = 20_000_000
"""Rows examined between two reports: a fraction of a second."""

MOST_THREADS = 256
"""More threads than this are taken for a mistake."""


def available_cores() -> int:
    """Processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system has it
        return os.cpu_count() or 1


class LimitReached(WorkFailed):
    """The search stopped at a limit of time or memory; what it proved is kept."""


class Paused(Exception):  # noqa: N818 (no error: the search goes on)
    """The search has done as much as its pace allows; what it proved is kept."""


class Pace:
    """How far queries go before they pause, all that are asked at this pace together.

    Parameters
    ----------
    rows
        That may be looked at.
    due
        Told after every step how many rows were looked at: whether something else is due.
    one_step
        Whether a query takes one step of so many rows at most, by one thread: a glance, which saves
        and reports nothing.
    split
        Whether the answers to a shot split what it lacks (``minimize``): lower bounds rise with a
        fraction of the work then, and exact values take somewhat more of it.

    Examples
    --------
    >>> pace = Pace(rows=1000)
    >>> pace.left -= 600
    >>> pace.is_over, pace.left
    (False, 400)
    """

    def __init__(
        self,
        rows: float = math.inf,
        due: Callable[[float], bool] = lambda rows: False,
        *,
        one_step: bool = False,
        split: bool = False,
    ) -> None:
        self.rows = self.left = rows
        self.due = due
        self.one_step = one_step
        self.split = split

    @property
    def is_over(self) -> bool:
        """Whether it is time to pause."""
        return self.one_step or self.left <= 0 or self.due(self.rows - self.left)

    def rows_of_step(self, most: int, least: int) -> int:
        """Rows of the next step of a search whose steps have so many."""
        return int(self.rows if self.one_step else min(most, max(self.left, least)))


@dataclass(frozen=True)
class Snapshot:
    """State of a search for a progress display.

    Attributes
    ----------
    seconds, states, nodes
        Since it began; sub-tables kept, and looked into.
    stage
        What it is about.
    lower, upper
        Proven bounds, if it has some.
    bounded
        What they are bounds of: ``total`` misses of all layouts, ``worst`` misses of one, or how
        many layouts are ``finished``.
    """

    seconds: float
    states: int
    nodes: int
    stage: str
    lower: int | None = None
    upper: int | None = None
    bounded: str = "total"


@dataclass
class Limits:
    """When to stop.

    Attributes
    ----------
    deadline
        ``time.monotonic`` value at which the search stops.
    memory
        GiB the table of the search may take.
    report
        Called with a ``Snapshot`` a few times a second.
    stop
        Called a few times a second; when it returns true, or why in words, the search ends as if by
        Ctrl-C.
    rows_per_step
        Rows examined between two reports; never fewer than 16 times those of the problem.
    threads
        How many threads search at most; see ``exact_search``.
    """

    deadline: float = math.inf
    memory: float = 4.0
    report: Callable[[Snapshot], None] | None = None
    stop: Stop | None = None
    rows_per_step: int = ROWS_PER_STEP
    threads: int = 1

    @classmethod
    def of(
        cls,
        time_limit: float | None = None,
        memory_limit: float = 4.0,
        progress: Callable[[Snapshot], None] | None = None,
        stop: Stop | None = None,
        threads: int | None = 1,
    ) -> Limits:
        """Limits from the parameters of public functions: ``time_limit`` counts seconds from now.

        ``threads`` is None for one per core.

        Raises
        ------
        SeabattleError
            If the time limit is below 0, the memory limit not above 0, or the threads not 1 to
            ``MOST_THREADS``.

        Examples
        --------
        >>> Limits.of(memory_limit=2, threads=2).threads
        2
        """
        deadline = math.inf
        if time_limit is not None:
            deadline = time.monotonic() + within("time_limit", time_limit, 0)
        memory = min(within("memory_limit", memory_limit, 1e-6), MOST_GIB)
        if threads is None:
            threads = min(available_cores(), MOST_THREADS)
        within("threads", threads, 1, MOST_THREADS)
        return cls(deadline, memory, progress, stop, threads=threads)

    def seconds_left(self) -> float:
        """Seconds until the deadline, below 0 after it; infinite where there is none."""
        return self.deadline - time.monotonic()

    def share(self, parts: int) -> Limits:
        """Limits of the next of so many pieces of work: an equal part of the time that is left.

        Examples
        --------
        >>> limits = Limits.of(time_limit=60)
        >>> 19 < limits.share(3).seconds_left() <= 20
        True
        """
        part = max(0.0, self.seconds_left()) / parts
        return replace(self, deadline=time.monotonic() + part)

    def require_time(self) -> None:
        """End work that was asked to end, or whose time is over.

        Raises
        ------
        KeyboardInterrupt
            If ``stop`` says so.
        LimitReached
            After the deadline.
        """
        end_if(self.stop)
        if self.seconds_left() < 0:
            raise LimitReached("the time limit was reached")

    def over(self) -> bool:
        """Whether the deadline has come, or ``stop`` says so."""
        return self.seconds_left() < 0 or (self.stop is not None and bool(self.stop()))
