"""A search in the core: the object that one thread asks, in memory that it is handed."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import FULL, STOPPED, aligned_memory, core

FULL_TABLE, ALLOWANCE_USED, FULL_PARTS, FULL_STATES = 1, 2, 3, 4
"""Why a search stopped, in ``counters.status``."""

FIRST_PARTS = 256
"""Parts of sub-tables on the path that there is room for at first."""

FIRST_MEMORY = 1 << 18
"""Bytes of a search that are tried first."""


def new_counters() -> Any:
    """The structure that a search counts in, all 0."""
    names = "states", "nodes", "capacity", "allowance", "status", "shot", "worst"
    return core().structure("counters", dict.fromkeys(names, 0))


def as_array(counters: Any) -> NDArray[np.int64]:
    """The counters as an array in the same memory, in their order."""
    return np.frombuffer(counters, dtype=np.int64)


class Searcher:
    """One search of a game in the core: its scratch, its counters, its order of the rows.

    Several of them answer one question together, each asked by a thread of its own, as they share
    the table that is part of the question.

    Parameters
    ----------
    game
        The fields of ``seabattle_search_game`` but for ``parts``.
    counters
        Where it counts.

    Attributes
    ----------
    counters
        What it has counted.
    stop
        int32 ``(1,)``: not 0 once it is to end.
    best
        uint64 ``(2,)``: mask of all best shots, where they were sought.
    """

    def __init__(self, game: Mapping[str, Any], counters: Any | None = None) -> None:
        self.counters = new_counters() if counters is None else counters
        self.stop = np.zeros(1, dtype=np.int32)
        self.best = np.zeros(2, dtype=np.uint64)
        self._game, self._parts, self._size = game, FIRST_PARTS, FIRST_MEMORY
        self._scratch = aligned_memory(0)
        self._make()

    def _make(self) -> None:
        made = core().structure("search_game", {**self._game, "parts": self._parts})
        while True:
            self._memory = aligned_memory(self._size)
            if core().search_make(made, self._memory) != FULL:
                break
            self._size *= 2
        self._made = made  # the search looks at its arrays

    def more_parts(self) -> None:
        """Make room for more parts; what was proven is in the table."""
        self._parts *= 4
        self._make()

    def _question(self, question: Mapping[str, Any]) -> ctypes.Structure:
        return core().structure("question", {**question, "stop": self.stop})

    def ask(self, rows: NDArray[np.int32], question: Mapping[str, Any]) -> int:
        """Least misses of some rows, or ``STOPPED``; the worst case is then in the counters."""
        made = self._question(question)
        return int(core().search_ask(self._memory, rows, made, self.counters, self.best))

    def tell(
        self, rows: NDArray[np.int32], question: Mapping[str, Any], misses: int, worst: int
    ) -> bool:
        """Enter a value that is known; whether there was room."""
        made = self._question(question)
        told = core().search_tell(self._memory, rows, made, self.counters, misses, worst)
        return bool(told != STOPPED)

    def count_states(self, rows: NDArray[np.int32], question: Mapping[str, Any]) -> int:
        """Count what hits leave of some rows: 0, or ``STOPPED``."""
        made = self._question(question)
        while True:
            counted = core().search_count_states(
                self._memory, rows, made, self.counters, self._scratch
            )
            if counted != FULL:
                return int(counted)
            self._scratch = aligned_memory(max(1 << 16, 2 * self._scratch.size))
