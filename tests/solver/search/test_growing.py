"""Trees from compiled loops are those the rules give node by node, whatever stops the loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.search_games import FAMILIES, draw_history, weighted
from twins.naive_trees import position_of

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import work as w
from seabattle.solver.search.greedy import GreedyRule, _policy, grow_by_rules, grow_greedy
from seabattle.solver.search.growing import GreedyPlayer, GrowingTree
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import Problem
from seabattle.trees.tree import Tree

TOLD = [rules for family in ("closed", "open", "named") for rules in FAMILIES[family][::4]]
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


@examples(60)
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


def test_a_loop_that_fails_at_a_limit_can_be_gone_on_with() -> None:
    problem = Problem(DecisionTable.build(Rules("4x4", "3,2,1", answers="sunk")))
    search = GreedyPlayer(problem, limits=Limits(deadline=0.0, rows_per_step=1))
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
