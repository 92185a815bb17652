"""The explorer's page as text: what it embeds, what it escapes, what it refuses."""

from __future__ import annotations

import base64
import json
import struct
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support import sample_trees

from seabattle.enumerate import errors
from seabattle.enumerate.answers import answer_text
from seabattle.trees.page.explorer import explorer_document, explorer_page
from seabattle.trees.tree import Tree

TREES = sample_trees.small_trees()


def unpacked(text: str) -> list[int]:
    raw = base64.b64decode(text)
    return list(struct.unpack(f"<{len(raw) // 2}H", raw))


def nested(document: dict, strategy: dict) -> object:
    """The embedded tree as nested pairs: (shot, {answer: subtree}), or a leaf's layouts."""
    words = unpacked(strategy["nodes"])
    numbers = unpacked(strategy["ships"])
    width = len(document["game"]["fleet"])
    rows = [numbers[i : i + width] for i in range(0, len(numbers), width)]
    at = 0

    def read() -> object:
        nonlocal at, rows
        head = words[at]
        if head == 0:
            count = words[at + 1] + 65536 * words[at + 2]
            at += 3
            mine, rows = rows[:count], rows[count:]
            return [[document["game"]["placements"][n] for n in row] for row in mine]
        codes = words[at + 2 : at + 2 + words[at + 1]]
        at += 2 + words[at + 1]
        return head - 1, {answer_text(code): read() for code in codes}

    whole = read()
    assert (at, rows) == (len(words), [])
    return whole


def expected(tree: Tree) -> object:
    board = tree.rules.board

    def ship(name: str) -> tuple[int, ...]:
        ends = [board.cell(end) for end in name.split(":")]
        step = 1 if max(ends) - min(ends) < board.columns else board.columns
        if board.columns == 1:
            step = 1
        return tuple(range(min(ends), max(ends) + 1, step))

    def walk(node: object) -> object:
        if node.is_leaf:
            return [[ship(name) for name in layout] for layout in node.layouts]
        return node.shot, {answer: walk(child) for answer, child in node.children.items()}

    return walk(tree.root)


@pytest.mark.parametrize("name", TREES)
def test_the_page_embeds_the_whole_tree(name: str) -> None:
    tree = TREES[name]
    document = explorer_document([tree])
    assert nested(document, document["strategies"][0]) == expected(tree)
    assert document["strategies"][0]["position"] == tree.position.shots


class _Elements(HTMLParser):
    """Collects elements and the text of each script."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append(tag)
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[-1] += data


HOSTILE = "</script><script>alert(1)</script><!--<img src=x>{{script}}{{data}}&lt;\u2028"


def test_hostile_texts_change_no_element_of_the_page() -> None:
    tree = TREES["hit"]
    plain, hostile = _Elements(), _Elements()
    plain.feed(explorer_page([tree], title="T", names=["N"]))
    bad = HOSTILE.replace("\u2028", "")
    page = explorer_page([sample_trees.changed(tree, objective=HOSTILE)], title=bad, names=[bad])
    hostile.feed(page)
    assert hostile.tags == plain.tags
    assert len(hostile.scripts) == len(plain.scripts) == 2
    assert hostile.scripts[1] == plain.scripts[1]
    read = json.loads(hostile.scripts[0])["strategies"][0]
    assert (read["name"], read["objective"]) == (bad, HOSTILE)
    assert "\u2028" not in page


def test_what_is_no_page_is_refused(tmp_path: Path) -> None:
    for trees, options, told in (
        ([], {}, "at least one strategy"),
        ([TREES["hit"], TREES["sunk"]], {}, "another game than 3x3"),
        ([TREES["hit"]] * 2, {"names": ["a"]}, "1 names for 2 strategies"),
        ([TREES["hit"]], {"title": "a\nb"}, "must be printable text"),
    ):
        with pytest.raises(errors.SeabattleError, match=told):
            explorer_page(trees, **options)
