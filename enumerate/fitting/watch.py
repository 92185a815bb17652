"""The progress that a fit reports, and what ends it early."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from seabattle.enumerate.game.arguments import require_function, require_number


@dataclass(frozen=True)
class FitProgress:
    """What a fit reports after every map.

    Attributes
    ----------
    stage
        What is being done: ``fitting``, or ``looking for faces``.
    maps
        Maps counted so far.
    deviation
        The largest deviation of an expected number from its target, in the best map so far.
    """

    stage: str
    maps: int
    deviation: float


class Stopped(Exception):  # noqa: N818
    """The fit was asked to end; the best weights so far are kept."""


class Watch:
    """Reports progress, and ends a fit at its time limit or when asked to.

    Parameters
    ----------
    time_limit
        Seconds, or None.
    progress
        Called with a ``FitProgress`` after every map.
    stop
        Called often; the fit ends when it returns true.
    """

    def __init__(
        self,
        time_limit: float | None,
        progress: Callable[[FitProgress], None] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        require_function("progress", progress)
        require_function("stop", stop)
        if time_limit is not None:
            time_limit = require_number("time_limit", time_limit, "seconds", least=0)
        self.started = time.monotonic()
        self.time_limit, self.progress, self.stop = time_limit, progress, stop
        self.begun = False
        self.interrupted = False
        self.out_of_time = False

    @property
    def seconds(self) -> float:
        """Seconds since the fit began."""
        return time.monotonic() - self.started

    def check(self) -> None:
        """End the fit if it was asked to end and there is something to keep.

        Raises
        ------
        Stopped
            If so.
        """
        if not self.begun:
            return
        if self.stop is not None and self.stop():
            self.interrupted = True
            raise Stopped
        if self.time_limit is not None and self.seconds > self.time_limit:
            self.out_of_time = True
            raise Stopped

    def rows(self, row: int, rows: int) -> None:
        """Progress of a sweep."""
        self.check()

    def say(self, stage: str, maps: int, deviation: float) -> None:
        """Report a map."""
        self.begun = True
        if self.progress is not None:
            self.progress(FitProgress(stage, maps, deviation))
