"""Better trees before the proof, and the interval that narrows from both ends meanwhile."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.search_games import (
    name_of,
)

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import GreedyRule, grow_greedy
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.rollouts import Improver
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
