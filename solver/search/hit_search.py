"""The exact search in answer mode ``hit``: least misses of any sub-table, with everything optional.

A sub-table S is the set of rows still possible. Let H be the cells all of them occupy and M the
cells none does. S determines (H, M), and (H, M) determines S: a row of the whole table belongs to
S exactly when it contains H and avoids M, because every answer so far only said "this cell is
occupied" (it is in H) or "it is not" (it is in M). So (H, M) is an exact *closed key*, whatever
the order of the shots was. Certain hits (H) cost nothing and tell nothing.

``solver.search.options`` lists what keeps the search small. Its bounds are, in this mode, the
counting bound (``solver.search.bounds``), what hits leave in larger games
(``solver.search.counted_hits``), and closed forms for up to 4 rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.position import Position
from seabattle.solver.search.answer_search import AnswerSearch
from seabattle.solver.search.counted_hits import counting_search, is_counted
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.finds import no_finds
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.kernels.arrays import HitArrays, HitFinds
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE, Goal, Value, kernel_limit
from seabattle.solver.search.threads import NOT_SHARED, Crew
from seabattle.solver.search.tree_building import grow
from seabattle.trees.tree import Tree


class HitSearch(ExactSearch):
    """Exact search over the sub-tables of one problem of mode ``hit``; see ``ExactSearch``.

    Examples
    --------
    >>> from seabattle.enumerate.table import DecisionTable, Rules
    >>> problem = Problem(DecisionTable.build(Rules("5x5", "3,2,2,1,1,1")))
    >>> search = HitSearch(problem)
    >>> search.minimize().misses
    6444
    >>> search.states < 100_000
    True
    """

    def __init__(
        self,
        problem: Problem,
        *,
        options: SearchOptions | None = None,
        limits: Limits | None = None,
        first_capacity: int | None = None,
    ) -> None:
        super().__init__(problem, options=options, limits=limits, first_capacity=first_capacity)
        self.lower, self.reach = problem.bound_arrays()
        self.finds = HitFinds(no_finds().slots, no_finds().found)
        self.counter: AnswerSearch | None = None
        self.counting = is_counted(problem, self.options)
        self.crew = Crew(self, self.rows_per_step * 2 // 5)

    def prepare(self) -> None:
        """Count what hits leave, where the bounds use it."""
        if not self.counting:
            return
        if self.counter is None:
            self.counter = counting_search(self.problem, self.options, self.limits)
        self.counter.limits = self.limits
        self.counter.started, self.counter.stage = self.started, self.stage
        self.counter.interval = self.interval
        self.counter.prepare()
        counted = self.counter.finds
        self.finds = HitFinds(counted.slots, counted.found[: counted.size[0]])
        self.counting = False

    def kernel_arrays(self) -> HitArrays:
        """The arrays of the kernels in ``kernels.hit_search`` and ``kernels.tree_nodes``."""
        return HitArrays(
            self.table,
            self.key_shares,
            self.moves,
            self.lower,
            self.reach,
            self.counts,
            self.masks,
            self.kernel_options,
            self.counters,
            self.finds,
            NOT_SHARED,
        )

    def minimize(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
        rows: NDArray[np.int64] | None = None,
    ) -> Value:
        """Least misses of the whole problem or of a sub-table; see ``ExactSearch``."""
        # compiled when first imported, and of no use to the other answer modes
        from seabattle.solver.search.kernels.hit_search import minimize

        problem = self.problem
        chosen = slice(None) if rows is None else rows
        masks = problem.rows[chosen].copy()  # the kernel moves rows
        weights = (problem.weights[chosen] if len(problem.weights) else problem.weights).copy()
        if len(masks) == 0:
            return Value(0, 0, True)
        certain = np.bitwise_and.reduce(masks)
        occupied = np.bitwise_or.reduce(masks)
        weight = int(weights.sum()) if len(weights) else len(masks)
        limit = kernel_limit(goal, miss_limit)
        self.kernel_options[w.GOAL] = goal
        value = self.run(
            self.crew.step(
                lambda arrays, masks, weights: minimize(
                    *(masks, weights, 0, len(masks), certain, occupied, weight, budget, limit, 0),
                    arrays,
                ),
                *(masks, weights),
            )
        )
        return Value.unpacked(value, budget)

    def best_shots(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
    ) -> tuple[Value, int]:
        """Least misses of the whole problem, and all best shots; see ``ExactSearch``."""
        with self.seeking_every_shot():
            value = self.minimize(goal, miss_limit=miss_limit, budget=budget)
        return value, self.shots_found(value)

    def shot_value(
        self,
        cell: int,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
    ) -> int:
        """Least misses of a tree that begins with a shot at a cell; see ``ExactSearch``."""
        problem = self.problem
        hits = (problem.rows >> np.uint64(cell) & np.uint64(1)).astype(bool)
        hit, missed = np.flatnonzero(hits), np.flatnonzero(~hits)
        if goal is Goal.WORST:
            on_hit = self.minimize(goal, budget=budget, rows=hit)
            if len(missed) == 0:
                return on_hit.misses
            on_miss = self.minimize(goal, budget=max(1, budget - 1), rows=missed)
            return max(1 + on_miss.misses, on_hit.misses)
        if len(missed) and miss_limit == 0:
            return INFEASIBLE
        cost = int(problem.weights[missed].sum()) if len(problem.weights) else len(missed)
        fewer = None if miss_limit is None else miss_limit - 1
        cost += self.minimize(miss_limit=miss_limit, budget=budget - cost, rows=hit).misses
        if cost >= budget or len(missed) == 0:
            return min(cost, INFEASIBLE)
        cost += self.minimize(miss_limit=fewer, budget=budget - cost, rows=missed).misses
        return min(cost, INFEASIBLE)

    def best_shot(
        self,
        rows: NDArray[np.int64],
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        hit: int = 0,
    ) -> int:
        """A shot with which a best tree of some rows begins; see ``ExactSearch``."""
        self.minimize(goal, miss_limit=miss_limit, rows=rows)
        return int(self.counters[w.SHOT])

    def grow(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        position: Position,
        objective: str,
        status: str,
    ) -> Tree:
        """A best tree of the whole problem; see ``ExactSearch``."""
        return grow(
            self,
            w.POLICY_EXACT,
            goal=goal,
            miss_limit=miss_limit,
            position=position,
            objective=objective,
            status=status,
        )
