"""Where weights make shots tie in total, the objective still tells them apart by the worst case.

Layouts of weight 0 cost nothing in total and count in the worst case, so with many of them there
are many trees of least total, and few of those have its least worst case. Positive weights tie as
well: to miss a layout of weight 2 costs what it costs to miss two of weight 1.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from twins import naive
from twins.naive_trees import layouts_by_number, position_of, spoken

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.solution import Objective, Solution
from seabattle.solver.search.solve import solve_problem
from seabattle.trees.verify import verify

History = Sequence[tuple[int, str]]


RANK: dict[str, Callable[[naive.Front], object]] = {
    "mean": lambda front: min(total for _, total in front),
    "worst": lambda front: min(worst for worst, _ in front),
    "mean-worst": lambda front: min((total, worst) for worst, total in front),
    "worst-mean": min,
    "pareto": tuple,
}


def score(solution: Solution) -> object:
    """What the objective of a solution compares, as ``RANK`` gives it."""
    worst, total = solution.worst_misses, solution.total_misses
    return {
        "mean": total,
        "worst": worst,
        "mean-worst": (total, worst),
        "worst-mean": (worst, total),
        "pareto": tuple((tree.worst_misses, tree.total_misses) for tree in solution.front),
    }[solution.objective]


class Weighted:
    """A game with weights, in a position: as the package takes it, and its naive search.

    ``weights`` are in the order of the enumeration.
    """

    def __init__(self, rules: Rules, weights: Sequence[int], history: History = ()) -> None:
        self.rules = rules
        self.position = position_of(rules, history)
        layouts = DecisionTable.build(rules).layouts
        table = DecisionTable(layouts, None, np.array(weights, dtype=np.int64))
        self.table = table.at(self.position)
        by_number = layouts_by_number(rules)
        rows = [by_number[tuple(sorted(map(int, row)))] for row in layouts.ships]
        weigh = dict(zip(rows, weights, strict=True))
        self.shot = frozenset(cell for cell, _ in history)
        left = naive.fitting(rows, history, *spoken(rules))
        self.naive = naive.Search(left, *spoken(rules), weights=weigh)
        self.front = self.naive.optimum(self.shot)

    @classmethod
    def listed(cls, rules: Rules, weights: dict[str, int], history: History = ()) -> Weighted:
        """With a weight for some layouts by their names; the others weigh 0."""
        layouts = DecisionTable.build(rules).layouts
        names = [" ".join(layouts.names(i)) for i in range(len(layouts))]
        assert set(weights) <= set(names)
        return cls(rules, [weights.get(name, 0) for name in names], history)

    def solve(self, objective: str, options: SearchOptions | None = None) -> Solution:
        return solve_problem(as_problem(self.table), objective, options=options)

    def best_shots(self, objective: str) -> tuple[str, ...]:
        """Cells that a tree of the optimum begins with; with ``pareto`` one of its first tree."""
        rank = RANK[objective] if objective != "pareto" else min
        possible = frozenset().union(*map(naive.cells_of, self.naive.found)) - self.shot
        return tuple(
            self.rules.board.name(cell)
            for cell in sorted(possible)
            if rank(self.naive.after(self.naive.found, self.shot, cell)) == rank(self.front)
        )

    def check(self, objective: str, options: SearchOptions | None = None) -> None:
        """Solve, and compare everything with the naive search."""
        solution = self.solve(objective, options)
        about = self.rules, self.table.weights.tolist(), self.position, objective, options
        assert score(solution) == RANK[objective](self.front), about
        assert solution.status == "optimal"
        for tree in solution.front or (solution.tree,):
            assert verify(tree, layouts=self.table.layouts), about
        if len({naive.cells_of(layout) for layout in self.naive.found}) > 1:
            assert solution.best_shots == self.best_shots(objective), about


# Examples by name

EXAMPLES = {
    "1x6": (Rules("1x6", "2"), {"A1:B1": 1, "C1:D1": 2, "E1:F1": 1}, "", (3, 2)),
    "1x8": (Rules("1x8", "3"), {"B1:D1": 1, "D1:F1": 1}, "", (1, 2)),
    "2x4": (Rules("2x4", "2"), {"B1:C1": 1, "C2:D2": 1, "A1:A2": 1, "C1:C2": 1}, "", (4, 4)),
    "3x4": (Rules("3x4", "2"), {"A3:B3": 1, "B3:C3": 1, "D2:D3": 1}, "B2,C1", (2, 4)),
    "no weight of 0": (
        Rules("1x6", "2"),
        {"A1:B1": 2, "B1:C1": 2, "C1:D1": 3, "D1:E1": 1, "E1:F1": 1},
        "",
        (9, 2),
    ),
}
"""Game, weights (what is not listed weighs 0), cells missed, least total and its worst case."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_of_all_trees_of_least_total_the_best_in_the_worst_case(name: str) -> None:
    rules, weights, missed, best = EXAMPLES[name]
    history = [(rules.board.cell(cell), "miss") for cell in missed.split(",") if cell]
    game = Weighted.listed(rules, weights, history)
    assert RANK["mean-worst"](game.front) == best
    for objective in Objective:
        game.check(objective)


# Every mode, contact rule and objective


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
@pytest.mark.parametrize("game", ["1x6 2", "1x8 3", "2x4 2", "3x4 2"])
def test_one_miss_less_never_keeps_the_least_total(game: str, answers: str) -> None:
    """Asked of the search alone, so that many more weights can be tried."""
    rules = Rules(*game.split(), answers=answers)
    layouts = DecisionTable.build(rules).layouts
    rng = random.Random(game)
    for _ in range(8):
        weights = [rng.choice([0, 0, 0, 1]) for _ in range(len(layouts) - 1)] + [1]
        problem = as_problem(DecisionTable(layouts, None, np.array(weights, dtype=np.int64)))
        search, solution = ExactSearch(problem), solve_problem(problem, "mean-worst")
        assert solution.total_misses == search.minimize().misses
        one_less = search.minimize(miss_limit=solution.worst_misses - 1)
        assert one_less.misses > solution.total_misses, weights
