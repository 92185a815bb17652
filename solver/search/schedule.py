"""The schedule of a long search: when it works, for how much, and what it is asked meanwhile.

A solve has an interval: a lower bound that is proven, and the misses of the best verified tree.
Four workers narrow it, in turns (``solve_run``): the *search* proves bounds and in the end the
optimum, a *sweep* works out every set of misses where those are few, *rollouts* find better trees,
and *best first* raises the bound where the search stands still.

All is measured in rows looked at, not in seconds, so that each run with one thread finds the same
keys. A *unit* of work is a twentieth of a step of the search, a few hundredths of a second.

========== =========================================== ============================================
turn       what the search is asked for                afterwards
========== =========================================== ============================================
straight   the optimum at once                         rollouts, sweep; its answers share what is
                                                       lacking from here on (``minimize``)
probe      bounds that rise step by step               straight on, if much of the gap has closed
straight   the optimum at once, its answers unshared   as after the first turn; only after such a
                                                       probe, and once
rising     bounds that rise step by step, from turn to rollouts, sweep, best first
           turn for longer
========== =========================================== ============================================

To share raises bounds with a fraction of the work, and exact values take more of it: so a game
whose gap closes at a walk is asked for its value at once.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat

from seabattle.enumerate.rules import AnswerMode
from seabattle.solver.search import work as w
from seabattle.solver.search.bounds import counting_worst, weighted_total
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal, Value
from seabattle.solver.search.workspace import Paused

LATER, WITHIN = 4, 5
"""A later turn is this part of all units so far, and the others get this part of it."""

MUCH = 1 / 4
"""Part of the first gap that has to be closed by the end of the probe."""

MOST = 2 / 3
"""Part of the gap of which the rest takes twice the work that it would at the speed so far."""

LEAST_RISE = 100
"""A search that has closed less than this part of its first gap stands still."""

BEST_FIRST = 4
"""While it does, this many times its own work goes to a bound that rises best first."""

FIRST_STEP = 64
"""The lower bound of a long search rises by this part of the gap at first."""

SECONDS_FOR_BOUND = 0.2
"""Seconds for which the lower bound is raised after a search has stopped."""

QUERIES_FOR_BOUND = 20
"""Queries by which it is raised between two turns: as many in every run."""


@dataclass(frozen=True)
class Turn:
    """A turn of the search: its units, those of each other worker after it, and its kind."""

    units: int
    others: int = 0
    straight: bool = False
    probe: bool = False


FIRST_TURNS = (
    Turn(16, 3, straight=True),
    Turn(32, probe=True),
    Turn(400, 80, straight=True),
    Turn(60, 20),
    Turn(400, 80),
)
"""The first of them takes about a second."""


def turn_after(turns: int, units: int) -> Turn:
    """The turn after so many turns of so many units in all.

    Examples
    --------
    >>> turn_after(0, 0)
    Turn(units=16, others=3, straight=True, probe=False)
    >>> turn_after(9, 4_000)
    Turn(units=1000, others=200, straight=False, probe=False)
    """
    if turns < len(FIRST_TURNS):
        return FIRST_TURNS[turns]
    longer = max(FIRST_TURNS[-1].units, units // LATER)
    return Turn(longer, longer // WITHIN)


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
    if rise <= 0 or rise < MOST * gap:
        return math.inf
    return 2 * units * (gap - rise) / rise


def run_for(search: ExactSearch, units: int, ask: Callable[[], Value]) -> Value | None:
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


class Deepening:
    """Budgets of one search for the least total, which rise to the optimum step by step.

    A budget that is not reached is a lower bound, so that the interval narrows while the search
    goes on. Each step begins again at the root: what the table knows is not searched again, but
    shots that were refuted by less have to be weighed once more. And what a step that is stopped
    has done is lost for the bound. So each is to take a fifth to half of all the work so far,
    measured in sub-tables.

    Until ``begin`` the budget is one above the best tree known.

    Examples
    --------
    >>> budgets = Deepening()
    >>> budgets.next_budget(1000, 1640, 50)
    1641
    >>> budgets.begin(1000, 1640)
    >>> budgets.next_budget(1000, 1640, 50)
    1011
    >>> budgets.reached(52)
    >>> budgets.next_budget(1011, 1640, 52)
    1032
    """

    def __init__(self) -> None:
        self.step = 0  # none yet
        self.aim = 0  # lower bound that is sought
        self.sub_tables = 0  # expanded when its search began

    def begin(self, lower: int, upper: int) -> None:
        """Let the budgets rise by steps, if they do not do so yet."""
        if not self.step:
            self.step = max(1, (upper - lower) // FIRST_STEP)

    def next_budget(self, lower: int, upper: int, sub_tables: int) -> int:
        """The budget to search with: the last one, unless the lower bound has come so far.

        Parameters
        ----------
        lower, upper
            The interval.
        sub_tables
            Expanded so far.
        """
        if not self.step:
            return upper + 1
        if self.aim <= lower:
            self.aim = lower + self.step
            self.sub_tables = sub_tables
        if upper - self.aim < self.step // 2:  # no small step at the end
            return upper + 1
        return self.aim + 1

    def reached(self, sub_tables: int) -> None:
        """Make the next step larger or smaller, by the sub-tables that the last one took."""
        taken = sub_tables - self.sub_tables
        if 5 * taken < sub_tables:
            self.step *= 2
        elif 2 * taken > sub_tables:
            self.step = max(1, self.step // 2)


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
