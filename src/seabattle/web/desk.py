"""The desk: work is put down, waits its turn, and is done by counting processes.

Anything that takes longer than a moment is done here and not in the front process::

    slip = desk.ask(function, argument, seconds=10)   # or raises Refused: too many wait
    slip.future.result()                              # what the function returned
    slip.leave()                                      # nobody waits for it any more

The function has to be found by its name in a module (it is pickled), and is called in a counting
process as ``function(watch, argument)``, where it should call ``watch.check()`` a few times a
second, or hand ``watch.check`` and ``watch.stop`` to functions of the library as ``progress`` and
``stop``. What it returns is pickled, too; a ``SeabattleError`` that it raises becomes the
exception of the future, as a ``Refused``.

Work that is left is taken out of the queue; if it has begun, the process is told, and if it does
not heed within ``GRACE`` seconds, ended and replaced. So it is when the work takes longer than it
may. A process that dies is replaced, and its work tried once more.
"""

from __future__ import annotations

import itertools
import multiprocessing
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from seabattle.web.refusals import Refused
from seabattle.web.worker import END, process_main, too_long

GRACE = 3.0
"""Seconds within which a process has to heed the word to stop."""

TRIES = 2
"""How often work is begun whose process dies."""

WARMING = 600.0
"""Seconds that warming up may take: compiling on a slow machine."""

LOOK = 0.05
"""Seconds between two looks at whether the work in hand is still wanted."""


@dataclass(eq=False)
class Slip:
    """A piece of work that was put down at the desk.

    Attributes
    ----------
    future
        What the function returned, or a ``Refused``; cancelled when the work is left.
    unwanted
        Whether nobody waits for it any more.
    tries
        How often it was begun.
    begun
        ``time.monotonic`` value at which it was begun for the last time; None while it waits.
    """

    desk: Desk
    number: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    future: Future[Any] = field(default_factory=Future)
    unwanted: bool = False
    tries: int = 0
    begun: float | None = None

    def leave(self) -> None:
        """Nobody waits for the work any more."""
        self.desk._leave(self)


class Desk:
    """Counting processes and the work that waits for them; safe to use from any thread.

    Parameters
    ----------
    workers
        Number of processes.
    waiting
        How much work may wait.
    memory
        GiB that a process may take.
    seconds
        Time that work may take where nothing else is said.
    warm_up
        Functions, each with its arguments, which every process calls while nobody waits; the first
        process before any other is started, as compiling one kernel in two processes at once
        could damage what is kept of it.
    module
        A module that every process loads before anything else.
    """

    def __init__(
        self,
        workers: int,
        *,
        waiting: int = 64,
        memory: float = 2.0,
        seconds: float = 60.0,
        warm_up: Sequence[tuple[Any, ...]] = (),
        module: str = "",
    ) -> None:
        self.workers = workers
        self.most_waiting = waiting
        self.memory = memory
        self.module = module
        self.seconds = seconds
        self.warm = not warm_up
        self.ended_processes = 0
        self._queue: deque[Slip] = deque()
        self._at_work: set[Slip] = set()
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._closed = False
        self._mean = 1.0
        self._processes: dict[int, int] = {}
        self._warm_up = warm_up
        self._threads = [
            threading.Thread(target=self._serve, args=(place,), name=f"desk {place}", daemon=True)
            for place in range(workers)
        ]

    def open(self) -> Desk:
        """Start the processes."""
        self._threads[0].start()
        if self.warm:
            self._start_others()
        return self

    def _start_others(self) -> None:
        for thread in self._threads[1:]:
            thread.start()

    @property
    def waiting(self) -> int:
        """How much work waits."""
        return len(self._queue)

    @property
    def busy(self) -> int:
        """How many processes are at work."""
        return len(self._at_work)

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes in the system."""
        return list(self._processes.values())

    def ask(
        self, function: Callable[..., Any], *arguments: Any, seconds: float | None = None
    ) -> Slip:
        """Put work down.

        Raises
        ------
        Refused
            With status 503, if too much is waiting or the desk is closed.
        """
        with self._changed:
            if self._closed:
                raise Refused("the service is ending", 503)
            if len(self._queue) >= self.most_waiting:
                raise Refused(
                    f"{len(self._queue)} questions are waiting already: ask again later", 503
                )
            limit = self.seconds if seconds is None else min(seconds, self.seconds)
            slip = Slip(self, next(self._numbers), function, arguments, limit)
            self._queue.append(slip)
            self._changed.notify()
        return slip

    @property
    def patience(self) -> int:
        """Seconds after which asking again is sensible when too much is waiting."""
        return max(1, min(60, round(self._mean * self.most_waiting / self.workers)))

    def close(self) -> None:
        """Take no more work, and refuse what waits; what has begun is finished."""
        with self._changed:
            self._closed = True
            waiting, self._queue = list(self._queue), deque()
            self._changed.notify_all()
        for slip in waiting:
            _tell(slip, Refused("the service is ending", 503))

    def join(self, seconds: float | None = None) -> None:
        """Wait until everything is finished and the processes have ended."""
        end = None if seconds is None else time.monotonic() + seconds
        for thread in self._threads:
            if thread.is_alive():
                thread.join(None if end is None else max(0.0, end - time.monotonic()))

    def __enter__(self) -> Desk:
        return self.open()

    def __exit__(self, *exception: object) -> None:
        self.close()
        with self._changed:
            for slip in self._at_work:
                slip.unwanted = True
        self.join()

    def _leave(self, slip: Slip) -> None:
        with self._changed:
            slip.unwanted = True
            with suppress(ValueError):
                self._queue.remove(slip)
        slip.future.cancel()

    # One thread for each process: it hands over work and waits for what comes of it.

    def _serve(self, place: int) -> None:
        process = _Process(self.memory, self.module)
        self._processes[place] = process.number
        try:
            pieces = deque(self._warm_up)
            while (slip := self._next(pieces)) is not None:
                begin = time.monotonic()
                process = self._finish(place, process, slip)
                with self._changed:
                    self._at_work.discard(slip)
                    if slip.seconds != WARMING:
                        self._mean += 0.1 * (time.monotonic() - begin - self._mean)
                if place == 0 and not self.warm and not pieces:
                    self.warm = True
                    if not self._closed:
                        self._start_others()
        finally:
            process.end()
            self._processes.pop(place, None)

    def _next(self, pieces: deque[tuple[Any, ...]]) -> Slip | None:
        """The work to be done next; None at the end. ``pieces`` is warming up still to be done."""
        with self._changed:
            while not self._queue:
                if self._closed:
                    return None
                if pieces:
                    function, *arguments = pieces.popleft()
                    slip = Slip(self, next(self._numbers), function, tuple(arguments), WARMING)
                    slip.future.add_done_callback(_ignore)
                    break
                self._changed.wait()
            else:
                slip = self._queue.popleft()
            self._at_work.add(slip)
            return slip

    def _finish(self, place: int, process: _Process, slip: Slip) -> _Process:
        """Have work done; the process that does the next work."""
        outcome: tuple[bool, Any] | None = None
        while outcome is None and slip.tries < TRIES and not slip.unwanted:
            slip.tries += 1
            slip.begun = time.monotonic()
            outcome, heeds = self._wait(process, slip)
            if not heeds or process.bytes > self.memory * 2**30:
                process = self._replaced(place, process)
        if outcome is None:
            outcome = False, Refused("the process that worked on the question has died", 500)
        done, value = outcome
        if not slip.unwanted:
            _tell(slip, value, done)
        return process

    def _replaced(self, place: int, process: _Process) -> _Process:
        process.end()
        self.ended_processes += 1
        new = _Process(self.memory, self.module)
        self._processes[place] = new.number
        return new

    def _wait(self, process: _Process, slip: Slip) -> tuple[tuple[bool, Any] | None, bool]:
        """What comes of work, None if its process died; and whether the process can go on."""
        stop_at: float | None = None
        try:
            process.await_ready()
            deadline = time.monotonic() + slip.seconds + GRACE
            process.pipe.send((slip.number, slip.function, slip.arguments, slip.seconds))
            while True:
                if process.pipe.poll(LOOK):
                    number, done, value, process.bytes = process.pipe.recv()
                    if number == slip.number:
                        return (done, value), True
                now = time.monotonic()
                if slip.unwanted and stop_at is None:
                    process.pipe.send((slip.number,))
                    stop_at = now + GRACE
                if (stop_at is not None and now > stop_at) or now > deadline:
                    return (False, too_long(slip.seconds)), False
        except (EOFError, OSError):
            return None, False
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            return (False, Refused(f"the work cannot be handed over: {error}", 500)), True


def _tell(slip: Slip, value: Any, done: bool = False) -> None:
    """Make known what came of work; nothing if nobody waits for it any more."""
    if not slip.future.set_running_or_notify_cancel():
        return
    if done:
        slip.future.set_result(value)
    else:
        slip.future.set_exception(value or Refused("the question was stopped", 503))


def _ignore(future: Future[Any]) -> None:
    """Warming up is a help, and no harm is done if it fails."""
    if not future.cancelled():
        future.exception()


class _Process:
    """A counting process and the pipe to it."""

    def __init__(self, memory: float, module: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe: Connection
        self.pipe, other = context.Pipe()
        self.bytes = 0
        self._process = context.Process(
            target=process_main,
            args=(other, memory, module),
            name="seabattle counting",
            daemon=True,
        )
        mask = getattr(signal, "pthread_sigmask", None)
        if mask is None:
            self._process.start()
        else:
            # A Ctrl-C before the process can ignore it must not end it.
            before = mask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
            try:
                self._process.start()
            finally:
                mask(signal.SIG_SETMASK, before)
        other.close()
        self.number = int(self._process.pid or 0)
        self._ready = False

    def await_ready(self) -> None:
        """Wait until the process can begin: its time to load is not that of a question.

        Raises
        ------
        EOFError, OSError
            If it died, or does not begin.
        """
        if not self._ready:
            if not self.pipe.poll(WARMING):
                raise EOFError
            _, _, _, self.bytes = self.pipe.recv()
            self._ready = True

    def end(self) -> None:
        """End the process, if need be by force."""
        with suppress(OSError):
            self.pipe.send((END,))
        self._process.join(0.2)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.pipe.close()
        self._process.close()
