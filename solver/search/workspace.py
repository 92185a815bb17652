"""Table, counters and scratch arrays of a search, and the loop that runs its kernels.

Kernels stop when an array is full or an allowance is used up; what is proven is in the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.memory import require_addresses
from seabattle.solver.search import work as w
from seabattle.solver.search.arrays import COUNT_PLANES
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Value
from seabattle.solver.search.table import CLAIMED, EMPTY, KEY, PACKED, rehash
from seabattle.solver.search.threads import run_together

FIRST_CAPACITY = 1 << 14
"""Slots of a table at the start."""


WATCHED_ROWS = 2_000_000
"""Steps that have to look at more rows than this may take a second and more, and are watched."""


class Paused(Exception):  # noqa: N818 (no error: the search goes on)
    """The search has looked at as many rows as it was asked to; what it proved is kept."""


class Workspace:
    """Table, counters and scratch arrays of a running search or sweep.

    Parameters
    ----------
    problem
        The rows.
    orbits
        Whether symmetric sub-tables share a key.
    limits
        When to stop.
    first_capacity
        Slots of the table at the start, a power of 2.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        orbits: bool = True,
        limits: Limits | None = None,
        first_capacity: int | None = None,
    ) -> None:
        self.problem = problem
        self.limits = limits or Limits()
        self.key_shares, self.moves = problem.symmetry_arrays(orbits=orbits)
        self.counters = np.zeros(w.COUNTERS, dtype=np.int64)
        levels = problem.cells + 3
        self.counts = np.zeros((levels, COUNT_PLANES, problem.places), dtype=np.int64)
        self.table = self._empty_table(first_capacity or FIRST_CAPACITY)
        self.reserved = 0  # bytes that others hold on its behalf
        self.started = time.monotonic()
        self.least_rows_per_step = 16 * len(problem)
        self.rows_per_step = max(self.limits.rows_per_step, self.least_rows_per_step)
        self.rows_left: int | None = None
        self.stage = ""
        self.interval: tuple[int, int] | None = None
        self.checkpoint: Checkpoint | None = None

    def _empty_table(self, capacity: int) -> NDArray[np.uint64]:
        self.counters[w.CAPACITY] = capacity * 3 // 4
        return np.full((capacity, self.table_width), EMPTY, dtype=np.uint64)

    @property
    def table_width(self) -> int:
        """Words of a table row: the packed value and the key."""
        return KEY + self.problem.key_words

    def make_room(self) -> None:
        """Enlarge any other array that a kernel reported as full."""
        raise NotImplementedError

    @property
    def states(self) -> int:
        """Distinct keys stored."""
        return int(self.counters[w.STATES])

    @property
    def nodes(self) -> int:
        """Sub-tables expanded: their columns counted and their shots weighed."""
        return int(self.counters[w.NODES])

    def snapshot(self, stage: str) -> Snapshot:
        """The state of the search, for a progress display."""
        known = time.monotonic() - self.started, self.states, self.nodes, stage
        lower, upper = self.interval or (None, None)
        return Snapshot(*known, lower, upper)

    def enlarge(self) -> None:
        """Double the table.

        Raises
        ------
        LimitReached
            If the larger table would not fit in the memory limit.
        """
        needed = 3 * self.table.nbytes  # the old and the new one, while entries move
        needed += self.reserved
        if needed > self.limits.memory * 2**30:
            raise LimitReached(
                f"the search has stored {self.states} keys and would need "
                f"{needed / 2**30:.2g} GiB to go on; the memory limit is "
                f"{self.limits.memory:g} GiB"
            )
        try:
            require_addresses(2 * self.table.nbytes)
            larger = self._empty_table(2 * len(self.table))
        except MemoryError:
            self.counters[w.CAPACITY] = len(self.table) * 3 // 4
            raise LimitReached(
                f"the search has stored {self.states} keys, and this machine has no memory for more"
            ) from None
        rehash(self.table, larger)
        self.table = larger

    def release(self) -> None:
        """Give the memory of the table back, when nothing more will be asked."""
        self.table = self.table[:0].copy()

    def save(self) -> None:
        """Write what is proven to the checkpoint, if there is one."""
        if self.checkpoint is not None:
            held = self.table[:, PACKED] < CLAIMED
            self.checkpoint.save(self.table[held])

    def resume(self, checkpoint: Checkpoint) -> int:
        """Load a checkpoint, as ``Checkpoint.load``, and write to it from now on: keys loaded."""
        entries = checkpoint.load(self.table_width)
        self.checkpoint = checkpoint
        if entries is None:
            return 0
        capacity = len(self.table)
        while capacity * 3 // 4 <= len(entries):
            capacity *= 2
        needed = capacity * entries.strides[0] + entries.nbytes  # while entries move
        if needed > self.limits.memory * 2**30:
            raise LimitReached(
                f"the checkpoint {checkpoint.path} holds {len(entries)} keys, and to go on from "
                f"there takes {needed / 2**30:.2g} GiB; the memory limit leaves "
                f"{self.limits.memory:.2g} GiB"
            )
        larger = self._empty_table(capacity)
        self.table = entries
        rehash(self.table, larger)
        self.table = larger
        self.counters[w.STATES] = len(entries)
        return len(entries)

    def briefly(self, ask: Callable[[], Value], *, rows: int = 0) -> Value | None:
        """Outcome of a query if it takes one step at most (of so many rows), else None."""
        limits, self.limits = self.limits, Limits(stop=lambda: True, memory=self.limits.memory)
        checkpoint, self.checkpoint = self.checkpoint, None
        before, self.rows_per_step = self.rows_per_step, rows or 4 * len(self.problem) + 100_000
        try:
            return ask()
        except (KeyboardInterrupt, LimitReached):
            return None
        finally:
            self.limits, self.checkpoint, self.rows_per_step = limits, checkpoint, before

    def _outcome(self, step: Callable[[], int]) -> int:
        """What a step returns; one that may run long is stopped when a limit comes."""
        if not self.rows_per_step >= self.least_rows_per_step > WATCHED_ROWS:
            return int(step())
        outcome: list[int] = []

        def stop() -> None:
            self.counters[w.ALLOWANCE] = w.NO_ALLOWANCE

        run_together([lambda: outcome.append(int(step()))], self.limits.over, stop)
        return outcome[0]

    def look(self, stage: str) -> None:
        """Report a stage, and stop if asked to."""
        if self.limits.report is not None:
            self.limits.report(self.snapshot(stage))
        if self.limits.stop is not None and self.limits.stop():
            raise KeyboardInterrupt

    def run(self, step: Callable[[], int]) -> int:
        """Call a kernel until it is done, growing the table and reporting in between.

        Parameters
        ----------
        step
            Calls the kernel.

        Raises
        ------
        LimitReached
            At a limit of time or memory.
        Paused
            When ``rows_left`` rows were looked at, where that is a number.
        """
        while True:
            left = self.rows_per_step if self.rows_left is None else self.rows_left
            allowed = min(self.rows_per_step, max(left, self.least_rows_per_step))
            self.counters[w.ALLOWANCE] = allowed
            self.counters[w.STATUS] = 0
            value = self._outcome(step)
            if self.rows_left is not None:
                self.rows_left -= allowed - max(0, int(self.counters[w.ALLOWANCE]))
            if value != w.STOP:
                return value
            if self.counters[w.STATUS] == w.FULL_TABLE:
                self.enlarge()
            elif self.counters[w.STATUS] != w.ALLOWANCE_USED:
                self.make_room()
            if self.checkpoint is not None and self.checkpoint.due():
                self.save()
            self.look(self.stage)
            if self.limits.seconds_left() < 0:
                raise LimitReached(f"the time limit was reached with {self.states} keys stored")
            if self.rows_left is not None and self.rows_left <= 0:
                raise Paused
