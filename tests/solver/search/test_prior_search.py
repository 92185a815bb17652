"""Solving under a prior: beside the naive search, saved and verified, and the root bound."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from support.examples import examples
from support.prior_games import all_of, in_line, naive_rows, write
from twins import naive

from seabattle.enumerate.errors import PositionError, WeightsError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.priors.files import load_prior
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import MAX_TOTAL, DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.kernels import bounds
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE
from seabattle.solver.search.solve import solve, solve_problem
from seabattle.trees.files import load_tree, save_tree
from seabattle.trees.verify import verify


def weights_for(layouts: Layouts, most: int = 4) -> st.SearchStrategy[list[int]]:
    return st.lists(
        st.sampled_from([0, 0, *range(1, most), 50]), min_size=len(layouts), max_size=len(layouts)
    ).filter(any)


SOLVED = [
    Rules("3x3", "3,1,1"),
    Rules("2x3", "2"),
    Rules("3x3", "2"),
    Rules("1x7", "2,1"),
    Rules("2x4", "2,1"),
    Rules("2x3", "2,1", "corners"),
    Rules("2x3", "2,1", "sides"),
    Rules("2x3", "2,2", "sides"),
]


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
@examples(25)
@given(st.sampled_from(SOLVED), st.data())
def test_solving_under_a_prior_agrees_with_the_naive_search(
    tmp_path_factory: pytest.TempPathFactory, answers: str, game: Rules, data: st.DataObject
) -> None:
    rules = Rules(game.board, game.fleet, game.contact.value, answers)
    layouts = all_of(rules)
    weights = data.draw(weights_for(layouts))
    weights[weights.index(max(weights))] = 1  # so that they are in lowest terms
    lines = [f"{in_line(layouts, row)},{weight}" for row, weight in enumerate(weights) if weight]
    folder = tmp_path_factory.getbasetemp()
    table = DecisionTable.build(
        rules, prior=load_prior(write(folder, "\n".join(["layout,weight", *lines])), rules)
    )
    assert_agreement_with_the_naive_search(table, weights)


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
@examples(12)
@given(
    game=st.sampled_from(SOLVED),
    scales=st.lists(st.floats(0.001, 50) | st.just(0.0), min_size=9, max_size=9),
)
def test_the_search_is_exact_for_rounded_weights(
    answers: str, game: Rules, scales: list[float]
) -> None:
    """Floating-point cell weights, whose products do not fit: the search takes them rounded."""
    rules = Rules(game.board, game.fleet, game.contact.value, answers)
    try:
        prior = ProductPrior.of_cells(rules, scales[: rules.board.cells])
        table = DecisionTable.build(rules, prior=prior)
    except WeightsError:
        reject()  # every layout weighs 0
    assert_agreement_with_the_naive_search(table, table.weights.tolist() or [1] * len(table))


def assert_agreement_with_the_naive_search(table: DecisionTable, weights: list[int]) -> None:
    """Every objective beside the naive twin, which knows nothing of priors."""
    rules, layouts = table.rules, table.layouts
    expected = naive.optimum(
        naive_rows(layouts),
        rules.answers.value,
        contact=rules.contact.value,
        weights=dict(zip(naive_rows(layouts), weights, strict=True)),
    )
    for objective in ("mean", "worst", "mean-worst", "worst-mean", "pareto"):
        solution = solve(table, objective)
        assert solution.status == "optimal"
        assert solution.weight == sum(weights)
        assert solution.mean_misses == Fraction(solution.total_misses, sum(weights))
        point = solution.worst_misses, solution.total_misses
        if objective == "mean":
            assert point[1] == expected["mean"]
        elif objective == "worst":
            assert point[0] == expected["worst"]
        elif objective == "pareto":
            front = tuple((tree.worst_misses, tree.total_misses) for tree in solution.front)
            assert front == expected["pareto"]
        else:
            assert point == expected[objective]


@pytest.mark.parametrize("answers", ["hit", "sunk"])
@pytest.mark.parametrize("contact", ["none", "sides"])
def test_the_tree_of_a_prior_is_saved_loaded_and_verified(
    tmp_path: Path, answers: str, contact: str
) -> None:
    rules = Rules("3x3", "2,1", contact, answers)
    layouts = all_of(rules)
    grid = write(tmp_path, "cells,product\n2 1.5 0\n1.5 1 0.5\n2 1.5 2")
    table = DecisionTable.build(rules, prior=load_prior(grid, rules))
    weights = table.weights
    assert (weights == 0).any()
    solution = solve(table)
    path = tmp_path / "tree.json"
    save_tree(solution.tree, path)
    tree = load_tree(path)
    assert tree.weight == solution.weight == int(weights.sum())
    by_layout = dict(zip(map(tuple, layouts.ships.tolist()), weights.tolist(), strict=True))
    assert tree.weights.tolist() == [by_layout[tuple(row)] for row in tree.ships.tolist()]
    found = verify(tree)
    assert found.valid, found.problems
    assert (found.total_misses, found.weight) == (solution.total_misses, solution.weight)
    assert found.mean_misses == solution.mean_misses


def test_the_largest_weights_allowed_are_solved() -> None:
    """Totals near the limit, on a board where more than half of all shots miss."""
    layouts = all_of(Rules("4x5", "1,1", "sides"))
    each = (MAX_TOTAL - 1) // 20 // len(layouts)
    plain = solve(DecisionTable(layouts)).total_misses
    table = DecisionTable(layouts, None, np.full(len(layouts), each))
    assert plain * 2 > len(layouts) * 20
    assert solve(table, "worst-mean").total_misses == plain * each < INFEASIBLE


# The lower bound of the search


def root_bound(problem: Problem) -> int:
    lower, reach = problem.bound_arrays()
    ships = problem.rules.fleet.cells - problem.certain.bit_count()
    return int(
        bounds.counting_bound(
            *(len(problem), problem.weight, ships, problem.lightest, problem.heaviest),
            *(0, lower, reach),
        )
    )


@examples(150)
@given(st.sampled_from([*SOLVED, Rules("3x3", "2,2", "sides"), Rules("4x4", "3,2,1")]), st.data())
def test_the_root_bound_never_exceeds_the_optimum(rules: Rules, data: st.DataObject) -> None:
    layouts = all_of(rules)
    table = DecisionTable(layouts, None, np.array(data.draw(weights_for(layouts, most=3))))
    problem = Problem(table)
    assert root_bound(problem) <= solve_problem(problem).total_misses
    cell = data.draw(st.integers(0, problem.cells - 1))
    answer = data.draw(st.sampled_from(["hit", "miss"]))
    try:
        part = Problem(table.shoot(cell, answer))
    except (PositionError, WeightsError):
        reject()  # no layout is left, or none that weighs anything
    assert root_bound(part) <= ExactSearch(part).minimize().misses


def test_the_root_bound_uses_the_heaviest_rows() -> None:
    """One heavy layout and light ones: the bound is that of the light ones."""
    layouts = all_of(Rules("3x3", "2"))
    weights = np.ones(len(layouts), dtype=np.int64)
    plain = root_bound(Problem(DecisionTable(layouts, None, weights)))
    weights[0] = 1000
    heavy = Problem(DecisionTable(layouts, None, weights))
    assert root_bound(heavy) == plain <= solve_problem(heavy).total_misses
