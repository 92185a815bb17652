"""When a search stops, and what it reports while it runs."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from seabattle.enumerate.errors import MOST_GIB, Stop, WorkFailed, end_if, within

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
        How many threads search at most; see ``solver.search.threads``.
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
            count = min(available_cores(), MOST_THREADS)
        else:
            count = within("threads", threads, 1, MOST_THREADS)
        return cls(deadline, memory, progress, stop, threads=count)

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
