"""Counting what hits leave: which states there are, and what is found of each.

``solver.search.finds`` says what is counted. The states are listed once. A state is counted from
those after a hit, so they are counted *level* by level: the states of as many cells hit, from the
most cells down. Within a level no state needs another, and threads take them in turn. Each writes
the numbers of its own states alone, so that what is counted is the same with any number of threads.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import INTERPRETED
from seabattle.solver.search import work as w
from seabattle.solver.search.arrays import FIND_PLANES, FOUND, PATHS, CountArrays
from seabattle.solver.search.finds import (
    MISSES_COUNTED,
    finds_for,
    more_states,
    placements_for,
)
from seabattle.solver.search.threads import as_new
from seabattle.solver.search.watching import WATCHED_ROWS, run_watched

if TYPE_CHECKING:
    from seabattle.solver.search.exact_search import ExactSearch

FIRST_STATES = 1 << 11
"""States that there is room for at first. It doubles: memory that is not used takes time, too."""

MOST_STATES = 1 << 17
"""States of one game; where there are more, the bound is used for those that were listed."""

MOST_ROWS_IN_PARTS = 1 << 17
"""In games of more layouts than this the answers to a hit are not told apart: 64 bytes a layout."""

WORK_FOR_A_THREAD = 1_000_000
"""Work that is worth starting a thread for: rows of states, by the paths tried out of each."""

SECONDS_OF_WAITING = 0.0002
"""After which a thread looks again whether the states are counted that it waits for."""

SCRATCH_SHARE = 1 / 16
"""Of the memory limit, for what threads that count need for themselves."""

OWN_FINDS = "after", "parts", "part", "rows", "left", "columns", "tries"
"""Fields of ``Finds`` that each thread needs for itself."""

OWN = "placements", "arena", "counts", "together", "counters"
"""Fields of ``CountArrays`` that each thread needs for itself."""


class StateCount:
    """The states of a search, listed and counted once.

    Parameters
    ----------
    search
        The search whose ``finds`` are filled.

    Attributes
    ----------
    hits
        uint64 ``(states, 2)``: H of each state, and the cells of its sunk ships.
    counted
        Whether all states are.
    """

    def __init__(self, search: ExactSearch) -> None:
        self.search = search
        self.hits = np.zeros((0, 2), dtype=np.uint64)
        self.counted = False
        self.may_grow = True
        self.order: NDArray[np.int64] | None = None  # states, the last level first
        self.before = np.zeros(0, dtype=np.uint64)  # states of the levels before that of each
        self.done = np.zeros(0, dtype=np.uint8)  # 1 where one is counted

    def count_once(self) -> None:
        """List the states and count each, unless that is done; once stopped, it goes on next time.

        Raises
        ------
        LimitReached, Paused, KeyboardInterrupt
            As a query of the search does.
        """
        if self.order is None:
            self._list()
        if not self.counted:
            self._count()

    def make_room(self) -> None:
        """Make room for twice as many states, if there may be more."""
        search = self.search
        have = len(self.hits)
        states = min(2 * have, self._most_states())
        self.may_grow = states > have
        if self.may_grow:
            search.finds = more_states(search.finds, states, symmetries=len(search.moves))
            self.hits = np.concatenate((self.hits, np.zeros((states - have, 2), dtype=np.uint64)))

    def _most_states(self) -> int:
        """States that are worth counting: a layout has so many sets of hits, and memory ends."""
        search = self.search
        problem = search.problem
        sets = len(problem) << min(problem.rules.fleet.cells, 17)
        bytes_of_one = 4 * FIND_PLANES * MISSES_COUNTED + 48 * len(search.moves)
        memory = int(search.limits.memory * 2**30 / 32) // bytes_of_one
        return max(1, min(MOST_STATES, sets, memory))

    def _list(self) -> None:
        # compiled when first imported
        from seabattle.solver.search.kernels.finds import list_states

        search = self.search
        problem = search.problem
        n = len(problem)
        if len(self.hits) == 0:
            first = min(FIRST_STATES, self._most_states())
            search.finds = finds_for(
                n,
                first,
                symmetries=len(search.moves),
                ships=search.game.ships if problem.mode == w.CLOSED_SUNK else None,
                told=n <= MOST_ROWS_IN_PARTS,
            )
            self.hits = np.zeros((first, 2), dtype=np.uint64)
        ids = np.arange(n, dtype=np.int32)
        hit = np.uint64(search.hit)

        def step() -> int:
            return int(list_states(ids, hit, self.hits, search.count_arrays()))

        search.run(lambda: step() if self.may_grow else 0)
        hits = self.hits[: search.finds.size[0], 0].tolist()
        cells = np.array([cells.bit_count() for cells in hits], dtype=np.int64)
        self.order = np.argsort(-cells, kind="stable")
        levels = -cells[self.order]
        self.before = np.searchsorted(levels, levels).astype(np.uint64)
        self.done = np.zeros(len(self.order), dtype=np.uint8)

    def _columns(self) -> NDArray[np.uint64]:
        """The decision table by cells, in bits: the rows that occupy each cell, and all rows."""
        rows = self.search.problem.rows
        bits = np.zeros((65, -(-len(rows) // 64) * 64), dtype=bool)
        for cell in range(64):
            bits[cell, : len(rows)] = rows >> np.uint64(cell) & np.uint64(1)
        bits[64, : len(rows)] = True
        return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)

    def _count(self) -> None:
        """Count every state."""
        # compiled when first imported
        from seabattle.solver.search.kernels.finds import COUNTED, HALTED, WAITING, count_states

        search = self.search
        order = self.order
        assert order is not None
        rows, ships = len(search.problem), search.problem.ships.shape[1]
        search.placements = placements_for(rows, ships)
        columns = self._columns()
        threads = self._threads()
        briefly = threads == 1 and search.least_rows_per_step <= WATCHED_ROWS
        ids = np.zeros((threads, rows), dtype=np.int32)

        def step() -> int:
            shared = np.zeros((3, 8), dtype=np.uint64)
            shared[COUNTED] = self.done.sum()
            arrays = [search.count_arrays()]
            arrays += [_for_a_thread(arrays[0]) for _ in range(threads - 1)]

            def count(own_ids: NDArray[np.int32], own: CountArrays) -> int:
                taken = np.full(1, len(order), dtype=np.uint64)
                given = own_ids, order, self.before, self.hits, columns, self.done, shared, taken
                try:
                    while (outcome := int(count_states(*given, own))) == WAITING:
                        time.sleep(SECONDS_OF_WAITING)
                except BaseException:
                    shared[HALTED] = 1  # others may wait for the state that was taken
                    raise
                return outcome

            steps = [partial(count, *own) for own in zip(ids, arrays, strict=True)]
            if briefly:
                return steps[0]()
            counters = [own.counters for own in arrays]
            for own in counters[1:]:
                own[:] = counters[0]
            outcomes = run_watched(steps, counters, search.limits)
            search.counters[w.ALLOWANCE] = min(own[w.ALLOWANCE] for own in counters)
            if w.STOP not in outcomes:
                return 0
            reasons = {int(own[w.STATUS]) for own in counters}
            search.counters[w.STATUS] = max(reasons & {w.FULL_ARENA, w.ALLOWANCE_USED})
            return w.STOP

        try:
            search.run(step, watched=False)
        finally:
            search.placements = placements_for(0)
        self.counted = True

    def _threads(self) -> int:
        """How many threads are worth while, and have room for their scratch."""
        search = self.search
        if INTERPRETED:
            return 1
        finds = search.finds
        rows = int(finds.found[: finds.size[0], FOUND, -1].sum(dtype=np.int64))
        worth = rows * PATHS // WORK_FOR_A_THREAD
        arrays = search.count_arrays()
        scratch = sum(_bytes(getattr(arrays, name)) for name in OWN)
        scratch += sum(_bytes(getattr(finds, name)) for name in OWN_FINDS)
        room = int(search.limits.memory * 2**30 * SCRATCH_SHARE) // scratch
        return max(1, min(search.limits.threads, worth, room))


def _bytes(field: Any) -> int:
    """Bytes of an array, or of a group of them."""
    return sum(map(_bytes, field)) if isinstance(field, tuple) else int(field.nbytes)


def _for_a_thread(shared: CountArrays) -> CountArrays:
    """The same arrays, but for those that a thread needs for itself."""
    own = {name: as_new(getattr(shared, name)) for name in OWN}
    finds = {name: as_new(getattr(shared.finds, name)) for name in OWN_FINDS}
    return shared._replace(**own, finds=shared.finds._replace(**finds))
