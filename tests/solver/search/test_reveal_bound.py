"""What is left once the cells around a hit are told, and what a ship over a known cell costs."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import exact_search
from seabattle.solver.search.bounds import LONGEST_LINE, line_misses
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE, Goal, SearchOptions

GAMES = [
    Rules("1x8", "3,2", answers="sunk"),
    Rules("3x4", "2,1", answers="sunk"),
    Rules("3x4", "2,1", answers="ship"),
    Rules("3x3", "2,2", "corners", "sunk"),
    Rules("3x4", "3,2", "corners", "ship"),
    Rules("2x6", "2,1,1", answers="sunk"),
    Rules("4x4", "4,3", "corners", "sunk"),
]


def problem_of(rules: Rules, seed: int | None) -> Problem:
    """The problem of a game, whose layouts have weights where a seed is given."""
    problem = Problem(DecisionTable.build(rules))
    if seed is not None:
        problem.weights = np.random.default_rng(seed).integers(1, 9, len(problem))
    return problem


@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_optimum_is_the_same_with_cells_told(
    rules: Rules, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_search, "LEAST_PARTED", 2)  # in the smallest sub-tables, too
    problem = problem_of(rules, 3 if weighted else None)
    search, other = ExactSearch(problem), ExactSearch(problem, options=SearchOptions(reveal=False))
    assert search.game["reveal_rows"]
    least = other.minimize()
    assert search.minimize().misses == least.misses
    assert search.minimize(budget=least.misses).misses == least.misses
    for limit in range(least.worst + 1):
        assert search.minimize(miss_limit=limit).misses == other.minimize(miss_limit=limit).misses
    worst = search.minimize(Goal.WORST).misses
    assert worst == other.minimize(Goal.WORST).misses
    assert search.minimize(miss_limit=worst - 1).misses == INFEASIBLE


Placement = frozenset[tuple[int, int]]


def placements(length: int) -> list[Placement]:
    """All over (0, 0), in the order of the list."""
    across = [frozenset((0, x - i) for x in range(length)) for i in range(length)]
    return across + [frozenset((y, x) for x, y in ship) for ship in across]


@cache
def least(possible: frozenset[Placement]) -> int:
    costs = []
    for cell in frozenset[tuple[int, int]]().union(*possible):
        hit = frozenset(ship for ship in possible if cell in ship)
        if hit and hit != possible:
            missed = possible - hit
            costs.append(len(missed) + least(missed) + least(hit))
    return min(costs, default=0)


@pytest.mark.parametrize("length", range(1, LONGEST_LINE - 1))
def test_misses_of_all_sets_of_placements(length: int) -> None:
    misses = line_misses([length])
    assert misses.shape == (length + 1, 4**length)
    if length == 1:  # found when it is hit
        assert not misses.any()
        return
    ships = placements(length)
    for placed in range(4**length):
        possible = frozenset(ship for i, ship in enumerate(ships) if placed >> i & 1)
        assert misses[length, placed] == least(possible), placed
