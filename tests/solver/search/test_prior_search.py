"""Solving under a prior: beside the naive search, saved and verified, and the root bound."""

from __future__ import annotations

import numpy as np
from support.prior_games import all_of

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import MAX_TOTAL, DecisionTable
from seabattle.solver.search import bounds
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE
from seabattle.solver.search.solve import solve, solve_problem


def test_the_largest_weights_allowed_are_solved() -> None:
    """Totals near the limit, on a board where more than half of all shots miss."""
    layouts = all_of(Rules("4x5", "1,1", "sides"))
    each = (MAX_TOTAL - 1) // 20 // len(layouts)
    plain = solve(DecisionTable(layouts)).total_misses
    table = DecisionTable(layouts, None, np.full(len(layouts), each))
    assert plain * 2 > len(layouts) * 20
    assert solve(table, "worst-mean").total_misses == plain * each < INFEASIBLE


# The lower bound of the search


def root_bound(problem: Problem) -> int:
    lower, reach = problem.bound_arrays()
    ships = problem.rules.fleet.cells - problem.certain.bit_count()
    return int(
        bounds.counting_bound(
            *(len(problem), problem.weight, ships, problem.lightest, problem.heaviest),
            *(0, lower, reach),
        )
    )


def test_the_root_bound_uses_the_heaviest_rows() -> None:
    """One heavy layout and light ones: the bound is that of the light ones."""
    layouts = all_of(Rules("3x3", "2"))
    weights = np.ones(len(layouts), dtype=np.int64)
    plain = root_bound(Problem(DecisionTable(layouts, None, weights)))
    weights[0] = 1000
    heavy = Problem(DecisionTable(layouts, None, weights))
    assert root_bound(heavy) == plain <= solve_problem(heavy).total_misses
