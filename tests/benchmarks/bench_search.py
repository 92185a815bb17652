"""How long the main jobs take, warm, and what they count.

    pytest tests/benchmarks -o python_files="bench_*.py" -o python_functions="bench_*" \
        -m "" --benchmark-enable --benchmark-columns=min,median,rounds

Seconds are of one machine and one day: compare rows of one run. The counts in ``extra_info`` are
deterministic. ``bench_plain_search`` takes about a minute; its ratio to ``bench_search`` is the
figure to watch.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal, SearchOptions
from seabattle.solver.search.solve import solve
from seabattle.trees.drawing.tree_svg import svg
from seabattle.trees.verify import verify

MAIN = Rules("5x5", "3,2,2,1,1,1")


@pytest.fixture(scope="module")
def problem() -> Problem:
    """The main fleet."""
    found = Problem(DecisionTable.build(MAIN))
    return found


def bench_enumerate_6x6(benchmark: Any) -> None:
    """894,296 layouts."""
    layouts = benchmark(enumerate_layouts, Rules("6x6", "3,2,2,1,1,1"))
    assert len(layouts) == 894_296


def _search(
    problem: Problem, options: SearchOptions | None = None, goal: Goal = Goal.TOTAL
) -> ExactSearch:
    search = ExactSearch(problem, options=options)
    search.minimize(goal)
    return search


def bench_search(benchmark: Any, problem: Problem) -> None:
    """The main fleet, objective mean."""
    search = benchmark(_search, problem)
    benchmark.extra_info.update(states=search.states, nodes=search.nodes)
    assert search.states <= 100_000
    assert search.nodes <= 160_000


def bench_search_worst(benchmark: Any, problem: Problem) -> None:
    """The main fleet, objective worst."""
    search = benchmark(_search, problem, goal=Goal.WORST)
    benchmark.extra_info.update(states=search.states, nodes=search.nodes)
    assert search.states > 0


def bench_plain_search(benchmark: Any, problem: Problem) -> None:
    """The main fleet by plain memoised search: every sub-table."""
    plain = problem.without_symmetry(), SearchOptions.plain()
    search = benchmark.pedantic(_search, plain, rounds=1)
    benchmark.extra_info.update(states=search.states, nodes=search.nodes)
    assert search.states == 10_191_257


def bench_graph(benchmark: Any, problem: Problem) -> None:
    """The sub-table graph by orbits."""
    size = benchmark.pedantic(graph_size, (problem,), rounds=3)
    assert size.vertices == 10_191_257


def bench_fleet_3_2_1(benchmark: Any) -> None:
    """5x5 with 3,2,1: 3,944 layouts."""
    problem = Problem(DecisionTable.build(Rules("5x5", "3,2,1")))
    search = benchmark.pedantic(_search, (problem,), rounds=1)
    benchmark.extra_info.update(states=search.states, nodes=search.nodes)
    benchmark.extra_info.update(table_mib=search.table.nbytes / 2**20)
    assert search.minimize().misses == 31828


def bench_solve_with_tree(benchmark: Any, problem: Problem) -> None:
    """Search, tree, verification and all best first shots."""
    solution = benchmark(solve, problem, "mean")
    assert solution.total_misses == 6444


SUNK_GAMES = [
    Rules("5x5", "3,2,2,1,1,1", answers="sunk"),
    Rules("5x5", "4,3,2", answers="sunk"),
    Rules("5x5", "3,2,2,1,1,1", answers="ship"),
    Rules("4x4", "3,2", "sides", "sunk"),
    Rules("5x5", "4,3", "sides", "sunk"),
]


@pytest.mark.parametrize("rules", SUNK_GAMES, ids=str)
def bench_answer_search(benchmark: Any, rules: Rules) -> None:
    """Modes sunk and ship, objective mean."""
    problem = Problem(DecisionTable.build(rules))

    def run() -> ExactSearch:
        search = ExactSearch(problem)
        search.minimize()
        return search

    search = benchmark.pedantic(run, rounds=1)
    benchmark.extra_info.update(states=search.states, nodes=search.nodes)
    assert search.states > 0


def bench_greedy(benchmark: Any, problem: Problem) -> None:
    """Greedy tree of the main fleet."""
    assert benchmark(greedy_tree, problem, "hits").total_misses == 6561


def bench_verify(benchmark: Any, problem: Problem) -> None:
    """Verification of a tree of 1428 leaves, enumeration included."""
    tree = greedy_tree(problem.table, "hits")
    assert benchmark(verify, tree)


def bench_draw_whole_tree(benchmark: Any, problem: Problem) -> None:
    """The SVG of a tree of 2,855 nodes."""
    text = benchmark.pedantic(svg, (greedy_tree(problem.table, "hits"),), rounds=3)
    benchmark.extra_info.update(megabytes=len(text) / 1e6)
    assert len(text) < 2_000_000
    assert not benchmark.stats or benchmark.stats.stats.min < 20


def bench_first_command(benchmark: Any) -> None:
    """``seabattle solve`` in a new process."""
    command = [sys.executable, "-m", "seabattle", "solve", "--json"]
    done = benchmark(subprocess.run, command, capture_output=True)
    assert done.returncode == 0


def bench_help(benchmark: Any) -> None:
    """``seabattle --help`` in a new process."""
    command = [sys.executable, "-m", "seabattle", "--help"]
    done = benchmark(subprocess.run, command, capture_output=True)
    assert done.returncode == 0
