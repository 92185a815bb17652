"""Answers that share what a shot lacks: the same optima and true bounds, with less work."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.search_games import CLOSED, HIT, NAMED, OPEN, name_of, weighted

from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import exact_search, pausing, solve_run
from seabattle.solver.search.dispatch import as_problem, make_search
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.kernels.shares import PROBES_OF_ANSWER, misses_asked, share_of
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE, Value
from seabattle.solver.search.solve import solve_problem

GAMES = [
    *HIT, *CLOSED, *OPEN, *NAMED,
    Rules("4x4", "3,2,1"), Rules("4x4", "3,2,1", answers="sunk"),
    Rules("3x3", "3,2,1", "sides", "sunk"), Rules("4x4", "3,1", answers="ship"),
]  # fmt: skip
SWITCHED = [
    Rules("3x4", "3,2"), Rules("3x4", "2,2,1", answers="sunk"),
    Rules("2x4", "4,3", "sides", "sunk"), Rules("3x3", "3,2", "sides", "ship"),
]  # fmt: skip
"""Games that are soon searched with anything switched off."""

SWITCHES = [field.name for field in fields(SearchOptions) if field.name not in ("sets", "shares")]


def sharing(problem: Problem, options: SearchOptions | None = None) -> ExactSearch:
    """A search in which answers share from two rows on."""
    search = make_search(problem, options=options)
    search.kernel_options[w.SHARED_ROWS] = 2
    return search


@pytest.mark.parametrize("rules", GAMES, ids=name_of)
@pytest.mark.parametrize("weighed", [False, True], ids=["", "weighted"])
def test_budgets_are_met_as_without(rules: Rules, weighed: bool) -> None:
    """Below the budget the value is exact, otherwise between budget and optimum."""
    table = DecisionTable.build(rules)
    if weighed:
        table = weighted(table, [i * i % 7 + 1 for i in range(len(table))])
    problem = as_problem(table)
    optimum = make_search(problem).minimize().misses
    rng = random.Random(1)
    search = sharing(problem)
    budgets = sorted(rng.randrange(optimum + 2) for _ in range(4))
    for budget in [*budgets, optimum, optimum + 1, INFEASIBLE]:
        value = search.minimize(budget=budget)
        assert value.exact == (optimum < budget)
        assert value.misses == optimum if value.exact else budget <= value.misses <= optimum


@pytest.mark.parametrize("rules", SWITCHED, ids=name_of)
def test_sub_tables_miss_limits_and_switches(rules: Rules) -> None:
    problem = as_problem(rules)
    rng = random.Random(2)
    for _ in range(8):
        off = {name: False for name in SWITCHES if rng.random() < 0.3}
        search = sharing(problem, replace(SearchOptions(), **off))
        plain = make_search(problem)
        missed = np.uint64(rng.getrandbits(problem.cells) & rng.getrandbits(problem.cells))
        rows = np.flatnonzero(problem.rows & missed == 0)
        if problem.rules.answers is AnswerMode.HIT and len(rows):
            for limit in (None, 2, 4):
                found = search.minimize(miss_limit=limit, rows=rows).misses
                assert found == plain.minimize(miss_limit=limit, rows=rows).misses
        for limit in (None, 3, 5):
            found = search.minimize(miss_limit=limit).misses
            assert found == plain.minimize(miss_limit=limit).misses


def test_work_to_raise_a_bound() -> None:
    """5x5 4,3,2 has 2,591 misses; to prove most of them takes a third of the keys."""
    keys = []
    for rows in (0, exact_search.ROWS_SHARED):
        search = make_search(as_problem(Rules("5x5", "4,3,2", answers="sunk")))
        search.kernel_options[w.SHARED_ROWS] = rows
        search.prepare()
        assert search.minimize(budget=2400).misses >= 2400
        keys.append(search.states)
    assert keys[1] < keys[0] / 2


@pytest.mark.parametrize("shares", [True, False])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "rules", [Rules("4x4", "3,2"), Rules("4x4", "3,2,1", answers="sunk")], ids=str
)
def test_a_long_solve_shares_unless_told_not_to(
    rules: Rules, threads: int, shares: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first pause comes before anything is searched here."""
    monkeypatch.setattr(exact_search, "ROWS_SHARED", 4)
    asked: list[int] = []
    share = ExactSearch.share
    paused: list[bool] = []

    def pause_first(search: ExactSearch, units: int, ask: Callable[[], Value]) -> Value | None:
        paused.append(True)
        return None if len(paused) == 1 else pausing.for_a_while(search, units, ask)

    monkeypatch.setattr(solve_run, "for_a_while", pause_first)

    def watched(search: ExactSearch) -> None:
        share(search)
        asked.append(int(search.kernel_options[w.SHARED_ROWS]))

    monkeypatch.setattr(ExactSearch, "share", watched)
    solution = solve_problem(
        as_problem(rules),
        options=SearchOptions(sets=False, shares=shares),
        limits=Limits(threads=threads),
    )
    assert solution.status == "optimal"
    assert solution.tree.total_misses == make_search(as_problem(rules)).minimize().misses
    assert asked == [4 if shares else 0]


@given(
    st.lists(st.tuples(st.integers(0, 2**40), st.integers(2, 2**20)), min_size=2, max_size=6),
    st.integers(1, 2**40),
    st.integers(0, PROBES_OF_ANSWER + 3),
)
def test_shares_add_up_to_what_is_lacking(
    answers: list[tuple[int, int]], lacking: int, turn: int
) -> None:
    """If each reaches what it is asked for, a probe raises each by one, and a share them all."""
    shares = sum(int(share_of(known, n)) for known, n in answers)
    left = lacking
    for known, n in answers:
        if left <= 0:
            break
        share = int(share_of(known, n))
        asked = int(misses_asked(turn, known, left, share, shares))
        assert known < asked <= known + max(left, 1) + 1
        if turn < PROBES_OF_ANSWER:
            assert asked == known + 1
        shares -= share
        left -= asked - known
    else:
        assert turn < PROBES_OF_ANSWER or left <= 0
