"""Best-first search: bounds of sub-tables that hold, rise to the optimum, and stop anywhere."""

from __future__ import annotations

import random

import numpy as np
import pytest
from support.search_games import name_of

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.arrays import (
    A_ROW,
    BOUND,
    IS_EXACT,
    TABLE_ROWS,
    TABLE_WEIGHT,
)
from seabattle.solver.search.best_first import BestFirst, list_rows
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import SearchOptions
from seabattle.solver.search.solve import solve_problem

GAMES = [
    Rules("4x4", "2,1"),
    Rules("3x4", "2,1,1", "corners"),
    Rules("4x4", "3,2", "sides"),
    Rules("4x4", "2,1", answers="sunk"),
    Rules("4x4", "3,2,1", answers="sunk"),
    Rules("3x5", "2,2", "corners", "sunk"),
    Rules("3x4", "3,1,1", answers="sunk"),
    Rules("4x4", "2,1", answers="ship"),
    Rules("3x4", "2,2,1", "corners", "ship"),
    Rules("3x3", "2,2", "sides", "ship"),
]

COUNTED = [Rules("4x5", "3,2", answers="sunk"), Rules("5x5", "3,2", answers="sunk")]
ALL = 10**12
"""Rows in which every game here is proven."""


def begun(game: object, options: SearchOptions | None = None) -> BestFirst:
    """A best-first search of which nothing is explored yet."""
    search = ExactSearch(as_problem(game), options=options)
    search.prepare()
    return BestFirst(search)


def optimum(game: object) -> int:
    """Least misses, by the search with budgets, without bounds where that takes no time."""
    problem, options = as_problem(game), SearchOptions()
    if len(problem) < 200:
        problem, options = problem.without_symmetry(), SearchOptions.plain()
    return ExactSearch(problem, options=options).minimize().misses


def rows_of(search: BestFirst, table: int) -> np.ndarray:
    count = list_rows(table, search.explored, search.own.arrays)
    return search.explored.ids[:count].astype(np.int64)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rules", GAMES[::3], ids=name_of)
def test_no_sub_table_has_less_than_its_bound(rules: Rules, weighted: bool) -> None:
    table, rng = DecisionTable.build(rules), random.Random(8)
    if weighted:
        weights = np.array([rng.randrange(4) for _ in range(len(table))])
        table = DecisionTable.build(rules, prior=weights)
    search = begun(table)
    plain = ExactSearch(as_problem(table).without_symmetry(), options=SearchOptions.plain())
    weight = search.own.arrays.game.weights
    seen = exact = 0
    while not search.ended:
        search.go_on(1, Limits(rows_per_step=1))
        if rng.randrange(20) and not search.ended:
            continue
        for number in rng.sample(range(1, search.sub_tables), min(25, search.sub_tables - 1)):
            known = search.explored.tables[number]
            rows = rows_of(search, number)
            assert len(rows) == known[TABLE_ROWS]
            assert weight[rows].sum() == known[TABLE_WEIGHT]
            assert known[A_ROW] in rows
            value = plain.minimize(rows=rows).misses
            assert known[BOUND] <= value
            if known[IS_EXACT]:
                assert known[BOUND] == value
                exact += 1
            seen += 1
    assert search.lower == optimum(table)
    assert seen > 5
    assert exact > 2


def test_work_in_slices_is_the_same_each_time() -> None:
    rules = COUNTED[1]
    whole, *sliced = begun(rules), begun(rules), begun(rules)
    whole.go_on(ALL, Limits())
    assert whole.lower == optimum(rules)
    for search in sliced:
        known = 0
        while not search.ended:
            search.go_on(50_000, Limits(rows_per_step=1))
            assert known <= search.lower <= whole.lower
            known = search.lower
        assert search.explored.tables[0, IS_EXACT]
        assert search.lower == whole.lower
    one, other = (search.explored.tables[: search.sub_tables] for search in sliced)
    assert np.array_equal(one, other)


@pytest.mark.parametrize("rules", [Rules("4x5", "3,2"), COUNTED[0], GAMES[7]], ids=name_of)
def test_the_search_is_told_what_is_proven(rules: Rules) -> None:
    search = begun(rules)
    search.go_on(ALL, Limits())
    least = optimum(rules)
    assert search.search.minimize(budget=least).misses == least  # so it is at least the optimum
    alone = search.search.nodes
    told = begun(rules)
    told.go_on(ALL, Limits())
    told.tell()
    assert told.search.states > 0
    assert told.search.minimize(budget=least).misses == least
    assert told.search.nodes < alone
    assert told.search.minimize().misses == least


def test_at_a_limit_of_memory_what_is_known_stays() -> None:
    search = begun(Rules("6x6", "3,2", answers="sunk"))
    search.go_on(ALL, Limits(memory=0.01))
    assert search.ended
    assert not search.explored.tables[0, IS_EXACT]
    assert 12_700 < search.lower < 14_562
    assert search.nbytes < 0.02 * 2**30
    before = search.lower
    search.go_on(ALL, Limits())
    assert search.lower == before


def test_it_can_be_stopped() -> None:
    search = begun(COUNTED[1])
    search.own.rows_per_step = search.own.least_rows_per_step
    before = search.lower
    asked: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        search.go_on(ALL, Limits(stop=lambda: asked.append(1) or len(asked) > 2))
    assert before <= search.lower <= optimum(COUNTED[1])


@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_search_is_solved_with_it(threads: int) -> None:
    problem = as_problem(Rules("4x5", "2,2", answers="sunk"))
    limits = Limits(rows_per_step=1, threads=threads)
    found = solve_problem(problem, options=SearchOptions(sets=False), limits=limits)
    assert found.status == "optimal"
    assert found.total_misses == optimum(problem.rules)
