"""Best-first search: bounds of sub-tables that hold, rise to the optimum, and stop anywhere."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from support.examples import some
from support.search_games import FAMILIES, GAMES_OF_SECONDS, RANK, name_of, score, twin

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import pausing
from seabattle.solver.search.arrays import (
    A_ROW,
    BOUND,
    IS_EXACT,
    SHOTS,
    TABLE_ROWS,
    TABLE_WEIGHT,
)
from seabattle.solver.search.best_first import BestFirst
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.kernels.explored import list_rows
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import as_problem
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
TINY = some(
    [
        rules
        for family in ("hit", "closed", "named")
        for rules in FAMILIES[family]
        if rules not in GAMES_OF_SECONDS
    ][::-2],
    30,
)
"""Games of which a naive search knows the optimum; the others are in the slow run."""

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
    problem = as_problem(game)
    plain = len(problem) < 200
    options = SearchOptions.plain() if plain else SearchOptions()
    return ExactSearch(problem, options=options).minimize().misses


def rows_of(search: BestFirst, table: int) -> np.ndarray:
    count = list_rows(table, search.explored, search.own.kernel_arrays())
    return search.explored.ids[:count].astype(np.int64)


@pytest.mark.parametrize("rules", [*GAMES, *COUNTED], ids=name_of)
def test_the_bound_rises_to_the_optimum(rules: Rules) -> None:
    search, least = begun(rules), optimum(rules)
    known = 0
    while not search.ended:
        search.go_on(1, Limits(rows_per_step=1))
        assert known <= search.lower <= least
        known = search.lower
    assert search.proven
    assert search.lower == least


@pytest.mark.parametrize("rules", TINY, ids=name_of)
def test_it_is_the_optimum_of_the_naive_search(rules: Rules) -> None:
    search = begun(rules)
    search.go_on(ALL, Limits())
    assert search.lower == RANK["mean"](twin(rules).optimum())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rules", some(GAMES, 6), ids=name_of)
def test_no_sub_table_has_less_than_its_bound(rules: Rules, weighted: bool) -> None:
    table, rng = DecisionTable.build(rules), random.Random(8)
    if weighted:
        weights = np.array([rng.randrange(4) for _ in range(len(table))])
        table = DecisionTable.build(rules, prior=weights)
    search = begun(table)
    plain = ExactSearch(as_problem(table), options=SearchOptions.plain())
    weight = search.own.game.weights
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
    assert seen > 10
    assert exact > 5


@pytest.mark.parametrize(
    "position",
    [
        Position(Rules("4x4", "3,2,1")).shoot("B2", "hit").shoot("A1", "miss"),
        Position(Rules("4x4", "2,2,1", answers="sunk")).shoot("B2", "hit"),
        Position(Rules("4x4", "2,2,1", answers="ship")).shoot("C1", "hit:2#1").shoot("A4", "miss"),
    ],
    ids=["hit", "sunk", "ship"],
)
def test_it_begins_at_a_position(position: Position) -> None:
    search = begun(position)
    search.go_on(ALL, Limits())
    assert search.lower == optimum(position)


@pytest.mark.parametrize(
    "options",
    [
        replace(SearchOptions(), **{name: False})
        for name in ("orbits", "dominance", "finds", "beside", "lookahead", "cache")
    ],
    ids=lambda options: next(name for name, value in vars(options).items() if not value),
)
@pytest.mark.parametrize("rules", [GAMES[4], COUNTED[0]], ids=name_of)
def test_every_switch_leaves_the_optimum_where_it_is(rules: Rules, options: SearchOptions) -> None:
    search = begun(rules, options)
    search.go_on(ALL, Limits())
    assert search.lower == optimum(rules)


def test_work_in_slices_is_the_same_work() -> None:
    rules = COUNTED[1]
    whole = begun(rules)
    whole.go_on(ALL, Limits())
    sliced = begun(rules)
    while not sliced.ended:
        sliced.go_on(50_000, Limits(rows_per_step=1))
    assert whole.lower == sliced.lower
    known = [search.explored.tables[: search.sub_tables] for search in (whole, sliced)]
    assert len(known[0]) == len(known[1])
    results = [BOUND, IS_EXACT, TABLE_ROWS, SHOTS]
    assert np.array_equal(known[0][:, results], known[1][:, results])


@pytest.mark.parametrize("board", ["8x8", "5x7"])
def test_rows_are_those_that_fit_the_cells(board: str) -> None:
    search = begun(Rules(board, "5,4"))
    search.go_on(1_000_000, Limits(rows_per_step=1))
    cells = search.own.game.occupied_by
    seen = 0
    for number in range(1, search.sub_tables, 7):
        certain, occupied = search.explored.masks[number]
        fitting = np.flatnonzero((cells & certain == certain) & (cells & ~occupied == 0))
        assert np.array_equal(np.sort(rows_of(search, number)), fitting)
        seen += 1
    assert seen > 100


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
    assert not search.proven
    assert 12_700 < search.lower < 14_562
    assert search.nbytes < 0.02 * 2**30
    before = search.lower
    search.go_on(ALL, Limits())
    assert search.lower == before


def test_it_keeps_a_deadline_and_can_be_stopped() -> None:
    search = begun(Rules("6x6", "3,2", answers="sunk"))
    with pytest.raises(LimitReached):
        search.go_on(ALL, Limits(rows_per_step=1, deadline=time.monotonic() + 0.3))
    before = search.lower
    asked: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        search.go_on(ALL, Limits(rows_per_step=1, stop=lambda: asked.append(1) or len(asked) > 5))
    assert before <= search.lower < 14_562


def running() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "best first"]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_search_knows_more_with_it(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pausing, "PAUSES", ((1, 1), (1, 1)))
    problem = as_problem(Rules("6x6", "3,2,1", answers="sunk"))
    shown = []
    limits = Limits(deadline=time.monotonic() + 8, threads=threads, report=shown.append)
    found = solve_problem(problem, limits=limits)
    assert found.status == "bounded"
    assert 252_000 < found.lower_bound <= found.upper_bound  # 251,261 are known at once
    assert running() == []
    assert {snapshot.stage for snapshot in shown} & {"best first", "mean"}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rules", [*GAMES[:5], GAMES[7], COUNTED[0]], ids=name_of)
def test_a_solve_with_it_has_the_same_optimum(
    rules: Rules, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pausing, "PAUSES", ((1, 1), (1, 1)))
    problem = as_problem(rules)
    limits = Limits(rows_per_step=1, threads=threads)
    searched = SearchOptions(sets=False)
    without = solve_problem(problem, options=replace(searched, best_first=False), limits=limits)
    found = solve_problem(problem, options=searched, limits=limits)
    assert found.status == without.status == "optimal"
    assert score(found) == score(without)
    assert found.lower_bound == found.upper_bound
    assert running() == []
