"""Solving one game on several processes or a cluster: its first shots and their answers in parts.

The game is searched here first for some seconds, which is enough for most games and finds a tree
to begin with. What is left is asked of all first shots at the same time (``split_query``), each
with each answer in a task of its own (``split_parts``). The best complete first shot known lowers
the budgets of all parts, also of those that are being searched. The tree is put together from the
trees of the parts and verified from the rules like every other.

Values, bounds, and best first shots are those of one process; which of several optimal trees is
returned depends on which table knew what. Keys and sub-tables are counted over all processes, and
there are more of them than in one search: tables in different processes do not know each other.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from seabattle.enumerate.arguments import (
    require_choice,
    require_number,
    require_path,
    require_type,
    require_whole,
)
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.table import Game, position_of
from seabattle.solver.search.dispatch import MEMORY_GIB, as_problem
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.proven import Proven
from seabattle.solver.search.queries import INFEASIBLE, Goal, Value
from seabattle.solver.search.solution import Objective, Solution
from seabattle.solver.search.solve import solve_problem
from seabattle.solver.search.solve_run import SolveRun
from seabattle.solver.search.split_parts import Query, SplitJob, search_part
from seabattle.solver.search.split_query import SplitQuery
from seabattle.solver.tasks import Pool, shares_of
from seabattle.trees.tree import Tree

SOLO_SECONDS = 5.0
"""Seconds for which a game is searched in one process first."""

_NUMBERS = count()


def split_solve(
    game: Game,
    objective: str = "mean",
    *,
    workers: int = 1,
    cluster: str | None = None,
    values: bool = False,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    checkpoint: str | Path | None = None,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Callable[[], bool] | None = None,
    solo_seconds: float = SOLO_SECONDS,
) -> Solution:
    """Optimal tree of a game, found by several processes, proven and verified.

    Parameters
    ----------
    game, objective, values, time_limit, progress, stop
        As in ``solve``.
    workers
        Processes on this machine.
    cluster
        Address of a Dask scheduler, whose workers are used instead.
    memory_limit
        GiB that the searches of all processes may take; on a cluster, each of them.
    checkpoint
        Folder that keeps what is proven of each part while it is searched; the same call goes on
        from there. It is used by those workers of a cluster that see it under the same name.
    solo_seconds
        Seconds for which the game is searched in this process first.

    Raises
    ------
    SeabattleError
        As for ``solve``, or if no scheduler answers, or workers are below 1.
    WorkFailed
        If a worker process was killed, or the package that talks to clusters is not installed.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> split_solve(Rules("4x4", "3,2,1"), "worst-mean", workers=2).total_misses
    605
    """
    position_of(game)
    chosen = require_choice("objective", objective, Objective, "objective")
    require_flag("values", values)
    if require_whole("workers", workers) < 1:
        raise SeabattleError(f"workers {workers}: at least 1 is needed")
    if cluster is not None:
        require_type("cluster", cluster, str, "the address of a scheduler")
    if checkpoint is not None:
        require_path("checkpoint", checkpoint)
    require_number("solo_seconds", solo_seconds, "seconds", least=0)
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    problem = as_problem(game, memory_limit=memory_limit)
    folder = None if checkpoint is None else Path(checkpoint).resolve()
    with Pool(workers, cluster) as pool:
        alone = solo_seconds if divisible(problem) else float("inf")
        first: Solution | None = None
        if alone > 0:
            until = time.monotonic() + alone
            deadline = until if limits.deadline is None else min(until, limits.deadline)
            own = replace(limits, deadline=None if deadline == float("inf") else deadline)
            first = solve_problem(problem, chosen, values=values, limits=own)
            late = limits.deadline is not None and time.monotonic() >= limits.deadline
            if not first.stopped_by or first.interrupted or late:
                return first
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        return _SplitRun(problem, chosen, limits, pool, cluster, folder, first).solve(values=values)


def divisible(problem: Problem) -> bool:
    """Whether the first shots of a game are searched apart.

    Not where the next shot is a certain hit whose answer may tell something, nothing is left to
    find out, or some layouts weigh nothing: the first two are solved quickly anyway.
    """
    shot = problem.table.history.shot_mask
    closed = problem.hits_are_free and problem.rules.answers != "hit"
    certain_first = closed and problem.certain & ~shot
    return bool(problem.unknown) and not certain_first and problem.lightest > 0


class _SplitRun(SolveRun):
    """A ``SolveRun`` whose queries about the whole game are answered by other processes."""

    def __init__(
        self,
        problem: Problem,
        chosen: str,
        limits: Limits,
        pool: Pool,
        cluster: str | None,
        folder: Path | None,
        first: Solution | None,
    ) -> None:
        super().__init__(problem, Objective(chosen), None, limits, improving=False)
        self.pool = pool
        memory = limits.memory
        if cluster is None:
            affordable, memory = shares_of(limits.memory, pool.slots)
            pool.limit(affordable)
        until = None
        if self.search.limits.deadline is not None and cluster is None:
            until = time.time() + self.search.limits.deadline - time.monotonic()
        number = f"{os.getpid()}-{time.time_ns()}-{next(_NUMBERS)}"
        self.job = SplitJob(number, problem.table, memory, folder, pool.reader, until)
        self.asked: dict[Query, SplitQuery] = {}
        self.grown = False
        self.counted = [0, 0] if first is None else [first.states, first.nodes]
        if first is not None:
            self.lower = max(self.lower, first.lower_bound)
            if self._rank(first.tree) < self._rank(self.tree):
                self.tree = first.tree
        self._show_interval()

    def solve(self, *, values: bool) -> Solution:
        """As ``SolveRun.solve``, with the keys and sub-tables of all processes."""
        solution = super().solve(values=values)
        return replace(solution, states=self.counted[0], nodes=self.counted[1])

    def _approach(self) -> None:
        """The tree to begin with was found before."""

    def _raise_lower_bound(self, *, pausing: bool = False) -> None:
        """Each part has raised its own."""

    def _ask(self, query: Query, budget: int = INFEASIBLE, *, each: bool = False) -> SplitQuery:
        """Answer a query, unless it was answered before."""
        known = self.asked.get(query)
        if known is not None and known.answered and (known.each or not each) and (
            known.value.exact or known.value.misses >= budget
        ):  # fmt: skip
            return known
        asked = SplitQuery(self.problem, query, budget, each=each)
        states, nodes = self.counted
        stop = self.search.limits.stop or (lambda: False)
        deadline = self.search.limits.deadline
        first = Query(Goal.WORST) if self._by_worst else Query(Goal.TOTAL)
        handed = done = 0

        def over() -> bool:
            return stop() or (deadline is not None and time.monotonic() > deadline)

        def tasks() -> Iterator[tuple[SplitJob, Query, int, int, int]]:
            nonlocal handed
            for cell, code in asked.open_parts():
                if over():
                    return
                handed += 1
                yield self.job, query, cell, code, asked.part_budget(cell, code)

        def look() -> None:
            if query == first:
                self.lower = max(self.lower, min(asked.lower, self._upper))
            self._show_interval()
            if self.search.limits.report is not None:
                seconds = time.monotonic() - self.search.started
                stage = f"{self.search.stage}, {done} parts done, {handed - done} at work"
                found = self.counted[0], self.counted[1]
                shown = Snapshot(seconds, *found, stage, *(self.search.interval or ()))
                self.search.limits.report(shown)
            if over():
                self.pool.say(None)

        self.pool.say(asked.notice)
        for outcome in self.pool.run(search_part, tasks(), look):
            done += 1
            asked.take(outcome)
            self.counted = [states + asked.states, nodes + asked.nodes]
            if not over():
                self.pool.say(asked.notice)
            self._keep_better_tree(asked)
        look()
        self.asked[query] = asked
        if not asked.answered:
            if stop():
                raise KeyboardInterrupt
            if over():
                raise LimitReached(f"the time limit was reached with {self.counted[0]} keys stored")
            raise LimitReached(asked.stopped_by)
        return asked

    @property
    def _by_worst(self) -> bool:
        return self.chosen in (Objective.WORST, Objective.WORST_MEAN, Objective.PARETO)

    @property
    def _upper(self) -> int:
        return self.tree.worst_misses if self._by_worst else self.tree.total_misses

    def _keep_better_tree(self, asked: SplitQuery) -> None:
        """Keep the tree of the best complete first shot if it is better than the best so far."""
        if self.grown:
            return
        tree = asked.tree(self.position, self.chosen.value, "heuristic")
        if tree is not None and self._rank(tree) < self._rank(self.tree):
            self._verify(tree)
            self.tree = tree
            self.history.append((time.monotonic() - self.search.started, tree.total_misses))

    def _least_total(self) -> Value:
        return self._ask(Query(Goal.TOTAL), self.tree.total_misses + 1).value

    def _total(self, *, miss_limit: int | None = None, budget: int | None = None) -> Value:
        limited = miss_limit is not None
        self.search.stage = f"mean, at most {miss_limit} misses" if limited else "mean"
        if budget is None and not limited:
            return self._least_total()
        return self._ask(
            Query(Goal.TOTAL, miss_limit), INFEASIBLE if budget is None else budget
        ).value

    def _worst(self, budget: int) -> Value:
        self.search.stage = "worst case"
        return self._ask(Query(Goal.WORST), budget).value

    def _least(self) -> int:
        return self._least_total().misses

    def _grow(self, proven: Proven) -> Tree:
        self.grown = True
        return super()._grow(proven)

    def _grown(self, goal: Goal, miss_limit: int | None) -> Tree:
        asked = self._ask(Query(goal, miss_limit))
        tree = asked.tree(self.position, self.chosen.value, "optimal")
        if tree is None:
            raise AssertionError("an exact first shot has a tree for every answer")
        return tree

    def _per_orbit(
        self, goal: Goal, *, miss_limit: int | None = None, budget: int = INFEASIBLE
    ) -> dict[int, int]:
        return self._ask(Query(goal, miss_limit), budget, each=budget == INFEASIBLE).costs
