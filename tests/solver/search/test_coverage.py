"""What hits leave: no tree finds more layouts than were counted, and the bounds hold."""

from __future__ import annotations

import random

import numpy as np
import pytest
from support.counted_games import HIT, SUNK, counted, counting
from support.examples import some
from support.random_play import layouts_of, play
from twins import naive
from twins.naive_coverage import Coverage

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.rules import Rules
from seabattle.solver.search import exact_search
from seabattle.solver.search.exact_search import EMPTY, FOUND_PLANES, MISSES_AT, ExactSearch
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Limits

FOUND, FOUND_AFTER_HIT = 0, 1


def found_by(search: ExactSearch) -> np.ndarray:
    """All that is counted: int64 (states, 2, misses), what is found, and of what a shot hits."""
    counted = search.states_counted
    found: np.ndarray = counted.kept["found"].reshape(-1, FOUND_PLANES, exact_search.MISSES_COUNTED)
    return found[: counted.size].copy()


def state_of(search: ExactSearch, rows: np.ndarray) -> int:
    """The number of the state of some rows: of their certain cells, and the ships these sink."""
    certain, _ = search.problem.closure(rows)
    ships = search.problem.ships[rows[0], :, 0].tolist() if search.states_counted.by_ships else []
    sunk = sum(ship for ship in ships if not ship & ~certain)
    packed, cells, sunk_cells = search.states_counted.kept["slots"].reshape(-1, 3).T
    (slot,) = np.flatnonzero((cells == certain) & (sunk_cells == sunk) & (packed != EMPTY))
    return int(packed[slot] >> MISSES_AT)


@pytest.mark.parametrize("rules", [*some(SUNK, 5), *some(HIT, 3)], ids=str)
def test_no_tree_finds_more_than_counted(rules: Rules) -> None:
    search, rng = counted(rules), random.Random(1)
    found = found_by(search)
    problem = search.problem
    mode = rules.answers.value
    twin = Coverage(mode, rules.contact.value)
    layouts = layouts_of(problem)
    seen = 0
    for rows, shot in (state for _ in range(5) for state in play(problem, rng)):
        state = state_of(search, rows)
        here = frozenset(layouts[i] for i in rows)
        for misses in range(4):
            most = twin.most(here, shot, misses)
            assert most <= found[state, FOUND, misses]
            seen += 1
        certain, occupied = problem.closure(rows)
        for cell in cells_of(occupied & ~certain):
            hit = frozenset(layout for layout in here if cell in naive.cells_of(layout))
            after = found[state, FOUND_AFTER_HIT, 1]
            told = {naive.answer(layout, tuple(shot), cell, mode) for layout in hit}
            parts = [
                frozenset(x for x in hit if naive.answer(x, tuple(shot), cell, mode) == answer)
                for answer in told
            ]
            assert sum(twin.most(part, shot | {cell}, 1) for part in parts) <= after
    assert seen > 50


def test_what_is_counted_of_a_row_of_water() -> None:
    """Ships 2 and 1 on 1x5: 6 layouts. A1 is hit in 4 of them, which the answers *hit* and *sunk*
    part in pairs: 2 are found without a miss. After a miss there B1 tells the other two apart.
    """
    search = counted(Rules("1x5", "2,1", answers="sunk"))
    assert found_by(search)[-1, FOUND, :4].tolist() == [2, 6, 6, 6]


SMALL = [
    Rules("4x4", "2,1", answers="sunk"),
    Rules("4x4", "3,2,1", "corners", "sunk"),
    Rules("4x5", "2,1"),
]


@pytest.mark.parametrize("rules", [SUNK[0], HIT[2], *SMALL], ids=str)
def test_small_arrays_count_the_same(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    once = found_by(counted(rules))
    for first_states in (1, 3, 1 << 11):
        monkeypatch.setattr(exact_search, "FIRST_STATES", first_states)
        monkeypatch.setattr(exact_search, "FIRST_PARTS", 2)
        search = counting(rules)
        search.rows_per_step = search.least_rows_per_step
        search.prepare()
        assert np.array_equal(found_by(search), once)


def test_counting_that_is_stopped_goes_on() -> None:
    whole = counted(SMALL[1])
    search = counting(SMALL[1], limits=Limits(stop=lambda: True))
    search.rows_per_step = search.least_rows_per_step
    stops = 0
    while search.counting:
        try:
            search.prepare()
        except KeyboardInterrupt:
            stops += 1
            known = found_by(search)
            assert np.all(known <= known[:, FOUND, -1][:, None, None])  # valid at any time
    assert stops > 3
    assert np.all(found_by(search) >= found_by(whole))
    search.limits = Limits()
    assert search.minimize().misses == whole.minimize().misses


def test_a_search_with_room_for_few_states_goes_on_without_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exact_search, "MOST_STATES", 10)
    search = ExactSearch(as_problem(Rules("4x4", "3,2,1", answers="sunk")))
    assert search.minimize().misses == 428
    assert search.states_counted.size == 10
