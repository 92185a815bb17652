"""Several threads that search one problem together: the same question, one table.

Every thread asks the whole question with rows, counters and scratch of its own; what one proves,
all find in the table (``table.hpp``). A thread puts off shots whose sub-tables another is busy
with, so that they part the work without ever being told how. The first to answer ends the others.

A round is one step of ``ExactSearch.run``: all threads begin together, and it is over when one of
them has its answer, has looked at as many rows as allowed, or finds no room. So all that happens
between two steps happens while nothing else runs: the table grows, a checkpoint is saved, progress
is shown, limits are kept. A thread that has to stop at once finds that in ``stop``.

What is proven, and so the value, is the same with any number of threads. Which keys it takes is
not: that depends on who was faster. The first rows of a search, a fraction of a second, are looked
at by one thread alone, so that small games take no more time than with one thread, and the same
keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import STOPPED
from seabattle.solver.search.searcher import ALLOWANCE_USED, FULL_PARTS, FULL_TABLE, Searcher
from seabattle.solver.search.threads import run_together

LATER_ALONE = 100
"""Part of a step that one thread takes alone of a question, once its rows alone are used up."""

BUSY_PLACES = 1 << 12
"""Places for marks of busy sub-tables: some hundred times what threads are busy with."""

LEAST_ROOM = 64
"""Keys per thread for which a round is worth while: with less room the table grows."""

WATCHED_ROWS = 1_000_000
"""Steps that may look at more rows than this are watched, as they may take a tenth of a second."""


class Team:
    """The threads of one search.

    Parameters
    ----------
    game
        The fields of ``seabattle_search_game``, of which each thread makes a search of its own.
    first
        The search of the thread that works alone, whose counters are those of all.
    rows_alone
        Rows that one thread looks at before others join it.
    """

    def __init__(self, game: Mapping[str, Any], first: Searcher, rows_alone: int) -> None:
        self.game = game
        self.first = first
        self.rows_alone = rows_alone
        self._others: list[Searcher] = []

    def more_parts(self) -> None:
        """Make room for more parts, in every thread."""
        for searcher in (self.first, *self._others):
            searcher.more_parts()

    def step(
        self,
        rows: NDArray[np.int32],
        question: Callable[[], Mapping[str, Any]],
        *,
        threads: int,
        step_rows: int,
        over: Callable[[], bool],
    ) -> Callable[[], int]:
        """A step of ``ExactSearch.run`` that asks a question, by as many threads as there may be.

        Parameters
        ----------
        rows
            Numbers of the rows.
        question
            Makes it, with the table as it is then.
        threads
            How many there may be.
        step_rows
            Rows of a step.
        over
            Asked a few times a second whether to stop.
        """
        alone = max(self.rows_alone, step_rows // LATER_ALONE)

        def step() -> int:
            nonlocal alone
            counters = self.first.counters
            if threads == 1:
                return self._by_one(rows, question(), over)
            if alone > 0:
                allowed = counters.allowance
                counters.allowance = first = min(allowed, alone)
                value = self._by_one(rows, question(), over)
                taken = first - max(0, counters.allowance)
                alone -= taken
                self.rows_alone -= taken
                counters.allowance += allowed - first
                ended = value != STOPPED or counters.status != ALLOWANCE_USED
                if ended or allowed == first or self.first.stop[0]:
                    return value
            while len(self._others) < threads:
                self._others.append(Searcher(self.game))
            return self._round(rows, question(), self._others[:threads], over)

        return step

    def _by_one(
        self, rows: NDArray[np.int32], question: Mapping[str, Any], over: Callable[[], bool]
    ) -> int:
        self.first.stop[0] = 0
        if self.first.counters.allowance <= WATCHED_ROWS:
            return self.first.ask(rows, question)
        values = []
        run_together(
            [lambda: values.append(self.first.ask(rows, question))],
            over,
            partial(_stop, [self.first]),
        )
        return values[0]

    def _round(
        self,
        rows: NDArray[np.int32],
        question: Mapping[str, Any],
        searchers: list[Searcher],
        over: Callable[[], bool],
    ) -> int:
        """One round; what its threads counted is added to the search. Returns as ``ask`` does."""
        counters = self.first.counters
        room = max(0, counters.capacity - counters.states) // len(searchers)
        shared = {**question, "busy": np.zeros(BUSY_PLACES, dtype=np.uint64)}
        values = dict.fromkeys(range(len(searchers)), STOPPED)

        def ask(number: int) -> None:
            values[number] = searchers[number].ask(rows, shared)

        for searcher in searchers:
            own = searcher.counters
            own.states = own.nodes = own.status = 0
            own.allowance, own.capacity = counters.allowance, room
            searcher.stop[0] = 0
        try:
            run_together(
                [partial(ask, number) for number in range(len(searchers))],
                over,
                partial(_stop, searchers),
            )
        finally:
            for searcher in searchers:
                counters.states += searcher.counters.states
                counters.nodes += searcher.counters.nodes
        for number, searcher in enumerate(searchers):
            if values[number] != STOPPED:
                counters.shot, counters.worst = searcher.counters.shot, searcher.counters.worst
                self.first.best[:] = searcher.best
                return values[number]
        counters.allowance = max(searcher.counters.allowance for searcher in searchers)
        reasons = {searcher.counters.status for searcher in searchers}
        left = counters.capacity - counters.states
        least = max(LEAST_ROOM * len(searchers), counters.capacity // 32)
        if FULL_PARTS in reasons:
            counters.status = FULL_PARTS
        elif FULL_TABLE in reasons and left < least:
            counters.status = FULL_TABLE
        else:  # what room there is, is shared out anew
            counters.status = ALLOWANCE_USED
        return STOPPED


def _stop(searchers: list[Searcher]) -> None:
    for searcher in searchers:
        searcher.stop[0] = 1
