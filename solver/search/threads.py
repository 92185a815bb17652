"""Several threads that search one problem together: the same question, one table.

Every thread asks the whole question with rows, counters and scratch of its own; what one proves,
all find in the table (``table``). A thread puts off shots whose sub-tables another is busy with, so
that they part the work without ever being told how. The first to answer ends the others.

A round is one step of ``Workspace.run``: all threads begin together, and it is over when one of
them has its answer, has looked at as many rows as allowed, or finds no room. So all that happens
between two steps happens while nothing else runs: the table grows, a checkpoint is saved, progress
is shown, limits are kept. A thread learns that it has to stop as it always does, by its allowance
of rows, which the others take away.

What is proven, and so the value, is the same with any number of threads. Which keys it takes is
not: that depends on who was faster. The first rows of a search, a fraction of a second, are looked
at by one thread alone, so that small games take no more time than with one thread, and the same
keys.

*Threads that run kernels beside the one that asked.* They are daemons, so that nobody waits for
them at the end of the program. But a thread that is just compiling must not see the compiler being
taken apart: Python's orderly end destroys it, and the process is aborted. So whoever ends the
program asks ``work_goes_on`` first.

*Kernels that run long* are watched by the thread that asked. A kernel stops by itself after an
allowance of work, which in games of many layouts takes seconds. Python hears signals in its main
thread, between two of its own instructions. So such a kernel runs in a thread of its own, and the
one that asked waits, listens, and takes the allowance away.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import INTERPRETED
from seabattle.solver.search import work as w
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.work import ALLOWANCE


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

    def __init__(self, name: str, *, ends_quietly: bool = True) -> None:
        self.name = name
        self.ends_quietly = ends_quietly
        self.given_up = threading.Event()
        self.thread: threading.Thread | None = None
        self.failure: BaseException | None = None

    def begin(self, target: Callable[..., object], *args: object) -> bool:
        """Begin to work; whether this machine has a thread for it.

        Where it ``ends_quietly``, an interrupt or a lack of memory is no failure: what asked for
        it goes on alone.
        """

        def work() -> None:
            try:
                target(*args)
            except BaseException as error:  # for the one who asks
                quiet = self.ends_quietly and isinstance(error, KeyboardInterrupt | MemoryError)
                self.failure = None if quiet else error

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

    def wait(self, seconds: float) -> None:
        """Wait until it has ended, or so long."""
        if self.thread is not None:
            self.thread.join(seconds)

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
        Calls a kernel, in a thread of its own where this machine has one for it.
    counters
        Of the kernel: its allowance is taken away, as often as it takes.
    limits
        Asked a few times a second, in the thread of the caller.
    """
    outcome: list[int] = []
    task = SideTask("kernel", ends_quietly=False)
    if not task.begin(lambda: outcome.append(int(step()))):
        return int(step())
    stopping = False
    try:
        while task.running:
            if stopping:  # again and again: it may just have been about to write its allowance
                counters[ALLOWANCE] = NO_ALLOWANCE
            task.wait(SECONDS_BETWEEN)
            stopping = stopping or limits.over()
    except BaseException:
        while task.running:
            counters[ALLOWANCE] = NO_ALLOWANCE
            task.wait(SECONDS_BETWEEN)
        raise
    task.end()
    return outcome[0]


if TYPE_CHECKING:
    from seabattle.solver.search.exact_search import ExactSearch

NOT_SHARED = np.zeros(0, dtype=np.uint64)
"""The busy sub-tables of a search by one thread."""

LATER_ALONE = 100
"""Part of a step that one thread takes alone of a question, once its rows alone are used up."""

BUSY_PLACES = 1 << 12
"""Places for marks of busy sub-tables: some hundred times what threads are busy with."""

SECONDS_BETWEEN_STOPS = 0.0005
"""Pause before a thread that has not stopped is told again."""

COMMON = {
    "table",
    "lower",
    "reach",
    "options",
    "busy",
    "game",
    "keys",
    "patterns",
    "finds",
}
"""Fields of the kernels' groups of arrays that all threads use."""

OWN = {
    "counts",
    "masks",
    "counters",
    "arena",
    "together",
    "children",
    "child_keys",
    "key",
    "groups",
    "best",
}
"""Fields that each thread needs for itself: what a kernel writes without ``table``."""

CACHE_LINE = 64
"""Bytes that processors fetch and give away together."""

LEAST_ROOM = 64
"""Keys per thread for which a round is worth while: with less room the table grows."""

SUMMED_UP = w.STATES, w.NODES, w.PROBES
"""Counters of the search that the counts of its threads are added to."""


def as_new(field: Any) -> Any:
    """An array of the same shape as another, all 0, or a group of them.

    Each is a cache line away from all others, so that no thread waits for what another writes.
    """
    if isinstance(field, tuple):
        return type(field)(*map(as_new, field))
    apart = CACHE_LINE // field.itemsize
    return np.zeros(field.size + 2 * apart, dtype=field.dtype)[apart:-apart].reshape(field.shape)


def _shapes(field: Any) -> Any:
    return tuple(map(_shapes, field)) if isinstance(field, tuple) else field.shape


class _Searcher:
    """What one thread has for itself.

    Parameters
    ----------
    own
        Scratch arrays by field, kept from question to question; modified.
    moved
        Arrays that the kernel changes; copied.
    """

    def __init__(self, own: dict[str, Any], moved: tuple[NDArray[Any], ...]) -> None:
        self.own = own
        self.moved = tuple(array.copy() for array in moved)
        self.counters = np.zeros(64, dtype=np.int64)[: w.COUNTERS]  # a cache line of its own
        self.value = w.STOP
        self.error: BaseException | None = None

    def begin(self, rows: int, room: int) -> None:
        """Be ready for a round with an allowance of rows and room for new keys."""
        self.value, self.error = w.STOP, None
        self.counters[:] = 0
        self.counters[w.ALLOWANCE] = rows
        self.counters[w.CAPACITY] = room

    def arrays(self, shared: NamedTuple, busy: NDArray[np.uint64]) -> NamedTuple:
        """The arrays of a kernel for this thread."""
        fields = shared._asdict()
        assert fields.keys() <= COMMON | OWN, "say which fields each thread needs for itself"
        for name in OWN & fields.keys() - {"counters"}:
            if name not in self.own or _shapes(self.own[name]) != _shapes(fields[name]):
                self.own[name] = as_new(fields[name])
        return shared._replace(**self.own, counters=self.counters, busy=busy)


class Rounds:
    """The rounds of one question.

    Parameters
    ----------
    search
        The search.
    ask
        Calls a kernel with a group of arrays and those that it changes.
    searchers
        What each thread has for itself.
    """

    def __init__(
        self, search: ExactSearch, ask: Callable[..., int], searchers: list[_Searcher]
    ) -> None:
        self.search = search
        self.ask = ask
        self.searchers = searchers
        self.busy = np.zeros(BUSY_PLACES, dtype=np.uint64)
        self.lock = threading.Lock()
        self.running: set[_Searcher] = set()
        self.first: _Searcher | None = None
        self.number = 0

    def play(self) -> int:
        """One round; what its threads counted is added to the search. Returns as a kernel does."""
        counters = self.search.counters
        before = counters.copy()
        shared = self.search.kernel_arrays()
        room = max(0, int(before[w.CAPACITY] - before[w.STATES]))
        self.busy[:] = 0
        self.first = None
        tasks = []
        for searcher in self.searchers:
            searcher.begin(int(before[w.ALLOWANCE]), room // len(self.searchers))
            tasks.append((self.number, searcher, searcher.arrays(shared, self.busy)))
        begun: list[threading.Thread] = []
        try:
            for task in tasks[1:]:
                thread = work_thread(self.search_as, task, name="search")
                begun.append(thread)
                try:
                    thread.start()
                except RuntimeError:  # this machine has no more threads: fewer search
                    break
            self.search_as(*tasks[0])
        finally:
            self._end(begun, before)
        return self._outcome()

    def search_as(self, number: int, searcher: _Searcher, arrays: NamedTuple) -> None:
        """Search as one of the threads; the first that is done ends the others.

        A thread counts as running from here on, not from when it is started: if Ctrl-C comes
        while it is being started, nobody knows whether it ever will, or only in a later round. So
        it is told the number of the round that it is for.
        """
        with self.lock:
            if self.number != number or self.first is not None:
                return
            self.running.add(searcher)
        try:
            searcher.value = int(self.ask(arrays, *searcher.moved))
        except BaseException as error:
            searcher.error = error
        with self.lock:
            self.running.discard(searcher)
            if self.first is not None:
                return
            self.first = searcher
        self._stop()

    def _stop(self) -> None:
        """Take the allowances of those that still search, until none does.

        Once would not do: a thread that is just taking rows off its allowance writes over it.
        """
        while self.running:
            for searcher in tuple(self.running):
                searcher.counters[w.ALLOWANCE] = -1
            time.sleep(SECONDS_BETWEEN_STOPS)

    def _end(self, begun: list[threading.Thread], before: NDArray[np.int64]) -> None:
        """Wait until no thread searches any more, and count together, whatever is pressed.

        begun : threads beside this one; before : counters of the search before the round
        """
        interrupted = None
        while True:
            try:
                with self.lock:
                    self.number += 1  # what has not begun by now never will
                    self.running.discard(self.searchers[0])
                self._stop()
                for thread in begun:
                    if thread.is_alive():
                        thread.join()
                for place in SUMMED_UP:
                    counted = sum(int(searcher.counters[place]) for searcher in self.searchers)
                    self.search.counters[place] = before[place] + counted
                break
            except KeyboardInterrupt as pressed:
                interrupted = pressed
        if interrupted is not None:
            raise interrupted

    def _outcome(self) -> int:
        """What the round comes to, as a kernel returns it."""
        counters = self.search.counters
        for searcher in self.searchers:
            if searcher.error is not None:
                raise searcher.error
        for searcher in self.searchers:
            if searcher.value != w.STOP:
                counters[w.SHOT] = searcher.counters[w.SHOT]
                if "best" in searcher.own:
                    self.search.best[:] = searcher.own["best"]
                return searcher.value
        assert self.first is not None
        counters[w.ALLOWANCE] = self.first.counters[w.ALLOWANCE]
        reasons = {int(searcher.counters[w.STATUS]) for searcher in self.searchers}
        room = counters[w.CAPACITY] - counters[w.STATES]
        least = max(LEAST_ROOM * len(self.searchers), counters[w.CAPACITY] // 32)
        if w.FULL_ARENA in reasons:
            counters[w.STATUS] = w.FULL_ARENA
        elif w.FULL_TABLE in reasons and room < least:
            counters[w.STATUS] = w.FULL_TABLE
        else:  # what room there is, is shared out anew
            counters[w.STATUS] = w.ALLOWANCE_USED
        return w.STOP


class Team:
    """The threads of one search.

    Parameters
    ----------
    search
        The search, whose ``kernel_arrays`` the kernels take and whose limits say how many threads
        there may be.
    rows_alone
        Rows that one thread looks at before others join it.
    """

    def __init__(self, search: ExactSearch, rows_alone: int) -> None:
        self.search = search
        self.rows_alone = rows_alone
        self.scratch: list[dict[str, Any]] = []

    def step(self, ask: Callable[..., int], *moved: NDArray[Any]) -> Callable[[], int]:
        """A step of ``Workspace.run`` that asks a question, by as many threads as there may be.

        Parameters
        ----------
        ask
            Calls a kernel with a group of arrays and ``moved``.
        moved
            Arrays that the kernel changes, such as the order of the rows.
        """
        search = self.search
        threads = search.limits.threads
        if threads == 1 or INTERPRETED:  # what is one instruction of a kernel is several of Python
            return lambda: ask(search.kernel_arrays(), *moved)
        alone = max(self.rows_alone, search.rows_per_step // LATER_ALONE)
        rounds: Rounds | None = None

        def step() -> int:
            nonlocal alone, rounds
            counters = search.counters
            if alone > 0:
                allowed = int(counters[w.ALLOWANCE])
                counters[w.ALLOWANCE] = first = min(allowed, alone)
                value = ask(search.kernel_arrays(), *moved)
                taken = first - max(0, int(counters[w.ALLOWANCE]))
                alone -= taken
                self.rows_alone -= taken
                counters[w.ALLOWANCE] += allowed - first
                if value != w.STOP or counters[w.STATUS] != w.ALLOWANCE_USED or allowed == first:
                    return value
            if rounds is None:
                while len(self.scratch) < threads:
                    self.scratch.append({})
                rounds = Rounds(search, ask, [_Searcher(own, moved) for own in self.scratch])
            return rounds.play()

        return step
