"""Stopping, anytime answers, and checkpoints."""

from __future__ import annotations

import hashlib
import json
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from seabattle.enumerate.errors import CheckpointError, FileAccessError
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Limits, Objective, Within
from seabattle.solver.search.solve import solve, solve_problem

GAMES = [
    Rules("4x4", "2,2,1"),
    Rules("4x4", "2,2,1", answers="sunk"),
    Rules("4x4", "3,2,1", answers="ship"),
    Rules("3x3", "3,2", "sides", "sunk"),
]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_stopped_search_is_continued_from_its_checkpoint(rules: Rules, tmp_path: Path) -> None:
    expected = solve(rules)
    file = tmp_path / "run.checkpoint"
    looks = count(1)
    limits = Limits(stop=lambda: next(looks) % 40 == 0, rows_per_step=1)
    states = 0
    for _ in range(400):
        solution = solve_problem(as_problem(rules), limits=limits, checkpoint=file)
        assert file.exists()
        if solution.best_shots:
            break
        assert solution.interrupted
        assert solution.lower_bound <= expected.total_misses <= solution.upper_bound
        assert solution.states >= states
        states = solution.states
    else:
        pytest.fail("the search never came to an end")
    assert solution.total_misses == expected.total_misses
    assert solution.best_shots == expected.best_shots


@pytest.mark.parametrize("objective", [*Objective, Within(3)], ids=str)
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_solve_goes_on_from_what_one_of_its_objective_has_kept(
    rules: Rules, objective: Objective | Within, tmp_path: Path
) -> None:
    file = tmp_path / "run.checkpoint"
    first, again = (
        solve(rules, objective, threads=1, checkpoint=file, values=True) for _ in range(2)
    )
    assert (again.lower_bound, again.upper_bound) == (first.lower_bound, first.upper_bound)
    assert again.status == first.status == "optimal"
    assert again.values == first.values
    assert again.best_shots == first.best_shots
    assert again.nodes <= first.nodes


def checkpoint_of(rules: Rules, file: Path) -> Checkpoint:
    problem = as_problem(DecisionTable.build(rules))
    search = ExactSearch(problem)
    search.resume(Checkpoint(file, problem))
    search.minimize()
    search.save()
    return Checkpoint(file, problem)


def test_a_finished_checkpoint_answers_at_once(tmp_path: Path) -> None:
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    file = tmp_path / "run.checkpoint"
    checkpoint_of(rules, file)
    problem = as_problem(rules)
    search = ExactSearch(problem)
    taken = search.resume(Checkpoint(file, problem))
    assert taken == search.states > 4_000
    assert search.minimize().misses == 2490
    assert search.nodes == 0


@pytest.mark.parametrize("objective", ["mean", "worst-mean", "within:4"])
def test_an_answer_is_not_lost_with_its_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, objective: str
) -> None:
    def full(path: Path, write: object) -> None:
        tried.append(path)
        raise FileAccessError(f"cannot write {path}: No space left on device")

    tried: list[Path] = []
    monkeypatch.setattr("seabattle.solver.search.checkpoint.write_whole", full)
    monkeypatch.setattr("seabattle.solver.search.checkpoint.SECONDS_BETWEEN", 0.0)
    rules, file = Rules("5x5", "3,2,2,1,1,1"), tmp_path / "run.checkpoint"
    solution = solve(rules, objective, threads=1, checkpoint=file)
    assert len(tried) > 1  # while it searches, and at the end
    assert solution.status == "optimal"
    assert solution.best_shots == solve(rules, objective, threads=1).best_shots
    assert solution.stopped_by == f"cannot write {file}: No space left on device"


def test_an_answer_is_not_lost_with_its_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    solution = solve(Rules("4x4", "3,2,1"), proof=tmp_path / "folder")
    assert (solution.status, solution.total_misses, solution.lemmas) == ("optimal", 605, None)
    assert solution.stopped_by.startswith(f"no proof was written: cannot write {tmp_path}")


def test_damaged_and_foreign_checkpoints_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    rules = Rules("4x4", "3,2,1")
    checkpoint = checkpoint_of(rules, file)
    good = file.read_bytes()
    words = ExactSearch(as_problem(rules)).table_width
    assert checkpoint.load(words) is not None
    for cut in (0, 10, len(good) // 2, len(good) - 1):
        file.write_bytes(good[:cut])
        with pytest.raises(CheckpointError, match="damaged or no checkpoint"):
            checkpoint.load(words)
    refused = 0
    for place in range(0, len(good), 97):
        changed = bytearray(good)
        changed[place] ^= 0x55
        file.write_bytes(changed)
        try:
            entries = checkpoint.load(words)
        except (CheckpointError, FileAccessError):
            refused += 1
        else:  # a byte of the zip's own bookkeeping that changes nothing read
            file.write_bytes(good)
            assert np.array_equal(entries, checkpoint.load(words))
    assert refused > 5
    file.write_bytes(good)
    with np.load(file) as archive:
        entries, head = archive["entries"], json.loads(str(archive["head"]))
    for digest in ("", "0" * 64, "f" * 64):  # before and after the true one
        with file.open("wb") as stream:
            np.savez(stream, entries=entries, head=json.dumps(head | {"entries": digest}))
        with pytest.raises(CheckpointError, match="its digest does not fit"):
            checkpoint.load(words)
    for other in (entries[:, 1:], entries[:, 0], entries[None]):
        digest = hashlib.sha256(np.ascontiguousarray(other).tobytes()).hexdigest()
        with file.open("wb") as stream:
            np.savez(stream, entries=other, head=json.dumps(head | {"entries": digest}))
        with pytest.raises(CheckpointError, match="its digest does not fit"):
            checkpoint.load(words)
    file.write_bytes(good)
    for other in (Rules("4x4", "3,2,1", answers="sunk"), Rules("4x4", "2,2,1")):
        with pytest.raises(CheckpointError, match=r"belongs to another problem \(4x4, fleet 3,2,1"):
            solve(other, checkpoint=file)
    table = DecisionTable.build(rules)
    weighted = DecisionTable(table.layouts, np.arange(len(table), dtype=np.int64))
    with pytest.raises(CheckpointError, match="another problem"):
        solve(weighted, checkpoint=file)
    with pytest.raises(FileAccessError, match=r"cannot read .*run\.checkpoint"):
        checkpoint_of(rules, Path("/dev/null/run.checkpoint"))
