"""What hits leave, counted by one thread or several, once or again: no less than any tree finds."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.counted_games import HIT, SUNK, counted, counting
from support.examples import some
from support.random_play import layouts_of, play
from twins.naive_finds import Finds

from seabattle.enumerate.rules import Rules
from seabattle.solver.search import counted_hits, finds, pausing, state_count
from seabattle.solver.search.answer_search import AnswerSearch
from seabattle.solver.search.dispatch import as_problem, make_search
from seabattle.solver.search.hit_search import HitSearch
from seabattle.solver.search.kernels import arrays, states
from seabattle.solver.search.kernels import finds as finds_kernels
from seabattle.solver.search.kernels.arrays import CREDITED, FOUND, FOUND_AFTER_HIT, AnswerArrays
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.solve import solve_problem
from seabattle.solver.search.state_count import StateCount

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
    monkeypatch.setattr(state_count, "EFFORTS", ((0, 1), *finds.EFFORTS))
    search, rng = counted(rules), random.Random(3)
    before = found_by(search)
    search.count_again(ALL_ROWS)
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
    search.count_again(ALL_ROWS)
    optimum = make_search(as_problem(rules)).minimize().misses
    assert before < known() <= optimum


@pytest.mark.parametrize("rules", [LARGER[0], LARGER[2]], ids=str)
def test_bit_by_bit_the_same_is_counted(rules: Rules) -> None:
    whole, parts = counted(rules), counted(rules)
    whole.count_again(ALL_ROWS)
    parts.rows_per_step = parts.least_rows_per_step  # a state or two in each
    calls = 0
    while parts.state_count.efforts_done < len(finds.EFFORTS):
        parts.count_again(1)
        calls += 1
    assert calls > 10
    assert np.array_equal(found_by(whole), found_by(parts))
    parts.count_again(1)  # nothing is left to do
    assert np.array_equal(found_by(whole), found_by(parts))


def test_limits_stop_it_and_it_goes_on() -> None:
    whole, search = counted(LARGER[0]), counted(LARGER[0])
    whole.count_again(ALL_ROWS)
    search.rows_per_step = search.least_rows_per_step
    search.limits = Limits(stop=lambda: True)
    with pytest.raises(KeyboardInterrupt):
        search.count_again(ALL_ROWS)
    search.limits = Limits(deadline=time.monotonic() - 1)
    with pytest.raises(LimitReached, match="time limit"):
        search.count_again(ALL_ROWS)
    assert search.state_count.efforts_done < len(finds.EFFORTS)
    assert search.rows_left is None
    search.limits = Limits()
    search.count_again(ALL_ROWS)
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
    go_on = StateCount.go_on

    def watched(count: StateCount, rows: int) -> None:
        go_on(count, rows)
        efforts.append(count.efforts_done)

    monkeypatch.setattr(StateCount, "go_on", watched)
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


def grown(rules: Rules, threads: int, first_states: int, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """All that is counted with so many threads, with arrays that begin small, in short steps."""
    monkeypatch.setattr(state_count, "FIRST_STATES", first_states)
    monkeypatch.setattr(state_count, "WORK_FOR_A_THREAD", 1)
    search = counting(rules, limits=Limits(threads=threads))
    search.arena = type(search.arena)(*(array[:2].copy() for array in search.arena))
    search.rows_per_step = search.least_rows_per_step
    search.prepare()
    once = found_by(search)
    search.count_again(ALL_ROWS)
    again = found_by(search)
    assert np.any(again < once) or rules not in LARGER
    return once.tobytes() + again.tobytes()


@pytest.mark.parametrize("rules", [*SUNK, *HIT, *LARGER], ids=str)
def test_threads_count_what_one_counts(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = grown(rules, 1, 1 << 11, monkeypatch)
    assert alone == grown(rules, 1, 1, monkeypatch)
    for threads in (2, 4):
        for first_states in (3, 1 << 11):
            assert alone == grown(rules, threads, first_states, monkeypatch)


def test_a_game_of_seconds_with_threads() -> None:
    rules = Rules("5x5", "3,2,2", answers="sunk")
    alone = counted(rules)
    for _ in range(3):
        search = counting(rules, limits=Limits(threads=4))
        search.prepare()
        assert np.array_equal(found_by(alone), found_by(search))
    alone.count_again(10_000_000)
    search.count_again(10_000_000)
    assert np.any(found_by(search) < found_by(counted(rules)))
    assert search.minimize().misses == alone.minimize().misses == 10_300


def test_threads_that_are_stopped_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_count, "WORK_FOR_A_THREAD", 1)
    rules = LARGER[1]
    whole = counted(rules)
    search = counting(rules, limits=Limits(threads=3, stop=lambda: True))
    search.rows_per_step = search.least_rows_per_step
    stops = 0
    while search.counting:
        try:
            search.prepare()
        except KeyboardInterrupt:
            stops += 1
            known = found_by(search)
            sizes = known[:, FOUND, -1]
            assert np.all(known <= sizes[:, None, None])  # valid at any time
    assert stops > 3
    assert np.all(found_by(search) >= found_by(whole))
    search.limits = Limits()
    assert search.minimize().misses == whole.minimize().misses


def test_an_error_in_one_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_count, "WORK_FOR_A_THREAD", 1)
    search = counting(LARGER[1], limits=Limits(threads=3))
    run = state_count.run_watched

    def broken(steps: list[Callable[[], int]], *rest: Any) -> list[int]:
        def fails() -> int:
            raise MemoryError

        return run([*steps[:-1], fails], *rest)

    with monkeypatch.context() as patched:
        patched.setattr(state_count, "run_watched", broken)
        with pytest.raises(MemoryError):
            search.prepare()
    search.prepare()
    assert np.array_equal(found_by(search), found_by(counted(LARGER[1])))


def test_nobody_waits_for_a_thread_that_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_count, "WORK_FOR_A_THREAD", 1)
    count_states = finds_kernels.count_states
    calls: list[None] = []

    def fails_once(*given: Any) -> int:
        calls.append(None)
        if len(calls) == 1:
            given[6][finds_kernels.TURN] += np.uint64(1)  # it takes a state
            raise MemoryError
        return int(count_states(*given))

    search = counting(LARGER[1], limits=Limits(threads=3))
    with monkeypatch.context() as patched:
        patched.setattr(finds_kernels, "count_states", fails_once)
        with pytest.raises(MemoryError):
            search.prepare()
    assert len(calls) > 1
    search.prepare()
    assert np.array_equal(found_by(search), found_by(counted(LARGER[1])))


@pytest.mark.parametrize("rules", [*SUNK, *HIT], ids=str)
def test_a_state_after_a_hit_is_of_an_earlier_level(rules: Rules) -> None:
    search, rng = counted(rules), random.Random(5)
    order = search.state_count.order
    assert order is not None
    place = np.argsort(order)
    hits = np.array([cells.bit_count() for cells in search.state_count.hits[order, 0].tolist()])
    assert np.array_equal(np.sort(order), np.arange(int(search.finds.size[0])))
    assert np.all(np.diff(hits) <= 0)
    seen = 0
    for rows, _ in (state for _ in range(10) for state in play(search.problem, rng)):
        certain, occupied = search.problem.closure(rows)
        state = int(states.state_of(rows[0], np.uint64(certain), search.finds))
        for cell in range(search.problem.cells):
            if occupied & ~certain & 1 << cell:
                hit = rows[search.problem.rows[rows] >> np.uint64(cell) & np.uint64(1) == 1]
                then, possible = search.problem.closure(hit)
                if then != possible:
                    after = int(states.state_of(hit[0], np.uint64(then), search.finds))
                    if after >= 0:
                        assert hits[place[after]] > hits[place[state]]
                        seen += 1
    assert seen > 0


def test_every_array_is_read_only_or_a_threads_own() -> None:
    """A new field belongs to one of the two."""
    read = {"game", "keys", "table", "patterns", "reach", "finds", "key", "options", "busy"}
    assert read.isdisjoint(state_count.OWN)
    assert set(AnswerArrays._fields) == read | set(state_count.OWN)
    read = {"ships", "slots", "found", "effort", "size"}  # of found each thread writes its states
    assert read.isdisjoint(state_count.OWN_FINDS)
    assert set(arrays.Finds._fields) == read | set(state_count.OWN_FINDS)


def test_threads_are_as_many_as_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_count, "WORK_FOR_A_THREAD", 1)
    run = state_count.run_watched
    seen: list[int] = []

    def counted_threads(steps: list[Callable[[], int]], *rest: Any) -> list[int]:
        seen.append(len(steps))
        return run(steps, *rest)

    monkeypatch.setattr(state_count, "run_watched", counted_threads)
    most = []
    for memory in (8.0, 0.06, 0.001):
        seen.clear()
        search = counting(LARGER[1], limits=Limits(threads=4, memory=memory))
        search.prepare()
        search.count_again(ALL_ROWS)
        most.append(max(seen))
    assert most[0] == 4
    assert most[2] == 1
    assert 1 <= most[1] <= 4
