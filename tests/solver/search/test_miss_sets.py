"""Every set of misses, worked out: values, first shots and trees are those of the searches."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from support.examples import THOROUGH, some
from support.search_games import FAMILIES, GAMES, name_of

from seabattle.enumerate.board import mask_of
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import miss_sets, schedule
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.miss_sets import Block, MissSets
from seabattle.solver.search.problem import Family, Problem, as_problem
from seabattle.solver.search.queries import (
    Goal,
    LimitReached,
    Limits,
    Objective,
    SearchOptions,
    Snapshot,
)
from seabattle.solver.search.solve import solve_problem

GOALS = [Goal.TOTAL, Goal.WORST]
SETS_OF_A_BLOCK = 40 if THOROUGH else 5
"""Of a larger block so many are compared."""
MANY_STEPS = [
    Rules("4x4", "3,2"),
    Rules("4x4", "3,2", answers="sunk"),
    Rules("4x4", "3,2", answers="ship"),
    Rules("3x4", "2,2,1", "corners", "sunk"),
    Rules("3x4", "3,2", "sides", "sunk"),
]
"""Games that take several steps of a search whose steps are short."""


def swept(problem: Problem, goal: Goal = Goal.TOTAL, threads: int = 1) -> MissSets:
    sets = MissSets(ExactSearch(problem, limits=Limits(threads=threads)), goal)
    assert sets.blocks.find()
    sets.sweep()
    return sets


def weighted(rules: Rules, seed: int, most: int) -> Problem:
    table = DecisionTable.build(rules)
    weights = np.random.default_rng(seed).integers(1, most + 1, len(table.layouts.ships))
    weights[0] = 1
    return as_problem(DecisionTable(table.layouts, weights))


def searched(problem: Problem, block: Block, hit: int) -> ExactSearch:
    """A search that is asked for sub-tables of a block."""
    search = ExactSearch(problem)
    if problem.family == Family.OPEN_SUNK:
        search.hit = hit
    return search


@pytest.mark.parametrize(
    ("rules", "goal"),
    [
        pytest.param(rules, goal, marks=[] if place == number % 2 else pytest.mark.slow)
        for number, rules in enumerate(g for g in GAMES[::9] if g.board.cells <= 9)
        for place, goal in enumerate(GOALS)
    ],
    ids=lambda value: name_of(value) if isinstance(value, Rules) else str(value),
)
def test_every_set_of_misses_of_every_block(rules: Rules, goal: Goal) -> None:
    problem = as_problem(rules)
    sweep = swept(problem, goal)
    rng = np.random.default_rng(3)
    compared = 0
    for block in sweep.blocks.found:
        search = searched(problem, block, block.hit if sweep.blocks.open else 0)
        occupied = problem.rows[block.rows, 0]
        sets = range(block.sets)
        if block.sets > SETS_OF_A_BLOCK:
            sets = rng.choice(block.sets, SETS_OF_A_BLOCK, replace=False).tolist()
        for missed in sets:
            cells = mask_of(c for bit, c in enumerate(block.cells) if missed >> bit & 1)
            rows = block.rows[occupied & np.uint64(cells) == 0].astype(np.int64)
            assert sweep.value(block, missed) == search.minimize(goal, rows=rows).misses, (
                block,
                cells,
            )
            compared += 1
    assert compared > 0 or not sweep.blocks.roots


@pytest.mark.parametrize("family", FAMILIES)
def test_weights_and_first_shots(family: str) -> None:
    for seed, rules in enumerate(FAMILIES[family][::7]):
        for goal in GOALS:
            problem = weighted(rules, seed, 5)
            search = ExactSearch(problem)
            sweep = swept(problem, goal)
            assert sweep.least() == search.minimize(goal).misses
            for cell in range(problem.cells):
                assert sweep.first_shot(cell) == search.shot_value(cell, goal), (rules, cell)


def test_totals_above_four_bytes(at_once: None) -> None:
    layouts = DecisionTable.build(Rules("3x4", "2,1")).layouts
    weights = (1 << 24) + 7 * np.arange(len(layouts.ships), dtype=np.int64)
    problem = as_problem(DecisionTable(layouts, weights))
    assert problem.table.total_weight < 1 << 32
    sets = MissSets(ExactSearch(problem), Goal.TOTAL)
    assert sets.swept(1 << 20, 1 << 35)
    assert sets.least() == ExactSearch(problem).minimize().misses > 1 << 32


def test_a_solve_reaches_the_sweep_with_weights_above_four_bytes(at_once: None) -> None:
    layouts = DecisionTable.build(Rules("4x4", "3,2", "sides", "sunk")).layouts
    weights = (1 << 32) // len(layouts) + np.arange(1, 1 + len(layouts), dtype=np.int64) ** 2
    found = solve_problem(as_problem(DecisionTable(layouts, weights)))
    assert (found.status, found.sets > 0, found.weight > 1 << 32) == ("optimal", True, True)


# Threads.

SEVERAL_SEGMENTS = [
    Rules("4x5", "3,2"),
    Rules("3x6", "3,2", answers="sunk"),
    Rules("2x9", "4,3", "sides", "sunk"),
    Rules("3x6", "3,2", answers="ship"),
    Rules("4x5", "3,2,1", answers="sunk"),
    Rules("3x6", "3,2", "sides", "sunk"),
    Rules("4x5", "2,2", "corners", "ship"),
]


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("rules", some(SEVERAL_SEGMENTS, 2), ids=name_of)
def test_threads_find_the_values_of_one(rules: Rules, goal: Goal) -> None:
    problem = as_problem(rules)
    one, many = (swept(problem, goal, threads) for threads in (1, 4))
    for _ in range(3):
        assert (many.values == one.values).all()
        many.sweep()
    alone = swept(problem.without_symmetry(), goal, 3)
    assert one.least() == alone.least() == ExactSearch(problem).minimize(goal).misses
    assert many.weighed == one.weighed < alone.weighed


# In a solve.


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets are worked out in the first pause, which comes early."""
    monkeypatch.setattr(schedule, "FIRST_TURN", 1)
    monkeypatch.setattr(miss_sets, "BLOCKS_PER_UNIT", 1_000_000)
    monkeypatch.setattr(miss_sets, "SETS_PER_UNIT", 1_000_000_000)


def short_steps(**other: float) -> Limits:
    return Limits(rows_per_step=20, **other)  # type: ignore[arg-type]


@pytest.mark.parametrize("objective", list(Objective))
def test_a_solve_with_and_without_them(objective: str, at_once: None) -> None:
    used = 0
    for rules in MANY_STEPS:
        problem = as_problem(rules)
        shown: list[Snapshot] = []
        limits = replace(short_steps(), report=shown.append)
        with_sets = solve_problem(problem, objective, limits=limits, values=True)
        without = solve_problem(
            problem,
            objective,
            options=SearchOptions(sets=False),
            limits=short_steps(),
            values=True,
        )
        assert with_sets.status == without.status == "optimal"
        assert with_sets.upper_bound == without.upper_bound
        assert with_sets.best_shots == without.best_shots
        assert with_sets.values == without.values
        used += "every set of misses" in {snapshot.stage for snapshot in shown}
    assert used > 2 if objective in ("mean", "worst") else used == 0


def test_a_stop_while_the_tree_grows_keeps_what_is_proven(at_once: None) -> None:
    for objective, least in (("mean", 328), ("worst", 6)):
        shown: list[Snapshot] = []
        limits = replace(
            short_steps(),
            report=shown.append,
            stop=lambda shown=shown: shown[-1].stage == "growing the tree",
        )
        solution = solve_problem(as_problem(MANY_STEPS[1]), objective, limits=limits)
        assert "every set of misses" in {snapshot.stage for snapshot in shown}
        assert solution.interrupted
        assert solution.lower_bound == least


def test_limits_hold(at_once: None) -> None:
    problem = as_problem(MANY_STEPS[1])

    def sets(limits: Limits) -> MissSets:
        found = MissSets(ExactSearch(problem, limits=limits), Goal.TOTAL)
        found.search.limits = limits
        return found

    small = sets(Limits(memory=0.0001))
    assert not small.swept(1_000, 1_000)
    assert 0.0001 < small.memory_for_sets < 0.1
    assert small.advice.startswith("; with a memory limit of 0.1 GiB every set of misses could")
    assert not sets(Limits(deadline=time.monotonic() + 0.001)).swept(1_000, 1_000)
    assert not sets(Limits()).swept(0, 1_000)
    stopped = sets(Limits())
    assert stopped.swept(1_000, 1_000)
    stopped.search.limits = Limits(stop=lambda: True)
    with pytest.raises(KeyboardInterrupt):
        stopped.sweep()
    stopped.search.limits = Limits(deadline=time.monotonic() - 1)
    with pytest.raises(LimitReached, match="the time limit was reached"):
        stopped.sweep()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fleet", "total", "worst"),
    [("2,1", 6_687, 19), ("3,1,1", 15_458, 14), ("2,1,1", 35_454, 17), ("2,2,1", 32_926, 14),
     ("3,2,1", 27_418, 13)],
)  # fmt: skip
def test_rows_of_the_atlas_that_only_sweeps_prove(fleet: str, total: int, worst: int) -> None:
    problem = as_problem(Rules("5x5", fleet, answers=AnswerMode.SUNK))
    for objective, least in (("mean", total), ("worst", worst)):
        solution = solve_problem(problem, objective, limits=Limits(threads=2))
        assert (solution.status, solution.upper_bound) == ("optimal", least)
