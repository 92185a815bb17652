"""The schedule of a solve: an interval, and the workers that narrow it in turns.

A solve has an interval: a lower bound that is proven, and the misses of the best verified tree.
Four workers narrow it, in turns: the *search* proves bounds and in the end the optimum, a *sweep*
works out every set of misses where those are few, *rollouts* find better trees, and *best first*
raises the bound where the search stands still.

All is measured in rows looked at, not in seconds, so that each run with one thread finds the same
keys. A *unit* of the search is a twentieth of one of its steps, a few hundredths of a second. That
of rollouts and of best first is a twentieth of ``Limits.rows_per_step``: with other answers than
``hit``, where the search takes shorter steps, up to four times as many rows.

Every turn is twice as long as the one before. In the first the search is asked for the optimum at
once: most games are over by then. In the second it is asked for bounds that rise step by step, and
the answers to a shot split what it lacks (``minimize``): that raises bounds with a fraction of the
work, and exact values take more of it. So where these two turns have closed a quarter of the gap,
the value is asked for at once in the next three, and a game whose proof is likely to fit in memory
is never split. All others go on as in the second turn.

The others work where the search stands still, with less than a quarter of the gap closed in a turn:
the sweep, if it is due; rollouts for a quarter of the turn; from the second turn on best first, for
four times as long as it. A turn ends early where a sweep is due; but not with answers ``hit``,
where bounds close many games before it ends.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count

from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.growing import grow_best
from seabattle.solver.search.miss_sets import MissSets
from seabattle.solver.search.problem import Family, Problem
from seabattle.solver.search.queries import (
    Goal,
    LimitReached,
    Objective,
    Pace,
    Paused,
    Value,
    Within,
)
from seabattle.solver.search.workers import BestFirst, BetterTrees
from seabattle.trees.tree import Tree
from seabattle.trees.verify import require_valid


def cost_of(tree: Tree, goal: Goal, miss_limit: int | None) -> int:
    """What a tree costs by a goal; the limit matters to ``LOST`` alone."""
    if goal is Goal.LOST:
        assert miss_limit is not None
        return tree.weight - tree.finished(miss_limit)
    return tree.worst_misses if goal is Goal.WORST else tree.total_misses


class Interval:
    """What is known of an objective: bounds of what it makes least first, and the best tree.

    Parameters
    ----------
    problem
        The problem.
    objective
        What is sought.

    Attributes
    ----------
    objective, goal, miss_limit
        What is sought; what of it is made least first, and for ``LOST`` the misses allowed.
    lower
        What is proven of it.
    tree
        The best tree; its cost is ``upper``.
    """

    tree: Tree

    def __init__(self, problem: Problem, objective: Objective | Within) -> None:
        self.problem, self.objective = problem, objective
        self.goal, self.lower = objective.goal, 0
        self.miss_limit: int | None = None
        if isinstance(objective, Within):
            self.miss_limit = min(objective.misses, problem.cells)
        self.verified: Tree | None = None

    def cost(self, tree: Tree) -> int:
        """What a tree costs, as far as the bounds are of it."""
        return cost_of(tree, self.goal, self.miss_limit)

    @property
    def upper(self) -> int:
        """What the best tree costs."""
        return self.cost(self.tree)

    @property
    def ends(self) -> tuple[int, int]:
        """Proven bounds of it; with ``within`` of what is finished, not lost."""
        if self.goal is not Goal.LOST:
            return self.lower, self.upper
        weight = self.problem.table.total_weight
        return weight - self.upper, weight - self.lower

    def raise_to(self, lower: int) -> None:
        """Note a proven lower bound."""
        self.lower = min(self.upper, max(self.lower, lower))

    def offer(self, tree: Tree) -> None:
        """Keep a tree if it is better than the best so far, once it is verified."""
        if self._rank(tree) < self._rank(self.tree):
            self.verify(tree)
            self.tree = tree

    def _rank(self, tree: Tree) -> tuple[int, int]:
        return self.cost(tree), tree.total_misses + tree.worst_misses

    def verify(self, tree: Tree) -> None:
        """Recompute a tree from the rules, unless it is the one that was verified last."""
        if tree is not self.verified:
            require_valid(tree, layouts=self.problem.table.layouts)
            self.verified = tree


FIRST_STEP = 64
"""The lower bound of a long search rises by this part of the gap at first."""


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


LARGE_PROBLEM = 20_000
"""With more rows than this, good trees are sought before the optimum."""

EXACT_ROWS = 30, 100, 333
"""Most rows of what is solved exactly for such trees, one after the other."""

APPROACH = 4
"""Steps of the search that each of them may take at most."""


def keys_expected(rounds: Sequence[tuple[int, int]], rows: int) -> float:
    """How many keys a proof is likely to take, as trees exact up to more and more rows show.

    Each of those to come would multiply the keys as the last of them did.

    Parameters
    ----------
    rounds
        Rows solved exactly, and keys stored by then; each time 10/3 as many rows as before.
    rows
        All rows of the problem.

    Examples
    --------
    Of 5x6 with 3,2,2,1,1,1, which takes 61 million in the end:

    >>> f"{keys_expected([(30, 12_740), (100, 47_300), (333, 223_186)], 46_440) / 1e6:.0f} million"
    '129 million'
    """
    (_, before), (exact, keys) = rounds[-2:]
    left = math.log(max(1.0, rows / exact), 10 / 3)
    return float(keys * max(1.0, keys / max(1, before)) ** left)


FIRST_TURN = 16
"""Units of the first turn, about half a second."""

MUCH = 1 / 4
"""The search stands still where a turn closes less than this part of the gap; it closes at a walk
where the first two have closed as much."""

STRAIGHT_TURNS = 5
"""At a walk the value is asked for at once up to this turn, some ten seconds."""

ROLLOUTS, BEST_FIRST = 1 / 4, 4
"""After a turn that stands still, rollouts and best first have so many times its units."""

QUERIES_FOR_BOUND = 20
"""Queries by which the lower bound is raised between two turns: as many in every run."""


class Schedule:
    """Turns of the search, and of the workers that narrow the interval between them.

    Parameters
    ----------
    search
        The search.
    known
        The interval, which is narrowed.
    seconds_to_grow
        Seconds that it takes to grow a tree and to verify it.

    Attributes
    ----------
    history
        (seconds, total misses) of each tree tried on the way.
    best_cells
        Best shots for the least total, if they came with it, else 0.
    """

    def __init__(self, search: ExactSearch, known: Interval, *, seconds_to_grow: float) -> None:
        self.search, self.problem, self.known = search, search.problem, known
        self.better = BetterTrees(search, seconds_to_grow=seconds_to_grow)
        self.rising = BestFirst(search, known.raise_to)
        self.sets = MissSets(search, known.goal)
        if known.objective not in (Objective.MEAN, Objective.WORST):
            self.sets.ended = True  # no set tells what is best with a limit on the misses
        self.budgets = Deepening()
        self.best_cells = 0
        self.history: list[tuple[float, int]] = []
        self.rounds: list[tuple[int, int]] = []  # rows solved exactly, and keys stored by then

    def raise_lower_bound(
        self, *, rows: int = 0, queries: float = math.inf, seconds: float = math.inf
    ) -> None:
        """Raise the lower bound to what can be said at once of the whole game.

        A query with a budget just above the known bound returns the least bound of all first shots,
        provided the table holds enough of them.

        Parameters
        ----------
        rows
            That a query may look at, in one step; by default those of a short one.
        queries, seconds
            How many at most, and for how long.
        """
        known, upper, until = self.known, self.known.upper, time.monotonic() + seconds
        glance = Pace(rows or 4 * len(self.problem) + 100_000, one_step=True)
        while known.lower < upper and queries > 0 and time.monotonic() <= until:
            queries -= 1
            try:
                value = self.search.minimize(
                    known.goal, miss_limit=known.miss_limit, budget=known.lower + 1, pace=glance
                )
            except (Paused, LimitReached):
                break
            if value.misses <= known.lower:
                break
            known.raise_to(value.misses)

    def begin(self) -> None:
        """The bound that is known before any shot, and the interval it leaves.

        It is that of words first, in case a limit comes while it is counted what hits leave. The
        queries come as far as the bounds of the root and of its children. They count for nothing,
        so that the search finds the same keys and sub-tables as without them.
        """
        search, nodes = self.search, self.search.nodes
        self.raise_lower_bound(rows=len(self.problem))
        if search.counting and self.known.goal is not Goal.LOST:  # it bounds only misses
            search.prepare()
            self.raise_lower_bound(rows=len(self.problem))
        search.counters.nodes = nodes

    def approach(self) -> None:
        """Find better and better trees of a large game before its full search.

        Sub-tables of up to 30, 100 and 333 rows are solved exactly, larger ones shot at greedily.
        What was solved stays in the table, where the full search begins.
        """
        search, large = self.search, len(self.problem) > LARGE_PROBLEM
        if self.problem.family != Family.HIT or not large or self.known.goal is Goal.LOST:
            return
        for rows in EXACT_ROWS:
            search.stage = f"trees exact up to {rows} layouts"
            try:
                tree = grow_best(
                    search, objective=str(self.known.objective), status="heuristic",
                    exact_rows=rows, pace=Pace(APPROACH * search.rows_per_step),
                )  # fmt: skip
            except Paused:
                break
            self._note(tree)
            self.rounds.append((rows, search.states))

    def _note(self, tree: Tree) -> None:
        """Note a tree that was tried."""
        self.history.append((time.monotonic() - self.search.started, tree.total_misses))
        self.known.offer(tree)

    def _fits(self) -> bool:
        """Whether those trees have shown that a proof is likely to fit in the memory limit."""
        if len(self.rounds) < len(EXACT_ROWS):
            return False
        slots = 4 / 3 * keys_expected(self.rounds, len(self.problem))
        # While a table grows, the old one and one twice as large are in memory. Slots are not
        # rounded up to a power of two, as tables are: the forecast may be twice too high already.
        needed = 1.5 * slots * 8 * self.search.table_width
        return bool(needed <= self.search.limits.memory * 2**30)

    def least_total(self) -> Value:
        """T(S): turns of the search, between which others narrow the interval from both ends."""
        units, walks, known = 0, False, self.known  # units by the search alone
        first = known.lower
        for number in count():
            turn = FIRST_TURN << number
            self.search.stage = "mean"
            begun, straight = known.lower, number == 0 or walks
            ask, split = partial(self.ask, straight=straight), not (straight or self._fits())
            value = self._take(turn, units, ask, split=split)
            units += turn
            if number == 1:
                walks = known.lower - first >= MUCH * (known.upper - first)
            walks = walks and number + 1 < STRAIGHT_TURNS
            still = not walks and known.lower - begun < MUCH * (known.upper - begun)
            if value is None and still:
                value = self._sweep(units)
            if value is not None:
                self.better.give_up()
                self.rising.give_up()
                return value
            self._narrow(turn, still=still)
        raise AssertionError("there is always another turn")

    def least_worst(self, budget: int) -> int:
        """W(S), with pauses in which every set of misses may be worked out."""
        self.search.stage = "worst case"
        ask = partial(self.search.minimize, Goal.WORST, budget=budget)
        value = ask() if self.sets.ended else None
        turn, units = FIRST_TURN, 0
        while value is None:
            value = self._take(turn, units, lambda pace: ask(pace=pace))
            turn, units = 2 * turn, units + turn
            value = value or self._sweep(units)
        return value.misses

    def _take(
        self, turn: int, units: int, ask: Callable[[Pace], Value], *, split: bool = False
    ) -> Value | None:
        """A turn after so many units, which ends early where a sweep is due: None if not done."""
        unit = self.search.rows_per_step // 20
        early = self.problem.family != Family.HIT

        def due(rows: float) -> bool:
            return early and self.sets.due(units + rows / unit, self.known.upper)

        try:
            return ask(Pace(turn * unit, due, split=split))
        except Paused:
            return None

    def ask(self, pace: Pace, *, straight: bool = False) -> Value:
        """What is sought: asked for at once, or with budgets that rise from the lower bound."""
        search, known, budgets = self.search, self.known, self.budgets
        while True:
            budget = known.upper + 1
            if not straight:
                budget = budgets.next_budget(known.lower, known.upper, search.nodes)
            # Where a proof is long its best shots come with it; of others they are asked for later.
            if budgets.step and budget > known.upper and known.goal is Goal.TOTAL:
                value, self.best_cells = search.best_shots(budget=budget, pace=pace)
            else:
                value = search.minimize(
                    known.goal, miss_limit=known.miss_limit, budget=budget, pace=pace
                )
            if value.exact:
                return value
            if value.misses > known.upper:
                raise search.contradiction("a tree misses less than is proven")
            known.lower = value.misses
            budgets.reached(search.nodes)

    def _sweep(self, units: int) -> Value | None:
        """T(S) or W(S) by every set of misses, where that is worth while after so much work."""
        if not self.sets.swept(units, self.known.upper):
            return None
        self.known.lower = self.sets.least()
        return Value(self.known.lower, 0, True)

    def _narrow(self, turn: int, *, still: bool) -> None:
        """After a turn: better trees, a bound that rises best first, what the table knows."""
        if still and not self._fits():
            unit = self.search.limits.rows_per_step // 20
            tree = self.better.seek(self.known.tree, int(ROLLOUTS * turn * unit))
            if tree is not None:
                self._note(tree)
            if self.budgets.step:  # else nobody knows yet whether bounds rise
                self.search.stage = "best first"
                self.rising.seek(BEST_FIRST * turn * unit)
        self.raise_lower_bound(queries=QUERIES_FOR_BOUND)
        self.budgets.begin(self.known.lower, self.known.upper)
