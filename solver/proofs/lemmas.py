"""The lemmas that prove a lower bound, found by the core with the table of a search.

``lemmas.hpp`` tells how the walk goes. It asks the search where the table does not know enough, so
that it may take a while; it takes no thread but one, and keeps the limits of the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import FULL, core
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import LimitReached
from seabattle.solver.search.queries import Goal, core_limit

FIRST_ROOM = 1 << 12
"""Lemmas that there is room for at first, a power of 2."""


@dataclass(frozen=True)
class Lemmas:
    """Sub-tables of a search, and the misses that each takes at least.

    Attributes
    ----------
    certain, occupied
        uint64 ``(n, words)``: H, the cells that all rows of a sub-table occupy, and U, those that
        some do.
    bounds
        int64 ``(n,)``: the misses.
    rows
        int32 ``(n,)``: a row of each.
    """

    certain: NDArray[np.uint64]
    occupied: NDArray[np.uint64]
    bounds: NDArray[np.int64]
    rows: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.bounds)


def find_lemmas(search: ExactSearch, goal: Goal, claim: int) -> Lemmas:
    """Lemmas by which the whole problem of a search takes so many misses at least.

    Parameters
    ----------
    search
        The search, of any mode but ``OPEN_SUNK``; what it knows shortens the walk.
    goal
        ``TOTAL`` or ``WORST``.
    claim
        A lower bound, which has to be true.

    Raises
    ------
    LimitReached
        At a limit of time or memory.
    """
    problem = search.problem
    words = problem.places // 64
    rows = np.arange(len(problem), dtype=np.int32)
    searcher = search.searcher
    search.stage = "proof"
    made: Any = None

    def make(room: int) -> Any:
        each = 8 * (problem.key_words + 2 * words + 1 + 1 + 4) + 4
        search.reserved = room * each
        if search.reserved + search.table.nbytes > search.limits.memory * 2**30:
            raise LimitReached(f"the memory limit was reached: {room:,} lemmas do not fit")
        return core().structure("lemmas", {
            "keys": np.zeros(room * problem.key_words, dtype=np.uint64),
            "masks": np.zeros((room, 2, words), dtype=np.uint64),
            "bounds": np.zeros(room, dtype=np.int64),
            "rows": np.zeros(room, dtype=np.int32),
            "next": np.zeros(room, dtype=np.int64),
            "of_size": np.zeros(len(problem) + 1, dtype=np.int64),
            "slots": np.zeros(4 * room, dtype=np.int64),
            "count": 0,
        })  # fmt: skip

    def step() -> int:
        nonlocal made
        while True:
            question = searcher.question(search.question(goal, core_limit(goal, None), claim))
            found = core().prove(searcher.memory, rows, question, searcher.counters, made)
            if found != FULL:
                return int(found)
            made = make(4 * len(made.kept["bounds"]))

    made = make(FIRST_ROOM)
    search.run_alone(step)
    search.reserved = 0
    count, kept = made.count, made.kept
    certain, occupied = np.moveaxis(kept["masks"][:count], 1, 0)
    return Lemmas(certain, occupied, kept["bounds"][:count], kept["rows"][:count])
