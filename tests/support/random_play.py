"""Sub-tables on the way of random play, for tests of what the exact searches prove of them."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray
from twins import naive
from twins.naive_trees import layouts_by_number, spoken

from seabattle.enumerate.board import cells_of
from seabattle.solver.search.problem import Problem


def layouts_of(problem: Problem) -> list[naive.Layout]:
    """The layout of each row, as sets of cells."""
    names = layouts_by_number(problem.rules)
    return [names[tuple(sorted(row))] for row in problem.numbers.tolist()]


def play(problem: Problem, rng: random.Random) -> list[tuple[NDArray[np.int64], frozenset[int]]]:
    """Closed sub-tables on the way of random shots at a random layout, with the cells shot."""
    layouts = layouts_of(problem)
    told_by = spoken(problem.rules)
    rows = np.arange(len(problem))
    true = layouts[rng.randrange(len(layouts))]
    shot: frozenset[int] = frozenset()
    passed = []
    while True:
        certain, occupied = problem.closure(rows)
        due = [cell for cell in cells_of(certain) if cell not in shot]
        if not due:
            if certain == occupied:
                return passed
            passed.append((rows, shot))
        cell = due[0] if due else rng.choice(list(cells_of(occupied & ~certain)))
        told = [naive.outcome(layouts[i], shot, cell, *told_by) for i in rows]
        mine = naive.outcome(true, shot, cell, *told_by)
        rows = rows[[answer == mine for answer in told]]
        shot |= {cell}
