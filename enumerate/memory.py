"""What this process takes of the machine's memory, and what work inside of other work may take."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

USUAL_GIB = 4.0
_usual: ContextVar[float] = ContextVar("usual memory limit")


def usual_limit() -> float:
    """GiB that work may take for which no limit is given, the player of a tournament for one.

    >>> with usual_limit_set(0.5):
    ...     usual_limit()
    0.5
    >>> usual_limit()
    4.0
    """
    return min(USUAL_GIB, _usual.get(USUAL_GIB))


@contextmanager
def usual_limit_set(gib: float) -> Iterator[None]:
    """Have work for which no limit is given take no more than this; it never takes more than usual.

    Parameters
    ----------
    gib
        The limit in GiB; infinite where there is none.
    """
    token = _usual.set(gib)
    try:
        yield
    finally:
        _usual.reset(token)


def memory_taken() -> int:
    """Bytes of memory that this process takes now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0
