"""What the exact search promises beyond its values, which the laws hold: budgets, keys, stops.

Four families of games are searched differently, and every test here covers them all: ``hit``;
*closed* (``sunk`` where ships may not touch side by side), *open* (``sunk`` under ``sides``) and
*named* (``ship``). What holds of one family only is tested in ``test_families``.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.search_games import (
    FAMILIES,
    GAMES,
    RANK,
    in_pieces,
    name_of,
    search_of,
    twin,
)
from twins import naive

from seabattle.enumerate.board import mask_of
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.queries import INFEASIBLE, Goal, SearchOptions
from seabattle.solver.search.solution import Objective
from seabattle.solver.search.solve import solve

# What a search uses; ``sets`` is about what is done in its place, ``shares`` and ``best_first`` are
# about long searches.
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


@pytest.fixture(
    scope="class",
    params=[rules for games in FAMILIES.values() for rules in games[8:18:5]],
    ids=name_of,
)
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


@pytest.mark.parametrize("objective", [o.value for o in Objective if o is not Objective.MEAN])
@pytest.mark.parametrize("rules", GAMES[3::12], ids=name_of)
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
