"""How long strategy files take to build, check, open and probe, and how large they are.

    pytest tests/benchmarks/bench_strategies.py -o python_functions="bench_*" \
        -m "" --benchmark-enable --benchmark-columns=min,median,rounds

Seconds are of one machine and one day: compare rows of one run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.strategy.check import check
from seabattle.trees.strategy.strategy import Strategy

MAIN = Rules("5x5", "3,2,2,1,1,1")
STATES = {"hit": 1_278_984, "sunk": 92_916, "ship": 41_279}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Complete files of the main fleet."""
    folder = tmp_path_factory.mktemp("strategies")
    found = {}
    for mode in STATES:
        found[mode] = folder / mode
        build_strategy(MAIN.answering(mode), found[mode], complete=True)
    return found


@pytest.mark.parametrize("mode", STATES)
def bench_build_complete(benchmark: Any, files: dict[str, Path], tmp_path: Path, mode: str) -> None:
    """Every position of the main fleet, enumerated, solved and written."""
    table = DecisionTable.build(MAIN.answering(mode))
    built = benchmark.pedantic(
        build_strategy, (table, tmp_path / "s"), {"complete": True}, rounds=2
    )
    benchmark.extra_info.update(states=built.states)
    assert built.states == STATES[mode]


@pytest.mark.parametrize("mode", STATES)
def bench_check_complete(benchmark: Any, files: dict[str, Path], mode: str) -> None:
    """Every value of such a file recomputed from the rules, every other shot compared."""
    check(Strategy.open(files["ship"]))
    found = benchmark.pedantic(check, (Strategy.open(files[mode]),), rounds=1)
    assert found.proven


@pytest.mark.parametrize("mode", STATES)
def bench_open(benchmark: Any, files: dict[str, Path], mode: str) -> None:
    """Opening maps the arrays and checks manifest and sizes."""
    opened = benchmark(Strategy.open, files[mode])
    size = sum(file.stat().st_size for file in files[mode].iterdir())
    benchmark.extra_info.update(megabytes=round(size / 1e6, 2))
    assert opened.states == STATES[mode]


@pytest.mark.parametrize("mode", STATES)
def bench_probe(benchmark: Any, files: dict[str, Path], mode: str) -> None:
    """A position after two misses: layouts, key and value."""
    opened = Strategy.open(files[mode])
    shots = [("A1", "miss"), ("C3", "miss")]
    position = Position.read(opened.rules, shots)
    found = benchmark(opened.probe, position)
    assert found.layouts == opened.probe(position).layouts > 1
