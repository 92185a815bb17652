"""Trees as networkx graphs and as DOT source."""

import networkx as nx
import pygraphviz
import pytest
from support.sample_trees import changed, small_trees

from seabattle.enumerate.errors import DrawingError
from seabattle.trees.drawing.export import to_dot, to_networkx

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


def test_graph_tells_the_position_before_the_tree():
    graph = to_networkx(TREES["position"])
    assert graph.graph["position"] == "B2 miss, A1 hit, A2 sunk"
    assert graph.nodes[0]["shots"] == "B2 miss, A1 hit, A2 sunk"


def test_depth_cuts_the_graph():
    graph = to_networkx(TREES["hit 5x5"], depth=3)
    assert nx.is_arborescence(graph)
    assert max(depth for _, depth in graph.nodes(data="depth")) == 3
    ends = [data for v, data in graph.nodes(data=True) if graph.out_degree(v) == 0]
    assert all(data["cut"] == (data["kind"] == "inner") for data in ends)
    assert sum(data["layouts"] for data in ends) == 1428


def test_graph_can_be_written_by_networkx():
    lines = list(nx.generate_graphml(to_networkx(TREES["sides"])))
    assert any("X3" in line for line in lines)


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_dot_is_read_by_graphviz(tree):
    graph = pygraphviz.AGraph(string=to_dot(tree))
    assert graph.number_of_nodes() == len(tree)
    assert graph.number_of_edges() == len(tree) - 1
    assert graph.directed


def test_dot_labels():
    graph = pygraphviz.AGraph(string=to_dot(TREES["sides"], depth=2))
    assert graph.get_node("0").attr["label"] == r"A1\n36 layouts"
    assert graph.get_node("0").attr["style"] == "solid"
    symbols = {edge.attr["label"] for edge in graph.edges()}
    assert symbols == {"x", "X2", "."}
    stubs = [node for node in graph.nodes() if node.attr["style"] == "dashed"]
    assert any("up to" in node.attr["label"] for node in stubs)
    whole = pygraphviz.AGraph(string=to_dot(TREES["hit"]))
    leaves = [node.attr["label"] for node in whole.nodes() if node.attr["style"] == "rounded"]
    assert r"A3:C3 A1 C1\n3 misses" in leaves


@pytest.mark.parametrize(
    "title", ['say "B1"', "<b>bold</b>", "back\\slash \\", "a & b; } -> {", "null\x00 \ud800"]
)
def test_dot_shows_any_title_as_it_stands(title):
    source = to_dot(TREES["hit"], title=title)
    source.encode("utf-8")
    graph = pygraphviz.AGraph(string=source)
    assert graph.number_of_nodes() == len(TREES["hit"])
    shown = graph.graph_attr["label"].replace("\\\\", "\\").replace("&amp;", "&")
    assert shown == title.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")


def test_dot_tells_the_cost_and_survives_a_hostile_objective():
    tree = changed(TREES["hit"], objective='"] evil [label="')
    graph = pygraphviz.AGraph(string=to_dot(tree))
    assert graph.number_of_nodes() == len(tree)
    assert "worst 3 misses" in graph.graph_attr["label"]
    assert '"] evil [label="' in graph.graph_attr["label"]


def test_negative_depth_is_refused():
    for export in (to_dot, to_networkx):
        with pytest.raises(DrawingError, match="depth -2"):
            export(TREES["hit"], depth=-2)
