"""Better trees than greedy ones long before a proof: rollouts of rollouts of the greedy rule.

``kernels.rollout`` says what the policies of rising levels are, and why each misses no more than
the one below. They work on a table of their own, so that the exact search finds the same keys with
them or without; one compiled loop serves every answer mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.game.board import cells_of, mask_of
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode
from seabattle.enumerate.layouts.table import DecisionTable
from seabattle.solver.search.answer_search import AnswerProblem, AnswerSearch
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.tree_building import assemble, grow_by_rules
from seabattle.solver.search.workspace import Paused
from seabattle.trees.tree.tree import Tree

LEVELS = (
    *((1, 8), (3, 8), (4, 8), (5, 8), (6, 8), (8, 8)),
    *((8, 12), (10, 12), (12, 12), (12, 16), (12, 20), (12, 24)),
)
"""Of each level, how many cells it weighs, and up to how many rows it solves exactly.

Narrow levels are cheap, and several of them find more than one that is wide."""

STEPS_PER_STEP = 10
"""A row costs more here than in the search: steps look at so many times fewer."""


class PlainProblem(AnswerProblem):
    """A problem of mode ``hit``, as the search of the other modes reads it: a row per occupancy."""

    symmetries = Problem.symmetries

    def __init__(self, table: DecisionTable) -> None:
        Problem.__init__(self, table)
        self.ships = np.zeros((len(self), len(table.rules.fleet.lengths)), dtype=np.uint64)
        self.mode = w.PLAIN

    @property
    def key_words(self) -> int:
        """Words of a key."""
        return 2 if self.two_words else 1


class Improver:
    """Trees of rollouts of the greedy rule, level by level.

    Parameters
    ----------
    problem
        The problem of the exact search.
    limits
        When to stop; reports and ``stop`` are asked as by a search.

    Examples
    --------
    >>> from seabattle.enumerate.game.rules import Rules
    >>> improver = Improver(AnswerProblem(DecisionTable.build(Rules("4x4", "3,2", answers="ship"))))
    >>> [improver.climb() for level in range(3)]
    [316, 309, 309]
    """

    def __init__(self, problem: Problem, limits: Limits | None = None) -> None:
        self.problem = problem
        history = problem.table.history
        plain = problem.rules.answers is AnswerMode.HIT
        own = PlainProblem(problem.table) if plain else problem
        assert isinstance(own, AnswerProblem)
        self.search = AnswerSearch(own, limits=limits, hit=history.hit_mask)
        # A path goes no deeper than there are cells: so every step ends with something kept.
        self.search.least_rows_per_step = (own.cells + 2) * len(own)
        self.search.rows_per_step = max(
            self.search.limits.rows_per_step // STEPS_PER_STEP, self.search.least_rows_per_step
        )
        self.rules = np.array(LEVELS, dtype=np.int64)
        self.level = -1

    def climb(self) -> int:
        """Misses in total of the next level's policy.

        Raises
        ------
        LimitReached
            At a limit of time or memory; what the level has chosen so far is kept.
        """
        from seabattle.solver.search.kernels.rollout import follow_all

        self.level += 1
        ids = np.arange(len(self.search.problem), dtype=np.int32)
        search = self.search
        return search.run(
            lambda: follow_all(
                ids, np.uint64(search.hit), self.level, self.rules, search.kernel_arrays()
            )
        )

    def improve(self, rows: int) -> None:
        """Climb until a limit is reached or that many rows were looked at.

        Growing the tree comes after the deadline, and may take as much memory again.
        """
        search = self.search
        search.rows_left = rows
        try:
            while self.level + 1 < len(self.rules):
                self.climb()
        except (Paused, LimitReached):
            pass
        finally:
            search.rows_left = None
            # What is asked while the tree grows may be new to a table that is full.
            memory = 2 * search.limits.memory
            search.limits = replace(search.limits, deadline=None, memory=memory)

    def grow(self, *, position: Position, objective: str, status: str) -> Tree:
        """The tree of the best shots known.

        Parameters
        ----------
        position, objective, status
            Recorded in the tree.
        """
        if isinstance(self.search.problem, PlainProblem):
            return self._grow_plain(position=position, objective=objective, status=status)
        from seabattle.solver.search.kernels.rollout import planned_shot

        search, problem = self.search, self.problem
        free = problem.hits_are_free

        def choose(rows: NDArray[np.int64], shots: Sequence[int], misses: int) -> int:
            shot = mask_of(shots)
            certain, occupied = problem.closure(rows)
            if certain & ~shot and free:
                return next(cells_of(certain & ~shot))
            ids = rows.astype(np.int32)
            hit = np.uint64(shot & certain)
            masks = np.uint64(certain), np.uint64(occupied)
            search.counters[w.ARENA_TOP] = 0
            return search.run(
                lambda: planned_shot(
                    ids, 0, len(ids), *masks, hit, self.level, self.rules, search.kernel_arrays()
                )
            )

        return grow_by_rules(problem, choose, position=position, objective=objective, status=status)

    def _grow_plain(self, *, position: Position, objective: str, status: str) -> Tree:
        from seabattle.solver.search.kernels.rollout import emit

        n = len(self.search.problem)
        ids = np.arange(n, dtype=np.int32)
        shots = np.empty(2 * n, dtype=np.int16)
        children = np.empty((2 * n, 2), dtype=np.int32)
        leaves = np.empty(2 * n, dtype=np.uint64)
        progress = np.zeros(3, dtype=np.int64)

        def step() -> int:
            progress.fill(0)
            return int(
                emit(
                    *(ids, 0, n, 0, self.level, self.rules, shots, children, leaves, progress),
                    self.search.kernel_arrays(),
                )
            )

        self.search.run(step)
        nodes, total, worst = progress.tolist()
        return assemble(
            self.problem, shots[:nodes], children[:nodes], leaves[:nodes], total, worst,
            position=position, objective=objective, status=status,
        )  # fmt: skip


def improved_tree(tree: Tree, problem: Problem, limits: Limits, rows: int) -> Tree:
    """A tree of a problem that misses no more in total than the one given.

    Parameters
    ----------
    tree
        The best one known, which is returned where no better one is found.
    problem, limits
        As in ``Improver``. Growing the tree comes after the deadline.
    rows
        Rows that may be looked at: how long it takes.

    Raises
    ------
    KeyboardInterrupt
        Where ``limits.stop`` says so.
    """
    improver = Improver(problem, limits)
    improver.improve(rows)
    if improver.level < 1:
        return tree
    try:
        found = improver.grow(position=tree.position, objective=tree.objective, status=tree.status)
    except LimitReached:
        return tree
    return found if found.total_misses < tree.total_misses else tree
