"""Limits of time hold in games of many layouts, and compiling does not count towards them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from seabattle.enumerate.rules import Rules
from seabattle.solver.search import watching
from seabattle.solver.search import work as w
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.solution import Objective
from seabattle.solver.search.solve_run import SolveRun
from seabattle.solver.search.watching import run_watched


def working(counters: np.ndarray) -> int:
    """What a kernel does until its allowance is used up, ten seconds at most."""
    end = time.monotonic() + 10
    while counters[w.ALLOWANCE] >= 0 and time.monotonic() < end:
        time.sleep(0.001)
        counters[w.ALLOWANCE] += 0  # as a kernel writes what it has read
    return w.STOP if counters[w.ALLOWANCE] < 0 else 7


def counters() -> np.ndarray:
    return np.full(w.COUNTERS, 10**9, dtype=np.int64)


@pytest.mark.parametrize("what", ["deadline", "stop"])
def test_a_watched_kernel_stops_at_once(what: str) -> None:
    started = time.monotonic()
    given = {"deadline": started + 0.3} if what == "deadline" else {"stop": lambda: True}
    own = counters()
    assert run_watched([lambda: working(own)], [own], Limits(**given)) == [w.STOP]  # type: ignore[arg-type]
    assert time.monotonic() - started < 5
    assert threading.active_count() < 20


def test_a_watched_kernel_comes_to_its_end() -> None:
    own = counters()
    assert run_watched([lambda: 42], [own], Limits()) == [42]
    assert own[w.ALLOWANCE] == 10**9


def test_errors_of_a_watched_kernel_are_those_of_the_caller() -> None:
    with pytest.raises(MemoryError):
        run_watched([fails], [counters()], Limits())


def fails() -> int:
    raise MemoryError


def test_an_interrupt_ends_the_kernel_too() -> None:
    own = counters()

    def interrupt() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_watched([lambda: working(own)], [own], Limits(stop=interrupt))
    assert own[w.ALLOWANCE] < 0
    assert not kernels_running()


def kernels_running() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "kernel"]


def test_several_kernels_are_watched_together() -> None:
    own = [counters() for _ in range(3)]
    meeting = threading.Barrier(3)  # passed when all run at once

    def step(mine: np.ndarray) -> int:
        meeting.wait(timeout=60)
        return working(mine)

    steps = [lambda mine=mine: step(mine) for mine in own]  # type: ignore[misc]
    started = time.monotonic()
    assert run_watched(steps, own, Limits(deadline=started + 0.3)) == [w.STOP] * 3
    assert time.monotonic() - started < 5
    assert not kernels_running()
    assert sorted(run_watched([lambda: 1, lambda: 2], own, Limits())) == [1, 2]


def test_a_search_that_is_watched_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = as_problem(Rules("5x5", "3,2,2,1,1,1"))
    plain = SolveRun(problem, Objective.MEAN, None, Limits()).solve(values=True)
    monkeypatch.setattr("seabattle.solver.search.workspace.WATCHED_ROWS", 0)
    watched = SolveRun(problem, Objective.MEAN, None, Limits()).solve(values=True)
    assert (watched.states, watched.nodes) == (plain.states, plain.nodes)
    assert (watched.total_misses, watched.values) == (plain.total_misses, plain.values)
    assert watching.WATCHED_ROWS > 1_000_000


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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT")
def test_ctrl_c_ends_a_search_of_many_layouts(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "seabattle", "solve", "--board", "6x7", "--fleet", "3,2,2,1",
               "--answers", "sunk", "--memory-limit", "1", "--json"]  # fmt: skip
    started = time.monotonic()
    subprocess.run([*command, "--time-limit", "1"], check=True, env=dict(os.environ), cwd=tmp_path)
    least = time.monotonic() - started
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=dict(os.environ), cwd=tmp_path
    )
    time.sleep(2 * least)
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    out, _ = process.communicate(timeout=120)
    assert time.monotonic() - started < least + 3
    assert process.returncode == 130
    assert '"status": "bounded"' in out
