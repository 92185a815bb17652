"""Solving under a prior whose totals are as large as they may be."""

from __future__ import annotations

import numpy as np
from support.prior_games import all_of

from seabattle.enumerate.priors.prior import MAX_TOTAL
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.queries import INFEASIBLE
from seabattle.solver.search.solve import solve


def test_the_largest_weights_allowed_are_solved() -> None:
    """Totals near the limit, on a board where more than half of all shots miss."""
    layouts = all_of(Rules("4x5", "1,1", "sides"))
    each = (MAX_TOTAL - 1) // 20 // len(layouts)
    plain = solve(DecisionTable(layouts)).total_misses
    table = DecisionTable(layouts, np.full(len(layouts), each))
    assert plain * 2 > len(layouts) * 20
    assert solve(table, "worst-mean").total_misses == plain * each < INFEASIBLE
