"""The most layouts that play can finish with at most K misses.

    finished(S, -1) = 0
    finished(S, k)  = weight of S where all its layouts occupy the same cells, else the most over
                      cells c of the sum, over the answers to a shot at c, of
                      finished(what a miss leaves, k - 1), finished(what another leaves, k)

It is searched as what is *lost*, so that less is better here as everywhere:

    lost(S, k) = weight of S - finished(S, k)

with the fail-soft budgets, keys and table of the other searches: a value is exact below the budget,
otherwise a lower bound; the misses left stand where they have their miss limit. Answers split a
sub-table as in ``answers``, certain hits are free there, and dominance holds (``minimize``): the
better shot costs no layout more than the other.

Two bounds. In mode ``hit`` no more than C(k + h, k) occupancies with h cells in question are told
apart with k misses (``bounds``). In every mode what is finished was hit by one of the first k + 1
shots of the path on which every shot misses: at most the k + 1 largest columns, of which the i-th,
after i misses, is worth no more than its C(k - i + h - 1, k - i) occupancies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.compile_notice import working_seconds
from seabattle.solver.search import work as w
from seabattle.solver.search.answers import part_all
from seabattle.solver.search.arrays import ENTRY_WEIGHT, HI, LEAST, LO, MISSED, H, K, U
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.greedy import GreedyRule, grow_greedy
from seabattle.solver.search.growing import GrowingTree, grow_best
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import SearchOptions
from seabattle.solver.search.solution import Solution, left_open
from seabattle.solver.search.solve_run import Deepening, orbit_values
from seabattle.trees.tree import Tree
from seabattle.trees.verify import require_valid

if TYPE_CHECKING:
    from seabattle.solver.search.checkpoint import Checkpoint

MOST_ALLOWED = 64
"""No tree on a board of up to 64 cells misses more often."""


class FinishSearch(ExactSearch):
    """The exact search for the least that is lost; its table holds that in place of misses.

    Parameters
    ----------
    problem, options, limits
        As for ``ExactSearch``. One thread searches.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> search = FinishSearch(as_problem(Rules("4x4", "3")))
    >>> [16 - search.lost(k)[0] for k in range(6)]
    [1, 4, 8, 11, 14, 16]
    """

    def lost(self, left: int, *, cell: int = -1, budget: int | None = None) -> tuple[int, bool]:
        """Least weight lost with so many misses allowed, and whether that is exact.

        Parameters
        ----------
        left
            Misses allowed, 0 to ``MOST_ALLOWED``.
        cell
            The first shot, -1 for the best.
        budget
            The value is exact when below this, else only proven to be at least as much.
        """
        most = self.problem.weight + 1 if budget is None else budget
        ids = np.arange(len(self.problem), dtype=np.int32)
        value = self.run(lambda: self._lost_after(ids, cell, left, most))
        return value, value < most

    def _lost_after(self, ids: NDArray[np.int32], cell: int, left: int, budget: int) -> int:
        """What all parts lose together; as ``minimize_after``."""
        from seabattle.solver.search.finish import bound_parts, least_lost

        arrays = self.kernel_arrays()
        entries, masks, _ = arrays.arena
        if part_all(ids, cell, np.uint64(self.hit), arrays) == w.STOP:
            return w.STOP
        value = int(bound_parts(0, ids, left, arrays))
        for p in range(int(self.counters[w.ARENA_TOP])):
            if value >= budget:
                break
            lo, hi, missed, weight, least = (
                int(entries[p, at]) for at in (LO, HI, MISSED, ENTRY_WEIGHT, LEAST)
            )
            part = lo, hi, *masks[p, [H, U, K]], weight
            answer = int(least_lost(ids, *part, budget - (value - least), left - missed, 1, arrays))
            if answer == w.STOP:
                return w.STOP
            value += answer - least
        return value

    def grow_within(self, left: int, **recorded: Any) -> Tree:
        """A tree that loses least; what needs more misses is shot at greedily.

        ``recorded`` are the objective and status of ``GrowingTree.tree``.
        """
        from seabattle.solver.search.finish import least_lost

        growing = GrowingTree(self, miss_limit=left)

        def ask(*of_rows: Any) -> int:
            *part, limit = of_rows
            return int(least_lost(*part, part[-1] + 1, limit, 0, self.kernel_arrays()))

        growing.grow(w.POLICY_KNOWN, ask=ask, by_misses=False)
        return growing.tree(**recorded)


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
        one = replace(limits or Limits(), threads=1)
        self.search = FinishSearch(problem, options=options, limits=one)
        told = Limits(report=one.report)
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
            value, exact = self.search.lost(self.left, budget=budget)
            if exact:
                return value
            self.lower = value
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
        tree = self._verified(search.grow_within(self.left, **recorded), status="optimal")
        if self._lost_by(tree) != self.lower:
            raise AssertionError(f"the tree loses {self._lost_by(tree)}, not {self.lower}")
        return tree

    def _value(self, budget: int | None = None) -> Callable[[int], int]:
        return lambda cell: self.search.lost(self.left, cell=cell, budget=budget)[0]

    def _best_shots(self) -> tuple[str, ...]:
        problem = self.problem
        due = problem.certain & ~problem.mask(self.position.shot_mask)
        if problem.unknown == 0:
            return problem.names(due)
        worth = orbit_values(problem, self.position, self._value(self.lower + 1))
        best = mask_of(cell for cell, lost in worth.items() if lost == self.lower)
        return problem.names(best | (due if problem.hits_are_free else 0))

    def _values(self) -> tuple[int, ...]:
        """Weight finished at most after each first shot: one that tells nothing costs a miss."""
        problem, best = self.problem, self.problem.weight - self.lower
        lost = orbit_values(problem, self.position, self._value()) if problem.unknown else {}
        worth = {cell: problem.weight - value for cell, value in lost.items()}
        worth = dict.fromkeys(cells_of(problem.certain), best) | worth
        water = problem.weight - self.search.lost(self.left - 1)[0] if self.left else 0
        return problem.on_all_cells(worth, self.position, shot=best, water=water)
