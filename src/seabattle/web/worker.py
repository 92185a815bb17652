"""A counting process: it is given work over a pipe, and looks out for the word to stop.

Work is a function and its arguments. The function is called as ``function(watch, *arguments)``; it
looks at the ``Watch`` every now and then, so that work nobody waits for any more ends soon.
"""

from __future__ import annotations

import importlib
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.memory import addresses_taken, memory_taken
from seabattle.web.refusals import Refused, refusal

END = -1
"""Number of no work: it asks the process to end."""

READY = -2
"""Number of no work: with it the process says that it can begin."""

SPARE = 2 << 30
"""Bytes of addresses, beyond those of the work, that the process itself may need."""


class Stopped(Exception):  # noqa: N818  no error: it was asked for
    """Nobody waits for the work in hand."""


class Watch:
    """Whether the work in hand is still wanted, and within its time.

    Parameters
    ----------
    seconds
        Time that the work may take, from now on.

    Attributes
    ----------
    unwanted
        Set by another thread when nobody waits for the work any more.
    deadline
        ``time.monotonic`` value at which the time is over.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.deadline = time.monotonic() + seconds
        self.unwanted = threading.Event()

    def stop(self) -> bool:
        """Whether to stop: for the ``stop`` of the library's functions; ``check`` says why."""
        return self.unwanted.is_set() or time.monotonic() > self.deadline

    def check(self, *progress: object) -> None:
        """Stop if need be: for the ``progress`` of the library's functions.

        Raises
        ------
        Stopped
            If nobody waits for the work.
        Refused
            If it has taken too long.
        """
        if self.unwanted.is_set():
            raise Stopped
        if time.monotonic() > self.deadline:
            raise too_long(self.seconds)

    @property
    def left(self) -> float:
        """Seconds left."""
        return max(0.0, self.deadline - time.monotonic())


def too_long(seconds: float) -> Refused:
    """The refusal of what has taken longer than it may."""
    return Refused(f"the question took longer than {seconds:g} s, which is the limit here", 413)


def process_main(pipe: Connection, memory: float, module: str) -> None:
    """Run in a process of its own: do the work that comes over the pipe until it is closed.

    What comes: ``(number, function, arguments, seconds)``, ``(number,)`` to stop that work, and
    ``(END,)``. What goes: ``(number, done, value, bytes)``: what the function returned, or a
    ``Refused``; None if it was stopped; and the memory that the process takes. Before all this
    goes ``(READY, True, None, bytes)``.

    Parameters
    ----------
    pipe
        To the front process.
    memory
        GiB that the work may take.
    module
        A module to be loaded before any work begins; empty: none.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the front process says when to end
    if module:
        importlib.import_module(module)
    _bound_memory(memory)
    pipe.send((READY, True, None, memory_taken()))
    work: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
    watches: dict[int, Watch] = {}
    threading.Thread(target=_listen, args=(pipe, work, watches), daemon=True).start()
    while True:
        number, function, arguments = work.get()
        done, value = _do(function, watches[number], arguments)
        del watches[number]
        try:
            pipe.send((number, done, value, memory_taken()))
        except OSError:  # the front process has gone
            os._exit(1)


def _listen(
    pipe: Connection, work: queue.SimpleQueue[tuple[Any, ...]], watches: dict[int, Watch]
) -> None:
    """Take what comes over the pipe, also while work is done; end with it."""
    while True:
        try:
            number, *rest = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        if number == END:
            os._exit(0)
        if not rest:
            watch = watches.get(number)
            if watch is not None:
                watch.unwanted.set()
            continue
        function, arguments, seconds = rest
        watches[number] = Watch(seconds)
        work.put((number, function, arguments))


def _do(function: Callable[..., Any], watch: Watch, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        value = function(watch, *arguments)
        watch.check()
    except Stopped:
        return False, None
    except SeabattleError as error:
        return False, refusal(error)
    except MemoryError:
        return False, Refused("the question needs more memory than one may take here", 413)
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return False, Refused(
            f"the question could not be answered: an error of the program ({type(error).__name__})",
            500,
        )
    return True, value


def _bound_memory(memory: float) -> None:
    """Have the system refuse what exceeds the limit by far, where it can; the library keeps it."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = addresses_taken() + int(2 * memory * 2**30) + SPARE
    if most == resource.RLIM_INFINITY or wanted < most:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))
