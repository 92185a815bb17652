"""One game in parts: the same values, bounds and first shots as in one search, and a whole tree."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.clusters import local_cluster

from seabattle.enumerate.errors import CheckpointError, SeabattleError, WorkFailed
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import split_parts, split_solve
from seabattle.solver.search.solution import Objective, Solution
from seabattle.solver.search.solve import solve
from seabattle.solver.search.split_parts import SplitJob
from seabattle.trees.verify import require_valid

Run = Callable[..., tuple[int, str, str]]


class Inline:
    """A pool whose tasks are done here, one after the other."""

    slots = 2

    def __init__(self, workers: int, cluster: str | None = None) -> None:
        self.said: dict[str, Any] | None = {}
        self.reader = self

    def __enter__(self) -> Inline:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def read(self) -> dict[str, Any] | None:
        return self.said

    @property
    def ended(self) -> bool:
        return self.said is None

    def say(self, notice: dict[str, Any] | None) -> None:
        self.said = notice

    def limit(self, workers: int) -> None:
        pass

    def run(
        self, function: Callable[..., Any], tasks: Iterator[tuple[Any, ...]], look: Any
    ) -> Iterator[Any]:
        for task in tasks:
            yield function(*task)
            look()


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split_solve, "Pool", Inline)


def split(game: Any, objective: str = "mean", **options: Any) -> Solution:
    return split_solve.split_solve(game, objective, **{"solo_seconds": 0, **options})


def assert_same(one: Solution, other: Solution) -> None:
    """Everything but the choice between trees that are equally good."""
    for name in ("status", "layouts", "weight", "lower_bound", "upper_bound", "best_shots",
                 "values", "objective", "stopped_by"):  # fmt: skip
        assert getattr(one, name) == getattr(other, name), name
    if one.objective != "worst":
        assert one.total_misses == other.total_misses
    if one.objective != "mean":
        assert one.worst_misses == other.worst_misses
    points = [[(t.worst_misses, t.total_misses) for t in s.front] for s in (one, other)]
    assert points[0] == points[1]
    require_valid(other.tree)
    assert other.tree.status == one.tree.status


GAMES = [
    ("4x4", "3,2,1", "none", "hit"), ("4x5", "4,2", "none", "hit"), ("3x3", "3,2", "sides", "hit"),
    ("4x4", "3,2", "none", "sunk"), ("3x4", "2,2,1", "corners", "sunk"),
    ("3x3", "2,2", "sides", "sunk"), ("3x4", "3,2", "sides", "sunk"),
    ("4x4", "3,2", "corners", "ship"), ("3x4", "2,2", "sides", "ship"),
    ("3x3", "2,1,1", "none", "ship"),
]  # fmt: skip


@pytest.mark.parametrize("objective", list(Objective))
@pytest.mark.parametrize("game", GAMES, ids=" ".join)
def test_parts_give_what_one_search_gives(
    inline: None, game: tuple[str, ...], objective: str
) -> None:
    rules = Rules(*game)
    values = objective == "mean"
    assert_same(solve(rules, objective, values=values), split(rules, objective, values=values))


@pytest.mark.parametrize(
    ("game", "shots"),
    [
        (("4x4", "3,2,1", "none", "hit"), "B2 miss, A1 hit"),
        (("4x4", "3,2", "none", "sunk"), "B2 miss"),
        (("4x4", "3,2", "none", "sunk"), "B1 hit"),
        (("3x4", "3,2", "sides", "sunk"), "B2 hit, C3 miss"),
        (("3x4", "2,2", "sides", "ship"), "B2 hit=2#1"),
        (("4x4", "3,2", "corners", "ship"), "D4 miss, B2 hit=3#1"),
    ],
)
def test_from_a_position(inline: None, game: tuple[str, ...], shots: str) -> None:
    position = Position.in_order(Rules(*game), shots)
    for objective in ("mean", "worst-mean"):
        assert_same(
            solve(position, objective, values=True), split(position, objective, values=True)
        )


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
@pytest.mark.parametrize("contact", ["none", "sides"])
@pytest.mark.parametrize("least", [1, 0])
def test_with_weights(inline: None, answers: str, contact: str, least: int) -> None:
    """With weights of 0 the game is not split, which changes nothing."""
    table = DecisionTable.build(Rules("3x4", "2,2", contact, answers))
    weights = np.random.default_rng(5).integers(least, 4, len(table))
    table = DecisionTable.build(table, prior=weights)
    for objective in ("mean", "mean-worst"):
        assert_same(solve(table, objective), split(table, objective))


def test_a_certain_hit_comes_first(inline: None) -> None:
    """3,1,1 on 3x3 has certain hits from the start."""
    for answers in ("hit", "sunk", "ship"):
        rules = Rules("3x3", "3,1,1", "none", answers)
        assert_same(solve(rules, values=True), split(rules, values=True))


def test_what_stops_one_part_leaves_a_proven_interval(
    inline: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rules("4x5", "3,2,1", "none", "sunk")
    optimum = 4402
    real = split_parts.search_part
    asked: list[int] = []

    def tight(job: SplitJob, *rest: Any) -> Any:
        asked.append(1)
        if len(asked) > 12:
            job = SplitJob(job.number + "tight", job.table, 1e-4, None, job.reader)
        return real(job, *rest)

    monkeypatch.setattr(split_solve, "search_part", tight)
    found = split(rules)
    assert found.status == "bounded"
    assert "memory limit" in found.stopped_by
    assert 0 < found.lower_bound <= optimum <= found.upper_bound == found.total_misses
    assert not found.interrupted


def test_ctrl_c_keeps_what_is_proven(inline: None) -> None:
    rules = Rules("4x5", "3,2,1", "none", "hit")
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 20

    found = split(rules, stop=stop)
    assert (found.status, found.interrupted) == ("bounded", True)
    assert found.lower_bound <= 5458 <= found.upper_bound
    require_valid(found.tree)


@pytest.mark.parametrize("where", ["two processes", "Dask"])
def test_processes_change_nothing(where: str) -> None:
    rules = Rules("4x4", "3,2,1")
    expected = solve(rules)
    if where == "Dask":
        with local_cluster(2) as address:
            assert_same(expected, split(rules, cluster=address))
        return
    assert_same(expected, split(rules, workers=1))
    found = split(rules, workers=2)
    assert_same(expected, found)
    assert found.states >= expected.states


class Ending(Inline):
    """A pool that is gone after some looks at its notice."""

    looks = 0

    def read(self) -> dict[str, Any] | None:
        Ending.looks += 1
        return self.said if Ending.looks < 5 else None

    @property
    def ended(self) -> bool:
        return Ending.looks >= 5


def test_parts_go_on_from_what_they_had_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rules("4x5", "3,2,1", "none", "hit")
    folder = tmp_path / "parts"
    monkeypatch.setattr(split_solve, "Pool", Ending)
    stopped = split(rules, checkpoint=folder)
    assert (stopped.status, Ending.looks >= 5) == ("bounded", True)
    files = sorted(folder.iterdir())
    assert files
    monkeypatch.setattr(split_solve, "Pool", Inline)
    again = split(rules, checkpoint=folder)
    assert_same(solve(rules), again)
    assert again.nodes < split(rules).nodes
    files[0].write_bytes(b"no checkpoint")
    with pytest.raises(CheckpointError, match="remove it to start anew"):
        split(rules, checkpoint=folder)


@pytest.mark.slow  # it takes some seconds until the processes are at work
def test_ctrl_c_ends_the_command_and_keeps_its_parts(tmp_path: Path) -> None:
    command = ["solve", "--board", "5x5", "--fleet", "3,2,1", "--answers", "sunk", "--workers", "2",
               "--json", "--checkpoint", str(tmp_path / "kept")]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "seabattle", *command], stdout=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 120
    while time.monotonic() < until and not (tmp_path / "kept.parts").exists():
        time.sleep(0.2)
    time.sleep(6)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=120)
    assert process.returncode == 130
    found = json.loads(told)
    assert found["status"] == "bounded"
    assert 0 < found["lower_bound"] < found["upper_bound"]
    assert list((tmp_path / "kept.parts").glob("*.npz"))


class Lost(Inline):
    """A pool one of whose processes was killed."""

    def run(self, *work: Any) -> Iterator[Any]:
        raise WorkFailed("a worker process ended unexpectedly")


def test_a_lost_process_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(split_solve, "Pool", Lost)
    monkeypatch.setattr(split_solve, "SOLO_SECONDS", 0.0)
    with pytest.raises(WorkFailed, match="ended unexpectedly"):
        split(Rules("4x4", "3,2,1"))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--workers", "0"], "--workers 0: at least 1 is needed"),
        (["--workers", "2", "--scheduler", "tcp://h:1"], "leave it out"),
        (["--scheduler", "nowhere"], "no Dask scheduler can be at 'nowhere'"),
    ],
)
def test_impossible_options_are_refused(run: Run, options: list[str], says: str) -> None:
    status, told, err = run("solve", "--board", "4x4", "--fleet", "3,2,1", *options)
    assert (status, told, err.count("\n")) == (2, "", 1)
    assert says in err
    with pytest.raises(SeabattleError, match="workers 0: at least 1"):
        split(Rules("4x4", "3,2,1"), workers=0)
