"""Better trees sought beside a search of several threads."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from support.search_games import name_of, score

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.better_trees import BetterTrees
from seabattle.solver.search.greedy import GreedyRule, grow_greedy
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.solve import solve_problem
from seabattle.trees.verify import require_valid

SEARCHED = SearchOptions(sets=False)
TWO = Limits(rows_per_step=1, threads=2)
GAMES = [
    Rules("4x4", "3,2,1"),
    Rules("4x4", "2,2,1", answers="sunk"),
    Rules("3x4", "3,2", "sides", "sunk"),
    Rules("4x4", "2,2,1", answers="ship"),
]
LARGER = pytest.param(Rules("4x5", "3,2,1"), marks=pytest.mark.slow)
ENOUGH = 10**9
"""Rows for every level, in games this small."""


def running() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "better trees"]


@pytest.mark.parametrize("rules", [*GAMES, LARGER], ids=name_of)
def test_the_trees_are_those_that_one_thread_finds(rules: Rules) -> None:
    problem = as_problem(rules)
    greedy = grow_greedy(problem, GreedyRule.HITS)
    totals = []
    for limits in (replace(TWO, threads=1), TWO):
        better = BetterTrees(problem, 0.0)
        better.seek(greedy, ENOUGH, limits, 0.0, None)
        tree = better.take(wait=True)
        assert tree is not None
        require_valid(tree, layouts=problem.table.layouts)
        totals.append(tree.total_misses)
        assert better.take(wait=True) is None  # taken once
    assert totals[0] == totals[1] < greedy.total_misses


def test_what_is_given_up_ends_within_a_step() -> None:
    problem = as_problem(Rules("6x6", "3,2"))
    greedy = grow_greedy(problem, GreedyRule.HITS)
    better = BetterTrees(problem, 0.0)
    better.seek(greedy, 10**12, TWO, 0.0, None)
    better.give_up()
    assert running() == []
    assert better.take(wait=True) is None
    better.seek(greedy, 2_000_000, replace(TWO, rows_per_step=10**6), 0.0, None)  # and again
    tree = better.take(wait=True)
    assert tree is not None
    assert tree.total_misses < greedy.total_misses


@pytest.mark.parametrize("rules", [*GAMES, LARGER], ids=name_of)
def test_several_threads_leave_the_optimum_where_it_is(rules: Rules) -> None:
    problem = as_problem(rules)
    plain = solve_problem(problem, improving=False)
    beside = solve_problem(problem, options=SEARCHED, limits=TWO)
    assert beside.status == "optimal"
    assert score(beside) == score(plain)
    assert running() == []


def test_at_a_stop_nothing_is_left_running() -> None:
    asked = []
    limits = replace(TWO, stop=lambda: asked.append(1) or len(asked) > 200)
    problem = as_problem(Rules("6x6", "3,2"))
    stopped = solve_problem(problem, options=SEARCHED, limits=limits)
    assert stopped.interrupted
    assert running() == []
    require_valid(stopped.tree, layouts=problem.table.layouts)
