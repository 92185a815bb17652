"""What a solve and a search are asked, what they may use, and what a search answers.

An *objective* is what a tree is chosen by; it is reached by queries, each with one *goal*.

Each technique can be switched off without changing the optimum:

``bounds``     lower bounds on a sub-table's misses, and closed forms for the smallest
``coverage``   of these, what ``coverage.hpp`` counts, and columns with words or with it
``reveal``     of these, what is left once the cells around a hit are revealed (``bounds``)
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
from enum import IntEnum, StrEnum
from typing import Literal

from seabattle.enumerate.errors import RulesError, SeabattleError, quoted
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

    @property
    def bounded(self) -> str:
        """What bounds of it are of, as ``Snapshot.bounded`` says it.

        >>> Objective.WORST_MEAN.goal.bounded, Within(3).goal.bounded
        ('worst', 'finished')
        """
        return ("total", "worst", "finished")[self]

    def cost(self, tree: Tree, miss_limit: int | None) -> int:
        """What a tree costs; the limit matters to ``LOST`` alone."""
        if self is Goal.LOST:
            assert miss_limit is not None
            return tree.weight - tree.finished(miss_limit)
        return tree.worst_misses if self is Goal.WORST else tree.total_misses


class Objective(StrEnum):
    """What an optimal tree minimises."""

    MEAN = "mean"
    WORST = "worst"
    MEAN_WORST = "mean-worst"
    WORST_MEAN = "worst-mean"
    PARETO = "pareto"

    @property
    def goal(self) -> Goal:
        """What is made least first."""
        return Goal.TOTAL if self in (Objective.MEAN, Objective.MEAN_WORST) else Goal.WORST


@dataclass(frozen=True)
class Within:
    """The objective to finish the most layouts with at most so many misses.

    >>> str(Within(5)), Within(5) == read_objective("within:5")
    ('within:5', True)
    """

    misses: int

    def __post_init__(self) -> None:
        if self.misses < 0:
            raise RulesError(f"objective {self}: no strategy misses less than 0 times")

    def __str__(self) -> str:
        return f"within:{self.misses}"

    @property
    def goal(self) -> Goal:
        """What is made least first."""
        return Goal.LOST


AnyObjective = Objective | Within | Literal["mean", "worst", "mean-worst", "worst-mean", "pareto"]
"""What ``solve`` may be asked for."""


def read_objective(text: str) -> Objective | Within:
    """An objective as it is written, as in ``worst-mean`` or ``within:5``.

    Raises
    ------
    RulesError
        If it is unknown; lists the right ones.
    """
    name, colon, misses = text.strip().lower().partition(":")
    if name == "within":
        if not (misses.isascii() and misses.isdecimal() and len(misses) <= 3):
            raise RulesError(
                f"objective {quoted(text)}: say how many misses are allowed, as in within:5"
            )
        return Within(int(misses))
    if colon or name not in list(Objective):
        known = ", ".join(each.value for each in Objective)
        raise RulesError(
            f"objective {quoted(text)} is unknown; the objectives are {known}, within:K"
        )
    return Objective(name)


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
