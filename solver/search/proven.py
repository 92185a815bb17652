"""What is proven of an optimal tree, and whether the tree that was grown agrees with it."""

from __future__ import annotations

from dataclasses import dataclass

from seabattle.solver.search.queries import Goal
from seabattle.trees.tree import Tree


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
