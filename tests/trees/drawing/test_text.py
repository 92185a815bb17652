"""Trees as indented text."""

import numpy as np
import pytest
from support.sample_trees import changed, sample_tree, small_trees

from seabattle.enumerate.errors import BoardError, DrawingError, LayoutError, TreeError
from seabattle.trees.drawing.selection import (
    NodeKind,
    numbers_below,
    path_codes,
    plain,
    select_nodes,
)
from seabattle.trees.drawing.text import text
from seabattle.trees.tree import Node

TREES = small_trees()


def test_whole_tree_word_for_word():
    assert text(TREES["hit"]).splitlines() == [
        "3x3, fleet 3,1,1, contact none, answers hit",
        "strategy hits, heuristic: worst 3 misses, total 6, mean 3/2 = 1.5, 4 layouts",
        "",
        "B1 (4 layouts)",
        "  x = A1:C1 A3 C3 (0 misses)",
        "  . A2 (3 layouts)",
        "    x = A1:A3 C1 C3 (1 miss)",
        "    . C2 (2 layouts)",
        "      x = C1:C3 A1 A3 (2 misses)",
        "      . = A3:C3 A1 C1 (3 misses)",
    ]


def test_depth_leaves_stubs():
    lines = text(TREES["hit"], depth=1).splitlines()[3:]
    assert lines == [
        "B1 (4 layouts)",
        "  x = A1:C1 A3 C3 (0 misses)",
        "  . ... (3 layouts, up to 2 more misses)",
    ]
    assert text(TREES["hit"], depth=0).splitlines()[3:] == ["... (4 layouts, up to 3 more misses)"]


def test_miss_path():
    lines = text(TREES["hit"], path="misses").splitlines()[3:]
    assert [line for line in lines if "x ..." in line] == [
        f"{'  ' * depth}x ... (1 layout, no more misses)" for depth in (1, 2, 3)
    ]
    assert lines[-1] == "      . = A3:C3 A1 C1 (3 misses)"


def test_path_of_a_layout_in_any_spelling():
    spellings = ["C1:C3,A1,A3", "a1 c3:c1 A3", ["A3", "A1", "C1:C3"]]
    printed = {text(TREES["hit"], path=path) for path in spellings}
    assert len(printed) == 1
    assert "x = C1:C3 A1 A3 (2 misses)" in printed.pop()


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_one_line_per_node_and_every_layout(tree):
    lines = text(tree).split("\n\n")[1].splitlines()
    assert len(lines) == len(tree)
    leaves = [line.split("= ")[1].rsplit(" (", 1)[0] for line in lines if "= " in line]
    assert sum(leaf.count(" or ") + 1 for leaf in leaves) == tree.layouts


def test_answers_are_told_by_their_symbols():
    lines = text(TREES["sides"]).splitlines()
    assert {line.split()[0] for line in lines[4:]} == {"x", "X2", "X3", "."}
    assert "a sinking tells its length" in lines[0]
    lines = text(TREES["ship"]).splitlines()
    assert {line.split()[0] for line in lines[4:]} == {"x2#1", "x2#2", "."}


def test_position_is_told():
    assert "after B2 miss, A1 hit, A2 sunk" in text(TREES["position"]).splitlines()


def test_leaf_of_two_layouts_names_both():
    tree = sample_tree("2x2", "2,2", "sides")
    assert text(tree).splitlines()[-1] == "= A1:B1 A2:B2 or A1:A2 B1:B2 (0 misses)"


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_numbers_of_the_root_are_the_tree_s(tree):
    layouts, worst = numbers_below(tree)
    assert (layouts[0], worst[0]) == (tree.layouts, tree.worst_misses)
    selected = select_nodes(tree)
    assert max(item.misses for item in selected) == tree.worst_misses
    total = sum(item.misses * item.layouts for item in selected if item.kind is NodeKind.LEAF)
    assert total == tree.total_misses
    for item in selected:
        below = [
            child for child in selected if child.parent >= 0 and selected[child.parent] is item
        ]
        if len(selected) < 500 and item.kind is NodeKind.INNER:
            assert item.layouts == sum(child.layouts for child in below)


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_every_layout_s_path_ends_at_its_leaf(tree):
    selected = select_nodes(tree)
    leaves = [item for item in selected if item.kind is NodeKind.LEAF][::40]
    for item in leaves:
        for ships in Node(tree, item.node).layouts:
            assert tree.follow(path_codes(tree, ships))[-1].index == item.node
            along = select_nodes(tree, path=ships)
            assert [x.node for x in along if x.on_path][-1] == item.node
            assert sum(x.kind is NodeKind.LEAF for x in along) == 1
            assert {x.kind for x in along if not x.on_path} <= {NodeKind.STUB}


def test_miss_path_ends_where_no_shot_can_miss():
    selected = select_nodes(TREES["sunk"], path="misses")
    last = [item for item in selected if item.on_path][-1]
    assert last.kind is NodeKind.INNER
    assert last.misses == last.depth
    assert [item.parent for item in selected if item.parent >= 0].count(selected.index(last)) >= 1


def test_bad_requests_are_one_line_errors():
    tree = TREES["hit"]
    with pytest.raises(DrawingError, match="depth -1"):
        text(tree, depth=-1)
    with pytest.raises(LayoutError, match="its ships are 3"):
        text(tree, path="A1:A3")
    with pytest.raises(BoardError, match="off the board"):
        text(tree, path="A1:A9,C1,C3")
    with pytest.raises(LayoutError, match="does not fit the position"):
        text(TREES["position"], path="B1:B3 D1:D2 D4")


def test_nodes_that_are_no_tree_are_refused():
    tree = TREES["hit"]
    twice = np.array([tree.children[0]] * len(tree.children), dtype=np.int32)
    to_root = np.array([0, *tree.children[1:]], dtype=np.int32)
    for children in (twice, to_root):
        with pytest.raises(TreeError, match="no tree"):
            text(changed(tree, children=children))


def test_control_characters_are_shown_as_replaced():
    assert plain("a\tb\x00\x1b\ud800\uffff") == "a b" + "\ufffd" * 4
    assert "\x1b" not in text(changed(TREES["hit"], objective="\x1b[31mred"))
