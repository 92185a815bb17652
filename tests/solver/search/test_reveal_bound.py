"""What is left once the cells around a hit are told, and what a ship over a known cell costs."""

from __future__ import annotations

import itertools
import random
from functools import cache

import numpy as np
import pytest
from support.random_play import layouts_of, play
from twins import naive
from twins.naive_trees import spoken

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import exact_search, work
from seabattle.solver.search.arrays import HI, LO
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal
from seabattle.solver.search.reveal_bound import (
    LONGEST_LINE,
    cells_revealed,
    line_misses,
    misses_revealed,
    part_revealed,
)

GAMES = [
    Rules("1x8", "3,2", answers="sunk"),
    Rules("3x4", "2,1", answers="sunk"),
    Rules("3x4", "2,1", answers="ship"),
    Rules("3x3", "2,2", "corners", "sunk"),
    Rules("3x4", "3,2", "corners", "ship"),
    Rules("2x6", "2,1,1", answers="sunk"),
    Rules("4x4", "4,3", "corners", "sunk"),
]


def searching(rules: Rules, seed: int | None) -> tuple[ExactSearch, dict[naive.Layout, int]]:
    """A search that asks in the smallest sub-tables, too, and the weights of its layouts."""
    problem = Problem(DecisionTable.build(rules))
    if seed is not None:
        problem.weights = np.random.default_rng(seed).integers(1, 9, len(problem))
    weights = problem.row_weights.tolist()
    return ExactSearch(problem), dict(zip(layouts_of(problem), weights, strict=True))


def told(
    twin: naive.Search, possible: frozenset[naive.Layout], shot: frozenset[int], beside: list[int]
) -> tuple[list[frozenset[naive.Layout]], frozenset[int]]:
    """The parts left when some cells are shot for nothing, and the cells shot."""
    parts = [possible]
    for cell in beside:
        parts = [part for whole in parts for part in twin.parts(whole, shot, cell).values()]
        shot |= {cell}
    return parts, shot


def own_of(layout: naive.Layout, seed: int) -> frozenset[int]:
    """The ship of a group of hits, by a cell of it."""
    return next(ship for ship in layout if seed in ship)


def misses_at(
    twin: naive.Search,
    possible: frozenset[naive.Layout],
    shot: frozenset[int],
    seed: int,
    told: list[int],
    weights: dict[naive.Layout, int],
) -> int:
    """Misses that it takes to tell layouts apart that differ in told cells of one ship alone.

    The heaviest layouts of each set are solved without weights, one, two, three, ... of them.
    """
    alike: dict[object, list[naive.Layout]] = {}
    for layout in sorted(possible, key=lambda one: -weights[one]):
        own = own_of(layout, seed)
        alike.setdefault((layout - {own}, own - set(told)), []).append(layout)
    total = 0
    for layouts in alike.values():
        for k, (last, after) in enumerate(itertools.pairwise([*layouts, None]), start=1):
            lighter = weights[last] - (weights[after] if after is not None else 0)
            total += lighter * min(cost for _, cost in twin.front(frozenset(layouts[:k]), shot))
    return total


@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_what_is_left_once_told_is_no_more_than_the_optimum(
    rules: Rules, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_search, "LEAST_PARTED", 2)
    search, weights = searching(rules, 1 if weighted else None)
    problem, rng = search.problem, random.Random(2)
    mode, announce, contact = spoken(rules)
    twin = naive.Search(weights, mode, announce, contact, weights if weighted else None)
    alike = naive.Search(weights, mode, announce, contact)
    layouts = layouts_of(problem)
    seen = sharp = 0
    for rows, shot in (state for _ in range(12) for state in play(problem, rng)):
        possible = frozenset(layouts[row] for row in rows)
        certain, occupied = (np.uint64(cells) for cells in problem.closure(rows))
        ids = rows.astype(np.int32)
        segment, arrays = (ids, 0, len(ids)), search.arrays
        mask, seed = cells_revealed(*segment, certain, occupied, arrays)
        beside = list(cells_of(int(mask)))
        if not beside:
            continue
        groups = [(own_of(layout, int(seed)), layout) for layout in possible]
        others = {cell for own, layout in groups for ship in layout - {own} for cell in ship}
        hit = frozenset[int].intersection(*(own for own, _ in groups))
        assert set(beside) == frozenset[int]().union(*(own for own, _ in groups)) - others - hit
        cost = misses_revealed(*segment, mask, seed, arrays)
        assert cost == misses_at(alike, possible, shot, int(seed), beside, weights)
        search.counters[work.ARENA_TOP] = 0
        assert part_revealed(*segment, mask, arrays) == 0
        entries = arrays.arena.entries[: search.counters[work.ARENA_TOP]]
        parts, shot_then = told(twin, possible, shot, beside)
        # The kernel shoots what is certain then, too, so that its parts may be smaller.
        held = [frozenset(layouts[row] for row in ids[e[LO] : e[HI]]) for e in entries]
        assert sum(map(len, held)) == len(rows)
        assert all(any(piece <= part for part in parts) for piece in held)
        assert len(held) >= len(parts)
        left = cost + sum(min(total for _, total in twin.front(part, shot_then)) for part in parts)
        least = min(total for _, total in twin.front(possible, shot))
        assert left <= least
        assert search.minimize(rows=rows).misses == least
        seen += 1
        sharp += left == least and cost > 0
    assert seen > 10
    assert sharp > 0


@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
@pytest.mark.parametrize("rules", GAMES[::2], ids=str)
def test_the_optimum_is_the_same_with_cells_told(rules: Rules, weighted: bool) -> None:
    search, _ = searching(rules, 3 if weighted else None)
    other, _ = searching(rules, 3 if weighted else None)
    other.kernel_options[work.REVEAL_ROWS] = 0
    least = other.minimize()
    assert search.minimize().misses == least.misses
    assert search.minimize(budget=least.misses).misses == least.misses
    for limit in range(least.worst + 1):
        assert search.minimize(miss_limit=limit).misses == other.minimize(miss_limit=limit).misses
    worst = search.minimize(Goal.WORST).misses
    assert worst == other.minimize(Goal.WORST).misses
    assert search.minimize(miss_limit=worst - 1).feasible is False


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
