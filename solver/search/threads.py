"""The core asked: by one thread, or by several that search one problem together.

Several ask the same question and share one table. Every thread has rows, counters and scratch of
its own; what one proves, all find in the table (``table.hpp``). A thread puts off shots whose
sub-tables another is busy with, so that they part the work without ever being told how. The first
to answer ends the others.

A round is one step of ``ExactSearch.run``: all threads begin together, and it is over when one of
them has its answer, has looked at as many rows as allowed, or finds no room. So all that happens
between two steps happens while nothing else runs: the table grows, a checkpoint is saved, progress
is shown, limits are kept. What is proven, and so the value, is the same with any number of threads.
Which keys it takes is not: that depends on who was faster.

The core stops by itself after an allowance of work, which in games of many layouts takes seconds.
So it works in threads of its own then (``solver.threads``), which are told to stop.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import STOPPED, core, memory_for
from seabattle.solver.threads import run_together

FULL_TABLE, ALLOWANCE_USED, FULL_PARTS, FULL_STATES = 1, 2, 3, 4
"""Why a search stopped, in ``counters.status``."""

FIRST_PARTS = 256
"""Parts of sub-tables on the path that there is room for at first."""

BUSY_PLACES = 1 << 12
"""Places for marks of busy sub-tables: some hundred times what threads are busy with."""

LEAST_ROOM = 64
"""Keys per thread for which a round is worth while: with less room the table grows."""

WATCHED_ROWS = 1_000_000
"""Steps that may look at more rows than this are watched, as they may take a tenth of a second."""


class Searcher:
    """One search of a game in the core: its scratch, its counters, its order of the rows.

    Parameters
    ----------
    game
        The fields of ``seabattle_search_game`` but for ``parts``.

    Attributes
    ----------
    counters
        What it has counted.
    stop
        int32 ``(1,)``: not 0 once it is to end.
    busy
        Marks that the searches of a round share, or None.
    best
        uint64 ``(2,)``: mask of all best shots, where they were sought.
    memory
        The object of the core, which what builds on it is given.
    """

    def __init__(self, game: Mapping[str, Any]) -> None:
        names = "states", "nodes", "capacity", "allowance", "status", "shot", "worst"
        self.counters = core().structure("counters", dict.fromkeys(names, 0))
        self.stop = np.zeros(1, dtype=np.int32)
        self.busy: NDArray[np.uint64] | None = None
        self.best = np.zeros(2, dtype=np.uint64)
        self._game, self._parts = game, FIRST_PARTS
        self._make()

    def _make(self) -> None:
        made = core().structure("search_game", {**self._game, "parts": self._parts})
        self.memory = memory_for(lambda memory: core().search_make(made, memory))
        self._made = made  # the search looks at its arrays

    def more_parts(self) -> None:
        """Make room for more parts; what was proven is in the table."""
        self._parts *= 4
        self._make()

    def question(self, asked: Mapping[str, Any]) -> ctypes.Structure:
        """A question as the core takes it, from its fields but for ``stop`` and ``busy``."""
        return core().structure("question", {**asked, "stop": self.stop, "busy": self.busy})

    def ask(
        self,
        function: Callable[..., Any],
        subject: NDArray[Any],
        question: Mapping[str, Any],
        *more: Any,
    ) -> int:
        """What a function of the core answers, or ``STOPPED``.

        Parameters
        ----------
        function
            One that takes a search, its subject, a question, counters, and more.
        subject
            Mostly int32 ``(n,)``: the rows that are asked about.
        question
            See ``question``.
        more
            What else it takes.
        """
        return int(function(self.memory, subject, self.question(question), self.counters, *more))


Work = Callable[[Searcher], int]
"""Works with a search for as long as its allowance lasts; negative where it is not done."""


def ask_alone(searcher: Searcher, work: Work, over: Callable[[], bool]) -> int:
    """What one search answers; where that may take long it is stopped when a limit comes.

    Parameters
    ----------
    searcher, work
        The search, with its allowance, and what it does.
    over
        Asked a few times a second whether to stop.
    """
    searcher.stop[0] = 0
    if searcher.counters.allowance <= WATCHED_ROWS:
        return work(searcher)
    values: list[int] = []
    run_together([lambda: values.append(work(searcher))], over, partial(_stop, [searcher]))
    return values[0]


def ask_together(
    first: Searcher, others: Sequence[Searcher], work: Work, over: Callable[[], bool]
) -> int:
    """One round of some searches; what they count is added to the first, which does nothing else.

    Parameters
    ----------
    first
        Its counters say how many rows each may look at, and what room the table has.
    others, work
        The searches, and what each does.
    over
        Asked a few times a second whether to stop.
    """
    counters = first.counters
    room = max(0, counters.capacity - counters.states) // len(others)
    busy = np.zeros(BUSY_PLACES, dtype=np.uint64)
    values = [STOPPED] * len(others)

    def ask(number: int) -> None:
        values[number] = work(others[number])

    for searcher in others:
        own = searcher.counters
        own.states = own.nodes = own.status = 0
        own.allowance, own.capacity = counters.allowance, room
        searcher.stop[0], searcher.busy = 0, busy
    try:
        run_together(
            [partial(ask, number) for number in range(len(others))], over, partial(_stop, others)
        )
    finally:
        for searcher in others:
            counters.states += searcher.counters.states
            counters.nodes += searcher.counters.nodes
    for searcher, value in zip(others, values, strict=True):
        if value != STOPPED:
            counters.shot, counters.worst = searcher.counters.shot, searcher.counters.worst
            first.best[:] = searcher.best
            return value
    counters.allowance = max(searcher.counters.allowance for searcher in others)
    reasons = {searcher.counters.status for searcher in others}
    least = max(LEAST_ROOM * len(others), counters.capacity // 32)
    if FULL_PARTS in reasons:
        counters.status = FULL_PARTS
    elif FULL_TABLE in reasons and counters.capacity - counters.states < least:
        counters.status = FULL_TABLE
    else:  # what room there is, is shared out anew
        counters.status = ALLOWANCE_USED
    return STOPPED


def _stop(searchers: Sequence[Searcher]) -> None:
    for searcher in searchers:
        searcher.stop[0] = 1
