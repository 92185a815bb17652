"""Columns and words at once, the bound of mode ``hit`` where few ships lie on much water."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations
from math import comb

import numpy as np
import pytest
from support.search_games import weighted

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.bounds import reach_table
from seabattle.solver.search.dispatch import as_problem
from seabattle.solver.search.hit_search import HitSearch
from seabattle.solver.search.kernels import arrays as a
from seabattle.solver.search.kernels import bounds
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal

GAMES = [
    Rules("1x8", "2,1"),
    Rules("3x3", "2,1", "corners"),
    Rules("3x4", "3,1"),
    Rules("4x4", "2,1"),
    Rules("4x4", "3,2"),
    Rules("2x6", "2,1,1"),
    Rules("3x4", "2,2", "sides"),
]
REACH = reach_table()


def listed(held: dict[int, int]) -> np.ndarray:
    """The planes of ``counts`` for cells with so many rows each."""
    counts = np.zeros((a.COUNT_PLANES, 64), dtype=np.int64)
    for cell, rows in held.items():
        counts[a.ROWS, cell] = rows
    counts[a.BY_ROWS, : len(held)] = sorted(held, key=lambda cell: -held[cell])
    return counts


def held_by(problem: Problem, rows: np.ndarray) -> dict[int, int]:
    """How many of the rows hold each cell that some but not all of them hold."""
    cells = {c: int((problem.rows[rows] >> np.uint64(c) & np.uint64(1)).sum()) for c in range(64)}
    return {cell: number for cell, number in cells.items() if 0 < number < len(rows)}


@pytest.mark.parametrize("heavy", [False, True])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_bound_is_no_more_than_the_optimum(rules: Rules, heavy: bool) -> None:
    rng = random.Random(6)
    table = DecisionTable.build(rules)
    if heavy:
        table = weighted(table, [rng.randint(1, 5) for _ in range(len(table))])
    problem = as_problem(table)
    searches = [
        HitSearch(problem, options=options)
        for options in (
            SearchOptions.plain(),
            SearchOptions(),
            replace(SearchOptions(), finds=False),
        )
    ]
    compared = 0
    for _ in range(25):
        rows = np.arange(len(problem))
        while len(rows) > 1:
            held = held_by(problem, rows)
            ships = int(problem.rows[rows[0]]).bit_count()
            ships -= int(np.bitwise_and.reduce(problem.rows[rows])).bit_count()
            weight = int(problem.weights[rows].sum()) if heavy else len(rows)
            for goal in Goal:
                least = {search.minimize(goal, rows=rows).misses for search in searches}
                assert len(least) == 1
                bound = bounds.first_shots_bound(
                    *(len(rows), weight, -1, len(held), listed(held), REACH[ships - 1], 1),
                    *(problem.lightest, problem.heaviest, int(goal)),
                )
                assert bound <= least.pop()
                compared += bound > 0
            cell = rng.choice(sorted(held))
            hit = (problem.rows[rows] >> np.uint64(cell) & np.uint64(1)).astype(bool)
            rows = rows[hit if rng.random() < 0.3 else ~hit]
    assert compared > 25


def test_a_child_may_be_bounded_by_the_columns_of_its_parent() -> None:
    rng = random.Random(8)
    problem = as_problem(Rules("4x4", "3,2"))
    search = HitSearch(problem, options=SearchOptions.plain())
    everything = np.arange(len(problem))
    for _ in range(30):
        rows = np.array(sorted(rng.sample(range(len(problem)), rng.randint(5, 40))))
        held = held_by(problem, rows)
        cell = rng.choice(sorted(held))
        missed = rows[problem.rows[rows] >> np.uint64(cell) & np.uint64(1) == 0]
        ships = int(problem.rows[rows[0]]).bit_count()
        ships -= int(np.bitwise_and.reduce(problem.rows[missed])).bit_count()
        if ships == 0 or len(missed) < 2:
            continue
        bound = bounds.first_shots_bound(
            *(len(missed), len(missed), cell, len(held), listed(held), REACH[ships - 1], 1),
            *(1, 1, w.TOTAL),
        )
        assert bound <= search_of_any(problem, missed)
    assert search.minimize(rows=everything).misses > 0


def search_of_any(problem: Problem, rows: np.ndarray) -> int:
    """Least misses of any rows at all, which need not be what some answers leave: no cache."""
    options = replace(SearchOptions.plain(), cache=False, budgets=True)
    return HitSearch(problem, options=options).minimize(rows=rows).misses


@pytest.mark.parametrize("ways", [1, 3])
@pytest.mark.parametrize("kind", [np.int64, np.int32])
def test_no_order_of_the_shots_finds_more(ways: int, kind: type) -> None:
    """Words are int64, what is counted after hits int32."""
    rng = random.Random(7)
    for _ in range(200):
        held = [rng.randint(1, 12) for _ in range(rng.randint(1, 5))]
        n, ships = rng.randint(2, 40), rng.randint(1, 4)
        after = np.array([comb(j + ships - 1, j) for j in range(8)], dtype=kind)
        totals = 0
        steps = 0
        for k in range(len(held)):
            most = max(
                sum(min(h, ways * int(after[k - j])) for j, h in enumerate(order[: k + 1]))
                for order in permutations(held)
            )
            if most >= n:
                break
            totals += n - most
            steps += 1
        asked = n, n, -1, len(held), listed(dict(enumerate(held))), after, ways, 1, 1
        assert bounds.first_shots_bound(*asked, w.TOTAL) == totals
        assert bounds.first_shots_bound(*asked, w.WORST) == steps


def test_a_number_too_large_for_fewer_misses_is_not_used() -> None:
    """What is counted with more misses allowed bounds what is found with fewer."""
    held = {0: 9, 1: 9, 2: 9}
    falls = np.array([5, 2, 2], dtype=np.int32)
    flat = np.array([2, 2, 2], dtype=np.int32)
    for after in (falls, flat):
        asked = 20, 20, -1, 3, listed(held), after, 1, 1, 1, w.TOTAL
        assert bounds.first_shots_bound(*asked) == {5: 15, 2: 18}[int(after[0])] + 16 + 14


def test_columns_are_listed_where_no_cell_is_in_more_than_a_third_of_the_rows() -> None:
    rng = random.Random(9)
    seen = set()
    for _ in range(100):
        held = {cell: rng.randint(1, 12) for cell in rng.sample(range(64), rng.randint(1, 9))}
        n = rng.randint(12, 40)
        counts = listed(held)
        counts[a.BY_ROWS] = -1
        count = bounds.list_columns(n, np.uint64(sum(1 << cell for cell in held)), counts)
        worth_while = 3 * max(held.values()) <= n
        seen.add(worth_while)
        assert count == (len(held) if worth_while else 0)
        cells = counts[a.BY_ROWS, :count].tolist()
        assert len(set(cells)) == count
        assert [held[cell] for cell in cells] == sorted(held.values(), reverse=True)[:count]
    assert seen == {False, True}


def test_the_bound_closes_games_of_few_ships_on_much_water_sooner() -> None:
    found = {}
    for finds in (False, True):
        options = replace(SearchOptions(), finds=finds)
        search = HitSearch(as_problem(Rules("5x5", "3,2")), options=options)
        found[finds] = search.minimize().misses, search.nodes
    assert found[False][0] == found[True][0]
    assert found[True][1] < found[False][1]
