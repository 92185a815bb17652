"""Limits of time hold in games of many layouts, and compiling does not count towards them."""

from __future__ import annotations

import threading
import time

import numpy as np

from seabattle.enumerate.rules import Rules
from seabattle.solver.search import work as w
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.threads import run_watched


def working(counters: np.ndarray) -> int:
    """What a kernel does until its allowance is used up, ten seconds at most."""
    end = time.monotonic() + 10
    while counters[w.ALLOWANCE] >= 0 and time.monotonic() < end:
        time.sleep(0.001)
        counters[w.ALLOWANCE] += 0  # as a kernel writes what it has read
    return w.STOP if counters[w.ALLOWANCE] < 0 else 7


def counters() -> np.ndarray:
    return np.full(w.COUNTERS, 10**9, dtype=np.int64)


def kernels_running() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "kernel"]


def test_a_kernel_that_runs_long_is_stopped() -> None:
    own = counters()
    started = time.monotonic()
    assert run_watched(lambda: working(own), own, Limits(deadline=started + 0.3)) == w.STOP
    assert time.monotonic() - started < 5
    assert not kernels_running()
    assert run_watched(lambda: 1, own, Limits()) == 1


def test_symmetries_are_those_of_the_layouts_one_by_one() -> None:
    for rules in (Rules("4x4", "2,2,1", answers="sunk"), Rules("3x4", "3,2", "sides", "sunk"),
                  Rules("3x5", "1,1,1,1", "sides", "ship")):  # fmt: skip
        problem = Problem(as_problem(rules).table)
        rows = {frozenset(row): i for i, row in enumerate(problem.ships.tolist())}
        images = problem.image_array(orbits=True)
        assert len(problem.symmetries) == len(rules.board.symmetries)
        for g, symmetry in enumerate(problem.symmetries):
            if len(images) == 1:
                continue
            for i, row in enumerate(problem.ships.tolist()):
                moved = frozenset(
                    sum(1 << symmetry[c] for c in range(problem.cells) if ship >> c & 1)
                    for ship in row
                )
                assert images[g, i] == rows[moved]
