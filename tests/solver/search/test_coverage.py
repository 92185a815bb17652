"""What hits leave: no tree finds more layouts than were counted, and the bounds hold."""

from __future__ import annotations

import random

import numpy as np
import pytest
from support.counted_games import HIT, SUNK, counted, counting
from support.examples import THOROUGH, some
from support.random_play import layouts_of, play
from twins import naive
from twins.naive_coverage import Coverage

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.kernels import kernel
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import bounds, coverage, searcher
from seabattle.solver.search.answers import count_cells
from seabattle.solver.search.arrays import FOUND, FOUND_AFTER_HIT
from seabattle.solver.search.bounds import patterns_left
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.minimize import SubTable
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Goal, SearchOptions
from seabattle.solver.search.work import NO_LIMIT

LARGER = [
    Rules("4x4", "3,2", answers="sunk"),
    Rules("4x4", "2,1", "corners", "sunk"),
    Rules("4x4", "2,2,1", answers="sunk"),
    Rules("3x6", "3,1,1", answers="sunk"),
    Rules("4x4", "3,2,1", "corners", "sunk"),  # up to five parts after a hit
]


@kernel
def size_bound(n, weight, state, ways, cells, goal, arrays):
    """The bound of that name, for Python to call."""
    return bounds.size_bound(n, weight, state, ways, cells, goal, arrays)


@kernel
def column_bound(n, weight, sub, counts, goal, arrays):
    """The bound of that name, with no cell left out, for Python to call."""
    return bounds.column_bound(n, weight, -1, sub, counts, goal, arrays)


def state_of(search: ExactSearch, rows: np.ndarray) -> int:
    certain, _ = search.problem.closure(rows)
    found = bounds.state_of(rows[0], np.uint64(certain), search.arrays.coverage)
    return int(found)


@pytest.mark.parametrize("rules", [*some(SUNK, 5), *some(HIT, 3)], ids=str)
def test_no_tree_finds_more_than_counted(rules: Rules) -> None:
    search, rng = counted(rules), random.Random(1)
    problem = search.problem
    mode = rules.answers.value
    twin = Coverage(mode, rules.contact.value)
    layouts = layouts_of(problem)
    seen = 0
    for rows, shot in (state for _ in range(5) for state in play(problem, rng)):
        state = state_of(search, rows)
        assert state != bounds.UNKNOWN
        here = frozenset(layouts[i] for i in rows)
        for misses in range(4):
            most = twin.most(here, shot, misses)
            assert most <= search.arrays.coverage.found[state, FOUND, misses]
            seen += 1
        certain, occupied = problem.closure(rows)
        for cell in cells_of(occupied & ~certain):
            hit = frozenset(layout for layout in here if cell in naive.cells_of(layout))
            after = search.arrays.coverage.found[state, FOUND_AFTER_HIT, 1]
            told = {naive.answer(layout, tuple(shot), cell, mode) for layout in hit}
            parts = [
                frozenset(x for x in hit if naive.answer(x, tuple(shot), cell, mode) == answer)
                for answer in told
            ]
            assert sum(twin.most(part, shot | {cell}, 1) for part in parts) <= after
    assert seen > 50


def test_what_is_counted_of_a_row_of_water() -> None:
    """Ships 2 and 1 on 1x5: 6 layouts. A1 is hit in 4 of them, which the answers *hit* and *sunk*
    part in pairs: 2 are found without a miss. After a miss there B1 tells the other two apart.
    """
    search = counted(Rules("1x5", "2,1", answers="sunk"))
    root = int(search.arrays.coverage.size[0]) - 1
    assert search.arrays.coverage.found[root, FOUND, :4].tolist() == [2, 6, 6, 6]


@pytest.mark.parametrize(
    ("rules", "weighted"),
    [
        pytest.param(rules, weighted, marks=[] if weighted == number % 2 else pytest.mark.slow)
        for number, rules in enumerate(LARGER)
        for weighted in (False, True)
    ],
    ids=str,
)
def test_bounds_are_no_more_than_the_optimum(rules: Rules, weighted: bool) -> None:
    rng = random.Random(2)
    table = DecisionTable.build(rules)
    if weighted:
        prior = np.array([rng.randrange(0, 4) for _ in range(len(table))])
        table = DecisionTable.build(rules, prior=prior)
    search = counted(rules, table)
    problem = search.problem
    plain = ExactSearch(problem.without_symmetry(), options=SearchOptions.plain())
    arrays = search.arrays
    game, counts = arrays.game, arrays.counts[0]
    near = 0
    for rows, _ in (state for _ in range(8 if THOROUGH else 2) for state in play(problem, rng)):
        certain, occupied = (np.uint64(mask) for mask in problem.closure(rows))
        ids, n = rows.astype(np.int32), len(rows)
        weight = int(game.weights[rows].sum())
        ways = patterns_left(
            rows[0], certain, game.ships, game.lengths, problem.mode, arrays.patterns
        )
        cells = int(problem.rows[rows[0]]).bit_count() - int(certain).bit_count()
        count = count_cells(ids, 0, n, occupied & ~certain, 0, arrays)
        for goal in (Goal.TOTAL, Goal.WORST):
            least = plain.minimize(goal, rows=rows).misses
            for state in (state_of(search, rows), bounds.UNKNOWN):
                last = int(goal), arrays
                by_size = size_bound(n, weight, state, ways, cells, *last)
                known = n, weight, certain, occupied, ways, cells, state
                sub = SubTable(*known, False, NO_LIMIT, NO_LIMIT, count)
                by_column = column_bound(n, weight, sub, counts, *last)
                assert max(by_size, by_column) <= least
                near += max(by_size, by_column) == least
    assert near > 10


SMALL = [
    Rules("4x4", "2,1", answers="sunk"),
    Rules("4x4", "3,2,1", "corners", "sunk"),
    Rules("4x5", "2,1"),
]


def found_by(search: ExactSearch) -> np.ndarray:
    """All that is counted of the states."""
    return search.arrays.coverage.found[: int(search.arrays.coverage.size[0])].copy()


@pytest.mark.parametrize("rules", [SUNK[0], HIT[2], *SMALL], ids=str)
def test_small_arrays_count_the_same(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    once = found_by(counted(rules))
    for first_states in (1, 3, 1 << 11):
        monkeypatch.setattr(coverage, "FIRST_STATES", first_states)
        monkeypatch.setattr(searcher, "FIRST_PARTS", 2)
        search = counting(rules)
        search.rows_per_step = search.least_rows_per_step
        search.prepare()
        assert np.array_equal(found_by(search), once)


def test_counting_that_is_stopped_goes_on() -> None:
    whole = counted(SMALL[1])
    search = counting(SMALL[1], limits=Limits(stop=lambda: True))
    search.rows_per_step = search.least_rows_per_step
    stops = 0
    while search.counting:
        try:
            search.prepare()
        except KeyboardInterrupt:
            stops += 1
            known = found_by(search)
            assert np.all(known <= known[:, FOUND, -1][:, None, None])  # valid at any time
    assert stops > 3
    assert np.all(found_by(search) >= found_by(whole))
    search.limits = Limits()
    assert search.minimize().misses == whole.minimize().misses


def test_a_search_with_room_for_few_states_goes_on_without_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coverage, "MOST_STATES", 10)
    search = ExactSearch(as_problem(Rules("4x4", "3,2,1", answers="sunk")))
    assert search.minimize().misses == 428
    assert search.states_counted.size == 10
