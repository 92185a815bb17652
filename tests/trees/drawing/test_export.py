"""Trees as networkx graphs and as DOT source."""

import re

import networkx as nx
import pytest
from support.sample_trees import small_trees

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import greedy_tree
from seabattle.trees.drawing.export import from_networkx, to_dot, to_networkx
from seabattle.trees.files import node_lines
from seabattle.trees.verify import verify

TREES = small_trees()
NODE = {"kind", "shot", "shots", "depth", "layouts", "misses", "worst", "ships", "cut"}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_graph_is_an_arborescence_with_every_node(tree):
    graph = to_networkx(tree)
    assert nx.is_arborescence(graph)
    assert set(graph) == set(range(len(tree)))
    assert all(set(data) == NODE for _, data in graph.nodes(data=True))
    assert all(set(data) == {"answer", "symbol"} for *_, data in graph.edges(data=True))
    leaves = [data for _, data in graph.nodes(data=True) if data["kind"] == "leaf"]
    assert len(leaves) == tree.leaves
    assert sum(data["layouts"] for data in leaves) == tree.layouts
    assert sum(data["layouts"] * data["misses"] for data in leaves) == tree.total_misses
    assert all((out == 0) == (graph.nodes[v]["kind"] == "leaf") for v, out in graph.out_degree())
    assert not any(cut for _, cut in graph.nodes(data="cut"))


def test_attributes_say_what_they_are_documented_to():
    graph = to_networkx(TREES["hit"])
    assert graph.nodes[0] == {
        "kind": "inner", "shot": "B1", "shots": "", "depth": 0, "layouts": 4, "misses": 0,
        "worst": 3, "ships": "", "cut": False,
    }  # fmt: skip
    last = next(v for v, misses in graph.nodes(data="misses") if misses == 3)
    assert graph.nodes[last] == {
        "kind": "leaf", "shot": "", "shots": "B1 miss, A2 miss, C2 miss", "depth": 3,
        "layouts": 1, "misses": 3, "worst": 0, "ships": "A3:C3 A1 C1", "cut": False,
    }  # fmt: skip
    above = next(graph.predecessors(last))
    assert graph.edges[above, last] == {"answer": "miss", "symbol": "."}
    assert graph.graph["fleet"] == "3,1,1"
    assert (graph.graph["total_misses"], graph.graph["worst_misses"]) == (6, 3)


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_a_graph_becomes_the_tree_again(tree):
    again = from_networkx(nx.parse_graphml("\n".join(nx.generate_graphml(to_networkx(tree)))))
    assert node_lines_of(again) == node_lines_of(tree)
    assert verify(again).problems == verify(tree).problems == ()


def test_a_graph_keeps_the_cells_on_which_no_ship_can_lie():
    tree = greedy_tree(Rules("3x3", "2,1", blocked="A1"))
    again = from_networkx(to_networkx(tree))
    assert again.rules == tree.rules
    assert verify(again).problems == ()


def node_lines_of(tree):
    return "".join(node_lines(tree))


@pytest.mark.parametrize(
    "title", ['say "B1"', "<b>bold</b>", "back\\slash \\", "a & b; } -> {", "null\x00 \ud800"]
)
def test_dot_shows_any_title_as_it_stands(title):
    source = to_dot(TREES["hit"], title=title)
    source.encode("utf-8")
    label = re.search(r'\blabel="?((?:[^"\\]|\\.)*)"', source)[1]
    shown = label.replace('\\"', '"').replace("\\\\", "\\").replace("&amp;", "&")
    assert shown == title.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
