"""The rollout rule against its naive twin, in every mode and under every contact rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.search_games import FAMILIES, GAMES, draw_history, name_of, weighted
from twins import naive
from twins.naive_rollouts import Rollouts
from twins.naive_trees import naive_layouts, numbers_of, position_of, spoken

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.rollouts import Improver
from seabattle.trees.verify import require_valid

WIDTHS = [1, 2, 3, 5]


def improver_of(table: DecisionTable) -> Improver:
    """An improver that follows the rule to the end: no symmetry, and nothing solved exactly."""
    improver = Improver(as_problem(table), orbits=False)
    improver.rules = np.array([[width, 1] for width in WIDTHS], dtype=np.int64)
    return improver


def assert_levels_agree(
    table: DecisionTable, twin: Rollouts, state: tuple[frozenset, frozenset]
) -> None:
    """Misses of all levels, and of the tree of the highest one."""
    improver = improver_of(table)
    for level in range(len(WIDTHS)):
        assert improver.climb() == twin.misses(level, state), level
    tree = improver.grow(position=table.history, objective="mean", status="heuristic")
    require_valid(tree, layouts=table.layouts)
    assert tree.total_misses == twin.misses(len(WIDTHS) - 1, state)


@pytest.mark.parametrize(
    "rules", [rules for games in FAMILIES.values() for rules in games[1::5]], ids=name_of
)
def test_levels_miss_what_the_naive_rule_misses(rules: Rules) -> None:
    mode, announce, contact = spoken(rules)
    twin = Rollouts(WIDTHS, mode, announce, contact)
    assert_levels_agree(DecisionTable.build(rules), twin, (naive_layouts(rules), frozenset()))


@examples(24)
@given(st.sampled_from(GAMES), st.data())
def test_levels_miss_what_the_naive_rule_misses_with_weights_after_shots(
    rules: Rules, data: st.DataObject
) -> None:
    told = spoken(rules)
    history = draw_history(data, rules)[:3]
    table = DecisionTable.build(rules)
    weights = st.lists(st.integers(0, 4), min_size=len(table), max_size=len(table))
    drawn = data.draw(weights.filter(any))
    numbers = [tuple(sorted(row)) for row in table.layouts.ships[table.index].tolist()]
    worth = dict(zip(numbers, drawn, strict=True))
    found = naive.fitting(naive_layouts(rules), history, *told)
    if not any(worth[numbers_of(rules, layout)] for layout in found):
        return
    weights_of = {layout: worth[numbers_of(rules, layout)] for layout in found}
    twin = Rollouts(WIDTHS, *told, weights_of)
    shot = frozenset(cell for cell, _ in history)
    here = weighted(table, drawn).at(position_of(rules, history))
    assert_levels_agree(here, twin, (frozenset(found), shot))
