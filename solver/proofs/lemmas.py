"""The lemmas that prove a lower bound, found by the core with the table of a search.

``lemmas.hpp`` tells how the walk goes. It asks the search where the table does not know enough, so
that it may take a while; it takes no thread but one, and keeps the limits of the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import core
from seabattle.solver.search.exact_search import ExactSearch, Searcher
from seabattle.solver.search.queries import Goal, LimitReached, core_limit

FIRST_ROOM = 1 << 12
"""Lemmas that there is room for at first, a power of 2."""

SLOTS = 2
"""Slots for each lemma that there is room for."""


@dataclass(frozen=True)
class Lemmas:
    """Sub-tables of a search, and the misses that each takes at least.

    Attributes
    ----------
    masks
        uint64 ``(n, 2, words)``: H, the cells that all rows of a sub-table occupy, and U, those
        that some do.
    bounds
        int64 ``(n,)``: the misses.
    rows
        int32 ``(n,)``: a row of each.
    """

    masks: NDArray[np.uint64]
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
    words = problem.words
    rows = np.arange(len(problem), dtype=np.int32)
    search.stage = "proof"
    arrays: dict[str, NDArray[Any]] = {
        "keys": np.zeros((0, problem.key_words), dtype=np.uint64),
        "masks": np.zeros((0, 2, words), dtype=np.uint64),
        "bounds": np.zeros(0, dtype=np.int64),
        "rows": np.zeros(0, dtype=np.int32),
        "next": np.zeros(0, dtype=np.int32),
    }
    of_size = np.zeros(len(problem) + 1, dtype=np.int32)
    one = 8 * (problem.key_words + 2 * words + 1) + 4 + 4 + 4 * SLOTS  # bytes

    made: Any = None

    def make_room() -> None:
        """Make room for twice as many lemmas as were found so far."""
        nonlocal made
        count = len(arrays["bounds"])
        room = max(FIRST_ROOM, 2 * count)
        search.reserved = (count + room) * one  # the old arrays stay while they are copied
        if search.reserved + search.table.nbytes > search.limits.memory * 2**30:
            raise LimitReached(f"the memory limit was reached: {room:,} lemmas do not fit")
        for name, old in arrays.items():
            arrays[name] = np.zeros((room, *old.shape[1:]), dtype=old.dtype)
            arrays[name][:count] = old
        slots = np.zeros(SLOTS * room, dtype=np.int32)
        more = {"of_size": of_size, "slots": slots, "count": count, "placed": 0}
        made = core().structure("lemmas", {**arrays, **more})

    make_room()

    def step(searcher: Searcher) -> int:
        question = search.question(goal, core_limit(goal, None), budget=claim)
        found = searcher.ask(core().prove, rows, question, made)
        left = int(np.max(np.nonzero(of_size)[0], initial=0))
        search.stage = f"proof, {made.count:,} lemmas, those of {left:,} layouts are next"
        return found

    search.run(step, make_room)
    search.reserved = 0
    count = made.count
    return Lemmas(arrays["masks"][:count], arrays["bounds"][:count], arrays["rows"][:count])
