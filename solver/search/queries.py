"""What a search is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from seabattle.enumerate.errors import SeabattleError
from seabattle.solver.search import work as w

INFEASIBLE: int = w.INFEASIBLE
"""Misses of a query that no tree satisfies; above every total."""


class Goal(IntEnum):
    """What a search minimises: the misses summed over weighted layouts, or in the worst case."""

    TOTAL = w.TOTAL
    WORST = w.WORST


@dataclass(frozen=True)
class Value:
    """Outcome of one query: misses and, when exact, the worst case of the tree found."""

    misses: int
    worst: int
    exact: bool

    @classmethod
    def unpacked(cls, value: int, budget: int) -> Value:
        """A search value of a kernel (``work``) for a query with this budget."""
        misses = value >> 7
        return cls(misses, value & 127, misses < budget)

    @property
    def feasible(self) -> bool:
        """Whether any tree keeps the miss limit."""
        return self.misses < INFEASIBLE


def kernel_limit(goal: Goal, miss_limit: int | None) -> int:
    """The miss limit of a kernel (``work``) for a goal and misses allowed on any path.

    Raises
    ------
    SeabattleError
        If the limit is not a number of misses, or is given with the goal ``WORST``.
    """
    if goal is Goal.WORST:
        if miss_limit is not None:
            raise SeabattleError("the least worst case is asked for without a miss limit")
        return w.WORST_CASE
    if miss_limit is None:
        return w.NO_LIMIT
    if not 0 <= miss_limit <= w.MOST_MISSES:
        raise SeabattleError(f"miss limit {miss_limit}: give 0 to {w.MOST_MISSES}")
    return miss_limit
