"""A tree is the same whatever stops the loop that emits it."""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.growing import GreedyRule, GrowingTree
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import LimitReached, Limits


def test_a_loop_that_fails_at_a_limit_can_be_gone_on_with() -> None:
    rules = Rules("4x4", "3,2,1", answers="sunk")
    problem = as_problem(rules)
    search = ExactSearch(problem, limits=Limits(deadline=0.0, rows_per_step=1))
    search.rows_per_step = search.least_rows_per_step = len(problem)
    growing = GrowingTree(search)
    stops = 0
    while True:
        try:
            growing.grow(GreedyRule.HALF)
            break
        except LimitReached:
            stops += 1
    assert stops > 5
    tree = growing.tree(objective="greedy-half", status="heuristic")
    whole = greedy_tree(rules, "half")
    for name in ("shots", "first", "answers", "children", "leaf", "ships", "weights"):
        assert np.array_equal(getattr(tree, name), getattr(whole, name)), name
    assert (tree.total_misses, tree.worst_misses) == (whole.total_misses, whole.worst_misses)
