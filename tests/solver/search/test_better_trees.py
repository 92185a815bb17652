"""Better trees sought beside a search of several threads."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest
from support.search_games import name_of, score

from seabattle.enumerate.rules import Rules
from seabattle.solver.search import better_trees, pausing
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


def test_it_is_sought_while_the_caller_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = as_problem(GAMES[0])
    greedy = grow_greedy(problem, GreedyRule.HITS)
    go_on = threading.Event()
    sought = []

    def slowly(tree, problem, limits, rows, *, spare):
        sought.append(rows)
        assert go_on.wait(60)
        return tree

    monkeypatch.setattr(better_trees, "improved_tree", slowly)
    better = BetterTrees(problem, 0.0)
    better.seek(greedy, 1, TWO, 0.0, None)
    better.seek(greedy, 2, TWO, 0.0, None)  # not before the first has ended
    assert better.take() is None
    assert running() == ["better trees"]
    go_on.set()
    assert better.take(wait=True) is None
    assert running() == []
    better.seek(greedy, 3, TWO, 0.0, None)
    assert better.take(wait=True) is None
    assert sought == [1, 3]


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


def test_what_goes_wrong_in_the_thread_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = as_problem(GAMES[0])

    def fails(*arguments, **named):
        raise ValueError("wrong")

    monkeypatch.setattr(better_trees, "improved_tree", fails)
    better = BetterTrees(problem, 0.0)
    better.seek(grow_greedy(problem, GreedyRule.HITS), ENOUGH, TWO, 0.0, None)
    with pytest.raises(ValueError, match="wrong"):
        better.take(wait=True)
    assert better.take(wait=True) is None


def test_where_there_is_no_memory_for_it_the_search_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def fails(*arguments, **named):
        asked.append(1)
        raise MemoryError("none left")

    monkeypatch.setattr(better_trees, "improved_tree", fails)
    problem = as_problem(Rules("6x6", "3,2"))
    limits = Limits(deadline=time.monotonic() + 4, threads=2)
    found = solve_problem(problem, options=SEARCHED, limits=limits)
    assert asked
    assert found.status == "bounded"
    assert "time limit" in found.stopped_by
    require_valid(found.tree, layouts=problem.table.layouts)


def test_without_time_or_memory_nothing_is_begun() -> None:
    problem = as_problem(GAMES[0])
    greedy = grow_greedy(problem, GreedyRule.HITS)
    better = BetterTrees(problem, 1.0)
    soon = Limits(deadline=time.monotonic() + 1.5, threads=2)
    better.seek(greedy, ENOUGH, soon, 0.0, None)
    better.seek(greedy, ENOUGH, replace(TWO, memory=1.0), 1.0, None)
    assert better.task.thread is None
    assert better.take(wait=True) is None


def test_it_ends_where_the_table_of_the_search_could_not_grow_beside_it() -> None:
    problem = as_problem(Rules("4x5", "3,2,1"))
    greedy = grow_greedy(problem, GreedyRule.HITS)
    better = BetterTrees(problem, 0.0)
    limits = replace(TWO, threads=1, memory=1.0)
    better.seek(greedy, 1, limits, 0.1, None)
    assert better.improver is not None
    better.seek(greedy, ENOUGH, limits, 0.32, None)
    assert better.improver is None
    better.seek(greedy, ENOUGH, limits, 0.1, None)
    assert better.improver is None
    assert better.take() is not None  # what the first call found


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


def test_what_is_found_by_the_deadline_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pausing, "PAUSES", ((1, 10**6),))
    problem = as_problem(Rules("6x6", "3,2"))
    limits = Limits(deadline=time.monotonic() + 4, threads=2)
    started = time.monotonic()
    found = solve_problem(problem, options=SEARCHED, limits=limits)
    assert time.monotonic() - started < 4 + 3
    assert found.status == "bounded"
    assert found.total_misses < grow_greedy(problem, GreedyRule.HITS).total_misses
    assert found.progress
    assert running() == []
