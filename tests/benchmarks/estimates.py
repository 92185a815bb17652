"""How far off the estimates of long searches are: what was said, and what came of it.

    python tests/benchmarks/estimates.py [GAME ...]

A game is written as ``"5x5 3,2,2 sides hit"``; without any, those of the table in
``docs/pages/estimates.md``. Keys and sub-tables are the same on every machine, seconds are not.
"""

from __future__ import annotations

import sys
import time

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.estimating import Estimate
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.solve import solve_problem

GAMES = (
    "4x5 3,2,1 corners hit",
    "4x6 3,2,1 none hit",
    "5x5 3,2,1 none hit",
    "5x6 3,2 none hit",
    "5x6 3,2,2 none hit",
    "6x6 3,2 none hit",
    "5x6 3,2,2,1,1,1 none hit",
)


def seconds_text(estimate: Estimate) -> str:
    """The whole search, from its beginning to the proof."""
    if not estimate.told:
        return f"at least {estimate.least:.0f}"
    return f"{estimate.least:.0f} to {estimate.most:.0f}"


def gib_text(estimate: Estimate) -> str:
    """Memory of the table."""
    if not estimate.told:
        return f"at least {estimate.least_gib:.2g}"
    return f"{estimate.least_gib:.2g} to {estimate.most_gib:.2g}"


def row(game: str, memory: float = 6.0) -> str:
    """One row of the table."""
    seen: list[tuple[float, Estimate]] = []
    tables: list[int] = []

    def report(snapshot: Snapshot) -> None:
        if snapshot.estimate is not None:
            seen.append((time.monotonic() - started, snapshot.estimate))
        tables.append(snapshot.states)

    limits = Limits(memory=memory, report=report, rows_per_step=20_000_000)
    problem = as_problem(Rules(*game.split()))
    started = time.monotonic()
    solution = solve_problem(problem, limits=limits)
    real = solution.search_seconds
    told = [(at, estimate) for at, estimate in seen if estimate.told and at < real]
    first = told[0] if told else None
    half = next(((at, e) for at, e in told if at >= real / 2), None)
    cells = [game, f"{real:.0f} s", f"{solution.states:,}", f"{solution.nodes:,}"]
    for moment in (first, half):
        if moment is None:
            cells += ["-", "-"]
        else:
            at, estimate = moment
            cells += [f"{seconds_text(estimate)} (after {at:.0f})", gib_text(estimate)]
    return " | ".join(cells)


if __name__ == "__main__":
    print("game | real | keys | sub-tables | first said, s | GiB | said half-way, s | GiB")
    for game in sys.argv[1:] or GAMES:
        print(row(game), flush=True)
