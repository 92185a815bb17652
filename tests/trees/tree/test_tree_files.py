"""Tree files: what they say, and that reading and writing keeps all of it."""

import json
from dataclasses import replace

import pytest
from twins.naive_trees import greedy_tree

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.trees.files import load_tree, save_tree
from seabattle.trees.tree import Reading

BEGUN = greedy_tree(
    Rules("3x3", "3,2", "sides", "sunk"), history=[(8, "hit"), (6, "hit"), (7, "sunk:3")]
)
TREES = {
    "weighted": greedy_tree(Rules("3x3", "2,1"), weights=lambda row: sum(row) % 5),
    "positive": greedy_tree(Rules("3x3", "2,1", answers="sunk"), reading=Reading.POSITIVE),
    "position": BEGUN,
    "one leaf": greedy_tree(Rules("1x3", "3")),
    "wide": greedy_tree(Rules("2x36", "36")),
}


@pytest.fixture
def document_of(tmp_path):
    """The document of a tree's file."""

    def saved(tree):
        path = tmp_path / "deep" / "down" / "tree.json"
        save_tree(tree, path)
        return json.loads(path.read_text("utf-8"))

    return saved


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_what_is_saved_reads_back(tree, document_of, tmp_path):
    document = document_of(tree)
    assert document_of(load_tree(tmp_path / "deep" / "down" / "tree.json")) == document


@pytest.mark.parametrize(("ordered", "ships"), [(False, ((0, 3),)), (True, ((0, 3),)), (False, ())])
def test_what_is_known_of_order_and_ships_is_kept(ordered, ships, tmp_path):
    shots = ((0, 1), (3, 0x102), (6, 1))
    position = Position(Rules("3x3", "3,2", "sides", "sunk"), shots, ordered, ships)
    save_tree(replace(BEGUN, position=position), tmp_path / "tree.json")
    assert load_tree(tmp_path / "tree.json").position == position


def test_the_document_is_the_format_described(document_of):
    document = document_of(greedy_tree(Rules("3x3", "3,1,1")))
    nodes = document.pop("nodes")
    assert document == {
        "format": "seabattle-tree",
        "version": 1,
        "board": "3x3",
        "fleet": "3,1,1",
        "contact": "none",
        "answers": "hit",
        "announce": "length",
        "reading": "full",
        "objective": "hits",
        "status": "heuristic",
        "total_misses": 6,
        "worst_misses": 3,
    }
    assert nodes[0] == {"shot": "B1", "next": {"miss": 1, "hit": 6}}
    assert nodes[6] == {"layouts": [["A1:C1", "A3", "C3"]]}
    assert "weights" in document_of(TREES["weighted"])
    assert document_of(BEGUN)["position"] == [["C3", "hit"], ["A3", "hit"], ["B3", "sunk:3"]]
