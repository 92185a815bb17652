"""Trees as indented text."""

from dataclasses import replace

import pytest
from support.sample_trees import small_trees

from seabattle.trees.drawing.selection import (
    NodeKind,
    path_nodes,
    plain,
    select_nodes,
    text,
)

TREES = small_trees()


def test_whole_tree_word_for_word():
    assert text(TREES["hit"]).splitlines() == [
        "3x3, fleet 3,1,1, contact none, answers hit",
        "strategy greedy-hits, heuristic: worst 3 misses, total 6, mean 3/2 = 1.5, 4 layouts",
        "",
        "B1 (4 layouts)",
        "  x = A1:C1 A3 C3 (0 misses)",
        "  . A2 (3 layouts)",
        "    x = A1:A3 C1 C3 (1 miss)",
        "    . C2 (2 layouts)",
        "      x = C1:C3 A1 A3 (2 misses)",
        "      . = A3:C3 A1 C1 (3 misses)",
    ]


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_every_layout_s_path_ends_at_its_leaf(tree):
    selected = select_nodes(tree)
    leaves = [item for item in selected if item.kind is NodeKind.LEAF][::40]
    for item in leaves:
        for ships in item.node.layouts:
            assert path_nodes(tree, ships)[-1] == item.node
            along = select_nodes(tree, path=ships)
            assert [x.node for x in along if x.on_path][-1] == item.node
            assert sum(x.kind is NodeKind.LEAF for x in along) == 1
            assert {x.kind for x in along if not x.on_path} <= {NodeKind.STUB}


def test_control_characters_are_shown_as_replaced():
    assert plain("a\tb\x00\x1b\ud800\uffff") == "a b" + "\ufffd" * 4
    assert "\x1b" not in text(replace(TREES["hit"], objective="\x1b[31mred"))
