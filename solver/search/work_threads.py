"""Threads that run kernels beside the one that asked.

They are daemons, so that nobody waits for them at the end of the program. But a thread that is just
compiling must not see the compiler being taken apart: Python's orderly end destroys it, and the
process is aborted. So whoever ends the program asks ``work_goes_on`` first.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class _WorkThread(threading.Thread):
    pass


def work_thread(
    target: Callable[..., object], args: tuple[Any, ...] = (), *, name: str
) -> threading.Thread:
    """A thread, not yet started, that runs kernels.

    Parameters
    ----------
    target, args
        What it calls, and with what.
    name
        What it does, for debuggers.
    """
    return _WorkThread(target=target, args=args, name=name, daemon=True)


class SideTask:
    """Work in a thread of its own, and what stopped it.

    Attributes
    ----------
    given_up
        Set when it should end as soon as it can.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.given_up = threading.Event()
        self.thread: threading.Thread | None = None
        self.failure: BaseException | None = None

    def begin(self, target: Callable[..., object], *args: object) -> bool:
        """Begin to work; whether this machine has a thread for it.

        An interrupt or a lack of memory ends it quietly: what asked for it goes on alone.
        """

        def work() -> None:
            try:
                target(*args)
            except (KeyboardInterrupt, MemoryError):
                pass
            except BaseException as error:  # for the one who asks
                self.failure = error

        thread = work_thread(work, name=self.name)
        try:
            thread.start()
        except RuntimeError:  # this machine has no more threads
            return False
        self.thread = thread
        return True

    @property
    def running(self) -> bool:
        """Whether it still works."""
        return self.thread is not None and self.thread.is_alive()

    def end(self) -> None:
        """Wait until it has ended.

        Raises
        ------
        BaseException
            What stopped it.
        """
        if self.thread is not None:
            self.thread.join()
            self.thread = None
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure

    def give_up(self) -> None:
        """Have it end as soon as it can, and wait until it has; raises as ``end`` does."""
        self.given_up.set()
        try:
            self.end()
        finally:
            self.given_up.clear()


def work_goes_on() -> bool:
    """Whether such a thread still runs, as one may whose owner a second Ctrl-C has stopped."""
    return any(isinstance(thread, _WorkThread) for thread in threading.enumerate())
