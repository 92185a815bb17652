"""When a search stops, and what it reports while it runs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

from seabattle.enumerate.errors import SeabattleError, WorkFailed
from seabattle.enumerate.game.arguments import require_function, require_memory, require_number

ROWS_PER_STEP = 20_000_000
"""Rows examined between two reports: a fraction of a second."""


class LimitReached(WorkFailed):
    """The search stopped at a limit of time or memory; what it proved is kept."""


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
        Called a few times a second; when it returns true the search ends as if by Ctrl-C.
    rows_per_step
        Rows examined between two reports; never fewer than 16 times those of the problem.

    Raises
    ------
    SeabattleError
        If the deadline or the memory is not a number, or the memory not above 0.
    """

    deadline: float | None = None
    memory: float = 4.0
    report: Callable[[Snapshot], None] | None = None
    stop: Callable[[], bool] | None = None
    rows_per_step: int = ROWS_PER_STEP

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
        """Limits from the parameters of public functions: ``time_limit`` counts seconds from now.

        Raises
        ------
        TypeError
            If a limit is not a number, or ``progress`` or ``stop`` cannot be called.
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
        memory = require_memory(memory_limit, zero=False)
        require_function("progress", progress)
        require_function("stop", stop)
        return cls(deadline, memory, progress, stop)
