"""A search in the core: the object that one thread asks, in memory that it is handed."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any, NamedTuple

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


class PartOfRows(NamedTuple):
    """Some rows that answer a shot alike, once certain hits are shot where they come first."""

    shot: int  # its cell, -1 before any
    rows: NDArray[np.int32]
    certain: int  # mask of the cells that all of them occupy
    occupied: int  # and of those that some do
    hit: int  # cells hit so far
    key: bytes
    symmetry: int  # that gives the key


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
    memory
        The object of the core, which what builds on it is given.
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
            self.memory = aligned_memory(self._size)
            if core().search_make(made, self.memory) != FULL:
                break
            self._size *= 2
        self._made = made  # the search looks at its arrays

    def more_parts(self) -> None:
        """Make room for more parts; what was proven is in the table."""
        self._parts *= 4
        self._make()

    def question(self, asked: Mapping[str, Any]) -> ctypes.Structure:
        """A question as the core takes it, from its fields but for ``stop``."""
        return core().structure("question", {**asked, "stop": self.stop})

    def ask(self, rows: NDArray[np.int32], question: Mapping[str, Any]) -> int:
        """Least misses of some rows, or ``STOPPED``; the worst case is then in the counters."""
        made = self.question(question)
        return int(core().search_ask(self.memory, rows, made, self.counters, self.best))

    def tell(
        self, rows: NDArray[np.int32], question: Mapping[str, Any], misses: int, worst: int
    ) -> bool:
        """Enter a value that is known; whether there was room."""
        made = self.question(question)
        told = core().search_tell(self.memory, rows, made, self.counters, misses, worst)
        return bool(told != STOPPED)

    def parts(
        self, rows: NDArray[np.int32], question: Mapping[str, Any], cells: list[int]
    ) -> list[PartOfRows] | None:
        """The parts of some rows after each of some shots that hit, or with cell -1 before any.

        Parts whose rows all occupy the same cells are left out. None where there is no room.
        """
        made, shots = self.question(question), np.array(cells, dtype=np.int32)
        words, key_words = self._game["words"], self._game["key_words"]
        room = FIRST_PARTS
        while True:
            found: dict[str, Any] = {
                "members": np.empty(room * len(rows), dtype=np.int32),
                "ends": np.empty(room, dtype=np.int64),
                "shots": np.empty(room, dtype=np.int32),
                "masks": np.empty(room * 3 * words, dtype=np.uint64),
                "keys": np.empty(room * key_words, dtype=np.uint64),
                "symmetries": np.empty(room, dtype=np.int64),
            }
            parts = core().structure("parts", found)
            count = core().block_parts(self.memory, rows, made, self.counters, shots, parts)
            if count != FULL:
                break
            room *= 4
        if count == STOPPED:
            return None
        firsts = [0, *found["ends"][:count].tolist()]
        shots_of, symmetries = found["shots"].tolist(), found["symmetries"].tolist()
        masks = found["masks"].reshape(room, 3, words)
        keys = found["keys"].reshape(room, key_words)
        parts_found = []
        for p in range(count):
            rows_of_part = found["members"][firsts[p] : firsts[p + 1]]
            certain, occupied, hit = (int.from_bytes(mask.tobytes(), "little") for mask in masks[p])
            parts_found.append(
                PartOfRows(
                    shots_of[p], rows_of_part, certain, occupied, hit, keys[p].tobytes(),
                    symmetries[p],
                )
            )  # fmt: skip
        return parts_found

    def rollout_misses(
        self,
        rows: NDArray[np.int32],
        question: Mapping[str, Any],
        levels: NDArray[np.int64],
        level: int,
    ) -> int:
        """Misses of a rollout's policy in some rows, or ``STOPPED``."""
        made = self.question(question)
        levels = levels.ravel()
        return int(core().rollout_misses(self.memory, rows, made, self.counters, levels, level))

    def rollout_shot(
        self,
        rows: NDArray[np.int32],
        question: Mapping[str, Any],
        levels: NDArray[np.int64],
        level: int,
    ) -> int:
        """Find a shot at some rows: in the counters, or -1 there where it is in the table.

        Returns 0, or ``STOPPED``.
        """
        made = self.question(question)
        levels = levels.ravel()
        return int(core().rollout_shot(self.memory, rows, made, self.counters, levels, level))

    def count_states(self, rows: NDArray[np.int32], question: Mapping[str, Any]) -> int:
        """Count what hits leave of some rows: 0, or ``STOPPED``."""
        made = self.question(question)
        while True:
            counted = core().search_count_states(
                self.memory, rows, made, self.counters, self._scratch
            )
            if counted != FULL:
                return int(counted)
            self._scratch = aligned_memory(max(1 << 16, 2 * self._scratch.size))
