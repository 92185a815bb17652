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


def work_goes_on() -> bool:
    """Whether such a thread still runs, as one may whose owner a second Ctrl-C has stopped."""
    return any(isinstance(thread, _WorkThread) for thread in threading.enumerate())
