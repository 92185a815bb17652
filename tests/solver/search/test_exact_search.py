"""What the exact search promises beyond its values, which the laws hold: budgets, keys, stops.

Four families of games are searched differently, and every test here covers them all: ``hit``;
*closed* (``sunk`` where ships may not touch side by side), *open* (``sunk`` under ``sides``) and
*named* (``ship``). What holds of one family only is tested in ``test_families``.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from support.search_games import (
    FAMILIES,
    name_of,
    search_of,
)

from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.rules import Rules
from seabattle.solver.search import exact_search
from seabattle.solver.search.problem import Problem, as_problem, holding
from seabattle.solver.search.queries import Goal, LimitReached, Limits, Pace, Paused, Value

GOALS = [(Goal.TOTAL, None), (Goal.WORST, None)]


class WideProblem(Problem):
    """A problem whose keys have two words, however few cells the board has."""

    two_words = True


def images(rules: Rules, rows: list[int]) -> list[np.ndarray]:
    """The images of a sub-table under the symmetries of a game, as numbers of rows."""
    problem = as_problem(rules)
    number = {row: i for i, row in enumerate(problem.rows[:, 0].tolist())}
    return [
        np.array([number[row] for row in problem.transformed_rows(symmetry)[rows, 0].tolist()])
        for symmetry in problem.symmetries
    ]


GAMES = [rules for games in FAMILIES.values() for rules in games[8:18:5]]


@pytest.mark.parametrize("rules", GAMES, ids=name_of)
def test_symmetric_images_share_keys(rules: Rules) -> None:
    """An image of a sub-table costs as much, and what is known of one is known of all."""
    problem = as_problem(rules)
    if len(set(problem.rows[:, 0].tolist())) < len(problem):
        return  # rows of equal cells are told apart by their ships
    cell = next((c for c in range(problem.cells) if problem.unknown >> c & 1), None)
    if cell is None:
        return
    missed = np.flatnonzero(~holding(problem.rows, cell))
    search = search_of(rules)
    value = search.minimize(rows=missed)
    states = search.states
    for rows in images(rules, missed.tolist()):
        assert search.minimize(rows=rows) == value
        assert search.states == states
    apart = search_of(problem.without_symmetry())
    for rows in images(rules, missed.tolist()):
        assert apart.minimize(rows=rows).misses == value.misses


def test_what_is_no_question_is_refused() -> None:
    search = search_of(Rules("3x3", "2"))
    for miss_limit in (-1, 126, 127):
        with pytest.raises(SeabattleError, match=f"miss limit {miss_limit}: give 0 to 125"):
            search.minimize(miss_limit=miss_limit)
    with pytest.raises(SeabattleError, match="least worst case is asked for without a miss"):
        search.minimize(Goal.WORST, miss_limit=3)
    assert search.minimize(rows=np.arange(0)) == Value(0, 0, True)


@pytest.mark.parametrize(
    ("rules", "total"),
    [
        (Rules("4x4", "3,2,1"), 605),
        (Rules("4x4", "3,2,1", "none", "sunk"), 428),
        (Rules("3x3", "3,2,1", "sides", "sunk", "none"), 251),
        (Rules("3x4", "3,2", "sides", "ship"), 252),
    ],
    ids=str,
)
def test_a_stop_and_a_limit_keep_what_is_proven(
    rules: Rules, total: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_search, "FIRST_PARTS", 1)
    limits = Limits(stop=lambda: True, rows_per_step=1)
    search = search_of(rules, limits=limits)
    search.table = search._empty_table(4)
    with pytest.raises(KeyboardInterrupt):
        search.minimize()
    search.limits = Limits(deadline=time.monotonic() - 1)
    with pytest.raises(LimitReached, match="time limit was reached"):
        search.minimize()
    search.limits = Limits(memory=1e-9)
    with pytest.raises(LimitReached, match=r"would need .* memory limit leaves 1e-09"):
        search.minimize()
    search.limits = Limits()
    assert search.minimize().misses == total


def test_a_query_pauses_between_its_steps_where_something_else_is_due() -> None:
    search = search_of(as_problem(Rules("4x5", "3,2")))
    search.rows_per_step = search.least_rows_per_step
    looked_at: list[float] = []

    def due(rows: float) -> bool:
        looked_at.append(rows)
        return len(looked_at) == 3

    with pytest.raises(Paused):
        search.minimize(pace=Pace(10**9, due))
    assert 0 < looked_at[0] < looked_at[1] < looked_at[2]
    assert search.minimize() == search_of(search.problem).minimize()
    assert len(looked_at) == 3


@pytest.mark.parametrize(
    "rules",
    [
        Rules("4x4", "3,2,1"),
        Rules("4x4", "3,2,1", "none", "sunk"),
        Rules("3x4", "2,2,1", "corners", "sunk"),
    ],
    ids=name_of,
)
def test_two_word_keys_agree_with_one_word_keys(rules: Rules) -> None:
    problem = as_problem(rules)
    one = search_of(problem)
    two = search_of(WideProblem(problem.table))
    assert (one.table_width, two.table_width) == (2, 3)
    for goal, miss_limit in (*GOALS, *((Goal.TOTAL, limit) for limit in (3, 4, 5, 6))):
        value = one.minimize(goal, miss_limit=miss_limit)
        assert two.minimize(goal, miss_limit=miss_limit) == value
    assert one.states == two.states
