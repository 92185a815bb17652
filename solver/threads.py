"""Work in threads of its own, so that whoever waits for it hears signals and can tell it to stop.

Python hears signals in its main thread alone, between two of its own instructions: not while that
thread is in the core, or in another library, for seconds. So what runs long does so in threads of
its own, while the one that asked waits, listens, and tells them to stop.

They are daemons, so that nobody waits for them at the end of the program. But what a thread in the
core works on must not be taken apart beneath it by Python's orderly end. So whoever ends the
program asks ``work_goes_on`` first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue

SECONDS_BETWEEN = 0.1
"""Between two looks at the limits while the work goes on."""

SECONDS_BETWEEN_STOPS = 0.0005
"""Pause before a thread that has not stopped is told again."""


class WorkThread(threading.Thread):
    """One that is in the core, or in another library that hears nothing."""


def work_goes_on() -> bool:
    """Whether such a thread still runs, as one may whose owner a second Ctrl-C has stopped."""
    return any(isinstance(thread, WorkThread) for thread in threading.enumerate())


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
    ended = False
    done: SimpleQueue[None] = SimpleQueue()  # an Event may break where Ctrl-C comes
    lock = threading.Lock()
    running = set()
    failures = []

    def work_as(number: int) -> None:
        # It counts as running from here on, not from when it is started: if Ctrl-C comes while it
        # is being started, nobody knows whether it ever will be.
        nonlocal ended
        with lock:
            if ended:
                return
            running.add(number)
        try:
            works[number]()
        except BaseException as error:
            failures.append(error)
        ended = True
        running.discard(number)
        done.put(None)

    begun: list[WorkThread] = []
    interrupted = None
    try:
        for number in range(len(works)):
            thread = WorkThread(target=work_as, args=(number,), name="core", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # this machine has no more threads
                break
            begun.append(thread)
        if not begun:
            work_as(0)
        while not ended:
            with suppress(Empty):
                done.get(timeout=SECONDS_BETWEEN)
            if not ended and over():
                break
    except BaseException as pressed:
        interrupted = pressed
    while True:
        try:
            with lock:
                ended = True
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
