"""The exact search in mode ``hit``: known answers, boards of any size, limits, bounds.

``test_exact_search`` has what holds in every mode.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.known_answers import known, known_rules, label
from support.search_games import SMALL

from seabattle.enumerate.errors import RulesError, TooLargeError
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.bounds import counting_total, counting_worst, total_table
from seabattle.solver.search.dispatch import as_problem, make_search
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.hit_search import HitSearch
from seabattle.solver.search.kernels.work import MOST_MISSES
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal
from seabattle.solver.search.solve import solve, solve_problem
from seabattle.trees.verify import verify


def problem_of(board: str, fleet: str, contact: str = "none") -> Problem:
    return Problem(DecisionTable.build(Rules(board, fleet, contact)))


@pytest.mark.parametrize("entry", known("trees", answers="hit"), ids=label)
def test_known_optima(entry: dict[str, object]) -> None:
    rules = known_rules(entry)
    if "total" in entry:
        solution = solve(rules, "mean")
        assert (solution.total_misses, solution.status) == (entry["total"], "optimal")
        assert solution.lower_bound == solution.upper_bound == entry["total"]
    if "worst" in entry:
        assert solve(rules, "worst").worst_misses == entry["worst"]
    if "front" in entry:
        front = solve(rules, "pareto").front
        assert [[t.worst_misses, t.total_misses] for t in front] == entry["front"]
        assert all(verify(tree) for tree in front)


@pytest.mark.parametrize("objective", ["mean-worst", "worst-mean"])
def test_one_tree_of_the_source_is_best_in_both_senses(objective: str) -> None:
    solution = solve(Rules("5x5", "3,2,2,1,1,1"), objective)
    assert (solution.total_misses, solution.worst_misses) == (6444, 7)
    assert verify(solution.tree)


def test_figures_of_the_main_fleet() -> None:
    search = HitSearch(problem_of("5x5", "3,2,2,1,1,1"))
    value = search.minimize()
    assert (value.misses, value.worst, value.exact) == (6444, 7, True)
    assert search.states <= 100_000
    assert search.nodes <= 160_000


@pytest.mark.parametrize("objective", ["worst", "mean-worst", "worst-mean", "pareto"])
def test_first_shots_of_a_game_with_a_front_of_two_points(objective: str) -> None:
    best = ("B1", "D1", "B4", "D4") if objective == "mean-worst" else (
        "A1", "C1", "E1", "A4", "C4", "E4"
    )  # fmt: skip
    assert solve(Rules("4x5", "4,2"), objective).best_shots == best


def test_plain_search_visits_every_sub_table() -> None:
    problem = problem_of("4x4", "3,2,1")
    plain = HitSearch(problem, options=SearchOptions.plain())
    assert plain.minimize().misses == 605
    assert plain.states == graph_size(problem.table).vertices == 42290


@pytest.mark.parametrize(
    ("board", "fleet", "worst"), [("7x7", "7", 7), ("8x8", "8,8", None), ("6x7", "7", None)]
)
def test_boards_of_more_than_40_cells(board: str, fleet: str, worst: int | None) -> None:
    problem = problem_of(board, fleet)
    assert problem.two_words
    solution = solve_problem(problem, "mean")
    assert verify(solution.tree)
    plain = HitSearch(problem, options=replace(SearchOptions(), bounds=False))
    assert plain.minimize().misses == solution.total_misses
    if worst is not None:
        # 7 rows and 7 columns: each shot along the diagonal asks for one of each, so the last
        # two lines are left after 6 misses, and one more tells them apart.
        assert solution.worst_misses == worst


def test_too_many_cells_are_refused_with_an_estimate() -> None:
    with pytest.raises(TooLargeError, match=r"10x10.*about \d\.\d*e\+15 layouts; the limit is 64"):
        solve(Rules("10x10", "russian"))


def test_unknown_objectives_are_refused() -> None:
    with pytest.raises(RulesError, match="objective 'best' is unknown; the objectives are mean, "):
        solve(Rules("3x3", "2,1"), "best")


def test_limits_stop_the_search_with_a_proven_interval() -> None:
    rules = Rules("5x5", "3,2,1")
    solution = solve(rules, "mean", memory_limit=0.004)
    assert solution.status == "bounded"
    assert "memory limit" in solution.stopped_by
    assert solution.lower_bound <= 31828 <= solution.upper_bound == solution.total_misses
    assert verify(solution.tree)
    assert solution.tree.status == "bounded"
    assert solution.best_shots == ()
    in_time = Limits(deadline=time.monotonic() - 1)
    problem = problem_of("5x5", "3,2,1")
    with pytest.raises(LimitReached, match="time limit"):
        HitSearch(problem, limits=in_time).minimize()


def test_the_table_grows_as_far_as_its_memory_goes() -> None:
    search = HitSearch(problem_of("5x5", "3,2,1"), limits=Limits(memory=0.02))
    with pytest.raises(LimitReached, match=r"would need .* GiB .* memory limit is 0\.02 GiB"):
        search.minimize()
    # While entries move, the old table and one of twice its size are held.
    assert 3 * search.table.nbytes / 2 <= 0.02 * 2**30 < 3 * search.table.nbytes


def test_ctrl_c_keeps_what_is_known() -> None:
    def interrupt(snapshot: Snapshot) -> None:
        raise KeyboardInterrupt

    limits = Limits(report=interrupt, rows_per_step=1)
    solution = solve_problem(as_problem(Rules("5x5", "3,2,2,1,1,1")), limits=limits)
    assert solution.interrupted
    assert solution.status == "bounded"
    assert solution.total_misses == 6561
    assert 5775 <= solution.lower_bound < 6444
    assert verify(solution.tree)


@examples(50)
@given(st.integers(1, 300), st.integers(2, 12))
def test_counting_bound_table(rows: int, ships: int) -> None:
    assert total_table(ships, rows)[ships, rows] == counting_total(rows, ships)
    assert counting_total(rows, ships) >= counting_worst(rows, ships)


@pytest.mark.slow
@pytest.mark.parametrize("entry", known("bounds"), ids=label)
def test_known_bounds_of_a_large_board(entry: dict[str, object]) -> None:
    rules = known_rules(entry)
    problem = Problem(DecisionTable.build(rules))
    assert counting_total(len(problem), rules.fleet.cells) == entry["counting_lower_bound"]
    tree = greedy_tree(problem.table, "hits")
    assert tree.total_misses == entry["greedy_hits_total"]
    assert verify(tree, layouts=problem.table.layouts)


@pytest.mark.parametrize(("board", "fleet"), SMALL)
def test_bounds_bracket_the_optimum(board: str, fleet: str) -> None:
    problem = problem_of(board, fleet)
    ships = problem.rules.fleet.cells - problem.certain.bit_count()
    total = HitSearch(problem).minimize().misses
    assert counting_total(len(problem), ships) <= total
    assert total <= greedy_tree(problem.table, "hits").total_misses
    assert total <= greedy_tree(problem.table, "half").total_misses


@examples(25)
@given(st.sampled_from(SMALL), st.integers(0, 1000), st.data())
def test_subsets_and_unions(game: tuple[str, str], seed: int, data: st.DataObject) -> None:
    """A subset costs no more; two disjoint parts cost no more than their union."""
    problem = problem_of(*game)
    if len(problem) < 2:
        return
    mark = np.random.default_rng(seed).random(len(problem)) < 0.5
    layouts = problem.table.layouts
    parts = [
        HitSearch(Problem(DecisionTable(layouts, np.flatnonzero(side).astype(np.int64)))).minimize()
        for side in (mark, ~mark)
        if side.any()
    ]
    whole = HitSearch(problem).minimize().misses
    assert sum(part.misses for part in parts) <= whole


def test_no_rows_miss_nothing() -> None:
    for rules in (Rules("3x3", "2,1"), Rules("3x3", "2,1", answers="sunk")):
        search = make_search(as_problem(rules))
        for goal in Goal:
            nothing = search.minimize(goal, rows=np.zeros(0, dtype=np.int64))
            assert (nothing.misses, nothing.worst, nothing.exact) == (0, 0, True)


def test_values_of_first_shots_are_worked_out_when_asked_for() -> None:
    problem = as_problem(Rules("3x3", "2,1"))
    assert solve_problem(problem).values is None
    assert len(solve_problem(problem, values=True).values or ()) == 9


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
def test_a_limit_of_more_misses_than_cells_changes_nothing(answers: str) -> None:
    search = make_search(as_problem(Rules("3x3", "2,1", answers=answers)))
    expected = search.minimize().misses
    for miss_limit in (9, 63, 64, 65, 66, 100, MOST_MISSES):
        assert search.minimize(miss_limit=miss_limit).misses == expected
