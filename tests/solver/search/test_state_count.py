"""What hits leave: no tree finds more layouts than were counted, by one thread or several."""

from __future__ import annotations

import numpy as np
import pytest
from support.counted_games import HIT, SUNK, counted, counting

from seabattle.enumerate.rules import Rules
from seabattle.solver.search import state_count
from seabattle.solver.search.arrays import FOUND
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import Limits

LARGER = [
    Rules("4x4", "2,1", answers="sunk"),
    Rules("4x4", "3,2,1", "corners", "sunk"),
    Rules("4x5", "2,1"),
]


def found_by(search: ExactSearch) -> np.ndarray:
    """All that is counted of the states."""
    return search.finds.found[: int(search.finds.size[0])].copy()


@pytest.mark.parametrize("rules", [SUNK[0], HIT[2], *LARGER], ids=str)
def test_threads_and_small_arrays_count_the_same(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = found_by(counted(rules))
    monkeypatch.setattr(state_count, "WORK_FOR_A_THREAD", 1)
    for threads, first_states in ((1, 1), (2, 3), (4, 1 << 11)):
        monkeypatch.setattr(state_count, "FIRST_STATES", first_states)
        search = counting(rules, limits=Limits(threads=threads))
        search.arena = type(search.arena)(*(array[:2].copy() for array in search.arena))
        search.rows_per_step = search.least_rows_per_step
        search.prepare()
        assert np.array_equal(found_by(search), once)


@pytest.mark.parametrize("threads", [1, 3])
def test_counting_that_is_stopped_goes_on(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_count, "WORK_FOR_A_THREAD", 1)
    whole = counted(LARGER[1])
    search = counting(LARGER[1], limits=Limits(threads=threads, stop=lambda: True))
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
