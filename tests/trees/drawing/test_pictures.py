"""Trees as pictures and on paper: all of them once, readable, apart, and with words."""

import re
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.sample_trees import sample_tree, small_trees

from seabattle.enumerate.errors import DrawingError
from seabattle.trees.drawing.selection import NodeKind, select_nodes
from seabattle.trees.drawing.tree_svg import (
    MOST_ENLARGED,
    PAPERS,
    PIXELS,
    paper_pages,
    svg,
    tidy_middles,
)
from seabattle.trees.tree import Tree

TREES = small_trees()
LARGE = TREES.pop("hit 5x5")
FOLDED = sample_tree("4x4", "3,2,1", answers="ship")
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
every_tree = pytest.mark.parametrize("tree", TREES.values(), ids=TREES)


def read(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture.encode("utf-8"))


@cache
def sheets(tree: Tree) -> list[ElementTree.Element]:
    return [read(page) for page in paper_pages(tree)]


def nodes(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Groups of the nodes, boards and stubs."""
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == "n"]


def boards(root: ElementTree.Element) -> int:
    return sum(use.get(LINK).endswith("b") for use in root.iter(f"{SVG}use"))


def words(root: ElementTree.Element) -> list[str]:
    return [text.text for text in root.iter(f"{SVG}text") if text.text]


def boxes(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every board's grid and every stub, on the picture."""
    shapes = root.find(f"{SVG}defs")
    size = next(g.find(f"{SVG}rect") for g in shapes if g.get("id").endswith("b"))
    found = []

    def walk(element: ElementTree.Element, x: float, y: float, scale: float) -> None:
        moved = re.match(
            r"translate\((\S+) (\S+)\)( scale\((\S+)\))?", element.get("transform", "")
        )
        if moved:
            x, y = x + scale * float(moved[1]), y + scale * float(moved[2])
            scale *= float(moved[4] or 1)
        if element.get("class") == "n":
            stub = element.find(f"{SVG}rect")
            shape = size if stub is None else stub
            left = x + scale * float(shape.get("x", 0))
            across, down = (scale * float(shape.get(side)) for side in ("width", "height"))
            found.append((left, y, left + across, y + down))
            return
        for child in element:
            if child is not shapes:
                walk(child, x, y, scale)

    walk(root, 0.0, 0.0, 1.0)
    return found


def apart(a, b) -> bool:
    return a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]


@st.composite
def drawn_trees(draw) -> list[tuple[int, int, bool]]:
    """Boxes of any widths, in preorder: width, parent, and whether it goes straight on."""
    path, tree = [], []
    for number in range(draw(st.integers(1, 40))):
        del path[draw(st.integers(1, max(1, len(path)))) :]
        width = draw(st.sampled_from([10, 20, 50]))
        tree.append((width, path[-1] if path else -1, draw(st.booleans())))
        path.append(number)
    return tree


@given(drawn_trees())
def test_a_tidy_layout_keeps_boxes_apart_and_children_in_order(tree):
    gap, ranks = 5, []
    widths, parents, straight = zip(*tree, strict=True)
    for parent in parents:
        ranks.append(ranks[parent] + 1 if parent >= 0 else 0)
    middles = tidy_middles(widths, parents, straight, gap)
    for i, j in combinations(range(len(tree)), 2):
        if ranks[i] == ranks[j]:
            apart = abs(middles[i] - middles[j]) - (widths[i] + widths[j]) / 2
            assert apart > gap - 0.3  # coordinates have one decimal
        if parents[i] == parents[j]:
            assert middles[i] < middles[j]
    ends = [middle - width / 2 for middle, width in zip(middles, widths, strict=True)]
    assert min(ends) == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("depth", [None, 1])
@every_tree
def test_every_node_is_drawn_once_and_nothing_overlaps(tree, depth):
    root = read(svg(tree, depth=depth))
    kinds = [item.kind for item in select_nodes(tree, depth=depth)]
    assert len(nodes(root)) == len(kinds)
    assert boards(root) == len(kinds) - kinds.count(NodeKind.STUB)
    places = boxes(root)
    assert all(apart(a, b) for a, b in combinations(places, 2))
    width, height = float(root.get("width")), float(root.get("height"))
    assert all(a[0] >= 0 and a[1] >= 0 and a[2] < width and a[3] < height for a in places)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert all(name.startswith(root.get("id")) for name in ids)
    assert {use.get(LINK)[1:] for use in root.iter(f"{SVG}use")} <= set(ids)


@every_tree
def test_pictures_are_told_in_words(tree):
    root = read(svg(tree))
    title, told = root.find(f"{SVG}title"), root.find(f"{SVG}desc").text
    assert root.get("aria-labelledby").split()[0] == title.get("id")
    assert str(tree.rules.fleet) in title.text
    rules = tree.rules
    for fact in (
        f"contact {rules.contact.value}, answers {rules.answers.value}", tree.status,
        f"worst {tree.worst_misses} miss", str(tree.mean_misses),
    ):  # fmt: skip
        assert fact in told


@pytest.mark.parametrize("markup", ["<script>alert(1)</script>", "\"'><g onload=x>", "\x00 ]]> &"])
def test_markup_is_escaped(markup):
    tree = replace(TREES["hit"], objective=markup, status=markup)
    for root in (read(svg(tree, title=markup)), read(paper_pages(tree, title=markup)[0])):
        assert root.find(f"{SVG}title").text.startswith(markup.replace("\x00", "\ufffd"))
        names = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert names <= {
            "svg", "title", "desc", "defs", "g", "rect", "path", "circle", "text", "use",
        }  # fmt: skip
        assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)


def test_large_trees_are_small_files_and_larger_ones_are_refused():
    picture = svg(LARGE)
    assert picture.count('class="n"') == len(LARGE)
    assert len(picture) < 2_200_000
    assert LARGE._repr_svg_() == svg(LARGE, depth=3)
    many = sample_tree("5x5", "3,2,1", answers="ship")
    for draw in (svg, paper_pages):
        with pytest.raises(DrawingError, match="more than 6000 nodes"):
            draw(many)
    with pytest.raises(DrawingError, match="depth -1"):
        svg(LARGE, depth=-1)


# ------------------------------------------------------------------------------------- on paper


@pytest.mark.parametrize("tree", [*TREES.values(), FOLDED], ids=[*TREES, "folded"])
def test_every_board_is_on_one_sheet_and_nothing_overlaps(tree):
    # A part begins with the board whose stub stands where the tree is folded.
    assert sum(map(boards, sheets(tree))) == len(select_nodes(tree))
    for root in sheets(tree):
        width, height = float(root.get("width")), float(root.get("height"))
        places = boxes(root)
        assert all(apart(a, b) for a, b in combinations(places, 2))
        assert all(
            a[0] >= 10 and a[1] >= 40 and a[2] <= width - 10 and a[3] <= height - 30 for a in places
        )


@pytest.mark.parametrize("paper", PAPERS)
def test_sheets_have_the_size_of_the_paper_and_can_be_read(paper):
    for page in paper_pages(TREES["sides"], paper):
        root = read(page)
        sides = float(root.get("width")), float(root.get("height"))
        assert sides == pytest.approx([side * PIXELS for side in PAPERS[paper]], abs=0.1)
        sizes = [float(size) for size in re.findall(r'font-size="([0-9.]+)"', page)]
        assert min(sizes) * 0.75 >= 6.75  # points


def test_boxes_lead_to_the_parts_that_come_from_them():
    begins, leads, comes = {}, [], {}
    for number, root in enumerate(sheets(FOLDED), start=1):
        texts, part = words(root), 0
        assert f"sheet {number} of {len(sheets(FOLDED))}" in texts
        for text, following in zip(texts, [*texts[1:], ""], strict=True):
            source = re.fullmatch(r"from (\d+)(?: on sheet (\d+))?", following)
            if text.isdigit() and (source or following == "Begin here"):
                part = int(text)
                begins[part] = number
                if source:
                    comes[part] = (int(source[1]), int(source[2] or number))
            if box := re.fullmatch(r"→ (\d+)(?:, sheet (\d+))?", text):
                leads.append((part, number, int(box[1]), int(box[2] or number)))
    assert len(sheets(FOLDED)) > 1
    assert sorted(begins) == list(range(1, len(begins) + 1))
    assert sorted(to for _, _, to, _ in leads) == list(range(2, len(begins) + 1))
    assert all(begins[to] == sheet and comes[to] == (part, here) for part, here, to, sheet in leads)


def test_a_tree_that_fits_is_one_sheet_and_other_papers_are_refused():
    (sheet,) = sheets(TREES["hit"])
    assert not [word for word in words(sheet) if word.startswith(("→", "from "))]
    with pytest.raises(DrawingError, match="write one of A4, letter"):
        paper_pages(TREES["hit"], "A5")


@pytest.mark.parametrize("tree", [TREES["hit"], TREES["one cell"], sample_tree("2x2", "1")])
def test_a_tree_that_fits_fills_its_sheet(tree):
    (sheet,) = sheets(tree)
    lefts, tops, rights, bottoms = zip(*boxes(sheet), strict=True)
    wide, high = float(sheet.get("width")) - 40, float(sheet.get("height"))
    across, down = (max(rights) - min(lefts)) / wide, (max(bottoms) - min(tops)) / high
    own = next(g for g in sheet.find(f"{SVG}defs") if g.get("id").endswith("b")).find(f"{SVG}rect")
    enlarged = boxes(sheet)[0][2] - boxes(sheet)[0][0], MOST_ENLARGED * float(own.get("width"))
    assert across > 0.85 or down > 0.65 or enlarged[0] == pytest.approx(enlarged[1])
    assert min(lefts) + max(rights) == pytest.approx(wide + 40, abs=60)  # in its middle


@pytest.mark.parametrize("tree", [*TREES.values(), FOLDED], ids=[*TREES, "folded"])
def test_boards_on_sheets_have_letters_and_numbers(tree):
    board = tree.rules.board
    for sheet in sheets(tree):
        shared = next(g for g in sheet.find(f"{SVG}defs") if g.get("id").endswith("b"))
        names = [board.name(cell) for cell in range(board.cells)]
        columns = list(dict.fromkeys(name.rstrip("0123456789") for name in names))
        rows = [str(row + 1) for row in range(board.rows)]
        assert words(shared) == [*columns, *rows]


def explained(root: ElementTree.Element) -> set[str]:
    """What the legend explains: the last texts of a picture."""
    return {text for group in list(root)[-1].iter(f"{SVG}g") for text in words(group)}


@pytest.mark.parametrize("tree", [*TREES.values(), FOLDED], ids=[*TREES, "folded"])
def test_a_legend_explains_what_is_there_and_nothing_else(tree):
    goes_on = "layouts left there; goes on in the part named"
    left_out = "not drawn: layouts left there, most misses still to come"
    for root in [*sheets(tree), read(svg(tree)), read(svg(tree, path="misses"))]:
        text = "\n".join(words(root))
        drawn = "".join(ElementTree.tostring(node, encoding="unicode") for node in nodes(root))
        told = explained(root)
        uses = {use.get(LINK)[-1] for node in nodes(root) for use in node.iter(f"{SVG}use")}
        assert ("shot" in told) == ("t" in uses)
        assert (goes_on in told) == ("→" in text)
        assert (left_out in told) == ("more miss" in text.replace(left_out, ""))
        assert ("miss" in told) == bool(re.search(r'fill="none"[^>]*h\.01', drawn))
        assert bool({"hit", "sunk"} & told) == bool(re.search(r"l\d+ \d+m-\d", drawn))


def test_numbers_are_grouped():
    for picture in (svg(LARGE, depth=2), *paper_pages(LARGE, depth=2)):
        assert "1,428" in picture
        assert not re.search(r"\b1428 layouts", picture)


# ----------------------------------------------------------------------------- paths in rows

LONG = sample_tree("1x14", "1")
"""Its path has fourteen boards, and a box beside each but the last."""


@pytest.mark.parametrize("draw", [svg, lambda *a, **b: paper_pages(*a, **b)[0]])
def test_a_long_path_is_drawn_in_rows(draw):
    root = read(draw(LONG, path="misses"))
    places = boxes(root)
    selected = select_nodes(LONG, path="misses", miss_first=True)
    assert len(places) == len(selected) == 27
    assert all(apart(a, b) for a, b in combinations(places, 2))
    path = [place for place, item in zip(places, selected, strict=True) if item.on_path]
    rows = [[path[0]]]
    for before, after in pairwise(path):
        if after[0] > before[0]:
            assert after[1] == pytest.approx(before[1], abs=1)  # to the right, on one line
            rows[-1].append(after)
        else:
            assert after[1] > before[3]  # a new row, below
            rows.append([after])
    assert len(rows) > 1
    assert {len(row) for row in rows[:-1]} == {len(rows[0])}
    assert len({round(row[0][0]) for row in rows}) == 1
    assert max(place[2] for place in places) < float(root.get("width")) - 10
    for item, place in zip(selected, places, strict=True):
        if item.parent >= 0 and not item.on_path:  # beside the board whose answer leads there
            assert place[0] > places[item.parent][2]


def test_a_short_path_is_one_row():
    places = boxes(read(svg(TREES["hit"], path="misses")))
    selected = select_nodes(TREES["hit"], path="misses", miss_first=True)
    tops = {p[1] for p, item in zip(places, selected, strict=True) if item.on_path}
    assert len(tops) == 1


@pytest.mark.parametrize("shown", [{"depth": 1}, {"path": "misses"}])
@every_tree
def test_a_part_of_a_tree_on_paper_is_the_same_part(tree, shown):
    selected = select_nodes(tree, **shown)
    pages = [read(page) for page in paper_pages(tree, **shown)]
    kinds = [item.kind for item in selected]
    assert sum(map(boards, pages)) == len(kinds) - kinds.count(NodeKind.STUB)
    stubs = sum(
        "more miss" in word for page in pages for word in words(page) if "not drawn" not in word
    )
    assert stubs == kinds.count(NodeKind.STUB)
