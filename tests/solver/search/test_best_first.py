"""Best-first search: bounds of sub-tables that hold, rise to the optimum, and stop anywhere."""

from __future__ import annotations

import random

import numpy as np
import pytest
from support.search_games import name_of

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.growing import GreedyRule, GrowingTree
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.queries import Limits, SearchOptions
from seabattle.solver.search.solve import solve_problem
from seabattle.solver.search.workers import BestFirst

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


def begun(game: object, limits: Limits | None = None) -> BestFirst:
    """A best-first search of which nothing is explored yet."""
    search = ExactSearch(as_problem(game), limits=limits)
    search.prepare()
    return BestFirst(search)


SHORT_STEPS = Limits(rows_per_step=1)


def optimum(game: object) -> int:
    """Least misses, by the search with budgets, without bounds where that takes no time."""
    problem, options = as_problem(game), SearchOptions()
    if len(problem) < 200:
        problem, options = problem.without_symmetry(), SearchOptions.plain()
    return ExactSearch(problem, options=options).minimize().misses


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rules", GAMES[::3], ids=name_of)
def test_no_sub_table_has_less_than_its_bound(rules: Rules, weighted: bool) -> None:
    """A table that is told too large a bound says so where it is asked for a miss more."""
    table, rng = DecisionTable.build(rules), random.Random(8)
    if weighted:
        weights = np.array([rng.randrange(4) for _ in range(len(table))])
        table = DecisionTable.build(rules, prior=weights)
    search = begun(table, SHORT_STEPS)
    plain = ExactSearch(as_problem(table).without_symmetry(), options=SearchOptions.plain())
    seen = 0
    while not search.ended:
        known = search.lower
        search.go_on(1)
        assert known <= search.lower
        if rng.randrange(20) and not search.ended:
            continue
        search.tell()
        for rows in rng.sample(played(search.search.problem, seen), 5):
            value = plain.minimize(rows=rows).misses
            assert search.search.minimize(rows=rows, budget=value + 1).misses == value
            seen += 1
    assert search.proven
    assert search.lower == optimum(table)
    assert seen >= 5


def played(problem: Problem, seed: int) -> list[np.ndarray]:
    """Rows of the sub-tables of a tree that shoots any of the cells that most rows occupy."""
    growing = GrowingTree(ExactSearch(problem))
    growing.grow(GreedyRule.HITS, seed=seed)
    count = growing.growth.nodes
    shots, parents, _, leaf = (array[:count] for array in growing.nodes.values())
    end = np.arange(count)  # last node below each
    for node in range(count - 1, 0, -1):
        end[parents[node]] = max(end[parents[node]], end[node])
    return [
        growing.members[leaf[node] : leaf[end[node]]].astype(np.int64)
        for node in np.flatnonzero(shots >= 0)
    ]


def test_work_in_slices_is_the_same_each_time() -> None:
    rules = COUNTED[1]
    whole, *sliced = begun(rules), begun(rules, SHORT_STEPS), begun(rules, SHORT_STEPS)
    whole.go_on(ALL)
    assert whole.lower == optimum(rules)
    for search in sliced:
        known = 0
        while not search.ended:
            search.go_on(50_000)
            assert known <= search.lower <= whole.lower
            known = search.lower
        assert search.proven
        assert search.lower == whole.lower
        search.tell()
    one, other = sliced
    assert one.explored.sub_tables == other.explored.sub_tables
    assert one.search.nodes == other.search.nodes
    assert np.array_equal(one.search.table, other.search.table)


KNOWN = {
    Rules("4x4", "2,1", answers="sunk"): (5537, 5956, 5650),
    Rules("4x4", "2,1"): (1028, 1812, 1696),
    Rules("4x4", "2,1", answers="ship"): (10030, 15018, 11657),
    Rules("4x5", "3,2", answers="sunk"): (7388, 7162, 6475),
}
"""Sub-tables explored until the optimum is proven, those expanded, and keys: those of few rows that
are solved, and what is told."""


@pytest.mark.parametrize("rules", KNOWN, ids=name_of)
def test_it_takes_as_much_work_as_before(rules: Rules) -> None:
    search = begun(rules)
    search.go_on(ALL)
    search.tell()
    assert (search.explored.sub_tables, search.search.nodes, search.search.states) == KNOWN[rules]


@pytest.mark.parametrize("rules", [Rules("4x5", "3,2"), COUNTED[0], GAMES[7]], ids=name_of)
def test_the_search_is_told_what_is_proven(rules: Rules) -> None:
    least = optimum(rules)
    alone = ExactSearch(as_problem(rules))
    assert alone.minimize(budget=least).misses == least  # so it is at least the optimum
    told = begun(rules)
    told.go_on(ALL)
    told.tell()
    before = told.search.nodes
    assert told.search.minimize(budget=least).misses == least
    assert told.search.nodes - before < alone.nodes
    assert told.search.minimize().misses == least


def test_at_a_limit_of_memory_what_is_known_stays() -> None:
    search = begun(Rules("6x6", "3,2", answers="sunk"), Limits(memory=0.05))
    search.go_on(ALL)
    assert search.ended
    assert not search.proven
    assert 12_700 < search.lower < 14_562
    assert search.search.reserved < 0.05 / 3 * 2**30
    before = search.lower
    search.go_on(ALL)
    assert search.lower == before


def test_it_can_be_stopped() -> None:
    asked: list[int] = []
    stop = Limits(rows_per_step=1, stop=lambda: asked.append(1) or len(asked) > 2)
    search = BestFirst(ExactSearch(as_problem(COUNTED[1]), limits=stop))
    before = search.lower
    with pytest.raises(KeyboardInterrupt):
        search.go_on(ALL)
    assert before <= search.lower <= optimum(COUNTED[1])


@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_search_is_solved_with_it(threads: int) -> None:
    problem = as_problem(Rules("4x5", "2,2", answers="sunk"))
    limits = Limits(rows_per_step=1, threads=threads)
    found = solve_problem(problem, options=SearchOptions(sets=False), limits=limits)
    assert found.status == "optimal"
    assert found.total_misses == optimum(problem.rules)
