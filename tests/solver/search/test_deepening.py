"""Budgets rise to the optimum, are kept over a pause, and pauses become rarer."""

from __future__ import annotations

import math
from itertools import islice, pairwise

from hypothesis import given
from hypothesis import strategies as st

from seabattle.solver.search.deepening import FIRST_STEP, Deepening
from seabattle.solver.search.pausing import (
    DEARER,
    LATER,
    PAUSES,
    WITHIN,
    pauses,
    trees_are_due,
    units_left,
)


@given(
    st.integers(0, 10_000),
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(0, 500), st.integers(0, 300), st.booleans()), max_size=60),
)
def test_budgets_lead_to_the_optimum(
    lower: int, gap: int, moves: list[tuple[int, int, bool]]
) -> None:
    """Whatever each query proves, and wherever a better tree is found."""
    upper = lower + gap
    budgets, work = Deepening(), 0
    assert budgets.next_budget(lower, upper, work) == upper + 1
    budgets.begin(lower, upper)
    for more, better, is_paused in moves:
        budget = budgets.next_budget(lower, upper, work)
        assert lower < budget <= upper + 1
        work += more
        if is_paused:
            budgets.begin(lower, upper)  # which changes nothing any more
            assert budgets.next_budget(lower, upper, work) == budget
            continue
        if budget > upper:
            return  # the optimum is known
        lower = budget
        upper = max(lower, upper - better)
        budgets.reached(work)


def test_steps_are_a_part_of_all_the_work() -> None:
    budgets = Deepening()
    budgets.begin(0, 1000 * FIRST_STEP)
    assert budgets.next_budget(0, 1000 * FIRST_STEP, 900) == 1001
    budgets.reached(960)  # a sixteenth
    assert budgets.next_budget(1000, 1000 * FIRST_STEP, 1000) == 3001
    budgets.reached(1500)  # a third
    assert budgets.next_budget(3000, 1000 * FIRST_STEP, 2000) == 5001
    budgets.reached(5000)  # three fifths
    assert budgets.next_budget(5000, 1000 * FIRST_STEP, 4000) == 6001


def test_the_last_step_is_not_a_small_one() -> None:
    budgets = Deepening()
    budgets.begin(0, 100 * FIRST_STEP)
    assert budgets.next_budget(1000, 1149, 1) == 1150
    assert budgets.next_budget(1000, 1150, 1) == 1101


def test_later_pauses_are_for_trees_where_the_lower_bound_stands_still() -> None:
    last = len(PAUSES) - 1
    assert trees_are_due(last, 500, 1000)
    assert not trees_are_due(last + 1, 10, 1000)
    assert trees_are_due(last + 1, 9, 1000)
    assert trees_are_due(last + 50, 0, 1)


def test_pauses_become_rarer() -> None:
    found = list(islice(pauses(), 40))
    assert [(before, within) for before, within, _ in found[:3]] == list(PAUSES)
    assert all(within == before // WITHIN for before, within, _ in found[3:])
    for (_, _, units), (before, _, all_units) in pairwise(found[2:]):
        assert before == max(PAUSES[-1][0], units // LATER)
        assert all_units == units + before


def test_how_much_is_left_is_said_only_towards_the_end() -> None:
    assert units_left(100, 90, 100) == DEARER * 100 / 9
    assert units_left(100, 100, 100) == 0
    assert units_left(100, 60, 100) == units_left(100, 0, 100) == units_left(100, 0, 0) == math.inf
