"""Trees as pictures: what is drawn, where, and by which engine."""

import re
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from support.sample_trees import changed, sample_tree, small_trees

from seabattle.enumerate.colours import LIGHT
from seabattle.enumerate.errors import DrawingError, LayoutError
from seabattle.enumerate.picture import sunk_mask, text_width, wrapped
from seabattle.enumerate.rules import Rules
from seabattle.trees.drawing import tree_svg
from seabattle.trees.drawing.selection import NodeKind, select_nodes
from seabattle.trees.drawing.tidy import Box, positions
from seabattle.trees.drawing.tree_svg import svg
from seabattle.trees.tree import Tree

TREES = small_trees()
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


@cache
def whole(tree: Tree) -> str:
    """The drawing of a whole tree, which several tests look at."""
    return svg(tree)


def read(picture: str) -> ElementTree.Element:
    """The drawing's root element."""
    picture.encode("utf-8")
    return ElementTree.fromstring(picture)


def nodes(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Groups of the nodes, boards and stubs."""
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == "n"]


def uses(element: ElementTree.Element, shape: str) -> list[ElementTree.Element]:
    """References to a shared shape, by what follows the drawing's prefix in its id."""
    name = re.compile(f"#t[0-9a-f]{{6}}{shape}")
    return [use for use in element.iter(f"{SVG}use") if name.fullmatch(use.get(LINK))]


def edges_of(root: ElementTree.Element) -> ElementTree.Element:
    """The group of the edges."""
    return next(g for g in root.iter(f"{SVG}g") if g.get("stroke") == LIGHT.edge)


def marks_of(node: ElementTree.Element) -> dict[str, str]:
    """Paths of a board's marks by what they mean."""
    names = {LIGHT.miss: "miss", LIGHT.hit: "hit", LIGHT.wreck: "sunk", LIGHT.wreck_ink: "cross"}
    paths = list(node.iter(f"{SVG}path"))
    return {names[path.get("stroke") or path.get("fill")]: path.get("d") for path in paths}


def board_shape(root: ElementTree.Element) -> ElementTree.Element:
    """The shared shape of all boards."""
    return next(g for g in root.iter(f"{SVG}g") if re.fullmatch("t[0-9a-f]{6}b", g.get("id", "")))


def boxes_drawn(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every board's grid and every stub."""
    size = board_shape(root).find(f"{SVG}rect")
    found = []
    for node in nodes(root):
        x, y = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", node.get("transform")).groups())
        stub = node.find(f"{SVG}rect")
        shape = size if stub is None else stub
        left = x + float(shape.get("x", 0))
        found.append((left, y, left + float(shape.get("width")), y + float(shape.get("height"))))
    return found


@pytest.mark.parametrize("depth", [None, 0, 1, 2])
@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_every_node_is_drawn_once(tree, depth):
    root = read(whole(tree) if depth is None else svg(tree, depth=depth))
    kinds = [item.kind for item in select_nodes(tree, depth=depth)]
    assert len(nodes(root)) == len(kinds)
    assert len(uses(root, "b")) == len(kinds) - kinds.count(NodeKind.STUB)
    legend = 1 if NodeKind.INNER in kinds else 0
    assert len(uses(root, "t")) == kinds.count(NodeKind.INNER) + legend
    edges = edges_of(root)
    assert len(edges.findall(f"{SVG}path")) == len(kinds) - 1


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_references_lead_to_shapes_and_ids_are_the_drawing_s_own(tree):
    root = read(whole(tree))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    prefix = root.get("id")
    assert all(name.startswith(prefix) for name in ids)
    assert {use.get(LINK)[1:] for use in root.iter(f"{SVG}use")} <= set(ids)
    assert root.find(f"{SVG}style") is None, "attributes reach no further than their element"
    assert prefix != read(svg(tree, depth=1)).get("id")


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_text_alternative(tree):
    root = read(whole(tree))
    assert root.get("role") == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("aria-labelledby").split() == [title.get("id"), desc.get("id")]
    rules = tree.rules
    assert str(rules.fleet) in title.text
    assert f"contact {rules.contact.value}, answers {rules.answers.value}" in desc.text
    assert tree.objective in desc.text
    assert tree.status in desc.text
    assert f"worst {tree.worst_misses} miss" in desc.text
    assert str(tree.mean_misses) in desc.text
    assert f"{float(tree.mean_misses):.4f}".rstrip("0").rstrip(".") in desc.text


def test_path_is_told_in_words():
    desc = read(svg(TREES["hit"], path="misses")).find(f"{SVG}desc").text
    assert "Path: B1 miss, A2 miss, C2 miss." in desc
    assert "Ships at its end: A3:C3 A1 C1." in desc
    desc = read(svg(TREES["position"], depth=1)).find(f"{SVG}desc").text
    assert "Shots before the tree begins: B2 miss, A1 hit, A2 sunk." in desc


def test_edges_are_labelled_with_the_answers_symbols():
    for name, symbols in {
        "hit": {".", "x"},
        "sunk": {".", "x", "X"},
        "sides": {".", "x", "X2", "X3"},
        "ship": {".", "x2#1", "x2#2"},
    }.items():
        tree = TREES[name]
        root = read(svg(tree))
        labels = {
            g.get("id"): "." if g.find(f"{SVG}text") is None else g.find(f"{SVG}text").text
            for g in root.find(f"{SVG}defs")
            if re.fullmatch(r"t[0-9a-f]{6}e\d+", g.get("id"))
        }
        assert set(labels.values()) == symbols
        # One label per edge, and one of each kind in the legend.
        assert len(uses(root, r"e\d+")) == len(tree) - 1 + len(symbols)


def test_marks_of_misses_hits_and_ships():
    root = read(svg(TREES["hit"]))
    boards = {node.find(f"{SVG}text").text: node for node in nodes(root)}
    last = boards["3 misses"]
    marks = marks_of(last)
    assert marks["miss"].count("h.01") == 3
    assert "hit" not in marks
    assert len(uses(last, r"s1")) == 2
    assert len(uses(last, r"s3")) == 1
    first = boards["0 misses"]
    assert marks_of(first).keys() == {"hit"}
    upright = boards["1 miss"]
    assert len(uses(upright, "v3")) == 1


def test_current_shot_is_red_and_named():
    root = read(svg(TREES["hit"]))
    node = nodes(root)[0]
    shot, rest = node.findall(f"{SVG}text")
    assert (shot.text, shot.get("fill"), shot.get("text-anchor")) == ("B1", LIGHT.target, "end")
    assert (rest.text, rest.get("text-anchor")) == ("· 4 layouts", "start")
    assert float(shot.get("x")) < float(rest.get("x"))
    (target,) = uses(node, "t")
    assert (target.get("x"), target.get("y")) == ("18", None)
    shape = next(g for g in root.iter(f"{SVG}g") if re.fullmatch("t[0-9a-f]{6}t", g.get("id", "")))
    assert shape.find(f"{SVG}rect").get("stroke") == LIGHT.target


def test_shots_before_the_tree_are_drawn():
    node = nodes(read(svg(TREES["position"])))[0]
    marks = marks_of(node)
    assert marks["miss"].count("h.01") == 1
    assert marks["sunk"].count("z") == 2
    assert "hit" not in marks


def test_sunk_cells():
    sunk = Rules("3x3", "2,1", answers="sunk")
    assert sunk_mask(sunk, [(0, 1), (8, 2), (4, 0)]) == 1 << 8
    assert sunk_mask(sunk, [(0, 1), (1, 2)]) == 0b11
    # Under sides the cells next to it can belong to another ship.
    sides = Rules("3x3", "2,2", "sides", answers="sunk")
    assert sunk_mask(sides, [(0, 1), (1, 0x102)]) == 0b10
    ship = Rules("3x3", "2,2", "sides", answers="ship")
    first, second = 0x4000 + 64 * 2 + 1, 0x4000 + 64 * 2 + 2
    assert sunk_mask(ship, [(0, first), (1, second), (3, first)]) == 0b1001
    assert sunk_mask(Rules("3x3", "2,1"), [(0, 1), (1, 1)]) == 0


def test_leaf_of_two_layouts_says_so():
    root = read(svg(sample_tree("2x2", "2,2", "sides")))
    words = [text.text for text in nodes(root)[0].iter(f"{SVG}text")]
    assert words == ["0 misses", "1 of 2 layouts"]
    assert len(uses(nodes(root)[0], "s2")) == 2


def test_miss_path_of_the_5x5_tree():
    tree = TREES["hit 5x5"]
    root = read(svg(tree, path="misses"))
    assert len(uses(root, "b")) == 6
    assert len(nodes(root)) == 11
    stubs = [node for node in nodes(root) if node.find(f"{SVG}rect") is not None]
    assert [text.text for text in stubs[-1].iter(f"{SVG}text")] == [
        "1112 layouts",
        "up to 8 more misses",
    ]
    assert sum(edge.get("stroke") == LIGHT.ink for edge in edges_of(root)) == 5
    places = zip(boxes_drawn(root), nodes(root), strict=True)
    tops = {place[1] for place, node in places if node not in stubs}
    assert len(tops) == 1, "the boards of a path stand in one line"


def test_path_of_a_layout():
    tree = TREES["ship"]
    root = read(svg(tree, path=["A1:B1", "A2:A3"]))
    selected = select_nodes(tree, path="A2:A3 A1:B1")
    assert len(nodes(root)) == len(selected)
    assert len(uses(root, "b")) == sum(item.on_path for item in selected)
    assert "Path of layout A1:B1 A2:A3" in root.find(f"{SVG}title").text
    with pytest.raises(LayoutError):
        svg(tree, path=["A1:B1"])


def test_depth_shortens_a_path():
    root = read(svg(TREES["hit 5x5"], path="misses", depth=2))
    assert len(uses(root, "b")) == 2
    assert len(nodes(root)) == 5


@pytest.mark.parametrize("given", [{}, {"depth": 3}, {"path": "misses"}], ids=str)
@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_nothing_overlaps_or_leaves_the_picture(tree, given):
    root = read(svg(tree, **given) if given else whole(tree))
    width, height = int(root.get("width")), int(root.get("height"))
    assert root.get("viewBox") == f"0 0 {width} {height}"
    places = boxes_drawn(root)
    assert all(left >= 0 and top >= 0 for left, top, *_ in places)
    assert max(right for _, _, right, _ in places) <= width - 40
    assert max(bottom for *_, bottom in places) <= height - 40
    rows: dict[float, list[tuple[float, float, float, float]]] = {}
    for place in places:
        rows.setdefault(place[1], []).append(place)
    for row in rows.values():
        row.sort()
        assert all(a[2] < b[0] for a, b in pairwise(row))
    if len(places) < 500:
        for i, a in enumerate(places):
            for b in places[i + 1 :]:
                apart = a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
                assert apart


def test_full_5x5_tree_is_small():
    picture = whole(TREES["hit 5x5"])
    assert len(picture.encode()) < 2_000_000
    assert len(nodes(read(picture))) == 2855


def test_small_drawings_have_column_letters_and_row_numbers():
    def labels(picture):
        shape = board_shape(read(picture))
        return [text.text for text in shape.iter(f"{SVG}text")]

    assert labels(svg(TREES["hit"])) == ["A", "B", "C", "1", "2", "3"]
    assert labels(svg(TREES["hit 5x5"], path="misses")) == [*"ABCDE", *"12345"]
    assert labels(whole(TREES["hit 5x5"])) == []


def test_white_background():
    root = read(svg(TREES["hit"]))
    background = root.find(f"{SVG}rect")
    assert background.get("fill") == "#ffffff"
    assert background.get("width") == root.get("width")


@pytest.mark.parametrize(
    "markup", ["<script>alert(1)</script>", "\"'><g onload=x>", "a & b ]]> <!--", "nul\x00 \ud800"]
)
def test_markup_is_escaped(markup):
    tree = changed(TREES["hit"], objective=markup, status=markup)
    root = read(svg(tree, title=markup))
    shown = markup.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert root.find(f"{SVG}title").text == shown
    assert shown in root.find(f"{SVG}desc").text
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {
        "svg", "title", "desc", "defs", "g", "rect", "path", "circle", "text", "use",
    }  # fmt: skip
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)


def test_long_titles_are_wrapped():
    title = "where to shoot " * 20 + "x" * 200
    root = read(svg(TREES["hit"], title=title))
    width = int(root.get("width"))
    lines = [t for t in root.findall(f"{SVG}text") if t.get("font-weight") == "bold"]
    assert len(lines) > 3
    assert all(text_width(t.text, 18) <= width for t in lines)
    assert wrapped("", 10, 100) == [""]
    assert all(text_width(line, 10) <= 100 for line in wrapped("海戦" * 40, 10, 100))


def test_same_drawing_twice_is_the_same_text():
    assert svg(TREES["sides"]) == svg(TREES["sides"])


def test_notebook_picture_shows_three_shots():
    tree = TREES["hit 5x5"]
    assert tree._repr_svg_() == svg(tree, depth=3)


def test_too_many_nodes_are_refused(monkeypatch):
    monkeypatch.setattr(tree_svg, "MOST_NODES", 100)
    with pytest.raises(DrawingError, match="more than 100 nodes"):
        svg(TREES["hit 5x5"])
    assert svg(TREES["hit 5x5"], path="misses")
    with pytest.raises(DrawingError, match="depth -1"):
        svg(TREES["hit"], depth=-1)


def test_children_keep_their_order_and_boxes_stay_apart():
    boxes = [Box(20, 10, -1), Box(60, 10, 0), Box(30, 10, 0), Box(20, 10, 1), Box(20, 10, 1)]
    for sideways in (False, True):
        centres = positions(boxes, sideways=sideways, gap=5, rank_gap=20)
        along = 1 if sideways else 0
        assert centres[1][along] < centres[2][along]
        assert centres[3][along] < centres[4][along]
        assert min(x for x, _ in centres) >= 10
