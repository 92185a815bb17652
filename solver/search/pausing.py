"""Pauses of a long search, in which something else is tried.

All is measured in rows looked at, not in seconds, so that each run finds the same keys. A *unit* of
work is a twentieth of a step of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, repeat

from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.queries import Value
from seabattle.solver.search.workspace import Paused

PAUSES = (16, 3), (60, 20), (400, 80)
"""Units of work before each pause and within it; before the first, about a second.

After the last of them the search pauses for its lower bound, and for sets of misses, alone: the
longer it has taken, the more seldom, as after each pause it begins at the root again."""

LATER = 4
"""Then it works between two pauses for this part of all units so far."""


def pauses() -> Iterator[tuple[int, int, int]]:
    """Units before each pause and within it, and all units before it so far; without an end."""
    units = 0
    for before, within in chain(PAUSES, repeat((PAUSES[-1][0], 0))):
        before = max(before, units // LATER if not within else 0)
        units += before
        yield before, within, units


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
