"""Better trees sought beside a search of several threads."""

from __future__ import annotations

import threading
from dataclasses import replace

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import GreedyRule, grow_greedy
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.rollouts import BetterTrees

SEARCHED = SearchOptions(sets=False)
TWO = Limits(rows_per_step=1, threads=2)


def running() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "better trees"]


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
