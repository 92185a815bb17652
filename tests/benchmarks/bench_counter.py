"""How fast the counter is, and what it stores; run as ``bench_search.py`` says.

``states`` are the (profile, ships used) pairs after each row of the sweep, which are
deterministic. ``bench_enumerate_to_map`` makes the same map as ``bench_map_6x6`` by listing every
layout. The peak of memory is that of a fresh process (Linux).

Two of them print what ``docs/pages/counting.md`` says of maps of the empty board; the first needs a
checkout of an older version, the ratio of which is asked for:

    SEABATTLE_BEFORE=../v0.1.0 pytest -s tests/benchmarks/bench_counter.py -k "before or profile" \
        -o python_files="bench_*.py" -o python_functions="bench_*" -m "" --benchmark-enable
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.frontier_sweep import FrontierSweep, NumberKernels
from seabattle.enumerate.counting.sweep import Sweep
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Contact, Rules
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

MAPS_ON_DEMAND = """
import sys
from time import perf_counter
import seabattle
try:
    from seabattle.enumerate.counting.counter import Counter
    from seabattle.enumerate.counting.frontier_sweep import FrontierSweep
    from seabattle.enumerate.rules import Rules
    FrontierSweep.shares_rows = False  # else only the first map is made
except ImportError:  # version 0.1.0
    from seabattle.enumerate.counter import Counter
    from seabattle.enumerate.rules import Rules
counter = Counter(Rules("10x10", sys.argv[1]))
print(seabattle.__file__, flush=True)
print(*counter.map().cells, flush=True)
for line in sys.stdin:
    begin = perf_counter()
    counter.map()
    print(perf_counter() - begin, flush=True)
"""
"""Where the program lies and the first map; then the seconds of one more map for every line."""

HERE = Path(__file__).resolve().parents[2]
TURNS = 25


@contextmanager
def maps_by(checkout: Path, fleet: str) -> Iterator[tuple[str, Callable[[], float]]]:
    """A process of the version in a checkout: its map, and a function that times one more."""
    source = checkout.resolve() / "src"
    with subprocess.Popen(
        [sys.executable, "-c", MAPS_ON_DEMAND, fleet],
        env={**os.environ, "PYTHONPATH": str(source)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        asked, answers = process.stdin, process.stdout
        assert asked is not None
        assert answers is not None

        def seconds() -> float:
            print(file=asked, flush=True)
            return float(answers.readline())

        found = Path(answers.readline().strip())
        assert found.is_relative_to(source), f"{found} is not of {source}"
        yield answers.readline(), seconds


class Stopwatch:
    """Seconds by part of a job; what a part has done by another counts for the other alone.

    Attributes
    ----------
    seconds
        Of each part, for each time that the whole job was done.
    """

    def __init__(self) -> None:
        self.seconds: list[dict[str, float]] = []
        self._inner = [0.0]

    def whole(self, part: str, job: Callable[..., Any]) -> Callable[..., Any]:
        """The whole job; what it does not have done by the parts is a part, too."""
        rest = self.timed(part, job)

        def measured(*given: Any) -> Any:
            self.seconds.append({})
            return rest(*given)

        return measured

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its seconds added to those of a part."""

        def measured(*given: Any) -> Any:
            self._inner.append(0.0)
            begin = perf_counter()
            try:
                return function(*given)
            finally:
                taken = perf_counter() - begin
                own = taken - self._inner.pop()
                self._inner[-1] += taken
                now = self.seconds[-1]
                now[part] = now.get(part, 0.0) + own

        return measured


def middle(rules: Rules) -> Position:
    """A position in the middle of a game: 20 misses and 5 hits, by a fixed layout."""
    table = placement_table(rules)
    row = Counter(rules).sample(1, np.random.default_rng(5))[0]
    ships = [table.placements[i] for i in row]
    occupied = sum(ship.mask for ship in ships)
    water = [cell for cell in range(100) if not occupied >> cell & 1]
    rng = np.random.default_rng(6)
    misses = rng.choice(water, 20, replace=False)
    whole, part = ships[1], ships[0]
    return Position.of_cells(
        rules,
        miss=[rules.board.name(int(cell)) for cell in misses],
        hit=[rules.board.name(cell) for cell in part.cells[:2]],
        sunk=[str(whole)],
    )


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
    counter.map()
    found = benchmark(counter.map)
    benchmark.extra_info.update(states=found.states, profiles=counter.frontier.profiles)
    assert sum(found.cells) == found.layouts * rules.fleet.cells


@pytest.mark.parametrize("fleet", ["russian", "hasbro"])
def bench_map_before_and_now(benchmark: Any, fleet: str) -> None:
    """A map of the empty board by the version in ``SEABATTLE_BEFORE`` and by this one, in turns.

    Both are processes that have made their tables and a map; each makes every map from the start.
    """
    before = os.environ.get("SEABATTLE_BEFORE")
    if not before:
        pytest.skip("SEABATTLE_BEFORE names no checkout of an older version")
    times: dict[str, list[float]] = {"before": [], "now": []}
    with maps_by(Path(before), fleet) as (first, old), maps_by(HERE, fleet) as (second, new):
        assert first == second

        def turns() -> None:
            for _ in range(TURNS):
                times["before"].append(old())
                times["now"].append(new())

        benchmark.pedantic(turns, rounds=1)
    print(f"\nmap of 10x10 {fleet}, ms, {TURNS} of each in turn:")
    for what, of in (("median", median), ("least", min)):
        one, two = (1000 * of(times[which]) for which in ("before", "now"))
        print(f"  {what:7} before {one:5.0f}  now {two:5.0f}  before / now {one / two:.2f}")
        benchmark.extra_info[what] = [round(one, 1), round(two, 1)]


@pytest.mark.parametrize("rules", [RUSSIAN, HASBRO], ids=["russian", "hasbro"])
def bench_map_profile(benchmark: Any, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the time of a map of the empty board goes, in ms and %: medians.

    Between rows sums are copied from the end of one to the beginning of the next, and the nodes
    reached before are struck off.
    """
    watch, numbers = Stopwatch(), Sweep.numbers
    kernels = NumberKernels(
        numbers.dtype,
        watch.timed("forward sweep", numbers.forward_row),
        watch.timed("backward sweep with the map", numbers.backward_row),
    )
    ends = cached_property(
        watch.timed("copying between rows", vars(FrontierSweep)["boundaries"].func)
    )
    ends.__set_name__(FrontierSweep, "boundaries")
    counts = watch.timed("copying between rows", Sweep.placement_counts)
    whole = watch.whole("the rest", Counter.map)
    monkeypatch.setattr(FrontierSweep, "shares_rows", False)  # else only the first one is made
    monkeypatch.setattr(FrontierSweep, "boundaries", ends)
    monkeypatch.setattr(Sweep, "numbers", kernels)
    monkeypatch.setattr(Sweep, "placement_counts", counts)
    counter = Counter(rules)
    whole(counter)
    watch.seconds.clear()
    benchmark.pedantic(whole, (counter,), rounds=TURNS)
    parts = {part: median(one[part] for one in watch.seconds) for part in watch.seconds[0]}
    total = sum(parts.values())
    print(f"\nmap of 10x10 {rules.fleet}: {1000 * total:.0f} ms, median of {TURNS}")
    for part, seconds in parts.items():
        print(f"  {part:27} {1000 * seconds:6.1f} ms  {seconds / total:6.1%}")
        benchmark.extra_info[part] = round(seconds / total, 3)


@pytest.mark.parametrize("any_side", [True, False], ids=["best-side", "usual-side"])
@pytest.mark.parametrize("rules", [RUSSIAN, HASBRO], ids=["russian", "hasbro"])
def bench_map_in_the_middle(
    benchmark: Any, rules: Rules, any_side: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The map after 20 misses and 5 hits, 3 of them a ship sunk."""
    monkeypatch.setattr(FrontierSweep, "shares_rows", False)  # else only the first one is made
    monkeypatch.setattr(Sweep, "any_side", any_side)
    counter, position = Counter(rules), middle(rules)
    counter.map()
    found = benchmark(counter.at(position).map)
    benchmark.extra_info.update(states=found.states, layouts=found.layouts)
    assert found.layouts > 1000


@pytest.mark.parametrize("shares", [True, False], ids=["shared", "alone"])
@pytest.mark.parametrize("rules", [RUSSIAN, HASBRO], ids=["russian", "hasbro"])
def bench_maps_of_a_game(
    benchmark: Any, rules: Rules, shares: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Maps after 5 to 24 misses, one after another; ``rows`` are those swept forward."""
    monkeypatch.setattr(FrontierSweep, "shares_rows", shares)
    forward, rows = FrontierSweep.forward, [0]

    def counted(self: FrontierSweep, *arguments: Any) -> None:
        rows[0] += 1
        forward(self, *arguments)

    monkeypatch.setattr(FrontierSweep, "forward", counted)
    table = placement_table(rules)
    row = Counter(rules).sample(1, np.random.default_rng(5))[0]
    occupied = sum(table.placements[i].mask for i in row)
    water = [cell for cell in range(100) if not occupied >> cell & 1]
    missed = np.random.default_rng(6).permutation(water)[:24].tolist()
    counter = Counter(rules)

    def maps() -> None:
        for number in range(5, 25):
            counter.at(Position(rules, tuple((cell, 0) for cell in missed[:number]))).map()

    rows[0] = 0
    benchmark.pedantic(maps, rounds=1)
    benchmark.extra_info.update(rows=rows[0])


@pytest.mark.parametrize("under", ["uniform", "prior"])
@pytest.mark.parametrize("misses", [0, 10])
@pytest.mark.parametrize("rules", [RUSSIAN, HASBRO], ids=["russian", "hasbro"])
def bench_chances(benchmark: Any, rules: Rules, misses: int, under: str) -> None:
    """Chances under a prior beside the map in whole numbers: twice its time is allowed."""
    cells = [Fraction(2 + cell * 7 % 5, 3) for cell in range(100)]
    prior = ProductPrior.of_cells(rules, cells) if under == "prior" else None
    scattered = ["A1", "J10", "E5", "F6", "C3", "H8", "C8", "H3", "E9", "B6"]
    counter = Counter(Position.of_cells(rules, miss=scattered[:misses]), prior=prior)
    counter.chances()
    found = benchmark(counter.chances)
    benchmark.extra_info.update(error=found.error)
    assert sum(found.cells) == pytest.approx(rules.fleet.cells, rel=1e-12)


@pytest.mark.parametrize(
    ("contact", "fleet", "profiles"),
    [(Contact.NONE, RUSSIAN.fleet.lengths, 10_680), (Contact.SIDES, HASBRO.fleet.lengths, 268_341)],
    ids=["russian", "hasbro"],
)
def bench_tables(benchmark: Any, contact: Contact, fleet: tuple[int, ...], profiles: int) -> None:
    """Profiles and steps, once per board and fleet."""
    Frontier(4, contact, fleet)
    found = benchmark(Frontier, 10, contact, fleet)
    benchmark.extra_info.update(profiles=found.profiles, steps=len(found.steps_out.others))
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
