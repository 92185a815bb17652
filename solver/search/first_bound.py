"""The lower bound of the whole game that is known before any shot, or of what the table holds."""

from __future__ import annotations

import time
from itertools import repeat

from seabattle.enumerate.rules import AnswerMode
from seabattle.solver.search import work as w
from seabattle.solver.search.bounds import counting_worst, weighted_total
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal

SECONDS_FOR_BOUND = 0.2
"""Seconds for which the lower bound is raised after a search has stopped."""

QUERIES_FOR_BOUND = 20
"""Queries by which it is raised in a pause: as many in every run."""


def bound_by_counting(problem: Problem, *, worst: bool) -> int:
    """What the counting bound says of all rows; 0 where answers have more than two values.

    Parameters
    ----------
    problem
        The problem.
    worst
        Whether the worst case is bounded, not the total.
    """
    if problem.rules.answers is not AnswerMode.HIT:
        return 0
    ships = problem.rules.fleet.cells - problem.certain.bit_count()
    if worst:
        return counting_worst(len(problem), ships)
    return weighted_total(len(problem), problem.weight, ships, problem.lightest, problem.heaviest)


def bound_at_once(search: ExactSearch, goal: Goal, lower: int, upper: int) -> int:
    """The known lower bound, raised by queries that may look at each row once.

    They come as far as the bounds of the root and of its children. They count for nothing, so that
    the search finds the same keys and sub-tables as without them.

    Parameters
    ----------
    search
        The search, which has stored nothing yet, or what a checkpoint holds.
    goal
        What is bounded.
    lower, upper
        Bounds known so far.

    Raises
    ------
    LimitReached, KeyboardInterrupt
        While what the bounds need is prepared.
    """
    search.prepare()
    before = search.counters.copy()
    while lower < upper:
        value = search.briefly(
            lambda b=lower + 1: search.minimize(goal, budget=b),  # type: ignore[misc]
            rows=len(search.problem),
        )
        if value is None or value.misses <= lower:
            break
        lower = min(value.misses, upper)
    states = search.states
    search.counters[:] = before
    search.counters[w.STATES] = states
    return lower


def bound_of_table(
    search: ExactSearch, goal: Goal, lower: int, upper: int, *, pausing: bool = False
) -> int:
    """The known lower bound, raised to what the table of a search already proves of the game.

    A query with a budget just above the known bound returns the least bound of all first shots,
    provided the table holds enough of them.

    Parameters
    ----------
    search, goal, lower, upper
        As in ``bound_at_once``.
    pausing
        Whether the search goes on.
    """
    until = time.monotonic() + SECONDS_FOR_BOUND
    for _ in range(QUERIES_FOR_BOUND) if pausing else repeat(None):
        if lower >= upper or (not pausing and time.monotonic() > until):
            break
        value = search.briefly(lambda b=lower + 1: search.minimize(goal, budget=b))  # type: ignore[misc]
        if value is None or value.misses <= lower:
            break
        lower = min(value.misses, upper)
    return lower
