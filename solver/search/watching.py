"""Kernels that run long, watched by the thread that asked: limits hold, and Ctrl-C is heard.

A kernel stops by itself after an allowance of work, which in games of many layouts takes seconds.
Python hears signals in its main thread, between two of its own instructions. So such a kernel runs
in a thread of its own, and the one that asked waits, listens, and takes the allowance away.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from seabattle.solver.search.kernels.work import ALLOWANCE
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.work_threads import work_thread

WATCHED_ROWS = 2_000_000
"""Steps that have to look at more rows than this are watched: they may take a second and more."""

SECONDS_BETWEEN = 0.1
"""Between two looks at the limits while a kernel runs."""

NO_ALLOWANCE = -(2**62)


def run_watched(step: Callable[[], int], counters: NDArray[np.int64], limits: Limits) -> int:
    """Outcome of a step, which stops early when the deadline comes or ``limits.stop`` says so.

    Parameters
    ----------
    step
        Calls a kernel.
    counters
        Of the kernel: its allowance is taken away, as often as it takes.
    limits
        Asked a few times a second, in the thread of the caller.
    """
    outcome: list[int] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(int(step()))
        except BaseException as error:  # for the one who asked
            failure.append(error)

    worker = work_thread(work, name="kernel")
    worker.start()
    stopping = False
    try:
        while worker.is_alive():
            worker.join(SECONDS_BETWEEN)
            stopping = stopping or limits.over()
            # Again and again: the kernel may just have been about to write it.
            if stopping:
                counters[ALLOWANCE] = NO_ALLOWANCE
    except BaseException:
        while worker.is_alive():
            counters[ALLOWANCE] = NO_ALLOWANCE
            worker.join(SECONDS_BETWEEN)
        raise
    if failure:
        raise failure[0]
    return outcome[0]
