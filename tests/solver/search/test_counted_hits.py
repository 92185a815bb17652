"""What hits leave in mode ``hit``: the bounds made of it hold, and no optimum moves with it."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from support.random_play import play
from support.search_games import weighted

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import counted_hits, state_count
from seabattle.solver.search.counted_hits import HitStates, counting_search, is_counted
from seabattle.solver.search.dispatch import as_problem, make_search
from seabattle.solver.search.hit_search import HitSearch
from seabattle.solver.search.kernels import finds_bounds
from seabattle.solver.search.kernels.arrays import FOUND
from seabattle.solver.search.kernels.bounds import counting_bound, list_columns
from seabattle.solver.search.kernels.states import UNKNOWN, state_of
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal
from seabattle.solver.search.solution import Objective
from seabattle.solver.search.solve import solve_problem

GAMES = [
    Rules("4x4", "2,1"),
    Rules("4x4", "3,2"),
    Rules("3x5", "3,1", "corners"),
    Rules("4x4", "2,2", "corners"),
    Rules("3x5", "2,1,1"),
]
CASES = [
    pytest.param(rules, heavy, marks=[] if heavy == number % 2 else pytest.mark.slow)
    for number, rules in enumerate(GAMES)
    for heavy in (False, True)
]
"""Every day with weights or without them; the slow tests take both."""
OFF = ["orbits", "ordering", "dominance", "lookahead", "budgets", "finds", "bounds"]


@pytest.fixture
def small_games_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small games are counted, too, which are solved before it pays."""
    monkeypatch.setattr(counted_hits, "LEAST_CELLS", 0)
    monkeypatch.setattr(counted_hits, "LEAST_ROWS", 0)


def table_of(rules: Rules, *, heavy: bool) -> DecisionTable:
    table = DecisionTable.build(rules)
    rng = random.Random(7)
    return weighted(table, [rng.randint(1, 4) for _ in range(len(table))]) if heavy else table


def counted(problem: Problem, **limits: int) -> HitSearch:
    search = HitSearch(problem, limits=Limits(**limits))  # type: ignore[arg-type]
    search.prepare()
    assert not search.counting
    return search


@pytest.mark.usefixtures("small_games_count")
@pytest.mark.parametrize(("rules", "heavy"), CASES, ids=str)
def test_bounds_are_no_more_than_the_optimum(rules: Rules, heavy: bool) -> None:
    rng = random.Random(4)
    problem = as_problem(table_of(rules, heavy=heavy))
    plain = HitSearch(problem, options=SearchOptions.plain())
    search = counted(problem)
    counts = search.counts[0]
    looked_up = better = 0
    for rows, _ in (state for _ in range(8) for state in play(HitStates(problem.table), rng)):
        n = len(rows)
        certain, occupied = problem.closure(rows)
        state = int(finds_bounds.state_of_hits(99, np.uint64(certain), search.finds))
        assert state != UNKNOWN
        weight = int(problem.weights[rows].sum()) if heavy else n
        cells = int(problem.rows[rows[0]]).bit_count() - certain.bit_count()
        columns = columns_of(problem, rows, occupied & ~certain, counts)
        heaviest = problem.lightest, problem.heaviest
        for goal in Goal:
            least = plain.minimize(goal, rows=rows).misses
            known = []
            for number in (state, UNKNOWN):
                path = finds_bounds.columns_after_hits(
                    *(n, weight, -1, columns, counts, number, cells, *heaviest, int(goal)),
                    *(search.reach, search.finds),
                )
                known.append(path)
                assert path <= least
            size = finds_bounds.bound_of_hits(n, weight, state, *heaviest, int(goal), search.finds)
            words = counting_bound(
                *(n, weight, cells, *heaviest, int(goal)), *(search.lower, search.reach)
            )
            assert size <= least
            better += max(known[0], size) > max(known[1], words)
            looked_up += 1
    assert looked_up > 40
    assert better > 0 or rules in (GAMES[2], GAMES[4])


def columns_of(problem: Problem, rows: np.ndarray, unknown: int, counts: np.ndarray) -> int:
    """Fill ``counts`` with the columns of some rows, and list them; how many there are."""
    masks, weights = problem.rows[rows], problem.weights
    for cell in range(64):
        hit = (masks >> np.uint64(cell) & np.uint64(1)).astype(bool)
        counts[0, cell] = hit.sum()
        counts[1, cell] = weights[rows][hit].sum() if len(weights) else hit.sum()
    return int(list_columns(3 * len(rows), np.uint64(unknown), counts))


@pytest.mark.usefixtures("small_games_count")
@pytest.mark.parametrize(("rules", "heavy"), CASES, ids=str)
def test_no_optimum_moves(rules: Rules, heavy: bool) -> None:
    problem = as_problem(table_of(rules, heavy=heavy))
    plain = HitSearch(problem, options=SearchOptions.plain())
    for goal, limit in ((Goal.TOTAL, None), (Goal.WORST, None), (Goal.TOTAL, 8)):
        least = plain.minimize(goal, miss_limit=limit)
        for name in (None, *OFF):
            options = replace(SearchOptions(), **{name: False} if name else {})
            search = HitSearch(problem, options=options)
            search.prepare()
            found = search.minimize(goal, miss_limit=limit)
            assert (found.misses, found.exact) == (least.misses, least.exact)
            assert (len(search.finds.found) > 0) == (name not in ("finds", "bounds"))
            if goal is Goal.TOTAL and limit is None:
                low = search.minimize(budget=least.misses // 2)
                assert not low.exact
                assert low.misses <= least.misses


@pytest.mark.usefixtures("small_games_count")
def test_nothing_kept_by_key_leaves_the_optimum() -> None:
    problem = as_problem(Rules("3x3", "2,1", "corners"))
    search = HitSearch(problem, options=replace(SearchOptions(), cache=False))
    search.prepare()
    assert len(search.finds.found) > 0
    plain = HitSearch(problem, options=SearchOptions.plain())
    assert search.minimize().misses == plain.minimize().misses


@pytest.mark.usefixtures("small_games_count")
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_trees_and_positions(rules: Rules) -> None:
    rng = random.Random(5)
    for game in (rules, *positions(rules, rng)):
        for objective in (Objective.MEAN, Objective.MEAN_WORST):
            problem = as_problem(game)
            some = solve_problem(problem, objective, options=SearchOptions(sets=False))
            plain = solve_problem(problem, objective, options=SearchOptions.plain())
            assert some.total_misses == plain.total_misses
            assert some.worst_misses == plain.worst_misses
            assert some.best_shots == plain.best_shots


def positions(rules: Rules, rng: random.Random) -> list[Position]:
    """Positions after a hit and a miss each, where two cells answer so."""
    table = DecisionTable.build(rules)
    found = []
    for _ in range(3):
        layout = int(table.masks[rng.randrange(len(table)), 0])
        cells = rng.sample(range(rules.board.cells), 3)
        answers = ["hit" if layout >> cell & 1 else "miss" for cell in cells]
        names = map(rules.board.name, cells)
        found.append(Position.read(rules, list(zip(names, answers, strict=True))))
    return found


@pytest.mark.usefixtures("small_games_count")
def test_threads_share_what_is_counted() -> None:
    problem = as_problem(Rules("4x5", "2,1"))
    alone, both, plain = (
        solve_problem(problem, options=options, limits=Limits(threads=threads))
        for threads, options in (
            (1, SearchOptions(sets=False)),
            (2, SearchOptions(sets=False)),
            (1, SearchOptions(finds=False)),
        )
    )
    assert alone.total_misses == both.total_misses == plain.total_misses


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_symmetric_states_are_counted_once(rules: Rules) -> None:
    problem = as_problem(rules)
    once, each = (
        counting_search(problem, replace(SearchOptions(), orbits=orbits), Limits())
        for orbits in (True, False)
    )
    hits = []
    for search in (once, each):
        search.prepare()
        used = search.finds.slots[search.finds.slots[:, 2] > 0]
        hits.append(sorted(used[:, 0].tolist()))
    assert hits[0] == hits[1]
    assert once.finds.size[0] < each.finds.size[0] == len(hits[1])
    symmetries = problem.symmetries
    for certain in hits[0]:
        images = {
            sum(1 << symmetry[c] for c in range(64) if certain >> c & 1) for symmetry in symmetries
        }
        numbers = {int(state_of(0, np.uint64(image), once.finds)) for image in images}
        assert len(numbers) == 1


@pytest.mark.usefixtures("small_games_count")
def test_too_many_states_leave_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = as_problem(Rules("4x4", "3,2"))
    least = HitSearch(problem).minimize().misses
    monkeypatch.setattr(state_count, "MOST_STATES", 7)
    search = counted(problem)
    assert len(search.finds.found) == 7
    assert search.minimize().misses == least


def in_steps(search: HitSearch) -> HitSearch:
    """The same search, which counts no more than a few states at a time."""
    search.counter = counting_search(search.problem, search.options, search.limits)
    rows = 16 * len(search.problem)
    search.counter.rows_per_step = search.counter.least_rows_per_step = rows
    return search


@pytest.mark.usefixtures("small_games_count")
def test_counting_goes_on_where_it_was_stopped() -> None:
    problem = as_problem(Rules("4x4", "2,1"))
    whole = counted(problem).finds
    search = in_steps(HitSearch(problem, limits=Limits(stop=lambda: True)))
    stops = 0
    while search.counting:
        try:
            search.prepare()
        except KeyboardInterrupt:
            stops += 1
            assert len(search.finds.found) == 0  # not used before it is whole
    assert stops > 1
    assert np.array_equal(search.finds.found[:, FOUND], whole.found[:, FOUND])


@pytest.mark.usefixtures("small_games_count")
def test_a_limit_of_time_stops_it() -> None:
    search = in_steps(HitSearch(as_problem(Rules("4x4", "2,1")), limits=Limits(deadline=0.0)))
    with pytest.raises(LimitReached, match="time"):
        search.prepare()
    assert search.counting


def test_counted_only_where_it_pays() -> None:
    def used(board: str, fleet: str, contact: str = "none", **off: bool) -> bool:
        problem = as_problem(Rules(board, fleet, contact))
        return is_counted(problem, replace(SearchOptions(), **off))

    assert used("6x6", "3,2")
    assert used("7x7", "4,3", "corners")
    assert not used("5x5", "3,2,1")
    assert not used("5x6", "3,2")
    assert not used("6x6", "3,2", "sides")
    assert not used("6x6", "3,2", finds=False)
    assert not used("6x6", "3,2", bounds=False)
    assert not make_search(as_problem(Rules("5x5", "3,2"))).counting  # type: ignore[attr-defined]
