"""Bounds that are stopped: what is known by then holds, and whoever waits is heard."""

from __future__ import annotations

import threading

import pytest

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.queries import LimitReached
from seabattle.solver.studies.bound import miss_bound
from seabattle.solver.studies.open_water import open_water
from seabattle.solver.studies.programs import beside
from seabattle.solver.threads import WorkThread

GAMES = [
    Rules("4x4", "2,1", answers="sunk"),
    Rules("3x5", "3"),
    Rules("5x5", "3,2,1", answers="sunk"),
]


class After:
    """Stops after so many questions."""

    def __init__(self, questions: float) -> None:
        self.left = questions

    def __call__(self) -> str:
        self.left -= 1
        return "enough" if self.left < 0 else ""


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_bound_that_is_stopped_holds(rules: Rules) -> None:
    whole = miss_bound(rules)
    assert (whole.interrupted, whole.stopped_by) == (False, "")
    count = After(float("inf"))
    asked: list[int] = []
    miss_bound(rules, stop=lambda: asked.append(1) or count())
    means = []
    for questions in range(0, len(asked), max(1, len(asked) // 8)):
        try:
            found = miss_bound(rules, stop=After(questions))
        except KeyboardInterrupt:
            assert not means  # there was none before
            continue
        assert (found.interrupted, found.stopped_by) == (True, "enough")
        assert "enough" in dict(found.facts())["stopped"]
        means.append(found.mean_misses)
    assert 0 < min(means) <= max(means) <= whole.mean_misses


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_shots_that_must_hit_are_known_in_part(rules: Rules) -> None:
    whole = open_water(rules)
    assert (whole.interrupted, whole.stopped_by) == (False, "")
    for questions in range(30 if len(rules.fleet.ships) == 1 else 6):
        try:
            found = open_water(rules, stop=After(questions))
        except KeyboardInterrupt:  # before it is known whether there is a layout
            continue
        assert found.must_hit_at_least <= whole.must_hit_at_least
        assert found.must_hit >= whole.must_hit
        if whole.upper_bound is not None and whole.lower_bound is not None:
            assert found.lower_bound is not None
            assert found.upper_bound is not None
            assert found.lower_bound <= whole.lower_bound <= whole.upper_bound <= found.upper_bound
        assert bool(found.stopped_by) == found.interrupted


def test_time_that_is_over() -> None:
    with pytest.raises(LimitReached):
        miss_bound(GAMES[0], time_limit=0)
    found = open_water(GAMES[1], time_limit=0)
    assert (found.interrupted, found.stopped_by) == (False, "the time limit was reached")
    assert found.must_hit_at_least <= 5  # what takes no time is known
    assert (found.must_hit, found.upper_bound) == (15, 12)


def test_whoever_waits_for_work_that_hears_nothing_is_heard() -> None:
    goes_on = threading.Event()
    begun, looks = [], []

    def work(number: int) -> None:
        begun.append(number)
        goes_on.wait()

    def look() -> None:
        looks.append(1)
        if len(looks) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        beside(work, range(1000), look)
    goes_on.set()
    for thread in threading.enumerate():
        if isinstance(thread, WorkThread):
            thread.join()
    assert len(looks) == 3
    assert begun == [0]
    assert beside(str, range(50), look) == [str(number) for number in range(50)]
    assert beside(str, [], look) == []
    with pytest.raises(ZeroDivisionError):
        beside(lambda number: 1 // number, [1, 0, 1], look)
