"""Trees from compiled loops are those the rules give node by node, whatever stops the loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.search_games import FAMILIES, draw_history, weighted
from twins.naive_trees import position_of

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import work as w
from seabattle.solver.search.answer_growing import GrowingTree
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.greedy import GreedyRule, _policy, grow_greedy
from seabattle.solver.search.improving import Improver
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.tree_building import grow_by_rules
from seabattle.trees.tree import Tree
from seabattle.trees.verify import require_valid

TOLD = [rules for family in ("closed", "open", "named") for rules in FAMILIES[family]]
ARRAYS = ("shots", "first", "answers", "children", "leaf", "ships", "weights")


def assert_same(tree: Tree, other: Tree) -> None:
    for name in ARRAYS:
        assert np.array_equal(getattr(tree, name), getattr(other, name)), name
        assert getattr(tree, name).dtype == getattr(other, name).dtype, name
    assert (tree.total_misses, tree.worst_misses) == (other.total_misses, other.worst_misses)


def by_rules(problem: Problem, rule: GreedyRule) -> Tree:
    """The greedy tree, grown node by node in Python."""
    return grow_by_rules(
        problem,
        _policy(problem, rule, None, Limits()),
        position=problem.table.history,
        objective=f"greedy-{rule}",
        status="heuristic",
    )


@examples(150)
@given(st.sampled_from(TOLD), st.sampled_from(list(GreedyRule)), st.data())
def test_greedy_trees_are_those_of_the_rules(
    rules: Rules, rule: GreedyRule, data: st.DataObject
) -> None:
    table = DecisionTable.build(rules)
    if data.draw(st.booleans()):
        weights = st.lists(st.integers(0, 4), min_size=len(table), max_size=len(table))
        table = weighted(table, data.draw(weights.filter(any)))
    position = position_of(rules, draw_history(data, rules)[:3])
    try:
        here = table.at(position)
    except WeightsError:  # all that are left weigh nothing
        return
    problem = Problem(here)
    assert_same(grow_greedy(problem, rule), by_rules(problem, rule))


@pytest.mark.parametrize("rules", [FAMILIES[f][-1] for f in ("closed", "open", "named")], ids=str)
def test_a_tree_that_outgrows_its_arrays_in_small_steps_is_the_same(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = Problem(DecisionTable.build(rules))
    search = ExactSearch(problem, limits=Limits(rows_per_step=1))
    search.rows_per_step = search.least_rows_per_step = len(problem)
    growing = GrowingTree(search, due_first=True)
    growing.nodes = growing._room(2)
    growing.grow_greedily(w.POLICY_HITS)
    tree = growing.tree(problem.table.history, objective="greedy-hits", status="heuristic")
    assert_same(tree, by_rules(problem, GreedyRule.HITS))


@pytest.mark.parametrize(
    "rules",
    [Rules("5x5", "3,2,1"), Rules("4x4", "2,2,1", answers="sunk"), Rules("3x4", "3,2", "sides"),
     Rules("3x4", "3,2", "sides", "sunk"), Rules("4x4", "3,2", answers="ship")],
    ids=str,
)  # fmt: skip
def test_what_a_limit_leaves_of_a_planned_tree_is_shot_at_greedily(rules: Rules) -> None:
    table = DecisionTable.build(rules)
    improver = Improver(Problem(table), orbits=False)
    improver.climb()
    improver.search.limits = Limits(deadline=0.0)
    improver.search.rows_per_step = improver.search.least_rows_per_step = 3 * len(table)
    tree = improver.grow(position=table.history, objective="mean", status="heuristic")
    require_valid(tree, layouts=table.layouts)
    assert improver.search.limits.deadline is None  # it was reached


def test_a_loop_that_fails_at_a_limit_can_be_gone_on_with() -> None:
    problem = Problem(DecisionTable.build(Rules("4x4", "3,2,1", answers="sunk")))
    search = ExactSearch(problem, limits=Limits(deadline=0.0, rows_per_step=1))
    search.rows_per_step = search.least_rows_per_step = len(problem)
    growing = GrowingTree(search, due_first=True)
    stops = 0
    while True:
        try:
            growing.grow_greedily(w.POLICY_HALF)
            break
        except LimitReached:
            stops += 1
    assert stops > 5
    tree = growing.tree(problem.table.history, objective="greedy-half", status="heuristic")
    assert_same(tree, by_rules(problem, GreedyRule.HALF))
