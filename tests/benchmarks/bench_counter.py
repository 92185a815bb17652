"""How fast the counter is, and what it stores; run as ``bench_search.py`` says.

``bench_enumerate_to_map`` makes the same map as ``bench_map_6x6`` by listing every layout. The peak
of memory is that of a fresh process (Linux).
"""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier, grid
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable

RUSSIAN = Rules("10x10", "russian", answers="sunk")
HASBRO = Rules("10x10", "hasbro", answers="sunk")

PEAK = """
import re, sys
from pathlib import Path
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.rules import Rules
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 2**20
before = peak()
Counter(Rules("10x10", sys.argv[1])).map()
print(peak(), before)
"""


@pytest.mark.parametrize("rules", [RUSSIAN, HASBRO], ids=["russian", "hasbro"])
def bench_count(benchmark: Any, rules: Rules) -> None:
    """The number of layouts, tables made."""
    counter = Counter(rules)
    counter.count()
    assert benchmark(counter.count) > 10**10


@pytest.mark.parametrize("rules", [RUSSIAN, HASBRO], ids=["russian", "hasbro"])
def bench_map(benchmark: Any, rules: Rules) -> None:
    """The occupancy of every cell of the empty board."""
    counter = Counter(rules)
    found = benchmark(lambda: Counter(rules).map())
    benchmark.extra_info.update(profiles=counter.frontier.profiles)
    assert sum(found.cells) == found.layouts * rules.fleet.cells


@pytest.mark.parametrize("under", ["uniform", "prior"])
@pytest.mark.parametrize("misses", [0, 10])
@pytest.mark.parametrize("rules", [RUSSIAN, HASBRO], ids=["russian", "hasbro"])
def bench_chances(benchmark: Any, rules: Rules, misses: int, under: str) -> None:
    """Chances under a prior beside the map in whole numbers: twice its time is allowed."""
    cells = [Fraction(2 + cell * 7 % 5, 3) for cell in range(100)]
    prior = ProductPrior.of_cells(rules, cells) if under == "prior" else None
    scattered = ["A1", "J10", "E5", "F6", "C3", "H8", "C8", "H3", "E9", "B6"]
    counter = Counter(Position.of_cells(rules, miss=scattered[:misses]), prior=prior)
    found = counter.chances()
    assert len(benchmark(lambda: counter.chances().cells)) == 100
    benchmark.extra_info.update(error=found.error)
    assert sum(found.cells) == pytest.approx(rules.fleet.cells, rel=1e-12)


@pytest.mark.parametrize(
    ("rules", "profiles"),
    [
        (RUSSIAN, 10_680),
        (HASBRO, 268_341),
        (Rules("5x9", "2x3,3,3,3,2,2,2,2,2", "sides"), 6_777),
    ],
    ids=["russian", "hasbro", "rectangles"],
)
def bench_tables(benchmark: Any, rules: Rules, profiles: int) -> None:
    """Profiles and steps, once per board and fleet."""
    found = benchmark(Frontier, grid(rules).ships)
    benchmark.extra_info.update(profiles=found.profiles, steps=found.n_steps)
    assert found.profiles == profiles


def bench_sample(benchmark: Any) -> None:
    """Ten thousand layouts, uniform."""
    counter = Counter(RUSSIAN)
    counter.sample(10, 1)
    assert len(benchmark(counter.sample, 10_000, 1)) == 10_000


def bench_map_6x6(benchmark: Any) -> None:
    """The map of 894,296 layouts, counted."""
    counter = Counter(Rules("6x6", "3,2,2,1,1,1"))
    counter.map()
    assert benchmark(counter.map).layouts == 894_296


def bench_enumerate_to_map(benchmark: Any) -> None:
    """The same map by listing the layouts."""
    rules = Rules("6x6", "3,2,2,1,1,1")

    def by_list() -> list[int]:
        counts: list[int] = DecisionTable(enumerate_layouts(rules)).column_counts().tolist()
        return counts

    assert tuple(benchmark(by_list)) == Counter(rules).map().cells


@pytest.mark.parametrize("fleet", ["russian", "hasbro"])
def bench_peak_memory(benchmark: Any, fleet: str) -> None:
    """GiB resident at most in a fresh process that makes one map, and before it began."""

    def fresh() -> list[float]:
        done = subprocess.run(
            [sys.executable, "-c", PEAK, fleet], capture_output=True, text=True, check=True
        )
        return [float(number) for number in done.stdout.split()]

    peak, before = benchmark.pedantic(fresh, rounds=1)
    benchmark.extra_info.update(peak_gib=round(peak, 3), imports_gib=round(before, 3))
    assert peak > before
