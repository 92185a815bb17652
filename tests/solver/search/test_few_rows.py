"""Sub-tables of a few rows, whose values have closed forms, against every tree."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import numpy as np
import pytest
from support.search_games import search_of

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import INFEASIBLE


@cache
def front(rows: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Worst case and total misses of every tree that is worth having, for (row, weight) pairs."""
    if len(rows) == 1:
        return frozenset([(0, 0)])
    found = set()
    for bit in (1 << cell for cell in range(20)):
        hit = frozenset(row for row in rows if row[0] & bit)
        missed = rows - hit
        if hit and missed:
            weight = sum(weight for _, weight in missed)
            found |= {
                (max(a, 1 + b), x + y + weight)
                for (a, x), (b, y) in product(front(hit), front(missed))
            }
    return frozenset(found)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rules", [Rules("3x4", "3,2"), Rules("4x5", "2,2,1")], ids=str)
def test_few_rows_have_the_value_of_the_best_tree(rules: Rules, weighted: bool) -> None:
    rng, problem = random.Random(2), as_problem(rules)
    if weighted:
        problem.weights = np.array([rng.randint(1, 9) for _ in range(len(problem))])
    search = search_of(problem)
    # four rows of different weights are searched, and these here are not whole sub-table
    for n, _ in product((2, 3) if weighted else (2, 3, 4), range(60)):
        rows = np.array(sorted(rng.sample(range(len(problem)), n)))
        weights = problem.row_weights[rows].tolist()
        best = front(frozenset(zip(problem.rows[rows, 0].tolist(), weights, strict=True)))
        least = min(total for _, total in best)
        found = search.minimize(rows=rows)
        assert (found.misses, found.exact) == (least, True)
        for limit in range(4):
            kept = [total for worst, total in best if worst <= limit]
            found = search.minimize(rows=rows, miss_limit=limit)
            assert (found.misses < INFEASIBLE) == bool(kept)
            if kept:
                assert found.misses == min(kept)
                assert min(w for w, total in best if total == found.misses) <= found.worst <= limit
