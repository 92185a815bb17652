"""The most layouts that play can finish with at most K misses.

    finished(S, -1) = 0
    finished(S, k)  = weight of S where all its layouts occupy the same cells, else the most over
                      cells c of the sum, over the answers to a shot at c, of
                      finished(what a miss leaves, k - 1), finished(what another leaves, k)

``minimize`` seeks the least that is *lost*, the weight of S less what is finished (``Goal.LOST``).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.compile_notice import working_seconds
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.greedy import GreedyRule, grow_greedy
from seabattle.solver.search.growing import grow_best
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal, SearchOptions
from seabattle.solver.search.solution import Solution, left_open
from seabattle.solver.search.solve_run import Deepening, orbit_values
from seabattle.trees.tree import Tree
from seabattle.trees.verify import require_valid

if TYPE_CHECKING:
    from seabattle.solver.search.checkpoint import Checkpoint

MOST_ALLOWED = 64
"""No tree on a board of up to 64 cells misses more often."""


class FinishRun:
    """One solve for ``within:K``: what is known at any moment, so that stopping loses nothing."""

    def __init__(
        self,
        problem: Problem,
        most: int,
        options: SearchOptions | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.problem = problem
        self.most = most
        self.left = min(most, MOST_ALLOWED)
        self.position = problem.table.history
        self.options = options
        self.search = ExactSearch(problem, options=options, limits=limits)
        told = Limits(report=self.search.limits.report)
        greedy = [grow_greedy(problem, rule, limits=told) for rule in GreedyRule]
        self.tree = self._verified(min(greedy, key=self._lost_by), status="bounded")
        self.lower = 0

    @property
    def objective(self) -> str:
        """What trees of this search are for."""
        return f"within:{self.most}"

    def _lost_by(self, tree: Tree) -> int:
        return tree.weight - tree.finished(self.most)

    def _verified(self, tree: Tree, *, status: str) -> Tree:
        require_valid(tree, layouts=self.problem.table.layouts)
        return replace(tree, objective=self.objective, status=status)

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint, and keep what is proven in it."""
        self.search.resume(checkpoint)

    def solve(self, *, values: bool) -> Solution:
        """The best tree, and what is proven of it."""
        problem, search = self.problem, self.search
        search.warm_up()
        started = working_seconds()
        proven = interrupted = False
        stopped_by = ""
        shots: tuple[str, ...] | None = None
        finished: tuple[int, ...] | None = None
        seconds = 0.0
        try:
            self.lower = self._least_lost()
            seconds = working_seconds() - started
            self.tree = self._grow()
            proven = True
            search.stage = "first shots"
            shots = self._best_shots()
            if values:
                search.stage = "values of first shots"
                finished = self._values()
        except (LimitReached, KeyboardInterrupt, MemoryError) as stop:
            interrupted = isinstance(stop, KeyboardInterrupt)
            stopped_by = "stopped by Ctrl-C" if interrupted else str(stop)
            if isinstance(stop, MemoryError):
                stopped_by = "this machine has no more memory"
            if proven:
                stopped_by += left_open(shots, finished, values=values)
            else:
                seconds = working_seconds() - started
        if search.checkpoint is not None:
            search.save()
        weight = problem.table.total_weight
        return Solution(
            rules=problem.rules,
            position=self.position,
            objective=self.objective,
            status="optimal" if proven else "bounded",
            layouts=len(problem.table),
            weight=weight,
            tree=self.tree,
            front=(),
            lower_bound=weight - self._lost_by(self.tree),
            upper_bound=weight - self.lower,
            states=search.states,
            nodes=search.nodes,
            best_shots=shots or (),
            values=finished,
            search_seconds=seconds,
            interrupted=interrupted,
            stopped_by=stopped_by,
            within=self.most,
        )

    def _least_lost(self) -> int:
        """What is lost at least, asked for with budgets that rise to what the tree loses."""
        budgets = Deepening()
        upper = self._lost_by(self.tree)
        budgets.begin(self.lower, upper)
        self.search.stage = self.objective
        while True:
            weight = self.problem.weight
            self.search.interval = weight - upper, weight - self.lower
            budget = budgets.next_budget(self.lower, upper, self.search.nodes)
            value = self.search.minimize(Goal.LOST, miss_limit=self.left, budget=budget)
            if value.exact:
                return value.misses
            self.lower = value.misses
            budgets.reached(self.search.nodes)

    def _grow(self) -> Tree:
        """A tree that loses as little as is proven; of those that lose nothing, the least total."""
        search = self.search
        search.stage = "growing the tree"
        recorded: dict[str, Any] = {
            "objective": self.objective,
            "status": "optimal",
        }
        if self.lower == 0:
            within = ExactSearch(self.problem, options=self.options, limits=search.limits)
            if within.minimize(miss_limit=self.left).feasible:
                tree = grow_best(within, miss_limit=self.left, **recorded)
                return self._verified(tree, status="optimal")
        tree = grow_best(search, Goal.LOST, miss_limit=self.left, **recorded)
        tree = self._verified(tree, status="optimal")
        if self._lost_by(tree) != self.lower:
            raise AssertionError(f"the tree loses {self._lost_by(tree)}, not {self.lower}")
        return tree

    def _best_shots(self) -> tuple[str, ...]:
        problem = self.problem
        due = problem.certain & ~problem.mask(self.position.shot_mask)
        if problem.unknown == 0:
            return problem.names(due)
        budget = self.lower + 1
        _, best = self.search.best_shots(Goal.LOST, miss_limit=self.left, budget=budget)
        return problem.names(best | (due if problem.hits_are_free else 0))

    def _values(self) -> tuple[int, ...]:
        """Weight finished at most after each first shot: one that tells nothing costs a miss."""
        problem, best = self.problem, self.problem.weight - self.lower
        value = partial(self.search.shot_value, goal=Goal.LOST, miss_limit=self.left)
        lost = orbit_values(problem, self.position, value) if problem.unknown else {}
        worth = {cell: problem.weight - value for cell, value in lost.items()}
        worth = dict.fromkeys(cells_of(problem.certain), best) | worth
        water = 0
        if self.left:
            after = self.search.minimize(Goal.LOST, miss_limit=self.left - 1)
            water = problem.weight - after.misses
        return problem.on_all_cells(worth, self.position, shot=best, water=water)
