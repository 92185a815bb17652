"""Several threads that search one problem together: the same question, one table.

Every thread asks the whole question with rows, counters and scratch of its own; what one proves,
all find in the table (``table``). A thread puts off shots whose sub-tables another is busy with, so
that they part the work without ever being told how. The first to answer ends the others.

A round is one step of ``ExactSearch.run``: all threads begin together, and it is over when one of
them has its answer, has looked at as many rows as allowed, or finds no room. So all that happens
between two steps happens while nothing else runs: the table grows, a checkpoint is saved, progress
is shown, limits are kept. A thread learns that it has to stop as it always does, by its allowance
of rows, which is taken away.

What is proven, and so the value, is the same with any number of threads. Which keys it takes is
not: that depends on who was faster. The first rows of a search, a fraction of a second, are looked
at by one thread alone, so that small games take no more time than with one thread, and the same
keys.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import INTERPRETED
from seabattle.solver.search import work
from seabattle.solver.search.arrays import SearchArrays
from seabattle.solver.search.threads import run_together

LATER_ALONE = 100
"""Part of a step that one thread takes alone of a question, once its rows alone are used up."""

BUSY_PLACES = 1 << 12
"""Places for marks of busy sub-tables: some hundred times what threads are busy with."""

OWN = "counts", "rows", "together", "arena", "children", "child_keys", "key", "groups", "best"
"""Fields of ``SearchArrays`` that each thread needs for itself: what a kernel writes without
``table``. It has counters of its own, too."""

CACHE_LINE = 64
"""Bytes that processors fetch and give away together."""

LEAST_ROOM = 64
"""Keys per thread for which a round is worth while: with less room the table grows."""

SUMMED_UP = work.STATES, work.NODES
"""Counters of the search that the counts of its threads are added to."""


Ask = Callable[[SearchArrays, NDArray[np.int32]], int]


def as_new(field: Any) -> Any:
    """An array of the same shape as another, all 0, or a group of them.

    Each is a cache line away from all others, so that no thread waits for what another writes.
    """
    if isinstance(field, tuple):
        return type(field)(*map(as_new, field))
    apart = CACHE_LINE // field.itemsize
    return np.zeros(field.size + 2 * apart, dtype=field.dtype)[apart:-apart].reshape(field.shape)


class _Searcher:
    """What one thread has for itself: the fields of its own, and its order of the rows."""

    def __init__(self, shared: SearchArrays, ids: NDArray[np.int32]) -> None:
        self.own = {name: as_new(getattr(shared, name)) for name in OWN}
        self.ids = ids.copy()
        self.counters = as_new(shared.counters)
        self.value = work.STOP
        self.left = 0  # of its allowance

    def search(self, ask: Ask, shared: SearchArrays) -> None:
        """Ask the question."""
        arrays = shared._replace(**self.own, counters=self.counters)
        self.value = int(ask(arrays, self.ids))
        self.left = int(self.counters[work.ALLOWANCE])


class Team:
    """The threads of one search.

    Parameters
    ----------
    counters
        Those of the search.
    arrays
        Fetches the arrays that its kernels take.
    rows_alone
        Rows that one thread looks at before others join it.
    """

    def __init__(
        self,
        counters: NDArray[np.int64],
        arrays: Callable[[], SearchArrays],
        rows_alone: int,
    ) -> None:
        self.counters = counters
        self.arrays = arrays
        self.rows_alone = rows_alone

    def step(
        self, ask: Ask, ids: NDArray[np.int32], *, threads: int, rows: int
    ) -> Callable[[], int]:
        """A step of ``ExactSearch.run`` that asks a question, by as many threads as there may be.

        Parameters
        ----------
        ask
            Calls a kernel with the arrays of the search and ``ids``.
        ids
            int32 ``(n_rows,)``: the rows, whose order the kernel changes.
        threads
            How many there may be.
        rows
            Rows of a step.
        """
        if threads == 1 or INTERPRETED:  # what is one instruction of a kernel is several of Python
            return lambda: ask(self.arrays(), ids)
        counters = self.counters
        alone = max(self.rows_alone, rows // LATER_ALONE)
        searchers: list[_Searcher] = []

        def step() -> int:
            nonlocal alone
            if alone > 0:
                allowed = int(counters[work.ALLOWANCE])
                counters[work.ALLOWANCE] = first = min(allowed, alone)
                value = ask(self.arrays(), ids)
                taken = first - max(0, int(counters[work.ALLOWANCE]))
                alone -= taken
                self.rows_alone -= taken
                counters[work.ALLOWANCE] += allowed - first
                if (
                    value != work.STOP
                    or counters[work.STATUS] != work.ALLOWANCE_USED
                    or allowed == first
                ):
                    return value
            if not searchers:
                searchers.extend(_Searcher(self.arrays(), ids) for _ in range(threads))
            value = self._round(ask, searchers)
            if counters[work.STATUS] == work.FULL_ARENA:  # it grows, and so do theirs
                searchers.clear()
            return value

        return step

    def _round(self, ask: Ask, searchers: list[_Searcher]) -> int:
        """One round; what its threads counted is added to the search. Returns as a kernel does."""
        counters = self.counters
        room = max(0, int(counters[work.CAPACITY] - counters[work.STATES])) // len(searchers)
        shared = self.arrays()._replace(busy=np.zeros(BUSY_PLACES, dtype=np.uint64))
        for searcher in searchers:
            searcher.value, searcher.left = work.STOP, 0
            searcher.counters[:] = 0
            searcher.counters[work.ALLOWANCE] = counters[work.ALLOWANCE]
            searcher.counters[work.CAPACITY] = room

        def stop() -> None:
            for searcher in searchers:
                searcher.counters[work.ALLOWANCE] = work.NO_ALLOWANCE

        try:
            run_together(
                [partial(searcher.search, ask, shared) for searcher in searchers],
                lambda: bool(counters[work.ALLOWANCE] < 0),  # taken away by who asked for the step
                stop,
            )
        finally:
            for place in SUMMED_UP:
                counters[place] += sum(int(searcher.counters[place]) for searcher in searchers)
        for searcher in searchers:
            if searcher.value != work.STOP:
                counters[work.SHOT] = searcher.counters[work.SHOT]
                shared.best[:] = searcher.own["best"]
                return searcher.value
        counters[work.ALLOWANCE] = max(searcher.left for searcher in searchers)
        reasons = {int(searcher.counters[work.STATUS]) for searcher in searchers}
        room = counters[work.CAPACITY] - counters[work.STATES]
        least = max(LEAST_ROOM * len(searchers), counters[work.CAPACITY] // 32)
        if work.FULL_ARENA in reasons:
            counters[work.STATUS] = work.FULL_ARENA
        elif work.FULL_TABLE in reasons and room < least:
            counters[work.STATUS] = work.FULL_TABLE
        else:  # what room there is, is shared out anew
            counters[work.STATUS] = work.ALLOWANCE_USED
        return work.STOP
