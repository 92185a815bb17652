"""Replaying: a game by hand, and trees that do not know the layout."""

import pytest
from twins.naive_trees import greedy_nodes, greedy_tree, tree_of

from seabattle.enumerate.errors import LayoutError, TreeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules
from seabattle.trees.replay import replay

RULES = Rules("3x3", "3,1,1")


def test_a_game_played_by_hand():
    """The cruiser lies on row 1; the boats below it are hit last."""
    tree = greedy_tree(RULES)
    shots = replay(tree, "A1:C1,A3,C3")
    assert shots == [(cell, "hit") for cell in ("B1", "A1", "C1", "A3", "C3")]
    assert replay(tree, "c3 a3 a1:c1") == shots


def test_layouts_that_do_not_fit_the_beginning_are_refused():
    rules = Rules("3x3", "2,2", "sides", "ship")
    tree = greedy_tree(rules, history=[(4, "hit:2#1"), (3, "hit:2#2"), (8, "miss")])
    assert len(replay(tree, "B1:B2 A2:A3")) >= 2
    with pytest.raises(LayoutError, match="does not fit the position this tree starts"):
        replay(tree, "A1:B1 A2:B2")


def test_trees_that_do_not_know_the_layout_say_so():
    nodes = greedy_nodes(RULES)
    claims = {"total_misses": 6, "worst_misses": 3}
    ends = [v for v, node in enumerate(nodes) if node[0] < 0]
    names = placement_table(RULES).names(nodes[ends[0]][2][0])
    wrong = [*nodes]
    wrong[ends[0]] = (-1, [], nodes[ends[1]][2])
    with pytest.raises(TreeError, match=f"ends at another layout than {' '.join(names)}"):
        replay(tree_of(RULES, wrong, **claims), names)
    shot, edges, _ = nodes[0]
    cut = [(shot, [edge for edge in edges if edge[0] == 0], []), *nodes[1:]]
    with pytest.raises(TreeError, match="no branch for 'hit' at B1"):
        replay(tree_of(RULES, cut, **claims), "A1:C1,A3,C3")
