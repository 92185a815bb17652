"""The readable reference search: the fast searches, the naive twin, and trees that verify."""

from __future__ import annotations

import numpy as np
import pytest
from support.search_games import name_of

from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.reference import ReferenceSearch
from seabattle.solver.search.solve import solve
from seabattle.trees.verify import verify

GAMES = [
    Rules(*game.split())
    for game in ["2x5 2,2", "3x3 3,1,1", "2x4 2,1 corners", "2x4 3,2 sides", "3x3 2,1 none sunk",
                 "3x3 2,2 corners sunk", "1x7 3,2 sides sunk", "2x4 3,2 sides sunk none",
                 "1x9 2,2,1 none ship", "3x3 3,2 corners ship", "1x8 2,2,2 sides ship"]
]  # fmt: skip


def test_solve_finds_the_same_worst_case_among_equal_totals_with_weights_of_0() -> None:
    rules = Rules("1x6", "2")
    table = DecisionTable(enumerate_layouts(rules), np.array([1, 0, 2, 0, 1]))
    assert ReferenceSearch(table).least() == (3, 2)
    assert solve(table, "mean-worst").worst_misses == 2


def test_names_go_on_from_a_position_in_which_a_ship_is_named() -> None:
    rules = Rules("1x8", "2,2,2", "sides", "ship")
    position = Position.read(rules, [("C1", "hit:2#1"), ("E1", "hit:2#2")])
    tree = ReferenceSearch(position).tree()
    assert verify(tree)
    answers = {answer_text(code) for code in tree.answers.tolist()}
    assert answers == {"miss", "hit:2#1", "hit:2#2", "hit:2#3"}


@pytest.mark.parametrize("rules", [rules for rules in GAMES if rules.answers == "hit"], ids=name_of)
def test_states_of_mode_hit_are_the_vertices_of_the_graph(rules: Rules) -> None:
    """Each sub-table that shots can leave, once; the search looks at no other."""
    search = ReferenceSearch(DecisionTable.build(rules))
    search.least()
    assert len(search.known) == graph_size(rules).vertices
