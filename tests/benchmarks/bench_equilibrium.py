"""How fast the game of hiding and shooting closes, and what a sweep costs.

    pytest tests/benchmarks/bench_equilibrium.py -o python_files="bench_*.py" \
        -o python_functions="bench_*" -m "" --benchmark-enable --benchmark-columns=min,rounds

Seconds are of one machine and one day: compare rows of one run. The numbers of best trees
(``extra_info``) are what it needs whatever the machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.equilibrium.subtable_graph import SubtableGraph, estimate_subtables

MAIN = Rules("5x5", "3,2,2,1,1,1")


@pytest.mark.parametrize("answers", ["hit", "sunk"])
def bench_graph_of_subtables(benchmark: Any, answers: str) -> None:
    """Building the graph of all sub-tables, one per orbit."""
    table = DecisionTable.build(MAIN.answering(answers))
    SubtableGraph(DecisionTable.build(Rules("3x3", "2,1", answers=answers)))
    graph = benchmark.pedantic(SubtableGraph, (table,), rounds=1)
    benchmark.extra_info.update(nodes=len(graph), actions=len(graph.cells), edges=len(graph.edges))
    assert len(graph) == {"hit": 1_194_032, "sunk": 83_872}[answers]


@pytest.mark.parametrize("answers", ["hit", "sunk"])
def bench_sweep(benchmark: Any, answers: str) -> None:
    """One best response: a sweep over the whole graph."""
    graph = SubtableGraph(DecisionTable.build(MAIN.answering(answers)))
    weights = np.ones(len(graph.sizes))
    assert benchmark(graph.best_response, weights).value == {"hit": 6444, "sunk": 2490}[answers]


def bench_estimate(benchmark: Any) -> None:
    """The estimate that is made before a graph is built; the truth is 10,191,257."""
    problem = SubtableGraph(DecisionTable.build(MAIN.answering("sunk"))).problem
    found = benchmark(estimate_subtables, problem)
    benchmark.extra_info.update(estimate=found)
    assert 8e6 < found < 13e6


@pytest.mark.parametrize("answers", ["hit", "sunk"])
def bench_equilibrium(benchmark: Any, answers: str) -> None:
    """The main fleet, interval 1e-6, certificate included."""
    found = benchmark.pedantic(equilibrium, (MAIN.answering(answers),), rounds=1)
    benchmark.extra_info.update(sweeps=found.sweeps, trees=len(found.plans), gap=float(found.gap))
    assert found.gap <= 1e-6


def bench_hedge(benchmark: Any) -> None:
    """For comparison: multiplicative weights, no linear program, 1000 best trees."""
    graph = SubtableGraph(DecisionTable.build(MAIN.answering("sunk")))

    def run() -> float:
        score = np.zeros(len(graph.sizes))
        lower, rounds = 0.0, 1000
        for step in range(rounds):
            rate = np.sqrt(8 * np.log(len(score)) / (step + 1)) / 4
            shares = graph.sizes * np.exp(rate * (score - score.max()))
            shares /= shares.sum()
            response = graph.best_response(shares / graph.sizes)
            lower = max(lower, response.value)
            score += response.misses / graph.sizes
        return float(score.max() / rounds - lower)

    gap = benchmark.pedantic(run, rounds=1)
    benchmark.extra_info.update(gap=gap)
    assert gap > 0
