"""Whether kernels are being compiled, which takes seconds the first time, and how long it took.

Limits of time do not count it (``working_seconds``): it is done once, and said.

Separate from ``enumerate.kernels``, which takes a moment to import.
"""

from __future__ import annotations

import time


class _Stopwatch:
    """Seconds during which kernels were compiled, those inside others counted once.

    Only one thread compiles at a time. What others read may for a moment be too much, which ends no
    work too soon.
    """

    def __init__(self) -> None:
        self._open = 0
        self._since = self._seconds = 0.0

    def begin(self) -> None:
        if self._open == 0:
            self._since = time.monotonic()
        self._open += 1

    def end(self) -> None:
        if self._open == 1:
            self._seconds += time.monotonic() - self._since
        self._open -= 1

    @property
    def running(self) -> bool:
        """Whether something is being compiled just now."""
        return self._open > 0

    def seconds(self) -> float:
        """Seconds spent so far."""
        return self._seconds + (time.monotonic() - self._since if self._open else 0.0)


COMPILING = _Stopwatch()
"""Runs while this process compiles."""


def working_seconds() -> float:
    """``time.monotonic`` less the time spent on compiling: a clock that stops meanwhile."""
    return time.monotonic() - COMPILING.seconds()
