"""The exact search in mode ``hit``: known answers, naive twin, switches, keys, limits."""

from __future__ import annotations

import itertools
import time
from dataclasses import fields, replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.known_answers import known, known_rules, label
from twins import naive
from twins.naive_trees import naive_layouts

from seabattle.enumerate.errors import RulesError, TooLargeError
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.table import DecisionTable
from seabattle.solver.search import hit_search as search_module
from seabattle.solver.search.bounds import counting_total, counting_worst, total_table
from seabattle.solver.search.dispatch import as_problem
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.hit_search import (
    INFEASIBLE,
    UNLIMITED,
    WORST_CASE,
    LimitReached,
    Limits,
    Search,
    Snapshot,
    Switches,
)
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.solution import Objective
from seabattle.solver.search.solve import solve, solve_problem
from seabattle.trees.tree.verify import verify

SMALL = [
    ("2x3", "2"),
    ("3x3", "2"),
    ("3x3", "3"),
    ("3x3", "1,1"),
    ("3x3", "2,1"),
    ("3x3", "2,2"),
    ("3x3", "3,1"),
    ("3x3", "3,1,1"),
    ("3x3", "1,1,1"),
    ("1x7", "2,1"),
    ("1x8", "3,2"),
    ("2x5", "2,1"),
    ("2x6", "3,1"),
    ("2x6", "2,2"),
    ("3x4", "2,1"),
    ("3x4", "3,1"),
    ("3x4", "4,1"),
    ("3x4", "3,2"),
    ("3x4", "2,2"),
    ("4x3", "2,1,1"),
]
LARGER = [
    ("4x4", "4,3"), ("3x5", "3,2,1"), ("3x5", "2,2,1"), ("4x4", "3,3"), ("4x4", "4,2"),
    ("4x4", "3,2,2"),
]  # fmt: skip
"""Games on which the naive search takes up to a minute or two each."""


def problem_of(board: str, fleet: str, contact: str = "none") -> Problem:
    return Problem(DecisionTable.build(Rules(board, fleet, contact)))


def twin(problem: Problem) -> dict[str, object]:
    return naive.optimum(naive_layouts(problem.rules), contact=problem.rules.contact.value)


@lru_cache(maxsize=2)
def naive_search(rules: Rules) -> naive.Search:
    """The naive search of a game; what it works out is kept while the game is asked about."""
    return naive.Search(naive_layouts(rules))


@pytest.fixture(
    scope="module",
    params=SMALL + [pytest.param(game, marks=pytest.mark.slow) for game in LARGER],
    ids="-".join,
)
def searched(request: pytest.FixtureRequest) -> tuple[Rules, naive.Search]:
    """A game and its naive search; the tests that ask it follow one after the other."""
    rules = Rules(*request.param)
    return rules, naive_search(rules)


@pytest.mark.parametrize("entry", known("trees", answers="hit"), ids=label)
def test_known_optima(entry: dict[str, object]) -> None:
    rules = known_rules(entry)
    if "total" in entry:
        solution = solve(rules, "mean")
        assert (solution.total_misses, solution.status) == (entry["total"], "optimal")
        assert solution.lower_bound == solution.upper_bound == entry["total"]
    if "worst" in entry:
        assert solve(rules, "worst").worst_misses == entry["worst"]
    if "front" in entry:
        front = solve(rules, "pareto").front
        assert [[t.worst_misses, t.total_misses] for t in front] == entry["front"]
        assert all(verify(tree) for tree in front)


@pytest.mark.parametrize("objective", ["mean-worst", "worst-mean"])
def test_one_tree_of_the_source_is_best_in_both_senses(objective: str) -> None:
    solution = solve(Rules("5x5", "3,2,2,1,1,1"), objective)
    assert (solution.total_misses, solution.worst_misses) == (6444, 7)
    assert verify(solution.tree)


def test_figures_of_the_main_fleet() -> None:
    search = Search(problem_of("5x5", "3,2,2,1,1,1"))
    value = search.least()
    assert (value.misses, value.worst, value.exact) == (6444, 7, True)
    assert search.states <= 100_000
    assert search.nodes <= 160_000


def test_all_objectives_agree_with_the_naive_search(
    searched: tuple[Rules, naive.Search],
) -> None:
    rules, search = searched
    problem = as_problem(rules)
    expected = naive.objectives(search.optimum())
    assert solve_problem(problem, "mean").total_misses == expected["mean"]
    assert solve_problem(problem, "worst").worst_misses == expected["worst"]
    for objective in ("mean-worst", "worst-mean"):
        solution = solve_problem(problem, objective)
        assert (solution.worst_misses, solution.total_misses) == expected[objective]
    front = solve_problem(problem, "pareto").front
    assert tuple((t.worst_misses, t.total_misses) for t in front) == expected["pareto"]


@pytest.mark.parametrize(
    ("board", "fleet", "contact"),
    [("3x3", "2,2", "sides"), ("2x4", "2,2", "sides"), ("3x3", "3,2", "sides"),
     ("3x3", "2,1", "corners"), ("3x4", "2,2", "corners"), ("3x3", "1,1,1", "sides")],
)  # fmt: skip
def test_touching_ships_in_mode_hit(board: str, fleet: str, contact: str) -> None:
    problem = problem_of(board, fleet, contact)
    expected = twin(problem)
    for objective in Objective:
        solution = solve_problem(problem, objective)
        assert verify(solution.tree)
        found = {
            "mean": solution.total_misses,
            "worst": solution.worst_misses,
            "pareto": tuple((t.worst_misses, t.total_misses) for t in solution.front),
        }.get(objective, (solution.worst_misses, solution.total_misses))
        assert found == expected[objective]


def test_first_shots_agree_with_the_naive_search(searched: tuple[Rules, naive.Search]) -> None:
    rules, search = searched
    totals = [
        min(total for _, total in search.after(search.found, frozenset(), cell))
        for cell in range(rules.board.cells)
    ]
    solution = solve(rules, "mean", values=True)
    assert solution.values == tuple(totals)
    best = [cell for cell, total in enumerate(totals) if total == min(totals)]
    assert solution.best_shots == tuple(rules.board.name(cell) for cell in best)


@pytest.mark.parametrize("objective", [o.value for o in Objective if o is not Objective.MEAN])
@pytest.mark.parametrize(("board", "fleet"), [("3x3", "2,1"), ("3x4", "3,1"), ("4x5", "4,2")])
def test_first_shots_of_every_objective(board: str, fleet: str, objective: str) -> None:
    """A cell is a best first shot exactly when shooting it first keeps the optimum."""
    rules = Rules(board, fleet)
    if rules.board.cells > 12:
        best = solve(rules, objective).best_shots
        assert best == {"mean-worst": ("B1", "D1", "B4", "D4")}.get(
            objective, ("A1", "C1", "E1", "A4", "C4", "E4")
        )
        return
    search = naive_search(rules)
    rank = {
        "worst": lambda front: min(worst for worst, _ in front),
        "mean-worst": lambda front: min((total, worst) for worst, total in front),
        "worst-mean": min,
        "pareto": min,
    }[objective]
    scores = {
        cell: rank(search.after(search.found, frozenset(), cell))
        for cell in range(rules.board.cells)
    }
    expected = tuple(
        rules.board.name(cell) for cell, score in scores.items() if score == min(scores.values())
    )
    assert solve(rules, objective).best_shots == expected


def test_budgets_are_fail_soft(searched: tuple[Rules, naive.Search]) -> None:
    """Below its budget a value is exact; else it is a bound no greater than the optimum."""
    rules, twin_search = searched
    optimum = min(total for _, total in twin_search.optimum())
    worst = twin_search.optimum()[0][0]
    search = Search(Problem(DecisionTable.build(rules)))
    for allowed, least in ((UNLIMITED, optimum), (WORST_CASE, worst)):
        for budget in (1, least // 2, least, least + 1):
            value = search.least(budget=budget, allowed=allowed)
            assert value.exact == (least < budget)
            assert min(budget, least) <= value.misses <= least
    assert search.least().misses == optimum


def test_values_of_first_shots_respect_limits(searched: tuple[Rules, naive.Search]) -> None:
    """Of misses, which the naive front knows, and of the budget, below which they are exact."""
    rules, twin_search = searched
    search = Search(Problem(DecisionTable.build(rules)))
    for cell in range(rules.board.cells):
        front = twin_search.after(twin_search.found, frozenset(), cell)
        (worst, _), (most, least) = front[0], front[-1]
        for allowed, true in ((WORST_CASE, worst), (UNLIMITED, least)):
            assert search.shot_value(cell, allowed) == true
            assert search.shot_value(cell, allowed, true + 1) == true
            for budget in range(max(1, true - 3), true + 1):
                assert budget <= search.shot_value(cell, allowed, budget) <= true
        for allowed in range(most + 1):
            within = [total for worst, total in front if worst <= allowed]
            value = search.shot_value(cell, allowed)
            assert value == (min(within) if within else INFEASIBLE)


ALL_SWITCHES = [
    Switches(**dict(zip([f.name for f in fields(Switches)], states, strict=True)))
    for states in itertools.product((False, True), repeat=len(fields(Switches)))
]


@pytest.mark.parametrize(("board", "fleet"), [("3x3", "2,1"), ("3x3", "3,1,1"), ("1x8", "2,2")])
def test_switches_do_not_move_the_optimum(board: str, fleet: str) -> None:
    problem = problem_of(board, fleet)
    expected = twin(problem)
    worst, total = expected["worst-mean"]
    assert len(ALL_SWITCHES) == 128
    for switches in ALL_SWITCHES:
        search = Search(problem, switches=switches)
        assert search.least().misses == expected["mean"], switches
        assert search.least(allowed=WORST_CASE).misses == expected["worst"], switches
        assert search.least(allowed=worst).misses == total, switches
        assert not search.least(allowed=worst - 1).feasible, switches
        assert (search.states > 0) == switches.cache


@pytest.mark.parametrize("name", [f.name for f in fields(Switches) if f.name != "cache"])
def test_each_switch_alone_on_a_larger_board(name: str) -> None:
    problem = problem_of("4x4", "3,2,1")
    everything = Search(problem)
    without = Search(problem, switches=replace(Switches(), **{name: False}))
    assert everything.least().misses == without.least().misses == 605
    assert everything.least(allowed=WORST_CASE).misses == 5
    assert without.least(allowed=WORST_CASE).misses == 5
    assert without.nodes >= everything.nodes


def test_plain_search_visits_every_sub_table() -> None:
    problem = problem_of("4x4", "3,2,1")
    plain = Search(problem, switches=Switches.plain())
    assert plain.least().misses == 605
    assert plain.states == graph_size(problem.table).vertices == 42290


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_position_agrees_with_the_naive_search(data: st.DataObject) -> None:
    board, fleet = data.draw(st.sampled_from(SMALL[3:16]))
    rules = Rules(board, fleet)
    found = naive_layouts(rules)
    layout = data.draw(st.sampled_from(sorted(found, key=lambda x: sorted(map(sorted, x)))))
    cells = data.draw(
        st.lists(st.integers(0, rules.board.cells - 1), unique=True, min_size=2, max_size=5)
    )
    occupied = naive.cells_of(layout)
    position = Position(rules, tuple((cell, int(cell in occupied)) for cell in cells))
    fitting = frozenset(
        other
        for other in found
        if all((cell in naive.cells_of(other)) == (cell in occupied) for cell in cells)
    )
    expected = naive.Search(fitting).optimum(cells)
    for objective in ("mean-worst", "worst-mean"):
        solution = solve(position, objective)
        pick = min(expected, key=lambda p: (p[1], p[0])) if objective[0] == "m" else min(expected)
        assert (solution.worst_misses, solution.total_misses) == pick
        assert solution.layouts == len(fitting)
        assert verify(solution.tree)
        names = {rules.board.name(cell) for cell in cells}
        assert not names & set(solution.best_shots)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(SMALL[2:10]), st.data())
def test_weights_agree_with_the_naive_search(game: tuple[str, str], data: st.DataObject) -> None:
    table = DecisionTable.build(Rules(*game))
    weights = data.draw(
        st.lists(st.integers(0, 9), min_size=len(table), max_size=len(table)).filter(any)
    )
    weighted = DecisionTable(table.layouts, None, np.array(weights, dtype=np.int64))
    found = {
        frozenset(
            frozenset(table.rules.board.cell(name) for name in cells_between(table.rules, ship))
            for ship in table.layouts.names(i)
        ): weight
        for i, weight in enumerate(weights)
    }
    expected = naive.optimum(found, weights=found)
    assert Search(Problem(weighted)).least().misses == expected["mean"]
    plain = Search(Problem(weighted), switches=Switches.plain())
    assert plain.least().misses == expected["mean"]


def cells_between(rules: Rules, ship: str) -> list[str]:
    from seabattle.enumerate.game.placements import Placement

    return [rules.board.name(cell) for cell in Placement.parse(ship, rules.board).cells]


@pytest.mark.parametrize(("board", "fleet"), [("4x4", "3,2,1"), ("3x5", "2,2,1"), ("4x5", "4,2")])
def test_two_word_keys_agree_with_one_word_keys(
    board: str, fleet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = problem_of(board, fleet)
    one = Search(problem)
    monkeypatch.setattr(problem, "two_words", True)
    two = Search(problem)
    assert one.table.shape[1] == 2
    assert two.table.shape[1] == 3
    for allowed in (UNLIMITED, WORST_CASE, 5, 6):
        assert one.least(allowed=allowed) == two.least(allowed=allowed)


@pytest.mark.parametrize(
    ("board", "fleet", "worst"), [("7x7", "7", 7), ("8x8", "8,8", None), ("6x7", "7", None)]
)
def test_boards_of_more_than_40_cells(board: str, fleet: str, worst: int | None) -> None:
    problem = problem_of(board, fleet)
    assert problem.two_words
    solution = solve_problem(problem, "mean")
    assert verify(solution.tree)
    plain = Search(problem, switches=replace(Switches(), bounds=False))
    assert plain.least().misses == solution.total_misses
    if worst is not None:
        # 7 rows and 7 columns: each shot along the diagonal asks for one of each, so the last
        # two lines are left after 6 misses, and one more tells them apart.
        assert solution.worst_misses == worst


def test_too_many_cells_are_refused_with_an_estimate() -> None:
    with pytest.raises(TooLargeError, match=r"10x10.*about \d\.\d*e\+15 layouts; the limit is 64"):
        solve(Rules("10x10", "russian"))


def test_unknown_objectives_are_refused() -> None:
    with pytest.raises(RulesError, match="objective 'best' is unknown; the objectives are mean, "):
        solve(Rules("3x3", "2,1"), "best")


def test_growing_and_interrupted_work_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of("4x4", "2,2,1")
    whole = Search(problem)
    expected = whole.least()
    monkeypatch.setattr(search_module, "_WORK", 1)
    seen: list[Snapshot] = []
    pieces = Search(problem, limits=Limits(report=seen.append))
    pieces.table = pieces._empty_table(4)
    assert pieces.least() == expected
    assert len(pieces.table) > 4
    assert seen
    assert seen[-1].states <= pieces.states


def test_limits_stop_the_search_with_a_proven_interval() -> None:
    rules = Rules("5x5", "3,2,1")
    solution = solve(rules, "mean", memory_limit=0.004)
    assert solution.status == "bounded"
    assert "memory limit" in solution.stopped_by
    assert solution.lower_bound <= 31828 <= solution.upper_bound == solution.total_misses
    assert verify(solution.tree)
    assert solution.tree.status == "bounded"
    assert solution.best_shots == ()
    in_time = Limits(deadline=time.monotonic() - 1)
    problem = problem_of("5x5", "3,2,1")
    with pytest.raises(LimitReached, match="time limit"):
        Search(problem, limits=in_time).least()


def test_the_table_grows_as_far_as_its_memory_goes() -> None:
    search = Search(problem_of("5x5", "3,2,1"), limits=Limits(memory=0.02))
    with pytest.raises(LimitReached, match=r"would need .* GiB .* memory limit is 0\.02 GiB"):
        search.least()
    # While entries move, the old table and one of twice its size are held.
    assert 3 * search.table.nbytes / 2 <= 0.02 * 2**30 < 3 * search.table.nbytes


def test_ctrl_c_keeps_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(snapshot: Snapshot) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(search_module, "_WORK", 1)
    solution = solve(Rules("5x5", "3,2,2,1,1,1"), progress=interrupt)
    assert solution.interrupted
    assert solution.status == "bounded"
    assert solution.total_misses == 6561
    assert 5775 <= solution.lower_bound < 6444
    assert verify(solution.tree)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 300), st.integers(2, 12))
def test_counting_bound_table(rows: int, ships: int) -> None:
    assert total_table(ships, rows)[ships, rows] == counting_total(rows, ships)
    assert counting_total(rows, ships) >= counting_worst(rows, ships)


@pytest.mark.parametrize("entry", known("bounds"), ids=label)
def test_known_bounds_of_a_large_board(entry: dict[str, object]) -> None:
    rules = known_rules(entry)
    problem = Problem(DecisionTable.build(rules))
    assert counting_total(len(problem), rules.fleet.cells) == entry["counting_lower_bound"]
    tree = greedy_tree(problem.table, "hits")
    assert tree.total_misses == entry["greedy_hits_total"]
    assert verify(tree, layouts=problem.table.layouts)


@pytest.mark.parametrize(("board", "fleet"), SMALL)
def test_bounds_bracket_the_optimum(board: str, fleet: str) -> None:
    problem = problem_of(board, fleet)
    ships = problem.rules.fleet.cells - problem.certain.bit_count()
    total = Search(problem).least().misses
    assert counting_total(len(problem), ships) <= total
    assert total <= greedy_tree(problem.table, "hits").total_misses
    assert total <= greedy_tree(problem.table, "half").total_misses


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(SMALL), st.integers(0, 1000), st.data())
def test_subsets_and_unions(game: tuple[str, str], seed: int, data: st.DataObject) -> None:
    """A subset costs no more; two disjoint parts cost no more than their union."""
    problem = problem_of(*game)
    if len(problem) < 2:
        return
    mark = np.random.default_rng(seed).random(len(problem)) < 0.5
    layouts = problem.table.layouts
    parts = [
        Search(Problem(DecisionTable(layouts, np.flatnonzero(side).astype(np.int64)))).least()
        for side in (mark, ~mark)
        if side.any()
    ]
    whole = Search(problem).least().misses
    assert sum(part.misses for part in parts) <= whole
