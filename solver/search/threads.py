"""Threads that are in the core: beside the one that asked, or several until the first is done.

They are daemons, so that nobody waits for them at the end of the program. But what a thread in the
core works on must not be taken apart beneath it by Python's orderly end. So whoever ends the
program asks ``work_goes_on`` first.

The core stops by itself after an allowance of work, which in games of many layouts takes seconds,
and Python hears signals in its main thread alone, between two of its own instructions. So what runs
long does so in threads of its own, while the one that asked waits, listens, and tells them to stop.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

SECONDS_BETWEEN = 0.1
"""Between two looks at the limits while the core works."""

SECONDS_BETWEEN_STOPS = 0.0005
"""Pause before a thread that has not stopped is told again."""


class _WorkThread(threading.Thread):
    """One that is in the core."""


def work_goes_on() -> bool:
    """Whether such a thread still runs, as one may whose owner a second Ctrl-C has stopped."""
    return any(isinstance(thread, _WorkThread) for thread in threading.enumerate())


def run_together(
    works: Sequence[Callable[[], object]], over: Callable[[], bool], stop: Callable[[], object]
) -> None:
    """Do pieces of work in a thread each, until the first is done or they are to be stopped.

    Parameters
    ----------
    works
        What to do; on a machine with no more threads, only the first of it.
    over
        Asked a few times a second whether to stop.
    stop
        Tells them to stop; it is called until nothing runs any more.

    Raises
    ------
    BaseException
        What stopped a piece of work, or the one that waits.
    """
    done = threading.Event()
    lock = threading.Lock()
    running = set()
    failures = []

    def work_as(number: int) -> None:
        # It counts as running from here on, not from when it is started: if Ctrl-C comes while it
        # is being started, nobody knows whether it ever will be.
        with lock:
            if done.is_set():
                return
            running.add(number)
        try:
            works[number]()
        except BaseException as error:
            failures.append(error)
        running.discard(number)
        done.set()

    begun: list[_WorkThread] = []
    interrupted = None
    try:
        for number in range(len(works)):
            thread = _WorkThread(target=work_as, args=(number,), name="core", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # this machine has no more threads
                break
            begun.append(thread)
        if not begun:
            work_as(0)
        while not done.wait(SECONDS_BETWEEN) and not over():
            pass
    except BaseException as pressed:
        interrupted = pressed
    while True:
        try:
            with lock:
                done.set()
            while running:
                stop()
                time.sleep(SECONDS_BETWEEN_STOPS)
            for thread in begun:
                thread.join()
            break
        except KeyboardInterrupt as pressed:  # nothing may run on, however often it is pressed
            interrupted = pressed
    if interrupted is not None:
        raise interrupted
    if failures:
        raise failures[0]
