"""What a search is asked, what it may use, and what it answers.

Each technique can be switched off without changing the optimum:

``bounds``     lower bounds on a sub-table's misses, and closed forms for the smallest
``coverage``   of these, what ``coverage`` counts, and columns with words or with it
``reveal``     of these, what is left once the cells around a hit are revealed (``reveal_bound``)
``budgets``    fail-soft [Fishburn1983]: exact below the budget, otherwise a proven lower bound
``split``      in a long search the answers to a shot split what it lacks (``minimize``)
``lookahead``  before a shot is tried, bounds on its children are looked up in the table
``dominance``  a cell whose rows all occupy another cell too is no better a shot than that cell
``ordering``   the cell that most rows occupy is tried first
``best_first`` a long solve raises its lower bound best first, too (``solver.search.best_first``)
``sets``       a solve may work out every set of misses instead (``miss_sets``)
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum

from seabattle.enumerate.errors import SeabattleError
from seabattle.trees.tree import Tree

INFEASIBLE = 1 << 41
"""Misses of a sub-table that no tree solves within the miss limit; above every total."""

NO_LIMIT = 127
WORST_CASE = 126
MOST_MISSES = 125
"""A miss limit in the core is the number of misses that a path may still have, or ``NO_LIMIT``. The
question for the least worst case has none either; it goes by ``WORST_CASE``, so that its entries in
the table are kept apart."""


class Goal(IntEnum):
    """What a search minimises: the misses summed over weighted layouts, or in the worst case.

    ``LOST`` is the weight of the layouts that take more misses than the miss limit. In the table
    nothing tells that from a total with a limit: a search is asked for one of the two.
    """

    TOTAL = 0
    WORST = 1
    LOST = 2

    def cost(self, tree: Tree, miss_limit: int | None) -> int:
        """What a tree costs; the limit matters to ``LOST`` alone."""
        if self is Goal.LOST:
            assert miss_limit is not None
            return tree.weight - tree.finished(miss_limit)
        return tree.worst_misses if self is Goal.WORST else tree.total_misses


@dataclass(frozen=True)
class Value:
    """Outcome of one query: misses and, when exact, the worst case of the tree found."""

    misses: int
    worst: int
    exact: bool

    @property
    def feasible(self) -> bool:
        """Whether any tree keeps the miss limit."""
        return self.misses < INFEASIBLE


@dataclass(frozen=True)
class Proven:
    """What an optimal tree is known to cost: a query and its result.

    With the goal ``TOTAL`` no tree of this ``value`` keeps a lower ``miss_limit``, unless it is
    ``given``: asked for, not proven. ``unasked`` says that a search without a limit has found one
    that keeps it.
    """

    goal: Goal
    miss_limit: int | None
    value: int
    unasked: bool = False
    given: bool = False

    def agrees(self, tree: Tree) -> bool:
        """Whether a tree is what was proven."""
        keeps = self.goal is not Goal.TOTAL or self.miss_limit in (None, tree.worst_misses)
        if self.given and self.miss_limit is not None:
            keeps = tree.worst_misses <= self.miss_limit
        return keeps and self.goal.cost(tree, self.miss_limit) == self.value


def core_limit(goal: Goal, miss_limit: int | None) -> int:
    """The miss limit as the core takes it for a goal and misses allowed on any path.

    Raises
    ------
    SeabattleError
        If the limit is not a number of misses, or is given with the goal ``WORST``.
    """
    if goal is Goal.WORST:
        if miss_limit is not None:
            raise SeabattleError("the least worst case is asked for without a miss limit")
        return WORST_CASE
    if miss_limit is None and goal is Goal.TOTAL:
        return NO_LIMIT
    if miss_limit is None or not 0 <= miss_limit <= MOST_MISSES:
        raise SeabattleError(f"miss limit {miss_limit}: give 0 to {MOST_MISSES}")
    return miss_limit


@dataclass(frozen=True)
class SearchOptions:
    """What the search may use; everything by default. The module's docstring explains each."""

    bounds: bool = True
    ordering: bool = True
    dominance: bool = True
    lookahead: bool = True
    budgets: bool = True
    split: bool = True
    coverage: bool = True
    reveal: bool = True
    best_first: bool = True
    sets: bool = True

    @classmethod
    def plain(cls) -> SearchOptions:
        """Plain memoised search: nothing but the table; it visits every sub-table."""
        return cls(**{option.name: False for option in fields(cls)})
