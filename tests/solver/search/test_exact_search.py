"""The contract of the exact searches, of mode ``hit`` and of the other modes: one class for both.

Four families of games are searched differently, and every test here covers them all: ``hit``;
*closed* (``sunk`` where ships may not touch side by side), *open* (``sunk`` under ``sides``) and
*named* (``ship``). What holds of one family only is tested in ``test_hit_search`` and
``test_answer_search``.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import THOROUGH, examples
from support.search_games import (
    CASES,
    FAMILIES,
    GAMES,
    LARGER,
    RANK,
    draw_history,
    in_pieces,
    naive_search_at,
    name_of,
    points,
    score,
    search_of,
    twin,
    weighted,
)
from twins import naive
from twins.naive_trees import layouts_by_number, naive_layouts, position_of, spoken

from seabattle.enumerate.board import mask_of
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.queries import INFEASIBLE, Goal
from seabattle.solver.search.solution import Objective
from seabattle.solver.search.solve import solve, solve_problem
from seabattle.trees.verify import verify

# What a search uses; ``sets`` is about what is done in its place, ``shares`` and ``best_first`` are
# about long searches.
OPTION_NAMES = [
    field.name
    for field in fields(SearchOptions)
    if field.name not in ("sets", "shares", "best_first")
]
ALL_OPTIONS = [
    options
    for states in itertools.product((False, True), repeat=len(OPTION_NAMES))
    for options in [SearchOptions(**dict(zip(OPTION_NAMES, states, strict=True)))]
    # Two kinds of bounds have switches of their own, which change nothing without any.
    if options.bounds or not (options.finds or options.beside)
]
TINY = [
    Rules("3x3", "3,1,1"),
    Rules("1x8", "2,2"),
    Rules("3x3", "2,1", "none", "sunk"),
    Rules("2x4", "2,2", "corners", "sunk"),
    Rules("2x3", "2,2,1", "sides", "sunk", "length"),
    Rules("1x6", "3,2", "sides", "sunk", "none"),
    Rules("2x4", "2,1", "none", "ship"),
    Rules("2x3", "2,2", "sides", "ship"),
]
TINY_AND_SLOW = [
    pytest.param(rules, marks=pytest.mark.slow)
    for rules in (Rules("3x3", "2,1"), Rules("1x8", "3,2,2", "sides", "sunk", "none"))
]
"""With these the many sets of options take longer than with the others together."""
LARGE = {
    Rules("4x4", "3,2,1"): (605, 5),
    Rules("4x4", "3,2,1", "none", "sunk"): (428, 4),
    Rules("3x5", "2,2,1", "none", "sunk"): (525, 6),
    Rules("3x3", "3,2,1", "sides", "sunk", "none"): (251, 3),
    Rules("3x4", "2,2", "none", "ship"): (82, 4),
    Rules("3x4", "3,2", "sides", "ship"): (252, 5),
}
"""Least total and least worst case, as ``naive`` gives them."""

GOALS = [(Goal.TOTAL, None), (Goal.WORST, None)]


class WideProblem(Problem):
    """A problem whose keys have two words, however few cells the board has."""

    two_words = True


@pytest.fixture(scope="class", params=CASES, ids=name_of)
def rules(request: pytest.FixtureRequest) -> Rules:
    """Each small game; the tests that ask its naive search follow one after the other."""
    game: Rules = request.param
    return game


@pytest.fixture(scope="class", params=LARGE, ids=name_of)
def large(request: pytest.FixtureRequest) -> Rules:
    """Each larger game."""
    game: Rules = request.param
    return game


def optimum_of(front: naive.Front, goal: Goal) -> int:
    return front[0][0] if goal is Goal.WORST else front[-1][1]


def least_within(front: naive.Front, goal: Goal, miss_limit: int | None) -> int:
    """The least worst case, or the least total within a miss limit."""
    if goal is Goal.WORST:
        return front[0][0]
    return min(
        (total for worst, total in front if miss_limit is None or worst <= miss_limit),
        default=INFEASIBLE,
    )


def images(rules: Rules, rows: list[int]) -> list[np.ndarray]:
    """The images of a sub-table under the symmetries of a game, as numbers of rows."""
    problem = as_problem(rules)
    number = {row: i for i, row in enumerate(problem.rows.tolist())}
    return [
        np.array([number[row] for row in problem.transformed_rows(symmetry)[rows].tolist()])
        for symmetry in problem.symmetries
    ]


class TestExactSearch:
    """What every search promises, on games whose optima the naive twin knows."""

    def test_every_miss_limit(self, rules: Rules) -> None:
        """T(S, w) for every w, W(S) and T(S)."""
        front = twin(rules).optimum()
        search = search_of(rules)
        for miss_limit in range(max(0, front[0][0] - 1), front[-1][0] + 2):
            value = search.minimize(miss_limit=miss_limit)
            within = [total for worst, total in front if worst <= miss_limit]
            assert value.feasible == bool(within)
            if within:
                assert (value.misses, value.exact) == (min(within), True)
                assert value.worst <= miss_limit
        for goal, _ in GOALS:
            value = search.minimize(goal)
            assert (value.misses, value.exact) == (optimum_of(front, goal), True)

    def test_budgets_are_fail_soft(self, rules: Rules) -> None:
        """Below its budget a value is exact; else it is a bound no greater than the optimum."""
        search = search_of(rules)
        front = twin(rules).optimum()
        for goal, _ in GOALS:
            least = optimum_of(front, goal)
            for budget in (1, least // 2, least, least + 1):
                value = search.minimize(goal, budget=budget)
                assert value.exact == (least < budget)
                assert min(budget, least) <= value.misses <= least
            assert search.minimize(goal).misses == least

    def test_values_of_shots(self, rules: Rules) -> None:
        """Of every cell: exact below the budget, a bound above it, and within miss limits."""
        known, search = twin(rules), search_of(rules)
        occupied = naive.occupancy(known.found, rules.board.cells)
        for cell in range(rules.board.cells):
            if not occupied[cell]:
                continue
            front = known.after(known.found, frozenset(), cell)
            for goal, _ in GOALS:
                true = optimum_of(front, goal)
                assert search.shot_value(cell, goal) == true
                assert search.shot_value(cell, goal, budget=true + 1) == true
                for budget in range(max(1, true - 3), true + 1):
                    assert budget <= search.shot_value(cell, goal, budget=budget) <= true
            for miss_limit in range(front[-1][0] + 1):
                within = [total for worst, total in front if worst <= miss_limit]
                value = search.shot_value(cell, miss_limit=miss_limit)
                assert value == min(within) if within else value >= INFEASIBLE

    def test_the_best_shot_begins_a_best_tree(self, rules: Rules) -> None:
        search, problem = search_of(rules), as_problem(rules)
        if problem.certain or not problem.unknown:
            return
        rows = np.arange(len(problem))
        worst = search.minimize(Goal.WORST).misses
        for goal, miss_limit in (*GOALS, (Goal.TOTAL, worst)):
            shot = search.best_shot(rows, goal, miss_limit=miss_limit)
            least = search.minimize(goal, miss_limit=miss_limit).misses
            assert search.shot_value(shot, goal, miss_limit=miss_limit) == least

    def test_every_best_shot(self, rules: Rules) -> None:
        """All cells with which a best tree begins, and what they cost, within a budget and a limit.

        Whatever the search has proven before, as what it stores of the whole game names one shot.
        """
        known, search, problem = twin(rules), search_of(rules), as_problem(rules)
        front = known.optimum()
        after = {
            cell: known.after(known.found, frozenset(), cell)
            for cell in range(rules.board.cells)
            if problem.unknown >> cell & 1
        }
        limits = sorted({worst for found in after.values() for worst, _ in found})
        for goal, miss_limit in (*GOALS, *((Goal.TOTAL, worst) for worst in limits), *GOALS):
            costs = {cell: least_within(found, goal, miss_limit) for cell, found in after.items()}
            least = least_within(front, goal, miss_limit)
            best = {cell for cell, cost in costs.items() if cost == least}
            if not problem.hits_are_free:
                best |= {cell for cell in range(rules.board.cells) if problem.certain >> cell & 1}
            for budget in (least, least + 1, INFEASIBLE):
                value, cells = search.best_shots(goal, miss_limit=miss_limit, budget=budget)
                assert value.exact == (least < budget)
                if value.exact:
                    assert value.misses == least
                    assert cells == mask_of(best if problem.unknown else ())
                else:
                    assert cells == 0

    def test_trees(self, rules: Rules) -> None:
        front, search = twin(rules).optimum(), search_of(rules)
        for goal, miss_limit in (*GOALS, *((Goal.TOTAL, worst) for worst, _ in front)):
            tree = search.grow(
                goal,
                miss_limit=miss_limit,
                position=Position(rules),
                objective="mean",
                status="optimal",
            )
            found = verify(tree)
            assert found.valid, found.problems
            assert found.wasted == 0
            if miss_limit is not None:
                assert (tree.worst_misses, tree.total_misses) in front
                assert tree.worst_misses == miss_limit
            elif goal is Goal.WORST:
                assert tree.worst_misses == front[0][0]
            else:
                assert tree.total_misses == front[-1][1]

    def test_symmetric_images_share_keys(self, rules: Rules) -> None:
        """An image of a sub-table costs as much, and what is known of one is known of all."""
        problem = as_problem(rules)
        if len(set(problem.rows.tolist())) < len(problem):
            return  # rows of equal cells are told apart by their ships
        cell = next((c for c in range(problem.cells) if problem.unknown >> c & 1), None)
        if cell is None:
            return
        missed = np.flatnonzero(problem.rows >> np.uint64(cell) & np.uint64(1) == 0)
        search = search_of(rules)
        value = search.minimize(rows=missed)
        states = search.states
        for rows in images(rules, missed.tolist()):
            assert search.minimize(rows=rows) == value
            assert search.states == states
        apart = search_of(rules, options=replace(SearchOptions(), orbits=False))
        for rows in images(rules, missed.tolist()):
            assert apart.minimize(rows=rows).misses == value.misses

    def test_small_arrays_and_small_steps_change_nothing(self, rules: Rules) -> None:
        expected, seen = search_of(rules), list[Snapshot]()
        pieces = search_of(
            rules, limits=Limits(report=seen.append, rows_per_step=1), **in_pieces(rules)
        )
        for goal, miss_limit in (*GOALS, (Goal.TOTAL, twin(rules).optimum()[0][0])):
            asked = {"goal": goal, "miss_limit": miss_limit}
            assert pieces.minimize(**asked) == expected.minimize(**asked)  # type: ignore[arg-type]
        assert (pieces.states > 3) <= bool(seen)
        assert all(shot.states <= pieces.states for shot in seen)

    def test_what_is_no_question_is_refused(self, rules: Rules) -> None:
        search = search_of(rules)
        for miss_limit in (-1, 126, 127):
            with pytest.raises(SeabattleError, match=f"miss limit {miss_limit}: give 0 to 125"):
                search.minimize(miss_limit=miss_limit)
        with pytest.raises(SeabattleError, match="least worst case is asked for without a miss"):
            search.minimize(Goal.WORST, miss_limit=3)
        assert search.minimize(rows=np.arange(0)).misses == 0


class TestLargerGames:
    """The same promises where tables and arenas have to grow."""

    def test_growing_and_interrupted_work_change_nothing(self, large: Rules) -> None:
        expected, seen = search_of(large), list[Snapshot]()
        pieces = search_of(
            large, limits=Limits(report=seen.append, rows_per_step=1), **in_pieces(large)
        )
        for goal, miss_limit in (*GOALS, (Goal.TOTAL, LARGE[large][1])):
            asked = {"goal": goal, "miss_limit": miss_limit}
            assert pieces.minimize(**asked) == expected.minimize(**asked)  # type: ignore[arg-type]
        assert len(pieces.table) > 4
        if isinstance(pieces, ExactSearch):
            assert len(pieces.arena.entries) == len(pieces.arena.masks) > 4
        assert seen
        assert seen[-1].states <= pieces.states

    def test_a_stop_and_a_limit_keep_what_is_proven(self, large: Rules) -> None:
        total, _ = LARGE[large]
        limits = Limits(stop=lambda: True, rows_per_step=1)
        search = search_of(large, limits=limits, **in_pieces(large))
        with pytest.raises(KeyboardInterrupt):
            search.minimize()
        search.limits = Limits(deadline=time.monotonic() - 1)
        with pytest.raises(LimitReached, match="time limit was reached"):
            search.minimize()
        search.limits = Limits(memory=1e-9)
        with pytest.raises(LimitReached, match=r"would need .* memory limit is 1e-09 GiB"):
            search.minimize()
        search.limits = Limits()
        assert search.minimize().misses == total

    def test_a_checkpoint_holds_what_is_proven(self, large: Rules, tmp_path: Path) -> None:
        problem, file = as_problem(large), tmp_path / "run.checkpoint"
        search = ExactSearch(problem)
        assert search.resume(Checkpoint(file, problem)) == 0
        values = [search.minimize(goal) for goal, _ in GOALS]
        search.save()
        again = search_of(large, **in_pieces(large))
        assert again.resume(Checkpoint(file, problem)) == again.states == search.states
        assert [again.minimize(goal) for goal, _ in GOALS] == values
        assert again.nodes == 0

    @pytest.mark.parametrize("name", [name for name in OPTION_NAMES if name != "cache"])
    def test_without_one_option(self, large: Rules, name: str) -> None:
        everything = search_of(large)
        without = search_of(large, options=replace(SearchOptions(), **{name: False}))
        for search in (everything, without):
            values = tuple(search.minimize(goal).misses for goal, _ in GOALS)
            assert values == LARGE[large]
        if not isinstance(everything, ExactSearch):
            assert without.nodes >= everything.nodes


@pytest.mark.parametrize("rules", TINY + TINY_AND_SLOW, ids=name_of)
def test_options_do_not_move_the_optimum(rules: Rules) -> None:
    """Each tiny game tries another third of the combinations in the everyday run."""
    front = twin(rules).optimum()
    worst, total = front[0]
    problem = as_problem(rules)
    assert len(ALL_OPTIONS) == 256 + 64
    everyday = rules in TINY and not THOROUGH
    for options in ALL_OPTIONS[TINY.index(rules) % 3 :: 3] if everyday else ALL_OPTIONS:
        search = search_of(problem, options=options)
        assert search.minimize().misses == optimum_of(front, Goal.TOTAL), options
        assert search.minimize(Goal.WORST).misses == worst, options
        assert search.minimize(miss_limit=worst).misses == total, options
        assert not worst or not search.minimize(miss_limit=worst - 1).feasible, options
        assert options.cache or search.states == 0
        # With bounds nothing may be left to store: they settle some tiny games at once.
        assert options.bounds or (search.states > 0) == options.cache


@pytest.mark.parametrize("rules", TINY + TINY_AND_SLOW, ids=name_of)
def test_solving_without_options_gives_a_valid_tree(rules: Rules) -> None:
    for objective in Objective:
        solution = solve_problem(as_problem(rules), objective, options=SearchOptions.plain())
        assert score(solution) == RANK[objective](twin(rules).optimum())


@pytest.mark.parametrize(
    "rules",
    [
        Rules("4x4", "3,2,1"),
        Rules("3x5", "2,2,1"),
        Rules("4x5", "4,2"),
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


# Through ``solve``


@pytest.mark.parametrize(
    "rules", CASES + [pytest.param(rules, marks=pytest.mark.slow) for rules in LARGER], ids=name_of
)
def test_all_objectives_agree_with_the_naive_search(rules: Rules) -> None:
    front = twin(rules).optimum()
    problem = as_problem(rules)
    for objective in Objective:
        solution = solve_problem(problem, objective)
        assert score(solution) == RANK[objective](front)
        assert (solution.status, solution.layouts) == ("optimal", len(naive_layouts(rules)))
        for tree in solution.front or (solution.tree,):
            found = verify(tree)
            assert found.valid, found.problems
            assert found.wasted == 0
    assert points(solution) == front  # the last objective is the whole front


@pytest.mark.parametrize(
    "rules", CASES + [pytest.param(rules, marks=pytest.mark.slow) for rules in LARGER], ids=name_of
)
def test_first_shots_agree_with_the_naive_search(rules: Rules) -> None:
    mode, announce, contact = spoken(rules)
    cells = rules.board.cells
    found, search = naive_layouts(rules), twin(rules)
    totals = {c: RANK["mean"](search.after(search.found, frozenset(), c)) for c in range(cells)}
    solution = solve(rules, "mean", values=True)
    assert solution.values == tuple(totals.values())
    if len({naive.cells_of(layout) for layout in found}) == 1:
        return  # nothing is left to learn
    best = [cell for cell, total in totals.items() if total == min(totals.values())]
    if cells < 9:
        options = {"announce": announce, "contact": contact}
        assert totals == naive.first_shot_totals(found, cells, mode, **options)
        assert best == naive.optimal_first_shots(found, cells, mode, **options)
    assert solution.best_shots == tuple(map(rules.board.name, best))


@pytest.mark.parametrize("objective", [o.value for o in Objective if o is not Objective.MEAN])
@pytest.mark.parametrize("rules", [*GAMES[::4], Rules("3x4", "3,1")], ids=name_of)
def test_first_shots_of_other_objectives(rules: Rules, objective: str) -> None:
    """A cell is a best first shot exactly when shooting it first keeps the optimum."""
    search, cells = twin(rules), range(rules.board.cells)
    if len({naive.cells_of(layout) for layout in search.found}) == 1:
        return
    occupied = naive.occupancy(search.found, rules.board.cells)
    rank = RANK[objective]
    scores = {
        cell: rank(search.after(search.found, frozenset(), cell))
        for cell in cells
        if occupied[cell]
    }
    best = rank(search.optimum())
    expected = tuple(rules.board.name(cell) for cell in scores if scores[cell] == best)
    assert solve(rules, objective).best_shots == expected


@pytest.mark.parametrize("family", FAMILIES)
@examples(40)
@given(data=st.data())
def test_any_position_agrees_with_the_naive_search(family: str, data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(FAMILIES[family]))
    history = draw_history(data, rules)
    search, shot = naive_search_at(rules, history)
    front = search.optimum(shot)
    for objective in Objective:
        solution = solve(position_of(rules, history), objective)
        assert score(solution) == RANK[objective](front)
        assert solution.layouts == len(search.found)
        assert all(verify(tree) for tree in solution.front or (solution.tree,))
        assert not set(map(rules.board.name, shot)) & set(solution.best_shots)
    assert points(solution) == front


@pytest.mark.parametrize("family", FAMILIES)
@examples(40)
@given(data=st.data())
def test_first_shots_of_any_position(family: str, data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(FAMILIES[family]))
    history = draw_history(data, rules)
    search, shot = naive_search_at(rules, history)
    solution = solve(position_of(rules, history), values=True)
    assert solution.values is not None
    totals = {
        cell: RANK["mean"](search.after(search.found, shot, cell))
        for cell in range(rules.board.cells)
        if cell not in shot
    }
    assert totals == {cell: solution.values[cell] for cell in totals}
    if len({naive.cells_of(layout) for layout in search.found}) > 1:
        best = [cell for cell in totals if totals[cell] == solution.total_misses]
        assert solution.best_shots == tuple(map(rules.board.name, best))


@pytest.mark.parametrize("family", FAMILIES)
@examples(20)
@given(data=st.data())
def test_weights_agree_with_the_naive_search(family: str, data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from([r for r in FAMILIES[family] if len(naive_layouts(r)) < 23]))
    table = DecisionTable.build(rules)
    weights = data.draw(
        st.lists(st.integers(0, 9), min_size=len(table), max_size=len(table)).filter(any)
    )
    given_table = weighted(table, weights)
    by_number = layouts_by_number(rules)
    numbers = (tuple(sorted(map(int, row))) for row in table.layouts.ships)
    given_weights = {by_number[row]: weight for row, weight in zip(numbers, weights, strict=True)}
    mode, announce, contact = spoken(rules)
    front = naive.Search(
        naive_layouts(rules), mode, announce, contact, weights=given_weights
    ).optimum()
    solution = solve(given_table, "mean")
    assert solution.total_misses == RANK["mean"](front)
    assert solution.weight == sum(weights)
    assert verify(solution.tree)
    assert points(solve(given_table, "pareto")) == front
    plain = ExactSearch(as_problem(given_table), options=SearchOptions.plain())
    assert plain.minimize().misses == RANK["mean"](front)
