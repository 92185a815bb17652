"""Pauses of a long search, in which something else is tried.

All is measured in rows looked at, not in seconds, so that each run finds the same keys. A *unit* of
work is a twentieth of a step of the search.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.queries import Value
from seabattle.solver.search.workspace import Paused

PAUSES = (16, 3), (60, 20), (400, 80)
"""Units of work before each pause and within it; before the first, about a second.

After the last of them the search pauses the more seldom the longer it has taken, as after each
pause it begins at the root again."""

LATER = 4
"""Then it works between two pauses for this part of all units so far, ..."""

WITHIN = 5
"""... and in a pause for this part of what it worked before it."""

LEAST_RISE = 100
"""A search that has closed less than this part of its first gap stands still."""

MOST_CLOSED = 2 / 3
"""Part of the gap that a search has to close between two pauses to be likely to end soon."""

DEARER = 2
"""The rest of the gap takes this many times the work that it would at the speed so far."""

BEST_FIRST = 4
"""So long as it does, this many times its own work goes to a bound that rises best first."""


def pauses() -> Iterator[tuple[int, int, int]]:
    """Units before each pause and within it, and all units before it so far; without an end."""
    units = 0
    for before, within in PAUSES:
        units += before
        yield before, within, units
    while True:
        before = max(PAUSES[-1][0], units // LATER)
        units += before
        yield before, before // WITHIN, units


def stands_still(rise: int, gap: int) -> bool:
    """Whether searching has closed next to nothing of the gap that is left.

    Parameters
    ----------
    rise, gap
        How much the lower bound has risen by it, and the gap without that, in misses.
    """
    return LEAST_RISE * rise < gap


def units_left(units: int, rise: int, gap: int) -> float:
    """Units of work that a search is likely to take still, which get dearer towards the end.

    Infinite as long as most of the gap is open: how dear they get nobody can tell.

    Parameters
    ----------
    units
        What it has worked last.
    rise, gap
        How much the lower bound has risen by that, and the gap without that, in misses.

    Examples
    --------
    >>> units_left(400, 800, 1100)
    300.0
    >>> units_left(400, 700, 1100)
    inf
    """
    if rise <= 0 or rise < MOST_CLOSED * gap:
        return math.inf
    return DEARER * units * (gap - rise) / rise


def trees_are_due(pause: int, rise: int, gap: int) -> bool:
    """Whether better trees are sought in a pause: the first ones, and where the bound stands still.

    Parameters
    ----------
    pause
        Its number, from 0.
    rise, gap
        As in ``stands_still``.
    """
    return pause < len(PAUSES) or stands_still(rise, gap)


def for_a_while(search: ExactSearch, units: int, ask: Callable[[], Value]) -> Value | None:
    """Outcome of a query if it takes no more than so many units of work, else None.

    Raises
    ------
    LimitReached
        At a limit of time or memory.
    """
    search.rows_left = units * (search.rows_per_step // 20)
    try:
        return ask()
    except Paused:
        return None
    finally:
        search.rows_left = None
