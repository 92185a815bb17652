"""Parts of one game: a first shot and an answer, searched in a process of their own.

The value of a first shot is the sum (or, for the worst case, the maximum) over its answers of what
a miss costs at once and of the value of the sub-table that is left. Each of these sub-tables is a
*part*. A process keeps one table for all parts that it searches, so that they share what they have
in common; what parts in other processes prove is not known to it, which is what splitting costs.

A part is searched with a budget: above it, its first shot is no better than the best complete one.
The budget falls while the part is searched, as other parts are finished (``solver.tasks``).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, MISS, answer_text, kernel_mode
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.layouts import name_all
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.answer_problem import AnswerProblem
from seabattle.solver.search.answer_search import AnswerSearch
from seabattle.solver.search.dispatch import as_problem, make_search
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.late_checkpoint import LateCheckpoint
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal, Value
from seabattle.solver.search.tree_building import grow, grow_by_rules
from seabattle.solver.search.workspace import Paused
from seabattle.solver.tasks import Reader
from seabattle.trees.tree import Tree

SECONDS_FOR_BOUND = 0.2
"""Seconds for which the lower bound of a part is raised after its search was stopped."""

STEPS_BETWEEN = 2
"""Steps of a search after which its budget is looked up again."""


@dataclass(frozen=True)
class Query:
    """What is asked of all parts.

    Attributes
    ----------
    goal, miss_limit
        As in ``ExactSearch.minimize``, for the whole game.
    """

    goal: Goal
    miss_limit: int | None = None

    def after(self, code: int) -> int | None:
        """The miss limit after the first answer."""
        missed = code == MISS
        return None if self.miss_limit is None else self.miss_limit - missed


@dataclass(frozen=True)
class SplitJob:
    """What all parts have in common, as it is sent to other processes.

    Attributes
    ----------
    number
        Distinguishes the games that one process works at.
    table
        The layouts of the game.
    memory
        GiB for the table of a process.
    folder
        Where what is proven is kept; None for nowhere.
    reader
        Reads the budgets, by ``part_name``.
    until
        ``time.time`` at which searches stop; None on other machines, whose clocks may differ.
    """

    number: str
    table: DecisionTable
    memory: float
    folder: Path | None
    reader: Reader
    until: float | None = None


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a part.

    Attributes
    ----------
    misses, worst, exact
        As in ``Value``; ``misses`` is a proven lower bound where it is not exact.
    tree
        A best tree of the part, where the value is exact and there is one.
    states, nodes
        Keys that were stored for it, and sub-tables expanded.
    stopped_by
        What stopped the search before it was done, in words.
    """

    cell: int
    code: int
    misses: int
    worst: int
    exact: bool
    tree: Tree | None
    states: int
    nodes: int
    stopped_by: str = ""


def part_name(cell: int, code: int) -> str:
    """What a part is called in a notice."""
    return f"{cell} {answer_text(code)}"


def answers_to(problem: Problem, cell: int) -> NDArray[np.int64]:
    """The answer code of every row of a problem to a first shot: int64 ``(n_rows,)``."""
    if not isinstance(problem, AnswerProblem):
        return np.where(problem.rows >> np.uint64(cell) & np.uint64(1), HIT, MISS)
    table = problem.table
    codes = np.empty(len(problem), dtype=np.int64)
    name_all(
        table.index, placement_table(problem.rules).masks, table.layouts.ships,
        np.array(problem.rules.fleet.lengths, dtype=np.int64),
        np.array([shot for shot, _ in table.history.shots], dtype=np.int64),
        cell, kernel_mode(problem.rules), codes,
    )  # fmt: skip
    return codes


class Part:
    """One first shot with one answer, within the search of the whole game."""

    def __init__(self, search: ExactSearch, query: Query, cell: int, code: int) -> None:
        self.search = search
        self.query = query
        self.rows = np.flatnonzero(answers_to(search.problem, cell) == code)
        self.limit = query.after(code)
        self.cell = cell
        self.code = code
        if isinstance(search, AnswerSearch):
            before = search.problem.table.history.hit_mask
            search.hit = before | (0 if code == MISS else 1 << cell)

    def minimize(self, budget: int) -> Value:
        """Least misses of the part, the first shot not counted."""
        return self.search.minimize(
            self.query.goal, miss_limit=self.limit, budget=budget, rows=self.rows
        )

    def grow(self) -> Tree:
        """A best tree of the part."""
        search = self.search
        whole = search.problem
        table = whole.table.shoot(self.cell, self.code)
        known = {"position": table.history, "objective": "mean", "status": "optimal"}
        if not isinstance(search, AnswerSearch):
            search.problem = Problem(table)  # the keys are those of the whole game
            try:
                return grow(
                    search,  # type: ignore[arg-type]
                    w.POLICY_EXACT,
                    goal=self.query.goal,
                    miss_limit=self.limit,
                    **known,  # type: ignore[arg-type]
                )
            finally:
                search.problem = whole
        part = AnswerProblem(table)
        numbers = np.searchsorted(whole.table.index, table.index)

        def choose(rows: NDArray[np.int64], shots: Sequence[int], misses: int) -> int:
            shot = mask_of(shots)
            certain, occupied = part.closure(rows)
            if certain & ~shot and part.hits_are_free:
                return next(cells_of(certain & ~shot))
            left = None if self.limit is None else self.limit - misses
            hit = shot & occupied & certain
            return search.best_shot(numbers[rows], self.query.goal, miss_limit=left, hit=hit)

        return grow_by_rules(part, choose, **known)  # type: ignore[arg-type]

    def bound(self) -> int:
        """What the table proves of the part without much more work."""
        lower = 0
        until = time.monotonic() + SECONDS_FOR_BOUND
        while time.monotonic() < until:
            value = self.search.briefly(lambda b=lower + 1: self.minimize(b))  # type: ignore[misc]
            if value is None or value.misses <= lower:
                break
            lower = value.misses
        return lower


class _Made(threading.local):
    """The search of the game that this thread works at."""

    number = ""
    search: ExactSearch | None = None


MADE = _Made()
"""What this thread has made; a simulation of several processes exchanges it."""


def _search_of(job: SplitJob, anew: bool = False) -> ExactSearch:
    """The search of the job in this thread; those of earlier jobs are dropped."""
    search = MADE.search if job.number == MADE.number else None
    if search is None or anew:
        problem = as_problem(job.table) if search is None else search.problem
        MADE.search = search = None  # its table is given back first
        search = make_search(problem, limits=Limits(memory=job.memory))
        MADE.number, MADE.search = job.number, search
    return search


def search_part(job: SplitJob, query: Query, cell: int, code: int, budget: int) -> Outcome:
    """Search a part; what other processes work at.

    Parameters
    ----------
    job
        The game.
    query, cell, code
        What is asked, of which first shot, with which answer.
    budget
        The value is exact when below this, and below what the notice says meanwhile.
    """
    search = _search_of(job)
    kept = _checkpoint(job, query, cell, code, search.problem)
    if kept is not None and kept.path.exists():
        search = _search_of(job, anew=True)
        try:
            search.resume(kept)
        except LimitReached:  # it does not fit in the memory limit
            search = _search_of(job, anew=True)
    states, nodes = search.states, search.nodes
    outcome = _searched(job, Part(search, query, cell, code), budget, kept)
    if outcome.stopped_by and states and not job.reader.ended and not _late(job):
        search = _search_of(job, anew=True)  # the table was full of other parts
        done, states, nodes = outcome, 0, 0
        outcome = _searched(job, Part(search, query, cell, code), budget, kept)
        outcome = replace(outcome, states=done.states, nodes=done.nodes)
    return replace(
        outcome,
        states=outcome.states + search.states - states,
        nodes=outcome.nodes + search.nodes - nodes,
    )


def _late(job: SplitJob) -> bool:
    return job.until is not None and time.time() >= job.until


def _checkpoint(
    job: SplitJob, query: Query, cell: int, code: int, problem: Problem
) -> LateCheckpoint | None:
    """Where a part keeps what is proven; None where there is no folder for it."""
    if job.folder is None or not job.folder.is_dir():
        return None
    limit = "" if query.miss_limit is None else f" {query.miss_limit}"
    answer = answer_text(code).replace(":", "-").replace("#", "-")
    name = f"{query.goal.name.lower()}{limit} {problem.rules.board.name(cell)} {answer}.npz"
    return LateCheckpoint(job.folder / name, problem, lambda: job.reader.ended or _late(job))


def _searched(job: SplitJob, part: Part, budget: int, kept: LateCheckpoint | None) -> Outcome:
    search = part.search
    deadline = None
    if job.until is not None:
        deadline = time.monotonic() + job.until - time.time()
    search.limits = Limits(deadline, job.memory, stop=lambda: job.reader.ended)
    search.checkpoint = kept
    name = part_name(part.cell, part.code)
    value, tree, stopped_by = Value(0, 0, False), None, ""
    try:
        while True:
            said = job.reader.read()
            if said is None:
                raise KeyboardInterrupt
            budget = min(budget, said.get("budgets", {}).get(name, budget))
            if budget <= 0:
                break
            search.rows_left = STEPS_BETWEEN * search.rows_per_step
            try:
                search.prepare()
                value = part.minimize(budget)
                break
            except Paused:
                pass
            finally:
                search.rows_left = None
        if value.exact and value.feasible:
            tree = part.grow()
    except (LimitReached, KeyboardInterrupt, MemoryError) as stop:
        stopped_by = str(stop) or "stopped"
        bound = value.misses if value.exact else part.bound()
        value = Value(bound, 0, False)
        search.save()
    finally:
        search.checkpoint = None
        search.limits = Limits(memory=job.memory)
    return Outcome(
        part.cell, part.code, value.misses, value.worst, value.exact, tree, 0, 0, stopped_by
    )
