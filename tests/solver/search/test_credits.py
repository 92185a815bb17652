"""Credits: no tree earns more than was counted, and totals are bounded by it, never worst cases."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from support.counted_games import HIT, SUNK, counted
from support.random_play import layouts_of, play
from twins.naive_finds import Finds

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.answer_problem import AnswerProblem
from seabattle.solver.search.answer_search import AnswerSearch
from seabattle.solver.search.dispatch import as_problem
from seabattle.solver.search.kernels import states
from seabattle.solver.search.kernels.arrays import (
    CREDITED,
    CREDITED_AFTER_HIT,
    FOUND,
    FOUND_AFTER_HIT,
)
from seabattle.solver.search.lines import LONGEST_CREDITED, line_credits, line_misses
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.queries import Goal

GAMES = [
    *SUNK[:-1],
    Rules("2x5", "2,1,1", "corners", "sunk"),
    *HIT[:-1],
    Rules("2x6", "3,2", "corners"),
]
LARGER = [
    Rules("4x4", "3,2", answers="sunk"),
    Rules("3x4", "2,1", "corners", "sunk"),
    Rules("3x5", "2,2,1", answers="sunk"),
    Rules("4x5", "3,2"),
]
WITHOUT = replace(SearchOptions(), credits=False)


def numbers(search: AnswerSearch, plane: int) -> np.ndarray:
    """A plane of all states counted, int64 (states, misses)."""
    return search.finds.found[: int(search.finds.size[0]), plane].astype(np.int64)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_no_tree_earns_more_than_was_counted(rules: Rules) -> None:
    """Nor does a tree of a part of a state, with some misses known, of n layouts."""
    search, rng = counted(rules), random.Random(1)
    twin = Finds(rules.answers.value, rules.contact.value)
    layouts = layouts_of(search.problem)
    for rows, shot in (state for _ in range(3) for state in play(search.problem, rng)):
        certain, _ = search.problem.closure(rows)
        state = int(states.state_of(rows[0], np.uint64(certain), search.finds))
        assert state != states.UNKNOWN
        here = frozenset(layouts[i] for i in rows)
        credited = np.minimum(len(rows), search.finds.found[state, CREDITED].astype(np.int64))
        for misses in (1, 2, 3, 4, 5, 12):
            assert twin.credit(here, shot, misses) <= credited[:misses].sum()


@pytest.mark.parametrize("rules", [*GAMES, *LARGER], ids=str)
def test_credits_grow_with_misses_and_say_no_less_than_the_counts(rules: Rules) -> None:
    search = counted(rules)
    found, credited = numbers(search, FOUND), numbers(search, CREDITED)
    assert (np.diff(credited, axis=1) >= 0).all()
    assert (np.diff(numbers(search, CREDITED_AFTER_HIT), axis=1) >= 0).all()
    n = credited[:, -1:].clip(found[:, -1:])  # layouts of each state, in the end found
    misses = [np.maximum(0, n - numbers).sum(axis=1) for numbers in (found, credited)]
    assert (misses[0] <= misses[1]).all()


def test_credits_say_more_of_larger_games() -> None:
    search = counted(Rules("5x5", "3,2,1", answers="sunk"))
    n = len(search.problem)
    known = [int(np.maximum(0, n - numbers(search, p)[-1]).sum()) for p in (FOUND, CREDITED)]
    assert known[1] > known[0] + 100  # 21,590 and 21,417 misses


@pytest.mark.parametrize("rules", [GAMES[1], GAMES[8], LARGER[0]], ids=str)
def test_without_the_switch_credits_are_the_counts(rules: Rules) -> None:
    search = counted(rules, options=WITHOUT)
    assert np.array_equal(numbers(search, CREDITED), numbers(search, FOUND))
    assert np.array_equal(numbers(search, CREDITED_AFTER_HIT), numbers(search, FOUND_AFTER_HIT))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rules", LARGER[:3], ids=str)
def test_the_optimum_is_the_same_without(rules: Rules, weighted: bool) -> None:
    table, rng = DecisionTable.build(rules), random.Random(4)
    if weighted:
        table = DecisionTable.build(
            rules, prior=np.array([rng.randrange(4) for _ in range(len(table))])
        )
    problem = as_problem(table)
    assert isinstance(problem, AnswerProblem)
    searches = [
        AnswerSearch(problem, options=options)
        for options in (SearchOptions(), WITHOUT, SearchOptions.plain())
    ]
    for goal in Goal:
        values = [search.minimize(goal) for search in searches]
        assert values[0].misses == values[1].misses == values[2].misses
    limit = searches[0].minimize(Goal.WORST).misses
    values = [search.minimize(miss_limit=limit) for search in searches]
    assert values[0].misses == values[1].misses == values[2].misses


def test_line_credits_are_what_the_best_part_of_a_set_earns() -> None:
    misses, credits = line_misses([3, 2]), line_credits([3, 2])
    assert credits.shape == (4, 64, 6)
    for length in (2, 3):
        for placed in range(1 << 2 * length):
            every = [i for i in range(2 * length) if placed >> i & 1]
            parts = [
                (size, sum(1 << i for i in part))
                for size in range(len(every) + 1)
                for part in combinations(every, size)
            ]
            for k in range(6):
                most = max(k * size - int(misses[length, part]) for size, part in parts)
                assert credits[length, placed, k] == most


def test_ships_too_long_for_a_list_of_credits_do_without() -> None:
    assert line_credits([LONGEST_CREDITED + 1, 2]).shape == (1, 1, 1)
    search = counted(Rules("2x8", f"{LONGEST_CREDITED + 1},2", answers="sunk"))
    assert (numbers(search, CREDITED) <= numbers(search, CREDITED).max(axis=1, keepdims=True)).all()
    assert (
        search.minimize().misses
        == AnswerSearch(search.problem, options=SearchOptions.plain()).minimize().misses
    )
