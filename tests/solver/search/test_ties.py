"""Where weights make shots tie in total, the objective still tells them apart by the worst case.

To miss a layout of weight 2 costs what it costs to miss two of weight 1, so there are many trees of
least total, and few of those have its least worst case.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.solve import solve_problem


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
@pytest.mark.parametrize("game", ["1x6 2", "1x8 3", "2x4 2", "3x4 2"])
def test_one_miss_less_never_keeps_the_least_total(game: str, answers: str) -> None:
    rules = Rules(*game.split(), answers=answers)
    layouts = DecisionTable.build(rules).layouts
    rng = random.Random(game)
    for _ in range(8):
        weights = [rng.choice([1, 1, 1, 2, 3]) for _ in range(len(layouts))]
        problem = as_problem(DecisionTable(layouts, None, np.array(weights, dtype=np.int64)))
        search, solution = ExactSearch(problem), solve_problem(problem, "mean-worst")
        assert solution.total_misses == search.minimize().misses
        one_less = search.minimize(miss_limit=solution.worst_misses - 1)
        assert one_less.misses > solution.total_misses, weights
