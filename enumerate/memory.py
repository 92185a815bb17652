"""What this process takes of the machine's memory, and what work inside of other work may take."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

_usual: ContextVar[float] = ContextVar("usual memory limit")


def usual_limit(otherwise: float = 4.0) -> float:
    """GiB that work may take for which no limit is given, the player of a tournament for one.

    >>> with usual_limit_set(0.5):
    ...     usual_limit()
    0.5
    >>> usual_limit()
    4.0
    """
    return min(otherwise, _usual.get(otherwise))


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
    return _statm(1)


def addresses_taken() -> int:
    """Bytes of addresses that this process has asked for, taken or not; 0 if it is not told."""
    return _statm(0)


LEFT_FOR_KERNELS = 200 << 20
"""Bytes of addresses left free where they are bounded: kernels that are loaded later need them, and
LLVM ends the whole process when it gets none."""


def addresses_left() -> float:
    """Bytes of addresses that this process may still ask for (``ulimit -v``); mostly infinite."""
    try:
        import resource
    except ImportError:  # not on Windows
        return inf
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return inf if most == resource.RLIM_INFINITY else most - addresses_taken()


def require_addresses(wanted: int) -> None:
    """Ask whether some bytes can be had, before something that cannot report a refusal asks.

    Raises
    ------
    MemoryError
        If they cannot, with enough left for kernels to be loaded.
    """
    if addresses_left() < wanted + LEFT_FOR_KERNELS:
        raise MemoryError


def _statm(column: int) -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0
