"""What hits leave, counted again while a search takes long: still no more than the truth."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import numpy as np
import pytest
from support.counted_games import counted
from support.examples import some
from support.random_play import layouts_of, play
from twins.naive_finds import Finds

from seabattle.enumerate.game.rules import Rules
from seabattle.solver.search import counted_hits, finds, pausing
from seabattle.solver.search.answer_search import AnswerSearch
from seabattle.solver.search.dispatch import as_problem, make_search
from seabattle.solver.search.hit_search import HitSearch
from seabattle.solver.search.kernels import states
from seabattle.solver.search.kernels.arrays import CREDITED, FOUND, FOUND_AFTER_HIT
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.recounting import Recounting
from seabattle.solver.search.solve import solve_problem

SMALL = [
    Rules("1x8", "2,1", answers="sunk"),
    Rules("3x3", "2,1", "corners", "sunk"),
    Rules("3x4", "3,1"),
    Rules("3x3", "2,1", "corners"),
    Rules("2x6", "2,1,1", answers="sunk"),
]
LARGER = [
    Rules("4x4", "2,1", answers="sunk"),
    Rules("4x4", "3,2,1", "corners", "sunk"),
    Rules("4x5", "2,1"),
]
ALL_ROWS = 10**12
"""Rows that a call may look at, so many that it goes through every effort."""


def found_by(search: AnswerSearch) -> np.ndarray:
    """All that is counted of the states."""
    return search.finds.found[: int(search.finds.size[0])].copy()


@pytest.mark.parametrize("rules", some(SMALL, 4), ids=str)
def test_no_tree_finds_more_than_counted_again(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finds, "EFFORTS", ((0, 1), *finds.EFFORTS))
    search, rng = counted(rules), random.Random(3)
    before = found_by(search)
    Recounting(search).go_on(ALL_ROWS)
    after = found_by(search)
    counts = [FOUND, FOUND_AFTER_HIT]
    assert np.all(after[:, counts] <= before[:, counts])
    assert np.all(after[:, CREDITED].sum(axis=1) <= before[:, CREDITED].sum(axis=1))
    assert np.any(after < before)
    problem = search.problem
    twin = Finds(rules.answers.value, rules.contact.value)
    layouts = layouts_of(problem)
    seen = 0
    for rows, shot in (state for _ in range(8) for state in play(problem, rng)):
        certain, _ = problem.closure(rows)
        state = int(states.state_of(rows[0], np.uint64(certain), search.finds))
        here = frozenset(layouts[i] for i in rows)
        for misses in range(4):
            assert twin.most(here, shot, misses) <= search.finds.found[state, FOUND, misses]
            seen += 1
    assert seen > 30


@pytest.mark.parametrize("rules", LARGER, ids=str)
def test_more_is_known_of_the_whole_game(rules: Rules) -> None:
    search = counted(rules)
    n, root = len(search.problem), int(search.finds.size[0]) - 1

    def known() -> int:
        return int(np.maximum(0, n - search.finds.found[root, FOUND].astype(np.int64)).sum())

    before = known()
    Recounting(search).go_on(ALL_ROWS)
    optimum = make_search(as_problem(rules)).minimize().misses
    assert before < known() <= optimum


@pytest.mark.parametrize("rules", [LARGER[0], LARGER[2]], ids=str)
def test_bit_by_bit_the_same_is_counted(rules: Rules) -> None:
    whole, parts = counted(rules), counted(rules)
    Recounting(whole).go_on(ALL_ROWS)
    parts.rows_per_step = parts.least_rows_per_step  # a state or two in each
    recounting = Recounting(parts)
    calls = 0
    while recounting.effort < len(finds.EFFORTS):
        recounting.go_on(1)
        calls += 1
    assert calls > 10
    assert np.array_equal(found_by(whole), found_by(parts))
    recounting.go_on(1)  # nothing is left to do
    assert np.array_equal(found_by(whole), found_by(parts))


def test_limits_stop_it_and_it_goes_on() -> None:
    whole, search = counted(LARGER[0]), counted(LARGER[0])
    Recounting(whole).go_on(ALL_ROWS)
    search.rows_per_step = search.least_rows_per_step
    recounting = Recounting(search)
    search.limits = Limits(stop=lambda: True)
    with pytest.raises(KeyboardInterrupt):
        recounting.go_on(ALL_ROWS)
    search.limits = Limits(deadline=time.monotonic() - 1)
    with pytest.raises(LimitReached, match="time limit"):
        recounting.go_on(ALL_ROWS)
    assert recounting.effort < len(finds.EFFORTS)
    assert search.rows_left is None
    search.limits = Limits()
    recounting.go_on(ALL_ROWS)
    # What was tried out of a state when it was stopped is not tried again at that effort.
    assert np.all(found_by(search)[-1, FOUND] >= found_by(whole)[-1, FOUND])
    assert search.minimize().misses == whole.minimize().misses


@pytest.mark.parametrize("answers", ["sunk", "ship"])
def test_nothing_is_counted_again_where_nothing_was_counted(answers: str) -> None:
    search = make_search(as_problem(Rules("3x3", "2,1", "sides", answers)))
    search.count_again(ALL_ROWS)
    plain = make_search(as_problem(LARGER[0]), options=SearchOptions.plain())
    plain.count_again(ALL_ROWS)
    hits = HitSearch(as_problem(Rules("3x3", "2,1")))
    hits.count_again(ALL_ROWS)
    assert (search.states, plain.states, hits.states) == (0, 0, 0)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("rules", [LARGER[0], Rules("4x4", "2,1")], ids=str)
def test_the_optimum_is_the_same(
    rules: Rules, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted_hits, "LEAST_CELLS", 16)
    monkeypatch.setattr(counted_hits, "LEAST_ROWS", 10)
    monkeypatch.setattr(pausing, "PAUSES", ((1, 1000), (1, 1000), (5000, 1000)))
    efforts: list[int] = []
    go_on = Recounting.go_on

    def watched(recounting: Recounting, rows: int) -> None:
        go_on(recounting, rows)
        efforts.append(recounting.effort)

    monkeypatch.setattr(Recounting, "go_on", watched)
    limits = Limits(rows_per_step=1, threads=threads)
    options = SearchOptions(sets=False, best_first=False)  # while that goes on, nothing is
    solution = solve_problem(as_problem(rules), options=options, limits=limits)
    assert solution.status == "optimal"
    assert solution.tree.total_misses == make_search(as_problem(rules)).minimize().misses
    assert efforts, "it should have been counted again"


def test_progress_is_that_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_hits, "LEAST_CELLS", 16)
    monkeypatch.setattr(counted_hits, "LEAST_ROWS", 10)
    seen: list[Snapshot] = []
    search = HitSearch(as_problem(LARGER[2]))
    search.prepare()
    search.minimize()
    assert search.counter is not None
    search.counter.rows_per_step = search.counter.least_rows_per_step
    search.limits = replace(search.limits, report=seen.append)
    search.stage = "mean"
    search.count_again(ALL_ROWS)
    assert seen
    assert {(shown.states, shown.stage) for shown in seen} == {(search.states, "mean")}
