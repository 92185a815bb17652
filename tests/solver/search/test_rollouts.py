"""Rollouts: the rule against its naive twin, trees that get better, and the interval meanwhile."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.search_games import GAMES, draw_history, name_of, weighted
from twins import naive
from twins.naive_rollouts import Rollouts
from twins.naive_trees import naive_layouts, numbers_of, position_of, spoken

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import workers
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.greedy import Manner, grow_greedy
from seabattle.solver.search.growing import GreedyRule
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Limits, SearchOptions, Snapshot
from seabattle.solver.search.solve import solve_problem
from seabattle.solver.search.workers import BetterTrees
from seabattle.trees.tree import Tree
from seabattle.trees.verify import require_valid

LEVELS = 4


def assert_levels_agree(
    table: DecisionTable, twin: Rollouts, state: tuple[frozenset, frozenset]
) -> None:
    """Misses of all levels, and of the tree of the highest one, by the rule to the end: without
    symmetry, and with nothing solved exactly.
    """
    problem = as_problem(table).without_symmetry()
    improver = BetterTrees(ExactSearch(problem), width=twin.width, exact_rows=1)
    for level in range(LEVELS):
        assert improver.climb() == twin.misses(level, state), level
    tree = improver.grow(objective="mean", status="heuristic")
    require_valid(tree, layouts=table.layouts)
    assert tree.total_misses == twin.misses(LEVELS - 1, state)


@examples(36)
@given(st.sampled_from(GAMES), st.data())
def test_levels_miss_what_the_naive_rule_misses(rules: Rules, data: st.DataObject) -> None:
    told = spoken(rules)
    history = draw_history(data, rules)[:3]
    table = DecisionTable.build(rules)
    weights = st.lists(st.integers(1, 4), min_size=len(table), max_size=len(table))
    drawn = data.draw(weights.filter(any))
    numbers = [tuple(sorted(row)) for row in table.layouts.ships[table.index].tolist()]
    worth = dict(zip(numbers, drawn, strict=True))
    found = naive.fitting(naive_layouts(rules), history, *told)
    if not any(worth[numbers_of(rules, layout)] for layout in found):
        return
    weights_of = {layout: worth[numbers_of(rules, layout)] for layout in found}
    twin = Rollouts(data.draw(st.integers(1, 4)), *told, weights_of)
    shot = frozenset(cell for cell, _ in history)
    here = weighted(table, drawn).at(position_of(rules, history))
    assert_levels_agree(here, twin, (frozenset(found), shot))


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


def grown(improver: BetterTrees) -> Tree:
    """Its tree, verified by the rules."""
    problem = improver.search.problem
    tree = improver.grow(objective="mean", status="heuristic")
    require_valid(tree, layouts=problem.table.layouts)
    return tree


@examples(40)
@given(st.sampled_from(MIDDLE), st.integers(1, 5000), st.integers(1, 5))
def test_a_level_left_halfway_still_makes_a_tree_no_worse_than_the_one_below(
    rules: Rules, rows: int, exact_rows: int
) -> None:
    problem = as_problem(rules)
    improver = BetterTrees(ExactSearch(problem), exact_rows=exact_rows)
    improver.levels.least_rows_per_step = improver.levels.rows_per_step = 8 * len(problem)
    finished = improver.climb()
    improver.improve(rows, Limits())
    below = BetterTrees(ExactSearch(problem), exact_rows=exact_rows)
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


def test_too_little_memory_leaves_the_tree_of_the_levels_that_fitted() -> None:
    problem = as_problem(Rules("5x5", "3,2,1"))
    improver = BetterTrees(ExactSearch(problem))
    improver.improve(10**9, Limits(memory=0.004))
    assert 0 < improver.level < workers.LEVELS - 1
    assert grown(improver).total_misses < grow_greedy(problem, Manner(GreedyRule.HITS)).total_misses


def test_trees_are_sought_until_they_are_given_up() -> None:
    problem = as_problem(Rules("6x6", "3,2"))
    greedy = grow_greedy(problem, Manner(GreedyRule.HITS))
    search = ExactSearch(problem, limits=Limits(rows_per_step=10**6))
    better = BetterTrees(search)
    found = better.seek(greedy, 2_000_000)
    assert found is not None
    assert found.total_misses < greedy.total_misses
    assert not better.ended
    search.limits = Limits(memory=search.table.nbytes / 2**30)
    assert better.seek(found, 2_000_000) is None
    assert better.ended
    search.limits = Limits()
    assert better.seek(found, 2_000_000) is None
