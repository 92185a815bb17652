"""What a search is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from seabattle.enumerate.errors import SeabattleError
from seabattle.solver.search import work as w
from seabattle.trees.tree import Tree

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


@dataclass(frozen=True)
class Proven:
    """What an optimal tree is known to cost, and the query that finds it.

    ``goal`` and ``miss_limit`` are the query and ``value`` its result. ``worst`` and ``total``
    are None where the objective leaves them open. ``unasked`` says that a tree of this worst case
    was found by a search without a miss limit.
    """

    goal: Goal
    miss_limit: int | None
    value: int
    worst: int | None
    total: int | None
    unasked: bool = False

    @classmethod
    def within(cls, worst: int, total: int, *, unasked: bool = False) -> Proven:
        """``total`` is T(S, worst), and less than T(S, worst - 1)."""
        return cls(Goal.TOTAL, worst, total, worst, total, unasked)

    def agrees(self, tree: Tree) -> bool:
        """Whether a tree is what was proven."""
        worst = self.worst in (None, tree.worst_misses)
        return worst and self.total in (None, tree.total_misses)


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
