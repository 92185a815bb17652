"""Coverage: how many layouts a tree can find with few misses once some cells are hit.

What is counted, how, and why it bounds every tree stands in ``coverage.hpp``, which counts it. Here
is the room that it takes, and what sinkings tell where ships may touch.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import core
from seabattle.solver.search.table import EMPTY

MOST_SHIPS = 4
"""With more ships words are near the truth, and the states are many: nothing is counted."""

MISSES_COUNTED = 32
"""Of more misses than this nothing is counted."""

FOUND_PLANES = 2
"""Layouts found with so many misses, and of those that one shot hits."""

FIRST_STATES = 1 << 11
"""States that there is room for at first. It doubles: memory that is not used takes time, too."""

MOST_STATES = 1 << 17
"""States of one game; where there are more, the bound is used for those that were counted."""


MOST_COUNTED_SHIPS = 12
"""With more ships than this the sinkings still to come are not counted."""


@lru_cache(maxsize=16)
def sinking_patterns(lengths: tuple[int, ...]) -> NDArray[np.int64]:
    """Ways to place the sinkings still to come among the hits still to come.

    Parameters
    ----------
    lengths
        Ship lengths, longest first.

    Returns
    -------
    patterns
        int64 ``(2^n_ships, fleet cells + 1)``: for every set of ships not sunk (bit d is ship d)
        and every number g of their cells that are hit already, an upper bound on the number of
        sequences of the h = sum of lengths - g hits to come. The last one sinks, and before the
        i-th sinking at least i hits, and at least the i shortest lengths less g, are needed. 0
        (nothing is counted) with more than 12 ships.

    Examples
    --------
    >>> sinking_patterns((2, 1))[0b11, :2].tolist()  # x X X, X x X: the second hit may sink or not
    [2, 1]
    """
    if len(lengths) > MOST_COUNTED_SHIPS:
        return np.zeros((1, 1), dtype=np.int64)
    cells = sum(lengths)
    patterns = np.zeros((1 << len(lengths), cells + 1), dtype=np.int64)
    for afloat in range(1, 1 << len(lengths)):
        left = sorted(length for d, length in enumerate(lengths) if afloat >> d & 1)
        for g in range(sum(left) - len(left) + 1):
            hits = sum(left) - g
            least = [max(i, sum(left[:i]) - g) for i in range(1, len(left) + 1)]
            ways = {0: 1}  # sinkings so far -> sequences
            for position in range(1, hits + 1):
                following: dict[int, int] = {}
                for sunk, count in ways.items():
                    if position < hits:
                        following[sunk] = following.get(sunk, 0) + count
                    if sunk < len(left) and position >= least[sunk]:
                        following[sunk + 1] = following.get(sunk + 1, 0) + count
                ways = following
            patterns[afloat, g] = min(max(1, ways.get(len(left), 0)), 1 << 40)
    return patterns


def open_patterns(lengths: tuple[int, ...], *, announced: bool, alike: int) -> NDArray[np.int64]:
    """Layouts that share their misses, at most, where ships may touch and sinkings are announced.

    After a leaf the rest of the fleet is sunk in reading order. Every ship cell that is left is
    then one letter, *hit* or *sunk*, in the order in which they were shot, and the last one is
    *sunk*. With h cells and f ships left there are C(h - 1, f - 1) ways to place the sinkings, and
    where lengths are announced as many times more as there are orders of the lengths. Layouts of
    the same word have the same leaf, hence the same cells: there are no more than ``alike``.

    Parameters
    ----------
    lengths
        Ship lengths.
    announced
        Whether a sinking tells the length.
    alike
        Most layouts of the game that occupy the same cells.

    Returns
    -------
    patterns
        int64 ``(2^n_ships, fleet cells + 1)``, at most 2^40: by the set of ships left (the answers
        tell how many, and which lengths where they are announced) and the number of their cells
        that are hit. 0 (nothing is counted) with more than 12 ships.

    Examples
    --------
    >>> open_patterns((2, 1), announced=True, alike=1)[0b11].tolist()  # three cells left: 2 x 2
    [4, 2, 0, 0]
    """
    if len(lengths) > MOST_COUNTED_SHIPS:
        return np.zeros((1, 1), dtype=np.int64)
    patterns = np.zeros((1 << len(lengths), sum(lengths) + 1), dtype=np.int64)
    for afloat in range(1, 1 << len(lengths)):
        left = [length for d, length in enumerate(lengths) if afloat >> d & 1]
        repeats = prod(factorial(left.count(length)) for length in set(left))
        orders = factorial(len(left)) // repeats if announced else 1
        for hit in range(sum(left) - len(left) + 1):
            ways = comb(sum(left) - hit - 1, len(left) - 1)
            patterns[afloat, hit] = min(alike * orders * ways, 1 << 40)
    return patterns


def first_states(*, by_ships: bool, room: int = 0, symmetries: int = 1) -> Any:
    """The structure of states before any is counted: the fields of ``seabattle_states``.

    Parameters
    ----------
    by_ships
        Whether the answers tell what is sunk.
    room
        For so many states.
    symmetries
        Those that share a number.
    """
    capacity = 1 << (2 * room * symmetries).bit_length()  # at most half full
    fields = {
        "slots": np.full(3 * capacity, EMPTY, dtype=np.uint64),
        "found": np.zeros(room * FOUND_PLANES * MISSES_COUNTED, dtype=np.int64),
        "size": 0,
        "by_ships": by_ships,
    }
    return core().structure("states", fields)


def more_states(states: Any, symmetries: int, memory: float) -> Any | None:
    """The same states with room for more; None where there are to be no more.

    Parameters
    ----------
    states
        As ``first_states`` makes them.
    symmetries
        Those that share a number.
    memory
        GiB that a search may take.
    """
    slots, found = states.kept["slots"], states.kept["found"]
    have = found.size // (FOUND_PLANES * MISSES_COUNTED)
    bytes_of_one = 8 * FOUND_PLANES * MISSES_COUNTED + 48 * symmetries
    most = min(MOST_STATES, int(memory * 2**30 / 32) // bytes_of_one)
    room = min(max(FIRST_STATES, 2 * have), most)
    if room <= have:
        return None
    larger = first_states(by_ships=bool(states.by_ships), room=room, symmetries=symmetries)
    larger.kept["found"][: found.size] = found
    core().rehash(slots, larger.kept["slots"], 2)
    larger.size = states.size
    return larger
