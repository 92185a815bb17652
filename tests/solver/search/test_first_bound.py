"""The interval is as narrow from the first moment as the bounds of the root make it."""

from __future__ import annotations

import pytest

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.first_bound import bound_at_once
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Goal
from seabattle.solver.search.solve import solve_problem

OPTIMA = {
    Rules("4x4", "3,2,1"): 605,
    Rules("4x4", "2,2,1", answers="sunk"): 1072,
    Rules("4x4", "3,2,1", answers="ship"): 384,
    Rules("3x4", "3,2", "sides", "sunk"): 261,
    Rules("5x5", "3,2,2,1,1,1", answers="sunk"): 2490,
}


@pytest.mark.parametrize("rules", OPTIMA, ids=str)
def test_the_first_bound_is_proven_and_changes_nothing_later(rules: Rules) -> None:
    plain, asked = (ExactSearch(as_problem(rules)) for _ in range(2))
    lower = bound_at_once(asked, Goal.TOTAL, 0, 10**6)
    assert 0 < lower <= OPTIMA[rules]
    assert bound_at_once(asked, Goal.TOTAL, OPTIMA[rules], 10**6) == OPTIMA[rules]
    assert (asked.nodes, asked.states) in ((0, 0), (0, 1))
    worst = bound_at_once(asked, Goal.WORST, 0, 100)
    assert 0 < worst <= asked.minimize(Goal.WORST).misses
    again = ExactSearch(as_problem(rules))
    bound_at_once(again, Goal.TOTAL, 0, 10**6)
    for search in (plain, again):
        assert search.minimize().misses == OPTIMA[rules]
    assert (again.states, again.nodes) == (plain.states, plain.nodes)


@pytest.mark.parametrize("rules", OPTIMA, ids=str)
def test_a_bound_never_passes_the_best_tree_known(rules: Rules) -> None:
    search = ExactSearch(as_problem(rules))
    assert bound_at_once(search, Goal.TOTAL, 0, 3) == 3


def test_the_first_interval_shown_begins_above_zero() -> None:
    seen: list[Snapshot] = []
    limits = Limits(rows_per_step=1, report=seen.append)
    solve_problem(as_problem(Rules("4x5", "2,2", answers="sunk")), limits=limits)
    shown = [snapshot for snapshot in seen if snapshot.lower is not None]
    assert shown[0].lower is not None
    assert shown[0].lower > 0.5 * (shown[0].upper or 0)
