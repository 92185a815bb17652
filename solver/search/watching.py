"""Kernels that run long, watched by the thread that asked: limits hold, and Ctrl-C is heard.

A kernel stops by itself after an allowance of work, which in games of many layouts takes seconds.
Python hears signals in its main thread, between two of its own instructions. So such a kernel runs
in a thread of its own, and the one that asked waits, listens, and takes the allowance away.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from seabattle.solver.search.limits import Limits
from seabattle.solver.search.work import ALLOWANCE
from seabattle.solver.search.work_threads import work_thread

WATCHED_ROWS = 2_000_000
"""Steps that have to look at more rows than this are watched: they may take a second and more."""

SECONDS_BETWEEN = 0.1
"""Between two looks at the limits while a kernel runs."""

NO_ALLOWANCE = -(2**62)


def run_watched(
    steps: Sequence[Callable[[], int]], counters: Sequence[NDArray[np.int64]], limits: Limits
) -> list[int]:
    """Outcomes of steps, which stop early when the deadline comes or ``limits.stop`` says so.

    On a machine that has no threads for all of them, those that have one are taken, or the first
    alone, unwatched.

    Parameters
    ----------
    steps
        Each calls a kernel, in a thread of its own; one or more.
    counters
        Of each kernel: its allowance is taken away, as often as it takes.
    limits
        Asked a few times a second, in the thread of the caller.
    """
    outcomes: list[int] = []
    failures: list[BaseException] = []

    def work(step: Callable[[], int]) -> None:
        try:
            outcomes.append(int(step()))
        except BaseException as error:  # for the one who asked
            failures.append(error)

    workers = [work_thread(work, (step,), name="kernel") for step in steps]
    begun: list[threading.Thread] = []

    def wait(stopping: bool) -> None:
        # Again and again: a kernel may just have been about to write its allowance.
        if stopping:
            for own in counters:
                own[ALLOWANCE] = NO_ALLOWANCE
        for worker in begun:
            if worker.is_alive():
                worker.join(SECONDS_BETWEEN)
                return

    stopping = False
    try:
        for worker in workers:
            begun.append(worker)
            try:
                worker.start()
            except RuntimeError:  # this machine has no more threads
                begun.pop()
                break
        if not begun:
            return [int(steps[0]())]
        while any(worker.is_alive() for worker in begun):
            wait(stopping)
            stopping = stopping or limits.over()
    except BaseException:
        while any(worker.is_alive() for worker in begun):
            wait(stopping=True)
        raise
    if failures:
        raise failures[0]
    return outcomes
