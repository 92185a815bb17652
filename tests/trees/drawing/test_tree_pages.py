"""A tree on pages: all of it, once, readable, and every box leads on."""

import re
from functools import cache
from xml.etree import ElementTree

import pytest
from support.sample_trees import small_trees

from seabattle.enumerate.errors import DrawingError
from seabattle.trees.drawing import tree_pages
from seabattle.trees.drawing.selection import NodeKind, select_nodes
from seabattle.trees.drawing.tree_pages import ENLARGED, SCREEN, svg_pages
from seabattle.trees.tree import Tree

TREES = {name: tree for name, tree in small_trees().items() if name != "hit 5x5"}
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


@cache
def large() -> Tree:
    """A tree that needs many pages."""
    from seabattle.enumerate.rules import Rules
    from seabattle.solver.search.greedy import greedy_tree

    return greedy_tree(Rules("4x4", "3,2,1", answers="ship"), "hits")


@cache
def roots(tree: Tree) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(page) for page in svg_pages(tree)]


def boards(root: ElementTree.Element) -> int:
    """Number of boards drawn."""
    return sum(use.get(LINK).endswith("b") for use in root.iter(f"{SVG}use"))


def words(root: ElementTree.Element) -> list[str]:
    return [text.text for text in root.iter(f"{SVG}text") if text.text]


@pytest.mark.parametrize("tree", [*TREES.values(), large()], ids=[*TREES, "4x4"])
def test_every_board_is_drawn(tree):
    # A part begins with a board, whose stub stands where it was left: each board is drawn once.
    assert sum(map(boards, roots(tree))) == len(select_nodes(tree))


def test_boxes_lead_to_the_parts_that_come_from_them():
    pages = roots(large())
    assert len(pages) > 10
    begins, leads, comes = {}, [], {}
    for number, root in enumerate(pages, start=1):
        texts = words(root)
        part = None
        for text, following in zip(texts, [*texts[1:], ""], strict=True):
            if text.isdigit() and (following.startswith("from ") or following == "Begin here"):
                part = int(text)
                begins[part] = number
                found = re.fullmatch(r"from (\d+)(?: on page (\d+))?", following)
                if found:
                    comes[part] = (int(found[1]), int(found[2] or number))
            if text.startswith("→"):
                to, page = re.fullmatch(r"→ (\d+)(?:, page (\d+))?", text).groups()
                leads.append((part, number, int(to), int(page or number)))
    assert sorted(begins) == list(range(1, len(begins) + 1))
    assert begins[1] == 1
    assert sorted(to for _, _, to, _ in leads) == list(range(2, len(begins) + 1))
    for part, number, to, page in leads:
        assert begins[to] == page
        assert comes[to] == (part, number) or comes[to][1] == number


def test_texts_can_be_read_from_the_back_of_the_room():
    for page in svg_pages(large()):
        root = ElementTree.fromstring(page)
        assert (float(root.get("width")), float(root.get("height"))) == SCREEN
        sizes = [float(size) for size in re.findall(r'font-size="([0-9.]+)"', page)]
        assert min(sizes) * ENLARGED >= 16


@pytest.mark.parametrize("tree", [*TREES.values(), large()], ids=[*TREES, "4x4"])
def test_nothing_leaves_a_page_or_overlaps(tree):
    width, height = SCREEN[0] / ENLARGED, SCREEN[1] / ENLARGED
    for root in roots(tree):
        size = next(
            g.find(f"{SVG}rect") for g in root.find(f"{SVG}defs") if g.get("id").endswith("b")
        )
        places = []

        def walk(element, x, y, size=size, places=places):
            moved = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
            if moved:
                x, y = x + float(moved[1]), y + float(moved[2])
            if element.get("class") == "n":
                stub = element.find(f"{SVG}rect")
                shape = size if stub is None else stub
                left = x + float(shape.get("x", 0))
                right, low = left + float(shape.get("width")), y + float(shape.get("height"))
                places.append((left, y, right, low + (0 if stub is not None else 16)))
                return
            for child in element:
                if child.tag != f"{SVG}defs":
                    walk(child, x, y)

        walk(root, 0.0, 0.0)
        assert places
        for left, top, right, bottom in places:
            assert left >= 10
            assert top >= 60
            assert right <= width - 10
            assert bottom <= height - 30
        for i, a in enumerate(places):
            for b in places[i + 1 :]:
                assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]


def test_pages_tell_the_game_and_their_number():
    pages = roots(large())
    for number, root in enumerate(pages, start=1):
        place = f"page {number} of {len(pages)}"
        assert place in words(root)
        assert place in root.find(f"{SVG}title").text
        assert any("ships do not touch; answers: miss, or which ship" in w for w in words(root))
        assert "4x4, fleet 3,2,1, contact none, answers ship" in root.find(f"{SVG}desc").text
        assert "answer: hit, the ship of length 3" in words(root)
    assert len({root.get("id") for root in pages}) == len(pages)


def test_a_small_tree_is_one_page_without_numbers():
    (page,) = roots(TREES["hit"])
    assert not [word for word in words(page) if word.startswith(("→", "from "))]
    kinds = [item.kind for item in select_nodes(TREES["hit"])]
    assert boards(page) == len(kinds) - kinds.count(NodeKind.STUB)


def test_too_many_nodes_are_refused(monkeypatch):
    monkeypatch.setattr(tree_pages, "MOST_NODES", 100)
    with pytest.raises(DrawingError, match="more than 100 nodes"):
        svg_pages(large())
    with pytest.raises(DrawingError, match="theme 'blue'"):
        svg_pages(TREES["hit"], theme="blue")
