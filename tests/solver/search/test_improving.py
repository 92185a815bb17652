"""Better trees before the proof, and the interval that narrows from both ends meanwhile."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.search_games import (
    FAMILIES,
    GAMES,
    LARGER,
    draw_history,
    name_of,
    score,
    weighted,
)

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.greedy import GreedyRule, grow_greedy
from seabattle.solver.search.improving import Improver
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.solution import Objective
from seabattle.solver.search.solve import solve_problem
from seabattle.trees.tree import Tree
from seabattle.trees.verify import require_valid

MIDDLE = [
    Rules("4x4", "3,2,1"),
    Rules("4x4", "3,2", "corners"),
    Rules("4x4", "3,2", "sides"),
    Rules("4x4", "2,2,1", answers="sunk"),
    Rules("4x4", "3,2", "corners", "sunk"),
    Rules("3x4", "3,2", "sides", "sunk"),
    Rules("3x4", "3,2", "sides", "sunk", "none"),
    Rules("4x4", "3,2", answers="ship"),
    Rules("3x4", "2,2", "sides", "ship"),
]
PAUSING = [
    Rules("4x5", "3,2,1"),
    Rules("4x4", "2,2,1", answers="sunk"),
    Rules("3x4", "3,2", "sides", "sunk"),
    Rules("4x4", "2,2,1", answers="ship"),
]
"""Games whose search takes several steps of the smallest kind."""

SMALL_STEPS = Limits(rows_per_step=1)

SEARCHED = SearchOptions(sets=False)


def improver_of(problem: Problem, *, exact_rows: int = 1) -> Improver:
    """An improver that leaves next to nothing to the exact search."""
    improver = Improver(problem)
    improver.rules[:, 1] = exact_rows
    return improver


def grown(improver: Improver) -> Tree:
    """Its tree, verified by the rules."""
    problem = improver.problem
    tree = improver.grow(position=problem.table.history, objective="mean", status="heuristic")
    require_valid(tree, layouts=problem.table.layouts)
    return tree


def draw_table(data: st.DataObject, rules: Rules) -> DecisionTable:
    """The table of a game, half of the time with weights, some of them 0."""
    table = DecisionTable.build(rules)
    if data.draw(st.booleans()):
        weights = st.lists(st.integers(0, 5), min_size=len(table), max_size=len(table))
        table = weighted(table, data.draw(weights.filter(any)))
    return table


@examples(60)
@given(st.sampled_from(GAMES + LARGER), st.integers(1, 6), st.data())
def test_levels_miss_no_more_than_those_below_and_no_less_than_the_optimum(
    rules: Rules, exact_rows: int, data: st.DataObject
) -> None:
    problem = as_problem(draw_table(data, rules))
    improver = improver_of(problem, exact_rows=exact_rows)
    optimum = solve_problem(problem).total_misses
    before = None
    for _ in range(4):
        misses = improver.climb()
        assert misses >= optimum
        assert before is None or misses <= before
        before = misses
        assert grown(improver).total_misses == misses


@pytest.mark.parametrize("rules", MIDDLE, ids=name_of)
def test_rollouts_are_better_than_greedy_trees(rules: Rules) -> None:
    problem = as_problem(rules)
    greedy = grow_greedy(problem, GreedyRule.HITS).total_misses
    improver = improver_of(problem)
    found = [improver.climb() for _ in range(5)]
    optimum = solve_problem(problem).total_misses
    assert found == sorted(found, reverse=True)
    assert optimum <= found[-1] <= greedy
    assert found[-1] - optimum <= max(2, 0.02 * optimum)


@examples(40)
@given(st.sampled_from(MIDDLE), st.integers(1, 5000), st.integers(1, 5))
def test_a_level_left_halfway_still_makes_a_tree_no_worse_than_the_one_below(
    rules: Rules, rows: int, exact_rows: int
) -> None:
    problem = as_problem(rules)
    improver = improver_of(problem, exact_rows=exact_rows)
    improver.search.least_rows_per_step = improver.search.rows_per_step = 8 * len(problem)
    finished = improver.climb()
    improver.improve(rows, improver.search.limits)
    below = improver_of(problem, exact_rows=exact_rows)
    for _ in range(improver.level):
        finished = below.climb()
    assert grown(improver).total_misses <= finished


@examples(40)
@given(st.sampled_from(MIDDLE), st.data())
def test_trees_begin_at_a_position(rules: Rules, data: st.DataObject) -> None:
    position = Position(rules)
    for cell, answer in draw_history(data, rules)[:3]:
        position = position.shoot(rules.board.name(cell), answer)
    problem = as_problem(position)
    improver = improver_of(problem)
    optimum = solve_problem(problem).total_misses
    for _ in range(3):
        misses = improver.climb()
    assert optimum <= misses == grown(improver).total_misses


@pytest.mark.parametrize("objective", list(Objective))
@pytest.mark.parametrize("rules", [games[-1] for games in FAMILIES.values()] + MIDDLE, ids=name_of)
def test_pauses_leave_the_optimum_where_it_is(rules: Rules, objective: str) -> None:
    problem = as_problem(rules)
    plain = solve_problem(problem, objective, improving=False)
    paused = solve_problem(problem, objective, limits=SMALL_STEPS)
    assert paused.status == plain.status == "optimal"
    assert score(paused) == score(plain)
    assert paused.best_shots == plain.best_shots


def test_games_solved_at_once_are_searched_as_without_pauses() -> None:
    for rules in MIDDLE:
        problem = as_problem(rules)
        plain = solve_problem(problem, improving=False)
        paused = solve_problem(problem)
        assert (paused.states, paused.nodes) == (plain.states, plain.nodes)
        assert paused.progress == ()


@pytest.mark.parametrize("rules", PAUSING, ids=name_of)
def test_the_interval_narrows_from_both_ends_around_the_optimum(rules: Rules) -> None:
    seen: list[Snapshot] = []
    limits = Limits(rows_per_step=1, report=seen.append)
    optimum = solve_problem(as_problem(rules), options=SEARCHED, limits=limits).total_misses
    assert "better trees" in {snapshot.stage for snapshot in seen}
    ends = [(snapshot.lower or 0, snapshot.upper or 0) for snapshot in seen]
    assert all(lower <= optimum <= upper for lower, upper in ends)
    for (lower, upper), (later_lower, later_upper) in pairwise(ends):
        assert lower <= later_lower
        assert later_upper <= upper


def test_a_run_is_the_same_each_time() -> None:
    problem = as_problem(PAUSING[0])
    first, second = (solve_problem(problem, options=SEARCHED, limits=SMALL_STEPS) for _ in range(2))
    assert (first.states, first.nodes) == (second.states, second.nodes)


@pytest.mark.parametrize("rules", PAUSING, ids=name_of)
def test_a_stop_in_a_pause_leaves_a_tree_and_an_interval(rules: Rules) -> None:
    stages: list[str] = []
    limits = Limits(
        rows_per_step=1,
        report=lambda snapshot: stages.append(snapshot.stage),
        stop=lambda: "better trees" in stages,
    )
    problem = as_problem(rules)
    stopped = solve_problem(problem, options=SEARCHED, limits=limits)
    assert stopped.interrupted
    optimum = solve_problem(problem).total_misses
    assert stopped.lower_bound <= optimum <= stopped.upper_bound
    require_valid(stopped.tree, layouts=problem.table.layouts)


def test_too_little_memory_leaves_the_tree_of_the_levels_that_fitted() -> None:
    problem = as_problem(Rules("5x5", "3,2,1"))
    improver = Improver(problem, Limits(memory=0.004))
    improver.improve(10**9, improver.search.limits)
    assert 0 < improver.level < len(improver.rules) - 1
    assert grown(improver).total_misses < grow_greedy(problem, GreedyRule.HITS).total_misses


@examples(20)
@given(st.sampled_from(MIDDLE), st.lists(st.integers(1, 3000), min_size=1, max_size=4))
def test_levels_left_halfway_are_gone_on_with(rules: Rules, rows: list[int]) -> None:
    problem = as_problem(rules)
    at_once, bit_by_bit = improver_of(problem), improver_of(problem)
    bit_by_bit.search.least_rows_per_step = bit_by_bit.search.rows_per_step = 8 * len(problem)
    for part in rows:
        bit_by_bit.improve(part, bit_by_bit.search.limits)
    reached = bit_by_bit.level + 1
    while len(bit_by_bit.totals) < reached:
        bit_by_bit.climb()
    assert bit_by_bit.totals == [at_once.climb() for _ in range(reached)]


def test_an_exact_level_is_the_optimum() -> None:
    for rules in GAMES:
        problem = as_problem(rules)
        improver = improver_of(problem, exact_rows=len(problem))
        optimum = solve_problem(problem).total_misses
        assert improver.climb() == optimum
        assert grown(improver).total_misses == optimum
